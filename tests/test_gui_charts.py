"""The window's pictures, its page of conventions, its formulas and what it exports. Expected numbers are worked out by hand or quoted; exports are read back by other tools."""

import csv
import io
import math
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
import zlib
from dataclasses import replace
from pathlib import Path

import needs
import numpy as np
import pytest

needs.qt()

from guitools import open_window, row_point, shown_table  # noqa: E402
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt  # noqa: E402
from PySide6.QtGui import QGuiApplication, QImage, QPainter  # noqa: E402
from PySide6.QtWidgets import QFileDialog  # noqa: E402
from rankmetrics_gui import cells, chart_pages, charts, exporting, formulas  # noqa: E402
from rankmetrics_gui import palette as look  # noqa: E402
from rankmetrics_gui.chart_pages import ConventionsPage, DcgPage, PrPage, RocPage  # noqa: E402
from rankmetrics_gui.pages import StepsPage, WhyPage  # noqa: E402

from rankmetrics_nb.evaluation import evaluate  # noqa: E402
from rankmetrics_nb.examples import rides, sample, sample_paths, swap  # noqa: E402
from rankmetrics_nb.measures.catalogue import MEASURES  # noqa: E402
from rankmetrics_nb.session import LETTERS, SHOWN, Session  # noqa: E402

CHART_PAGES = (PrPage, RocPage, DcgPage)


pytestmark = pytest.mark.usefixtures("qtbot")  # painting text needs an application


@pytest.fixture
def window(qtbot):
    return open_window(qtbot)


def turn(window, kind):
    """Bring a page to the front."""
    page = window.page(kind)
    window.tabs.setCurrentIndex(window.pages.indexOf(page))
    return page


def drag(qtbot, window, letter: str, row: int, to: int) -> None:
    """Press a row and move it; the button stays down."""
    view = window.views[letter]
    qtbot.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=row_point(window, letter, row))
    step = 1 if to > row else -1
    for at in range(row, to + step, step):
        qtbot.mouseMove(view.viewport(), pos=row_point(window, letter, at))


def painted(chart, width: int = 760, height: int = 380, lit: str = "") -> QImage:
    """A chart in pixels."""
    image = QImage(width, height, QImage.Format.Format_ARGB32)
    image.fill(look.ink(look.PANEL))
    painter = QPainter(image)
    chart.paint(painter, QRectF(0, 0, width, height), lit)
    painter.end()
    return image


def has_colour(image: QImage, name: str) -> bool:
    """Does any pixel have a colour of the theme?"""
    pixels = np.frombuffer(image.constBits(), np.uint32)
    return bool((pixels == np.uint32(look.ink(name).rgb())).any())


# numbers of the charts
def test_precision_and_recall_by_hand():
    """R N R N with two relevant: precision 1, 1/2, 2/3, 2/4; recall 1/2, 1/2, 1, 1; the best from there on 1, 2/3, 2/3, 1/2."""
    chart = charts.PrecisionRecall(Session.of("R N R N"), "A")
    assert chart.table.head[3:] == ("precision", "recall", "interpolated")
    assert [row[3:] for row in chart.table.rows] == [(1, 0.5, 1), (0.5, 0.5, pytest.approx(2 / 3)), (pytest.approx(2 / 3), 1, pytest.approx(2 / 3)), (0.5, 1, 0.5)]
    assert chart.words == "A: after rank 4 precision is 0.5000 and recall 1.0000."


def test_points_stand_where_their_numbers_are():
    chart = charts.PrecisionRecall(Session.of("R N R N"), "A")
    painted(chart, 460, 364)
    axes = charts.Axes(QRectF(0, 0, 460, 364), y=(0, 1.04))
    assert [mark.place for mark in chart.marks] == [axes.at(x, y) for x, y in ((0.5, 1), (0.5, 0.5), (1, 2 / 3), (1, 0.5))]
    assert (axes.area.x(), axes.area.width(), axes.area.bottom()) == (46, 400, 326), "46 pixels for numbers, 14 and 38 for room and the words below"
    assert axes.at(0.5, 0) == QPointF(246, 326)


def test_a_long_curve_is_cut_and_its_points_stay():
    """Of 300 documents with every third relevant, the first 200 ranks are drawn; recall is still out of 100."""
    chart = charts.PrecisionRecall(Session.of(" ".join(["R N N"] * 100)), "A")
    assert len(chart.table.rows) == charts.MOST_POINTS == 200 and chart.note == "The first 200 ranks are drawn."
    assert chart.table.rows[-1][3:5] == (pytest.approx(67 / 200), pytest.approx(67 / 100))


