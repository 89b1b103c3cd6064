"""The states that a protocol reaches from a state without a fault, as far as a bound allows.

Reasons for what is missing at the end of a run ask what would have been possible: before the crashes of the run, or in
a class that repairs the property.  Where it stops: at the bound; a state that is not met need not be unreachable.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

from checker.backends.interpreter.interpreter import Interpreter, Raw, Step


def without_faults(
    interpreter: Interpreter,
    start: Raw,
    most: int,
    taken: Callable[[Step], bool] = lambda step: True,
    deep: bool = False,
) -> Iterator[Raw]:
    """The state and those after it, until more than `most` are known.  taken: whether a step counts that is no fault;
    deep: a state before those that were met earlier, which reaches ends of runs sooner."""
    seen, waiting = {start}, deque([start])
    while waiting and len(seen) <= most:
        state = waiting.pop() if deep else waiting.popleft()
        yield state
        steps = (s for s in list(interpreter.steps(state)) if not s.action.fault and taken(s))
        after = dict.fromkeys(s.after for s in steps if s.after is not None)
        waiting.extend(s for s in after if s not in seen)
        seen.update(after)
