"""Pictures: what is drawn is what was computed, and no text leaves the picture."""

import io
import subprocess
import sys
from contextlib import nullcontext

import needs
import numpy as np
import pytest

needs.module("matplotlib", "scipy")

import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.colors import to_hex, to_rgb  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.text import Text  # noqa: E402
from PIL import Image  # noqa: E402

from rankmetrics_nb import AP, AUC, DCG, ERR, MEASURES, RBP, ElevenPoint, IPrec, P, from_counts, nDCG  # noqa: E402
from rankmetrics_nb.agreement import rank_agreement  # noqa: E402
from rankmetrics_nb.comparison import compare, compare_values  # noqa: E402
from rankmetrics_nb.evaluation import evaluate  # noqa: E402
from rankmetrics_nb.examples import rides, sample, six  # noqa: E402
from rankmetrics_nb.measure import show  # noqa: E402
from rankmetrics_nb.plots import (  # noqa: E402
    DARK,
    LIGHT,
    Picture,
    agreement_matrix,
    contribution_bars,
    dark,
    dcg_bars,
    difference_bars,
    err_cascade,
    interval_forest,
    precision_recall,
    ranking_of,
    rbp_weights,
    roc,
    slopes,
    sum_bars,
    tradeoff,
    waterfall,
)
from rankmetrics_nb.relevance import DataError, Ranking  # noqa: E402

A, B = six["A"], six["B"]
LONG = "/data/runs/2026/a-very-long-name-of-a-run-$x_1$-with-dollars.run"


def texts(picture):
    """Every text that is shown."""
    figure = getattr(picture, "figure", picture)
    return [t.get_text() for t in figure.findobj(Text) if t.get_text().strip() and t.get_visible()]


def fits(figure):
    """Does all that is drawn lie within the picture, by a hundredth of an inch?"""
    figure = getattr(figure, "figure", figure)
    figure.savefig(io.BytesIO())  # lays the picture out
    box, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
    inside = min(box.x0, box.y0, width - box.x1, height - box.y1)
    assert inside > -0.01, (box, width, height)
    return True


def values(n, shift=0.0, seed=0):
    rng = np.random.default_rng(seed)
    return {f"q{i}": float(v) for i, v in enumerate(rng.uniform(0, 1, n) + shift)}


@pytest.fixture(scope="module")
def comparison():
    judgements, runs = sample()
    return compare(judgements, runs, ["nDCG@10", "MeanRank", "GMAP"])


def test_difference_bars_are_sorted_and_coloured(comparison):
    pair = comparison.pair("nDCG@10")
    figure = difference_bars(comparison, "nDCG@10")
    (ax,) = figure.figure.axes
    drawn = [bar.get_width() for bar in ax.patches]
    assert drawn == sorted(pair.differences, reverse=True)
    assert [label.get_text() for label in ax.get_yticklabels()] == [q for q, *_ in sorted(pair.moved(12), key=lambda row: -row[3])]
    assert [to_hex(bar.get_facecolor()) for bar in ax.patches] == [(LIGHT.b if d > 0 else LIGHT.a).lower() for d in drawn]
    shown = " ".join(texts(figure))
    for part in ("difference of nDCG@10 (reranker - bm25)", "reranker better: 10", "bm25 better: 2", "mean +0.1912", "query"):
        assert part in shown
    assert fits(figure)


def test_where_lower_is_better_the_colours_turn(comparison):
    (ax,) = difference_bars(comparison, "MeanRank").figure.axes
    for bar in ax.patches:
        if bar.get_width():
            assert to_hex(bar.get_facecolor()) == (LIGHT.b if bar.get_width() < 0 else LIGHT.a).lower()
    assert any("equal: " in t for t in texts(ax.figure))
    assert any("difference of logarithms of GMAP" in t for t in texts(difference_bars(comparison, "GMAP")))


def test_many_queries_are_bars_without_names():
    found = compare_values(values(300), values(300, 0.1, 1), names=("old", "new"))
    figure = difference_bars(found)
    (ax,) = figure.figure.axes
    assert len(ax.patches) == 300 and "queries, sorted by difference" in texts(figure) and "q17" not in texts(figure)
    assert fits(figure)


@pytest.mark.parametrize("n", [1, 2, 40, 41])
def test_long_names_and_odd_letters_stay_inside(n):
    left = {f"a long query, number {i}, which costs $5 and $6 or more": v for i, v in enumerate(values(n).values())}
    right = {q: v + 0.01 * i for i, (q, v) in enumerate(left.items())}
    found = compare_values(left, right, names=(LONG, LONG.replace("a-very", "another-very")), measure="a measure with a very long name of its own (k=1000)")
    assert fits(difference_bars(found)) and fits(interval_forest(found))
    assert any("equal: 1" in t for t in texts(difference_bars(found)))


