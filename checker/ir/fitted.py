"""A lowered model whose sequences and networks have less room than declared, as its runs seem to need it.

A protocol declares `Seq[Message, 2 * total]` and never has more than three items in it; a network begins with room for
sixteen messages, of which nine are used. Types determine the bits of a state, so the types are replaced: each type of a
sequence that a variable has is replaced everywhere in the model by the same shorter type, and so is the type of each
network. Equal types stay equal, so the rules of the representation (`ir.validate`) still hold.

A shortened type has the name ROOM (a network its own name) as what has to grow.  Too little room is then no model
error, but ends the search, which starts again with the model as declared. Counts, verdicts and traces therefore never
depend on the guess. Operations that cannot exceed a declared capacity by their types (`+`, slices, displays,
conversions) check the room of a type that can grow.

Where it stops: sequences whose values are listed or numbered (members of sets, keys of maps, parameters, domains) keep
their type, because the numbers depend on it.  So do sequences that a rule, a property or a condition makes, because
some analyses evaluate these alone after the search (leads-to, vacuity, blocked guards). No type gets less room than the
longest display of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs

from checker.ir import expressions as e
from checker.ir import types as t
from checker.ir.model import Model
from checker.ir.visit import everything, walk, with_types

ROOM = "the room of a sequence"
"""The name of what has to grow if a shortened sequence is full; no variable has this name."""

_MAKING = e.Concat | e.Slice | e.Sorted | e.SeqOf | e.Range


def sequences(model: Model) -> dict[t.Seq, int]:
    """The types of sequences in the state that may be shortened, with the least possible capacity of each."""
    found = {part for v in model.variables for part in t.walk(v.type) if isinstance(part, t.Seq) and part.grow is None}
    least = dict.fromkeys(sorted(found, key=repr), 1)
    for part in everything(model):
        if isinstance(part, t.Set | t.Map):
            for numbered in t.walk(part.item if isinstance(part, t.Set) else part.key):
                least.pop(numbered, None)  # type: ignore[call-overload]
        elif isinstance(part, e.MakeSeq) and part.type in least:
            least[part.type] = max(least[part.type], len(part.items))
    for numbered in (part for a in model.actions for p in a.parameters for part in t.walk(p.type)):
        least.pop(numbered, None)  # type: ignore[call-overload]
    for made in _types_made(model):
        least.pop(made, None)  # type: ignore[call-overload]
    return {type: n for type, n in least.items() if n < type.capacity}


def _types_made(model: Model) -> Iterator[t.Type]:
    """The types of values that rules, properties and conditions make."""
    bodies = (node for a in model.actions for node in walk(a.body))
    read = [getattr(s, name) for s in bodies for name in ("condition", "iterable") if hasattr(s, name)]
    for node in walk([function.body for function in model.functions] + read):
        if isinstance(node, e.Narrow):
            yield from t.walk(node.type)
        elif isinstance(node, _MAKING):
            yield node.type
    for local in (local for function in model.functions for local in function.locals):
        yield from t.walk(local.type)


def networks(model: Model) -> dict[str, int]:
    """The capacity of each network (of each queue, if it is FIFO), by name."""
    parts = (part for v in model.variables for part in t.walk(v.type))
    return {part.grow: part.capacity for part in parts if isinstance(part, t.Bag | t.Seq) and part.grow is not None}


def fitted(model: Model, lengths: Mapping[t.Seq, int], room: Mapping[str, int]) -> Model:
    """The model with sequences of these types shortened to `lengths`, and networks with this room."""

    def shorter(type: t.Type) -> t.Type:
        if isinstance(type, t.Bag | t.Seq) and type.grow is not None and type.grow in room:
            return attrs.evolve(type, item=shorter(type.item), capacity=room[type.grow])
        if isinstance(type, t.Seq) and type in lengths:
            return t.Seq(shorter(type.item), lengths[type], ROOM)
        parts = t.parts(type)
        new = [shorter(part) for part in parts]
        return t.with_parts(type, new) if any(a is not b for a, b in zip(parts, new)) else type

    return with_types(model, shorter)
