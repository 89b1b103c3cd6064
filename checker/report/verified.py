"""Verified expectations as text: one line for each, the differences, and a summary of all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from attrs import frozen

from checker.report.data import Files, as_data
from checker.report.due import due_text
from checker.report.lines import Line, line
from checker.report.phrases import call_text
from checker.report.wording import former_line, reasons, witness
from checker.results.checked import FAILED_AS, Report
from checker.results.exit_codes import HOLDS, INCONCLUSIVE, USAGE, VACUOUS, worst
from checker.results.parts import Part
from checker.results.removed import Removed
from checker.results.review import unexpected
from checker.results.validated import Validation, together
from checker.results.verified import Unread, Verified, said_once, unmet
from checker.trace.trace import Step
from checker.wording import counted, listed

NAMED = 10
HEADS = {
    HOLDS: ("as expected  ", "green"),
    VACUOUS: ("VACUOUS      ", "yellow"),
    INCONCLUSIVE: ("UNDECIDED    ", "yellow"),
}


def verified_lines(result: Verified, files: Files, changed: Sequence[Part] = ()) -> Iterator[Line]:
    """One expectation and whether it is met.  changed: the parts of the source that a change touches."""
    of = " of a reduced graph" if result.report and result.report.reduced else ""
    counts = f"  {counted(result.report.distinct, 'state')}{of}, {result.seconds:.1f} s" if result.report else ""
    head = HEADS.get(result.exit_code, ("DIFFERS      ", "bold red"))
    yield head, (result.case.label, "bold"), (f"  {claim_found(result)}", ""), (counts, "dim")
    yield from (line(f"    {text}", "red") for text in result.mismatches)
    if text := why(result, changed):
        yield line(f"    {text}")
    yield from (line(f"    {text}", "yellow") for text in said_once(result.undecided))
    yield from (((f"    {f.text}", ""), (f"  [{f.kind}]", "dim")) for f in result.hollow)
    for paths in files.values():
        pictures = [p for suffix in (".svg", ".dot") for p in paths if p.suffix == suffix]
        yield from (line(f"    {picture}", "dim") for picture in pictures[:1])


def why(result: Verified, changed: Sequence[Part] = ()) -> str:
    """Why an expectation is not met, in one line: the changed parts that matter; if a run shows it, the deciding step
    with its rule and line, and how the property fails.  With several mismatches it names the property first.
    """
    run = unexpected(result)
    told = [due_text(result, changed)] if result.mismatches and result.report is not None else []
    if run is None:
        return "".join(told)
    reason = reasons(run)[:1] or [former_line(run), *([_last(run.steps[-1])] if run.steps else [])]
    of = f"{run.property}: " if len(result.mismatches) > 1 else ""
    return of + "; ".join(filter(None, [*told, *reason, witness(run).rstrip(".")]))


def _last(step: Step) -> str:
    where = f" ({step.source[0]}:{step.source[1]})" if step.source else ""
    return f"last step {call_text(step)}{where}"


def unread_lines(unread: Unread) -> Iterator[Line]:
    """A model that cannot be read, and why."""
    yield ("ERROR        ", "bold red"), (unread.reference, "bold")
    yield from (line(f"    {text}", "red") for text in str(unread.error).splitlines())


def claim_found(result: Verified) -> str:
    """The expectation; if it is not met, together with the actual result."""
    expected, report = result.case.expectation.violated, result.report
    if result.exit_code == INCONCLUSIVE:
        return f"expected {result.case.claim}, not decided"
    if not result.mismatches:
        return result.case.claim
    if report is None:
        return f"expected {result.case.claim}, found {'internal error' if result.internal else 'wrong as written'}"
    broken = [p for p in report.properties if p.verdict.refuted]
    if {p.name for p in broken} == set(expected):  # a number differs, or the verdict is vacuous: said below
        return f"{result.case.claim}, but not as stated"
    failed = list(dict.fromkeys(FAILED_AS[p.kind] for p in broken if p.kind in FAILED_AS))
    names = [p.name for p in broken if p.kind not in FAILED_AS]
    violated = [f"violates {', '.join(names)}" if expected else "violated"] * bool(names)
    return f"expected {result.case.claim}, found {' and '.join([*violated, *failed]) or report.verdict}"


@frozen
class Summary:
    """The results of all expectations.  without: references of models that state none; left: expectations that were not
    verified because of Ctrl-C; unread: models whose expectations are not known; passed: files that define no model;
    lost: classes whose expectation a change has removed or weakened, unless that is allowed (--allow-removed).
    """

    results: Sequence[Verified]
    without: Sequence[str]
    left: int = 0
    unread: Sequence[Unread] = ()
    passed: Sequence[str] = ()
    lost: Sequence[Removed] = ()

    @property
    def exit_code(self) -> int:
        """The worst of all."""
        others = *[INCONCLUSIVE] * (self.left > 0), *[USAGE] * bool(self.unread), *[VACUOUS] * bool(self.lost)
        return worst((*(r.exit_code for r in self.results), *others))

    def _counts(self) -> tuple[int, int, int]:
        """How many failed, are not decided, are met by a vacuous verdict."""
        return unmet(self.results)

    def lines(self) -> Iterator[Line]:
        """The summary as text."""
        failed, undecided, hollow = self._counts()
        said = counted(len(self.results), "expectation")
        kinds = ((failed, "not met"), (undecided, "not decided"), (hollow, "met only vacuously"))
        if wrong := ", ".join(f"{number} {what}" for number, what in kinds if number):
            yield line(f"{said}, {wrong}", "bold red" if failed else "bold yellow")
        elif self.results and self.left:
            whole = counted(len(self.results) + self.left, "expectation")
            yield line(f"{len(self.results)} of {whole} met, {self.left} not reached", "bold yellow")
        elif self.results:
            read = " of the models that could be read" if self.unread else ""
            yield line(f"{'all ' * (len(self.results) > 1)}{said}{read} met", "bold green")
        elif not self.unread and not self.left:
            yield line("no expectation to check", "bold yellow" if self.lost else "bold green")
        if self.unread:
            yield line(f"{counted(len(self.unread), 'model')} not read", "bold red")
        if gone := [str(one) for one in self.lost if not one.what]:
            yield line(
                f"nothing is expected any more of {listed(gone, NAMED)} (--allow-removed accepts that)", "bold yellow"
            )
        if weaker := [str(one) for one in self.lost if one.what]:
            yield line("less is expected than before (--allow-removed accepts that):", "bold yellow")
            yield from (line(f"    {text}", "yellow") for text in weaker)
        if (validation := self._validation) is not None:
            yield line(validation.text(), "dim")
        if (reduced := self._reduced()) is not None:
            yield line(reduced, "dim")
        if idle := self._idle():
            number = counted(len(idle), "action")
            yield line(f"{number} never enabled in any expectation of the model: {listed(idle, NAMED)}", "yellow")
        if self.left:
            yield line(f"interrupted: {counted(self.left, 'expectation')} not reached", "bold yellow")
        if self.without:
            yield line(f"{len(self.without)} without an expectation: {listed(self.without, NAMED)}", "dim")
        if self.passed:
            yield line(f"passed over, since no model is defined: {listed(self.passed, NAMED)}", "dim")

    def _idle(self) -> list[str]:
        """The actions that no expectation of their model enables.  Where a search saw only a part of the graph, nothing
        is claimed of its model.
        """
        reports: dict[str, list[Report | None]] = {}
        for result in self.results:
            reports.setdefault(result.case.reference, []).append(result.report)
        found = []
        for reference, several in reports.items():
            whole = [r for r in several if r is not None and r.complete and not r.reduced]
            if len(whole) == len(several):
                taken = {a.name for r in whole for a in r.actions if a.fired}
                never = dict.fromkeys(a.name for r in whole for a in r.actions if a.name not in taken)
                found += [f"{name} ({reference})" for name in never]
        return found

    def _reduced(self) -> str | None:
        """How many searches were reduced and how many were not, and why; None without a request for it."""
        number = sum(r.report is not None and bool(r.report.reduced) for r in self.results)
        reasons = Counter(r.in_full for r in self.results if r.in_full)
        if not number and not reasons:
            return None
        why = "".join(f"; {many} in full, since {reason}" for reason, many in reasons.items())
        return f"{counted(number, 'expectation')} in a reduced graph{why}"

    def data(self, results: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """The summary as data, with the data of each expectation."""
        failed, undecided, hollow = self._counts()
        return {
            "results": list(results),
            "met": not failed and not undecided and not self.left and not self.unread and not self.lost,
            "undecided": undecided,
            "not_reached": self.left,
            "hollow": hollow,
            "unread": [
                {"reference": u.reference, "message": str(u.error), "file": u.error.file, "line": u.error.line}
                for u in self.unread
            ],
            "removed": [{"name": one.name, "file": one.file, "what": one.what} for one in self.lost],
            "without_expectation": list(self.without),
            "without_model": list(self.passed),
            "validation": as_data(self._validation),
            "exit_code": self.exit_code,
        }

    @property
    def _validation(self) -> Validation | None:
        return together(None if r.report is None else r.report.validation for r in self.results)
