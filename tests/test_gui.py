"""The real window, driven as a person would: typing, keys, mouse. Values are compared with the session and with what is on the screen."""

import math
import subprocess
import sys

import needs
import pytest

needs.qt()

from guitools import open_window, row_point  # noqa: E402
from guitools import shown_table as table  # noqa: E402
from PySide6.QtCore import QAbstractItemModel, QPoint, Qt  # noqa: E402
from PySide6.QtGui import QAccessible, QGuiApplication  # noqa: E402
from PySide6.QtTest import QAbstractItemModelTester  # noqa: E402
from PySide6.QtWidgets import QApplication, QLabel, QToolButton, QWidget  # noqa: E402
from rankmetrics_gui import cells  # noqa: E402
from rankmetrics_gui import palette as look  # noqa: E402
from rankmetrics_gui.main_window import MainWindow  # noqa: E402
from rankmetrics_gui.pages import StepsPage, WhyPage  # noqa: E402

from rankmetrics_nb.examples import EXAMPLES, news, rides, swap  # noqa: E402
from rankmetrics_nb.relevance import Ranking  # noqa: E402
from rankmetrics_nb.session import SHOWN, Session, shown, signed  # noqa: E402


@pytest.fixture
def window(qtbot):
    return open_window(qtbot)


def measure(window, name: str) -> list[str]:
    """Value of A, value of B and difference as the table of measures shows them."""
    return next(line[2:] for line in table(window.measures) if line[0].split()[0] == name)


def type_into(qtbot, field, text: str) -> None:
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)


def drag(qtbot, window, letter: str, row: int, to: int, release: bool = True) -> None:
    port = window.views[letter].viewport()
    qtbot.mousePress(port, Qt.MouseButton.LeftButton, pos=row_point(window, letter, row))
    qtbot.mouseMove(port, pos=row_point(window, letter, row) + QPoint(0, 8))
    qtbot.mouseMove(port, pos=row_point(window, letter, to))
    if release:
        qtbot.mouseRelease(port, Qt.MouseButton.LeftButton, pos=row_point(window, letter, to))


# what is shown
def test_it_opens_with_an_example_and_its_values(window):
    assert window.title.text() == "cheap ride to Thapathali" and window.judged.text() == "10 judged, 7 relevant"
    assert measure(window, "nDCG@5") == ["0.6077", "0.7803", "▲ +0.1726"]
    assert measure(window, "AP") == ["0.6092", "0.6619", "▲ +0.0527"]
    assert measure(window, "P@5") == ["0.8000", "0.8000", "="]
    assert (window.values["A"].text(), window.values["B"].text(), window.effect_value.text()) == ("0.6077", "0.7803", "▲ +0.1726")
    assert window.page(StepsPage).equation.words().startswith("nDCG@5 = (7/log₂ 2 + 3/log₂ 3") and window.page(StepsPage).equation.words().endswith("= 0.7803")
    assert "If it is a 3: nDCG@5 of B 0.8678, of A 0.5529" in window.note.text()
    assert window.shared_words.text() == "8 in A, 8 in B, 7 shared"
    assert "Electric minibus, Rs 30 (grade 3)" in window.tray.accessibleName()


@pytest.mark.parametrize("name", SHOWN)
def test_the_steps_of_every_measure_add_up_to_the_value_shown(window, qtbot, name):
    at = window.measures.model().keys.index(name)
    window.measures.selectRow(at)
    assert window.picked == name
    lines = table(window.page(StepsPage).table)
    assert lines[-1][5] == measure(window, lines_label(window, at))[1]
    assert lines[-2][6] == lines[-1][5]


def lines_label(window, row: int) -> str:
    return table(window.measures)[row][0].split()[0]


def test_steps_stop_at_the_cut_and_say_so(window):
    lines = table(window.page(StepsPage).table)
    assert [line[0] for line in lines] == ["1", "2", "3", "4", "5", ""]
    assert lines[-1][1] == "Ranks 6 to 8 are below the cut and earn nothing"
    assert lines[0][3] == "7/log₂ 2" and lines[3][3] == "unjudged"


def test_the_side_of_the_steps_can_be_changed(window, qtbot):
    qtbot.mouseClick(window.side_buttons["A"], Qt.MouseButton.LeftButton)
    assert window.page(StepsPage).equation.words().endswith("0.6077") and table(window.page(StepsPage).table)[0][1] == "Bike to Thapathali, Rs 95"


