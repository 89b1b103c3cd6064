"""Damaged files: the same counts and verdict as before, or exit code 2 with the file's name; never a crash, never
another count.

Every file that the program reads back is damaged: cached machine code, each file of work directories at several stages,
written by one process and by several shards, traces and their models.  The normal run takes a slice that turns with the
days; the marker `thorough` takes thousands and prints what became of them.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.damage.forked import Trial, run
from tests.damage.kinds import Kind, kinds
from tests.damage.trials import HARMLESS, MADE_AGAIN, REFUSED, Asked, asked, judged

SEED = 16
SLICE, OF_EACH, PARTS = 12, 260, 25
DAY = int(time.time() // 86400)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Kind, ...]:
    """All kinds of files, undamaged."""
    return tuple(kinds(tmp_path_factory.mktemp("damage")))


def answers(made: Sequence[Kind], chosen: Sequence[Asked]) -> list[str]:
    """What became of each damage."""
    asked = {a.trial.kind for a in chosen}
    needed = [kind for kind in made if kind.name in asked]
    undamaged = [Trial(kind.name, "nothing damaged", kind.pristine, {}, kind.commands) for kind in needed]
    every = run([*undamaged, *(a.trial for a in chosen)])
    before = {kind.name: ended for kind, ended in zip(needed, every)}
    assert all(set(ended.codes) <= {0, 1} for ended in before.values())
    return [judged(a, before[a.trial.kind], ended) for a, ended in zip(chosen, every[len(needed) :], strict=True)]


def wrong(chosen: Sequence[Asked], answers: Sequence[str]) -> list[str]:
    """The damages after which something else happened than may."""
    return [
        f"{a.trial.kind}: {a.trial.label}: {answer}"
        for a, answer in zip(chosen, answers)
        if answer not in (HARMLESS, MADE_AGAIN, REFUSED)
    ]


def test_a_slice_of_damages_is_refused_or_without_effect(made: tuple[Kind, ...]) -> None:
    """Another slice every day; the label of a damage says how to make it again."""
    every = asked(made, SEED, OF_EACH)
    start = DAY * SLICE % len(every)
    chosen = (every + every)[start : start + SLICE]
    found = answers(made, chosen)
    assert wrong(chosen, found) == []
    assert REFUSED in found


@pytest.mark.thorough
@pytest.mark.parametrize("part", range(PARTS))
def test_thousands_of_damages_are_refused_or_without_effect(made: tuple[Kind, ...], part: int) -> None:
    """Drawn by a seed; printed are the numbers of each kind."""
    chosen = asked(made, SEED, OF_EACH)[part::PARTS]
    found = answers(made, chosen)
    numbers = Counter((a.trial.kind, answer) for a, answer in zip(chosen, found) if not answer.startswith("WRONG"))
    for (kind, answer), count in sorted(numbers.items()):
        print(f"DAMAGES {kind}: {answer}: {count}")
    assert wrong(chosen, found) == []


def test_a_damage_that_goes_unnoticed_would_be_found(made: tuple[Kind, ...], tmp_path: Path) -> None:
    """The judgement can fail: another report, an internal error, a signal, a refusal that names no file."""
    (kind,) = (k for k in made if k.name == "work directory, finished")
    trial = Trial(kind.name, "", kind.pristine, {"work/search.json": None}, kind.commands)
    good, refused = run([Trial(kind.name, "", kind.pristine, {}, kind.commands), trial])
    from attrs import evolve

    ask = Asked(trial)
    assert judged(ask, good, good) == HARMLESS and judged(ask, good, refused) == REFUSED
    assert judged(ask, good, evolve(good, report={**good.report, "distinct": 1})).startswith("WRONG")
    for ended in (
        evolve(good, codes=(70,)),
        evolve(good, codes=(-11,)),
        evolve(good, codes=()),
        evolve(refused, err="error: no"),
    ):
        assert judged(ask, good, ended).startswith("WRONG")
