"""A family of rule comparisons as text: a grid for two varying constants, else a table; what implies what; then the
smallest state for each rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from checker.compare.family import Family, Member, implications
from checker.compare.rules import rule_data, rule_lines
from checker.language.constants import written

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
    rows, columns = (list(dict.fromkeys(short(m.constants[c]) for m in family.members)) for c in (down, across))
    found = {(short(m.constants[down]), short(m.constants[across])): _cell(m, name) for m in family.members}
    width = max(len(text) for text in (*columns, *found.values()))
    corner = f"{down} by {across}"
    head = max(len(text) for text in (*rows, corner))
    yield name, "bold"
    yield f"  {corner:<{head}}  " + "  ".join(f"{c:<{width}}" for c in columns).rstrip(), "bold"
    for row in rows:
        yield f"  {row:<{head}}  " + "  ".join(f"{found.get((row, c), ''):<{width}}" for c in columns).rstrip(), ""


def _table(family: Family) -> Lines:
    heads = [label(m.constants) for m in family.members]
    width = max((len(h) for h in heads), default=0)
    widths = [max(len(n), 8) for n in family.names]
    yield f"{'':<{width}}  " + "  ".join(f"{n:<{w}}" for n, w in zip(family.names, widths)), "bold"
    for head, member in zip(heads, family.members):
        yield (
            f"{head:<{width}}  " + "  ".join(f"{_cell(member, n):<{w}}" for n, w in zip(family.names, widths)).rstrip(),
            "",
        )


def _cell(member: Member, name: str) -> str:
    relation = next((r.relation for r in member.rules if r.name == name), "")
    if member.refused:
        return "."
    return CELLS.get(relation, relation)


def _sentence(family: Family, name: str) -> Lines:
    """What implies what, as far as this was decided."""
    relations = {r.relation for m in family.members for r in m.rules if r.name == name}
    forth, back, decided = implications(family, name)
    before, after = family.before.label, family.after.label
    if relations <= {"equivalent"}:
        yield f"{name}: the same in all {decided} combinations", "green"
    elif "different" in relations:
        yield f"{name}: the same in {forth} of {decided} combinations", "yellow"
    elif decided:
        yield (
            (
                f"{name}: {before} implies {after} in {forth} of {decided} combinations, {after} implies {before} in "
                f"{back}"
            ),
            "yellow",
        )


def _first(family: Family, name: str) -> Lines:
    for member in family.members:
        for rule in member.rules:
            if rule.name == name and (rule.examples or rule.failures):
                yield f"first with {label(member.constants)}; no smaller state shows it:", ""
                yield from rule_lines([rule])
                return


def _skipped(family: Family, name: str) -> Lines:
    """Why a rule was not compared, or in which states alone it was."""
    notes = [
        ("not compared: " * (r.relation == "skipped")) + r.note
        for m in family.members
        for r in m.rules
        if r.name == name and r.note
    ]
    for note in dict.fromkeys(notes):
        yield f"{name}: {note}", "yellow"


def _refused(family: Family) -> dict[str, int]:
    reasons: dict[str, int] = {}
    for member in family.members:
        if member.refused:
            reason = member.refused.partition(": ")[2] or member.refused
            reasons[reason] = reasons.get(reason, 0) + 1
    return reasons


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
    members = [
        {
            "constants": dict(m.constants),
            "refused": m.refused,
            "rules": [rule_data(r) for r in m.rules],
            "seconds": round(m.seconds, 3),
        }
        for m in family.members
    ]
    implied = {
        name: dict(zip(("base_implies_edit", "edit_implies_base", "decided"), implications(family, name)))
        for name in family.names
    }
    return {
        "base": family.before.label,
        "edit": family.after.label,
        "assuming": family.assuming,
        "implications": implied,
        "members": members,
        "notes": list(family.notes),
        "exit_code": family.exit_code,
    }
