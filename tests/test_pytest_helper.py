"""Expected verdicts as tests of somebody's repository."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.models import TWO_PHASE_COMMIT
from checker.pytest_plugin import model_tests
from tests.cli import protocols

TESTS = '"""Models."""\nfrom checker.pytest_plugin import model_tests\n\ntest_models = model_tests("protocols/*.py")\n'


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with one model file and one line of tests."""
    (tmp_path / "protocols").mkdir()
    (tmp_path / "protocols" / "lock.py").write_text(protocols.LOCK, encoding="utf-8")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_models.py").write_text(TESTS, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    return tmp_path


def test_each_expectation_is_a_test_and_an_unmet_one_fails_with_its_counterexample(repository: Path) -> None:
    """Four expectations, one of them wrong: three pass, one fails, showing the trace; its reports are written."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--checker-report", "report"]
    ran = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)
    assert "3 passed" in ran.stdout and "1 failed" in ran.stdout, ran.stdout
    assert "alone should hold, but is violated in 2 steps" in ran.stdout and "take" in ran.stdout
    assert "  expected holds, found violated\n" in ran.stdout
    stored = list((repository / "report").rglob("trace.itf.json"))
    assert stored and f"replay: checker replay {stored[0].relative_to(repository)}" in ran.stdout


def test_a_counterexample_of_a_test_that_keeps_no_reports_names_no_file(repository: Path) -> None:
    """There is none to replay."""
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"],
        cwd=repository,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "replay: --out DIR keeps the run" in ran.stdout and "trace.itf.json" not in ran.stdout


def test_the_expectation_of_an_edit_that_changes_nothing_fails(repository: Path) -> None:
    """It says nothing about the edit."""
    same = '\n\nclass Same(Lock):\n    """EDIT: forgotten."""\n\n    expect = holds()\n'
    (repository / "protocols" / "lock.py").write_text(protocols.LOCK + same, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-k", "Same"]
    ran = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)
    assert "1 failed" in ran.stdout and "met only vacuously: Same is the same as Lock" in ran.stdout, ran.stdout


@pytest.mark.parametrize("tests", [TESTS, TESTS.replace("*.py", 'broken.py", "protocols/lock.py')])
def test_a_model_that_cannot_be_read_is_one_failing_test_and_the_others_are_collected(
    repository: Path, tests: str
) -> None:
    """The failure has the place and the reason, without a traceback and without a path of this machine."""
    (repository / "protocols" / "broken.py").write_text(
        "from checker.language import Model\n\nclass Broken(Model):\n    n = [1\n", encoding="utf-8"
    )
    (repository / "tests" / "test_models.py").write_text(tests, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rf"]
    ran = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)
    assert "3 passed" in ran.stdout and "2 failed" in ran.stdout, ran.stdout
    assert "FAILED tests/test_models.py::test_models[protocols/broken.py]" in ran.stdout
    assert "protocols/broken.py:4" in ran.stdout and "'[' was never closed" in ran.stdout
    assert "Traceback" not in ran.stdout and f"{repository}/protocols" not in ran.stdout


def test_a_reference_that_means_nothing_is_an_error() -> None:
    """A typing error is no test that may be deselected."""
    with pytest.raises(pytest.UsageError, match="there is no model issis"):
        model_tests("issis")


def test_expectations_marked_thorough_carry_the_mark() -> None:
    """So that quick runs can leave them out."""
    parameters = model_tests(TWO_PHASE_COMMIT).pytestmark[0].args[1]
    marks = {p.id: [m.name for m in p.marks] for p in parameters}
    assert marks["benchmarks/models/two_phase_commit.py managers=3"] == []
    assert marks["benchmarks/models/two_phase_commit.py managers=8"] == ["thorough"]


def test_the_name_of_a_case_has_no_place_of_this_machine_and_no_number(tmp_path: Path) -> None:
    """Constants are in it; of expectations with the same constants what they expect, whatever else is stated."""
    text = """from checker.language import Int, Model, action, holds, invariant, require, var, violates

class Up(Model):
    n = var(Int(0, 9), 0)

    @action
    def up(self):
        require(self.n < 9)
        self.n += 1

    @invariant
    def small(self) -> bool:
        return self.n < 3

    @invariant
    def least(self) -> bool:
        return self.n >= 0

    expect = [EXPECTED]
"""
    more = ['violates("small")', 'violates("small", only=["small"])', 'holds(only=["least"])']
    for file, stated in (("one.py", more[:1]), ("three.py", more), ("other.py", more[::-1])):
        (tmp_path / file).write_text(text.replace("EXPECTED", ", ".join(stated)), encoding="utf-8")
    cases = [f"{tmp_path}/{file}" for file in ("one.py", "three.py", "other.py")]
    names = [[p.id.rsplit("/", 1)[-1] for p in model_tests(file).pytestmark[0].args[1]] for file in cases]
    three = {"three.py [violates small]", "three.py [violates small of small]", "three.py [holds of least]"}
    assert names[0] == ["one.py"] and set(names[1]) == three
    assert {name.replace("other", "three") for name in names[2]} == three


def test_a_pattern_that_matches_nothing_is_an_error() -> None:
    """A typing error does not become an empty test."""
    with pytest.raises(pytest.UsageError, match="Patterns count from pytest's root directory"):
        model_tests("no_such_directory/*.py")
