"""Ways into a session: a pasted list with a preview, files that are opened or dropped, and the query of many to look at."""

from __future__ import annotations

import os

from PySide6.QtCore import QAbstractTableModel, QCoreApplication, QEvent, QModelIndex, QObject, QSortFilterProxyModel, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from rankmetrics_gui import counts, keeping, runs
from rankmetrics_gui import palette as look
from rankmetrics_gui.controls import label
from rankmetrics_gui.tables import CENTRE, RIGHT, Cell, CellTable
from rankmetrics_gui.viewing import fit
from rankmetrics_nb.relevance import DataError, Qrels, Run
from rankmetrics_nb.session import LETTERS, Collection, ReadList, Session, judge, put, query_notes, query_session, read_list, read_table, shown, swap

SMALL = 1_000_000  # bytes that are read at once; more is read beside the window
FEW = 5  # errors and notes that a dialog shows in full


def _tr(text: str) -> str:
    return QCoreApplication.translate("entering", text)


def install(window) -> None:
    """Pasting with a preview, dropping, the bar of an opened query, the menus of three and more lists."""
    window.files = Collection()
    window.query_bar = QueryBar(window)
    window.stack = runs.install(window, window.query_bar)
    window.drops = Drops(window)
    window.paste_action.setShortcut(QKeySequence.StandardKey.Paste)
    window.addAction(window.paste_action)
    paste = QAction(_tr("A list as text…"), window)
    paste.triggered.connect(lambda: paste_text(window, window._side_in_use(), ""))
    window.open_menu.addAction(paste)
    counts.install(window)


# a pasted list
def paste(window, letter: str) -> None:
    """Look at what the clipboard holds; files that were copied are opened."""
    data = QGuiApplication.clipboard().mimeData()
    paths = local_paths(data)
    if paths:
        open_any(window, paths)
    else:
        paste_text(window, letter, data.text())


def paste_text(window, letter: str, text: str) -> None:
    """Show what a text holds; only what is accepted changes the session."""
    window.dialog = PasteDialog(window, letter, text)
    window.dialog.open()


PREVIEW_HEAD = (
    Cell("Rank", align=RIGHT, colour=look.SECONDARY),
    Cell("Document", colour=look.SECONDARY),
    Cell("Grade", align=CENTRE, colour=look.SECONDARY),
    Cell("", colour=look.SECONDARY),
    Cell("Line", align=RIGHT, colour=look.SECONDARY),
)


