"""Loops, quantifiers and choices over a domain that is empty in every state, by types and constants alone.

Examples are `for q in self.others(p)` with one process, and `all(... for k in range(self.rounds))` with no round: the
body is never evaluated, and a claim in it states nothing. The domain and its conditions are evaluated without a state,
for all values of the locals that they read.  An expression that reads a variable of the state counts as a collection of
all items of its type, and a condition that reads one counts as true; so a domain that has an item in some state is
never reported.  Where it stops: a domain whose locals have too many values to try, and domains that depend on the state
(checker.analysis.vacuity.domains examines these for properties).
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import product
from math import prod
from typing import Any

from checker.analysis.vacuity.antecedents import conjuncts
from checker.frontend.lower import noted
from checker.ir import expressions as e
from checker.ir import types as t
from checker.ir.build import BOOL, TRUE
from checker.ir.domain import size
from checker.ir.evaluate.environment import Environment, Failure, Script
from checker.ir.evaluate.expressions import evaluate
from checker.ir.evaluate.statements import call
from checker.ir.facts import variables_read
from checker.ir.model import Model
from checker.ir.values import values
from checker.ir.visit import walk
from checker.language.definition import Definition
from checker.results.vacuity import Vacuity, own_words

MOST_VALUES = 10_000  # of all locals together


def empty_domains(definition: Definition, without: Container[str] = ()) -> Iterator[Vacuity]:
    """The loops, quantifiers and choices in the methods of a model whose domain is empty by types and constants;
    `without` properties of these names.
    """
    whole, model = noted(definition)
    for place, ways in whole.domains.items():
        if place.method.partition(".")[0] not in without and all(
            _certainly_empty(model, generators) for generators in ways
        ):
            text, where = own_words(place.text), place.where
            why = f"in {where} nothing is ever looked at: {text} is empty with these types and constants"
            yield Vacuity("empty-domain", f"{place.method}: {text}", why, names=(place.method,))


def _certainly_empty(model: Model, generators: tuple[e.Generator, ...]) -> bool:
    """Whether no values of the locals leave anything to range over; no generators: certainly nothing."""
    if not generators:
        return True
    chain = _without_state(model, generators)
    if chain is None:
        return False
    own = {g.local.name for g in generators}
    free = {n.name: n.type for n in walk(chain) if isinstance(n, e.Local) and n.name not in own}
    items = [g.iterable.type.item for g in chain if isinstance(g.iterable.type, t.Set | t.Seq | t.Bag)]
    if prod(size(kind) or MOST_VALUES + 1 for kind in (*free.values(), *items)) > MOST_VALUES:
        return False
    asked = e.Quantifier(BOOL, "any", chain, TRUE)
    try:
        return not any(
            evaluate(Environment(model, {}, {}, dict(zip(free, chosen)), Script(), call=call), asked)
            for chosen in product(*map(values, free.values()))
        )
    except Failure:  # perhaps for values that the locals never have
        return False


def _without_state(model: Model, generators: tuple[e.Generator, ...]) -> tuple[e.Generator, ...] | None:
    """The generators with at least the items that they have in any state; None if nothing can be decided then."""
    result, decided, unknown = [], False, set[str]()

    def reading(n: Any) -> bool:
        if isinstance(n, e.Local):
            return n.name in unknown or size(n.type) is None
        reads = isinstance(n, e.Call) and variables_read(model, model.function(n.function))
        return isinstance(n, e.Variable) or bool(reads)

    def closed(x: e.Expression) -> bool:
        return not any(map(reading, walk(x)))

    for g in generators:
        conditions = tuple(c for whole in g.conditions for c in conjuncts(whole) if closed(c))
        if closed(g.iterable):
            decided |= not isinstance(g.iterable, e.Domain)
            result.append(e.Generator(g.local, g.iterable, conditions))
        elif size(g.local.type) is not None:
            result.append(e.Generator(g.local, e.Domain(t.Set(g.local.type)), conditions))
        else:
            unknown.add(g.local.name)
            conditions = tuple(c for c in conditions if closed(c))
            result.append(e.Generator(e.Local(BOOL, g.local.name), e.Domain(t.Set(BOOL)), conditions))
        decided |= bool(conditions)
    return tuple(result) if decided else None
