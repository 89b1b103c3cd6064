"""No decision depends on the text of a message: what a sentence says is a field beside it.

The rule looks at each expression that takes a text apart, or looks for words in it, and finds the attributes that are
sentences.  Where it stops: a sentence that was given to a variable first is not recognized.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import TypeGuard

from tests.mentioning import mentioning

CHECKER = Path(__file__).parents[1] / "checker"
SENTENCES = frozenset(
    "note text cause witness decides settles former message reason why sentence because refusal aside told".split()
)
"""Attributes that are sentences, of traces, steps, findings, errors and results."""
TAKEN_APART = frozenset(
    "partition rpartition split rsplit splitlines startswith endswith removeprefix removesuffix find index count "
    "match fullmatch search findall finditer sub".split()
)
"""Methods of texts and patterns, and functions of `re`."""

ALLOWED: dict[str, tuple[int, str]] = {
    "replay/blocked.py": (4, "a reason that another one repeats is left out"),
    "replay/opposed.py": (2, "the values that the sentence about a violation names"),
}
"""How often a file does it, and why: what is shown depends on the text, what is true does not.  The list may only
shrink."""


def reading(tree: ast.AST) -> set[int]:
    """The lines that take a sentence apart, look for words in it, or compare it with a text."""
    return {node.lineno for node in ast.walk(tree) if isinstance(node, ast.Call | ast.Compare) and _reads(node)}


def _reads(node: ast.Call | ast.Compare) -> bool:
    match node:
        case ast.Call(ast.Attribute(value, name), arguments):
            return name in TAKEN_APART and any(map(_is_sentence, (value, *arguments)))
        case ast.Compare(left, [ast.In() | ast.NotIn()], [right]):
            return _is_sentence(right) and right.attr != "witness"  # of `Missed` these are values
        case ast.Compare(left, [ast.Eq() | ast.NotEq()], [right]):
            return any(_is_sentence(a) and _is_words(b) for a, b in ((left, right), (right, left)))
    return False


def _is_sentence(node: ast.expr) -> TypeGuard[ast.Attribute]:
    return isinstance(node, ast.Attribute) and node.attr in SENTENCES


def _is_words(node: ast.expr) -> bool:
    """A text of several words, or a composed one."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and " " in node.value
    return isinstance(node, ast.JoinedStr)


@cache
def found() -> dict[str, list[int]]:
    """The lines of each file of the checker."""
    files = mentioning(sorted(CHECKER.rglob("*.py")), rf"\.({'|'.join(SENTENCES)})\b")
    lines = {file.relative_to(CHECKER).as_posix(): reading(tree) for file, tree in files}
    return {name: sorted(of) for name, of in lines.items() if of}


def test_no_sentence_is_taken_apart_to_decide() -> None:
    """Each place that does so has its reason in the list, and the list has no other place."""
    assert {name: len(lines) for name, lines in found().items()} == {
        name: number for name, (number, _) in ALLOWED.items()
    }


def test_a_sentence_that_is_taken_apart_is_found() -> None:
    """By a method of the text, by a pattern, by words in it; a field that is compared is none."""
    program = """
a = step.note.partition("; ")
b = re.search("[.]py:", step.note)
c = LINE.search(trace.cause)
d = "nothing in flight" in trace.decides
e = found.reason == f"{process} has crashed"
f = rule.why.startswith(LATE)
g = rule.late and step.note
h = trace.found_by == "shared"
"""
    assert reading(ast.parse(program)) == {2, 3, 4, 5, 6, 7}
