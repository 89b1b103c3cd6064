"""What a local name of a method means while its body is lowered: a local, another name for a place, an expression, or
nothing that is certain.
"""

from __future__ import annotations

from checker.frontend.meaning import Meaning
from checker.frozen import frozen
from checker.ir import expressions as e


class Binding:
    """The meaning of a local name."""


@frozen
class Stored(Binding):
    """A local of the lowered body.  `value`: its collection must not be changed, because in Python that would change
    another one too.
    """

    name: str
    value: bool = False


@frozen
class Alias(Binding):
    """Another name for a place in the state or in a local container."""

    place: e.Expression


@frozen
class Known(Binding):
    """A name for an expression that cannot change while the name is in scope, or for a type or string."""

    meaning: e.Expression | Meaning


@frozen
class Unclear(Binding):
    """The name may mean different things, or nothing, here."""

    reason: str
    remedy: str


UNASSIGNED = Unclear(
    "may have no value here",
    "Assign it on every path to here: in an else or `case _` too, or before the branch or loop.",
)
AMBIGUOUS = Unclear("may be one of several collections here", "Copy it where it is assigned: set(...) or list(...).")
VARIOUS = Unclear("means different things on different paths", "Use another name for one of them.")
STALE = Unclear(
    "may be a collection that was changed since it got this name",
    "Give it the name after the change, or copy it where it gets the name: set(...) or list(...).",
)
DETACHED = Unclear(
    "names a collection whose place was assigned since", "Assign the name again, or copy: set(...) or list(...)."
)
