"""A model executed by hand through a pipe: each command's effect, and the run kept as a trace."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from checker.analysis.step import Session
from checker.language.errors import UsageError
from checker.report.directory import stored
from checker.trace.read_itf import read_trace


@pytest.fixture
def stepping(checker: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs `checker step ARGUMENTS` with commands from a pipe; the lines of its answer behind each command."""

    def execute(*arguments: str, commands: str) -> dict[str, list[str]]:
        monkeypatch.setattr("sys.stdin", io.StringIO(commands))
        ran = checker("step", *arguments)
        assert ran.code == 0, ran.err
        answers: dict[str, list[str]] = {"": []}
        last = ""
        for line in ran.out.splitlines():
            if line.startswith("> "):
                last = line[2:]
                answers[last] = []
            else:
                answers[last].append(line.strip())
        return answers

    return execute


def test_a_step_shows_what_changed_what_is_broken_and_what_is_enabled(stepping: Any, lock: str) -> None:
    """Two clients take the careless lock."""
    told = stepping(f"{lock}:Careless", commands="1\ntake(c2)\n")
    assert told[""] == ["lock.py:Careless", "enabled", "1  take(c1)", "2  take(c2)"]
    assert told["1"] == ["1  c1: take; owner: none → c1; inside: {} → {c1}", "enabled", "1  take(c2)", "2  leave(c1)"]
    assert told["take(c2)"][1] == "alone is violated"


def test_undo_and_redo_and_jump_move_in_the_run(stepping: Any, lock: str) -> None:
    """Undo does not forget; another step at an earlier place does."""
    told = stepping(lock, commands="1\n1\nundo\nredo\njump 0\nrun\n2\nrun \nredo 1\n")
    assert told["undo"][0].startswith("1  c1: take") and told["redo"][0].startswith("2  c1: leave")
    assert told["jump 0"][0] == "the start" and told["run"] == ["1  c2: take; owner: none → c2; inside: {} → {c2}"]
    assert told["redo 1"] == ["there is no step 2: the run has 1"]


def test_what_cannot_be_undone_or_begun_is_said_in_words(stepping: Any, lock: str) -> None:
    """More steps back than the run has, and an initial state that there is not."""
    told = stepping(lock, commands="1\nundo 9\nstart 2\nundo\nundo\n")
    assert told["undo 9"] == ["only 1 step can be undone"]
    assert told["start 2"] == ["there is no start 2: the model has 1 initial state"]
    assert told["undo"] == ["this is the start: there is nothing to undo"]


def test_the_same_step_taken_again_keeps_what_followed(stepping: Any, lock: str) -> None:
    """Walking a loaded run by hand does not cut it off."""
    told = stepping(lock, commands="1\n1\njump 0\ntake(c1)\nredo\n")
    assert told["redo"][0].startswith("2  c1: leave")


def test_why_and_conditions_are_answered_where_the_session_stands(stepping: Any, lock: str) -> None:
    """why without and with an instance; ? with a predicate."""
    told = stepping(lock, commands="1\nwhy\nwhy leave c2\nwhy leave c1\n? owner == c2\nwhy nothing\nwhy leave c3\n")
    assert told["why"][0] == "take(c1) is disabled: free() is false (lock.py:16): owner = c1 is not none   (lock.py:20)"
    assert told["why leave c2"] == ["leave(c2) is disabled: c2 is not in inside = {c1}   (lock.py:26)"]
    assert told["why leave c1"] == ["leave(c1) is enabled"]
    assert told["? owner == c2"] == ["owner == c2 is false: owner = c1 is not c2"]
    assert told["why nothing"] == ["there is no action nothing"]
    assert told["why leave c3"] == ["nothing in the model is called c3", "Values are: c1, c2."]


def test_a_saved_run_is_a_trace_that_replay_confirms(stepping: Any, checker: Any, lock: str) -> None:
    """A run that breaks a property shows it; any other is a run."""
    stepping(f"{lock}:Careless", commands="1\nsave one.json\n1\nsave two.json\nsave no/where.json\n")
    assert (read_trace("one.json").kind, read_trace("two.json").kind, read_trace("two.json").property) == (
        "reachable",
        "invariant",
        "alone",
    )
    for file in ("one.json", "two.json"):
        assert "CONFIRMED" in checker("replay", file).out
    assert checker("explain", "two.json").code == 0


