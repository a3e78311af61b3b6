"""What the tables show of a session. Every number is the session's; here it gets its words, colour and place."""

import math

from PySide6.QtCore import QCoreApplication, QRectF

from rankmetrics_gui import palette as look
from rankmetrics_gui.charts import Waterfall, undefined
from rankmetrics_gui.ranking_view import Row
from rankmetrics_gui.tables import CENTRE, RIGHT, Cell, Rows
from rankmetrics_nb.measure import Difference, Steps
from rankmetrics_nb.session import Report, Session, Value, earned_piece, flat, shown, signed, supposing, with_digits_that_add_up


def _tr(text: str) -> str:
    return QCoreApplication.translate("cells", text)


def measures_head() -> tuple[Cell, ...]:
    return (Cell(_tr("Measures"), bold=True), Cell(bars=(("", 0, 0),)), Cell("A", chip=True), Cell("B", chip=True), Cell("B − A", align=RIGHT, colour=look.SECONDARY))


def _faint(text: str, align=RIGHT, spill: bool = False) -> Cell:
    return Cell(text, colour=look.SECONDARY, align=align, spill=spill)


def list_rows(session: Session, letter: str, steps: dict[str, Steps]) -> Rows:
    """The rows of a list; the bars of both lists share one scale."""
    parts = {row.doc_id: row.contribution for row in steps[letter].rows} if letter in steps else {}
    most = max((row.contribution for one in steps.values() for row in one.rows), default=0)
    docs = session.lists[session.index(letter)]

    def line(at: int) -> Row:
        doc = docs[at]
        share = max(parts.get(doc, 0), 0) / most if most > 0 else 0
        return Row(doc, session.title(doc), session.grades.get(doc), share, session.k is not None and at >= session.k)

    return Rows(len(docs), line)


def measure_cells(session: Session, report: Report, before: Report | None = None, dragged: str = "A", could_be: Value | None = None) -> tuple[tuple, tuple]:
    """Rows and keys of the measures. `before`: the values when a drag in the list `dragged` began; then its change is shown.
    `could_be`: a row with every unjudged document at the highest grade, drawn as whiskers."""
    cells = []
    for at, row in enumerate(report.rows):
        place = session.index(dragged) if before else 0
        old = before.rows[at].values[place] if before else None
        numbers = [value for value in (*row.values, old) if value is not None and math.isfinite(value)]
        full = max(1.0, *numbers) if numbers else 1.0
        shares = [value / full if value is not None and math.isfinite(value) else 0.0 for value in row.values]
        bars = tuple((look.FILL[letter], 0.0, max(share, 0.0)) for letter, share in zip("AB", shares))
        values = [Cell(shown(value), align=RIGHT, tip=row.problem or _why_undefined(session, row, letter)) for letter, value in zip("AB", row.values)] + [Cell()] * (2 - len(row.values))
        change = row.difference if old is None or row.values[place] is None else row.values[place] - old
        cells.append(
            (
                Cell(row.label, row.detail, tip=row.problem or _title(row)),
                Cell(bars=bars, track=True, outline=None if old is None or not math.isfinite(old) else old / full, outlined=place, whiskers=_whiskers(row, could_be)),
                *values,
                _change(change),
            )
        )
    return tuple(cells), tuple(row.name for row in report.rows)


def _whiskers(row: Value, could_be: Value | None) -> tuple[float | None, ...]:
    """What the bars of one row could reach: only what grows."""
    if could_be is None or could_be.name != row.name or row.problem:
        return ()
    return tuple(new if old < new <= 1 else None for old, new in zip(row.values, could_be.values))


def _why_undefined(session: Session, row: Value, letter: str) -> str:
    """The reason of a value that is not there."""
    value = row.values[session.index(letter)]
    return undefined(session.steps(row.name, letter)) if value is not None and math.isnan(value) else ""


def _title(row: Value) -> str:
    return f"{row.measure.title}: {row.measure.question}" if row.measure else ""


def _change(value: float | None) -> Cell:
    arrow, text = signed(value)
    return Cell(f"{arrow} {text}".strip(), colour=look.effect(value) if value and arrow else look.SECONDARY, align=RIGHT, bold=bool(arrow))


def steps_head() -> tuple[Cell, ...]:
    return (
        _faint(_tr("Rank")),
        _faint(_tr("Document"), look.Qt.AlignmentFlag.AlignLeft),
        _faint(_tr("Grade"), CENTRE),
        _faint(_tr("Earned"), look.Qt.AlignmentFlag.AlignLeft),
        Cell(bars=(("", 0, 0),)),
        _faint(_tr("Adds")),
        _faint(_tr("Running sum")),
    )


