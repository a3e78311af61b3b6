"""Laws that hold for every ranking, checked on random ones."""

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from rankmetrics_nb import MEASURES, Ranking, evaluate, parse
from rankmetrics_nb.hits import hits_of
from rankmetrics_nb.number import evaluate_text

few = settings(max_examples=20, suppress_health_check=list(HealthCheck))
more = settings(few, max_examples=40)
many = settings(few, max_examples=150)

# What is drawn ---------------------------------------------------------------------------------------------------------

GRADES = st.sampled_from([None, -1, 0, 0, 1, 1, 2, 3])
JUDGED = st.sampled_from([0, 0, 1, 2, 3])
LISTS = st.lists(GRADES, max_size=12)
LOST = st.lists(JUDGED, max_size=4)
MAPPING = st.lists(st.floats(0, 9), min_size=3, max_size=3).map(lambda gains: dict(zip((0, 1, 2, 3), [0, *sorted(gains)])))


def values_of(param):
    """Values that a parameter takes."""
    if param.kind == "gain":
        return st.sampled_from(param.choices) | MAPPING
    if param.kind == "rank":
        return st.sampled_from(param.choices) | st.integers(1, 50)
    if param.choices:
        return st.sampled_from(param.choices)
    if param.kind == "cutoff":
        return st.integers(1, 15)
    ranges = {"rel": st.sampled_from([0.5, 1, 1.5, 2]), "gmax": st.integers(3, 8) | st.floats(3, 8), "b": st.floats(1.1, 9), "beta": st.floats(0, 4)}
    return ranges.get(param.name, st.floats(0, 1))


@st.composite
def measures(draw, of=MEASURES, **fixed):
    """A measure with random parameters."""
    measure = draw(st.sampled_from(of))
    chosen = {p.name: draw(values_of(p)) for p in measure.params if p.required or draw(st.booleans())}
    if chosen.get("norm") == "k":
        chosen["k"] = draw(st.integers(1, 15))
    return measure.set(**chosen, **{name: value for name, value in fixed.items() if measure.has(name)})


@st.composite
def queries(draw, most=12, distinct=4):
    """Judgements and scores of one query, with ties, unjudged and unretrieved documents."""
    grades = draw(st.lists(GRADES, min_size=1, max_size=most))
    scores = draw(st.lists(st.integers(1, distinct), min_size=len(grades), max_size=len(grades)))
    judged = {f"d{i}": g for i, g in enumerate(grades) if g is not None} | {f"lost{i}": g for i, g in enumerate(draw(LOST))}
    return judged, {f"d{i}": s for i, s in enumerate(scores)}


def near(value, scale=1.0):
    return pytest.approx(value, abs=1e-12 * max(1, abs(scale)), rel=0)


def sum_of(rows):
    return math.fsum(row.contribution for row in rows)


# Names -----------------------------------------------------------------------------------------------------------------


@many
@given(measures())
def test_a_printed_name_reads_back(measure):
    assert parse(str(measure)) == measure
    assert str(parse(str(measure))) == str(measure)
    assert parse(str(measure).replace(",", " , ").replace("=", " = ")) == measure


# Values ----------------------------------------------------------------------------------------------------------------


@more
@given(measures(), LISTS, LOST)
def test_a_value_is_within_the_bounds_of_its_measure(measure, grades, lost):
    value = measure(grades, unretrieved=lost)
    low, high = (0, math.inf) if measure.has("grade") and measure.parameter("grade") == "raw" else measure.bounds
    assert math.isnan(value) or low - 1e-12 <= value <= high + 1e-12


@more
@given(LISTS, LOST, st.integers(1, 14))
def test_first_hit_cutoffs_and_recall(grades, lost, k):
    def value(name):
        return parse(name)(grades, unretrieved=lost)

    assert value("Success@1") == value("P@1") == value("RR@1")
    assert value("Success@1") <= value("RR")
    assert value(f"RR@{k}") <= value(f"RR@{k + 1}") <= value("RR")
    assert value(f"R@{k}") <= value(f"R@{k + 1}") and value(f"Success@{k}") <= value(f"Success@{k + 1}")
    assert value("RR") >= value("Success@1") + (value("Success@10") - value("Success@1")) / 10 - 1e-12


