"""Properties of expressions that decide how they are emitted: whether they can fail, how much work they are, what they
read.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir.facts import may_fail, root, target_of
from checker.ir.visit import children, walk

BAG = 60
_LOOPS = (e.Quantifier, e.Aggregate, e.SetOf, e.SeqOf, e.MapOf, e.Sorted)
_WEIGHTS = ((_LOOPS, 30), ((s.BagAdd, s.BagRemove), BAG), (e.Call, 10))


def weight(node: Any) -> int:
    """Rough number of operations; loops count as many."""
    own = next((w for classes, w in _WEIGHTS if isinstance(node, classes)), 1)
    return own + sum(weight(child) for child in children(node))


def cheap(node: e.Expression) -> bool:
    """Whether it costs less to compute the expression always than to branch around it where its value is not needed."""
    return weight(node) <= 12 and not may_fail(node)


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
    """Locals that statements write; and those of them that are written once, as a whole, and not bound otherwise."""
    whole: Counter[str] = Counter()
    others, bound = set(), set(parameters)
    for statement in (part for part in walk(body) if isinstance(part, s.Statement)):
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
