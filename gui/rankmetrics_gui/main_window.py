"""The window: two rankings, what every measure says, and why."""

from __future__ import annotations

import os

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence, QUndoCommand, QUndoStack
from PySide6.QtWidgets import (
    QApplication,
    QButtonGroup,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMainWindow,
    QMenu,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QTabBar,
    QToolBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from rankmetrics_gui import cells, chart_pages, cut, entering, exporting, helping, keeping, viewing
from rankmetrics_gui import palette as look
from rankmetrics_gui.controls import CONVENTIONS, KeySquare, Pill, SideButton, label, menu_button, sign, sign_size, tone
from rankmetrics_gui.gutter import Gutter, Legend, Link
from rankmetrics_gui.pages import Page, State
from rankmetrics_gui.ranking_view import RankingView
from rankmetrics_gui.tables import Cell, CellTable
from rankmetrics_gui.tray import Carrying, Tray
from rankmetrics_nb.examples import EXAMPLES, Example
from rankmetrics_nb.relevance import DataError
from rankmetrics_nb.session import LETTERS, Session, shown, signed

PAIR = LETTERS[:2]  # the window shows two lists

STYLES = (Qt.ToolButtonStyle.ToolButtonIconOnly, Qt.ToolButtonStyle.ToolButtonTextOnly, Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
WAIT = 500  # milliseconds before half-typed text is called a mistake
MOST_STEPS = 1000  # that can be undone; an older step goes when a new one comes, so that a day of dragging takes no more memory


def dress(app: QApplication) -> None:
    """Palette, style and font of the whole application."""
    app.setApplicationName("rankmetrics")
    app.setStyle("Fusion")
    app.setPalette(look.palette())
    app.setFont(look.font(app.font(), 13))
    app.setStyleSheet(look.style())


class Change(QUndoCommand):
    """One step of the history: the session before and after. Typing in one field is one step."""

    def __init__(self, window: "MainWindow", after: Session, words: str, typed: str = "", path: str | None = None):
        super().__init__(words)
        self.window, self.before, self.after, self.typed = window, window.session, after, typed
        self.paths = window.path, window.path if path is None else path  # the file of the session, before and after

    def redo(self) -> None:
        self.window.path = self.paths[1]
        self.window.show_session(self.after, keep_text=self.typed)

    def undo(self) -> None:
        self.window.path = self.paths[0]
        self.window.show_session(self.before)
        self.window.last_words.setText(self.window.tr("Undone: {0}").format(self.text()))

    def id(self) -> int:
        return PAIR.index(self.typed) if self.typed else -1

    def mergeWith(self, other) -> bool:
        self.after = other.after
        return True


class MainWindow(QMainWindow):
    """Sends verbs to a session and draws what comes back. No number is worked out here."""

    drawn = Signal(object)  # the State that the window shows now

    def __init__(self, example: Example = EXAMPLES[0]):
        super().__init__()
        self.session, self.path = Session.of(example), ""  # the path of its file, if it has one
        self.picked, self.side = "nDCG@k", "B"
        self._before, self._dragged = None, "A"  # the report when a drag began, and in which list
        self._doc = ""  # the selected document
        self.rows, self._fitted = 8, (False, False, False)  # rows of a list before it scrolls; narrow, tight, low
        self.history = QUndoStack(self)
        self.history.setUndoLimit(MOST_STEPS)
        self.setWindowTitle("rankmetrics")
        self.resize(1280, 800)
        self.setMinimumSize(900, 600)
        self._make_actions()
        self._make_toolbar()
        self._make_views()
        self._make_status()
        self._connect()
        for module in (entering, cut, keeping, viewing, helping, chart_pages, exporting):
            module.install(self)
        self.history.cleanChanged.connect(self._mark)
        self.show_session(self.session)
        self.last_words.setText(example.about)
        self.measures.setFocus()

    def _mark(self, clean: bool) -> None:
        self.setWindowModified(not clean)

    # building
    def _make_actions(self) -> None:
        self.undo_action = self.history.createUndoAction(self, self.tr("Undo"))
        self.redo_action = self.history.createRedoAction(self, self.tr("Redo"))
        self.undo_action.setShortcut(QKeySequence.StandardKey.Undo)
        self.redo_action.setShortcuts([QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")])
        self.addActions([self.undo_action, self.redo_action])
        self.paste_action = self._action(self.tr("Paste"), lambda: self.paste(self._side_in_use()), self.tr("A ranking from the clipboard, into the list that is in use"))
        self.example_actions = tuple(self._action(example.name, lambda checked=False, e=example: self.open_example(e), example.about) for example in EXAMPLES)
        self.copy_actions = (
            self._action(self.tr("Values as a table"), self.copy_values, shortcut="Ctrl+Shift+C"),
            self._action(self.tr("Steps as text"), lambda: self._copy(self._steps().text)),
            self._action(self.tr("Steps as Markdown"), lambda: self._copy(self._steps().markdown)),
            self._action(self.tr("Steps as LaTeX"), lambda: self._copy(self._steps().tex)),
        )

    def _action(self, words: str, done, tip: str = "", shortcut: str = "") -> QAction:
        action = QAction(words, self)
        action.triggered.connect(done)
        action.setToolTip(tip)
        if shortcut:
            action.setShortcut(shortcut)
            self.addAction(action)
        return action

    def _make_toolbar(self) -> None:
        """Menus and verbs. Other modules hang their actions into `open_menu`, `view_menu`, `copy_menu`, `export_menu` and `help_menu`."""
        bar, self.second_bar = QToolBar(self.tr("Toolbar"), self), QToolBar(self.tr("Conventions"), self)
        for each in (bar, self.second_bar):
            each.setMovable(False)
            each.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
            self.addToolBar(each)
            each.layout().setContentsMargins(8, 8, 8, 8)
        self._menus: list[tuple[QAction, QMenu]] = []
        self._signs: dict[QToolButton, str] = {}  # the drawing of each button
        self.insertToolBarBreak(self.second_bar)
        self.second_bar.hide()
        self.bar = bar
        self.examples_button = menu_button(self.tr("Examples"), self.example_actions, bar)
        self.examples_menu = self.examples_button.menu()
        bar.addWidget(self.examples_button)
        self.open_menu = self._toolbar_menu(self.tr("Open"), "open")
        bar.addAction(self.paste_action)
        bar.addSeparator()
        bar.addActions([self.undo_action, self.redo_action])
        bar.addSeparator()
        self.pills = {name: Pill(name, bar) for name in CONVENTIONS}
        self._pills_apart = False
        self._pill_actions = [bar.addWidget(pill) for pill in self.pills.values()]
        space = QWidget()
        space.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._space = bar.addWidget(space)
        self.view_menu = self._toolbar_menu(self.tr("View"), "view")
        self.copy_menu = self._toolbar_menu(self.tr("Copy"), "copy", self.copy_actions)
        self.copy_button = self.copy_menu.parent()
        self.export_menu = self._toolbar_menu(self.tr("Export"), "export")
        self.help_menu = self._toolbar_menu(self.tr("Help"), "help")
        self._signs |= {self.examples_button: "examples", **{bar.widgetForAction(action): name for action, name in ((self.paste_action, "paste"), (self.undo_action, "undo"), (self.redo_action, "redo"))}}
        self._show_signs()

    def _show_signs(self) -> None:
        """The drawings in the colours and the size of now."""
        self.bar.setIconSize(sign_size())
        for button, name in self._signs.items():
            (button.defaultAction() or button).setIcon(sign(name))
            button.setIconSize(sign_size())

    def _toolbar_menu(self, words: str, name: str, actions: tuple[QAction, ...] = ()) -> QMenu:
        """A menu of the toolbar, with its drawing; its button is hidden where it is empty."""
        button = menu_button(words, actions, self.bar)
        button.setToolTip(words)
        self._signs[button] = name
        self._menus.append((self.bar.addWidget(button), button.menu()))
        return button.menu()

    def _fit_toolbar(self) -> None:
        """Fewer words where the window is narrow, then no drawings; then the conventions stand in a line of their own."""
        for less, short, bare, plain, apart in ((0, 0, 0, 0, 0), (1, 0, 0, 0, 0), (1, 1, 0, 0, 0), (1, 1, 1, 0, 0), (1, 1, 1, 1, 0), (1, 1, 1, 0, 1), (1, 1, 1, 1, 1)):
            for action, words in ((self.undo_action, self.tr("Undo")), (self.redo_action, self.tr("Redo"))):
                action.setIconText(words)
            for button, name in self._signs.items():
                alone = less and name in ("undo", "redo", "view", "help")
                button.setToolButtonStyle(STYLES[0 if alone else 1 if plain else 2])
                if button.menu():
                    button.setText(button.text().removesuffix(" ▾") + ("" if bare or alone else " ▾"))
            for pill in self.pills.values():
                pill.shorten(bool(short))
            if self._toolbar_width(bool(apart)) <= self.width():
                break
        apart = bool(apart)
        if apart == self._pills_apart:
            return
        self._pills_apart = apart
        for action in self._pill_actions:
            (self.bar if apart else self.second_bar).removeAction(action)
            self.second_bar.addAction(action) if apart else self.bar.insertAction(self._space, action)
        for pill in self.pills.values():
            pill.show()
        self.second_bar.setVisible(apart)

    def _toolbar_width(self, apart: bool) -> int:
        """What everything needs in one line, or all but the conventions."""
        fixed = [action for action in self.bar.actions() if action.isVisible() and action is not self._space and action not in self._pill_actions]
        widgets = [*map(self.bar.widgetForAction, fixed), *(() if apart else self.pills.values())]
        return sum(widget.sizeHint().width() + self.bar.layout().spacing() for widget in widgets) + 32

    def _make_views(self) -> None:
        self.fields = {letter: QLineEdit(placeholderText=self.tr("best first: 3 2 ? 0   or   bus:3 bike:2"), accessibleName=self.tr("Ranking {0}").format(letter)) for letter in PAIR}
        self.views = {letter: RankingView(letter) for letter in PAIR}
        self.names = {letter: label(size=14, bold=True) for letter in PAIR}
        self.counts = {letter: label(size=12, tone=look.SECONDARY) for letter in PAIR}
        self.values = {letter: label(size=14, bold=True, tone=look.VALUE[letter]) for letter in PAIR}
        self.list_menus = {letter: entering.ListMenu(self, letter) for letter in PAIR}
        self.gutter = Gutter(self.views["A"], self.views["B"])
        self.effect, self.effect_value = label(size=12, tone=look.SECONDARY), label(bold=True)
        self.message = label(size=12)
        self.message.setWordWrap(True)
        self.message.setProperty("tone", "wrong")
        self.message.hide()
        self.tray = Tray()
        self.measures = CellTable(cells.measures_head(), look.ROW, 1, self.tr("Measures"), bold_selection=True)
        self.note = label(size=12, tone=look.SECONDARY)
        self.note.setWordWrap(True)
        self.note.setTextFormat(Qt.TextFormat.RichText)
        page = QWidget()
        page.setProperty("ground", "panel")
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(0)
        self.upper, self.strips = QWidget(), chart_pages.Strips()
        self.upper.setLayout(self._upper())
        self.strips.hide()
        column.addWidget(self.upper, 3)
        folded = _row(self.strips)
        folded.setContentsMargins(look.MARGIN, 0, look.MARGIN, 0)
        column.addLayout(folded)
        column.addWidget(_rule())
        column.addLayout(self._lower(), 2)
        frame = QScrollArea(objectName="frame")
        frame.setFrameShape(QScrollArea.Shape.NoFrame)
        frame.setWidgetResizable(True)
        frame.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        frame.setWidget(page)
        self.setCentralWidget(frame)

    def _upper(self) -> QHBoxLayout:
        lists = QGridLayout()
        lists.setHorizontalSpacing(0)
        lists.setVerticalSpacing(0)
        self.title, self.judged = label(size=15, bold=True), label(size=12, tone=look.SECONDARY)
        heading = QHBoxLayout()
        heading.setSpacing(12)
        heading.addWidget(self.title)
        heading.addWidget(self.judged)
        heading.addStretch()
        self.legend = Legend()
        heading.addWidget(self.legend)
        lists.addLayout(heading, 0, 0, 1, 3)
        effect = _row(self.effect, None, self.effect_value)
        lists.addLayout(_row(KeySquare("A"), self.names["A"], self.list_menus["A"], self.counts["A"], None, self.values["A"]), 1, 0)
        lists.addLayout(effect, 1, 1)
        lists.addLayout(_row(self.values["B"], KeySquare("B"), self.names["B"], self.list_menus["B"], self.counts["B"], None), 1, 2)
        lists.addWidget(self.fields["A"], 2, 0, Qt.AlignmentFlag.AlignTop)
        lists.addWidget(self.fields["B"], 2, 2, Qt.AlignmentFlag.AlignTop)
        lists.addWidget(self.message, 3, 0, 1, 3)
        lists.setRowMinimumHeight(1, 34)
        for field in self.fields.values():
            field.setFixedHeight(field.sizeHint().height())
        lists.setRowMinimumHeight(2, self.fields["A"].height() + 8)
        lists.addWidget(self.views["A"], 4, 0)
        lists.addWidget(self.gutter, 4, 1)
        lists.addWidget(self.views["B"], 4, 2)
        self.add_lost = QToolButton(text=self.tr("Add one"), toolTip=self.tr("A relevant document that no list has retrieved: it counts in R and in the ideal"))
        self.add_lost.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.add_lost.clicked.connect(lambda: self.add(self.side, retrieved=False))
        lost = QHBoxLayout()
        lost.addWidget(self.tray, 1)
        lost.addWidget(self.add_lost)
        lists.addLayout(lost, 5, 0, 1, 3)
        for at, stretch in enumerate((33, 18, 33)):
            lists.setColumnStretch(at, stretch)
        lists.setColumnMinimumWidth(1, 156)
        lists.setRowStretch(4, 1)
        side = QVBoxLayout()
        side.setSpacing(8)
        side.addSpacing(28)
        side.addWidget(self.measures, 1)
        side.addWidget(self.note)
        self.measures.setMinimumWidth(376)
        self.measures.setMaximumWidth(440)
        both = QHBoxLayout()
        both.setContentsMargins(look.MARGIN, 0, look.MARGIN, 6)
        both.setSpacing(20)
        both.addLayout(lists, 10)
        both.addLayout(side, 4)
        return both

    def _lower(self) -> QVBoxLayout:
        self.tabs = QTabBar()
        self.pages = QStackedWidget()
        for page in (make() for make in chart_pages.PAGES):
            self.tabs.addTab(page.title)
            self.pages.addWidget(page)
            page.chosen.connect(lambda doc: self.choose(doc, ""))
        self.tabs.setExpanding(False)
        self.tabs.setUsesScrollButtons(False)
        self.tabs.setElideMode(Qt.TextElideMode.ElideNone)
        self.side_buttons = {letter: SideButton(letter) for letter in PAIR}
        group = QButtonGroup(self)
        for button in self.side_buttons.values():
            group.addButton(button)
        self.of = label(self.tr("of"), 12, tone=look.SECONDARY)
        top = QHBoxLayout()
        top.setContentsMargins(look.MARGIN, 0, look.MARGIN, 0)
        top.setSpacing(6)
        top.addWidget(self.tabs)
        top.addStretch()
        self.fold_button = QToolButton()
        self.fold_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        for widget in (self.of, *self.side_buttons.values(), self.fold_button):
            top.addWidget(widget)
        self.pages.setMinimumHeight(150)
        self.pages.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        box = QVBoxLayout()
        box.setSpacing(0)
        box.addLayout(top)
        box.addWidget(_rule())
        box.addWidget(self.pages, 1)
        return box

    def _make_status(self) -> None:
        self.shared_words, self.unjudged_words, self.convention_words = QLabel(), QLabel(), QLabel()
        self.last_words, self.saved_words = QLabel(), QLabel()
        for widget in (self.shared_words, self.unjudged_words, self.convention_words):
            self.statusBar().addWidget(widget)
        for widget in (self.shared_words, self.unjudged_words, self.convention_words, self.last_words, self.saved_words):
            widget.setFont(look.font(widget.font(), 12))
            widget.setProperty("text size", (12, False))
        self.statusBar().addPermanentWidget(self.last_words)
        self.statusBar().addPermanentWidget(self.saved_words)
        self.statusBar().setSizeGripEnabled(False)

    def _connect(self) -> None:
        self.timer = QTimer(self, singleShot=True, interval=WAIT)
        self.timer.timeout.connect(self._say_mistake)
        self._mistakes: dict[str, str] = {}
        self._problem = ""
        for letter in PAIR:
            view = self.views[letter]
            self.fields[letter].textEdited.connect(lambda text, at=letter: self.type(at, text))
            self.fields[letter].editingFinished.connect(self._say_mistake)
            view.dragged.connect(lambda row, to, at=letter: self._preview(at, row, to))
            view.dropped.connect(lambda row, to, at=letter: self.move(at, row, to))
            view.drag_ended.connect(self.end_preview)
            view.stepped.connect(lambda row, to, at=letter: self.move(at, row, to, follow=True))
            view.graded.connect(self.grade)
            view.renamed.connect(self.rename)
            view.removed.connect(lambda row, at=letter: self.remove(at, row))
            view.added.connect(lambda at=letter: self.add(at))
            view.pasted.connect(lambda at=letter: self.paste(at))
            view.chosen.connect(lambda doc, at=letter: self.choose(doc, at))
            view.hovered.connect(self._light)
        self.carrying = Carrying(self, self.tray, self.views)
        self.measures.selectionModel().currentRowChanged.connect(lambda now, before: self.pick(self.measures.model().keys[now.row()]) if now.isValid() else None)
        self.tabs.currentChanged.connect(self._turn)
        for letter, button in self.side_buttons.items():
            button.clicked.connect(lambda checked=False, at=letter: self.take_side(at))
        for pill in self.pills.values():
            pill.picked.connect(lambda name, value: self.change(self.session.set(**{name: value}), self.tr("Set {0}").format(name)))

    # verbs
    def change(self, session: Session, words: str, typed: str = "") -> None:
        """Put a new session into the history and show it."""
        self._problem = ""
        if session != self.session:
            self.history.push(Change(self, session, words, typed))
            self.last_words.setText(words)

    def open_example(self, example: Example) -> None:
        """An example in place of the session."""
        self.open_session(Session.of(example), self.tr("Open {0}").format(example.name))
        self.last_words.setText(example.about)

    def open_session(self, session: Session, words: str, path: str = "") -> None:
        """Another session, from an example or from a file; undo brings the old one back."""
        self._mistakes.clear()
        self.say("")
        if (session, path) != (self.session, self.path):
            self.history.push(Change(self, session, words, path=path))
        self.history.setClean()
        self.last_words.setText(words)

    def restore(self, session: Session, path: str, changed: bool, picked: str, large: bool) -> None:
        """The session that was open when the program ended."""
        self.path, self.picked = path, picked
        self.history.clear()
        self.show_session(session)
        if changed:
            self.history.resetClean()
        self.helping.show_large(large)
        self.last_words.setText(self.tr("Restored as you left it"))

    def saved(self, path: str) -> None:
        """The session is in a file now."""
        self.path = path
        self.history.setClean()
        self._show_title(self.session)
        self.last_words.setText(self.tr("Saved as {0}").format(path))

    def _show_title(self, session: Session) -> None:
        self.setWindowFilePath(self.path)
        name = os.path.basename(self.path) or session.name or self.tr("Rankings")
        self.setWindowTitle(f"{name}[*] — rankmetrics")

    def say(self, words: str) -> None:
        """Say what went wrong, beside the work that stays; no words take it away."""
        self._problem = words
        self._say_mistake()

    def type(self, letter: str, text: str) -> None:
        """A ranking as it is typed. What cannot be read yet stays in its field, and the last list that could be read is shown."""
        try:
            session = self.session.paste(letter, text) if letter in self.session.letters or text.strip() else self.session
            if letter == "B" and not text.strip():
                session = session.only("A")
        except DataError as error:
            self._mistakes[letter] = str(error)
            self.timer.start()
            return
        self._mistakes.pop(letter, None)
        self._say_mistake()
        self.change(session, self.tr("Type list {0}").format(letter), typed=letter)

    def move(self, letter: str, row: int, to: int, follow: bool = False) -> None:
        """Move a row; `follow`: a step of the keyboard, where the selection goes along."""
        docs = self.session.lists[self.session.index(letter)]
        if row == to or not 0 <= to < len(docs):
            return
        self.change(self.session.move(letter, row + 1, to + 1), self.tr("Move {0} to rank {1} of {2}").format(self.session.title(docs[row]), to + 1, letter))
        if follow:
            self.views[letter].scrollTo(self.views[letter].currentIndex())

    def grade(self, doc: str, grade: float | None) -> None:
        """Judge a document for both lists."""
        words = self.tr("Grade {0} {1}") if grade is not None else self.tr("Take the grade of {0} away")
        self.change(self.session.grade(doc, grade), words.format(self.session.title(doc), look.grade_text(grade)))

    def rename(self, doc: str, title: str) -> None:
        """Show a document under another title; without one, under its id."""
        if title != self.session.title(doc):
            self.change(self.session.rename(doc, "" if title == doc else title), self.tr("Rename {0} to {1}").format(self.session.title(doc), title or doc))

    def remove(self, letter: str, row: int) -> None:
        """Take a document out of a list."""
        title = self.session.title(self.session.lists[self.session.index(letter)][row])
        self.change(self.session.remove(letter, row + 1), self.tr("Take {0} out of {1}").format(title, letter))

    def add(self, letter: str, retrieved: bool = True) -> None:
        """Add an unjudged document to a list, or a relevant one that was not retrieved."""
        letter = letter if letter in self.session.letters else "A"
        if retrieved:
            self.change(self.session.add(letter), self.tr("Add a document to {0}").format(letter))
        else:
            self.change(self.session.add(letter, grade=self.session.rel, retrieved=False), self.tr("Add a relevant document that was not retrieved"))

    def paste(self, letter: str) -> None:
        """The clipboard as a list, after a look at what was read."""
        entering.paste(self, letter)

    def _side_in_use(self) -> str:
        """The list with the keyboard, or else the one whose steps are shown."""
        return next((letter for letter in PAIR if self.views[letter].hasFocus() or self.fields[letter].hasFocus()), self.side)

    def pick(self, name: str) -> None:
        """Show the steps of another measure."""
        if name != self.picked:
            self.picked = name
            self._refresh(self.session)

    def copy_values(self) -> None:
        """All values as tab-separated lines."""
        head = "\t".join(("measure", *self.session.letters, *(["B - A"] if len(self.session.lists) > 1 else [])))
        lines = ["\t".join((row.label, *map(shown, row.values), *([signed(row.difference)[1]] if len(row.values) > 1 else []))) for row in self.session.report().rows]
        self._copy("\n".join([head, *lines]))

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self.last_words.setText(self.tr("Copied"))

    # showing
    def show_session(self, session: Session, keep_text: str = "") -> None:
        """Draw a session; `keep_text` names the field that is being typed in."""
        changed = [letter for letter in PAIR if self._list_text(self.session, letter) != self._list_text(session, letter) or not self._mistakes.get(letter)]
        self.session, self._before = session, None
        for letter in changed:
            if letter != keep_text and self.fields[letter].text() != self._list_text(session, letter):
                self.fields[letter].setText(self._list_text(session, letter))
                self.fields[letter].setCursorPosition(0)
            self._mistakes.pop(letter, None)
        self._say_mistake()
        self._refresh(session)

    def _list_text(self, session: Session, letter: str) -> str:
        return session.text(letter) if letter in session.letters else ""

    def _steps(self):
        return self.session.steps(self.picked, self.side)

    def _refresh(self, session: Session) -> None:
        """Draw everything from a session, or from the preview of one."""
        report = session.report()
        if self.picked not in session.measures:
            self.picked = session.measures[0]
        if self.side not in session.letters:
            self.side = "A"
        row = report[self.picked]
        steps = {letter: session.steps(self.picked, letter) for letter in session.letters} if not row.problem else {}
        two = len(session.lists) > 1
        self._show_heads(session, row, two)
        for letter in PAIR:
            self.views[letter].show_rows(cells.list_rows(session, letter, steps) if letter in session.letters else (), session.k)
            self.views[letter].fit_height(self.rows)
        self._show_measures(session, report)
        state = State(session, report, row, steps, self.side)
        self._show_gutter(state)
        self.strips.show_state(state)
        self._show_page(state)
        self.drawn.emit(state)
        absent = [doc for doc in session.absent() if session.grades[doc] >= session.rel]
        self.tray.show_items(tuple((doc, session.title(doc), session.grades[doc]) for doc in absent))
        self._show_status(session, two)

    def _show_heads(self, session: Session, row, two: bool) -> None:
        relevant = sum(grade >= session.rel for grade in session.grades.values())
        self.title.setText(session.name or self.tr("Rankings"))
        self._show_title(session)
        self.judged.setText(self.tr("{0} judged, {1} relevant").format(len(session.grades), relevant))
        for letter in PAIR:
            here = letter in session.letters
            at = PAIR.index(letter)
            n = len(session.lists[at]) if here else 0
            name = "" if here and session.names[at] == letter else session.names[at] if here else self.tr("second ranking")
            self.names[letter].setText(look.elided(self.names[letter], name, 90 if len(session.lists) > 2 else 130))
            self.names[letter].setToolTip(name)
            self.counts[letter].setText((self.tr("{0} document") if n == 1 else self.tr("{0} documents")).format(n) if here else self.tr("type it below"))
            self.values[letter].setText(shown(row.values[at]) if here else "")
        arrow, text = signed(row.difference)
        self.effect.setText((self.tr("Effect") if self._fitted[0] else self.tr("Effect on {0}").format(row.label)) if two else "")
        self.legend.setVisible(two and not self._fitted[1])
        self.effect_value.setText(f"{arrow} {text}".strip() if two else "")
        tone(self.effect_value, look.effect(row.difference or 0) if arrow else look.SECONDARY)
        for menu in self.list_menus.values():
            menu.show_session(session)
        for name, pill in self.pills.items():
            pill.show_value(getattr(session, name))

    def _show_measures(self, session: Session, report) -> None:
        words, could_be = cells.could_be(session, self.picked)
        self.note.setText(self.tr("Outline: {0} before the drag. <b>Esc</b> puts it back.").format(self._dragged) if self._before else words)
        for column in (3, 4):
            self.measures.setColumnHidden(column, len(session.lists) < 2)
        last = Cell(self.tr("{0} since drag").format(self._dragged), align=cells.RIGHT, colour=look.VALUE[self._dragged]) if self._before else cells.measures_head()[-1]
        self.measures.show_cells(*cells.measure_cells(session, report, self._before, self._dragged, could_be), head=(*cells.measures_head()[:-1], last) if last != self.measures.model().head[-1] else None)
        self.measures.choose(self.picked)
        self.measures.fit_height(self.rows + 1)

    def _show_page(self, state: State) -> None:
        """Draw the page in front; a page that needs two lists is closed where there is one."""
        for at, page in enumerate(self._pages()):
            self.tabs.setTabEnabled(at, len(state.session.lists) >= page.lists)
        if not self.tabs.isTabEnabled(self.tabs.currentIndex()):
            self.tabs.setCurrentIndex(0)
        page = self.pages.currentWidget()
        for letter, button in self.side_buttons.items():
            button.setVisible(letter in state.session.letters and page.sided)
            button.setChecked(letter == self.side)
            if letter in state.session.letters:
                name = state.session.names[PAIR.index(letter)]
                button.setText(letter if name == letter else f"{letter} {name}")
                button.updateGeometry()
        self.of.setVisible(page.sided)
        page.show_state(state)

    def _pages(self) -> list[Page]:
        return [self.pages.widget(at) for at in range(self.pages.count())]

    def page(self, kind: type[Page]) -> Page:
        """The page of a kind."""
        return next(page for page in self._pages() if isinstance(page, kind))

    def _show_gutter(self, state: State) -> None:
        session = state.session
        if len(session.lists) < 2:
            self.gutter.show_links(())
            return
        effects = {change.doc_id: change.difference for change in state.why.rows} if state.why else {}
        rows = [{doc: at for at, doc in enumerate(docs)} for docs in session.lists]
        docs = dict.fromkeys((*session.lists[0], *session.lists[1]))
        self.gutter.show_links(tuple(Link(doc, rows[0].get(doc), rows[1].get(doc), session.grades.get(doc), effects.get(doc, 0.0)) for doc in docs))

    def _show_status(self, session: Session, two: bool) -> None:
        sizes = ", ".join(self.tr("{0} in {1}").format(len(docs), letter) for letter, docs in zip(session.letters, session.lists))
        shared = ", " + self.tr("{0} shared").format(len(set(session.lists[0]) & set(session.lists[1]))) if two else ""
        self.shared_words.setText(sizes + shared)
        at = f"@{session.k}" if session.k else ""
        unseen = [self.tr("{0} unjudged in {1}").format(len(session.unjudged_docs(letter)), letter + at) for letter in session.letters if session.unjudged_docs(letter)]
        self.unjudged_words.setText(", ".join(unseen) or (self.tr("all judged in the top {0}").format(session.k) if session.k else self.tr("all judged")))
        plain = Session()
        changed = [f"{name} {self.pills[name].words}" for name in CONVENTIONS if name != "k" and getattr(session, name) != getattr(plain, name)]
        self.convention_words.setText(self.tr("Conventions: {0}").format(", ".join(changed) or self.tr("house default")))

    def _say_mistake(self) -> None:
        """Say what cannot be read, in words, beside the work that stays."""
        for letter in PAIR:
            field, wrong = self.fields[letter], letter in self._mistakes
            if field.property("wrong") != wrong:
                field.setProperty("wrong", wrong)
                field.style().polish(field)
        words = [self._problem] * bool(self._problem) + [self.tr("List {0}: {1}. Below is the last list that could be read.").format(letter, text) for letter, text in self._mistakes.items()]
        self.message.setText("\n".join(words))
        self.message.setVisible(bool(words))
        self.timer.stop()

    def showEvent(self, event) -> None:
        super().showEvent(event)
        for button, menu in self._menus:
            button.setVisible(bool(menu.actions()))
        self._fit_toolbar()

    def closeEvent(self, event) -> None:
        self.keeping.end()
        super().closeEvent(event)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._fit_toolbar()
        before = self._fitted
        self._fit_window()
        if before != self._fitted:
            self._refresh(self.session)

    def _fit_window(self) -> None:
        """What a narrow or low window leaves out: bars of measures, counts, rows beyond five (the lists scroll)."""
        wide, high = self.width() / look.zoom(), self.height() / look.zoom()
        self._fitted = narrow, tight, low = wide < 1200, wide < 1100, high < 700
        self.rows = 5 if low else 8
        self.measures.setColumnHidden(1, tight)
        self.measures.setMinimumWidth(round(look.px(314 if tight else 350 if narrow else 376)))
        for letter in PAIR:
            self.counts[letter].setVisible(not narrow)

    def look_changed(self) -> None:
        """Draw everything anew: another theme, another size or another language."""
        self._fit_window()
        self._show_signs()
        self._fit_toolbar()
        for field in self.fields.values():
            field.setFixedHeight(field.sizeHint().height())
        self._refresh(self.session)
        for widget in self.findChildren(QWidget):
            widget.updateGeometry()
            widget.update()

    # following the mouse and the selection
    def _preview(self, letter: str, row: int, to: int) -> None:
        """Show where a dragged row would go."""
        docs = self.session.lists[self.session.index(letter)]
        self.preview(letter, self.session.move(letter, row + 1, to + 1), self.tr("Moving {0} in {1}: rank {2} to {3}").format(self.session.title(docs[row]), letter, row + 1, to + 1))

    def preview(self, letter: str, session: Session, words: str) -> None:
        """Show what a drag into or out of a list would make; nothing enters the history."""
        self._before, self._dragged = self._before or self.session.report(), letter
        self.last_words.setText(words)
        self._refresh(session)

    def end_preview(self) -> None:
        """The session as it is."""
        self._before = None
        self.last_words.setText("")
        self._refresh(self.session)

    def choose(self, doc: str, source: str) -> None:
        """Select a document: its chip opens in the list that was used, and it is lit everywhere else."""
        self._doc = doc
        for letter, view in self.views.items():
            if source and letter != source:
                view.choose("")
        if source:
            self.take_side(source)
        self._light("")

    def _light(self, doc: str) -> None:
        """Light the hovered document, or else the selected one."""
        for view in (*self.views.values(), self.gutter, *self._pages()):
            view.light(doc or self._doc)

    def take_side(self, letter: str) -> None:
        if letter != self.side:
            self.side = letter
            self._refresh(self.session)
        self.side_buttons[self.side].setChecked(True)

    def _turn(self, page: int) -> None:
        self.pages.setCurrentIndex(page)
        self._refresh(self.session)


def _rule() -> QWidget:
    """A hairline."""
    line = QWidget()
    line.setFixedHeight(1)
    line.setProperty("ground", "hairline")
    return line


def _row(*widgets: QWidget | None) -> QHBoxLayout:
    """Widgets side by side; None is the space between."""
    row = QHBoxLayout()
    row.setContentsMargins(4, 0, 4, 0)
    row.setSpacing(8)
    for widget in widgets:
        if widget is None:
            row.addStretch()
        else:
            row.addWidget(widget)
    return row
