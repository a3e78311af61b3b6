"""The formulas of the records as SVG files: `python gui/formulas.py` writes them, the window shows them.

matplotlib's mathtext sets them as one path each, so the window needs neither matplotlib nor a font.
"""

import sys
from html import escape
from pathlib import Path

from rankmetrics_nb.measures.catalogue import MEASURES

FOLDER = Path(__file__).parent / "rankmetrics_gui" / "data"
# LaTeX that mathtext does not know, and what it calls it; and fractions and room as LaTeX has them in a line of their own.
UNKNOWN = {r"\le ": r"\leq ", r"\ge ": r"\geq ", r"\frac": r"\dfrac", r"\tfrac": r"\frac", r"\sum": r"\,\sum"}
SIZE, ROOM = 20, 2  # points, and around the formula


def mathtext(formula: str) -> str:
    """A formula in the words of mathtext."""
    for latex, known in UNKNOWN.items():
        formula = formula.replace(latex, known)
    return f"${formula}$"


def svg(name: str, formula: str) -> str:
    """One formula as the text of a file; it holds its LaTeX as its description."""
    import matplotlib
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    with matplotlib.rc_context({"mathtext.fontset": "stix"}):
        path = TextPath((0, 0), mathtext(formula), prop=FontProperties(size=SIZE))
    box = path.get_extents()
    left, top = box.x0 - ROOM, -box.y1 - ROOM
    width, height = box.width + 2 * ROOM, box.height + 2 * ROOM
    letters = {path.MOVETO: "M", path.LINETO: "L", path.CURVE3: "Q", path.CURVE4: "C", path.CLOSEPOLY: "Z"}
    drawn = []
    for points, code in path.iter_segments(simplify=False, curves=True):
        numbers = "" if code == path.CLOSEPOLY else " ".join(f"{x - left:.2f} {-y - top:.2f}" for x, y in points.reshape(-1, 2))
        drawn.append(letters[code] + numbers)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.2f}" height="{height:.2f}" viewBox="0 0 {width:.2f} {height:.2f}">'
        f'<title>{escape(name)}</title><desc>{escape(formula)}</desc><path fill="#000000" d="{"".join(drawn)}"/></svg>\n'
    )


def main() -> int:
    """Write all files, and remove those of measures that are gone."""
    wanted = {f"formula-{measure.name}.svg": svg(measure.name, measure.formula) for measure in MEASURES}
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("formula-*.svg"):
        if path.name not in wanted:
            path.unlink()
    for name, text in wanted.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    print(f"{len(wanted)} formulas in {FOLDER}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
