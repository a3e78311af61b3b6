"""Judgements, runs and typed rankings: what is accepted, what is refused, and in which words."""

import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankmetrics_nb.relevance import DataError, Qrels, Ranking, Run, counted, from_scores, id_text, kappa, nearest, number_text, value_text


def says(*parts: str):
    """The block raises a DataError of one line that holds all parts."""

    class Caught:
        def __enter__(self):
            self.raised = pytest.raises(DataError)
            self.info = self.raised.__enter__()
            return self.info

        def __exit__(self, *what):
            done = self.raised.__exit__(*what)
            text = str(self.info.value)
            assert "\n" not in text and text.isprintable()
            for part in parts:
                assert part in text, text
            return done

    return Caught()


class TestDataError:
    def test_names_the_place(self):
        error = DataError("too short", "a.run", 3)
        assert (str(error), error.what, error.source, error.line) == ("a.run, line 3: too short", "too short", "a.run", 3)
        assert str(DataError("too short", "a.run")) == "a.run: too short"
        assert str(DataError("too short")) == "too short"
        assert str(DataError("too short", "rows", 2, "row")) == "rows, row 2: too short"

    def test_is_a_value_error_that_survives_pickling(self):
        error = pickle.loads(pickle.dumps(DataError("too short", "a.run", 3)))
        assert isinstance(error, ValueError)
        assert (str(error), error.source, error.line) == ("a.run, line 3: too short", "a.run", 3)


class TestWords:
    def test_nearest_ignores_case(self):
        assert nearest("ndgc", ["AP", "nDCG", "P"]) == "nDCG"
        assert nearest("NDCG", ["AP", "nDCG"]) == "nDCG"
        assert nearest("zzz", ["AP", "nDCG"]) is None
        assert nearest("ap", []) is None

    @pytest.mark.parametrize(("value", "text"), [(1, "1"), (1.0, "1"), (0.1, "0.1"), (1e16, "1e+16"), (-2.0, "-2"), (1e-5, "1e-05"), (np.float32(0.5), "0.5"), (float("inf"), "inf")])
    def test_numbers_without_a_useless_point(self, value, text):
        assert number_text(value) == text

    @given(st.floats(allow_nan=False))
    def test_number_text_loses_nothing(self, number):
        assert float(number_text(number)).hex() == number.hex()

    def test_counted(self):
        assert [counted(n, "query", "queries") for n in (0, 1, 1200)] == ["0 queries", "1 query", "1,200 queries"]
        assert counted(2, "row") == "2 rows"

    def test_ids_that_print_are_shown_as_they_are(self):
        assert id_text("D7") == "D7"
        assert id_text("दाल") == "दाल"

    @pytest.mark.parametrize(("value", "text"), [("", "''"), ("a\nb", r"'a\nb'"), ("a\u00a0b", r"'a\xa0b'"), ("\udcff", r"'\udcff'"), (None, "None")])
    def test_ids_that_do_not_print_are_quoted(self, value, text):
        assert id_text(value) == text

    def test_long_values_are_cut(self):
        assert len(id_text("x" * 500)) == 120 and id_text("x" * 500).endswith("...")
        assert len(value_text(10**400)) == 120


