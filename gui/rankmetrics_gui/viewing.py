"""How the window looks: theme and zoom, changed while it is open."""

from collections.abc import Iterator

import shiboken6
from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QApplication, QDialog, QGridLayout, QLabel, QLayout, QMainWindow, QSpacerItem, QWidget

from rankmetrics_gui import palette as look

ZOOMS = (0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5)
SYSTEM = "system"
LARGEST = 16777215  # Qt's "no limit" for the size of a widget


def _tr(text: str) -> str:
    return QCoreApplication.translate("viewing", text)


def system_theme() -> str:
    """The theme that the desktop asks for."""
    hints = QGuiApplication.styleHints()
    accessible = getattr(hints, "accessibility", None)  # since Qt 6.10
    if accessible and accessible().contrastPreference() == Qt.ContrastPreference.HighContrast:
        return "contrast"
    return "dark" if hints.colorScheme() == Qt.ColorScheme.Dark else "light"


class Viewing(QObject):
    """The theme and the zoom of a window, and their actions."""

    changed = Signal()  # for the settings

    def __init__(self, window):
        super().__init__(window)
        self.window, self.theme = window, SYSTEM
        menu, group = window.view_menu, QActionGroup(window)
        names = {SYSTEM: _tr("As the system"), "light": _tr("Light"), "dark": _tr("Dark"), "contrast": _tr("High contrast")}
        self.theme_actions = {name: self._theme_action(name, words, group) for name, words in names.items()}
        menu.addActions(list(self.theme_actions.values()))
        menu.addSeparator()
        self.larger = self._action(_tr("Larger"), lambda: self.step(1), [QKeySequence("Ctrl++"), QKeySequence("Ctrl+=")])
        self.smaller = self._action(_tr("Smaller"), lambda: self.step(-1), [QKeySequence("Ctrl+-")])
        self.usual = self._action(_tr("Usual size"), lambda: self.zoom_to(1.0), [QKeySequence("Ctrl+0")])
        menu.addActions([self.larger, self.smaller, self.usual])
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self.follow_system)
        if hasattr(hints, "accessibility"):
            hints.accessibility().contrastPreferenceChanged.connect(self.follow_system)
        self._show_choices()

    def _theme_action(self, name: str, words: str, group: QActionGroup) -> QAction:
        action = QAction(words, self.window, checkable=True)
        action.triggered.connect(lambda: self.use(name))
        group.addAction(action)
        return action

    def _action(self, words: str, done, keys: list[QKeySequence]) -> QAction:
        action = QAction(words, self.window)
        action.setShortcuts(keys)
        action.triggered.connect(done)
        self.window.addAction(action)
        return action

    # verbs
    def start(self, theme: str, zoom: float) -> None:
        """The theme and the zoom of last time."""
        self.theme = theme if theme in self.theme_actions else SYSTEM
        chosen, zoom = system_theme() if self.theme == SYSTEM else self.theme, min(max(zoom, ZOOMS[0]), ZOOMS[-1])
        if (chosen, zoom) != (look.theme(), look.zoom()):
            look.use(chosen)
            look.enlarge(zoom)
            self._show()
        self._show_choices()

    def use(self, theme: str) -> None:
        """Another theme, everywhere and at once."""
        self.theme = theme if theme in self.theme_actions else SYSTEM
        look.use(system_theme() if self.theme == SYSTEM else self.theme)
        self._show()
        self.changed.emit()

    def follow_system(self, _=None) -> None:
        """The desktop has changed from light to dark, or back."""
        if self.theme == SYSTEM:
            self.use(SYSTEM)

    def step(self, by: int) -> None:
        """The next larger or smaller size."""
        nearest = min(range(len(ZOOMS)), key=lambda at: abs(ZOOMS[at] - look.zoom()))
        self.zoom_to(ZOOMS[min(max(nearest + by, 0), len(ZOOMS) - 1)])

    def zoom_to(self, zoom: float) -> None:
        """Everything so many times as large: text, rows, chips, bars and the room between them."""
        look.enlarge(min(max(zoom, ZOOMS[0]), ZOOMS[-1]))
        self._show()
        self.window.last_words.setText(_tr("Size {0} %").format(round(100 * look.zoom())))
        self.changed.emit()

    # showing
    def _show(self) -> None:
        application = QApplication.instance()
        application.setPalette(look.palette())
        application.setFont(look.font(application.font(), 13))
        application.setStyleSheet(look.style())
        scale(self.window, look.zoom())
        self.window.look_changed()
        self._show_choices()

    def _show_choices(self) -> None:
        self.theme_actions[self.theme].setChecked(True)
        self.larger.setEnabled(look.zoom() < ZOOMS[-1])
        self.smaller.setEnabled(look.zoom() > ZOOMS[0])


