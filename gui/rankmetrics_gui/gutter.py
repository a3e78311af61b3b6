"""Between the lists: a line for every document that both hold, coloured by its effect on the picked measure."""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from rankmetrics_gui import palette as look
from rankmetrics_nb.session import signed

DELTA = 70  # room for the numbers
WIDTHS = (1.25, 1.75, 2.5, 3.25)  # of a line, by grade


@dataclass(frozen=True)
class Link:
    """A document between the lists."""

    doc: str
    row_a: int | None
    row_b: int | None
    grade: float | None
    effect: float  # what it adds to B - A


class Gutter(QWidget):
    """Slope lines. It asks the two lists where their rows stand."""

    def __init__(self, left, right, parent=None):
        super().__init__(parent)
        self.left, self.right, self.links, self.lit = left, right, (), ""
        self.setMinimumWidth(130)
        for view in (left, right):
            view.verticalScrollBar().valueChanged.connect(self.update)

    def show_links(self, links: tuple[Link, ...]) -> None:
        self.links = links
        effects = ", ".join(f"{link.doc} {signed(link.effect)[1]}" for link in links if abs(link.effect) > 1e-12)
        self.setAccessibleName(self.tr("Effect of each document: {0}").format(effects or self.tr("none")))
        self.update()

    def light(self, doc: str) -> None:
        if doc != self.lit:
            self.lit = doc
            self.update()

    def height_of(self, view, row: int) -> float:
        """The middle of a row of a list, in this widget."""
        return self.mapFromGlobal(view.viewport().mapToGlobal(QPointF(0, view.row_centre(row)))).y()

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._cut(painter)
        for link in sorted(self._seen(), key=lambda link: (link.doc == self.lit, abs(link.effect) > 1e-12, link.grade or 0)):
            if link.row_a is not None and link.row_b is not None:
                self._line(painter, link)
            else:
                self._stub(painter, link)

    def _seen(self) -> list[Link]:
        """The links of which a part stands where it can be seen."""
        (top_a, end_a), (top_b, end_b) = self.left.visible_rows(), self.right.visible_rows()
        found = []
        for link in self.links:
            a, b = link.row_a, link.row_b
            above = (a is None or a < top_a) and (b is None or b < top_b)
            below = (a is None or a > end_a) and (b is None or b > end_b)
            if not (above or below):
                found.append(link)
        return found

    def _cut(self, painter: QPainter) -> None:
        cut = self.left.cut
        if cut is not None and self.left.is_cut(cut - 1) and self.right.is_cut(cut - 1):
            y = self.height_of(self.left, cut - 1) + self.left.itemDelegate().height() / 2 + look.GAP / 2
            painter.setPen(look.dashed(look.TEXT, 1.5, (1.5, 4)))
            painter.drawLine(QPointF(0, y), QPointF(self.width(), y))

    def _line(self, painter: QPainter, link: Link) -> None:
        start = QPointF(look.px(6), self.height_of(self.left, link.row_a))
        end = QPointF(self.width() - look.px(DELTA), self.height_of(self.right, link.row_b))
        path, middle = QPainterPath(start), (start.x() + end.x()) / 2
        path.cubicTo(QPointF(middle, start.y()), QPointF(middle, end.y()), end)
        colour, width = look.effect(link.effect), WIDTHS[int(min(max(link.grade or 0, 0), 3))] + (0.75 if link.doc == self.lit else 0)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(look.ink(look.PANEL), look.px(width + 3)))
        painter.drawPath(path)
        painter.setPen(QPen(look.ink(colour), look.px(width)) if link.grade else look.dashed(colour, width, (4, 4)))
        painter.drawPath(path)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.ink(colour))
        painter.drawEllipse(start, look.px(2.75), look.px(2.75))
        if abs(link.effect) > 1e-12:
            self._number(painter, end, link.effect)
        else:
            painter.drawEllipse(end, look.px(2.75), look.px(2.75))

    def _number(self, painter: QPainter, end: QPointF, value: float) -> None:
        """A triangle that points up or down, and the number beside it."""
        point, half, px = look.px(-5 if value > 0 else 5), look.px(5.5), look.px
        painter.drawPolygon(QPolygonF([QPointF(end.x() - half, end.y() - point), QPointF(end.x() + half, end.y() - point), QPointF(end.x(), end.y() + point)]))
        look.text(painter, QRectF(self.width() - px(DELTA - 4), end.y() - px(10), px(DELTA - 8), px(20)), signed(value)[1], look.effect(value), Qt.AlignmentFlag.AlignRight, 12, True)

    def _stub(self, painter: QPainter, link: Link) -> None:
        """A document in one list only: a short dashed line with an open ring, and its number where it has an effect."""
        in_a = link.row_a is not None
        y = self.height_of(self.left, link.row_a) if in_a else self.height_of(self.right, link.row_b)
        bold = abs(link.effect) > 1e-12
        words = signed(link.effect)[1] if bold else self.tr("only in {0}").format("A" if in_a else "B")
        painter.setFont(look.font(painter.font(), 11, bold))
        wide = painter.fontMetrics().horizontalAdvance(words) + 2
        px = look.px
        far, ring = (px(4), px(14)) if in_a else (self.width() - wide - px(9), self.width() - wide - px(19))
        colour = look.effect(link.effect)
        painter.setPen(look.dashed(colour, 1.25, (3, 3)))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawLine(QPointF(far, y), QPointF(ring, y))
        painter.setPen(QPen(look.ink(colour), px(1.25)))
        painter.setBrush(look.ink(look.PANEL))
        painter.drawEllipse(QPointF(ring, y), px(3), px(3))
        place = QRectF(px(21) if in_a else self.width() - wide - px(4), y - px(10), wide, px(20))
        look.text(painter, place, words, colour if bold else look.FAINT, size=11, bold=bold)


class Legend(QWidget):
    """What the lines mean."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)

    def _entries(self) -> tuple[tuple[str, str, bool], ...]:
        """Words, colour, dashed."""
        return ((self.tr("adds"), look.ADDS, False), (self.tr("costs"), look.COSTS, False), (self.tr("no effect"), look.NO_EFFECT, False), (self.tr("grade 0"), look.NO_EFFECT, True))

    def sizeHint(self) -> QSize:
        metrics = look.metrics(self.font(), 12)
        return QSize(round(sum(metrics.horizontalAdvance(words) + look.px(44) for words, _, _ in self._entries()) - look.px(12)), round(look.px(24)))

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        x, y, px = 0.0, self.height() / 2, look.px
        for words, colour, dash in self._entries():
            painter.setPen(look.dashed(colour, 1.5, (4, 3)) if dash else QPen(look.ink(colour), px(2)))
            painter.drawLine(QPointF(x, y), QPointF(x + px(22), y))
            if colour in (look.ADDS, look.COSTS):
                point = px(-4 if colour == look.ADDS else 4)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(look.ink(colour))
                painter.drawPolygon(QPolygonF([QPointF(x + px(17), y - point), QPointF(x + px(27), y - point), QPointF(x + px(22), y + point)]))
            painter.setFont(look.font(painter.font(), 12))
            width = painter.fontMetrics().horizontalAdvance(words)
            look.text(painter, QRectF(x + px(30), 0, width + 2, self.height()), words, look.SECONDARY, size=12)
            x += px(30) + width + px(14)
