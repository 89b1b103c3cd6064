"""Constants of a model and the values computed from them in a class body.

`const` declares a constant; arithmetic on it, `.sum()` and the like, and `derived` build Deferred values, computed when
the constants are fixed.  A deferred value refers to constants and to other derived values by name, so if a subclass
declares one again, everything computed from it changes too.
"""

from __future__ import annotations

import difflib
import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from checker.language.errors import UsageError
from checker.language.places import at, of_function
from checker.language.spoken import reading

Constants = Mapping[str, Any]
# the exceptions of a wrong computation
ARITHMETIC = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


def _binary(function: Callable[[Any, Any], Any]) -> tuple[Any, Any]:
    """An operator of deferred values, and the same with the operands exchanged."""

    def forward(self: Deferred, other: Any) -> Deferred:
        return Deferred(lambda c: function(fixed(self, c), fixed(other, c)))

    def backward(self: Deferred, other: Any) -> Deferred:
        return Deferred(lambda c: function(*reversed((fixed(self, c), fixed(other, c)))))

    return forward, backward


class Deferred:
    """A value that depends on constants; in a class body it gets a name, by which other derived values can read it."""

    name = ""

    def __init__(self, compute: Callable[[Constants], Any]) -> None:
        self.compute = compute

    def __set_name__(self, owner: type, name: str) -> None:
        # a second name is refused (checker.language.class_body), and must not rename the value that others use
        self.name = self.name or name

    __add__, __radd__ = _binary(operator.add)
    __sub__, __rsub__ = _binary(operator.sub)
    __mul__, __rmul__ = _binary(operator.mul)
    __floordiv__ = _binary(operator.floordiv)[0]

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self
        definition = instance.definition
        return definition.derived[self.name] if self.name in definition.derived else fixed(self, definition.values)

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

    def _look_up(self, constants: Constants) -> Any:
        if self.name not in constants:
            name = self.name or "(unnamed)"
            remedy = "Give it a name in the class body: size = size"
            if self.name:
                remedy = f"Repeat it in the class body: {self.name} = {self.name}"
            raise UsageError(f"constant {name} is used, but the model does not declare it", remedy=remedy)
        return constants[self.name]

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self
        known = instance.definition.constants
        return known[self.name] if self.name in known else instance.definition.derived[self.name]


BUDGETS = ("crashes", "losses", "duplicates", "partitions")
"""The constants that bound how many faults of each kind there may be."""


class Known(Mapping[str, Any]):
    """The constants of a model, and the values derived from them, each computed when it is first read."""

    def __init__(self, constants: Constants, derived: Mapping[str, Deferred]) -> None:
        self._values, self._derived = dict(constants), dict(derived)
        self._active: list[str] = []

    def __getitem__(self, name: str) -> Any:
        if name not in self._values:
            value = self._derived[name]
            if name in self._active:
                chain = " -> ".join([*self._active[self._active.index(name) :], name])
                remedy = "Compute one of them from constants alone."
                raise UsageError(f"the derived value {name} needs itself ({chain})", remedy=remedy)
            self._active.append(name)
            try:
                self._values[name] = fixed(value, self)
            finally:
                self._active.pop()
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        yield from dict.fromkeys([*self._values, *self._derived])

    def __len__(self) -> int:
        return len({*self._values, *self._derived})


class _ByName:
    """The argument of the function in `derived(lambda c: ...)`: c.name is a constant or another derived value."""

    def __init__(self, known: Constants) -> None:
        self._known = known

    def __getattr__(self, name: str) -> Any:
        if name in self._known:
            return self._known[name]
        names = list(self._known)
        near = difflib.get_close_matches(name, names, 1)
        remedy = f"Did you mean c.{near[0]}?" if near else f"There are: {', '.join(names) or 'none'}."
        raise UsageError(f"a derived value reads {name}, which is no constant of the model", remedy=remedy)


def const(default: Any, meaning: str = "", choices: tuple[Any, ...] = ()) -> Any:
    """A constant with its default (which may depend on other constants), its meaning, and the allowed values, if they
    are restricted.

    Raises UsageError if the default is no bool, integer, string or tuple of these or of such tuples: a graph is
    const(((0, 1), (1, 2))).
    """
    wrong = next((v for v in _leaves(default) if not isinstance(v, bool | int | str | Deferred | None)), None)
    if wrong is not None:
        remedy = "A list of numbers is a tuple: const((2, 1, 0))."
        if isinstance(wrong, float):
            remedy = "Numbers are integers: scale them."
        remedy = "What is computed from other constants is derived(lambda c: ...)." if callable(wrong) else remedy
        shown = "a function" if callable(wrong) else repr(default)
        raise UsageError(
            f"const({shown}): a constant is a bool, an integer, a string or a tuple of these", remedy=remedy
        )
    return Constant(default, meaning, choices)


def _leaves(value: Any) -> Iterator[Any]:
    """The atoms of a constant: the items of its tuples."""
    if isinstance(value, tuple):
        for item in value:
            yield from _leaves(item)
    else:
        yield value


def written(value: Any) -> str:
    """A constant's value in the syntax of -D: 2,1,0 and (0,1),(1,2)."""
    if not isinstance(value, tuple):
        return str(value).lower() if isinstance(value, bool) else str(value)
    items = [f"({written(v)})" if isinstance(v, tuple) and v else written(v) for v in value]
    return f"{','.join(items)}{',' * (len(items) == 1)}" if items else "()"


def typed(values: Mapping[str, Any]) -> str:
    """Constants as a person types them after -D: a list of one number is the number, which is accepted for it."""
    return " ".join(f"{name}={_typed(value)}" for name, value in values.items())


def _typed(value: Any) -> str:
    alone = isinstance(value, tuple) and len(value) == 1 and not isinstance(value[0], tuple)
    return written(value[0] if alone else value)


def derived(compute: Callable[[Any], Any]) -> Any:
    """Anything computed from the constants and from other derived values: `derived(lambda c: max(c.workload))`."""

    def value(known: Constants) -> Any:
        try:
            with reading():
                return compute(_ByName(known))
        except UsageError as error:
            raise error if error.file else at(of_function(compute), error.message, error.remedy) from None
        except ARITHMETIC as error:
            remedy = "Check the constants that it is computed from."
            raise at(
                of_function(compute), f"a derived value goes wrong: {type(error).__name__}: {error}", remedy
            ) from None

    return Deferred(value)


def fixed(value: Any, constants: Constants) -> Any:
    """A value with all deferred parts computed.  Raises UsageError if a computation fails."""
    if isinstance(value, Deferred):
        try:
            return fixed(value.compute(constants), constants)
        except ARITHMETIC as error:
            remedy = "Check the constants that it is computed from."
            raise UsageError(f"a value computed from the constants goes wrong: {error}", remedy=remedy) from None
    if isinstance(value, tuple):
        return tuple(fixed(v, constants) for v in value)
    return value
