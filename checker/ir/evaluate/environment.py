"""The state of an evaluation, and the exceptions that end it.

Expressions call functions, whose bodies are statements, which contain expressions.  An environment has the function
that executes a call, so that the module of expressions need not import that of statements.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import Factory, define, field

from checker.frozen import frozen
from checker.ir import types as t
from checker.ir.expressions import Local
from checker.ir.model import Function, Model
from checker.ir.values import Raw, inside

State = dict[str, Raw]

CHOICES = 256
"""The largest number of choices in one step; more are a model error."""


@frozen
class Failure(Exception):
    """A model error: kind ("error", "assert", "grow"), short text, line of the model's source."""

    kind: str
    name: str
    line: int


class Disabled(Exception):
    """A guard is false, or a choice has no element."""


@define
class Script:
    """The choices of one run: [index, number of alternatives] in the order in which they are made."""

    entries: list[list[int]] = Factory(list)
    position: int = 0

    def choose(self, alternatives: int) -> int:
        """The alternative to take."""
        if self.position == len(self.entries):
            self.entries.append([0, alternatives])
        self.position += 1
        return self.entries[self.position - 1][0]

    def advance(self) -> bool:
        """Go to the next script in lexicographic order; False if there is none."""
        self.position = 0
        while self.entries and self.entries[-1][0] + 1 >= self.entries[-1][1]:
            self.entries.pop()
        if self.entries:
            self.entries[-1][0] += 1
        return bool(self.entries)


@define(eq=False)
class Environment:
    """The model, the state, the state before the step, the locals, the choices; call: `statements.call`."""

    model: Model
    state: State
    before: State
    names: dict[str, Raw] = Factory(dict)
    script: Script = Factory(Script)
    call: Callable[[Environment, Function, list[Raw]], Raw] = field(kw_only=True)

    def bound(self, local: Local, value: Raw) -> Environment:
        """The same environment with one more local (for expressions, which write nothing)."""
        names = {**self.names, local.name: value}
        return Environment(self.model, self.state, self.before, names, self.script, call=self.call)


def narrow(type: t.Type, raw: Raw, line: int) -> Raw:
    """The value if it is one of the type, else the error "out of range" or "overflow"."""
    match type:
        case t.Int(lo, hi):
            if not lo <= raw <= hi:
                raise Failure("error", "out of range", line)
        case t.Seq(_, capacity) | t.Bag(_, capacity):
            if len(raw) > capacity:
                raise Failure(*(("error", "overflow") if type.grow is None else ("grow", type.grow)), line)
    for part, value in inside(type, raw):
        narrow(part, value, line)
    return raw
