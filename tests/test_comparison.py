"""Comparison of systems: tests, intervals, corrections, effect sizes, power, and what is said about odd input."""

import itertools
import math
import subprocess
import sys

import needs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankmetrics_nb.comparison import (
    EXACT_UP_TO,
    TESTS,
    adjust,
    cohen_d,
    compare,
    compare_values,
    detectable_difference,
    mean_interval,
    paired_differences,
    paired_test,
    queries_needed,
    rank_biserial,
    t_power,
    tukey,
)
from rankmetrics_nb.evaluation import evaluate
from rankmetrics_nb.examples import sample
from rankmetrics_nb.measure import MeasureError
from rankmetrics_nb.measures.catalogue import MEASURES
from rankmetrics_nb.relevance import DataError

needs.module("scipy")
from scipy import stats  # noqa: E402

# Values of 20 queries for three systems: T. Sakai's worked example, as the program elinor prints it (Table 5.1 of his book on evaluation).
SAKAI = (
    [0.70, 0.30, 0.20, 0.60, 0.40, 0.40, 0.00, 0.70, 0.10, 0.30, 0.50, 0.40, 0.00, 0.60, 0.50, 0.30, 0.10, 0.50, 0.20, 0.10],
    [0.50, 0.10, 0.00, 0.20, 0.40, 0.30, 0.00, 0.50, 0.30, 0.30, 0.40, 0.40, 0.10, 0.40, 0.20, 0.10, 0.10, 0.60, 0.30, 0.20],
    [0.00, 0.00, 0.20, 0.10, 0.30, 0.30, 0.10, 0.20, 0.40, 0.40, 0.40, 0.30, 0.30, 0.20, 0.20, 0.20, 0.10, 0.50, 0.40, 0.30],
)
TENTHS = st.integers(-10, 10).map(lambda x: x / 10)


def by_query(values):
    return {f"q{i}": float(v) for i, v in enumerate(values)}


def enumerated(d):
    """The randomization test, one pattern of signs at a time, in whole numbers (tenths)."""
    whole = [round(10 * x) for x in d]
    sums = [abs(sum(s * x for s, x in zip(signs, whole))) for signs in itertools.product((1, -1), repeat=len(whole))]
    return sum(s >= abs(sum(whole)) for s in sums) / len(sums)


# Tests -----------------------------------------------------------------------------------------------------------------


@settings(max_examples=150)
@given(st.lists(TENTHS, min_size=2, max_size=11))
def test_the_exact_randomization_test_counts_all_patterns(d):
    assert paired_test(d).p_value == pytest.approx(enumerated(d), abs=1e-12)


def test_exact_p_values_by_hand():
    assert paired_test([0.25, 0.25, 0.25]).p_value == 0.25  # +++ and ---, of 8
    assert paired_test([0.3, 0.2, 0.15, -0.05]).p_value == 0.25  # 4 of 16 reach 0.6
    assert paired_test([0.1, -0.1]).p_value == 1  # the sum is 0: all do
    assert paired_test([0.1, 0, 0, -0.1, 0.1]).p_value == 1  # one of three: all 8 sums are at least 1 from 0


def test_values_that_are_equal_up_to_rounding_tie():
    a, b = [0.9, 0.1, 0.6, 0.4], [0.8, 0.0, 0.5, 0.3]
    assert len({x - y for x, y in zip(a, b)}) > 1
    assert set(paired_differences(b, a)) == {0.1}
    assert paired_test(paired_differences(b, a)).p_value == 0.125
    assert math.isnan(paired_test([x - y for x, y in zip(a, b)], "t").p_value)
    assert set(paired_differences([1e-9, 3e-9], [2e-9, 4e-9])) == {1e-9}
    assert set(paired_differences([1000.1, 7.1], [1000.4, 7.4])) == {0.3}
    assert not paired_differences([0, 0], [0, 0]).any()


def test_thirty_queries_are_exact_and_more_are_drawn():
    d = np.random.default_rng(3).choice([*range(-9, 0), *range(1, 11)], 26) / 10
    assert f"all {2**26:,} patterns" in paired_test(d).how
    ways = {0: 1}  # sum in tenths -> number of patterns: another road to the same count
    for x in np.abs(np.round(10 * d)).astype(int):
        ways = {s: ways.get(s - x, 0) + ways.get(s + x, 0) for s in {t + y for t in ways for y in (-x, x)}}
    bar = abs(int(np.round(10 * d).sum()))
    assert paired_test(d).p_value == pytest.approx(sum(n for s, n in ways.items() if abs(s) >= bar) / 2**26, abs=1e-12)
    drawn = paired_test(np.tile(d, 2)[: EXACT_UP_TO + 4])
    assert drawn.error > 0 and "100,000 random" in drawn.how


