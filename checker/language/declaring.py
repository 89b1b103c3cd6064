"""How a type in a class body becomes a domain once the constants are known, and the error for a value that is no type.
The types themselves are in `checker.language.types`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

from attrs import define, field

from checker.language import domains as d
from checker.language.constants import Constants, fixed
from checker.language.errors import UsageError

TYPES = "Types: Bool, Int(lo, hi), an Enum, Ids, Optional, Record, Union, Map, Set, Seq, Bag, Network, Fifo."
COMPLETE = {
    "Int": "Int(lo, hi)",
    "Ids": 'Ids("p", n)',
    "Record": "Record(name=Type, ...)",
    "Union": "Union(Variant=Record(...), ...)",
}
PYTHON = {"bool": "Bool", "int": "Int(lo, hi)", "list": "Seq[T, n]", "dict": "Map[K, V]", "set": "Set[T]"}
"""Python's types with what a model declares instead."""
INSTEAD = {
    int: f"Every type is finite: write {PYTHON['int']}.",
    float: "Numbers are integers: scale them, and write Int(lo, hi).",
    str: "Write an Enum, or Ids for identities.",
    list: f"Write {PYTHON['list']}.",
    dict: f"Write {PYTHON['dict']}.",
    set: f"Write {PYTHON['set']}.",
    frozenset: f"Write {PYTHON['set']}.",
    tuple: "Write Record(name=T, ...).",
}


@define
class Resolver:
    """Resolves the types of one definition, each declaration once.

    `overridden`: declarations of base classes that the model declares again, by identity, each with its replacement.
    While the replacement itself is resolved, the old declaration keeps its meaning, so a type can be made of the one
    that it overrides.
    """

    constants: Constants
    named: Callable[[str], Any]  # the declaration of a name in the model
    fifo: bool = False
    overridden: Mapping[int, Any] = field(factory=dict)
    active: list[Any] = field(factory=list)
    done: dict[int, d.Domain] = field(factory=dict)
    kept: list[Any] = field(factory=list)  # keeps declarations alive: `done` identifies them by `id`

    def __call__(self, declaration: Any, name: str = "") -> d.Domain:
        """The domain of a declared type; `name` is its attribute."""
        if isinstance(declaration, d.Domain):
            return declaration
        current = self.overridden.get(id(declaration))
        if current is not None and not any(current is a for a in self.active):
            declaration = current
        if id(declaration) not in self.done:
            self.kept.append(declaration)
            self.active.append(declaration)
            try:
                self.done[id(declaration)] = self._resolve(declaration, name)
            finally:
                self.active.pop()
        return self.done[id(declaration)]

    def _resolve(self, declaration: Any, name: str) -> d.Domain:
        if isinstance(declaration, TypeDeclaration):
            return declaration.resolve(self, name or declaration.name)
        if declaration is bool:
            return d.BoolDomain()
        if isinstance(declaration, type) and issubclass(declaration, Enum):
            if not len(declaration):
                raise UsageError(
                    f"the enumeration {declaration.__name__} is empty", remedy="Give it members: name = 0."
                )
            return d.EnumDomain(declaration)
        if isinstance(declaration, range) and declaration.step == 1:
            return d.IntDomain(declaration.start, declaration.stop - 1)
        raise not_a_type(declaration)

    def fix(self, value: Any) -> Any:
        """A value with its constants substituted."""
        return fixed(value, self.constants)

    def number(self, value: Any, what: str) -> int:
        """A fixed integer."""
        result = self.fix(value)
        if not isinstance(result, int) or isinstance(result, bool):
            raise UsageError(f"{what} must be an integer, not {result!r}")
        return result


