"""Files in and out: the layouts that occur, the odd ones too, and what is said about broken ones."""

import gzip
import io
import json
import os
import subprocess
import sys

import needs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankmetrics_nb import files
from rankmetrics_nb.files import (
    Check,
    check,
    rank_contradictions,
    rank_note,
    read_qrels,
    read_run,
    to_frame,
    unmatched_hint,
    write_qrels,
    write_run,
)
from rankmetrics_nb.relevance import DataError, Qrels, Run

FORMATS = ("trec", "beir", "msmarco", "csv", "json", "jsonl", "parquet")
RUN_LINE = "q1 Q0 a 1 2.5 tag\n"


@pytest.fixture
def put(tmp_path, monkeypatch):
    """A function that writes bytes to a file of the working directory and gives its name."""
    monkeypatch.chdir(tmp_path)

    def write(data: bytes | str, name: str = "file") -> str:
        (tmp_path / name).write_bytes(data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data)
        return name

    return write


def message(read, *args, **kwargs) -> str:
    """The text of the DataError that a call raises: one line that prints."""
    with pytest.raises(DataError) as info:
        read(*args, **kwargs)
    text = str(info.value)
    assert "\n" not in text and text.isprintable()
    return text


class TestTrecLayouts:
    @pytest.mark.parametrize(
        "text",
        [
            "q1 Q0 a 1 2.5 t\nq1 Q0 b 2 1.5 t\n",
            "q1 Q0 a 1 2.5 t\nq1 Q0 b 2 1.5 t",
            "q1\tQ0\ta\t1\t2.5\tt\nq1\tQ0\tb\t2\t1.5\tt\n",
            "q1 Q0 a 1 2.5 t\r\nq1 Q0 b 2 1.5 t\r\n",
            "q1 Q0 a 1 2.5 t\r\nq1 Q0 b 2 1.5 t\r",
            "q1 Q0 a 1 2.5 t\r\nq1 Q0 b 2 1.5 t\n",
            "\ufeffq1 Q0 a 1 2.5 t\nq1 Q0 b 2 1.5 t\n",
            "  q1  Q0\t a   1 2.5 t  \n\n \t \nq1 Q0 b 2\t1.5 t\t\n\n",
            "\n\nq1 Q0 a 1 2.5 t\nq1 Q0 b 2 1.5 t\n",
        ],
    )
    def test_white_space_does_not_matter(self, put, text):
        run = read_run(put(text))
        assert run.to_dict() == {"q1": {"a": 2.5, "b": 1.5}}
        assert run.ranks.tolist() == [1, 2]
        assert (run.source, run.notes) == ("file", ())

    def test_qrels(self, put):
        qrels = read_qrels(put("q1 0 a 1\nq1 0 b 0.9\nq2\tx\tc\t-2\n"))
        assert qrels.to_dict() == {"q1": {"a": 1.0, "b": 0.9}, "q2": {"c": -2.0}}

    def test_queries_may_be_mixed(self, put):
        run = read_run(put("q1 Q0 a 1 5 t\nq2 Q0 a 1 4 t\nq1 Q0 b 2 3 t\n"))
        assert list(run.to_dict().items()) == [("q1", {"a": 5.0, "b": 3.0}), ("q2", {"a": 4.0})]

    @pytest.mark.parametrize("doc", ["a,b", '"a"', "a#b", "a;b", "a'b", "Café", "Cafe\u0301", "文档", "😀", "a\u00a0b", "a\u3000b", "a\u2028b", "a\x85b", "a\x0bb", "a\x0cb", "a\x1cb", "{", "[1]", "007", "NA", "None", "1e5"])
    def test_ids_are_ordinary_text(self, put, doc):
        assert list(read_run(put(f"q Q0 {doc} 1 2 t\nq Q0 z 2 1 t\n"))["q"]) == [doc, "z"]
        assert list(read_qrels(put(f"{doc} 0 {doc} 1\n")).items()) == [(doc, {doc: 1.0})]

    def test_a_carriage_return_within_an_id(self, put):
        assert list(read_run(put("q Q0 a\rb 1 2 t\r\nq Q0 c 1 1 t\r\n"))["q"]) == ["a\rb", "c"]

    def test_bytes_that_are_not_utf8_survive(self, put):
        run = read_run(put(b"q\xff Q0 a\xe2\x82 1 2 t\nq\xff Q0 \xc3\xa9 2 1 t\n"))
        assert [one.encode("utf-8", "surrogateescape") for one in (*run, *run.doc_ids)] == [b"q\xff", b"a\xe2\x82", b"\xc3\xa9"]

    def test_comments_are_counted(self, put):
        qrels = read_qrels(put("# judged in May\nt1 0 doc#1 1\n#a 0 b 1\nt1 0 #2 0\n"))
        assert qrels.to_dict() == {"t1": {"doc#1": 1.0, "#2": 0.0}}
        assert qrels.notes == ("file: 2 comment lines (# in the first place) left out",)

    def test_a_comment_with_as_many_fields_as_a_line(self, put):
        run = read_run(put(RUN_LINE + "#q Q0 b 1 2.5 tag\n"))
        assert run.to_dict() == {"q1": {"a": 2.5}} and len(run.notes) == 1

    @pytest.mark.parametrize(("text", "value"), [("9.5e-6", 9.5e-6), ("1e-05", 1e-5), ("2E-7", 2e-7), ("+3.0e-7", 3e-7), ("inf", float("inf")), ("-inf", float("-inf")), ("-1e300", -1e300), (".5", 0.5), ("5.", 5.0), ("1", 1.0)])
    def test_scores(self, put, text, value):
        assert read_run(put(f"q Q0 a 1 {text} t\n"))["q"]["a"] == value

    def test_line_numbers_count_every_line(self, put):
        assert message(read_run, put("\n# c\n" + RUN_LINE + "\nq1 Q0 b 2 nan tag\n")) == "file, line 5: the score of document b in query q1 is not a number (nan)"

    def test_line_numbers_in_a_later_block(self, put, monkeypatch):
        whole = files._blocks
        monkeypatch.setattr(files, "_blocks", lambda data: whole(data, 20))
        text = "".join(f"q Q0 d{i} {i} {100 - i} t\n" for i in range(1, 50)) + "# c\n\nq Q0 d7 9 1 t\n"
        assert message(read_run, put(text)).startswith("file, line 52: query q already has document d7 (line 7)")
        assert message(read_run, put(text.replace("d33 33", "d33  "))).startswith("file, line 33: expected 6 fields")
        assert len(read_run(put(text), duplicates="first").doc_ids) == 49

    @pytest.mark.parametrize("name", ["file", "file.gz", "file.run.gz"])
    def test_gzip_is_known_by_its_content(self, put, name):
        packed = gzip.compress(RUN_LINE.encode())
        assert read_run(put(packed, name)) == {"q1": {"a": 2.5}}
        assert read_run(put(packed + packed.replace(b"x", b"x"), name), duplicates="first") == {"q1": {"a": 2.5}}

    def test_a_name_that_lies(self, put):
        assert read_run(put(RUN_LINE, "run.gz")) == read_run(put(RUN_LINE, "run.csv")) == read_run(put(RUN_LINE, "run.json")) == {"q1": {"a": 2.5}}

    def test_a_big_file_is_read_fast_enough_to_wait_for(self, put):
        text = "".join(f"q{i // 1000} Q0 d{i} {i % 1000 + 1} {1000 - i % 1000}.25 t\n" for i in range(100_000))
        run = read_run(put(text))
        assert (len(run), len(run.doc_ids)) == (100, 100_000)
        assert run.scores[:3].tolist() == [1000.25, 999.25, 998.25] and run.ranks[999] == 1000


