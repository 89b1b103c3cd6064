"""What stays undone where a run ends or repeats, and why: the rules that the run asked in vain and that are still
false, the messages that wait, and the actions that stay disabled, each with the condition that is false and its values.

Of many a few are shown: rules first, then receipts of messages in flight, and in each what speaks of the values of the
witness before the rest; one for each condition.  Where the protocol itself disables anything, the ends that the
language sets (all of the workload is sent) are left out.  Last come the handlers for which no message is in flight.

What this does not say: that the disabled step should be taken.  It may be right that it waits.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from checker.backends.interpreter.interpreter import Interpreter, Raw, Step
from checker.frozen import frozen
from checker.replay.plain import call_text, value_text
from checker.replay.refusals import explain
from checker.replay.rule_calls import arguments_of, place_text, said, seen_in_step
from checker.results.explained import Explanation

SHOWN = 3
IN_LANGUAGE = "/checker/language/"


@frozen
class Waiting:
    """Something that stays false: a sentence, what makes two of them alike, and how much it is to be preferred."""

    sentence: str
    condition: tuple[str, int | str]
    values: tuple[str, ...]
    rank: int
    passed: int = 0
    built_in: bool = False


def blocked(
    interpreter: Interpreter, states: Sequence[Raw], steps: Sequence[Step], loop: int | None, witness: Collection[Any]
) -> tuple[str, ...]:
    """What is false at the end of a run, or all the time in its loop, as sentences.  states, steps: of the whole run;
    loop: the place of the state to which it returns; witness: the values that the violation speaks of."""
    ending = list(dict.fromkeys(states[-1 if loop is None else loop :]))
    explained = [explain(interpreter, state) for state in ending]
    found = [*_rules(interpreter, states, steps, ending), *_instances(interpreter, explained)]
    named = {value_text(value) for value in witness}
    found = [w for w in found if not w.built_in] or found
    ranked = sorted(found, key=lambda w: (w.rank, -sum(v in named for v in w.values), -w.passed))
    chosen: dict[tuple[str, int | str], str] = {}
    for w in ranked:  # a rule asked by another that is shown already says the same
        if not any(text.endswith(w.sentence.rpartition(": ")[2]) for text in chosen.values()):
            chosen.setdefault(w.condition, w.sentence)
    return (*[*chosen.values()][:SHOWN], *_idle(explained))


def _rules(
    interpreter: Interpreter, states: Sequence[Raw], steps: Sequence[Step], ending: Sequence[Raw]
) -> Iterator[Waiting]:
    """The rules that steps of the run asked, with the same arguments, and that are false at the end."""
    rules = {m.function.__code__: m.function for m in interpreter.definition.methods.values() if m.rule}

    def visit(frame: Any) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return rules[frame.f_code], tuple(arguments_of(frame)[1:])

    asked = [
        call
        for before, after, step in zip(states, states[1:], steps)
        if step.after is not None
        for call in seen_in_step(interpreter, dict.fromkeys(rules, visit), before, after, step.action.name)
    ]
    for function, arguments in {(f.__code__, repr(a)): (f, a) for f, a in asked}.values():
        if all(_says(interpreter, state, function, arguments) is False for state in ending):
            answer = said(function, interpreter.viewpoint(ending[-1]), list(arguments), False)
            text = f"{call_text(function.__name__, arguments)} stays {answer.text}"
            yield Waiting(text, (function.__name__, 0), tuple(map(value_text, arguments)), 0)


def _says(interpreter: Interpreter, state: Raw, function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """What a rule says in a state; None if it cannot say anything there."""
    try:
        return function(interpreter.viewpoint(state), *arguments)
    except Exception:
        return None


def _instances(interpreter: Interpreter, explained: Sequence[Explanation]) -> Iterator[Waiting]:
    """The instances of actions that are disabled all the time; faults aside."""
    always = set.intersection(*({r.instance for r in each.refused} for each in explained))
    handlers = {a.name for a in interpreter.definition.actions if a.kind == "receive"}
    for r in explained[-1].refused:
        if r.instance in always and not r.fault:
            where = f" ({place_text((r.file, r.line))})" if r.line else ""
            rank = 1 if r.action in handlers else 2
            built_in = not r.line or IN_LANGUAGE in r.file
            yield Waiting(f"{r.sentence}{where}", (r.action, r.condition), r.values, rank, r.passed, built_in)


def _idle(explained: Sequence[Explanation]) -> Iterator[str]:
    """The handlers that have nothing to receive all the time."""
    names = [name for name in explained[0].idle if all(name in other.idle for other in explained)]
    if names:
        yield f"nothing in flight for: {', '.join(names)}"
