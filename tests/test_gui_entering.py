"""Ways into the window: pasted lists, dropped files, counts, the cut-off line."""

import needs
import pytest

needs.qt()

from guitools import drop_files, drop_text, open_window, row_point, shown_table, wake  # noqa: E402
from PySide6.QtCore import QPoint, Qt  # noqa: E402
from PySide6.QtGui import QGuiApplication, QKeySequence  # noqa: E402
from PySide6.QtWidgets import QLabel, QLineEdit, QToolButton  # noqa: E402
from rankmetrics_gui import counts, entering, helping  # noqa: E402
from rankmetrics_gui.entering import PasteDialog, QueryChooser  # noqa: E402

from rankmetrics_nb.examples import rides  # noqa: E402
from rankmetrics_nb.session import Session, shown  # noqa: E402

RIDES = Session.of(rides)
QRELS = "q1 0 a 2\nq1 0 b 0\nq1 0 c 1\nq2 0 a 1\nq3 0 z 1\n"
RUN = "q1 Q0 a 1 3.0 t\nq1 Q0 x 2 1.5 t\nq1 Q0 b 3 1.5 t\nq2 Q0 c 1 1.0 t\nq2 Q0 a 2 0.5 t\n"


@pytest.fixture
def window(qtbot):
    return open_window(qtbot)


@pytest.fixture
def files(tmp_path):
    """Judgements and a run of several queries, with a tie and with documents that nobody judged."""
    (tmp_path / "small.qrels").write_text(QRELS)
    (tmp_path / "first.run").write_text(RUN)
    return tmp_path / "small.qrels", tmp_path / "first.run"


