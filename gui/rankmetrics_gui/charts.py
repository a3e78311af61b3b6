"""Pictures. Each chart is one small class that paints itself into any rectangle, on the screen or into a file, and says the same in words and as a table.

The numbers come from the package; here they only get their places.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np
from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen, QPolygonF

from rankmetrics_gui import palette as look
from rankmetrics_nb.hits import Earned, hits_of
from rankmetrics_nb.measure import NEEDS, Difference, Steps
from rankmetrics_nb.measures.dcg import dcg, discounted, gained, ideal_dcg
from rankmetrics_nb.measures.pr_curve import PRCurve, precision_recall_curve
from rankmetrics_nb.measures.roc import roc_curve
from rankmetrics_nb.relevance import Ranking
from rankmetrics_nb.session import Session, shown, signed

LEFT, RIGHT, CENTRE = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignHCenter
MOST_POINTS = 200  # of a curve; a longer list is drawn down to this rank
NAMED = 40  # up to so many points have markers and numbers
NEAR = 14  # pixels at 100 % between the mouse and what it means


def _tr(text: str) -> str:
    return QCoreApplication.translate("charts", text)


def number(value: float) -> str:
    """A number on an axis."""
    return f"{value:.6g}".replace("-", "−")


def undefined(steps: Steps) -> str:
    """Why there is no value: "undefined: no relevant document"."""
    reason = NEEDS[steps.measure.needs][1] or _tr("there is nothing to count")
    if steps.hits is not None and steps.measure.defined(steps.hits)[0]:
        reason = _tr("no relevant document was retrieved")
    return _tr("undefined: {0}").format(reason)


def value_words(steps: Steps) -> str:
    """A value, or why there is none."""
    return undefined(steps) if math.isnan(steps.value) else shown(steps.value)


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers from low to high, at most so many."""
    if not high > low:
        return [low]
    rough = (high - low) / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * n for n in (1, 2, 2.5, 5, 10) if power * n >= rough * (1 - 1e-9))
    first = math.ceil(low / step - 1e-9)
    return [round(n * step, 12) for n in range(first, math.floor(high / step + 1e-9) + 1)]


@dataclass(frozen=True)
class Mark:
    """A place of a chart that is about a document."""

    place: QPointF
    doc: str
    say: Callable[[], str]

    @property
    def words(self) -> str:
        """What the place is about; made when it is asked for."""
        return self.say()


@dataclass(frozen=True)
class Table:
    """Column names and rows of texts and numbers; None is an empty cell, nan an undefined value."""

    name: str
    head: tuple[str, ...]
    rows: tuple[tuple[str | float | None, ...], ...]


class Chart:
    """A picture of a session. `words` say what is to be seen, `table` holds its numbers."""

    name = ""
    chips: int | None = 2  # the column of the table that holds grades
    docs: tuple[str, ...] = ()  # what each row of the table is about
    size = (760, 380)  # pixels at 100 %, in a file

    def __init__(self) -> None:
        self.words, self.note, self.table = "", "", Table(self.name, (), ())
        self.marks: list[Mark] = []  # made while painting

    def paint(self, painter: QPainter, rect: QRectF, lit: str = "") -> None:
        """Draw the chart; `lit` is the document that is pointed at."""
        self.marks = []
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.draw(painter, rect, lit)
        painter.restore()

    def draw(self, painter: QPainter, rect: QRectF, lit: str) -> None:
        raise NotImplementedError

    def mark(self, point: QPointF) -> Mark | None:
        """What is nearest to a point, where it is near enough."""
        best = min(self.marks, key=lambda mark: _distance(mark.place, point), default=None)
        return best if best and _distance(best.place, point) <= look.px(NEAR) else None


def _distance(a: QPointF, b: QPointF) -> float:
    return math.hypot(a.x() - b.x(), a.y() - b.y())


class Axes:
    """Two scales, and where their values stand in a rectangle."""

    def __init__(self, rect: QRectF, x: tuple[float, float] = (0, 1), y: tuple[float, float] = (0, 1), square: bool = False, below: float = 38):
        px = look.px
        area = rect.adjusted(px(46), px(26), -px(14), -px(below))
        if square:
            side = min(area.width(), area.height())
            area = QRectF(area.x(), area.y(), side, side)
        self.rect, self.area, self.x, self.y = rect, area, x, y

    def at(self, x: float, y: float) -> QPointF:
        """The place of a point."""
        (left, right), (low, high) = self.x, self.y
        return QPointF(
            self.area.x() + (x - left) / (right - left) * self.area.width(),
            self.area.bottom() - (y - low) / (high - low) * self.area.height(),
        )

    def draw(self, painter: QPainter, across: str, up: str, x_ticks: bool = True, legend: float = 0) -> None:
        """Hairlines with their numbers, and what the axes are; `legend` is how much room at the top right is taken."""
        px, area = look.px, self.area
        for value in ticks(*self.y, most=max(2, int(area.height() / px(34)))):
            y = self.at(self.x[0], value).y()
            painter.setPen(QPen(look.ink(look.HAIRLINE), 1))
            painter.drawLine(QPointF(area.x(), y), QPointF(area.right(), y))
            look.text(painter, QRectF(self.rect.x(), y - px(8), px(38), px(16)), number(value), look.SECONDARY, RIGHT, 11)
        for value in ticks(*self.x, most=max(2, int(area.width() / px(60)))) if x_ticks else ():
            x = self.at(value, self.y[0]).x()
            painter.setPen(QPen(look.ink(look.HAIRLINE), 1))
            painter.drawLine(QPointF(x, area.y()), QPointF(x, area.bottom()))
            look.text(painter, QRectF(x - px(24), area.bottom() + px(3), px(48), px(16)), number(value), look.SECONDARY, CENTRE, 11)
        painter.setPen(QPen(look.ink(look.STRONG), 1))
        painter.drawLine(area.bottomLeft(), area.bottomRight())
        painter.drawLine(area.topLeft(), area.bottomLeft())
        wide = self.rect.width() - px(32) - legend if legend else self.rect.width() - px(8)
        if wide > px(40):
            look.text(painter, QRectF(self.rect.x() + px(8), area.y() - px(24), wide, px(16)), up, look.SECONDARY, LEFT, 11)
        look.text(painter, QRectF(area.x(), self.rect.bottom() - px(18), self.rect.right() - area.x(), px(16)), across, look.SECONDARY, LEFT, 11)