class TestSources:
    def test_standard_input(self, monkeypatch):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"q1 Q0 a\xff 1 2.5 t\n")))
        run = read_run("-")
        assert run == {"q1": {"a\udcff": 2.5}} and run.source == "standard input"

    def test_standard_input_that_is_text(self, monkeypatch):
        monkeypatch.setattr(sys, "stdin", io.StringIO("q1 0 a x\n"))
        assert message(read_qrels, "-") == "standard input, line 1: the grade of document a in query q1 is 'x': expected a number"

    @pytest.mark.parametrize("source", [io.StringIO(RUN_LINE), io.BytesIO(RUN_LINE.encode()), io.BytesIO(gzip.compress(RUN_LINE.encode()))])
    def test_open_files(self, source):
        run = read_run(source)
        assert run == {"q1": {"a": 2.5}} and run.source == "run"

    def test_an_open_file_has_a_name(self, put):
        with open(put("q1 Q0 a 1 nan t\n", "bad.run"), "rb") as file:
            assert message(read_run, file).startswith("bad.run, line 1: ")

    def test_paths(self, put, tmp_path):
        put(RUN_LINE, "x.run")
        assert read_run(tmp_path / "x.run").source == str(tmp_path / "x.run")
        assert read_run(b"x.run") == read_run("x.run")

    def test_a_named_pipe(self, tmp_path):
        if not hasattr(os, "mkfifo"):
            pytest.skip("named pipes are made on Unix alone")
        pipe = str(tmp_path / "pipe")
        os.mkfifo(pipe)
        writer = subprocess.Popen([sys.executable, "-c", "import sys; open(sys.argv[1], 'w').write(sys.argv[2])", pipe, RUN_LINE])
        assert read_run(pipe) == {"q1": {"a": 2.5}}
        assert writer.wait() == 0

    def test_tables_come_back_as_they_are(self):
        qrels, run = Qrels.from_dict({"q": {"a": 1}}), Run.from_dict({"q": {"a": 1}})
        assert read_qrels(qrels) is qrels and read_run(run) is run

    def test_swapped_tables(self):
        qrels, run = Qrels.from_dict({"q": {"a": 1}}), Run.from_dict({"q": {"a": 1}})
        assert "swapped" in message(read_qrels, run) and "swapped" in message(read_run, qrels)

    def test_dicts(self):
        assert read_qrels({"q": {"a": 2}}).source == "qrels"
        assert message(read_run, {1: {2: "3"}}).startswith("run: the score of document 2 in query 1 is '3'")

    def test_rows(self):
        rows = [["q", "a", 1], ("q", 7, np.float32(0.5))]
        assert read_run(rows) == read_run(tuple(rows)) == read_run(np.array(rows, object)) == {"q": {"a": 1.0, "7": 0.5}}
        assert read_run([]) == {}

    def test_rows_that_are_records(self):
        assert read_run([{"query_id": "q", "doc_id": "a", "score": 1}]) == {"q": {"a": 1.0}}

    def test_bad_rows(self):
        assert message(read_run, [["q", "a", 1], ["q", "b"]]) == "run, row 2: found ['q', 'b']: expected [query, document, score]"
        assert message(read_run, ["abc"]).startswith("run, row 1: found 'abc'")
        assert message(read_run, [["q", "a", "1"]]).startswith("run, row 1: the score of document a in query q is '1' (str): expected a number, without quotes")
        assert "row 2: query q already has document a (row 1)" in message(read_run, [["q", "a", 1], ["q", "a", 2]])

    @pytest.mark.parametrize("source", [None, 3, 2.5, object, {1, 2}])
    def test_no_source(self, source):
        assert "expected a path, a dict, a list of rows or a data frame" in message(read_run, source)


class TestBrokenFiles:
    def test_missing_file(self, put):
        put("", "qrels.txt")
        assert message(read_qrels, "qrel.txt") == "qrel.txt: there is no such file; did you mean qrels.txt?"
        assert message(read_qrels, "zzzzzzz") == "zzzzzzz: there is no such file"
        assert message(read_qrels, "nowhere/qrels.txt") == "nowhere/qrels.txt: there is no such file, and no folder nowhere"

    def test_missing_file_in_a_folder(self, put, tmp_path):
        (tmp_path / "runs").mkdir()
        put("", "runs/a.run")
        assert "did you mean" in message(read_run, "runs/b.run") and os.path.join("runs", "a.run") in message(read_run, "runs/b.run")

    def test_a_directory(self, put, tmp_path):
        assert message(read_run, tmp_path) == f"{tmp_path}: this is a directory: expected a file"

    def test_what_is_no_path(self):
        assert "io.StringIO" in message(read_run, RUN_LINE)
        assert "the path is empty" in message(read_run, "")
        assert "cannot be read" in message(read_run, "a\0b")

    def test_a_file_that_may_not_be_read(self, put):
        if not hasattr(os, "geteuid") or os.geteuid() == 0:
            pytest.skip("the superuser may read everything")
        os.chmod(put(RUN_LINE, "secret"), 0)
        assert message(read_run, "secret") == "secret: the file cannot be read: Permission denied"

    @pytest.mark.parametrize("data", [b"", b"\n", b" \t\r\n\n", b"\xef\xbb\xbf", gzip.compress(b"", mtime=0)])
    @pytest.mark.parametrize("format", [None, *FORMATS[:-1]])
    def test_empty(self, put, data, format):
        assert message(read_run, put(data), format=format) == "file: the file is empty: expected lines of query Q0 document rank score tag"
        assert message(read_qrels, put(data)) == "file: the file is empty: expected lines of query iteration document relevance"

    def test_comments_only(self, put):
        assert "nothing but comments" in message(read_run, put("# a\n# b\n"))

    @pytest.mark.parametrize(
        ("data", "words"),
        [
            (b"\x00\x01\x02\x03", "binary"),
            (RUN_LINE.encode("utf-16"), "UTF-16"),
            (RUN_LINE.encode("utf-16-le"), "UTF-16"),
            (RUN_LINE.encode("utf-16-be"), "UTF-16"),
            (b"PK\x03\x04rest", "zip archive or a spreadsheet"),
            (b"BZh91AY&SY", "bzip2"),
            (b"\xfd7zXZ\x00", "xz"),
            (b"\x28\xb5\x2f\xfd", "zstd"),
            (b"\x89PNG\r\n\x1a\n\x00\x00", "binary"),
        ],
    )
    def test_not_text(self, put, data, words):
        for format in (None, "trec", "csv", "json"):
            text = message(read_run, put(data), format=format)
            assert text.startswith("file: ") and words in text and "expected plain text in UTF-8, or gzip" in text

    def test_broken_gzip(self, put):
        packed = gzip.compress(RUN_LINE.encode())
        for data in (packed[:-6], packed[:12], packed[:-8] + b"12345678", packed + b"x", b"\x1f\x8b"):
            assert "gzip data is damaged or cut short" in message(read_run, put(data))

    def test_old_line_ends(self, put):
        assert "carriage return alone" in message(read_run, put("q Q0 a 1 2 t\rq Q0 b 2 1 t\r"))

    def test_unknown_format(self, put):
        assert message(read_run, put(RUN_LINE), format="trek") == "format is 'trek': expected one of trec, beir, msmarco, csv, json, jsonl, parquet; did you mean trec?"
        assert "did you mean" not in message(read_run, put(RUN_LINE), format="xxxxxx")
        assert "format is 3" in message(read_run, put(RUN_LINE), format=3)