def test_the_forest_holds_all_intervals():
    systems = [values(30, shift, seed) for seed, shift in enumerate((0, 0.05, 0.3, 0.02))]
    found = compare_values(*systems, baseline=None)
    for kind in ("t", "bca"):
        figure = interval_forest(found, kind)
        (ax,) = figure.figure.axes
        lines = [line for line in ax.lines if len(set(line.get_ydata())) == 1 and len(line.get_xdata()) == 2 and line.get_xdata()[0] != line.get_xdata()[1]]
        assert [tuple(line.get_xdata()) for line in lines] == [(p.intervals[kind].low, p.intervals[kind].high) for p in found.pairs]
        points = [line for line in ax.lines if line.get_marker() == "o"]
        assert [line.get_xdata()[0] if np.ndim(line.get_xdata()) else line.get_xdata() for line in points] == [p.mean_difference for p in found.pairs]
        assert [to_hex(line.get_markerfacecolor()) == LIGHT.a.lower() for line in points] == [p.significant for p in found.pairs]
        assert any("significant at 0.05 (randomization test, 6 comparisons, Holm)" in t for t in texts(figure)) and fits(figure)
    with pytest.raises(DataError, match="kind must be one of t, bca"):
        interval_forest(found, "bayes")


def test_a_panel_a_measure(comparison):
    figure = interval_forest(comparison)
    assert [ax.get_title(loc="left") for ax in figure.figure.axes] == ["nDCG@10", "MeanRank, lower is better", "GMAP"] and fits(figure)
    one = compare_values({"q": 0.1}, {"q": 0.2})
    assert fits(interval_forest(one)), "one query has a point and no interval"


def test_the_matrix_is_that_of_rank_agreement():
    _, runs = sample()
    for kind, name in (("tau", "tau"), ("tau_ap", "tau_AP"), ("rbo", "RBO extrapolated"), ("overlap", "overlap@5")):
        figure = agreement_matrix(runs, kind, k=5)
        expected = rank_agreement(*runs, k=5).mean[name]
        shown = texts(figure)
        assert shown.count(f"{expected:.2f}") == 2 and shown.count("1.00") >= 2 and "bm25" in shown and fits(figure)
    assert fits(agreement_matrix([*runs, *runs, *runs], "rbo", names=[LONG] * 6))
    apart = [{"q": {"a": 1.0, "b": 0.5}}, {"q": {"c": 1.0, "d": 0.5}}]
    assert texts(agreement_matrix(apart, "tau", names=["left", "right"])).count("undefined") == 2


def test_the_matrix_needs_runs():
    _, runs = sample()
    for bad in (runs[:1], "a.run", {"q": {"a": 1.0}}):
        with pytest.raises(DataError, match="a list of two or more"):
            agreement_matrix(bad)
    with pytest.raises(DataError, match="did you mean 'tau'"):
        agreement_matrix(runs, "taus")
    with pytest.raises(DataError, match="names must be 2 names"):
        agreement_matrix(runs, names=["one"])


def test_contributions_of_one_and_of_two():
    steps = [nDCG.explain(rides[name]) for name in ("bm25", "reranker")]
    figure = contribution_bars(*steps, names=("bm25", "reranker"))
    (ax,) = figure.figure.axes
    heights = [bar.get_height() for bar in ax.patches]
    assert sum(heights) == pytest.approx(steps[0].value + steps[1].value) and len(heights) == 16
    assert {"bm25: nDCG = 0.6399", "reranker: nDCG = 0.7702", "tempo", "rank", "adds to nDCG"} <= set(texts(figure)) and fits(figure)
    alone = contribution_bars(AP.explain("1 0 1"))
    assert "AP = 0.8333" in texts(alone) and [bar.get_height() for bar in alone.figure.axes[0].patches] == pytest.approx([1 / 2, 0, 1 / 3])


def test_contributions_of_long_lists_ties_and_the_undefined():
    many = AP.explain([1, 0] * 100)
    figure = contribution_bars(many)
    assert sum(bar.get_height() for bar in figure.figure.axes[0].patches) == pytest.approx(many.value) and "d1" not in texts(figure) and fits(figure)
    tied = evaluate({"q": {"a": 1, "b": 0}}, {"q": {"a": 1.0, "b": 1.0}}, "AP", ties="average").explain("AP", "q")
    assert sum(bar.get_height() for bar in contribution_bars(tied).figure.axes[0].patches) == pytest.approx(tied.value) == 0.75
    undefined = contribution_bars(AP.explain([0, 0]), AP.explain([0, 0], norel="one"))
    assert fits(undefined) and "A: AP = 0.0000" in texts(undefined) and "no rank" in texts(undefined)
    assert "AP = undefined" in texts(contribution_bars(AP.explain([0], norel="skip")))
    assert fits(contribution_bars(AP.explain([])))
    assert fits(contribution_bars(AP.explain(f"{'x' * 90}:1 $a$b$:1 c:0")))


