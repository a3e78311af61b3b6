"""The pages of the measures, made from their records: one a measure, and an index with the bibliography as BibTeX."""

import re
from collections.abc import Iterable

from matplotlib import pyplot as plt
from prepare import NBS

import rankmetrics_nb
from rankmetrics_nb import MEASURES, Measure, parse
from rankmetrics_nb.examples import six
from rankmetrics_nb.measure import NEEDS, Steps
from rankmetrics_nb.plots import dark
from rankmetrics_nb.references import NOTATION, notation, references

RELATED = {
    "P": {"R": "counts what was missed", "F1": "asks for both", "Rprec": "cuts at R in place of k"},
    "R": {"P": "counts what is in the way", "F1": "asks for both", "Success": "asks for one document only"},
    "F1": {"F": "lets you say what recall is worth", "P": "is one half of it", "R": "is the other half"},
    "F": {"F1": "is the balanced one", "P": "is F with beta = 0", "R": "is what F comes to when beta is large"},
    "Success": {"RR": "also asks where", "R": "asks for all relevant documents", "P": "counts all hits on the page"},
    "Rprec": {"P": "cuts where you say", "AP": "looks at every relevant document"},
    "Judged": {"RBP": "shows what the unjudged could add, as its residual", "bpref": "looks at judged documents only", "infAP": "estimates what the unjudged would say"},
    "IPrec": {"11pt": "is its mean over eleven levels", "P": "is the same without interpolation", "AP": "sums up the whole curve"},
    "11pt": {"IPrec": "is one of its points", "AP": "does without interpolation"},
    "AP": {"GMAP": "lets the hard queries count", "infAP": "copes with lost judgements", "nDCG": "uses grades", "Rprec": "counts at one rank only"},
    "GMAP": {"AP": "is what it averages", "MeanRank": "lets one bad query count even more"},
    "RR": {"MeanRank": "is in ranks", "Success": "asks only whether", "ERR": "uses grades"},
    "MeanRank": {"RR": "gives 1 over the rank, which stays between 0 and 1", "Success": "asks only whether"},
    "DCG": {"nDCG": "is divided by the best possible", "RBP": "has weights that sum to 1"},
    "nDCG": {"DCG": "is the same before it is divided", "ERR": "lets a good document take the worth of those below it", "AP": "does without grades"},
    "RBP": {"ERR": "has a reader who stops when satisfied", "DCG": "discounts more slowly", "Judged": "says how much is judged"},
    "ERR": {"RBP": "has a reader who does not care what was found", "nDCG": "has a reader who never stops", "RR": "does without grades"},
    "AUC": {"bpref": "compares pairs too, and counts what was lost", "AP": "looks at the top"},
    "bpref": {"infAP": "stays on the scale of AP", "Judged": "says how much is judged", "AUC": "counts pairs among what was retrieved"},
    "infAP": {"AP": "is what it estimates", "bpref": "is its older companion", "Judged": "says how much is judged"},
}
KINDS = {"cutoff": "a whole number from 1", "number": "a number", "level": "a number", "gain": "a mapping from grades to gains", "rank": "a rank"}
# Parts of a formula that are not symbols: layout, fixed words, signs of school mathematics.
LAYOUT = set("frac tfrac left right quad cdot text mathrm ge le".split())
SYMBOL = re.compile(r"\\mathrm\{P@\}|\\mathrm\{rel\}|\\mathrm\{IDCG@?\}|\\[a-zA-Z]+|[A-Za-z](?:_(?:\{[^}]*\}|[A-Za-z0-9]))?|\|")
# Signs that stand in a row of the notation table together with another, or in another form.
SAME = {"g": "g", "d_r": "d", "p_i": "stop", "i": "i", "j": "i", "R_n": "Rn", "N_n": "Rn", r"\mathrm{P@}": "P", r"\mathrm{IDCG@}": "IDCG", "|": "size"}
SAME |= {r"\max": "max", r"\min": "max", r"\exp": "exp", r"\ln": "exp", r"\log": "log2"}


