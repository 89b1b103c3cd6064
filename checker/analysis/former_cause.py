"""The CAUSE of a violation that a change brings: the first step of its run that the model before the change does not
allow.

Where a change is known (`--since`), its runs are followed in the former version of the model, in the interpreter. Where
the model that an edit edits breaks the property too, the mark against that model tells nothing of the change, so the
former version is asked first; of a new edit, the former version of the model that it edits.  A mark against that model
as it is today is kept where the former version marks no step.

Where it stops: after MOST results, and after SECONDS of the search whether the former version breaks the property, too;
a former version that cannot be read or followed marks nothing.
"""

from __future__ import annotations

from attrs import evolve

from checker.analysis.before_edit import steps_before
from checker.analysis.compare.revision import at_revision
from checker.analysis.since import Touched
from checker.analysis.stored_trace import execute
from checker.catalogue import Entry, entry_of, find
from checker.engines.request import Request
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.replay.base import base_of
from checker.replay.marked import broken_too, has_cause, unmarked
from checker.replay.replay import Replay
from checker.results.checked import PropertyReport
from checker.results.review import unexpected_properties
from checker.results.verified import Verified
from checker.search.limits import Limits

MOST, SECONDS = 20, 5.0


class FormerCauses:
    """Marks the unexpected violations of results, as many as there is time for."""

    def __init__(self, change: Touched) -> None:
        self._change, self._left = change, MOST

    def marked(self, result: Verified) -> Verified:
        """The result with the CAUSE of each unexpected violation, as far as it is known."""
        wrong = [p.name for p in unexpected_properties(result) if p.trace is not None]
        if result.report is None or not wrong or not self._left:
            return result
        new = self._is_new(result)
        if new and all(p.trace is not None and has_cause(p.trace) for p in unexpected_properties(result)):
            return result
        if (entry := _edited(result) if new else find(result.case.reference)) is None:
            return result
        self._left -= 1
        try:
            with at_revision(entry, self._change.commit) as former:
                properties = [
                    marked_against(p, former.entry.cls) if p.name in wrong else p for p in result.report.properties
                ]
        except UsageError:  # the former version is not there, or cannot be read
            return result
        if all(p.trace is before.trace for p, before in zip(properties, result.report.properties)):
            return result
        return evolve(result, report=evolve(result.report, properties=tuple(properties)), in_change=not new)

    def _is_new(self, result: Verified) -> bool:
        name = result.case.cls.__name__
        return any(part.new and part.name == part.owner == name for part in self._change.parts[result.case.reference])


def _edited(result: Verified) -> Entry | None:
    """The model that a class edits, where no revision has the class itself."""
    base = base_of(result.case.cls)
    return None if base is None else entry_of(base)


def marked_against(found: PropertyReport, former: type[Model], alone: bool = False) -> PropertyReport:
    """The violation with its CAUSE, if it is a behaviour of its model that can be followed in the former version.
    alone: a CAUSE against the model that it edits is not kept.
    """
    trace = found.trace
    if trace is None:
        return found
    try:
        run = execute(trace, whole=True)
    except UsageError:
        return found
    if run.differs is not None:
        return found
    states = run.states if run.failed is None else (*run.states, run.states[-1])
    request = Request(run.interpreter.definition, trace.reference, None, limits=Limits(max_seconds=SECONDS))
    replay = Replay(
        run.interpreter,
        trace.reference,
        trace.engine,
        former,
        False,
        lambda name: steps_before(former, [name], request).get(name),
    )
    marked = replay.with_cause(unmarked(trace, None if run.failed is None else run.failed.failure), states)
    told = alone or has_cause(marked) or not has_cause(trace) and bool(marked.former or broken_too(marked))
    return evolve(found, trace=marked) if told else found
