"""Texts with places for values, as in `draw.step("confirm", "accept {proposals[b][s]} in place {s}")`.

A place contains a path, typed before anything runs: {p} a parameter of the action, {x} a variable after the step,
{before.x} the variable before the step; then [index] into a map, a sequence or a type of identities, .field of a
record, .index of an identity, or len(...) around it.  There is no arithmetic: a computed value must be a variable or an
argument.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from string import Formatter
from typing import TypeAlias

from checker.frozen import frozen
from checker.language.collection_domains import BoundedDomain, CollectionDomain, MapDomain, SeqDomain
from checker.language.domains import Domain, IdsDomain, IntDomain, OptionalDomain, RecordDomain
from checker.language.errors import UsageError, meant

NUMBER = IntDomain(0, 0)  # stands for every Int type: an index is checked by its kind, not by its bounds
FORMS = "It holds paths: {p}, {x[p]}, {before.x[p]}, {x[p].field}, {p.index}, {Type[i]}, {len(x)}."


@frozen
class Argument:
    """A parameter of the action."""

    name: str


@frozen
class Variable:
    """A variable, after the step or before it."""

    name: str
    before: bool


@frozen
class Number:
    """A whole number."""

    value: int


@frozen
class Item:
    """The item of a map or a sequence at an index."""

    of: Path
    index: Path


@frozen
class Member:
    """The identity at an index of its type, from 0; `names` are those of all."""

    names: tuple[str, ...]
    index: Path


@frozen
class Part:
    """A field of a record."""

    of: Path
    name: str


@frozen
class Rank:
    """The index of an identity in its type, whose `names` are in order."""

    of: Path
    names: tuple[str, ...]


@frozen
class Count:
    """How many items there are."""

    of: Path


Path: TypeAlias = Argument | Variable | Number | Item | Member | Part | Rank | Count

Words: TypeAlias = tuple[str | Path, ...]
"""A text in pieces: words, and paths for the values between them."""


@frozen
class Scope:
    """What a path may name."""

    parameters: Mapping[str, Domain]
    variables: Mapping[str, Domain]
    types: Mapping[str, Domain]


def words(text: str, scope: Scope) -> Words:
    """The pieces of a text.  Raises UsageError for an invalid path, or one of the wrong kind."""
    pieces: list[str | Path] = []
    for before, path, form, conversion in parsed(text):
        pieces += [before] if before else []
        if path is not None:
            if form or conversion:
                raise UsageError(f"{{{path}{'!' * bool(conversion)}...}}: a place has no format", remedy=FORMS)
            pieces.append(_typed(_expression(path), scope)[0])
    return tuple(pieces)


def parsed(text: str) -> list[tuple[str, str | None, str | None, str | None]]:
    """The pieces of a text as Python reads it."""
    try:
        return list(Formatter().parse(text))
    except ValueError as error:
        raise UsageError(f"{text!r}: {error}", remedy="A brace that is meant is written twice: {{ }}.") from None


def named(text: str) -> set[str]:
    """The names in the places of a text."""
    paths = (path for _, path, _, _ in parsed(text) if path is not None)
    return {node.id for path in paths for node in ast.walk(_expression(path)) if isinstance(node, ast.Name)} | {
        node.attr for path in paths for node in ast.walk(_expression(path)) if isinstance(node, ast.Attribute)
    }


def _expression(path: str) -> ast.expr:
    try:
        return ast.parse(path, mode="eval").body
    except SyntaxError:
        raise UsageError(f"{{{path}}} is no path", remedy=FORMS) from None


def _typed(node: ast.expr, scope: Scope) -> tuple[Path, Domain]:
    match node:
        case ast.Name(id=name):
            return _named(name, scope)
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            return Number(value), NUMBER
        case ast.Attribute(value=ast.Name(id="before"), attr=name):
            if name not in scope.variables:
                raise UsageError(f"before.{name}: there is no variable {name}", remedy=meant(name, scope.variables))
            return Variable(name, True), scope.variables[name]
        case ast.Attribute(value=value, attr=name):
            return _attribute(node, *_typed(value, scope), name)
        case ast.Subscript(value=ast.Name(id=name), slice=index) if name in scope.types and name not in scope.variables:
            return _member(node, scope.types[name], *_typed(index, scope))
        case ast.Subscript(value=value, slice=index):
            return _item(node, *_typed(value, scope), *_typed(index, scope))
        case ast.Call(func=ast.Name(id="len"), args=[value], keywords=[]):
            of, domain = _typed(value, scope)
            if not isinstance(domain, CollectionDomain | BoundedDomain):
                raise UsageError(f"{ast.unparse(node)}: {domain!r} is no collection", remedy=FORMS)
            return Count(of), NUMBER
        case _:
            raise UsageError(f"{{{ast.unparse(node)}}} is no path", remedy=FORMS)


def _named(name: str, scope: Scope) -> tuple[Path, Domain]:
    if name in scope.parameters:
        return Argument(name), scope.parameters[name]
    if name in scope.variables:
        return Variable(name, False), scope.variables[name]
    known = [*scope.parameters, *scope.variables]
    raise UsageError(f"{name} is no parameter and no variable", remedy=meant(name, known))


def _attribute(node: ast.expr, of: Path, domain: Domain, name: str) -> tuple[Path, Domain]:
    domain = _there(domain)
    if isinstance(domain, RecordDomain) and name in domain.fields:
        return Part(of, name), domain.fields[name]
    if isinstance(domain, IdsDomain) and name == "index":
        return Rank(of, _names(domain)), NUMBER
    known = list(domain.fields) if isinstance(domain, RecordDomain) else []
    raise UsageError(f"{ast.unparse(node)}: {domain!r} has no {name}", remedy=meant(name, known) if known else FORMS)


def _member(node: ast.Subscript, domain: Domain, index: Path, of_index: Domain) -> tuple[Path, Domain]:
    if not isinstance(domain, IdsDomain) or not isinstance(_there(of_index), IntDomain):
        raise UsageError(f"{ast.unparse(node)}: a type of identities is indexed by a number", remedy=FORMS)
    names = _names(domain)
    if isinstance(index, Number) and index.value >= len(names):
        there = f"It has {len(names)} here: {', '.join(names)}; the first is {ast.unparse(node.value)}[0]."
        raise UsageError(f"{ast.unparse(node)}: there is no such member", remedy=there)
    return Member(names, index), domain


def _item(node: ast.expr, of: Path, domain: Domain, index: Path, of_index: Domain) -> tuple[Path, Domain]:
    domain, of_index = _there(domain), _there(of_index)
    if isinstance(domain, MapDomain):
        if not (domain.key.ir == of_index.ir or isinstance(domain.key, IntDomain) and isinstance(of_index, IntDomain)):
            raise UsageError(f"{ast.unparse(node)}: the key is a {domain.key!r}, not a {of_index!r}", remedy=FORMS)
        return Item(of, index), domain.value
    if isinstance(domain, SeqDomain) and isinstance(of_index, IntDomain):
        return Item(of, index), domain.item
    raise UsageError(f"{ast.unparse(node)}: a {domain!r} has no item for a {of_index!r}", remedy=FORMS)


def _there(domain: Domain) -> Domain:
    """The type of an optional's item; another type unchanged."""
    return domain.item if isinstance(domain, OptionalDomain) else domain


def _names(domain: IdsDomain) -> tuple[str, ...]:
    return tuple(str(member) for member in domain)
