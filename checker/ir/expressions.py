"""Expressions of the intermediate representation: typed, frozen, without behaviour.

Each node knows its type; back ends dispatch on the class.  Expressions have no side effects; they may fail with a model
error (index out of bounds, `Unwrap` of none, `Narrow` out of range, minimum of nothing, division by zero).  `line` is
the line of the model's source that such an error points at.

A *place* is a chain of Index, Field, VariantField and Unwrap over a Variable or a Local: it can be read and, at the
root of a statement, be written.
"""

from __future__ import annotations

from checker.frozen import frozen
from checker.ir.types import Type


@frozen
class Expression:
    """Base of all expressions."""

    type: Type


@frozen
class Const(Expression):
    """A scalar constant: Bool 0/1, Int its value, Enum and Ids their ordinal."""

    value: int


@frozen
class Variable(Expression):
    """A state variable; `before` reads the state before the step (step invariants only)."""

    name: str
    before: bool = False


@frozen
class Local(Expression):
    """A parameter or local variable of the function or action."""

    name: str


@frozen
class Index(Expression):
    """base[key]: of a Map (key has its key type, always defined) or a Seq (an Int from 0; out of bounds is an
    error)."""

    base: Expression
    key: Expression
    line: int = 0


@frozen
class Field(Expression):
    """base.name of a Record."""

    base: Expression
    name: str


@frozen
class IsVariant(Expression):
    """Whether the Union value holds this variant.  type: Bool."""

    value: Expression
    variant: str


@frozen
class VariantField(Expression):
    """A field of one variant of a Union value; holding another variant is an error."""

    value: Expression
    variant: str
    name: str
    line: int = 0


@frozen
class IsNone(Expression):
    """Whether the Optional value is none.  type: Bool."""

    value: Expression


@frozen
class NoneValue(Expression):
    """None of an Optional type."""


@frozen
class Some(Expression):
    """A value as a value of the Optional type."""

    value: Expression


@frozen
class Unwrap(Expression):
    """The value inside an Optional; none is an error."""

    value: Expression
    line: int = 0


@frozen
class Narrow(Expression):
    """A value converted to a like type `type` with other Int bounds or Seq/Bag capacities, anywhere inside; a value
    that does not fit is an error.
    """

    value: Expression
    line: int = 0


@frozen
class Ordinal(Expression):
    """The place from 0 of an Enum or Ids value, as an Int (`p.index`)."""

    value: Expression


@frozen
class FromOrdinal(Expression):
    """The Enum or Ids value at a place from 0 (`self.Process[k]`); outside is an error."""

    value: Expression
    line: int = 0


@frozen
class Not(Expression):
    """Logical negation."""

    value: Expression


@frozen
class And(Expression):
    """Conjunction; later operands are evaluated only if all earlier ones hold."""

    operands: tuple[Expression, ...]


@frozen
class Or(Expression):
    """Disjunction; later operands are evaluated only if no earlier one holds."""

    operands: tuple[Expression, ...]


@frozen
class IfElse(Expression):
    """then if condition else other; both of the node's type."""

    condition: Expression
    then: Expression
    other: Expression


@frozen
class Arithmetic(Expression):
    """operator: + - * // % min max, on Int; the type is the interval of results.  // and % are Python's (floor); by
    zero is an error."""

    operator: str
    left: Expression
    right: Expression
    line: int = 0


@frozen
class Compare(Expression):
    """operator: == != < <= > >=.  Operands have like types (Int bounds and capacities may differ).

    == and != on every type; the order on Int, Enum, Ids, Bool, Record, Optional, Union in canonical order.
    """

    operator: str
    left: Expression
    right: Expression


@frozen
class SetOperation(Expression):
    """operator: | & - ^ on two sets of the node's type."""

    operator: str
    left: Expression
    right: Expression


@frozen
class Subset(Expression):
    """left <= right for sets; `proper` for <."""

    left: Expression
    right: Expression
    proper: bool = False


