"""Whole runs: every query with its values, read beside the window where the files are long."""

from __future__ import annotations

import os

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QCoreApplication, QEvent, QModelIndex, QObject, QRectF, QSortFilterProxyModel, Qt, QThread, Signal
from PySide6.QtGui import QAction, QBrush, QKeySequence, QPainter, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QProgressDialog,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from rankmetrics_gui import palette as look
from rankmetrics_gui.controls import label
from rankmetrics_nb.files import watched
from rankmetrics_nb.relevance import DataError
from rankmetrics_nb.session import LETTERS, Collection, read_table, shown, signed

RAW = Qt.ItemDataRole.UserRole
WAIT = 300  # milliseconds before a progress box appears


def _tr(text: str) -> str:
    return QCoreApplication.translate("runs", text)


def install(window, bar: QWidget) -> "Stack":
    """Put the lists and the table of all queries into one place, with the bar of the query above the lists."""
    stack = Stack(window, window.takeCentralWidget(), bar)
    window.setCentralWidget(stack)
    action = QAction(_tr("All queries"), window)
    action.setShortcut("Ctrl+Shift+Q")
    action.triggered.connect(lambda: show_files(window, window.files))
    action.setEnabled(False)
    window.addAction(action)
    window.view_menu.addAction(action)
    window.runs_action = action
    return stack


def show_files(window, files: Collection) -> None:
    """The table of all queries of some files."""
    window.files = files
    if files.qrels is None or not files.runs:
        window.query_bar.say(_tr("The table of all queries needs judgements and a run: open the qrels and one run or more."), wrong=True)
        return
    try:
        files.matched  # noqa: B018
        window.stack.show_table(files)
    except DataError as error:
        window.query_bar.say(str(error), wrong=True)


class Stack(QStackedWidget):
    """The lists, or the table of all queries."""

    def __init__(self, window, lists: QWidget, bar: QWidget):
        super().__init__()
        self.window = window
        page = QWidget()
        page.setProperty("ground", "panel")
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(lists, 1)
        self.addWidget(page)
        self.table: RunsPage | None = None

    def show_table(self, files: Collection) -> None:
        """The table, made when it is first asked for."""
        if self.table is None:
            self.table = RunsPage(self.window)
            self.addWidget(self.table)
        self.window.runs_action.setEnabled(True)
        self.table.show_files(files)
        self.setCurrentWidget(self.table)
        self.window.last_words.clear()
        self.table.view.setFocus()

    def show_lists(self) -> None:
        """Back to the two columns."""
        self.window.runs_action.setEnabled(self.window.files.qrels is not None and bool(self.window.files.runs))
        self.setCurrentIndex(0)


# reading beside the window
class Stopped(Exception):
    """The user has given up waiting."""


class Reading(QThread):
    """Reads files and matches them with their judgements, so that the window goes on."""

    went_on = Signal(str, int)  # what is done, in words, and how much of it in per cent
    done = Signal(object)  # the Collection
    failed = Signal(str)

    def __init__(self, paths: list[str], files: Collection, parent=None):
        super().__init__(parent)
        self.paths, self.files, self.stopped = paths, files, False
        self._sizes = [os.path.getsize(path) if os.path.isfile(path) else 0 for path in paths]

    def stop(self) -> None:
        """Stop at the next block of lines."""
        self.stopped = True

    def run(self) -> None:
        from rankmetrics_gui.entering import join

        try:
            tables = [self._read(at) for at in range(len(self.paths))]
            self._say(_tr("Matching documents and judgements"), 95)
            files = join(self.files, tables)
            if files.qrels is not None:
                files.matched  # noqa: B018
            self._check()
            self.done.emit(files)
        except Stopped:
            pass
        except (DataError, OSError, MemoryError) as error:
            self.failed.emit(str(error) or _tr("There is not enough memory for these files"))

    def _read(self, at: int):
        name, before, total = os.path.basename(self.paths[at]), sum(self._sizes[:at]), max(sum(self._sizes), 1)

        def say(done: int, of: int) -> None:
            share = (before + self._sizes[at] * done / max(of, 1)) / total
            self._say(_tr("Reading {0}").format(name), int(share * 90))

        with watched(say):
            say(0, 1)
            return read_table(self.paths[at])

    def _say(self, words: str, per_cent: int) -> None:
        self._check()
        self.went_on.emit(words, per_cent)

    def _check(self) -> None:
        if self.stopped:
            raise Stopped


