"""The expectations that a command verified at the merge base and verifies no more, whatever file they are in: a class
is gone, or its expectation, or it is where the command does not look, or the settings name less.

A class that moved to another file that the command looks into, or that has another name, is not gone.  A file that
cannot be read is named as such.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path

from checker.analysis.git import git
from checker.analysis.renamed import renaming
from checker.analysis.since import Change
from checker.catalogue import Entry
from checker.language.errors import UsageError
from checker.language.expectation import expectations
from checker.language.places import bindings
from checker.results.removed import Removed
from checker.results.verified import Unread
from checker.sought import Named
from checker.wording import counted


def no_longer_verified(
    change: Change, now: Named, before: Named, entries: Iterable[Entry], unread: Iterable[Unread]
) -> tuple[Removed, ...]:
    """before: what the command, with the settings of that time, looked into; entries: the classes that it has read;
    unread: the files that it could not read.  A class that is in the text of a file that was read, but no model any
    more, or that states nothing, is gone, too."""
    verified = {(e.file.resolve(), e.cls.__name__) for e in entries if _states(e)}
    told = {Path(one.reference.partition(":")[0]).resolve() for one in unread}
    gone: list[Removed] = []
    come: set[str] = set()
    places = {former: name for name, former in change.moved.items()}
    for former_name in sorted(_files(change, now, before)):
        name = places.get(former_name, former_name)
        file, was = change.root / name, change.root / former_name
        former = change.former(file) or ""
        text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
        stated, today = stating(former) or {}, stating(text)
        asked = {cls for cls in stated if before.has(was.resolve(), cls)}
        if today is None and any(now.has(file.resolve(), cls) for cls in stated):
            continue  # it is told that the file cannot be read
        known = today or {}
        there = {cls for cls in known if now.has(file.resolve(), cls)}
        if file.resolve() not in told:
            there = {cls for cls in there if (file.resolve(), cls) in verified}
        names = renaming([(former, text)]).names if set(stated) - set(known) else {}
        for cls in sorted(asked):
            if (called := names.get(cls, cls)) not in there:
                outside = called in known and not now.has(file.resolve(), called)
                gone.append(Removed(cls, name, file, _elsewhere(known[called]) if outside else ""))
        come |= {cls for cls in there if cls not in asked}
    return tuple(one for one in gone if one.name not in come)


def _states(entry: Entry) -> bool:
    """Whether a class states an expectation; one that is wrong as written is told where it is verified."""
    try:
        return bool(expectations(entry.cls))
    except UsageError:
        return True


def _files(change: Change, now: Named, before: Named) -> Iterable[str]:
    """The files, by their former names, that may have lost a class: those that differ; all, if others are named."""
    if now == before:
        return change.files - change.moved.keys()
    listed = git(
        change.root, "ls-tree", "-r", "-z", "--name-only", change.commit, problem="git ls-tree failed", needed=""
    )
    return {name for name in listed.split("\0") if name.endswith(".py")} | change.files - change.moved.keys()


def _elsewhere(number: int) -> str:
    are = "its expectation is" if number == 1 else f"its {counted(number, 'expectation')} are"
    return f"{are} no longer verified, for the file is outside of what is named"


def stating(text: str) -> dict[str, int] | None:
    """The classes of a source text that state an expectation, with the number of these; None if it is not Python."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    classes = (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    stated = ((cls.name, getattr(s, "value", None)) for cls in classes for n, s in bindings(cls.body) if n == "expect")
    numbers = {
        name: len(value.elts) if isinstance(value, ast.List | ast.Tuple) else 1
        for name, value in stated
        if not isinstance(value, ast.Constant | None)  # None states nothing
    }
    return {name: number for name, number in numbers.items() if number}
