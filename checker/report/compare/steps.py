"""Differences in steps and in sequences of emitted events, in lines of text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, TypeVar

from checker.report.lines import Line, line
from checker.report.phrases import call_text
from checker.results.comparison import END, LONGEST, BehaviourDifference, Separation, StepDifference
from checker.trace.trace import Trace
from checker.trace.values import show
from checker.wording import counted

TOO_MANY_EVENTS = f"has steps that tell more than {LONGEST} events (--engine interpreter records all)"
T = TypeVar("T")


def _of_each_side(added: T | None, removed: T | None, text_of: Callable[[T | None, str, str], str]) -> Iterator[Line]:
    """A line for the difference that the edit alone has, and one for the base; text_of: a function of the difference,
    the side and the other side.
    """
    yield line(f"+ {text_of(added, 'edit', 'base')}", "dim" if added is None else "green")
    yield line(f"- {text_of(removed, 'base', 'edit')}", "dim" if removed is None else "red")


# Steps


def step_lines(found: StepDifference) -> Iterator[Line]:
    """The first step of each side alone, or how far the comparison found none."""
    states = counted(found.states, "state")
    if found.added is not None or found.removed is not None:
        yield from _of_each_side(found.added, found.removed, partial(_step, found))
    elif found.complete:
        yield line(f"the two take the same steps, {states} looked at: every run of one is a run of the other", "green")
    else:
        nearest = f"no difference in the first {states}, nearest first"
        yield line(f"{nearest}; those further away were not looked at (--steps SECONDS)", "yellow")


def _step(found: StepDifference, trace: Trace | None, side: str, other: str) -> str:
    """The step of one side that the other does not have."""
    if trace is None:
        none = f"the {side} takes no step that the {other} does not"
        if found.complete:
            return f"{none}: each of its runs is a run of the {other} ({counted(found.states, 'state')} looked at)"
        return f"{none}, in the first {counted(found.states, 'state')}"
    if not trace.steps:
        return f"only the {side} starts in this state"
    last = trace.steps[-1]
    run = f"after a run of {counted(last.number - 1, 'step')} that both can take, and no fewer"
    call = f"{call_text(last)}, {'at once' if last.number == 1 else run}"
    note = f": {last.note}" if last.note else ""
    if found.cut[side == "base"]:
        return f"both can take {call}, but in the {other} a constraint cuts off the state to which it leads"
    if found.elsewhere[side == "base"]:
        return f"both can take {call}, but in the {side} it leads to another state{note}"
    return f"only the {side} can take {call}{note}"


# Sequences of events


def behaviour_lines(found: BehaviourDifference) -> Iterator[Line]:
    """The first sequence of events of each side alone, or how far the comparison found none."""
    if found.left_out:
        yield line(f"left out: {'; '.join(found.left_out)}", "dim")
    first, second = found.states
    each = f"{first:,} and {counted(second, 'state')}"
    more = "(--events SECONDS, or smaller constants)"
    if found.unexplored:
        late = f"was not explored in time: {counted(found.reached, 'state')} {more}"
        why = late if found.reached else TOO_MANY_EVENTS
        yield line(f"not decided: {found.unexplored} {why}", "yellow")
    elif not any(found.states):
        yield line("not compared: the two have no event in common", "yellow")
    elif not found.sets:
        explored = f"both were explored, {each}"
        yield line(f"not decided: {explored}, but there was no time to compare them {more}", "yellow")
    elif found.added is not None or found.removed is not None:
        yield from _of_each_side(found.added, found.removed, partial(_sequence, found))
    elif found.complete:
        every = "every sequence of events of one is one of the other"
        yield line(f"the two have the same behaviours: {every} ({each})", "green")
    else:
        sets = f"no difference in the first {counted(found.sets, 'set')} of states, shortest sequences first"
        yield line(f"{sets}; longer ones were not compared (--events SECONDS)", "yellow")


def _sequence(found: BehaviourDifference, separation: Separation | None, side: str, other: str) -> str:
    """The sequence that one side emits and the other does not."""
    if separation is not None:
        return f"only the {side}: {events_text(separation)} (a run of {counted(len(separation.trace.steps), 'step')})"
    if found.complete:
        first, second = found.states
        return f"every behaviour of the {side} is one of the {other} ({first:,} and {counted(second, 'state')})"
    none = f"no behaviour that the {side} has alone, in the first {counted(found.sets, 'set')} of states"
    return f"{none}, shortest sequences first (--events SECONDS)"


def events_text(separation: Separation) -> str:
    """multicast(p1, m1.1), then deliver(p1, m1.1)."""
    *before, last = separation.events
    if not before:
        return "a run that ends without any event" if last == END else f"{last}, at once"
    return f"{', '.join(before)}, then {last}"


# Outcomes


def outcome_text(outcome: Mapping[str, Any]) -> str:
    """delivered {p1: [m1.1], p2: []}, crashed {}."""
    return ", ".join(f"{n} {show(v)}" for n, v in outcome.items())
