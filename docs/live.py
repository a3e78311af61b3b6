"""Widgets that stay alive on a page. Committed notebooks hold no state of a widget, so their notebooks run again: python docs/live.py NOTEBOOK"""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "build" / "book"
sys.path.insert(0, str(ROOT / "tests"))
from nbtools import WIDGET, execute, read  # noqa: E402

TIMEOUT = 600
MOST_MEASURES = 5  # of a ranking whose pages are all drawn: more take long to draw and to load
# The text of the plain widgets that need no Python once they are drawn.
PLAIN = "Flipbook("
NOTHING: dict[str, dict] = {"views": {}, "alive": {}, "state": {}}


def live(notebooks: list[Path]) -> dict[str, dict]:
    """What the pages of these notebooks need, by name: by cell the `views`, ids of plain widgets, and `alive`, what a widget of ours is drawn from; the `state` of the plain ones."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(_live, notebooks)
        return {path.stem: state for path, state in zip(notebooks, found, strict=True)}


def _live(path: Path) -> dict:
    """The state from a process of its own, kept until the notebook or the package changes."""
    if not any(_shown(cell.get("outputs", [])) for cell in read(path)["cells"]):
        return NOTHING
    kept = KEPT / f"{path.stem}-{_fingerprint(path)}.json"
    if not kept.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        for old in KEPT.glob(f"{path.stem}-*.json"):
            old.unlink()
        environment = os.environ | {"MPLBACKEND": "module://matplotlib_inline.backend_inline"}
        done = subprocess.run([sys.executable, __file__, path], capture_output=True, text=True, encoding="utf-8", timeout=TIMEOUT, env=environment)
        if done.returncode:
            raise RuntimeError(f"{path.name} has widgets but does not run:\n{done.stderr[-3000:]}")
        kept.write_text(done.stdout.splitlines()[-1], encoding="utf-8")
    return json.loads(kept.read_text(encoding="utf-8"))


def _fingerprint(path: Path) -> str:
    files = [path, Path(__file__), *sorted(file for file in (ROOT / "rankmetrics_nb").rglob("*") if file.is_file() and file.suffix != ".pyc")]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def run(path: Path) -> dict:
    """Run a notebook in this process and keep what its live widgets need."""
    from ipywidgets import Widget

    cells = read(path)["cells"]
    shown = {cell["id"]: _shown(outputs) for cell, outputs in zip(cells, execute(cells, path.parent), strict=True)}
    for names in shown.values():
        _freeze(name for name, _ in names)
    state = Widget.get_manager_state(drop_defaults=True)["state"]
    views = {cell: [name for name, text in names if text.startswith(PLAIN)] for cell, names in shown.items()}
    alive = {cell: [_drawn_from(name, state[name]["state"]) for name, _ in names if state[name]["state"].get("frames")] for cell, names in shown.items()}
    # A page has the scripts of the plain widgets only; ours are drawn by docs/static/live.js.
    plain = {name: model for name, model in state.items() if model["model_module"].startswith("@jupyter-widgets/")}
    return {"views": _filled(views), "alive": _filled(alive), "state": plain if _filled(views) else {}}


def _filled(of_cells: dict[str, list]) -> dict[str, list]:
    return {cell: found for cell, found in of_cells.items() if found}


def _shown(outputs: list[dict]) -> list[tuple[str, str]]:
    """The widgets among some outputs: id and text."""
    return [(out["data"][WIDGET]["model_id"], "".join(out["data"].get("text/plain", ""))) for out in outputs if WIDGET in out.get("data", {})]


def _freeze(names: Iterable[str]) -> None:
    """Draw all pages of the rankings that are small enough for a page."""
    from ipywidgets.widgets import widget

    from rankmetrics_nb.views import MOST_FROZEN

    for name in names:
        explorer = widget._instances[name]
        # The notebook of the class has one of its own, so that isinstance would not know it.
        if hasattr(explorer, "freeze") and len(explorer.session.lists[0]) <= MOST_FROZEN and len(explorer.session.measures) <= MOST_MEASURES:
            explorer.freeze()


def _drawn_from(name: str, state: dict) -> dict:
    """What a browser needs of one of our widgets."""
    from ipywidgets.widgets import widget

    kept = {key: value for key, value in state.items() if not key.startswith("_") and key not in ("layout", "tabbable", "tooltip")}
    return {"script": str(widget._instances[name]._esm), "state": kept}


if __name__ == "__main__":
    print(json.dumps(run(Path(sys.argv[1]))))
