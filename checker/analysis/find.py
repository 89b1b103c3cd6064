"""`checker find`: a shortest run to a state that satisfies a predicate, or that there is none.

The predicate (checker.analysis.predicate) becomes an invariant that is never to hold, and the search ends at the first
state that breaks it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack

from attrs import frozen

from checker.analysis.check import examine
from checker.analysis.predicate import in_the_words_of, resolved, with_predicate
from checker.engines.request import How
from checker.language.errors import UsageError
from checker.language.model import Model, invariant, quiescent
from checker.results.validated import Validation
from checker.trace.trace import Trace
from checker.wording import counted

METHOD = "never"


@frozen
class Search:
    """What was looked for and found: verdict found, none (everything was explored) or unknown (stopped by `bound`)."""

    reference: str
    predicate: str
    constants: Mapping[str, Any]
    verdict: str
    trace: Trace | None
    distinct: int
    bound: str | None
    validation: Validation | None

    @property
    def exit_code(self) -> int:
        """0 found, 1 there is none, 4 not decided."""
        return {"found": 0, "none": 1, "unknown": 4}[self.verdict]


def find_state(
    cls: type[Model],
    reference: str,
    predicate: str,
    constants: Mapping[str, Any] | None = None,
    *,
    at_end: bool = False,
    **how: Unpack[How],
) -> Search:
    """Look for a state; `at_end`: a quiescent one.  UsageError if the predicate is no expression of the language or
    does not fit the model's types."""
    watched = with_predicate(
        cls, METHOD, f"not ({resolved(cls, predicate, constants)})", quiescent if at_end else invariant
    )
    with in_the_words_of(cls, predicate, constants):
        examined = examine(
            watched, reference, constants, only=[METHOD], traces=False, count_outcomes=False, base=watched, **how
        )
    failures = [f for f in examined.explored.found if f.shown.kind in ("error", "assert")]
    found = next((f for f in examined.explored.found if f.shown.name == METHOD), None)
    report = examined.report
    if found is not None:
        trace = examined.replay.run(found.path(), predicate)
        return Search(reference, predicate, report.constants, "found", trace, report.distinct, None, report.validation)
    if failures:
        raise UsageError(
            f"the search ended at a model error: {failures[0].shown.name}",
            remedy="The predicate may fail itself (none used as a value?); else see `checker check`.",
        )
    return Search(
        reference,
        predicate,
        report.constants,
        "unknown" if report.bound else "none",
        None,
        report.distinct,
        report.bound,
        report.validation,
    )


def print_search(found: Search, output: Any, files: list[Any]) -> int:
    """Print the result, and write its JSON; returns the exit code."""
    from checker.report.data import trace_data
    from checker.report.directory import trace_file
    from checker.report.text import print_report

    if output.json_file != "-":
        if found.trace is not None:
            print_report(found.trace, output.console, trace_file(files))
            for path in files[:1]:
                output.line(f"  reports    {path.parent}/")
        words = {
            "found": (f"in {counted(len(found.trace.steps), 'step')}; no shorter run") if found.trace else "",
            "none": f"all {found.distinct:,} reachable states were looked at",
        }
        ended = "interrupted" if found.bound == "interrupted" else f"stopped by its bound on {found.bound}"
        words["unknown"] = f"not within {counted(found.distinct, 'state')}; the search was {ended}"
        style = {"found": "green", "none": "bold red", "unknown": "yellow"}[found.verdict]
        if found.validation is not None:
            output.line(f"  confirmed  {found.validation.text()}", "dim")
        output.fields((found.verdict.upper(), style), (f"  {found.predicate}: {words[found.verdict]}", ""))
    output.write(
        {
            "reference": found.reference,
            "predicate": found.predicate,
            "constants": dict(found.constants),
            "verdict": found.verdict,
            "exit_code": found.exit_code,
            "distinct": found.distinct,
            "bound": found.bound,
            "validation": None if found.validation is None else found.validation.data(),
            "trace": None if found.trace is None else trace_data(found.trace),
            "files": [str(f) for f in files],
        }
    )
    return found.exit_code
