"""Run a file of worked cases against the public functions of rankmetrics_nb.

    python tests/run_cases.py FILE.json

FILE.json is a list of cases: an input, expected values by key, and the convention under which they hold. A key is
[query:]Measure[@k][|option=value,...]; without a query it stands for the mean over all judged queries. The key * holds a
behaviour in words ("error: ..." or "warn: ..."); it passes when an error or a note contains all of `must_mention` as whole words.
Every expectation key counts once: passed, failed, or skipped (a comparison whose measure is not said). A failure prints one
line, and the last line reads "N passed, N failed, N skipped". The exit code is 1 when something failed, else 0.
"""

import argparse
import base64
import json
import math
import os
import random
import re
import sys
import tempfile
import tracemalloc
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, Iterator, NamedTuple

import numpy as np

from rankmetrics_nb.comparison import adjust, compare, compare_values
from rankmetrics_nb.evaluation import evaluate
from rankmetrics_nb.files import read_qrels, read_run
from rankmetrics_nb.hits import CHOICES
from rankmetrics_nb.measure import Measure, MeasureError
from rankmetrics_nb.measures.catalogue import MEASURES, parse
from rankmetrics_nb.relevance import Ranking, from_scores

TOLERANCE = 1e-9
MAY_GROW = 20 * 2**20  # bytes that many evaluations may keep beyond those that five of them keep
STATM = Path("/proc/self/statm")
NOTES_OF_STEPS = 20  # of so many queries the notes of single values are read, besides those of the evaluation
OURS = {"self": "self_hits", "dup": "duplicates", "mean_rank": "MeanRank"}
COMPARES = {"p_value", "p", "mean_difference", "wins", "losses"}
TWO_SYSTEMS = {"a", "b", "a_rows", "b_rows", "p_values"}


class Result(NamedTuple):
    """What became of one expectation."""

    case: str
    key: str
    outcome: str  # passed, failed or skipped
    expected: Any = None
    got: Any = None