TOP = [parse(name) for name in "nDCG nDCG(gain=linear) nDCG@3 nDCG(discount=original)@4 nDCG(ideal=uncut) AP Rprec bpref R RR IPrec@1 11pt".split()]


@more
@given(st.lists(JUDGED, min_size=1, max_size=12))
def test_the_ideal_order_is_worth_one(grades):
    assume(max(grades) > 0)
    best = sorted(grades, reverse=True)
    for measure in TOP:
        assert measure(best) == near(1), str(measure)


LENGTH_MATTERS = ("P", "F1", "F", "P(denom=retrieved)@9", "Judged@9", "AUC", "MeanRank(notfound=n_plus_1)", "nDCG(ideal=returned)@9")
AT_NINE = [m @ 9 if m.has("k") else m @ 0.6 if m.name == "IPrec" else m for m in MEASURES]


@more
@given(LISTS, LOST, st.lists(st.sampled_from([None, 0, -1]), min_size=1, max_size=5))
def test_documents_that_are_not_relevant_may_follow(grades, lost, tail):
    """They change no value but those that look at the length of the list, or at the judged non-relevant documents."""
    for measure in AT_NINE:
        if str(measure) not in LENGTH_MATTERS:
            same = measure(Ranking.of(grades, unretrieved=[*lost, 0, 0, 0, 0, 0, 0]))
            moved = measure(Ranking.of([*grades, *tail], unretrieved=[*lost, *[0] * (6 - tail.count(0))]))
            assert moved == pytest.approx(same, abs=1e-12, nan_ok=True), str(measure)


@few
@given(queries(distinct=400), st.permutations(range(12)))
def test_new_names_change_nothing_without_ties(query, numbers):
    judged, scores = query
    assume(len(set(scores.values())) == len(scores))
    new = {d: f"x{numbers[int(d[1:])]}" if d in scores else d for d in judged | scores}
    renamed = {new[d]: g for d, g in judged.items()}, {new[d]: s for d, s in scores.items()}
    assert_same(evaluate({"q": judged}, {"q": scores}, AT_NINE), evaluate({"q": renamed[0]}, {"q": renamed[1]}, AT_NINE))


@few
@given(queries(), queries(), st.randoms(use_true_random=False), st.sampled_from(["docid_desc", "docid_asc", "average", "best", "worst"]))
def test_the_order_of_the_lines_changes_nothing(one, two, random, ties):
    rows = [[q, d, s] for q, (_, scores) in (("q1", one), ("q2", two)) for d, s in scores.items()]
    judgements = [[q, d, g] for q, (judged, _) in (("q1", one), ("q2", two)) for d, g in judged.items()]
    chosen = [m for m in AT_NINE if ties in m.ties]
    first = evaluate(judgements, rows, chosen, ties=ties) if judgements else None
    assume(first)
    random.shuffle(rows)
    assert_same(first, evaluate(random.sample(judgements, len(judgements)), rows, chosen, ties=ties))


def assert_same(a, b):
    """Two evaluations have the same means and the same values by query, whatever the order of the queries."""
    assert dict(a.mean) == pytest.approx(dict(b.mean), abs=1e-12, nan_ok=True)
    for name in a.mean:
        assert dict(a.per_query[name]) == pytest.approx(dict(b.per_query[name]), abs=1e-12, nan_ok=True)


@few
@given(queries())
def test_best_average_and_worst_order(query):
    judged, scores = query
    best, average, worst = (evaluate({"q": judged}, {"q": scores}, [m for m in AT_NINE if "average" in m.ties], ties=ties) for ties in ("best", "average", "worst"))
    for measure in average.measures:
        low, mean, high = (e.mean[measure] for e in (worst, average, best))
        if measure.direction == "lower":
            low, high = high, low
        if measure.name != "Judged":  # judged is not better
            assert math.isnan(mean) or low - 1e-12 <= mean <= high + 1e-12, str(measure)


