"""The measures against other tools, against all orders of tied documents, and against plain loops over the papers' formulas."""

import math
import random
from fractions import Fraction
from itertools import permutations, product

import needs
import numpy as np
import pytest

from rankmetrics_nb import MEASURES, Ranking, Run, evaluate, from_scores, parse, precision_recall_curve, roc_curve
from rankmetrics_nb.measures.catalogue import trec_name

NEAR = dict(abs=1e-9, rel=0)


# trec_eval, through pytrec_eval ------------------------------------------------------------------------------------------

TREC = "map gm_map recip_rank Rprec bpref infAP ndcg set_P set_recall set_F 11pt_avg".split()
TREC += [f"{name}_{k}" for name in ("P", "recall", "success", "map_cut", "ndcg_cut") for k in (1, 3, 5, 10)]
TREC += [f"iprec_at_recall_{i / 10:.2f}" for i in range(11)]


def random_files(rng, low=-1):
    """Judgements and a run over eight queries, with ties, unjudged and unretrieved documents. No query has negative grades only."""
    qrels, run = {}, {}
    for i in range(8):
        pool = [f"d{j}" for j in range(rng.randint(2, 25))]
        qrels[f"q{i}"] = {d: rng.choice([low, 0, 0, 1, 1, 2, 3]) for d in rng.sample(pool, rng.randint(1, len(pool)))} | {"sure": 0}
        run[f"q{i}"] = {d: rng.randint(0, 9) / 4 for d in rng.sample(pool, rng.randint(1, len(pool)))}
    return qrels, run


def test_every_trec_name_is_compared():
    """A measure that gains a name of trec_eval must join the list above."""
    ours = {pattern.replace("_{k}", "") for m in MEASURES for pattern, _ in m.trec} - {"recip_rank_cut"}  # version 10 alone has it
    assert ours == {name.rstrip("0123456789.").rstrip("_") for name in TREC}


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("seed", range(8))
def test_trec_eval_agrees(seed, level):
    needs.module("pytrec_eval")
    import pytrec_eval

    qrels, run = random_files(random.Random(seed))
    names = {name: (lambda m: m.set(rel=level) if m.has("rel") else m)(parse(name)) for name in TREC}
    assert all(trec_name(parse(name)) == name for name in TREC)
    asked = {"map", "gm_map", "recip_rank", "Rprec", "bpref", "infAP", "ndcg", "set_P", "set_recall", "set_F", "11pt_avg", "iprec_at_recall"}
    asked |= {f"{name}.1,3,5,10" for name in ("P", "recall", "success", "map_cut", "ndcg_cut")}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, asked, relevance_level=level).evaluate(run)
    ours = evaluate(qrels, run, names.values())
    for name, measure in names.items():
        for query in qrels:
            value, other = ours.per_query[measure][query], theirs[query][name]
            assert (max(value, 1e-5) if name == "gm_map" else value) == pytest.approx(math.exp(other) if name == "gm_map" else other, **NEAR), f"{name} of {query}"
        others = np.array([theirs[q][name] for q in qrels])
        assert ours.mean[measure] == pytest.approx(math.exp(others.mean()) if name == "gm_map" else others.mean(), **NEAR)


def test_single_precision_of_trec_eval_9():
    needs.module("pytrec_eval")
    import pytrec_eval

    rng = random.Random(1)
    qrels = {"q": {f"d{i}": rng.choice([0, 1, 2]) for i in range(200)}}
    run = {"q": {f"d{i}": 0.5 + rng.randint(0, 50) * 1e-9 for i in range(200)}}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"map", "ndcg"}).evaluate(run)["q"]
    assert dict(evaluate(qrels, run, ["map", "ndcg"], score_dtype="float32").mean) == pytest.approx({"AP": theirs["map"], "nDCG(gain=linear)": theirs["ndcg"]}, **NEAR)
    assert evaluate(qrels, run, "map").mean["map"] != pytest.approx(theirs["map"], abs=1e-6)


# scikit-learn ------------------------------------------------------------------------------------------------------------


def labels(seed, top):
    """Grades and scores of one query, with ties, and at least one document of each class."""
    rng = random.Random(seed)
    n = rng.randint(2, 30)
    grades = [rng.randint(0, top) for _ in range(n - 2)] + [0, top]
    return grades, [rng.randint(0, 12) / 3 for _ in range(n)]