class TestColumns:
    def test_groups_by_query_and_keeps_the_order_of_the_rows(self):
        run = Run.from_columns(["q2", "q1", "q2", "q1"], ["b", "x", "a", "y"], [1, 2, 3, 4], ranks=[1, 2, 3, 4])
        assert run.query_ids == ("q2", "q1")
        assert run.offsets.tolist() == [0, 2, 4] and run.offsets.dtype == np.int64
        assert run.doc_ids == ("b", "a", "x", "y")
        assert run.scores.tolist() == [1, 3, 2, 4] and run.scores.dtype == np.float64
        assert run.ranks.tolist() == [1, 3, 2, 4]

    def test_queries_without_rows_are_listed_where_they_are_named(self):
        run = Run.from_columns(["q3"], ["a"], [1], queries=["q1", "q3", "q2"])
        assert run.to_dict() == {"q1": {}, "q3": {"a": 1.0}, "q2": {}}
        assert run.offsets.tolist() == [0, 0, 1, 1]

    def test_a_query_that_is_not_named_comes_last(self):
        assert Qrels.from_columns(["q9"], ["a"], [1], queries=["q1"]).query_ids == ("q1", "q9")

    def test_nothing_is_a_table_too(self):
        assert repr(Qrels.from_columns([], [], [])) == "Qrels(0 queries, 0 judgements)"
        assert Run.from_dict({}).to_dict() == {}

    def test_reads_like_a_dict_of_dicts(self):
        qrels = Qrels.from_dict({"q1": {"a": 1, "b": 0}, "q2": {"c": 2}})
        assert list(qrels) == ["q1", "q2"] and len(qrels) == 2
        assert "q1" in qrels and "a" not in qrels
        assert qrels["q1"] == {"a": 1.0, "b": 0.0}
        assert qrels.get("q7") is None
        assert qrels == {"q1": {"a": 1.0, "b": 0.0}, "q2": {"c": 2.0}} == qrels.to_dict()
        assert qrels.rows("q2") == slice(2, 3)
        with pytest.raises(KeyError):
            qrels["q7"]

    def test_repr_counts(self):
        assert repr(Qrels.from_dict({"q1": {"a": 1}})) == "Qrels(1 query, 1 judgement)"
        assert repr(Run.from_dict({"q1": {"a": 1, "b": 2}, "q2": {}})) == "Run(2 queries, 2 documents)"

    def test_pickles(self):
        run = Run.from_dict({"q1": {"a": 1}})
        assert pickle.loads(pickle.dumps(run)) == run

    def test_the_arrays_of_the_caller_stay_their_own(self):
        scores = np.array([1.0, 2.0])
        run = Run.from_columns(["q", "q"], ["a", "b"], scores)
        scores[0] = 9
        assert run.scores.tolist() == [1, 2]

    def test_numpy_columns(self):
        run = Run.from_columns(np.array([7, 7]), np.array(["a", "b"]), np.array([1, 2], np.float32))
        assert run.to_dict() == {"7": {"a": 1.0, "b": 2.0}}
        assert {type(one) for one in (*run.query_ids, *run.doc_ids)} == {str}

    def test_generators(self):
        assert Run.from_columns((q for q in "ab"), (d for d in "xy"), (s for s in (1, 2))) == {"a": {"x": 1.0}, "b": {"y": 2.0}}

    def test_source_and_notes_are_kept(self):
        qrels = Qrels.from_columns(["q"], ["a"], [1], source="x.txt", notes=["seen"])
        assert (qrels.source, qrels.notes) == ("x.txt", ("seen",))

    def test_different_lengths(self):
        with says("x.txt", "query_ids 1", "doc_ids 2", "grades 1"):
            Qrels.from_columns(["q"], ["a", "b"], [1], source="x.txt")
        with says("ranks 2"):
            Run.from_columns(["q"], ["a"], [1], ranks=[1, 2])


class TestIds:
    def test_whole_numbers_become_their_text(self):
        assert Run.from_dict({7: {3: 1, np.int64(4): 2}}) == {"7": {"3": 1.0, "4": 2.0}}

    def test_ids_are_compared_as_text(self):
        qrels = Qrels.from_dict({"q": {"7": 1, "007": 2, "7.0": 3, "Café": 4, "Cafe\u0301": 5, "café": 6, "\udcff": 7}})
        assert list(qrels["q"].values()) == [1, 2, 3, 4, 5, 6, 7]

    def test_text_of_numpy_becomes_plain_text(self):
        run = Run.from_columns([np.str_("q")], [np.str_("a")], [1])
        assert type(run.query_ids[0]) is str and type(run.doc_ids[0]) is str

    @pytest.mark.parametrize("bad", [None, float("nan"), True, np.True_, b"a", ("a",), 7.5])
    def test_what_is_no_id(self, bad):
        with says("line 12", "document id", "expected text or a whole number"):
            Run.from_columns(["q", "q"], ["a", bad], [1, 2], lines=[11, 12])
        with says("row 2", "query id"):
            Run.from_columns(["q", bad], ["a", "b"], [1, 2])

    def test_a_float_that_is_whole_gets_a_remedy(self):
        with says("7.0", "write 7 or '7'"):
            Run.from_columns([7.0], ["a"], [1])

    def test_empty_ids(self):
        with says("run, row 2: the document id is empty"):
            Run.from_columns(["q", "q"], ["a", ""], [1, 2])

    def test_two_queries_that_become_one(self):
        with says("7 and '7'", "same id"):
            Run.from_dict({7: {"a": 1}, "7": {"b": 2}})

    def test_two_documents_that_become_one(self):
        with says("run: query q already has document 7"):
            Run.from_dict({"q": {7: 1, "7": 2}})


