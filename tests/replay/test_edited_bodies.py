"""At CAUSE an edited handler or action is named by the statement that parts it from the former one: both lines, and the
values under both versions."""

from __future__ import annotations

import sys

import pytest

from checker.analysis.check import check
from checker.language import (
    Int,
    Map,
    Network,
    Process,
    Record,
    Seq,
    Set,
    Union,
    action,
    choose,
    const,
    invariant,
    on,
    quiescent,
    require,
    var,
)
from checker.language.distributed import Distributed
from checker.language.model import Model
from checker.replay.base import base_of
from checker.trace.trace import Step


class Numbered(Distributed):
    """p1 sends 0 and 1 to p2, which takes them in order and confirms each."""

    Wire = Union(Data=Record(n=Int(0, 2)), Ack=Record(n=Int(0, 2)))
    sent = var(Int(0, 2), 0)
    taken = var(Map[Process, Seq[Int(0, 2), 3]])
    last = var(Map[Process, Int(-1, 3)], -1)
    net = var(Network[Process, Wire])
    processes = const(2)

    @action
    def send(self, p: Process):
        require(p == self.Process[0] and self.sent < 2)
        self.net.send(p, self.Process[1], self.Wire.Data(self.sent))
        self.sent += 1

    @on(net, Wire.Data)
    def receive(self, p, q, n):
        require(n == len(self.taken[p]))
        self.taken[p].append(n)
        self.net.send(p, q, self.Wire.Ack(n))

    @on(net, Wire.Ack)
    def confirmed(self, p, q, n):
        if n > self.last[p]:
            self.last[p] = n

    @invariant
    def in_order(self) -> bool:
        return all(n == place for p in self.Process for place, n in enumerate(self.taken[p]))

    @invariant
    def confirmed_is_taken(self) -> bool:
        return self.last[self.Process[0]] < len(self.taken[self.Process[1]])


class NoWait(Numbered):
    """EDIT: p2 takes what comes."""

    @on(Numbered.net, Numbered.Wire.Data)
    def receive(self, p, q, n):
        self.taken[p].append(n)
        self.net.send(p, q, self.Wire.Ack(n))


class AnyLater(Numbered):
    """EDIT: p2 takes what is not too old."""

    @on(Numbered.net, Numbered.Wire.Data)
    def receive(self, p, q, n):
        require(n >= len(self.taken[p]))
        self.taken[p].append(n)
        self.net.send(p, q, self.Wire.Ack(n))


class OneAhead(Numbered):
    """EDIT: p1 notes one more than was confirmed."""

    @on(Numbered.net, Numbered.Wire.Ack)
    def confirmed(self, p, q, n):
        if n > self.last[p]:
            self.last[p] = n + 1


class NotedEarly(Numbered):
    """EDIT: p1 notes what it sends."""

    @action
    def send(self, p):
        require(p == self.Process[0] and self.sent < 2)
        self.last[p] = self.sent
        self.net.send(p, self.Process[1], self.Wire.Data(self.sent))
        self.sent += 1


class NotedBefore(Numbered):
    """EDIT: p1 notes what it sends, and sends as before."""

    @action
    def send(self, p):
        self.last[p] = self.sent
        super().send(p)


class NotedAfter(Numbered):
    """EDIT: p1 sends as before, and notes what it has sent."""

    @action
    def send(self, p):
        super().send(p)
        self.last[p] = self.sent - 1


class InPairs(Numbered):
    """p2 takes two numbers at once."""

    @on(Numbered.net, Numbered.Wire.Data)
    def receive(self, p, q, n):
        require(n == len(self.taken[p]))
        self.taken[p].append(n)
        self.taken[p].append(1)


class Backwards(InPairs):
    """EDIT: the second first."""

    @on(Numbered.net, Numbered.Wire.Data)
    def receive(self, p, q, n):
        require(n == len(self.taken[p]))
        waiting = [0, 1]
        waiting.remove(n)
        self.taken[p].append(1)
        self.taken[p].append(n)


class Noting(Numbered):
    """p1 notes which numbers above 0 were confirmed."""

    not_taken = var(Set[Int(0, 2)])

    @on(Numbered.net, Numbered.Wire.Ack)
    def confirmed(self, p, q, n):
        self.last[p] = n
        if n > 0:
            self.not_taken.add(n)

    @invariant
    def never_0(self) -> bool:
        return 0 not in self.not_taken

    @quiescent
    def noted(self) -> bool:
        return 1 in self.not_taken


class AlsoNought(Noting):
    """EDIT: also 0."""

    @on(Numbered.net, Numbered.Wire.Ack)
    def confirmed(self, p, q, n):
        self.last[p] = n
        if n == 0:
            self.not_taken.add(n)
        if n > 0:
            self.not_taken.add(n)


