"""Rules of two models compared for a whole family of constants: for which sizes and thresholds are they the same?

Nothing is explored: for each combination of constants z3 decides, over all states of the types that satisfy an assumption, how each rule of the edit relates to that
of the base.  The first combination in which a rule differs comes with a state that shows it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from attrs import frozen

from checker.commands.prove import needs_z3
from checker.commands.verify import written
from checker.compare.base import shared_constants
from checker.compare.comparison import Side
from checker.compare.rules import RuleComparison, compare_rules, rule_data, rule_lines
from checker.compare.sources import differences
from checker.language.define import define
from checker.language.errors import UsageError

LONGEST = 64  # values of one constant


@frozen
class Member:
    """The rules for one combination of constants."""

    constants: Mapping[str, Any]
    rules: tuple[RuleComparison, ...]
    seconds: float


@frozen
class Family:
    """All combinations, in the order in which they were asked for."""

    before: Side
    after: Side
    assuming: str | None
    members: tuple[Member, ...]

    @property
    def exit_code(self) -> int:
        """0 every rule is the same everywhere, 1 some rule differs somewhere, 4 neither is known."""
        relations = {r.relation for m in self.members for r in m.rules}
        if relations & {"weaker", "stronger", "incomparable", "different"} or any(r.failures for m in self.members for r in m.rules):
            return 1
        return 4 if relations & {"undecided", "skipped"} else 0


def compare_family(
    before: Side, after: Side, constants: Mapping[str, Any], each: Sequence[tuple[str, tuple[Any, ...]]], *, assuming: str | None = None,
    seconds: float = 20.0, progress: Callable[[Mapping[str, Any]], None] = lambda constants: None,
) -> Family:  # fmt: skip
    """Compare the rules for every combination of the values in `each`.  UsageError for unknown constants, a wrong predicate, or without z3."""
    needs_z3()
    members = []
    for values in product(*(choices for _, choices in each)):
        varied = dict(zip((name for name, _ in each), values))
        progress(varied)
        start = time.monotonic()
        edit = define(after.cls, {**constants, **varied})
        base = define(before.cls, shared_constants(before.cls, edit.constants))
        sources = differences(base, edit, (before.label, after.label))
        rules = compare_rules(base, edit, sources, seconds, assuming)
        members.append(Member(varied, rules, time.monotonic() - start))
    return Family(before, after, assuming, tuple(members))


def choices_of_option(text: str) -> tuple[str, tuple[Any, ...]]:
    """NAME=3..8 (a range), NAME=1x3..8 (as many ones, as a tuple), or NAME=a|b|c.  UsageError for anything else."""
    from checker.commands.arguments import CONSTANT

    name, equals, values = text.partition("=")
    if not equals or not values:
        raise UsageError(f"--each {text}: not of the form NAME=VALUES", remedy="For example --each phi=1..4, --each workload=1x3..8, --each channels=fifo|unordered")
    spread = re.fullmatch(r"(?:(\d+)x)?(\d+)\.\.(\d+)", values.strip())
    if spread is None:
        return name.strip(), tuple(CONSTANT.convert(f"{name}={v}", None, None)[1] for v in values.split("|"))
    first, last = int(spread[2]), int(spread[3])
    if not first <= last < first + LONGEST:
        raise UsageError(f"--each {text}: an empty or too long range")
    numbers = range(first, last + 1)
    return name.strip(), tuple(numbers) if spread[1] is None else tuple((int(spread[1]),) * n for n in numbers)


# Printing


def family_lines(family: Family) -> Iterator[tuple[str, str]]:
    """A table of relations, then for each rule the first combination in which it differs."""
    names = list(dict.fromkeys(r.name for m in family.members for r in m.rules))
    heads = [_written(m.constants) for m in family.members]
    width = max((len(h) for h in heads), default=0)
    widths = [max(len(n), 12) for n in names]
    yield f"{'':<{width}}  " + "  ".join(f"{n:<{w}}" for n, w in zip(names, widths)), "bold"
    for head, member in zip(heads, family.members):
        relations = {r.name: r.relation for r in member.rules}
        yield f"{head:<{width}}  " + "  ".join(f"{relations.get(n, '-'):<{w}}" for n, w in zip(names, widths)) + f"  {member.seconds:.1f} s", ""
    yield "", ""
    for name in names:
        yield from _first(family, name)


def _first(family: Family, name: str) -> Iterator[tuple[str, str]]:
    for member in family.members:
        for rule in member.rules:
            if rule.name == name and (rule.examples or rule.failures):
                yield f"first with {_written(member.constants)}:", ""
                yield from rule_lines([rule])
                return


def _written(constants: Mapping[str, Any]) -> str:
    return " ".join(f"{n}={written(v)}" for n, v in constants.items()) or "(as given)"


def family_data(family: Family) -> dict[str, Any]:
    """The family as JSON data."""
    members = [{"constants": dict(m.constants), "rules": [rule_data(r) for r in m.rules], "seconds": round(m.seconds, 3)} for m in family.members]
    return {"base": family.before.label, "edit": family.after.label, "assuming": family.assuming, "members": members, "exit_code": family.exit_code}
