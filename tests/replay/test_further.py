"""A reason "why not" is followed one link further: to the step of another process for which the process waits."""

from __future__ import annotations

from typing import Any

import pytest

from checker.analysis.check import check
from checker.language import Bool, Distributed, Map, Process, action, const, quiescent, require, rule, var
from checker.language.model import Model
from checker.replay.base import base_of


class Crossing(Distributed):
    """The first process goes when all others have waved; the last one never waves."""

    processes = const(3, "number of processes")
    waved = var(Map[Process, Bool], False)
    gone = var(Map[Process, Bool], False)

    @rule
    def sees(self, p: Process) -> bool:
        return p != self.Process[2]

    @rule
    def may_go(self, p: Process) -> bool:
        return all(self.waved[q] for q in self.Process if q != p)

    @action
    def wave(self, p: Process):
        require(not self.waved[p])
        require(self.sees(p))
        self.waved[p] = True

    @action
    def go(self, p: Process):
        require(p == self.Process[0] and not self.gone[p])
        require(self.may_go(p))
        self.gone[p] = True

    @quiescent
    def first_is_gone(self) -> bool:
        """The first process goes."""
        return all(self.gone[p] for p in self.Process if p == self.Process[0])


class Guarded(Crossing):
    """The same with a guard without a rule."""

    @action
    def wave(self, p):
        require(not self.waved[p])
        require(p != self.Process[2])
        self.waved[p] = True


class Alone(Crossing):
    """Nobody needs to wave: what the last process does not do is no reason."""

    @rule
    def may_go(self, p):
        return self.gone[p]


def reasons(cls: type[Model]) -> tuple[str, ...]:
    report = check(cls, cls.__name__, engine="interpreter", base=base_of(cls))
    return next(p.trace.blocked for p in report.properties if p.trace is not None)


def line(method: Any, number: int) -> str:
    return f"(test_further.py:{method.__code__.co_firstlineno + number})"


GO = f"may_go(p1) stays false {line(Crossing.may_go, 2)}: for q = p3: waved[p3] is false; no step changes waved[p3]"
SAME = "p and self.Process[2] are both p3"


@pytest.mark.parametrize(
    ("cls", "guard"),
    [
        (Crossing, f"sees(p3) is false {line(Crossing.sees, 2)}: {SAME} {line(Crossing.wave, 3)}"),
        (Guarded, f"{SAME} {line(Guarded.wave, 3)} of Guarded"),
    ],
)
def test_the_step_of_another_process_that_would_make_the_condition_true_comes_second(
    cls: type[Model], guard: str
) -> None:
    assert reasons(cls) == (GO, f"wave(p3) is disabled: {guard}")


def test_a_step_of_another_process_that_does_not_help_is_no_reason() -> None:
    assert [text for text in reasons(Alone) if "wave" in text] == []
