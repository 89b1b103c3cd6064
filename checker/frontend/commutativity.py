"""Loop commutativity analysis: what the iterations of a loop read and change, and whether they commute.  If they do,
the result does not depend on the order of the items.

An iteration may change *its own* part of a map or set (`m[q] = ...`, `s.add(q)`) in any way.  Into a value that other
iterations change too it may only accumulate: add to it, take its maximum, put into it, or assign what every iteration
assigns; and nothing else may read that value.  Other values, such as the greatest so far with the member it belongs to,
are decided by enumeration (`commutativity_trials`).  Everything else depends on the order; a refusal names its last
place in the text.

Where it stops: the analysis does not examine which of two failures occurs first.  `iterating` refuses an iteration that
ends the loop before another one can fail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from attrs import field

from checker.frontend import commutativity_trials, lattice
from checker.frontend.aliases import ITEMWISE, Root
from checker.frontend.failing import Failing
from checker.frontend.places import chain, changed_by, root_of
from checker.frozen import frozen
from checker.ir import expressions as e
from checker.ir import model as m
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.facts import target_of
from checker.ir.visit import children, walk

Part = int | str
Functions = Callable[[str], m.Function]
WRITING = s.Assign | ITEMWISE
SEQUENCE = s.SeqAppend | s.SeqRemoveAt | s.SeqInsert
PLACES = e.Variable | e.Local | e.Index | e.Field | e.VariantField | e.Unwrap
ITEM = "item"


@frozen
class Read:
    """A place that is read: its root, and the positions of the iteration's own item among its keys."""

    root: Root
    own: frozenset[Part]


@frozen
class Rounds:
    """The body of a loop.  `kept`: locals that have a value before the loop; all others belong to one iteration."""

    local: e.Local
    body: tuple[s.Statement, ...]
    kept: frozenset[str]
    functions: Functions = field(repr=False)

    def shows(self) -> Iterator[str]:
        """The reasons why the order of the rounds has an effect; none if it has no effect."""
        writes = self.writes()
        failing = {root: what for root, statements in writes.items() if (what := self._differs(root, statements))}
        for statement in self._all(s.Statement):
            for read in self._needs(statement):
                if read.root in writes and read.root not in failing and not read.own & self._own_of(writes[read.root]):
                    failing[read.root] = f"reads {shown(read.root)}, which other rounds change (line {statement.line})"
        if failing and not commutativity_trials.commute(
            self.body,
            set(failing),
            set(writes),
            changed_by(self.body),
            self._reads_of,
            Failing(self.functions).expression,
        ):
            yield from failing.values()

    def writes(self) -> dict[Root, list[Any]]:
        """The statements that change a value which more than this iteration accesses."""
        found: dict[Root, list[Any]] = {}
        for statement in self._all(WRITING):
            root = root_of(statement.target)
            if root[0] == "variable" or root[1] in self.kept:
                found.setdefault(root, []).append(statement)
        return found

    def _all(self, kind: Any) -> Iterator[Any]:
        return (x for x in walk(self.body, backwards=True) if isinstance(x, kind))

    # -- what belongs to one round

    def _names(self) -> frozenset[str]:
        """The loop's local and copies of it."""
        stores: dict[str, list[e.Expression]] = {}
        for statement in self._all(s.Assign):
            if isinstance(statement.target, e.Local):
                stores.setdefault(statement.target.name, []).append(statement.value)
        copies = {name for name, values in stores.items() if values == [self.local] and name not in self.kept}
        return frozenset(copies | ({self.local.name} - set(stores)))

    def _own_of(self, statements: list[Any]) -> frozenset[Part]:
        """The positions of the own item that all these statements have in common; empty if some change another part."""
        names = self._names()
        each = [own_parts(x.target, names) | item_part(x, names) for x in statements]
        return frozenset.intersection(*each)

    # -- what is accumulated

    def _differs(self, root: Root, statements: list[Any]) -> str:
        """How the value that these statements leave in a root depends on the order; empty if it does not."""
        if self._own_of(statements):
            return ""
        kinds = {self._kind(x) for x in statements}
        if len(kinds) == 1 and None not in kinds and not (kinds == {"sum"} and may_overflow(statements)):
            return ""
        if any(isinstance(x, SEQUENCE) for x in statements):
            return "builds a sequence"
        line = next((x.line for x in statements if self._kind(x) is None), statements[0].line)
        reads = any(read.root == root for x in statements for read in self._reads(getattr(x, "value", ())))
        plain = all(isinstance(x, s.Assign) for x in statements) and not reads
        if plain:
            return f"keeps the last one in {shown(root)} (line {line})"
        return f"changes {shown(root)} in a way in which the order shows (line {line})"

    def _kind(self, statement: Any) -> Any:
        """A name for a kind of change that commutes with itself, or None."""
        match statement:
            case s.Assign(_, target, value):
                way = accumulates(target, value)
                if way is not None:
                    return None if self._hides(target, value) else way[0]
                return ("same", value, shape(target)) if self._same(value) else None
            case s.SetAdd():
                return "put"
            case s.SetRemove(_, _, _, strict):
                return "remove" if strict else "discard"
            case s.BagAdd():
                return "bag"
            case s.BagRemove(_, _, _, strict, every):
                return ("bag remove", strict, every)
            case _:
                return None

    def _hides(self, target: e.Expression, value: e.Expression) -> bool:
        """Whether an accumulated value decides if an expression is evaluated that may fail: `x = x or f(q)`."""
        if not isinstance(value, e.And | e.Or):
            return False
        later = value.operands[value.operands.index(target) + 1 :]
        return Failing(self.functions).expression(later)

    def _same(self, value: e.Expression) -> bool:
        """Whether an expression has the same value in every round."""
        bound = (
            {x.target.name for x in self._all(s.Assign) if isinstance(x.target, e.Local)}
            | {x.local.name for x in self._all(s.For | s.Choose)}
            | {self.local.name}
        )
        changed = self.writes()
        return not any(
            read.root in changed or read.root[0] == "local" and read.root[1] in bound for read in self._reads(value)
        )

    # -- what is read

    def _needs(self, statement: s.Statement) -> Iterator[Read]:
        """What a statement reads itself, without the statements in it, and without the value that it accumulates."""
        parts = list(children(statement))
        if target_of(statement) is not None:
            yield from self._keys(parts.pop(0), self._names())
        for part in parts:
            if isinstance(statement, s.Assign) and (way := accumulates(statement.target, part)):
                yield from self._reads(way[1])
            elif not isinstance(part, s.Statement):
                yield from self._reads(part)

    def _reads_of(self, node: Any) -> set[Root]:
        return {read.root for read in self._reads(node)}

    def _reads(self, node: Any, own: frozenset[str] | None = None) -> Iterator[Read]:
        """The places that an expression reads, also through the functions it calls."""
        own = self._names() if own is None else own
        match node:
            case tuple():
                for part in node:
                    yield from self._reads(part, own)
            case e.Contains(_, container, e.Local(_, name)) if name in own and is_rooted(container):
                yield from (
                    Read(root_of(container), own_parts(container, own) | {ITEM}),
                    Read(("local", name), frozenset()),
                )
                yield from self._keys(container, own)
            case _ if isinstance(node, PLACES) and is_rooted(node):
                yield Read(root_of(node), own_parts(node, own))
                yield from self._keys(node, own)
            case e.Call(_, name, arguments):
                yield from self._reads(arguments, own)
                function = self.functions(name)
                given = frozenset(
                    p.name for p, a in zip(function.parameters, arguments) if isinstance(a, e.Local) and a.name in own
                )
                for statement in function.body:
                    yield from (read for read in self._inside(statement, given) if read.root[0] == "variable")
            case e.Expression() | e.Generator():
                yield from self._inside(node, own)

    def _inside(self, node: Any, own: frozenset[str]) -> Iterator[Read]:
        for x in children(node):
            yield from self._inside(x, own) if isinstance(x, s.Statement) else self._reads(x, own)

    def _keys(self, place: e.Expression, own: frozenset[str]) -> Iterator[Read]:
        """What the keys of a place read."""
        for key in chain(place)[1:]:
            if isinstance(key, e.Expression):
                yield from self._reads(key, own)


