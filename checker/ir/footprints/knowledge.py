"""The abstract state in the middle of a step: values of locals, and of the parts of the state that the step has written
or tested.

Facts about the state before the step may be given (`before`): facts that hold in a phase of all runs.

A value has a shape and, if there is one, a closed expression: it gives the value in the state before the step.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import Factory, define

from checker.frozen import frozen
from checker.ir.expressions import Expression
from checker.ir.footprints.places import Member, Part
from checker.ir.footprints.shapes import ANYTHING, FALSE, Known, Shape, join
from checker.ir.values import Raw


@frozen
class Value:
    """What is known of a value.  written: by this step, so its value in the state before differs."""

    shape: Shape = ANYTHING
    closed: Expression | None = None
    written: bool = False


UNKNOWN = Value(written=True)


@define
class Knowledge:
    """Locals and parts of the state with their values."""

    locals: dict[str, Value] = Factory(dict)
    parts: dict[Part, Value] = Factory(dict)
    before: Mapping[Part, Raw] = Factory(dict)  # values of parts in the state before the step

    def copy(self) -> Knowledge:
        """A copy that can be changed without changing this one."""
        return Knowledge(dict(self.locals), dict(self.parts), self.before)

    def of(self, part: Part) -> Value | None:
        """What is known of a part; None if the step has neither written nor tested it."""
        known = self.parts.get(part) if part.exact else None
        touched = any(v.written and p != part and p.overlaps(part) for p, v in self.parts.items())
        return UNKNOWN if touched else known if known is not None else self._given(part)

    def _given(self, part: Part) -> Value | None:
        return Value(Known(self.before[part])) if part in self.before else None

    def members(self, part: Part, items: Iterable[Raw]) -> frozenset[Raw]:
        """Which of these items may be in a set that is a part and whose members are known individually."""
        found = ((raw, self.of(Part(part.variable, (*part.path, Member(raw))))) for raw in items)
        return frozenset(raw for raw, value in found if value is None or value.shape != FALSE)

    def write(self, part: Part, value: Value) -> None:
        """Record that the part has this value from here on."""
        for other in [p for p in self.parts if part.covers(p)]:
            del self.parts[other]
        self.parts[part] = value if part.exact else UNKNOWN

    def write_members(self, part: Part, items: Iterable[Raw], inside: frozenset[Raw]) -> None:
        """Record that the part is from here on a set of some of these members; items: all possible members."""
        self.write(part, UNKNOWN)
        del self.parts[part]
        for raw in items:
            value = UNKNOWN if raw in inside else Value(FALSE, written=True)
            self.parts[Part(part.variable, (*part.path, Member(raw)))] = value

    def joined(self, other: Knowledge) -> Knowledge:
        """What is known if one of the two is the abstract state, whichever it is."""
        names = {**self.locals, **other.locals}  # a local that one of them does not have is not read afterwards
        locals = {n: _joined(self.locals.get(n, v), other.locals.get(n, v)) for n, v in names.items()}
        parts: dict[Part, Value] = {}
        for part in (*self.parts, *other.parts):
            a, b = (known.parts.get(part, known._given(part)) for known in (self, other))
            if a is not None and b is not None:
                parts[part] = _joined(a, b)
            elif (a or b or UNKNOWN).written:
                parts[part] = UNKNOWN
        return Knowledge(locals, parts, self.before)


def _joined(a: Value, b: Value) -> Value:
    if a == b:
        return a
    closed = a.closed if a.closed == b.closed else None
    return Value(join(a.shape, b.shape), closed, a.written or b.written)
