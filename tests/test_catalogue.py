"""Names: every spelling that is read, what is printed, and what is said about names that mean nothing."""

import re

import pytest

import rankmetrics_nb
from rankmetrics_nb import AP, AUC, DCG, ERR, F1, MEASURES, RBP, RR, F, IPrec, MeasureError, P, R, Success, nDCG, parse
from rankmetrics_nb.measure import read_name
from rankmetrics_nb.measures.catalogue import trec_name

SPELLINGS = {
    "nDCG@10": nDCG @ 10,
    "NDCG@10": nDCG @ 10,
    "nDCG(gain=linear)@10": nDCG(gain="linear") @ 10,
    "nDCG@10(gain=linear)": nDCG(gain="linear") @ 10,
    " nDCG ( gain = linear ) @ 10 ": nDCG(gain="linear") @ 10,
    "nDCG(gain='linear',k=10)": nDCG(gain="linear") @ 10,
    'nDCG(gain="linear")(ideal=uncut)': nDCG(gain="linear", ideal="uncut"),
    "nDCG(gain=exp2)": nDCG,
    "nDCG(gain={0:0, 1:1, 2:4.5})": nDCG(gain={0: 0, 1: 1, 2: 4.5}),
    "ndcg": nDCG(gain="linear"),
    "ndcg@10": nDCG(gain="linear") @ 10,
    "ndcg_cut_10": nDCG(gain="linear") @ 10,
    "ndcg_burges": nDCG,
    "nDCG(dcg='log2')@10": nDCG(gain="linear") @ 10,
    "nDCG(dcg='exp-log2')@10": nDCG @ 10,
    "map": AP,
    "MAP": AP,
    "MAP@5": AP @ 5,
    "map_cut_5": AP @ 5,
    "recall_1000": R @ 1000,
    "P_10": P @ 10,
    "P(rel=2)@5": P(rel=2) @ 5,
    "P(cutoff=5)": P @ 5,
    "P()": P,
    "set_F": F1,
    "set_recall": R,
    "F(beta=0.5)@3": F(beta=0.5) @ 3,
    "recip_rank": RR,
    "MRR@10": RR @ 10,
    "success_5": Success @ 5,
    "hit_rate@5": Success @ 5,
    "HR@5": Success @ 5,
    "iprec_at_recall_0.40": IPrec(levels="trec_eval9") @ 0.4,
    "IPrec@0.4": IPrec @ 0.4,
    "IPrec@1": IPrec @ 1.0,
    "RBP(p=.5)": RBP(p=0.5),
    "RBP(p=5e-1)": RBP(p=0.5),
    "ERR(max_rel=3)@20": ERR(gmax=3) @ 20,
    "AUROC": AUC,
    "dcg": DCG,
}


@pytest.mark.parametrize("name", SPELLINGS)
def test_spellings(name):
    assert parse(name) == SPELLINGS[name]
    assert parse(str(parse(name))) == SPELLINGS[name]


def test_a_measure_is_returned_as_it_is():
    measure = AP @ 3
    assert parse(measure) is measure


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_every_spelling_of_the_records_is_read(measure):
    for name, preset in measure.aliases + measure.trec:
        cutoff = {"level": 0.5}.get(next((p.kind for p in measure.params if p.at), ""), 7)
        read = parse(name.replace("{k}", str(cutoff)))
        assert read == measure.set(**preset) if "{k}" not in name else measure.set(**preset) @ cutoff
    assert getattr(rankmetrics_nb, {"11pt": "ElevenPoint"}.get(measure.name, measure.name)) == measure


def test_no_two_measures_share_a_spelling():
    spellings = [name for m in MEASURES for name in {m.name, *(name for name, _ in m.aliases + m.trec)}]
    assert len(spellings) == len(set(spellings))


def test_names_of_trec_eval():
    named = {"map": AP, "P_5": P @ 5, "recip_rank": RR, "ndcg": nDCG(gain="linear"), "ndcg_cut_5": nDCG(gain="linear") @ 5, "set_F": F1, "iprec_at_recall_0.10": IPrec(levels="trec_eval9") @ 0.1}
    for name, measure in named.items():
        assert trec_name(measure) == name
    for measure in (nDCG @ 5, P(rel=2) @ 5, IPrec @ 0.1, AP(norm="hits"), RBP, ERR):
        assert trec_name(measure) == str(measure), "trec_eval has no name for it"


NEAR = {"ndgc": "nDCG", "ndgc@10": "nDCG", "nDCGG": "nDCG", "precison": "precision", "Sucess@5": "Success", "bprf": "bpref", "MeanRnk": "MeanRank", "recal@5": "recall"}


@pytest.mark.parametrize("name", NEAR)
def test_a_near_miss_gets_a_suggestion(name):
    with pytest.raises(MeasureError) as error:
        parse(name)
    message = str(error.value)
    assert f"unknown measure {name!r}" in message
    assert re.search("did you mean (.*)[?]", message)[1].lower() == NEAR[name].lower()
    assert NEAR[name] == "precision" or NEAR[name] in message


def test_a_far_miss_gets_the_list():
    with pytest.raises(MeasureError, match="unknown measure 'xyzzy'; known are P, R, F1, .*nDCG"):
        parse("xyzzy")


UNREADABLE = ["", "  ", "@5", "(k=3)", "P@", "P@@3", "P@3@4", "P(", "P(k=3", "P(3)", "P(@3)", "nDCG(gain)", "nDCG(gain=)", "nDCG(=linear)", "nDCG(gain={0:0)", "P@5 extra", "AP[3]", "P@0", "P@-1", "P@2.5", "P@'3'", "P@True", "P_0", "P_2.5",
              "ndcg_cut_0", "iprec_at_recall_1.5", "P@1e400", "P@99999999999999999999"]


@pytest.mark.parametrize("name", UNREADABLE)
def test_names_that_cannot_be_read(name):
    with pytest.raises(MeasureError) as error:
        parse(name)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", [None, 5, 2.5, b"AP", ["AP"], AP.kernel], ids=lambda name: getattr(name, "__name__", repr(name)))
def test_what_is_no_name(name):
    with pytest.raises(MeasureError, match="a measure is a name or a Measure"):
        parse(name)


def test_parts_of_a_name():
    assert read_name("nDCG(gain={0:0,1:2.5},ideal='uncut')@10") == ("nDCG", {"gain": {0: 0, 1: 2.5}, "ideal": "uncut"}, 10)
    assert read_name("DCG(discount=log2(r+1))") == ("DCG", {"discount": "log2(r+1)"}, None)
    assert read_name("IPrec@.5") == ("IPrec", {}, 0.5)


def test_public_names():
    assert set(rankmetrics_nb.__all__) <= set(dir(rankmetrics_nb))
    for name in rankmetrics_nb.__all__:
        assert getattr(rankmetrics_nb, name) is not None
    with pytest.raises(AttributeError, match="nDGC"):
        rankmetrics_nb.nDGC  # noqa: B018
