"""From judgements and run to hits: order and ties, unjudged and negative documents, conventions and what they say."""

import numpy as np
import pytest

from rankmetrics_nb import AP, MEASURES, RR, Conventions, P, Qrels, Ranking, Run, evaluate, match, parse
from rankmetrics_nb.hits import CHOICES, choose, hits_of, maximum, minimum, notes
from rankmetrics_nb.presets import as_conventions
from rankmetrics_nb.relevance import DataError


def one(grades, scores, **fields):
    """The hits of one query."""
    return match(Qrels.from_dict({"q": grades}), Run.from_dict({"q": scores}), Conventions(**fields))


def order(hits):
    return dict(zip(hits.doc_ids.tolist(), hits.rank.tolist()))


# Order and ties ----------------------------------------------------------------------------------------------------------

JUDGED = dict.fromkeys(("9", "10", "100", "x"), 0)
TIED = {"10": 5.0, "9": 5.0, "100": 5.0, "x": 7.0}


@pytest.mark.parametrize(
    ("ties", "expected"),
    [
        ("docid_desc", ["x", "9", "100", "10"]),
        ("docid_asc", ["x", "10", "100", "9"]),
        ("input", ["x", "10", "9", "100"]),
    ],
)
def test_equal_scores_by_text_and_by_input(ties, expected):
    assert one(JUDGED, TIED, ties=ties).doc_ids.tolist() == expected


def test_equal_scores_by_number():
    judged, scores = {"9": 0, "10": 0, "100": 0}, {"10": 5.0, "9": 5.0, "100": 5.0}
    assert one(judged, scores, ties="docid_numeric_desc").doc_ids.tolist() == ["100", "10", "9"]
    with pytest.raises(DataError, match="whole numbers, got 'x'.*docid_desc"):
        one(JUDGED, TIED | {"x": 5.0}, ties="docid_numeric_desc")
    assert one(JUDGED, TIED, ties="docid_numeric_desc").doc_ids.tolist() == ["x", "100", "10", "9"], "only tied ids must be numbers"


def test_equal_scores_by_grade():
    grades, scores = {"a": 0, "b": 3, "c": 1, "e": -1}, dict.fromkeys("abcde", 1.0)
    assert one(grades, scores, ties="best").doc_ids.tolist() == ["b", "c", "a", "e"]
    assert one(grades, scores, ties="worst").doc_ids.tolist() == ["e", "a", "c", "b"]
    assert order(one(grades, scores, ties="best")) == {"b": 1, "c": 2, "a": 4, "e": 5}, "the unjudged d counts as grade 0 and its id is greater than a"


def test_shared_ranks():
    scores = {"a": 9.0, "b": 5.0, "c": 5.0, "d": 5.0, "e": 1.0}
    grades = dict.fromkeys("abcde", 1)
    assert list(order(one(grades, scores, ties="middle")).values()) == [1, 3, 3, 3, 5]
    assert list(order(one(grades, scores, ties="threshold")).values()) == [1, 4, 4, 4, 5]
    hits = one(grades, scores)
    assert hits.top.tolist() == [1, 2, 2, 2, 5] and hits.bottom.tolist() == [1, 4, 4, 4, 5] and hits.tied.tolist() == [3]


def test_ids_are_ordered_by_their_bytes():
    """As trec_eval's strcmp does: upper case before lower case, and other scripts after both."""
    docs = ["Z", "a", "é", "文", "\udcff"]  # the last is the single byte FF
    hits = one(dict.fromkeys(docs, 1), dict.fromkeys(docs, 1.0), ties="docid_asc")
    assert hits.doc_ids.tolist() == sorted(docs, key=lambda d: d.encode("utf-8", "surrogateescape")) == docs


def test_average_spreads_every_hit_over_its_group():
    hits = one({"a": 1, "b": 1}, {"a": 1.0, "b": 1.0, "c": 1.0, "x": 2.0}, ties="average")
    assert hits.rank.tolist() == [2, 2, 3, 3, 4, 4] and hits.weight == pytest.approx(1 / 3)
    assert sorted(zip(hits.doc_ids, hits.rank)) == [("a", 2), ("a", 3), ("a", 4), ("b", 2), ("b", 3), ("b", 4)]
    assert sorted(hits.once().doc_ids) == ["a", "b"] and not hits.once().spread
    assert hits.found == pytest.approx([1, 1, 1.5, 1.5, 2, 2]), "the expected number found, given that this one is here"


def test_infinite_scores_have_a_place():
    hits = one({"a": 1, "b": 1, "c": 1}, {"b": -np.inf, "c": 0.0, "a": np.inf})
    assert hits.doc_ids.tolist() == ["a", "c", "b"]
    assert one({"a": 1, "b": 1}, {"a": np.inf, "b": np.inf}).tied.tolist() == [2]


