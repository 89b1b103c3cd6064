"""Vacuous verdicts: reasons why "holds" states less than it seems to, each a finding with a name.

A property can hold because nothing happened.  Some reasons follow from the counts of any complete search; two need the
states (checker.analysis.vacuity.tested): a property whose antecedent is true in no state, and an observer whose
variables never change.  `check --strict` turns any finding into a vacuous verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from checker.analysis.vacuity.uncalled import events_emitted, names, names_called, uncalled
from checker.analysis.vacuity.unedited import unedited
from checker.analysis.vacuity.unread import unread
from checker.engines.explored import Explored
from checker.frontend.unused import unused
from checker.language.definition import Definition
from checker.language.domains import UnionDomain
from checker.results.vacuity import Vacuity
from checker.wording import counted


def vacuities(definition: Definition, explored: Explored) -> Iterator[Vacuity]:
    """The findings that follow from the counts, without the states."""
    if explored.distinct == 0 and not explored.complete:
        return
    if explored.distinct == 0:
        yield Vacuity("no-initial-state", definition.name, "there is no initial state: nothing was checked")
        return
    if not definition.properties:
        yield Vacuity("no-properties", definition.name, "the model lists no properties: only its types were checked")
    if not any(not a.fault for a in definition.actions):
        text = "the model has no action: @action or @on(...) stands before none of its methods"
        yield Vacuity("no-actions", definition.name, text)
    yield from unreceived(definition)
    yield from _constraints(definition, explored)
    yield from trivial(definition)
    yield from _deaf(definition)
    yield from uncalled(definition)
    yield from (Vacuity("never-read", name, text) for name, text in unread(definition))
    yield from (
        Vacuity("never-read", u.name, f"the local {u.name} in {u.place} is assigned and not read afterwards")
        for u in unused(definition)
    )
    yield from reading_nothing(definition)
    yield from unedited(definition)
    if explored.complete and not explored.reduced:
        for action in explored.actions:
            if action.fired == 0:
                never = f"{action.name} was never enabled"
                yield Vacuity("never-enabled", action.name, f"action {never}", never)
    if explored.complete:
        if explored.quiescent == 0 and (names := [p.name for p in definition.properties if p.kind == "quiescence"]):
            text = "no state is quiescent: the quiescence properties are vacuous"
            yield Vacuity("never-quiescent", ", ".join(names), text)


def _constraints(definition: Definition, explored: Explored) -> Iterator[Vacuity]:
    if not explored.cut:
        return
    own, steps = tuple(c.name for c in definition.constraints), counted(explored.cut, "step")
    names = ", ".join(own)
    text = f"the constraint {names} cut off {steps}: what lies beyond was not explored"
    yield Vacuity("within-constraint", names, text, names=own)
    if any(p.kind == "leads-to" for p in definition.properties):
        text = "a state constraint cuts states, so nothing can be said about whole runs (leads-to)"
        yield Vacuity("whole-runs-cut", names, text)


def trivial(definition: Definition) -> Iterator[Vacuity]:
    """Constants with which properties have nothing to evaluate."""
    if definition.process is not None and definition.constants.get("processes") == 1:
        yield Vacuity("trivial-constants", "processes", "there is one process: nobody can disagree with it")
    workload = definition.constants.get("workload")
    if isinstance(workload, tuple) and sum(workload) == 1:
        yield Vacuity("trivial-constants", "workload", "there is one message: it cannot come in another order")


def unreceived(definition: Definition) -> Iterator[Vacuity]:
    """Messages that stay in flight for ever: their network has handlers, but none for their variant.  Variants that no
    method names are not sent.
    """
    for variable in definition.variables:
        network = variable.network
        if network is None or not isinstance(network.body, UnionDomain):
            continue
        handled = {a.variant for a in definition.actions if a.kind == "receive" and a.network == network.name}
        if not handled or None in handled:
            continue
        for variant in network.body.variants:
            if variant.name not in handled and variant.name in names_called(definition):
                yield Vacuity("never-received", variant.name, f"no handler receives {variant.name} on {network.name}")


def reading_nothing(definition: Definition) -> Iterator[Vacuity]:
    """Properties that read no variable, themselves or through their callees: they have one value in all states."""
    variables = {v.name.rpartition(".")[2] for v in definition.variables}
    for p in definition.properties:
        read, pending = set[str](), [f for f in (p.function, p.when) if f is not None]
        while pending:
            new = set(names(pending.pop().__code__)) - read
            read |= new
            pending += [f for n in new for f in _methods(definition, n, p.owner)]
        if not read & variables:
            yield Vacuity("reads-nothing", p.name, f"{p.name} reads no variable: it says nothing about the states")


def _methods(definition: Definition, name: str, owner: str | None) -> list[Callable[..., Any]]:
    """The function that a name may call: a method of the property, of the model, or a property of the model itself."""
    found = [definition.methods[n].function for n in (name, f"{owner}.{name}") if n in definition.methods]
    return found + [p.function for p in definition.properties if p.name == name]


# Observers


def _deaf(definition: Definition) -> Iterator[Vacuity]:
    """Properties that watch events of which the model's methods emit none.  Crashes, sending and receptions are events
    of the language."""
    for owner in definition.observers:
        own = [
            *(m.function for m in definition.methods.values() if m.owner == owner),
            *(p.function for p in definition.properties if p.owner == owner),
        ]
        used = {name for function in own for name in names(function.__code__)}
        handlers = (n.removeprefix(f"{owner}.") for n in definition.methods if n.startswith(f"{owner}.on_"))
        watched = [name.removeprefix("on_") for name in handlers if name not in used]
        if watched and not events_emitted(definition) & set(watched):
            yield Vacuity("no-event", owner, f"{owner} watches for {' and '.join(watched)}, which nothing emits")