def test_drawn_p_values_lie_within_their_error():
    rng = np.random.default_rng(5)
    far = 0
    for seed in range(40):
        whole = np.round(rng.normal(100, 300, 36)).astype(int)
        whole[whole == 0] = 1
        centre = np.abs(whole).sum()
        ways = np.zeros(2 * centre + 1)  # sum of whole numbers -> share of the patterns
        ways[centre] = 1
        for x in np.abs(whole):
            ways = (np.roll(ways, x) + np.roll(ways, -x)) / 2
        exact = ways[np.abs(np.arange(len(ways)) - centre) >= abs(whole.sum())].sum()
        found = paired_test(whole / 1000, rng=seed, draws=20_000)
        assert found.error == pytest.approx(math.sqrt(found.p_value * (1 - found.p_value) / 20_000))
        assert abs(found.p_value - exact) < 5 * found.error + 1e-4
        far += abs(found.p_value - exact) > 2 * found.error
    assert far <= 6, "about 2 of 40 lie further than two standard errors"


def test_a_drawn_p_value_is_never_0_and_repeats_with_its_seed():
    strong = np.full(60, 0.5) + np.arange(60) / 1000
    assert paired_test(strong, draws=999).p_value == 1 / 1000
    weak = np.random.default_rng(0).normal(0.05, 0.2, 60)
    assert paired_test(weak, rng=7).p_value == paired_test(weak, rng=7).p_value
    assert paired_test(weak).p_value == paired_test(weak, rng=0).p_value
    assert paired_test(weak, rng=1).p_value != paired_test(weak, rng=2).p_value
    assert paired_test(weak, rng=np.random.default_rng(7)).p_value == paired_test(weak, rng=7).p_value


def test_t_and_wilcoxon_are_scipys():
    rng = np.random.default_rng(1)
    for n in (5, 12, 29, 60):
        a, b = rng.uniform(0, 1, (2, n))
        assert paired_test(b - a, "t").p_value == pytest.approx(stats.ttest_rel(b, a).pvalue, rel=1e-9)
        how = "exact" if n <= 29 else "auto"
        assert paired_test(b - a, "wilcoxon").p_value == pytest.approx(stats.wilcoxon(b - a, method=how).pvalue, rel=1e-9)


def test_wilcoxon_with_ties_and_zeros_counts_all_patterns_of_the_ranks():
    d = [0.1, 0.1, -0.1, 0.2, 0.0, 0.3]  # ranks 2, 2, -2, 4, 5 of the five that differ
    sums = [abs(sum(s * r for s, r in zip(signs, (2, 2, 2, 4, 5)))) for signs in itertools.product((1, -1), repeat=5)]
    assert paired_test(d, "wilcoxon").p_value == sum(s >= 11 for s in sums) / 32
    assert "1 query without a difference left out" in paired_test(d, "wilcoxon").how


def test_the_bootstrap_test_shifts_the_differences():
    d = np.random.default_rng(4).normal(0.1, 0.25, 30)
    rng = np.random.default_rng(11)
    means = (d - d.mean())[rng.integers(0, 30, (40_000, 30))].mean(axis=1)
    assert paired_test(d, "bootstrap").p_value == pytest.approx((np.abs(means) >= abs(d.mean())).mean(), abs=0.012)


@settings(max_examples=60)
@given(st.lists(TENTHS, min_size=1, max_size=14), st.sampled_from(list(TESTS)))
def test_a_against_b_is_b_against_a(d, test):
    forth, back = paired_test(d, test), paired_test([-x for x in d], test)
    assert forth.p_value == pytest.approx(back.p_value, abs=1e-12, nan_ok=True)
    assert math.isnan(forth.p_value) == bool(forth.note and "undefined" in forth.note or "no test" in forth.note)
    assert math.isnan(forth.p_value) or 0 < forth.p_value <= 1


@pytest.mark.parametrize("test", TESTS)
def test_identical_systems_have_p_1_and_a_note(test):
    found = paired_test([0.0] * 7, test)
    assert found.p_value == 1 and "same value for every query" in found.note


def test_undefined_tests_say_so():
    for test in ("t", "bootstrap"):
        found = paired_test([0.1, 0.1, 0.1], test)
        assert math.isnan(found.p_value) and "all differences are equal" in found.note and "use the randomization test" in found.note
        assert "undefined" in str(found)
    for test in TESTS:
        assert paired_test([0.2], test).note == "one query: no test is possible"
    assert paired_test([0.1, 0.1, 0.1], "wilcoxon").p_value == 0.25


@pytest.mark.parametrize("bad", [[], [0.1, math.nan], [math.inf], "abc", [[0.1, 0.2]], ["x"], None])
def test_differences_that_are_none(bad):
    for use in (paired_test, mean_interval, cohen_d, rank_biserial):
        with pytest.raises(DataError, match="finite numbers"):
            use(bad)


def test_wrong_names_are_suggested():
    with pytest.raises(DataError, match="did you mean 'wilcoxon'"):
        paired_test([0.1, 0.2], "wilcoxn")
    with pytest.raises(DataError, match="did you mean 'holm'"):
        adjust([0.1], "hollm")
    with pytest.raises(DataError, match="rng must be a seed"):
        paired_test([0.1, 0.2], rng="seven")
    with pytest.raises(DataError, match="kind must be one of"):
        mean_interval([0.1, 0.2], "bayes")


