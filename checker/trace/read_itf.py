"""Reading ITF traces: every part is checked, and an error is reported with its place in the document.

People and other tools may read and edit a trace, so it has no checksum.  The checks are: the layout, the type of each
part (the classes `Trace`, `Step` and the events are the schema), the values, and that states, steps and events fit
together.  Whether the trace is a run of its model is another question, which `checker replay` answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from checker.stored.shape import (
    Reader,
    WrongShape,
    array,
    matching,
    optional,
    parsed,
    part,
    parts,
    record,
    require_object,
    table,
    text,
    truth,
    whole,
)
from checker.trace.events import EVENT_TYPES, Event
from checker.trace.former import ENDS, Contrast, SharedRun
from checker.trace.itf import LAYOUT
from checker.trace.messages import messages
from checker.trace.reasons import KINDS as REASONS
from checker.trace.reasons import Reason
from checker.trace.trace import FOUND_BY, KINDS, Step, Trace
from checker.trace.values import FrozenMap, Multiset, Rec

_LONGEST = 4000  # digits of a number: Python reads no more than 4300 at once


def read_trace(path: Path | str) -> Trace:
    """Read a stored trace. Raises ValueError with the file's name if it contains anything else."""
    data = Path(path).read_bytes()
    try:
        return from_itf(data)
    except ValueError as error:
        raise ValueError(f"{path} is not a trace written by this program: {error}") from error


def from_itf(document: str | bytes) -> Trace:
    """The trace of an ITF document. Raises ValueError if this program cannot have written it."""
    found = _DOCUMENT(parsed(document))
    states = [_state(state, place) for place, state in enumerate(found["states"])]
    if not states:
        raise ValueError("it has no state")
    first = states[0][0]
    for number, (state, step) in enumerate(states):
        if set(state) != set(first):
            other = ", ".join(sorted(set(state) ^ set(first)))
            raise ValueError(f"state {number} has other variables than the first: {other}")
        if step is not None and step.number != number:
            raise ValueError(f"the step to state {number} has the number {step.number}")
    loop = found.get("loop")
    if loop is not None and loop >= len(states):
        raise ValueError(f"its loop goes back to state {loop}, which it does not have")
    steps = tuple(step for _, step in states[1:] if step is not None)
    trace = Trace(**found["#meta"], states=tuple(state for state, _ in states), steps=steps, loop=loop)
    messages(trace)  # ValueError if events contradict each other
    return trace


# ---- values


def decode(data: Any) -> Any:
    """The value of an ITF form; the inverse of `encode`. Raises WrongShape."""
    if isinstance(data, list):
        return _ITEMS(data)
    if isinstance(data, Mapping):
        for tag, reader in _TAGGED.items():
            if tag in data:
                return reader(parts({tag: _anything})(data)[tag], tag)
        if set(data) == {"tag", "value"}:
            return _member(text(data["tag"]), data["value"])
        return Rec("", FrozenMap(_FIELDS(data)))
    if type(data) not in (bool, int, str):
        raise WrongShape("a value", data)
    return data


def _map(data: Any, tag: str) -> FrozenMap:
    pairs = part(array(_pair), data, tag)
    found = FrozenMap(pairs)
    if len(found) < len(pairs):
        raise WrongShape("a map that has each key once", data)
    return found


def _pair(data: Any) -> tuple[Any, Any]:
    if not isinstance(data, list) or len(data) != 2:
        raise WrongShape("a key and its value: [key, value]", data)
    key, value = _ITEMS(data)
    return key, value


def _member(tag: str, content: Any) -> Any:
    """none, a bag, or a member of a union."""
    try:
        require_object(content)
        if "#tup" in content:
            return None
        if "#map" in content:
            return _bag(content)
        return Rec(tag, FrozenMap(_FIELDS(content)))
    except WrongShape as wrong:
        raise wrong.within("value") from None


def _bag(content: Any) -> Multiset:
    counts = decode(content)
    for count in counts.values():
        if type(count) is not int or not 0 <= count < _MOST_COPIES:
            raise WrongShape("how often each value is in the bag", content)
    return Multiset(counts)


_MOST_COPIES = 1 << 20
_DIGITS = matching(rf"[+-]?[0-9]{{1,{_LONGEST}}}", "the digits of a whole number")
_ITEMS: Reader[tuple[Any, ...]] = array(decode)
_FIELDS: Reader[dict[str, Any]] = table(decode)
_TAGGED: dict[str, Any] = {
    "#bigint": lambda data, tag: int(part(_DIGITS, data, tag)),
    "#set": lambda data, tag: frozenset(part(_ITEMS, data, tag)),
    "#tup": lambda data, tag: part(_ITEMS, data, tag),
    "#map": _map,
}


