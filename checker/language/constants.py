"""Constants of a model and what is computed from them in a class body.

`const` declares one; arithmetic on it, `.sum()` and the like, and `derived` build Deferred values, computed when the constants are fixed.  A deferred value
refers to constants by name, so a subclass may redefine a constant and everything computed from it follows.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

from checker.language.errors import UsageError

Constants = Mapping[str, Any]


class Deferred:
    """A value that depends on constants."""

    def __init__(self, compute: Callable[[Constants], Any]) -> None:
        self.compute = compute

    def _binary(self, function: Callable[[Any, Any], Any], other: Any, swap: bool = False) -> Deferred:
        def compute(constants: Constants) -> Any:
            a, b = fixed(self, constants), fixed(other, constants)
            return function(b, a) if swap else function(a, b)

        return Deferred(compute)

    def __add__(self, other: Any) -> Deferred:
        return self._binary(operator.add, other)

    def __radd__(self, other: Any) -> Deferred:
        return self._binary(operator.add, other, swap=True)

    def __sub__(self, other: Any) -> Deferred:
        return self._binary(operator.sub, other)

    def __rsub__(self, other: Any) -> Deferred:
        return self._binary(operator.sub, other, swap=True)

    def __mul__(self, other: Any) -> Deferred:
        return self._binary(operator.mul, other)

    def __rmul__(self, other: Any) -> Deferred:
        return self._binary(operator.mul, other, swap=True)

    def __floordiv__(self, other: Any) -> Deferred:
        return self._binary(operator.floordiv, other)

    def __get__(self, instance: Any, owner: type) -> Any:
        return self if instance is None else fixed(self, instance.definition.constants)

    def sum(self) -> Deferred:
        """Sum of a tuple."""
        return Deferred(lambda c: sum(fixed(self, c)))

    def max(self) -> Deferred:
        """Largest of a tuple."""
        return Deferred(lambda c: max(fixed(self, c)))

    def len(self) -> Deferred:
        """Length of a tuple."""
        return Deferred(lambda c: len(fixed(self, c)))


class Constant(Deferred):
    """A named constant: on the class itself, on an instance its value."""

    def __init__(self, default: Any, meaning: str, choices: tuple[Any, ...]) -> None:
        super().__init__(self._look_up)
        self.default, self.meaning, self.choices = default, meaning, choices
        self.name = ""

    def _look_up(self, constants: Constants) -> Any:
        if self.name not in constants:
            raise UsageError(f"constant {self.name or '(unnamed)'} is used, but the model does not declare it")
        return constants[self.name]

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type) -> Any:
        return self if instance is None else instance.definition.constants[self.name]


def const(default: Any, meaning: str = "", choices: tuple[Any, ...] = ()) -> Any:
    """A constant with its default (which may depend on other constants), its meaning, and the only values allowed, if any."""
    return Constant(default, meaning, choices)


def derived(compute: Callable[[Any], Any]) -> Any:
    """Anything computed from the constants: `derived(lambda c: max(c.workload))`."""
    return Deferred(lambda constants: compute(SimpleNamespace(**constants)))


def fixed(value: Any, constants: Constants) -> Any:
    """A value with everything deferred in it computed."""
    if isinstance(value, Deferred):
        return fixed(value.compute(constants), constants)
    if isinstance(value, tuple):
        return tuple(fixed(v, constants) for v in value)
    return value
