"""A function of LLVM assembly under construction: text, constant folding, no analysis.

Every value is a 64-bit integer and an operand is either a Python int (a constant) or the name of a register. Operations
on constants are folded here, so that a loop unrolled by the emitter leaves constant shifts and masks and little text.
Control flow merges through stack slots and never through phi nodes: LLVM's SROA pass turns the slots into registers.
Text is written directly because building llvmlite.ir objects takes several times as long as LLVM itself on kernels of
this size. Where it stops: no floating point, no types other than i64, i1 and ptr.
"""

from __future__ import annotations

Operand = int | str

MASK = (1 << 64) - 1


def signed(value: int) -> int:
    """The 64-bit two's complement reading of an integer."""
    value &= MASK
    return value - (1 << 64) if value >> 63 else value


def mask(bits: int) -> int:
    """The constant with the lowest `bits` bits set."""
    return signed((1 << bits) - 1)


_UNSIGNED = {"ult": "slt", "ule": "sle", "ugt": "sgt", "uge": "sge"}


def _compare(predicate: str, left: int, right: int) -> bool:
    if predicate in _UNSIGNED:
        left, right, predicate = left & MASK, right & MASK, _UNSIGNED[predicate]
    return {
        "eq": left == right,
        "ne": left != right,
        "slt": left < right,
        "sle": left <= right,
        "sgt": left > right,
        "sge": left >= right,
    }[predicate]


