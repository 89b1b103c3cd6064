"""What the command line prints: results as text on standard output, or as JSON; progress on standard error.

With `--json -` nothing but JSON stands on standard output.  Progress is shown where standard error is a terminal and no
JSON is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import define, field

from checker.language.errors import UsageError
from checker.results.exit_codes import HOLDS, INCONCLUSIVE, USAGE, VACUOUS, VIOLATED, worst
from checker.wording import counted

if TYPE_CHECKING:
    from rich.console import Console

    from checker.analysis.check import PropertyReport, Report
    from checker.analysis.listing import ModelListing
    from checker.analysis.stored_trace import Replayed
    from checker.analysis.verify import Verified
    from checker.catalogue import Entry
    from checker.cli.gallery import Changes
    from checker.report.data import Files
    from checker.results.validated import Validation
    from checker.trace.trace import Trace

STYLES = {
    "holds": "green",
    "reachable": "green",
    "violated": "bold red",
    "unreachable": "bold red",
    "unknown": "yellow",
    "inconclusive": "yellow",
    "vacuous": "yellow",
}
VERIFIED = {
    HOLDS: ("as expected  ", "green"),
    VACUOUS: ("HOLLOW       ", "yellow"),
    INCONCLUSIVE: ("UNDECIDED    ", "yellow"),
}


def merged(report: Report) -> str:
    """What is said of a count of states that stand for others too."""
    return " up to symmetry" if report.merged else ""


@define
class Output:
    """Prints the results of one command, and gathers them for its JSON file.  silent: something else than text goes to
    standard output."""

    json_file: str | None = None
    silent: bool = False
    codes: list[int] = field(factory=list)
    _data: list[dict[str, Any]] = field(factory=list)
    _validations: list[Validation | None] = field(factory=list)
    _console: Any = None

    @property
    def quiet(self) -> bool:
        """Whether standard output is for something else than text."""
        return self.silent or self.json_file == "-"

    @property
    def console(self) -> Console:
        """Standard output; silent where JSON goes there.  Lines are never wrapped."""
        if self._console is None:
            from rich.console import Console

            self._console = Console(highlight=False, soft_wrap=True, quiet=self.quiet)
        return self._console  # type: ignore[no-any-return]

    def line(self, text: str = "", style: str = "") -> None:
        """One line of plain text in one style."""
        from rich.text import Text

        self.console.print(Text(text, style=style))

    def fields(self, *parts: tuple[str, str]) -> None:
        """One line of pieces (text, style)."""
        from rich.text import Text

        self.console.print(Text.assemble(*parts))

    @contextmanager
    def progress(self, what: str) -> Iterator[Any]:
        """A progress callback for one search."""
        from checker.search.progress import TerminalProgress

        with TerminalProgress() if self.json_file is None else TerminalProgress(enabled=False) as callback:
            yield callback

    def write(self, data: Any) -> None:
        """Write the JSON file, if one is asked for."""
        if self.json_file is not None:
            from checker.report.data import write

            write(self.json_file, data)

    # check

    def others(self, entry: Entry, others: Sequence[Entry]) -> None:
        """Say which models of a file are not checked, since the file alone was named."""
        if others:
            self.line(
                f"{entry.reference} also has {', '.join(e.cls.__name__ for e in others)}: checker check "
                f"{others[0].reference}",
                "yellow",
            )

    def checked(self, report: Report, files: Files) -> None:
        """Print one check."""
        from checker.report.data import report_data

        self.codes.append(report.exit_code)
        if self.json_file is not None:
            self._data.append(report_data(report, files))
        if self.quiet:
            return
        self._head(report)
        for found in report.properties:
            self._property(found)
        self._actions(report)
        self._on_request(report)
        for finding in report.findings:
            self.fields(("  warning    ", "yellow"), (finding.text, ""), (f"  [{finding.kind}]", "dim"))
        for found in report.properties:
            if found.trace is not None and found.verdict != "reachable":
                from checker.report.directory import trace_file
                from checker.report.text import print_report

                self.line()
                print_report(found.trace, self.console, trace_file(files.get(found.name, ())))
                if found.kind == "quiescence" or found.kind == "leads-to" and found.trace.loop is None:
                    self._why_nothing(found.trace)
        self._verdict(report, files)

    def _why_nothing(self, trace: Trace) -> None:
        from checker.analysis.explain import why_nothing

        self.line("\nwhy nothing more can happen")
        for text in why_nothing(trace):
            self.line(f"  {text}")

    def _head(self, report: Report) -> None:
        from checker.language.constants import written

        self.fields((report.reference, "bold"), (f"  {report.doc}" if report.doc else "", ""))
        if report.constants:
            self.line("  constants  " + " ".join(f"{n}={written(v)}" for n, v in report.constants.items()))
        counts = (
            f"{counted(report.distinct, 'state')}{merged(report)}, {counted(report.transitions, 'transition')}, "
            f"{counted(report.depth, 'level')}; {report.initial:,} initial, {report.quiescent:,} quiescent"
        )
        counts += f", {report.cut:,} cut by a constraint" if report.cut else ""
        counts += f", {counted(report.outcomes, 'outcome')}" if report.outcomes is not None else ""
        self.line(f"  explored   {counts}")
        if report.validation is not None:
            self.line(f"  confirmed  {report.validation.text()}")
        phases = ", ".join(f"{n} {s:.2f} s" for n, s in report.seconds.items() if s >= 0.005)
        self.line(
            f"  took       {sum(report.seconds.values()):.2f} s"
            + (f" ({phases})" if phases else "")
            + f", {report.peak_memory / 2**20:,.0f} MB"
        )

    def _property(self, found: PropertyReport) -> None:
        verdict = found.verdict.upper() if found.verdict in ("violated", "unreachable") else found.verdict
        steps = f", {counted(found.steps, 'step')}" if found.steps is not None else ""
        reason = f"  {found.reason}" if found.reason else ""
        self.fields(
            (f"  {verdict:<10} ", STYLES.get(found.verdict, "")),
            (found.name, ""),
            (f"  ({found.kind}{steps})", "dim"),
            (reason, "yellow"),
        )

    def _actions(self, report: Report) -> None:
        width = max((len(a.name) for a in report.actions), default=0)
        for i, a in enumerate(report.actions):
            first = f"first at level {a.first_level}" if a.first_level is not None else "never taken"
            style = "yellow" if a.fired == 0 else ""
            self.fields(
                ("  actions    " if i == 0 else " " * 13, ""),
                (
                    f"{a.name:<{width}}  enabled in {counted(a.enabled, 'state')}, taken {counted(a.fired, 'time')}, {first}",  # noqa: E501
                    style,
                ),
            )

    def _on_request(self, report: Report) -> None:
        if report.conditions is not None:
            from checker.report.vacuity import print_conditions

            print_conditions(report.conditions, self)
        if report.guards is not None:
            from checker.report.vacuity import print_guards

            print_guards(report.guards, self)
        if report.profile is not None:
            from checker.report.vacuity import print_profile

            print_profile(report.profile, self)

    def _verdict(self, report: Report, files: Files) -> None:
        for name, paths in files.items():
            if paths:
                self.line(f"  reports    {name}: {paths[0].parent}/  ({', '.join(p.name for p in paths)})")
        self.fields((report.verdict.upper(), STYLES.get(report.verdict, "")), (f"  {self._why(report)}", ""))

    def _why(self, report: Report) -> str:
        from checker.analysis.check import stopped

        broken = [p for p in report.properties if p.verdict in ("violated", "unreachable")]
        if broken:
            texts = [
                f"{p.name}" + (f" in {counted(p.steps, 'step')}" if p.steps is not None else " is reached nowhere")
                for p in broken
            ]
            return ", ".join(texts) + self._left_open(report)
        if report.verdict == "inconclusive" and report.bound:
            return f"{stopped(report.bound)}; {report.coverage}"
        if report.verdict == "inconclusive":
            return "; ".join(f"{p.name}: {p.reason}" for p in report.properties if p.reason)
        if report.verdict == "vacuous":
            return (
                (f"nothing is violated, but: {', '.join(f'{f.kind} {f.subject}' for f in report.findings)}")
                if report.distinct
                else "; ".join(report.warnings)
            )
        cut = " within the model's constraints" if report.cut else ""
        return f"everything reachable{cut} was explored: {counted(report.distinct, 'state')}{merged(report)}"

    def _left_open(self, report: Report) -> str:
        """What a violation does not say: what ended the search, and what it did not decide."""
        from checker.analysis.check import FIRST_ENDED, stopped

        unknown = [p for p in report.properties if p.verdict == "unknown"]
        names = (
            (f"{', '.join(p.name for p in unknown)} {'was' if len(unknown) == 1 else 'were'} not decided")
            if unknown
            else ""
        )
        if report.bound:
            return f"; {stopped(report.bound)}, {report.coverage}" + (f": {names}" if names else "")
        if any(p.reason == FIRST_ENDED for p in unknown):
            return f"; {FIRST_ENDED}: {names}, --all decides the rest"
        return f"; {names}" if names else ""

    def finish(self, code: int) -> int:
        """Write the JSON of all checks (or traces); returns the exit code."""
        self.write(self._data[0] if len(self._data) == 1 else {"reports": self._data, "exit_code": code})
        return code

    # list

    def listed(self, models: Sequence[ModelListing], problems: Sequence[UsageError], detailed: bool) -> int:
        """Print the models."""
        from checker.report.data import error_data, listing_data

        for model in models:
            self._model(model, detailed)
        for problem in problems:
            self.fields(("not readable ", "bold red"), (str(problem), ""))
        self.write(
            {"models": [listing_data(m) for m in models], "problems": [error_data(p)["error"] for p in problems]}
        )
        return USAGE if problems else HOLDS

    def _model(self, model: ModelListing, detailed: bool) -> None:
        from checker.language.constants import written

        self.fields((model.reference, "bold"), (f"  {model.summary}", ""))
        if detailed:
            self.line(f"  file        {model.file}")
            for c in model.constants:
                choices = f" (one of {', '.join(map(written, c.choices))})" if c.choices else ""
                self.line(f"  constant    {c.name}={written(c.default)}  {c.meaning}{choices}")
            for name, kind in model.properties:
                self.line(f"  property    {name}  ({kind})")
        else:
            self.line(
                "  constants   " + (" ".join(f"{c.name}={written(c.default)}" for c in model.constants) or "none")
            )
            self.line("  properties  " + (", ".join(name for name, _ in model.properties) or "none"))
        for edit in model.edits:
            self.fields(
                (f"  {'edit' if edit.edit_of else 'model'}        "[:14], ""),
                (edit.reference, "bold"),
                (f"  {edit.summary.removeprefix('EDIT:').strip()}", ""),
            )

    # outcomes, show, replay

    def outcomes(self, reference: str, found: Sequence[dict[str, Any]], validation: Validation | None) -> int:
        """Print the outcomes."""
        from checker.report.data import plain_data
        from checker.trace.values import show as text

        for number, outcome in enumerate(found, 1):
            self.line(f"{number:>{len(str(len(found)))}}  " + "  ".join(f"{n}: {text(v)}" for n, v in outcome.items()))
        if validation is not None:
            self.line(validation.text(), "dim")
        self.line(f"{counted(len(found), 'outcome')} of {reference}", "bold")
        self.write(
            {
                "reference": reference,
                "outcomes": [{n: plain_data(v) for n, v in o.items()} for o in found],
                "count": len(found),
                "validation": None if validation is None else validation.data(),
            }
        )
        return HOLDS

    def shown(self, trace: Trace, file: str, files: Sequence[Path]) -> None:
        """Print a trace stored in a file."""
        from checker.report.data import trace_data
        from checker.report.text import print_report

        if self.json_file != "-":
            print_report(trace, self.console, file)
        for path in files:
            self.line(f"  wrote {path}")
        self.codes.append(HOLDS)
        self._data.append(trace_data(trace))

    def replayed(self, trace: Trace, result: Replayed) -> None:
        """Print whether a stored trace is still what it was."""
        what = f"{trace.property or trace.kind} of {trace.reference or trace.model}"
        if result.confirmed:
            self.fields(
                ("CONFIRMED", "green"),
                (f"  {what}: {counted(len(trace.steps), 'step')}, executed again by the interpreter", ""),
            )
        else:
            place = "at the start" if result.step == 0 else f"at step {result.step}"
            self.fields(("DIFFERS", "bold red"), (f"  {what}: {place}, {result.reason}", ""))
            for text in result.differences:
                self.line(f"  {text}")
        data = {
            "confirmed": result.confirmed,
            "step": result.step,
            "reason": result.reason,
            "differences": list(result.differences),
        }
        self.codes.append(HOLDS if result.confirmed else VIOLATED)
        self._data.append(
            {
                "reference": trace.reference or trace.model,
                "property": trace.property,
                **data,
                "exit_code": self.codes[-1],
            }
        )

    # verify, bench

    def verified(self, result: Verified, files: Files) -> None:
        """Print one expectation and whether it is met."""
        from checker.report.data import verified_data

        self.codes.append(result.exit_code)
        self._data.append(verified_data(result, files))
        self._validations.append(None if result.report is None else result.report.validation)
        counts = f"  {counted(result.report.distinct, 'state')}, {result.seconds:.1f} s" if result.report else ""
        self.fields(
            VERIFIED.get(result.exit_code, ("DIFFERS      ", "bold red")),
            (result.case.label, "bold"),
            (f"  {result.case.claim}", ""),
            (counts, "dim"),
        )
        for text in result.mismatches:
            self.line(f"    {text}", "red")
        for text in result.undecided:
            self.line(f"    {text}", "yellow")
        for finding in result.hollow:
            self.fields((f"    {finding.text}", ""), (f"  [{finding.kind}]", "dim"))
        for paths in files.values():
            pictures = [p for suffix in (".svg", ".dot") for p in paths if p.suffix == suffix]
            if pictures:
                self.line(f"    {pictures[0]}", "dim")

    def finish_verify(self, without: Sequence[str], left: int = 0) -> int:
        """Print the summary of a verification; returns the exit code.  left: expectations that Ctrl-C kept from being
        looked at."""
        from checker.results.validated import together

        validation = together(self._validations)
        code = worst((*self.codes, *[INCONCLUSIVE] * (left > 0)))
        hollow, undecided = self.codes.count(VACUOUS), self.codes.count(INCONCLUSIVE)
        failed = sum(c != HOLDS for c in self.codes) - hollow - undecided
        said = counted(len(self.codes), "expectation")
        wrong = ", ".join(
            [f"{failed} not met"] * (failed > 0)
            + [f"{undecided} not decided"] * (undecided > 0)
            + [f"{hollow} met by a hollow verdict"] * (hollow > 0)
        )
        self.line(
            f"{said}, {wrong}"
            if wrong
            else f"{'all ' * (len(self.codes) > 1)}{said} met"
            if self.codes
            else "no expectation to check",
            "bold red" if failed else "bold yellow" if hollow or undecided else "bold green",
        )
        if validation is not None:
            self.line(validation.text(), "dim")
        if left:
            self.line(f"interrupted: {counted(left, 'expectation')} not reached", "bold yellow")
        if without:
            more = f" and {len(without) - 10} more" if len(without) > 10 else ""
            self.line(f"{len(without)} without an expectation: {', '.join(without[:10])}{more}", "dim")
        self.write(
            {
                "results": self._data,
                "met": not failed and not undecided and not left,
                "undecided": undecided,
                "not_reached": left,
                "hollow": hollow,
                "without_expectation": list(without),
                "validation": None if validation is None else validation.data(),
                "exit_code": code,
            }
        )
        return code

    def gallery(self, directory: str, changes: Changes, compared: bool) -> int:
        """Print what was written, or what differs."""
        for path, what in changes.files:
            self.line(f"  {what}: {directory}/{path}", "red" if compared else "")
        if changes.pictures_missing:
            self.line("no pictures drawn: the program 'dot' is not on PATH (install the graphviz package)")
        code = VIOLATED if compared and changes.files else HOLDS
        many = (
            (f"{len(changes.files)} {'differences' if compared else 'files or folders changed'}")
            if changes.files
            else "as the models have it"
        )
        self.line(f"{directory}: {counted(changes.exhibits, 'run')}, {many}", "bold red" if code else "bold green")
        self.write(
            {
                "directory": directory,
                "runs": changes.exhibits,
                "changes": [{"path": p, "what": w} for p, w in changes.files],
                "exit_code": code,
            }
        )
        return code
