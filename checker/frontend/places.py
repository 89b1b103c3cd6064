"""Places: expressions that can be assigned or changed, and the meaning of a name for one.

A place is a variable or local, or an element of one that indices and fields name.  An alias of a place, and an
assignment in place, refer to the place as it was when it was named: its indices are computed once (`capture`).
"""

from __future__ import annotations

from typing import Any

from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.facts import root, target_of
from checker.ir.visit import walk


def keys(place: e.Expression) -> list[e.Expression]:
    """The expressions that select the entries of the root."""
    return [key for key in chain(place)[1:] if isinstance(key, e.Expression)]


def is_place(value: e.Expression) -> bool:
    """Whether an expression is a place that can be changed: in a variable or local."""
    at = root(value)
    return isinstance(at, e.Local) or isinstance(at, e.Variable) and not at.before


def in_state(place: e.Expression) -> bool:
    """Whether a place is a variable of the state, or an entry of one."""
    return isinstance(place, e.Variable) or isinstance(place, e.Index) and in_state(place.base)


def entries_only(place: e.Expression) -> bool:
    """Whether a place is a variable, a local, or an entry of a map in one: a collection that Python shares instead of
    copying.
    """
    if isinstance(place, e.Index):
        return isinstance(place.base.type, t.Map) and entries_only(place.base)
    return is_place(place) and isinstance(place, e.Variable | e.Local)


def covers(place: e.Expression, other: e.Expression) -> bool:
    """Whether assigning `place` may replace the value that `other` names: `other` is equal to it or inside it, as far
    as indices show.
    """
    a, b = chain(place), chain(other)
    if len(a) > len(b) or a[0] != b[0]:
        return False
    return all(not _surely_different(x, y) for x, y in zip(a[1:], b[1:]))


def _surely_different(a: Any, b: Any) -> bool:
    if isinstance(a, e.Const) and isinstance(b, e.Const):
        return a.value != b.value
    return isinstance(a, str) and isinstance(b, str) and a != b


def root_of(place: e.Expression) -> tuple[str, str]:
    """The variable or local that contains a place."""
    kind, name, *_ = chain(place)[0]
    return kind, name


def changed_by(body: Any) -> set[tuple[str, str]]:
    """The variables and locals that statements write or bind."""
    statements = [x for x in walk(body, whole=e.Expression) if isinstance(x, s.Statement)]
    bound = {("local", x.local.name) for x in statements if isinstance(x, s.For | s.Choose)}
    return bound | {root_of(place) for x in statements if (place := target_of(x)) is not None}


def chain(place: e.Expression) -> list[Any]:
    """A place as its root's name followed by keys and field names."""
    match place:
        case e.Index(_, base, key, _):
            return [*chain(base), key]
        case e.Field(_, base, name) | e.VariantField(_, base, _, name, _):
            return [*chain(base), name]
        case e.Unwrap(_, value, _):
            return chain(value)
        case e.Variable(_, name, before):
            return [("before" if before else "variable", name)]
        case e.Local(_, name):
            return [("local", name)]
        case _:
            return [place]
