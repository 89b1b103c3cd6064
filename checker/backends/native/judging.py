"""Emission of the evaluation of properties: `check` evaluates the properties of a stored state; another function, which
`expand` calls on successors, those of a step, if there are any.

A property's function is called with the state and the state before it; its errors are findings too.
"""

from __future__ import annotations

from collections.abc import Sequence

from checker.assembly import Assembly, Operand
from checker.backends.native.context import Context, ModuleContext
from checker.backends.native.functions import call, compiled, table_parameter
from checker.backends.native.remembered import apart, begin, table_of
from checker.contract import CUT, STEPS
from checker.ir.model import Property

FAILED = 2
"""The value that `predicates` writes where a function is an error."""


def holds(f: Context, function: str, after: str, before: str, row: Operand, part: int = STEPS) -> Operand:
    """Truth of a property's function; an error is noted and counts as true."""
    b, rule = f.b, compiled(f.module, function)
    value, status = call(f, rule, True, (after, before), [])
    if not rule.fails:
        return value
    failed = b.compare("ne", status, 0)
    with b.when(failed):
        note(f, b.add(status, -1), row, part)
    return b.bit_or(value, failed)


def note(f: Context, finding: Operand, row: Operand, part: int = STEPS) -> None:
    """Record that a finding occurs at a row, in a part of the array `%first`."""
    b = f.b
    place = b.add(finding, b.mul(b.load("@findings"), part)) if part else finding
    b.call("@note", "%first", place, row, result="void")


def evaluate(f: Context, p: Property, after: str, before: str, row: Operand, part: int = STEPS) -> None:
    """Evaluate a property, and record its finding."""
    number = f.module.findings.number(p.kind, p.name, p.line)
    if p.kind == "reachable":
        rule = compiled(f.module, p.function)
        value, status = call(f, rule, True, (after, before), [])
        with f.b.when(f.b.compare("ne", status, 0)):
            note(f, f.b.add(status, -1), row, part)
        shows = value
    else:
        shows = f.b.negate(holds(f, p.function, after, before, row, part))
    with f.b.when(shows):
        note(f, number, row, part)


def of_kind(module: ModuleContext, *kinds: str) -> list[Property]:
    """The model's properties of some kinds."""
    return [p for p in module.model.properties if p.kind in kinds]


def noted_elsewhere(status: Operand) -> None:
    """The failure target of kernel functions: they record the errors of their callees and have none of their own."""
    raise AssertionError("kernel functions note errors themselves")


def judge(module: ModuleContext) -> str:
    """Evaluate step invariants, constraints, and the properties of a pruned successor.  Result: 1 to keep the
    successor, 0 to prune it.
    """
    states = [("ptr readonly", "%before"), ("ptr readonly", "%state")]
    b = Assembly("judge", "i64", [*states, ("i64", "%row"), ("ptr", "%first"), *table_parameter(module)])
    f = Context(module, b, noted_elsewhere)
    with apart(b, f.table):
        for p in of_kind(module, "step"):
            evaluate(f, p, "%state", "%before", "%row")
    keep: Operand = 1
    with apart(b, f.table):
        for name in module.model.constraints:
            keep = b.bit_and(keep, holds(f, name, "%state", "%state", "%row"))
        with b.when(b.negate(keep)):
            for p in of_kind(module, "invariant", "reachable"):
                evaluate(f, p, "%state", "%state", "%row", CUT)
    b.give(f"i64 {keep}")
    return b.text()


def _unpacked(module: ModuleContext, b: Assembly) -> str:
    """Room for a state that is stored in fewer words; none where states are read in place."""
    return b.slot(module.layout.words) if module.layout.kept else ""


def predicates(module: ModuleContext, names: Sequence[str]) -> str:
    """The text of `predicates`: some functions of each row, one byte each: 0 false, 1 true, FAILED where it is an
    error, which is recorded too.
    """
    parameters = [
        ("ptr noalias readonly", "%states"),
        ("i64", "%n"),
        ("ptr noalias", "%first"),
        ("ptr noalias", "%truth"),
    ]
    b = Assembly("predicates", "void", parameters, "")
    f = Context(module, b, noted_elsewhere)
    unpacked, f.table = _unpacked(module, b), table_of(b, module.remembered)
    for row in b.count("%n"):
        state = module.stored(b, b.address("%states", b.mul(row, module.layout.stored_words)), unpacked)
        begin(b, f.table)
        for i, name in enumerate(names):
            rule = compiled(module, name)
            value, status = call(f, rule, True, (state, state), [])
            if rule.fails:
                failed = b.compare("ne", status, 0)
                with b.when(failed):
                    note(f, b.add(status, -1), row)
                value = b.bit_or(value, b.mul(failed, FAILED))
            b.store(value, "%truth", b.add(b.mul(row, len(names)), i), bits=8)
    b.give("void")
    return b.text()


def check(module: ModuleContext) -> str:
    """The text of `check`: invariants and reachability predicates of each row."""
    b = Assembly("check", "void", [("ptr noalias readonly", "%states"), ("i64", "%n"), ("ptr noalias", "%first")], "")
    f = Context(module, b, noted_elsewhere)
    unpacked, f.table = _unpacked(module, b), table_of(b, module.remembered)
    for row in b.count("%n"):
        state = module.stored(b, b.address("%states", b.mul(row, module.layout.stored_words)), unpacked)
        begin(b, f.table)
        for p in of_kind(module, "invariant", "reachable"):
            evaluate(f, p, state, state, row)
    b.give("void")
    return b.text()
