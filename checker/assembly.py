"""A function of LLVM assembly under construction: text, constant folding, no analysis.

Whatever is compiled here, kernels of models and the search itself, is written with this module. Every value is a 64-bit
integer or a pointer, and an operand is either a Python int (a constant) or the name of a register. Operations on
constants are folded here, so that a loop unrolled by the emitter leaves little text. Control flow merges through stack
slots and never through phi nodes: LLVM's SROA pass turns the slots into registers. Text is written directly because
building llvmlite.ir objects takes several times as long as LLVM itself. Where it stops: no floating point; narrower
integers in memory only; vectors by `register` and `line`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from checker.frozen import frozen

Operand = int | str

DECLARATIONS = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.x86.bmi.pext.64(i64, i64)
declare i64 @llvm.x86.bmi.pdep.64(i64, i64)
"""
RARELY = '!0 = !{!"branch_weights", i32 1, i32 99}'
"""Declarations of a module whose functions have rarely taken branches."""

MASK = (1 << 64) - 1


def signed(value: int) -> int:
    """The value of an integer's low 64 bits as a signed number."""
    value &= MASK
    return value - (1 << 64) if value >> 63 else value


def mask(bits: int) -> int:
    """The constant with the lowest `bits` bits set."""
    return signed((1 << bits) - 1)


