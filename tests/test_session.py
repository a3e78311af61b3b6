"""What the views show, without a view. The expected numbers of the ride example were computed elsewhere, for pictures of the finished app."""

import json
import math
from pathlib import Path

import pytest

from rankmetrics_nb import nDCG
from rankmetrics_nb.evaluation import evaluate
from rankmetrics_nb.examples import EXAMPLES, drivers, make_sample, news, product_search, rides, sample, sample_paths, transactions, unseen, write_sample
from rankmetrics_nb.files import watched
from rankmetrics_nb.measures.catalogue import MEASURES, parse
from rankmetrics_nb.measures.set_based import f_measure, from_counts
from rankmetrics_nb.relevance import DataError, Qrels, Run
from rankmetrics_nb.session import (
    SHOWN,
    Collection,
    Session,
    earned_piece,
    equation,
    flat,
    from_json,
    judge,
    put,
    query_notes,
    query_session,
    read_list,
    read_table,
    shown,
    signed,
    supposing,
    swap,
    to_json,
    typeset,
    with_digits_that_add_up,
)

RIDES = Session.of(rides)
VALUES = {
    "P@5": (0.8, 0.8),
    "R@5": (0.5714, 0.5714),
    "AP": (0.6092, 0.6619),
    "RR": (1.0, 1.0),
    "nDCG@5": (0.6077, 0.7803),
    "ERR": (0.6633, 0.9221),
    "bpref": (0.5238, 0.7143),
    "AUC": (0.7333, 1.0),
}
DIFFERENCES = {"AP": "+0.0527", "nDCG@5": "+0.1726", "ERR": "+0.2588", "bpref": "+0.1905", "AUC": "+0.2667", "P@5": "=", "RR": "="}


def values(session, label):
    return [round(value, 4) for value in session.report()[label].values]


@pytest.mark.parametrize("label", VALUES)
def test_values_of_the_two_ride_lists(label):
    assert values(RIDES, label) == list(VALUES[label])


@pytest.mark.parametrize("label", DIFFERENCES)
def test_differences_come_from_unrounded_values(label):
    assert signed(RIDES.report()[label].difference)[1] == DIFFERENCES[label]


def test_small_print_names_what_two_tools_do_differently():
    details = {row.label: row.detail for row in RIDES.report().rows}
    assert (details["ERR"], details["AUC"], details["RBP"], details["AP"]) == ("gmax 3", "judged", "p 0.8", "")
    assert RIDES.set(gain="linear").report()["nDCG@5"].detail == "gain linear"


def test_why_lists_the_effect_of_every_document():
    why = RIDES.why("nDCG@k")
    effect = {change.doc_id: round(change.difference, 4) for change in why.rows if round(change.difference, 4)}
    assert effect == {"tempo": 0.1487, "bike": -0.0637, "bus": 0.0456, "carpool": 0.0668, "taxi": -0.0248}
    assert round(why.value, 4) == 0.1726
    assert [change.doc_id for change in why.rows[:2]] == ["tempo", "carpool"]


@pytest.mark.parametrize("name", SHOWN)
def test_steps_and_differences_add_up(name):
    for letter in "AB":
        steps = RIDES.steps(name, letter)
        assert steps.rows[-1].running == pytest.approx(steps.value, abs=1e-12)
    why = RIDES.why(name)
    assert sum(change.difference for change in why.rows) == pytest.approx(why.value, abs=1e-12)


def test_the_drag_of_the_picture_bus_from_5_to_1():
    moved = RIDES.move("A", 5, 1)
    expected = {"nDCG@5": 0.7358, "AP": 0.6449, "ERR": 0.9219, "bpref": 0.5714, "AUC": 0.8, "P@5": 0.8}
    assert {label: values(moved, label)[0] for label in expected} == expected
    assert RIDES.lists[0][4] == "bus" and moved.lists[0][0] == "bus"
    assert moved.move("A", 1, 5) == RIDES
    assert [round(change.difference, 4) for change in moved.why("nDCG@k").rows[:4]] == [0.2015, -0.2015, 0.0668, -0.0223]


