"""The textbook as static pages: built from the outputs in the notebooks, whole, and readable without a network."""

import base64
import functools
import http.server
import itertools
import json
import re
import subprocess
import sys
import threading
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import nbtools
import needs
import pytest
from browsertools import NPM, barriers
from browsertools import Page as Explorer
from nbtools import ROOT

BOOK = "pip install -e '.[dev,book]'"
FIRST_CHAPTERS = [
    "00_relevance",
    "20_measures.set_based",
    "22_measures.cutoffs",
    "24_measures.pr_curve",
    "26_measures.average_precision",
    "28_measures.first_hit",
    "30_measures.dcg",
    "32_measures.user_models",
]
LOOKED_AT = ["index", "22_measures.cutoffs", "26_measures.average_precision", "30_measures.dcg", "69_knobs", "70_widgets", "api"]
# Explorers whose pages were all drawn beforehand.
ALIVE = {"10_hits": 1, "20_measures.set_based": 1, "22_measures.cutoffs": 1, "26_measures.average_precision": 1, "30_measures.dcg": 1,
         "32_measures.user_models": 1, "34_measures.roc": 1, "69_knobs": 6, "70_widgets": 1}
PLUMBING = re.compile(r"^\s*#\|\s*(hide|default_exp)\b", re.M)
# What a page loads by itself. A link (<a>) may lead anywhere.
LOADS = {("script", "src"), ("link", "href"), ("img", "src"), ("source", "src"), ("iframe", "src"), ("video", "src"), ("audio", "src"), ("object", "data"), ("embed", "src")}
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder of the pages, and what the build said."""
    needs.module("sphinx", "myst_nb", "sphinx_book_theme", "ipywidgets", "execnb", how=BOOK)
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run([sys.executable, ROOT / "docs" / "site_build.py", folder], capture_output=True, text=True, encoding="utf-8", timeout=1200)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return folder, done


@pytest.fixture(scope="module")
def site(built) -> Path:
    return built[0]


@pytest.fixture
def docs(monkeypatch):
    """The modules that build the pages can be imported."""
    needs.module("execnb", how=BOOK)
    monkeypatch.syspath_prepend(str(ROOT / "docs"))


class Page(HTMLParser):
    """The links, the loaded files, the anchors and the images of a page."""

    def __init__(self, path: Path):
        super().__init__()
        self.links, self.loads, self.ids, self.images = [], [], set(), []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        if tag == "img":
            self.images.append(dict(attrs))
        for key, value in attrs:
            if (tag, key) in LOADS and not (tag == "link" and dict(attrs).get("rel") in ("next", "prev", "index", "search", "author")):
                self.loads.append(value or "")
            if key in ("href", "src") and value:
                self.links.append(value)
            if key in ("id", "name") and value:
                self.ids.add(value)


page = functools.cache(Page)


def chapters() -> list[str]:
    return [path.stem for path in nbtools.notebooks() if path.stem != "index"]


def with_math(site: Path) -> list[Path]:
    return [path for path in sorted(site.glob("*.html")) if re.search(r'class="math\b', path.read_text(encoding="utf-8"))]


def test_the_build_warns_of_nothing(built):
    assert not built[1].stderr, f"mend what Sphinx warns of:\n{built[1].stderr[-3000:]}"


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def side_bar(site: Path) -> str:
    return re.search(r'<nav class="bd-links[^>]*>.*?</nav>', text_of(site / "index.html"), re.S)[0]


def test_the_side_bar_has_every_page_once_in_parts(site):
    side = side_bar(site)
    assert re.findall(r'<span class="caption-text">(.*?)</span>', side) == ["The book", "Tools for your data", "How it works", "Reference", "The project"]
    names = re.findall(r'href="([^"#]+)\.html"', side)
    assert names[:8] == FIRST_CHAPTERS
    assert sorted(name for name in names if name[0].isdigit()) == chapters()
    assert len(names) == len(set(names)) and {f"{name}.html" for name in names} == {path.name for path in site.glob("*.html")} - {"index.html", "search.html"}


def test_previous_and_next_follow_the_side_bar(site):
    names = ["index", *re.findall(r'href="([^"#]+)\.html"', side_bar(site))]
    for here, after in itertools.pairwise(names):
        assert re.search(rf'<link rel="next" title="[^"]+" href="{after}.html"', text_of(site / f"{here}.html"))
        assert re.search(rf'<link rel="prev" title="[^"]+" href="{here}.html"', text_of(site / f"{after}.html"))


def shown_cells(path: Path) -> list[dict]:
    """The code cells of a notebook that are no plumbing."""
    return [cell for cell in nbtools.read(path)["cells"] if cell["cell_type"] == "code" and not PLUMBING.search(nbtools.source(cell))]


@pytest.mark.parametrize("path", nbtools.notebooks(), ids=lambda path: path.stem)
def test_a_page_shows_the_cells_and_outputs_of_its_notebook_and_no_plumbing(site, path):
    text, cells = text_of(site / f"{path.stem}.html"), shown_cells(path)
    assert text.count('<div class="cell_input') == len(cells)
    assert text.count('<div class="cell_output') == sum(bool(cell["outputs"]) for cell in cells)
    assert "#| " not in re.sub(r"<code.*?</code>", "", text, flags=re.S)


@pytest.mark.parametrize("path", nbtools.notebooks(), ids=lambda path: path.stem)
def test_solutions_and_the_code_of_the_package_are_folded(site, path):
    text, sources = text_of(site / f"{path.stem}.html"), [nbtools.source(cell) for cell in shown_cells(path)]
    solutions = [source.split()[2] for source in sources if source.startswith("# Solution ")]
    assert re.findall(r'<p class="collapsed admonition-title">Solution (\d+), by code</p>', text) == solutions
    assert text.count('<p class="collapsed admonition-title">Show code</p>') == sum(bool(re.match(r"#\|\s*export\b", source)) for source in sources)
    assert text.count('<details class="admonition hide') == text.count('<p class="collapsed admonition-title">')


@pytest.mark.parametrize("path", nbtools.notebooks(), ids=lambda path: path.stem)
def test_a_page_offers_its_notebook_as_it_is_committed(site, path):
    assert f"_sources/{path.name}" in page(site / f"{path.stem}.html").links
    assert (site / "_sources" / path.name).read_bytes() == path.read_bytes()


def test_every_picture_has_a_text_that_says_what_it_shows(site):
    images = [(path.name, image) for path in sorted(site.glob("*.html")) for image in page(path).images]
    wrong = [f"{name}: {image}" for name, image in images if len(image.get("alt") or "") < 10 or re.match(r"<|Figure\(|_static|.*\.png$", image["alt"])]
    assert len(images) > 20 and not wrong, f"give these pictures a text: {wrong}"


def test_the_pictures_of_a_page_are_those_of_its_notebook(site):
    for path in nbtools.notebooks():
        pictures = [out["data"]["image/png"] for cell in shown_cells(path) for out in cell["outputs"] if "image/png" in out.get("data", {})]
        files = [(site / image["src"]).read_bytes() for image in page(site / f"{path.stem}.html").images if "picture" in image.get("class", "")]
        assert files == [base64.b64decode("".join(png)) for png in pictures]


def widgets_of(path: Path) -> list[str]:
    """The text of each widget that a notebook shows."""
    return ["".join(out["data"]["text/plain"]) for cell in shown_cells(path) for out in cell["outputs"] if nbtools.WIDGET in out.get("data", {})]


@pytest.mark.parametrize("path", nbtools.notebooks(), ids=lambda path: path.stem)
def test_a_widget_is_alive_or_says_that_it_is_not(site, path):
    needs.program("npm", NPM)
    text, widgets = text_of(site / f"{path.stem}.html"), widgets_of(path)
    flipbooks = [widget for widget in widgets if widget.startswith("Flipbook(")]
    shown = [json.loads(view)["model_id"] for view in re.findall(r'<script type="application/vnd.jupyter.widget-view\+json">(.*?)</script>', text, re.S)]
    state = [json.loads(state)["state"] for state in re.findall(r'<script type="application/vnd.jupyter.widget-state\+json">(.*?)</script>', text, re.S)]
    assert len(shown) == len(flipbooks) and len(state) == bool(flipbooks)
    assert all(state[0][name]["model_name"] == "VBoxModel" for name in shown)
    alive = text.count('class="rm-live"')
    assert alive == ALIVE.get(path.stem, 0)
    assert text.count('class="needs-kernel"') == len(widgets) - len(flipbooks) - alive
    assert ("_static/embed.js" in text) == bool(flipbooks), "the script for widgets is large: only where there are any"


def test_links_inside_the_site_resolve(site):
    broken = []
    for path in sorted(site.glob("*.html")):
        for link in page(path).links:
            name, _, anchor = unquote(link.partition("?")[0]).partition("#")
            if re.match(r"\w+:|//", link):
                continue
            target = path.parent / name if name else path
            if not target.exists() or (anchor and target.suffix == ".html" and anchor not in page(target).ids):
                broken.append(f"{path.name}: {link}")
    assert not broken, f"links that lead nowhere: {broken}"


def test_pages_load_nothing_from_elsewhere(site):
    outside = re.compile(r"(?:https?:)?//", re.I)
    found = [f"{path.name}: {name}" for path in sorted(site.glob("*.html")) for name in page(path).loads if outside.match(name)]
    for path in [*site.glob("*.html"), *site.rglob("*.css")]:
        found += [f"{path.name}: {hit}" for hit in re.findall(r"""(?:url\(|@import)\s*["']?((?:https?:)?//[^"')\s]+)""", text_of(path), re.I)]
    assert not found, f"these come from another machine: {found}"


def test_formulas_have_their_script(built, site):
    pages = with_math(site)
    assert pages
    assert all(any(name.partition("?")[0] == "_static/tex-svg.js" for name in page(path).loads) for path in pages)
    needs.program("npm", NPM)
    assert (site / "_static" / "tex-svg.js").stat().st_size > 1_000_000, built[1].stdout


def test_without_npm_the_site_says_so(docs, monkeypatch, tmp_path):
    import vendor

    monkeypatch.setattr(vendor, "KEPT", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(OSError, match="npm is missing"):
        vendor.copy(tmp_path)


def test_a_page_that_cannot_be_made_ends_the_build(docs, monkeypatch, tmp_path):
    import site_build

    (tmp_path / "broken_page.py").write_text("def pages(): return {'x': 1 / 0}")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(site_build, "REFERENCE", ("broken_page",))
    with pytest.raises(ZeroDivisionError):
        site_build.build(tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_notebook_without_a_part_is_named(docs, monkeypatch, tmp_path):
    import prepare

    (tmp_path / "99_lost.ipynb").write_text("{}")
    monkeypatch.setattr(prepare, "NBS", tmp_path)
    with pytest.raises(ValueError, match="99_lost: name its part"):
        prepare.reading_order()


def test_a_widget_that_needs_a_kernel_gives_way_to_its_twin(docs, tmp_path):
    import prepare

    widget = {"outputs": [{"output_type": "display_data", "metadata": {}, "data": {nbtools.WIDGET: {"model_id": "x"}, "text/html": "<b>twin</b>", "text/plain": "Explorer()"}}]}
    line, twin = prepare._no_kernel(widget, {"outputs": [{"data": {"text/plain": "5"}}]})
    assert "Drag in Jupyter: this explorer needs a kernel" in line["data"]["text/html"] and twin["data"] == {"text/html": "<b>twin</b>"}
    assert prepare._no_kernel(widget, {"outputs": [{"data": {"image/png": ""}}]}) == [line], "the next cell shows the twin"


def test_a_folder_with_other_things_is_left_alone(tmp_path):
    needs.module("sphinx", how=BOOK)
    (tmp_path / "letter.txt").write_text("keep me")
    done = subprocess.run([sys.executable, ROOT / "docs" / "site_build.py", tmp_path], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "name a new folder" in done.stderr
    assert (tmp_path / "letter.txt").exists()


def test_every_public_name_is_on_its_page(site):
    import rankmetrics_nb

    text = (site / "api.html").read_text(encoding="utf-8")
    missing = [name for name in rankmetrics_nb.__all__ if not re.search(rf">{re.escape(name)}<", text)]
    assert not missing, f"not in the page of public names: {missing}"


@pytest.fixture(scope="module")
def address(site):
    """The site as a server gives it."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *words):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def driver(site, tmp_path_factory):
    driver = needs.chrome(tmp_path_factory.mktemp("profile"), performance="ALL", browser="ALL")
    try:
        driver.set_script_timeout(120)
        yield driver
    finally:
        driver.quit()


def network(driver) -> list[tuple[str, dict]]:
    """What happened on the network since the last look."""
    messages = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    return [(message["method"], message["params"]) for message in messages]


def all_pages(site: Path) -> list[str]:
    return [path.stem for path in sorted(site.glob("*.html"))]


def with_flipbooks(site: Path) -> list[str]:
    return [name for name in all_pages(site) if "widget-view+json" in text_of(site / f"{name}.html")]


@pytest.mark.browser
def test_a_browser_asks_this_server_only_and_gets_everything(site, address, driver):
    driver.get(f"{address}/index.html")
    network(driver)  # what a browser does when it starts is not this site's
    asked, wrong = [], []
    for name in all_pages(site):
        driver.get(f"{address}/{name}.html")
        if name in with_flipbooks(site):
            wait_for(driver, "return document.querySelector('.rm-flipbook img')")
        wait_for_explorers(driver)
        for method, what in network(driver):
            if method == "Network.requestWillBeSent":
                asked.append(what["request"]["url"])
            if method == "Network.loadingFailed" and not what.get("canceled"):
                wrong.append(f"{name}: {what}")
            if method == "Network.responseReceived" and what["response"]["status"] >= 400:
                wrong.append(f"{name}: {what['response']['url']}")
    outside = [url for url in asked if not url.startswith((address, "data:", "blob:", "chrome:"))]
    assert len(asked) > len(all_pages(site)) and not outside, f"asked for: {outside}"
    assert not wrong, f"not there: {wrong}"


@pytest.mark.browser
@pytest.mark.parametrize("width", [400, 1280])
def test_a_page_fits_its_window(site, driver, width):
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600})
    too_wide, broken = [], []
    for name in all_pages(site):
        driver.get((site / f"{name}.html").as_uri())
        if name in with_flipbooks(site):
            wait_for(driver, "return document.querySelector('.rm-flipbook img')")
        if driver.execute_script("scrollTo(1e4, 0); return Math.max(scrollX, document.documentElement.scrollWidth - innerWidth) > 0"):
            too_wide.append(name)
        broken += driver.execute_script(CUT_OFF, name)
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert not too_wide, f"these pages scroll sideways: {too_wide}"
    assert not broken, f"a picture that is missing, or something wide that does not scroll by itself: {broken}"


# Pictures that did not load, and what sticks out of its parent where nothing lets the reader scroll to it.
CUT_OFF = """
const name = arguments[0], wrong = [], scrolls = (e) => /auto|scroll/.test(getComputedStyle(e).overflowX);
for (const e of document.querySelectorAll('.bd-article img')) if (!e.naturalWidth) wrong.push(`${name}: ${e.alt}`);
for (const e of document.querySelectorAll('.bd-article :is(img, table, pre, mjx-container, .rm-explorer, .rm-flipbook)')) {
  if (e.getBoundingClientRect().right <= document.querySelector('.bd-article').getBoundingClientRect().right + 1 || !e.checkVisibility()) continue;
  let at = e; while (at && !scrolls(at)) at = at.parentElement;
  if (!at || !document.querySelector('.bd-article').contains(at)) wrong.push(`${name}: ${e.outerHTML.slice(0, 80)}`);
}
return wrong;"""


def wait_for(driver, script: str):
    from selenium.webdriver.support.ui import WebDriverWait

    return WebDriverWait(driver, 30).until(lambda driver: driver.execute_script(script))


def wait_for_explorers(driver) -> int:
    """The number of explorers on a page, all of them drawn by their script."""
    wait_for(driver, "return [...document.querySelectorAll('.rm-live')].every((place) => place.querySelector('.rm-explorer:not(.rm-static)')?.querySelector('.rm-needs, .rm-frame [data-said]'))")
    return driver.execute_script("return document.querySelectorAll('.rm-live').length")


@pytest.fixture(params=["a file", "a server"])
def start(request, site, address) -> str:
    """Where the pages are: opened as files, where a browser loads no module, or served."""
    return site.as_uri() if request.param == "a file" else address


@pytest.mark.browser
def test_an_explorer_of_a_chapter_is_dragged_without_a_kernel(start, driver):
    from selenium.webdriver.common.keys import Keys

    from rankmetrics_nb import P, R
    from rankmetrics_nb.examples import six
    from rankmetrics_nb.session import Session

    driver.get(f"{start}/22_measures.cutoffs.html")
    network(driver)
    assert wait_for_explorers(driver) == 1
    explorer, session = Explorer(driver), Session.of(six["A"], k=5)

    def agrees(now: Session) -> None:
        for name, measure in (("P@k", P @ 5), ("R@k", R @ 5)):
            explorer.shows(name, f"{measure(now.ranking('A')):.4f}")

    agrees(session)
    explorer.lift(6, 1)  # the SUV pushes the bus over the line
    moved = session.move("A", 6, 1)
    agrees(moved)
    explorer.drop()
    agrees(moved)
    assert explorer.documents()[0] == six.titles["SUV"]
    explorer.focus(6)
    explorer.keys(Keys.ALT, Keys.ARROW_UP)
    agrees(moved.move("A", 6, 5))
    for _ in range(2):
        explorer.keys(Keys.CONTROL, "z")
    agrees(session)
    assert not [what for method, what in network(driver) if method == "Network.requestWillBeSent" and not what["request"]["url"].startswith("data:")]


@pytest.mark.browser
def test_knobs_are_turned_without_a_kernel(start, driver):
    from selenium.webdriver.common.keys import Keys

    driver.get(f"{start}/69_knobs.html")
    assert wait_for_explorers(driver) == 6
    said = "return [...document.querySelectorAll('.rm-live [data-said]')].map((frame) => frame.dataset.said)"
    before = driver.execute_script(said)
    number, ap, *_ = driver.find_elements("css selector", ".rm-live")
    number.find_element("css selector", "input").send_keys(Keys.ARROW_RIGHT)
    ap.find_elements("css selector", "input[type=checkbox]")[5].send_keys(Keys.SPACE)
    assert driver.execute_script(said) == ["16", f"AP {(1 + 1 + 3 / 6) / 3:.4f}", *before[2:]], "each has its own knobs"
    ap.find_elements("css selector", "input[type=radio]")[0].send_keys(Keys.ARROW_RIGHT)
    assert driver.execute_script(said)[1] == f"AP {(1 + 1 + 3 / 6) / 4:.4f}"
    ap.find_elements("css selector", "[data-guess]")[2].click()
    assert ap.find_element("css selector", ".rm-verdict").text.startswith("Right. AP falls: 1.0000 before, 0.8333 after.")
    assert number.find_element("css selector", "output").text == number.find_element("css selector", "input").get_attribute("aria-valuetext") == "4"
    assert not [entry for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]


@pytest.mark.parametrize("name", ALIVE)
def test_without_scripts_an_explorer_is_its_twin(site, name):
    for place in re.findall(r'<div class="rm-live".*?<script', text_of(site / f"{name}.html"), re.S):
        assert "rm-static" in place and "<input" not in place and "<style" not in place


@pytest.mark.browser
def test_a_flipbook_is_turned_with_the_keyboard(site, driver):
    from selenium.webdriver.common.keys import Keys

    needs.program("npm", NPM)
    assert with_flipbooks(site)
    for name in with_flipbooks(site):
        driver.get((site / f"{name}.html").as_uri())
        count = wait_for(driver, "const books = document.querySelectorAll('.rm-flipbook'); return [...books].every((book) => book.querySelector('img')) && books.length")
        for at in range(count):
            book = f"document.querySelectorAll('.rm-flipbook')[{at}]"
            handle = f"{book}.querySelector('.noUi-handle')"
            state = f"return [{book}.querySelector('img').src, {handle}.getAttribute('aria-valuetext'), {book}.querySelector('.widget-readout').textContent]"
            wait_for(driver, f"return {handle}.getAttribute('aria-label')")
            before = driver.execute_script(state)
            last = driver.execute_script(f"return {handle}.getAttribute('aria-valuenow') === {handle}.getAttribute('aria-valuemax')")
            driver.execute_script(f"{handle}.focus()")
            driver.switch_to.active_element.send_keys(Keys.ARROW_LEFT if last else Keys.ARROW_RIGHT)
            wait_for(driver, f"return {book}.querySelector('img').src !== {json.dumps(before[0])}")
            after = driver.execute_script(state)
            assert after[1] == after[2] != before[2], "the name of the value is what a screen reader says"
            assert driver.execute_script(f"return {book}.querySelector('img').alt").strip()
    assert not [entry for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]


@pytest.mark.browser
def test_a_browser_draws_the_formulas(site, driver):
    needs.program("npm", NPM)
    for path in with_math(site):
        driver.get(path.as_uri())
        drawn, wrong, left = driver.execute_async_script(
            "const done = arguments[0]; MathJax.startup.promise.then(() => done(["
            "document.querySelectorAll('mjx-container').length, "
            "[...document.querySelectorAll('[data-mml-node=merror]')].map(e => e.getAttribute('title')), "
            "[...document.querySelectorAll('.math')].filter(e => !e.querySelector('mjx-container')).length]))"
        )
        assert drawn and not wrong and not left, f"{path.name}: {drawn} formulas drawn, {left} not, errors: {wrong}"


@pytest.mark.browser
def test_the_search_finds_a_measure(site, driver):
    from selenium.webdriver.support.ui import WebDriverWait

    driver.get((site / "search.html").as_uri() + "?q=nDCG")
    WebDriverWait(driver, 20).until(lambda driver: driver.execute_script("return document.querySelectorAll('#search-results li a').length") > 3)


@pytest.fixture
def narrow(driver):
    """A window as wide as a telephone."""
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 400, "height": 900, "deviceScaleFactor": 1, "mobile": True})
    yield driver
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.browser
def test_no_barrier_in_a_narrow_window(site, narrow, docs):
    narrow.get((site / "30_measures.dcg.html").as_uri())
    wait_for(narrow, "return document.querySelector('.noUi-handle[aria-label]')")
    wait_for_explorers(narrow)
    assert not barriers(narrow), "mend these barriers"


@pytest.mark.browser
@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("name", LOOKED_AT)
def test_no_barrier_for_a_reader(site, driver, docs, name, mode):
    """What axe-core calls serious or critical: contrast, names, alt texts, keyboard."""
    driver.get((site / f"{name}.html").as_uri())
    driver.execute_script("localStorage.setItem('mode', arguments[0]); localStorage.setItem('theme', arguments[0])", mode)
    driver.refresh()
    if name in with_flipbooks(site):
        wait_for(driver, "return document.querySelector('.noUi-handle[aria-label]')")
    wait_for_explorers(driver)
    driver.execute_script("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
    assert not barriers(driver), "mend these barriers"
