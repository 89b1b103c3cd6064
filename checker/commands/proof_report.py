"""What `checker prove` prints: the statement, what it rests on, and the run that stands against it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from checker.commands.json_output import trace_data
from checker.commands.output import Output
from checker.commands.prove import Proof
from checker.language.constants import written
from checker.wording import counted

STYLES = {"proved": "green", "violated": "bold red"}


def proved(proof: Proof, output: Output, files: Sequence[Path]) -> int:
    """Print a proof, or why there is none; returns the exit code."""
    if output.json_file != "-":
        _print(proof, output, files)
    output.write(_data(proof, files))
    return proof.exit_code


def statement(proof: Proof) -> str:
    """The result in one sentence."""
    names = ", ".join(proof.properties)
    if proof.verdict == "proved":
        good = "every state" if proof.depth == 1 else f"any {proof.depth} states in a row"
        return f"{names}: in every reachable state (initially, and from {good} where it holds to the next)"
    if proof.verdict == "violated":
        return f"{proof.trace.property if proof.trace else names}: in a run of {counted(proof.depth, 'step')}"
    within = f"no violation within {counted(proof.base, 'step')}" if proof.base >= 0 else "nothing was decided"
    if proof.verdict == "bounded":
        return f"{names}: {within}; longer runs were not looked at"
    if proof.verdict == "timeout":
        return f"{names}: the time was over; {within}"
    return f"{names}: {within}, but induction fails up to depth {proof.depth}"


def _print(proof: Proof, output: Output, files: Sequence[Path]) -> None:
    from checker.commands.reports import trace_file
    from checker.report.text import print_report

    output.line(proof.reference, "bold")
    if proof.constants:
        output.line("  constants  " + " ".join(f"{n}={written(v)}" for n, v in proof.constants.items()))
    if proof.validation is not None:
        output.line(
            f"  confirmed  {proof.validation.text('the interpreter agrees with the lowered model')}; the formulas "
            f"in {counted(proof.formulas[0], 'state')}, with all steps in {proof.formulas[1]}"
        )
    output.line(f"  took       {proof.seconds:.2f} s")
    if proof.trace is not None:
        output.line()
        print_report(proof.trace, output.console, trace_file(files))
    for warning in proof.warnings:
        output.fields(("  warning    ", "yellow"), (warning, ""))
    for condition in proof.conditions:
        output.fields(("  only       ", "yellow"), (condition, ""))
    for path in files[:1]:
        output.line(f"  reports    {path.parent}/")
    output.fields(
        (_word(proof), STYLES.get(proof.verdict, "yellow") if proof.exit_code != 4 else "yellow"),
        (f"  {statement(proof)}", ""),
    )


def _word(proof: Proof) -> str:
    return (
        "PROVED UNDER A BOUND"
        if proof.verdict == "proved" and proof.left_out
        else "NOT DECIDED"
        if proof.exit_code == 4
        else proof.verdict.upper()
    )


def _data(proof: Proof, files: Sequence[Path]) -> dict[str, Any]:
    return {
        "reference": proof.reference,
        "constants": dict(proof.constants),
        "properties": list(proof.properties),
        "assumed": list(proof.helpers),
        "verdict": proof.verdict,
        "exit_code": proof.exit_code,
        "depth": proof.depth,
        "no_violation_within": proof.base,
        "conditions": list(proof.conditions),
        "warnings": list(proof.warnings),
        "statement": statement(proof),
        "seconds": round(proof.seconds, 3),
        "validation": None
        if proof.validation is None
        else {**proof.validation.data(), "formulas": {"states": proof.formulas[0], "with_steps": proof.formulas[1]}},
        "trace": None if proof.trace is None else trace_data(proof.trace),
        "files": [str(f) for f in files],
    }
