"""A check held against the oracle: verdicts of leads-to properties, and the runs that are shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

from checker.analysis.check import check
from checker.language.define import define
from checker.language.definition import PropertyDefinition
from checker.language.model import Model
from checker.replay.plain import plain, plain_raw
from checker.results.checked import Report
from checker.trace.trace import Trace
from tests.search.liveness.fair_runs import Judged, Runs, fair, judge, runs, truth

MOST = 1500
"""States of a model that is compared."""


@frozen
class Expected:
    """What the oracle says of a model: all runs, and of each leads-to property the verdict with what its run is like,
    and the property for that value of its parameters."""

    runs: Runs
    judged: Mapping[str, Judged]
    properties: Mapping[str, PropertyDefinition]

    def verdict(self, name: str) -> str:
        """Of one property, when every state is looked at."""
        if self.runs.cut:
            return "unknown"
        return "holds" if self.judged[name].start is None else "violated"


def expected(cls: type[Model], constants: Mapping[str, Any] | None = None) -> Expected:
    """TooLarge for a model with too many states."""
    definition = define(cls, constants)
    found = runs(definition, MOST)
    judged, properties = {}, {}
    for p in (p for p in definition.properties if p.kind == "leads-to"):
        for values in p.values():  # a leads-to for each; the first that is broken counts
            if p.name not in judged or judged[p.name].start is None:
                properties[p.name] = p.at(values)
                judged[p.name] = judge(found, *truth(found, properties[p.name]))
    return Expected(found, judged, properties)


def differences(cls: type[Model], oracle: Expected, **how: Any) -> Iterator[str]:
    """What a complete check says otherwise than the oracle."""
    report = check(cls, "", stop_at_first=False, count_outcomes=False, **how)
    yield from in_report(report, oracle)


def in_report(report: Report, oracle: Expected) -> Iterator[str]:
    """What a report of a complete check says otherwise than the oracle."""
    if any(f.kind == "whole-runs-cut" for f in report.findings) != bool(oracle.runs.cut):
        yield "finding whole-runs-cut"
    for p in report.properties:
        if p.kind != "leads-to":
            continue
        if p.verdict != oracle.verdict(p.name):
            yield f"{p.name} {p.verdict}, by the oracle {oracle.verdict(p.name)}"
        elif p.verdict == "violated":
            assert p.trace is not None
            property = oracle.properties[p.name]
            reason = no_counterexample(oracle, property, p.trace) or _not_as_promised(
                oracle.runs, oracle.judged[p.name], p.trace
            )
            if reason is not None:
                yield f"the run shown for {p.name} {reason}"


def _plain(all_runs: Runs, values: tuple[Any, ...]) -> tuple[str, ...]:
    return tuple(repr(plain_raw(v.domain, raw)) for v, raw in zip(all_runs.definition.variables, values))


def no_counterexample(oracle: Expected, property: PropertyDefinition, trace: Trace) -> str | None:
    """Why a run that is shown does not break a property; None if it does.  A handler does not name all of its message:
    a step may be any that looks like it."""
    all_runs = oracle.runs
    numbers = {_plain(all_runs, state): i for i, state in enumerate(all_runs.states)}
    try:
        states = [numbers[tuple(repr(s[v.name]) for v in all_runs.definition.variables)] for s in trace.states]
    except KeyError:
        return "has a state that cannot be reached"
    if all_runs.levels[states[0]] != 0:
        return "begins in a state that is no initial one"
    taken = []
    for before, after, step in zip(states, states[1:], trace.steps):
        alike = [
            e
            for e in all_runs.edges[before]
            if e.target == after and e.name == step.action and {n: plain(v) for n, v in e.arguments} == dict(step.args)
        ]
        if not alike:
            return f"has a step that there is not, {step.number}"
        taken.append({e.instance for e in alike if e.weakly_fair})
    when, then = truth(all_runs, property)
    if not any(when[s] and not any(then[t] for t in states[i:]) for i, s in enumerate(states)):
        return "owes nothing at its end"
    if trace.loop is None:
        return None if all_runs.ends[states[-1]] else "stops where something must happen"
    if trace.loop == len(states) - 1 or states[trace.loop] != states[-1]:
        return "does not come back"
    weakly_fair = fair(all_runs, states[trace.loop : -1], taken[trace.loop :])
    return None if weakly_fair is None else f"is not fair to {weakly_fair}"


def _not_as_promised(all_runs: Runs, judged: Judged, trace: Trace) -> str | None:
    """The first state from which a run breaks the property is come to as early as can be, and the end or the cycle as
    soon as can be from there."""
    assert judged.start is not None
    until = len(trace.steps) if trace.loop is None else trace.loop
    best = all_runs.levels[judged.start] + judged.stem
    return None if until == best else f"takes {until} steps to its end or its cycle, not {best}"