def test_roc_by_hand():
    """R N R N: up to 1/2, right to 1/2, up to 1, right to 1; three of four pairs are in order."""
    chart = charts.Roc(Session.of("R N R N"), "A")
    assert [(y, x) for _, _, y, x in chart.table.rows] == [(0.5, 0), (0.5, 0.5), (1, 0.5), (1, 1)]
    assert chart.words == "A: AUC is 0.7500. Chance would be 0.5."


def test_the_area_below_the_curve_is_auc():
    curve = charts.Roc(Session.of(rides), "A").curves["A"]
    x, y = curve.false_positive_rate, curve.true_positive_rate
    assert sum((b - a) * h for a, b, h in zip(x, x[1:], y[1:], strict=False)) == pytest.approx(0.7333, abs=5e-5), "A's AUC as the mockup has it: 11/15"


def test_three_lists_have_three_curves_and_none_looks_like_another():
    """C: bus 3, Thamel 0, tempo 3: precision 1, 1/2, 2/3; two of seven relevant; one of its two pairs is in order."""
    session = Session.of(rides).paste("C", "bus:3 Thamel:0 tempo:3")
    chart, roc = charts.PrecisionRecall(session, "A"), charts.Roc(session, "A")
    assert chart.words.endswith("C: after rank 3 precision is 0.6667 and recall 0.2857.") and "C: AUC is 0.5000." in roc.words
    for each in (chart, roc):
        assert has_colour(painted(each), look.LINE["C"]) and len({mark.words.split()[0][0] for mark in each.marks}) == 3
        assert not has_colour(painted(type(each)(Session.of(rides), "A")), look.LINE["C"])
    assert charts.Roc(session, "A").curves["C"].true_positive_rate[1:] == (0.5, 0.5, 1)
    marks = set()
    for letter in charts.DASHES:
        image = QImage(24, 24, QImage.Format.Format_ARGB32)
        image.fill(0)
        painter = QPainter(image)
        charts._dot(painter, QPointF(12, 12), letter, True, False)
        painter.end()
        marks.add(bytes(image.convertToFormat(QImage.Format.Format_Alpha8).constBits()))
    assert list(charts.DASHES) == [*LETTERS] and len(marks) == len(set(charts.DASHES.values())) == 6, "shapes and dashes, without their colours"


@pytest.mark.parametrize("width", [400, 760])
def test_the_legend_of_six_lists_stays_inside(width):
    session = Session.of(rides)
    for letter in "CDEF":
        session = session.paste(letter, "bus:3 Thamel:0")
    chart = charts.PrecisionRecall(replace(session, names=tuple(f"{name}, a name that takes room" for name in session.names)), "B")
    image = painted(chart, width)
    axes = charts.Axes(QRectF(0, 0, width, 380), y=(0, 1.04))
    with_painter = QPainter(image)
    assert chart._legend(with_painter, axes) <= axes.area.width()
    with_painter.end()


def test_dcg_by_hand():
    """Grades 2 3 0 1 3 of list A: gains 3 7 0 1 7 over log2(r + 1); the best order 3 3 3 2 2 makes 17.36910."""
    session = Session.of(rides)
    chart = charts.DcgBars(session, session.steps("nDCG@k", "A"), "A")
    gains, discounts, parts, best = (list(column) for column in zip(*(row[3:] for row in chart.table.rows), strict=True))
    assert gains == [3, 7, 0, 1, 7] and discounts == pytest.approx([math.log2(r + 1) for r in range(1, 6)])
    assert parts == pytest.approx([3 / 1, 7 / math.log2(3), 0, 1 / math.log2(5), 7 / math.log2(6)])
    assert best == pytest.approx([7, 7 / math.log2(3), 3.5, 3 / math.log2(5), 3 / math.log2(6)]) and sum(best) == pytest.approx(17.36910, abs=5e-6)
    assert "0.6077" in chart.words


@pytest.mark.parametrize("ideal, ranks", [("uncut", 7), ("retrieved", 5)])
def test_the_best_order_may_be_longer_than_the_cut(ideal, ranks):
    session = Session.of(rides).set(ideal=ideal)
    assert len(charts.DcgBars(session, session.steps("nDCG@k", "A"), "A").table.rows) == ranks


def test_the_waterfall_ends_exactly_at_b():
    session = Session.of(rides)
    for name in SHOWN:
        chart = charts.Waterfall(session, session.why(name))
        changes = [stage.after - stage.before for stage in chart.stages if not stage.letter]
        assert chart.stages[0].after + sum(changes) == pytest.approx(chart.stages[-1].after, abs=1e-12)
        assert all(before.after == pytest.approx(after.before, abs=1e-12) for before, after in zip(chart.stages, chart.stages[1:], strict=False))


