"""The bibliography, the notation and the glossary; and the reference pages that are made from the records."""

import ast
import inspect
import re
import string
import sys

import nbtools
import needs
import pytest
from nbtools import ROOT

from rankmetrics_nb import MEASURES, DataError, Measure
from rankmetrics_nb.examples import six
from rankmetrics_nb.measure import describe, show
from rankmetrics_nb.references import GLOSSARY, NOTATION, UNCHECKED, cited, glossary, notation, references, second_sources

needs.module("matplotlib")
sys.path.insert(0, str(ROOT / "docs"))
import api  # noqa: E402
import measures  # noqa: E402

WORKS = references().works
FIELDS = {  # what an entry of a kind cannot do without
    "article": ("journal", "volume"),
    "inproceedings": ("booktitle",),
    "incollection": ("booktitle", "publisher"),
    "book": ("publisher",),
    "misc": ("url",),
}
# The words that the project uses in one meaning only.
WORDS = "query document grade judged unjudged relevant R rank cutoff gain discount ideal qrels run hits earned contribution measure".split()


def plain(text: str) -> str:
    """The letters of a name without their accents, in lower case."""
    import unicodedata

    return "".join(c for c in unicodedata.normalize("NFKD", text.lower()) if c in string.ascii_lowercase)


# The bibliography --------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("work", WORKS, ids=lambda work: work.key)
def test_an_entry_is_whole(work):
    assert re.fullmatch(rf"{plain(work.authors[0].partition(',')[0])}{work.year}[b-z]?", work.key)
    assert all(getattr(work, field) for field in FIELDS[work.type]) and work.title and 1900 < work.year < 2100
    assert all(re.fullmatch(r"[^,]+, [^,]+", author) for author in work.authors)
    assert re.fullmatch(r"10\.\d{4,9}/\S+", work.doi) if work.doi else True
    assert work.url.startswith("https://") if work.url else True
    assert re.fullmatch(r"[\w:]+(-[\w:]+)?", work.pages) if work.pages else True
    assert "--" not in work.pages and "–" not in work.pages
    assert work.doi or work.url or work.type in ("book", "incollection")


def test_entries_are_sorted_and_none_is_there_twice():
    keys, titles = [work.key for work in WORKS], [plain(work.title) + work.type for work in WORKS]
    assert keys == sorted(set(keys)) and len(set(titles)) == len(titles)
    dois = [work.doi.lower() for work in WORKS if work.doi]
    assert len(set(dois)) == len(dois)


# Titles, volumes and pages as the papers themselves and the publishers' pages have them.
KNOWN = {
    "jarvelin2002": "K. Järvelin and J. Kekäläinen (2002). Cumulated gain-based evaluation of IR techniques. ACM Transactions on Information Systems 20(4), 422–446. doi:10.1145/582415.582418",
    "chapelle2009": "O. Chapelle, D. Metzler, Y. Zhang and P. Grinspan (2009). Expected reciprocal rank for graded relevance. "
    "In Proceedings of the 18th ACM Conference on Information and Knowledge Management (CIKM), 621–630. doi:10.1145/1645953.1646033",
    "saito2015": "T. Saito and M. Rehmsmeier (2015). The precision-recall plot is more informative than the ROC plot when evaluating binary classifiers on imbalanced datasets. "
    "PLoS ONE 10(3), e0118432. doi:10.1371/journal.pone.0118432",
    "vanrijsbergen1979": "C. J. van Rijsbergen (1979). Information Retrieval. 2nd edition, Butterworths.",
    "buckley2005": "C. Buckley and E. M. Voorhees (2005). Retrieval system evaluation. In TREC: Experiment and Evaluation in Information Retrieval, chapter 3, MIT Press.",
}


@pytest.mark.parametrize("key", KNOWN)
def test_an_entry_reads_as_its_source_has_it(key):
    assert references(key).text == repr(references(key)) == KNOWN[key]


def test_what_was_not_found_elsewhere_is_marked():
    for work in WORKS:
        shown = references(work.key).text
        assert (UNCHECKED in shown) == bool(work.unchecked or not work.checked)
        assert work.unchecked in shown
    assert len(second_sources().rows) == len(WORKS)


def test_markdown_links_and_escapes():
    assert "[doi:10.1145/582415.582418](https://doi.org/10.1145/582415.582418)" in references("jarvelin2002").markdown
    assert r"*Pytrec\_eval: An extremely fast Python interface to trec\_eval*." in references("vangysel2018")._repr_markdown_()
    assert references("jarvelin2002", "burges2005").markdown.count("\n- ") == 1
    assert "experiments?*. In" not in references("zobel1998").markdown and "experiments?* In" in references("zobel1998").markdown
    assert references("moffat2023b").markdown.endswith("*. [arXiv:2312.12672](https://arxiv.org/abs/2312.12672)")
    assert "[proceedings.mlr.press/v30/Wang13.html](https://proceedings.mlr.press/v30/Wang13.html)" in references("wang2013").markdown


