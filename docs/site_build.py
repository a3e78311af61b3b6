"""Builds the textbook as static pages from the outputs in the notebooks: python docs/site_build.py [FOLDER]. The default is _docs/."""

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


def build(out: Path) -> int:
    """Write the site to the folder `out`; the exit code of Sphinx."""
    import api
    import measures
    from sphinx.cmd.build import main

    if out.exists() and any(out.iterdir()) and not (out / ".buildinfo").exists():
        print(f"{out} holds something else than these pages: name a new folder", file=sys.stderr)
        return 1
    problem = mathjax()
    with tempfile.TemporaryDirectory() as folder:
        pages, site = Path(folder) / "pages", Path(folder) / "site"
        shutil.copytree(DOCS / "static", pages / "_static")
        shutil.copy(DOCS / "conf.py", pages)
        prepare(pages)
        for name, text in (api.pages() | measures.pages()).items():
            (pages / f"{name}.md").write_text(text, encoding="utf-8")
        for name, content in measures.files().items():
            (pages / name).write_bytes(content)
        script = "// The script that draws formulas was not there: see docs/site_build.py\n" if problem else SCRIPT.read_text(encoding="utf-8")
        (pages / "_static" / "tex-svg.js").write_text(script, encoding="utf-8")
        code = main(["-q", "-d", str(Path(folder) / "doctrees"), str(pages), str(site)])
        if code == 0:
            shutil.rmtree(out, ignore_errors=True)
            shutil.copytree(site, out)
    print(*filter(None, [problem, f"{out / 'index.html'}: open it in a browser" if code == 0 else None]), sep="\n", flush=True)
    return code


if __name__ == "__main__":
    sys.exit(build(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "_docs").resolve()))
