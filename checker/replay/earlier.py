"""The earlier step that set what the condition of a violation reads.

The condition that let the last step violate the property may be right, and the value that it reads be wrong.  If no
step is known to settle the violation (`checker.replay.settled`), the last step before it is named that changed a
variable which this condition reads, of the process that takes the last step, or of none.

Where it stops: the rules that the condition asks are followed only if it reads no variable itself.  That the value is
wrong is not said.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from attrs import evolve

from checker.language.definition import Definition
from checker.replay.deciding import decided, writes
from checker.replay.executed import Done
from checker.replay.plain import instance_text
from checker.replay.reading import nodes_of
from checker.replay.traced import Run
from checker.trace.difference import difference
from checker.trace.trace import Trace


def with_earlier(trace: Trace, run: Run, asked: Done) -> Trace:
    """The trace with this step and what it does, in a sentence, if there is one.  asked: the condition."""
    names = _variables(asked.node, run.definition)
    lane = trace.steps[-1].lane
    for number in range(len(trace.steps) - 1, 0, -1):
        changes = difference(trace.states[number - 1], trace.states[number], trace.lanes)
        changed = {c.variable for c in changes if c.variable in names and c.lane in (None, lane)}
        if changed:
            states, step = (run.states[number - 1], run.states[number]), trace.steps[number - 1]
            found = decided(run.interpreter, *states, run.steps[number - 1], [writes(changed)])
            call = instance_text(step.action, step.args.values())
            if found is not None:
                return evolve(trace, earlier=number, settles=f"EARLIER, step {number}, {call}: {found.text}")
            break
    return trace


def _variables(node: ast.stmt, definition: Definition) -> Collection[str]:
    """The variables that a rule, or the test of a statement, reads; if it reads none itself, those that its rules
    read."""
    variables = {v.name for v in definition.variables if v.network is None}
    methods, seen = nodes_of(definition), set[str]()
    nodes: list[ast.AST] = [node.test if isinstance(node, ast.If | ast.While) else node]
    while nodes:
        named = {name for each in nodes for name in _attributes(each)} - seen
        if found := named & variables:
            return found
        seen |= named
        nodes = [methods[name] for name in sorted(named & methods.keys())]
    return ()


def _attributes(node: ast.AST) -> Iterator[str]:
    return (n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute))
