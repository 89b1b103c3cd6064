"""Rules of two models compared for a family of constants: for which sizes and thresholds are they equivalent?

For each combination of constants z3 decides, over all states of the types that satisfy an
assumption, how each rule of the edit relates to that of the base.  The first combination in which a rule differs comes
with the smallest state that shows the difference.  Combinations that a model refuses are left out, with the reason.
No state is explored unless it is asked which of the differences a reachable state of the base shows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from checker.analysis.compare.onward import larger
from checker.analysis.compare.reach import with_runs
from checker.analysis.compare.rules import compare_rules
from checker.analysis.compare.side import Side
from checker.analysis.compare.sources import differences
from checker.analysis.prove.prove import needs_z3
from checker.analysis.sweep.choices import Choices, combinations
from checker.language.define import define
from checker.language.definition import Definition
from checker.language.errors import UsageError
from checker.replay.base import shared_constants
from checker.results.rules import Family, Member
from checker.search.limits import Limits


def compare_family(
    before: Side,
    after: Side,
    constants: Mapping[str, Any],
    each: Sequence[Choices],
    *,
    assuming: str | None = None,
    only: Sequence[str] | None = None,
    seconds: float = 20.0,
    reached: int = 0,
    progress: Callable[[Mapping[str, Any]], None] = lambda constants: None,
) -> Family:
    """Compare the rules (by default all) for every combination of the values in `each`.

    reached: as many states of the base are searched in each combination for one in which a rule differs.

    Raises UsageError for unknown constants, a wrong predicate, names that are no differing rules, models without a
    common or comparable rule, no combination that both models accept, or without z3.
    """
    needs_z3()
    members, common, notes, shown = [], set[str](), dict[str, None](), list[Mapping[str, Any]]()
    for varied in combinations(each):
        progress(varied)
        start = time.monotonic()
        try:
            edit = define(after.cls, {**constants, **varied})
            base = define(before.cls, shared_constants(before.cls, edit.constants))
        except UsageError as error:
            members.append(Member(varied, (), 0.0, str(error)))
            continue
        shown.append(edit.constants)
        common |= _own(base) & _own(edit)
        sources = differences(base, edit, (before.label, after.label))
        edited = (f"{d.name} is edited, {d.before} → {d.after}" for d in sources if d.kind == "default")
        notes |= dict.fromkeys(f"the default of {d}: the rules of both are asked with the same value" for d in edited)
        rules = compare_rules(base, edit, sources, seconds, assuming, only, smallest=True)
        if reached:
            sides = (Side(s.cls, s.label, d.constants) for s, d in ((before, base), (after, edit)))
            rules = with_runs(rules, *sides, limits=Limits(max_states=reached))
        members.append(Member(varied, rules, time.monotonic() - start))
    onward = larger(shown) if shown else ""
    family = Family(before.label, after.label, assuming, tuple(members), tuple(notes), reached, _shared(shown), onward)
    _must_say_something(family, only, common)
    return family


def _shared(constants: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The constants that have one value in all combinations."""
    return {n: v for n, v in (constants[0] if constants else {}).items() if all(c.get(n) == v for c in constants)}


def _own(definition: Definition) -> set[str]:
    """Rules of the model's own text, without those of the language."""
    rules = {n: m.function for n, m in definition.methods.items() if m.rule and m.owner is None}
    return {name for name, function in rules.items() if not function.__module__.startswith("checker.language.")}


def _must_say_something(family: Family, only: Sequence[str] | None, common: set[str]) -> None:
    refused = [m.refused for m in family.members if m.refused]
    if len(refused) == len(family.members):
        raise UsageError(refused[0])
    if not common:
        remedy = "Rules are compared that have the same name, in a model and its edit for example."
        raise UsageError(f"{family.before} and {family.after} have no rule in common", remedy=remedy)
    unknown = [name for name in only or () if name not in family.names]
    if unknown:
        what = f"no rule {unknown[0]} that both models have with the same parameters differs"
        raise UsageError(what, remedy="Without --rule all that may differ are compared.")
    for name in only or (family.names if all(r.relation == "skipped" for m in family.members for r in m.rules) else ()):
        notes = [r.note for _, r in family.of(name) if r.relation == "skipped"]
        if notes and len(notes) == len([m for m in family.members if not m.refused]):
            remedy = "Rules are compared that have the same parameters and read variables of the same types."
            raise UsageError(f"{name} cannot be compared: {notes[0]}", remedy=remedy)
