"""Facts that hold until a step that occurs once: a phase of every run, and the footprints of steps in it.

A number that never falls makes a *gate* of each value, if all steps that need the number at this value raise it: until
one of these steps, or one that needs a higher value, has occurred, the possible effects of steps are limited.  A
message that has not been sent is in no network, in no set and in no log.  *Facts* of the phase are initial values of
variables that no step before the gate changes.  They are found as in C. Flanagan and K. R. M. Leino, "Houdini, an
Annotation Assistant for ESC/Java" (FME 2001): all values of the initial state are assumed, the steps possible under
them are executed abstractly, and the values that they change are removed, until none is.  The rest is an invariant by
induction on the length of runs.

A step that needs the number at the value is enabled only in the phase.  Two steps, one of them of this kind, are
therefore both enabled only in states of the phase, and their dependence is decided by their footprints there. Where it
stops: facts are values of single parts; relations between two parts of the state are not found.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import define, evolve, field

from checker.frozen import frozen
from checker.ir import expressions as e
from checker.ir import types as t
from checker.ir.footprints.effects import Write
from checker.ir.footprints.effort import Effort, TooMany
from checker.ir.footprints.evaluating import Evaluation, known_by_members, on_maps
from checker.ir.footprints.executing import Literal, Run
from checker.ir.footprints.instances import Instance, Instances, Kind
from checker.ir.footprints.knowledge import Knowledge, Value
from checker.ir.footprints.places import At, Member, Part
from checker.ir.footprints.shapes import FALSE, TRUE, Known
from checker.ir.values import Raw, values

MOST_FACTS = 2_000
MOST_WORK = 600_000
"""The number of expressions that are evaluated for all phases of a model together."""


@frozen
class Gate:
    """The steps that need a number at a value, or at a higher one, have not occurred."""

    part: Part
    at: int


@frozen
class Footprint:
    """What an instance may read, write and send in a phase."""

    reads: tuple[Part, ...]
    writes: tuple[Write, ...]
    sends: frozenset[Kind]


@frozen(eq=False)
class Phase:
    """facts: values of parts in all of its states; footprints: of the instances that may be enabled in it."""

    facts: dict[Part, Raw]
    footprints: dict[int, Footprint]


@define
class Phases:
    """The phases of a model."""

    origin: Instances
    gates: dict[int, Gate] = field(init=False)
    """The gates of instances that have one."""
    _needs: list[dict[Part, int]] = field(init=False)
    _found: dict[Gate, Phase | None] = field(factory=dict)
    _effort: Effort = field(factory=lambda: Effort(MOST_WORK))
    _static: dict[int, Any] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self._needs = [dict(self._equal(x)) for x in self.origin.found]
        self.gates = {}
        for i, needed in enumerate(self._needs):
            found = (Gate(part, at) for part, at in needed.items() if self._is_gate(part, at))
            if (gate := next(found, None)) is not None:
                self.gates[i] = gate

    def evaluation(self, effort: Effort | None = None) -> Evaluation:
        """Evaluates conditions of the state, apart from any step."""
        return Run(self.origin.model, frozenset(), effort or Effort(), self._static, weak=1).evaluation

    def exact(self, place: e.Expression) -> Part | None:
        """The part that an expression certainly names."""
        if not on_maps(place):
            return None
        part = self.evaluation().part(place, Knowledge())
        return part if part.exact else None

    # -- gates

    def _equal(self, instance: Instance) -> Iterator[tuple[Part, int]]:
        """The numbers that an instance needs at a value."""
        for literal in instance.literals:
            match literal:
                case _ if literal in instance.late:
                    pass  # outside of the phase it may be an error
                case Literal(e.Compare(_, "==", place, e.Const(_, at)), True) if isinstance(place.type, t.Int):
                    if (part := self.exact(place)) is not None:
                        yield part, at

    def _is_gate(self, part: Part, at: int) -> bool:
        """Whether a number never falls, and each step that needs it at a value certainly raises it."""
        for i, instance in enumerate(self.origin.found):
            writes = [w for w in instance.writes if w.part.overlaps(part)]
            if any(w.way != "grows" for w in writes):
                return False
            if self._needs[i].get(part) == at and not any(_raises(w, part, at) for w in writes):
                return False
        return True

    def _passes(self, i: int, gate: Gate) -> bool:
        """Whether an instance needs the number of the gate at its value or a higher one, and so ends the phase."""
        return self._needs[i].get(gate.part, -1) >= gate.at

    # -- phases

    def of(self, i: int) -> Phase | None:
        """The phase outside of which an instance is never enabled, if one was found."""
        gate = self.gates.get(i)
        if gate is not None and gate not in self._found:
            try:
                self._found[gate] = self._phase(gate)
            except TooMany:
                self._found[gate] = None
        return None if gate is None else self._found[gate]

    def _phase(self, gate: Gate) -> Phase | None:
        facts = initial_facts(self.origin)
        if len(facts) > MOST_FACTS:
            return None
        sent, found = set(self.origin.initial), dict[int, Footprint]()
        pending = dict.fromkeys(range(len(self.origin.found)))
        while pending:
            i = next(iter(pending))
            del pending[i]
            opening = self.origin.found[i].head.opening
            if isinstance(opening, Kind) and opening not in sent:
                continue
            footprint = self._footprint(i, facts)
            if footprint is None:
                continue
            found[i] = footprint
            if self._passes(i, gate):
                continue
            fresh = footprint.sends - sent
            sent |= fresh
            broken = {part for part, raw in facts.items() if any(not keeps(w, part, raw) for w in footprint.writes)}
            facts = {part: raw for part, raw in facts.items() if part not in broken}
            for j, instance in enumerate(self.origin.found):
                again = any(r.part.overlaps(part) for r in instance.reads for part in broken) if broken else False
                if again or instance.head.opening in fresh:
                    pending[j] = None
        return Phase(facts, found)

    def _footprint(self, i: int, facts: dict[Part, Raw]) -> Footprint | None:
        """The footprint of an instance under these facts; None if it is not enabled there."""
        instance = self.origin.found[i]
        known, taken = self.origin.opened(instance.head)
        known.before = facts
        for literal in instance.literals:
            shape = self.evaluation().value(literal.condition, Knowledge(before=facts))
            if isinstance(shape, Known) and bool(shape.raw) != literal.holds:
                return None
        known.parts.update(self.implied_values(i))
        reads, writes, sends, possible = dict[Part, None](), dict[Write, None](), set[Kind](), False
        for run in self.origin.runs(self.origin.model.actions[instance.head.action], known, taken, self._effort):
            possible = True
            reads.update((r.part, None) for r in run.evaluation.reads)
            writes.update((evolve(w, line=0), None) for w in run.effects.writes)
            sends |= self.origin.kinds_sent(run)
        return Footprint(tuple(reads), tuple(writes), frozenset(sends)) if possible else None

    def implied_values(self, i: int) -> dict[Part, Value]:
        """The values of parts that follow from the literals of an instance."""
        return dict(x for literal in self.origin.found[i].literals for x in self._implied(literal))

    def _implied(self, literal: Literal) -> Iterator[tuple[Part, Value]]:
        match literal:
            case Literal(e.Compare(_, "==", place, e.Const(_, raw) as const), True):
                if (part := self.exact(place)) is not None:
                    yield part, Value(Known(raw), const)
            case Literal(e.Contains(_, container, e.Const(_, raw)), holds) if isinstance(container.type, t.Set):
                if (part := self.exact(container)) is not None:
                    yield Part(part.variable, (*part.path, Member(raw))), Value(TRUE if holds else FALSE)


def _raises(write: Write, part: Part, at: int) -> bool:
    """Whether a write certainly raises a number above a value."""
    above = bool(write.rise) or write.known and write.raw > at
    return write.part == part and write.sure and not write.crash and above


def keeps(write: Write, part: Part, raw: Raw) -> bool:
    """Whether a part keeps its value under a write."""
    if not (write.part if write.put is None else write.put).overlaps(part):
        return True
    if write.known and write.part == part:
        return bool(write.raw == raw)
    if not part.path or not isinstance(item := part.path[-1], Member) or write.put is not None:
        return False
    if write.known and write.part == Part(part.variable, part.path[:-1]):
        return (item.item in write.raw) == bool(raw)
    return write.way == ("grows" if raw else "falls")


def initial_facts(origin: Instances) -> dict[Part, Raw]:
    """The values that all initial states share: elements of maps and members one by one."""
    types = {v.name: v.type for v in origin.model.variables}
    facts: dict[Part, Raw] = {}

    def put(kind: t.Type, raw: Raw, part: Part) -> None:
        if isinstance(kind, t.Map):
            for key, item in zip(values(kind.key), raw):
                put(kind.value, item, Part(part.variable, (*part.path, At(key))))
        elif known_by_members(kind):
            for item in values(kind.item):  # type: ignore[attr-defined]
                facts[Part(part.variable, (*part.path, Member(item)))] = int(item in raw)
        else:
            facts[part] = raw

    for name, raw in origin.start.items():
        if name not in origin.networks:
            put(types[name], raw, Part(name))
    return facts
