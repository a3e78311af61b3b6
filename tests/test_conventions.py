"""Presets side by side, and the choices behind a reported number.

The numbers "there" never come from the package: they are published values, hand calculations, or the plain loops below.
"""

import itertools
import json
import math
import random
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from statistics import fmean

import needs
import pytest

from rankmetrics_nb import MEASURES, Ranking, Run, conventions_table, diagnose, evaluate, parse
from rankmetrics_nb.conventions import REASONS, Target, as_files, as_target, parameter_alternatives, read_expected
from rankmetrics_nb.examples import rides
from rankmetrics_nb.measure import MeasureError, describe
from rankmetrics_nb.presets import PRESETS
from rankmetrics_nb.published import published_input
from rankmetrics_nb.relevance import DataError

# Plain loops -----------------------------------------------------------------------------------------------------------------


def in_order(scores, ties="docid_desc"):
    """The documents of one query, best first."""
    docs = list(scores) if ties == "input" else sorted(scores, reverse=ties == "docid_desc")
    return sorted(docs, key=lambda d: -scores[d])


def exp2(g):
    return 2 ** max(g, 0) - 1


def linear(g):
    return max(g, 0)


def dcg(grades, gain=exp2, discount=lambda r: math.log2(r + 1)):
    return sum(gain(g) / discount(r) for r, g in enumerate(grades, 1))


def ndcg(docs, judged, k, gain=exp2, discount=lambda r: math.log2(r + 1), cut=None, known=None):
    """`cut`: where the ideal order is cut; `known`: the documents that it is made of."""
    best = sorted((judged[d] for d in (judged if known is None else [d for d in known if d in judged])), reverse=True)
    ideal = dcg(best[: cut or k], gain, discount)
    return dcg([judged.get(d, 0) for d in docs[:k]], gain, discount) / ideal if ideal else 0.0


def precision(docs, judged, k, rel=1, of=None):
    return sum(judged.get(d, 0) >= rel for d in docs[:k]) / (of or k)


def ap(docs, judged, k=None, rel=1, of=None):
    found, total = 0, 0.0
    for r, d in enumerate(docs[:k], 1):
        if judged.get(d, 0) >= rel:
            found += 1
            total += found / r
    out_of = {None: sum(g >= rel for g in judged.values()), "hits": found, "min": min(k or 10**9, sum(g >= rel for g in judged.values()))}[of]
    return total / out_of if out_of else 0.0


def rr(docs, judged):
    return next((1 / r for r, d in enumerate(docs, 1) if judged.get(d, 0) >= 1), 0.0)


def err(docs, judged, k, top):
    total, on = 0.0, 1.0
    for r, d in enumerate(docs[:k], 1):
        stop = exp2(judged.get(d, 0)) / 2**top
        total, on = total + on * stop / r, on * (1 - stop)
    return total


def rbp(docs, judged, p):
    return sum((1 - p) * p ** (r - 1) for r, d in enumerate(docs, 1) if judged.get(d, 0) >= 1)


def mean(measure, qrels, run, over=None, ties="docid_desc", **settings):
    """The mean of a plain loop over the judged queries; one without results counts 0."""
    return fmean(measure(in_order(run.get(q, {}), ties), qrels[q], **settings) for q in (over or qrels))


def made(seed, n=24, depth=30, top=3, decimals=9, judged=0.8):
    """Judgements and a run, both as dicts: good documents tend to score high, some are not retrieved and some are unjudged."""
    rng = random.Random(seed)
    qrels, run = {}, {}
    for i in range(1, n + 1):
        docs = rng.sample([f"doc-{j:03}" for j in range(1, 200)], depth + 8)
        grade = {d: min(top, int(rng.expovariate(1.2))) for d in docs}
        qrels[f"q{i}"] = {d: g for d, g in grade.items() if rng.random() < judged} | {docs[0]: top, docs[1]: 1}
        found = rng.sample(docs, depth)
        scores = {d: round(grade[d] + 3 * rng.random(), decimals) for d in found}
        run[f"q{i}"] = {d: scores[d] for d in sorted(found, key=lambda d: -scores[d])}
    return qrels, run


def as_columns(table):
    """Rows of a dict of dicts, for `from_columns`."""
    return [q for q in table for _ in table[q]], [d for q in table for d in table[q]], [x for q in table for x in table[q].values()]


def labels(explanation):
    return {s.label for s in explanation.steps}


def shown(number):
    return f"{number:.7f}"


# Constructed cases: the number, and what must be found -------------------------------------------------------------------------

CASES = {}


def case(*causes, preset=None, among=1):
    """A case: a function that returns qrels, run, measure and the number there. `among`: how many explanations may fit."""

    def add(make):
        CASES[make.__name__] = (make, set(causes), preset, among)
        return make

    return add


@case("gain=linear", preset="trec_eval10")
def linear_gain():
    qrels, run = made(1)
    return qrels, run, "nDCG@10", mean(ndcg, qrels, run, k=10, gain=linear)


@case("ideal=uncut", preset="quepid")
def ideal_not_cut():
    qrels, run = made(2)
    return qrels, run, "nDCG@5", mean(ndcg, qrels, run, k=5, cut=1000)


@case("ideal=returned", preset="elasticsearch")
def ideal_cut_at_what_was_returned():
    qrels, run = made(3, depth=6)
    return qrels, run, "nDCG@10", mean(ndcg, qrels, run, k=10, cut=6)


@case("gain=linear", "ideal=retrieved", preset="sklearn")
def ideal_of_retrieved_documents_and_linear_gain():
    qrels, run = made(4)
    return qrels, run, "nDCG@10", fmean(ndcg(docs := in_order(run[q]), qrels[q], 10, linear, known=docs) for q in qrels)


@case("discount=log2(r)")
def discount_one_rank_off():
    qrels, run = made(5)
    return qrels, run, "nDCG@10", mean(ndcg, qrels, run, k=10, discount=lambda r: math.log2(max(r, 2)))


@case("k=9")
def cutoff_one_too_early():
    qrels, run = made(6)
    return qrels, run, "nDCG@10", mean(ndcg, qrels, run, k=9)


@case("k=11")
def cutoff_one_too_late():
    qrels, run = made(7)
    return qrels, run, "P@10", mean(precision, qrels, run, k=11)


@case("missing=skip", preset="trec_eval9")
def mean_over_answered_queries():
    qrels, run = made(8)
    for q in ("q3", "q11", "q20"):
        del run[q]
    return qrels, run, "AP", mean(ap, qrels, run, over=list(run))


@case("queries=all")
def mean_over_queries_without_judgements():
    qrels, run = made(9)
    run["q90"] = run["q91"] = {"doc-001": 1.0}
    return qrels, run, "AP", 24 / 26 * mean(ap, qrels, run)


@case("queries=run")
def mean_over_the_queries_of_the_run():
    qrels, run = made(10)
    del run["q5"]
    run["q90"] = run["q91"] = {"doc-001": 1.0}
    return qrels, run, "RR", sum(rr(in_order(run[q]), qrels[q]) for q in qrels if q in run) / len(run)


