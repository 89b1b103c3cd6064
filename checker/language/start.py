"""The initial states: declared initial values, `anything`, then the @initial method, then those of properties; only
states that satisfy every constraint.
"""

from __future__ import annotations

import linecache
import math
import traceback
from collections.abc import Callable, Iterator
from typing import Any

from checker.ir import types as ir
from checker.ir.domain import size
from checker.ir.values import inside
from checker.language import choice
from checker.language.collection_domains import BagDomain, MapDomain
from checker.language.containers import MapValue
from checker.language.definition import VariableDefinition
from checker.language.domains import BoolDomain, Domain, EnumDomain, IntDomain, OptionalDomain, RecordDomain, unset
from checker.language.errors import Disabled, ModelError, UsageError
from checker.language.model import Model, anything, supplied
from checker.language.room import MEMBERS, START_BITS


@supplied
def starts(model: Model) -> Iterator[tuple[Any, ...]]:
    """Raw initial states in canonical order (may repeat); changes the model's state while it runs."""
    return _completed(model, lambda variable: any_value(variable.domain))


def _completed(model: Model, any_of: Callable[[VariableDefinition], Any]) -> Iterator[tuple[Any, ...]]:
    """The raw states that the @initial methods make, choice by choice.  any_of: the values of variables that start as
    `anything`.
    """
    script, more = choice.Script(), True
    while more:
        choice.executing(script)
        snapshot = None
        try:
            for variable in model.definition.variables:
                value = variable.initial
                value = any_of(variable) if value is anything else start_value(variable.domain, value, variable.name)
                model.storage[variable.name] = variable.domain.place(value)
            model.emitted.clear()
            _complete(model)
            snapshot = model.raw_state()
        except Disabled:
            pass
        finally:
            model.emitted.clear()
            choice.executing(None)
        if snapshot is not None:
            yield snapshot
        more = script.advance()


def check_start(domain: Domain, value: Any, name: str) -> None:
    """Raise UsageError if a declared initial value does not fit the type."""
    try:
        start = domain.place(start_value(domain, value, name))
    except ModelError as error:
        raise UsageError(
            f"the initial value of {name} does not fit its type {domain!r}: {error}", remedy=_remedy(domain, value)
        ) from None
    if not isinstance(domain, BagDomain) and _items_in_a_bag(domain.ir, domain.to_raw(start)):
        remedy = "Start it empty, (), and add the items in a method marked @initial."
        raise UsageError(f"a bag inside the initial value of {name} is not empty", remedy=remedy)


def _items_in_a_bag(type: ir.Type, raw: Any) -> bool:
    """Whether a bag somewhere in a raw value holds something."""
    return isinstance(type, ir.Bag) and bool(raw) or any(_items_in_a_bag(*part) for part in inside(type, raw))


def check_anything(domain: Domain, name: str) -> None:
    """Raise UsageError if `anything` cannot be tried: the values of the type cannot be enumerated, or are too many."""
    inner: Any = domain
    entries = 1
    while isinstance(inner, MapDomain):
        inner, entries = inner.value, entries * len(inner.key)
    values = size(inner.ir)
    listed = values is not None and not isinstance(inner, IntDomain) and values > MEMBERS
    if values is None or listed or values > 1 and entries * math.log2(values) > START_BITS:
        many = "cannot be enumerated"
        if values is not None:
            many = f"has more than 2 to the {20 if listed else START_BITS} values, and each would be an initial state"
        remedy = "Give it an initial value, or choose one in an @initial method."
        raise UsageError(f"{name} starts as anything, but its type {domain!r} {many}", remedy=remedy)


def _remedy(domain: Domain, value: Any) -> str:
    """The advice for an initial value that is not of the type."""
    inner = domain
    while isinstance(inner, MapDomain) and not isinstance(value, dict):
        inner = inner.value
    if isinstance(inner, MapDomain):
        return "A map starts with a dict of all its keys, or with one value that stands at every key."
    if isinstance(inner, RecordDomain) and (written := example(inner)) is not None:
        return (
            f"A record starts with a tuple of its fields, for example {written}: a map in it with the value at "
            f"every key, or a dict of all its keys."
        )
    if inner.start() is not unset and not value:
        return f"Leave the initial value out: it starts {'as False' if isinstance(inner, BoolDomain) else 'empty'}."
    if value is None:
        return f"Declare Optional[{inner!r}] if there may be none."
    return "Start with a value of the type, or widen the type."


