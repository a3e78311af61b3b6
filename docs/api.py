"""The pages of the functions and classes, made from the source: signatures, the comment of each parameter, errors."""

import ast
import inspect
import io
import textwrap
import tokenize
from importlib import import_module

from measures import hidden_contents, page_name
from prepare import NBS

import rankmetrics_nb

# Names of the book that are imported from their module: `from rankmetrics_nb.examples import six`.
MORE = {
    "relevance": "kappa",
    "measure": "Steps Row Difference describe problem",
    "plots": "sum_bars precision_recall tradeoff roc dcg_bars err_cascade rbp_weights waterfall slopes dark Picture",
    "examples": "six rides product_search transactions news drivers swap unseen sample scenario Example",
    "exam": "make_question mark make_exam formula_sheet mistakes_table Question Exam Verdict",
    "published": "published_table published_input",
    "session": "Session",
    "knobs": "APBuilder DCGExplorer PersistenceExplorer ThresholdExplorer TieExplorer Knobs Knob Question",
    "widgets": "RankingExplorer Flipbook",
    "explorers": "RunExplorer ExamWidget",
    "references": "references notation glossary cited",
}
ERRORS = (
    "A mistake in your data or in a name is a `DataError`, which is a `ValueError`: it says what was found, where, and what to write instead. "
    "`MeasureError` is the `DataError` of an unknown measure or parameter, or of a value that a parameter does not take. The pages name the errors of each function."
)


def modules() -> dict[str, list[str]]:
    """The names of each module that has a page, the public ones first; in the order of the chapters."""
    named = {module: [*rankmetrics_nb._PUBLIC.get(module, "").split(), *MORE.get(module, "").split()] for module in [*rankmetrics_nb._PUBLIC, *MORE]}
    return {module: list(dict.fromkeys(named[module])) for module in sorted(named, key=lambda module: chapter(module))}


def chapter(module: str) -> str:
    """The notebook that builds a module."""
    return next(NBS.glob(f"[0-9]*_{module}.ipynb")).name


def pages() -> dict[str, str]:
    """Names of pages and their Markdown: the index first, then a page a module."""
    return {"api": _index(), **{_page_name(module): _page(module, names) for module, names in modules().items()}}


def _page_name(module: str) -> str:
    return f"api-{module.replace('.', '-')}"


def _value(module: str, name: str) -> object:
    return getattr(import_module(f"rankmetrics_nb.{module}"), name)


def _index() -> str:
    parts = ["# Functions and classes", "Names are imported from the package itself, `from rankmetrics_nb import evaluate`; where a module stands before the name, as in "
             "`references.notation`, from that module. Each module is built by the chapter of the same name."]
    for module, names in modules().items():
        rows = []
        for name in names:
            value = _value(module, name)
            target = f"{page_name(value)}.md" if isinstance(value, rankmetrics_nb.Measure) else f"{_page_name(module)}.md#{name.lower()}"
            shown = f"`{name}`" if name in rankmetrics_nb.__all__ else f"`{module}.{name}`"
            rows.append(f"| [{shown}]({target}) | {_cell(_first_line(value))} |")
        parts += [f"## {module}", "\n".join(["| name | what it is |", "|---|---|", *rows])]
    return "\n\n".join([*parts, "## Errors", ERRORS, hidden_contents(map(_page_name, modules()))]) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", r"\|")


def _first_line(value: object) -> str:
    if isinstance(value, rankmetrics_nb.Measure):
        return value.question
    if inspect.isclass(value) or inspect.isfunction(value):
        return (inspect.getdoc(value) or "").partition("\n")[0].rstrip(".")
    return getattr(value, "about", "") or f"A {type(value).__name__} of {len(value)}"


def _page(module: str, names: list[str]) -> str:
    head = f"The module `rankmetrics_nb.{module}`, built by the chapter [](<{chapter(module)}>)."
    return "\n\n".join([f"# {module}", head, *(_entry(module, name) for name in names)]) + "\n"


def _entry(module: str, name: str) -> str:
    value = _value(module, name)
    if isinstance(value, rankmetrics_nb.Measure):
        return f"## {name}\n\n{value.question} It has [a page of its own]({page_name(value)}.md)."
    if not (inspect.isclass(value) or inspect.isfunction(value)):
        held = f": {', '.join(f'`{entry}`' for entry in value)}" if isinstance(value, dict | tuple) else ""
        return f"## {name}\n\n{_first_line(value)}{held}."
    source = Source(value)
    node = source.node
    call = _call(name, value, node)
    parts = [f"## {name}", f"```python\n{call}\n```" if call else "", inspect.getdoc(value) or ""]
    parts += [source.fields(), *_methods(value)] if inspect.isclass(value) else [source.parameters(node)]
    errors = sorted(source.errors(module))
    return "\n\n".join(filter(None, [*parts, f"Errors: {', '.join(f'`{error}`' for error in errors)}." if errors else ""]))


def _methods(value: type) -> list[str]:
    """The methods of a class, and those that it has from a private class of its module."""
    sources = [Source(part) for part in value.__mro__ if part is value or part.__module__ == value.__module__ and part.__name__[0] == "_"]
    found = {node.name: source.method(node) for source in reversed(sources) for node in source.methods()}
    return list(found.values())


