"""The relations that determine stubborn sets: dependence of instances, and the instances that can enable a disabled
one.

A set of instances is stubborn in a state (A. Valmari, "Stop it, and be stubborn!", ACSD 2015: D1, D2) if

* with an enabled instance it contains all instances that depend on this instance: instances that write a part that it
  reads or writes, read a part that it writes, take the message that it takes, or send another message that it could
  receive;
* with a disabled instance it contains all instances that can make one of its false conditions true: that its message is
  in flight, or a literal;
* it contains a *key*: an enabled instance that is not a fault.

All tables are bit masks of instances, made once for a model. Docs: reduction.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from attrs import define, evolve, field

from checker.frozen import frozen
from checker.ir import build
from checker.ir import expressions as e
from checker.ir.build import BOOL
from checker.ir.evaluate.environment import Environment
from checker.ir.evaluate.expressions import evaluate
from checker.ir.evaluate.statements import call
from checker.ir.footprints.effects import Write
from checker.ir.footprints.evaluating import known_by_members
from checker.ir.footprints.executing import Literal
from checker.ir.footprints.instances import Instance, Kind
from checker.ir.footprints.knowledge import UNKNOWN, Knowledge, Value
from checker.ir.footprints.phases import Phase, Phases
from checker.ir.footprints.places import Part
from checker.ir.footprints.shapes import Known
from checker.ir.model import Model
from checker.ir.stubborn.commuting import Receipts
from checker.ir.stubborn.mending import turned_by, variable_of
from checker.ir.stubborn.occurrences import Occurrences, at_most, level_of
from checker.ir.values import Raw, values

Touched = tuple[list[Part], list[Part]]
"""The parts that are read, and those that are written."""


@frozen
class Option:
    """A condition of an instance: the required fact, whether it must be true, and the instances that can make it so."""

    fact: int
    holds: bool
    enabling: int


@frozen
class Relations:
    """The tables of a model.  facts: conditions of the state, or kinds of messages in flight.  depends: the dependent
    instances of an enabled instance.  options: the conditions of a disabled instance.  otherwise: the instances that a
    set with a disabled instance contains if none of its options is false.
    """

    instances: tuple[Instance, ...]
    facts: tuple[e.Expression | Kind, ...]
    depends: tuple[int, ...]
    options: tuple[tuple[Option, ...], ...]
    otherwise: tuple[int, ...]
    faults: int
    steps: tuple[int, ...]


@define
class Making:
    """Makes the tables of a model; occurrences: the bounds on its steps, known once the tables are made."""

    model: Model
    instances: tuple[Instance, ...]
    phases: Phases
    facts: dict[e.Expression | Kind, int] = field(factory=dict)
    reads: list[list[Part]] = field(factory=list)
    writes: list[list[Part]] = field(factory=list)
    networks: list[set[str]] = field(factory=list)  # networks to which an instance sends or from which it takes
    makers: dict[Literal, int] = field(factory=dict)
    occurrences: Occurrences = field(init=False)

    def made(self) -> Relations:
        self.reads = [list(dict.fromkeys(r.part for r in i.reads)) for i in self.instances]
        self.writes = [list(dict.fromkeys(w.part for w in i.writes)) for i in self.instances]
        self.networks = [{k.network for k in i.sends} | _from(i) | {n for n, _ in i.drops} for i in self.instances]
        self.occurrences = Occurrences(self.instances, self.phases.origin.initial, self._start, self.phases.exact)
        everyone = range(len(self.instances))
        depends = [mask(j for j in everyone if j != i and self._dependent(i, j)) | self._more(i) for i in everyone]
        receipts = Receipts(self.model, self.instances, self.occurrences, self.phases.exact, self._start)
        depends = receipts.apart(depends)
        options = [tuple(self._options(i)) for i in everyone]
        otherwise = [self._otherwise(i) for i in everyone]
        faults = mask(i for i in everyone if self.model.actions[self.instances[i].head.action].fault)
        facts, steps = tuple(self.facts), receipts.steps()
        return Relations(self.instances, facts, tuple(depends), tuple(options), tuple(otherwise), faults, steps)

    # -- dependence

    def _dependent(self, i: int, j: int) -> bool:
        whole = self._meeting(i, j, *(self._touched(k) for k in (i, j)))
        return whole and not any(self._apart(i, j, phase) for k in (i, j) if (phase := self.phases.of(k)) is not None)

    def _apart(self, i: int, j: int, phase: Phase) -> bool:
        """Whether two instances are independent in a phase outside of which they are never both enabled."""
        both = [phase.footprints.get(k) for k in (i, j)]
        a, b = ((list(x.reads), [w.part for w in x.writes]) if x is not None else None for x in both)
        return a is None or b is None or not self._meeting(i, j, a, b)

    def _touched(self, i: int) -> Touched:
        return self.reads[i], self.writes[i]

    def _meeting(self, i: int, j: int, a: Touched, b: Touched) -> bool:
        """Whether two instances depend on each other by the parts that they read and write."""
        return (
            meet(a[1], b[0])
            or meet(a[0], b[1])
            or meet(a[1], b[1])
            or self._reads_network(a, j)
            or self._reads_network(b, i)
            or self._compete(i, j)
            or self._drops(i, j)
            or self._drops(j, i)
        )

    def _reads_network(self, touched: Touched, j: int) -> bool:
        """Whether one instance reads, or changes as a whole, a network to which the other sends or from which it
        takes."""
        networks = self.networks[j]
        return any(p.variable in networks for p in (*touched[0], *touched[1]))

    def _compete(self, i: int, j: int) -> bool:
        """Whether both access the same message, and one takes it."""
        a, b = self.instances[i], self.instances[j]
        same = isinstance(a.head.opening, Kind) and a.head.opening == b.head.opening
        return same and (a.takes or b.takes)

    def _drops(self, i: int, j: int) -> bool:
        """Whether one instance drops messages that the other takes or sends."""
        opening, dropped = self.instances[j].head.opening, self.instances[i].drops
        return isinstance(opening, Kind) and any(
            opening.network == network and dict(opening.identities).get(("target",), process) == process
            for network, process in dropped
        )

    def _more(self, i: int) -> int:
        """The instances that send another message of the kind that an instance receives, if such messages can
        differ."""
        opening = self.instances[i].head.opening
        if not isinstance(opening, Kind) or opening.exact or self.occurrences.messages.get(opening, 0) <= 1:
            return 0
        return self._senders(opening)

    # -- enabling

    def stays(self, literal: Literal, network: str, target: Raw) -> bool:
        """Whether a literal that holds continues to hold until the messages in flight to a process on a network have
        been dropped.  Writes that occur only if the acting process crashes count as writes of its crash.
        """
        opposite, place = evolve(literal, holds=not literal.holds), (network, target)
        parts, turns = self._parts(literal.condition), turned_by(self.model, literal.condition)
        harmful = turns.down if literal.holds else turns.up
        for j, instance in enumerate(self.instances):
            if place in instance.drops_surely:
                continue
            writes = [w for w in instance.writes if not w.crash]
            turning = [w for w in writes if (w.part.variable, w.way) in harmful]
            if self._changes(j, turning, parts) and self._can(writes, opposite, parts):
                return False
        return True

    def _senders(self, kind: Kind) -> int:
        return mask(j for j, x in enumerate(self.instances) if kind in x.sends)

    def _options(self, i: int) -> Iterable[Option]:
        instance = self.instances[i]
        if isinstance(instance.head.opening, Kind):
            yield Option(self._fact(instance.head.opening), True, self._senders(instance.head.opening))
        for literal in instance.literals:
            if literal in instance.late:
                continue  # an error may come before this guard
            for part in parted(literal):
                yield Option(self._fact(part.condition), part.holds, self._makers(part))
            yield from self._counted(i, literal)

    def _counted(self, i: int, literal: Literal) -> Iterable[Option]:
        """For a literal that requires a level of a counter: the conditions that the counter has passed a lower value,
        each with sets of instances of which one must occur before the counter reaches the level.
        """
        level = level_of(literal, self.phases.exact)
        if level is not None:
            for value, sets in self.occurrences.below(i, level):
                fact = self._fact(at_most(level.place, value))
                yield from (Option(fact, False, mask(some)) for some in sets)

    def _start(self, place: e.Expression) -> Any:
        """The value of a place in all initial states, or None."""
        start = self.phases.origin.start
        return (
            evaluate(Environment(self.model, start, start, call=call), place) if variable_of(place) in start else None
        )

    def _fact(self, fact: e.Expression | Kind) -> int:
        return self.facts.setdefault(fact, len(self.facts))

    def _makers(self, literal: Literal) -> int:
        """The instances that can make a literal true."""
        if literal not in self.makers:
            self.makers[literal] = self._all_makers(literal)
        return self.makers[literal]

    def _all_makers(self, literal: Literal) -> int:
        parts = self._parts(literal.condition)
        written = enumerate(x.writes for x in self.instances)
        return mask(j for j, w in written if self._changes(j, w, parts) and self._can(w, literal, parts))

    def _parts(self, condition: e.Expression) -> list[Part]:
        evaluation = self.phases.evaluation()
        evaluation.value(condition, Knowledge())
        return list(dict.fromkeys(r.part for r in evaluation.reads))

    def _changes(self, j: int, writes: Sequence[Write], parts: list[Part]) -> bool:
        return meet([w.part for w in writes], parts) or any(p.variable in self.networks[j] for p in parts)

    def _can(self, writes: Sequence[Write], literal: Literal, parts: list[Part]) -> bool:
        """Whether a literal may be true after the writes of an instance."""
        known = Knowledge()
        for write in writes:
            if any(write.part.overlaps(p) for p in parts):
                known.write(write.part, _written(write, writes))
        shape = self.phases.evaluation().value(literal.condition, known)
        return not isinstance(shape, Known) or bool(shape.raw) == literal.holds

    def _otherwise(self, i: int) -> int:
        """The instances that can change anything that an instance reads, or send what it receives."""
        opening = self.instances[i].head.opening
        senders = self._senders(opening) if isinstance(opening, Kind) else 0
        return senders | mask(
            j for j in range(len(self.instances)) if self._changes(j, self.instances[j].writes, self.reads[i])
        )


def parted(literal: Literal) -> Iterable[Literal]:
    """The conditions whose conjunction a literal is: for a subset, one for each item that could be in it."""
    match literal:
        case Literal(e.Subset(_, left, right, False), True) if known_by_members(left.type):
            kind = left.type.item  # type: ignore[attr-defined]
            for raw in values(kind):
                item = e.Const(kind, raw)
                inside = [e.Contains(BOOL, x, item) for x in (left, right)]
                yield Literal(build.disjunction((build.negate(inside[0]), inside[1])))
        case _:
            yield literal


def _written(write: Write, writes: Sequence[Write]) -> Value:
    """The value of a part after the writes to it, if all writes agree."""
    others = [w for w in writes if w.part.overlaps(write.part)]
    agreed = write.known and all(w.known and w.part == write.part and w.raw == write.raw for w in others)
    return Value(Known(write.raw), None, True) if agreed else UNKNOWN


def _from(instance: Instance) -> set[str]:
    """The network from which an instance takes."""
    opening = instance.head.opening
    return {opening.network} if isinstance(opening, Kind) and instance.takes else set()


def meet(some: list[Part], others: list[Part]) -> bool:
    """Whether some part of one footprint may overlap some part of the other."""
    return any(a.overlaps(b) for a in some for b in others)


def mask(numbers: Iterable[int]) -> int:
    """The bits of these numbers."""
    return sum(1 << n for n in set(numbers))
