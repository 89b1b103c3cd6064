"""Everything that a reduced search of a model needs to know before it begins."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from attrs import field

from checker.frozen import frozen
from checker.ir.footprints.phases import Phases
from checker.ir.model import Model
from checker.ir.stubborn.labels import Labels, labelled
from checker.ir.stubborn.mending import mended_by, mends
from checker.ir.stubborn.relations import Relations, mask, tables_and_bounds
from checker.ir.stubborn.unaffected import unaffected

JUDGED = ("invariant",)
"""The kinds of properties that a step may mend."""


@frozen(eq=False)
class Reduction:
    """tables: of the choice; labels: functions that say which instance a step is of; keyed: the instances that may be
    the key of a set; finite: no run of the model is infinite; mending: the instances that may mend an invariant, by its
    name."""

    tables: Relations
    labels: Labels
    keyed: int
    finite: bool
    mending: dict[str, tuple[int, ...]]
    name: str = field(init=False)
    """Tells the code of this reduction from that of others of the model."""

    def __attrs_post_init__(self) -> None:
        tables = self.tables
        text = repr((self.labels.model, tables.depends, tables.options, tables.otherwise, self.keyed))
        object.__setattr__(self, "name", hashlib.sha256(text.encode()).hexdigest())


def reduction_of(model: Model, phases: Phases, fails: Callable[[str], bool]) -> Reduction:
    """The reduction of a model with the instances of these phases; fails: whether judging a property may be an
    error."""
    tables, occurrences = tables_and_bounds(model, phases)
    mending = {p.name: _mending(phases, p.function, fails(p.function)) for p in model.properties if p.kind in JUDGED}
    mended = {i for some in mending.values() for i in some}
    keyed = mask(i for i in range(len(tables.instances)) if not tables.faults >> i & 1 and i not in mended)
    return Reduction(tables, labelled(model, tables), keyed, occurrences.finite(), mending)


def _mending(phases: Phases, function: str, fails: bool) -> tuple[int, ...]:
    """The instances that may mend an invariant."""
    changes = mended_by(phases.origin.model, function, fails)
    return tuple(
        i
        for i, instance in enumerate(phases.origin.found)
        if mends(instance, changes) and (fails or not unaffected(phases, i, function))
    )