def test_a_saved_run_keeps_the_actions_that_were_chosen(stepping: Any, write: Any) -> None:
    """Two actions with the same effect are not confused."""
    text = "from checker.language import Int, Model, action, var\n\n\nclass Two(Model):\n    n = var(Int(0, 3), 0)\n"
    for name in ("first", "second"):
        text += f"\n    @action\n    def {name}(self):\n        self.n = (self.n + 1) % 4\n"
    stepping(write("two.py", text), commands="2\n1\nsave run.json\n")
    assert [s.action for s in read_trace("run.json").steps] == ["second", "first"]


def test_a_stored_trace_is_walked_through_and_left(stepping: Any, checker: Any, lock: str) -> None:
    """jump N stands at the trace's step N; a step of one's own replaces the rest."""
    checker("check", f"{lock}:Careless", "--out", "out")
    trace = next(str(p) for p in Path("out").rglob("trace.itf.json"))
    told = stepping("--trace", trace, commands="jump 2\njump 1\nleave(c1)\nrun\n")
    assert told["jump 2"][0].startswith("2  c2: take") and "alone is violated" in told["jump 2"]
    assert [line[:13] for line in told["run"]] == ["1  c1: take; ", "2  c1: leave;"]


def test_instances_that_differ_by_choice_are_told_by_their_effect(stepping: Any, write: Any) -> None:
    """One action, two choices: two numbers."""
    text = (
        "from checker.language import Int, Model, action, choose, var\n\n\nclass Pick(Model):\n    n = "
        "var(Int(0, 3), 0)\n"
    )
    text += "\n    @action\n    def pick(self):\n        self.n = choose([1, 2])\n"
    told = stepping(write("pick.py", text), commands="pick\n2\nstate\n")
    assert told[""][2:] == ["1  pick  [n: 0 → 1]", "2  pick  [n: 0 → 2]"]
    assert "several choices" in told["pick"][0] and told["state"] == ["n: 2"]


def test_an_action_that_fails_is_told_and_not_taken(stepping: Any, write: Any) -> None:
    """An increment beyond the type."""
    text = "from checker.language import Int, Model, action, var\n\n\nclass Up(Model):\n    n = var(Int(0, 1), 0)\n"
    text += "\n    @action\n    def up(self):\n        self.n = self.n + 1\n"
    told = stepping(write("up.py", text), commands="1\n1 \nrun\n")
    assert any("the action fails" in line and "up.py:9" in line for line in told["1"])
    assert len(told["run"]) == 1


def test_another_initial_state_is_chosen_by_number(stepping: Any, write: Any) -> None:
    """All initial states are listed with what differs."""
    text = (
        "from checker.language import Int, Model, action, anything, require, var\n\n\nclass Any(Model):\n    n = "
        "var(Int(0, 2), anything)\n"
    )
    text += "\n    @action\n    def down(self):\n        require(self.n > 0)\n        self.n -= 1\n"
    told = stepping(write("any.py", text), commands="start 3\ndown\nstart 4\n")
    assert (
        "start 3: n: 0 → 2" in told[""]
        and told["down"][0] == "1  down; n: 2 → 1"
        and told["start 4"] == ["there is no start 4: the model has 3 initial states"]
    )


def test_step_takes_a_model_or_a_trace(checker: Any, lock: str) -> None:
    """Neither or both is an error of the command; so is a trace that no longer fits its model."""
    assert checker("step").code == 2 and checker("step", lock, "--trace", "x.json").code == 2
    checker("check", f"{lock}:Careless", "--out", "out")
    trace = stored(next(str(p) for p in Path("out").rglob("trace.itf.json")))
    Path(lock).write_text(Path(lock).read_text().replace("return True", "return self.owner is None"), encoding="utf-8")
    import sys

    for name in [n for n in sys.modules if n == "lock" or n.startswith("model_lock")]:
        del sys.modules[name]
    with pytest.raises(UsageError, match="no longer a behaviour"):
        Session.of_trace(trace)
