"""The explorer without a kernel: actions come in as a browser sends them, and the page is read as text."""

import base64
import gc
import html
import re
import subprocess
import sys
import weakref
from dataclasses import replace
from itertools import product

import needs
import pytest
from books import opened, page_in

needs.module("anywidget", "ipywidgets", how='pip install "rankmetrics_nb[notebook]"')

from rankmetrics_nb import nDCG  # noqa: E402
from rankmetrics_nb.examples import rides, six  # noqa: E402
from rankmetrics_nb.measures.catalogue import MEASURES, parse  # noqa: E402
from rankmetrics_nb.relevance import DataError  # noqa: E402
from rankmetrics_nb.session import Session, shown  # noqa: E402
from rankmetrics_nb.views import CSS, MOVES, REGIONS, View, came  # noqa: E402
from rankmetrics_nb.widgets import ESM, Flipbook, RankingExplorer, Static, static_page  # noqa: E402


def send(widget, **action):
    """What the page does for a key, a click or a drag."""
    widget._handle_msg({"content": {"data": {"method": "custom", "content": {"turn": "t", **action}}}, "buffers": []})


def words(page: str) -> str:
    """A page as text."""
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))).strip()


def measure(widget, name: str) -> list[str]:
    """Values and change of a measure as the page shows them."""
    line = re.search(rf'<tr data-do="pick" data-measure="{re.escape(name)}".*?</tr>', widget.html, re.S)[0]
    return [words(cell).replace("▲", "▲ ").replace("▼", "▼ ") for cell in re.findall(r'<td class="rm-number"[^>]*>(.*?)</td>', line)]


def rows(widget, letter="A") -> list[str]:
    """The titles of a list, as the page shows them."""
    side = re.search(rf'<section [^>]*data-list="{letter}".*?</section>', widget.html, re.S)[0]
    return [words(cell) for cell in re.findall(r'class="rm-doc">(.*?)</td>', side)]


def field(widget, letter="A") -> str:
    """What stands in the field above a list."""
    return html.unescape(re.search(rf'value="([^"]*)" data-type="{letter}"', widget.html)[1])


def said(widget) -> str:
    return words(re.search(r'class="rm-said"[^>]*>(.*?)</div>', widget.html)[1])


RIDE = dict(measures=("AP", "nDCG@k"), titles=rides.titles)


def test_it_shows_the_values_of_the_measures():
    widget = RankingExplorer("3 2 0 1", k=3)
    assert widget.values == {"P@3": parse("P@3")("3 2 0 1"), "AP": parse("AP")("3 2 0 1"), "RR": 1.0, "nDCG@3": parse("nDCG@3")("3 2 0 1")}
    assert measure(widget, "AP") == ["0.9167", "="] and widget.picked == "nDCG@k"


def test_typing_changes_values_and_steps():
    widget = RankingExplorer("3 2 0 1", measure="AP")
    send(widget, do="type", list="A", text="1 0 1 0")
    assert widget.values["AP"] == pytest.approx(5 / 6) and measure(widget, "AP") == ["0.8333", "▼ −0.0833"]
    assert "AP = ( 1 / 1 + 2 / 3 ) / 2 = 0.8333" in words(widget.html)
    assert field(widget) == "1 0 1 0"
    send(widget, do="type", list="A", text="1 0 1  0 ")
    assert field(widget) == "1 0 1  0 ", "the text is not tidied while it is being typed"
    send(widget, do="undo")
    assert field(widget) == "3 2 0 1", "typing is one step"


