"""What the search adds to `checker.assembly`, which writes LLVM: cache lines as vectors, and products of 128 bits.

Its functions take 64-bit integers and untyped pointers and return an integer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from checker.assembly import DECLARATIONS, RARELY, Assembly, Operand

LANES = 8
"""Entries of 64 bits in one cache line: the unit in which a table is read."""
EMPTY = "zeroinitializer"
"""A line of zeros."""
_LINE = f"<{LANES} x i64>"
STRAIGHT = 32
"""A state of at most this many words is read and written as vectors; the words of a longer one are processed in a loop.
"""
WIDEST = 4
"""Most words of such a vector."""


def vectors(words: int) -> Iterator[tuple[int, int]]:
    """The vectors in which a state of so many words is read and written: the first word and the number of words of
    each, a power of two.  LLVM takes vectors of other sizes apart, one word at a time.
    """
    word = 0
    while word < words:
        width = min(WIDEST, 1 << (words - word).bit_length() - 1)
        yield word, width
        word += width


class Code(Assembly):
    """The body of one native function of the search. `arguments`: for each, p(ointer) or i(nteger)."""

    ELEMENT = "getelementptr"
    """A line may be requested before it is known whether there is one."""

    def __init__(self, name: str, arguments: str) -> None:
        kinds = [("ptr" if letter == "p" else "i64", f"%a{i}") for i, letter in enumerate(arguments)]
        super().__init__(name, "i64", kinds, attributes="")
        # each works on a block: to build its code once more in a caller gains nothing
        self.inline = "noinline"
        self.args = tuple(name for _, name in kinds)

    def finish(self, result: Operand) -> str:
        """The text of the function, which returns this at its end."""
        self.give(f"i64 {result}")
        return self.text()

    def is_zero(self, value: Operand) -> Operand:
        return self.compare("eq", value, 0)

    def not_zero(self, value: Operand) -> Operand:
        return self.compare("ne", value, 0)

    def least(self, a: Operand, b: Operand) -> Operand:
        """The smaller of two numbers."""
        return self.select(self.compare("slt", a, b), a, b)

    def pick(self, condition: Operand, a: str, b: str) -> str:
        """One of two pointers."""
        return str(self.select(condition, a, b))

    def without_lowest(self, bits: Operand) -> Operand:
        """A number that is not zero, without its lowest set bit."""
        return self.bit_and(bits, self.sub(bits, 1))

    def _product(self, left: Operand, right: Operand) -> tuple[str, str]:
        """The lower and the upper half of the product, 128 bits."""
        wide = [self.register(f"zext i64 {value} to i128") for value in (left, right)]
        product = self.register(f"mul i128 {wide[0]}, {wide[1]}")
        upper = self.register(f"lshr i128 {product}, 64")
        low, high = (self.register(f"trunc i128 {half} to i64") for half in (product, upper))
        return low, high

    def high_product(self, left: Operand, right: Operand) -> Operand:
        """The upper half of the product: maps left in [0, 2^64) monotonically to [0, right)."""
        return self._product(left, right)[1]

    def fold_product(self, left: Operand, right: Operand) -> Operand:
        """The two halves of the product, xored."""
        return self.bit_xor(*self._product(left, right))

    def prefetch(self, address: str, near: bool) -> None:
        """Prefetch the cache line of an address, which need not be valid: into the first-level cache if near.

        A line that is needed later should be requested into the second level, which can wait for more lines at a time.
        """
        self.line(f"call void @llvm.prefetch.p0(ptr {address}, i32 0, i32 {3 if near else 2}, i32 1)")

    def entries(self, base: str, line: Operand) -> str:
        """Where a line begins."""
        return self.address(base, self.mul(line, LANES))

    def load_line(self, base: str, line: Operand) -> str:
        """The cache line base[8 * line : 8 * line + 8] as a vector."""
        return self.register(f"load {_LINE}, ptr {self.entries(base, line)}, align 64")

    def store_line(self, line: str, address: str) -> None:
        self.line(f"store {_LINE} {line}, ptr {address}, align 64")

    def splat(self, value: Operand) -> str:
        """A line that holds a value eight times."""
        one = self.register(f"insertelement {_LINE} undef, i64 {value}, i32 0")
        return self.register(f"shufflevector {_LINE} {one}, {_LINE} undef, <{LANES} x i32> zeroinitializer")

    def shifted_lanes(self, line: str, bits: int) -> str:
        """The line with each lane shifted right."""
        return self.register(f"lshr {_LINE} {line}, {self.splat(bits)}")

    def equal_lanes(self, left: str, right: str) -> str:
        """A number whose bit j says that lane j of the two lines is equal."""
        equal = self.register(f"icmp eq {_LINE} {left}, {right}")
        return self.register(f"zext i8 {self.register(f'bitcast <{LANES} x i1> {equal} to i8')} to i64")

    def copy_row(self, source: str, target: str, words: int) -> None:
        """Copy a state to another place."""
        for word, width in vectors(words):
            vector = self.register(f"load <{width} x i64>, ptr {self.address(source, word)}, align 8")
            self.line(f"store <{width} x i64> {vector}, ptr {self.address(target, word)}, align 8")

    def row_difference(self, left: str, right: str, words: int) -> Operand:
        """Zero exactly if two states are equal."""
        found: Operand = 0
        for word, width in vectors(words):
            kind = f"<{width} x i64>"
            one, two = (f"load {kind}, ptr {self.address(row, word)}, align 8" for row in (left, right))
            bits = self.register(f"xor {kind} {self.register(one)}, {self.register(two)}")
            part = self.register(f"call i64 @llvm.vector.reduce.or.v{width}i64({kind} {bits})")
            found = self.bit_or(found, part)
        return found


def module(*functions: str) -> str:
    """Functions, which may call each other, as a module for LLVM."""
    declared = "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)\n"
    text = "\n".join(functions)
    for name, words in sorted(set(re.findall(r"@(llvm\.vector\.reduce\.or\.v(\d+)i64)", text))):
        declared += f"declare i64 @{name}(<{words} x i64>)\n"
    return "\n".join([DECLARATIONS, declared, text, RARELY, ""])
