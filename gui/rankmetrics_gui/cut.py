"""The cut-off line: dragged with the mouse or moved by key, it changes k at once."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QAction

from rankmetrics_gui import palette as look


def _tr(text: str) -> str:
    return QCoreApplication.translate("cut", text)


def install(window) -> None:
    """Make the line movable."""
    window.cut_drag = CutDrag(window)
    for words, by, keys in ((_tr("Cut one rank earlier"), -1, ("[", "Ctrl+Up")), (_tr("Cut one rank later"), 1, ("]", "Ctrl+Down"))):
        action = QAction(words, window)
        action.setShortcuts(keys)
        action.triggered.connect(lambda checked=False, by=by: step(window, by))
        window.addAction(action)


def longest(window) -> int:
    """The length of the longest list that is shown."""
    return max((len(docs) for docs in window.session.lists[:2]), default=0)


def step(window, by: int) -> None:
    """Move the cut by one rank; from no cut at all it starts at the end of the lists."""
    k = window.session.k
    here = longest(window) if k is None else k
    to = min(max(here + by, 1), max(longest(window), 1)) if by < 0 or here < longest(window) else here
    set_k(window, to)


def set_k(window, k: int) -> None:
    """Another cutoff, as one step."""
    window.change(window.session.set(k=k), _tr("Set k to {0}").format(k))


class CutDrag(QObject):
    """Watches the mouse in both lists and in the gutter: a press on the line takes it."""

    def __init__(self, window):
        super().__init__(window)
        self.window, self.k = window, None  # k while the line is held
        self.places = {view.viewport(): view for view in window.views.values()}
        self.places[window.gutter] = window.views["A"]
        for place in self.places:
            place.setMouseTracking(True)
            place.installEventFilter(self)
        for view in window.views.values():
            view.installEventFilter(self)

    def _line(self, view) -> float | None:
        """The height of the dotted line in the viewport of a list."""
        return view.row_centre(view.cut - 1) + view.itemDelegate().height() / 2 + look.GAP / 2 if view.cut is not None and view.is_cut(view.cut - 1) else None

    def _is_on(self, watched, position: QPoint) -> bool:
        view = self.places[watched]
        line = self._line(view)
        return line is not None and abs(self._y(watched, position) - line) <= look.GAP / 2

    def _y(self, watched, position: QPoint) -> int:
        """A height in the viewport of the list that the line is measured in."""
        port = self.places[watched].viewport()
        return port.mapFromGlobal(watched.mapToGlobal(position)).y()

    def _k_at(self, watched, position: QPoint) -> int:
        """How many rows stand above a height; the line never leaves the list."""
        view, y = self.places[watched], self._y(watched, position)
        n = len(view.model().rows)
        above = sum(view.row_centre(row) <= y for row in range(n))
        return min(max(above, 1), max(n - 1, 1))

    def eventFilter(self, watched, event) -> bool:
        kind = event.type()
        if watched not in self.places:
            return self._key(event) if kind in (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride) else False
        if kind not in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseMove, QEvent.Type.MouseButtonRelease):
            return False
        position = event.position().toPoint()
        if kind == QEvent.Type.MouseButtonPress and event.button() == Qt.MouseButton.LeftButton and self._is_on(watched, position):
            self.k = self.window.session.k
            self.window._before = self.window.session.report()
            return True
        if kind == QEvent.Type.MouseMove:
            return self._move(watched, position)
        if kind == QEvent.Type.MouseButtonRelease and self.k is not None:
            self._end(self.k)
            return True
        return False

    def _move(self, watched, position: QPoint) -> bool:
        if self.k is None:
            on = self._is_on(watched, position)
            if on != (watched.cursor().shape() == Qt.CursorShape.SplitVCursor):
                watched.setCursor(Qt.CursorShape.SplitVCursor) if on else watched.unsetCursor()
            return False
        k = self._k_at(watched, position)
        if k != self.k:
            self.k = k
            self.window.last_words.setText(_tr("Cut at {0}").format(k))
            self.window._refresh(self.window.session.set(k=k))
        return True

    def _key(self, event) -> bool:
        """Esc lets go."""
        if self.k is None or event.key() != Qt.Key.Key_Escape:
            return False
        if event.type() == QEvent.Type.KeyPress:
            self._end(None)
        event.accept()
        return True

    def _end(self, k: int | None) -> None:
        """Keep a cutoff, or go back to the one of before."""
        self.k, self.window._before = None, None
        if k is None or k == self.window.session.k:
            self.window._refresh(self.window.session)
        else:
            set_k(self.window, k)
