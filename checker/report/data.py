"""Results as JSON data, and where it is written.  Names are those of the reports; times in seconds, memory in bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import fields, has

from checker.language.errors import UsageError
from checker.report.written import write_file

if TYPE_CHECKING:
    from checker.analysis.check import PropertyReport, Report
    from checker.analysis.listing import ModelListing
    from checker.analysis.verify import Verified
    from checker.trace.trace import Trace

Files = Mapping[str, list[Path]]


def write(target: str, data: Any) -> None:
    """Write JSON to a file, or to standard output for "-"."""
    write_file(target, json.dumps(data, indent=1, ensure_ascii=False) + "\n", "--json")


def error_data(error: UsageError) -> dict[str, Any]:
    """An error as data; further ones of the same model stand under "others"."""
    first, *others = [
        {"message": e.message, "file": e.file, "line": e.line, "fragment": e.fragment, "remedy": e.remedy}
        for e in (error, *getattr(error, "others", ()))
    ]
    return {"error": {**first, "others": others}, "exit_code": error.exit_code}


def report_data(report: Report, files: Files) -> dict[str, Any]:
    """A check as data."""
    return {
        "model": report.model,
        "reference": report.reference,
        "constants": dict(report.constants),
        "engine": report.engine,
        "verdict": report.verdict,
        "exit_code": report.exit_code,
        "distinct": report.distinct,
        "transitions": report.transitions,
        "depth": report.depth,
        "initial": report.initial,
        "quiescent": report.quiescent,
        "cut": report.cut,
        "outcomes": report.outcomes,
        "properties": [_property(p, files.get(p.name, [])) for p in report.properties],
        "actions": [
            {"name": a.name, "enabled": a.enabled, "fired": a.fired, "first_level": a.first_level, "fault": a.fault}
            for a in report.actions
        ],
        "findings": [{"kind": f.kind, "subject": f.subject, "text": f.text} for f in report.findings],
        "warnings": list(report.warnings),
        "levels": list(report.levels),
        "seconds": {k: round(v, 4) for k, v in report.seconds.items()},
        "peak_memory": report.peak_memory,
        "bound": report.bound,
        "coverage": report.coverage,
        "validation": None if report.validation is None else report.validation.data(),
        **_on_request(report),
    }


def _on_request(report: Report) -> dict[str, Any]:
    """What only some checks have."""
    from checker.report.vacuity import conditions_data, guards_data, profile_data

    found: dict[str, Any] = {} if report.conditions is None else {"conditions": conditions_data(report.conditions)}
    found |= {} if report.guards is None else {"guards": guards_data(report.guards)}
    return found if report.profile is None else {**found, "profile": profile_data(report.profile)}


def _property(p: PropertyReport, files: list[Path]) -> dict[str, Any]:
    trace = None if p.trace is None else trace_data(p.trace)
    return {
        "name": p.name,
        "kind": p.kind,
        "verdict": p.verdict,
        "steps": p.steps,
        "reason": p.reason or None,
        "trace": trace,
        "files": [str(f) for f in files],
    }


def trace_data(trace: Trace) -> dict[str, Any]:
    """A trace as an ITF document."""
    from checker.trace.itf import to_itf

    return dict(json.loads(to_itf(trace)))


def listing_data(model: ModelListing) -> dict[str, Any]:
    """A listed model with its edits as data."""
    constants = [
        {"name": c.name, "default": c.default, "meaning": c.meaning, "choices": list(c.choices)}
        for c in model.constants
    ]
    return {
        "reference": model.reference,
        "summary": model.summary,
        "file": model.file,
        "edit_of": model.edit_of,
        "constants": constants,
        "properties": [{"name": n, "kind": k} for n, k in model.properties],
        "outcome": list(model.outcome),
        "expectations": model.expectations,
        "edits": [listing_data(e) for e in model.edits],
    }


def verified_data(result: Verified, files: Files) -> dict[str, Any]:
    """A verified expectation as data."""
    case = result.case
    expected = {
        "violated": list(case.expectation.violated),
        "at": dict(case.expectation.at),
        "only": None if case.expectation.only is None else list(case.expectation.only),
    }
    numbers = {n: getattr(case.expectation, n) for n in ("steps", "distinct", "transitions", "depth")}
    expected |= {n: v for n, v in numbers.items() if v is not None} | (
        {"within": list(case.expectation.within)} if case.expectation.within else {}
    )
    return {
        "reference": case.reference,
        "expected": expected,
        "met": result.met,
        "mismatches": list(result.mismatches),
        "undecided": list(result.undecided),
        "hollow": [{"kind": f.kind, "subject": f.subject, "text": f.text} for f in result.hollow],
        "report": None if result.report is None else report_data(result.report, files),
    }


def as_data(value: Any, names: str = "") -> Any:
    """A result as JSON data: values with fields become objects with those names (default: all fields), traces ITF
    documents, plain values of a trace as `plain_data` has them."""
    from checker.trace.trace import Trace
    from checker.trace.values import FrozenMap, Multiset, Rec

    if isinstance(value, Trace):
        return trace_data(value)
    if isinstance(value, frozenset | FrozenMap | Multiset | Rec):
        return plain_data(value)
    if isinstance(value, Mapping):
        return {key: as_data(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [as_data(item) for item in value]
    if isinstance(value, Path):
        return str(value)
    if not has(type(value)):
        return value
    return {name: as_data(getattr(value, name)) for name in names.split() or [a.name for a in fields(type(value))]}


def plain_data(value: Any) -> Any:
    """A plain value of a trace as JSON: sets as sorted lists, bags as lists with their copies, records as objects."""
    from checker.trace.values import FrozenMap, Multiset, Rec, ordered, show

    if isinstance(value, tuple):
        return [plain_data(v) for v in value]
    if isinstance(value, frozenset):
        return [plain_data(v) for v in ordered(value)]
    if isinstance(value, FrozenMap):
        return {show(k): plain_data(v) for k, v in value.items()}
    if isinstance(value, Multiset):
        return [plain_data(v) for v in ordered(value.counts) for _ in range(value.counts[v])]
    if isinstance(value, Rec):
        parts = {n: plain_data(v) for n, v in value.fields.items()}
        return {value.name: parts} if value.name else parts
    return value