def test_single_precision_makes_ties():
    grades, scores = {"a": 1, "b": 0}, {"a": 1.00000001, "b": 1.0}
    assert evaluate({"q": grades}, {"q": scores}, "AP").mean["AP"] == 1
    assert evaluate({"q": grades}, {"q": scores}, "AP", score_dtype="float32").mean["AP"] == 0.5
    assert one(grades, scores, score_dtype="float32").tied.tolist() == [2]


# Documents and queries ---------------------------------------------------------------------------------------------------


def test_unjudged_documents_keep_their_place_or_go():
    grades, scores = {"r": 1, "n": 0}, {"u": 3.0, "r": 2.0, "v": 1.5, "n": 1.0}
    kept, gone = one(grades, scores), one(grades, scores, unjudged="remove")
    assert order(kept) == {"r": 2, "n": 4} and kept.retrieved.tolist() == [4]
    assert order(gone) == {"r": 1, "n": 2} and gone.retrieved.tolist() == [2]


def test_a_query_of_unjudged_documents_is_answered():
    hits = one({"r": 1}, {"u": 1.0}, unjudged="remove")
    assert hits.answered.tolist() == [True] and hits.retrieved.tolist() == [0] and len(hits) == 0


def test_a_document_named_like_its_query():
    qrels, run = Qrels.from_dict({"7": {"7": 1, "8": 1}, "8": {"7": 1}}), Run.from_dict({"7": {"7": 3, "8": 2}, "8": {"7": 1}})
    assert match(qrels, run).rank.tolist() == [1, 2, 1]
    without = match(qrels, run, Conventions(self_hits="remove"))
    assert without.rank.tolist() == [1, 1] and without.doc_ids.tolist() == ["8", "7"] and without.n_relevant.tolist() == [2, 1]


def test_negative_grades():
    """Not relevant, no gain, in no ideal list, not among the judged non-relevant; but judged."""
    hits = one({"a": -2, "b": 1, "c": 0, "d": -1}, {"a": 4, "b": 3, "c": 2})
    assert (hits.n_relevant.tolist(), hits.n_nonrelevant.tolist(), hits.ideal_grades.tolist()) == ([1], [1], [1, 0])
    assert len(hits) == 3 and len(hits.gaining()) == 1 and hits.nonrelevant().doc_ids.tolist() == ["c"]
    values = {name: parse(name)([-2, 1, 0], unretrieved=[-1]) for name in ("P@3", "AP", "nDCG", "bpref", "AUC", "Judged@3", "ERR")}
    assert values == pytest.approx({"P@3": 1 / 3, "AP": 1 / 2, "nDCG": 1 / np.log2(3), "bpref": 1, "AUC": 1, "Judged@3": 1, "ERR": 1 / 4})


def test_queries_come_in_the_order_of_the_judgements():
    qrels, run = Qrels.from_dict({"b": {"d": 1}, "a": {"d": 1}, "c": {}}), Run.from_dict({"a": {"d": 1}, "z": {"d": 1}, "b": {"e": 2, "d": 1}})
    hits = match(qrels, run)
    assert hits.query_ids == ("b", "a", "c") and hits.query.tolist() == [0, 1] and hits.rank.tolist() == [2, 1]
    assert hits.answered.tolist() == [True, True, False] and hits.retrieved.tolist() == [2, 1, 0]


def test_nothing_at_all():
    hits = match(Qrels.from_dict({}), Run.from_dict({}))
    assert len(hits) == 0 and hits.n_queries == 0 and all(len(m.values(hits)) == 0 for m in MEASURES if m.name != "IPrec")


# Hits --------------------------------------------------------------------------------------------------------------------


def test_parts_of_hits():
    hits = match(Qrels.from_dict({"p": {"a": 2, "b": 0, "lost": 3}, "q": {"a": 1}}), Run.from_dict({"p": {"b": 3, "x": 2, "a": 1}, "q": {"a": 1}}))
    assert hits.relevant().doc_ids.tolist() == ["a", "a"] and hits.within(1).doc_ids.tolist() == ["b", "a"]
    assert hits.within(np.array([0, 1])).query.tolist() == [1], "a cutoff a query"
    assert hits.best_grade.tolist() == [3, 1] and hits.top_grade == 3
    first, second = hits.of_query(0), hits.of_query(1)
    assert (first.query_ids, first.rank.tolist(), first.n_relevant.tolist()) == (("p",), [1, 3], [2])
    assert (second.query_ids, second.rank.tolist(), second.query.tolist()) == (("q",), [1], [0])
    ideal = hits.ideal()
    assert ideal.grade.tolist() == [3, 2, 0, 1] and ideal.rank.tolist() == [1, 2, 3, 1]
    assert hits.reordered().grade.tolist() == [2, 0, 1]