# Intervals and sizes ---------------------------------------------------------------------------------------------------


def test_the_t_interval_is_scipys():
    d = np.array(SAKAI[0]) - np.array(SAKAI[1])
    low, high = stats.ttest_1samp(d, 0).confidence_interval(0.9)
    interval = mean_interval(d, confidence=0.9)
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=1e-12)
    assert interval.kind == "t" and "90 %" in str(interval)


def bca(d, resamples, rng, confidence=0.95):
    """The BCa interval of the mean by its definition (Efron 1987)."""
    n = len(d)
    means = np.sort(d[rng.integers(0, n, (resamples, n))].mean(axis=1))
    z = stats.norm.ppf(((means < d.mean()).mean() + (means <= d.mean()).mean()) / 2)
    jack = (d.sum() - d) / (n - 1)
    pull = jack.mean() - jack
    a = (pull**3).sum() / (6 * (pull**2).sum() ** 1.5)
    ends = [stats.norm.cdf(z + (z + q) / (1 - a * (z + q))) for q in stats.norm.ppf([(1 - confidence) / 2, (1 + confidence) / 2])]
    return np.quantile(means, ends)


def test_the_bca_interval_is_that_of_its_definition():
    d = np.random.default_rng(8).exponential(0.2, 30) - 0.15
    low, high = bca(d, 40_000, np.random.default_rng(9))
    interval = mean_interval(d, "bca")
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=0.006)
    assert interval.kind == "BCa bootstrap"
    assert mean_interval(d, "bca", rng=3) == mean_interval(d, "bca", rng=3)


def test_intervals_cover_the_truth():
    rng = np.random.default_rng(12)
    draws = [rng.normal(0.05, 0.14, 25) for _ in range(1500)]
    t = np.mean([(i := mean_interval(d)).low <= 0.05 <= i.high for d in draws])
    assert 0.93 < t < 0.97, "nominal 0.95, standard error 0.006"
    boot = np.mean([(i := mean_interval(d, "bca")).low <= 0.05 <= i.high for d in draws[:250]])
    assert 0.88 < boot < 0.98, "nominal 0.95; for 25 queries the bootstrap is a little narrow"


def test_intervals_without_width_and_of_one_query():
    for kind in ("t", "bca"):
        interval = mean_interval([0.1, 0.1, 0.1], kind)
        assert (interval.low, interval.high) == pytest.approx((0.1, 0.1)) and "no width" in interval.note
        with pytest.raises(DataError, match="two queries"):
            mean_interval([0.1], kind)


def test_a_bca_that_is_undefined_becomes_a_percentile_interval(monkeypatch):
    import rankmetrics_nb.comparison as module

    whole = module._bootstrap
    broken = type("Result", (), {"confidence_interval": (math.nan, math.nan)})()
    monkeypatch.setattr(module, "_bootstrap", lambda d, confidence, method, rng: broken if method == "BCa" else whole(d, confidence, method, rng))
    interval = mean_interval([0.1, 0.2, 0.4], "bca")
    assert interval.kind == "percentile bootstrap" and "undefined" in interval.note and interval.low < interval.high


def test_effect_sizes():
    d = np.array([0.30, 0.20, 0.15, -0.05])
    assert cohen_d(d) == pytest.approx(0.15 / math.sqrt((0.15**2 + 0.05**2 + 0 + 0.2**2) / 3))
    assert rank_biserial(d) == (4 + 3 + 2 - 1) / 10
    assert rank_biserial([0.1, 0.1, -0.1, 0]) == pytest.approx(1 / 3)
    assert cohen_d([0, 0]) == rank_biserial([0, 0]) == 0
    assert cohen_d([0.2, 0.2]) == math.inf and cohen_d([-0.2, -0.2]) == -math.inf
    assert math.isnan(cohen_d([0.2]))


@settings(max_examples=80)
@given(st.lists(TENTHS, min_size=1, max_size=12))
def test_rank_biserial_is_the_wilcoxon_statistic(d):
    if any(d):
        nonzero = np.array([x for x in d if x])
        ranks = stats.rankdata(np.abs(nonzero))
        assert rank_biserial(d) == pytest.approx((ranks[nonzero > 0].sum() - ranks[nonzero < 0].sum()) / ranks.sum())


# Power -----------------------------------------------------------------------------------------------------------------


def test_power_is_that_of_the_noncentral_t():
    for n, difference in ((5, 0.2), (25, 0.08), (100, 0.03)):
        bar = stats.t.ppf(0.975, n - 1)
        shift = difference * math.sqrt(n) / 0.14
        expected = stats.nct.sf(bar, n - 1, shift) + stats.nct.cdf(-bar, n - 1, shift)
        assert t_power(difference, 0.14, n) == pytest.approx(expected, abs=1e-9) == t_power(-difference, 0.14, n)
    assert t_power(0, 0.14, 25) == 0.05
    assert t_power(0.1, 0.14, 5000) == pytest.approx(1)


