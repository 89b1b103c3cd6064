"""The second condition of ToTo's rule 1b (every source has a long tail) is not redundant: it makes processors disagree.

Real steps of the models, chosen by hand, in the main reading (at least n - phi). Six processors, phi = 3 = n/2, one message each and a second one of p1: the
smallest case with that threshold that the search of models/two_views.py finds. Seven processors, phi = 4, so more than n/2 as Section 3 asks, and again one message
more than processors. (With phi = 1 three processors suffice: models/toto.py.)
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


# m2.1 and m7.1 are the sources, m1.1 loses to m2.1. Only m3.2 makes the tail of m7.1 long enough.
COMMON_OF_SEVEN = """
p1 sends, p2 sends, p7 sends
p3 m2.1, p3 sends
p4 m2.1, p4 sends
p5 m2.1, p5 m7.1, p5 sends
p6 m2.1, p6 m7.1, p6 sends
p3 m7.1, p3 sends
"""
TAIL_OF_SEVEN = "p3 m3.1, p3 m3.2, p3 m4.1, p3 m5.1, p3 m6.1"
VOTES_OF_SEVEN = "p1 m1.1, p1 m2.1, p1 m7.1, p1 m3.1, p1 m4.1, p1 m5.1, p1 m6.1"


def run(cls: type[Any], script: str, workload: tuple[int, ...] = (2, 1, 1, 1, 1, 1), watched: tuple[int, int] = (1, 2)) -> dict[str, list[str]]:
    """Take these steps; what the two processors have delivered then."""
    interpreter = Interpreter(define(cls, {"workload": workload}, only=[]))
    state = interpreter.initial()[0]
    for step in script.replace("\n", ",").split(","):
        if step.strip():
            state = take(interpreter, state, *step.split())
    interpreter.model.set_raw_state(state)
    both = [interpreter.model.Process[i - 1] for i in watched]
    return {str(p): [str(m) for m in interpreter.model.delivered[p]] for p in both}


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


def test_toto_disagrees_with_a_threshold_above_one_half_too() -> None:
    """Seven processors, phi = 4: p3 hears of the tail before it hears of p1, p1 of all votes before it hears of the tail."""
    logs = run(ToTo, f"{COMMON_OF_SEVEN}{TAIL_OF_SEVEN},{VOTES_OF_SEVEN}", (1, 1, 2, 1, 1, 1, 1), (1, 3))
    assert logs == {"p1": ["m1.1", "m2.1", "m7.1"], "p3": ["m2.1", "m7.1"]}


def test_s_toto_agrees_in_the_run_of_seven() -> None:
    """Nobody delivers m1.1 first."""
    logs = run(SToTo, f"{COMMON_OF_SEVEN}{TAIL_OF_SEVEN},{VOTES_OF_SEVEN}", (1, 1, 2, 1, 1, 1, 1), (1, 3))
    assert logs == {"p1": ["m2.1", "m7.1"], "p3": ["m2.1", "m7.1"]}