@case("norel=skip")
def queries_without_relevant_documents_left_out():
    qrels, run = made(11)
    for q in ("q2", "q7"):
        qrels[q] = dict.fromkeys(qrels[q], 0)
    return qrels, run, "nDCG@10", mean(ndcg, qrels, run, over=[q for q in qrels if q not in ("q2", "q7")], k=10)


@case("per cent")
def per_cent():
    qrels, run = made(12)
    return qrels, run, "nDCG@10", 100 * mean(ndcg, qrels, run, k=10)


@case("per cent", "gain=linear")
def per_cent_and_linear_gain():
    qrels, run = made(13)
    return qrels, run, "nDCG@10", 100 * mean(ndcg, qrels, run, k=10, gain=linear)


@case("rank as score", among=2)  # with every document ranked, "lower is better" is the same order
def rank_column_used_as_score():
    qrels, run = made(14)
    ranks = {q: {d: r for r, d in enumerate(run[q], 1)} for q in run}
    return qrels, Run.from_columns(*as_columns(run), ranks=as_columns(ranks)[2]), "nDCG@10", mean(ndcg, qrels, ranks, k=10)


@case("file order")
def file_order_in_place_of_scores():
    qrels, run = made(15)
    rng = random.Random(15)
    shuffled = {q: dict(rng.sample(list(run[q].items()), len(run[q]))) for q in run}
    return qrels, shuffled, "AP", fmean(ap(list(shuffled[q]), qrels[q]) for q in qrels)


@case("rank")
def rank_column_in_place_of_scores():
    qrels, run = made(16)
    rng = random.Random(16)
    shuffled = {q: dict(rng.sample(list(run[q].items()), len(run[q]))) for q in run}
    ranks = {q: dict(zip(run[q], rng.sample(range(1, len(run[q]) + 1), len(run[q])), strict=True)) for q in run}
    rows = as_columns(shuffled)
    there = fmean(ap(sorted(ranks[q], key=ranks[q].get), qrels[q]) for q in qrels)
    return qrels, Run.from_columns(*rows, ranks=[ranks[q][d] for q, d in zip(*rows[:2], strict=True)]), "AP", there


@case("lower is better")
def a_distance_read_as_a_score():
    qrels, run = made(17)
    rng = random.Random(17)
    shuffled = {q: dict(rng.sample(list(run[q].items()), len(run[q]))) for q in run}
    return qrels, shuffled, "RR", mean(rr, qrels, {q: {d: -s for d, s in run[q].items()} for q in run})


@case("ties=input", preset="ranx", among=2)  # ties are the only thing that the order of the file decides here
def ties_in_the_order_of_the_input():
    qrels, run = made(18, decimals=1)
    return qrels, run, "AP", mean(ap, qrels, run, ties="input")


@case("ties=docid_asc")
def ties_by_rising_id():
    qrels, run = made(19, decimals=1)
    return qrels, run, "nDCG@10", mean(ndcg, qrels, run, ties="docid_asc", k=10)


@case("ties=average")
def ties_averaged_over_all_orders():
    """Every order that the scores allow, one by one."""
    qrels, run = made(20, n=12, depth=8, decimals=0)

    def average(q):
        groups = [list(group) for _, group in itertools.groupby(in_order(run[q]), key=run[q].get)]
        orders = itertools.product(*map(itertools.permutations, groups))
        return fmean(ndcg(list(itertools.chain(*order)), qrels[q], 5) for order in orders)

    return qrels, run, "nDCG@5", fmean(map(average, qrels))


@case("unjudged=remove")
def unjudged_documents_removed():
    qrels, run = made(21)
    return qrels, run, "P@10", mean(precision, qrels, {q: {d: s for d, s in run[q].items() if d in qrels[q]} for q in run}, k=10)


@case("norm=hits", preset="sklearn")
def average_precision_of_what_was_found():
    qrels, run = made(22)
    return qrels, run, "AP", mean(ap, qrels, run, of="hits")


@case("norm=min_k_R", preset="kaggle")
def average_precision_at_k_out_of_k():
    qrels, run = made(23)
    return qrels, run, "AP@12", mean(ap, qrels, run, k=12, of="min")


@case("score_dtype=float32", preset="trec_eval9")
def single_precision_scores():
    """A score of 100 000 leaves two decimals in single precision: the parts after them vanish, and document ids decide."""
    qrels, run = made(24)
    run = {q: {d: 100_000 + round(s, 1) + i / 1e6 for i, (d, s) in enumerate(reversed(run[q].items()))} for q in run}
    rough = {q: {d: round(s * 128) / 128 for d, s in run[q].items()} for q in run}  # the doubles that are singles here
    return qrels, run, "AP", mean(ap, qrels, rough)


@case("ids=cut")
def ids_cut_off():
    qrels, run = made(25)
    longer = {q: {f"collection/part-{d}": g for d, g in qrels[q].items()} for q in qrels}
    lost = {q: {f"collection/part-{d}-lost": s for d, s in run[q].items()} for q in run}
    return longer, lost, "nDCG@10", mean(ndcg, qrels, run, k=10)


@case("ids=zeros")
def ids_with_leading_zeros():
    qrels, run = made(26)
    return (
        {q: {f"00{d[4:]}": g for d, g in qrels[q].items()} for q in qrels},
        {q: {d[4:].lstrip("0"): s for d, s in run[q].items()} for q in run},
        "AP",
        mean(ap, qrels, run),
    )


@case("ids=case")
def ids_in_capitals():
    qrels, run = made(27)
    return qrels, {q: {d.upper(): s for d, s in run[q].items()} for q in run}, "RR", mean(rr, qrels, run)


@case("ids=none")
def no_id_matched_there():
    qrels, run = made(28)
    return qrels, run, "AP", 0.0


@case("rel=2")
def relevant_from_grade_2_on():
    qrels, run = made(29)
    return qrels, run, "AP", mean(ap, qrels, run, rel=2)


@case("gmax=4", preset="gdeval")
def a_fixed_highest_grade():
    qrels, run = made(30)
    return qrels, run, "ERR@10", mean(err, qrels, run, k=10, top=4)


@case("denom=retrieved", preset="quepid")
def precision_of_short_lists():
    qrels, run = made(31)
    for q in list(run)[::2]:
        run[q] = dict(list(run[q].items())[:7])
    return qrels, run, "P@10", fmean(precision(in_order(run[q]), qrels[q], 10, of=min(10, len(run[q]))) for q in qrels)


@case("p=0.9")
def another_persistence():
    qrels, run = made(32)
    return qrels, run, "RBP", mean(rbp, qrels, run, p=0.9)


@case("Success@5")
def hit_rate_called_recall():
    qrels, run = made(33)
    return qrels, run, "R@5", fmean(any(qrels[q].get(d, 0) >= 1 for d in in_order(run[q])[:5]) for q in qrels)


