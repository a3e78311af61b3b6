"""Builds the textbook as static pages from the outputs in the notebooks: python docs/site_build.py [FOLDER]. The default is _docs/."""

import importlib
import shutil
import sys
import tempfile
from pathlib import Path
from types import ModuleType

import vendor
from live import live
from prepare import NBS, ROOT, prepare

DOCS = Path(__file__).resolve().parent
# Modules here that write pages from the package, in the order of the side bar: pages() -> {name: Markdown}, the index first; files() -> {name: bytes}.
REFERENCE = ("measures", "api")
WITHOUT_SCRIPTS = "Formulas are shown as TeX source, and sliders are left out: {why}. On Debian: apt-get install npm; then build again."


def build(out: Path) -> int:
    """Write the site to the folder `out`; the exit code of Sphinx."""
    from sphinx.cmd.build import main

    if out.exists() and any(out.iterdir()) and not (out / ".buildinfo").exists():
        print(f"{out} holds something else than these pages: name a new folder", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        pages, site = Path(folder) / "pages", Path(folder) / "site"
        problem = _write(pages)
        code = main(["-q", "-W", "--keep-going", "-d", str(Path(folder) / "doctrees"), str(pages), str(site)])
        if code == 0:
            _offer_notebooks(site)
            shutil.rmtree(out, ignore_errors=True)
            shutil.copytree(site, out)
    print(*filter(None, [problem, *([_sizes(out), f"{out / 'index.html'}: open it in a browser"] if code == 0 else [])]), sep="\n", flush=True)
    return code


def _sizes(out: Path) -> str:
    """How large the pages are."""
    pages = sorted(((path.stat().st_size, path.stem) for path in out.glob("*.html")), reverse=True)
    largest = ", ".join(f"{name} {size / 1000:.0f} kB" for size, name in pages[:5])
    return f"{len(pages)} pages, {sum(path.stat().st_size for path in out.rglob('*') if path.is_file()) / 1e6:.0f} MB in all; the largest: {largest}"


def _write(pages: Path) -> str | None:
    """Everything that Sphinx reads; the sentence that says what is left out, where the scripts cannot be had."""
    static = pages / "_static"
    shutil.copytree(DOCS / "static", static)
    shutil.copy(DOCS / "conf.py", pages)
    reference = [_write_reference(importlib.import_module(module), pages) for module in REFERENCE]
    known, problem = live(sorted(NBS.glob("*.ipynb"))), None
    try:
        vendor.copy(static)
    except OSError as why:
        (static / "tex-svg.js").write_text("// The script that draws formulas was not there: see docs/vendor.py\n", encoding="utf-8")
        known = {name: found | {"views": {}, "state": {}} for name, found in known.items()}
        problem = WITHOUT_SCRIPTS.format(why=why)
    prepare(pages, known, reference)
    return problem


def _write_reference(module: ModuleType, pages: Path) -> str:
    """The pages and files that a module makes; the name of their index."""
    texts = module.pages()
    for name, text in texts.items():
        (pages / f"{name}.md").write_text(text, encoding="utf-8")
    for name, content in getattr(module, "files", dict)().items():
        (pages / name).write_bytes(content)
    return next(iter(texts))


def _offer_notebooks(site: Path) -> None:
    """The download button of a page gives the notebook as it is committed."""
    for path in NBS.glob("*.ipynb"):
        shutil.copy(path, site / "_sources")


if __name__ == "__main__":
    sys.exit(build(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "_docs").resolve()))
