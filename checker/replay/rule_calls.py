"""The rules that a step calls, and observations where it calls them.

The interpreter executes a step again while Python's profiling hook observes calls.  A rule that is called in the middle
of a step, after the state has changed, is therefore observed in the state in which it is called.

Where it stops: a rule that a handler's loop calls many times is observed each time; calls in handlers that were tried
and disabled before the step are not observed.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import CodeType, FrameType, MethodType
from typing import Any, TypeVar

from checker.backends.interpreter.interpreter import Interpreter, Raw
from checker.frozen import frozen
from checker.language.definition import PropertyDefinition
from checker.replay.cited import Place, cited
from checker.replay.plain import value_text
from checker.replay.returned import beside as version_beside
from checker.replay.returned import called

T = TypeVar("T")
Visits = Mapping[CodeType, Callable[[FrameType], T | None]]


@frozen
class RuleResult:
    """The result of a rule: its value as text, the reason for a truth, the deciding line; always: whether the rule
    consists of this value."""

    plain: str
    reason: str
    place: Place | None
    always: bool = False

    @property
    def value(self) -> str:
        """The value, and that the rule has no other one."""
        return f"{'always ' * self.always}{self.plain}"

    @property
    def text(self) -> str:
        """The value, the line, and the reason."""
        return f"{self.value}{self.because}"

    @property
    def because(self) -> str:
        """What follows the value: the line, and the reason."""
        return cited(self.place) + (f": {self.reason}" if self.reason else "")


def rule_result(
    function: Callable[..., Any],
    model: Any,
    arguments: list[Any],
    value: Any,
    beside: tuple[Callable[..., Any], Any] | None = None,
    earlier: Any = None,
) -> RuleResult:
    """The result of a rule in the state of the model, where it has this value; beside: another version of it and the
    value of that version.  Conditions that are true in both are left out, and of an `all` or `any` only the element
    that decides the other version is shown.  earlier: the model before the step, if known.
    """
    other = version_beside(MethodType(beside[0], model), arguments, beside[1]) if beside is not None else None
    reason, line = called(MethodType(function, model), arguments, value, other, earlier)
    file = inspect.getsourcefile(function)
    return RuleResult(value_text(value), reason or "", (file, line) if file else None, always=reason == "")


def arguments_of(frame: FrameType) -> list[Any]:
    """The arguments of a call: the model first."""
    return [frame.f_locals[name] for name in frame.f_code.co_varnames[: frame.f_code.co_argcount]]


def seen_in_step(interpreter: Interpreter, visits: Visits[T], state: Raw, after: Raw | None, name: str) -> list[T]:
    """The results of the visits at each call of their codes, in the step of an action between two states (next state
    None: a step that fails); empty if there is no such step.  A visit gets the frame of a beginning call, and may
    return None.
    """
    action = next(a for a in interpreter.definition.actions if a.name == name)
    if action.function is None or not visits:
        return []
    with _watching(action.function.__code__, visits) as seen:
        for step in interpreter.steps(state, name):
            if step.after == after:
                return list(seen)
    return []


def seen_here(interpreter: Interpreter, visits: Visits[T], state: Raw) -> list[T]:
    """The results of the visits at each call of their codes while every action except faults is tried in a state."""
    with _watching(None, visits) as seen:
        for action in interpreter.definition.actions:
            if not action.fault:
                for _ in interpreter.steps(state, action.name):
                    pass
    return seen


def seen_in_property(
    interpreter: Interpreter, visits: Visits[T], property: PropertyDefinition, state: Raw, before: Raw | None
) -> list[T]:
    """The results of the visits at each call of their codes while a property is evaluated in a state that was reached
    from another one."""
    with _watching(None, visits) as seen:
        interpreter.broken(property, state, before)
    return list(seen)


@contextmanager
def _watching(action: CodeType | None, visits: Visits[T]) -> Iterator[list[T]]:
    """The observations in the executed step, in this context; an execution of the action clears them."""
    seen: list[T] = []

    def watch(frame: FrameType, event: str, argument: Any) -> None:
        if event != "call":
            return
        if frame.f_code is action:
            seen.clear()
        elif (visit := visits.get(frame.f_code)) is not None and (found := visit(frame)) is not None:
            seen.append(found)

    former = sys.getprofile()
    sys.setprofile(watch)
    try:
        yield seen
    finally:
        _restore(former)


def _restore(former: Any) -> None:
    """Install the former profile function; a profiler in C (cProfile) is no function, and is enabled again."""
    sys.setprofile(former if callable(former) else None)
    if former is not None and not callable(former):
        former.enable()