@pytest.mark.parametrize("text, said", [("3 x", "'x': expected a number, R, N or ?"), ("bus:3 bus:2", "at rank 1 and at rank 2"), ("3 nan", "expected a number")])
def test_a_mistake_is_said_and_the_text_kept(text, said):
    widget = RankingExplorer("3 2 0 1")
    before = widget.values
    send(widget, do="type", list="A", text=text)
    assert said in widget.error and "last ranking that could be read" in widget.error and said in words(widget.html)
    assert field(widget) == text and widget.values == before and 'aria-invalid="true"' in widget.html
    for action in (dict(do="pick", measure="AP"), dict(do="look", measure="RR"), dict(do="tab", tab="why"), dict(do="choose", list="A", row=2)):
        send(widget, **action)
        assert field(widget) == text and widget.error, "to look at something else takes nothing away"
    send(widget, do="type", list="A", text="3 2")
    assert widget.error == "" and widget.values["P@5"] == 0.4 and 'aria-invalid="true"' not in widget.html


def test_keys_and_drags_move_and_grade():
    widget = RankingExplorer(rides["bm25"], **RIDE)
    send(widget, do="drag", list="A", row=5, to=1)
    assert measure(widget, "nDCG@k") == ["0.7358", "▲ +0.1281"] and "rm-lifted" in widget.html and "since drag" in words(widget.html)
    assert widget.session.lists[0][4] == "bus", "a drag is a preview"
    send(widget, do="cancel")
    assert measure(widget, "nDCG@k") == ["0.6077", "="] and "rm-lifted" not in widget.html
    send(widget, do="move", list="A", row=5, to=1)
    assert field(widget).startswith("bus:3 bike:2") and measure(widget, "nDCG@k")[0] == "0.7358"
    assert said(widget) == "Sajha bus 4, Rs 25 is at rank 1 of A. nDCG@5 0.7358"
    send(widget, do="grade", list="A", row="1", grade="?")
    assert field(widget).startswith("bus:? bike:2") and widget.session.grades.get("bus") is None
    send(widget, do="grade", list="A", row="1", grade="2")
    assert widget.session.grades["bus"] == 2 and said(widget).startswith("Sajha bus 4, Rs 25 has grade 2.")
    send(widget, do="reset")
    assert measure(widget, "nDCG@k") == ["0.6077", "="] and field(widget) == rides["bm25"].text


def test_two_lists_and_what_makes_the_difference():
    widget = RankingExplorer(six, ("P@k", "AP", "nDCG@k"))
    assert measure(widget, "nDCG@k") == ["0.6077", "0.7803", "▲ +0.1726"]
    assert rows(widget, "A")[0] == "Bike to Thapathali, Rs 95" and rows(widget, "B")[0] == "Shared tempo, Rs 20"
    assert widget.values["nDCG@5"] == ((nDCG @ 5)(six["A"]), (nDCG @ 5)(six["B"]))
    svg = re.search(r"<svg.*?</svg>", widget.html)[0]
    effects = re.findall(r"<text[^>]*>([+−][\d.]+)</text>", svg)
    assert sorted(effects) == sorted(["+0.1487", "−0.0637", "+0.0456", "+0.0668", "−0.0248"])
    send(widget, do="tab", tab="why")
    assert "0.6077 + 0.1487 + 0.0668 − 0.0637 + 0.0456 − 0.0248 = 0.7803" in words(widget.html)


def test_a_drag_in_either_list_shows_what_that_list_has_gained():
    widget = RankingExplorer(six, ("AP", "nDCG@k"))
    send(widget, do="drag", list="B", row=6, to=1)
    moved = Session.of(six).move("B", 6, 1)
    assert measure(widget, "nDCG@k")[1] == shown(moved.report()["nDCG@5"].values[1]) and "B since drag" in words(widget.html)
    assert measure(widget, "nDCG@k")[2].startswith("▼ ") and measure(widget, "nDCG@k")[0] == "0.6077"
    send(widget, do="move", list="B", row=6, to=1)
    assert rows(widget, "B")[0] == "Taxi to Thapathali, Rs 450" and "B − A" in words(widget.html)
    assert widget.session.lists == moved.lists
    send(widget, do="undo")
    assert widget.session == Session.of(six, measures=("AP", "nDCG@k"))


