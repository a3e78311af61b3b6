"""Colours, sizes and the small shapes that every view draws: chips, bars, dots."""

from functools import lru_cache

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPalette, QPen

from rankmetrics_nb.relevance import number_text

WINDOW, PANEL, TINT, TRACK = "#F5F6F8", "#FFFFFF", "#EDF0F4", "#F2F4F7"
HAIRLINE, STRONG = "#E4E7EC", "#C6CDD7"
TEXT, SECONDARY, FAINT = "#15191F", "#545D6B", "#667080"
NO_EFFECT, ADDS, COSTS = "#8792A2", "#0F7553", "#80206F"
FILL = {"A": "#1F5FBF", "B": "#D46A12"}
LETTER = {"A": "#FFFFFF", "B": "#15191F"}
VALUE = {"A": "#1F5FBF", "B": "#A84B06"}
GRADE = {0: ("#FFFFFF", SECONDARY), 1: ("#DCE3EC", TEXT), 2: ("#9FB0C6", TEXT), 3: ("#3E5370", "#FFFFFF")}

ROW, STEP_ROW, GAP, MARGIN = 32, 28, 16, 16
CHIP_WIDTH, CHIP_HEIGHT = 22, 20
CHOICES = (0, 1, 2, 3, None)  # what an open chip offers


def effect(difference: float) -> str:
    """The colour of a change: adds, costs, or none; sign and arrow always come with it."""
    return ADDS if difference > 1e-12 else COSTS if difference < -1e-12 else NO_EFFECT


def palette() -> QPalette:
    """The light palette for everything that Qt draws itself."""
    colours = QPalette()
    roles = {
        QPalette.ColorRole.Window: WINDOW,
        QPalette.ColorRole.Base: PANEL,
        QPalette.ColorRole.AlternateBase: PANEL,
        QPalette.ColorRole.Button: PANEL,
        QPalette.ColorRole.WindowText: TEXT,
        QPalette.ColorRole.Text: TEXT,
        QPalette.ColorRole.ButtonText: TEXT,
        QPalette.ColorRole.PlaceholderText: FAINT,
        QPalette.ColorRole.Highlight: "#DCE3EC",
        QPalette.ColorRole.HighlightedText: TEXT,
        QPalette.ColorRole.ToolTipBase: TEXT,
        QPalette.ColorRole.ToolTipText: PANEL,
    }
    for role, colour in roles.items():
        colours.setColor(role, QColor(colour))
    for role in (QPalette.ColorRole.ButtonText, QPalette.ColorRole.WindowText, QPalette.ColorRole.Text):
        colours.setColor(QPalette.ColorGroup.Disabled, role, QColor("#A0A8B4"))
    return colours


def font(base: QFont, size: int = 13, bold: bool = False) -> QFont:
    """A font of the system's family in pixels, with figures of one width."""
    return _font(base.family(), size, bold)


@lru_cache(maxsize=64)
def _font(family: str, size: int, bold: bool) -> QFont:
    made = QFont(family)
    made.setPixelSize(size)
    made.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    made.setFeature(QFont.Tag("tnum"), 1)
    return made


@lru_cache(maxsize=64)
def _metrics(family: str, size: int, bold: bool) -> QFontMetricsF:
    return QFontMetricsF(_font(family, size, bold))


def metrics(base: QFont, size: int = 13, bold: bool = False) -> QFontMetricsF:
    """How wide text is in one of the window's fonts."""
    return _metrics(base.family(), size, bold)


def text(painter: QPainter, rect: QRectF, words: str, colour: str = TEXT, align=Qt.AlignmentFlag.AlignLeft, size: int = 13, bold: bool = False) -> None:
    """One line of text, elided where it does not fit."""
    painter.setFont(font(painter.font(), size, bold))
    painter.setPen(QColor(colour))
    painter.drawText(rect, align | Qt.AlignmentFlag.AlignVCenter, painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, int(rect.width()) + 1))


