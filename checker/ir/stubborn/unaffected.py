"""Whether a step leaves the value of an invariant unchanged, in every state in which the step is enabled.

A step that occurs once is possible only in a phase (`checker.ir.footprints.phases`), and the facts of the phase may
show that the invariant reads nothing that the step changes: before a message is multicast no process has delivered it,
so the invariant does not read whether it was multicast.  Loops over known items are followed item by item; a part with
the same known value before and after the step is not affected.  Where it stops: only facts of the phase, and values
that follow from the step's own conditions, are known; an invariant whose evaluation may be an error is not examined.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define

from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir.footprints import shapes
from checker.ir.footprints.evaluating import Evaluation
from checker.ir.footprints.instances import Kind
from checker.ir.footprints.knowledge import UNKNOWN, Knowledge, Value
from checker.ir.footprints.phases import Phases
from checker.ir.footprints.places import Part
from checker.ir.footprints.shapes import Known, Shape


def unaffected(phases: Phases, i: int, function: str) -> bool:
    """Whether an instance, where it is possible, leaves the value of an invariant that cannot fail unchanged."""
    phase = phases.of(i)
    if phase is None or i not in phase.footprints:
        return False
    footprint = phase.footprints[i]
    opening = phases.origin.found[i].head.opening
    networks = [k.network for k in (*footprint.sends, opening) if isinstance(k, Kind)]
    changed = [*(w.part for w in footprint.writes), *map(Part, networks)]
    before = Knowledge(parts=phases.implied_values(i), before=phase.facts)
    after = before.copy()
    for write in footprint.writes:
        agreed = write.known and all(w == write for w in footprint.writes if w.part.overlaps(write.part))
        after.write(write.part, Value(Known(write.raw), None, True) if agreed else UNKNOWN)
    judging = _Judging(phases, changed)
    return not judging.function(function, (), before, after)


@define
class _Judging:
    phases: Phases
    changed: list[Part]

    def function(self, name: str, given: tuple[Value, ...], before: Knowledge, after: Knowledge) -> bool:
        """Whether the result of a function is affected."""
        function = self.phases.origin.model.function(name)
        known = [x.copy() for x in (before, after)]
        for x in known:
            x.locals = {p.name: value for p, value in zip(function.parameters, given)}
        match function.body:
            case (s.Return(_, value),):
                return self.value(value, *known)
        return True

    def value(self, node: e.Expression, before: Knowledge, after: Knowledge) -> bool:
        """Whether the value of an expression is affected."""
        shape, reads = self._seen(node, before)
        other, more = self._seen(node, after)
        if not any(a.overlaps(b) for a in (*reads, *more) for b in self.changed):
            return False
        if isinstance(shape, Known) and shape == other:
            return False
        match node:
            case e.Not(_, value):
                return self.value(value, before, after)
            case e.And(_, operands) | e.Or(_, operands):
                return any(self.value(x, before, after) for x in operands)
            case e.Quantifier(_, _, generators, body):
                return any(self._rounds(generators, body, before, after))
            case e.Call(_, name, arguments):
                if any(self.value(x, before, after) for x in arguments):
                    return True
                given = tuple(Value(self._seen(x, before)[0]) for x in arguments)
                return self.function(name, given, before, after)
        return True

    def _rounds(
        self, generators: tuple[e.Generator, ...], body: e.Expression, before: Knowledge, after: Knowledge
    ) -> Iterator[bool]:
        """Whether the values in the rounds of a loop are affected."""
        if not generators:
            yield self.value(body, before, after)
            return
        first, *rest = generators
        if self.value(first.iterable, before, after):
            yield True
            return
        for item in self._items(first.iterable, before):
            inner = [x.copy() for x in (before, after)]
            for x in inner:
                x.locals[first.local.name] = Value(item)
            for condition in first.conditions:
                yield self.value(condition, inner[0], inner[1])
            if not any(self._seen(c, inner[0])[0] == shapes.FALSE for c in first.conditions):
                yield from self._rounds(tuple(rest), body, inner[0], inner[1])

    def _items(self, iterable: e.Expression, known: Knowledge) -> Iterator[Shape]:
        for item in self._evaluation().items(iterable, known):
            found = shapes.options(item)
            yield from [item] if found is None else map(Known, sorted(found))

    def _seen(self, node: e.Expression, known: Knowledge) -> tuple[Shape, list[Part]]:
        """The possible values of an expression, and its reads."""
        evaluation = self._evaluation()
        shape = evaluation.value(node, known.copy())
        return shape, [r.part for r in evaluation.reads]

    def _evaluation(self) -> Evaluation:
        return self.phases.evaluation()
