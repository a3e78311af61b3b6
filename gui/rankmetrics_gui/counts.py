"""The counts card: precision, recall and F1 of a set, from three numbers, with their steps."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QFrame, QGridLayout, QHBoxLayout, QSpinBox, QVBoxLayout, QWidget

from rankmetrics_gui.controls import label
from rankmetrics_gui.equation import EquationView
from rankmetrics_gui.viewing import fit
from rankmetrics_nb.examples import product_search
from rankmetrics_nb.measure import MeasureError
from rankmetrics_nb.measures.set_based import from_counts
from rankmetrics_nb.session import equation

MOST = 1_000_000  # documents in a set; the ideal list of so many is still made at once
QUESTIONS = ("P", "R", "F1")


def install(window) -> None:
    """An action that opens the card."""
    action = QAction(QCoreApplication.translate("counts", "Counts card: P, R and F1…"), window)
    action.setShortcut("Ctrl+K")
    action.setToolTip(QCoreApplication.translate("counts", "Precision, recall and F1 from three counts"))
    action.triggered.connect(lambda: show_card(window))
    window.addAction(action)
    window.open_menu.addAction(action)
    window.counts_action = action


def show_card(window) -> None:
    """Open the card with the counts of the list in use, or those of the example where there is none."""
    session = window.session
    letter = window._side_in_use() if window._side_in_use() in session.letters else "A"
    judged, docs = session.judged(letter), session.lists[session.index(letter)][: session.k]
    found = sum(judged.get(doc, session.rel - 1) >= session.rel for doc in docs)
    relevant = sum(grade >= session.rel for grade in judged.values())
    counted = dict(retrieved=len(docs), relevant_retrieved=found, relevant=relevant) if docs else product_search
    window.dialog = CountsCard(window, **counted)
    window.dialog.show()


class CountsCard(QDialog):
    """Three numbers in, three values out, each with its arithmetic; what cannot be is said in words."""

    def __init__(self, parent: QWidget | None, retrieved: int, relevant_retrieved: int, relevant: int):
        super().__init__(parent)
        self.setWindowTitle(self.tr("Counts card"))
        self.resize(640, 300)
        words = {"retrieved": self.tr("&Retrieved documents"), "relevant_retrieved": self.tr("Of these, re&levant"), "relevant": self.tr("Relevant documents in &all")}
        given = {"retrieved": retrieved, "relevant_retrieved": relevant_retrieved, "relevant": relevant}
        self.boxes = {name: QSpinBox(maximum=MOST, value=given[name], accessibleName=words[name].replace("&", "")) for name in words}
        form = QFormLayout()
        form.setSpacing(8)
        for name, box in self.boxes.items():
            box.setMinimumWidth(90)
            form.addRow(label(words[name]), box)
            form.labelForField(box).setBuddy(box)
            box.valueChanged.connect(self.show_values)
        self.equations = {name: EquationView() for name in QUESTIONS}
        self.wrong = label(size=12)
        self.wrong.setProperty("tone", "wrong")
        self.wrong.setWordWrap(True)
        self._place(form)
        self.show_values()
        fit(self)

    def _place(self, form: QFormLayout) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(10)
        for at, name in enumerate(QUESTIONS):
            grid.addWidget(self.equations[name], at, 0)
        grid.setColumnStretch(0, 1)
        line = QFrame()
        line.setFixedWidth(1)
        line.setProperty("ground", "hairline")
        both = QHBoxLayout()
        both.setSpacing(24)
        left = QVBoxLayout()
        left.addLayout(form)
        left.addStretch()
        both.addLayout(left)
        both.addWidget(line)
        both.addLayout(grid, 1)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 16)
        column.setSpacing(14)
        column.addLayout(both, 1)
        column.addWidget(self.wrong)
        column.addWidget(close, 0, Qt.AlignmentFlag.AlignRight)

    def show_values(self) -> None:
        """Work the three values out, or say why they cannot be."""
        try:
            found = from_counts(**{name: box.value() for name, box in self.boxes.items()})
        except MeasureError as error:
            self.wrong.setText(str(error).replace("relevant_retrieved", self.tr("relevant among the retrieved")))
            self.wrong.show()
            for name in QUESTIONS:
                self.equations[name].show_pieces((name, self.tr("no value")), "A")
            return
        self.wrong.hide()
        for name in QUESTIONS:
            self.equations[name].show_pieces(equation(getattr(found, name).steps), "A")