# typing
def test_typing_two_rankings(window, qtbot):
    type_into(qtbot, window.fields["A"], "3 2 ? 0")
    type_into(qtbot, window.fields["B"], "2 3 0")
    expected = Session.of("3 2 ? 0", "2 3 0").report()["nDCG@5"]
    assert measure(window, "nDCG@5") == [*map(shown, expected.values), " ".join(signed(expected.difference))]
    assert window.fields["A"].text() == "3 2 ? 0"
    assert "typed without names" in window.page(StepsPage).notes.text()
    assert window.history.count() == 2


def test_typing_is_one_step_a_field_and_can_be_undone(window, qtbot):
    start = window.session
    type_into(qtbot, window.fields["A"], "bus:3 taxi:1")
    assert window.history.count() == 1 and window.session.lists[0] == ("bus", "taxi")
    window.undo_action.trigger()
    assert window.session == start and window.fields["A"].text().startswith("bike:2 tempo:3")
    window.redo_action.trigger()
    assert window.session.lists[0] == ("bus", "taxi")


def test_text_that_cannot_be_read_stays_and_the_values_too(window, qtbot):
    before, shown_before = window.session, table(window.measures)
    field = window.fields["B"]
    field.setFocus()
    field.end(False)
    qtbot.keyClicks(field, " train:x")
    qtbot.waitUntil(window.message.isVisible, timeout=3000)
    assert "List B: grade 9 of the ranking is 'x'" in window.message.text() and "last list that could be read" in window.message.text()
    assert field.text().endswith("train:x")
    qtbot.keyClick(field, Qt.Key.Key_Backspace)
    qtbot.keyClicks(field, "2")
    assert not window.message.isVisible() and window.session.lists[1][-1] == "train"
    assert before != window.session and table(window.measures) != shown_before


def test_a_drag_in_the_other_list_leaves_unreadable_text_alone(window, qtbot):
    field = window.fields["B"]
    type_into(qtbot, field, "2 3 x")
    drag(qtbot, window, "A", 4, 0)
    assert field.text() == "2 3 x" and window.session.lists[0][0] == "bus"
    assert window.message.isVisible()


def test_an_empty_second_field_leaves_one_ranking(window, qtbot):
    field = window.fields["B"]
    field.setFocus()
    field.selectAll()
    qtbot.keyClick(field, Qt.Key.Key_Backspace)
    assert window.session.letters == ("A",) and window.views["B"].model().rowCount() == 0
    assert window.measures.isColumnHidden(4) and not window.tabs.isTabEnabled(1)
    type_into(qtbot, field, "bus:3")
    assert window.session.lists[1] == ("bus",) and not window.measures.isColumnHidden(4)


def test_nothing_typed_is_an_empty_list(window, qtbot):
    type_into(qtbot, window.fields["A"], " ")
    assert window.session.lists[0] == () and measure(window, "AP")[0] == "0.0000"


# grades
def test_grades_by_key_and_by_click_change_both_lists(window, qtbot):
    view = window.views["B"]
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=row_point(window, "B", 3))
    assert window.session.lists[1][view.currentIndex().row()] == "pass"
    qtbot.keyClick(view, Qt.Key.Key_3)
    assert measure(window, "nDCG@5") == ["0.5529", "0.8678", signed_of(window, "nDCG@k")]
    assert window.undo_action.text() == "Undo Grade Student bus pass 3"
    qtbot.keyClick(view, Qt.Key.Key_Question)
    assert window.session == Session.of(rides)
    chips = view.itemDelegate().chips(view.visualRect(view.currentIndex()), view.model().rows[3], True)
    place = next(rect for rect, grade in chips if grade == 2).center().toPoint()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window.session.grades["pass"] == 2 and view.currentIndex().row() == 3
    assert "pass:2" in window.fields["B"].text()


def signed_of(window, name: str) -> str:
    return " ".join(signed(window.session.report()[name].difference))


def test_a_closed_chip_only_opens(window, qtbot):
    view = window.views["A"]
    rect, grade = view.itemDelegate().chips(view.visualRect(view.model().index(2)), view.model().rows[2], False)[0]
    qtbot.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=rect.center().toPoint())
    qtbot.mouseMove(view.viewport(), pos=rect.center().toPoint() + QPoint(0, 60))
    qtbot.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=rect.center().toPoint() + QPoint(0, 60))
    assert grade == 0 and window.session == Session.of(rides), "a drag never starts on the grade"
    assert view.currentIndex().row() == 2


