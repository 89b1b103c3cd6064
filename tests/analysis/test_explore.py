"""Runs walked by hand: a path is a run, what is enabled is what the interpreter enables, and a run is a trace."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path as File
from typing import Any

import pytest

from checker.analysis.explore import MOST_STEPS, Explorer, Path
from checker.analysis.find import find_state
from checker.catalogue import find
from checker.engines.interpreted import interpreter_of
from checker.language.define import define
from checker.language.errors import UsageError
from checker.trace.itf import write_trace

Write = Callable[[str, str], str]
CHOOSING = '''from checker.language import Int, Model, action, anything, choose, constraint, invariant, var


class Choosing(Model):
    """Two starts, a choice, a constraint."""

    n = var(Int(0, 4), 0)
    start = var(Int(0, 1), anything)

    @action
    def add(self):
        self.n = self.n + choose([1, 2])

    @constraint
    def low(self) -> bool:
        return self.n < 4

    @invariant
    def small(self) -> bool:
        return self.n < 3
'''
FLOOD = '''from checker.language import Distributed, Network, Process, action, on, var


class Flood(Distributed):
    """One process sends to another without end."""

    net = var(Network[Process, Process])

    @action
    def send(self, p: Process):
        self.net.send(p, self.Process[0], p)

    @on(net)
    def receive(self, p, q, m):
        pass
'''


def explorer(reference: str, **constants: Any) -> Explorer:
    """The runs of a model."""
    entry = find(reference)
    return Explorer(interpreter_of(define(entry.cls, constants)), entry.reference)


def paths(found: Explorer, longest: int) -> list[Path]:
    """Every path of so many steps at most, as the page would find them: by what is listed as enabled."""
    level = [Path(n) for n in range(1, len(found.session.starts) + 1)]
    result = list(level)
    for _ in range(longest):
        level = [p.then(c.number) for p in level for c in found.here(p).choices if not c.failure]
        result += level
    return result


@pytest.mark.parametrize("model", ["lock.py", "lock.py:Careless", "choosing.py"])
def test_what_is_enabled_is_what_the_interpreter_enables_on_every_path(lock: str, write: Write, model: str) -> None:
    """Every path of four steps: the choices are the interpreter's steps in their order, and the states its states."""
    write("choosing.py", CHOOSING)
    found = explorer(model)
    every = paths(found, 4)
    assert len(every) == len(set(every)) > 8
    for path in every:
        state = found.at(path).state
        steps = list(found.interpreter.steps(state))
        here = found.here(path)
        assert [c.number for c in here.choices] == list(range(1, len(steps) + 1))
        assert [bool(c.failure) for c in here.choices] == [s.after is None for s in steps]
        for choice, step in zip(here.choices, steps):
            assert choice.name.startswith(step.action.name)
            if step.after is not None:
                assert found.at(path.then(choice.number)).state == step.after
                shown, after = choice.after, found.session.plain(step.after)
                assert shown is not None and dict(shown.states[-1]) == after


def test_the_states_on_all_paths_are_those_that_a_check_counts(lock: str) -> None:
    """The lock has three states (its `expect`), and every one is on a path of two steps."""
    found = explorer(lock)
    assert len({found.at(path).state for path in paths(found, 2)}) == 3


def test_a_path_is_read_as_it_is_written() -> None:
    """For the start alone, and for many steps; what is no path is refused with what one is."""
    for path in (Path(), Path(3), Path(1, (2, 1, 10))):
        assert Path.of(str(path)) == path
    for text in ("", "0", "1.", ".1", "1..2", "1.0", "a", "1 2", "-1", "1.٣", "1" * 12, "1\n"):
        with pytest.raises(UsageError, match="is no path"):
            Path.of(text)
    with pytest.raises(UsageError, match=f"at most {MOST_STEPS}"):
        Path.of("1" + ".1" * (MOST_STEPS + 1))


