"""A standalone cluster for the tests of a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.search.spark.standalone import Standalone, executors_python

PATIENT = "spark.checker.executorWait 600\n"
"""On a busy machine an executor may take longer to start than a command waits for it; a test may name other settings.
"""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Standalone]:
    """A master and two workers; what runs there uses a Python without the checker."""
    pytest.importorskip("pyspark")
    from checker.search.spark.java import NoJava, java_home

    try:
        home = java_home()
    except NoJava as error:
        pytest.skip(str(error))
    with pytest.MonkeyPatch.context() as patch:
        if home is not None:
            patch.setenv("JAVA_HOME", home)
        directory = tmp_path_factory.mktemp("cluster")
        patch.setenv("PYSPARK_PYTHON", str(executors_python(directory)))
        settings = directory / "conf"
        settings.mkdir()
        (settings / "spark-defaults.conf").write_text(PATIENT, encoding="utf-8")
        patch.setenv("SPARK_CONF_DIR", str(settings))
        there = Standalone(directory)
        try:
            there.start("127.0.0.1", "127.0.0.2")
            yield there
        finally:
            there.stop()
