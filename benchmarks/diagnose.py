"""How long `diagnose` takes on 250 queries with 1,000 results and about 1,200 judgements each, files already read.

    python benchmarks/diagnose.py [--measure nDCG@10 ...] [--repeat 5] [--queries 250]

Per measure and situation (one choice makes the number, two do, no combination does): the shortest and the median time in
milliseconds, by the clock and of the processor, and how many combinations were tried. The data are made up, from a seed.
"""

import argparse
import statistics
import time

import numpy as np

from rankmetrics_nb import Qrels, Run, evaluate
from rankmetrics_nb.conventions import diagnose

GRADES = [0.86, 0.07, 0.04, 0.02, 0.01]  # the share of the grades 0 to 4 among the judged documents
CAUSES = {  # measure -> the same with one and with two choices made otherwise
    "nDCG@10": ("nDCG(gain=linear)@10", "nDCG(gain=linear,discount=log2(r))@10"),
    "AP": ("AP(norm=hits)", "AP(norm=hits,rel=2)"),
    "RR": ("RR(rel=2)", "RR(rel=2)@10"),
    "P@10": ("P(rel=2)@10", "P(rel=2)@9"),
    "ERR@10": ("ERR(gmax=5)@10", "ERR(gmax=5)@9"),
    "RBP": ("RBP(p=0.9)", "RBP(p=0.9,grade=max)"),
}


def workload(queries: int, seed: int = 20240607) -> tuple[Qrels, Run]:
    """Judgements and a run: a pool of 6,000 documents a query, relevant ones likelier to be retrieved and to score high."""
    rng, pool, depth = np.random.default_rng(seed), 6000, 1000
    judged, results = [], []
    for query in range(301, 301 + queries):
        n = int(np.clip(rng.normal(1200, 250), 300, 2500))
        grade = np.concatenate([[2], rng.choice(5, n - 1, p=GRADES)])
        likely = np.concatenate([1 + 4 * grade, np.full(pool - n, 0.35)])
        found = np.argsort(rng.exponential(size=pool) / likely)[:depth]  # drawn without replacement, by weight
        score = np.round(3 * (rng.normal(0, 1, depth) + 0.8 * np.where(found < n, grade[np.minimum(found, n - 1)], 0)) + 20, 4)
        judged += [(query, f"D{query}{doc:04}", g) for doc, g in enumerate(grade.tolist())]
        results += sorted(((query, f"D{query}{doc:04}", s) for doc, s in zip(found.tolist(), score.tolist(), strict=True)), key=lambda row: -row[2])
    return Qrels.from_columns(*zip(*judged, strict=True)), Run.from_columns(*zip(*results, strict=True))


def timed(action, repeat: int) -> tuple[list[float], list[float]]:
    """Milliseconds by the clock and of the processor."""
    wall, cpu = [], []
    for _ in range(repeat):
        started, used = time.perf_counter(), time.process_time()
        action()
        wall.append(1000 * (time.perf_counter() - started))
        cpu.append(1000 * (time.process_time() - used))
    return wall, cpu


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--measure", "-m", nargs="+", choices=CAUSES, default=list(CAUSES))
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--queries", type=int, default=250)
    options = parser.parse_args()
    qrels, run = workload(options.queries)
    print(f"{len(qrels)} queries, {len(run.scores):,} results, {len(qrels.grades):,} judgements; milliseconds, best and median of {options.repeat}")
    print(f"{'measure':10}{'situation':14}{'tried':>6}{'clock':>8}{'median':>8}{'cpu':>8}{'median':>8}  found")
    for name in options.measure:
        means = evaluate(qrels, run, [name, *CAUSES[name]]).mean
        numbers = [f"{means[other]:.9f}" for other in CAUSES[name]] + [f"{means[name] / 3 + 0.001234567:.9f}"]
        for situation, number in zip(("one choice", "two choices", "none fits"), numbers, strict=True):
            diagnosis = diagnose(qrels, run, name, number)
            wall, cpu = timed(lambda name=name, number=number: diagnose(qrels, run, name, number), options.repeat)
            times = "".join(f"{f(t):8.0f}" for t in (wall, cpu) for f in (min, statistics.median))
            print(f"{name:10}{situation:14}{diagnosis.tried:6}{times}  {' + '.join(s.label for e in diagnosis.explanations[:1] for s in e.steps) or '-'}")


if __name__ == "__main__":
    main()