class Assembly:
    """One function.  Registers and labels are numbered; the entry block collects the stack slots."""

    ELEMENT = "getelementptr inbounds"
    """How the address of an element is computed, in memory that exists."""

    def __init__(self, name: str, result: str, parameters: list[tuple[str, str]], attributes: str = "internal") -> None:
        self.name = name
        self.result = result
        self.parameters = parameters
        self.attributes = attributes
        self.inline = ""
        self._slots: list[str] = []
        self._lines: list[str] = []
        self._count = 0
        self._conditions: dict[str, str] = {}
        self._pointers = {name for kind, name in parameters if kind.startswith("ptr")}
        self.open = True  # whether the current block has no terminator yet

    @property
    def size(self) -> int:
        """Number of lines so far, the measure for decisions on unrolling."""
        return len(self._lines)

    def text(self) -> str:
        """The text of the finished function."""
        arguments = ", ".join(f"{kind} {name}" for kind, name in self.parameters)
        head = f"define {self.attributes} {self.result} @{self.name}({arguments}) nounwind {self.inline} {{"
        return "\n".join([head, "entry:", *self._slots, "br label %body", "body:", *self._lines, "}", ""])

    # -- lines, registers, blocks

    def line(self, text: str) -> None:
        """Append an instruction; code after a terminator goes into an unreachable block."""
        if not self.open:
            self.label(self.new_label())
        self._lines.append(text)

    def register(self, text: str) -> str:
        """Append an instruction with a result."""
        self._count += 1
        name = f"%v{self._count}"
        self.line(f"{name} = {text}")
        return name

    def new_label(self) -> str:
        """A fresh block name."""
        self._count += 1
        return f"b{self._count}"

    def label(self, name: str) -> None:
        """Begin a block; the block before it falls through."""
        if self.open:
            self._lines.append(f"br label %{name}")
        self._lines.append(f"{name}:")
        self.open = True

    def jump(self, label: str) -> None:
        """An unconditional branch."""
        self.line(f"br label %{label}")
        self.open = False

    def branch(self, condition: Operand, then: str, other: str, rare: bool = False) -> None:
        """A two-way branch; with a constant condition only one way is emitted.  rare: the first way is rarely taken."""
        if isinstance(condition, int):
            self.jump(then if condition else other)
            return
        weights = ", !prof !0" if rare else ""
        self.line(f"br i1 {self.condition(condition)}, label %{then}, label %{other}{weights}")
        self.open = False

    def give(self, text: str) -> None:
        """Return from the function."""
        self.line(f"ret {text}")
        self.open = False

    # -- control flow

    def require(self, condition: Operand, otherwise: str) -> None:
        """Go on if the condition holds, else elsewhere."""
        here = self.new_label()
        self.branch(condition, here, otherwise)
        self.label(here)

    @contextmanager
    def when(self, condition: Operand, rare: bool = False) -> Iterator[None]:
        """A block that runs if the condition holds."""
        here, after = self.new_label(), self.new_label()
        self.branch(condition, here, after, rare)
        self.label(here)
        yield
        self.label(after)

    @contextmanager
    def either(self, condition: Operand, rare: bool = False) -> Iterator[Callable[[], None]]:
        """Emit a block that runs if the condition holds; after a call of the yielded function, emit a block that runs
        if it does not.
        """
        then, other, end = self.new_label(), self.new_label(), self.new_label()
        self.branch(condition, then, other, rare)
        self.label(then)

        def otherwise() -> None:
            if self.open:
                self.jump(end)
            self.label(other)

        yield otherwise
        self.label(end)

    @contextmanager
    def loop(self, condition: Callable[[], Operand]) -> Iterator[None]:
        """while condition(): ..."""
        head, inside, end = self.new_label(), self.new_label(), self.new_label()
        self.label(head)
        self.branch(condition(), inside, end)
        self.label(inside)
        yield
        if self.open:
            self.jump(head)
        self.label(end)

    @contextmanager
    def forever(self) -> Iterator[None]:
        """A loop that is left by a return only."""
        head = self.new_label()
        self.label(head)
        yield
        if self.open:
            self.jump(head)

    def count(self, stop: Operand, start: Operand = 0) -> Iterator[str]:
        """for i in range(start, stop): ..., where `stop` is evaluated before.  Yields i once: the body of a Python loop
        over this generator emits the loop body.
        """
        counter = self.variable(start)
        for i in self.rounds(counter, lambda i: self.compare("slt", i, stop)):
            yield i
            counter.add(1)

    def rounds(self, variable: Variable, condition: Callable[[str], Operand], end: str = "") -> Iterator[str]:
        """while condition(variable): ...  Yields once the value of the variable at the beginning of a round.  end: the
        label after the loop.
        """
        head, inside, end = self.new_label(), self.new_label(), end or self.new_label()
        self.label(head)
        value = variable.get()
        self.branch(condition(value), inside, end)
        self.label(inside)
        yield value
        self.jump(head)
        self.label(end)

    def repeat(self, times: int, unroll: int = 8) -> Iterator[Operand]:
        """Like `count` from 0; a short loop is unrolled: the body is emitted for each number."""
        return iter(range(times)) if times <= unroll else self.count(times)

    def call(self, function: str, *arguments: Operand, result: str = "i64") -> str:
        """Call a function, by name (with @) or by a pointer to its code."""
        text = f"call {result} {function}({', '.join(f'{self.kind(a)} {a}' for a in arguments)})"
        if result != "void":
            return self.register(text)
        self.line(text)
        return ""

    # -- memory

    def kind(self, operand: Operand) -> str:
        """The type of an operand."""
        name = str(operand)
        return "ptr" if name in self._pointers or name == "null" or name[0] == "@" else "i64"

    def _pointer(self, name: str) -> str:
        self._pointers.add(name)
        return name

    def pointer(self, address: Operand) -> str:
        """An address, which is a number, as a pointer."""
        return self._pointer(self.register(f"inttoptr i64 {address} to ptr"))

    def slot(self, words: int = 1, align: int = 8) -> str:
        """Reserve words on the stack, for the whole run of the function."""
        self._count += 1
        name = f"%v{self._count}"
        self._slots.append(f"{name} = alloca [{max(words, 1)} x i64], align {align}")
        return self._pointer(name)

    def variable(self, value: Operand) -> Variable:
        """A word on the stack, initialised with this value."""
        variable = Variable(self, self.slot())
        variable.set(value)
        return variable

    def address(self, pointer: str, index: Operand, bits: int = 64) -> str:
        """The address of an element of the given number of bits."""
        if index == 0:
            return pointer
        return self._pointer(self.register(f"{self.ELEMENT} i{bits}, ptr {pointer}, i64 {index}"))

    def load(self, pointer: str, index: Operand = 0, bits: int = 64) -> str:
        """Read an element; elements narrower than a word are unsigned."""
        value = self.register(f"load i{bits}, ptr {self.address(pointer, index, bits)}, align {bits // 8}")
        return value if bits == 64 else self.register(f"zext i{bits} {value} to i64")

    def store(self, value: Operand, pointer: str, index: Operand = 0, bits: int = 64) -> None:
        """Write an element: the low bits of the value."""
        if bits < 64 and isinstance(value, str):
            value = self.register(f"trunc i64 {value} to i{bits}")
        self.line(f"store i{bits} {value}, ptr {self.address(pointer, index, bits)}, align {bits // 8}")

    def copy(self, target: str, source: str, words: int) -> None:
        """Copy words between blocks of memory that do not overlap."""
        if words <= 4:
            for i in range(words):
                self.store(self.load(source, i), target, i)
            return
        self.line(
            f"call void @llvm.memcpy.p0.p0.i64(ptr align 8 {target}, ptr align 8 {source}, i64 {8 * words}, i1 false)"
        )

    def clear(self, target: str, words: int) -> None:
        """Write zeros."""
        if words <= 4:
            for i in range(words):
                self.store(0, target, i)
            return
        self.line(f"call void @llvm.memset.p0.i64(ptr align 8 {target}, i8 0, i64 {8 * words}, i1 false)")

    # -- arithmetic

    def _joined(
        self, name: str, compute: Callable[[int, int], int], a: Operand, b: Operand, neutral: int, zero: bool = False
    ) -> Operand:
        """A commutative operation.  zero: its result with operand 0 is 0."""
        if isinstance(a, int) and isinstance(b, int):
            return signed(compute(a, b))
        if zero and (a == 0 or b == 0):
            return 0
        return b if a == neutral else a if b == neutral else self.register(f"{name} i64 {a}, {b}")

    def add(self, a: Operand, b: Operand) -> Operand:
        """a + b."""
        return self._joined("add", operator.add, a, b, 0)

    def sub(self, a: Operand, b: Operand) -> Operand:
        """a - b."""
        if isinstance(a, int) and isinstance(b, int):
            return signed(a - b)
        return a if b == 0 else self.register(f"sub i64 {a}, {b}")

    def mul(self, a: Operand, b: Operand) -> Operand:
        """a * b."""
        return self._joined("mul", operator.mul, a, b, 1, zero=True)

    def udiv(self, a: Operand, b: Operand) -> Operand:
        """a // b of non-negative numbers."""
        if isinstance(a, int) and isinstance(b, int):
            return (a & MASK) // b
        return a if b == 1 else self.register(f"udiv i64 {a}, {b}")

    def urem(self, a: Operand, b: int) -> Operand:
        """a % b of non-negative numbers."""
        if isinstance(a, int):
            return (a & MASK) % b
        return 0 if b == 1 else self.register(f"urem i64 {a}, {b}")

    def bit_and(self, a: Operand, b: Operand) -> Operand:
        """a & b."""
        return self._joined("and", operator.and_, a, b, -1, zero=True)

    def bit_or(self, a: Operand, b: Operand) -> Operand:
        """a | b."""
        return self._joined("or", operator.or_, a, b, 0)

    def bit_xor(self, a: Operand, b: Operand) -> Operand:
        """a ^ b."""
        return self._joined("xor", operator.xor, a, b, 0)

    def invert(self, a: Operand) -> Operand:
        """~a."""
        return self.bit_xor(a, -1)

    def shl(self, a: Operand, b: Operand) -> Operand:
        """a << b for b < 64 (unreachable code may have a larger b)."""
        if isinstance(a, int) and isinstance(b, int):
            return signed(a << b) if 0 <= b < 64 else 0
        return a if b == 0 else 0 if a == 0 else self.register(f"shl i64 {a}, {b}")

    def lshr(self, a: Operand, b: Operand) -> Operand:
        """a >> b of unsigned numbers for b < 64."""
        if isinstance(a, int) and isinstance(b, int):
            return signed((a & MASK) >> b) if 0 <= b < 64 else 0
        return a if b == 0 else 0 if a == 0 else self.register(f"lshr i64 {a}, {b}")

    def population(self, a: Operand) -> Operand:
        """Number of bits set."""
        if isinstance(a, int):
            return (a & MASK).bit_count()
        return self.register(f"call i64 @llvm.ctpop.i64(i64 {a})")

    def lowest(self, a: Operand) -> str:
        """Number of the lowest bit set, of a number that is not zero."""
        return self.register(f"call i64 @llvm.cttz.i64(i64 {a}, i1 true)")

    # -- truth

    def compare(self, predicate: str, a: Operand, b: Operand) -> Operand:
        """0 or 1; predicate: eq ne slt sle sgt sge ult ule ugt uge."""
        if a == b:
            a = b = 0
        if isinstance(a, int) and isinstance(b, int):
            bits = MASK if predicate[0] == "u" else -1
            return int(getattr(operator, predicate[-2:])(a & bits, b & bits))
        flag = self.register(f"icmp {predicate} i64 {a}, {b}")
        wide = self.register(f"zext i1 {flag} to i64")
        self._conditions[wide] = flag
        return wide

    def condition(self, a: Operand) -> str:
        """A truth value as an i1 operand."""
        if isinstance(a, int):
            return "true" if a else "false"
        return self._conditions.get(a) or self.register(f"icmp ne i64 {a}, 0")

    def negate(self, a: Operand) -> Operand:
        """1 - a of a truth value."""
        return self.bit_xor(a, 1)

    def select(self, condition: Operand, a: Operand, b: Operand) -> Operand:
        """a if condition else b, both evaluated."""
        if isinstance(condition, int):
            return a if condition else b
        if a == b:
            return a
        kind = self.kind(a)
        chosen = self.register(f"select i1 {self.condition(condition)}, {kind} {a}, {kind} {b}")
        return self._pointer(chosen) if kind == "ptr" else chosen


@frozen(eq=False)
class Variable:
    """A word on the stack of a function under construction."""

    code: Assembly
    slot: str

    def get(self) -> str:
        return self.code.load(self.slot)

    def set(self, value: Operand) -> None:
        self.code.store(value, self.slot)

    def add(self, value: Operand) -> None:
        self.set(self.code.add(self.get(), value))