def test_an_unjudged_document_at_the_highest_grade():
    assert values(supposing(RIDES, "B"), "nDCG@5") == [0.5529, 0.8678]
    assert supposing(RIDES, "A") == RIDES


def test_without_the_minibus_the_ideal_is_smaller():
    assert values(RIDES.grade("minibus", None), "nDCG@5")[1] == 0.9286


def test_conventions_change_the_value():
    assert values(RIDES.set(gain="linear"), "nDCG@5")[0] == 0.6831
    assert values(RIDES.set(gain="linear", ideal="retrieved"), "nDCG@5")[0] == 0.7680
    assert values(RIDES.set(ideal="uncut"), "nDCG@5")[0] == 0.5845
    assert values(RIDES.set(gain="binary"), "nDCG@5")[0] == 0.8304
    assert RIDES.set(k=None).report()["nDCG"].measure == parse("nDCG")
    assert values(RIDES.set(rel=3), "P@5") == [0.4, 0.4]


def test_a_name_that_sets_a_parameter_keeps_it():
    assert str(RIDES.set(gain="binary").measure("nDCG(gain=linear)@k")) == "nDCG(gain=linear)@5"
    assert str(RIDES.measure("P@3")) == "P@3"


def test_unjudged_documents_can_be_removed():
    removed = RIDES.set(unjudged="remove")
    assert removed.ranking("B").doc_ids == ("tempo", "bike", "bus", "carpool", "taxi", "SUV", "Thamel")
    assert values(removed, "P@5")[1] == 1.0
    assert "removed before ranks are counted" in removed.report().notes[0]


# whose document is it?
def test_lists_without_names_are_independent():
    session = Session.of("3 2 ? 0", "0 3")
    for name in ("AP", "nDCG@k", "R@k", "bpref", "RBP"):
        measure = session.measure(name)
        assert session.report()[name].values == (measure("3 2 ? 0"), measure("0 3"))
    assert session.lists == (("a1", "a2", "a3", "a4"), ("b1", "b2"))
    assert "typed without names" in session.report().notes[0]
    assert session.text("A") == "3 2 ? 0"


def test_named_lists_share_their_judgements():
    session = Session.of("bus:3 bike:0", "taxi:1 bike:0")
    assert session.ranking("A").unretrieved == (1,) and session.ranking("B").unretrieved == (3,)
    assert session.report()["R@5"].values == (0.5, 0.5)
    assert session.report().notes[:2] == ("bus is relevant and only in A: not retrieved for B", "taxi is relevant and only in B: not retrieved for A")


def test_a_document_has_one_grade_and_the_last_typed_holds():
    session = Session.of("bus:3 bike:0", "bus:1")
    assert session.text("A") == "bus:1 bike:0"


def test_one_list_without_names_beside_a_named_one():
    session = Session.of(rides).paste("A", "1 0 1")
    assert session.report()["AP"].values[0] == pytest.approx(5 / 6)
    assert not session.named("A") and session.named("B")
    assert values(session, "nDCG@5")[1] == 0.7803
    assert "List A is typed without names" in session.report().notes[0]


def test_one_maximum_grade_for_lists_that_would_each_take_their_own():
    session = Session.of("1 0", "3 0")
    assert session.report()["ERR"].values == (parse("ERR(gmax=3)")("1 0"), parse("ERR")("3 0"))
    assert session.report()["ERR"].detail == "gmax 3" and "highest grades of the lists differ" in session.report().sharing[-1]


def test_typing_a_list_again_leaves_the_rest_as_it_was():
    assert RIDES.paste("A", RIDES.text("A")) == RIDES
    fewer = RIDES.paste("A", "bike:2 tempo:3")
    assert "parking" not in fewer.grades and fewer.grades["minibus"] == 3 and fewer.grades["taxi"] == 1
    assert RIDES.text("B") == "tempo:3 bike:2 bus:3 pass:? carpool:2 taxi:1 SUV:0 Thamel:0"


