"""A survey of delays as aligned text, Markdown and JSON.  All three have the same numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from checker.report.data import as_data
from checker.report.lines import Line, line
from checker.report.tables import Right, markdown_table
from checker.report.wording import constants_text
from checker.results.latency import MessageDelays, Span, Survey
from checker.wording import counted, range_text

WHERE = {"sender": "the sender", "others": "others", "own group": "its group", "other groups": "other groups"}
UNITS = {"messages": "messages one after the other", "time": "units of time"}


def rows(found: Survey) -> Iterator[tuple[str, Span]]:
    """The measured values, over all messages."""
    for name, span in found.where.items():
        yield f"delay to {WHERE[name]}", span
    if found.first is not None:
        yield "delay of the first delivery", found.first
    if found.last is not None:
        yield "delay of the last delivery", found.last
    if found.sent is not None:
        yield "messages in a whole run", found.sent


def per_multicast(found: Survey) -> str | None:
    """Messages for each multicast."""
    if found.sent is None or not found.multicasts:
        return None
    each = (f"{n / found.multicasts:.2f}" for n in (found.sent.least, found.sent.most))
    return range_text(*(number.rstrip("0").rstrip(".") for number in each))


def _notes(found: Survey) -> Iterator[str]:
    if not found.complete:
        ended = found.bound.ended_at(found.limit) if found.bound is not None else "incomplete"
        yield f"the search was {ended}: other runs may be faster or slower"
    if missed := ", ".join(m.message for m in found.messages if m.missed):
        yield f"some runs end without delivering {missed} to every live destination"


# Text


def lines(found: Survey) -> Iterator[Line]:
    """The survey as text."""
    yield line(found.reference + ("" if found.until == "deliver" else f"  until {found.until}"), "bold")
    yield line(f"  constants  {constants_text(found.constants)}")
    yield line(f"  {'':<28}  {'least':>6}  {'most':>6}", "bold")
    for name, span in rows(found):
        yield line(f"  {name:<28}  {span.least:>6}  {f'≥ {span.most}' if span.beyond else str(span.most):>6}")
    if (each := per_multicast(found)) is not None:
        yield line(f"  {'messages for each multicast':<28}  {each:>6}")
    yield from (line(f"  {text}", "yellow") for text in _notes(found))
    yield line(f"  delays in {UNITS[found.unit]}, over all runs: {_states(found)} in {found.seconds:.1f} s", "dim")
    if found.validation is not None:
        yield line(f"  {found.validation.text()}", "dim")


def _states(found: Survey) -> str:
    delays, messages = found.states
    return f"{counted(delays, 'state')} of a copy with their history" + (
        f", {messages:,} of one that counts messages" if messages else ""
    )


# Files


def markdown_text(found: Survey) -> str:
    """The survey as Markdown."""
    head = f"# Delays of {found.reference}" + ("" if found.until == "deliver" else f" until {found.until}")
    spans = [(name, str(s.least), f"{s.most} or more" if s.beyond else str(s.most)) for name, s in rows(found)]
    table = markdown_table(["", Right("least"), Right("most")], spans)
    each = per_multicast(found)
    closing = [f"* messages for each multicast: {each}"] if each is not None else []
    closing += [f"* {note}" for note in _notes(found)]
    closing.append(f"* delays in {UNITS[found.unit]}, over all runs: {_states(found)}")
    return "\n".join([head, "", constants_text(found.constants), "", table, "", *closing, ""])


def data(found: Survey) -> dict[str, Any]:
    """The survey as JSON data."""
    return {
        **as_data(found, "reference constants until unit complete bound"),
        **_delays(found),
        "messages": _span(found.sent),
        "multicasts": found.multicasts,
        "each": [{"message": m.message, **_delays(m), "missed": m.missed} for m in found.messages],
        "states": dict(zip(("delays", "messages"), found.states)),
        **as_data(found, "seconds:3 validation"),
    }


def _delays(of: Survey | MessageDelays) -> dict[str, Any]:
    delays = {name: _span(span) for name, span in of.where.items()}
    return {"delays": delays, "first": _span(of.first), "last": _span(of.last)}


def _span(span: Span | None) -> dict[str, Any] | None:
    return None if span is None else {"least": span.least, "most": None if span.beyond else span.most}
