"""Which statement of a step decides what the step shows, and which condition let it be executed.

The statement is the last that writes what the property reads, or sends.  The step is executed again while its
statements are watched (`checker.replay.executed`).  A statement of the language's own library, or of a module that
models share as a library (its name begins with "_"), stands for the statement of the model that called it.

The condition is one that the step tested before: a rule that it asked, a guard, or the test of an `if` or `while` that
led to the statement.  Of several the one that speaks of most values of the witness is taken, of those the last.

Where it stops: a step of a fault has no statement, and of several statements that write what the property reads the
last one is named, whether or not an earlier one was enough.  That the condition is wrong is not said: an older step may
have made the value that it tests.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from types import CodeType
from typing import Any

from checker.backends.interpreter.interpreter import Interpreter, Raw, Step
from checker.frozen import frozen
from checker.language.definition import Definition
from checker.language.places import PACKAGE, function_node, of_function
from checker.replay.executed import TRUTHS, Done, executions
from checker.replay.rule_calls import Place, place_text
from checker.trace.values import mentions

LIBRARY = str(PACKAGE / "language")
Wanted = Callable[[Done], bool]
LONGEST = 180
CALL = re.compile(r"\w+\(.*?\) is (true|false)(?=: |$)")
LEAVES = (ast.Return, ast.Continue, ast.Break, ast.Raise)


@frozen
class Decided:
    """What the statement does, its line, and what was done before it in the same step."""

    statement: Done
    before: tuple[Done, ...] = ()

    @property
    def place(self) -> Place:
        """The line of the statement."""
        return self.statement.place

    @property
    def text(self) -> str:
        """What the statement does, with its line."""
        return f"{self.statement.said} ({place_text(self.place)})"

    def condition(self, values: Collection[str], processes: Collection[str], definition: Definition) -> str:
        """The condition that let the statement be executed, with its line; "" if none speaks of what it is about: the
        values of the witness that it has, and of these one that is no process if there is one."""
        about = [v for v in values if mentions(self.statement.said, v)]
        least = [v for v in about if v not in processes] or about
        ranked = []
        for number, done in enumerate(self.before):
            told = self._tested(done)
            if told and _spoken(told, least):
                head = (CALL.match(told) or [told])[0]
                ranked.append((reads(done.node, definition), _spoken(head, about), _spoken(told, about), number, told))
        if not ranked:
            return ""
        *_, number, told = max(ranked)
        return f"{_cut(told)} ({place_text(self.before[number].place)})"

    def _tested(self, done: Done) -> str:
        """What a statement before tested, if that may have led here; "" if not."""
        if is_of_library(done.place):
            return ""
        match done.node:
            case ast.FunctionDef():
                return done.said if done.value in TRUTHS else ""
            case ast.If() | ast.While() if _leads_to(done, self.statement.node):
                return done.said.partition(" ")[2]
            case ast.Expr(ast.Call(ast.Name("require"))) if not done.effect:
                return done.said.partition(": ")[2]
        return ""


def _spoken(text: str, values: Collection[str]) -> int:
    return sum(mentions(text, value) for value in values)


def reads(node: ast.stmt, definition: Definition) -> bool:
    """Whether a rule, a guard or the test of an `if` reads the state, or asks a rule that does."""
    variables = {v.name for v in definition.variables}
    nodes = [ast.Expr(node.test)] if isinstance(node, ast.If | ast.While) else [node]
    return reaches(nodes, lambda n: isinstance(n, ast.Attribute) and n.attr in variables, nodes_of(definition))


def _cut(text: str) -> str:
    """A condition without the last of its parts, where they are too long for a head."""
    if len(text) <= LONGEST:
        return text
    parts = re.split(r"(; | and )", text)
    while len(parts) > 2 and len("".join(parts)) > LONGEST:
        parts = parts[:-2]
    return "".join(parts) + " and more"


def _leads_to(done: Done, statement: ast.stmt) -> bool:
    """Whether a test may have led to a statement: it stands around it, or leaves the method if it is true.  A test of
    another method stands around a call."""
    node = done.node
    assert isinstance(node, ast.If | ast.While)
    if any(inner is statement for inner in ast.walk(node)):
        return True
    skipped = node.body if done.value == "False" else node.orelse
    return bool(skipped) and isinstance(skipped[-1], LEAVES)


def writes(names: Collection[str], quiet: Collection[str] = ()) -> Wanted:
    """Whether a statement assigns one of these variables, changes its collection, or emits an event that diagrams do
    not leave out (quiet)."""
    return lambda done: written_by(done.node, names, quiet)


def written_by(node: ast.AST, names: Collection[str], quiet: Collection[str] = ()) -> bool:
    """As `writes`, of a statement that need not have been executed."""
    match node:
        case ast.Assign(targets=targets):
            return any(_variable(target) in names for target in targets)
        case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
            return _variable(target) in names
        case ast.Expr(ast.Call(ast.Attribute(value, called))):
            return _variable(value) in names or (_variable(value) == "emit" and called not in quiet)
    return False


def sends(done: Done) -> bool:
    """Whether a statement sends a message."""
    return done.said.startswith(("sends ", "multicasts "))


def decided(
    interpreter: Interpreter, before: Raw, after: Raw | None, step: Step, wanted: Sequence[Wanted]
) -> Decided | None:
    """The last statement that is wanted, in the step between two states; the kinds of statements are tried in order.
    None for a step that no method takes."""
    done = done_in(interpreter, before, after, step)
    return next((found for w in wanted if (found := _last(done, w)) is not None), None)


def done_in(interpreter: Interpreter, before: Raw, after: Raw | None, step: Step) -> Sequence[Done]:
    """What the methods of the model did in the step between two states; nothing for a step that no method takes."""
    if step.action.function is None:
        return ()
    watched, rules = methods_of(interpreter.definition)
    watched[step.action.function.__code__] = step.action.function
    for execution in executions(interpreter, watched, before, step.action.name, rules):
        taken = execution.step
        if taken is not None and taken.after == after and taken.arguments == step.arguments:
            return execution.done
    return ()


def methods_of(definition: Definition) -> tuple[dict[CodeType, Callable[..., Any]], dict[CodeType, Callable[..., Any]]]:
    """The methods of a model that are no rules, those that `super()` calls too, and its rules, by their code."""
    rules = {m.function.__code__: m.function for m in definition.methods.values() if m.rule}
    named = {name for name, m in definition.methods.items() if not m.rule} | {a.name for a in definition.actions}
    found: dict[CodeType, Callable[..., Any]] = {}
    for name in named:
        inherited: Iterator[Any] = (vars(cls).get(name) for cls in definition.model.__mro__)
        found |= {f.__code__: f for f in inherited if hasattr(f, "__code__")}
    return found, rules


def nodes_of(definition: Definition) -> dict[str, ast.FunctionDef]:
    """The methods of a model by name, as they are written."""
    found = {name: function_node(method.function) for name, method in definition.methods.items()}
    return {name: node for name, node in found.items() if node is not None}


def _last(done: Sequence[Done], wanted: Wanted) -> Decided | None:
    places = [number for number, each in enumerate(done) if each.effect and wanted(each)]
    before = range(places[-1] + 1) if places else ()
    own = [n for n in reversed(before) if not is_of_library(done[n].place) and done[n].effect]
    number = next((n for n in own if not is_shared(done[n].place)), own[0] if own else None)
    return None if number is None else Decided(done[number], tuple(done[:number]))


def is_of_library(place: Place) -> bool:
    """Whether a line is one of the language's own modules."""
    return place[0].startswith(LIBRARY)


def is_shared(place: Place) -> bool:
    """Whether a line is of a module that models share as a library."""
    return Path(place[0]).name.startswith("_")


def line_of_action(function: Callable[..., Any]) -> str:
    """The line of an action: its `def`."""
    place = of_function(function)
    return place_text((place.file, place.line))


def reaches(
    nodes: Sequence[ast.stmt], wanted: Callable[[ast.AST], bool], methods: Mapping[str, ast.FunctionDef]
) -> bool:
    """Whether statements, or the methods that they call, contain a wanted one."""
    waiting, seen = list[ast.AST](nodes), set[str]()
    while waiting:
        for node in ast.walk(waiting.pop()):
            if wanted(node):
                return True
            name = node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""
            if name in methods and name not in seen:
                seen.add(name)
                waiting.append(methods[name])
    return False


def _variable(node: ast.expr) -> str | None:
    """The attribute of the model that a target or receiver belongs to."""
    while isinstance(node, ast.Subscript | ast.Attribute):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            return node.attr
        node = node.value
    return None
