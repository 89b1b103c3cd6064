"""Searches whose states do not fit into memory: the report of the search in memory, and nothing left behind."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from attrs import fields

from benchmarks.models import path_of
from checker.analysis.check import check
from checker.backends.native.kernel import NativeKernel
from checker.catalogue import find
from checker.engines import spilling, whole_process
from checker.engines.placement import Placement, Spill
from checker.language.define import define
from checker.language.errors import Undecided, UsageError
from checker.placed import LOCAL, placement_of
from checker.results.checked import Report
from checker.results.verdict import Verdict
from checker.search import disk, out_of_core, runs
from checker.search.limits import Limits
from checker.search.out_of_core import go_on
from checker.stored.owned import NotPrivate, private_directory
from tests.engines.spark.test_equivalence import MERGED, MODELS, natively, reported

MODEL, WHOLE_RUNS = "two_phase_commit", "consensus_attempts"


@pytest.fixture
def little(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Memory for a hundred states from the first one on; three runs are merged.  Gives a list of the bytes that each
    search beyond memory put on disk.

    What thousands of tests have left in memory is not looked through for garbage."""
    peaks: list[int] = []

    def counted(source: Any, work: Any, disk: Any, *others: Any, **options: Any) -> Any:
        try:
            return go_on(source, work, disk, *others, **options)
        finally:
            peaks.append(disk.peak)

    monkeypatch.setattr(spilling, "available_memory", lambda: 0)
    monkeypatch.setattr(spilling, "go_on", counted)
    monkeypatch.setattr(spilling, "gc", SimpleNamespace(collect=lambda: 0))
    monkeypatch.setattr(out_of_core, "LEAST_STATES", 100)
    monkeypatch.setattr(runs, "FAN", 3)
    return peaks