class TestBrokenLines:
    @pytest.mark.parametrize(
        ("line", "count", "hint"),
        [
            ("q1 Q0 a b 1 2.5 t", 7, "an id that holds a blank counts as two fields"),
            ("q1 Q0 a b c 1 2.5 t", 8, "an id that holds a blank"),
            ("q1 Q0 a 1 2.5", 5, "a field is missing"),
            ("q1 0 a 1", 4, "this looks like judgements (qrels), not a run"),
            ("q1 a 1.5", 3, 'format="beir"'),
            ("q1 a", 2, "a field is missing"),
            ("q1,a,1,2.5,t", 1, "separated by blanks or tabs"),
        ],
    )
    def test_fields_of_a_run(self, put, line, count, hint):
        for number, text in ((2, f"{RUN_LINE}{line}\n"), (1, f"{line}\n{RUN_LINE}")):
            found = message(read_run, put(text), format="trec")
            assert found.startswith(f"file, line {number}: expected 6 fields (query Q0 document rank score tag), found {count}: {line}; ")
            assert hint in found

    @pytest.mark.parametrize(
        ("line", "count", "hint"),
        [
            ("q1 Q0 a 1 2.5 t", 6, "this looks like a run, not judgements (qrels)"),
            ("q1 0 a b 1", 5, "an id that holds a blank"),
            ("q1 a 1", 3, 'format="beir" (query document grade)'),
        ],
    )
    def test_fields_of_qrels(self, put, line, count, hint):
        found = message(read_qrels, put(f"{line}\n"), format="trec")
        assert found.startswith(f"file, line 1: expected 4 fields (query iteration document relevance), found {count}: {line}; ") and hint in found

    def test_the_other_kind_without_a_format(self, put):
        assert "looks like a run" in message(read_qrels, put(RUN_LINE))
        assert "looks like judgements" in message(read_run, put("q1 0 a 1\n"))

    def test_the_source_and_line_are_attributes(self, put):
        with pytest.raises(DataError) as info:
            read_run(put(RUN_LINE + "x\n"))
        assert (info.value.source, info.value.line) == ("file", 2)

    @pytest.mark.parametrize("text", ["abc", "1_000", "0x10", "1,5", "--1", "1e", "１", "1d5", "nan()"])
    def test_scores(self, put, text):
        found = message(read_run, put(f"{RUN_LINE}q1 Q0 b 2 {text} t\n"))
        assert found.startswith(f"file, line 2: the score of document b in query q1 is '{text}': ")
        assert found.endswith("write 1.5 with a point" if text == "1,5" else "expected a number")

    def test_grades(self, put):
        assert message(read_qrels, put("q 0 a high\n")) == "file, line 1: the grade of document a in query q is 'high': expected a number"
        assert "not a number (nan)" in message(read_qrels, put("q 0 a nan\n"))
        assert "infinite (inf)" in message(read_qrels, put("q 0 a inf\n"))

    def test_ranks(self, put):
        assert message(read_run, put("q Q0 a first 1 t\n")) == "file, line 1: the rank of document a in query q is 'first': expected a number"
        assert "the rank of document a in query q is not a number (nan)" in message(read_run, put("q Q0 a nan 1 t\n"))

    @pytest.mark.parametrize("nan", ["nan", "NaN", "-nan", "NAN"])
    def test_nan(self, put, nan):
        assert message(read_run, put(f"q1 Q0 b 1 0.5 t\nq1 Q0 a 2 {nan} t\n")) == "file, line 2: the score of document a in query q1 is not a number (nan)"

    def test_repeats(self, put):
        run = put("301 Q0 D7 1 12.893000 s\n301 Q0 D7 2 12.892999 s\n")
        assert message(read_run, run).startswith("file, line 2: query 301 already has document D7 (line 1)")
        assert read_run(run, duplicates="first") == {"301": {"D7": 12.893}}
        qrels = put("q1 0 a 1\nq1 0 b 0\nq1 0 a 2\n")
        assert message(read_qrels, qrels).startswith("file, line 3: document a of query q1 was judged 1 in line 1 and 2 here")
        assert read_qrels(qrels, duplicates="first").notes[0].startswith("file: 1 repeated row dropped")


class TestBeirAndMsMarco:
    @pytest.mark.parametrize("head", ["query-id\tcorpus-id\tscore", "Query_ID\tdoc_id\tRelevance", "qid\tdocno\tlabel", "query-id corpus-id score"])
    def test_judgements_with_names(self, put, head):
        assert read_qrels(put(f"{head}\r\nPL-1\tM-10\t2\r\nPL-1\tM-11\t1\r\n")) == {"PL-1": {"M-10": 2.0, "M-11": 1.0}}

    def test_columns_in_another_order_and_more_of_them(self, put):
        run = read_run(put("score\ttitle\tcorpus-id\tquery-id\trank\n1.5\tA tale\td 1\tq\t1\n"))
        assert run == {"q": {"d 1": 1.5}} and run.ranks.tolist() == [1]
        assert run.notes == ("file: columns not used: title",)

    def test_without_names_the_format_must_be_said(self, put):
        three = put("q\ta b\t2\nq\tc\t5\n")
        assert message(read_qrels, three) == 'file: three columns without names: say what they are with format="beir" (query, document, grade) or format="trec" (separated by blanks)'
        assert message(read_run, three).endswith('format="beir" (query, document, score), format="msmarco" (query, document, rank) or format="trec" (separated by blanks)')
        assert read_qrels(three, format="beir") == read_run(three, format="beir") == {"q": {"a b": 2.0, "c": 5.0}}

    def test_names_only(self, put):
        assert "nothing but comments or names" in message(read_run, put("query-id\tcorpus-id\tscore\n"))

    def test_a_field_too_many(self, put):
        assert message(read_run, put("query-id\tcorpus-id\tscore\nq\ta\t1\tx\n")).startswith("file, line 2: expected 3 fields (query_id corpus_id score), found 4")

    def test_an_empty_id(self, put):
        assert message(read_run, put("query-id\tcorpus-id\tscore\nq\t\t1\n")) == "file, line 2: the document id is empty"

    def test_ms_marco_runs_are_known_by_their_ranks(self, put):
        run = read_run(put("q\ta\t1\nq\tb\t2\nr\tc\t1\n"))
        assert run == {"q": {"a": -1.0, "b": -2.0}, "r": {"c": -1.0}} and run.ranks.tolist() == [1, 2, 1]
        assert run.notes == ("file: read as MS MARCO (query document rank); the score is minus the rank",)

    @pytest.mark.parametrize("text", ["q a 1\n", "q a 1\nr b 1\n", "q a 1\nq b 3\n", "q a 0\nq b 1\n", "q a 2\nq b 1\n", "q a 1\nq b 1\n", "q a 2.5\nq b x\n"])
    def test_what_is_not_plainly_a_rank(self, put, text):
        assert "three columns without names" in message(read_run, put(text))

    def test_ms_marco_on_request(self, put):
        assert read_run(put("q a 1\n"), format="msmarco") == {"q": {"a": -1.0}}
        assert read_qrels(put("q\t0\ta\t1\n"), format="msmarco") == read_qrels(put("q\t0\ta\t1\n")) == {"q": {"a": 1.0}}
        assert "the rank of document a in query q is 'x'" in message(read_run, put("q a x\n"), format="msmarco")