class Always(Noting):
    """Each number is noted."""

    never_0 = None

    @on(Numbered.net, Numbered.Wire.Ack)
    def confirmed(self, p, q, n):
        if n > 1:
            self.last[p] = n
        self.not_taken.add(n)


class OnlyLast(Always):
    """EDIT: only above 1."""

    @on(Numbered.net, Numbered.Wire.Ack)
    def confirmed(self, p, q, n):
        if n > 1:
            self.last[p] = n
            self.not_taken.add(n)


class TakesAll(Noting):
    """All numbers are noted at once."""

    never_0 = None

    @on(Numbered.net, Numbered.Wire.Ack)
    def confirmed(self, p, q, n):
        self.note()

    def note(self):
        for n in range(2):
            self.not_taken.add(n)


class TakesOne(TakesAll):
    """EDIT: one number is noted."""

    def note(self):
        for n in range(2):
            self.not_taken.add(n)
            break


class TakesNone(TakesAll):
    """EDIT: no number is noted."""

    def note(self):
        """Nothing is noted."""
        pass


class SaysNothing(TakesAll):
    """EDIT: the same, without a statement."""

    def note(self):
        """Nothing is noted."""


class TakesFirst(TakesAll):
    """EDIT: the first number is noted."""

    def note(self):
        self.not_taken.add(0)


class Other(Numbered):
    """EDIT: p1 sends a number that nobody expects, or one of two."""

    @action
    def send(self, p):
        require(p == self.Process[0] and self.sent < 2)
        n = choose([self.sent, 2])
        self.net.send(p, self.Process[1], self.Wire.Data(n))
        self.sent += 1

    @invariant
    def in_order(self) -> bool:
        return all(n < 2 for n in self.net_numbers())

    def net_numbers(self):
        return [n for n in range(3) if self.Wire.Data(n) in self.net.between(self.Process[0], self.Process[1])]


class Skipping(Numbered):
    """EDIT: p1 goes on with the next number, or leaves one out."""

    @action
    def send(self, p):
        require(p == self.Process[0] and self.sent < 2)
        self.net.send(p, self.Process[1], self.Wire.Data(self.sent))
        self.sent = choose([1, 2])

    @invariant
    def none_left_out(self) -> bool:
        return self.sent < 2 or len(self.net) + len(self.taken[self.Process[1]]) > 1


def cause_of(cls: type[Model]) -> Step:
    """The step marked CAUSE of the first violation."""
    report = check(cls, cls.__name__, engine="interpreter", base=base_of(cls))
    found = next(p.trace for p in report.properties if p.trace is not None)
    return next(step for step in found.steps if step.cause)


def line(cls: type[Model], method: str, offset: int) -> str:
    """A line of a method, counted from its decorator."""
    return f"test_edited_bodies.py:{getattr(cls, method).__code__.co_firstlineno + offset}"


def test_a_guard_taken_out_of_a_handler_is_shown_with_its_values_beside_what_is_done_instead() -> None:
    """The handler takes 1 before 0; before the edit it waits."""
    step = cause_of(NoWait)
    assert step.note == (
        f"receive(p2, p1, 1) does taken[p2].append(1) ({line(NoWait, 'receive', 2)}); before the edit it waits: n = 1 "
        f"is not len(taken[p2]) = 0 ({line(Numbered, 'receive', 2)}); in Numbered this step is not enabled"
    )
    assert step.rule is not None and step.rule[1] == NoWait.receive.__code__.co_firstlineno + 2


def test_a_guard_that_was_replaced_shows_both_comparisons() -> None:
    """n is at least the length, and not equal to it."""
    assert cause_of(AnyLater).note.startswith(
        f"receive(p2, p1, 1) goes on: n = 1 is >= len(taken[p2]) = 0 ({line(AnyLater, 'receive', 2)}); "
        f"before the edit it waits: n = 1 is not len(taken[p2]) = 0 ({line(Numbered, 'receive', 2)})"
    )


def test_an_assignment_shows_both_values() -> None:
    """The same condition lets both versions assign."""
    assert cause_of(OneAhead).note.startswith(
        f"confirmed(p1, p2, 0) sets last[p1] to 1 ({line(OneAhead, 'confirmed', 3)}); "
        f"before the edit it sets last[p1] to 0 ({line(Numbered, 'confirmed', 3)}); "
    )


def test_a_statement_that_was_added_comes_first() -> None:
    """What follows it is the same in both versions, and no contrast."""
    assert cause_of(NotedEarly).note.startswith(
        f"send(p1) first sets last[p1] to 0 ({line(NotedEarly, 'send', 3)}); "
        f"before the edit it does not ({line(Numbered, 'send', 3)}); "
    )


def test_what_an_inherited_method_does_is_no_contrast_either() -> None:
    """It is entered, as it is before the edit."""
    assert cause_of(NotedBefore).note.startswith(
        f"send(p1) first sets last[p1] to 0 ({line(NotedBefore, 'send', 2)}); "
        f"before the edit it does not ({line(Numbered, 'send', 3)}); "
    )


