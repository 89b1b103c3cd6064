"""Why a value that a violation misses was not given: the step in which a test passed it over.

"p2 delivered m1.2 without m1.1" is about a delivery that is missing.  The step that settles the violation gave another
value what m1.1 lacks, such as a place in an order.  In an earlier or a later step a test may have kept m1.1 from the
same statement: this is the other side of the violation.

Where it stops: a value that is missing because no step asked for it is passed over by no test.
"""

from __future__ import annotations

import ast
from collections.abc import Collection

from attrs import evolve

from checker.language.places import statements
from checker.replay.cited import cited
from checker.replay.deciding import cut, done_in
from checker.replay.executed import Done
from checker.replay.plain import instance_text
from checker.replay.settled import settling_statement
from checker.replay.traced import Run
from checker.trace.trace import Trace
from checker.trace.values import mentions


def with_passed_over(trace: Trace, run: Run, values: Collection[str]) -> Trace:
    """The trace with the first such step as what the violation contradicts, if there is one.  values: those that the
    sentence names, and not the statement that violates the property."""
    given = settling_statement(trace, run, trace.settled) if trace.settled is not None else None
    if given is None:
        return trace
    for number, (step, shown) in enumerate(zip(run.steps, trace.steps), 1):
        for done in done_in(run.interpreter, run.states[number - 1], run.states[number], step):
            if (
                number != trace.settled
                and _passes_over(done, given.statement.node)
                and any(mentions(done.words, v) for v in values)
            ):
                call = instance_text(shown.action, shown.args.values())
                text = f"AGAINST, step {number}, {call}: {cut(done.words)}{cited(done.place)}"
                return evolve(trace, opposite=(number,), opposes=(text,))
    return trace


def _passes_over(done: Done, wanted: ast.stmt) -> bool:
    """Whether a test skips a branch with a statement."""
    if not isinstance(done.node, ast.If):
        return False
    skipped = done.node.orelse if done.value == "True" else done.node.body
    return any(inner is wanted for outer in skipped for inner in (outer, *statements(outer)))
