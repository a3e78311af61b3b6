"""Knobs and the explorers made of them, without a kernel: positions in, numbers out. The expected values are fractions and plain loops."""

import gc
import weakref
from fractions import Fraction
from itertools import permutations, product
from math import log2

import needs
import pytest
from books import opened, page_in

needs.module("anywidget", "ipywidgets", how='pip install "rankmetrics_nb[notebook]"')

from rankmetrics_nb.examples import rides, six  # noqa: E402
from rankmetrics_nb.knobs import APBuilder, DCGExplorer, Knob, Knobs, PersistenceExplorer, Question, Static, ThresholdExplorer, TieExplorer  # noqa: E402
from rankmetrics_nb.relevance import DataError, Ranking  # noqa: E402

SCORES = [9.1, 8.4, 7.7, 7.7, 5.2, 4.0, 3.9, 1.5]
ALL = {
    "AP": lambda: APBuilder("R R N N N N"),
    "DCG": lambda: DCGExplorer(six["A"]),
    "readers": lambda: PersistenceExplorer(six["A"]),
    "threshold": lambda: ThresholdExplorer(rides["bm25"], SCORES),
    "ranks": lambda: ThresholdExplorer("R N ? R -1", first=2),
    "ties": lambda: TieExplorer([1, 0, 1, 0, 0, 1], [0.9, 0.9, 0.9, 0.9, 0.3, 0.2]),
}


def page(packed: dict, at) -> str:
    """What the browser shows for some positions."""
    return page_in(packed, f"frame {'-'.join(map(str, at))}")


def average_precision(marks, missed: int) -> Fraction:
    hits = [rank for rank, mark in enumerate(marks, 1) if mark]
    n_relevant = len(hits) + missed
    return sum((Fraction(found, rank) for found, rank in enumerate(hits, 1)), Fraction(0)) / n_relevant if n_relevant else Fraction(0)


@pytest.mark.parametrize("name", ALL)
def test_the_browser_has_a_frame_for_every_setting(name):
    widget = ALL[name]()
    packed = opened(widget)
    for at in product(*(range(len(values)) for values in packed["state"]["values"])):
        widget.at = list(at)
        assert page(packed, at).startswith(widget._drawn[at].html) and f'data-said="{widget.said}"' in page(packed, at)
    assert len(widget.frames) < 20_000


def test_all_lists_of_the_builder_have_the_average_precision_of_the_fractions():
    widget = APBuilder("R N R N N R")
    for *marks, missed in product(*[(0, 1)] * 6, (0, 1, 2)):
        widget.at = [*marks, missed]
        assert widget.said == f"AP {float(average_precision(marks, missed)):.4f}"


def test_the_builder_asks_what_one_more_relevant_document_does():
    widget = APBuilder("R R N N N N")  # (1 + 1) / 2, then (1 + 1 + 3/6) / 3
    assert widget._question.right == 2 and "1.0000 before, 0.8333 after" in widget._question.why
    assert APBuilder("R R")._question is None
    assert APBuilder(Ranking((1.0, 0.0), (), (1.0,))).said == "AP 0.5000"


@pytest.mark.parametrize("gain, discount", list(product(range(3), range(3))))
def test_dcg_of_every_cut_equals_a_loop(gain, discount):
    worth = [lambda g: 2**g - 1, lambda g: g, lambda g: min(g, 1)][gain]
    divisor = [lambda r: log2(r + 1), lambda r: log2(max(r, 2)), lambda r: 1][discount]
    grades, ideal = [2, 3, 0, 1, 3, 0], [3, 3, 3, 2, 2, 1, 1, 0, 0, 0]
    widget = DCGExplorer(six["A"])
    for k in range(1, 7):
        widget.at = [gain, discount, k - 1]
        parts = [sum(worth(g) / divisor(r) for r, g in enumerate(order[:k], 1)) for order in (grades, ideal)]
        assert widget.said == f"DCG@{k} {parts[0]:.4f}, nDCG@{k} {parts[0] / parts[1]:.4f}"


def test_readers_of_rbp_and_of_err():
    widget = PersistenceExplorer("1 0 2")
    for at, p in enumerate((0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)):
        widget.at = [0, at]
        assert widget.said == f"RBP {(1 - p) * (1 + p * p):.4f}, {100 * p**3:.1f} % go further down"
    widget.at = [1, 0]  # stops: 1/4 at rank 1, 3/4 of the rest at rank 3
    assert widget.said == f"ERR {1 / 4 + 3 / 4 * 3 / 4 / 3:.4f}, {100 * 3 / 4 / 4:.1f} % go further down"
    assert all(text in widget._drawn[1, 0].html for text in ("25.0 %", "75.0 %", "56.2 %", "18.8 %"))


def test_the_threshold_cuts_between_scores_only():
    widget = ThresholdExplorer(rides["bm25"], SCORES)
    assert widget._knobs[0].values == ("above 9.1", "9.1 or more", "8.4 or more", "7.7 or more", "5.2 or more", "4 or more", "3.9 or more", "1.5 or more")
    relevant, found = 7, [0, 1, 2, 3, 4, 4, 5, 5]  # bike tempo | Thamel taxi bus SUV carpool parking; minibus and e-bike are not there
    for at, (shown, hits) in enumerate(zip([0, 1, 2, 4, 5, 6, 7, 8], found, strict=True)):
        widget.at = [at]
        assert widget.said == f"P {hits / shown if shown else 0:.4f}, R {hits / relevant:.4f}, F1 {2 * hits / (shown + relevant):.4f}"


