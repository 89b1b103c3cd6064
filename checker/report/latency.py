"""A survey of delays as aligned text, Markdown and JSON.  All three hold the same numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from checker.language.constants import written
from checker.report.data import as_data
from checker.results.latency import Span, Survey

UNITS = {"messages": "messages one after the other", "time": "units of time"}


def rows(found: Survey) -> Iterator[tuple[str, Span]]:
    """What was measured, over all messages."""
    names = {
        "sender": "to the sender",
        "others": "to others",
        "own group": "to its group",
        "other groups": "to other groups",
    }
    for name, span in found.where.items():
        yield f"delay {names[name]}", span
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
    least, most = (_number(n / found.multicasts) for n in (found.sent.least, found.sent.most))
    return least if least == most else f"{least}..{most}"


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _missed(found: Survey) -> list[str]:
    return [m.message for m in found.messages if m.missed]


def _notes(found: Survey) -> Iterator[str]:
    if not found.complete:
        yield f"the search was stopped by its bound on {found.bound}: other runs may be faster or slower"
    if _missed(found):
        yield f"some runs end without delivering {', '.join(_missed(found))} to every live destination"


# Text


def lines(found: Survey) -> Iterator[tuple[str, str]]:
    """The survey as lines with their styles."""
    yield found.reference + ("" if found.until == "deliver" else f"  until {found.until}"), "bold"
    yield "  constants  " + " ".join(f"{n}={written(v)}" for n, v in found.constants.items()), ""
    table = [(name, str(span.least), f"≥ {span.most}" if span.beyond else str(span.most)) for name, span in rows(found)]
    yield f"  {'':<28}  {'least':>6}  {'most':>6}", "bold"
    for name, least, most in table:
        yield f"  {name:<28}  {least:>6}  {most:>6}", ""
    if (each := per_multicast(found)) is not None:
        yield f"  {'messages for each multicast':<28}  {each:>6}", ""
    yield from (("  " + text, "yellow") for text in _notes(found))
    yield f"  delays in {UNITS[found.unit]}, over all runs: {_states(found)} in {found.seconds:.1f} s", "dim"
    if found.validation is not None:
        yield f"  {found.validation.text()}", "dim"


def _states(found: Survey) -> str:
    delays, messages = found.states
    return f"{delays:,} states of a copy with their history" + (
        f", {messages:,} of one that counts messages" if messages else ""
    )


# Files


def markdown_text(found: Survey) -> str:
    """The survey as Markdown."""
    constants = " ".join(f"{n}={written(v)}" for n, v in found.constants.items())
    table = ["| | least | most |", "|---|---:|---:|"]
    table += [f"| {name} | {s.least} | {f'{s.most} or more' if s.beyond else s.most} |" for name, s in rows(found)]
    each = per_multicast(found)
    closing = [f"* messages for each multicast: {each}"] if each is not None else []
    closing += [f"* {note}" for note in _notes(found)]
    closing.append(f"* delays in {UNITS[found.unit]}, over all runs: {_states(found)}")
    return "\n".join(
        [
            f"# Delays of {found.reference}" + ("" if found.until == "deliver" else f" until {found.until}"),
            "",
            constants,
            "",
            *table,
            "",
            *closing,
            "",
        ]
    )


def data(found: Survey) -> dict[str, Any]:
    """The survey as JSON data."""
    return {
        **as_data(found, "reference constants until unit complete bound"),
        "delays": _spans(found.where),
        "first": _span(found.first),
        "last": _span(found.last),
        "messages": _span(found.sent),
        "multicasts": found.multicasts,
        "each": [
            {
                "message": m.message,
                "delays": _spans(m.where),
                "first": _span(m.first),
                "last": _span(m.last),
                "missed": m.missed,
            }
            for m in found.messages
        ],
        "states": {"delays": found.states[0], "messages": found.states[1]},
        "seconds": round(found.seconds, 3),
        "validation": as_data(found.validation),
    }


def _spans(where: Mapping[str, Span]) -> dict[str, Any]:
    return {name: _span(span) for name, span in where.items()}


def _span(span: Span | None) -> dict[str, Any] | None:
    return None if span is None else {"least": span.least, "most": None if span.beyond else span.most}
