"""The parameters of a method: their names and the types in their annotations; also the parameters of a leads-to
property, which is one property for each of their values."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from math import prod
from typing import Any

from checker.ir.domain import size
from checker.language.declaring import Resolver
from checker.language.definition import ParameterDefinition
from checker.language.domains import Domain
from checker.language.errors import near
from checker.language.places import at, located, of_class, of_function
from checker.language.properties import LeadsTo, Property

MOST_ELEMENTS = 1_000
"""The largest number of values of the parameters of a leads-to property: each is decided on the whole graph."""
STARRED = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
"""Of a function with *args or **kwargs.  Others are read from their code: a signature takes fifty times as long."""


def parameters_of(function: Callable[..., Any]) -> list[str]:
    """The names of the parameters after self."""
    code = getattr(function, "__code__", None)
    if code is None or code.co_flags & STARRED or hasattr(function, "__wrapped__"):
        return [p for p in inspect.signature(function).parameters][1:]
    return list(code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount])


def evaluated(annotation: str, function: Callable[..., Any], attributes: dict[str, Any]) -> Any:
    """An annotation in quotes, or of a file with postponed annotations, evaluated to its type."""
    try:
        return eval(annotation, getattr(function, "__globals__", {}), attributes)
    except Exception as error:
        known = {*attributes, *getattr(function, "__globals__", {})}
        advice = (
            near(error.name or "", {n for n in known if not n.startswith("_")}) if isinstance(error, NameError) else ""
        )
        remedy = advice or "Use a type declared in the class or module."
        raise at(of_function(function), f"the annotation {annotation!r} cannot be read: {error}", remedy) from None


def elements(owner: type[Property], resolve: Resolver, attributes: dict[str, Any]) -> Iterator[ParameterDefinition]:
    """The parameters of a leads-to property: those of its two methods, by name."""
    found: dict[str, Domain] = {}
    for function in (owner.when, owner.then) if issubclass(owner, LeadsTo) else ():
        for name in parameters_of(function):
            annotation = function.__annotations__.get(name)
            place, what = of_function(function), f"{owner.__name__}.{function.__name__}: parameter {name}"
            if annotation is None:
                raise at(
                    place,
                    f"{what} has no type",
                    f'Write {name}: of("Process"), or another type of the model; each of its values is a leads-to '
                    f"of its own.",
                )
            with located(lambda: of_function(function)):  # noqa: B023
                domain = resolve(
                    evaluated(annotation, function, attributes) if isinstance(annotation, str) else annotation
                )
            if found.setdefault(name, domain) is not domain and found[name].ir != domain.ir:
                remedy = "A value stands for the same in both: give it the same type."
                raise at(place, f"{what} is of another type than in {owner.__name__}.when", remedy)
            if (size(domain.ir) or MOST_ELEMENTS + 1) > MOST_ELEMENTS:
                raise at(
                    place,
                    f"{what} ranges over {domain!r}, which cannot be enumerated, or has more than "
                    f"{MOST_ELEMENTS:,} values",
                    "Take a smaller type: each value is evaluated on its own.",
                )
    if prod(size(domain.ir) or 1 for domain in found.values()) > MOST_ELEMENTS:
        what = f"the parameters of {owner.__name__} have more than {MOST_ELEMENTS:,} values together"
        raise at(of_class(owner), what, "Each is evaluated on its own: take fewer.")
    yield from (ParameterDefinition(name, domain) for name, domain in found.items())
