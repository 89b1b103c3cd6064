"""Emission of a whole kernel: the functions `expand`, `check` and `initial` around the model's rules and actions.

Small actions are inlined once for each instance with constant parameters, so that their guards become tests of constant bits; large ones
are called in loops over their parameters. States of few words are kept in registers while they are expanded.
"""

from __future__ import annotations

from contextlib import ExitStack
from math import prod

from attrs import frozen

from checker.backends.native import access, domain
from checker.backends.native import containers as _containers  # noqa: F401  (registers emitters)
from checker.backends.native import statements as _statements  # noqa: F401  (registers emitters)
from checker.backends.native.analysis import walk
from checker.backends.native.assembly import Assembly, Operand
from checker.backends.native.choice import each_choice, leading
from checker.backends.native.context import Context, ModuleContext, Unsupported
from checker.backends.native.functions import DONE, call, compiled, emit_action
from checker.backends.native.layout import Layout, state_layout
from checker.backends.native.packing import count, is_atom
from checker.backends.native.runtime import RUNTIME, SCRIPT_WORDS
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.expressions import Domain, Local
from checker.ir.model import Action, Model, Property

REGISTER_WORDS = 4
"""States of so many words or fewer are kept in registers."""
INLINE_SHORT, INLINE_LONG = (2000, 7000), (600, 2000)
"""Most lines of assembly that inlining the instances of one action, of all actions, may yield: in states of at most two words, in longer ones."""
MOST_INSTANCES = 4096
"""With more instances, room in the buffer is tested for each successor and not once for each state."""


@frozen
class Emitted:
    """A kernel as LLVM assembly."""

    text: str
    module: ModuleContext
    layout: Layout


@frozen(eq=False)
class EmittedAction:
    """An action's function and how it is called."""

    action: Action
    name: str
    instances: int
    opening: s.Choose | None
    scripted: bool
    unrolled: bool


def emit(model: Model) -> Emitted:
    """The kernel of a model."""
    module = ModuleContext(model, state_layout(model))
    for p in model.properties:
        module.findings.number(p.kind, p.name, p.line)
    for name in (*(p.function for p in model.properties), *model.constraints):
        compiled(module, name)
    actions = _actions(module)
    start = emit_action(module, _parameters_chosen(model.initial), "initial_action")
    module.texts.append(start.text())
    kernel = [_judge(module), _expand(module, actions), _check(module), _initial(module)]
    zero = f"@zero = internal constant [{module.layout.words} x i64] zeroinitializer, align 8\n"
    return Emitted("\n".join([RUNTIME, zero, *module.texts, *kernel]), module, module.layout)


def _scripted(action: Action, opening: s.Choose | None) -> bool:
    """Whether the action makes choices by the script."""
    parts = (part for statement in action.body for part in walk(statement))
    return any(isinstance(part, s.Choose) and part is not opening for part in parts)


def _parameters_chosen(action: Action) -> Action:
    """The same action with its parameters turned into choices."""
    choices = tuple(
        s.Choose(
            action.line,
            Local(p.type, p.name),
            Domain(
                t.Set(p.type),
            ),
        )
        for p in action.parameters
    )
    return Action(
        action.name, (), (*action.parameters, *action.locals), choices + action.body, line=action.line
    )


