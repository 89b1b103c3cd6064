"""The exits of a statement, and what is known at each: at the next statement, where a loop is left or continued, at the
end of the step, at a crash, at the return of a rule; of a block that is left, ("leave", its label).
"""

from __future__ import annotations

from typing import Any

from checker.ir.footprints.knowledge import Knowledge

Outcomes = dict[Any, Knowledge]
NEXT, BREAK, CONTINUE, STOP, CRASH, RETURN = "next", "break", "continue", "stop", "crash", "return"


def merge(found: Outcomes, more: Outcomes) -> None:
    """Add exits to those that were found; at an exit that is reached in both ways, what is known in both."""
    for way, known in more.items():
        found[way] = found[way].joined(known) if way in found else known
