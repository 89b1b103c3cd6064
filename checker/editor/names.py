"""The meaning of each name of a model, in a few words of Markdown: types of variables, in how many states an action is
enabled or a rule true, the verdict of a property.

The numbers come from one search: of the expectation of the class with most states, else of its defaults.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from checker.analysis.check import Examined
from checker.analysis.holding import holding
from checker.editor.answer import Known
from checker.ir.domain import size
from checker.language.constants import written
from checker.language.definition import ActionDefinition, MethodDefinition
from checker.language.domains import Domain
from checker.report.wording import constants_text, witness
from checker.results.checked import ActionReport, PropertyReport, Report
from checker.wording import counted

MEMBERS = 8
"""The largest number of values of a type that are listed."""


def known(examined: Examined, given: Mapping[str, Any]) -> Known:
    """The class that was examined with the given constants, all others having their defaults."""
    report, definition = examined.report, examined.definition
    own = [v for v in definition.variables if v.owner is None]
    names = {name: f"constant `{name}` = {written(value)}" for name, value in definition.constants.items()}
    names |= {name: f"`{name}` = {written(value)}" for name, value in definition.derived.items()}
    names |= {name: _type(name, domain) for name, domain in definition.types.items() if "." not in name}
    names |= {v.name: f"variable `{v.name}`: `{v.domain!r}`" for v in own}
    of = _of(report, given)
    true = {h.rule: h.states for h in holding(examined)}
    for method in (m for m in definition.methods.values() if m.owner is None and m.rule):
        names[method.name] = _rule(method, true.get(method.name), of)
    taken = {a.name: a for a in report.actions}
    for action in definition.actions:
        names[action.name] = _action(action, taken.get(action.name), of)
        names |= {f"{action.name}.{p.name}": f"`{p.name}`: `{p.domain!r}`" for p in action.parameters}
    names |= {p.name: _property(p) for p in report.properties}
    return Known(
        definition.name,
        f"`{definition.name}`: {report.verdict}, {counted(report.transitions, 'transition')}, {of}",
        names,
    )


def _of(report: Report, given: Mapping[str, Any]) -> str:
    """The states that a number counts, in words."""
    states = counted(report.distinct, "state") + ("" if report.complete else " (search not finished)")
    return f"{states}{f' with {constants_text(given)}' if given else ''}"


def _type(name: str, domain: Domain) -> str:
    values = size(domain.ir)
    if values is None:
        return f"type `{name}`: `{domain!r}`"
    few = f": {', '.join(map(str, domain.members))}" if values <= MEMBERS else ""
    return f"type `{name}`, {counted(values, 'value')}{few}"


def _rule(method: MethodDefinition, states: int | None, of: str) -> str:
    parameters = ", ".join(n if d is None else f"{n}: {d!r}" for n, d in method.parameters)
    head = f"rule `{method.name}({parameters})`"
    if states is None:
        return head
    some = " for some arguments" if method.parameters else ""
    return f"{head}: true{some} in {states:,} of {of}. A step may ask it in between."


def _action(action: ActionDefinition, found: ActionReport | None, of: str) -> str:
    parameters = ", ".join(f"{p.name}: {p.domain!r}" for p in action.parameters)
    kind = "handler" if action.kind == "receive" else "action"
    head = f"{kind} `{action.name}({parameters})`"
    if found is None:
        return head
    if not found.enabled:
        return f"{head}: enabled in none of {of}"
    first = f", first at level {found.first_level}" if found.first_level is not None else ""
    return f"{head}: enabled in {found.enabled:,} of {of}. Taken {counted(found.fired, 'time')}{first}."


def _property(found: PropertyReport) -> str:
    steps = f" in {counted(found.steps, 'step')}" if found.steps is not None else ""
    sentence = f": {witness(found.trace)}" if found.trace is not None and found.verdict.refuted else ""
    reason = f" ({found.reason})" if found.reason else ""
    return f"{found.kind} `{found.name}`: {found.verdict}{steps}{sentence}{reason}"
