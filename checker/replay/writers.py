"""Which statements of a step make the difference between two states: for each part of the state that differs after the
step of two versions, the statement of each version that wrote it last.

Both versions are executed with the state before every statement (`checker.replay.executed`); what changes up to the
next statement, this one has written.  A part is a value under one key of a map, a whole record or sequence, or one
element of a set or bag, such as a message in flight.

Where it stops: statements of the language's own modules count as the call that leads to them; a value that an
assignment gets from a method of several statements counts as written by the last effect of this method.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from checker.backends.interpreter.interpreter import Interpreter, Raw, Step
from checker.frozen import frozen
from checker.language.definition import Definition
from checker.replay.deciding import done_in, is_of_library
from checker.replay.executed import Done
from checker.replay.plain import plain_raw
from checker.trace.values import FrozenMap, Multiset, show

NOWHERE = object()
Part = tuple[str, Any]
"""A part of the state: its path as in source, and the element of a set or bag (NOWHERE: it is no element)."""


@frozen
class Differing:
    """A part of the state in which two versions differ after a step.

    edited, before: the statements of each version that wrote it, behind the calls that led there, the outermost first;
    empty if the version leaves it as it was, with what `kept` says.  message: it is one in flight.
    """

    part: Part
    was: Any
    edited: tuple[Done, ...]
    before: tuple[Done, ...]
    message: bool = False

    @property
    def like(self) -> tuple[str, bool]:
        """The variable of the part, and whether it is an element."""
        return _variable(self.part), self.part[1] is not NOWHERE

    @property
    def kept(self) -> str:
        """That a version leaves the part as it was, in words."""
        path, element = self.part
        if element is NOWHERE:
            return f"leaves {path} at {show(self.was)}"
        if self.message and not self.was:
            return f"does not send {show(element)}"
        return f"leaves {path} {'with' if self.was else 'without'} {show(element)}"

    @property
    def values(self) -> frozenset[str]:
        """What the statements of both versions do."""
        return frozenset(d.value for d in (*self.edited, *self.before))


def differing(edited: tuple[Interpreter, Raw, Step], before: tuple[Interpreter, Raw, Step]) -> list[Differing]:
    """The parts of the state that differ after a step of two versions, those first that are written first.  Each
    version: its interpreter, the state before the step, and the step."""
    (one, start, taken), (two, former, other) = edited, before
    if taken.after is None or other.after is None:
        return []
    now, was = _parts(one.definition, taken.after), _parts(two.definition, other.after)
    networks = {v.name for v in one.definition.variables if v.network is not None}
    names = {v.name for v in two.definition.variables} & {v.name for v in one.definition.variables}
    differ = [p for p in {**now, **was} if _variable(p) in names and now.get(p) != was.get(p)]
    if not differ:
        return []
    begin = _parts(one.definition, start)
    mine, theirs = _written(one, start, taken), _written(two, former, other)
    order = {part: n for n, part in enumerate([*mine, *(p for p in theirs if p not in mine)])}
    found = (
        Differing(p, begin.get(p), mine.get(p, ()), theirs.get(p, ()), _variable(p) in networks)
        for p in differ
        if p in order
    )
    return sorted(found, key=lambda d: order[d.part])


def _variable(part: Part) -> str:
    return part[0].partition("[")[0]


def _written(interpreter: Interpreter, before: Raw, step: Step) -> dict[Part, tuple[Done, ...]]:
    """The parts that the statements of a step write, in order, each with those that wrote it last."""
    done = [
        d for d in done_in(interpreter, before, step.after, step, keep=True) if not isinstance(d.node, ast.FunctionDef)
    ]
    states = [*(d.before for d in done), step.after]
    parts = [_parts(interpreter.definition, state) for state in states if state is not None]
    found: dict[Part, tuple[Done, ...]] = {}
    if len(parts) != len(states):
        return found
    for number, (earlier, later) in enumerate(pairwise(parts)):
        changed = [p for p in {**earlier, **later} if earlier.get(p) != later.get(p)]
        chain = _chain(done, number) if changed else ()
        found |= dict.fromkeys(changed, chain) if chain else {}
    return found


def _chain(done: Sequence[Done], number: int) -> tuple[Done, ...]:
    """A statement behind the calls that led to it, without those of the language and those that are no effect."""
    sites = [done[number]]
    for call in reversed(done[number].calls[:-1]):
        sites += [d for d in reversed(done[:number]) if d.calls[-1:] == (call,)][:1]
    return tuple(d for d in reversed(sites) if not is_of_library(d.place))


def _parts(definition: Definition, state: Raw) -> dict[Part, Any]:
    """All parts of a state with their values."""
    found: dict[Part, Any] = {}
    for variable, raw in zip(definition.variables, state):
        found.update(_of_value(variable.name, plain_raw(variable.domain, raw)))
    return found


def _of_value(path: str, value: Any) -> Iterator[tuple[Part, Any]]:
    match value:
        case FrozenMap():
            for key, inner in value.items():
                yield from _of_value(f"{path}[{show(key)}]", inner)
        case Multiset(counts=Mapping() as counts):
            yield from (((path, element), count) for element, count in counts.items())
        case frozenset():
            yield from (((path, element), 1) for element in value)
        case _:
            yield (path, NOWHERE), value
