"""From checks to the suites that build servers read, and the files for them.

Places come from the model's class, so they are those of the checked source, whatever file a property or an action was
inherited from.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from attrs import evolve, field

from checker.frozen import frozen
from checker.language.constants import written
from checker.language.define import define
from checker.language.definition import Definition
from checker.language.errors import UsageError
from checker.language.expectation import place_of_expectation
from checker.language.model import Model
from checker.language.places import of_class, of_function
from checker.report.directory import trace_file
from checker.report.due import deciding, due_text
from checker.report.repository import own, portable, repository
from checker.report.suite import (
    COMMAND,
    ERROR,
    FAILED,
    FAULT,
    GONE,
    NOT_REACHED,
    PASSED,
    SKIPPED,
    WRONG,
    Case,
    Place,
    Suite,
    first_inside,
)
from checker.report.wording import reasons, witness
from checker.report.written import writable, write_file
from checker.results.checked import FAILED_AS, PropertyReport, Report
from checker.results.exit_codes import INTERNAL, USAGE
from checker.results.parts import Part
from checker.results.removed import Removed
from checker.results.verdict import Verdict
from checker.results.verified import Case as Expected
from checker.results.verified import Remark, Unread, Verified
from checker.trace.trace import Trace
from checker.wording import counted, first_paragraph

FORMS = {
    "junit": ("checker.report.junit", "junit_xml"),
    "sarif": ("checker.report.sarif", "sarif_log"),
    "code-quality": ("checker.report.code_quality", "code_quality"),
    "markdown": ("checker.report.build_summary", "build_summary"),
    "lines": ("checker.report.diagnostics", "diagnostic_lines"),
}
"""The options that name a file for a build server or an editor: the module and its function from suites to text."""


@frozen
class BuildFiles:
    """The requested files for a build server or an editor, by option without its dashes."""

    files: Mapping[str, str] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        for option, path in self._named.items():
            writable(path, option)

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> BuildFiles:
        """The requested files among the options of a command."""
        given = {name: options[name.replace("-", "_")] for name in FORMS}
        return cls({name: path for name, path in given.items() if path is not None})

    @property
    def _named(self) -> dict[str, str]:
        return {f"--{name}": path for name, path in self.files.items()}

    def printed(self, json_file: str | None, comment: str | None = None) -> bool:
        """Whether one of them goes to standard output, which then contains nothing else.  Raises UsageError if two
        would.
        """
        every = {"--json": json_file, "--comment": comment, **self._named}
        there = [option for option, path in every.items() if path == "-"]
        if len(there) > 1:
            raise UsageError(
                f"{' and '.join(there)} would go to standard output, one into the other",
                remedy="Name a file for all but one.",
            )
        return bool(there)

    @property
    def wanted(self) -> bool:
        """Whether any file was requested."""
        return bool(self.files)

    def write(self, suites: Sequence[Suite]) -> None:
        """Write the requested files."""
        for name, path in self.files.items():
            module, function = FORMS[name]
            form: Callable[[Sequence[Suite]], str] = getattr(import_module(module), function)
            write_file(path, form(suites), f"--{name}")


def suite_of_check(report: Report, cls: type[Model], files: Mapping[str, Sequence[Path]] = {}) -> Suite:
    """The suite of a check: a case fails if its property is broken, and is in error if it was not decided.  files: the
    written reports, by property.
    """
    definition = define(cls, report.constants)
    cases = [evolve(_case(p, definition, report), stored=trace_file(files.get(p.name, ()))) for p in report.properties]
    if report.verdict is Verdict.VACUOUS:
        cases = list(_vacuous(cases, report, place_of(cls)))
    return Suite(
        portable(report.reference),
        tuple((n, written(v)) for n, v in report.constants.items()),
        tuple(cases),
        explored=f"{counted(report.distinct, 'state')}, {counted(report.transitions, 'transition')}",
        seconds=sum(report.seconds.values()),
        place=place_of(cls),
        warnings=report.warnings,
        guards=tuple(part.sentence for part in report.guards or ()),
        confirmed="" if report.validation is None else report.validation.text(),
    )


def _vacuous(cases: Sequence[Case], report: Report, place: Place | None) -> Iterator[Case]:
    """The cases of a vacuous check: vacuous properties are in error; a finding about no property is the case
    "vacuity"."""
    found: dict[str, list[str]] = {}
    for f in report.findings:
        found.setdefault(re.split(r"[.:]", f.subject)[0], []).append(f.text)
    for case in cases:
        texts = found.pop(case.name, [])
        if texts or report.distinct == 0:
            case = evolve(case, status=ERROR, verdict=Verdict.VACUOUS, message="; ".join(texts or report.warnings))
        yield case
    if found and report.distinct:
        message = "; ".join(text for texts in found.values() for text in texts)
        yield Case("vacuity", "vacuity", ERROR, Verdict.VACUOUS, message, place=place)


def suite_of_expectation(
    result: Verified, files: Mapping[str, Sequence[Path]] = {}, changed: Sequence[Part] = (), since: str = ""
) -> Suite:
    """The suite of a verified expectation: an expected violation passes.  A mismatch about no property is the case
    "expectation".  changed: the parts of the source that a change since a revision touches.  The first that has a line,
    of those that matter, is the place of a failure, and its message names it.
    """
    suite = _of_expectation(result, files)
    since = since if result.in_change else ""  # the CAUSE of an edit needs no revision
    cases: Iterable[Case] = suite.cases
    if (place := place_of_change(deciding(result, changed))) is not None:
        told = due_text(result, [part for part in changed if part.line])
        cases = (
            evolve(case, place=place, message=f"{case.message.rstrip('.')}; {told}")
            if case.status in (FAILED, ERROR)
            else case
            for case in cases
        )
    return evolve(suite, mark=result.case.mark, since=since, cases=tuple(cases), seconds=result.seconds)


def suite_of_unread(unread: Unread) -> Suite:
    """The suite of a model file that cannot be read: one case, in error."""
    place = _place_at(unread.error.file, unread.error.line)
    wrong = Case("model file", "model file", ERROR, WRONG, str(unread.error), place=place)
    return Suite(portable(unread.reference), (), (wrong,), place=place)


def suite_of_removed(removed: Removed) -> Suite:
    """The suite of a class whose expectation a change removes or weakens: one case, in error."""
    place = Place(removed.file, removed.line) if removed.path.is_file() else None
    reference = f"{removed.file}:{removed.name}"
    found = f"the expectation of {removed.name} was {f'weakened: {removed.what}' if removed.what else 'removed'}"
    message = f"{found}; --allow-removed accepts that"
    return Suite(
        reference,
        (),
        (Case("expectation", "expectation", ERROR, GONE, message, place=place),),
        place=place,
        mark=f"[weakened: {removed.what}]" if removed.what else "",
    )


def suite_of_unreached(case: Expected) -> Suite:
    """The suite of an expectation that was not reached before the command was interrupted: one case, in error."""
    given = tuple((n, written(v)) for n, v in case.expectation.at.items())
    message = "not reached: the command was interrupted before"
    wrong = Case("expectation", "expectation", ERROR, NOT_REACHED, message, place=place_of(case.cls))
    return Suite(portable(case.reference), given, (wrong,), place=place_of(case.cls), mark=case.mark)


def suite_of_error(error: UsageError, exit_code: int) -> Suite:
    """The suite of a command that an error has ended: one case, in error."""
    verdict = FAULT if exit_code == INTERNAL else WRONG if exit_code == USAGE else "undecided"
    place = _place_at(error.file, error.line)
    return Suite("checker", (), (Case("command", COMMAND, ERROR, verdict, str(error), place=place),), place=place)


def _place_at(file: str | None, line: int | None) -> Place | None:
    return None if file is None else Place(own(file), line or 1)


def place_of_change(parts: Sequence[Part]) -> Place | None:
    """The line that differs in the first changed part that has one: hosts show a note only at lines of the change."""
    return next((Place(part.file, part.changed or part.line) for part in parts if part.line), None)


def _of_expectation(result: Verified, files: Mapping[str, Sequence[Path]]) -> Suite:
    cls, expected = result.case.cls, result.case.expectation
    entry = place_of_expectation(cls, expected)
    stated = _place_at(entry.file, entry.line) if entry is not None else place_of(cls)
    given = tuple((n, written(v)) for n, v in expected.at.items())
    if result.report is None:
        place, message = place_of(cls), _joined(result.mismatches)
        verdict = FAULT if result.internal else WRONG
        there = _place_at(result.file, result.line) or stated
        wrong = Case("expectation", "expectation", ERROR, verdict, message, place=there)
        return Suite(portable(result.case.reference), given, (wrong,), place=place)
    suite = suite_of_check(result.report, cls, files)
    cases = [_expected(case, expected.violated, result) for case in suite.cases]
    cases = [evolve(c, place=stated) if c.status == FAILED and c.trace is None else c for c in cases]
    said = {remark for c in cases if c.status != PASSED for remark in _of(c, (*result.mismatches, *result.undecided))}
    others = [remark for remark in (*result.mismatches, *result.undecided) if remark not in said]
    differs = any(remark in result.mismatches for remark in others)
    status, verdict = (FAILED, "differs") if differs else (ERROR, "undecided") if others else (PASSED, "met")
    message = _joined(others)
    if result.hollow and result.report.verdict is not Verdict.VACUOUS:  # else in the check's cases
        message = "; ".join([*filter(None, [message]), *(f.text for f in result.hollow)])
        status, verdict = (ERROR, Verdict.VACUOUS) if status == PASSED else (status, verdict)
    claim = f"{result.case.reference} {result.case.claim}"
    cases.append(Case("expectation", "expectation", status, verdict, message, claim, stated))
    return evolve(suite, constants=given, cases=tuple(cases))


def _expected(case: Case, violated: Sequence[str], result: Verified) -> Case:
    wrong, undecided = _of(case, result.mismatches), _of(case, result.undecided)
    if undecided:
        return evolve(case, status=ERROR, message=_joined(undecided))
    if wrong and case.kind in FAILED_AS:
        return evolve(case, status=FAILED, message=case.message.rstrip("."))
    if wrong:
        sentence = witness(case.trace) if case.trace is not None else ""
        because = reasons(case.trace)[:1] if case.trace is not None else []
        found = _joined(wrong) + (f": {sentence}" if sentence else "")
        return evolve(case, status=FAILED, message=" ".join([found, *(f"{text}." for text in because)]))
    if case.name in violated and case.status == FAILED:
        return evolve(case, status=PASSED, message=f"as expected: {case.message}")
    return case


def _of(case: Case, remarks: Sequence[Remark]) -> list[Remark]:
    """The remarks about the property of a case."""
    return [remark for remark in remarks if remark.of == (case.kind, case.name)]


def _joined(remarks: Iterable[Remark]) -> str:
    return "; ".join(map(str, remarks))


def _case(found: PropertyReport, definition: Definition, report: Report) -> Case:
    undecided = SKIPPED if report.verdict is Verdict.VIOLATED and not report.bound else ERROR
    status = FAILED if found.verdict.refuted else undecided if found.verdict is Verdict.UNKNOWN else PASSED
    property = next((p for p in definition.properties if p.name == found.name), None)
    stated = place_of(property.function) if property else None
    place = stated if property else _place_of_failure(found, definition)
    owner = next((c for c in definition.model.properties if property and c.__name__ == property.owner), None)
    meaning = first_paragraph(inspect.getdoc(owner or property.function)) if property else ""
    trace = found.trace if status == FAILED else None
    places, guilty = _places(trace, definition), _guilty_place(trace, definition)
    if trace is not None:
        place = guilty or first_inside(place, *reversed(places)) or place
    return Case(
        found.name,
        found.kind,
        status,
        found.verdict,
        _message(found, report),
        meaning,
        place,
        trace,
        places,
        None,
        stated,
        guilty,
    )


def _guilty_place(trace: Trace | None, definition: Definition) -> Place | None:
    """The line that decides the CAUSE: of a step that the protocol before the edit does not allow, of the
    initial state, or of what stays disabled at the end."""
    if trace is None:
        return None
    rule = next((step.rule for step in trace.steps if step.cause), None)
    if rule is None and trace.cause and trace.contrast is not None:
        rule = trace.contrast.place or trace.contrast.former
    if rule is None:
        return None
    files = (place_of(cls) for cls in definition.model.__mro__ if cls is not object)
    root = repository()  # the folder of a file at the root is part of what a trace keeps of it
    return next((Place(p.file, rule[1]) for p in files if p and f"{root / p.file}".endswith(f"/{rule[0]}")), None)


def _message(found: PropertyReport, report: Report) -> str:
    if found.verdict is Verdict.UNKNOWN:
        grown = f". {report.growing.sentence}" if report.growing is not None else ""
        return f"not decided: {found.reason}{grown}"
    if found.verdict is Verdict.UNREACHABLE:
        return "no reachable state satisfies it"
    if found.verdict is not Verdict.VIOLATED:
        return ""
    if found.trace is None:
        return f"violated in {counted(found.steps or 0, 'step')}."
    sentence = witness(found.trace).rstrip(".")
    if found.kind in FAILED_AS:  # its last sentence names the line
        message = f"{FAILED_AS[found.kind]}: {sentence or found.name}, in {counted(found.steps or 0, 'step')}."
    else:
        message = f"violated in {counted(found.steps or 0, 'step')}" + (f": {sentence}." if sentence else ".")
    return " ".join([message, *(f"{text}." for text in reasons(found.trace))])


def _places(trace: Any, definition: Definition) -> tuple[Place | None, ...]:
    functions = {a.name: a.function for a in definition.actions}
    return tuple(place_of(functions.get(step.action)) for step in trace.steps) if trace is not None else ()


def _place_of_failure(found: PropertyReport, definition: Definition) -> Place | None:
    """Where an action or a property of the model failed, or called what failed."""
    if (failed := found.failed) is not None:
        file, line = failed.called or (failed.file, failed.line)
        for function in [a.function for a in definition.actions] + [m.function for m in definition.methods.values()]:
            if function and function.__code__.co_filename == file:
                return Place(own(file), line)
    return place_of(definition.model)


def place_of(source: Callable[..., Any] | type | None) -> Place | None:
    """The line with `def` or `class`, after the decorators; None for an object without source."""
    if source is None:
        return None
    try:
        place = of_class(source) if isinstance(source, type) else of_function(inspect.unwrap(source))
    except (OSError, TypeError):
        return None
    return Place(own(place.file), place.line) if place is not None else None
