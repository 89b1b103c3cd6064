"""The initial states: declared start values, `anything` as choices, then the @initial method, then those of
properties."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from checker.frontend import functions, supported
from checker.frontend.program import Program
from checker.frontend.scope import Body, Frame
from checker.frontend.source import Source
from checker.ir import build
from checker.ir import expressions as e
from checker.ir import model as model
from checker.ir import statements as s
from checker.ir import types as t
from checker.language.definition import VariableDefinition
from checker.language.model import anything
from checker.language.start import start_value


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
    """Inline the @initial method: `return` ends it, and not the statements after it."""
    f.label = f.body.unique("initial method", text.node.name)
    functions.block(f, f, text.node.lineno, f.label)


def nowhere(program: Program) -> Source:
    """A source position for statements without a method."""
    node = ast.parse("def initial(self): pass").body[0]
    assert isinstance(node, ast.FunctionDef)
    node.lineno = 0
    function: Callable[..., Any] = program.definition.model.__init__  # type: ignore[misc]
    return Source(function, node, program.definition.name)


def _start(f: Frame, node: ast.AST, variable: VariableDefinition) -> None:
    place = f.program.variable(variable.name)
    if variable.initial is anything:
        choose_anything(f, node, place, variable.name)
    elif isinstance(place.type, t.Bag):
        f.emit(s.Assign(0, place, e.EmptyBag(place.type)))
        for item in start_raw(variable):
            f.emit(s.BagAdd(0, place, build.constant(place.type.item, item, f.body.unique)))
    else:
        f.emit(s.Assign(0, place, build.constant(place.type, start_raw(variable), f.body.unique)))


def start_raw(variable: VariableDefinition) -> Any:
    """The raw start value."""
    value = start_value(variable.domain, variable.initial, variable.name)
    return variable.domain.to_raw(variable.domain.freeze(value))


def choose_anything(f: Frame, node: ast.AST, place: e.Expression, name: str, depth: int = 0) -> None:
    """Choose a value for a place: entry by entry for maps."""
    line = getattr(node, "lineno", 0)
    if isinstance(place.type, t.Map):
        key = f.bind_item(node, f"{name}_key{depth or ''}", place.type.key)
        with f.body.collect() as entry:
            choose_anything(f, node, build.index(place, key, line), name, depth + 1)
        f.emit(s.For(line, key, build.everything(place.type.key), tuple(entry)))
        return
    value = f.bind_item(node, f"{name}_value", place.type)
    f.emit(s.Choose(line, value, build.everything(place.type)))
    f.emit(s.Assign(line, place, value))