class TestCsv:
    def test_quotes(self, put):
        text = 'query_id,doc_id,score\r\nq,"a,b",1\r\n"q","say ""x""",2\r\n\r\nq,"two\r\nlines",3\r\nq,end,4\r\n'
        assert read_run(put(text)) == {"q": {"a,b": 1.0, 'say "x"': 2.0, "two\r\nlines": 3.0, "end": 4.0}}
        assert message(read_run, put(text + "q,end,5\r\n")).startswith("file, line 8: query q already has document end (line 7)")

    @pytest.mark.parametrize("separator", [",", ";", "\t"])
    def test_separators(self, put, separator):
        assert read_qrels(put(f"qid{separator}docid{separator}rel\nq{separator}a{separator}1\n"), format="csv") == {"q": {"a": 1.0}}

    def test_names_in_quotes_and_with_blanks(self, put):
        assert read_run(put('"Query ID", "Doc-ID" ,Score\nq,a, 1\n')) == {"q": {"a": 1.0}}

    def test_ids_stay_text(self, put):
        assert read_run(put("query_id,doc_id,score\n007,1.0,1\n007,NA,2\n007, a,3\n")) == {"007": {"1.0": 1.0, "NA": 2.0, " a": 3.0}}

    def test_the_usual_extra_columns_go_without_a_note(self, put):
        run = read_run(put("query_id,Q0,doc_id,rank,score,tag\nq,Q0,a,1,2,t\n"))
        assert run == {"q": {"a": 2.0}} and run.notes == () and run.ranks.tolist() == [1]

    def test_grade_and_score_in_one_table(self, put):
        name = put("query_id,doc_id,relevance,score\nq,a,1,0.5\n")
        assert read_qrels(name) == {"q": {"a": 1.0}} and read_run(name) == {"q": {"a": 0.5}}
        assert read_run(name).notes == ("file: columns not used: relevance",)

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("q,a,1\n", "line 1: the first line does not name the columns: expected query_id,doc_id,score"),
            ("query_id,doc_id,score\n", "names of the columns and nothing else"),
            ("query_id,doc_id,score\nq,a,b,1\n", "line 2: expected 3 fields (query_id, doc_id, score), found 4: q, a, b, 1; an id that holds the separator is put in quotes"),
            ('query_id,doc_id,score\nq,a,1\nq,"b,1\n', "line 3: this is not CSV: unexpected end of data"),
            ("query_id,doc_id,score\nq,a,\n", "line 2: the score of document a in query q is '': expected a number"),
            ("query_id,doc_id,score\nq,a,1_0\n", "line 2: the score of document a in query q is '1_0'"),
            ("query_id,doc_id,score\n,a,1\n", "line 2: the query id is empty"),
            ("query_id,doc_id,relevance\nq,a,1\n", "no column is called score (the columns are query_id, doc_id, relevance)"),
            ("query_id,doc_id,relevance\nq,a,1\n", "this looks like qrels, not run"),
            ("query_id,doc_id,score,rank\nq,a,1,x\n", "line 2: the rank of document a in query q is 'x'"),
        ],
    )
    def test_broken(self, put, text, words):
        assert words in message(read_run, put(text, "file.csv"))

    def test_a_run_where_judgements_are_expected(self, put):
        assert message(read_qrels, put("query_id,doc_id,score,rank\nq,a,1,1\n")).endswith("this looks like a run, not judgements (qrels)")


class TestJson:
    @pytest.mark.parametrize(
        "text",
        [
            '{"q": {"a": 1, "7": 0.5}}',
            '\ufeff {\n"q":\n {"a": 1.0, "7": 5e-1}\n}\n',
            '[{"query_id": "q", "doc_id": "a", "score": 1}, {"query_id": "q", "doc_id": 7, "score": 0.5}]',
            '[["q", "a", 1], ["q", 7, 0.5]]',
            '{"query_id": "q", "doc_id": "a", "score": 1}\n\n{"score": 0.5, "qid": "q", "query_id": "q", "doc_id": 7}\n',
        ],
    )
    def test_shapes(self, put, text):
        assert read_run(put(text)) == {"q": {"a": 1.0, "7": 0.5}}

    def test_one_line_of_jsonl_needs_its_name(self, put):
        line = '{"query_id": "q", "doc_id": "a", "score": 1}\n'
        assert read_run(put(line, "x.jsonl")) == read_run(put(line, "x.ndjson.gz")) == read_run(put(line, "x"), format="jsonl") == {"q": {"a": 1.0}}

    def test_ranks(self, put):
        assert read_run(put('[{"query_id": "q", "doc_id": "a", "score": 1, "rank": 3}]')).ranks.tolist() == [3]
        assert read_run(put('[{"query_id": "q", "doc_id": "a", "score": 1, "rank": 3}, {"query_id": "q", "doc_id": "b", "score": 1}]')).ranks is None

    def test_empty_result_lists_are_kept(self, put):
        assert read_run(put('{"q": {}, "r": {"a": 1}}')).to_dict() == {"q": {}, "r": {"a": 1.0}}

    def test_escapes(self, put):
        assert read_run(put(r'{"\u00fc": {"a\"b": 1, "\ud83d\ude00": 2, "\udcff": 3}}')) == {"ü": {'a"b': 1.0, "😀": 2.0, "\udcff": 3.0}}

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ('{"q": {"a": 1, "a": 2}}', "file: query q already has document a"),
            ('{"q": {"a": 1}, "q": {"a": 2}}', "file: query q already has document a"),
            ('{"q": {"a": "3"}}', "the score of document a in query q is '3' (str): expected a number, without quotes"),
            ('{"q": {"a": null}}', "is None (NoneType): expected a number"),
            ('{"q": {"a": NaN}}', "not a number (nan)"),
            ('{"q": {"": 1}}', "the document id is empty"),
            ('{"q": ["a"]}', "query q has ['a']: expected {document: score}"),
            ('{"q": {"a": 1}\n', "line 2: this is not JSON: Expecting ',' delimiter"),
            ('[["q", "a"]]', "row 1: found ['q', 'a']: expected [query, document, score]"),
            ("[1]", "row 1: found 1"),
            ("3", "found 3: expected {query: {document: score}} or a list of records"),
            ("{}", "the file holds no scores"),
            ("[]", "the file holds no scores"),
            ('[{"query_id": "q", "doc_id": null, "score": 1}]', "row 1: the document id is None"),
            ('[{"query_id": "q", "score": 1}]', "no column is called doc_id"),
            ('[{"query_id": "q", "doc_id": "a", "score": 1}, {"query_id": "q", "score": 1}]', "row 2: the record has no doc_id"),
            ("[" * 200_000, "nested too deeply"),
        ],
    )
    def test_broken(self, put, text, words):
        assert words in message(read_run, put(text), format="json")

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ('{"query_id": "q", "doc_id": "a", "score": 1}\n{"query_id": "q", "doc_id": "b"}\n', "line 2: the record has no score"),
            ('{"query_id": "q", "doc_id": "a", "score": 1}\n\n[1]\n', "line 3: found [1]: expected a record"),
            ('{"query_id": "q", "doc_id": "a", "score": 1}\n{"query_id"\n', "line 2: this is not JSON"),
            ('{"query_id": "q", "doc_id": "a", "score": 1}\n{"query_id": "q", "doc_id": "a", "score": 2}\n', "line 2: query q already has document a (line 1)"),
        ],
    )
    def test_broken_lines(self, put, text, words):
        assert words in message(read_run, put(text), format="jsonl")


