"""Whether a protocol keeps a property only because what the property is about never happens in it.

A run of an edit says nothing in comparison with such a protocol: whatever lets the protocol do something at all, as a
repair that lets a message be delivered, differs first, and would be named as the CAUSE.  The antecedent of the property
is true in no state of a complete search (`checker.analysis.vacuity`), or an action of the run is never enabled.

Where it stops: nothing is known after a search that is not complete, or of a property without an antecedent; the
interpreter as an engine knows actions only.
"""

from __future__ import annotations

from checker.analysis.vacuity.tested import tested
from checker.engines.explored import Explored
from checker.language.definition import Definition


def is_never_tested(name: str, definition: Definition, explored: Explored) -> bool:
    """Whether every antecedent of a property is false in all states."""
    if not _is_whole(explored) or explored.survey is None:
        return False
    found = [t.first_steps for t in tested(explored.survey(), definition) if t.property == name]
    return bool(found) and all(steps is None for steps in found)


def is_never_enabled(action: str, explored: Explored) -> bool:
    """Whether a protocol has an action, and never takes it."""
    return _is_whole(explored) and any(a.name == action and a.fired == 0 for a in explored.actions)


def _is_whole(explored: Explored) -> bool:
    return explored.complete and not explored.cut and not explored.reduced and not explored.failures
