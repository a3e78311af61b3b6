"""The presets: their records, the values that other tools published, and the other tools themselves where they are installed."""

import math
import random

import needs
import pytest

from rankmetrics_nb import MEASURES, Conventions, Run, evaluate, parse
from rankmetrics_nb.hits import CHOICES
from rankmetrics_nb.presets import PRESETS, as_conventions
from rankmetrics_nb.published import STATUS, _data, published, published_counts, published_input, published_table

NEAR = dict(abs=1e-9, rel=0)
CHOSEN = [(name, choice) for name, preset in PRESETS.items() for choice in preset.choices]


# The records -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name, choice", CHOSEN, ids=lambda x: str(x))
def test_a_choice_names_a_field_that_exists_and_says_why(name, choice):
    assert choice.why and choice.source
    if choice.field in CHOICES:
        assert choice.value in CHOICES[choice.field]
    if choice.measure:
        measure = next(m for m in MEASURES if m.name == choice.measure)
        if choice.field == "ties":
            assert choice.value in measure.ties
        elif choice.field not in CHOICES:
            assert measure.set(**{choice.field: choice.value}).parameter(choice.field) == choice.value
    else:
        assert choice.field in CHOICES


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_the_sum_of_its_choices(name):
    preset = PRESETS[name]
    assert preset.name == name and preset.title
    assert len({(c.measure, c.field) for c in preset.choices}) == len(preset.choices), "a field is chosen twice"
    expected = {"": {}}
    for c in preset.choices:
        expected.setdefault(c.measure, {})[c.field] = c.value
    general = expected.pop("")
    assert as_conventions(name) == Conventions(**general, measures=expected)


def test_what_the_user_asks_for_wins_over_the_preset():
    assert evaluate(*published_input("C"), "nDCG(ideal=judged)", "sklearn", ties="input").mean["nDCG(gain=linear)"] == 1
    assert evaluate(*published_input("F"), "nDCG", "recommenders", missing="skip").n["nDCG(gain=binary)"] == 2


# The published values ----------------------------------------------------------------------------------------------------

ROWS = published()


@pytest.mark.parametrize("row", [r for r in ROWS if r.status != "equal"], ids=lambda r: f"{r.input}, {r.tool}, {r.named}")
def test_another_value_has_a_reason(row):
    assert row.status in ("explained", "not covered"), f"{row.tool} prints {row.there}, {row.settings} gives {row.here}"
    assert row.why
    if row.status == "explained":
        assert row.why in PRESETS[row.preset].not_reproduced


def test_every_published_value_is_a_row():
    assert len(ROWS) == sum(len(block["tools"]) * len(block["cells"]) for block in _data()["values"])
    assert {r.input for r in ROWS} == set(_data()["inputs"])
    assert {r.tool for r in ROWS} == set(_data()["tools"])
    assert {r.preset for r in ROWS} - {""} == set(PRESETS) - {"kaggle", "textbook"}  # kaggle: see below; textbook is no tool
    assert len({(r.input, r.tool, r.named) for r in ROWS}) == len(ROWS), "a value stands twice"


def test_a_reason_is_used_only_where_the_values_differ():
    for block in _data()["values"]:
        for named, _, _, *more in block["cells"]:
            if more and "fault" in more[0]:
                assert {r.status for r in ROWS if (r.input, r.named) == (block["input"], named) and r.tool in block["tools"]} == {"explained"}, named


def test_the_table_and_its_last_line():
    head, cells = published_table()
    assert len(cells) == len(ROWS) and {len(row) for row in cells} == {len(head)}
    assert published_table(ROWS[:1])[1] == [("A", "trec_eval 9", "P@5", "P@5, trec_eval9", ".4000", "0.4000", "equal")]
    count = dict(reversed(part.split(" ", 1)) for part in published_counts().split(", "))
    assert list(count) == list(STATUS) and sum(map(int, count.values())) == len(ROWS)
    assert count["different"] == "0"


# The expected values below are those of ml_metrics' own tests (benhamner/Metrics, test_average_precision.py).
KAGGLE = [
    (["12345"], ["64712"], 2, 0.25),
    (["12345"], ["11111"], 5, 0.2),
    (["1234"], ["1234"], 3, 1.0),
    (["134", "124", "13"], ["12345"] * 3, 3, 0.685185185185185),
    (["12345", "12345"], ["64712", "11111"], 5, 0.26),
    (["13", "123", "123"], ["12345", "111", "121"], 3, 11 / 18),
]


