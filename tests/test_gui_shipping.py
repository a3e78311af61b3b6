"""The window as a program: its icon, its entry for a desktop, and the folder that PyInstaller makes of it."""

import configparser
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import needs
import pytest

needs.qt()

from PySide6.QtGui import QIcon, QImage  # noqa: E402
from rankmetrics_gui.app import ICON  # noqa: E402

ROOT = Path(__file__).parents[1]
MOST = 260  # MB of the folder
PYINSTALLER = "pip install -e '.[app]'"
MOUSE = "a mouse and a keyboard for a screen without a monitor: on Debian apt-get install xdotool openbox"

pytestmark = pytest.mark.usefixtures("qtbot")


def test_the_icon_is_there_in_the_colours_of_both_lists():
    image = QImage(str(ICON.with_suffix(".png")))
    assert (image.width(), image.height()) == (256, 256)
    assert [image.pixelColor(64, y).name() for y in (70, 128)] == ["#1f5fbf"] * 2 and image.pixelColor(192, 70).name() == "#d46a12"
    assert image.pixelColor(0, 0).alpha() == 0 and not QIcon(str(ICON)).pixmap(64, 64).isNull()


def test_the_desktop_entry_names_the_program_of_the_package():
    entry = configparser.ConfigParser(interpolation=None, delimiters="=")
    entry.optionxform = str
    entry.read(ROOT / "gui" / "rankmetrics.desktop", encoding="utf-8")
    desktop, settings = entry["Desktop Entry"], configparser.ConfigParser(delimiters="=")
    settings.read(ROOT / "settings.ini", encoding="utf-8")
    assert desktop["Type"] == "Application" and desktop["Exec"].split() == [settings["DEFAULT"]["gui_scripts"].split("=")[0], "%F"]
    assert set(desktop) >= {"Name", "Comment", "Icon", "Categories", "MimeType"} and desktop["Categories"].endswith(";")


@pytest.fixture(scope="module")
def program(tmp_path_factory) -> Path:
    """The program, built from the recipe."""
    needs.module("PyInstaller", how=PYINSTALLER)
    folder = tmp_path_factory.mktemp("app")
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN", "--distpath", str(folder / "dist"), "--workpath", str(folder / "build"), str(ROOT / "gui" / "rankmetrics.spec")]
    built = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    assert built.returncode == 0, built.stderr[-2000:]
    return folder / "dist" / "rankmetrics" / "rankmetrics"


