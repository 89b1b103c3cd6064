"""Match the errors and failed assertions of two models: two failures correspond if the same statement of the same
method fails, even if the edit has moved the statement to another line.

A report names a failure by its line.  In an override that repeats a method, or in a revision with an additional line,
the same failure has another line number, and that line number may belong to another failure.
"""

from __future__ import annotations

import inspect
import linecache
from collections.abc import Hashable, Iterator
from contextlib import suppress
from itertools import count

from checker.analysis.check import Examined
from checker.analysis.compare.properties import CHANGED, FORMER
from checker.results.checked import FAILURES, Failed, PropertyReport


def by_meaning(side: Examined) -> dict[Hashable, PropertyReport]:
    """Properties by name; failures by their kind, the method and the text of the line, numbered among equal lines.
    Failures in a property of the other side (CHANGED) are none of this side.
    """
    found: dict[Hashable, PropertyReport] = {p.name: p for p in side.report.properties if p.kind not in FAILURES}
    failures = [(p.failed or Failed(p.name, "", 0), p) for p in side.report.properties if p.kind in FAILURES]
    methods = list(_methods(side)) if failures else []  # their texts are read and cut into tokens
    for failed, p in sorted(failures, key=lambda pair: pair[0].line):
        line = failed.line
        in_file = (m for m in methods if failed.file in ("", m[2]))
        places = {place for first, last, _, place in in_file if first <= line <= last}
        if places and all(name.startswith(CHANGED) for name, _ in places):
            continue
        texts = {(name.removeprefix(FORMER), linecache.getline(file, line).strip()) for name, file in places}
        where: tuple[Hashable, ...] = next(iter(texts)) if len(texts) == 1 else (line,)
        key = p.kind, failed.what, *where
        found[*key, next(number for number in count() if (*key, number) not in found)] = p
    return found


def _methods(side: Examined) -> Iterator[tuple[int, int, str, tuple[str, str]]]:
    """First and last line, file, and (name, file) of every method of the model and its properties."""
    model = side.definition.model
    for cls in dict.fromkeys(c for of in (model, *model.properties) for c in of.__mro__):
        for name, value in vars(cls).items():
            if inspect.isfunction(value):
                with suppress(OSError):  # one without a text
                    lines, first = inspect.getsourcelines(value)
                    file = value.__code__.co_filename
                    yield first, first + len(lines) - 1, file, (name, file)
