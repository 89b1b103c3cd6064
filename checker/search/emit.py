"""A thin layer over llvmlite's IRBuilder: variables, loops and native functions in a few words each.

Variables are stack slots, which LLVM's optimiser turns into registers, so emitted code needs no phi nodes and reads
like the loop it stands for. Everything is 64-bit integers and untyped pointers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from llvmlite import ir

I1, I8, I32, I64, I128 = (ir.IntType(n) for n in (1, 8, 32, 64, 128))
POINTER = ir.PointerType()
LANES = 8
"""Entries of 64 bits in one cache line: the unit in which a table is read."""
LINE = ir.VectorType(I64, LANES)


def const(value: int, width: ir.IntType = I64) -> ir.Constant:
    """An integer constant, taken modulo the width."""
    return ir.Constant(width, value & ((1 << width.width) - 1))


class Variable:
    """A mutable 64-bit integer of the function being emitted."""

    def __init__(self, code: Code, initial: ir.Value) -> None:
        with code.builder.goto_entry_block():
            self._slot = code.builder.alloca(I64)
        self._builder = code.builder
        self.set(initial)

    def get(self) -> ir.Value:
        return self._builder.load(self._slot, typ=I64)

    def set(self, value: ir.Value) -> None:
        self._builder.store(value, self._slot)

    def add(self, value: ir.Value) -> None:
        self.set(self._builder.add(self.get(), value))


class Code:
    """The body of one native function. Arguments are i64 or pointers; the result is an i64."""

    def __init__(self, module: ir.Module, name: str, arguments: str) -> None:
        types = [POINTER if letter == "p" else I64 for letter in arguments]
        self.module = module
        self.function = ir.Function(module, ir.FunctionType(I64, types), name)
        # each works on a block: to build its code once more in a caller gains nothing
        self.function.attributes.add("noinline")
        self.builder = ir.IRBuilder(self.function.append_basic_block("entry"))

    @property
    def args(self) -> tuple[ir.Value, ...]:
        return tuple(self.function.args)

    def variable(self, initial: ir.Value) -> Variable:
        return Variable(self, initial)

    def at(self, base: ir.Value, index: ir.Value, element: ir.Type = I64) -> ir.Value:
        """The address of base[index]."""
        return self.builder.gep(base, [index], source_etype=element)

    def load(self, base: ir.Value, index: ir.Value, element: ir.Type = I64) -> ir.Value:
        """base[index], widened to 64 bits without sign."""
        value = self.builder.load(self.at(base, index, element), typ=element)
        if isinstance(element, ir.IntType) and element.width < 64:
            return self.builder.zext(value, I64)
        return value

    def store(self, value: ir.Value, base: ir.Value, index: ir.Value, element: ir.Type = I64) -> None:
        """base[index] = value, narrowed."""
        if isinstance(element, ir.IntType) and element.width < 64:
            value = self.builder.trunc(value, element)
        self.builder.store(value, self.at(base, index, element))

    @contextmanager
    def loop(self, condition: Callable[[], ir.Value]) -> Iterator[ir.Block]:
        """while condition(): ...; yields the block that follows the loop, for an early exit."""
        head = self.function.append_basic_block("head")
        body = self.function.append_basic_block("body")
        after = self.function.append_basic_block("after")
        self.builder.branch(head)
        self.builder.position_at_end(head)
        self.builder.cbranch(condition(), body, after)
        self.builder.position_at_end(body)
        yield after
        if not self.builder.block.is_terminated:
            self.builder.branch(head)
        self.builder.position_at_end(after)

    @contextmanager
    def count(self, start: ir.Value, stop: ir.Value) -> Iterator[ir.Value]:
        """for i in range(start, stop): ...; yields i."""
        i = self.variable(start)
        with self.loop(lambda: self.builder.icmp_unsigned("<", i.get(), stop)):
            yield i.get()
            if not self.builder.block.is_terminated:
                i.add(const(1))

    def each(self, n: int) -> Iterator[ir.Value]:
        """for i in range(n), written out if short, so that no optimiser has to find that out."""
        if n <= 8:
            yield from (const(i) for i in range(n))
        else:
            with self.count(const(0), const(n)) as i:
                yield i

    def high_product(self, left: ir.Value, right: ir.Value) -> ir.Value:
        """The upper 64 bits of the 128-bit product: maps left in [0, 2^64) monotonically to [0, right)."""
        b = self.builder
        product = b.mul(b.zext(left, I128), b.zext(right, I128))
        return b.trunc(b.lshr(product, const(64, I128)), I64)

    def fold_product(self, left: ir.Value, right: ir.Value) -> ir.Value:
        """The two halves of the 128-bit product, xored."""
        b = self.builder
        product = b.mul(b.zext(left, I128), b.zext(right, I128))
        return b.xor(b.trunc(product, I64), b.trunc(b.lshr(product, const(64, I128)), I64))

    def prefetch(self, address: ir.Value, near: bool) -> None:
        """Ask for the cache line of an address, which need not be valid: into the first-level cache if near.

        What is needed later is better asked into the second level, which can wait for more lines at a time.
        """
        kind = ir.FunctionType(ir.VoidType(), [POINTER, I32, I32, I32])
        function = self.module.globals.get("llvm.prefetch.p0") or ir.Function(self.module, kind, "llvm.prefetch.p0")
        self.builder.call(function, [address, const(0, I32), const(3 if near else 2, I32), const(1, I32)])

    def first_bit(self, value: ir.Value) -> ir.Value:
        """The number of the lowest set bit of a value that is not zero."""
        return self.builder.cttz(value, const(1, I1))

    def set_bits(self, value: ir.Value) -> ir.Value:
        """How many bits of a value are set."""
        name = "llvm.ctpop.i64"
        function = self.module.globals.get(name) or ir.Function(self.module, ir.FunctionType(I64, [I64]), name)
        return self.builder.call(function, [value])

    def line(self, base: ir.Value, index: ir.Value) -> ir.Value:
        """The cache line base[8 * index : 8 * index + 8] as a vector."""
        address = self.at(base, self.builder.mul(index, const(LANES)))
        return self.builder.load(address, typ=LINE, align=64)

    def splat(self, value: ir.Value) -> ir.Value:
        """A line that holds a value eight times."""
        b = self.builder
        one = b.insert_element(ir.Constant(LINE, ir.Undefined), value, const(0, I32))
        return b.shuffle_vector(
            one, ir.Constant(LINE, ir.Undefined), ir.Constant(ir.VectorType(I32, LANES), [0] * LANES)
        )

    def equal_lanes(self, left: ir.Value, right: ir.Value) -> ir.Value:
        """A number whose bit j says that lane j of the two lines is equal."""
        b = self.builder
        return b.zext(b.bitcast(b.icmp_unsigned("==", left, right), I8), I64)
