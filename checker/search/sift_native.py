"""Native code over candidates as they come: their hashes, the recent ones dropped, the others sorted by owner.

The hash of a one-word state is a bijection of 64 bits, so it can stand for the state. Its upper bits choose table and
line, bits from 20 upwards the place in the cache of recent states.
"""

from __future__ import annotations

from checker.assembly import Operand, signed
from checker.search.emit import Code

ADD, MULTIPLY_1, MULTIPLY_2 = 0x2545F4914F6CDD1D, 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93
CACHE_SHIFT = 20

SIGNATURES = {"sift": "ppipippp", "distribute": "piiippp"}


def hash_of(code: Code, row: str, words: int) -> Operand:
    """The 64-bit hash of a state. For one word it is a bijection: odd products and a shift-xor can be undone."""
    one, two = signed(MULTIPLY_1), signed(MULTIPLY_2)
    if words == 1:
        h = code.mul(code.add(code.load(row), ADD), one)
        return code.mul(code.bit_xor(h, code.lshr(h, 32)), two)
    folded = code.variable(ADD)
    for i in code.repeat(words):
        folded.set(code.fold_product(code.bit_xor(folded.get(), code.load(row, i)), one))
    mixed = code.mul(folded.get(), two)
    return code.mul(code.bit_xor(mixed, code.lshr(mixed, 32)), one)


def row_at(code: Code, base: str, index: Operand, words: int) -> str:
    return code.address(base, code.mul(index, words))


def difference(code: Code, left: str, right: str, words: int) -> Operand:
    """Zero exactly if two states are equal."""
    if words == 1:
        return code.bit_xor(code.load(left), code.load(right))
    differing = code.variable(0)
    for i in code.repeat(words):
        differing.set(code.bit_or(differing.get(), code.bit_xor(code.load(left, i), code.load(right, i))))
    return differing.get()


def copy_row(code: Code, source: str, target: str, words: int) -> None:
    for i in code.repeat(words):
        code.store(code.load(source, i), target, i)


def emit_sift(words: int) -> str:
    """sift(states, parents, n, recent, mask, keys, states_out, parents_out) -> kept.

    Drops states that the caller's cache of recently sifted states still holds; writes hash, words and parent of the
    others. A dropped state equals one sifted before by the same caller, hence one of an earlier place in the order.
    """
    code = Code("sift", SIGNATURES["sift"])
    states, parents, n, recent, mask, keys, states_out, parents_out = code.args
    kept = code.variable(0)
    for i in code.count(n):
        row = row_at(code, states, i, words)
        key = hash_of(code, row, words)
        slot = row_at(code, recent, code.bit_and(code.lshr(key, CACHE_SHIFT), mask), words)
        fresh = code.not_zero(difference(code, row, slot, words))
        place = kept.get()
        code.store(key, keys, place)
        code.store(code.load(parents, i, bits=32), parents_out, place, bits=32)
        out = row_at(code, states_out, place, words)
        # one word: no branch; on mixed input it would be mispredicted more often than the stores cost
        with code.when(1 if words == 1 else fresh):
            copy_row(code, row, slot, words)
            copy_row(code, row, out, words)
        # chosen here, behind the branch: made a number before it, it is kept in a register across the copying
        kept.add(code.select(fresh, 1, 0))
    return code.finish(kept.get())


def emit_distribute() -> str:
    """distribute(keys, n, owner_bits, owners, keys_out, ids_out, offsets) -> n.

    A counting sort by the uppermost `owner_bits` of the key that keeps the order within an owner; ids are the places
    before sorting; offsets has owners + 1 entries, all zero on entry.
    """
    code = Code("distribute", SIGNATURES["distribute"])
    keys, n, bits, owners, keys_out, ids_out, offsets = code.args
    shift = code.sub(64, bits)
    for i in code.count(n):
        owner = code.lshr(code.load(keys, i), shift)
        code.store(code.add(code.load(offsets, owner), 1), offsets, owner)
    total = code.variable(0)
    for owner in code.count(owners):  # counts become starts
        size = code.load(offsets, owner)
        code.store(total.get(), offsets, owner)
        total.add(size)
    for i in code.count(n):  # starts become ends
        key = code.load(keys, i)
        owner = code.lshr(key, shift)
        place = code.load(offsets, owner)
        code.store(key, keys_out, place)
        code.store(i, ids_out, place, bits=32)
        code.store(code.add(place, 1), offsets, owner)
    last = code.variable(owners)
    for end in code.rounds(last, code.not_zero):  # the end of an owner is the start of the next
        previous = code.sub(end, 1)
        code.store(code.load(offsets, previous), offsets, end)
        last.set(previous)
    code.store(0, offsets)
    return code.finish(n)
