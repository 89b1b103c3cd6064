"""Of two versions of a rule, that is told in which they differ: the condition that only one has, the operands of a
value, the member of a set."""

from __future__ import annotations

import re
from typing import Any

import pytest

from checker.backends.interpreter.interpreter import Interpreter
from checker.language import Bool, Ids, Int, Map, Model, Set, action, require, rule, var
from checker.language.define import define
from checker.language.start import starts
from checker.replay.edited_rules import deciding_rule


class Desk(Model):
    """Clerks draw a number and close, all at once, when everybody has one."""

    Clerk = Ids("c", 3)
    drawn = var(Map[Clerk, Int(0, 9)], 0)
    late = var(Set[Clerk])
    number = var(Int(0, 9), 0)
    closed = var(Bool, False)

    @action
    def draw(self, c: Clerk):
        require(self.drawn[c] == 0)
        self.drawn[c] = self.next_number()
        if c != self.Clerk[0]:
            self.late.add(c)

    @action
    def close(self):
        require(not self.closed)
        self.closed = True
        self.number = len(self.waiting()) + (self.chosen() if self.may_close(self.Clerk[0]) else 0)

    @rule
    def next_number(self) -> int:
        return max(len(self.late), self.number) + 1

    @rule
    def may_close(self, c: Clerk) -> bool:
        return self.number == 0 and self.drawn[c] == 1 and len(self.late) == 2

    @rule
    def chosen(self) -> int:
        for c in self.Clerk:
            if self.drawn[c] > 2:
                return self.drawn[c]
        return 9 if len(self.late) > 2 else 0

    @rule
    def waiting(self) -> Set[Clerk]:
        return {c for c in self.Clerk if self.drawn[c] == 0}


class DrawnOnly(Desk):
    """EDIT: nobody waits for the last two."""

    @rule
    def may_close(self, c):
        return self.number == 0 and self.drawn[c] == 1


class NeverLate(Desk):
    """EDIT: nobody closes before more are late than there are clerks."""

    @rule
    def may_close(self, c):
        return self.number == 0 and len(self.late) > 3 and self.drawn[c] == 1 and len(self.late) == 2


class NextPlusOne(Desk):
    """EDIT: one more."""

    @rule
    def next_number(self):
        return len(self.late) + self.number + 2


class SecondDrawn(Desk):
    """EDIT: the first clerk with any number."""

    @rule
    def chosen(self):
        for c in self.Clerk:
            if self.drawn[c] > 0:
                return self.drawn[c]
        return 0


class Missing(Desk):
    """EDIT: who has drawn is waited for."""

    @rule
    def waiting(self):
        return {c for c in self.Clerk if self.drawn[c] == 1}


def note(edit: type[Model], base: type[Model] = Desk) -> str:
    """What is said of the edited rule at the first step, in breadth-first order, where both versions differ; without
    the lines."""
    interpreter = Interpreter(define(edit))
    waiting = list(starts(interpreter.model))
    for state in waiting:
        for step in list(interpreter.steps(state)):
            assert step.after is not None
            ruling = deciding_rule(interpreter, base, state, step.after, step.action.name)
            if ruling is not None:
                return re.sub(r" \(\w+\.py:\d+\)", "", ruling.contrast("").text)
            waiting += [step.after] if step.after not in waiting else []
    return ""


@pytest.mark.parametrize(
    "edit, told",
    [
        (
            DrawnOnly,
            "may_close(c1) is true: without the condition len(late) == 2; before the edit it is false: len(late) = 0 "
            "is not 2",
        ),
        (
            NeverLate,
            "may_close(c1) is false: len(late) = 2 is not > 3; before the edit it is true: without the condition "
            "len(late) > 3",
        ),
        (
            NextPlusOne,
            "next_number() is 2: len(late) + number + 2 with late = {} and number = 0; before the edit it is 1: "
            "max(len(late), number) + 1 with late = {} and number = 0",
        ),
        (
            SecondDrawn,
            "chosen() is 1: for c = c1: drawn[c1] = 1 is > 0; before the edit it is 0: len(late) = 2 is not > 2",
        ),
        (
            Missing,
            "waiting() is {}: for c = c1: drawn[c1] = 0 is not 1; before the edit it is {c1, c2, c3}: for c = c1: "
            "drawn[c1] is 0",
        ),
    ],
)
def test_the_reason_is_what_differs(edit: type[Model], told: str) -> None:
    """In the order of both versions, each with its own values."""
    assert note(edit) == told


def test_what_cannot_be_followed_is_not_explained() -> None:
    """A loop without a bound, or one that is left."""

    class Looping(Desk):
        """EDIT: counted."""

        @rule
        def next_number(self) -> Any:
            n = 0
            for c in self.Clerk:
                n += 1
                if c == self.Clerk[1]:
                    break
            return n

    assert note(Looping).startswith("next_number() is 2; before the edit it is 1: max(len(late), number) + 1 with ")
