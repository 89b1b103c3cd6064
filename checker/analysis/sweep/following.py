"""Which configurations of a sweep to search when the verdicts of some follow from others, and what is known of all at
the end.

The configurations that differ only in budgets of faults and in the kind of channel form a family, ordered by what they
allow.  Verdicts are monotone in this order: what holds in a larger configuration holds in smaller ones, what is
violated in a smaller one is violated in larger ones (`checker.analysis.sweep.implied`).  A property is therefore
violated from some border upwards, and a binary search finds the border.  The largest budgets come first: if their
states are not too many, verdicts of all smaller budgets are read off them (`checker.analysis.sweep.fewer_faults`).
Then the next configuration is always the one that decides most of what is open, whatever its verdict.  Only open
properties are checked there.

A configuration above one with more states than the limit allows has no fewer states, if the checked properties add as
many variables.  It is not searched, and its open properties stay open.  One fault of each kind alone is tried all the
same, for a violation near the start: a search with all faults together reaches the limit before such a violation. Where
the largest budgets reach the limit, a violation that they show is violated with all smaller budgets that allow it.  The
largest budgets with FIFO channels are searched next, because no verdict `holds` is carried over to them.  Then follow
the smallest budgets; if these reach the limit too, the family is finished.

Where a search finds the model wrong as written (a leads-to property that cannot be evaluated in some state), all others
of the family are searched for all properties.

A violated assertion or an error of the model is treated like a property from its first occurrence on: the smaller
configurations are searched for it, with all properties, because the evaluation of a property may cause it. A failure
that no search reached is not known.

No verdict is carried over between families, so the order of the families has no effect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from attrs import define, field

from checker.analysis.sweep.fewer_faults import READ_OFF
from checker.analysis.sweep.given_up import refused
from checker.analysis.sweep.implied import EVERY_STATE, ORDERED, Standing, difference, larger
from checker.analysis.sweep.own_text import hindrance, reads_channels, text
from checker.language.define import define as define_model
from checker.language.distributed import BUDGETS, Distributed
from checker.language.model import Model
from checker.results.verdict import Swept, Verdict

FAILURE = "failure"
"""A violated assertion or an error of the model, treated as a property from its first occurrence on."""


def families(given: Mapping[int, Mapping[str, Any]]) -> list[list[int]]:
    """The places of configurations, by family.  given: the command line's constants of each."""
    found: dict[str, list[int]] = {}
    for place, values in given.items():
        found.setdefault(repr([(n, v) for n, v in values.items() if n not in ORDERED]), []).append(place)
    return list(found.values())


