"""The explorer in a real browser, served by Voila, in JupyterLab, and from a file without Python: typed, moved by key and by mouse. The browser finds no machine but this one."""

import json
import re

import needs
import pytest
from browsertools import Page, barriers, lab, run_all, voila, wait, write_notebook

pytestmark = pytest.mark.browser

ONE = """
from rankmetrics_nb.examples import rides
from rankmetrics_nb.widgets import RankingExplorer
explorer = RankingExplorer(rides["bm25"], measures=("P@k", "AP", "RR", "nDCG@k", "ERR"), titles=rides.titles)
explorer
"""
TWO = """
from rankmetrics_nb.examples import six
from rankmetrics_nb.widgets import RankingExplorer
explorer = RankingExplorer(six, ("P@k", "AP", "RR", "nDCG@k", "ERR"))
explorer
"""

KNOBS = """
import ipywidgets
from rankmetrics_nb.examples import six
from rankmetrics_nb.knobs import DCGExplorer
explorer, heard = DCGExplorer(six["A"]), ipywidgets.HTML()
def hear(change): heard.value = f"<span class='heard'>{explorer.said}</span>"
explorer.observe(hear, "at")
ipywidgets.VBox([explorer, heard])
"""
RUNS = """
from rankmetrics_nb.examples import sample
from rankmetrics_nb.explorers import RunExplorer
judgements, runs = sample()
explorer = RunExplorer(judgements, *runs, measures=["AP", "nDCG@10"])
explorer
"""
EXAM = """
from rankmetrics_nb.explorers import ExamWidget
practice = ExamWidget(seed=7, kinds=["sets"])
practice
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Notebooks, served: one with one list, one with two, one with the same explorer shown twice beside another, one with knobs shown twice, one with whole runs, one with an exam."""
    needs.module("voila", "anywidget", "ipykernel")
    folder = tmp_path_factory.mktemp("voila")
    write_notebook(folder / "one.ipynb", ONE)
    write_notebook(folder / "two.ipynb", TWO)
    write_notebook(folder / "three.ipynb", TWO, "explorer", "RankingExplorer(six, ('AP', 'nDCG@k'))")
    write_notebook(folder / "knobs.ipynb", KNOBS, "explorer")
    write_notebook(folder / "runs.ipynb", RUNS)
    write_notebook(folder / "exam.ipynb", EXAM)
    with voila(folder) as url:
        yield url


@pytest.fixture(scope="module")
def driver(tmp_path_factory):
    driver = needs.chrome(tmp_path_factory.mktemp("profile"))
    try:
        yield driver
    finally:
        driver.quit()


def _opened(driver, url: str) -> Page:
    """The page at an address, as it was at the start. No element is held: every look is a new one, since the page may draw itself anew."""
    page = Page(driver)
    if driver.current_url != url:
        driver.get(url)
        page.shows("nDCG@k", None, seconds=90)
    page.click("[data-do=pick][data-measure='nDCG@k']")
    page.click("[data-do=tab][data-tab=steps]")
    page.click(".rm-reset")
    page.shows("nDCG@k", "0.6077")
    return page


@pytest.fixture
def page(driver, address):
    return _opened(driver, address + "one.ipynb")


@pytest.fixture
def both(driver, address):
    page = _opened(driver, address + "two.ipynb")
    page.click("[data-do=side][data-list=A]")
    return page


def test_typing_changes_the_values_and_a_mistake_keeps_the_text(page):
    page.type("1 0 1 0")
    page.shows("AP", "0.8333")
    page.type("1 0 1 x")
    wait(lambda: "expected a number, R, N or ?" in page.text(".rm-error"), 20, "no message")
    assert page.script("return document.querySelector('.rm-type input').value") == "1 0 1 x" and page.value("AP") == "0.8333"


