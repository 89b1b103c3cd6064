"""What the methods of a model and of its properties do with budgets of faults, also through what is derived from them,
and through `budget_left`.

A method is lowered with the constants in place.  Whatever constant it reads on the way is noted, and each variable that
it changes.  A model that was lowered without a look at a constant comes out the same whatever that constant is, so one
lowering tells of all configurations that are the same but for it: the largest, since only there everything is that the
language makes of budgets, and observers see every fault.  Where no configuration has the largest of all budgets
together, each that has none above it is lowered.

What the language itself does with budgets is left out: its own fault actions, and its points at which a process may
crash.  So a model that writes these anew is not compared at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from checker.analysis.sweep.implied import COUNTED, ORDERED, Standing, of_language
from checker.frontend.lower import noted
from checker.frontend.program import BETWEEN
from checker.language.define import define
from checker.language.distributed import Distributed
from checker.language.errors import UsageError
from checker.language.model import Model

FAULTS = ("partition", "heal", "budget_left", "crash_process")
"""The methods by which the language makes faults."""


@frozen
class Text:
    """What methods read and change, by name, each with a method that does."""

    read: Mapping[str, str]
    changed: Mapping[str, str]


def text(model: type[Model], largest: Iterable[Standing]) -> Text | None:
    """What the methods name in configurations that are the same but for budgets and channels; largest: those of them
    with none above.  None if the model cannot be lowered there."""
    read, changed = dict[str, str](), dict[str, str]()
    for standing in largest:
        definition = define(model, dict(standing.given), list(standing.kinds))
        actions = tuple(a for a in definition.actions if a.kind == "crash" or not of_language(a))
        try:
            found, _ = noted(evolve(definition, actions=actions))
        except UsageError:
            return None
        read, changed = {**found.read, **read}, {**found.changed, **changed}
    return Text(read, changed)


def hindrance(model: type[Model], text: Text | None, alike: Sequence[Mapping[str, Any]]) -> str | None:
    """Why nothing follows among configurations that are the same but for budgets and channels; None if it does.  alike:
    their constants."""
    if text is None:
        return "the model is wrong as written"
    for name in FAULTS:
        if getattr(model, name) is not getattr(Distributed, name):
            return f"{name} is the model's own"
    for name in COUNTED:
        if name in text.changed:
            return f"{text.changed[name]} changes {name}"
    for name in ORDERED:
        if name in text.read and len({constants[name] for constants in alike}) > 1:
            return f"{text.read[name]} reads {name}"
    for name in ("apart", "splits"):
        if name in text.read and any(constants["partitions"] == 0 for constants in alike):
            return f"{text.read[name]} reads {name}, which is not there without partitions"
    return None


def reads_channels(text: Text) -> bool:
    """Whether a method reads what is in flight between two processes."""
    return BETWEEN in text.read