def test_a_ranking_brings_what_was_not_retrieved():
    assert Session.of(rides["bm25"]).report()["nDCG@5"].values[0] == pytest.approx(0.6077, abs=5e-5)
    lost = Session.of([1, 0, 1]).add("A", grade=1, retrieved=False)
    assert lost.report()["AP"].values[0] == pytest.approx((1 / 1 + 2 / 3) / 3) and lost.absent("A") == ("d4",)


def test_documents_without_names_get_a_letter_when_a_second_list_comes():
    one = Session.of("3 ? 0")
    two = one.paste("B", "d1:2")
    assert one.lists == (("d1", "d2", "d3"),) and two.lists == (("a1", "a2", "a3"), ("d1",))
    assert two.report()["AP"].values == (1.0, 1.0) and two.ranking("B").grades == (2,)
    with pytest.raises(DataError, match="a1 is what a document of the other list is called"):
        two.paste("B", "a1:1")


def test_a_second_list_can_come_later_and_go():
    session = Session.of("a:1 b:0")
    assert session.report()["AP"].difference is None and session.letters == ("A",)
    assert session.paste("B", "b:0 a:1").report()["AP"].difference == -0.5
    with pytest.raises(DataError, match="one list only"):
        session.why("AP")
    assert RIDES.only("A").lists == RIDES.lists[:1] and session.only("A") == session
    assert "tempo" in RIDES.only("A").grades and "taxi" in RIDES.only("A").grades


# verbs
def test_grade_changes_both_lists_and_can_be_taken_back():
    graded = RIDES.grade("pass", 3)
    assert graded.ranking("B").grades[3] == 3 and graded.grade("pass", None) == RIDES
    assert values(graded, "nDCG@5") == [0.5529, 0.8678]


def test_add_and_remove():
    added = RIDES.add("A", "scooter", 2, rank=1)
    assert added.lists[0][0] == "scooter" and added.grades["scooter"] == 2
    assert RIDES.add("A").lists[0][-1] == "d1"
    removed = RIDES.remove("A", 5)
    assert "bus" in removed.absent("A") and "bus" not in removed.absent() and len(removed.lists[0]) == 7
    assert RIDES.absent() == ("minibus", "e-bike")


@pytest.mark.parametrize(
    "action, words",
    [
        (lambda s: s.move("A", 5, 9), "ranks 1 to 8, got 9"),
        (lambda s: s.move("C", 1, 2), "no list 'C'"),
        (lambda s: s.remove("A", True), "got True"),
        (lambda s: s.grade("train", 1), "train is in no list"),
        (lambda s: s.grade("bus", float("nan")), "nan"),
        (lambda s: s.add("A", "bus"), "in list A already, at rank 5"),
        (lambda s: s.add("A", "new", retrieved=False), "needs a grade"),
        (lambda s: s.paste("A", "bus:3 bus:2"), "at rank 1 and at rank 2"),
        (lambda s: s.paste("A", "3 x"), "'x': expected a number, R, N or ?"),
        (lambda s: s.set(gian="linear"), "did you mean 'gain'"),
        (lambda s: s.set(gain="cubic"), "gain must be one of"),
        (lambda s: s.set(k=0), "positive whole number"),
        (lambda s: s.set(unjudged="drop"), "nonrel, remove"),
        (lambda s: s.report()["MAP"], "not shown"),
        (lambda s: Session.of(), "1 to 6 rankings, got 0"),
        (lambda s: Session(lists=()), "1 to 6 lists, got 0"),
    ],
)
def test_mistakes_are_said_in_words(action, words):
    with pytest.raises(DataError) as caught:
        action(RIDES)
    assert words in str(caught.value)