@few
@given(queries())
def test_auc_of_the_opposite_scores(query):
    judged, scores = query
    value = evaluate({"q": judged}, {"q": scores}, "AUC").mean["AUC"]
    opposite = evaluate({"q": judged}, {"q": {d: -s for d, s in scores.items()}}, "AUC").mean["AUC"]
    assert opposite == pytest.approx(1 - value, abs=1e-12, nan_ok=True)


@more
@given(st.lists(st.sampled_from([None, 0, 1]), max_size=12), st.lists(st.sampled_from([0, 1]), max_size=4), st.integers(1, 14))
def test_gains_agree_on_binary_grades(grades, lost, k):
    values = {gain: parse(f"nDCG(gain={gain})@{k}")(grades, unretrieved=lost) for gain in ("exp2", "linear", "binary")}
    assert values["linear"] == near(values["exp2"]) and values["binary"] == near(values["exp2"])


@more
@given(st.lists(st.sampled_from([None, 0]), max_size=12), st.integers(0, 12), st.integers(1, 14))
def test_with_one_relevant_document_measures_agree(others, at, k):
    grades = [*others[:at], 1, *others[at:]]
    assert parse("AP")(grades) == near(parse("RR")(grades))
    assert parse(f"R@{k}")(grades) == parse(f"Success@{k}")(grades)
    assert parse("MeanRank")(grades) == near(1 / parse("RR")(grades)) == near(parse("MeanRank(of=all)")(grades))


def divides_by_hits(measure):
    """Is it AP(norm=hits)? Its denominator depends on the order: it has no average over ties, and a hit that enters the list can lower it."""
    return measure.has("norm") and measure.parameter("norm") == "hits"


@many
@given(measures().filter(lambda m: not divides_by_hits(m)), st.lists(st.sampled_from([None, 0, 1, 2, 3]), min_size=2, max_size=12), LOST, st.data())
def test_a_better_document_moved_up_does_no_harm(measure, grades, lost, data):
    """A document that passes the one above it, which has a lower grade or is unjudged."""
    at = [i for i in range(1, len(grades)) if (grades[i] or 0) > (grades[i - 1] or 0)]
    assume(at)
    i = data.draw(st.sampled_from(at))
    before = measure(grades, unretrieved=lost)
    after = measure([*grades[: i - 1], grades[i], grades[i - 1], *grades[i + 1 :]], unretrieved=lost)
    assert math.isnan(before) == math.isnan(after)
    assert math.isnan(before) or (after >= before - 1e-12 if measure.direction == "higher" else after <= before + 1e-12)


def test_dividing_by_the_hits_can_lower_a_value():
    """A relevant document moves from rank 4 to rank 3, and AP(norm=hits)@3 falls from 1/1 to (1/1 + 2/3)/2."""
    measure = parse("AP(norm=hits)@3")
    assert measure([1, 0, 0, 1]) == 1 and measure([1, 0, 1, 0]) == near(5 / 6)


# Explanations ------------------------------------------------------------------------------------------------------------


def assert_explained(steps):
    """The printed arithmetic is the value, and the contributions sum to it."""
    arithmetic = evaluate_text(steps.arithmetic)
    if math.isnan(steps.value):
        assert math.isnan(arithmetic)
        return
    assert arithmetic == near(steps.value, steps.value), (str(steps.measure), steps.arithmetic)
    assert sum_of(steps.rows) == near(steps.value, steps.value), str(steps.measure)
    if steps.rows:
        assert steps.rows[-1].running == near(steps.value, steps.value)


@many
@given(measures(), LISTS, LOST, st.sampled_from(["default", "zero", "one", "skip", "nan"]))
def test_a_typed_ranking_is_explained(measure, grades, lost, norel):
    steps = measure.explain(grades, unretrieved=lost, norel=norel)
    assert_explained(steps)
    assert len([row for row in steps.rows if row.rank is not None]) == len(grades)
    if norel == "default":
        assert steps.value == pytest.approx(measure(grades, unretrieved=lost), abs=0, nan_ok=True)


