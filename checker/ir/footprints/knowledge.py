"""What is known in the middle of a step: of locals, and of the parts of the state that it has written or asked for.

A value has a shape and, if there is one, a closed expression: it gives the value in the state before the step.
"""

from __future__ import annotations

from attrs import Factory, define

from checker.frozen import frozen
from checker.ir.expressions import Expression
from checker.ir.footprints.places import Part
from checker.ir.footprints.shapes import ANYTHING, Shape, join


@frozen
class Value:
    """What is known of a value.  written: by this step, so the state before it has another one."""

    shape: Shape = ANYTHING
    closed: Expression | None = None
    written: bool = False


UNKNOWN = Value(written=True)


@define
class Knowledge:
    """Locals and parts of the state with their values."""

    locals: dict[str, Value] = Factory(dict)
    parts: dict[Part, Value] = Factory(dict)

    def copy(self) -> Knowledge:
        """The same, to be changed apart."""
        return Knowledge(dict(self.locals), dict(self.parts))

    def of(self, part: Part) -> Value | None:
        """What is known of a part; None if the step has not touched it and nothing was asked of it."""
        known = self.parts.get(part) if part.exact else None
        touched = [p for p, v in self.parts.items() if v.written and p != part and p.overlaps(part)]
        return UNKNOWN if touched else known

    def write(self, part: Part, value: Value) -> None:
        """The part has this value from here on."""
        for other in [p for p in self.parts if part.covers(p)]:
            del self.parts[other]
        self.parts[part] = value if part.exact else UNKNOWN

    def joined(self, other: Knowledge) -> Knowledge:
        """What is known where the one or the other is."""
        names = {**self.locals, **other.locals}  # what one of them does not have is not read behind it
        locals = {n: _joined(self.locals.get(n, v), other.locals.get(n, v)) for n, v in names.items()}
        parts: dict[Part, Value] = {}
        for part in (*self.parts, *other.parts):
            a, b = self.parts.get(part), other.parts.get(part)
            if a is not None and b is not None:
                parts[part] = _joined(a, b)
            elif (a or b or UNKNOWN).written:
                parts[part] = UNKNOWN
        return Knowledge(locals, parts)


def _joined(a: Value, b: Value) -> Value:
    if a == b:
        return a
    closed = a.closed if a.closed == b.closed else None
    return Value(join(a.shape, b.shape), closed, a.written or b.written)
