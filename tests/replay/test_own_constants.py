"""A constant that an edit declares again with another default is part of the edit: the protocol before it is followed
with its own value."""

from __future__ import annotations

from checker.analysis.check import check
from checker.language import Bool, Int, Map, Process, action, const, invariant, require, var
from checker.language.define import define
from checker.language.distributed import Distributed
from checker.language.model import Model
from checker.replay.own_constants import own_values
from checker.trace.trace import Trace


class Counter(Distributed):
    """Processes add to a counter up to a bound, and are done after that."""

    processes = const(2)
    most = const(1)
    start = const(0)
    count = var(Int(0, 3), start)
    done = var(Map[Process, Bool])

    @action
    def add(self, p: Process) -> None:
        require(not self.done[p])
        self.count += 1
        if self.count >= self.most:
            self.done[p] = True

    @invariant
    def at_most_two(self) -> bool:
        return self.count <= 2


class Further(Counter):
    """EDIT: three more are allowed."""

    most = const(3)


class Later(Counter):
    """EDIT: the counter begins later."""

    start = const(2)


class Three(Counter):
    """EDIT: three processes."""

    processes = const(3)


class Crashing(Counter):
    """EDIT: one process may crash."""

    crashes = const(1)


def broken(cls: type[Model], **constants: int) -> Trace:
    report = check(cls, cls.__name__, constants, engine="interpreter")
    found = next(p.trace for p in report.properties if p.name == "at_most_two")
    assert found is not None
    return found


def test_a_changed_default_is_compared_with_the_former_default() -> None:
    """The first process goes on where it was done before; both values of the constant are named, and its line."""
    found = broken(Further)
    assert [(s.number, s.action) for s in found.steps if s.cause] == [(1, "add")]
    first = found.steps[0]
    line = open(__file__).read().split("\n").index("    most = const(3)") + 1
    assert "add(p1) finds count = 1 is not >= most = 3" in first.note
    now = f"with most = 3 (test_own_constants.py:{line})"
    assert f"{now}; before the edit it finds count = 1 is >= most = 1 with most = 1" in first.note


def test_a_value_that_is_not_the_default_of_the_edit_is_compared_with_itself() -> None:
    """A user who sets the constant chooses it for both."""
    found = broken(Further, most=2, processes=2, start=1)
    assert not [s for s in found.steps if s.cause]
    assert found.steps[-1].note == "this run is also a run of Counter, which breaks the property too"


def test_a_constant_that_selects_a_configuration_is_the_same_in_both() -> None:
    """The number of processes, the initial state and the number of faults are no part of the protocol."""
    for cls in (Later, Three, Crashing):
        assert own_values(Counter, define(cls)) == {}, cls
    assert own_values(Counter, define(Further)) == {"most": 1}
    assert own_values(Counter, define(Further, {"most": 2})) == {}
