"""The second condition of ToTo's rule 1b (every source has a long tail) is not redundant: it makes processors disagree.

Real steps of the models, chosen by hand, in the main reading (at least n - phi). Six processors, phi = 3 = n/2, one
message each and a second one of p1: the smallest case with that threshold. Seven processors, phi = 4, so more than n/2
as Section 3 asks, and again one message more than processors, also with the strict bound and with senders in their own
tails. Where everybody must have followed, four processors with phi = 2 and five with phi = 3. (With phi = 1 three
processors suffice: models/toto.py.) That nothing smaller shows it follows from the last tests.
"""

from __future__ import annotations

from typing import Any

import pytest

from checker.analysis.compare.family import compare_family
from checker.analysis.compare.side import Side
from checker.backends.interpreter.interpreter import Interpreter
from checker.language.define import define
from checker.models.s_toto import SToTo
from checker.models.toto import MoreThanAllButOne, OwnTail, OwnTailButOne, OwnTailOfAll, StrictOwnTail, StrictTail, ToTo
from checker.models.vote_vectors import (
    MoreThanAllButOneVotes,
    OwnTailButOneVotes,
    OwnTailOfAllVotes,
    OwnTailVotes,
    SToToVotes,
    StrictOwnTailVotes,
    StrictTailVotes,
    TailOfAllVotes,
    ToToVotes,
)

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


# m2.1 and m7.1 are the sources, m1.1 loses to m2.1. Only m3.2 makes the tail of m7.1 long enough. Who votes for m7.1
# besides depends on the bound.
def common_of_seven(voters: str) -> str:
    """Everybody's first message, and the second one of p3."""
    heard = {
        p: f"{p} m2.1, {p} m7.1, {p} sends" if p in voters.split() else f"{p} m2.1, {p} sends"
        for p in ("p3", "p4", "p5", "p6")
    }
    return "\n".join(["p1 sends, p2 sends, p7 sends", *heard.values(), "p3 m7.1, p3 sends", ""])


TAIL_OF_SEVEN = "p3 m3.1, p3 m3.2, p3 m4.1, p3 m5.1, p3 m6.1, p3 m1.1"
VOTES_OF_SEVEN = "p1 m1.1, p1 m2.1, p1 m7.1, p1 m3.1, p1 m4.1, p1 m5.1, p1 m6.1"


def run(
    cls: type[Any], script: str, workload: tuple[int, ...] = (2, 1, 1, 1, 1, 1), watched: tuple[int, int] = (1, 2)
) -> dict[str, list[str]]:
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


@pytest.mark.parametrize(
    ("reading", "voters"), [(ToTo, "p5 p6"), (StrictTail, "p4 p5 p6"), (OwnTail, "p6"), (StrictOwnTail, "p5 p6")]
)
def test_toto_disagrees_with_a_threshold_above_one_half_too(reading: type[Any], voters: str) -> None:
    """Seven processors, phi = 4: p3 hears of the tail before it hears of p1, p1 of all votes before it hears of the
    tail."""
    logs = run(reading, f"{common_of_seven(voters)}{TAIL_OF_SEVEN},{VOTES_OF_SEVEN}", (1, 1, 2, 1, 1, 1, 1), (1, 3))
    assert logs == {"p1": ["m1.1", "m2.1", "m7.1"], "p3": ["m2.1", "m7.1"]}


@pytest.mark.parametrize("voters", ["p5 p6", "p4 p5 p6", "p6"])
def test_s_toto_agrees_in_the_runs_of_seven(voters: str) -> None:
    """Nobody delivers m1.1 first."""
    logs = run(SToTo, f"{common_of_seven(voters)}{TAIL_OF_SEVEN},{VOTES_OF_SEVEN}", (1, 1, 2, 1, 1, 1, 1), (1, 3))
    assert logs == {"p1": ["m2.1", "m7.1"], "p3": ["m2.1", "m7.1"]}


# The last processor, pn, sends the source, p1 a candidate that loses to it; both hear the source and send again. p2
# hears all that before it hears of p3, whose vote is the last; p1 hears of all votes, and of no second message.
def everybody_follows(n: int) -> str:
    """p1 and pn send twice, the others once."""
    voters = [f"p{i} m{n}.1, p{i} sends" for i in range(2, n)]
    twice = f"p1 m1.1, p1 m{n}.1, p1 sends, p{n} m{n}.1, p{n} sends"
    tail = [f"p2 m{i}.1" for i in (2, 1, *range(4, n))] + ["p2 m1.2", f"p2 m{n}.2", "p2 m3.1"]
    votes = [f"p1 m{i}.1" for i in range(2, n)]
    return ", ".join(["p1 sends", f"p{n} sends", *voters, twice, *tail, *votes])