def test_a_grade_holds_in_both_lists():
    widget = RankingExplorer(six, ("nDCG@k",))
    send(widget, do="choose", list="B", row=4)
    assert re.findall(r'data-do="grade" data-list="(.)" data-row="(\d)" data-grade="(.)"', widget.html) == [("B", "4", g) for g in "0123?"]
    send(widget, do="grade", list="B", row="4", grade="3")
    expected = Session.of(six).grade("pass", 3).report()["nDCG@5"].values
    assert measure(widget, "nDCG@k")[:2] == [shown(value) for value in expected]


def test_undo_and_redo_walk_through_all_steps():
    widget = RankingExplorer("3 2 0 1")
    first = widget.session
    steps = [dict(do="move", list="A", row=1, to=4), dict(do="grade", list="A", row=2, grade="3"), dict(do="set", name="gain", value="linear"), dict(do="predict", guess="stay")]
    after = []
    for step in steps:
        send(widget, **step)
        after.append(widget.session)
    assert len(set(map(str, after))) == 4
    for session in [*reversed(after[:-1]), first]:
        send(widget, do="undo")
        assert widget.session == session
    send(widget, do="undo")
    assert widget.session == first, "there is nothing before the start"
    for session in after:
        send(widget, do="redo")
        assert widget.session == session
    send(widget, do="undo")
    send(widget, do="grade", list="A", row=1, grade="1")
    send(widget, do="redo")
    assert 'rm-redo" data-do="redo" aria-disabled="true"' in widget.html, "a new step takes the undone ones away"


@pytest.mark.parametrize(
    "name, value, expected",
    [
        ("gain", "linear", nDCG.set(gain="linear") @ 5),
        ("gain", "binary", nDCG.set(gain="binary") @ 5),
        ("ideal", "retrieved", nDCG.set(ideal="retrieved") @ 5),
        ("k", "3", nDCG @ 3),
        ("k", "", nDCG),
    ],
)
def test_a_convention_changes_the_values(name, value, expected):
    widget = RankingExplorer(rides["bm25"], **RIDE)
    send(widget, do="set", name=name, value=value)
    assert measure(widget, "nDCG@k")[0] == shown(expected(rides["bm25"])) and not widget.error


def test_rel_and_unjudged_change_the_values_too():
    widget = RankingExplorer("3 ? 1", measures=("AP",))
    send(widget, do="set", name="rel", value="2")
    assert widget.values["AP"] == 1.0
    send(widget, do="set", name="rel", value="1")
    assert widget.values["AP"] == pytest.approx(5 / 6)
    send(widget, do="set", name="unjudged", value="remove")
    assert widget.values["AP"] == 1.0


@pytest.mark.parametrize("name, value", [("k", "0"), ("k", "-3"), ("k", "2.5"), ("k", "x"), ("rel", "x"), ("gain", "cubic"), ("nonsense", "1")])
def test_a_convention_that_is_none_is_refused_in_words(name, value):
    widget = RankingExplorer("3 2 0 1")
    before = widget.session
    send(widget, do="set", name=name, value=value)
    assert widget.session == before and widget.error and widget.error in words(widget.html)


def test_the_cut_is_dragged():
    widget = RankingExplorer(rides["bm25"], **RIDE)
    for k in (4, 3):
        send(widget, do="cut", k=k)
        assert f"k = {k}" in words(widget.html) and widget.session.k == 5, "a drag is a preview"
    send(widget, do="set", name="k", value=3)
    assert widget.session.k == 3 and measure(widget, "nDCG@k")[0] == shown((nDCG @ 3)(rides["bm25"]))
    send(widget, do="undo")
    assert widget.session.k == 5


def test_pointing_at_a_measure_shows_its_steps_and_picks_nothing():
    widget = RankingExplorer(rides["bm25"], **RIDE)
    send(widget, do="look", measure="AP")
    assert "Average precision." in words(widget.html) and widget.picked == "nDCG@k"
    send(widget, do="look", measure="")
    assert "Normalised discounted cumulative gain." in words(widget.html)
    send(widget, do="look", measure="nonsense")
    assert "Normalised discounted cumulative gain." in words(widget.html)


