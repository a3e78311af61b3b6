"""The pages below the lists. Each draws one state of the window; a new page is a class in PAGES."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from rankmetrics_gui import cells
from rankmetrics_gui import palette as look
from rankmetrics_gui.charts import Chart, Waterfall, undefined
from rankmetrics_gui.controls import label, scrolling
from rankmetrics_gui.equation import EquationView
from rankmetrics_gui.formulas import FormulaView
from rankmetrics_gui.tables import CellTable
from rankmetrics_nb.measure import Difference, Steps
from rankmetrics_nb.session import Report, Session, Value, equation


@dataclass(frozen=True)
class State:
    """What the window shows: a session, its report, and the measure and the list that were picked."""

    session: Session
    report: Report
    row: Value  # of the picked measure
    steps: Mapping[str, Steps]  # of the picked measure, per list; empty where it has no value
    side: str  # letter of the list whose steps are shown

    @cached_property
    def why(self) -> Difference | None:
        """Why B differs from A in the picked measure; None where one of them has no number."""
        return self.steps["B"].minus(self.steps["A"]) if len(self.steps) > 1 and not self.reasons else None

    @property
    def reasons(self) -> dict[str, str]:
        """Why a value of A or B is undefined: letter -> reason."""
        return {letter: undefined(steps) for letter, steps in self.steps.items() if letter in "AB" and math.isnan(steps.value)}


class Page(QWidget):
    """One page. `title` is what its tab says; `lists` how many lists it needs; `sided` whether it is about one of them."""

    title, lists, sided = "", 1, False
    tall = False  # does it need the room of the lists?
    chart: Chart | None = None  # its picture
    chosen = Signal(str)  # the document of the selected row, or nothing
    hovered = Signal(str)  # the document under the mouse, or nothing

    def show_state(self, state: State) -> None:
        """Draw a state; called for the page in front only."""
        raise NotImplementedError

    def light(self, doc: str) -> None:
        """Tint what is about a document."""


class StepsPage(Page):
    """The hand calculation of one value."""

    sided = True

    def __init__(self, parent=None):
        super().__init__(parent)
        self.title = self.tr("Steps")
        self.table = CellTable(cells.steps_head(), look.STEP_ROW, 4, self.title, title=1)
        self.question = label(size=12, tone=look.SECONDARY)
        self.formula, self.equation = FormulaView(), EquationView()
        self.notes = label(size=12, tone=look.SECONDARY)
        self.notes.setTextFormat(Qt.TextFormat.PlainText)
        inside = QWidget()
        inside.setProperty("ground", "panel")
        right = QVBoxLayout(inside)
        right.setSpacing(8)
        right.setContentsMargins(0, 6, 8, 0)
        for widget in (self.question, self.formula, self.equation, self.notes):
            right.addWidget(widget)
        for words in (self.question, self.notes):
            words.setWordWrap(True)
        right.addStretch()
        self.scroll = scrolling(inside)
        self.scroll.setProperty("ground", "panel")
        both = QHBoxLayout(self)
        both.setContentsMargins(look.MARGIN, 0, look.MARGIN, 4)
        both.setSpacing(24)
        both.addWidget(self.table, 62)
        both.addWidget(self.scroll, 38)
        self.table.selectionModel().currentRowChanged.connect(lambda now, before: self.chosen.emit(self.table.key()))

    def show_state(self, state: State) -> None:
        measure = state.row.measure
        self.question.setText(f"{measure.title[:1].upper() + measure.title[1:]}. {measure.question}" if measure else "")
        self.formula.show_measure(measure)
        if state.row.problem:
            self.table.show_cells((), ())
            self.equation.show_pieces((state.row.label, self.tr("no value")), state.side)
            self.notes.setText(state.row.problem)
            return
        steps = state.steps[state.side]
        body, keys = cells.steps_cells(state.session, steps, state.side)
        self.table.rule_after = len(body) - 2
        self.table.show_cells(body, keys)
        self.equation.show_pieces(equation(steps), state.side)
        reason = [undefined(steps)] if math.isnan(steps.value) else []
        self.notes.setText("\n".join((*reason, *steps.notes, *state.report.sharing)))
        self._fit()

    def _fit(self) -> None:
        """The general formula, where there is room for it."""
        wide, gap = self.scroll.viewport().width() - 8, 8
        needs = sum(widget.heightForWidth(wide) + gap for widget in (self.question, self.equation, self.notes))
        self.formula.setVisible(self.formula.exists() and needs + self.formula.sizeHint().height() + 2 * gap <= self.scroll.viewport().height())

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._fit()

    def light(self, doc: str) -> None:
        self.table.light(doc)


class WhyPage(Page):
    """Why B differs from A: a waterfall that adds up exactly."""

    lists = 2

    def __init__(self, parent=None):
        super().__init__(parent)
        self.title = self.tr("Why B − A")
        self.table = CellTable(cells.basic_why_head(), look.STEP_ROW, 6, self.title, title=1)
        self.words = label(size=12)
        self.words.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(look.MARGIN, 0, look.MARGIN, 4)
        column.setSpacing(4)
        column.addWidget(self.table, 1)
        column.addWidget(self.words)
        self.table.selectionModel().currentRowChanged.connect(lambda now, before: self.chosen.emit(self.table.key()))

    def show_state(self, state: State) -> None:
        self.chart = None
        why = state.why
        if why is None:
            self.table.show_cells((), ())
            self.words.setText(state.row.problem or "\n".join(f"{letter}: {reason}" for letter, reason in state.reasons.items()))
            self.table.setAccessibleDescription(self.words.text())
            return
        self.chart = Waterfall(state.session, why)
        self.table.rule_after = len(self.chart.stages) - 2
        self.table.show_cells(*cells.why_cells(state.session, why, self.chart), head=cells.why_head(self.chart))
        self.table.setAccessibleDescription(self.chart.words)
        self.words.setText(cells.why_words(why))

    def light(self, doc: str) -> None:
        self.table.light(doc)


PAGES = (StepsPage, WhyPage)
