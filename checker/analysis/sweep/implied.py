"""When the verdict of one configuration follows from that of another: the same constants, but other budgets of faults
or another kind of channel.

A budget only limits the number of faults.  Each run with fewer allowed faults is therefore a run with more allowed
faults. A property that holds in every run of the larger configuration holds in every run of the smaller one, and a
violating run of the smaller one is a violating run of the larger one.  For invariants and step properties this follows
directly; for quiescence properties and leads-to properties because the same actions, faults aside, are enabled in the
common states. This holds by the meaning of the language, not of a protocol, under the following conditions:

* The two configurations differ only in the budgets and in what the language makes of them.  All other constants,
  completed or derived ones too, types, variables with their initial values, actions, and methods with the types of
  their parameters are equal.  This module compares them.
* No method reads a budget under any name, or changes a variable in which the language counts faults.  Lowering records
  this (`checker.analysis.sweep.own_text`).
* The property is not a reachability property.

In the same way each run with FIFO channels is a run with unordered channels: queues are bags of which only some
messages may be received.  The conditions are:

* No method reads `channels` or the messages in flight between two processes (the number of all messages in flight is
  the same).
* For quiescence properties, no handler may refuse a message and each variant has a handler: otherwise the head of a
  queue could block the messages behind it.
* The property is not a leads-to property: fairness is not compared.

Only decided verdicts are carried over: `holds` from a larger configuration whose search was complete and had no error,
`violated` from a smaller one.  Whether an antecedent was satisfied is then unknown, but an antecedent that is never
satisfied with more faults is not satisfied with fewer.  `checker.analysis.sweep.following` decides what to search and
collects all verdicts.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import Any

from attrs import frozen

from checker.ir.types import Type
from checker.language.definition import ActionDefinition, Definition, VariableDefinition
from checker.language.distributed import BUDGETS, Distributed
from checker.language.domains import Domain

COUNTED = ("crashed", "lost", "duplicated", "splits", "apart")
"""The variables in which the language counts faults."""
ORDERED = (*BUDGETS, "channels")
"""The constants between whose values something may follow."""
OF_ACTION = ("name", "kind", "fault", "fair", "changing", "actor", "network", "variant")
EVERY_STATE = ("invariant", "step")
"""Kinds of property that do not depend on which actions are enabled."""


def larger(constants: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether the first configuration allows more faults or more orders of messages, and differs in no other
    constant."""
    if constants.keys() != other.keys():
        return False
    differing = [n for n in constants if constants[n] != other[n]]
    return bool(differing) and all(n in ORDERED and _more(n, constants[n], other[n]) for n in differing)


def _more(name: str, value: Any, other: Any) -> bool:
    return (value, other) == ("unordered", "fifo") if name == "channels" else bool(value > other)


@frozen
class Standing:
    """The facts that decide whether verdicts are carried over to a configuration.  given: constants of the command
    line; constants: all of them; values: everything that must be equal, by name; shape: types, variables, actions and
    methods; kinds: of the checked properties, by name.
    """

    given: Mapping[str, Any]
    constants: Mapping[str, Any]
    values: Mapping[str, Any]
    shape: tuple[Any, ...]
    kinds: Mapping[str, str]


def standing(definition: Definition, given: Mapping[str, Any]) -> Standing:
    """The standing of a configuration."""
    values = {n: v for n, v in definition.constants.items() if n not in ORDERED}
    values |= {f"{n} (derived)": v for n, v in definition.derived.items()}
    kinds = {p.name: p.kind for p in definition.properties}
    return Standing(given, definition.constants, values, _shape(definition), kinds)


def difference(standing: Standing, other: Standing) -> str | None:
    """Why two configurations differ in more than budgets and channels; None if they do not."""
    for name in {**standing.values, **other.values}:
        if name not in standing.values or name not in other.values or standing.values[name] != other.values[name]:
            return f"{name} depends on a budget of faults"
    alike = standing.shape == other.shape
    return None if alike else "types, variables, actions or methods depend on a budget of faults"


def of_language(action: ActionDefinition) -> bool:
    """Whether an action is a fault of the language itself: a crash, a loss, a copy, a network that splits or heals."""
    return action.kind in ("crash", "lose", "duplicate") or action.function in (Distributed.partition, Distributed.heal)


def _shape(definition: Definition) -> tuple[Any, ...]:
    """The declarations of the class, without the budgets and counters of faults, and without the order of networks."""
    types = {n: d.ir for n, d in definition.types.items()}
    variables = [_variable(v) for v in definition.variables if v.name not in COUNTED]
    own_actions = (a for a in definition.actions if not of_language(a))
    actions = [([(p.name, p.domain.ir) for p in a.parameters], attrgetter(*OF_ACTION)(a)) for a in own_actions]
    own = {n: m for n, m in definition.methods.items() if m.function not in (Distributed.partition, Distributed.heal)}
    methods = {n: ([(p, _ir(d)) for p, d in m.parameters], _ir(m.result)) for n, m in own.items()}
    return types, variables, actions, methods


def _ir(domain: Domain | None) -> Type | None:
    return None if domain is None else domain.ir


def _variable(variable: VariableDefinition) -> tuple[Any, ...]:
    """A variable as declared; networks start empty."""
    network = variable.network
    if network is not None:
        return variable.name, network.process.ir, network.body.ir, network.carries
    return variable.name, variable.domain.ir, repr(variable.initial), variable.owner, variable.local, variable.carried
