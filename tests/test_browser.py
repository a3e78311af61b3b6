"""The widget in a real browser, served by Voila: typed, moved by key and by mouse. The browser finds no machine but this one."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request

import needs
import pytest

pytestmark = pytest.mark.browser

PAGE = """
from rankmetrics_nb.examples import rides
from rankmetrics_nb.widgets import RankingExplorer
explorer = RankingExplorer(rides["bm25"], measures=("P@k", "AP", "RR", "nDCG@k", "ERR"), titles=rides.titles)
explorer
"""



def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The page, served."""
    needs.module("voila", "anywidget", "ipykernel")
    folder = tmp_path_factory.mktemp("voila")
    cell = dict(cell_type="code", id="a", metadata={}, source=PAGE, outputs=[], execution_count=None)
    kernel = dict(name="python3", display_name="python3", language="python")
    (folder / "page.ipynb").write_text(json.dumps(dict(cells=[cell], metadata=dict(kernelspec=kernel), nbformat=4, nbformat_minor=5)))
    spec = folder / "kernels" / "python3"
    spec.mkdir(parents=True)
    (spec / "kernel.json").write_text(json.dumps(dict(argv=[sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"], display_name="python3", language="python")))
    port = free_port()
    command = [sys.executable, "-m", "voila", str(folder / "page.ipynb"), f"--port={port}", "--no-browser", "--Voila.ip=127.0.0.1"]
    log = open(folder / "log", "w")  # noqa: SIM115
    server = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder, env={**os.environ, "JUPYTER_PATH": str(folder)})
    url = f"http://127.0.0.1:{port}/"
    try:
        _wait(lambda: _answers(url, server, folder / "log"), 90, "Voila does not answer")
        yield url
    finally:
        server.terminate()
        server.wait(20)
        log.close()


def _answers(url: str, server, log) -> bool:
    if server.poll() is not None:
        raise RuntimeError(log.read_text()[-2000:])
    try:
        return urllib.request.urlopen(url + "voila/static/style.css", timeout=5).status < 500
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False


def _wait(condition, seconds: float, words: str):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.2)
    raise AssertionError(words)


@pytest.fixture(scope="module")
def driver(address, tmp_path_factory):
    driver = needs.chrome(tmp_path_factory.mktemp("profile"))
    try:
        driver.get(address)
        yield driver
    finally:
        driver.quit()


@pytest.fixture
def page(driver):
    """The page as it was at the start. No element is held: every look is a new one, since the widget draws itself anew."""
    page = Page(driver)
    page.shows("nDCG@k", None, seconds=90)
    page.script("document.querySelector('.rm-reset').click()")
    page.shows("nDCG@k", "0.6077")
    return page


class Page:
    def __init__(self, driver):
        self.driver = driver

    def script(self, code: str, *arguments):
        return self.driver.execute_script(code, *arguments)

    def value(self, name: str) -> str | None:
        return self.script("const cell = document.querySelector(`tr[data-measure='${arguments[0]}'] .rm-number`); return cell && cell.textContent", name)

    def text(self, selector: str) -> str:
        return self.script("const found = document.querySelector(arguments[0]); return found ? found.innerText : ''", selector)

    def documents(self) -> list[str]:
        return self.script("return [...document.querySelectorAll('tr[data-row] .rm-doc')].map(cell => cell.textContent)")

    def shows(self, name: str, value: str | None, seconds: float = 20) -> None:
        _wait(lambda: self.value(name) == value if value else self.value(name), seconds, f"{name} is {self.value(name)!r}, expected {value!r}")

    def middle(self, row: int) -> tuple[int, int]:
        spot = self.script("const box = document.querySelector(`tr[data-row='${arguments[0]}'] .rm-doc`).getBoundingClientRect(); return [box.left + 40, box.top + box.height / 2]", row)
        return int(spot[0]), int(spot[1])

    def focus(self, row: int) -> None:
        self.script("document.querySelector(`tr[data-row='${arguments[0]}']`).focus()", row)

    def keys(self, *keys: str) -> None:
        from selenium.webdriver import ActionChains

        chain = ActionChains(self.driver)
        *held, last = keys
        for key in held:
            chain.key_down(key)
        chain.send_keys(last)
        for key in held:
            chain.key_up(key)
        chain.perform()

    def type(self, text: str) -> None:
        self.script("const field = document.querySelector('.rm-type input'); field.focus(); field.select()")
        from selenium.webdriver import ActionChains

        ActionChains(self.driver).send_keys(text).perform()


def test_typing_changes_the_values_and_a_mistake_keeps_the_text(page):
    page.type("1 0 1 0")
    page.shows("AP", "0.8333")
    page.type("1 0 1 x")
    _wait(lambda: "expected a number, R, N or ?" in page.text(".rm-error"), 20, "no message")
    assert page.script("return document.querySelector('.rm-type input').value") == "1 0 1 x" and page.value("AP") == "0.8333"


def test_keys_move_and_grade(page):
    from selenium.webdriver import Keys

    page.focus(2)
    page.keys(Keys.ALT, Keys.ARROW_UP)
    page.shows("nDCG@k", "0.6927")
    assert page.documents()[0] == "Shared tempo, Rs 20"
    _wait(lambda: page.script("return document.activeElement.dataset.row") == "1", 10, "the focus does not follow")
    page.keys("0")
    _wait(lambda: page.script("return document.querySelector('.rm-type input').value").startswith("tempo:0 bike:2"), 20, "not graded")
    page.script("document.querySelector(\"tr[data-row='1'] [data-grade='3']\").click()")
    page.shows("nDCG@k", "0.6927")


def test_a_drag_is_live(page):
    from selenium.webdriver.common.actions.action_builder import ActionBuilder
    from selenium.webdriver.common.actions.mouse_button import MouseButton

    (x, y), (_, top) = page.middle(5), page.middle(1)
    chain = ActionBuilder(page.driver)
    chain.pointer_action.move_to_location(x, y).pointer_down(MouseButton.LEFT).move_to_location(x, y - 20).move_to_location(x, top)
    chain.perform()
    page.shows("nDCG@k", "0.7358")
    assert page.text("tr.rm-lifted .rm-doc") == "Sajha bus 4, Rs 25"
    up = ActionBuilder(page.driver)
    up.pointer_action.pointer_up(MouseButton.LEFT)
    up.perform()
    _wait(lambda: page.script("return document.querySelector('.rm-type input').value").startswith("bus:3 bike:2"), 20, "not dropped")
    assert page.value("nDCG@k") == "0.7358" and page.documents()[0] == "Sajha bus 4, Rs 25"


def test_escape_takes_a_drag_back(page):
    from selenium.webdriver import Keys
    from selenium.webdriver.common.actions.action_builder import ActionBuilder
    from selenium.webdriver.common.actions.mouse_button import MouseButton

    page.focus(5)
    (x, y), (_, top) = page.middle(5), page.middle(1)
    chain = ActionBuilder(page.driver)
    chain.pointer_action.move_to_location(x, y).pointer_down(MouseButton.LEFT).move_to_location(x, y - 20).move_to_location(x, top)
    chain.perform()
    page.shows("nDCG@k", "0.7358")
    keys = ActionBuilder(page.driver)
    keys.key_action.key_down(Keys.ESCAPE).key_up(Keys.ESCAPE)
    keys.pointer_action.pause(0.1).pointer_up(MouseButton.LEFT)
    keys.perform()
    page.shows("nDCG@k", "0.6077")
    assert page.documents()[4] == "Sajha bus 4, Rs 25"


def test_a_click_on_a_measure_shows_its_steps(page):
    page.script("document.querySelector(\"tr[data-measure='AP']\").click()")
    _wait(lambda: page.text(".rm-equation").startswith("AP"), 20, "no steps of AP")
    assert "0.6092" in page.text(".rm-equation")


def test_nothing_is_cut_off_and_one_column_on_a_narrow_page(page):
    columns = "return getComputedStyle(document.querySelector('.rm-grid')).gridTemplateColumns.split(' ').length"
    assert page.script(columns) == 2
    page.driver.set_window_size(500, 1000)
    try:
        _wait(lambda: page.script(columns) == 1, 10, "still two columns")
        assert page.script("const box = document.querySelector('.rm-explorer'); return box.scrollWidth <= box.clientWidth")
    finally:
        page.driver.set_window_size(1000, 1000)