def test_power_by_simulation():
    rng = np.random.default_rng(2)
    d = rng.normal(0.08, 0.14, (20_000, 25))
    t = d.mean(axis=1) / d.std(axis=1, ddof=1) * 5
    assert t_power(0.08, 0.14, 25) == pytest.approx((np.abs(t) > stats.t.ppf(0.975, 24)).mean(), abs=0.012)


def test_known_sample_sizes():
    """A medium effect (d = 0.5) needs 34 pairs for power 0.8 at 0.05, a small one (0.2) 199, a large one (0.8) 15: the numbers that G*Power prints."""
    assert [queries_needed(d, 1) for d in (0.2, 0.5, 0.8)] == [199, 34, 15]
    assert queries_needed(-0.5, 1) == 34


def test_what_is_detectable_needs_as_many_queries():
    for n in (2, 3, 12, 50, 2000):
        least = detectable_difference(0.14, n)
        assert t_power(least, 0.14, n) == pytest.approx(0.8, abs=1e-6)
        assert queries_needed(least * 1.0001, 0.14) == n
    assert queries_needed(1e-5, 1) == pytest.approx((1.959964 + 0.841621) ** 2 * 1e10, rel=1e-4)


# Corrections -----------------------------------------------------------------------------------------------------------


def test_corrections_by_hand():
    raw = [0.04, 0.005, 0.13, 0.011, 0.02]
    assert adjust(raw, "bonferroni") == pytest.approx([0.2, 0.025, 0.65, 0.055, 0.1])
    assert adjust(raw, "holm") == pytest.approx([0.08, 0.025, 0.13, 0.044, 0.06])
    assert adjust(raw, "bh") == pytest.approx([0.05, 0.025, 0.13, 0.0275, 0.02 * 5 / 3])
    assert adjust(raw, "none") == raw
    assert adjust([]) == []


P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@given(P_VALUES)
def test_corrections_never_lower_and_keep_the_order(raw):
    bonferroni, holm, bh = (adjust(raw, c) for c in ("bonferroni", "holm", "bh"))
    for p, a, b, c in zip(raw, bh, holm, bonferroni):
        assert p - 1e-12 <= a <= b + 1e-12 and b <= c + 1e-12 and c <= 1
    for adjusted in (bonferroni, holm, bh):
        assert all(x <= y + 1e-12 for (p, x), (q, y) in itertools.combinations(sorted(zip(raw, adjusted)), 2) if p < q)
    assert bh == pytest.approx(list(stats.false_discovery_control(raw)))


def test_an_undefined_p_value_stays_undefined_and_counts():
    assert adjust([0.01, math.nan], "bonferroni") == pytest.approx([0.02, math.nan], nan_ok=True)
    assert adjust([0.01, math.nan], "holm") == pytest.approx([0.02, math.nan], nan_ok=True)
    for bad in (-0.1, 1.5):
        with pytest.raises(DataError, match="from 0 to 1"):
            adjust([0.5, bad])
    with pytest.raises(DataError, match="correction must be one of"):
        adjust([0.5], "tukey")


def test_tukey_against_all_permutations():
    table = np.array([row[:5] for row in SAKAI]).T  # five queries, three systems: 6^5 tables
    whole = np.round(10 * table).astype(int)
    widest = []
    for orders in itertools.product(itertools.permutations(range(3)), repeat=5):
        sums = [sum(row[order[j]] for row, order in zip(whole, orders)) for j in range(3)]
        widest.append(max(sums) - min(sums))
    p, sums = tukey(table, draws=20_000), whole.sum(axis=0)
    for i, j in itertools.combinations(range(3), 2):
        exact = np.mean([w >= abs(sums[i] - sums[j]) for w in widest])
        assert p[i, j] == p[j, i] == pytest.approx(exact, abs=0.015)
    assert np.diag(p).tolist() == [1, 1, 1]


def test_tukey_of_two_systems_is_the_randomization_test():
    a, b, _ = SAKAI
    assert tukey(np.array([a, b]).T, draws=20_000)[0, 1] == pytest.approx(paired_test(np.array(b) - a).p_value, abs=0.012)
    two = compare_values(by_query(a), by_query(b), correction="tukey").pair()
    assert two.p_adjusted == two.p_value == paired_test(np.array(b) - a).p_value
    for bad in ([[1, 2]], [1, 2], [[1], [2]]):
        with pytest.raises(DataError, match="two systems or more"):
            tukey(bad)


def test_tukey_holds_each_pair_against_the_largest_of_all():
    three = compare_values(*map(by_query, SAKAI), baseline=None, correction="tukey")
    assert [(p.a, p.b) for p in three.pairs] == [("A", "B"), ("A", "C"), ("B", "C")]
    assert [p.p_adjusted for p in three.pairs] == pytest.approx([tukey(np.array(SAKAI).T, 1)[i, j] for i, j in ((0, 1), (0, 2), (1, 2))], abs=0.02)
    assert "Tukey HSD by randomization" in three.text and "3 comparisons" in three.text
    with pytest.raises(DataError, match="does not go with test=t"):
        compare_values(*map(by_query, SAKAI), correction="tukey", test="t")