def test_steps_of_either_list():
    widget = RankingExplorer(six, ("AP", "nDCG@k"))
    assert 'rm-value">0.6077<' in widget.html
    send(widget, do="side", list="B")
    assert 'rm-value">0.7803<' in widget.html
    send(widget, do="side", list="C")
    assert 'rm-value">0.7803<' in widget.html and widget.error


@pytest.mark.parametrize("tab", ["steps", "why"])
@pytest.mark.parametrize("form, mark", [("markdown", "| --- |"), ("latex", r"\begin{tabular}")])
def test_what_is_copied_is_what_steps_and_difference_say(tab, form, mark):
    widget = RankingExplorer(six, ("nDCG@k",))
    send(widget, do="tab", tab=tab)
    send(widget, do="copy", form=form)
    copied = html.unescape(re.search(r"<textarea[^>]*>\n(.*?)</textarea>", widget.html, re.S)[1])
    session = widget.session
    source = session.steps("nDCG@k", "A") if tab == "steps" else session.why("nDCG@k")
    assert mark in copied and (form == "latex" or copied == source.markdown)
    send(widget, do="look", measure="")
    assert "<textarea" not in widget.html


def test_the_swap_that_ap_does_not_see():
    widget = RankingExplorer(rides["bm25"], measures=("P@5", "AP", "RR", "nDCG@5"), measure="nDCG@5")
    send(widget, do="move", list="A", row=2, to=1)
    assert measure(widget, "nDCG@5") == ["0.6927", "▲ +0.0850"] and measure(widget, "AP") == ["0.6092", "="]
    assert "= 12.0314 / 17.3691 = 0.6927" in words(widget.html)
    assert "Relevant, not retrieved" in words(widget.html)
    send(widget, do="tab", tab="why")
    assert re.search(r"0\.6077 \+ 0\.\d+ − 0\.\d+ = 0\.6927", words(widget.html))


def test_a_prediction_is_asked_for_and_judged():
    widget = RankingExplorer(rides["bm25"], measures=("AP", "nDCG@5"), measure="AP")
    assert "Predict first. Swap ranks 1 and 2. What will AP do? Rise Stay Fall" in words(widget.html)
    send(widget, do="predict", guess="stay")
    assert "You were right: AP stays." in words(widget.html) and field(widget).startswith("tempo:3 bike:2")
    send(widget, do="pick", measure="nDCG@5")
    assert "You were right" not in words(widget.html)
    send(widget, do="predict", guess="rise")
    assert "Not this time: nDCG@5 falls." in words(widget.html) and field(widget).startswith("bike:2 tempo:3")
    send(widget, do="predict", guess="rise")
    assert "You were right: nDCG@5 rises." in words(widget.html)
    assert "Predict first" not in words(RankingExplorer("1").html)
    assert "Predict first" not in words(widget.static().html)
    assert "Swap ranks 1 and 2 of A. What will nDCG@5 of A do?" in words(RankingExplorer(six).html)


def test_a_chosen_row_offers_its_grades():
    widget = RankingExplorer("3 2 0.5")
    assert "data-grade" not in widget.html
    send(widget, do="choose", list="A", row=1)
    assert re.findall(r'data-grade="(.*?)"', widget.html) == ["0", "1", "2", "3", "?"]
    send(widget, do="choose", list="A", row=3)
    assert re.findall(r'data-grade="(.*?)"', widget.html) == ["0", "1", "2", "3", "?", "0.5"]
    assert re.findall(r'data-row="(\d)" tabindex="0"', widget.html) == ["3"], "the Tab key reaches one row"


@pytest.mark.parametrize("action", [dict(do="move", list="A", row=9, to=1), dict(do="choose", list="A", row=0), dict(do="grade", list="C", row=1, grade="1"), dict(do="nonsense"), dict()])
def test_an_action_that_does_not_fit_changes_nothing(action):
    widget = RankingExplorer("3 2 0 1")
    before = widget.session
    send(widget, **action)
    assert widget.session == before