def test_contributions_need_explanations_of_one_measure():
    steps = AP.explain("1 0")
    for bad, said in (
        ((), "one or two explanations"),
        ((steps,) * 3, "one or two explanations"),
        ((0.5,), "one or two explanations"),
        ((steps, nDCG.explain("1 0")), "one measure, got AP and nDCG"),
    ):
        with pytest.raises(DataError, match=said):
            contribution_bars(*bad)


def test_figures_can_be_saved_and_are_not_kept_open(tmp_path, comparison):
    before = plt.get_fignums()
    figure = difference_bars(comparison)
    for name in ("a.png", "a.svg", "a.pdf"):
        figure.savefig(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 1000
    assert plt.get_fignums() == before


def test_without_matplotlib_one_line_names_the_extra():
    code = (
        "import sys; import rankmetrics_nb.plots; assert 'matplotlib' not in sys.modules; sys.modules['matplotlib'] = None\n"
        "from rankmetrics_nb import AP\n"
        "try: rankmetrics_nb.plots.contribution_bars(AP.explain('1 0'))\n"
        "except ValueError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.splitlines() == ['pictures need an extra: pip install "rankmetrics_nb[notebook]"'], done.stderr


def test_a_folder_that_all_runs_share_is_left_out():
    found = compare_values(values(5), values(5, 0.1), names=("/data/runs/old/bm25.run", "/data/runs/new/bm25.run"))
    for figure in (difference_bars(found), interval_forest(found)):
        assert any("new/bm25.run - old/bm25.run" in t.replace("\n", " ") for t in texts(figure)) and not any("/data" in t for t in texts(figure))


# ---- the pictures of one query -----------------------------------------------------------------------------------------


def difference(measure, to=B, start=A):
    return measure.explain(to).minus(measure.explain(start))


def one_word(measure):
    return measure @ 0.5 if measure.name == "IPrec" else measure


ONE_PANEL = {
    "contribution_bars": lambda **kw: contribution_bars(AP.explain(A), AP.explain(B), **kw),
    "sum_bars": lambda **kw: sum_bars(AP.explain(A), AP.explain(B), **kw),
    "precision_recall": lambda **kw: precision_recall(A, B, **kw),
    "tradeoff": lambda **kw: tradeoff(A, **kw),
    "roc": lambda **kw: roc(rides["bm25"], rides["reranker"], **kw),
    "dcg_bars": lambda **kw: dcg_bars((nDCG @ 5).explain(A), **kw),
    "err_cascade": lambda **kw: err_cascade(ERR.explain(A), **kw),
    "rbp_weights": lambda **kw: rbp_weights(0.8, ranking=B, **kw),
    "waterfall": lambda **kw: waterfall(difference(nDCG), **kw),
    "slopes": lambda **kw: slopes(difference(nDCG), **kw),
    "difference_bars": lambda **kw: difference_bars(compare_values(values(12), values(12, 0.1, 1)), **kw),
    "agreement_matrix": lambda **kw: agreement_matrix(sample()[1], **kw),
    "11pt": lambda **kw: ElevenPoint.plot(A, **kw),
}


def the_axes(picture):
    return picture.figure.axes[0]


def near(points):
    """Points to compare with, up to rounding."""
    return [pytest.approx(point) for point in points]


def line(picture, label):
    """The points of the line of that name."""
    (found,) = (drawn for drawn in the_axes(picture).lines if drawn.get_label() == label)
    return [tuple(map(float, point)) for point in zip(found.get_xdata(), found.get_ydata(), strict=True)]


def bars(picture, filled=True):
    """(middle, height) of the filled, or of the empty bars."""
    chosen = [bar for bar in the_axes(picture).patches if (bar.get_facecolor()[3] > 0) == filled]
    return [(bar.get_x() + bar.get_width() / 2, bar.get_height()) for bar in chosen]


@pytest.mark.parametrize("measure", list(map(one_word, MEASURES)), ids=str)
@pytest.mark.parametrize("ranking", [A, B], ids="AB")
def test_every_measure_has_a_picture(measure, ranking):
    picture = measure.plot(ranking)
    assert isinstance(picture, Picture) and picture.alt == repr(picture) and fits(picture)
    assert show(measure(ranking)) in picture.alt and len(picture._repr_png_()) < 40_000
    assert measure.explain(ranking).plot().alt == picture.alt


@pytest.mark.parametrize("draw", list(ONE_PANEL.values()), ids=list(ONE_PANEL))
def test_a_picture_fits_and_its_axes_are_named(draw):
    picture = draw()
    ax = the_axes(picture)
    assert fits(picture) and len(picture._repr_png_()) < 40_000 and not plt.get_fignums()
    assert picture.alt.endswith(".") and 1 <= picture.alt.count(". ") + 1 <= 4
    for axis in (ax.xaxis, ax.yaxis):
        named = [t.get_text() for t in axis.get_ticklabels()]
        assert axis.get_label_text() or not named or any(not t.replace(".", "").isdigit() for t in named)


@pytest.mark.parametrize("draw", list(ONE_PANEL.values()), ids=list(ONE_PANEL))
def test_a_picture_can_be_drawn_into_axes_of_ones_own(draw):
    figure = Figure(figsize=(11, 4), layout="constrained")
    left, right = figure.subplots(1, 2)
    picture = draw(ax=right)
    assert picture.figure is figure and picture.alt == draw().alt and fits(figure)
    assert not (left.patches or left.lines or left.texts) and (right.patches or right.lines or right.images)
    assert not plt.get_fignums()


def test_a_picture_in_a_part_of_a_figure():
    figure = Figure(figsize=(8, 3), layout="constrained")
    part = figure.subfigures(1, 2)[1]
    assert AP.plot(A, ax=part.subplots()).figure is figure


def test_precision_and_recall_by_hand():
    picture = precision_recall("1 0 1 0")
    assert line(picture, "after each rank") == [(1 / 2, 1), (1 / 2, 1 / 2), (1, 2 / 3), (1, 1 / 2)]
    assert line(picture, "interpolated") == [(0, 1), (1 / 2, 1), (1 / 2, 2 / 3), (1, 2 / 3), (1, 1 / 2)]
    assert {"1", "2", "3", "4"} <= set(texts(picture)) and "P = 0.5000 and R = 1.0000 after rank 4" in picture.alt
    assert line(precision_recall("2 1 2", rel=2), "after each rank") == [(1 / 2, 1), (1 / 2, 1 / 2), (1, 2 / 3)]
    assert len(the_axes(precision_recall("1 0", interpolated=False)).lines) == 1
    two = precision_recall([1, 0], [1, 0, 1], names=("old", "new"))
    assert line(two, "new: after each rank") == [(1 / 2, 1), (1 / 2, 1 / 2), (1, 2 / 3)] and "old: P = 1.0000" in two.alt


def test_the_points_that_a_measure_reads_are_on_the_curve():
    picture = (IPrec @ 0.5).plot(A)
    assert line(picture, "IPrec@0.5 = 0.8000") == [(0.5, 0.8)]
    eleven = line(ElevenPoint.plot(A), "11pt = 0.4909")
    assert [x for x, _ in eleven] == [i / 10 for i in range(11)]
    assert [y for _, y in eleven] == pytest.approx([1, 1, 1, 0.8, 0.8, 0.8, 0, 0, 0, 0, 0]), "7 relevant rides, found at ranks 1, 2, 4 and 5"


def test_the_tradeoff_by_hand():
    picture = tradeoff("1 0 1")
    assert line(picture, "P@k") == near([(1, 1), (2, 1 / 2), (3, 2 / 3)])
    assert line(picture, "R@k") == near([(1, 1 / 2), (2, 1 / 2), (3, 1)])
    assert line(picture, "F1@k") == near([(1, 2 / 3), (2, 1 / 2), (3, 4 / 5)])
    assert "F1 is highest, 0.8000, at k = 3" in picture.alt


def test_roc_by_hand():
    picture = roc("1 0 1 ? 0")
    assert line(picture, "AUC = 0.7500") == [(0, 0), (0, 1 / 2), (1 / 2, 1 / 2), (1 / 2, 1), (1, 1)]
    assert line(picture, "chance: 0.5") == [(0, 0), (1, 1)]
    assert line(roc("1 0 2", rel=2), "AUC = 0.0000") == [(0, 0), (1 / 2, 0), (1, 0), (1, 1)]
    unjudged = AUC.plot("1 ? 1 0", over="retrieved")
    assert line(unjudged, "AUC = 0.7500") == [(0, 0), (0, 1 / 2), (1 / 2, 1 / 2), (1 / 2, 1), (1, 1)], "an unjudged document counts as not relevant"
    undefined = roc("1 1", "1 0")
    assert line(undefined, "A: AUC = undefined") == [] and any("no pair" in t for t in texts(undefined)) and fits(undefined)


def test_gain_discount_and_the_best_order_by_hand():
    picture = dcg_bars(nDCG.explain("2 0 3"))
    assert bars(picture) == near([(1, 3), (2, 0), (3, 7 / 2)])
    assert [bar for bar in bars(picture, filled=False) if bar[1] > 0] == near([(1, 3), (3, 7)])
    (best,) = the_axes(picture).collections
    assert [segment[0][1] for segment in best.get_segments() if len(segment)] == pytest.approx([7, 3 / np.log2(3)])
    assert {"gain / discount, sum 6.5000", "best order, sum 8.8928", "7 / 2.00\n= 3.50", "gain (exp2)"} <= set(texts(picture))
    assert "7 / 2.0000 = 3.5000 at rank 3" in picture.alt and show(nDCG("2 0 3")) in picture.alt


@pytest.mark.parametrize("settings, gains, kept, best", [
    (dict(gain="linear"), [2, 3], [2, 3 / 2], [3, 2 / np.log2(3)]),
    (dict(gain={1: 1, 2: 5, 3: 6}), [5, 6], [5, 3], [6, 5 / np.log2(3)]),
    (dict(discount="log2(r)"), [3, 7], [3, 7 / np.log2(3)], [7, 3]),
    (dict(k=2), [3], [3], [7, 3 / np.log2(3)]),
])  # fmt: skip
def test_the_picture_of_dcg_follows_the_parameters(settings, gains, kept, best):
    picture = nDCG.plot("2 0 3", **settings)
    assert [y for _, y in bars(picture, filled=False) if y > 0] == pytest.approx(gains)
    assert [y for _, y in bars(picture) if y > 0] == pytest.approx(kept)
    assert [s[0][1] for s in the_axes(picture).collections[0].get_segments() if len(s)] == pytest.approx(best)


def test_the_best_order_is_the_one_that_the_measure_takes():
    for ideal, sum_of in (("judged", "best order, sum 8.8928"), ("retrieved", "best order, sum 3.0000"), ("returned", "best order, sum 7.0000")):
        assert sum_of in texts(nDCG.plot("2", unretrieved=[3], ideal=ideal)), ideal
    assert "best order, sum 8.8928" in texts(DCG.plot("2", unretrieved=[3])), "DCG compares with nothing; the best order is shown all the same"


def test_the_cascade_by_hand():
    picture = err_cascade(ERR.explain("2 3 0 1"))  # stops 3/8, then 7/8, 0 and 1/8 of those who come so far
    stops = [3 / 8, 5 / 8 * 7 / 8, 0, 5 / 64 / 8]
    assert bars(picture) == near(list(enumerate(stops, 1)))
    assert bars(picture, filled=False) == near(list(enumerate([1, 5 / 8, 5 / 64, 5 / 64, 5 / 64 * 7 / 8], 1)))
    assert {"37.5 %", "54.7 %", "never\ncontent\n0", "1\nd1\n1/1"} <= set(texts(picture)) and "Never content: 6.8 %" in picture.alt
    assert bars(ERR.plot("2 3 0 1", k=1)) == near([(1, 3 / 8)])


def test_weights_by_hand():
    picture = rbp_weights(0.5, depth=3)
    assert bars(picture) == near([(1, 1 / 2), (2, 1 / 4), (3, 1 / 8)]) and "87.5 % on ranks 1 to 3" in picture.alt
    ranked = rbp_weights(0.5, ranking="1 0 ?", depth=4)
    assert bars(ranked) == near([(1, 1 / 2), (2, 0), (3, 0), (4, 0)])
    empty = [bar for bar in the_axes(ranked).patches if bar.get_facecolor()[3] == 0]
    assert sorted((round(b.get_x() + b.get_width() / 2), b.get_height()) for b in empty if b.get_hatch()) == near([(3, 1 / 8), (4, 1 / 16)])
    assert "p = 0.5: RBP(p=0.5) = 0.5000; unjudged or unseen: residual 0.2500" in ranked.alt, "1/8 unjudged at rank 3, 1/8 below"
    assert len(bars(rbp_weights(0.5, 0.8, 0.95))) == 30 and len(bars(rbp_weights(0.5, 0.8, ranking=A))) == 20
    graded = RBP.plot("3 1", p=0.5, grade="max")
    assert bars(graded)[:2] == near([(1, 1 / 2), (2, 1 / 4 / 3)])
    for depth in (0, 2.5, None):
        with pytest.raises(DataError, match="depth must be a positive whole number"):
            rbp_weights(depth=depth)


def test_the_waterfall_leads_from_one_value_to_the_other():
    found = difference(nDCG)
    picture = waterfall(found)
    steps = the_axes(picture).patches
    at = found.b.value
    for bar, change in zip(steps, found.rows):
        assert bar.get_x() == pytest.approx(at) and bar.get_width() == pytest.approx(change.difference)
        assert (to_hex(bar.get_facecolor()), bool(bar.get_hatch())) == ((LIGHT.adds.lower(), False) if change.difference > 0 else (LIGHT.costs.lower(), True))
        at += bar.get_width()
    assert at == pytest.approx(found.a.value)
    shown = texts(picture)
    assert [t.get_text() for t in the_axes(picture).get_yticklabels()] == [
        "A: 0.5845",
        "tempo, rank 2 to 1",
        "carpool, new at rank 5",
        "bike, rank 1 to 2",
        "bus, rank 5 to 3",
        "taxi, rank 4 to 6",
        "B: 0.7702",
    ]
    assert {"+0.1431", "\N{MINUS SIGN}0.0613", "nDCG"} <= set(shown) and "nDCG goes from 0.5845 (A) to 0.7702 (B)" in picture.alt
    assert "gone from rank 2" in waterfall(AP.explain("a:1").minus(AP.explain("a:1 b:1"))).alt
    assert "no document" in waterfall(difference(AP, A)).alt and fits(waterfall(difference(AP, A)))


def test_many_small_changes_are_one_step():
    found = nDCG.explain([0, 1, 2, 3] * 10).minus(nDCG.explain([3, 2, 1, 0] * 10))
    picture = waterfall(found)
    assert (
        any(t.endswith(" others") for t in texts(picture))
        and sum(bar.get_width() for bar in the_axes(picture).patches) == pytest.approx(found.value)
        and fits(picture)
    )


def test_slopes_join_the_ranks_of_a_document():
    found = difference(nDCG)
    ax = the_axes(slopes(found))
    drawn = {tuple(line.get_ydata()): (to_hex(line.get_color()), line.get_linestyle()) for line in ax.lines if list(line.get_xdata()) == [0, 1]}
    adds, costs = (LIGHT.adds.lower(), "-"), (LIGHT.costs.lower(), "--")
    assert drawn == {(2, 1): adds, (1, 2): costs, (5, 3): adds, (4, 6): costs}
    rings = [line for line in ax.lines if line.get_marker() == "o" and to_hex(line.get_markerfacecolor()) == "#ffffff"]
    assert len(rings) == 4, "Thamel and SUV are in A only, pass and carpool in B only"
    assert {"tempo  +0.1431", "tempo", "pass", "A: 0.5845", "adds to nDCG", "takes from nDCG", "does not change nDCG"} <= set(texts(slopes(found)))
    lost = slopes(AP.explain("a:1").minus(AP.explain("a:1 b:1")))
    assert any(t.endswith("  b") for t in texts(lost)), "a document that is gone has its effect beside it"


def test_a_long_list_shows_its_top():
    first = Ranking((1.0,) * 30, tuple(f"d{i}" for i in range(30)))
    turned = Ranking(first.grades, first.doc_ids[::-1])
    picture = slopes(nDCG.explain(turned).minus(nDCG.explain(first)))
    assert [t.get_text() for t in the_axes(picture).get_yticklabels()][-1] == "20" and fits(picture)
    assert not any(line.get_markerfacecolor() == LIGHT.paper for line in the_axes(picture).lines if line.get_marker() == "o"), "rank 25 is far down, not absent"


def test_contributions_of_a_cutoff():
    picture = (P @ 2).plot("1 0 1 1")
    assert bars(picture) == near([(1, 1 / 2), (2, 0), (3, 0), (4, 0)]) and "k = 2" in texts(picture)
    lost = (P @ 2).plot([0] * 1000, norel="one")
    assert bars(lost)[-1] == (5, 1) and "no rank" in texts(lost)
    assert len(bars((P @ 10).plot([1] * 1000))) == 20, "far below the cutoff there is nothing to see"
    assert sum(y for _, y in bars((P @ 10).plot([1] * 1000))) == pytest.approx(1)
    assert texts(from_counts(retrieved=50, relevant_retrieved=30, relevant=100).P.steps.plot())


def test_the_stack_adds_up():
    picture = sum_bars(AP.explain(A), AP.explain(B))
    parts = [bar for bar in the_axes(picture).patches if bar.get_facecolor()[3]]
    for y, (steps, colour) in enumerate(((AP.explain(A), LIGHT.a), (AP.explain(B), LIGHT.b))):
        mine = [bar for bar in parts if round(bar.get_y() + bar.get_height() / 2) == y]
        assert [bar.get_width() for bar in mine] == pytest.approx([row.contribution for row in steps.rows if row.contribution])
        assert mine[-1].get_x() + mine[-1].get_width() == pytest.approx(steps.value) and {to_hex(bar.get_facecolor()) for bar in mine} == {colour.lower()}
    assert {"A: 0.5071", "bike\n1/1", "missing 0.4929", "AP: the sum of what each document earns, out of 7"} <= set(texts(picture))
    assert fits(sum_bars(DCG.explain(A))) and "missing" not in " ".join(texts(sum_bars(DCG.explain(A))))


LONG_LIST = Ranking(tuple([3, None, 0, 1, 0, 2, 0, 0][i % 8] for i in range(1000)))


@pytest.mark.parametrize(
    "ranking",
    [[], [0, 0], [None, None], [-1, 2, 0, -2, 3], [1, 1, 1], LONG_LIST],
    ids=["empty", "none relevant", "unjudged", "negative", "all relevant", "long"],
)
@pytest.mark.parametrize(
    "draw",
    [precision_recall, tradeoff, roc, lambda r: rbp_weights(ranking=r), *(one_word(m).plot for m in (IPrec, ElevenPoint, AP, AUC, DCG, nDCG, ERR, RBP, P))],
)
def test_odd_rankings_have_a_picture(draw, ranking):
    picture = draw(ranking)
    assert fits(picture) and picture.alt and len(picture._repr_png_()) < 40_000
    assert ranking != [] or draw not in (precision_recall, tradeoff) or "the list is empty" in texts(picture)


def test_rankings_of_different_length():
    for picture in (
        precision_recall("1", "0 1 0 1"),
        contribution_bars(AP.explain("1"), AP.explain("0 1 0 1")),
        slopes(AP.explain("1").minus(AP.explain("0 1 0 1"))),
        waterfall(AP.explain("0 1").minus(AP.explain("1"))),
    ):
        assert fits(picture)


def test_an_undefined_difference_says_so():
    picture = waterfall(AUC.explain([1, 1]).minus(AUC.explain([1, 0])))
    assert "AUC is undefined" in texts(picture) and "AUC goes from 1.0000 (A) to undefined (B)" in picture.alt and fits(picture)


def test_the_names_of_users_stay_inside():
    odd = [f"{'x' * 90}:1 $a$b$:3 c_{{1}}:0", "c_{1}:0 d\udce9:2 $a$b$:3"]
    names = (LONG, "$B$")
    found = nDCG.explain(odd[1]).minus(nDCG.explain(odd[0]))
    both = nDCG.explain(odd[0]), nDCG.explain(odd[1])
    for picture in (
        slopes(found, names),
        waterfall(found, names),
        contribution_bars(*both, names=names),
        sum_bars(*both, names=names),
        precision_recall(*odd, names=names),
        roc(*odd, names=names),
        *(dcg_bars(s) for s in both),
        ERR.plot(odd[0]),
        RBP.plot(odd[0]),
        P.plot(odd[1]),
    ):
        assert fits(picture) and "\\$" not in picture.alt, "the words are not escaped, the labels are"


def test_pictures_take_steps_of_a_whole_run():
    judgements, runs = sample()
    found = evaluate(judgements, runs[0], ["AP"])
    for measure in map(one_word, MEASURES):
        steps = found.explain(measure, "q01")
        picture = steps.plot()
        assert fits(picture) and show(steps.value) in picture.alt
    steps = found.explain("AP", "q01")
    assert line(precision_recall(steps), "after each rank")[-1][1] == pytest.approx(found.explain("P", "q01").value)
    assert roc(steps).alt.count("AUC") == 1 and tradeoff(steps).alt and rbp_weights(ranking=steps).alt


def test_the_ranking_that_steps_were_made_from():
    for ranking in (A, B, Ranking.of("3 ? 0 1", unretrieved=[2, 0]), Ranking(())):
        found = ranking_of(AP.explain(ranking))
        assert (found.grades, found.doc_ids, sorted(found.unretrieved)) == (ranking.grades, ranking.doc_ids, sorted(ranking.unretrieved))
    run = evaluate({"q": {"a": 1, "c": 0, "z": 2}}, {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}, "AP").explain("AP", "q")
    assert ranking_of(run) == Ranking((1.0, None, 0.0), ("a", "unjudged, rank 2", "c"), (2.0,))


def test_tied_documents_have_no_single_order():
    tied = evaluate({"q": {"a": 1, "b": 0, "c": 2}}, {"q": {"a": 1.0, "b": 1.0, "c": 1.0, "d": 0.5}}, "AP", ties="average")
    for name in ("AP", "nDCG", "ERR", "RBP", "AUC", "P@2"):
        steps = tied.explain(name, "q")
        assert ranking_of(steps) is None and show(steps.value) in steps.plot().alt and fits(steps.plot())
    assert sum(y for _, y in bars(tied.explain("nDCG", "q").plot())) == pytest.approx(tied.explain("DCG", "q").value), "what each rank earns on average"
    with pytest.raises(DataError, match="without one order of the documents; give the ranking"):
        precision_recall(tied.explain("AP", "q"))
    settled = evaluate({"q": {"a": 1, "b": 0}}, {"q": {"a": 1.0, "b": 1.0}}, "AUC").explain("AUC", "q")
    assert settled.value == 0.5 and "adds to AUC" in texts(settled.plot()), "a curve would have to take sides"


@pytest.mark.parametrize("draw, said", [
    (lambda: precision_recall(), "one to four rankings, got 0"),
    (lambda: roc("1", "1", "1", "1", "1", names="abcde"), "one to four rankings, got 5"),
    (lambda: precision_recall("1", "1", "1"), "names must be 3 names"),
    (lambda: contribution_bars(AP.explain("1"), AP.explain("1"), names="AB"), "names must be 2 names, got 'AB'"),
    (lambda: tradeoff(3), "expected a list of grades"),
    (lambda: dcg_bars(AP.explain("1")), "dcg_bars draws the steps of DCG or nDCG, as DCG.explain gives them; got steps of AP"),
    (lambda: err_cascade(0.5), "draws the steps of ERR, as ERR.explain gives them; got 0.5"),
    (lambda: sum_bars(), "one to four explanations"),
    (lambda: sum_bars(*[AP.explain("1")] * 5), "one to four explanations"),
    (lambda: rbp_weights(1.5), "p must be a number from 0 to 1, got 1.5"),
    (lambda: waterfall(AP.explain("1")), "give a difference, such as .* got steps of AP"),
    (lambda: slopes(None), "give a difference"),
    (lambda: slopes(difference(AP), names=["A"]), "names must be 2 names"),
])  # fmt: skip
def test_what_cannot_be_drawn_is_said(draw, said):
    with pytest.raises(DataError, match=said):
        draw()


# ---- colours -----------------------------------------------------------------------------------------------------------


def linear(colour):
    rgb = np.array(to_rgb(colour))
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    """WCAG 2: 1 for the same colour, 21 for black on white."""
    low, high = sorted(linear(c) @ (0.2126, 0.7152, 0.0722) for c in (one, other))
    return (high + 0.05) / (low + 0.05)


def lab(rgb):
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ rgb / (0.9505, 1, 1.089)
    x, y, z = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


# Machado, Oliveira and Fernandes 2009, severity 1
SIGHT = {
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
}


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_colours_can_be_seen_and_told_apart(palette):
    for mark in (palette.a, palette.b, palette.adds, palette.costs, palette.grey):
        assert contrast(mark, palette.paper) >= 3
    for text in (palette.text, palette.faint):
        assert contrast(text, palette.paper) >= 4.5
    if palette is LIGHT:
        assert abs(lab(linear(palette.a))[0] - lab(linear(palette.b))[0]) > 10, "in grey; on a dark page only the hatch tells A from B"
    marks = (palette.a, palette.b, palette.adds, palette.costs)
    for name, sight in SIGHT.items():
        seen = [lab(np.clip(np.array(sight) @ linear(c), 0, 1)) for c in marks]
        assert min(np.linalg.norm(p - q) for i, p in enumerate(seen) for q in seen[:i]) > 20, name


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_names_on_bars_can_be_read(palette):
    with dark() if palette is DARK else nullcontext():
        picture = sum_bars(*[AP.explain("1 1")] * 4, names=list("ABCD"))
    for text in the_axes(picture).texts:
        (under,) = {
            to_hex(bar.get_facecolor())
            for bar in the_axes(picture).patches
            if bar.get_facecolor()[3] and bar.contains_point(the_axes(picture).transData.transform(text.get_position()))
        }
        assert contrast(text.get_color(), under) >= 4.5


def test_series_differ_in_more_than_colour():
    two = contribution_bars(AP.explain(A), AP.explain(B))
    assert {(to_hex(bar.get_facecolor()), bar.get_hatch() or None) for bar in the_axes(two).patches} == {(LIGHT.a.lower(), None), (LIGHT.b.lower(), "///")}
    for picture in (precision_recall(A, B), tradeoff(A), roc(*[rides["bm25"]] * 4, names=list("ABCD"))):
        drawn = [line for line in the_axes(picture).lines if line.get_marker() not in ("", "None")]
        assert len({line.get_marker() for line in drawn}) == len({line.get_linestyle() for line in drawn}) == len(drawn) > 1


def corner(picture):
    return Image.open(io.BytesIO(picture._repr_png_())).convert("RGBA").getpixel((0, 0))


def test_the_background_is_opaque_and_the_picture_always_the_same():
    assert corner(AP.plot(A)) == (255, 255, 255, 255)
    assert AP.plot(A)._repr_png_() == AP.plot(A)._repr_png_()


@pytest.mark.parametrize("draw", [*ONE_PANEL.values(), lambda: interval_forest(compare_values(values(5), values(5, 0.1)))], ids=[*ONE_PANEL, "interval_forest"])
def test_a_dark_page(draw):
    with dark():
        picture = draw()
        assert Figure().get_facecolor() == (*to_rgb(DARK.paper), 1), "a figure of one's own is dark too"
    assert corner(picture) == tuple(round(255 * x) for x in (*to_rgb(DARK.paper), 1)) and fits(picture)
    used = {to_hex(t.get_color()) for t in picture.figure.findobj(Text) if t.get_text().strip() and t.get_visible()} - {"#ffffff", "#000000"}
    assert used <= {DARK.text.lower(), DARK.paper.lower(), DARK.faint.lower()}
    assert picture.alt == draw().alt and corner(draw()) == (255, 255, 255, 255)


def test_darkness_ends_with_an_error_too():
    with pytest.raises(DataError), dark():
        slopes(None)
    assert corner(AP.plot(A)) == (255, 255, 255, 255)


def test_a_picture_is_a_figure_and_its_words(tmp_path):
    picture = AP.plot(A)
    picture.savefig(tmp_path / "a.png", dpi=50)
    assert Image.open(tmp_path / "a.png").width == 340 and picture._repr_png_().startswith(b"\x89PNG")
    with pytest.raises(AttributeError):
        picture.alt = "another"
