"""Values of a model as the plain values of traces: names instead of identities."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Any

from checker.language import domains as d
from checker.language.containers import BagValue, MapValue, SeqValue, SetValue
from checker.language.values import Id, RecordValue, VariantValue
from checker.trace.values import FrozenMap, Multiset, Rec, show


def plain_raw(domain: d.Domain, raw: Any) -> Any:
    """The plain value of a raw value of a domain."""
    return plain(domain.from_raw(raw))


def plain(value: Any) -> Any:
    """The plain value of a value of a model."""
    if isinstance(value, Id):
        return value.name
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, RecordValue):
        return _record(value)
    if isinstance(value, MapValue):
        return FrozenMap({plain(k): plain(v) for k, v in value.entries.items()})
    if isinstance(value, SetValue | set | frozenset):
        return frozenset(plain(v) for v in value)
    if isinstance(value, SeqValue | list | tuple):
        return tuple(plain(v) for v in value)
    if isinstance(value, BagValue):
        return Multiset({plain(v): n for v, n in value.counts.items()})
    return value


def call(action: str, values: Iterable[Any]) -> str:
    """An action with the values it is called with: deliver(p1, m2)."""
    return f"{action}({', '.join(show(plain(value)) for value in values)})"


def _record(value: RecordValue) -> Rec:
    name = type(value).__name__ if isinstance(value, VariantValue) or type(value).__name__ != "Record" else ""
    return Rec(name, {n: plain(v) for n, v in zip(value.names, value)})
