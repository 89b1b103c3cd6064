"""Alias analysis: to which collections, of the state or in locals, a value may refer or contain a reference.  In Python
a name for a collection is a reference to it and not a copy.

`x = self.held[p]` is another name for a place, and is lowered as one (`bindings.Alias`).  Where the collection may be
one of several, or comes from a rule, a tuple or a list, a local has a copy instead, which is equal as long as none of
these collections changes.  The analysis therefore knows for each local the collections of the state, and the other
locals, to which it may refer; after a change of one of them the name may not be used any more (`bindings.STALE`).  The
analysis is not sensitive to the order of assignments to one local.  Values inside records, sequences and messages of
the state never change in place, so no name is an alias of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from checker.frontend.places import chain, entries_only
from checker.frozen import frozen
from checker.ir import expressions as e
from checker.ir import model as m
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.visit import walk

Root = tuple[str, str]
"""("variable" or "local", name)."""


@frozen
class Owners:
    """itself: the collections to which a value may refer; inside: those to which it may contain a reference."""

    itself: frozenset[Root] = frozenset()
    inside: frozenset[Root] = frozenset()

    def __or__(self, other: Owners) -> Owners:
        return Owners(self.itself | other.itself, self.inside | other.inside)

    @property
    def all(self) -> frozenset[Root]:
        """The collections whose change may change the value."""
        return self.itself | self.inside

    @property
    def held(self) -> Owners:
        """The owners of a new collection of such values."""
        return Owners(frozenset(), self.all)


NOBODY = Owners()


@frozen
class Replace(s.Assign):
    """A collection is changed in place by giving its place all its new items (`clear`, `&=`): its aliases see the
    change.  An Assign in the finished model.
    """


ITEMWISE = s.SetAdd | s.SetRemove | s.SeqAppend | s.SeqRemoveAt | s.SeqInsert | s.BagAdd | s.BagRemove
CHANGES = ITEMWISE | Replace
"""Statements that change a collection in place; so does the assignment of an item of a sequence."""


def together(owners: Iterable[Owners]) -> Owners:
    """The owners of a value that may be any of these."""
    result = NOBODY
    for owner in owners:
        result |= owner
    return result


def owners(value: e.Expression, locals: Mapping[str, Owners], functions: Mapping[str, m.Function]) -> Owners:
    """The collections to which a value may refer or contain a reference.  locals: the owners of locals so far."""
    changes, holds = _changes(value.type), _holds(value.type)
    if not changes and not holds:
        return NOBODY
    found = _owners(value, locals, functions)
    return Owners(found.itself if changes else frozenset(), found.inside if holds else frozenset())


def _changes(type: t.Type) -> bool:
    return isinstance(type.item if isinstance(type, t.Optional) else type, t.Set | t.Seq | t.Bag | t.Map)


def _holds(type: t.Type) -> bool:
    inside = (type.value,) if isinstance(type, t.Map) else t.parts(type)
    return any(_changes(part) or _holds(part) for part in inside)


def _owners(value: e.Expression, locals: Mapping[str, Owners], functions: Mapping[str, m.Function]) -> Owners:
    def of(part: e.Expression) -> Owners:
        return owners(part, locals, functions)

    if entries_only(value):
        root = frozenset({chain(value)[0]})
        own = Owners(root, root if isinstance(value.type, t.Map) else frozenset())
        known = locals.get(chain(value)[0][1], NOBODY) if chain(value)[0][0] == "local" else NOBODY
        return own | (part(known) if isinstance(value, e.Index) else known)
    match value:
        case e.Index(_, base, _, _) | e.Field(_, base, _) | e.VariantField(_, base, _, _, _):
            return part(of(base))
        case e.After(_, (), inner) | e.Slice(_, inner) | e.Sorted(_, inner):
            return Owners(inside=of(inner).inside)
        case e.Unwrap(_, inner) | e.Narrow(_, inner) | e.Some(_, inner) | e.After(_, _, inner):
            return of(inner)
        case e.IfElse(_, _, then, other):
            return of(then) | of(other)
        case e.MakeRecord(_, parts) | e.MakeVariant(_, _, parts) | e.MakeSeq(_, parts) | e.MakeSet(_, parts):
            return together(map(of, parts)).held
        case e.Everywhere(_, inner) | e.MapOf(_, _, inner):
            return of(inner).held
        case e.Concat(_, left, right):
            return Owners(inside=of(left).inside | of(right).inside)
        case e.SeqOf(_, generators, body) | e.SetOf(_, generators, body):
            return owners(body, _walked(generators, locals, functions), functions).held
        case e.Aggregate(_, _, generators, body, default):
            found = owners(body, _walked(generators, locals, functions), functions)
            return found if default is None else found | of(default)
        case e.Call(_, name, arguments) if name in functions:
            return _returned(functions[name], [of(a) for a in arguments], functions)
        case e.Call(_, name, arguments):
            return together(map(of, arguments))
    return NOBODY  # a value in the state before the step is included: nothing changes it


def part(whole: Owners) -> Owners:
    """The owners of an entry, item or field of a value."""
    return Owners(whole.inside, whole.inside)


def _walked(
    generators: tuple[e.Generator, ...], locals: Mapping[str, Owners], functions: Mapping[str, m.Function]
) -> Mapping[str, Owners]:
    known = dict(locals)
    for generator in generators:
        known[generator.local.name] = part(owners(generator.iterable, known, functions))
    return known


def _returned(function: m.Function, arguments: list[Owners], functions: Mapping[str, m.Function]) -> Owners:
    """The owners of a function's result, given those of its arguments; no other name refers to its own locals."""
    known = dict(zip((p.name for p in function.parameters), arguments))
    result, before = NOBODY, None
    while before != (result, known):
        before = (result, dict(known))
        for node in walk(function.body, whole=e.Expression):
            match node:
                case s.Assign(_, e.Local(_, name), value):
                    known[name] = known.get(name, NOBODY) | owners(value, known, functions)
                case s.For(_, local, iterable, _):
                    known[local.name] = part(owners(iterable, known, functions))
                case s.Return(_, value):
                    result |= owners(value, known, functions)
    return result


def changed(statement: s.Statement) -> Root | None:
    """The variable or local in which a statement changes a collection in place."""
    if isinstance(statement, CHANGES) or isinstance(statement, s.Assign) and isinstance(statement.target, e.Index):
        root = chain(statement.target)[0]
        return root if isinstance(root, tuple) else None
    return None