def test_a_typed_ranking_is_one_query():
    hits = hits_of(Ranking.of("bus:3 bike:? pass:0", unretrieved=[1]))
    assert (hits.doc_ids.tolist(), hits.rank.tolist(), hits.grade.tolist()) == (["bus", "pass"], [1, 3], [3, 0])
    assert (hits.retrieved.tolist(), hits.n_relevant.tolist(), hits.ideal_grades.tolist()) == ([3], [2], [3, 1, 0])


def test_minimum_and_maximum_keep_the_memory():
    hits = hits_of(Ranking.of([3, 1])).remember()
    assert [x.text for x in minimum(hits.grade, hits.rank)] == ["min(3, 1)", "min(1, 2)"]
    assert [x.text for x in maximum(hits.grade, 2)] == ["max(3, 2)", "max(1, 2)"]
    assert minimum(np.array([1, 5]), 3).tolist() == [1, 3]


# Conventions -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("field", CHOICES)
def test_the_first_choice_is_the_default(field):
    assert getattr(Conventions(), field) == next(iter(CHOICES[field]))
    for choice in CHOICES[field]:
        assert getattr(Conventions(**{field: choice}), field) == choice
    for bad in ("nonsense", "", None, 1, ["zero"]):
        with pytest.raises(ValueError, match=f"{field} must be one of .*{next(iter(CHOICES[field]))}"):
            Conventions(**{field: bad})


def test_a_near_miss_gets_a_suggestion():
    with pytest.raises(ValueError, match="did you mean 'average'"):
        Conventions(ties="averge")
    with pytest.raises((ValueError, TypeError), match="did you mean 'ties'"):
        as_conventions(tie="average")
    with pytest.raises(ValueError, match="colour must be one of red, blue, got 'rad'; did you mean 'red'"):
        choose("colour", "rad", ["red", "blue"])


def test_conventions_say_what_differs():
    assert str(Conventions()) == "house default"
    assert str(Conventions(ties="average", missing="skip")) == "ties=average, missing=skip"
    assert "nDCG(gain=linear)" in str(Conventions(measures={"nDCG": {"gain": "linear"}}))


def test_fields_change_conventions_that_are_given():
    base = Conventions(ties="input", missing="skip")
    assert as_conventions(base, ties="average") == Conventions(ties="average", missing="skip")
    assert as_conventions(None, norel="one") == Conventions(norel="one") and as_conventions(base) == base


def test_conventions_do_not_change():
    with pytest.raises(AttributeError):
        Conventions().ties = "average"


# Notes -------------------------------------------------------------------------------------------------------------------


def said(qrels, run, **fields):
    conventions = Conventions(**fields)
    return notes(match(Qrels.from_dict(qrels), Run.from_dict(run), conventions), conventions)


def test_nothing_is_said_where_nothing_was_decided():
    assert said({"q": {"a": 1, "b": 0}}, {"q": {"a": 2, "b": 1}}) == []


@pytest.mark.parametrize(("missing", "words"), [("zero", "it counts as an empty list"), ("skip", "left out of the mean")])
def test_missing_queries_are_named(missing, words):
    (note,) = said({"q": {"a": 1}, "gone": {"a": 1}}, {"q": {"a": 2}}, missing=missing)
    assert "1 judged query has no results" in note and "gone" in note and words in note
    (note,) = said({"q": {"a": 1}, "gone": {"a": 1}, "lost": {"a": 1}}, {"q": {"a": 2}}, missing=missing)
    assert "2 judged queries have no results" in note


def test_unjudged_documents_are_counted():
    (note,) = said({"q": {"a": 1}}, {"q": {"a": 3, "x": 2, "y": 1}})
    assert note == "2 of 3 retrieved documents are unjudged and count as not relevant"
    assert said({"q": {"a": 1}}, {"q": {"a": 3, "x": 2}}) == ["1 of 2 retrieved documents is unjudged and counts as not relevant"]
    assert said({"q": {"a": 1}}, {"q": {"a": 3, "x": 2, "y": 1}}, unjudged="remove") == []


@pytest.mark.parametrize("ties", ["docid_desc", "input", "average", "threshold"])
def test_ties_are_counted_and_the_rule_is_said(ties):
    (note,) = said({"q": {"a": 1, "b": 1, "c": 0}}, {"q": {"a": 3, "b": 3, "c": 1}}, ties=ties)
    assert "2 documents in 1 query" in note and "query q" in note and CHOICES["ties"][ties] in note


def test_a_tie_rule_that_a_measure_does_not_take():
    for name in ("IPrec@0.5", "11pt", "bpref", "infAP", "AP(norm=hits)"):
        with pytest.raises(ValueError, match="no value under ties=average"):
            evaluate({"q": {"a": 1}}, {"q": {"a": 1}}, name, ties="average")
    for measure in (P, RR):
        with pytest.raises(ValueError, match="it allows docid_desc"):
            evaluate({"q": {"a": 1}}, {"q": {"a": 1}}, measure, ties="threshold")
    assert evaluate({"q": {"a": 1}}, {"q": {"a": 1}}, AP, ties="threshold").mean["AP"] == 1
