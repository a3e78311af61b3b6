"""Measures: their values in other tools and in textbooks, their parameters, their explanations, and what they refuse."""

import math
import pickle
import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

from rankmetrics_nb import (
    AP,
    AUC,
    DCG,
    ERR,
    F1,
    GMAP,
    MEASURES,
    RBP,
    RR,
    ElevenPoint,
    F,
    IPrec,
    Judged,
    MeanRank,
    Measure,
    MeasureError,
    P,
    Qrels,
    R,
    Ranking,
    Rprec,
    Run,
    f_measure,
    from_counts,
    match,
    nDCG,
    parse,
)
from rankmetrics_nb.hits import Conventions, Hits, hits_of
from rankmetrics_nb.measure import CUTOFF, REL, Param, describe, problem, show
from rankmetrics_nb.measures.user_models import err_stops, rbp_stops
from rankmetrics_nb.number import evaluate_text
from rankmetrics_nb.references import cited


def about(value):
    """A value that was printed with four decimals."""
    return pytest.approx(value, abs=0.00005001, rel=0)


# Worked examples of textbooks ------------------------------------------------------------------------------------------------


def test_precision_and_recall_of_a_product_search():
    """50 products shown, 30 of them relevant, 100 relevant ones in the shop."""
    counts = from_counts(retrieved=50, relevant_retrieved=30, relevant=100)
    assert (counts.P, counts.R, counts.F1) == pytest.approx((0.6, 0.3, 0.4))
    assert (counts.P.arithmetic, counts.R.arithmetic) == ("30/50", "30/100")


def test_f1_of_two_rates():
    value = f_measure(0.7, 0.6)
    assert value == pytest.approx(2 * 0.42 / 1.3) and round(value, 3) == 0.646
    assert evaluate_text(value.arithmetic) == value


def test_average_precision_by_hand():
    assert [(P @ k)([1, 0, 1, 0]) for k in (1, 2, 3)] == pytest.approx([1, 1 / 2, 2 / 3])
    assert AP([1, 0, 1, 0]) == pytest.approx(5 / 6)
    assert AP.explain([1, 0, 1, 0]).equation == "AP = (1/1 + 2/3)/2 = 0.8333"


def test_discounted_gain_by_hand():
    assert DCG([3, 2, 1]) == pytest.approx(7 + 3 / math.log2(3) + 1 / 2) and round(DCG([3, 2, 1]), 2) == 9.39
    assert (nDCG @ 3)([3, 2, 1]) == 1
    assert nDCG.explain([3, 2, 0, 0, 0, 1]).arithmetic.startswith("((2**3 - 1)/log2(1 + 1) + (2**2 - 1)/log2(2 + 1) + (2**1 - 1)/log2(6 + 1))/(")


# Values that other tools print for the same data ---------------------------------------------------------------------------------
# A: relevant, not relevant in the middle, one relevant document not retrieved. B: graded. D: negative grades. I: nobody judged a non-relevant document.
# L: 12 relevant documents, three of them in a list of four.