@pytest.fixture
def screen(tmp_path):
    """A screen that nobody sees; its name."""
    server = needs.program("Xvfb", needs.XVFB)
    needs.program("xwininfo", needs.XVFB)
    read, write = os.pipe()
    running = subprocess.Popen([server, "-displayfd", str(write), "-screen", "0", "1400x900x24", "-nolisten", "tcp"], pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as number:
        name = f":{number.readline().strip()}"
    yield name
    running.terminate()
    running.wait(10)


def surroundings(screen: str, home: Path) -> dict[str, str]:
    """What a program on that screen gets: nothing of this Python, nothing of this user."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "QT_", "VIRTUAL_ENV"))}
    return {**clean, "DISPLAY": screen, "QT_QPA_PLATFORM": "xcb", "RANKMETRICS_HOME": str(home), "HOME": str(home), "LC_ALL": "C.UTF-8"}


def until(found, running: subprocess.Popen, words: str, seconds: float = 60):
    """What `found` returns, as soon as it is something; the program must not end before."""
    end = time.monotonic() + seconds
    while not (seen := found()):
        assert running.poll() is None, running.stdout.read().decode(errors="replace")[-2000:]
        assert time.monotonic() < end, words
        time.sleep(0.1)
    return seen


def window_on(screen: str) -> tuple[int, int, int, int] | None:
    """Left, top, width and height of the program's window."""
    tree = subprocess.run(["xwininfo", "-display", screen, "-root", "-tree"], capture_output=True, text=True, errors="replace", env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout
    found = re.search(r"— rankmetrics.* (\d+)x(\d+)\+-?\d+\+-?\d+ +\+(-?\d+)\+(-?\d+)", tree)
    return (int(found[3]), int(found[4]), int(found[1]), int(found[2])) if found else None


@pytest.mark.slow
def test_a_real_mouse_drags_a_row(screen, tmp_path, qtbot, monkeypatch):
    """The program as a process, a mouse that the X server moves; the result is read from the session on the disk."""
    from PySide6.QtCore import QPoint
    from rankmetrics_gui import app, keeping

    from rankmetrics_nb.examples import rides
    from rankmetrics_nb.session import Session, from_json, to_json

    xdotool, manager = needs.program("xdotool", MOUSE), needs.program("openbox", MOUSE)
    start, file, home = Session.of(rides), tmp_path / "rides.json", tmp_path / "home"
    file.write_text(to_json(start), encoding="utf-8")
    around = surroundings(screen, home)
    managing = subprocess.Popen([manager], env=around, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    source = os.pathsep.join(str(Path(found).parents[1]) for found in (app.__file__, sys.modules["rankmetrics_nb"].__file__))
    running = subprocess.Popen([sys.executable, "-m", "rankmetrics_gui", str(file)], env={**around, "PYTHONPATH": source}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def do(*words) -> None:
        subprocess.run([xdotool, *map(str, words)], env=around, check=True)

    def kept() -> Session | None:
        saved = home / "autosave-1.json"
        return from_json(json.dumps(json.loads(saved.read_text(encoding="utf-8"))["session"])) if saved.exists() else None

    try:
        until(lambda: window_on(screen), running, "no window within a minute")
        time.sleep(2)  # the window manager has put the window into its place
        left, top, width, height = window_on(screen)
        monkeypatch.setenv(keeping.HOME, str(tmp_path / "twin"))
        twin = app.start([str(file)])  # the same window without a screen tells where the rows are
        qtbot.addWidget(twin)
        twin.resize(width, height)
        twin.show()
        qtbot.waitExposed(twin)
        view = twin.views["A"]
        places = [view.viewport().mapTo(twin, QPoint(view.width() // 3, view.row_centre(row))) for row in range(5)]
        do("mousemove", left + places[4].x(), top + places[4].y(), "mousedown", 1)
        for place in reversed(places):
            do("mousemove", left + place.x(), top + place.y())
            time.sleep(0.05)
        assert kept() in (None, start), "a row in the air is no change"
        do("mouseup", 1)
        moved = start.move("A", 5, 1)
        until(lambda: kept() == moved, running, "the drag is not on the disk", 20)
        do("key", "ctrl+z")
        until(lambda: kept() == start, running, "Ctrl+Z is not on the disk", 20)
    finally:
        for process in (running, managing):
            process.terminate()
        said = running.communicate(timeout=20)[0].decode(errors="replace")
        managing.wait(10)
    assert "Traceback" not in said


@pytest.mark.slow
def test_the_folder_starts_on_a_screen(program, screen, tmp_path, record_property):
    size = sum(path.stat().st_size for path in program.parent.rglob("*") if path.is_file() and not path.is_symlink()) / 1e6
    record_property("megabytes", round(size))
    assert size < MOST, f"the folder has {size:.0f} MB"
    assert not [path for path in program.parent.rglob("*") if re.match(r"(matplotlib|scipy|pandas|PIL)$", path.name)]
    running = subprocess.Popen([str(program)], env=surroundings(screen, tmp_path), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        until(lambda: window_on(screen), running, "no window within a minute")
        time.sleep(1)
        assert running.poll() is None, "it ended by itself"
    finally:
        running.terminate()
        said = running.communicate(timeout=20)[0].decode(errors="replace")
    assert "Traceback" not in said and "rror" not in said
