"""Leads-to on random models, after a search on Spark: what the oracle says."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from checker.analysis.check import check
from checker.catalogue import find
from checker.engines.placement import Placement
from tests.search.liveness.comparing import expected, in_report
from tests.search.liveness.random_runs import random_runs


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(5))
def test_whole_runs_after_a_search_on_spark(spark: str, seed: int, tmp_path: Path) -> None:
    """Every level by Spark, then the graph in this process."""
    file = tmp_path / "generated.py"
    file.write_text(random_runs(Random(seed)))
    reference = f"{file}:Generated"
    cls = find(reference).cls
    report = check(
        cls,
        reference,
        engine="spark",
        stop_at_first=False,
        placement=Placement(master=spark, partitions=2, handover=0, say=lambda _: None),
    )
    assert not list(in_report(report, expected(cls)))
