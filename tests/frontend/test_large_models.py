"""What a model costs before it is searched grows with its text, not with the square of it.

Counted are calls of functions, and how often the file is parsed; no time is measured.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from attrs import evolve

from benchmarks.large_model import table
from checker.analysis.vacuity.vacuous import vacuities
from checker.backends.native.emit import emit
from checker.backends.native.kernel import compile_model
from checker.catalogue import in_file
from checker.engines.explored import Explored, unexplored
from checker.frontend.lower import lower
from checker.language.define import define
from checker.language.definition import Definition
from checker.search.breadth_first import search
from checker.search.deadline import OutOfTime
from checker.validation.native_answers import Probe
from checker.validation.sample import Reached, _rare


@pytest.fixture
def defined(tmp_path: Path) -> Callable[[int], Definition]:
    """The definition of a table of so many actions."""

    def of(actions: int) -> Definition:
        file = tmp_path / f"table_{actions}.py"
        file.write_text(table(actions), encoding="utf-8")
        return define(in_file(file)[0].cls, {"processes": 2})

    return of


def calls(work: Callable[[], Any]) -> int:
    """How many functions of Python are called, those of the C library aside."""
    count = 0

    def note(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


@pytest.fixture(params=["define", "lower", "emit", "vacuity"])
def phase(request: pytest.FixtureRequest, defined: Callable[[int], Definition]) -> Callable[[int], int]:
    """The calls of one phase for a model of so many actions."""

    def of(actions: int) -> int:
        if request.param == "define":
            return calls(lambda: defined(actions))
        definition = defined(actions)
        if request.param == "lower":
            return calls(lambda: lower(definition))
        if request.param == "emit":
            model = lower(definition)
            return calls(lambda: emit(model))
        return calls(lambda: list(vacuities(definition, explored(definition))))

    return of


def explored(definition: Definition) -> Explored:
    """A search that took no action."""
    nothing = unexplored(definition, OutOfTime("searching"))
    return evolve(nothing, distinct=1, initial=1, complete=True, bound=None)


def test_the_work_of_each_phase_grows_with_the_number_of_actions(phase: Callable[[int], int]) -> None:
    """Of twice as many actions twice as much: from 40 to 80 as much is added as from 80 to 120."""
    phase(10)  # what is called once, whatever the model
    few, more, most = phase(40), phase(80), phase(120)
    assert most - more == pytest.approx(more - few, rel=0.05)


def test_a_file_is_parsed_once_for_all_its_methods(
    defined: Callable[[int], Definition], monkeypatch: pytest.MonkeyPatch
) -> None:
    """For the names that it imports, before it is executed, and for all that is asked of its text afterwards."""
    parsed: list[int] = []
    parse = ast.parse

    def noted(source: Any, *arguments: Any, **options: Any) -> Any:
        parsed.append(len(source))
        return parse(source, *arguments, **options)

    monkeypatch.setattr(ast, "parse", noted)
    list(vacuities(definition := defined(30), explored(definition)))
    lower(definition)
    assert len([size for size in parsed if size == len(table(30))]) == 1


@pytest.mark.parametrize("actions", [30, 60])
def test_a_level_is_gone_through_once_for_all_its_rare_actions(
    defined: Callable[[int], Definition], monkeypatch: pytest.MonkeyPatch, actions: int
) -> None:
    """Without candidates every action taken is rare.  Each is found in the first state of its level that enables it,
    and no block of states is asked about twice."""
    definition = defined(actions)
    kernel = compile_model(lower(definition), cache=False, quick=True)
    result = search(kernel)
    states = result.states()
    firsts = {a.name: a.first_level for a in result.actions if a.first_level is not None}
    reached = Reached(result.levels, lambda numbers: states[numbers], result.distinct, firsts=firsts)
    asked: list[int] = []
    enabling = Probe.enabling

    def noted(probe: Probe, rows: Any, wanted: Any) -> Any:
        asked.append(len(rows))
        return enabling(probe, rows, wanted)

    monkeypatch.setattr(Probe, "enabling", noted)
    probe = Probe(definition, kernel)
    found = list(_rare(probe, reached, []))
    levels = {first for first in firsts.values() if first}
    assert sum(asked) <= sum(result.levels[level - 1] for level in levels)
    ends = list(accumulate(result.levels))
    expected = []
    for number, name in enumerate(kernel.actions):
        if first := firsts.get(name):
            outputs = (
                (n, probe.output(states[n])) for n in range(ends[first - 1] - result.levels[first - 1], ends[first - 1])
            )
            expected.append(next(n for n, output in outputs if output is not None and output.counters[number]))
    assert expected and [number for number, _ in found] == expected
