"""The chapters as a reader sees them: their plan, numbers in the prose that the cells bear out, cells that can be read at a glance, spelling."""

import re
import subprocess
import sys

import nbtools
import needs
import pytest
from nbtools import NBS, ROOT, source

CHAPTERS = ("00_relevance", "20_measures.set_based", "22_measures.cutoffs", "24_measures.pr_curve", "26_measures.average_precision", "28_measures.first_hit",
            "30_measures.dcg", "32_measures.user_models")
PLAN = ("The wrong way", "The idea", "The formula", "By hand", "From scratch", "All queries at once", "See it", "Play", "Pitfalls and conventions", "Summary", "Exercises", "References")
WORDS, CELLS, EXERCISES = range(1900, 3201), range(40, 91), range(6, 11)
TEACHING, EXPORTED = (12, 88), (30, 100)  # lines, columns
DECIMAL = re.compile(r"(?<![\w.,/-])(\d+\.\d{2,})(?![\w.]*\d)( ?%| per cent)?|(?<![\w.,/-])(\d+\.\d)( ?%| per cent)")
NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e-?\d+)?")
# Addresses, code, versions, and what others say: a number that is quoted stands in quotation marks.
ELSEWHERE = re.compile(r"https?://\S+|\]\([^)]*\)|10\.\d{4,}/\S+|arXiv:\S+|```.*?```|`[^`]*`|\b3\.1\d\b|\"[\d.%, ]+\"", re.S)


def cells(name: str, kind: str) -> list[dict]:
    return [cell for cell in nbtools.read(NBS / f"{name}.ipynb")["cells"] if cell["cell_type"] == kind]


def prose(name: str) -> str:
    return "\n\n".join(source(cell) for cell in cells(name, "markdown"))


def shown(cell: dict) -> str:
    """What a code cell says: its code, its text outputs."""
    texts = [source(cell)]
    for out in cell["outputs"]:
        parts = [out["text"]] if out["output_type"] == "stream" else [data for kind, data in out.get("data", {}).items() if kind.startswith("text/")]
        texts += ["".join(part) for part in parts]
    return "\n".join(texts)


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_keeps_to_the_plan(name):
    heads = re.findall(r"^## (.+)$", prose(name), re.M)
    assert [head for head in heads if head in PLAN] == list(PLAN), f"these headings belong into a chapter, in this order: {', '.join(PLAN)}"
    assert re.match(r"# \S.*\n+> \S", prose(name)), "a chapter starts with its title and one line under it"


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_is_as_long_as_a_lesson(name):
    text = re.sub(r"\$\$[\s\S]*?\$\$|\$[^$\n]*\$|^#.*$|</?\w+[^>]*>", " ", prose(name), flags=re.M)
    assert len(text.split()) in WORDS
    assert len(cells(name, "code")) in CELLS


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_exercise_has_a_folded_solution_that_runs(name):
    asked = re.findall(r"^\*\*Exercise (\d+), by hand|^\*\*Exercise (\d+), by code|^\*\*Exercise (\d+)", prose(name), re.M)
    numbers = [int(next(filter(None, groups))) for groups in asked]
    assert len(numbers) in EXERCISES and numbers == list(range(1, len(numbers) + 1))
    told = {int(n) for n in re.findall(r"<details>\s*<summary>Solution (\d+)", prose(name))}
    run = {int(n) for cell in cells(name, "code") for n in re.findall(r"\A# Solution (\d+)", source(cell))}
    assert told | run == set(numbers), "each exercise has a solution and each solution an exercise"
    assert len(run) >= 3, "solutions that are code run in the checks"
    kinds = re.findall(r"^\*\*Exercise \d+, (by hand|by code|a proof|a bound|a judgement)", prose(name), re.M)
    assert len(kinds) == len(numbers) and kinds.count("by hand") >= 2 and kinds.count("by code") >= 2 and {"a judgement"} < set(kinds), f"kinds of exercises: {kinds}"


def stray(path) -> list[str]:
    """Decimal numbers in the prose of a notebook that no cell up to the end of their section shows; what is said before the first heading may come from any cell."""
    sections, told = [[]], []
    for cell in nbtools.read(path)["cells"]:
        if cell["cell_type"] == "markdown":
            for part in re.split(r"^(?=## )", source(cell), flags=re.M):
                if part.startswith("## "):
                    sections.append([])
                told.append((len(sections), ELSEWHERE.sub(" ", part)))
        else:
            sections[-1] += [float(number) for number in NUMBER.findall(shown(cell))]
    found = []
    for place, text in told:
        known = [x for section in sections[: place if place > 1 else None] for x in section]
        for match in DECIMAL.finditer(text):
            digits = match[1] or match[3]
            half = 0.5000001 * 10.0 ** -len(digits.partition(".")[2])
            scales = (1, 100) if match[2] or match[4] else (1,)
            if not any(abs(x * scale - float(digits)) <= half for x in known for scale in scales):
                found.append(match[0])
    return found


@pytest.mark.parametrize("path", nbtools.notebooks(), ids=lambda path: path.stem)
def test_numbers_in_the_prose_are_those_of_the_cells(path):
    assert not stray(path), "no cell up to the end of the section shows these numbers: correct them, or show the cell that they come from"


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_cell_can_be_read_at_a_glance(name):
    wrong = []
    for cell in cells(name, "code"):
        lines = source(cell).splitlines()
        most, wide = EXPORTED if nbtools.EXPORTED.search(source(cell)) else TEACHING
        if len(lines) > most or max(map(len, lines), default=0) > wide:
            wrong.append(f"{cell['id']}: {len(lines)} lines, {max(map(len, lines))} columns: {lines[0][:60]}")
    assert not wrong, "split or wrap these cells:\n" + "\n".join(wrong)


def test_spelling(tmp_path):
    needs.module("codespell_lib")
    for path in nbtools.notebooks():
        (tmp_path / f"{path.stem}.md").write_text("\n\n".join(source(cell) for cell in nbtools.read(path)["cells"]), encoding="utf-8")
    files = [str(tmp_path), "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "gui", "docs", "benchmarks"]
    done = subprocess.run([sys.executable, "-m", "codespell_lib", "--ignore-words-list", "caf,mapp,datas", *files], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