def paste(window, qtbot, letter: str, text: str) -> PasteDialog:
    """Ctrl+V on a list; the preview that comes up."""
    QGuiApplication.clipboard().setText(text)
    window.views[letter].setFocus()
    qtbot.keyClick(window.views[letter], Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert isinstance(window.dialog, PasteDialog) and window.dialog.isVisible()
    return window.dialog


# scenario 4: ids, a table with grades, rubbish
def test_ids_alone_are_previewed_and_start_another_query(window, qtbot):
    dialog = paste(window, qtbot, "A", "d3 d1 d2")
    assert [line[:3] for line in shown_table(dialog.table)] == [["1", "d3", "?"], ["2", "d1", "?"], ["3", "d2", "?"]]
    assert window.session == RIDES and dialog.anew.isChecked(), "no document is known here"
    dialog.accept()
    assert window.session.lists == (("d3", "d1", "d2"),) and window.session.grades == {}
    assert window.undo_action.text() == "Undo Paste 3 documents into A"
    window.undo_action.trigger()
    assert window.session == RIDES


def test_a_table_with_grades_goes_into_the_list_in_use(window, qtbot):
    dialog = paste(window, qtbot, "B", "doc_id\tgrade\nbus\t3\nwalk\t0\ncarpool\t\n")
    assert dialog.into.currentData() == "B" and not dialog.anew.isChecked()
    assert [line[1:4] for line in shown_table(dialog.table)] == [["bus", "3", ""], ["walk", "0", ""], ["carpool", "2", "judged here before"]]
    dialog.accept()
    assert window.session.lists == (RIDES.lists[0], ("bus", "walk", "carpool"))
    assert window.session.grades == {**RIDES.grades, "walk": 0} and window.history.count() == 1


def test_rubbish_names_the_line_and_leaves_the_session_alone(window, qtbot):
    dialog = paste(window, qtbot, "A", "bus\t3\nbike\tgood\nbus\t1\n")
    assert dialog.wrong.text().splitlines() == ["line 2: the grade of bike is 'good': expected a number, or ? for unjudged", "line 3: document bus is in line 1 already: expected each document once"]
    assert dialog.take.text() == "Take 1 document, leave 2 lines out"
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert window.session == RIDES and window.history.count() == 0
    dialog = paste(window, qtbot, "A", "Dear all,\nplease look at this text below\nit holds no list of any kind")
    assert "line 2: found 6 words" in dialog.wrong.text() and not dialog.take.isEnabled()


def test_the_text_can_be_mended_in_the_preview(window, qtbot):
    dialog = paste(window, qtbot, "A", "bus\t3\nbike\tgood")
    dialog.text.setPlainText("bus\t3\nbike\t2")
    assert dialog.wrong.text() == "" and not dialog.wrong.isVisible() and dialog.take.text() == "Take 2 documents"


def test_a_new_list_and_grades_alone(window, qtbot):
    dialog = paste(window, qtbot, "B", "bus bike minibus")
    dialog.into.setCurrentIndex(2)
    dialog.accept()
    assert window.session.letters == ("A", "B", "C") and window.session.lists[2] == ("bus", "bike", "minibus")
    dialog = paste(window, qtbot, "A", "3 2 ? 0")
    assert "grades alone" in dialog.notes.text()
    dialog.accept()
    assert window.session.text("A") == "3 2 ? 0"


def test_names_that_clash_are_said_and_the_dialog_stays(window, qtbot):
    window.type("B", "2 3")
    dialog = paste(window, qtbot, "A", "b1:3 x:2")
    dialog.anew.setChecked(False)
    before = window.session
    dialog.accept()
    assert dialog.isVisible() and "call this one something else" in dialog.wrong.text() and window.session == before


def test_several_lines_pasted_into_a_field_get_the_preview(window, qtbot):
    QGuiApplication.clipboard().setText("bus\t3\nbike\t2")
    window.fields["B"].setFocus()
    qtbot.keyClick(window.fields["B"], Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert window.dialog.into.currentData() == "B" and window.session == RIDES
    window.dialog.reject()
    QGuiApplication.clipboard().setText("bus:3 bike:2")
    window.fields["B"].selectAll()
    qtbot.keyClick(window.fields["B"], Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert window.session.lists[1] == ("bus", "bike"), "one line is typed text"


def test_text_dropped_on_a_list_gets_the_preview(window, qtbot):
    place = window.views["B"].mapTo(window, QPoint(40, 60))
    drop_text(window, "bus 3\nbike 2", place)
    assert window.dialog.into.currentData() == "B" and window.session == RIDES


def test_a_thousand_documents_can_be_pasted(window, qtbot):
    dialog = paste(window, qtbot, "A", "\n".join(f"doc{i}\t{i % 4}" for i in range(1000)))
    dialog.accept()
    assert len(window.session.lists[0]) == 1000


# scenario 5: files
def test_dropped_files_of_several_queries_ask_for_one(window, qtbot, files):
    drop_files(window, *files)
    chooser = window.dialog
    assert isinstance(chooser, QueryChooser) and window.session == RIDES
    assert shown_table(chooser.table) == [["q1", 3, 3], ["q2", 1, 2], ["q3", 1, "–"]]
    assert chooser.notes.text().splitlines() == ["first: 2 documents with the same score as another, put in order by falling id", "first: 1 of 3 documents unjudged, such as x", "first: 1 relevant document not retrieved"]
    chooser.filter.setText("q3")
    assert chooser.query() == "q3" and "the query is not in this run" in chooser.notes.text()
    chooser.filter.setText("")
    chooser.table.selectRow(0)
    qtbot.keyClick(chooser, Qt.Key.Key_Return)
    assert window.session.lists == (("a", "x", "b"),) and window.session.grades == {"a": 2, "b": 0, "c": 1}
    assert window.title.text() == "q1" and "same score" in window.query_bar.words.text() and window.query_bar.isVisible()
    assert window.history.count() == 1
    window.undo_action.trigger()
    assert window.session == RIDES and not window.query_bar.isVisible()


def test_the_next_query_is_a_key_away(window, qtbot, files):
    entering.open_paths(window, [str(path) for path in files])
    window.dialog.accept()
    wake(window, qtbot)
    qtbot.keyClick(window, Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
    assert window.session.name == "q2" and window.session.lists == (("c", "a"),)
    assert window.query_bar.before.isEnabled() and window.query_bar.words.text().startswith("Query q2, 2 of 3.")


def test_a_run_alone_is_unjudged_until_qrels_are_dropped(window, qtbot, files):
    qrels, run = files
    drop_files(window, run)
    assert "no judgements yet" in " ".join(words.text() for words in window.dialog.findChildren(QLabel))
    window.dialog.accept()
    assert window.session.lists == (("a", "x", "b"),) and window.session.grades == {}
    drop_files(window, qrels)
    window.dialog.accept()
    assert window.session.grades == {"a": 2, "b": 0, "c": 1}


def test_judgements_alone_join_the_lists(window, qtbot, tmp_path):
    window.type("A", "a:? b:?")
    path = tmp_path / "x.qrels"
    path.write_text("q7 0 a 3\nq7 0 b 1\nq7 0 c 2\nq8 0 m 1\n")
    drop_files(window, path)
    assert window.session.lists[0] == ("a", "b") and window.session.grades == {"a": 3, "b": 1, "c": 2}, "q8 judges none of them"
    assert window.query_bar.words.text().startswith("3 judgements of query q7 from x.qrels; 8 unjudged in B")
    path.write_text("q1 0 a 3\nq2 0 a 1\nq2 0 b 1\n")
    drop_files(window, path)
    assert window.dialog.query() == "q2", "the query with most of the documents is proposed"
    window.dialog.accept()
    assert window.session.grades == {"a": 1, "b": 1}
    before = window.session
    path.write_text("q1 0 nobody 3\n")
    drop_files(window, path)
    assert window.session == before and "no document of the lists is judged there" in window.query_bar.words.text()


@pytest.mark.parametrize(
    "name, text",
    [
        ("run.csv", "query_id,doc_id,score\nq1,a,2\nq1,b,1\n"),
        ("run.json", '{"q1": {"a": 2.0, "b": 1.0}}'),
        ("run.tsv", "query-id\tcorpus-id\tscore\nq1\ta\t2.5\nq1\tb\t1.25\n"),
        ("run.jsonl", '{"query_id": "q1", "doc_id": "a", "score": 2}\n{"query_id": "q1", "doc_id": "b", "score": 1}\n'),
    ],
)
def test_every_format_opens(window, tmp_path, name, text):
    (tmp_path / name).write_text(text)
    drop_files(window, tmp_path / name)
    assert window.session.lists == (("a", "b"),) and window.session.name == "q1"


def test_a_file_that_cannot_be_read_is_named_with_its_line(window, tmp_path):
    path = tmp_path / "broken.qrels"
    path.write_text("q1 0 a 1\nq1 0 b\n")
    drop_files(window, path)
    assert "broken.qrels, line 2: expected 4 fields" in window.query_bar.words.text() and window.session == RIDES
    entering.open_paths(window, [str(tmp_path / "absent.run")])
    assert "no such file" in window.query_bar.words.text()


def test_files_from_the_clipboard_are_opened(window, files):
    from PySide6.QtCore import QMimeData, QUrl

    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in files])
    QGuiApplication.clipboard().setMimeData(data)
    window.paste("A")
    assert isinstance(window.dialog, QueryChooser)


# counts
def test_the_counts_card_works_the_three_values_out(window, qtbot):
    window.counts_action.trigger()
    card = window.dialog
    assert [box.value() for box in card.boxes.values()] == [5, 4, 7], "the first five of B, four relevant, seven in all"
    for name, value in (("retrieved", 50), ("relevant", 100), ("relevant_retrieved", 30)):
        card.boxes[name].setValue(value)
    assert [card.equations[name].words() for name in ("P", "R", "F1")] == ["P = 30/50 = 0.6000", "R = 30/100 = 0.3000", "F1 = (30 · 2)/150 = 0.4000"]
    card.boxes["relevant"].setValue(20)
    assert "relevant among the retrieved = 30 is more than relevant = 20" in card.wrong.text() and card.wrong.isVisible()
    card.boxes["relevant"].setValue(100)
    assert not card.wrong.isVisible()
    assert window.session == RIDES


# the cut
def cut_point(window, letter: str = "A") -> QPoint:
    view = window.views[letter]
    return QPoint(20, (view.row_centre(view.cut - 1) + view.row_centre(view.cut)) // 2)


@pytest.mark.parametrize("letter", ["A", "B"])
def test_the_cut_is_dragged_live_and_is_one_step(window, qtbot, letter):
    port = window.views[letter].viewport()
    qtbot.mousePress(port, Qt.MouseButton.LeftButton, pos=cut_point(window, letter))
    for row in (3, 2, 1):
        qtbot.mouseMove(port, pos=row_point(window, letter, row) + QPoint(0, 10))
    expected = RIDES.set(k=2).report()["nDCG@2"]
    assert window.values["A"].text() == shown(expected.values[0]) and window.views["B"].cut == 2
    assert window.session == RIDES and window.history.count() == 0, "a preview changes nothing"
    qtbot.mouseRelease(port, Qt.MouseButton.LeftButton, pos=row_point(window, letter, 1))
    assert window.session.k == 2 and window.history.count() == 1 and window.undo_action.text() == "Undo Set k to 2"
    window.undo_action.trigger()
    assert window.session == RIDES and window.views["A"].cut == 5


def test_escape_lets_the_cut_go_and_its_own_place_is_no_step(window, qtbot):
    port = window.views["A"].viewport()
    qtbot.mousePress(port, Qt.MouseButton.LeftButton, pos=cut_point(window))
    qtbot.mouseMove(port, pos=row_point(window, "A", 1) + QPoint(0, 10))
    qtbot.keyClick(window.views["A"], Qt.Key.Key_Escape)
    assert window.values["A"].text() == "0.6077" and window.views["A"].cut == 5
    qtbot.mouseRelease(port, Qt.MouseButton.LeftButton, pos=row_point(window, "A", 1))
    assert window.history.count() == 0
    qtbot.mousePress(port, Qt.MouseButton.LeftButton, pos=cut_point(window))
    qtbot.mouseRelease(port, Qt.MouseButton.LeftButton, pos=cut_point(window))
    assert window.history.count() == 0 and window.session == RIDES


def test_the_cut_is_dragged_in_the_gutter_too_and_stays_in_the_list(window, qtbot):
    y = round(window.gutter.height_of(window.views["A"], 4) + window.views["A"].itemDelegate().height() / 2 + 8)
    qtbot.mousePress(window.gutter, Qt.MouseButton.LeftButton, pos=QPoint(40, y))
    qtbot.mouseMove(window.gutter, pos=QPoint(40, 2000))
    qtbot.mouseRelease(window.gutter, Qt.MouseButton.LeftButton, pos=QPoint(40, 2000))
    assert window.session.k == 7
    qtbot.mousePress(window.gutter, Qt.MouseButton.LeftButton, pos=QPoint(40, 5))
    qtbot.mouseRelease(window.gutter, Qt.MouseButton.LeftButton, pos=QPoint(40, 5))
    assert window.session.k == 7, "a press beside the line is no drag"


def test_the_cut_is_moved_by_key(window, qtbot):
    window.views["A"].setFocus()
    qtbot.keyClick(window.views["A"], Qt.Key.Key_BracketLeft)
    assert window.session.k == 4
    qtbot.keyClick(window.views["A"], Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(window.views["A"], Qt.Key.Key_BracketRight)
    assert window.session.k == 6 and window.history.count() == 3
    window.change(window.session.set(k=1), "k")
    qtbot.keyClick(window.views["A"], Qt.Key.Key_BracketLeft)
    assert window.session.k == 1, "one rank is the least"
    window.change(window.session.set(k=None), "k")
    qtbot.keyClick(window.views["A"], Qt.Key.Key_BracketLeft)
    assert window.session.k == 7, "from the whole list it goes to the rank before the last"


# three rankings
def test_three_rankings_can_be_told_apart_and_changed(window, qtbot):
    assert not window.list_menus["A"].isVisible()
    window.change(window.session.paste("C", "bus:3 tempo:3 minibus:3"), "third")
    menu = window.list_menus["B"]
    assert menu.isVisible() and window.list_menus["A"].isVisible()
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton)
    actions = menu.menu_open.actions()
    values = window.session.report()["nDCG@5"].values
    assert [action.text() for action in actions] == [f"A  bm25\t{shown(values[0])}", f"B  reranker\t{shown(values[1])}", f"C  \t{shown(values[2])}"]
    actions[2].trigger()
    assert window.names["B"].text() == "C" and window.session.lists[1] == ("bus", "tempo", "minibus") and window.session.names[2] == "reranker"
    value = shown(window.session.report()["nDCG@5"].values[1])
    assert window.values["B"].text() == value
    window.undo_action.trigger()
    assert window.session.lists[1] == RIDES.lists[1]


def test_a_long_name_does_not_push_the_window_apart(window):
    window.change(window.session.set(names=("a-very-long-name-of-a-system-with-many-words", "b" * 80)), "names")
    assert window.names["A"].text().endswith("…") and window.names["A"].toolTip().startswith("a-very-long")


# reach
def test_controls_of_the_dialogs_have_names(window, files):
    entering.paste_text(window, "A", "bus 3\nbike 2")
    dialogs = [window.dialog]
    entering.open_paths(window, [str(path) for path in files])
    dialogs.append(window.dialog)
    window.counts_action.trigger()
    dialogs.append(window.dialog)
    for dialog in dialogs:
        for button in dialog.findChildren(QToolButton):
            assert button.accessibleName() or button.text() or isinstance(button.parent(), QLineEdit)
        dialog.close()
    assert window.paste_action.shortcut() == QKeySequence("Ctrl+V")


@pytest.mark.parametrize("make", [lambda window: entering.PasteDialog(window, "A", "bus 3"), lambda window: counts.CountsCard(window, 5, 4, 7), helping.HelpDialog])
def test_the_margins_and_the_size_of_a_dialog_follow_the_zoom(window, make):
    sizes = {}
    for zoom in (1.0, 1.5):
        window.viewing.zoom_to(zoom)
        dialog = make(window)
        sizes[zoom] = dialog.layout().contentsMargins().left(), dialog.layout().spacing(), dialog.width(), dialog.screen().availableSize().width()
    window.viewing.zoom_to(1.0)
    assert sizes[1.5][0] == round(1.5 * sizes[1.0][0]) and sizes[1.5][2] == min(1.5 * sizes[1.0][2], sizes[1.5][3])
    assert sizes[1.5][1] >= sizes[1.0][1]
