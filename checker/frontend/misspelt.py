"""What an unknown name was probably meant to be: a variable without self, a field, a variant, a member, an identity, or
a similar name.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import Any

from checker.frontend.scope import Frame
from checker.ir import types as t
from checker.language.definition import ActionDefinition
from checker.language.domains import Domain, EnumDomain
from checker.language.errors import near
from checker.wording import write_instead

RANDOM = ("choice", "choices", "randint", "random", "randrange", "sample", "shuffle", "uniform")
PYTHON = {"true": "True", "false": "False", "null": "None", "none": "None", "nil": "None"}


def instead(f: Frame, name: str) -> str:
    """The advice for an unknown bare name; empty without one."""
    if name in PYTHON:
        return write_instead(PYTHON[name])
    if name in RANDOM:
        return "What may be one value or another is chosen: x = choose(...); each choice is tried."
    for action in f.program.definition.actions:
        if action.function is f.source.function and action.kind == "receive" and action.variant is not None:
            fields = _fields_of(f, action)
            if name in fields:
                given = ", ".join(["self", *(p.name for p in action.parameters), name])
                also = f" The variable of that name is self.{name}." if name in declared(f) else ""
                return f"It is a field of {action.variant}: add it to the parameters, def {action.name}({given}).{also}"
    if name in declared(f):
        return write_instead(f"self.{name}")
    return _variant(f, name) or _member(f, name) or _identity(f, name) or _parameter(f, name)


def _variant(f: Frame, name: str) -> str:
    """The advice to make a variant of a union, if a variant has this name."""
    unions = ((k, d.ir) for k, d in f.program.definition.types.items() if isinstance(d.ir, t.Union))
    return next((f"Write self.{k}.{name}(...)." for k, u in unions if name in [v.name for v in u.variants]), "")


def _parameter(f: Frame, name: str) -> str:
    """The advice to add a parameter to the action, if the name is probably a missing parameter."""
    actions = [a for a in f.program.definition.actions if a.function is f.source.function and a.kind == "action"]
    if not actions or len(name) > 2:
        return ""
    given = ", ".join(["self", *(a.arg for a in f.source.parameters), f"{name}: Type"])
    return f"Make it a parameter with its type, def {actions[0].name}({given}), or assign it first."


def _fields_of(f: Frame, action: ActionDefinition) -> list[str]:
    network = f.program.variables[str(action.network)].network
    body = network.body.ir if network is not None else None
    return (
        [n for v in body.variants if v.name == action.variant for n, _ in v.fields] if isinstance(body, t.Union) else []
    )


def _identity(f: Frame, name: str) -> str:
    """The advice to write a named identity, if an identity has this name."""
    for known, domain in f.program.definition.types.items():
        if isinstance(domain.ir, t.Ids) and name in domain.ir.members and "." not in known:
            return f"Write self.{known}[{domain.ir.members.index(name)}]: the members of a type are counted from 0."
    return ""


def _member(f: Frame, name: Any) -> str:
    """The advice to write a member of an enumeration, if a member has this name."""
    known = f.source.function.__globals__.values()
    enums = [e for e in (*f.program.definition.enums, *known) if isinstance(e, type) and issubclass(e, enum.Enum)]
    named = sorted({e.__name__ for e in enums if name in e.__members__})
    return write_instead(f"{named[0]}.{name}") if named else ""


def instead_of_string(f: Frame, text: Any) -> str:
    """The advice to write a member of an enumeration, or an identity, instead of a string with its name."""
    return _member(f, text) or _identity(f, text) or "Strings are for constants and comparisons with them; use an Enum."


def declared(f: Frame) -> set[str]:
    """Every name that is an attribute of self."""
    d = f.program.definition
    names = {*f.program.types, *d.constants, *d.derived, *d.types, *d.methods}
    own = {n.split(".", 1)[1] for n in names if f.owner and n.startswith(f.owner + ".")}
    return {n for n in names if "." not in n} | own


def attribute(f: Frame, name: str) -> str:
    """The advice for self.name, if there is no such name."""
    if variant := _variant(f, name):
        return variant
    nearest = close(name, declared(f))
    if not nearest and f.owner:
        return f"{f.owner} needs it: declare it in the model, or do not list {f.owner}."
    if name == "index" and not nearest:
        return "Write k.index: the place of k among the members of its type, from 0."
    return nearest or f"It has: {', '.join(sorted(declared(f)))}."


def of_value(f: Frame, value: str, type: t.Type, name: str) -> str:
    """The advice for value.name, if values of that type have no parts: a method that takes the value, a map by it."""
    method, variable = f.program.definition.methods.get(name), f.program.variables.get(name)
    if method is not None and len(method.parameters) == 1:
        return write_instead(f"self.{name}({value})")
    if variable is not None and isinstance(variable.domain.ir, t.Map) and variable.domain.ir.key == type:
        return write_instead(f"self.{name}[{value}]")
    return "Records have fields, identities have .index."


def member(domain: Domain, name: str) -> str:
    """The advice for a member that an enumeration does not have."""
    members = domain.enum.__members__ if isinstance(domain, EnumDomain) else {}
    if name in members:
        return (
            f"{name} has the value of {members[name].name}, so Python takes them for the same: give each member "
            f"its own."
        )
    return close(name, members) or f"It has: {', '.join(members)}."


def close(name: str, known: Iterable[str]) -> str:
    """The nearest existing name, as a question; empty if none is near."""
    return near(name, known, 0.65)
