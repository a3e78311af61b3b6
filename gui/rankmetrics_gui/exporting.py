"""Pictures as PNG, SVG and PDF, and tables as CSV, TSV, Markdown and LaTeX: into a file or onto the clipboard."""

import csv
import io
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QCoreApplication, QIODevice, QMarginsF, QPoint, QRectF, QSaveFile, QSize, QSizeF
from PySide6.QtGui import QAction, QGuiApplication, QImage, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from rankmetrics_gui import palette as look
from rankmetrics_gui.charts import Chart, Slopes, Table, text_cells
from rankmetrics_gui.pages import StepsPage
from rankmetrics_nb.measure import Steps, latex_table, markdown_table
from rankmetrics_nb.session import Session

MARGIN = 16  # pixels at 100 % around a picture
SHARP = 2  # pixels of a PNG for one on the screen
PICTURES = {"png": "PNG", "svg": "SVG", "pdf": "PDF"}
TABLES = {"csv": "CSV", "tsv": "TSV", "md": "Markdown", "tex": "LaTeX"}


def _tr(text: str) -> str:
    return QCoreApplication.translate("exporting", text)


# tables
def measures_table(session: Session) -> Table:
    """Every measure for every list, and what B has more."""
    names = tuple(letter if name == letter else f"{letter} {name}" for letter, name in zip(session.letters, session.names))
    two = len(session.lists) > 1
    rows = tuple((row.label, row.detail, *row.values, *((row.difference,) if two else ())) for row in session.report().rows)
    return Table(_tr("Measures"), (_tr("measure"), _tr("setting"), *names, *(("B − A",) if two else ())), rows)


def steps_table(session: Session, steps: Steps, letter: str) -> Table:
    """The hand calculation of one value, a row a document."""
    head = (_tr("rank"), "id", _tr("document"), _tr("grade"), _tr("earned"), _tr("adds"), _tr("running sum"))
    rows = tuple((_whole(row.rank), row.doc_id, session.title(row.doc_id), _whole(row.grade), row.earned, float(row.contribution), float(row.running)) for row in steps.rows)
    return Table(_tr("Steps of {0}, {1}").format(steps.measure, letter), head, (*rows, (None, None, _tr("value"), None, steps.arithmetic, None, float(steps.value))))


def _whole(value: float | None) -> float | None:
    return int(value) if value is not None and float(value).is_integer() else value


def queries_table(view) -> Table:
    """The table of all queries, in the order and with the rows that it shows."""
    from rankmetrics_gui.runs import RAW

    model = view.model()
    heads = [model.headerData(at, view.horizontalHeader().orientation()) or "" for at in range(model.columnCount())]
    columns = [at for at, head in enumerate(heads) if head]

    def number(row: int, at: int) -> str | float:
        value = model.data(model.index(row, at), RAW)
        return value if isinstance(value, str) else math.nan if value == -math.inf else _whole(value) if at == 1 else float(value)

    rows = tuple(tuple(number(row, at) for at in columns) for row in range(model.rowCount()))
    return Table(_tr("All queries"), tuple(heads[at].split("\n")[0].strip() for at in columns), rows)


def table_text(table: Table, kind: str) -> str:
    """A table as text. CSV and TSV hold every digit, for programs; Markdown and LaTeX four decimals, for people."""
    if kind in ("md", "tex"):
        made = (markdown_table if kind == "md" else latex_table)(table.head, [text_cells(row) for row in table.rows])
        return made + "\n"
    out = io.StringIO()
    writer = csv.writer(out, delimiter="," if kind == "csv" else "\t", lineterminator="\n")
    writer.writerow(table.head)
    writer.writerows(["undefined" if isinstance(value, float) and math.isnan(value) else "" if value is None else value for value in row] for row in table.rows)
    return out.getvalue()


# pictures
@dataclass(frozen=True)
class Picture:
    """What is drawn, how large in pixels, and what it shows in words."""

    name: str
    words: str
    size: QSize
    paint: Callable[[QPainter], None]