@case("gain=linear", "missing=skip", "discount=log2(r)")
def three_choices():
    qrels, run = made(34)
    del run["q4"], run["q9"]
    return qrels, run, "nDCG@10", mean(ndcg, qrels, run, over=list(run), k=10, gain=linear, discount=lambda r: math.log2(max(r, 2)))


@pytest.mark.parametrize("name", CASES)
def test_the_cause_is_found(name):
    make, causes, preset, among = CASES[name]
    qrels, run, measure, number = make()
    d = diagnose(qrels, run, measure, shown(number))
    assert not d.agrees and 1 <= len(d.explanations) <= among
    (found,) = [e for e in d.explanations if labels(e) == causes]
    assert Target(number, 7).fits(found.value)
    parts = d.parts(found)
    assert parts[0] == Decimal(f"{d.value:.7f}") and sum(parts) == Decimal(f"{found.value:.7f}"), "as shown, the parts add up"
    assert d.equation(found) in d.text and all(f"{s.label}: {s.why}" in d.text for s in found.steps)
    assert (
        found.steps[0].before == d.value and [s.after for s in found.steps[:-1]] == [s.before for s in found.steps[1:]] and found.steps[-1].after == found.value
    )
    if preset:
        assert preset in found.presets and preset in d.text
        assert next(value for tool, value, _ in d.presets if tool == preset) == pytest.approx(number, abs=1e-9)
    assert evaluate(qrels, run, measure).mean[measure] == pytest.approx(d.value)
    if not causes & {"per cent"} and not any(
        label.split("=")[0] in ("rank as score", "rank", "file order", "lower is better", "ids", "queries") for label in causes
    ):
        fields = dict(part.split("=") for part in found.conventions.split(", ") if part)  # all that is needed stands in full name and conventions
        again = evaluate(qrels, run, parse(found.name), **fields)
        assert again.mean[found.name] == pytest.approx(number, abs=1e-9)
        assert (
            f"full name: {found.name}" + (f", conventions: {found.conventions}" if fields else "")
            in d.text.splitlines()[d.text.splitlines().index(f"  {d.equation(found)}") + (1 + bool(found.presets))]
        )


# Published numbers: what a tool printed for an input that fits on a napkin -----------------------------------------------------

PRINTED = [
    ("A", "ERR@5", ".0820", {"gmax=4"}, "ir_measures"),
    ("A", "P@5", ".6667", {"denom=retrieved"}, "quepid"),
    ("A", "R@5", "1.0000", {"denom=retrieved"}, "torchmetrics"),
    ("A", "AP", ".8333", {"norm=hits"}, "sklearn"),
    ("A", "AP@2", ".5000", {"norm=min_k_R"}, "kaggle"),
    ("B", "nDCG@5", ".6131", {"gain=linear"}, "trec_eval9"),
    ("B", "nDCG@5", ".7762", {"gain=linear", "ideal=retrieved"}, "sklearn"),
    ("B", "nDCG@5", ".6844", {"gain=binary"}, "recommenders"),
    ("B", "AP", ".6500", {"rel=2"}, None),
    ("B", "RBP", "1.3513", {"grade=raw"}, "ranx"),
    ("B", "P@5", ".8", {"unjudged=remove"}, None),
    ("C", "AP", "1.0", {"ties=input"}, "ranx"),
    ("C", "nDCG", ".7103", {"ties=average"}, "sklearn"),
    ("F", "AP", ".7500", {"missing=skip"}, "trec_eval9"),
    ("F", "nDCG", ".8155", {"missing=skip"}, "trec_eval9"),
    ("G", "AP", ".5", {"score_dtype=float32"}, "trec_eval9"),
    ("I", "AUC", ".7143", {"over=retrieved"}, "sklearn"),
    ("I", "11pt", ".6623", {"levels=trec_eval9"}, "trec_eval9"),
    ("I", "11pt", ".7143", {"levels=trec_eval10"}, "trec_eval10"),
    ("L", "AP@10", ".2750", {"norm=min_k_R"}, "kaggle"),
    ("L", "AP@10", ".9167", {"norm=hits"}, "torchmetrics"),
    ("L", "nDCG@10", ".9675", {"ideal=retrieved"}, "sklearn"),
    ("L", "nDCG@10", ".8048", {"ideal=returned"}, "elasticsearch"),
    ("L", "nDCG@10", ".4048", {"ideal=uncut"}, "quepid"),
]


@pytest.mark.parametrize(("name", "measure", "number", "causes", "preset"), PRINTED, ids=lambda x: str(x))
def test_a_published_number_is_explained(name, measure, number, causes, preset):
    d = diagnose(*published_input(name), measure, number)
    found = d.explanations[0] if preset else next(e for e in d.explanations if labels(e) == causes)
    assert labels(found) == causes, "of several that fit, that of a known tool comes first"
    assert preset is None or preset in found.presets
    if d.value == d.value:
        assert float(sum(d.parts(found))) == float(number)
    else:
        assert d.equation(found) == f"undefined -> {float(number):.4f}" and f"{measure} is undefined here" in d.text


def test_the_number_of_the_mock_up():
    d = diagnose(rides["bm25"], "nDCG@5", "0.768")
    (found,) = d.explanations
    assert [s.label for s in found.steps] == ["gain=linear", "ideal=retrieved"] and found.presets == ("sklearn", "torchmetrics")
    assert d.equation(found) == "0.608 + 0.075 + 0.085 = 0.768" and found.name == "nDCG(gain=linear,ideal=retrieved)@5"
    assert "2 choices together make the difference:" in d.text and "These are the conventions of sklearn, torchmetrics." in d.text


def test_average_precision_of_scikit_learn():
    metrics = needs_sklearn()
    qrels, run = made(40)
    there = fmean(metrics.average_precision_score([qrels[q].get(d, 0) >= 1 for d in run[q]], list(run[q].values())) for q in qrels)
    (found,) = diagnose(qrels, run, "AP", shown(there)).explanations
    assert labels(found) == {"norm=hits"} and "sklearn" in found.presets


def test_ndcg_of_scikit_learn():
    metrics = needs_sklearn()
    qrels, run = made(41, decimals=1)
    there = fmean(metrics.ndcg_score([[qrels[q].get(d, 0) for d in run[q]]], [list(run[q].values())], k=10) for q in qrels)
    (found,) = diagnose(qrels, run, "nDCG@10", shown(there)).explanations
    assert labels(found) == {"gain=linear", "ideal=retrieved", "ties=average"} and found.presets == ("sklearn", "torchmetrics")


