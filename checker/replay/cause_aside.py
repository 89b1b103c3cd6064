"""A CAUSE that is no step: an initial state that the base does not have, or a step that only the base takes at the end.

The initial state is compared with the one of the base that differs in the fewest variables.  If the base has the whole
run and continues after its end, the first of its steps that the edit disables is named, with the edited rule that
disables it (`checker.replay.edited_rules`), else with the false part of the guard.
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Sequence
from itertools import islice

from attrs import evolve

from checker.backends.interpreter.interpreter import Interpreter, Raw
from checker.language.definition import Definition
from checker.language.model import Model
from checker.language.places import of_attribute
from checker.language.start import starts
from checker.replay.cited import Place, cited, declared_at, shortened
from checker.replay.edited_rules import undoing_rule
from checker.replay.plain import call_text, plain_raw
from checker.replay.refusals import explain
from checker.trace.difference import ABSENT, Change, difference
from checker.trace.former import Contrast
from checker.trace.trace import Trace
from checker.trace.values import show
from checker.wording import INITIAL_STATE, counted

MOST_STARTS = 256  # the largest number of initial states of the base that are compared with that of the run
MOST_SHOWN = 1


def other_start(trace: Trace, edited: Definition, base: Interpreter, former: str) -> Contrast:
    """Where the initial state of the run differs from the nearest of the base; former: the class of the base, "" if it
    is the protocol before the edit.
    """
    variables = base.definition.variables
    common = [v.name for v in variables if v.name in trace.states[0]]
    mine = {name: trace.states[0][name] for name in common}
    others: list[tuple[Change, ...]] = []
    for state in islice(starts(base.model), MOST_STARTS):
        values = {v.name: plain_raw(v.domain, raw) for v, raw in zip(variables, state)}
        others.append(difference({n: values[n] for n in common}, mine, trace.lanes))
    nearest = min(others, key=len) if others else ()
    if not nearest:
        return Contrast(f"{INITIAL_STATE}: {base.definition.name} has no initial state that can be compared")
    added = [c for c in nearest if c.before is ABSENT]
    if added:
        return _other_keys(edited.model, base.definition.model, added, former)
    shown = nearest[:MOST_SHOWN]
    more = more_differ(len(nearest) - MOST_SHOWN)
    now = ", ".join(f"{c.path} is {show(c.after)}" for c in shown)
    was = ", ".join(show(c.before) for c in shown)
    changed = next((n for n in common if any(n in c.path for c in shown)), common[0])
    places = declared_at(edited.model, changed), declared_at(base.definition.model, changed)
    orders = [_order_of(definition, changed) for definition in (edited, base.definition)]
    if all(orders) and orders[0] != orders[1]:  # two empty networks, which are written differently
        now, was, more = f"{changed} is a network {orders[0]}", f"a network {orders[1]}", ""
    return _at_start(now, "", f"it is {was}", former, places, more)


def _order_of(definition: Definition, variable: str) -> str:
    """How a network delivers, in words; "" of another variable."""
    network = next((v.network for v in definition.variables if v.name == variable), None)
    if network is None:
        return ""
    return "that keeps each channel in order" if network.fifo else "without order"


def more_differ(number: int) -> str:
    """The end of a sentence about some of the values that differ; number: of the others."""
    return f", and {counted(number, 'more value')} differ{'s' * (number == 1)}" if number > 0 else ""


def _at_start(
    what: str, now: str, before: str, former: str, places: tuple[Place | None, Place | None], more: str = ""
) -> Contrast:
    """Two initial states.  what: the part that differs, `now` the end of what is said of it; places: its line in each
    model; more: the end of the sentence."""
    here, there = places
    edited = " ".join(filter(None, (f"{INITIAL_STATE}: {what}{cited(here)}", now)))
    was = f"{before}{cited(there) if cited(there) != cited(here) else ''}{more}"
    mine, theirs = (place and shortened(place) for place in places)
    return Contrast(edited, was, former, place=mine, former=theirs)


def _other_keys(edit: type[Model], base: type[Model], added: Sequence[Change], former: str) -> Contrast:
    """That a variable has more entries than in the base, and which type of the class causes it, with both lines."""
    change = added[0]
    place = of_attribute(edit, change.variable)
    words = re.findall(r"\w+", linecache.getline(place.file, place.line)) if place is not None else []
    types = (n for n in words if n != change.variable and declared_at(edit, n) != declared_at(base, n))
    name = next((n for n in types if declared_at(edit, n)), change.variable)
    more = f" and {len(added) - 1} more" if len(added) > 1 else ""
    now = f"has values that add {change.path}{more}"
    return _at_start(name, now, "it is without them", former, (declared_at(edit, name), declared_at(base, name)))


def undone(
    trace: Trace,
    edited: Definition,
    base: Interpreter,
    states: Sequence[Raw],
    last: Raw,
    former: str,
    by_rule: bool = False,
) -> Contrast | None:
    """Why the edit does not take a step that the base takes in one of its states at the end of the run; None if the
    base ends there too, or nothing with a line disables the step.  last: the state of the edit there; by_rule: only
    where an edited rule disables it, as a guard may be false because of an earlier step.
    """
    refusals = {r.instance: r for r in explain(Interpreter(edited), last).refused}
    found = []
    for state in states:
        for step in list(base.steps(state)):
            if step.action.fault or step.after is None:
                continue
            call = call_text(step.action.name, [v for _, v in step.arguments]).removesuffix("()")
            ruling = undoing_rule(base, edited.model, state, step)
            refusal = refusals.get(call)
            if ruling is not None:
                found.append((call, evolve(ruling.contrast(former, f"at the end, {call}: "), instance=call)))
            elif refusal is not None and refusal.line and not by_rule:
                place = refusal.file, refusal.line
                now = f"at the end, {call}: {call} is disabled: {refusal.reason}{cited(place)}"
                found.append((call, Contrast(now, "it is enabled", former, instance=call, place=shortened(place))))
    witness = [show(v) for v in trace.witness_values.values()]
    found.sort(key=lambda pair: -sum(value in pair[0] for value in witness))
    return found[0][1] if found else None
