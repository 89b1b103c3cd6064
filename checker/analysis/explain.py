"""`checker explain`: the steps that are possible in a state of a trace, those that are not with the reasons, and why a
condition is true or false there.

By default a few instances stand for all that the same condition blocks: first those of the processes and values that
the witness of the trace names, then those of whose guard the most conditions hold. The others are counted.  Faults are
included only if their action is named.
"""

from __future__ import annotations

import ast
import inspect
import logging
import re
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from checker.analysis.named_values import require_values
from checker.analysis.predicate import resolved
from checker.analysis.stored_trace import Executed, execute, unchanged
from checker.backends.interpreter.interpreter import Failure, Interpreter, Raw
from checker.engines.interpreted import interpreter_of
from checker.language.define import define
from checker.language.definition import Definition, PropertyDefinition
from checker.language.domains import IdsDomain
from checker.language.errors import UsageError, meant
from checker.language.model import Model
from checker.language.values import Id
from checker.replay.base import former_of
from checker.replay.beside import beside
from checker.replay.cited import cited, defined_at
from checker.replay.edited_sources import edited_sources
from checker.replay.guards import reason, why
from checker.replay.nearest import beside_of
from checker.replay.plain import plain, value_text
from checker.replay.refusals import explain
from checker.replay.rule_bodies import rule_body
from checker.replay.scope import Scope
from checker.replay.traced import place_of_action
from checker.results.explained import Answer, Background
from checker.trace.trace import Trace
from checker.trace.values import show


def answer(
    trace: Trace,
    step: int | None = None,
    action: str | None = None,
    words: Sequence[str] = (),
    condition: str | None = None,
) -> Answer:
    """Explain the state after a step of a trace (default: the last).  Raises UsageError if the trace is no longer a
    behaviour of its model, or names are unknown.
    """
    run = unchanged(trace)
    last = len(run.states) - 1
    step = last if step is None else step
    if not 0 <= step <= last:
        there = f"Its states are those after steps 0 (the start) to {last}."
        raise UsageError(f"the trace has no step {step}", remedy=there)
    names = [a.name for a in run.interpreter.definition.actions]
    if action is not None and action not in names:
        raise UsageError(f"{trace.reference} has no action {action}", remedy=meant(action, names))
    found = explain(run.interpreter, run.states[step], action, _witness(trace))
    require_values(words, found, run.interpreter.definition)
    because = _property(trace, run) if step == last and action is None else ""
    if condition:
        because = condition_text(condition, run.interpreter, run.states[step])
    asked = action is not None or bool(words)
    return Answer(trace, step, found.about(words), asked, because, moved_action(trace, run.interpreter.definition))


def moved_action(trace: Trace, definition: Definition) -> tuple[str, int, int] | None:
    """The first action of a trace that stands at another line than when the trace was stored, with both lines: the
    sentences of the trace cite lines of a file that has changed.  A change behind the actions is not noticed."""
    functions = {a.name: a.function for a in definition.actions}
    for step in trace.steps:
        function = functions.get(step.action)
        if step.source is not None and function is not None and (now := place_of_action(function)[1]) != step.source[1]:
            return step.action, step.source[1], now
    return None


def condition_text(text: str, interpreter: Interpreter, state: Raw) -> str:
    """Whether a predicate, in the model's own names, holds in a state, and why.  Raises UsageError if it cannot be read
    or evaluated.
    """
    expression = condition_of(text, interpreter.definition)
    truth, because = condition_here(text, expression, interpreter, state)
    place, values = _rule_asked(expression, because, interpreter, state)
    said = f"{text} is {'true' if truth else 'false'}"
    told = re.sub(
        rf"^{re.escape(said)}( \([^()]*\))?: ", "", because
    )  # the place of the rule is that of its definition
    return f"{said}{place}: {told}{values}"


