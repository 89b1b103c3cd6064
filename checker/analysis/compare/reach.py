"""Is a state in which two versions of a rule differ ever reached?  The base is explored natively with the edit's rules
beside its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import evolve

from checker.analysis.compare.asked import Types, instance
from checker.analysis.compare.rules import difference_name, watching
from checker.backends.interpreter.interpreter import Interpreter
from checker.engines.explored import require_finished
from checker.engines.registry import explore
from checker.engines.request import Request
from checker.frontend.lower import lower
from checker.ir import types as t
from checker.ir.domain import size
from checker.ir.facts import variables_read
from checker.ir.model import Model as Lowered
from checker.language.define import define
from checker.language.model import Model
from checker.replay.replay import Replay
from checker.results.rules import RuleComparison
from checker.search.limits import Limits
from checker.wording import counted

SO_FAR = "in none of the first"
MOST_ARGUMENTS = 4096  # combinations of arguments tried in each state


def with_runs(
    rules: tuple[RuleComparison, ...],
    base: type[Model],
    edit: type[Model],
    constants: tuple[Mapping[str, Any], Mapping[str, Any]],
    label: str,
    *,
    threads: int,
    limits: Limits,
    progress: Any,
) -> tuple[RuleComparison, ...]:
    """The comparisons, each rule that differs with a shortest run of the base to a state (between steps) in which it
    does, if there is one within the limits."""
    definition, edited = define(base, constants[0], []), define(edit, constants[1], [])
    wanted = {r.name: r.asked for r in rules if r.relation not in ("equivalent", "skipped", "undecided")}
    asked = [(name, types) for name, given in wanted.items() for types in given]
    lowered = lower(definition, asked=asked), lower(edited, asked=asked)
    names = {name: given for name, given in wanted.items() if all(_watchable(lowered, name, types) for types in given)}
    if not names:
        return rules

    def adapt(model: Lowered) -> Lowered:
        capacities = {
            v.name: v.type.capacity
            for v in model.variables
            if isinstance(v.type, t.Bag | t.Seq) and v.type.grow is not None
        }
        return watching(lower(definition, capacities, asked=asked), lower(edited, capacities, asked=asked), names)

    explored = explore(
        Request(
            definition, threads=threads, limits=limits, stop_at_first=len(names) == 1, progress=progress, adapt=adapt
        )
    )
    require_finished(explored)
    replay = Replay(Interpreter(definition), label, "native")
    found = {f.shown.name: f for f in reversed(explored.found) if f.shown.kind == "invariant"}
    result = []
    for rule in rules:
        shown = found.get(difference_name(rule.name))
        if shown is not None:
            result.append(evolve(rule, reached=replay.run(shown.path(), difference_name(rule.name))))
        elif rule.name in names and explored.complete and not any(f.shown.kind == "error" for f in explored.found):
            result.append(evolve(rule, note="in no reachable state between steps"))
        elif rule.name in names and explored.bound is not None:
            result.append(evolve(rule, note=f"{SO_FAR} {counted(explored.distinct, 'state')} of the base"))
        else:
            result.append(rule)
    return tuple(result)


def _watchable(models: tuple[Lowered, Lowered], name: str, types: Types) -> bool:
    """Whether the edit's rule can be asked in a state of the base: it has what the rule reads, and the arguments can be
    gone through."""
    base, edit = models
    functions = [instance(model, name, types) for model in models]
    if functions[0] is None or functions[1] is None:
        return False
    known, held = ({v.name: v.type for v in model.variables} for model in models)
    combinations = 1
    for kind in types:
        combinations *= size(kind) or MOST_ARGUMENTS + 1
    return combinations <= MOST_ARGUMENTS and all(known.get(v) == held[v] for v in variables_read(edit, functions[1]))
