"""Outcomes that an edit adds or removes, sorted into kinds, with a shortest run for each kind.

An outcome is the value of the model's outcome variables in a quiescent state (for a multicast: the deliveries of each
process, and the crashed processes).  Two outcomes are of one kind if a renaming maps one to the other: processes are
renamed among each other, all other identities by the order in which they first appear.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import permutations
from typing import Any

from attrs import frozen

from checker.analysis.check import Examined
from checker.engines.explored import OutcomeRun
from checker.language.domains import IdsDomain
from checker.replay.plain import plain_raw
from checker.trace.values import FrozenMap, Multiset, Rec, order_key, ordered

LARGEST_GROUP = 5  # processes are renamed among each other up to this many


@frozen
class Kind:
    """Outcomes that differ only in names: their number, and the first of them with its run."""

    count: int
    example: FrozenMap
    run: OutcomeRun


Kinds = tuple[Kind, ...]


def kinds_alone(base: Examined, edit: Examined) -> tuple[int, int, Kinds, Kinds] | None:
    """The number of outcomes of either side, and the kinds that only one side has, over the outcome variables of both;
    None where a side has no outcome variables or was not explored completely.
    """
    names = [n for n in base.definition.model.outcome if n in edit.definition.model.outcome]
    if not names or not (base.explored.complete and edit.explored.complete):
        return None
    before, after = plain_outcomes(base, names), plain_outcomes(edit, names)
    process, domains = edit.definition.process, edit.definition.types.values()
    lanes = () if process is None else tuple(map(str, process))
    identities = frozenset(str(m) for d in domains if isinstance(d, IdsDomain) for m in d)
    added = _kinds({o: r for o, r in after.items() if o not in before}, identities, lanes)
    removed = _kinds({o: r for o, r in before.items() if o not in after}, identities, lanes)
    return len(before), len(after), added, removed


def plain_outcomes(side: Examined, names: Iterable[str]) -> dict[FrozenMap, OutcomeRun]:
    """The values of these variables in outcomes, as plain values, each with its shortest run; the shortest first."""
    domains, found = {v.name: v.domain for v in side.definition.variables}, dict[FrozenMap, OutcomeRun]()
    for run in sorted(side.explored.outcome_runs(), key=lambda r: r.number):
        found.setdefault(FrozenMap({n: plain_raw(domains[n], run.outcome[n]) for n in names}), run)
    return found


def _kinds(outcomes: Mapping[FrozenMap, OutcomeRun], identities: frozenset[str], lanes: tuple[str, ...]) -> Kinds:
    groups: dict[Any, list[FrozenMap]] = {}
    for outcome in sorted(outcomes, key=lambda o: outcomes[o].number):
        groups.setdefault(_shape(outcome, identities, lanes), []).append(outcome)
    return tuple(Kind(len(members), members[0], outcomes[members[0]]) for members in groups.values())


def _shape(outcome: FrozenMap, identities: frozenset[str], lanes: tuple[str, ...]) -> Any:
    """The smallest form of an outcome over all renamings."""
    orders = permutations(lanes) if len(lanes) <= LARGEST_GROUP else [lanes]
    return min(_renamed(outcome, identities, order) for order in orders)


def _renamed(outcome: FrozenMap, identities: frozenset[str], lanes: tuple[str, ...]) -> Any:
    names = {lane: f"lane {i}" for i, lane in enumerate(lanes)}

    def rename(value: Any) -> Any:
        if isinstance(value, str) and value in identities:
            return names.setdefault(value, f"name {len(names)}")
        if isinstance(value, tuple):
            return tuple(map(rename, value))
        if isinstance(value, frozenset):
            return frozenset(map(rename, ordered(value)))
        if isinstance(value, FrozenMap):
            keys = sorted(value, key=lambda k: (lanes.index(k) if k in lanes else -1, order_key(k)))
            return FrozenMap({rename(k): rename(value[k]) for k in keys})
        if isinstance(value, Rec):
            return Rec(value.name, {n: rename(v) for n, v in value.fields.items()})
        if isinstance(value, Multiset):
            return Multiset({rename(v): value.counts[v] for v in ordered(value.counts)})
        return value

    return order_key(rename(outcome))
