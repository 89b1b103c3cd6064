"""Why a rule has its value from another rule only because a preferred one had no value.

`early if len(early) > 0 else self.default(p)` takes the default where `early` is empty. The default may be right, and
the reason for a violation be that `early` is empty here and not at another process. The rules that a rule asks are
known in order (`checker.replay.executed`): the last has its value, and one before it had none.

Where it stops: an expression that is no call of a rule is not named as the preferred one.
"""

from __future__ import annotations

from collections.abc import Sequence

from checker.replay.executed import Done
from checker.trace.values import FrozenMap, Multiset

COLLECTIONS = (FrozenMap, Multiset, frozenset, tuple)


def preferred(before: Sequence[Done], done: Done) -> Done | None:
    """Of a rule whose value is that of the rule which asks it: the rule asked before it that had no value.  None if
    there is none.  before: what was executed, with this rule."""
    while done.asker is not None:
        asking = next((d for d in reversed(before[: _place(before, done)]) if d.node is done.asker), None)
        if asking is None or asking.result != done.result:
            return None
        asked = (d for d in reversed(_between(before, asking, done)) if d.asker is done.asker)
        found = next((d for d in asked if _has_none(d) and d.result != done.result), None)
        if found is not None:
            return found
        done = asking
    return None


def failing(before: Sequence[Done], done: Done) -> Done | None:
    """The rule that was false because of which the preferred one had no value; None if there is none."""
    instead = preferred(before, done)
    if instead is None or instead.result is False:
        return instead
    asked = (d for d in reversed(_between(before, instead, done)) if d.asker is instead.node)
    return next((d for d in asked if d.result is False), None)


def _has_none(done: Done) -> bool:
    """Whether a rule has no value: false, None, or an empty collection."""
    return done.result is False or done.result is None or isinstance(done.result, COLLECTIONS) and not done.result


def _place(before: Sequence[Done], done: Done) -> int:
    return next(n for n, d in enumerate(before) if d is done)


def _between(before: Sequence[Done], one: Done, two: Done) -> Sequence[Done]:
    return before[_place(before, one) + 1 : _place(before, two)]