@define
class Family:
    """Configurations by place, with all their constants.  kinds: of the properties, and of assertions and errors that
    occurred; found: the verdicts of searches (holds, untested or violated), by place and property; checked: the
    properties that each search checked; stored: the variables of a state when these properties are checked; clean:
    where a complete search of all properties found no violated assertion and no error.
    """

    constants: Mapping[int, Mapping[str, Any]]
    kinds: dict[str, str]
    above: Mapping[str, Mapping[int, list[int]]]  # for each kind of property, from where `holds` comes down to a place
    stored: Callable[[tuple[str, ...]], frozenset[str]]
    found: dict[int, dict[str, Verdict | Swept]] = field(factory=dict)
    checked: dict[int, list[str]] = field(factory=dict)
    unfinished: set[int] = field(factory=set)
    clean: set[int] = field(factory=set)
    # a search found the model wrong as written: each of the others may too, whatever follows for its properties
    wrong: bool = False

    @property
    def properties(self) -> list[str]:
        """The names of the properties."""
        return [name for name, kind in self.kinds.items() if kind != FAILURE]

    def note(
        self, place: int, verdicts: Mapping[str, Verdict | Swept], unfinished: bool, complete: bool = False
    ) -> None:
        """Add the verdicts of a search.  unfinished: it ended at the limit on states; complete: neither a limit nor a
        violation ended it.

        After an assertion or an error no verdict `holds` is carried over: the evaluation of a property may have failed,
        and the search did not continue from the failure.
        """
        failures = [name for name in verdicts if self.kinds.get(name, FAILURE) == FAILURE]
        self.kinds.update(dict.fromkeys(failures, FAILURE))
        self.found.setdefault(place, {}).update(
            {n: v for n, v in verdicts.items() if not failures or v is Verdict.VIOLATED}
        )
        if unfinished:
            self.unfinished.add(place)
        if complete and not failures and set(self.properties) <= set(verdicts):
            self.clean.add(place)

    def add(self, place: int, verdicts: Mapping[str, Verdict | Swept]) -> None:
        """Add the verdicts that the search of another configuration gives for this one."""
        self.found[place] = {**verdicts, **self.found.get(place, {})}

    def below(self, place: int) -> list[int]:
        """The places with the same channels and smaller budgets that have an undecided property; their states are among
        those of this place.
        """
        channels = self.constants[place].get("channels")
        alike = [p for p, c in self.constants.items() if p not in self.checked and c.get("channels") == channels]
        return [p for p in alike if any(name in self.open(p) for name in self.taken(p, place))]

    def taken(self, place: int, other: int) -> set[str]:
        """The properties whose verdict at `place` is computed from the states that the search of `other` stored."""
        return {name for name, kind in self.kinds.items() if kind in READ_OFF and other in self.above[kind][place]}

    def sources(self, place: int, name: str) -> tuple[Verdict | Swept | None, int | None]:
        """The verdict of a property at a place (holds, untested, violated, or None if unknown), and the place of the
        search it comes from.
        """
        if self.wrong and place not in self.checked:
            return None, None
        if (known := self._said(place, name)) is not None:
            return known, place
        above = self.above[self.kinds[name]]
        for other in above[place]:
            if (known := self._said(other, name)) in (Verdict.HOLDS, Swept.UNTESTED):
                return known, other
        for other, upper in above.items():
            if place in upper and self._said(other, name) is Verdict.VIOLATED:
                return Verdict.VIOLATED, other
        return None, None

    def _said(self, place: int, name: str) -> Verdict | Swept | None:
        """The verdict that searches gave for a property at a place."""
        silent = Verdict.HOLDS if self.kinds[name] == FAILURE and place in self.clean else None
        return self.found.get(place, {}).get(name, silent)

    def open(self, place: int) -> list[str]:
        """The undecided properties of a place."""
        return [name for name in self.kinds if self.sources(place, name)[0] is None]

    def next(self) -> tuple[int, list[str]] | None:
        """The configuration to search next, and the properties to check there; None if no search could decide more."""
        opened = {place: names for place in self.constants if (names := self.open(place))}
        worth = {p: names for p, names in opened.items() if p not in self.checked and not self._too_large(p, names)}
        if not worth:
            return None
        if not self.checked:
            place = min(worth, key=self._budgets)
        elif set(self.checked) <= self.unfinished:
            place = next(self._with_other_channels(worth), None) or max(worth, key=self._budgets)
        else:
            place = min(worth, key=lambda p: self._gain(p, worth))
        self.checked[place] = self._asked(opened[place])
        return place, self.checked[place]

    def _asked(self, names: list[str]) -> list[str]:
        """The properties to check where this one is open: all properties if an assertion or error may occur, because
        the evaluation of a property may cause it.
        """
        return self.properties if any(self.kinds[name] == FAILURE for name in names) else names

    def _with_other_channels(self, worth: Mapping[int, list[str]]) -> Iterator[int]:
        """The largest budgets with the other channels, where a property is open that was violated with the channels
        searched so far.
        """
        found = (item for p in self.checked for item in self.found.get(p, {}).items())
        violated = {name for name, verdict in found if verdict is Verdict.VIOLATED}
        budgets = {p: tuple(constants.get(n) for n in BUDGETS) for p, constants in self.constants.items()}
        largest = {budgets[p] for p in self.checked}
        yield from (p for p, names in worth.items() if violated & set(names) and budgets[p] in largest)

    def _one_fault(self, place: int) -> bool:
        """Whether exactly one budget is not the smallest one, and this budget has its second smallest value."""
        own = {n: v for n, v in self.constants[place].items() if n in BUDGETS}
        values = {n: sorted({constants[n] for constants in self.constants.values()}) for n in own}
        return sum(values[n].index(v) for n, v in own.items()) == 1

    def _budgets(self, place: int) -> int:
        """The sort key: the largest budgets first, and unordered channels first."""
        constants = self.constants[place]
        return -2 * sum(v for n, v in constants.items() if n in BUDGETS) - (constants.get("channels") == "unordered")

    def _gain(self, place: int, opened: Mapping[int, list[str]]) -> tuple[int, int]:
        """How much a search decides, the best first.  If verdicts are read off (which needs a complete search): for
        each open property the number of smaller configurations.  Otherwise, or in doubt: the number of pairs of an open
        larger and an open smaller configuration, ends included.
        """
        total = 0
        doubt = any(u in above[place] for above in self.above.values() for u in self.unfinished)
        for name in opened[place]:
            above = self.above[self.kinds[name]]
            up = sum(name in opened.get(p, ()) for p in above[place])
            down = sum(name in names and place in above[p] for p, names in opened.items())
            total += (1 + down) * (1 + up if doubt or self.kinds[name] not in READ_OFF else 1)
        return -total, self._budgets(place)

    def _too_large(self, place: int, names: list[str]) -> bool:
        """Whether a smaller configuration, with no more variables in its checked properties, exceeded the limit on
        states; and this configuration has at least two faults more than the smallest.
        """
        if self._one_fault(place):
            return False
        smaller = [p for p in self.unfinished if any(place in above[p] for above in self.above.values())]
        return any(self.stored(tuple(self.checked[p])) <= self.stored(tuple(self._asked(names))) for p in smaller)


