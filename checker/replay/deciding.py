"""The statement of a step that decides its effect on a property: the last that writes a variable which the property
reads, or that sends.

The step is executed again while its statements are observed (`checker.replay.executed`).  A statement of the language's
own library is replaced by the statement of the model that called it.

Where it stops: a step of a fault has no statement; among several statements that write variables of the property the
last one is named, even if an earlier one was sufficient.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Sequence
from typing import Any

from checker.backends.interpreter.interpreter import Interpreter, Raw, Step
from checker.language.places import PACKAGE, of_function
from checker.replay.executed import Done, executions
from checker.replay.rule_calls import Place, place_text

LIBRARY = str(PACKAGE / "language")
Wanted = Callable[[Done], bool]


def writes(names: Collection[str], quiet: Collection[str] = ()) -> Wanted:
    """Whether a statement assigns one of these variables, changes its collection, or emits an event that diagrams show
    (not quiet).
    """

    def wanted(done: Done) -> bool:
        match done.node:
            case ast.Assign(targets=targets):
                return any(_variable(target) in names for target in targets)
            case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
                return _variable(target) in names
            case ast.Expr(ast.Call(ast.Attribute(value, called))):
                return _variable(value) in names or (_variable(value) == "emit" and called not in quiet)
        return False

    return wanted


def sends(done: Done) -> bool:
    """Whether a statement sends a message."""
    return done.said.startswith(("sends ", "multicasts "))


def decided(
    interpreter: Interpreter, before: Raw, after: Raw | None, step: Step, wanted: Sequence[Wanted]
) -> tuple[str, Place] | None:
    """The last statement of the wanted kind in the step between two states, with its line; the kinds are tried in
    order. None for a step that no method takes.
    """
    if step.action.function is None:
        return None
    methods = [m.function for m in interpreter.definition.methods.values() if not m.rule]
    watched = {f.__code__: f for f in [step.action.function, *methods]}
    for execution in executions(interpreter, watched, before, step.action.name):
        taken = execution.step
        if taken is not None and taken.after == after and taken.arguments == step.arguments:
            return next((found for w in wanted if (found := _last(execution.done, w)) is not None), None)
    return None


def _last(done: Sequence[Done], wanted: Wanted) -> tuple[str, Place] | None:
    places = [number for number, each in enumerate(done) if each.effect and wanted(each)]
    before = range(places[-1] + 1) if places else ()
    own = (n for n in reversed(before) if not is_of_library(done[n].place) and done[n].effect)
    number = next(own, None)
    return None if number is None else (done[number].said, done[number].place)


def is_of_library(place: Place) -> bool:
    """Whether a line is one of the language's own modules."""
    return place[0].startswith(LIBRARY)


def line_of_action(function: Callable[..., Any]) -> str:
    """The line of an action: its `def`."""
    place = of_function(function)
    return place_text((place.file, place.line))


def _variable(node: ast.expr) -> str | None:
    """The attribute of the model that contains a target or receiver."""
    while isinstance(node, ast.Subscript | ast.Attribute):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            return node.attr
        node = node.value
    return None
