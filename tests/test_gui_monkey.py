"""Random gestures on the real window. After every few of them the window must show what the measures say, called on the grades themselves."""

import gc
import math
import os
import random
import re
from pathlib import Path

import needs
import pytest

needs.qt()

from guitools import open_window, shown_table  # noqa: E402
from PySide6.QtCore import QPoint, Qt  # noqa: E402
from PySide6.QtGui import QGuiApplication  # noqa: E402
from PySide6.QtTest import QAbstractItemModelTester, QTest  # noqa: E402
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QTableView, QWidget  # noqa: E402
from rankmetrics_gui import palette as look  # noqa: E402
from rankmetrics_gui.main_window import MOST_STEPS, dress  # noqa: E402

from rankmetrics_nb.measures.catalogue import parse  # noqa: E402

Key, Modifier, LEFT = Qt.Key, Qt.KeyboardModifier, Qt.MouseButton.LeftButton
EVERY = 5  # gestures between two looks at everything
WRONG = re.compile(r"\b(nan|NaN|None|inf|Traceback)\b")
TEXTS = ("3 2 ? 0", "R N R N", "bus:3 bike:2 pass:? taxi:0", "0 0 0", "?", "1", "", "d1:2 d2:0.5 d3:-1 d4:3", "2 1 x", "bus:3 bus:2", "0 1 " * 15)
PASTES = ("bus\nbike\ntempo\n", "doc_id\tgrade\nbus\t3\nwalk\t0\ncarpool\t\n", "2\n1\n0\n", "q 1 2 3 4 5 6 7 8", "", "new1 3\nnew2 ?\nbus 1\n")


@pytest.fixture
def window(qtbot):
    yield open_window(qtbot)
    look.use("light")
    look.enlarge(1.0)
    dress(QApplication.instance())


# what must be true at any moment
def expected(session, name: str, letter: str) -> str:
    """A value as text, from the grades alone: which judgements a list counts, what it has not retrieved, the scale that all lists share."""
    home = session.home
    at = session.letters.index(letter)
    scale = max([session.top, 0, *session.grades.values()])
    own = {doc: grade for doc, grade in session.grades.items() if home.get(doc, -1) == (at if at in home.values() else -1)}
    docs = [doc for doc in session.lists[at] if session.unjudged == "nonrel" or doc in own]
    rest = sorted((grade for doc, grade in own.items() if doc not in session.lists[at]), reverse=True)
    measure = parse(name.removesuffix("@k"))
    if name.endswith("@k") and session.k:
        measure = measure @ session.k
    wanted = {"gain": session.gain, "ideal": session.ideal, "rel": session.rel, "gmax": scale}
    value = measure.set(**{key: given for key, given in wanted.items() if measure.has(key)})([own.get(doc) for doc in docs], unretrieved=rest)
    return "undefined" if math.isnan(value) else f"{value:.4f}".replace("-", "−")


def check(window, session) -> None:
    """The window shows this session, and nothing that is no word and no number."""
    lines = shown_table(window.measures)
    assert [line[0].split("@")[0].split()[0] for line in lines] == [name.split("@")[0] for name in session.measures]
    for line, name in zip(lines, session.measures):
        assert line[2 : 2 + len(session.letters[:2])] == [expected(session, name, letter) for letter in session.letters[:2]], name
    for at, letter in enumerate("AB"):
        rows = window.views[letter].model().rows
        docs = session.lists[at] if at < len(session.lists) else ()
        assert tuple(row.doc for row in rows) == docs and window.views[letter].model().rowCount() == len(docs)
        assert [row.grade for row in rows] == [session.grades.get(doc) for doc in docs]
    if window.helping.is_large():
        assert tuple(row.doc for row in window.helping.first.view.model().rows) == session.lists[0]
    if len(session.lists) > 1:
        places = [{doc: row for row, doc in enumerate(docs)} for docs in session.lists]
        assert {link.doc: (link.row_a, link.row_b) for link in window.gutter.links} == {doc: (places[0].get(doc), places[1].get(doc)) for doc in (*places[0], *places[1])}
    lost = {doc for doc, grade in session.grades.items() if grade >= session.rel and not any(doc in docs for docs in session.lists)}
    assert {item[0] for item in window.tray.items} == lost
    wrong = [(type(widget).__name__, widget.accessibleName(), words) for widget, words in words_on_screen(window) if WRONG.search(words)]
    assert not wrong, wrong