def _actions(module: ModuleContext) -> list[EmittedAction]:
    openings = [leading(a) for a in module.model.actions]
    bodies = [
        emit_action(module, a, f"action_{i}", o)
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
        result.append(EmittedAction(action, body.name, instances, opening, scripted, unrolled))
    return result


# -- properties --------------------------------------------------------------------------------------------------------------


def _holds(f: Context, function: str, after: str, before: str, row: Operand, offset: int) -> Operand:
    """Truth of a property's function; an error is noted and counts as true."""
    b, rule = f.b, compiled(f.module, function)
    value, status = call(f, rule, True, [f"ptr {after}", f"ptr {before}"])
    if not rule.fails:
        return value
    failed = b.compare("ne", status, 0)
    with f.when(failed):
        _note(f, b.add(status, offset - 1), row)
    return b.bit_or(value, failed)


def _note(f: Context, finding: Operand, row: Operand) -> None:
    f.b.line(f"call void @note(ptr %first, i64 {finding}, i64 {row})")


def _evaluate(f: Context, p: Property, after: str, before: str, row: Operand, offset: int = 0) -> None:
    """Note a property's finding if it shows."""
    number = f.module.findings.number(p.kind, p.name, p.line) + offset
    if p.kind == "reachable":
        rule = compiled(f.module, p.function)
        value, status = call(f, rule, True, [f"ptr {after}", f"ptr {before}"])
        with f.when(f.b.compare("ne", status, 0)):
            _note(f, f.b.add(status, offset - 1), row)
        shows = value
    else:
        shows = f.b.negate(_holds(f, p.function, after, before, row, offset))
    with f.when(shows):
        _note(f, number, row)


def _of_kind(module: ModuleContext, *kinds: str) -> list[Property]:
    return [p for p in module.model.properties if p.kind in kinds]


def _unreachable_failure(status: Operand) -> None:
    raise AssertionError("kernel functions note errors themselves")


def _judge(module: ModuleContext) -> str:
    """Step invariants, constraints, and the properties of a cut successor.  Result: 1 to keep the successor, 0 to cut it."""
    b = Assembly(
        "judge",
        "i64",
        [("ptr readonly", "%before"), ("ptr readonly", "%state"), ("i64", "%row"), ("ptr", "%first")],
    )
    f = Context(module, b, _unreachable_failure)
    for p in _of_kind(module, "step"):
        _evaluate(f, p, "%state", "%before", "%row")
    keep: Operand = 1
    for name in module.model.constraints:
        keep = b.bit_and(keep, _holds(f, name, "%state", "%state", "%row", 0))
    with f.when(b.negate(keep)):
        for p in _of_kind(module, "invariant", "reachable"):
            _evaluate(f, p, "%state", "%state", "%row", len(module.findings.table))
    b.give(f"i64 {keep}")
    return b.text()


def _check(module: ModuleContext) -> str:
    b = Assembly(
        "check", "void", [("ptr noalias readonly", "%states"), ("i64", "%n"), ("ptr noalias", "%first")], ""
    )
    f = Context(module, b, _unreachable_failure)

    def one(row: Operand) -> None:
        state = b.address("%states", b.mul(row, module.layout.words))
        for p in _of_kind(module, "invariant", "reachable"):
            _evaluate(f, p, state, state, row)

    access.count_up(f, "%n", one)
    b.give("void")
    return b.text()


# -- expand --------------------------------------------------------------------------------------------------------------------

_EXPAND = [
    ("ptr noalias readonly", "%states"),
    ("i64", "%n"),
    ("i64", "%start"),
    ("ptr noalias", "%successors"),
    ("ptr noalias", "%parents"),
    ("i64", "%capacity"),
    ("ptr noalias", "%counters"),
    ("ptr noalias", "%first"),
    ("ptr noalias", "%quiescent"),
    ("ptr noalias", "%written"),
]


class _Expansion:
    """The emission of `expand`: slots for what changes while a state is expanded."""

    def __init__(self, module: ModuleContext, actions: list[EmittedAction]) -> None:
        self.module, self.actions = module, actions
        self.b = Assembly("expand", "i64", _EXPAND, "")
        self.f = Context(module, self.b, _unreachable_failure)
        self.words = module.layout.words
        self.registers = self.words <= REGISTER_WORDS
        b = self.b
        self.row_slot, self.written, self.steps, self.cut = b.slot(), b.slot(), b.slot(), b.slot()
        self.fired = [b.slot() for _ in actions]
        self.script = b.slot(SCRIPT_WORDS)
        self.source, self.target = (b.slot(self.words), b.slot(self.words)) if self.registers else ("", "")
        self.row, self.row32 = "", ""
        self.finish, self.rollback = b.new_label(), b.new_label()
        model = module.model
        self.judged = bool(model.constraints or _of_kind(module, "step"))
        bound = sum(a.instances for a in actions)
        self.bound = (
            None if bound > MOST_INSTANCES or any(a.scripted or a.opening for a in actions) else bound
        )

    def emit(self) -> str:
        b = self.b
        head, inside = b.new_label(), b.new_label()
        before = b.slot()
        b.store("%start", self.row_slot)
        b.store(0, self.written)
        b.clear(self.script, 2)
        b.label(head)
        self.row = b.load(self.row_slot)
        b.store(b.load(self.written), before)
        b.branch(b.compare("slt", self.row, "%n"), inside, self.finish)
        b.label(inside)
        if self.bound is not None:
            self._need(self.bound)
        self._begin_row()
        for number, action in enumerate(self.actions):
            self._action(number, action)
        self._end_row()
        b.store(b.add(self.row, 1), self.row_slot)
        b.jump(head)
        b.label(self.rollback)
        b.store(b.load(before), self.written)
        b.jump(self.finish)
        b.label(self.finish)
        b.store(b.load(self.written), "%written")
        b.give(f"i64 {b.load(self.row_slot)}")
        return b.text()

    def _need(self, room: int) -> None:
        """Give the row up unless so many successors fit."""
        b, go = self.b, self.b.new_label()
        b.branch(b.compare("sle", b.add(b.load(self.written), room), "%capacity"), go, self.rollback)
        b.label(go)

    def _begin_row(self) -> None:
        b = self.b
        place = b.address("%states", b.mul(self.row, self.words))
        self.row32 = b.register(f"trunc i64 {self.row} to i32")
        if self.registers:
            b.copy(self.source, place, self.words)
        else:
            self.source = place
        b.store(0, self.steps)
        b.store(0, self.cut)

    def _action(self, number: int, action: EmittedAction) -> None:
        b = self.b
        before = b.load(self.steps)
        if action.unrolled:
            self._unrolled(action, 0, [])
        else:
            self._looped(action, 0, [])
        b.store(b.sub(b.load(self.steps), before), self.fired[number])

    def _unrolled(self, action: EmittedAction, depth: int, arguments: list[Operand]) -> None:
        parameters = action.action.parameters
        if depth == len(parameters):
            self._instance(action, arguments)
            return
        kind = parameters[depth].type
        for i in range(count(kind)):
            self._unrolled(action, depth + 1, [*arguments, domain.at(self.f, kind, i)])

    def _looped(self, action: EmittedAction, depth: int, arguments: list[Operand]) -> None:
        parameters = action.action.parameters
        if depth == len(parameters):
            self._instance(action, arguments)
            return
        kind = parameters[depth].type

        def one(i: Operand) -> None:
            self._looped(action, depth + 1, [*arguments, domain.at(self.f, kind, i)])

        access.count_up(self.f, count(kind), one)

    def _instance(self, action: EmittedAction, arguments: list[Operand]) -> None:
        """All runs of one instance."""
        if action.opening is None:
            self._runs(action, arguments)
            return
        f, iterable = self.f, action.opening.iterable
        f.state = self.source
        with ExitStack() as bindings:
            for parameter, value in zip(action.action.parameters, arguments):
                bindings.enter_context(f.bound(parameter.name, value))
            each_choice(f, iterable, lambda choice: self._runs(action, [*arguments, choice]))

    def _runs(self, action: EmittedAction, arguments: list[Operand]) -> None:
        """One run, or one for each setting of the script."""
        if not action.scripted:
            self._run(action, arguments)
            return
        b = self.b
        again, end = b.new_label(), b.new_label()
        b.label(again)
        self._run(action, arguments)
        more = b.register(f"call i64 @advance(ptr {self.script})")
        b.branch(b.compare("ne", more, 0), again, end)
        b.label(end)

    def _run(self, action: EmittedAction, arguments: list[Operand]) -> None:
        b = self.b
        if self.bound is None:
            self._need(1)
        if not self.registers:
            self.target = b.address("%successors", b.mul(b.load(self.written), self.words))
        values = "".join(f", i64 {a}" for a in arguments)
        status = b.register(
            f"call i64 @{action.name}(ptr {self.source}, ptr {self.target}, ptr {self.script}{values})"
        )
        enabled, end, done, failed = (b.new_label() for _ in range(4))
        b.branch(b.compare("ne", status, 0), enabled, end)
        b.label(enabled)
        b.store(b.add(b.load(self.steps), 1), self.steps)
        b.branch(b.compare("eq", status, DONE), done, failed)
        b.label(done)
        self._accept(end)
        b.label(failed)
        _note(self.f, b.sub(status, 2), self.row)
        b.label(end)

    def _accept(self, end: str) -> None:
        """Write the successor unless it is cut."""
        b = self.b
        if self.judged:
            keep, drop = b.new_label(), b.new_label()
            kept = b.register(
                f"call i64 @judge(ptr {self.source}, ptr {self.target}, i64 {self.row}, ptr %first)"
            )
            b.branch(kept, keep, drop)
            b.label(drop)
            b.store(b.add(b.load(self.cut), 1), self.cut)
            b.jump(end)
            b.label(keep)
        number = b.load(self.written)
        if self.registers:
            b.copy(b.address("%successors", b.mul(number, self.words)), self.target, self.words)
        parent = b.register(f"getelementptr inbounds i32, ptr %parents, i64 {number}")
        b.line(f"store i32 {self.row32}, ptr {parent}, align 4")
        b.store(b.add(number, 1), self.written)
        b.jump(end)

    def _end_row(self) -> None:
        """Counters of the row, quiescence."""
        b, actions = self.b, len(self.actions)
        progress: Operand = 0
        for number, action in enumerate(self.actions):
            fired = b.load(self.fired[number])
            self._count(actions + number, fired)
            self._count(number, b.compare("ne", fired, 0))
            if not action.action.fault:
                progress = b.add(progress, fired)
        self._count(2 * actions, b.load(self.steps))
        self._count(2 * actions + 2, b.load(self.cut))
        quiet = b.compare("eq", progress, 0)
        place = b.register(f"getelementptr inbounds i8, ptr %quiescent, i64 {self.row}")
        b.line(
            f"store i8 {b.register(f'trunc i64 {quiet} to i8') if isinstance(quiet, str) else quiet}, ptr {place}"
        )
        with self.f.when(quiet):
            self._count(2 * actions + 1, 1)
            for p in _of_kind(self.module, "quiescence"):
                _evaluate(self.f, p, self.source, self.source, self.row)

    def _count(self, counter: int, amount: Operand) -> None:
        b = self.b
        b.store(b.add(b.load("%counters", counter), amount), "%counters", counter)


def _expand(module: ModuleContext, actions: list[EmittedAction]) -> str:
    return _Expansion(module, actions).emit()


# -- initial -------------------------------------------------------------------------------------------------------------------


def _initial(module: ModuleContext) -> str:
    """Write initial states until the buffer is full (result 1, call again with the same script) or all are written (0)."""
    parameters = [
        ("ptr noalias", "%out"),
        ("i64", "%capacity"),
        ("ptr noalias", "%script"),
        ("ptr noalias", "%first"),
        ("ptr noalias", "%written"),
    ]
    b = Assembly("initial", "i64", parameters, "")
    f = Context(module, b, _unreachable_failure)
    written = b.slot()
    head, run, end, full = (b.new_label() for _ in range(4))
    b.store(0, written)
    b.label(head)
    number = b.load(written)
    b.branch(b.compare("slt", number, "%capacity"), run, full)
    b.label(run)
    target = b.address("%out", b.mul(number, module.layout.words))
    status = b.register(f"call i64 @initial_action(ptr @zero, ptr {target}, ptr %script)")
    with f.when(b.compare("eq", status, DONE)):
        b.store(b.add(number, 1), written)
    with f.when(b.compare("sgt", status, DONE)):
        _note(f, b.sub(status, 2), 0)
    more = b.register("call i64 @advance(ptr %script)")
    b.branch(b.compare("ne", more, 0), head, end)
    for label, result in ((end, 0), (full, 1)):
        b.label(label)
        b.store(b.load(written), "%written")
        b.give(f"i64 {result}")
    return b.text()