def test_picking_a_measure_shows_its_steps():
    widget = RankingExplorer("3 2 ? 1", measures=[measure.name for measure in MEASURES if measure.name != "IPrec"])
    for name in widget.session.measures:
        send(widget, do="pick", measure=name)
        value = widget.session.report()[name].values[0]
        assert widget.picked == name and f'rm-value">{shown(value)}<' in widget.html


def test_a_session_that_is_set_is_drawn_and_can_be_undone():
    widget, seen = RankingExplorer("3 2 0 1", measures=("AP", "nDCG@k")), []
    widget.observe(lambda change: seen.append(change["new"]), "session")
    widget.session = Session.of(six, measures=("RR", "AP"))
    assert rows(widget, "B") and widget.picked == "AP" and len(seen) == 1
    send(widget, do="move", list="A", row=1, to=2)
    assert len(seen) == 2 and seen[1] == widget.session
    for _ in range(2):
        send(widget, do="undo")
    assert widget.session == Session.of("3 2 0 1", measures=("AP", "nDCG@k")) and len(seen) == 4
    widget.picked = "nDCG@k"
    assert 'rm-value">0.9926<' in widget.html
    with pytest.raises(DataError, match="'ERR' is not among the measures: AP, nDCG@k"):
        widget.picked = "ERR"
    assert widget.picked == "nDCG@k" and 'rm-value">0.9926<' in widget.html
    widget.session = Session.of("1 0", measures=("RR",))
    assert widget.picked == "RR" and words(widget.html).count("RR") > 1
    send(widget, do="reset")
    assert widget.picked == "nDCG@k", "a measure is picked that the session has"


def test_a_session_of_three_shows_the_first_two():
    three = Session.of(six).paste("C", "bus:3 tempo:3")
    assert len(RankingExplorer(three).session.lists) == 2
    assert RankingExplorer(Session.of(six)).session.measures == Session.of(six).measures


def test_two_explorers_do_not_mix():
    one, other = RankingExplorer(six), RankingExplorer(six)
    send(one, do="move", list="A", row=5, to=1)
    assert one.session != other.session and one.html != other.html
    send(other, do="undo")
    assert other.session == Session.of(six).set(measures=other.session.measures)
    assert " id=" not in one.html + one.static().html, "nothing that could clash"


def test_the_same_explorer_can_be_shown_again():
    widget = RankingExplorer(six)
    send(widget, do="move", list="A", row=5, to=1)
    send(widget, do="tab", tab="why")
    state = widget.get_state()
    assert "0.7358" in state["html"] and set(state) & {"session", "picked", "values"} == set(), "what the page needs is the page"


def test_closing_frees_what_listened():
    widget = RankingExplorer(six)
    widget.observe(lambda change: None, "session")
    send(widget, do="move", list="A", row=5, to=1)
    before, gone = widget.html, weakref.ref(widget)
    widget.close()
    send(widget, do="undo")
    widget.session = Session.of("1 0")
    assert widget.html == before, "a closed widget does not listen"
    del widget
    gc.collect()
    assert gone() is None


def test_hello_is_answered(monkeypatch):
    widget, sent = RankingExplorer("1 0"), []
    monkeypatch.setattr(RankingExplorer, "send", lambda self, content, buffers=None: sent.append(content))
    send(widget, do="hello")
    assert sent == [{"here": True}]


def test_ids_and_titles_are_escaped():
    widget = RankingExplorer("<script>:3 a&b:1", titles={"a&b": '<img src="x">'})
    assert "<script>" not in widget.html and "<img" not in widget.html and "&lt;script&gt;" in widget.html
    send(widget, do="type", list="A", text='<b>:x "')
    assert "<b>" not in widget.html and field(widget) == '<b>:x "'
    two = RankingExplorer(Session.of("<i>:3 b:1", "b:1 <i>:3", names=("<A>", "<B>"), name="<q>"))
    for tab in ("steps", "why"):
        send(two, do="tab", tab=tab)
        assert not {"<i>", "<A>", "<B>", "<q>"} & set(re.findall(r"<\w>", two.html))