def test_tukey_leaves_out_incomplete_queries():
    a, b, c = map(by_query, SAKAI)
    less = {q: v for q, v in c.items() if q not in ("q3", "q4")}
    p = compare_values(a, b, less, correction="tukey", baseline=None)
    rows = [i for i in range(20) if i not in (3, 4)]
    expected = tukey(np.array(SAKAI).T[rows], p.pairs[0].seed)
    assert [x.p_adjusted for x in p.pairs] == pytest.approx([expected[0, 1], expected[0, 2], expected[1, 2]])
    with pytest.raises(DataError, match="two queries or more"):
        compare_values({"q1": 1, "q2": 0, "q3": 1}, {"q1": 0, "q2": 1, "q3": 1}, {"q1": 1}, correction="tukey")


# Values by query -------------------------------------------------------------------------------------------------------


def test_values_are_paired_by_query_whatever_their_order():
    a = [("q1", 0.9), ("q2", 0.1), ("q3", 0.6), ("q4", 0.4)]
    b = [("q4", 0.3), ("q3", 0.5), ("q2", 0.0), ("q1", 0.8)]
    pair = compare_values(b, a).pair()
    assert pair.mean_difference == pytest.approx(0.1) and pair.p_value == 0.125
    assert (pair.wins, pair.ties, pair.losses) == (4, 0, 0) and pair.improved == 1
    assert compare_values(dict(b), dict(a)).pair().p_value == 0.125
    assert compare_values([[7, 0.5], [8, 0.5]], {"7": 0.75, "8": 0.5}).pair().mean_difference == 0.125


def test_queries_without_a_partner_are_counted_or_refused():
    left, right = {"q1": 0.2, "q2": 0.4, "q5": 1.0}, {"q2": 0.5, "q1": 0.2, "q3": 0.1}
    found = compare_values(left, right)
    assert found.pair().query_ids == ("q1", "q2")
    assert any("2 queries have a value in only one of A and B (e.g. q5)" in n and "the other 2 queries" in n for n in found.notes)
    with pytest.raises(DataError, match="2 queries have a value in only one"):
        compare_values(left, right, unpaired="error")
    with pytest.raises(DataError, match="share no query.*A has q1, q2, q5, B has q9"):
        compare_values(left, {"q9": 1.0})
    with pytest.raises(DataError, match="B has none"):
        compare_values(left, {})


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("q1", 0.5), ("q1", 0.6)], "A, row 2: query q1 already has a value"),
        ([("q1", math.nan)], "A, row 1: query q1 needs a finite number, got nan"),
        ([("q1", "0.5")], "needs a finite number, got '0.5'"),
        ([("q1", None)], "needs a finite number, got None"),
        ([(0.5, 0.5)], "a query id is text, got 0.5"),
        ([(True, 0.5)], "a query id is text, got True"),
        (["q1"], "a row is a query and its value, got 'q1'"),
        ([("q1", 0.5, 1)], "a row is a query and its value"),
    ],
)
def test_bad_rows(rows, said):
    with pytest.raises(DataError) as error:
        compare_values(rows, {"q1": 0.5})
    assert said in str(error.value)


VALUES = st.lists(st.tuples(TENTHS, TENTHS), min_size=1, max_size=10)


@settings(max_examples=60)
@given(VALUES, st.sampled_from(["higher", "lower"]))
def test_wins_ties_and_losses_sum_to_n(values, direction):
    a, b = (by_query(v) for v in zip(*values))
    forth, back = (compare_values(*x, direction=direction).pair() for x in ((a, b), (b, a)))
    assert forth.wins + forth.ties + forth.losses == forth.n == len(values)
    assert (forth.wins, forth.losses) == (back.losses, back.wins)
    assert forth.mean_difference == pytest.approx(-back.mean_difference)
    assert forth.p_value == pytest.approx(back.p_value, nan_ok=True)
    assert not forth.significant or forth.p_adjusted <= 0.05
    for word in ("text", "html", "latex", "markdown"):
        assert "nan" not in getattr(compare_values(a, b), word)


def test_identical_systems():
    one = {"q1": 0.2, "q2": 0.5, "q3": 0.9}
    for test in TESTS:
        found = compare_values(one, one, test=test)
        pair = found.pair()
        assert (pair.p_value, pair.p_adjusted, pair.mean_difference, pair.d_z) == (1, 1, 0, 0)
        assert found.notes == ("the two systems have the same value for every query",)
        assert not pair.significant and pair.detectable is None and pair.queries_needed is None and pair.moved() == []
    flat = dict.fromkeys(one, 1.0)
    assert "every value is 1.0000: the measure does not tell the two apart" in compare_values(flat, flat).notes


