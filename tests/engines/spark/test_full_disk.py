"""A local disk that is full of spilled states: the message says so, on which machine, and how to go on."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import define, field

from benchmarks.models import TWO_PHASE_COMMIT
from checker.engines import spark as engine
from checker.engines.placement import Placement
from checker.language.errors import UsageError
from checker.search import disk
from checker.search.folders import Folder, LocalFolder
from checker.search.spark.bootstrap import noted
from checker.search.spark.failures import failed
from tests.engines.spark.test_spark_engine import case, natively, on_spark
from tests.search.spark.tasks import HereStages, HereTasks
from tests.search.spark.test_work_directory import told


@define
class Context:
    """As much of a SparkContext as a search wants to know."""

    master: str = "local[1]"


@define
class OneWorker(HereTasks):
    """One task slot, in this process; errors come to the driver as they come from executors."""

    slots: int = 1
    beside: int = 1
    context: Context = field(factory=Context)

    def run(self, function: Callable[[Any, int], Any], argument: Any, count: int, _: Folder | None = None) -> list[Any]:
        try:
            return super().run(function, argument, count)
        except Exception as error:
            noted(error)
            raise failed(RuntimeError("\n".join(error.__notes__))) from None

    def recurring(self, function: Callable[[Any, Any, int], Any], fixed: Any, count: int, silence: float) -> HereStages:
        return HereStages(self, function, fixed, count)


@pytest.mark.parametrize("master", ["local[1]", "spark://host:7077"])
def test_a_full_local_disk_is_told_and_the_search_is_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, master: str
) -> None:
    """With the command that takes it up; of a cluster also where another directory is named."""
    written, definition = os.write, case(TWO_PHASE_COMMIT, {"managers": 6})
    calls: list[int] = []

    def full(handle: int, data: Any) -> int:
        calls.append(handle)
        if len(calls) > 3:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return written(handle, data)

    monkeypatch.setattr(engine, "connect", lambda *_: OneWorker())
    placement = Placement(tmp_path / "w", master=master, partitions=1, handover=0, worker_memory=1 << 20)
    with monkeypatch.context() as failing:
        failing.setattr(disk.os, "write", full)
        with pytest.raises(UsageError) as told_so:
            on_spark(definition, TWO_PHASE_COMMIT, placement)
    message = str(told_so.value)
    assert len(calls) == 4, "another attempt would meet the same full disk"
    assert "the disk is full, with" in message and f"(machine {os.uname().nodename})" in message
    assert f"checker resume {tmp_path / 'w'}" in message
    assert ("spark.local.dir" in message) == master.startswith("spark:")
    notes: list[Any] = []
    more = Placement(tmp_path / "w", True, master, 1, 0, 1 << 20, note=notes.append)
    assert told(on_spark(definition, TWO_PHASE_COMMIT, more)) == told(natively(definition))
    assert notes[0].spilled > 0


@pytest.mark.parametrize("method, most", [("create", 30), ("publish", 8)])
def test_a_full_work_directory_is_told_and_the_search_is_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str, most: int
) -> None:
    """Files of tasks or of the driver: the message has the command that takes the search up."""
    definition, made = case(TWO_PHASE_COMMIT, {"managers": 5}), list[str]()

    def full(folder: LocalFolder, name: str, *more: Any) -> Any:
        made.append(name)
        if len(made) > most:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return as_before(folder, name, *more)

    as_before = getattr(LocalFolder, method)
    monkeypatch.setattr(engine, "connect", lambda *_: OneWorker())
    placement = Placement(tmp_path / "w", master="local[1]", partitions=1, handover=0)
    with monkeypatch.context() as failing:
        failing.setattr(LocalFolder, method, full)
        with pytest.raises(UsageError) as told_so:
            on_spark(definition, TWO_PHASE_COMMIT, placement)
    assert len(made) == most + 1, "another attempt would meet the same full disk"
    message = str(told_so.value)
    assert f"{tmp_path / 'w'}" in message and "the disk is full" in message
    assert f"Make room there, and go on: checker resume {tmp_path / 'w'}" in message
    more = Placement(tmp_path / "w", True, "local[1]", 1, 0)
    assert told(on_spark(definition, TWO_PHASE_COMMIT, more)) == told(natively(definition))
