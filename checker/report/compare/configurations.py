"""The configurations of a comparison in words: a line for each with a difference, one for those without, and one for
those that were not compared; and the verdict over all.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from checker.language.constants import typed
from checker.report.compare.text import conclusion
from checker.report.phrases import call_text
from checker.results.configurations import FamilyComparison, Looked
from checker.results.verdict import Compared
from checker.wording import counted

EVENTS = 5  # of a sequence that one side has alone


def label(given: Mapping[str, Any]) -> str:
    """The constants that make a configuration, as on a command line."""
    return typed(given) or "the defaults"


def differing(f: FamilyComparison) -> Iterator[tuple[str, str, Compared]]:
    """For each configuration with a difference: its name, the differences, and its verdict."""
    for number, row in enumerate(f.looked):
        if row.verdict is not Compared.SAME:
            shown = "  (shown)" if number == f.place and len(f.looked) > 1 else ""
            yield label(row.given), "; ".join(_parts(row)) + shown, row.verdict


def _parts(row: Looked, whole: bool = True) -> Iterator[str]:
    """What differs; without the events themselves, unless it is the whole."""
    if row.broken:
        broken = (name if n is None else f"{name} in {counted(n, 'step')}" for name, n in row.broken)
        yield f"breaks {', '.join(broken)}"
    if row.repaired:
        yield f"repairs {', '.join(row.repaired)}"
    if row.new or row.gone:
        yield f"outcomes: {row.new:,} new, {row.gone:,} gone"
    for word, events in (("new", row.added), ("gone", row.removed)):
        if events is not None:
            first = "..., " * (len(events) > EVENTS) + ", ".join(events[-EVENTS:])
            yield f"{word} events{f': {first}' * whole}"
    if row.added is None and row.removed is None and not (row.new or row.gone or row.broken):
        yield from _steps(row)
    if row.verdict is not Compared.SAME:
        yield from _undecided(row)


def _undecided(row: Looked) -> Iterator[str]:
    """Why it is not known whether more is broken, the properties together."""
    if row.unknown:
        yield f"{', '.join(row.unknown)} not decided"
    yield from row.left_open


def _steps(row: Looked) -> Iterator[str]:
    runs = (row.new_step, row.gone_step)
    new, gone = (f"step {len(r.steps)}, {call_text(r.steps[-1])}" if r and r.steps else "" for r in runs)
    if new and new == gone:
        yield f"{new}, leads elsewhere"
        return
    yield from (f"{word}: {text}" for word, text in (("new", new), ("gone", gone)) if text)


def _headline(row: Looked) -> str:
    """What differs, without the events themselves."""
    parts = [*_parts(row, whole=False)]
    return parts[0] if row.broken else "; ".join(parts)


def unchanged(f: FamilyComparison) -> str:
    """The configurations without a difference; "" if there are none."""
    return "; ".join(label(row.given) for row in f.looked if row.verdict is Compared.SAME)


def not_looked_at(f: FamilyComparison) -> str:
    """The configurations that were passed over, by reason; "" if there are none."""
    reasons: dict[str, list[str]] = {}
    for one in f.passed:
        reasons.setdefault(one.why, []).append(label(one.given))
    return "; ".join(f"{', '.join(labels)} ({why})" for why, labels in reasons.items())


def elsewhere(f: FamilyComparison) -> Iterator[tuple[str, str]]:
    """Beside what is said of the configuration that is shown: what was found in the others, and those that were passed
    over.
    """
    rows = [row for number, row in enumerate(f.looked) if number != f.place]
    for row in rows:
        if row.verdict is not Compared.SAME:
            yield "differs at", f"{label(row.given)}: {'; '.join(_parts(row))}"
    if same := "; ".join(label(row.given) for row in rows if row.verdict is Compared.SAME):
        yield "same at", same
    if passed := not_looked_at(f):
        yield "not looked at", passed


def beyond(f: FamilyComparison) -> Iterator[str]:
    """What is known of larger configurations than the compared ones, and the command that compares them; empty if there
    is a difference.
    """
    yield from (one.text for one in f.beyond)
    if f.onward:
        yield f"nothing larger was compared: {_command(f)} -D {f.onward}"


def _command(f: FamilyComparison) -> str:
    """The command that compares the same two models."""
    before, _, revision = f.shown.before.partition(" at ")
    return f"checker compare {f'{f.shown.after} --against {revision}' if revision else f'{before} {f.shown.after}'}"


def _left(f: FamilyComparison) -> str:
    """How many configurations were passed over, and the command for those for which there was no time: for all of them
    if one constant makes the difference, else for the first.
    """
    late = [one.given for one in f.passed if one.late]
    if not late:
        return f"{len(f.passed):,} not looked at"
    names = {tuple(given) for given in late}
    if len(late) > 1 and len(names) == 1 and len(late[0]) == 1:
        (name,) = late[0]
        values = "|".join(typed(given).partition("=")[2] for given in late)
        return f"{len(f.passed):,} not looked at: {_command(f)} -D {shlex.quote(f'{name}={values}')}"
    options = " ".join(f"-D {shlex.quote(typed({name: value}))}" for name, value in late[0].items()) or "--here"
    first = " for the first" * (len(f.passed) > 1)
    return f"{len(f.passed):,} not looked at;{first} {_command(f)} {options}"


def what_was_compared(f: FamilyComparison) -> str:
    """For the configurations without a difference: in how many every step is proved the same, verdicts, and in how many
    what else was compared.
    """
    proved = sum(row.proved for row in f.looked)
    same = [row for row in f.looked if row.verdict is Compared.SAME and not row.proved]
    if not same:
        return "every step is the same"
    parts = [*[f"in {proved:,} every step is the same"] * bool(proved), "verdicts"]
    for what, number in (
        ("outcomes", sum(row.new is not None for row in same)),
        ("sequences of events", sum(row.events for row in same)),
        ("steps", sum(row.steps for row in same)),
    ):
        if number:
            parts.append(what if number == len(same) else f"{what} in {number:,} of them")
    return ", ".join(parts)


def verdict_text(f: FamilyComparison) -> str:
    """What the verdict is based on: the differences with their configurations, the number of configurations without a
    difference, and of those that were not compared.
    """
    same = sum(row.verdict is Compared.SAME for row in f.looked)
    parts = ["interrupted"] * f.interrupted
    if f.verdict is not Compared.SAME:
        shown = f.looked[f.place]
        worst = next((row for row in (shown, *f.looked) if row.verdict == f.verdict), None)
        if len(f.looked) + len(f.passed) == 1:
            parts += [conclusion(f.shown)] * (f.shown.verdict is not Compared.SAME)
        elif worst is not None:
            parts.append(f"{_headline(worst)} ({label(worst.given)})")
    if same:
        where = f"in {counted(same, 'configuration')}"
        parts.append(f"{'no difference ' * (f.verdict is not Compared.SAME)}{where} ({what_was_compared(f)})")
    left = sum(bool(row.undecided) and not row.proved for row in f.looked)
    if left and len(f.looked) > 1 and f.verdict is not Compared.INCONCLUSIVE:
        parts.append(f"properties not decided in {counted(left, 'configuration')}")
    if f.passed:
        parts.append(_left(f))
    if f.shown.misspelt:
        names = ", ".join(found.subject for found in f.shown.misspelt)
        parts.insert(0, f"{names} {'overrides' if len(f.shown.misspelt) == 1 else 'override'} nothing")
    if f.verdict is Compared.SAME and f.shown.steps_apart:
        parts.append("steps not compared")
    parts += [f"rule {one.rule} is {one.relation} with processes={one.processes}" for one in f.beyond[:1]]
    return "; ".join(parts)