def _rule_asked(expression: ast.expr, because: str, interpreter: Interpreter, state: Raw) -> tuple[str, str]:
    """Of a condition that calls a rule: the place of the rule, and the values of its locals that the reason names."""
    scope = _scope(interpreter, state)
    found = rule_body(expression, scope) if isinstance(expression, ast.Call) else None
    if not isinstance(expression, ast.Call) or found is None:
        return "", ""
    own, text = found[1].names, re.sub(r"[^\w.]", " ", because).split()
    method = scope.value(expression.func)
    named = {part.split(".")[0] for part in text if not part[0].isdigit()}
    locals_ = [n for n in method.__func__.__code__.co_varnames[1:] if n in named and n in own]
    told = (
        f"{n} = {value_text(own[n])}" for n in locals_ if not isinstance(own[n], Id) and f": {n} is " not in because
    )
    values = ", ".join(told)
    return cited(defined_at(method.__func__)), f", where {values}" if values else ""


def condition_of(text: str, definition: Definition) -> ast.expr:
    """A predicate as an expression of Python.  Raises UsageError if it is no expression, or contains an unknown
    name."""
    return ast.parse(resolved(definition.model, text, definition.constants), mode="eval").body


def _scope(interpreter: Interpreter, state: Raw) -> Scope:
    """The names that a predicate has in a state."""
    module = sys.modules[interpreter.definition.model.__module__]
    return Scope({**vars(module), "self": interpreter.viewpoint(state)}, "self")


def condition_here(text: str, expression: ast.expr, interpreter: Interpreter, state: Raw) -> tuple[bool, str]:
    """Whether the expression of a predicate holds in a state, and why.  Raises UsageError if it cannot be evaluated."""
    definition = interpreter.definition
    scope = _scope(interpreter, state)
    try:
        truth = bool(scope.value(expression))
    except Exception as error:
        raise UsageError(f"{text!r} cannot be evaluated here: {type(error).__name__}: {error}") from None
    reason = why(expression, scope, not truth)
    for name, domain in definition.types.items():
        for index, member in enumerate(domain if isinstance(domain, IdsDomain) else ()):
            written = f"{name}[{index}]"
            # as the predicate has it
            reason = reason.replace(f"{written} = {member}", str(member)).replace(written, str(member))
    return truth, reason


def _property(trace: Trace, run: Executed) -> str:
    """Why the property of the trace is false in its last state, or that it is true: model and trace may have been
    edited since.  Raises Empty where the property makes no statement about a state.
    """
    interpreter = run.interpreter
    property = next((p for p in interpreter.definition.properties if p.name == trace.property), None)
    if property is None or property.kind not in ("invariant", "quiescence", "step"):
        return ""
    if property.kind == "step" and len(run.states) < 2:
        return ""
    state, before = run.states[-1], run.states[-2] if property.kind == "step" else None
    found = interpreter.violated(property, state, before)
    if isinstance(found, Failure):
        return f"{property.name} cannot be evaluated here: {found.message}"
    if not found:
        return f"{property.name} is true here: this state no longer violates it, as the stored trace says"
    because = reason(interpreter.viewpoint(state, property.owner, before), str(property.function.__name__))
    if property.kind == "quiescence" and not interpreter.quiescent(state):
        where = "it is asked only where nothing but faults is enabled, and here something is"
        return f"{property.name} would be false: {because}; but {where}"
    return f"{property.name} is false: {because}"


def _witness(trace: Trace) -> list[str]:
    return [show(value) for value in trace.witness_values.values()]