class TestNumbers:
    @pytest.mark.parametrize("number", [1, 1.0, True, np.True_, np.int8(1), np.uint64(1), np.float16(1), np.float32(1), np.longdouble(1), Fraction(1), Decimal(1), np.array(1)])
    def test_every_kind_of_number(self, number):
        assert Run.from_dict({"q": {"a": number}})["q"]["a"] == 1.0
        assert Qrels.from_columns(["q", "q"], ["a", "b"], [number, 0.25])["q"] == {"a": 1.0, "b": 0.25}

    def test_fractions_and_negative_grades_are_kept(self):
        assert Qrels.from_dict({"q": {"a": 0.9, "b": -2}})["q"] == {"a": 0.9, "b": -2.0}

    @pytest.mark.parametrize("bad", ["3", "x", None, 1j, [1], b"3", 10**400, np.datetime64("2026-01-01")])
    def test_what_is_no_number(self, bad):
        with says("run, line 5: the score of document b in query q is ", "expected a number"):
            Run.from_columns(["q", "q"], ["a", "b"], [1, bad], lines=[4, 5])

    def test_text_gets_a_remedy(self):
        with says("qrels: the grade of document a in query q is '3' (str): expected a number, without quotes"):
            Qrels.from_dict({"q": {"a": "3"}})

    @pytest.mark.parametrize("nan", [float("nan"), np.float32("nan"), Decimal("nan")])
    def test_nan(self, nan):
        with says("run, line 2: the score of document a in query q1 is not a number (nan)"):
            Run.from_columns(["q1", "q1", "q1"], ["b", "a", "c"], [0.5, nan, 0.1], lines=[1, 2, 3])
        with says("qrels, row 1: the grade of document a in query q is not a number (nan)"):
            Qrels.from_columns(["q"], ["a"], [nan])

    def test_nan_in_an_array(self):
        with says("row 2", "document b", "nan"):
            Run.from_columns(["q", "q"], ["a", "b"], np.array([1, np.nan]))

    def test_infinite_scores_are_a_place_in_the_order_infinite_grades_are_nothing(self):
        assert Run.from_dict({"q": {"a": float("inf"), "b": float("-inf")}})["q"] == {"a": float("inf"), "b": float("-inf")}
        with says("qrels: the grade of document a in query q is infinite (inf): expected a finite number"):
            Qrels.from_dict({"q": {"a": float("inf")}})

    def test_ranks_are_numbers(self):
        with says("row 1", "the rank of document a in query q is not a number (nan)"):
            Run.from_columns(["q"], ["a"], [1], ranks=[float("nan")])
        with says("the rank of document a in query q is 'x'"):
            Run.from_columns(["q"], ["a"], [1], ranks=["x"])

    def test_masked_values_are_missing(self):
        with says("row 2", "None"):
            Run.from_columns(["q", "q"], ["a", "b"], np.ma.array([1.0, 2.0], mask=[False, True]))

    def test_a_matrix_is_no_column(self):
        with says("row 1", "expected a number"):
            Run.from_columns(["q"], ["a"], np.array([[1.0, 2.0]]))