@pytest.fixture
def unoptimised(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels stay as they were compiled first; those of the other tests are optimised beyond memory."""
    monkeypatch.setattr(NativeKernel, "optimised", lambda kernel: kernel)


def beyond(directory: Path, **more: Any) -> Placement:
    return Placement(say=lambda _: None, spill=Spill(directory), **more)


@pytest.mark.usefixtures("unoptimised")
@pytest.mark.parametrize(
    "model", [pytest.param(m, marks=pytest.mark.thorough if i % 3 != 1 else ()) for i, m in enumerate(MODELS)]
)
def test_a_model_gives_the_same_report_beyond_memory(little: list[int], tmp_path: Path, model: str) -> None:
    """Verdicts, counts, levels, actions, outcomes and traces; one and two threads in turn.  A build takes each third
    model, and others than it takes on Spark."""
    found = reported(model, "native", beyond(tmp_path), threads=1 + MODELS.index(model) % 2)
    assert found == natively(model)
    assert little and all(little) and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("model", MERGED)
def test_states_merged_by_symmetry_are_so_beyond_memory(little: list[int], tmp_path: Path, model: str) -> None:
    """With a representative for each orbit."""
    constants = MERGED[model]
    assert reported(model, "native", beyond(tmp_path), constants) == reported(model, "native", constants=constants)
    assert little


def test_what_fits_into_memory_is_not_put_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No file is made, unless to see whether a directory that was named can be used; the report is the same."""
    monkeypatch.setattr(spilling, "go_on", None)
    assert reported(MODEL, "native", beyond(tmp_path)) == natively(MODEL)
    monkeypatch.setattr(spilling, "Disk", None)
    assert reported(MODEL, "native", Placement(say=lambda _: None, spill=Spill())) == natively(MODEL)


def full_at(place: int) -> tuple[Callable[..., int], list[int]]:
    """A replacement of os.write that fails at one call for states, and the list of these calls."""
    calls: list[int] = []
    written = os.write

    def write(handle: int, data: Any) -> int:
        if isinstance(data, memoryview):
            calls.append(len(data))
            if len(calls) == place:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return written(handle, data)

    return write, calls


@pytest.mark.parametrize("apart", [5, pytest.param(1, marks=pytest.mark.thorough)])
def test_a_disk_that_is_full_at_any_write_is_told(
    little: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, apart: int
) -> None:
    """As that, with the directory; nothing is left in it.  A build tries every fifth write."""
    constants = {"managers": 4}
    count, calls = full_at(-1)
    monkeypatch.setattr(os, "write", count)
    reported(MODEL, "native", beyond(tmp_path), constants)
    assert len(calls) > 20
    for place in range(1, len(calls) + 1, apart):
        monkeypatch.setattr(os, "write", full_at(place)[0])
        with pytest.raises(UsageError, match=f"(?s){tmp_path}: the disk is full.*--spill DIR"):
            reported(MODEL, "native", beyond(tmp_path), constants)
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("place", [1, 5, 12])
def test_a_search_that_met_a_full_disk_is_resumed(
    little: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: int
) -> None:
    """From its last whole level, in memory or beyond; the report is that of a search that ran through."""
    monkeypatch.setattr(spilling, "LEAST_MEMORY", 1)
    room, kept = tmp_path / "room", tmp_path / "kept"
    room.mkdir()
    with monkeypatch.context() as failing:
        failing.setattr(os, "write", full_at(place)[0])
        with pytest.raises(UsageError, match=f"(?s)the disk is full.*checker resume {kept}"):
            reported(MODEL, "native", beyond(room, workdir=kept), {"managers": 4})
    assert list(room.iterdir()) == []
    expected = reported(MODEL, "native", constants={"managers": 4})
    assert reported(MODEL, "native", beyond(room, workdir=kept, resume=True), {"managers": 4}) == expected


def test_a_damaged_disk_is_told(little: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bit that is read back otherwise ends the search without a verdict."""
    read = os.pread
    monkeypatch.setattr(os, "pread", lambda *place: read(*place)[:-1] + bytes([read(*place)[-1] ^ 1]))
    with pytest.raises(UsageError, match="the disk is damaged"):
        reported(MODEL, "native", beyond(tmp_path), {"managers": 4})


def test_a_limit_of_disk_is_part_of_the_verdict(little: list[int], tmp_path: Path) -> None:
    """The search ends with the counts of whole levels."""
    placement = Placement(say=lambda _: None, spill=Spill(tmp_path, 6000))
    report: Report = check(find(path_of(MODEL)).cls, MODEL, {"managers": 5}, placement=placement)
    whole = check(find(path_of(MODEL)).cls, MODEL, {"managers": 5})
    assert report.bound == "disk" and report.exit_code == 4
    assert report.levels == whole.levels[: len(report.levels)] and report.distinct == sum(report.levels)


def test_the_directory_for_temporary_files_is_the_one_named_else_var_tmp(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """/tmp may be in memory."""
    monkeypatch.delenv("TMPDIR", raising=False)
    assert disk.temporary_directory() == Path("/var/tmp")


def test_a_tmpdir_that_cannot_be_used_is_refused_before_the_search(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Python would take /tmp without a word; a directory that is named by an option is used all the same."""
    (tmp_path / "file").touch()
    cls = find(path_of(MODEL)).cls
    for name in ("gone", "file"):
        monkeypatch.setenv("TMPDIR", str(tmp_path / name))
        with pytest.raises(UsageError, match=f"TMPDIR={tmp_path / name} is not used: it is no directory"):
            check(cls, MODEL, {"managers": 3}, placement=Placement(spill=Spill()))
        with pytest.raises(NotPrivate, match="TMPDIR=.* is not used"):
            private_directory()
    assert check(cls, MODEL, {"managers": 3}, placement=beyond(tmp_path)).distinct == 288
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    assert disk.temporary_directory() == Path(tempfile.gettempdir())


@pytest.mark.parametrize(
    ("name", "message"),
    [("gone", "--spill .*gone: there is no such directory"), ("/proc", "/proc: states cannot be put there")],
)
def test_a_directory_that_cannot_be_used_is_refused_before_the_search(tmp_path: Path, name: str, message: str) -> None:
    """Also if no state would go there: memory may be full only after hours.  No work directory is made."""
    placement = beyond(tmp_path / name, workdir=tmp_path / "kept")
    with pytest.raises(UsageError, match=message):
        check(find(path_of(MODEL)).cls, MODEL, {"managers": 1}, placement=placement)
    assert list(tmp_path.iterdir()) == []


def test_a_limit_of_memory_counts_before_states_go_to_disk(little: list[int], tmp_path: Path) -> None:
    """No states are put on disk below the limit, which is 16 MB at least."""
    placement = beyond(tmp_path)
    check(find(path_of(MODEL)).cls, MODEL, limits=Limits(max_memory=1), placement=placement)
    assert little == []


@pytest.mark.thorough
@pytest.mark.usefixtures("unoptimised")
def test_a_finished_search_beyond_memory_is_resumed_within_its_memory(
    little: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its leads-to properties are decided from the levels, with little room as with much."""
    expected, kept = natively(WHOLE_RUNS), tmp_path / "kept"
    monkeypatch.setattr(spilling, "LEAST_MEMORY", 1)
    assert reported(WHOLE_RUNS, "native", beyond(tmp_path, workdir=kept)) == expected
    more = beyond(tmp_path, workdir=kept, resume=True)
    assert reported(WHOLE_RUNS, "native", more, limits=Limits(max_memory=1)) == expected
    assert reported(WHOLE_RUNS, "native", Placement(workdir=kept, resume=True, say=lambda _: None)) == expected


def test_a_graph_that_would_not_fit_is_not_made(unoptimised: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The states are in memory, their transitions would not be: the leads-to property is undecided, and is decided with
    enough memory."""
    expected, limits = natively(WHOLE_RUNS), Limits(max_memory=1 << 30)
    assert reported(WHOLE_RUNS, "native", limits=limits) == expected
    monkeypatch.setattr(whole_process, "GRAPH", 1 << 20)
    (undecided,) = (p for p in reported(WHOLE_RUNS, "native", limits=limits)["properties"] if p.reason)
    assert undecided.kind == "leads-to" and undecided.verdict is Verdict.UNKNOWN
    needed = f"the graph of {expected['transitions']:,} transitions needs {expected['transitions']}M beside the states"
    assert undecided.reason == f"leads-to properties: {needed}. Raise --max-memory, or lower the constants."


REDUCED: list[tuple[str, dict[str, Any], bool]] = [
    ("isis", {"workload": (1, 0, 0)}, False),
    ("isis", {"workload": (1, 1)}, True),
    ("isis:IgnoreAgreed", {"workload": (1, 1)}, False),
    ("reliable_multicast", {"workload": (1, 0), "crashes": 1}, False),
    ("reliable_multicast", {"workload": (1, 1), "crashes": 1}, True),
    ("sequencer:StartAtMinusOne", {"workload": (1, 1)}, False),
]
EACH_BUILD = 3


@pytest.mark.usefixtures("unoptimised")
@pytest.mark.parametrize(
    ("reference", "constants", "any_outcome"),
    [pytest.param(*c, marks=() if i == EACH_BUILD else pytest.mark.thorough) for i, c in enumerate(REDUCED)],
)
def test_a_reduced_search_gives_the_same_report_beyond_memory(
    little: list[int], tmp_path: Path, reference: str, constants: dict[str, Any], any_outcome: bool
) -> None:
    """Counts, verdicts, outcomes and runs; with choices in the states, with dropped messages, with runs that may be
    infinite, and with a violation, after which the ordinary search is beyond memory, too.  any_outcome: no property.
    """
    cls = find(reference).cls
    kept = [p.name for p in define(cls, constants).properties if p.kind in ("invariant", "quiescence")]
    reports = [
        check(cls, reference, constants, only=[] if any_outcome else kept, reduce=True, threads=n, placement=placement)
        for n, placement in ((1, Placement()), (1, beyond(tmp_path)), (2, beyond(tmp_path)))
    ]
    names = {f.name for f in fields(Report)} - {"seconds", "peak_memory", "peak_disk", "validation"}
    for report in reports[1:]:
        assert {n: getattr(report, n) for n in names} == {n: getattr(reports[0], n) for n in names}
        assert report.validation is not None
    assert len(little) >= 2 and all(little) and list(tmp_path.iterdir()) == []


@pytest.mark.thorough
@pytest.mark.usefixtures("unoptimised")
def test_a_reduced_graph_that_may_have_a_cycle_is_undecided_beyond_memory(little: list[int], tmp_path: Path) -> None:
    """A step leads back to its level: in memory it is known that there is no cycle."""
    cls, constants = find("reliable_multicast").cls, {"workload": (1, 0, 0), "losses": 1}
    assert check(cls, "", constants, only=[], reduce=True).verdict is Verdict.HOLDS
    with pytest.raises(Undecided, match="(?s)leads back to an earlier level.*Raise --max-memory"):
        check(cls, "", constants, only=[], reduce=True, placement=beyond(tmp_path))
    assert little and list(tmp_path.iterdir()) == []


def test_an_empty_name_is_not_taken_for_the_working_directory(checker: Any) -> None:
    """As of a variable of the shell that is not set: states would go where nobody looks."""
    ran = checker("check", "causal_vector_clock", "--spill", "")
    assert ran.code == 2 and "the name of the directory for states beyond memory is empty" in ran.err
    with pytest.raises(UsageError, match="is empty"):
        placement_of("native", None, " ", None, LOCAL, None, None)