@pytest.mark.parametrize("seed", range(12))
def test_scikit_learn_agrees_on_ndcg(seed):
    needs.module("sklearn.metrics")
    from sklearn.metrics import dcg_score, ndcg_score

    grades, scores = labels(seed, top=3)
    gains = {"linear": np.array([grades]), "exp2": 2.0 ** np.array([grades]) - 1, "binary": (np.array([grades]) > 0) * 1}
    pair = from_scores(grades, scores)
    for gain, k in product(gains, (1, 3, 7, None)):
        for name, theirs in (("nDCG", ndcg_score), ("DCG", dcg_score)):
            measure = parse(name).set(gain=gain, k=k)
            assert evaluate(*pair, measure, ties="average").mean[measure] == pytest.approx(theirs(gains[gain], [scores], k=k), **NEAR)


@pytest.mark.parametrize("seed", range(12))
def test_scikit_learn_agrees_on_binary_labels(seed):
    needs.module("sklearn.metrics")
    from sklearn.metrics import average_precision_score, fbeta_score, roc_auc_score

    grades, scores = labels(seed, top=1)
    pair = from_scores(grades, scores)
    assert evaluate(*pair, "AP", ties="threshold").mean["AP"] == pytest.approx(average_precision_score(grades, scores), **NEAR)
    for ties in ("docid_desc", "input", "average", "threshold", "best"):
        assert evaluate(*pair, "AUC", ties=ties).mean["AUC"] == pytest.approx(roc_auc_score(grades, scores), **NEAR)
    retrieved = sorted(range(len(grades)), key=lambda i: -scores[i])[: len(grades) // 2]
    listed = [int(i in retrieved) for i in range(len(grades))]
    run = {"q1": {f"d{i + 1}": scores[i] for i in retrieved}}
    for beta in (0, 0.5, 1, 2):
        measure = parse(f"F(beta={beta})")
        assert evaluate(pair[0], run, measure).mean[measure] == pytest.approx(fbeta_score(grades, listed, beta=beta, zero_division=0), **NEAR)


@pytest.mark.parametrize("seed", range(10))
def test_scikit_learn_agrees_on_curves(seed):
    needs.module("sklearn.metrics")
    from sklearn.metrics import precision_recall_curve as their_curve
    from sklearn.metrics import roc_curve as their_roc

    grades, _ = labels(seed, top=1)
    scores = list(range(len(grades), 0, -1))
    x, y, _ = their_roc(grades, scores, drop_intermediate=False)
    ours = roc_curve(grades)
    assert (ours.false_positive_rate, ours.true_positive_rate) == (pytest.approx(x), pytest.approx(y))
    precision, recall, _ = their_curve(grades, scores)
    curve = precision_recall_curve(grades)
    assert curve.precision == pytest.approx(precision[:-1][::-1]) and curve.recall == pytest.approx(recall[:-1][::-1])


# All orders of tied documents --------------------------------------------------------------------------------------------

AVERAGED = """P@2 P(denom=retrieved)@3 R@2 R(denom=min)@2 R(denom=retrieved)@2 F1@2 F1(denom=retrieved)@4 F(beta=2)@3 Success@2 Success Rprec Judged@2 Judged(denom=k)@3
AP AP(rel=2) AP@2 AP(norm=min_k_R)@3 AP(norm=k)@3 GMAP RR RR@2 MeanRank MeanRank(of=all) MeanRank(notfound=n_plus_1) MeanRank(of=all,notfound=9) DCG DCG(gain=linear)@2 nDCG nDCG@3
nDCG(gain=binary)@2 nDCG(gain={0:0,1:1,2:5,3:5})@2 nDCG(ideal=uncut)@2 nDCG(ideal=returned)@2 nDCG(ideal=retrieved)@2 nDCG(discount=original,b=3)@4 nDCG(discount=log2(r))
RBP RBP(p=0.5)@2 RBP(grade=max) RBP(grade=raw)@3 ERR ERR@2 ERR(gmax=4) AUC AUC(over=retrieved)""".split()


def tied_query(rng):
    """Judgements and scores of one query with few distinct scores."""
    docs = [f"d{i}" for i in range(rng.randint(1, 6))]
    grades = {d: rng.choice([-1, 0, 1, 2, 3]) for d in [*docs, "lost"] if rng.random() < 0.8}
    return grades, {d: rng.randint(1, 3) for d in docs}


def all_orders(scores):
    """Every order that the scores allow."""
    groups = [[d for d in scores if scores[d] == s] for s in sorted(set(scores.values()), reverse=True)]
    return [[d for group in order for d in group] for order in product(*map(permutations, groups))]


def test_every_measure_that_averages_over_ties_is_here():
    assert {m.name for m in MEASURES if "average" in m.ties} == {parse(name).name for name in AVERAGED}


@pytest.mark.parametrize("seed", range(30))
def test_average_is_the_mean_over_all_orders(seed):
    rng = random.Random(seed)
    grades, scores = tied_query(rng)
    measures = [parse(name) for name in AVERAGED]
    orders = all_orders(scores)
    orders = orders if len(orders) <= 120 else None
    if orders is None:  # six documents of equal score: five are enough
        scores = dict(list(scores.items())[:5])
        orders = all_orders(scores)
    queries = {f"q{i}": grades for i in range(len(orders))}
    strict = evaluate(queries, {f"q{i}": {d: -rank for rank, d in enumerate(order)} for i, order in enumerate(orders)}, measures)
    tied = {ties: evaluate({"q": grades}, {"q": scores}, measures, ties=ties) for ties in ("average", "best", "worst")}
    for measure in measures:
        if measure.name == "AUC":
            continue  # its value does not depend on the tie rule: see below
        values = strict.values[str(measure)]
        average, best, worst = (tied[ties].per_query[measure]["q"] for ties in ("average", "best", "worst"))
        if np.isnan(values).all():
            assert np.isnan([average, best, worst]).all()
            continue
        assert average == pytest.approx(values.mean(), abs=1e-12), str(measure)
        if measure.name != "Judged":  # a judged document without relevance is no better than an unjudged one
            low, high = (worst, best) if measure.direction == "higher" else (best, worst)
            assert (low, high) == pytest.approx((values.min(), values.max()), abs=1e-12), str(measure)


@pytest.mark.parametrize("seed", range(20))
def test_auc_counts_a_tie_one_half(seed):
    """The mean over all orders, whatever the tie rule."""
    grades, scores = tied_query(random.Random(seed))
    for measure in (parse("AUC"), parse("AUC(over=retrieved)")):
        orders = all_orders(scores)
        strict = evaluate({f"q{i}": grades for i in range(len(orders))}, {f"q{i}": {d: -r for r, d in enumerate(o)} for i, o in enumerate(orders)}, measure)
        for ties in ("docid_desc", "input", "average", "best", "worst", "middle", "threshold"):
            value = evaluate({"q": grades}, {"q": scores}, measure, ties=ties).mean[measure]
            assert value == pytest.approx(strict.mean[measure], abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("ties", ["middle", "threshold"])
def test_groups_that_share_a_rank(ties):
    """Ranks 2, 3 and 4 are tied: each takes rank 3 (middle), or rank 4 (threshold)."""
    qrels, run = {"q": {"b": 1, "e": 1}}, {"q": {"a": 9, "b": 5, "c": 5, "d": 5, "e": 1}}
    if ties == "middle":
        result = evaluate(qrels, run, ["RR", "MeanRank", "MeanRank(of=all)"], ties=ties)
        assert list(result.mean.values()) == pytest.approx([1 / 3, 3, 4])
    else:
        assert evaluate(qrels, run, "AP", ties=ties).mean["AP"] == pytest.approx((1 / 4 + 2 / 5) / 2)


# Plain loops over the papers' formulas -----------------------------------------------------------------------------------


class Typed:
    """A ranking for the loops: grades in rank order (None: unjudged) and the grades of judged documents that were not retrieved."""

    def __init__(self, grades, unretrieved, rel=1):
        self.grades, self.unretrieved, self.rel = grades, unretrieved, rel
        self.n = len(grades)
        self.judged = [g for g in [*grades, *unretrieved] if g is not None]
        self.R = sum(g >= rel for g in self.judged)
        self.N = sum(0 <= g < rel for g in self.judged)
        self.gmax = max([0, *self.judged])

    def relevant(self, k=None):
        """The ranks of the relevant documents, at most k."""
        return [r for r, g in enumerate(self.grades, 1) if g is not None and g >= self.rel and (k is None or r <= k)]

    def gaining(self, k=None):
        """(rank, grade) of the documents with a grade above 0."""
        return [(r, g) for r, g in enumerate(self.grades, 1) if g is not None and g > 0 and (k is None or r <= k)]

    def above(self, rank, kind):
        """How many documents of a kind stand above a rank."""
        return sum(kind(g) for g in self.grades[: rank - 1])

    def is_nonrelevant(self, g):
        return g is not None and 0 <= g < self.rel


def share(a, b):
    """a / b, and 0 where b is 0."""
    return Fraction(a) / Fraction(b) if b else Fraction(0)


def precision(t, k=None, returned=False):
    return share(len(t.relevant(k)), t.n if k is None else min(k, t.n) if returned else k)


def recall(t, k=None):
    return share(len(t.relevant(k)), t.R)


def f_measure(t, k=None, beta=1):
    p, r = precision(t, k), recall(t, k)
    return share((1 + beta**2) * p * r, beta**2 * p + r)


def average_precision(t, k=None, norm="R"):
    total = sum((precision(t, r) for r in t.relevant(k)), Fraction(0))
    return share(total, {"R": t.R, "min_k_R": min(k or t.R, t.R), "hits": len(t.relevant(k)), "k": k}[norm])


def reciprocal_rank(t, k=None):
    return Fraction(1, t.relevant(k)[0]) if t.relevant(k) else Fraction(0)


def mean_rank(t, of="first", notfound="skip"):
    if not t.R:
        return None
    found = t.relevant()
    if of == "first" and found:
        return Fraction(found[0])
    lost = {"skip": None, "n_plus_1": t.n + 1 if t.n else None}.get(notfound, notfound)
    missing = t.R - len(found) if notfound != "skip" else 0
    if (missing or not found) and lost is None:
        return None
    return Fraction(lost) if of == "first" else Fraction(sum(found) + (missing and missing * lost), len(found) + missing)


GAINS = {"exp2": lambda g: 2.0**g - 1, "linear": lambda g: g, "binary": lambda g: 1}
DISCOUNTS = {"log2(r+1)": lambda r: math.log2(r + 1), "log2(r)": lambda r: math.log2(max(r, 2)), "original": lambda r: 1 if r < 3 else math.log(r, 3)}


def dcg(t, k=None, gain="exp2", discount="log2(r+1)"):
    return math.fsum(GAINS[gain](g) / DISCOUNTS[discount](r) for r, g in t.gaining(k))


def ndcg(t, k=None, gain="exp2", ideal="judged", discount="log2(r+1)"):
    pool = [g for g in t.grades if g is not None] if ideal == "retrieved" else t.judged
    cut = {"uncut": None, "returned": t.n if k is None else min(k, t.n)}.get(ideal, k)
    best = dcg(Typed(sorted(pool, reverse=True), []), cut, gain, discount)
    return dcg(t, k, gain, discount) / best if best else 0


def err(t, k=None, gmax=None):
    value, goes_on = Fraction(0), Fraction(1)
    for r, g in t.gaining(k):
        stops = Fraction(2**g - 1) / 2 ** (t.gmax if gmax is None else gmax)
        value, goes_on = value + goes_on * stops / r, goes_on * (1 - stops)
    return value


def rbp(t, k=None, p=Fraction(4, 5), grade="binary"):
    if grade == "binary":
        return (1 - p) * sum((p ** (r - 1) for r in t.relevant(k)), Fraction(0))
    return (1 - p) * sum((p ** (r - 1) * (share(g, t.gmax) if grade == "max" else g) for r, g in t.gaining(k)), Fraction(0))


def bpref(t):
    def one(rank):
        above = min(t.above(rank, t.is_nonrelevant), t.R)
        return 1 - Fraction(above, min(t.R, t.N)) if above else Fraction(1)

    return share(sum((one(r) for r in t.relevant()), Fraction(0)), t.R)


def inferred_ap(t):
    """Yilmaz and Aslam, with trec_eval's epsilon."""

    def one(rank):
        if rank == 1:
            return Fraction(1)
        eps = Fraction(1, 100_000)
        pool = t.above(rank, lambda g: g is not None)
        good = t.above(rank, lambda g: g is not None and g >= t.rel)
        bad = t.above(rank, t.is_nonrelevant)
        return Fraction(1, rank) + Fraction(rank - 1, rank) * Fraction(pool, rank - 1) * (good + eps) / (good + bad + 2 * eps)

    return share(sum((one(r) for r in t.relevant()), Fraction(0)), t.R)


def interpolated(t, level):
    return max([precision(t, r) for r in range(1, t.n + 1) if t.R and recall(t, r) >= level], default=Fraction(0))


def eleven_points(t):
    return sum(interpolated(t, Fraction(i, 10)) for i in range(11)) / 11


def judged(t, k=None, returned=True):
    length = t.n if k is None else min(k, t.n) if returned else k
    return share(sum(g is not None for g in t.grades[:k]), length)


def auc(t, unjudged=False):
    pairs = [(a, b) for a, b in permutations(range(t.n), 2) if a + 1 in t.relevant() and (t.is_nonrelevant(t.grades[b]) or unjudged and t.grades[b] is None)]
    return Fraction(sum(a < b for a, b in pairs), len(pairs)) if pairs else None


LOOPS = {
    "P": precision,
    "P@3": lambda t: precision(t, 3),
    "P(denom=retrieved)@5": lambda t: precision(t, 5, returned=True),
    "R": recall,
    "R@3": lambda t: recall(t, 3),
    "R(denom=min)@2": lambda t: share(len(t.relevant(2)), min(2, t.R)),
    "R(denom=retrieved)@2": lambda t: share(len(t.relevant(2)), len(t.relevant())),
    "F1": f_measure,
    "F1@4": lambda t: f_measure(t, 4),
    "F(beta=2)@3": lambda t: f_measure(t, 3, 2),
    "F(beta=0.5)": lambda t: f_measure(t, None, Fraction(1, 2)),
    "Success@2": lambda t: Fraction(bool(t.relevant(2))),
    "Success": lambda t: Fraction(bool(t.relevant())),
    "Rprec": lambda t: share(len(t.relevant(t.R)), t.R),
    "Judged": judged,
    "Judged@3": lambda t: judged(t, 3),
    "Judged(denom=k)@6": lambda t: judged(t, 6, returned=False),
    "IPrec@0": lambda t: interpolated(t, 0),
    "IPrec@0.4": lambda t: interpolated(t, Fraction(2, 5)),
    "IPrec@0.7": lambda t: interpolated(t, Fraction(7, 10)),
    "IPrec@1": lambda t: interpolated(t, 1),
    "11pt": eleven_points,
    "AP": average_precision,
    "AP@2": lambda t: average_precision(t, 2),
    "AP(norm=min_k_R)@3": lambda t: average_precision(t, 3, "min_k_R"),
    "AP(norm=hits)@3": lambda t: average_precision(t, 3, "hits"),
    "AP(norm=k)@3": lambda t: average_precision(t, 3, "k"),
    "RR": reciprocal_rank,
    "RR@2": lambda t: reciprocal_rank(t, 2),
    "MeanRank": mean_rank,
    "MeanRank(notfound=n_plus_1)": lambda t: mean_rank(t, notfound="n_plus_1"),
    "MeanRank(of=all)": lambda t: mean_rank(t, "all"),
    "MeanRank(of=all,notfound=n_plus_1)": lambda t: mean_rank(t, "all", "n_plus_1"),
    "MeanRank(of=all,notfound=20)": lambda t: mean_rank(t, "all", 20),
    "DCG": dcg,
    "DCG(gain=linear,discount=original,b=3)@4": lambda t: dcg(t, 4, "linear", "original"),
    "DCG(discount=log2(r))": lambda t: dcg(t, discount="log2(r)"),
    "nDCG": ndcg,
    "nDCG@3": lambda t: ndcg(t, 3),
    "nDCG(gain=linear)@3": lambda t: ndcg(t, 3, "linear"),
    "nDCG(gain=binary)@3": lambda t: ndcg(t, 3, "binary"),
    "nDCG(ideal=uncut)@2": lambda t: ndcg(t, 2, ideal="uncut"),
    "nDCG(ideal=returned)@5": lambda t: ndcg(t, 5, ideal="returned"),
    "nDCG(ideal=returned)": lambda t: ndcg(t, ideal="returned"),
    "nDCG(ideal=retrieved)@2": lambda t: ndcg(t, 2, ideal="retrieved"),
    "nDCG(gain=linear,discount=original,b=3)@4": lambda t: ndcg(t, 4, "linear", discount="original"),
    "ERR": err,
    "ERR@3": lambda t: err(t, 3),
    "ERR(gmax=5)": lambda t: err(t, None, 5),
    "RBP": rbp,
    "RBP(p=0.5)@3": lambda t: rbp(t, 3, Fraction(1, 2)),
    "RBP(grade=max)": lambda t: rbp(t, grade="max"),
    "RBP(p=0.5,grade=raw)": lambda t: rbp(t, p=Fraction(1, 2), grade="raw"),
    "AUC": auc,
    "AUC(over=retrieved)": lambda t: auc(t, unjudged=True),
    "bpref": bpref,
    "infAP": inferred_ap,
}


def typed_rankings(seed, grades, n=40):
    """Random typed rankings, and two that are easily forgotten: nothing retrieved, nothing judged."""
    rng = random.Random(seed)
    yield [], [1, 2]
    yield [None, None], []
    for _ in range(n):
        yield [rng.choice(grades) for _ in range(rng.randint(0, 9))], [g for g in (rng.choice(grades) for _ in range(rng.randint(0, 3))) if g is not None]


def test_every_measure_has_a_loop():
    assert {m.name for m in MEASURES} - {"GMAP"} == {parse(name).name for name in LOOPS}


@pytest.mark.parametrize("name", LOOPS)
def test_plain_loop_agrees(name):
    measure, loop = parse(name), LOOPS[name]
    for grades, unretrieved in typed_rankings(name, [None, -1, 0, 0, 1, 2, 3]):
        expected = loop(Typed(grades, unretrieved))
        value = measure(grades, unretrieved=unretrieved)
        assert value == pytest.approx(math.nan if expected is None else float(expected), abs=1e-12, nan_ok=True), (grades, unretrieved)


@pytest.mark.parametrize("name", [name for name in LOOPS if parse(name).has("rel")])
def test_plain_loop_agrees_with_another_lowest_relevant_grade(name):
    measure, loop = parse(name).set(rel=2), LOOPS[name]
    for grades, unretrieved in typed_rankings(name, [None, 0, 1, 2, 3], 20):
        expected = loop(Typed(grades, unretrieved, rel=2))
        value = measure(grades, unretrieved=unretrieved)
        assert value == pytest.approx(math.nan if expected is None else float(expected), abs=1e-12, nan_ok=True), (grades, unretrieved)


@pytest.mark.parametrize("name", ["nDCG", "nDCG(gain=linear)@3", "DCG", "ERR", "RBP(grade=max)", "AP", "P@3", "MeanRank"])
def test_plain_loop_agrees_on_fractional_grades(name):
    for grades, unretrieved in typed_rankings(name, [None, 0, 0.5, 1, 1.5, 2.25], 20):
        expected = LOOPS[name](Typed(grades, unretrieved))
        assert parse(name)(grades, unretrieved=unretrieved) == pytest.approx(math.nan if expected is None else float(expected), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("p", [0.5, 0.8])
def test_residual_is_the_weight_of_what_nobody_judged(p):
    """RBP of a list whose unjudged and unseen documents are all relevant, less RBP of the list."""
    rbp_p = parse(f"RBP(p={p})")
    for grades, _ in typed_rankings(3, [None, 0, 1], 20):
        filled = [1 if g is None else g for g in grades] + [1] * 400
        assert rbp_p.residual(grades) == pytest.approx(rbp_p(filled) - rbp_p(grades), abs=1e-12)


def test_a_run_and_a_typed_ranking_agree():
    """The same query as a typed ranking and inside a run of many queries, all measures."""
    rng = random.Random(5)
    lists = [[rng.choice([None, 0, 1, 2]) for _ in range(rng.randint(1, 9))] for _ in range(30)]
    qrels = {f"q{i}": {f"d{r}": g for r, g in enumerate(grades, 1) if g is not None} | {"lost": 1} for i, grades in enumerate(lists)}
    run = Run.from_dict({f"q{i}": {f"d{r}": -r for r in range(1, len(grades) + 1)} for i, grades in enumerate(lists)})
    measures = [m @ 0.3 if m.name == "IPrec" else m.set(gmax=2) if m.name == "ERR" else m for m in MEASURES]
    result = evaluate(qrels, run, measures)
    for measure in measures:
        for i, grades in enumerate(lists):
            assert result.per_query[measure][f"q{i}"] == pytest.approx(measure(Ranking.of(grades, unretrieved=[1])), abs=1e-12, nan_ok=True), str(measure)