def test_a_constant_difference():
    a = {"q1": 0.5, "q2": 0.75, "q3": 0.25}
    b = {"q1": 0.25, "q2": 0.5, "q3": 0.0}
    found = compare_values(b, a, test="t")
    assert math.isnan(found.pair().p_value) and not found.pair().significant
    assert "all differences are equal, the t-test is undefined; use the randomization test" in found.notes
    assert any("no width" in n for n in found.notes)
    assert "undefined" in found.table()[1][0] and "No p-value from the paired t-test" in found.text
    assert compare_values(b, a).pair().p_value == 0.25


def test_few_queries_cannot_be_significant():
    up = {f"q{i}": 0.1 * i for i in range(1, 6)}
    zero = dict.fromkeys(up, 0.0)
    five = compare_values(zero, up)
    assert five.pair().p_value == 2 / 32
    assert any("only 5 queries differ: the smallest possible p is 2/2^5 = 0.0625, so 0.05 cannot be reached" in n for n in five.notes)
    assert not compare_values({**zero, "q6": 0.0}, {**up, "q6": 0.7}).notes
    assert not compare_values(zero, up, confidence=0.9).notes
    one = compare_values({"q1": 0.2}, {"q1": 0.4})
    assert one.notes == ("one query: no test is possible",) and one.pair().intervals == {}
    assert "none" in one.table()[1][0] and math.isnan(one.rows[0]["t_low"]) and "nan" not in one.text


def test_lower_can_be_better():
    pair = compare_values({"q1": 5, "q2": 9, "q3": 2}, {"q1": 1, "q2": 3, "q3": 2}, direction="lower", measure="MeanRank").pair()
    assert (pair.wins, pair.ties, pair.losses) == (2, 1, 0) and pair.mean_difference == pytest.approx(-10 / 3)
    assert "B is higher on 0 of 3 queries, lower on 2, equal on 1." in pair.text
    assert any("lower is better" in n for n in pair.notes)


# Words and tables ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def three():
    return compare_values(*map(by_query, SAKAI), names=("base_line", "<new> & 50 %", "other"), baseline=None, test="t")


def test_significant_never_stands_alone(three):
    for pair in three.pairs:
        line = next(s for s in pair.sentences if "significant" in s)
        assert "paired t-test" in line and "3 comparisons, Holm" in line and "at 0.05" in line
    assert "significantly" in three.latex and "paired t-test, 3 comparisons, Holm" in three.latex
    alone = compare_values(by_query(SAKAI[0]), by_query(SAKAI[1])).pair()
    assert "randomization test" in alone.verdict and "one comparison" in alone.verdict


def test_the_table_has_the_numbers(three):
    head, rows = three.table()
    assert len(rows) == 3 and all(len(row) == len(head) for row in rows)
    a, b, _ = map(np.array, SAKAI)
    row = dict(zip(head, rows[0]))
    assert row["mean A"] == f"{a.mean():.4f}" and row["B - A"] == f"{(b - a).mean():+.4f}"
    assert row["p"] == f"{stats.ttest_rel(b, a).pvalue:.4f}" and row["won, equal, lost"] == f"{(b > a).sum()}, {(b == a).sum()}, {(b < a).sum()}"
    assert three.rows[0]["p_value"] == pytest.approx(stats.ttest_rel(b, a).pvalue)
    assert three.rows[0]["comparisons"] == 3 and three.rows[0]["n"] == 20


def test_what_the_user_wrote_is_escaped(three):
    assert "&lt;new&gt; &amp; 50 %" in three.html and "<new>" not in three.html
    assert r"<new> \& 50 \%" in three.latex and r"base\_line" in three.latex
    assert r"\<new\>" in three.markdown


def test_superscripts_name_the_beaten_systems():
    rng = np.random.default_rng(0)
    low = rng.uniform(0.2, 0.4, 40)
    middle, high = low + rng.normal(0.1, 0.02, 40), low + rng.normal(0.2, 0.02, 40)
    lines = compare_values(*map(by_query, (low, high, middle)), baseline=None).latex.splitlines()
    cells = {line.split(" & ")[1]: line.split(" & ")[2] for line in lines if line.startswith("$")}
    assert cells["A"] == f"{low.mean():.4f} " + "\\\\" and "$^{a,c}$" in cells["B"] and "$^{a}$" in cells["C"]
    ranks = compare_values(*map(by_query, (low, high)), direction="lower").latex
    assert f"$a$ & A & {low.mean():.4f}$^{{b}}$" in ranks, "where lower is better, the lower one is better"
    assert lines[0] == r"\begin{tabular}{llr}" and r"\toprule" in lines and r"\bottomrule" in lines


def test_p_values_are_never_printed_as_0():
    rng = np.random.default_rng(0)
    a = rng.uniform(0, 0.2, 200)
    found = compare_values(by_query(a), by_query(a + rng.normal(0.5, 0.01, 200)), test="t")
    assert "< 0.0001" in found.text and "0.0000 " not in found.pair().verdict


