"""Turns nbs/ into pages for Sphinx: plumbing out, links to the top folder mended, a table of contents by the numbers of the notebooks."""

import json
import re
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NBS = ROOT / "nbs"
HIDDEN = re.compile(r"^\s*#\|\s*(hide|default_exp)\b", re.M)
DIRECTIVE = re.compile(r"^\s*#\|.*\n?", re.M)
# The first number of each part of the book.
PARTS = {0: "From files to hits", 20: "Measures", 39: "Whole runs", 60: "Pictures and tools", 80: "Case studies", 90: "Reference"}


def prepare(pages: Path) -> None:
    """Write the notebooks, and the files of the top folder that they link to, into the folder `pages`."""
    for path in sorted(NBS.glob("*.ipynb")):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "markdown" or not HIDDEN.search("".join(cell["source"]))]
        for cell in cells:
            text = "".join(cell["source"])
            cell["source"] = _with_links(text, pages) if cell["cell_type"] == "markdown" else DIRECTIVE.sub("", text)
        if path.stem == "index":
            cells.append({"cell_type": "markdown", "id": "contents", "metadata": {}, "source": contents()})
        (pages / path.name).write_text(json.dumps(notebook | {"cells": cells}), encoding="utf-8")


def _with_links(text: str, pages: Path) -> str:
    """Links to files of the top folder lead to a copy beside the page; links to its folders become plain text."""

    def mended(link: re.Match) -> str:
        label, target, anchor = link.groups(default="")
        if not (ROOT / target).is_file():
            return label
        copy = pages / target
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / target, copy)
        return f"[{label}]({target}{anchor})"

    return re.sub(r"\[([^\]\n]*)\]\(\.\./([^)#\s]+)(#[^)\s]*)?\)", mended, text)


def contents() -> str:
    """The hidden table of contents of the front page, which the side bar shows."""
    chapters = {path.stem: int(path.stem[:2]) for path in sorted(NBS.glob("[0-9]*.ipynb"))}
    ends = [*list(PARTS)[1:], 1000]
    parts = [(title, [stem for stem, number in chapters.items() if start <= number < end]) for (start, title), end in zip(PARTS.items(), ends, strict=True)]
    parts[-1][1].extend(["measures", "api"])
    parts.append(("The project", ["CONTRIBUTING", "CHANGELOG"]))
    return "\n\n".join("\n".join([f"```{{toctree}}\n:hidden:\n:caption: {title}\n", *stems, "```"]) for title, stems in parts if stems)
