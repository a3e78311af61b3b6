"""Widgets that stay alive on a page. Committed notebooks hold no state of a widget, so their notebooks run again: python docs/live.py NOTEBOOK"""

import hashlib
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "build" / "book"
sys.path.insert(0, str(ROOT / "tests"))
from nbtools import WIDGET, execute, read  # noqa: E402

TIMEOUT = 600
# The text of a widget that needs no Python once it is drawn. Any other widget may.
ALIVE = "Flipbook("


def live(notebooks: list[Path]) -> dict[str, dict]:
    """What the pages of these notebooks need, by name: `views`, the ids of live widgets by cell, and the `state` of all."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(_live, notebooks)
        return {path.stem: state for path, state in zip(notebooks, found, strict=True)}


def _live(path: Path) -> dict:
    """The state from a process of its own, kept until the notebook or the package changes."""
    if not any(_views(cell.get("outputs", [])) for cell in read(path)["cells"]):
        return {"views": {}, "state": {}}
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
    views = {cell["id"]: _views(outputs) for cell, outputs in zip(cells, execute(cells, path.parent), strict=True)}
    state = Widget.get_manager_state(drop_defaults=True)["state"]
    # A page has the scripts of the plain widgets only.
    plain = {name: model for name, model in state.items() if model["model_module"].startswith("@jupyter-widgets/")}
    return {"views": {cell: names for cell, names in views.items() if names}, "state": plain}


def _views(outputs: list[dict]) -> list[str]:
    """The ids of the live widgets among some outputs."""
    shown = [out["data"] for out in outputs if WIDGET in out.get("data", {})]
    return [data[WIDGET]["model_id"] for data in shown if "".join(data.get("text/plain", "")).startswith(ALIVE)]


if __name__ == "__main__":
    print(json.dumps(run(Path(sys.argv[1]))))