class TestRepeats:
    def test_two_grades_for_a_pair(self):
        with says('qrels, line 3: document a of query q1 was judged 1 in line 1 and 2 here; remove one, or keep the first with duplicates="first"') as info:
            Qrels.from_columns(["q1"] * 3, ["a", "b", "a"], [1, 0, 2], lines=[1, 2, 3])
        assert (info.value.source, info.value.line) == ("qrels", 3)

    def test_the_same_grade_twice(self):
        with says("qrels, row 2: document a of query q1 was judged 0.5 already in row 1"):
            Qrels.from_columns(["q1"] * 2, ["a", "a"], [0.5, 0.5])

    def test_a_document_twice_in_a_run(self):
        with says("run, line 2: query 301 already has document D7 (line 1)"):
            Run.from_columns(["301"] * 3, ["D7", "D7", "D2"], [12.893, 12.892999, 12.8149], lines=[1, 2, 3])

    def test_the_earliest_repeat_is_reported_even_when_queries_are_mixed(self):
        with says("run, row 4: query b already has document x (row 2)"):
            Run.from_columns(["a", "b", "a", "b", "a"], ["x", "x", "y", "x", "x"], [5, 4, 3, 2, 1])

    def test_the_same_document_in_two_queries_is_fine(self):
        assert len(Run.from_dict({"a": {"x": 1}, "b": {"x": 1}}).doc_ids) == 2

    def test_keep_the_first(self):
        run = Run.from_columns(["q", "r", "q", "q", "r"], ["a", "a", "a", "b", "a"], [5, 4, 3, 2, 1], ranks=[1, 1, 2, 3, 2], lines=[1, 2, 3, 4, 5], duplicates="first")
        assert run.to_dict() == {"q": {"a": 5.0, "b": 2.0}, "r": {"a": 4.0}}
        assert run.ranks.tolist() == [1, 3, 1]
        assert run.notes == ("run: 2 repeated rows dropped, the first of each pair kept (e.g. document a of query q, line 3)",)

    def test_no_repeat_no_note(self):
        assert Run.from_columns(["q"], ["a"], [1], duplicates="first").notes == ()

    def test_an_unknown_choice(self):
        with says("'last'", "'error' or 'first'"):
            Run.from_columns(["q"], ["a"], [1], duplicates="last")


class TestFromDict:
    @pytest.mark.parametrize("bad", [[1], None, "q"])
    def test_not_a_dict(self, bad):
        with says("qrels: expected a dict {query: {document: grade}}, found"):
            Qrels.from_dict(bad)

    def test_not_a_dict_inside(self):
        with says("run: query q has ['a', 'b']: expected {document: score}"):
            Run.from_dict({"q": ["a", "b"]})

    @settings(max_examples=50, deadline=None)
    @given(st.dictionaries(st.text(min_size=1), st.dictionaries(st.text(min_size=1), st.floats(allow_nan=False), max_size=5), max_size=4))
    def test_comes_back_as_it_was(self, data):
        assert Run.from_dict(data).to_dict() == data


class TestFromScores:
    def test_one_query(self):
        qrels, run = from_scores([1, 0, 1], [0.9, 0.8, 0.7])
        assert qrels == {"q1": {"d1": 1.0, "d2": 0.0, "d3": 1.0}}
        assert run == {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}

    def test_a_row_a_query(self):
        qrels, run = from_scores(np.array([[1, 0], [0, 1]]), [[0.9, 0.8], (0.1, 0.2)])
        assert qrels == {"q1": {"d1": 1.0, "d2": 0.0}, "q2": {"d1": 0.0, "d2": 1.0}}
        assert run["q2"] == {"d1": 0.1, "d2": 0.2}

    def test_rows_may_differ_in_length_and_be_empty(self):
        qrels, run = from_scores([[1], []], [[2], []])
        assert run.to_dict() == {"q1": {"d1": 2.0}, "q2": {}} and qrels["q2"] == {}

    def test_none_is_unjudged(self):
        qrels, run = from_scores([1, None], [2, 1])
        assert qrels == {"q1": {"d1": 1.0}} and run == {"q1": {"d1": 2.0, "d2": 1.0}}

    def test_no_labels_are_one_empty_query(self):
        assert from_scores([], [])[1].to_dict() == {"q1": {}}

    def test_lengths_are_stated(self):
        with says("y_true has 3 values, y_score has 1 value"):
            from_scores([1, 0, 1], [0.5])
        with says("row 2: y_true has 1 value, y_score has 2 values"):
            from_scores([[1], [1]], [[1], [1, 2]])
        with says("y_true has 2 rows, y_score has 1 row"):
            from_scores([[1], [1]], [[1]])

    @pytest.mark.parametrize("bad", ["10", 3, None, {"a": 1}])
    def test_not_a_list(self, bad):
        with says("y_score: expected a list of numbers"):
            from_scores([1], bad)

    def test_mixed(self):
        with says("y_true", "mixed"):
            from_scores([1, [0]], [1, 2])

    def test_nan(self):
        with says("y_score: the score of document d2 in query q1 is not a number (nan)"):
            from_scores([1, 0], [1, float("nan")])


