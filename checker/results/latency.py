"""Delays and messages of a model over all its runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import frozen

from checker.bound import Bound
from checker.displayed import Displayed
from checker.results.exit_codes import HOLDS, INCONCLUSIVE
from checker.results.validated import Validation
from checker.trace.trace import Trace
from checker.wording import range_text


@frozen
class Span:
    """Least and greatest of a number over all runs; `beyond`: the greatest is `most` or more."""

    least: int
    most: int
    beyond: bool = False

    def __str__(self) -> str:
        return f"{self.least}..{self.most} or more" if self.beyond else range_text(self.least, self.most)


@frozen
class MessageDelays:
    """Delays of one message: by the place of delivery ("sender", "own group", "other groups", or "sender" and
    "others"), of its first and of its last delivery.

    first and last: in runs in which every live destination delivers it; None if there is none.  missed: in some run
    that ends, a live destination does not deliver it.
    """

    message: str
    where: Mapping[str, Span]
    first: Span | None
    last: Span | None
    missed: bool


@frozen(repr=False)
class Survey(Displayed):
    """The measured delays.  until: the event instead of a delivery, if it is another; unit: "messages" or "time"; sent:
    messages from process to process in a whole run, None if there is no network or no end.

    complete: every run was covered.  states: of the two instrumented copies (delays, messages).  validation: how far
    the interpreter confirmed the searches.  slowest: a shortest run with the greatest delay, if requested.
    limit: the number of the limit that ended a search, as the user gave it.
    """

    reference: str
    constants: Mapping[str, Any]
    until: str
    unit: str
    messages: tuple[MessageDelays, ...]
    sent: Span | None
    multicasts: int
    complete: bool
    bound: Bound | None
    states: tuple[int, int]
    seconds: float
    validation: Validation | None
    slowest: Trace | None = None
    limit: str = ""

    def heading(self) -> str:
        return f"{self.reference} until {self.until}"

    @property
    def exit_code(self) -> int:
        """4 if the search was stopped, else 0."""
        return HOLDS if self.complete else INCONCLUSIVE

    @property
    def where(self) -> dict[str, Span]:
        """Delays over all messages, by the place of delivery."""
        names = dict.fromkeys(name for m in self.messages for name in m.where)
        every = {name: joined(m.where.get(name) for m in self.messages) for name in names}
        return {name: span for name, span in every.items() if span is not None}

    @property
    def first(self) -> Span | None:
        """Of first deliveries, over all messages."""
        return joined(m.first for m in self.messages)

    @property
    def last(self) -> Span | None:
        """Of last deliveries, over all messages."""
        return joined(m.last for m in self.messages)


def joined(spans: Iterable[Span | None]) -> Span | None:
    """The least and the greatest of all; None of none."""
    found = [s for s in spans if s is not None]
    if not found:
        return None
    return Span(min(s.least for s in found), max(s.most for s in found), any(s.beyond for s in found))