def background(
    trace: Trace, action: str | None = None, words: Sequence[str] = (), base: type[Model] | None = None
) -> Background:
    """For each state of a trace the enabled instances, the reasons why the others are disabled (of one action or of
    some argument values, on request), the source of the actions, and the truth of properties that are not part of the
    trace.  base: the protocol with which the run was compared (default: the one that its model edits).

    Raises Empty if the trace is no longer a behaviour of its model, or does not begin in an initial state.  Raises
    UsageError if its model no longer exists.
    """
    run, about = execute(trace), " ".join([*([action] if action else []), *words])
    if run.differs is not None:
        return Background()
    found = tuple(
        Answer(trace, number, explain(run.interpreter, state, action, _witness(trace)).about(words), bool(about))
        for number, state in enumerate(run.states)
    )
    functions = {a.name: a.function for a in run.interpreter.definition.actions if a.function is not None}
    sources = {name: textwrap.dedent(inspect.getsource(function)) for name, function in functions.items()}
    interpreter = with_every_property(run.interpreter)
    wanted = {p.name for p in interpreter.definition.properties if p.kind != "reachable"} - set(trace.verdicts)
    verdicts = {name: words for name, words in truths(interpreter, run.states) if name in wanted}
    model = run.interpreter.definition.model
    former = base or beside_of(model, trace.against) or former_of(model)
    if former is None or former is model:
        return Background(found, about, sources, verdicts=verdicts)
    edited = edited_sources(trace, model, former)
    return Background(found, about, sources, verdicts=verdicts, edited=edited, beside=beside(trace, former))


def background_if_known(trace: Trace, base: type[Model] | None = None) -> Background:
    """`background`; nothing, with a warning in the log, if the model no longer exists or may not be executed."""
    try:
        return background(trace, base=base)
    except UsageError as error:
        logging.getLogger("checker").warning(
            "the pages of %s show the stored run alone: %s", trace.display_name(), error
        )
        return Background()


def with_every_property(interpreter: Interpreter) -> Interpreter:
    """The interpreter with all properties of its model, if its states have their variables; otherwise unchanged."""
    own = interpreter.definition
    everything = define(own.model, dict(own.constants))
    same = [v.name for v in everything.variables] == [v.name for v in own.variables]
    return interpreter_of(everything) if same else interpreter


def truths(interpreter: Interpreter, states: Sequence[Raw]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each property with its truth in each state of a run, in a few words."""
    for p in interpreter.definition.properties:
        if p.kind == "leads-to":
            weakly_fair = (_pending(interpreter, p, states, values) for values in p.values())
            yield p.name, tuple(map(_together, zip(*weakly_fair)))
        else:
            befores = (None, *states)
            yield p.name, tuple(truth(interpreter, p, state, before) for before, state in zip(befores, states))


def truth(interpreter: Interpreter, property: PropertyDefinition, state: Raw, before: Raw | None) -> str:
    """The truth of a property in a state that was reached from another one (None: an initial state)."""
    if property.kind == "step" and before is None:
        return "before any step"
    if property.kind == "quiescence" and not interpreter.quiescent(state):
        return "open: steps are enabled"
    found = interpreter.violated(property, state, before if property.kind == "step" else None)
    if isinstance(found, Failure):
        return "cannot be evaluated"
    return "true" if found == (property.kind == "reachable") else "false"


NOTHING_PENDING = "nothing is pending"


def _together(truths: Sequence[str]) -> str:
    """The values of the parameters for which a leads-to property is pending at a state."""
    return "; ".join(t for t in truths if t != NOTHING_PENDING) or NOTHING_PENDING


def _pending(
    interpreter: Interpreter, property: PropertyDefinition, states: Sequence[Raw], values: Mapping[str, Any]
) -> Iterator[str]:
    """The truth of a leads-to property at each state, for one value of its parameters: since when it is pending."""
    since: int | None = None
    p, element = property.at(values), "".join(f" {n} = {show(plain(v))}," for n, v in values.items())
    for number, state in enumerate(states):
        if interpreter.holds(p.function, state, p.owner):
            since = None
        elif since is None and interpreter.holds(p.when or p.function, state, p.owner):
            since = number
        pending = f"pending since step {since}" if since else "pending from the start"
        yield NOTHING_PENDING if since is None else f"for{element.removesuffix(',')} {pending}" if element else pending
