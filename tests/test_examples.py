"""The made-up tasks: the same on every machine, judged by the rule that the page states, and untidy where real data is."""

import hashlib
import re
from random import Random

import pytest

from rankmetrics_nb import AP, evaluate, nDCG
from rankmetrics_nb.examples import SCENARIOS, SYNTHETIC, rides, scenario, six
from rankmetrics_nb.relevance import DataError


@pytest.fixture(scope="module", params=SCENARIOS)
def task(request):
    return scenario(request.param)


def rows(table) -> list:
    return sorted((query, doc, value) for query, docs in table.to_dict().items() for doc, value in docs.items())


def digest(made) -> str:
    return hashlib.sha256(repr([rows(made.qrels), *map(rows, made.runs)]).encode()).hexdigest()


def test_the_six_documents_are_the_first_of_the_two_lists():
    assert six["A"].grades == (2, 3, 0, 1, 3, 0) and six["B"].grades == (3, 2, 3, None, 2, 1)
    assert [six[name].doc_ids for name in "AB"] == [rides[name].doc_ids[:6] for name in ("bm25", "reranker")]
    assert AP(six["A"]) == pytest.approx((1 + 1 + 3 / 4 + 4 / 5) / 7)


def test_a_task_is_the_same_every_time_and_another_one_with_another_seed(task):
    name = next(key for key in SCENARIOS if scenario(key).name == task.name)
    assert digest(scenario(name)) == digest(task) != digest(scenario(name, Random(1)))


def test_a_task_is_complete(task):
    assert SYNTHETIC in task.qrels.notes
    assert len(task.runs) >= 2 and len(task.queries) >= 40
    ids = {doc for table in (task.qrels, *task.runs) for query in table for doc in table[query]}
    assert ids <= set(task.titles) and all(task.titles.values())
    assert {query for table in (task.qrels, *task.runs) for query in table} <= set(task.queries)


def test_a_task_is_as_untidy_as_data_is(task):
    notes = " ".join(note for run in task.runs for note in evaluate(task.qrels, run, ["AP"]).notes)
    assert "unjudged" in notes and "share a score" in notes


def test_one_query_fits_a_screen(task):
    example = task.example()
    assert example.name == task.queries[task.screen] and all(0 < len(docs) <= 8 for docs in example.lists.values())
    assert any(grade > 0 for grade in example.grades.values())
    assert nDCG(example[next(iter(example.lists))]) > 0


def test_the_first_results_follow_score_and_then_id():
    made = scenario("products")
    run = made.runs[0]["q01"]
    shown = made.example("q01", n=5).lists["keyword"]
    assert list(shown) == sorted(run, key=lambda doc: (run[doc], doc), reverse=True)[:5]


def test_grades_of_drivers_count_price_distance_and_stars():
    made = scenario("rides")
    for query in made.qrels:
        for doc, grade in made.qrels[query].items():
            price, minutes, stars = map(float, re.findall(r"Rs (\d+), (\d+) min away, ([\d.]+) stars", made.titles[doc])[0])
            assert grade == (price <= 180) + (minutes <= 5) + (stars >= 4.5)
    assert any(not any(made.qrels[query].values()) for query in made.qrels), "some request has no good driver"


def test_grades_of_news_fall_with_age():
    made = scenario("alerts")
    for query in made.qrels:
        company = made.queries[query].split(",")[0]
        for doc, grade in made.qrels[query].items():
            about, age = re.fullmatch(r"(.+): .+, ([\d.]+) h ago", made.titles[doc]).groups()
            if about == company:
                assert grade == (3 if float(age) <= 1 else 2 if float(age) <= 24 else 1)
            else:
                assert grade in (0, 1)


def test_grades_of_products_ask_for_product_and_brand():
    made = scenario("products")
    for query in made.qrels:
        *product, brand = made.queries[query].split()
        for doc, grade in made.qrels[query].items():
            made_by, kind = re.fullmatch(r"(\w+) (.+), Rs [\d,]+", made.titles[doc]).groups()
            assert (grade >= 2) == (kind == " ".join(product)) and (grade == 3) == (kind == " ".join(product) and made_by == brand)


def test_a_strict_search_for_payments_is_precise_and_misses_some():
    made = scenario("transactions")
    strict, fuzzy = (evaluate(made.qrels, run, ["P", "R"]).mean for run in made.runs)
    assert strict["P"] > 0.95 > 0.9 > strict["R"] and fuzzy["R"] > strict["R"] and fuzzy["P"] < 0.5


def test_unknown_names_are_answered_in_words():
    with pytest.raises(DataError, match="did you mean rides"):
        scenario("ride")
    with pytest.raises(DataError, match="no query 'q99'; it has 50"):
        scenario("products").example("q99")