def test_many_pairs_are_a_table_only():
    rng = np.random.default_rng(0)
    found = compare_values(*(by_query(rng.uniform(0, 1, 8)) for _ in range(30)), baseline=None, test="t")
    assert len(found.pairs) == 435 and "is higher on" not in found.text and found.runs[:27] == tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ") + ("AA",)
    assert len(found.table()[1]) == 435


def test_a_frame_of_the_rows():
    pd = pytest.importorskip("pandas")
    frame = compare_values(*map(by_query, SAKAI)).to_frame()
    assert isinstance(frame, pd.DataFrame) and frame.shape[0] == 2 and frame["b"].tolist() == ["B", "C"]


def test_pairs_are_found_by_name(three):
    assert three.pair(b="other").a == "base_line"
    assert three.pair("value", "other", "<new> & 50 %").a == "<new> & 50 %"
    with pytest.raises(DataError, match="did you mean 'other'"):
        three.pair(b="othr")
    with pytest.raises(DataError, match="this pair was not compared; the pairs are"):
        three.pair(b="base_line")
    with pytest.raises(DataError, match="a measure of this comparison must be one of value"):
        three.pair("AP")
    with pytest.raises(DataError, match="came without rankings"):
        three.explain("value", "q1")


# Runs ------------------------------------------------------------------------------------------------------------------


QRELS = {"q1": {"a": 2, "b": 1, "c": 0}, "q2": {"c": 1, "a": 0}, "q3": {"a": 0, "b": 0}, "q4": {"b": 1, "c": 0}}
FIRST = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"a": 2.0, "c": 1.0}, "q3": {"a": 1.0, "b": 0.5}, "q4": {"c": 2.0, "b": 1.0}}
SECOND = {"q1": {"c": 3.0, "b": 2.0, "a": 1.0}, "q2": {"c": 1.0, "a": 0.5}, "q3": {"b": 1.0, "a": 0.5}, "q4": {"b": 1.0, "c": 0.5}}


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_every_measure_that_evaluates_compares(measure):
    measure = measure @ 0.5 if measure.name == "IPrec" else measure
    found = compare(QRELS, [FIRST, SECOND], measure)
    one, two = (evaluate(QRELS, run, measure).per_query[str(measure)] for run in (FIRST, SECOND))
    pair = found.pair(measure)
    assert pair.b_values.tolist() == [two[q] for q in pair.query_ids] and pair.a_values.tolist() == [one[q] for q in pair.query_ids]
    assert pair.direction == measure.direction and not any(math.isnan(x) for x in pair.differences)
    assert found.text and found.html and found.latex and found.markdown and found.rows


def test_means_are_those_of_the_evaluation():
    judgements, (bm25, reranker) = sample()
    names = ["AP", "nDCG@10", "GMAP", "MeanRank"]
    found = compare(judgements, [bm25, reranker], names)
    first, second = (evaluate(judgements, run, names) for run in (bm25, reranker))
    for name in names[:3]:
        assert (found.pair(name).mean_a, found.pair(name).mean_b) == pytest.approx((first.mean[name], second.mean[name]))
    gmap = found.pair("gm_map")
    assert gmap.mean_difference == pytest.approx(math.log(second.mean["GMAP"] / first.mean["GMAP"]))
    assert any("logarithms are compared" in n for n in gmap.notes)
    rank = found.pair("MeanRank")
    assert rank.n == 11 and any("MeanRank: 1 query has a value in only one of bm25 and reranker (e.g. q12)" in n for n in found.notes)
    assert found.pair("nDCG@10(gain=exp2)") is found.pair("nDCG@10")
    assert all(p.comparisons == 4 for p in found.pairs)


def test_a_difference_is_explained_by_document():
    judgements, (bm25, reranker) = sample()
    found = compare(judgements, [bm25, reranker], ["nDCG@10"])
    for query, a, b, d in found.pair().moved(12):
        why = found.explain("nDCG@10", query)
        assert why.value == pytest.approx(d) == pytest.approx(sum(row.difference for row in why.rows), abs=1e-9)
        assert (why.a.value, why.b.value) == pytest.approx((a, b))
        head, rows = why.table()
        assert head == ("document", "rank in bm25", "rank in reranker", "bm25", "reranker", "reranker - bm25")
        assert rows[-1][0] == "sum" and rows[-2][0].endswith(("other", "others")) and "nan" not in why.text
    assert [abs(d) for *_, d in found.pair().moved(12)] == sorted((abs(d) for d in found.pair().differences if d), reverse=True)
    with pytest.raises(DataError, match="no judgements"):
        found.explain("nDCG@10", "q99")


def test_notes_of_the_evaluations_are_inherited():
    judgements, (bm25, reranker) = sample()
    notes = compare(judgements, [bm25, reranker], "nDCG@10").notes
    assert sum("synthetic" in n for n in notes) == 1
    assert any(n.startswith("bm25: ") and "no results" in n for n in notes)


