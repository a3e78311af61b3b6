"""Every notebook runs, shows what was committed, and runs again on the exported modules."""

import shutil

import nbtools
import needs
import pytest

needs.module("nbdev", "execnb")

NOTEBOOKS = nbtools.notebooks()


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """The notebooks in a folder of their own: whatever they write stays out of the checkout."""
    root = tmp_path_factory.mktemp("checkout")
    shutil.copy(nbtools.ROOT / "settings.ini", root)
    shutil.copytree(nbtools.NBS, root / "nbs")
    return root / "nbs"


@pytest.fixture
def folder(copied, monkeypatch):
    """The folder that a notebook runs in, with the settings of a fresh process."""
    import numpy as np

    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    with np.printoptions(), np.errstate():
        yield copied


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_fresh_run_shows_what_was_committed(path, folder):
    cells = nbtools.read(path)["cells"]
    for number, (cell, outputs) in enumerate(zip(cells, nbtools.execute(cells, folder), strict=True)):
        if nbtools.is_run(cell):
            assert nbtools.seen(outputs) == nbtools.seen(cell["outputs"]), (
                f"{path.name}, cell {number} (id {cell['id']}) shows something else than committed: run `make notebooks`, read the outputs, commit them"
            )


@pytest.mark.parametrize("path", [path for path in NOTEBOOKS if nbtools.module_of(path)], ids=lambda path: path.stem)
def test_the_chapter_holds_for_the_exported_module(path, folder):
    """The cells that are exported give way to the module, so the chapter's examples exercise what users import."""
    cells = nbtools.read(path)["cells"]
    load = f'import importlib\nglobals().update({{k: v for k, v in vars(importlib.import_module("rankmetrics_nb.{nbtools.module_of(path)}")).items() if not k.startswith("__")}})'
    for cell in cells:
        if cell["cell_type"] == "code" and nbtools.EXPORTED.search(nbtools.source(cell)):
            cell["source"], load = load, ""
    nbtools.execute(cells, folder)
