"""Emission of `expand` for a search that takes stubborn sets of steps (`checker.ir.stubborn`).

All instances are run, as always; then the set is chosen, and the successors of other instances are dropped.  The choice
is made by `stubborn`, a function of bit masks: the enabled instances, the instances that may be a key, the conditions
that hold.  It computes the closure of each key and takes the first closure with the fewest enabled instances (docs:
reduction.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from itertools import accumulate

from checker.assembly import Assembly, Operand, Variable, signed
from checker.backends.native import access, domain
from checker.backends.native.choice import each_choice
from checker.backends.native.context import ModuleContext, Unsupported, Value
from checker.backends.native.expansion import EmittedAction, Expansion
from checker.backends.native.expressions import reference
from checker.backends.native.functions import DONE, call, compiled, passed
from checker.ir import expressions as e
from checker.ir import types as t
from checker.ir.footprints.instances import opening_of
from checker.ir.stubborn.reduction import Reduction

WORD = 64
MANY = 1 << 30
COSTLY = 10
"""Shift of the cost of enabled instances: it outweighs any number of disabled instances."""


def words_for(things: Sequence[object]) -> int:
    """Words of a mask with a bit for each."""
    return max(1, -(-len(things) // WORD))


class Reduced(Expansion):
    """Expands states by stubborn sets."""

    def __init__(self, module: ModuleContext, actions: list[EmittedAction], reduction: Reduction) -> None:
        super().__init__(module, actions)
        tables, self.labels = reduction.tables, reduction.labels
        self.width = words_for(tables.instances)
        self.fact_width = words_for(tables.facts)
        b = self.b
        self.enabled, self.keys = b.slot(self.width), b.slot(self.width)
        self.facts, self.chosen = b.slot(self.fact_width), b.slot(self.width)
        self.unknown, self.label, self.number = b.slot(), b.slot(), 0
        for number, action in enumerate(actions):
            if action.opening is None and opening_of(module.model.actions[number]) is not None:
                raise Unsupported(f"{action.action.name} begins with a choice from what may fail")

    # -- one row

    def _begin_row(self) -> None:
        super()._begin_row()
        for slot, words in ((self.enabled, self.width), (self.keys, self.width), (self.facts, self.fact_width)):
            self.b.clear(slot, words)
        self.b.store(0, self.unknown)

    def _action(self, number: int, action: EmittedAction) -> None:
        self.number = number
        super()._action(number, action)

    def _instance(self, action: EmittedAction, arguments: list[Operand]) -> None:
        f = self.f
        f.state = self.source
        with ExitStack() as bindings:
            for parameter, value in zip(action.action.parameters, arguments):
                bindings.enter_context(f.bound(parameter.name, value))
            if action.opening is None:
                self._runs(action, arguments)
                return
            for choice in each_choice(f, action.opening.iterable):
                with f.bound(action.opening.local.name, self._taken(action.opening.iterable, choice)):
                    self._in_flight()
                    self._runs(action, [*arguments, choice])

    def _taken(self, iterable: e.Expression, choice: Operand) -> Value:
        """The message that a choice takes."""
        if isinstance(iterable, e.Range):
            return choice
        if isinstance(iterable.type, t.Set):
            return domain.at(self.f, iterable.type.item, choice)
        return access.load(self.f, access.item(self.f, reference(self.f, iterable), choice))

    def _in_flight(self) -> None:
        """Record the kinds of messages that can be received."""
        if name := self.labels.kind[self.number]:
            fact = self._ask(name)
            with self.b.when(self.b.compare("sge", fact, 0)):
                self._set(self.facts, fact, 1)

    def _ask(self, name: str) -> Operand:
        """The value of a function of the labels; it cannot fail."""
        f, function = self.f, self.module.function(name)
        given = [passed(f, e.Local(p.type, p.name)) for p in function.parameters]
        packed, _ = call(f, compiled(self.module, name), True, (self.source, self.source), given)
        return access.unpacked(f, function.result, packed)

    def _set(self, masks: str, number: Operand, bit: Operand) -> None:
        b = self.b
        word = b.lshr(number, 6)
        b.store(b.bit_or(b.load(masks, word), b.shl(bit, b.bit_and(number, 63))), masks, word)

    def _enabled(self, action: EmittedAction, status: str) -> None:
        """Record the instance of a step."""
        b = self.b
        label = self._ask(self.labels.instance[self.number])
        b.store(label, self.label)
        known = b.compare("sge", label, 0)
        with b.either(known) as otherwise:
            self._set(self.enabled, label, 1)
            key = b.bit_and(b.compare("eq", status, DONE), b.load("@may_be_key", label))
            self._set(self.keys, label, key)
            otherwise()
            b.store(1, self.unknown)

    def _mark(self) -> Operand:
        return self.b.load(self.label)

    # -- the end of a row

    def _end_row(self) -> None:
        b = self.b
        progress = self._progress()
        quiet = b.compare("eq", progress, 0)
        before, after = b.load(self.before), b.load(self.written)
        whole = b.bit_or(b.bit_or(quiet, b.load(self.unknown)), b.compare("sle", b.sub(after, before), 1))
        with b.either(whole) as otherwise:
            super()._end_row()
            for at in b.count(after, before):
                b.store(self.row, "%parents", at, bits=32)
            otherwise()
            self._conditions()
            b.call("@stubborn", self.enabled, self.keys, self.facts, self.chosen, result="void")
            self._keep(before, after)

    def _progress(self) -> Operand:
        """The number of possible steps that are not faults."""
        b = self.b
        steps: Operand = 0
        for number, action in enumerate(self.actions):
            if not action.action.fault:
                steps = b.add(steps, b.load(self.fired[number]))
        return b.sub(steps, b.load(self.crashes)) if any(a.may_crash for a in self.actions) else steps

    def _conditions(self) -> None:
        """Record which conditions hold."""
        b = self.b
        for number, name in enumerate(self.labels.facts):
            if name:
                word = b.load(self.facts, number // WORD)
                truth = b.shl(self._ask(name), number % WORD)
                b.store(b.bit_or(word, truth), self.facts, number // WORD)

    def _keep(self, before: Operand, after: Operand) -> None:
        """Keep the successors of chosen instances, in order, and count them."""
        b, actions = self.b, len(self.actions)
        kept = b.variable(before)
        for at in b.count(after, before):
            label = b.load("%parents", at, bits=32)
            word = b.load(self.chosen, b.lshr(label, 6))
            with b.when(b.bit_and(b.lshr(word, b.bit_and(label, 63)), 1)):
                to = kept.get()
                for i in b.repeat(self.words):
                    value = b.load(b.address("%successors", b.mul(at, self.words)), i)
                    b.store(value, b.address("%successors", b.mul(to, self.words)), i)
                b.store(self.row, "%parents", to, bits=32)
                kept.add(1)
                counter = b.add(b.load("@action_of", label), actions)
                b.store(b.add(b.load("%counters", counter), 1), "%counters", counter)
        for number in range(actions):
            self._count(number, b.compare("ne", b.load(self.fired[number]), 0))
        self._count(2 * actions, b.sub(kept.get(), before))
        self._count(2 * actions + 2, b.load(self.cut))
        b.store(0, "%quiescent", self.row, bits=8)
        b.store(kept.get(), self.written)


# -- tables


def _table(name: str, numbers: Sequence[int]) -> str:
    items = ", ".join(f"i64 {signed(n)}" for n in numbers or [0])
    return f"@{name} = internal constant [{max(len(numbers), 1)} x i64] [{items}], align 8\n"


def _words(masks: Sequence[int], width: int) -> list[int]:
    return [mask >> WORD * i & (1 << WORD) - 1 for mask in masks for i in range(width)]


def tables_of(reduction: Reduction) -> str:
    """The tables as constants."""
    tables = reduction.tables
    width = words_for(tables.instances)
    options = [o for own in tables.options for o in own]
    starts = [0, *accumulate(map(len, tables.options))]
    return "".join(
        (
            _table("may_be_key", [reduction.keyed >> i & 1 for i in range(len(tables.instances))]),
            _table("action_of", [i.head.action for i in tables.instances]),
            _table("seeds", _words(reduction.seeds, width)),
            _table("depends", _words(tables.depends, width)),
            _table("otherwise", _words(tables.otherwise, width)),
            _table("option_start", starts),
            _table("option_fact", [o.fact for o in options]),
            _table("option_holds", [int(o.holds) for o in options]),
            _table("option_mask", _words([o.enabling for o in options], width)),
        )
    )


# -- the choice


class _Choice:
    """The emission of `stubborn`."""

    def __init__(self, width: int) -> None:
        parameters = [("ptr", "%enabled"), ("ptr", "%keys"), ("ptr", "%facts"), ("ptr", "%best")]
        self.b, self.width = Assembly("stubborn", "void", parameters), width
        b = self.b
        self.found, self.work, self.more = b.slot(width), b.slot(width), b.slot(width)
        self.fewest = b.variable(0)

    def emit(self) -> str:
        b = self.b
        for w in range(self.width):
            b.store(-1, "%best", w)
            self.fewest.add(b.population(b.load("%enabled", w)))
        for w in range(self.width):
            seeds = b.variable(b.load("%keys", w))
            for left in b.rounds(seeds, lambda left: b.compare("ne", left, 0)):
                seeds.set(b.bit_and(left, b.sub(left, 1)))
                number = b.add(b.lowest(left), w * WORD)
                b.copy(self.found, b.address("@seeds", b.mul(number, self.width)), self.width)
                b.copy(self.work, self.found, self.width)
                self._close()
        b.give("void")
        return b.text()

    def _close(self) -> None:
        """Add the instances that the set requires, until it is closed or has become too large."""
        b = self.b
        end, large = b.new_label(), b.new_label()
        head = b.new_label()
        b.label(head)
        count: Operand = 0
        for w in range(self.width):
            both = b.bit_and(b.load(self.found, w), b.load("%enabled", w))
            count = b.add(count, b.population(both))
        b.require(b.compare("slt", count, self.fewest.get()), large)
        for w in range(self.width):
            work = b.load(self.work, w)
            with b.when(b.compare("ne", work, 0)):
                b.store(b.bit_and(work, b.sub(work, 1)), self.work, w)
                self._follow(w, b.lowest(work))
                b.jump(head)
        b.jump(end)
        b.label(end)
        self.fewest.set(count)
        b.copy("%best", self.found, self.width)
        b.label(large)

    def _follow(self, w: int, bit: Operand) -> None:
        b = self.b
        number = b.add(bit, w * WORD)
        enabled = b.bit_and(b.lshr(b.load("%enabled", w), bit), 1)
        with b.either(enabled) as otherwise:
            self._take("@depends", number)
            otherwise()
            self._wanting(number)
        for v in range(self.width):
            fresh = b.bit_and(b.load(self.more, v), b.invert(b.load(self.found, v)))
            b.store(b.bit_or(b.load(self.work, v), fresh), self.work, v)
            b.store(b.bit_or(b.load(self.found, v), fresh), self.found, v)

    def _take(self, table: str, number: Operand) -> None:
        b = self.b
        b.copy(self.more, b.address(table, b.mul(number, self.width)), self.width)

    def _wanting(self, number: Operand) -> None:
        """Follow, among the conditions that do not hold, the one that adds the fewest instances."""
        b = self.b
        cheapest: Variable = b.variable(MANY)
        start, stop = b.load("@option_start", number), b.load("@option_start", b.add(number, 1))
        for k in b.count(stop, start):
            fact = b.load("@option_fact", k)
            truth = b.bit_and(b.lshr(b.load("%facts", b.lshr(fact, 6)), b.bit_and(fact, 63)), 1)
            with b.when(b.compare("ne", truth, b.load("@option_holds", k))):
                cost: Operand = 0
                at = b.address("@option_mask", b.mul(k, self.width))
                for v in range(self.width):
                    fresh = b.bit_and(b.load(at, v), b.invert(b.load(self.found, v)))
                    possible = b.population(b.bit_and(fresh, b.load("%enabled", v)))
                    cost = b.add(cost, b.add(b.shl(possible, COSTLY), b.population(fresh)))
                with b.when(b.compare("slt", cost, cheapest.get())):
                    cheapest.set(cost)
                    b.copy(self.more, at, self.width)
        with b.when(b.compare("eq", cheapest.get(), MANY)):
            self._take("@otherwise", number)


def reduced(module: ModuleContext, actions: list[EmittedAction], reduction: Reduction) -> list[str]:
    """The texts of `expand` and its callees."""
    tables = reduction.tables
    width = words_for(tables.instances)
    expand = Reduced(module, actions, reduction).emit()
    return [tables_of(reduction), _Choice(width).emit(), expand]
