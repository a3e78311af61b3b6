"""Builds the textbook as static pages from the outputs in the notebooks: python docs/build.py [FOLDER]. The default is _docs/."""

import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from prepare import ROOT, prepare

DOCS = Path(__file__).resolve().parent
MATHJAX = "mathjax@3.2.2"
SCRIPT = ROOT / "build" / "book" / f"{MATHJAX}.js"
NO_MATHJAX = "Formulas are shown as TeX source: {why}. On Debian: apt-get install npm; then build again."


def mathjax() -> str | None:
    """Fetch the script that draws formulas, once; the sentence that says why not, where that fails."""
    if SCRIPT.exists():
        return None
    npm = shutil.which("npm")
    if not npm:
        return NO_MATHJAX.format(why="npm is missing")
    with tempfile.TemporaryDirectory() as folder:
        packed = subprocess.run([npm, "pack", "--silent", MATHJAX], cwd=folder, capture_output=True, text=True, timeout=180)
        archive = next(Path(folder).glob("*.tgz"), None)
        if packed.returncode or not archive:
            return NO_MATHJAX.format(why=f"npm could not fetch {MATHJAX}")
        with tarfile.open(archive) as files:
            script = files.extractfile("package/es5/tex-svg.js").read()
    SCRIPT.parent.mkdir(parents=True, exist_ok=True)
    SCRIPT.write_bytes(script)
    return None


def build(out: Path, work: Path) -> int:
    """Prepare the pages in `work` and write the site to `out`; the exit code of Sphinx."""
    from api import page
    from sphinx.cmd.build import main

    if out.exists() and any(out.iterdir()) and not (out / ".buildinfo").exists():
        print(f"{out} holds something else than these pages: name a new folder", file=sys.stderr)
        return 1
    pages = work / "pages"
    for folder in (pages, out):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(DOCS / "static", pages / "_static")
    shutil.copy(DOCS / "conf.py", pages)
    prepare(pages)
    (pages / "api.md").write_text(page(), encoding="utf-8")
    problem = mathjax()
    if problem:
        (pages / "_static" / "tex-svg.js").write_text("// MathJax goes here: see docs/build.py\n", encoding="utf-8")
    else:
        shutil.copy(SCRIPT, pages / "_static" / "tex-svg.js")
    code = main(["-q", "-E", "-d", str(work / "doctrees"), str(pages), str(out)])
    print(problem or f"{out / 'index.html'}: open it in a browser", flush=True)
    return code


if __name__ == "__main__":
    sys.exit(build(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "_docs").resolve(), SCRIPT.parent))
