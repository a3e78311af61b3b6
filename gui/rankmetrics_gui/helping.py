"""For everyone: the first start, the hint, the formula sheet and the list of keys."""

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QScrollArea, QTabWidget, QTextBrowser, QVBoxLayout, QWidget

from rankmetrics_gui import palette as look
from rankmetrics_gui.controls import label
from rankmetrics_gui.first_view import FirstView, textbook
from rankmetrics_gui.formulas import FormulaView
from rankmetrics_gui.viewing import fit, scale
from rankmetrics_nb.measure import describe
from rankmetrics_nb.measures.catalogue import MEASURES


def _tr(text: str) -> str:
    return QCoreApplication.translate("helping", text)


def keys(window) -> tuple[tuple[str, list[tuple[str, str]]], ...]:
    """What every key does: those of a list, and those of the window's actions."""
    in_a_list = [
        ("↑ ↓", _tr("select a row")),
        ("Alt+↑, Alt+↓", _tr("move the row")),
        ("0 … 9", _tr("grade it")),
        ("?", _tr("take its grade away: unjudged")),
        ("F2", _tr("rename it")),
        (_tr("Insert, Delete"), _tr("add a row, take it out")),
        ("Esc", _tr("give a drag up")),
    ]
    in_the_tray = [
        ("Enter, Alt+↑", _tr("put the document at the end of the list in use")),
        ("A, B", _tr("put it at the end of that list")),
        ("← →", _tr("the next document, the one before")),
    ]
    everywhere = [
        ("Tab, Shift+Tab", _tr("the next part of the window, the part before")),
        ("↑ ↓", _tr("in the measures: the steps of another one")),
    ]
    known = {window.undo_action: _tr("Undo"), window.redo_action: _tr("Redo")}
    for action in window.actions():
        if action.shortcuts():
            everywhere.append((", ".join(key.toString() for key in action.shortcuts()), known.get(action) or action.text().rstrip("…").replace("&", "")))
    return (_tr("In a list"), in_a_list), (_tr("On a relevant document that was not retrieved"), in_the_tray), (_tr("Everywhere"), everywhere)


class Helping(QObject):
    """The large view, its hint, and the help of a window."""

    def __init__(self, window):
        super().__init__(window)
        self.window, self.first, self.seen, self.state, self.dialog = window, None, True, None, None
        self.large_action = self._action(_tr("One ranking, large"), lambda: self.show_large(not self.is_large()), "Ctrl+B")
        self.large_action.setCheckable(True)
        window.view_menu.addSeparator()
        window.view_menu.addAction(self.large_action)
        self.keys_action = self._action(_tr("Keys"), lambda: self.show_help(0), "F1")
        self.formulas_action = self._action(_tr("Formulas"), lambda: self.show_help(1), "Shift+F1")
        self.quit_action = self._action(_tr("Close"), window.close, "Ctrl+Q")
        window.help_menu.addActions([self.keys_action, self.formulas_action])
        window.drawn.connect(self._follow)
        window.history.indexChanged.connect(lambda at: self.hint_is_done() if at else None)

    def _action(self, words: str, done, keys: str) -> QAction:
        action = QAction(words, self.window)
        action.setShortcut(QKeySequence(keys))
        action.triggered.connect(lambda checked=False: done())
        self.window.addAction(action)
        return action

    def start(self) -> None:
        """Does this user know the hint?"""
        self.seen = self.window.keeping.kept("hint") == "seen"

    # one ranking, large
    def is_large(self) -> bool:
        return self.first is not None and self.window.stack.currentWidget() is self.first

    def show_large(self, large: bool) -> None:
        """One ranking and its calculation, large; or two side by side."""
        large = large and len(self.window.session.lists) == 1
        if large == self.is_large():
            self._tick()
            return
        if large and self.first is None:
            self._make_first()
        if large:
            self.window.stack.setCurrentWidget(self.first)
            self.first.show_state(self.state)
            self.first.view.setFocus()
        else:
            self.window.stack.show_lists()
            self.window.fields["B"].setFocus()
        self._tick()
        self.window.keeping.timer.start()

    def _make_first(self) -> None:
        zoom = look.zoom()
        look.enlarge(1.0)  # the sizes at 100 % are what scale starts from
        self.first = FirstView(self.window)
        look.enlarge(zoom)
        self.first.hint.setVisible(not self.seen)
        self.first.hint.close_button.clicked.connect(self.hint_is_done)
        self.first.compare.clicked.connect(lambda: self.show_large(False))
        self.window.stack.addWidget(self.first)
        scale(self.first, zoom)

    def _follow(self, state) -> None:
        """Draw what the window draws; a second list needs the other view."""
        self.state = state
        if self.is_large() and len(state.session.lists) > 1:
            self.window.stack.show_lists()
        elif self.is_large():
            self.first.show_state(state)
        self._tick()

    def _tick(self) -> None:
        self.large_action.setEnabled(self.state is not None and len(self.state.session.lists) == 1)
        self.large_action.setChecked(self.is_large())

    # the hint
    def hint_is_done(self) -> None:
        """The first change was made: the hint has done its work."""
        if not self.seen:
            self.seen = True
            self.window.keeping.keep("hint", "seen")
        if self.first is not None and self.first.hint.isVisibleTo(self.first):
            self.first.hint.hide()
            self.first.arrow.hide()

    # help
    def show_help(self, page: int) -> None:
        """Keys and formulas, beside the window."""
        if self.dialog is None:
            self.dialog = HelpDialog(self.window)
        self.dialog.tabs.setCurrentIndex(page)
        self.dialog.fill()
        self.dialog.show()
        self.dialog.raise_()
        self.dialog.activateWindow()


