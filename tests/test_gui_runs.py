"""Whole runs in the window: the table of all queries, and long files that are read beside it."""

import needs
import pytest

needs.qt()

from guitools import open_window, shown_table, wake  # noqa: E402
from PySide6.QtCore import Qt  # noqa: E402
from PySide6.QtTest import QAbstractItemModelTester  # noqa: E402
from PySide6.QtWidgets import QPushButton  # noqa: E402
from rankmetrics_gui import entering, runs  # noqa: E402

from rankmetrics_nb.evaluation import evaluate  # noqa: E402
from rankmetrics_nb.examples import rides, sample, sample_paths  # noqa: E402
from rankmetrics_nb.session import Collection, Session, shown, signed  # noqa: E402

RIDES = Session.of(rides)
QRELS, (BM25, RERANKER) = sample()


@pytest.fixture
def window(qtbot):
    return open_window(qtbot)


@pytest.fixture
def page(window):
    """The table of the sample's queries."""
    qrels, found = sample_paths()
    entering.open_paths(window, [str(qrels), *map(str, found)])
    window.dialog.open_all()
    return window.stack.table


def column(page, head: str) -> list[str]:
    at = [name.split("\n")[0] for name in page.model.heads].index(head)
    return [line[at] for line in shown_table(page.view)]


def test_every_query_has_its_values_and_differences(window, page):
    values = evaluate(QRELS, BM25, "nDCG@5").per_query["nDCG@5"], evaluate(QRELS, RERANKER, "nDCG@5").per_query["nDCG@5"]
    assert window.stack.currentWidget() is page and column(page, "Query") == list(QRELS.query_ids)
    assert column(page, "A  bm25") == [shown(values[0][query]) for query in QRELS.query_ids]
    assert column(page, "B − A") == [" ".join(signed(values[1][query] - values[0][query])).strip() for query in QRELS.query_ids]
    mean = evaluate(QRELS, RERANKER, "nDCG@5").mean["nDCG@5"]
    assert page.model.heads[3] == f"B  reranker\nmean {shown(mean)}"
    assert page.words.text().startswith("B is better than A in 10 queries, worse in 2, equal in 0.")
    relevant = [sum(grade >= 1 for grade in QRELS[query].values()) for query in QRELS.query_ids]
    assert column(page, "Relevant") == [f"{n}" for n in relevant]


def test_any_column_sorts_and_text_filters(window, page, qtbot):
    for at in range(5):
        page.sort(at, Qt.SortOrder.DescendingOrder)
        raw = [page.proxy.data(page.proxy.index(row, at), runs.RAW) for row in range(page.proxy.rowCount())]
        assert raw == sorted(raw, reverse=True)
    page.sort(-1, Qt.SortOrder.AscendingOrder)
    assert column(page, "Query") == list(QRELS.query_ids)
    page.filter.setFocus()
    qtbot.keyClicks(page.filter, "Q1")
    assert column(page, "Query") == ["q10", "q11", "q12"] and "3 shown" in page.words.text()