# moving
def test_a_drag_moves_live_and_is_one_step(window, qtbot):
    drag(qtbot, window, "A", 4, 0, release=False)
    assert window.views["A"].lifted == "bus" and window.session == Session.of(rides), "a preview changes nothing"
    assert measure(window, "nDCG@5")[:2] == ["0.7358", "0.7803"] and measure(window, "AP")[2] == "▲ +0.0357"
    assert window.measures.model().headerData(4, Qt.Orientation.Horizontal) == "A since drag"
    qtbot.mouseRelease(window.views["A"].viewport(), Qt.MouseButton.LeftButton, pos=row_point(window, "A", 0))
    assert window.history.count() == 1 and window.undo_action.text() == "Undo Move Sajha bus 4, Rs 25 to rank 1 of A"
    assert window.fields["A"].text().startswith("bus:3 bike:2") and measure(window, "nDCG@5")[2] == "▲ +0.0445"
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.session == Session.of(rides) and measure(window, "nDCG@5")[0] == "0.6077"
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert window.session.lists[0][0] == "bus"


def test_escape_gives_a_drag_up(window, qtbot):
    drag(qtbot, window, "A", 4, 0, release=False)
    qtbot.keyClick(window.views["A"], Qt.Key.Key_Escape)
    assert measure(window, "nDCG@5")[0] == "0.6077" and window.views["A"].lifted is None
    qtbot.mouseRelease(window.views["A"].viewport(), Qt.MouseButton.LeftButton, pos=row_point(window, "A", 0))
    assert window.history.count() == 0 and window.session == Session.of(rides)


def test_a_drag_past_the_end_lands_last_and_back_home_is_no_step(window, qtbot):
    view = window.views["B"]
    qtbot.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=row_point(window, "B", 0))
    qtbot.mouseMove(view.viewport(), pos=QPoint(40, 2000))
    qtbot.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(40, 2000))
    assert window.session.lists[1][-1] == "tempo" and window.history.count() == 1
    drag(qtbot, window, "B", 2, 2)
    assert window.history.count() == 1