def read_beside(window, paths: list[str], then) -> Reading:
    """Read long files while the window stays alive; `then` gets the files. Cancel stops the reading."""
    reading = Reading(paths, window.files, window)
    box = QProgressDialog(_tr("Reading"), _tr("Cancel"), 0, 100, window)
    box.setWindowTitle(_tr("Open"))
    box.setWindowModality(Qt.WindowModality.WindowModal)
    box.setMinimumDuration(WAIT)
    box.setAutoReset(False)
    box.setAutoClose(False)
    box.setMinimumWidth(420)
    reading.went_on.connect(lambda words, per_cent: (box.setLabelText(words), box.setValue(per_cent)))
    box.canceled.connect(reading.stop)
    reading.done.connect(then)
    reading.failed.connect(lambda words: window.query_bar.say(words, wrong=True))
    reading.finished.connect(lambda: _over(window, reading, box))
    window.reading, window.progress = reading, box
    window.destroyed.connect(reading.stop)
    reading.start()
    return reading


def _over(window, reading: Reading, box: QProgressDialog) -> None:
    reading.wait()  # it has said that it is done; its thread ends now
    box.canceled.disconnect()
    box.close()
    box.deleteLater()
    if reading.stopped:
        window.last_words.setText(_tr("Opening cancelled"))
    window.reading = None
    reading.deleteLater()