class PasteDialog(QDialog):
    """What was read of a text, before anything changes. The text can be mended on the spot."""

    def __init__(self, window, letter: str, text: str):
        super().__init__(window)
        self.window, self.found = window, ReadList()
        self.setWindowTitle(self.tr("Paste a list"))
        self.resize(780, 520)
        self._make_parts(letter)
        self._place_parts()
        self.text.setPlainText(text)
        self.text.textChanged.connect(self.read)
        self.into.currentIndexChanged.connect(self.show_found)
        self.anew.toggled.connect(self.show_found)
        self.read()
        self.anew.setChecked(self._is_another_query())
        (self.text if not text else self.take).setFocus()
        fit(self)

    def _make_parts(self, letter: str) -> None:
        session: Session = self.window.session
        self.into = QComboBox(accessibleName=self.tr("Which list"))
        for each in LETTERS[: min(len(session.lists) + 1, len(LETTERS))]:
            name = session.names[LETTERS.index(each)] if each in session.letters else self.tr("a new list")
            self.into.addItem(each if name == each else f"{each}  {name}", each)
        self.into.setCurrentIndex(max(self.into.findData(letter), 0))
        self.anew = QCheckBox(self.tr("Another query: leave out the other lists and all judgements"))
        self.text = QPlainTextEdit(accessibleName=self.tr("Text"), tabChangesFocus=True, placeholderText=self.tr("Best first, one document a line:\nbus 3\nbike 2\npass ?"))
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.table = CellTable(PREVIEW_HEAD, look.STEP_ROW, 3, self.tr("What was read"), title=1)
        self.wrong = label(size=12)
        self.wrong.setProperty("tone", "wrong")
        self.notes = label(size=12, tone=look.SECONDARY)
        for words in (self.wrong, self.notes):
            words.setWordWrap(True)
            words.setTextFormat(Qt.TextFormat.PlainText)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.take = self.buttons.addButton("", QDialogButtonBox.ButtonRole.AcceptRole)
        self.take.setDefault(True)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    def _place_parts(self) -> None:
        top = QHBoxLayout()
        words = label(self.tr("&Into"))
        words.setBuddy(self.into)
        for widget in (words, self.into, self.anew):
            top.addWidget(widget)
        top.addStretch()
        both = QSplitter()
        both.addWidget(self.text)
        both.addWidget(self.table)
        both.setSizes([300, 440])
        both.setChildrenCollapsible(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(10)
        column.addLayout(top)
        column.addWidget(both, 1)
        for widget in (self.wrong, self.notes, self.buttons):
            column.addWidget(widget)

    def read(self) -> None:
        """Read the text anew."""
        self.found = read_list(self.text.toPlainText())
        self.wrong.setText(_some(self.found.errors))
        self.wrong.setVisible(bool(self.found.errors))
        self.show_found()

    def _letter(self) -> str:
        return self.into.currentData()

    def _is_another_query(self) -> bool:
        """Does the list share no document with the session, so that its judgements cannot be of the same query?"""
        session: Session = self.window.session
        known = {*session.grades, *(doc for docs in session.lists for doc in docs)}
        return self.found.named and bool(self.found.items) and not any(item.doc_id in known for item in self.found.items)

    def show_found(self) -> None:
        """Draw what the session would get."""
        known = {} if self.anew.isChecked() or not self.found.named else self.window.session.grades
        self.into.setEnabled(not self.anew.isChecked())
        cells = []
        for rank, item in enumerate(self.found.items, 1):
            kept = item.grade is None and item.doc_id in known
            grade = known[item.doc_id] if kept else item.grade
            said = self.tr("judged here before") if kept else self.tr("unjudged") if grade is None else item.title
            cells.append((Cell(str(rank), align=RIGHT, colour=look.SECONDARY), Cell(item.doc_id), Cell(chip=True, grade=grade), Cell(said, colour=look.SECONDARY), Cell(str(item.line), align=RIGHT, colour=look.FAINT)))
        self.table.show_cells(tuple(cells), tuple(item.doc_id for item in self.found.items))
        n = len(self.found.items)
        out = len(self.found.errors)
        words = self.tr("Take 1 document") if n == 1 else self.tr("Take {0} documents").format(n)
        left = self.tr("leave 1 line out") if out == 1 else self.tr("leave {0} lines out").format(out)
        self.take.setText(f"{words}, {left}" if out else words)
        self.take.setEnabled(bool(n))
        shared = sum(item.doc_id in self.window.session.grades for item in self.found.items)
        notes = list(self.found.notes)
        if not self.found.named and n:
            notes.append(self.tr("grades alone: the documents get names of their own"))
        elif n and not self.anew.isChecked():
            notes.append(self.tr("{0} of {1} documents are judged in this session").format(shared, n))
        self.notes.setText(_some(notes))

    def accept(self) -> None:
        """Take the list over, as one step."""
        try:
            session = put(self.window.session, self._letter(), self.found, anew=self.anew.isChecked())
        except DataError as error:
            self.wrong.setText(str(error))
            self.wrong.show()
            return
        super().accept()
        where = "A" if self.anew.isChecked() else self._letter()
        self.window.change(session, self.tr("Paste {0} documents into {1}").format(len(self.found.items), where))


def _some(lines) -> str:
    """The first lines, and how many more there are."""
    more = [_tr("and {0} more").format(len(lines) - FEW)] if len(lines) > FEW else []
    return "\n".join((*lines[:FEW], *more))


# files
def local_paths(data) -> list[str]:
    """The files that dragged or copied data names."""
    return [url.toLocalFile() for url in data.urls() if url.isLocalFile()] if data.hasUrls() else []


def open_any(window, paths: list[str]) -> None:
    """Sessions, judgements and runs, as they come."""
    getattr(keeping, "open_paths", open_paths)(window, paths)


def open_paths(window, paths: list[str]) -> None:
    """Read judgements and runs and show them; a mistake is said and changes nothing."""
    if sum(os.path.getsize(path) for path in paths if os.path.isfile(path)) > SMALL:
        runs.read_beside(window, paths, lambda files: received(window, files))
        return
    try:
        tables = [read_table(path) for path in paths]
        received(window, join(window.files, tables))
    except DataError as error:
        window.query_bar.say(str(error), wrong=True)


def join(files: Collection, tables: list[Qrels | Run]) -> Collection:
    """New files beside those that are open; files of other queries take their place."""
    queries = {query for table in tables for query in table.query_ids}
    both = {type(table) for table in tables} == {Qrels, Run}
    kept = files if not both and queries & set(files.queries) else Collection()
    return kept.with_tables(*tables)


def received(window, files: Collection) -> None:
    """Show what was read: the one query, or a choice of queries; judgements alone join the lists that are here."""
    if not files.runs:
        receive_judgements(window, files)
    elif len(files.queries) == 1:
        open_query(window, files, files.queries[0])
    else:
        window.dialog = QueryChooser(window, files)
        window.dialog.open()


def receive_judgements(window, files: Collection) -> None:
    """Judgements for the lists that are here: of the one query, or of the one whose documents they hold."""
    here = {doc for docs in window.session.lists for doc in docs}
    shared = {query: len(here.intersection(files.qrels[query])) for query in files.queries}
    fitting = [query for query, n in shared.items() if n]
    window.files = files
    if not fitting:
        said = _tr("{0}: no document of the lists is judged there, so nothing is changed. The judgements are kept for runs that you open next.")
        window.query_bar.say(said.format(os.path.basename(files.qrels.source)), wrong=True)
    elif len(fitting) == 1:
        take_judgements(window, files, fitting[0])
    else:
        window.dialog = QueryChooser(window, files, best=max(fitting, key=shared.get))
        window.dialog.open()


def take_judgements(window, files: Collection, query: str) -> None:
    """The judgements of a query in place of those of the session."""
    try:
        session = judge(window.session, files.qrels[query], query)
    except DataError as error:
        window.query_bar.say(str(error), wrong=True)
        return
    name = os.path.basename(files.qrels.source)
    unseen = {letter: sum(doc not in session.grades for doc in docs) for letter, docs in zip(session.letters, session.lists)}
    window.change(session, _tr("Judgements of {0} from {1}").format(query, name))
    notes = [_tr("{0} unjudged in {1}").format(n, letter) for letter, n in unseen.items() if n]
    window.query_bar.say("; ".join((_tr("{0} judgements of query {1} from {2}").format(len(files.qrels[query]), query, name), *notes)))


def open_query(window, files: Collection, query: str) -> None:
    """One query in the two columns, under the conventions of the session."""
    try:
        session = query_session(files, query, window.session)
    except DataError as error:
        window.query_bar.say(str(error), wrong=True)
        return
    window.files = files
    window.stack.show_lists()
    window.change(session, _tr("Open query {0}").format(query))
    window.query_bar.follow(files, query)


class QueryModel(QAbstractTableModel):
    """The queries of files: how many documents each holds."""

    def __init__(self, files: Collection, parent=None):
        super().__init__(parent)
        self.files = files
        self.tables = (*([files.qrels] if files.qrels is not None else []), *files.runs)
        self.head = (self.tr("Query"), *([self.tr("judged")] if files.qrels is not None else []), *files.names)

    def rowCount(self, parent=QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.files.queries)

    def columnCount(self, parent=QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.head)

    def data(self, index, role=Qt.ItemDataRole.DisplayRole):
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column():
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.UserRole):
            return None
        query = self.files.queries[index.row()]
        if not index.column():
            return query
        table = self.tables[index.column() - 1]
        rows = table.rows(query) if query in table else slice(0, 0)
        n = rows.stop - rows.start
        return n if role == Qt.ItemDataRole.UserRole or n else "–"

    def headerData(self, section, orientation, role=Qt.ItemDataRole.DisplayRole):
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.head[section]
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            return (Qt.AlignmentFlag.AlignRight if section else Qt.AlignmentFlag.AlignLeft) | Qt.AlignmentFlag.AlignVCenter
        return None