REPORTS = {
    "graded-as-binary": ("nDCG(gain=linear)@3", "nDCG@3", {"gain=binary"}),
    "rank2-discount": ("nDCG(gain=linear)@3", "nDCG@3", {"discount=log2(r)"}),
    "float32-collapse": ("RR", "RR", {"score_dtype=float32"}),
    "query-without-relevant": ("RR", "q2:RR", {"norel=one"}),
    "precision-without-answers": ("P@2", "P@2", {"norel=one"}),
    "ap-positives-never-retrieved": ("AP", "AP", {"norm=hits"}),
    "rr-cut-12": ("RR@10", "RR@10", {"k=None"}),
    "recall-denominator": ("R@1", "R@1", {"denom=min"}),
    "iprec-rounding": ("IPrec@0.7", "IPrec|recall=0.7", {"levels=trec_eval9"}),
    "empty-result-list": ("Success@5", "Success@5", {"missing=skip"}),
    "unanswered-query-in-mean": ("nDCG@10", "nDCG@10", {"missing=skip"}),
    "identical-query-and-doc-id": ("P@3", "P@3", {"self_hits=remove"}),
    "idcg-R-below-k": ("nDCG@10", "nDCG@10", None),  # an ideal order of k top grades: no choice that we know
    "rr-mean-over-hits": ("RR", "RR", None),  # 1/r averaged over all hits: neither
}


@pytest.mark.parametrize("name", REPORTS)
def test_wrong_values_of_public_reports(name):
    """What went wrong in reports from the field, as the cases tell it: input, and the value that must not come out."""
    measure, key, cause = REPORTS[name]
    report = next(c for c in json.loads((Path(__file__).parent / "cases" / "cases.json").read_text(encoding="utf-8")) if c["id"] == name)
    given, wrong = report["input"], f"{report['wrong'][key]:.6f}"
    if "relevances" in given:
        d = diagnose(Ranking.of(given["relevances"], n_relevant=given.get("num_rel")), measure, wrong)
    else:
        query = key.rpartition(":")[0]
        d = diagnose(given["qrels"], given["run"], measure, **({"expect": {query: wrong}} if query else {"value": wrong}))
    assert cause in [labels(e) for e in d.explanations] if cause else d.explanations == ()


def test_values_of_trec_eval_by_query():
    """float32 scores, linear gain, missing queries: by query, only the first two can show."""
    needs.module("pytrec_eval")
    import pytrec_eval

    qrels, run = made(42, decimals=1)
    there = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10", "map"}).evaluate(run)
    found = diagnose(qrels, run, "nDCG@10", expect={q: values["ndcg_cut_10"] for q, values in there.items()}).explanations
    assert [labels(e) for e in found] == [{"gain=linear"}] and "trec_eval9" in found[0].presets
    assert diagnose(qrels, run, "AP", expect={q: values["map"] for q, values in there.items()}).agrees


def needs_sklearn():
    needs.module("sklearn")
    import sklearn.metrics

    return sklearn.metrics


# More than three choices, agreement, failure -----------------------------------------------------------------------------------


def test_a_tool_that_differs_in_four_choices():
    """Single precision and an average over ties, a linear gain, and an ideal order of retrieved documents: more than is searched for, but a tool's own."""
    qrels, run = made(43, n=8, depth=7)
    run = {q: {d: 100_000 + i // 2 + i / 1e6 for i, d in enumerate(reversed(run[q]))} for q in run}
    pairs = {q: [list(run[q])[i : i + 2] for i in range(0, 7, 2)] for q in run}  # two and two tie in single precision; files rise, so they are turned

    def average(q):
        orders = itertools.product(*(itertools.permutations(pair) for pair in reversed(pairs[q])))
        return fmean(ndcg(docs := list(itertools.chain(*order)), qrels[q], 5, linear, known=docs) for order in orders)

    d = diagnose(qrels, run, "nDCG@5", shown(fmean(map(average, qrels))))
    (found,) = d.explanations
    assert labels(found) == {"gain=linear", "ideal=retrieved", "ties=average", "score_dtype=float32"} and found.presets == ("torchmetrics",)
    assert sum(d.parts(found)) == Decimal(f"{found.value:.7f}")


def test_agreement():
    qrels, run = made(44)
    number = mean(ndcg, qrels, run, k=10)
    d = diagnose(qrels, run, "nDCG@10", shown(number))
    assert d.agrees and d.explanations[0].steps == () and d.tried == 1
    assert d.text.splitlines() == [f"nDCG@10 is {shown(number)} here; to explain: {shown(number)}", "Nothing to explain: the numbers agree."]
    assert diagnose(qrels, run, "nDCG@10", number).agrees, "all digits of a float"
    assert diagnose(qrels, run, "AP", expect={q: ap(in_order(run[q]), qrels[q]) for q in qrels}).agrees


def test_no_combination():
    qrels, run = made(45)
    here = mean(ndcg, qrels, run, k=10)
    d = diagnose(qrels, run, "nDCG@10", "0.0123456")
    assert d.explanations == () and not d.agrees and d.tried > 100
    assert f"No combination we know gives this ({d.tried} were tried). The nearest gives {shown(d.nearest.value)}:" in d.text
    assert 0 < abs(d.nearest.value - 0.0123456) < abs(here - 0.0123456) and sum(d.parts(d.nearest)) == Decimal(shown(d.nearest.value))
    assert not any(fits for _, _, fits in d.presets)


def test_remaining_choices_start_from_the_explanation():
    qrels, run = made(46)
    d = diagnose(qrels, run, "nDCG@10", shown(mean(ndcg, qrels, run, k=10, gain=linear)))
    by_label = {s.label: s for s in d.remaining}
    assert by_label["k=9"].after == pytest.approx(mean(ndcg, qrels, run, k=9, gain=linear)) and by_label["k=9"].before == d.explanations[0].value
    assert not any(s.label.startswith("gain=") for s in d.remaining), "one gain at a time"
    changes = [abs(s.after - s.before) for s in d.remaining]
    assert changes == sorted(changes, reverse=True) and 0 not in changes
    assert "What the other choices would do from there:" in d.text


def test_with_few_digits_several_combinations_fit():
    d = diagnose(*made(47), "nDCG@10", "0.5")
    assert len(d.explanations) > 1 or d.agrees
    d = diagnose(*published_input("L"), "nDCG@10", ".4048")
    assert {frozenset(labels(e)) for e in d.explanations} == {frozenset({"k=None"}), frozenset({"ideal=uncut"})}
    assert f"2 combinations of this size give the number, of {d.tried} tried; more digits, or values by query (expect), would tell them apart." in d.text


def test_from_the_conventions_of_a_tool():
    qrels, run = made(48)
    there = shown(mean(ndcg, qrels, run, k=10))
    (found,) = diagnose(qrels, run, "nDCG@10", there, conventions="trec_eval9").explanations
    assert labels(found) == {"gain=exp2"} and "gdeval" in found.presets
    assert diagnose(qrels, run, "nDCG(gain=exp2)@10", there, conventions="trec_eval9").agrees, "what the name says wins over the preset"


# Values: text and digits, typed rankings, by query -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        ("0.4500", 4, "0.4500"),
        (0.45, 2, "0.45"),
        (0.4500, 2, "0.45"),
        (" .4048 ", 4, "0.4048"),
        ("45", 0, "45"),
        (1, 0, "1"),
        ("4.5e-1", 2, "0.45"),
        ("1e2", 0, "100"),
    ],
)
def test_the_digits_written_are_compared(value, digits, text):
    target = as_target(value)
    assert (target.digits, target.text, target.value) == (digits, text, float(value))


