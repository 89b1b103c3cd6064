"""Symmetry reduction: models with interchangeable identities, searched up to permutations of these identities.

A permutation of the members of a symmetric type maps states to states.  Such identities can only be compared for
equality, index maps and be members of sets (the front end refuses other uses).  A permuted state therefore has the
permuted successors, and one state of each orbit suffices (C. N. Ip and D. L. Dill, "Better Verification Through
Symmetry", 1996).  The canonical representative is the *least* state of its orbit, in the canonical order of values,
variable by variable.

Finding the least of n! permuted states makes symmetry reduction slow elsewhere.  Here one type is *sorted* instead, if
its members are not related to each other: no value contains two of them together, so a state gives each member a
condition of its own.  Exchanging neighbours while that makes the state smaller (n * n / 2 exchanges) then ends in the
least state. All other symmetric types are permuted in full, by a walk that exchanges neighbours; more than
MOST_ARRANGEMENTS permutations are refused.

The reduction consists of exchanges of two neighbouring members, which are actions in the model's own language, so each
back end can compile them like any action.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from math import factorial, prod

from checker.ir import build
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.model import Action, Parameter, StateVariable, Symmetry

MOST_ARRANGEMENTS = 720
"""The largest number of permutations of all types except the sorted one together."""


class Unmergeable(Exception):
    """The symmetric types of a model have too many arrangements."""


def symmetry_of(variables: Sequence[StateVariable]) -> Symmetry | None:
    """The symmetry reduction for the symmetric types of these variables; None if there are none.  Raises
    Unmergeable."""
    merged = families(variables)
    if not merged:
        return None
    sortable = [f for f in merged if all(_unrelated(v.type, f) for v in variables)]
    chosen = max(sortable, key=lambda f: len(f.members), default=None)
    permuted = [f for f in merged if f != chosen]
    arrangements = prod(factorial(len(f.members)) for f in permuted)
    if arrangements > MOST_ARRANGEMENTS:
        names = ", ".join(f"{f.name} ({len(f.members)})" for f in permuted)
        ways = f"{arrangements:,}" if arrangements < 10**15 else "more than 10^15"  # Python prints at most 4,300 digits
        raise Unmergeable(
            f"{names} can be arranged in {ways} ways, which all would have to be tried for each "
            f"state; the limit is {MOST_ARRANGEMENTS}"
        )
    generators: list[Action] = []
    start: dict[t.Ids, int] = {}
    for family in merged:
        start[family] = len(generators)
        generators += [_exchange(variables, family, i) for i in range(len(family.members) - 1)]
    walks = [[start[f] + i for i in plain_changes(len(f.members))] for f in permuted]
    sort = () if chosen is None else tuple(start[chosen] + i for i in range(len(chosen.members) - 1))
    return Symmetry(tuple(f.name for f in merged), tuple(generators), tuple(_combined(walks)), sort)


def plain_changes(n: int) -> list[int]:
    """Exchanges of neighbours (i and i + 1) that lead, one after the other, through all n! arrangements (S. M. Johnson,
    H. F. Trotter, 1962-63).
    """
    if n < 2:
        return []
    inner, down = plain_changes(n - 1), True
    result: list[int] = []
    for number in range(factorial(n - 1)):
        result += range(n - 2, -1, -1) if down else range(n - 1)
        if number < len(inner):
            result.append(inner[number] + (1 if down else 0))
        down = not down
    return result


def _combined(walks: Sequence[Sequence[int]]) -> list[int]:
    """A walk through all combinations: the whole first walk between any two steps of the rest."""
    if not walks:
        return []
    first, rest = list(walks[0]), _combined(walks[1:])
    result = list(first)
    for step in rest:
        result += [step, *first]
    return result


def families(variables: Sequence[StateVariable]) -> list[t.Ids]:
    """The symmetric types in use, in order of appearance."""
    found: dict[t.Ids, None] = {}
    for variable in variables:
        for ids in t.walk(variable.type):
            if isinstance(ids, t.Ids) and ids.symmetric and len(ids.members) > 1:
                found[ids] = None
    return list(found)


def _unrelated(type: t.Type, family: t.Ids) -> bool:
    """Whether each value of the type gives every member a condition of its own, and contains no two of them
    together."""
    match type:
        case t.Set(item) | t.Bag(item, _, _):
            return _together_in(item, family) <= 1
        case t.Map(key, value) if _holds(key, family):
            return _together_in(key, family) <= 1 and not _holds(value, family)
        case t.Map(_, value):
            return _unrelated(value, family)
        case _:
            return all(_unrelated(part, family) for part in t.parts(type))


def _together_in(type: t.Type, family: t.Ids) -> int:
    """How many members one value of the type can hold; 2 stands for more too."""
    if not _holds(type, family):
        return 0
    match type:
        case t.Ids():
            return 1
        case t.Optional(item):
            return _together_in(item, family)
        case t.Record(_, fields):
            return sum(_together_in(f, family) for _, f in fields)
        case t.Union(_, variants):
            return max(_together_in(v, family) for v in variants)
        case _:
            return 2


def _holds(type: t.Type, family: t.Ids) -> bool:
    return family in t.walk(type)


# -- exchanges of two members, as actions
# ------------------------------------------------------------------------------------


def _exchange(variables: Sequence[StateVariable], family: t.Ids, first: int) -> Action:
    """The action that exchanges members `first` and `first + 1` everywhere in the state."""
    writing = _Writing(family, first)
    body: list[s.Statement] = []
    for number, variable in enumerate(v for v in variables if _holds(v.type, family)):
        old = writing.local(variable.type, f"old{number}")
        body.append(s.Assign(0, old, e.Variable(variable.type, variable.name)))
        body += writing.written(e.Variable(variable.type, variable.name), old)
    return Action(
        f"exchange {family.members[first]} and {family.members[first + 1]}", (), tuple(writing.locals), tuple(body)
    )


class _Writing:
    """Statements and expressions for an exchange."""

    def __init__(self, family: t.Ids, first: int) -> None:
        self.family, self.first = family, first
        self.locals: list[Parameter] = []
        self._numbers = count()

    def local(self, type: t.Type, name: str) -> e.Local:
        """A new local variable."""
        self.locals.append(Parameter(name, type))
        return e.Local(type, name)

    def _item(self, type: t.Type) -> e.Local:
        return self.local(type, f"item{next(self._numbers)}")

    def written(self, target: e.Expression, source: e.Expression) -> list[s.Statement]:
        """target := source with the two exchanged; the source is not the target."""
        type = target.type
        if not _holds(type, self.family):
            return [s.Assign(0, target, source)]
        match type:
            case t.Map(key):
                place = self._item(key)
                inner = self.written(build.index(target, place), build.index(source, self.value(place)))
                return [s.For(0, place, build.everything(key), tuple(inner))]
            case t.Bag(item, most, _):  # a loop visits each item once, however many copies there are
                each, copy, number = self._item(item), self._item(t.Int(0, max(most - 1, 0))), t.Int(0, most)
                copies = e.Range(t.Seq(copy.type, most), e.Const(number, 0), e.Count(number, source, each))
                again = s.For(0, copy, copies, (s.BagAdd(0, target, self.value(each)),))
                return [s.Assign(0, target, e.EmptyBag(type)), s.For(0, each, source, (again,))]
            case t.Record(_, fields):
                pairs = [(e.Field(part, target, name), e.Field(part, source, name)) for name, part in fields]
                return [x for pair in pairs for x in self.written(*pair)]
            case _:
                return [s.Assign(0, target, self.value(source))]

    def value(self, source: e.Expression) -> e.Expression:
        """The value of an expression with the two exchanged."""
        type = source.type
        if not _holds(type, self.family):
            return source
        match type:
            case t.Ids():
                return self._exchanged(source)
            case t.Optional(item):
                some = e.Some(type, self.value(e.Unwrap(item, source)))
                return build.if_else(build.is_none(source), e.NoneValue(type), some)
            case t.Record(_, fields):
                return e.MakeRecord(type, tuple(self.value(e.Field(part, source, name)) for name, part in fields))
            case t.Union(_, variants):
                return self._variant(type, variants, source)
            case t.Map(key):
                place = self._item(key)
                return e.MapOf(type, place, self.value(build.index(source, self.value(place))))
            case t.Set(item):
                each = self._item(item)
                return e.SetOf(type, (e.Generator(each, source),), self.value(each))
            case t.Seq(item, _, _):
                each = self._item(item)
                return e.SeqOf(type, (e.Generator(each, source),), self.value(each))
            case _:
                raise Unmergeable(f"a bag inside a {type.__class__.__name__.lower()} holds {self.family.name}")

    def _exchanged(self, source: e.Expression) -> e.Expression:
        one, two = (e.Const(self.family, self.first + i) for i in (0, 1))
        same = [build.compare("==", source, x) for x in (one, two)]
        return build.if_else(same[0], two, build.if_else(same[1], one, source))

    def _variant(self, type: t.Union, variants: Sequence[t.Record], source: e.Expression) -> e.Expression:
        made: list[e.Expression] = []
        for v in variants:
            fields = (self.value(e.VariantField(part, source, v.name, name)) for name, part in v.fields)
            made.append(e.MakeVariant(type, v.name, tuple(fields)))
        result = made[-1]
        for variant, value in list(zip(variants, made))[-2::-1]:
            result = build.if_else(e.IsVariant(build.BOOL, source, variant.name), value, result)
        return result
