"""What a line of source asks or does, in the words of a note: where two versions of a rule or a statement find the same
values, as after an edit of `==` to `!=`, only this tells them apart.
"""

from __future__ import annotations

import ast
import linecache
import re

from checker.language.places import written
from checker.replay.rule_calls import Place

LONGEST = 80
MOST_LINES = 8  # of a statement


def told_apart(edited: str, before: str, places: tuple[Place | None, Place | None]) -> tuple[str, str]:
    """For each version what its line asks, in parentheses; "" for both unless the facts that they state are the same,
    or those of the edit are among those before.  places: the lines.
    """
    facts = _facts(edited)
    if not facts or re.search(rf"(?<!\w){re.escape(facts)}(?!\w)", before) is None:
        return "", ""
    texts = [asked(place) for place in places]
    now, was = (f" (asked: {text})" if text else "" for text in texts)
    return ("", "") if texts[0] == texts[1] else (now, was)


def _facts(told: str) -> str:
    """The facts behind the verb of an effect: `goes on: owner = 1`."""
    return told.partition(": ")[2] or told


def asked(place: Place | None) -> str:
    """The condition or value in a line of source, else the statement; "" if it is not known."""
    line = "" if place is None else linecache.getline(*place).strip()
    node = None if place is None else _statement(place)
    match node:
        case ast.Return(ast.expr() as value) | ast.If(value) | ast.While(value):
            line = written(value)
        case ast.Expr(ast.Call(ast.Name("require"), [value, *_])):
            line = written(value)
    line = line.replace("self.", "")
    return line if len(line) <= LONGEST else f"{line[:LONGEST].rpartition(' ')[0]} ..."


def _statement(place: Place) -> ast.stmt | None:
    """The statement that begins in a line; None in the middle of one."""
    file, first = place
    for last in range(first, first + MOST_LINES):
        text = " ".join(linecache.getline(file, n).strip() for n in range(first, last + 1)).strip()
        try:
            return ast.parse(text.removeprefix("el") + " pass" * text.endswith(":")).body[0]
        except (SyntaxError, IndexError):  # it goes on, or has begun before
            pass
    return None
