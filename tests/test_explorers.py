"""The explorers of runs and of exams without a kernel: actions come in as a browser sends them, and the page is read as text."""

import gc
import html
import json
import re
import weakref

import needs
import pytest

needs.module("anywidget", "ipywidgets", how='pip install "rankmetrics_nb[notebook]"')

from rankmetrics_nb import compare, compare_values, evaluate  # noqa: E402
from rankmetrics_nb.examples import sample  # noqa: E402
from rankmetrics_nb.explorers import ROWS, ExamWidget, RunExplorer, in_bins  # noqa: E402
from rankmetrics_nb.relevance import DataError  # noqa: E402

# By hand, AP. A: q1 1/1 = 1, q2 1/2, q10 0. B: q1 1/2, q2 1/1 = 1, q10 1/3.
QRELS = {"q1": {"x": 1, "y": 0}, "q2": {"x": 1, "y": 0}, "q10": {"x": 1, "y": 0}}
A = {"q1": {"x": 3.0, "y": 2.0}, "q2": {"y": 3.0, "x": 2.0}, "q10": {"y": 1.0}}
B = {"q1": {"y": 3.0, "x": 2.0}, "q2": {"x": 3.0, "y": 2.0}, "q10": {"y": 3.0, "z": 2.0, "x": 1.0}}
BAD = '<img src=x onerror="alert(1)">'


def send(widget, **action):
    widget._handle_msg({"content": {"data": {"method": "custom", "content": {"turn": "t", **action}}}, "buffers": []})


def words(page: str) -> str:
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))).strip()


def table(widget) -> list[list[str]]:
    """The cells of the table of queries, as the page shows them."""
    body = re.search(r'class="rm-queries".*?<tbody>(.*?)</tbody>', widget.html, re.S)[1]
    return [[words(cell).replace(" ", "") for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)] for row in re.findall(r"<tr.*?</tr>", body)]


def queries(widget) -> list[str]:
    return [row[0] for row in table(widget)]


@pytest.fixture
def both():
    widget = RunExplorer(QRELS, A, B, measures=["AP", "RR"])
    yield widget
    widget.close()


def test_means_and_rows_are_those_of_a_calculation_by_hand(both):
    means = re.search(r'data-measure="AP".*?</tr>', both.html)[0]
    assert [words(cell).replace(" ", "") for cell in re.findall(r"<td[^>]*>(.*?)</td>", means)] == ["0.5000", "0.6111", "▲+0.1111", "3"]
    assert [row[:5] for row in table(both)] == [
        ["q1", "1", "1.0000", "0.5000", "▼−0.5000"],
        ["q2", "1", "0.5000", "1.0000", "▲+0.5000"],
        ["q10", "1", "0.0000", "0.3333", "▲+0.3333"],
    ]
    assert "B is better in 2 queries, worse in 1, equal in 0." in words(both.html)
    assert both.rows[2] == {"query": "q10", "relevant": 1.0, "A": 0.0, "B": pytest.approx(1 / 3), "change": pytest.approx(1 / 3)}


def test_a_click_on_a_head_sorts_and_says_so(both):
    send(both, do="sort", column="change")
    assert queries(both) == ["q2", "q10", "q1"] and 'aria-sort="descending"' in both.html
    send(both, do="sort", column="change")
    assert queries(both) == ["q1", "q10", "q2"] and 'aria-sort="ascending"' in both.html
    send(both, do="sort", column="query")
    assert queries(both) == ["q1", "q2", "q10"], "numbers in names are numbers"
    both.order, both.falling = "A", True
    assert queries(both) == ["q1", "q2", "q10"]


def test_the_filter_and_the_picked_measure(both):
    send(both, do="type", list="filter", text="Q1")
    assert queries(both) == ["q1", "q10"] and "1 to 2 of 2 queries, 3 without the filter" in words(both.html)
    send(both, do="type", list="filter", text=BAD)
    assert BAD not in both.html and "No query holds" in words(both.html) and both.rows == []
    send(both, do="type", list="filter", text="")
    send(both, do="pick", measure="RR")
    assert both.picked == "RR" and "Queries by their RR" in words(both.html) and len(table(both)) == 3


