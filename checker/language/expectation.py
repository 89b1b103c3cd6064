"""Expected verdicts, written beside the protocol: `expect = holds()` or `expect = violates(TotalOrder, steps=9)`.

`checker verify` and the pytest plugin hold a model to them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen


@frozen
class Expectation:
    """What a check must give: the properties violated (none: everything holds) and, where stated, counts."""

    violated: tuple[str, ...]
    at: Mapping[str, Any]
    only: tuple[str, ...] | None = None
    steps: int | None = None
    distinct: int | None = None
    transitions: int | None = None
    depth: int | None = None
    thorough: bool = False  # only in a thorough run


def _name(item: Any) -> str:
    return item if isinstance(item, str) else item.__name__


def holds(
    *, at: Mapping[str, Any] | None = None, only: list[Any] | None = None, distinct: int | None = None,
    transitions: int | None = None, depth: int | None = None, thorough: bool = False,
) -> Expectation:  # fmt: skip
    """Every property (of `only`) holds, with the constants of `at`."""
    names = None if only is None else tuple(map(_name, only))
    return Expectation((), at or {}, names, None, distinct, transitions, depth, thorough)


def violates(
    *broken: Any, at: Mapping[str, Any] | None = None, only: list[Any] | None = None, steps: int | None = None, distinct: int | None = None,
    transitions: int | None = None, depth: int | None = None, thorough: bool = False,
) -> Expectation:  # fmt: skip
    """Exactly these properties (of those checked) are violated; `steps`: length of the shortest counterexample among them."""
    names = None if only is None else tuple(map(_name, only))
    return Expectation(tuple(map(_name, broken)), at or {}, names, steps, distinct, transitions, depth, thorough)


def expectations(cls: type) -> list[Expectation]:
    """The expectations a class states itself."""
    stated = vars(cls).get("expect")
    if stated is None:
        return []
    return list(stated) if isinstance(stated, list | tuple) else [stated]