@pytest.mark.parametrize("work", WORKS, ids=lambda work: work.key)
def test_another_parser_reads_the_bibtex(work):
    needs.module("pybtex", how="pip install -e '.[dev]'")
    from pybtex.database import parse_string

    (entry,) = parse_string(references(work.key).bibtex, "bibtex").entries.values()
    assert entry.key == work.key and entry.type == work.type
    people = [(" ".join(person.prelast_names + person.last_names), " ".join(person.first_names + person.middle_names)) for person in entry.persons["author"]]
    assert people == [tuple(author.split(", ")) for author in work.authors]
    unescaped = {name: re.sub(r"\\([&%#_$])", r"\1", value) for name, value in entry.fields.items()}
    assert unescaped.pop("title") == f"{{{work.title}}}" and unescaped.pop("year") == str(work.year)
    assert unescaped == {name: value.replace("-", "--") if name == "pages" else value for name in unescaped for value in [getattr(work, name)]}
    for name in ("journal", "booktitle", "volume", "number", "pages", "doi", "url", "publisher", "edition", "chapter", "note"):
        assert (name in entry.fields) == bool(getattr(work, name))


def test_the_whole_bibliography_is_one_bibtex_file():
    needs.module("pybtex", how="pip install -e '.[dev]'")
    from pybtex.database import parse_string

    assert list(parse_string(references().bibtex, "bibtex").entries) == [work.key for work in WORKS]


def test_the_chapter_lists_every_work():
    """What the records name is listed by them, the rest by its key."""
    cells = nbtools.read(ROOT / "nbs" / "95_references.ipynb")["cells"]
    calls = [ast.walk(ast.parse(nbtools.source(cell))) for cell in cells if cell["cell_type"] == "code" and nbtools.source(cell).startswith("references(")]
    listed = [part.value for nodes in calls for part in nodes if isinstance(part, ast.Constant)]
    named = {key for m in MEASURES for key in m.reference}
    assert len(set(listed)) == len(listed) and not named & set(listed)
    assert named | set(listed) == {work.key for work in WORKS}


def test_short_forms():
    assert cited("burges2005") == "Burges et al. 2005, doi:10.1145/1102351.1102363"
    assert cited("wang2013").startswith("Wang et al. 2013, in Proceedings of the 26th")
    assert cited("made up for this talk") == "made up for this talk"


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: references("jarvelin2003"), "no reference 'jarvelin2003': did you mean jarvelin2002?"),
        (lambda: notation("r", "betta"), "no symbol 'betta': did you mean beta?"),
        (lambda: glossary("cut-off"), "no word 'cut-off': did you mean cutoff?"),
        (lambda: glossary("xyzzy"), "no word 'xyzzy'; there are query, document, "),
    ],
)
def test_an_unknown_key_is_answered_with_the_nearest(ask, said):
    with pytest.raises(DataError) as error:
        ask()
    assert str(error.value).startswith(said)


# Notation and glossary ----------------------------------------------------------------------------------------------------------------------


def test_tables_are_markdown_that_holds_together():
    for table in (notation(), glossary(), notation("r", "g"), second_sources()):
        lines = table._repr_markdown_().splitlines()
        assert len({line.count("|") for line in lines}) == 1 and set(lines[1]) <= set("| -")
        assert all(line.count("$") % 2 == 0 for line in lines)
    assert notation("g", "r").rows[0][0] == "$g_r$" and len(notation().rows) == len(NOTATION)


def test_the_glossary_has_the_words_of_the_project():
    assert set(WORDS) <= set(GLOSSARY)
    assert [row[0] for row in glossary("unjudged", "run").rows] == ["**unjudged**", "**run**"]
    assert all(text.endswith(".") and text[0].isupper() for text in GLOSSARY.values())


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_notation_covers_every_symbol_of_a_formula(measure):
    found = measures.symbols(measure.formula)
    missing = [sign for sign in found if sign not in NOTATION]
    assert found and not missing, f"the notation table lacks {missing} of {measure.formula}"


def test_symbols_are_taken_from_a_formula():
    assert measures.symbols(r"\frac{1}{R} \sum_{r=1}^{n} \mathrm{P@}r \cdot [g_r \ge \mathrm{rel}]") == ["R", "sum", "r", "n", "P", "g", "rel", "iverson"]
    assert measures.symbols(r"\mathrm{AP} + \text{a word} + \zeta") == [r"\zeta"]


# Keys in use --------------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_a_record_names_works_of_the_bibliography(measure):
    keys = [work.key for work in references(*measure.reference).works]
    assert keys and keys == list(measure.reference)
    assert all(f"Reference: {cited(key)}" in describe(measure) for key in keys)


@pytest.mark.parametrize("path", nbtools.notebooks(), ids=lambda path: path.stem)
def test_keys_in_a_notebook_are_known(path):
    known = {"references": {work.key for work in WORKS}, "notation": set(NOTATION), "glossary": set(GLOSSARY)}
    for cell in nbtools.read(path)["cells"]:
        if cell["cell_type"] != "code":
            continue
        for call in [part for part in ast.walk(ast.parse(nbtools.source(cell))) if isinstance(part, ast.Call) and isinstance(part.func, ast.Name)]:
            given = {part.value for part in call.args if isinstance(part, ast.Constant)} - {"betta"}  # asked for on purpose
            unknown = given - known[call.func.id] if call.func.id in known else set()
            assert not unknown, f"{path.name}: {call.func.id} has no {unknown}"