def test_a_wrong_measure_spoils_its_own_row_only():
    report = RIDES.set(measures=("AP", "ndgc", "nDCG@k")).report()
    assert "did you mean" in report["ndgc"].problem and report["ndgc"].values == (None, None)
    assert report["AP"].problem == "" and values(RIDES, "AP") == [0.6092, 0.6619]
    huge = Session.of("2000 1").report()
    assert "overflows" in huge["nDCG@5"].problem and huge["AP"].values == (1.0,)


@pytest.mark.parametrize("text", ["", "0", "?", "0 0 ?", "1", "3 -1 0.5", " ".join("1" * 60)])
def test_an_odd_list_has_a_report_and_equations(text):
    session = Session.of(text)
    for row in session.report().rows:
        assert row.problem == "" and flat(equation(session.steps(row.name, "A"))[-1]) == shown(row.values[0])


# words and equations
def test_numbers_in_words():
    assert signed(0.17265) == ("▲", "+0.1726") and signed(-0.06369) == ("▼", "−0.0637")
    assert signed(0.0) == ("", "=") and signed(None) == ("", "") and signed(1e-15) == ("", "=")
    assert (shown(0.5), shown(None), shown(float("nan")), shown(-1.0)) == ("0.5000", "–", "undefined", "−1.0000")


@pytest.mark.parametrize(
    "name, letter, text",
    [
        ("nDCG@k", "B", "nDCG@5 = (7/log₂ 2 + 3/log₂ 3 + 7/log₂ 4 + 3/log₂ 6) / 17.3691 = 13.5533/17.3691 = 0.7803"),
        ("AP", "A", "AP = (1/1 + 2/2 + 3/4 + 4/5 + 5/7) / 7 = 0.6092"),
        ("P@k", "A", "P@5 = 4/5 = 0.8000"),
        ("RR", "A", "RR = 1/1 = 1.0000"),
        ("RBP@2", "A", "RBP@2 = (1 − 0.8) · 1 + (1 − 0.8) · 0.8 = 0.3600"),
        ("bpref", "A", "bpref = ((1 − 0/3) + (1 − 0/3) + (1 − 1/3) + (1 − 1/3) + (1 − 2/3)) / 7 = 0.5238"),
        ("AUC", "A", "AUC = (3 + 3 + 2 + 2 + 1) / 15 = 0.7333"),
    ],
)
def test_equations_as_a_hand_calculation(name, letter, text):
    assert " = ".join(map(flat, equation(RIDES.steps(name, letter)))) == text


def test_a_long_list_has_a_short_equation():
    text = flat(equation(Session.of("1 " * 2000).steps("AP", "A"))[1])
    assert text.startswith("0.0005 + 0.0005 + ") and text.endswith(" + …")
    steps = Session.of("3 " * 40).steps("ERR", "A")
    assert flat(earned_piece(steps.rows[-1].earned)).endswith(" …") and flat(earned_piece("0")) == ""
    assert with_digits_that_add_up((1 / 3, 1 / 3), 2 / 3) == ["0.3333", "0.3333", "0.6667"]
    assert with_digits_that_add_up((0.12345, -0.02345), 0.1) == ["0.12345", "−0.02345", "0.10000"]


def test_every_measure_has_an_equation_for_every_example():
    for example in EXAMPLES:
        session = Session.of(example)
        for measure in MEASURES:
            steps = session.steps(measure @ 0.5 if measure.name == "IPrec" else measure, "A")
            assert flat(equation(steps)[-1]) == shown(steps.value)


@pytest.mark.parametrize(
    "arithmetic, text",
    [
        ("2**-1", "2⁻¹"),
        ("2**0.5", "2^(0.5)"),
        ("-(1/2)", "−1/2"),
        ("-(1 + 1/2)", "−(1 + 1/2)"),
        ("sqrt(1/2)", "√(1/2)"),
        ("log(3)", "ln 3"),
        ("max(1/2, 2/3)", "max(1/2, 2/3)"),
        ("1/3 - (1/2 - 1/4)", "1/3 − (1/2 − 1/4)"),
        ("nan", "nan"),
        ("0.123456", "0.1235"),
    ],
)
def test_typeset(arithmetic, text):
    assert flat(typeset(arithmetic)) == text


