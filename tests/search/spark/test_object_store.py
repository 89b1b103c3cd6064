"""A work directory in an object store: a server of S3's protocol on this machine (needs `pip install
'moto[server]'`)."""

from __future__ import annotations

import json
import subprocess
import urllib.request
from collections.abc import Iterator

import pytest

from benchmarks.models import TWO_PHASE_COMMIT
from checker.analysis.graph.query import open_graph
from checker.engines.placement import Placement
from checker.engines.registry import explore
from checker.engines.request import Request
from checker.language.errors import UsageError
from checker.search.folders import folder_at
from checker.search.limits import Limits
from checker.search.workdir import Level, WorkDirectory
from tests.engines.spark.test_spark_engine import case, natively, on_spark
from tests.search.spark.test_faults import command
from tests.search.spark.test_work_directory import told

pytest.importorskip("pyarrow")
server = pytest.importorskip("moto.server")


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    """The URL of a bucket with its keys and its endpoint, as executors need it whose environment has neither; `{}` is
    the work directory."""
    store = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    store.start()
    host, port = store.get_host_and_port()
    urllib.request.urlopen(urllib.request.Request(f"http://{host}:{port}/searches", method="PUT"), timeout=30).close()
    yield f"s3://key:secret@searches/{{}}?scheme=http&endpoint_override={host}%3A{port}&region=us-east-1"
    store.stop()


def test_a_search_in_a_store_is_taken_up_by_other_engines(spark: str, bucket: str) -> None:
    """Natively to depth 4, on Spark to 9, natively to the end: counts, findings and paths are those of one thread."""
    name, definition, url = (TWO_PHASE_COMMIT, case(TWO_PHASE_COMMIT, {"managers": 4}), bucket.format("taken-up"))
    explore(Request(definition, name, limits=Limits(max_depth=4), placement=Placement(url)))
    on_spark(definition, name, Placement(url, True, spark, 2, 0), limits=Limits(max_depth=9))
    explored = explore(Request(definition, name, placement=Placement(url, resume=True)))
    assert told(explored) == told(natively(definition))


def test_a_path_is_rebuilt_from_levels_in_a_store(spark: str, bucket: str) -> None:
    """What was sent is gone afterwards: only levels, their states and what says whose they are stay."""
    definition, url = case("basic_multicast:Ordered", {}), bucket.format("path")
    explored = on_spark(definition, "basic_multicast:Ordered", Placement(url, False, spark, 2, 0))
    assert told(explored) == told(natively(definition))
    assert folder_at(url).names() == ["driver.lock", "search.json"]
    assert (folder_at(url) / "exchange").names() == []


def test_tables_of_a_search_in_a_store(spark: str, bucket: str) -> None:
    """A local Spark reads copies; they are made once and found again by the next query."""
    definition, url = case(TWO_PHASE_COMMIT, {"managers": 3}), bucket.format("tables")
    on_spark(definition, TWO_PHASE_COMMIT, Placement(url, False, spark, 2, 0))
    counts = (
        "SELECT (SELECT count(*) FROM states), (SELECT count(*) FROM edges), (SELECT count_if(quiescent) FROM states)"
    )
    there = natively(definition)
    for _ in range(2):  # made, and found
        with open_graph(url, master=spark) as graph:
            assert graph.rows(counts).rows == ((288, there.transitions, there.quiescent),)
    assert (folder_at(url) / "exchange").names() == []
    assert "graph.json" in folder_at(url).names()


def test_the_command_line_shows_no_key(bucket: str) -> None:
    """check, resume, and a bucket that is not there: exit code 2 and a message that names the place only."""
    url = bucket.format("line")
    first = subprocess.run(
        command("check", TWO_PHASE_COMMIT, "-D", "managers=3", "--max-depth", 4, "--workdir", url),
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert first.returncode == 4
    done = subprocess.run([*command("resume", url), "--json", "-"], capture_output=True, text=True, timeout=100)
    assert json.loads(done.stdout)["distinct"] == 288
    absent = url.replace("@searches/", "@nowhere/")
    failed = subprocess.run(
        command("check", TWO_PHASE_COMMIT, "--workdir", absent), capture_output=True, text=True, timeout=100
    )
    assert failed.returncode == 2
    assert "s3://nowhere/line" in failed.stderr
    for output in (first, done, failed):
        assert "secret" not in output.stdout + output.stderr


def test_the_driver_that_opens_a_search_in_a_store_last_has_it(bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one before stops when it is about to commit a level; what it had committed stays."""
    definition, url = case(TWO_PHASE_COMMIT, {"managers": 3}), bucket.format("two-drivers")
    commit = WorkDirectory.commit

    def commit_after_another_came(self: WorkDirectory, level: Level) -> None:
        if level.number == 5:
            self.folder.claim()
        commit(self, level)

    with (
        monkeypatch.context() as patch,
        pytest.raises(UsageError, match="s3://searches/two-drivers has been taken over by another search"),
    ):
        patch.setattr(WorkDirectory, "commit", commit_after_another_came)
        explore(Request(definition, TWO_PHASE_COMMIT, placement=Placement(url)))
    assert (folder_at(url) / "levels").names() == [f"{number:05}.json" for number in range(5)]
    assert told(explore(Request(definition, TWO_PHASE_COMMIT, placement=Placement(url, resume=True)))) == told(
        natively(definition)
    )