# Reference pages ----------------------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return api.pages() | measures.pages()


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_a_measure_has_a_page(pages, measure):
    page = pages[f"measure-{measure.name}"]
    assert page.startswith(f"# {measure.name}\n") and measure.question in page and f"$$\n{measure.formula}\n$$" in page
    assert all(f"| `{p.name}` |" in page and p.doc in page and all(f"`{choice}`" in page for choice in p.choices) for p in measure.params)
    assert measure.ignores in page and measure.pitfall in page and all(f"`{rule}`" in page for rule in measure.ties)
    assert all(f"| `{spelling.replace('{k}', '10')}` |" in page for spelling, _ in measure.aliases)
    assert references(*measure.reference).markdown in page


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_the_example_of_a_page_has_the_value_of_the_package(pages, measure):
    page, steps = pages[f"measure-{measure.name}"], measures.example(measure)
    code = re.search(r"```python\n(.*?)```", page, re.S)[1]
    names: dict = {}
    exec(code.rpartition("\n\n")[0], names)
    assert eval(code.rpartition("\n\n")[2], names).value == steps.value == pytest.approx(steps.measure(six["A"]), abs=1e-12)
    assert f"= {show(steps.value)}$$" in page
    alt = re.findall(r":alt: (.+)", page)
    assert len(alt) == 2 and alt[0] == alt[1] and show(steps.value) in alt[0]


def test_two_examples_have_the_values_worked_out_by_hand():
    assert show(measures.example(next(m for m in MEASURES if m.name == "nDCG")).value) == "0.6077"
    assert measures.example(next(m for m in MEASURES if m.name == "AP")).value == pytest.approx((1 / 1 + 2 / 2 + 3 / 4 + 4 / 5) / 7)


def test_a_page_has_a_picture_for_light_and_for_dark():
    both = measures.pictures(MEASURES[0])
    assert list(both) == ["measure-P.png", "measure-P-dark.png"]
    assert all(picture.startswith(b"\x89PNG") for picture in both.values()) and len(set(both.values())) == 2


def anchors(page: str) -> set[str]:
    return {re.sub(r"[^\w -]", "", heading).strip().replace(" ", "-").lower() for heading in re.findall(r"^#+ (.*)$", page, re.M)}


def test_links_of_the_pages_lead_somewhere(pages):
    made = {"bibliography.bib", *(f"measure-{m.name}{end}.png" for m in MEASURES for end in ("", "-dark"))}
    broken = []
    for name, page in pages.items():
        targets = re.findall(r"\]\(<?([^)>\s]+)>?\)", page) + re.findall(r"```\{image\} (\S+)", page)
        for target, _, anchor in [target.partition("#") for target in targets if not target.startswith("https://")]:
            other = pages.get(target.removesuffix(".md"), "") if target.endswith(".md") else ""
            if not (other and (not anchor or anchor in anchors(other)) or target in made or (ROOT / "nbs" / target).is_file()):
                broken.append(f"{name}: {target}#{anchor}")
    assert not broken, f"links that lead nowhere: {broken}"


def test_tables_of_the_pages_hold_together(pages):
    for name, page in pages.items():
        for table in re.findall(r"(?:^\|.*\n?)+", page, re.M):
            assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}) == 1, f"{name}: {table[:300]}"


def test_related_measures_exist_and_every_measure_has_some():
    names = {m.name for m in MEASURES}
    assert set(measures.RELATED) == names
    assert all(set(others) <= names - {name} and others for name, others in measures.RELATED.items())


def test_a_public_name_has_an_entry_with_its_parameters(pages):
    for module, names in api.modules().items():
        page = pages[f"api-{module.replace('.', '-')}"]
        for name in names:
            value = api._value(module, name)
            assert f"\n## {name}\n" in page and re.search(rf"\[`(?:{re.escape(module)}\.)?{name}`\]", pages["api"])
            if inspect.isfunction(value):
                entry = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
                assert all(parameter in entry for parameter in inspect.signature(value).parameters) and inspect.getdoc(value) in entry


def test_an_entry_explains_parameters_and_names_errors(pages):
    entry = pages["api-measures-set_based"].partition("\n## f_measure\n")[2].partition("\n## ")[0]
    assert "f_measure(precision, recall, beta=1) -> Worked" in entry
    assert "| `beta` | `float` | `1` | how many times as important recall is |" in entry
    assert "Errors: `MeasureError`." in entry
    fields = pages["api-hits"].partition("\n## Conventions\n")[2]
    assert "| `ties` | `str` | `'docid_desc'` |" in fields


def test_a_measure_of_ones_own_may_name_any_source():
    own = Measure("Own", lambda hits: hits.earn(1), "How many?", "n", ("a talk", "moffat2008"), "count")
    assert "Reference: a talk" in describe(own) and "Reference: Moffat and Zobel 2008, doi:10.1145/1416950.1416952" in describe(own)