# examples and the sample
def test_the_worked_examples_of_the_source_texts():
    counts = from_counts(**product_search)
    assert (counts.P, counts.R) == (0.6, 0.3)
    assert round(f_measure(**transactions), 3) == 0.646
    assert parse("AP")(news["news"]) == pytest.approx(5 / 6)
    assert round(parse("DCG")(drivers["drivers"]), 2) == 9.39 and parse("nDCG")(drivers["drivers"]) == 1.0


def test_examples_name_their_lists_and_documents():
    assert rides.title("bus") == "Sajha bus 4, Rs 25" and unseen.title("x") == "x"
    with pytest.raises(DataError, match="did you mean bm25"):
        rides["bm52"]
    with pytest.raises(DataError, match="it has news"):
        news["zzz"]


def test_the_bundled_sample_is_what_its_generator_makes(tmp_path: Path):
    made = tmp_path / "q", (tmp_path / "a", tmp_path / "b")
    write_sample(*made)
    bundled, runs = sample_paths()
    for fresh, kept in zip((made[0], *made[1]), (bundled, *runs), strict=True):
        assert fresh.read_bytes() == kept.read_bytes()
    qrels, (bm25, reranker) = sample()
    assert qrels.to_dict() == make_sample()[0].to_dict()
    assert (bm25.source, reranker.source) == ("bm25", "reranker") and "synthetic" in qrels.notes[0]


def test_the_sample_has_its_untidy_places():
    qrels, (bm25, reranker) = sample()
    assert set(qrels) - set(bm25) == {"q12"} and set(reranker) == set(qrels)
    scores = list(bm25["q03"].values())
    assert len(scores) - len(set(scores)) == 1
    assert all(any(doc not in qrels[query] for query in run for doc in run[query]) for run in (bm25, reranker))
    assert {grade for q in qrels for grade in qrels[q].values()} == {0, 1, 2, 3}


# more than two lists


def test_a_third_list_shares_the_judgements_and_can_be_left_out_again():
    three = RIDES.paste("C", "bus:3 tempo:3 minibus:3")
    assert three.letters == ("A", "B", "C") and three.names[2] == "C"
    assert three.report()["nDCG@k"].values[:2] == RIDES.report()["nDCG@k"].values
    assert three.report()["nDCG@k"].values[2] == pytest.approx(nDCG("bus:3 tempo:3 minibus:3", k=5, unretrieved=[2, 2, 1, 1]))
    assert three.only("A", "B").lists == RIDES.lists and three.only("C", "A").letters == ("A", "B")
    assert three.only("C").lists == (("bus", "tempo", "minibus"),)
    assert math.isclose(sum(change.difference for change in three.why("nDCG@k", "C", "B").rows), three.report()["nDCG@k"].values[2] - three.report()["nDCG@k"].values[1])
    assert "and only in A and B: not retrieved for C" in " ".join(three.report().notes)
    with pytest.raises(DataError, match="there is A, B and C"):
        three.move("E", 1, 2)


def test_three_lists_without_names_stay_on_their_own():
    session = Session.of("1 0", "0 1", "1 1")
    assert [session.report()["AP"].values[i] for i in range(3)] == [1.0, 0.5, 1.0]
    assert session.lists == (("a1", "a2"), ("b1", "b2"), ("c1", "c2"))
    assert session.only("A", "C").report()["AP"].values == (1.0, 1.0) and "c1" in session.only("A", "C").grades and "b1" not in session.only("A", "C").grades
    assert "Lists A, B and C are typed without names" in session.report().notes[0]


# names and the scale


def test_a_document_is_shown_under_its_new_name_and_keeps_its_id():
    renamed = RIDES.rename("bus", "Bus to town")
    assert renamed.title("bus") == "Bus to town" and renamed.lists == RIDES.lists and renamed.report() == RIDES.report()
    assert renamed.rename("bus", "").title("bus") == "bus"
    with pytest.raises(DataError, match="train is in no list"):
        RIDES.rename("train", "Train")