def test_keys_move_and_grade(page):
    from selenium.webdriver import Keys

    page.focus(2)
    page.keys(Keys.ALT, Keys.ARROW_UP)
    page.shows("nDCG@k", "0.6927")
    assert page.documents()[0] == "Shared tempo, Rs 20"
    wait(lambda: page.script("return document.activeElement.dataset.row") == "1", 10, "the focus does not follow")
    page.keys("0")
    wait(lambda: page.script("return document.querySelector('.rm-type input').value").startswith("tempo:0 bike:2"), 20, "not graded")
    page.script("document.querySelector(\"tr[data-row='1'] [data-grade='3']\").click()")
    page.shows("nDCG@k", "0.6927")


def test_a_drag_is_live(page):
    page.lift(5, 1)
    page.shows("nDCG@k", "0.7358")
    assert page.text("tr.rm-lifted .rm-doc") == "Sajha bus 4, Rs 25" and page.value("nDCG@k", 1) == "▲+0.1281"
    assert page.script("return !!document.querySelector(`tr[data-measure='nDCG@k'] .rm-track i`)"), "the outline says where the bar stood"
    page.drop()
    wait(lambda: page.script("return document.querySelector('.rm-type input').value").startswith("bus:3 bike:2"), 20, "not dropped")
    assert page.value("nDCG@k") == "0.7358" and page.documents()[0] == "Sajha bus 4, Rs 25"
    page.click(".rm-undo")
    page.shows("nDCG@k", "0.6077")


def test_escape_takes_a_drag_back(page):
    from selenium.webdriver import Keys

    page.lift(5, 1)
    page.shows("nDCG@k", "0.7358")
    page.keys(Keys.ESCAPE)
    page.shows("nDCG@k", "0.6077")
    page.drop()
    page.shows("nDCG@k", "0.6077")
    assert page.documents()[4] == "Sajha bus 4, Rs 25"


def test_a_click_on_a_measure_shows_its_steps(page):
    page.script("document.querySelector(\"tr[data-measure='AP']\").click()")
    wait(lambda: page.text(".rm-equation").startswith("AP"), 20, "no steps of AP")
    assert "0.6092" in page.text(".rm-equation")


def test_nothing_is_cut_off_and_one_column_on_a_narrow_page(page):
    columns = "return getComputedStyle(document.querySelector('.rm-grid')).gridTemplateColumns.split(' ').length"
    assert page.script(columns) == 2
    page.driver.set_window_size(500, 1000)
    try:
        wait(lambda: page.script(columns) == 1, 10, "still two columns")
        assert page.script("const box = document.querySelector('.rm-explorer'); return box.scrollWidth <= box.clientWidth")
    finally:
        page.driver.set_window_size(1000, 1000)


def session():
    from rankmetrics_nb.examples import six
    from rankmetrics_nb.session import Session

    return Session.of(six, measures=("P@k", "AP", "RR", "nDCG@k", "ERR"))


def values(state, name: str = "nDCG@k") -> list[str]:
    from rankmetrics_nb.session import shown

    return [shown(value) for value in state.report()[name].values]


@pytest.mark.parametrize("letter, row, to", [("A", 5, 1), ("A", 1, 6), ("B", 1, 4), ("B", 6, 1)])
def test_both_lists_are_dragged(both, letter, row, to):
    at, expected = "AB".index(letter), session().move(letter, row, to)
    both.lift(row, to, letter)
    both.shows("nDCG@k", values(expected)[at], at)
    both.holds(f"document.querySelector('.rm-measures thead').textContent.includes('{letter} since drag')")
    both.drop()
    both.holds("document.querySelector('.rm-measures thead').textContent.includes('B − A')")
    assert [both.value("nDCG@k", column) for column in (0, 1)] == values(expected)
    assert both.documents(letter) == [expected.title(doc) for doc in expected.lists[at]]
    effects = {change.doc_id: change.difference for change in expected.why("nDCG@k").rows if abs(change.difference) > 1e-12}
    drawn = both.script("return [...document.querySelectorAll('.rm-slopes text')].map(text => text.textContent).filter(text => /^[+−]/.test(text))")
    from rankmetrics_nb.session import signed

    assert sorted(drawn) == sorted(signed(effect)[1] for effect in effects.values())


