"""Emit code for symmetry reduction: adjacent transpositions, the order on states, and `canonical`, which replaces a
state by the canonical representative of its orbit.

The exchanges are actions of the model's language (`checker.ir.symmetry`), so they are emitted as any action.  `expand`
calls `canonical` on each successor it keeps, after the properties of the step were evaluated.
"""

from __future__ import annotations

from collections.abc import Iterator

from checker.assembly import Assembly
from checker.backends.native.compare import compare
from checker.backends.native.context import Context, ModuleContext
from checker.backends.native.functions import emit_action
from checker.backends.native.judging import noted_elsewhere
from checker.ir import expressions as e
from checker.ir.model import Symmetry


def symmetric(module: ModuleContext) -> list[str]:
    """The functions for symmetry reduction of a model; none for a model without it."""
    symmetry = module.model.symmetry
    if symmetry is None:
        return []
    exchanges = [emit_action(module, action, f"exchange_{i}").text() for i, action in enumerate(symmetry.generators)]
    walk = ", ".join(f"i64 {generator}" for generator in symmetry.walk)
    return [
        f"@walk = internal constant [{len(symmetry.walk)} x i64] [{walk}], align 8",
        *exchanges,
        _smaller(module),
        _exchange(len(exchanges), bool(module.remembered)),
        _sort(symmetry, module.layout.words),
        _canonical(symmetry, module.layout.words),
        *_over_states(module.layout.words),
    ]


def _smaller(module: ModuleContext) -> str:
    """Whether one state comes before another in the canonical order, variable by variable."""
    b = Assembly("smaller", "i64", [("ptr readonly", "%left"), ("ptr readonly", "%right")])
    f = Context(module, b, noted_elsewhere)
    for variable in module.model.variables:
        values = []
        for f.state in ("%left", "%right"):
            values.append(f.evaluate(e.Variable(variable.type, variable.name)))
        left, right = values
        for operator, result in (("<", 1), (">", 0)):
            with b.when(compare(f, operator, variable.type, left, variable.type, right)):
                b.give(f"i64 {result}")
    b.give("i64 0")
    return b.text()


def _exchange(generators: int, remembers: bool) -> str:
    b = Assembly("exchange", "void", [("i64", "%generator"), ("ptr", "%in"), ("ptr", "%out")])
    for i in range(generators):
        with b.when(b.compare("eq", "%generator", i)):
            b.call(f"@exchange_{i}", "%in", "%out", *["null"] * (2 if remembers else 1))
            b.give("void")
    b.give("void")
    return b.text()


def _sort(symmetry: Symmetry, words: int) -> str:
    """Sort the members of the sorted type: exchange neighbours while that makes the state smaller.  A successor is
    nearly sorted, so few rounds are needed.
    """
    b = Assembly("sort", "void", [("ptr", "%state")])
    trial, stop, changed = b.slot(words), b.variable(len(symmetry.sort)), b.variable(0)
    for neighbours in b.rounds(stop, lambda left: b.compare("ne", left, 0)):
        changed.set(0)
        for k in b.count(neighbours):
            b.call("@exchange", b.add(k, symmetry.sort[0] if symmetry.sort else 0), "%state", trial, result="void")
            with b.when(b.call("@smaller", trial, "%state")):
                b.copy("%state", trial, words)
                changed.set(1)
        stop.set(b.select(changed.get(), b.sub(neighbours, 1), 0))
    b.give("void")
    return b.text()


def _canonical(symmetry: Symmetry, words: int) -> str:
    """Replace a state by the least of its permutations."""
    b = Assembly("canonical", "void", [("ptr", "%state")])
    here, trial = b.slot(words), b.slot(words)
    b.copy(here, "%state", words)
    b.call("@sort", "%state", result="void")
    for i in b.count(len(symmetry.walk)):
        b.call("@exchange", b.load("@walk", i), here, trial, result="void")
        b.copy(here, trial, words)
        b.call("@sort", trial, result="void")
        with b.when(b.call("@smaller", trial, "%state")):
            b.copy("%state", trial, words)
    b.give("void")
    return b.text()


def _over_states(words: int) -> Iterator[str]:
    """Both for each state of a block."""
    for name, parameters in (("canonical", []), ("exchange", [("i64", "%generator"), ("ptr", "%out")])):
        b = Assembly(f"{name}_states", "void", [("ptr", "%states"), ("i64", "%n"), *parameters], "")
        for i in b.count("%n"):
            place = b.mul(i, words)
            state = b.address("%states", place)
            arguments = ["%generator", state, b.address("%out", place)] if parameters else [state]
            b.call(f"@{name}", *arguments, result="void")
        b.give("void")
        yield b.text()
