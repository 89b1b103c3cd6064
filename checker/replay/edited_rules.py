"""Which edited rule enables a step, or disables it: the rule as the step evaluates it, in the edited protocol and in
the protocol before the edit, in the same state and with the same arguments.

Among the rules that the edit replaces, the first with two different values where the step evaluates it
(`checker.replay.rule_calls`) is shown.

Where it stops: only methods marked `@rule`, and functions that are one `return`, are evaluated twice, because others
may change the state; a version that reads a name that the other protocol does not have is left out.  A difference in
the body of an action itself is no rule.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from types import CodeType, FrameType
from typing import Any

from checker.backends.interpreter.interpreter import Interpreter, Raw, Step
from checker.frozen import frozen
from checker.language.definition import PropertyDefinition
from checker.language.model import Model
from checker.replay.asked import told_apart
from checker.replay.cited import shortened
from checker.replay.plain import call_text
from checker.replay.returned import is_one_return
from checker.replay.rule_calls import RuleResult, Visits, arguments_of, rule_result, seen_in_property, seen_in_step
from checker.trace.former import Contrast

Versions = tuple[Callable[..., Any], Callable[..., Any]]
"""A rule as edited, and before."""


@frozen
class Ruling:
    """A rule with its arguments, and the value and reason of each version."""

    call: str
    edited: RuleResult
    before: RuleResult

    def contrast(self, base: str, at: str = "") -> Contrast:
        """Both versions.  base: the class of the other one; at: where the rule is asked."""
        now, was = self._both(str)
        places = [place and shortened(place) for place in (self.edited.place, self.before.place)]
        return Contrast(now, was, base, f"{at}{self.call}", place=places[0], former=places[1])

    def sentence(self, former: str, cut: Callable[[str], str]) -> str:
        """Both versions in one sentence.  former: the name of the other one; cut: shortens the value and reason of
        each."""
        now, was = self._both(cut)
        return f"{self.call} {now}; {former} {was}"

    def _both(self, cut: Callable[[str], str]) -> tuple[str, str]:
        now, was = told_apart(self.edited.reason, self.before.reason, (self.edited.place, self.before.place))
        return f"is {cut(self.edited.text)}{now}", f"it is {cut(self.before.text)}{was}"


def deciding_rule(
    interpreter: Interpreter, base: type[Model], state: Raw, after: Raw | None, action: str
) -> Ruling | None:
    """The first edited rule with another value before the edit, in the step between two states by an action (next state
    None: a step that fails); None if there is none.
    """
    return differing_rule(interpreter, overridden(interpreter.definition.model, base), state, after, action)


def rule_of_property(
    interpreter: Interpreter, base: type[Model], property: PropertyDefinition, state: Raw, before: Raw | None
) -> Ruling | None:
    """The first edited rule with another value before the edit where a property evaluates it in a state that was
    reached from another one."""
    visits = _visits(overridden(interpreter.definition.model, base))
    return next(iter(seen_in_property(interpreter, visits, property, state, before)), None)


def differing_rule(
    interpreter: Interpreter, versions: Mapping[CodeType, Versions], state: Raw, after: Raw | None, action: str
) -> Ruling | None:
    """The first of these rules with two values where the step evaluates it; None if there is none."""
    return next(iter(seen_in_step(interpreter, _visits(versions), state, after, action)), None)


def undoing_rule(base: Interpreter, edit: type[Model], state: Raw, step: Step) -> Ruling | None:
    """The first edited rule with another value after the edit, in a step that only the base takes."""
    return next(iter(undoing_rules(base, edit, state, step)), None)


def undoing_rules(base: Interpreter, edit: type[Model], state: Raw, step: Step) -> list[Ruling]:
    """The rules with another value in the edit, in the order in which a step of the base asks them."""
    versions = {before.__code__: (after, before) for after, before in overridden(edit, base.definition.model).values()}
    return seen_in_step(base, _visits(versions), state, step.after, step.action.name)


def overridden(edit: type[Model], base: type[Model]) -> Mapping[CodeType, Versions]:
    """The rules of the base that the edit replaces, by the code of the edited rule."""
    found: dict[CodeType, Versions] = {}
    for name in dir(base):
        before, after = (inspect.getattr_static(cls, name, None) for cls in (base, edit))
        if inspect.isfunction(before) and inspect.isfunction(after) and before is not after and _is_pure(before, after):
            found[after.__code__] = (after, before)
    return found


def _is_pure(before: Callable[..., Any], after: Callable[..., Any]) -> bool:
    marks = {f.__checker__.kind for f in (before, after) if hasattr(f, "__checker__")}
    return marks == {"rule"} or not marks and is_one_return(before) and is_one_return(after)


def _visits(versions: Mapping[CodeType, Versions]) -> Visits[Ruling]:
    """What is looked at where a rule with two versions is called."""
    return {code: partial(_ruling, pair) for code, pair in versions.items()}


def _ruling(versions: Versions, frame: FrameType) -> Ruling | None:
    """The values of both versions of a rule at the beginning of a call; None if they are equal, or if one cannot be
    evaluated.
    """
    model, *arguments = arguments_of(frame)
    try:
        values = [function(model, *arguments) for function in versions]
    except Exception:  # a name that the other protocol does not have, or an error that occurs in the step itself too
        return None
    if values[0] == values[1]:
        return None
    edited, before = (
        rule_result(f, model, arguments, value, beside)
        for f, value, beside in zip(versions, values, zip(versions[::-1], values[::-1]))
    )
    return Ruling(call_text(versions[0].__name__, arguments), edited, before)