class TestRanking:
    def test_a_list(self):
        ranking = Ranking.of([3, 2.5, None, 0, True, "?"])
        assert ranking.grades == (3.0, 2.5, None, 0.0, 1.0, None)
        assert ranking.doc_ids == ("d1", "d2", "d3", "d4", "d5", "d6")
        assert ranking.unretrieved == () and len(ranking) == 6

    @pytest.mark.parametrize("x", ["3 2 ? 0", "3, 2, ?, 0", "3,2,?,0", " 3\t2;?\n0 ", [3, 2, None, 0], (3, 2, "?", 0), np.array([3, 2, None, 0]), iter([3, 2, None, 0])])
    def test_ways_to_write_the_same(self, x):
        assert Ranking.of(x) == Ranking((3.0, 2.0, None, 0.0))

    @pytest.mark.parametrize("x", ["R N R N", "r n r n", "RNRN", ["R", "N", "R", "N"], [1, 0, 1, 0], np.array([True, False, True, False]), "1 0 1.0 0"])
    def test_relevant_and_not(self, x):
        assert Ranking.of(x).grades == (1.0, 0.0, 1.0, 0.0)

    def test_letters_with_unjudged(self):
        assert Ranking.of("RN?R").grades == (1.0, 0.0, None, 1.0)

    def test_named_documents(self):
        ranking = Ranking.of("bus:3 bike:2, a:b:1 pass:?")
        assert ranking.doc_ids == ("bus", "bike", "a:b", "pass")
        assert ranking.grades == (3.0, 2.0, 1.0, None)

    def test_named_and_unnamed(self):
        assert Ranking.of("bus:3 R").doc_ids == ("bus", "d2")

    def test_nothing(self):
        assert Ranking.of("").grades == Ranking.of([]).grades == ()

    @pytest.mark.parametrize("text", ["-2", "+1", ".5", "1.", "1e-3", "2.5E+1"])
    def test_number_texts(self, text):
        assert Ranking.of(f"1 {text}").grades[1] == float(text)

    @pytest.mark.parametrize("bad", ["x", "1_0", "nan", "inf", "0x1", "٣", "1,5:"])
    def test_bad_texts(self, bad):
        with says("grade 3 of the ranking is ", "expected a number, R, N or ?"):
            Ranking.of(f"d:1 e:0 f:{bad}")

    @pytest.mark.parametrize("bad", ["x", "3", 1j, [1], b"1", float("inf"), 10**400])
    def test_bad_items(self, bad):
        with says("grade 3 of the ranking is ", "expected a number, R, N or ?"):
            Ranking.of([1, 0, bad])

    def test_nan_gets_a_remedy(self):
        with says("grade 2 of the ranking is nan", "None or ? for unjudged"):
            Ranking.of([1, float("nan")])

    @pytest.mark.parametrize("bad", [3, None, {"a": 1}, {1, 2}, b"1 0", np.float64(3), np.array(3)])
    def test_not_a_ranking(self, bad):
        with says("the ranking is ", "expected a list of grades by rank"):
            Ranking.of(bad)

    def test_repeated_document(self):
        with says("document a is at rank 1 and at rank 3"):
            Ranking.of("a:1 b:2 a:0")

    def test_document_without_id(self):
        with says("document 2 of the ranking has no id"):
            Ranking.of("a:1 :2")

    def test_grades_and_documents_differ_in_number(self):
        with says("1 grade and 2 documents"):
            Ranking((1,), ("a", "b"))

    def test_missing_relevant_documents(self):
        assert Ranking.of([1, 0, 2], n_relevant=4).unretrieved == (1.0, 1.0)
        assert Ranking.of([1, 0, 2], n_relevant=2).unretrieved == ()
        assert Ranking.of([3, 0, 1], unretrieved=[2]).unretrieved == (2.0,)
        assert Ranking.of([1, 0], n_relevant=4, unretrieved=[2, 0]).unretrieved == (2.0, 0.0, 1.0, 1.0)
        assert Ranking.of([0.5], n_relevant=1).unretrieved == (1.0,)

    def test_fewer_relevant_documents_than_found(self):
        with says("n_relevant is 1, but 2 relevant documents"):
            Ranking.of([1, 0, 2], n_relevant=1)

    @pytest.mark.parametrize("bad", [-1, 2.5, "3", True])
    def test_bad_n_relevant(self, bad):
        with says("n_relevant is ", "whole number"):
            Ranking.of([1], n_relevant=bad)

    def test_numpy_n_relevant(self):
        assert Ranking.of([1], n_relevant=np.int64(2)).unretrieved == (1.0,)

    def test_bad_unretrieved(self):
        with says("unretrieved grade 2 is 'x'"):
            Ranking.of([1], unretrieved=[1, "x"])
        with says("an unretrieved grade is None"):
            Ranking.of([1], unretrieved=[None])

    def test_a_ranking_of_a_ranking(self):
        ranking = Ranking.of("bus:3 bike:?", n_relevant=2)
        assert Ranking.of(ranking) == ranking
        assert Ranking.of(ranking, n_relevant=3).unretrieved == (1.0, 1.0)

    def test_repr(self):
        assert repr(Ranking.of([3, None, 0.5])) == "Ranking('3 ? 0.5')"
        assert repr(Ranking.of("bus:3 bike:?", unretrieved=[2])) == "Ranking('bus:3 bike:?', unretrieved=[2])"

    def test_is_hashable(self):
        assert len({Ranking.of("1 0"), Ranking.of([1, 0])}) == 1

    @given(st.lists(st.none() | st.floats(allow_nan=False, allow_infinity=False)))
    def test_text_reads_back(self, grades):
        ranking = Ranking.of(grades)
        assert Ranking.of(ranking.text) == ranking

    @given(st.text())
    def test_any_text_is_read_or_refused(self, text):
        try:
            assert isinstance(Ranking.of(text), Ranking)
        except DataError as error:
            assert "\n" not in str(error)


