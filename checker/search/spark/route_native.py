"""Native code that distributes successors: in one pass they are hashed, recent ones are dropped, the others are put
into their owner's buffer.

The owner comes from other bits than the place in a seen set's tables, otherwise each shard would fill only a part of
its tables. A table of 2^OWNER_BITS owners, a few kilobytes, makes shards of similar size for any number of shards.
"""

from __future__ import annotations

import sys
from functools import cache

from checker.assembly import Operand, signed
from checker.search import build, emit, sift_native
from checker.search.emit import Code
from checker.search.sift_native import CACHE_SHIFT, copy_row, difference, hash_of, row_at

OWNER_BITS = 12
OWNER_FACTOR = 0xF1357AEA2E62A9C5

SIGNATURES = {"route": "pipippp", "keys": "pip"}


def _emit_route(words: int) -> str:
    """route(states, n, recent, mask, owners, buffers, counts) -> n.

    Drops states that the caller's cache of recent ones still has, and appends each other state to the buffer of its
    owner: buffers are addresses, counts the rows in each. The caller ensures that each buffer has room for n + 1 more
    rows.
    """
    code = Code("route", SIGNATURES["route"])
    states, n, recent, mask, owners, buffers, counts = code.args
    for i in code.count(n):
        row = row_at(code, states, i, words)
        key = hash_of(code, row, words)
        slot = row_at(code, recent, code.bit_and(code.lshr(key, CACHE_SHIFT), mask), words)
        fresh = code.not_zero(difference(code, row, slot, words))
        # one word: no branch; on mixed input it would be mispredicted more often than the stores cost
        with code.when(1 if words == 1 else fresh):
            number = code.lshr(code.mul(key, signed(OWNER_FACTOR)), 64 - OWNER_BITS)
            owner = code.load(owners, number, bits=16)
            place = code.load(counts, owner)
            copy_row(code, row, slot, words)
            copy_row(code, row, row_at(code, code.pointer(code.load(buffers, owner)), place, words), words)
            more: Operand = fresh if words == 1 else 1
            code.store(code.add(place, more), counts, owner)
    return code.finish(n)


def _emit_keys(words: int) -> str:
    """keys(states, n, keys_out) -> n. The hashes of states."""
    code = Code("keys", SIGNATURES["keys"])
    states, n, keys = code.args
    for i in code.count(n):
        code.store(hash_of(code, row_at(code, states, i, words), words), keys, i)
    return code.finish(n)


def _emit(words: int) -> str:
    return emit.module(_emit_route(words), _emit_keys(words))


@cache
def library(words: int) -> build.Library:
    """The functions for states of `words` words; built or loaded once per process."""
    return build.compiled(f"route_{words}", lambda: _emit(words), _VERSION, SIGNATURES)


_VERSION = build.version_of(sys.modules[__name__], sift_native, emit, build)
