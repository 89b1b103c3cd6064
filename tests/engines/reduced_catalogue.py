"""Full searches beside reduced ones, for every shipped class with small constants and every budget of faults.

A configuration is compared in all that a reduced search may conclude: states at rest with their distances (lower bounds
of these where messages are dropped), and, where the reduced graph has no cycle, violations and errors; with all
invariants, with each violated one alone, and with none (as `outcomes` does, where most is left out).  Where it stops:
properties of other kinds are left out, as they are refused; models with constraints are, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from attrs import evolve, frozen

from checker.backends.native.kernel import NativeKernel, compile_model
from checker.engines.reduced import chooses, chosen_pays, message_chosen_pays, with_message_chosen
from checker.engines.reduced import reduction as reduction_of
from checker.frontend.lower import lower
from checker.frontend.refusal import Refused
from checker.ir.footprints.effort import TooMany
from checker.ir.model import Model as Lowered
from checker.language.define import define
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.search.breadth_first import search
from checker.search.limits import Limits
from checker.search.projected import projected
from checker.search.result import SearchResult
from tests.engines.full_and_reduced import cyclic, distances, shown

FAULTS: dict[str, dict[str, Any]] = {
    "no fault": {},
    "a crash": {"crashes": 1},
    "two crashes": {"crashes": 2},
    "a loss": {"losses": 1},
    "a duplicate": {"duplicates": 1},
    "a partition": {"partitions": 1},
    "queues": {"channels": "fifo"},
    "a crash with queues": {"crashes": 1, "channels": "fifo"},
    "a crash and a loss": {"crashes": 1, "losses": 1},
    "a loss and a duplicate": {"losses": 1, "duplicates": 1},
}
WORKLOADS: tuple[tuple[int, ...], ...] = ((1, 0), (1, 1), (2, 0), (1, 0, 0), (1, 1, 0))
MOST = 40_000
"""States of a full search."""


@frozen
class Compared:
    """How many states the two graphs have, whether the reduced one has a cycle, whether messages are dropped, and what
    differs between what they show; "" if nothing does."""

    full: int
    reduced: int
    circular: bool
    dropped: bool
    differs: str


def configurations(cls: type[Model]) -> Iterator[dict[str, Any]]:
    """Small constants of a class, the smallest first: workloads, or what it begins with."""
    names = define(cls, {}, []).constants
    if "workload" in names:
        yield from ({"workload": w} for w in WORKLOADS)
    else:
        for processes in (2, 3):
            yield {"processes": processes} if "processes" in names else {}


def lowered(cls: type[Model], constants: dict[str, Any], choosing: bool = False) -> Lowered | None:
    """The model with the properties that are judged state by state; None if it cannot be, or has a constraint."""
    try:
        model = lower(define(cls, constants), choosing=choosing)
    except (UsageError, Refused):
        return None
    kept = tuple(p for p in model.properties if p.kind in ("invariant", "quiescence"))
    return None if model.constraints else evolve(model, properties=kept)


def chosen(cls: type[Model], fault: str, turn: int) -> list[dict[str, Any]]:
    """The configurations to try for a budget, until one is small enough: another one first for each class, fault and
    turn, so that all come to be first."""
    found = list(configurations(cls))
    first = (sum(map(ord, cls.__name__ + fault)) + turn) % len(found)
    return [{**constants, **FAULTS[fault]} for constants in reversed(found[: first + 1])]


def searched(kernel: NativeKernel, most: int = MOST) -> SearchResult | None:
    """All of a graph, or None if it is larger than this."""
    found = search(kernel, limits=Limits(max_states=most), stop_at_first=False)
    return None if found.bound is not None or found.small else found


def compared(cls: type[Model], constants: dict[str, Any], most: int = MOST) -> list[Compared]:
    """What differs between full and reduced searches of a configuration; nothing if it is too large, or refused."""
    model = lowered(cls, constants)
    if model is None:
        return []
    kernel = compile_model(model, quick=True)
    full = searched(kernel, most)
    if full is None:
        return []
    given = define(cls, constants, []).constants
    try:
        if message_chosen_pays(given):
            other: Lowered | None = with_message_chosen(model)[0]
        else:
            other = lowered(cls, constants, choosing=True) if chosen_pays(given) else model
        assert other is not None
        return list(each_compared(full, other, kernel.words))
    except TooMany:
        return []


def each_compared(full: SearchResult, model: Lowered, words: int) -> Iterator[Compared]:
    """The same for a full search that was made: words of a state of it; model: what is searched reduced."""
    violated = {name for _, name, _ in shown(full)}
    asked = [tuple(model.properties), *((p,) for p in model.properties if p.name in violated), ()]
    done = set[tuple[int, tuple[int, ...], bool]]()
    for properties, drop in product(dict.fromkeys(asked), (False, True)):
        some = evolve(model, properties=properties)
        reduction = reduction_of(some, drop)
        dropped = bool(reduction.irrelevant.when)
        if (reduction.keyed, reduction.seeds, dropped) in done:
            continue  # the graph is the same
        done.add((reduction.keyed, reduction.seeds, dropped))
        kernel = compile_model(some, quick=True, reduction=reduction)
        reduced = search(kernel, limits=Limits(max_states=10 * MOST), stop_at_first=False)
        circular = cyclic(kernel, reduced)
        of_model = projected(reduced, words) if chooses(some) else reduced
        names = {p.name for p in properties}
        mine = {x for x in shown(full) if x[1] in names or x[1] not in {p.name for p in model.properties}}
        texts = []
        ends, expected = dict(distances(of_model)), dict(distances(full))
        if ends.keys() != expected.keys():
            texts.append("states at rest")
        elif any(n > expected[row] if dropped else n != expected[row] for row, n in ends.items()):
            texts.append("distances of states at rest")
        if not circular and shown(of_model) != mine:
            texts.append(f"violations {shown(of_model)}, not {mine}")
        if circular and reduction.finite:
            texts.append("a cycle where no run is infinite")
        yield Compared(full.distinct, reduced.distinct, circular, dropped, "; ".join(texts))