def test_keys_undo_and_redo(both):
    from selenium.webdriver import Keys

    start, moved = session(), session().move("B", 2, 1).move("B", 1, 3)
    both.focus(2, "B")
    both.keys(Keys.ALT, Keys.ARROW_UP)
    for _ in range(2):  # at once: every press counts
        both.keys(Keys.ALT, Keys.ARROW_DOWN)
    both.shows("nDCG@k", values(moved)[1], 1)
    assert both.script("return document.activeElement.dataset.row") == "3", "the focus goes with the document"
    both.keys("0")
    both.shows("nDCG@k", values(moved.grade(moved.lists[1][2], 0))[1], 1)
    for _ in range(4):
        both.keys(Keys.CONTROL, "z")
    both.shows("nDCG@k", values(start)[1], 1)
    for _ in range(3):
        both.keys(Keys.CONTROL, Keys.SHIFT, "z")
    both.shows("nDCG@k", values(moved)[1], 1)


def test_a_convention_is_chosen(both):
    from selenium.webdriver import Keys

    both.script("document.querySelector('select[data-name=gain]').focus()")
    both.keys(Keys.ARROW_DOWN)
    both.shows("nDCG@k", values(session().set(gain="linear"))[0])
    both.script("const field = document.querySelector('input[data-name=k]'); field.focus(); field.select()")
    both.keys("3")
    both.keys(Keys.ENTER)
    both.shows("nDCG@k", values(session().set(gain="linear", k=3))[0])
    assert both.text("tr[data-measure='P@k'] th") == "P@3"
    both.keys("0")
    both.keys(Keys.ENTER)
    both.shows("nDCG@k", values(session().set(gain="linear", k=30))[0])


def test_the_cut_is_dragged_and_has_keys(both):
    from selenium.webdriver import Keys

    x, y = both.centre("[data-cut]")
    both.pointer((x, y), (x, y - 6), (x, y - 2 * 32), down=True)
    both.holds("document.querySelector('[data-cut]').textContent.includes('k = 3')")
    both.shows("nDCG@k", values(session().set(k=3))[0])
    both.drop()
    both.holds("document.querySelector('input[data-name=k]').value === '3'")
    both.script("document.querySelector('[data-cut]').focus()")
    both.keys(Keys.ARROW_DOWN)
    both.shows("nDCG@k", values(session().set(k=4))[0])
    both.holds("document.activeElement.matches('[data-cut]')", words="the focus is lost")
    both.keys(Keys.ARROW_DOWN)
    both.shows("nDCG@k", values(session())[0])


def test_pointing_at_a_measure_shows_its_steps(both):
    both.pointer(both.centre("tr[data-measure='ERR'] th"))
    wait(lambda: both.text(".rm-equation").startswith("ERR"), 20, "no steps of ERR")
    assert both.script("return document.querySelector('tr[data-measure].rm-chosen').dataset.measure") == "nDCG@k"
    both.pointer(both.middle(1))
    wait(lambda: both.text(".rm-equation").startswith("nDCG@5"), 20, "the steps of the picked measure do not come back")


def test_why_adds_up_and_is_copied(both):
    from rankmetrics_nb.measure import latex_table

    both.click("[data-do=tab][data-tab=why]")
    wait(lambda: both.text(".rm-sum") == "0.6077 + 0.1487 + 0.0668 − 0.0637 + 0.0456 − 0.0248 = 0.7803", 20, "no sum")
    both.driver.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
    both.click("[data-do=copy][data-form=markdown]")
    both.holds("!!document.querySelector('.rm-copied.rm-done')", words="not copied")
    copied = both.driver.execute_async_script("const done = arguments[0]; navigator.clipboard.readText().then(done, (why) => done(String(why)))")
    assert copied == session().why("nDCG@k").markdown
    both.script("Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject() }, configurable: true })")
    both.click("[data-do=copy][data-form=latex]")
    both.holds("!!document.querySelector('.rm-copied.rm-refused')", words="the refusal is not noticed")
    assert both.script("return document.getSelection().toString() || document.activeElement.value") == latex_table(*session().why("nDCG@k").table())
    both.script("delete navigator.clipboard")


