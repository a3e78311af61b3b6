"""Whole runs: what enters a mean, what is said about it, under which names it is found, and how it is shown."""

import math
import pickle

import needs
import numpy as np
import pytest

from rankmetrics_nb import AP, AUC, MEASURES, RR, Conventions, DataError, Measure, MeasureError, P, Qrels, Run, evaluate, nDCG, parse, read_qrels, read_run
from rankmetrics_nb.measure import CUTOFF

# Three judged queries: the first is perfect, the second has its document at rank 2, the third has no results. The run has a query that nobody judged.
QRELS = {"q1": {"d1": 1}, "q2": {"d1": 1}, "q3": {"d1": 1}}
RUN = {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d2": 2.0, "d1": 1.0}, "q4": {"d1": 1.0}}


def about(value):
    """A value that was printed with four decimals."""
    return pytest.approx(value, abs=0.00005001, rel=0)


def note(result, *parts):
    """The only note that holds all parts."""
    found = [text for text in result.notes if all(part in text for part in parts)]
    assert len(found) == 1, (parts, result.notes)
    return found[0]


# Means -------------------------------------------------------------------------------------------------------------------------


def test_a_missing_query_counts_as_an_empty_list():
    """The means that trec_eval -c and ir_measures print."""
    result = evaluate(QRELS, RUN, ["P@5", "AP", "nDCG", "GMAP"])
    assert dict(result.mean) == about({"P@5": 0.1333, "AP": 0.5, "nDCG": 0.5436, "GMAP": 0.0171})
    assert dict(result.per_query["AP"]) == {"q1": 1, "q2": 0.5, "q3": 0} and result.n["AP"] == 3
    assert "q3" in note(result, "1 judged query has no results", "empty list")


def test_a_missing_query_left_out():
    """The means that trec_eval 9 prints without -c."""
    result = evaluate(QRELS, RUN, ["P@5", "AP", "nDCG", "GMAP"], missing="skip")
    assert dict(result.mean) == about({"P@5": 0.2, "AP": 0.75, "nDCG": 0.8155, "GMAP": 0.7071})
    assert math.isnan(result.per_query["AP"]["q3"]) and result.n["AP"] == 2
    assert "q3" in note(result, "left out of the mean")


def test_a_missing_query_refused():
    for run in (RUN, RUN | {"q3": {}}):
        with pytest.raises(DataError) as error:
            evaluate(QRELS, run, "AP", missing="error")
        assert all(part in str(error.value) for part in ("q3", "no results", "missing=zero", "missing=skip"))
    assert evaluate({"q1": QRELS["q1"]}, RUN, "AP", missing="error").mean["AP"] == 1


def test_an_empty_list_is_no_answer():
    result = evaluate(QRELS, RUN | {"q3": {}}, "AP")
    assert result.mean["AP"] == 0.5 and "q3" in note(result, "no results")
    assert evaluate(QRELS, RUN | {"q3": {}}, "AP", missing="skip").n["AP"] == 2


@pytest.mark.parametrize(("norel", "mean", "n"), [("zero", 0.5, 2), ("one", 1, 2), ("skip", 1, 1), ("nan", math.nan, 2), ("default", 0.5, 2)])
def test_a_query_without_relevant_documents(norel, mean, n):
    result = evaluate({"good": {"a": 1}, "bad": {"a": 0}}, {"good": {"a": 1}, "bad": {"a": 1}}, ["AP", "nDCG"], norel=norel)
    for name in ("AP", "nDCG"):
        assert result.mean[name] == pytest.approx(mean, nan_ok=True) and result.n[name] == n
        assert "bad" in note(result, f"{name}:", "no relevant document")
    value = result.per_query["AP"]["bad"]
    assert math.isnan(value) if norel in ("skip", "nan") else value == (norel == "one")


def test_measures_that_leave_queries_out():
    qrels = {"both": {"a": 1, "b": 0}, "one": {"a": 1}, "none": {"c": 1}}
    run = {"both": {"a": 2, "b": 1}, "one": {"a": 1}, "none": {"a": 1}}
    result = evaluate(qrels, run, ["AUC", "MeanRank", "AP"])
    assert dict(result.mean) == pytest.approx({"AUC": 1, "MeanRank": 1, "AP": 2 / 3}) and dict(result.n) == {"AUC": 1, "MeanRank": 2, "AP": 3}
    assert "2 queries" in note(result, "AUC", "no pair") and "none" in note(result, "MeanRank", "notfound=skip")
    assert evaluate(qrels, run, "AUC", norel="zero").mean["AUC"] == pytest.approx(1 / 3)


def test_nothing_enters_the_mean():
    result = evaluate({"q": {"a": 1}}, {"q": {"a": 1}}, ["AUC", "AP"])
    assert math.isnan(result.mean["AUC"]) and result.n["AUC"] == 0 and result.mean["AP"] == 1
    assert "undefined" in result.text


def test_geometric_mean_and_its_floor():
    result = evaluate({"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": {"a": 1}, "q2": {"b": 1}}, ["GMAP", "AP"])
    assert result.mean["GMAP"] == pytest.approx(math.sqrt(1 * 1e-5)) and dict(result.per_query["GMAP"]) == dict(result.per_query["AP"])


def test_a_query_without_judgements_in_the_qrels():
    result = evaluate({"q": {"a": 1}, "blank": {}}, {"q": {"a": 1}, "blank": {"a": 1}}, ["AP", "Judged", "AUC"])
    assert dict(result.mean) == pytest.approx({"AP": 0.5, "Judged": 0.5, "AUC": math.nan}, nan_ok=True)


def test_negative_grades_only():
    result = evaluate({"q": {"a": -1}}, {"q": {"a": 1}}, ["AP", "nDCG", "bpref", "ERR", "RBP(grade=max)", "infAP", "Judged@1"])
    assert list(result.mean.values()) == [0, 0, 0, 0, 0, 0, 1]


# Names -------------------------------------------------------------------------------------------------------------------------


def test_values_are_found_under_any_spelling():
    result = evaluate(QRELS, RUN, ["ndcg_cut_10", "map", "P@5"])
    assert list(result.mean) == ["nDCG(gain=linear)@10", "AP", "P@5"] and len(result.mean) == 3
    assert result.mean["map"] == result.mean["AP"] == result.mean[AP] == result.mean["MAP"] and result.mean["P_5"] == result.mean[P @ 5] == result.mean["P(k=5)"]
    assert result.per_query["ndcg_cut_10"]["q1"] == 1 and result.n["recip_rank" if "RR" in result.mean else "map"] == 3
    with pytest.raises(KeyError):
        result.mean["RR"]
    with pytest.raises(KeyError, match="did you mean nDCG"):
        result.mean["ndgc"]
    with pytest.raises(KeyError, match="q9"):
        result.per_query["AP"]["q9"]


def test_membership():
    result = evaluate(QRELS, RUN, "AP")
    assert "AP" in result.mean and "map" in result.mean and AP in result.mean and "RR" not in result.mean and "bogus" not in result.mean
    assert "q1" in result.per_query["AP"] and "q9" not in result.per_query["AP"] and len(result.per_query["AP"]) == 3


def test_a_measure_counts_once():
    result = evaluate(QRELS, RUN, ["AP", "map", AP, "MAP", "RR"])
    assert result.measures == (AP, RR) and list(result.mean) == ["AP", "RR"]


@pytest.mark.parametrize("measures", ["AP", AP, ["AP"], (AP,), {"AP"}, iter(["AP"])], ids=["text", "measure", "list", "tuple", "set", "iterator"])
def test_forms_of_the_measures(measures):
    assert dict(evaluate(QRELS, RUN, measures).mean) == {"AP": 0.5}


def test_measures_by_default():
    assert evaluate(QRELS, RUN).measures == (AP, nDCG @ 10)


@pytest.mark.parametrize("measures", [[], (), 5, None, [5], [None], "", "ndgc", ["AP", "P@0"], "P@2.5"], ids=repr)
def test_measures_that_are_none(measures):
    with pytest.raises(MeasureError):
        evaluate(QRELS, RUN, measures)


# Data --------------------------------------------------------------------------------------------------------------------------


def test_queries_that_share_nothing():
    with pytest.raises(DataError) as error:
        evaluate({"301": {"a": 1}}, {"0301": {"a": 1}}, "AP")
    assert all(part in str(error.value) for part in ("qrels", "run", "'301'", "'0301'", "share no query"))
    for qrels, run in (({}, RUN), (QRELS, {}), ({}, {})):
        with pytest.raises(DataError, match="no quer"):
            evaluate(qrels, run, "AP")


def test_documents_that_share_nothing():
    result = evaluate({"1": {"c67482ba-2019-04-18T13:32:05Z": 2}}, {"1": {"c67482ba-2019-04-18T": 9.1}}, "AP")
    assert "c67482ba-2019-04-18T in" in note(result, "none of the retrieved documents is judged")


def test_repeated_documents():
    rows = [["q1", "d1", 2.0], ["q1", "d2", 1.5], ["q1", "d1", 1.0]]
    with pytest.raises(DataError, match="run, row 3: query q1 already has document d1"):
        evaluate(QRELS, rows, "AP")
    result = evaluate(QRELS, rows, "AP", duplicates="first")
    assert result.per_query["AP"]["q1"] == 1 and "d1" in note(result, "1 repeated row")


def test_forms_of_the_data(tmp_path):
    needs.module("pandas", "polars")
    import pandas as pd
    import polars as pl

    (tmp_path / "judged.txt").write_text("q1 0 d1 1\nq2 0 d1 1\nq3 0 d1 1\n")
    (tmp_path / "system.run").write_text("q1 Q0 d1 1 2 t\nq1 Q0 d2 2 1 t\nq2 Q0 d2 1 2 t\nq2 Q0 d1 2 1 t\nq4 Q0 d1 1 1 t\n")
    rows = [[q, d, s] for q, docs in RUN.items() for d, s in docs.items()]
    columns = dict(zip(("query_id", "doc_id", "score"), zip(*rows)))
    for qrels in (QRELS, Qrels.from_dict(QRELS), tmp_path / "judged.txt", str(tmp_path / "judged.txt"), [[q, "d1", 1] for q in QRELS], pd.DataFrame({"query_id": list(QRELS), "doc_id": "d1", "relevance": 1})):
        for run in (RUN, Run.from_dict(RUN), tmp_path / "system.run", rows, pd.DataFrame(columns), pl.DataFrame(columns)):
            assert evaluate(qrels, run, "AP").mean["AP"] == 0.5
    assert evaluate(tmp_path / "judged.txt", tmp_path / "system.run").run.endswith("system.run")


def test_evaluating_changes_nothing():
    """Judgements that were read once serve several runs, and a second evaluation gives the same."""
    judgements, run = read_qrels(QRELS), read_run(RUN)
    first, other, second = evaluate(judgements, run, "AP"), evaluate(judgements, {"q1": {"x": 1}}, "AP"), evaluate(judgements, run, "AP")
    assert dict(first.mean) == dict(second.mean) != dict(other.mean) and first.notes == second.notes
    assert judgements.to_dict() == QRELS and run.to_dict() == RUN


# Conventions -------------------------------------------------------------------------------------------------------------------


def test_fields_and_conventions():
    tied = {"q": {"d1": 1.0, "d2": 1.0, "d3": 1.0}}
    values = {"docid_desc": 1 / 3, "docid_asc": 1, "input": 1, "average": 11 / 18, "best": 1, "worst": 1 / 3, "middle": 1 / 2}
    for ties, value in values.items():
        assert evaluate({"q": {"d1": 1}}, tied, "RR", ties=ties).mean["RR"] == pytest.approx(value)
        assert evaluate({"q": {"d1": 1}}, tied, "RR", Conventions(ties=ties)).mean["RR"] == pytest.approx(value)
    changed = evaluate({"q": {"d1": 1}}, tied, "RR", Conventions(ties="input", missing="skip"), ties="worst")
    assert changed.conventions == Conventions(ties="worst", missing="skip") and "ties=worst" in changed.text
    for bad in ({"tie": "average"}, {"ties": "averge"}, {"conventions": "trec_evla9"}):
        with pytest.raises(ValueError, match="did you mean"):
            evaluate(QRELS, RUN, "AP", **bad)


def test_conventions_of_single_measures():
    qrels, run = {"q": {"a": 2, "b": 1}}, {"q": {"b": 2, "a": 1}}
    linear = Conventions(measures={"nDCG": {"gain": "linear"}, "P": {"k": 1}})
    result = evaluate(qrels, run, ["nDCG", "P", "AP"], linear)
    assert result.measures == (nDCG(gain="linear"), P @ 1, AP)
    assert result.mean["nDCG"] == result.mean["nDCG(gain=linear)"] and result.mean["P"] == result.per_query["P@1"]["q"], "found as it was asked for"
    assert evaluate(qrels, run, "nDCG(gain=exp2)", linear).measures == (nDCG,), "what a name says itself wins"
    assert evaluate(qrels, run, "nDCG", linear).explain("nDCG", "q").value == pytest.approx((1 + 2 / math.log2(3)) / (2 + 1 / math.log2(3)))
    with pytest.raises(MeasureError, match="did you mean 'gain'"):
        evaluate(qrels, run, "nDCG", Conventions(measures={"nDCG": {"gian": "linear"}}))


def test_conventions_are_not_passed_over_in_silence():
    for name in ("ndgc", "typo"):
        with pytest.raises(MeasureError, match=name):
            evaluate(QRELS, RUN, "nDCG", Conventions(measures={name: {"gain": "linear"}}))
    assert evaluate(QRELS, RUN, "AP", Conventions(measures={"map": {"k": 1}})).measures == (AP @ 1,), "under any spelling"


@pytest.mark.parametrize(
    ("tool", "qrels", "run", "name", "value"),
    [
        ("trec_eval9", {"q": {"a": 1, "b": 0}}, {"q": {"a": 1.00000001, "b": 1.0}}, "AP", 0.5),
        ("trec_eval10", {"q": {"a": 1, "b": 0}}, {"q": {"a": 1.00000001, "b": 1.0}}, "AP", 1),
        ("trec_eval9", QRELS, RUN, "AP", 0.75),
        ("ir_measures", QRELS, RUN, "AP", 0.5),
        ("sklearn", {"q": {"d1": 1, "d2": 0, "d3": 0}}, {"q": {"d1": 1, "d2": 1, "d3": 1}}, "nDCG", 0.7103),
        ("sklearn", {"q": {"d1": 1, "d2": 0, "d3": 0}}, {"q": {"d1": 1, "d2": 1, "d3": 1}}, "AP", 0.3333),
        ("recommenders", QRELS, RUN, "nDCG", 0.5436),
        ("recommenders", QRELS, RUN, "P@5", 0.2),
    ],
)
def test_numbers_of_other_tools(tool, qrels, run, name, value):
    assert evaluate(qrels, run, name, tool).mean[evaluate(qrels, run, name, tool).measures[0]] == about(value)


# Notes -------------------------------------------------------------------------------------------------------------------------


def test_nothing_to_say():
    assert evaluate({"q": {"a": 1, "b": 0}}, {"q": {"a": 2, "b": 1}}, ["AP", "nDCG", "P@2"]).notes == ()


def test_what_was_decided_is_said():
    result = evaluate({"q": {"a": 3, "b": 0}, "r": {"a": 1}}, {"q": {"a": 1, "b": 1, "u": 0.5}, "extra": {"a": 1}}, ["nDCG", "ERR", "AP"])
    assert "extra" in note(result, "without judgements")
    assert "2 documents in 1 query" in note(result, "share a score")
    note(result, "1 of 3 retrieved documents is unjudged")
    assert "nDCG(gain=linear)" in note(result, "2^grade - 1")
    note(result, "gmax = 3")


def test_ranks_that_contradict_the_scores(tmp_path):
    (tmp_path / "run").write_text("7 Q0 b 1 0.1 s\n7 Q0 a 2 0.9 s\n")
    result = evaluate({"7": {"a": 1, "b": 0}}, tmp_path / "run", "RR")
    assert result.mean["RR"] == 1 and "7" in note(result, "rank column")


# Explanations ------------------------------------------------------------------------------------------------------------------


def test_every_value_explains_itself():
    measures = [m @ 0.5 if m.name == "IPrec" else m for m in MEASURES]
    result = evaluate({"q": {"a": 2, "b": 0, "c": 1, "lost": 1}, "r": {"a": 1}}, {"q": {"a": 4, "u": 3, "b": 2, "c": 2}, "r": {"x": 1}}, measures)
    for measure in measures:
        for query in result.query_ids:
            steps = result.explain(measure, query)
            assert steps.value == pytest.approx(result.per_query[measure][query], abs=0, nan_ok=True) and steps.query_id == query and steps.measure == measure
    assert result.explain("map", "q").arithmetic == "(1/1 + 2/3)/3", "b and c are tied, and c comes first"
    assert result.explain("P@2", "q").value == 0.5, "also a measure that was not asked for"


def test_a_tie_is_explained():
    result = evaluate({"q": {"a": 1}}, {"q": {"a": 1, "b": 1}}, "RR", ties="average")
    steps = result.explain("RR", "q")
    assert steps.value == 0.75 and len(steps.rows) == 2 and any("share a score" in text for text in steps.notes)


def test_explaining_a_query_that_is_not_judged():
    with pytest.raises(DataError, match="'q4' has no judgements.*q1, q2, q3"):
        evaluate(QRELS, RUN, "AP").explain("AP", "q4")
    with pytest.raises(MeasureError, match="did you mean nDCG"):
        evaluate(QRELS, RUN, "AP").explain("ndgc", "q1")


def test_what_one_document_adds_to_another_run():
    first, second = evaluate(QRELS, RUN, "AP"), evaluate(QRELS, {"q1": {"d2": 2, "d1": 1}}, "AP")
    assert first.explain("AP", "q1").minus(second.explain("AP", "q1")).value == 0.5


def deepest(hits, k=None):
    """The lowest relevant document earns its rank."""
    hits = hits.relevant().within(k)
    last = np.append(hits.query[1:] != hits.query[:-1], True)[: len(hits)].astype(bool)
    hits = hits.where(last)
    return hits.earn(hits.rank)


def test_a_measure_of_ones_own():
    own = Measure("Deepest", deepest, "How far down is the last one?", r"\max r", ("made up",), "depth", (CUTOFF,), bounds=(0, math.inf), direction="lower")
    result = evaluate(QRELS, RUN, [own, own @ 1, "AP"])
    assert dict(result.mean) == {"Deepest": 1, "Deepest@1": pytest.approx(1 / 3), "AP": 0.5}
    assert result.mean[own] == 1 and result.explain(own, "q2").arithmetic == "2" and "Deepest" in result.text
    assert result.per_query["Deepest"]["q2"] == 2


# Showing -----------------------------------------------------------------------------------------------------------------------


def test_tables():
    result = evaluate(QRELS, RUN, ["AP", "P@1"])
    assert result.table() == (("measure", "mean", "queries"), [("AP", "0.5000", "3"), ("P@1", "0.3333", "3")])
    head, rows = result.table(per_query=True)
    assert head == ("query", "AP", "P@1") and rows == [("q1", "1.0000", "1.0000"), ("q2", "0.5000", "0.0000"), ("q3", "0.0000", "0.0000"), ("mean", "0.5000", "0.3333")]
    text = str(result)
    assert text == repr(result) == result.text and "3 judged queries" in text and "house default" in text and "- 1 judged query has no results" in text
    assert "| AP | 0.5000 | 3 |" in result.markdown and r"AP & 0.5000 & 3 \\" in result.latex and "<td>0.5000</td>" in result._repr_html_()
    assert "1 judged query," in evaluate({"q": {"a": 1}}, {"q": {"a": 1}}, "AP").text


def test_a_data_frame():
    needs.module("pandas")
    frame = evaluate(QRELS, RUN, ["AP", "P@1"]).to_frame()
    assert list(frame.columns) == ["query_id", "measure", "value"] and len(frame) == 6
    assert frame[frame.measure == "AP"].set_index("query_id")["value"].to_dict() == {"q1": 1, "q2": 0.5, "q3": 0}


def test_ids_are_escaped():
    nasty = "<script>_a_&50%|$#"
    result = evaluate({nasty: {"a": 1}, "gone": {"a": 1}, nasty + "2": {"a": 1}}, {nasty: {"a": 1, "b": 1}}, "AP")
    html = result._repr_html_()
    assert any(nasty in text for text in result.notes) and "<script" not in html and "&lt;script&gt;_a_&amp;50%" in html
    steps = result.explain("AP", nasty)
    assert "<script" not in steps.html and nasty in steps.text


def test_what_can_be_read_back():
    result = evaluate(QRELS, RUN, ["AP", "RR"])
    again = pickle.loads(pickle.dumps(result))
    assert dict(again.mean) == dict(result.mean) and again.notes == result.notes
    assert repr(result.per_query["AP"]) == "{'q1': 1.0, 'q2': 0.5, 'q3': 0.0}" and repr(result.mean) == "{'AP': 0.5, 'RR': 0.5}"
    assert result.values["AP"].tolist() == [1, 0.5, 0]


def test_a_mean_over_many_queries_is_the_mean_of_the_values():
    rng = np.random.default_rng(0)
    qrels = {f"q{i}": {f"d{j}": int(rng.integers(0, 3)) for j in range(5)} for i in range(200)}
    run = {q: {f"d{j}": float(rng.integers(0, 4)) for j in range(7)} for q in qrels}
    result = evaluate(qrels, run, ["AP", "nDCG@3", "AUC"])
    for name in result.mean:
        values = np.array(list(result.per_query[name].values()))
        assert result.mean[name] == pytest.approx(np.nanmean(values)) and result.n[name] == np.sum(~np.isnan(values))
    single = evaluate({"q7": qrels["q7"]}, {"q7": run["q7"]}, ["AP", "nDCG@3", "AUC"])
    assert all(single.mean[name] == pytest.approx(result.per_query[name]["q7"], nan_ok=True) for name in single.mean)


def test_names_on_measures_are_parsed_once_more():
    assert evaluate(QRELS, RUN, [str(AUC), parse("P@5")]).measures == (AUC, P @ 5)
