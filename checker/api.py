"""The functions for programs and notebooks: `import checker`, then `checker.check(MyModel, workload=(2, 1))`.

A model is given as a class, as a name or a reference of the command line, or as the path of a file.  Constants are
given by name; a constant with the name of an option is given in `constants={...}`.  Each function returns the value
that the command of its name prints, and raises UsageError where the command ends with exit code 2.

Large modules are imported by the function that needs them, as on the command line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from checker import displayed
from checker.catalogue import catalogue
from checker.given import Reference, at_least_one, constants_of, model_entry, names_of, not_together, several_of
from checker.language.errors import Undecided as Undecided
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.placed import LOCAL, Size, limits_of, placement_of
from checker.report import notebook
from checker.results.checked import Report
from checker.trace.trace import Trace

if TYPE_CHECKING:
    from checker.analysis.check import Examined
    from checker.analysis.graph.query import Graph
    from checker.results.configurations import FamilyComparison
    from checker.results.found import Search, Simulation
    from checker.results.latency import Survey
    from checker.results.proof import Proof
    from checker.results.sweep import Sweep

Engine = Literal["native", "interpreter", "spark"]


def model(reference: Reference) -> type[Model]:
    """The model class that a name, a reference (`isis:NoTieBreak`) or a path means."""
    return model_entry(reference).cls


def names() -> list[str]:
    """The references of all models known by name."""
    return [entry.reference for entry in catalogue().entries]


def check(
    model: Reference,
    *,
    constants: Mapping[str, Any] | None = None,
    properties: Sequence[str] | None = None,
    engine: Engine = "native",
    threads: int = 1,
    everything: bool = False,
    strict: bool = False,
    reduce: bool = False,
    max_depth: int | None = None,
    max_states: int | None = None,
    max_seconds: float | None = None,
    max_memory: Size | None = None,
    spill: str | Path | None = None,
    workdir: str | Path | None = None,
    master: str = LOCAL,
    worker_memory: Size | None = None,
    handover: int | None = None,
    **values: Any,
) -> Report:
    """Explore every reachable state and report each property.

    everything: go on after a violation.  strict: a property that holds only vacuously gets the verdict "vacuous".
    reduce: leave out steps that do not change the verdicts.  max_memory: states beyond this memory go to a local disk
    (to the directory `spill`, if it is given).  workdir: a path or a URL where every finished level is kept; `resume`
    continues from it.  engine="spark": search on the active session, else on `master`; worker_memory: the memory of
    each worker, beyond which its states go to its disk; handover: the size of a level from which the search continues
    on Spark (0: from the first level).
    """
    from checker.analysis.check import examine

    not_together(strict=strict, reduce=reduce)
    entry = model_entry(model)
    examined = examine(
        entry.cls,
        entry.reference,
        constants_of(constants, values),
        only=names_of(properties),
        engine=engine,
        threads=threads,
        limits=limits_of(max_depth, max_states, max_seconds, max_memory),
        stop_at_first=not everything,
        reduce=reduce,
        placement=placement_of(engine, max_memory, spill, workdir, master, worker_memory, handover),
    )
    return _tested(examined) if strict else examined.report


def resume(
    workdir: str | Path,
    *,
    engine: Engine = "native",
    threads: int = 1,
    max_depth: int | None = None,
    max_states: int | None = None,
    max_seconds: float | None = None,
    max_memory: Size | None = None,
    spill: str | Path | None = None,
    master: str = LOCAL,
    worker_memory: Size | None = None,
    handover: int | None = None,
) -> Report:
    """Continue a search that `check(..., workdir=...)` or the command line has kept, with any engine that keeps levels,
    any number of threads, other limits.
    """
    from checker.analysis.check import examine
    from checker.engines.committed import stored_search

    stored = stored_search(workdir)
    return examine(
        stored.entry.cls,
        stored.entry.reference,
        stored.constants,
        only=stored.only,
        engine=engine,
        threads=threads,
        limits=limits_of(max_depth, max_states, max_seconds, max_memory),
        stop_at_first=stored.stop_at_first,
        placement=placement_of(engine, max_memory, spill, workdir, master, worker_memory, handover, resume=True),
        reduce=stored.reduced,
    ).report


def outcomes(
    model: Reference,
    *,
    constants: Mapping[str, Any] | None = None,
    engine: Engine = "native",
    threads: int = 1,
    reduce: bool = False,
    max_states: int | None = None,
    max_seconds: float | None = None,
    **values: Any,
) -> list[dict[str, Any]]:
    """The values of the outcome variables in quiescent states.  reduce: reduce the search."""
    from checker.analysis.check import outcomes as run

    limits, settings = limits_of(None, max_states, max_seconds), constants_of(constants, values)
    return run(model_entry(model).cls, settings, engine=engine, threads=threads, reduce=reduce, limits=limits)


def graph(
    workdir: str | Path,
    *,
    against: str | Path | None = None,
    predicates: Mapping[str, str] | None = None,
    master: str | None = None,
) -> Graph:
    """The explored graph that a search has kept (`check --workdir DIR`), for questions in SQL: `.frame(sql)` is a data
    frame of pandas, `.arrow(sql)` a table of pyarrow, `.rows(sql)` has plain rows.  against: another search, for
    example of an edit; predicates: further columns of states by name, in the names of the model; master: the Spark that
    answers.
    """
    from checker.analysis.graph.query import open_graph

    return open_graph(workdir, against, master=master, predicates=predicates)


def find(
    model: Reference,
    predicate: str,
    *,
    constants: Mapping[str, Any] | None = None,
    at_end: bool = False,
    engine: Engine = "native",
    threads: int = 1,
    reduce: bool = False,
    max_states: int | None = None,
    max_seconds: float | None = None,
    **values: Any,
) -> Search:
    """A shortest run to a state that satisfies a predicate, for example `"len(delivered[p1]) == 2"`.  at_end: only
    quiescent states count; reduce: a reduced search decides whether there is such a state.
    """
    from checker.analysis.find import find_state

    entry = model_entry(model)
    return find_state(
        entry.cls,
        entry.reference,
        predicate,
        constants_of(constants, values),
        at_end=at_end,
        engine=engine,
        threads=threads,
        reduce=reduce,
        limits=limits_of(None, max_states, max_seconds),
    )


def simulate(
    model: Reference,
    *,
    constants: Mapping[str, Any] | None = None,
    properties: Sequence[str] | None = None,
    runs: int = 10_000,
    steps: int = 1_000,
    seed: int = 0,
    max_seconds: float | None = None,
    **values: Any,
) -> Simulation:
    """Random walks, where there are too many states to explore."""
    from checker.analysis.simulate import simulation

    entry, limits = model_entry(model), limits_of(None, None, max_seconds)
    only = names_of(properties)
    settings = constants_of(constants, values)
    return simulation(
        entry.cls,
        entry.reference,
        settings,
        only=only,
        runs=at_least_one("runs", runs),
        depth=at_least_one("steps", steps),
        seed=seed,
        limits=limits,
    )


def prove(
    model: Reference,
    *,
    constants: Mapping[str, Any] | None = None,
    properties: Sequence[str] | None = None,
    using: Sequence[str] = (),
    depth: int = 3,
    timeout: float | None = None,
    **values: Any,
) -> Proof:
    """Invariants for runs of every length, by induction.  using: other properties, which are assumed."""
    from checker.analysis.prove.prove import prove as run

    entry, settings = model_entry(model), constants_of(constants, values)
    only = names_of(properties)
    return run(entry.cls, entry.reference, settings, properties=only, using=using, depth=depth, timeout=timeout)


def latency(
    model: Reference,
    *,
    constants: Mapping[str, Any] | None = None,
    until: str = "deliver",
    threads: int = 1,
    max_seconds: float | None = None,
    **values: Any,
) -> Survey:
    """The least and the greatest time and number of messages that a delivery takes, over all runs."""
    from checker.analysis.latency.survey import survey

    entry, limits = model_entry(model), limits_of(None, None, max_seconds)
    settings = constants_of(constants, values)
    return survey(entry.cls, entry.reference, settings, until=until, threads=threads, limits=limits, slowest=True)


def compare(
    before: Reference,
    after: Reference,
    *,
    constants: Mapping[str, Any] | None = None,
    here: bool = False,
    within: float | None = None,
    events: float = 10.0,
    engine: Engine = "native",
    threads: int = 1,
    reduce: bool | None = None,
    max_seconds: float | None = None,
    **values: Any,
) -> FamilyComparison:
    """The effects of an edit: changed methods, states, properties and events, and the step that causes each difference.

    The comparison covers the default constants and all that the two models state in `expect`, the smallest first, for
    `within` seconds (30, and no more than 2 once a property is broken).  With constants given, or here=True for the
    defaults, it covers that configuration alone.  events: seconds for the sequences of events of each.  reduce: reduce
    the searches for verdicts and outcomes; None: those of more than 6 million states.
    """
    from checker.analysis.compare.several import compare_family
    from checker.analysis.compare.side import Side
    from checker.analysis.compare.stated import stated

    first, second = (Side(e.cls, e.reference) for e in (model_entry(before), model_entry(after)))
    limits, given = limits_of(None, None, max_seconds), constants_of(constants, values)
    wanted = [given] if given or here else stated(first.cls, second.cls)
    how: Any = {"engine": engine, "threads": threads, "limits": limits, "event_seconds": events, "reduce": reduce}
    return compare_family(first, second, wanted, asked=bool(given), within=within, **how)


def sweep(
    model: Reference,
    *,
    constants: Mapping[str, Sequence[Any]] | None = None,
    properties: Sequence[str] | None = None,
    engine: Engine = "native",
    everything: bool = False,
    implied: bool = False,
    reduce: bool = False,
    jobs: int = 1,
    max_states: int | None = None,
    max_seconds: float | None = None,
    **values: Sequence[Any],
) -> Sweep:
    """Check every combination of constants, each given with its values: `crashes=[0, 1]`, `workload=[(1, 1), (2, 1)]`.

    The model must be in a file, because the searching processes read it there.  reduce: reduce each search that can be
    reduced; the other searches are full ones.
    """
    from checker.analysis.sweep.sweep import sweep as run

    entry = model_entry(model)
    if not entry.file.is_file():
        raise UsageError(f"{entry.reference} stands in no file, and the processes of a sweep read one")
    return run(
        entry.reference,
        several_of(constants_of(constants, values)),
        only=names_of(properties),
        engine=engine,
        limits=limits_of(None, max_states, max_seconds),
        stop_at_first=not everything,
        implied=implied,
        reduce=reduce,
        jobs=at_least_one("jobs", jobs),
    )


def _tested(examined: Examined) -> Report:
    """The report with the coverage of conditions: a property that holds vacuously is not called `holds`."""
    from checker.analysis.coverage import with_coverage
    from checker.analysis.vacuity.states import with_states

    return with_coverage(with_states(examined), strict=True)


def write_report(found: Report | Trace, out: str | Path) -> list[Path]:
    """Write a run, or each run of a report, into a folder as `--out` does: a page, a diagram, text, Markdown, and a
    trace that `read_trace`, `checker replay` and `checker explain` read.  Returns the files; none if a report has no
    run.
    """
    from checker.analysis.explain import background_if_known
    from checker.report.directory import ReportDirectory
    from checker.report.written import unwritten

    if not isinstance(found, Trace | Report):
        raise UsageError(f"write_report writes a Report or a Trace, and this is a {type(found).__name__}")
    unwritten.clear()  # files that an earlier call or command could not write are no error of this call
    directory = ReportDirectory(str(out), background_if_known)
    files = [directory.write_trace(found)] if isinstance(found, Trace) else directory.write(found).values()
    paths = [path for written in files for path in written]
    if unwritten:
        raise unwritten[0]
    return paths


def read_trace(path: str | Path) -> Trace:
    """A stored run: its file, `trace.itf.json`, or the folder that holds it, as `checker show` takes it."""
    from checker.report.directory import stored

    return stored(str(path))


def _text(found: Any) -> str:
    """The text of a result, as `print` shows it."""
    from checker.report.printed import text

    return text(found)


displayed.text.append(_text)
displayed.html[Report] = notebook.report_html
displayed.html[Trace] = notebook.trace_html
displayed.svg[Trace] = notebook.trace_svg
