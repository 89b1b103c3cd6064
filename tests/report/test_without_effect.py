"""A message that a process takes without any effect is marked in the text and in the picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from checker.report.pictured import NO_EFFECT, without_effect
from checker.trace.read_itf import from_itf

PINGS = '''
from checker.language import Bool, Map, Network, Process, Record, Union, action, const, invariant, on, require, var
from checker.language.distributed import Distributed


class Pings(Distributed):
    """One process pings both; it ignores its own ping."""

    processes = const(2)
    Wire = Union(Ping=Record())
    sent = var(Map[Process, Bool], False)
    got = var(Map[Process, Bool], False)
    net = var(Network[Process, Wire])

    @action
    def ping(self, p: Process):
        require(not self.sent[p] and p == self.Process[0])
        self.sent[p] = True
        self.net.multicast(p, self.Wire.Ping())

    @on(net, Wire.Ping)
    def receive(self, p, q):
        if p != q:
            self.got[p] = True

    @invariant
    def nothing_is_lost(self) -> bool:
        return not self.sent[self.Process[0]] or len(self.net) > 0
'''


def test_taken_without_effect_is_marked_in_text_and_picture(checker: Any, write: Any) -> None:
    """Only the step that changes nothing, sends nothing and emits nothing."""
    file = write("pings.py", PINGS)
    assert checker("check", file, "--out", "out").code == 1
    folder = next(Path("out").rglob("trace.itf.json")).parent
    trace = from_itf((folder / "trace.itf.json").read_text(encoding="utf-8"))
    marked = [without_effect(trace, step) for step in trace.steps]
    assert sorted(marked) == [False, False, True] and not marked[0]
    text, svg, page = ((folder / f"trace.{form}").read_text(encoding="utf-8") for form in ("txt", "svg", "html"))
    steps = text.split("\n")
    (place,) = (number for number, line in enumerate(steps) if line.strip() == NO_EFFECT)
    assert steps[place - 1].strip().startswith("from itself, sent at step 1")
    assert svg.count(f">{NO_EFFECT}<") == 1 and NO_EFFECT in page
