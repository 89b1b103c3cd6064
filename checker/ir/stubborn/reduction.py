"""Everything that a reduced search of a model needs to know before it begins."""

from __future__ import annotations

import hashlib

from attrs import field

from checker.frozen import frozen
from checker.ir.footprints.instances import Instances
from checker.ir.model import Model
from checker.ir.stubborn.labels import Labels, labelled
from checker.ir.stubborn.relations import Relations, tables_and_bounds


@frozen(eq=False)
class Reduction:
    """tables: of the choice; labels: functions that say which instance a step is of; keyed: the instances that may be
    the key of a set; finite: no run of the model is infinite."""

    tables: Relations
    labels: Labels
    keyed: int
    finite: bool
    name: str = field(init=False)
    """Tells the code of this reduction from that of others of the model."""

    def __attrs_post_init__(self) -> None:
        tables = self.tables
        text = repr((self.labels.model, tables.depends, tables.options, tables.otherwise, self.keyed))
        object.__setattr__(self, "name", hashlib.sha256(text.encode()).hexdigest())


def reduction_of(model: Model, instances: Instances, keyed: int) -> Reduction:
    """The reduction of a model with these instances."""
    tables, occurrences = tables_and_bounds(model, instances)
    return Reduction(tables, labelled(model, tables), keyed, occurrences.finite())