def bar(painter: QPainter, rect: QRectF, colour: str) -> None:
    """A filled bar."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    painter.drawRoundedRect(rect, 1.5, 1.5)


def dashed(colour: str, width: float = 1, pattern: tuple[float, ...] = (3, 2)) -> QPen:
    """A dashed pen; the pattern is in pixels."""
    pen = QPen(QColor(colour), width)
    pen.setDashPattern([length / width for length in pattern])
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    return pen


def grade_text(grade: float | None) -> str:
    """The grade on a chip; ? where nobody judged."""
    return "?" if grade is None else number_text(grade).replace("-", "−")


def chip_width(painter: QPainter, grade: float | None) -> float:
    """As wide as its text needs, and never less than a digit's chip."""
    return max(CHIP_WIDTH, painter.fontMetrics().horizontalAdvance(grade_text(grade)) + 10)


def chip(painter: QPainter, rect: QRectF, grade: float | None) -> None:
    """A grade: slate, darker when higher; outlined for 0; dashed where unjudged, which is not 0."""
    fill, ink = GRADE[int(min(max(grade or 0, 0), 3))]
    pen = dashed(SECONDARY) if grade is None else QPen(QColor(STRONG)) if fill == PANEL else Qt.PenStyle.NoPen
    painter.setPen(pen)
    painter.setBrush(QColor(fill))
    inset = 0.5 if pen is not Qt.PenStyle.NoPen else 0
    painter.drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), 4, 4)
    text(painter, rect, grade_text(grade), TEXT if grade is None else ink, Qt.AlignmentFlag.AlignHCenter, 12, True)


def key(painter: QPainter, rect: QRectF, letter: str) -> None:
    """The coloured square with the letter of a list."""
    bar(painter, rect, FILL[letter])
    text(painter, rect, letter, LETTER[letter], Qt.AlignmentFlag.AlignHCenter, 11, True)


STYLE = f"""
QMainWindow, QToolBar {{ background: {PANEL}; }}
QToolBar {{ border: none; border-bottom: 1px solid {HAIRLINE}; padding: 0 12px; spacing: 6px; }}
QToolBar::separator {{ background: {HAIRLINE}; width: 1px; margin: 4px 8px; }}
QToolButton {{ border: 1px solid transparent; border-radius: 5px; padding: 4px 8px; color: {TEXT}; background: {PANEL}; }}
QToolButton:disabled {{ color: #A0A8B4; }}
QToolButton:hover:enabled, QToolButton:pressed {{ background: {TINT}; }}
QToolButton:focus {{ border: 2px solid {TEXT}; padding: 3px 7px; }}
QToolButton[pill="true"] {{ border: 1px solid {STRONG}; }}
QToolButton[pill="true"]:focus {{ border: 2px solid {TEXT}; }}
QToolButton::menu-indicator {{ image: none; }}
QLineEdit {{ border: 1px solid {STRONG}; border-radius: 5px; padding: 4px 8px; background: {PANEL}; selection-background-color: #DCE3EC; selection-color: {TEXT}; }}
QLineEdit:focus {{ border: 2px solid {TEXT}; padding: 3px 7px; }}
QLineEdit[wrong="true"] {{ border-color: {COSTS}; }}
QAbstractItemView {{ border: none; background: {PANEL}; outline: none; }}
QHeaderView, QHeaderView::section {{ background: {PANEL}; border: none; color: {SECONDARY}; }}
QTabBar {{ qproperty-drawBase: 0; }}
QTabBar::tab {{ background: {PANEL}; color: {SECONDARY}; padding: 8px 0; margin-right: 24px; border: none; border-bottom: 2px solid {PANEL}; }}
QTabBar::tab:selected {{ color: {TEXT}; border-bottom: 2px solid {TEXT}; }}
QTabBar::tab:focus {{ color: {TEXT}; background: {TINT}; }}
QStatusBar {{ background: {WINDOW}; color: {SECONDARY}; border-top: 1px solid {HAIRLINE}; }}
QStatusBar::item {{ border: none; }}
QStatusBar QLabel {{ padding: 0 12px 0 4px; }}
QMenu {{ background: {PANEL}; border: 1px solid {STRONG}; padding: 4px; }}
QMenu::item {{ padding: 5px 20px; border-radius: 4px; }}
QMenu::item:selected {{ background: {TINT}; }}
QToolTip {{ background: {TEXT}; color: {PANEL}; border: none; padding: 4px 6px; }}
QScrollBar:vertical {{ width: 8px; background: transparent; }}
QScrollBar::handle:vertical {{ background: {STRONG}; border-radius: 4px; min-height: 24px; }}
QScrollBar::add-line, QScrollBar::sub-line {{ height: 0; }}
"""
