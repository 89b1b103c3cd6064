"""The types that a modeller writes in a class body: Bool, Int(lo, hi), Map[K, V] and the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from functools import partial
from typing import Any

from checker.ir.domain import size
from checker.language import collection_domains as c
from checker.language import domains as d
from checker.language.declaring import NetworkDeclaration, NoVariant, Resolver, TypeDeclaration, Variant
from checker.language.errors import UsageError, meant
from checker.language.room import short
from checker.wording import digits

MOST_ENTRIES = 1 << 16
"""The largest number of members of an identity type, entries of a map or set, or items of a sequence or bag: a larger
type could be declared, but never be compiled or explored.
"""


class _Built(TypeDeclaration):
    """A type without a name of its own, made by a function from its arguments: Map[K, V] and the like."""

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
            raise UsageError(f"Int({digits(lo)}, {digits(hi)}){f' ({name})' if name else ''} is empty", remedy=remedy)
        if not -(2**62) < lo <= hi < 2**62:
            raise UsageError(
                f"Int({digits(lo)}, {digits(hi)}) does not fit into 63 bits",
                remedy="Bound it by what the model can reach.",
            )
        return d.IntDomain(lo, hi)


class _Ids(TypeDeclaration):
    def __init__(self, prefix: str, members: Any, symmetric: bool) -> None:
        self.prefix, self.members, self.symmetric = prefix, members, symmetric

    def resolve(self, to: Resolver, name: str) -> d.Domain:
        members = to.fix(self.members)
        count = members if isinstance(members, int) else len(members)
        if count > MOST_ENTRIES:
            what = f"the type {name or self.prefix} has {digits(count, ',')} members, more than {MOST_ENTRIES:,}"
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
        raise UsageError(
            f"{what} must be of at most {MOST_ENTRIES:,} values; {domain!r} has {digits(values, ',')}", remedy=remedy
        )
    return domain


def _capacity(to: Resolver, given: Any, of: str) -> int:
    what = f"the capacity of a {of}"
    number = to.number(given, what)
    if not 0 <= number <= MOST_ENTRIES:
        remedy = f"It is a number from 0 to {MOST_ENTRIES:,}; check the constants it depends on."
        raise UsageError(f"{what} is {digits(number, ',')}", remedy=remedy)
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
    """The type that the checked model calls by this name."""
    return _Of(name)


CHANNELS = "channels"  # the constant that gives the networks of a model an order


def number_of_names(value: Any) -> int | None:
    """How many identities an attribute of a class body declares by name; None if it declares none."""
    return len(value.members) if isinstance(value, _Ids) and isinstance(value.members, (tuple, list)) else None


def in_order(declared: Mapping[str, Any]) -> bool:
    """Whether the constant `channels` of a class has no effect: it has networks, and each of them is a Fifo."""
    types = [getattr(value, "type", None) for value in declared.values()]
    networks = [type for type in types if isinstance(type, NetworkDeclaration)]
    orders = getattr(declared.get(CHANNELS), "choices", ())
    return set(orders) == {"unordered", "fifo"} and bool(networks) and all(network.fifo for network in networks)


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
