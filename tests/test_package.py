"""The package as users install it: built from its source archive, without extras, in an empty environment."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import needs
import pytest
from nbtools import ROOT
from test_project import run, tracked

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel made from the source archive of a clean copy."""
    needs.module("build")
    source = tmp_path_factory.mktemp("source")
    for path in tracked():
        target = source / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    built = run(sys.executable, "-m", "build", "--outdir", source / "dist", source)
    assert built.returncode == 0, built.stdout[-3000:] + built.stderr[-3000:]
    return next((source / "dist").glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """The folder of programs of an environment that holds the wheel and what it requires."""
    home = tmp_path_factory.mktemp("empty")
    for command in ([sys.executable, "-m", "venv", home], [home / "bin" / "python", "-m", "pip", "install", "--quiet", wheel]):
        done = run(*command)
        assert done.returncode == 0, done.stderr[-3000:]
    return home / "bin"


def call(folder: Path, *command: str) -> subprocess.CompletedProcess:
    """Run a program of the environment away from the checkout."""
    clean = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return subprocess.run([folder / command[0], *command[1:]], cwd=folder, capture_output=True, text=True, env=clean, timeout=120)


def test_the_wheel_holds_the_packages_and_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    top = {name.partition("/")[0] for name in names}
    assert {name for name in top if not name.endswith(".dist-info")} == {"rankmetrics_nb", "rankmetrics_gui"}
    assert "rankmetrics_nb/py.typed" in names
    missing = {path.relative_to(ROOT).as_posix() for path in tracked() if path.is_relative_to(ROOT / "rankmetrics_nb")} - set(names)
    assert not missing, f"files of the package that the wheel lacks: {missing}: name them in setup.py, package_data"


def test_the_package_imports_without_extras(installed):
    done = call(installed, "python", "-c", "import rankmetrics_nb; print(rankmetrics_nb.__file__, rankmetrics_nb.AP([1, 0, 1, 0]))")
    assert done.returncode == 0, done.stderr
    assert str(installed.parent) in done.stdout
    assert "0.8333" in done.stdout


@pytest.mark.parametrize("arguments", [["--version"], ["eval"], ["explain", "AP", "1", "0", "1", "0"], ["measures"]], ids=" ".join)
def test_the_command_works_without_extras(installed, arguments):
    done = call(installed, "rankmetrics", *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.strip()


def test_the_window_names_its_extra(installed):
    done = call(installed, "rankmetrics-gui")
    assert done.returncode == 1
    assert "rankmetrics_nb[gui]" in done.stderr + done.stdout, "without PySide6 the window names the command that installs it"
    assert "Traceback" not in done.stderr
