"""Why something does not happen where a run ends or repeats: the conditions that prevent the missing step.

A condition is shown if the missing step can happen once the condition has its other value (`checker.replay.otherwise`).
Rules come first, with their arguments and the values that they read, then guards of single instances; steps of the
process that the witness names come before steps of others.  A rule that another shown one mentions is not shown again.

A step of another process that another such rule or guard disables comes next: it is what the process waits for.

The messages follow that the process received without an effect because of a test, and the messages to the process that
were lost or not sent.

If a fault that the model declares brings the missing step about, it is named instead: faults need not happen.

A guard of an instance that the run took already is left out: it keeps the step from happening twice.  So is one of a
process that takes an action in place of another which has crashed.

The process is that of the innermost quantifier of the witness: for all p ... for all q: q has delivered; without one,
that which the sentence of the violation names alone.

Where it stops: the condition need not be wrong.  It may be right that a process waits.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Sequence
from functools import partial
from itertools import product
from typing import Any

from attrs import evolve

from checker.backends.interpreter.interpreter import Interpreter, Raw, Step
from checker.frozen import frozen
from checker.language.definition import ActionDefinition
from checker.replay.cited import Place, cited, defined_at
from checker.replay.deciding import LIBRARY
from checker.replay.otherwise import CalledRule, Otherwise
from checker.replay.plain import call_text, instance_text, value_text
from checker.replay.refusals import asked_of, explain
from checker.replay.returned import as_call
from checker.replay.rule_calls import arguments_of, rule_result, seen_here, seen_in_step
from checker.replay.scope import Scope
from checker.replay.since import Since
from checker.results.explained import Explanation, Refusal
from checker.trace.reasons import Reason

SHOWN = 3
# the largest number of conditions that are exchanged; those that mention most values of the witness are kept
MOST_TRIED = 24


@frozen
class Missed:
    """The value that a run lacks: the values in the witness of the violation, the innermost last, the names of all
    processes, and a function that decides whether a state has this value.
    """

    witness: tuple[str, ...]
    processes: Collection[str]
    came: Callable[[Raw], bool]

    @property
    def process(self) -> str | None:
        """The process that lacks the value."""
        return next((value for value in reversed(self.witness) if value in self.processes), None)

    def mentioned(self, values: Sequence[str]) -> int:
        """The number of values of the witness among these values."""
        return sum(v in self.witness for v in values)

    def is_of_another(self, values: Sequence[str]) -> bool:
        """Whether the first process among these values is not the process that lacks the value."""
        first = next((value for value in values if value in self.processes), self.process)
        return self.process is not None and first != self.process


@frozen
class Condition:
    """A condition that matters: its values, a key for equal conditions, and the sentence."""

    values: tuple[str, ...]
    condition: object
    text: Reason
    asked: Callable[[], tuple[ast.expr, Scope] | None] = lambda: None
    wanted: bool = True  # the truth with which the missing step can happen

    @property
    def reason(self) -> str:
        """The reason for the value of the condition."""
        return self.text.partition("): ")[2] or self.text


def blocked(
    interpreter: Interpreter,
    states: Sequence[Raw],
    steps: Sequence[Step],
    loop: int | None,
    missed: Missed,
    lost: Sequence[Reason] = (),
) -> tuple[Reason, ...]:
    """Why the missing step does not happen at the end of a run, or in its loop, as sentences.  states, steps: of the
    whole run; loop: the place of the state to which it returns; lost: sentences about lost messages to the process.
    """
    ending = list(dict.fromkeys(states[-1 if loop is None else loop :]))
    explained = [explain(interpreter, state, witness=missed.witness) for state in ending]
    always = set.intersection(*({r.instance for r in each.refused} for each in explained))
    refused = [r for r in explained[-1].refused if r.instance in always and not r.fault]
    otherwise = Otherwise(states, steps, ending, missed.came, Interpreter(interpreter.definition))
    idle = _idle(interpreter, ending, explained, missed.process)
    if otherwise.comes_anyway():
        return tuple(idle)
    if faults := _by_a_fault(interpreter, ending[-1], missed.came):
        return (*faults, *lost)[:SHOWN]
    called = _called_rules(interpreter, states, steps, ending, missed)
    rules = [a for a in called if otherwise.needs_rule(a)]
    done = instances(steps)
    guards = [r for r in refused if r.instance not in done and r.line and r.alone and not r.file.startswith(LIBRARY)]
    guards = [r for r in guards if (r.action, r.values[1:]) not in _crashed_instead(refused, lost)]
    guards = sorted(guards, key=lambda r: -missed.mentioned(r.values))[:MOST_TRIED]
    guards = [r for r in guards if otherwise.needs_guard(r)]
    if not rules and not guards:
        rules = [a for a in called if otherwise.needed_rule(a)]
    # calls of these rules are shown with lines of their own, unless the guard speaks of more values of the witness
    calls = [(f"{call_text(a.name, a.arguments)} is ", missed.mentioned(a.argument_texts)) for a in rules]
    guards = [r for r in guards if not any(c in r.reason and n >= missed.mentioned(r.values) for c, n in calls)]
    last = ending[-1]
    conditions = [
        Condition(
            a.argument_texts,
            a.name,
            _rule_text(interpreter, a, last),
            partial(as_call, getattr(interpreter.viewpoint(last), a.name), a.arguments),
            not a.value,
        )
        for a in rules
    ]
    conditions += [
        Condition(r.values, (r.action, r.condition), guard_text(r), partial(asked_of, interpreter, last, r))
        for r in guards
    ]
    functions = {a.name: a.function for a in interpreter.definition.actions}
    for r in refused:
        function = functions[r.action]
        if r.waits and function is not None:
            waits = Reason(f"{r.sentence}{cited(defined_at(function))}", "disabled", placed=True)
            conditions.append(Condition(r.values, r.action, waits))
    chosen = _distinct(
        sorted(conditions, key=lambda t: (missed.is_of_another(t.values), -missed.mentioned(t.values))), missed
    )
    since = Since(interpreter, states, steps, missed.processes)
    chosen = [*(_linked(t, since) for t in chosen[:1]), *chosen[1:]]
    own = [t.text for t in chosen if not missed.is_of_another(t.values)]
    others = [*lost, *(t.text for t in chosen if missed.is_of_another(t.values))]
    if own and len(own) < SHOWN:
        others = [*(t for t in _further(rules, guards, refused, chosen, missed) if t not in others), *others]
    shown = [*own, *others][:SHOWN]
    return (*(t for t in shown if t in own), *idle, *(t for t in shown if t not in own))


def _further(
    rules: Sequence[CalledRule],
    guards: Sequence[Refusal],
    refused: Sequence[Refusal],
    chosen: Sequence[Condition],
    missed: Missed,
) -> list[Reason]:
    """What the process waits for, one link further: the first step of another process that is disabled by a guard, or
    by a rule, which matters as well, although it speaks of less of the witness."""
    calls = [call_text(a.name, a.arguments) for a in rules]
    told = [condition.text for condition in chosen]
    calls = [f"{c} is " for c in calls if not any(t.startswith(f"{c} ") or f"{c} is " in t for t in told)]
    others = [r for r in refused if r.line and missed.is_of_another(r.values) and not r.file.startswith(LIBRARY)]
    return [guard_text(r) for r in others if r in guards or any(call in r.reason for call in calls)][:1]


def _by_a_fault(interpreter: Interpreter, state: Raw, came: Callable[[Raw], bool]) -> list[Reason]:
    """The faults of the model that are enabled and bring the missing step about: a run need not take them."""
    found: dict[str, Reason] = {}
    for step in interpreter.steps(state):
        function = step.action.function
        if function is None or function.__code__.co_filename.startswith(LIBRARY):
            continue
        if step.action.fault and step.after is not None and came(step.after):
            instance = instance_text(step.action.name, [v for _, v in step.arguments])
            told = f"{instance} is enabled, but is a fault, which need not happen{cited(defined_at(function))}"
            found[instance] = Reason(told, placed=True)
    return list(found.values())


def _crashed_instead(refused: Sequence[Refusal], lost: Sequence[Reason]) -> set[tuple[str, tuple[str, ...]]]:
    """Actions, with their arguments but the process, that a process cannot take because of a crash which is a reason
    already: that another process does not take them in its place is none."""
    crashed = {process for reason in lost if reason.kind == "crash" for process in reason.about}
    gone = (r for r in refused if r.values and r.crashed == r.values[0])
    return {(r.action, r.values[1:]) for r in gone if r.values[0] in crashed}


def instances(steps: Sequence[Step]) -> set[str]:
    """The instances that a run took, of actions with arguments; an action without arguments can be taken again."""
    return {instance_text(s.action.name, [v for _, v in s.arguments]) for s in steps if s.arguments}


def _distinct(ranked: Sequence[Condition], missed: Missed) -> list[Condition]:
    """Conditions with the most values of the witness; of one condition the first, and none that is the reason of
    another.
    """
    most = max((missed.mentioned(t.values) for t in ranked), default=0)
    first = {t.condition: t for t in reversed(ranked) if missed.mentioned(t.values) == most}
    kept = [t for t in ranked if t is first.get(t.condition)]
    return [t for t in kept if not any(t.reason in o.reason and len(t.reason) < len(o.reason) for o in kept)]


def _called_rules(
    interpreter: Interpreter, states: Sequence[Raw], steps: Sequence[Step], ending: Sequence[Raw], missed: Missed
) -> list[CalledRule]:
    """The rules that steps of the run evaluated, or that are evaluated at its end, and that have one value throughout
    the end; a call by another rule does not count; those with most values of the witness first.
    """
    rules = {m.function.__code__: m.function for m in interpreter.definition.methods.values() if m.rule}

    def visit(frame: Any) -> tuple[Callable[..., Any], tuple[Any, ...]] | None:
        caller = frame.f_back
        while caller is not None and caller.f_code not in known:
            caller = caller.f_back
        outermost = caller is None or caller.f_code not in rules  # the reason for a rule names the rules that it calls
        return (rules[frame.f_code], tuple(arguments_of(frame)[1:])) if outermost else None

    methods = {m.function.__code__ for m in interpreter.definition.methods.values()}
    known = methods | {a.function.__code__ for a in interpreter.definition.actions if a.function is not None}
    visits = dict.fromkeys(rules, visit)
    calls: dict[tuple[str, str], tuple[Callable[..., Any], tuple[Any, ...], int | None]] = {}
    for function, arguments in (call for state in ending[:1] for call in seen_here(interpreter, visits, state)):
        calls.setdefault((function.__name__, repr(arguments)), (function, arguments, None))
    for number, (before, after, step) in enumerate(zip(states, states[1:], steps), 1):
        seen = seen_in_step(interpreter, visits, before, after, step.action.name) if step.after is not None else []
        for function, arguments in seen:
            calls[function.__name__, repr(arguments)] = function, arguments, number
    found: list[CalledRule] = []
    for function, arguments, last in calls.values():
        values = {_truth_in(interpreter, state, function, arguments) for state in ending}
        if values in ({True}, {False}):
            found.append(CalledRule(function.__name__, function, arguments, values.pop() is True, last))
    return sorted(found, key=lambda a: -missed.mentioned(a.argument_texts))[:MOST_TRIED]


def _truth_in(interpreter: Interpreter, state: Raw, function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """The truth of a rule in a state; None if it is not Boolean there, or cannot be evaluated."""
    try:
        value = function(interpreter.viewpoint(state), *arguments)
    except Exception:
        return None
    return value if isinstance(value, bool) else None


def _rule_text(interpreter: Interpreter, rule: CalledRule, state: Raw) -> Reason:
    answer = rule_result(rule.function, interpreter.viewpoint(state), list(rule.arguments), rule.value)
    call = call_text(rule.name, rule.arguments)
    told = f"{call} stays {answer.plain}{answer.because}"
    return Reason(told, "rule", about=(call,), placed=answer.place is not None)


def _linked(condition: Condition, since: Since) -> Condition:
    """A condition with the reason why it has its value."""
    asked = condition.asked()
    more = Reason("") if asked is None else since.reason(asked, condition.wanted, condition.values)
    return evolve(condition, text=condition.text.continued(more)) if more else condition


def guard_text(refusal: Refusal) -> Reason:
    """That an instance is disabled, with the condition and its line."""
    return Reason(
        f"{refusal.sentence}{cited((refusal.file, refusal.line))}", "disabled", about=(refusal.instance,), placed=True
    )


def last_resort(
    interpreter: Interpreter,
    state: Raw,
    processes: Sequence[str],
    reasons: tuple[Reason, ...],
    done: Collection[str] = (),
) -> tuple[Reason, ...]:
    """The reasons of a run, with an additional line if none of them has one: the line of an instance that stays
    disabled at the end.  Instances that the model disables come before those that the language's library disables,
    instances of the given processes before others, receipts before other actions, and guards with more true conditions
    before others.  If only the library disables an instance, the handler without a message is named with its line.
    """
    handlers = {a.name: a.function for a in interpreter.definition.actions if a.kind == "receive"}
    located = [r for r in explain(interpreter, state).refused if r.line and not r.fault and r.instance not in done]

    def rank(r: Refusal) -> tuple[Any, ...]:
        of_another = not set(r.values[:1]) <= set(processes)
        return r.file.startswith(LIBRARY), of_another, r.action not in handlers, -r.passed

    first = next(iter(sorted(located, key=rank)), None)
    if first is not None and not first.file.startswith(LIBRARY):
        return (*reasons, guard_text(first))
    for number, reason in enumerate(reasons):
        function = handlers.get(reason.about[1]) if reason.kind == "idle" else None
        if function is not None:
            process, *names = reason.about
            return (*reasons[:number], _no_message(process, names, defined_at(function)), *reasons[number + 1 :])
    return reasons if first is None else (*reasons, guard_text(first))


def _idle(
    interpreter: Interpreter, ending: Sequence[Raw], explained: Sequence[Explanation], process: str | None
) -> list[Reason]:
    """The handlers that never have a message to receive, those of the process, or (None) of all; then the messages of
    FIFO channels that wait behind another one for such a handler."""
    receipts = [a for a in interpreter.definition.actions if a.kind == "receive"]
    if process is not None:
        idle = [a for a in receipts if not any(_waits(each, a.name, process) for each in explained)]
    else:
        idle = [a for a in receipts if all(a.name in each.idle for each in explained)]
    behind = {a.name: found for a in idle if (found := _behind(interpreter, a, ending[-1], process))}
    names = [a.name for a in idle if a.name not in behind]
    return ([_no_message(process or "", names)] if names else []) + [Reason(text) for text in behind.values()]


def _no_message(process: str, handlers: Sequence[str], place: Place | None = None) -> Reason:
    """That no message is in flight for these handlers of a process ("": of all); place: the line of the first."""
    there, (first, *others) = f" to {process}" if process else "", handlers
    named = ", ".join([f"{first}{cited(place)}", *others])
    return Reason(
        f"nothing in flight{there} for: {named}", "idle", about=(process, *handlers), placed=place is not None
    )


def _behind(interpreter: Interpreter, receipt: ActionDefinition, state: Raw, process: str | None) -> str:
    """The first message for a handler of the process that is not the next one of its FIFO channel, in a sentence."""
    model = interpreter.viewpoint(state)
    network = getattr(model, str(receipt.network))
    if not network.definition.fifo:
        return ""
    for source, target in product(model.Process, repeat=2):
        if process in (None, str(target)):
            first, *others = [*network.between(source, target)] or [None]
            for body in others:
                if receipt.variant in (None, type(body).__name__):
                    return f"{value_text(body)} to {target} is behind {value_text(first)} in the channel from {source}"
    return ""


def _waits(explained: Explanation, handler: str, process: str) -> bool:
    """Whether a message for a handler of a process exists, taken or not."""
    refused = any(r.action == handler and r.values[:1] == (process,) for r in explained.refused)
    return refused or any(e.action == handler and e.values[:1] == (process,) for e in explained.enabled)
