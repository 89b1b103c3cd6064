"""A comparison as JSON data."""

from __future__ import annotations

from typing import Any

from checker.commands.json_output import plain_data, report_data, trace_data
from checker.compare.behaviours import BehaviourDifference, Separation
from checker.compare.comparison import Comparison, OutcomeRun, PropertyChange
from checker.compare.cost_table import cost_data
from checker.compare.rules import rule_data
from checker.compare.summary import summary


def comparison_data(c: Comparison) -> dict[str, Any]:
    """Everything in the comparison; traces as ITF documents."""
    found = c.outcomes
    return {
        "base": c.before.label,
        "edit": c.after.label,
        "constants": dict(c.constants),
        "verdict": c.verdict,
        "exit_code": c.exit_code,
        "warnings": list(c.warnings),
        "undecided": list(c.undecided),
        "open": c.left_open or None,
        "validation": None if c.validation is None else c.validation.data(),
        "summary": [[key, text] for key, text, _ in summary(c)],
        "source": [
            {"kind": d.kind, "name": d.name, "before": d.before, "after": d.after, "diff": d.diff} for d in c.sources
        ],
        "rules": [rule_data(r) for r in c.rules],
        "properties": [_property(p) for p in c.properties],
        "outcomes": None
        if found is None
        else {
            "before": found.before,
            "after": found.after,
            "added": [_run(r) for r in c.added],
            "removed": [_run(r) for r in c.removed],
        },
        "steps": None
        if c.steps is None
        else {
            "states": c.steps.looked,
            "complete": c.steps.complete,
            "added": None if c.steps.added is None else trace_data(c.steps.added),
            "removed": None if c.steps.removed is None else trace_data(c.steps.removed),
        },
        "behaviours": None if c.behaviours is None else _behaviours(c.behaviours),
        "costs": None if c.costs is None else cost_data(*c.costs),
        "reports": {"base": _counts(report_data(c.base, {})), "edit": _counts(report_data(c.edit, {}))},
    }


def _behaviours(found: BehaviourDifference) -> dict[str, Any]:
    def one(separation: Separation | None) -> dict[str, Any] | None:
        return (
            None if separation is None else {"events": list(separation.events), "trace": trace_data(separation.trace)}
        )

    return {
        "sets": found.sequences,
        "complete": found.complete,
        "states": list(found.states),
        "left_out": list(found.left_out),
        "unexplored": found.unexplored or None,
        "added": one(found.added),
        "removed": one(found.removed),
    }


def _property(p: PropertyChange) -> dict[str, Any]:
    cause = None if p.trace is None else next((s.number for s in p.trace.steps if s.cause), None)
    trace = None if p.trace is None else trace_data(p.trace)
    return {
        "name": p.name,
        "kind": p.kind,
        "before": p.before,
        "after": p.after,
        "change": p.change,
        "cause": cause,
        "note": p.note,
        "trace": trace,
    }


def _run(run: OutcomeRun) -> dict[str, Any]:
    example = {n: plain_data(v) for n, v in run.kind.example.items()}
    trace = None if run.trace is None else trace_data(run.trace)
    return {"count": run.kind.count, "example": example, "steps": run.kind.steps, "note": run.note, "trace": trace}


def _counts(report: dict[str, Any]) -> dict[str, Any]:
    """A report without its traces: those that matter are named above."""
    return {k: v for k, v in report.items() if k != "properties"}
