"""Was the antecedent of each property ever satisfied?  The stored states of a complete search, looked through by
compiled code.

The antecedents (checker.analysis.vacuity.antecedents) are compiled as a kernel of their own, with the same layout and
without actions, and evaluated on the packed states after the search: a search that nobody asks this of does not pay for
it.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping

import numpy as np
from attrs import evolve
from numpy.typing import NDArray

from checker.analysis.vacuity.antecedents import Antecedent, antecedents, conjuncts, negated
from checker.analysis.vacuity.domains import Claims
from checker.backends.native.kernel import FEW_STATES, NativeKernel, compile_model
from checker.contract import NEVER, States, nowhere
from checker.engines.explored import Packed
from checker.ir import expressions as e
from checker.ir import show
from checker.ir import statements as s
from checker.ir.build import TRUE
from checker.ir.model import Function, Property
from checker.ir.model import Model as Lowered
from checker.language.definition import Definition
from checker.results.vacuity import Tested, Vacuity
from checker.search.expansions import expansions

CHUNK = 1 << 16


def tested(packed: Packed) -> list[Tested]:
    """The conditions of all properties that have one.  The search must have been complete."""
    model, result = packed.kernel.model, packed.result
    found = antecedents(model)
    rows = _firsts(model, found, packed)

    def steps(a: Antecedent) -> int | None:
        row = rows.get(a.function.name)
        return None if row is None else int(result.depths(row)) + (a.kind == "step")

    return [Tested(a.property, a.kind, condition_text(a), steps(a)) for a in found]


def about_nothing(packed: Packed, without: Container[str]) -> Iterator[Vacuity]:
    """Claims inside properties about the members of what has none in any state in which they are come to; `without`
    properties of these names.  The search must have been complete."""
    model = packed.kernel.model
    claims = Claims(model)
    made = [(p, c) for p in model.properties if p.name not in without for name in p.predicates for c in claims.of(name)]
    functions = {f.name: f for f in claims.functions}
    texts = [(p.name, "" if c.function in p.predicates else c.function, _plain(c.over)) for p, c in made]

    extended = evolve(model, functions=(*model.functions, *claims.functions))

    def ever(names: list[tuple[Property, str]]) -> dict[str, int]:
        return _firsts(extended, [Antecedent(p.name, p.kind, functions[n]) for p, n in names], packed)

    there = ever([(p, c.there) for p, c in made])
    filled = {text for text, (_, c) in zip(texts, made) if c.there in there}
    empty = [(text, p, c) for text, (p, c) in zip(texts, made) if text not in filled]
    come = ever([(p, c.come) for _, p, c in empty])
    for name, where, over in dict.fromkeys(text for text, _, c in empty if c.come in come):
        within = f" in {where}" if where else ""
        why = f"{name} is vacuous{within} for {over}: that is empty wherever it is evaluated"
        yield Vacuity("empty-domain", f"{name}: {over}", why)


def condition_text(antecedent: Antecedent) -> str:
    """The condition in the words of the model."""
    last = antecedent.function.body[-1]
    assert isinstance(last, s.Return)
    return _plain(last.value)


def _plain(condition: e.Expression) -> str:
    """`p in Process, m in delivered[p] with p == sender(m)`; other expressions as they are shown."""
    if not (isinstance(condition, e.Quantifier) and condition.operator == "any"):
        return _named(show.expression(condition))
    places = [f"{show.expression(g.local)} in {show.expression(g.iterable)}" for g in condition.generators]
    asked = (*(c for g in condition.generators for c in g.conditions), condition.body)
    parts = [_asked(part) for c in asked for part in conjuncts(c) if part != TRUE]
    return _named(", ".join(places) + (f" with {' and '.join(parts)}" if parts else ""))


def _asked(c: e.Expression) -> str:
    match c:
        case e.Not(_, e.IsNone(_, value)):
            return f"{show.expression(value)} is not None"
        case e.IsNone(_, value):
            return f"{show.expression(value)} is None"
        case e.Compare():
            return show.expression(c)[1:-1]
    return show.expression(c)


def _named(text: str) -> str:
    return re.sub(r"%(\w+)(\.\d+)?", r"\1", text).replace(" in all ", " in ")


def _firsts(model: Lowered, wanted: list[Antecedent], packed: Packed) -> dict[str, int]:
    """The number of the first state in which each is true, or from which a step makes it true; of a quiescence property
    only quiescent states count.  One that is true in none is left out."""
    states, quiescent = packed.result.states(), packed.result.quiescent_indices
    of_steps, of_ends = ([a.function for a in wanted if a.kind == kind] for kind in ("step", "quiescence"))
    of_states = [a.function for a in wanted if a.kind not in ("step", "quiescence")]
    found: dict[str, int] = {}
    for functions, rows in (of_states, None), (of_ends, quiescent):
        if functions:
            found |= scan(*predicates(model, functions, len(states)), states, rows)
    if of_steps:  # their negations, taken for step invariants, are broken there
        changed = evolve(model, constraints=())
        found |= scan(*_kernel(changed, "step", [negated(f) for f in of_steps], len(states)), states, None)
    return found


def predicates(model: Lowered, functions: list[Function], states: int) -> tuple[NativeKernel, dict[str, int]]:
    """A kernel that evaluates these functions in so many states of the model, and the number of the finding of each."""
    return _kernel(evolve(model, actions=(), constraints=()), "reachable", functions, states)


def scan(
    kernel: NativeKernel, numbers: Mapping[str, int], states: States, rows: NDArray[np.int64] | None
) -> dict[str, int]:
    """The number of the first state (of those in `rows`, ascending) in which each predicate is true, or from which a
    step breaks it if the kernel has actions; one of which there is none is left out."""
    found: dict[str, int] = {}
    for start in range(0, len(states) if rows is None else len(rows), CHUNK):
        places = slice(start, start + CHUNK) if rows is None else rows[start : start + CHUNK]
        first, block = nowhere(kernel), np.ascontiguousarray(states[places])
        if kernel.actions:
            for _ in expansions(kernel, block, first, capacity=CHUNK):
                pass
        else:
            kernel.check(block, first)
        for name, number in numbers.items():
            if first[number] < NEVER and name not in found:
                row = start + int(first[number])
                found[name] = row if rows is None else int(rows[row])
        if len(found) == len(numbers):
            break
    return found


def _kernel(model: Lowered, kind: str, functions: list[Function], states: int) -> tuple[NativeKernel, dict[str, int]]:
    """A kernel with these functions as properties, and the number of the finding of each."""
    properties = tuple(Property(f.name, kind, f.name) for f in functions)
    names = {f.name for f in functions}
    others = (f for f in model.functions if f.name not in names)
    extended = evolve(model, functions=(*others, *functions), properties=properties)
    kernel = compile_model(extended, quick=states <= FEW_STATES)
    return kernel, {f.name: i for i, f in enumerate(kernel.findings) if f.kind == kind}


def untested(
    definition: Definition, packed: Packed, conditions: list[Tested], already: list[Vacuity]
) -> Iterator[Vacuity]:
    """Findings that need the states: conditions never true, observers that nothing changed."""
    known = {f.subject for f in already}
    silent = any(f.kind == "never-quiescent" for f in already)
    for condition in conditions:
        if condition.first_steps is None and not (silent and condition.kind == "quiescence"):
            where = {"quiescence": "quiescent state", "step": "step"}.get(condition.kind, "reachable state")
            why = f"the antecedent of {condition.property} is never satisfied: no {where} has {condition.condition}"
            yield Vacuity("never-tested", condition.property, why)
    for owner in definition.observers:
        own = [v.name for v in definition.variables if v.owner == owner]
        if own and owner not in known | {m.owner for m in definition.starting} and _constant(packed, own):
            names = ", ".join(n.split(".")[1] for n in own)
            yield Vacuity("no-event", owner, f"{owner} saw nothing: what it remembers ({names}) never changes")


def _constant(packed: Packed, names: list[str]) -> bool:
    """Whether these variables have the same value in every state."""
    states, mask = packed.result.states(), packed.kernel.mask(names)
    words = np.flatnonzero(mask)
    blocks = (states[start : start + CHUNK, words] for start in range(0, len(states), CHUNK))
    return not any(np.any((block ^ states[0, words]) & mask[words]) for block in blocks)
