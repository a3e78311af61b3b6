"""Pages with pictures: PR, ROC, DCG, and one measure under the conventions of every tool."""

import math
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QGuiApplication, QPainter, QPen
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QScrollArea, QSizePolicy, QToolButton, QToolTip, QVBoxLayout, QWidget

from rankmetrics_gui import charts, pages
from rankmetrics_gui import palette as look
from rankmetrics_gui.charts import Chart, Dots, Reason, Reasons, Table
from rankmetrics_gui.controls import CONVENTIONS, label, scrolling, tone
from rankmetrics_gui.pages import Page, State
from rankmetrics_gui.tables import CENTRE, RIGHT, Cell, CellTable, Rows
from rankmetrics_nb.measure import Measure
from rankmetrics_nb.measures.catalogue import parse
from rankmetrics_nb.relevance import DataError
from rankmetrics_nb.session import LETTERS, Session, shown, signed

BREAK = "\u200b"  # where a long name may go on in the next line
THINK = 250  # milliseconds after the last key, before a typed number is looked for


class ChartView(QWidget):
    """A chart on the screen: what the mouse is on is lit everywhere; arrow keys go from point to point."""

    hovered = Signal(str)  # the document under the mouse, or nothing
    chosen = Signal(str)  # the document that was clicked, or reached by a key

    def __init__(self, parent=None):
        super().__init__(parent)
        self.chart: Chart | None = None
        self.lit = ""
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def minimumSizeHint(self) -> QSize:
        return QSize(round(look.px(320)), round(look.px(150)))

    def show_chart(self, chart: Chart | None) -> None:
        self.chart = chart
        self.setAccessibleName(chart.name if chart else "")
        self.setAccessibleDescription(chart.words if chart else "")
        self.update()

    def light(self, doc: str) -> None:
        if doc != self.lit:
            self.lit = doc
            self.update()

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), look.ink(look.PANEL))
        if self.chart:
            self.chart.paint(painter, QRectF(self.rect()), self.lit)
        if self.hasFocus():
            painter.setPen(QPen(look.ink(look.TEXT), 2))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))

    def mouseMoveEvent(self, event) -> None:
        mark = self.chart.mark(event.position()) if self.chart else None
        self.hovered.emit(mark.doc if mark else "")
        if mark:
            QToolTip.showText(event.globalPosition().toPoint(), mark.words, self)
        else:
            QToolTip.hideText()

    def leaveEvent(self, event) -> None:
        self.hovered.emit("")

    def mousePressEvent(self, event) -> None:
        mark = self.chart.mark(event.position()) if self.chart else None
        if mark:
            self.chosen.emit(mark.doc)

    def keyPressEvent(self, event) -> None:
        step = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}.get(event.key())
        docs = list(dict.fromkeys(mark.doc for mark in self.chart.marks)) if self.chart else []
        if step is None or not docs:
            super().keyPressEvent(event)
            return
        at = docs.index(self.lit) + step if self.lit in docs else 0
        doc = docs[min(max(at, 0), len(docs) - 1)]
        self.chosen.emit(doc)
        self.setAccessibleDescription(next(mark.words for mark in self.chart.marks if mark.doc == doc))

    def focusInEvent(self, event) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event) -> None:
        super().focusOutEvent(event)
        self.update()


class ChartPage(Page):
    """A picture, and beside it its numbers as a table."""

    sided = True
    wide = (55, 45)  # picture and table

    def __init__(self, parent=None):
        super().__init__(parent)
        self.view = ChartView()
        self.table_view = CellTable((Cell(),), look.STEP_ROW, 0, self.title)
        self.table_view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.words = label(size=12, tone=look.SECONDARY)
        self.words.setWordWrap(True)
        right = QVBoxLayout()
        right.setSpacing(4)
        right.addWidget(self.table_view, 1)
        right.addWidget(self.words)
        both = QHBoxLayout(self)
        both.setContentsMargins(look.MARGIN, 4, look.MARGIN, 4)
        both.setSpacing(24)
        both.addWidget(self.view, self.wide[0])
        both.addLayout(right, self.wide[1])
        self.view.hovered.connect(self.hovered)
        self.view.chosen.connect(self.chosen)
        self.table_view.selectionModel().currentRowChanged.connect(lambda now, before: self.chosen.emit(self.table_view.key()))

    def make(self, state: State) -> Chart:
        """The chart of a state."""
        raise NotImplementedError

    def show_state(self, state: State) -> None:
        try:
            self.chart = self.make(state)
        except DataError as error:
            self.chart = None
            self.words.setText(str(error))
            self.table_view.stretch, self.table_view.title = 0, None
            self.table_view.show_cells((), (), (Cell(),))
        self.words.setVisible(self.chart is None or bool(self.chart.note))
        self.view.show_chart(self.chart)
        if self.chart:
            self.words.setText(self.chart.note)
            self.table_view.setAccessibleName(self.chart.name)
            self.table_view.stretch = self.table_view.title = self.chart.chips - 1
            self.table_view.show_cells(*table_cells(self.chart))

    def light(self, doc: str) -> None:
        self.view.light(doc)
        self.table_view.light(doc)


