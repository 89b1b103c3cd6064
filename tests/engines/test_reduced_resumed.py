"""Reduced searches that are stopped and resumed from a work directory: the report of a search that ran through."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from attrs import evolve, fields

from checker.analysis.check import check
from checker.backends.native.kernel import NativeKernel, compile_model
from checker.catalogue import find
from checker.cli.program import run as checker
from checker.engines import spilling
from checker.engines.committed import fingerprint
from checker.engines.placement import Placement, Spill
from checker.engines.reduced import reduction
from checker.language import Bool, Process, action, anything, invariant, require, var
from checker.language.define import define
from checker.language.distributed import Distributed
from checker.language.errors import Undecided, UsageError
from checker.results.checked import Report
from checker.results.verdict import Verdict
from checker.search.breadth_first import search
from checker.search.checkpoint import Checkpoint
from checker.search.limits import Limits
from checker.search.workdir import WorkDirectory
from tests.engines.test_reduction import SMALL, lowered
from tests.engines.test_spilling import REDUCED, little

__all__ = ["little"]
COMPARED = {f.name for f in fields(Report)} - {"seconds", "peak_memory", "peak_disk", "validation"}
LOSS: tuple[str, dict[str, Any], bool] = ("reliable_multicast", {"workload": (1, 0, 0), "losses": 1}, True)
EACH_BUILD, ON_SPARK_EACH_BUILD = 2, 3


@pytest.fixture(autouse=True)
def unoptimised(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels stay as they were compiled first."""
    monkeypatch.setattr(NativeKernel, "optimised", lambda kernel: kernel)


def kept(directory: Path, resume: bool = False) -> Placement:
    return Placement(directory, resume, say=lambda _: None)


@pytest.mark.parametrize(
    ("reference", "constants", "any_outcome"),
    [pytest.param(*c, marks=() if i == EACH_BUILD else pytest.mark.thorough) for i, c in enumerate([*REDUCED, LOSS])],
)
def test_a_resumed_search_gives_the_same_report(
    tmp_path: Path, reference: str, constants: dict[str, Any], any_outcome: bool
) -> None:
    """Stopped in the middle, resumed by two threads, and asked again when it is finished: counts, verdicts, outcomes
    and runs; with choices in the states, with dropped messages, with runs that may be infinite, with a step back that
    closes no cycle, and with a violation, which the ordinary search shows each time.
    """
    cls = find(reference).cls
    only = [p.name for p in define(cls, constants).properties if p.kind in ("invariant", "quiescence")]

    def report(threads: int = 1, **how: Any) -> Report:
        return check(cls, reference, constants, only=[] if any_outcome else only, reduce=True, threads=threads, **how)

    expected, work = report(), tmp_path / "kept"
    half = (expected.reduced_before or expected.distinct) // 2
    stopped = report(placement=kept(work), limits=Limits(max_states=half))
    assert stopped.bound == "states" and 1 < len(WorkDirectory.read(work).levels) < len(expected.levels) + 1
    for threads in (2, 1):
        found = report(threads, placement=kept(work, resume=True))
        assert {n: getattr(found, n) for n in COMPARED} == {n: getattr(expected, n) for n in COMPARED}
        assert found.validation is not None


@pytest.mark.parametrize(
    ("reference", "constants"),
    [pytest.param(*s, marks=() if i % 4 == 1 else pytest.mark.thorough) for i, s in enumerate(SMALL)],
)
@pytest.mark.parametrize("drop", [False, True])
def test_every_model_of_the_tests_is_resumed_at_each_level(
    tmp_path: Path, reference: str, constants: dict[str, Any], drop: bool
) -> None:
    """One level at a time, by one thread and by two in turn: the same levels, transitions and states at rest."""
    model = lowered(reference, constants)
    kernel = compile_model(model, quick=True, reduction=reduction(model, drop))
    whole = search(kernel, stop_at_first=False)
    WorkDirectory.create(tmp_path, {}).close()
    for threads, depth in enumerate(range(len(whole.levels) + 1)):
        with WorkDirectory.open(tmp_path) as work:
            search(
                kernel,
                threads=1 + threads % 2,
                stop_at_first=False,
                checkpoint=Checkpoint(work, kernel.words),
                limits=Limits(max_depth=depth),
            )
    levels = WorkDirectory.read(tmp_path).levels
    assert [level.rows for level in levels if level.rows] == list(whole.levels)
    counters = [sum(each) for each in zip(*(level.counters for level in levels[1:]))]
    assert counters[-3:-1] == [whole.transitions, whole.quiescent]
    assert dict(levels[-1].found) == {kernel.findings.index(v.finding): v.steps for v in whole.violations}


