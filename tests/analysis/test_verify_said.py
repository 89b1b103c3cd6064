"""What `checker verify` says of an expectation that is not met: what was expected and found, and of an error of the
model what it is, with its line.  What is wrong with one file, or with the report of one expectation, is a result
beside the others."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from junitparser import Error, JUnitXml

from checker.analysis.verify import not_examined, select
from checker.language.errors import UsageError
from checker.report.suites import suite_of_expectation
from checker.results.verified import Verified
from tests.cli.commands import Ran

Checker = Callable[..., Ran]
Write = Callable[[str, str], str]

BEYOND = '''"""Counts."""
from checker.language import Int, Model, action, holds, invariant, var, violates


class Beyond(Model):
    """Counts on."""

    n = var(Int(0, 2), 0)

    @action
    def up(self):
        self.n += 1

    @invariant
    def small(self) -> bool:
        return self.n < 2

    expect = EXPECTED
'''


def test_a_model_error_is_named_with_its_line(checker: Checker, write: Write) -> None:
    """Nobody has claimed that "out of range" should hold."""
    file = write("beyond.py", BEYOND.replace("EXPECTED", 'violates("small", steps=2)'))
    ran = checker("verify", file, "--lines", "l.txt", "--junit", "j.xml")
    assert ran.code == 1 and "    model error: out of range (line 12), in 3 steps\n" in ran.out
    assert "expected violates small, found violates small and model error" in ran.out
    said = "model error: 3 is out of range Int(0, 2) (beyond.py:12), in 3 steps"
    assert Path("l.txt").read_text(encoding="utf-8") == f"beyond.py:12: error: {said} [beyond.py]\n"
    (wrong,) = [case for suite in JUnitXml.fromfile("j.xml") for case in suite if case.result]
    assert wrong.result[0].message == said and wrong._elem.get("line") == "12"


def test_what_is_not_met_is_told_from_what_was_found(checker: Checker, write: Write) -> None:
    """The line alone must not read as if the model held; a wrong number is said below it."""
    stated = 'holds(only=["small"])', 'violates("small", only=["small"], steps=3)'
    text = BEYOND.replace("self.n += 1", "self.n = (self.n + 1) % 3")
    ran = checker("verify", write("up.py", text.replace("EXPECTED", f"[{', '.join(stated)}]")))
    assert ran.code == 1
    assert [line.split("  ")[-2 if "state" in line else -1] for line in ran.out.splitlines() if "DIFFERS" in line] == [
        "expected holds, found violated",
        "violates small, but not as stated",
    ]


def test_a_property_of_the_end_that_holds_because_no_run_ends_says_so(checker: Checker, write: Write) -> None:
    """Whoever has dropped the step that ends all runs reads why the violation is gone."""
    text = BEYOND.replace("self.n += 1", "self.n = (self.n + 1) % 3").replace("@invariant", "@quiescent")
    text = text.replace(" invariant,", " quiescent,")
    ran = checker("verify", write("round.py", text.replace("EXPECTED", 'violates("small")')))
    assert ran.code == 1 and "\n    small should be violated, but holds: no state is quiescent\n" in ran.out


def folder(write: Write) -> None:
    """One model that is as expected beside files that cannot be read."""
    write("protocols/good.py", BEYOND.replace("EXPECTED", 'violates("small", only=["small"])'))
    write("protocols/imports.py", '"""Nothing."""\n\nimport nope\n')
    write("protocols/syntax.py", "def f(:\n")
    write("protocols/states.py", BEYOND.replace("EXPECTED", '[3, violates("small")]'))


def test_a_file_that_cannot_be_read_is_a_result_beside_the_others(checker: Checker, write: Write) -> None:
    """Each with its line, in every file that is written; all else is verified; exit code 2."""
    folder(write)
    ran = checker("verify", "./protocols", *"--junit j.xml --sarif s.json --json v.json --lines l.txt".split())
    assert ran.code == 2 and "as expected  protocols/good.py" in ran.out and "3 models not read" in ran.out
    places = [("protocols/imports.py", 3), ("protocols/syntax.py", 1), ("protocols/states.py", 18)]
    assert all(f"    {file}:{line}: " in ran.out for file, line in places)
    data = json.loads(Path("v.json").read_text(encoding="utf-8"))
    assert [(u["file"], u["line"]) for u in data["unread"]] == places
    assert (data["met"], data["exit_code"], data["results"][0]["met"]) == (False, 2, True)
    cases = [case for suite in JUnitXml.fromfile("j.xml") for case in suite]
    wrong = [
        (c._elem.get("file"), int(c._elem.get("line"))) for c in cases if any(isinstance(r, Error) for r in c.result)
    ]
    assert wrong == places and any(c.name == "small" and not c.result for c in cases)
    results = json.loads(Path("s.json").read_text(encoding="utf-8"))["runs"][0]["results"]
    found = [r["locations"][0]["physicalLocation"] for r in results if r["level"] == "error"]
    assert [(f["artifactLocation"]["uri"], f["region"]["startLine"]) for f in found] == places
    assert Path("l.txt").read_text(encoding="utf-8").startswith("protocols/imports.py:3: error: model file: ")


def test_the_one_file_that_is_named_and_cannot_be_read_ends_the_command(checker: Checker, write: Write) -> None:
    """With its message; of several it is a result, and a name that means nothing is an error of the command."""
    folder(write)
    alone = checker("verify", "protocols/syntax.py")
    assert alone.code == 2 and alone.err.startswith("error: protocols/syntax.py:1: not valid Python") and not alone.out
    both = checker("verify", "protocols/syntax.py", "protocols/good.py")
    assert both.code == 2 and "as expected  protocols/good.py" in both.out and not both.err
    none = checker("verify", "protocols/good.py", "protocols/god.py")
    assert none.code == 2 and "there is no file protocols/god.py" in none.err and not none.out


def test_the_comment_names_files_that_cannot_be_read(checker: Checker, write: Write) -> None:
    """Beside what the change does; the class of a file that is no Python any more is not said to be removed."""
    folder(write)
    write("protocols/syntax.py", BEYOND.replace("EXPECTED", "holds()"))
    for command in ("init -q -b main", "add -A", "-c user.name=a -c user.email=a@b commit -q -m models"):
        subprocess.run(["git", *command.split()], check=True, capture_output=True)
    write("protocols/syntax.py", "def f(:\n")
    assert checker("verify", "./protocols", "--since", "main", "--comment", "c.md").code == 2
    text = Path("c.md").read_text(encoding="utf-8")
    assert "checker: 3 models not read, their expectations are not known; no other expectation is touched\n" in text
    assert "> `protocols/syntax.py`: line 1: not valid Python: invalid syntax<br>\n> `def f(:`\n" in text


def test_an_error_while_a_report_is_made_is_the_result_of_that_expectation(
    checker: Checker, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are verified, and the files are written."""

    def failing(result: Verified, *rest: Any) -> Any:
        if result.report is not None and result.case.expectation.steps == 2:
            raise ValueError("no picture")
        return suite_of_expectation(result, *rest)

    monkeypatch.setattr("checker.cli.verify_reported.suite_of_expectation", failing)
    stated = 'violates("small", only=["small"], steps=2)', 'violates("small", only=["small"])'
    file = write("up.py", BEYOND.replace("EXPECTED", f"[{', '.join(stated)}]"))
    ran = checker("verify", file, "--junit", "j.xml")
    assert ran.code == 70 and "internal error: ValueError: no picture" in ran.out and "as expected  up.py" in ran.out
    assert [suite.errors for suite in JUnitXml.fromfile("j.xml")] == [1, 0]