def test_a_query_opens_with_the_values_of_the_table_and_back(both):
    send(both, do="sort", column="change")
    send(both, do="open", query="q10")
    assert both.query == "q10" and both.opened.values == {"AP": (0.0, pytest.approx(1 / 3)), "RR": (0.0, pytest.approx(1 / 3))}
    assert both.opened.html in both.html and "rm-queries" not in both.html and "In the table:" not in both.html
    send(both, do="move", list="B", row=3, to=1)
    assert both.opened.values["AP"] == (0.0, 1.0) and both.opened.html in both.html
    send(both, do="undo")
    assert both.opened.values["AP"][1] == pytest.approx(1 / 3)
    send(both, do="pick", measure="RR")
    assert both.picked == both.opened.picked == "RR"
    send(both, do="open", query=both.view.beside(1))
    assert both.query == "q1", "the next one in the order of the table"
    send(both, do="back")
    assert both.opened is None and both.query == "" and queries(both)[0] == "q2"


def test_a_cutoff_is_the_cut_of_the_lists():
    qrels, runs = sample()
    widget = RunExplorer(qrels, *runs, measures=["AP", "nDCG@10", "P@5"])
    widget.picked = "nDCG@10"
    table_says = widget.rows[0]
    widget.query = table_says["query"]
    assert widget.opened.session.k == 10 and widget.opened.picked == "nDCG@k"
    assert widget.opened.values["nDCG@10"] == (pytest.approx(table_says["A"], abs=1e-12), pytest.approx(table_says["B"], abs=1e-12))
    send(widget, do="pick", measure="AP")
    send(widget, do="pick", measure="nDCG@k")
    assert widget.picked == "nDCG@10"


def test_where_the_lists_are_in_another_order_than_the_table_it_is_said():
    tied = {"q1": {"x": 1.0, "y": 1.0}}
    widget = RunExplorer({"q1": {"x": 1, "y": 0}}, tied, measures="AP", ties="average")
    widget.query = "q1"  # y, x by falling id: AP 1/2; the mean over both orders: 3/4
    assert widget.opened.values["AP"] == 0.5 and "In the table: AP 0.7500." in words(widget.html)


def test_evaluations_and_comparisons_are_taken_as_they_are():
    first, second = evaluate(QRELS, A, "AP"), evaluate(QRELS, B, "AP")
    assert table(RunExplorer(first))[0][:3] == ["q1", "1", "1.0000"]
    assert table(RunExplorer(first, second)) == table(RunExplorer(compare(None, [first, second], "AP", names=["one", "two"])))