def table_cells(chart: Chart) -> tuple[Rows, tuple, tuple]:
    """Rows, keys and head of a chart's numbers."""
    table, names = chart.table, chart.chips or 0

    def cell(at: int, value) -> Cell:
        if at == chart.chips:
            return Cell(chip=True, grade=value)
        words = at == names - 1
        return Cell(charts.text_cell(value), align=Qt.AlignmentFlag.AlignLeft if words else RIGHT, colour=look.TEXT if words else look.SECONDARY if at == 0 else look.TEXT)

    def head(at: int, words: str) -> Cell:
        return Cell(words, colour=look.SECONDARY, align=CENTRE if at == chart.chips else Qt.AlignmentFlag.AlignLeft if at == names - 1 else RIGHT)

    rows = Rows(len(table.rows), lambda row: tuple(cell(at, value) for at, value in enumerate(table.rows[row])))
    return rows, (*chart.docs, *[""] * (len(rows) - len(chart.docs)))[: len(rows)], tuple(head(at, words) for at, words in enumerate(table.head))


class PrPage(ChartPage):
    """Precision against recall."""

    @property
    def title(self) -> str:
        return self.tr("PR")

    def make(self, state: State) -> Chart:
        return charts.PrecisionRecall(state.session, state.side)


class RocPage(ChartPage):
    """True against false positive rate."""

    @property
    def title(self) -> str:
        return self.tr("ROC")

    def make(self, state: State) -> Chart:
        return charts.Roc(state.session, state.side)


class DcgPage(ChartPage):
    """Gain, discount and what is left of it, against the best order."""

    wide = (49, 51)

    @property
    def title(self) -> str:
        return self.tr("DCG")

    def make(self, state: State) -> Chart:
        picked = state.row.measure
        own = picked is not None and picked.name in ("DCG", "nDCG")
        return charts.DcgBars(state.session, state.session.steps(state.row.name if own else "nDCG@k", state.side), state.side)


# conventions
SHORT = {"sklearn": "scikit-learn", "trec_eval9": "trec_eval 9", "trec_eval10": "trec_eval 10", "elasticsearch": "Elasticsearch", "quepid": "Quepid", "kaggle": "Kaggle"}
OWN = ("gain", "ideal")  # conventions of the window that are parameters of a measure


def preset_title(name: str) -> str:
    """A tool as it is called in the window."""
    return charts._tr("House default") if name == "textbook" else SHORT.get(name, name)


def plain(name: str, session: Session) -> Measure:
    """A measure of the session without anything but its cutoff and what counts as relevant."""
    bare = parse(name.removesuffix("@k"))
    bare = replace(parse(bare.name), settings=tuple((key, value) for key, value in bare.settings if bare.param(key).at))
    bare = bare @ session.k if name.endswith("@k") and session.k is not None else bare
    return bare.set(rel=session.rel) if bare.has("rel") else bare


def choice_words(field: str, value: str) -> str:
    """A choice as the toolbar calls it; words for what Python calls None and nan."""
    plain_words = {"None": charts._tr("highest"), "nan": charts._tr("undefined")}
    return next((words for words, known in CONVENTIONS.get(field, ()) if str(known) == value), plain_words.get(value, value))


