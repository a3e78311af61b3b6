"""What the window keeps and how it looks: autosave, files, settings, themes, zoom, first start, help, translation."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import needs
import pytest

needs.qt()

from PySide6.QtCore import QLocale, QPoint, Qt, QTranslator  # noqa: E402
from PySide6.QtGui import QColor  # noqa: E402
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QLineEdit, QMenu, QScrollArea, QTabBar, QTableView, QToolButton, QWidget  # noqa: E402
from rankmetrics_gui import app, helping, keeping, translating, viewing  # noqa: E402
from rankmetrics_gui import palette as look  # noqa: E402
from rankmetrics_gui.controls import SideButton  # noqa: E402
from rankmetrics_gui.formulas import FormulaView  # noqa: E402
from rankmetrics_gui.main_window import MainWindow, dress  # noqa: E402

from rankmetrics_nb.examples import EXAMPLES, news, rides  # noqa: E402
from rankmetrics_nb.measures.catalogue import MEASURES  # noqa: E402
from rankmetrics_nb.session import Session, from_json, to_json  # noqa: E402


@pytest.fixture
def home(tmp_path, monkeypatch):
    """The folder that the program keeps things in."""
    monkeypatch.setenv(keeping.HOME, str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def plain():
    """The look at the start of every test, and after it."""
    look.use("light")
    look.enlarge(1.0)
    dress(QApplication.instance())
    yield
    look.use("light")
    look.enlarge(1.0)
    dress(QApplication.instance())


@pytest.fixture
def open_window(qtbot, home, plain):
    """Starts the program's window with files, as a person would."""

    def start(*paths):
        window = app.start([*map(str, paths)])
        qtbot.addWidget(window)
        window.show()
        qtbot.waitExposed(window)
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        return window

    return start


@pytest.fixture
def window(open_window):
    window = open_window()
    window.open_example(rides)
    return window


def until_kept(qtbot, window) -> None:
    qtbot.waitUntil(lambda: not window.keeping.timer.isActive(), timeout=3000)


# every moment
def test_a_closed_window_comes_back_as_it_was(open_window, qtbot):
    window = open_window()
    window.open_example(rides)
    window.move("A", 4, 0)
    window.pick("AP")
    window.resize(1180, 730)
    window.close()
    again = open_window()
    assert again.session == window.session and again.picked == "AP" and again.values["A"].text() == window.values["A"].text()
    assert again.isWindowModified() and again.height() == window.height() and again.history.count() == 0
    assert not again.undo_action.isEnabled()


def test_a_change_is_on_disk_soon_and_only_as_a_whole(window, qtbot, home):
    window.move("A", 4, 0)
    until_kept(qtbot, window)
    kept = json.loads((home / "autosave-1.json").read_text())
    assert kept["session"]["lists"][0][0] == "bus" and kept["changed"] is True
    assert sorted(path.name for path in home.iterdir()) == ["autosave-1.json", "autosave-1.json.lock", "settings.ini"]
    assert window.saved_words.text().startswith("Kept ")