def test_grading_one_document_leaves_the_scale_of_the_others():
    session = Session.of("best:3 good:2 off:0")
    assert session.grade("best", 2).report()["ERR"].values[0] == pytest.approx(3 / 8 + (5 / 8) * (3 / 8) / 2)
    assert session.grade("best", 4).report()["ERR"].values[0] == pytest.approx(15 / 16 + (1 / 16) * (3 / 16) / 2)
    assert Session.of("best:2 good:2").report()["ERR"].values[0] == pytest.approx(3 / 4 + (1 / 4) * (3 / 4) / 2)


# files


def test_a_session_survives_its_file():
    for session in (RIDES, Session.of("1 0", "0 ? 1"), Session(), RIDES.paste("C", "bus:3").set(k=None, gain="linear", name="कथा"), Session.of("a\udcff:1 b:0")):
        assert from_json(to_json(session)) == session


def test_unknown_fields_of_a_file_are_kept():
    later = json.loads(to_json(RIDES)) | {"colour": {"A": "blue"}}
    session = from_json(json.dumps(later))
    assert session.report() == RIDES.report()
    assert json.loads(to_json(session.move("A", 1, 2)))["colour"] == {"A": "blue"}


@pytest.mark.parametrize(
    "change, words",
    [
        ({"lists": 5}, "field 'lists' must be lists of document ids, got 5"),
        ({"lists": [["a", "a"]]}, "field 'lists'"),
        ({"lists": [[1]]}, "field 'lists'"),
        ({"grades": {"a": "3"}}, "field 'grades'"),
        ({"grades": {"a": None}}, "field 'grades'"),
        ({"names": ["A"]}, "field 'names' must hold one name a list"),
        ({"titles": {"bus": 4}}, "field 'titles'"),
        ({"measures": "AP"}, "field 'measures'"),
        ({"top": True}, "field 'top'"),
        ({"home": {"bus": "A"}}, "field 'home'"),
        ({"home": {"bus": 7}}, "field 'home'"),
        ({"k": 0}, "positive whole number"),
        ({"gain": "cubic"}, "gain must be one of"),
        ({"unjudged": "drop"}, "nonrel, remove"),
        ({"version": 2}, "field 'version' must be 1, got 2"),
        ({"format": "other"}, "field 'format'"),
    ],
)
def test_a_broken_file_is_named_by_its_field(change, words):
    text = json.dumps(json.loads(to_json(RIDES)) | change)
    with pytest.raises(DataError) as caught:
        from_json(text, "mine.json")
    assert str(caught.value).startswith("mine.json") and words in str(caught.value)


def test_text_that_is_no_json_is_named_by_its_line():
    with pytest.raises(DataError, match="mine.json, line 2: this is not JSON"):
        from_json("{\n,}", "mine.json")


# lists from anywhere
LISTS = {
    "spreadsheet": ("bus\t3\nbike\t2\npass\t?\n", "bus:3 bike:2 pass:?"),
    "with column names": ("rank,doc,title,rel\n1,bus,Sajha bus,3\n2,bike,Bike,2", "bus:3 bike:2"),
    "Markdown items": ("- **bus**: 3\n- `bike` (2)\n- pass", "bus:3 bike:2 pass:?"),
    "Markdown table": ("| doc | grade |\n|:---|---:|\n| bus | 3 |\n| bike | 2 |", "bus:3 bike:2"),
    "ranks and scores": ("1\tbus\t0.93\n2\tbike\t0.71\n3\tpass\t0.52", "bus:? bike:? pass:?"),
    "log": ("10:01 start\n10:02 rank=1 doc=bus score=0.3\n10:02 rank=2 doc=bike grade=2", "bus:? bike:2"),
    "JSON lines": ('{"id": "bus", "grade": 3}\n{"id": "bike"}', "bus:3 bike:?"),
    "a run": ("q1 Q0 bus 1 9.5 tag\nq1 Q0 bike 2 8.5 tag", "bus:? bike:?"),
    "judgements": ("q1 0 bus 3\nq1 0 bike 0", "bus:3 bike:0"),
    "addresses": ("http://x.org/a\nhttp://x.org/b", "http://x.org/a:? http://x.org/b:?"),
    "typed": ("bus:3 bike:2 pass:?", "bus:3 bike:2 pass:?"),
    "ids alone": ("d3 d1 d2", "d3:? d1:? d2:?"),
    "numbers that are ids": ("101\n205\n333", "101:? 205:? 333:?"),
}


