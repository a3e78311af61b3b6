"""The toolbar's menus and the small widgets of the window."""

from pathlib import Path

from PySide6.QtCore import QByteArray, QCoreApplication, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QLabel, QMenu, QScrollArea, QSizePolicy, QToolButton, QWidget

from rankmetrics_gui import palette as look


def _tr(text: str) -> str:
    return QCoreApplication.translate("controls", text)


def _noop(text: str) -> str:
    """Marks a text whose translation is looked up when it is shown."""
    return text


SIGNS, SIGN = Path(__file__).parent / "data", 16  # where the small drawings are, and their size at 100 %

CONVENTIONS = {
    "k": (("1", 1), ("3", 3), ("5", 5), ("10", 10), ("20", 20), (_noop("all"), None)),
    "gain": (("2ᵍ − 1", "exp2"), ("g", "linear"), (_noop("0 or 1"), "binary")),
    "ideal": ((_noop("all judged"), "judged"), (_noop("not cut at k"), "uncut"), (_noop("cut at min(k, n)"), "returned"), (_noop("retrieved only"), "retrieved")),
    "rel": (("g ≥ 1", 1), ("g ≥ 2", 2), ("g ≥ 3", 3)),
    "unjudged": ((_noop("counts 0"), "nonrel"), (_noop("removed"), "remove")),
}
SHORT = {"all judged": _noop("judged"), "not cut at k": _noop("uncut"), "cut at min(k, n)": "min(k, n)", "retrieved only": _noop("retrieved"), "counts 0": "0"}
WORDS = {"k": "k", "gain": _noop("gain"), "ideal": _noop("ideal"), "rel": _noop("relevant"), "unjudged": _noop("unjudged")}
TIPS = {
    "k": _noop("Cutoff: only the first k ranks count"),
    "gain": _noop("What a grade g is worth in nDCG"),
    "ideal": _noop("The ideal order that nDCG compares with"),
    "rel": _noop("The lowest grade that counts as relevant"),
    "unjudged": _noop("What a document without a grade counts"),
}


class Pill(QToolButton):
    """One convention: its value on the button, its choices in the menu."""

    picked = Signal(str, object)

    def __init__(self, name: str, parent=None):
        super().__init__(parent)
        self.name, self.words, self._short = name, "", False
        self.setProperty("pill", True)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolTip(_tr(TIPS[name]))
        menu, group = QMenu(self), QActionGroup(self)
        for words, value in CONVENTIONS[name]:
            action = menu.addAction(_tr(words))
            action.setCheckable(True)
            action.setData(value)
            group.addAction(action)
            action.triggered.connect(lambda checked=False, value=value: self.picked.emit(name, value))
        self.setMenu(menu)

    def show_value(self, value) -> None:
        """Name the value on the button and tick it in the menu."""
        words = next((words for words, known in CONVENTIONS[self.name] if known == value), str(value))
        self.words = words
        self._show_words()
        self.setAccessibleName(f"{_tr(WORDS[self.name])}: {_tr(words)}. {_tr(TIPS[self.name])}")
        for action in self.menu().actions():
            action.setChecked(action.data() == value)

    def shorten(self, short: bool) -> None:
        """Fewer words for a narrow window."""
        if short != self._short:
            self._short = short
            self._show_words()

    def _show_words(self) -> None:
        what = "" if self._short and self.name == "rel" else f"{_tr(WORDS[self.name])}  "
        self.setText(f"{what}{_tr(SHORT.get(self.words, self.words) if self._short else self.words)} ▾")


def draw_sign(painter: QPainter, rect: QRectF, name: str, colour: str = look.TEXT) -> None:
    """A small drawing in a colour of the theme."""
    text = (SIGNS / f"icon-{name}.svg").read_text(encoding="utf-8").replace("#000000", look.code(colour))
    QSvgRenderer(QByteArray(text.encode())).render(painter, rect)


def sign_size() -> QSize:
    """Of a drawing on a button, with room before the words."""
    return QSize(round(look.px(SIGN + 3)), round(look.px(SIGN)))


def sign(name: str) -> QIcon:
    """A small drawing as an icon, in the ink of the theme and paler where it does nothing."""
    made = QIcon()
    for mode, colour in ((QIcon.Mode.Normal, look.TEXT), (QIcon.Mode.Disabled, look.DISABLED)):
        picture = QPixmap(sign_size() * 2)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        draw_sign(painter, QRectF(0, 0, picture.height(), picture.height()), name, colour)
        painter.end()
        picture.setDevicePixelRatio(2)
        made.addPixmap(picture, mode)
    return made


def menu_button(words: str, actions: tuple[QAction, ...], parent) -> QToolButton:
    """A button that opens a menu."""
    button = QToolButton(parent)
    button.setText(f"{words} ▾")
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    menu = QMenu(button)
    menu.setToolTipsVisible(True)
    menu.addActions(actions)
    button.setMenu(menu)
    return button


def label(words: str = "", size: int = 13, bold: bool = False, tone: str = look.TEXT) -> QLabel:
    """A label in the look of the window; `tone` names its colour."""
    made = QLabel(words)
    made.setFont(look.font(made.font(), size, bold))
    made.setProperty("text size", (size, bold))  # for another zoom
    made.setProperty("tone", tone)
    return made


def tone(widget: QLabel, name: str) -> None:
    """Give a label another colour of the theme."""
    if widget.property("tone") != name:
        widget.setProperty("tone", name)
        widget.style().polish(widget)
        widget.setFont(look.font(widget.font(), *widget.property("text size")))  # the style sheet has set another size


def scrolling(inside: QWidget) -> QScrollArea:
    """Room for a widget that may be higher than its place: it scrolls up and down only, and takes no focus."""
    scroll = QScrollArea()
    scroll.setFrameShape(QScrollArea.Shape.NoFrame)
    scroll.setWidgetResizable(True)
    scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    scroll.setWidget(inside)
    return scroll


class KeySquare(QWidget):
    """The coloured square with the letter of a list."""

    def __init__(self, letter: str, parent=None):
        super().__init__(parent)
        self.letter = letter
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(round(look.px(18)), round(look.px(18)))

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        look.key(painter, QRectF(self.rect()), self.letter)


class SideButton(QToolButton):
    """Which list the steps are of."""

    def __init__(self, letter: str, parent=None):
        super().__init__(parent)
        self.letter = letter
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setProperty("pill", True)

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.text()) + round(look.px(36)), metrics.height() + round(look.px(10)))

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(look.QPen(look.ink(look.TEXT if self.hasFocus() else look.STRONG), 2 if self.hasFocus() else 1))
        painter.setBrush(look.ink(look.TINT if self.isChecked() else look.PANEL))
        painter.drawRoundedRect(frame, look.px(5), look.px(5))
        look.bar(painter, QRectF(look.px(10), self.height() / 2 - look.px(4), look.px(8), look.px(8)), look.FILL[self.letter])
        words = QRectF(look.px(24), 0, self.width() - look.px(30), self.height())
        look.text(painter, words, self.text(), look.TEXT if self.isChecked() else look.SECONDARY, size=12, bold=self.isChecked())