def test_the_waterfall_of_a_drag_as_the_mockup_draws_it():
    """Bus from rank 5 to 1 in A: 0.7358 + 0.2015 - 0.2015 + 0.0668 - 0.0223 = 0.7803."""
    session = Session.of(rides).move("A", 5, 1)
    chart = charts.Waterfall(session, session.why("nDCG@k"))
    assert [(stage.title, f"{stage.after - stage.before:+.4f}") for stage in chart.stages[1:-1]] == [
        ("Shared tempo, Rs 20", "+0.2015"),
        ("Sajha bus 4, Rs 25", "-0.2015"),
        ("Carpool to Thapathali, Rs 140", "+0.0668"),
        ("Taxi to Thapathali, Rs 450", "-0.0223"),
    ]


@pytest.mark.parametrize("low, high, most, wanted", [(0, 1, 5, [0, 0.2, 0.4, 0.6, 0.8, 1]), (0.6, 0.85, 5, [0.6, 0.65, 0.7, 0.75, 0.8, 0.85]), (0, 8.26, 4, [0, 2.5, 5, 7.5]), (2, 2, 3, [2])])
def test_ticks_are_round(low, high, most, wanted):
    assert charts.ticks(low, high, most) == pytest.approx(wanted)


# what is drawn
@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_both_lists_are_drawn_in_their_colours(theme):
    look.use(theme)
    try:
        session = Session.of(rides)
        for chart in (charts.PrecisionRecall(session, "B"), charts.Roc(session, "B"), charts.Slopes(session, "nDCG@5", {letter: session.steps("nDCG@k", letter) for letter in "AB"})):
            image = painted(chart)
            assert has_colour(image, look.FILL["A"]) and has_colour(image, look.FILL["B"])
        image = painted(charts.Waterfall(session, session.why("nDCG@k")))
        assert has_colour(image, look.ADDS) and has_colour(image, look.COSTS)
    finally:
        look.use("light")


@pytest.mark.parametrize("text", ["0", "?", "0 0 ?", "1", "3 -1 0.5", "", " ".join(["1 0 ?"] * 400)])
def test_odd_lists_are_drawn_and_never_say_nan(text):
    session = Session.of(text, text)
    steps = {letter: session.steps("nDCG@k", letter) for letter in "AB"}
    made = [
        charts.PrecisionRecall(session, "A"),
        charts.Roc(session, "A"),
        charts.DcgBars(session, steps["A"], "A"),
        charts.Slopes(session, "nDCG@5", steps),
        charts.Waterfall(session, steps["B"].minus(steps["A"])),
    ]
    for chart in made:
        painted(chart, 400, 220)
        told = chart.words + exporting.table_text(chart.table, "md") + exporting.table_text(chart.table, "csv")
        assert not re.search(r"\bnan\b", told)


def test_an_undefined_value_names_its_reason(window):
    window.type("A", "0 0")
    window.pick("AUC")
    window.take_side("A")
    assert charts.Roc(window.session, "A").words.startswith("A: AUC is undefined: no pair of a relevant and a non-relevant document was retrieved.")
    assert window.page(StepsPage).notes.text().startswith("undefined: no pair of")
    model = window.measures.model()
    row = model.keys.index("AUC")
    assert model.data(model.index(row, 2), Qt.ItemDataRole.ToolTipRole) == "undefined: no pair of a relevant and a non-relevant document was retrieved"


# the pages
@pytest.mark.parametrize("kind", CHART_PAGES)
def test_a_chart_says_its_numbers_in_words_and_as_a_table(window, kind):
    page = turn(window, kind)
    assert page.view.accessibleName() and page.view.accessibleDescription() == page.chart.words
    shown = shown_table(page.table_view)
    assert len(shown) == len(page.chart.table.rows) and shown[0][page.chart.chips - 1] == "Shared tempo, Rs 20"
    window.take_side("A")
    assert shown_table(page.table_view)[0][page.chart.chips - 1] == "Bike to Thapathali, Rs 95"


@pytest.mark.parametrize("kind", CHART_PAGES)
def test_a_point_lights_its_document_everywhere(window, qtbot, kind):
    page = turn(window, kind)
    qtbot.wait(10)
    page.view.grab()
    mark = next(mark for mark in page.chart.marks if mark.doc == "bus")
    qtbot.mouseMove(page.view, pos=mark.place.toPoint())
    assert window.views["A"].lit == window.views["B"].lit == window.gutter.lit == page.table_view.lit == "bus"
    qtbot.mouseMove(window.views["A"].viewport(), pos=row_point(window, "A", 1))
    assert page.view.lit == "tempo"
    qtbot.mouseClick(page.view, Qt.MouseButton.LeftButton, pos=mark.place.toPoint())
    assert window._doc == "bus"