@pytest.mark.parametrize("text", ["", "0", "?", "0 0 ?", "3 -1 0.5", " ".join("1" * 60), " ".join("1" * 150)])
def test_odd_rankings_have_a_page(text):
    for start in ("1", six):
        widget = RankingExplorer(start, ("P@k", "AP", "nDCG@k", "MeanRank"))
        send(widget, do="type", list="A", text=text)
        for tab in ("steps", "why"):
            send(widget, do="tab", tab=tab)
            assert widget.error == "" and "nan" not in words(widget.html) and widget.values["AP"] is not None
        send(widget, do="pick", measure="MeanRank")


def test_what_cannot_be_had_is_said():
    widget = RankingExplorer("1", measures=("nDCG@k", "AP"))
    for tab in ("steps", "why"):
        send(widget, do="tab", tab=tab)
        send(widget, do="type", list="A", text="2000 1")
        assert measure(widget, "AP")[0] == "1.0000"
    send(widget, do="tab", tab="steps")
    assert "overflows" in words(widget.html)
    with pytest.raises(DataError, match="did you mean"):
        RankingExplorer("1", measures=("ndgc",))


def test_the_static_twin_is_the_same_page_without_a_script():
    widget = RankingExplorer(Session.of(rides), measures=("AP", "nDCG@k"))
    twin = widget.static()
    assert isinstance(twin, Static) and "<script" not in twin._repr_html_() and "http" not in twin._repr_html_()
    for part in ("Sajha bus 4, Rs 25", "nDCG@5 0.6077 0.7803 ▲+0.1726", "= 0.7803", "Relevant, not retrieved"):
        assert part in words(twin.html)
    assert repr(twin) == f"A {rides['bm25'].text}: AP 0.6092, nDCG@5 0.6077; B {rides['reranker'].text}: AP 0.6619, nDCG@5 0.7803"
    assert static_page(Session.of("1 0")).html == static_page(Session.of("1 0")).html
    assert not re.search("tabindex|data-do|data-row|<input|<select|<button", twin.html) and "rm-static" in twin.html, "it takes no key and no drag, and does not look as if it did"


def test_a_notebook_without_widgets_gets_the_twin():
    data = RankingExplorer("3 2 0 1")._repr_mimebundle_()
    data = data[0] if isinstance(data, tuple) else data
    assert "application/vnd.jupyter.widget-view+json" in data and "rm-explorer" in data["text/html"]
    assert data["text/plain"].startswith("RankingExplorer(3 2 0 1: P@5")


@pytest.fixture(scope="module")
def still():
    widget = RankingExplorer("3 2 0 1", measures=("AP", "nDCG@k"), k=3)
    assert widget.frames == "" and widget.freeze() == len(widget.frames)
    return widget, opened(widget)


@pytest.mark.parametrize("gain", ["exp2", "linear"])
@pytest.mark.parametrize("order", ["0123", "3210", "1032", "2013"])
def test_a_frozen_page_has_the_true_values(still, gain, order):
    grades = [(3, 2, 0, 1)[int(at)] for at in order]
    expected = {"AP": parse("AP")(grades), "nDCG@k": (nDCG.set(gain=gain) @ 3)(grades)}
    for name, value in expected.items():
        assert f"{shown(value)}" in words(page_in(still[1], f"measures {gain} {name} {order}"))
        assert f'rm-value">{shown(value)}<' in page_in(still[1], f"steps {gain} {name} A {order}")
        assert shown(value) in words(page_in(still[1], f"said {gain} {name} {order}"))
        drawn = page_in(still[1], f"lists {gain} {name} {order}")
        assert re.findall(r'aria-label="rank \d, (\w+),', drawn) == [f"d{int(at) + 1}" for at in order]