@dataclass
class Seen:
    """What an evaluation did: values by form of the input, notes, or an error."""

    values: list[tuple[str, float]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    error: Exception | None = None

    @property
    def refused(self) -> bool:
        """Was the input refused with an error that is meant for people?"""
        return isinstance(self.error, ValueError)

    def __str__(self) -> str:
        if self.error is not None:
            return f"{type(self.error).__name__}: {self.error}"
        return "; ".join(f"{value!r}{f' ({form})' if form else ''}" for form, value in self.values) or "no error; notes: " + " | ".join(self.notes)


# Keys ------------------------------------------------------------------------------------------------------------------


class Key(NamedTuple):
    """An expectation key, taken apart."""

    system: str  # run or run_b
    query: str | None
    measure: str
    k: str | None
    options: dict[str, Any]


def read_key(text: str) -> Key:
    """Take a key apart: [run_b/][query:]Measure[@k][|option=value,...]."""
    found = re.fullmatch(r"(?:(run_b)/)?(?:(.*):)?([A-Za-z0-9_]+)(?:@([^|]+))?(?:\|(.*))?", text, re.S)
    if not found:
        raise MeasureError(f"cannot read the key {text!r}")
    system, query, measure, k, options = found.groups()
    return Key(system or "run", query, OURS.get(measure, measure), k, dict(option(part) for part in (options or "").split(",") if part))


def option(text: str) -> tuple[str, Any]:
    """`name=value` in our words, numbers as numbers."""
    name, _, value = text.partition("=")
    return OURS.get(name, name), number(value)


def number(text: Any) -> Any:
    """Text as the number that it writes, if it writes one."""
    if isinstance(text, str) and re.fullmatch(r"[+-]?\d+", text):
        return int(text)
    if isinstance(text, str) and re.fullmatch(r"[+-]?(\d+\.\d*|\.?\d+)(e[+-]?\d+)?", text, re.I):
        return float(text)
    return {float(grade): gain for grade, gain in text.items()} if isinstance(text, dict) else text


def compares(case: dict, key: str) -> bool:
    """Does the expectation need two systems? Those of a second run alone do not."""
    return bool(TWO_SYSTEMS & set(case["input"])) or (key != "*" and read_key(key).measure in COMPARES)


def configured(case: dict, key: Key) -> tuple[Measure, dict[str, str]]:
    """The measure of a key with its parameters, and the conventions that the key asks for."""
    params = {OURS.get(name, name): number(value) for name, value in case["input"].get("params", {}).items()}
    name = params.pop("measure", key.measure)
    measure = parse(name if key.k is None else f"{name}@{key.k}")
    known = {name for m in MEASURES for name in [p.name for p in m.params]} | set(CHOICES)
    apply = {name: value for name, value in params.items() if measure.has(name) or name not in known or name in CHOICES} | key.options
    settings = {name: value for name, value in apply.items() if name not in CHOICES}
    if measure.has("gain"):
        settings.setdefault("gain", "linear")
    return measure.set(**settings), {name: value for name, value in apply.items() if name in CHOICES}


# Inputs ----------------------------------------------------------------------------------------------------------------


def on_disk(folder: Path, name: str, case: dict) -> Iterator[tuple[str, Path]]:
    """The files of one side, byte for byte: as text, as gzip, and as gzip under a name that ends in .gz."""
    texts, zipped = case["input"].get(f"{name}_text"), case["input"].get(f"{name}_gz_base64")
    files = [("text", name, texts.encode())] if texts is not None else []
    if zipped is not None:
        files += [("gzip", f"zipped_{name}", base64.b64decode(zipped)), (".gz", f"{name}.gz", base64.b64decode(zipped))]
    for form, file, data in files:
        (folder / file).write_bytes(data)
        yield form, folder / file


def orders(run: dict[str, dict], case: dict) -> Iterator[tuple[str, dict]]:
    """A run as it is, and in forms that may change nothing: lines reversed, lines shuffled, scores in single precision."""
    yield "", run
    if any("ties=input" in key for key in case["expect"]):
        return
    yield "reversed", {q: dict(reversed(docs.items())) for q, docs in reversed(run.items())}
    mixed = {q: list(docs.items()) for q, docs in run.items()}
    for docs in mixed.values():
        random.Random(0).shuffle(docs)
    yield "shuffled", {q: dict(docs) for q, docs in mixed.items()}
    scores = [s for docs in run.values() for s in docs.values()]
    if all(isinstance(s, (int, float)) and not isinstance(s, bool) and abs(s) < 3e38 and float(np.float32(s)) == s for s in scores):
        yield "np.float32", {q: {d: np.float32(s) for d, s in docs.items()} for q, docs in run.items()}


def ranked(docs: Any, query_ids: tuple[str, ...]) -> Any:
    """Ids in rank order as a run; the score falls by one from rank to rank. A flat list answers the first judged query."""
    if isinstance(docs, list):
        docs = dict(zip(query_ids, docs if docs and isinstance(docs[0], list) else [docs]))
    if any(len(set(map(str, ids))) < len(ids) for ids in docs.values()):
        return [[q, doc, len(ids) - i] for q, ids in docs.items() for i, doc in enumerate(ids)]
    return {q: {doc: len(ids) - i for i, doc in enumerate(ids)} for q, ids in docs.items()}


def generated(generator: dict) -> tuple[dict, dict]:
    """Queries q0, q1, ... with documents di_0, di_1, ... by falling score; every n-th is relevant."""
    n, every, first = generator["docs"], generator["relevant_every"], generator["first_relevant_rank"]
    docs = {f"q{i}": [f"d{i}_{j}" for j in range(n)] for i in range(generator["queries"])}
    qrels = {q: dict.fromkeys(ids[first - 1 :: every], 1) for q, ids in docs.items()}
    return qrels, {q: {d: n - j for j, d in enumerate(ids)} for q, ids in docs.items()}


def typed_pair(grades: list, num_rel: int | None) -> tuple[Any, Any]:
    """A typed ranking as judgements and run of one query."""
    ranking = Ranking.of(grades, n_relevant=num_rel)
    judged = [*zip(ranking.doc_ids, ranking.grades), *((f"lost{i}", g) for i, g in enumerate(ranking.unretrieved, 1))]
    run = {doc: len(ranking) - i for i, doc in enumerate(ranking.doc_ids)}
    return {"q": {doc: grade for doc, grade in judged if grade is not None}}, {"q": run}


def sides(case: dict, system: str, folder: Path) -> tuple[list, list]:
    """The forms of the judgements and of the run: (name, what read_qrels or read_run takes)."""
    given = case["input"]
    qrels: list[tuple[str, Any]] = list(on_disk(folder, "qrels", case))
    runs: list[tuple[str, Any]] = list(on_disk(folder, system, case))
    if "generator" in given:
        judgements, run = generated(given["generator"])
        return [("", judgements)], [("", run)]
    if "y_true" in given:
        judgements, run = from_scores(given["y_true"], given["y_score"])
        return [("", judgements)], [("", run)]
    if "relevances" in given:
        judgements, run = typed_pair(given["relevances"], given.get("num_rel"))
        return [("", judgements)], [("", run)]
    if "qrels_rows" in given:
        qrels.append(("rows", given["qrels_rows"]))
    if "qrels" in given:
        flat = not all(isinstance(docs, dict) for docs in given["qrels"].values())
        qrels.append(("", {"q": given["qrels"]} if flat else given["qrels"]))
    if f"{system}_rows" in given:
        runs.append(("rows", given[f"{system}_rows"]))
    if system in given:
        runs += orders(given[system], case) if isinstance(given[system], dict) else [("", given[system])]
    if "ranked_docs" in given and qrels:
        runs.append(("", ranked(given["ranked_docs"], read_qrels(qrels[0][1]).query_ids)))
    if not qrels or not runs:
        raise NotImplementedError(f"an input of {', '.join(given)}")
    return qrels, runs


# Evaluation ------------------------------------------------------------------------------------------------------------


def see(case: dict, keys: list[Key], folder: Path) -> list[Seen]:
    """What the package does with the keys; those of equal conventions are evaluated in one call."""
    seen, groups = [Seen() for _ in keys], {}
    for i, key in enumerate(keys):
        try:
            measure, fields = configured(case, key)
            typed = "relevances" in case["input"] and not set(fields) - {"norel"}
            groups.setdefault((key.system, typed, *sorted(fields.items())), []).append((i, measure, key.query))
        except Exception as error:
            seen[i].error = error
    for (system, typed, *fields), wanted in groups.items():
        for i, result in evaluated(case, system, typed, dict(fields), wanted, folder):
            seen[i] = result
    return seen


def evaluated(case: dict, system: str, typed: bool, fields: dict, wanted: list, folder: Path) -> Iterator[tuple[int, Seen]]:
    """What is seen of some measures under the same conventions; where one of them is refused, they are tried one by one."""
    try:
        together = by_steps(case, fields, wanted) if typed else by_evaluation(case, system, fields, wanted, folder)
        yield from zip([i for i, _, _ in wanted], together)
    except Exception as error:
        if len(wanted) == 1:
            error.args = (str(error).replace(f"{folder}/", ""),)
            yield wanted[0][0], Seen(error=error)
        else:
            for one in wanted:
                yield from evaluated(case, system, typed, fields, [one], folder)


def by_steps(case: dict, fields: dict, wanted: list) -> list[Seen]:
    """The values of a typed ranking, from the measure itself."""
    given, out = case["input"], []
    for _, measure, _ in wanted:
        steps = measure.explain(given["relevances"], n_relevant=given.get("num_rel"), **fields)
        again = measure(given["relevances"], n_relevant=given.get("num_rel"))
        out.append(Seen([("", steps.value)] + ([] if fields else [("called", again)]), list(steps.notes)))
    return out


def by_evaluation(case: dict, system: str, fields: dict, wanted: list, folder: Path) -> list[Seen]:
    """The values of whole runs, for every form of the input."""
    out = [Seen() for _ in wanted]
    for (left, qrels), (right, run) in product(*sides(case, system, folder)):
        duplicates = fields.get("duplicates", "error")
        qrels, run = read_qrels(qrels, duplicates=duplicates), read_run(run, duplicates=duplicates)
        result = repeated(case, partial(evaluate, qrels, run, [m for _, m, _ in wanted], **fields))
        for seen, (_, measure, query) in zip(out, wanted):
            values = result.per_query[str(measure)]
            seen.values.append((", ".join(filter(None, (left, right))), result.mean[str(measure)] if query is None else values[query]))
            seen.notes += [*result.notes, *(n for q in result.query_ids[:NOTES_OF_STEPS] for n in result.explain(measure, q).notes)]
            seen.notes = [note.replace(f"{folder}/", "") for note in dict.fromkeys(seen.notes)]
    return out


def memory() -> int:
    """The bytes that this process holds: as the system counts them where it tells (Linux), else as Python does."""
    if not STATM.exists():
        tracemalloc.start()
        return tracemalloc.get_traced_memory()[0]
    return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def repeated(case: dict, action: Any) -> Any:
    """The result of the last of `calls` calls; all must give the same values, and those after the fifth may not keep memory."""
    calls = case["input"].get("calls") or case["input"].get("generator", {}).get("calls", 1)
    first = result = action()
    for call in range(2, calls + 1):
        result = action()
        if call == 5:
            early = memory()
        if any(not np.array_equal(first.values[name], result.values[name], equal_nan=True) for name in first.values):
            raise RuntimeError(f"call {call} gives other values than call 1")
    grown = memory() - early if calls > 5 else 0
    if grown > MAY_GROW:
        raise RuntimeError(f"{grown / 2**20:.1f} MiB more are in use after call {calls} than after call 5")
    return result


# Comparison -----------------------------------------------------------------------------------------------------------------


def compared(case: dict, key: Key, folder: Path) -> Seen:
    """What the package says about two systems, or about several p-values; a difference is that of the first less the second."""
    given, options = case["input"], key.options
    try:
        if "p_values" in given:
            raw = given["p_values"] if isinstance(given["p_values"], dict) else dict(enumerate(given["p_values"]))
            adjusted = dict(zip(map(str, raw), adjust(raw.values(), options.get("correction", "none"))))
            return Seen([("", adjusted[key.query] if key.query is not None else list(adjusted.values()))])
        test = options.get("test", "randomization")
        result = compare_values(*systems(given), test=test) if "run_b" not in given else compare_runs(case, key, test, folder)
    except Exception as error:
        return Seen(error=error)
    pair = result.pair()
    return Seen([("", pair.p_value if key.measure in ("p_value", "p") else getattr(pair, key.measure))], [*result.notes, *pair.sentences])


def systems(given: dict) -> list:
    """The second system and the first: the package takes the earlier one as the baseline."""
    return [given.get(name) or given.get(f"{name}_rows") for name in ("b", "a")]


def compare_runs(case: dict, key: Key, test: str, folder: Path) -> Any:
    """Two runs compared under the measure that the case names."""
    measure, fields = configured(case, key._replace(measure=compared_measure(case), options={n: v for n, v in key.options.items() if n in CHOICES}))
    (_, qrels), *_ = sides(case, "run", folder)[0]
    runs = [sides(case, system, folder)[1][0][1] for system in ("run_b", "run")]
    return compare(qrels, runs, [measure], names=["second", "first"], test=test, **fields)


def compared_measure(case: dict) -> str | None:
    """The measure under which two runs are compared: that of `params`, or the only one among the keys."""
    named = {read_key(key).measure + (f"@{read_key(key).k}" if read_key(key).k else "") for key in case["expect"] if key != "*" and read_key(key).measure not in COMPARES}
    return case["input"].get("params", {}).get("measure") or (named.pop() if len(named) == 1 else None)


# Judgement -------------------------------------------------------------------------------------------------------------


def equal(value: Any, expected: Any) -> bool:
    """Is the value as expected? "nan" means nan; a list is compared item by item."""
    if isinstance(value, list):
        return isinstance(expected, list) and len(value) == len(expected) and all(map(equal, value, expected))
    if expected in ("nan", None):
        return math.isnan(value)
    return abs(value - float(expected)) <= TOLERANCE or value == expected


def mentions(text: str, parts: list) -> bool:
    """Does a text contain all parts as whole words?"""
    return all(re.search(rf"(?<!\w){re.escape(str(part))}(?!\w)", text) for part in parts)


def behaves(case: dict, seen: list[Seen], behaviour: str) -> bool:
    """Did the behaviour show: an error or a note that contains all that must be mentioned?"""
    parts = case.get("must_mention") or []
    errors = [str(s.error) for s in seen if s.refused]
    notes = [note for s in seen for note in s.notes]
    said = errors + notes if parts else errors if behaviour.startswith("error") else notes
    return any(mentions(text, parts) for text in said)


def holds(case: dict, key: str, seen: Seen) -> bool:
    """Is the value of a key right in every form, and never the wrong one?"""
    if seen.error is not None or not seen.values:
        return False
    right = [answers[key] for answers in (case["expect"], case.get("alternative", {})) if key in answers]
    wrong = [case["wrong"][key]] if key in case.get("wrong", {}) else []
    return all((not right or any(equal(v, r) for r in right)) and not any(equal(v, w) for w in wrong) for _, v in seen.values)


def otherwise(case: dict, seen: list[Seen]) -> bool:
    """Did the alternative behaviour happen, so that the values it replaces need not hold?"""
    other = case.get("alternative", {}).get("*", "")
    return bool(other) and behaves(case, seen, other) and (any(s.refused for s in seen) or not other.startswith("error"))


def check_cutoffs(case: dict) -> Result:
    """Every cutoff that is no positive whole number is refused by name; None means the whole list."""
    said = []
    for k in case["input"]["k_values"]:
        valid = k is None or (isinstance(k, int) and not isinstance(k, bool) and k >= 1)
        for measure in (m for m in MEASURES if m.has("k")):
            try:
                value = measure.set(k=k)(case["input"].get("relevances", [1]))
                fine = valid and math.isfinite(value)
                said.append(f"{measure}: k = {k!r} gives {value}")
            except ValueError as error:
                fine = not valid and mentions(str(error), ["k", repr(k)])
                said.append(str(error))
            if not fine:
                return Result(case["id"], "*", "failed", case["expect"]["*"], said[-1])
    return Result(case["id"], "*", "passed")


def check_behaviour(case: dict, seen: list[Seen]) -> Result:
    """The result of the key *."""
    if "k_values" in case["input"]:
        return check_cutoffs(case)
    expected = case["expect"]["*"]
    values = {key: value for key, value in case.get("alternative", {}).items() if key != "*"}
    good = behaves(case, seen, expected) or otherwise(case, seen)
    good = good or bool(values) and all(s.values and all(equal(v, values[k]) for _, v in s.values) for k, s in zip(values, seen[-len(values) :]))
    return Result(case["id"], "*", "passed" if good else "failed", expected, " / ".join(dict.fromkeys(map(str, seen))))


def look(case: dict, keys: list[str], folder: Path) -> list[Seen]:
    """What the package does with some keys: evaluations together, comparisons one by one."""
    plain = [key for key in keys if not compares(case, key)]
    evaluations = dict(zip(plain, see(case, [read_key(key) for key in plain], folder)))
    return [evaluations[key] if key in evaluations else compared(case, read_key(key), folder) for key in keys]


def unsaid(case: dict, key: str) -> bool:
    """Is this a comparison of two runs for which no measure is named?"""
    return "run_b" in case["input"] and key != "*" and compares(case, key) and compared_measure(case) is None


def check_case(case: dict) -> list[Result]:
    """The results of one case, one per expectation key."""
    everything = list(dict.fromkeys([*case["expect"], *case.get("wrong", {})]))
    skipped = [Result(case["id"], key, "skipped") for key in everything if unsaid(case, key)]
    keys = [key for key in everything if key != "*" and not unsaid(case, key)]
    default = ["p"] if "p_values" in case["input"] else ["p_value|test=randomization", "p_value|test=t"] if TWO_SYSTEMS & set(case["input"]) else ["AP", "nDCG"]
    extra = [key for key in case.get("alternative", {}) if key != "*"]
    with tempfile.TemporaryDirectory() as folder:
        seen = look(case, [*(keys or default), *extra], Path(folder))
    replaced = otherwise(case, seen)
    wanted = case["expect"] | {key: f"not {value}" for key, value in case.get("wrong", {}).items() if key not in case["expect"]}
    results = [Result(case["id"], key, "passed" if replaced or holds(case, key, s) else "failed", wanted[key], str(s)) for key, s in zip(keys, seen)]
    return skipped + results + ([check_behaviour(case, seen)] if "*" in case["expect"] else [])


def main() -> int:
    """Run the cases of a file and say how many passed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, metavar="FILE.json", help="a list of cases")
    try:
        cases = json.loads(parser.parse_args().file.read_bytes())
    except (OSError, ValueError) as error:
        parser.error(f"no cases: {error}")
    results = [result for case in cases for result in check_case(case)]
    for result in results:
        if result.outcome == "failed":
            print(f"{result.case}  {result.key}  expected {result.expected!r}, got {result.got}")
    print(", ".join(f"{sum(r.outcome == outcome for r in results)} {outcome}" for outcome in ("passed", "failed", "skipped")))
    return int(any(r.outcome == "failed" for r in results))


if __name__ == "__main__":
    sys.exit(main())
