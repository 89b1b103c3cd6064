"""The mutation script: what it changes, what kills a mutant, what survives, and what an answer is."""

from __future__ import annotations

import ast
import os
from pathlib import Path
from typing import Any

import attrs
import pytest

from tests.mutation import attempt, results, suites
from tests.mutation.changes import changed, changes
from tests.mutation.covered import Covering, order
from tests.mutation.forked import Ended, forked
from tests.mutation.mutants import PACKAGES, ROOT, Mutant, difference, drawn, files, of_file

TOY = "tests/mutation/toy/clamp.py"
CHECKS = ROOT / "tests/mutation/toy/check_clamp.py"
PARTS = 4
"""Of the answers, each a test."""


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> attempt.Tests:
    """The tests of the toy module, recorded."""
    os.environ.pop("PYTEST_ADDOPTS", None)
    return attempt.Tests({}, {}, suites.recorded_of(CHECKS, tmp_path_factory.mktemp("recorded")))


def _mutant(before: str, after: str) -> Mutant:
    (found,) = [m for m in of_file(TOY, "toy") if difference(m) == (before, after)]
    return found


def test_each_test_is_recorded_with_the_lines_it_executes(toy: attempt.Tests) -> None:
    """The loop of halvings is executed by one test of three."""
    line = next(i for i, text in enumerate((ROOT / TOY).read_text().splitlines(), 1) if "//=" in text)
    assert len(toy.suite) == 3
    assert [c.name.split("::")[1] for c in toy.suite if c.lines[TOY] >> line & 1] == [
        "test_numbers_are_halved_until_one_is_left"
    ]


def test_a_mutant_that_a_test_notices_is_killed_by_that_test(toy: attempt.Tests) -> None:
    """The file itself is as before."""
    before = (ROOT / TOY).read_bytes()
    result = attempt.attempt(_mutant("count += 1", "pass"), toy, [])
    assert (result.verdict, result.noticed.split("::")[1]) == (
        results.KILLED,
        "test_numbers_are_halved_until_one_is_left",
    )
    assert (ROOT / TOY).read_bytes() == before


@pytest.mark.thorough
def test_a_mutant_that_no_test_notices_survives_until_it_is_answered(
    toy: attempt.Tests, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bound that becomes itself: no test can notice it, and an answer says so."""
    mutant = _mutant("if number < low:", "if number <= low:")
    ended: list[Ended] = []

    def once(*of: Any) -> Ended:
        """All tests pass again the second time, so they are run the first time only."""
        ended.append(ended[0] if ended else forked(*of))
        return ended[-1]

    monkeypatch.setattr(attempt, "forked", once)
    assert attempt.attempt(mutant, toy, []).verdict == results.SURVIVED
    assert f"--only '{mutant.name}'" in results.survivor(mutant) and "+ if number <= low:" in results.survivor(mutant)
    answer = results.Answer(
        TOY, "clamp", "compare", "if number < low:", "if number <= low:", "The bound itself becomes itself."
    )
    assert attempt.attempt(mutant, toy, [answer]).verdict == results.ANSWERED


@pytest.mark.thorough
def test_a_mutant_that_does_not_end_is_killed_by_its_time(toy: attempt.Tests, monkeypatch: pytest.MonkeyPatch) -> None:
    """Halving is left out of the loop."""
    monkeypatch.setattr(attempt, "ALLOWED", 1.0)
    assert attempt.attempt(_mutant("number //= 2", "pass"), toy, []).verdict == results.TIME


def test_a_mutant_that_ends_the_process_is_killed(toy: attempt.Tests) -> None:
    """A signal is noticed as a failed test is."""
    result = attempt.attempt(_mutant("if number > 1000:", "if True:"), toy, [])
    assert (result.verdict, result.noticed) == (results.KILLED, "signal SIGABRT")


def test_texts_annotations_and_assertions_are_not_changed() -> None:
    """What is left is a condition and a number."""
    source = (
        'def f(x: Literal[1]) -> int:\n    """Two."""\n    assert x > 3, "four"\n    if x:\n        raise '
        'ValueError("five" * 6)\n    return 7\n'
    )
    made = {ast.unparse(changed(source, i)) for i, _ in enumerate(changes(ast.parse(source)))}
    assert all("Literal[1]" in text and '"""Two."""' in text and "assert x > 3" in text for text in made)
    assert all('"five"' in text or "'five' * 6" in text or "pass" in text for text in made)
    assert any("return 8" in text for text in made) and any("if not x" in text for text in made)


@pytest.mark.parametrize("number", [6, pytest.param(24, marks=pytest.mark.thorough)])
def test_every_change_of_the_program_is_a_program(number: int) -> None:
    """A sample of all changes compiles, and differs from what it was."""
    for mutant in drawn(2, number):
        before, after = difference(mutant)
        assert before != after, mutant.name


def test_a_seed_draws_the_same_mutants_and_a_larger_drawing_begins_with_a_smaller_one() -> None:
    """So a run can be repeated and continued."""
    assert drawn(3, 20) == drawn(3, 20) == drawn(3, 40)[:20] != drawn(4, 20)
    assert {m.package for m in drawn(3, 600)} == set(PACKAGES)


def test_tests_that_execute_the_line_come_first() -> None:
    """Then those of its function, then those of its file; the quickest of each first."""
    found = [
        Covering(n, s, {"f": bits})
        for n, s, bits in (
            ("file", 0.1, 1 << 9),
            ("line", 2.0, 1 << 4),
            ("function", 0.2, 1 << 3),
            ("quick", 1.0, 1 << 4),
        )
    ]
    assert [c.name for c in order([*found, Covering("other", 0.1, {"g": 1})], "f", 4, (2, 5))] == [
        "quick",
        "line",
        "function",
        "file",
    ]
    assert {c.name for c in order(found, "types only", 4, None)} == {"quick", "line", "function", "file"}


@pytest.mark.parametrize("part", [0, *(pytest.param(n, marks=pytest.mark.thorough) for n in range(1, PARTS))])
def test_every_answer_is_about_code_that_is_there(part: int) -> None:
    """A build looks for the code of a part of them, of whole files."""
    answers = results.answers()
    files = sorted({a.file for a in answers})[part::PARTS]
    chosen = [a for a in answers if a.file in files]
    assert chosen and not results.stale(chosen)


def test_every_answer_is_given_once_with_a_reason() -> None:
    """Whether its code is there or not."""
    answers = results.answers()
    assert len({attrs.astuple(a) for a in answers}) == len(answers) and all(a.why for a in answers)


def test_an_answer_whose_code_is_gone_is_stale() -> None:
    """A line that is in no file."""
    gone = results.Answer("checker/frontend/lattice.py", "join", "negate condition", "if never:", "if always:", "")
    assert results.stale([gone]) == [gone]


def test_every_excluded_file_exists() -> None:
    """And is among the files of a package."""
    from tests.mutation.mutants import EXCLUDED

    assert all((ROOT / file).exists() for file in EXCLUDED)
    assert not EXCLUDED.keys() & {f for p in PACKAGES for f in files(p)}
    assert all(files(p) for p in PACKAGES)


@pytest.mark.thorough
def test_a_sample_of_mutants_is_noticed(tmp_path: Path) -> None:
    """Of the packages that the quickest tests cover."""
    import subprocess
    import sys

    done = subprocess.run(
        [sys.executable, "-m", "tests.mutation", "--seed", "1", "--mutants", "40", "--out", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode in (0, 1), done.stderr
    assert results.score(results.read(tmp_path / "results.jsonl")) >= 0.9
