"""`checker verify`: the expectations that models state."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from glob import glob
from pathlib import Path
from typing import Any

import click
from attrs import evolve

from checker.analysis.own_models import where_searched
from checker.analysis.since import Change, Touched, touched
from checker.analysis.verify import Selected, select_readable
from checker.analysis.verify_all import verify_all
from checker.analysis.workers import interrupted_once
from checker.catalogue import file_named
from checker.cli.failed import outside_cause, write_not_finished
from checker.cli.first_class import first_class
from checker.cli.options import processors
from checker.cli.output import Output, model_background, report_directory
from checker.cli.searching import limits, progress, so_far
from checker.cli.settings import former_models, models
from checker.cli.verify_reported import Reported
from checker.importing import FOLDER
from checker.language.errors import UsageError, internal_error
from checker.language.model import Model
from checker.report.directory import ReportDirectory
from checker.report.suite import Suite
from checker.report.suites import BuildFiles, suite_of_error, suite_of_unreached
from checker.report.verified import Summary
from checker.report.written import writable, write_file
from checker.results.exit_codes import INTERNAL
from checker.results.verified import Case, Verified, without_result
from checker.search.deadline import READING, within
from checker.search.progress import TerminalProgress
from checker.sought import PATTERN, Named
from checker.trace.trace import Trace
from checker.wording import counted, listed


def verify(comment: str | None, link: str | None, **options: Any) -> int:
    directory = report_directory(options["out"])
    _consistent(comment, link, **options)
    json_file, since, strict = options["json_file"], options["since"], options["strict"]
    allowed = options["allow_removed"]
    build = BuildFiles.of(options)
    output = Output(json_file, build.printed(json_file, comment))
    write_not_finished(click.get_current_context().obj or {})
    selected, change = _selected(output, **options)
    cases = selected.cases if change is None else list(change.cases)
    parts = {} if change is None else change.parts
    reported = Reported(
        directory, output, json_file is not None, build.wanted, options["everything"], parts, since or ""
    )
    for one in selected.unread:
        reported.add_unread(one)
    if change is not None and not allowed:
        reported.add_removed(change.removed)
    shown = progress(json_file)
    traces = strict or reported.wants_traces or comment is not None
    with interrupted_once(), shown, closing(_verified(cases, traces, shown, **options)) as verified:
        compared = partial(_compare_actions, reported, change, output, allowed, shown)
        _add_all(_explained(verified, change), cases, reported, build, shown, compared)
        reported.end()
        if change is not None and comment is not None:
            from checker.analysis.review import review
            from checker.report.review import review_comment

            keep = partial(_write_again, directory)
            change = evolve(change, removed=(*change.removed, *reported.disabled))
            found = review(reported.results, change, str(since), shown, selected.unread, keep)
            write_file(comment, review_comment(found, link, allowed), "--comment")
        left = len(cases) - len(reported.results)
        summary = Summary(reported.results, selected.without, left, selected.unread, selected.passed, reported.lost)
        output.print(summary.lines())
        output.write(lambda: summary.data(reported.data))
        return summary.exit_code


def _write_again(directory: ReportDirectory, trace: Trace, base: type[Model]) -> None:
    """Write the reports of a violation again, with the CAUSE in the change and the run of the protocol before it."""
    if directory.path is not None:
        directory.write_trace(trace, model_background(trace, base), again=True)


def _selected(
    output: Output, *, names: tuple[str, ...], since: str | None, thorough: bool, with_shipped: bool, **options: Any
) -> tuple[Selected, Touched | None]:
    """The expectations to verify, and the change to which they are restricted; where models were searched for is
    printed.
    """
    since_then = None if since is None else Change.since(since)
    with within(limits(options).begun(), "reading the model files", READING):
        gone = partial(_is_gone, since_then)
        named = names if names or with_shipped else models(file_named, gone)
        there = tuple(name for name in named if not gone(name))
        selected = Selected([], [], [], []) if named and not there else select_readable(there, thorough, with_shipped)
    if missing := [name for name in named if name not in there]:
        output.line(f"{listed(missing)}: deleted since {since}", "dim")
    for text in (*_looked_at(selected, since is not None), *_first_classes(selected)):
        output.line(text, "dim")
    change = None if since_then is None else _changed(selected, since_then, named, bool(names or with_shipped))
    if change is not None:
        for text in change.texts(str(since)):
            output.line(text, "dim")
    return selected, change


def _is_gone(change: Change | None, name: str) -> bool:
    """Whether what is named does not exist, and a change deleted files of it."""
    if change is None or Path(name.partition(":")[0]).exists():
        return False
    if any(sign in name for sign in PATTERN) and glob(name, recursive=True):
        return False
    return change.had(Named((name,), Path.cwd(), FOLDER))


def _changed(selected: Selected, change: Change, names: tuple[str, ...], by_command: bool) -> Touched:
    """What has changed since a revision, with the claims of that time that are no longer made.  by_command: whether the
    command names what is verified, and not the settings, which may have named other files.
    """
    from checker.analysis.former_claims import with_lost_claims
    from checker.analysis.no_longer_verified import no_longer_verified

    now = Named(names, Path.cwd(), FOLDER)
    former = None if by_command else former_models(change.text_then)
    before = now if former is None else evolve(now, names=former)
    removed = no_longer_verified(change, now, before, selected.entries, selected.unread)
    return with_lost_claims(evolve(touched(selected.cases, change, selected.entries), removed=removed))


def _verified(
    cases: Sequence[Case], traces: bool, shown: TerminalProgress, **options: Any
) -> Generator[Verified, None, None]:
    return verify_all(
        cases,
        jobs=options["jobs"] or max(1, processors() // options["threads"]),
        strict=options["strict"],
        traces=traces,
        announce=lambda *running: shown.say(so_far("expectations", *running)),
        engine=options["engine"],
        threads=options["threads"],
        limits=limits(options),
        progress=shown,
        reduce=options["reduce"],
    )


def _explained(verified: Iterable[Verified], change: Touched | None) -> Iterator[Verified]:
    """The results, with the CAUSE of what a change makes wrong, and the parts of the change that it is due to."""
    if change is None:
        yield from verified
        return
    from checker.analysis.blamed import Blame
    from checker.analysis.former_cause import FormerCauses

    causes, blame = FormerCauses(change), Blame(change)
    for result in verified:
        try:
            explained = blame.told(causes.marked(result))
        except KeyboardInterrupt:  # the result is known
            yield result
            raise
        yield explained


def _compare_actions(
    reported: Reported, change: Touched | None, output: Output, allowed: bool, shown: TerminalProgress
) -> None:
    """Add the classes that hold because the change disables actions."""
    if change is None:
        return
    from checker.analysis.disabled import disabled

    shown.say("comparing the actions that no state enables with those before the change")
    found = disabled(reported.results, change)
    shown.clear()
    reported.disabled = found.removed
    if not allowed:
        reported.add_removed(found.removed)
    for text in found.unknown:
        output.line(text, "yellow")


def _add_all(
    verified: Iterable[Verified],
    cases: Sequence[Case],
    reported: Reported,
    build: BuildFiles,
    shown: TerminalProgress,
    compared: Callable[[], None],
) -> None:
    """Add every result when it is known, then what all of them together show (compared), and write the files of a build
    server, also after an error of the machine: with the results until then, the cases that were not reached, and the
    error as a separate suite.
    """
    try:
        for result in verified:
            shown.clear()
            reported.add(result)
            if result.interrupted:
                break
        else:
            compared()
    except KeyboardInterrupt:
        pass  # what was not reached is told of each expectation, also where that is all
    except Exception as error:
        cause = outside_cause(error)
        wrong, code = (internal_error(error), INTERNAL) if cause is None else (cause, cause.exit_code)
        build.write([*_with_unreached(reported, cases), suite_of_error(wrong, code)])
        raise
    build.write(_with_unreached(reported, cases))


def _with_unreached(reported: Reported, cases: Sequence[Case]) -> list[Suite]:
    """The suites of the results, and of the cases that have none."""
    return [*reported.suites, *map(suite_of_unreached, without_result(cases, reported.results))]


def _looked_at(selected: Selected, changes_only: bool) -> Iterator[str]:
    """Where models were searched for, if none was named.  Raises UsageError if there are none, except with --since:
    where there is no model, no model has changed.
    """
    if selected.own is None:
        return
    where = f"in or below {Path.cwd()}"
    if selected.own:
        yield f"{counted(len(selected.own), 'file')} with models {where}"
    elif changes_only:
        yield f"there are no models {where}"
    else:
        remedy = "Name a file or a folder. --shipped verifies the models that the checker ships."
        raise UsageError(f"there are no models {where_searched()}", remedy=remedy)


def _first_classes(selected: Selected) -> Iterator[str]:
    """Which classes the names of files stand for, where a file has several."""
    if said := [text for e in selected.entries if e.main and (text := first_class(e.reference, e))]:
        yield listed(said)


def _consistent(
    comment: str | None,
    link: str | None,
    *,
    out: str | None,
    since: str | None,
    everything: bool,
    strict: bool,
    allow_removed: bool,
    reduce: bool,
    max_depth: int | None,
    **_: Any,
) -> None:
    """Raise UsageError for an option that has no effect without another, or that contradicts another."""
    if reduce and (strict or max_depth is not None):
        option = "--strict" if strict else "--max-depth"
        raise UsageError(
            f"{option} asks about every state, and --reduce leaves some out", remedy="Leave out one of the two."
        )
    if everything and out is None:
        raise UsageError("--all writes reports, and there is no --out", remedy="Add --out DIR.")
    if comment is not None and since is None:
        raise UsageError("--comment says what a change does, and there is no --since", remedy="Add --since REVISION.")
    if allow_removed and since is None:
        what = "--allow-removed speaks of expectations that a change removes, and there is no --since"
        raise UsageError(what, remedy="Add --since REVISION.")
    if link is not None and comment is None:
        raise UsageError("--link is written into the comment, and there is no --comment", remedy="Add --comment FILE.")
    if comment is not None:
        writable(comment, "--comment")
