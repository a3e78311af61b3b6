"""What the window keeps and how it looks: autosave, files, settings, themes, zoom, first start, help, translation."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import needs
import pytest

needs.qt()

from PySide6.QtCore import QPoint, Qt  # noqa: E402
from PySide6.QtGui import QColor  # noqa: E402
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QScrollArea, QToolButton, QWidget  # noqa: E402
from rankmetrics_gui import app, keeping, viewing  # noqa: E402
from rankmetrics_gui import palette as look  # noqa: E402
from rankmetrics_gui.main_window import MainWindow, dress  # noqa: E402

from rankmetrics_nb.examples import news, rides  # noqa: E402
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
    assert sorted(path.name for path in home.iterdir()) == ["autosave-1.json", "autosave-1.json.lock"]
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
    colours = {QColor(window.gutter.grab().toImage().pixel(x, y)).name().upper() for x in range(0, window.gutter.width(), 2) for y in range(0, window.gutter.height(), 2)}
    assert look.THEMES[theme][look.ADDS] in colours and look.THEMES[theme][look.COSTS] in colours


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
    for name in (look.TEXT, look.SECONDARY, look.FAINT, "value A", "value B", look.ADDS, look.COSTS):
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
        "margin": window.findChild(QScrollArea, "frame").widget().layout().itemAt(0).layout().contentsMargins().left(),
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
    assert page.widget().width() <= page.viewport().width() or zoom > 1.5, "nobody scrolls sideways"
