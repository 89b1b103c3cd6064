"""Which version a line is of, and which end of a run the CAUSE is at: a step that the edit disables at the end counts
before an earlier difference, and a run of both protocols is explained by the protocol before the edit."""

from __future__ import annotations

from checker.analysis.check import check
from checker.language import Bool, Int, Map, Process, action, const, invariant, quiescent, require, rule, var
from checker.language.distributed import Distributed
from checker.language.model import Model
from checker.trace.trace import Trace


class Helped(Distributed):
    """p1 works, and every process may help itself; `extra` counts what p1 does besides."""

    processes = const(2)
    served = var(Map[Process, Bool])
    extra = var(Int(0, 2), 0)

    @rule
    def further(self, p: Process) -> int:
        return 1

    @rule
    def may_help(self, p: Process) -> bool:
        return True

    @action
    def work(self, p: Process) -> None:
        require(p == self.Process[0] and not self.served[p])
        self.extra = self.further(p)
        self.served[p] = True

    @action
    def help(self, p: Process) -> None:
        require(self.served[self.Process[0]] and not self.served[p] and self.may_help(p))
        self.served[p] = True

    @quiescent
    def all_served(self) -> bool:
        return all(self.served[p] for p in self.Process)

    @invariant
    def first_is_last(self) -> bool:
        return not self.served[self.Process[0]]


class Selfish(Helped):
    """EDIT: p1 does more, and only p1 may help itself."""

    @rule
    def further(self, p: Process) -> int:
        return 2

    @rule
    def may_help(self, p: Process) -> bool:
        return p.index == 2 - 2


class Renamed(Helped):
    """EDIT: what p1 does is written in another way."""

    @action
    def work(self, p: Process) -> None:
        require(p == self.Process[0])
        require(not self.served[p])
        self.extra = self.further(p)
        self.served[p] = True


def broken(cls: type[Model], name: str) -> Trace:
    """The trace of a violated property."""
    report = check(cls, cls.__name__, only=[name], engine="interpreter")
    found = next(p.trace for p in report.properties if p.name == name)
    assert found is not None
    return found


def test_a_step_that_the_edit_disables_at_the_end_is_the_cause() -> None:
    """The step of p1 differs too, but p2 would be served all the same if it might help itself."""
    found = broken(Selfish, "all_served")
    assert not [step.number for step in found.steps if step.cause]
    assert found.cause.startswith("at the end, help(p2): may_help(p2) is false")


def test_a_run_of_both_protocols_is_explained_by_the_statements_that_it_executes() -> None:
    """The edit has lines of its own for the same steps; these are named, with the name of its class."""
    found = broken(Renamed, "first_is_last")
    assert "has this run too" not in found.decides and found.steps[-1].note.endswith("breaks the property too")
    own = vars(Renamed)["work"].__code__.co_firstlineno + 5
    assert f"test_where_it_ends.py:{own}) of Renamed" in found.decides, found.decides
