"""Turns nbs/ into pages for Sphinx: plumbing out, code and solutions folded, pictures with their alt texts, links mended, a table of contents."""

import base64
import hashlib
import json
import re
import shutil
from html import escape
from pathlib import Path

from live import NOTHING, WIDGET

ROOT = Path(__file__).resolve().parents[1]
NBS = ROOT / "nbs"
HIDDEN = re.compile(r"^\s*#\|\s*(hide|default_exp)\b", re.M)
EXPORTED = re.compile(r"^\s*#\|\s*export\b", re.M)
DIRECTIVE = re.compile(r"^\s*#\|.*\n?", re.M)
SOLUTION = re.compile(r"# (Solution \d+)\b.*\n?")
STYLE = re.compile(r"<style>(.*?)</style>(.*)", re.S)
PICTURE = "image/png"
NO_KERNEL = "Drag in Jupyter: this explorer needs a kernel"
# The parts of the book, in reading order, by the numbers of the notebooks.
PARTS = {
    "The book": (0, 20, 22, 24, 26, 28, 30, 32, 34, 36, 40, 42, 45, 50, 52, 90, 80, 82, 84, 86, 63),
    "Tools for your data": (5, 75, 60, 70, 69, 72, 39, 55),
    "How it works": (7, 8, 10, 15, 38, 62, 65, 68),
    "Reference": (95, 92),
}


def prepare(pages: Path, live: dict[str, dict], reference: list[str]) -> None:
    """Write the notebooks, and what they link to, into the folder `pages`; `live` says which widgets need no kernel, `reference` which pages are made from the package."""
    kept = Kept()
    for path in sorted(NBS.glob("*.ipynb")):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        known = live.get(path.stem, NOTHING)
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "markdown" or not HIDDEN.search(_text(cell))]
        title = next(place for place, cell in enumerate(cells) if cell["cell_type"] == "markdown")
        cells.insert(0, cells.pop(title))  # imports may stand above it
        for cell, below in zip(cells, [*cells[1:], {}], strict=True):
            if cell["cell_type"] == "markdown":
                cell["source"] = _with_links(_text(cell), pages)
                continue
            cell["metadata"] = _folded(_text(cell))
            cell["source"] = DIRECTIVE.sub("", _text(cell))
            if any(WIDGET in out.get("data", {}) for out in cell["outputs"]):
                cell["outputs"] = _views(known["views"].get(cell["id"])) or _alive(cell, known["alive"].get(cell["id"], []), kept) or _no_kernel(cell, below)
            cell["outputs"] = [kept.without_style(_with_alt(out, pages)) for out in cell["outputs"]]
        if known["state"]:
            notebook["metadata"]["widgets"] = {"application/vnd.jupyter.widget-state+json": {"version_major": 2, "version_minor": 0, "state": known["state"]}}
        if path.stem == "index":
            cells.append({"cell_type": "markdown", "id": "contents", "metadata": {}, "source": contents(reference)})
        (pages / path.name).write_text(json.dumps(notebook | {"cells": cells}), encoding="utf-8")
    (pages / "_static" / "explorers.css").write_text(kept.css(), encoding="utf-8")
    (pages / "_static" / "explorers.js").write_text("const explorers = [];\n" + "".join(map(_script, kept.scripts)), encoding="utf-8")


class Kept:
    """Scripts and style sheets of our widgets, each once for all pages."""

    def __init__(self) -> None:
        self.scripts: dict[str, int] = {}
        self.styles: dict[str, None] = {}

    def script(self, text: str) -> int:
        """The number of a script."""
        return self.scripts.setdefault(text, len(self.scripts))

    def css(self) -> str:
        """All style sheets but those that stand in another one."""
        return "\n".join(style for style in self.styles if not any(style in other for other in self.styles if other != style))

    def without_style(self, out: dict) -> dict:
        """An output whose style sheet has gone into the common one."""
        found = STYLE.match("".join(out.get("data", {}).get("text/html", "")))
        if not found:
            return out
        self.styles[found[1]] = None
        return out | {"data": {"text/html": found[2]}}


