"""One model over many configurations: the product of the values given for its constants, searched in parallel
processes.

A sweep shows where a claim begins to fail.  Its result therefore has, for each property, the smallest configuration
that violates it (`checker.results.sweep`).

Combinations that the model refuses (four processes, but a workload for three) are not errors of the product: they are
skipped, with the reason.

With `implied`, verdicts that follow from configurations with other budgets of faults are not searched for
(`checker.analysis.sweep.following`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import closing, suppress
from functools import partial

from attrs import evolve, frozen

from checker.analysis.check import Examined, examine
from checker.analysis.coverage import with_conditions
from checker.analysis.sweep.choices import Choices, combinations
from checker.analysis.sweep.fewer_faults import read_off
from checker.analysis.sweep.following import FAILURE, Family, families, family
from checker.analysis.sweep.implied import ORDERED, Standing, standing
from checker.analysis.sweep.left_open import decided
from checker.analysis.vacuity.states import with_states
from checker.analysis.workers import each_done, shared_out
from checker.bound import Bound
from checker.catalogue import find
from checker.engines.request import Irreducible
from checker.language.define import define
from checker.language.distributed import BUDGETS
from checker.language.errors import UsageError
from checker.results.checked import Report
from checker.results.exit_codes import HOLDS, INCONCLUSIVE, USAGE
from checker.results.sweep import Configuration, Fewer, Judged, Row, Sweep
from checker.results.validated import together
from checker.results.verdict import REFUTED, Swept, Verdict
from checker.search.limits import Limits


@frozen
class Task:
    """The settings that all configurations share.  reduce: reduce each search, or search in full where that is
    impossible.
    """

    reference: str
    only: list[str] | None
    engine: str
    limits: Limits
    stop_at_first: bool
    strict: bool
    implied: bool = False
    reduce: bool = False
    or_not: bool = False


Announce = Callable[[int, int, Sequence[Configuration]], None]
Found = Generator[tuple[int, Row, list[Configuration]], None, None]
Search = Callable[[Task, dict[int, Configuration], int], Found]


def sweep(
    reference: str,
    choices: Iterable[Choices],
    *,
    only: list[str] | None = None,
    engine: str = "native",
    limits: Limits = Limits(),
    stop_at_first: bool = True,
    strict: bool = False,
    implied: bool = False,
    reduce: bool = False,
    jobs: int = 1,
    announce: Announce = lambda done, all, running: None,
    search: Search | None = None,
) -> Sweep:
    """Check a model with every combination of the values; `jobs` processes search, sharing the memory.

    announce(done, all, under way): called after each configuration.  search(task, configurations by place, jobs):
    search them elsewhere.  implied: do not search for verdicts that follow from larger budgets.  reduce: reduce
    searches where that keeps the verdicts; in a sweep that needs all states, decide what its searches leave undecided.

    Ctrl-C ends the sweep with the rows found so far, the others being not reached; raises KeyboardInterrupt if there is
    none.  Raises UsageError if the model refuses every combination.
    """
    start = time.monotonic()
    if reduce:
        _require_reducible(limits)
    full = not stop_at_first or strict or implied
    accepted = list(_accepted(reference, list(choices), only, implied))
    rows = [row for row, _ in accepted]
    standings = {i: known for i, (_, known) in enumerate(accepted) if known is not None}
    waiting = [i for i, row in enumerate(rows) if row.verdict is not Swept.SKIPPED]
    task = Task(reference, only, engine, shared_out(limits, jobs), stop_at_first, strict, implied, reduce and not full)
    configurations, done = {i: rows[i].configuration for i in waiting}, set[int]()
    places, interrupted = families({i: c.given for i, c in configurations.items()}) if implied else [], False
    groups = [family(find(reference).cls, {i: standings[i] for i in members}) for members in places]
    alone = search or _searched
    rounds = partial(_in_rounds, groups=groups, search=alone)
    try:
        with closing((rounds if implied else alone)(task, configurations, jobs)) as found:
            for place, row, running in found:
                rows[place] = row
                done.add(place)
                announce(len(done), len(waiting), running)
    except KeyboardInterrupt:
        if not done:
            raise
        interrupted = True
    for group in groups:
        for place in group.constants:
            row = _completed(group, place, configurations, rows[place] if place in done else None)
            if place in done or not interrupted or row.verdict is Swept.IMPLIED:
                rows[place] = row
    if reduce and full and not interrupted:
        again = evolve(task, stop_at_first=True, implied=True, reduce=True, or_not=True)
        with suppress(KeyboardInterrupt):  # what was decided stays
            for place, row, running in decided(rows, lambda open_: alone(again, open_, jobs), _verdict):
                rows[place] = row
                announce(len(done), len(waiting), running)
    rows = [
        evolve(row, verdict=Swept.NOT_REACHED, exit_code=INCONCLUSIVE) if row.verdict is None else row for row in rows
    ]
    constants, seconds = rows[waiting[0]].configuration.constants, time.monotonic() - start
    every = [r.configuration.constants for r in rows if r.verdict is not Swept.SKIPPED]
    varying = tuple(n for n in constants if len({repr(one[n]) for one in every}) > 1)
    same = {n: v for n, v in constants.items() if n not in varying}
    return Sweep(reference, same, varying, tuple(rows), seconds, stop_at_first)


def _accepted(
    reference: str, choices: list[Choices], only: list[str] | None, implied: bool
) -> Iterator[tuple[Row, Standing | None]]:
    """A row for each combination: refused ones are marked as skipped, the others have what may follow for them if
    `implied` is set.
    """
    cls = find(reference).cls
    refusals, accepted = [], 0
    for given in combinations(choices):
        try:
            definition = define(cls, given, only)
        except UsageError as error:
            refusals.append(error)
            yield Row(Configuration(given, given), Swept.SKIPPED, HOLDS, why=error.message), None
        else:
            accepted += 1
            row = Row(Configuration(given, definition.constants), None, HOLDS)
            yield row, standing(definition, given) if implied else None
    if not accepted:
        raise refusals[0]


def _in_rounds(
    task: Task, configurations: dict[int, Configuration], jobs: int, groups: Sequence[Family], search: Search
) -> Found:
    """Rows as they are done, in each round one of each family, with the verdicts decided there; a row may be returned
    again with more verdicts.
    """
    rows: dict[int, Row] = {}
    while following := [(group, step) for group in groups if (step := group.next()) is not None]:
        asked = {place: (group, only) for group, (place, only) in following}
        below = {place: group.below(place) for place, (group, _) in asked.items()}
        fewer = {i: tuple(_budget(configurations[other]) for other in places) for i, places in below.items()}
        ready = {i: evolve(configurations[i], only=tuple(only), fewer=fewer[i]) for i, (_, only) in asked.items()}
        with closing(search(task, ready, jobs)) as found:
            for place, row, running in found:
                group, only = asked[place]
                group.wrong = group.wrong or row.verdict is Swept.ERROR
                configuration, known, validation = configurations[place], row.properties, row.validation
                if place in rows:  # what was read off other searches
                    known = (*known, *(p for p in rows[place].properties if p.name not in only))
                    validation = together((rows[place].validation, validation))
                rows[place] = evolve(
                    row, configuration=configuration, properties=known, fewer=(), validation=validation
                )
                complete = row.bound is None and not (task.stop_at_first and row.violated)
                group.note(place, _decided(row), row.bound is Bound.STATES, complete)
                yield place, rows[place], running
                for other, said in zip(below[place], row.fewer):
                    named = {n: v for n, v in said.verdicts.items() if n in group.taken(other, place)}
                    if not named:
                        continue
                    group.add(other, {n: verdict for n, (verdict, _) in named.items()})
                    rows[other] = _among(rows.get(other), configurations[other], named, said)
                    yield other, rows[other], running


def _budget(configuration: Configuration) -> Mapping[str, int]:
    return {n: configuration.constants[n] for n in BUDGETS if n in configuration.constants}


def _among(
    row: Row | None,
    configuration: Configuration,
    verdicts: Mapping[str, tuple[Verdict | Swept, int | None]],
    fewer: Fewer,
) -> Row:
    """The row of a configuration whose states are a subset of those of another search, with the verdicts read off that
    search.  row: with the verdicts from other searches.
    """
    row = row or Row(configuration, None, HOLDS)
    known = {p.name for p in row.properties}
    said = (Judged(n, verdict, steps) for n, (verdict, steps) in verdicts.items() if n not in known)
    judged = (*row.properties, *said)
    untested = any(p.verdict is Swept.UNTESTED for p in judged)
    verdict = Verdict.VACUOUS if untested else Verdict.HOLDS  # or what _completed finds
    distinct, depth = (fewer.distinct, fewer.depth) if fewer.distinct else (row.distinct, row.depth)
    validation = row.validation
    return Row(configuration, verdict, HOLDS, judged, distinct, depth=depth, validation=validation)


def _decided(row: Row) -> dict[str, Verdict | Swept]:
    """The verdicts of a search that hold for other configurations: none if the model is wrong there, or has no
    state."""
    wrong = row.verdict is Swept.ERROR or row.distinct == 0
    return {} if wrong else {p.name: p.verdict for p in row.properties if p.verdict is not Verdict.UNKNOWN}


def _completed(group: Family, place: int, configurations: Mapping[int, Configuration], row: Row | None) -> Row:
    """The row of a configuration with all verdicts that follow from others.  row: of its own search, if there was one,
    or read off.
    """
    own = {} if row is None else {p.name: p for p in row.properties if p.verdict is not Verdict.UNKNOWN}
    if row is not None and row.verdict is Swept.ERROR:
        return row
    judged, by = [], dict[int, None]()
    for name, kind in group.kinds.items():
        verdict, source = group.sources(place, name)
        if name in own:
            judged.append(own[name])
        elif kind != FAILURE or verdict is not Verdict.HOLDS:
            judged.append(Judged(name, Swept.IMPLIED if verdict is Verdict.HOLDS else verdict or Verdict.UNKNOWN, None))
            by.update({source: None} if source is not None else {})
    verdict = _verdict({p.verdict for p in judged}, row is not None and row.verdict is Verdict.VACUOUS)
    if row is not None:
        return evolve(row, verdict=verdict, exit_code=verdict.exit_code, properties=tuple(judged))
    given = [configurations[i].given for i in by]
    sources = " and ".join(" ".join(f"{n}={values[n]}" for n in ORDERED if n in values) for values in given)
    note = f"implied by {sources}" if by else "larger than one that was not decided"
    known = verdict if verdict is Verdict.INCONCLUSIVE else Swept.IMPLIED
    return Row(configurations[place], known, verdict.exit_code, tuple(judged), why=note)


def _verdict(of_properties: Set[Verdict | Swept], vacuous: bool) -> Verdict:
    if of_properties & set(REFUTED):
        return Verdict.VIOLATED
    if Verdict.UNKNOWN in of_properties:
        return Verdict.INCONCLUSIVE
    return Verdict.VACUOUS if vacuous or Swept.UNTESTED in of_properties else Verdict.HOLDS


def _searched(task: Task, waiting: dict[int, Configuration], jobs: int) -> Found:
    """Rows as they are done, each with its place and with the configurations that are searched at that time."""
    if jobs == 1:
        for place, configuration in waiting.items():
            yield place, search_one(task, configuration), []
        return
    with closing(each_done(partial(search_one, task), waiting, jobs)) as found:
        for place, row, running in found:
            yield place, row, [waiting[i] for i in running]


def _require_reducible(limits: Limits) -> None:
    """Raise UsageError for options that need all states of each configuration up to a distance."""
    if limits.max_depth is not None:
        what = "--max-depth asks about every state, and --reduce leaves some out"
        raise UsageError(what, remedy="Leave out one of the two.")


def _examined(task: Task, configuration: Configuration) -> tuple[Examined, str]:
    """The check of a configuration, and why it was searched in full although a reduced search was requested."""
    search = partial(
        examine,
        find(task.reference).cls,
        task.reference,
        dict(configuration.given),
        only=task.only if configuration.only is None else configuration.only,
        engine=task.engine,
        limits=task.limits.begun(),
        stop_at_first=task.stop_at_first,
        traces=False,
        count_outcomes=not task.implied,
    )
    if not task.reduce:
        return search(), ""
    try:
        return search(reduce=True), ""
    except Irreducible as why:
        if task.or_not:
            raise
        return search(), f"searched in full; {why.message}"


def search_one(task: Task, configuration: Configuration) -> Row:
    """The row of one configuration.  A model that is wrong as written is a row, not an exception."""
    start = time.monotonic()
    try:
        examined, in_full = _examined(task, configuration)
        report = examined.report
        if task.strict or configuration.fewer:
            examined = with_states(examined)
        fewer = read_off(examined, configuration.fewer, task.strict) if configuration.fewer else []
        if task.strict and examined.explored.complete:  # else no condition is known never to be true
            report = with_conditions(examined, True)
    except UsageError as error:
        return Row(configuration, Swept.ERROR, USAGE, seconds=time.monotonic() - start, error=error)
    if report.bound is Bound.INTERRUPTED:
        raise KeyboardInterrupt  # the whole sweep is meant
    return _row(configuration, report, tuple(fewer), in_full)


def _row(configuration: Configuration, report: Report, fewer: tuple[Fewer, ...], in_full: str) -> Row:
    """The row of a report.  A violation that only a reduced search reached has no steps: a shorter run may exist."""
    reduced = bool(report.reduced)
    never = {f.subject for f in report.findings if f.kind == "never-tested"}
    untested = {p.name for p in report.properties if p.name in never and p.verdict is Verdict.HOLDS}
    words = ((p.name, Swept.UNTESTED if p.name in untested else p.verdict, p.steps) for p in report.properties)
    judged = tuple(Judged(name, word, None if reduced else steps) for name, word, steps in words)
    hollow = [f"{f.kind} {f.subject}" for f in report.findings] if report.verdict is Verdict.VACUOUS else []
    note = ", ".join([*hollow, *[in_full] * bool(in_full)])
    counts = report.distinct, report.transitions, report.depth, report.outcomes, sum(report.seconds.values())
    verdict, code = report.verdict, report.exit_code
    return Row(configuration, verdict, code, judged, *counts, report.bound, note, fewer, report.validation, reduced)
