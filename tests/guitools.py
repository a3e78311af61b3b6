"""The real window for tests that drive it, and what they do with it."""

from pathlib import Path

import needs

needs.qt()

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl  # noqa: E402
from PySide6.QtGui import QDragEnterEvent, QDropEvent  # noqa: E402
from PySide6.QtWidgets import QApplication  # noqa: E402


def open_window(qtbot):
    """The window with the first example, shown and active."""
    from rankmetrics_gui.main_window import MainWindow, dress

    dress(QApplication.instance())
    window = MainWindow()
    qtbot.addWidget(window)
    window.resize(1280, 800)
    window.show()
    qtbot.waitExposed(window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


def wake(window, qtbot) -> None:
    """Make the window active again after a dialog: shortcuts need that."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)


def shown_table(view) -> list[list[str]]:
    """What a table shows, row by row."""
    model = view.model()
    return [[model.data(model.index(row, column)) for column in range(model.columnCount())] for row in range(model.rowCount())]


def row_point(window, letter: str, row: int) -> QPoint:
    """A point on the title of a row."""
    view = window.views[letter]
    return QPoint(view.width() // 3, view.row_centre(row))


def drop_files(target, *paths: Path) -> None:
    """Drop files on a widget, as a file manager does."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    drop(target, data)


def drop_text(target, text: str, place: QPoint) -> None:
    """Drop text on a place of a widget."""
    data = QMimeData()
    data.setText(text)
    drop(target, data, place)


def drop(target, data: QMimeData, place: QPoint | None = None) -> None:
    place = place or target.rect().center()
    what = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    enter = QDragEnterEvent(place, *what)
    QApplication.sendEvent(target, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(target, QDropEvent(QPointF(place), *what))
