"""The canonical representative of a state's orbit, on raw values: the definition with which the compiled form is
compared.

It is slow and simple: an exchange of two members rebuilds the state.  `checker.ir.symmetry` explains which state is the
least, and why sorting finds it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from checker.frozen import frozen
from checker.ir import types as t
from checker.ir.model import StateVariable, Symmetry
from checker.ir.symmetry import families
from checker.ir.values import Raw, index, key, values


@frozen
class Exchange:
    """Members `first` and `first + 1` of a family change places."""

    family: t.Ids
    first: int

    def member(self, number: int) -> int:
        """The image of a member."""
        return 2 * self.first + 1 - number if number in (self.first, self.first + 1) else number

    def value(self, type: t.Type, raw: Raw) -> Raw:
        """A raw value in which the two members are exchanged."""
        match type:
            case t.Ids():
                return self.member(raw) if type == self.family else raw
            case t.Optional(item):
                return None if raw is None else self.value(item, raw)
            case t.Record(_, fields):
                return tuple(self.value(f, r) for (_, f), r in zip(fields, raw))
            case t.Union(_, variants):
                return (raw[0], self.value(variants[raw[0]], raw[1]))
            case t.Map():
                return self._map(type, raw)
            case t.Set(item):
                return frozenset(self.value(item, r) for r in raw)
            case t.Seq(item, _, _):
                return tuple(self.value(item, r) for r in raw)
            case t.Bag(item, _, _):
                return tuple(sorted((self.value(item, r) for r in raw), key=lambda r: key(item, r)))
            case _:
                return raw

    def _map(self, type: t.Map, raw: Raw) -> Raw:
        places = [index(type.key, self.value(type.key, k)) for k in values(type.key)]
        return tuple(self.value(type.value, raw[place]) for place in places)


@frozen
class Canonical:
    """Finds the canonical representative of a state.  States are tuples of raw values, one for each variable."""

    types: tuple[t.Type, ...]
    symmetry: Symmetry
    exchanges: tuple[Exchange, ...]

    @classmethod
    def of(cls, variables: Sequence[StateVariable], symmetry: Symmetry) -> Canonical:
        """For states of these variables."""
        exchanges = [Exchange(family, i) for family in families(variables) for i in range(len(family.members) - 1)]
        return cls(tuple(v.type for v in variables), symmetry, tuple(exchanges))

    def exchanged(self, state: Raw, generator: int) -> Raw:
        """The state in which the two members of an exchange are exchanged."""
        return tuple(self.exchanges[generator].value(type, raw) for type, raw in zip(self.types, state))

    def order(self, state: Raw) -> Any:
        """Sort key of states."""
        return tuple(key(type, raw) for type, raw in zip(self.types, state))

    def __call__(self, state: Raw) -> Raw:
        """The canonical representative of this state."""
        least = self._sorted(state)
        for generator in self.symmetry.walk:
            state = self.exchanged(state, generator)
            least = min(least, self._sorted(state), key=self.order)
        return least

    def _sorted(self, state: Raw) -> Raw:
        for stop in range(len(self.symmetry.sort), 0, -1):
            before = state
            for generator in self.symmetry.sort[:stop]:
                state = min(state, self.exchanged(state, generator), key=self.order)
            if state == before:
                break
        return state