def test_two_views_agree_and_two_explorers_do_not_mix(driver, address):
    page = Page(driver)
    driver.get(address + "three.ipynb")
    page.shows("nDCG@k", None, seconds=90)
    first = "return [...document.querySelectorAll('.rm-explorer')].map(el => el.querySelector(`tr[data-measure='nDCG@k'] .rm-number`)?.textContent)"
    wait(lambda: page.script(first) == ["0.6077"] * 3, 60, "three explorers")
    page.lift(5, 1)
    page.drop()
    moved = values(session().move("A", 5, 1))[0]
    wait(lambda: page.script(first) == [moved, moved, "0.6077"], 20, f"they show {page.script(first)}")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1000, 500])
def test_no_barrier_for_a_reader(both, theme, width):
    both.driver.set_window_size(width, 1000)
    both.script("document.documentElement.dataset.theme = arguments[0]", theme)
    try:
        both.click("[data-list=A] tr[data-row='2'] .rm-doc")
        assert not barriers(both.driver, ".rm-explorer")
        both.click("[data-do=tab][data-tab=why]")
        both.holds("!!document.querySelector('.rm-sum')")
        assert not barriers(both.driver, ".rm-explorer")
    finally:
        both.script("delete document.documentElement.dataset.theme")
        both.driver.set_window_size(1000, 1000)


def test_knobs_are_turned_and_python_hears_of_it(driver, address):
    from selenium.webdriver import Keys

    from rankmetrics_nb import DCG, nDCG
    from rankmetrics_nb.examples import six

    page = Page(driver)
    driver.get(address + "knobs.ipynb")
    said = "return [...document.querySelectorAll('.rm-frame [data-said]')].map((frame) => frame.dataset.said)"

    def words(k: int, gain: str) -> str:
        dcg, ndcg = (measure.set(gain=gain) @ k for measure in (DCG, nDCG))
        return f"DCG@{k} {dcg(six['A']):.4f}, nDCG@{k} {ndcg(six['A']):.4f}"

    wait(lambda: page.script(said) == [words(5, "exp2")] * 2, 90, "the knobs are not shown")
    driver.find_elements("css selector", "input[type=range]")[0].send_keys(Keys.ARROW_LEFT)
    wait(lambda: page.script(said) == [words(4, "exp2")] * 2, 20, "the views differ")
    driver.find_elements("css selector", "input[type=radio][data-knob='0']")[0].send_keys(Keys.ARROW_RIGHT)
    wait(lambda: page.script(said) == [words(4, "linear")] * 2, 20, "the views differ")
    wait(lambda: page.text(".heard") == words(4, "linear"), 20, "Python does not hear of it")
    assert not barriers(driver, ".rm-explorer")


@pytest.fixture(scope="module")
def jupyterlab(driver, tmp_path_factory):
    """JupyterLab with the two lists shown twice, and run: the address of the notebook."""
    needs.module("jupyterlab", "anywidget", "ipykernel")
    folder = tmp_path_factory.mktemp("lab")
    write_notebook(folder / "twice.ipynb", TWO, "explorer")
    with lab(folder) as url:
        driver.get(url + "twice.ipynb?reset")
        run_all(driver, cells=2)
        yield Page(driver)
        driver.get("about:blank")


FIRST = "[...document.querySelectorAll('.jp-OutputArea .rm-explorer')].map((el) => el.querySelector(`tr[data-measure='nDCG@k'] .rm-number`)?.textContent)"


