"""How long does the explorer take from a pointer to changed numbers? python benchmarks/explorer.py [--browser] [--documents 20] [--rounds 100]

Python: an action comes in, the page goes out; the median and the 95th percentile of each verb, for two lists and nine measures.
Browser: with --browser, JupyterLab on this machine, shown in Chromium. A document is dragged through a list; the time runs
from the pointer event to the page that answers it, measured in the browser.
"""

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

TARGET = 50  # milliseconds
SOURCE = """
import random
from rankmetrics_nb.session import Session
from rankmetrics_nb.widgets import RankingExplorer
rng = random.Random(1)
grades = {f"doc{i:02}": rng.choice((0, 0, 1, 2, 3)) for i in range(%d + 4)}
def ranking(): return " ".join(f"{doc}:{grades[doc]}" for doc in rng.sample(list(grades), %d))
explorer = RankingExplorer(Session.of(ranking(), ranking()))
explorer
"""


def percentile(times: list[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


def row(name: str, times: list[float]) -> str:
    return f"{name:36} {percentile(times, 0.5):8.1f} {percentile(times, 0.95):8.1f} {max(times):8.1f}"


def actions(documents: int, rng: random.Random) -> dict[str, dict]:
    """One action of each verb; ranks are drawn anew each time."""
    there, to = rng.sample(range(1, documents + 1), 2)
    return {
        "drag": dict(do="drag", list="A", row=there, to=to),
        "move": dict(do="move", list="B", row=there, to=to),
        "grade": dict(do="grade", list="A", row=there, grade=str(rng.randrange(4))),
        "gain": dict(do="set", name="gain", value=rng.choice(("exp2", "linear"))),
        "look (steps of ERR)": dict(do="look", measure="ERR"),
        "pick": dict(do="pick", measure=rng.choice(("AP", "nDCG@k"))),
    }


def in_python(documents: int, rounds: int) -> None:
    """The part of the kernel: message in, page out."""
    names: dict = {}
    exec(SOURCE % (documents, documents), names)  # noqa: S102
    explorer, rng = names["explorer"], random.Random(2)
    times: dict[str, list[float]] = {}
    for at in range(rounds + 3):
        for name, action in actions(documents, rng).items():
            began, busy = time.perf_counter(), time.process_time()
            explorer._hear(explorer, {**action, "turn": f"{at}{name}"}, [])
            if at > 2:
                times.setdefault(name, []).append(1000 * (time.perf_counter() - began))
                times.setdefault(f"{name}, of the processor", []).append(1000 * (time.process_time() - busy))
    print(f"In Python, two lists of {documents} documents, {len(explorer.session.measures)} measures; a page has {len(explorer.html) / 1000:.0f} kB. Milliseconds:")
    print(f"{'':36} {'median':>8} {'95 %':>8} {'most':>8}")
    for name, spent in times.items():
        print(row(name, spent))


# A pointer event at the middle of a row, and the time until the page bears another turn.
TIMED = """
const [kind, row, done] = [arguments[0], arguments[1], arguments[2]];
const el = document.querySelector('.rm-explorer'), page = () => el.firstElementChild.dataset.turn;
const box = el.querySelectorAll('[data-list=A] tr[data-row]')[row - 1].getBoundingClientRect();
const at = { bubbles: true, clientX: box.left + 60, clientY: box.top + box.height / 2, pointerId: 1, pointerType: 'mouse', button: 0, isPrimary: true };
const target = kind === 'pointerdown' ? el.querySelectorAll('[data-list=A] tr[data-row]')[row - 1] : el, before = page(), began = performance.now();
el.setPointerCapture = () => {};
if (kind === 'pointerdown') { target.dispatchEvent(new PointerEvent(kind, at)); done(0); return; }
const seen = new MutationObserver(() => { if (page() !== before) { seen.disconnect(); done(performance.now() - began); } });
seen.observe(el, { attributes: true, childList: true, subtree: true });
target.dispatchEvent(new PointerEvent(kind, at));
setTimeout(() => { seen.disconnect(); done(-1); }, 3000);
"""


def in_browser(documents: int, rounds: int) -> None:
    """The whole way, in JupyterLab: pointer event, message, Python, message, changed page."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
    import needs
    from browsertools import lab, run_all, write_notebook

    folder = Path(tempfile.mkdtemp())
    write_notebook(folder / "page.ipynb", SOURCE % (documents, documents))
    with lab(folder) as address:
        driver = needs.chrome(Path(tempfile.mkdtemp()))
        try:
            driver.set_script_timeout(20)
            driver.get(address + "page.ipynb?reset")
            run_all(driver)
            rng, times, at = random.Random(3), [], 1
            driver.execute_async_script(TIMED, "pointerdown", 1)
            for number in range(rounds + 5):
                at = rng.choice([rank for rank in range(1, documents + 1) if rank != at])
                spent = driver.execute_async_script(TIMED, "pointermove", at)
                if number >= 5:
                    times.append(spent)
            driver.execute_async_script(TIMED, "pointerup", at)
        finally:
            driver.quit()
    print(f"\nIn JupyterLab, from a pointer event to the page that answers it, {documents} documents in each of two lists. Milliseconds:")
    print(f"{'':36} {'median':>8} {'95 %':>8} {'most':>8}")
    print(row("drag over another row", times))
    print(f"lost: {sum(spent < 0 for spent in times)} of {len(times)}; the aim is {TARGET}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--browser", action="store_true", help="JupyterLab as well")
    parser.add_argument("--documents", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=100)
    given = parser.parse_args()
    in_python(given.documents, given.rounds)
    if given.browser:
        in_browser(given.documents, given.rounds)
