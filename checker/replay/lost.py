"""The messages that a process never received: lost by the network, or not sent because the sender crashed.

Each is named with the line of the statement that sends it.  A message is left out if the process received another copy
of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from checker.backends.interpreter.interpreter import Interpreter, Raw, Step
from checker.replay.cited import cited, defined_at
from checker.replay.deciding import decided, message_sent, sends
from checker.trace.events import Crash, Lost, Receive, Send
from checker.trace.reasons import Reason
from checker.trace.trace import Step as TraceStep


def lost(
    interpreter: Interpreter,
    states: Sequence[Raw],
    steps: Sequence[Step],
    shown: Sequence[TraceStep],
    process: str | None,
) -> tuple[Reason, ...]:
    """Messages to a process that it did not receive, as sentences, in order.  shown: the steps with their events."""
    events = [(step.number, event) for step in shown for event in step.events]
    sent = {e.id: (number, e) for number, e in events if isinstance(e, Send) and e.target == process}
    received = {sent[e.id][1].text for _, e in events if isinstance(e, Receive) and e.id in sent}

    def place(number: int) -> tuple[str, str]:
        """The line of the last statement that sends in a step, and its message."""
        step, after = steps[number - 1], states[number]
        found = decided(interpreter, states[number - 1], after, step, [sends])
        if found is not None:
            return cited(found.place), message_sent(found.statement)
        action = step.action.function
        return cited(defined_at(action) if action is not None else None), ""

    def sentences() -> Iterator[Reason]:
        for number, event in events:
            if isinstance(event, Lost) and event.id in sent:
                first, message = sent[event.id]
                if message.text not in received:
                    where, _ = place(first)
                    told = f"{message.text} to {process}, sent at step {first}{where}, is lost at step {number}"
                    yield Reason(told, "lost", (first, number), placed=bool(where))
            elif isinstance(event, Crash) and process in event.unreached:
                where, unsent = place(number)
                what = f"{unsent} to {process}" if unsent else f"to {process}"
                told = f"{event.lane} crashes at step {number}{where} before it sends {what}"
                yield Reason(told, "crash", (number,), (event.lane,), placed=bool(where))

    return tuple(dict.fromkeys(sentences()))
