"""The text in a step's box where the model declares it (`draw.step`): the values for the places of a text.

The values are the plain ones of the trace, so text, diagram and page show one label.  A place without a value (an item
beyond the end of a sequence, a field of none) shows none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from checker.language import templates as t
from checker.trace.values import FrozenMap, Rec, show


def label(words: t.Words, arguments: Mapping[str, Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """The text with its values: of the arguments, and of the variables before and after the step."""
    pieces = (piece if isinstance(piece, str) else show(_value(piece, arguments, before, after)) for piece in words)
    return "".join(pieces)


def _value(path: t.Path, arguments: Mapping[str, Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> Any:
    def at(inner: t.Path) -> Any:
        return _value(inner, arguments, before, after)

    match path:
        case t.Argument(name):
            return arguments.get(name)
        case t.Variable(name, earlier):
            return (before if earlier else after).get(name)
        case t.Number(value):
            return value
        case t.Item(of, index):
            return _item(at(of), at(index))
        case t.Member(names, index):
            return _item(names, at(index))
        case t.Part(of, name):
            record = at(of)
            return record.fields.get(name) if isinstance(record, Rec) else None
        case t.Rank(of, names):
            member = at(of)
            return names.index(member) if member in names else None
        case t.Count(of):
            found = at(of)
            return 0 if found is None else len(found)


def _item(values: Any, index: Any) -> Any:
    if isinstance(values, FrozenMap):
        return values.get(index)
    return values[index] if isinstance(values, tuple) and isinstance(index, int) and index < len(values) else None
