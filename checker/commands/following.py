"""Which configurations of a sweep to search when some follow from others, and what is known of all in the end.

The configurations that differ in budgets of faults and the kind of channel alone form a family, ordered by what they allow.  What holds goes down in this order, what is violated goes up
(`checker.commands.implied`).  So a property is violated from some border upwards, and the search for the border is a search by halves: first the largest
budgets, whose states tell of all smaller ones if they are not too many (`checker.commands.fewer_faults`); then always the configuration that settles most of what is open, however it comes out.  Only what is open is checked there.

Above a configuration with more states than the limit allows there are no fewer, if what is checked adds as many variables: it is not searched, and what is open stays so.  But
one fault of each kind alone is tried, for a violation near the start: a search with all faults together comes to the limit before it gets there.
Where the largest budgets come to the limit, what they show violated is violated with all smaller ones that allow it; then those with FIFO channels are asked for as much, since
nothing goes down to them; and the smallest are next: if they come to the limit too, that is all.

Nothing goes from one family to another, so the order in which families are worked on changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from attrs import define, field

from checker.commands.fewer_faults import READ_OFF
from checker.commands.implied import (
    EVERY_STATE,
    ORDERED,
    Standing,
    given_up_late,
    hindrance,
    larger,
    refused,
)
from checker.language.define import define as define_model
from checker.language.distributed import BUDGETS, Distributed
from checker.language.model import Model


def families(given: Mapping[int, Mapping[str, Any]]) -> list[list[int]]:
    """The places of configurations, by family; given: what was given of each."""
    found: dict[str, list[int]] = {}
    for place, values in given.items():
        found.setdefault(repr([(n, v) for n, v in values.items() if n not in ORDERED]), []).append(place)
    return list(found.values())


@define
class Family:
    """Configurations by place.  found: the verdicts of searches, holds or untested or violated, by place and property; checked: what each search was asked;
    stored: the variables of a state when these properties are checked."""

    given: Mapping[int, Mapping[str, Any]]
    kinds: Mapping[str, str]
    above: Mapping[str, Mapping[int, list[int]]]  # for each kind of property, from where `holds` comes down to a place
    stored: Callable[[tuple[str, ...]], frozenset[str]]
    found: dict[int, dict[str, str]] = field(factory=dict)
    checked: dict[int, list[str]] = field(factory=dict)
    unfinished: set[int] = field(factory=set)

    def note(self, place: int, verdicts: Mapping[str, str], unfinished: bool) -> None:
        """Take in what a search decided.  unfinished: it ended at the limit on states."""
        self.found.setdefault(place, {}).update(verdicts)
        if unfinished:
            self.unfinished.add(place)

    def add(self, place: int, verdicts: Mapping[str, str]) -> None:
        """Take in what the search of another configuration says about this one."""
        self.found.setdefault(place, {}).update({name: v for name, v in verdicts.items() if name not in self.found.get(place, {})})

    def below(self, place: int) -> list[int]:
        """The places with the same channels and smaller budgets, whose states are among those of this one, and of which something is not known."""
        alike = [p for p in self.given if p not in self.checked and self.given[p].get("channels") == self.given[place].get("channels")]
        return [p for p in alike if any(name in self.open(p) for name in self.taken(p, place))]

    def taken(self, place: int, other: int) -> set[str]:
        """The properties that are read off the states of another place."""
        return {name for name, kind in self.kinds.items() if kind in READ_OFF and other in self.above[kind][place]}

    def sources(self, place: int, name: str) -> tuple[str | None, int | None]:
        """What is known of a property at a place, and the place that it is known from: holds, untested, violated or None."""
        if name in self.found.get(place, {}):
            return self.found[place][name], place
        above = self.above[self.kinds[name]]
        for other in above[place]:
            if self.found.get(other, {}).get(name) in ("holds", "untested"):
                return self.found[other][name], other
        for other, upper in above.items():
            if place in upper and self.found.get(other, {}).get(name) == "violated":
                return "violated", other
        return None, None

    def open(self, place: int) -> list[str]:
        """The properties of which nothing is known at a place."""
        return [name for name in self.kinds if self.sources(place, name)[0] is None]

    def next(self) -> tuple[int, list[str]] | None:
        """The configuration to search next and the properties to check there; None if nothing is left that a search could settle."""
        opened = {place: names for place in self.given if (names := self.open(place))}
        worth = {p: names for p, names in opened.items() if p not in self.checked and not self._too_large(p, names)}
        if not worth:
            return None
        if not self.checked:
            place = min(worth, key=self._budgets)
        elif set(self.checked) <= self.unfinished:
            place = next(self._with_other_channels(worth), None) or max(worth, key=self._budgets)
        else:
            place = min(worth, key=lambda p: self._gain(p, worth))
        self.checked[place] = opened[place]
        return place, opened[place]

    def _with_other_channels(self, worth: Mapping[int, list[str]]) -> Iterator[int]:
        """The largest budgets, where something is open that was violated with the channels searched so far."""
        violated = {name for p in self.checked for name, verdict in self.found.get(p, {}).items() if verdict == "violated"}
        largest = {tuple(self.given[p].get(n) for n in BUDGETS) for p in self.checked}
        yield from (p for p, names in worth.items() if violated & set(names) and tuple(self.given[p].get(n) for n in BUDGETS) in largest)

    def _one_fault(self, place: int) -> bool:
        """Whether of all budgets one is larger than need be, and that by no more than need be."""
        values = {n: sorted({given[n] for given in self.given.values()}) for n in BUDGETS if n in self.given[place]}
        above = [values[n].index(self.given[place][n]) for n in values]
        return sum(above) == 1

    def _budgets(self, place: int) -> int:
        """The largest budgets come first, and channels without order."""
        given = self.given[place]
        return -2 * sum(v for n, v in given.items() if n in BUDGETS) - (given.get("channels") == "unordered")

    def _gain(self, place: int, opened: Mapping[int, list[str]]) -> tuple[int, int]:
        """How much is settled, the best first: for each open property those below if they are read off, which needs a complete search; else, and where that is in doubt, the
        pairs of one above and one below that are open, ends included."""
        total = 0
        doubt = any(u in above[place] for above in self.above.values() for u in self.unfinished)
        for name in opened[place]:
            above = self.above[self.kinds[name]]
            up = sum(name in opened.get(p, ()) for p in above[place])
            down = sum(name in names and place in above[p] for p, names in opened.items())
            total += (1 + down) * (1 + up if doubt or self.kinds[name] not in READ_OFF else 1)
        return -total, self._budgets(place)

    def _too_large(self, place: int, names: list[str]) -> bool:
        """A smaller configuration had more states than the limit, with no more variables of what is checked; and this one has more than one fault more than the smallest."""
        if self._one_fault(place):
            return False
        smaller = [p for p in self.unfinished if any(place in above[p] for above in self.above.values())]
        return any(self.stored(tuple(self.checked[p])) <= self.stored(tuple(names)) for p in smaller)


def family(model: type[Model], given: Mapping[int, Mapping[str, Any]], standings: Mapping[int, Standing]) -> Family:
    """The family of these configurations, with what follows from what.  given: by the command line; standings: at least theirs."""
    standings = {place: standings[place] for place in given}
    constants = {place: s.constants for place, s in standings.items()}
    kinds = {name: kind for s in standings.values() for name, kind in s.kinds.items()}
    follows = issubclass(model, Distributed)  # else faults are the model's own
    every = {p: [q for q in given if follows and larger(given[q], given[p]) and hindrance(standings[p], standings[q]) is None] for p in given}
    above = {kind: every if kind in EVERY_STATE else _restricted(kind, model, every, constants) for kind in dict.fromkeys(kinds.values())}
    first = next(iter(constants.values()))

    @cache
    def stored(names: tuple[str, ...]) -> frozenset[str]:
        return frozenset(v.name for v in define_model(model, dict(first), list(names)).variables)

    return Family(given, kinds, above, stored)


def _restricted(kind: str, model: type[Model], every: Mapping[int, list[int]], constants: Mapping[int, Mapping[str, Any]]) -> Mapping[int, list[int]]:
    """The pairs between which something follows for quiescent states or whole runs: some constants must be alike."""
    if kind == "reachable":
        return {p: [] for p in every}
    differing = {n for p, above in every.items() for q in above for n in ("crashes", "channels") if constants[p][n] != constants[q][n]}
    alike = set[str]()
    if "crashes" in differing and given_up_late(model, max(constants.values(), key=lambda c: int(c["crashes"]))):
        alike.add("crashes")
    if "channels" in differing and (kind == "leads-to" or refused(model, next(c for c in constants.values() if c["channels"] == "unordered"))):
        alike.add("channels")
    return {p: [q for q in above if all(constants[q][n] == constants[p][n] for n in alike)] for p, above in every.items()}
