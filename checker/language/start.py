"""The initial states: declared start values, `anything`, then the @initial method."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from checker.language import choice
from checker.language.domains import Domain, MapDomain, unset
from checker.language.errors import Disabled, UsageError

if TYPE_CHECKING:
    from checker.language.model import Model


def starts(model: Model) -> Iterator[tuple[Any, ...]]:
    """Raw initial states in canonical order (may repeat); changes the model's state while it runs."""
    from checker.language.model import anything

    script = choice.Script()
    while True:
        choice.executing(script)
        try:
            for variable in model.definition.variables:
                value = variable.initial
                value = any_value(variable.domain) if value is anything else start_value(variable.domain, value, variable.name)
                model.storage[variable.name] = variable.domain.place(value)
            model.emitted.clear()
            if model.definition.initial is not None:
                model.definition.initial(model)
            snapshot = model.raw_state()
            model.emitted.clear()
            choice.executing(None)
            yield snapshot
        except Disabled:
            pass
        if not script.advance():
            choice.executing(None)
            return


def any_value(domain: Domain) -> Any:
    """Choose any value of a type: entry by entry for maps."""
    if isinstance(domain, MapDomain):
        return {k: any_value(domain.value) for k in domain.key}
    return choice.choose(domain)


def start_value(domain: Domain, value: Any, name: str) -> Any:
    """The declared start as a value of the type; a plain value stands for a map that has it everywhere."""
    if value is unset:
        value = domain.start()
    if value is unset:
        raise UsageError(f"variable {name} of type {domain!r} needs an initial value", remedy=f"{name} = var(..., initial value)")
    if isinstance(domain, MapDomain) and not isinstance(value, dict):
        return {k: start_value(domain.value, value, name) for k in domain.key}
    return value


def is_start(model: Model, raw: tuple[Any, ...]) -> bool:
    """Whether a raw state is an initial state: `anything` is met by any value, the @initial method must lead to the state."""
    from checker.language.model import anything

    script = choice.Script()
    while True:
        choice.executing(script)
        try:
            for variable, value in zip(model.definition.variables, raw):
                if variable.initial is anything:
                    start = variable.domain.from_raw(value)
                else:
                    start = start_value(variable.domain, variable.initial, variable.name)
                model.storage[variable.name] = variable.domain.place(start)
            if model.definition.initial is not None:
                model.definition.initial(model)
            if model.raw_state() == raw:
                return True
        except Disabled:
            pass
        finally:
            model.emitted.clear()
            choice.executing(None)
        if not script.advance():
            return model.definition.initial is not None and raw in set(starts(model))
