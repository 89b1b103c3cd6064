"""What stays undone where a run ends or repeats, and why: the rules that the run asked in vain and that are still
false, the messages that wait, and the actions that stay disabled, each with the condition that is false and its values.

Of many a few are shown: what the process that the witness misses something of would do before what others would; in
each rules first, then receipts of messages in flight, then what speaks of most values of the witness; one for each
condition. What others would do is left out where a rule or a receipt of that process stays false, and rules that the
other processes of the witness asked in vain where anything is known of it. Where the protocol itself disables anything,
the ends that the language sets (all of the workload is sent) are left out; where only that process has nothing to
receive, they come behind that. The handlers for which no message is in flight to it come last, but before what others
would do.

The process is that of the innermost quantifier of the witness: for all p ... for all q: q has delivered.

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
RULE, RECEIPT, ACTION = range(3)
IN_LANGUAGE = "/checker/language/"


@frozen
class Waiting:
    """Something that stays false: a sentence, what makes two of them alike, and how much it is to be preferred;
    constant: false in whatever state; located: whether a line is told."""

    sentence: str
    condition: tuple[str, int | str]
    values: tuple[str, ...]
    rank: int
    passed: int = 0
    built_in: bool = False
    constant: bool = False
    located: bool = True

    def is_rule_of(self, values: Collection[str]) -> bool:
        """Whether it is a rule of one of these."""
        return self.rank == RULE and self.values[:1] != () and self.values[0] in values

    def is_of_another(self, process: str | None, processes: Collection[str]) -> bool:
        """Whether the first process that it speaks of is another one."""
        first = next((value for value in self.values if value in processes), process)
        return process is not None and first != process


def blocked(
    interpreter: Interpreter,
    states: Sequence[Raw],
    steps: Sequence[Step],
    loop: int | None,
    witness: Collection[Any],
    processes: Collection[str] = (),
) -> tuple[str, ...]:
    """What is false at the end of a run, or all the time in its loop, as sentences.  states, steps: of the whole run;
    loop: the place of the state to which it returns; witness: the values that the violation speaks of, the innermost
    last; processes: the names of all."""
    ending = list(dict.fromkeys(states[-1 if loop is None else loop :]))
    explained = [explain(interpreter, state) for state in ending]
    found = [*_rules(interpreter, states, steps, ending), *_instances(interpreter, explained)]
    named = {value_text(value): None for value in witness}
    process = next((value for value in reversed(named) if value in processes), None)
    idle = _idle(interpreter, explained, process)
    ends = [w for w in found if w.built_in]
    found = [w for w in found if not w.built_in] or ([] if process is not None and idle else found)
    others = {w for w in found if w.is_of_another(process, processes)}
    if any(w.rank < ACTION and not w.constant for w in found if w not in others):
        found = [w for w in found if w not in others]
    elif idle or others < set(found):  # who has done what the process misses may well have asked in vain for more
        found = [w for w in found if w not in others or not w.is_rule_of(named)]
    if not found:  # behind what is not in flight: that the process has nothing to send is not why it misses something
        found = [w for w in ends if w.located]
        others = set(found)
    ranked = sorted(found, key=lambda w: (w in others, w.rank, -sum(v in named for v in w.values), -w.passed))
    chosen: dict[tuple[str, int | str], str] = {}
    for w in ranked:  # a rule asked by another that is shown already says the same
        if not any(text.endswith(w.sentence.rpartition(": ")[2]) for text in chosen.values()):
            chosen.setdefault(w.condition, w.sentence)
    shown = [*chosen.values()][:SHOWN]
    of_others = {w.sentence for w in others}
    own = [text for text in shown if text not in of_others]
    return (*own, *idle, *(text for text in shown if text in of_others))


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
            yield Waiting(
                text, (function.__name__, 0), tuple(map(value_text, arguments)), RULE, constant=not answer.reason
            )


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
    quorums = {a.name for a in interpreter.definition.actions if a.quorum is not None}
    for r in explained[-1].refused:
        if r.instance in always and not r.fault:
            where = f" ({place_text((r.file, r.line))})" if r.line else ""
            rank = RECEIPT if r.action in handlers else ACTION
            waits = r.action in quorums and r.reason.startswith("it ")  # for messages: a guard without a line
            built_in = not (r.line or waits) or IN_LANGUAGE in r.file
            yield Waiting(
                f"{r.sentence}{where}",
                (r.action, r.condition),
                r.values,
                rank,
                r.passed,
                built_in,
                located=bool(r.line),
            )


def _idle(interpreter: Interpreter, explained: Sequence[Explanation], process: str | None) -> list[str]:
    """The handlers that have nothing to receive all the time: those of the process, or (None) of all."""
    if process is not None:
        handlers = [a.name for a in interpreter.definition.actions if a.kind == "receive"]
        names = [name for name in handlers if not any(_waits(each, name, process) for each in explained)]
        return [f"nothing in flight to {process} for: {', '.join(names)}"] if names else []
    names = [name for name in explained[0].idle if all(name in other.idle for other in explained)]
    return [f"nothing in flight for: {', '.join(names)}"] if names else []


def _waits(explained: Explanation, handler: str, process: str) -> bool:
    """Whether a message for a handler of a process is there, taken or not."""
    refused = any(r.action == handler and r.values[:1] == (process,) for r in explained.refused)
    return refused or any(e.startswith((f"{handler}({process},", f"{handler}({process})")) for e in explained.enabled)
