"""The formulas of the records, in the ink of the theme. The files are made by gui/formulas.py."""

from functools import lru_cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QRectF, QSize
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QSizePolicy, QWidget

from rankmetrics_gui import palette as look
from rankmetrics_nb.measure import Measure

FOLDER = Path(__file__).parent / "data"
SCALE = 0.75  # of the files, at 100 %: text of 15 pixels


@lru_cache(maxsize=64)
def drawing(name: str, colour: str) -> QSvgRenderer:
    """The formula of a measure in a colour (#RRGGBB); an empty drawing where it has no file, as a measure of one's own."""
    path = FOLDER / f"formula-{name}.svg"
    text = path.read_text(encoding="utf-8").replace("#000000", colour) if path.exists() else ""
    return QSvgRenderer(QByteArray(text.encode())) if text else QSvgRenderer()


def image(name: str, colour: str = look.TEXT, scale: float = SCALE, ratio: float = 2) -> QImage:
    """The formula as a picture, for pages of text; a null image where there is none."""
    drawn = drawing(name, look.code(colour))
    if not drawn.isValid():
        return QImage()
    size = drawn.viewBoxF().size() * look.px(scale)
    picture = QImage(size.toSize() * ratio, QImage.Format.Format_ARGB32_Premultiplied)
    picture.fill(0)
    picture.setDevicePixelRatio(ratio)
    painter = QPainter(picture)
    drawn.render(painter, QRectF(0, 0, size.width(), size.height()))
    painter.end()
    return picture


class FormulaView(QWidget):
    """One formula; smaller where there is little room."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.measure: Measure | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_measure(self, measure: Measure | None) -> None:
        if measure == self.measure:
            return
        self.measure = measure
        self.setAccessibleName(self.tr("Formula of {0}").format(measure.name) if measure else "")
        self.setAccessibleDescription(measure.formula if measure else "")
        self.setToolTip(measure.formula if measure else "")
        self.updateGeometry()
        self.update()

    def exists(self) -> bool:
        """Is there anything to show?"""
        return self._drawing().isValid()

    def _drawing(self) -> QSvgRenderer:
        return drawing(self.measure.name, look.code(look.TEXT)) if self.measure else QSvgRenderer()

    def sizeHint(self) -> QSize:
        drawn = self._drawing()
        return (drawn.viewBoxF().size() * look.px(SCALE)).toSize() if drawn.isValid() else QSize(0, 0)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def paintEvent(self, event) -> None:
        drawn = self._drawing()
        if not drawn.isValid():
            return
        size = drawn.viewBoxF().size()
        scale = min(look.px(SCALE), self.width() / size.width())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        drawn.render(painter, QRectF(0, 0, size.width() * scale, size.height() * scale))
