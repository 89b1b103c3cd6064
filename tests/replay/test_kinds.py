"""A class is labelled by what it is: an edit, a reading, a repair, a protocol with a source of its own."""

from __future__ import annotations

import pytest

from checker.analysis.check import check
from checker.catalogue import find
from checker.language import Int, action, invariant, require, var
from checker.language.model import Model
from checker.replay.base import compared_with, kind_of
from checker.report.wording import caption, former_line
from checker.trace.trace import Trace


class Count(Model):
    """A number is counted up to 2. It begins with 0."""

    number = var(Int(0, 3), 0)

    @action
    def up(self):
        require(self.number < self.most())
        self.number += 1

    def most(self) -> int:
        return 2

    @invariant
    def small(self) -> bool:
        return self.number < 3


class Edited(Count):
    """EDIT: up to 3."""

    def most(self) -> int:
        return 3


class Read(Count):
    """The reading in which 3 is counted (Section 2). It is not ours."""

    def most(self) -> int:
        return 3


class Of(Read):
    """READING of Section 2: 3 is counted."""


class Mended(Read):
    """The smallest repair of Read: no number is counted twice."""


class More(Mended):
    """Also 3 is counted."""


class Undeclared(Count):
    """Up to 3."""

    def most(self) -> int:
        return 3


def traced(cls: type[Model]) -> Trace:
    (found,) = [p.trace for p in check(cls, cls.__name__, engine="interpreter").properties]
    assert found is not None
    return found


@pytest.mark.parametrize(
    "cls, kind, told",
    [
        (Edited, "edit", "up to 3."),
        (Read, "reading", "3 is counted (Section 2)."),
        (Of, "reading", "of Section 2: 3 is counted."),
        (Mended, "repair", "The smallest repair of Read: no number is counted twice."),
        (More, "repair", "Also 3 is counted."),
        (Undeclared, "edit", "Up to 3."),
    ],
)
def test_the_label_of_a_class_is_what_its_docstring_declares(cls: type[Model], kind: str, told: str) -> None:
    """A word in capitals, or "The reading in which"; what begins with "Also" adds to what its base is."""
    assert kind_of(cls) == kind and kind_of(Count) == "protocol"
    assert [line for line in caption(traced(cls)) if line[0] in ("edit", "reading", "repair", "protocol")] == [
        (kind, told)
    ]


def test_a_run_that_the_protocol_before_has_too_is_not_caused_by_the_repair() -> None:
    """The sentence has the same word."""
    assert former_line(traced(Mended)).startswith("Caused by an earlier change, not by the repair: Read, ")
    assert former_line(traced(Of)).startswith("Caused by an earlier change, not by the reading: Read, ")


def test_a_reading_or_a_repair_is_compared_with_its_base_by_name() -> None:
    """Only of an edit it is said what was before it."""
    assert compared_with(Edited, Count) == compared_with(Undeclared, Count) == ""
    assert compared_with(Read, Count) == compared_with(Of, Count) == "Count"
    assert compared_with(Mended, Read) == "Read"


@pytest.mark.parametrize(
    "reference, kind",
    [
        ("optimistic_destinations:SentToAllLeader", "protocol"),
        ("optimistic_multicast_1:UniqueClock", "reading"),
        ("optimistic_multicast_3:Unblocked", "repair"),
        ("vote_vectors:OneLongTailVotes", "edit"),
        ("consensus_attempts:Vote", "attempt"),
    ],
)
def test_a_shipped_class_that_declares_nothing_is_a_protocol(reference: str, kind: str) -> None:
    """It has a source of its own, whatever it derives from."""
    assert kind_of(find(reference).cls) == kind