class Under:
    """A measure of one list, and of a second, under every preset."""

    def __init__(self, session: Session, name: str, side: str):
        from rankmetrics_nb.conventions import conventions_table

        self.session, self.name, self.side = session, name, side
        self.measure, self.here = plain(name, session), session.measure(name)
        whole = replace(session, unjudged="nonrel")
        self.other = {"A": "B", "B": "A"}.get(side) if len(session.lists) > 1 else None
        first, second = ("A", "B") if self.other else (side, None)
        self.table = conventions_table(self.measure, whole.ranking(first), whole.ranking(second) if second else None)
        self.value = session.report()[name].values[session.index(side)]
        self.rows = [(row, row.value if side == first else row.other) for row in self.table.rows]
        self.rows.sort(key=lambda pair: (math.isnan(pair[1]), -pair[1]))
        self.used = self._used()
        self.fields = list(dict.fromkeys(choice.split("=")[0] for row, _ in self.rows if not row.note for choice in row.choices))

    def _used(self) -> list[str]:
        """The presets that are what the window does now; the house default alone, where it is one of them."""
        fits = []
        for row, value in self.rows:
            measure, unjudged = preset_choices(self.measure, row.preset)
            same = sorted(_settings(measure)) == sorted(_settings(self.here)) and unjudged == self.session.unjudged
            if same and self.value is not None and (value == self.value or math.isnan(value) and math.isnan(self.value)):
                fits.append(row.preset)
        return ["textbook"] if "textbook" in fits else fits

    def chosen(self, row) -> dict[str, str]:
        """Field -> value of the choices that matter."""
        return dict(choice.split("=", 1) for choice in row.choices)

    def default(self, field: str) -> str:
        """What a field is where a preset does not set it."""
        if self.measure.has(field):
            return choice_words(field, self.measure.param(field).text(self.measure.param(field).default))
        return choice_words(field, _plain_conventions().get(field, ""))


def _settings(measure: Measure) -> list[tuple[str, str]]:
    """What a measure sets, as text; gmax is the session's affair."""
    return [(key, str(value)) for key, value in measure.settings if key != "gmax" or value is not None]


def _plain_conventions() -> dict[str, str]:
    from rankmetrics_nb.hits import CHOICES

    return {field: next(iter(values)) for field, values in CHOICES.items()}


def preset_choices(measure: Measure, preset: str) -> tuple[Measure, str]:
    """The measure as a preset has it, and what it makes of unjudged documents."""
    from rankmetrics_nb.evaluation import configured
    from rankmetrics_nb.presets import PRESETS

    found, conventions = configured(measure, PRESETS[preset].conventions)
    return found, conventions.unjudged


def with_choices(session: Session, name: str, measure: Measure, unjudged: str) -> tuple[Session, str]:
    """The session with the choices of a measure: in its conventions where it has them, else in the name of the measure; and that name."""
    changes = {field: measure.parameter(field) for field in OWN if measure.has(field) and isinstance(measure.parameter(field), str)}
    if measure.has("rel"):
        changes["rel"] = measure.parameter("rel")
    if name.endswith("@k") and measure.has("k"):
        changes["k"] = measure.parameter("k")
    own = {key: value for key, value in measure.settings if key not in (*changes, "k") and not (key == "gmax" and value is None)}
    new = str(plain(name, session.set(k=None, rel=1)).set(**own)) + ("@k" if name.endswith("@k") else "")
    if new not in session.measures:
        changes["measures"] = tuple(new if one == name else one for one in session.measures)
    return session.set(**changes, unjudged=unjudged), new


class PresetTable(CellTable):
    """The presets, with a strong line between two values."""

    groups: tuple[int, ...] = ()

    def is_rule(self, row: int) -> bool:
        return row in self.groups or super().is_rule(row)