def _call(name: str, value: object, node: ast.FunctionDef | ast.ClassDef) -> str:
    if isinstance(node, ast.ClassDef) and not hasattr(value, "__dataclass_fields__"):
        node = next((part for part in node.body if isinstance(part, ast.FunctionDef) and part.name == "__init__"), node)
    if isinstance(node, ast.ClassDef):
        return ""
    inside = ", ".join(_short(node.args))
    returns = f" -> {ast.unparse(node.returns)}" if node.returns and node.name != "__init__" else ""
    return f"{name}({inside}){returns}"


def _short(args: ast.arguments) -> list[str]:
    """The parameters as they are written in a call: names, and defaults."""
    given = [*args.posonlyargs, *args.args]
    defaults = [None] * (len(given) - len(args.defaults)) + args.defaults
    plain = [arg.arg if default is None else f"{arg.arg}={ast.unparse(default)}" for arg, default in zip(given, defaults) if arg.arg not in ("self", "cls")]
    star = [f"*{args.vararg.arg}"] if args.vararg else ["*"] if args.kwonlyargs else []
    named = [arg.arg if default is None else f"{arg.arg}={ast.unparse(default)}" for arg, default in zip(args.kwonlyargs, args.kw_defaults)]
    return [*plain, *star, *named, *([f"**{args.kwarg.arg}"] if args.kwarg else [])]


class Source:
    """The source of a function or class, and the comments that explain its parameters."""

    def __init__(self, value: object):
        text = textwrap.dedent(inspect.getsource(value))
        self.value = value
        self.node = ast.parse(text).body[0]
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        self.comments = {token.start[0]: token.string.lstrip("# ") for token in tokens if token.type == tokenize.COMMENT}

    def parameters(self, node: ast.FunctionDef) -> str:
        """A table of the parameters and of what comes back; nothing where no comment explains them."""
        args = node.args
        given = [*args.posonlyargs, *args.args]
        pairs = list(zip(given, [None] * (len(given) - len(args.defaults)) + args.defaults)) + list(zip(args.kwonlyargs, args.kw_defaults))
        pairs += [(arg, None) for arg in (args.vararg, args.kwarg) if arg]
        rows = [self._row(arg.arg, arg.annotation, default, arg.end_lineno) for arg, default in pairs if arg.arg not in ("self", "cls")]
        last = node.returns.end_lineno if node.returns else 0
        if last in self.comments:
            rows.append(self._row("returns", node.returns, None, last))
        return self._table(rows)

    def fields(self) -> str:
        """A table of the fields of a dataclass."""
        parts = [part for part in self.node.body if isinstance(part, ast.AnnAssign)] if hasattr(self.value, "__dataclass_fields__") else []
        if not parts:
            start = next((part for part in self.node.body if isinstance(part, ast.FunctionDef) and part.name == "__init__"), None)
            return self.parameters(start) if start else ""
        return self._table([self._row(part.target.id, part.annotation, part.value, part.end_lineno) for part in parts])

    def methods(self) -> list[ast.FunctionDef]:
        return [part for part in self.node.body if isinstance(part, ast.FunctionDef) and part.name[0] != "_" and ast.get_docstring(part)]

    def method(self, node: ast.FunctionDef) -> str:
        is_property = any(isinstance(mark, ast.Name) and "property" in mark.id for mark in node.decorator_list)
        call = node.name if is_property else f"{node.name}({', '.join(_short(node.args))})"
        return "\n\n".join(filter(None, [f"### `.{call}`", ast.get_docstring(node), self.parameters(node)]))

    def errors(self, module: str) -> set[str]:
        """The errors that it raises itself, or that functions of its module raise for it."""
        tree = ast.parse(inspect.getsource(import_module(f"rankmetrics_nb.{module}")))
        functions = {part.name: part for part in ast.walk(tree) if isinstance(part, ast.FunctionDef)}
        seen, found, waiting = set(), set(), [self.node]
        while waiting:
            for part in ast.walk(waiting.pop()):
                if isinstance(part, ast.Raise) and isinstance(part.exc, ast.Call):
                    found.add(ast.unparse(part.exc.func).rpartition(".")[2])
                called = part.func.id if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) else ""
                if called in functions and called not in seen:
                    seen.add(called)
                    waiting.append(functions[called])
        return {name for name in found if name.endswith("Error")}

    def _row(self, name: str, kind: ast.expr | None, default: ast.expr | None, line: int) -> tuple[str, str, str, str]:
        comment = self.comments.get(default.end_lineno if default is not None else line, "")
        if isinstance(default, ast.Call) and ast.unparse(default.func) == "field":
            default = next((given.value for given in default.keywords if given.arg == "default"), None)
        return f"`{name}`", f"`{ast.unparse(kind)}`" if kind else "", f"`{ast.unparse(default)}`" if default is not None else "", comment

    def _table(self, rows: list[tuple[str, str, str, str]]) -> str:
        if not any(row[3] for row in rows):
            return ""
        lines = ["| name | type | default | meaning |", "|---|---|---|---|", *(f"| {' | '.join(map(_cell, row))} |" for row in rows)]
        return "\n".join(lines)
