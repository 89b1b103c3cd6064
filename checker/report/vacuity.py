"""What a check tells on request as text: conditions of properties, what guards blocked, what
actions read that their process cannot know, a profile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from checker.report.lines import Line, labelled, line
from checker.report.tables import aligned
from checker.results.locality import Distant
from checker.results.profile import Profile
from checker.results.vacuity import GuardPart, Tested
from checker.wording import counted


def condition_lines(conditions: Sequence[Tested]) -> Iterator[Line]:
    """One line for each condition: when it was first true."""
    yield from labelled("tested", map(_condition, conditions))


def _condition(c: Tested) -> Line:
    where = "never" if c.first_steps is None else "from the start"
    if c.first_steps:
        where = f"first after {counted(c.first_steps, 'step')}"
    quiescent = " (quiescent states)" if c.kind == "quiescence" else ""
    style = "yellow" if c.first_steps is None else ""
    return (f"{c.property}{quiescent}: {where}", style), (f"  {c.condition}", "dim")


def guard_lines(guards: Sequence[GuardPart]) -> Iterator[Line]:
    """One line for each part of a guard: how many steps it alone blocked."""
    yield from labelled(
        "guards", (((g.sentence, "" if g.blocked_alone else "yellow"), (f"  line {g.line}", "dim")) for g in guards)
    )


def locality_lines(found: Sequence[Distant]) -> Iterator[Line]:
    """One line for each place that reads or changes what its process cannot know."""
    known = "every action reads and changes only what its process knows"
    lines: list[Line] = [((d.sentence, ""), (f"  {d.file}:{', '.join(map(str, d.lines))}", "dim")) for d in found]
    yield from labelled("locality", lines or [((known, ""),)])


def profile_lines(found: Profile) -> Iterator[Line]:
    """A few lines: levels, variables, actions, advice."""
    shown = [f"{n:,}" for n in found.levels]
    shown = shown if len(shown) <= 12 else ["...", *shown[-11:]]
    growth = ""
    if found.growth is not None:
        growth = f"; the last whole level has {found.growth:.2f} times the states of the one before"
    yield line("  levels     " + " ".join(shown) + growth)
    if found.over < sum(found.levels):
        states = f"the first {counted(found.over, 'state')} of the search, explored once more in this process"
        yield line(f"  profile    variables and steps are those of {states}")
    least, about = ("at least ", "about ") if found.sampled else ("", "")
    variables = [(v.name, f"{least}{counted(v.values, 'value')}, {counted(v.bits, 'bit')}") for v in found.variables]
    known = ["" if a.duplicates is None else f", {about}{a.duplicates:,} to known states" for a in found.actions]
    steps = [(a.name, counted(a.transitions, "transition") + text) for a, text in zip(found.actions, known)]
    yield from labelled("variables", map(line, aligned(variables)))
    yield from labelled("steps", map(line, aligned(steps)))
    yield ("  advice     ", "bold"), (found.advice, "")
