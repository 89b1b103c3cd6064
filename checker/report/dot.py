"""Graphviz text: escaping, wrapping, and calling the `dot` program.

This module does not know traces. Labels are Graphviz's HTML-like tables: every text in them must be escaped, and an
empty font element is a syntax error, so an empty text becomes an empty cell.
"""

from __future__ import annotations

import html
import os
import re
import signal
import subprocess
import tempfile
import textwrap
from collections.abc import Iterable, Sequence
from contextlib import suppress

from checker.report.drawn import centred, described, passing

INK, GREY, LINE = "#1A1A1A", "#5F5F5F", "#8A8A8A"
MESSAGE, VIOLATION = "#0060A0", "#A33B00"
WHITE, CAUSE_TINT, VIOLATION_TINT, DELIVER_TINT = "#FFFFFF", "#FFF1CC", "#FFE0CC", "#E3EBF3"


UNBROKEN = "\N{NO-BREAK SPACE}"
BRACKETS = re.compile(r"\w*\([^()\[\]{}]*\)[,;:.]?")

LONGEST, AGAIN = 30.0, 2.0
"""Seconds that `dot` may take for one picture, and for each further one after it has once exceeded this time: hundreds
of runs must not wait for a program that hangs.
"""
_limits = [LONGEST]


class NotDrawn(Exception):
    """The `dot` program is missing, fails, or does not end: a diagram remains a text file."""


def escape(text: str) -> str:
    """A text for an HTML-like label."""
    return "".join(
        sign if sign.isprintable() else " " for sign in html.escape(text, quote=False).replace('"', "&quot;")
    )


def quote(text: str) -> str:
    """A text for a quoted identifier or attribute."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'


def wrap(text: str, width: int) -> list[str]:
    """The lines of a text, none longer than `width`; a word, and a name with values in brackets behind it, is broken
    only if it is longer than a line, after a bracket, a dot or an underscore if possible.
    """
    text = BRACKETS.sub(lambda f: f[0].replace(" ", UNBROKEN) if len(f[0]) <= width else f[0], text)
    parts = [part for word in text.split(" ") for part in (_parts(word, width) if len(word) > width else [word])]
    lines = textwrap.wrap(" ".join(parts), width, break_on_hyphens=False) or [""]
    return [line.replace(UNBROKEN, " ") for line in lines]


def _parts(word: str, width: int) -> list[str]:
    """A long word in as few fitting pieces as possible."""
    parts = [""]
    for piece in re.findall(r"[^\[({._]*[\[({._]?", word):
        if len(parts[-1]) + len(piece) > width and parts[-1]:
            parts.append("")
        parts[-1] += piece
    return parts


def font(
    text: str, *, size: float | None = None, color: str | None = None, bold: bool = False, italic: bool = False
) -> str:
    """An escaped text in a font; the empty text stays empty."""
    if not text:
        return ""
    body = escape(text)
    if italic:
        body = f"<I>{body}</I>"
    if bold:
        body = f"<B>{body}</B>"
    attributes = (f' POINT-SIZE="{size:g}"' if size else "") + (f' COLOR="{color}"' if color else "")
    return f"<FONT{attributes}>{body}</FONT>" if attributes else body


def table(rows: Iterable[str], *, border: int = 0, color: str = INK, fill: str | None = None, padding: int = 0) -> str:
    """An HTML-like table of one column; each row is the content of a TR."""
    paint = f' BGCOLOR="{fill}"' if fill else ""
    body = "".join(f"<TR>{row}</TR>" for row in rows)
    look = f'BORDER="{border}" COLOR="{color}"{paint} CELLBORDER="0" CELLSPACING="0" CELLPADDING="{padding}"'
    return f"<<TABLE {look}>{body}</TABLE>>"


def inner(label: str) -> str:
    """A table as the content of a cell of another."""
    return label[1:-1]


def cell(content: str, *, width: int | None = None, left: bool = False, fill: str | None = None) -> str:
    """One TD of a table."""
    attributes = (' ALIGN="LEFT"' if left else "") + (f' WIDTH="{width}"' if width else "")
    attributes += f' BGCOLOR="{fill}"' if fill else ""
    return f"<TD{attributes}>{content}</TD>"


def attributes(values: dict[str, str]) -> str:
    """An attribute list; values that begin with < are HTML-like labels and stay unchanged."""
    texts = [f"{key}={value if value.startswith('<<') else quote(value)}" for key, value in values.items()]
    return f" [{', '.join(texts)}]" if texts else ""


def node(name: str, values: dict[str, str]) -> str:
    """One node statement."""
    return f"{quote(name)}{attributes(values)};"


def chain(nodes: Sequence[str], values: dict[str, str]) -> str:
    """One edge statement through several nodes."""
    return f"{' -> '.join(quote(name) for name in nodes)}{attributes(values)};"


def edge(tail: str, head: str, values: dict[str, str], sides: tuple[str, str] = ("", "")) -> str:
    """One edge between two nodes, leaving and entering at compass points ("e", "w") or anywhere ("")."""
    ends = [quote(name) + (f":{side}" if side else "") for name, side in zip((tail, head), sides, strict=True)]
    return f"{ends[0]} -> {ends[1]}{attributes(values)};"


def render(source: str, form: str = "svg") -> bytes:
    """The picture of a dot text, made by the `dot` program on PATH.  An SVG is completed (see drawn): its title and
    description are the first comments of the text, and the tooltips of a node are the comments that begin with "tip".

    Raises NotDrawn with the reason if there is no such program, if it refuses the text, or if it takes too long.
    """
    picture = _drawn(source, form)
    if form != "svg":
        return picture
    title, description = (re.findall(r"^// (?!tip )(.*)$", source, re.MULTILINE) + ["", ""])[:2]
    tips = {
        name.replace('\\"', '"'): text for name, text in re.findall(r'^// tip "(.*?[^\\])" (.*)$', source, re.MULTILINE)
    }
    return described(passing(centred(picture.decode("utf-8"))), title, description, tips).encode("utf-8")


def _drawn(source: str, form: str) -> bytes:
    with tempfile.TemporaryFile() as text:  # no pipe: a program that ends before it has read its input would break it
        text.write(source.encode("utf-8"))
        text.seek(0)
        try:
            dot = subprocess.Popen(
                ["dot", f"-T{form}"], stdin=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
            )
        except OSError as error:
            missing = isinstance(error, FileNotFoundError)
            reason = "is not on PATH (install the graphviz package)" if missing else f"cannot run: {error.strerror}"
            raise NotDrawn(f"no diagram drawn: the program 'dot' {reason}") from None
    picture, said = _within_limit(dot)
    if dot.returncode or not picture:
        first = (said.decode("utf-8", "replace").strip().splitlines() or ["without a message"])[0]
        raise NotDrawn(f"no diagram drawn: the program 'dot' failed (exit code {dot.returncode}): {first}")
    return picture


def _within_limit(dot: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """Output and messages of the program, which is ended with all its subprocesses if it takes too long."""
    limit = _limits[-1]
    with dot:
        try:
            return dot.communicate(timeout=limit)
        except BaseException as error:
            with suppress(ProcessLookupError):
                os.killpg(dot.pid, signal.SIGKILL)
            if not isinstance(error, subprocess.TimeoutExpired):
                raise
            _limits.append(AGAIN)
            raise NotDrawn(f"no diagram drawn: the program 'dot' has not ended in {limit:g} seconds") from None
