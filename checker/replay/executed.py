"""The statements of a model's methods as executed while the interpreter executes an action, in words and values.

Python's tracing hook stops before each line of the watched methods: conditions, assigned values and arguments are
evaluated there, in the present state.  A statement that tests or computes (`require`, `if`, `for`, a local variable) is
a decision; one that changes the state, sends or calls is an effect.

Where it stops: statements on one line count as one.  A statement with a single `choose` has the value that this took;
for the others see `checker.replay.statement_text`.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from types import CodeType, FrameType
from typing import Any

from attrs import define, evolve, field

from checker.backends.interpreter.interpreter import Interpreter, Raw, Step
from checker.frozen import frozen
from checker.language.choice import choose
from checker.language.definition import ActionDefinition
from checker.language.places import function_node, is_text, statements
from checker.replay.chosen import CHOSEN, with_chosen
from checker.replay.cited import Place
from checker.replay.plain import call_text, plain, value_text
from checker.replay.rule_calls import arguments_of, rule_result
from checker.replay.scope import Scope
from checker.replay.statement_text import in_words, left_out, members

TRUTHS = ("True", "False")
UNSEEN = (ast.FunctionDef, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal)


@frozen
class Done:
    """An executed statement: its node, its effect in words ("sets r[p1] to 1", "waits: 0 is not 1"), a key, and whether
    it is an effect.

    calls: the executions of watched methods, by number, that had begun and not ended, the innermost last; within: of a
    rule that is asked, the statement of the innermost that asks it; before: the state in which it is executed, if kept;
    result: the value of a rule, shown: as reports show it; above, asker: value and `def` of the rule that asks a rule;
    members: of a collection that a comprehension selects, the members, each with the reason for it; left_out: the
    other elements, each with the reason against it.
    """

    node: ast.stmt  # the `def` of the rule, for a call of a rule
    words: str
    value: str
    effect: bool
    place: Place
    calls: tuple[int, ...] = ()
    within: ast.stmt | None = None
    before: Raw | None = None
    result: Any = None
    shown: str = ""
    above: str = ""
    asker: ast.stmt | None = None
    members: tuple[tuple[str, str], ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()


@define
class Execution:
    """One execution of an action: its arguments as text, the statements executed in the watched methods, the step (None
    if it was disabled), and the process that acts.
    """

    arguments: tuple[str, ...]
    done: list[Done] = field(factory=list)
    step: Step | None = None
    actor: Any = None


def executions(
    interpreter: Interpreter,
    watched: Mapping[CodeType, Callable[..., Any]],
    state: Raw,
    name: str,
    rules: Mapping[CodeType, Callable[..., Any]] | None = None,
    keep: bool = False,
    earlier: Any = None,
    last: Callable[[Step], bool] = lambda step: False,
) -> list[Execution]:
    """Every execution of an action in a state, also of disabled instances; up to the first step that is the last.
    rules: what each call of one returns, by a method that is no rule, is a decision as well; keep: each statement has
    the state before it; earlier: the model before the step, for conditions of which the step changes a part.
    """
    action = next((a for a in interpreter.definition.actions if a.name == name), None)
    if action is None or action.function is None:
        return []
    seen = {c: f for c, f in watched.items() if function_node(f)}
    kept = interpreter.model.raw_state if keep else None
    with _tracing(action, action.function.__code__, seen, rules or {}, kept, earlier) as found:
        known = 0
        for step in interpreter.steps(state, name):
            if len(found) > known:
                found[-1].step = step
            known = len(found)
            if last(step):
                break
    return found


@contextmanager
def _tracing(
    acted: ActionDefinition,
    action: CodeType,
    watched: Mapping[CodeType, Callable[..., Any]],
    rules: Mapping[CodeType, Callable[..., Any]],
    state: Callable[[], Raw] | None,
    earlier: Any,
) -> Iterator[list[Execution]]:
    found: list[Execution] = []
    lines = {code: _lines(function) for code, function in watched.items()}
    numbers = count()

    def begin(frame: FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        if code is action:
            actor = frame.f_locals.get(acted.actor) if acted.actor is not None else None
            found.append(Execution(tuple(map(value_text, arguments_of(frame)[1:])), actor=actor))
        if (
            code in rules
            and found
            and (called := _rule_called(frame, rules, lines, found[-1].done, earlier)) is not None
        ):
            found[-1].done.append(called)
        if code is choose.__code__ and (watch := _watch_around(frame)) is not None:
            return watch.chosen
        if code not in watched or not found:
            return None
        around = _watch_around(frame)
        calls = (*(around.calls if around else ()), next(numbers))
        return _Watch(found[-1].done, lines[code], calls, state, earlier, found[-1].actor).line

    former = sys.gettrace()
    sys.settrace(begin)
    try:
        yield found
    finally:
        sys.settrace(former)


def _rule_called(
    frame: FrameType,
    rules: Mapping[CodeType, Callable[..., Any]],
    lines: Mapping[CodeType, Mapping[int, ast.stmt]],
    done: Sequence[Done],
    earlier: Any,
) -> Done | None:
    """What a rule says where it is called; None for one without a value, for one that a test asks, which says it, for
    one that a rule with a truth asks in turn, and where a comprehension leaves out what it is asked of."""
    around = _watch_around(frame)
    caller, filters = frame.f_back, False
    while caller is not None and caller.f_code.co_name.startswith("<"):
        caller, filters = caller.f_back, True
    function = rules[frame.f_code]
    node = function_node(function)
    if node is None or caller is None or _is_test(lines.get(caller.f_code, {}).get(caller.f_lineno)):
        return None
    above, asking = "", None
    if caller.f_code in rules:
        asking = function_node(rules[caller.f_code])
        found = next((d for d in reversed(done) if d.node is asking), None)
        if found is None or found.value in TRUTHS:
            return None
        above = found.shown
    model, *arguments = arguments_of(frame)
    try:
        value = function(model, *arguments)
        answer = rule_result(function, model, arguments, value, earlier=earlier)
    except Exception:  # the error occurs in the step itself too
        return None
    if filters and value is False:
        return None
    call = call_text(function.__name__, arguments)
    text = f"{call} is {answer.value}" + (f": {answer.reason}" if answer.reason else "")
    place = answer.place or (frame.f_code.co_filename, node.lineno)
    calls, within = (around.calls, around.last) if around is not None else ((), None)
    return Done(
        node,
        text,
        str(value),
        False,
        place,
        calls,
        within,
        shown=value_text(value),
        above=above,
        asker=asking,
        result=plain(value),
    )


def _watch_around(frame: FrameType) -> _Watch | None:
    """The watch of the innermost watched method that is being executed around a call."""
    caller = frame.f_back
    while caller is not None:
        watch = getattr(caller.f_trace, "__self__", None)
        if isinstance(watch, _Watch):
            return watch
        caller = caller.f_back
    return None


def _is_test(node: ast.stmt | None) -> bool:
    match node:
        case ast.If() | ast.While() | ast.Expr(ast.Call(ast.Name("require"))):
            return True
    return False


def _lines(function: Callable[..., Any]) -> dict[int, ast.stmt]:
    """The innermost statement that begins, or continues, in each line of a function."""
    node = function_node(function)
    assert node is not None
    found: dict[int, ast.stmt] = {}
    for statement in statements(node):
        if not isinstance(statement, UNSEEN) and not is_text(statement):
            inner = getattr(statement, "body", None)
            last = inner[0].lineno - 1 if inner else statement.end_lineno or statement.lineno
            found |= dict.fromkeys(range(statement.lineno, max(last, statement.lineno) + 1), statement)
    return found


@define
class _Watch:
    """Follows one call of a method."""

    done: list[Done]
    lines: Mapping[int, ast.stmt]
    calls: tuple[int, ...]
    state: Callable[[], Raw] | None
    earlier: Any
    actor: Any
    last: ast.stmt | None = None
    place: int = 0  # of the last statement among what was done
    scope: Scope | None = None  # in which it begins

    def line(self, frame: FrameType, event: str, argument: Any) -> Any:
        node = self.lines.get(frame.f_lineno)
        if event == "line" and node is not None and node is not self.last:
            again = isinstance(node, ast.For) and self.last is not None and self.last in statements(node)
            self.last = node
            if not again:
                code = frame.f_code
                names = {**frame.f_globals, **frame.f_locals}
                model = code.co_varnames[0] if code.co_varnames else "self"
                scope = Scope(names, model, earlier=self.earlier, actor=self.actor)
                words, value, effect = in_words(node, scope)
                place, before = (code.co_filename, node.lineno), self.state() if self.state is not None else None
                self.place, self.scope = len(self.done), scope
                done = Done(node, words, value, effect, place, self.calls, before=before)
                done = evolve(done, members=tuple(members(node, scope)), left_out=tuple(left_out(node, scope)))
                self.done.append(done)
        return self.line

    def chosen(self, frame: FrameType, event: str, argument: Any) -> Any:
        """The words of a statement that takes one choice, with what it takes."""
        if event == "exception":
            return None
        if event == "return" and self.scope is not None and self.last is not None:
            node = with_chosen(self.last)
            if node is not None:
                words, _, _ = in_words(node, self.scope.with_names({CHOSEN: argument}))
                self.done[self.place] = evolve(self.done[self.place], words=words)
        return self.chosen
