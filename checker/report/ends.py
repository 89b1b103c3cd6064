"""What a process, or a variable of all, has at the end of a run: the last row of a picture, the end of a text."""

from __future__ import annotations

import re

from checker.trace.difference import maps_lanes
from checker.trace.messages import crashes
from checker.trace.trace import Trace
from checker.trace.values import mentions, show


def final_text(trace: Trace, lane: str) -> str:
    """The observable value of a lane at the end; of a guilty lane without one the value in the witness; "" if there is
    none.
    """
    value = trace.final_values.get(lane, "")
    text = value if isinstance(value, str) else show(value)
    return text or (_in_witness(trace.witness, lane) if lane in trace.guilty else "")


def end_texts(trace: Trace) -> dict[str, str]:
    """For each lane that has one its observable value at the end, and whether it has crashed."""
    crashed, found = crashes(trace), dict[str, str]()
    for lane in trace.lanes:
        text = final_text(trace, lane)
        also = lane in crashed and not mentions(text, "crashed")
        if text or also or lane in trace.guilty:
            found[lane] = ", ".join(filter(None, (text, "crashed" * also)))
    return found


def _in_witness(sentence: str, lane: str) -> str:
    """The value of a lane in a witness: "eligible(p2) = {m1.1, m2.1}"."""
    found = re.finditer(r"([\w.]+)([(\[])([^()\[\]]*)[)\]] = (\{[^{}]*\}|\[[^\[\]]*\]|[\w.-]+)", sentence)
    return next((f[0] for f in found if mentions(f[3], lane)), "").rstrip(".")


def shared_at_end(trace: Trace) -> dict[str, str]:
    """The last values of the variables without a lane that are observable, or that the witness names."""
    shared = {name: str(value) for name, value in trace.final_values.items() if name not in trace.lanes}
    own = " ".join(str(value) for lane, value in trace.final_values.items() if lane in trace.lanes)
    for name, value in trace.states[-1].items():
        told = (
            mentions(own, name)
            or maps_lanes(value, trace.lanes)
            or name in trace.badges
            or (value and value == frozenset(crashes(trace)))
        )
        if trace.steps and name not in trace.networks and mentions(trace.witness, name) and not told:
            shared.setdefault(name, show(value))
    return shared