@pytest.mark.parametrize(
    ("reference", "constants", "any_outcome"),
    [
        pytest.param(*c, marks=() if i == ON_SPARK_EACH_BUILD else pytest.mark.thorough)
        for i, c in enumerate([*REDUCED, LOSS])
    ],
)
def test_a_reduced_search_on_shards_gives_the_same_report(
    spark: str, tmp_path: Path, reference: str, constants: dict[str, Any], any_outcome: bool
) -> None:
    """From the first level on Spark, with two and three partitions; one search is kept, and resumed by the other
    engine."""
    cls = find(reference).cls
    only = [p.name for p in define(cls, constants).properties if p.kind in ("invariant", "quiescence")]

    def report(engine: str, **how: Any) -> Report:
        return check(cls, reference, constants, only=[] if any_outcome else only, reduce=True, engine=engine, **how)

    def told(found: Report) -> dict[str, Any]:
        properties = [evolve(p, trace=p.trace and evolve(p.trace, engine="")) for p in found.properties]
        names = COMPARED - {"engine", "properties"}
        return {n: getattr(found, n) for n in names} | {"properties": properties}

    def placed(partitions: int, **more: Any) -> Placement:
        quiet = {"say": lambda _: None, "handover": 0}
        return Placement(master=spark, partitions=partitions, **quiet, **more)

    expected, work = report("native"), tmp_path / "kept"
    assert told(report("spark", placement=placed(2))) == told(expected)
    half = (expected.reduced_before or expected.distinct) // 2
    assert report("native", placement=kept(work), limits=Limits(max_states=half)).bound == "states"
    assert told(report("spark", placement=placed(3, workdir=work, resume=True))) == told(expected)
    assert max(level.shards for level in WorkDirectory.read(work).levels) == 3
    assert told(report("native", placement=kept(work, resume=True))) == told(expected)


VIOLATED, WORKLOAD = "isis:IgnoreAgreed", {"workload": (1, 1)}


def test_the_search_that_shows_a_violation_is_kept_too(tmp_path: Path) -> None:
    """Stopped, it is resumed, and when it has ended it is only read: it has a directory of its own."""
    cls, given, own = find(VIOLATED).cls, {"only": ["GapFreeTotalOrder"], "reduce": True}, tmp_path / "ordinary"
    expected = check(cls, VIOLATED, WORKLOAD, **given)
    before, distinct = expected.reduced_before, expected.distinct
    assert before is not None and before < distinct

    def manifests() -> dict[str, int]:
        return {file.name: file.stat().st_mtime_ns for file in (own / "levels").iterdir()}

    check(cls, VIOLATED, WORKLOAD, placement=kept(tmp_path), limits=Limits(max_states=distinct - 1), **given)
    stopped = manifests()
    assert 1 < len(stopped) <= len(expected.levels)
    whole = []
    for _ in range(2):
        found = check(cls, VIOLATED, WORKLOAD, placement=kept(tmp_path, resume=True), **given)
        assert {n: getattr(found, n) for n in COMPARED} == {n: getattr(expected, n) for n in COMPARED}
        whole.append(manifests())
    assert whole[0] == whole[1] and stopped.items() < whole[0].items()
    assert not WorkDirectory.read(own).header["reduced"]


def test_on_spark_it_is_kept_where_tasks_see_it(spark: str, tmp_path: Path) -> None:
    """Both searches are by shard, with files in the work directory."""
    cls, given = find(VIOLATED).cls, {"only": ["GapFreeTotalOrder"], "reduce": True}
    expected = check(cls, VIOLATED, WORKLOAD, **given)
    placement = Placement(tmp_path, master=spark, partitions=3, handover=0, say=lambda _: None)
    for resume in (False, True):
        found = check(cls, VIOLATED, WORKLOAD, engine="spark", placement=evolve(placement, resume=resume), **given)
        assert (found.reduced_before, found.levels) == (expected.reduced_before, expected.levels)
        traces = [p.trace and evolve(p.trace, engine="") for p in (*found.properties, *expected.properties)]
        assert traces[0] == traces[1] is not None
    for folder in (tmp_path, tmp_path / "ordinary"):
        assert max(level.shards for level in WorkDirectory.read(folder).levels) == 3


class Ring(Distributed):
    """A token goes round for ever."""

    at = var(Process, anything)
    seen = var(Bool, False)

    @action
    def go(self, p: Process):
        require(self.at == p)
        self.at = self.Process[(p.index + 1) % len(self.Process)]

    @action
    def look(self):
        require(not self.seen)
        self.seen = True

    @invariant
    def calm(self) -> bool:
        return True


def test_a_cycle_is_refused_each_time(tmp_path: Path) -> None:
    """By the run that closes it, and by each that finds the states in the directory."""
    given: dict[str, Any] = {"reduce": True}
    stopped = check(Ring, "Ring", {"processes": 3}, placement=kept(tmp_path), limits=Limits(max_states=3), **given)
    assert stopped.verdict is Verdict.INCONCLUSIVE
    for _ in range(2):
        with pytest.raises(UsageError, match="has a cycle"):
            check(Ring, "Ring", {"processes": 3}, placement=kept(tmp_path, resume=True), **given)
    assert WorkDirectory.read(tmp_path).levels[-1].rows == 0