CASES = {
    "A": ({"d1": 1, "d2": 1, "d3": 0, "d9": 1}, "d1 d3 d2"),
    "B": ({"d1": 4, "d2": 3, "d3": 2, "d4": 1, "d5": 0, "d6": 4}, "d3 d1 d5 u1 d2 d4"),
    "D": ({"d1": -1, "d2": 1, "d3": -2, "d4": 2, "d5": 0}, "d1 d2 d3 d4 u1"),
    "E": ({"d1": 0, "d2": 0}, "d1 d2"),
    "I": ({"d1": 1, "d4": 1, "d7": 1}, "d1 d2 d3 d4 d5 d6 d7 d8 d9 d10"),
    "L": ({f"r{i}": 1 for i in range(12)}, "r0 r1 x1 r2"),
}
OTHERS = {
    "A": {
        "P@5": 0.4, "P(denom=retrieved)@5": 0.6667, "R@2": 0.3333, "R@5": 0.6667, "R(denom=retrieved)@5": 1, "R(denom=retrieved)@2": 0.5, "R(denom=min)@2": 0.5, "AP": 0.5556, "AP@2": 0.3333,
        "AP(norm=min_k_R)@2": 0.5, "AP(norm=hits)@2": 1, "AP(norm=hits)": 0.8333, "nDCG@5": 0.7039, "nDCG(ideal=retrieved)@5": 0.9197, "F1": 0.6667, "F1@5": 0.5, "bpref": 0.3333,
        "ERR(gmax=4)@5": 0.0820, "ERR(gmax=1)@5": 0.5833, "RBP": 0.3280, "AUC": 0.5, "11pt(levels=trec_eval9)": 0.6061, "11pt(levels=trec_eval10)": 0.6970,
    },
    "B": {
        "nDCG(gain=linear)": 0.6515, "nDCG(gain=linear,ideal=retrieved)": 0.8248, "nDCG(gain=linear)@2": 0.6934, "nDCG(gain=binary)@2": 1, "nDCG@2": 0.5095, "nDCG(gain=linear)@5": 0.6131,
        "nDCG(gain=binary)@5": 0.6844, "nDCG@5": 0.5118, "nDCG(gain=linear,ideal=retrieved)@5": 0.7762, "DCG(gain=linear)@5": 5.6843, "AP": 0.6533, "AP(norm=hits)": 0.8167,
        "AP(norm=hits)@5": 0.8667, "AP(norm=min_k_R)@2": 1, "AP@2": 0.4, "ERR(gmax=4)@5": 0.5728, "ERR@5": 0.5728, "RBP": 0.5075, "RBP(grade=raw)": 1.3513, "RBP(grade=max)": 0.3378, "P@5": 0.6,
        "AP(rel=2)": 0.65, "F(beta=2)": 0.7692,
    },
    "D": {"P@5": 0.4, "AP": 0.5, "RR": 0.5, "nDCG(gain=linear)": 0.5672, "bpref": 1, "infAP": 0.8750, "Judged@5": 0.8},
    "E": {"P@5": 0, "AP": 0, "RR": 0, "nDCG": 0, "R@5": 0, "bpref": 0, "infAP": 0, "AUC": math.nan},
    "I": {"AP": 0.6429, "Rprec": 0.3333, "nDCG": 0.8278, "AP@2": 0.3333, "AP(norm=min_k_R)@2": 0.5, "AP(norm=hits)@2": 1, "bpref": 1, "AUC(over=retrieved)": 0.7143, "Judged@5": 0.4,
          "11pt(levels=trec_eval9)": 0.6623, "11pt(levels=trec_eval10)": 0.7143},
    "L": {"P@10": 0.3, "P(denom=retrieved)@10": 0.75, "R@10": 0.25, "R(denom=retrieved)@10": 1, "AP@10": 0.2292, "AP(norm=min_k_R)@10": 0.2750, "AP(norm=hits)@10": 0.9167, "nDCG@10": 0.4537,
          "nDCG(ideal=retrieved)@10": 0.9675, "nDCG(ideal=returned)@10": 0.8048, "nDCG(ideal=uncut)@10": 0.4048},
}


@pytest.mark.parametrize(("case", "name"), [(case, name) for case, values in OTHERS.items() for name in values])
def test_values_of_other_tools(case, name):
    grades, listed = CASES[case]
    hits = match(Qrels.from_dict({"q": grades}), Run.from_dict({"q": {d: -i for i, d in enumerate(listed.split())}}))
    assert parse(name).values(hits)[0] == pytest.approx(OTHERS[case][name], abs=0.00005001, rel=0, nan_ok=True)


# Calling -----------------------------------------------------------------------------------------------------------------------


def test_a_measure_is_called_on_many_forms():
    for ranking in ([3, 0, 1], (3, 0, 1), np.array([3, 0, 1]), "3 0 1", "a:3 b:0 c:1", Ranking.of([3, 0, 1]), [3.0, False, True]):
        assert nDCG(ranking) == pytest.approx((7 + 1 / 2) / (7 + 1 / math.log2(3)))
    assert P([]) == AP([]) == nDCG("") == 0


def test_what_was_not_retrieved_counts():
    assert AP([1, 0, 1], n_relevant=4) == pytest.approx(5 / 12)
    assert nDCG([3, 0, 1], unretrieved=[2]) == pytest.approx((7 + 1 / 2) / (7 + 3 / math.log2(3) + 1 / 2))
    assert R([1, 0, 1], n_relevant=4, unretrieved=[0, 0]) == 0.5


