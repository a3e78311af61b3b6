"""Agreement of rankings: tau, tau_AP, rank-biased overlap and overlap, by hand, by brute force and against published numbers."""

import itertools
import math
import subprocess
import sys

import needs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankmetrics_nb.agreement import kendall_tau, overlap, rank_agreement, rbo, tau_ap
from rankmetrics_nb.examples import rides, sample
from rankmetrics_nb.relevance import DataError

needs.module("scipy")

DEPTH = 150


@st.composite
def rankings(draw, tied=False):
    """A list of some of ten ids; with `tied`, some places hold a set."""
    items = draw(st.permutations("abcdefghij"))[: draw(st.integers(1, 10))]
    groups = []
    while items:
        size = draw(st.integers(1, 3)) if tied else 1
        groups.append(set(items[:size]) if len(items[:size]) > 1 else items[0])
        items = items[size:]
    return groups


PERSISTENCE = st.sampled_from([0.1, 0.5, 0.8, 0.9, 0.95])


def flat(ranking):
    return [i for place in ranking for i in (place if isinstance(place, set) else [place])]


def by_definition(a, b, p):
    """(1 - p) times the sum of p^(d-1) times twice the overlap over both sizes, over prefixes that hold every group that starts at depth d or above."""
    total = 0.0
    tops = []
    for ranking in (a, b):
        rank, top = 1, {}
        for place in ranking:
            group = place if isinstance(place, set) else {place}
            top |= dict.fromkeys(group, rank)
            rank += len(group)
        tops.append(top)
    for d in range(1, DEPTH + 1):
        x, y = ({i for i, rank in top.items() if rank <= d} for top in tops)
        total += (1 - p) * p ** (d - 1) * 2 * len(x & y) / (len(x) + len(y))
        if p**d < 1e-12:
            break
    return total


def goes_on(a, b, end):
    """`a` with an end that holds what only `b` has, then new items of that name."""
    return [*a, *(i for i in flat(b) if i not in flat(a) and end == "same"), *(f"{end}{i}" for i in range(150))]


# RBO -------------------------------------------------------------------------------------------------------------------


def test_rbo_by_hand():
    found = rbo(list("abc"), list("bac"), 0.9)
    assert found.extrapolated == pytest.approx(0.1 * (0 + 0.9 + 0.81) + 0.9**3)
    assert found.extrapolated == pytest.approx(0.9)  # the published value of this pair
    tail = sum(0.1 * 0.9 ** (d - 1) * 3 / d for d in range(4, 500))
    assert found.minimum == pytest.approx(0.171 + tail) and found.minimum > 0.171  # 0.171 is the sum that stops at depth 3
    assert found.maximum == pytest.approx(0.171 + 0.9**3)
    assert rbo(["a", "b"], ["a", "c"], 0.5).extrapolated == pytest.approx(0.75)
    assert "0.9000 (p=0.9), from 0.4225 to 0.9000" in str(found)


def test_the_worked_example_of_corsi_and_urbano():
    """The README of their program (julian-urbano/sigir2024-rbo): p = 0.95, ties by group ("w")."""
    x = ["red", {"blue", "green"}, "yellow", "pink"]
    y = [{"blue", "red"}, "white", {"yellow", "black", "purple"}, "green"]
    found = rbo(x, y, 0.95)
    assert (found.extrapolated, found.minimum, found.maximum, found.residual) == pytest.approx((0.7068257, 0.3429684, 0.9049857, 0.5620173), abs=1e-7)


@settings(max_examples=50)
@given(rankings(tied=True), rankings(tied=True), st.sampled_from([0.3, 0.5, 0.8]))
def test_bounds_are_reached_by_some_ends(a, b, p):
    found = rbo(a, b, p)
    assert found.minimum == pytest.approx(by_definition(goes_on(a, b, "left"), goes_on(b, a, "right"), p), abs=1e-9)
    assert found.maximum == pytest.approx(by_definition(goes_on(a, b, "same"), goes_on(b, a, "same"), p), abs=1e-9)


@settings(max_examples=40)
@given(rankings(), rankings(), st.randoms(use_true_random=False))
def test_no_end_leaves_the_bounds(a, b, random):
    ends = [[i for i in "abcdefghijklmnop" if i not in x] for x in (a, b)]
    for end in ends:
        random.shuffle(end)
    value = by_definition([*a, *ends[0], *(f"n{i}" for i in range(150))], [*b, *ends[1], *(f"n{i}" for i in range(150))], 0.8)
    found = rbo(a, b, 0.8)
    assert found.minimum - 1e-9 <= value <= found.maximum + 1e-9


