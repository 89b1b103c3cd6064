"""Whether the rules of base and edit agree with more processes than any compared configuration has.

No state is explored: z3 decides over all states of the types, within a few seconds.  Without a difference nothing is
claimed: a number of processes for which there was no time, and every larger number, was not examined.
"""

from __future__ import annotations

import time

from checker.analysis.compare.family import compare_family
from checker.analysis.compare.side import Side
from checker.language.errors import UsageError
from checker.results.configurations import Beyond
from checker.results.rules import DIFFERS

FURTHER = 2  # numbers of processes asked of
SECONDS = 5.0  # for all of them
EACH = 2.0  # for a rule


def rules_beyond(before: Side, after: Side, processes: int) -> tuple[Beyond, ...]:
    """The rules that differ with more than the given number of processes, each with the smallest such number that was
    examined; all other constants have their defaults.
    """
    found: dict[str, Beyond] = {}
    deadline = time.monotonic() + SECONDS
    for number in range(processes + 1, processes + FURTHER + 1):
        left = deadline - time.monotonic()
        if left <= 0:
            break
        try:
            family = compare_family(before, after, {}, [("processes", (number,))], seconds=min(EACH, left))
        except UsageError:  # no such number, or nothing that can be compared
            continue
        for rule in (rule for member in family.members for rule in member.rules):
            if rule.relation in DIFFERS:
                found.setdefault(rule.name, Beyond(rule.name, rule.relation, number))
    return tuple(found.values())
