"""The model being lowered as a whole: its variables, the functions made so far, and what was refused.

A function is lowered once for each combination of argument types it is called with (one, where its parameters are
annotated).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from attrs import define, evolve, field

from checker.frontend.callers import Call
from checker.frontend.refusal import Refused
from checker.frozen import frozen
from checker.ir import expressions as e
from checker.ir import model as m
from checker.ir import types as t
from checker.ir.footprints.crashing import MAY_CRASH
from checker.language.definition import Definition, VariableDefinition

BETWEEN = "between(p, q)"
"""The name that is recorded when a method reads the messages between two processes."""


@frozen
class WrittenDomain:
    """A loop, a choice, the domain of a quantifier, or a comparison, in the text of a model: the method and the
    place.
    """

    method: str
    file: str
    line: int
    column: int
    node: ast.AST = field(eq=False, repr=False)

    @property
    def where(self) -> str:
        """The method with the line."""
        return f"{self.method} ({self.file}:{self.line})"

    @property
    def text(self) -> str:
        """The text of the domain, as the model writes it."""
        match self.node:
            case ast.For(target, over):
                return f"{ast.unparse(target)} in {ast.unparse(over)}"
            case ast.GeneratorExp(generators=parts) | ast.ListComp(generators=parts):
                return ", ".join(
                    " if ".join([f"{ast.unparse(c.target)} in {ast.unparse(c.iter)}", *map(ast.unparse, c.ifs)])
                    for c in parts
                )
        return ast.unparse(self.node)


@frozen
class Noting(Mapping[str, Any]):
    """The constants and derived values of a model, for a method that reads them: each read is recorded under the name
    of the constant, also if the method uses another name for it.
    """

    known: Mapping[str, Any]
    reader: str
    read: dict[str, str]

    def __getitem__(self, name: str) -> Any:
        self.read.setdefault(name, self.reader)
        return self.known[name]

    def __iter__(self) -> Iterator[str]:
        yield from self.known

    def __len__(self) -> int:
        return len(self.known)


@define(eq=False)
class Program:
    """The part of lowering that all bodies of a model share."""

    definition: Definition
    variables: dict[str, VariableDefinition]
    types: dict[str, t.Type]
    functions: dict[Any, m.Function] = field(factory=dict)  # by the key of the call; see `add`
    named: dict[str, m.Function] = field(factory=dict)  # the same functions by name
    failing: bool = False  # processes may crash, so sends and actions test whether a process has crashed
    choosing: bool = False  # the initial states choose the processes that may crash
    # lines where compiled code has a smaller bound than Python: the file, and the advice
    limits: dict[int, tuple[str, str]] = field(factory=dict)
    results: dict[str, t.Type] = field(factory=dict)  # result types by the name of the function, with their kinds
    active: list[str] = field(factory=list)  # keys of the functions being lowered, outermost first
    calls: list[Call] = field(factory=list)  # calls of methods that are being lowered for these calls, outermost first
    names: set[str] = field(factory=set)
    refusals: list[Refused] = field(factory=list)
    # events by name, with the types of their arguments
    emitted: dict[str, set[tuple[t.Type, ...]]] = field(factory=dict)
    # what loops, quantifiers and choices range over, each time they are lowered
    domains: dict[WrittenDomain, list[tuple[e.Generator, ...]]] = field(factory=dict)
    # comparisons of numbers, with their value each time they are lowered; None: it depends on the numbers
    compared: dict[WrittenDomain, list[bool | None]] = field(factory=dict)
    # constants and variables that methods read, and BETWEEN, each with the first method that does
    read: dict[str, str] = field(factory=dict)
    changed: dict[str, str] = field(factory=dict)  # variables that methods change, each with the first method that does

    def variable(self, name: str, before: bool = False) -> e.Variable:
        """A state variable as an expression."""
        return e.Variable(self.types[name], name, before)

    def has(self, name: str) -> bool:
        """Whether there is a variable of this name."""
        return name in self.types

    def known(self, reader: str) -> Mapping[str, Any]:
        """The constants and derived values, known when a method is lowered."""
        return Noting(self.definition.values, reader, self.read)

    def name(self, base: str) -> str:
        """A name for a function that no other function has."""
        name, n = base, 1
        while name in self.names:
            n += 1
            name = f"{base}#{n}"
        self.names.add(name)
        return name

    def made(self, name: str) -> m.Function:
        """The function of this name, which has been lowered."""
        return self.named[name]

    @contextmanager
    def lowering(self, key: str) -> Iterator[None]:
        """While the context lasts, the function is being lowered, and nothing may call it."""
        self.active.append(key)
        try:
            yield
        finally:
            self.active.pop()

    @contextmanager
    def called(self, call: Call) -> Iterator[None]:
        """The context in which a method is lowered for this call."""
        self.calls.append(call)
        try:
            yield
        finally:
            self.calls.pop()

    def add(self, key: Any, function: m.Function) -> m.Function:
        """Record a function that was lowered."""
        self.functions[key] = self.named[function.name] = function
        return function

    @property
    def may_crash(self) -> e.Variable:
        """The variable with the set of processes that may crash, if the initial states choose this set."""
        return e.Variable(self.types["crashed"], MAY_CRASH)

    @property
    def crashes(self) -> int:
        """The crash budget."""
        return int(self.definition.constants.get("crashes", 0)) if self.has("crashed") else 0


def program(definition: Definition, capacities: dict[str, int]) -> Program:
    """A program with the types of its variables; networks with the given capacities."""
    types = {v.name: _capacity(v.domain.ir, capacities.get(v.name)) for v in definition.variables}
    return Program(definition, {v.name: v for v in definition.variables}, types)


def _capacity(type: t.Type, capacity: int | None) -> t.Type:
    match type:
        case t.Bag(_, first, str()) | t.Seq(_, first, str()):
            return evolve(type, capacity=capacity or first)
        case t.Map(key, value):
            return t.Map(key, _capacity(value, capacity))
        case _:
            return type
