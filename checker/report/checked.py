"""A check as text on a terminal: what was explored, each property, each action, each violation, and the verdict; on
request antecedents of properties, parts of guards, locality, a profile.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from checker.report.data import Files
from checker.report.directory import trace_file
from checker.report.lines import STYLES, Line, labelled, line
from checker.report.phrases import call_text
from checker.report.tables import aligned
from checker.report.text import report_lines
from checker.report.wording import constants_text, took_text
from checker.results.checked import FIRST_ENDED, PropertyReport, Report
from checker.results.locality import Distant
from checker.results.profile import Profile
from checker.results.vacuity import DECIDING, Tested, Vacuity, told
from checker.results.verdict import Verdict
from checker.wording import counted, listed

MOST_NEVER = 3


def check_lines(
    report: Report, files: Files, resumed: str | None = None, compared: str | None = None
) -> Iterator[Line]:
    """The whole report.  files: the written files, by property; resumed: the command that resumes a stopped search;
    compared: the command that compares an edit with its base.
    """
    for finding in report.misspelt:
        yield ("warning  ", "bold yellow"), (finding.text, "bold"), (f"  [{finding.kind}]", "dim")
    yield from _head(report)
    yield from map(_property, report.properties)
    yield from labelled("actions", _actions(report))
    yield from labelled("tested", map(_tested, report.conditions or ()))
    guards = ((g.sentence, g.blocked_alone, g.line) for g in report.guards or ())
    yield from labelled("guards", (((s, "" if alone else "yellow"), (f"  line {n}", "dim")) for s, alone, n in guards))
    yield from () if report.locality is None else _locality_lines(report.locality)
    yield from () if report.profile is None else _profile_lines(report.profile)
    if report.growing is not None and report.profile is None:
        yield ("  growth     ", "bold"), (report.growing.sentence, "")
    for finding in (f for f in told(report.findings, 1) if f not in report.misspelt):
        yield ("  warning    ", "yellow"), (finding.text, ""), (f"  [{finding.kind}]", "dim")
    yield from _runs(report, files)
    for name, paths in files.items():
        if paths:
            yield line(f"  reports    {name}: {paths[0].parent}/  ({', '.join(p.name for p in paths)})")
    if resumed is not None:
        yield line(f"  resume     {resumed}, which goes on after the last finished level")
    if compared is not None and report.known_before:
        known = f"the protocol before it breaks {listed(report.known_before, MOST_NEVER)} too"
        yield line(f"  next       {compared} shows what the edit changes: {known}")
    but = f", but {listed(report.never, MOST_NEVER)};" if report.never else ""
    style = "bold yellow" if but else STYLES[report.verdict]
    yield (report.verdict.upper(), style), (f"{but or ' '} {_why(report)}", "")


def _runs(report: Report, files: Files) -> Iterator[Line]:
    """The run of each violation; its steps once, where it breaks several properties."""
    shown: dict[object, str] = {}
    for found in report.properties:
        if found.trace is not None and found.verdict is not Verdict.REACHABLE:
            run = found.trace.loop, found.trace.states, tuple(map(call_text, found.trace.steps))
            first = shown.setdefault(run, found.name)
            yield line()
            yield from report_lines(found.trace, trace_file(files.get(found.name, ())), first * (first != found.name))


def states_text(report: Report) -> str:
    """The number of states; whether each stands for its orbit, or steps were left out."""
    of = " after symmetry reduction" if report.merged else " of a reduced graph" if report.reduced else ""
    return f"{counted(report.distinct, 'state')}{of}"


def _head(report: Report) -> Iterator[Line]:
    yield (report.reference, "bold"), (f"  {report.doc}" if report.doc else "", "")
    if report.constants:
        yield line(f"  constants  {constants_text(report.constants)}")
    counts = f"{states_text(report)}, {counted(report.transitions, 'transition')}, {counted(report.depth, 'level')}"
    counts += f"; {report.initial:,} initial, {report.quiescent:,} quiescent"
    counts += f", {report.cut:,} cut by a constraint" if report.cut else ""
    counts += f", {counted(report.outcomes, 'outcome')}" if report.outcomes is not None else ""
    yield line(f"  explored   {counts}")
    if report.reduced:
        yield line(f"  reduced    {report.reduced}")
    if report.reduced_before:
        states = counted(report.reduced_before, "state")
        found = (
            f"a violation was found in {states} of a reduced graph; counts and run are of the ordinary search after it"
        )
        yield line(f"  reduced    {found}")
    if report.validation is not None:
        yield line(f"  confirmed  {report.validation.text()}")
    yield line(f"  took       {took_text(report.seconds, report.peak_memory)}")


def _property(found: PropertyReport) -> Line:
    verdict = found.verdict.upper() if found.verdict.refuted else found.verdict
    steps = f", {counted(found.steps, 'step')}" if found.steps is not None else ""
    kind, reason = f"  ({found.kind}{steps})", f"  {found.reason}" if found.reason else ""
    return (f"  {verdict:<10} ", STYLES[found.verdict]), (found.name, ""), (kind, "dim"), (reason, "yellow")


def _actions(report: Report) -> Iterator[Line]:
    """A row for each action; several that were never enabled are one line, or the warning about them."""
    idle = [a.name for a in report.actions if not a.enabled]
    rows, shown = [], [a for a in report.actions if a.enabled or len(idle) == 1]
    for a in shown:
        first = "never taken" if a.first_level is None else f"first at level {a.first_level}"
        rows.append((a.name, f"enabled in {counted(a.enabled, 'state')}, taken {counted(a.fired, 'time')}, {first}"))
    for text, a in zip(aligned(rows), shown):
        yield line(text, "yellow" if a.fired == 0 else "")
    if len(idle) > 1 and not any(f.kind == "never-enabled" for f in report.findings):
        every = f" {len(idle):,} of" if shown else ""
        yield line(f"never enabled:{every} {counted(len(report.actions), 'action')}: {', '.join(idle)}", "yellow")


def _why(report: Report) -> str:
    """The reason for the verdict."""
    broken = [(p.name, p.steps) for p in report.properties if p.verdict.refuted]
    if broken:
        texts = [f"{name} is reached nowhere" if n is None else f"{name} in {counted(n, 'step')}" for name, n in broken]
        return ", ".join(texts) + _left_open(report)
    if report.verdict is Verdict.INCONCLUSIVE and report.bound:
        return f"{report.ended}; {report.coverage}"
    if report.verdict is Verdict.INCONCLUSIVE:
        return "; ".join(f"{p.name}: {p.reason}" for p in report.properties if p.reason)
    if report.verdict is Verdict.VACUOUS:
        if not report.distinct:
            return "; ".join(report.warnings)
        findings = ", ".join(
            f"{f.kind} {_subject(f)}" for f in sorted(told(report.findings), key=_decides, reverse=True)
        )
        return f"nothing is violated, but: {findings}"
    cut = " within the model's constraints" if report.cut else ""
    what = "everything that the verdicts need" if report.reduced else "everything reachable"
    return f"{what}{cut} was explored: {states_text(report)}"


def _subject(finding: Vacuity) -> str:
    """The subject; of a branch the place of its `if`, not which of its sides."""
    return finding.subject.rpartition(" ")[0] if finding.kind == "never-executed" else finding.subject


def _decides(finding: Vacuity) -> bool:
    return finding.kind in DECIDING


def _left_open(report: Report) -> str:
    """What a violation leaves open: what ended the search, and the undecided properties."""
    unknown = [p for p in report.properties if p.verdict is Verdict.UNKNOWN]
    names = ", ".join(p.name for p in unknown)
    names += f" {'was' if len(unknown) == 1 else 'were'} not decided" if unknown else ""
    if report.bound:
        return f"; {report.ended}, {report.coverage}" + (f": {names}" if names else "")
    if any(p.reason == FIRST_ENDED for p in unknown):
        return f"; {FIRST_ENDED}: {names}, --all decides the rest and finds errors in later steps"
    return f"; {names}" if names else ""


# On request


def _tested(c: Tested) -> Line:
    """An antecedent of a property: when it was first true."""
    where = "never" if c.first_steps is None else "from the start"
    if c.first_steps:
        where = f"first after {counted(c.first_steps, 'step')}"
    quiescent = " (quiescent states)" if c.kind == "quiescence" else ""
    style = "yellow" if c.first_steps is None else ""
    return (f"{c.property}{quiescent}: {where}", style), (f"  {c.condition}", "dim")


def _locality_lines(found: Sequence[Distant]) -> Iterator[Line]:
    """One line for each place that reads or changes a value that its process cannot know."""
    known = "every action reads and changes only what its process knows"
    lines: list[Line] = [((d.sentence, ""), (f"  {d.file}:{', '.join(map(str, d.lines))}", "dim")) for d in found]
    yield from labelled("locality", lines or [((known, ""),)])


def _profile_lines(found: Profile) -> Iterator[Line]:
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
    variables = [
        (v.name, f"{least}{counted(v.values, 'value')}, {counted(v.bits, 'bit')}") for v in found.variables if v.bits
    ]
    known = ["" if a.duplicates is None else f", {about}{a.duplicates:,} to known states" for a in found.actions]
    steps = [(a.name, counted(a.transitions, "transition") + text) for a, text in zip(found.actions, known)]
    yield from labelled("variables", map(line, aligned(variables)))
    yield from labelled("steps", map(line, aligned(steps)))
    yield ("  advice     ", "bold"), (found.advice, "")
