"""A value that a violation misses: the step in which a test passed it over is what the violation contradicts."""

from __future__ import annotations

from enum import Enum
from pathlib import Path

from checker.analysis.check import check
from checker.analysis.stored_trace import explained_again
from checker.language import Bool, Seq, Set, action, invariant, require, rule, var
from checker.language.model import Model
from checker.report.directory import stored
from checker.report.wording import guilty_line
from checker.trace.trace import Trace

GALLERY = Path(__file__).resolve().parents[2] / "counterexamples"


class Part(Enum):
    """What is packed."""

    a1 = 0
    a2 = 1


class Box(Model):
    """Parts are packed in the order in which they come, a1 not behind another one: whole is violated in 3 steps."""

    packed = var(Seq[Part, 2])
    refused = var(Set[Part])
    sent = var(Set[Part])
    seen = var(Bool, False)

    @rule
    def is_late(self, x: Part) -> bool:
        return x == Part.a1 and len(self.packed) > 0

    @action
    def pack(self, x: Part) -> None:
        require(x not in self.packed and x not in self.refused)
        if x == Part.a2:
            self.seen = True
        if self.is_late(x):
            self.refused.add(x)
        else:
            self.packed.append(x)

    @action
    def send(self) -> None:
        require(len(self.packed) + len(self.refused) == 2 and len(self.sent) == 0)
        for x in self.packed:
            self.sent.add(x)

    @invariant
    def whole(self) -> bool:
        return all(Part.a1 in self.sent for x in self.sent)

    properties = []


def run_of(cls: type[Model]) -> Trace:
    report = check(cls, f"{__file__}:{cls.__name__}", engine="interpreter", only=["whole"])
    found = report.properties[0].trace
    assert found is not None
    return found


def test_the_test_that_kept_a_value_from_what_another_one_got_is_named_with_its_line() -> None:
    """The other test of this step, whether a1 is a2, keeps it from nothing that a2 got behind it."""
    run = run_of(Box)
    line = Box.pack.__code__.co_firstlineno + 5  # type: ignore[attr-defined]
    assert run.settled == 1 and run.opposite == (2,)
    assert run.opposes[0].startswith("AGAINST, step 2, pack(a1): finds is_late(a1) is true (test_passed_over.py:")
    assert run.opposes[0].endswith(f"(test_passed_over.py:{line})") and run.opposes[0] in guilty_line(run)


def test_a_stale_message_is_missing_since_the_step_that_discards_it() -> None:
    again = explained_again(stored(str(GALLERY / "stale_discard" / "FifoOrder.itf.json")))
    assert again.opposite == (17,)
    assert "decide(p2): finds stale(m1.1) is true (stale_discard.py:46): for x = m2.1: " in again.opposes[0]
