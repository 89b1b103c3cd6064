"""Values of a model as the plain values of traces, with names instead of identities, and as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from enum import Enum
from typing import Any

from checker.backends.interpreter.interpreter import Step
from checker.ir import types as t
from checker.ir.values import values
from checker.language import domains as d
from checker.language.containers import BagValue, MapValue, SeqValue, SetValue
from checker.language.values import Id, RecordValue, VariantValue
from checker.trace.trace import Step as TraceStep
from checker.trace.values import FrozenMap, Multiset, Rec, show

LONG = 160  # the largest number of characters of a value in a sentence


def same_arguments(step: Step, wanted: TraceStep) -> bool:
    """Whether a step has the arguments of a step of a trace, perhaps of another version of the action: compared by
    position, whatever their names are, but the fields of a message by name, as they are matched.
    """
    mine, theirs = [(n, plain(v)) for n, v in step.arguments], list(wanted.args.items())
    places = len(mine) if step.action.variant is None else 2
    head = [v for _, v in mine[:places]] == [v for _, v in theirs[:places]]
    return head and len(mine) == len(theirs) and dict(mine[places:]) == dict(theirs[places:])


def plain_raw(domain: d.Domain, raw: Any) -> Any:
    """The plain value of a raw value of a domain."""
    return plain(domain.from_raw(raw))


def plain(value: Any) -> Any:
    """The plain value of a value of a model."""
    if isinstance(value, Id | Enum):
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


def _record(value: RecordValue) -> Rec:
    name = type(value).__name__ if isinstance(value, VariantValue) or type(value).__name__ != "Record" else ""
    return Rec(name, {n: plain(v) for n, v in zip(value.names, value)})


def plain_typed(kind: t.Type, raw: Any) -> Any:
    """The plain value of a raw value by its type alone, where a rule has no annotation for its domain."""
    match kind:
        case t.Bool():
            return bool(raw)
        case t.Enum(_, names) | t.Ids(_, names, _):
            return names[raw]
        case t.Optional(item):
            return None if raw is None else plain_typed(item, raw)
        case t.Record(name, fields):
            return Rec(name, {n: plain_typed(f, r) for (n, f), r in zip(fields, raw)})
        case t.Union(_, variants):
            return plain_typed(variants[raw[0]], raw[1])
        case t.Map(key, value):
            return FrozenMap({plain_typed(key, k): plain_typed(value, r) for k, r in zip(values(key), raw)})
        case t.Set(item):
            return frozenset(plain_typed(item, r) for r in raw)
        case t.Seq(item, _, _):
            return tuple(plain_typed(item, r) for r in raw)
        case t.Bag(item, _, _):
            return Multiset(Counter(plain_typed(item, r) for r in raw))
    return raw


# Texts


def value_text(value: Any) -> str:
    """A value in the short conventional form; the length of an omitted part is stated."""
    try:
        text = show(plain(value))
    except TypeError:
        text = repr(value)
    return text if len(text) <= LONG else f"{text[:LONG]}... ({len(text) - LONG} more signs)"


def call_text(name: str, arguments: Collection[Any]) -> str:
    """A call in the notation of reports: deliverable(p1, m2), tick()."""
    return f"{name}({', '.join(map(value_text, arguments))})"


def instance_text(action: str, arguments: Collection[Any]) -> str:
    """An instance of an action in the notation of reports: deliver(p1, m2), tick."""
    return call_text(action, arguments) if arguments else action
