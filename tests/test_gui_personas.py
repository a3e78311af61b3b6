"""A student, an engineer and a teacher do their work in the window, by keyboard and mouse alone. How long the program takes for it: python tests/test_gui_personas.py"""

import subprocess
import sys
import xml.etree.ElementTree as ET
from math import log2

import needs
import pytest

needs.qt()

from guitools import drop_files, row_point, shown_table, wake  # noqa: E402
from PySide6.QtCore import QPoint, Qt  # noqa: E402
from PySide6.QtGui import QGuiApplication  # noqa: E402
from PySide6.QtWidgets import QApplication, QFileDialog  # noqa: E402
from rankmetrics_gui import app, keeping  # noqa: E402
from rankmetrics_gui import palette as look  # noqa: E402
from rankmetrics_gui.chart_pages import ConventionsPage  # noqa: E402
from rankmetrics_gui.main_window import dress  # noqa: E402
from rankmetrics_gui.pages import WhyPage  # noqa: E402

Key, LEFT = Qt.Key, Qt.MouseButton.LeftButton
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def window(qtbot, tmp_path, monkeypatch):
    """The program on its first start."""
    monkeypatch.setenv(keeping.HOME, str(tmp_path / "home"))
    dress(QApplication.instance())
    window = app.start()
    qtbot.addWidget(window)
    window.resize(1280, 800)
    window.show()
    qtbot.waitExposed(window)
    wake(window, qtbot)
    yield window
    look.use("light")
    look.enlarge(1.0)
    dress(QApplication.instance())


def value(window, name: str) -> list[str]:
    """A measure as the table shows it: A, B, difference."""
    return next(line[2:] for line in shown_table(window.measures) if line[0].split()[0] == name)


def go_to(window, qtbot, kind) -> None:
    """Another page, by the arrow keys on the tabs."""
    window.tabs.setFocus()
    for _ in range(window.tabs.count()):
        if isinstance(window.pages.currentWidget(), kind):
            return
        qtbot.keyClick(window.tabs, Key.Key_Right)
    raise AssertionError(f"no key leads to {kind.__name__}")


def dcg(*grades: int) -> float:
    return sum((2**grade - 1) / log2(rank + 1) for rank, grade in enumerate(grades, 1))


def test_a_student_works_out_the_homework_without_a_mouse(window, qtbot):
    first = window.helping.first
    assert first.isVisible() and first.equation.words() == "AP = (1/1 + 2/3) / 2 = 0.8333", "the first thing to see is a value with its steps"
    for _ in range(2):
        qtbot.keyClick(QApplication.focusWidget(), Key.Key_Insert)
    qtbot.keyClick(QApplication.focusWidget(), Key.Key_Home)
    for grade in "101101":
        qtbot.keyClick(QApplication.focusWidget(), grade)
        qtbot.keyClick(QApplication.focusWidget(), Key.Key_Down)
    assert first.equation.words() == "AP = (1/1 + 2/3 + 3/4 + 4/6) / 4 = 0.7708"
    first.add_lost.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(first.add_lost, Key.Key_Space)
    assert first.equation.words() == "AP = (1/1 + 2/3 + 3/4 + 4/6) / 5 = 0.6167", "divided by all that are relevant"
    qtbot.keyClick(window, Key.Key_B, CTRL)
    go_to(window, qtbot, ConventionsPage)
    presets = window.page(ConventionsPage).presets
    presets.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(presets, Key.Key_Home)
    for _ in presets.model().keys:
        if presets.key() == "sklearn":
            break
        qtbot.keyClick(presets, Key.Key_Down)
    qtbot.keyClick(presets, Key.Key_Return)
    assert value(window, "AP")[0] == f"{(1 + 2 / 3 + 3 / 4 + 4 / 6) / 4:.4f}", "divided by those that were retrieved"
    qtbot.keyClick(window, Key.Key_C, CTRL | SHIFT)
    assert "AP\t0.7708" in QGuiApplication.clipboard().text().splitlines()
    window.copy_actions[1].trigger()
    assert "(1/1 + 2/3 + 3/4 + 4/6)/4" in QGuiApplication.clipboard().text()