def frame(kind: str, columns: dict):
    """A data frame of one of the three libraries."""
    needs.module(kind)
    library = sys.modules[kind]
    return library.table(columns) if kind == "pyarrow" else library.DataFrame(columns)


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
class TestFrames:
    def test_read(self, kind):
        data = frame(kind, {"query_id": ["q", "q", "r"], "doc_id": [7, 8, 7], "score": [1.5, 2.5, 3.5], "rank": [2, 1, 1], "note": ["", "", ""]})
        run = read_run(data)
        assert run == {"q": {"7": 1.5, "8": 2.5}, "r": {"7": 3.5}}
        assert run.ranks.tolist() == [2, 1, 1] and run.notes == ("run: columns not used: note",) and run.source == "run"

    def test_judgements(self, kind):
        data = frame(kind, {"qid": ["q"], "docno": ["a"], "label": [2]})
        assert read_qrels(data) == {"q": {"a": 2.0}}
        assert "no column is called score" in message(read_run, data)

    def test_missing_values(self, kind):
        text = message(read_run, frame(kind, {"query_id": ["q", "q"], "doc_id": ["a", "b"], "score": [1.0, None]}))
        assert text.startswith("run, row 2: the score of document b in query q is ")
        assert message(read_run, frame(kind, {"query_id": ["q", "q"], "doc_id": ["a", None], "score": [1.0, 2.0]})).startswith("run, row 2: the document id is ")

    def test_text_is_no_number(self, kind):
        assert "'1' (str)" in message(read_run, frame(kind, {"query_id": ["q"], "doc_id": ["a"], "score": ["1"]}))

    def test_to_frame_and_back(self, kind):
        needs.module(kind)
        run = Run.from_dict({"q": {"b": 0.1, "a": 1e-300}, "r": {"é": float("inf")}})
        back = to_frame(run, kind)
        assert list(getattr(back, "column_names", back.columns)) == ["query_id", "doc_id", "score"]
        assert list(read_run(back).items()) == list(run.items())
        qrels = to_frame(Qrels.from_dict({"q": {"a": 2}}), kind)
        assert list(getattr(qrels, "column_names", qrels.columns))[2] == "relevance"
        assert read_qrels(qrels) == {"q": {"a": 2.0}}

    def test_an_empty_frame(self, kind):
        needs.module(kind)
        assert read_run(to_frame(Run.from_dict({}), kind)) == {}


def test_lazy_polars_frames():
    assert read_run(frame("polars", {"query_id": ["q"], "doc_id": ["a"], "score": [1]}).lazy()) == {"q": {"a": 1.0}}


def test_pandas_with_categories():
    data = frame("pandas", {"query_id": ["q", "q"], "doc_id": ["a", "b"], "score": [1, 2]})
    assert read_run(data.astype({"doc_id": "category", "score": "Int64"})) == {"q": {"a": 1.0, "b": 2.0}}


def test_to_frame_refuses():
    assert message(to_frame, Run.from_dict({}), "excel") == "kind is 'excel': expected one of pandas, polars, pyarrow"
    needs.module("pyarrow")
    assert "not UTF-8" in message(to_frame, Run.from_dict({"q": {"\udcff": 1}}), "pyarrow")


def test_no_library_for_parquet(put, monkeypatch):
    for name in ("pyarrow", "pyarrow.parquet", "polars"):
        monkeypatch.setitem(sys.modules, name, None)
    assert message(read_run, put(b"PAR1", "a.parquet")) == "a.parquet: Parquet needs pyarrow, which is not installed: pip install pyarrow"
    assert message(write_run, {"q": {"a": 1}}, "b.parquet") == "Parquet needs pyarrow, which is not installed: pip install pyarrow"
    assert message(to_frame, Run.from_dict({}), "polars").endswith("pip install polars")
    assert not os.path.exists("b.parquet")


@pytest.mark.parametrize("without", ["pyarrow.parquet", "polars"])
def test_parquet_with_either_library(put, monkeypatch, without):
    needs.module("pyarrow", "polars")
    monkeypatch.setitem(sys.modules, without, None)
    write_run({"q": {"é": 0.1}}, "a.parquet")
    assert read_run("a.parquet") == {"q": {"é": 0.1}}
    assert "this is not Parquet: " in message(read_run, put(b"PAR1 and no more"))