@pytest.mark.parametrize("actual, predicted, k, value", KAGGLE)
def test_kaggle(actual, predicted, k, value):
    qrels = {f"q{i}": dict.fromkeys(docs, 1) for i, docs in enumerate(actual)}
    rows = [(f"q{i}", doc, -rank) for i, docs in enumerate(predicted) for rank, doc in enumerate(docs)]
    run = Run.from_columns(*zip(*rows), duplicates="first")
    assert list(evaluate(qrels, run, f"AP@{k}", "kaggle").mean.values()) == pytest.approx([value], **NEAR)


# The tools themselves, on random inputs ----------------------------------------------------------------------------------
# The inputs steer clear of known faults: every query has a judged document of grade 0 (a query with negative grades only ends trec_eval),
# query ids are whole numbers (gdeval.pl takes no others), grades are at most 4, and scores that are nearly equal come only where both sides read single precision.


def random_pair(seed, low=-1, ties=True, close=False):
    """Judgements and a run: ties, unjudged and unretrieved documents, a judged query without results and a query nobody judged."""
    rng = random.Random(seed)
    qrels, run = {}, {}
    for query in map(str, range(1, 9)):
        pool = [f"d{j}" for j in range(rng.randint(2, 25))]
        qrels[query] = {d: rng.choice([low, 0, 0, 1, 1, 2, 3]) for d in rng.sample(pool, rng.randint(1, len(pool)))} | {"sure": 0}
        listed = rng.sample(pool, rng.randint(1, len(pool)))
        scores = [rng.randint(0, 9) / 4 + close * rng.random() * 1e-7 for _ in listed] if ties else rng.sample(range(100), len(listed))
        run[query] = dict(zip(listed, map(float, scores)))
    del run[rng.choice(list(run))]
    run["99"] = {"d1": 1.0}
    return qrels, run


def ours(qrels, run, measure, preset):
    """The values by query, and the mean."""
    result = evaluate(qrels, run, measure, preset)
    (values,), (mean,) = result.per_query.values(), result.mean.values()
    return dict(values), mean


TREC = "map gm_map recip_rank Rprec bpref infAP ndcg set_P set_recall set_F 11pt_avg iprec_at_recall_0.30 iprec_at_recall_0.70".split()
TREC += [f"{name}_{k}" for name in ("P", "recall", "success", "map_cut", "ndcg_cut") for k in (1, 5, 10)]


@pytest.mark.oracle
@pytest.mark.parametrize("close", [False, True])
@pytest.mark.parametrize("seed", range(10))
def test_trec_eval9_is_pytrec_eval(seed, close):
    needs.module("pytrec_eval")
    import pytrec_eval

    qrels, run = random_pair(seed, close=close)
    asked = {name.rpartition("_")[0] if name[-1].isdigit() else name for name in TREC}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {f"{a}.1,5,10" if f"{a}_10" in TREC else a for a in asked}).evaluate(run)
    assert len(theirs) == 7
    for name in TREC:
        plain = {"gm_map": "GMAP", "ndcg": "nDCG"}.get(name, name.replace("ndcg_cut_", "nDCG@"))  # the preset sets the gain, not the spelling
        values, mean = ours(qrels, run, plain, "trec_eval9")
        others = {q: theirs[q][name] for q in theirs}
        average = sum(others.values()) / len(others)
        assert mean == pytest.approx(math.exp(average) if name == "gm_map" else average, **NEAR), name
        if name != "gm_map":
            assert {q: values[q] for q in theirs} == pytest.approx(others, **NEAR), name


# name in ir_measures: name here, where the spellings differ
IR_MEASURES = "P@5 P(rel=2)@5 R@5 R(rel=2)@3 AP AP@5 AP(rel=2) AP(rel=2)@5 RR RR(rel=2) nDCG nDCG@5 Rprec Rprec(rel=2) Bpref Bpref(rel=2) infAP infAP(rel=2)".split()
IR_MEASURES += "Success@3 Success(rel=2)@3 IPrec@0.3 IPrec@0.7 IPrec(rel=2)@0.4 SetP SetR SetF".split()
OTHER_TIES = ["RR@3", "RR(rel=2)@5", "Judged@5", "Judged@10"]  # their providers break ties the other way round
GDEVAL = ["nDCG(dcg='exp-log2')@5", "nDCG(dcg='exp-log2')@20", "ERR@5", "ERR@20"]


