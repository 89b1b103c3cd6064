"""Whether a state in which two versions of a rule differ is reachable: the base is explored natively with the edit's
rules beside its own.
"""

from __future__ import annotations

from math import prod
from typing import Unpack

from attrs import evolve

from checker.analysis.compare.asked import Types, instance
from checker.analysis.compare.rules import difference_name, watching
from checker.analysis.compare.side import Side
from checker.engines.explored import require_finished
from checker.engines.registry import explore
from checker.engines.request import How, Request
from checker.frontend.lower import lower
from checker.ir import types as t
from checker.ir.common import like
from checker.ir.domain import size
from checker.ir.facts import variables_read
from checker.ir.model import Model as Lowered
from checker.results.rules import UNREACHED, RuleComparison
from checker.wording import counted

MOST_ARGUMENTS = 4096  # combinations of arguments tried in each state


def with_runs(
    rules: tuple[RuleComparison, ...], base: Side, edit: Side, **how: Unpack[How]
) -> tuple[RuleComparison, ...]:
    """The comparisons, each differing rule with a shortest run of the base to a state (between steps) in which it
    differs, if there is one within the limits.
    """
    definition, edited = base.definition, edit.definition
    wanted = {r.name: r.asked for r in rules if r.relation not in ("equivalent", "skipped", "undecided")}
    asked = [(name, types) for name, given in wanted.items() for types in given]
    lowered = lower(definition, requested=asked), lower(edited, requested=asked)
    names = {name: given for name, given in wanted.items() if all(_watchable(lowered, name, types) for types in given)}
    if not names:
        return rules

    def adapt(model: Lowered) -> Lowered:
        networks = ((v.name, v.type) for v in model.variables if isinstance(v.type, t.Bag | t.Seq))
        capacities = {name: type.capacity for name, type in networks if type.grow is not None}
        return watching(
            lower(definition, capacities, requested=asked), lower(edited, capacities, requested=asked), names
        )

    given: How = {**how, "stop_at_first": len(names) == 1}
    explored = explore(Request(definition, adapt=adapt, **given))
    require_finished(explored)
    replay = base.replay("native")
    found = {f.shown.name: f for f in reversed(explored.found) if f.shown.kind == "invariant"}
    everywhere = explored.complete and not any(f.shown.kind == "error" for f in explored.found)

    def looked_for(rule: RuleComparison) -> RuleComparison:
        if (shown := found.get(difference_name(rule.name))) is not None:
            return evolve(rule, reached=replay.run(shown.path(), difference_name(rule.name)))
        if rule.name in names and everywhere:
            return evolve(rule, note=UNREACHED)
        if rule.name in names and explored.bound is not None:
            note = f"in none of the first {counted(explored.distinct, 'state')} of the base"
            return evolve(rule, note=note, so_far=explored.distinct)
        return rule

    return tuple(map(looked_for, rules))


def _watchable(models: tuple[Lowered, Lowered], name: str, types: Types) -> bool:
    """Whether the edit's rule can be evaluated in a state of the base: the base has the variables that it reads, and
    its arguments can be enumerated.
    """
    base, edit = models
    functions = [instance(model, name, types) for model in models]
    if functions[0] is None or functions[1] is None or not like(functions[0].result, functions[1].result):
        return False
    known, held = ({v.name: v.type for v in model.variables} for model in models)
    combinations = prod(size(kind) or MOST_ARGUMENTS + 1 for kind in types)
    return combinations <= MOST_ARGUMENTS and all(known.get(v) == held[v] for v in variables_read(edit, functions[1]))