class TestWriting:
    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("x", "q 0 a 2\nq 0 b 0.5\n"),
            ("x.qrels", "q 0 a 2\nq 0 b 0.5\n"),
            ("x.tsv", "query-id\tcorpus-id\tscore\nq\ta\t2\nq\tb\t0.5\n"),
            ("x.csv", "query_id,doc_id,relevance\nq,a,2\nq,b,0.5\n"),
            ("x.json", '{\n"q": {"a": 2, "b": 0.5}\n}\n'),
            ("x.jsonl", '{"query_id": "q", "doc_id": "a", "relevance": 2}\n{"query_id": "q", "doc_id": "b", "relevance": 0.5}\n'),
        ],
    )
    def test_judgements(self, put, name, text):
        write_qrels({"q": {"a": 2, "b": 0.5}}, name)
        with open(name, newline="", encoding="utf-8") as file:
            assert file.read() == text
        assert read_qrels(name) == {"q": {"a": 2.0, "b": 0.5}}

    @pytest.mark.parametrize(
        ("format", "text"),
        [
            ("trec", "q Q0 b 2 0.5 me\nq Q0 a 1 2 me\n"),
            ("beir", "query-id\tcorpus-id\tscore\nq\tb\t0.5\nq\ta\t2\n"),
            ("msmarco", "q\tb\t2\nq\ta\t1\n"),
            ("csv", "query_id,doc_id,score\nq,b,0.5\nq,a,2\n"),
        ],
    )
    def test_runs(self, put, format, text):
        write_run({"q": {"b": 0.5, "a": 2}}, "x", format=format, tag="me")
        with open("x", newline="", encoding="utf-8") as file:
            assert file.read() == text

    def test_ms_marco_judgements(self, put):
        write_qrels({"q": {"a": 1}}, "x", format="msmarco")
        with open("x", "rb") as file:
            assert file.read() == b"q\t0\ta\t1\n"

    def test_the_rank_column_is_kept(self, put):
        write_run(read_run(put("q Q0 b 0 0.5 t\nq Q0 a 0 2 t\n")), "x")
        assert read_run("x").ranks.tolist() == [0, 0]

    def test_equal_scores_take_the_ranks_of_their_rows(self, put):
        write_run({"q": {"c": 1, "a": 1, "b": 2}}, "x")
        assert read_run("x").ranks.tolist() == [2, 3, 1]

    def test_gzip_is_the_same_every_time(self, put):
        write_run({"q": {"a": 1}}, "x.run.gz")
        with open("x.run.gz", "rb") as file:
            first = file.read()
        assert first[:2] == b"\x1f\x8b" and first[4:8] == bytes(4) and gzip.decompress(first) == b"q Q0 a 1 1 rankmetrics\n"
        write_run({"q": {"a": 1}}, "x.csv.gz")
        assert read_run("x.csv.gz") == {"q": {"a": 1.0}}

    @pytest.mark.parametrize("format", ["trec", "msmarco"])
    @pytest.mark.parametrize("bad", ["a b", "a\tb", "a\nb", "a\rb", "a\0b"])
    def test_an_id_that_would_break_a_line(self, put, format, bad):
        assert "holds a character that the format" in message(write_run, {"q": {bad: 1}}, "x", format=format)
        assert "the query id" in message(write_qrels, {bad: {"a": 1}}, "x", format=format)
        assert not os.path.exists("x")

    @pytest.mark.parametrize("bad", ["#q", "\ufeffq"])
    @pytest.mark.parametrize("format", ["trec", "msmarco", "beir"])
    def test_a_query_id_that_would_not_be_read_back(self, put, format, bad):
        assert "would not read it back" in message(write_run, {bad: {"a": 1}}, "x", format=format)
        write_run({bad: {"#a": 1}}, "x.csv")
        assert read_run("x.csv") == {bad: {"#a": 1.0}}

    def test_half_a_character(self, put):
        assert "which is no character" in message(write_run, {"q": {"\ud800": 1}}, "x")
        write_run({"q": {"\ud800": 1}}, "x.json")
        assert read_run("x.json") == {"q": {"\ud800": 1.0}}

    def test_bytes_that_are_not_utf8(self, put):
        run = {"q": {"a\udcff": 1.0}}
        for format in ("trec", "beir", "csv", "json", "jsonl"):
            write_run(run, "x", format=format)
            assert read_run("x", format=format) == run

    def test_json_is_json_for_other_readers(self, put):
        write_run({"q": {"a": 1, "é": -0.0, "b": 1e300, "\udcff": 1e15, "c": -3, "d": 0}}, "x.json")
        with open("x.json", encoding="utf-8") as file:
            data = json.load(file)
        assert data == {"q": {"a": 1, "é": 0, "b": 1e300, "\udcff": 1e15, "c": -3, "d": 0}}

    def test_queries_without_rows_are_kept_in_json(self, put):
        write_run({"q": {}, "r": {"a": 1}}, "x.json")
        assert read_run("x.json").to_dict() == {"q": {}, "r": {"a": 1.0}}

    @pytest.mark.parametrize("tag", ["", "my run", "a\n"])
    def test_bad_tags(self, put, tag):
        assert "the tag is" in message(write_run, {"q": {"a": 1}}, "x", tag=tag)

    def test_bad_places_and_formats(self, put, tmp_path):
        assert message(write_run, {"q": {"a": 1}}, "nowhere/x") == "nowhere/x: the file cannot be written: No such file or directory"
        assert "the file cannot be written" in message(write_run, {"q": {"a": 1}}, tmp_path)
        assert "did you mean csv?" in message(write_run, {"q": {"a": 1}}, "x", format="cvs")
        assert "expected a number" in message(write_run, {"q": {"a": "1"}}, "x")


def _text(alphabet):
    return st.text(alphabet, min_size=1, max_size=8)


_ids = {
    "trec": _text(st.characters(exclude_categories=["Cs"], exclude_characters="\0 \t\n\r")),
    "beir": _text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\t\n\r")),
    "csv": _text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    "json": _text(st.characters(exclude_categories=["Cs"])),
}
_ids |= {"msmarco": _ids["trec"], "jsonl": _ids["json"], "parquet": _ids["json"]}
_raw = st.binary(min_size=1, max_size=6).filter(lambda raw: not set(raw) & set(b"\0 \t\n\r")).map(lambda raw: raw.decode("utf-8", "surrogateescape"))


def _tables(ids, numbers):
    queries = ids.filter(lambda one: one[0] not in "#\ufeff\x1f(" and one[0] < "\udc80")
    return st.dictionaries(queries, st.dictionaries(ids, numbers, min_size=1, max_size=5), min_size=1, max_size=4)