def _line(painter: QPainter, points: Sequence[QPointF], pen: QPen) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen)
    painter.drawPolyline(QPolygonF(list(points)))


DASHES = {"A": (), "B": (6, 3), "C": (12, 3, 2, 3), "D": (12, 3, 2, 3, 2, 3), "E": (3, 6), "F": (18, 4)}  # of the line of a list
CORNERS = {"B": ((-1, -1), (1, -1), (1, 1), (-1, 1)), "C": ((0, -1.2), (1.2, 1), (-1.2, 1)), "D": ((0, -1.4), (1.4, 0), (0, 1.4), (-1.4, 0)), "E": ((0, 1.2), (1.2, -1), (-1.2, -1)), "F": ((-1.2, -1), (0.6, 0), (-1.2, 1), (1.6, 0))}


def _pen(letter: str, width: float) -> QPen:
    """A is a full line; every other list has dashes of its own."""
    colour = look.LINE[letter]
    return look.dashed(colour, width, DASHES[letter]) if DASHES[letter] else QPen(look.ink(colour), look.px(width))


def _dot(painter: QPainter, place: QPointF, letter: str, filled: bool, lit: bool) -> None:
    """A is round, every other list has corners of its own; open where the document is not relevant."""
    r = look.px(5 if lit else 3.5)
    painter.setPen(QPen(look.ink(look.TEXT if lit else look.LINE[letter]), look.px(2 if lit else 1.5)))
    painter.setBrush(look.ink(look.LINE[letter] if filled else look.PANEL))
    if letter in CORNERS:
        painter.drawPolygon(QPolygonF([place + QPointF(x * r, y * r) for x, y in CORNERS[letter]]))
    else:
        painter.drawEllipse(place, r, r)


def _key(painter: QPainter, x: float, y: float, letter: str, words: str, wide: float) -> None:
    """A line of the legend."""
    px = look.px
    _line(painter, [QPointF(x, y), QPointF(x + px(26), y)], _pen(letter, 2))
    _dot(painter, QPointF(x + px(13), y), letter, True, False)
    look.text(painter, QRectF(x + px(34), y - px(9), wide - px(34), px(18)), words, look.VALUE.get(letter, look.LINE[letter]), LEFT, 12, True)


def letters_of(session: Session) -> list[str]:
    """The lists that have a colour."""
    return [letter for letter in session.letters if letter in look.FILL]


def _named(session: Session, letter: str) -> str:
    name = session.names[session.index(letter)]
    return letter if name == letter else f"{letter} {name}"


def _whole(value: float | None) -> float | None:
    """A grade or a rank: 3 and not 3.0."""
    return int(value) if value is not None and float(value).is_integer() and abs(value) < 1e15 else value


def _docs(session: Session, ranking: Ranking) -> list[str]:
    return [session.title(doc) for doc in ranking.doc_ids]


def _cut_at(ranking: Ranking, rank: int) -> Ranking:
    """The list down to a rank; what is relevant below counts as not retrieved, so every point stays where it was."""
    return replace(ranking, grades=ranking.grades[:rank], doc_ids=ranking.doc_ids[:rank], unretrieved=(*ranking.unretrieved, *(g for g in ranking.grades[rank:] if g is not None)))


@lru_cache(maxsize=8)
def _curve_of(ranking: Ranking, rel: float) -> PRCurve:
    """The curve of a list, down to MOST_POINTS; while one list is dragged, that of the other stays."""
    return precision_recall_curve(_cut_at(ranking, MOST_POINTS), rel)


