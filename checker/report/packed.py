"""A page of a run with its text compressed, for the gallery: one file that a browser opens without a server.

The page of a run has 80 kB on the average, and 17 kB compressed, so that the gallery can have one for each violation.
The script of the packed page decompresses the text and puts it in the place of the document; its address is unchanged,
so links to a step work.

A page ends with a hash of its run, its picture, the sources of its model, and the frame, style and scripts of pages. An
outdated page is thereby recognised without making it again.
"""

from __future__ import annotations

import html
import re
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable
from hashlib import sha256

from checker.report.html import filled, part

PARTS = ("head.html", "page.html", "page.css", "run.js", "page.js", "packed.html")


def packed(page: str, title: str, run: str, made_from: Iterable[str]) -> str:
    """The packed page.  run: the file of the run, for a browser that cannot decompress; made_from: the texts from which
    the page was made.
    """
    text = b64encode(zlib.compress(page.encode("utf-8"), 9)).decode("ascii")
    frame = {"title": html.escape(title), "run": html.escape(run), "style": ""}
    return filled("packed.html", **frame, text=text, mark=_mark(made_from))


def unpacked(page: str) -> str:
    """The page that a packed page contains; "" if it is none."""
    found = re.search(r'^}\)\("([\w+/=]*)"\);$', page, re.MULTILINE)
    try:
        return zlib.decompress(b64decode(found[1])).decode("utf-8") if found is not None else ""
    except (ValueError, zlib.error):
        return ""


def is_made_from(page: str, made_from: Iterable[str]) -> bool:
    """Whether a packed page was made from these texts."""
    return page.endswith(_mark(made_from) + "\n")


def _mark(made_from: Iterable[str]) -> str:
    whole = sha256()
    for text in (*map(part, PARTS), *made_from):
        whole.update(sha256(text.encode("utf-8")).digest())
    return f"<!-- made from: sha256 {whole.hexdigest()} -->"
