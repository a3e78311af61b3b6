"""The textbook as static pages: built from the outputs in the notebooks, whole, and readable without a network."""

import functools
import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import nbtools
import needs
import pytest
from nbtools import ROOT

BOOK = "pip install -e '.[dev,book]'"
NPM = "which fetches the script that draws formulas: on Debian apt-get install npm"
PLUMBING = re.compile(r"^\s*#\|\s*(hide|default_exp)\b", re.M)
# What a page loads by itself. A link (<a>) may lead anywhere.
LOADS = {("script", "src"), ("link", "href"), ("img", "src"), ("source", "src"), ("iframe", "src"), ("video", "src"), ("audio", "src"), ("object", "data"), ("embed", "src")}
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder of the pages, and what the build said."""
    needs.module("sphinx", "myst_nb", "sphinx_book_theme", how=BOOK)
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run([sys.executable, ROOT / "docs" / "site_build.py", folder], capture_output=True, text=True, encoding="utf-8", timeout=400)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return folder, done


@pytest.fixture(scope="module")
def site(built) -> Path:
    return built[0]


class Page(HTMLParser):
    """The links, the loaded files and the anchors of a page."""

    def __init__(self, path: Path):
        super().__init__()
        self.links, self.loads, self.ids = [], [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
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


def test_the_chapters_stand_in_the_order_of_their_numbers(site):
    side = re.search(r'<nav class="bd-links[^>]*>.*?</nav>', (site / "index.html").read_text(encoding="utf-8"), re.S)[0]
    assert re.findall(r'href="(\d\d_[^"#]+)\.html"', side) == chapters()
    assert {f"{name}.html" for name in chapters()} <= {link.partition("#")[0] for link in page(site / "index.html").links}


@pytest.mark.parametrize("path", nbtools.notebooks(), ids=lambda path: path.stem)
def test_a_page_shows_the_outputs_of_its_notebook_and_no_plumbing(site, path):
    text = (site / f"{path.stem}.html").read_text(encoding="utf-8")
    cells = [cell for cell in nbtools.read(path)["cells"] if cell["cell_type"] == "code" and not PLUMBING.search(nbtools.source(cell))]
    assert text.count('<div class="cell_input') == len(cells)
    assert text.count('<div class="cell_output') == sum(bool(cell["outputs"]) for cell in cells)
    assert "#| " not in re.sub(r"<code.*?</code>", "", text, flags=re.S)


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
        found += [f"{path.name}: {hit}" for hit in re.findall(r"""(?:url\(|@import)\s*["']?((?:https?:)?//[^"')\s]+)""", path.read_text(encoding="utf-8"), re.I)]
    assert not found, f"these come from another machine: {found}"


def test_formulas_have_their_script(built, site):
    pages = with_math(site)
    assert pages
    assert all(any(name.partition("?")[0] == "_static/tex-svg.js" for name in page(path).loads) for path in pages)
    needs.program("npm", NPM)
    assert (site / "_static" / "tex-svg.js").stat().st_size > 1_000_000, built[1].stdout


def test_without_npm_the_site_says_so(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    import site_build

    monkeypatch.setattr(site_build, "SCRIPT", tmp_path / "missing.js")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "Formulas are shown as TeX source: npm is missing" in site_build.mathjax()


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
def driver(site, tmp_path_factory):
    driver = needs.chrome(tmp_path_factory.mktemp("profile"), performance="ALL")
    try:
        driver.set_script_timeout(60)
        yield driver
    finally:
        driver.quit()


def requested(driver) -> list[str]:
    """The addresses that the browser asked for since the last look."""
    messages = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    return [message["params"]["request"]["url"] for message in messages if message["method"] == "Network.requestWillBeSent"]


@pytest.mark.browser
def test_a_browser_asks_for_local_files_only_and_nothing_is_clipped(site, driver):
    requested(driver)
    clipped = []
    for name in ["index", "api", "CONTRIBUTING", *chapters()]:
        driver.get((site / f"{name}.html").as_uri())
        wide = driver.execute_script("return document.documentElement.scrollWidth > innerWidth")
        pictures = driver.execute_script("return [...document.querySelectorAll('.cell_output img')].filter(i => !i.naturalWidth || i.getBoundingClientRect().right > innerWidth).length")
        clipped += [name] if wide or pictures else []
    outside = [url for url in requested(driver) if not url.startswith(("file:", "data:", "blob:", "chrome:"))]
    assert not outside, f"asked for: {outside}"
    assert not clipped, f"wider than the window, or a picture that is missing or cut: {clipped}"


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
