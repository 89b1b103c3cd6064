"""What `check` adds to a report on request: conditions put to the test, what guards blocked, strictness, a profile; and
how these are printed and stored."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from attrs import asdict, evolve

from checker.check import Examined, Report
from checker.coverage.blocking import GuardPart, guard_parts
from checker.coverage.hollow import Hollow
from checker.coverage.looks import looking_at_nothing
from checker.coverage.lowering import lowerings
from checker.coverage.profile import Profile, profile
from checker.coverage.tested import Tested, about_nothing, tested, untested
from checker.wording import counted

if TYPE_CHECKING:
    from checker.commands.output import Output

LIMITS = ("depth", "states", "seconds", "memory")
TRYING_SECONDS, TRYING_ASKED_SECONDS = 2.0, 20.0


def with_coverage(examined: Examined, strict: bool) -> Report:
    """The report with what is known of conditions (as `with_conditions`), and what each part of a guard blocked in the
    states that were expanded."""
    report, packed, start = with_conditions(examined, strict), examined.explored.packed, time.perf_counter()
    if packed is None:
        return report
    return evolve(
        report, guards=tuple(guard_parts(packed)), seconds={**report.seconds, "guards": time.perf_counter() - start}
    )


def with_conditions(examined: Examined, strict: bool) -> Report:
    """The report with what is known of conditions, if the search was complete.  strict: a verdict "holds" with findings
    becomes "vacuous"."""
    report, packed, start = examined.report, examined.explored.packed, time.perf_counter()
    more: list[Hollow] = []
    if examined.explored.complete and packed is not None:
        conditions = tested(packed)
        broken = {p.name for p in report.properties if p.verdict == "violated"}
        more += (
            f
            for f in untested(examined.definition, packed, conditions, list(report.findings))
            if f.subject not in broken
        )
        more += about_nothing(packed, broken | {f.subject for f in more})
        report = evolve(report, conditions=tuple(conditions))
    more += looking_at_nothing(examined.definition, {f.subject for f in more})
    report = evolve(
        report, findings=(*report.findings, *more), seconds={**report.seconds, "coverage": time.perf_counter() - start}
    )
    return evolve(report, verdict="vacuous") if strict and report.findings and report.verdict == "holds" else report


def with_profile(
    examined: Examined, given: Mapping[str, Any], asked: bool, say: Callable[[str], None] = lambda text: None
) -> Report:
    """The report with a profile, if one was asked for or a limit ended the search; given: the constants set on the
    command line; say: told what is being tried.

    Ctrl-C leaves the profile out, and the report stays what it is.
    """
    report, packed, start = examined.report, examined.explored.packed, time.perf_counter()
    if packed is None or not (asked or report.bound in LIMITS):
        return report
    try:
        worth = lowerings(
            examined.definition, examined.explored, given, TRYING_ASKED_SECONDS if asked else TRYING_SECONDS, say
        )
        say("profile: values of each variable, duplicates of each action")
        found = profile(examined.definition, examined.explored, packed, worth)
    except KeyboardInterrupt:
        return report
    return evolve(report, profile=found, seconds={**report.seconds, "profile": time.perf_counter() - start})


# Text


def print_conditions(conditions: tuple[Tested, ...], output: Output) -> None:
    """One line for each condition: when it was first true."""
    for i, c in enumerate(conditions):
        where = (
            "never"
            if c.steps is None
            else "from the start"
            if c.steps == 0
            else f"first after {counted(c.steps, 'step')}"
        )
        quiescent = " (quiescent states)" if c.kind == "quiescence" else ""
        output.fields(
            ("  tested     " if i == 0 else " " * 13, ""),
            (f"{c.property}{quiescent}: {where}", "yellow" if c.steps is None else ""),
            (f"  {c.condition}", "dim"),
        )


def print_guards(guards: tuple[GuardPart, ...], output: Output) -> None:
    """One line for each part of a guard: how many steps it alone blocked."""
    for i, part in enumerate(guards):
        output.fields(
            ("  guards     " if i == 0 else " " * 13, ""),
            (part.sentence, "" if part.blocked else "yellow"),
            (f"  line {part.line}", "dim"),
        )


def print_profile(found: Profile, output: Output) -> None:
    """A few lines: levels, variables, actions, advice."""
    shown = [f"{n:,}" for n in found.levels]
    shown = shown if len(shown) <= 12 else ["...", *shown[-11:]]
    growth = (
        ""
        if found.growth is None
        else (f"; the last whole level has {found.growth:.2f} times the states of the one before")
    )
    output.line("  levels     " + " ".join(shown) + growth)
    if found.over < sum(found.levels):
        output.line(
            f"  profile    variables and steps are those of the first {counted(found.over, 'state')} of the "
            f"search, explored once more in this process"
        )
    width = max((len(v.name) for v in found.variables), default=0)
    least = "at least " if found.sampled else ""
    for i, v in enumerate(found.variables):
        output.line(
            ("  variables  " if i == 0 else " " * 13)
            + f"{v.name:<{width}}  {least}{counted(v.values, 'value')}, {counted(v.bits, 'bit')}"
        )
    width = max((len(a.name) for a in found.actions), default=0)
    about = "about " if found.sampled else ""
    for i, a in enumerate(found.actions):
        known = "" if a.duplicates is None else f", {about}{a.duplicates:,} to known states"
        output.line(
            ("  steps      " if i == 0 else " " * 13)
            + f"{a.name:<{width}}  {counted(a.transitions, 'transition')}{known}"
        )
    output.fields(("  advice     ", "bold"), (found.advice, ""))


# JSON


def conditions_data(conditions: tuple[Tested, ...]) -> list[dict[str, Any]]:
    """Conditions as JSON data."""
    return [
        {"property": c.property, "kind": c.kind, "condition": c.condition, "first_steps": c.steps} for c in conditions
    ]


def guards_data(guards: tuple[GuardPart, ...]) -> list[dict[str, Any]]:
    """Parts of guards as JSON data."""
    return [
        {"action": g.action, "condition": g.text, "line": g.line, "blocked_alone": g.blocked, "always": g.always}
        for g in guards
    ]


def profile_data(found: Profile) -> dict[str, Any]:
    """A profile as JSON data."""
    return {
        "levels": list(found.levels),
        "growth": found.growth,
        "over": found.over,
        "sampled": found.sampled,
        "variables": [{"name": v.name, "values": v.values, "bits": v.bits} for v in found.variables],
        "actions": [{"name": a.name, "transitions": a.transitions, "duplicates": a.duplicates} for a in found.actions],
        "lowering": [
            {"name": r.name, "old": r.old, "new": r.new, "steps": r.steps, "before": r.before, "after": r.after}
            for r in found.lowering.found
        ],
        "untried": list(found.lowering.untried),
        "endless": None if found.endless is None else asdict(found.endless),
        "advice": found.advice,
    }