class PrecisionRecall(Chart):
    """Precision against recall: a point a rank, the saw-tooth between them, and the interpolated steps."""

    def __init__(self, session: Session, side: str):
        self.name = _tr("Precision and recall")
        super().__init__()
        self.session, self.side, self.rel = session, side, session.rel
        self.rankings = {letter: session.ranking(letter) for letter in session.letters}
        self.curves: dict[str, PRCurve] = {letter: _curve_of(r, self.rel) for letter, r in self.rankings.items()}
        self.words = " ".join(map(self._in_words, self.curves))
        curve, ranking = self.curves[side], self.rankings[side]
        rows = zip(curve.rank, _docs(session, ranking), map(_whole, ranking.grades), curve.precision, curve.recall, curve.interpolated)
        self.table = Table(self.name, (_tr("rank"), _tr("document"), _tr("grade"), _tr("precision"), _tr("recall"), _tr("interpolated")), tuple(rows))
        self.docs = ranking.doc_ids
        if any(len(one.grades) > MOST_POINTS for one in self.rankings.values()):
            self.note = _tr("The first {0} ranks are drawn.").format(MOST_POINTS)

    def _in_words(self, letter: str) -> str:
        curve, name = self.curves[letter], _named(self.session, letter)
        if not curve.rank:
            return _tr("{0}: the list is empty.").format(name)
        return _tr("{0}: after rank {1} precision is {2} and recall {3}.").format(name, curve.rank[-1], shown(curve.precision[-1]), shown(curve.recall[-1]))

    def draw(self, painter: QPainter, rect: QRectF, lit: str) -> None:
        axes = Axes(rect, y=(0, 1.04))
        taken = self._legend(painter, axes)
        axes.draw(painter, _tr("recall: share of the relevant documents that is found"), _tr("precision: share of the found documents that is relevant"), legend=taken)
        for letter in sorted(self.curves, key=lambda letter: letter == self.side):
            self._curve(painter, axes, letter, lit)

    def _legend(self, painter: QPainter, axes: Axes) -> float:
        """What the lines are; how wide that is."""
        px, metrics, dotted = look.px, look.metrics(painter.font(), 12, True), _tr("dotted: interpolated")
        names = [_named(self.session, letter) for letter in self.curves]

        def wide(space: float) -> float:
            return sum(metrics.horizontalAdvance(words) + px(space) for words in names) + metrics.horizontalAdvance(dotted)

        space, room = 52, axes.area.width()
        if len(names) > 2 and wide(space) > room - px(160):
            names = list(self.curves)
        if wide(space) > room and len(names) > 2:
            space, dotted = 44, ""
        taken = wide(space)
        x = axes.area.right() - taken
        for letter, words in zip(self.curves, names):
            each = metrics.horizontalAdvance(words) + px(space)
            _key(painter, x, axes.area.y() - px(16), letter, words, each)
            x += each
        look.text(painter, QRectF(x, axes.area.y() - px(25), axes.rect.right() - x, px(18)), dotted, look.SECONDARY, LEFT, 12)
        return taken

    def _curve(self, painter: QPainter, axes: Axes, letter: str, lit: str) -> None:
        curve, ranking = self.curves[letter], self.rankings[letter]
        if not curve.rank:
            return
        points = [axes.at(x, y) for x, y in zip(curve.recall, curve.precision)]
        _line(painter, points, _pen(letter, 1))
        steps = [axes.at(0, curve.interpolated[0])]
        for x, y in zip(curve.recall, curve.interpolated):
            steps += [QPointF(steps[-1].x(), axes.at(x, y).y()), axes.at(x, y)]
        if len(self.curves) <= 2 or letter == self.side:
            _line(painter, steps, look.dashed(look.LINE[letter], 2, (2, 3)))
        few = len(points) <= NAMED
        for rank, point, doc, grade in zip(curve.rank, points, ranking.doc_ids, ranking.grades):
            relevant = grade is not None and grade >= self.rel
            if few or doc == lit:
                _dot(painter, point, letter, relevant, doc == lit)
            self.marks.append(Mark(point, doc, partial(self._point_words, letter, rank)))
        if few and letter == self.side:
            self._ranks(painter, axes, curve, points)

    def _point_words(self, letter: str, rank: int) -> str:
        curve, doc = self.curves[letter], self.rankings[letter].doc_ids[rank - 1]
        return f"{letter}{rank}  {self.session.title(doc)}\nP = {shown(curve.precision[rank - 1])}, R = {shown(curve.recall[rank - 1])}"

    def _ranks(self, painter: QPainter, axes: Axes, curve: PRCurve, points: list[QPointF]) -> None:
        """The ranks beside their points; those that share a point are written together."""
        px, shared = look.px, {}
        for rank, point in zip(curve.rank, points):
            shared.setdefault((round(point.x()), round(point.y())), []).append(str(rank))
        for (x, y), ranks in shared.items():
            look.text(painter, QRectF(x + px(6), y - px(17), px(60), px(14)), ", ".join(ranks), look.SECONDARY, LEFT, 11)


