"""The second condition of ToTo's rule 1b (every source has a long tail) is not redundant: it makes processors disagree.

Six processors, phi = 3, one message each and a second one of p1: real steps of the model, chosen by hand. The smallest case, by the search of
models/two_views.py.
"""

from __future__ import annotations

from typing import Any

from checker.backends.interpreter.interpreter import Interpreter
from checker.language.define import define
from models.s_toto import SToTo
from models.toto import ToTo

# Who multicasts or inserts what, in order. m1.1 and m5.1 are the sources, m6.1 loses to m1.1.
COMMON = """
p1 sends, p5 sends, p6 sends
p2 m1.1, p2 sends
p3 m1.1, p3 m2.1, p3 m5.1, p3 sends
p4 m1.1, p4 m2.1, p4 m5.1, p4 sends
p1 m1.1, p1 m2.1, p1 m5.1, p1 sends
"""
TAIL_FIRST = "p1 m1.2, p1 m3.1, p1 m4.1"
VOTES_FIRST = "p2 m2.1, p2 m5.1, p2 m3.1, p2 m4.1, p2 m6.1"


def run(cls: type[Any], script: str) -> dict[str, list[str]]:
    """Take these steps; what p1 and p2 have delivered then."""
    interpreter = Interpreter(define(cls, {"workload": (2, 1, 1, 1, 1, 1)}, only=[]))
    state = interpreter.initial()[0]
    for step in script.replace("\n", ",").split(","):
        if step.strip():
            state = take(interpreter, state, *step.split())
    interpreter.model.set_raw_state(state)
    p1, p2 = list(interpreter.model.Process)[:2]
    return {str(p): [str(m) for m in interpreter.model.delivered[p]] for p in (p1, p2)}


def take(interpreter: Interpreter, state: Any, process: str, what: str) -> Any:
    """The state after the one step in which the process multicasts (`sends`) or inserts this message."""
    expected = ("multicast", [process]) if what == "sends" else ("insert", [process, what])
    after = []
    for step in interpreter.steps(state):
        arguments = [str(value) for name, value in step.arguments if name in ("p", "m")]
        if (step.action.name, arguments) == expected:
            after.append(step.after)
    assert len(after) == 1, (process, what)
    return after[0]


def test_toto_delivers_different_messages_in_different_orders() -> None:
    logs = run(ToTo, COMMON + TAIL_FIRST + "," + VOTES_FIRST)
    assert logs == {"p1": ["m1.1", "m5.1", "m2.1"], "p2": ["m1.1", "m5.1", "m6.1"]}


def test_s_toto_agrees_in_the_same_run() -> None:
    logs = run(SToTo, COMMON + TAIL_FIRST + "," + VOTES_FIRST)
    shorter, longer = sorted(logs.values(), key=len)
    assert longer[:2] == ["m1.1", "m5.1"]
    assert longer[: len(shorter)] == shorter
