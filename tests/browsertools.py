"""A real browser for the tests and the benchmarks: notebooks served by Voila or JupyterLab on this machine, the explorer as a page shows it, barriers for a reader."""

import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import socket

import pytest

ROOT = Path(__file__).resolve().parents[1]
AXE = "axe-core@4.14.1"
NPM = "which fetches the scripts of the pages: on Debian apt-get install npm"
LAB = ("--IdentityProvider.token=", "--allow-root", "--ServerApp.disable_check_xsrf=True")


def free_port() -> int:
    with socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait(condition, seconds: float, words: str):
    """What a condition gives as soon as it is true."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.2)
    raise AssertionError(words)


def write_notebook(path: Path, *sources: str) -> None:
    cells = [dict(cell_type="code", id=f"c{at}", metadata={}, source=source, outputs=[], execution_count=None) for at, source in enumerate(sources)]
    kernel = dict(name="python3", display_name="python3", language="python")
    path.write_text(json.dumps(dict(cells=cells, metadata=dict(kernelspec=kernel), nbformat=4, nbformat_minor=5)))


@contextmanager
def _served(folder: Path, module: str, *options: str) -> Iterator[str]:
    """A server of notebooks whose kernel is this Python; its address, which ends with a slash."""
    spec = folder / "kernels" / "python3"
    spec.mkdir(parents=True, exist_ok=True)
    (spec / "kernel.json").write_text(json.dumps(dict(argv=[sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"], display_name="python3", language="python")))
    log, url = folder / f"{module}.log", f"http://127.0.0.1:{(port := free_port())}/"
    command = [sys.executable, "-m", module, f"--port={port}", "--no-browser", *options]
    with open(log, "w") as out:
        server = subprocess.Popen(command, stdout=out, stderr=out, cwd=folder, env={**os.environ, "JUPYTER_PATH": str(folder)})
    try:
        wait(lambda: _answers(url, server, log), 90, f"{module} does not answer")
        yield url
    finally:
        server.terminate()
        server.wait(20)


def _answers(url: str, server: subprocess.Popen, log: Path) -> bool:
    if server.poll() is not None:
        raise RuntimeError(log.read_text()[-2000:])
    try:
        return urllib.request.urlopen(url + "api", timeout=5).status < 500
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False


@contextmanager
def voila(folder: Path) -> Iterator[str]:
    """The notebooks of a folder as Voila shows them; the address that their names follow."""
    with _served(folder, "voila", "--Voila.ip=127.0.0.1") as url:
        yield url + "voila/render/"


@contextmanager
def lab(folder: Path, theme: str = "JupyterLab Light") -> Iterator[str]:
    """The notebooks of a folder in JupyterLab; the address that their names follow."""
    settings = folder / "settings"
    chosen = {
        "apputils-extension/themes": {"theme": theme},
        "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
        "notebook-extension/tracker": {"windowingMode": "none"},  # or what is out of sight leaves the page
    }
    for name, value in chosen.items():
        file = settings / "@jupyterlab" / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(value))
    with _served(folder, "jupyterlab", "--ip=127.0.0.1", *LAB, f"--LabApp.user_settings_dir={settings}") as url:
        yield url + "lab/tree/"


def run_all(driver, cells: int = 1, seconds: float = 120) -> None:
    """Run the cells of the notebook that is open in JupyterLab, and wait for the explorer of each."""
    from selenium.webdriver import ActionChains, Keys

    idle = "return document.querySelectorAll('.jp-Notebook .jp-CodeCell').length === arguments[0] && !!document.querySelector('[data-status=idle]')"
    focus = "const cell = document.querySelectorAll('.jp-Notebook .jp-CodeCell')[arguments[0]]; cell.click(); cell.querySelector('.cm-content').focus()"
    held = "return document.querySelectorAll('.jp-Notebook .jp-CodeCell')[arguments[0]].contains(document.activeElement)"
    pressed = "return document.querySelectorAll('.jp-Notebook .jp-CodeCell')[arguments[0]].querySelector('.jp-InputPrompt').textContent.trim() !== '[ ]:'"
    shown = "return document.querySelectorAll('.jp-Notebook .jp-CodeCell')[arguments[0]].querySelector('.rm-explorer tr[data-row]')"
    wait(lambda: driver.execute_script(idle, cells), seconds, "JupyterLab shows no notebook")
    for cell in range(cells):

        def run(at=cell):
            """JupyterLab loses a run that comes before it is connected with the kernel."""
            if driver.execute_script(pressed, at):
                return driver.execute_script(shown, at)
            driver.execute_script(focus, at)
            if driver.execute_script(held, at):
                ActionChains(driver).key_down(Keys.SHIFT).send_keys(Keys.ENTER).key_up(Keys.SHIFT).perform()
                time.sleep(1)

        wait(run, seconds, f"cell {cell + 1} shows no widget")


def barriers(driver, within: str = "html") -> list[str]:
    """What axe-core calls serious or critical in a part of the page: contrast, names, alt texts, keyboard. Skips where axe-core cannot be had."""
    sys.path.insert(0, str(ROOT / "docs"))
    import vendor

    try:
        axe = vendor.fetched(AXE, "axe.min.js")
    except OSError as why:
        pytest.skip(f"needs {AXE}, {NPM} ({why})")
    driver.execute_script(axe.read_text(encoding="utf-8"))
    found = driver.execute_async_script("axe.run(arguments[0], {resultTypes: ['violations']}).then((seen) => arguments[1](seen.violations))", within)
    return [f"{rule['id']}: {node['target']} {node['failureSummary']}" for rule in found if rule["impact"] in ("serious", "critical") for node in rule["nodes"]]


class Page:
    def __init__(self, driver):
        self.driver = driver

    def script(self, code: str, *arguments):
        return self.driver.execute_script(code, *arguments)

    def value(self, name: str, column: int = 0) -> str | None:
        cells = "document.querySelectorAll(`tr[data-measure='${arguments[0]}'] .rm-number`)"
        return self.script(f"const cell = {cells}[arguments[1]]; return cell && cell.textContent", name, column)

    def click(self, selector: str) -> None:
        """Click an element as soon as it is there."""
        self.holds("(document.querySelector(arguments[0])?.click(), !!document.querySelector(arguments[0]))", selector, words=f"no {selector}")

    def text(self, selector: str) -> str:
        return self.script("const found = document.querySelector(arguments[0]); return found ? found.innerText : ''", selector)

    def documents(self, letter: str = "A") -> list[str]:
        return self.script("return [...document.querySelectorAll(`[data-list=${arguments[0]}] tr[data-row] .rm-doc`)].map(cell => cell.textContent)", letter)

    def shows(self, name: str, value: str | None, column: int = 0, seconds: float = 20) -> None:
        def found():
            return self.value(name, column) == value if value else self.value(name, column)

        end = time.monotonic() + seconds
        while not found():
            assert time.monotonic() < end, f"{name} is {self.value(name, column)!r}, expected {value!r}"
            time.sleep(0.1)

    def holds(self, condition: str, *arguments, words: str = "") -> None:
        """Wait until some JavaScript is true."""
        wait(lambda: self.script(f"return {condition}", *arguments), 20, words or condition)

    def middle(self, row: int, letter: str = "A") -> tuple[int, int]:
        return self.centre(f"[data-list={letter}] tr[data-row='{row}'] .rm-doc")

    def centre(self, selector: str) -> tuple[int, int]:
        self.script("document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })", selector)
        spot = self.script("const box = document.querySelector(arguments[0]).getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2]", selector)
        return int(spot[0]), int(spot[1])

    def focus(self, row: int, letter: str = "A") -> None:
        self.script("document.querySelector(`[data-list=${arguments[1]}] tr[data-row='${arguments[0]}']`).focus()", row, letter)

    def pointer(self, *spots: tuple[int, int], down: bool = False, up: bool = False) -> None:
        """The mouse, moved to some spots; the button goes down at the first and up at the last."""
        from selenium.webdriver.common.actions.action_builder import ActionBuilder
        from selenium.webdriver.common.actions.mouse_button import MouseButton

        chain = ActionBuilder(self.driver)
        for at, spot in enumerate(spots):
            chain.pointer_action.move_to_location(*spot)
            if down and at == 0:
                chain.pointer_action.pointer_down(MouseButton.LEFT)
        if up:
            chain.pointer_action.pointer_up(MouseButton.LEFT)
        chain.perform()

    def lift(self, row: int, to: int, letter: str = "A") -> None:
        """Drag a document to another rank, and hold it there."""
        (x, y), (_, end) = self.middle(row, letter), self.script_middle(to, letter)
        self.pointer((x, y), (x, y + (6 if end > y else -6)), (x, end), down=True)

    def script_middle(self, row: int, letter: str) -> tuple[int, int]:
        spot = self.script("const box = document.querySelector(arguments[0]).getBoundingClientRect(); return [box.left, box.top + box.height / 2]", f"[data-list={letter}] tr[data-row='{row}'] .rm-doc")
        return int(spot[0]), int(spot[1])

    def drop(self) -> None:
        self.pointer(up=True)

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