def symbols(formula: str) -> list[str]:
    """The symbols of a formula in their order, each once: keys of the notation table, or the sign itself where the table lacks it."""
    by_sign = {latex: key for key, (latex, _) in NOTATION.items()} | SAME
    words = re.sub(r"\\text\{[^}]*\}|\\mathrm\{(?!P@\}|rel\}|IDCG@?\})[^}]*\}", " ", formula)
    found = [by_sign.get(sign, sign) for sign in SYMBOL.findall(words) if sign.lstrip("\\") not in LAYOUT]
    return list(dict.fromkeys(found + ["iverson"] * ("[" in words)))


def page_name(measure: Measure) -> str:
    """The page of a measure."""
    return f"measure-{measure.name}"


def example(measure: Measure) -> Steps:
    """The hand calculation on the page: list A of the running example, cut at 5 where the formula has a cutoff."""
    cut = measure @ 5 if "k" in symbols(measure.formula) and measure.has("k") else measure
    return (cut @ 0.5 if measure.has("recall") else cut).explain(six["A"])


def chapter(measure: Measure) -> str:
    """The notebook that builds a measure."""
    return next(NBS.glob(f"*_{measure.kernel.__module__.removeprefix('rankmetrics_nb.')}.ipynb")).name


def pages() -> dict[str, str]:
    """Names of pages and their Markdown: the index first."""
    return {"measures": index(), **{page_name(measure): page(measure) for measure in MEASURES}}


def files() -> dict[str, bytes]:
    """What the pages show beside their text: the pictures and the bibliography."""
    drawn = [pictures(measure) for measure in MEASURES]
    return {"bibliography.bib": references().bibtex.encode(), **{name: picture for both in drawn for name, picture in both.items()}}


def pictures(measure: Measure) -> dict[str, bytes]:
    """The picture of the example, for light and for dark pages."""
    steps = example(measure)
    light = steps.plot()._repr_png_()
    with dark():
        both = {f"{page_name(measure)}.png": light, f"{page_name(measure)}-dark.png": steps.plot()._repr_png_()}
    plt.close("all")
    return both


def index() -> str:
    rows = [f"| [{m.name}]({page_name(m)}.md) | {m.question} | {_looks_at(m)} | {_span(m)} |" for m in MEASURES]
    return "\n\n".join([
        "# Measures",
        "Each has a page with its formula, its parameters, the names that other tools have for it, and an example. The order is that of the chapters; "
        "[Which measure do I report?](90_choosing.ipynb) helps you to choose.",
        "\n".join(["| measure | what it answers | looks at | values |", "|---|---|---|---|", *rows]),
        "The works they come from stand in [the bibliography](95_references.ipynb), and as BibTeX in [bibliography.bib](bibliography.bib).",
        hidden_contents(page_name(m) for m in MEASURES),
    ]) + "\n"


def hidden_contents(names: Iterable[str]) -> str:
    """What makes pages stand below this one in the side bar."""
    return "\n".join(["```{toctree}", ":hidden:", "", *names, "```"])


def page(measure: Measure) -> str:
    """The page of one measure."""
    parts = [f"# {measure.name}", f"*{measure.title[0].upper()}{measure.title[1:]}.* {measure.question}", _facts(measure)]
    parts += ["## Formula", f"$$\n{measure.formula}\n$$", notation(*(key for key in symbols(measure.formula) if key in NOTATION)).markdown]
    parts += [*_parameters(measure), *_names(measure), *_example(measure), "## Pitfall", measure.pitfall, "## See also", _related(measure)]
    return "\n\n".join([*parts, "## References", references(*measure.reference).markdown]) + "\n"


def _span(measure: Measure) -> str:
    low, high = measure.bounds
    values = f"{low:g} to {high:g}" if high < float("inf") else f"from {low:g} on"
    return f"{values}; {measure.direction} is better"


def _looks_at(measure: Measure) -> str:
    return "grades" if measure.graded else "relevant or not" if measure.has("rel") else "judged or not"