CHILD = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from rankmetrics_gui import app
from rankmetrics_gui.main_window import dress
from rankmetrics_nb.examples import rides
application = QApplication(sys.argv[:1])
dress(application)
window = app.start()
window.show()
window.open_example(rides)
window.move("A", 4, 0)
window.grade("pass", 3)
window.keeping.timer.timeout.connect(lambda: print("kept", flush=True))
application.exec()
"""


def test_after_kill_9_everything_is_back(open_window, home):
    child = subprocess.Popen([sys.executable, "-c", CHILD], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "kept\n"
    os.kill(child.pid, signal.SIGKILL)
    assert child.wait() == -signal.SIGKILL
    window = open_window()
    assert window.session.lists[0][0] == "bus" and window.session.grades["pass"] == 3
    assert window.session == Session.of(rides).move("A", 5, 1).grade("pass", 3)
    assert window.keeping.slot.path.name == "autosave-1.json", "the lock of a dead process is free"


def test_two_windows_keep_two_sessions(open_window, qtbot):
    one = open_window()
    two = open_window()
    one.open_example(rides)
    two.open_example(news)
    one.close()
    two.close()
    assert open_window().session == Session.of(rides)
    assert open_window().session == Session.of(news)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": "rankmetrics autosave"}', '{"format": "rankmetrics autosave", "session": {"format": "rankmetrics session", "version": 1, "lists": 7}}'])
def test_a_broken_autosave_stops_nothing(open_window, home, text):
    home.mkdir()
    (home / "autosave-1.json").write_text(text)
    window = open_window()
    assert window.session.lists and (("'lists'" in window.message.text()) == ("lists" in text))


def test_a_folder_that_cannot_be_written_is_said(window, qtbot, home, monkeypatch):
    monkeypatch.setattr(keeping, "write", lambda path, text: (_ for _ in ()).throw(OSError("the disk is full")))
    window.move("A", 4, 0)
    qtbot.waitUntil(window.message.isVisible, timeout=3000)
    assert "the disk is full" in window.message.text() and window.session.lists[0][0] == "bus"


def test_nothing_else_of_the_user_is_touched(qtbot, plain, tmp_path, monkeypatch):
    monkeypatch.setenv(keeping.HOME, str(tmp_path / "home"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    window = app.start()
    qtbot.addWidget(window)
    window.viewing.use("dark")
    window.close()
    assert [path.name for path in tmp_path.iterdir()] == ["home"]


def test_a_window_that_was_not_started_writes_nothing(qtbot, home, plain):
    window = MainWindow()
    qtbot.addWidget(window)
    window.move("A", 4, 0)
    window.viewing.zoom_to(1.25)
    window.close()
    assert not home.exists()


# files
def test_saving_opening_and_the_title(window, open_window, tmp_path, monkeypatch):
    path = tmp_path / "my rides"
    window.move("A", 4, 0)
    assert window.windowTitle() == "cheap ride to Thapathali[*] — rankmetrics" and window.isWindowModified()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    window.keeping.save_action.trigger()
    saved = Path(f"{path}.json")
    assert from_json(saved.read_text()) == window.session and not window.isWindowModified()
    assert window.windowTitle() == "my rides.json[*] — rankmetrics"
    window.grade("taxi", 3)
    assert window.isWindowModified()
    window.keeping.save_action.trigger()
    assert from_json(saved.read_text()).grades["taxi"] == 3 and not window.isWindowModified()
    window.close()
    again = open_window(saved)
    assert again.session.grades["taxi"] == 3 and again.windowTitle() == "my rides.json[*] — rankmetrics" and not again.isWindowModified()


def test_a_dialog_that_is_cancelled_changes_nothing(window, tmp_path, monkeypatch):
    before = window.session
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("", ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([], ""))
    window.keeping.save_action.trigger()
    window.keeping.save_as_action.trigger()
    window.keeping.open_action.trigger()
    assert window.session == before and window.path == "" and not [path for path in tmp_path.rglob("*.json") if "autosave" not in path.name]


def broken(**changes) -> str:
    return json.dumps({**json.loads(to_json(Session.of(rides))), **changes})


@pytest.mark.parametrize("text, said", [
    (broken(grades={"bus": "three"}), "field 'grades' must be"),
    (broken(lists=[["bus", "bus"]]), "field 'lists' must be"),
    (broken(version=99), "field 'version' must be 1, got 99"),
    (broken(gain="cubic"), "gain"),
    (to_json(Session.of(rides))[:400], "this is not JSON"),
])
def test_a_broken_file_is_named_by_its_field_and_the_old_session_stays(window, tmp_path, text, said):
    before = window.session
    path = tmp_path / "broken.json"
    path.write_text(text)
    keeping.open_paths(window, [str(path)])
    assert said in window.message.text() and "broken.json" in window.message.text() and window.message.isVisible()
    assert window.session == before and window.path == ""
    window.move("A", 4, 0)
    assert not window.message.isVisible(), "the message leaves with the next change"


def test_opening_is_undone_with_its_title(window, tmp_path):
    path = tmp_path / "other.json"
    path.write_text(to_json(Session.of(news)))
    window.move("A", 4, 0)
    keeping.open_paths(window, [str(path)])
    assert window.session == Session.of(news) and window.undo_action.text() == "Undo Open other.json"
    window.undo_action.trigger()
    assert window.session.lists[0][0] == "bus" and window.path == "" and window.windowTitle().startswith("cheap ride")
    window.redo_action.trigger()
    assert window.session == Session.of(news) and window.path == str(path)


def test_recent_files_are_newest_first_and_survive(window, open_window, tmp_path):
    paths = [tmp_path / f"{name}.json" for name in "abc"]
    for path in paths:
        path.write_text(to_json(Session.of(news)))
        keeping.open_paths(window, [str(path)])
    keeping.open_paths(window, [str(paths[0])])
    names = [action.text() for action in window.keeping.recent_menu.actions()]
    assert names[:3] == ["a.json", "c.json", "b.json"] and names[-1] == "Clear this list"
    window.close()
    again = open_window()
    paths[2].unlink()
    next(action for action in again.keeping.recent_menu.actions() if action.text() == "c.json").trigger()
    assert "c.json cannot be read: No such file" in again.message.text()
    assert [action.text() for action in again.keeping.recent_menu.actions()][:2] == ["a.json", "b.json"]
    again.keeping.recent_menu.actions()[-1].trigger()
    assert not again.keeping.recent_menu.isEnabled()


# look
def test_theme_and_zoom_are_kept(window, open_window):
    window.viewing.theme_actions["dark"].trigger()
    window.viewing.larger.trigger()
    window.close()
    look.use("light")
    look.enlarge(1.0)
    again = open_window()
    assert again.viewing.theme == "dark" and look.theme() == "dark" and look.zoom() == 1.1
    assert again.viewing.theme_actions["dark"].isChecked()


def ground(window) -> str:
    """The colour of the window's left edge, in the middle of the lists."""
    return QColor(window.grab().toImage().pixel(4, window.height() // 2)).name().upper()


@pytest.mark.parametrize("theme", ["dark", "contrast", "light"])
def test_a_theme_is_there_at_once(window, theme):
    window.viewing.theme_actions[theme].trigger()
    assert ground(window) == look.THEMES[theme][look.PANEL]
    image = window.gutter.grab().toImage()
    colours = [QColor(code) for code in {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}]
    wanted = QColor(look.THEMES[theme][look.ADDS])
    assert any(max(abs(one.red() - wanted.red()), abs(one.green() - wanted.green()), abs(one.blue() - wanted.blue())) < 12 for one in colours)


def test_the_system_theme_is_followed_until_one_is_chosen(window, monkeypatch):
    monkeypatch.setattr(viewing, "system_theme", lambda: "dark")
    window.viewing.follow_system()
    assert look.theme() == "dark" and window.viewing.theme == "system"
    window.viewing.use("light")
    window.viewing.follow_system()
    assert look.theme() == "light"


@pytest.mark.parametrize("theme", look.THEMES)
def test_text_is_readable_in_every_theme(theme):
    """WCAG 2: text 4.5:1 (7:1 in high contrast) on what it is drawn on, bars and lines 3:1."""
    colours = {name: QColor(code) for name, code in look.THEMES[theme].items()}

    def light(colour: QColor) -> float:
        parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (colour.redF(), colour.greenF(), colour.blueF())]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    def ratio(one: str, other: str) -> float:
        high, low = sorted((light(colours[one]), light(colours[other])), reverse=True)
        return (high + 0.05) / (low + 0.05)

    least = 7 if theme == "contrast" else 4.5
    for name in (look.TEXT, look.SECONDARY, look.FAINT, "value A", "value B", *(f"line {letter}" for letter in "CDEF"), look.ADDS, look.COSTS):
        for surface in (look.PANEL, look.TINT, look.WINDOW):
            assert ratio(name, surface) >= (least if surface == look.PANEL else 4.5), (name, surface)
    for grade in range(4):
        assert ratio(f"on grade {grade}", f"grade {grade}") >= 4.5
    for name in ("fill A", "fill B", look.ADDS, look.COSTS, look.NO_EFFECT):
        assert ratio(name, look.PANEL) >= 3, name


def test_everything_grows(window, qtbot):
    before = sizes(window)
    for _ in range(3):
        qtbot.keyClick(window, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    assert look.zoom() == 1.5
    for (name, small), large in zip(before.items(), sizes(window).values(), strict=True):
        assert 1.4 <= large / small <= 1.6, name
    qtbot.keyClick(window, Qt.Key.Key_0, Qt.KeyboardModifier.ControlModifier)
    assert sizes(window) == before, "back to the same pixels"


def sizes(window) -> dict[str, float]:
    view = window.views["A"]
    chips = view.itemDelegate().chips(view.visualRect(view.model().index(0)), view.model().rows[0], False)
    return {
        "row": view.itemDelegate().height(),
        "chip": chips[0][0].height(),
        "measure": window.measures.verticalHeader().defaultSectionSize(),
        "step": window._pages()[0].table.verticalHeader().defaultSectionSize(),
        "title": window.title.font().pixelSize(),
        "status": window.last_words.font().pixelSize(),
        "button": window.examples_button.font().pixelSize(),
        "field": window.fields["A"].height(),
        "bar": look.px(8),
    }


def test_zoom_ends_at_75_and_250_per_cent(window):
    for _ in range(20):
        window.viewing.larger.trigger()
    assert look.zoom() == 2.5 and not window.viewing.larger.isEnabled()
    for _ in range(20):
        window.viewing.smaller.trigger()
    assert look.zoom() == 0.75 and not window.viewing.smaller.isEnabled()


@pytest.mark.parametrize("zoom", [0.75, 1.25, 1.5, 2.5])
def test_no_label_is_clipped_at_any_zoom(window, qtbot, zoom):
    window.viewing.zoom_to(zoom)
    qtbot.wait(30)
    for widget in window.findChildren(QWidget):
        if widget.isVisible() and isinstance(widget, QLabel | QToolButton) and widget.text() and not (isinstance(widget, QLabel) and widget.wordWrap()):
            if widget.parent() is not window.statusBar():
                assert widget.width() >= widget.sizeHint().width() and widget.height() >= widget.sizeHint().height(), widget.text()
    page = window.findChild(QScrollArea, "frame")
    if zoom <= 1.5:  # nobody scrolls sideways
        qtbot.waitUntil(lambda: page.widget().width() <= page.viewport().width())


# first start
def drag(qtbot, view, row: int, to: int, release: bool = True) -> None:
    port, place = view.viewport(), lambda at: QPoint(60, view.row_centre(at))
    qtbot.mousePress(port, Qt.MouseButton.LeftButton, pos=place(row))
    qtbot.mouseMove(port, pos=place(row) - QPoint(0, 8))
    qtbot.mouseMove(port, pos=place(to))
    if release:
        qtbot.mouseRelease(port, Qt.MouseButton.LeftButton, pos=place(to))


def test_the_first_start_shows_one_ranking_its_calculation_and_a_hint(open_window, qtbot):
    window = open_window()
    first = window.helping.first
    assert window.helping.is_large() and window.windowTitle() == "Textbook: average precision[*] — rankmetrics" and not window.isWindowModified()
    assert first.title.text() == "AP, average precision" and first.counts.text() == "4 documents, 2 relevant"
    assert first.equation.words() == "AP = (1/1 + 2/3) / 2 = 0.8333"
    assert [bar[3] for bar in first.bars.bars] == ["1/1", "1/2", "2/3", "2/4"] and [bar[2] for bar in first.bars.bars] == [True, False, True, False]
    assert first.remark.text() == "One more relevant document that was not retrieved makes it (1/1 + 2/3) / 3 = 0.5556."
    assert first.hint.isVisible() and first.arrow.isVisible() and "Drag row 3 to the top" in first.hint.accessibleName()
    cards = {card.words: card.accessibleName() for card in (first.cards.itemAt(at).widget() for at in range(first.cards.count()))}
    assert cards["P@4"] == "P@4 0.5000" and cards["nDCG@4"] == "nDCG@4 0.9197" and "AP" not in cards


def test_the_hint_leaves_with_the_first_drag_and_never_comes_back(open_window, qtbot):
    window = open_window()
    first = window.helping.first
    drag(qtbot, first.view, 2, 0, release=False)
    assert first.equation.words() == "AP = (1/1 + 2/2) / 2 = 1.0000", "numbers follow the mouse"
    assert window.history.count() == 0
    qtbot.mouseRelease(first.view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(60, first.view.row_centre(0)))
    assert window.history.count() == 1 and not first.hint.isVisible() and not first.arrow.isVisible()
    window.undo_action.trigger()
    assert first.equation.words().endswith("0.8333") and not first.hint.isVisible()
    window.close()
    again = open_window()
    assert again.helping.is_large() and not again.helping.first.hint.isVisible(), "the large view is as it was, without the hint"


def test_a_switch_says_what_is_relevant(open_window, qtbot):
    """N and R on every row, one click each; a third grade brings the grades back."""
    window = open_window()
    first, view = window.helping.first, window.helping.first.view
    assert view.switch

    def click(row: int, grade: int) -> None:
        place = next(rect for rect, its in view.itemDelegate().chips(view.visualRect(view.model().index(row)), view.model().rows[row], False) if its == grade)
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place.center().toPoint())

    click(1, 1)
    assert first.equation.words() == "AP = (1/1 + 2/2 + 3/3) / 3 = 1.0000" and view.currentIndex().row() == 1
    click(0, 0)
    assert first.equation.words() == "AP = (1/2 + 2/3) / 2 = 0.5833" and [bar[0] for bar in first.bars.bars] == ["1 N", "2 R", "3 R", "4 N"]
    click(0, 0)
    assert window.history.count() == 2, "what is so already is no change"
    window.add("A")
    assert view.switch and view.model().rows[4].grade is None, "unjudged: neither N nor R"
    qtbot.keyClick(view, Qt.Key.Key_3)
    assert not view.switch and [grade for _, grade in view.itemDelegate().chips(view.visualRect(view.model().index(0)), view.model().rows[0], True)] == [0, 1, 2, 3, None]


def test_the_tray_of_the_large_view(open_window, qtbot):
    window = open_window()
    first = window.helping.first
    qtbot.mouseClick(first.add_lost, Qt.MouseButton.LeftButton)
    assert first.equation.words() == "AP = (1/1 + 2/3) / 3 = 0.5556"
    qtbot.keyClick(first.tray.chips[0], Qt.Key.Key_Return)
    assert first.equation.words() == "AP = (1/1 + 2/3 + 3/5) / 3 = 0.7556" and first.view.hasFocus() and first.view.currentIndex().row() == 4
    qtbot.keyClick(first.view, Qt.Key.Key_Delete)
    assert first.equation.words().endswith("0.5556") and [item[2] for item in first.tray.items] == [1]


def test_the_hint_can_be_closed(open_window, qtbot):
    window = open_window()
    qtbot.mouseClick(window.helping.first.hint.close_button, Qt.MouseButton.LeftButton)
    assert not window.helping.first.hint.isVisible() and window.history.count() == 0


def test_a_hint_that_was_not_followed_is_there_again(open_window):
    open_window().close()
    assert open_window().helping.first.hint.isVisible()


def test_the_large_view_is_left_for_two_rankings(open_window, qtbot):
    window = open_window()
    qtbot.mouseClick(window.helping.first.compare, Qt.MouseButton.LeftButton)
    assert not window.helping.is_large() and window.fields["B"].hasFocus()
    qtbot.keyClick(window, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    assert window.helping.is_large() and window.helping.large_action.isChecked()
    window.open_example(rides)
    assert not window.helping.is_large() and not window.helping.large_action.isEnabled()
    window.undo_action.trigger()
    assert window.helping.large_action.isEnabled()


def test_cards_pick_a_measure_and_words_stand_for_values_that_are_not_there(open_window, qtbot):
    window = open_window()
    first = window.helping.first
    card = next(card for card in (first.cards.itemAt(at).widget() for at in range(first.cards.count())) if card.words == "RR")
    qtbot.mouseClick(card, Qt.MouseButton.LeftButton)
    assert window.picked == "RR" and first.title.text().startswith("RR, ") and first.caption.text() == "What each rank adds."
    window.type("A", "0 0")
    window.pick("AUC")
    assert first.equation.words() == "AUC = undefined" and not first.bars.isVisible() and "undefined" in first.remark.text()
    window.type("A", "x:2000 y:1")
    window.pick("nDCG@k")
    assert first.equation.words().endswith("no value") and "overflows" in first.remark.text()


# help, names, keys
def test_help_lists_the_keys_and_every_formula(window, qtbot):
    window.helping.keys_action.trigger()
    assert "Alt+↑, Alt+↓" in window.helping.dialog.keys.toPlainText() and window.helping.dialog.tabs.currentIndex() == 0
    window.helping.formulas_action.trigger()
    dialog = window.helping.dialog
    assert dialog.tabs.currentIndex() == 1
    words = " ".join(each.text() for each in dialog.findChildren(QLabel))
    drawn = [each.measure for each in dialog.findChildren(FormulaView)]
    assert drawn == list(MEASURES)
    for measure in MEASURES:
        assert f"{measure.name}: {measure.title}" in words and measure.question in words
    window.helping.dialog.close()


def test_every_key_of_the_list_works(window):
    """What Help says is what the actions do."""
    said = " ".join(key for _, rows in helping.keys(window) for key, _ in rows)
    for action in window.actions():
        for key in action.shortcuts():
            assert key.toString() in said, f"{action.text()} has a key that Help does not list"
    used = [key.toString() for action in window.actions() for key in action.shortcuts()]
    assert len(used) == len(set(used)), "no key is given twice"


def test_f2_renames_and_undo_brings_the_title_back(window, qtbot):
    view = window.views["A"]
    view.setFocus()
    view.setCurrentIndex(view.model().index(4))
    qtbot.keyClick(view, Qt.Key.Key_F2)
    field = view.findChild(QLineEdit)
    assert field.text() == "Sajha bus 4, Rs 25" and field.hasFocus()
    qtbot.keyClicks(field, "Bus 4")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert window.session.title("bus") == "Bus 4" and view.hasFocus() and window.undo_action.text() == "Undo Rename Sajha bus 4, Rs 25 to Bus 4"
    assert window.views["B"].model().rows[2].title == "Bus 4"
    window.undo_action.trigger()
    assert window.session == Session.of(rides)
    qtbot.waitUntil(lambda: view.findChild(QLineEdit) is None)
    qtbot.keyClick(view, Qt.Key.Key_F2)
    qtbot.keyClicks(view.findChild(QLineEdit), "x")
    qtbot.keyClick(view.findChild(QLineEdit), Qt.Key.Key_Escape)
    assert window.session == Session.of(rides) and view.hasFocus()
    window.rename("bus", "")
    assert window.session.title("bus") == "bus"


VERBS = {
    "Move Sajha bus 4, Rs 25 to rank 1 of A": lambda window: window.move("A", 4, 0),
    "Grade Student bus pass 3": lambda window: window.grade("pass", 3),
    "Take the grade of Sajha bus 4, Rs 25 away": lambda window: window.grade("bus", None),
    "Take Thapathali parking rates out of A": lambda window: window.remove("A", 7),
    "Add a document to A": lambda window: window.add("A"),
    "Add a relevant document that was not retrieved": lambda window: window.add("A", retrieved=False),
    "Rename Sajha bus 4, Rs 25 to Bus": lambda window: window.rename("bus", "Bus"),
    "Type list A": lambda window: window.type("A", "bus:3"),
    "Set k": lambda window: window.pills["k"].picked.emit("k", 3),
    "Set gain": lambda window: window.pills["gain"].picked.emit("gain", "linear"),
    "Set ideal": lambda window: window.pills["ideal"].picked.emit("ideal", "uncut"),
    "Set rel": lambda window: window.pills["rel"].picked.emit("rel", 2),
    "Set unjudged": lambda window: window.pills["unjudged"].picked.emit("unjudged", "remove"),
    "Open two news": lambda window: window.open_session(Session.of(news), "Open two news"),
}


@pytest.mark.parametrize("name", VERBS)
def test_every_verb_is_a_named_step_that_can_be_undone(window, name):
    before, count = window.session, window.history.count()
    VERBS[name](window)
    assert window.session != before and window.history.count() == count + 1 and window.undo_action.text() == f"Undo {name}"
    after = window.session
    window.undo_action.trigger()
    assert window.session == before and window.redo_action.text() == f"Redo {name}"
    window.redo_action.trigger()
    assert window.session == after


@pytest.mark.parametrize("large", [False, True])
def test_every_control_has_a_name_and_the_keyboard_reaches_it(open_window, qtbot, large):
    window = open_window()
    if not large:
        window.open_example(rides)
    controls = [each for each in window.findChildren(QWidget) if each.isVisible() and each.focusPolicy() & Qt.FocusPolicy.TabFocus and each.isEnabled()]
    unnamed = [each for each in controls if not (each.accessibleName() or getattr(each, "text", str)() or each.toolTip())]
    assert [type(each).__name__ for each in unnamed if not isinstance(each, QTabBar)] == []
    reached, start = [], controls[0]
    start.setFocus()
    for _ in range(3 * len(controls)):
        reached.append(QApplication.focusWidget())
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    missed = [each for each in controls if each not in reached and not isinstance(each, SideButton)]
    assert [(type(each).__name__, each.accessibleName()) for each in missed] == []


# another language
def all_x(text: str) -> str:
    """A translation of everything: X, and the places that the program fills in."""
    return " ".join(["X", *re.findall(r"\{[^}]*\}", text)])


class AllX(QTranslator):
    def isEmpty(self) -> bool:
        return False

    def translate(self, context, source, disambiguation=None, n=-1) -> str:
        return all_x(source)


def seen(window) -> set[str]:
    """Every text that the window shows or says to a screen reader."""
    out = set()
    for widget in window.findChildren(QWidget):
        for name in ("text", "accessibleName", "toolTip", "placeholderText", "windowTitle"):
            if hasattr(widget, name) and not (name == "text" and isinstance(widget, QLineEdit)):
                words = getattr(widget, name)
                out.add(words() if callable(words) else str(words))
        if isinstance(widget, QTabBar):
            out |= {widget.tabText(at) for at in range(widget.count())}
        if isinstance(widget, QMenu):
            out |= {action.text() for action in widget.actions()}
        if isinstance(widget, QTableView):
            model = widget.model()
            out |= {model.headerData(column, Qt.Orientation.Horizontal) or "" for column in range(model.columnCount())}
    return out | {action.text() for action in window.actions()}


def words_of_a_window(window) -> set[str]:
    out = seen(window)
    window.open_example(rides)
    for at in range(window.tabs.count()):
        window.tabs.setCurrentIndex(at)
        out |= seen(window)
    for verb in (*list(VERBS.values())[:-1],):
        verb(window)
        out |= {window.undo_action.text(), window.last_words.text()}
        window.undo_action.trigger()
        out.add(window.last_words.text())
    return out


def english(window) -> list[str]:
    """What a translated window still says in English: neither data nor words of the package."""
    session, report = Session.of(rides), Session.of(rides).report()
    data = {*session.titles.values(), *session.names, session.name, *(example.name for example in EXAMPLES), *(example.about for example in EXAMPLES)}
    for row in report.rows:
        data |= {row.label, row.detail, row.measure.question, row.measure.title, str(row.measure.formula)}
        data |= {note for letter in "AB" for note in session.steps(row.name, letter).notes}
    left = []
    for text in words_of_a_window(window):
        for known in sorted(data, key=len, reverse=True):
            text = re.sub(re.escape(known), "", text, flags=re.IGNORECASE) if known else text
        if re.search(r"\b(the|and|of|add|open|copy|list|rank|grade|move|set|help|save|steps|judged|documents?|measures?|ranking)\b", text, re.IGNORECASE):
            left.append(text)
    return left


def test_a_translation_reaches_every_text(open_window, request):
    application, translator = QApplication.instance(), AllX()
    application.installTranslator(translator)
    request.addfinalizer(lambda: application.removeTranslator(translator))
    package = ("stays ahead of", "presets")  # a sentence of the package's conventions
    assert [text for text in english(open_window()) if not any(part in text for part in package) and not text.startswith("\\")] == []


def test_a_translation_is_one_file(open_window, tmp_path, monkeypatch, request):
    release = shutil.which("pyside6-lrelease") or shutil.which("pyside6-lrelease", path=str(Path(sys.executable).parent))
    if release is None:
        pytest.skip("needs pyside6-lrelease, which comes with PySide6-Essentials")
    (tmp_path / "data").mkdir()
    translating.write(tmp_path / "data" / "rankmetrics_ne.ts", lambda text: f"न {all_x(text)}")
    made = subprocess.run([release, tmp_path / "data" / "rankmetrics_ne.ts", "-qm", tmp_path / "data" / "rankmetrics_ne.qm"], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    monkeypatch.setattr(translating, "HERE", tmp_path)
    application = QApplication.instance()
    assert translating.load(application, QLocale("ne_NP")) and not translating.load(application, QLocale("fi"))
    request.addfinalizer(lambda: [application.removeTranslator(each) for each in application.findChildren(QTranslator)])
    window = open_window()
    assert window.helping.first.heading.text() == window.tabs.tabText(0) == "न X" and window.examples_button.text() == "न X ▾"
    assert window.undo_action.text().startswith("न X") and window.shared_words.text() == "न X 4 A"


def test_every_text_that_is_asked_for_is_in_the_file():
    """Texts are written where they are used, so that the file for translators can be made by reading the code."""
    known = translating.texts()
    assert len(known) > 150 and ("MainWindow", "Move {0} to rank {1} of {2}") in known and ("controls", "The lowest grade that counts as relevant") in known