def test_evaluations_are_taken_as_they_are():
    first = evaluate(QRELS, FIRST, ["AP", "P@1"], ties="average")
    second = evaluate(QRELS, SECOND, ["AP", "P@1"], ties="average")
    found = compare(None, [first, second], ["AP", "P@1"])
    assert found.evaluations == (first, second)
    again = compare(None, [first, second], ["RR"])
    assert again.evaluations[0].conventions.ties == "average" and again.measures == ("RR",)
    fresh = compare(QRELS, [first, SECOND], "RR", ties="input")
    assert {e.conventions.ties for e in fresh.evaluations} == {"input"}
    mixed = compare(None, [first, evaluate(QRELS, SECOND, ["AP", "P@1"])], ["AP", "P@1"])
    assert any("different conventions: ties=average; house default" in n for n in mixed.notes)
    linear = evaluate(QRELS, FIRST, "nDCG", conventions="trec_eval9")
    with pytest.raises(DataError, match="different measures"):
        compare(None, [linear, evaluate(QRELS, SECOND, "nDCG")], "nDCG")
    with pytest.raises(DataError, match="runs need judgements"):
        compare(None, [first, SECOND], "AP")


def test_other_judgements_are_a_smaller_comparison():
    some = {q: QRELS[q] for q in ("q1", "q2")}
    found = compare(None, [evaluate(QRELS, FIRST, "AP"), evaluate(some, SECOND, "AP")], "AP")
    assert found.pair().query_ids == ("q1", "q2") and any("2 queries have a value in only one" in n for n in found.notes)


def test_names_of_runs():
    assert compare(QRELS, [FIRST, SECOND, FIRST], "AP").runs == ("run", "run (2)", "run (3)")
    named = compare(QRELS, [FIRST, SECOND], "AP", names=["old", "new"], baseline="new")
    assert [(p.a, p.b) for p in named.pairs] == [("new", "old")]
    for bad in (["one"], ["same", "same"], "ab"):
        with pytest.raises(DataError, match="names must be 2 different names"):
            compare(QRELS, [FIRST, SECOND], "AP", names=bad)


def test_baselines():
    runs = [FIRST, SECOND, FIRST]
    assert [(p.a, p.b) for p in compare(QRELS, runs, "AP", baseline=2).pairs] == [("run (3)", "run"), ("run (3)", "run (2)")]
    assert len(compare(QRELS, runs, ["AP", "RR"], baseline=None).pairs) == 6
    for bad in (3, -1, True, 1.0):
        with pytest.raises(DataError, match="baseline must be"):
            compare(QRELS, runs, "AP", baseline=bad)
    with pytest.raises(DataError, match="baseline must be one of.*did you mean 'run"):
        compare(QRELS, runs, "AP", baseline="runn")


@pytest.mark.parametrize("runs", [FIRST, "a.run", [FIRST], (), evaluate(QRELS, FIRST, "AP"), 7], ids=["dict", "path", "list of one", "none", "evaluation", "number"])
def test_p_values_are_not_for_one_run(runs):
    with pytest.raises(DataError, match="two runs or more"):
        compare(QRELS, runs, "AP")
    with pytest.raises(DataError, match="two systems or more"):
        compare_values({"q1": 0.5})


def test_choices_are_checked():
    for settings_, said in (
        (dict(test="ttest"), "test must be one of"),
        (dict(correction="hochberg"), "correction must be one of"),
        (dict(unpaired="skip"), "unpaired must be one of"),
        (dict(confidence=95), "between 0 and 1"),
        (dict(confidence="95 %"), "between 0 and 1"),
        (dict(ties="averag"), "did you mean 'average'"),
        (dict(tie="average"), "did you mean 'ties'"),
    ):
        with pytest.raises(ValueError, match=said):
            compare(QRELS, [FIRST, SECOND], "AP", **settings_)
    with pytest.raises(MeasureError, match="did you mean"):
        compare(QRELS, [FIRST, SECOND], "nDCQ")
    with pytest.raises(DataError, match="direction must be one of"):
        compare_values({"q": 1}, {"q": 2}, direction="up")


def test_more_measures_than_tukey_knows_of():
    found = compare(QRELS, [FIRST, SECOND, FIRST], ["AP", "RR"], correction="tukey", baseline=None)
    assert any("choose one measure beforehand" in n for n in found.notes)


def test_without_scipy_one_line_names_the_extra():
    code = (
        "import sys; sys.modules['scipy'] = None\n"
        "from rankmetrics_nb.comparison import compare_values\n"
        "found = compare_values({'q1': 0.1, 'q2': 0.2}, {'q1': 0.3, 'q2': 0.3})\n"
        "print(found.pair().p_value)\n"
        "try: found.text\n"
        "except ValueError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.splitlines() == ["0.5", 'tests and intervals need an extra: pip install "rankmetrics_nb[stats]"'], done.stderr


def test_the_import_is_light():
    code = "import sys, rankmetrics_nb.comparison; print(*{'scipy', 'matplotlib', 'pandas'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == ""
