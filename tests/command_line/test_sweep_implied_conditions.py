"""`checker sweep --implied` says nothing that a sweep without it would not: each model here has one thing that makes a verdict depend on a budget of faults."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.command_line.conftest import Ran

Checker = Callable[..., Ran]

ASKING = '''"""Models that ask for a budget by another name: `go` is possible only where nothing may be lost, or no process may crash."""

from checker.language import Bool, Distributed, Int, Invariant, Network, Process, action, const, constraint, derived, invariant, on, quiescent, require, step_invariant, var


class Asking(Distributed):
    """x becomes 1 where `may` says so."""

    x = var(Int(0, 3), 0)

    def may(self) -> bool:
        return False

    @action
    def go(self):
        require(self.may())
        self.x = 1

    @invariant
    def never(self) -> bool:
        return self.x == 0


class Left(Asking):
    """Through the language's own method."""

    def may(self) -> bool:
        return not self.budget_left() and len(self.crashed) == 0


class Derived(Asking):
    """Through what the class derives."""

    few = derived(lambda c: c.losses == 0)

    def may(self) -> bool:
        return self.few


class Allows(Invariant):
    """x may be 1 where something may be lost."""

    limit = derived(lambda c: c.losses)

    def holds(self) -> bool:
        return self.x <= self.limit


class OfProperty(Asking):
    """Through what a property derives."""

    properties = [Allows]

    def may(self) -> bool:
        return True


class Follows(Distributed):
    """More crashes where less may be lost, if only losses are given."""

    x = var(Int(0, 1), 0)

    @classmethod
    def complete(cls, given):
        return super().complete(given) | {"crashes": 2 - given.get("losses", 0)}

    @invariant
    def few(self) -> bool:
        return len(self.crashed) < 2


class ByDefault(Distributed):
    """The same by a default."""

    x = var(Int(0, 1), 0)
    crashes = const(2 - Distributed.losses, "more where less may be lost")

    @invariant
    def few(self) -> bool:
        return len(self.crashed) < 2


class Recovers(Distributed):
    """Crashed processes come back, so with a budget of one more than one crashes in the end."""

    both = var(Bool, False)
    first = var(Bool, False)

    @action
    def recover(self, p: Process):
        require(p not in self.crashed and len(self.crashed) > 0)
        if self.first:
            self.both = True
        self.first = True
        self.crashed = set()

    @invariant
    def once(self) -> bool:
        return not self.both


class Kills(Distributed):
    """A fault of the model's own puts processes into `crashed`, beyond the budget."""

    x = var(Int(0, 1), 0)

    @action(fault=True)
    def kill(self, q: Process):
        require(q not in self.crashed and len(self.crashed) < 2)
        self.crashed.add(q)

    @invariant
    def few(self) -> bool:
        return len(self.crashed) < 2


class Parameter(Distributed):
    """A fault of the model's own has a parameter whose type follows from the budget."""

    x = var(Int(0, 3), 0)

    @action(fault=True)
    def poison(self, k: Int(Distributed.losses, 3)):
        self.x = k

    @invariant
    def not_one(self) -> bool:
        return self.x != 1


class Cut(Distributed):
    """What is violated lies outside the constraint, so it is not among the states."""

    x = var(Int(0, 3), 0)

    @action
    def up(self):
        require(self.x < 3)
        self.x += 1

    @constraint
    def inside(self) -> bool:
        return self.x < 2

    @invariant
    def small(self) -> bool:
        return self.x < 2


class Asserts(Distributed):
    """An assertion is violated with every budget."""

    x = var(Int(0, 3), 0)

    @action
    def up(self):
        require(self.x < 3)
        assert self.x < 2
        self.x += 1

    @invariant
    def small(self) -> bool:
        return self.x <= 3


class Breaks(Distributed):
    """A property of steps is violated at once with every budget; an assertion only after a crash."""

    x = var(Int(0, 3), 0)

    @action
    def up(self):
        require(self.x < 3)
        assert len(self.crashed) == 0
        self.x += 1

    @step_invariant
    def still(self) -> bool:
        return self.x == self.before.x


class Errs(Distributed):
    """A property goes wrong after a crash, and is violated nowhere."""

    x = var(Int(0, 3), 0)

    @invariant
    def fine(self) -> bool:
        return 6 // (1 - len(self.crashed)) != 5


class LooksLikeACrash(Distributed):
    """p1 sends and is then refused, in a branch that puts p3 into `crashed` and ends the step: with a crash allowed it crashes on the way."""

    net = var(Network[Process, Bool])
    x = var(Int(0, 1), 0)

    @action
    def go(self, p: Process):
        require(p == self.Process[0])
        self.net.send(p, self.Process[1], True)
        if self.x == 0:
            self.crashed.add(self.Process[2])
            require(self.x == 1)
            return

    @on(net)
    def receive(self, p, q, body):
        pass

    @quiescent
    def some_crash(self) -> bool:
        return len(self.crashed) > 0


class Partitioned(Asking):
    """Reads what is not there without partitions."""

    def may(self) -> bool:
        return len(self.apart) == 0


class Either(Distributed):
    """What is derived decides what the process does: with one loss allowed it gives up once it has sent, else it never does."""

    sent = var(Bool, False)
    patient = derived(lambda c: c.losses == 1)
    net = var(Network[Process, Bool])

    @action
    def go(self, p: Process):
        require(p == self.Process[0] and not self.sent)
        self.net.send(p, p, True)
        if self.patient:
            require(self.sent)
        self.sent = True

    @on(net)
    def receive(self, p, q, body):
        pass

    @quiescent
    def never_quiet(self) -> bool:
        return len(self.crashed) > 0


