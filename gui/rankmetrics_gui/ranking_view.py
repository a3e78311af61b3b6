"""One ranking: rows with a grade chip and a bar, moved by the mouse or by Alt and the arrow keys."""

from dataclasses import dataclass

from PySide6.QtCore import QAbstractListModel, QCoreApplication, QEvent, QModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QPainter, QPen
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QListView, QMenu, QStyle, QStyledItemDelegate

from rankmetrics_gui import palette as look

BAR, RANK, BAR_NEEDS = 54, 24, 310  # width of a bar, of the rank, and of a list that has room for bars
LEAST_TITLE = 48  # of a title that open chips stand beside
SWITCH = {0: "N", 1: "R"}  # two grades: not relevant, relevant


def _tr(text: str) -> str:
    return QCoreApplication.translate("ranking_view", text)


@dataclass(frozen=True)
class Row:
    """What one row shows."""

    doc: str
    title: str
    grade: float | None
    share: float  # of the largest contribution in either list, 0 to 1
    below: bool  # below the cut


class RankingModel(QAbstractListModel):
    """The rows of one list."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.rows: tuple[Row, ...] = ()

    def rowCount(self, parent=QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index, role=Qt.ItemDataRole.DisplayRole):
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return row.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            grade = self.tr("unjudged") if row.grade is None else self.tr("grade {0}").format(look.grade_text(row.grade))
            return self.tr("rank {0}, {1}, {2}").format(index.row() + 1, row.title, grade)
        return None

    def show_rows(self, rows: tuple[Row, ...]) -> None:
        """Replace the rows; the selection survives where the number of rows stays."""
        if len(rows) != len(self.rows):
            self.beginResetModel()
            self.rows = rows
            self.endResetModel()
        elif rows:
            self.rows = rows
            self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))

    def row_of(self, doc: str) -> int:
        """The row of a document; -1 where it is not listed."""
        return -1 if not doc else next((at for at, row in enumerate(self.rows) if row.doc == doc), -1)


class RowDelegate(QStyledItemDelegate):
    """Draws a row: rank, title, chip, bar. List B is mirrored, so that both bars meet in the middle."""

    def __init__(self, view: "RankingView"):
        super().__init__(view)
        self.view, self._height, self._sizes = view, 0, (QSize(), QSize())

    def height(self) -> int:
        """Of a row without the gap of the cut."""
        if not self._height:
            self._height = round(max(look.px(self.view.high), self.view.fontMetrics().height() + look.px(14)))
            self._sizes = QSize(120, self._height), QSize(120, self._height + look.GAP)
        return self._height

    def forget_height(self) -> None:
        """The font or the zoom may have changed."""
        self._height = 0

    def sizeHint(self, option, index) -> QSize:
        self.height()
        return self._sizes[self.view.is_cut(index.row())]

    def place(self, rect: QRect) -> tuple[QRectF, QRectF, QRectF]:
        """Where the rank, the title and the bar of a row stand; the chip stands at the end of the title."""
        line = QRectF(rect.x(), rect.y(), rect.width(), self.height())
        px = look.px
        width = px(BAR) if self.view.width() >= px(BAR_NEEDS) and not self.view.switch else 0
        space, rank_width, high = px(12) if width else 0, px(RANK), px(8)
        if self.view.letter == "A":
            rank, bar = QRectF(line.x() + px(4), line.y(), rank_width, line.height()), QRectF(line.right() - width - px(8), line.center().y() - high / 2, width, high)
            title = QRectF(rank.right() + px(6), line.y(), bar.x() - space - rank.right() - px(6), line.height())
        else:
            bar = QRectF(line.x() + px(8), line.center().y() - high / 2, width, high)
            rank = QRectF(bar.right() + space - px(4), line.y(), rank_width, line.height())
            title = QRectF(rank.right() + px(6), line.y(), line.right() - px(12) - rank.right(), line.height())
        return rank, title, bar

    def chips(self, rect: QRect, row: Row, opened: bool) -> list[tuple[QRectF, float | None]]:
        """The chips of a row: its grade, or all that can be chosen where the row is selected; N and R where there is a switch."""
        _, title, _ = self.place(rect)
        if self.view.switch:
            wide, high = look.px(37), look.px(24)
            return [(QRectF(title.right() - wide * (2 - grade), title.center().y() - high / 2, wide, high), grade) for grade in SWITCH]
        grades = [row.grade]
        if opened:
            grades = [*look.CHOICES] if row.grade in look.CHOICES else [*look.CHOICES, row.grade]
        if opened and title.width() < len(grades) * (look.CHIP_WIDTH + 1) + look.px(LEAST_TITLE):
            grades = [row.grade]  # its choices are in a menu
        out, right, metrics = [], title.right(), self.view.fontMetrics()
        for grade in reversed(grades):
            width = max(look.CHIP_WIDTH, metrics.horizontalAdvance(look.grade_text(grade)) + look.px(10))
            out.append((QRectF(right - width, title.center().y() - look.CHIP_HEIGHT / 2, width, look.CHIP_HEIGHT), grade))
            right -= width + 1
        return out[::-1]

    def paint(self, painter: QPainter, option, index) -> None:
        row, rect = self.view.model().rows[index.row()], option.rect
        selected = bool(option.state & QStyle.StateFlag.State_Selected) and self.view.lifted is None
        line = QRectF(rect.x(), rect.y(), rect.width(), self.height())
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._ground(painter, line, row, selected)
        chips = self.chips(rect, row, selected)
        rank, title, bar = self.place(rect)
        look.text(painter, rank, str(index.row() + 1), look.SECONDARY, Qt.AlignmentFlag.AlignRight)
        title.setRight(chips[0][0].x() - look.px(8))
        if self.view.switch:
            self._in_words(painter, title, row)
        else:
            look.text(painter, title, row.title, look.SECONDARY if row.below else look.TEXT)
        self._grades(painter, chips, row, selected or self.view.switch)
        if row.share > 0 and bar.width():
            length = max(bar.width() * row.share, look.px(2))
            look.bar(painter, QRectF(bar.right() - length if self.view.letter == "A" else bar.x(), bar.y(), length, bar.height()), look.FILL[self.view.letter])
        if self.view.is_cut(index.row()):
            self._cut(painter, line)
        painter.restore()

    def _ground(self, painter: QPainter, line: QRectF, row: Row, selected: bool) -> None:
        """Row tint, hairline, the ink bar of the selection, the outline of a lifted row."""
        painter.setPen(Qt.PenStyle.NoPen)
        if row.doc == self.view.lit or selected:
            painter.fillRect(line, look.ink(look.TINT))
        painter.fillRect(QRectF(line.x(), line.bottom() - 1, line.width(), 1), look.ink(look.HAIRLINE))
        if row.doc == self.view.lifted:
            painter.setPen(QPen(look.ink(look.FILL[self.view.letter]), look.px(1.5)))
            painter.setBrush(look.ink(look.PANEL))
            painter.drawRoundedRect(line.adjusted(1, 1, -1, -1), look.px(5), look.px(5))
        elif selected:
            painter.fillRect(QRectF(line.x(), line.y(), look.px(3), line.height()), look.ink(look.TEXT))

    def _in_words(self, painter: QPainter, place: QRectF, row: Row) -> None:
        """The title and, beside it, whether the document is relevant."""
        bold = bool(row.grade)
        look.text(painter, place, row.title, look.SECONDARY if row.below else look.TEXT, bold=bold)
        x = place.x() + max(look.metrics(painter.font(), 13, bold).horizontalAdvance(row.title), look.px(28)) + look.px(12)
        words = _tr("unjudged") if row.grade is None else _tr("relevant") if row.grade else _tr("not relevant")
        if x + look.metrics(painter.font(), 12).horizontalAdvance(words) <= place.right():
            look.text(painter, QRectF(x, place.y(), place.right() - x, place.height()), words, look.SECONDARY, size=12)

    def _grades(self, painter: QPainter, chips, row: Row, selected: bool) -> None:
        if not selected:
            look.chip(painter, *chips[0])
            return
        frame = chips[0][0].united(chips[-1][0]).adjusted(-2, -2, 2, 2)
        painter.setPen(QPen(look.ink(look.STRONG), 1))
        painter.setBrush(look.ink(look.PANEL))
        painter.drawRoundedRect(frame, look.px(5), look.px(5))
        for rect, grade in chips:
            if self.view.switch:
                look.switch(painter, rect, SWITCH[grade], grade, grade == row.grade)
            elif grade == row.grade:
                look.chip(painter, rect, grade)
            else:
                look.text(painter, rect, look.grade_text(grade), look.SECONDARY, Qt.AlignmentFlag.AlignHCenter, 12)

    def _cut(self, painter: QPainter, line: QRectF) -> None:
        """The dotted line below rank k, with its handle in list A."""
        y, start = line.bottom() + look.GAP / 2, line.x()
        if self.view.letter == "A":
            words = f"k = {self.view.cut}"
            painter.setFont(look.font(painter.font(), 11, True))
            width = painter.fontMetrics().horizontalAdvance(words) + look.px(16)
            start += width + look.px(4)
            painter.setPen(QPen(look.ink(look.TEXT), 1))
            painter.setBrush(look.ink(look.PANEL))
            handle = QRectF(line.x() + 0.5, y - look.px(8), width, look.px(16))
            painter.drawRoundedRect(handle, look.px(8), look.px(8))
            look.text(painter, handle, words, look.TEXT, Qt.AlignmentFlag.AlignHCenter, 11, True)
        painter.setPen(look.dashed(look.TEXT, 1.5, (1.5, 4)))
        painter.drawLine(QPoint(int(start), int(y)), QPoint(int(line.right()), int(y)))


class TitleField(QLineEdit):
    """Another title for a document; it closes when it loses the keyboard."""

    def keyPressEvent(self, event) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.parent().parent().setFocus()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event) -> None:
        super().focusOutEvent(event)
        self.deleteLater()


class RankingView(QListView):
    """A list whose rows follow the mouse. It only says what was asked for; the window decides."""

    dragged = Signal(int, int)  # row, where it would go: a preview
    dropped = Signal(int, int)  # the same, for good
    taken = Signal(int)  # a row over the tray: a preview
    drag_ended = Signal()  # given up with Esc, or back in its place
    stepped = Signal(int, int)  # Alt and an arrow key
    graded = Signal(str, object)  # document, grade (None = unjudged)
    removed = Signal(int)
    renamed = Signal(str, str)  # document, title
    added = Signal()
    pasted = Signal()
    chosen = Signal(str)  # the document under the selection
    hovered = Signal(str)  # the document under the mouse, or nothing

    def __init__(self, letter: str, parent=None):
        super().__init__(parent)
        self.letter, self.cut, self.lit, self.lifted = letter, None, "", None
        self.high = look.SIZES["ROW"]  # of a row, at 100 %
        self.switch = False  # N and R on every row, in place of grades
        self.tray = None  # where a row can be dragged out of the list
        self._start: tuple[int, int] | None = None  # row and height of a press that may become a drag
        self.setModel(RankingModel(self))
        self.setItemDelegate(RowDelegate(self))
        self.setDragDropMode(QAbstractItemView.DragDropMode.NoDragDrop)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setAccessibleName(self.tr("List {0}").format(letter))
        self.setToolTip(self.tr("Drag a row, or press Alt and an arrow key. 0 to 9 grades it, ? takes the grade away, F2 renames it, Insert adds a row, Delete takes it out, Ctrl+V pastes a ranking."))
        self.selectionModel().currentChanged.connect(lambda now, before: self.chosen.emit(self._doc(now.row())))

    def _doc(self, row: int) -> str:
        rows = self.model().rows
        return rows[row].doc if 0 <= row < len(rows) else ""

    def is_cut(self, row: int) -> bool:
        """Does the cut stand below this row?"""
        return self.cut is not None and row == self.cut - 1 and self.cut < len(self.model().rows)

    def show_rows(self, rows: tuple[Row, ...], cut: int | None) -> None:
        """Draw other rows; the selection follows its document."""
        doc = self._doc(self.currentIndex().row())
        self.itemDelegate().forget_height()
        if cut != self.cut or len(rows) != len(self.model().rows):
            self.cut = cut
            self.scheduleDelayedItemsLayout()
        self.model().show_rows(rows)
        self.choose(doc)

    def dataChanged(self, first, last, roles=()) -> None:
        """Draw anew. Qt would measure every row as well, but the height of a row does not depend on what it shows."""
        QAbstractItemView.dataChanged(self, first, last, roles)

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self.itemDelegate() is not None:
            self.itemDelegate().forget_height()
            self.scheduleDelayedItemsLayout()

    def visible_rows(self) -> tuple[int, int]:
        """The first and the last row that can be seen."""
        first, last = self.indexAt(QPoint(1, 0)).row(), self.indexAt(QPoint(1, self.viewport().height() - 1)).row()
        return max(first, 0), last if last >= 0 else len(self.model().rows) - 1

    def choose(self, doc: str) -> None:
        """Select a document; nothing where it is not listed."""
        row = self.model().row_of(doc)
        if row != self.currentIndex().row():
            self.selectionModel().blockSignals(True)
            self.setCurrentIndex(self.model().index(row) if row >= 0 else QModelIndex())
            if row < 0:
                self.clearSelection()
            self.selectionModel().blockSignals(False)
        self.viewport().update()

    def light(self, doc: str) -> None:
        """Tint the row of a document that is selected or hovered elsewhere."""
        if doc != self.lit:
            self.lit = doc
            self.viewport().update()

    def row_centre(self, row: int) -> int:
        """The height of the middle of a row, in the viewport."""
        height = self.itemDelegate().height()
        gap = look.GAP if self.cut is not None and self.cut <= row and self.cut < len(self.model().rows) else 0
        return row * height + gap - self.verticalOffset() + height // 2

    def ask_title(self, row: int) -> None:
        """A field over the title: Enter takes it, Esc leaves it."""
        index, doc = self.model().index(row), self._doc(row)
        _, title, _ = self.itemDelegate().place(self.visualRect(index))
        field = TitleField(self.viewport())
        field.setText(self.model().rows[row].title)
        field.setAccessibleName(self.tr("Title of {0}").format(doc))
        field.setGeometry(title.toRect().adjusted(-4, 1, 0, -2))
        field.returnPressed.connect(lambda: self._take_title(field, doc))
        field.selectAll()
        field.show()
        field.setFocus()

    def _take_title(self, field: QLineEdit, doc: str) -> None:
        words = field.text().strip()
        self.setFocus()  # the field closes
        self.renamed.emit(doc, words)

    # mouse
    def _grade_at(self, position: QPoint) -> tuple[bool, float | None]:
        """Is this a chip of an open row, and with which grade?"""
        index = self.indexAt(position)
        if not index.isValid() or index != self.currentIndex() and not self.switch:
            return False, None
        chips = self.itemDelegate().chips(self.visualRect(index), self.model().rows[index.row()], True)
        return next(((True, grade) for rect, grade in chips if rect.adjusted(-1, -3, 1, 3).contains(position)), (False, None))

    def _is_open(self, index) -> bool:
        """Is there room for all grades of the selected row?"""
        return len(self.itemDelegate().chips(self.visualRect(index), self.model().rows[index.row()], True)) > 1

    def _ask_grade(self, place: QPoint) -> None:
        """The grades as a menu, where the row has no room for them."""
        doc, menu = self._doc(self.currentIndex().row()), QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for grade in look.CHOICES:
            menu.addAction(look.grade_text(grade)).triggered.connect(lambda checked=False, grade=grade: self.graded.emit(doc, grade))
        menu.popup(place)

    def _on_chip(self, position: QPoint) -> bool:
        index = self.indexAt(position)
        if not index.isValid():
            return False
        chips = self.itemDelegate().chips(self.visualRect(index), self.model().rows[index.row()], index == self.currentIndex())
        return any(rect.adjusted(-2, -4, 2, 4).contains(position) for rect, _ in chips)

    def mousePressEvent(self, event) -> None:
        position = event.position().toPoint()
        if event.button() == Qt.MouseButton.LeftButton:
            found, grade = self._grade_at(position)
            if found:
                self.setCurrentIndex(self.indexAt(position))
                if self._is_open(self.currentIndex()):
                    self.graded.emit(self._doc(self.currentIndex().row()), grade)
                else:
                    self._ask_grade(event.globalPosition().toPoint())
                return
            if self.indexAt(position).isValid() and not self._on_chip(position):
                self._start = self.indexAt(position).row(), position.y()
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event) -> None:
        position = event.position().toPoint()
        if self._start is None:
            self.hovered.emit(self._doc(self.indexAt(position).row()))
            return
        row, y = self._start
        if self.lifted is None and abs(position.y() - y) < 6:
            return
        if self.lifted is None:
            self.lifted = self._doc(row)
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        out = self._over_tray(event)
        if self.tray is not None:
            self.tray.offer(out)
        self.taken.emit(row) if out else self.dragged.emit(row, self._row_at(position.y()))

    def _over_tray(self, event) -> bool:
        return self.tray is not None and self.tray.isVisible() and self.tray.rect().contains(self.tray.mapFromGlobal(event.globalPosition().toPoint()))

    def _row_at(self, y: int) -> int:
        """The row at a height; the first above the list, the last below it."""
        index = self.indexAt(QPoint(1, y))
        return index.row() if index.isValid() else 0 if y < 0 else max(len(self.model().rows) - 1, 0)  # its only row may hang over the tray

    def place_at(self, y: int, n: int) -> int:
        """Where a document from outside would stand in a list of n, from 0: below the rows whose middle is above it."""
        return sum(self.row_centre(row) < y for row in range(n))

    def mouseReleaseEvent(self, event) -> None:
        if self.lifted is not None and self._start is not None:
            row, to = self._start[0], self._row_at(event.position().toPoint().y())
            self._end_drag()
            self.removed.emit(row) if self._over_tray(event) else self.dropped.emit(row, to)
        self._start = None
        super().mouseReleaseEvent(event)

    def let_go(self) -> None:
        """A dragged row back to its place."""
        self._end_drag() if self.lifted is not None else None
        self._start = None

    def _end_drag(self) -> None:
        self.lifted, self._start = None, None
        if self.tray is not None:
            self.tray.offer(False)
        self.unsetCursor()
        self.drag_ended.emit()

    def fit_height(self, most: int) -> None:
        """Ask for the height of the rows, up to so many."""
        rows = min(len(self.model().rows), most)
        self.setMinimumHeight(rows * self.itemDelegate().height() + look.GAP)

    def leaveEvent(self, event) -> None:
        self.hovered.emit("")
        super().leaveEvent(event)

    # keyboard
    def focusInEvent(self, event) -> None:
        self.selectionModel().blockSignals(True)  # Qt makes the first row current, which nobody chose
        super().focusInEvent(event)
        self.selectionModel().blockSignals(False)
        keyboard = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        if keyboard and self.model().rows and not self.selectionModel().hasSelection():
            self.setCurrentIndex(self.model().index(max(self.currentIndex().row(), 0)))
            self.chosen.emit(self._doc(self.currentIndex().row()))

    def keyPressEvent(self, event) -> None:
        row = self.currentIndex().row()
        if self.lifted is not None:  # the rows stand where they would go
            self.let_go() if event.key() == Qt.Key.Key_Escape else None
        elif event.key() == Qt.Key.Key_Insert:
            self.added.emit()
        elif event.matches(QKeySequence.StandardKey.Paste):
            self.pasted.emit()
        elif row < 0:
            super().keyPressEvent(event)
        elif event.modifiers() & Qt.KeyboardModifier.AltModifier and event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.stepped.emit(row, row + (1 if event.key() == Qt.Key.Key_Down else -1))
        elif event.text() and event.text() in "0123456789" and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.graded.emit(self._doc(row), float(event.text()))
        elif event.text() == "?":
            self.graded.emit(self._doc(row), None)
        elif event.key() == Qt.Key.Key_Delete:
            self.removed.emit(row)
        elif event.key() == Qt.Key.Key_F2:
            self.ask_title(row)
        else:
            super().keyPressEvent(event)
