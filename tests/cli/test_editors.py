"""What docs/editors.md says: lines that a problem matcher reads, breakpoints, completion."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from checker.cli import checking
from checker.cli.watch import keep_checking

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "editors.md").read_text(encoding="utf-8")
MATCHER = json.loads(PAGE.partition("```json\n")[2].partition("```")[0])["tasks"][0]["problemMatcher"]
PATTERN, BACKGROUND = MATCHER["pattern"], MATCHER["background"]


def problems(lines: list[str]) -> list[tuple[str, int, str, str]]:
    """What the matcher of the page finds: file, line, severity, message."""
    matches = [m for line in lines if (m := re.search(PATTERN["regexp"], line))]
    parts = ("file", "line", "severity", "message")
    found = [tuple(m[PATTERN[part]] for part in parts) for m in matches]
    return [(file, int(line), severity, text) for file, line, severity, text in found]


def test_a_failure_is_a_line_that_the_matcher_of_the_page_reads(checker: Any, lock: str) -> None:
    """At the line that SARIF has, in a file that is there; what holds is no line."""
    found = problems(checker("check", lock, f"{lock}:Careless", "--lines", "-", "--sarif", "s.json").out.splitlines())
    results = json.loads(Path("s.json").read_text(encoding="utf-8"))["runs"][0]["results"]
    regions = [result["locations"][0]["physicalLocation"]["region"]["startLine"] for result in results]
    assert [line for _, line, _, _ in found] == regions and len(found) == 1
    ((file, _, severity, text),) = found
    assert file == lock and severity == "error" and text.startswith("alone: violated in 2 steps")
    assert checker("check", lock, "--lines", "-").out == ""


def test_what_is_not_decided_is_a_warning(checker: Any, lock: str) -> None:
    """A limit ended the search."""
    found = problems(checker("check", lock, "-D", "clients=3", "--max-depth", "1", "--lines", "-").out.splitlines())
    assert {severity for _, _, severity, _ in found} == {"warning"} and len(found) == 2


def test_files_are_seen_from_the_working_directory(checker: Any, write: Any, lock: str, monkeypatch: Any) -> None:
    """Where the editor starts the command; SARIF counts from the root of the repository."""
    Path(".git").mkdir()
    write("deep/lock.py", Path(lock).read_text(encoding="utf-8"))
    monkeypatch.chdir("deep")
    ((file, *_),) = problems(checker("check", "lock.py:Careless", "--lines", "-").out.splitlines())
    assert file == "lock.py"


def test_watching_for_an_editor_says_everything_that_is_wrong_each_time(lock: str) -> None:
    """Between the lines by which the matcher knows that a check has begun and ended."""
    said: list[str] = []
    keep_checking(f"{lock}:Careless", [], lambda text, _style: said.append(text), times=1, lines=True)
    begun, *wrong, ended = said
    assert re.search(BACKGROUND["beginsPattern"], begun) and re.search(BACKGROUND["endsPattern"], ended)
    assert [file for file, *_ in problems(wrong)] == [lock] and len(wrong) == 1
    assert not any(re.search(BACKGROUND[key], line) for line in wrong for key in ("beginsPattern", "endsPattern"))


def test_a_mistake_in_the_model_is_at_its_line(write: Any) -> None:
    """A file that cannot be read is watched, too."""
    file, said = write("wrong.py", "from checker.language import Model\n\nclass A(Model:\n"), list[str]()
    keep_checking(file, [], lambda text, _style: said.append(text), times=1, lines=True)
    ((name, line, severity, _),) = problems(said)
    assert (name, line, severity) == ("wrong.py", 3, "error")


def test_a_debugger_is_told_which_engine_stops_at_breakpoints(
    checker: Any, lock: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With compiled code; the interpreter needs no such word, and neither does who has no debugger."""
    assert "breakpoints" not in checker("check", lock).err
    monkeypatch.setattr(checking, "debugged", lambda: True)
    assert "--engine interpreter hits them in every step" in checker("check", lock).err
    assert "breakpoints" not in checker("check", lock, "--engine", "interpreter").err


def test_pdb_with_a_breakpoint_is_a_debugger(lock: str) -> None:
    """The command of the page stops in a method of the model; with compiled code the checker says what to do."""
    line = 1 + next(n for n, text in enumerate(Path(lock).read_text().splitlines(), 1) if "def take" in text)
    command = [sys.executable, "-m", "pdb", "-m", "checker", "check", lock]
    for engine, told in (("native", True), ("interpreter", False)):
        steps = f"b {Path(lock).resolve()}:{line}\nc\nq\n"
        given = [*command, "--engine", engine]
        ran = subprocess.run(given, capture_output=True, text=True, input=steps, check=False, env=os.environ)
        assert ("a debugger is attached" in ran.stderr) == told, ran.stderr + ran.stdout
        assert f"{lock}({line})take()" in ran.stdout  # natively, in the sample


@pytest.mark.parametrize("shell", re.findall(r"_CHECKER_COMPLETE=(\w+)_source", PAGE))
def test_completion_is_written_for_each_shell_of_the_page(shell: str, here: Path) -> None:
    """And what it asks the program for is answered: commands, and options of one."""
    environment = os.environ | {"_CHECKER_COMPLETE": f"{shell}_source"}
    script = subprocess.run([sys.executable, "-m", "checker"], env=environment, capture_output=True, text=True).stdout
    assert f"_CHECKER_COMPLETE={shell}_complete" in script
    if shell == "bash":
        words = {"COMP_WORDS": "checker verify --com", "COMP_CWORD": "2", "_CHECKER_COMPLETE": "bash_complete"}
        asked = [sys.executable, "-m", "checker"]
        assert (
            subprocess.run(asked, env=os.environ | words, capture_output=True, text=True).stdout == "plain,--comment\n"
        )
