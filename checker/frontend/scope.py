"""The state of lowering a body: its locals and their types, the names in scope, the statements so far.

A Body becomes one action or function of the lowered model.  A Frame is one method inside it: the method itself, or an
inlined one.  The type of a local is the join of all its assignments.  A fixpoint iteration lowers the body until a
round has used nothing that grew afterwards (`learned`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

from attrs import define, evolve, field

from checker.frontend import callers, lattice
from checker.frontend.aliases import NOBODY, Owners, Replace, Root, changed, owners
from checker.frontend.bindings import DETACHED, STALE, Alias, Binding, Known, Stored
from checker.frontend.learned import Learned
from checker.frontend.places import chain, covers
from checker.frontend.program import WrittenDomain
from checker.frontend.source import Source, line_of
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.visit import rewrite

if TYPE_CHECKING:
    from checker.frontend.program import Program

PATIENCE = 4  # rounds in which a local's type may grow before it is widened


class Incomplete(Exception):
    """A type is not known yet in this round."""


def settled(type: t.Type) -> None:
    """Raises Incomplete while no value of a type is known."""
    if isinstance(type, lattice.Nothing):
        raise Incomplete


class Empty(Incomplete):
    """A collection to which, so far, nothing is ever added; this is certain once nothing grows that was used."""


class Ended(Exception):
    """Raised if control certainly does not continue: there is no item to choose or to pop."""


@define(eq=False)
class Body:
    """The action or function that is being lowered."""

    program: Program
    pure: bool
    step: bool = False  # the body is a step invariant: self.before may be read
    types: Learned[str, t.Type] = field(factory=Learned)
    result: t.Type | None = None  # the result type of a function after lowering, with its kinds
    growth: dict[str, int] = field(factory=dict)
    certain: bool = False  # a round was not outgrown, so collections that are empty so far count as empty
    # whether this round would have concluded something from an empty collection if `certain` were true
    doubted: bool = False
    closing: bool = False  # the last round
    for_last_round: bool = False  # whether this round left something to the last round
    names: dict[Any, str] = field(factory=dict)
    used: set[str] = field(factory=set)
    out: list[s.Statement] = field(factory=list)
    frames: list[Frame] = field(factory=list)
    loops: list[int] = field(factory=list)  # the largest number of rounds of each enclosing loop
    actor: e.Expression | None = None
    hoisting: bool = True
    declared: dict[str, None] = field(factory=dict)
    # locals that are Python variables: they can change, and so can containers in them
    assigned: Learned[str, None] = field(factory=Learned)
    bases: Learned[str, int] = field(factory=Learned)  # the largest capacity of a value assigned to a local sequence
    # how often each place in the text appends to a local sequence
    appends: Learned[str, dict[Any, int]] = field(factory=Learned)
    depths: Learned[str, int] = field(factory=Learned)  # the smallest number of loops around an assignment of a local
    labels: Learned[str, None] = field(factory=Learned)  # blocks that are left early
    owners: Learned[str, Owners] = field(factory=Learned)  # of each local, the collections that it may be or hold
    touched: list[set[Root]] = field(factory=list)  # in each enclosing loop: the collections that are changed in place
    touching: dict[Any, set[Root]] = field(factory=dict)  # the same for each loop, from the round before
    overtaken: bool = False  # what a loop changes makes other names stale at its beginning than this round knew
    entered: dict[ast.AST, frozenset[str]] = field(factory=dict)  # locals that had a value where a loop begins
    # the domains that this round has recorded (`Frame.record_domain`)
    ranged_over: list[tuple[WrittenDomain, tuple[e.Generator, ...]]] = field(factory=list)
    # the comparisons of numbers that this round has recorded, with the value that types decide
    compared: list[tuple[WrittenDomain, bool | None]] = field(factory=list)

    def rounds(self, lower: Callable[[], None]) -> tuple[s.Statement, ...]:
        """Lower until a round has used nothing that grew afterwards; return the statements of this round.

        Another round would have the same result (`learned`), unless this one has concluded less because emptiness was
        not certain, or has left something to the last round.
        """
        for _ in range(80):
            self._begin()
            lower()
            outgrown = self.overtaken or any(each.outgrown for each in self._learned())
            if self.closing or not (outgrown or self.doubted or self.for_last_round):
                return self._finished()
            self.closing = not outgrown and not self.doubted
            self.certain = self.certain or not outgrown
        raise AssertionError("the types of locals do not settle")

    def _begin(self) -> None:
        self.overtaken, self.doubted, self.out, self.loops, self.actor = False, False, [], [], None
        self.frames, self.declared, self.hoisting, self.for_last_round = [], {}, True, False
        self.ranged_over, self.compared = [], []
        for each in self._learned():
            each.begin()

    def last(self) -> bool:
        """Whether this is the last round; if not, there will be another."""
        self.for_last_round = True
        return self.closing

    def _learned(self) -> tuple[Learned[Any, Any], ...]:
        """The information that a round passes to the next, besides `touching`."""
        return self.types, self.assigned, self.bases, self.appends, self.depths, self.labels, self.owners

    def _finished(self) -> tuple[s.Statement, ...]:
        """The statements, with some type in place of Nothing, and without kinds."""
        for domain, generators in self.ranged_over:
            self.program.domains.setdefault(domain, []).append(generators)
        for place, value in self.compared:
            self.program.compared.setdefault(place, []).append(value)
        self.result = self.types.get("return")
        self.types.settle(lattice.known)
        lowered: tuple[s.Statement, ...] = rewrite(tuple(self.out), _known)
        return lowered

    def unique(self, key: Any, base: str) -> str:
        """The name of a local: the same in each round, different from all others of the body."""
        if key not in self.names:
            name, n = base, 1
            while name in self.used:
                n += 1
                name = f"{base}.{n}"
            self.used.add(name)
            self.names[key] = name
        return self.names[key]

    def grow(self, name: str, type: t.Type) -> t.Type | None:
        """Join a type into that of a local; None if they are unlike."""
        old = self.types.peek(name, lattice.NOTHING)
        new = lattice.join(old, type)
        if new is None or self.closing:
            return new and self.types.get(name, lattice.NOTHING)
        if new != old:
            self.growth[name] = self.growth.get(name, 0) + 1
            if self.growth[name] > PATIENCE:
                new = lattice.widen(old, new)
            self.types.put(name, new)
        return self.types.get(name, lattice.NOTHING)

    def local(self, name: str) -> e.Local:
        """A local with the type known so far."""
        if name not in self.types:
            raise Incomplete
        return e.Local(self.types[name], name)

    def valued(self) -> frozenset[str]:
        """Locals that have a value at present, under any name."""
        bound = [b for frame in self.frames for b in frame.names.values()]
        places = [chain(b.place)[0] for b in bound if isinstance(b, Alias)]
        return frozenset(
            [b.name for b in bound if isinstance(b, Stored)]
            + [str(p[1]) for p in places if isinstance(p, tuple) and p[0] == "local"]
        )

    @contextmanager
    def collect(self) -> Iterator[list[s.Statement]]:
        """Collect the statements that are emitted inside in a list of their own."""
        outer, self.out = self.out, []
        try:
            yield self.out
        finally:
            self.out = outer

    @contextmanager
    def lazy(self) -> Iterator[None]:
        """Expressions inside are evaluated never, or many times: no operation in them can be moved before the
        statement.
        """
        outer, self.hoisting = self.hoisting, False
        try:
            yield
        finally:
            self.hoisting = outer

    def note(self, statement: s.Statement) -> None:
        """Update the owners of locals, and the collections that have changed."""
        root = changed(statement)
        if isinstance(statement, s.Assign) and isinstance(statement.target, e.Local) and root is None:
            self.own(statement.target.name, self.owners_of(statement.value))
        elif root is not None:
            kind, name = root
            put = getattr(statement, "item", None) or getattr(statement, "value", None)
            if kind == "local" and put is not None:
                self.own(name, self.owners_of(put).held)
            self.touch(root)

    def own(self, local: str, owners: Owners) -> None:
        """Record that a local may be, or hold, the collections of these owners."""
        self.owners.put(local, self.owners.peek(local, NOBODY) | owners)

    def owners_of(self, value: e.Expression) -> Owners:
        """The owners of the collections that a value may be or hold."""
        return owners(value, self.owners, self.program.named)

    def touch(self, root: Root) -> None:
        """Record a change in place in a variable or local: possible copies of it may not be used any more."""
        for loop in self.touched:
            loop.add(root)
        for frame in self.frames:
            for name, binding in frame.names.items():
                value = self._named(binding)
                if value is not None and root != chain(value)[0] and root in self.owners_of(value).all:
                    frame.names[name] = STALE

    def shared(self) -> set[Root]:
        """The collections whose change makes a name stale."""
        named = (self._named(b) for frame in self.frames for b in frame.names.values())
        return {root for value in named if value is not None for root in self.owners_of(value).all - {chain(value)[0]}}

    def _named(self, binding: Binding) -> e.Expression | None:
        """The value or place of a name."""
        match binding:
            case Stored(name, _):
                return e.Local(self.types[name], name) if name in self.types else None
            case Alias(place):
                return place
            case Known(e.Expression() as meaning):
                return meaning
        return None

    def invalidate(self, place: e.Expression) -> None:
        """Record the assignment of a place: names for it or for parts of it now name detached values."""
        for frame in self.frames:
            for name, binding in frame.names.items():
                if isinstance(binding, Alias) and covers(place, binding.place):
                    frame.names[name] = DETACHED


@define(eq=False)
class Frame:
    """One method being lowered."""

    body: Body
    source: Source
    owner: str | None  # property class whose variables `self` reads first
    path: tuple[Any, ...] = ()
    names: dict[str, Binding] = field(factory=dict)
    before: bool = False
    label: str | None = None  # `return` leaves this block (an inlined procedure)
    observer: bool = False  # inside an observer's event handler: no crash cuts
    # in each enclosing loop: the meanings of names at each break
    left: list[list[dict[str, Binding]]] = field(factory=list)
    result: t.Type | None = None  # declared result of a function

    @property
    def program(self) -> Program:
        """The program to which the body belongs."""
        return self.body.program

    def refuse(self, node: ast.AST, reason: str, remedy: str = "") -> NoReturn:
        """Refuse a fragment of this method."""
        raise self.source.refused(node, reason + callers.where_called(self.program.calls, self.source, node), remedy)

    def emit(self, statement: s.Statement) -> None:
        """Append a statement."""
        self.body.note(statement)
        self.body.out.append(statement)

    def emit_changing(self, statement: s.Statement, change: s.Statement) -> None:
        """Append a statement that contains a change which was not emitted by itself."""
        self.body.note(change)
        self.emit(statement)

    def key(self, node: ast.AST, what: str) -> tuple[Any, ...]:
        """The key of a nameless local that belongs to a node."""
        # x[i] and x begin at the same column
        where = (getattr(node, name, 0) for name in ("lineno", "col_offset", "end_lineno", "end_col_offset"))
        return (*self.path, *where, what)

    def record_domain(self, node: ast.expr | ast.For, generators: tuple[e.Generator, ...]) -> None:
        """Record the domain of a loop, quantifier or choice, and the locals that have a value before a loop; no
        generators: the domain is certainly empty.
        """
        if isinstance(node, ast.For):
            self.body.entered[node] = self.body.valued()
        self.body.ranged_over.append((self._place(node), generators))

    def record_comparison(self, node: ast.Compare, value: bool | None) -> None:
        """Record whether the types of two numbers decide how they compare; None: they do not."""
        self.body.compared.append((self._place(node), value))

    def _place(self, node: ast.expr | ast.For) -> WrittenDomain:
        name = self.source.node.name
        method = f"{self.owner}.{name}" if self.owner else name
        return WrittenDomain(method, self.source.file, node.lineno, node.col_offset, node)

    def variable(self, name: str) -> str:
        """Name of the lowered local for a Python local of this method."""
        local = self.body.unique((*self.path, "local", name), name)
        self.body.assigned.put(local, None)
        return local

    def nameless(self, node: ast.AST, what: str, type: t.Type, base: str = "") -> e.Local:
        """A local inside an expression, which belongs to a node; `what` distinguishes it from others of that node."""
        return e.Local(type, self.body.unique(self.key(node, what), base or what))

    def bind_item(self, node: ast.AST, base: str, type: t.Type, declare: bool = True) -> e.Local:
        """A local for the items of a loop, comprehension or choice."""
        name = self.body.unique(self.key(node, "item " + base), base)
        self.body.grow(name, type)
        if declare:
            self.body.declared[name] = None
        return e.Local(self.body.types[name], name)

    @contextmanager
    def loop(self, node: ast.AST, most: int) -> Iterator[list[dict[str, Binding]]]:
        """The rounds of a loop, at most `most`: a change in one round precedes the next round.  Yields the meanings of
        names at each break.
        """
        body, key = self.body, self.key(node, "loop")
        known, shared = body.touching.get(key, set()), body.shared()
        for root in known:
            body.touch(root)
        body.loops.append(most)
        self.left.append([])
        body.touched.append(set())
        try:
            yield self.left[-1]
        finally:
            body.touching[key] = touched = body.touched.pop()
            body.overtaken |= not shared.isdisjoint(touched ^ known)
        self.left.pop()
        body.loops.pop()

    def limit(self, node: ast.AST, remedy: str) -> None:
        """Record that compiled code has a smaller bound here than Python."""
        self.program.limits.setdefault(line_of(node), (self.source.filename, remedy))

    @contextmanager
    def scope(self) -> Iterator[None]:
        """In this context new names are local: the names that were bound before are restored at its end
        (comprehensions).
        """
        outer, self.names = self.names, dict(self.names)
        try:
            yield
        finally:
            self.names = outer


def _known(node: Any) -> Any:
    """The node with known types only."""
    if isinstance(node, Replace):  # a statement that only the front end uses
        return s.Assign(node.line, node.target, node.value)
    if isinstance(node, e.Expression) and node.type.__class__ not in t.SCALARS:
        known = lattice.known(node.type)
        return node if known is node.type else evolve(node, type=known)
    return node