def test_alt_and_arrow_keys_move_and_the_selection_follows(window, qtbot):
    view = window.views["A"]
    view.setFocus()
    view.setCurrentIndex(view.model().index(1))
    qtbot.keyClick(view, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert window.session.lists[0][0] == "tempo" and view.currentIndex().row() == 0
    qtbot.keyClick(view, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert window.history.count() == 1, "no wrap at the ends"
    qtbot.keyClick(view, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert window.session == Session.of(rides) and view.currentIndex().row() == 1


def test_delete_takes_out_and_the_document_counts_as_not_retrieved(window, qtbot):
    view = window.views["A"]
    view.setFocus()
    view.setCurrentIndex(view.model().index(7))
    qtbot.keyClick(view, Qt.Key.Key_Delete)
    assert "parking" not in window.session.lists[0] and window.session.grades["parking"] == 0
    assert window.counts["A"].text() == "7 documents"


def test_insert_adds_and_add_one_counts_as_not_retrieved(window, qtbot):
    view = window.views["A"]
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Insert)
    assert window.session.lists[0][-1] == "d1" and window.counts["A"].text() == "9 documents"
    window.open_example(news)
    qtbot.mouseClick(window.add_lost, Qt.MouseButton.LeftButton)
    assert measure(window, "AP")[0] == "0.5556" and "d1 (grade 1)" in window.tray.accessibleName()


def test_a_ranking_can_be_pasted(window, qtbot):
    QGuiApplication.clipboard().setText("bus:3\nbike:2\npass:?\n")
    window.views["B"].setFocus()
    qtbot.keyClick(window.views["B"], Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(window.dialog, Qt.Key.Key_Return)
    assert window.session.lists[1] == ("bus", "bike", "pass") and window.fields["B"].text() == "bus:3 bike:2 pass:?"
    assert window.undo_action.text() == "Undo Paste 3 documents into B"


def test_selection_and_hover_light_the_document_everywhere(window, qtbot):
    view = window.views["A"]
    view.setFocus()
    view.setCurrentIndex(view.model().index(4))
    assert window.views["B"].lit == window.gutter.lit == window.page(StepsPage).table.lit == "bus"
    assert window.side == "A"
    qtbot.mouseMove(window.views["B"].viewport(), pos=row_point(window, "B", 0))
    assert view.lit == "tempo"


def test_the_only_row_is_dragged_over_the_tray_and_back(window, qtbot):
    window.type("B", "bus:3")
    before, port = window.session, window.views["B"].viewport()
    start = row_point(window, "B", 0)
    qtbot.mousePress(port, Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(port, pos=start + QPoint(0, 10))
    qtbot.mouseMove(port, pos=port.mapFromGlobal(window.tray.mapToGlobal(window.tray.rect().center())))
    assert window.views["B"].model().rowCount() == 0, "as if it were out"
    qtbot.mouseMove(port, pos=start + QPoint(0, 40))
    assert window.views["B"].model().rowCount() == 1
    qtbot.mouseRelease(port, Qt.MouseButton.LeftButton, pos=start)
    assert window.session == before


def test_undo_in_the_middle_of_a_drag_lets_go(window, qtbot):
    """The rank of the row in the air is one of a session that is gone."""
    window.type("B", "bus:3 bike:2")
    window.undo_action.trigger()
    drag(qtbot, window, "B", 7, 0, release=False)
    window.redo_action.trigger()
    after = window.session
    qtbot.mouseMove(window.views["B"].viewport(), pos=row_point(window, "B", 1))
    qtbot.mouseRelease(window.views["B"].viewport(), Qt.MouseButton.LeftButton, pos=row_point(window, "B", 1))
    assert window.session == after and after.lists[1] == ("bus", "bike") and window.views["B"].lifted is None
    drag(qtbot, window, "A", 4, 0, release=False)
    qtbot.keyClick(window.views["A"], Qt.Key.Key_Delete)
    assert window.session == after and window.views["A"].lifted == "bus", "no key but Esc reaches a row in the air"
    qtbot.keyClick(window.views["A"], Qt.Key.Key_Escape)
    assert window.session == after and window.views["A"].lifted is None


# why, conventions, examples, copies
def test_why_lists_the_effects_and_their_sum(window, qtbot):
    window.tabs.setCurrentIndex(1)
    lines = table(window.page(WhyPage).table)
    assert lines[0][:2] == ["A", "bm25"] and lines[-1][5] == "0.7803"
    assert [(line[1], line[2], line[5]) for line in lines[1:3]] == [("Shared tempo, Rs 20", "2 → 1", "+0.1487"), ("Carpool to Thapathali, Rs 140", "7 → 5", "+0.0668")]
    assert window.page(WhyPage).words.text().startswith("0.6077 + 0.1487 + 0.0668 − 0.0637 + 0.0456 − 0.0248 = 0.7803.")
    links = {link.doc: round(link.effect, 4) for link in window.gutter.links}
    assert links["tempo"] == 0.1487 and links["pass"] == 0 and len(links) == 9
    assert not window.side_buttons["A"].isVisible()


def test_identical_lists_say_so(window, qtbot):
    window.tabs.setCurrentIndex(1)
    type_into(qtbot, window.fields["B"], window.fields["A"].text())
    assert window.page(WhyPage).words.text() == "Every document earns the same in both lists." and measure(window, "AP")[2] == "="


@pytest.mark.parametrize("name, value, text", [("gain", "linear", "0.6831"), ("ideal", "uncut", "0.5845"), ("k", None, "0.6399")])
def test_conventions_change_value_name_and_status(window, name, value, text):
    pill = window.pills[name]
    next(action for action in pill.menu().actions() if action.data() == value).trigger()
    assert window.values["A"].text() == text and getattr(window.session, name) == value
    assert window.undo_action.text() == f"Undo Set {name}"
    window.undo_action.trigger()
    assert window.values["A"].text() == "0.6077"


def test_a_difference_with_an_undefined_value_is_none(window):
    window.type("B", "0 0")
    window.pick("AUC")
    window.tabs.setCurrentIndex(1)
    page = window.page(WhyPage)
    assert page.words.text().startswith("B: undefined: ") and page.table.model().rowCount() == 0 and measure(window, "AUC")[1] == "undefined"
    assert window.exporting.page_table() is None


def test_a_convention_changes_the_value_its_name_and_its_steps_together(window):
    """By hand: the first five of A have the grades 2 3 0 1 3; the best order of all judged documents starts with 3 3 3 2 2."""
    window.take_side("A")
    next(action for action in window.pills["gain"].menu().actions() if action.data() == "linear").trigger()
    dcg, best = (sum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades, 1)) for grades in ((2, 3, 0, 1, 3), (3, 3, 3, 2, 2)))
    line = next(line for line in table(window.measures) if line[0].startswith("nDCG@5"))
    assert line[0] == "nDCG@5 gain linear" and line[2] == f"{dcg / best:.4f}"
    words = window.page(StepsPage).equation.words()
    assert "2/log₂ 2 + 3/log₂ 3" in words and words.endswith(f"{dcg / best:.4f}") and "gain linear" not in table(window.measures)[0][0]


def test_a_document_typed_twice_is_named_and_changes_nothing(window, qtbot):
    type_into(qtbot, window.fields["B"], "bus:3 bike:2")
    before = window.session
    qtbot.keyClicks(window.fields["B"], " bus:2")
    qtbot.waitUntil(window.message.isVisible, timeout=3000)
    assert "List B" in window.message.text() and "bus" in window.message.text() and window.session.lists[1].count("bus") == 1
    assert window.session.grades["bus"] == 3 and window.session.lists[0] == before.lists[0]


def test_every_example_opens_and_can_be_undone(window, qtbot):
    drag(qtbot, window, "A", 4, 0)
    for example, action in zip(EXAMPLES, window.example_actions, strict=True):
        action.trigger()
        assert window.title.text() == example.name and window.undo_action.text() == f"Undo Open {example.name}" and not window.isWindowModified()
        first = Session.of(example).report().rows[2]
        assert measure(window, "AP")[0] == shown(first.values[0])
    window.open_example(swap)
    assert measure(window, "AP")[2] == "=" and measure(window, "nDCG@5")[2] == "▲ +0.1572"
    window.open_example(news)
    window.pick("AP")
    assert window.page(StepsPage).equation.words() == "AP = (1/1 + 2/3) / 2 = 0.8333"


def test_copies(window):
    window.copy_values()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0] == "measure\tA\tB\tB - A" and "nDCG@5\t0.6077\t0.7803\t+0.1726" in lines
    window.copy_actions[2].trigger()
    assert QGuiApplication.clipboard().text().startswith("| rank |")


def test_the_window_knows_whether_something_changed(window, qtbot):
    assert not window.isWindowModified()
    drag(qtbot, window, "A", 4, 0)
    assert window.isWindowModified()
    window.undo_action.trigger()
    assert not window.isWindowModified()


# odd sessions
@pytest.mark.parametrize("text", ["0", "?", "0 0 ?", "1", "3 -1 0.5 2000", "R N R N", " ".join(["1 0"] * 60)])
def test_odd_rankings_show_words_and_no_exception(window, qtbot, text):
    for letter in "AB":
        window.fields[letter].setText(text)
        window.type(letter, text)
    for name in SHOWN:
        window.pick(name)
        for page in (0, 1):
            window.tabs.setCurrentIndex(page)
            window.grab()
    assert window.session.lists[0] == tuple(f"a{rank}" for rank in range(1, len(Ranking.of(text)) + 1))
    shown_values = [line[2] for line in table(window.measures)]
    assert "nan" not in shown_values


def test_a_thousand_rows(window, qtbot):
    window.type("A", " ".join(["1 2 ? 0"] * 250))
    window.pick("AP")
    assert measure(window, "AP")[0] == shown(Session.of(" ".join(["1 2 ? 0"] * 250)).report()["AP"].values[0])
    window.views["A"].setCurrentIndex(window.views["A"].model().index(999))
    qtbot.keyClick(window.views["A"], Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert window.session.lists[0][998] == "a1000"
    window.grab()


def test_a_value_that_cannot_be_had_is_said_in_words(window):
    window.type("A", "2000:1")
    window.type("A", "x:2000 y:1")
    window.pick("nDCG@k")
    assert "overflows" in window.page(StepsPage).notes.text() and measure(window, "nDCG@5")[0] == "–"
    window.type("A", "0 0")
    window.pick("AUC")
    window.take_side("A")
    assert measure(window, "AUC")[0] == "undefined" and "undefined" in window.page(StepsPage).notes.text()


def test_models_keep_qt_s_rules(window, qtbot):
    modes = QAbstractItemModelTester.FailureReportingMode.Fatal
    testers = [QAbstractItemModelTester(view.model(), modes) for view in (*window.views.values(), window.measures, window.page(StepsPage).table, window.page(WhyPage).table)]
    assert all(isinstance(tester.model(), QAbstractItemModel) for tester in testers)
    drag(qtbot, window, "A", 4, 0)
    window.type("B", "bus:3 new:1")
    window.pick("AP")
    window.undo_action.trigger()


# reach and size
def test_tab_reaches_every_control(window, qtbot):
    window.views["A"].setFocus()
    seen = []
    for _ in range(40):
        seen.append(QApplication.focusWidget())
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    controls = [*window.fields.values(), *window.views.values(), window.measures, window.page(StepsPage).table, window.tabs, *window.pills.values(), window.examples_button, window.copy_button]
    assert [widget for widget in controls if widget not in seen] == []
    assert any(button in seen for button in window.side_buttons.values())
    window.take_side("B")
    window.side_buttons["B"].setFocus()
    qtbot.keyClick(window.side_buttons["B"], Qt.Key.Key_Left)
    assert window.side == "A", "the arrow keys reach the other side"


@pytest.mark.parametrize("size", [(1100, 720), (1280, 800), (1600, 1000)])
@pytest.mark.parametrize("example", [rides, news])
def test_no_text_is_clipped(window, qtbot, size, example):
    window.open_example(example)
    window.resize(*size)
    qtbot.wait(20)
    for widget in window.findChildren(QWidget):
        if not widget.isVisible() or not isinstance(widget, QLabel | QToolButton) or not widget.text():
            continue
        needed = widget.heightForWidth(widget.width()) if isinstance(widget, QLabel) and widget.wordWrap() else widget.sizeHint().height()
        wide = isinstance(widget, QLabel) and widget.wordWrap()
        assert widget.height() >= needed and (wide or widget.width() >= widget.sizeHint().width()), f"{widget.text()!r} is clipped at {size}"
        place = widget.mapTo(window, QPoint(0, 0))
        assert place.x() >= 0 and place.x() + widget.width() <= window.width() and place.y() + widget.height() <= window.height()
    for view in (*window.views.values(), window.measures, window.page(StepsPage).table):
        assert not view.verticalScrollBar().isVisible(), f"{view.accessibleName()} scrolls at {size}"
    for view in (window.measures, window.page(StepsPage).table):
        assert sum(view.columnWidth(column) for column in range(view.model().columnCount())) <= view.viewport().width()
    assert window.page(StepsPage).equation.height() >= window.page(StepsPage).equation.heightForWidth(window.page(StepsPage).equation.width())


def test_rows_of_both_lists_and_the_gutter_stand_at_one_height(window):
    for row in range(8):
        heights = {round(window.gutter.height_of(view, row)) for view in window.views.values()}
        assert len(heights) == 1


# start
def test_importing_the_window_loads_nothing_heavy():
    code = "import sys, rankmetrics_gui.main_window; print(*{'matplotlib', 'pandas', 'ipywidgets', 'IPython', 'polars', 'typer', 'rich'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_without_pyside_one_line_says_what_to_install():
    code = "import sys; sys.modules['PySide6'] = None; from rankmetrics_gui.app import main; sys.exit(main())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.strip().splitlines() == ['rankmetrics-gui needs PySide6: pip install "rankmetrics_nb[gui]"']


def test_main_opens_the_window(qtbot, monkeypatch):
    from rankmetrics_gui import app

    opened = []
    monkeypatch.setattr(QApplication, "exec", lambda *_: opened.extend(widget for widget in QApplication.topLevelWidgets() if isinstance(widget, MainWindow) and widget.isVisible()) or 0)
    assert app.main([]) == 0 and len(opened) == 1
    opened[0].close()


def test_cells_need_no_window():
    body, keys = cells.steps_cells(Session.of(rides), Session.of(rides).steps("AP", "A"), "A")
    assert keys[:3] == ("bike", "tempo", "Thamel") and body[0][5].text == "0.1429"


# the tray
def ndcg5(*grades: int) -> str:
    """nDCG@5 by hand, of the first example: its ideal five are 3 3 3 2 2."""
    def dcg(five):
        return sum((2**grade - 1) / math.log2(at + 2) for at, grade in enumerate(five))

    return f"{dcg(grades) / dcg((3, 3, 3, 2, 2)):.4f}"


def chip(window, doc: str):
    return next(chip for chip in window.tray.chips if chip.doc == doc and chip.isVisible())


def carry(qtbot, window, doc: str, letter: str, row: int):
    """Drag a chip of the tray over a row; it is not let go."""
    lifted = chip(window, doc)
    qtbot.mousePress(lifted, Qt.MouseButton.LeftButton, pos=QPoint(30, 10))
    there = lifted.mapFromGlobal(window.views[letter].viewport().mapToGlobal(row_point(window, letter, row)))
    for at in (QPoint(30, 4), QPoint(30, -6), there):
        qtbot.mouseMove(lifted, pos=at)
    return lifted, there


def test_a_document_is_dragged_from_the_tray_into_a_list(window, qtbot):
    start = window.session
    lifted, there = carry(qtbot, window, "minibus", "A", 0)
    assert measure(window, "nDCG@5")[0] == ndcg5(3, 2, 3, 0, 1), "the numbers follow the mouse"
    assert window.history.count() == 0 and window.views["A"].lifted == "minibus" and lifted.isVisible()
    qtbot.mouseRelease(lifted, Qt.MouseButton.LeftButton, pos=there)
    assert window.session.lists[0][:3] == ("minibus", "bike", "tempo") and len(window.session.lists[0]) == 9
    assert measure(window, "nDCG@5")[0] == ndcg5(3, 2, 3, 0, 1) and window.views["A"].lifted is None
    assert window.history.count() == 1 and window.history.undoText() == "Put Electric minibus, Rs 30 into A at rank 1"
    assert [item[0] for item in window.tray.items] == ["e-bike"] and "minibus" not in window.tray.accessibleName()
    window.undo_action.trigger()
    assert window.session == start and [item[0] for item in window.tray.items] == ["minibus", "e-bike"]


def test_a_drag_from_the_tray_goes_past_the_last_row_and_can_be_given_up(window, qtbot):
    start, before = window.session, table(window.measures)
    lifted, there = carry(qtbot, window, "minibus", "B", 2)
    assert measure(window, "nDCG@5")[1] == ndcg5(3, 2, 3, 3, 0)
    qtbot.keyClick(lifted, Qt.Key.Key_Escape)
    qtbot.mouseRelease(lifted, Qt.MouseButton.LeftButton, pos=there)
    assert window.session == start and table(window.measures) == before and window.history.count() == 0
    lifted, there = carry(qtbot, window, "minibus", "B", 7)
    qtbot.mouseMove(lifted, pos=QPoint(30, 10))
    assert table(window.measures) == before, "over no list: as it was"
    qtbot.mouseRelease(lifted, Qt.MouseButton.LeftButton, pos=QPoint(30, 10))
    assert window.session == start
    lifted, there = carry(qtbot, window, "minibus", "B", 7)
    there += QPoint(0, 8)
    qtbot.mouseMove(lifted, pos=there)
    qtbot.mouseRelease(lifted, Qt.MouseButton.LeftButton, pos=there)
    assert window.session.lists[1][-1] == "minibus" and window.history.count() == 1


def test_a_row_is_dragged_out_of_its_list(window, qtbot):
    start, port = window.session, window.views["B"].viewport()
    over = port.mapFromGlobal(window.tray.mapToGlobal(window.tray.rect().center()))
    qtbot.mousePress(port, Qt.MouseButton.LeftButton, pos=row_point(window, "B", 0))
    qtbot.mouseMove(port, pos=row_point(window, "B", 1))
    qtbot.mouseMove(port, pos=over)
    assert measure(window, "nDCG@5")[1] == ndcg5(2, 3, 0, 2, 1) and window.history.count() == 0
    qtbot.keyClick(window.views["B"], Qt.Key.Key_Escape)
    qtbot.mouseRelease(port, Qt.MouseButton.LeftButton, pos=over)
    assert window.session == start and measure(window, "nDCG@5")[1] == "0.7803"
    for letter, row in (("B", 0), ("A", 1)):
        port = window.views[letter].viewport()
        over = port.mapFromGlobal(window.tray.mapToGlobal(window.tray.rect().center()))
        qtbot.mousePress(port, Qt.MouseButton.LeftButton, pos=row_point(window, letter, row))
        qtbot.mouseMove(port, pos=over - QPoint(0, 60))
        qtbot.mouseMove(port, pos=over)
        qtbot.mouseRelease(port, Qt.MouseButton.LeftButton, pos=over)
    assert window.history.count() == 2 and window.history.undoText() == "Take Shared tempo, Rs 20 out of A"
    assert measure(window, "nDCG@5")[:2] == [ndcg5(2, 0, 1, 3, 0), ndcg5(2, 3, 0, 2, 1)]
    assert "Shared tempo, Rs 20 (grade 3)" in window.tray.accessibleName()
    window.undo_action.trigger()
    window.undo_action.trigger()
    assert window.session == start


@pytest.mark.parametrize("key, modifier, letter", [("Return", "NoModifier", "B"), ("Up", "AltModifier", "B"), ("A", "NoModifier", "A"), ("B", "NoModifier", "B")])
def test_a_key_puts_a_document_of_the_tray_into_a_list(window, qtbot, key, modifier, letter):
    lost = chip(window, "e-bike")
    lost.setFocus()
    qtbot.keyClick(lost, getattr(Qt.Key, f"Key_{key}"), getattr(Qt.KeyboardModifier, modifier))
    assert window.session.lists["AB".index(letter)][-1] == "e-bike" and window.history.count() == 1
    view = window.views[letter]
    assert view.hasFocus() and view.currentIndex().row() == 8, "Alt and an arrow key move it on"
    qtbot.keyClick(view, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert window.session.lists["AB".index(letter)][-2] == "e-bike"


def test_documents_that_do_not_fit_into_the_tray_are_in_its_menu(window, qtbot):
    window.change(Session.of("d1:1", "d1:1").paste("A", "d1:1 " + " ".join(f"long-name-of-a-document-{at}:2" for at in range(30))), "many")
    for row in range(30, 0, -1):
        window.remove("A", row)
    seen, rest = [chip for chip in window.tray.chips if chip.isVisible()], window.tray.more.menu().actions()
    assert len(window.tray.items) == 30 == len(seen) + len(rest) and window.tray.more.text() == f"and {len(rest)} more"
    assert window.tray.more.geometry().right() <= window.tray.width()
    rest[-1].trigger()
    assert window.session.lists[1] == ("d1", window.session.lists[1][-1]) and window.session.lists[1][-1].startswith("long-name") and len(window.tray.items) == 29


def test_a_drag_says_how_it_is_given_up(window, qtbot):
    before = window.note.text()
    drag(qtbot, window, "B", 4, 1, release=False)
    assert window.note.text() == "Outline: B before the drag. <b>Esc</b> puts it back."
    qtbot.keyClick(window.views["B"], Qt.Key.Key_Escape)
    assert window.note.text() == before and "unjudged" in before


# keyboard
def test_tab_reaches_every_part_of_the_window_and_each_has_a_name(window, qtbot):
    """Round with Tab: no widget twice, no way out of the circle, none without a name."""
    window.measures.setFocus()
    seen = []
    while (now := QApplication.focusWidget()) not in seen:
        seen.append(now)
        assert QAccessible.queryAccessibleInterface(now).text(QAccessible.Text.Name).strip(), f"{now} has no name"
        qtbot.keyClick(now, Qt.Key.Key_Tab)
    expected = {widget for widget in window.findChildren(QWidget) if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible() and widget.isEnabled() and widget.focusProxy() is None}
    assert expected <= set(seen), [f"{widget} {widget.accessibleName()}" for widget in expected - set(seen)]


# signs
def test_signs_are_drawn_in_the_ink_of_the_theme_and_a_button_without_words_keeps_its_name(window):
    buttons = {name: button for button, name in window._signs.items()}
    assert set(buttons) == {"examples", "open", "paste", "undo", "redo", "view", "copy", "export", "help"}
    inks = {}
    for theme in ("light", "dark"):
        window.viewing.use(theme)
        for name, button in buttons.items():
            image = button.icon().pixmap(button.iconSize()).toImage()
            colours = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height()) if image.pixelColor(x, y).alpha() > 100]
            assert colours, name
            inks[theme, name] = sum(colour.lightness() for colour in colours) / len(colours)
    assert all(inks["light", name] + 60 < inks["dark", name] for name in ("examples", "open", "paste", "copy", "export", "view", "help")), inks
    window.viewing.use("light")
    help_button = buttons["help"]
    assert help_button.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonIconOnly and help_button.text() == help_button.toolTip() == "Help"


def test_open_chips_leave_room_for_the_title_and_the_others_are_in_a_menu(window, qtbot):
    window.viewing.zoom_to(1.5)
    view = window.views["A"]
    view.setFocus()
    view.setCurrentIndex(view.model().index(0))
    place = view.itemDelegate().place
    qtbot.waitUntil(lambda: place(view.visualRect(view.model().index(0)))[1].width() < look.px(160))
    row, rect = view.model().rows[0], view.visualRect(view.model().index(0))
    chips = view.itemDelegate().chips(rect, row, True)
    assert [grade for _, grade in chips] == [2] and chips[0][0].x() - place(rect)[1].x() > 48
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=chips[0][0].center().toPoint())
    menu = QApplication.activePopupWidget()
    assert [action.text() for action in menu.actions()] == ["0", "1", "2", "3", "?"] and window.session.grades["bike"] == 2
    menu.actions()[3].trigger()
    menu.close()
    assert window.session.grades["bike"] == 3 and window.history.count() == 1
    window.viewing.zoom_to(1.0)