def test_an_engineer_asks_why_b_is_better(window, qtbot, tmp_path, monkeypatch):
    clipboard = QGuiApplication.clipboard()
    before, after = "d1 d2 d3 d4 d5 d6 d7 d8 d9 d10".split(), "d5 d1 x d3 d2 d4 d6 d7 d8 d9".split()
    judged = {"d1": 2, "d2": 0, "d3": 1, "d4": 0, "d5": 3, "d6": 1, "d7": 0, "d8": 0, "d9": 0, "d10": 0}
    qrels, report = tmp_path / "qrels.txt", tmp_path / "why.md"
    qrels.write_text("".join(f"q7 0 {doc} {grade}\n" for doc, grade in judged.items()))
    for docs in (before, after):
        clipboard.setText("\n".join(docs))
        qtbot.keyClick(QApplication.focusWidget(), Key.Key_V, CTRL)
        qtbot.keyClick(window.dialog.take, Key.Key_Return)
        wake(window, qtbot)
        if docs is before:
            qtbot.keyClick(window, Key.Key_B, CTRL)  # the second ranking
    assert window.session.lists == (tuple(before), tuple(after))
    drop_files(window, qrels)
    qtbot.keyClick(window.views["B"], Key.Key_BracketRight)  # the cut from rank 4 to 5
    ideal = dcg(3, 2, 1, 1, 0)
    wanted = [dcg(2, 0, 1, 0, 3) / ideal, dcg(3, 2, 0, 1, 0) / ideal]
    window.measures.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(window.measures, Key.Key_Home)
    while window.picked != "nDCG@k":
        qtbot.keyClick(window.measures, Key.Key_Down)
    assert value(window, "nDCG@5") == [f"{wanted[0]:.4f}", f"{wanted[1]:.4f}", f"▲ +{wanted[1] - wanted[0]:.4f}"]
    assert "1 unjudged in B@5" in window.unjudged_words.text() and "1 unjudged in B’s top 5, counted as 0." in window.note.text()
    go_to(window, qtbot, WhyPage)
    effects = {line[1]: line for line in shown_table(window.page(WhyPage).table) if line[1] in after}
    gained = [(7 - 7 / log2(6)) / ideal, (3 / log2(3) - 3) / ideal, (1 / log2(5) - 1 / log2(4)) / ideal]  # from rank 5 to 1, 1 to 2, 3 to 4
    assert [effects[doc][5] for doc in ("d5", "d1", "d3")] == [f"{'+' if gain > 0 else '−'}{abs(gain):.4f}" for gain in gained], "d5 makes most of the difference"
    view = window.views["B"]
    qtbot.mouseClick(view.viewport(), LEFT, pos=row_point(window, "B", 2))
    qtbot.keyClick(view, Key.Key_2)
    ideal = dcg(3, 2, 2, 1, 1)
    assert value(window, "nDCG@5")[:2] == [f"{dcg(2, 0, 1, 0, 3) / ideal:.4f}", f"{dcg(3, 2, 2, 1, 0) / ideal:.4f}"]
    assert "unjudged in B@5" not in window.unjudged_words.text()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(report), ""))
    window.exporting.table_actions["measures"].trigger()
    line = next(line for line in report.read_text(encoding="utf-8").splitlines() if line.startswith("| nDCG@5"))
    assert f"{dcg(3, 2, 2, 1, 0) / ideal:.4f}" in line


def test_a_teacher_swaps_two_documents_before_the_class(window, qtbot, tmp_path, monkeypatch):
    next(action for action in window.example_actions if action.text() == "Same AP, different nDCG").trigger()
    for _ in range(2):
        qtbot.keyClick(window, Key.Key_Plus, CTRL)
    assert look.zoom() == 1.25
    ideal = dcg(3, 2, 1, 0)
    ndcg, swapped, ap = (f"{number:.4f}" for number in (dcg(2, 3, 0, 1) / ideal, dcg(3, 2, 0, 1) / ideal, (1 + 1 + 3 / 4) / 3))
    assert value(window, "nDCG@5")[0] == ndcg and value(window, "AP")[0] == ap
    row = window.measures.model().index(window.measures.model().keys.index("nDCG@k"), 0)
    qtbot.mouseClick(window.measures.viewport(), LEFT, pos=window.measures.visualRect(row).center())
    port, start = window.views["A"].viewport(), row_point(window, "A", 1)
    qtbot.mousePress(port, LEFT, pos=start)
    for y in range(start.y(), window.views["A"].row_centre(0), -4):  # slowly
        qtbot.mouseMove(port, pos=QPoint(start.x(), y))
    qtbot.mouseMove(port, pos=row_point(window, "A", 0))
    assert value(window, "nDCG@5")[0] == swapped and value(window, "AP")[0] == ap and window.history.undoText() != "Move best to rank 1 of A", "seen before it is done"
    qtbot.mouseRelease(port, LEFT, pos=row_point(window, "A", 0))
    for key, shows in ((Key.Key_Z, ndcg), (Key.Key_Y, swapped), (Key.Key_Z, ndcg), (Key.Key_Y, swapped)):
        qtbot.keyClick(window, key, CTRL)
        assert value(window, "nDCG@5")[0] == shows and value(window, "AP")[0] == ap
    picture = tmp_path / "swap.svg"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(picture), ""))
    window.exporting.actions["lists"].trigger()
    words = [text.text or "" for text in ET.parse(picture).getroot().iter("{http://www.w3.org/2000/svg}text")]
    assert any("best" in each for each in words) and swapped in " ".join(words)


if __name__ == "__main__":
    sys.exit(subprocess.call([sys.executable, "-m", "pytest", __file__, "-vv", "--durations=0"]))
