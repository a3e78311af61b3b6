"""The command line: what is printed, in which form, and how it ends."""

import csv
import gzip
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from rankmetrics_nb import MEASURES, __version__, evaluate, parse
from rankmetrics_nb.cli import app
from rankmetrics_nb.hits import CHOICES

DATA = Path(__file__).parent / "cases" / "data"
TREC = DATA / "trec_eval" / "qrels.test", DATA / "trec_eval" / "results.test"


@pytest.fixture
def files(tmp_path):
    """A judgements file and two runs: in a.run the document is first, in b.run it is second, and q2 has no results."""
    (tmp_path / "qrels").write_text("q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 2\n")
    (tmp_path / "a.run").write_text("q1 Q0 d1 1 2.5 a\nq1 Q0 d2 2 1.5 a\nq2 Q0 d1 1 1.5 a\n")
    (tmp_path / "b.run").write_text("q1 Q0 d2 1 2.5 b\nq1 Q0 d1 2 1.5 b\n")
    return tmp_path / "qrels", tmp_path / "a.run", tmp_path / "b.run"


def good(result):
    """The standard output of a call that ended well and had nothing to complain about."""
    code, out, err = result
    assert (code, err) == (0, ""), (out, err)
    return out


def refused(result, *parts):
    """A call that ended with 1, one clear line and nothing on standard output."""
    code, out, err = result
    assert (code, out) == (1, "") and len(err.splitlines()) == 1, (code, out, err)
    assert "Traceback" not in err
    for part in parts:
        assert str(part) in err, (part, err)
    return err


# eval ----------------------------------------------------------------------------------------------------------------------------


def test_values_of_trec_eval_as_json(rankmetrics):
    out = json.loads(good(rankmetrics("eval", *TREC, "-m", "AP", "-m", "ndcg_cut_10", "-q", "--format", "json")))
    expected = json.loads((DATA / "MANIFEST.json").read_text())[0]
    (run,) = out["runs"]
    for name, theirs in (("AP", "AP"), ("nDCG(gain=linear)@10", "nDCG@10")):
        assert run["mean"][name] == pytest.approx(expected["mean"][theirs], abs=1e-9)
        assert run["per_query"][name] == pytest.approx({q: values[theirs] for q, values in expected["per_query"].items()}, abs=1e-9)
        assert run["n"][name] == 3
    assert out["conventions"]["ties"] == "docid_desc" and isinstance(run["notes"], list)


def test_trec_eval_s_own_layout(rankmetrics):
    ours = good(rankmetrics("eval", *TREC, "--format", "trec")).splitlines()
    theirs = (DATA / "trec_eval" / "out.test").read_text().splitlines()
    older = {"iprec_at_recall_0.10": "0.3884", "iprec_at_recall_0.60": "0.0822"}  # version 9.0.8, whose levels these names mean
    for mine, line in zip(ours, theirs, strict=True):
        name = line.split("\t")[0].strip()
        if name == "runid":
            assert mine.startswith(line.rsplit("\t", 1)[0])
        else:
            assert mine == (f"{line.rsplit(chr(9), 1)[0]}\t{older[name]}" if name in older else line)


def test_more_lines_of_trec_eval(rankmetrics):
    names = ["ndcg", "ndcg_cut_5", "map_cut_100", "recall_20", "success_10", "infAP", "set_P", "set_recall", "set_F", "bpref", "P_15"]
    out = good(rankmetrics("eval", *TREC, "--format", "trec", *(word for name in names for word in ("-m", name))))
    theirs = {line for line in (DATA / "trec_eval" / "out.test.a").read_text().splitlines() if line.split("\t")[0].strip() in names}
    assert len(theirs) == len(names) and theirs <= set(out.splitlines())


def test_lines_by_query_of_trec_eval(rankmetrics):
    out = good(rankmetrics("eval", *TREC, "--format", "trec", "-q", "-m", "map", "-m", "gm_map", "-m", "P_10"))
    theirs = [line for line in (DATA / "trec_eval" / "out.test.aq").read_text().splitlines() if line.split("\t")[0].strip() in ("map", "gm_map", "P_10")]
    assert len(theirs) == 9 and set(theirs) <= set(out.splitlines())
    assert [line for line in out.splitlines() if line.split("\t")[1] != "all"] == [line for line in theirs if line.split("\t")[1] != "all"], "in their order"


