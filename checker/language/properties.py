"""Reusable properties: written once, and checked on every model with the variables and events that they name.

A property is an object beside the model: `self` has its own variables and everything of the model, and no name may have
both meanings.  A method marked @initial runs in each initial state of the model, after the model's own.  Methods
on_EVENT run when the model emits the event, before the change that the model makes with it unless the model emits
afterwards.
"""

from __future__ import annotations

from typing import Any

from checker.language.errors import UsageError
from checker.language.model import Model, unknown_attribute


class Property:
    """Base of the kinds below."""

    kind = ""

    def __init__(self, *model: Model) -> None:
        if not model:
            name = type(self).__name__
            raise UsageError(
                f"{name}() makes an object of a property", remedy=f"List the class itself: properties = [{name}]."
            )
        (self._model,) = model

    def __setattr__(self, name: str, value: Any) -> None:
        if name != "_model" and not hasattr(getattr(type(self), name, None), "__set__"):
            raise unknown_attribute(self, name, of_model=hasattr(type(self._model), name))
        super().__setattr__(name, value)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.__dict__["_model"], name)

    @property
    def before(self) -> Any:
        """The property, with its own variables, and the model in the state before the step (step invariants only)."""
        return next(p for p in self._model.before.watching if type(p) is type(self))

    def get_variable(self, name: str) -> Any:
        """The value of one of the property's own variables."""
        return self._model.storage[f"{type(self).__name__}.{name}"]

    def set_variable(self, name: str, value: Any) -> None:
        """Assign one of the property's own variables."""
        self._model.set_variable(f"{type(self).__name__}.{name}", value)

    def holds(self) -> bool:
        """The predicate."""
        raise NotImplementedError


class Invariant(Property):
    """Holds in every reachable state."""

    kind = "invariant"


class StepInvariant(Property):
    """True for every step; `self.before` is the state before it."""

    kind = "step"


class Quiescence(Property):
    """Holds wherever no action but faults is enabled."""

    kind = "quiescence"


class Reachable(Property):
    """Holds in some reachable state."""

    kind = "reachable"


class LeadsTo(Property):
    """Whenever `when` is true, `then` is true in the same state or later, on every weakly fair run.

    Weakly fair: an instance of an action (a message that a handler can receive) that stays enabled for ever is taken.
    Faults need not occur.
    """

    kind = "leads-to"

    def when(self) -> bool:
        """The antecedent; by default true in every state, so that `then` must be true again and again."""
        return True

    def then(self) -> bool:
        """The consequent."""
        raise NotImplementedError


KINDS: tuple[type[Property], ...] = (Invariant, StepInvariant, Quiescence, Reachable, LeadsTo)
