"""Configurations in which every step of base and edit is the same, known without a search.

Two models have the same steps if they differ in nothing that a step or a property reads, except in rules that have the
same value, and fail in the same states, in every state of their types; z3 decides that.  Then they have the same runs,
and the same verdicts, outcomes and sequences of events.

Where it stops: an edit of anything but rules and helpers is searched, and so is one whose rules read a network, or need
loops without a known end; nothing follows for other constants.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from attrs import frozen

from checker.analysis.compare.alike import Alike
from checker.analysis.compare.asked import shared_rules
from checker.analysis.compare.pair import Configured
from checker.analysis.compare.rules import compare_rules, lowered_rules, reads_network
from checker.analysis.compare.sources import differences
from checker.results.rules import RuleComparison

SECONDS = 10.0  # for all configurations
PURE = ("rule", "helper")  # kinds of parts that may differ


@frozen
class Proved:
    """The rules of one configuration, as z3 compared them.  same: those of equal value on which the proof rests."""

    rules: tuple[RuleComparison, ...]
    same: tuple[str, ...]


def proofs(order: Sequence[Configured], rule_seconds: float, announce: Callable[[str], None]) -> dict[int, Proved]:
    """The proofs by the places of the configurations; none if there is none for the last, which is the largest.

    rule_seconds: for a rule.
    """
    found: dict[int, Proved] = {}
    deadline = time.monotonic() + SECONDS
    for place in reversed(range(len(order))):
        left = deadline - time.monotonic()
        if left <= 0:
            break
        announce("rules: whether every step is the same")
        proved = _proved(order[place], min(rule_seconds, left))
        if proved is not None:
            found[place] = proved
        elif not found:
            break
    return found


def _proved(sides: Configured, seconds: float) -> Proved | None:
    base, edit = sides.definitions
    sources = differences(base, edit, (sides.before.label, sides.after.label))
    if any(d.kind not in PURE or any(reads_network(side, d.name) for side in (base, edit)) for d in sources):
        return None
    lowered = lowered_rules(base, edit)
    if {d.name for d in sources}.isdisjoint(shared_rules((base, edit))):
        return Proved((), ()) if Alike(lowered.models).whole() else None
    # Also where the lowered models are alike: the comparison confirms the lowered rules by their methods.
    rules = compare_rules(base, edit, sources, seconds, lowered=lowered)
    if not rules:  # without z3
        return None
    alike = Alike(lowered.models, {r.name for r in rules if r.proved_same})
    return Proved(rules, tuple(dict.fromkeys(alike.rested))) if alike.whole() else None