def test_a_path_that_the_model_has_not_is_refused(lock: str, write: Write) -> None:
    """A start too many, a step too many, a step that fails; the explorer still answers then."""
    found = explorer(lock)
    with pytest.raises(UsageError, match="initial state 2, and the model has 1"):
        found.here(Path(2))
    with pytest.raises(UsageError, match="step 2 of the path is number 7"):
        found.run(Path(1, (1, 7)))
    failing = explorer(write("choosing.py", CHOOSING.replace("self.n < 4", "True").replace("4)", "2)")))
    with pytest.raises(UsageError, match="step 2 of the path fails: .*choosing.py:"):
        failing.run(Path(1, (2, 1)))
    assert [c.failure != "" for c in failing.here(Path(1, (2,))).choices] == [True, True]


def test_a_choice_tells_what_it_would_change_and_break(lock: str) -> None:
    """The careless lock: the second client breaks what holds so far; once it is broken, no step breaks it."""
    found = explorer(f"{lock}:Careless")
    assert [c.breaks for c in found.here(Path()).choices] == [(), ()]
    after = found.here(Path(1, (1,)))
    assert {c.name: c.breaks for c in after.choices} == {"take(c2)": ("alone",), "leave(c1)": ()}
    broken = found.here(Path(1, (1, 1)))
    assert broken.broken == ("alone",) and all(c.breaks == () for c in broken.choices)


def test_what_is_not_enabled_is_told_with_the_guard_that_is_false(lock: str) -> None:
    """The page says what `checker step` says to `why`."""
    refused = explorer(lock).here(Path(1, (1,))).answer.refused
    assert any(r.sentence == "leave(c2) is disabled: c2 is not in inside = {c1}" for r in refused)


def test_several_starts_and_states_that_a_constraint_cuts_are_told(write: Write) -> None:
    """Starts are listed where no step is taken yet; a step into a cut state says so before it is taken."""
    found = explorer(write("choosing.py", CHOOSING))
    assert found.here(Path()).starts == ("the first", "start: 0 → 1") and not found.here(Path(1, (1,))).starts
    assert [c.cut for c in found.here(Path(1, (2,))).choices] == [False, True]
    assert found.here(Path(1, (2, 2))).cut and not found.here(Path(1, (2,))).cut


def test_predicates_have_their_truth_in_every_state_and_a_reason(lock: str) -> None:
    """Members by their own names, rules of the model; what is no predicate says why and spoils nothing."""
    walked = explorer(lock).run(Path(1, (1, 1)), ["owner == c1", "free()", "owner ==", "nobody"])
    owner, free, unfinished, unknown = walked.pins
    assert owner.truths == ("false", "true", "false") and free.truths == ("true", "false", "true")
    assert owner.reasons[0] == "owner = none is not c1"
    assert "not an expression" in unfinished.wrong and "nothing called nobody" in unknown.wrong


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('touch executed')",
        "open('executed', 'w')",
        "exec('import os')",
        "[].__class__.__base__.__subclasses__()",
        "(lambda: open('executed', 'w'))()",
        "self.__class__",
        "(x := 1)",
    ],
)
def test_a_predicate_can_compute_and_do_nothing_else(lock: str, text: str) -> None:
    """It may come from a link of somebody else: Python evaluates only what the modelling language has."""
    found = explorer(lock)
    assert found.run(Path(), [text]).pins[0].wrong
    with pytest.raises(UsageError):
        found.find(Path(), text, 5.0)
    assert not File("executed").exists()


def test_the_nearest_state_is_as_near_as_find_says_and_its_run_is_a_path(lock: str) -> None:
    """From the start as near as `checker find` finds it; from elsewhere the run goes on from there."""
    found = explorer(f"{lock}:Careless")
    predicate = "len(inside) == 2"
    shortest = find_state(find(f"{lock}:Careless").cls, "lock", predicate).trace
    assert shortest is not None
    there = found.find(Path(), predicate, 60.0)
    assert (there.verdict, there.steps) == ("found", len(shortest.steps)) == ("found", 2)
    assert found.run(Path.of(there.path), [predicate]).pins[0].truths == ("false", "false", "true")
    further = found.find(Path(1, (2,)), "owner == c1 and inside == {c1}", 60.0)
    assert (
        further.path.startswith("1.2.") and found.at(Path.of(further.path)).plain(found.session.state)["owner"] == "c1"
    )


