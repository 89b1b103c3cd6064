"""No stated verdict is hollow: what a model or an edit states to hold is put to the test in one of its own
configurations.

FIFO order, for instance, says nothing where each sender has one message, and total order nothing where a process
delivers one.
"""

import pytest

from checker.analysis.check import examine
from checker.analysis.coverage import with_conditions
from checker.analysis.verify import cases
from checker.catalogue import Entry, catalogue

ENTRIES = [e for e in catalogue().entries if cases(e)]


@pytest.mark.thorough
@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: e.reference)
def test_what_is_stated_to_hold_is_put_to_the_test(entry: Entry) -> None:
    """A property that holds in some stated configuration has its condition met somewhere in one of them, or is violated
    in another.  Where all that is judged is stated to be violated, nothing is searched: `checker verify` holds the
    class to it, and a state space beyond the violation may be a thousand times larger."""
    holds, judged = set[str](), set[str]()
    for case in cases(entry):  # of the thorough ones each has a smaller one beside it
        expected = case.expectation
        only = None if expected.only is None else list(expected.only)
        if only is not None and set(only) <= set(expected.violated):
            judged |= set(expected.violated)
            continue
        examined = examine(entry.cls, entry.reference, dict(expected.at), only=only, stop_at_first=False, traces=False)
        report = with_conditions(examined, False)
        never = {f.subject for f in report.findings if f.kind == "never-tested"}
        here = {p.name for p in report.properties if p.verdict == "holds"}
        holds |= here
        judged |= {p.name for p in report.properties if p.verdict != "holds"} | here - never
    assert holds <= judged
