"""Random walks find what a search would find, say what they did, and never claim that something holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from checker.analysis.simulate import walk
from checker.backends.interpreter.interpreter import Interpreter
from checker.catalogue import find
from checker.cli.program import run
from checker.language import (
    Ids,
    Int,
    Map,
    Model,
    action,
    choose,
    const,
    invariant,
    quiescent,
    require,
    step_invariant,
    var,
)
from checker.language.define import define
from checker.replay.disagreement import Disagreement
from checker.replay.replay import Replay
from checker.replay.shorten import shortened
from checker.replay.traced import Shown
from checker.search.limits import Limits


class Counters(Model):
    """Two processes count up to different limits; only one of them matters for each property."""

    P = Ids("p", 2)
    limit = const(6, "steps of each")
    count = var(Map[P, Int(0, limit)], 0)
    idle = var(Int(0, 9), 0)

    @action
    def up(self, p: P):
        require(self.count[p] < self.limit)
        self.count[p] += 1

    @action
    def wander(self):
        self.idle = choose(range(10))

    @action
    def never(self):
        require(self.idle > 9)
        self.idle = 0

    @invariant
    def few(self) -> bool:
        return self.count[self.P[0]] < 4

    @step_invariant
    def slowly(self) -> bool:
        return not (self.before.count[self.P[1]] == 2 and self.count[self.P[1]] == 3)


class Stops(Model):
    """Counts down and stops."""

    left = var(Int(0, 5), 5)

    @action
    def down(self):
        require(self.left > 0)
        self.left -= 1

    @quiescent
    def begins_again(self) -> bool:
        return self.left == 5


class Overflows(Model):
    """Leaves its range."""

    n = var(Int(0, 5), 0)

    @action
    def up(self):
        self.n += 1


def found(protocol: type[Model], only: list[str] | None = None, **more: Any) -> Any:
    """The walks of a model."""
    return walk(define(protocol, {}, only), "x", **{"runs": 200, "depth": 200, "seed": 1, **more})


@pytest.mark.parametrize(
    ("protocol", "name", "kind", "steps"),
    [
        (Counters, "few", "invariant", 4),
        (Counters, "slowly", "step", 3),
        (Stops, "begins_again", "quiescence", 5),
        (Overflows, None, "error", 6),
    ],
)
def test_a_violation_of_each_kind_is_found_and_nothing_else_stays_in_its_run(
    protocol: type[Model], name: str | None, kind: str, steps: int
) -> None:
    """A random walk wanders; of its run only the steps that matter are left, which here is a shortest run."""
    walks = found(protocol, None if name is None else [name])
    assert walks.trace is not None and (walks.trace.kind, len(walks.trace.steps)) == (kind, steps)
    assert {s.action for s in walks.trace.steps} <= {"up", "down"}


def test_the_same_seed_makes_the_same_walks() -> None:
    """Another seed makes others."""
    first, again, other = (found(Counters, ["few"], seed=seed) for seed in (1, 1, 2))
    assert (first.met.steps, first.trace) == (again.met.steps, again.trace)
    assert first.met.steps != other.met.steps or first.trace != other.trace


def test_walks_end_where_nothing_is_possible_and_are_counted() -> None:
    """Every walk of a model that stops has the same length; one that never stops is cut at its length."""
    walks = found(Stops, [], runs=50)
    assert (walks.met.runs, walks.met.ends, walks.met.longest, walks.met.finding) == (50, 50, 5, None)
    walks = found(Counters, [], runs=50, depth=30)
    assert (
        (walks.met.runs, walks.met.ends, walks.met.longest) == (50, 0, 30)
        and walks.enabled["never"] == 0
        and walks.enabled["wander"] > 0
    )


def test_no_single_step_can_be_left_out_of_a_shortened_run() -> None:
    """Of a real protocol's run: without any one of its steps the rest is no run, or shows nothing."""
    definition = define(find("isis:DeliverAnyFinal").cls, {"processes": 3, "workload": (1, 1, 1)}, ["TotalOrder"])
    replay, shown = Replay(Interpreter(definition), "isis", "native"), Shown("invariant", "TotalOrder")
    walks = walk(definition, "isis:DeliverAnyFinal", runs=500, depth=200, seed=3)
    assert walks.trace is not None
    again = shortened(replay, run_of(walks, definition), shown)
    assert len(again) == len(walks.trace.states)


def run_of(walks: Any, definition: Any) -> list[Any]:
    """The raw states of the trace, stepped again by the interpreter along its actions."""
    interpreter = Interpreter(definition)
    states = [interpreter.initial()[0]]
    replay = Replay(interpreter, "isis", "native")
    for wanted in walks.trace.states[1:]:
        after = (s.after for s in interpreter.steps(states[-1]) if s.after is not None)
        states.append(next(a for a in after if replay.run([*states, a], "x").states[-1] == wanted))
    return states


def test_the_command_says_that_nothing_found_decides_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 4 and INCONCLUSIVE without a violation; 1, a stored trace and its picture with one."""
    assert run(["simulate", "isis", "--runs", "50"]) == 4
    assert "INCONCLUSIVE" in capsys.readouterr().out
    data = tmp_path / "out.json"
    assert (
        run(
            [
                "simulate",
                "isis:DeliverAnyFinal",
                "-D",
                "processes=3",
                "-D",
                "workload=1,1,1",
                "--out",
                str(tmp_path),
                "--json",
                str(data),
            ]
        )
        == 1
    )
    result = json.loads(data.read_text())
    assert (
        result["verdict"] == "violated"
        and result["trace"]
        and any(f.endswith("trace.itf.json") for f in result["files"])
    )
    assert run(["replay", next(f for f in result["files"] if f.endswith("trace.itf.json"))]) == 0


LED = """from checker.language import Int, LeadsTo, Model, action, reachable, require, var


class EventuallyLed(LeadsTo):
    def when(self) -> bool:
        return self.n == 0

    def then(self) -> bool:
        return self.n == 3


class Led(Model):
    n = var(Int(0, 3), 0)

    @action
    def up(self):
        require(self.n < 3)
        self.n += 1

    @reachable
    def two(self) -> bool:
        return self.n == 2

    properties = [EventuallyLed]
"""


def test_what_walks_do_not_judge_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They pass the goal and the end, and say nothing of either."""
    (tmp_path / "led.py").write_text(LED, encoding="utf-8")
    assert run(["simulate", str(tmp_path / "led.py"), "--runs", "5"]) == 4
    assert "  not evaluated on walks: EventuallyLed (leads-to), two (reachable)\n" in capsys.readouterr().out


def test_time_ends_a_simulation() -> None:
    """A limit on time ends it before all walks were made, and is named."""
    walks = found(Counters, [], runs=10_000_000, limits=Limits(max_seconds=0.2))
    assert walks.met.bound == "seconds" and walks.met.runs < 10_000_000


def test_a_run_that_shows_nothing_is_not_confirmed() -> None:
    """Shortening rests on this: the interpreter says whether the rest still shows the violation."""
    replay = Replay(Interpreter(define(Stops)), "x", "native")
    initial = replay.interpreter.initial()[0]
    with pytest.raises(Disagreement):
        replay.confirm(
            [initial, next(s.after for s in replay.interpreter.steps(initial))], Shown("quiescence", "begins_again")
        )
