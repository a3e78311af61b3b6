"""The tables beside and below the lists: measures, steps, and why B differs from A."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyle, QStyledItemDelegate, QTableView

from rankmetrics_gui import palette as look

RIGHT, LEFT, CENTRE = Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignHCenter
CELL = Qt.ItemDataRole.UserRole
MEASURED = 100  # rows whose text decides how wide a column is


@dataclass(frozen=True)
class Cell:
    """What one cell shows: words, a chip, or bars."""

    text: str = ""
    small: str = ""  # faint, after the text
    colour: str = look.TEXT
    align: Qt.AlignmentFlag = LEFT
    bold: bool = False
    chip: bool = False
    grade: float | None = None
    bars: tuple[tuple[str, float, float], ...] = ()  # colour, from, to (0 to 1), drawn below each other
    track: bool = False  # a pale ground under the bars
    outline: float | None = None  # the end of the first bar as it was before
    outlined: int = 0  # which bar the outline belongs to
    whiskers: tuple[float | None, ...] = ()  # per bar, what it could reach
    draw: Callable[[QPainter, QRectF], None] | None = None  # paints the cell, all of it
    ground: str = ""  # colour of its row, where it stands out
    spill: bool = False  # in the last row: may run over the cells to its right
    tip: str = ""


class Rows(Sequence):
    """Rows of cells that are made when they are first looked at: of 1,000 rows a dozen can be seen."""

    def __init__(self, n: int, make: Callable[[int], tuple], last: tuple = ()):
        self.n, self.made = n + bool(last), {n: last} if last else {}
        self._make = make

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, at):
        if isinstance(at, slice):
            return tuple(self[row] for row in range(*at.indices(self.n)))
        at = at + self.n if at < 0 else at
        if not 0 <= at < self.n:
            raise IndexError(at)
        if at not in self.made:
            self.made[at] = self._make(at)
        return self.made[at]


class CellModel(QAbstractTableModel):
    """Rows of cells; `keys` say what each row is about."""

    def __init__(self, head: tuple[Cell, ...], parent=None):
        super().__init__(parent)
        self.head, self.cells, self.keys = head, (), ()

    def rowCount(self, parent=QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.cells)

    def columnCount(self, parent=QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.head)

    def data(self, index, role=Qt.ItemDataRole.DisplayRole):
        if not index.isValid():
            return None
        cell = self.cells[index.row()][index.column()]
        if role == CELL:
            return cell
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return look.grade_text(cell.grade) if cell.chip else " ".join(filter(None, (cell.text, cell.small)))
        if role == Qt.ItemDataRole.ToolTipRole:
            return cell.tip or None
        return None

    def headerData(self, section, orientation, role=Qt.ItemDataRole.DisplayRole):
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.head[section].text
        return None

    def show_cells(self, cells: tuple, keys: tuple, head: tuple[Cell, ...] | None = None) -> None:
        """Replace all rows."""
        same = len(cells) == len(self.cells) and cells and head is None
        if not same:
            self.beginResetModel()
        self.cells, self.keys, self.head = cells, keys, head or self.head
        if same:
            self.dataChanged.emit(self.index(0, 0), self.index(len(cells) - 1, len(self.head) - 1))
        else:
            self.endResetModel()


class CellDelegate(QStyledItemDelegate):
    """Draws a cell."""

    def __init__(self, view: "CellTable"):
        super().__init__(view)
        self.view = view

    def paint(self, painter: QPainter, option, index) -> None:
        cell, rect = index.data(CELL), QRectF(option.rect)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if cell.ground:
            painter.fillRect(rect, look.ink(cell.ground))
        if selected or self.view.is_lit(index.row()):
            painter.fillRect(rect, look.ink(look.TINT))
        painter.fillRect(QRectF(rect.x(), rect.bottom() - 1, rect.width(), 1), look.ink(look.STRONG if self.view.is_rule(index.row()) else look.HAIRLINE))
        if selected and index.column() == 0:
            painter.fillRect(QRectF(rect.x(), rect.y(), look.px(3), rect.height()), look.ink(look.TEXT))
        self._content(painter, rect if cell.draw else rect.adjusted(look.px(8 if index.column() == 0 else 4), 0, -look.px(4), 0), cell, selected)
        painter.restore()

    def _content(self, painter: QPainter, rect: QRectF, cell: Cell, selected: bool) -> None:
        bold = cell.bold or selected and self.view.bold_selection
        if cell.draw:
            cell.draw(painter, rect)
            return
        if cell.chip:
            painter.setFont(look.font(painter.font(), 12, True))
            width = look.chip_width(painter, cell.grade)
            look.chip(painter, QRectF(rect.center().x() - width / 2, rect.center().y() - look.CHIP_HEIGHT / 2, width, look.CHIP_HEIGHT), cell.grade)
        if cell.bars:
            self._bars(painter, rect, cell)
        if cell.text:
            look.text(painter, rect, cell.text, cell.colour, cell.align, 13, bold)
        if cell.small:
            painter.setFont(look.font(painter.font(), 13, bold))
            used = painter.fontMetrics().horizontalAdvance(cell.text + " ") + 2 if cell.text else 0
            look.text(painter, rect.adjusted(used, 1, 0, 0), cell.small, look.FAINT, LEFT, 11)

    def _bars(self, painter: QPainter, rect: QRectF, cell: Cell) -> None:
        height, gap = look.px(8 if len(cell.bars) > 1 else 10), look.px(2)
        y = rect.center().y() - (height * len(cell.bars) + gap * (len(cell.bars) - 1)) / 2
        for at, (colour, start, end) in enumerate(cell.bars):
            line = QRectF(rect.x(), y, rect.width(), height)
            if cell.track:
                look.bar(painter, line, look.TRACK)
            if end > start:
                look.bar(painter, QRectF(rect.x() + start * rect.width(), y, max((end - start) * rect.width(), look.px(2)), height), colour)
            if at == cell.outlined and cell.outline is not None:
                painter.setPen(QPen(look.ink(look.TEXT), 1))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(QRectF(rect.x() + 0.5, y - 0.5, max(cell.outline * rect.width() - 1, 1), height))
            if at < len(cell.whiskers) and cell.whiskers[at] is not None:
                self._whisker(painter, rect, y + height / 2, end, cell.whiskers[at], colour)
            y += height + gap

    def _whisker(self, painter: QPainter, rect: QRectF, y: float, start: float, end: float, colour: str) -> None:
        """A line from the end of a bar to what it could reach."""
        x = rect.x() + min(end, 1) * rect.width() - 0.5
        painter.setPen(QPen(look.ink(colour), 1))
        painter.drawLine(QPointF(rect.x() + start * rect.width(), y), QPointF(x, y))
        painter.drawLine(QPointF(x, y - look.px(3)), QPointF(x, y + look.px(3)))


class CellHeader(QHeaderView):
    """Column names in the look of the cells."""

    def __init__(self, parent):
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionsClickable(False)
        self.setHighlightSections(False)

    def sizeHint(self) -> QSize:
        return QSize(round(look.px(60)), self.parent().verticalHeader().defaultSectionSize() - (0 if self.parent().bold_selection else round(look.px(3))))

    def paintSection(self, painter: QPainter, rect, section: int) -> None:
        head, area = self.model().head[section], QRectF(rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(area, look.ink(look.PANEL))
        painter.fillRect(QRectF(area.x(), area.bottom() - 1, area.width(), 1), look.ink(look.STRONG))
        inner = area.adjusted(look.px(8 if section == 0 else 4), 0, -look.px(4), 0)
        if head.draw:
            head.draw(painter, area)
        elif head.chip:
            look.key(painter, QRectF(inner.right() - look.px(18), inner.center().y() - look.px(9), look.px(18), look.px(18)), head.text)
        else:
            look.text(painter, inner, head.text, head.colour, head.align, 12 if not head.bold else 13, head.bold)
        painter.restore()


class CellTable(QTableView):
    """A table of cells without a frame; one row is selected at a time."""

    def __init__(self, head: tuple[Cell, ...], row_height: int, stretch: int, name: str, title: int | None = None, bold_selection: bool = False, parent=None):
        super().__init__(parent)
        self.title = title  # the column that is elided first
        self.bold_selection, self.lit, self.rule_after, self.stretch = bold_selection, "", -1, stretch
        self.setModel(CellModel(head, self))
        self.setItemDelegate(CellDelegate(self))
        self.setHorizontalHeader(CellHeader(self))
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(10)
        self.row_height = row_height / look.zoom()
        self.fit_rows()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setMinimumSectionSize(10)
        self.setShowGrid(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setAccessibleName(name)

    def fit_rows(self) -> None:
        """Rows as high as the font and the zoom need."""
        self.verticalHeader().setDefaultSectionSize(round(max(look.px(self.row_height), self.fontMetrics().height() + look.px(12))))

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "row_height"):
            self.fit_rows()

    def is_lit(self, row: int) -> bool:
        return bool(self.lit) and row < len(self.model().keys) and self.model().keys[row] == self.lit

    def is_rule(self, row: int) -> bool:
        """Does a strong line stand below this row?"""
        return row == self.rule_after or row == len(self.model().cells) - 1

    def light(self, key: str) -> None:
        """Tint the row that is about this."""
        if key != self.lit:
            self.lit = key
            self.viewport().update()

    def show_cells(self, cells: tuple, keys: tuple, head: tuple[Cell, ...] | None = None) -> None:
        """Replace all rows; the selection stays with its key."""
        key = self.key()
        self.clearSpans()
        self.model().show_cells(cells, keys, head)
        for column, cell in enumerate(cells[-1] if cells else ()):
            if cell.spill:
                self.setSpan(len(cells) - 1, column, 1, 4)
        self.fit()
        if key in keys and key != self.key():
            self.choose(key)

    def key(self) -> str:
        """What the selected row is about."""
        row = self.currentIndex().row()
        return self.model().keys[row] if 0 <= row < len(self.model().keys) else ""

    def choose(self, key: str) -> None:
        """Select a row without telling anyone."""
        row = self.model().keys.index(key) if key in self.model().keys else -1
        self.selectionModel().blockSignals(True)
        if row >= 0:
            self.selectRow(row)
        else:
            self.clearSelection()
        self.selectionModel().blockSignals(False)
        self.viewport().update()

    def widths(self) -> list[int]:
        """What each column needs for its text."""
        out = []
        for column, head in enumerate(self.model().head):
            cells = [row[column] for row in (*self.model().cells[:MEASURED], *self.model().cells[-1:])]
            needs = [self._needs(cell) for cell in cells] + [self._needs(head)]
            out.append(round(max(needs) + look.px(14 if column == 0 else 12)))
        return out

    def _needs(self, cell: Cell) -> float:
        if cell.bars or cell.draw:
            return look.px(56)
        words = look.metrics(self.font(), 13, cell.bold or self.bold_selection)
        width = 0.0 if cell.spill else words.horizontalAdvance(cell.text)
        if cell.small:
            width += look.metrics(self.font(), 11).horizontalAdvance(cell.small) + look.px(8)
        if cell.chip:
            width = max(width, look.px(30), words.horizontalAdvance(look.grade_text(cell.grade)) + look.px(10))
        return width

    def fit(self) -> None:
        """Give each column what it needs and the rest to the bars; where there is too little, titles are elided."""
        widths = [0 if self.isColumnHidden(column) else width for column, width in enumerate(self.widths())]
        rest = self.viewport().width() - sum(widths)
        given = max(rest, round(look.px(44)) - widths[self.stretch])
        widths[self.stretch] += given
        if self.title is not None:
            widths[self.title] = max(widths[self.title] + rest - given, min(widths[self.title], round(look.px(90))))
        for column, width in enumerate(widths):
            self.setColumnWidth(column, width)

    def fit_height(self, most: int) -> None:
        """Ask for the height of the rows, up to so many."""
        rows = min(len(self.model().cells), most)
        self.setMinimumHeight(rows * self.verticalHeader().defaultSectionSize() + self.horizontalHeader().sizeHint().height())

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self.fit()
