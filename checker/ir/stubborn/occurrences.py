"""How often an instance can occur in a run, and how many messages of a kind are ever sent.

A step that raises a counter and needs its old value occurs once.  A receipt occurs at most as often as its message is
sent, and a message is sent at most as often as its senders occur.  Steps that wait for a counter to reach a level occur
at most as often as the remaining steps allow: of n steps that raise the counter by one, one that needs it at n - 1 is
the last.

The bounds are the least solution of these inequalities.  They hold in every run, by induction on its length: the steps
that bound a step occur before it.  Where it stops: an unrecognised step occurs any number of times, and so does
everything that depends on it (messages that are duplicated, or sent in a loop of unknown rounds).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any

from attrs import define, field

from checker.frozen import frozen
from checker.ir import build
from checker.ir import expressions as e
from checker.ir import types as t
from checker.ir.footprints.effects import Write
from checker.ir.footprints.executing import Literal
from checker.ir.footprints.instances import Instance, Kind
from checker.ir.footprints.places import Part

MANY = 1 << 10
"""Any number of times."""
ROUNDS = 200
MOST_SUBSETS = 32

Group = Kind | int
"""Steps with a common bound: those that take messages of a kind, or one instance."""
PartOf = Callable[[e.Expression], Part | None]
"""A function that gives the part of the state that an expression certainly names."""


@frozen
class Level:
    """A condition that a number is at a level, or has reached it.  place: the number, part of the state before."""

    place: e.Expression
    part: Part
    at: int


def level_of(literal: Literal, part_of: PartOf) -> Level | None:
    """The level that a literal requires; part_of: the part that an expression names."""
    node = literal.condition
    if not literal.holds or not isinstance(node, e.Compare) or not isinstance(node.right, e.Const):
        return None
    least = {"==": 0, ">=": 0, ">": 1}.get(node.operator)
    place, at = _unshifted(node.left, node.right.value)
    if least is None or not isinstance(place.type, t.Int) or (part := part_of(place)) is None:
        return None
    return Level(place, part, at + least)


def _unshifted(node: e.Expression, at: int) -> tuple[e.Expression, int]:
    """A number without the constant that is added to it."""
    while True:
        match node:
            case e.Narrow(_, value):
                node = value
            case e.Arithmetic(_, "+", left, e.Const(_, added)):
                node, at = left, at - added
            case _:
                return node, at


@define
class Occurrences:
    """Bounds for the instances of a model."""

    instances: Sequence[Instance]
    initial: dict[Kind, int]
    start: Callable[[e.Expression], Any]
    """The value of an expression in all initial states, or None."""
    part_of: PartOf
    messages: dict[Kind, int] = field(init=False)
    """How many messages of each kind are ever in flight."""
    _levels: list[list[Level]] = field(init=False)
    _once: list[bool] = field(init=False)
    _raising: dict[Part, list[int] | None] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self._levels = [
            [level for x in i.literals if (level := level_of(x, self.part_of)) is not None] for i in self.instances
        ]
        self._once = [self._passes(i) for i in self.instances]
        kinds = {k for i in self.instances for k, _ in i.copies} | set(self.initial)
        self.messages = dict.fromkeys(kinds, 0)
        for number in range(2 * ROUNDS):
            found = {k: self._sent(k) for k in kinds}
            if found == self.messages:
                return
            grown = {k for k in kinds if found[k] != self.messages[k]}
            self.messages = {k: MANY if number > ROUNDS and k in grown else n for k, n in found.items()}
        self.messages = dict.fromkeys(kinds, MANY)

    # -- bounds

    def group(self, i: int) -> Group:
        """The group that bounds an instance."""
        opening = self.instances[i].head.opening
        return opening if isinstance(opening, Kind) and self.instances[i].takes_surely else i

    def bound(self, group: Group) -> int:
        """How often the steps of a group occur in a run."""
        if isinstance(group, Kind):
            return self.messages.get(group, 0)
        return 1 if self._once[group] else MANY

    def finite(self) -> bool:
        """Whether every run is finite: each step belongs to an instance, and each instance occurs a bounded number of
        times.
        """
        return all(self.bound(self.group(i)) < MANY for i in range(len(self.instances)))

    def _passes(self, instance: Instance) -> bool:
        """Whether an instance certainly raises a number that it needs at its old value."""
        return any(self._for_good(instance, x) for x in instance.literals)

    def _for_good(self, instance: Instance, literal: Literal) -> bool:
        node = literal.condition
        if not (literal.holds and isinstance(node, e.Compare) and node.operator == "=="):
            return False
        if not isinstance(node.right, e.Const) or not isinstance(node.left.type, t.Int):
            return False
        part = self.part_of(node.left)
        if part is None or any(w.way != "grows" for _, w in self._writers(part)):
            return False
        return any(w.sure and w.part == part and bool(w.rise) for w in instance.writes)

    def _writers(self, part: Part) -> Iterator[tuple[int, Write]]:
        return ((i, w) for i, x in enumerate(self.instances) for w in x.writes if w.part.overlaps(part))

    def _sent(self, kind: Kind) -> int:
        """The largest number of messages of a kind that are ever sent, given the bounds so far."""
        senders = {i: n for i, x in enumerate(self.instances) for k, n in x.copies if k == kind}
        groups: dict[Group | tuple[Part, int], list[int]] = {}
        for i in senders:
            level = min(self._levels[i], key=lambda level: (self._reaching(level), repr(level.part)), default=None)
            together: Group | tuple[Part, int] = self.group(i)
            if level is not None and self._reaching(level) < MANY:
                together = (level.part, level.at)
            groups.setdefault(together, []).append(i)
        found = self.initial.get(kind, 0)
        for together, members in groups.items():
            apart = {g: max(senders[i] for i in members if self.group(i) == g) for g in map(self.group, members)}
            often = sum(self.bound(g) * copies for g, copies in apart.items())
            if isinstance(together, tuple):
                level = next(x for x in self._levels[members[0]] if (x.part, x.at) == together)
                often = min(often, self._reaching(level) * max(apart.values()))
            found += often
        return min(found, MANY)

    # -- levels

    def raising(self, part: Part) -> list[int] | None:
        """The instances that may raise a number, each by at most one; None if one may raise it by more."""
        if part not in self._raising:
            rises: dict[int, int] = {}
            known = True
            for i, w in self._writers(part):
                known = known and w.rise is not None
                rises[i] = rises.get(i, 0) + (w.rise or 0) * w.times
            known = known and all(rise <= 1 for rise in rises.values())
            self._raising[part] = [i for i, rise in rises.items() if rise] if known else None
        return self._raising[part]

    def _reaching(self, level: Level) -> int:
        """The largest number of occurrences of the steps that need a number at a level."""
        raising, start = self.raising(level.part), self.start(level.place)
        if raising is None or start is None:
            return MANY
        needing = [i for i, levels in enumerate(self._levels) if any(x == level for x in levels)]
        total = sum(self.bound(g) for g in {self.group(i) for i in (*raising, *needing)})
        return max(0, total - max(0, level.at - start)) if total < MANY else MANY

    def below(self, i: int, level: Level) -> Iterator[tuple[int, list[frozenset[int]]]]:
        """For each number below a level: sets of instances such that an instance, disabled because of this level, stays
        disabled until one of the set occurs, because too few other instances can raise the number.
        """
        raising = self.raising(level.part)
        assert isinstance(level.place.type, t.Int)
        if raising is None:
            return
        groups: dict[Group, set[int]] = {}
        for j in raising:
            groups.setdefault(self.group(j), set()).add(j)
        if any(self.bound(g) > 1 for g in groups):
            return
        opening = self.instances[i].head.opening
        others = [frozenset(x) for g, x in groups.items() if g != opening and self.bound(g)]
        for value in range(level.place.type.lo, min(level.at, level.place.type.hi + 1)):
            needed = len(others) - (level.at - value) + 1
            chosen = combinations(others, max(0, needed)) if needed <= len(others) else iter(())
            sets = [frozenset(x for s in some for x in s) for some in chosen]
            if len(sets) <= MOST_SUBSETS:
                yield value, sets


def at_most(place: e.Expression, value: int) -> e.Expression:
    """The condition that a number is at most this value."""
    assert isinstance(place.type, t.Int)
    return build.compare("<=", place, e.Const(place.type, value))
