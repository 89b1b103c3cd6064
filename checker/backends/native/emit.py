"""Emission of a whole kernel: the functions `expand`, `check` and `initial` around the model's rules and actions.

Small actions are inlined once for each instance with constant parameters, so that their guards become tests of constant
bits; large ones are called in loops over their parameters.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from checker.assembly import Assembly
from checker.backends.native import containers as _containers  # noqa: F401  (registers emitters)
from checker.backends.native import statements as _statements  # noqa: F401  (registers emitters)
from checker.backends.native.choice import leading
from checker.backends.native.context import Context, Findings, ModuleContext, Unsupported
from checker.backends.native.expansion import EmittedAction, Expansion
from checker.backends.native.functions import DONE, compiled, emit_action, may_crash
from checker.backends.native.judging import check, judge, note, noted_elsewhere
from checker.backends.native.layout import state_layout
from checker.backends.native.packing import count, is_atom
from checker.backends.native.remembered import table_of
from checker.backends.native.symmetry import symmetric
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.expressions import Domain, Local
from checker.ir.fitted import ROOM
from checker.ir.model import Action, Model
from checker.ir.visit import walk

if TYPE_CHECKING:
    from checker.ir.stubborn.reduction import Reduction

INLINE_SHORT, INLINE_LONG = (2000, 7000), (600, 2000)
"""The largest number of lines of assembly from inlining the instances of one action, and of all actions: in states of
at most two words, and in longer ones.
"""


def emit(model: Model, reduction: Reduction | None = None) -> tuple[str, Findings]:
    """The kernel of a model as LLVM assembly, and its possible findings.  reduction: expand by stubborn sets."""
    if reduction is not None:
        model = reduction.labels.model
    assert not model.kept or model.symmetry is None and reduction is None, "these work on states where they are stored"
    module = ModuleContext(model, state_layout(model))
    for p in model.properties:
        module.findings.number(p.kind, p.name, p.line)
    for name in (*(p.function for p in model.properties if p.kind != "leads-to"), *model.constraints):
        compiled(module, name)
    actions = emitted_actions(module)
    start = emit_action(module, _parameters_chosen(model.initial), "initial_action")
    module.texts.append(start.text())
    expanding = _expanding(module, actions, reduction)
    kernel = [*symmetric(module), judge(module), *expanding, check(module), _initial(module)]
    return "\n".join([module.fixed, *module.texts, *kernel]), module.findings


def _expanding(module: ModuleContext, actions: list[EmittedAction], reduction: Reduction | None) -> list[str]:
    """The function `expand`, and its callees."""
    if reduction is None:
        return [Expansion(module, actions).emit()]
    from checker.backends.native.stubborn import reduced

    return reduced(module, actions, reduction)


def _scripted(action: Action, opening: s.Choose | None) -> bool:
    """Whether the action makes choices by the script."""
    return any(isinstance(part, s.Choose) and part is not opening for part in walk(action.body))


def _parameters_chosen(action: Action) -> Action:
    """The same action with its parameters turned into choices."""
    choices = tuple(s.Choose(action.line, Local(p.type, p.name), Domain(t.Set(p.type))) for p in action.parameters)
    return Action(action.name, (), (*action.parameters, *action.locals), choices + action.body, line=action.line)


def emitted_actions(module: ModuleContext, received: int = 0) -> list[EmittedAction]:
    """Emit the functions of all actions; `received`: words for the message received, see `functions.emit_action`."""
    openings = [leading(a) for a in module.model.actions]
    bodies = [
        emit_action(module, a, f"action_{i}", o, received)
        for i, (a, o) in enumerate(zip(module.model.actions, openings))
    ]
    result, total = [], 0
    most_action, most_all = INLINE_SHORT if module.layout.words <= 2 else INLINE_LONG
    for action, body, opening in zip(module.model.actions, bodies, openings):
        if not all(is_atom(p.type) for p in action.parameters):
            raise Unsupported(f"{action.name}: a parameter does not fit one word")
        instances, scripted = prod(count(p.type) for p in action.parameters), _scripted(action, opening)
        chooses = scripted or opening is not None
        size = instances * body.size
        unrolled = size <= most_action and total + size <= most_all and not (chooses and instances > 4)
        total += size if unrolled else body.size
        body.inline = "alwaysinline" if unrolled else ""
        module.texts.append(body.text())
        result.append(EmittedAction(action, body.name, instances, opening, scripted, unrolled, may_crash(action)))
    return result


# -- initial


def _initial(module: ModuleContext) -> str:
    """Write initial states until the buffer is full (result 1, call again with the same script) or all are written
    (0)."""
    parameters = [
        ("ptr noalias", "%out"),
        ("i64", "%capacity"),
        ("ptr noalias", "%script"),
        ("ptr noalias", "%first"),
        ("ptr noalias", "%written"),
    ]
    b = Assembly("initial", "i64", parameters, "")
    f = Context(module, b, noted_elsewhere)
    written, kept, table = b.slot(), module.layout.kept, table_of(b, module.remembered)
    head, run, end, full = (b.new_label() for _ in range(4))
    b.store(0, written)
    b.label(head)
    number = b.load(written)
    b.branch(b.compare("slt", number, "%capacity"), run, full)
    b.label(run)
    row = b.address("%out", b.mul(number, module.layout.stored_words))
    target = b.slot(module.layout.words) if kept else row
    status = b.call("@initial_action", "@zero", target, "%script", *([table] if table else []))
    with b.when(b.compare("eq", status, DONE)):
        if kept:
            with b.when(b.compare("ne", b.call("@pack", target, row), 0)):
                note(f, module.findings.number("grow", ROOM, 0), 0)
        b.store(b.add(number, 1), written)
    with b.when(b.compare("sgt", status, DONE)):
        note(f, b.sub(status, 2), 0)
    b.branch(b.compare("ne", b.call("@advance", "%script"), 0), head, end)
    for label, result in ((end, 0), (full, 1)):
        b.label(label)
        b.store(b.load(written), "%written")
        b.give(f"i64 {result}")
    return b.text()