class TestRoundTrips:
    @pytest.mark.parametrize("format", [format for format in FORMATS if format != "msmarco"])
    @settings(max_examples=60, deadline=None)
    @given(data=st.data())
    def test_runs_come_back_exactly(self, tmp_path_factory, format, data):
        if format == "parquet":
            needs.module("pyarrow")
        run = data.draw(_tables(_ids[format], st.floats(allow_nan=False)))
        path = tmp_path_factory.getbasetemp() / f"run-{format}"
        write_run(run, path, format=format)
        back = read_run(path, format=format)
        assert {query: list(docs) for query, docs in back.items()} == {query: list(docs) for query, docs in run.items()}
        numbers = [number for docs in run.values() for number in docs.values()]
        assert [number.hex() for number in back.scores.tolist()] == [number.hex() for number in numbers]

    @pytest.mark.parametrize("format", FORMATS)
    @settings(max_examples=40, deadline=None)
    @given(data=st.data())
    def test_judgements_come_back_exactly(self, tmp_path_factory, format, data):
        if format == "parquet":
            needs.module("pyarrow")
        qrels = data.draw(_tables(_ids[format], st.floats(allow_nan=False, allow_infinity=False) | st.integers(-2, 5)))
        path = tmp_path_factory.getbasetemp() / f"qrels-{format}.gz"
        write_qrels(qrels, path, format=format)
        assert list(read_qrels(path, format=format).items()) == [(query, docs) for query, docs in qrels.items()]

    @pytest.mark.parametrize("format", ["trec", "beir", "csv", "json", "jsonl"])
    @settings(max_examples=40, deadline=None)
    @given(data=st.data())
    def test_bytes_come_back_exactly(self, tmp_path_factory, format, data):
        run = data.draw(_tables(_raw, st.integers(0, 3)))
        path = tmp_path_factory.getbasetemp() / f"raw-{format}"
        write_run(run, path, format=format)
        assert read_run(path, format=format) == run

    @pytest.mark.parametrize("format", ["trec", "beir", "csv", "json", "parquet"])
    @settings(max_examples=40, deadline=None)
    @given(data=st.data())
    def test_the_format_is_found_again(self, tmp_path_factory, format, data):
        if format == "parquet":
            needs.module("pyarrow")
        run = data.draw(_tables(_ids[format], st.integers(0, 3)))
        path = tmp_path_factory.getbasetemp() / f"guess-{format}"
        write_run(run, path, format=format)
        assert read_run(path) == run

    @settings(max_examples=40, deadline=None)
    @given(run=_tables(_ids["msmarco"], st.integers(0, 3)))
    def test_ms_marco_keeps_the_order(self, tmp_path_factory, run):
        path = tmp_path_factory.getbasetemp() / "msmarco"
        write_run(run, path, format="msmarco")
        back = read_run(path, format="msmarco")
        for query, docs in run.items():
            assert sorted(back[query], key=back[query].get, reverse=True) == sorted(docs, key=lambda doc: -docs[doc])

    @settings(max_examples=150, deadline=None)
    @given(data=st.binary(max_size=80) | st.text("q10a .,;\t\n\r#{}[]\":-e_\ufeff", max_size=60).map(str.encode), kind=st.sampled_from([read_qrels, read_run]), format=st.sampled_from([None, *FORMATS[:-1]]))
    def test_any_bytes_are_read_or_refused(self, data, kind, format):
        try:
            assert isinstance(kind(io.BytesIO(data), format=format), (Qrels, Run))
        except DataError as error:
            assert "\n" not in str(error)

    @settings(max_examples=100, deadline=None)
    @given(lines=st.lists(st.sampled_from(["q Q0 {} 1 2 t", "q  Q0\t{} 1 2 t ", "# {}", "#q Q0 {} 1 2 t", "", " ", "r Q0 {} 1 2 t", "q Q0 {} 1 2", "q Q0 {} x 1 2 t"]), min_size=1, max_size=12), end=st.sampled_from(["\n", "\r\n"]))
    def test_the_fast_and_the_careful_way_agree(self, lines, end):
        """A block is split at once where it can be; the reference below goes line by line."""
        lines = [line.format(f"d{i}") for i, line in enumerate(lines)]
        rows = [(number, line.split()) for number, line in enumerate(lines, 1) if line.strip() and not line.startswith("#")]
        wrong = [number for number, fields in rows if len(fields) != 6]
        source = io.StringIO(end.join(lines) + end, newline="")
        try:
            run = read_run(source, format="trec")
        except DataError as error:
            assert (error.line == wrong[0]) if wrong else not rows
        else:
            assert not wrong
            assert sorted(run.doc_ids) == sorted(fields[2] for _, fields in rows)


class TestRankContradictions:
    @pytest.mark.parametrize(
        ("rows", "wrong"),
        [
            ([(1, 0.9), (2, 0.1)], False),
            ([(2, 0.1), (1, 0.9)], False),
            ([(1, 0.1), (2, 0.9)], True),
            ([(2, 0.9), (1, 0.1)], True),
            ([(0, 0.1), (0, 0.9)], False),
            ([(1, 0.5), (2, 0.5)], False),
            ([(1, 0.5), (1, 0.9), (2, 0.5)], False),
            ([(1, 0.5), (1, 0.9), (2, 0.7)], True),
            ([(1, 0.9), (2, 0.8), (3, 0.85)], True),
            ([(1, float("-inf")), (2, 0.5)], True),
            ([], False),
        ],
    )
    def test_by_hand(self, rows, wrong):
        docs = [f"d{i}" for i in range(len(rows))]
        run = Run.from_columns(["8"] + ["7"] * len(rows), ["x", *docs], [1.0, *(score for _, score in rows)], ranks=[1, *(rank for rank, _ in rows)])
        assert rank_contradictions(run) == (["7"] if wrong else [])

    def test_without_ranks(self):
        assert rank_contradictions(Run.from_dict({"q": {"a": 1}})) == [] and rank_note(Run.from_dict({})) is None

    @given(rows=st.lists(st.tuples(st.sampled_from("qrs"), st.integers(0, 3), st.integers(0, 3)), max_size=14))
    def test_against_all_pairs(self, rows):
        run = Run.from_columns([row[0] for row in rows], range(len(rows)), [row[2] for row in rows], ranks=[row[1] for row in rows])
        wrong = {one[0] for one in rows for other in rows if one[0] == other[0] and one[1] < other[1] and one[2] < other[2]}
        assert set(rank_contradictions(run)) == wrong

    def test_the_note_names_the_query(self):
        run = Run.from_columns("7788", "abab", [0.1, 0.9, 0.2, 0.8], ranks=[1, 2, 0, 0])
        assert rank_note(run) == "in query 7 the rank column and the scores give different orders; the scores are used"
        run = Run.from_columns("7788", "abab", [0.1, 0.9, 0.2, 0.8], ranks=[1, 2, 1, 2])
        assert rank_note(run).startswith("in query 7 (and in 1 other query) ")


