"""The window as a program: its icon, its entry for a desktop, and the folder that PyInstaller makes of it."""

import configparser
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


@pytest.mark.slow
def test_the_folder_starts_on_a_screen(program, screen, tmp_path, record_property):
    size = sum(path.stat().st_size for path in program.parent.rglob("*") if path.is_file() and not path.is_symlink()) / 1e6
    record_property("megabytes", round(size))
    assert size < MOST, f"the folder has {size:.0f} MB"
    assert not [path for path in program.parent.rglob("*") if re.match(r"(matplotlib|scipy|pandas|PIL)$", path.name)]
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "QT_", "VIRTUAL_ENV"))}
    running = subprocess.Popen([str(program)], env={**clean, "DISPLAY": screen, "QT_QPA_PLATFORM": "xcb", "RANKMETRICS_HOME": str(tmp_path)}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        end = time.monotonic() + 60
        seen = ""
        while "— rankmetrics" not in seen and running.poll() is None and time.monotonic() < end:
            time.sleep(0.2)
            seen = subprocess.run(["xwininfo", "-display", screen, "-root", "-tree"], capture_output=True, text=True, errors="replace", env={**clean, "LC_ALL": "C.UTF-8"}).stdout
        assert running.poll() is None, running.stdout.read().decode(errors="replace")[-2000:]
        assert "— rankmetrics" in seen, "no window within a minute"
        time.sleep(1)
        assert running.poll() is None, "it ended by itself"
    finally:
        running.terminate()
        said = running.communicate(timeout=20)[0].decode(errors="replace")
    assert "Traceback" not in said and "rror" not in said
