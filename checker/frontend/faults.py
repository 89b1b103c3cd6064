"""Crash-stop, and the cuts at which the acting process may crash inside a step.

A cut is a choice that exists only while the budget lasts; taken, the process crashes and the step ends.  Observers'
handlers have no cuts.
"""

from __future__ import annotations

import ast
from typing import Any

from checker.frontend import build, observers, raws, start_values
from checker.frontend.scope import Frame
from checker.frontend.source import line_of
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.language.definition import VariableDefinition


def budget_left(f: Frame) -> e.Expression:
    """Whether one more process may crash."""
    crashed = f.program.variable("crashed")
    size = e.Length(t.Int(0, len(_process(f).members)), crashed)
    return build.compare("<", size, build.integer(f.program.crashes))


def _process(f: Frame) -> t.Ids:
    process = f.program.definition.process
    assert process is not None and isinstance(process.ir, t.Ids)
    return process.ir


def possible(f: Frame) -> bool:
    """Whether the acting process may crash here."""
    return f.program.crashes > 0 and f.body.actor is not None and not f.observer


def cut(f: Frame, node: ast.AST, source: e.Expression | None = None) -> None:
    """A point at which the acting process may crash; with `source`, only if that is the acting process."""
    if not possible(f):
        return
    with f.body.collect() as crash:
        chosen = choose_bool(f, node, "cut")
        with f.body.collect() as then:
            fail(f, node, _actor(f))
            f.emit(s.Stop(line_of(node), crash=True))
        f.emit(s.If(line_of(node), chosen, tuple(then)))
    when(f, node, build.conjunction([*is_actor(f, source), budget_left(f)]), crash)


def is_actor(f: Frame, source: e.Expression | None) -> list[e.Expression]:
    """The condition that a sender is the acting process, if it takes one."""
    if source is None or source == _actor(f):
        return []
    return [build.compare("==", source, _actor(f))]


def _actor(f: Frame) -> e.Expression:
    assert f.body.actor is not None
    return f.body.actor


def choose_bool(f: Frame, node: ast.AST, base: str) -> e.Local:
    """A choice between False and True."""
    local = f.bind_item(node, base, build.BOOL)
    f.emit(s.Choose(line_of(node), local, e.Domain(t.Set(build.BOOL))))
    return local


def when(f: Frame, node: ast.AST, condition: e.Expression, then: list[s.Statement]) -> None:
    """Statements under a condition, which may be constant."""
    if condition == build.TRUE:
        f.body.out.extend(then)
    elif condition != build.FALSE:
        f.emit(s.If(line_of(node), condition, tuple(then)))


def fail(f: Frame, node: ast.AST, process: e.Expression) -> None:
    """The process crashes: messages to it are dropped, its own variables start anew, observers are told."""
    f.emit(s.SetAdd(line_of(node), f.program.variable("crashed"), process))
    for variable in f.program.definition.variables:
        if variable.network is not None:
            _drop(f, node, variable, process)
        elif variable.local:
            _reset(f, node, variable, process)
    observers.tell(f, node, "crash", [process])


def _drop(f: Frame, node: ast.AST, variable: VariableDefinition, process: e.Expression) -> None:
    place = f.program.variable(variable.name)
    line = line_of(node)
    if isinstance(place.type, t.Bag):
        assert isinstance(place.type.item, t.Record)
        message = f.bind_item(node, f"{variable.name}_message", place.type.item)
        to_it = build.compare("==", e.Field(process.type, message, "target"), process)
        remove = s.BagRemove(line, place, message, True, True)
        f.emit(s.For(line, message, place, (s.If(line, to_it, (remove,)),)))
        return
    assert isinstance(place.type, t.Map) and isinstance(place.type.value, t.Map)
    queues = place.type.value
    source = f.bind_item(node, f"{variable.name}_source", place.type.key)
    queue = e.Index(queues.value, e.Index(queues, place, source, line), process, line)
    clear = s.Assign(line, queue, e.MakeSeq(queues.value, ()))
    f.emit(s.For(line, source, e.Domain(t.Set(place.type.key)), (clear,)))


def _reset(f: Frame, node: ast.AST, variable: VariableDefinition, process: e.Expression) -> None:
    place = f.program.variable(variable.name)
    assert isinstance(place.type, t.Map)
    entry = e.Index(place.type.value, place, process, line_of(node))
    if start_values.is_anything(variable):
        start_values.choose_anything(f, node, entry, variable.name)
        return
    entries: tuple[Any, ...] = start_values.start_raw(variable)
    for key, raw in enumerate(entries):
        here = build.TRUE if len(set(entries)) == 1 else build.compare("==", process, e.Const(place.type.key, key))
        value = raws.expression(f.body, place.type.value, raw)
        when(f, node, here, [s.Assign(line_of(node), entry, value)])
        if here == build.TRUE:
            return
