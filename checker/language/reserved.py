"""Names that are reserved by the language: attributes of every model object, and names of fault actions."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from functools import cache
from typing import Any

from checker.language.distributed import Distributed
from checker.language.model import Mark, Model
from checker.language.places import at, of_function

STATED = {"properties", "outcome", "expect", "picture", "complete"}
"""The names with a special meaning in a model class."""


@cache
def reserved() -> frozenset[str]:
    """The names that no type, variable, constant or method of a model may have."""
    ours = {n for n in vars(Model) if not n.startswith("__")} - STATED
    return frozenset(ours | {"definition", "storage", "emitted", "acting", "watching", "emit", "earlier"})


def check_fault_names(
    cls: type[Model],
    marked: Iterable[tuple[str, Callable[..., Any], Mark]],
    networks: Sequence[str],
    constants: Container[str],
    crashing: bool,
) -> None:
    """Raise UsageError for an action or handler with the name of a fault of the language, whether its budget is 0 or
    not. crashing: the model has processes.
    """
    marks = ((name, getattr(value, "__checker__", None)) for name, value in vars(Distributed).items())
    ours = [name for name, mark in marks if mark and mark.kind == "action" and issubclass(cls, Distributed)]
    ours += ["crash"] if "crashes" in constants and crashing else []
    ours += [
        f"{kind}_{network}"
        for budget, kind in (("losses", "lose"), ("duplicates", "duplicate"))
        for network in networks
        if budget in constants
    ]
    for name, function, mark in marked:
        if name in ours and mark.kind in ("action", "receive") and function.__module__ != Distributed.__module__:
            what = f"{cls.__name__}.{name}: this is the name of a fault action of the language"
            raise at(
                of_function(function), what, f"Choose another name. The language has the actions {', '.join(ours)}."
            )
