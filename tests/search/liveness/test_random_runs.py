"""Leads-to on models nobody wrote: every engine says what an oracle says that shares nothing with them but the
interpreter's steps."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pytest

from checker.analysis.check import check
from checker.cli.program import run
from checker.language.model import Model
from checker.search.limits import Limits
from tests.language.test_random_models import load
from tests.search.liveness.comparing import Expected, differences, expected
from tests.search.liveness.fair_runs import TooLarge
from tests.search.liveness.random_runs import random_runs


def drawn(seed: int, folder: Path) -> tuple[str, type[Model], Expected] | None:
    """A random model, and what the oracle says of it; None if it has too many states."""
    text = random_runs(Random(seed))
    cls = load(text, folder)
    try:
        return text, cls, expected(cls)
    except TooLarge:
        return None


def compare(seed: int, folder: Path) -> list[str]:
    """The verdicts of the oracle; AssertionError if an engine differs."""
    found = drawn(seed, folder)
    if found is None:
        return []
    text, cls, oracle = found
    for engine, threads in (("interpreter", 1), ("native", 1 + seed % 2)):
        different = list(differences(cls, oracle, engine=engine, threads=threads))
        assert not different, f"seed {seed}, {engine}: {different}\n{text}"
    return [oracle.verdict(name) for name in oracle.judged]


def test_random_models_are_judged_as_the_oracle_judges_them(tmp_path: Path) -> None:
    """Verdicts, and runs that break what is violated: replayed, fair, as short as promised.  Both verdicts are
    frequent."""
    verdicts = [v for seed in range(9) for v in compare(seed, tmp_path)]
    assert min(verdicts.count("holds"), verdicts.count("violated")) > 4


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(1000, 3000, 100))
def test_many_random_models_are_judged_as_the_oracle_judges_them(first: int, tmp_path: Path) -> None:
    """The same of thousands."""
    verdicts = [v for seed in range(first, first + 100) for v in compare(seed, tmp_path)]
    assert min(verdicts.count("holds"), verdicts.count("violated")) > 40


def bounded(seed: int, folder: Path, engine: str) -> None:
    """With room for all states and levels the verdicts are those of the whole; with one fewer nothing is said to hold
    or to be violated."""
    found = drawn(seed, folder)
    if found is None or found[2].runs.cut or found[2].runs.wrong or len(found[2].runs.states) < 2:
        return
    _, cls, oracle = found
    states, levels = len(oracle.runs.states), max(oracle.runs.levels)
    for limits, reason in (
        (Limits(max_states=states), ""),
        (Limits(max_depth=levels + 1), ""),
        (Limits(max_states=states - 1), "states"),
        (Limits(max_depth=levels - 1), "depth"),
    ):
        if limits.max_depth == -1:
            continue
        report = check(cls, "", limits=limits, engine=engine, traces=False)
        for p in report.properties:
            if p.kind == "leads-to" and not any(
                q.verdict == "violated" and q.kind != "leads-to" for q in report.properties
            ):
                assert p.verdict == ("unknown" if reason else oracle.verdict(p.name)), (seed, limits)
                assert reason in (p.reason or "")


@pytest.mark.parametrize("engine", ["interpreter", "native"])
def test_a_limit_leaves_whole_runs_undecided(engine: str, tmp_path: Path) -> None:
    """One state or level fewer than there are, and leads-to is unknown."""
    for seed in range(4):
        bounded(seed, tmp_path, engine)


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(3000, 3300, 50))
def test_limits_leave_whole_runs_of_many_models_undecided(first: int, tmp_path: Path) -> None:
    """The same of hundreds, by compiled code."""
    for seed in range(first, first + 50):
        bounded(seed, tmp_path, "native")


def told(seed: int, folder: Path, capsys: pytest.CaptureFixture[str]) -> int | None:
    """What the command says of a model, and of the runs that it stored; its exit code."""
    found = drawn(seed, folder)
    if found is None:
        return None
    text, cls, oracle = found
    file, out = Path(str(cls.__module__)).with_suffix(".py"), folder / "report"
    shutil.rmtree(out, ignore_errors=True)
    code = run(["check", f"{folder / file}:Generated", "--all", "--out", str(out)])
    shown = capsys.readouterr().out
    verdicts = {name: oracle.verdict(name) for name in oracle.judged}
    if not (oracle.runs.wrong or "always" in text):
        assert code == (
            1
            if "violated" in verdicts.values()
            else 4
            if "unknown" in verdicts.values()
            else 0
            if oracle.runs.states
            else 3
        ), text
    for name, verdict in verdicts.items():
        said = next(line for line in shown.splitlines() if name in line)
        assert {"holds": "holds", "violated": "VIOLATED", "unknown": "unknown"}[verdict].lower() in said.lower(), shown
    for stored in sorted(out.glob("**/trace.itf.json")):
        assert run(["replay", str(stored)]) == 0, capsys.readouterr().out + text
    capsys.readouterr()
    return code


def test_the_command_says_what_the_oracle_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code and text; the stored runs are confirmed."""
    assert {told(seed, tmp_path, capsys) for seed in range(20, 25)} >= {0, 1}


@pytest.mark.thorough
def test_the_command_says_what_the_oracle_says_of_many(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same of more, with constraints among them."""
    assert {told(seed, tmp_path, capsys) for seed in range(4000, 4150)} >= {0, 1, 4}
