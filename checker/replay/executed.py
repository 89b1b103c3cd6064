"""The statements of a model's methods as executed while the interpreter executes an action, in words and values.

Python's tracing hook stops before each line of the watched methods: conditions, assigned values and arguments are
evaluated there, in the present state.  A statement that tests or computes (`require`, `if`, `for`, a local variable) is
a decision; one that changes the state, sends or calls is an effect.

Where it stops: an expression that may have effects (`pop`, a method of several statements) is not evaluated, and is
shown as written; one with a single `choose` has the value that this took.  Statements on one line count as one.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from types import CodeType, FrameType
from typing import Any

from attrs import define, evolve, field

from checker.backends.interpreter.interpreter import Interpreter, Raw, Step
from checker.frontend.changes import OPERATION
from checker.frontend.kinds import OPERATIONS
from checker.frozen import frozen
from checker.language.choice import choose
from checker.language.network import NetworkValue
from checker.language.places import function_node, statements, written
from checker.replay.chosen import CHOSEN, with_chosen
from checker.replay.cited import Place
from checker.replay.guards import DEEPEST, truth_of, why
from checker.replay.plain import call_text, value_text
from checker.replay.returned import is_one_return
from checker.replay.rule_calls import arguments_of, rule_result
from checker.replay.scope import Scope

EFFECTS = frozenset({*OPERATION, "send", "multicast", "deliver", "choose", "require", "choice"})
"""Calls that change a collection, send, emit or choose, by name."""
TRUTHS = ("True", "False")
UNSEEN = (ast.FunctionDef, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal)
ENDS: dict[type[ast.stmt], str] = {
    ast.Break: "leaves the loop",
    ast.Continue: "goes on with the next round",
    ast.Pass: "does nothing more",
}
"""Statements that end something, and do nothing else."""


@frozen
class Done:
    """An executed statement: its node, its effect in words ("sets r[p1] to 1", "waits: 0 is not 1"), a key, and whether
    it is an effect.

    calls: the executions of watched methods, by number, that had begun and not ended, the innermost last; within: of a
    rule that is asked, the statement of the innermost that asks it; before: the state in which it is executed, if kept;
    shown: the value of a rule, as reports show it; above, asker: value and `def` of the rule that asks a rule;
    members: of a collection that a comprehension selects, the members, each with the reason for it.
    """

    node: ast.stmt  # the `def` of the rule, for a call of a rule
    words: str
    value: str
    effect: bool
    place: Place
    calls: tuple[int, ...] = ()
    within: ast.stmt | None = None
    before: Raw | None = None
    shown: str = ""
    above: str = ""
    asker: ast.stmt | None = None
    members: tuple[tuple[str, str], ...] = ()


@define
class Execution:
    """One execution of an action: its arguments as text, the statements executed in the watched methods, and the step
    (None if it was disabled).
    """

    arguments: tuple[str, ...]
    done: list[Done] = field(factory=list)
    step: Step | None = None


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
    with _tracing(action.function.__code__, seen, rules or {}, kept, earlier) as found:
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
            found.append(Execution(tuple(map(value_text, arguments_of(frame)[1:]))))
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
        return _Watch(found[-1].done, lines[code], calls, state, earlier).line

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
    return Done(node, text, str(value), False, place, calls, within, shown=value_text(value), above=above, asker=asking)


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


def is_text(node: ast.stmt) -> bool:
    """Whether a statement is a text and nothing else, such as a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


@define
class _Watch:
    """Follows one call of a method."""

    done: list[Done]
    lines: Mapping[int, ast.stmt]
    calls: tuple[int, ...]
    state: Callable[[], Raw] | None
    earlier: Any
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
                scope = Scope(names, code.co_varnames[0] if code.co_varnames else "self", earlier=self.earlier)
                words, value, effect = _in_words(node, scope)
                place, before = (code.co_filename, node.lineno), self.state() if self.state is not None else None
                self.place, self.scope = len(self.done), scope
                members = tuple(_members(node, scope))
                self.done.append(Done(node, words, value, effect, place, self.calls, before=before, members=members))
        return self.line

    def chosen(self, frame: FrameType, event: str, argument: Any) -> Any:
        """The words of a statement that takes one choice, with what it takes."""
        if event == "exception":
            return None
        if event == "return" and self.scope is not None and self.last is not None:
            node = with_chosen(self.last)
            if node is not None:
                words, _, _ = _in_words(node, self.scope.with_names({CHOSEN: argument}))
                self.done[self.place] = evolve(self.done[self.place], words=words)
        return self.chosen


# The text of a statement: its words, a key that distinguishes it, whether it is an effect


