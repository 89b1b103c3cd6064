"""The first screen of a comparison: the answer in as many lines as a terminal has, wrapped to its width.

The least important lines are left out where there is no room; a line names the option that shows them.  If the output
is no terminal, nothing is wrapped or left out.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from checker.report.compare.configurations import beyond, differing, not_looked_at, unchanged, verdict_text
from checker.report.compare.summary import breaking, summary
from checker.report.compare.text import VERDICTS, WORDS
from checker.report.lines import Line, line
from checker.report.wording import constants_text, took_text
from checker.results.comparison import PropertyChange
from checker.results.configurations import FamilyComparison
from checker.results.verdict import Compared

HEIGHT = 23  # of the lines of a terminal; the prompt stands on the next
INDENT = 13
MORE = "--all prints the whole report: source, rules, outcomes, costs, runs"
LONGEST = {
    "now": 3,
    "before": 3,
    "because": 3,
    "took": 1,
}  # lines of an entry; of steps, where they are what is found, as many
LONG = 2  # of any other
FIRST_LEFT_OUT = ("confirmed", "constants", "cost", "so also", "one side", "same at", "open", "not seen", "took")
"""What is left out to make room, in this order; the rest is cut from the end."""
Entry = tuple[str, str, str]  # key, text, style


def first_screen(
    f: FamilyComparison, width: int | None = None, height: int = HEIGHT, everything: bool = False
) -> Iterator[Line]:
    """The lines.  width: of the terminal, None where there is none; everything: nothing is left out."""
    height = 1_000_000 if everything else height
    c = f.shown
    heading = _heading(c.before, c.after, width)
    verdict = _verdict(f, width)
    longest = {**LONGEST, "steps": 5} if c.verdict is Compared.CHANGED else LONGEST
    entries = _in_lines(_entries(f), width, longest, everything)
    if width is not None:
        room = height - len(heading) - len(verdict) - 1
        while sum(len(lines) for _, lines in entries) > room and len(entries) > 1:
            entries.pop(_least(entries))
    yield from heading
    yield from _keyed(entries)
    if width is not None and not everything:
        yield line(f"  {'more':<11}{_wrapped(MORE, width - INDENT, 1)[0]}", "dim")
    yield from verdict


def first_lines(
    labels: tuple[str, str],
    broken: Sequence[PropertyChange],
    given: Mapping[str, Any],
    reduced: bool,
    width: int | None,
    everything: bool,
) -> Iterator[Line]:
    """The lines of the first screen that are known as soon as a property is found broken, as on the screen.  labels: of
    base and edit; given: the constants.
    """
    yield from _heading(*labels, width)
    yield from _keyed(_in_lines(breaking(broken, given, reduced), width, LONGEST, everything))


def _heading(before: str, after: str, width: int | None) -> list[Line]:
    return [line(text, "bold underline") for text in _wrapped(f"{before} against {after}", width, 2)]


def _in_lines(
    entries: Iterable[Entry], width: int | None, longest: Mapping[str, int], everything: bool
) -> list[tuple[Entry, list[str]]]:
    room = width and width - INDENT
    return [(e, _wrapped(e[1], room, 1000 if everything else longest.get(e[0], LONG))) for e in entries]


def _keyed(entries: Iterable[tuple[Entry, list[str]]]) -> Iterator[Line]:
    last = None
    for (key, _, style), texts in entries:
        for number, text in enumerate(texts):
            yield (f"  {key if number == 0 and key != last else '':<11}", "bold"), (text, style)
        last = key


def _entries(f: FamilyComparison) -> Iterator[Entry]:
    c = f.shown
    misspelt = {f.text for f in c.misspelt}
    for warning in c.warnings:
        if warning not in c.of_both:
            yield "warning", warning, "bold yellow" if any(text in warning for text in misspelt) else "yellow"
    yield from summary(c)
    yield from (("warning", warning, "yellow") for warning in c.of_both)
    yield "constants", constants_text(c.constants) or "none", "dim"
    if f.validation is not None:
        yield "confirmed", f.validation.text(), "dim"
    if len(f.looked) + len(f.passed) > 1:
        for where, what, verdict in differing(f):
            yield "at", f"{where}: {what}", VERDICTS[verdict]
        if same := unchanged(f):
            yield "same at", same, ""
    yield from (("beyond", text, "yellow" if f.beyond else "") for text in beyond(f))
    if passed := not_looked_at(f):
        yield "not seen", f"not looked at: {passed}", "yellow"
    if f.seconds:
        yield "took", took_text(f.seconds, f.peak_memory), "dim"


def _least(entries: list[tuple[Entry, list[str]]]) -> int:
    """The place of the line to leave out next: among several of one kind the last."""
    keys = [entry[0] for entry, _ in entries]
    for key in FIRST_LEFT_OUT:
        if key in keys:
            return len(keys) - 1 - keys[::-1].index(key)
    several = [i for i, key in enumerate(keys) if key in ("at", "warning") and keys.count(key) > 1]
    return several[-1] if several else len(entries) - 1


def _verdict(f: FamilyComparison, width: int | None) -> list[Line]:
    word, style = WORDS[f.verdict], VERDICTS[f.verdict]
    if f.shown.misspelt and f.verdict is Compared.SAME:
        style = "bold yellow"
    first, *rest = _wrapped(f"{word}  {verdict_text(f)}", width, 3)
    return [((word, style), (first.removeprefix(word), "")), *map(line, rest)]


def _wrapped(text: str, width: int | None, most: int) -> list[str]:
    """The text in lines of this width, at most the given number of them."""
    if width is None:
        return [text]
    return textwrap.wrap(text, max(width, 20), max_lines=most, placeholder=" ...") or [""]