def test_a_search_is_resumed_as_it_began(tmp_path: Path) -> None:
    """Neither a reduced search as one of all states, nor the reverse."""
    given: dict[str, Any] = {"workload": (1, 0)}
    cls = find("basic_multicast").cls
    for reduce, message in ((True, "holds a reduced search"), (False, "holds a search of all states")):
        work = tmp_path / str(reduce)
        check(cls, "basic_multicast", given, reduce=reduce, placement=kept(work))
        with pytest.raises(UsageError, match=message):
            check(cls, "basic_multicast", given, reduce=not reduce, placement=kept(work, resume=True))


def test_the_steps_that_are_taken_are_part_of_the_search() -> None:
    """A directory whose search takes other steps is one of another search."""
    model = lowered("reliable_multicast", {"workload": (1, 0)})
    reductions = (None, reduction(model), reduction(model, drop=True))
    assert len({fingerprint(compile_model(model, quick=True, reduction=r)) for r in reductions}) == 3


@pytest.mark.parametrize(
    ("reference", "constants", "any_outcome"),
    [pytest.param(*c, marks=() if i == EACH_BUILD else pytest.mark.thorough) for i, c in enumerate(REDUCED)],
)
def test_states_beyond_memory_are_kept_in_a_work_directory(
    little: list[int], tmp_path: Path, reference: str, constants: dict[str, Any], any_outcome: bool
) -> None:
    """Stopped beyond memory, resumed beyond memory, asked again with little memory and with all of it."""
    cls, work, spill = find(reference).cls, tmp_path / "kept", tmp_path / "spill"
    only = [p.name for p in define(cls, constants).properties if p.kind in ("invariant", "quiescence")]
    spill.mkdir()

    def report(placement: Placement, limits: Limits = Limits()) -> Report:
        given: Any = {"reduce": True, "placement": placement, "limits": limits}
        return check(cls, reference, constants, only=[] if any_outcome else only, **given)

    def placed(resume: bool) -> Placement:
        return evolve(kept(work, resume), spill=Spill(spill))

    expected = report(Placement())
    half = (expected.reduced_before or expected.distinct) // 2
    assert report(placed(False), Limits(max_states=half)).bound == "states" and little
    names = COMPARED - {"peak_disk"}
    for placement in (placed(True), placed(True), kept(work, resume=True)):
        found = report(placement)
        assert {n: getattr(found, n) for n in names} == {n: getattr(expected, n) for n in names}
        assert found.validation is not None
    assert list(spill.iterdir()) == []


def test_a_cycle_beyond_memory_is_undecided_also_when_it_is_resumed(
    little: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A step leads back, and the states would not fit: undecided each time; with memory for them it is refused."""
    monkeypatch.setattr(spilling, "LEAST_MEMORY", 1)
    given: dict[str, Any] = {"reduce": True}
    for resume in (False, True):
        placement = evolve(kept(tmp_path, resume), spill=Spill(tmp_path))
        with pytest.raises(Undecided, match="(?s)leads back to an earlier level.*Raise --max-memory"):
            check(Ring, "Ring", {"processes": 100}, placement=placement, limits=Limits(max_memory=1), **given)
    with pytest.raises(UsageError, match="has a cycle"):
        check(Ring, "Ring", {"processes": 100}, placement=kept(tmp_path, resume=True), **given)


def test_the_commands_resume_and_refuse(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """`resume` needs no --reduce; questions about all states are refused, with the reason."""
    work = str(tmp_path / "w")
    model = ["basic_multicast", "-D", "workload=1,1"]
    assert checker(["check", *model, "--reduce"]) == 0
    explored = [line for line in capfd.readouterr().out.splitlines() if "reduced graph" in line]
    assert checker(["check", *model, "--reduce", "--workdir", work, "--max-states", "8"]) == 4
    capfd.readouterr()
    assert checker(["resume", work]) == 0
    assert [line for line in capfd.readouterr().out.splitlines() if "reduced graph" in line] == explored != []
    for option in ("--coverage", "--strict", "--profile"):
        assert checker(["resume", work, option]) == 2
        assert f"{option} asks about every state, and {work} holds a reduced search" in capfd.readouterr().err
    assert checker(["query", work]) == 2
    assert "holds a reduced search, which leaves states out" in capfd.readouterr().err
    assert checker(["check", *model, "--reduce", "--workdir", str(tmp_path / "v"), "--keep-graph"]) == 2
    assert "--keep-graph asks about every state" in capfd.readouterr().err