def _script(text: str) -> str:
    """A module as a plain script: a page that is opened as a file cannot load a module."""
    return f"explorers.push((() => {{\n{text.replace('export default', 'return')}\n}})());\n"


def _alive(cell: dict, widgets: list[dict], kept: Kept) -> list[dict]:
    """Widgets that docs/static/live.js draws; without it their static twins stay."""
    twins = [kept.without_style(out)["data"]["text/html"] for out in cell["outputs"] if WIDGET in out.get("data", {})]
    return [_live_html(twin, widget, kept) for twin, widget in zip(twins, widgets, strict=bool(widgets))]


def _live_html(twin: str, widget: dict, kept: Kept) -> dict:
    state = json.dumps(widget["state"], ensure_ascii=False).replace("</", "<\\/")
    html = f'<div class="rm-live" data-script="{kept.script(widget["script"])}"><div>{twin}</div><script type="application/json">{state}</script></div>'
    return {"output_type": "display_data", "metadata": {}, "data": {"text/html": html}}


def _text(cell: dict) -> str:
    return "".join(cell["source"])


def _folded(source: str) -> dict:
    """The metadata that fold a solution with its output, or the code of the package."""
    if found := SOLUTION.match(source):
        return {"tags": ["hide-cell"], "mystnb": {"code_prompt_show": f"{found[1]}, by code", "code_prompt_hide": f"{found[1]}, by code"}}
    return {"tags": ["hide-input"]} if EXPORTED.search(source) else {}


def _views(names: list[str] | None) -> list[dict]:
    """The outputs that show live widgets."""
    return [{"output_type": "display_data", "metadata": {}, "data": {WIDGET: {"model_id": name, "version_major": 2, "version_minor": 0}}} for name in names or []]


def _no_kernel(cell: dict, below: dict) -> list[dict]:
    """What stands in place of a widget that needs Python: a line, and its static twin where the next cell does not show it."""
    line = {"output_type": "display_data", "metadata": {}, "data": {"text/html": f'<p class="needs-kernel">{NO_KERNEL}</p>'}}
    shown = any({"text/html", PICTURE} & out.get("data", {}).keys() for out in below.get("outputs", []))
    twins = [out | {"data": {"text/html": out["data"]["text/html"]}} for out in cell["outputs"] if "text/html" in out.get("data", {})]
    return [line, *([] if shown else twins)]


def _with_alt(out: dict, pages: Path) -> dict:
    """A picture as a file of its own, its text as the alt text, its size known before it is loaded."""
    data = out.get("data", {})
    if PICTURE not in data:
        return out
    png = base64.b64decode("".join(data[PICTURE]))
    name = f"{hashlib.sha256(png).hexdigest()[:16]}.png"
    folder = pages / "_static" / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(png)
    width, height = (int.from_bytes(png[at : at + 4]) for at in (16, 20))
    alt = " ".join("".join(data["text/plain"]).split())
    image = f'<img class="picture" alt="{escape(alt)}" src="_static/pictures/{name}" width="{width}" height="{height}">'
    return out | {"data": {"text/html": image}}


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


def reading_order() -> dict[str, list[str]]:
    """The names of the notebooks, part by part. A notebook that no part names is an error."""
    names = {int(path.stem[:2]): path.stem for path in sorted(NBS.glob("[0-9]*.ipynb"))}
    lost = names.keys() - {number for numbers in PARTS.values() for number in numbers}
    if lost:
        raise ValueError(f"{', '.join(names[number] for number in sorted(lost))}: name its part in PARTS of docs/prepare.py")
    return {title: [names[number] for number in numbers if number in names] for title, numbers in PARTS.items()}


def contents(reference: list[str]) -> str:
    """The hidden table of contents of the front page, which the side bar shows."""
    parts = reading_order()
    parts["Reference"] = [*reference, *parts["Reference"]]
    parts["The project"] = ["CONTRIBUTING", "CHANGELOG"]
    return "\n\n".join("\n".join([f"```{{toctree}}\n:hidden:\n:caption: {title}\n", *names, "```"]) for title, names in parts.items())
