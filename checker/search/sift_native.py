"""Native code over candidates as they come: their hashes, the recent ones dropped, the others sorted by owner.

The hash of a one-word state is a bijection of 64 bits, so it can stand for the state. Its upper bits choose table and
line, bits from 20 upwards the place in the cache of recent states.
"""

from __future__ import annotations

from llvmlite import ir

from checker.search.emit import I32, I64, Code, const

ADD, MULTIPLY_1, MULTIPLY_2 = 0x2545F4914F6CDD1D, 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93
CACHE_SHIFT = 20

SIGNATURES = {"sift": "ppipippp", "distribute": "piiippp"}


def hash_of(code: Code, row: ir.Value, words: int) -> ir.Value:
    """The 64-bit hash of a state. For one word it is a bijection: odd products and a shift-xor can be undone."""
    b = code.builder
    if words == 1:
        h = b.mul(b.add(code.load(row, const(0)), const(ADD)), const(MULTIPLY_1))
        return b.mul(b.xor(h, b.lshr(h, const(32))), const(MULTIPLY_2))
    h = code.variable(const(ADD))
    for i in code.each(words):
        h.set(code.fold_product(b.xor(h.get(), code.load(row, i)), const(MULTIPLY_1)))
    mixed = b.mul(h.get(), const(MULTIPLY_2))
    return b.mul(b.xor(mixed, b.lshr(mixed, const(32))), const(MULTIPLY_1))


def row_at(code: Code, base: ir.Value, index: ir.Value, words: int) -> ir.Value:
    return code.at(base, code.builder.mul(index, const(words)))


def difference(code: Code, left: ir.Value, right: ir.Value, words: int) -> ir.Value:
    """Zero exactly if two states are equal."""
    b = code.builder
    if words == 1:
        return b.xor(code.load(left, const(0)), code.load(right, const(0)))
    differing = code.variable(const(0))
    for i in code.each(words):
        differing.set(b.or_(differing.get(), b.xor(code.load(left, i), code.load(right, i))))
    return differing.get()


def copy_row(code: Code, source: ir.Value, target: ir.Value, words: int) -> None:
    for i in code.each(words):
        code.store(code.load(source, i), target, i)


def is_zero(code: Code, value: ir.Value) -> ir.Value:
    return code.builder.icmp_unsigned("==", value, const(0))


def not_zero(code: Code, value: ir.Value) -> ir.Value:
    return code.builder.icmp_unsigned("!=", value, const(0))


def emit_sift(module: ir.Module, words: int) -> None:
    """sift(states, parents, n, recent, mask, keys, states_out, parents_out) -> kept.

    Drops states that the caller's cache of recently sifted states still holds; writes hash, words and parent of the
    others. A dropped state equals one sifted before by the same caller, hence one of an earlier place in the order.
    """
    code = Code(module, "sift", SIGNATURES["sift"])
    b = code.builder
    states, parents, n, recent, mask, keys, states_out, parents_out = code.args
    kept = code.variable(const(0))
    with code.count(const(0), n) as i:
        row = row_at(code, states, i, words)
        key = hash_of(code, row, words)
        slot = row_at(code, recent, b.and_(b.lshr(key, const(CACHE_SHIFT)), mask), words)
        fresh = not_zero(code, difference(code, row, slot, words))
        code.store(key, keys, kept.get())
        code.store(code.load(parents, i, I32), parents_out, kept.get(), I32)
        out = row_at(code, states_out, kept.get(), words)
        if words == 1:  # no branch: on mixed input it would be mispredicted more often than the stores cost
            copy_row(code, row, slot, words)
            copy_row(code, row, out, words)
        else:
            with b.if_then(fresh):
                copy_row(code, row, slot, words)
                copy_row(code, row, out, words)
        kept.add(b.zext(fresh, I64))
    b.ret(kept.get())


def emit_distribute(module: ir.Module) -> None:
    """distribute(keys, n, owner_bits, owners, keys_out, ids_out, offsets) -> n.

    A counting sort by the uppermost `owner_bits` of the key that keeps the order within an owner; ids are the places
    before sorting; offsets has owners + 1 entries, all zero on entry.
    """
    code = Code(module, "distribute", SIGNATURES["distribute"])
    b = code.builder
    keys, n, bits, owners, keys_out, ids_out, offsets = code.args
    shift = b.sub(const(64), bits)
    with code.count(const(0), n) as i:
        owner = b.lshr(code.load(keys, i), shift)
        code.store(b.add(code.load(offsets, owner), const(1)), offsets, owner)
    total = code.variable(const(0))
    with code.count(const(0), owners) as owner:  # counts become starts
        size = code.load(offsets, owner)
        code.store(total.get(), offsets, owner)
        total.add(size)
    with code.count(const(0), n) as i:  # starts become ends
        key = code.load(keys, i)
        owner = b.lshr(key, shift)
        place = code.load(offsets, owner)
        code.store(key, keys_out, place)
        code.store(i, ids_out, place, I32)
        code.store(b.add(place, const(1)), offsets, owner)
    last = code.variable(owners)
    with code.loop(lambda: not_zero(code, last.get())):  # the end of an owner is the start of the next
        previous = b.sub(last.get(), const(1))
        code.store(code.load(offsets, previous), offsets, last.get())
        last.set(previous)
    code.store(const(0), offsets, const(0))
    b.ret(n)
