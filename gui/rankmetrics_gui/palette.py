"""Colours, sizes and the small shapes that every view draws: chips, bars, dots."""

import re
from functools import lru_cache

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPalette, QPen

from rankmetrics_nb.relevance import number_text

# A colour is named by its part in the window; the theme says which it is. A is blue and B is orange, and nothing else is.
WINDOW, PANEL, RAISED, TINT, TRACK = "window", "panel", "raised", "tint", "track"
HAIRLINE, STRONG = "hairline", "strong"
TEXT, SECONDARY, FAINT, DISABLED = "text", "secondary", "faint", "disabled"
NO_EFFECT, ADDS, COSTS, WRONG, MATCH, MARK = "no effect", "adds", "costs", "wrong", "match", "mark"
FILL = {"A": "fill A", "B": "fill B"}
LETTER = {"A": "letter A", "B": "letter B"}
VALUE = {"A": "value A", "B": "value B"}
LINE = FILL | {letter: f"line {letter}" for letter in "CDEF"}  # of a curve
GRADE = {grade: (f"grade {grade}", f"on grade {grade}") for grade in range(4)}

THEMES = {
    "light": {
        WINDOW: "#F5F6F8", PANEL: "#FFFFFF", RAISED: "#FFFFFF", TINT: "#EDF0F4", TRACK: "#F2F4F7", HAIRLINE: "#E4E7EC", STRONG: "#C6CDD7",
        TEXT: "#15191F", SECONDARY: "#545D6B", FAINT: "#646E7E", DISABLED: "#A0A8B4",
        NO_EFFECT: "#8792A2", ADDS: "#0F7553", COSTS: "#80206F", WRONG: "#F7EEF6", MATCH: "#FFF6D6", MARK: "#8A6A00",
        "fill A": "#1F5FBF", "fill B": "#D46A12", "letter A": "#FFFFFF", "letter B": "#15191F", "value A": "#1F5FBF", "value B": "#A84B06",
        "line C": "#6B4FA0", "line D": "#1F757C", "line E": "#7F6400", "line F": "#545D6B",
        "grade 0": "#FFFFFF", "on grade 0": "#545D6B", "grade 1": "#DCE3EC", "on grade 1": "#15191F",
        "grade 2": "#9FB0C6", "on grade 2": "#15191F", "grade 3": "#3E5370", "on grade 3": "#FFFFFF",
    },
    "dark": {
        WINDOW: "#14171C", PANEL: "#1B1F26", RAISED: "#262C36", TINT: "#252B34", TRACK: "#272D36", HAIRLINE: "#2B323C", STRONG: "#475160",
        TEXT: "#E8EBF0", SECONDARY: "#A9B2C0", FAINT: "#8E98A8", DISABLED: "#5A6472",
        NO_EFFECT: "#6A7585", ADDS: "#7BE0A3", COSTS: "#E868AE", WRONG: "#33202F", MATCH: "#302B18", MARK: "#E3C35A",
        "fill A": "#6BA4FF", "fill B": "#F2A154", "letter A": "#14171C", "letter B": "#14171C", "value A": "#8AB7FF", "value B": "#F5B273",
        "line C": "#B79CF2", "line D": "#6CC7CE", "line E": "#D9C05A", "line F": "#A9B2C0",
        "grade 0": "#1B1F26", "on grade 0": "#A9B2C0", "grade 1": "#343F4F", "on grade 1": "#E8EBF0",
        "grade 2": "#5A7090", "on grade 2": "#FFFFFF", "grade 3": "#BACBE3", "on grade 3": "#14171C",
    },
    "contrast": {
        WINDOW: "#FFFFFF", PANEL: "#FFFFFF", RAISED: "#FFFFFF", TINT: "#DDE6F5", TRACK: "#FFFFFF", HAIRLINE: "#767676", STRONG: "#000000",
        TEXT: "#000000", SECONDARY: "#000000", FAINT: "#333333", DISABLED: "#595959",
        NO_EFFECT: "#595959", ADDS: "#00532F", COSTS: "#6B0057", WRONG: "#FFFFFF", MATCH: "#FFF0A8", MARK: "#5C4600",
        "fill A": "#003C9E", "fill B": "#A34700", "letter A": "#FFFFFF", "letter B": "#FFFFFF", "value A": "#003C9E", "value B": "#8A3A00",
        "line C": "#4B2E83", "line D": "#00565C", "line E": "#5C4600", "line F": "#333333",
        "grade 0": "#FFFFFF", "on grade 0": "#000000", "grade 1": "#D0D7E2", "on grade 1": "#000000",
        "grade 2": "#8296B3", "on grade 2": "#000000", "grade 3": "#1F2F47", "on grade 3": "#FFFFFF",
    },
}
_theme, _zoom = "light", 1.0

