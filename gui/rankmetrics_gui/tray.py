"""Judged documents that no list has retrieved: they count in R and in the ideal order."""

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from rankmetrics_gui import palette as look


class Tray(QWidget):
    """Dashed chips with titles; what does not fit is counted."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.items: tuple[tuple[str, float], ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(round(look.px(400)), round(look.px(34)))

    def minimumSizeHint(self) -> QSize:
        return QSize(round(look.px(200)), round(look.px(34)))

    def show_items(self, items: tuple[tuple[str, float], ...]) -> None:
        """Titles and grades."""
        self.items = items
        words = ", ".join(self.tr("{0} (grade {1})").format(title, look.grade_text(grade)) for title, grade in items) or self.tr("none")
        self.setAccessibleName(self.tr("Relevant, not retrieved: {0}").format(words))
        self.setToolTip(self.accessibleName())
        self.update()

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        px = look.px
        x = self._words(painter, 0, self.tr("Relevant, not retrieved") if self.items else self.tr("Relevant, not retrieved: {0}").format(self.tr("none")), look.SECONDARY) + px(12)
        for at, (title, grade) in enumerate(self.items):
            painter.setFont(look.font(painter.font(), 12))
            chip = look.chip_width(painter, grade)
            width = chip + painter.fontMetrics().horizontalAdvance(title) + px(20)
            if x + width > self.width() - (px(60) if at < len(self.items) - 1 else 0):
                self._words(painter, x, self.tr("and {0} more").format(len(self.items) - at), look.SECONDARY)
                return
            painter.setPen(look.dashed(look.STRONG))
            painter.setBrush(look.ink(look.PANEL))
            painter.drawRoundedRect(QRectF(x + 0.5, px(4.5), width, px(25)), px(5), px(5))
            look.chip(painter, QRectF(x + px(4), px(7), chip, look.CHIP_HEIGHT), grade)
            self._words(painter, x + chip + px(10), title, look.TEXT)
            x += width + px(10)
        painter.setFont(look.font(painter.font(), 11))
        explained = self.tr("judged, in no list: they count in R and in the ideal")
        if self.items and x + painter.fontMetrics().horizontalAdvance(explained) < self.width():
            look.text(painter, QRectF(x + 2, 0, self.width() - x, self.height()), explained, look.FAINT, size=11)

    def _words(self, painter: QPainter, x: float, words: str, colour: str) -> float:
        painter.setFont(look.font(painter.font(), 12))
        width = painter.fontMetrics().horizontalAdvance(words)
        look.text(painter, QRectF(x, 0, width + 2, self.height()), words, colour, size=12)
        return x + width
