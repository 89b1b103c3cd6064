"""Emission of `expand`: for each state all instances of all actions, their successors, counters and findings; on
request also a label for each successor.

States of few words are kept in registers while they are expanded, and states that are stored in fewer words on the
stack; others are copied straight into the buffer of successors.
"""

from __future__ import annotations

from contextlib import ExitStack

from checker.assembly import Assembly, Operand
from checker.backends.native import domain, variants
from checker.backends.native.choice import each_choice
from checker.backends.native.context import Context, ModuleContext
from checker.backends.native.functions import CRASHED, DONE
from checker.backends.native.judging import evaluate, note, noted_elsewhere, of_kind
from checker.backends.native.packing import count
from checker.backends.native.remembered import begin, table_of
from checker.backends.native.runtime import SCRIPT_WORDS
from checker.contract import QUIET
from checker.frozen import frozen
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.fitted import ROOM
from checker.ir.model import Action

REGISTER_WORDS = 4
"""States of at most this many words are kept in registers."""
MOST_INSTANCES = 4096
"""With more instances, room in the buffer is tested for each successor and not once for each state."""


@frozen(eq=False)
class EmittedAction:
    """An action's function and how it is called."""

    action: Action
    name: str
    instances: int
    opening: s.Choose | None
    scripted: bool
    unrolled: bool
    may_crash: bool


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