ORDERS = ["0123", "3021", "1302", "2310"]


@pytest.fixture(scope="module")
def both_still():
    widget = RankingExplorer(Session.of("a:3 b:0 c:1 d:?", "c:1 e:2 a:3 b:0", measures=("P@k", "AP", "nDCG@k", "ERR"), k=3))
    widget.freeze()
    return widget.session, opened(widget)


@pytest.mark.parametrize("order", ORDERS)
def test_a_frozen_page_is_the_page_of_its_order(both_still, order):
    """Whatever was drawn once for several orders: each page is what is drawn for its order alone, with an unjudged document and a second list."""
    start, book = both_still
    for gain, name, guess, (tab, side) in product(("exp2", "linear"), start.measures, ("", *MOVES), product(("steps", "why"), "AB")):
        session = replace(start.set(gain=gain), lists=(tuple(start.lists[0][int(at)] for at in order), start.lists[1]))
        what = came(session.move("A", 1, 2).report()[name].values[0], session.report()[name].values[0])
        view = View(session, name, start.set(gain=gain), tab=tab, side=side, guess=(guess, what if guess else ""), mode="frozen")
        keys = dict(gain=gain, picked=name, look=name, guess=guess, tab=tab, side=side, A=order)
        for draw, key in REGIONS.values():
            assert page_in(book, key.format(**keys)) == draw(view), key.format(**keys)


def test_a_frozen_guess_is_judged(still):
    after = "1023"  # the first two of 0123 have changed places: AP stays, nDCG@3 falls
    assert "You were right: AP stays." in words(page_in(still[1], f"ask exp2 AP stay {after}"))
    assert "Not this time: nDCG@3 falls." in words(page_in(still[1], f"ask exp2 nDCG@k rise {after}"))
    assert "You were right: nDCG@3 rises." in words(page_in(still[1], "ask exp2 nDCG@k rise 0123"))


def test_what_a_frozen_page_cannot_do_is_marked(still):
    page = page_in(still[1], "page 0")
    assert "needs a kernel" in words(page) and 'disabled title="needs a kernel"' in page_in(still[1], "tools exp2")
    assert "data-type" not in page and "data-grade" not in page and 'role="slider"' not in page
    assert re.findall(r"<option value=\"(\w+)\"[^>]*?( disabled)?>", page_in(still[1], "tools linear"))[:3] == [("exp2", ""), ("linear", ""), ("binary", " disabled")]


def test_a_frozen_second_list_stays_where_it_is():
    widget = RankingExplorer(Session.of("a:3 b:0 c:1", "c:1 a:3 b:0", measures=("nDCG@k",)))
    widget.freeze()
    page = page_in(opened(widget), "lists exp2 nDCG@k 210")
    assert re.findall(r'data-row="(\d)"', page) == ["1", "2", "3"], "rows of A can be moved, those of B cannot"
    heads = [words(head) for head in re.findall(r'<span class="rm-worth[^>]*>(.*?)</span>', page)]
    assert heads == [shown((nDCG @ 5)(grades)) for grades in ([1, 0, 3], [1, 3, 0])]


def test_a_list_with_too_many_orders_is_not_frozen():
    with pytest.raises(DataError, match="all orders of 7 documents are too many"):
        RankingExplorer("1 0 1 0 1 0 1").freeze()


def test_script_and_style_ask_nobody_for_anything():
    assert not re.search(r"https?:|@import|\burl\(|\bimport\b|fetch\(", ESM + CSS)


def test_without_style_the_page_still_reads():
    assert "nDCG@5 = ( 7 / log₂ 2 + 3 / log₂ 3 + 1 / log₂ 5 ) / 9.3928 = 9.3235 / 9.3928 = 0.9926" in words(RankingExplorer("3 2 0 1").html)