def compare_with_ir_measures(names, pair, preset, near):
    """Values by query and the mean; ir_measures counts 0 where the run has no results."""
    import ir_measures

    qrels, run = pair
    for name in names:
        measure = ir_measures.parse_measure(name)
        theirs = {v.query_id: v.value for v in ir_measures.iter_calc([measure], qrels, run)}
        values, mean = ours(qrels, run, name, preset)
        if preset == "ir_measures":
            assert mean == pytest.approx(ir_measures.calc_aggregate([measure], qrels, run)[measure], **near), name
        else:  # gdeval leaves out what the run does not answer
            theirs = {q: theirs[q] for q in qrels if q in run}
            assert mean == pytest.approx(sum(theirs.values()) / len(theirs), **near), name
        assert {q: values[q] for q in theirs} == pytest.approx(theirs, **near), name


@pytest.mark.oracle
@pytest.mark.parametrize("seed", range(5))
def test_ir_measures(seed):
    needs.module("ir_measures")
    compare_with_ir_measures(IR_MEASURES, random_pair(seed, close=True), "ir_measures", NEAR)
    compare_with_ir_measures(OTHER_TIES, random_pair(seed, ties=False), "ir_measures", NEAR)


@pytest.mark.oracle
@pytest.mark.parametrize("preset", ["ir_measures", "gdeval"])
@pytest.mark.parametrize("seed", range(3))
def test_gdeval_through_ir_measures(seed, preset):
    """gdeval.pl prints five decimals."""
    needs.module("ir_measures")
    needs.program("perl", "which runs gdeval.pl")
    compare_with_ir_measures(GDEVAL, random_pair(seed), preset, dict(abs=5.000001e-6, rel=0))


@pytest.mark.oracle
@pytest.mark.parametrize("seed", range(10))
def test_sklearn(seed):
    """Every retrieved document has a label, 0 where nobody judged it. ndcg_score refuses lists of one document and negative grades; roc_auc_score one class only."""
    needs.module("sklearn.metrics")
    from sklearn.metrics import average_precision_score, dcg_score, ndcg_score, roc_auc_score

    qrels, run = random_pair(seed, low=0)
    for query in [q for q in run if q in qrels and len(run[q]) > 1]:
        labels, scores = [qrels[query].get(d, 0) for d in run[query]], list(run[query].values())
        relevant = [int(label >= 1) for label in labels]
        wanted = {f"{name}@{k}": score([labels], [scores], k=k) for name, score in (("nDCG", ndcg_score), ("DCG", dcg_score)) for k in (1, 5, 30)}
        if any(relevant):
            wanted["AP"] = average_precision_score(relevant, scores)
        if len(set(relevant)) == 2:
            wanted["AUC"] = roc_auc_score(relevant, scores)
        for name, value in wanted.items():
            assert ours({query: qrels[query]}, {query: run[query]}, name, "sklearn")[1] == pytest.approx(value, **NEAR), name


RANX = {
    "precision@5": "P@5",
    "recall@5": "R@5",
    "f1@5": "F1@5",
    "map": "AP",
    "map@5": "AP@5",
    "mrr": "RR",
    "mrr@3": "RR@3",
    "ndcg": "nDCG",
    "ndcg@5": "nDCG@5",
    "ndcg_burges@5": "nDCG(gain=exp2)@5",
    "dcg@5": "DCG@5",
    "r-precision": "Rprec",
    "bpref": "bpref",
    "hit_rate@3": "Success@3",
    "rbp.80": "RBP(p=0.8)",
    "map-l2": "AP(rel=2)",
    "precision@5-l2": "P(rel=2)@5",
}


@pytest.mark.oracle
@pytest.mark.parametrize("seed", range(3))
def test_ranx(seed):
    """At most 15 documents a query (above, its order of ties is not stable); no negative grades, and a relevant and a non-relevant document for bpref."""
    needs.module("ranx", how="pip install ranx; it compiles for some minutes")
    import ranx

    rng = random.Random(seed)
    qrels, run = {}, {}
    for query in ("q1", "q2", "q3", "q4"):
        pool = [f"d{j}" for j in range(rng.randint(3, 15))]
        qrels[query] = {d: rng.choice([0, 0, 1, 1, 2, 3]) for d in rng.sample(pool, rng.randint(1, len(pool)))} | {"sure": 0, "lost": 1}
        run[query] = {d: rng.randint(0, 9) / 4 for d in rng.sample(pool, rng.randint(1, len(pool)))}
    for name, measure in RANX.items():
        assert ours(qrels, run, measure, "ranx")[1] == pytest.approx(ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), name), **NEAR), name


def test_every_spelling_is_read():
    for name in [*IR_MEASURES, *OTHER_TIES, *GDEVAL, *RANX.values(), *TREC]:
        parse(name)
