"""Statements of the intermediate representation: frozen, structured control flow only.

Targets are places (see `expressions`).  A statement that fails ends the action with a model error at `line`.
"""

from __future__ import annotations

from attrs import field

from checker.frozen import frozen
from checker.ir.expressions import Expression, Local


@frozen
class Statement:
    """Base of all statements; `line` is the line of the model's source."""

    line: int


@frozen
class Assign(Statement):
    """target := value; the types are equal (the front end inserts Narrow and Some)."""

    target: Expression
    value: Expression


@frozen
class SetAdd(Statement):
    """Put an item into a Set."""

    target: Expression
    item: Expression


@frozen
class SetRemove(Statement):
    """Take an item out of a Set; if `strict`, its absence is an error."""

    target: Expression
    item: Expression
    strict: bool


@frozen
class SeqAppend(Statement):
    """Append to a Seq; overflow is an error."""

    target: Expression
    item: Expression


@frozen
class SeqRemoveAt(Statement):
    """Remove the item at an index of a Seq; out of bounds is an error."""

    target: Expression
    index: Expression


@frozen
class SeqInsert(Statement):
    """Insert before an index (0..length) of a Seq; overflow is an error."""

    target: Expression
    index: Expression
    item: Expression


@frozen
class BagAdd(Statement):
    """Add one copy to a Bag; overflow is an error, or asks for a larger network (Bag.grow)."""

    target: Expression
    item: Expression


@frozen
class BagRemove(Statement):
    """Remove one copy (`every`: all copies) from a Bag; if `strict`, absence is an error."""

    target: Expression
    item: Expression
    strict: bool
    every: bool = False


@frozen
class If(Statement):
    """Two-way branch.

    `text`: for an `if` of a model, its method, its place, and its condition as the model writes it; empty for others.
    Back ends ignore it.
    """

    condition: Expression
    then: tuple[Statement, ...]
    other: tuple[Statement, ...] = ()
    text: tuple[str, str, str] = field(default=("", "", ""), eq=False, repr=False)


@frozen
class For(Statement):
    """For each item of an iterable.  The iterable is evaluated once, before the first round."""

    local: Local
    iterable: Expression
    body: tuple[Statement, ...]


@frozen
class While(Statement):
    """While loop; more than `domain.ROUNDS` rounds are a model error."""

    condition: Expression
    body: tuple[Statement, ...]


@frozen
class Break(Statement):
    """Leave the innermost For or While."""


@frozen
class Continue(Statement):
    """Next round of the innermost For or While."""


@frozen
class Return(Statement):
    """Result of a function (rule).  Actions end with Stop instead."""

    value: Expression


@frozen
class Block(Statement):
    """A labelled body (an inlined procedure); Leave(label) inside ends it."""

    label: str
    body: tuple[Statement, ...]


@frozen
class Leave(Statement):
    """Jump to the end of the enclosing Block of that label."""

    label: str


@frozen
class Stop(Statement):
    """End the action here; the effects so far are the step.

    crash: because the acting process crashed in the middle of it.  Such a step is a fault: it is no progress, and does
    not take its instance in the sense of fairness.
    """

    crash: bool = False


@frozen
class Require(Statement):
    """Guard: if it does not hold the action instance is disabled and has no effect.

    `text`: the condition as the model writes it; empty for conditions of the network or of a budget.  Back ends ignore
    it.
    """

    condition: Expression
    text: str = field(default="", eq=False, repr=False)


@frozen
class Assert(Statement):
    """If it is false, the step violates the assertion of that line."""

    condition: Expression
    message: str


@frozen
class Fail(Statement):
    """A model error with this message."""

    message: str


@frozen
class Choose(Statement):
    """Bind `local` to some item of an iterable: one successor for each.  Without an item the instance is disabled."""

    local: Local
    iterable: Expression
