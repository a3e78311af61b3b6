"""The icon of the window: `python gui/icon.py` draws it as icon.svg and icon.png. Two lists and the lines between them, in the colours of the window."""

import sys
from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter, QPainterPath, QPen
from PySide6.QtSvg import QSvgGenerator
from rankmetrics_gui import palette as look

FOLDER = Path(__file__).parent / "rankmetrics_gui" / "data"
SIZE = 256
ROWS = (70, 128, 186)  # heights of the three rows


def paint(painter: QPainter) -> None:
    """A sheet with three ranks in A (blue, round) and in B (orange, square); the last of A is the first of B."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(look.ink(look.STRONG), 6))
    painter.setBrush(look.ink(look.PANEL))
    painter.drawRoundedRect(QRectF(11, 11, SIZE - 22, SIZE - 22), 44, 44)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for start, end, colour, width in ((0, 1, look.NO_EFFECT, 9), (1, 2, look.COSTS, 11), (2, 0, look.ADDS, 15)):
        path = QPainterPath(QPointF(70, ROWS[start]))
        path.cubicTo(QPointF(128, ROWS[start]), QPointF(128, ROWS[end]), QPointF(186, ROWS[end]))
        for ink, wide in ((look.PANEL, width + 10), (colour, width)):
            painter.setPen(QPen(look.ink(ink), wide, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
            painter.drawPath(path)
    painter.setPen(Qt.PenStyle.NoPen)
    for y in ROWS:
        painter.setBrush(look.ink(look.FILL["A"]))
        painter.drawEllipse(QPointF(64, y), 20, 20)
        painter.setBrush(look.ink(look.FILL["B"]))
        painter.drawRoundedRect(QRectF(172, y - 20, 40, 40), 6, 6)


def main() -> int:
    """Write both files."""
    application = QGuiApplication.instance() or QGuiApplication(["icon", "-platform", "offscreen"])  # noqa: F841, kept until the end
    image = QImage(SIZE, SIZE, QImage.Format.Format_ARGB32)
    image.fill(0)
    drawing = QSvgGenerator()
    drawing.setFileName(str(FOLDER / "icon.svg"))
    drawing.setSize(QSize(SIZE, SIZE))
    drawing.setViewBox(QRectF(0, 0, SIZE, SIZE))
    drawing.setTitle("rankmetrics")
    for device in (image, drawing):
        painter = QPainter(device)
        paint(painter)
        painter.end()
    image.save(str(FOLDER / "icon.png"))
    print(f"icon.svg and icon.png in {FOLDER}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