def _in_words(node: ast.stmt, scope: Scope) -> tuple[str, str, bool]:
    match node:
        case ast.If(test) | ast.While(test):
            return _condition("finds", "finds", test, scope)
        case ast.Assert(test):
            return _condition("goes on", "fails", test, scope)
        case ast.Expr(ast.Call(ast.Name("require"), [test])):
            return _condition("goes on", "waits", test, scope)
        case ast.Expr(ast.Call() as call):
            text = _call(call, scope)
            return text, text, not _is_local(call, scope)
        case ast.For(_, domain):
            text = value_text([*scope.value(domain)]) if is_pure(domain, scope) else scope.text(domain)
            return f"goes through {text}", text, False
        case ast.Assign([ast.Name(name)], value) | ast.AnnAssign(ast.Name(name), _, ast.expr() as value):
            text = _evaluated(value, scope)
            return f"has {name} = {text}", text, False
        case ast.Assign([ast.Tuple(names)], value) if all(isinstance(name, ast.Name) for name in names):
            text = f"{scope.text(node.targets[0])} = {_evaluated(value, scope)}"
            return f"has {text}", text, False
        case ast.Assign([target], value):
            text = f"{_target(target, scope)} to {_evaluated(value, scope)}"
            return f"sets {text}", text, True
        case ast.AugAssign(target, operator, value):
            sum = ast.BinOp(ast.parse(ast.unparse(target), mode="eval").body, operator, value)
            text = f"{_target(target, scope)} to {_evaluated(sum, scope)}"
            return f"{'has' if isinstance(target, ast.Name) else 'sets'} {text}", text, not isinstance(target, ast.Name)
        case ast.Return(None):
            return "ends", "ends", False
        case ast.Break() | ast.Continue() | ast.Pass():
            return ENDS[type(node)], ENDS[type(node)], False
        case ast.Return(ast.expr() as value):
            text = _evaluated(value, scope)
            return f"returns {text}", text, False
        case ast.Match(subject):
            text = _evaluated(subject, scope)
            return f"has {text}", text, False
    text = written(node).partition("\n")[0]
    return f"does {text}", text, True


def _members(node: ast.stmt, scope: Scope) -> Iterator[tuple[str, str]]:
    """The members that a comprehension selects, each with why its conditions are true."""
    match node:
        case ast.Assign(
            [ast.Name()],
            ast.ListComp(ast.Name(member), [ast.comprehension(ast.Name(bound), domain, [_, *_] as tests)]) as value,
        ) if member == bound and is_pure(value, scope):
            test = tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)
            for element in scope.value(domain):
                inner = scope.with_names({bound: element})
                if truth_of(test, inner):
                    yield value_text(element), f"for {bound} = {value_text(element)}: {why(test, inner, False, 1)}"


def _condition(true: str, false: str, test: ast.expr, scope: Scope) -> tuple[str, str, bool]:
    if not is_pure(test, scope):
        return f"{true}: {scope.text(test)}", scope.text(test), False
    truth = bool(scope.value(test))
    colon = "" if true == false else ":"
    reason = why(test, scope, not truth, DEEPEST - 2)  # rules are explained two levels deep
    return f"{true if truth else false}{colon} {reason}", str(truth), not truth and true == "goes on"


def _call(call: ast.Call, scope: Scope) -> str:
    if any(isinstance(a, ast.Starred) for a in call.args):
        return f"does {scope.text(call)}"
    given = [_evaluated(a, scope) for a in call.args]
    named = [f"{k.arg}={_evaluated(k.value, scope)}" for k in call.keywords if k.arg]
    match call.func:
        case ast.Attribute(value, "send" | "multicast" as name) if isinstance(_quiet(value, scope), NetworkValue):
            if name == "send" and len(given) == 3 and not named:
                return f"sends {given[2]} to {given[1]}"
            if name == "multicast" and len(given) == 2:
                return f"multicasts {given[1]}" + "".join(f" to {n.partition('=')[2]}" for n in named)
    return f"does {scope.text(call.func)}({', '.join([*given, *named])})"


def _target(node: ast.expr, scope: Scope) -> str:
    """An assigned place, with the values of its keys."""
    if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
        return f"{_target(node.value, scope)}[{_evaluated(node.slice, scope)}]"
    return scope.text(node)


def _evaluated(node: ast.expr, scope: Scope) -> str:
    return value_text(scope.value(node)) if is_pure(node, scope) else scope.text(node)


def _is_local(call: ast.Call, scope: Scope) -> bool:
    """Whether a call changes a collection in a local variable, which is no part of the state."""
    match call.func:
        case ast.Attribute(ast.Name(name)) if name != scope.model_name:
            return type(scope.names.get(name)) in (set, list, dict)
    return False


def _quiet(node: ast.expr, scope: Scope) -> Any:
    return scope.value(node) if isinstance(node, ast.Name | ast.Attribute) else None


def is_pure(node: ast.expr, scope: Scope) -> bool:
    """Whether an expression can be evaluated here once more without an effect and without a choice."""
    try:
        if all(_is_pure_call(call, scope) for call in ast.walk(node) if isinstance(call, ast.Call)):
            value_text(scope.value(node))
            return True
    except Exception:  # the error occurs in the step itself too, or the expression is shown as written
        return False
    return False


def _is_pure_call(call: ast.Call, scope: Scope) -> bool:
    if not isinstance(call.func, ast.Name | ast.Attribute) or _called(call) in EFFECTS:
        return False
    if isinstance(call.func, ast.Name) and hasattr(builtins, call.func.id):
        return True
    try:
        method = scope.value(call.func)
    except NameError:  # a name that the expression itself binds, as in all(...)
        return True
    function = getattr(method, "__func__", method)
    if not inspect.isfunction(function):  # a method of a collection that the language does not have may change it
        own = getattr(method, "__self__", None)
        return not isinstance(own, list | set | dict) or f"c.{_called(call)}(v)" in OPERATIONS
    if "/checker/language/" in function.__code__.co_filename:
        return True
    mark = getattr(function, "__checker__", None)
    return mark.kind == "rule" if mark is not None else is_one_return(function) and _looks_pure(function)


def _looks_pure(function: Callable[..., Any]) -> bool:
    node = function_node(function)
    return node is not None and EFFECTS.isdisjoint(_called(c) for c in ast.walk(node) if isinstance(c, ast.Call))


def _called(call: ast.Call) -> str:
    """The last name of the callee."""
    return getattr(call.func, "attr", getattr(call.func, "id", ""))
