"""The interchange form of a trace: ITF (Informal Trace Format, Apalache's ADR-015), written without loss; `read_itf`
reads it.

The states follow ITF to the letter, so that its tools (trace viewers, Quint, Apalache) read them: integers are
{"#bigint": "3"}, sets {"#set": [...]}, functions {"#map": [[key, value], ...]}, records are objects, sequences are
lists. A member of a tagged union is {"tag": name, "value": record}, none is the tag "None", and a bag is the tag "Bag"
over its function from value to count; ITF has no form of its own for these three.

Parts that ITF does not define (steps, events, the property and its witness) are under "#meta", which other tools skip.
The file is the one source of a trace: every report can be made from it again. Elements of sets are written in printing
order, so equal traces are equal files.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs

from checker.stored.whole import write_where_named
from checker.trace.events import Event
from checker.trace.former import Contrast, SharedRun
from checker.trace.reasons import Reason
from checker.trace.trace import Step, Trace
from checker.trace.values import FrozenMap, Multiset, Rec, Value, ordered

FORMAT = "https://apalache-mc.org/docs/adr/015adr-trace.html"
LAYOUT = 1
VALUE_MAPS = ("constants", "witness_values", "final_values", "shared", "badges", "verdicts")


def write_trace(trace: Trace, path: Path | str) -> Path:
    """Write a trace to a file; returns its path."""
    path = Path(path)
    write_where_named(path, to_itf(trace))
    return path


def to_itf(trace: Trace) -> str:
    """The ITF text of a trace: JSON, one variable a line."""
    head = {
        "#meta": {"format": "ITF", "format-description": FORMAT, "layout": LAYOUT, **_trace_meta(trace)},
        "params": list(trace.constants),
        "vars": list(trace.states[0]),
    }
    lines = [f" {json.dumps(key)}: {_compact(value)}" for key, value in head.items()]
    lines.append(' "states": [\n' + ",\n".join(_state_lines(trace, i) for i in range(len(trace.states))) + "\n ]")
    if trace.loop is not None:
        lines.append(f' "loop": {trace.loop}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def encode(value: Value) -> Any:
    """The ITF form of a value, as JSON data."""
    if isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return {"#bigint": str(value)}
    if value is None:
        return {"tag": "None", "value": {"#tup": []}}
    if isinstance(value, tuple):
        return [encode(item) for item in value]
    if isinstance(value, frozenset):
        return {"#set": [encode(item) for item in ordered(value)]}
    if isinstance(value, FrozenMap):
        return _encode_map(value)
    if isinstance(value, Multiset):
        counts = FrozenMap((item, value.counts[item]) for item in ordered(value.counts))
        return {"tag": "Bag", "value": _encode_map(counts)}
    if isinstance(value, Rec):
        fields = {name: encode(item) for name, item in value.fields.items()}
        looks_tagged = set(fields) == {"tag", "value"}
        return {"tag": value.name, "value": fields} if value.name or looks_tagged else fields
    raise TypeError(f"not a plain value: {value!r} of type {type(value).__name__}")


def _encode_map(value: FrozenMap) -> dict[str, Any]:
    return {"#map": [[encode(key), encode(item)] for key, item in value.items()]}


def _trace_meta(trace: Trace) -> dict[str, Any]:
    meta: dict[str, Any] = {}
    for name, value in _given(trace, ("states", "steps", "loop")):
        if name in VALUE_MAPS:
            meta[name] = {key: encode(item) for key, item in value.items()}
        elif attrs.has(type(value)):
            meta[name] = dict(_given(value, ()))
        else:
            meta[name] = list(value) if isinstance(value, tuple) else value
    if any(kinds := [_known_of(reason) for reason in trace.blocked]):
        meta["reasons"] = kinds
    return meta


def _known_of(reason: Reason) -> dict[str, Any]:
    """What is known of a reason besides its text."""
    return {name: value for name in ("kind", "steps", "about", "placed", "since") if (value := getattr(reason, name))}


def _given(value: Step | Trace | Contrast | SharedRun, others: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """The fields without default values, except for some others."""
    for field in attrs.fields(type(value)):
        if field.name not in others and (found := getattr(value, field.name)) != field.default:
            yield field.name, found


def _state_lines(trace: Trace, index: int) -> str:
    meta: dict[str, Any] = {"index": index}
    if index > 0:
        meta["step"] = _encode_step(trace.steps[index - 1])
    entries = {"#meta": meta, **{name: encode(value) for name, value in trace.states[index].items()}}
    lines = (f"   {json.dumps(name)}: {_compact(entry)}" for name, entry in entries.items())
    return "  {\n" + ",\n".join(lines) + "\n  }"


def _encode_step(step: Step) -> dict[str, Any]:
    data = dict(_given(step, ("args", "events")))
    if step.args:
        data["args"] = {name: encode(value) for name, value in step.args.items()}
    if step.events:
        data["events"] = [_encode_event(event) for event in step.events]
    return data


def _encode_event(event: Event) -> dict[str, Any]:
    data: dict[str, Any] = {"event": type(event).__name__.lower()}
    for field in attrs.fields(type(event)):
        value = getattr(event, field.name)
        if value == field.default and value in ("", False):
            continue
        data[field.name] = value if field.name in ("id", "new_id") else encode(value)
    return data


def _compact(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(", ", ": "))