class HelpDialog(QDialog):
    """Two pages that can be read, searched and copied: keys, and the formulas of the records."""

    def __init__(self, window):
        super().__init__(window)
        self.setWindowTitle(_tr("Help"))
        self.tabs = QTabWidget()
        self.keys, self.formulas = QTextBrowser(accessibleName=_tr("Keys")), QScrollArea(accessibleName=_tr("Formulas"))
        self.formulas.setFrameShape(QScrollArea.Shape.NoFrame)
        for page, words in ((self.keys, _tr("Keys")), (self.formulas, _tr("Formulas"))):
            self.tabs.addTab(page, words)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(self.tabs)
        column.addWidget(buttons)
        self.tabs.setDocumentMode(True)
        self.resize(720, 600)
        fit(self)

    def fill(self) -> None:
        """Write the pages, in the colours of now."""
        self.keys.setHtml("".join(_table(head, rows) for head, rows in keys(self.parent())))
        self.formulas.setWidget(formula_sheet())
        self.formulas.setWidgetResizable(True)


def _escaped(words: str) -> str:
    return words.replace("&", "&amp;").replace("<", "&lt;")


def _table(head: str, rows) -> str:
    lines = "".join(f"<tr><td style='padding: 3px 24px 3px 0'><b>{_escaped(key)}</b></td><td style='padding: 3px 0'>{_escaped(words)}</td></tr>" for key, words in rows)
    return f"<h3>{head}</h3><table>{lines}</table>"


def formula_sheet() -> QWidget:
    """Every measure with its question, its formula and what it leaves out, as the records hold them."""
    page = QWidget()
    page.setProperty("ground", "panel")
    column = QVBoxLayout(page)
    for measure in MEASURES:
        formula, more = FormulaView(), label(describe(measure).split("\n\n")[3], 12, tone=look.SECONDARY)
        formula.show_measure(measure)
        for widget in (label(f"{measure.name}: {measure.title}", 14, bold=True), label(measure.question), formula, more):
            if isinstance(widget, QLabel):
                widget.setWordWrap(True)
                widget.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            column.addWidget(widget)
        column.addSpacing(round(look.px(16)))
    return page


def welcome(window) -> None:
    """The first start: one ranking, its calculation large, and a hint."""
    window.restore(textbook(), "", False, "AP", True)
    window.last_words.setText(_tr("An example from every textbook; Examples has more"))


def install(window) -> None:
    """The large view, the hint and the help for a window."""
    window.helping = Helping(window)