def test_parameters_by_call_by_at_and_by_set():
    assert (nDCG @ 3)(gain="linear") == nDCG(gain="linear") @ 3 == nDCG.set(k=3, gain="linear") == parse("nDCG(gain=linear)@3")
    assert nDCG([3, 1], gain="linear", k=1) == 1
    assert str(nDCG(gain="exp2")) == "nDCG", "a default is not printed"
    assert (P @ 5) @ 3 == P @ 3 and (P @ 5) @ None == P
    assert (P @ 5).parameter("k") == 5 and P.parameter("rel") == 1 and P.has("denom") and not P.has("gain")
    assert len({AP, AP @ 3, parse("AP@3"), parse("map")}) == 2, "measures are hashable"


def test_a_measure_does_not_change_and_can_be_stored():
    with pytest.raises(AttributeError):
        AP.name = "MAP"
    measure = parse("nDCG(gain={0:0,1:1,2:8})@3")
    assert pickle.loads(pickle.dumps(measure)) == measure and pickle.loads(pickle.dumps(measure))([2, 1]) == 1


def test_a_mapping_of_gains():
    measure = nDCG(gain={0: 0, 1: 1, 2: 10})
    assert str(measure) == "nDCG(gain={0:0,1:1,2:10})" and parse(str(measure)) == measure
    assert measure([1, 2]) == pytest.approx((1 + 10 / math.log2(3)) / (10 + 1 / math.log2(3)))
    with pytest.raises(MeasureError, match="no grade 3; it has 0, 1, 2"):
        measure([3])


# Refusals ----------------------------------------------------------------------------------------------------------------------

BAD_CUTOFFS = [0, -1, 2.5, "3", True, np.True_, 2.0, np.float64(3), math.nan, [1], 10**400, "ten", b"3"]


@pytest.mark.parametrize("k", BAD_CUTOFFS, ids=repr)
@pytest.mark.parametrize("measure", [m for m in MEASURES if m.has("k")], ids=str)
def test_bad_cutoffs_are_named(measure, k):
    for attempt in (lambda: measure @ k, lambda: measure.set(k=k), lambda: measure([1, 0], k=k)):
        with pytest.raises(MeasureError) as error:
            attempt()
        assert "k must be a positive whole number" in str(error.value) and repr(k)[:100] in str(error.value)


@pytest.mark.parametrize("k", [1, 10, np.int64(3), np.uint8(3), 10**15])
def test_good_cutoffs(k):
    assert (P @ k).parameter("k") == int(k) and (P @ k)([1]) == pytest.approx(1 / int(k))


