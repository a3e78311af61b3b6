"""The widget without a kernel: traits are set as a browser sets them, and the page is read as text."""

import base64
import html
import re
import subprocess
import sys

import needs
import pytest

needs.module("anywidget", "ipywidgets", how='pip install "rankmetrics_nb[notebook]"')

from rankmetrics_nb.examples import rides  # noqa: E402
from rankmetrics_nb.measures.catalogue import MEASURES, parse  # noqa: E402
from rankmetrics_nb.relevance import DataError  # noqa: E402
from rankmetrics_nb.session import Session, shown  # noqa: E402
from rankmetrics_nb.widgets import CSS, ESM, Flipbook, RankingExplorer, Static, static_page  # noqa: E402


def send(widget, **action):
    """What the page does for a key, a click or a drag."""
    widget.set_state({"action": {**action, "count": len(widget.action) and widget.action["count"] + 1}})


def words(page: str) -> str:
    """A page as text."""
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))).strip()


def measure(widget, name: str) -> list[str]:
    """Value and change of a measure as the page shows them."""
    line = re.search(rf'<tr data-measure="{re.escape(name)}".*?</tr>', widget.html, re.S)[0]
    return [words(cell) for cell in re.findall(r'<td class="rm-number">(.*?)</td>', line)]


def test_it_shows_the_values_of_the_measures():
    widget = RankingExplorer("3 2 0 1", k=3)
    assert widget.values == {"P@3": parse("P@3")("3 2 0 1"), "AP": parse("AP")("3 2 0 1"), "RR": 1.0, "nDCG@3": parse("nDCG@3")("3 2 0 1")}
    assert measure(widget, "AP") == ["0.9167", "="] and widget.picked == "nDCG@k"


def test_typing_changes_values_and_steps():
    widget = RankingExplorer("3 2 0 1", measure="AP")
    widget.set_state({"text": "1 0 1 0"})
    assert widget.values["AP"] == pytest.approx(5 / 6) and measure(widget, "AP") == ["0.8333", "▼ −0.0833"]
    assert "AP = ( 1 / 1 + 2 / 3 ) / 2 = 0.8333" in words(widget.html)
    assert widget.text == "1 0 1 0"


@pytest.mark.parametrize("text, said", [("3 x", "'x': expected a number, R, N or ?"), ("bus:3 bus:2", "at rank 1 and at rank 2"), ("3 nan", "expected a number")])
def test_a_mistake_is_said_and_the_text_kept(text, said):
    widget = RankingExplorer("3 2 0 1")
    before = widget.html, widget.values
    widget.set_state({"text": text})
    assert said in widget.error and "last ranking that could be read" in widget.error
    assert widget.text == text and (widget.html, widget.values) == before
    send(widget, do="pick", measure="AP")
    assert widget.text == text and widget.error, "to look at another measure takes nothing away"
    widget.set_state({"text": "3 2"})
    assert widget.error == "" and widget.values["P@5"] == 0.4


def test_keys_and_drags_move_and_grade():
    widget = RankingExplorer(rides["bm25"], measures=("AP", "nDCG@k"), titles=rides.titles)
    send(widget, do="drag", row=5, to=1)
    assert measure(widget, "nDCG@k") == ["0.7358", "▲ +0.1281"] and "rm-lifted" in widget.html
    assert widget.session.lists[0][4] == "bus", "a drag is a preview"
    send(widget, do="cancel")
    assert measure(widget, "nDCG@k") == ["0.6077", "="] and "rm-lifted" not in widget.html
    send(widget, do="move", row=5, to=1)
    assert widget.text.startswith("bus:3 bike:2") and measure(widget, "nDCG@k")[0] == "0.7358"
    send(widget, do="grade", row=1, grade="?")
    assert widget.text.startswith("bus:? bike:2") and widget.session.grades.get("bus") is None
    send(widget, do="grade", row=1, grade="2")
    assert widget.session.grades["bus"] == 2
    send(widget, do="reset")
    assert measure(widget, "nDCG@k") == ["0.6077", "="] and widget.text == rides["bm25"].text


def test_the_swap_that_ap_does_not_see():
    widget = RankingExplorer(rides["bm25"], measures=("P@5", "AP", "RR", "nDCG@5"), measure="nDCG@5")
    send(widget, do="move", row=2, to=1)
    assert measure(widget, "nDCG@5") == ["0.6927", "▲ +0.0850"] and measure(widget, "AP") == ["0.6092", "="]
    assert "= 12.0314 / 17.3691 = 0.6927" in words(widget.html)
    assert "Relevant, not retrieved" in words(widget.html)


