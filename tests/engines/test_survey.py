"""Coverage of a search whose states are in files: answers are those about states in memory, and nothing is searched
again."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from checker.analysis.check import examine
from checker.analysis.coverage import with_coverage
from checker.analysis.vacuity import states
from checker.analysis.vacuity.states import with_states
from checker.backends.native.kernel import NativeKernel
from checker.catalogue import find
from checker.cli.program import run
from checker.engines import spilling, survey
from checker.engines.placement import Placement, Spill
from checker.language.errors import UsageError
from checker.results.checked import Report
from checker.search import out_of_core
from checker.search.limits import Limits

SEARCHED: dict[str, dict[str, Any]] = {
    "fifo_multicast": {"processes": 2},
    "isis": {"workload": (1, 1)},
    "causal_attached": {"processes": 2, "workload": (1, 1)},
    "basic_multicast": {"processes": 2, "crashes": 1},
}


def covered(reference: str, placement: Placement, **limits: Any) -> tuple[Report, tuple[Any, ...]]:
    """The report of a check with coverage, and what coverage adds."""
    entry = find(reference)
    options: dict[str, Any] = {"stop_at_first": False, "limits": Limits(**limits), "placement": placement}
    examined = examine(entry.cls, entry.reference, SEARCHED[reference], traces=False, **options)
    report = with_coverage(with_states(examined), False)
    return report, (report.conditions, report.guards, report.findings)


@pytest.fixture
def nothing_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """No second search; kernels stay as they were compiled first."""
    monkeypatch.setattr(states, "explore", None)
    monkeypatch.setattr(NativeKernel, "optimised", lambda kernel: kernel)


@pytest.mark.usefixtures("nothing_again")
@pytest.mark.parametrize("reference", SEARCHED)
def test_states_beyond_memory_are_asked_where_they_are(
    reference: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a work directory: in the file without a name, some states to a piece of it."""
    here, expected = covered(reference, Placement())
    monkeypatch.setattr(spilling, "available_memory", lambda: 0)
    monkeypatch.setattr(spilling, "gc", SimpleNamespace(collect=lambda: 0))
    monkeypatch.setattr(out_of_core, "LEAST_STATES", 100)
    monkeypatch.setattr(out_of_core, "PIECE_BYTES", 1 << 12)
    there, found = covered(reference, Placement(say=lambda _: None, spill=Spill(tmp_path)))
    assert there.peak_disk and here.conditions and here.guards
    assert found == expected
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("nothing_again")
@pytest.mark.parametrize("deep", [6, None], ids=["stopped", "whole"])
@pytest.mark.parametrize("reference", SEARCHED)
def test_a_search_that_was_taken_up_is_asked_in_its_files(reference: str, deep: int | None, tmp_path: Path) -> None:
    """Also of the levels that another process searched; what was not expanded does not count."""
    work = str(tmp_path / "w")
    covered(reference, Placement(work), max_depth=4)
    _, expected = covered(reference, Placement(), max_depth=deep)
    _, found = covered(reference, Placement(work, resume=True), max_depth=deep)
    assert found == expected


def test_small_pieces_of_states_in_memory_are_asked_as_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Levels and quiescent states that are cut within."""
    for reference in SEARCHED:
        _, expected = covered(reference, Placement())
        with monkeypatch.context() as patch:
            patch.setattr(survey, "CHUNK", 7)
            assert covered(reference, Placement())[1] == expected


def test_a_damaged_file_is_named_when_it_is_asked(tmp_path: Path) -> None:
    """As where a search is taken up."""
    work = tmp_path / "w"
    options = ["--workdir", str(work), "--max-depth", "6"]
    assert run(["check", "isis", "-D", "workload=1,1", *options]) == 4
    entry = find("isis")
    placement = Placement(str(work), resume=True)
    examined = examine(entry.cls, entry.reference, {"workload": (1, 1)}, placement=placement, stop_at_first=True)
    some = sorted(file for file in (work / "data").iterdir() if "-states-" in file.name)[3]
    some.write_bytes(b"\xff" * len(some.read_bytes()))
    with pytest.raises(UsageError, match=f"{some.name} is damaged"):
        with_coverage(examined, False)
