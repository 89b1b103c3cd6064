"""Types as a modeller writes them in a class body; `resolve` fixes them once the constants are known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from functools import partial
from typing import Any

from attrs import define, field

from checker.ir.domain import size
from checker.language import collection_domains as c
from checker.language import domains as d
from checker.language.constants import Constants, fixed
from checker.language.errors import UsageError, meant
from checker.language.room import short

TYPES = "Types: Bool, Int(lo, hi), an Enum, Ids, Optional, Record, Union, Map, Set, Seq, Bag, Network, Fifo."
MOST_ENTRIES = 1 << 16
"""Members of an identity type, entries of a map or set, capacity of a sequence or bag: what is beyond could be
declared, but never be compiled or explored."""
COMPLETE = {
    "Int": "Int(lo, hi)",
    "Ids": 'Ids("p", n)',
    "Record": "Record(name=Type, ...)",
    "Union": "Union(Variant=Record(...), ...)",
}
INSTEAD = {
    int: "Every type is finite: write Int(lo, hi).",
    float: "Numbers are integers: scale them, and write Int(lo, hi).",
    str: "Write an Enum, or Ids for identities.",
    list: "Write Seq[T, n].",
    dict: "Write Map[K, V].",
    set: "Write Set[T].",
    frozenset: "Write Set[T].",
    tuple: "Write Record(name=T, ...).",
}


@define
class Resolver:
    """Resolves the types of one definition, each declaration once.

    `overridden`: declarations of base classes that the model declares anew, by identity, with what stands for them now.
    While that is resolved itself, the old one means what it meant, so a type can be made of the one it overrides.
    """

    constants: Constants
    named: Callable[[str], Any]  # the declaration a model has under a name
    fifo: bool = False
    overridden: Mapping[int, Any] = field(factory=dict)
    active: list[Any] = field(factory=list)
    done: dict[int, d.Domain] = field(factory=dict)
    kept: list[Any] = field(factory=list)  # keeps declarations alive: `done` goes by identity

    def __call__(self, declaration: Any, name: str = "") -> d.Domain:
        """The domain of a declared type; `name` is the attribute it was given."""
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
        """A value with its constants fixed."""
        return fixed(value, self.constants)

    def number(self, value: Any, what: str) -> int:
        """A fixed integer."""
        result = self.fix(value)
        if not isinstance(result, int) or isinstance(result, bool):
            raise UsageError(f"{what} must be an integer, not {result!r}")
        return result


def not_a_type(value: Any) -> UsageError:
    """What is wrong with a value that stands where a type should, and what to write."""
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
    if any(value is constructor for constructor in (Int, Ids, Record, Union)):
        return UsageError(f"{value.__name__} by itself is not a type", remedy=f"Write {COMPLETE[value.__name__]}.")
    if isinstance(value, str):
        return UsageError(f"{value!r} is a string, not a type", remedy="Write the type without quotes.")
    return UsageError(f"{value!r} is not a type", remedy=TYPES)


def _written(value: Any) -> str:
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
        remedy = (
            "Start with every member, var(T, anything), and choose in a method marked @initial: self.x = self.T[0]."
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
        raise UsageError(f"{self!r} | {_written(other)} is no type", remedy=remedy)

    __ror__ = __or__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = self.name or name

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self
        types = instance.definition.types
        # a property's own, or the model's
        return types.get(f"{type(instance).__name__}.{self.name}") or types[self.name]

    def resolve(self, to: Resolver, name: str) -> d.Domain:
        """The domain with constants fixed."""
        raise NotImplementedError


class _Built(TypeDeclaration):
    """A type without a name of its own, which a function makes of its arguments: Map[K, V] and the like."""

    def __init__(self, kind: str, build: Callable[..., d.Domain], *arguments: Any) -> None:
        self.kind, self.build, self.arguments = kind, build, arguments

    def __repr__(self) -> str:
        return self.name or self.kind

    def resolve(self, to: Resolver, name: str) -> d.Domain:
        return self.build(to, *self.arguments)


class _Int(TypeDeclaration):
    def __init__(self, lo: Any, hi: Any) -> None:
        self.lo, self.hi = lo, hi

    def resolve(self, to: Resolver, name: str) -> d.Domain:
        lo, hi = to.number(self.lo, "a bound of Int"), to.number(self.hi, "a bound of Int")
        if lo > hi:
            remedy = "The lower bound comes first; check the constants they depend on."
            raise UsageError(f"Int({lo}, {hi}){f' ({name})' if name else ''} is empty", remedy=remedy)
        if not -(2**62) < lo <= hi < 2**62:
            raise UsageError(
                f"Int({lo}, {hi}) does not fit into 63 bits", remedy="Bound it by what the model can reach."
            )
        return d.IntDomain(lo, hi)


class _Ids(TypeDeclaration):
    def __init__(self, prefix: str, members: Any, symmetric: bool) -> None:
        self.prefix, self.members, self.symmetric = prefix, members, symmetric

    def resolve(self, to: Resolver, name: str) -> d.Domain:
        members = to.fix(self.members)
        count = members if isinstance(members, int) else len(members)
        if count > MOST_ENTRIES:
            what = f"the type {name or self.prefix} has {count:,} members, more than {MOST_ENTRIES:,}"
            raise UsageError(what, remedy="Check the constants it depends on.")
        named = (f"{self.prefix}{i + 1}" for i in range(members)) if isinstance(members, int) else map(str, members)
        names = tuple(named)
        if not names:
            remedy = "Give it at least one member; check the constants it depends on."
            raise UsageError(f"the type {name or self.prefix} is empty", remedy=remedy)
        if len(set(names)) != len(names):
            what = f"the type {name or self.prefix} has two members of the same name: {short(names)}"
            raise UsageError(what, remedy="Give each a name of its own.")
        return d.IdsDomain(name or self.prefix, names, self.symmetric)


class _Record(TypeDeclaration):
    def __init__(self, fields: dict[str, Any]) -> None:
        self.fields = fields

    def resolve(self, to: Resolver, name: str) -> d.Domain:
        return d.RecordDomain(name or "Record", {n: to(t) for n, t in self.fields.items()})


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


class _Union(TypeDeclaration):
    def __init__(self, variants: dict[str, Any]) -> None:
        self.variants = variants

    def __getattr__(self, name: str) -> Variant:
        if name.startswith("__"):
            raise AttributeError(name)
        if name not in self.variants:
            raise NoVariant(f"{self.name or 'the union'} has no variant {name}", remedy=meant(name, self.variants))
        return Variant(self, name)

    def resolve(self, to: Resolver, name: str) -> d.Domain:
        for variant, record in self.variants.items():
            if not isinstance(record, _Record):
                remedy = f"{variant}=Record() has no fields."
                raise UsageError(f"variant {variant} of {name or 'a union'} must be a Record(...)", remedy=remedy)
        return d.UnionDomain(
            name or "Union", {v: {n: to(t) for n, t in r.fields.items()} for v, r in self.variants.items()}
        )


class NetworkDeclaration(TypeDeclaration):
    """A network between the members of a process type; `fifo` keeps each channel in order."""

    def __init__(self, process: Any, body: Any, fifo: bool) -> None:
        self.process, self.body, self.fifo = process, body, fifo

    def __repr__(self) -> str:
        return f"{'Fifo' if self.fifo else 'Network'}[{self.process!r}, {self.body!r}]"


class _Of(TypeDeclaration):
    def __init__(self, target: str) -> None:
        self.target = target

    def __set_name__(self, owner: type, name: str) -> None:
        pass

    def resolve(self, to: Resolver, name: str) -> d.Domain:
        return to(to.named(self.target), self.target)


def _optional(to: Resolver, item: Any) -> d.Domain:
    domain = to(item)
    if isinstance(domain, d.OptionalDomain):
        remedy = "Use a Union, or an Enum for the reasons of absence."
        raise UsageError(f"Optional[{domain!r}] has two kinds of None", remedy=remedy)
    return d.OptionalDomain(domain)


def _enumerable(domain: d.Domain, what: str) -> d.Domain:
    values = size(domain.ir)
    if values is None:
        remedy = "Use a Seq or a Bag for collections of such values."
        raise UsageError(f"{what} must be of an enumerable type, not {domain!r}", remedy=remedy)
    if values > MOST_ENTRIES:
        remedy = "A state holds an entry for each: bound the type by what the model can reach."
        raise UsageError(f"{what} must be of at most {MOST_ENTRIES:,} values; {domain!r} has {values:,}", remedy=remedy)
    return domain


def _capacity(to: Resolver, given: Any, of: str) -> int:
    what = f"the capacity of a {of}"
    number = to.number(given, what)
    if not 0 <= number <= MOST_ENTRIES:
        remedy = f"It is a number from 0 to {MOST_ENTRIES:,}; check the constants it depends on."
        raise UsageError(f"{what} is {number:,}", remedy=remedy)
    return number


class Generic:
    """Makes `Map[K, V]` and the like: indexing builds the declaration."""

    def __init__(self, name: str, parameters: str, build: Callable[..., TypeDeclaration]) -> None:
        self.name, self.parameters, self.build = name, parameters, build
        self.arity = len(parameters.split(","))

    def __getitem__(self, arguments: Any) -> Any:
        parts = arguments if isinstance(arguments, tuple) else (arguments,)
        if len(parts) != self.arity:
            what = f"{self.name} takes {self.arity} argument{'s' * (self.arity > 1)} in brackets, not {len(parts)}"
            raise UsageError(what, remedy=f"Write {self._form}.")
        return self.build(*parts)

    def __call__(self, *arguments: Any) -> Any:
        raise UsageError(f"{self.name}(...) is written with brackets", remedy=f"Write {self._form}.")

    @property
    def _form(self) -> str:
        return f"{self.name}[{self.parameters}]"


def _generic(name: str, parameters: str, build: Callable[..., d.Domain]) -> Generic:
    return Generic(name, parameters, partial(_Built, name, build))


Bool: Any = _Built("Bool", lambda to: d.BoolDomain())
Optional: Any = _generic("Optional", "T", _optional)
Map: Any = _generic("Map", "K, V", lambda to, k, v: c.MapDomain(_enumerable(to(k), "the keys of a Map"), to(v)))
Set: Any = _generic("Set", "T", lambda to, item: d.SetDomain(_enumerable(to(item), "the members of a Set")))
Seq: Any = _generic("Seq", "T, n", lambda to, item, n: c.SeqDomain(to(item), _capacity(to, n, "Seq")))
Bag: Any = _generic("Bag", "T, n", lambda to, item, n: c.BagDomain(to(item), _capacity(to, n, "Bag")))
Network: Any = Generic("Network", "Process, T", lambda p, b: NetworkDeclaration(p, b, False))
Fifo: Any = Generic("Fifo", "Process, T", lambda p, b: NetworkDeclaration(p, b, True))


def Int(lo: Any, hi: Any = d.unset) -> Any:
    """The integers lo..hi, both included."""
    if hi is d.unset:
        raise UsageError(
            f"Int({lo!r}) has one bound", remedy="Int(lo, hi) are the integers from lo to hi, both included: Int(0, 3)."
        )
    return _Int(lo, hi)


def Ids(prefix: str, members: Any, symmetric: bool = False) -> Any:
    """Identities prefix1, prefix2, ... (members: how many) or with the given names."""
    return _Ids(prefix, members, symmetric)


def Record(*unnamed: Any, **fields: Any) -> Any:
    """An immutable record with these fields."""
    if unnamed:
        raise UsageError("a Record has fields with names", remedy="Record(time=Int(0, 3), by=Process)")
    return _Record(fields)


def Union(*unnamed: Any, **variants: Any) -> Any:
    """One of several records."""
    if unnamed or not variants:
        raise UsageError(
            "a Union has variants with names", remedy="Union(Ask=Record(), Answer=Record(value=Int(0, 3)))"
        )
    return _Union(variants)


def of(name: str) -> Any:
    """The type that the model in hand calls by this name."""
    return _Of(name)


def number_of_names(value: Any) -> int | None:
    """How many identities an attribute of a class body declares by their names; None if it does not."""
    return len(value.members) if isinstance(value, _Ids) and isinstance(value.members, (tuple, list)) else None


def is_symmetric(value: Any) -> bool:
    """Whether an attribute of a class body declares identities that are interchangeable."""
    return isinstance(value, _Ids) and value.symmetric


def is_type(value: Any) -> bool:
    """Whether an attribute of a class body declares a type."""
    return (
        isinstance(value, TypeDeclaration)
        and not isinstance(value, NetworkDeclaration)
        or (isinstance(value, type) and issubclass(value, Enum) and value is not Enum)
    )


__all__ = ["Bag", "Bool", "Fifo", "Ids", "Int", "Map", "Network", "Optional", "Record", "Seq", "Set", "Union", "of"]
