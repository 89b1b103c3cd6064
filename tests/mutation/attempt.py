"""A mutant against the tests: cases of the enumeration first, then the tests that execute its line, its function, its
file."""

from __future__ import annotations

from pathlib import Path

from attrs import field, frozen

from tests.mutation import enumerated
from tests.mutation.covered import Covering, order
from tests.mutation.forked import forked
from tests.mutation.mutants import ROOT, Mutant, tree
from tests.mutation.overlay import lay
from tests.mutation.results import ANSWERED, KILLED, SURVIVED, TIME, Answer, Result
from tests.mutation.suites import first_failure

LANGUAGE = ("frontend", "ir", "evaluator")
"""Packages that the enumeration of the language executes."""
FIRST = 3.0
"""Seconds of recorded time of the tests that are run first; the others are collected only if these pass."""
ALLOWED = 12.0
"""Seconds of the processor beyond three times what the tests took when they were recorded: a mutant that needs more
does not end."""

CONTROL = 600.0


@frozen
class Tests:
    """What mutants are tried against."""

    cases: enumerated.Cases = field(repr=False)
    enumerated: dict[str, list[Covering]] = field(repr=False)
    suite: list[Covering] = field(repr=False)
    seconds: float = 25.0
    """Of recorded time: of the tests that a mutant meets."""


def attempt(mutant: Mutant, tests: Tests, answers: list[Answer]) -> Result:
    """Try a mutant."""
    cases = (
        enumerated.chosen(tests.enumerated, mutant.file, mutant.line, mutant.span, mutant.name)
        if mutant.package in LANGUAGE
        else {}
    )
    first, then = _stages(order(tests.suite, mutant.file, mutant.line, mutant.span), tests.seconds)
    changed = tree(mutant)

    def work(place: Path) -> str:
        lay(mutant.module, ROOT / mutant.file, changed)
        noticed = enumerated.first_difference(tests.cases, cases) if cases else ""
        for stage, names in enumerate((first, then)):
            noticed = noticed or (first_failure(names, place / f"pytest{stage}") if names else "")
        return f"noticed {noticed}" if noticed else "passed"

    allowed = ALLOWED + 3 * sum(c.seconds for c in tests.suite if c.name in {*first, *then})
    ended = forked(work, allowed)
    verdict, noticed = _verdict(ended.answer, ended.reason)
    if verdict == SURVIVED:
        noticed = f"{len(cases)} cases and {len(first) + len(then)} tests passed"
        if any(a.fits(mutant) for a in answers):
            verdict = ANSWERED
    return Result(mutant.name, mutant.package, mutant.operator, verdict, noticed, ended.seconds)


def control(found: list[Result], tests: Tests) -> str:
    """Run what noticed mutants on the unchanged program: what fails there notices nothing.  Returns the first failure,
    or nothing."""
    noticed = [r.noticed for r in found if r.verdict == KILLED]
    cases = {int(n.split(" ")[1]) for n in noticed if n.startswith("enumeration ")}
    verdicts = {
        int(c.name): verdict for verdict, those in tests.enumerated.items() for c in those if int(c.name) in cases
    }
    names = [c.name for c in tests.suite if c.name in set(noticed)]

    def work(place: Path) -> str:
        failed = enumerated.first_difference(tests.cases, verdicts) or (
            first_failure(names, place / "pytest") if names else ""
        )
        return failed or "passed"

    ended = forked(work, CONTROL)
    return "" if ended.answer == "passed" else ended.answer or ended.reason


def _stages(ordered: list[Covering], most: float) -> tuple[list[str], list[str]]:
    stages: tuple[list[str], list[str]] = ([], [])
    total = 0.0
    for c in ordered:
        total += c.seconds
        if total <= FIRST or not stages[0]:
            stages[0].append(c.name)
        elif total <= most:
            stages[1].append(c.name)
    return stages


def _verdict(answer: str | None, reason: str) -> tuple[str, str]:
    if answer is None:
        return (TIME, "time limit") if reason == "time" else (KILLED, reason)
    if answer == "passed":
        return SURVIVED, ""
    if answer.startswith("failed"):
        return KILLED, answer.strip().split("\n")[-1]
    return KILLED, answer.removeprefix("noticed ")