class ReasonsView(QWidget):
    """A diagnosis, as high as it needs."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.chart: Reasons | None = None
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_chart(self, chart: Reasons | None) -> None:
        self.chart = chart
        self.setVisible(chart is not None)
        self.setAccessibleName(chart.words if chart else "")
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return round(sum(self.chart.heights(self.font(), width))) + 2 if self.chart else 0

    def sizeHint(self) -> QSize:
        return QSize(300, self.heightForWidth(max(self.width(), 280)))

    def paintEvent(self, event) -> None:
        if self.chart:
            self.chart.paint(QPainter(self), QRectF(self.rect()))


class ConventionsPage(Page):
    """One measure of one list under every preset, and why a number is another one than was expected."""

    sided, tall = True, True
    asked = Signal(object, str, str)  # a session to change to, in words, and the measure to pick

    @property
    def title(self) -> str:
        return self.tr("Conventions")

    def __init__(self, parent=None):
        super().__init__(parent)
        self.state: State | None = None
        self.seen: tuple = ()  # what is shown, so that nothing is worked out twice
        self.under: Under | None = None
        self.diagnosis, self.best = None, None
        self.timer = QTimer(self, singleShot=True, interval=THINK)
        self.timer.timeout.connect(self.look_for)
        both = QHBoxLayout(self)
        both.setContentsMargins(look.MARGIN, 8, look.MARGIN, 4)
        both.setSpacing(28)
        both.addLayout(self._left(), 66)
        both.addWidget(self._right(), 34)

    def _left(self) -> QVBoxLayout:
        self.heading, self.same = label(size=14, bold=True), label(size=12, tone=look.SECONDARY)
        self.presets = PresetTable((Cell(self.tr("Preset")),), look.STEP_ROW, 0, self.tr("Presets"))
        self.presets.setToolTip(self.tr("Click a preset, or press Enter, to count as it does"))
        self.presets.clicked.connect(lambda index: self.use_preset(self.presets.model().keys[index.row()]))
        self.presets.activated.connect(lambda index: self.use_preset(self.presets.model().keys[index.row()]))
        self.presets.installEventFilter(self)
        self.verdict = label(size=12, tone=look.SECONDARY)
        self.verdict.setWordWrap(True)
        top = QHBoxLayout()
        top.setSpacing(10)
        top.addWidget(self.heading)
        top.addWidget(self.same)
        top.addStretch()
        left = QVBoxLayout()
        left.setSpacing(6)
        left.addLayout(top)
        left.addWidget(self.presets, 100)
        left.addWidget(self.verdict)
        left.addStretch()
        return left

    def _right(self) -> QScrollArea:
        self.field = QLineEdit(placeholderText="0.768")
        self.field.setAccessibleName(self.tr("The number you expected"))
        self.field.setMaximumWidth(110)
        self.field.textEdited.connect(lambda: self.timer.start())
        self.field.returnPressed.connect(self.look_for)
        self.asking = label(self.tr("The number you expected"), 12, tone=look.SECONDARY)
        self.asking.setBuddy(self.field)
        self.answer, self.summary = label(size=15, bold=True), label(size=12, tone=look.SECONDARY)
        self.sum, self.tried, self.full = label(bold=True), label(size=12, tone=look.SECONDARY), label(size=11, tone=look.FAINT)
        for words in (self.answer, self.summary, self.sum, self.tried, self.full):
            words.setWordWrap(True)
            words.setTextFormat(Qt.TextFormat.PlainText)
        self.reasons = ReasonsView()
        self.use_button, self.copy_button = QToolButton(text=self.tr("Use these conventions")), QToolButton(text=self.tr("Copy the full name"))
        self.use_button.clicked.connect(self.use_diagnosis)
        self.copy_button.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.full.text().replace(BREAK, "")))
        for button in (self.use_button, self.copy_button):
            button.setProperty("pill", True)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        ask, buttons = QHBoxLayout(), QHBoxLayout()
        for row, widgets in ((ask, (self.asking, self.field)), (buttons, (self.use_button, self.copy_button))):
            row.setSpacing(8)
            for widget in widgets:
                row.addWidget(widget)
            row.addStretch()
        self.rows = (ask, buttons)
        inside = QWidget()
        inside.setProperty("ground", "panel")
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 8, 0)
        column.setSpacing(8)
        column.addLayout(ask)
        for widget in (self.answer, self.summary, self.reasons, self.sum, self.tried):
            column.addWidget(widget)
        column.addLayout(buttons)
        column.addWidget(self.full)
        column.addStretch()
        self.scroll = scrolling(inside)
        return self.scroll

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Below each other where there is no room beside each other."""
        room = self.scroll.width() - look.px(16)
        for row, widgets in zip(self.rows, ((self.asking, self.field), (self.use_button, self.copy_button))):
            needs = sum(min(widget.sizeHint().width(), widget.maximumWidth()) + look.px(8) for widget in widgets)
            row.setDirection(QHBoxLayout.Direction.LeftToRight if needs <= room else QHBoxLayout.Direction.TopToBottom)

    def eventFilter(self, watched, event) -> bool:
        """Enter on a preset counts as a click."""
        if watched is self.presets and event.type() == QEvent.Type.KeyPress and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.use_preset(self.presets.key())
            return True
        return super().eventFilter(watched, event)

    # showing
    def show_state(self, state: State) -> None:
        seen = (state.session, state.row.name, state.side, look.zoom())
        self.state = state
        if seen == self.seen:
            return
        self.seen = seen
        self._fit()
        try:
            self.under = Under(state.session, state.row.name, state.side) if not state.row.problem else None
        except DataError as error:
            self.under = None
            self.verdict.setText(str(error))
        if state.row.problem:
            self.verdict.setText(state.row.problem)
        if self.field.text().strip() and self.under is not None:  # the answer may wait until a drag pauses
            self.diagnosis = None
            self._show_presets()
            self.timer.start()
        else:
            self.look_for()

    def _wanted(self) -> float | None:
        return self.diagnosis.targets[0].value if self.diagnosis else None

    def _show_presets(self) -> None:
        under = self.under
        if under is None:
            self.heading.setText("")
            self.same.setText("")
            self.presets.show_cells((), ())
            return
        session, side = self.state.session, self.state.side
        name = session.names[session.index(side)]
        self.heading.setText(self.tr("{0} of {1} under every preset").format(under.measure, side if name == side else f"{side} {name}"))
        n = len({shown(value) for _, value in under.rows})
        self.same.setText(self.tr("same list, same grades, {0} different numbers").format(n) if n > 1 else self.tr("the same number everywhere"))
        rows, keys, self.presets.groups, values = [], [], [], [value for _, value in under.rows]
        dots = Dots(tuple(values), under.value if under.value is not None else math.nan, self._wanted(), side)
        for at, (row, value) in enumerate(under.rows):
            rows.append(self._row(row, value, dots))
            keys.append(row.preset)
            if at + 1 < len(values) and shown(values[at + 1]) != shown(value):
                self.presets.groups.append(at)
        if not under.used:
            rows.insert(0, self._own_row(dots))
            keys.insert(0, "")
            self.presets.groups = [0, *(at + 1 for at in self.presets.groups)]
        left = Qt.AlignmentFlag.AlignLeft
        heads = [self.tr("Preset"), *(self._field_words(field) for field in under.fields)]
        head = [Cell(words, colour=look.SECONDARY, align=left) for words in heads] + [Cell(str(under.measure), colour=look.SECONDARY, align=RIGHT)]
        head += [Cell("B − A", colour=look.SECONDARY, align=RIGHT)] if under.other else []
        self.presets.stretch = len(head)
        self.presets.show_cells(tuple(rows), tuple(keys), (*head, Cell(draw=dots.axis)))
        self.presets.horizontalHeader().viewport().update()
        self.presets.fit_height(6)
        self.presets.setMaximumHeight((len(rows)) * self.presets.verticalHeader().defaultSectionSize() + self.presets.horizontalHeader().sizeHint().height() + 2)
        self.verdict.setText(under.table.verdict if under.other else "")

    def _field_words(self, field: str) -> str:
        names = {"gain": self.tr("Gain"), "ideal": self.tr("Ideal"), "norm": self.tr("Divided by"), "denom": self.tr("Divided by"), "gmax": self.tr("Top grade"), "p": "p"}
        return names.get(field, field)

    def _row(self, row, value: float, dots: Dots) -> tuple[Cell, ...]:
        under, used = self.under, row.preset in self.under.used
        match = self.diagnosis is not None and any(name == row.preset and fits for name, _, fits in self.diagnosis.presets)
        chosen, ground, strong = under.chosen(row), look.MATCH if match else "", match or used
        cells = [Cell(preset_title(row.preset), self.tr("in use") if used else "", bold=strong, ground=ground, tip=row.note or _preset_tip(row.preset))]
        for field in under.fields:
            words = choice_words(field, chosen[field]) if field in chosen else under.default(field)
            cells.append(Cell(words, colour=look.TEXT if field in chosen else look.SECONDARY, ground=ground))
        cells.append(Cell(shown(value), align=RIGHT, bold=strong, ground=ground, tip=row.note))
        if under.other:
            cells.append(self._difference(row.other - row.value, ground))
        cells.append(Cell(draw=partial(dots.row, value=value, here=used, match=match), ground=ground))
        return tuple(cells)

    def _difference(self, value: float, ground: str = "") -> Cell:
        if math.isnan(value):
            return Cell("–", align=RIGHT, colour=look.SECONDARY, ground=ground)
        arrow, text = signed(value)
        return Cell(f"{arrow} {text}".strip(), colour=look.effect(value) if arrow else look.SECONDARY, align=RIGHT, bold=bool(arrow), ground=ground)

    def _own_row(self, dots: Dots) -> tuple[Cell, ...]:
        """What the window does, where no preset does the same."""
        under, row = self.under, self.state.row
        cells = [Cell(self.tr("This window"), self.tr("in use"), bold=True)]
        for field in under.fields:
            value = under.here.parameter(field) if under.here.has(field) else getattr(self.state.session, field, "")
            cells.append(Cell(choice_words(field, under.here.param(field).text(value) if under.here.has(field) else str(value))))
        cells.append(Cell(shown(under.value), align=RIGHT, bold=True))
        if under.other:
            cells.append(self._difference(row.difference if row.difference is not None else math.nan))
        return (*cells, Cell(draw=partial(dots.row, value=under.value, here=True, match=False)))

    # the number expected
    def look_for(self) -> None:
        """Which choices give the number in the field?"""
        self.timer.stop()
        self.diagnosis, self.best = None, None
        text, problem = self.field.text().strip().replace("−", "-").replace(",", "."), ""
        if text and self.under is not None:
            try:
                self.diagnosis = self._diagnose(text)
            except DataError as error:
                problem = str(error)
        self.field.setProperty("wrong", bool(problem))
        self.field.style().polish(self.field)
        self._show_presets()
        if self.diagnosis is None:
            self._show_answer(problem and self.tr("That is no number to look for"), problem or self.tr("Type a value that a paper or another tool printed. The answer names the choices that make it."))
        else:
            self._answer()

    def _diagnose(self, text: str):
        from rankmetrics_nb.conventions import diagnose
        from rankmetrics_nb.hits import Conventions

        session = replace(self.state.session, unjudged="nonrel")
        here, asked = self.under.here, self.under.measure
        own = {key: value for key, value in here.settings if key not in dict(asked.settings)}
        in_use = Conventions(unjudged=self.state.session.unjudged, measures={here.name: own})
        return diagnose(session.ranking(self.state.side), asked, text, conventions=in_use)

    def _show_answer(self, answer: str, summary: str, chart: Reasons | None = None, total: str = "", tried: str = "", full: str = "", usable: bool = False) -> None:
        for widget, words in ((self.answer, answer), (self.summary, summary), (self.sum, total), (self.tried, tried), (self.full, full)):
            widget.setText(words)
            widget.setVisible(bool(words))
        self.reasons.show_chart(chart)
        self.use_button.setVisible(bool(full))
        self.use_button.setEnabled(usable)
        self.copy_button.setVisible(bool(full))
        tone(self.answer, look.TEXT)

    def _answer(self) -> None:
        found = self.diagnosis
        wanted, measure = found.targets[0].text, str(self.under.measure)
        if found.agrees:
            self._show_answer(self.tr("{0} is what is shown here").format(wanted), self.tr("Nothing to explain: the numbers agree."))
            return
        self.best = found.explanations[0] if found.explanations else found.nearest
        tools = [preset_title(name) for name in self.best.presets]
        n = len(self.best.steps)
        if not found.explanations:
            answer = self.tr("No combination we know gives {0}").format(wanted)
            summary = self.tr("{0} were tried. The nearest gives {1}:").format(f"{found.tried:,}", found.shown(self.best.value))
        else:
            answer = self.tr("{0} is the {2} of {1}").format(wanted, tools[0], measure) if tools else self.tr("{0} has a reason").format(wanted)
            more = (self.tr("{0} agrees.") if len(tools) == 2 else self.tr("{0} agree.")).format(", ".join(tools[1:])) + " " if len(tools) > 1 else ""
            summary = more + (self.tr("One choice differs from those in use here.") if n == 1 else self.tr("{0} choices differ from those in use here, and together they make up the whole gap.").format(n))
        others = len(found.explanations) - 1
        tried = self.tr("Of {0} combinations tried, only this one gives the number.").format(f"{found.tried:,}") if found.explanations and not others else ""
        if others > 0:
            tried = self.tr("{0} combinations of this size give the number, of {1} tried; more digits would tell them apart. Another: {2}").format(others + 1, f"{found.tried:,}", self._combination(found.explanations[1]))
        full = (self.best.name + (f", {self.best.conventions}" if self.best.conventions else "")).replace(",", f",{BREAK}").replace("(", f"({BREAK}")
        equation = found.equation(self.best).replace("->", "→").replace(" - ", " − ")
        self._show_answer(answer, summary, Reasons(self._reasons(), found.text), equation, tried, full, self._adopted() is not None)

    def _combination(self, explanation) -> str:
        return ", ".join(self._choice(step.label) for step in explanation.steps)

    def _choice(self, text: str) -> str:
        """gain=linear in words: Gain: g."""
        field, _, value = text.partition("=")
        here = self.under.here
        now = choice_words(field, here.param(field).text(here.parameter(field))) if here.has(field) and field == "gain" else ""
        return f"{self._field_words(field)}: {choice_words(field, value)}" + (self.tr(", not {0}").format(now) if now else "") if value else text

    def _reasons(self) -> list[Reason]:
        found, best = self.diagnosis, self.best
        parts = found.parts(best)
        used = preset_title(self.under.used[0]) if self.under.used else self.tr("this window")
        rows = [Reason(self.tr("In use: {0}").format(used), "", found.value, found.value, found.shown(found.value), look.FILL[self.state.side])]
        for step, part in zip(best.steps, parts[1:]):
            text = self.tr("undefined") if part.is_nan() else f"{part:+f}".replace("-", "−")
            rows.append(Reason(self._choice(step.label), step.why[:1].upper() + step.why[1:] + ".", step.before, step.after, text))
        last = self.tr("Your number") if found.explanations else self.tr("The nearest")
        return [*rows, Reason(last, "", best.value, best.value, found.shown(best.value), look.MARK)]

    # choosing
    def use_preset(self, name: str) -> None:
        """Count as a tool does, as far as the window has its choices."""
        if not name or self.under is None:
            return
        measure, unjudged = preset_choices(self.under.measure, name)
        session, picked = with_choices(self.state.session, self.state.row.name, measure, unjudged)
        self.asked.emit(session, self.tr("Count as {0}").format(preset_title(name)), picked)

    def _adopted(self) -> tuple[Session, str] | None:
        """The session under the choices that were found; None where they are not the window's to make."""
        try:
            measure = parse(self.best.name)
            unjudged = next((text.split("=")[1] for text in self.best.conventions.split(", ") if text.startswith("unjudged=")), "nonrel")
            session, picked = with_choices(self.state.session, self.state.row.name, measure, unjudged)
            value = session.report()[picked].values[session.index(self.state.side)]
        except DataError:
            return None
        return (session, picked) if value is not None and abs(value - self.best.value) < 1e-9 else None

    def use_diagnosis(self) -> None:
        """Count so that the typed number comes out."""
        adopted = self._adopted()
        if adopted:
            self.asked.emit(adopted[0], self.tr("Count as {0}").format(self.best.name), adopted[1])

    @property
    def table_of_all(self) -> Table | None:
        """All presets, for a file."""
        if self.under is None:
            return None
        head, two = (self.tr("preset"), *self.under.fields, str(self.under.measure)), self.under.other
        rows = []
        for row, value in self.under.rows:
            chosen = self.under.chosen(row)
            fields = (chosen.get(field, self.under.default(field)) for field in self.under.fields)
            rows.append((preset_title(row.preset), *fields, value, *((row.other - row.value,) if two else ())))
        return Table(self.heading.text(), (*head, *(("B − A",) if two else ())), tuple(rows))


