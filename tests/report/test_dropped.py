"""A message whose receiver has crashed has a line, at its sending or at the crash."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.analysis.check import check
from checker.language import Bool, Distributed, Int, Network, Process, action, const, invariant, on, require, var
from checker.report.lines import plain
from checker.report.space_time import space_time
from checker.report.text import report_lines
from checker.trace.events import Dropped
from checker.trace.itf import write_trace
from checker.trace.read_itf import read_trace
from checker.trace.trace import Trace


class Hops(Distributed):
    """The first process sends two numbers to the next; to all the second time."""

    crashes = const(1, "how many processes may crash")
    net = var(Network[Process, Int(1, 2)])
    sent = var(Int(0, 2), 0)
    late = var(Bool, False)

    @action
    def send(self, p: Process):
        require(p == self.Process[0] and self.sent < 2)
        self.sent += 1
        self.late = self.sent == 2 and self.Process[1] in self.crashed
        self.pass_on(p)

    def pass_on(self, p):
        if self.sent == 1:
            self.net.send(p, self.Process[1], 1)
        else:
            self.net.multicast(p, 2)

    @on(net)
    def receive(self, p, q, n):
        require(self.late)

    @invariant
    def in_time(self) -> bool:
        return not self.late


class Alone(Hops):
    """EDIT: the second number goes to the next process, too."""

    def pass_on(self, p):
        self.net.send(p, self.Process[1], self.sent)


def violation(cls: type[Distributed]) -> Trace:
    """The run in which the second process crashes before the second message."""
    (found,) = [p.trace for p in check(cls, cls.__name__).properties if p.trace is not None]
    return found


def test_a_message_to_a_crashed_process_is_told() -> None:
    """At its sending, where no copy comes to be, with all that have crashed; at the crash for what is in flight."""
    text = [plain(line) for line in report_lines(violation(Alone))]
    assert [line.strip() for line in text if "dropped" in line and ".py" not in line] in (
        ["1 from p1 to p2, sent at step 1, is dropped", "send 2 to p2: dropped, p2 has crashed"],
        ["send 1 to p2: dropped, p2 has crashed", "send 2 to p2: dropped, p2 has crashed"],
    )


def test_of_a_multicast_the_copies_to_others_are_sent() -> None:
    """One line says to whom, another who has crashed."""
    text = [plain(line).strip() for line in report_lines(violation(Hops))]
    assert "send 2 to p2: dropped, p2 has crashed" in text and "send 2 to p1 and p3" in text


def test_a_picture_says_it_of_a_message_of_which_no_copy_is_sent() -> None:
    """Of a multicast the arrows to others show that it is sent."""
    assert "2 to p2 is dropped" in space_time(violation(Alone)) and "is dropped" not in space_time(violation(Hops))


@pytest.mark.parametrize("cls", [Hops, Alone])
def test_a_stored_run_keeps_it(cls: type[Distributed], tmp_path: Path) -> None:
    """Read again, the run has the same events."""
    trace = violation(cls)
    write_trace(trace, tmp_path / "t.itf.json")
    read = read_trace(tmp_path / "t.itf.json")
    events = [e for s in read.steps for e in s.events if isinstance(e, Dropped)]
    assert events and events == [e for s in trace.steps for e in s.events if isinstance(e, Dropped)]