def test_enter_opens_a_query_and_back_returns(window, page, qtbot):
    page.view.setFocus()
    page.view.setCurrentIndex(page.proxy.index(3, 0))
    value = column(page, "B  reranker")[3]
    qtbot.keyClick(page.view, Qt.Key.Key_Return)
    assert window.session.name == "q04" and window.values["B"].text() == value
    assert window.session.names == ("bm25", "reranker") and window.stack.currentIndex() == 0
    wake(window, qtbot)
    qtbot.keyClick(window, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert window.stack.currentWidget() is page and page.query() == "q04"
    qtbot.keyClick(page.view, Qt.Key.Key_Escape)
    assert window.stack.currentIndex() == 0
    window.runs_action.trigger()
    assert window.stack.currentWidget() is page


def test_a_click_opens_a_query(window, page, qtbot):
    place = page.view.visualRect(page.proxy.index(6, 0)).center()
    qtbot.mouseClick(page.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window.session.name == "q07"


def test_measure_and_conventions_change_the_table(window, page):
    page.pick("AP")
    assert window.picked == "AP" and column(page, "A  bm25")[0] == shown(evaluate(QRELS, BM25, "AP").per_query["AP"]["q01"])
    next(action for action in window.pills["rel"].menu().actions() if action.data() == 2).trigger()
    assert column(page, "A  bm25")[0] == shown(evaluate(QRELS, BM25, "AP(rel=2)").per_query["AP(rel=2)"]["q01"])
    page.pick("nDCG@k")
    next(action for action in window.pills["k"].menu().actions() if action.data() == 10).trigger()
    assert column(page, "A  bm25")[0] == shown(evaluate(QRELS, BM25, "nDCG@10").per_query["nDCG@10"]["q01"])


def test_three_runs_stand_in_the_table_and_two_in_the_window(window, page, tmp_path, qtbot):
    third = tmp_path / "third.run"
    third.write_text("q01 Q0 earbuds-01 1 2 t\nq02 Q0 x 1 1 t\n")
    entering.open_paths(window, [str(third)])
    assert [name for name in window.files.names if name] and len(window.dialog.files.runs) == 3
    window.dialog.open_all()
    heads = [name.split("\n")[0] for name in page.model.heads]
    assert len([head for head in heads if head.endswith("− A")]) == 2
    page.view.setCurrentIndex(page.proxy.index(0, 0))
    page.open()
    assert window.session.letters == ("A", "B", "C") and window.list_menus["A"].isVisible()


def test_an_undefined_value_is_a_word(window, page):
    page.pick("AUC")
    assert "nan" not in " ".join(str(cell) for line in shown_table(page.view) for cell in line)


def test_the_table_keeps_qt_s_rules(window, page):
    tester = QAbstractItemModelTester(page.model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    page.pick("AP")
    page.pick("RR")
    assert tester.model() is page.model


def test_without_judgements_there_is_no_table(window, tmp_path):
    run = tmp_path / "only.run"
    run.write_text("q1 Q0 a 1 1 t\nq2 Q0 a 1 1 t\n")
    entering.open_paths(window, [str(run)])
    assert window.dialog.all.parent() is None or not window.dialog.all.isVisible()
    runs.show_files(window, window.dialog.files)
    assert "needs judgements and a run" in window.query_bar.words.text() and window.stack.currentIndex() == 0


# long files
@pytest.fixture
def long_files(tmp_path):
    """A run of 300,000 lines and judgements for it."""
    run, qrels = tmp_path / "long.run", tmp_path / "long.qrels"
    run.write_text("".join(f"q{i // 1000} Q0 d{i} {i % 1000 + 1} {1000 - i % 1000} t\n" for i in range(300_000)))
    qrels.write_text("".join(f"q{q} 0 d{q * 1000 + q % 7} 1\n" for q in range(300)))
    return [str(qrels), str(run)]


def test_a_long_file_is_read_beside_the_window(window, qtbot, long_files):
    entering.open_paths(window, long_files)
    assert window.reading.isRunning() and window.session == RIDES, "nothing waits for the file"
    seen = []
    window.reading.went_on.connect(lambda words, per_cent: seen.append((words, per_cent)))
    qtbot.waitUntil(lambda: window.reading is None, timeout=60_000)
    assert any(words == "Reading long.run" for words, _ in seen) and [per_cent for _, per_cent in seen] == sorted(per_cent for _, per_cent in seen)
    assert len(window.dialog.files.queries) == 300
    window.dialog.open_all()
    # the relevant document of query q stands at rank q % 7 + 1, and no other is relevant
    window.stack.table.pick("RR")
    assert column(window.stack.table, "A  long")[:8] == [shown(1 / (q % 7 + 1)) for q in range(8)]


def test_cancel_stops_a_long_read(window, qtbot, long_files, monkeypatch):
    monkeypatch.setattr(runs, "WAIT", 0)
    came = []
    reading = runs.read_beside(window, long_files, came.append)
    qtbot.waitUntil(window.progress.isVisible)
    qtbot.mouseClick(window.progress.findChild(QPushButton), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.reading is None, timeout=20_000)
    assert reading.stopped and came == [] and window.session == RIDES
    assert window.last_words.text() == "Opening cancelled"


def test_a_stopped_reading_reads_no_further_block(long_files):
    reading = runs.Reading(long_files, Collection())
    seen = []

    def say(words, per_cent):
        seen.append(per_cent)
        if words == "Reading long.run" and per_cent > 5:
            reading.stop()

    reading.went_on.connect(say, Qt.ConnectionType.DirectConnection)
    reading.done.connect(lambda files: seen.append("done"), Qt.ConnectionType.DirectConnection)
    reading.run()
    assert seen[-1] != "done" and max(seen) < 90


def test_a_mistake_in_a_long_file_is_said(window, qtbot, long_files):
    with open(long_files[1], "a") as file:
        file.write("q1 Q0 broken\n")
    entering.open_paths(window, long_files)
    qtbot.waitUntil(lambda: window.reading is None, timeout=60_000)
    assert "long.run, line 300001: expected 6 fields" in window.query_bar.words.text() and window.session == RIDES
