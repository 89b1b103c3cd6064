"""A family of rule comparisons as text: a grid for two varying constants, else a table; the implications; then the
smallest state for each rule.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from checker.language.constants import written
from checker.report.compare.rules import rule_data, rule_lines
from checker.report.data import as_data
from checker.report.lines import Line, line
from checker.report.tables import aligned
from checker.report.wording import constants_text
from checker.results.rules import DIFFERS, Family, Member
from checker.wording import counted

CELLS = {"equivalent": "same", "incomparable": "neither", "different": "differs", "undecided": "?", "skipped": "-"}


def family_lines(family: Family) -> Iterator[Line]:
    """The whole report."""
    varied = list(dict.fromkeys(name for m in family.members for name in m.constants))
    yield from (line(note, "yellow") for note in family.notes)
    if not family.names:
        yield line("no rule differs: neither its text, nor what it calls, nor a value or type that it reads")
        return
    which = f", that satisfy {family.assuming}" if family.assuming else " (--assuming leaves some out)"
    if not family.searched:
        which += "; --reached=STATES searches for a reachable state in which a rule differs"
    yield line(f"over all states of the types, reachable or not{which}", "dim")
    if others := {n: v for n, v in family.constants.items() if n not in varied}:
        yield line(f"constants  {constants_text(others)}", "dim")
    if len(varied) == 2:
        for name in family.names:
            yield from _grid(family, name, *varied)
            yield from _sentence(family, name)
            yield line()
    else:
        yield from _table(family)
        yield line()
        for name in family.names:
            yield from _sentence(family, name)
    for name in family.names:
        yield from _first(family, name)
        yield from _skipped(family, name)
    if family.onward and not family.exit_code:
        sides = shlex.join((family.before, family.after))
        text = f"nothing larger was compared: checker rules {sides} --each {family.onward}"
        yield line(text, "yellow")
    refused = Counter(m.refused.partition(": ")[2] or m.refused for m in family.members if m.refused)
    for reason, count in refused.items():
        yield line(f"{count} combination{'s' * (count != 1)} left out: {reason}", "yellow")


def _grid(family: Family, name: str, down: str, across: str) -> Iterator[Line]:
    """One rule: a row for each value of the first constant, a column for each of the second."""
    found = {
        (short(m.constants[down]), short(m.constants[across])): _cell(m, name, family.searched) for m in family.members
    }
    rows, columns = (list(dict.fromkeys(keys)) for keys in zip(*found))
    width = max(map(len, (*columns, *found.values())))
    table = [[f"{down} by {across}", *(c.ljust(width) for c in columns)]]
    table += [[r, *(found.get((r, c), "").ljust(width) for c in columns)] for r in rows]
    head, *rest = aligned(table)
    yield line(name, "bold")
    yield line(f"  {head}", "bold")
    yield from (line(f"  {text}") for text in rest)


def _table(family: Family) -> Iterator[Line]:
    rows = [[label(m.constants), *(_cell(m, n, family.searched) for n in family.names)] for m in family.members]
    head, *rest = aligned([["", *family.names], *rows])
    yield line(head, "bold")
    yield from map(line, rest)


def _cell(member: Member, name: str, searched: int) -> str:
    """The relation and, if that was searched for, whether a reachable state of the base shows that a rule differs."""
    if member.refused:
        return "."
    rule = next((r for r in member.rules if r.name == name), None)
    if rule is None:
        return ""
    cell = CELLS.get(rule.relation, rule.relation)
    if not searched or rule.relation not in DIFFERS:
        return cell
    if rule.reached is not None:
        return f"{cell}, reached in {counted(len(rule.reached.steps), 'step')}"
    return f"{cell}, {'not reached' if rule.nowhere else 'not known whether reached'}"


def _sentence(family: Family, name: str) -> Iterator[Line]:
    """The implications, as far as they were decided."""
    relations = {r.relation for _, r in family.of(name)}
    forth, back, decided = family.implications(name)
    if relations <= {"equivalent"}:
        where = f"in all {decided} combinations" if decided > 1 else "with these constants"
        yield line(f"{name}: the same {where}", "green")
    elif "different" in relations:
        where = f"in {forth} of {decided} combinations" if decided > 1 else "with these constants"
        yield line(f"{name}: {'not ' * (decided == 1)}the same {where}", "yellow")
    elif decided > 1:
        first = f"{family.before} implies {family.after} in {forth} of {decided} combinations"
        yield line(f"{name}: {first}, {family.after} implies {family.before} in {back}", "yellow")


def _first(family: Family, name: str) -> Iterator[Line]:
    for member, rule in family.of(name):
        if rule.examples or rule.failures:
            yield line(f"first with {label(member.constants)}; no smaller state shows it:")
            yield from rule_lines([rule])
            return


def _skipped(family: Family, name: str) -> Iterator[Line]:
    """Why a rule was not compared, or to which states the comparison was restricted."""
    notes = ["not compared: " * (r.relation == "skipped") + r.note for _, r in family.of(name) if r.note]
    yield from (line(f"{name}: {note}", "yellow") for note in dict.fromkeys(notes))


def label(constants: Mapping[str, Any]) -> str:
    """The combination as on the command line."""
    return " ".join(f"{n}={short(v)}" for n, v in constants.items()) or "these constants"


def short(value: Any) -> str:
    """A value as on the command line: 1x5 for five ones."""
    alike = isinstance(value, tuple) and len(value) > 1 and len(set(value)) == 1
    return f"{value[0]}x{len(value)}" if alike else written(value)


def family_data(family: Family) -> dict[str, Any]:
    """The family as JSON data."""
    sides = ("base_implies_edit", "edit_implies_base", "decided")
    return {
        **as_data(family, "base=before edit=after assuming searched"),
        "implications": {name: dict(zip(sides, family.implications(name))) for name in family.names},
        "members": [
            {**as_data(m, "constants refused"), "rules": list(map(rule_data, m.rules)), **as_data(m, "seconds:3")}
            for m in family.members
        ],
        **as_data(family, "notes constants onward exit_code"),
    }
