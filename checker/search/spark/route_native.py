"""Native code that sends successors on their way: in one pass hashed, recent ones dropped, the others put in their
owner's buffer.

The owner comes from other bits than the place in a seen set's tables, else each shard would fill only a part of its
tables. A table of 2^OWNER_BITS owners, a few kilobytes, makes any number of shards of like size.
"""

from __future__ import annotations

import sys
from functools import cache

from llvmlite import ir

from checker.search import build, emit, sift_native
from checker.search.emit import I64, POINTER, Code, const
from checker.search.sift_native import CACHE_SHIFT, copy_row, difference, hash_of, not_zero, row_at

OWNER_BITS = 12
OWNER_FACTOR = 0xF1357AEA2E62A9C5
_I16 = ir.IntType(16)

SIGNATURES = {"route": "pipippp", "keys": "pip"}


def _emit_route(module: ir.Module, words: int) -> None:
    """route(states, n, recent, mask, owners, buffers, counts) -> n.

    Drops states that the caller's cache of recent ones still holds, and appends each other to the buffer of its owner:
    buffers are addresses, counts the rows in each. The caller sees to it that each buffer has room for n + 1 rows more.
    """
    code = Code(module, "route", SIGNATURES["route"])
    b = code.builder
    states, n, recent, mask, owners, buffers, counts = code.args
    with code.count(const(0), n) as i:
        row = row_at(code, states, i, words)
        key = hash_of(code, row, words)
        slot = row_at(code, recent, b.and_(b.lshr(key, const(CACHE_SHIFT)), mask), words)
        fresh = not_zero(code, difference(code, row, slot, words))

        def append(more: ir.Value) -> None:
            owner = code.load(owners, b.lshr(b.mul(key, const(OWNER_FACTOR)), const(64 - OWNER_BITS)), _I16)
            place = code.load(counts, owner)
            copy_row(code, row, slot, words)
            copy_row(code, row, row_at(code, b.inttoptr(code.load(buffers, owner), POINTER), place, words), words)
            code.store(b.add(place, more), counts, owner)

        if words == 1:  # no branch: on mixed input it would be mispredicted more often than the stores cost
            append(b.zext(fresh, I64))
        else:
            with b.if_then(fresh):
                append(const(1))
    b.ret(n)


def _emit_keys(module: ir.Module, words: int) -> None:
    """keys(states, n, keys_out) -> n. The hashes of states."""
    code = Code(module, "keys", SIGNATURES["keys"])
    states, n, keys = code.args
    with code.count(const(0), n) as i:
        code.store(hash_of(code, row_at(code, states, i, words), words), keys, i)
    code.builder.ret(n)


def _emit(words: int) -> ir.Module:
    module = ir.Module(name=f"route_{words}")
    _emit_route(module, words)
    _emit_keys(module, words)
    return module


@cache
def library(words: int) -> build.Library:
    """The functions for states of `words` words; built or loaded once per process."""
    return build.compiled(f"route_{words}", lambda: _emit(words), _VERSION, SIGNATURES)


_VERSION = build.version_of(sys.modules[__name__], sift_native, emit, build)