@pytest.mark.parametrize(
    "make, said",
    [
        (lambda: RunExplorer(QRELS), "one run or two can be shown, got 0"),
        (lambda: RunExplorer(QRELS, A, B, A), "one run or two can be shown, got 3"),
        (lambda: RunExplorer(evaluate(QRELS, A, "AP"), B), "beside an evaluation stands another one"),
        (lambda: RunExplorer(evaluate(QRELS, A, "AP"), measures="RR"), "has its measures and conventions already"),
        (lambda: RunExplorer(evaluate(QRELS, A, "AP"), evaluate(QRELS, B, "RR")), "hold different measures"),
        (lambda: RunExplorer(compare_values({"q1": 1, "q2": 0}, {"q1": 0, "q2": 1})), "without rankings"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_words(make, said):
    with pytest.raises(DataError, match=said):
        make()


@pytest.mark.parametrize("name, value", [("query", "q9"), ("order", "price"), ("picked", "P@7"), ("page", 5), ("page", -1)])
def test_a_state_that_is_none_is_refused_and_nothing_changes(both, name, value):
    before, page = getattr(both, name), both.html
    with pytest.raises(DataError):
        setattr(both, name, value)
    assert getattr(both, name) == before and both.html == page


def test_a_bad_action_is_said_on_the_page(both):
    send(both, do="open", query=BAD)
    assert BAD not in both.html and "has no judgements" in words(both.html) and both.query == ""
    send(both, do="sort", column="query")
    assert "has no judgements" not in words(both.html)


def test_ids_are_escaped_everywhere():
    widget = RunExplorer({BAD: {BAD: 1}}, {BAD: {BAD: 1.0}}, {BAD: {BAD: 1.0}}, measures="AP")
    for page in (widget.html, widget.static()._repr_html_()):
        assert BAD not in page and html.escape(BAD) in page
    widget.query = BAD
    for page in (widget.html, widget.static()._repr_html_()):
        assert BAD not in page


def test_long_tables_are_paged():
    qrels = {f"q{at}": {"x": 1} for at in range(1, 51)}
    widget = RunExplorer(qrels, {query: {"x": 1.0} for query in qrels}, measures="AP")
    assert len(table(widget)) == ROWS == 20 and "1 to 20 of 50 queries" in words(widget.html)
    send(widget, do="page", to="2")
    assert queries(widget) == [f"q{at}" for at in range(41, 51)]
    send(widget, do="type", list="filter", text="q1")
    assert widget.page == 0 and queries(widget) == ["q1", *(f"q{at}" for at in range(10, 20))]


def test_a_query_without_a_value_has_no_bar_and_no_difference():
    qrels = {"q1": {"x": 1}, "q2": {"x": 0}}
    run = {query: {"x": 1.0} for query in qrels}
    widget = RunExplorer(qrels, run, run, measures="AP", norel="skip")
    assert table(widget)[1][2:5] == ["undefined", "undefined", "–"]
    send(widget, do="sort", column="A")
    assert queries(widget) == ["q1", "q2"] and "B is better in 0 queries, worse in 0, equal in 1." in words(widget.html)


def test_bins_count_every_value_once():
    import numpy as np

    edges, (counts,) = in_bins([np.array([0.0, 0.05, 0.1, 0.95, 1.0, np.nan])], (0, 1))
    assert counts.tolist() == [2, 1, 0, 0, 0, 0, 0, 0, 0, 2] and edges[[0, -1]].tolist() == [0, 1]
    edges, (counts,) = in_bins([np.array([2.0, 8.0])], (0, np.inf), 2)
    assert edges.tolist() == [0, 4, 8] and counts.tolist() == [1, 1]


def test_two_do_not_mix_and_a_closed_one_is_let_go(both):
    other = RunExplorer(QRELS, A, B, measures=["AP", "RR"])
    other.order, other.query = "change", "q2"
    assert both.order == "" and both.query == "" and both.opened is None
    inner, told = other.opened, []
    other.observe(lambda change: told.append(change), "html")
    other.close()
    assert other.opened is None and inner.comm is None and other.comm is None
    other.order = "A"
    assert told == []
    gone = weakref.ref(other)
    del other, inner
    gc.collect()
    assert gone() is None


def test_the_static_twin_says_what_needs_a_kernel(both):
    page = both.static().html
    assert "needs a kernel" in words(page) and not re.search(r"data-do|<input|<button", page) and "0.6111" in page
    both.query = "q1"
    assert not re.search(r"data-do|<input|<button|role=\"alert\"", both.static().html)
    bundle = both._repr_mimebundle_()
    assert "text/html" in (bundle[0] if isinstance(bundle, tuple) else bundle) and repr(both).startswith("RunExplorer(")


# the exam
def answered(widget, text, at=0, part="a"):
    send(widget, do="answer", question=str(at), part=part, value=text)
    return widget.tried[at, part]


def test_an_answer_is_marked_by_the_marker_of_the_exam():
    widget = ExamWidget(seed=7, kinds=["ap"])
    question = widget.exam[0]
    tried = answered(widget, "0.123")
    assert tried.verdict.kind == question.mark("a", "0.123").kind == "wrong" and "✗ wrong" in words(widget.html) and 'value="0.123"' in widget.html
    tried = answered(widget, str(question.parts[0].value))
    assert tried.verdict.kind == "right" and "✓ right" in words(widget.html)
    assert widget.right == 0 and widget.score.startswith(f"0 of {widget.parts} part"), "the second try does not count"


def test_the_first_try_counts_unless_the_solution_was_open():
    for seen in (False, True):
        widget = ExamWidget(seed=7, kinds=["ap"])
        if seen:
            send(widget, do="solve", question="0")
            assert "rm-solution" in widget.html
        answered(widget, str(widget.exam[0].parts[0].value))
        assert widget.right == (0 if seen else 1)
    send(widget, do="solve", question="0")
    assert "rm-solution" not in widget.html


def test_a_known_mistake_is_named():
    widget = ExamWidget(seed=7, kinds=["sets"])
    part = widget.exam[0].parts[0]
    verdict = next(v for n in range(1, 100) for m in range(n + 1, 100) if (v := widget.exam[0].mark("a", f"{n}/{m}")).causes)
    tried = answered(widget, verdict.answer)
    assert tried.verdict.causes and verdict.causes[0].mistake.did in words(widget.html) and tried.verdict.part is part


def test_what_is_no_number_is_said_and_is_no_try():
    widget = ExamWidget(seed=7, kinds=["ap"])
    tried = answered(widget, BAD)
    assert tried.error and tried.first == "" and BAD not in widget.html and 'aria-invalid="true"' in widget.html
    assert answered(widget, f"`x` $\\bad$ {BAD} = 0.5").verdict is not None and BAD not in widget.html and BAD not in widget.static()._repr_html_()


def test_questions_in_words_are_ticked():
    widget = ExamWidget(seed=7, kinds=["trade-off"])
    n = len(widget.exam[0].points)
    assert widget.parts == 0 and widget.score == f"0 of {n} points in words" and 'role="checkbox"' not in widget.html
    send(widget, do="solve", question="0")
    send(widget, do="tick", question="0", point="1")
    assert widget.score == f"1 of {n} points in words" and widget.html.count('aria-checked="true"') == 1
    send(widget, do="tick", question="0", point="99")
    assert "there is no point 99" in words(widget.html) and widget.ticks == {0: (1,)}
    send(widget, do="tick", question="0", point="1")
    assert widget.score.startswith("0 of")


def test_one_at_a_time_or_all():
    widget = ExamWidget(seed=7)
    assert widget.html.count("<section") == 1 and "Question 1 of 7" in words(widget.html)
    send(widget, do="go", to="1")
    assert "Question 2 of 7" in words(widget.html)
    send(widget, do="go", to="7")
    assert "Question 2 of 7" in words(widget.html) and "the questions are 0 to 6, got 7" in words(widget.html)
    send(widget, do="sheet")
    assert widget.html.count("<section") == 7


@pytest.mark.parametrize("level", [1, 2, 3])
def test_formulas_are_drawn_and_the_twin_needs_nothing(level):
    widget = ExamWidget(seed=level, level=level)
    widget.sheet, widget.open = True, set(range(len(widget.exam)))
    page = widget.static().html
    assert not re.search(r"\$[^$]+\$|data-do|<input|<button", page) and "needs a kernel" in words(page)
    assert json.dumps(words(page)).count("Question") >= 7


def test_the_same_seed_asks_the_same_and_two_do_not_mix():
    one, two = ExamWidget(seed=7), ExamWidget(seed=7)
    assert one.html == two.html
    answered(one, "0.5", 0, one.exam[0].labelled[0][0])
    assert two.tried == {} and one.html != two.html
    one.close()
    assert one.comm is None
