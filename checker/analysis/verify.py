"""Check the expectations that models state beside the protocol: `expect = holds(...)` or `violates(...)`.

An expected violation is part of a model like an expected verdict `holds`: an edit that no longer violates the property
does not show any more what it was written for.  A case is one expectation of one class.  The whole state space is
explored, unless the expectation states only the violation of a single property, and no counts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Unpack

from attrs import evolve

from checker.analysis.check import Examined, examine
from checker.analysis.coverage import with_conditions
from checker.analysis.imported import Imports, file_of
from checker.analysis.own_models import own_models
from checker.analysis.vacuity.states import with_states
from checker.analysis.vacuity.unedited import editing_nothing
from checker.catalogue import NO_MODEL, Catalogue, Entry, catalogue, is_checkable, of_files, readable, shipped
from checker.engines.request import How, Irreducible
from checker.frozen import frozen
from checker.language.errors import Undecided, UsageError, internal_error, too_deep
from checker.language.expectation import Expectation, check_stated, expectations
from checker.language.listed import PROPERTY_MARKS
from checker.language.model import Model
from checker.language.places import located, of_attribute
from checker.results.checked import FAILED_AS, Report
from checker.results.vacuity import DECIDING, Vacuity
from checker.results.verdict import Verdict
from checker.results.verified import COUNTING, IRREDUCIBLE, VIOLATING, Case, Remark, Unread, Verified
from checker.search.limits import NO_LIMITS
from checker.stored.errors import StoredFileError
from checker.wording import counted

COUNTS = ("distinct", "transitions", "depth")


def cases(entry: Entry, thorough: bool = False) -> list[Case]:
    """The expectations of a class; those marked thorough only on demand."""
    return _cases(entry.reference, entry.cls, entry.file, thorough)


def _cases(reference: str, cls: type[Model], file: Path, thorough: bool = False) -> list[Case]:
    stated = expectations(cls)
    marked = zip(stated, _marks(stated))
    return [Case(reference, cls, file, e, mark) for e, mark in marked if thorough or not e.thorough]


def _marks(stated: Sequence[Expectation]) -> Iterator[str]:
    """A mark for each expectation that distinguishes it from others with the same constants: the expected verdict and
    the properties; and a number, only where these are equal too.  Adding or removing other expectations does not change
    it.
    """
    claims = [f"[{' '.join(('violates', *e.violated)) if e.violated else 'holds'}{_only(e)}]" for e in stated]
    alike: dict[str, int] = {}
    for expectation, claim in zip(stated, claims):
        if [other.at for other in stated].count(expectation.at) == 1:
            yield ""
            continue
        key = f"{sorted(map(repr, expectation.at.items()))} {claim}"
        alike[key] = alike.get(key, 0) + 1
        yield claim if alike[key] == 1 else f"{claim} {alike[key]}"


def _only(expectation: Expectation) -> str:
    return "" if expectation.only is None else f" of {' '.join(expectation.only)}"


@frozen
class Selected:
    """The cases to verify.  without: references of models that state no expectation; unread: files that cannot be read;
    passed: files without a model in a named folder or pattern, that no model imports; own: files of models, if no name
    was given; entries: all classes that were read.
    """

    cases: list[Case]
    without: list[str]
    unread: list[Unread]
    passed: list[str]
    own: list[Path] | None = None
    entries: tuple[Entry, ...] = ()


def select(names: Iterable[str], thorough: bool = False, files: Iterable[Path] = ()) -> tuple[list[Case], list[str]]:
    """The cases of the named models (a name stands for a model with its edits; default: all models known by name) and
    of files that were found without being named; and the models that state no expectation.

    Raises UsageError if a model file cannot be read, or if none of the named models states an expectation.
    """
    chosen, without, unread = _known(list(names), list(files), thorough)
    for error in unread.values():
        raise error
    return chosen, without


def select_apart(names: Iterable[str], files: Iterable[Path] = ()) -> tuple[list[Case], list[Unread]]:
    """The cases that `select` gives, thorough ones too; and the files and classes that cannot be read, which do not
    affect the other cases.  Raises UsageError for a name without a model, or if no model states an expectation.
    """
    chosen, _, unread = _known(list(names), list(files), thorough=True)
    return chosen, _told(unread)


def _known(names: list[str], files: list[Path], thorough: bool) -> tuple[list[Case], list[str], dict[str, UsageError]]:
    found = [_each(name, alone=False) for name in names] + ([of_files(files)] if files else [])
    return _selected([*names, *map(str, files)], found or [catalogue()], thorough)


def _told(unread: dict[str, UsageError]) -> list[Unread]:
    return [Unread(name, error) for name, error in unread.items()]


def select_readable(names: Iterable[str], thorough: bool = False, with_shipped: bool = False) -> Selected:
    """As `select`, for the models below the working directory if there are no names, and for the shipped models on
    request; and the files that cannot be read, which do not affect the other cases.  Raises UsageError if the only
    named file cannot be read, or for a name without a model.
    """
    names = list(names)
    found, own = [_each(name, len(names) == 1) for name in names], None
    if with_shipped:
        found.append(shipped())
    elif not names:
        own = own_models()
        found = [of_files(own)]
    chosen, without, unread = _selected(names, found, thorough)
    passed = [] if own is not None else [file for each in found for file in each.passed]
    entries = tuple(e for each in found for e in each.entries)
    read = {e.file.resolve() for e in entries}
    return Selected(chosen, without, _told(unread), list(_unused(passed, read)), own, entries)


def _unused(passed: Sequence[str], read: Collection[Path]) -> Iterator[str]:
    """The files without a model that no file with one imports, itself or through another of them."""
    files = {Path(name).resolve(): name for name in passed}
    imports, waiting, seen = Imports(Path(Path.cwd().anchor)), list(read), set[Path]()
    while waiting and files.keys() - seen:
        file = waiting.pop()
        if file not in seen:
            seen.add(file)
            imported = map(file_of, imports.of(file))
            waiting += [other for other in imported if other in files]
    yield from (name for file, name in files.items() if file not in seen)


def _each(name: str, alone: bool) -> Catalogue:
    try:
        return readable(name)
    except UsageError as error:
        if alone or error.file is None:  # the command is wrong, not a file
            raise
        return Catalogue((), ((name, error),))


def _selected(
    names: Sequence[str], found: Sequence[Catalogue], thorough: bool
) -> tuple[list[Case], list[str], dict[str, UsageError]]:
    entries = {(e.file.resolve(), e.cls.__name__): e for of in found for e in of.entries}
    unread = {reference: error for of in found for reference, error in of.unread}
    without, chosen = list[str](), list[Case]()
    for entry in entries.values():
        try:
            with located(partial(of_attribute, entry.cls, "expect")):
                check_stated(entry.cls)
        except UsageError as error:
            unread[entry.reference] = error
            continue
        if not expectations(entry.cls):
            without.append(entry.reference)
        chosen += cases(entry, thorough)
    if names and not chosen and not unread:
        if not entries:
            raise UsageError(f"{', '.join(names)}: no file defines a model", remedy=NO_MODEL)
        raise UsageError(
            f"{', '.join(names)}: no expectation is stated{'' if thorough else ', or only thorough ones'}",
            remedy="Write expect = holds() or expect = violates(Property) in the class; --thorough includes all.",
        )
    return chosen, without, unread


def verify_one(case: Case, *, strict: bool = False, traces: bool = True, **how: Unpack[How]) -> Verified:
    """Check one case within the limits.  strict: a verdict `holds` must not be vacuous, unless another expectation of
    the class clears the finding; an edit that changes nothing meets an expectation vacuously, strict or not.
    traces: make a trace of each run that is found, not only of unexpected ones; the interpreter confirms all runs.  A
    model that is wrong as written is a mismatch, not an exception.
    """
    try:
        examined, in_full = _searched(case, how, traces)
    except UsageError as error:
        return not_examined(case, error)
    report, result = examined.report, _judged(case, examined, in_full)
    if not strict or report.verdict is not Verdict.HOLDS or not result.met:
        return result
    try:
        left = _uncleared(case, examined, how)
    except Undecided as error:
        return evolve(result, undecided=(Remark(error.message),))
    except UsageError as error:
        return not_examined(case, error)
    vacuous = evolve(report, verdict=Verdict.VACUOUS, findings=left)
    return evolve(result, report=vacuous, hollow=left) if left else result


def verify_kept(case: Case, **how: Unpack[How]) -> tuple[Verified, Examined]:
    """Check one case, and keep the explored states for further questions.  Raises UsageError for a model that is wrong
    as written.
    """
    examined, in_full = _searched(case, how, traces=True)
    return _judged(case, examined, in_full), examined


def _judged(case: Case, examined: Examined, in_full: str) -> Verified:
    report = examined.report
    differing, left_open = tuple(mismatches(case.expectation, report)), undecided(case.expectation, report)
    same = editing_nothing(examined.definition, report.findings)
    seconds = sum(report.seconds.values())
    return Verified(case, report, differing, seconds, hollow=same, undecided=left_open, in_full=in_full)


def _searched(case: Case, how: How, traces: bool) -> tuple[Examined, str]:
    """The check of a case, and why it used the full graph although a reduced search was requested.

    A reduced search can only confirm that all properties hold; the ordinary search shows a violation in any case.
    """
    if not how.pop("reduce", False):
        return _examined(case, how, traces), ""
    how = {**how, "limits": how.get("limits", NO_LIMITS).begun()}
    if reason := _needs_every_state(case.expectation):
        return _examined(case, how, traces), reason
    try:
        reduced = _examined(case, {**how, "reduce": True}, traces)
    except Irreducible:
        return _examined(case, how, traces), IRREDUCIBLE
    if reduced.report.verdict is not Verdict.VIOLATED:
        return reduced, ""
    full = _examined(case, how, traces)
    return (full, VIOLATING) if full.report.verdict is Verdict.VIOLATED else (reduced, "")


def _needs_every_state(expected: Expectation) -> str:
    """Why an expectation needs the full graph; None if it does not."""
    if expected.violated:
        return VIOLATING
    return COUNTING if expected.within or any(getattr(expected, n) is not None for n in COUNTS) else ""


def not_examined(case: Case, error: Exception) -> Verified:
    """The result of a case that ended in an error, of the model or of the checker itself."""
    if isinstance(error, RecursionError):
        error = too_deep()
    if isinstance(error, StoredFileError):
        return Verified(case, None, (Remark(str(error)),))
    if isinstance(error, UsageError):
        return Verified(case, None, (Remark(str(error)),), file=error.file, line=error.line)
    return Verified(case, None, (Remark(str(internal_error(error))),), internal=True)


def _examined(case: Case, how: How, traces: bool = True) -> Examined:
    expected, cls = case.expectation, case.cls
    # what is wrong without a place is wrong with these constants
    with located(lambda: of_attribute(cls, "expect") if expected.at else None):
        given: How = {**how, "stop_at_first": how.get("reduce", False) or _first_suffices(expected)}
        return examine(
            cls,
            case.reference,
            expected.at,
            only=expected.only,
            without_traces=() if traces else expected.violated,
            count_outcomes=False,
            **given,
        )


def _uncleared(case: Case, examined: Examined, how: How) -> tuple[Vacuity, ...]:
    """The findings of a check that no other expectation clears: of the class, and for inherited methods of its bases.
    The others are checked only if there are findings.
    """
    found, within = with_conditions(with_states(examined), False).findings, set(case.expectation.within)
    left = tuple(f for f in found if f.kind != "within-constraint" or not set(f.names) <= within)
    for other in (*_cases(case.reference, case.cls, case.file), *_of_bases(case)):
        mine = other.cls is case.cls
        open_there = tuple(f for f in left if mine or _inherited(f, case, other))
        if open_there and not (mine and other.expectation == case.expectation):
            try:
                there = with_conditions(with_states(_examined(other, {**how, "progress": None})), False)
            except UsageError:
                continue  # told where that expectation is verified
            left = tuple(f for f in left if f not in open_there or not _clears(there, f))
    return left


def _of_bases(case: Case) -> Iterator[Case]:
    """The expectations of the models that a class edits, the nearest first."""
    for base in case.cls.__mro__[1:]:
        if issubclass(base, Model) and is_checkable(base):
            yield from _cases(case.reference, base, case.file)


def _inherited(finding: Vacuity, case: Case, other: Case) -> bool:
    """Whether a finding is about inherited code: an empty domain, a branch or a comparison in a rule or action that the
    edit does not override, or a variable of the base.  The expectations of the base show then whether the constants
    cause the finding.
    """
    if finding.kind == "never-changed":
        return finding.subject not in vars(case.cls)
    if finding.kind not in ("empty-domain", "never-executed", "decided-by-types"):
        return False
    classes, (method,) = case.cls.__mro__, finding.names
    edited = any(method in vars(cls) for cls in classes[: classes.index(other.cls)])
    mark = getattr(getattr(case.cls, method, None), "__checker__", None)
    inherited = hasattr(case.cls, method) and not edited
    return inherited and getattr(mark, "kind", None) not in PROPERTY_MARKS


def _clears(report: Report, finding: Vacuity) -> bool:
    """Whether another check of the class shows that only the constants cause a finding: there a property had its
    antecedent satisfied or was violated, or an action was enabled.
    """
    there = (finding.kind, finding.subject) not in {(f.kind, f.subject) for f in report.findings}
    if finding.kind == "never-tested":
        verdicts = [p.verdict for p in report.properties if p.name == finding.subject]
        return Verdict.VIOLATED in verdicts or there and Verdict.HOLDS in verdicts
    decided = all(p.verdict is not Verdict.UNKNOWN for p in report.properties)
    return there and (decided or finding.kind == "trivial-constants")


def _first_suffices(expected: Expectation) -> bool:
    one = len(expected.violated) == 1 and expected.only == expected.violated
    return one and all(getattr(expected, n) is None for n in COUNTS)


def mismatches(expected: Expectation, report: Report) -> Iterator[Remark]:
    """The differences between an expectation and a report, each in one sentence."""
    broken = {p.name: p for p in report.properties if p.verdict.refuted}
    endless = any(f.kind == "never-quiescent" for f in report.findings)
    for name in expected.violated:
        if name not in broken:
            kind, verdict = next(((p.kind, p.verdict) for p in report.properties if p.name == name), ("", None))
            if verdict is not Verdict.UNKNOWN:
                got = "is not checked" if verdict is None else "holds" if verdict is Verdict.HOLDS else f"is {verdict}"
                got += ": no state is quiescent" * (endless and kind == "quiescence" and verdict is Verdict.HOLDS)
                yield Remark(f"{name} should be violated, but {got}", (kind, name))
    for name, found in broken.items():
        if name not in expected.violated:
            steps = "" if found.steps is None else f" in {counted(found.steps, 'step')}"
            wrong = FAILED_AS.get(found.kind)  # of no property: nobody has claimed that it holds
            claimed = f"{name} should hold, but is {found.verdict}{steps}"
            yield Remark(f"{wrong}: {name}{steps and ','}{steps}" if wrong else claimed, (found.kind, name))
    deciding = [f.text for f in report.findings if f.kind in DECIDING]
    if report.verdict is Verdict.VACUOUS:
        yield Remark(f"the check is vacuous: {', '.join(deciding or report.warnings)}")
    elif deciding:  # what is violated is not what was written, too
        yield Remark(f"something else was checked than is written: {', '.join(deciding)}")
    shortest = min((p.steps for p in broken.values() if p.steps is not None), default=None)
    if expected.steps is not None and broken and shortest != expected.steps:
        got = "there is none to count" if shortest is None else f"has {shortest}"
        yield Remark(f"the shortest counterexample should have {counted(expected.steps, 'step')}, but {got}")
    if expected.within and not report.cut and not report.bound:
        yield Remark(f"the constraint {', '.join(expected.within)} should cut off steps, but cuts none")
    for name in COUNTS:
        wanted, got = getattr(expected, name), getattr(report, name)
        if wanted is not None and (got > wanted or got < wanted and not report.bound):
            yield Remark(f"{name} should be {wanted:,}, but is {'at least ' if report.bound else ''}{got:,}")


def undecided(expected: Expectation, report: Report) -> tuple[Remark, ...]:
    """What an incomplete search leaves open of an expectation, each in one sentence that names the limit; then what
    still grew.
    """
    left = tuple(_left_open(expected, report))
    return (*left, Remark(report.growing.sentence, left[0].of)) if left and report.growing is not None else left


def _left_open(expected: Expectation, report: Report) -> Iterator[Remark]:
    unknown = [p for p in report.properties if p.verdict is Verdict.UNKNOWN]
    for p in unknown:
        claim = "be violated" if p.name in expected.violated else "hold"
        yield Remark(f"{p.name} should {claim}, but is undecided: {p.reason}", (p.kind, p.name), claim, p.reason or "")
    if not report.bound:
        return
    reason = f"the search was {report.ended}"
    for name in COUNTS:
        wanted, got = getattr(expected, name), getattr(report, name)
        if wanted is not None and got <= wanted:
            yield Remark(f"{name} should be {wanted:,}, but is undecided: {got:,} were counted when {reason}")
    if expected.within and not report.cut:
        what = f"the constraint {', '.join(expected.within)} should cut off steps"
        yield Remark(f"{what}, but that is undecided: {reason}")
    if report.verdict is Verdict.INCONCLUSIVE and not unknown:
        yield Remark(f"the check is undecided: {reason}")
