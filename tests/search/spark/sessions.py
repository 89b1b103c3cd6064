"""Sessions of Spark for tests: one Java process for all of them, and one session at a time, of the master asked for.

Starting Java and Spark takes longer than most searches here.  A second session is started by the same Java process, in
a tenth of the time.  `conftest.py` puts the tests that need a session before all others, sorted by master: so one
process of pytest-xdist gets them all, starts Java once, and changes the session twice.
"""

from __future__ import annotations

import os
import sys

import pytest

MASTERS = {
    "executor": "local-cluster[1,1,1024]",  # an executor that shares nothing with the driver
    "executors": "local-cluster[2,1,1024]",  # two executors, processes that share nothing with the driver
    "eight": "local[8]",  # as many tasks at once as the largest number of partitions
    "spark": "local[2]",
}
"""The fixtures that are a master with a running session, in the order in which tests get them."""

JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
"""Java runs here for seconds: a third of its work was to optimise code that hardly runs, and to collect garbage in
several threads, a quarter of the rest to verify the byte code of Spark's classes."""

PROCESS = os.getpid()
"""Whose sessions these are: a process that is forked from it, as mutants are tried, inherits one that it cannot end."""


def quick_java() -> None:
    """Have every Java that is started from here on, in whatever process, start quickly."""
    given = os.environ.get("JDK_JAVA_OPTIONS", "")
    if JAVA not in given:
        os.environ["JDK_JAVA_OPTIONS"] = f"{JAVA} {given}".strip()  # what a user has set comes last and wins


def session_on(master: str) -> str:
    """The master, with the running session of this process; one of another master ends."""
    pytest.importorskip("pyspark")
    from pyspark.sql import SparkSession

    from checker.search.spark.cluster import connect

    active = SparkSession.getActiveSession()
    if active is not None and not _of(active.sparkContext, master):
        active.stop()
    connect(master)
    return master


def _of(context: object, master: str) -> bool:
    """Whether a context is on this master, which `connect` may have given a number of attempts: local[2,4]."""
    there = str(getattr(context, "master", ""))
    return there == master or there.startswith(master.removesuffix("]") + ",")


def end() -> None:
    """End the session, if there is one of this process."""
    if os.getpid() != PROCESS:
        return
    pyspark = sys.modules.get("pyspark.sql")  # to import it only to find that there is none takes a third of a second
    active = pyspark.SparkSession.getActiveSession() if pyspark is not None else None
    if active is not None:
        active.stop()


def first_with_spark(items: list[pytest.Item]) -> None:
    """Put tests that need a session first, by master; the rest stays as it is."""
    places = {name: place for place, name in enumerate(MASTERS)}

    def place(item: pytest.Item) -> int:
        names = getattr(item, "fixturenames", ())
        return min((places[name] for name in names if name in places), default=len(places))

    items.sort(key=place)