SIZES = {"ROW": 32, "STEP_ROW": 28, "GAP": 16, "MARGIN": 16, "CHIP_WIDTH": 22, "CHIP_HEIGHT": 20}  # at 100 %
CHOICES = (0, 1, 2, 3, None)  # what an open chip offers


def use(theme: str) -> None:
    """Draw with the colours of another theme from now on."""
    global _theme
    _theme = theme if theme in THEMES else "light"


def theme() -> str:
    """The name of the theme."""
    return _theme


def __getattr__(name: str) -> int:
    """`look.ROW` and the other SIZES, as large as the zoom makes them."""
    if name in SIZES:
        return round(px(SIZES[name]))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def enlarge(zoom: float) -> None:
    """Draw everything so many times as large from now on."""
    global _zoom
    _zoom = zoom


def zoom() -> float:
    """How many times as large as at 100 %."""
    return _zoom


def px(length: float) -> float:
    """A length in pixels at 100 %, under the zoom: for whatever is painted."""
    return length * _zoom


def code(name: str) -> str:
    """The colour that a name has in the theme, as #RRGGBB."""
    return THEMES[_theme][name]


def ink(name: str) -> QColor:
    """The colour that a name has in the theme."""
    return _colour(code(name))


@lru_cache(maxsize=128)
def _colour(hexadecimal: str) -> QColor:
    return QColor(hexadecimal)


def effect(difference: float) -> str:
    """The colour of a change: adds, costs, or none; sign and arrow always come with it."""
    return ADDS if difference > 1e-12 else COSTS if difference < -1e-12 else NO_EFFECT


def palette() -> QPalette:
    """The theme for everything that Qt draws itself."""
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
        QPalette.ColorRole.Highlight: GRADE[1][0],
        QPalette.ColorRole.HighlightedText: GRADE[1][1],
        QPalette.ColorRole.ToolTipBase: TEXT,
        QPalette.ColorRole.ToolTipText: PANEL,
    }
    for role, colour in roles.items():
        colours.setColor(role, ink(colour))
    for role in (QPalette.ColorRole.ButtonText, QPalette.ColorRole.WindowText, QPalette.ColorRole.Text):
        colours.setColor(QPalette.ColorGroup.Disabled, role, ink(DISABLED))
    return colours


def font(base: QFont, size: int = 13, bold: bool = False) -> QFont:
    """A font of the system's family, with figures of one width; the size is in pixels at 100 %."""
    return _font(base.family(), round(px(size)), bold)


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
    return _metrics(base.family(), round(px(size)), bold)


def elided(widget, words: str, width: float) -> str:
    """Words as they fit into so many pixels at 100 %, in the font of a widget."""
    return widget.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, round(px(width)))


def text(painter: QPainter, rect: QRectF, words: str, colour: str = TEXT, align=Qt.AlignmentFlag.AlignLeft, size: int = 13, bold: bool = False) -> None:
    """One line of text, elided where it does not fit."""
    painter.setFont(font(painter.font(), size, bold))
    painter.setPen(ink(colour))
    painter.drawText(rect, align | Qt.AlignmentFlag.AlignVCenter, painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, int(rect.width()) + 1))


def bar(painter: QPainter, rect: QRectF, colour: str) -> None:
    """A filled bar."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink(colour))
    painter.drawRoundedRect(rect, px(1.5), px(1.5))


def dashed(colour: str, width: float = 1, pattern: tuple[float, ...] = (3, 2)) -> QPen:
    """A dashed pen; width and pattern are in pixels at 100 %."""
    pen = QPen(ink(colour), px(width))
    pen.setDashPattern([length / width for length in pattern])
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    return pen


def grade_text(grade: float | None) -> str:
    """The grade on a chip; ? where nobody judged."""
    return "?" if grade is None else number_text(grade).replace("-", "−")


def chip_width(painter: QPainter, grade: float | None) -> float:
    """As wide as its text needs, and never less than a digit's chip."""
    return max(px(SIZES["CHIP_WIDTH"]), painter.fontMetrics().horizontalAdvance(grade_text(grade)) + px(10))


def chip(painter: QPainter, rect: QRectF, grade: float | None) -> None:
    """A grade: slate, darker when higher; outlined for 0; dashed where unjudged, which is not 0."""
    fill, on = GRADE[int(min(max(grade or 0, 0), 3))]
    pen = dashed(SECONDARY) if grade is None else QPen(ink(STRONG)) if not grade or grade < 1 else Qt.PenStyle.NoPen
    painter.setPen(pen)
    painter.setBrush(ink(fill))
    inset = 0.5 if pen is not Qt.PenStyle.NoPen else 0
    painter.drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), px(4), px(4))
    text(painter, rect, grade_text(grade), TEXT if grade is None else on, Qt.AlignmentFlag.AlignHCenter, 12, True)