def words_on_screen(window) -> list[tuple[QWidget, str]]:
    """Every text that can be read or heard now, and where."""
    words = [(window, text) for text in (window.windowTitle(), window.undo_action.text(), window.redo_action.text())]
    for widget in filter(QWidget.isVisible, window.findChildren(QWidget)):
        words += [(widget, widget.accessibleName()), (widget, widget.accessibleDescription())]
        if isinstance(widget, QLabel):
            words.append((widget, widget.text()))
        elif isinstance(widget, QTableView):
            words += [(widget, text) for line in shown_table(widget) for text in line if isinstance(text, str)]
    return words


class Monkey:
    """Somebody who tries everything. `gesture` does one thing that a person can do with the mouse, the keyboard and the menus."""

    def __init__(self, window, seed: int):
        self.window, self.rng, self.done = window, random.Random(seed), []
        self.gestures = {
            self.drag: 14, self.drag_and_meddle: 8, self.drag_the_cut: 4, self.carry_from_the_tray: 5, self.drag_to_the_tray: 4,
            self.key_on_a_row: 20, self.click_a_chip: 8, self.rename: 4, self.type: 6, self.paste: 4, self.add_lost: 2, self.turn: 6,
            self.convention: 6, self.undo_or_redo: 10, self.theme: 1, self.zoom: 2, self.pick: 4, self.side: 2, self.another_list: 3,
            self.example: 2, self.fold: 2, self.resize: 2, self.large: 2, self.key_anywhere: 8, self.hover: 3, self.click_anywhere: 4,
        }  # fmt: skip

    def gesture(self) -> None:
        made = self.rng.choices(list(self.gestures), list(self.gestures.values()))[0]
        self.done.append(made.__name__)
        made()
        for popup in iter(QApplication.activePopupWidget, None):
            popup.close()

    # parts of gestures
    def view(self):
        """A list that can be seen, and its letter; the large one where it is in front."""
        if self.window.helping.is_large():
            return self.window.helping.first.view
        return self.window.views[self.rng.choice(self.window.session.letters[:2])]

    def point(self, view) -> tuple[int, QPoint] | None:
        """A row that can be seen, and a point of its title."""
        rows = [row for row in range(len(view.model().rows)) if 2 < view.row_centre(row) < view.viewport().height() - 2]
        if not rows or not view.isVisible():
            return None
        row = self.rng.choice(rows)
        return row, QPoint(view.width() // 3, view.row_centre(row) + self.rng.randint(-9, 9))

    def press(self, view) -> bool:
        """Lift a row."""
        start = self.point(view)
        if start is None:
            return False
        QTest.mousePress(view.viewport(), LEFT, pos=start[1])
        QTest.mouseMove(view.viewport(), start[1] + QPoint(0, 8))
        return True

    def move(self, view) -> QPoint:
        there = QPoint(view.width() // 3, self.rng.randint(-40, view.viewport().height() + 40))
        QTest.mouseMove(view.viewport(), there)
        return there

    def select(self, view) -> bool:
        start = self.point(view)
        if start is None:
            return False
        QTest.mouseClick(view.viewport(), LEFT, pos=start[1])
        view.setFocus()
        return True

    # gestures
    def drag(self) -> None:
        view = self.view()
        if self.press(view):
            for _ in range(self.rng.randint(1, 4)):
                there = self.move(view)
            if self.rng.random() < 0.2:
                QTest.keyClick(view, Key.Key_Escape)
            QTest.mouseRelease(view.viewport(), LEFT, pos=there)

    def drag_and_meddle(self) -> None:
        """With a row in the air: keys, undo, another page, another theme."""
        view = self.view()
        if not self.press(view):
            return
        self.move(view)
        for _ in range(self.rng.randint(1, 2)):
            self.rng.choice((self.undo_or_redo, lambda: self.key(view), self.turn, self.zoom, self.convention, self.large, self.example, lambda: self.move(view)))()
        QTest.mouseRelease(view.viewport(), LEFT, pos=self.move(view))

    def drag_the_cut(self) -> None:
        view = self.view()
        if view.cut is None or not view.is_cut(view.cut - 1) or not view.isVisible():
            return
        port = view.viewport()
        at = QPoint(view.width() // 2, view.row_centre(view.cut - 1) + view.itemDelegate().height() // 2 + look.GAP // 2)
        QTest.mousePress(port, LEFT, pos=at)
        there = self.move(view)
        if self.rng.random() < 0.3:
            QTest.keyClick(view, self.rng.choice((Key.Key_Escape, Key.Key_Delete, Key.Key_2)))
        QTest.mouseRelease(port, LEFT, pos=there)

    def carry_from_the_tray(self) -> None:
        window = self.window
        tray = window.helping.first.tray if window.helping.is_large() else window.tray
        chips = [chip for chip in tray.chips if chip.isVisible()]
        if not chips:
            return
        chip, view = self.rng.choice(chips), self.view()
        QTest.mousePress(chip, LEFT, pos=QPoint(10, 10))
        there = QPoint(10, 10)
        for _ in range(self.rng.randint(1, 3)):
            there = chip.mapFromGlobal(view.viewport().mapToGlobal(QPoint(view.width() // 3, self.rng.randint(0, max(view.height(), 1)))))
            QTest.mouseMove(chip, there)
        if self.rng.random() < 0.3:
            self.rng.choice((lambda: QTest.keyClick(chip, Key.Key_Escape), self.undo_or_redo, lambda: self.key(view)))()
        QTest.mouseRelease(chip, LEFT, pos=there)

    def drag_to_the_tray(self) -> None:
        view = self.view()
        if self.press(view) and view.tray is not None:
            over = view.viewport().mapFromGlobal(view.tray.mapToGlobal(view.tray.rect().center()))
            QTest.mouseMove(view.viewport(), over)
            QTest.mouseRelease(view.viewport(), LEFT, pos=over)

    def key_on_a_row(self) -> None:
        view = self.view()
        if self.select(view):
            self.key(view)

    def key(self, view) -> None:
        alt, none = Modifier.AltModifier, Modifier.NoModifier
        keys = [(Key.Key_Up, alt), (Key.Key_Down, alt)] * 4 + [(Key(Key.Key_0 + digit), none) for digit in (0, 1, 2, 3, 9)]
        keys += [(Key.Key_Question, none), (Key.Key_Delete, none), (Key.Key_Insert, none), (Key.Key_Up, none), (Key.Key_End, none), (Key.Key_BracketLeft, none), (Key.Key_BracketRight, none)]
        QTest.keyClick(view, *self.rng.choice(keys))

    def click_a_chip(self) -> None:
        view = self.view()
        index = view.currentIndex()
        if self.select(view) and (index := view.currentIndex()).isValid():
            chips = view.itemDelegate().chips(view.visualRect(index), view.model().rows[index.row()], True)
            QTest.mouseClick(view.viewport(), LEFT, pos=self.rng.choice(chips)[0].center().toPoint())

    def rename(self) -> None:
        view = self.view()
        if self.select(view) and view.currentIndex().isValid():
            QTest.keyClick(view, Key.Key_F2)
            field = next((field for field in view.viewport().findChildren(QLineEdit) if field.isVisible()), None)
            if field:
                QTest.keyClicks(field, self.rng.choice(("Bus <b>4</b>", "a title that is far too long for its row " * 3, " ", "x")))
                QTest.keyClick(field, self.rng.choice((Key.Key_Return, Key.Key_Escape, Key.Key_Tab)))

    def type(self) -> None:
        field = self.window.fields[self.rng.choice("AB")]
        if field.isVisible():
            field.setFocus()
            field.selectAll()
            QTest.keyClick(field, Key.Key_Backspace)
            QTest.keyClicks(field, self.rng.choice(TEXTS))

    def paste(self) -> None:
        QGuiApplication.clipboard().setText(self.rng.choice(PASTES))
        self.window.paste_action.trigger()
        dialog = self.window.dialog
        dialog.into.setCurrentIndex(self.rng.randrange(dialog.into.count()))
        if dialog.take.isEnabled() and self.rng.random() < 0.8:
            QTest.mouseClick(dialog.take, LEFT)
        dialog.reject()
        self.window.activateWindow()

    def add_lost(self) -> None:
        self.window.add_lost.click()

    def turn(self) -> None:
        pages = [page for page in range(self.window.tabs.count()) if self.window.tabs.isTabEnabled(page)]
        self.window.tabs.setCurrentIndex(self.rng.choice(pages))

    def convention(self) -> None:
        self.rng.choice(self.rng.choice(list(self.window.pills.values())).menu().actions()).trigger()

    def undo_or_redo(self) -> None:
        action = self.window.undo_action if self.rng.random() < 0.6 else self.window.redo_action
        action.trigger()

    def theme(self) -> None:
        self.rng.choice(list(self.window.viewing.theme_actions.values())).trigger()

    def zoom(self) -> None:
        viewing = self.window.viewing
        self.rng.choice((viewing.larger, viewing.smaller, viewing.usual)).trigger()

    def pick(self) -> None:
        self.window.measures.selectRow(self.rng.randrange(self.window.measures.model().rowCount()))

    def side(self) -> None:
        self.window.side_buttons[self.rng.choice("AB")].click()

    def another_list(self) -> None:
        menu = self.window.list_menus[self.rng.choice("AB")]
        if menu.isVisible():
            menu.choose()
            self.rng.choice(menu.menu_open.actions()).trigger()

    def example(self) -> None:
        self.rng.choice(self.window.example_actions).trigger()

    def fold(self) -> None:
        self.window.folding.action.trigger()

    def resize(self) -> None:
        self.window.resize(self.rng.randint(1000, 1500), self.rng.randint(640, 1000))

    def large(self) -> None:
        self.window.helping.large_action.trigger()

    def key_anywhere(self) -> None:
        """On a button nothing that presses it: some open a menu or a dialog that waits for an answer."""
        keys = (Key.Key_Tab, Key.Key_Backtab, Key.Key_Down, Key.Key_Up, Key.Key_Left, Key.Key_Right, Key.Key_Home, Key.Key_End, Key.Key_PageDown, Key.Key_Escape, Key.Key_1, Key.Key_Return, Key.Key_Space)
        target = QApplication.focusWidget()
        if target is not None and target.window() is self.window:
            QTest.keyClick(target, self.rng.choice(keys[:-3] if isinstance(target, QAbstractButton) else keys))

    def hover(self) -> None:
        view = self.view()
        QTest.mouseMove(view.viewport(), QPoint(self.rng.randrange(view.width()), self.rng.randrange(max(view.height(), 1))))

    def click_anywhere(self) -> None:
        """Not on a button: some open a dialog that waits for an answer."""
        page = self.window.helping.first if self.window.helping.is_large() else self.window.pages.currentWidget()
        parts = [part for part in [page, *page.findChildren(QWidget)] if part.isVisible() and part.rect().isValid() and not isinstance(part, QAbstractButton)]
        part = self.rng.choice(parts)
        QTest.mouseClick(part, LEFT, pos=QPoint(self.rng.randrange(part.width()), self.rng.randrange(part.height())))


def watch_models(window) -> list[QAbstractItemModelTester]:
    """A break of Qt's rules for models ends the test at once."""
    views = (*window.views.values(), window.measures, *window.pages.findChildren(QTableView))
    return [QAbstractItemModelTester(view.model(), QAbstractItemModelTester.FailureReportingMode.Fatal) for view in views]


def play(window, qtbot, seed: int, gestures: int) -> None:
    testers, start = watch_models(window), window.session
    assert len(testers) > 4
    monkey = Monkey(window, seed)
    for number in range(gestures):
        monkey.gesture()
        if number % EVERY == 0:
            QApplication.processEvents()
            try:
                check(window, window.session)
            except AssertionError as error:
                raise AssertionError(f"seed {seed}, gesture {number}, after {monkey.done[-EVERY:]}: {error}") from error
    end, count = window.session, window.history.count()
    while window.history.canRedo():
        window.redo_action.trigger()
    last = window.session
    while window.history.canUndo():
        window.undo_action.trigger()
    check(window, start)
    assert window.session == start and count < MOST_STEPS
    while window.history.canRedo():
        window.redo_action.trigger()
    check(window, last)
    assert window.session == last and (end == last or window.history.count() == count)


def test_300_random_gestures(window, qtbot):
    play(window, qtbot, 1, 300)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 7))
def test_more_random_gestures(window, qtbot, seed):
    play(window, qtbot, seed, 340)


def memory() -> tuple[int, float]:
    """Objects that Python watches, and megabytes of the process where the system tells them."""
    gc.collect()
    pages = Path("/proc/self/statm")
    return len(gc.get_objects()), int(pages.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6 if pages.exists() else 0.0


@pytest.mark.slow
def test_memory_is_flat_over_10000_moves(window, qtbot):
    """After 2,000 moves the history and the caches are full. From then on 8,000 moves may leave less than one object, or one kilobyte, each; a step that were kept takes a dozen."""
    rng, full = random.Random(7), (0, 0.0)
    for number in range(10_000):
        if number == 2000:
            full = memory()
        view = window.views[rng.choice("AB")]
        row = rng.randrange(len(view.model().rows))
        view.choose(view.model().rows[row].doc)
        QTest.keyClick(view, Key.Key_Up if row else Key.Key_Down, Modifier.AltModifier)
    objects, megabytes = memory()
    assert window.history.count() == MOST_STEPS
    assert objects - full[0] < 8000 and megabytes - full[1] < 8, (full, (objects, megabytes))
    check(window, window.session)
