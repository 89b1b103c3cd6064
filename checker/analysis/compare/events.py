"""The events of a step, recorded by compiled code: a copy of the model with a property whose handlers record emitted
events.

Compiled code keeps no events.  The copy has one more variable, `last`: the numbers of the events since it was emptied.
Whoever expands a state empties it first, so the copy has as many states as the model.  An event is its name and
arguments; one number stands for both.

Where it stops: arguments may be identities, numbers, truth values, optional values of these, and records and tuples of
all these.  Events with other arguments are left out and named.  Network operations (send, receive, lose, duplicate) are
not events of the protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import Any

from checker.analysis.predicate import made
from checker.frontend.lower import noted
from checker.ir import types as t
from checker.language.definition import Definition
from checker.language.model import NETWORK_EVENTS, var
from checker.language.network import Event
from checker.language.properties import Invariant, Property
from checker.language.types import Bool, Int, Seq
from checker.replay.plain import plain
from checker.results.comparison import LONGEST, Word
from checker.trace.values import Rec, Value, show

Kinds = tuple[t.Type | None, ...]  # of the arguments; None: left out


def alphabet(
    definitions: tuple[Definition, Definition], labels: tuple[str, str]
) -> tuple[tuple[Mapping[str, Kinds], Mapping[str, Kinds]], tuple[str, ...]]:
    """The events that both models have under one name with the same number of arguments: names, and for each model the
    types of their arguments.  Also the events that are not compared, in words.
    """
    found = [_kinds(d) for d in definitions]
    sides_of = zip(found, reversed(found), labels)
    left_out = [f"{n}, which only {label} has" for mine, other, label in sides_of for n in mine if n not in other]
    sides: tuple[dict[str, Kinds], dict[str, Kinds]] = {}, {}
    for name in (n for n in found[0] if n in found[1]):
        ours, theirs = found[0][name], found[1][name]
        if ours is None or theirs is None or len(ours) != len(theirs):
            left_out.append(f"{name}, which has not always as many arguments")
            continue
        kept = [_alike(a, b) for a, b in zip(ours, theirs)]
        left_out += [f"argument {i} of {name}" for i, keep in enumerate(kept, 1) if not keep]
        for side, kinds in zip(sides, (ours, theirs)):
            side[name] = tuple(kind if keep else None for kind, keep in zip(kinds, kept))
    return sides, tuple(left_out)


def _alike(a: t.Type | None, b: t.Type | None) -> bool:
    """Whether an argument has values of one kind in both models, None aside."""
    a, b = (x.item if isinstance(x, t.Optional) else x for x in (a, b))
    return type(a) is type(b) and a is not None and getattr(a, "name", "") == getattr(b, "name", "")


def word_of(events: Iterable[Event], kinds: Mapping[str, Kinds]) -> Word:
    """The compared events of a step: deliver(p1, m2.1)."""
    compared = ((e.name, zip(e.arguments, kinds[e.name])) for e in events if e.name in kinds)
    return tuple(_text(name, [plain(a) for a, kind in some if kind is not None]) for name, some in compared)


def _text(name: str, arguments: Sequence[Value]) -> str:
    return f"{name}({', '.join(map(show, arguments))})"


def _kinds(definition: Definition) -> dict[str, Kinds | None]:
    """The events of a model with the types of their arguments; None for an event whose number of arguments varies."""
    found: dict[str, Kinds | None] = {}
    for name, ways in sorted(noted(definition)[0].emitted.items()):
        if name not in NETWORK_EVENTS:
            found[name] = tuple(map(_joined, zip(*ways))) if len({len(w) for w in ways}) == 1 else None
    return found


def _joined(types: Sequence[t.Type]) -> t.Type | None:
    """The least type that includes all of these types."""
    if all(isinstance(x, t.Int) for x in types):
        return t.Int(min(x.lo for x in types), max(x.hi for x in types))  # type: ignore[attr-defined]
    first = types[0]
    return first if all(x == first for x in types) and _recordable(first) else None


def _recordable(type: t.Type) -> bool:
    if isinstance(type, t.Record):
        return all(_recordable(of) for _, of in type.fields)
    return isinstance(type.item if isinstance(type, t.Optional) else type, t.Ids | t.Int | t.Bool)


# -- compiled ----------------------------------------------------------------------------------------------------------


def recorder(kinds: Mapping[str, Kinds]) -> tuple[type[Property], Callable[[int], str]]:
    """The property that records these events, and the meaning of their numbers."""
    firsts: list[tuple[int, str]] = []
    members: dict[str, Any] = {"__doc__": "Events of the last step.", "__module__": __name__, "holds": _always}
    total = 0
    for name, arguments in kinds.items():
        firsts.append((total, name))
        members[f"on_{name}"] = _handler(name, total, arguments)
        total += _size(arguments)
    members |= {"last": var(Seq[Int(0, max(total - 1, 0)), LONGEST]), "full": var(Bool)}

    def text(number: int) -> str:
        first, name = max(place for place in firsts if place[0] <= number)
        return _text(name, _values(number - first, kinds[name]))

    return type("Events", (Invariant,), members), text


def _always(self: Any) -> bool:
    return True


def _handler(name: str, first: int, arguments: Kinds) -> Callable[..., None]:
    """A method that appends first + the number of the argument tuple, in which the last argument varies fastest."""
    number = "0"
    for place, kind in enumerate(arguments):
        for digit, size in _digits(kind, f"a{place}"):
            number = f"({number}) * {size} + {digit}" if number != "0" else digit
    parameters = ", ".join(["self", *(f"a{i}" for i in range(len(arguments)))])
    kept = f"if len(self.last) < {LONGEST}:\n        self.last.append({first} + {number})"
    source = f"def on_{name}({parameters}):\n    {kept}\n    else:\n        self.full = True\n"
    return made(f"on_{name}", source, "events", {"__name__": __name__})


def _digits(kind: t.Type | None, text: str) -> Iterator[tuple[str, int]]:
    """An argument as digits: an expression that counts from 0, and the number of its values."""
    match kind:
        case t.Ids(_, members):
            yield f"{text}.index", len(members)
        case t.Int(lo, hi):
            yield f"({text} - {lo})", hi - lo + 1
        case t.Bool():
            yield f"(1 if {text} else 0)", 2
        case t.Optional(item):
            ((digit, size),) = _digits(item, text)
            yield f"(0 if {text} is None else 1 + {digit})", size + 1
        case t.Record(_, fields):
            for name, of in fields:
                yield from _digits(of, f"{text}[{name}]" if name.isdigit() else f"{text}.{name}")


def _size(arguments: Kinds) -> int:
    return prod(values for kind in arguments for _, values in _digits(kind, ""))


def _values(number: int, arguments: Kinds) -> list[Value]:
    """The arguments that a number encodes."""
    found: list[Value] = []
    for kind in reversed([kind for kind in arguments if kind is not None]):
        number, own = divmod(number, _size((kind,)))
        found.insert(0, _value(kind, own))
    return found


def _value(kind: t.Type, number: int) -> Value:
    match kind:
        case t.Ids(_, members):
            return members[number]
        case t.Int(lo, _):
            return lo + number
        case t.Optional(item):
            return None if number == 0 else _value(item, number - 1)
        case t.Record(name, fields):
            values = dict(zip((field for field, _ in fields), _values(number, tuple(of for _, of in fields))))
            return tuple(values.values()) if fields and fields[0][0].isdigit() else Rec(name, values)
    return bool(number)
