"""A violation that is about what several processes did: the other statements are named, each with its condition."""

from __future__ import annotations

from typing import Any

import pytest

from checker.analysis.check import check
from checker.language import Bool, Ids, Int, Invariant, Map, Model, Seq, Set, action, const, require, rule, var
from checker.report.grid import grid
from checker.report.wording import guilty_parts
from checker.trace.trace import Trace


class OneOrder(Invariant):
    """All clerks file two papers in one order."""

    def holds(self) -> bool:
        return all(
            not (self.filed[p] == [d, x] and self.filed[q] == [x, d])  # type: ignore[attr-defined]
            for p in self.Clerk  # type: ignore[attr-defined]
            for q in self.Clerk  # type: ignore[attr-defined]
            for d in self.Paper  # type: ignore[attr-defined]
            for x in self.Paper  # type: ignore[attr-defined]
            if p < q and d != x
        )

    def explain(self, p: Any, q: Any, d: Any, x: Any) -> str:
        return f"{p} filed {d} before {x}, but {q} filed {x} before {d}."


class Office(Model):
    """Each clerk files two papers, in any order."""

    Clerk = Ids("c", 2)
    Paper = Ids("d", 2)
    filed = var(Map[Clerk, Seq[Paper, 2]])

    @rule
    def may_file(self, c: Clerk, d: Paper) -> bool:
        return d not in self.filed[c]

    @action
    def file(self, c: Clerk, d: Paper):
        require(self.may_file(c, d))
        self.filed[c].append(d)

    properties = [OneOrder]


class OnceEach(Invariant):
    """No clerk files a paper twice."""

    def holds(self) -> bool:
        return all(self.copies[c][d] < 2 for c in self.Clerk for d in self.Paper)  # type: ignore[attr-defined]

    def explain(self, c: Any, d: Any) -> str:
        return f"{c} filed {d} twice."


class Copies(Model):
    """Each clerk may file a paper again, and stamps it before."""

    Clerk = Ids("c", 2)
    Paper = Ids("d", 2)
    copies = var(Map[Clerk, Map[Paper, Int(0, 2)]], 0)
    stamped = var(Map[Clerk, Int(0, 2)], 0)

    @action
    def stamp(self, c: Clerk):
        require(self.stamped[c] < 2)
        self.stamped[c] += 1

    @action
    def file(self, c: Clerk, d: Paper):
        require(self.copies[c][d] < self.stamped[c])
        self.copies[c][d] += 1

    properties = [OnceEach]


class SamePapers(Invariant):
    """Clerks who take papers take the same."""

    def holds(self) -> bool:
        return all(
            not self.taken[p] or not self.taken[q] or self.taken[p] == self.taken[q]  # type: ignore[attr-defined]
            for p in self.Clerk  # type: ignore[attr-defined]
            for q in self.Clerk  # type: ignore[attr-defined]
            if p < q
        )

    def explain(self, p: Any, q: Any) -> str:
        return f"{p} took {list(self.taken[p])}, but {q} took {list(self.taken[q])}."  # type: ignore[attr-defined]


class Desk(Model):
    """A clerk with a vote takes the first paper, another one takes all."""

    Clerk = Ids("c", 2)
    Paper = Ids("d", 2)
    votes = var(Map[Clerk, Int(0, 1)], 0)
    done = var(Map[Clerk, Bool])
    taken = var(Map[Clerk, Seq[Paper, 2]])
    voter = const(1, "which of them has a vote")

    @action
    def vote(self, c: Clerk):
        require(self.votes[c] == 0 and c.index == self.voter)
        self.votes[c] = 1

    @rule
    def enough(self, c: Clerk) -> bool:
        return self.votes[c] > 0

    @rule
    def ready(self, c: Clerk) -> bool:
        return len(self.taken[c]) == 0

    @rule
    def early(self, c: Clerk) -> Set[Paper]:
        return {self.Paper[0]} if self.enough(c) and self.ready(c) else set()

    @rule
    def whole(self, c: Clerk) -> Set[Paper]:
        return {d for d in self.Paper} if not self.done[c] else set()

    @rule
    def batch(self, c: Clerk) -> Set[Paper]:
        early = self.early(c)
        return early if len(early) > 0 else self.whole(c)

    @action
    def take(self, c: Clerk):
        require(not self.done[c])
        papers = self.batch(c)
        for d in sorted(papers):
            self.taken[c].append(d)
        self.done[c] = True

    properties = [SamePapers]


def traced(cls: type[Model], **given: Any) -> Trace:
    (found,) = [p.trace for p in check(cls, cls.__name__, given, engine="interpreter").properties]
    assert found is not None
    return found


def line(method: Any, number: int) -> str:
    return f"(test_opposed.py:{method.__code__.co_firstlineno + number})"


