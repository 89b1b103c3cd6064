"""Engines are chosen by name, say what they can do, and refuse what they cannot."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import get_type_hints

import numpy as np
import pytest
from attrs import fields

from checker.catalogue import find
from checker.engines import checkpointed, interpreted, native
from checker.engines.growing import LARGEST_NETWORK, TooSmall, with_room
from checker.engines.placement import Placement
from checker.engines.registry import ENGINES, Engine, declared, explore
from checker.engines.request import How, Request
from checker.language import Int, Model, action, constraint, invariant, reachable, require, var
from checker.language.define import define
from checker.language.errors import UsageError
from checker.search.expansions import TooMany, expansions
from tests.search.graphs import Graph, GraphSource, counting

MODULES: tuple[Engine, ...] = (native, checkpointed, interpreted)
"""Held by mypy: each is an Engine."""


def test_an_unknown_engine_is_refused_with_those_there_are() -> None:
    """Whoever asks."""
    with pytest.raises(UsageError, match="there is no engine 'warp'"):
        declared("warp")


def test_every_engine_is_declared_with_modules_that_exist() -> None:
    """They are imported when a search is asked of them only, so nothing else would notice."""
    root = Path(native.__file__).parents[2]
    named = [m for e in ENGINES.values() for m in (e.module, e.kept_by) if m is not None]
    assert [m for m in named if not (root / f"{m.replace('.', '/')}.py").exists()] == []


def test_an_engine_refuses_what_it_cannot_do(tmp_path: Path) -> None:
    """It is not left out silently: the interpreter keeps no levels, and searches no model but the one that is
    written."""
    definition = define(find("basic_multicast").cls, {"processes": 2})
    with pytest.raises(UsageError, match="the engine interpreter keeps no work directory"):
        explore(Request(definition, engine="interpreter", placement=Placement(tmp_path)))
    with pytest.raises(UsageError, match="the engine interpreter searches models as they are written only"):
        explore(Request(definition, engine="interpreter", adapt=lambda model: model))


def test_the_free_fields_of_a_request_are_those_of_how() -> None:
    """Both list them, since keyword arguments need names."""
    mine = {f.name for f in fields(Request)} - {"definition", "reference", "only", "adapt"}
    assert set(get_type_hints(How)) == mine


def test_each_network_that_is_too_small_gets_twice_the_room_and_keeps_it() -> None:
    """Room that was given at the start stays, too."""
    tried: list[Mapping[str, int]] = []

    def attempt(room: Mapping[str, int]) -> str:
        tried.append(room)
        if len(tried) < 4:
            raise TooSmall({"ab"[len(tried) % 2]: room.get("ab"[len(tried) % 2], 3)})
        return "done"

    assert with_room(attempt, {"c": 5}) == "done"
    assert tried == [{"c": 5}, {"c": 5, "b": 6}, {"c": 5, "b": 6, "a": 6}, {"c": 5, "b": 12, "a": 6}]


def test_a_network_without_bound_is_refused() -> None:
    """After the largest size there is."""
    with pytest.raises(UsageError, match=f"more than {LARGEST_NETWORK} messages are in flight on net"):
        with_room(lambda room: (_ for _ in ()).throw(TooSmall({"net": room.get("net", 1)})))


def test_a_state_with_more_successors_than_are_wanted_is_told() -> None:
    """A buffer for all of them would not be bounded."""
    source = GraphSource(Graph([[(0, node) for node in range(1, 40)], *[[]] * 39], [0]), counting(40, 1))
    block = np.ascontiguousarray(source.initial())
    assert sum(len(piece.successors) for piece in expansions(source, block, capacity=4, most=64)) == 39
    with pytest.raises(TooMany):
        list(expansions(source, block, capacity=4, most=16))


class Leaps(Model):
    """The first step out of 0 leads to a state that the constraint excludes, the second to a stored one."""

    x = var(Int(0, 9), 0)

    @action
    def leap(self) -> None:
        require(self.x < 4)
        self.x += 5

    @action
    def step(self) -> None:
        require(self.x < 4)
        self.x += 1

    @constraint
    def near(self) -> bool:
        return self.x < 5

    @reachable
    def moved(self) -> bool:
        return self.x > 0

    @invariant
    def still(self) -> bool:
        return self.x == 0


@pytest.mark.parametrize("engine", ["native", "interpreter"])
def test_of_two_states_as_near_the_stored_one_is_shown(engine: str) -> None:
    """Both are successors of one state; the order of the actions does not decide, in no engine."""
    explored = explore(Request(define(Leaps, {}), engine=engine, stop_at_first=False))
    assert {(f.shown.name, f.shown.cut, f.path()) for f in explored.found} == {
        ("still", False, ((0,), (1,))),
        ("moved", False, ((0,), (1,))),
    }