def test_jupyterlab_a_drag_moves_both_views(jupyterlab):
    moved = values(session().move("A", 5, 1))[0]
    jupyterlab.lift(5, 1)
    jupyterlab.shows("nDCG@k", moved)
    assert jupyterlab.text("tr.rm-lifted .rm-doc") == "Sajha bus 4, Rs 25"
    jupyterlab.drop()
    wait(lambda: jupyterlab.script(f"return {FIRST}") == [moved, moved], 20, "the views differ")
    jupyterlab.click(".rm-reset")
    wait(lambda: jupyterlab.script(f"return {FIRST}") == values(session())[:1] * 2, 20, "not back at the start")


def test_jupyterlab_leaves_the_keys_to_the_explorer(jupyterlab):
    from selenium.webdriver import Keys

    cells = "return document.querySelectorAll('.jp-Notebook .jp-Cell').length + document.querySelectorAll('.jp-MarkdownCell').length"
    before, moved = jupyterlab.script(cells), session().move("A", 2, 1)
    jupyterlab.focus(2)
    jupyterlab.keys(Keys.ALT, Keys.ARROW_UP)
    jupyterlab.shows("nDCG@k", values(moved)[0])
    for key in "01?3":  # a digit is a heading of JupyterLab, elsewhere
        jupyterlab.keys(key)
    jupyterlab.shows("nDCG@k", values(moved)[0])
    jupyterlab.keys("2")
    jupyterlab.shows("nDCG@k", values(moved.grade(moved.lists[0][0], 2))[0])
    for _ in range(6):
        jupyterlab.keys(Keys.CONTROL, "z")
    jupyterlab.shows("nDCG@k", values(session())[0])
    assert jupyterlab.script(cells) == before, "JupyterLab took a key for its own"


STILL = """<!doctype html><meta charset="utf-8"><style>{css}</style><div id="here"></div><script type="module">
{esm}
const state = {state};
const model = {{ get: (name) => state[name], set() {{}}, save_changes() {{}}, send() {{}}, on() {{}}, off() {{}} }};
render({{ model, el: document.getElementById("here") }});
</script>"""


