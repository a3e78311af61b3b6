"""Judged documents that no list has retrieved: they count in R and in the ideal order. They go into a list and come back by mouse or by key."""

from PySide6.QtCore import QCoreApplication, QObject, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolButton, QWidget

from rankmetrics_gui import palette as look

FAR = 6  # pixels from the press: a drag


def _tr(text: str) -> str:
    return QCoreApplication.translate("tray", text)


class Chip(QWidget):
    """One document: dragged into a list, or put there by a key."""

    carried = Signal(str, QPoint)  # document, where the mouse is on the screen: a preview
    dropped = Signal(str, QPoint)  # the same, for good
    given_up = Signal()
    asked = Signal(str, str)  # document, letter of a list; no letter: the list in use

    def __init__(self, parent=None):
        super().__init__(parent)
        self.doc, self.title, self.grade, self.lifted = "", "", 0.0, False
        self._start: QPoint | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.OpenHandCursor)

    def show_item(self, doc: str, title: str, grade: float) -> None:
        self.doc, self.title, self.grade = doc, title, grade
        self.setAccessibleName(_tr("{0} (grade {1}), not retrieved").format(title, look.grade_text(grade)))
        self.setToolTip(_tr("{0}: drag it into a list. Enter puts it at the end of the list in use, A or B at the end of that list.").format(title))
        self.setAccessibleDescription(self.toolTip())
        self.update()

    def wide(self) -> int:
        """The width that shows the whole title."""
        return round(self._grade_width() + look.metrics(self.font(), 12).horizontalAdvance(self.title) + look.px(22))

    def _grade_width(self) -> float:
        return max(look.CHIP_WIDTH, look.metrics(self.font(), 12, True).horizontalAdvance(look.grade_text(self.grade)) + look.px(10))

    def paintEvent(self, event) -> None:
        painter, px = QPainter(self), look.px
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(look.ink(look.TEXT), 2) if self.hasFocus() and not self.lifted else look.dashed(look.STRONG))
        painter.setBrush(look.ink(look.PANEL))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), px(5), px(5))
        if self.lifted:
            return
        grade = QRectF(px(4), (self.height() - look.CHIP_HEIGHT) / 2, self._grade_width(), look.CHIP_HEIGHT)
        look.chip(painter, grade, self.grade)
        look.text(painter, QRectF(grade.right() + px(6), 0, self.width() - grade.right() - px(10), self.height()), self.title, size=12)

    def mousePressEvent(self, event) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._start = event.position().toPoint()

    def mouseMoveEvent(self, event) -> None:
        if self._start is None or not self.lifted and (event.position().toPoint() - self._start).manhattanLength() < FAR:
            return
        self.lifted = True
        self.setCursor(Qt.CursorShape.ClosedHandCursor)
        self.carried.emit(self.doc, event.globalPosition().toPoint())

    def mouseReleaseEvent(self, event) -> None:
        if self.lifted:
            self._end()
            self.dropped.emit(self.doc, event.globalPosition().toPoint())
        self._start = None

    def let_go(self) -> None:
        """Back into the tray."""
        if self.lifted:
            self._end()
            self.given_up.emit()
        self._start = None

    def _end(self) -> None:
        self.lifted, self._start = False, None
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.update()

    def keyPressEvent(self, event) -> None:
        key, alt = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        if self.lifted:
            self.let_go() if key == Qt.Key.Key_Escape else None
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) or alt and key == Qt.Key.Key_Up:
            self.asked.emit(self.doc, "")
        elif key in (Qt.Key.Key_A, Qt.Key.Key_B) and not event.modifiers():
            self.asked.emit(self.doc, event.text().upper())
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and not event.modifiers():
            self.focusNextPrevChild(key == Qt.Key.Key_Right)
        else:
            super().keyPressEvent(event)