@settings(max_examples=100)
@given(rankings(tied=True), rankings(tied=True), PERSISTENCE)
def test_laws_of_rbo(a, b, p):
    found, back = rbo(a, b, p), rbo(b, a, p)
    assert (found.minimum, found.residual, found.extrapolated) == pytest.approx((back.minimum, back.residual, back.extrapolated))
    assert -1e-12 <= found.minimum <= found.extrapolated + 1e-12 <= found.maximum + 2e-12 <= 1 + 1e-9
    assert rbo(a, a, p).extrapolated == pytest.approx(1) == rbo(a, a, p).maximum
    assert 0 < found.residual <= 1
    if not set(flat(a)) & set(flat(b)):
        assert found.minimum == pytest.approx(0, abs=1e-12) and found.extrapolated == pytest.approx(0, abs=1e-12)


@settings(max_examples=60)
@given(rankings(), rankings(), PERSISTENCE, st.integers(1, 9))
def test_a_longer_look_narrows_the_bounds(a, b, p, k):
    wide, narrow = rbo(a[:k], b[:k], p), rbo(a, b, p)
    assert wide.minimum <= narrow.minimum + 1e-9 and narrow.maximum <= wide.maximum + 1e-9


def test_a_tie_stands_at_the_first_rank_of_its_group():
    assert rbo([{"a", "b"}], [{"b", "a"}]).extrapolated == pytest.approx(1)
    found = rbo([{"a", "b"}, "c"], ["a", "b", "c"], 0.5)  # depth 1: {a, b} and {a}: 2/3
    assert found.extrapolated == pytest.approx(0.5 * 2 / 3 + 0.25 + 0.125 + 0.125)
    assert rbo({"a": 2.0, "b": 2.0, "c": 1.0}, ["a", "b", "c"], 0.5) == found
    assert rbo([("a", "b"), "c"], ["a", "b", "c"], 0.5) == found


@pytest.mark.parametrize("p", [0, 1, -0.1, 1.5, "0.9", True, None])
def test_p_is_between_0_and_1(p):
    with pytest.raises(DataError, match="p must be a number between 0 and 1"):
        rbo(["a"], ["b"], p)


# tau -------------------------------------------------------------------------------------------------------------------


def tau_b(x, y):
    """Kendall's tau-b by counting pairs."""
    sign = lambda u: (u > 0) - (u < 0)
    pairs = [(sign(x[i] - x[j]), sign(y[i] - y[j])) for i, j in itertools.combinations(x, 2)]
    return sum(s * t for s, t in pairs) / math.sqrt(sum(s != 0 for s, _ in pairs) * sum(t != 0 for _, t in pairs))


SCORES = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=9)


@settings(max_examples=60)
@given(SCORES)
def test_kendall_tau_counts_pairs(values):
    x, y = ({f"d{i}": float(v[k]) for i, v in enumerate(values)} for k in (0, 1))
    if len(set(x.values())) > 1 and len(set(y.values())) > 1:
        assert kendall_tau(x, y) == pytest.approx(tau_b(x, y)) == kendall_tau(y, x)
        assert kendall_tau(x, x) == pytest.approx(1)
    else:
        with pytest.raises(DataError, match="all items of the .* ranking are tied"):
            kendall_tau(x, y)


def test_kendall_tau_by_hand():
    assert kendall_tau(list("abcd"), list("bacd")) == pytest.approx(4 / 6)
    assert kendall_tau(list("abcd"), list("dcba")) == pytest.approx(-1)
    assert kendall_tau(["a", "x", "b", "c"], ["c", "b", "y", "a"], only_shared=True) == pytest.approx(-1)
    assert kendall_tau(rides["bm25"], rides["reranker"], only_shared=True) == kendall_tau(rides.lists["bm25"], rides.lists["reranker"], only_shared=True)