# the table
class RunsModel(QAbstractTableModel):
    """A row a query: its values for every run and the differences from the first run."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.files, self.columns, self.heads = Collection(), [], []

    def show_values(self, files: Collection, name: str, like) -> None:
        """The values of a measure."""
        self.beginResetModel()
        self.files = files
        found = [files.column(name, at, like) for at in range(len(files.runs))]
        self.found = found
        self.heads = [self.tr("Query"), self.tr("Relevant")]
        self.columns = [files.relevant(like)]
        for letter, run, column in zip(LETTERS, files.names, found):
            self.heads.append(f"{letter}  {run}\n{self.tr('mean')} {shown(column.mean)}")
            self.columns.append(column.values)
        for letter, column in zip(LETTERS[1:], found[1:]):
            arrow, text = signed(column.mean - found[0].mean)
            self.heads.append(f"{letter} − A\n{f'{arrow} {text}'.strip()}")
            self.columns.append(column.values - found[0].values)
        self.first_change = 2 + len(found)
        self.heads.append("")
        self.endResetModel()

    def rowCount(self, parent=QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() or self.files.qrels is None else len(self.files.qrels.query_ids)

    def columnCount(self, parent=QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.heads)

    def data(self, index, role=Qt.ItemDataRole.DisplayRole):
        column = index.column()
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return (Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft) | Qt.AlignmentFlag.AlignVCenter
        if role not in (Qt.ItemDataRole.DisplayRole, RAW, Qt.ItemDataRole.ForegroundRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        query = self.files.qrels.query_ids[index.row()]
        if not column:
            return None if role == Qt.ItemDataRole.ForegroundRole else query
        if column > len(self.columns):
            return self._bars(index.row()) if role == RAW else None
        value = float(self.columns[column - 1][index.row()])
        if role == Qt.ItemDataRole.ForegroundRole:
            return QBrush(look.ink(look.effect(value) if abs(value) > 1e-12 else look.SECONDARY)) if column >= self.first_change else None
        if role == RAW:
            return -np.inf if np.isnan(value) else value
        return self._text(column, value)

    def _bars(self, row: int) -> tuple[float, ...]:
        """The values of the first two runs, ready to draw: 0 to 1."""
        values = [float(column.values[row]) for column in self.found[:2]]
        most = max((float(np.nanmax(column.values, initial=1)) for column in self.found[:2]), default=1)
        return tuple(0.0 if np.isnan(value) else max(value, 0) / most for value in values)

    def _text(self, column: int, value: float) -> str:
        if column == 1:
            return f"{value:g}"
        if np.isnan(value):
            return self.tr("undefined")
        return shown(value) if column < self.first_change else " ".join(signed(value)).strip()

    def headerData(self, section, orientation, role=Qt.ItemDataRole.DisplayRole):
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole and section < len(self.heads):
            return self.heads[section]
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            return (Qt.AlignmentFlag.AlignRight if section else Qt.AlignmentFlag.AlignLeft) | Qt.AlignmentFlag.AlignVCenter
        return None


class RunsDelegate(QStyledItemDelegate):
    """Draws a cell of the table of all queries: hairline, text, and in the last column the bars of A and B."""

    def paint(self, painter: QPainter, option, index) -> None:
        rect, selected = QRectF(option.rect), bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if selected or hovered:
            painter.fillRect(rect, look.ink(look.TINT))
        painter.fillRect(QRectF(rect.x(), rect.bottom() - 1, rect.width(), 1), look.ink(look.HAIRLINE))
        if selected and index.column() == 0:
            painter.fillRect(QRectF(rect.x(), rect.y(), look.px(3), rect.height()), look.ink(look.TEXT))
        words = index.data(Qt.ItemDataRole.DisplayRole)
        inner = rect.adjusted(look.px(8), 0, -look.px(8), 0)
        if words is None:
            self._bars(painter, inner, index.data(RAW) or ())
        else:
            brush, value = index.data(Qt.ItemDataRole.ForegroundRole), index.data(RAW)
            colour = look.TEXT if brush is None else look.effect(value)
            align = Qt.AlignmentFlag.AlignRight if index.column() else Qt.AlignmentFlag.AlignLeft
            look.text(painter, inner, words, colour, align, 13, bold=brush is not None and colour != look.NO_EFFECT)
        painter.restore()

    def _bars(self, painter: QPainter, rect: QRectF, shares: tuple[float, ...]) -> None:
        height, gap = look.px(6), look.px(2)
        y = rect.center().y() - (height * len(shares) + gap * (len(shares) - 1)) / 2
        for letter, share in zip(LETTERS, shares):
            look.bar(painter, QRectF(rect.x(), y, rect.width(), height), look.TRACK)
            if share > 0:
                look.bar(painter, QRectF(rect.x(), y, max(rect.width() * share, 2), height), look.FILL[letter])
            y += height + gap


class RunsPage(QWidget):
    """The table of all queries, with its measure, its filter and its order."""

    def __init__(self, window):
        super().__init__()
        from rankmetrics_gui.entering import plain_table

        self.window, self.files = window, Collection()
        self.setProperty("ground", "panel")
        self.back = QToolButton(text=self.tr("‹ Lists"), toolTip=self.tr("Back to the two lists (Alt+Left, Esc)"))
        self.back.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.title = label(size=15, bold=True)
        self.measure = QComboBox(accessibleName=self.tr("Measure"))
        self.filter = QLineEdit(placeholderText=self.tr("Filter the queries"), accessibleName=self.tr("Filter the queries"), clearButtonEnabled=True)
        self.order = QComboBox(accessibleName=self.tr("Order"))
        self.words = label(size=12, tone=look.SECONDARY)
        self.words.setWordWrap(True)
        self.view = plain_table(self.tr("All queries"))
        self.view.setSortingEnabled(True)
        self.model = RunsModel(self)
        self.proxy = QSortFilterProxyModel(self, sortRole=RAW, filterCaseSensitivity=Qt.CaseSensitivity.CaseInsensitive)
        self.proxy.setSourceModel(self.model)
        self.view.setModel(self.proxy)
        self.view.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self.view.setItemDelegate(RunsDelegate(self.view))
        self.view.setMouseTracking(True)
        self.view.horizontalHeader().setStretchLastSection(True)
        self.view.setHorizontalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.view.installEventFilter(self)
        self.filter.installEventFilter(self)
        self._place()
        self.back.clicked.connect(window.stack.show_lists)
        QShortcut(QKeySequence("Alt+Left"), self, window.stack.show_lists)
        self.view.activated.connect(lambda index: self.open())
        self.view.clicked.connect(lambda index: self.open())
        self.filter.textChanged.connect(self.narrow)
        self.measure.activated.connect(lambda at: self.pick(self.measure.currentData()))
        self.order.activated.connect(lambda at: self.sort(*self.order.currentData()))
        window.history.indexChanged.connect(lambda: self.refresh() if self.isVisible() else None)

    def _place(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(10)
        for widget in (self.back, self.title):
            top.addWidget(widget)
        top.addStretch()
        for words, widget in ((self.tr("&Measure"), self.measure), (self.tr("&Order"), self.order)):
            name = label(words, 12, tone=look.SECONDARY)
            name.setBuddy(widget)
            top.addWidget(name)
            top.addWidget(widget)
        self.filter.setMaximumWidth(240)
        top.addWidget(self.filter)
        column = QVBoxLayout(self)
        column.setContentsMargins(look.MARGIN, 10, look.MARGIN, 8)
        column.setSpacing(8)
        column.addLayout(top)
        column.addWidget(self.words)
        column.addWidget(self.view, 1)

    def show_files(self, files: Collection) -> None:
        """Draw files; the order and the filter stay where they can."""
        self.files = files
        self.refresh()

    def refresh(self) -> None:
        """Draw the values under the conventions of the session."""
        session = self.window.session
        name = self.window.picked
        names = [row.name for row in session.report().rows]
        self.measure.clear()
        for row in session.report().rows:
            self.measure.addItem(f"{row.label}  {row.detail}".strip(), row.name)
        self.measure.setCurrentIndex(max(names.index(name) if name in names else 0, 0))
        query = self.query()
        try:
            self.model.show_values(self.files, name, session)
        except DataError as error:
            self.words.setText(str(error))
            return
        self._choose(query)
        self._show_words()
        self._show_orders()
        self._fit()

    def _fit(self) -> None:
        """Columns as wide as their text; the bars take what is left."""
        header, last = self.view.horizontalHeader(), self.model.columnCount() - 1
        self.view.resizeColumnsToContents()
        for column in range(last):
            header.resizeSection(column, min(header.sectionSize(column) + round(look.px(24)), round(look.px(360))))

    def _show_words(self) -> None:
        found, n = self.model.found, self.proxy.rowCount()
        runs = len(self.files.runs)
        self.title.setText(self.tr("{0} queries, 1 run" if runs == 1 else "{0} queries, {1} runs").format(self.model.rowCount(), runs))
        words = [self.tr("{0} shown").format(n)] if n != self.model.rowCount() else []
        for letter, column in zip(LETTERS[1:], found[1:]):
            change = column.values - found[0].values
            better, worse = int((change > 1e-12).sum()), int((change < -1e-12).sum())
            words.append(self.tr("{0} is better than A in {1} queries, worse in {2}, equal in {3}").format(letter, better, worse, int((abs(change) <= 1e-12).sum())))
        if found[0].n != self.model.rowCount():
            words.append(self.tr("{0} queries enter the mean of A").format(found[0].n))
        self.words.setText(".  ".join((*words, self.tr("Click a query, or press Enter, to see it in two columns."))))

    def _show_orders(self) -> None:
        self.order.clear()
        heads = [head.split("\n")[0] for head in self.model.heads[:-1]]
        self.order.addItem(self.tr("as in the file"), (-1, Qt.SortOrder.AscendingOrder))
        for at, head in enumerate(heads):
            self.order.addItem(f"{head} ↑", (at, Qt.SortOrder.AscendingOrder))
            self.order.addItem(f"{head} ↓", (at, Qt.SortOrder.DescendingOrder))
        shown_now = (self.proxy.sortColumn(), self.proxy.sortOrder())
        self.order.setCurrentIndex(next((at for at in range(self.order.count()) if tuple(self.order.itemData(at)) == shown_now), 0))

    def sort(self, column: int, order) -> None:
        """Sort by a column; -1 is the order of the file."""
        self.view.sortByColumn(column, order)

    def pick(self, name: str) -> None:
        """Another measure, for the lists too."""
        self.window.pick(name)
        self.refresh()

    def narrow(self, text: str) -> None:
        """Show the queries that hold a text."""
        self.proxy.setFilterFixedString(text)
        self._show_words()

    def query(self) -> str:
        """The query under the selection."""
        index = self.proxy.index(self.view.currentIndex().row(), 0)
        return self.proxy.data(index) if index.isValid() else ""

    def _choose(self, query: str) -> None:
        """Select a query, if it is there."""
        queries = self.files.qrels.query_ids
        if query in queries:
            self.view.setCurrentIndex(self.proxy.mapFromSource(self.model.index(queries.index(query), 0)))

    def open(self) -> None:
        """The query in the two columns."""
        from rankmetrics_gui.entering import open_query

        if self.query():
            open_query(self.window, self.files, self.query())

    def eventFilter(self, watched: QObject, event) -> bool:
        """Enter opens, Esc goes back, the arrow keys leave the filter."""
        if event.type() == QEvent.Type.KeyPress:
            if watched is self.view and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.open()
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.window.stack.show_lists()
                return True
            if watched is self.filter and event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Return):
                self.view.setFocus()
                if not self.view.currentIndex().isValid():
                    self.view.setCurrentIndex(self.proxy.index(0, 0))
                return True
        return super().eventFilter(watched, event)