class Tray(QWidget):
    """The chips in a row, and a menu of those that do not fit."""

    carried, dropped, given_up, asked = Signal(str, QPoint), Signal(str, QPoint), Signal(), Signal(str, str)

    def __init__(self, parent=None):
        super().__init__(parent)
        self.items: tuple[tuple[str, str, float], ...] = ()
        self.chips: list[Chip] = []
        self._offered = False
        self.more = QToolButton(self)
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.more.setMenu(QMenu(self.more))
        self.more.hide()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(round(look.px(400)), round(look.px(34)))

    def minimumSizeHint(self) -> QSize:
        return QSize(round(look.px(200)), round(look.px(34)))

    def show_items(self, items: tuple[tuple[str, str, float], ...]) -> None:
        """Documents, titles and grades. A chip that is being dragged stays: it holds the mouse."""
        if any(chip.lifted for chip in self.chips):
            return
        self.items = items
        words = ", ".join(_tr("{0} (grade {1})").format(title, look.grade_text(grade)) for _, title, grade in items) or _tr("none")
        self.setAccessibleName(_tr("Relevant, not retrieved: {0}").format(words))
        self.setToolTip(_tr("{0}. Judged, in no list: they count in R and in the ideal.").format(self.accessibleName()))
        self._place()

    def offer(self, offered: bool) -> None:
        """A row hangs over the tray: letting it go takes it out of its list."""
        if offered != self._offered:
            self._offered = offered
            self.update()

    def words(self) -> str:
        """What stands before the chips."""
        return _tr("Relevant, not retrieved") if self.items else _tr("Relevant, not retrieved: {0}").format(_tr("none"))

    def _place(self) -> None:
        """Chips from the left, as many as fit; the others are in the menu."""
        gap, high = round(look.px(10)), round(look.px(27))
        x, metrics = round(look.metrics(self.font(), 12).horizontalAdvance(self.words())) + gap, self.more.fontMetrics()
        for at, item in enumerate(self.items):
            rest = _tr("and {0} more").format(len(self.items) - at)
            chip = self._chip(at)
            chip.show_item(*item)
            last = at == len(self.items) - 1
            room = self.width() - x - (0 if last else metrics.horizontalAdvance(rest) + round(look.px(20)))
            if at and chip.wide() > room:
                break
            chip.setGeometry(x, (self.height() - high) // 2, min(chip.wide(), max(room, 0)), high)
            chip.show()
            x += chip.width() + gap
        else:
            at, rest = len(self.items), ""
        for chip in self.chips[at:]:
            chip.hide()
        self._show_rest(at, rest, x)
        self.update()

    def _chip(self, at: int) -> Chip:
        if at == len(self.chips):
            chip = Chip(self)
            self.setTabOrder(self.chips[-1], chip) if self.chips else None
            self.setTabOrder(chip, self.more)
            for ours, its in ((self.carried, chip.carried), (self.dropped, chip.dropped), (self.given_up, chip.given_up), (self.asked, chip.asked)):
                its.connect(ours)
            self.chips.append(chip)
        return self.chips[at]

    def _show_rest(self, at: int, words: str, x: int) -> None:
        self.more.setVisible(bool(words))
        if not words:
            return
        self.more.setText(words)
        self.more.setAccessibleName(f"{words}: {_tr('Relevant, not retrieved')}")
        self.more.menu().clear()
        for doc, title, grade in self.items[at:]:
            self.more.menu().addAction(_tr("{0} (grade {1})").format(title, look.grade_text(grade))).triggered.connect(lambda checked=False, doc=doc: self.asked.emit(doc, ""))
        size = self.more.sizeHint()
        self.more.setGeometry(x, (self.height() - size.height()) // 2, size.width(), size.height())

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._place()

    def paintEvent(self, event) -> None:
        painter, px = QPainter(self), look.px
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._offered:
            painter.setPen(QPen(look.ink(look.TEXT), px(1.5)))
            painter.setBrush(look.ink(look.TINT))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), px(5), px(5))
        width = look.metrics(self.font(), 12).horizontalAdvance(self.words())
        look.text(painter, QRectF(px(4) * self._offered, 0, width + 2, self.height()), self.words(), look.SECONDARY, size=12)
        shown = [chip for chip in self.chips if not chip.isHidden()]
        x = shown[-1].geometry().right() + px(12) if shown else width + px(12)
        explained = _tr("in no list; they count in R and in the ideal")
        if self.items and self.more.isHidden() and x + look.metrics(self.font(), 11).horizontalAdvance(explained) < self.width():
            look.text(painter, QRectF(x, 0, self.width() - x, self.height()), explained, look.FAINT, size=11)


class Carrying(QObject):
    """Between a tray and lists: previews while the mouse moves, one step of the history when it lets go."""

    def __init__(self, window, tray: Tray, views: dict):
        super().__init__(window)
        self.window, self.tray, self.views = window, tray, views
        window.history.indexChanged.connect(self.let_go)
        tray.carried.connect(self.carry)
        tray.dropped.connect(self.drop)
        tray.given_up.connect(self.give_up)
        tray.asked.connect(self.ask)
        for letter, view in views.items():
            view.tray = tray
            view.taken.connect(lambda row, at=letter: self.take(at, row))

    def place(self, at: QPoint) -> tuple[str, int] | None:
        """The list below a point of the screen, and where a document would stand in it, from 0."""
        for letter, docs in zip(self.window.session.letters, self.window.session.lists):
            port = self.views[letter].viewport() if letter in self.views else None
            if port is not None and port.isVisible() and port.rect().contains(port.mapFromGlobal(at)):
                return letter, self.views[letter].place_at(port.mapFromGlobal(at).y(), len(docs))
        return None

    def _with(self, doc: str, letter: str, to: int):
        session = self.window.session
        return session.add(letter, doc, rank=to + 1 if to < len(session.lists[session.index(letter)]) else None)

    def carry(self, doc: str, at: QPoint) -> None:
        """A chip follows the mouse."""
        place = self.place(at)
        for letter, view in self.views.items():
            view.lifted = doc if place and place[0] == letter else None
        if place is None:
            self.window.end_preview()
            return
        letter, to = place
        self.window.preview(letter, self._with(doc, letter, to), _tr("Putting {0} into {1} at rank {2}").format(self.window.session.title(doc), letter, to + 1))

    def drop(self, doc: str, at: QPoint) -> None:
        place = self.place(at)
        self.give_up()
        if place:
            self.put(doc, *place)

    def give_up(self) -> None:
        """As it was before the drag."""
        for view in self.views.values():
            view.lifted = None
        self.window.end_preview()

    def let_go(self) -> None:
        """The session has changed while something hangs in the air: it goes back, for its rank may be another one now."""
        for held in (*self.tray.chips, *self.views.values()):
            held.let_go()

    def ask(self, doc: str, letter: str) -> None:
        """At the end of a list; without a letter, of the list in use."""
        session = self.window.session
        letter = letter or self.window.side
        if letter in session.letters and letter in self.views:
            self.put(doc, letter, len(session.lists[session.index(letter)]))

    def put(self, doc: str, letter: str, to: int) -> None:
        """Into a list; the keyboard goes along."""
        self.window.change(self._with(doc, letter, to), _tr("Put {0} into {1} at rank {2}").format(self.window.session.title(doc), letter, to + 1))
        self.views[letter].setFocus()
        self.views[letter].choose(doc)
        self.window.choose(doc, letter)

    def take(self, letter: str, row: int) -> None:
        """A row hangs over the tray."""
        session = self.window.session
        title = session.title(session.lists[session.index(letter)][row])
        self.window.preview(letter, session.remove(letter, row + 1), _tr("Taking {0} out of {1}").format(title, letter))
