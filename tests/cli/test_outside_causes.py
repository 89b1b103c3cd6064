"""Errors whose cause is the machine: the same words and exit code on the terminal and in each file of results."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from checker.cli.failed import outside_cause
from tests.cli.commands import Ran

Checker = Callable[..., Ran]
Write = Callable[[str, str], str]

TWO = '''
from checker.language import Int, Model, action, holds, invariant, require, var


class Two(Model):
    n = var(Int(0, 5), 0)
    m = var(Int(0, 5), 0)

    @action
    def up(self):
        require(self.n < 5)
        self.n += 1

    @action
    def side(self):
        require(self.m < 5)
        self.m += 1

    @invariant
    def alpha(self):
        """alpha stays small."""
        return self.n < 4

    @invariant
    def beta(self):
        """beta stays small."""
        return self.m < 2

    expect = holds()
'''


def no_memory(*_: object, **__: object) -> None:
    raise MemoryError("cannot reserve 1224704 bytes")


def test_too_little_memory_is_a_limit_and_no_fault_of_the_model(
    checker: Checker, lock: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 4, as of any limit; JUnit has the words of the terminal, and calls nothing a fault of the checker."""
    cause = outside_cause(MemoryError())
    assert cause is not None and cause.exit_code == 4
    monkeypatch.setattr("checker.cli.verify.verify_all", no_memory)
    ran = checker("verify", lock, "--junit", str(tmp_path / "junit.xml"))
    junit = (tmp_path / "junit.xml").read_text(encoding="utf-8")
    assert ran.code == 4 and "there is not enough memory" in ran.err
    assert "there is not enough memory" in junit and "fault of the checker" not in junit


def test_a_stopped_search_with_a_work_directory_says_how_it_is_resumed(
    checker: Checker, lock: str, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a limit, and where memory ended it: the command can be copied, whatever the name of the directory is."""
    how = f"checker resume '{here}/my work'"
    ran = checker("check", lock, "--workdir", "my work", "--max-depth", "1")
    assert ran.code == 4 and f"  resume     {how}, which" in ran.out
    with monkeypatch.context() as patch:
        patch.setattr("checker.engines.checkpointed.searched", no_memory)
        ran = checker("resume", "my work")
    assert ran.code == 4 and f"Finished levels are kept. With more memory, or with --max-memory: {how}" in ran.err
    ran = checker("resume", "my work")
    assert ran.code == 0 and "checker resume" not in ran.out
    assert "checker resume" not in checker("check", lock, "--max-depth", "1").out


def test_of_several_failing_properties_the_reason_names_its_own(checker: Checker, write: Write) -> None:
    """The shortest run is of beta: the line of the reason says so."""
    ran = checker("verify", write("two.py", TWO))
    reasons = [line.strip() for line in ran.out.splitlines() if "Not here" in line]
    assert ran.code == 1 and len(reasons) == 1
    assert reasons[0].startswith("beta: ") and "beta stays small. Not here: m = 2" in reasons[0]


def test_until_its_results_are_known_each_file_says_that_the_command_has_not_finished(
    checker: Checker, lock: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files of an earlier run do not stay, whatever ends this one: a process that is killed writes nothing."""
    files = {option: tmp_path / option for option in ("junit", "sarif", "code-quality", "json", "markdown", "lines")}
    options = [word for option, file in files.items() for word in (f"--{option}", str(file))]
    seen: list[list[bool]] = []

    def looked(*_: object, **__: object) -> None:
        seen.append(["the command has not finished" in file.read_text(encoding="utf-8") for file in files.values()])
        raise KeyboardInterrupt

    def begun(*_: object, **__: object) -> Iterator[None]:
        yield looked()

    for command, replaced, by, code, said in (
        ("verify", "checker.cli.verify.verify_all", begun, 4, "not reached"),
        ("check", "checker.cli.check.searched", looked, 130, "interrupted before"),
    ):
        for file in files.values():
            file.write_text("all is well", encoding="utf-8")
        with monkeypatch.context() as patch:
            patch.setattr(replaced, by)
            assert checker(command, lock, *options).code == code
        assert all(said in file.read_text(encoding="utf-8").replace("_", " ") for file in files.values())
    assert seen == [[True] * 6] * 2
    assert checker("check", lock, *options).code in (0, 1)
    assert not any("has not finished" in file.read_text(encoding="utf-8") for file in files.values())


def test_a_file_that_cannot_be_written_twice_is_written_once(checker: Checker, lock: str, tmp_path: Path) -> None:
    """A pipe has the results alone."""
    pipe, found = tmp_path / "pipe", list[str]()
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: found.append(pipe.read_text(encoding="utf-8")))
    reader.start()
    checker("check", lock, "--junit", str(pipe))
    reader.join(timeout=60)
    assert found and found[0].count("<testsuites") == 1 and "not finished" not in found[0]