class Assembly:
    """One function.  Registers and labels are numbered; the entry block collects the stack slots."""

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
        self._open = True

    @property
    def size(self) -> int:
        """Number of lines so far, the measure for decisions on unrolling."""
        return len(self._lines)

    def text(self) -> str:
        """The finished function."""
        arguments = ", ".join(f"{kind} {name}" for kind, name in self.parameters)
        head = f"define {self.attributes} {self.result} @{self.name}({arguments}) nounwind {self.inline} {{"
        return "\n".join([head, "entry:", *self._slots, "br label %body", "body:", *self._lines, "}", ""])

    # -- lines, registers, blocks
    # ------------------------------------------------------------------------------------------

    def line(self, text: str) -> None:
        """Append an instruction; code after a terminator goes into a block nobody reaches."""
        if not self._open:
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
        if self._open:
            self._lines.append(f"br label %{name}")
        self._lines.append(f"{name}:")
        self._open = True

    def jump(self, label: str) -> None:
        """Unconditional branch."""
        self.line(f"br label %{label}")
        self._open = False

    def branch(self, condition: Operand, then: str, other: str) -> None:
        """Two-way branch; a constant condition leaves one way only."""
        if isinstance(condition, int):
            self.jump(then if condition else other)
            return
        self.line(f"br i1 {self.condition(condition)}, label %{then}, label %{other}")
        self._open = False

    def give(self, text: str) -> None:
        """Return from the function."""
        self.line(f"ret {text}")
        self._open = False

    @property
    def open(self) -> bool:
        """Whether the current block still lacks its terminator."""
        return self._open

    # -- memory
    # ------------------------------------------------------------------------------------------------------------

    def slot(self, words: int = 1) -> str:
        """Reserve words on the stack, for the whole run of the function."""
        self._count += 1
        name = f"%v{self._count}"
        self._slots.append(f"{name} = alloca [{max(words, 1)} x i64], align 8")
        return name

    def address(self, pointer: str, index: Operand) -> str:
        """Address of a word."""
        if index == 0:
            return pointer
        return self.register(f"getelementptr inbounds i64, ptr {pointer}, i64 {index}")

    def load(self, pointer: str, index: Operand = 0) -> str:
        """Read a word."""
        return self.register(f"load i64, ptr {self.address(pointer, index)}, align 8")

    def store(self, value: Operand, pointer: str, index: Operand = 0) -> None:
        """Write a word."""
        self.line(f"store i64 {value}, ptr {self.address(pointer, index)}, align 8")

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
    # --------------------------------------------------------------------------------------------------------

    def add(self, a: Operand, b: Operand) -> Operand:
        """a + b."""
        if isinstance(a, int) and isinstance(b, int):
            return signed(a + b)
        return b if a == 0 else a if b == 0 else self.register(f"add i64 {a}, {b}")

    def sub(self, a: Operand, b: Operand) -> Operand:
        """a - b."""
        if isinstance(a, int) and isinstance(b, int):
            return signed(a - b)
        return a if b == 0 else self.register(f"sub i64 {a}, {b}")

    def mul(self, a: Operand, b: Operand) -> Operand:
        """a * b."""
        if isinstance(a, int) and isinstance(b, int):
            return signed(a * b)
        if a == 0 or b == 0:
            return 0
        return b if a == 1 else a if b == 1 else self.register(f"mul i64 {a}, {b}")

    def udiv(self, a: Operand, b: int) -> Operand:
        """a // b of numbers that are not negative."""
        if isinstance(a, int):
            return (a & MASK) // b
        return a if b == 1 else self.register(f"udiv i64 {a}, {b}")

    def urem(self, a: Operand, b: int) -> Operand:
        """a % b of numbers that are not negative."""
        if isinstance(a, int):
            return (a & MASK) % b
        return 0 if b == 1 else self.register(f"urem i64 {a}, {b}")

    def bit_and(self, a: Operand, b: Operand) -> Operand:
        """a & b."""
        if isinstance(a, int) and isinstance(b, int):
            return signed(a & b)
        if a == 0 or b == 0:
            return 0
        return b if a == -1 else a if b == -1 else self.register(f"and i64 {a}, {b}")

    def bit_or(self, a: Operand, b: Operand) -> Operand:
        """a | b."""
        if isinstance(a, int) and isinstance(b, int):
            return signed(a | b)
        return b if a == 0 else a if b == 0 else self.register(f"or i64 {a}, {b}")

    def bit_xor(self, a: Operand, b: Operand) -> Operand:
        """a ^ b."""
        if isinstance(a, int) and isinstance(b, int):
            return signed(a ^ b)
        return b if a == 0 else a if b == 0 else self.register(f"xor i64 {a}, {b}")

    def invert(self, a: Operand) -> Operand:
        """~a."""
        return self.bit_xor(a, -1)

    def shl(self, a: Operand, b: Operand) -> Operand:
        """a << b for b < 64 (code that cannot be reached may ask for more)."""
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

    def lowest(self, a: str) -> str:
        """Number of the lowest bit set, of a number that is not zero."""
        return self.register(f"call i64 @llvm.cttz.i64(i64 {a}, i1 true)")

    # -- truth
    # -------------------------------------------------------------------------------------------------------------

    def compare(self, predicate: str, a: Operand, b: Operand) -> Operand:
        """0 or 1; predicate: eq ne slt sle sgt sge ult ule ugt uge."""
        if isinstance(a, int) and isinstance(b, int):
            return int(_compare(predicate, a, b))
        if a == b:
            return int(_compare(predicate, 0, 0))
        flag = self.register(f"icmp {predicate} i64 {a}, {b}")
        wide = self.register(f"zext i1 {flag} to i64")
        self._conditions[wide] = flag
        return wide

    def condition(self, a: Operand) -> str:
        """A truth value as an i1 operand."""
        if isinstance(a, int):
            return "true" if a else "false"
        if a not in self._conditions:
            return self.register(f"icmp ne i64 {a}, 0")
        return self._conditions[a]

    def negate(self, a: Operand) -> Operand:
        """1 - a of a truth value."""
        return self.bit_xor(a, 1)

    def select(self, condition: Operand, a: Operand, b: Operand) -> Operand:
        """a if condition else b, both evaluated."""
        if isinstance(condition, int):
            return a if condition else b
        if a == b:
            return a
        return self.register(f"select i1 {self.condition(condition)}, i64 {a}, i64 {b}")