def switch(painter: QPainter, rect: QRectF, letter: str, grade: int, on: bool) -> None:
    """One side of a switch between not relevant and relevant."""
    fill, ink_on = GRADE[3 if grade else 1]
    if on:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink(fill))
        painter.drawRoundedRect(rect, px(4), px(4))
    text(painter, rect, letter, ink_on if on else SECONDARY, Qt.AlignmentFlag.AlignHCenter, 12, on)


def key(painter: QPainter, rect: QRectF, letter: str) -> None:
    """The coloured square with the letter of a list."""
    bar(painter, rect, FILL[letter])
    text(painter, rect, letter, LETTER[letter], Qt.AlignmentFlag.AlignHCenter, 11, True)


STYLE = """
QMainWindow, QToolBar, QDialog { background: @panel@; }
QToolBar { border: none; border-bottom: 1px solid @hairline@; padding: 0 8px; spacing: 4px; }
QToolBar::separator { background: @hairline@; width: 1px; margin: 4px 4px; }
QToolButton { border: 1px solid transparent; border-radius: 5px; padding: 4px 5px; color: @text@; background: @panel@; }
QToolButton:disabled { color: @disabled@; }
QToolButton:hover:enabled, QToolButton:pressed { background: @tint@; }
QToolButton:focus { border: 2px solid @text@; padding: 3px 4px; }
QToolButton[bare="true"] { padding: 2px; }
QToolButton[pill="true"] { border: 1px solid @strong@; }
QToolButton[pill="true"]:focus { border: 2px solid @text@; }
QToolButton::menu-indicator { image: none; }
QLineEdit { border: 1px solid @strong@; border-radius: 5px; padding: 4px 8px; background: @panel@; selection-background-color: @grade 1@; selection-color: @text@; }
QLineEdit:focus { border: 2px solid @text@; padding: 3px 7px; }
QLineEdit[wrong="true"] { border-color: @costs@; }
QAbstractItemView { border: none; background: @panel@; outline: none; }
QHeaderView, QHeaderView::section { background: @panel@; border: none; color: @secondary@; }
QTabBar { qproperty-drawBase: 0; }
QTabBar::tab { background: @panel@; color: @secondary@; padding: 8px 0; margin-right: 24px; border: none; border-bottom: 2px solid @panel@; }
QTabBar::tab:selected { color: @text@; border-bottom: 2px solid @text@; }
QTabBar::tab:focus { color: @text@; background: @tint@; }
QTabWidget::pane { border: none; border-top: 1px solid @hairline@; }
QTextBrowser { border: none; background: @panel@; }
QStatusBar { background: @window@; color: @secondary@; border-top: 1px solid @hairline@; }
QStatusBar::item { border: none; }
QStatusBar QLabel { padding: 0 12px 0 4px; }
QMenu { background: @panel@; border: 1px solid @strong@; padding: 4px; }
QMenu::item { padding: 5px 20px; border-radius: 4px; }
QMenu::item:selected { background: @tint@; }
QToolTip { background: @text@; color: @panel@; border: none; padding: 4px 6px; }
QScrollBar:vertical { width: 8px; background: transparent; }
QScrollBar::handle:vertical { background: @strong@; border-radius: 4px; min-height: 24px; }
QScrollBar:horizontal { height: 8px; background: transparent; }
QScrollBar::handle:horizontal { background: @strong@; border-radius: 4px; min-width: 24px; }
QScrollBar::add-line, QScrollBar::sub-line { height: 0; width: 0; }
QLabel { color: @text@; }
QLabel[tone="secondary"] { color: @secondary@; }
QLabel[tone="faint"] { color: @faint@; }
QLabel[tone="adds"] { color: @adds@; }
QLabel[tone="costs"] { color: @costs@; }
QLabel[tone="no effect"] { color: @secondary@; }
QLabel[tone="value A"] { color: @value A@; }
QLabel[tone="value B"] { color: @value B@; }
QLabel[tone="wrong"] { background: @wrong@; border-left: 3px solid @costs@; padding: 6px 10px; }
QLabel[tone="on text"], QToolButton[tone="on text"] { color: @panel@; background: transparent; }
QWidget[ground="text"] { background: @text@; border-radius: 6px; }
QWidget[ground="panel"] { background: @panel@; }
QWidget[ground="hairline"] { background: @hairline@; }
"""


def style() -> str:
    """The style sheet in the colours and the size of now; lines of 1 and 2 px stay thin."""
    sized = re.sub(r"\b(\d+)px", lambda found: f"{round(px(int(found[1]))) if int(found[1]) > 2 else found[1]}px", STYLE)
    return re.sub("@([^@]+)@", lambda found: code(found[1]), sized)
