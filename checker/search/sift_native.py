"""Native code over candidates as they come: they are hashed, recent ones are dropped, and the others are sorted by
owner.

The hash of a one-word state is a bijection of 64 bits, so it can represent the state. Wider states are folded two words
at a time into a product of 128 bits, as in wyhash (Wang Yi, 2019), because each product waits for the one before. The
upper bits choose table and line, bits from 20 upwards the place in the cache of recent states.

Whether a state is recent cannot be predicted. A wrong prediction discards work on the states after it, so states of
more than one word are hashed some places ahead, in a separate loop.
"""

from __future__ import annotations

from checker.assembly import Operand, Variable, signed
from checker.search.emit import STRAIGHT, Code

ADD, MULTIPLY_1, MULTIPLY_2 = 0x2545F4914F6CDD1D, 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93
CACHE_SHIFT = 20
HASHED = 64
"""How many states are hashed before they are looked up."""

SIGNATURES = {"sift": "ppipippp", "distribute": "piiippp"}


def hash_of(code: Code, row: str, words: int) -> Operand:
    """The 64-bit hash of a state. For one word it is a bijection: odd products and a shift-xor can be undone."""
    one, two = signed(MULTIPLY_1), signed(MULTIPLY_2)
    if words == 1:
        h = code.mul(code.add(code.load(row), ADD), one)
        return code.mul(code.bit_xor(h, code.lshr(h, 32)), two)
    folded = code.variable(ADD)
    for i in code.repeat(words // 2, STRAIGHT // 2):
        first, second = code.load(row, code.mul(i, 2)), code.load(row, code.add(code.mul(i, 2), 1))
        folded.set(code.fold_product(code.bit_xor(folded.get(), first), code.bit_xor(second, one)))
    if words % 2:
        folded.set(code.fold_product(code.bit_xor(folded.get(), code.load(row, words - 1)), one))
    mixed = code.mul(folded.get(), two)
    return code.mul(code.bit_xor(mixed, code.lshr(mixed, 32)), one)


def row_at(code: Code, base: str, index: Operand, words: int) -> str:
    return code.address(base, code.mul(index, words))


def difference(code: Code, left: str, right: str, words: int) -> Operand:
    """Zero exactly if two states are equal."""
    if words == 1:
        return code.bit_xor(code.load(left), code.load(right))
    if words <= STRAIGHT:
        return code.row_difference(left, right, words)
    differing = code.variable(0)
    for i in code.count(words):
        differing.set(code.bit_or(differing.get(), code.bit_xor(code.load(left, i), code.load(right, i))))
    return differing.get()


def copy_row(code: Code, source: str, target: str, words: int) -> None:
    if words <= STRAIGHT:
        code.copy_row(source, target, words)
        return
    for i in code.count(words):
        code.store(code.load(source, i), target, i)


def emit_sift(words: int) -> str:
    """sift(states, parents, n, recent, mask, keys, states_out, parents_out) -> kept.

    Drops states that are in the caller's cache of recently sifted states; writes hash, words and parent of the others.
    A dropped state equals one sifted before by the same caller, hence one of an earlier place in the order.
    """
    code = Code("sift", SIGNATURES["sift"])
    states, n, keys = code.args[0], code.args[2], code.args[5]
    kept = code.variable(0)
    if words == 1:
        for i in code.count(n):
            key = hash_of(code, row_at(code, states, i, 1), 1)
            _look_up(code, i, key, kept, words)
        return code.finish(kept.get())
    begun = code.variable(0)
    for start in code.rounds(begun, lambda start: code.compare("slt", start, n)):
        stop = code.least(code.add(start, HASHED), n)
        for i in code.count(stop, start):
            key = hash_of(code, row_at(code, states, i, words), words)
            code.store(key, keys, i)  # never before the last one that is kept
            code.prefetch(_recent(code, key, words), near=True)
        for i in code.count(stop, start):
            _look_up(code, i, code.load(keys, i), kept, words)
        begun.set(stop)
    return code.finish(kept.get())


def _recent(code: Code, key: Operand, words: int) -> str:
    """The place of a hash in the cache of recent states."""
    recent, mask = code.args[3], code.args[4]
    return row_at(code, recent, code.bit_and(code.lshr(key, CACHE_SHIFT), mask), words)


def _look_up(code: Code, i: Operand, key: Operand, kept: Variable, words: int) -> None:
    """Keep a state unless it is a recent one."""
    states, parents, _, _, _, keys, states_out, parents_out = code.args
    row, slot = row_at(code, states, i, words), _recent(code, key, words)
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
