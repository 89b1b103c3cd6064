"""Traces: runs of a model as values, what changes in them, and their interchange form."""

from checker.trace.events import Crash, Deliver, Duplicated, Emit, Event, Lost, Multicast, Note, Receive, Send
from checker.trace.trace import KINDS, Step, Trace
from checker.trace.values import FrozenMap, Multiset, Rec, Value, show

__all__ = [
    "KINDS",
    "Crash",
    "Deliver",
    "Duplicated",
    "Emit",
    "Event",
    "FrozenMap",
    "Lost",
    "Multicast",
    "Multiset",
    "Note",
    "Rec",
    "Receive",
    "Send",
    "Step",
    "Trace",
    "Value",
    "show",
]
