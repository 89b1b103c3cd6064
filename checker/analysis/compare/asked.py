"""For which arguments the rules of two models are compared: for all arguments that either model passes.

A rule is lowered once for each combination of argument types with which it is called, and not at all if nothing calls
it.  A comparison of rules must not depend on the calls that happen to exist.  Both models are therefore lowered with
every rule for the types that it has in one of them, by a call or by annotation.
"""

from __future__ import annotations

from collections.abc import Iterator

from checker.frontend.functions import returns_value
from checker.frontend.lattice import join
from checker.frontend.lower import Requested
from checker.frontend.refusal import Refused
from checker.frontend.source import source
from checker.ir import model as m
from checker.ir import types as t
from checker.ir.expressions import Variable
from checker.ir.facts import call_closure
from checker.ir.visit import walk
from checker.language.definition import Definition, MethodDefinition
from checker.language.places import is_own

Types = tuple[t.Type, ...]
Pair = tuple[Definition, Definition]


def root(name: str) -> str:
    """The rule that a function of a lowered model is an instance of."""
    return name.split("#")[0]


def shared_rules(definitions: Pair) -> Iterator[str]:
    """The rules and helpers of both models that return a value."""
    for name, method in definitions[1].methods.items():
        if name in definitions[0].methods and all(_returns(x) for x in (definitions[0].methods[name], method)):
            yield name


def asked_of_both(definitions: Pair, models: tuple[m.Model, m.Model]) -> tuple[Requested, ...]:
    """Each common rule that either model calls, or that has types for all its parameters, with its widest argument
    types.
    """
    given = {name: list(_given(name, definitions, models)) for name in shared_rules(definitions)}
    return tuple((name, types) for name, every in given.items() for types in _widest(every))


def _given(name: str, definitions: Pair, models: tuple[m.Model, m.Model]) -> Iterator[Types]:
    methods = [d.methods[name] for d in definitions]
    for method, model in zip(methods, models):
        for function in model.functions:
            if root(function.name) == name and len(function.parameters) == len(method.parameters):
                yield tuple(p.type for p in function.parameters)
    if all(method.owner is not None or is_own(method.function.__module__) for method in methods):
        return
    for method in methods:
        if all(domain is not None for _, domain in method.parameters):
            yield tuple(domain.ir for _, domain in method.parameters if domain is not None)


def _widest(given: list[Types]) -> Iterator[Types]:
    """Each combination of types once, without those that another one includes."""
    different = list(dict.fromkeys(given))
    for types in different:
        if not any(
            other != types and len(other) == len(types) and all(join(a, b) == b for a, b in zip(types, other))
            for other in different
        ):
            yield types


def instance(model: m.Model, name: str, types: Types) -> m.Function | None:
    """The rule for these arguments in the current state (not in the state before a step); None if it could not be
    lowered for them.
    """
    asked = (f for f in model.functions if root(f.name) == name and tuple(p.type for p in f.parameters) == types)
    return next((f for f in asked if not reads_before(model, f)), None)


def reads_before(model: m.Model, function: m.Function) -> bool:
    """Whether the function reads the state before a step."""
    bodies = [model.function(name).body for name in call_closure(model, function)]
    return any(isinstance(node, Variable) and node.before for node in walk(bodies))


def _returns(method: MethodDefinition) -> bool:
    try:
        return returns_value(source(method.function).node)
    except Refused:
        return False
