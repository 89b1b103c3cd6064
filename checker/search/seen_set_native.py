"""All native functions of the search, as one library for each number of words: `tables_native`, and what is done with
the tables in each phase of a batch."""

from __future__ import annotations

import sys
from functools import cache

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


def _emit(words: int) -> str:
    return emit.module(
        control.DECLARED,
        sift_native.emit_sift(words),
        sift_native.emit_distribute(),
        insert_native.Insert(words).emit(),
        collect_native.emit_collect(words),
        ranges_native.emit_given(words),
        ranges_native.ExpandRanges(words).emit(),
        parts_native.emit_order_parts(),
        parts_native.emit_insert_parts(),
        parts_native.emit_count_parts(),
        parts_native.emit_cut_parts(),
        parts_native.emit_collect_parts(words),
        crew_native.emit_insert_owners(),
        crew_native.emit_collect_pieces(words),
        crew_native.Lead("lead").emit(),
        crew_native.emit_follow(),
        tables_native.emit_grow(words),
        tables_native.emit_place(words),
    )


@cache
def library(words: int, quick: bool = False) -> build.Library:
    """The functions for states of `words` words; built or loaded once per process.  quick: without optimisation."""
    return build.compiled(f"seen_set_{words}", lambda: _emit(words), _VERSION, SIGNATURES, quick)


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
