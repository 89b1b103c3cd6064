"""A message that a process received without the missing effect: the test of an `if` that skipped the branch with this
effect.

The last step of the process that has a value of the witness among its arguments, one that is no process if there is
one, is executed again.  The sentence shows its first test that skips a branch which writes what the property reads, or
multicasts to all, directly or in the methods that the branch calls; if there is none, or a later step took that branch,
the step before is examined.

Where it stops: tests that read nothing of the state (whether a process is the sequencer), tests of a `while`, and tests
in the language's own library are left out.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

from checker.backends.interpreter.interpreter import Interpreter, Raw, Step
from checker.replay.cited import cited
from checker.replay.deciding import done_in, is_of_library, written_by
from checker.replay.executed import Done
from checker.replay.plain import instance_text, value_text
from checker.replay.reading import nodes_of, reaches, reads
from checker.trace.reasons import Reason
from checker.trace.values import mentions


def turned_away(
    interpreter: Interpreter,
    states: Sequence[Raw],
    steps: Sequence[Step],
    process: str,
    witness: Collection[str],
    names: Collection[str],
    processes: Collection[str] = (),
) -> tuple[Reason, ...]:
    """The test as a sentence, with its line; nothing if there is none.  names: the variables that the property reads;
    witness: the values that the violation names: where some are no processes, the step has one of these.
    """
    others = {value for value in witness if value != process}
    about = [value for value in witness if value not in processes]
    taken: set[ast.stmt] = set()  # tests whose branch a later step took
    for number in range(len(steps), 0, -1):
        step, values = steps[number - 1], [value_text(v) for _, v in steps[number - 1].arguments]
        if step.after is None or process not in values[:1] or others.isdisjoint(values[1:]):
            continue
        if about and not any(mentions(text, value) for text in values for value in about):
            continue
        done = done_in(interpreter, states[number - 1], states[number], step)
        tests = list(_tests(interpreter, done, names))
        for each, skipped in tests:
            if skipped and each.node not in taken:
                call = instance_text(step.action.name, [v for _, v in step.arguments])
                told = f"{each.words.partition(' ')[2]}{cited(each.place)}"
                text = f"{call} at step {number} finds {told}{_left_out(each, names, interpreter)}"
                return (Reason(text, steps=(number,), placed=True),)
        taken |= {each.node for each, skipped in tests if not skipped}
    return ()


def _left_out(test: Done, names: Collection[str], interpreter: Interpreter) -> str:
    """The statement of the branch not taken that writes one of the variables, if it is the call of a method."""
    node, methods = test.node, nodes_of(interpreter.definition)
    assert isinstance(node, ast.If)
    for statement in node.orelse if test.value == "True" else node.body:
        match statement:
            case ast.Expr(ast.Call(ast.Attribute(ast.Name("self"), name))):
                if reaches([statement], lambda inner: _lets_come(inner, names), methods):
                    return f", and does not call {name}"
    return ""


def _tests(interpreter: Interpreter, done: Sequence[Done], names: Collection[str]) -> Iterator[tuple[Done, bool]]:
    """The tests with a branch that writes one of the variables, and whether they skip it."""
    methods = nodes_of(interpreter.definition)

    def writes(block: Sequence[ast.stmt]) -> bool:
        return reaches(block, lambda node: _lets_come(node, names), methods)

    for each in done:
        if isinstance(each.node, ast.If) and not is_of_library(each.place) and reads(each.node, interpreter.definition):
            chosen, other = each.node.body, each.node.orelse
            if each.value != "True":
                chosen, other = other, chosen
            if writes(other):
                yield each, True
            elif writes(chosen):
                yield each, False


def _lets_come(node: ast.AST, names: Collection[str]) -> bool:
    """Whether a statement writes one of the variables, or multicasts to all: the process itself gets a message, too."""
    match node:
        case ast.Call(ast.Attribute(ast.Attribute(), "multicast"), keywords=[]):
            return True
    return written_by(node, names)
