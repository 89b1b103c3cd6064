"""What a search says about smaller budgets of faults: they are in its states.

How many faults there were is in every state (`crashed`, `lost`, `duplicated`, `splits`), and never goes down on a run,
unless the model changes these itself.  So the states that can be reached with at most so many faults are just the
states with at most so many, and a shortest run to one of them is a shortest run with that budget.  One search with the
largest budgets gives verdicts, steps and numbers of states for all smaller ones, exactly, where what a budget is does
not matter otherwise (`checker.analysis.sweep.implied`, which also says for which kinds of property).  Invariants and
quiescence properties are read off; those of steps and whole runs are not.

A search that came to a limit found states in the order of their distance.  One that violates a property does so with
every budget that allows its faults, and the first of them is as near as any.  So what is violated is read off there
too; what holds is not, and nothing is counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from checker.analysis.check import Examined
from checker.analysis.vacuity.antecedents import antecedents, negated
from checker.analysis.vacuity.tested import predicates, scan
from checker.engines.explored import Packed
from checker.ir.model import Function
from checker.language.distributed import BUDGETS
from checker.results.sweep import Fewer
from checker.results.verdict import Swept, Verdict

READ_OFF = ("invariant", "quiescence")
"""The kinds of property that a state alone decides."""


@frozen
class _Group:
    """The states with one number of faults of each kind.  firsts: the first state in which each predicate is true;
    last: the level of the last one; ends: any is quiescent."""

    faults: tuple[int, ...]
    size: int
    last: int
    ends: bool
    firsts: Mapping[str, int]


def read_off(examined: Examined, budgets: Sequence[Mapping[str, int]], strict: bool) -> list[Fewer]:
    """What the search says for each of these budgets; nothing if it found the model wrong as written, or was not
    complete and found nothing violated, or if the model has a constraint: what is violated outside it is not among the
    states.

    strict: what holds where its condition was never true is untested.
    """
    packed, explored = examined.explored.packed, examined.explored
    if packed is None or examined.definition.constraints or explored.failures:
        return []
    model, complete = packed.kernel.model, explored.complete
    broken = {p.name for p in examined.report.properties if p.verdict is Verdict.VIOLATED}
    read = {p.name: p for p in model.properties if p.kind in READ_OFF and (complete or p.name in broken)}
    if not read and not complete:
        return []
    kinds = {name: p.kind for name, p in read.items()}
    claims = {name: model.function(p.function) for name, p in read.items()}
    negations = {name: evolve(negated(claim), name=f"negation of {name}") for name, claim in claims.items()}
    conditions = [a for a in antecedents(model) if a.property in kinds] if strict and complete else []
    of_ends = {f.name for name, f in negations.items() if kinds[name] == "quiescence"}
    of_ends |= {a.function.name for a in conditions if a.kind == "quiescence"}
    groups = _groups(packed, [*negations.values(), *(a.function for a in conditions)], of_ends)

    def fewer(budget: Mapping[str, int]) -> Fewer:
        within = [g for g in groups if all(n <= budget.get(b, 0) for b, n in zip(BUDGETS, g.faults))]
        first: dict[str, int] = {}
        for name, number in (item for g in within for item in g.firsts.items()):
            first[name] = min(number, first.get(name, number))
        met = {name: first[negation.name] for name, negation in negations.items() if negation.name in first}
        violated = {name: (Verdict.VIOLATED, int(packed.result.depths(state))) for name, state in met.items()}
        if not complete:
            return Fewer(violated)
        never = {a.property for a in conditions if a.function.name not in first}
        silent = not any(g.ends for g in within)
        untested = {n for n in never if not (silent and kinds[n] == "quiescence")}
        held = {n: (Swept.UNTESTED if n in untested else Verdict.HOLDS, None) for n in negations}
        return Fewer({**held, **violated}, sum(g.size for g in within), max(g.last for g in within) + 1)

    return [fewer(b) for b in budgets]


def _groups(packed: Packed, functions: list[Function], of_ends: set[str]) -> list[_Group]:
    """The states by faults.  of_ends: the predicates that are asked of quiescent states only."""
    kernel, numbers = predicates(packed.kernel.model, functions, packed.result.distinct)
    in_ends, everywhere = ({n: i for n, i in numbers.items() if (n in of_ends) == ends} for ends in (True, False))
    states, quiescent = packed.result.states(), np.asarray(packed.result.quiescent_indices)
    faults, kind_of = _faults(packed)
    found = []
    for kind, counted in enumerate(faults):
        rows = np.flatnonzero(kind_of == kind)
        ends = quiescent[kind_of[quiescent] == kind]
        firsts = {**scan(kernel, everywhere, states, rows), **scan(kernel, in_ends, states, ends)}
        found.append(_Group(counted, len(rows), int(packed.result.depths(rows[-1])), len(ends) > 0, firsts))
    return found


def _faults(packed: Packed) -> tuple[list[tuple[int, ...]], NDArray[np.int64]]:
    """The numbers of faults that occur, in the order of BUDGETS, and for each state which of them are its own."""
    names = [v.name for v in packed.kernel.model.variables if v.name in ("crashed", "lost", "duplicated", "splits")]
    states, mask = packed.result.states(), packed.kernel.mask(names)
    key = np.zeros(len(states), np.int64)
    for word in np.flatnonzero(mask):  # one at a time: to sort rows is ten times slower
        distinct_words, which = np.unique(states[:, word] & mask[word], return_inverse=True)
        key = key * len(distinct_words) + which
    _, first, kind_of = np.unique(key, return_index=True, return_inverse=True)
    counted = []
    for row in first:
        values = packed.kernel.decode(states[row])
        counted.append((len(values["crashed"]), *(int(values.get(n, 0)) for n in ("lost", "duplicated", "splits"))))
    distinct = sorted(set(counted))
    return distinct, np.array([distinct.index(c) for c in counted])[kind_of]
