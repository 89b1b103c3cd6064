"""Crash-stop, and the cuts at which the acting process may crash inside a step.

A cut is a choice that exists only while the budget lasts; if it is taken, the process crashes and the step ends.
Observers' handlers have no cuts.

Instead of a budget that all crashes share, the initial states can choose who may crash, as many as the budget allows
(`chosen_at_the_start`): each of these may crash at any time, or never.  The runs are the same, each with every chosen
set that includes its crashed processes.  Crashes of different processes then share no variable (docs: reduction.md).
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from checker.frontend import initial, lattice, observers
from checker.frontend.coerce import length
from checker.frontend.program import Program
from checker.frontend.scope import Frame
from checker.frontend.source import line_of
from checker.ir import build
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.footprints.crashing import MAY_CRASH
from checker.language.definition import VariableDefinition
from checker.language.model import anything

MOST_CHOSEN_FROM = 10
"""With more processes the choice of who may crash is not made, because every set is tried."""


def may_crash(f: Frame, process: e.Expression) -> e.Expression:
    """Whether the process may crash, if it is alive: the budget allows one more crash, or the process is a chosen
    one."""
    if f.program.choosing:
        return build.contains(f.program.may_crash, process)
    return build.compare("<", length(f.program.variable("crashed")), build.integer(f.program.crashes))


def cut(f: Frame, node: ast.AST, source: e.Expression | None = None, crash: Callable[[], None] | None = None) -> None:
    """A point at which the acting process may crash.  source: if given, a crash is possible only if this is the acting
    process; crash: emits the effects of the crash, if they are more than the crash itself.
    """
    actor = f.body.actor
    if not f.program.crashes or actor is None or f.observer:
        return
    with f.body.collect() as crashing:
        chosen = choose_bool(f, node, "cut")
        with f.body.collect() as then:
            if crash is None:
                crash_here(f, node, actor)
            else:
                crash()
        f.emit(s.If(line_of(node), chosen, tuple(then)))
    acting = [] if source is None or source == actor else [build.compare("==", source, actor)]
    when(f, node, build.conjunction([*acting, may_crash(f, actor)]), crashing)


def crash_here(f: Frame, node: ast.AST, process: e.Expression) -> None:
    """The process crashes, and the step ends."""
    fail(f, node, process)
    f.emit(s.Stop(line_of(node), crash=True))


def can_be_chosen(program: Program) -> bool:
    """Whether some process may crash, and the number of sets to choose from is small enough."""
    return program.crashes > 0 and lattice.count(program.types["crashed"]) <= MOST_CHOSEN_FROM


def chosen_at_the_start(program: Program) -> tuple[s.Statement, ...]:
    """The statements that choose who may crash: each set of as many as the budget allows."""
    chosen = e.Local(program.types["crashed"], MAY_CRASH)
    most = min(program.crashes, lattice.count(chosen.type))
    exactly = build.compare("==", length(chosen), build.integer(most))
    return (
        s.Choose(0, chosen, build.everything(chosen.type)),
        s.Require(0, exactly),
        s.Assign(0, program.may_crash, chosen),
    )


def choose_bool(f: Frame, node: ast.AST, base: str) -> e.Local:
    """A choice between False and True."""
    local = f.bind_item(node, base, build.BOOL)
    f.emit(s.Choose(line_of(node), local, build.everything(build.BOOL)))
    return local


def when(f: Frame, node: ast.AST, condition: e.Expression, then: list[s.Statement]) -> None:
    """Statements under a condition, which may be constant."""
    if condition == build.TRUE:
        f.body.out.extend(then)
    elif condition != build.FALSE:
        f.emit(s.If(line_of(node), condition, tuple(then)))


def fail(f: Frame, node: ast.AST, process: e.Expression) -> None:
    """The process crashes: messages to it are dropped, its own variables are reset, observers are called."""
    f.emit(s.SetAdd(line_of(node), f.program.variable("crashed"), process))
    for variable in f.program.definition.variables:
        if variable.network is not None:
            _drop(f, node, variable, process)
        elif variable.local:
            _reset(f, node, variable, process)
    observers.notify(f, node, "crash", [process])


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
    source = f.bind_item(node, f"{variable.name}_source", process.type)
    queue = build.index(build.index(place, source, line), process, line)
    clear = s.Assign(line, queue, build.empty(queue.type))
    f.emit(s.For(line, source, build.everything(process.type), (clear,)))


def _reset(f: Frame, node: ast.AST, variable: VariableDefinition, process: e.Expression) -> None:
    place = f.program.variable(variable.name)
    assert isinstance(place.type, t.Map)
    entry = build.index(place, process, line_of(node))
    if variable.initial is anything:
        initial.choose_anything(f, node, entry, variable.name)
        return
    entries: tuple[Any, ...] = initial.start_raw(variable)
    for key, raw in enumerate(entries):
        here = build.TRUE if len(set(entries)) == 1 else build.compare("==", process, e.Const(place.type.key, key))
        value = build.constant(place.type.value, raw, f.body.unique)
        when(f, node, here, [s.Assign(line_of(node), entry, value)])
        if here == build.TRUE:
            return