def not_a_type(value: Any) -> UsageError:
    """The error for a value where a type is expected, and what to write."""
    kind: Any = getattr(value, "__origin__", value)  # dict of dict[K, V]
    if isinstance(value, NetworkDeclaration):
        return UsageError(
            "a network is no type of values",
            remedy="A network is a variable of its own: net = var(Network[Process, T]).",
        )
    if isinstance(kind, type) and kind.__module__ != "builtins":
        return UsageError(
            f"{kind.__name__} is a plain Python class, not a type",
            remedy=f"Derive it from Enum, or write {kind.__name__} = Record(name=Type, ...).",
        )
    if isinstance(kind, type):
        return UsageError(f"{kind.__name__} is a Python type, not one of a model", remedy=INSTEAD.get(kind, TYPES))
    if isinstance(value, Variant):
        return UsageError(
            f"{value!r} is one variant of a union, not a type", remedy="Use the whole union, or a Record of its own."
        )
    if isinstance(value, tuple | list | set) and value and all(isinstance(v, str) for v in value):
        names = ", ".join(f'"{v}"' for v in value)
        return UsageError(
            f"{value!r} is a value, not a type",
            remedy=f'For names without an order write Ids("x", ({names})), or an Enum class with these members.',
        )
    if isinstance(value, bool | int | tuple | list | set | dict) or value is None:
        remedy = f"The type comes first: var(Type, {repr(value) if value else 'initial'})."
        return UsageError(f"{value!r} is a value, not a type", remedy=remedy)
    if getattr(value, "__module__", "") == "checker.language.types" and getattr(value, "__name__", "") in COMPLETE:
        return UsageError(f"{value.__name__} by itself is not a type", remedy=f"Write {COMPLETE[value.__name__]}.")
    if isinstance(value, str):
        return UsageError(f"{value!r} is a string, not a type", remedy="Write the type without quotes.")
    return UsageError(f"{value!r} is not a type", remedy=TYPES)


def name_of(value: Any) -> str:
    """A class or function by its name, anything else as it is written."""
    return str(getattr(value, "__name__", repr(value)))


class NoVariant(UsageError, AttributeError):
    """A variant that a type does not have."""


class TypeDeclaration:
    """A type written in a class body."""

    name = ""

    def __repr__(self) -> str:
        return self.name or type(self).__name__.strip("_")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise NoVariant(
            f"{self!r} has no {name}",
            remedy="Only a Union(...) has variants; members of a type are read in methods: self.Process[0].",
        )

    def __iter__(self) -> Any:
        remedy = (
            "The same value at every key of a map is written alone, var(Map[K, V], value), in a record too: "
            "var(R, (0, value)). Anything else goes into a method marked @initial."
        )
        raise UsageError(f"the members of {self!r} are not known in the class body", remedy=remedy)

    def __getitem__(self, place: Any) -> Any:
        member = place if isinstance(place, int) else 0
        remedy = (
            f"Write self.{self!r}[{member}] in the methods that use it. A variable starts with every member, "
            "var(T, anything), and a method marked @initial chooses: self.x = self.T[0]."
        )
        raise UsageError(f"the members of {self!r} are not known in the class body", remedy=remedy)

    def __call__(self, *args: Any, **fields: Any) -> Any:
        remedy = (
            "Start with a tuple of its fields if these are numbers or truth values, var(T, (0, False)), or with "
            "anything, and make it in a method marked @initial: self.x = self.T(...)."
        )
        raise UsageError(f"a value of {self!r} cannot be made in the class body", remedy=remedy)

    def __or__(self, other: Any) -> Any:
        remedy = f"Write Optional[{self!r}]." if other is None else "Write Union(Name=Record(...), ...)."
        raise UsageError(f"{self!r} | {name_of(other)} is no type", remedy=remedy)

    __ror__ = __or__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = self.name or name

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self
        types = instance.definition.types
        # a property's own, or the model's
        own = types.get(f"{type(instance).__name__}.{self.name}")
        return types[self.name] if own is None else own

    def resolve(self, to: Resolver, name: str) -> d.Domain:
        """The domain with constants fixed."""
        raise NotImplementedError


class Variant:
    """One variant of a declared union, as in `@on(net, Wire.Order)`."""

    def __init__(self, union: Any, name: str) -> None:
        self.union, self.name = union, name

    def __call__(self, *args: Any, **fields: Any) -> Any:
        remedy = (
            "Start with every value, var(T, anything), and make the one in a method marked @initial: self.x = "
            "self.T.Variant(...)."
        )
        raise UsageError(f"a value of {self!r} cannot be made in the class body", remedy=remedy)

    def __repr__(self) -> str:
        return f"{self.union!r}.{self.name}"


class NetworkDeclaration(TypeDeclaration):
    """A network between the members of a process type; `fifo` keeps each channel in order."""

    def __init__(self, process: Any, body: Any, fifo: bool) -> None:
        self.process, self.body, self.fifo = process, body, fifo

    def __repr__(self) -> str:
        return f"{'Fifo' if self.fifo else 'Network'}[{self.process!r}, {self.body!r}]"