def steps_cells(session: Session, steps: Steps, letter: str) -> tuple[Rows, tuple]:
    """Rows and keys of a hand calculation, down to the cutoff, and the sum."""
    cut = steps.measure.parameter("k") if steps.measure.has("k") else None
    listed = [row for row in steps.rows if cut is None or row.rank is None or row.rank <= cut]
    most = max((abs(row.contribution) for row in listed), default=0)
    colour = look.FILL[letter]

    def line(at: int) -> tuple:
        row = listed[at]
        earned = "" if math.isnan(row.contribution) else flat(earned_piece(row.earned))
        words = _tr("unjudged") if row.grade is None and row.rank is not None else earned
        none = not row.contribution
        return (
            _faint("–" if row.rank is None else f"{row.rank:g}"),
            Cell(session.title(row.doc_id), tip=session.title(row.doc_id)),
            Cell(chip=True, grade=row.grade) if row.rank is not None else Cell(),
            _faint(words, look.Qt.AlignmentFlag.AlignLeft),
            Cell(bars=((colour, 0.0, max(row.contribution, 0) / most if most else 0),)),
            Cell("0" if none else shown(row.contribution), align=RIGHT, bold=not none, colour=look.SECONDARY if none else look.TEXT),
            _faint(shown(row.running)),
        )

    below = len(steps.rows) - len(listed)
    words = _tr("Rank {0} is below the cut and earns nothing") if below == 1 else _tr("Ranks {0} to {1} are below the cut and earn nothing")
    note = _faint(words.format(cut + 1, cut + below) if below else "", look.Qt.AlignmentFlag.AlignLeft, spill=True)
    last = (Cell(), note, Cell(), Cell(), Cell(), Cell(shown(steps.value), align=RIGHT, bold=True), Cell())
    return Rows(len(listed), line, last), (*(row.doc_id for row in listed), "")


def basic_why_head() -> tuple[Cell, ...]:
    """The head of the waterfall, without its scale."""
    return (
        _faint(_tr("Grade"), CENTRE),
        _faint(_tr("Document"), look.Qt.AlignmentFlag.AlignLeft),
        _faint(_tr("Rank A → B"), CENTRE),
        _faint(_tr("In A")),
        _faint(_tr("In B")),
        _faint(_tr("B − A")),
        Cell(bars=(("", 0, 0),)),
    )


def why_cells(session: Session, why: Difference, chart: Waterfall) -> tuple[Rows, tuple]:
    """Rows and keys of the way from A to B: a waterfall that ends exactly at B. In `why`, a is list B."""
    changes = [change for change in why.rows if abs(change.difference) > 1e-12]

    def drawn(at: int) -> Cell:
        return Cell(draw=lambda painter, rect: chart.row(painter, rect, at))

    def total(letter: str, value: float, at: int) -> tuple:
        key = Cell(letter, draw=lambda painter, rect: look.key(painter, QRectF(rect.center().x() - look.px(7), rect.center().y() - look.px(9), look.px(18), look.px(18)), letter))
        return (key, Cell(session.names[session.index(letter)], bold=True), Cell(), Cell(), Cell(), Cell(shown(value), align=RIGHT, bold=True), drawn(at))

    def line(at: int) -> tuple:
        if at == 0:
            return total("A", why.b.value, 0)
        change = changes[at - 1]
        ranks = " → ".join("–" if rank is None else f"{rank:g}" for rank in (change.rank_b, change.rank_a))
        return (
            Cell(chip=True, grade=session.grades.get(change.doc_id)),
            Cell(session.title(change.doc_id)),
            _faint(ranks, CENTRE),
            _zero(change.b),
            _zero(change.a),
            Cell(signed(change.difference)[1], colour=look.effect(change.difference), align=RIGHT, bold=True),
            drawn(at),
        )

    rows = Rows(len(changes) + 1, line, total("B", why.a.value, len(changes) + 1))
    return rows, ("", *(change.doc_id for change in changes), "")


def why_head(chart: Waterfall) -> tuple[Cell, ...]:
    """The head of the waterfall, with its scale."""
    return (*basic_why_head()[:-1], Cell(draw=chart.axis))


def _zero(value: float) -> Cell:
    return Cell(shown(value), align=RIGHT) if value else _faint("0")


def why_words(why: Difference) -> str:
    """The waterfall as one sum, with as many digits as make it add up; and who has no part in it."""
    changes = [change.difference for change in why.rows if abs(change.difference) > 1e-12]
    if not changes:
        return _tr("Every document earns the same in both lists.")
    start, *parts, end = with_digits_that_add_up((why.b.value, *changes), why.a.value)
    sum_text = " ".join((start, *(f"{'−' if part.startswith('−') else '+'} {part.lstrip('−')}" for part in parts)))
    rest = len(why.rows) - len(changes)
    others = _tr("{0} other documents earn the same in both.") if rest > 1 else _tr("{0} other document earns the same in both.")
    return f"{sum_text} = {end}" + (".  " + others.format(rest) if rest else "")


def could_be(session: Session, picked: str) -> tuple[str, Value | None]:
    """What the unjudged documents could change in the picked measure: in words, and as a row of values."""
    for letter in reversed(session.letters[:2]):
        unseen = session.unjudged_docs(letter)
        if not unseen:
            continue
        counted = _tr("counted as 0") if session.unjudged == "nonrel" else _tr("removed")
        first = (_tr("{0} unjudged in {1}’s top {2}, {3}.") if session.k else _tr("{0} unjudged in {1}’s list, {3}.")).format(len(unseen), letter, session.k, counted)
        best = supposing(session, letter)
        row = best.set(measures=(picked,)).report().rows[0]
        top = look.grade_text(max(session.judged(letter).values(), default=1))
        values = ", ".join(_tr("of {0} {1}").format(one, shown(value)) for one, value in sorted(zip(session.letters, row.values), reverse=True))
        if_so = (_tr("If it is a {0}: {1} {2}") if len(unseen) == 1 else _tr("If they are a {0}: {1} {2}")).format(top, row.label, values)
        return f"<b>{first}</b><br>{if_so}", row
    return "", None
