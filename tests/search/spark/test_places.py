"""Where the tasks of a search run: each shard on an executor of its own, as long as that is there."""

from __future__ import annotations

from checker.search.spark.cluster import connect
from checker.search.spark.session import executors_of


def test_a_shard_prefers_the_same_executor_at_each_level(executors: str) -> None:
    """Four shards on two executors: two on each, which Spark knows from the partitions of the stage."""
    tasks = connect(executors)
    there = executors_of(tasks.context)
    stages = tasks.recurring(int, None, 4, 60.0)
    scheduler, numbers = tasks.context._jsc.sc(), stages.numbers._jrdd.rdd()
    found = [str(scheduler.getPreferredLocs(numbers, shard).mkString()) for shard in range(4)]
    assert len(there) == 2
    assert found == [f"executor_{there[shard % 2][1]}_{there[shard % 2][0]}" for shard in range(4)]