def test_arrow_keys_go_from_point_to_point(window, qtbot):
    page = turn(window, PrPage)
    page.view.setFocus()
    page.view.grab()
    seen = []
    for _ in range(3):
        qtbot.keyClick(page.view, Qt.Key.Key_Right)
        seen.append(page.view.lit)
    assert len(set(seen)) == 3 and page.view.accessibleDescription().startswith(("A", "B"))
    qtbot.keyClick(page.view, Qt.Key.Key_Left)
    assert page.view.lit == seen[1]


def test_charts_follow_a_drag_before_the_release(window, qtbot):
    page = turn(window, PrPage)
    window.take_side("A")
    drag(qtbot, window, "A", 4, 0)
    assert shown_table(page.table_view)[0][1] == "Sajha bus 4, Rs 25" and window.history.count() == 0
    qtbot.keyClick(window.views["A"], Qt.Key.Key_Escape)
    assert shown_table(page.table_view)[0][1] == "Bike to Thapathali, Rs 95"


def test_a_drag_in_b_shows_what_it_changes_in_b(window, qtbot):
    """Taking tempo from rank 1 to 2 in B: (3 + 7/log2 3 + 7/2 + 3/log2 6) / 17.3691 = 0.6942, that is 0.0861 less."""
    drag(qtbot, window, "B", 0, 1)
    model = window.measures.model()
    row = model.keys.index("nDCG@k")
    bars = model.cells[row][1]
    after = (3 + 7 / math.log2(3) + 3.5 + 3 / math.log2(6)) / 17.36910
    assert model.head[-1].text == "B since drag" and bars.outlined == 1 and bars.outline == pytest.approx(0.7803, abs=5e-5)
    assert model.cells[row][4].text == f"▼ −{0.7803 - after:.4f}" or model.cells[row][4].text == f"▼ −{0.78033 - after:.4f}"
    qtbot.keyClick(window.views["B"], Qt.Key.Key_Escape)
    assert model.head[-1].text == "B − A" and model.cells[row][1].outline is None


def test_dcg_shows_ndcg_where_another_measure_is_picked(window):
    window.pick("AP")
    assert turn(window, DcgPage).chart.name == "nDCG@5"


def test_the_scale_of_the_waterfall_stands_in_the_head(window):
    page = turn(window, WhyPage)
    assert page.table.model().head[-1].draw == page.chart.axis
    assert page.table.grab().toImage().width() > 0 and page.table.accessibleDescription() == page.chart.words


# conventions
def rows_of(page) -> dict[str, list[str]]:
    return {line[0].removesuffix(" in use"): line[1:] for line in shown_table(page.presets)}


def test_presets_are_grouped_by_value(window):
    """The values of the mockup, which other programs print."""
    page = turn(window, ConventionsPage)
    window.take_side("A")
    rows = rows_of(page)
    assert rows["recommenders"][:4] == ["0 or 1", "all judged", "0.8304", "▲ +0.0235"]
    assert rows["scikit-learn"] == rows["torchmetrics"] and rows["scikit-learn"][:4] == ["g", "retrieved only", "0.7680", "▲ +0.1473"]
    assert rows["trec_eval 9"][:4] == ["g", "all judged", "0.6831", "▲ +0.1310"] and rows["Quepid"][1:3] == ["not cut at k", "0.5845"]
    assert rows["House default"][2] == "0.6077" and page.same.text() == "same list, same grades, 5 different numbers"
    values = [float(line[3]) for line in shown_table(page.presets)]
    assert values == sorted(values, reverse=True) and page.presets.groups == [0, 2, 6, 10]
    assert page.verdict.text() == "B stays ahead of A under all 12 presets: the numbers move, the verdict does not."


