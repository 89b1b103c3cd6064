"""Indexing of sequences that cannot fail, because a loop keeps the index below the length.

`s[i] for i in range(min(len(s), len(t)))` compares two logs.  Where it stops: the loop's range must name the length of
the indexed sequence.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import evolve

from checker.ir import expressions as e
from checker.ir.model import Function
from checker.ir.visit import rewrite, without_lines

ITEM = "$item"


def without_safe_indexes(function: Function) -> Function:
    """The function with a local in place of each item that certainly exists."""
    return evolve(function, body=rewrite(without_lines(function.body, e.Expression), _quantified))


def _quantified(node: Any) -> Any:
    if not isinstance(node, e.Quantifier | e.Aggregate | e.SetOf | e.SeqOf):
        return node
    safe = {(base, g.local) for g in node.generators for base in _within(g.iterable)}

    def replaced(x: Any) -> Any:
        return e.Local(x.type, ITEM) if isinstance(x, e.Index) and (x.base, x.key) in safe else x

    return evolve(node, body=rewrite(node.body, replaced)) if safe else node


def _within(iterable: e.Expression) -> Iterator[e.Expression]:
    """The sequences that have an item at each of these indices."""
    match iterable:
        case e.Range(_, e.Const(_, start), stop) if start >= 0:
            pending = [stop]
            while pending:
                match pending.pop():
                    case e.Length(_, value):
                        yield value
                    case e.Arithmetic(_, "min", left, right):
                        pending += [left, right]
                    case e.Narrow(_, value):
                        pending.append(value)
