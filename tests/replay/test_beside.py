"""The run of the protocol before the edit beside a run of the edit: it is a run of that protocol, with the same calls
as far as they are enabled."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from checker.analysis.check import check
from checker.analysis.explain import background
from checker.backends.interpreter.interpreter import Interpreter, Raw
from checker.catalogue import find
from checker.language.define import define
from checker.language.start import starts
from checker.replay.base import former_of, shared_constants
from checker.replay.beside import MOST_AFTER, beside
from checker.replay.plain import plain, plain_raw
from checker.report.beside import beside_section
from checker.results.explained import Beside
from checker.trace.read_itf import read_trace
from checker.trace.trace import Trace
from checker.trace.values import FrozenMap

GALLERY = Path(__file__).resolve().parents[2] / "counterexamples"
RUNS = sorted(GALLERY.glob("*/*.itf.json"))
FIRST, REST = RUNS[::87], [RUNS[n::16] for n in range(16)]
TICKETS = '''
"""Tickets are served in order."""

from checker.language import Ids, Int, Map, Model, action, invariant, quiescent, require, rule, var


class Tickets(Model):
    """Whoever has the next ticket is served."""

    Client = Ids("c", 2)
    given = var(Int(0, 2), 0)
    ticket = var(Map[Client, Int(0, 2)], 0)
    served = var(Int(0, 2), 0)
    late = var(Int(0, 2), 0)

    @action
    def draw(self, c: Client):
        require(self.ticket[c] == 0)
        self.given += 1
        self.ticket[c] = self.given

    @action
    def serve(self, c: Client):
        require(self.ticket[c] > 0 and self.late < 2 and self.next(c))
        if self.ticket[c] != self.served + 1:
            self.late = 2
        self.served = self.ticket[c]

    @rule
    def next(self, c: Client) -> bool:
        return self.ticket[c] == self.served + 1

    @invariant
    def in_order(self) -> bool:
        return self.late == 0

    @quiescent
    def all_served(self) -> bool:
        return self.served == 2


class Hurry(Tickets):
    """EDIT: any ticket is served."""

    @rule
    def next(self, c):
        return self.ticket[c] > self.served


class Lazy(Tickets):
    """EDIT: nobody is served second."""

    @rule
    def next(self, c):
        return self.ticket[c] == 1 and self.served == 0


class Counting(Tickets):
    """EDIT: with a variable of its own, and any ticket is served."""

    count = var(Int(0, 9), 0)

    @rule
    def next(self, c):
        return self.ticket[c] > self.served
'''


def run_of(reference: str, property: str) -> Trace:
    """The shortest violation."""
    found = next(p for p in check(find(reference).cls, reference).properties if p.name == property)
    assert found.trace is not None
    return found.trace


def found(write: Any, name: str, property: str) -> tuple[Trace, Beside]:
    """A run of an edit of the tickets, and the run beside it."""
    trace = run_of(f"{write('tickets.py', TICKETS)}:{name}", property)
    told = background(trace).beside
    assert told is not None
    return trace, told


def test_a_call_that_the_base_refuses_is_not_taken_and_comes_later(write: Any) -> None:
    """c2 has the second ticket and is served first; before the edit c1 is, then c2."""
    trace, told = found(write, "Hurry", "in_order")
    assert (told.name, told.parted, [s.action for s in trace.steps]) == ("Tickets", 3, ["draw", "draw", "serve"])
    taken = [(s.action, *s.args.values()) for s in told.trace.steps]
    first, second = (s.args["c"] for s in trace.steps[:2])
    assert taken == [("draw", first), ("draw", second), ("serve", first), ("serve", second)]
    assert told.places[:2] == ((1, ""), (2, "")) and told.places[2][0] == 2
    assert told.places[2][1].startswith("not enabled: ") and "served" in told.places[2][1]
    assert (
        told.judged == "in_order is true in the whole run" and told.ending == "ends where nothing but faults is enabled"
    )
    page = beside_section(trace, told)
    assert page.count("<tr data-step=") == 1 and "not taken: not enabled" in page and "then 2 more steps" in page
    assert "steps 1 to 2: the same in both" in page


def test_where_only_the_base_continues_the_runs_part_at_the_end(write: Any) -> None:
    """The edit ends with one client served; the base serves the other one."""
    trace, told = found(write, "Lazy", "all_served")
    assert told.parted == len(trace.steps) + 1 and trace.cause
    assert [s.action for s in told.trace.steps[len(trace.steps) :]] == ["serve"]
    assert told.judged == "all_served is true at its end"
    assert "takes the same steps and continues where this run ends" in beside_section(trace, told)


def test_a_variable_that_only_the_edit_has_is_no_difference(write: Any) -> None:
    """Values are compared in the variables that both have."""
    trace, told = found(write, "Counting", "in_order")
    assert told.parted == 3 and "count" not in told.trace.states[0] and "count" not in beside_section(trace, told)


def test_without_a_cause_there_is_no_other_run(write: Any) -> None:
    """A protocol without a base, and a base that is not given."""
    trace = read_trace(GALLERY / "basic_multicast" / "Agreement.itf.json")
    assert beside(trace, find("basic_multicast").cls) is None and background(trace).beside is None


@pytest.mark.parametrize(
    "files", [FIRST, *(pytest.param(part, marks=pytest.mark.thorough) for part in REST)], ids=lambda part: part[0].stem
)
def test_the_other_run_is_a_run_of_the_base_and_what_is_said_of_it_is_true(files: list[Path]) -> None:
    """Of the gallery: judged step by step in an interpreter of its own."""
    for file in files:
        trace = read_trace(file)
        base = former_of(find(trace.reference).cls)
        told = None if base is None else beside(trace, base)
        if base is not None and told is not None:
            judge(trace, base, told)


def judge(trace: Trace, base: type[Any], told: Beside) -> None:
    """Take the run again, and ask of each call of the edit whether it is enabled there."""
    whole = define(base, shared_constants(base, trace.constants))
    names = [p.name for p in whole.properties if p.name == trace.property]
    interpreter = Interpreter(define(base, shared_constants(base, trace.constants), names))
    variables = interpreter.definition.variables

    def values(state: Raw) -> dict[str, Any]:
        return {v.name: plain_raw(v.domain, raw) for v, raw in zip(variables, state)}

    states = [next(s for s in starts(interpreter.model) if values(s) == dict(told.trace.states[0]))]
    for step, after in zip(told.trace.steps, told.trace.states[1:]):
        same = (s for s in interpreter.steps(states[-1], step.action) if s.after and values(s.after) == dict(after))
        states.append(next(s.after for s in same if FrozenMap({n: plain(v) for n, v in s.arguments}) == step.args))
    assert len(told.places) == len(trace.steps) and told.parted <= len(trace.steps) + 1
    places = [0, *(place for place, _ in told.places)]
    for number, (before, after) in enumerate(pairwise(places), 1):
        here, reason = trace.states[number], told.places[number - 1][1]
        common = {n: v for n, v in values(states[after]).items() if n in here}
        if number < told.parted:
            assert common == {n: here[n] for n in common}, f"step {number} differs"
        assert after - before == (not reason)
        if reason.startswith("not enabled"):
            instances = interpreter.steps(states[after], trace.steps[number - 1].action)
            wanted = list(trace.steps[number - 1].args.values())
            assert wanted not in [[plain(v) for _, v in s.arguments] for s in instances]
    assert len(states) - 1 - places[-1] <= MOST_AFTER
    if told.ending == "ends where nothing but faults is enabled":
        assert all(s.action.fault for s in interpreter.steps(states[-1]))
    property = next((p for p in interpreter.definition.properties if p.name == trace.property), None)
    if told.judged.endswith("in the whole run") and property is not None:
        befores = [None, *states] if property.kind == "step" else [None] * len(states)
        pairs = [(s, b) for s, b in zip(states, befores) if property.kind != "step" or b is not None]
        assert all(interpreter.violated(property, s, b) is False for s, b in pairs)
    if told.judged.endswith("true at its end") and property is not None:
        assert interpreter.violated(property, states[-1]) is False
