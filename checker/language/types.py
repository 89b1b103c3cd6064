"""Types as a modeller writes them in a class body; `resolve` fixes them once the constants are known."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

from attrs import define, field

from checker.language import domains as d
from checker.language.constants import Constants, fixed
from checker.language.errors import UsageError


@define
class Resolver:
    """Resolves the types of one definition, each declaration once."""

    constants: Constants
    named: Callable[[str], Any]  # the declaration a model has under a name
    fifo: bool = False
    done: dict[int, d.Domain] = field(factory=dict)
    kept: list[Any] = field(factory=list)  # keeps declarations alive: `done` goes by identity

    def __call__(self, declaration: Any, name: str = "") -> d.Domain:
        """The domain of a declared type; `name` is the attribute it was given."""
        if isinstance(declaration, d.Domain):
            return declaration
        if id(declaration) not in self.done:
            self.kept.append(declaration)
            self.done[id(declaration)] = self._resolve(declaration, name)
        return self.done[id(declaration)]

    def _resolve(self, declaration: Any, name: str) -> d.Domain:
        if isinstance(declaration, TypeDeclaration):
            return declaration.resolve(self, name or declaration.name)
        if declaration is bool:
            return d.BoolDomain()
        if isinstance(declaration, type) and issubclass(declaration, Enum):
            if not len(declaration):
                raise UsageError(f"the enumeration {declaration.__name__} is empty")
            return d.EnumDomain(declaration)
        if isinstance(declaration, range) and declaration.step == 1:
            return d.IntDomain(declaration.start, declaration.stop - 1)
        raise UsageError(f"{declaration!r} is not a type", remedy="Types: Bool, Int(lo, hi), an Enum, Ids, Optional, Record, Union, Map, Set, Seq, Bag, Network, Fifo.")

    def fix(self, value: Any) -> Any:
        """A value with its constants fixed."""
        return fixed(value, self.constants)

    def number(self, value: Any, what: str) -> int:
        """A fixed integer."""
        result = self.fix(value)
        if not isinstance(result, int) or isinstance(result, bool):
            raise UsageError(f"{what} must be an integer, not {result!r}")
        return result


class TypeDeclaration:
    """A type written in a class body."""

    name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = self.name or name

    def __get__(self, instance: Any, owner: type) -> Any:
        return self if instance is None else instance.definition.types[self.name]

    def resolve(self, to: Resolver, name: str) -> d.Domain:
        """The domain with constants fixed."""
        raise NotImplementedError


class _Bool(TypeDeclaration):
    def resolve(self, to: Resolver, name: str) -> d.Domain:
        return d.BoolDomain()


class _Int(TypeDeclaration):
    def __init__(self, lo: Any, hi: Any) -> None:
        self.lo, self.hi = lo, hi

    def resolve(self, to: Resolver, name: str) -> d.Domain:
        lo, hi = to.number(self.lo, "a bound of Int"), to.number(self.hi, "a bound of Int")
        if lo > hi:
            raise UsageError(f"Int({lo}, {hi}){f' ({name})' if name else ''} is empty")
        if not -(2**62) < lo <= hi < 2**62:
            raise UsageError(f"Int({lo}, {hi}) does not fit into 63 bits")
        return d.IntDomain(lo, hi)


class _Ids(TypeDeclaration):
    def __init__(self, prefix: str, members: Any, symmetric: bool) -> None:
        self.prefix, self.members, self.symmetric = prefix, members, symmetric

    def resolve(self, to: Resolver, name: str) -> d.Domain:
        members = to.fix(self.members)
        names = tuple(f"{self.prefix}{i + 1}" for i in range(members)) if isinstance(members, int) else tuple(map(str, members))
        if not names:
            raise UsageError(f"the type {name or self.prefix} is empty", remedy="Give it at least one member; check the constants it depends on.")
        if len(set(names)) != len(names):
            raise UsageError(f"the type {name or self.prefix} has two members of the same name: {', '.join(names)}")
        return d.IdsDomain(name or self.prefix, names, self.symmetric)


class _Optional(TypeDeclaration):
    def __init__(self, item: Any) -> None:
        self.item = item

    def resolve(self, to: Resolver, name: str) -> d.Domain:
        item = to(self.item)
        if isinstance(item, d.OptionalDomain):
            raise UsageError(f"Optional[{item!r}] has two kinds of None", remedy="Use a Union, or an Enum for the reasons of absence.")
        return d.OptionalDomain(item)


class _Record(TypeDeclaration):
    def __init__(self, fields: dict[str, Any]) -> None:
        self.fields = fields

    def resolve(self, to: Resolver, name: str) -> d.Domain:
        return d.RecordDomain(name or "Record", {n: to(t) for n, t in self.fields.items()})


class Variant:
    """One variant of a declared union, as in `@on(net, Wire.Order)`."""

    def __init__(self, union: Any, name: str) -> None:
        self.union, self.name = union, name


class _Union(TypeDeclaration):
    def __init__(self, variants: dict[str, Any]) -> None:
        self.variants = variants

    def __getattr__(self, name: str) -> Variant:
        if name.startswith("__") or name not in self.variants:
            raise AttributeError(name)
        return Variant(self, name)

    def resolve(self, to: Resolver, name: str) -> d.Domain:
        for variant, record in self.variants.items():
            if not isinstance(record, _Record):
                raise UsageError(f"variant {variant} of {name or 'a union'} must be a Record(...)", remedy=f"{variant}=Record() has no fields.")
        return d.UnionDomain(name or "Union", {v: {n: to(t) for n, t in r.fields.items()} for v, r in self.variants.items()})


class _Map(TypeDeclaration):
    def __init__(self, key: Any, value: Any) -> None:
        self.key, self.value = key, value

    def resolve(self, to: Resolver, name: str) -> d.Domain:
        return d.MapDomain(_enumerable(to(self.key), "the keys of a Map"), to(self.value))


class _Set(TypeDeclaration):
    def __init__(self, item: Any) -> None:
        self.item = item

    def resolve(self, to: Resolver, name: str) -> d.Domain:
        return d.SetDomain(_enumerable(to(self.item), "the members of a Set"))


class _Seq(TypeDeclaration):
    def __init__(self, item: Any, capacity: Any) -> None:
        self.item, self.capacity = item, capacity

    def resolve(self, to: Resolver, name: str) -> d.Domain:
        return d.SeqDomain(to(self.item), to.number(self.capacity, "the capacity of a Seq"))


class _Bag(TypeDeclaration):
    def __init__(self, item: Any, capacity: Any) -> None:
        self.item, self.capacity = item, capacity

    def resolve(self, to: Resolver, name: str) -> d.Domain:
        return d.BagDomain(to(self.item), to.number(self.capacity, "the capacity of a Bag"))


class NetworkDeclaration(TypeDeclaration):
    """A network between the members of a process type; `fifo` keeps each channel in order."""

    def __init__(self, process: Any, body: Any, fifo: bool) -> None:
        self.process, self.body, self.fifo = process, body, fifo


class _Of(TypeDeclaration):
    def __init__(self, target: str) -> None:
        self.target = target

    def __set_name__(self, owner: type, name: str) -> None:
        pass

    def resolve(self, to: Resolver, name: str) -> d.Domain:
        return to(to.named(self.target), self.target)


def _enumerable(domain: d.Domain, what: str) -> d.Domain:
    from checker.ir.domain import size

    if size(domain.ir) is None:
        raise UsageError(f"{what} must be of an enumerable type, not {domain!r}", remedy="Use a Seq or a Bag for collections of such values.")
    return domain


class _Generic:
    """Makes `Map[K, V]` and the like: indexing builds the declaration."""

    def __init__(self, name: str, arity: int, build: Callable[..., TypeDeclaration]) -> None:
        self.name, self.arity, self.build = name, arity, build

    def __getitem__(self, arguments: Any) -> Any:
        parts = arguments if isinstance(arguments, tuple) else (arguments,)
        if len(parts) != self.arity:
            raise UsageError(f"{self.name} takes {self.arity} argument{'s' * (self.arity > 1)} in brackets, not {len(parts)}")
        return self.build(*parts)


Bool: Any = _Bool()
Optional: Any = _Generic("Optional", 1, _Optional)
Map: Any = _Generic("Map", 2, _Map)
Set: Any = _Generic("Set", 1, _Set)
Seq: Any = _Generic("Seq", 2, _Seq)
Bag: Any = _Generic("Bag", 2, _Bag)
Network: Any = _Generic("Network", 2, lambda p, b: NetworkDeclaration(p, b, False))
Fifo: Any = _Generic("Fifo", 2, lambda p, b: NetworkDeclaration(p, b, True))


def Int(lo: Any, hi: Any) -> Any:
    """The integers lo..hi, both included."""
    return _Int(lo, hi)


def Ids(prefix: str, members: Any, symmetric: bool = False) -> Any:
    """Identities prefix1, prefix2, ... (members: how many) or with the given names."""
    return _Ids(prefix, members, symmetric)


def Record(**fields: Any) -> Any:
    """An immutable record with these fields."""
    return _Record(fields)


def Union(**variants: Any) -> Any:
    """One of several records."""
    return _Union(variants)


def of(name: str) -> Any:
    """The type that the model in hand calls by this name."""
    return _Of(name)


def is_type(value: Any) -> bool:
    """Whether an attribute of a class body declares a type."""
    return isinstance(value, TypeDeclaration) and not isinstance(value, NetworkDeclaration) or (isinstance(value, type) and issubclass(value, Enum) and value is not Enum)


__all__ = ["Bag", "Bool", "Fifo", "Ids", "Int", "Map", "Network", "Optional", "Record", "Seq", "Set", "Union", "of"]
