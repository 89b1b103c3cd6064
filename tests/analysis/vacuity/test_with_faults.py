"""A branch for what happens after a fault is no finding where the budget of the fault is 0."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import pytest

from checker.analysis.vacuity import with_faults
from checker.catalogue import find
from checker.engines.registry import explore
from checker.engines.request import Request
from checker.language.define import define
from checker.results.vacuity import Vacuity
from checker.search.limits import Limits

MODEL = '''
from checker.language import Bool, Distributed, Int, Map, Network, Process, action, invariant, on, require, var
from checker.language.errors import UsageError


class Copies(Distributed):
    """The first process sends one number to all; a handler ignores a copy, another a crash."""

    net = var(Network[Process, Int(0, 3)])
    asked = var(Bool, False)
    seen = var(Map[Process, Int(0, 3)], 0)
    copies = var(Int(0, 9), 0)
    alone = var(Bool, False)

    @action
    def ask(self, p: Process):
        require(p == self.Process[0] and not self.asked)
        self.asked = True
        self.net.multicast(p, 1)

    @on(net)
    def receive(self, p, q, n):
        if self.seen[p] == n:
            self.copies += 1
        else:
            self.seen[p] = n
        if q in self.crashed:
            self.alone = True

    @invariant
    def small(self) -> bool:
        return all(self.seen[p] <= 2 for p in self.Process)


class Dead(Copies):
    """EDIT: and a branch that no fault reaches."""

    def receive(self, p, q, n):
        if self.seen[p] == n:
            self.copies += 1
        else:
            self.seen[p] = n
        if n > 2:
            self.alone = True


class Refusing(Copies):
    """EDIT: without duplicates."""

    @classmethod
    def complete(cls, given):
        if given.get("duplicates"):
            raise UsageError("nothing is duplicated here")
        return super().complete(given)
'''


@pytest.mark.parametrize(
    ("name", "found", "code"),
    [
        ("Copies", [], 0),
        ("Dead", ["'n > 2' is never true", "the variable alone never changes"], 3),
        ("Refusing", ["'seen[p] == n' is never true", "the variable copies never changes"], 3),
    ],
)
def test_what_a_single_fault_executes_is_no_finding(
    name: str, found: list[str], code: int, checker: Any, here: Path
) -> None:
    """A duplicate and a crash, one after the other; what neither reaches, and what no fault can, stays a finding."""
    (here / "copies.py").write_text(MODEL, encoding="utf-8")
    ran = checker("check", f"copies.py:{name}", "--strict")
    warnings = [line for line in ran.out.splitlines() if "[never-" in line]
    assert ran.code == code and len(warnings) == len(found)
    assert all(any(text in line for line in warnings) for text in found)


def test_searches_with_a_fault_have_the_limits_of_the_check(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of its seconds those that are left, and none begins without any; its memory; a limit that ends one excuses no
    finding."""
    (here / "copies.py").write_text(MODEL, encoding="utf-8")
    definition = define(find("copies.py:Copies").cls, {}, [])
    findings = [Vacuity("never-executed", "of no fault", "")]
    asked: list[Limits] = []

    def searched(request: Request) -> Any:
        asked.append(request.limits)
        return explore(request)

    monkeypatch.setattr(with_faults, "explore", searched)
    memory = 1 << 30
    limits = Limits(max_seconds=300.0, max_depth=1, max_memory=memory).begun()
    assert with_faults.not_for_faults(definition, findings, limits) == ()
    wanted = {(limits.began, 300.0, None, memory)}
    assert {(given.began, given.max_seconds, given.max_depth, given.max_memory) for given in asked} == wanted
    few = functools.partial(with_faults.not_for_faults, definition, findings, limits, 1)
    assert few() == tuple(findings) and few(claimed=False) == ()
    over = Limits(max_seconds=0.0).begun()
    asked.clear()
    assert with_faults.not_for_faults(definition, findings, over) == tuple(findings) and not asked
    assert with_faults.not_for_faults(definition, findings, over, claimed=False) == ()
    assert with_faults.not_for_faults(definition, findings, Limits(max_memory=1, whole_process=True)) == tuple(findings)