def test_of_an_order_the_first_statement_of_each_process_is_named() -> None:
    """The last statement completes the violation; the first ones, which decide the order, may be the wrong ones.  The
    one that settles the violation is not named twice."""
    found = traced(Office)
    assert found.witness == "c1 filed d1 before d2, but c2 filed d2 before d1."
    assert [tuple(step.args.values()) for step in found.steps][-1] == ("c2", "d1")
    told = [part for part in guilty_parts(found) if part.startswith("AGAINST")]
    rule = line(Office.may_file, 2)
    assert (found.settled, found.opposite) == (3, (1,))
    assert told == [
        f"AGAINST, step 1, file(c1, d1): does filed[c1].append(d1) {line(Office.file, 3)}, "
        f"because may_file(c1, d1) is true {rule}: d1 is not in filed[c1] = []"
    ]
    assert any(change.text.startswith("see above: ") for change in grid(found).rows[1].changes)
    assert "AGAINST" in grid(found).rows[1].marks.values()


def test_a_statement_that_is_executed_twice_contradicts_its_first_execution() -> None:
    """Steps that do something else, or the same with other values, are not named."""
    found = traced(Copies)
    told = [part for part in guilty_parts(found) if part.startswith("AGAINST")]
    (number,) = found.opposite
    assert (found.steps[number - 1].action, len(told)) == ("file", 1)
    assert found.steps[number - 1].args == found.steps[-1].args
    assert told[0].startswith(f"AGAINST, step {number}, file(c1, d1): sets copies[c1][d1] to 1 {line(Copies.file, 3)}")


@pytest.mark.parametrize("voter", [0, 1])
def test_two_values_that_contradict_each_other_are_explained_by_one_rule(voter: int) -> None:
    """One process takes what it takes by default, since a rule is false for it; for the other one the rule is true."""
    found = traced(Desk, voter=voter)
    with_vote, without = (f"c{voter + 1}", f"c{2 - voter}")
    enough, early = line(Desk.enough, 2), line(Desk.early, 2)
    (broken,) = [part for part in guilty_parts(found) if part.startswith("VIOLATION")]
    (against,) = [part for part in guilty_parts(found) if part.startswith("AGAINST")]
    default, preferred = (against, broken) if found.steps[-1].lane == with_vote else (broken, against)
    reason = f"enough({without}) is false {enough}: votes[{without}] = 0 is not > 0"
    assert default.endswith(f"; asked before: early({without}) is {{}} {early}: {reason}")
    assert f"whole({without}) is {{d1, d2}} {line(Desk.whole, 2)}: " in default
    assert f"enough({with_vote}) is true {enough}: votes[{with_vote}] = 1 is > 0" in preferred
    if preferred is against:
        assert "ready" not in against


def test_a_process_that_did_nothing_alike_is_not_named() -> None:
    """The violation is about one statement."""

    class Alone(Office):
        """One clerk files the second paper first."""

        Clerk = Office.Clerk
        Paper = Office.Paper

        @action
        def file(self, c: Clerk, d: Paper):
            require(self.may_file(c, d) and c == self.Clerk[0])
            self.filed[c].append(d)

        properties = [FirstPaperFirst]

    assert "AGAINST" not in "".join(guilty_parts(traced(Alone)))


class FirstPaperFirst(Invariant):
    """The first paper is filed first."""

    def holds(self) -> bool:
        return all(self.filed[p][0] == self.Paper[0] for p in self.Clerk if self.filed[p])  # type: ignore[attr-defined]


class Once(Invariant):
    """Nobody files a paper twice."""

    def holds(self) -> bool:
        return all(
            not self.filed[p] == [d, d]  # type: ignore[attr-defined]
            for p in self.Clerk  # type: ignore[attr-defined]
            for d in self.Paper  # type: ignore[attr-defined]
        )

    def explain(self, p: Any, d: Any) -> str:
        return f"{p} filed {d} twice."


class Again(Model):
    """A clerk may file a paper twice."""

    Clerk = Office.Clerk
    Paper = Office.Paper
    filed = var(Map[Clerk, Seq[Paper, 2]])

    @action
    def file(self, c: Clerk, d: Paper):
        require(len(self.filed[c]) < 2)
        self.filed[c].append(d)

    properties = [Once]


class Opened(Model):
    """A clerk may file an open paper twice."""

    Clerk = Office.Clerk
    Paper = Office.Paper
    filed = var(Map[Clerk, Seq[Paper, 2]])
    is_open = var(Map[Clerk, Map[Paper, Bool]], True)

    @action
    def close(self, c: Clerk, d: Paper):
        self.is_open[c][d] = False

    @action
    def file(self, c: Clerk, d: Paper):
        require(len(self.filed[c]) < 2)
        if self.is_open[c][d]:
            self.filed[c].append(d)

    properties = [Once]


@pytest.mark.parametrize("cls, same", [(Again, "the same"), (Opened, "the same, for the same reason")])
def test_a_statement_that_was_executed_before_for_the_same_reason_is_not_repeated(cls: type[Model], same: str) -> None:
    """The line of a violation by the second of two equal steps would otherwise have the same text twice."""
    found = traced(cls)
    assert found.steps[0].args == found.steps[-1].args
    assert found.opposes == (f"AGAINST, step 1, file(c1, d1): {same}",)