def plain_table(name: str) -> QTableView:
    """A table of lines to choose one from, in the look of the window."""
    table = QTableView()
    table.setAccessibleName(name)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(max(look.STEP_ROW, table.fontMetrics().height() + 10))
    table.setShowGrid(False)
    table.setFrameShape(QFrame.Shape.NoFrame)
    table.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QTableView.SelectionMode.SingleSelection)
    table.setTabKeyNavigation(False)
    table.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
    table.horizontalHeader().setHighlightSections(False)
    table.horizontalHeader().setStretchLastSection(False)
    return table


class QueryChooser(QDialog):
    """Which query of many? What is odd about it stands below."""

    def __init__(self, window, files: Collection, best: str = ""):
        super().__init__(window)
        self.window, self.files = window, files
        self.setWindowTitle(self.tr("Choose a query"))
        self.resize(620, 520)
        self.filter = QLineEdit(placeholderText=self.tr("Filter"), accessibleName=self.tr("Filter the queries"), clearButtonEnabled=True)
        self.table = plain_table(self.tr("Queries"))
        self.proxy = QSortFilterProxyModel(self, sortRole=Qt.ItemDataRole.UserRole, filterCaseSensitivity=Qt.CaseSensitivity.CaseInsensitive)
        self.proxy.setSourceModel(QueryModel(files, self))
        self.table.setModel(self.proxy)
        for column in range(self.proxy.columnCount()):
            self.table.horizontalHeader().setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents if column else QHeaderView.ResizeMode.Stretch)
        self.notes = label(size=12, tone=look.SECONDARY)
        self.notes.setWordWrap(True)
        self.notes.setTextFormat(Qt.TextFormat.PlainText)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.take = self.buttons.addButton(self.tr("Open the query") if files.runs else self.tr("Take its judgements"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.all = QPushButton(self.tr("All queries…"))
        self.all.setToolTip(self.tr("The values of every query, side by side"))
        if files.runs and files.qrels is not None:
            self.buttons.addButton(self.all, QDialogButtonBox.ButtonRole.ActionRole)
        self.take.setDefault(True)
        self._place_parts()
        self.filter.textChanged.connect(self.narrow)
        self.filter.installEventFilter(self)
        self.table.selectionModel().currentRowChanged.connect(self.say)
        self.table.doubleClicked.connect(lambda index: self.accept())
        self.all.clicked.connect(self.open_all)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        at = files.queries.index(best) if best else 0
        self.table.setCurrentIndex(self.proxy.mapFromSource(self.proxy.sourceModel().index(at, 0)))
        self.table.setFocus()
        fit(self)

    def _place_parts(self) -> None:
        files, column = self.files, QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(10)
        what = self.tr("{0} queries in {1}").format(len(files.queries), ", ".join(os.path.basename(table.source) for table in (*([files.qrels] if files.qrels is not None else []), *files.runs)))
        if not files.runs:
            what += "\n" + self.tr("Of which query are the lists in the window?")
        elif files.qrels is None:
            what += "\n" + self.tr("There are no judgements yet: every document is unjudged until you open qrels or grade it.")
        head = label(what, size=13)
        head.setWordWrap(True)
        for widget in (head, self.filter, self.table, self.notes, self.buttons):
            column.addWidget(widget, 1 if widget is self.table else 0)

    def narrow(self, text: str) -> None:
        """Show the queries that hold a text."""
        self.proxy.setFilterFixedString(text)
        if not self.table.currentIndex().isValid() and self.proxy.rowCount():
            self.table.setCurrentIndex(self.proxy.index(0, 0))
        self.take.setEnabled(self.table.currentIndex().isValid())

    def eventFilter(self, watched, event) -> bool:
        """The arrow keys go from the filter into the table."""
        if event.type() == QEvent.Type.KeyPress and event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.table.setFocus()
            QCoreApplication.sendEvent(self.table, event)
            return True
        return super().eventFilter(watched, event)

    def query(self) -> str:
        """The query that is chosen."""
        return self.proxy.data(self.proxy.index(self.table.currentIndex().row(), 0)) or ""

    def say(self) -> None:
        """What to know about the chosen query."""
        query = self.query()
        self.take.setEnabled(bool(query))
        self.notes.setText(_some(query_notes(self.files, query)) if query else "")

    def open_all(self) -> None:
        """The table of all queries."""
        super().reject()
        runs.show_files(self.window, self.files)

    def accept(self) -> None:
        query = self.query()
        if not query:
            return
        super().accept()
        if self.files.runs:
            open_query(self.window, self.files, query)
        else:
            take_judgements(self.window, self.files, query)


class QueryBar(QFrame):
    """A line above the lists: which query of the files this is, and what is odd about it; or what went wrong."""

    def __init__(self, window):
        super().__init__()
        self.window, self.at = window, None
        self.back = QToolButton(text=self.tr("‹ All queries"), toolTip=self.tr("The table of all queries (Alt+Left)"))
        self.before = QToolButton(text="▲", toolTip=self.tr("The query before (Ctrl+PgUp)"), accessibleName=self.tr("The query before"))
        self.after = QToolButton(text="▼", toolTip=self.tr("The next query (Ctrl+PgDown)"), accessibleName=self.tr("The next query"))
        self.words = label(size=12)
        self.words.setWordWrap(True)
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.close_button = QToolButton(text="×", toolTip=self.tr("Close this line"), accessibleName=self.tr("Close this line"))
        row = QHBoxLayout(self)
        row.setContentsMargins(look.MARGIN, 4, look.MARGIN, 4)
        row.setSpacing(6)
        for widget in (self.back, self.before, self.after, self.words, self.close_button):
            row.addWidget(widget, 1 if widget is self.words else 0)
            if isinstance(widget, QToolButton):
                widget.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setProperty("ground", "panel")
        self.back.clicked.connect(lambda: runs.show_files(window, window.files))
        self.before.clicked.connect(lambda: self.step(-1))
        self.after.clicked.connect(lambda: self.step(1))
        self.close_button.clicked.connect(self.hide)
        for key, button in (("Alt+Left", self.back), ("Ctrl+PgUp", self.before), ("Ctrl+PgDown", self.after)):
            QShortcut(QKeySequence(key), self, lambda button=button: button.click() if button.isVisible() else None)
        window.history.indexChanged.connect(lambda: self._check())
        self.hide()

    def say(self, words: str, wrong: bool = False) -> None:
        """A sentence alone."""
        self._show(None, words, wrong)

    def follow(self, files: Collection, query: str) -> None:
        """The query that is shown, and its notes."""
        at = files.queries.index(query)
        head = self.tr("Query {0}, {1} of {2}.").format(query, at + 1, len(files.queries))
        self._show(at, "  ".join((head, *(f"{note}." for note in query_notes(files, query)))), False)
        self.session_name = query

    def _show(self, at: int | None, words: str, wrong: bool) -> None:
        self.at = at
        several = at is not None and len(self.window.files.queries) > 1
        self.back.setVisible(several and self.window.files.qrels is not None)
        self.before.setVisible(several)
        self.after.setVisible(several)
        if several:
            self.before.setEnabled(at > 0)
            self.after.setEnabled(at < len(self.window.files.queries) - 1)
        self.words.setProperty("tone", "wrong" if wrong else look.TEXT)
        self.words.style().polish(self.words)
        self.words.setText(words)
        self.show()

    def _check(self) -> None:
        """A query that is no longer shown takes its line along; a sentence goes with the next step."""
        if self.at is None or self.window.session.name != self.session_name:
            self.hide()

    def step(self, by: int) -> None:
        """Another query of the files."""
        open_query(self.window, self.window.files, self.window.files.queries[self.at + by])


class Drops(QObject):
    """Files dropped anywhere in the window; text dropped on a list."""

    def __init__(self, window):
        super().__init__(window)
        self.window = window
        window.setAcceptDrops(True)
        window.installEventFilter(self)
        for field in window.fields.values():
            field.installEventFilter(self)

    def eventFilter(self, watched, event) -> bool:
        kind = event.type()
        if kind == QEvent.Type.KeyPress and isinstance(watched, QLineEdit) and event.matches(QKeySequence.StandardKey.Paste):
            return self._paste_lines(watched)
        if kind not in (QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.Drop):
            return False
        data = event.mimeData()
        if not (local_paths(data) or data.hasText() and not isinstance(watched, QLineEdit)):
            return False
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        if kind == QEvent.Type.Drop:
            self._drop(data, watched.mapTo(self.window, event.position().toPoint()) if isinstance(watched, QWidget) else None)
        return True

    def _drop(self, data, place) -> None:
        paths = local_paths(data)
        if paths:
            open_any(self.window, paths)
            return
        letters = [letter for letter, view in self.window.views.items() if place and view.rect().contains(view.mapFrom(self.window, place))]
        paste_text(self.window, letters[0] if letters else self.window._side_in_use(), data.text())

    def _paste_lines(self, field: QLineEdit) -> bool:
        """Several lines, or a table, do not fit into one line: they get the preview."""
        text = QGuiApplication.clipboard().text().strip()
        if "\n" not in text and "\t" not in text:
            return False
        paste(self.window, next(letter for letter, each in self.window.fields.items() if each is field))
        return True


class ListMenu(QToolButton):
    """Which of three or more lists stands in a column."""

    def __init__(self, window, letter: str):
        super().__init__(window)
        self.window, self.letter = window, letter
        self.setText("▾")
        self.setProperty("bare", True)
        self.setAccessibleName(self.tr("Another list as {0}").format(letter))
        self.setToolTip(self.accessibleName())
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.clicked.connect(self.choose)
        self.hide()

    def show_session(self, session: Session) -> None:
        self.setVisible(len(session.lists) > 2)

    def choose(self) -> None:
        """Offer the other lists."""
        session, menu = self.window.session, QMenu(self)
        for letter, name in zip(session.letters, session.names):
            value = self.window.session.report()[self.window.picked].values[LETTERS.index(letter)]
            action = menu.addAction(f"{letter}  {'' if name == letter else name}\t{shown(value)}")
            action.setCheckable(True)
            action.setChecked(letter == self.letter)
            action.triggered.connect(lambda checked=False, to=letter: self.take(to))
        self.menu_open = menu
        menu.popup(self.mapToGlobal(self.rect().bottomLeft()))

    def take(self, letter: str) -> None:
        """Let two lists change places."""
        if letter != self.letter:
            session = self.window.session
            name = session.names[LETTERS.index(letter)]
            self.window.change(swap(session, self.letter, letter), self.tr("Show {0} as {1}").format(name, self.letter))


