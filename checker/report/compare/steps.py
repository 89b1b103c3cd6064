"""What one protocol does and the other does not, in lines of text: steps, and sequences of emitted events."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, TypeVar

from checker.results.comparison import LONGEST, BehaviourDifference, Separation, StepDifference
from checker.trace.trace import Step, Trace
from checker.trace.values import show
from checker.wording import counted

TOO_MANY_EVENTS = f"has steps that tell more than {LONGEST} events (--engine interpreter records all)"
Lines = Iterator[tuple[str, str]]  # text and style
T = TypeVar("T")


def _of_each_side(added: T | None, removed: T | None, told: Callable[[T | None, str, str], str]) -> Lines:
    """A line for what the edit has alone, and one for what the base has alone; told: the text, of what it is, the side
    and the other side."""
    for found, sign, side, other, style in (
        (added, "+", "edit", "base", "green"),
        (removed, "-", "base", "edit", "red"),
    ):
        yield f"{sign} {told(found, side, other)}", style if found is not None else "dim"


# Steps


def step_lines(found: StepDifference) -> Lines:
    """The first step of each side alone, or how far there is none."""
    if found.added is not None or found.removed is not None:
        yield from _of_each_side(found.added, found.removed, partial(_step, found))
    elif found.complete:
        yield (
            f"the two take the same steps, in all {found.states:,} states: every run of one is a run of the other",
            "green",
        )
    else:
        yield (
            f"no difference in the first {found.states:,} states, nearest first; those further away were not looked at "
            f"(--steps SECONDS)",
            "yellow",
        )


def _step(found: StepDifference, trace: Trace | None, side: str, other: str) -> str:
    """What a side does that the other does not."""
    if trace is None and found.complete:
        return (
            f"the {side} takes no step that the {other} does not: each of its runs is a run of the {other} "
            f"({found.states:,} states looked at)"
        )
    if trace is None:
        return f"the {side} takes no step that the {other} does not, in the first {found.states:,} states"
    if not trace.steps:
        return f"only the {side} starts in this state"
    last = trace.steps[-1]
    before = (
        "at once"
        if last.number == 1
        else f"after a run of {counted(last.number - 1, 'step')} that both can take, and no fewer"
    )
    note = f": {last.note}" if last.note else ""
    if found.cut[side == "base"]:
        return (
            f"both can take {call_text(last)}, {before}, but in the {other} a constraint cuts off the state to "
            f"which it leads"
        )
    if found.elsewhere[side == "base"]:
        return f"both can take {call_text(last)}, {before}, but in the {side} it leads to another state{note}"
    return f"only the {side} can take {call_text(last)}, {before}{note}"


def call_text(step: Step) -> str:
    """take(p2)."""
    return f"{step.action}({', '.join(map(show, step.args.values()))})"


# Sequences of events


def behaviour_lines(found: BehaviourDifference) -> Lines:
    """The first sequence of events of each side alone, or how far there is none."""
    if found.left_out:
        yield f"left out: {'; '.join(found.left_out)}", "dim"
    first, second = found.states
    if found.unexplored:
        why = (
            f"was not explored in time: {counted(found.reached, 'state')} (--events SECONDS, or smaller constants)"
            if found.reached
            else TOO_MANY_EVENTS
        )
        yield f"not decided: {found.unexplored} {why}", "yellow"
    elif not any(found.states):
        yield "not compared: the two have no event in common", "yellow"
    elif not found.sets:
        yield (
            f"not decided: both were explored, {first:,} and {second:,} states, but there was no time to compare them "
            f"(--events SECONDS, or smaller constants)",
            "yellow",
        )
    elif found.added is not None or found.removed is not None:
        yield from _of_each_side(found.added, found.removed, partial(_sequence, found))
    elif found.complete:
        yield (
            f"the two have the same behaviours: every sequence of events of one is one of the other ({first:,} and "
            f"{second:,} states)",
            "green",
        )
    else:
        yield (
            f"no difference in the first {found.sets:,} sets of states, shortest sequences first; longer ones were not "
            f"compared (--events SECONDS)",
            "yellow",
        )


def _sequence(found: BehaviourDifference, separation: Separation | None, side: str, other: str) -> str:
    """What a side emits that the other does not."""
    if separation is not None:
        return f"only the {side}: {events_text(separation)} (a run of {len(separation.trace.steps)} steps)"
    if found.complete:
        return (
            f"every behaviour of the {side} is one of the {other} ({found.states[0]:,} and {found.states[1]:,} states)"
        )
    return (
        f"no behaviour that the {side} has alone, in the first {found.sets:,} sets of states, shortest sequences first "
        f"(--events SECONDS)"
    )


def events_text(separation: Separation) -> str:
    """multicast(p1, m1.1), then deliver(p1, m1.1)."""
    *before, last = separation.events
    return f"{', '.join(before)}, then {last}" if before else f"{last}, at once"


# Outcomes


def outcome_text(outcome: Mapping[str, Any]) -> str:
    """delivered {p1: [m1.1], p2: []}, crashed {}."""
    return ", ".join(f"{n} {show(v)}" for n, v in outcome.items())