def _preset_tip(name: str) -> str:
    from rankmetrics_nb.presets import PRESETS

    return PRESETS[name].title


class Strips(QWidget):
    """Both lists folded to a line of chips each, with their values."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.state: State | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(round(look.px(600)), round(look.px(72)))

    def show_state(self, state: State) -> None:
        self.state = state
        if not self.isHidden():
            self._name()
            self.update()

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self._name()

    def _name(self) -> None:
        """Say what is drawn."""
        state, words = self.state, []
        for letter in state.session.letters[:2] if state else ():
            at = state.session.index(letter)
            grades = " ".join(look.grade_text(state.session.grades.get(doc)) for doc in state.session.lists[at])
            words.append(f"{state.session.names[at]}: {grades}; {state.row.label} {shown(state.row.values[at])}")
        self.setAccessibleName("; ".join(words))

    def paintEvent(self, event) -> None:
        if self.state is None:
            return
        painter, px, session = QPainter(self), look.px, self.state.session
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        letters = [letter for letter in session.letters if letter in look.FILL]
        look.text(painter, QRectF(0, 0, self.width() * 0.6, px(28)), session.name or self.tr("Rankings"), look.TEXT, size=15, bold=True)
        arrow, text = signed(self.state.row.difference)
        if arrow or text:
            words = f"{self.state.row.label}, B − A  {arrow} {text}"
            look.text(painter, QRectF(self.width() * 0.6, 0, self.width() * 0.4, px(28)), words, look.effect(self.state.row.difference) if arrow else look.SECONDARY, RIGHT, 13, True)
        for at, letter in enumerate(letters):
            self._strip(painter, QRectF(at * self.width() / 2, px(34), self.width() / len(letters) - px(12), px(30)), letter)

    def _strip(self, painter: QPainter, rect: QRectF, letter: str) -> None:
        px, session, at = look.px, self.state.session, LETTERS.index(letter)
        value = shown(self.state.row.values[at])
        metrics = look.metrics(self.font(), 14, True)
        room = metrics.horizontalAdvance(value) + px(12)
        look.key(painter, QRectF(rect.x(), rect.center().y() - px(9), px(18), px(18)), letter)
        name = metrics.elidedText(session.names[at], Qt.TextElideMode.ElideRight, px(130)) if session.names[at] != letter else ""
        look.text(painter, QRectF(rect.x() + px(26), rect.y(), px(132), rect.height()), name, look.TEXT, size=14, bold=True)
        x = rect.x() + px(26) + (metrics.horizontalAdvance(name) + px(14) if name else 0)
        for rank, doc in enumerate(session.lists[at], 1):
            painter.setFont(look.font(self.font(), 12, True))
            wide = look.chip_width(painter, session.grades.get(doc))
            if x + wide + px(26) > rect.right() - room:
                look.text(painter, QRectF(x, rect.y(), px(24), rect.height()), "…", look.SECONDARY)
                x += px(22)
                break
            look.chip(painter, QRectF(x, rect.center().y() - look.CHIP_HEIGHT / 2, wide, look.CHIP_HEIGHT), session.grades.get(doc))
            x += wide + px(3)
            if rank == session.k and rank < len(session.lists[at]):
                painter.setPen(look.dashed(look.TEXT, 1.5, (1.5, 2.5)))
                painter.drawLine(QPointF(x + px(3), rect.y() + px(2)), QPointF(x + px(3), rect.bottom() - px(2)))
                x += px(9)
        look.text(painter, QRectF(x + px(10), rect.y(), room, rect.height()), value, look.VALUE[letter], size=14, bold=True)


PAGES = (*pages.PAGES, PrPage, RocPage, DcgPage, ConventionsPage)


class Folding:
    """The lists folded to strips: by the button beside the tabs, and while a page that needs the room is in front."""

    def __init__(self, window):
        self.window, self.wish = window, {}  # of tall and of other pages: what the user asked for last
        self.button = window.fold_button
        self.action = QAction(window.tr("Fold lists"), window)
        self.action.setShortcut("Ctrl+L")
        self.action.setToolTip(window.tr("Both lists as one line each, so that the page below has the window (Ctrl+L)"))
        self.action.triggered.connect(self.toggle)
        self.button.setDefaultAction(self.action)
        window.addAction(self.action)
        window.view_menu.addSeparator()
        window.view_menu.addAction(self.action)
        window.tabs.currentChanged.connect(self.fit)

    @property
    def folded(self) -> bool:
        tall = self.window.pages.currentWidget().tall
        return self.wish.get(tall, tall)

    def toggle(self) -> None:
        tall = self.window.pages.currentWidget().tall
        self.wish[tall] = not self.folded
        self.fit()

    def fit(self, *_) -> None:
        self.window.upper.setVisible(not self.folded)
        self.window.strips.setVisible(self.folded)
        self.action.setText(self.window.tr("Show lists") if self.folded else self.window.tr("Fold lists"))


def install(window) -> None:
    """Connect the pages with the window."""
    for page in window._pages():
        page.hovered.connect(window._light)
        if isinstance(page, ConventionsPage):
            page.asked.connect(partial(_change, window))
    window.folding = Folding(window)


def _change(window, session: Session, words: str, picked: str) -> None:
    if session == window.session:
        window.last_words.setText(window.tr("These conventions are in use"))
        return
    window.picked = picked
    window.change(session, words)
