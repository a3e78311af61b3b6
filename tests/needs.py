"""What a test needs beyond the package. A test without it is skipped, with the command that installs it."""

import importlib
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

QT = "pip install -e '.[dev]'; on Debian also apt-get install libglib2.0-0 libegl1 libgl1 libdbus-1-3 libfontconfig1 libxkbcommon0"
BROWSER = "a browser: on Debian apt-get install chromium chromium-driver"
XVFB = "a screen without a monitor: on Debian apt-get install xvfb xauth x11-utils"
DEV = "pip install -e '.[dev]'"


def missing(*modules: str) -> str | None:
    """The first of `modules` that cannot be imported, and why; None when all can."""
    for name in modules:
        try:
            importlib.import_module(name)
        except ImportError as error:
            return f"{name} ({error})"
    return None


def module(*names: str, how: str = DEV) -> None:
    """Skip the calling test, or the whole file when called at its top, where one of the modules is missing."""
    if lacks := missing(*names):
        pytest.skip(f"needs {lacks}: {how}", allow_module_level=True)


def qt() -> None:
    """Skip where no Qt window can be made."""
    module("PySide6.QtWidgets", "pytestqt", how=QT)


def program(name: str, how: str) -> str:
    """The path of a program; skips with the sentence `how` where it is missing."""
    path = shutil.which(name)
    if not path:
        pytest.skip(f"needs {name}, {how}", allow_module_level=True)
    return path


def browser() -> tuple[str, str]:
    """The paths of chromium and its driver; skips where either is missing."""
    module("selenium")
    return program("chromium", BROWSER), program("chromedriver", BROWSER)


FLAGS = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync --window-size=1000,1000".split()
FLAGS.append("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")


def chrome(profile: Path, **logs: str) -> Any:
    """A browser without a window and without the network, driven by selenium; `performance="ALL"` logs its requests. Skips where it is missing."""
    chromium, chromedriver = browser()
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in [*FLAGS, f"--user-data-dir={profile}"]:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", logs)
    return webdriver.Chrome(options=options, service=Service(chromedriver))