class About(Distributed):
    """Claims something about the members of a set that is always empty."""

    x = var(Int(0, 1), 0)
    nobody = var(Bool, False)

    @action
    def go(self):
        self.x = 1

    @invariant
    def about(self) -> bool:
        if self.x == 1:
            return all(p not in self.crashed for p in self.Process if self.nobody)
        return True
'''


@pytest.fixture
def asking(here: Path) -> str:
    """The file of the models above."""
    (here / "asking.py").write_text(ASKING, encoding="utf-8")
    return "asking.py"


def swept(checker: Checker, *arguments: str) -> Any:
    """The rows of a sweep, and of one with --implied."""
    return [checker("sweep", *arguments, "--jobs", "1", *more, "--json", "-").json() for more in ((), ("--implied",))]


def contradictions(plain: Any, implied: Any) -> list[str]:
    """Properties, assertions and errors that come out otherwise, or take other numbers of steps, where both sweeps decide them."""
    found = []
    for one, other in zip(plain["rows"], implied["rows"]):
        p, q = ({j["name"]: j for j in row.get("properties", ())} for row in (one, other))
        for name in {**p, **q}:
            a, b = p.get(name, {"verdict": "nowhere", "steps": None}), q.get(name, {"verdict": "nowhere", "steps": None})
            same = a["verdict"] == b["verdict"] or (a["verdict"], b["verdict"]) in {("holds", "implied"), ("untested", "implied")}
            if "unknown" not in (a["verdict"], b["verdict"]) and not (same and b["steps"] in (a["steps"], None)):
                found.append(f"{one['given']}: {name} {a['verdict']} {a['steps']}, with --implied {b['verdict']} {b['steps']}")
        if (one["verdict"] == "error") != (other["verdict"] == "error"):
            found.append(f"{one['given']}: {one['verdict']}, with --implied {other['verdict']}")
        if one["bound"] is None and other["distinct"] > 0 and other["transitions"] == 0 and other["distinct"] != one["distinct"]:
            found.append(f"{one['given']}: {one['distinct']} states, with --implied {other['distinct']}")
    return found


@pytest.mark.parametrize("all", [(), ("--all",)])
@pytest.mark.parametrize(
    ("name", "varied"),
    [
        ("Left", "crashes=0..2"),
        ("Derived", "losses=0..2"),
        ("OfProperty", "losses=0..2"),
        ("Follows", "losses=0..2"),
        ("ByDefault", "losses=0..2"),
        ("Recovers", "crashes=0..2"),
        ("Kills", "crashes=0..2"),
        ("Parameter", "losses=0..2"),
        ("Cut", "losses=0..2"),
        ("Cut", "crashes=0..2"),
        ("Asserts", "losses=0..2"),
        ("Asserts", "crashes=0..2"),
        ("Breaks", "crashes=0..3"),
        ("Errs", "crashes=0..2"),
        ("LooksLikeACrash", "crashes=0..1"),
        ("Partitioned", "partitions=0..1"),
        ("Either", "crashes=0..1 losses=0..2"),
    ],
)
def test_nothing_is_said_that_a_search_contradicts(checker: Checker, asking: str, name: str, varied: str, all: tuple[str, ...]) -> None:
    """In each row the same verdicts and steps, assertions and errors included."""
    plain, implied = swept(checker, f"{asking}:{name}", *(part for v in varied.split() for part in ("-D", v)), *all)
    assert contradictions(plain, implied) == []
    assert implied["exit_code"] == plain["exit_code"]


@pytest.mark.parametrize(("name", "rows"), [("Asserts", 4), ("Breaks", 3), ("Errs", 3)])
def test_what_goes_wrong_is_counted_in_every_row(checker: Checker, asking: str, name: str, rows: int) -> None:
    """An assertion or an error is violated in as many rows as without --implied."""
    for found in swept(checker, f"{asking}:{name}", "-D", "crashes=0..3", "--all"):
        (broken,) = [p for p in found["properties"] if "line" in p["name"]]
        assert broken["violated"] == rows


@pytest.mark.parametrize("most", ["5", "10", "20"])
def test_a_violation_outside_the_constraint_is_as_near_as_it_is(checker: Checker, asking: str, most: str) -> None:
    """Within a limit too."""
    plain = checker("sweep", f"{asking}:Cut", "-D", "losses=0..2", "--all", "--jobs", "1", "--json", "-").json()
    implied = checker("sweep", f"{asking}:Cut", "-D", "losses=0..2", "--all", "--jobs", "1", "--json", "-", "--implied", "--max-states", most).json()
    assert contradictions(plain, implied) == []


def test_a_searched_row_has_all_its_findings(checker: Checker, asking: str) -> None:
    """A claim about the members of what is empty makes the row vacuous, though its property was asked of other budgets in the same search."""
    plain, implied = swept(checker, f"{asking}:About", "-D", "losses=0..2", "--strict")
    assert plain["rows"][-1]["verdict"] == implied["rows"][-1]["verdict"] == "vacuous"
    assert plain["rows"][-1]["note"] == implied["rows"][-1]["note"] != ""
    assert plain["exit_code"] == implied["exit_code"] == 3


def test_what_does_not_follow_in_one_direction_may_follow_in_another(checker: Checker, asking: str) -> None:
    """Which budget is read matters: with losses alone nothing is searched that follows."""

    def searched(name: str, *varied: str) -> int:
        rows = checker("sweep", f"{asking}:{name}", *(part for v in varied for part in ("-D", v)), "--all", "--jobs", "1", "--implied", "--json", "-").json()["rows"]
        return sum(row["seconds"] > 0 for row in rows)

    assert searched("Left", "crashes=0..2", "losses=0|1") == 6
    assert searched("Left", "losses=0|1") == 1
    assert searched("Derived", "crashes=0..2", "losses=0|1") == 2