def test_the_table(rankmetrics, files):
    lines = good(rankmetrics("eval", *files[:2], "-m", "AP", "-m", "P@1")).splitlines()
    assert [line.split() for line in lines[:3]] == [["measure", "mean", "queries"], ["AP", "1.0000", "2"], ["P@1", "1.0000", "2"]]
    assert "conventions: house default" in lines
    lines = good(rankmetrics("eval", files[0], files[2], "-m", "AP", "-q")).splitlines()
    assert [line.split() for line in lines[:4]] == [["query", "AP"], ["q1", "0.5000"], ["q2", "0.0000"], ["mean", "0.2500"]]
    assert any("1 judged query has no results" in line and "q2" in line for line in lines)


def test_several_runs(rankmetrics, files):
    lines = good(rankmetrics("eval", *files, "-m", "AP", "-m", "RR")).splitlines()
    assert [part.rsplit("/", 1)[-1] for part in lines[0].split()] == ["measure", "a.run", "b.run"]
    assert [line.split() for line in lines[1:3]] == [["AP", "1.0000", "0.2500"], ["RR", "1.0000", "0.2500"]]
    assert any("b.run" in line and "no results" in line for line in lines) and not any("a.run" in line and "no results" in line for line in lines)
    out = good(rankmetrics("eval", *files, "-m", "AP", "-q"))
    assert sum(line.split()[-1:] == ["0.5000"] for line in out.splitlines()) == 1


