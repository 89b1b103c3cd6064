"""Meanings of names and attributes: locals, the model's declarations, module globals, Python builtins.

Constants, Enum members and named identities become constants here; an unknown name is refused with the closest existing
name.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Iterable
from types import ModuleType
from typing import Any

from attrs import evolve

from checker import language
from checker.frontend import lattice, misspelt, remedies
from checker.frontend import meaning as m
from checker.frontend.bindings import Alias, Known, Stored, Unclear
from checker.frontend.coerce import coerce, present
from checker.frontend.scope import Body, Frame, Incomplete
from checker.frontend.source import line_of
from checker.ir import build
from checker.ir import expressions as e
from checker.ir import types as t
from checker.language import choice
from checker.language.constants import Deferred, fixed
from checker.language.declaring import TypeDeclaration
from checker.language.definition import MethodDefinition
from checker.language.domains import Domain, EnumDomain
from checker.language.types import Generic, Ids, Int, Record, Union
from checker.language.values import Id
from checker.wording import write_instead

BUILTINS = (
    "abs all any bool dict enumerate frozenset int isinstance len list max min range reversed set sorted sum "
    "tuple zip print super"
).split()


def name(f: Frame, node: ast.Name) -> m.Result:
    """The meaning of a bare name."""
    binding = f.names.get(node.id)
    match binding:
        case Stored(local, _):
            return f.body.local(local)
        case Alias(place):
            return place
        case Known(meaning):
            return _current(f.body, meaning)
        case Unclear(reason, remedy):
            f.refuse(node, f"{node.id} {reason}", remedy)
    if node.id == f.source.node.args.args[0].arg:
        return m.Self(f.before)
    if node.id in f.source.assigned:
        f.refuse(node, f"{node.id} is used before it has a value", "Assign it first, on every path to here.")
    try:
        value = f.source.outer(node.id)
    except (KeyError, ValueError):
        known = [*f.names, *f.source.function.__globals__, *(n for n in BUILTINS if n != "print")]
        usual = "A method knows its parameters and locals, what is in self, and the names of its module."
        imported = f"Import it: from checker.language import {node.id}" if node.id in language.__all__ else ""
        remedy = imported or misspelt.instead(f, node.id) or misspelt.close(node.id, known) or usual
        f.refuse(node, f"{node.id} is not defined", remedy)
    return outer(f, node, value)


def _current(body: Body, meaning: m.Result) -> m.Result:
    if isinstance(meaning, e.Local) and meaning.name in body.types:
        return e.Local(body.types[meaning.name], meaning.name)
    return meaning


def outer(f: Frame, node: ast.AST, value: Any) -> m.Result:
    """The meaning of a Python object found outside the method."""
    if value is choice.require:
        return m.Builtin("require")
    if value is choice.choose:
        return m.Builtin("choose")
    if isinstance(value, type) and issubclass(value, enum.Enum):
        return _enum(f, value)
    if isinstance(value, type) and value in f.program.definition.model.__mro__ or value is f.program.definition.model:
        return m.Self(f.before)
    if getattr(value, "__module__", None) == "builtins" and getattr(value, "__name__", "") in BUILTINS:
        return m.Builtin(value.__name__)
    if isinstance(value, Deferred):
        remedy = "Write self. and its name in the class: self.processes."
        f.refuse(node, f"{ast.unparse(node)} is a constant of the class, which has no value outside it", remedy)
    result = constant(f, value)
    if isinstance(result, e.Const) and isinstance(result.type, t.Int) and not build.fits_a_word(result):
        remedy = "Choose a smaller one, which means the same where it is compared with what the model can reach."
        f.refuse(node, f"the number {ast.unparse(node)} does not fit into 63 bits", remedy)
    if result is None:
        remedy = "Make it a helper: an unmarked method of the class." if _kind(value) == "a function" else ""
        remedy = remedies.of_python(value) or remedy
        if isinstance(value, TypeDeclaration | Generic) or value in (Int, Ids, Record, Union):
            remedy = "Declare the type in the class body, T = Set[P], and write self.T here."
        if isinstance(value, list | set):
            remedy = "Write a tuple, (...), for constants; what changes is declared with var(...)."
        if isinstance(value, ModuleType):
            remedy = "Methods use the model's own names. What may be one value or another is chosen: x = choose(...)."
        if isinstance(node, ast.Name) and node.id in misspelt.declared(f):
            remedy = write_instead(f"self.{node.id}")
        remedy = remedy or "Use the model's own types, variables, rules and helpers."
        f.refuse(node, f"{ast.unparse(node)} is {_kind(value)}, which a method cannot use", remedy)
    return result


def _kind(value: Any) -> str:
    if isinstance(value, TypeDeclaration | Generic) or value in (Int, Ids, Record, Union):
        return "a type"
    if callable(value) and not isinstance(value, type):
        return "a function"
    return f"a {type(value).__name__}"


def constant(f: Frame, value: Any) -> m.Result | None:
    """A Python constant as an expression or literal; None if it has no meaning in a model."""
    if isinstance(value, bool):
        return build.boolean(value)
    if isinstance(value, int):
        return build.integer(value)
    if value is None:
        return e.NoneValue(t.Optional(lattice.NOTHING))
    if isinstance(value, str | tuple):
        return m.Literal(value)
    if isinstance(value, enum.Enum):
        domain = _enum(f, type(value)).domain
        return e.Const(domain.ir, domain.to_raw(value))
    if isinstance(value, Id):
        kinds = [
            d for d in f.program.definition.types.values() if isinstance(d.ir, t.Ids) and d.ir.name == value.family
        ]
        return e.Const(kinds[0].ir, value.index) if kinds else None
    if isinstance(value, Domain):
        return m.TypeName(value, value.ir)
    return None


def _enum(f: Frame, value: type[enum.Enum]) -> m.TypeName:
    domain = f.program.definition.enums.get(value) or EnumDomain(value)
    return m.TypeName(domain, domain.ir)


def attribute(f: Frame, node: ast.Attribute, base: m.Result) -> m.Result:
    """The meaning of base.name."""
    match base:
        case m.Self(before):
            return of_self(f, node, node.attr, before)
        case m.Emit(None):
            return m.Emit(node.attr)
        case m.TypeName():
            return _of_type(f, node, base)
        case m.VariantName():
            f.refuse(node, f"{base.variant} is a variant, not a value", "Take a field of a value.")
        case m.Net():
            return m.NetBound(base, node.attr)
        case m.Super():
            return _of_super(f, node)
        case m.Between() if node.attr == "count":
            return m.BetweenCount(base)
        case m.Meaning():
            remedy = "Only values, types, networks and self have attributes."
            f.refuse(node, f"{ast.unparse(node.value)} has no {node.attr} here", remedy)
    return _of_value(f, node, base)


def of_self(f: Frame, node: ast.AST, name: str, before: bool = False) -> m.Result:
    """The meaning of self.name."""
    definition, program = f.program.definition, f.program
    if f.owner:
        own = f"{f.owner}.{name}"
        if program.has(own):
            return program.variable(own, before)
        if own in definition.types:
            return m.TypeName(definition.types[own], definition.types[own].ir)
        if own in definition.methods:
            return m.Method(definition.methods[own], own, before)
        if not before and (found := _written(f, node, name, *_property_class(f))) is not None:
            return found
    if program.has(name):
        program.read.setdefault(name, f.source.function.__qualname__)
        network = program.variables[name].network
        return m.Net(network, before) if network else program.variable(name, before)
    if name in definition.constants:
        return outer(f, node, program.known(f.source.function.__qualname__)[name])
    if name in definition.types:
        return m.TypeName(definition.types[name], definition.types[name].ir)
    if name in definition.methods:
        return m.Method(definition.methods[name], name, before)
    if name == "emit":
        return m.Emit()
    if name == "before" and not f.body.step:
        f.refuse(node, "self.before is the state before a step", "Use it in a @step_invariant.")
    if name == "before":
        return m.Self(True)
    found = _written(f, node, name, definition.model)
    if found is None:
        f.refuse(node, f"the model has no {name}", misspelt.attribute(f, name))
    return found


def _written(f: Frame, node: ast.AST, name: str, *classes: type) -> m.Result | None:
    """The declaration of a name in a class body; the base classes of properties declare none."""
    for cls in classes:
        value = next(
            (vars(c)[name] for c in cls.__mro__ if name in vars(c) and c.__module__ != "checker.language.properties"),
            None,
        )
        if isinstance(value, Deferred):
            value = fixed(value, f.program.known(f.source.function.__qualname__))
        if value is not None and not callable(value) or isinstance(value, type) and issubclass(value, enum.Enum):
            return outer(f, node, value)
        if value is not None and is_function(name, value):
            return m.Method(_unmarked(name, value, None), name)
    return None


def is_function(name: str, value: Any) -> bool:
    """Whether the value of a name in a class body is a function for methods: a property or constraint, or an unmarked
    method.
    """
    mark = getattr(value, "__checker__", None)
    if (
        not hasattr(value, "__code__")
        or mark is not None
        and mark.kind not in ("invariant", "quiescence", "reachable", "constraint", "step")
    ):
        return False
    return not name.startswith("__") and value.__module__ != "checker.language.model"


def _property_class(f: Frame) -> Iterable[type]:
    return [c for c in f.program.definition.model.properties if c.__name__ == f.owner] if f.owner else []


def _of_type(f: Frame, node: ast.Attribute, base: m.TypeName) -> m.Result:
    match base.type:
        case t.Enum(_, members):
            if node.attr in members:
                return e.Const(base.type, members.index(node.attr))
            f.refuse(node, f"{base.type.name} has no member {node.attr}", misspelt.member(base.domain, node.attr))
        case t.Union(_, variants):
            names = [v.name for v in variants]
            if node.attr in names:
                return m.VariantName(base.type, node.attr)
            remedy = misspelt.close(node.attr, names) or f"It has: {', '.join(names)}."
            f.refuse(node, f"{base.type.name} has no variant {node.attr}", remedy)
    f.refuse(node, f"the type {base.type} has no {node.attr}", "A type can be iterated, counted, indexed and called.")


def _of_value(f: Frame, node: ast.Attribute, value: e.Expression) -> m.Result:
    if not isinstance(value, e.NoneValue):
        value = present(value, line_of(node))
    match type := value.type:
        case lattice.Nothing():
            raise Incomplete
        case t.Record(_, fields):
            return _field(f, node, value, dict(fields))
        case t.Union(_, variants):
            return _variant_field(f, node, value, variants)
        case t.Ids(_, members, symmetric) if node.attr == "index":
            if symmetric:
                remedy = "Remove symmetric=True, or compare for equality only."
                f.refuse(node, f"{type.name} is symmetric: its members have no numbers", remedy)
            if isinstance(value, e.Const):
                return build.integer(value.value)
            return e.Ordinal(t.Int(0, len(members) - 1), value)
        case t.Set() | t.Seq() | t.Bag() | t.Map():
            return m.Bound(value, node.attr)
        case _:
            remedy = misspelt.of_value(f, ast.unparse(node.value), type, node.attr)
            f.refuse(node, f"{type} has no {node.attr}", remedy)


def _field(f: Frame, node: ast.Attribute, value: e.Expression, fields: dict[str, t.Type]) -> m.Result:
    if node.attr not in fields:
        remedy = misspelt.close(node.attr, fields) or f"It has: {', '.join(fields) or 'none'}."
        f.refuse(node, f"{value.type} has no field {node.attr}", remedy)
    return build.part(value, list(fields).index(node.attr))


def _variant_field(f: Frame, node: ast.Attribute, value: e.Expression, variants: tuple[t.Record, ...]) -> m.Result:
    owners = [(v, dict(v.fields)[node.attr]) for v in variants if node.attr in dict(v.fields)]
    if not owners:
        every = {n for v in variants for n, _ in v.fields}
        remedy = misspelt.close(node.attr, every) or f"There are: {', '.join(sorted(every))}."
        f.refuse(node, f"no variant of {value.type} has a field {node.attr}", remedy)
    *others, (last, type) = owners
    result: e.Expression = e.VariantField(type, value, last.name, node.attr, line_of(node))
    for variant, type in reversed(others):
        both = lattice.join(type, result.type)
        if both is None:
            f.refuse(node, f"the variants' fields {node.attr} have unlike types", "Give the fields different names.")
        part = e.VariantField(type, value, variant.name, node.attr, line_of(node))
        test = e.IsVariant(build.BOOL, value, variant.name)
        result = e.IfElse(both, test, coerce(f, node, part, both), coerce(f, node, result, both))
    return result


def _of_super(f: Frame, node: ast.Attribute) -> m.Method:
    free = f.source.function.__code__.co_freevars
    if "__class__" not in free or not f.source.function.__closure__:
        f.refuse(node, "super() has no class here", "Use it directly in a method.")
    here = f.source.function.__closure__[free.index("__class__")].cell_contents
    cls = next(iter(_property_class(f)), f.program.definition.model)
    after = cls.__mro__[cls.__mro__.index(here) + 1 :]
    function = next((vars(c)[node.attr] for c in after if node.attr in vars(c)), None)
    own = f"{f.owner}.{node.attr}" if f.owner else node.attr
    if function is None or not hasattr(function, "__code__"):
        remedy = "super() calls rules and helpers that the class overrides."
        f.refuse(node, f"the base classes have no method {node.attr}", remedy)
    method = f.program.definition.methods.get(own) or _unmarked(node.attr, function, f.owner)
    return m.Method(evolve(method, function=function), f"{own}@{function.__qualname__}")


def _unmarked(name: str, function: Any, owner: str | None) -> MethodDefinition:
    arguments = function.__code__.co_varnames[1 : function.__code__.co_argcount]
    return MethodDefinition(name, function, False, tuple((a, None) for a in arguments), None, owner)
