"""How the methods of a model and of its properties use budgets of faults: directly, through derived values, and through
`budget_left`.

A method is lowered with the constants in place.  Lowering records each constant that the method reads and each variable
that it changes.  The lowered model is the same for all values of a constant that was not read, so one lowering
describes all configurations that differ only in such constants.  The largest configuration is lowered, because only it
has all variables and actions that the language adds for budgets, and observers see every fault.  If no configuration
has the largest of all budgets together, each configuration without a larger one is lowered.

The use of budgets by the language itself is left out: its own fault actions, and its points at which a process may
crash.  A model that overrides these methods is therefore not compared.
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
    """What methods read and change, by name, each with a method that does so."""

    read: Mapping[str, str]
    changed: Mapping[str, str]


def text(model: type[Model], largest: Iterable[Standing]) -> Text | None:
    """What the methods read and change in configurations that differ only in budgets and channels.  largest: the
    configurations without a larger one.  None if the model cannot be lowered there.
    """
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
    """Why no verdict follows among configurations that differ only in budgets and channels; None if verdicts follow.
    alike: their constants.
    """
    if text is None:
        return "the model is wrong as written"
    for name in FAULTS:
        if getattr(model, name) is not getattr(Distributed, name):
            return f"{name} is the model's own"
    for name in COUNTED:
        if name in text.changed:
            return f"{text.changed[name]} changes {name}"
    for name in ORDERED:
        if name in text.read and len({constants.get(name) for constants in alike}) > 1:
            return f"{text.read[name]} reads {name}"
    for name in ("apart", "splits"):
        if name in text.read and any(constants["partitions"] == 0 for constants in alike):
            return f"{text.read[name]} reads {name}, which is not there without partitions"
    return None


def reads_channels(text: Text) -> bool:
    """Whether a method reads the messages in flight between two processes."""
    return BETWEEN in text.read
