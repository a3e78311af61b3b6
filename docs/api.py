"""The page of public names, made from the package: signatures with the comment of each parameter, first lines, the records of the measures."""

import ast
import inspect
import textwrap

from prepare import NBS

import rankmetrics_nb


def page() -> str:
    """The whole page, as Markdown."""
    head = "# Public names\n\nAll of them come from the package itself: `from rankmetrics_nb import nDCG, evaluate`. They are grouped by the chapter that builds them."
    return "\n\n".join([head, *(_module(module, names.split()) for module, names in rankmetrics_nb._PUBLIC.items())]) + "\n"


def _module(module: str, names: list[str]) -> str:
    chapter = next(NBS.glob(f"[0-9]*_{module}.ipynb")).name
    values = {name: getattr(rankmetrics_nb, name) for name in names}
    measures = {name: value for name, value in values.items() if isinstance(value, rankmetrics_nb.Measure)}
    others = [_value(name, value) for name, value in values.items() if name not in measures]
    return "\n\n".join([f"## {module}", f"Chapter: [](<{chapter}>)", *([_measures(measures)] if measures else []), *others])


def _measures(measures: dict) -> str:
    rows = [f"| `{name}` | {m.title} | {m.question} | {', '.join(f'`{p.name}`' for p in m.params)} |" for name, m in measures.items()]
    return "\n".join(["| measure | title | question | parameters |", "|---|---|---|---|", *rows])


def _value(name: str, value: object) -> str:
    if inspect.isclass(value) or inspect.isfunction(value):
        source = textwrap.dedent(inspect.getsource(value))
        node = ast.parse(source).body[0]
        methods = [_method(part) for part in node.body if isinstance(part, ast.FunctionDef) and part.name[0] != "_" and ast.get_docstring(part)]
        text = [inspect.getdoc(value) or "", f"```python\n{_signature(source, node)}\n```", "\n".join(methods)]
    else:
        text = [f"A {type(value).__name__} of {len(value)} entries: {', '.join(f'`{entry}`' for entry in value)}."]
    return "\n\n".join([f"### {name}", *filter(None, text)])


def _signature(source: str, node: ast.FunctionDef | ast.ClassDef) -> str:
    """The lines above the body of a function; for a class those above its first method: its fields. The docstring stands apart."""
    lines = source.splitlines()
    first = node.body[0]
    if isinstance(node, ast.FunctionDef):
        return "\n".join(lines[node.lineno - 1 : first.lineno - 1])
    start = next((min([part.lineno, *(mark.lineno for mark in part.decorator_list)]) for part in node.body if isinstance(part, ast.FunctionDef)), len(lines) + 1)
    docstring = range(first.lineno - 1, first.end_lineno) if ast.get_docstring(node) else ()
    return "\n".join(line for number, line in enumerate(lines[: start - 1]) if number >= node.lineno - 1 and number not in docstring).rstrip()


def _method(node: ast.FunctionDef) -> str:
    is_property = any(isinstance(mark, ast.Name) and "property" in mark.id for mark in node.decorator_list)
    names = [part.arg for part in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs] if part.arg not in ("self", "cls")]
    call = "" if is_property else f"({', '.join(names)})"
    return f"- `{node.name}{call}`: {ast.get_docstring(node).splitlines()[0]}"
