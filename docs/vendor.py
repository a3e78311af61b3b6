"""Scripts of the pages that come from npm packages: fetched once, kept in build/book/."""

import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

KEPT = Path(__file__).resolve().parents[1] / "build" / "book"
# The script as the pages call it: the package that holds it, and where.
SCRIPTS = {
    "tex-svg.js": ("mathjax@3.2.2", "es5/tex-svg.js"),
    "embed.js": ("@jupyter-widgets/html-manager@1.0.15", "dist/embed.js"),
}


def copy(folder: Path) -> None:
    """Put the scripts of the pages into a folder; OSError says why they cannot be had."""
    for name, (package, member) in SCRIPTS.items():
        shutil.copy(fetched(package, member), folder / name)


def fetched(package: str, member: str) -> Path:
    """A file of an npm package, from the registry where it is not kept yet; OSError says why it cannot be had."""
    kept = KEPT / f"{package}-{Path(member).name}".replace("/", "+")
    if not kept.exists():
        npm = shutil.which("npm")
        if not npm:
            raise OSError("npm is missing")
        with tempfile.TemporaryDirectory() as folder:
            packed = subprocess.run([npm, "pack", "--silent", package], cwd=folder, capture_output=True, text=True, timeout=180)
            archive = next(Path(folder).glob("*.tgz"), None)
            if packed.returncode or not archive:
                raise OSError(f"npm could not fetch {package}")
            with tarfile.open(archive) as files:
                script = files.extractfile(f"package/{member}").read()
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(script)
    return kept