def family(model: type[Model], standings: Mapping[int, Standing]) -> Family:
    """The family of these configurations, with the relation "follows from"."""
    kinds = {name: kind for s in standings.values() for name, kind in s.kinds.items()}
    above: dict[str, dict[int, list[int]]] = {kind: {p: [] for p in standings} for kind in (*kinds.values(), FAILURE)}
    if issubclass(model, Distributed):  # else faults are the model's own
        for members in _alike(standings):
            for kind, pairs in _following(model, members, list(above)).items():
                above[kind].update(pairs)
    first = next(iter(standings.values()))

    @cache
    def stored(names: tuple[str, ...]) -> frozenset[str]:
        return frozenset(v.name for v in define_model(model, dict(first.given), list(names)).variables)

    return Family({p: s.constants for p, s in standings.items()}, kinds, above, stored)


def _alike(standings: Mapping[int, Standing]) -> list[dict[int, Standing]]:
    """The configurations in groups that differ only in budgets and channels."""
    groups: list[dict[int, Standing]] = []
    for place, one in standings.items():
        group = next((g for g in groups if difference(next(iter(g.values())), one) is None), None)
        if group is None:
            groups.append({place: one})
        else:
            group[place] = one
    return groups


def _following(
    model: type[Model], members: Mapping[int, Standing], kinds: list[str]
) -> Mapping[str, Mapping[int, list[int]]]:
    """For each kind of property, the configurations from which `holds` is carried over to each of these, within a
    group.
    """
    constants = {p: s.constants for p, s in members.items()}
    every = {p: [q for q in members if larger(constants[q], constants[p])] for p in members}
    if not any(every.values()):
        return {}
    own = text(model, [members[p] for p, above in every.items() if not above])
    if own is None or hindrance(model, own, list(constants.values())) is not None:
        return {}
    every = _without(every, constants, {"channels"} if reads_channels(own) else set())
    everywhere = (*EVERY_STATE, FAILURE)
    return {kind: every if kind in everywhere else _restricted(kind, model, every, members) for kind in kinds}


def _restricted(
    kind: str, model: type[Model], every: Mapping[int, list[int]], members: Mapping[int, Standing]
) -> Mapping[int, list[int]]:
    """The pairs between which verdicts on quiescent states and on whole runs are carried over: some constants must be
    equal.
    """
    if kind == "reachable":
        return {p: [] for p in every}
    bags = [p for p, s in members.items() if s.constants.get("channels") == "unordered"]
    apart = bool(bags) and len(bags) < len(members)
    held_up = apart and (kind == "leads-to" or any(_refuses(model, members[p]) for p in bags if not every[p]))
    return _without(every, {p: s.constants for p, s in members.items()}, {"channels"} if held_up else set())


def _refuses(model: type[Model], standing: Standing) -> bool:
    """Whether a handler may refuse a message in this configuration, or in a smaller one: a guard that reads faults may
    always hold where no faults are allowed.
    """
    return refused(define_model(model, dict(standing.given), list(standing.kinds))) is not None


def _without(
    every: Mapping[int, list[int]], constants: Mapping[int, Mapping[str, Any]], alike: set[str]
) -> dict[int, list[int]]:
    """The pairs whose values for some constants are equal; a model of queues alone has no `channels`."""
    same = {p: {n: c.get(n) for n in alike} for p, c in constants.items()}
    return {p: [q for q in above if same[q] == same[p]] for p, above in every.items()}