def test_a_threshold_stands_on_both_curves():
    widget = ThresholdExplorer("R N ? R -1", first=2)
    drawn = widget._drawn[2,].html
    assert "here recall 0.50, precision 0.50" in drawn  # R N: one of two relevant, one of two shown
    assert "here false positive rate 1.00, true positive rate 0.50" in drawn  # the one judged non-relevant document is shown


def test_all_orders_of_equal_scores():
    grades, widget = [1, 0, 1, 0, 0, 1], ALL["ties"]()
    values = sorted(float(average_precision([grades[at] for at in (*first, 4, 5)], 0)) for first in permutations(range(4)))
    said = []
    for at in range(24):
        widget.at = [at]
        said.append(widget.said)
    assert said == [f"AP {value:.4f}; over all 24 orders {values[0]:.4f} to {values[-1]:.4f}, mean {sum(values) / 24:.4f}" for value in values]
    assert f"ties=average</td><td class=\"rm-number\">{sum(values) / 24:.4f}" in widget._drawn[0,].html, "the exact average is the mean over all orders"


def test_setting_the_knobs_from_python_and_a_wrong_position():
    widget = ALL["DCG"]()
    widget.at = [0, 0, 5]
    assert "nDCG@6" in widget.said and "nDCG@6" in repr(widget) and "k 6" in repr(widget)
    widget.at = [0, 0, 9]
    with pytest.raises(DataError, match=r"no positions \(0, 0, 9\); they have 3 x 3 x 6"):
        _ = widget.said


@pytest.mark.parametrize(
    "wrong, words",
    [
        (lambda: APBuilder("R N R N R N R N"), "1 to 7 ranks, got 8"),
        (lambda: APBuilder(Ranking((1.0,), (), (1.0, 1.0, 1.0))), "up to 2 relevant documents that were not retrieved, got 3"),
        (lambda: DCGExplorer([]), "the list is empty: a DCGExplorer needs one document"),
        (lambda: PersistenceExplorer("1 0", p=0.85), "p must be one of 0.1, .*, got 0.85"),
        (lambda: ThresholdExplorer("1 0", [1.0]), "2 documents and 1 score"),
        (lambda: ThresholdExplorer("1 0", [1.0, 2.0]), "scores must fall down the list"),
        (lambda: TieExplorer([1] * 6, [0.5] * 6), "720 orders are too many to draw: 120 at the most"),
        (lambda: TieExplorer([1, 0], [0.5]), "2 grades and 1 score"),
        (lambda: Knobs(lambda at: Static("", ""), []), "needs one knob or more"),
        (lambda: Knobs(lambda at: Static("", ""), [Knob("many", tuple(map(str, range(401))))]), "401 settings are too many to draw: 400"),
        (lambda: Knob("k", ()), "the knob 'k' needs one value or more"),
        (lambda: Knob("k", ("1",), 1), "the knob 'k' has positions 0 to 0, got 1"),
        (lambda: Question("Up?", ("yes", "no"), 2, ""), "right must be the position of a choice, 0 to 1, got 2"),
        (lambda: Knob("k", ("1",), kind="dial"), "a knob is a slider, a choice, a switch; got 'dial'"),
    ],
)
def test_what_is_wrong_is_said(wrong, words):
    with pytest.raises(DataError, match=words):
        wrong()


def test_names_of_the_user_are_escaped():
    bad = "<img src=x onerror=alert(1)>"
    ranking = Ranking((1.0, 0.0), (bad, '"&'), ())
    widgets = [DCGExplorer(ranking), PersistenceExplorer(ranking), ThresholdExplorer(ranking), TieExplorer(ranking, [1.0, 1.0])]
    widgets.append(Knobs(lambda at: Static("", bad), [Knob(bad, (bad,), kind="choice")], bad, Question(bad, (bad,), 0, "")))
    for widget in widgets:
        assert bad not in widget.html + widget.static()._repr_html_() + "".join(page(opened(widget), at) for at in widget._drawn)


def test_a_page_without_a_kernel_is_its_twin():
    widget = ALL["AP"]()
    bundle = widget._repr_mimebundle_()
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    assert "AP</strong>" in data["text/html"] and "<input" not in data["text/html"] and "<button" not in data["text/html"]
    assert data["text/plain"].startswith("APBuilder(rank 1 relevant, rank 2 relevant, rank 3 not relevant") and data["text/plain"].endswith("AP 1.0000)")


def test_on_paper_a_turned_knob_is_the_answer_and_nothing_is_asked():
    widget = ALL["AP"]()
    assert "Predict first" in widget.static()._repr_html_()
    widget.at = [1, 1, 0, 0, 0, 1, 0]
    assert "Predict first" not in widget.static()._repr_html_() and "Predict first" in widget.html


def test_two_widgets_do_not_mix_and_a_closed_one_is_let_go():
    one, two = ALL["DCG"](), ALL["DCG"]()
    one.at = [0, 0, 0]
    assert two.at == [0, 0, 4] and one.said != two.said
    gone = weakref.ref(one)
    one.close()
    del one
    gc.collect()
    assert gone() is None


def test_a_threshold_asks_what_the_chapter_asks():
    asked = Question("Up or right?", ("up", "right"), 1, "Right.")
    assert ThresholdExplorer("1 0", first=1)._question.why.startswith("F1 falls: 1.0000 before, 0.6667 after.")  # 2/2, then 2/3
    assert "Up or right?" in ThresholdExplorer("1 0", question=asked).html
    assert opened(ThresholdExplorer("1 0", question=asked))["state"]["ask"] == {"right": 1, "why": "Right."}
