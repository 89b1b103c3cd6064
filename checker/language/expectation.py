"""Expected verdicts, written beside the protocol: `expect = holds()` or `expect = violates(TotalOrder, steps=9)`.

`checker verify` and the pytest plugin compare the results of a check with these expectations.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from typing import Any

from checker.frozen import frozen
from checker.language.errors import UsageError, meant
from checker.language.places import Place, bindings, class_node, of_attribute, of_node

COUNTED = {"distinct": "states", "depth": "levels"}


@frozen
class Expectation:
    """The expected result of a check: the violated properties (none: everything holds) and, where stated, counts.

    within: the state constraints that are meant to prune states; a strict verification does not report them.
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
        remedy = 'Name a property class, or a property of the model itself by a string: violates("one_leader").'
        raise UsageError(f"{item!r} is no property", remedy=remedy)
    return item if isinstance(item, str) else str(item.__name__)


def _stated(
    violated: tuple[Any, ...], at: Any, only: Any, counts: Mapping[str, Any], thorough: Any, within: Any = None
) -> Expectation:
    """The expectation.  Raises UsageError for a value of the wrong kind, which no check could ever have."""
    for name, value in counts.items():
        if value is not None and (type(value) is not int or value < 0):
            remedy = f"Write a whole number, {name}=12, or leave it out."
            raise UsageError(f"{name}={value!r} is no number of {COUNTED.get(name, name)}", remedy=remedy)
    if at is not None and not (isinstance(at, Mapping) and all(isinstance(name, str) for name in at)):
        raise UsageError(
            f"at={at!r} gives no constants by name", remedy='For example at={"processes": 3, "workload": (1, 1, 0)}.'
        )
    for name, value in (("only", only), ("within", within)):
        if value is not None and not isinstance(value, list | tuple):
            remedy = f"For example {name}=[{'TotalOrder' if name == 'only' else repr('bounded')}]."
            raise UsageError(f"{name}={value!r} is no list", remedy=remedy)
    if not isinstance(thorough, bool):
        remedy = "thorough=True leaves the expectation to thorough runs."
        raise UsageError(f"thorough={thorough!r} is neither True nor False", remedy=remedy)
    names = None if only is None else tuple(map(_name, only))
    cutting = tuple(map(_name, within or ()))
    return Expectation(tuple(map(_name, violated)), at or {}, names, **counts, thorough=thorough, within=cutting)


def holds(
    *,
    at: Mapping[str, Any] | None = None,
    only: list[Any] | None = None,
    distinct: int | None = None,
    transitions: int | None = None,
    depth: int | None = None,
    thorough: bool = False,
    within: list[Any] | None = None,
) -> Expectation:
    """Every property (of `only`) holds, with the constants of `at`, in the states that the constraints `within` allow
    (constraints that prune nothing need not be named).
    """
    return _stated((), at, only, {"distinct": distinct, "transitions": transitions, "depth": depth}, thorough, within)


def violates(
    *broken: Any,
    at: Mapping[str, Any] | None = None,
    only: list[Any] | None = None,
    steps: int | None = None,
    distinct: int | None = None,
    transitions: int | None = None,
    depth: int | None = None,
    thorough: bool = False,
) -> Expectation:
    """Exactly these properties (of those checked) are violated; `steps`: length of the shortest counterexample among
    them."""
    if not broken:
        raise UsageError(
            "violates() names no property", remedy="violates(TotalOrder), or holds() if nothing is violated."
        )
    return _stated(
        broken, at, only, {"steps": steps, "distinct": distinct, "transitions": transitions, "depth": depth}, thorough
    )


def expectations(cls: type) -> list[Expectation]:
    """The expectations a class states itself."""
    stated = vars(cls).get("expect")
    if stated is None:
        return []
    return list(stated) if isinstance(stated, list | tuple) else [stated]


def place_of_expectation(cls: type, expectation: Expectation) -> Place | None:
    """Where a class states an expectation: the line of the entry in its list, if each entry is written there, else of
    the statement.
    """
    node, whole = class_node(cls), of_attribute(cls, "expect")
    written = [s.value for n, s in bindings(node.body) if n == "expect" and isinstance(s, ast.Assign)] if node else []
    if whole is None or not written:
        return whole
    stated = expectations(cls)
    entries = written[-1].elts if isinstance(written[-1], ast.List | ast.Tuple) else written[-1:]
    number = next((i for i, one in enumerate(stated) if one is expectation), None)
    return of_node(whole.file, entries[number]) if number is not None and len(entries) == len(stated) else whole


def check_stated(cls: type) -> None:
    """Raise UsageError if `expect` of a class contains anything that is not an expectation."""
    for stated in expectations(cls):
        if not isinstance(stated, Expectation):
            remedy = "Write expect = holds() or expect = violates(Property, ...)."
            raise UsageError(f"{cls.__name__}.expect holds {stated!r}, which is no expectation", remedy=remedy)


def check_expectations(
    cls: type, properties: Collection[str], constants: Collection[str], constraints: Collection[str]
) -> None:
    """Raise UsageError if an expectation names a property, constant or constraint that the class does not have."""
    check_stated(cls)
    for stated in expectations(cls):
        mentioned = (
            ("property", (*stated.violated, *(stated.only or ())), properties),
            ("constant", tuple(stated.at), constants),
            ("constraint", stated.within, constraints),
        )
        for kind, names, known in mentioned:
            for name in names:
                if name not in known:
                    what = f"{cls.__name__}.expect names the {kind} {name}, which {cls.__name__} does not have"
                    raise UsageError(what, remedy=meant(name, known))
        idle = [n for n in stated.violated if stated.only is not None and n not in stated.only]
        if idle:
            what = f"{cls.__name__}.expect: {idle[0]} should be violated, but is not among those checked (only=...)"
            raise UsageError(what, remedy=f"Add {idle[0]} to only=[...].")