def _anything(data: Any) -> Any:
    return data


# ---- states, steps, events


def _source(data: Any) -> tuple[str, int]:
    """Where an action is: file and line."""
    if not isinstance(data, list) or len(data) != 2:
        raise WrongShape("file and line", data)
    return text(data[0]), whole(0)(data[1])


def _replaced(data: Any) -> tuple[str, str]:
    """A name and the one in its place."""
    if not isinstance(data, list) or len(data) != 2:
        raise WrongShape("a name and the one in its place", data)
    return text(data[0]), text(data[1])


def _event(data: Any) -> Event:
    require_object(data)
    name = data.get("event")
    if not isinstance(name, str) or name not in _EVENTS:
        raise WrongShape(f'"event" to be one of {", ".join(_EVENTS)}', name)
    return _EVENTS[name]({field: value for field, value in data.items() if field != "event"})


_KINDS = matching("|".join(REASONS), f"one of {', '.join(REASONS[1:])}")
_REASON = parts(
    {"kind": _KINDS, "steps": array(whole(1)), "about": array(text), "placed": truth, "since": text}, frozenset()
)
_READERS: dict[str, Reader[Any]] = {
    "tuple[Reason, ...]": array(text),
    "int": whole(0),
    "int | None": optional(whole(1)),
    "bool": truth,
    "str": text,
    "str | None": optional(text),
    "tuple[str, ...]": array(text),
    "tuple[int, ...]": array(whole(1)),
    "tuple[str, int] | None": optional(_source),
    "tuple[tuple[str, str], ...]": array(_replaced),
    "Value": decode,
    "tuple[Value, ...]": _ITEMS,
    "FrozenMap": _FIELDS,
    "tuple[Event, ...]": array(_event),
}
"""By the annotations of attrs classes."""


def _readers(cls: type) -> dict[str, Reader[Any]]:
    return {field.name: _READERS[str(field.type)] for field in attrs.fields(cls) if str(field.type) in _READERS}


_EVENTS: dict[str, Reader[Any]] = {kind.__name__.lower(): record(kind, _readers(kind)) for kind in EVENT_TYPES}
_READERS |= {
    "Contrast | None": record(Contrast, _readers(Contrast)),
    "SharedRun | None": record(SharedRun, {**_readers(SharedRun), "end": matching("|".join(ENDS), "a known end")}),
}
_STEP_OF_STATE = parts({"#meta": parts({"step": record(Step, _readers(Step))}, others=True)}, others=True)
_NOT_META = ("states", "steps", "loop")
_META_READERS = {name: reader for name, reader in _readers(Trace).items() if name not in _NOT_META} | {
    "revision": matching("[0-9a-f]{40,64}", "all digits of a git commit"),
    "kind": matching("|".join(KINDS), f"one of {', '.join(KINDS)}"),
    "reasons": array(_REASON),
    "found_by": matching("|".join(FOUND_BY[1:]), f"one of {', '.join(FOUND_BY[1:])}"),
}
_META = parts(_META_READERS, frozenset(("model", "property", "kind")), others=True)


def _layout(data: Any) -> dict[str, Any]:
    require_object(data)
    if data.get("layout") != LAYOUT or type(data["layout"]) is not int:
        other = f"expected layout {LAYOUT} under #meta, found {data.get('layout')!r}"
        raise ValueError(f"{other}: another version of the checker wrote it")
    found = _META(data)
    known = found.pop("reasons", ())
    if known:
        texts = found.get("blocked", ())
        if len(texts) != len(known):
            raise ValueError(f"it has {len(texts)} texts why something is blocked, and {len(known)} kinds of them")
        found["blocked"] = [Reason(told, **kind) for told, kind in zip(texts, known)]
    return found


def _state(data: Any, place: int) -> tuple[FrozenMap, Step | None]:
    """A state, and the step to it."""
    try:
        require_object(data)
        values = FrozenMap(_FIELDS({name: value for name, value in data.items() if name != "#meta"}))
        return values, _STEP_OF_STATE(data)["#meta"]["step"] if place else None
    except WrongShape as wrong:
        raise wrong.within(place).within("states") from None


_DOCUMENT = parts(
    {"#meta": _layout, "states": array(_anything), "loop": whole(0), "vars": array(text), "params": array(text)},
    frozenset(("#meta", "states")),
    others=True,
)
