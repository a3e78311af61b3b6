"""The window in another language: one file, data/rankmetrics_xx.qm, made from the texts of this package.

`python -m rankmetrics_gui.translating rankmetrics_ne.ts` writes every text of the window into a file for Qt Linguist;
`pyside6-lrelease rankmetrics_ne.ts` makes the .qm of it.
"""

import ast
import sys
from html import escape
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLocale, QTranslator

HERE = Path(__file__).parent


def load(app: QCoreApplication, locale: QLocale | None = None) -> bool:
    """Take the translation for a language, where there is one; before the window is made."""
    translator = QTranslator(app)
    found = translator.load(locale or QLocale(), "rankmetrics", "_", str(HERE / "data"))
    return found and app.installTranslator(translator)


def texts(folder: Path = HERE) -> list[tuple[str, str]]:
    """Context and text of everything that can be translated, as the code asks for it."""
    found: dict[tuple[str, str], None] = {}
    for path in sorted(folder.glob("*.py")):
        for owner, call in _calls(ast.parse(path.read_text(encoding="utf-8"))):
            context = _context(call.func, owner, path.stem)
            text = call.args[0] if call.args else None
            if context and isinstance(text, ast.Constant) and isinstance(text.value, str):
                found[context, text.value] = None
    return list(found)


def _calls(node: ast.AST, owner: str = "") -> list[tuple[str, ast.Call]]:
    """Every call, with the class that it stands in."""
    out = [(owner, node)] if isinstance(node, ast.Call) else []
    inside = node.name if isinstance(node, ast.ClassDef) else owner
    for child in ast.iter_child_nodes(node):
        out += _calls(child, inside)
    return out


def _context(function: ast.expr, owner: str, module: str) -> str:
    """Where Qt looks the text up; empty where the function does not translate."""
    if isinstance(function, ast.Name) and function.id in ("_tr", "_noop"):
        return module
    if not isinstance(function, ast.Attribute):
        return ""
    place = function.value.id if isinstance(function.value, ast.Name) else ""
    if function.attr == "_tr":
        return place
    return (owner if place == "self" else "MainWindow") if function.attr == "tr" else ""


def write(path: Path, translate=lambda text: "") -> None:
    """Write the texts for Qt Linguist."""
    contexts: dict[str, list[str]] = {}
    for context, text in texts():
        contexts.setdefault(context, []).append(text)
    body = "".join(f"<context><name>{escape(context, quote=False)}</name>{''.join(_message(text, translate(text)) for text in lines)}</context>\n" for context, lines in contexts.items())
    path.write_text(f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n<TS version="2.1">\n{body}</TS>\n', encoding="utf-8")


def _message(text: str, translation: str) -> str:
    state = "" if translation else ' type="unfinished"'
    return f"<message><source>{escape(text, quote=False)}</source><translation{state}>{escape(translation, quote=False)}</translation></message>"


if __name__ == "__main__":
    write(Path(sys.argv[1] if len(sys.argv) > 1 else "rankmetrics.ts"))
