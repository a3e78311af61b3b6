"""One ranking, large: what a first start shows, and what a class sees from the back row."""

import math

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen, QPolygonF
from PySide6.QtWidgets import QAbstractButton, QGridLayout, QHBoxLayout, QLabel, QScrollArea, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from rankmetrics_gui import cells
from rankmetrics_gui import palette as look
from rankmetrics_gui.controls import draw_sign, label
from rankmetrics_gui.equation import EquationView
from rankmetrics_gui.pages import State
from rankmetrics_gui.ranking_view import RankingView
from rankmetrics_gui.tray import Carrying, Tray
from rankmetrics_nb.measure import Steps
from rankmetrics_nb.relevance import DataError
from rankmetrics_nb.session import Session, earned_piece, equation, flat, shown

MOST_BARS, CARDS_IN_A_ROW = 12, 8


def _tr(text: str) -> str:
    return QCoreApplication.translate("first_view", text)


def textbook() -> Session:
    """The example that every course starts with."""
    return Session.of("R N R N", k=4).set(name=_tr("Textbook: average precision"))


class FirstView(QScrollArea):
    """The list at the left; the hand calculation, its picture and the other measures at the right."""

    def __init__(self, window):
        super().__init__()
        self.window = window
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        page = QWidget()
        page.setProperty("ground", "panel")
        both = QHBoxLayout(page)
        both.setContentsMargins(24, 16, 24, 8)
        both.setSpacing(24)
        both.addWidget(self._left())
        line = QWidget()
        line.setFixedWidth(1)
        line.setProperty("ground", "hairline")
        both.addWidget(line)
        both.addLayout(self._right(), 1)
        self.setWidget(page)
        self.arrow = Arrow(self)
        self._connect()

    # building
    def _left(self) -> QWidget:
        self.left = QWidget()
        self.left.setFixedWidth(360)
        column = QVBoxLayout(self.left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        self.heading, self.counts = label(_tr("Ranking"), 15, bold=True), label(size=12, tone=look.SECONDARY)
        self.view = RankingView("A")
        self.view.high = 40
        self.add = _plain_button("+ " + _tr("Add a document"), "Insert")
        self.tray, self.add_lost = Tray(), _plain_button(_tr("Add one"))
        self.hint = Hint()
        self.paste = WideButton(_tr("Paste a ranking, one id a line"), "Ctrl+V", "paste")
        self.open = WideButton(_tr("Open a run and its judgements"), "Ctrl+O", "open")
        self.compare = WideButton(_tr("Compare with a second ranking"), "Ctrl+B", "compare")
        column.addLayout(_line(self.heading, self.counts, None))
        column.addWidget(self.view)
        column.addLayout(_line(self.add, None))
        column.addLayout(_line(self.tray, self.add_lost))
        column.addSpacing(20)
        column.addWidget(self.hint)
        column.addSpacing(12)
        column.addWidget(label(_tr("Or start with your own"), 12, tone=look.SECONDARY))
        for button in (self.paste, self.open, self.compare):
            column.addWidget(button)
        column.addStretch()
        return self.left

    def _right(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(8)
        self.title, self.question = label(size=15, bold=True), label(size=13, tone=look.SECONDARY)
        self.question.setWordWrap(True)
        self.equation = EquationView(size=30, result=44)
        self.caption = label(size=12, tone=look.SECONDARY)
        self.bars = RankBars()
        self.remark = label()
        self.others = label(_tr("The same list under other measures. Click one to see its steps."), 12, tone=look.SECONDARY)
        for words in (self.caption, self.remark, self.others):
            words.setWordWrap(True)
        self.cards = QGridLayout()
        self.cards.setHorizontalSpacing(12)
        self.cards.setVerticalSpacing(10)
        head = QHBoxLayout()
        head.setSpacing(12)
        head.addWidget(self.title)
        head.addWidget(self.question, 1)
        column.addLayout(head)
        column.addSpacing(12)
        column.addWidget(self.equation)
        column.addSpacing(8)
        column.addWidget(self.caption)
        column.addWidget(self.bars, 1)
        column.addWidget(self.remark)
        column.addSpacing(12)
        column.addWidget(self.others)
        column.addLayout(self.cards)
        column.addStretch()
        return column

    def _connect(self) -> None:
        window, view = self.window, self.view
        view.dragged.connect(lambda row, to: window._preview("A", row, to))
        view.dropped.connect(lambda row, to: window.move("A", row, to))
        view.drag_ended.connect(window.end_preview)
        view.stepped.connect(lambda row, to: window.move("A", row, to))
        view.graded.connect(window.grade)
        view.removed.connect(lambda row: window.remove("A", row))
        view.added.connect(lambda: window.add("A"))
        view.pasted.connect(lambda: window.paste("A"))
        view.renamed.connect(window.rename)
        self.carrying = Carrying(window, self.tray, {"A": view})
        self.add.clicked.connect(lambda: window.add("A"))
        self.add_lost.clicked.connect(lambda: window.add("A", retrieved=False))
        self.paste.clicked.connect(window.paste_action.trigger)
        self.open.clicked.connect(window.keeping.open_action.trigger)

    # showing
    def show_state(self, state: State) -> None:
        """Draw a state of the window; only list A is shown."""
        session, row = state.session, state.row
        relevant = sum(grade >= session.rel for grade in session.grades.values())
        self.counts.setText(_tr("{0} documents, {1} relevant").format(len(session.lists[0]), relevant))
        self.view.switch = session.rel <= 1 and {session.grades.get(doc) for doc in session.lists[0]} <= {0, 1, None}
        self.view.show_rows(cells.list_rows(session, "A", dict(state.steps)), session.k)
        self.view.fit_height(10)
        self.view.setMaximumHeight(self.view.minimumHeight())
        absent = [doc for doc in session.absent("A") if session.grades[doc] >= session.rel]
        self.tray.show_items(tuple((doc, session.title(doc), session.grades[doc]) for doc in absent))
        measure = row.measure
        self.title.setText(f"{row.label}, {measure.title}" if measure else row.label)
        self.question.setText(measure.question if measure else "")
        self._show_calculation(state)
        self._show_cards(state)
        self.arrow.place()

    def _show_calculation(self, state: State) -> None:
        steps = state.steps.get("A")
        problem = steps is None or math.isnan(steps.value)
        for widget in (self.caption, self.bars):
            widget.setVisible(not problem)
        if problem:
            self.equation.show_pieces((state.row.label, _tr("no value") if steps is None else _tr("undefined")), "A")
            self.remark.setText(state.row.problem if steps is None else "\n".join(steps.notes))
            return
        self.equation.show_pieces(equation(steps), "A")
        precision = steps.measure.name == "AP"
        self.caption.setText(_tr("Precision at each rank. Only ranks that hold a relevant document are averaged.") if precision else _tr("What each rank adds."))
        self.bars.show_bars(precision_bars(state.session, steps) if precision else added_bars(steps), f"{state.row.label} {shown(steps.value)}", steps.value if precision else None)
        self.remark.setText(one_more(state.session, state.row.name, steps))

    def _show_cards(self, state: State) -> None:
        rows = [row for row in state.report.rows if row.name != state.row.name]
        while self.cards.count() > len(rows):
            self.cards.takeAt(self.cards.count() - 1).widget().deleteLater()
        while self.cards.count() < len(rows):
            at = self.cards.count()
            card = Card()
            card.clicked.connect(lambda checked=False, card=card: self.window.pick(card.name))
            self.cards.addWidget(card, at // CARDS_IN_A_ROW, at % CARDS_IN_A_ROW)
        for at, row in enumerate(rows):
            self.cards.itemAt(at).widget().show_value(row.name, row.label, row.values[0])

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self.arrow.place()

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self.arrow.place()


def precision_bars(session: Session, steps: Steps) -> list[tuple]:
    """Per rank: label, height, filled, words in the bar. The precisions are P@1, P@2, ... of the session."""
    out = []
    for row in steps.rows[:MOST_BARS]:
        if row.rank is None:
            continue
        at = session.steps(f"P@{int(row.rank)}", "A")
        words = row.earned if row.contribution else equation(at)[1]
        letter = "?" if row.grade is None else "R" if row.contribution else "N"
        out.append((f"{row.rank:g} {letter}", at.value, bool(row.contribution), flat(words)))
    return out


def added_bars(steps: Steps) -> list[tuple]:
    """Per rank: label, share of the largest, filled, what it earned."""
    rows = [row for row in steps.rows if row.rank is not None][:MOST_BARS]
    most = max((abs(row.contribution) for row in rows), default=0) or 1
    return [(f"{row.rank:g}", max(row.contribution, 0) / most, bool(row.contribution), flat(earned_piece(row.earned)) if row.contribution else "0") for row in rows]


def one_more(session: Session, name: str, steps: Steps) -> str:
    """What a further relevant document, not retrieved, would make of the value."""
    try:
        after = session.add("A", grade=max(session.rel, 1), retrieved=False).steps(name, "A")
    except DataError:
        return ""
    if math.isnan(after.value) or abs(after.value - steps.value) < 1e-12:
        return ""
    return _tr("One more relevant document that was not retrieved makes it {0}.").format(" = ".join(map(flat, equation(after)[1:])))


class RankBars(QWidget):
    """A bar a rank; dashed where the rank earns nothing."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.bars, self.words, self.level = [], "", None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        return QSize(round(look.px(480)), round(look.px(190)))

    def minimumSizeHint(self) -> QSize:
        return QSize(round(look.px(240)), round(look.px(130)))

    def show_bars(self, bars: list[tuple], words: str, level: float | None) -> None:
        """Bars of 0 to 1; `level` is the value that a dashed line marks."""
        self.bars, self.words, self.level = bars, words, level
        self.setAccessibleName(", ".join(_tr("rank {0}: {1}").format(rank, inside) for rank, _, _, inside in bars))
        self.update()

    def paintEvent(self, event) -> None:
        painter, px = QPainter(self), look.px
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        top, bottom, left = px(10), self.height() - px(24), px(36)
        right = self.width() - px(130 if self.level is not None else 8)
        place = lambda height: bottom - height * (bottom - top)  # noqa: E731
        if self.level is not None:
            for height, words in ((0, "0.0"), (0.5, "0.5"), (1, "1.0")):
                painter.setPen(QPen(look.ink(look.HAIRLINE), 1))
                painter.drawLine(QPointF(left, place(height)), QPointF(right, place(height)))
                look.text(painter, QRectF(0, place(height) - px(9), left - px(8), px(18)), words, look.SECONDARY, Qt.AlignmentFlag.AlignRight, 11)
        step = (right - left) / max(len(self.bars), 4)
        for at, bar in enumerate(self.bars):
            self._bar(painter, left + at * step + step * 0.2, step * 0.6, bar, place, bottom)
        painter.setPen(QPen(look.ink(look.STRONG), 1))
        painter.drawLine(QPointF(left, bottom), QPointF(right, bottom))
        if self.level is not None:
            painter.setPen(look.dashed(look.TEXT, 1.5, (5, 3)))
            painter.drawLine(QPointF(left, place(self.level)), QPointF(right + px(8), place(self.level)))
            look.text(painter, QRectF(right + px(14), place(self.level) - px(10), px(116), px(20)), self.words, look.TEXT, size=13, bold=True)

    def _bar(self, painter: QPainter, x: float, width: float, bar: tuple, place, bottom: float) -> None:
        rank, height, filled, words = bar
        rect = QRectF(x, place(height), width, bottom - place(height))
        if filled:
            look.bar(painter, rect, look.FILL["A"])
        else:
            painter.setPen(look.dashed(look.STRONG, 1, (3, 3)))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect)
        inside = rect.height() > look.px(24)
        area = QRectF(x - look.px(8), bottom - look.px(28) if inside else rect.y() - look.px(22), width + look.px(16), look.px(20))
        look.text(painter, area, words, look.LETTER["A"] if filled and inside else look.SECONDARY, Qt.AlignmentFlag.AlignHCenter, 13, True)
        look.text(painter, QRectF(x, bottom + look.px(3), width, look.px(18)), rank, look.TEXT if filled else look.SECONDARY, Qt.AlignmentFlag.AlignHCenter, 12, filled)


class Card(QAbstractButton):
    """One measure: its name, its value and a bar."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.name, self.words, self.value = "", "", None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def sizeHint(self) -> QSize:
        return QSize(round(look.px(84)), round(look.px(54)))

    def show_value(self, name: str, words: str, value: float | None) -> None:
        self.name, self.words, self.value = name, words, value
        self.setAccessibleName(f"{words} {shown(value)}")
        self.update()

    def paintEvent(self, event) -> None:
        painter, px = QPainter(self), look.px
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.underMouse():
            painter.fillRect(self.rect(), look.ink(look.TINT))
        look.text(painter, QRectF(px(2), px(1), self.width() - px(4), px(18)), self.words, look.SECONDARY, size=12)
        look.text(painter, QRectF(px(2), px(19), self.width() - px(4), px(22)), shown(self.value), size=16, bold=True)
        track = QRectF(px(2), px(44), self.width() - px(4), px(5))
        look.bar(painter, track, look.TRACK)
        if self.value is not None and math.isfinite(self.value) and self.value > 0:
            look.bar(painter, QRectF(track.x(), track.y(), max(track.width() * min(self.value, 1), px(2)), track.height()), look.FILL["A"])
        if self.hasFocus():
            painter.setPen(QPen(look.ink(look.TEXT), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), px(4), px(4))


class WideButton(QAbstractButton):
    """A button as wide as the column: a drawing, words, and its key at the end."""

    def __init__(self, words: str, keys: str, sign: str, parent=None):
        super().__init__(parent)
        self.keys, self.sign = keys, sign
        self.setText(words)
        self.setAccessibleName(f"{words}, {keys}")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(round(look.px(320)), round(look.px(34)))

    def paintEvent(self, event) -> None:
        painter, px = QPainter(self), look.px
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(look.ink(look.TEXT if self.hasFocus() else look.STRONG), 2 if self.hasFocus() else 1))
        painter.setBrush(look.ink(look.TINT if self.underMouse() else look.PANEL))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), px(5), px(5))
        wide = look.metrics(self.font(), 11).horizontalAdvance(self.keys) + px(12)
        cap = QRectF(self.width() - wide - px(10), self.height() / 2 - px(9), wide, px(18))
        draw_sign(painter, QRectF(px(12), self.height() / 2 - px(8), px(16), px(16)), self.sign)
        look.text(painter, QRectF(px(38), 0, cap.x() - px(44), self.height()), self.text())
        painter.setPen(QPen(look.ink(look.STRONG), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(cap, px(3), px(3))
        look.text(painter, cap, self.keys, look.SECONDARY, Qt.AlignmentFlag.AlignHCenter, 11)


class Hint(QWidget):
    """What to do first; it leaves with the first change and does not come again."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.setProperty("ground", "text")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 10, 8, 12)
        words = QVBoxLayout()
        words.setSpacing(4)
        self.first, self.more = QLabel(), QLabel(_tr("Or select it and press Alt+↑. Press 0 or 1 to change what is relevant. This note leaves with your first move."))
        for widget, size, bold in ((self.first, 13, True), (self.more, 12, False)):
            widget.setWordWrap(True)
            widget.setProperty("tone", "on text")
            widget.setProperty("text size", (size, bold))
            widget.setFont(look.font(widget.font(), size, bold))
            words.addWidget(widget)
        self.close_button = QToolButton(text="×", accessibleName=_tr("Close the hint"), toolTip=_tr("Close the hint"))
        self.close_button.setProperty("tone", "on text")
        row.addLayout(words, 1)
        row.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        self.show_rank(3)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self.setMinimumHeight(self.layout().heightForWidth(self.width()))

    def show_rank(self, rank: int) -> None:
        """Which row to drag."""
        self.first.setText(_tr("Drag row {0} to the top. Every number follows.").format(rank))
        self.setAccessibleName(f"{self.first.text()} {self.more.text()}")


class Arrow(QWidget):
    """From the hint to the place where the row goes. The mouse does not see it."""

    def __init__(self, view: FirstView):
        super().__init__(view.left)
        self.view = view
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def place(self) -> None:
        """Over the whole column, as long as there is a hint."""
        self.setVisible(self.view.hint.isVisibleTo(self.view.left) and self.view.view.lifted is None)
        self.setGeometry(self.parentWidget().rect())
        self.raise_()
        self.update()

    def paintEvent(self, event) -> None:
        rows, px = self.view.view, look.px
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = self.view.hint.geometry()
        start = QPointF(box.left() + box.width() * 0.62, box.top())
        end = QPointF(rows.mapTo(self.parentWidget(), QPointF(self.width() * 0.46, rows.row_centre(0))))
        end.setY(end.y() + px(6))
        path = QPainterPath(start)
        path.cubicTo(QPointF(start.x(), start.y() - px(90)), QPointF(end.x() + px(24), end.y() + px(90)), end)
        painter.setPen(look.dashed(look.TEXT, 1.25, (4, 3)))
        painter.drawPath(path)
        painter.setPen(QPen(look.ink(look.TEXT), px(1.5)))
        painter.drawPolyline(QPolygonF([end + QPointF(-px(4), px(9)), end, end + QPointF(px(9), px(6))]))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.ink(look.TEXT))
        painter.drawPolygon(QPolygonF([start + QPointF(-px(8), 0), start + QPointF(px(8), 0), start - QPointF(0, px(8))]))


def _plain_button(words: str, keys: str = "") -> QToolButton:
    button = QToolButton(text=words, toolTip=f"{words} ({keys})" if keys else words)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


def _line(*widgets: QWidget | None) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(12)
    for widget in widgets:
        row.addStretch() if widget is None else row.addWidget(widget)
    return row