@pytest.mark.parametrize("n", [4, 5])
@pytest.mark.parametrize(("reading", "second"), [(MoreThanAllButOne, True), (OwnTailOfAll, False)])
def test_toto_disagrees_where_everybody_must_have_followed(reading: type[Any], second: bool, n: int) -> None:
    """Four processors with phi = n/2, five with phi > n/2; with the sender in its tail no second message of pn."""
    script = everybody_follows(n)
    if not second:
        script = script.replace(f", p{n} m{n}.1, p{n} sends", "").replace(f", p2 m{n}.2", "")
    workload = (2, *(1 for _ in range(n - 2)), 1 + second)
    logs = run(reading, script, workload, (1, 2))
    assert logs["p1"][:2] == ["m1.1", f"m{n}.1"] and logs["p2"][0] == f"m{n}.1"
    assert run(SToTo, script, workload, (1, 2))["p1"][0] == f"m{n}.1"


# m2.1 is the source, m1.1 loses to it. p3 hears of m1.2, the only second message, before it hears of the last vote; p2
# hears of all votes, and not of m1.2.
def all_but_one_follow(n: int) -> str:
    """p1 sends twice, the others once; pn votes for m1.1, the others for m2.1."""
    voters = [f"p{i} m2.1, p{i} sends" for i in range(3, n)]
    last = f"p1 m1.1, p1 m2.1, p1 sends, p{n} m1.1, p{n} sends"
    tail = ["p3 m1.1", *(f"p3 m{i}.1" for i in range(3, n)), "p3 m1.2"]
    votes = ["p2 m1.1", "p2 m2.1", *(f"p2 m{i}.1" for i in range(3, n + 1))]
    return ", ".join(["p1 sends, p2 sends", *voters, last, *tail, *votes])


@pytest.mark.parametrize("n", [6, 7])
def test_toto_disagrees_where_all_but_one_must_have_followed_or_sent(n: int) -> None:
    """At least n - 1 with the sender in its tail: six processors with phi = n/2, seven with phi > n/2."""
    workload = (2, *(1 for _ in range(n - 1)))
    logs = run(OwnTailButOne, all_but_one_follow(n), workload, (2, 3))
    assert logs["p2"][:2] == ["m1.1", "m2.1"] and logs["p3"][0] == "m2.1"
    assert run(SToTo, all_but_one_follow(n), workload, (2, 3))["p2"][0] == "m2.1"


# the number of processors from which a reading delivers something else than S-ToTo, for phi = n/2 (rounded down,
# rounded up) and the least phi above n/2
SMALLEST = {
    ToToVotes: (3, 6, 7),
    StrictTailVotes: (3, 4, 7),
    OwnTailVotes: (5, 6, 7),
    TailOfAllVotes: (3, 4, 5),
    StrictOwnTailVotes: (3, 6, 7),
    MoreThanAllButOneVotes: (3, 4, 5),
    OwnTailOfAllVotes: (3, 4, 5),
    OwnTailButOneVotes: (5, 6, 7),
}


def thresholds(n: int) -> list[int]:
    """Those with which S-ToTo is safe: phi + 1 votes are a majority."""
    return list(range(n // 2, n + 1))


def kind(n: int, phi: int) -> int:
    """Which of the three numbers speaks of it."""
    return 2 if 2 * phi > n else 1 if 2 * phi == n else 0


@pytest.mark.parametrize(
    "votes",
    [pytest.param(v, id=v.__name__, marks=pytest.mark.thorough if v is OwnTailButOneVotes else ()) for v in SMALLEST],
)
@pytest.mark.parametrize("n", [3, *(pytest.param(n, marks=pytest.mark.thorough) for n in (4, 5, 6))])
def test_no_fewer_processors_show_it_with_any_number_of_messages(votes: type[Any], n: int) -> None:
    """z3, over all vote vectors with tails of any length: with fewer processors the reading delivers just what S-ToTo
    delivers, and S-ToTo is stable.

    Where it delivers something else for a large phi it also does for a smaller one, so the least phi above n/2 decides.
    """
    each = [("workload", ((1,) * n,)), ("phi", tuple(thresholds(n)))]
    found = compare_family(
        Side(SToToVotes, "s_toto"),
        Side(votes, "other"),
        {"longer": True},
        each,
        assuming="well_formed()",
        only=["eligible"],
        seconds=900,
    )
    differing = {kind(n, m.constants["phi"]) for m in found.members if m.rules[0].relation != "equivalent"}
    assert differing == {k for k in {kind(n, phi) for phi in thresholds(n)} if SMALLEST[votes][k] <= n}
