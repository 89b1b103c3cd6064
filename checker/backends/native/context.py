"""The state of the emission of one function: its assembly, its variables, the targets of errors.

Emission dispatches on the class of the node through tables. `evaluators` return a value: a scalar as a number, any
other atom packed, a larger value as its place. `builders` write a value into a place. `packers` are evaluators of atoms
alone; a node whose class has no evaluator is built in a temporary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

from attrs import Factory, define, field

from checker.assembly import Assembly, Operand
from checker.backends.native import rows
from checker.backends.native.layout import Layout, Node, temporary_layout
from checker.backends.native.packing import WORD, is_atom
from checker.backends.native.remembered import Remembered, remembered
from checker.backends.native.runtime import RUNTIME
from checker.contract import Finding, FindingKind
from checker.frozen import frozen
from checker.ir import types as t
from checker.ir.expressions import Expression
from checker.ir.model import Function, Model
from checker.ir.statements import Statement
from checker.stored.machine_code import gathers_bits


@frozen(eq=False)
class Bits:
    """A part of a word: of the word in memory at `pointer`, or of the operand `word`.  `alone`: nothing else is in the
    word.  lane: the bits of the word, if it is not of 64 bits."""

    type: t.Type
    shift: Operand
    pointer: str = ""
    word: Operand = 0
    alone: bool = False
    lane: int = WORD


@frozen(eq=False)
class Big:
    """A value too large for a word: element `element` of the slots below `node`, in the memory at `pointer`."""

    type: t.Type
    node: Node
    pointer: str
    element: Operand


Ref = Bits | Big
Value = Operand | Big


@define
class Findings:
    """The possible findings of a kernel, numbered in the order of discovery: the model's properties first, then the
    errors of its code.
    """

    table: list[Finding] = Factory(list)

    def number(self, kind: str, name: str, line: int) -> int:
        """The id of a finding; the same finding always has the same id."""
        finding = Finding(cast(FindingKind, kind), name, line)
        if finding not in self.table:
            self.table.append(finding)
        return self.table.index(finding)


class Unsupported(Exception):
    """The native back end cannot compile this construct."""


@frozen
class Compiled:
    """An emitted rule: whether it can fail decides how it is called."""

    name: str
    fails: bool


@define(eq=False)
class ModuleContext:
    """What all functions of one kernel share."""

    model: Model
    layout: Layout
    findings: Findings = Factory(Findings)
    texts: list[str] = Factory(list)
    compiled: dict[str, Compiled] = Factory(dict)
    temporaries: dict[t.Type, Layout] = Factory(dict)
    constants: dict[tuple[int, ...], str] = Factory(dict)
    remembered: Remembered = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.remembered = remembered(self.model)

    def temporary(self, type: t.Type) -> Layout:
        """Layout of temporaries of a type."""
        if type not in self.temporaries:
            self.temporaries[type] = temporary_layout(type)
        return self.temporaries[type]

    def constant(self, words: tuple[int, ...]) -> str:
        """The name of read-only memory with these words."""
        return self.constants.setdefault(words, f"@constant_{len(self.constants)}")

    @property
    def gathers(self) -> bool:
        """Whether the processor has instructions by which rows are packed."""
        return gathers_bits()

    @property
    def fixed(self) -> str:
        """What emitted functions use: the runtime, `pack`, a state of zeros, constants, and the number of findings,
        known when all functions are emitted.
        """
        zeros = f"@zero = internal constant [{self.layout.words} x i64] zeroinitializer, align 8"
        findings = f"@findings = internal constant i64 {len(self.findings.table)}, align 8\n"
        held = (
            f"{name} = internal constant [{len(words)} x i64] [{', '.join(f'i64 {word}' for word in words)}], align 8"
            for words, name in self.constants.items()
        )
        texts = [RUNTIME, zeros, findings, *held]
        if kept := self.layout.kept:
            texts += [rows.emit_pack(kept, self.layout.used, self.gathers), rows.emit_unpack(kept, self.gathers)]
        return "\n".join(texts)

    def stored(self, b: Assembly, row: str, state: str) -> str:
        """Where a stored state can be read: the row itself, or `state`, to which it is unpacked."""
        if not self.layout.kept:
            return row
        b.call("@unpack", row, state, result="void")
        return state

    def function(self, name: str) -> Function:
        """The model's function with that name."""
        return self.model.function(name)


