"""Receipts that commute although they write the same: proposals that are counted, and of which the largest is kept.

Two messages are received in both orders, symbolically: the state before is not known, and what a receipt leaves in each
part of the state is a *term* over the state before and over the two messages (J. C. King, "Symbolic Execution and
Program Testing", CACM 1976). Where a condition is not decided, both cases are followed. The receipts commute if in each
case both orders leave equal terms and send equal messages; the order of maxima and of members does not matter in a
term.

A counter is executed for each value that it can have while both messages are in flight: neither of the two receipts has
occurred, so two are missing at least of what raises it (`checker.ir.stubborn.occurrences`), and the first of the two
does not complete the count. Where it stops: `while` loops, choices, sequences, and expressions that may be an error are
not executed; such receipts depend on each other if their footprints do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from attrs import define, field

from checker.frozen import frozen
from checker.ir import expressions as e
from checker.ir import types as t
from checker.ir.footprints.instances import Head, Instance, Kind, opening_of
from checker.ir.model import Action, Model
from checker.ir.stubborn.occurrences import MANY, Occurrences, PartOf
from checker.ir.stubborn.steps import Disabled, Steps, Undecided
from checker.ir.stubborn.terms import NotFollowed
from checker.ir.values import Raw

MOST_CASES = 256
"""Cases of two receipts that are followed."""
MOST_VALUES = 16
"""A number that can have more values is not followed value by value."""

Bounded = Callable[[e.Expression], Sequence[int] | None]
"""The values that a number can have while both messages are in flight, if they are few and known."""


@define
class Receipts:
    """Which receipts of a model commute.  instances: those of its steps; part_of: the part of the state that an
    expression certainly is; start: the value of an expression in all initial states, or None."""

    model: Model
    instances: Sequence[Instance]
    occurrences: Occurrences
    part_of: PartOf
    start: Callable[[e.Expression], Any]
    _cases: dict[Head, list[int]] = field(factory=dict)
    _partners: dict[Head, list[Head]] = field(factory=dict)

    def apart(self, depends: list[int]) -> list[int]:
        """The instances on which each instance depends; receipts that commute do not depend on each other. A receipt
        may change its case while other messages are received. Each case therefore depends on every instance on which
        one of the cases depends.
        """
        for i, instance in enumerate(self.instances):
            self._cases.setdefault(instance.head, []).append(i)
        for first, second in self._candidates():
            if any(depends[i] >> j & 1 for i in self._cases[first] for j in self._cases[second]):
                if self._commute(first, second):
                    self._partners.setdefault(first, []).append(second)
                    self._partners.setdefault(second, []).append(first)
        found = list(depends)
        for head, partners in self._partners.items():
            together = 0
            for i in self._cases[head]:
                together |= depends[i]
            for other in (head, *partners):
                together &= ~sum(1 << i for i in self._cases[other])
            for i in self._cases[head]:
                found[i] = together
        return found

    def steps(self) -> tuple[int, ...]:
        """For each instance the first case of its receipt, if that commutes with others; else the instance."""
        return tuple(self._cases[x.head][0] if x.head in self._partners else i for i, x in enumerate(self.instances))

    # -- which receipts are examined

    def _candidates(self) -> Iterator[tuple[Head, Head]]:
        """Pairs of receipts by one handler, each of which occurs at most once in a run."""
        alike: dict[Any, list[Head]] = {}
        for head in filter(self._once, self._cases):
            kind = head.opening
            assert isinstance(kind, Kind)
            alike.setdefault((head.action, head.arguments, kind.network, kind.variant), []).append(head)
        for heads in alike.values():
            yield from combinations(heads, 2)

    def _once(self, head: Head) -> bool:
        """Whether there is one message to receive, at most, and each run of the receipt takes it."""
        surely = all(self.instances[i].takes_surely for i in self._cases[head])
        return isinstance(head.opening, Kind) and surely and self.occurrences.messages.get(head.opening, 0) <= 1

    def _commute(self, first: Head, second: Head) -> bool:
        def bounded(place: e.Expression) -> Sequence[int] | None:
            return self._values(place, (first.opening, second.opening))

        one, other = (receipt_of(self.model, head, name) for head, name in ((first, "first"), (second, "second")))
        return commute(self.model, one, other, bounded)

    def _values(self, place: e.Expression, waiting: tuple[Any, Any]) -> Sequence[int] | None:
        """The values of a counter while messages of these kinds are in flight: their receipts have not raised it."""
        part, start = self.part_of(place), self.start(place)
        raising = None if part is None or start is None else self.occurrences.raising(part)
        if raising is None or not isinstance(place.type, t.Int):
            return None
        rises = sum(self.occurrences.bound(g) for g in {self.occurrences.group(i) for i in raising} - set(waiting))
        if rises >= MANY:
            return None
        found = range(place.type.lo, min(place.type.hi, start + rises) + 1)
        return found if len(found) <= MOST_VALUES else None


@frozen
class Receipt:
    """The receipt of a message of a kind: the action, with its arguments, and the message as far as it is known."""

    action: Action
    arguments: tuple[e.Expression, ...]
    message: e.Expression


def receipt_of(model: Model, head: Head, name: str) -> Receipt:
    """The receipt of a head. name: the prefix of the names of the unknown parts of the message."""
    action, kind, opening = model.actions[head.action], head.opening, opening_of(model.actions[head.action])
    assert isinstance(kind, Kind) and opening is not None
    arguments = tuple(e.Const(p.type, raw) for p, raw in zip(action.parameters, head.arguments))
    return Receipt(action, arguments, _message(kind, opening.local.type, name))


def _message(kind: Kind, type: t.Type, name: str) -> e.Expression:
    """A message of a kind as a term: its identities, and locals in the place of everything else."""
    given: dict[tuple[str, ...], Raw] = dict(kind.identities)

    def made(part: t.Type, place: tuple[str, ...]) -> e.Expression:
        if place in given:
            return e.Const(part, given[place])
        if isinstance(part, t.Record):
            return e.MakeRecord(part, tuple(made(k, (*place, n)) for n, k in part.fields))
        if isinstance(part, t.Union) and place == ("body",) and kind.variant is not None:
            inner = part.variants[kind.variant]
            return e.MakeVariant(part, inner.name, tuple(made(k, (*place, n)) for n, k in inner.fields))
        return e.Local(part, f"{name}.{'.'.join(place)}")

    return made(type, ())


def commute(model: Model, first: Receipt, second: Receipt, bounded: Bounded) -> bool:
    """Whether in each state in which both messages can be received, both orders lead to the same state without an
    error."""
    pending: list[dict[e.Expression, e.Expression]] = [{}]
    for _ in range(MOST_CASES):
        if not pending:
            return True
        held = pending.pop()
        try:
            if not _Case(model, held, bounded).same(first, second):
                return False
        except Undecided as open:
            pending += [{**held, open.term: value} for value in open.values]
        except NotFollowed:
            return False
    return False


@define
class _Case:
    """One case: what is assumed of the state before."""

    model: Model
    held: Mapping[e.Expression, e.Expression]
    bounded: Bounded
    _values: dict[e.Expression, e.Expression] = field(factory=dict)

    def same(self, first: Receipt, second: Receipt) -> bool:
        """Whether both orders lead to the same state, or one of the two orders is not possible."""
        if not all(self._possible(self._begin(), x) for x in (first, second)):
            return True
        ends = []
        for order in ((first, second), (second, first)):
            steps = self._begin()
            if not all([self._possible(steps, x) for x in order]):
                return False
            ends.append(steps)
        one, other = ends
        places = {*one.written, *other.written}
        return one.sent == other.sent and all(one.read(p) == other.read(p) for p in places)

    def _begin(self) -> Steps:
        return Steps(self.model, self.held, self.bounded)

    def _possible(self, steps: Steps, receipt: Receipt) -> bool:
        try:
            steps.receive(receipt.action, receipt.arguments, receipt.message)
        except Disabled:
            return False
        return True
