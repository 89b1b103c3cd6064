"""All native functions of the search, as one library for each number of words: `tables_native`, and what is done with
the tables in each phase of a batch."""

from __future__ import annotations

import sys
from functools import cache

from llvmlite import ir

from checker.search import (
    build,
    collect_native,
    control,
    crew_native,
    emit,
    insert_native,
    parts_native,
    ranges_native,
    sift_native,
    tables_native,
)

SIGNATURES = {
    name: arguments
    for part in (sift_native, tables_native, insert_native, collect_native, parts_native, ranges_native, crew_native)
    for name, arguments in part.SIGNATURES.items()
}


def _emit(words: int) -> ir.Module:
    module = ir.Module(name=f"seen_set_{words}")
    sift_native.emit_sift(module, words)
    sift_native.emit_distribute(module)
    insert_native.emit_insert(module, words)
    collect_native.emit_collect(module, words)
    ranges_native.emit_given(module, words)
    ranges_native.emit_expand_ranges(module, words)
    parts_native.emit_order_parts(module)
    parts_native.emit_insert_parts(module)
    parts_native.emit_count_parts(module)
    parts_native.emit_cut_parts(module)
    parts_native.emit_collect_parts(module, words)
    crew_native.emit_insert_owners(module)
    crew_native.emit_collect_pieces(module, words)
    crew_native.emit_lead(module)
    crew_native.emit_follow(module)
    tables_native.emit_grow(module, words)
    tables_native.emit_place(module, words)
    return module


@cache
def library(words: int) -> build.Library:
    """The functions for states of `words` words; built or loaded once per process."""
    return build.compiled(f"seen_set_{words}", lambda: _emit(words), _VERSION, SIGNATURES)


_VERSION = build.version_of(
    sys.modules[__name__],
    sift_native,
    tables_native,
    insert_native,
    collect_native,
    parts_native,
    ranges_native,
    control,
    crew_native,
    emit,
    build,
)