def test_tau_ap_by_hand_and_as_published():
    assert tau_ap(list("bacd"), list("abcd")) == pytest.approx(2 / 3 * (0 + 1 + 1) - 1)
    assert tau_ap(list("abdc"), list("abcd")) == pytest.approx(2 / 3 * (1 + 1 + 2 / 3) - 1)
    # the example of ircor (J. Urbano), an R package: scores of ten systems, 0.3928571
    truth = dict(enumerate([0.67, 0.45, 0.29, 0.12, 0.57, 0.24, 0.94, 0.75, 0.08, 0.54]))
    found = dict(enumerate([0.48, 0.68, 0.32, 0.09, 0.06, 0.61, 0.87, 0.22, 0.44, 0.84]))
    assert tau_ap(found, truth) == pytest.approx(0.3928571, abs=1e-7)
    assert tau_ap(found, truth, symmetric=True) == pytest.approx((tau_ap(found, truth) + tau_ap(truth, found)) / 2) == tau_ap(truth, found, symmetric=True)


@given(st.permutations("abcdefg"), st.permutations("abcdefg"))
def test_tau_ap_by_its_definition(a, b):
    right = [sum(b.index(x) < b.index(a[i]) for x in a[:i]) / i for i in range(1, 7)]
    assert tau_ap(a, b) == pytest.approx(2 / 6 * sum(right) - 1)
    assert tau_ap(a, a) == 1 and tau_ap(a, a[::-1]) == -1


def test_the_expectation_of_tau_ap_is_tau_where_errors_are_spread_evenly():
    """Yilmaz et al.: over all orders the mean of tau_AP is that of tau, 0."""
    orders = list(itertools.permutations("abcde"))
    assert np.mean([tau_ap(order, "a b c d e".split()) for order in orders]) == pytest.approx(0, abs=1e-12)


def test_correlations_need_the_same_items():
    for tau in (kendall_tau, tau_ap):
        with pytest.raises(DataError, match="2 items are in only one .e.g. b.: only_shared=True"):
            tau(["a", "b", "c"], ["a", "c", "x"])
        with pytest.raises(DataError, match="two items or more in both rankings, got 1"):
            tau(["a", "b"], ["a", "x"], only_shared=True)
    with pytest.raises(DataError, match="defined without ties, and the second ranking has some"):
        tau_ap(["a", "b", "c"], ["a", ("b", "c")])


# Overlap ---------------------------------------------------------------------------------------------------------------


def test_overlap_by_hand():
    a, b = list("abcdef"), list("xbafyz")
    assert [overlap(a, b, k) for k in (1, 2, 3, 6)] == [0, 0.5, 2 / 3, 0.5]
    assert overlap(["a", "b"], ["a"], 10) == pytest.approx(2 / 3) and overlap(["a"], ["a"], 10) == 1
    assert overlap(["a"], [], 3) == 0
    assert overlap([{"a", "b"}, "c"], ["b", "a", "c"], 1) == pytest.approx(2 / 3)
    for bad in (0, 1.5, True, "3"):
        with pytest.raises(DataError, match="k must be a positive whole number"):
            overlap(a, b, bad)
    with pytest.raises(DataError, match="two empty lists"):
        overlap([], [])


@given(rankings(), rankings(), PERSISTENCE)
def test_rbo_is_the_weighted_mean_of_overlaps_where_lists_are_seen_to_the_end(a, b, p):
    n = min(len(a), len(b))
    found = rbo(a[:n], b[:n], p)
    total = sum((1 - p) * p ** (k - 1) * overlap(a[:n], b[:n], k) for k in range(1, n + 1)) + p**n * overlap(a[:n], b[:n], n)
    assert found.extrapolated == pytest.approx(total)


# Odd lists -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ranking", "said"),
    [
        ("abc", "a ranking is a list of ids"),
        (None, "a ranking is a list of ids"),
        (["a", "b", "a"], "a stands in the list twice"),
        ([{"a", "b"}, "b"], "b stands in the list twice"),
        ([1, "1"], "1 stands in the list twice"),
        ([0.5], "an id is text, got 0.5"),
        ([True], "an id is text, got True"),
        ({"a": math.nan}, "the score of a is not a number"),
        ({"a": "high"}, "the score of a is not a number"),
    ],
)
def test_lists_that_are_none(ranking, said):
    for use in (kendall_tau, tau_ap, rbo, overlap):
        with pytest.raises(DataError) as error:
            use(["a", "b"], ranking)
        assert said in str(error.value) and "second ranking" in str(error.value)


def test_an_empty_list_has_no_rbo():
    with pytest.raises(DataError, match="an empty list"):
        rbo([], ["a"])


