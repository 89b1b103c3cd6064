"""Expected verdicts, written beside the protocol: `expect = holds()` or `expect = violates(TotalOrder, steps=9)`.

`checker verify` and the pytest plugin hold a model to them.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping
from typing import Any

from attrs import frozen

from checker.language.errors import UsageError


@frozen
class Expectation:
    """What a check must give: the properties violated (none: everything holds) and, where stated, counts.

    within: the state constraints that are meant to cut off states; that they do is no finding of a strict verification.
    """

    violated: tuple[str, ...]
    at: Mapping[str, Any]
    only: tuple[str, ...] | None = None
    steps: int | None = None
    distinct: int | None = None
    transitions: int | None = None
    depth: int | None = None
    thorough: bool = False  # only in a thorough run
    within: tuple[str, ...] = ()


def _name(item: Any) -> str:
    if not isinstance(item, str) and not hasattr(item, "__name__"):
        raise UsageError(f"{item!r} is no property", remedy='Name a property class, or a property of the model itself by a string: violates("one_leader").')
    return item if isinstance(item, str) else str(item.__name__)


def holds(
    *, at: Mapping[str, Any] | None = None, only: list[Any] | None = None, distinct: int | None = None,
    transitions: int | None = None, depth: int | None = None, thorough: bool = False, within: list[Any] | None = None,
) -> Expectation:  # fmt: skip
    """Every property (of `only`) holds, with the constants of `at`, in the states that the constraints `within` leave (those that cut nothing need not be named)."""
    names = None if only is None else tuple(map(_name, only))
    return Expectation((), at or {}, names, None, distinct, transitions, depth, thorough, tuple(map(_name, within or ())))


def violates(
    *broken: Any, at: Mapping[str, Any] | None = None, only: list[Any] | None = None, steps: int | None = None, distinct: int | None = None,
    transitions: int | None = None, depth: int | None = None, thorough: bool = False,
) -> Expectation:  # fmt: skip
    """Exactly these properties (of those checked) are violated; `steps`: length of the shortest counterexample among them."""
    if not broken:
        raise UsageError("violates() names no property", remedy="violates(TotalOrder), or holds() if nothing is violated.")
    names = None if only is None else tuple(map(_name, only))
    return Expectation(tuple(map(_name, broken)), at or {}, names, steps, distinct, transitions, depth, thorough)


def expectations(cls: type) -> list[Expectation]:
    """The expectations a class states itself."""
    stated = vars(cls).get("expect")
    if stated is None:
        return []
    return list(stated) if isinstance(stated, list | tuple) else [stated]


def check_expectations(cls: type, properties: Collection[str], constants: Collection[str], constraints: Collection[str]) -> None:
    """UsageError if the class expects something of what it does not have: a property, constant or constraint, by its name."""
    for stated in expectations(cls):
        if not isinstance(stated, Expectation):
            raise UsageError(f"{cls.__name__}.expect holds {stated!r}, which is no expectation", remedy="Write expect = holds() or expect = violates(Property, ...).")
        mentioned = (
            ("property", (*stated.violated, *(stated.only or ())), properties), ("constant", tuple(stated.at), constants), ("constraint", stated.within, constraints),
        )  # fmt: skip
        for kind, names, known in mentioned:
            for name in names:
                if name not in known:
                    near = difflib.get_close_matches(name, known, 1)
                    remedy = f"Did you mean {near[0]}?" if near else f"It has: {', '.join(known) or 'none'}."
                    raise UsageError(f"{cls.__name__}.expect names the {kind} {name}, which {cls.__name__} does not have", remedy=remedy)
        idle = [n for n in stated.violated if stated.only is not None and n not in stated.only]
        if idle:
            raise UsageError(f"{cls.__name__}.expect: {idle[0]} should be violated, but is not among those checked (only=...)", remedy=f"Add {idle[0]} to only=[...].")
