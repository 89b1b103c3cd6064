"""A run that ends where faults alone can happen: they are named, since a required step does not wait for one."""

from __future__ import annotations

import re
from typing import Any

from checker.analysis.check import check
from checker.language import Bool, Distributed, Map, Model, Process, action, quiescent, require, var
from checker.report.wording import guilty_line, title
from checker.trace.itf import to_itf
from checker.trace.read_itf import from_itf
from checker.trace.trace import Trace


class Timeout(Model):
    """A lock that only a time-out frees, and the time-out is declared as a fault."""

    held = var(Bool, False)
    served = var(Bool, False)

    @action
    def take(self):
        require(not self.held and not self.served)
        self.held = True

    @action(fault=True)
    def time_out(self):
        require(self.held)
        self.held, self.served = False, True

    @quiescent
    def all_served(self) -> bool:
        return self.served


class Crashes(Distributed):
    """Every process says hello, but for the last; crashes may follow."""

    said = var(Map[Process, Bool], False)

    @action
    def say(self, p: Process):
        require(not self.said[p] and p != self.Process[1])
        self.said[p] = True

    @quiescent
    def all_said(self) -> bool:
        return all(self.said[p] or p in self.crashed for p in self.Process)


def violation(cls: type[Model], **given: Any) -> Trace:
    """The one violation of a model."""
    report = check(cls, cls.__name__, given, engine="interpreter")
    return next(p.trace for p in report.properties if p.trace is not None)


def test_an_enabled_fault_that_would_do_it_is_the_reason_why_it_does_not_happen() -> None:
    """Faults need not happen: the time-out is named, with its line, also in a run that was stored."""
    run = violation(Timeout)
    for found in (run, from_itf(to_itf(run))):
        assert title(found) == "all_served violated: nothing but faults (time_out) can happen after step 1"
        said = guilty_line(found)
        assert re.fullmatch(r"WHY NOT: time_out is enabled, but is a fault, which need not happen \(.*\.py:\d+\)", said)


def test_faults_of_the_language_are_named_where_they_can_still_happen() -> None:
    """A crash brings nothing about that a property waits for; without a budget nothing more can happen."""
    run = violation(Crashes, processes=2, crashes=1)
    assert title(run) == "all_said violated: nothing but faults (crash) can happen after step 1"
    assert "is a fault" not in guilty_line(run)
    none = violation(Crashes, processes=2, crashes=0)
    assert title(none) == "all_said violated: nothing more can happen after step 1"
