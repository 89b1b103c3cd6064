"""The steps that a set contains because its key may mend an invariant.

An invariant over processes or messages is a conjunction.  A violation begins with a step that makes one conjunct false,
and a key hides it only if the key makes this conjunct true again.  If a set contains, beside a key that may mend a
conjunct, every step that may make this conjunct false, the key hides no violation.  A key takes at most a message that
was in flight before the violation began, so it makes no conjunct true that speaks of each message in flight by itself.
Where it stops: of an invariant that reads more of what is in flight, or whose evaluation may be an error, a step that
may mend it is never a key.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from attrs import define, field

from checker.frozen import frozen
from checker.ir import build
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir.facts import with_bodies
from checker.ir.footprints import shapes
from checker.ir.footprints.effects import Write
from checker.ir.footprints.effort import Effort, TooMany
from checker.ir.footprints.knowledge import Knowledge, Value
from checker.ir.footprints.phases import Phases
from checker.ir.footprints.places import Part
from checker.ir.footprints.shapes import Known, Shape
from checker.ir.stubborn.mending import Turns, turned_by
from checker.ir.stubborn.relations import mask
from checker.ir.visit import walk

MOST = 1_000
"""The largest number of conjuncts of one invariant."""
MOST_WORK = 20_000
"""The number of expressions that are evaluated for the conjuncts of one invariant together."""


@frozen
class Conjunct:
    """reads: the parts of the state that it reads; turns: the changes that may make it true, and false."""

    reads: tuple[Part, ...]
    turns: Turns


def breaking(phases: Phases, function: str, mending: Iterable[int]) -> dict[int, int] | None:
    """For each instance that may mend an invariant, as a key, the instances that may make a conjunct false which it
    may make true; None if that is not known.
    """
    try:
        conjuncts = tuple(_conjuncts(phases, function))
    except _Unknown:
        return None
    turning = _Turning(phases, conjuncts)
    return {k: turning.before(k) for k in mending}


class _Unknown(Exception):
    """Raised if the conjuncts of an invariant are too many, or read the network."""


def _conjuncts(phases: Phases, function: str) -> Iterator[Conjunct]:
    """The conjuncts of an invariant whose evaluation cannot be an error."""
    effort = Effort(MOST_WORK)
    try:
        split = list(islice(_Splitting(phases, effort).function(function, {}), MOST + 1))
    except TooMany:
        raise _Unknown from None
    if len(split) > MOST:
        raise _Unknown
    for node, known in split:
        if not _each_in_flight(phases, node):
            reads = _reads(phases, node, known, effort)
            if any(p.variable in phases.origin.networks for p in reads):
                raise _Unknown
            yield Conjunct(reads, turned_by(phases.origin.model, node))


def _reads(phases: Phases, node: e.Expression, known: Knowledge, effort: Effort) -> tuple[Part, ...]:
    """The parts of the state that a conjunct reads: whole variables if their parts need too much work."""
    evaluation, model = phases.evaluation(effort), phases.origin.model
    try:
        evaluation.value(node, known.copy())
    except TooMany:
        bodies = with_bodies(node, model.function)
        return tuple(dict.fromkeys(Part(x.name) for x in walk(bodies) if isinstance(x, e.Variable)))
    return tuple(dict.fromkeys(r.part for r in evaluation.reads))


@define
class _Turning:
    """Which steps may make which conjuncts true or false, as bits of the conjuncts."""

    phases: Phases
    conjuncts: Sequence[Conjunct]
    _known: dict[tuple[Part, str, bool], int] = field(factory=dict)

    def before(self, k: int) -> int:
        """The instances that may make a conjunct false which a key may make true: whole runs, or the phase of the key.
        A crash in the middle of a step is no key.
        """
        phase, found = self.phases.of(k), self.phases.origin.found
        if phase is not None and k not in phase.footprints:
            return 0
        own = found[k].writes if phase is None else phase.footprints[k].writes
        mended = self._turned([w for w in own if not w.crash], True)
        others = dict(enumerate(found)) if phase is None else phase.footprints
        return mask(j for j, x in others.items() if self._turned(x.writes, False) & mended) & ~(1 << k)

    def _turned(self, writes: Iterable[Write], up: bool) -> int:
        """The conjuncts that steps with these writes may make true, or false."""
        found = 0
        for write in writes:
            found |= self._by(write.part, write.way, up)
        return found

    def _by(self, part: Part, way: str, up: bool) -> int:
        if (part, way, up) not in self._known:
            turns = ((n, x, x.turns.up if up else x.turns.down) for n, x in enumerate(self.conjuncts))
            self._known[part, way, up] = mask(
                n for n, x, turn in turns if (part.variable, way) in turn and any(part.overlaps(r) for r in x.reads)
            )
        return self._known[part, way, up]


@define
class _Splitting:
    """The conjuncts of an invariant as expressions, each with the values of its locals."""

    phases: Phases
    _effort: Effort

    def function(self, name: str, given: Mapping[str, Shape]) -> Iterator[tuple[e.Expression, Knowledge]]:
        """The conjuncts of the result of a function."""
        function = self.phases.origin.model.function(name)
        known = Knowledge({parameter: Value(shape) for parameter, shape in given.items()})
        match function.body:
            case (s.Return(_, value),):
                yield from self._value(value, known)
            case _:
                arguments = tuple(e.Local(p.type, p.name) for p in function.parameters)
                yield e.Call(build.BOOL, name, arguments), known

    def _value(self, node: e.Expression, known: Knowledge) -> Iterator[tuple[e.Expression, Knowledge]]:
        match node:
            case e.And(_, operands):
                for operand in operands:
                    yield from self._value(operand, known)
            case e.Quantifier(_, "all", generators, body):
                yield from self._rounds(generators, body, known)
            case e.Call(_, name, arguments):
                given = [self._shape(x, known) for x in arguments]
                if all(isinstance(x, Known) for x in given):
                    names = (p.name for p in self.phases.origin.model.function(name).parameters)
                    yield from self.function(name, dict(zip(names, given)))
                else:
                    yield node, known
            case _:
                yield node, known

    def _rounds(
        self, generators: Sequence[e.Generator], body: e.Expression, known: Knowledge
    ) -> Iterator[tuple[e.Expression, Knowledge]]:
        """The conjuncts of the rounds of loops over items that do not depend on the state."""
        if not generators:
            yield from self._value(body, known)
            return
        first, *rest = generators
        if any(isinstance(x, e.Variable | e.Call) for x in walk(first.iterable)):
            yield e.Quantifier(build.BOOL, "all", tuple(generators), body), known
            return
        for item in self.phases.evaluation(self._effort).items(first.iterable, known.copy()):
            inner = known.copy()
            inner.locals[first.local.name] = Value(item)
            values = [(c, self._shape(c, inner)) for c in first.conditions]
            conditions = [c for c, shape in values if shape != shapes.TRUE]
            if any(shape == shapes.FALSE for _, shape in values):
                continue
            if not conditions:
                yield from self._rounds(rest, body, inner)
                continue
            last = e.Quantifier(build.BOOL, "all", tuple(rest), body) if rest else body
            yield build.disjunction((*map(build.negate, conditions), last)), inner

    def _shape(self, node: e.Expression, known: Knowledge) -> Shape:
        return self.phases.evaluation(self._effort).value(node, known.copy())


def _each_in_flight(phases: Phases, node: e.Expression) -> bool:
    """Whether an expression speaks of the messages of a network, one by one, without reading anything else, and steps
    only send and take these messages.
    """
    model = phases.origin.model
    if not isinstance(node, e.Quantifier) or node.operator != "all":
        return False
    source = node.generators[0].iterable
    if isinstance(source, e.SeqOf | e.SetOf):
        source = source.generators[0].iterable
    bodies = with_bodies(node, model.function)
    read = [x.name for x in walk(bodies) if isinstance(x, e.Variable)]
    if not isinstance(source, e.Variable) or read != [source.name] or source.name not in phases.origin.networks:
        return False
    return not any(w.part.variable == source.name for x in phases.origin.found for w in x.writes)
