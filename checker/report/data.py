"""Results as JSON data, and writing them.  Names are those of the reports; times in seconds, memory in bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import fields, has

from checker.language.errors import UsageError
from checker.report.written import write_file
from checker.results.checked import PropertyReport, Report
from checker.results.profile import Profile
from checker.results.vacuity import Vacuity
from checker.results.verified import Verified
from checker.trace.itf import to_itf
from checker.trace.trace import Trace
from checker.trace.values import FrozenMap, Multiset, Rec, ordered, show

Files = Mapping[str, list[Path]]

SCHEMA_VERSION = 1
"""The version of what --json writes: it is increased when a name is removed or changes its meaning, not when one is
added.
"""
ON_REQUEST = ("conditions", "guards", "profile", "locality", "growing")
COUNTS = ("steps", "distinct", "transitions", "depth")
SHOWN: dict[type, str] = {
    PropertyReport: "name kind verdict steps reason trace",
    Report: "model reference constants engine verdict exit_code distinct transitions depth initial quiescent cut "
    "outcomes properties actions findings warnings levels seconds peak_memory peak_disk bound coverage validation "
    "conditions guards profile locality growing",
    Vacuity: "kind subject text",
    Profile: "levels growth over sampled variables actions lowering untried endless advice",
}
"""The names under which a result is stored, in order, if they are not its fields."""


def write(target: str, data: Mapping[str, Any]) -> None:
    """Write JSON to a file, or to standard output for "-"; docs/schemas/ has the schemas."""
    write_file(target, json.dumps(versioned(data), indent=1, ensure_ascii=False) + "\n", "--json")


def versioned(data: Mapping[str, Any]) -> dict[str, Any]:
    """A document with the version of its schema."""
    return {"schema_version": SCHEMA_VERSION, **data}


def error_data(error: UsageError) -> dict[str, Any]:
    """An error as data; further errors of the same model are under "others"."""
    names = "message file line fragment remedy"
    first, *others = [dict(_part(e, name) for name in names.split()) for e in (error, *getattr(error, "others", ()))]
    return {"error": {**first, "others": others}, "exit_code": error.exit_code}


def as_data(value: Any, names: str = "") -> Any:
    """A result as JSON data: values with fields become objects with those names (default: all fields, or those of
    SHOWN), traces ITF documents; plain values of a trace are as `plain_data` has them.

    A name is that of a field or property, with another name to store it under before it, and behind it to how many
    digits it is rounded: "no_violation_within=base seconds:3".
    """
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
    chosen = (names or SHOWN.get(type(value), "")).split() or [field.name for field in fields(type(value))]
    return dict(_part(value, name) for name in chosen)


def _part(value: Any, name: str) -> tuple[str, Any]:
    shown, _, rest = name.rpartition("=")
    field, _, digits = rest.partition(":")
    item = getattr(value, field)
    return shown or field, round(item, int(digits)) if digits else as_data(item)


def report_data(report: Report, files: Files) -> dict[str, Any]:
    """A check as data; antecedents, guards and profile only if they were requested, growth only if there is some."""
    data: dict[str, Any] = as_data(report)
    data["seconds"] = {phase: round(seconds, 4) for phase, seconds in report.seconds.items()}
    for found in data["properties"]:
        found["files"] = as_data(files.get(found["name"], ()))
    data |= {"reduced": report.reduced} if report.reduced else {}
    data |= {"reduced_before": report.reduced_before} if report.reduced_before else {}
    return {name: item for name, item in data.items() if item is not None or name not in ON_REQUEST}


def trace_data(trace: Trace) -> dict[str, Any]:
    """A trace as an ITF document."""
    return dict(json.loads(to_itf(trace)))


def verified_data(result: Verified, files: Files) -> dict[str, Any]:
    """A verified expectation as data."""
    expectation = result.case.expectation
    expected = as_data(expectation, "violated at only")
    expected |= {n: v for n in COUNTS if (v := getattr(expectation, n)) is not None}
    expected |= {"within": list(expectation.within)} if expectation.within else {}
    return {
        "reference": result.case.reference,
        "expected": expected,
        "met": result.met,
        "mismatches": list(map(str, result.mismatches)),
        "undecided": list(map(str, result.undecided)),
        "hollow": as_data(result.hollow),
        **({"in_full": result.in_full} if result.in_full else {}),
        "report": None if result.report is None else report_data(result.report, files),
    }


def plain_data(value: Any) -> Any:
    """A plain value of a trace as JSON: sets as sorted lists, bags as lists with their copies, records as objects."""
    if isinstance(value, tuple | frozenset):
        return [plain_data(v) for v in (value if isinstance(value, tuple) else ordered(value))]
    if isinstance(value, FrozenMap):
        return {show(k): plain_data(v) for k, v in value.items()}
    if isinstance(value, Multiset):
        return [plain_data(v) for v in ordered(value.counts) for _ in range(value.counts[v])]
    if isinstance(value, Rec):
        parts = {n: plain_data(v) for n, v in value.fields.items()}
        return {value.name: parts} if value.name else parts
    return value