def _complete(model: Model) -> None:
    """Run the @initial method, then those of properties; raise Disabled outside a constraint."""
    definition = model.definition
    remedy = "There is no run to show before the first state: keep what it assigns in the types of the variables."
    if definition.initial is not None:
        _run(model, definition.initial, "the @initial method", remedy)
    for method in definition.starting:
        observer = next(o for o in model.watching if type(o).__name__ == method.owner)
        _run(model, method.function, f"the @initial method of {method.owner}", remedy, observer)
    for constraint in definition.constraints:
        if not _run(
            model,
            constraint.function,
            f"the constraint {constraint.name}",
            "Make it true or false in every state at the start.",
        ):
            raise Disabled


def _run(model: Model, function: Callable[..., Any], name: str, remedy: str, observer: Any = None) -> Any:
    """The result of a method of the model, or of a property on it; an error in it is an error of the model as
    written."""
    try:
        return function(model if observer is None else observer)
    except (
        ModelError,
        AssertionError,
        TypeError,
        ValueError,
        ZeroDivisionError,
        AttributeError,
        IndexError,
        KeyError,
    ) as error:
        file = function.__code__.co_filename
        lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == file]
        line = (lines[-1] if lines else None) or function.__code__.co_firstlineno
        raise UsageError(
            f"{name} goes wrong: {error}", file, line, remedy, linecache.getline(file, line).strip()
        ) from None


def any_value(domain: Domain) -> Any:
    """Choose any value of a type: entry by entry for maps."""
    if isinstance(domain, MapDomain):
        return {k: any_value(domain.value) for k in domain.key}
    return choice.choose(domain.members)


def start_value(domain: Domain, value: Any, name: str) -> Any:
    """The declared initial value as a value of the type.  A plain value stands for a map with this value everywhere, a
    tuple for a record with these fields: in maps, records and optionals too.
    """
    if value is unset:
        value = domain.start()
    if value is unset:
        remedy = _example(domain, name.rpartition(".")[2])
        raise UsageError(f"variable {name} of type {domain!r} needs an initial value", remedy=remedy)
    if isinstance(domain, MapDomain) and not isinstance(value, MapValue):
        return {
            k: start_value(domain.value, v, name)
            for k, v in (value.items() if isinstance(value, dict) else ((k, value) for k in domain.key))
        }
    if type(domain) is RecordDomain and type(value) is tuple and len(value) == len(domain.parts):
        return tuple(start_value(part, v, name) for part, v in zip(domain.parts, value))
    if isinstance(domain, OptionalDomain) and value is not None:
        return start_value(domain.item, value, name)
    return value


def _example(domain: Domain, name: str) -> str:
    """The text to write for a variable without an initial value."""
    written = example(domain)
    if written is None:
        return (
            f"Assign it first in a method marked @initial, self.{name} = ..., or start with every value: {name} = "
            f"var({domain!r}, anything)."
        )
    return (
        f"For example {name} = var({domain!r}, {written}). Or assign it first in a method marked @initial: "
        f"self.{name} = ..."
    )


def example(domain: Domain) -> str | None:
    """An initial value of a type in the syntax of a class body; None if it cannot be written there."""
    match domain:
        case IntDomain():
            return str(domain.lo)
        case EnumDomain():
            return f"{domain.enum.__name__}.{next(iter(domain.enum)).name}"
        case MapDomain():
            return example(domain.value)
        case RecordDomain() if all(parts := [example(p) for p in domain.parts]):
            return f"({', '.join(map(str, parts))}{',' * (len(parts) == 1)})"
        case _:
            start = domain.start()
            return None if start is unset else repr(start)


def is_start(model: Model, raw: tuple[Any, ...]) -> bool:
    """Whether a raw state is an initial state: any value is a start value for `anything`; the @initial method must lead
    to the state.
    """
    given = dict(zip((v.name for v in model.definition.variables), raw))
    if any(made == raw for made in _completed(model, lambda v: v.domain.from_raw(given[v.name]))):
        return True
    return (model.definition.initial is not None or bool(model.definition.starting)) and raw in set(starts(model))
