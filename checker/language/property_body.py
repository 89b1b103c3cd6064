"""What the body of a property class may contain; it may share no name with the model that lists the property.

A property is evaluated beside the model and must not change the model.  It therefore has no actions, handlers,
constraints or constants; such a declaration is refused, because it would have no effect.  In its methods `self.name` is
a name of the property or of the model: a name that both declare is refused, whatever it names. The parts of a property
(`holds`, `when`, `then`, `explain`, `on_EVENT`) are its own, whether or not the model has such a name.
"""

from __future__ import annotations

import inspect
from collections.abc import Collection
from types import CodeType
from typing import Any

from checker.language.class_body import check_body
from checker.language.constants import Constant
from checker.language.declaring import NetworkDeclaration
from checker.language.errors import shown
from checker.language.model import Model, Var
from checker.language.places import Place, at, is_own, of_attribute, of_class, of_function
from checker.language.properties import KINDS, LeadsTo, Property, Reachable
from checker.language.reserved import reserved

PARTS = ("holds", "when", "then", "explain")
MODELS_OWN = ("properties", "outcome", "expect", "picture", "complete")
MARKED = {
    "rule": ("@rule", "Rules are what an edit overrides: drop the decorator, and it is a helper of the property."),
    "action": (
        "@action",
        "A property takes no steps: write the action in the model. What it remembers is changed in on_EVENT methods.",
    ),
    "receive": (
        "@on",
        "A property receives no messages: write the handler in the model, and on_receive(self, p, q) in the "
        "property to see receptions.",
    ),
    "constraint": ("@constraint", "Write the constraint in the model."),
} | {
    kind: (
        decorator,
        f"A property class states one thing, by holds(self): write a class {what}, or the decorated method in the "
        "model.",
    )
    for kind, decorator, what in (
        ("invariant", "@invariant", "for each"),
        ("step", "@step_invariant", "StepInvariant"),
        ("quiescence", "@quiescent", "Quiescence"),
        ("reachable", "@reachable", "Reachable"),
    )
}


def check_property(owner: type[Property], cls: type[Model], declared: Collection[str]) -> None:
    """Raise UsageError for the first declaration in a property class that has no meaning there, or that has a name of
    the model. declared: the names that the model declares.
    """
    kinds = [k.__name__ for k in KINDS if issubclass(owner, k)]
    if len(kinds) > 1:
        raise at(of_class(owner), f"{owner.__name__} is {' and '.join(kinds)} at once", "Write a class for each kind.")
    for base in (b for b in owner.__mro__ if issubclass(b, Property) and b.__module__ != Property.__module__):
        for name, value in vars(base).items():
            if name.startswith("__"):
                continue
            found = _marked(value) or _part(owner, name, value) or _data(name, value)
            if found is not None:
                message, remedy = found
                raise at(of_attribute(base, name), f"{base.__name__}.{name}: {message}", remedy)
            _check_hidden(base, name, cls, declared)
    check_body(owner)


def _marked(value: Any) -> tuple[str, str] | None:
    """The error in a decorator that has no meaning in a property; None without such an error."""
    mark = getattr(value, "__checker__", None) if inspect.isfunction(value) else None
    if mark is None or mark.kind == "initial":
        return None
    written, remedy = MARKED[mark.kind]
    return f"{written} means nothing in a property class", remedy


def _part(cls: type[Property], name: str, value: Any) -> tuple[str, str] | None:
    """The error in a part that properties of this kind do not have; None without one.  Nothing would call it."""
    if name == "holds" and issubclass(cls, LeadsTo):
        return "a LeadsTo has when and then instead of holds", (
            "Whenever `when` is true, `then` is true at that moment or later."
        )
    if name in ("when", "then") and not issubclass(cls, LeadsTo):
        return f"only a LeadsTo has {name}", (
            f"Call it from holds(self) under another name, or write class {cls.__name__}(LeadsTo)."
        )
    if name == "explain" and issubclass(cls, Reachable):
        return "nothing asks a Reachable for explain", "Its docstring says what it means, and stands in reports."
    if name == "explain" and inspect.isfunction(value):
        whole = issubclass(cls, LeadsTo)
        known = (
            {n for f in (cls.when, cls.then) for n in inspect.signature(f).parameters}
            if issubclass(cls, LeadsTo)
            else _locals(cls.holds.__code__)
        )
        for parameter in list(inspect.signature(value).parameters)[1:]:
            if parameter not in known:
                remedy = "Its parameters are variables of the outermost all(...) of holds"
                if whole:
                    remedy = "Its parameters are those of when and then"
                return (
                    f"{parameter} is no {'parameter of when or then' if whole else 'variable of holds'}"
                ), f"{remedy}, by name, and no others."
    return None


def _locals(code: CodeType) -> set[str]:
    """The local names of a method, those of its comprehensions among them."""
    return {*code.co_varnames, *code.co_cellvars}.union(
        *(_locals(c) for c in code.co_consts if isinstance(c, CodeType))
    )


def _data(name: str, value: Any) -> tuple[str, str] | None:
    """An attribute that has a meaning only in a model."""
    if name in MODELS_OWN or name == "kind":
        return f"{name} is no part of a property", (
            "A model states its properties, outcome and expectations; the kind is the class that the property is "
            "derived from."
        )
    if isinstance(value, Constant):
        return "a property has no constants of its own", (
            f"It reads those of the model, self.{name}. What never changes is a plain value: {name} = "
            f"{value.default!r}."
        )
    if isinstance(value, Var):
        if isinstance(value.type, NetworkDeclaration):
            return "a property has no network", (
                "It sends nothing: it watches events and reads the networks of the model."
            )
        if value.budget is not None:
            return "a variable of a property has no budget", (
                "It exists in the runs in which the property is checked: drop budget=..."
            )
        if value.kept and not value.carried:
            return "kept=True has no effect in a property", "A crash resets the variables of the model only: drop it."
    return None


def _check_hidden(owner: type[Property], name: str, cls: type[Model], declared: Collection[str]) -> None:
    if name in PARTS or name.startswith("on_") or is_own(owner.__module__):
        return  # the checker's own measures read nothing of the model by a name of theirs
    place = of_attribute(owner, name)
    if name in reserved():
        raise at(place, f"{owner.__name__}.{name}: this name is used by every model object", "Choose another name.")
    if name in declared:
        value = vars(cls).get(name) or next((vars(b)[name] for b in cls.__mro__ if name in vars(b)), None)
        there = of_function(value) if inspect.isfunction(value) else of_attribute(cls, name)
        raise at(
            place,
            f"{owner.__name__}.{name} hides {cls.__name__}.{name}{_written(there)}",
            f"Give one of them another name: self.{name} would be the property's here and the model's everywhere else.",
        )


def _written(place: Place | None) -> str:
    return "" if place is None else f", which {shown(place.file)}:{place.line} declares"
