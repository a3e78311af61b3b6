"""Pictures: what is drawn is what was computed, and no text leaves the picture."""

import io
import subprocess
import sys

import needs
import numpy as np
import pytest

needs.module("matplotlib", "scipy")

from matplotlib.colors import to_hex  # noqa: E402
from matplotlib.text import Text  # noqa: E402

from rankmetrics_nb import AP, nDCG  # noqa: E402
from rankmetrics_nb.agreement import rank_agreement  # noqa: E402
from rankmetrics_nb.comparison import compare, compare_values  # noqa: E402
from rankmetrics_nb.evaluation import evaluate  # noqa: E402
from rankmetrics_nb.examples import rides, sample  # noqa: E402
from rankmetrics_nb.plots import LIGHT, agreement_matrix, contribution_bars, difference_bars, interval_forest  # noqa: E402
from rankmetrics_nb.relevance import DataError  # noqa: E402

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
    for bad, said in (((), "one or two explanations"), ((steps,) * 3, "one or two explanations"), ((0.5,), "one or two explanations"), ((steps, nDCG.explain("1 0")), "one measure, got AP and nDCG")):
        with pytest.raises(DataError, match=said):
            contribution_bars(*bad)


def test_figures_can_be_saved_and_are_not_kept_open(tmp_path, comparison):
    import matplotlib.pyplot as plt

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