def test_what_fits_a_number():
    assert as_target("0.45").fits(0.4549) and not as_target("0.4500").fits(0.4549) and as_target("0.4500").fits(0.45004)
    assert as_target("0.45").fits(0.445) and not as_target("0.45").fits(math.nan)
    assert as_target(0.1 + 0.2).fits(0.3), "rounding errors are no difference"


@pytest.mark.parametrize("value", ["x", "", "nan", "inf", "0,45", True, None, [0.5], "45 %"], ids=repr)
def test_a_value_that_is_no_number(value):
    with pytest.raises(MeasureError, match="number"):
        diagnose({"q": {"d": 1}}, {"q": {"d": 1}}, "AP", value=value if value is not None else "None")


@pytest.mark.parametrize(("measure", "value"), [("AP", -0.1), ("AP", 101), ("nDCG@10", "-0.0001"), ("MeanRank", 0.5), ("DCG", -1)])
def test_a_value_out_of_range(measure, value):
    with pytest.raises(MeasureError, match="is no value of .*: it goes from"):
        diagnose({"q": {"d": 1, "e": 0}}, {"q": {"e": 2, "d": 1}}, measure, value)


def test_typed_rankings():
    wanted = [[("ideal=uncut",)], [("k=None",)]]
    for d in (diagnose(Ranking.of("R R N R", n_relevant=12), "nDCG@10", 0.4048), diagnose(Ranking.of("R R N R", n_relevant=12), "nDCG@10", value="0.4048")):
        assert [[tuple(labels(e))] for e in d.explanations] == wanted
    assert labels(diagnose("3 0 1", "DCG", "3.5").explanations[0]) == {"gain=linear"}, "3/log2(2) + 1/log2(4)"
    assert labels(diagnose([1, 0, 0], parse("P@5"), "0.33").explanations[0]) <= {"denom=retrieved", "k=None"}
    qrels, run = as_files(Ranking.of("b:2 a:? c:0", unretrieved=[1]))
    assert qrels["query"] == {"b": 2, "c": 0, "not retrieved 1": 1} and list(run["query"]) == ["b", "a", "c"]


@pytest.mark.parametrize(
    "arguments",
    [
        dict(qrels={"q": {"d": 1}}, run={"q": {"d": 1}}, measure="AP"),
        dict(qrels=[1, 0], run="AP"),
        dict(qrels={"q": {"d": 1}}, run={"q": {"d": 1}}, measure="AP", expect={}),
    ],
)
def test_nothing_to_explain(arguments):
    with pytest.raises(MeasureError, match="nothing to explain: give the number"):
        diagnose(**arguments)


def test_bad_input():
    qrels, run = {"q": {"d": 1, "e": 0}, "p": {"d": 1}}, {"q": {"d": 1}}
    with pytest.raises(DataError, match="share no query: the judgements have 'q'.*the run has '7'"):
        diagnose(qrels, {"7": {"d": 1}}, "AP", 0.5)
    with pytest.raises(DataError, match="no results for 1 judged query.*missing=zero"):
        diagnose(qrels, run, "AP", 0.5, conventions="trec_eval10")
    with pytest.raises(ValueError, match="conventions must be one of .*got 'sklaern'; did you mean 'sklearn'"):
        diagnose(qrels, run, "AP", 0.5, conventions="sklaern")
    with pytest.raises(MeasureError, match="unknown measure 'ndgc@10': did you mean nDCG"):
        diagnose(qrels, run, "ndgc@10", 0.5)
    with pytest.raises(DataError, match="query 'x' has no judgements"):
        diagnose(qrels, run, "AP", expect={"q": 1, "x": 0.5})
    with pytest.raises(MeasureError, match="not both"):
        diagnose(qrels, run, "AP", 0.5, expect={"q": 0.5})
    with pytest.raises(MeasureError, match="of query q must be a number"):
        diagnose(qrels, run, "AP", expect={"q": "good"})


def test_values_by_query():
    qrels, run = made(49)
    there = {q: f"{ndcg(in_order(run[q]), qrels[q], 10, linear):.4f}" for q in list(qrels)[:5]}
    d = diagnose(qrels, run, "nDCG@10", expect=there)
    assert [labels(e) for e in d.explanations] == [{"gain=linear"}] and "to explain: 5 values by query" in d.text
    there["q1"] = "0.0001"
    d = diagnose(qrels, run, "nDCG@10", expect=there)
    assert d.explanations == () and "No combination we know gives this" in d.text


FORMS = {
    "two columns": "q1 0.25\nq2\t0.5000\n",
    "a blank line, a comment and the mean": "# from a mail\nq1 0.25\n\nq2 0.5000\nall 0.3750\n",
    "as trec_eval -q prints": "map                   \tq1\t0.25\nP_10 \tq1\t0.1\nmap\tq2\t0.5000\nnum_q\tall\t2\nmap\tall\t0.3750\n",
    "as ir_measures prints": "q1\tAP\t0.25\nq1\tP@10\t0.1\nq2\tAP\t0.5000\nall\tAP\t0.3750\n",
    "JSON": '{"q1": 0.25, "q2": 0.5000}',
    "JSON with texts": '\ufeff{"q1": "0.25", "q2": "0.5000"}\n',
    "Windows": "\ufeffq1 0.25\r\nq2 0.5000\r\n",
}


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_values_by_query(tmp_path, form):
    (tmp_path / "there").write_bytes(FORMS[form].encode())
    assert read_expected(tmp_path / "there", "AP") == {"q1": "0.25", "q2": "0.5000"}, "digits are kept"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("q1 0.5\nq2\n", ["there, line 2", "expected 2 fields (query value) or 3", "found 1"]),
        ("q1,0.5\n", ["there, line 1", "found 1: 'q1,0.5'"]),
        ("q1 0.5\nq1 0.6\n", ["there, line 2", "query q1 has a value already, in line 1"]),
        ("q1 good\n", ["there, line 1", "of query q1 must be a number", "'good'"]),
        ("map q1 nan\n", ["there, line 1", "'nan'"]),
        ("P_10 q1 0.5\n", ["no value of AP by query"]),
        ("", ["no value of AP by query"]),
        ('{"q1": 0.5', ["no JSON object"]),
        ('{"q1": NaN}', ["of query q1", "'NaN'"]),
        ('{"q1": true}', ["of query q1"]),
        ("[0.5]", ["expected a JSON object", "0.5"]),
        ("{}", ["expected a JSON object"]),
    ],
)
def test_files_of_values_that_cannot_be_read(tmp_path, text, parts):
    (tmp_path / "there").write_text(text)
    with pytest.raises(DataError) as error:
        read_expected(str(tmp_path / "there"), "AP")
    assert all(part in str(error.value) for part in parts), str(error.value)