class Roc(Chart):
    """True against false positive rate, down the judged documents of a list; the area below is AUC."""

    size, chips = (620, 460), 1

    def __init__(self, session: Session, side: str):
        self.name = _tr("ROC curve")
        super().__init__()
        self.session, self.side = session, side
        self.steps = {letter: session.steps("AUC", letter) for letter in session.letters}
        self.curves, self.judged = {}, {}
        for letter in self.steps:
            ranking = session.ranking(letter)
            self.curves[letter] = roc_curve(ranking, session.rel)
            self.judged[letter] = [(doc, grade) for doc, grade in zip(ranking.doc_ids, ranking.grades) if grade is not None and grade >= 0]
        self.words = " ".join(_tr("{0}: AUC is {1}.").format(_named(session, letter), value_words(steps)) for letter, steps in self.steps.items()) + " " + _tr("Chance would be 0.5.")
        curve, judged = self.curves[side], self.judged[side]
        rows = [(session.title(doc), _whole(grade), y, x) for (doc, grade), x, y in zip(judged, curve.false_positive_rate[1:], curve.true_positive_rate[1:])]
        self.table = Table(self.name, (_tr("judged document"), _tr("grade"), _tr("true positive rate"), _tr("false positive rate")), tuple(rows))
        self.docs = tuple(doc for doc, _ in judged)

    def draw(self, painter: QPainter, rect: QRectF, lit: str) -> None:
        px = look.px
        axes = Axes(rect, square=True)
        axes.draw(painter, _tr("false positive rate: share of the non-relevant documents so far"), _tr("true positive rate: share of the relevant documents so far"))
        _line(painter, [axes.at(0, 0), axes.at(1, 1)], look.dashed(look.NO_EFFECT, 1.25, (4, 4)))
        x, y = axes.area.right() + px(24), axes.area.y() + px(12)
        for at, letter in enumerate(self.steps):
            _key(painter, x, y + px(24 * at), letter, f"{_named(self.session, letter)}: AUC {value_words(self.steps[letter])}", rect.right() - x)
        below = y + px(24 * len(self.steps))
        _line(painter, [QPointF(x, below), QPointF(x + px(26), below)], look.dashed(look.NO_EFFECT, 1.25, (4, 4)))
        look.text(painter, QRectF(x + px(34), below - px(9), rect.right() - x - px(34), px(18)), _tr("chance: 0.5"), look.SECONDARY, LEFT, 12)
        for letter in sorted(self.curves, key=lambda letter: letter == self.side):
            if not math.isnan(self.steps[letter].value):
                self._curve(painter, axes, letter, lit)

    def _curve(self, painter: QPainter, axes: Axes, letter: str, lit: str) -> None:
        curve = self.curves[letter]
        points = [axes.at(x, y) for x, y in zip(curve.false_positive_rate, curve.true_positive_rate)]
        _line(painter, points, _pen(letter, 2))
        for at, ((doc, grade), point) in enumerate(zip(self.judged[letter], points[1:]), 1):
            if len(points) <= NAMED or doc == lit:
                _dot(painter, point, letter, grade >= self.session.rel, doc == lit)
            self.marks.append(Mark(point, doc, partial(self._point_words, letter, at)))

    def _point_words(self, letter: str, at: int) -> str:
        curve, (doc, _) = self.curves[letter], self.judged[letter][at - 1]
        rates = _tr("true positive rate {0}, false positive rate {1}").format(shown(curve.true_positive_rate[at]), shown(curve.false_positive_rate[at]))
        return f"{letter}  {self.session.title(doc)}\n{rates}"


@dataclass(frozen=True)
class Gains:
    """Per rank: the gain, what it is divided by, what is left, and what the best order has there."""

    gain: np.ndarray
    discount: np.ndarray
    left: np.ndarray
    ideal: np.ndarray


def gains_of(steps: Steps) -> Gains:
    """The parts of a DCG or nDCG, as its kernel makes them."""
    at = {p.name: steps.measure.parameter(p.name) for p in steps.measure.params}
    settings = {name: at[name] for name in ("k", "gain", "discount", "b")}
    hits = steps.hits.gaining().within(at["k"])
    left, best = dcg(steps.hits, **settings), ideal_dcg(steps.hits, ideal=at.get("ideal", "judged"), **settings)
    returned = steps.hits.retrieved[0]
    n = int(max([returned if at["k"] is None else min(returned, at["k"]), 1, *best.hits.rank]))
    divided = discounted(hits_of(Ranking((1.0,) * n)), at["discount"], at["b"])
    return Gains(_by_rank(hits.earn(gained(hits, at["gain"])), n), np.asarray(divided, float), _by_rank(left, n), _by_rank(best, n))


def _by_rank(earned: Earned, n: int) -> np.ndarray:
    return np.bincount(earned.hits.rank.astype(int), np.asarray(earned.per_hit, float), n + 1)[1:]


