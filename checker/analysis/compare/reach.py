"""Whether a state in which two versions of a rule differ is reachable: the base is explored natively with the edit's
rules beside its own; where it reaches none, the edit with the base's.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import prod
from typing import Unpack

from attrs import evolve

from checker.analysis.compare.asked import Types, instance
from checker.analysis.compare.rules import difference_name, watching
from checker.analysis.compare.side import Side
from checker.engines.explored import Explored, Found, require_finished
from checker.engines.registry import explore
from checker.engines.request import How, Request
from checker.frontend.lower import lower
from checker.ir import types as t
from checker.ir.common import like
from checker.ir.domain import size
from checker.ir.facts import variables_read
from checker.ir.model import Model as Lowered
from checker.results.rules import NEITHER, UNREACHED, RuleComparison
from checker.wording import counted

MOST_ARGUMENTS = 4096  # combinations of arguments tried in each state


def with_runs(
    rules: tuple[RuleComparison, ...], base: Side, edit: Side, **how: Unpack[How]
) -> tuple[RuleComparison, ...]:
    """The comparisons, each differing rule with a shortest run of the base to a state (between steps) in which it
    differs, if there is one within the limits.  Of a rule for which the base has none, the edit is explored too.
    """
    wanted = {r.name: r.asked for r in rules if r.relation not in ("equivalent", "skipped", "undecided")}
    names, explored = _explored(base, edit, wanted, how)
    if explored is None:
        return rules
    replay = base.replay("native")

    def looked_for(rule: RuleComparison) -> RuleComparison:
        if (shown := _found(explored, rule.name)) is not None:
            return evolve(rule, reached=replay.run(shown.path(), difference_name(rule.name)))
        if rule.name in names and _everywhere(explored):
            return evolve(rule, note=UNREACHED, nowhere=True)
        if rule.name in names and explored.bound is not None:
            note = f"in none of the first {counted(explored.distinct, 'state')} of the base"
            return evolve(rule, note=note, so_far=explored.distinct)
        return rule

    return _looked_for_in_the_edit(tuple(map(looked_for, rules)), base, edit, how)


def _looked_for_in_the_edit(
    rules: tuple[RuleComparison, ...], base: Side, edit: Side, how: How
) -> tuple[RuleComparison, ...]:
    """The rules that differ in no state of the base, with the steps to such a state of the edit, or that it has none
    either.
    """
    wanted = {r.name: r.asked for r in rules if r.nowhere}
    names, explored = _explored(edit, base, wanted, how)
    if explored is None:
        return rules
    replay = edit.replay("native")

    def looked_for(rule: RuleComparison) -> RuleComparison:
        if rule.name in names and (shown := _found(explored, rule.name)) is not None:
            steps = len(replay.run(shown.path(), difference_name(rule.name)).steps)
            return evolve(rule, note=f"{UNREACHED}, in one that the edit reaches in {counted(steps, 'step')}")
        return evolve(rule, note=NEITHER) if rule.name in names and _everywhere(explored) else rule

    return tuple(map(looked_for, rules))


def _explored(
    side: Side, other: Side, wanted: Mapping[str, tuple[Types, ...]], how: How
) -> tuple[Collection[str], Explored | None]:
    """Those of the rules that can be watched in the states of a side, and its states with the other's rules beside its
    own; None if there is none.
    """
    both = side.definition.methods.keys() & other.definition.methods.keys()  # not those of a property that is not asked
    wanted = {name: given for name, given in wanted.items() if name in both}
    asked = [(name, types) for name, given in wanted.items() for types in given]
    lowered = (lower(side.definition, requested=asked), lower(other.definition, requested=asked)) if asked else None
    names = {n: given for n, given in wanted.items() if lowered and all(_watchable(lowered, n, x) for x in given)}
    if not names:
        return (), None

    def adapt(model: Lowered) -> Lowered:
        networks = ((v.name, v.type) for v in model.variables if isinstance(v.type, t.Bag | t.Seq))
        capacities = {name: type.capacity for name, type in networks if type.grow is not None}
        mine, theirs = (lower(one.definition, capacities, requested=asked) for one in (side, other))
        return watching(mine, theirs, names)

    given: How = {**how, "stop_at_first": len(names) == 1}
    explored = explore(Request(side.definition, adapt=adapt, **given))
    require_finished(explored)
    return names, explored


def _found(explored: Explored, name: str) -> Found | None:
    """The first state that was found in which a rule differs."""
    shown = (f for f in explored.found if f.shown.kind == "invariant" and f.shown.name == difference_name(name))
    return next(shown, None)


def _everywhere(explored: Explored) -> bool:
    """Whether every state was explored."""
    return explored.complete and not any(f.shown.kind == "error" for f in explored.found)


def _watchable(models: tuple[Lowered, Lowered], name: str, types: Types) -> bool:
    """Whether the other's rule can be evaluated in a state of a side: the side has the variables that it reads, and its
    arguments can be enumerated.
    """
    _, other = models
    functions = [instance(model, name, types) for model in models]
    if functions[0] is None or functions[1] is None or not like(functions[0].result, functions[1].result):
        return False
    known, held = ({v.name: v.type for v in model.variables} for model in models)
    combinations = prod(size(kind) or MOST_ARGUMENTS + 1 for kind in types)
    return combinations <= MOST_ARGUMENTS and all(known.get(v) == held[v] for v in variables_read(other, functions[1]))
