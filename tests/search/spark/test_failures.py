"""What a task failed with decides what happens next, whatever its message is about."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from checker.search.folders import WorkDirectoryError, folder_at
from checker.search.spark.bootstrap import noted
from checker.search.spark.cluster import connect
from checker.search.spark.failures import NoRoom, TasksFailed, failed
from checker.search.workdir import DamagedWorkDirectoryError, read_level

pytest.importorskip("pyspark")

TALK = "WorkDirectoryError: SPARK-24819 ConnectionError PYTHON_VERSION_MISMATCH"


def failure(spark: str, function: Callable[[Any, int], Any], argument: Any, gang: bool) -> Any:
    """The error of function(argument, 0) in a task, as the driver of a search gets it."""
    tasks = connect(spark)
    if gang:
        running = tasks.start(function, argument, 1)
        running.thread.join(60)
        return running.error
    with pytest.raises((WorkDirectoryError, TasksFailed)) as error:
        tasks.run(function, argument, 1)
    return error.value


@pytest.mark.parametrize("gang", [False, True])
def test_a_work_directory_that_tasks_cannot_use_is_told_as_such(spark: str, gang: bool, tmp_path: Path) -> None:
    """Another attempt would end in the same way."""
    found = failure(spark, read_level, folder_at(tmp_path / "elsewhere"), gang)
    assert type(found) is WorkDirectoryError and "is not there on" in str(found)


@pytest.mark.parametrize("gang", [False, True])
def test_a_message_about_an_error_is_not_that_error(spark: str, gang: bool) -> None:
    """int(TALK, 0) is a ValueError with the text in its message."""
    found = failure(spark, int, TALK, gang)
    assert type(found) is TasksFailed and TALK in str(found) and not found.consequence


@pytest.mark.parametrize(
    "error, kind, consequence, message",
    [
        (ConnectionResetError(104, "reset"), TasksFailed, True, "[Errno 104] reset"),
        (DamagedWorkDirectoryError("damaged;\nrestore it"), WorkDirectoryError, False, "damaged;\nrestore it"),
        (MemoryError(), TasksFailed, False, "MemoryError"),
    ],
)
def test_an_error_keeps_its_base_class_and_its_message(
    error: Exception, kind: type[Exception], consequence: bool, message: str
) -> None:
    """Through the text of a traceback, which is all that the driver gets."""
    noted(error)
    found = failed(RuntimeError("".join(traceback.format_exception(error)) + "\n\tat org.apache.spark.Task"))
    assert (type(found), getattr(found, "consequence", False), str(found)) == (kind, consequence, message)


@pytest.mark.thorough  # Spark looks 40 times, a second apart
def test_a_gang_larger_than_the_master_is_told_by_the_class_of_sparks_error(spark: str) -> None:
    """Executors that are gone for good leave too little room; the search then goes on with fewer."""
    tasks = connect(spark)
    running = tasks.start(int, TALK, tasks.slots + 1)
    running.thread.join(60)
    with pytest.raises(NoRoom):
        running.failure()