class Context:
    """The function being emitted.

    state, before: pointers to the state that variables are read from.  table: pointer to the remembered values of
    rules; empty if there are none.  names: values of parameters and locals.  fail: emits the return with a status
    (finding + 1).  stored: places of the locals that need one.  leading: the choice that is an argument.  chosen: for
    bags, the place and value of the item chosen last, and the bag where it was read.  copied: in actions, whether the
    state has been copied to the output.
    """

    def __init__(self, module: ModuleContext, b: Assembly, fail: Callable[[Operand], None]) -> None:
        self.module = module
        self.b = b
        self.state = "%state"
        self.before = "%before"
        self.table = "%table" if module.remembered else ""
        self.names: dict[str, Value | Ref] = {}
        self.fail = fail
        self.stored: dict[str, Ref] = {}
        self.failures: dict[int, str] = {}
        self.disabled = ""
        self.stop = self.crash = ""
        self.copied = True
        self.returned: Callable[[Expression], None] | None = None
        self.loops: list[tuple[str, str]] = []
        self.blocks: dict[str, str] = {}
        self.leading: Statement | None = None
        self.chosen: dict[str, tuple[Operand, Value, Ref]] = {}

    # -- names

    @contextmanager
    def bound(self, name: str, value: Value | Ref) -> Iterator[None]:
        """Bind a local for a while."""
        absent = object()
        old: Any = self.names.get(name, absent)
        self.names[name] = value
        yield
        if old is absent:
            del self.names[name]
        else:
            self.names[name] = old

    # -- errors

    def error(self, name: str, line: int, kind: str = "error") -> str:
        """The block that ends the function with this finding."""
        number = self.module.findings.number(kind, name, line)
        if number not in self.failures:
            self.failures[number] = self.b.new_label()
        return self.failures[number]

    def check(self, condition: Operand, name: str, line: int, kind: str = "error") -> None:
        """Go on if the condition holds, otherwise end with a finding."""
        if isinstance(condition, int) and condition:
            return
        self.b.require(condition, self.error(name, line, kind))

    def finish_failures(self) -> None:
        """Emit the blocks that `error` has referred to."""
        for number, label in self.failures.items():
            self.b.label(label)
            self.fail(number + 1)

    def propagate(self, status: Operand) -> None:
        """Continue if a called function succeeded (status 0), otherwise return its status."""
        with self.b.when(self.b.compare("ne", status, 0)):
            self.fail(status)

    # -- the state of an action

    def begin_writing(self) -> None:
        """Copy the state to the output, once."""
        if not self.copied:
            self.b.copy("%out", self.state, self.module.layout.words)
            self.assume_copied()

    def assume_copied(self) -> None:
        """From here on variables are read from the output."""
        self.copied, self.state = True, "%out"

    @contextmanager
    def arm(self) -> Iterator[None]:
        """One arm of a branch, in which the state may be copied."""
        old = self.copied, self.state
        yield
        self.copied, self.state = old

    # -- storage

    def big_temporary(self, type: t.Type) -> Big:
        """Uninitialised memory for a large value."""
        layout = self.module.temporary(type)
        return Big(type, layout.nodes[""], self.b.slot(layout.words), 0)

    # -- dispatch

    def evaluate(self, e: Expression) -> Value:
        """Emit an expression; its value."""
        kind = type(e)
        if kind in packers and is_atom(e.type):
            return packers[kind](self, e)
        return evaluators.get(kind, evaluators[Expression])(self, e)

    def operand(self, e: Expression) -> Operand:
        """Emit an expression whose type is an atom."""
        value = self.evaluate(e)
        if isinstance(value, Big):
            raise Unsupported(f"{e.type} does not fit one word")
        return value

    def build(self, e: Expression, target: Ref) -> None:
        """Emit an expression and write its value to `target`, which the expression does not read."""
        kind = Expression if type(e) in packers and isinstance(target, Bits) else type(e)
        builders.get(kind, builders[Expression])(self, e, target)

    def run(self, statements: tuple[Statement, ...]) -> None:
        """Emit statements until one that ends the block."""
        for statement in statements:
            if not self.b.open:
                return
            executors[type(statement)](self, statement)


Evaluator = Callable[[Context, Any], Value]
Builder = Callable[[Context, Any, Ref], None]
Executor = Callable[[Context, Any], None]
evaluators: dict[type, Evaluator] = {}
packers: dict[type, Evaluator] = {}
builders: dict[type, Builder] = {}
executors: dict[type, Executor] = {}


F = TypeVar("F", bound=Callable[..., Any])


def _registration(table: dict[type, F], classes: tuple[type, ...]) -> Callable[[F], F]:
    def register(function: F) -> F:
        table.update(dict.fromkeys(classes, function))
        return function

    return register


def evaluates(*classes: type) -> Callable[[Evaluator], Evaluator]:
    """Register the evaluator of some expression classes."""
    return _registration(evaluators, classes)


def packs(*classes: type) -> Callable[[Evaluator], Evaluator]:
    """Register the evaluator of some expression classes where the value is an atom."""
    return _registration(packers, classes)


def builds(*classes: type) -> Callable[[Builder], Builder]:
    """Register the builder of some expression classes."""
    return _registration(builders, classes)


def executes(*classes: type) -> Callable[[Executor], Executor]:
    """Register the emitter of some statement classes."""
    return _registration(executors, classes)
