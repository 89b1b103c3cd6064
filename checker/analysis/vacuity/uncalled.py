"""Methods that nothing calls: an edit that changes nothing, a property or an action whose decorator was forgotten, an
unused helper.

If the name of such a method of an edit is much like that of a method of its base, the method was meant to override it.
The verdict of the edit is then vacuous, because the edit was not applied (`misspelt-rule`).

A method counts as called if any method of the model, of its bases or of its properties contains its name.  A name that
is used there with another meaning therefore hides an uncalled method; a called method is never reported. The language's
own bases call the methods that override theirs.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import CodeType
from typing import Any

from checker.frontend.functions import returns_value
from checker.frontend.refusal import Refused
from checker.frontend.source import source
from checker.language.definition import Definition, MethodDefinition
from checker.language.events import events_of
from checker.language.model import Model
from checker.language.places import is_own, of_function
from checker.language.property_body import PARTS
from checker.results.vacuity import Vacuity
from checker.wording import Advice

MISSPELT = 0.8
"""How similar (of 1) the name of an uncalled method must be to a name of the base to count as misspelt."""


def uncalled(definition: Definition) -> Iterator[Vacuity]:
    """The methods of the class and of its properties that nothing calls, each with the method that was probably
    meant."""
    called = names_called(definition)
    for key, method in definition.methods.items():
        if method.name in called:
            continue
        if method.owner is not None:
            yield from (Vacuity("never-called", name, text) for name, text in _of_property(definition, key, method))
        elif (
            method.name in vars(definition.model)
            and method.name not in _inherited(definition.model)
            and (method.rule or not hasattr(method.function, "__checker__"))
        ):
            yield _of_model(definition, method)


def misspelt_rules(definition: Definition) -> Iterator[Vacuity]:
    """The uncalled methods of an edit that were meant to override a method of its base."""
    return (finding for finding in uncalled(definition) if finding.kind == "misspelt-rule")


def _of_model(definition: Definition, method: MethodDefinition) -> Vacuity:
    name, model = method.name, definition.model
    known = [n for n in _inherited(model) if inspect.isfunction(getattr(model, n, None))]
    meant = difflib.get_close_matches(name, known, 1, MISSPELT)
    if _is_edit(model) and meant:
        place = of_function(method.function)
        where = f"{Path(place.file).name}:{place.line}"
        what = f"{name} ({where}) overrides nothing and nothing calls it, so {model.__name__} changes nothing there"
        return Vacuity("misspelt-rule", name, _asking(what, meant))
    return Vacuity("never-called", name, _not_called(definition, method))


def _is_edit(model: type[Model]) -> bool:
    return any(issubclass(base, Model) and not is_own(base.__module__) for base in model.__mro__[1:])


def _not_called(definition: Definition, method: MethodDefinition) -> str:
    name, model = method.name, definition.model
    if not method.rule and not _is_function(method):
        return f"nothing calls {name}: is @action or @on(...) missing above it?"
    if _is_edit(model):
        rules = {m.name for m in definition.methods.values() if m.rule}  # a rule overrides no action
        inherited = [n for n in _inherited(model) if inspect.isfunction(getattr(model, n, None))]
        known = [n for n in inherited if not method.rule or n in rules]
        return _asking(f"{name} overrides nothing and nothing calls it", difflib.get_close_matches(name, known, 1))
    if not method.rule and not method.parameters:
        return f"nothing calls {name}: is @invariant, @quiescent or @reachable missing above it?"
    return f"nothing calls {name}"


def _of_property(definition: Definition, key: str, method: MethodDefinition) -> Iterator[tuple[str, str]]:
    """A helper of a property; a handler only if the name of its event is misspelt."""
    if method.name.startswith("on_"):
        event, emitted = method.name.removeprefix("on_"), events_emitted(definition)
        near = difflib.get_close_matches(event, emitted, 1, 0.75)
        if event not in emitted and near:
            yield key, _asking(f"nothing emits {event}, which {key} watches for", [f"on_{near[0]}"])
        return
    cls = next(c for c in definition.model.properties if c.__name__ == method.owner)
    if method.function.__qualname__ != f"{cls.__qualname__}.{method.name}":
        return  # a base class offers it to others
    near = difflib.get_close_matches(method.name.lower(), PARTS, 1, 0.75)
    yield key, _asking(f"nothing calls {key}", near)


def _asking(text: str, near: Sequence[str]) -> Advice:
    return Advice(f"{text}; did you mean {near[0]}?" if near else text, near)


def _is_function(method: MethodDefinition) -> bool:
    try:
        return returns_value(source(method.function).node)
    except Refused:
        return True


def _inherited(model: type[Model]) -> set[str]:
    return {n for base in model.__mro__[1:] for n in vars(base)}


def names_called(definition: Definition) -> set[str]:
    """Every name that some method of the model or of its properties uses."""
    held = (f for base in definition.model.__mro__ for f in vars(base).values())
    functions: list[Any] = list(filter(inspect.isfunction, held))
    functions += [f for p in definition.properties for f in (p.function, p.when, p.explain) if inspect.isfunction(f)]
    functions += [m.function for m in (*definition.methods.values(), *definition.starting) if m.owner is not None]
    quorums = (r for a in definition.actions if a.quorum for r in (a.quorum.members, a.quorum.count))
    asked = {r for r in quorums if isinstance(r, str)}
    return asked | {name for f in functions for name in names(f.__code__)}


def events_emitted(definition: Definition) -> set[str]:
    """The events that the model's methods emit, and the events of the language: crashes, sending and receptions."""
    emitted = {"crash"} | {"send" for v in definition.variables if v.network is not None}
    emitted |= {"receive" for a in definition.actions if a.kind == "receive"}
    functions = [a.function for a in definition.actions if a.function is not None]
    functions += [m.function for m in definition.methods.values() if m.owner is None]
    return emitted.union(*map(events_of, functions))


def names(code: CodeType) -> Iterator[str]:
    """Every name that a function uses: a method that its own class calls is not a handler, whatever its name is."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from names(constant)