@pytest.mark.parametrize("name", LISTS)
def test_lists_from_anywhere(name):
    text, expected = LISTS[name]
    found = read_list(text)
    assert found.errors == () and found.named
    assert " ".join(f"{item.doc_id}:{'?' if item.grade is None else f'{item.grade:g}'}" for item in found.items) == expected


@pytest.mark.parametrize(
    "text, error",
    [
        ("bus\t3\nbike\tgood\npass\t?", "line 2: the grade of bike is 'good': expected a number, or ? for unjudged"),
        ("bus\t3\n\nbike\t2\nbus\t1", "line 4: document bus is in line 1 already: expected each document once"),
        ("bus\t3\nbike\t2\tx\npass\t1", "line 2: found 3 fields where 2 are expected: bike 2 x"),
        ("Dear all,\nplease look at this text\nit is no list", "line 2: found 5 words: expected an id, or an id and a grade"),
        ("bus:3 train:x", "line 1: the grade of train is 'x': expected a number, or ? for unjudged"),
        ("q1 0 a 1\nq2 0 b 1", "line 2: query q2 begins, the lines before are of query q1: open the text as a file to choose a query"),
        (" \n", "there is no document here: expected an id in each line, or an id and a grade, such as bus:3"),
    ],
)
def test_rubbish_names_its_line(text, error):
    found = read_list(text)
    assert error in found.errors and "train" not in [item.doc_id for item in found.items]


def test_grades_alone_have_no_names():
    assert not read_list("3 2 ? 0").named and not read_list("3\n2\n?\n0").named
    assert read_list("3\n2\n?\n0").ranking.text == "3 2 ? 0"


@pytest.mark.parametrize("junk", ["|||", "\t\t", "- ", "1.", ",,,", "{", "=", "doc=", "[x](", "\x00", "∎" * 500, ":", "a:b:c", "|\n|\n"])
def test_any_text_can_be_read(junk):
    found = read_list(junk)
    assert all(item.doc_id for item in found.items) and len({item.doc_id for item in found.items}) == len(found.items)


def test_a_list_that_was_put_keeps_the_judgements_of_its_query():
    session = put(RIDES, "B", read_list("minibus\nbike\nwalk"), name="new")
    assert session.lists[1] == ("minibus", "bike", "walk") and session.names == ("bm25", "new")
    assert session.grades == RIDES.grades and session.lists[0] == RIDES.lists[0]
    assert put(RIDES, "A", read_list("bike:0")).grades["bike"] == 0
    assert put(RIDES, "C", read_list("bus bike")).letters == ("A", "B", "C")
    alone = put(RIDES.set(k=3), "B", read_list("x y"), anew=True)
    assert alone.lists == (("x", "y"),) and alone.grades == {} and alone.k == 3 and alone.name == ""
    assert put(RIDES, "A", read_list("3 0 1")).text("A") == "3 0 1"
    with pytest.raises(DataError, match="no document"):
        put(RIDES, "A", read_list(""))


def test_judgements_of_a_file_take_the_place_of_those_that_are_shared():
    session = judge(RIDES, {"bus": 1, "walk": 2}, name="other")
    assert session.grades == {"bus": 1, "walk": 2} and session.absent() == ("walk",) and session.name == "other"
    mixed = Session.of("bus:3 bike:2", "1 0")
    assert judge(mixed, {"bus": 1}).judged("B") == {"b1": 1, "b2": 0}


