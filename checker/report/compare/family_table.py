"""A family of rule comparisons as text: a grid for two varying constants, else a table; what implies what; then the
smallest state for each rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from checker.language.constants import written
from checker.report.compare.rules import rule_data, rule_lines
from checker.report.data import as_data
from checker.report.tables import aligned
from checker.results.rules import Family, Member

CELLS = {"equivalent": "same", "incomparable": "neither", "different": "differs", "undecided": "?", "skipped": "-"}
Lines = Iterator[tuple[str, str]]


def family_lines(family: Family) -> Lines:
    """Lines (text, style) of the whole report."""
    varied = list(dict.fromkeys(name for m in family.members for name in m.constants))
    yield from ((note, "yellow") for note in family.notes)
    if not family.names:
        yield "no rule differs: neither its text, nor what it calls, nor a value or type that it reads", ""
        return
    if len(varied) == 2:
        for name in family.names:
            yield from _grid(family, name, varied[0], varied[1])
            yield from _sentence(family, name)
            yield "", ""
    else:
        yield from _table(family)
        yield "", ""
        for name in family.names:
            yield from _sentence(family, name)
    for name in family.names:
        yield from _first(family, name)
        yield from _skipped(family, name)
    for reason, count in _refused(family).items():
        yield f"{count} combination{'s' * (count != 1)} left out: {reason}", "yellow"


def _grid(family: Family, name: str, down: str, across: str) -> Lines:
    """One rule: a row for each value of the first constant, a column for each of the second."""
    found = {(short(m.constants[down]), short(m.constants[across])): _cell(m, name) for m in family.members}
    rows, columns = (list(dict.fromkeys(keys)) for keys in zip(*found))
    width = max(map(len, (*columns, *found.values())))
    table = [[f"{down} by {across}", *(c.ljust(width) for c in columns)]]
    table += [[r, *(found.get((r, c), "").ljust(width) for c in columns)] for r in rows]
    yield name, "bold"
    yield from _lines(f"  {line}" for line in aligned(table))


def _table(family: Family) -> Lines:
    table = [["", *family.names], *([label(m.constants), *(_cell(m, n) for n in family.names)] for m in family.members)]
    yield from _lines(aligned(table))


def _lines(table: Iterable[str]) -> Lines:
    """The first line is the head."""
    yield from ((line, "" if number else "bold") for number, line in enumerate(table))


def _cell(member: Member, name: str) -> str:
    relation = next((r.relation for r in member.rules if r.name == name), "")
    if member.refused:
        return "."
    return CELLS.get(relation, relation)


def _sentence(family: Family, name: str) -> Lines:
    """What implies what, as far as this was decided."""
    relations = {r.relation for _, r in family.of(name)}
    forth, back, decided = family.implications(name)
    if relations <= {"equivalent"}:
        yield f"{name}: the same in all {decided} combinations", "green"
    elif "different" in relations:
        yield f"{name}: the same in {forth} of {decided} combinations", "yellow"
    elif decided:
        yield (
            f"{name}: {family.before} implies {family.after} in {forth} of {decided} combinations, {family.after} "
            f"implies {family.before} in {back}",
            "yellow",
        )


def _first(family: Family, name: str) -> Lines:
    for member, rule in family.of(name):
        if rule.examples or rule.failures:
            yield f"first with {label(member.constants)}; no smaller state shows it:", ""
            yield from rule_lines([rule])
            return


def _skipped(family: Family, name: str) -> Lines:
    """Why a rule was not compared, or in which states alone it was."""
    notes = ["not compared: " * (r.relation == "skipped") + r.note for _, r in family.of(name) if r.note]
    for note in dict.fromkeys(notes):
        yield f"{name}: {note}", "yellow"


def _refused(family: Family) -> dict[str, int]:
    return Counter(m.refused.partition(": ")[2] or m.refused for m in family.members if m.refused)


def label(constants: Mapping[str, Any]) -> str:
    """The combination as on the command line."""
    return " ".join(f"{n}={short(v)}" for n, v in constants.items()) or "(as given)"


def short(value: Any) -> str:
    """A value as on the command line: 1x5 for five ones."""
    return (
        f"{value[0]}x{len(value)}"
        if isinstance(value, tuple) and len(value) > 1 and len(set(value)) == 1
        else written(value)
    )


def family_data(family: Family) -> dict[str, Any]:
    """The family as JSON data."""
    sides = ("base_implies_edit", "edit_implies_base", "decided")
    return {
        "base": family.before,
        "edit": family.after,
        "assuming": family.assuming,
        "implications": {name: dict(zip(sides, family.implications(name))) for name in family.names},
        "members": [
            {
                **as_data(m, "constants refused"),
                "rules": [rule_data(r) for r in m.rules],
                "seconds": round(m.seconds, 3),
            }
            for m in family.members
        ],
        **as_data(family, "notes exit_code"),
    }
