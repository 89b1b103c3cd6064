"""Edits that carry out the remedy of a message, where that is mechanical.

The remedies are: another name for a misspelt one, an expression to write instead, another name for a method that
overrides nothing, the removal of an edit that edits nothing, the new count of an expectation.  The intended text is
data beside the words of the message (`checker.wording.Advice`); a remedy that leaves a decision open (what a rule
should return) has no edit.  Each edit contains the text that it replaces, and is offered only while that text is there.
"""

from __future__ import annotations

import ast
import difflib
import re

from checker.editor.source import Edit, Source
from checker.frozen import frozen
from checker.language.errors import UsageError
from checker.results.vacuity import Vacuity
from checker.wording import Advice

NEAR = 0.5


@frozen
class Fix:
    """A fix offered by an editor: its title and the edits."""

    title: str
    edits: tuple[Edit, ...]


def of_error(source: Source, error: UsageError) -> tuple[Fix, ...]:
    """The fixes of an error at its line; one for each name that may be meant."""
    line, advice = error.line or 0, error.remedy
    if not isinstance(advice, Advice):
        return ()
    spoken = f"{error.message} {error.fragment}"
    renamed = [_renamed(source, line, spoken, name) for name in advice.meant]
    written = _written(source, line, error.fragment.strip(), advice.write) if advice.write else None
    return tuple(filter(None, [*renamed, written]))


def _renamed(source: Source, line: int, message: str, new: str) -> Fix | None:
    """The name of a statement that its message mentions and that is nearest to another one, if it occurs there once."""
    spoken = set(re.findall(r"[^\W\d]\w*", message))
    there = [w for n in source.statement(line) for w in source.words(n) if w[0] in spoken and w[0] != new]
    near = difflib.get_close_matches(new, {name for name, _, _ in there}, 1, NEAR)
    places = [(first, last) for name, first, last in there if name in near]
    if len(places) != 1:
        return None
    return Fix(f"Change {near[0]} to {new}", (source.replaced(*places[0], new),))


def _written(source: Source, line: int, old: str, new: str) -> Fix | None:
    """A name or a quoted text that an expression should replace, if it occurs there once."""
    if not re.fullmatch(r"[^\W\d]\w*|\"[^\"]*\"|'[^']*'", old) or not 1 <= line <= len(source.lines):
        return None
    pattern = rf"(?<![\w.]){re.escape(old)}(?![\w(])"
    found = [(n, m) for n in source.statement(line) for m in re.finditer(pattern, source.lines[n - 1])]
    if len(found) != 1:
        return None
    number, match = found[0]
    return Fix(f"Write {new}", (source.replaced((number, match.start()), (number, match.end()), new),))


def of_finding(source: Source, cls: str, finding: Vacuity) -> Fix | None:
    """The fixes of a finding about a class."""
    if finding.kind == "edits-nothing":
        return _without_class(source, cls)
    meant = finding.text.meant if isinstance(finding.text, Advice) else ()
    owner, _, name = finding.subject.rpartition(".")
    node = source.method(owner or cls, name)
    if not meant or node is None:
        return None
    lines = range(node.lineno, node.body[0].lineno + 1)
    places = [(a, b) for n in lines for word, a, b in source.words(n) if word == name]
    return Fix(f"Rename {name} to {meant[0]}", (source.replaced(*places[0], meant[0]),)) if places else None


def _without_class(source: Source, cls: str) -> Fix | None:
    """The removal of a class with the empty lines before it; none if other classes derive from it or text names it."""
    node = source.class_node(cls)
    named = [n for n in ast.walk(source.tree) if isinstance(n, ast.Name) and n.id == cls]
    if node is None or node.end_lineno is None or named:
        return None
    first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
    while first > 1 and not source.lines[first - 2].strip():
        first -= 1
    end = node.end_lineno
    begin, after = (first, 0), (end + 1, 0)
    if end >= len(source.lines):  # the last class: the line break before it goes, the one at the end stays
        begin, after = (
            (first - 1, len(source.lines[first - 2])) if first > 1 else begin,
            (end, len(source.lines[end - 1])),
        )
    return Fix(f"Remove {cls}, which edits nothing", (source.replaced(begin, after, ""),))


def of_counts(source: Source, cls: str, number: int, found: dict[str, tuple[int, int]]) -> Fix | None:
    """The actual counts of an expectation (its number in the class): by name the stated and the actual number."""
    calls = source.expectations(cls)
    if number >= len(calls):
        return None
    edits = []
    for keyword in calls[number].keywords:
        stated, counted = found.get(keyword.arg or "", (None, 0))
        value = keyword.value
        if stated is not None and isinstance(value, ast.Constant) and value.value == stated:
            edits.append(source.replaced_node(value, f"{counted:_}" if "_" in _text(source, value) else str(counted)))
    words = " and ".join(f"{name}={found[name][1]}" for name in found)
    return Fix(f"Expect {words}, as found", tuple(edits)) if len(edits) == len(found) > 0 else None


def _text(source: Source, node: ast.expr) -> str:
    return ast.get_source_segment(source.text, node) or ""