def test_a_file_of_values_that_is_not_there(tmp_path):
    with pytest.raises(DataError, match="nowhere: No such file"):
        read_expected(str(tmp_path / "nowhere"), "AP")


def test_the_cutoff_of_a_line_must_be_that_of_the_measure(tmp_path):
    (tmp_path / "there").write_text("ndcg_cut_5 q1 0.1\nndcg_cut_10 q1 0.2\nndcg q1 0.3\n")
    assert read_expected(str(tmp_path / "there"), "nDCG@10") == {"q1": "0.2"} and read_expected(str(tmp_path / "there"), "nDCG") == {"q1": "0.3"}


# What is tried -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_every_choice_has_a_reason(measure):
    for m in (measure, measure @ 0.5) if measure.has("recall") else (measure,):
        for a in parameter_alternatives(m, 3):
            assert a.why and a.label.startswith(f"{a.group}=")
            assert a.group in ("k", "rel", "p", "beta", "gmax") or "instead of" not in a.why, f"{a.label} has no reason of its own"
    assert set(REASONS) and all(reason == reason.strip() for reason in REASONS.values())


@pytest.mark.parametrize(
    "measure",
    [
        "P",
        "P@10",
        "R@3",
        "F1@5",
        "Success@1",
        "Rprec",
        "Judged@5",
        "IPrec@0.5",
        "11pt",
        "AP",
        "AP@5",
        "GMAP",
        "RR",
        "MeanRank",
        "DCG@5",
        "nDCG",
        "RBP",
        "ERR@5",
        "AUC",
        "bpref",
        "infAP",
    ],
)
def test_what_is_counted_is_what_is_evaluated(measure):
    """The short cuts of the search change no value: each single choice gives what `evaluate` gives."""
    qrels, run = made(50, n=6, decimals=1)
    del run["q3"]
    qrels["q4"] = dict.fromkeys(qrels["q4"], 0)
    d = diagnose(qrels, run, measure, 99 if parse(measure).bounds[1] == 1 else 98765)
    assert d.value == pytest.approx(evaluate(qrels, run, measure).mean[measure], abs=1e-12)
    for tool, value, _ in d.presets:
        assert value == pytest.approx(next(iter(evaluate(qrels, run, measure, tool).mean.values())), abs=1e-12, nan_ok=True), tool
    d = diagnose(qrels, run, measure, d.value)
    assert d.agrees and len(d.remaining) > 3
    for s in d.remaining:
        name, value = s.label.split("=", 1)
        if name in ("ties", "unjudged", "missing", "norel", "score_dtype", "self_hits"):
            assert s.after == pytest.approx(evaluate(qrels, run, measure, **{name: value}).mean[measure], abs=1e-12), s.label
        else:
            m = parse(measure).set(
                **{name: None if value == "None" else float(value) if value[0].isdigit() and name != "k" else int(value) if value.isdigit() else value}
            )
            assert s.after == pytest.approx(evaluate(qrels, run, m).mean[str(m)], abs=1e-12), s.label


def test_a_measure_of_ones_own_is_diagnosed_with_all_its_documents():
    from rankmetrics_nb.measure import CUTOFF, Measure

    def wrong(hits, k=None):
        return hits.nonrelevant().within(k).earn(1, of=hits.n_nonrelevant)

    own = Measure("Wrong", wrong, "How much of what is not relevant did I get?", r"\frac{n}{N}", ("made up",), "fallout", (CUTOFF,))
    d = diagnose({"q": {"a": 0, "b": 0, "c": 1, "d": 0}}, {"q": {"a": 3, "c": 2, "b": 1}}, own @ 2, "0.667")
    assert round(d.value, 3) == 0.333 and [labels(e) for e in d.explanations] == [{"k=3"}, {"k=None"}]


def test_documents_named_like_their_query():
    qrels, run = {"7": {"7": 1, "8": 1}, "9": {"3": 1}}, {"7": {"7": 3, "5": 2, "8": 1}, "9": {"4": 2, "3": 1}}
    (found,) = diagnose(qrels, run, "RR", "0.5").explanations  # 1/2 and 1/2 when document 7 is taken out
    assert labels(found) == {"self_hits=remove"}


def test_single_precision_never_warns():
    qrels, run = {"q": {"a": 1, "b": 0}}, {"q": {"b": 2e300, "a": 1e300}}  # both are infinite in single precision: a tie, and b has the higher id
    assert diagnose(qrels, run, "RR", "0.5").agrees
    assert {"score_dtype=float32"} not in [labels(e) for e in diagnose(qrels, run, "RR", 1).explanations]


# One measure under all presets ---------------------------------------------------------------------------------------------------


def test_a_table_of_presets():
    """The numbers of the design's picture of this table."""
    table = conventions_table("nDCG@5", rides["bm25"], rides["reranker"])
    rows = {r.preset: r for r in table.rows}
    assert set(rows) == set(PRESETS)
    for tools, value, delta, choices in [
        ("recommenders", 0.8304, 0.0235, ("gain=binary",)),
        ("sklearn torchmetrics", 0.7680, 0.1473, ("gain=linear", "ideal=retrieved")),
        ("trec_eval9 trec_eval10 ir_measures ranx", 0.6831, 0.1310, ("gain=linear",)),
        ("textbook gdeval elasticsearch", 0.6077, 0.1726, ()),
        ("quepid", 0.5845, 0.1660, ("ideal=uncut",)),
    ]:
        for tool in tools.split():
            assert rows[tool].value == pytest.approx(value, abs=5e-5) and rows[tool].other - rows[tool].value == pytest.approx(delta, abs=5.1e-5), tool
            assert rows[tool].choices == choices, "only what matters here"
    assert [r.value for r in table.rows] == sorted((r.value for r in table.rows), reverse=True)
    assert table.verdict == "B stays ahead of A under all 12 presets: the numbers move, the verdict does not."
    assert (
        "0.7680  0.9152  +0.1473  gain=linear, ideal=retrieved" in table.text
        and "| sklearn | 0.7680 |" in table.markdown
        and "<td>0.7680</td>" in table._repr_html_()
    )


def test_verdicts():
    assert conventions_table("AP", [0, 1], [0, 1]).verdict.startswith("A and B stay equal")
    assert conventions_table("AP", [1], [0, 1]).verdict.startswith("A stays ahead of B under all 12")
    split = conventions_table("nDCG@5", "3 0 1", "1 3 0")  # two relevant first without grades, the 3 first with them
    assert split.verdict == "The verdict depends on the conventions: B is ahead under 1 preset, A is ahead under 11 presets."
    some = conventions_table("AP@2", Ranking.of([1], n_relevant=4), Ranking.of([1, 1], n_relevant=4))
    assert some.verdict == "The verdict depends on the conventions: B is ahead under 10 presets, they are equal under 2 presets."
    assert conventions_table("nDCG@10", Ranking.of("R R N R", n_relevant=12)).verdict == "4 different values in 12 presets."
    assert conventions_table("nDCG@10", "R R N R").verdict == "All 12 presets give one value."


