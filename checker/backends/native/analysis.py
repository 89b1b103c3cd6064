"""Questions about expressions that decide how they are emitted: can they fail, how much work are they, what do they
read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import attrs

from checker.backends.native.convert import fits
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t

BAG = 60
_LOOPS = (e.Quantifier, e.Aggregate, e.SetOf, e.SeqOf, e.MapOf, e.Sorted)
_WEIGHTS = ((_LOOPS, 30), ((s.BagAdd, s.BagRemove), BAG), (e.Call, 10))
_FAILING = (e.VariantField, e.Unwrap, e.SeqOf)


def children(node: Any) -> Iterator[Any]:
    """Direct parts of an expression, generator or statement that are such nodes themselves."""
    for attribute in attrs.fields(type(node)):
        value = getattr(node, attribute.name)
        if isinstance(value, e.Expression | e.Generator | s.Statement):
            yield value
        elif isinstance(value, tuple):
            yield from (v for v in value if isinstance(v, e.Expression | e.Generator | s.Statement))


def walk(node: Any) -> Iterator[Any]:
    """The node and everything inside it."""
    yield node
    for child in children(node):
        yield from walk(child)


def weight(node: Any) -> int:
    """Rough number of operations; loops count as many."""
    own = next((w for classes, w in _WEIGHTS if isinstance(node, classes)), 1)
    return own + sum(weight(child) for child in children(node))


def safe(node: Any) -> bool:
    """Whether the expression certainly cannot fail."""
    return _safe(node) and all(safe(child) for child in children(node))


def _safe(node: Any) -> bool:
    match node:
        case e.Index(_, base, _, _):
            return isinstance(base.type, t.Map)
        case e.Narrow(type, value, _):
            return fits(value.type, type)
        case e.FromOrdinal():
            return fits_ordinal(node)
        case e.Arithmetic(_, operator, _, right, _):
            return operator not in ("//", "%") or (isinstance(right, e.Const) and right.value != 0)
        case e.Aggregate(_, operator, _, _, default, _):
            return operator == "sum" or default is not None
    return not isinstance(node, (*_FAILING, e.Call))


def fits_ordinal(node: e.FromOrdinal) -> bool:
    """Whether the place is certainly that of a member."""
    assert isinstance(node.type, t.Enum | t.Ids)
    return fits(node.value.type, t.Int(0, len(node.type.members) - 1))


def cheap(node: e.Expression) -> bool:
    """Whether it is better computed in vain than branched around."""
    return weight(node) <= 12 and safe(node)


def reads(node: Any, root: e.Expression) -> bool:
    """Whether the expression reads the variable or local that `root` is, or calls a function that might."""
    for part in walk(node):
        if isinstance(part, e.Call) and isinstance(root, e.Variable):
            return True
        if type(part) is type(root) and getattr(part, "name", None) == getattr(root, "name", None):
            return True
    return False


def root(place: e.Expression) -> e.Expression:
    """The variable or local at the bottom of a place."""
    while isinstance(place, e.Index | e.Field | e.VariantField | e.Unwrap):
        place = place.value if isinstance(place, e.VariantField | e.Unwrap) else place.base
    return place


def target_of(statement: s.Statement) -> e.Expression | None:
    """The place a statement writes."""
    return getattr(statement, "target", None)


def writes_state(body: tuple[s.Statement, ...]) -> bool:
    """Whether some statement writes a state variable."""
    for statement in body:
        for part in walk(statement):
            if isinstance(part, s.Statement):
                target = target_of(part)
                if target is not None and isinstance(root(target), e.Variable):
                    return True
    return False


def stored_locals(body: tuple[s.Statement, ...], parameters: frozenset[str]) -> set[str]:
    """Locals that need a place in memory.

    A local that is assigned as a whole by one statement only, or bound by a loop or choice, and read only where that
    statement has certainly run, is a name for a value. All others are stored.
    """
    written, single = _written(body, parameters)
    result = written - single
    _scan(body, set(parameters), single, result)
    return result


def _written(body: tuple[s.Statement, ...], parameters: frozenset[str]) -> tuple[set[str], set[str]]:
    """Locals that statements write, and those of them written once, as a whole, and not bound otherwise."""
    whole: Counter[str] = Counter()
    others, bound = set(), set(parameters)
    for statement in (part for outer in body for part in walk(outer) if isinstance(part, s.Statement)):
        if isinstance(statement, s.For | s.Choose):
            bound.add(statement.local.name)
        target = target_of(statement)
        place = None if target is None else root(target)
        if isinstance(place, e.Local):
            if isinstance(statement, s.Assign) and target is place:
                whole[place.name] += 1
            else:
                others.add(place.name)
    return others | set(whole), {name for name, times in whole.items() if times == 1} - others - bound


def _scan(body: tuple[s.Statement, ...], known: set[str], single: set[str], result: set[str]) -> None:
    for statement in body:
        match statement:
            case s.For(_, local, iterable, inner):
                _names(iterable, known, result)
                _scan(inner, known | {local.name}, single, result)
            case s.Choose(_, local, iterable):
                _names(iterable, known, result)
                known = known | {local.name}
            case s.If(_, condition, then, other):
                _names(condition, known, result)
                _scan(then, known, single, result)
                _scan(other, known, single, result)
            case s.While(_, condition, inner):
                _names(condition, known, result)
                _scan(inner, known, single, result)
            case s.Assign(_, e.Local(_, name), value) if name in single:
                _names(value, known, result)
                known = known | {name}
            case s.Block(_, _, inner):
                _scan(inner, known, single, result)
            case _:
                for part in children(statement):
                    _names(part, known, result)


def _names(node: Any, known: set[str], result: set[str]) -> None:
    match node:
        case e.Local(_, name):
            if name not in known:
                result.add(name)
        case e.Quantifier() | e.Aggregate() | e.SetOf() | e.SeqOf():
            inner = set(known)
            for generator in node.generators:
                _names(generator.iterable, inner, result)
                inner.add(generator.local.name)
                for condition in generator.conditions:
                    _names(condition, inner, result)
            _names(node.body, inner, result)
            if isinstance(node, e.Aggregate) and node.default is not None:
                _names(node.default, known, result)
        case e.MapOf(_, local, body):
            _names(body, known | {local.name}, result)
        case e.Sorted(_, value, local, key, _):
            _names(value, known, result)
            if local is not None and key is not None:
                _names(key, known | {local.name}, result)
        case _:
            for child in children(node):
                _names(child, known, result)