def test_two_lists_change_places():
    three = RIDES.paste("C", "1 0")
    turned = swap(three, "B", "C")
    assert turned.names == ("bm25", "C", "reranker") and turned.lists[2] == RIDES.lists[1] and turned.judged("B") == {"c1": 1, "c2": 0}
    assert swap(turned, "B", "C") == three


# whole runs
QRELS, RUNS = sample()
FILES = Collection(QRELS, RUNS)


def test_a_query_of_whole_runs_has_the_values_of_the_table():
    for query in range(0, len(FILES.queries), 7):
        session = query_session(FILES, QRELS.query_ids[query], Session(k=10, gain="linear"))
        for row in session.report().rows:
            for at, value in enumerate(row.values):
                assert FILES.column(row.name, at, session).values[query] == pytest.approx(value, nan_ok=True, abs=1e-12), row.label


def test_means_of_whole_runs_are_those_of_the_evaluation():
    expected = evaluate(QRELS, RUNS[1], ["AP", "nDCG@5"])
    for name, label in (("AP", "AP"), ("nDCG@k", "nDCG@5")):
        column = FILES.column(name, 1)
        assert (column.mean, column.n) == (expected.mean[label], expected.n[label])


def test_ties_missing_lists_and_unjudged_documents_are_said():
    qrels = Qrels.from_dict({"1": {"a": 1, "b": 0, "c": 2}, "2": {"a": 1}})
    run = Run.from_dict({"1": {"a": 1.0, "b": 1.0, "x": 0.5}}, source="/somewhere/first.run.gz")
    files = Collection(qrels, (run,))
    assert files.names == ("first",)
    assert query_notes(files, "1") == ("first: 2 documents with the same score as another, put in order by falling id", "first: 1 of 3 documents unjudged, such as x", "first: 1 relevant document not retrieved")
    assert query_notes(files, "2")[0] == "first: the query is not in this run, an empty list"
    assert query_session(files, "1").lists == (("b", "a", "x"),)


@pytest.mark.parametrize(
    "text, name, kind",
    [
        ("q1 0 a 1\nq1 0 b 0\n", "x", Qrels),
        ("q1 Q0 a 1 0.5 t\n", "x", Run),
        ("query-id\tcorpus-id\tscore\nq1\ta\t1\n", "qrels/test.tsv", Qrels),
        ("query-id\tcorpus-id\tscore\nq1\ta\t1\n", "test.tsv", Qrels),
        ("query-id\tcorpus-id\tscore\nq1\ta\t11.25\n", "test.tsv", Run),
        ('{"q1": {"a": 1, "b": 0}}', "x.json", Qrels),
        ('{"q1": {"a": 0.25, "b": 0.5}}', "x.json", Run),
        ('{"q1": {"a": 2, "b": 1}}', "my.run.json", Run),
        ("query_id,doc_id,relevance\nq1,a,1\n", "x.csv", Qrels),
    ],
)
def test_a_file_is_known_as_judgements_or_as_a_run(text, name, kind):
    assert type(read_table(text.encode(), name)) is kind


def test_a_file_that_is_neither_says_so():
    with pytest.raises(DataError, match="notes.txt"):
        read_table(b"hello world\n", "notes.txt")


def test_reading_can_be_watched_and_stopped():
    lines = "".join(f"q{i // 1000} Q0 d{i} 1 {-i} t\n" for i in range(500_000)).encode()
    seen = []

    def say(done, of):
        seen.append((done, of))
        if done:
            raise InterruptedError

    with watched(say), pytest.raises(InterruptedError):
        read_table(lines, "big.run")
    assert len(seen) == 2 and seen[0] == (0, len(lines)) and 0 < seen[1][0] < len(lines)
    seen.clear()
    assert len(read_table(b"q Q0 d 1 1 t\n", "x.run")) == 1 and seen == []
