"""Quorum receptions in protocols: they end as the printed ones do, say what is missing, and mean the same when states
are merged by symmetry.  Their meaning construct by construct is in `models/quorum_*.py` and in the enumeration."""

from __future__ import annotations

from typing import Any

import pytest

from checker.analysis.check import check
from checker.backends.interpreter.interpreter import Interpreter
from checker.catalogue import find
from checker.language import Bool, Distributed, Ids, Int, Map, Network, Record, Set, action, invariant, on, require, var
from checker.replay.fairness import instance_of
from checker.replay.refusals import explain
from checker.results.verdict import Verdict
from tests.language.construct import FILES, definition


@pytest.mark.parametrize("workload", [(1, 1), (1, 1, 0)])
def test_collecting_at_once_ends_as_counting_one_by_one_does(workload: tuple[int, ...]) -> None:
    """States at rest of isis have the same logs, and as many differ in timestamps."""
    printed, gathering = (
        check(find(name).cls, name, {"workload": workload}, only=["TotalOrder", "Termination"])
        for name in ("isis", "isis:Gathering")
    )
    assert printed.outcomes == gathering.outcomes
    assert printed.quiescent == gathering.quiescent
    assert 2 * gathering.distinct < printed.distinct


def _walk(interpreter: Interpreter, most: int) -> list[Any]:
    """So many states, the first that are reached."""
    states = dict.fromkeys(interpreter.initial())
    for state in (pending := list(states)):
        for step in interpreter.steps(state):
            if step.after is not None and step.after not in states and len(states) < most:
                states[step.after] = None
                pending.append(step.after)
    return list(states)


def test_a_quorum_says_whose_messages_are_missing() -> None:
    """Who is there and who is not, how many more, and what stands before a message on a FIFO channel."""
    said = set()
    for name in ("quorum_of_each", "quorum_of_some", "quorum_on_fifo_channels"):
        interpreter = Interpreter(definition(next(f for f in FILES if f.stem == name)))
        for state in _walk(interpreter, 300):
            said |= {r.sentence for r in explain(interpreter, state).refused}
    assert "take(p3, 1) is disabled: it waits for Told(1) from p2; from p1 it is there" in said
    assert "agreed(p1, 0) is disabled: it waits for message(0) from 1 more of p2, p3; from p1 it is there" in said
    assert any(s.endswith("; first from p1 is Ask()") or s.endswith("; first from p1 is Ask") for s in said), said


def test_fairness_speaks_of_the_receiver_and_of_what_the_messages_agree_in() -> None:
    """Whose messages make the quorum is a choice: all choices are one instance."""
    interpreter = Interpreter(definition(next(f for f in FILES if f.stem == "quorum_of_some")))
    choices = [
        [s for s in interpreter.steps(state) if s.action.name == "agreed" and s.arguments[2][1] == 0]
        for state in _walk(interpreter, 120)
    ]
    three = next(steps for steps in choices if len(steps) == 3)
    assert len({s.arguments[1] for s in three}) == 3
    assert len({instance_of(s) for s in three}) == 1


class Symmetric(Distributed):
    """Two of those that voted are counted, whoever they are."""

    Process = Ids("p", Distributed.processes, symmetric=True)
    Vote = Record(v=Bool)
    votes = var(Network[Process, Vote])
    cast = var(Set[Process])
    won = var(Map[Process, Int(0, 3)], 0)

    @action
    def vote(self, p: Process, q: Process, v: Bool):
        require(p not in self.cast)
        self.cast.add(p)
        self.votes.send(p, q, self.Vote(v))

    @on(votes, at_least=2)
    def count(self, p, senders, b):
        self.won[p] = sum(1 for q in senders if b[q].v)

    @invariant
    def some(self) -> bool:
        return all(self.won[p] < 2 for p in self.Process)


def test_states_with_quorums_are_merged_by_symmetry() -> None:
    """The same verdict with a counterexample as short, and fewer states."""
    full, merged = (
        check(Symmetric, "symmetric", {"symmetry": merging}, stop_at_first=False) for merging in (False, True)
    )
    assert [(p.verdict, p.steps) for p in full.properties] == [(p.verdict, p.steps) for p in merged.properties]
    assert full.verdict == Verdict.VIOLATED
    assert merged.distinct < full.distinct
