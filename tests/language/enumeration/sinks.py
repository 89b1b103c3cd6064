"""What a case does with the value of its expression, so that it shows in the next state or in the truth of a property.

Python is asked first what kind of value the expression has; the statements are chosen by that.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Any

from checker.language.containers import BagValue, MapValue, SeqValue, SetValue
from checker.language.values import Id, RecordValue

ERROR = "error"


def shape(value: Any) -> str:
    """The kind of a value, with that of its items where all are alike."""
    match value:
        case None:
            return "none"
        case bool():
            return "bool"
        case int():
            return "int"
        case str():
            return "string"
        case Id():
            return "identity" if value.family == "Site" else "process"
        case Enum():
            return "enum"
        case RecordValue():
            return type(value).__name__
        case SetValue() | set() | frozenset():
            return f"set of {_items(value)}"
        case SeqValue() | list():
            return f"list of {_items(value)}"
        case tuple() | range():
            return f"tuple of {_items(value)}"
        case BagValue():
            return "bag"
        case MapValue():
            return f"map of {_items(value[k] for k in value)}"
        case dict():
            return f"map of {_items(value.values())}"
    if hasattr(value, "__next__"):
        return f"walk of {_items(value)}"
    return "other"


def _items(values: Iterable[Any]) -> str:
    return merged([shape(v) for v in values])


def merged(shapes: Iterable[str]) -> str:
    """What values of several kinds have in common."""
    found = {s for s in shapes if s != ERROR}
    if not found:
        return "nothing"
    if found in ({"none", "int"}, {"none", "bool"}, {"none", "identity"}, {"none", "process"}, {"none", "enum"}):
        return "optional " + next(s for s in found if s != "none")
    if found == {"int", "bool"}:
        return "int"
    heads = {s.partition(" of ")[0] for s in found}
    if len(heads) == 1 and all(" of " in s for s in found):
        inner = {s.partition(" of ")[2] for s in found} - {"nothing"}
        return f"{heads.pop()} of {merged(inner) if inner else 'nothing'}"
    return found.pop() if len(found) == 1 else "several"


_COUNTED = ("x = E", "self.out = len(x)", "self.outb = x == x")

STATEMENTS: dict[str, tuple[str, ...]] = {
    "none": ("self.outo = E",),
    "bool": ("self.outb = E",),
    "int": ("self.out = E",),
    "string": ("self.outb = E == 'eager'",),
    "optional int": ("self.outo = E",),
    "optional bool": ("x = E", "self.outb = x is None"),
    "identity": ("self.outsite = E",),
    "optional identity": ("self.outsite = E",),
    "process": ("x = E", "self.outb = x == self.Process[0]"),
    "optional process": ("x = E", "self.outb = x == self.Process[0]"),
    "enum": ("self.outcolor = E",),
    "optional enum": ("self.outcolor = E",),
    "Pair": ("self.outpair = E",),
    "Hold": ("x = E", "self.outs = x.x", "self.outq = x.y"),
    "Ping": ("self.outwire = E",),
    "Pong": ("self.outwire = E",),
    "Stop": ("self.outwire = E",),
    "set of int": ("self.outs = E",),
    "set of nothing": ("self.outs = E",),
    "set of optional int": ("self.outso = E",),
    "set of bool": ("self.outs = E",),
    "set of none": ("self.outso = E",),
    "set of identity": ("self.outps = E",),
    "list of int": ("self.outq = E",),
    "list of nothing": ("self.outq = E",),
    "list of optional int": ("self.outqo = E",),
    "list of none": ("self.outqo = E",),
    "list of identity": ("self.outqp = E",),
    "list of bool": ("self.outq = E",),
    "tuple of int": ("self.outq = list(E)",),
    "tuple of nothing": ("self.outq = list(E)",),
    "tuple of optional int": ("self.outqo = list(E)",),
    "tuple of none": ("self.outqo = list(E)",),
    "tuple of identity": ("self.outqp = list(E)",),
    "walk of int": ("self.outq = list(E)",),
    "walk of nothing": ("self.outq = list(E)",),
    "walk of optional int": ("self.outqo = list(E)",),
    "walk of identity": ("self.outqp = list(E)",),
    "bag": ("self.outbag = E",),
    "map of int": ("x = E", "self.outq = [x[k] for k in x]"),
    "map of bool": ("x = E", "self.outq = [int(x[k]) for k in x]"),
    "map of nothing": ("x = E", "self.out = len(x)"),
    "nothing": ("x = E", "self.outb = bool(x)"),
    "several": ("x = E", "self.outb = x is None"),
    "other": ("x = E", "self.outb = x == x"),
}

PREDICATES: dict[str, str] = {
    "none": "E is None",
    "bool": "E",
    "int": "E == 1",
    "string": "E == 'eager'",
    "optional int": "E == 1",
    "optional bool": "E is None",
    "identity": "E == self.Site[0]",
    "optional identity": "E == self.Site[0]",
    "process": "E == self.Process[0]",
    "optional process": "E is None",
    "enum": "E == Color.red",
    "optional enum": "E == Color.red",
    "Pair": "E == self.Pair(1, 2)",
    "Hold": "len(E.x) == 1",
    "bag": "1 in E",
    "Ping": "E == self.Wire.Ping(1)",
    "Pong": "E == self.wire",
    "Stop": "E == self.wire",
    "nothing": "bool(E)",
    "several": "E is None",
    "other": "E == E",
}


def sink(shape: str) -> tuple[str, ...]:
    """Statements that put a value of this shape, E, into the state."""
    if shape in STATEMENTS:
        return STATEMENTS[shape]
    head = shape.partition(" of ")[0]
    return ("self.out = len(list(E))",) if head in ("walk", "tuple") else _COUNTED


def predicate(shape: str) -> str:
    """A truth value that depends on a value of this shape, E."""
    if shape in PREDICATES:
        return PREDICATES[shape]
    head, _, inner = shape.partition(" of ")
    if inner in ("int", "optional int", "bool"):
        return "1 in E"
    return "len(E) == 1" if head != "walk" else "len(list(E)) == 1"
