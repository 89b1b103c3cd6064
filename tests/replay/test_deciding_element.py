"""Of a rule that asks something of every member, the member that differs between two versions is shown alone: what all
others say is the same in both."""

from __future__ import annotations

from checker.analysis.check import check
from checker.language import Bool, Ids, Int, Map, Model, action, const, invariant, require, rule, var, violates
from checker.replay.base import base_of
from checker.report.text import text_report
from checker.trace.trace import Trace


class Votes(Model):
    """Members vote; the chair closes the ballot when all have."""

    members = const(5)
    Member = Ids("v", members)
    voted = var(Map[Member, Int(0, 1)], 0)
    closed = var(Bool, False)

    @rule
    def may_close(self):
        return all(self.voted[v] >= 1 for v in self.Member)

    @rule
    def is_open(self):
        return any(self.voted[v] == 0 for v in self.Member)

    @action
    def vote(self, v: Member):
        require(self.voted[v] == 0)
        self.voted[v] = 1

    @action
    def close(self):
        require(not self.closed and self.may_close())
        self.closed = True

    @invariant
    def everyone_voted(self):
        return not self.closed or all(self.voted[v] == 1 for v in self.Member)


class NotTheLast(Votes):
    """EDIT: the last member is not waited for."""

    @rule
    def may_close(self):
        return all(self.voted[v] >= 1 for v in self.Member if v.index < 4)

    expect = violates("everyone_voted")


class AtLeastNothing(Votes):
    """EDIT: the last member may have voted or not."""

    @rule
    def may_close(self):
        return all(self.voted[w] >= (0 if w.index == 4 else 1) for w in self.Member)

    expect = violates("everyone_voted")


class Opened(Votes):
    """The protocol with the other rule."""

    @action
    def close(self):
        require(not self.closed and not self.is_open())
        self.closed = True


class OpenForFour(Opened):
    """EDIT: the last member does not keep the ballot open."""

    @rule
    def is_open(self):
        return any(self.voted[v] == 0 for v in self.Member if v.index < 4)

    expect = violates("everyone_voted")


def _cause(model: type[Model]) -> str:
    trace = next(p.trace for p in check(model, "a", base=base_of(model)).properties if p.trace is not None)
    assert isinstance(trace, Trace)
    return next(step.note for step in trace.steps if step.cause).partition("; in ")[0]


def _lines(edit: type[Model], base: type[Model], rule: str) -> tuple[int, int]:
    return tuple(vars(c)[rule].__code__.co_firstlineno + 2 for c in (edit, base))  # type: ignore[return-value]


def test_a_member_that_a_filter_leaves_out_is_told_with_the_filter() -> None:
    now, was = _lines(NotTheLast, Votes, "may_close")
    assert _cause(NotTheLast) == (
        f"may_close() is true (test_deciding_element.py:{now}): v = v5 is left out: v5.index = 4 is not < 4; before "
        f"the edit it is false (test_deciding_element.py:{was}): for v = v5: voted[v5] = 0 is not >= 1"
    )


def test_a_member_whose_condition_was_edited_is_told_alone_under_another_name_too() -> None:
    cause = _cause(AtLeastNothing)
    assert "for w = v5: voted[v5] = 0 is >= 0 if v5.index == 4 else 1 = 0; before the edit it is false" in cause
    assert "v1" not in cause and "v4" not in cause and "and so for" not in cause


def test_the_witness_that_an_edit_does_not_find_is_told_alone() -> None:
    """The other way round: `any` that became false."""
    cause = _cause(OpenForFour)
    assert "is_open() is false" in cause and "v = v5 is left out: v5.index = 4 is not < 4; before the edit it" in cause
    assert cause.endswith("for v = v5: voted[v5] is 0")


def test_all_reports_of_a_run_have_the_member() -> None:
    trace = next(p.trace for p in check(NotTheLast, "a", base=base_of(NotTheLast)).properties if p.trace is not None)
    head = " ".join(text_report(trace).partition("CAUSE, step 5")[2].split())
    assert "v = v5 is left out: v5.index = 4 is not < 4" in head and "for v = v5: voted[v5] = 0 is not >= 1" in head