def test_a_table_for_files():
    qrels, run = published_input("F")
    table = conventions_table("AP", run, qrels=qrels)
    rows = {r.preset: r for r in table.rows}
    assert rows["trec_eval9"].value == 0.75 and rows["trec_eval9"].choices == ("missing=skip",) and rows["textbook"].value == 0.5
    assert math.isnan(rows["ranx"].value) and rows["ranx"].note == "stops: a judged query has no results", "as ranx and trec_eval 10 do"
    assert "stops" in table.text and table.rows[-1].value != table.rows[-1].value
    two = conventions_table("AP", run, {q: run["q1"] for q in qrels}, qrels=qrels)
    assert all(r.other == 1 or math.isnan(r.other) for r in two.rows) and "B stays ahead of A under all 10 presets" in two.verdict


def test_a_table_needs_a_measure_and_a_ranking():
    with pytest.raises(MeasureError, match="did you mean nDCG"):
        conventions_table("ndgc", [1])
    with pytest.raises(DataError):
        conventions_table("nDCG", "good bad")
    with pytest.raises(DataError, match="share no query"):
        conventions_table("nDCG", {"7": {"d": 1}}, qrels={"q": {"d": 1}})


# What the records say for choosing a measure --------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_a_record_says_what_is_ignored_and_what_misleads(measure):
    assert measure.ignores and not measure.ignores.endswith(".") and measure.ignores[0].islower()
    assert measure.pitfall.endswith(".") and measure.pitfall.count(".") < 4
    assert f"Ignores {measure.ignores}.\n{measure.pitfall}\n" in describe(measure)


@pytest.mark.parametrize(
    ("measures", "one", "other"),
    [
        ("P@4 R@4 F1@4 F@4", "1 0 3 0 2", "3 0 0 1 2"),  # the order within the first k
        ("P@4", "1 0 3 0 2", "1 0 3 0 0"),  # what comes below
        ("Success@3 RR MeanRank", "0 1 0 3 2", "0 1 2 0 0"),  # all below the first relevant document
        ("P@4 R@4 F1@4 Success@4 Rprec IPrec@0.5 11pt AP GMAP RR MeanRank RBP AUC bpref infAP", "1 0 3 0 2", "3 0 1 0 1"),  # how relevant
        ("Judged@4 Judged", "1 0 ? 0", "0 0 ? 3"),  # whether relevant
        ("bpref", "1 ? 0 3", "1 0 ? ? 3"),  # unjudged documents
        ("nDCG nDCG@3", "1 0 0", "3 0 0"),  # how good the best order is
    ],
)
def test_what_is_ignored_makes_no_difference(measures, one, other):
    for name in measures.split():
        assert parse(name)(one) == pytest.approx(parse(name)(other)), name


def test_pitfalls_in_numbers():
    assert parse("P@10")("R R R") == 0.3 and parse("R@2")("R R R R") == 0.5, "fewer relevant than k; more relevant than k"
    assert parse("F1")("R N", n_relevant=2) == 0.5, "precision and recall are equal, and neither is 1"
    assert parse("Success@2")("N R") == parse("R@2")("N R") and parse("Success@2")("N R R R") != parse("R@2")("N R R R")
    assert parse("RR")("R") - parse("RR")("N R") == 1 / 2 and parse("RR")(" N" * 8 + " R") - parse("RR")(" N" * 9 + " R") == pytest.approx(1 / 90)
    assert parse("bpref")("R R", n_relevant=4) == parse("R")("R R", n_relevant=4) == 0.5, "nothing judged not relevant"
    assert parse("RBP")("R") < 1 and parse("ERR")("3 2 1") < 1, "the best order stays below 1"
    assert parse("AUC")([0] * 10 + [1] * 5 + [0] * 985) > 0.98 and parse("P@10")([0] * 10 + [1] * 5 + [0] * 985) == 0
    assert parse("F(beta=2)")("R N", n_relevant=3) == pytest.approx(5 * (1 / 2) * (1 / 3) / (4 / 2 + 1 / 3))