class Expansion:
    """The emission of `expand`: slots for values that change while a state is expanded.

    `label_words`: if not 0, a further argument takes a label of this many words for each successor.  Its first word is
    the number of the instance (all instances of all actions, in order; after them once more, for steps in the middle of
    which the acting process crashes), the others are the received message (see `functions`).
    """

    def __init__(self, module: ModuleContext, actions: list[EmittedAction], label_words: int = 0) -> None:
        self.module, self.actions, self.label_words = module, actions, label_words
        self.b = Assembly("expand", "i64", [*_EXPAND, *([("ptr noalias", "%labels")] if label_words else [])], "")
        self.f = Context(module, self.b, noted_elsewhere)
        self.words, self.stored_words = module.layout.words, module.layout.stored_words
        self.kept = module.layout.kept
        self.apart = bool(self.kept) or self.words <= REGISTER_WORDS
        b = self.b
        self.row_slot, self.written, self.steps, self.cut = b.slot(), b.slot(), b.slot(), b.slot()
        self.fired = [b.slot() for _ in actions]
        # steps of actions that are no faults, in the middle of which the acting process crashes
        self.crashes = b.slot()
        self.crashed: Operand = 0  # whether the step in hand is one
        self.script = b.slot(SCRIPT_WORDS)
        self.source, self.target = (b.slot(self.words), b.slot(self.words)) if self.apart else ("", "")
        self.f.table = table_of(b, module.remembered)
        self.row = self.before = ""
        self.instance: Operand = 0
        self.first_instance = 0
        self.finish, self.rollback = b.new_label(), b.new_label()
        model = module.model
        self.judged = bool(model.constraints or of_kind(module, "step"))
        bound = sum(a.instances for a in actions)
        self.bound = None if bound > MOST_INSTANCES or any(a.scripted or a.opening for a in actions) else bound

    def emit(self) -> str:
        """The loop over the rows."""
        b = self.b
        head, before = b.new_label(), b.slot()
        self.before = before
        b.store("%start", self.row_slot)
        b.store(0, self.written)
        b.clear(self.script, 2)
        b.label(head)
        self.row = b.load(self.row_slot)
        b.store(b.load(self.written), before)
        b.require(b.compare("slt", self.row, "%n"), self.finish)
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
        """End the row unless this many successors fit."""
        b = self.b
        b.require(b.compare("sle", b.add(b.load(self.written), room), "%capacity"), self.rollback)

    def _begin_row(self) -> None:
        b = self.b
        place = b.address("%states", b.mul(self.row, self.stored_words))
        if self.kept:
            self.module.stored(b, place, self.source)
        elif self.apart:
            b.copy(self.source, place, self.words)
        else:
            self.source = place
        begin(b, self.f.table)
        b.store(0, self.steps)
        b.store(0, self.cut)
        if any(a.may_crash for a in self.actions):
            b.store(0, self.crashes)

    def _action(self, number: int, action: EmittedAction) -> None:
        b = self.b
        before = b.load(self.steps)
        self._instances(action, [], 0)
        self.first_instance += action.instances
        b.store(b.sub(b.load(self.steps), before), self.fired[number])

    def _instances(self, action: EmittedAction, arguments: list[Operand], place: Operand) -> None:
        """All instances whose first arguments are these."""
        parameters = action.action.parameters
        if len(arguments) == len(parameters):
            self.instance = self.b.add(self.first_instance, place) if self.label_words else 0
            self._instance(action, arguments)
            return
        kind = parameters[len(arguments)].type
        for i in self.b.repeat(count(kind), count(kind) if action.unrolled else -1):
            inner = self._place(place, kind, i)
            self._instances(action, [*arguments, domain.at(self.f, kind, i)], inner)

    def _place(self, outer: Operand, kind: t.Type, i: Operand) -> Operand:
        """The number among the instances of an action, counted over the parameters so far; only labels need it."""
        return self.b.add(self.b.mul(outer, count(kind)), i) if self.label_words else 0

    def _instance(self, action: EmittedAction, arguments: list[Operand]) -> None:
        """All executions of one instance."""
        if action.opening is None:
            self._runs(action, arguments)
            return
        f, iterable = self.f, action.opening.iterable
        f.state = self.source
        with ExitStack() as bindings:
            for parameter, value in zip(action.action.parameters, arguments):
                bindings.enter_context(f.bound(parameter.name, value))
            for choice in each_choice(f, iterable, variants.required(action.action)):
                self._runs(action, [*arguments, choice])

    def _runs(self, action: EmittedAction, arguments: list[Operand]) -> None:
        """One execution, or one for each setting of the script."""
        if not action.scripted:
            self._run(action, arguments)
            return
        b = self.b
        again, end = b.new_label(), b.new_label()
        b.label(again)
        self._run(action, arguments)
        b.branch(b.compare("ne", b.call("@advance", self.script), 0), again, end)
        b.label(end)

    def _run(self, action: EmittedAction, arguments: list[Operand]) -> None:
        b = self.b
        if self.bound is None:
            self._need(1)
        if not self.apart:
            self.target = b.address("%successors", b.mul(b.load(self.written), self.words))
        status = b.call(
            f"@{action.name}", self.source, self.target, self.script, *self._label(), *self._table(), *arguments
        )
        enabled, end, done, failed = (b.new_label() for _ in range(4))
        b.branch(b.compare("ne", status, 0), enabled, end)
        b.label(enabled)
        self._enabled(action, status)
        b.store(b.add(b.load(self.steps), 1), self.steps)
        self.crashed = b.compare("eq", status, CRASHED) if action.may_crash else 0
        if action.may_crash and not action.action.fault:
            b.store(b.add(b.load(self.crashes), self.crashed), self.crashes)
        b.branch(b.compare("sle" if action.may_crash else "eq", status, DONE), done, failed)
        b.label(done)
        self._accept(end)
        b.label(failed)
        note(self.f, b.sub(status, 2), self.row)
        b.label(end)

    def _enabled(self, action: EmittedAction, status: str) -> None:
        """Emit the code for a possible step."""

    def _mark(self) -> Operand:
        """The row, which is recorded beside a successor while the row is expanded."""
        return self.row

    def _label(self) -> list[Operand]:
        """The argument for the message that an action receives."""
        if self.label_words < 2:
            return []
        at = self.b.add(self.b.mul(self.b.load(self.written), self.label_words), 1)
        return [self.b.address("%labels", at)]

    def _table(self) -> list[Operand]:
        """The argument for the remembered values of rules."""
        return [self.f.table] if self.f.table else []

    def _accept(self, end: str) -> None:
        """Write the successor unless a constraint prunes it."""
        b = self.b
        if self.judged:
            keep, drop = b.new_label(), b.new_label()
            kept = b.call("@judge", self.source, self.target, self.row, "%first", *self._table())
            b.branch(kept, keep, drop)
            b.label(drop)
            b.store(b.add(b.load(self.cut), 1), self.cut)
            b.jump(end)
            b.label(keep)
        if self.module.model.symmetry is not None:
            b.call("@canonical", self.target, result="void")
        number = b.load(self.written)
        self._write(b.address("%successors", b.mul(number, self.stored_words)) if self.apart else "", end)
        if self.label_words:
            instance = b.add(self.instance, b.mul(self.crashed, sum(a.instances for a in self.actions)))
            b.store(instance, "%labels", b.mul(number, self.label_words))
        b.store(self._mark(), "%parents", number, bits=32)
        b.store(b.add(number, 1), self.written)
        b.jump(end)

    def _write(self, place: str, end: str) -> None:
        """Store the successor at its place, unless it is there already; one for which rows have no room ends the
        search.
        """
        b = self.b
        if not self.kept:
            if self.apart:
                b.copy(place, self.target, self.words)
            return
        with b.when(b.compare("ne", b.call("@pack", self.target, place), 0)):
            note(self.f, self.module.findings.number("grow", ROOM, 0), self.row)
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
        if any(a.may_crash for a in self.actions):
            progress = b.sub(progress, b.load(self.crashes))
        self._count(2 * actions, b.load(self.steps))
        self._count(2 * actions + 2, b.load(self.cut))
        quiet = b.compare("eq", progress, 0)
        b.store(quiet, "%quiescent", self.row, bits=8)
        with b.when(quiet):
            self._count(2 * actions + 1, 1)
            for p in of_kind(self.module, "quiescence"):
                evaluate(self.f, p, self.source, self.source, self.row, QUIET)

    def _count(self, counter: int, amount: Operand) -> None:
        b = self.b
        b.store(b.add(b.load("%counters", counter), amount), "%counters", counter)