def _facts(measure: Measure) -> str:
    without = {"zero": "counts 0", "skip": "is left out of the mean", "one": "counts 1", "nan": "makes the mean nan"}[measure.norel]
    needs = "nothing" if measure.needs == "nothing" else f"{NEEDS[measure.needs][0]}; a query without {without}"
    rows = {
        "values": _span(measure),
        "looks at": _looks_at(measure),
        "needs": needs,
        "ignores": measure.ignores,
        "unjudged documents": "every one " + measure.unjudged if measure.unjudged else "are counted" if measure.name == "Judged" else "count as not relevant",
        "mean over queries": measure.mean,
        "ties": "allows " + ", ".join(f"`{rule}`" for rule in measure.ties),
        "chapter": f"[](<{chapter(measure)}>)",
    }
    return "\n".join(["| at a glance | |", "|---|---|", *(f"| {what} | {said} |" for what, said in rows.items() if said)])


def _parameters(measure: Measure) -> list[str]:
    if not measure.params:
        return []
    rows = [f"| `{p.name}` | {_values(p)} | {_default(measure, p)} | {p.doc} |" for p in measure.params]
    return ["## Parameters", "\n".join(["| name | values | default | meaning |", "|---|---|---|---|", *rows]), f"Written out, for example: `{_written(measure)}`."]


def _values(param) -> str:
    low, high = param.low, param.high
    limits = (f" from {low:g} to {high:g}" if high < float("inf") else f" above {low:g}" if param.above else f" of at least {low:g}" if low > -float("inf") else "")
    number = "" if param.kind == "choice" else KINDS[param.kind] + limits
    return " or ".join(filter(None, [", ".join(f"`{choice}`" for choice in param.choices), number])) + (", after the @" if param.at else "")


def _default(measure: Measure, param) -> str:
    if param.default is not None:
        return f"`{param.text(param.default)}`"
    return "none: it must be given" if param.required else "the whole list" if param.kind == "cutoff" else "see the meaning"


def _written(measure: Measure) -> Measure:
    """The measure with a value for each parameter of another kind than its default."""
    other = {p.name: _other(p) for p in measure.params}
    return measure.set(**{name: value for name, value in other.items() if value is not None})


def _other(param):
    if param.choices:
        return next(choice for choice in param.choices if choice != param.default)
    return {"cutoff": 10, "level": 0.5}.get(param.kind, {"rel": 2, "p": 0.95, "beta": 2, "gmax": 4, "b": 10}.get(param.name))


def _names(measure: Measure) -> list[str]:
    spelt = [(spelling, "elsewhere") for spelling, _ in measure.aliases] + [(spelling, "trec_eval") for spelling, _ in measure.trec]
    if not spelt:
        return []
    level = "0.40" if measure.has("recall") else "10"
    rows = [f"| `{text}` | {where} | `{parse(text)}` |" for spelling, where in spelt for text in [spelling.replace("{k}", level)]]
    return ["## Other names", "\n".join(["| name | used by | is read as |", "|---|---|---|", *rows])]


def _example(measure: Measure) -> list[str]:
    steps = example(measure)
    call = next(public for public in rankmetrics_nb.__all__ if getattr(rankmetrics_nb, public) is measure)
    at = next((f"({call} @ {value:g})" for p, value in steps.measure._set() if p.at), call)
    code = f"```python\nfrom rankmetrics_nb import {call}\nfrom rankmetrics_nb.examples import six\n\n{at}.explain(six[\"A\"])\n```"
    alt = steps.plot().alt
    plt.close("all")
    pictures = [f"```{{image}} {page_name(measure)}{end}.png\n:alt: {alt}\n:class: only-{shown}\n```" for shown, end in (("light", ""), ("dark", "-dark"))]
    intro = f"List A of the book's running example, \"{six.name.partition(',')[0]}\" (synthetic); `?` is an unjudged document."
    return ["## Example", intro, code, steps.markdown, *pictures]


def _related(measure: Measure) -> str:
    others = [f"- [{other}](measure-{other}.md) {how}." for other, how in RELATED.get(measure.name, {}).items()]
    return "\n".join([*others, f"- The chapter [](<{chapter(measure)}>) derives it, and shows the cases where tools differ.", "- [All measures](measures.md); [which one to report](90_choosing.ipynb)."])