def test_the_benchmark_runs():
    script = Path(__file__).parent.parent / "benchmarks" / "diagnose.py"
    done = subprocess.run([sys.executable, script, "--queries", "3", "--repeat", "1", "-m", "nDCG@10"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    head, columns, *rows = done.stdout.splitlines()
    assert (
        head.startswith("3 queries, 3,000 results")
        and columns.split()[-1] == "found"
        and [row.split("  ")[-1] for row in rows] == ["gain=linear", "gain=linear + discount=log2(r)", "-"]
    )


# The command line ----------------------------------------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path):
    """Input L as files: twelve relevant documents, four results; and a second run."""
    (tmp_path / "qrels").write_text("".join(f"q 0 r{i} 1\n" for i in range(12)))
    (tmp_path / "run").write_text("q Q0 r0 1 4 a\nq Q0 r1 2 3 a\nq Q0 x1 3 2 a\nq Q0 r2 4 1 a\n")
    (tmp_path / "other").write_text("q Q0 x2 1 4 b\nq Q0 r1 2 3 b\n")
    return tmp_path


def good(result):
    code, out, err = result
    assert (code, err) == (0, ""), result
    return out


def refused(result, *parts, code=1):
    assert result[:2] == (code, ""), result
    assert all(part in result[2] for part in parts) and "Traceback" not in result[2], result[2]


def test_diagnose_on_the_command_line(rankmetrics, files):
    out = good(rankmetrics("diagnose", files / "qrels", files / "run", "-m", "nDCG@10", "--value", "0.8048"))
    assert "nDCG@10 is 0.4537 here; to explain: 0.8048" in out and "0.4537 + 0.3511 = 0.8048" in out and "This is what elasticsearch does." in out
    typed = good(rankmetrics("diagnose", "--ranking", "R R N R", "--n-relevant", "12", "-m", "nDCG@10", "--value", "0.8048"))
    assert "full name: nDCG(ideal=returned)@10" in typed and "Of 12 combinations tried" not in out.splitlines()[0]
    assert "Nothing to explain" in good(rankmetrics("diagnose", files / "qrels", files / "run", "-m", "AP", "--value", "0.23"))
    linear_here = good(rankmetrics("diagnose", "--ranking", "3 0 1", "-m", "nDCG@3", "--value", "0.98", "--conventions", "trec_eval9"))
    assert "nDCG(gain=linear)@3 is 0.96 here" in linear_here and "gain=exp2" in linear_here


def test_values_by_query_on_the_command_line(rankmetrics, files):
    (files / "there").write_text("ndcg_cut_10 q 0.9675\n")
    out = good(rankmetrics("diagnose", files / "qrels", files / "run", "-m", "nDCG@10", "--expect", files / "there"))
    assert "to explain: 1 value by query" in out and "ideal=retrieved" in out
    (files / "there").write_text("ndcg_cut_10 q 0.9675\nndcg_cut_10 z 0.5\n")
    refused(rankmetrics("diagnose", files / "qrels", files / "run", "-m", "nDCG@10", "--expect", files / "there"), "query 'z' has no judgements")
    refused(rankmetrics("diagnose", files / "qrels", files / "run", "-m", "AP", "--expect", files / "there"), "no value of AP")


def test_what_diagnose_refuses(rankmetrics, files):
    pair = (files / "qrels", files / "run")
    refused(rankmetrics("diagnose", *pair), "nothing to explain: give --value")
    refused(rankmetrics("diagnose", "--value", "0.5"), "name either QRELS and RUN, or --ranking")
    refused(rankmetrics("diagnose", *pair, "--ranking", "1 0", "--value", "0.5"), "name either QRELS and RUN, or --ranking")
    refused(rankmetrics("diagnose", files / "qrels", "--value", "0.5"), "name a run too")
    refused(rankmetrics("diagnose", *pair, "--value", "half"), "must be a number such as 0.4537, got 'half'")
    refused(rankmetrics("diagnose", *pair, "--value", "-0.5"), "-0.5 is no value of nDCG@10: it goes from 0 to 1 (per cent: 100)")
    refused(rankmetrics("diagnose", *pair, "--value", "0.5", "-m", "ndgc"), "did you mean nDCG")
    refused(rankmetrics("diagnose", *pair, "--value", "0.5", "--conventions", "sklaern"), "did you mean 'sklearn'", code=2)
    refused(rankmetrics("diagnose", files / "nowhere", files / "run", "--value", "0.5"), "nowhere", "no such file")
    (files / "run").write_text("7 Q0 r0 1 4 a\n")
    refused(rankmetrics("diagnose", *pair, "--value", "0.5"), "share no query")


def test_conventions_on_the_command_line(rankmetrics, files):
    listed = good(rankmetrics("conventions")).splitlines()
    assert [line.split()[0] for line in listed] == ["preset", *PRESETS]
    full = good(rankmetrics("conventions", "sklearn"))
    assert all(c.why in full and c.source in full for c in PRESETS["sklearn"].choices) and all(
        f"- {fault}" in full for fault in PRESETS["sklearn"].not_reproduced
    )
    assert "house default" in good(rankmetrics("conventions", "textbook"))
    refused(rankmetrics("conventions", "sklaern"), "did you mean 'sklearn'")


def test_one_measure_under_all_conventions_on_the_command_line(rankmetrics, files):
    typed = good(rankmetrics("conventions", "-m", "nDCG@10", "--ranking", "R R N R", "--n-relevant", "12"))
    assert [line.split() for line in typed.splitlines()[1:3]] == [["sklearn", "0.9675", "ideal=retrieved"], ["torchmetrics", "0.9675", "ideal=retrieved"]]
    assert typed.splitlines()[-1] == "4 different values in 12 presets."
    assert good(rankmetrics("conventions", "-m", "nDCG@10", "--qrels", files / "qrels", "--run", files / "run")) == typed
    two = good(rankmetrics("conventions", "-m", "AP", "--qrels", files / "qrels", "--run", files / "other", "--run", files / "run"))
    assert "B stays ahead of A under all 12 presets" in two
    refused(rankmetrics("conventions", "-m", "AP"), "name one or two --ranking, or --qrels and one or two --run")
    refused(rankmetrics("conventions", "-m", "AP", *["--ranking", "1"] * 3), "name one or two")
    refused(rankmetrics("conventions", "-m", "APP", "--ranking", "1"), "did you mean")


def test_published_values_on_the_command_line(rankmetrics):
    out = good(rankmetrics("conventions", "--published"))
    assert "value there" in out.splitlines()[0] and "0 different" in out.splitlines()[-1]


@pytest.fixture
def pair(tmp_path):
    """Two runs of six queries: A finds the document at rank 2, B at rank 1 but for one query, where it is lost."""
    lines = {"qrels": [f"q{i} 0 d 1" for i in range(6)], "A": [], "B": []}
    for i in range(6):
        lines["A"] += [f"q{i} Q0 x 1 2 A", f"q{i} Q0 d 2 1 A"]
        lines["B"] += [f"q{i} Q0 {'y' if i == 5 else 'd'} 1 2 B"]
    for name, text in lines.items():
        (tmp_path / name).write_text("\n".join(text) + "\n")
    return tmp_path / "qrels", tmp_path / "A", tmp_path / "B"


def test_compare_on_the_command_line(rankmetrics, pair):
    """Differences: five of +1/2 and one of -1/2. Sums at least as far from 0: those with six equal signs (2) and five (12), of 64."""
    (row,) = json.loads(good(rankmetrics("compare", *pair, "-m", "RR", "-f", "json")))["comparisons"]
    assert (row["measure"], row["mean_a"], row["mean_b"], row["p_value"]) == ("RR", 0.5, pytest.approx(5 / 6), pytest.approx(14 / 64))
    assert (row["difference"], row["wins"], row["ties"], row["losses"]) == (pytest.approx(1 / 3), 5, 0, 1)
    text = good(rankmetrics("compare", *pair, "-m", "RR"))
    assert "higher on 5 of 6 queries, lower on 1" in text and "+0.3333" in text and "0.2188" in text
    assert good(rankmetrics("compare", *pair, "-m", "RR", "-f", "markdown")).startswith("| ")
    assert r"\begin{tabular}" in good(rankmetrics("compare", *pair, "-m", "RR", "-f", "latex"))
    rows = {f: [line.split(d) for line in good(rankmetrics("compare", *pair, "-m", "RR", "-f", f)).splitlines()] for f, d in (("csv", ","), ("tsv", "\t"))}
    assert rows["csv"] == rows["tsv"] and len(rows["csv"]) == 2 and len(rows["csv"][0]) == len(rows["csv"][1])
    assert "d" in good(rankmetrics("compare", *pair, "-m", "RR", "--query", "q5"))


def test_what_compare_refuses(rankmetrics, pair):
    refused(rankmetrics("compare", *pair[:2], "-m", "RR"), "two")
    refused(rankmetrics("compare", *pair, "-m", "RRR"), "unknown measure")
    refused(rankmetrics("compare", *pair, "-m", "RR", "--test", "wilcoxn"), "did you mean", code=2)
    refused(rankmetrics("compare", *pair, "-m", "RR", "-f", "tabel"), "did you mean", code=2)
    refused(rankmetrics("compare", *pair, "-m", "RR", "--confidence", "95"), "confidence")
    refused(rankmetrics("compare", *pair, "-m", "RR", "--query", "q9"), "q9")
    refused(rankmetrics("compare", pair[0], pair[1], pair[0].parent / "nowhere"), "nowhere")