@frozen
class Contains(Expression):
    """item in container; container is a Set, Seq or Bag."""

    container: Expression
    item: Expression


@frozen
class Length(Expression):
    """Number of elements of a Set, Seq or Bag (copies counted)."""

    value: Expression


@frozen
class Count(Expression):
    """Copies of an item in a Bag or Seq."""

    container: Expression
    item: Expression


@frozen
class MakeRecord(Expression):
    """A Record (or tuple) from its fields in declaration order; each has the field's type."""

    fields: tuple[Expression, ...]


@frozen
class MakeVariant(Expression):
    """A Union value from the fields of one variant in declaration order."""

    variant: str
    fields: tuple[Expression, ...]


@frozen
class MakeSet(Expression):
    """The set of the given items (of the item type)."""

    items: tuple[Expression, ...]


@frozen
class MakeSeq(Expression):
    """The sequence of the given items (of the item type); also the empty one."""

    items: tuple[Expression, ...]


@frozen
class EmptyBag(Expression):
    """The empty Bag."""


@frozen
class Everywhere(Expression):
    """The Map that has the same value at every key."""

    value: Expression


@frozen
class Concat(Expression):
    """left + right of sequences; the type's capacity is large enough for both."""

    left: Expression
    right: Expression


@frozen
class Slice(Expression):
    """seq[start:stop] with Python's meaning for bounds that are not negative; None stands for the end."""

    value: Expression
    start: Expression | None
    stop: Expression | None
    line: int = 0


# Iterables: a Domain or Range, or an expression of type Set (canonical order), Seq (its order) or Bag (distinct items,
# canonical order).


@frozen
class Domain(Expression):
    """All values of an enumerable type in canonical order.  `type` is Set(item); as a value it is the full set."""


@frozen
class Range(Expression):
    """The integers start..stop-1.  type: Seq(Int, n); only as an iterable or container."""

    start: Expression
    stop: Expression


@frozen
class Generator:
    """`for local in iterable if conditions` inside a comprehension."""

    local: Local
    iterable: Expression
    conditions: tuple[Expression, ...] = ()


@frozen
class Quantifier(Expression):
    """any(body for ...) or all(body for ...); operator: any, all.  Stops at the first deciding value."""

    operator: str
    generators: tuple[Generator, ...]
    body: Expression


@frozen
class Aggregate(Expression):
    """sum, min or max of body over the generators; `default` for min and max of no values, which is an error without
    one.

    sum is of Int; min and max are of any type that Compare orders, in canonical order.  `absent` is the name of that
    error, if it is not "min of nothing".
    """

    operator: str
    generators: tuple[Generator, ...]
    body: Expression
    default: Expression | None = None
    line: int = 0
    absent: str = ""

    @property
    def failure(self) -> str:
        """The name of the error for no values."""
        return self.absent or f"{self.operator} of nothing"


@frozen
class SetOf(Expression):
    """{body for ...}."""

    generators: tuple[Generator, ...]
    body: Expression


@frozen
class SeqOf(Expression):
    """[body for ...]; longer than the type's capacity is an error."""

    generators: tuple[Generator, ...]
    body: Expression
    line: int = 0


@frozen
class MapOf(Expression):
    """{key: body for key in the whole key type}."""

    local: Local
    body: Expression


@frozen
class Sorted(Expression):
    """The items of a Seq (stably) or of a Set or Bag (copies included) in increasing order of `key`, or in canonical
    order where it is None.

    type: Seq.  `local` is bound to an item inside `key`.
    """

    value: Expression
    local: Local | None = None
    key: Expression | None = None
    reverse: bool = False


@frozen
class After(Expression):
    """The value, evaluated after the expressions that Python evaluates before it and does not use: `earlier` may only
    fail. It is never a place: without `earlier`, it is a copy.
    """

    earlier: tuple[Expression, ...]
    value: Expression


@frozen
class Call(Expression):
    """A pure function (rule) of the model applied to arguments of its parameter types."""

    function: str
    arguments: tuple[Expression, ...]