def test_a_prediction_is_asked_for_and_judged():
    widget = RankingExplorer(rides["bm25"], measures=("AP", "nDCG@5"), measure="AP")
    assert "Predict first. Swap ranks 1 and 2. What will AP do? Rise Stay Fall" in words(widget.html)
    send(widget, do="predict", guess="stay")
    assert "You were right: AP stays." in words(widget.html) and widget.text.startswith("tempo:3 bike:2")
    send(widget, do="pick", measure="nDCG@5")
    assert "You were right" not in words(widget.html)
    send(widget, do="predict", guess="rise")
    assert "Not this time: nDCG@5 falls." in words(widget.html) and widget.text.startswith("bike:2 tempo:3")
    send(widget, do="predict", guess="rise")
    assert "You were right: nDCG@5 rises." in words(widget.html)
    assert "Predict first" not in words(RankingExplorer("1").html)
    assert "Predict first" not in words(widget.static().html)


def test_a_chosen_row_offers_its_grades():
    widget = RankingExplorer("3 2 0.5")
    assert "data-grade" not in widget.html
    send(widget, do="choose", row=1)
    assert re.findall(r'data-grade="(.*?)"', widget.html) == ["0", "1", "2", "3", "?"]
    send(widget, do="choose", row=3)
    assert re.findall(r'data-grade="(.*?)"', widget.html) == ["0", "1", "2", "3", "?", "0.5"]


def test_picking_a_measure_shows_its_steps():
    widget = RankingExplorer("3 2 ? 1", measures=[measure.name for measure in MEASURES if measure.name != "IPrec"])
    for name in widget.session.measures:
        send(widget, do="pick", measure=name)
        value = widget.session.report()[name].values[0]
        assert widget.picked == name and f'rm-value">{shown(value)}<' in widget.html


def test_ids_and_titles_are_escaped():
    widget = RankingExplorer("<script>:3 a&b:1", titles={"a&b": '<img src="x">'})
    assert "<script>" not in widget.html and "<img" not in widget.html and "&lt;script&gt;" in widget.html
    widget.set_state({"text": "<b>:x"})
    assert "<b>:x" not in widget.html


@pytest.mark.parametrize("text", ["", "0", "?", "0 0 ?", "3 -1 0.5", " ".join("1" * 60)])
def test_odd_rankings_have_a_page(text):
    widget = RankingExplorer("1")
    widget.set_state({"text": text})
    assert widget.error == "" and "nan" not in words(widget.html) and widget.values["AP"] is not None


def test_what_cannot_be_had_is_said():
    widget = RankingExplorer("1", measures=("nDCG@k", "AP"))
    widget.set_state({"text": "2000 1"})
    assert "overflows" in words(widget.html) and measure(widget, "AP")[0] == "1.0000"
    with pytest.raises(DataError, match="did you mean"):
        RankingExplorer("1", measures=("ndgc",))


def test_the_static_twin_is_the_same_page_without_a_script():
    widget = RankingExplorer(Session.of(rides), measures=("AP", "nDCG@k"))
    twin = widget.static()
    assert isinstance(twin, Static) and words(re.sub("<div class=\"rm-predict\">.*?</div>", "", widget.html)) in words(twin.html)
    assert "<script" not in twin._repr_html_() and "http" not in twin._repr_html_()
    assert "tabindex" not in twin.html and "rm-static" in twin.html, "it takes no key and no drag, and does not look as if it did"
    assert repr(twin) == f"{rides['bm25'].text}: AP 0.6092, nDCG@5 0.6077"
    assert static_page(Session.of("1 0")).html == static_page(Session.of("1 0")).html


def test_a_notebook_without_widgets_gets_the_twin():
    data = RankingExplorer("3 2 0 1")._repr_mimebundle_()
    data = data[0] if isinstance(data, tuple) else data
    assert "application/vnd.jupyter.widget-view+json" in data and "rm-explorer" in data["text/html"]
    assert data["text/plain"].startswith("RankingExplorer(3 2 0 1: P@5")


def test_script_and_style_ask_nobody_for_anything():
    assert not re.search(r"https?:|@import|\burl\(|\bimport\b|fetch\(", ESM + CSS)


def test_without_style_the_page_still_reads():
    assert "nDCG@5 = ( 7 / log₂ 2 + 3 / log₂ 3 + 1 / log₂ 5 ) / 9.3928 = 9.3235 / 9.3928 = 0.9926" in words(RankingExplorer("3 2 0 1").html)


def test_without_anywidget_one_line_says_what_to_install():
    code = "import sys; sys.modules['anywidget'] = None; from rankmetrics_nb.widgets import CSS, ESM, RankingExplorer, Session, static_page; print(repr(static_page(Session.of('1 0')))); RankingExplorer('1 0')"
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
