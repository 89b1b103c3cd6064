"""What a task failed with decides what happens next, whatever its message is about."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from checker.search.folder_errors import FullWorkDirectoryError, WorkDirectoryError
from checker.search.folders import folder_at
from checker.search.spark.bootstrap import noted
from checker.search.spark.cluster import connect
from checker.search.spark.failures import TasksFailed, failed
from checker.search.workdir import DamagedWorkDirectoryError, read_level

pytest.importorskip("pyspark")

TALK = "WorkDirectoryError: SPARK-24819 ConnectionError PYTHON_VERSION_MISMATCH"


def failure(spark: str, function: Callable[[Any, int], Any], argument: Any) -> Any:
    """The error of function(argument, 0) in a task, as the driver of a search gets it."""
    tasks = connect(spark)
    with pytest.raises((WorkDirectoryError, TasksFailed)) as error:
        tasks.run(function, argument, 1)
    return error.value


def test_a_work_directory_that_tasks_cannot_use_is_told_as_such(spark: str, tmp_path: Path) -> None:
    """Another attempt would end in the same way."""
    found = failure(spark, read_level, folder_at(tmp_path / "elsewhere"))
    assert type(found) is WorkDirectoryError and "is not there on" in str(found)


def test_a_message_about_an_error_is_not_that_error(spark: str) -> None:
    """int(TALK, 0) is a ValueError with the text in its message."""
    found = failure(spark, int, TALK)
    assert type(found) is TasksFailed and TALK in str(found)


@pytest.mark.parametrize(
    "error, kind, message",
    [
        (ConnectionResetError(104, "reset"), TasksFailed, "[Errno 104] reset"),
        (DamagedWorkDirectoryError("damaged;\nrestore it"), WorkDirectoryError, "damaged;\nrestore it"),
        (FullWorkDirectoryError("full"), FullWorkDirectoryError, "full"),
        (MemoryError(), TasksFailed, "MemoryError"),
    ],
)
def test_an_error_keeps_its_base_class_and_its_message(error: Exception, kind: type[Exception], message: str) -> None:
    """Through the text of a traceback, which is all that the driver gets."""
    noted(error)
    found = failed(RuntimeError("".join(traceback.format_exception(error)) + "\n\tat org.apache.spark.Task"))
    assert (type(found), str(found)) == (kind, message)
