"""Notebooks as the checks see them: find, execute, compare. Run as a script it executes all notebooks in place."""

import json
import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NBS = ROOT / "nbs"
PACKAGE = ROOT / "rankmetrics_nb"

EXPORTED = re.compile(r"^\s*#\|\s*exports?i?\b", re.M)
NOT_RUN = re.compile(r"^\s*#\|\s*(eval:\s*false|notest)\b", re.M | re.I)
DEFAULT_EXP = re.compile(r"^\s*#\|\s*default_exp\s+(\S+)", re.M)
WIDGET = "application/vnd.jupyter.widget-view+json"
SOLUTION = re.compile(r"# Solution \d+")
# JupyterLab folds the solution of an exercise, the code and what it shows.
FOLDED = {"jupyter": {"outputs_hidden": True, "source_hidden": True}}


def notebooks(folder: Path = NBS) -> list[Path]:
    """All notebooks, in reading order."""
    return sorted(path for path in folder.rglob("*.ipynb") if not any(part[0] in "._" for part in path.relative_to(folder).parts))


def read(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def source(cell: dict) -> str:
    return "".join(cell["source"])


def module_of(path: Path) -> str | None:
    """The module that a notebook exports, without the package: "measures.dcg"; None where it exports nothing."""
    found = DEFAULT_EXP.search("\n".join(source(cell) for cell in read(path)["cells"] if cell["cell_type"] == "code"))
    return found[1] if found else None


def number_of(path: Path) -> int | None:
    """The number that the name of a notebook starts with."""
    digits = re.match(r"\d+", path.name)
    return int(digits[0]) if digits else None


def is_run(cell: dict) -> bool:
    return cell["cell_type"] == "code" and not NOT_RUN.search(source(cell))


def execute(cells: list[dict], folder: Path) -> list[list[dict]]:
    """Run code cells in this process, in `folder`; the outputs per cell. The first error ends it, named with its cell."""
    from execnb.shell import CaptureShell
    from fastcore.xtras import working_directory

    path_before = list(sys.path)
    try:
        with working_directory(folder):
            shell = CaptureShell()
            return [_run_cell(shell, number, cell) if is_run(cell) else cell.get("outputs", []) for number, cell in enumerate(cells)]
    finally:
        sys.path[:] = path_before
        _close_figures()


def _run_cell(shell, number: int, cell: dict) -> list[dict]:
    outputs = shell.run(source(cell))
    if shell.exc:
        raise RuntimeError(f"cell {number} (id {cell.get('id')}) failed:\n{source(cell)}\n\n{type(shell.exc).__name__}: {shell.exc}") from shell.exc
    return json.loads(json.dumps(outputs))


def _close_figures() -> None:
    """Figures and settings of one notebook must not reach the next."""
    if "matplotlib" in sys.modules:
        import matplotlib
        import matplotlib.pyplot as plt

        plt.close("all")
        backend = matplotlib.get_backend()
        matplotlib.rcdefaults()
        matplotlib.rcParams["backend"] = backend


def seen(outputs: list[dict]) -> list[str]:
    """What a reader sees, as text: pictures and widgets count by their presence, text by its wording."""
    return [_seen_stream(out) if out["output_type"] == "stream" else _seen_data(out.get("data", {})) for out in outputs]


def _seen_stream(out: dict) -> str:
    return f"{out['name']}: {_steady(''.join(out['text']))}"


def _seen_data(data: dict) -> str:
    if WIDGET in data:
        return "a widget"
    texts = [f"{kind}: {_steady(''.join(data[kind]))}" for kind in sorted(data) if kind.startswith("text/")]
    pictures = [f"{kind}: a picture" for kind in sorted(data) if kind.startswith("image/")]
    return "\n".join(texts + pictures)


def _steady(text: str) -> str:
    """`text` without what changes from run to run: addresses (nbdev_clean drops them too) and the bytes of pictures."""
    text = re.sub(r" at 0x[0-9a-fA-F]+", "", text)
    text = re.sub(r"data:image/[\w+.-]+;base64,[\w+/=\s]+", "data:image", text)
    return re.sub(r"<svg\b.*?</svg>", "<svg/>", text, flags=re.S).rstrip()


def _with_steady_id(out: dict, name: str) -> dict:
    """A widget is named anew in each run, but an unchanged notebook must stay the same file."""
    if WIDGET in out.get("data", {}):
        out["data"][WIDGET]["model_id"] = name
    return out


def execute_in_place(path: Path) -> None:
    """Run a notebook and keep its outputs. `nbdev_clean` comes after it."""
    notebook = read(path)
    for cell, outputs in zip(notebook["cells"], execute(notebook["cells"], path.parent), strict=True):
        if cell["cell_type"] == "code":
            cell["outputs"] = [_with_steady_id(out, f"{cell['id']}-{place}") for place, out in enumerate(outputs)]
            cell["metadata"] |= FOLDED if SOLUTION.match(source(cell)) else {}
    path.write_text(json.dumps(notebook, sort_keys=True, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    for notebook_path in [Path(name).resolve() for name in sys.argv[1:]] or notebooks():
        print(notebook_path.relative_to(ROOT))
        execute_in_place(notebook_path)
