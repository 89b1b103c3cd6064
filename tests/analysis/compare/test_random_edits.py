"""Random edits of random protocols: every claim of a comparison is what two full searches by the interpreter say."""

from __future__ import annotations

import importlib.util
import itertools
import json
import sys
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from checker.analysis.compare.comparison import compare
from checker.analysis.compare.side import Side
from checker.cli.program import run
from checker.frontend.lower import lower
from checker.language.define import define
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.results.comparison import Comparison
from tests.analysis.compare.brute_force import Graph, TooLarge
from tests.analysis.compare.judged import Judge
from tests.analysis.compare.random_edits import random_edit

ALLOWED = (0, 1, 2, 4)
GIVEN: tuple[dict[str, object], ...] = ({}, {}, {"channels": "fifo"}, {"losses": 1}, {"crashes": 1}, {"duplicates": 1})
_numbers = itertools.count()


def written(seed: int, folder: Path) -> tuple[ModuleType, str]:
    """The module of a random edit, and its text."""
    text = random_edit(Random(seed))
    path = folder / f"edited_{next(_numbers)}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module, text


def comparison(
    seed: int, folder: Path, engine: str, most: int
) -> tuple[Comparison, tuple[type[Model], type[Model]], str] | None:
    """The comparison of a random edit, every second one turned round, with the two and their text; None if one of the
    two is wrong as written, or larger than it is worth."""
    module, text = written(seed, folder)
    sides = (module.Edit, module.Base) if seed % 2 else (module.Base, module.Edit)
    given = GIVEN[seed % len(GIVEN)]
    try:
        for cls in sides:
            lower(define(cls, given))
            Graph(define(cls, given, []), most)
    except (UsageError, TooLarge):
        return None
    found = compare(
        Side(sides[0], "one"),
        Side(sides[1], "two"),
        given,
        engine=engine,
        event_seconds=60,
        step_seconds=60,
        rule_seconds=60,
    )
    return found, sides, text


def judge(seed: int, folder: Path, engine: str, most: int) -> bool:
    """Whether an edit was compared; what is said of it is true."""
    found = comparison(seed, folder, engine, most)
    if found is None:
        return False
    compared, classes, text = found
    assert (faults := list(Judge(compared, classes, 8 * most).faults())) == [], f"{faults}\n{text}"
    return True


def test_what_is_said_of_random_edits_is_so(tmp_path: Path) -> None:
    """Verdicts, counts, causes, outcomes, steps, sequences of events and rules."""
    assert sum(judge(seed, tmp_path, "interpreter", 12) for seed in range(10)) >= 3


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(100, 700))
def test_what_is_said_of_many_random_edits_is_so(seed: int, tmp_path: Path) -> None:
    """The same, over more and larger pairs."""
    judge(seed, tmp_path, "interpreter", 80)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(1000, 1100))
def test_what_is_said_of_random_edits_by_compiled_code_is_so(seed: int, tmp_path: Path) -> None:
    """With the states in which rules differ, which compiled code alone looks for."""
    judge(seed, tmp_path, "native", 60)


def check_command(seed: int, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`compare` and `rules` end with a documented exit code, which is that of their JSON."""
    module, _ = written(seed, folder)
    name, out = str(module.__file__), folder / "out"
    forms = ["--json", str(folder / "c.json"), "--markdown", str(folder / "c.md"), "--out", str(out), "--all"]
    code = run(
        [
            "compare",
            name,
            f"{name}:Edit",
            "--engine",
            "interpreter",
            "--max-seconds",
            "3",
            "--events",
            "2",
            "--delays",
            "0",
            *forms,
        ]
    )
    assert code in ALLOWED, (seed, capsys.readouterr().err)
    if code != 2:
        assert json.loads((folder / "c.json").read_text())["exit_code"] == code
        assert (folder / "c.md").read_text() and (out / "comparison.html").exists()
    code = run(["rules", name, f"{name}:Edit", "--json", str(folder / "r.json")])
    assert code in ALLOWED, (seed, capsys.readouterr().err)
    assert "internal error" not in capsys.readouterr().err


def test_commands_end_as_documented_on_a_random_edit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All forms of the report."""
    check_command(3, tmp_path, capsys)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(60))
def test_commands_end_as_documented_on_many_random_edits(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All forms of the report."""
    check_command(seed, tmp_path, capsys)
