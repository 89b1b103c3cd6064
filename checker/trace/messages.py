"""The life of every message copy in a trace: sent at one step, then received, lost, dropped or in flight.

This is the happened-before relation of a space-time diagram (Lamport 1978): each copy is one arrow from the step of its
sending to the step of its receipt. A copy whose target crashes before taking it is `dropped` at the crash, or at its
own sending if the target had crashed by then: no later step can receive it.
"""

from __future__ import annotations

from attrs import evolve

from checker.frozen import frozen
from checker.trace.events import Crash, Duplicated, Lost, Receive, Send
from checker.trace.trace import Trace


@frozen
class Message:
    """One copy of a message; the numbers are those of steps, None where that has not happened.

    `born` is the step from which the copy exists: its sending, or for a duplicate (`copy_of` is set) the step of the
    duplication.
    """

    id: int
    source: str
    target: str
    text: str
    born: int
    copy_of: int | None = None
    received: int | None = None
    lost: int | None = None
    dropped: int | None = None

    @property
    def made(self) -> str:
        """How and when the copy was created: "sent at step 3"."""
        return f"{'sent' if self.copy_of is None else 'duplicated'} at step {self.born}"

    @property
    def in_flight(self) -> bool:
        """Whether the copy may still arrive after the end of the trace."""
        return self.received is None and self.lost is None and self.dropped is None


def messages(trace: Trace) -> dict[int, Message]:
    """Every copy by its id, in the order of their sending.

    Raises ValueError when the events contradict each other: an id sent twice, or received before it was sent.
    """
    found: dict[int, Message] = {}
    for step in trace.steps:
        for event in step.events:
            if isinstance(event, Send):
                _must_be_new(found, event.id)
                found[event.id] = Message(event.id, event.source, event.target, event.text, step.number)
            elif isinstance(event, Duplicated):
                _must_be_new(found, event.new_id)
                first = _known(found, event.id, step.number)
                found[event.new_id] = Message(
                    event.new_id, first.source, first.target, first.text, step.number, copy_of=event.id
                )
            elif isinstance(event, Receive):
                found[event.id] = evolve(_known(found, event.id, step.number), received=step.number)
            elif isinstance(event, Lost):
                found[event.id] = evolve(_known(found, event.id, step.number), lost=step.number)
    crashed = crashes(trace)
    for number, message in found.items():
        if message.in_flight and message.target in crashed:
            found[number] = evolve(message, dropped=max(message.born, crashed[message.target]))
    return found


def crashes(trace: Trace) -> dict[str, int]:
    """The step at which each crashed lane crashed."""
    crashed = [(e.lane, step.number) for step in trace.steps for e in step.events if isinstance(e, Crash)]
    return dict(reversed(crashed))  # the first crash of each stays


def _must_be_new(found: dict[int, Message], number: int) -> None:
    if number in found:
        raise ValueError(f"message id {number} is sent twice")


def _known(found: dict[int, Message], number: int, step: int) -> Message:
    if number not in found:
        raise ValueError(f"step {step} speaks of message id {number}, which nobody has sent")
    return found[number]