@pytest.mark.parametrize(("name", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_rows(rankmetrics, files, name, delimiter):
    rows = list(csv.reader(io.StringIO(good(rankmetrics("eval", *files, "-m", "AP", "-m", "nDCG(gain=linear,ideal=uncut)@2", "-q", "-f", name))), delimiter=delimiter))
    assert rows[0] == ["run", "query_id", "measure", "value"] and len(rows) == 1 + 2 * 2 * (2 + 1)
    values = {(Path(run).name, query, measure): float(value) for run, query, measure, value in rows[1:]}
    assert values["b.run", "q1", "AP"] == 0.5 and values["b.run", "all", "AP"] == 0.25 and values["a.run", "all", "nDCG(gain=linear,ideal=uncut)@2"] == 1
    assert len(good(rankmetrics("eval", *files[:2], "-m", "AP", "-f", name)).splitlines()) == 2


def test_rows_keep_every_digit(rankmetrics):
    rows = list(csv.reader(io.StringIO(good(rankmetrics("eval", *TREC, "-m", "AP", "-f", "csv")))))
    assert float(rows[1][3]) == evaluate(*TREC, "AP").mean["AP"]


def test_json_of_several_runs(rankmetrics, files):
    out = json.loads(good(rankmetrics("eval", *files, "-m", "AP", "-m", "AUC", "-f", "json")))
    assert [Path(run["run"]).name for run in out["runs"]] == ["a.run", "b.run"] and "per_query" not in out["runs"][0]
    assert out["runs"][1]["mean"] == {"AP": 0.25, "AUC": 0} and out["runs"][1]["n"] == {"AP": 2, "AUC": 1}


def test_undefined_values_are_null_in_json(rankmetrics, files):
    (run,) = json.loads(good(rankmetrics("eval", *files[:2], "-m", "AUC", "-q", "-f", "json")))["runs"]
    assert run["per_query"] == {"AUC": {"q1": 1, "q2": None}}


def test_markdown_and_latex(rankmetrics, files):
    assert "| AP | 1.0000 | 2 |" in good(rankmetrics("eval", *files[:2], "-m", "AP", "-f", "markdown"))
    out = good(rankmetrics("eval", *files, "-m", "AP", "-f", "latex", "-q"))
    assert out.startswith(r"\begin{tabular}") and out.rstrip().endswith(r"\end{tabular}") and r"q1 & 0.5000 \\" in out


def test_measures_by_default(rankmetrics, files):
    (run,) = json.loads(good(rankmetrics("eval", *files[:2], "-f", "json")))["runs"]
    assert list(run["mean"]) == ["P@10", "R@10", "AP", "RR", "nDCG@10"]


def test_the_bundled_sample(rankmetrics):
    out = good(rankmetrics("eval"))
    assert "synthetic" in out and "nDCG@10" in out
    assert len(json.loads(good(rankmetrics("eval", "-f", "json", "-m", "AP", "-q")))["runs"]) == 2


@pytest.mark.parametrize(("field", "value"), [(field, value) for field, values in CHOICES.items() for value in values])
def test_every_choice_is_an_option(rankmetrics, files, field, value):
    measure = {"middle": "RR"}.get(value, "AP")
    out = json.loads(good(rankmetrics("eval", *files[:2], "-m", measure, f"--{field.replace('_', '-')}", value, "-f", "json")))
    assert out["conventions"] == {name: next(iter(values)) for name, values in CHOICES.items()} | {field: value, "measures": {}}


def test_conventions_change_numbers(rankmetrics, tmp_path):
    (tmp_path / "qrels").write_text("q1 0 d1 1\nq2 0 d1 1\n")
    (tmp_path / "run").write_text("q1 Q0 q1 0 9 t\nq1 Q0 u 0 5.00000001 t\nq1 Q0 d1 0 5 t\n")

    def value(*options):
        return json.loads(good(rankmetrics("eval", tmp_path / "qrels", tmp_path / "run", "-m", "RR", "-f", "json", *options)))["runs"][0]["mean"]["RR"]

    assert value() == pytest.approx(1 / 6) and value("--missing", "skip") == pytest.approx(1 / 3) and value("--self-hits", "remove") == pytest.approx(1 / 4)
    assert value("--unjudged", "remove") == pytest.approx(1 / 2)
    assert value("--score-dtype", "float32", "--ties", "best") == pytest.approx(1 / 4) and value("--score-dtype", "float32", "--ties", "average") == pytest.approx((1 / 2 + 1 / 3) / 4)
    assert value("--conventions", "trec_eval9") == pytest.approx(1 / 3) and value("--conventions", "trec_eval9", "--missing", "zero") == pytest.approx(1 / 6)


def test_conventions_are_printed(rankmetrics, files):
    assert "conventions: ties=average, missing=skip" in good(rankmetrics("eval", *files[:2], "-m", "AP", "--ties", "average", "--missing", "skip"))
    words = ["eval", *files[:2], "-m", "AP", "--conventions", "trec_eval9"]
    assert "gain=linear" in good(rankmetrics(*words))
    out = json.loads(good(rankmetrics(*words, "-f", "json")))["conventions"]
    assert out["score_dtype"] == "float32" and out["measures"]["nDCG"] == {"gain": "linear"}


def test_repeated_documents(rankmetrics, files):
    files[1].write_text("q1 Q0 d1 1 2.5 a\nq1 Q0 d1 2 1.5 a\n")
    refused(rankmetrics("eval", *files[:2]), "a.run, line 2", "q1", "d1", "line 1")
    out = good(rankmetrics("eval", *files[:2], "-m", "AP", "--duplicates", "first"))
    assert "1 repeated row" in out


def test_compressed_files(rankmetrics, files, tmp_path):
    (tmp_path / "a.run.gz").write_bytes(gzip.compress(files[1].read_bytes()))
    assert "1.0000" in good(rankmetrics("eval", files[0], tmp_path / "a.run.gz", "-m", "AP"))


def program(*words, stdin=b""):
    """The program in a process of its own."""
    return subprocess.run([sys.executable, "-c", "from rankmetrics_nb.cli import main; main()", *map(str, words)], input=stdin, capture_output=True)


def test_standard_input(files, rankmetrics):
    done = program("eval", files[0], "-", "-m", "AP", stdin=files[1].read_bytes())
    assert done.returncode == 0 and b"1.0000" in done.stdout and done.stderr == b""
    refused(rankmetrics("eval", "-", "-"), "standard input", "once")


def test_ids_that_are_no_text(tmp_path, rankmetrics):
    (tmp_path / "qrels").write_bytes(b"q\xff 0 d\xfe 1\n")
    (tmp_path / "run").write_bytes(b"q\xff Q0 d\xfe 1 1.0 t\n")
    out = good(rankmetrics("eval", tmp_path / "qrels", tmp_path / "run", "-m", "AP", "-q"))
    assert b"q\xff" in out.encode("utf-8", "surrogateescape")


NASTY = "<script>_a_&50%"


@pytest.mark.parametrize(("name", "escaped"), [("markdown", r"\<script\>\_a\_\&50%"), ("latex", r"<script>\_a\_\&50\%"), ("csv", NASTY), ("tsv", NASTY), ("table", NASTY), ("trec", NASTY), ("json", NASTY)])
def test_ids_come_out_escaped(rankmetrics, tmp_path, name, escaped):
    (tmp_path / "qrels").write_text(f"{NASTY} 0 d 1\n")
    (tmp_path / "run").write_text(f"{NASTY} Q0 d 1 1 t\n")
    assert escaped in good(rankmetrics("eval", tmp_path / "qrels", tmp_path / "run", "-m", "AP", "-q", "-f", name))


def test_ids_with_separators_in_rows(rankmetrics, tmp_path):
    (tmp_path / "qrels.json").write_text('{"a,\\"b\\"\\tc": {"d": 1}}')
    (tmp_path / "run.json").write_text('{"a,\\"b\\"\\tc": {"d": 1}}')
    for name, delimiter in (("csv", ","), ("tsv", "\t")):
        rows = list(csv.reader(io.StringIO(good(rankmetrics("eval", tmp_path / "qrels.json", tmp_path / "run.json", "-m", "AP", "-q", "-f", name))), delimiter=delimiter))
        assert rows[1][1] == 'a,"b"\tc' and len(rows[1]) == 4


# What goes wrong -------------------------------------------------------------------------------------------------------------------

BAD_RUNS = {
    "empty": (b"", ["a.run", "empty"]),
    "blank": (b"\n \n", ["a.run"]),
    "binary": (b"\x7fELF\x00\x01\x02", ["a.run", "binary"]),
    "utf-16": ("q1 Q0 d1 1 2 t\n".encode("utf-16"), ["a.run", "UTF-16"]),
    "a zip archive": (b"PK\x03\x04abc", ["a.run", "zip"]),
    "cut gzip": (gzip.compress(b"q1 Q0 d1 1 2 t\n")[:-9], ["a.run", "gzip"]),
    "nan": (b"q1 Q0 d1 1 2.5 a\nq1 Q0 d2 2 nan a\n", ["a.run", "line 2", "q1", "d2", "nan"]),
    "no number": (b"q1 Q0 d1 1 high a\n", ["a.run", "line 1", "q1", "d1", "high"]),
    "five fields": (b"q1 Q0 d1 1 2.5 a\nq1 Q0 d2 2 1.5\n", ["a.run", "line 2", "6 fields", "found 5"]),
    "seven fields": (b"q1 Q0 a document 1 2.5 a\n", ["a.run", "line 1", "found 7"]),
    "judgements": (b"q1 0 d1 1\n", ["a.run", "line 1", "qrels"]),
    "repeated": (b"q1 Q0 d1 1 2.5 a\nq1 Q0 d1 2 2.5 a\n", ["a.run", "line 2", "line 1", "d1"]),
    "other queries": (b"q7 Q0 d1 1 2.5 a\n", ["a.run", "q7", "q1", "share no query"]),
}


@pytest.mark.parametrize("name", BAD_RUNS)
def test_a_bad_run(rankmetrics, files, name):
    data, parts = BAD_RUNS[name]
    files[1].write_bytes(data)
    refused(rankmetrics("eval", *files[:2], "-q"), *parts)
    if name != "other queries":
        refused(rankmetrics("check", *files[:2]), *parts)


@pytest.mark.parametrize("data", [b"", b"q1 0 d1 x\n", b"q1 0 d1\n", b"q1 0 d1 1\nq1 0 d1 2\n", b"q1 0 d1 nan\n", b"\x00\x01"], ids=repr)
def test_bad_judgements(rankmetrics, files, data):
    files[0].write_bytes(data)
    refused(rankmetrics("eval", *files), "qrels")


def test_files_that_are_none(rankmetrics, files, tmp_path):
    refused(rankmetrics("eval", tmp_path / "qrel", files[1]), "qrel", "no such file", "did you mean")
    refused(rankmetrics("eval", files[0], tmp_path / "nothing" / "here"), "here", "no such file")
    refused(rankmetrics("eval", files[0], tmp_path), tmp_path, "directory")
    refused(rankmetrics("eval", files[0]), "name a run")
    refused(rankmetrics("check", files[0], tmp_path / "c.run"), "no such file")
    refused(rankmetrics("explain", "AP", "--qrels", files[0], "--run", tmp_path / "c.run", "--query", "q1"), "no such file")


def test_nothing_is_printed_by_half(rankmetrics, files):
    """The first run is good, the second is not."""
    files[2].write_text("q1 Q0 d1 1 nan b\n")
    for name in ("table", "json", "csv", "trec"):
        refused(rankmetrics("eval", *files, "-f", name), "b.run, line 1", "nan")


@pytest.mark.parametrize(
    ("measure", "parts"),
    [("ndgc@10", ["ndgc@10", "did you mean nDCG"]), ("P@0", ["k", "0"]), ("P@-1", ["k", "-1"]), ("nDCG@2.5", ["k", "2.5"]), ("P@'3'", ["k", "'3'"]), ("P@True", ["k", "True"]), ("P_0", ["k", "0"]), ("nDCG(gain=liner)", ["gain", "linear"]),
     ("RBP(p=2)", ["p", "2"]), ("IPrec", ["recall"]), ("AP(norm=k)", ["cutoff"]), ("ERR(gmax=1)", ["grade 2", "gmax = 1"]), ("", ["measure"]), ("11pt@3", ["no cutoff"])],
)
def test_bad_measures(rankmetrics, files, measure, parts):
    refused(rankmetrics("eval", *files, "-m", "AP", "-m", measure), *parts)
    if measure != "ERR(gmax=1)":
        refused(rankmetrics("explain", measure, "1", "0"), *parts)


def test_a_tie_rule_that_a_measure_does_not_take(rankmetrics, files):
    refused(rankmetrics("eval", *files, "-m", "bpref", "--ties", "average"), "bpref", "ties=average", "docid_desc")


@pytest.mark.parametrize("words", [["eval", "--nonsense"], ["nonsense"], ["eval", "-f", "yaml"], ["eval", "--ties", "averge"], ["eval", "-m"], ["explain"], ["explain", "AP", "1", "--n-relevant", "two"], ["check"], ["eval", "--conventions", "trec"]], ids=" ".join)
def test_a_malformed_command_line_ends_with_two(rankmetrics, words):
    code, out, err = rankmetrics(*words)
    assert code == 2 and out == "" and "Error: " in err and "Traceback" not in err


def test_wrong_words_get_the_choices(rankmetrics):
    assert "did you mean 'average'" in " ".join(rankmetrics("eval", "--ties", "averge")[2].split())
    assert "markdown" in rankmetrics("eval", "-f", "yaml")[2]


# explain, measures, check, the rest ------------------------------------------------------------------------------------------------


def test_explain(rankmetrics):
    out = good(rankmetrics("explain", "AP", "1", "0", "1", "0"))
    assert "0.8333" in out and "(1/1 + 2/3)/2" in out and "AP = (1/1 + 2/3)/2 = 0.8333" in out
    assert good(rankmetrics("explain", "AP", "1 0 1 0")) == out == good(rankmetrics("explain", "map", "R", "N", "R", "N"))


def test_explain_forms_of_grades(rankmetrics):
    out = good(rankmetrics("explain", "nDCG(gain=linear)", "bus:3", "bike:?", "car:-1", "--unretrieved", "2", "--unretrieved", "1.5"))
    assert "bus" in out and "?" in out and "2 relevant documents were not retrieved" in out
    assert "= 0.5000" in good(rankmetrics("explain", "R@3", "1", "0", "1", "--n-relevant", "4"))
    assert "= 0.3333" in good(rankmetrics("explain", "AP", "-1", "0", "1"))
    assert json.loads(good(rankmetrics("explain", "AP", "0", "0", "-f", "json")))["value"] == 0
    assert json.loads(good(rankmetrics("explain", "AUC", "0", "0", "-f", "json")))["value"] is None


def test_explain_formats(rankmetrics):
    steps = parse("AP").explain("1 0 1 0")
    assert good(rankmetrics("explain", "AP", "1", "0", "1", "0", "-f", "markdown")) == steps.markdown + "\n"
    assert good(rankmetrics("explain", "AP", "1", "0", "1", "0", "-f", "html")) == steps.html + "\n"
    assert good(rankmetrics("explain", "AP", "1", "0", "1", "0", "-f", "latex")) == steps.tex + "\n"
    out = json.loads(good(rankmetrics("explain", "AP", "1", "0", "1", "0", "-f", "json")))
    assert out["value"] == pytest.approx(5 / 6) and out["arithmetic"] == "(1/1 + 2/3)/2" and [row["contribution"] for row in out["rows"]] == pytest.approx([1 / 2, 0, 1 / 3, 0])


def test_explain_a_difference(rankmetrics):
    words = ["explain", "AP", "a:1", "b:0", "--minus", "b:0 a:1"]
    assert good(rankmetrics(*words)).splitlines()[-1].split() == ["sum", "1.0000", "0.5000", "+0.5000"]
    out = json.loads(good(rankmetrics(*words, "-f", "json")))
    assert out["value"] == pytest.approx(0.5) and sum(row["difference"] for row in out["rows"]) == pytest.approx(0.5)
    assert "| a | 1 | 2 |" in good(rankmetrics(*words, "-f", "markdown")) and "<td>a</td>" in good(rankmetrics(*words, "-f", "html")) and r"a & 1 & 2" in good(rankmetrics(*words, "-f", "latex"))


def test_explain_a_query_of_a_run(rankmetrics, files):
    out = good(rankmetrics("explain", "RR", "--qrels", files[0], "--run", files[2], "--query", "q1"))
    assert "RR = 1/2 = 0.5000" in out and "d2" in out
    refused(rankmetrics("explain", "RR", "--qrels", files[0], "--run", files[2], "--query", "q9"), "q9", "q1")
    for words in (["--qrels", files[0]], ["1", "0", "--qrels", files[0], "--run", files[2], "--query", "q1"], []):
        refused(rankmetrics("explain", "RR", *words), "grades", "--qrels, --run and --query")


@pytest.mark.parametrize("words", [["1", "x"], ["1", "nan"], ["a:1", "a:0"], ["1", "1", "--n-relevant", "1"], ["1", "--minus", "0 y"]], ids=" ".join)
def test_explain_bad_grades(rankmetrics, words):
    refused(rankmetrics("explain", "AP", *words))


def test_explain_escapes_ids(rankmetrics):
    out = good(rankmetrics("explain", "AP", "<script>_&%:1", "-f", "html"))
    assert "<script" not in out and "&lt;script&gt;_&amp;%" in out
    assert r"<script>\_\&\%" in good(rankmetrics("explain", "AP", "<script>_&%:1", "-f", "latex"))


def test_measures(rankmetrics):
    lines = good(rankmetrics("measures")).splitlines()
    assert [line.split()[0] for line in lines[1:]] == [m.name for m in MEASURES]
    assert good(rankmetrics("measures", "ndcg_cut_10")).startswith("nDCG: normalised")
    out = good(rankmetrics("measures", "RR"))
    assert "How soon" in out and r"\mathrm{RR}" in out and "Parameters" in out
    refused(rankmetrics("measures", "ndgc"), "did you mean nDCG")


def test_check(rankmetrics, files):
    out = good(rankmetrics("check", *files[:2]))
    assert "quer" in out and out.strip()
    assert "warning" in good(rankmetrics("check", files[0], files[2])) or "note" in good(rankmetrics("check", files[0], files[2]))


def test_version_and_help(rankmetrics):
    assert good(rankmetrics("--version")) == f"rankmetrics {__version__}\n"
    out = CliRunner().invoke(app, ["--help"])
    assert out.exit_code == 0 and all(word in out.output for word in ("eval", "explain", "measures", "check"))
    options = CliRunner().invoke(app, ["eval", "--help"]).output
    assert all(f"--{name.replace('_', '-')}" in options for name in CHOICES)


def test_in_a_process_of_its_own(files):
    done = program("eval", *files[:2], "-m", "AP")
    assert done.returncode == 0 and b"1.0000" in done.stdout and done.stderr == b""
    done = program("eval", files[0], "nowhere")
    assert done.returncode == 1 and done.stdout == b"" and done.stderr.startswith(b"rankmetrics: nowhere") and done.stderr.count(b"\n") == 1
    assert program("eval", "--nonsense").returncode == 2


def test_a_reader_that_has_seen_enough(files):
    """As in `rankmetrics measures | head -1`: no trace is printed."""
    done = subprocess.Popen([sys.executable, "-c", "from rankmetrics_nb.cli import main; main()", "measures"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    done.stdout.close()
    assert b"Traceback" not in done.stderr.read() and done.wait() in (0, 1)
    done.stderr.close()


def test_the_window(rankmetrics, monkeypatch):
    opened: list[list[str]] = []
    monkeypatch.setitem(sys.modules, "rankmetrics_gui.app", SimpleNamespace(main=opened.append))
    assert rankmetrics("gui") == rankmetrics("gui", "my.json", "qrels.txt") == (0, "", "")
    assert opened == [[], ["my.json", "qrels.txt"]]
    monkeypatch.setitem(sys.modules, "rankmetrics_gui.app", SimpleNamespace(main=lambda paths: 3))
    assert rankmetrics("gui") == (3, "", ""), "it ends as the window ends"
    monkeypatch.setitem(sys.modules, "rankmetrics_gui.app", None)  # as where the extra is not installed
    refused(rankmetrics("gui"), 'pip install "rankmetrics_nb[gui]"')


@pytest.mark.parametrize("words", [
    ("diagnose", "{qrels}", "{run}", "-m", "AP", "--value", "0.5", "--n-relevant", "3"),
    ("conventions", "-m", "AP", "--qrels", "{qrels}", "--run", "{run}", "--n-relevant", "3"),
    ("explain", "AP", "--qrels", "{qrels}", "--run", "{run}", "--query", "q1", "--n-relevant", "3"),
], ids=lambda words: words[0])
def test_the_number_of_relevant_documents_is_for_typed_rankings(rankmetrics, files, words):
    refused(rankmetrics(*(word.format(qrels=files[0], run=files[1]) for word in words)), "--n-relevant", "typed")


# Exam practice


def test_an_exam_on_paper(rankmetrics):
    sheet = good(rankmetrics("exam", "--seed", 7, "--level", 2))
    assert sheet.startswith("Exam practice\n=====") and "Level 2, seed 7" in sheet and "Solutions" not in sheet
    assert good(rankmetrics("exam", "--seed", 7, "--level", 2)) == sheet
    full = good(rankmetrics("exam", "--seed", 7, "--level", 2, "--solutions", "--formulas"))
    assert full.startswith(sheet.rstrip("\n")) and "Solutions" in full and "Formula sheet" in full


def test_an_exam_without_a_seed_says_how_to_make_it_again(rankmetrics):
    sheet = good(rankmetrics("exam", "--kind", "ap", "--kind", "sets", "--questions", 3))
    words = sheet.split("The same sheet again: rankmetrics ")[1].split("\n")[0].split()
    assert words[-6:] == ["--kind", "ap", "--kind", "sets", "--questions", "3"] and good(rankmetrics(*words)) == sheet


@pytest.mark.parametrize(("ending", "start"), [("html", "<!DOCTYPE html>"), ("md", "# Exam practice")])
def test_an_exam_as_a_file(rankmetrics, tmp_path, ending, start):
    path = tmp_path / f"sheet.{ending}"
    said = good(rankmetrics("exam", "--seed", 7, "--kind", "ap", "--out", path))
    assert said == f"{path}: 1 question; the same again: rankmetrics exam --seed 7 --level 1 --kind ap\n"
    assert path.read_text(encoding="utf-8").startswith(start)


def test_exams_that_cannot_be_made(rankmetrics, tmp_path):
    refused(rankmetrics("exam", "--kind", "apl"), "'apl'", "did you mean 'ap'?")
    refused(rankmetrics("exam", "--questions", 0), "from 1 to 100", "got 0")
    refused(rankmetrics("exam", "--out", tmp_path / "sheet.pdf"), ".html or .md", "got .pdf")
    refused(rankmetrics("exam", "--out", tmp_path / "sheet"), ".html or .md", "no ending")
    assert rankmetrics("exam", "--level", 4)[0] == 2


def test_an_exam_at_a_terminal():
    """A question, an answer, the verdict; another answer, the end of the input."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    done = subprocess.Popen([sys.executable, "-c", "from rankmetrics_nb.cli import main; main()", "exam", "--seed", "7", "--kind", "sets"],
                            stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True)
    os.close(theirs)
    os.write(ours, b"nonsense\n1/1000\n\x04")
    shown = b""
    while True:
        try: piece = os.read(ours, 4096)
        except OSError: break  # the other end is closed
        if not piece: break
        shown += piece
    os.close(ours)
    text = shown.decode().replace("\r\n", "\n")
    assert done.wait() == 0 and "Traceback" not in text
    assert "Question 1 of 1" in text and "cannot read 'nonsense'" in text and "1/1000: wrong." in text and "0 of 0 parts right" in text