@pytest.mark.parametrize("ties", ["docid_desc", "average", "threshold", "middle"])
@more
@given(data=st.data())
def test_a_query_of_a_run_is_explained_under_every_tie_rule(ties, data):
    measure = data.draw(measures([m for m in MEASURES if ties in m.ties]).filter(lambda m: ties != "average" or not divides_by_hits(m)))
    judged, scores = data.draw(queries())
    assume(judged)
    result = evaluate({"q": judged}, {"q": scores}, measure, ties=ties)
    steps = result.explain(measure, "q")
    assert_explained(steps)
    assert steps.value == pytest.approx(result.per_query[measure]["q"], abs=0, nan_ok=True)


NUMBERS = {"cutoff": (1, 4, 50), "level": (0, 0.3, 1), "rank": (1, 7.5), "gain": ({0: 0, 1: 1, 2: 4, 3: 4},)}
PLAIN = {"rel": (0.5, 2), "p": (0, 0.3, 1), "gmax": (3, 4.5), "b": (1.5, 3), "beta": (0, 0.5, 2)}
ONE_CHANGE = [(m, p.name, value) for m in MEASURES for p in m.params for value in (*p.choices, *NUMBERS.get(p.kind, PLAIN.get(p.name, ())))]


@pytest.mark.parametrize(("measure", "name", "value"), ONE_CHANGE, ids=str)
def test_every_value_of_every_parameter_is_explained(measure, name, value):
    measure = measure.set(**{"k": 3} if value == "k" and measure.has("norm") else {"recall": 0.5} if measure.name == "IPrec" else {}).set(**{name: value})
    for grades, lost in (([1, None, 0, 3, -1, 2], [2, 1]), ([0, None], [1]), ([], [1]), ([0], []), ([3], [])):
        assert_explained(measure.explain(grades, unretrieved=lost))


LONG = [1, 0, 3, None, 2, 0, 1, -1] * 20  # 120 judged documents: too many to write every term


WITHOUT_CUTOFF = [m for m in MEASURES if m.name != "IPrec"]


@pytest.mark.parametrize(("measure", "ties"), [(m, ties) for m in AT_NINE + WITHOUT_CUTOFF for ties in ("docid_desc", "average", "threshold", "middle") if ties in m.ties], ids=str)
def test_long_lists_are_explained(measure, ties):
    qrels = {"q": {f"d{i}": g for i, g in enumerate(LONG) if g is not None} | {"lost": 2}}
    run = {"q": {f"d{i}": -(i // 3) for i in range(len(LONG))}}
    assert_explained(evaluate(qrels, run, measure, ties=ties).explain(measure, "q"))


@more
@given(measures(), st.lists(st.sampled_from([None, 0, 1, 2, 3]), min_size=1, max_size=10), st.data())
def test_a_difference_is_explained_by_document(measure, grades, data):
    docs = [f"d{i}" for i in range(len(grades))]
    order = data.draw(st.permutations(range(len(grades))))
    a = measure.explain(Ranking(tuple(grades), tuple(docs)))
    b = measure.explain(Ranking(tuple(grades[i] for i in order), tuple(docs[i] for i in order)))
    assume(not math.isnan(a.value))
    difference = a.minus(b)
    assert difference.value == a.value - b.value
    assert math.fsum(row.difference for row in difference.rows) == near(difference.value, a.value)
    assert sorted(row.doc_id for row in difference.rows if row.doc_id in docs) == docs


@few
@given(LISTS, LOST)
def test_a_curve_ends_at_the_value_of_the_whole_list(grades, lost):
    ranking = Ranking.of(grades, unretrieved=lost)
    for name in ("R", "AP", "RR", "nDCG(gain=linear)", "ERR", "RBP"):
        measure = parse(name)
        curve = measure.curve(ranking)
        assert len(curve) == len(grades)
        assert curve == pytest.approx([measure.set(k=k)(ranking) for k in range(1, len(grades) + 1)], abs=0)
    assert np.array_equal(hits_of(ranking).retrieved, [len(grades)])
