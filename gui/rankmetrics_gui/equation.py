"""A hand calculation drawn with real fractions. The pieces come from the session; nothing is computed here."""

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from rankmetrics_gui.palette import TEXT, VALUE, font, ink, px
from rankmetrics_nb.session import Fraction, flat

SIZE, RESULT = 14, 24
PAD = 3  # beside a fraction, and between its line and its parts


class Box:
    """A piece with its size: width, and how far it reaches above and below the axis that fraction lines stand on."""

    def __init__(self, piece, base, size: int, bold: bool = False, colour: str = TEXT):
        self.piece, self.colour = piece, colour
        self.font = font(base, size, bold)
        metrics = QFontMetricsF(self.font)
        self.parts: list[Box] = []
        if isinstance(piece, str):
            self.width = metrics.horizontalAdvance(piece)
            self.drop = metrics.xHeight() / 2  # from the axis down to the base line
            self.up, self.down = metrics.ascent() - self.drop, metrics.descent() + self.drop
            return
        smaller = size if isinstance(piece, tuple) else max(size - 1, 11)
        self.parts = [Box(part, base, smaller, bold, colour) for part in (piece if isinstance(piece, tuple) else (piece.top, piece.bottom))]
        if isinstance(piece, tuple):
            self.width = sum(part.width for part in self.parts)
            self.up, self.down = max((part.up for part in self.parts), default=0), max((part.down for part in self.parts), default=0)
        else:
            self.width = max(part.width for part in self.parts) + px(2 * PAD + 4)
            self.up, self.down = (part.up + part.down + px(PAD - 1) for part in self.parts)

    def draw(self, painter: QPainter, x: float, axis: float) -> None:
        painter.setPen(QPen(ink(self.colour), px(1)))
        if isinstance(self.piece, str):
            painter.setFont(self.font)
            painter.drawText(QPointF(x, axis + self.drop), self.piece)
        elif isinstance(self.piece, Fraction):
            top, bottom = self.parts
            painter.drawLine(QPointF(x + px(PAD), round(axis) + 0.5), QPointF(x + self.width - px(PAD), round(axis) + 0.5))
            top.draw(painter, x + (self.width - top.width) / 2, axis - px(PAD - 1) - top.down)
            bottom.draw(painter, x + (self.width - bottom.width) / 2, axis + px(PAD - 1) + bottom.up)
        else:
            for part in self.parts:
                part.draw(painter, x, axis)
                x += part.width


class EquationView(QWidget):
    """The equation of a value; it breaks into lines before a plus or an equals sign."""

    def __init__(self, parent=None, size: int = SIZE, result: int = RESULT):
        super().__init__(parent)
        self._size, self._result = size, result  # of the text and of the value at its end
        self._pieces: tuple = ()
        self._letter = "A"
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_pieces(self, pieces: tuple, letter: str) -> None:
        self._pieces, self._letter = pieces, letter
        self.setAccessibleName(self.words())
        self._fit()
        self.update()

    def words(self) -> str:
        """The equation in one line of text."""
        return " = ".join(map(flat, self._pieces))

    def _boxes(self) -> list[Box]:
        """What may stand on a line of its own."""
        boxes, last = [], len(self._pieces) - 1
        for at, piece in enumerate(self._pieces):
            size, colour = (self._result, VALUE[self._letter]) if at == last and last else (self._size, TEXT)
            parts = piece if isinstance(piece, tuple) else (piece,)
            group: list = ["= "] if at else []
            for part in parts:
                if part == " + " and group:
                    boxes.append(self._box(group, size, at in (0, last), colour))
                    group = ["+ "]
                else:
                    group.append(part)
            boxes.append(self._box(group, size, at in (0, last), colour))
        return boxes

    def _box(self, group: list, size: int, bold: bool, colour: str) -> Box:
        box = Box(tuple(group) if len(group) > 1 else group[0], self.font(), size, bold, colour)
        if group[0] == "= ":
            box.parts[0] = Box("= ", self.font(), self._size)
            box.width = sum(part.width for part in box.parts)
        return box

    def _lines(self, width: float) -> list[list[Box]]:
        space = QFontMetricsF(font(self.font(), self._size)).horizontalAdvance(" ") + px(2)
        lines: list[list[Box]] = [[]]
        used = 0.0
        for box in self._boxes():
            if lines[-1] and used + space + box.width > width:
                lines.append([])
                used = 0
            used += box.width + (space if lines[-1] else 0)
            lines[-1].append(box)
        return lines

    def _height(self, width: float) -> int:
        return int(sum(max(b.up for b in line) + max(b.down for b in line) + px(8) for line in self._lines(width) if line) + px(4))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._height(width)

    def sizeHint(self) -> QSize:
        return QSize(300, self._height(max(self.width(), 200)))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self._height(max(self.width(), 200)))

    def _fit(self) -> None:
        height = self._height(max(self.width(), 200))
        if height != self.minimumHeight():
            self.setFixedHeight(height)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(QRectF(self.rect()))
        space = QFontMetricsF(font(self.font(), self._size)).horizontalAdvance(" ") + px(2)
        y = px(4)
        for line in self._lines(self.width()):
            if not line:
                continue
            up, down = max(box.up for box in line), max(box.down for box in line)
            x = 0.0
            for box in line:
                box.draw(painter, x, y + up)
                x += box.width + space
            y += up + down + px(8)