class DcgBars(Chart):
    """Each rank's gain, what the discount leaves of it, and what the best order has there."""

    def __init__(self, session: Session, steps: Steps, side: str):
        self.name = str(steps.measure)
        super().__init__()
        self.session, self.steps, self.side = session, steps, side
        self.parts = gains_of(steps)
        ranking, n = session.ranking(side), len(self.parts.gain)
        self.docs = (*ranking.doc_ids[:n], *[""] * (n - len(ranking.doc_ids)))
        grades = [*map(_whole, ranking.grades[:n]), *[None] * (n - len(ranking.grades))]
        sums = shown(float(self.parts.left.sum())), shown(float(self.parts.ideal.sum()))
        self.words = _tr("{0} of {1} is {2}. The discounted gains sum to {3}, those of the best order to {4}.").format(steps.measure, _named(session, side), value_words(steps), *sums)
        head = (_tr("rank"), _tr("document"), _tr("grade"), _tr("gain"), _tr("÷ discount"), _tr("= part"), _tr("best order"))
        titles = [session.title(doc) if doc else "–" for doc in self.docs]
        self.table = Table(self.name, head, tuple(zip(range(1, n + 1), titles, grades, *(column.tolist() for column in (self.parts.gain, self.parts.discount, self.parts.left, self.parts.ideal)))))

    def draw(self, painter: QPainter, rect: QRectF, lit: str) -> None:
        parts, n = self.parts, len(self.parts.gain)
        most = max(float(parts.gain.max()), float(parts.ideal.max()), 1.0)
        axes = Axes(rect, (0.5, n + 0.5), (0, most * 1.18), below=56)
        taken = self._legend(painter, rect)
        axes.draw(painter, _tr("rank"), _tr("gain {0}").format(self._gain_words()), x_ticks=False, legend=taken)
        each = axes.area.width() / n
        for rank, (doc, gain, discount, left, ideal) in enumerate(zip(self.docs, parts.gain, parts.discount, parts.left, parts.ideal), 1):
            self._rank(painter, axes, each, rank, doc, (gain, discount, left, ideal), bool(doc) and doc == lit)

    def _gain_words(self) -> str:
        gain = self.steps.measure.parameter("gain")
        return {"exp2": "2ᵍ − 1", "linear": "g", "binary": _tr("0 or 1")}.get(gain, _tr("mapped")) if isinstance(gain, str) else _tr("mapped")

    def _rank(self, painter: QPainter, axes: Axes, each: float, rank: int, doc: str, numbers: tuple, lit: bool) -> None:
        gain, discount, left, ideal = numbers
        px, wide = look.px, min(each * 0.72, look.px(72))
        x, floor = axes.at(rank, 0).x(), axes.area.bottom()
        slot = QRectF(x - each / 2, axes.area.y(), each, axes.area.height())
        if lit:
            painter.fillRect(slot.adjusted(0, 0, 0, px(36)), look.ink(look.TINT))
        if gain > 0:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(look.ink(look.FILL[self.side]), px(1.25)))
            painter.drawRect(QRectF(x - wide / 2, axes.at(rank, gain).y(), wide, floor - axes.at(rank, gain).y()))
            top = axes.at(rank, left).y()
            look.bar(painter, QRectF(x - wide / 2, top, wide, floor - top), look.FILL[self.side])
        if ideal > 0:
            y = axes.at(rank, ideal).y()
            for colour, width in ((look.PANEL, 5), (look.TEXT, 2.5)):
                painter.setPen(QPen(look.ink(colour), px(width), Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
                painter.drawLine(QPointF(x - wide / 2 - px(4), y), QPointF(x + wide / 2 + px(4), y))
        words = f"{number(gain)} / {discount:.3f} = {left:.3f}"
        if each >= px(92) and gain > 0:
            above = min(axes.at(rank, max(gain, ideal)).y(), floor) - px(18)
            look.text(painter, QRectF(x - each / 2, above, each, px(16)), words, look.TEXT, CENTRE, 11)
        if each >= px(16) or rank in (1, len(self.docs)) or not rank % 50:
            look.text(painter, QRectF(x - max(each, px(30)) / 2, floor + px(2), max(each, px(30)), px(16)), str(rank), look.SECONDARY, CENTRE, 11)
        if each >= px(60) and doc:
            look.text(painter, QRectF(x - each / 2 + px(3), floor + px(17), each - px(6), px(16)), self.session.title(doc), look.SECONDARY, CENTRE, 11)
        if doc:
            said = f"{rank}  {self.session.title(doc)}\n{words}\n" + _tr("best order here: {0}").format(f"{ideal:.3f}")
            self.marks += [Mark(QPointF(x, floor - (floor - axes.area.y()) * part), doc, lambda: said) for part in np.linspace(0, 1, 12)]

    def _legend(self, painter: QPainter, rect: QRectF) -> float:
        """What the bars are, with their sums where there is room; how wide that is."""
        px, y = look.px, rect.y() + look.px(10)
        entries = [(_tr("gain"), None), (_tr("after the discount"), look.FILL[self.side]), (_tr("best order"), look.TEXT)]
        if rect.width() > px(560):
            sums = ("", self.parts.left.sum(), self.parts.ideal.sum())
            entries = [(words if total == "" else _tr("{0}, sum {1}").format(words, shown(float(total))), colour) for (words, colour), total in zip(entries, sums)]
        metrics = look.metrics(painter.font(), 12)
        taken = sum(metrics.horizontalAdvance(words) + px(40) for words, _ in entries)
        x = rect.right() - px(14) - taken
        for words, colour in entries:
            box = QRectF(x, y - px(5), px(18), px(10))
            if colour == look.TEXT:
                look.bar(painter, QRectF(x, y - px(1.25), px(18), px(2.5)), colour)
            elif colour:
                look.bar(painter, box, colour)
            else:
                painter.setPen(QPen(look.ink(look.FILL[self.side]), px(1.25)))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(box)
            wide = metrics.horizontalAdvance(words)
            look.text(painter, QRectF(x + px(24), y - px(9), wide + px(4), px(18)), words, look.SECONDARY, LEFT, 12)
            x += wide + px(40)
        return taken

    def mark(self, point: QPointF) -> Mark | None:
        """The rank whose column the point is in."""
        best = min(self.marks, key=lambda mark: abs(mark.place.x() - point.x()), default=None)
        return best


@dataclass(frozen=True)
class Stage:
    """One row of a waterfall: a level that is reached, or a change from one level to the next."""

    doc: str
    title: str
    before: float
    after: float
    letter: str = ""  # of the list whose total this is


class Waterfall(Chart):
    """The way from A to B in steps that add up: a bar for each document that counts more, or less, in B."""

    size, chips = (860, 0), None  # as high as its rows

    def __init__(self, session: Session, why: Difference):
        self.name = _tr("Why B − A, {0}").format(why.a.measure)
        super().__init__()
        changes = [change for change in why.rows if abs(change.difference) > 1e-12]
        stages, level = [Stage("", session.names[0], why.b.value, why.b.value, "A")], why.b.value
        for change in changes:
            stages.append(Stage(change.doc_id, session.title(change.doc_id), level, level + change.difference))
            level += change.difference
        self.stages = (*stages, Stage("", session.names[1], why.a.value, why.a.value, "B"))
        levels = [value for stage in self.stages for value in (stage.before, stage.after)]
        room = (max(levels) - min(levels)) * 0.06 or 0.5
        self.low, self.high = min(levels) - room, max(levels) + room
        self.size = (860, 60 + 30 * len(self.stages))
        told = [f"{stage.title} {signed(stage.after - stage.before)[1]}" for stage in self.stages if not stage.letter]
        self.words = _tr("From A, {0}, to B, {1}: {2}.").format(shown(why.b.value), shown(why.a.value), ", ".join(told) or _tr("no document has an effect"))
        rows = [(change.doc_id, session.title(change.doc_id), _whole(change.rank_b), _whole(change.rank_a), change.b, change.a, change.difference) for change in why.rows]
        total = (None, _tr("sum"), None, None, why.b.value, why.a.value, why.a.value - why.b.value)
        self.table = Table(self.name, ("id", _tr("document"), _tr("rank in A"), _tr("rank in B"), _tr("in A"), _tr("in B"), "B − A"), (*rows, total))

    def place(self, area: QRectF, value: float) -> float:
        """Where a value stands; room is left for the numbers beside the bars."""
        wide = area.width() - look.px(96)
        return area.x() + look.px(8) + (value - self.low) / (self.high - self.low) * wide

    def axis(self, painter: QPainter, area: QRectF) -> None:
        """The numbers of the scale."""
        for value in ticks(self.low, self.high, max(2, int(area.width() / look.px(90)))):
            x = self.place(area, value)
            look.text(painter, QRectF(x - look.px(30), area.y(), look.px(60), area.height()), number(value), look.SECONDARY, CENTRE, 11)

    def row(self, painter: QPainter, area: QRectF, at: int) -> None:
        """One row: its bar or tick, the number beside it, and the dotted way to the next."""
        px, stage = look.px, self.stages[at]
        painter.setPen(QPen(look.ink(look.HAIRLINE), 1))
        for value in ticks(self.low, self.high, max(2, int(area.width() / px(90)))):
            x = self.place(area, value)
            painter.drawLine(QPointF(x, area.y()), QPointF(x, area.bottom()))
        middle, high = area.center().y(), px(12)
        painter.setPen(look.dashed(look.FAINT, 1, (1.5, 2.5)))
        if at + 1 < len(self.stages):
            x = self.place(area, stage.after)
            painter.drawLine(QPointF(x, middle), QPointF(x, area.bottom()))
        if at:
            x = self.place(area, stage.before)
            painter.drawLine(QPointF(x, area.y()), QPointF(x, middle))
        if stage.letter:
            x = self.place(area, stage.after)
            look.bar(painter, QRectF(x - px(2), middle - px(10), px(4), px(20)), look.FILL[stage.letter])
            words, colour, end = shown(stage.after), look.VALUE[stage.letter], x + px(4)
        else:
            start, end = sorted(self.place(area, value) for value in (stage.before, stage.after))
            colour = look.effect(stage.after - stage.before)
            look.bar(painter, QRectF(start, middle - high / 2, max(end - start, px(2)), high), colour)
            words = " ".join(signed(stage.after - stage.before))
        look.text(painter, QRectF(end + px(6), middle - px(9), px(90), px(18)), words, colour, LEFT, 12, True)

    def draw(self, painter: QPainter, rect: QRectF, lit: str) -> None:
        px, each = look.px, min(look.px(30), (rect.height() - look.px(44)) / len(self.stages))
        left = px(220)
        look.text(painter, QRectF(rect.x(), rect.y(), rect.width(), px(20)), self.name, look.TEXT, LEFT, 14, True)
        area = QRectF(rect.x() + left, rect.y() + px(22), rect.width() - left, px(20))
        self.axis(painter, area)
        for at, stage in enumerate(self.stages):
            line = QRectF(rect.x(), rect.y() + px(44) + at * each, rect.width(), each)
            if stage.doc and stage.doc == lit:
                painter.fillRect(line, look.ink(look.TINT))
            painter.fillRect(QRectF(line.x(), line.bottom() - 1, line.width(), 1), look.ink(look.HAIRLINE))
            if stage.letter:
                look.key(painter, QRectF(line.x(), line.center().y() - px(9), px(18), px(18)), stage.letter)
            look.text(painter, QRectF(line.x() + px(24), line.y(), left - px(32), each), stage.title, look.TEXT, LEFT, 13, bool(stage.letter))
            self.row(painter, QRectF(area.x(), line.y(), area.width(), each), at)
            if stage.doc:
                self.marks.append(Mark(line.center(), stage.doc, partial(str, stage.title)))


@dataclass(frozen=True)
class Dots:
    """A scale on which the presets stand as dots: one row each, with lines down at the number here and the number expected."""

    values: tuple[float, ...]  # all that the scale must hold
    here: float
    wanted: float | None
    letter: str

    @property
    def ends(self) -> tuple[float, float]:
        known = [value for value in (*self.values, self.here, self.wanted) if value is not None and math.isfinite(value)]
        if not known:
            return 0.0, 1.0
        room = (max(known) - min(known)) * 0.08 or 0.05
        return min(known) - room, max(known) + room

    def place(self, area: QRectF, value: float) -> float:
        low, high = self.ends
        return area.x() + look.px(8) + (value - low) / (high - low) * (area.width() - look.px(16))

    def axis(self, painter: QPainter, area: QRectF) -> None:
        """The numbers of the scale."""
        for value in ticks(*self.ends, most=max(2, int(area.width() / look.px(64)))):
            x = self.place(area, value)
            look.text(painter, QRectF(x - look.px(28), area.y(), look.px(56), area.height()), number(value), look.SECONDARY, CENTRE, 11)

    def row(self, painter: QPainter, area: QRectF, value: float, here: bool, match: bool) -> None:
        """One preset: full where it is in use or gives the number."""
        px = look.px
        painter.setPen(QPen(look.ink(look.HAIRLINE), 1))
        for tick in ticks(*self.ends, most=max(2, int(area.width() / px(64)))):
            x = self.place(area, tick)
            painter.drawLine(QPointF(x, area.y()), QPointF(x, area.bottom()))
        for line, pen in ((self.here, look.dashed(look.FILL[self.letter], 1.25, (1.5, 2.5))), (self.wanted, look.dashed(look.MARK, 1.5, (4, 3)))):
            if line is not None and math.isfinite(line):
                painter.setPen(pen)
                painter.drawLine(QPointF(self.place(area, line), area.y()), QPointF(self.place(area, line), area.bottom()))
        if not math.isfinite(value):
            return
        colour = look.MARK if match else look.FILL[self.letter] if here else look.SECONDARY
        r = px(5 if match else 4)
        painter.setPen(QPen(look.ink(colour), px(1.5)))
        painter.setBrush(look.ink(colour if match or here else look.PANEL))
        painter.drawEllipse(QPointF(self.place(area, value), area.center().y()), r, r)


@dataclass(frozen=True)
class Reason:
    """A line of a diagnosis: a level, or a choice with what it adds."""

    title: str
    why: str
    before: float
    after: float
    text: str  # the number, with as many digits as were typed
    colour: str = look.TEXT


class Reasons(Chart):
    """From the number here to the number expected: one bar a choice; as shown, the parts add up."""

    size, chips = (460, 0), None
    COLUMN, NUMBER = 108, 64  # pixels at 100 %: the bars and the numbers

    def __init__(self, reasons: Sequence[Reason], words: str):
        self.name = _tr("The number you expected")
        super().__init__()
        self.reasons, self.words = tuple(reasons), words
        self.table = Table(self.name, (_tr("choice"), _tr("reason"), _tr("number")), tuple((one.title, one.why, one.text) for one in self.reasons))
        levels = [value for one in self.reasons for value in (one.before, one.after) if math.isfinite(value)]
        self.low, self.high = (min(levels), max(levels)) if levels else (0.0, 1.0)
        self.size = (460, 0)

    def _bars(self, width: float) -> float:
        """How wide the column of bars is."""
        return min(look.px(self.COLUMN), width * 0.25)

    def _room(self, width: float) -> float:
        """How wide a reason may be."""
        return max(width - self._bars(width) - look.px(self.NUMBER + 24), look.px(60))

    def heights(self, font, width: float) -> list[float]:
        """How high each line is: its reason is wrapped."""
        metrics, room = look.metrics(font, 12), self._room(width)
        def high(why: str) -> float:
            return metrics.boundingRect(QRectF(0, 0, room, 10_000), int(Qt.TextFlag.TextWordWrap), why).height() if why else 0
        return [look.px(32) + (high(one.why) + look.px(4) if one.why else 0) for one in self.reasons]

    def draw(self, painter: QPainter, rect: QRectF, lit: str) -> None:
        px, y = look.px, rect.y()
        right = rect.right() - px(self.NUMBER)
        bars = QRectF(right - self._bars(rect.width()), 0, self._bars(rect.width()) - px(10), 0)

        def place(value: float) -> float:
            return bars.x() + (value - self.low) / ((self.high - self.low) or 1) * bars.width()

        last = len(self.reasons) - 1
        heights, before = self.heights(painter.font(), rect.width()), None
        for at, (one, high) in enumerate(zip(self.reasons, heights)):
            level = at in (0, last)
            middle = y + px(16)
            if math.isfinite(one.before) and math.isfinite(one.after):
                if before is not None:
                    painter.setPen(look.dashed(look.SECONDARY, 1, (1.5, 2.5)))
                    painter.drawLine(QPointF(place(one.before), before), QPointF(place(one.before), middle))
                if level:
                    look.bar(painter, QRectF(place(one.after) - px(2), middle - px(7), px(4), px(14)), one.colour)
                else:
                    start, end = sorted((place(one.before), place(one.after)))
                    look.bar(painter, QRectF(start, middle - px(6), max(end - start, px(2)), px(12)), look.GRADE[3][0])
                before = middle
            else:
                before = None
            left = rect.x()
            if not level:
                look.text(painter, QRectF(left, y, px(16), px(32)), str(at), look.TEXT, LEFT, 13, True)
                left += px(16)
            look.text(painter, QRectF(left, y, bars.x() - left - px(8), px(32)), one.title, look.TEXT, LEFT, 13, at == last)
            look.text(painter, QRectF(right, y, px(self.NUMBER), px(32)), one.text, look.TEXT, RIGHT, 13, True)
            if one.why:
                painter.setFont(look.font(painter.font(), 12))
                painter.setPen(look.ink(look.SECONDARY))
                room = QRectF(left, y + px(30), self._room(rect.width()), high)
                painter.drawText(room, int(Qt.TextFlag.TextWordWrap), one.why)
            y += high
            painter.fillRect(QRectF(rect.x(), y - 1, rect.width(), 1), look.ink(look.STRONG if at == last else look.HAIRLINE))


class Slopes(Chart):
    """Both lists with a line for every document, coloured by its effect on a measure: for files. On the screen the lists do this themselves."""

    MOST = 30  # rows that are drawn

    def __init__(self, session: Session, label: str, steps: dict[str, Steps]):
        self.name = session.name or _tr("Rankings")
        super().__init__()
        self.session, self.label, self.steps = session, label, steps
        self.letters = letters_of(session)
        rows = min(max(map(len, session.lists), default=0), self.MOST)
        self.size = (900 if len(self.letters) > 1 else 420, 100 + 32 * max(rows, 1))
        why = steps["B"].minus(steps["A"]) if len(steps) > 1 and "B" in steps else None
        self.effects = {change.doc_id: change.difference for change in why.rows} if why else {}
        self.words = "; ".join(f"{_named(session, letter)}: " + ", ".join(map(session.title, session.lists[session.index(letter)][: self.MOST])) for letter in self.letters)
        body = []
        for rank in range(1, rows + 1):
            docs = [docs[rank - 1] if rank <= len(docs) else None for docs in session.lists[: len(self.letters)]]
            body.append((rank, *(x for doc in docs for x in ((session.title(doc), _whole(session.grades.get(doc))) if doc else (None, None)))))
        head = [text for letter in self.letters for text in (_named(session, letter), _tr("grade of {0}").format(letter))]
        self.table = Table(self.name, (_tr("rank"), *head), tuple(body))

    def draw(self, painter: QPainter, rect: QRectF, lit: str) -> None:
        px = look.px
        look.text(painter, QRectF(rect.x(), rect.y(), rect.width(), px(24)), self.name, look.TEXT, LEFT, 15, True)
        wide = px(330) if len(self.letters) > 1 else rect.width()
        columns = {letter: QRectF(rect.x() if letter == "A" else rect.right() - wide, rect.y() + px(32), wide, rect.height() - px(32)) for letter in self.letters}
        for letter, column in columns.items():
            self._list(painter, column, letter)
        if len(columns) > 1:
            self._lines(painter, columns["A"], columns["B"])

    def _y(self, column: QRectF, rank: int) -> float:
        cut = self.session.k is not None and rank > self.session.k
        return column.y() + look.px(34 + 32 * (rank - 1) + (8 if cut else 0) + 16)

    def _list(self, painter: QPainter, column: QRectF, letter: str) -> None:
        px, session = look.px, self.session
        docs = session.lists[session.index(letter)]
        look.key(painter, QRectF(column.x(), column.y() + px(3), px(18), px(18)), letter)
        value = value_words(self.steps[letter]) if letter in self.steps else ""
        look.text(painter, QRectF(column.x() + px(26), column.y(), column.width() - px(26), px(24)), session.names[session.index(letter)], look.TEXT, LEFT, 14, True)
        look.text(painter, QRectF(column.x(), column.y(), column.width(), px(24)), f"{self.label} {value}", look.VALUE[letter], RIGHT, 14, True)
        for rank, doc in enumerate(docs[: self.MOST], 1):
            y, below = self._y(column, rank), session.k is not None and rank > session.k
            look.text(painter, QRectF(column.x(), y - px(10), px(24), px(20)), str(rank), look.SECONDARY, RIGHT)
            look.text(painter, QRectF(column.x() + px(32), y - px(10), column.width() - px(76), px(20)), session.title(doc), look.SECONDARY if below else look.TEXT)
            painter.setFont(look.font(painter.font(), 12, True))
            chip = look.chip_width(painter, session.grades.get(doc))
            look.chip(painter, QRectF(column.right() - chip - px(8), y - look.CHIP_HEIGHT / 2, chip, look.CHIP_HEIGHT), session.grades.get(doc))
            painter.fillRect(QRectF(column.x(), y + px(15), column.width(), 1), look.ink(look.HAIRLINE))
            if session.k == rank and rank < len(docs):
                painter.setPen(look.dashed(look.TEXT, 1.5, (1.5, 4)))
                painter.drawLine(QPointF(column.x(), y + px(20)), QPointF(column.right(), y + px(20)))
        if len(docs) > self.MOST:
            look.text(painter, QRectF(column.x(), column.bottom() - px(18), column.width(), px(18)), _tr("and {0} more").format(len(docs) - self.MOST), look.FAINT, LEFT, 12)

    def _lines(self, painter: QPainter, a: QRectF, b: QRectF) -> None:
        px = look.px
        rows = [{doc: rank for rank, doc in enumerate(docs[: self.MOST], 1)} for docs in self.session.lists[:2]]
        for doc in sorted(rows[0].keys() & rows[1].keys(), key=lambda doc: abs(self.effects.get(doc, 0))):
            effect, grade = self.effects.get(doc, 0.0), self.session.grades.get(doc)
            start, end = QPointF(a.right() + px(6), self._y(a, rows[0][doc])), QPointF(b.x() - px(80), self._y(b, rows[1][doc]))
            path, middle = QPainterPath(start), (start.x() + end.x()) / 2
            path.cubicTo(QPointF(middle, start.y()), QPointF(middle, end.y()), end)
            colour, width = look.effect(effect), (1.25, 1.75, 2.5, 3.25)[int(min(max(grade or 0, 0), 3))]
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(look.ink(look.PANEL), px(width + 3)))
            painter.drawPath(path)
            painter.setPen(QPen(look.ink(colour), px(width)) if grade else look.dashed(colour, width, (4, 4)))
            painter.drawPath(path)
        for doc, rank in rows[1].items():
            effect = self.effects.get(doc, 0.0)
            if abs(effect) > 1e-12:
                look.text(painter, QRectF(b.x() - px(78), self._y(b, rank) - px(10), px(72), px(20)), " ".join(signed(effect)), look.effect(effect), RIGHT, 12, True)
        for doc, rank in rows[0].items():
            effect = self.effects.get(doc, 0.0)
            if doc not in rows[1] and abs(effect) > 1e-12:
                look.text(painter, QRectF(a.right() + px(6), self._y(a, rank) - px(10), px(72), px(20)), " ".join(signed(effect)), look.effect(effect), LEFT, 12, True)


def text_cells(row: Iterable) -> tuple[str, ...]:
    """A row of a table as it is shown: four decimals, a real minus sign, "undefined" and not nan."""
    return tuple(text_cell(value) for value in row)


def text_cell(value: str | float | None) -> str:
    """One cell as it is shown."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return str(value).replace("-", "−") if isinstance(value, int) else shown(value)
