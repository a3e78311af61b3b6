"""README.md is made from nbs/index.ipynb: prose as it is, code and its text output in fences, pictures as files. Run as a script it writes them."""

import re
from base64 import b64decode

from nbtools import NBS, ROOT, read, source

README = ROOT / "README.md"
PICTURE = ROOT / "docs" / "static" / "readme.png"


def readme() -> str:
    """The text that README.md must have."""
    parts = [part for cell in read(NBS / "index.ipynb")["cells"] for part in _parts(cell)]
    return "\n\n".join(part.strip("\n") for part in parts if part.strip()) + "\n"


def picture() -> bytes:
    """The one picture of the page."""
    outputs = [out.get("data", {}) for cell in read(NBS / "index.ipynb")["cells"] if cell["cell_type"] == "code" for out in cell["outputs"]]
    (png,) = (data["image/png"] for data in outputs if "image/png" in data)
    return b64decode("".join(png))


def _parts(cell: dict) -> list[str]:
    text = source(cell)
    if cell["cell_type"] == "markdown":
        return [_from_top(text)]
    if cell["cell_type"] != "code" or re.search(r"^#\|\s*(hide|default_exp)\b", text, re.M):
        return []
    code = re.sub(r"^#\|.*\n?", "", text, flags=re.M)
    return [f"```python\n{code}\n```", *map(_output, cell["outputs"])]


def _from_top(text: str) -> str:
    """Links of a page in nbs/ as the top folder sees them."""
    text = re.sub(r"\]\((?!\w+:|#|/|\.\./)([^)]+)\)", r"](nbs/\1)", text)
    return text.replace("](../", "](")


def _output(out: dict) -> str:
    data = out.get("data", {})
    if "image/png" in data:
        return f"![{''.join(data['text/plain'])}]({PICTURE.relative_to(ROOT).as_posix()})"
    if "text/markdown" in data:
        return "".join(data["text/markdown"])
    text = "".join(out.get("text") or data.get("text/plain") or "").rstrip("\n")
    return f"```\n{text}\n```" if text else ""


if __name__ == "__main__":
    README.write_text(readme(), encoding="utf-8")
    PICTURE.write_bytes(picture())
