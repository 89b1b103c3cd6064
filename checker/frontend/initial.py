"""The initial states: declared start values, `anything` as choices, then the @initial method, then those of
properties."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from checker.frontend import functions, raws, start_values, statements, supported
from checker.frontend.program import Program
from checker.frontend.scope import Body, Frame
from checker.frontend.source import Source
from checker.ir import expressions as e
from checker.ir import model as model
from checker.ir import statements as s
from checker.ir import types as t
from checker.language.definition import VariableDefinition


def lower(program: Program) -> model.Action:
    """The initial action."""
    body = Body(program, pure=False)
    method = program.definition.initial
    text = supported.checked(method) if method is not None else nowhere(program)

    def once() -> None:
        frame = Frame(body, text, None)
        body.frames.append(frame)
        for variable in program.definition.variables:
            _start(frame, text.node, variable)
        if method is not None:
            _method(frame, text)
        for starting in program.definition.starting:
            source = supported.checked(starting.function)
            functions.inline(frame, text.node, starting, source, {}, f"{starting.owner}.{starting.name}", observer=True)

    lowered = body.rounds(once)
    locals = tuple(model.Parameter(n, body.types[n]) for n in body.declared)
    return model.Action("initial", (), locals, lowered, False, text.node.lineno if method else 0)


def _method(f: Frame, text: Source) -> None:
    """The @initial method: `return` ends it, and not what follows it."""
    f.label = f.body.unique("initial method", text.node.name)
    with f.body.collect() as lowered:
        statements.block(f, text.node.body)
    if f.label in f.body.labels:
        f.emit(s.Block(text.node.lineno, f.label, tuple(lowered)))
    else:
        f.body.out.extend(lowered)


def nowhere(program: Program) -> Source:
    """A source for what no method says."""
    node = ast.parse("def initial(self): pass").body[0]
    assert isinstance(node, ast.FunctionDef)
    node.lineno = 0
    function: Callable[..., Any] = program.definition.model.__init__  # type: ignore[misc]
    return Source(function, node, program.definition.name)


def _start(f: Frame, node: ast.AST, variable: VariableDefinition) -> None:
    place = f.program.variable(variable.name)
    if start_values.is_anything(variable):
        start_values.choose_anything(f, node, place, variable.name)
    elif isinstance(place.type, t.Bag):
        f.emit(s.Assign(0, place, e.EmptyBag(place.type)))
        for item in start_values.start_raw(variable):
            f.emit(s.BagAdd(0, place, raws.expression(f.body, place.type.item, item)))
    else:
        f.emit(s.Assign(0, place, raws.expression(f.body, place.type, start_values.start_raw(variable))))
