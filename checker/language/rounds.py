"""A bound on `while` loops of the models that Python runs: more than 10,000 rounds are a model error, as in compiled
code.

Python has no such bound, and a loop that never ends would keep a check for ever.  So the lines that a method with a
`while` comes to are traced: each time the loop's condition is asked counts, and a line outside the loop begins the
count anew.  Methods without one are not traced, and where no method has one nothing is.  Where it stops: compiled code
refuses the first round beyond the bound, this the condition after it; and a debugger that traces too sees nothing in
such a method.
"""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FrameType, FunctionType
from typing import Any
from weakref import WeakKeyDictionary

from attrs import define, field, frozen

from checker.ir.domain import ROUNDS
from checker.language.errors import ModelError
from checker.language.places import tree


@frozen
class Loop:
    """The lines of a `while` statement; the condition stands on the first."""

    first: int
    last: int


_known: dict[ast.Module, tuple[Loop, ...]] = {}
_bounds: WeakKeyDictionary[type, Rounds] = WeakKeyDictionary()


def rounds_of(model: type) -> Rounds:
    """The bound for the methods of a model and its properties, those that an edit overrides and may call included."""
    if model not in _bounds:
        _bounds[model] = Rounds(_loops_of(model))
    return _bounds[model]


def _loops_of(model: type) -> dict[str, tuple[Loop, ...]]:
    found: dict[str, set[Loop]] = {}
    for cls in (model, *getattr(model, "properties", ())):
        for code in (f.__code__ for base in cls.__mro__ for f in vars(base).values() if isinstance(f, FunctionType)):
            if inside := _within(code, _loops(code.co_filename)):
                found.setdefault(code.co_filename, set()).update(inside)
    return {file: tuple(sorted(inside, key=lambda loop: loop.first)) for file, inside in found.items()}


def _loops(file: str) -> tuple[Loop, ...]:
    if not any(line.lstrip().startswith("while") for line in linecache.getlines(file)):
        return ()  # most files have none, and need not be parsed for it
    module = tree(file)
    if module is not None and module not in _known:
        _known[module] = tuple(
            Loop(n.lineno, n.end_lineno or n.lineno) for n in ast.walk(module) if isinstance(n, ast.While)
        )
    return _known[module] if module is not None else ()


def _within(code: CodeType, loops: tuple[Loop, ...]) -> tuple[Loop, ...]:
    """Those of a file's loops that stand in a method."""
    last = max((line for _, _, line in code.co_lines() if line), default=0)
    return tuple(loop for loop in loops if code.co_firstlineno <= loop.first <= last)


@define(eq=False)
class Rounds:
    """Counts the rounds of these loops while the context lasts."""

    loops: dict[str, tuple[Loop, ...]]
    _known: dict[CodeType, tuple[Loop, ...]] = field(factory=dict)

    @contextmanager
    def bounded(self) -> Iterator[None]:
        """ModelError from a loop inside the context that makes too many rounds."""
        if not self.loops:
            yield
            return
        outer = sys.gettrace()
        sys.settrace(self._entered)
        try:
            yield
        finally:
            sys.settrace(outer)

    def _entered(self, frame: FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        if code.co_filename not in self.loops:
            return None
        if code not in self._known:
            self._known[code] = _within(code, self.loops[code.co_filename])
        return _counting(self._known[code]) if self._known[code] else None


def _counting(inside: tuple[Loop, ...]) -> Any:
    """A trace function for one call of a method with these loops."""
    asked = [0] * len(inside)

    def at(frame: FrameType, event: str, argument: Any) -> Any:
        line = frame.f_lineno
        for number, loop in enumerate(inside if event == "line" else ()):
            if not loop.first <= line <= loop.last:
                asked[number] = 0
            elif line == loop.first:
                asked[number] += 1
                if asked[number] > ROUNDS + 1:
                    raise ModelError(f"more than {ROUNDS} rounds")
        return at

    return at