class TestKappa:
    """Two judges: by hand, against two printed tables and against scikit-learn."""

    @staticmethod
    def judges(both, only_first, only_second, neither):
        first = [1] * (both + only_first) + [0] * (only_second + neither)
        return first, [1] * both + [0] * only_first + [1] * only_second + [0] * neither

    @pytest.mark.parametrize(
        ("first", "second", "value"),
        [
            ([1, 1, 0, 1, 1, 0], [1, 1, 0, 0, 1, 0], Fraction(2, 3)),  # (5/6 - 1/2)/(1 - 1/2)
            ([1, 1, 0, 1, 1, 0], [0, 0, 1, 0, 0, 1], Fraction(-4, 5)),  # (0 - 4/9)/(1 - 4/9)
            ("RRNN", "RNRN", 0),
            ([3, 2, 0], [3, 2, 0], 1),
            ([1, 0], [1, 1], 0),
        ],
    )
    def test_by_hand(self, first, second, value):
        assert kappa(first, second) == pytest.approx(float(value), abs=1e-12)
        assert kappa(second, first) == pytest.approx(float(value), abs=1e-12)

    def test_one_label_is_undefined(self):
        assert np.isnan(kappa([1, 1], [1, 1]))

    # Manning et al. 2008, table 8.2; Feinstein and Cicchetti 1990, as printed by Gerstman, Epidemiology Kept Simple, table 10.6
    @pytest.mark.parametrize(("counts", "printed"), [((300, 20, 10, 70), "0.776"), ((40, 9, 6, 45), "0.70"), ((80, 10, 5, 5), "0.32")])
    def test_tables_in_print(self, counts, printed):
        assert f"{kappa(*self.judges(*counts)):.{len(printed) - 2}f}" == printed

    @given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30))
    def test_as_scikit_learn(self, pairs):
        metrics = pytest.importorskip("sklearn.metrics")
        first, second = zip(*pairs)
        if len({*first, *second}) > 1:
            assert kappa(first, second) == pytest.approx(metrics.cohen_kappa_score(first, second), abs=1e-12)

    @pytest.mark.parametrize(("first", "second", "parts"), [([1], [1, 0], ["1 label", "2 labels"]), ([], [], ["0 labels", "one or more"])])
    def test_needs_labels_of_both(self, first, second, parts):
        with says(*parts):
            kappa(first, second)