def test_a_click_on_a_preset_counts_as_it_does(window, qtbot):
    page = turn(window, ConventionsPage)
    window.take_side("A")
    at = page.presets.model().keys.index("sklearn")
    place = page.presets.visualRect(page.presets.model().index(at, 0)).center()
    qtbot.mouseClick(page.presets.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert (window.session.gain, window.session.ideal) == ("linear", "retrieved") and window.values["A"].text() == "0.7680"
    assert window.undo_action.text() == "Undo Count as scikit-learn"
    assert [line[0] for line in shown_table(page.presets) if line[0].endswith("in use")] == ["scikit-learn in use", "torchmetrics in use"]
    window.undo_action.trigger()
    assert window.session == Session.of(rides)


def test_enter_uses_a_preset_and_the_arrow_keys_do_not(window, qtbot):
    page = turn(window, ConventionsPage)
    window.take_side("A")
    page.presets.setFocus()
    page.presets.setCurrentIndex(page.presets.model().index(1, 0))
    qtbot.keyClick(page.presets, Qt.Key.Key_Down)
    assert window.history.count() == 0
    qtbot.keyClick(page.presets, Qt.Key.Key_Return)
    assert window.history.count() == 1 and window.session.gain == "linear"


def test_a_choice_that_only_the_measure_has_goes_into_its_name(window):
    """scikit-learn divides AP by the relevant documents of the list: of A five, at ranks 1 2 4 5 7."""
    window.pick("AP")
    page = turn(window, ConventionsPage)
    window.take_side("A")
    page.use_preset("sklearn")
    assert window.picked == "AP(norm=hits)" and "AP" not in window.session.measures
    assert window.session.report()["AP(norm=hits)"].values[0] == pytest.approx((1 + 1 + 3 / 4 + 4 / 5 + 5 / 7) / 5)
    assert "scikit-learn in use" in [line[0] for line in shown_table(page.presets)]
    page.use_preset("textbook")
    assert window.picked == "AP" and window.session == Session.of(rides)


def test_conventions_that_no_tool_has_get_a_row_of_their_own(window):
    page = turn(window, ConventionsPage)
    window.take_side("A")
    window.change(window.session.set(gain="binary", ideal="uncut"), "Odd")
    first = shown_table(page.presets)[0]
    assert first[0] == "This window in use" and first[1:3] == ["0 or 1", "not cut at k"] and first[3] == window.values["A"].text()
    assert "in use" not in " ".join(line[0] for line in shown_table(page.presets)[1:])


def test_a_typed_number_is_explained(window, qtbot):
    """0.768 is scikit-learn's value: 0.608 + 0.075 + 0.085, as the mockup has it."""
    page = turn(window, ConventionsPage)
    window.take_side("A")
    page.field.setFocus()
    qtbot.keyClicks(page.field, "0.768")
    qtbot.waitUntil(lambda: page.diagnosis is not None)
    assert page.answer.text() == "0.768 is the nDCG@5 of scikit-learn" and page.summary.text().startswith("torchmetrics agrees. 2 choices differ")
    assert page.sum.text() == "0.608 + 0.075 + 0.085 = 0.768" and page.full.text().replace(chart_pages.BREAK, "") == "nDCG(gain=linear,ideal=retrieved)@5"
    assert [(one.title, one.text) for one in page.reasons.chart.reasons] == [
        ("In use: House default", "0.608"),
        ("Gain: g, not 2ᵍ − 1", "+0.075"),
        ("Ideal: retrieved only", "+0.085"),
        ("Your number", "0.768"),
    ]
    grounds = {key: line[0].ground for key, line in zip(page.presets.model().keys, page.presets.model().cells, strict=True)}
    assert {key for key, ground in grounds.items() if ground} == {"sklearn", "torchmetrics"}
    page.grab()
    qtbot.mouseClick(page.use_button, Qt.MouseButton.LeftButton)
    assert window.values["A"].text() == "0.7680"
    qtbot.waitUntil(lambda: page.answer.text() == "0.768 is what is shown here")
    window.undo_action.trigger()
    qtbot.waitUntil(lambda: page.copy_button.isVisible())
    qtbot.mouseClick(page.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "nDCG(gain=linear,ideal=retrieved)@5"


@pytest.mark.parametrize(
    "typed, answer",
    [("0.6077", "0.6077 is what is shown here"), ("60.77", "60.77 has a reason"), ("0.12345678", "No combination we know gives 0.12345678"), ("abc", "That is no number to look for"), ("7000", "That is no number to look for"), ("0,768", "0.768 is the nDCG@5 of scikit-learn")],
)
def test_any_text_gets_an_answer(window, typed, answer):
    page = turn(window, ConventionsPage)
    window.take_side("A")
    page.field.setText(typed)
    page.look_for()
    page.grab()
    assert page.answer.text() == answer and page.summary.text()
    if typed == "60.77":
        assert not page.use_button.isEnabled(), "a share in per cent is no convention of the window"


def test_the_answer_follows_the_session(window, qtbot):
    page = turn(window, ConventionsPage)
    window.take_side("A")
    page.field.setText("0.6077")
    page.look_for()
    window.change(window.session.set(gain="linear"), "Set gain")
    qtbot.waitUntil(lambda: page.answer.text() == "0.6077 is the nDCG@5 of gdeval")
    assert page.reasons.chart.reasons[0].title == "In use: trec_eval 9"


@pytest.mark.parametrize("name", SHOWN)
def test_every_measure_has_its_table_and_the_row_in_use_has_its_value(window, name):
    window.pick(name)
    page = turn(window, ConventionsPage)
    for letter in "AB":
        window.take_side(letter)
        used = [line for line in shown_table(page.presets) if line[0].endswith("in use")]
        assert used and window.values[letter].text() in used[0]
        page.grab()


def test_conventions_of_one_list_have_no_difference(window):
    window.change(window.session.only("A"), "One list")
    page = turn(window, ConventionsPage)
    assert "B − A" not in [cell.text for cell in page.presets.model().head] and page.verdict.text() == ""


def test_the_lists_fold_to_strips_and_come_back(window, qtbot):
    turn(window, ConventionsPage)
    assert window.strips.isVisible() and not window.upper.isVisible() and window.fold_button.text() == "Show lists"
    assert "bm25: 2 3 0 1 3 0 2 0; nDCG@5 0.6077" in window.strips.accessibleName()
    window.strips.grab()
    qtbot.mouseClick(window.fold_button, Qt.MouseButton.LeftButton)
    assert window.upper.isVisible() and not window.strips.isVisible()
    turn(window, PrPage)
    assert window.upper.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    assert window.strips.isVisible()
    window.open_example(swap)
    assert "nDCG" in window.strips.accessibleName()


@pytest.mark.parametrize("size", [(900, 600), (1000, 640), (1100, 720), (1280, 800), (1600, 1000)])
@pytest.mark.parametrize("kind", [*CHART_PAGES, ConventionsPage])
def test_pages_fit_into_any_window(window, qtbot, size, kind):
    window.resize(*size)
    page = turn(window, kind)
    qtbot.wait(10)
    table = page.presets if kind is ConventionsPage else page.table_view
    assert sum(table.columnWidth(column) for column in range(table.model().columnCount())) <= table.viewport().width() + 2
    place = window.fold_button.mapTo(window, QPoint(0, 0))
    assert window.fold_button.isVisible() and place.x() + window.fold_button.width() <= window.width()


def test_nothing_is_worked_out_for_a_page_that_is_not_in_front(window, monkeypatch):
    called = []
    monkeypatch.setattr(chart_pages.Under, "__init__", lambda self, *_: called.append(1))
    window.pick("AP")
    window.take_side("A")
    assert not called


def test_the_start_needs_neither_presets_nor_their_tables():
    code = "import sys, rankmetrics_gui.main_window; print(*{'rankmetrics_nb.conventions', 'matplotlib', 'PySide6.QtSvgWidgets'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


# formulas
def test_every_record_has_its_formula():
    """The file of each measure holds the LaTeX of its record; `python gui/formulas.py` mends it."""
    for measure in MEASURES:
        path = formulas.FOLDER / f"formula-{measure.name}.svg"
        root = ET.parse(path).getroot()
        space = {"svg": "http://www.w3.org/2000/svg"}
        assert root.find("svg:desc", space).text == measure.formula, f"{path.name} is not current: python gui/formulas.py"
        assert len(root.find("svg:path", space).get("d")) > 100
    assert len(list(formulas.FOLDER.glob("formula-*.svg"))) == len(MEASURES)


def test_the_files_are_what_the_command_writes():
    needs.matplotlib() if hasattr(needs, "matplotlib") else pytest.importorskip("matplotlib")
    made = _builder().svg("AP", next(measure.formula for measure in MEASURES if measure.name == "AP"))
    kept = (formulas.FOLDER / "formula-AP.svg").read_text(encoding="utf-8")
    shape = re.compile(r"[A-Z]")
    assert shape.findall(re.search(r' d="([^"]+)"', made)[1]) == shape.findall(re.search(r' d="([^"]+)"', kept)[1])


def _builder():
    import importlib.util

    spec = importlib.util.spec_from_file_location("formulas_command", Path(__file__).parents[1] / "gui" / "formulas.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_formulas_are_drawn_in_the_ink_of_the_theme(theme):
    look.use(theme)
    try:
        for measure in MEASURES:
            image = formulas.image(measure.name)
            pixels = np.frombuffer(image.constBits(), np.uint32)
            assert set(pixels[pixels >> 24 == 255].tolist()) == {look.ink(look.TEXT).rgb()}
    finally:
        look.use("light")
    assert formulas.image("no such measure").isNull()


def test_the_steps_page_shows_the_formula_where_there_is_room(window, qtbot):
    window.resize(1280, 900)
    qtbot.wait(20)
    page = window.page(StepsPage)
    assert page.formula.isVisible() and page.formula.measure.name == "nDCG" and r"\mathrm{IDCG@}k" in page.formula.accessibleDescription()
    window.resize(1000, 640)
    qtbot.wait(20)
    assert not page.formula.isVisible() or page.notes.visibleRegion().boundingRect().height() == page.notes.height()


# export
@pytest.fixture
def save_as(monkeypatch, tmp_path):
    """Answers the next file dialog with a path in the folder of the test; with nothing it is cancelled."""

    def answer(name: str, chosen: str = "") -> Path:
        path = str(tmp_path / name) if name else ""
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (path, chosen))
        return Path(path)

    return answer


def pdf_text_size(data: bytes) -> tuple[float, float, bytes]:
    """Width and height of the page in points, and what its streams hold."""
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", data)
    streams = [zlib.decompress(found) for found in re.findall(rb"stream\r?\n(.*?)endstream", data, re.S) if found[:1] == b"x"]
    return float(box[1]), float(box[2]), b"".join(streams)


@pytest.mark.parametrize("kind", [WhyPage, *CHART_PAGES, StepsPage, ConventionsPage])
def test_every_page_can_be_exported_as_a_picture(window, save_as, kind):
    turn(window, kind)
    picture = window.exporting.page_picture()
    png = save_as("a.png")
    window.exporting.actions["page"].trigger()
    image = QImage(str(png))
    assert image.size() == picture.size * 2 and image.text("Description") == picture.words
    assert len({image.pixel(x, y) for x in range(0, image.width(), 7) for y in range(0, image.height(), 7)}) > 3
    svg = save_as("a.svg")
    window.exporting.actions["page"].trigger()
    root = ET.parse(svg).getroot()
    assert root.get("viewBox") == f"0 0 {picture.size.width()} {picture.size.height()}" and len(root.findall(".//{*}text")) > 5
    shapes = [shape for kind in ("path", "polyline", "rect", "ellipse", "circle") for shape in root.iter("{http://www.w3.org/2000/svg}" + kind)]
    assert len(shapes) > 5 and root.find("{*}title").text == picture.name and root.find("{*}desc").text == picture.words
    pdf = save_as("a.pdf")
    window.exporting.actions["page"].trigger()
    data = pdf.read_bytes()
    width, height, drawn = pdf_text_size(data)
    assert data.startswith(b"%PDF-") and data.rstrip().endswith(b"%%EOF") and (width, height) == pytest.approx((picture.size.width() * 0.75, picture.size.height() * 0.75), abs=1)
    assert len(drawn) > 500
    assert window.last_words.text() == "Exported a.pdf"


def test_the_lists_and_the_window_can_be_exported(window, save_as):
    svg = save_as("lists.svg")
    window.exporting.actions["lists"].trigger()
    words = " ".join(text.text or "" for text in ET.parse(svg).getroot().iter("{http://www.w3.org/2000/svg}text"))
    assert "Sajha bus 4, Rs 25" in words and "0.7803" in words and "+0.1487" in words
    png = save_as("window.png")
    window.exporting.actions["window"].trigger()
    assert QImage(str(png)).size() == window.size() * 2


def test_tables_can_be_read_by_other_programs(window, save_as):
    path = save_as("measures.csv")
    window.exporting.table_actions["measures"].trigger()
    rows = list(csv.DictReader(path.open(encoding="utf-8")))
    ndcg = next(row for row in rows if row["measure"] == "nDCG@5")
    assert float(ndcg["A bm25"]) == window.session.report()["nDCG@k"].values[0], "all digits"
    assert float(ndcg["B − A"]) == pytest.approx(0.1726, abs=5e-5)
    path = save_as("measures.tex")
    window.exporting.table_actions["measures"].trigger()
    body = path.read_text(encoding="utf-8")
    assert body.startswith(r"\begin{tabular}{l") and r"nDCG@5 &  & 0.6077 & 0.7803 & 0.1726 \\" in body
    path = save_as("measures.md")
    window.exporting.table_actions["measures"].trigger()
    lines = [[cell.strip() for cell in line.strip("|\n").split("|")] for line in path.open(encoding="utf-8")]
    assert ["nDCG@5", "", "0.6077", "0.7803", "0.1726"] in lines and len({len(line) for line in lines}) == 1


@pytest.mark.parametrize("kind", [StepsPage, WhyPage, *CHART_PAGES, ConventionsPage])
def test_the_table_of_every_page_is_the_table_of_its_file(window, save_as, kind):
    turn(window, kind)
    table = window.exporting.page_table()
    for ending, delimiter in (("csv", ","), ("tsv", "\t")):
        path = save_as(f"page.{ending}")
        window.exporting.table_actions["page table"].trigger()
        head, *rows = csv.reader(path.open(encoding="utf-8", newline=""), delimiter=delimiter)
        assert tuple(head) == table.head and len(rows) == len(table.rows) and {len(row) for row in rows} == {len(head)}
        for row, wanted in zip(rows, table.rows, strict=True):
            assert all(float(cell) == value for cell, value in zip(row, wanted, strict=True) if isinstance(value, int | float) and not math.isnan(value))
    window.exporting.copies["page_table", "md"].trigger()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert len(lines) == len(table.rows) + 2 and len({line.count(" | ") for line in (lines[0], *lines[2:])}) == 1


def test_the_waterfall_s_table_sums_to_the_difference(window, save_as):
    turn(window, WhyPage)
    path = save_as("why.csv")
    window.exporting.table_actions["page table"].trigger()
    *rows, total = csv.DictReader(path.open(encoding="utf-8"))
    assert sum(float(row["B − A"]) for row in rows) == pytest.approx(float(total["B − A"]), abs=1e-12)
    assert next(row for row in rows if row["id"] == "bus")["rank in A"] == "5"


def test_a_closed_dialog_writes_nothing(window, save_as, tmp_path):
    save_as("")
    before = window.last_words.text()
    for action in (*window.exporting.actions.values(), *list(window.exporting.table_actions.values())[:2]):
        action.trigger()
    assert list(tmp_path.iterdir()) == [] and window.last_words.text() == before and window.history.count() == 0


def test_the_filter_decides_where_the_name_has_no_ending(window, save_as, tmp_path):
    save_as("picture", "PDF (*.pdf)")
    window.exporting.actions["page"].trigger()
    save_as("v1.2", "Markdown (*.md)")
    window.exporting.table_actions["measures"].trigger()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["picture.pdf", "v1.2.md"]


def test_a_place_that_cannot_be_written_is_said(window, save_as):
    save_as("no/such/folder/a.png")
    window.exporting.actions["page"].trigger()
    assert "cannot be written" in window.message.text() and window.message.isVisible()


def test_without_files_there_is_no_table_of_queries(window, save_as, tmp_path):
    save_as("queries.csv")
    window.exporting.table_actions["queries"].trigger()
    assert list(tmp_path.iterdir()) == [] and window.last_words.text() == "There is no table to export here"


def test_the_table_of_all_queries_is_exported_as_it_is_sorted(window, save_as):
    from rankmetrics_gui import entering

    qrels, found = sample_paths()
    entering.open_paths(window, [str(qrels), *map(str, found)])
    window.dialog.open_all()
    window.stack.table.view.sortByColumn(2, Qt.SortOrder.AscendingOrder)
    path = save_as("queries.csv")
    window.exporting.table_actions["queries"].trigger()
    head, *rows = csv.reader(path.open(encoding="utf-8"))
    assert head[:2] == ["Query", "Relevant"] and head[-1] == "B − A" and len(rows) == 12
    values = evaluate(sample()[0], sample()[1][0], "nDCG@5").per_query["nDCG@5"]
    assert {row[0]: float(row[2]) for row in rows} == pytest.approx(dict(values)) and [float(row[2]) for row in rows] == sorted(values.values())


def test_the_picture_of_a_page_goes_to_the_clipboard(window):
    turn(window, RocPage)
    window.exporting.picture_copy.trigger()
    assert QGuiApplication.clipboard().image().size() == window.exporting.page_picture().size * 2


def test_undefined_and_empty_cells():
    table = charts.Table("t", ("a", "b"), ((math.nan, None), (-0.5, 3), (1.0, "x|y")))
    assert list(csv.reader(io.StringIO(exporting.table_text(table, "csv")))) == [["a", "b"], ["undefined", ""], ["-0.5", "3"], ["1.0", "x|y"]]
    assert "| undefined |  |" in exporting.table_text(table, "md") and "−0.5000" in exporting.table_text(table, "md")


def test_cells_of_the_waterfall_need_no_window():
    session = Session.of(rides)
    why = session.why("nDCG@k")
    rows, keys = cells.why_cells(session, why, charts.Waterfall(session, why))
    assert len(rows) == len(keys) == 7 and keys[0] == keys[-1] == ""
