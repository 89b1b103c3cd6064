"""How many cases there are, as the table of docs/front_end.md."""

from __future__ import annotations

from collections import Counter

from checker.report.tables import markdown_table
from tests.language.enumeration.cases import cases

FAMILIES: dict[str, str] = {
    "table": "each row of the tables of [language.md](language.md), with operands of each kind; accepted exactly "
    "where the tables have it",
    "unary": "each expression with one hole, with each operand, in an action, a fourth of them in an invariant too",
    "binary": "each operator and display of two, with each operand on both sides of a partner of each kind",
    "statement": "each assignment, change, branch, loop and call, with each operand as the value",
    "change": "each change, of each operand, by path and by a name",
    "match": "each pattern against each subject: alone, with a guard that may fail, as an alternative, with its names "
    "used",
    "alias": "each way of giving a collection a name, then each change of the original or of the name, then each way "
    "of reading both",
    "parameter": "the same for the parameter of a procedure",
    "position": "82 plain expressions and each expression with a hole, with three operands, in each of 30 positions",
    "argument": "each expression with a hole, evaluated in a rule and in a procedure that gets the operand as argument",
    "in flight": "each expression and operator over what is in flight, over processes and crashes, in an action and in "
    "handlers of both kinds of network",
    "in flight, named": "a name for what is in flight, then a send or a change, then a read",
    "sent": "each form of sending and multicasting, with each body and each kind of `to=`, with faults, without, and "
    "with messages that carry chains",
    "edit": "each expression and statement, with one operand, in a rule or procedure that an edit overrides and calls "
    "by `super()`, and in the one that overrides it",
    "quorum": "each form of quorum reception on networks of each kind, with what may be done with senders and messages",
}
"""What each family is."""


def page() -> str:
    """The table."""
    counts = Counter(case.family for case in cases())
    assert set(counts) == set(FAMILIES)
    rows = [(name, f"{counts[name]:,}", what) for name, what in FAMILIES.items()]
    return markdown_table(["family", "cases", "what"], [*rows, ("all", f"{len(cases()):,}", "")])
