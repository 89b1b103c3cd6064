"""The run of the protocol before the edit on the page of a run of the edit, step beside step.

The rows begin at the step at which the two runs part; each row has the step of the edit and what the other protocol
does with the same call.  On a narrow screen the two stand one below the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from checker.report.boxes import acting_lane
from checker.report.phrases import step_text
from checker.report.step_marks import step_marks
from checker.report.text import step_details, step_title
from checker.report.wording import step_note
from checker.results.explained import Beside
from checker.trace.difference import ABSENT, difference
from checker.trace.messages import messages
from checker.trace.trace import Trace
from checker.trace.values import show
from checker.wording import counted

MOST_VALUES = 12
Side = tuple[str, list[str]]  # the head of a step and its changes


def beside_data(trace: Trace, found: Beside) -> dict[int, dict[str, Any]]:
    """For each step from the parting step on what the other protocol does there, and the values that differ then: path,
    in this run, in the other one.
    """
    there = {n: side for n, _, side in _rows(trace, found) if n is not None}
    return {
        number: {"name": found.name, "title": there[number][0], "values": list(_values(trace, found, number))}
        for number in there
    }


def beside_section(trace: Trace, found: Beside | None) -> str:
    """The part of the page with both runs; nothing without the other one."""
    if found is None:
        return ""
    name = escape(found.name)
    body = "".join(_row(number, here, there, name) for number, here, there in _rows(trace, found))
    return (
        f'<section class="card beside"><h2>This run beside that of {name}</h2>\n'
        f"<p>{escape(_sentence(trace, found))}</p>\n"
        f'<table class="runs"><thead><tr><th scope="col">this run</th><th scope="col">{name}</th></tr></thead>\n'
        f"<tbody>\n{_same(found)}{body}</tbody></table></section>"
    )


def _same(found: Beside) -> str:
    number = found.parted - 1
    text = "step 1: the same in both" if number == 1 else f"steps 1 to {number}: the same in both"
    return f'<tr class="same"><td colspan="2">{text}</td></tr>\n' if number else ""


def _row(number: int | None, here: Side, there: Side, name: str) -> str:
    place = f' data-step="{number}" tabindex="0"' if number is not None else ""
    return f"<tr{place}>{_cell(here, 'this run')}{_cell(there, name)}</tr>\n"


def _cell(side: Side, label: str) -> str:
    head, lines = side
    items = "".join(f"<li>{escape(text)}</li>" for text in lines)
    changes = f"<ul>{items}</ul>" if items else ""
    return f'<td data-run="{label}"><strong>{escape(head)}</strong>{changes}</td>'


def _rows(trace: Trace, found: Beside) -> Iterator[tuple[int | None, Side, Side]]:
    """The number of the step of the edit (None: it has ended), and both sides."""
    taken = 0
    for number, (place, reason) in enumerate(found.places, 1):
        if number >= found.parted:
            yield number, _step(trace, number), (f"not taken: {reason}", []) if reason else _step(found.trace, place)
        taken = place
    for place in range(taken + 1, len(found.trace.steps) + 1):
        yield None, ("", []), _step(found.trace, place)


def _step(trace: Trace, number: int) -> Side:
    """The head of a step and its changes, without its note."""
    step, sent = trace.steps[number - 1], messages(trace)
    lane, head, note = acting_lane(step, sent), step_text(step, sent), step_note(trace, step)
    title = step_title(trace, step, sent, step_marks(trace).get(number))
    return title, [t for t in step_details(trace, step, head, lane, sent) if t != note]


def _values(trace: Trace, found: Beside, number: int) -> Iterator[list[str]]:
    here, there = trace.states[number], found.trace.states[found.places[number - 1][0]]
    common = [name for name in here if name in there]
    changes = difference({n: here[n] for n in common}, {n: there[n] for n in common}, trace.lanes, trace.networks)
    for change in changes[:MOST_VALUES]:
        yield [change.path, *("-" if value is ABSENT else show(value) for value in (change.before, change.after))]
    if len(changes) > MOST_VALUES:
        yield [f"and {counted(len(changes) - MOST_VALUES, 'more value')}", "", ""]


def _sentence(trace: Trace, found: Beside) -> str:
    """How the two runs are related, and how the other one ends."""
    name = found.name
    after = len(found.trace.steps) - (found.places[-1][0] if found.places else 0)
    judged = f"; {found.judged}" if found.judged else ""
    ending = f"This run of {name} {found.ending}{judged}."
    if found.parted > len(trace.steps):
        return f"{name} takes the same steps and continues where this run ends. {ending}"
    more = f", then {counted(after, 'more step')}" if after else ""
    calls = f"{name} executes the same calls, as far as they are enabled there{more}."
    return f"From step {found.parted} on, {calls} {ending}"