class TestUnmatched:
    def test_truncated_ids(self):
        hint = unmatched_hint(Qrels.from_dict({"1": {"zz": 0, "c67482ba-2019-04-18T13:32:05Z-00000-000": 2}}), Run.from_dict({"1": {"x": 9.5, "c67482ba-2019-04-18T": 9.1}}))
        assert hint == (
            "none of the retrieved documents is judged: check that the document ids of run and qrels match "
            "(e.g. c67482ba-2019-04-18T in the run, c67482ba-2019-04-18T13:32:05Z-00000-000 in the qrels)"
        )

    @pytest.mark.parametrize(("ours", "theirs"), [("DOC-1", "doc-1"), ("7", "007"), ("a/b/file.txt", "file.txt"), ("D17.0", "D17")])
    def test_the_pair_looks_alike(self, ours, theirs):
        hint = unmatched_hint(Qrels.from_dict({"1": {"x": 0, theirs: 2, "y": 1}}), Run.from_dict({"1": {"u": 2, ours: 1}}))
        assert f"{ours} in the run, {theirs} in the qrels" in hint

    def test_a_pair_that_looks_the_same_is_escaped(self):
        hint = unmatched_hint(Qrels.from_dict({"1": {"café": 1}}), Run.from_dict({"1": {"cafe\u0301": 1}}))
        assert r"'cafe\u0301' in the run, 'caf\xe9' in the qrels" in hint

    def test_among_many(self):
        qrels = Qrels.from_dict({"1": {f"doc{i:05}-long": 1 for i in range(5000)}})
        assert "doc04321 in the run, doc04321-long in the qrels" in unmatched_hint(qrels, Run.from_dict({"1": {"doc04321": 1}}))

    def test_no_query_in_common(self):
        hint = unmatched_hint(Qrels.from_dict({"007": {"a": 1}}), Run.from_dict({"7": {"a": 1}}))
        assert hint == "run and qrels have no query in common: check that the query ids match (e.g. 7 in the run, 007 in the qrels)"

    def test_something_matches(self):
        assert unmatched_hint(Qrels.from_dict({"1": {"a": 0}, "2": {"b": 1}}), Run.from_dict({"1": {"x": 1}, "2": {"b": 1}})) is None

    def test_nothing_to_compare(self):
        empty = Run.from_dict({"1": {}})
        assert unmatched_hint(Qrels.from_dict({"1": {"a": 0}}), empty) is None
        assert unmatched_hint(Qrels.from_dict({}), empty) is None
        assert unmatched_hint(Qrels.from_dict({"1": {}}), Run.from_dict({"1": {"a": 1}})) is None


class TestCheck:
    def items(self, qrels, run) -> dict[str, list]:
        found: dict[str, list] = {}
        for item in check(qrels, run).items:
            found.setdefault(item.name, []).append(item)
        return found

    def test_a_pair_without_fault(self):
        result = check({"q": {"a": 1, "b": 0}}, {"q": {"a": 2, "b": 1, "c": 0}})
        assert isinstance(result, Check) and result.ok
        assert result.text == repr(result) == (
            "ok       1 query is in both qrels and run\n"
            "ok       2 of 3 retrieved documents are judged (66.7%)\n"
            "ok       no two documents of a query have the same score"
        )

    def test_queries(self):
        items = self.items({"1": {"a": 1}, "2": {"a": 1}, "3": {"a": 1}, "5": {"a": 1}}, {"1": {"a": 1}, "4": {"a": 1}, "5": {}})["queries"]
        assert [(item.level, item.text.split(":")[0], item.example) for item in items] == [
            ("ok", "2 queries are in both qrels and run", ""),
            ("note", "2 queries are judged but not in the run, so without results", "2"),
            ("note", "1 query is in the run but not judged", "4"),
            ("note", "1 query has an empty result list", "5"),
        ]

    def test_no_query_in_common(self):
        result = check({"007": {"a": 1}}, {"7": {"a": 1}})
        assert not result.ok and "warning  run and qrels have no query in common" in result.text
        assert "1 pair of query ids differs only in leading zeros" in result.text and "'7' and '007'" in result.text

    def test_nothing_judged(self):
        item = self.items({"1": {"abc-def": 2}}, {"1": {"abc": 1}})["judged"][0]
        assert item.level == "warning" and "none of the retrieved documents is judged" in item.text

    def test_share_judged_counts_common_queries_only(self):
        assert self.items({"1": {"a": 0}}, {"1": {"a": 1, "b": 2}, "2": {"c": 1}})["judged"][0].text == "1 of 2 retrieved documents are judged (50.0%)"

    def test_no_relevant_document(self):
        item = self.items({"1": {"a": 0, "b": 0.5, "c": -1}, "2": {"a": 1}}, {"1": {"a": 1}, "2": {"a": 1}})["relevant"][0]
        assert (item.text, item.example) == ("1 query has no relevant document (no grade of 1 or more)", "1")

    def test_ties(self):
        item = self.items({"1": {"a": 1}}, {"0": {"x": 2}, "1": {"a": 1, "b": 2, "c": 1, "d": 2, "e": 2}, "2": {"x": 1, "y": 1}})["ties"][0]
        assert item.text.startswith("3 groups of equal scores with 7 documents")
        assert item.example == "query 1: a and c, both 1"

    def test_ranks(self, put):
        result = check({"7": {"a": 1}}, put("7 Q0 b 1 0.1 s\n7 Q0 a 2 0.9 s\n"))
        assert "warning  in query 7 the rank column and the scores give different orders" in result.text
        assert "the rank column and the scores agree" in check({"7": {"a": 1}}, put(RUN_LINE)).text

    @pytest.mark.parametrize(
        ("judged", "found", "words"),
        [
            ("Doc7", "doc7", "only in upper and lower case"),
            ("007", "7", "only in leading zeros"),
            ("7", "7.0", "only by .0 at the end"),
            ("D7", "D7\u00a0", "only in blanks or in characters that do not show"),
            ("D7", "\u200bD7", "only in blanks or in characters that do not show"),
            ("D7", " D 7", "only in blanks or in characters that do not show"),
            ("Café", "Cafe\u0301", "only in how an accent is encoded"),
        ],
    )
    def test_ids_that_look_alike(self, judged, found, words):
        items = self.items({"q": {judged: 1, "x": 0}}, {"q": {found: 2, "x": 1}})["ids"]
        assert items[0].level == "warning" and items[0].text.startswith("1 pair of document ids differs ") and words in items[0].text
        assert items[0].example == f"{ascii(found)} and {ascii(judged)}"
        assert words in self.items({judged: {"a": 1}, found: {"a": 1}}, {judged: {"a": 1}})["ids"][0].text

    @pytest.mark.parametrize("one", ["v1.05", "a0", "10", "0", "x.0"])
    def test_ids_that_do_not_look_like_another(self, one):
        assert "ids" not in self.items({"q": {one: 1, "v1.5": 1, "a": 1, "1": 1, "x": 1}}, {"q": {one: 1}})

    def test_hidden_characters(self):
        item = self.items({"q": {"a": 1}}, {"q": {"a": 1, "x\u00a0y": 2, "x z": 3}})["ids"][0]
        assert (item.level, item.text, item.example) == ("note", "2 document ids hold a blank or a character that does not show", r"'x\xa0y'")

    def test_a_header_taken_for_data(self):
        items = self.items({"query-id": {"corpus-id": 1}, "q": {"a": 1}}, {"q": {"a": 1}})["ids"]
        assert [item.example for item in items] == ["query-id", "corpus-id"] and all("header" in item.text for item in items)

    def test_what_reading_decided_is_told(self, put):
        assert "note     file: 1 comment line" in check(put("# c\nq1 0 a 1\n"), {"q1": {"a": 1}}).text

    def test_html_is_escaped(self):
        page = check({"<script>": {"a&b": 1}}, {"<script>": {"a&b": 1, "<i>": 1}})._repr_html_()
        assert "<script>" not in page and "<i>" not in page and "query &lt;script&gt;: a&amp;b and &lt;i&gt;" in page

    def test_empty_tables(self):
        assert check({}, {}).items[0].text == "0 queries are in both qrels and run"