REFUSED = {
    "RBP(p=1.5)": ["p", "0 to 1", "1.5"],
    "RBP(p=-0.1)": ["p", "-0.1"],
    "RBP(p=half)": ["p", "half"],
    "RBP(grade=binry)": ["grade", "binary, max, raw", "did you mean 'binary'"],
    "IPrec@1.5": ["recall", "0 to 1", "1.5"],
    "F(beta=-1)": ["beta", "-1"],
    "ERR(gmax=-1)": ["gmax", "-1"],
    "P(rel=0)": ["rel", "above 0"],
    "nDCG(b=1)": ["b", "above 1"],
    "nDCG(gain=linaer)": ["gain", "did you mean 'linear'"],
    "nDCG(gain={1:2,2:1})": ["gain", "higher grade", "{1: 2, 2: 1}"],
    "nDCG(gain={0:0,1:x})": ["gain", "x"],
    "nDCG(gain={})": ["gain"],
    "nDCG(ideal=best)": ["ideal", "judged, uncut, returned, retrieved"],
    "AP(norm=r)": ["norm", "R, min_k_R, hits, k"],
    "R(denom=k)": ["denom", "R, min, retrieved"],
    "MeanRank(notfound=0)": ["notfound", "1", "0"],
    "MeanRank(notfound=skp)": ["notfound", "did you mean 'skip'"],
    "AP(gain=linear)": ["parameter of AP", "gain"],
    "nDCG(gian=linear)": ["parameter of nDCG", "did you mean 'gain'"],
    "11pt@5": ["11pt", "no cutoff"],
    "Rprec@5": ["Rprec", "no cutoff"],
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_parameters_are_refused_with_the_choices(name):
    with pytest.raises(MeasureError) as error:
        parse(name)
    for part in REFUSED[name]:
        assert part in str(error.value)


@pytest.mark.parametrize("gain", [{0: 0, 1: math.nan}, {0: 0, 1: math.inf}, {1: -1}, {"a": 1}, {1: True}, 5, None], ids=repr)
def test_gains_that_are_no_gains(gain):
    with pytest.raises(MeasureError, match="gain"):
        nDCG.set(gain=gain)


def test_what_a_measure_cannot_do_without():
    with pytest.raises(MeasureError, match="IPrec needs recall.*IPrec@0.5"):
        IPrec([1, 0])
    with pytest.raises(MeasureError, match=r"AP\(norm=k\) needs a cutoff"):
        AP(norm="k")([1])
    with pytest.raises(MeasureError, match="AP has no residual"):
        AP.residual([1])
    with pytest.raises(MeasureError, match="one measure, got AP and P"):
        AP.explain([1]).minus(P.explain([1]))
    with pytest.raises(MeasureError, match="cutoff"):
        Rprec.curve([1, 0])
    with pytest.raises(MeasureError, match="cutoff"):
        IPrec.curve([1, 0])


def test_grades_above_the_maximum_grade():
    for attempt in (lambda: ERR(gmax=2)([3, 1]), lambda: ERR(gmax=2)([1], unretrieved=[3]), lambda: ERR(gmax=2).explain([3])):
        with pytest.raises(MeasureError, match="grade 3 is above gmax = 2; give gmax=3"):
            attempt()


def test_grades_that_overflow():
    for measure in (nDCG, DCG):
        with pytest.raises(MeasureError, match="overflows for the grade 2000.*gain=linear"):
            measure([2000, 1])
        assert measure(gain="linear")([2000, 1]) > 0
    with pytest.raises(MeasureError, match="2000"):
        ERR([2000])
    with pytest.raises(MeasureError, match="1e[+]308"):
        nDCG([1e308] * 5, gain="linear")
    with pytest.raises(MeasureError, match="overflows for gmax = 2000"):
        ERR(gmax=2000)([1])
    assert nDCG([1000] * 10) == 1 and math.isfinite(DCG([1000] * 10)) and ERR([1000]) == pytest.approx(1)


@pytest.mark.parametrize("ranking", [[1, "a"], [math.nan], [math.inf], 5, {"a": 1}, [[1, 0]], "1 0 x", "a:1 a:2", b"1 0"], ids=repr)
def test_bad_rankings_are_refused(ranking):
    for attempt in (AP, AP.explain, AP.curve):
        with pytest.raises(ValueError):
            attempt(ranking)


def test_bad_extras_are_refused():
    for extras in ({"n_relevant": 1}, {"n_relevant": 2.5}, {"n_relevant": True}, {"unretrieved": ["x"]}, {"unretrieved": [None]}, {"unretrieved": 2}, {"unretrieved": "2"}, {"norel": "on"}):
        with pytest.raises(ValueError):
            AP.explain([1, 1], **extras)


def test_steps_are_for_one_query():
    hits = match(Qrels.from_dict({"p": {"a": 1}, "q": {"a": 1}}), Run.from_dict({"p": {"a": 1}}))
    with pytest.raises(MeasureError, match="one query, got 2"):
        AP.steps(hits)
    assert AP.steps(hits.of_query(1)).value == 0


# Undefined values ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("norel", "value"), [("default", 0), ("zero", 0), ("one", 1), ("skip", math.nan), ("nan", math.nan)])
@pytest.mark.parametrize("measure", [m for m in MEASURES if m.needs in ("relevant", "gain") and m.norel == "zero" and m.name != "IPrec"], ids=str)
def test_no_relevant_document(measure, norel, value):
    steps = measure.explain([0, None, 0], norel=norel)
    assert steps.value == pytest.approx(value, nan_ok=True) and evaluate_text(steps.arithmetic) == pytest.approx(value, nan_ok=True)
    assert any("no relevant document" in note and "undefined" in note for note in steps.notes)
    assert math.fsum(row.contribution for row in steps.rows) == pytest.approx(value, nan_ok=True)
    assert ("undefined" if math.isnan(value) else f"{value:.4f}") in steps.equation and steps.text and steps.html and steps.markdown and steps.tex


def test_auc_needs_both_classes():
    assert math.isnan(AUC([1, 1])) and math.isnan(AUC([0, 0])) and math.isnan(AUC([])) and math.isnan(AUC([1, None]))
    assert AUC([1, None], over="retrieved") == 1 and AUC([1, 0]) == 1 and AUC([0, 1]) == 0
    assert any("no pair" in note for note in AUC.explain([1, 1]).notes)


def test_mean_rank_without_a_relevant_document_in_the_list():
    assert math.isnan(MeanRank([0, 0], n_relevant=1)) and MeanRank([0, 0], n_relevant=1, notfound="n_plus_1") == 3
    assert MeanRank([0, 0], n_relevant=1, notfound=100) == 100 and math.isnan(MeanRank([], n_relevant=1, notfound="n_plus_1"))
    assert any("notfound=skip" in note for note in MeanRank.explain([0, 0], n_relevant=1).notes)
    assert MeanRank([0, 1, 1], n_relevant=3, of="all") == 2.5 and MeanRank([0, 1, 1], n_relevant=3, of="all", notfound="n_plus_1") == 3


# Steps ---------------------------------------------------------------------------------------------------------------------------


def test_every_document_has_a_row():
    steps = AP.explain("a:1 b:? c:0 d:1", n_relevant=3)
    assert [(r.rank, r.doc_id, r.grade, r.earned) for r in steps.rows] == [(1, "a", 1, "1/1"), (2, "b", None, "0"), (3, "c", 0, "0"), (4, "d", 1, "2/4")]
    assert [r.contribution for r in steps.rows] == pytest.approx([1 / 3, 0, 0, 1 / 6])
    assert [r.running for r in steps.rows] == pytest.approx([1 / 3, 1 / 3, 1 / 3, 1 / 2])
    assert steps.arithmetic == "(1/1 + 2/4)/3" and steps.value == 0.5 and steps.formula == AP.formula
    assert "1 relevant document was not retrieved: it contributes 0" in steps.notes
    assert any("unjudged" in note for note in steps.notes)
    assert "2 relevant documents were not retrieved: they contribute 0" in AP.explain([1], n_relevant=3).notes


def test_terms_of_single_measures():
    written = {
        (P @ 3): "2/3", R: "2/2", (F1 @ 3): "2*2/(3 + 2)", RR: "1/1", Rprec: "1/2", Judged: "3/3", MeanRank: "1",
        RBP(p=0.5): "(1 - 0.5)*0.5**(1 - 1) + (1 - 0.5)*0.5**(3 - 1)", ERR: "(2**1 - 1)/2**1/1 + (2**1 - 1)/2**1/3*(1 - (2**1 - 1)/2**1)",
        AUC: "(1 + 0)/2", (IPrec @ 0.5): "max(1/1, 2/3)", nDCG(gain="linear", k=1): "1/log2(1 + 1)/(1/log2(1 + 1))",
    }
    for measure, text in written.items():
        steps = measure.explain([1, 0, 1])
        assert evaluate_text(text) == pytest.approx(steps.value), f"{measure}: the expectation itself"
        assert steps.arithmetic.replace(" ", "") == text.replace(" ", ""), str(measure)


def test_text_of_steps():
    lines = AP.explain([1, 0, 1, 0]).text.splitlines()
    assert lines[0].split() == ["rank", "document", "grade", "earned", "contribution", "running", "sum"]
    assert lines[1].split() == ["1", "d1", "1", "1/1", "0.5000", "0.5000"]
    assert lines[3].split() == ["3", "d3", "1", "2/3", "0.3333", "0.8333"]
    assert lines[6] == "AP = (1/1 + 2/3)/2 = 0.8333"
    assert str(AP.explain([1])) == repr(AP.explain([1])) == AP.explain([1]).text


def test_markdown_and_latex_of_steps():
    steps = AP.explain([1, 0, 1, 0])
    assert r"$$\mathrm{AP} = \frac{\frac{1}{1} + \frac{2}{3}}{2} = 0.8333$$" in steps.markdown
    assert steps.markdown.splitlines()[0].count("|") == 7 and steps.markdown.splitlines()[1].startswith("| --- |") | steps.markdown.splitlines()[1].startswith("|")
    assert steps.tex.startswith(r"\begin{tabular}") and r"\[ \mathrm{AP} = \frac{\frac{1}{1} + \frac{2}{3}}{2} = 0.8333 \]" in steps.tex
    assert steps._repr_html_() == steps.html


@pytest.mark.parametrize("measure", [m @ 0.5 if m.name == "IPrec" else m for m in MEASURES], ids=str)
def test_braces_match_in_latex(measure):
    for ranking in ([3, None, 0, 1, -1, 2], [0, 1], [1]):
        latex = measure.explain(ranking, unretrieved=[1]).latex
        assert latex.count("{") == latex.count("}") and latex.count(r"\left(") == latex.count(r"\right)") and "**" not in latex


def test_long_lists_are_cut_in_the_table_and_not_in_the_rows():
    steps = AP.explain([1, 0] * 100)
    assert len(steps.rows) == 200 and len(steps.table()[1]) == 60
    assert "140 rows not shown; all are in .rows" in steps.text
    short = AP.explain([0] * 100 + [1])
    assert len(short.table()[1]) == 1 and short.table()[1][0][0] == "101", "earning rows are shown"


def test_notes_say_what_was_decided():
    gain = "\n".join(nDCG.explain([3, 1]).notes)
    assert "2^grade - 1" in gain and "nDCG(gain=linear)" in gain
    assert "nDCG" in "\n".join(nDCG(gain="linear").explain([3, 1]).notes) and not nDCG.explain([1, 0]).notes, "no choice where grades are 0 and 1"
    assert any("gmax = 3" in note for note in ERR.explain([3, 1]).notes) and not ERR(gmax=3).explain([3, 1]).notes
    assert any(note.startswith("residual 0.6400") for note in RBP.explain([1, 0]).notes)


def test_residual():
    assert RBP(p=0.5).residual([1, 0, 1]) == pytest.approx(0.5**3)
    assert RBP.residual([1, None, 0], p=0.5) == pytest.approx(0.5**3 + 0.25)
    assert RBP(k=2, p=0.5).residual([1, 0, 1, 1]) == pytest.approx(0.25)
    assert RBP(p=0.5, grade="raw").residual([2, None, 0]) == pytest.approx(2 * (0.5**3 + 0.25))


def test_curves():
    assert P.curve([1, 0, 1]) == pytest.approx([1, 1 / 2, 2 / 3]) and R.curve([1, 0, 1], upto=4) == pytest.approx([0.5, 0.5, 1, 1])
    assert P.curve([]) == []


# Differences -----------------------------------------------------------------------------------------------------------------------


def test_a_difference_by_document():
    difference = AP.explain("bus:1 car:0 bike:1").minus(AP.explain("car:0 bus:1 bike:1"))
    assert difference.value == pytest.approx(5 / 6 - 7 / 12)
    changes = {c.doc_id: (c.rank_a, c.rank_b, c.a, c.b, c.difference) for c in difference.rows}
    assert changes["bus"] == pytest.approx((1, 2, 1 / 2, 1 / 4, 1 / 4)) and changes["bike"] == pytest.approx((3, 3, 1 / 3, 1 / 3, 0)) and changes["car"] == pytest.approx((2, 1, 0, 0, 0))
    assert difference.rows[0].doc_id == "bus", "the largest change comes first"
    lines = difference.text.splitlines()
    assert lines[-1].split() == ["sum", "0.8333", "0.5833", "+0.2500"] and str(difference) == repr(difference) == difference.text
    assert "bus" in difference.markdown and "<td>bus</td>" in difference.html and difference._repr_html_() == difference.html


def test_a_document_that_is_in_one_list_only():
    difference = RR.explain("x:0 bus:1").minus(RR.explain("taxi:1"))
    changes = {c.doc_id: (c.rank_a, c.rank_b, c.difference) for c in difference.rows}
    assert changes == {"bus": (2, None, 0.5), "taxi": (None, 1, -1.0), "x": (1, None, 0.0)} and difference.value == -0.5


# Escaping --------------------------------------------------------------------------------------------------------------------------

NASTY = "<script>alert('_a_ & 50%')</script>|*$#{}~^"


class Tags(HTMLParser):
    """Collects the tags and the text of a piece of HTML."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.text = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)

    def handle_data(self, data):
        self.text.append(data)


def nasty_forms():
    """Steps and a difference of documents whose ids hold everything that has a meaning somewhere."""
    ranking = Ranking((1.0, 0.0), (NASTY, "back\\slash"))
    steps = replace(AP.explain(ranking), notes=(f"about {NASTY}",))
    return {"steps": steps, "difference": steps.minus(AP.explain([1, 0]))}


@pytest.mark.parametrize("kind", ["steps", "difference"])
def test_html_is_escaped(kind):
    html = nasty_forms()[kind].html
    seen = Tags(html)
    assert "script" not in seen.tags and "<script" not in html and NASTY in seen.text


@pytest.mark.parametrize("kind", ["steps", "difference"])
def test_markdown_is_escaped(kind):
    lines = [line for line in nasty_forms()[kind].markdown.splitlines() if "script" in line]
    assert lines
    for line in lines:
        for sign in "<>_&|*$#":
            assert not re.search(rf"(?<!\\){re.escape(sign)}", line.replace("| ", "").replace(" |", "").replace(" --- ", "")), sign


def test_latex_is_escaped():
    tex = nasty_forms()["steps"].tex
    table = tex[: tex.index(r"\bottomrule")]
    line = next(line for line in table.splitlines() if "script" in line)
    bare = line.replace(r"\textasciitilde{}", "").replace(r"\textasciicircum{}", "").removesuffix(r" \\")
    cells = re.split(r"(?<!\\) & ", bare)
    assert len(cells) == 6
    for sign in "_&%$#{}":
        assert not re.search(rf"(?<!\\){re.escape(sign)}", cells[1]), sign
    assert "~" not in cells[1] and "^" not in cells[1] and r"back\textbackslash{}slash" in table


def test_text_is_what_it_is():
    assert NASTY in nasty_forms()["steps"].text and NASTY in nasty_forms()["difference"].text


# From counts and rates ----------------------------------------------------------------------------------------------------------------


def test_counts_with_steps():
    counts = from_counts(retrieved=4, relevant_retrieved=3, relevant=6)
    assert (counts.P, counts.R, counts.F1) == pytest.approx((3 / 4, 3 / 6, 2 * 3 / 10))
    for worked in (counts.P, counts.R, counts.F1):
        assert evaluate_text(worked.arithmetic) == pytest.approx(worked) and worked.steps.value == worked
        assert math.fsum(row.contribution for row in worked.steps.rows) == pytest.approx(worked)
    assert counts.P.arithmetic == "3/4"
    empty = from_counts(0, 0, 5)
    assert (empty.P, empty.R, empty.F1) == (0, 0, 0)
    nothing = from_counts(5, 0, 0)
    assert (nothing.P, nothing.R, nothing.F1) == (0, 0, 0) and any("no relevant" in note for note in nothing.R.steps.notes)
    assert from_counts(np.int64(2), 1, 2).P == 0.5


@pytest.mark.parametrize("counts", [(1, 2, 3), (3, 2, 1), (-1, 0, 1), (1.5, 1, 1), (True, 1, 1), ("3", 1, 1), (3, None, 1)], ids=repr)
def test_counts_that_cannot_be(counts):
    with pytest.raises(MeasureError) as error:
        from_counts(*counts)
    assert re.search("retrieved|relevant", str(error.value))


@pytest.mark.parametrize(("p", "r", "beta", "value"), [(1, 1, 1, 1), (0.5, 0.5, 1, 0.5), (0, 0, 1, 0), (1, 0, 1, 0), (0.5, 1, 2, 5 * 0.5 / (4 * 0.5 + 1)), (0.5, 1, 0, 0.5), (0.5, 1, 0.5, 1.25 * 0.5 / 1.125)])
def test_f_measure(p, r, beta, value):
    worked = f_measure(p, r, beta)
    assert worked == pytest.approx(value) and evaluate_text(worked.arithmetic) == pytest.approx(worked, abs=1e-15)


@pytest.mark.parametrize("rates", [(1.5, 0.5), (0.5, -0.1), ("0.5", 0.5), (math.nan, 0.5), (True, 1), (0.5, None), (0.5, 0.5, -1), (0.5, 0.5, "2"), (0.5, 0.5, math.nan)], ids=repr)
def test_rates_that_cannot_be(rates):
    with pytest.raises(MeasureError, match="precision|recall|beta"):
        f_measure(*rates)


# Records and own measures ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_the_record_is_complete(measure):
    assert measure.title and measure.question.endswith("?") and measure.formula and measure.reference
    assert measure.direction in ("higher", "lower") and measure.bounds[0] < measure.bounds[1]
    text = describe(measure)
    assert measure.__doc__ == text and measure.formula in text and measure.question in text
    assert all(f"Reference: {cited(key)}" in text for key in measure.reference)
    for p in measure.params:
        assert p.doc and re.search(rf"^    {p.name} = ", text, re.M)
        assert p.default is None or p.check(p.default) == p.default


def first_half(hits: Hits, k=None, p=0.5):
    """Each relevant document earns half of what the one above it earned."""
    hits = hits.relevant().within(k)
    return hits.earn(p**hits.found)


HALVES = Measure("Halves", first_half, "Are there many?", r"\sum_i p^i", ("made up",), "halves", (CUTOFF, REL, Param("p", "number", "what remains", default=0.5, low=0, high=1)))


def test_sources_are_a_tuple():
    with pytest.raises(MeasureError, match=r"^Halves: reference is a tuple of keys or texts, got 'made up'; write \('made up',\)$"):
        replace(HALVES, reference="made up")


def test_a_measure_of_ones_own():
    assert HALVES([1, 0, 1]) == 0.75 and (HALVES @ 2)([1, 0, 1]) == 0.5 and HALVES([2, 1], rel=2) == 0.5 and HALVES([1, 1], p=0.1) == pytest.approx(0.11)
    steps = HALVES.explain([1, 0, 1])
    assert steps.arithmetic == "0.5**1 + 0.5**2" and steps.value == 0.75
    assert str(HALVES(p=0.25) @ 3) == "Halves(p=0.25)@3" and "Are there many?" in HALVES.__doc__
    assert any("no relevant" in note for note in HALVES.explain([0]).notes)
    assert HALVES.explain([1, 0]).minus(HALVES.explain([0, 1])).value == 0


def test_small_helpers():
    assert show(0.83333) == "0.8333" and show(math.nan) == "undefined"
    assert problem(lambda: P @ 0) == "k must be a positive whole number, got 0"
    with pytest.raises(RuntimeError, match="no error"):
        problem(lambda: P @ 1)
    assert GMAP([1, 0, 1]) == AP([1, 0, 1]) and F([1, 0]) == F1([1, 0])
    assert ElevenPoint([1, 0, 1]) == pytest.approx((6 * 1 + 5 * 2 / 3) / 11)
    assert AP.values(hits_of(Ranking.of([1]))).shape == (1,)


def test_what_each_rank_adds():
    steps = AP.explain("R N R", n_relevant=3)
    assert steps.by_rank(4).tolist() == pytest.approx([1 / 3, 0, 2 / 9, 0]) and steps.by_rank(2).tolist() == pytest.approx([1 / 3, 0])
    tied = Conventions(ties="middle")  # the two share rank 1.5: it adds 1/1.5, but it is no rank of the list
    middle = RR.steps(match(Qrels.from_dict({"q": {"a": 1}}), Run.from_dict({"q": {"a": 1.0, "b": 1.0}}), tied), tied)
    assert middle.value == pytest.approx(2 / 3) and middle.by_rank(2).tolist() == [0, 0]


def test_who_stops_where():
    """RBP: 1 - p of those who come so far. ERR: 3/8, then 7/8 and 1/8 of those who come so far."""
    assert rbp_stops(RBP(p=0.5, rel=2, grade="max") @ 1, 3).tolist() == [1 / 2, 1 / 4, 1 / 8], "the weights, whatever is relevant or cut"
    assert err_stops(ERR.explain("2 3 0 1"), 5).tolist() == pytest.approx([3 / 8, 5 / 8 * 7 / 8, 0, 5 / 64 / 8, 0])