def test_what_is_nested_too_deeply_is_wrong_as_written(write: Write) -> None:
    """Python gives up on it; that is no fault of the checker, which another error is."""
    case = select([write("deep.py", BEYOND.replace("EXPECTED", "holds()"))])[0][0]
    assert [not_examined(case, e).exit_code for e in (RecursionError(), UsageError("x"), KeyError("x"))] == [2, 2, 70]


EDITED = (
    BEYOND.replace("EXPECTED", 'violates("small", only=["small"])')
    + '''

class Bounded(Beyond):
    """REPAIR: up to 1."""

    @action
    def up(self):
        self.n = min(1, self.n + 1)

    expect = holds()


class Back(Bounded):
    """EDIT: as before the repair, and back to 0."""

    @action
    def up(self):
        self.n = (self.n + 1) % 3

    expect = holds()
'''
)


def git(*args: str) -> None:
    """A command of git, by nobody in particular."""
    subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e@x", *args], check=True, capture_output=True)


def test_one_line_says_why_an_expectation_is_not_met(checker: Checker, write: Write) -> None:
    """The step and the statement that decide, with file, line and values, and how the property fails; with a revision
    first the part of the source that was changed."""
    file = write("edited.py", EDITED)
    ran = checker("verify", file)
    mine, base = (EDITED[: EDITED.index(text)].count("\n") + 1 for text in ("self.n = (", "self.n = min"))
    why = (
        f"CAUSE in step 2: up sets n to 2 (edited.py:{mine}); in Bounded it sets n to 1 (edited.py:{base}); "
        "after this step in Bounded n is 1; n = 2 is not < 2"
    )
    assert ran.code == 1
    assert f"    {why}" in ran.out.splitlines()
    checker("verify", file, "--lines", "l.txt", "--sarif", "s.json")
    told = f"CAUSE in step 2: up sets n to 2 (edited.py:{mine}); in Bounded it sets n to 1 (edited.py:{base}); "
    (wrong,) = Path("l.txt").read_text(encoding="utf-8").splitlines()
    assert wrong.startswith(f"edited.py:{mine}: error: ") and told in wrong
    (result,) = json.loads(Path("s.json").read_text(encoding="utf-8"))["runs"][0]["results"]
    where = result["locations"][0]["physicalLocation"]
    assert (where["artifactLocation"]["uri"], where["region"]["startLine"]) == ("edited.py", mine)
    assert told in result["message"]["text"]
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "all")
    write("edited.py", EDITED.replace("return self.n < 2", "return self.n < 1"))
    for name in [n for n in sys.modules if n.startswith(("model_edited", "edited"))]:  # a process reads a file once
        del sys.modules[name]
    since = checker("verify", file, "--since", "HEAD")
    assert "    invariant small of Beyond changed (edited.py:16); " in since.out
