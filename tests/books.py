"""What a browser has of a widget that needs no Python: a packed book of pages, opened here by plain loops."""

import base64
import gzip
import json


def opened(widget) -> dict:
    """The book: pages as lists of pieces, an index of pages."""
    book = json.loads(gzip.decompress(base64.b64decode(widget.frames)))
    before: list[int] = []
    for page in book["pages"]:
        for at in range(min(len(page), len(before))):
            page[at] += before[at]
        before = page
    for places in book["index"].values():
        for at in range(1, len(places)):
            places[at] += places[at - 1]
    return book


def page_in(book: dict, key: str) -> str:
    """A page of the book, looked up as the browser does it."""
    name, _, variant = key.rpartition(" ")
    return "".join(book["pieces"][piece] for piece in book["pages"][book["index"][name][book["variants"].index(variant)]])
