"""What a check on Spark says of conditions and guards: its states stay with the workers, so the model is searched once more in the driver."""

from __future__ import annotations

from checker.catalogue import find
from checker.check import examine
from checker.coverage.command import with_coverage
from checker.coverage.states import with_states
from checker.engines.placement import Placement


def test_a_check_on_spark_says_the_same_of_conditions_and_guards(spark: str) -> None:
    """As the native engine, which keeps its states."""
    entry = find("fifo_multicast")
    reports = []
    for engine in ("spark", "native"):
        examined = examine(entry.cls, entry.reference, {"processes": 2}, engine=engine, stop_at_first=False, placement=Placement(master=spark, partitions=2, handover=0))
        reports.append(with_coverage(with_states(examined), False))
    there, here = reports
    assert here.conditions and here.guards
    assert (there.conditions, there.guards, there.findings) == (here.conditions, here.guards, here.findings)
