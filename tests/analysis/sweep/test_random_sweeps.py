"""What `checker sweep --implied` says of models nobody wrote is what searching every configuration finds."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from checker.analysis.check import check
from checker.analysis.sweep.sweep import sweep
from checker.catalogue import find
from checker.results.sweep import Sweep
from checker.search.limits import Limits
from tests.analysis.sweep.random_sweeps import Choices, random_sweep
from tests.analysis.sweep.sweep_agreement import Way, contradictions

MOST = 20_000
"""States that a configuration may have; with a limit, kernels are compiled with few passes."""


def swept(reference: str, choices: Choices, way: Way, implied: bool) -> Sweep:
    """A sweep as it is asked for."""
    limits = Limits(max_states=MOST if way.max_states is None else way.max_states, max_depth=way.max_depth)
    return sweep(reference, choices, stop_at_first=way.stop_at_first, strict=way.strict, limits=limits, implied=implied)


def ways(random: Random, most: int, strict: bool) -> list[Way]:
    """Whole searches, those that end at a violation, and those that end at a limit; most: the states of the largest."""
    states = max(1, min(most - 1, random.choice((most // 2, most // 3, most // 10, most - 1))))
    return [
        Way("--all", strict=strict),
        Way("", stop_at_first=True, strict=strict),
        Way(f"--all --max-states {states}", strict=strict, max_states=states),
        Way(f"--max-states {states}", stop_at_first=True, strict=strict, max_states=states),
        Way("--all --max-depth", strict=strict, max_depth=random.randint(1, 4)),
    ]


def answered(seed: int, folder: Path, count: int) -> Counter[str]:
    """How many rows and verdicts of a random model were implied in so many ways; AssertionError if one is false.
    Nothing of a model with too many states."""
    random = Random(seed)
    text, choices = random_sweep(random)
    path = folder / f"swept_{seed}.py"
    path.write_text(text, encoding="utf-8")
    reference, strict = f"{path}:Generated", random.random() < 0.2
    largest = sweep(
        reference,
        [(n, v[:1] if n == "channels" else v[-1:]) for n, v in choices],
        stop_at_first=False,
        limits=Limits(max_states=MOST),
    )
    if largest.rows[0].bound is not None:
        return Counter()
    searched = swept(reference, choices, Way("", strict=strict), implied=False)
    told = Counter(models=1)
    first, *others = ways(random, max(row.distinct for row in searched.rows), strict)
    for way in (first, *random.sample(others, min(len(others), count - 1))):
        found = swept(reference, choices, way, implied=True)
        assert contradictions(searched, found, way, watched="Watched" in text) == [], (
            f"seed {seed}, {way.name}{' --strict' if strict else ''}\n{text}"
        )
        told.update(rows=len(found.rows), unsearched=sum(row.seconds == 0 for row in found.rows))
        told.update(
            implied=sum(
                p.verdict == "implied" or p.verdict == "violated" and p.steps is None
                for row in found.rows
                for p in row.properties
            )
        )
    return told


def alone(seed: int, folder: Path) -> None:
    """A row of a sweep is a check of its configuration."""
    text, choices = random_sweep(Random(seed))
    path = folder / f"alone_{seed}.py"
    path.write_text(text, encoding="utf-8")
    reference = f"{path}:Generated"
    row = Random(seed).choice(swept(reference, choices, Way(""), implied=False).rows)
    report = check(
        find(reference).cls,
        reference,
        dict(row.configuration.given),
        stop_at_first=False,
        traces=False,
        engine="interpreter",
        limits=Limits(max_states=200),
    )
    if report.bound is None:
        assert (row.verdict, row.distinct, row.transitions, row.depth) == (
            report.verdict,
            report.distinct,
            report.transitions,
            report.depth,
        )
        assert [(p.name, p.verdict, p.steps) for p in row.properties] == [
            (p.name, p.verdict, p.steps) for p in report.properties
        ]


def test_what_is_implied_of_random_models_is_what_searches_find(tmp_path: Path) -> None:
    """Four models with short searches; in most of them something is implied."""
    told = sum((answered(seed, tmp_path, 2) for seed in (1, 3, 4, 5)), Counter[str]())
    assert told["models"] >= 3 and told["unsearched"] > 0 and told["implied"] > 0


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(100, 400, 10))
def test_what_is_implied_of_many_random_models_is_what_searches_find(first: int, tmp_path: Path) -> None:
    """The same of hundreds, in every way that a sweep can be asked for."""
    told = sum((answered(seed, tmp_path, 5) for seed in range(first, first + 10)), Counter[str]())
    assert told["models"] >= 5 and told["unsearched"] > 0 and told["implied"] > told["rows"] / 20


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(30))
def test_a_row_of_a_random_model_is_a_check(seed: int, tmp_path: Path) -> None:
    """By the interpreter, with the same counts and steps."""
    alone(seed, tmp_path)