def test_what_cannot_be_reached_from_here_is_told_as_such(lock: str) -> None:
    """None, after everything was explored; and nothing is known where the time was over."""
    found = explorer(lock)
    assert found.find(Path(), "len(inside) == 2", 60.0).verdict == "none"
    late = found.find(Path(), "len(inside) == 2", 1e-9)
    assert (late.verdict, late.bound) == ("unknown", "seconds")


def test_a_state_beyond_a_constraint_is_found_with_the_step_that_leads_there(write: Write) -> None:
    """A property is judged there too, so a predicate is."""
    found = explorer(write("choosing.py", CHOOSING))
    there = found.find(Path(2), "n == 4", 60.0)
    assert there.verdict == "found" and found.at(Path.of(there.path)).state[0] == 4 and there.path.startswith("2.")


def test_a_search_begins_with_the_messages_that_are_in_flight() -> None:
    """What was sent before is received afterwards; at_end: not before everything was."""
    found = explorer("isis", processes=2, workload=(1, 1))
    path = Path(1, (1, 1, 1))
    there = found.find(path, "len(delivered[p2]) == 2", 60.0)
    assert there.verdict == "found" and there.path.startswith(f"{path}.")
    assert len(found.at(Path.of(there.path)).plain(found.session.state)["delivered"]["p2"]) == 2
    end = found.find(path, "len(delivered[p2]) == 2", 60.0, at_end=True)
    assert found.interpreter.quiescent(found.at(Path.of(end.path)).state) and end.steps >= there.steps


def test_more_messages_than_the_kernel_has_room_for_are_no_obstacle(write: Write) -> None:
    """The first guess is a few messages; the search starts over until all of the state fits."""
    found = explorer(write("flood.py", FLOOD), processes=2)
    path = Path(1, (1,) * 70)
    there = found.find(path, "len(net) == 71", 60.0)
    assert (there.verdict, there.steps) == ("found", 1) and there.path.startswith(f"{path}.")


def test_every_run_is_a_trace_that_replay_confirms(lock: str, checker: Any) -> None:
    """Also one that breaks a property; explain reads it too."""
    found = explorer(f"{lock}:Careless")
    for number, path in enumerate(paths(found, 2)):
        file = write_trace(found.at(path).trace(), f"run{number}.json")
        assert "CONFIRMED" in checker("replay", str(file)).out
    assert checker("explain", f"run{number}.json").code == 0


def test_a_stored_trace_is_the_path_of_its_states(lock: str, checker: Any) -> None:
    """Its run, with all properties of the model; one that the model has no longer is refused."""
    from checker.report.directory import stored

    checker("check", f"{lock}:Careless", "--out", "out")
    trace = stored("out/lock-Careless-alone")
    found = Explorer.of_trace(trace)
    again = found.run(found.begin).trace
    assert again.states == trace.states and [s.action for s in again.steps] == [s.action for s in trace.steps]
    assert {p.name for p in found.definition.properties} >= {"alone", "known"}
    assert again.property == "alone"


def test_the_seal_is_of_the_run_and_its_model(lock: str) -> None:
    """The same for the same run; another one for another run, constants or an edit with the same steps."""
    one = explorer(lock).run(Path(1, (1,))).seal
    assert one == explorer(lock).run(Path(1, (1,))).seal
    others = [
        explorer(lock).run(Path(1, (2,))).seal,
        explorer(lock, clients=3).run(Path(1, (1,))).seal,
        explorer(f"{lock}:Careless").run(Path(1, (1,))).seal,
    ]
    assert len({one, *others}) == 4
