"""How long does the window take to open, and to follow a drag? python benchmarks/window.py [--starts 10] [--steps 60] [--rows 8 20 1000]

Start: from the start of the process to the first painted frame that shows the worked example, with an empty home directory.
A first start, which is not counted, compiles the modules, as installing the package does.
Drag: from the pointer event to the moment when the window has painted and nothing waits any more, page by page.
Both as clock time and as time of the processor. Without a screen, start it under Xvfb or with QT_QPA_PLATFORM=offscreen.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time

from explorer import percentile

TARGETS = {"start": 1000, "drag": 50}  # milliseconds
PROGRAM = """
import sys, time
from PySide6.QtCore import QEvent, QObject, QTimer
from rankmetrics_gui import app

class Watch(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            QTimer.singleShot(0, self.done)
        return False

    def done(self):
        print(time.time() - float(sys.argv[1]), time.process_time())
        window.close()
        sys.stdout.flush()

watch, start = Watch(), app.start

def watched(paths):
    global window
    window = start(paths)
    (window.helping.first or window).view.viewport().installEventFilter(watch)
    return window

app.start = watched
app.main([])
"""


def row(name: str, times: list[tuple[float, float]]) -> str:
    """Median and 95th percentile: clock, processor."""
    columns = [[1000 * one[at] for one in times] for at in (0, 1)]
    return f"{name:36}" + "".join(f"{percentile(column, share):10.1f}" for column in columns for share in (0.5, 0.95))


def head(words: str, target: int) -> str:
    return f"{words} Milliseconds; the aim is {target}:\n{'':36}{'median':>10}{'95 %':>10}{'processor':>10}{'95 %':>10}"


def starts(count: int) -> list[tuple[float, float]]:
    """New processes: seconds of the clock, of the processor."""
    out = []
    with tempfile.TemporaryDirectory() as folder:
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        for at in range(count + 1):
            home = os.path.join(folder, str(at))
            for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
                environment[name] = home
            os.mkdir(home)
            environment["PYTHONPYCACHEPREFIX"] = os.path.join(folder, "compiled")
            said = subprocess.run([sys.executable, "-c", PROGRAM, str(time.time())], env=environment, capture_output=True, text=True, check=True).stdout
            out.append(tuple(map(float, said.split())))
    return out[1:]


def drags(rows: int, steps: int) -> dict[str, list[tuple[float, float]]]:
    """Rows of list A that can be seen are dragged over each other, page by page. No step shows a state that was shown before: nothing is remembered."""
    from PySide6.QtCore import QPoint, Qt
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication
    from rankmetrics_gui.main_window import MainWindow, dress

    app, rng = QApplication.instance() or QApplication([]), random.Random(1)
    dress(app)
    window, out = MainWindow(), {}
    window.show_session(session(rows, rng))
    window.show()
    window.folding.wish[True] = False  # the lists stay, so that they can be dragged
    view = window.views["A"]
    port = view.viewport()
    for page in range(window.tabs.count()):
        window.show_session(session(rows, rng))
        window.tabs.setCurrentIndex(page)
        app.processEvents()
        seen = [at for at in range(rows) if 0 < view.row_centre(at) < port.height()]
        moves = [(row, to) for row in seen for to in seen if to != row and to != row + 1]  # one down is the next one up
        times = out[window.tabs.tabText(page)] = []
        for number, (row, to) in enumerate(rng.sample(moves, min(len(moves), steps + 5))):
            at, there = (QPoint(view.width() // 3, view.row_centre(place)) for place in (row, to))
            QTest.mousePress(port, Qt.MouseButton.LeftButton, pos=at)
            app.processEvents()
            began, busy = time.perf_counter(), time.process_time()
            QTest.mouseMove(port, there)
            app.processEvents()
            if number >= 5:
                times.append((time.perf_counter() - began, time.process_time() - busy))
            QTest.keyClick(view, Qt.Key.Key_Escape)
            QTest.mouseRelease(port, Qt.MouseButton.LeftButton, pos=there)
            app.processEvents()
    window.history.setClean()
    window.close()
    return out


def session(rows: int, rng: random.Random):
    """Two lists of the same documents, in random order."""
    from rankmetrics_nb.session import Session

    grades = {f"doc{at:04}": rng.choice((0, 0, 1, 2, 3)) for at in range(rows)}
    return Session.of(*(" ".join(f"{doc}:{grades[doc]}" for doc in rng.sample(list(grades), rows)) for _ in "AB"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=int, default=10)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--rows", type=int, nargs="*", default=[8, 20, 1000])
    given = parser.parse_args()
    if given.starts:
        print(head("From the start of the process to the first painted frame.", TARGETS["start"]))
        print(row("start", starts(given.starts)))
    with tempfile.TemporaryDirectory() as home:
        for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
            os.environ[name] = home
        for rows in given.rows:
            print(head(f"\nA step of a drag, two lists of {rows} documents.", TARGETS["drag"]))
            for page, times in drags(rows, given.steps).items():
                print(row(page, times))