def test_an_inherited_method_that_does_the_same_is_passed_over() -> None:
    """The step departs behind it."""
    assert cause_of(NotedAfter).note.startswith(
        f"send(p1) sets last[p1] to 0 ({line(NotedAfter, 'send', 3)}); "
        f"before the edit it does nothing more after it sets sent to 1 ({line(Numbered, 'send', 4)}); "
    )


def test_a_loop_that_is_left_and_a_method_that_does_nothing_have_the_line_of_their_statement() -> None:
    """Not the line of the method."""
    assert cause_of(TakesOne).note.startswith(
        f"confirmed(p1, p2, 0) leaves the loop ({line(TakesOne, 'note', 3)}); "
        f"before the edit it does not_taken.add(1) ({line(TakesAll, 'note', 2)}); "
    )
    assert cause_of(TakesNone).note.startswith(
        f"confirmed(p1, p2, 0) does nothing more: note is empty ({line(TakesNone, 'note', 2)}); "
        f"before the edit it does not_taken.add(0) ({line(TakesAll, 'note', 2)}); "
    )


def test_a_method_without_a_statement_is_named_with_its_own_line() -> None:
    """It has no statement that could be cited."""
    step = cause_of(SaysNothing)
    assert step.note.startswith(
        f"confirmed(p1, p2, 0) does nothing more: note is empty ({line(SaysNothing, 'note', 0)}); "
        f"before the edit it does not_taken.add(0) ({line(TakesAll, 'note', 2)}); "
    )
    assert step.rule is not None and step.rule[1] == SaysNothing.note.__code__.co_firstlineno


def test_who_does_nothing_more_has_the_last_of_what_it_does_with_its_line() -> None:
    """In the method in which the other version goes on."""
    assert cause_of(TakesFirst).note.startswith(
        f"confirmed(p1, p2, 0) does nothing more after not_taken.add(0) ({line(TakesFirst, 'note', 1)}); "
        f"before the edit it does not_taken.add(1) ({line(TakesAll, 'note', 2)}); "
    )


def test_what_both_versions_do_has_what_comes_before_it_only_without_the_edit() -> None:
    """A collection in a local variable is no part of the state."""
    assert cause_of(Backwards).note.startswith(
        f"receive(p2, p1, 0) first does taken[p2].append(1) ({line(Backwards, 'receive', 5)}); "
        f"before the edit it does so only after it does taken[p2].append(0) ({line(InPairs, 'receive', 3)}); "
    )


def test_the_test_that_lets_a_statement_be_executed_has_its_line_and_the_one_that_prevents_it() -> None:
    """Both versions have the statement."""
    step = cause_of(AlsoNought)
    assert step.note.startswith(
        f"confirmed(p1, p2, 0) does not_taken.add(0) ({line(AlsoNought, 'confirmed', 4)}), "
        f"as it finds n is 0 ({line(AlsoNought, 'confirmed', 3)}); "
        f"before the edit it finds n = 0 is not > 0 ({line(Noting, 'confirmed', 3)}); "
    )
    assert step.rule is not None and step.rule[1] == AlsoNought.confirmed.__code__.co_firstlineno + 3


def test_a_test_that_skips_what_was_done_before_the_edit_is_shown_instead_of_nothing() -> None:
    assert cause_of(OnlyLast).note.startswith(
        f"confirmed(p1, p2, 1) finds n = 1 is not > 1 ({line(OnlyLast, 'confirmed', 2)}); "
        f"before the edit it does not_taken.add(1) ({line(Always, 'confirmed', 4)}); "
    )


def test_a_choice_is_not_made_again_by_explaining_it() -> None:
    """The number is chosen in the step alone; what it did is told with the number that was chosen."""
    assert cause_of(Other).note.startswith(
        f"send(p1) sends Data(2) to p2 ({line(Other, 'send', 4)}); "
        f"before the edit it sends Data(0) to p2 ({line(Numbered, 'send', 3)}); "
    )


def test_a_choice_that_is_part_of_a_statement_is_what_the_step_took() -> None:
    """It is not evaluated again, which would be another choice: the step chose 2, and 1 would be shown."""
    assert cause_of(Skipping).note.startswith(
        f"send(p1) sets sent to 2 ({line(Skipping, 'send', 4)}); "
        f"before the edit it sets sent to 1 ({line(Numbered, 'send', 4)}); "
    )


@pytest.mark.parametrize("cls", [NoWait, Other])
def test_a_tracing_hook_of_somebody_else_is_put_back(cls: type[Model]) -> None:
    """A debugger or a measurement of coverage goes on behind the explanation."""
    former = sys.gettrace()
    cause_of(cls)
    assert sys.gettrace() is former
