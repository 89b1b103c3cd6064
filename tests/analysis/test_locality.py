"""Which action reads or changes what its process cannot know, with rule, file and line."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from checker.analysis.check import examine
from checker.analysis.coverage import with_coverage
from checker.analysis.locality import distant
from checker.catalogue import find
from checker.language import Int, Map, Network, Process, Record, Set, Union, action, const, on, require, rule, var
from checker.language.define import define
from checker.language.distributed import Distributed
from checker.report.checked import check_lines
from checker.report.data import report_data
from checker.report.lines import plain
from checker.search.limits import Limits


class Telepathic(Distributed):
    """Each process counts; some steps know too much."""

    Wire = Union(Tell=Record(n=Int(0, 3)))
    limit = const(2, "how far")
    count = var(Map[Process, Int(0, 3)], 0)
    clock = var(Int(0, 3), 0)
    fixed = var(Int(0, 3), 1)
    net = var(Network[Process, Wire])

    @action
    def own(self, p: Process):
        require(self.count[p] < self.fixed)
        self.count[p] += 1

    @action
    def peek(self, p: Process):
        require(self.most() < self.limit)
        self.net.send(p, p, self.Wire.Tell(self.count[p]))

    @rule
    def most(self) -> int:
        return max(self.count[q] for q in self.Process)

    @action
    def push(self, p: Process):
        for q in self.Process:
            if q != p and self.live(q):
                self.count[q] = 3
        require(self.clock == 0 and len(self.net) == 0)
        self.clock = 1

    @on(net, Wire.Tell)
    def told(self, p, q, n):
        if n > self.count[p]:
            self.count[p] = n


def line_of(text: str) -> int:
    """The line of this file in which a text of the class stands."""
    lines, start = inspect.getsourcelines(Telepathic)
    return next(start + i for i, line in enumerate(lines) if text in line)


def told(**constants: Any) -> set[tuple[str, tuple[int, ...]]]:
    found = distant(define(Telepathic, {"processes": 2, **constants}))
    assert found is not None
    assert {f.file.rpartition("/")[2] for f in found} == {"test_locality.py"}
    return {(f.sentence, f.lines) for f in found}


def test_each_way_of_knowing_too_much_is_told_with_its_place() -> None:
    """What a process may know (its own element, its message, what never changes) is not."""
    assert told() == {
        ("peek, by most, reads count of another process", (line_of("return max"),)),
        ("push changes count of another process", (line_of("self.count[q] = 3"),)),
        ("push reads clock, which belongs to no process", (line_of("self.clock == 0"),)),
        ("push looks at what is in flight on net", (line_of("len(self.net)"),)),
    }


class Exchanged(Distributed):
    """Each tells the next; an answer has its ends exchanged."""

    Wire = Union(Tell=Record(), Ack=Record())
    net = var(Network[Process, Wire])
    told = var(Set[Process])

    @action
    def tell(self, p: Process):
        require(p not in self.told)
        self.told.add(p)
        self.net.multicast(p, self.Wire.Tell())

    @on(net, Wire.Tell)
    def hear(self, p, q):
        self.net.send(q, p, self.Wire.Ack())  # instead of p, q

    @on(net, Wire.Ack)
    def done(self, p, q):
        pass


@pytest.mark.parametrize("channels", ["unordered", "fifo"])
def test_who_sends_in_the_name_of_another_is_told(channels: str) -> None:
    """With the line of the sending; what a process sends in its own name is not."""
    found = distant(define(Exchanged, {"processes": 2, "channels": channels}))
    assert found is not None
    lines, start = inspect.getsourcelines(Exchanged)
    line = next(start + i for i, text in enumerate(lines) if "instead of p, q" in text)
    assert [(f.sentence, f.lines) for f in found if f.sight == "sends"] == [
        ("hear sends in the name of another process on net", (line,))
    ]


def test_asking_who_has_failed_is_told_where_somebody_can() -> None:
    """The step names the failure detector; that sends to a crashed process are dropped does not count."""
    assert ("push asks about faults (crashed)", (line_of("self.live(q)"),)) in told(crashes=1)


def test_attributes_of_messages_are_told_apart_from_shared_memory() -> None:
    """s_toto reads `past[m]`, which nobody but the sender of m writes, when it sends it."""
    found = distant(define(find("s_toto").cls, {"workload": (1, 1)}))
    assert found and {(f.variable, f.sight) for f in found} == {("past", "attribute")}
    assert {f.rule for f in found} >= {"", "candidates", "voters", "vote"}


def test_protocols_that_pass_messages_alone_know_nothing_else() -> None:
    for name in ("isis", "reliable_multicast", "sequencer", "causal_broadcast"):
        assert distant(define(find(name).cls, {"workload": (1, 1)})) == ()


def test_coverage_shows_it() -> None:
    """In text with file and lines, and in the data; other reports have no such field."""
    examined = examine(Telepathic, "Telepathic", {"processes": 2}, limits=Limits(max_states=100))
    report = with_coverage(examined, False)
    text = [plain(line) for line in check_lines(report, {})]
    shown = [line for line in text if "reads clock, which belongs to no process" in line]
    assert len(shown) == 1 and shown[0].endswith(f"test_locality.py:{line_of('self.clock == 0')}")
    assert len(report_data(report, {})["locality"]) == 4
    assert "locality" not in report_data(examined.report, {})
