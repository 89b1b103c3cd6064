"""`find` and `outcomes` in a work directory, beyond memory and on Spark: the answers of one process in memory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from checker.engines import spilling
from checker.search import out_of_core
from checker.search.workdir import WorkDirectory
from tests.cli.commands import Ran

Checker = Callable[..., Ran]
ISIS = ("isis", "-D", "workload=1,1")
GOAL = "len(delivered[p1]) == 2"
COMMANDS = {"find": ("find", ISIS[0], GOAL, *ISIS[1:]), "outcomes": ("outcomes", *ISIS)}


def answered(checker: Checker, command: str, *more: str) -> list[str]:
    """What a command prints, but how large the sample of the interpreter was."""
    ran = checker(*COMMANDS[command], *more)
    assert ran.code == 0, ran.err
    return [line for line in ran.out.splitlines() if "the interpreter agrees" not in line]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_same_command_goes_on_with_a_stopped_search(checker: Checker, command: str) -> None:
    """From the last finished level, and again when it has ended."""
    expected = answered(checker, command)
    assert checker(*COMMANDS[command], "--workdir", "w", "--max-depth", "5").code == 4
    assert len(list(Path("w/levels").iterdir())) == 6
    for _ in range(2):
        assert answered(checker, command, "--workdir", "w") == expected


def test_a_directory_of_another_question_is_refused(checker: Checker) -> None:
    """Another predicate, other constants, and what is asked of the model's own properties."""
    answered(checker, "find", "--workdir", "w")
    other = checker("find", "isis", "len(delivered[p1]) == 1", *ISIS[1:], "--workdir", "w")
    assert other.code == 2 and "w holds a search for another state or of another model" in other.err
    for words in (("resume", "w"), ("query", "w", "SELECT 1")):
        ran = checker(*words)
        assert ran.code == 2 and "w holds a search for a state, not of the properties of isis" in ran.err, ran.err
        assert "checker find ... --workdir DIR" in ran.err
    answered(checker, "outcomes", "--workdir", "o")
    other = checker("outcomes", "isis", "-D", "workload=2,1", "--workdir", "o")
    assert other.code == 2 and "o holds a search of another model" in other.err


NEVER = """
from checker.language import Bool, Model, action, invariant, require, var


class Once(Model):
    done = var(Bool, False)

    @action
    def do(self):
        require(not self.done)
        self.done = True

    @invariant
    def never(self) -> bool:
        return True
"""


def test_a_directory_says_itself_what_its_search_is_for(checker: Checker) -> None:
    """A property of the model may be called as the one that `find` searches with."""
    Path("once.py").write_text(NEVER, encoding="utf-8")
    assert checker("find", "once.py", "done", "--workdir", "w").code == 0
    ran = checker("resume", "w")
    assert ran.code == 2 and "w holds a search for a state, not of the properties of" in ran.err
    assert checker("check", "once.py", "--property", "never", "--workdir", "c").code == 0
    assert checker("resume", "c").code == 0
    assert WorkDirectory.read("c").header["sought"] is None


@pytest.mark.parametrize("command", COMMANDS)
def test_a_reduced_search_is_resumed_by_the_same_command(
    checker: Checker, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped in memory, resumed beyond memory, and asked again; a search of all states is refused."""
    expected = answered(checker, command, "--reduce")
    ran = checker(*COMMANDS[command], "--reduce", "--workdir", "w", "--max-states", "30")
    levels = len(WorkDirectory.read("w").levels)
    assert ran.code == 4 and 1 < levels
    monkeypatch.setattr(spilling, "available_memory", lambda: 0)
    monkeypatch.setattr(spilling, "gc", SimpleNamespace(collect=lambda: 0))
    monkeypatch.setattr(out_of_core, "LEAST_STATES", 40)
    assert answered(checker, command, "--reduce", "--workdir", "w", "--spill", str(tmp_path)) == expected
    assert len(WorkDirectory.read("w").levels) > levels
    assert answered(checker, command, "--reduce", "--workdir", "w") == expected
    ran = checker(*COMMANDS[command], "--workdir", "w")
    assert ran.code == 2 and "w holds a reduced search, which leaves states out" in ran.err


@pytest.mark.parametrize("command", COMMANDS)
def test_states_beyond_memory_go_to_disk(
    checker: Checker, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ended where memory did."""
    expected, spill = answered(checker, command), tmp_path / "spill"
    spill.mkdir()
    monkeypatch.setattr(spilling, "available_memory", lambda: 0)
    monkeypatch.setattr(spilling, "gc", SimpleNamespace(collect=lambda: 0))
    monkeypatch.setattr(out_of_core, "LEAST_STATES", 100)
    ran = checker(*COMMANDS[command], "--spill", str(spill))
    assert ran.code == 0 and f"other states were put in {spill}" in ran.err
    assert answered(checker, command, "--spill", str(spill)) == expected
    assert list(spill.iterdir()) == []


def test_a_full_disk_says_how_to_go_on(checker: Checker, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With the command itself: `checker resume` takes up the model's own properties."""
    from checker.search.disk import DiskFull

    def full(*_: object, **__: object) -> None:
        raise DiskFull("the disk is full")

    monkeypatch.setattr(spilling, "available_memory", lambda: 0)
    monkeypatch.setattr(out_of_core, "LEAST_STATES", 100)
    monkeypatch.setattr(spilling, "go_on", full)
    ran = checker(*COMMANDS["find"], "--spill", str(tmp_path), "--workdir", "w")
    assert ran.code == 2 and "finished levels are kept: give the same command again" in ran.err


@pytest.mark.parametrize("command", COMMANDS)
def test_answers_are_those_of_tasks_on_spark(checker: Checker, spark: str, command: str) -> None:
    """In a work directory, which a search in this process then finds ended; and without one."""
    options = ("--engine", "spark", "--master", spark, "--handover", "0", "--partitions", "2")
    expected = answered(checker, command)
    assert answered(checker, command, *options) == expected
    assert answered(checker, command, *options, "--workdir", "w") == expected
    assert {level.shards for level in WorkDirectory.read("w").levels[1:]} == {2}
    assert answered(checker, command, "--workdir", "w") == expected
