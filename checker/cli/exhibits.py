"""The runs of the gallery: one for every expected violation of every model.

Among the configurations that a class states for a property the smallest is used (the fewest processes, messages and
faults together; then the fewest processes).  A property that the run of an earlier one violates too has no run of its
own, but is named beside it. A run for an expectation marked thorough takes long to find; a stored run is used if the
interpreter can still execute it, and explained again, unless a thorough search is requested.

The stored runs have no line numbers and no versions, so that the gallery can be made again byte for byte.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from attrs import evolve

from checker.analysis.check import check
from checker.analysis.stored_trace import explained_again, replay
from checker.analysis.verify import cases
from checker.analysis.workers import each_done
from checker.catalogue import catalogue, family, find
from checker.language.constants import BUDGETS
from checker.language.define import define
from checker.language.errors import UsageError
from checker.replay.base import kind_of
from checker.replay.traced import place_of_action
from checker.report.directory import stored
from checker.report.gallery_pages import RUN, Exhibit, place_of
from checker.report.wording import is_decisive
from checker.results.verdict import Verdict
from checker.results.verified import Case
from checker.trace.trace import Step, Trace
from checker.wording import first_paragraph


def exhibits(directory: Path, names: Iterable[str] = (), jobs: int = 1, thorough: bool = False) -> list[Exhibit]:
    """The runs of the named models; a name stands for a model with its edits (default: all models).  `jobs` processes
    search.

    A stored run that takes long to find is used if it is still correct, unless `thorough` is set. Raises UsageError if
    a model cannot be read, or no longer violates the properties that it expects to violate.
    """
    asked = references(names)
    of = partial(exhibits_of, kept=None if thorough else directory)
    if jobs == 1:
        return [e for reference in asked for e in of(reference)]
    found = {reference: exhibits for reference, exhibits, _ in each_done(of, {name: name for name in asked}, jobs)}
    return [e for reference in asked for e in found[reference]]


def exhibits_of(reference: str, kept: Path | None = None) -> list[Exhibit]:
    """The runs of one class, in the order of its properties.  kept: the folder with stored runs."""
    entry = find(reference)
    chosen = _smallest(cases(entry, thorough=True))
    shown: list[Exhibit] = []
    for name, case in chosen.items():
        if any(name in e.also for e in shown):
            continue
        trace = _kept(case, name, kept) or _run(case, name)
        same = next((i for i, e in enumerate(shown) if _steps(e.trace) == _steps(trace)), None)
        if same is not None:
            shown[same] = evolve(shown[same], also=(*shown[same].also, name))
            continue
        known = {n for e in shown for n in (e.trace.property, *e.also)} | {name}
        also = tuple(n for n, its in chosen.items() if its is case and n not in known and _shows(trace, n, case))
        shown.append(exhibit_of(trace, also, tuple(case.label.removeprefix(reference).split())))
    return shown


def exhibit_of(trace: Trace, also: tuple[str, ...] = (), constants: tuple[str, ...] = ()) -> Exhibit:
    """A run with the first paragraph of its class's docstring (the edit, the reading, the protocol as printed), and
    that of its property.
    """
    cls = find(trace.reference).cls
    own = next((p for p in getattr(cls, "properties", []) if p.__name__ == trace.property), None)
    meaning = inspect.getdoc(getattr(cls, trace.property, None)) if own is None else vars(own).get("__doc__")
    return Exhibit(trace, _paragraph(vars(cls).get("__doc__")), _paragraph(meaning), kind_of(cls), also, constants)


def _paragraph(text: str | None) -> str:
    return first_paragraph(inspect.cleandoc(text or ""))


def _steps(trace: Trace) -> tuple[Any, ...]:
    return trace.constants, trace.loop, *((step.action, step.args) for step in trace.steps)


def references(names: Iterable[str]) -> list[str]:
    if names := list(names):
        return list(dict.fromkeys(e.reference for name in names for e in family(name)))
    found = catalogue()
    if found.problems:
        raise found.problems[0]
    return [e.reference for e in found.entries]


def _smallest(stated: Iterable[Case]) -> dict[str, Case]:
    """For each property that some case expects to be violated, the smallest such case, in the order of the class."""
    found: dict[str, tuple[tuple[int, ...], Case]] = {}
    order: list[str] = []
    for number, case in enumerate(stated):
        definition = define(case.cls, case.expectation.at)
        order = order or [p.name for p in definition.properties]
        for name in case.expectation.violated:
            size = (case.expectation.thorough, *_size(definition.constants), number)
            if name not in found or size < found[name][0]:
                found[name] = (size, case)
    return {name: found[name][1] for name in sorted(found, key=lambda n: order.index(n) if n in order else len(order))}


def _size(constants: Mapping[str, Any]) -> tuple[int, int, int]:
    """Processes, messages and faults together; processes; processes and messages."""
    processes, messages = constants.get("processes", 0), sum(constants.get("workload", ()))
    return processes + messages + sum(constants.get(name, 0) for name in BUDGETS), processes, processes + messages


def _kept(case: Case, name: str, directory: Path | None) -> Trace | None:
    """The stored run of a case marked thorough, if it is still a run of the model."""
    file = None if directory is None else directory / (place_of(case.reference, name) + RUN)
    if file is None or not case.expectation.thorough or not file.exists():
        return None
    trace = stored(str(file))
    constants = define(case.cls, case.expectation.at, [name]).constants
    same = (trace.reference, trace.property, dict(trace.constants)) == (case.reference, name, dict(constants))
    return _placed(explained_again(trace), case) if same and replay(trace).confirmed else None


def _run(case: Case, name: str) -> Trace:
    """The shortest run that violates the property, without details that change when the file around the model is
    edited.
    """
    report = check(case.cls, case.reference, case.expectation.at, only=[name], count_outcomes=False)
    found = next((p.trace for p in report.properties if p.name == name and p.verdict is Verdict.VIOLATED), None)
    if found is None:
        raise UsageError(
            f"{case.label} should violate {name}, but does not",
            str(case.file),
            remedy=f"checker verify {case.reference}",
        )
    return _placed(evolve(found, version=""), case)


def _placed(trace: Trace, case: Case) -> Trace:
    """The run with the place of one action only, where no other place names the line to look at first."""
    actions = {a.name: a.function for a in define(case.cls, case.expectation.at, []).actions}

    def place(step: Step) -> tuple[str, int] | None:
        function = actions.get(step.action) if is_decisive(trace, step) else None
        return place_of_action(function) if function else None

    return evolve(trace, steps=[evolve(step, source=place(step)) for step in trace.steps])


def _shows(trace: Trace, name: str, case: Case) -> bool:
    """Whether the run violates another property as well, as far as its states show."""
    kind = define(case.cls, case.expectation.at, [name]).properties[0].kind
    return kind != "leads-to" and replay(evolve(trace, property=name, kind=kind)).confirmed