def chart_picture(chart: Chart) -> Picture:
    """A chart with a margin, in the colours and the size of now."""
    margin = look.px(MARGIN)
    width, height = look.px(chart.size[0]), look.px(chart.size[1])
    size = QSize(round(width + 2 * margin), round(height + 2 * margin))

    def paint(painter: QPainter) -> None:
        painter.fillRect(QRectF(0, 0, size.width(), size.height()), look.ink(look.PANEL))
        chart.paint(painter, QRectF(margin, margin, width, height))

    return Picture(chart.name, chart.words, size, paint)


def widget_picture(widget: QWidget, name: str) -> Picture:
    """A part of the window as it is on the screen."""
    return Picture(name, widget.accessibleDescription() or name, widget.size(), lambda painter: widget.render(painter, QPoint(0, 0)))


def picture_bytes(picture: Picture, kind: str) -> bytes:
    """A picture as a file."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if kind == "png":
        image_of(picture).save(buffer, "PNG")
    else:
        device = _svg(picture, buffer) if kind == "svg" else _pdf(picture, buffer)
        painter = QPainter(device)
        painter.setFont(look.font(QGuiApplication.font(), 13))
        picture.paint(painter)
        painter.end()
    buffer.close()
    return bytes(data)


def image_of(picture: Picture) -> QImage:
    """A picture in pixels."""
    image = QImage(picture.size * SHARP, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(SHARP)
    image.fill(look.ink(look.PANEL))
    image.setText("Title", picture.name)
    image.setText("Description", picture.words)
    painter = QPainter(image)
    painter.setFont(look.font(QGuiApplication.font(), 13))
    picture.paint(painter)
    painter.end()
    return image


def _svg(picture: Picture, buffer: QBuffer) -> QSvgGenerator:
    made = QSvgGenerator()
    made.setOutputDevice(buffer)
    made.setResolution(96)
    made.setSize(picture.size)
    made.setViewBox(QRectF(0, 0, picture.size.width(), picture.size.height()))
    made.setTitle(picture.name)
    made.setDescription(picture.words)
    return made


def _pdf(picture: Picture, buffer: QBuffer) -> QPdfWriter:
    made = QPdfWriter(buffer)
    made.setResolution(96)  # one unit of the painter is one pixel of the screen
    made.setPageSize(QPageSize(QSizeF(picture.size) * 72 / 96, QPageSize.Unit.Point, picture.name, QPageSize.SizeMatchPolicy.ExactMatch))
    made.setPageMargins(QMarginsF(0, 0, 0, 0))
    made.setTitle(picture.name)
    made.setCreator("rankmetrics")
    return made


class Exporting:
    """The menus Export and Copy of a window."""

    def __init__(self, window):
        self.window = window
        menu = window.export_menu
        self.actions = {
            "page": self._action(_tr("Picture of this page…"), self.page_picture, "Ctrl+E"),
            "lists": self._action(_tr("Picture of the lists…"), self.lists_picture),
            "window": self._action(_tr("Picture of the window…"), self.window_picture),
        }
        self.table_actions = {
            "measures": self._table_action(_tr("Measures…"), self.measures),
            "page table": self._table_action(_tr("Table of this page…"), self.page_table, "Ctrl+Shift+E"),
            "queries": self._table_action(_tr("All queries…"), self.queries),
        }
        menu.addActions(list(self.actions.values()))
        menu.addSeparator()
        menu.addActions(list(self.table_actions.values()))
        window.copy_menu.addSeparator()
        self.copies = {}
        for words, make in ((_tr("Measures as"), self.measures), (_tr("This page as"), self.page_table), (_tr("All queries as"), self.queries)):
            part = QMenu(words, window.copy_menu)
            window.copy_menu.addMenu(part)
            for kind, name in TABLES.items():
                action = part.addAction(name)
                action.triggered.connect(partial(self.copy_table, make, kind))
                self.copies[make.__name__, kind] = action
        self.picture_copy = window.copy_menu.addAction(_tr("Picture of this page"))
        self.picture_copy.triggered.connect(lambda: self._say(QGuiApplication.clipboard().setImage(image_of(self.page_picture())), _tr("Copied")))

    def _action(self, words: str, make: Callable[[], Picture], keys: str = "") -> QAction:
        return self._add(words, lambda: self.save_picture(make()), keys)

    def _table_action(self, words: str, make: Callable[[], Table | None], keys: str = "") -> QAction:
        return self._add(words, lambda: self.save_table(make()), keys)

    def _add(self, words: str, done, keys: str) -> QAction:
        action = QAction(words, self.window)
        action.triggered.connect(done)
        if keys:
            action.setShortcut(keys)
            self.window.addAction(action)
        return action

    def _say(self, done: object, words: str) -> None:
        self.window.last_words.setText(words)

    # what there is to keep
    def page_picture(self) -> Picture:
        """The chart of the page in front, or else the page as it stands."""
        page = self.window.pages.currentWidget()
        return chart_picture(page.chart) if page.chart else widget_picture(page, page.title)

    def lists_picture(self) -> Picture:
        """The lists, with the lines between them."""
        session, name = self.window.session, self.window.picked
        row = session.report()[name]
        steps = {letter: session.steps(name, letter) for letter in session.letters if letter in look.FILL} if not row.problem else {}
        return chart_picture(Slopes(session, row.label, steps))

    def window_picture(self) -> Picture:
        """The whole window."""
        return widget_picture(self.window, self.window.windowTitle().replace("[*]", ""))

    def measures(self) -> Table:
        """All values."""
        return measures_table(self.window.session)

    def page_table(self) -> Table | None:
        """The numbers of the page in front."""
        page, window = self.window.pages.currentWidget(), self.window
        if isinstance(page, StepsPage):
            row = window.session.report()[window.picked]
            return None if row.problem else steps_table(window.session, window.session.steps(window.picked, window.side), window.side)
        return page.chart.table if page.chart else getattr(page, "table_of_all", None)

    def queries(self) -> Table | None:
        """The table of all queries, where whole runs are open."""
        stack = getattr(self.window, "stack", None)
        return queries_table(stack.table.view) if stack is not None and stack.table is not None else None

    # keeping it
    def save_picture(self, picture: Picture) -> None:
        """Ask for a file and write the picture; a dialog that is closed writes nothing."""
        path, kind = self._ask(picture.name, PICTURES)
        if path:
            self._write(path, picture_bytes(picture, kind))

    def save_table(self, table: Table | None) -> None:
        """Ask for a file and write the table."""
        if table is None:
            self._say(None, _tr("There is no table to export here"))
            return
        path, kind = self._ask(table.name, TABLES)
        if path:
            self._write(path, table_text(table, kind).encode("utf-8"))

    def copy_table(self, make: Callable[[], Table | None], kind: str, *_) -> None:
        """A table onto the clipboard."""
        table = make()
        if table is None:
            self._say(None, _tr("There is no table to copy here"))
            return
        QGuiApplication.clipboard().setText(table_text(table, kind))
        self._say(None, _tr("Copied as {0}").format(TABLES[kind]))

    def _ask(self, name: str, kinds: dict[str, str]) -> tuple[str, str]:
        """The path and the kind of file; no path where the dialog was closed. The ending decides, or else the chosen filter."""
        start = "-".join("".join(letter if letter.isalnum() else " " for letter in name).split()) or "rankmetrics"
        filters = {f"{words} (*.{kind})": kind for kind, words in kinds.items()}
        path, chosen = QFileDialog.getSaveFileName(self.window, _tr("Export {0}").format(name), f"{start}.{next(iter(kinds))}", ";;".join(filters))
        if not path:
            return "", ""
        kind = Path(path).suffix[1:].lower()
        if kind in kinds:
            return path, kind
        kind = filters.get(chosen, next(iter(kinds)))
        return f"{path}.{kind}", kind

    def _write(self, path: str, data: bytes) -> None:
        file = QSaveFile(path)
        if not file.open(QIODevice.OpenModeFlag.WriteOnly) or file.write(data) < len(data) or not file.commit():
            self.window.say(_tr("{0} cannot be written: {1}").format(path, file.errorString()))
            return
        self._say(None, _tr("Exported {0}").format(Path(path).name))


def install(window) -> None:
    """Fill the menus Export and Copy."""
    window.exporting = Exporting(window)