def is_rooted(place: e.Expression) -> bool:
    """Whether an expression is a place in a variable or local."""
    return isinstance(chain(place)[0], tuple)


def own_parts(place: e.Expression, own: frozenset[str]) -> frozenset[Part]:
    """The positions of the iteration's own item among the keys of a place."""
    return frozenset(number for number, key in enumerate(chain(place)) if isinstance(key, e.Local) and key.name in own)


def item_part(statement: Any, own: frozenset[str]) -> frozenset[Part]:
    """Whether the item that is put into a set or removed from it is the iteration's own item."""
    there = (
        isinstance(statement, s.SetAdd | s.SetRemove)
        and isinstance(statement.item, e.Local)
        and statement.item.name in own
    )
    return frozenset({ITEM}) if there else frozenset()


def shape(place: e.Expression) -> tuple[str, ...]:
    """The way to a place with the keys of maps left open."""
    return tuple(key if isinstance(key, str) else "" for key in chain(place))


def shown(root: Root) -> str:
    """A root in the words of the model."""
    return f"self.{root[1].rpartition('.')[2]}" if root[0] == "variable" else root[1].split(".")[0]


def accumulates(target: e.Expression, value: e.Expression) -> tuple[str, tuple[e.Expression, ...]] | None:
    """The way in which an assignment accumulates, and the value that it adds."""
    match value.value if isinstance(value, e.Narrow) else value:
        case e.Arithmetic(_, "+", left, right) if left == target or right == target:
            return "sum", (right if left == target else left,)
        case e.Arithmetic(_, "-", left, right) if left == target:
            return "sum", (right,)
        case e.Arithmetic(_, "min" | "max" as operator, left, right) if left == target or right == target:
            return operator, (right if left == target else left,)
        case e.Or(_, operands) | e.And(_, operands) as both if operands.count(target) == 1:
            return type(both).__name__, tuple(x for x in operands if x != target)
        case e.SetOperation(_, operator, left, right) if left == target:
            return {"|": "put", "-": "discard", "&": "discard", "^": "toggle"}[operator], (right,)
        case _:
            return None


def may_overflow(statements: list[s.Assign]) -> bool:
    """Whether a bounded sum is both raised and lowered: the order then decides whether it exceeds a bound in
    between.
    """
    if all(x.target.type == lattice.WIDE for x in statements):
        return False
    signs: set[bool] = set()
    for statement in statements:
        inner = statement.value.value if isinstance(statement.value, e.Narrow) else statement.value
        way = accumulates(statement.target, statement.value)
        assert isinstance(inner, e.Arithmetic) and way is not None
        added = way[1][0].type
        assert isinstance(added, t.Int | t.Bool)
        lo, hi = (added.lo, added.hi) if isinstance(added, t.Int) else (0, 1)
        signs |= {up == (inner.operator == "+") for up in (True, False) if (hi > 0 if up else lo < 0)}
    return len(signs) > 1