# Runs ------------------------------------------------------------------------------------------------------------------

OLD = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"a": 2.0, "b": 1.0}, "q3": {"a": 1.0}, "q4": {"z": 1.0}}
NEW = {"q1": {"b": 3.0, "a": 2.0, "c": 1.0}, "q2": {"b": 1.0, "a": 1.0, "d": 0.5}, "q3": {"x": 1.0}, "q5": {"z": 1.0}}


def test_runs_query_by_query():
    found = rank_agreement(OLD, NEW, p=0.9, k=2)
    assert found.query_ids == ("q1", "q2", "q3") and (found.a, found.b) == ("run", "run (2)")
    first = {name: values["q1"] for name, values in found.per_query.items()}
    assert first["tau"] == pytest.approx(1 / 3) and first["RBO extrapolated"] == pytest.approx(0.9) and first["overlap@2"] == 1 and first["shared"] == 3
    assert first["tau_AP"] == pytest.approx(tau_ap(list("abc"), list("bac"), symmetric=True))
    second = rbo(["a", "b"], [("a", "b"), "d"])
    assert found.per_query["RBO minimum"]["q2"] == pytest.approx(second.minimum)
    assert math.isnan(found.per_query["tau"]["q2"]), "both shared documents are tied in the second run"
    assert found.per_query["tau_AP"]["q2"] == -1, "ordered by id, falling: b before a"
    assert found.n == {"tau": 1, "tau_AP": 2, "RBO minimum": 3, "RBO residual": 3, "RBO extrapolated": 3, "overlap@2": 3, "shared": 3}
    assert found.mean["overlap@2"] == pytest.approx((1 + 1 + 0) / 3) and found.mean["tau"] == pytest.approx(1 / 3)
    said = " | ".join(found.notes)
    for part in ("2 queries are in only one run (e.g. q4): left out", "1 list has equal scores", "tau: undefined for 2 queries (e.g. q2)", "tau_AP: undefined for 1 query (e.g. q3)"):
        assert part in said
    for words in (found.text, found.html, found.markdown, found.latex):
        assert "nan" not in words
    head, rows = found.table(per_query=True)
    assert head[0] == "query" and [row[0] for row in rows] == ["q1", "q2", "q3", "mean"] and rows[1][1] == "undefined"


def test_identical_runs_agree():
    _, (first, _) = sample()
    mean = rank_agreement(first, first).mean
    assert [mean[name] for name in ("tau", "tau_AP", "RBO extrapolated", "overlap@10")] == pytest.approx([1, 1, 1, 1])


def test_an_empty_result_list_is_counted():
    found = rank_agreement({"q1": {"a": 1.0, "b": 0.5}, "q2": {"a": 1.0}}, {"q1": {"a": 1.0, "b": 0.5}, "q2": {}})
    assert math.isnan(found.per_query["RBO minimum"]["q2"]) and found.per_query["overlap@10"]["q2"] == 0
    assert any("RBO minimum: undefined for 1 query (e.g. q2)" in n for n in found.notes)


def test_queries_in_one_run_only():
    with pytest.raises(DataError, match="2 queries are in only one run .e.g. q4.; unpaired=note"):
        rank_agreement(OLD, NEW, unpaired="error")
    with pytest.raises(DataError, match="share no query: run has q1, run .2. has q9"):
        rank_agreement({"q1": {"a": 1.0}}, {"q9": {"a": 1.0}})
    with pytest.raises(DataError, match="unpaired must be one of"):
        rank_agreement(OLD, NEW, unpaired="skip")


def test_names_are_escaped():
    from dataclasses import replace

    from rankmetrics_nb.files import read_run

    found = rank_agreement(replace(read_run(OLD), source="<b>old & new</b>"), NEW)
    assert "&lt;b&gt;old &amp; new" in found.html and "<b>" not in found.html


def test_without_scipy_tau_names_the_extra_and_rbo_works():
    code = (
        "import sys; sys.modules['scipy'] = None\n"
        "from rankmetrics_nb.agreement import kendall_tau, rbo\n"
        "print(round(rbo(['a', 'b'], ['a', 'c'], 0.5).extrapolated, 4))\n"
        "try: kendall_tau(['a', 'b'], ['b', 'a'])\n"
        "except ValueError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.splitlines() == ["0.75", 'Kendall\'s tau needs an extra: pip install "rankmetrics_nb[stats]"'], done.stderr
