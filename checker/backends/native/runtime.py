"""The fixed part of every kernel: the script of choices, and the recording of findings.

A script holds the position of the next choice, the number of choices made, and for each its index and its number of
alternatives: an odometer. An action is executed once for each setting; `advance` moves the last choice that can move
and drops the later ones. Successors therefore come in lexicographic order of the choices, wherever the choices are.
"""

from __future__ import annotations

from checker.assembly import DECLARATIONS, Assembly

CHOICES = 256
"""Most choices in one step; more are a model error."""

SCRIPT_WORDS = 2 + 2 * CHOICES

SMALL = "#0"
"""The group of attributes of small functions; `build` defines it."""


def _choose() -> str:
    """The alternative to take now; -1 if the script is full."""
    b = Assembly("choose", "i64", [("ptr", "%script"), ("i64", "%alternatives")])
    position = b.load("%script")
    following = b.add(position, 1)
    b.store(following, "%script")
    with b.when(b.compare("sge", position, CHOICES)):
        b.give("i64 -1")
    entry = b.address(b.address("%script", 2), b.shl(position, 1))
    with b.when(b.compare("slt", position, b.load("%script", 1))):
        b.give(f"i64 {b.load(entry)}")
    b.store(following, "%script", 1)
    b.store(0, entry)
    b.store("%alternatives", entry, 1)
    b.give("i64 0")
    return b.text()


def _advance() -> str:
    """Make the script the next one in order; 0 if there is none (the script is then empty)."""
    b = Assembly("advance", "i64", [("ptr", "%script")])
    b.store(0, "%script")
    depth = b.variable(b.load("%script", 1))
    for choices in b.rounds(depth, lambda choices: b.compare("ne", choices, 0)):
        last = b.sub(choices, 1)
        entry = b.address(b.address("%script", 2), b.shl(last, 1))
        following = b.add(b.load(entry), 1)
        with b.when(b.compare("slt", following, b.load(entry, 1))):
            b.store(following, entry)
            b.store(choices, "%script", 1)
            b.give("i64 1")
        depth.set(last)
    b.store(0, "%script", 1)
    b.give("i64 0")
    return b.text()


def _note() -> str:
    """Lower first[finding] to row."""
    b = Assembly("note", "void", [("ptr", "%first"), ("i64", "%finding"), ("i64", "%row")])
    b.inline = "cold noinline"
    old = b.load("%first", "%finding")
    b.store(b.select(b.compare("slt", "%row", old), "%row", old), "%first", "%finding")
    b.give("void")
    return b.text()


RUNTIME = "\n".join([DECLARATIONS, _choose(), _advance(), _note()])
