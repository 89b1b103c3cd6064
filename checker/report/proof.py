"""The output of `checker prove`: the statement, its assumptions, and the run that refutes it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from checker.language.constants import written
from checker.report.data import as_data
from checker.report.directory import trace_file
from checker.report.lines import Line, line
from checker.report.text import report_lines
from checker.report.wording import constants_text
from checker.results.exit_codes import INCONCLUSIVE
from checker.results.proof import Proof
from checker.results.verdict import Proved
from checker.wording import counted

STYLES = {Proved.PROVED: "green", Proved.VIOLATED: "bold red"}


def statement(proof: Proof) -> str:
    """The result in one sentence."""
    names = ", ".join(proof.properties)
    if proof.verdict is Proved.PROVED:
        good = "every state" if proof.depth == 1 else f"any {proof.depth} states in a row"
        induction = f"initially, and from {good} where it holds to the next"
        return f"{names}: in every reachable state with these constants ({induction})"
    if proof.verdict is Proved.VIOLATED:
        return f"{proof.trace.property if proof.trace else names}: in a run of {counted(proof.depth, 'step')}"
    within = f"no violation within {counted(proof.base, 'step')}" if proof.base >= 0 else "nothing was decided"
    if proof.verdict is Proved.BOUNDED:
        return f"{names}: {within}; longer runs were not looked at"
    if proof.verdict is Proved.TIMEOUT:
        return f"{names}: the time was over; {within}"
    return f"{names}: {within}, but induction fails up to depth {proof.depth}"


def suggestions(proof: Proof) -> list[str]:
    """What to do if nothing was decided, the most promising first."""
    if proof.exit_code != INCONCLUSIVE:
        return []
    given = [word for name, value in proof.constants.items() for word in ("-D", f"{name}={written(value)}")]
    found, several = [], len(proof.properties) > 1
    together = proof.verdict is Proved.PROVED  # under a bound, which one alone needs too
    growing = None if proof.seen is None else proof.seen.growing
    if growing is not None:
        unbounded = "a search does not end, and a larger --network is another bound"
        found.append(f"{growing.sentence} As long as it grows {unbounded}")
    if several and not together:
        one = shlex.join(["checker", "prove", proof.reference, *given, "--property", proof.properties[0]])
        found.append(f"one at a time: a property that is proved may help with the next (`{one}`, then --assuming)")
    if proof.verdict is Proved.OPEN:
        found.append(
            "if no run leads to the first state shown: write an invariant that excludes it, prove it, and take it for "
            "granted with --assuming NAME"
        )
    if proof.verdict is Proved.TIMEOUT:
        found.append("smaller constants, or a longer --timeout")
    if proof.verdict is Proved.BOUNDED:
        found.append(f"longer runs: --depth {2 * max(proof.base, 1)}; runs of every length: without --bounded")
    command = shlex.join(["checker", "check", proof.reference, *given])
    if growing is not None:
        return [*found, f"with such a bound `{command}` decides it for these constants by exploring every state"]
    if proof.seen is not None and proof.seen.whole:
        every = f"every state; there are {proof.seen.states:,}"
        return [f"for these constants `{command}` decides it by exploring {every}", *found]
    if proof.left_out:
        found.append("more messages in flight: --network N")
    more = "" if proof.seen is None else f"; there are more than {proof.seen.states:,}"
    return [*found, f"for these constants `{command}` decides it by exploring every state{more}"]


def lines(proof: Proof, files: Sequence[Path]) -> Iterator[Line]:
    """The report of a proof, or of why there is none."""
    yield line(proof.reference, "bold")
    if proof.constants:
        yield line(f"  constants  {constants_text(proof.constants)}")
    if proof.validation is not None:
        states, steps = proof.formulas
        yield line(
            f"  confirmed  {proof.validation.text('the interpreter agrees with the lowered model')}; the formulas "
            f"in {counted(states, 'state')}, with all steps in {steps}"
        )
    if proof.known:
        yield line(f"  known      {'; '.join(proof.known)} (proved first)")
    yield line(f"  took       {proof.seconds:.2f} s")
    if proof.trace is not None:
        yield line()
        yield from report_lines(proof.trace, trace_file(files))
    for warning in proof.warnings:
        yield ("  warning    ", "yellow"), (warning, "")
    for condition in proof.conditions:
        yield ("  only       ", "yellow"), (condition, "")
    if proof.not_looked_at:
        text = f"{', '.join(proof.not_looked_at)}: `checker check {proof.reference}` looks at every property"
        yield ("  not seen   ", "yellow"), (text, "")
    for number, suggestion in enumerate(suggestions(proof)):
        yield (f"  {'' if number else 'next':<11}", "bold"), (suggestion, "")
    for path in files[:1]:
        yield line(f"  reports    {path.parent}/")
    style = "yellow" if proof.exit_code == INCONCLUSIVE else STYLES.get(proof.verdict, "yellow")
    yield (_word(proof), style), (f"  {statement(proof)}", "")


def _word(proof: Proof) -> str:
    if proof.verdict is Proved.PROVED and proof.left_out:
        return "PROVED UNDER A BOUND"
    return "NOT DECIDED" if proof.exit_code == INCONCLUSIVE else proof.verdict.upper()


def data(proof: Proof, files: Sequence[Path]) -> dict[str, Any]:
    """A proof as JSON data."""
    validation = as_data(proof.validation)
    if validation is not None:
        validation["formulas"] = {"states": proof.formulas[0], "with_steps": proof.formulas[1]}
    return {
        **as_data(proof, "reference constants properties assumed=helpers verdict exit_code depth"),
        **as_data(proof, "no_violation_within=base conditions known warnings not_looked_at"),
        "statement": statement(proof),
        "suggestions": suggestions(proof),
        **as_data(proof, "seconds:3"),
        "validation": validation,
        "trace": as_data(proof.trace),
        "files": as_data(files),
    }