def scale(window: QMainWindow, zoom: float) -> None:
    """Margins, gaps, fixed sizes and label fonts. The sizes at 100 % are those that the window was built with."""
    for layout in window.findChildren(QLayout):
        if not isinstance(layout.parent(), QMainWindow):
            _scale_layout(layout, zoom)
    for widget in window.findChildren(QWidget):
        _scale_widget(widget, zoom)


def fit(dialog: QDialog) -> None:
    """Margins, gaps and the size of a dialog, which is made after the zoom was chosen; it stays on the screen."""
    for layout in dialog.findChildren(QLayout):
        _scale_layout(layout, look.zoom())
    dialog.resize((dialog.size() * look.zoom()).boundedTo(dialog.screen().availableSize()))


def _scale_layout(layout: QLayout, zoom: float) -> None:
    known = layout.property("at 100 %") or _layout_sizes(layout)
    layout.setProperty("at 100 %", known)
    margins, spacing, rows, columns, spaces = known
    layout.setContentsMargins(*(round(length * zoom) for length in margins))
    if isinstance(layout, QGridLayout):
        layout.setHorizontalSpacing(round(spacing[0] * zoom))
        layout.setVerticalSpacing(round(spacing[1] * zoom))
        for at, length in enumerate(rows):
            layout.setRowMinimumHeight(at, round(length * zoom))
        for at, length in enumerate(columns):
            layout.setColumnMinimumWidth(at, round(length * zoom))
    elif spacing[0] >= 0:
        layout.setSpacing(round(spacing[0] * zoom))
    for at, space in _spaces(layout) if spaces else ():
        width, height = spaces[str(at)]
        space.changeSize(round(width * zoom), round(height * zoom), space.sizePolicy().horizontalPolicy(), space.sizePolicy().verticalPolicy())
    layout.invalidate()


def _layout_sizes(layout: QLayout) -> tuple:
    margins = layout.contentsMargins()
    grid = isinstance(layout, QGridLayout)
    return (
        (margins.left(), margins.top(), margins.right(), margins.bottom()),
        (layout.horizontalSpacing(), layout.verticalSpacing()) if grid else (layout.spacing(), layout.spacing()),
        [layout.rowMinimumHeight(at) for at in range(layout.rowCount())] if grid else [],
        [layout.columnMinimumWidth(at) for at in range(layout.columnCount())] if grid else [],
        {str(at): (space.sizeHint().width(), space.sizeHint().height()) for at, space in _spaces(layout)},
    )


def _spaces(layout: QLayout) -> Iterator[tuple[int, QSpacerItem]]:
    """The spaces of a layout. Python lets go of every item at once: it is not told when Qt deletes one and gives its address to another object."""
    for at in range(layout.count()):
        item = layout.itemAt(at)
        if item.spacerItem() is not None:
            yield at, item.spacerItem()
        if item.layout() is None:
            shiboken6.invalidate(item)


def _scale_widget(widget: QWidget, zoom: float) -> None:
    if isinstance(widget, QLabel) and widget.property("text size"):
        widget.setFont(look.font(QApplication.font(), *widget.property("text size")))
    known = widget.property("at 100 %") or (widget.minimumWidth(), widget.minimumHeight(), widget.maximumWidth(), widget.maximumHeight())
    widget.setProperty("at 100 %", known)
    least, most = known[:2], known[2:]
    for length, put in ((least[0], widget.setMinimumWidth), (least[1], widget.setMinimumHeight)):
        if length > 1:
            put(round(length * zoom))
    for length, put in ((most[0], widget.setMaximumWidth), (most[1], widget.setMaximumHeight)):
        if 1 < length < LARGEST:
            put(round(length * zoom))


def install(window) -> None:
    """Theme and zoom for a window."""
    window.viewing = Viewing(window)