@pytest.fixture(scope="module")
def still(tmp_path_factory):
    """A page without Python: what a browser has of a frozen explorer. Four documents, for 24 orders."""
    needs.module("anywidget")
    from rankmetrics_nb.views import CSS
    from rankmetrics_nb.widgets import ESM, RankingExplorer

    explorer = RankingExplorer("3 2 0 1", measures=("AP", "RR", "nDCG@k"), k=3)
    explorer.freeze()
    state = json.dumps({"html": explorer.html, "frames": explorer.frames}).replace("</", "<\\/")
    path = tmp_path_factory.mktemp("still") / "page.html"
    path.write_text(STILL.format(css=CSS, esm=re.sub(r"export default.*", "", ESM), state=state), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def frozen(driver, still):
    page = Page(driver)
    driver.get(still)
    page.holds("document.querySelector('.rm-needs')?.textContent.includes('needs a kernel')")
    return page


def test_without_python_a_drag_shows_true_values(frozen):
    from rankmetrics_nb import nDCG

    def value(*grades: int) -> str:
        return f"{(nDCG @ 3)(grades):.4f}"

    frozen.shows("nDCG@k", value(3, 2, 0, 1))
    frozen.lift(4, 1)
    frozen.shows("nDCG@k", value(1, 3, 2, 0))
    assert frozen.text("tr.rm-lifted .rm-doc") == "d4"
    frozen.drop()
    assert frozen.documents() == ["d4", "d1", "d2", "d3"] and value(1, 3, 2, 0) in frozen.text(".rm-equation")
    frozen.lift(2, 4)
    frozen.shows("nDCG@k", value(1, 2, 0, 3))
    from selenium.webdriver import Keys

    frozen.keys(Keys.ESCAPE)
    frozen.shows("nDCG@k", value(1, 3, 2, 0))
    frozen.drop()
    assert value(1, 3, 2, 0) in frozen.text(".rm-said")


def test_without_python_there_are_keys_gains_guesses_and_undo(frozen):
    from selenium.webdriver import Keys

    from rankmetrics_nb import nDCG

    linear = nDCG.set(gain="linear") @ 3
    frozen.focus(1)
    frozen.keys(Keys.ALT, Keys.ARROW_DOWN)
    frozen.shows("nDCG@k", f"{(nDCG @ 3)([2, 3, 0, 1]):.4f}")
    frozen.script("document.querySelector('select[data-name=gain]').focus()")
    frozen.keys(Keys.ARROW_DOWN)
    frozen.shows("nDCG@k", f"{linear([2, 3, 0, 1]):.4f}")
    frozen.click("[data-guess=rise]")
    wait(lambda: frozen.text(".rm-predict [role=status]") == "You were right: nDCG@3 rises.", 20, "no verdict")
    frozen.shows("nDCG@k", f"{linear([3, 2, 0, 1]):.4f}")
    frozen.click("tr[data-measure='AP']")
    wait(lambda: frozen.text(".rm-equation").startswith("AP"), 20, "no steps of AP")
    frozen.focus(1)
    for _ in range(3):
        frozen.keys(Keys.CONTROL, "z")
    frozen.shows("nDCG@k", f"{(nDCG @ 3)([3, 2, 0, 1]):.4f}")
    assert frozen.script("return document.querySelector('select[data-name=gain]').value") == "exp2"
    frozen.keys("2")
    assert frozen.script("return document.querySelector('.rm-chip').textContent") == "3", "a grade needs a kernel"


def test_runs_are_sorted_filtered_and_opened_with_keys(driver, address):
    from selenium.webdriver import Keys

    from rankmetrics_nb import evaluate
    from rankmetrics_nb.examples import sample
    from rankmetrics_nb.session import shown

    judgements, runs = sample()
    first = evaluate(judgements, runs[0], "AP").per_query["AP"]
    worst = sorted(first, key=first.get)
    page = Page(driver)
    driver.get(address + "runs.ipynb")
    wait(lambda: page.text(".rm-open"), 90, "no table")
    page.script("document.querySelector('[data-column=A]').focus()")
    page.keys(Keys.ENTER)
    page.holds("!!document.querySelector('[aria-sort=descending] [data-column=A]')", words="not sorted")
    page.keys(Keys.ENTER)
    page.holds("!!document.querySelector('[aria-sort=ascending] [data-column=A]')", words="not the other way round")
    assert page.text(".rm-open") == worst[0]
    page.script("document.querySelector('[data-type=filter]').focus()")
    page.keys(worst[3])
    page.holds("document.querySelectorAll('.rm-open').length === 1", words="not filtered")
    assert not barriers(driver, ".rm-explorer")
    page.script("document.querySelector('.rm-open').focus()")
    page.keys(Keys.ENTER)
    page.holds("document.activeElement.dataset.do === 'back'", words="the focus is lost")
    assert page.script("return document.querySelectorAll(`tr[data-measure='AP'][role=row] .rm-number`)[0].textContent") == shown(first[worst[3]])
    assert not barriers(driver, ".rm-explorer")
    page.keys(Keys.ENTER)
    page.holds("document.activeElement.matches('.rm-open')", words="the focus does not come back to the query")


def test_an_exam_marks_an_answer_that_is_typed(driver, address):
    from selenium.webdriver import Keys

    from rankmetrics_nb.exam import make_exam

    value = make_exam(7, kinds=["sets"])[0].parts[0].value
    page = Page(driver)
    driver.get(address + "exam.ipynb")
    wait(lambda: page.text(".rm-asked"), 90, "no question")
    page.script("document.querySelector('[data-part=a]').focus()")
    page.keys(f"{value:.4f}")
    page.keys(Keys.ENTER)
    page.holds("!!document.querySelector('.rm-told.rm-right')", words="not marked")
    assert "1 of 3 parts right" in page.text(".rm-score") and page.script("return document.activeElement.dataset.part") == "a"
    page.click("[data-do=solve]")
    page.holds("!!document.querySelector('.rm-solution table')", words="no solution")
    assert not barriers(driver, ".rm-explorer")