def test_without_anywidget_one_line_says_what_to_install():
    code = "import sys; sys.modules['anywidget'] = None; from rankmetrics_nb.widgets import ESM, RankingExplorer, Session, static_page; print(repr(static_page(Session.of('1 0')))); RankingExplorer('1 0')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1 and done.stdout.startswith("1 0: P@5")
    assert 'pip install "rankmetrics_nb[notebook]"' in done.stderr.strip().splitlines()[-1]


def test_without_ipywidgets_a_flipbook_says_what_to_install():
    code = "import sys; sys.modules['ipywidgets'] = None; from rankmetrics_nb.widgets import Flipbook; Flipbook(str, [1])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1 and 'pip install "rankmetrics_nb[notebook]"' in done.stderr.strip().splitlines()[-1]


def drawn(value):
    """A small figure that shows `value`, as a user may make one."""
    import matplotlib.pyplot as plt

    figure, ax = plt.subplots(figsize=(2, 1))
    ax.set_title(value)
    return figure


class Titled:
    """A picture with an alt text and a way to show itself, as those of rankmetrics_nb.plots."""

    def __init__(self, value):
        self.figure, self.alt = drawn(value), f'It says "{value}" & no more.'

    def _repr_png_(self):
        return b"its own"


def frames(book: Flipbook) -> list[tuple[str, bytes]]:
    """Alt text and picture of every page."""
    found = [re.fullmatch(r'<img class="rm-frame" alt="([^"]*)" src="data:image/png;base64,([^"]+)" style="[^"]*">', page.value) for page in book.pages.children]
    return [(html.unescape(alt), base64.b64decode(data)) for alt, data in (page.groups() for page in found)]


def test_a_flipbook_holds_one_picture_a_value():
    import matplotlib.pyplot as plt

    book = Flipbook(drawn, (0.5, 0.8, 1.0), label="p", value=0.8)
    alts, pictures = zip(*frames(book))
    assert alts == ("p = 0.5", "p = 0.8", "p = 1") and len(set(pictures)) == 3
    assert all(data.startswith(b"\x89PNG") and data[16:24] == bytes([0, 0, 0, 200, 0, 0, 0, 100]) for data in pictures), "2 by 1 inches at 100 dots an inch"
    assert book.slider.value == 0.8 and book.slider.description == "p" and book.pages.selected_index == 1
    assert repr(book) == "Flipbook(p = 0.5, 0.8, 1)"
    assert not plt.get_fignums(), "figures are not left open: they would be shown a second time"


def test_a_flipbook_moves_in_the_browser_and_asks_no_python():
    from ipywidgets.embed import dependency_state

    book = Flipbook(drawn, "abc", label="list")
    state = dependency_state([book])
    link = next(model["state"] for model in state.values() if model["model_name"] == "LinkModel")
    assert [link["source"][1], link["target"][1]] == ["index", "selected_index"]
    slider, pages = (state[link[end][0].removeprefix("IPY_MODEL_")] for end in ("source", "target"))
    assert (slider["model_name"], pages["model_name"]) == ("SelectionSliderModel", "StackModel")
    assert slider["state"]["_options_labels"] == ("a", "b", "c") and len(pages["state"]["children"]) == 3


def test_the_alt_text_and_the_png_of_a_picture_are_kept():
    assert frames(Flipbook(Titled, ["x", "<y>"])) == [('It says "x" & no more.', b"its own"), ('It says "<y>" & no more.', b"its own")]


@pytest.mark.parametrize(
    "draw, values, value, said",
    [
        (drawn, [], None, "needs one value or more"),
        (drawn, [0.5, 0.8], 0.7, "value must be one of 0.5, 0.8, got 0.7"),
        (lambda value: "text", [3], None, "draw must return a picture or a matplotlib figure, got 'text' for p = 3"),
    ],
)
def test_a_flipbook_says_what_is_wrong(draw, values, value, said):
    with pytest.raises(DataError, match=re.escape(said)):
        Flipbook(draw, values, value=value)
