"""A network has no bound in the language: the compiled search begins anew with a larger one, and nobody can tell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from checker.backends.interpreter.explore import explore
from checker.backends.interpreter.interpreter import Interpreter
from checker.engines import checkpointed, native
from checker.engines.committed import HEADER
from checker.engines.placement import Placement
from checker.engines.request import Request
from checker.language import Distributed, Int, Network, Process, action, require, var
from checker.language.define import define
from checker.search.limits import Limits
from checker.search.workdir import WorkDirectory

MANY = 70


class Flood(Distributed):
    """Messages that nobody receives."""

    net = var(Network[Process, Int(0, 1)])

    @action
    def ask(self):
        require(len(self.net) < MANY)
        self.net.send(self.Process[0], self.Process[0], 0)


def test_searches_that_begin_anew_share_their_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts are those of the interpreter; each search has the time that the ones before have left."""
    left: list[float] = []

    def timed(*arguments: Any, limits: Limits, **options: Any) -> Any:
        seconds = limits.left()
        assert seconds is not None
        left.append(seconds)
        return search(*arguments, limits=limits, **options)

    search = native.search
    monkeypatch.setattr(native, "search", timed)
    explored = native.explore(Request(define(Flood), limits=Limits(max_seconds=3600)))
    assert (explored.distinct, explored.complete) == (MANY + 1, True)
    assert explored.distinct == len(explore(Interpreter(define(Flood))).order)
    assert len(left) > 1 and left == sorted(set(left), reverse=True)


def test_a_work_directory_whose_network_has_grown_can_be_resumed(tmp_path: Path) -> None:
    """Its header names the networks with their room, and nothing else; the search that goes on counts the same."""
    folder = tmp_path / "work"
    first = checkpointed.explore(Request(define(Flood), placement=Placement(folder)))
    with WorkDirectory.open(folder, HEADER) as work:
        networks = dict(work.header["networks"])
    assert set(networks) == {"net"} and networks["net"] >= MANY
    again = checkpointed.explore(Request(define(Flood), placement=Placement(folder, resume=True)))
    assert (first.distinct, first.complete) == (again.distinct, again.complete) == (MANY + 1, True)
