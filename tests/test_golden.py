"""Values that others computed on small public files: tests/cases/data, with MANIFEST.json and trec_eval's own outputs."""

import gzip
import json
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from rankmetrics_nb import evaluate, parse, read_qrels, read_run
from rankmetrics_nb.measures.catalogue import trec_name

DATA = Path(__file__).parent / "cases" / "data"
MANIFEST = json.loads((DATA / "MANIFEST.json").read_text())
PAIRS = [entry for entry in MANIFEST if "run" in entry]


def house(name):
    """A name of the manifest as a measure of ours; its nDCG has the linear gain."""
    return parse(name).set(gain="linear") if name.startswith("nDCG") else parse(name)


def both(entry):
    """The judgements and the run of an entry."""
    return read_qrels(DATA / entry["qrels"]), read_run(DATA / entry["run"])


def near(value):
    return pytest.approx(value, abs=1e-9, rel=0)


@pytest.mark.parametrize("entry", PAIRS, ids=lambda e: e["run"])
def test_values_of_the_manifest(entry):
    names = {name: house(name) for name in entry["mean"]}
    qrels, run = both(entry)
    result = evaluate(qrels, run, names.values())
    common = evaluate(qrels, run, names.values(), missing="skip")
    for name, measure in names.items():
        assert dict(result.per_query[measure]) == near({q: values[name] for q, values in entry["per_query"].items()})
        assert result.mean[measure] == near(entry["mean"][name])
        assert common.mean[measure] == near(entry["mean_over_common_queries"][name])
        assert result.n[measure] == len(qrels) and common.n[measure] == len(set(qrels) & set(run))


def test_values_under_trec_evals_names():
    entry = PAIRS[0]
    names = {"map": "AP", "ndcg": "nDCG", "ndcg_cut_10": "nDCG@10", "P_5": "P@5", "recall_100": "R@100", "recip_rank": "RR", "Rprec": "Rprec", "bpref": "bpref", "success_10": "Success@10"}
    result = evaluate(*both(entry), names)
    assert {name: result.mean[name] for name in names} == near({name: entry["mean"][theirs] for name, theirs in names.items()})


@pytest.mark.parametrize("name", ["qrels", "run"])
def test_compressed_files_read_the_same(name, tmp_path):
    read = {"qrels": read_qrels, "run": read_run}[name]
    plain, packed = DATA / "ranx" / f"{name}.trec", DATA / "ranx" / f"{name}.trec.gz"
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()
    renamed = tmp_path / "no_suffix"
    renamed.write_bytes(packed.read_bytes())
    assert read(packed).to_dict() == read(plain).to_dict() == read(renamed).to_dict()


def test_facts_of_the_files():
    qrels, run = both(PAIRS[0])
    groups = [n for q in run for n in Counter(run[q].values()).values() if n > 1]
    assert tuple(qrels) == ("301", "302", "303") and {len(run[q]) for q in run} == {500} and len(groups) == 9
    assert not (DATA / "ranx" / "run.trec").read_bytes().endswith(b"\n")
    assert read_run(DATA / "ranx" / "run.trec").to_dict() == {"q1": {"d3": 0.3, "d2": 0.2, "d1": 0.1}, "q2": {"d2": 0.2, "d1": 0.1}}


def test_line_ends_of_another_system():
    assert (DATA / "pyserini" / "nfcorpus-qrels.tsv").read_bytes().count(b"\r\n") == 234
    assert Counter(read_qrels(DATA / "pyserini" / "nfcorpus-qrels.tsv").grades.tolist()) == {1: 195, 2: 39}


def test_tabs_and_ranks_with_gaps():
    assert read_run(DATA / "pyserini" / "simple_trec_run_read.txt").to_dict() == {"1": {"sqrn6kjy": 0.0296312554872695}, "35": {"ew9ghz53": 0.0013623978201634}}
    gaps = read_run(DATA / "pyserini" / "simple_trec_run_filter.txt")
    assert gaps.to_dict()["1"] == {"010vptx3": 2.4, "whati123": 1.3} and gaps.ranks.tolist() == [1, 3, 1, 2, 1, 1]


def test_published_values_of_another_library():
    result = evaluate(DATA / "trectools" / "qrel1.txt", DATA / "trectools" / "r4.run", ["RR", "MAP", "P@1000", "R@1000"])
    assert {name: round(mean, 4) for name, mean in result.mean.items()} == {"RR": 0.5, "AP": 0.2685, "P@1000": 0.001, "R@1000": 0.3889}


# Lines of trec_eval that are no measure of ours; its rbp reads memory that was never set.
NOT_OURS = r"runid|num_\w+|relstring|gm_bpref|Rprec_mult_.*|utility|binG|G|ndcg_rel|Rndcg|(set_)?relative_P.*|set_map|rbp|rbp_resid|unj_\d+"


def printed(file):
    """trec_eval's lines that we have a measure for: (measure, query, text). These files come from version 10."""
    for name, query, value in (line.split("\t") for line in (DATA / "trec_eval" / file).read_text().splitlines()):
        if not re.fullmatch(NOT_OURS, name.strip()):
            measure = parse(name.strip())
            assert trec_name(measure) == name.strip()
            yield measure.set(levels="trec_eval10") if measure.has("levels") else measure, query, value


@pytest.mark.parametrize("file", ["out.test", "out.test.a", "out.test.aq"])
def test_lines_that_trec_eval_prints(file):
    lines = list(printed(file))
    result = evaluate(*both(PAIRS[0]), {m for m, _, _ in lines})
    for measure, query, text in lines:
        value = result.mean[measure] if query == "all" else result.per_query[measure][query]
        assert f"{value:6.4f}".strip() == text, f"{measure} of {query}"


def test_interpolated_precision_of_the_older_trec_eval():
    """Version 9.0.8 rounds recall levels in another way: three lines of its output differ."""
    result = evaluate(*both(PAIRS[0]), ["iprec_at_recall_0.10", "iprec_at_recall_0.60", "11pt_avg"])
    assert [f"{mean:.4f}" for mean in result.mean.values()] == ["0.3884", "0.0822", "0.1958"]


def test_counts_that_trec_eval_prints():
    result = evaluate(*both(PAIRS[0]), "AP")
    assert (len(result.query_ids), int(result.hits.retrieved.sum()), int(result.hits.n_relevant.sum()), len(result.hits.relevant())) == (3, 1500, 561, 131)
    assert np.array_equal(result.hits.retrieved, [500, 500, 500])


@pytest.mark.parametrize("name", ["trec_eval/LICENSE.md", "trectools/LICENSE", "ranx/LICENSE", "pyserini/LICENSE.txt"])
def test_licences_stand_beside_the_data(name):
    assert (DATA / name).read_text().strip()
