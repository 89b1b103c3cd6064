"""The data that a reduced search of a model needs before it begins."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence

from attrs import field

from checker.frozen import frozen
from checker.ir.footprints.phases import Phases
from checker.ir.model import Model
from checker.ir.stubborn.conjuncts import breaking
from checker.ir.stubborn.dropping import dropping_model
from checker.ir.stubborn.irrelevant import Body, Irrelevant, irrelevant
from checker.ir.stubborn.labels import Labels, labelled
from checker.ir.stubborn.mending import mended_by, mends
from checker.ir.stubborn.relations import Making, Relations, mask
from checker.ir.stubborn.unaffected import unaffected

JUDGED = ("invariant",)
"""The kinds of properties that a step may mend."""


@frozen(eq=False)
class Reduction:
    """tables: for the choice of sets; labels: functions that give the instance of a step; keyed: the instances that may
    be the key of a set; seeds: for each instance, the instances with which the set of this key begins; finite: no run
    of the model is infinite; mending: the instances that may mend an invariant, by its name; beside: the invariants
    that keys may mend, because their sets contain the steps that may violate them; irrelevant: the messages that each
    step drops at its end, in the labelled model.
    """

    tables: Relations
    labels: Labels
    keyed: int
    seeds: tuple[int, ...]
    finite: bool
    mending: dict[str, tuple[int, ...]]
    beside: tuple[str, ...] = ()
    irrelevant: Irrelevant = Irrelevant({})
    name: str = field(init=False)
    """A name that distinguishes the code of this reduction from that of other reductions of the model."""

    def __attrs_post_init__(self) -> None:
        tables = self.tables
        text = repr((self.labels.model, tables.depends, tables.options, tables.otherwise, self.keyed, self.seeds))
        object.__setattr__(self, "name", hashlib.sha256(text.encode()).hexdigest())


@frozen
class Failures:
    """Whether an evaluation may be an error: of a property, by its function; of statements."""

    judging: Callable[[str], bool]
    executing: Callable[[Body], bool]


def reduction_of(model: Model, phases: Phases, fails: Failures, drop: bool) -> Reduction:
    """The reduction of a model with the instances of these phases.  drop: drop irrelevant messages, where that is
    possible.
    """
    making = Making(model, tuple(phases.origin.found), phases)
    tables = making.made()
    judged = {p.name: p.function for p in model.properties if p.kind in JUDGED}
    failing = {name for name, function in judged.items() if fails.judging(function)}
    mending = {name: _mending(phases, function, name in failing) for name, function in judged.items()}
    beside = {
        name: found
        for name, some in mending.items()
        if some and name not in failing and (found := breaking(phases, judged[name], some)) is not None
    }
    mended = {tables.steps[i] for name, some in mending.items() if name not in beside for i in some}
    keyed = mask(i for i, step in enumerate(tables.steps) if not tables.faults >> i & 1 and step not in mended)
    seeds = _seeds(tables.steps, beside.values())
    dropped = irrelevant(model, phases, making.stays, fails.executing) if drop else Irrelevant({})
    labels = labelled(dropping_model(model, dropped.when) if dropped.when else model, tables)
    return Reduction(tables, labels, keyed, seeds, making.occurrences.finite(), mending, tuple(beside), dropped)


def _seeds(steps: Sequence[int], beside: Iterable[Mapping[int, int]]) -> tuple[int, ...]:
    """For each instance the instances with which the set of this key begins.  A receipt that commutes with others may
    be possible in another case when it ends a violation, so all of its cases begin alike.
    """
    found = [1 << i for i in range(len(steps))]
    shared: dict[int, int] = {}
    for masks in beside:
        for i, more in masks.items():
            shared[steps[i]] = shared.get(steps[i], 0) | more
    return tuple(own | shared.get(step, 0) for own, step in zip(found, steps))


def _mending(phases: Phases, function: str, fails: bool) -> tuple[int, ...]:
    """The instances that may mend an invariant."""
    changes = mended_by(phases.origin.model, function, fails)
    return tuple(
        i
        for i, instance in enumerate(phases.origin.found)
        if mends(instance, changes) and (fails or not unaffected(phases, i, function))
    )
