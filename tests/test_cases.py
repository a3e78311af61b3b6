"""The worked cases of tests/cases/cases.json, and the program that runs them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import run_cases

HERE = Path(__file__).parent
CASES = json.loads((HERE / "cases" / "cases.json").read_bytes())


def outcomes(case):
    """The outcome of every key of a case, without the case's name."""
    return {result.key: result.outcome for result in run_cases.check_case({"id": "case"} | case)}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case):
    results = run_cases.check_case(case)
    failed = [f"{r.key}: expected {r.expected}, got {r.got}" for r in results if r.outcome == "failed"]
    assert not failed, "\n".join(failed)
    assert all(r.outcome == "passed" for r in results)


# Two relevant documents, a and c; the list is a, x, c: AP = (1/1 + 2/3)/2, P@2 = 1/2.
ANSWER = {"AP": 5 / 6, "P@2": 0.5}
FORMS = {
    "flat qrels and ranked ids": {"qrels": {"a": 1, "c": 1}, "ranked_docs": ["a", "x", "c"]},
    "ranked ids by query": {"qrels": {"7": {"a": 1, "c": 1}}, "ranked_docs": {"7": ["a", "x", "c"]}},
    "ranked ids as rows": {"qrels": {"7": {"a": 1, "c": 1}}, "ranked_docs": [["a", "x", "c"]]},
    "rows with whole numbers as ids": {"qrels_rows": [[7, 1, 1], [7, 3, 1]], "run_rows": [[7, 1, 0.9], [7, 2, 0.8], ["7", "3", 0.7]]},
    "rows and ranked ids": {"qrels_rows": [[7, 1, 1], [7, 3, 1]], "ranked_docs": [1, 2, 3]},
    "labels and scores": {"y_true": [1, 1, 0], "y_score": [0.9, 0.1, 0.5]},
    "texts": {"qrels_text": "7 0 a 1\r\n7 0 c 1\r\n", "run_text": "7 Q0 a 1 3 t\n7 Q0 x 2 2 t\n7 Q0 c 3 1 t"},
    "text and dict": {"qrels_text": "7 0 a 1\n7 0 c 1\n", "run": {"7": {"a": 3, "x": 2, "c": 1}}},
    "grades in rank order": {"relevances": [1, 0, 1]},
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_input_is_understood(form):
    assert outcomes({"input": FORMS[form], "expect": ANSWER}) == dict.fromkeys(ANSWER, "passed")
    assert outcomes({"input": FORMS[form], "expect": {"AP": 0.8, "P@2": 0.5}}) == {"AP": "failed", "P@2": "passed"}


def test_keys_have_queries_options_and_our_words():
    given = {"qrels": {"a": {"a": 1, "b": 1}, "z": {"b": 1}}, "run": {"a": {"a": 2, "b": 1}, "z": {"c": 1, "b": 0.5}}}
    expect = {"a:mean_rank": 1, "z:mean_rank": 2, "mean_rank": 1.5, "a:P@2|denom=k,self=remove": 0.5, "z:P@2|self=remove": 0.5}
    assert set(outcomes({"input": given, "expect": expect}).values()) == {"passed"}


def test_params_hold_for_every_key():
    given = {"qrels": {"q": {"a": 2, "b": 1}}, "run": {"q": {"b": 2, "a": 1}}}
    assert outcomes({"input": given | {"params": {"rel": 2}}, "expect": {"RR": 0.5, "P@1": 0}}) == {"RR": "passed", "P@1": "passed"}
    assert outcomes({"input": given | {"params": {"p": 1.5}}, "expect": {"*": "error: p"}, "must_mention": ["p", "1.5"]}) == {"*": "failed"}  # AP has no p
    assert outcomes({"input": given | {"params": {"p": 1.5}}, "expect": {"RBP": 0, "*": "error: p"}, "must_mention": ["p", "1.5"]})["*"] == "passed"
    assert outcomes({"input": given | {"params": {"measure": "ndgc"}}, "expect": {"*": "error"}, "must_mention": ["ndgc"]}) == {"*": "passed"}


def test_missing_values_are_nan():
    given = {"qrels": {"q": {"a": 0}}, "run": {"q": {"a": 1}}}
    expect = {"AP|norel=skip": "nan", "q:AP|norel=nan": "nan", "AUC": "nan", "AP": 0}
    assert set(outcomes({"input": given, "expect": expect}).values()) == {"passed"}


def test_a_wrong_value_fails_its_key():
    assert outcomes({"input": {"relevances": [1, 0]}, "expect": {}, "wrong": {"AP": 1.0}}) == {"AP": "failed"}
    assert outcomes({"input": {"relevances": [1, 0]}, "expect": {}, "wrong": {"AP": 0.5}}) == {"AP": "passed"}


def test_whole_words_must_be_mentioned():
    repeated = {"run_text": "301 Q0 D7 1 2.5 t\n301 Q0 D7 2 1.5 t\n", "qrels_text": "301 0 D7 1\n"}
    for parts, outcome in (([], "passed"), (["line 2", "301"], "passed"), (["30"], "failed"), (["D7", "nothing"], "failed")):
        assert outcomes({"input": repeated, "expect": {"*": "error: repeated"}, "must_mention": parts}) == {"*": outcome}


def test_an_alternative_counts():
    half = {"qrels_text": "q 0 a 0.5\n", "run_text": "q Q0 a 1 nan t\n"}
    refused = {"input": half, "expect": {"RR": 1.0}, "alternative": {"*": "error: not a number"}}
    assert outcomes(refused) == {"RR": "passed"}
    assert outcomes(refused | {"must_mention": ["another reason"]}) == {"RR": "failed"}
    either = {"input": {"relevances": [1, 0]}, "expect": {"*": "error: refused", "AP": 0.1}, "alternative": {"AP": 1.0}}
    assert outcomes(either) == {"AP": "passed", "*": "passed"}


def test_cutoffs_that_are_refused_and_accepted():
    given = {"relevances": [1, 0, 1]}
    good = {"input": given | {"k_values": [0, -1, 2.5, "3", True, None, 2]}, "expect": {"*": "error: k"}}
    assert outcomes(good) == {"*": "passed"}


def test_two_systems():
    """Four queries, all 0.1 better: 2 of 16 patterns of signs are as far from 0."""
    given = {"a": {"q1": 0.9, "q2": 0.1, "q3": 0.6, "q4": 0.4}, "b_rows": [["q4", 0.3], ["q3", 0.5], ["q2", 0.0], ["q1", 0.8]]}
    expect = {"p_value": 0.125, "p|test=randomization": 0.125, "mean_difference": 0.1, "wins": 4, "losses": 0, "p_value|test=t": "nan", "*": "warn: all differences are equal"}
    assert set(outcomes({"input": given, "expect": expect, "must_mention": ["t-test", "undefined"]}).values()) == {"passed"}
    assert outcomes({"input": given, "expect": {"wins": 3, "p_value": 0.125}}) == {"wins": "failed", "p_value": "passed"}


def test_two_runs():
    two = {"qrels": {"q": {"a": 1}, "r": {"a": 1}}, "run": {"q": {"a": 1}, "r": {"a": 1}}, "run_b": {"q": {"x": 2, "a": 1}, "r": {"a": 1}}}
    expect = {"RR": 1, "run_b/RR": 0.75, "run_b/q:RR": 0.5, "mean_difference": 0.25, "wins": 1, "losses": 0, "p_value": 1}
    assert set(outcomes({"input": two, "expect": expect}).values()) == {"passed"}
    assert outcomes({"input": two | {"params": {"measure": "RR"}}, "expect": {"mean_difference": 0.25}}) == {"mean_difference": "passed"}
    assert outcomes({"input": two, "expect": {"RR": 1, "P@1": 1, "wins": 1}}) == {"RR": "passed", "P@1": "passed", "wins": "skipped"}, "wins under which measure?"


def test_several_p_values():
    given = {"p_values": [0.01, 0.04]}
    assert outcomes({"input": given, "expect": {"p|correction=holm": [0.02, 0.04], "p|correction=bonferroni": [0.02, 0.08], "p": [0.01, 0.04]}}) == dict.fromkeys(("p|correction=holm", "p|correction=bonferroni", "p"), "passed")
    named = {"p_values": {"a": 0.01, "b": 0.04}}
    assert outcomes({"input": named, "expect": {"b:p|correction=holm": 0.04, "a:p|correction=holm": 0.04}}) == {"b:p|correction=holm": "passed", "a:p|correction=holm": "failed"}
    assert outcomes({"input": {"p_values": [1.5]}, "expect": {"*": "error: no p-value"}, "must_mention": ["1.5"]}) == {"*": "passed"}


def test_an_unknown_form_of_input_fails_and_is_named():
    (result,) = run_cases.check_case({"id": "odd", "input": {"clicks": [1]}, "expect": {"AP": 1}})
    assert result.outcome == "failed" and "clicks" in result.got


def program(path):
    """Run the program as a person does."""
    return subprocess.run([sys.executable, HERE / "run_cases.py", path], capture_output=True, text=True)


def test_the_program_counts_keys_and_fails_with_a_line(tmp_path):
    cases = [
        {"id": "good", "input": {"relevances": [1, 0, 1]}, "expect": ANSWER},
        {"id": "bad", "input": {"relevances": [1, 0, 1]}, "expect": {"AP": 0.75}},
        {"id": "two", "input": {"qrels": {"q": {"a": 1}}, "run": {"q": {"a": 1}}, "run_b": {"q": {"a": 1}}}, "expect": {"p_value": 1}},
    ]
    (tmp_path / "cases.json").write_text(json.dumps(cases))
    done = program(tmp_path / "cases.json")
    lines = done.stdout.splitlines()
    assert done.returncode == 1, done.stderr
    assert lines[-1] == "2 passed, 1 failed, 1 skipped"
    assert len(lines) == 2 and all(part in lines[0] for part in ("bad", "AP", "0.75", "0.8333"))
    (tmp_path / "cases.json").write_text(json.dumps(cases[:1]))
    done = program(tmp_path / "cases.json")
    assert (done.returncode, done.stdout) == (0, "2 passed, 0 failed, 0 skipped\n")
