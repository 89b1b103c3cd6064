"""Native code of the third phase of a batch: new states are copied to the store, and entries that named a candidate now
name the state.

For states of one word no branch depends on whether a candidate is new, because a processor cannot predict that.
"""

from __future__ import annotations

from checker.assembly import Operand
from checker.search.emit import LANES, Code
from checker.search.sift_native import copy_row, hash_of, row_at
from checker.search.tables_native import PLACE_BITS, PROVISIONAL, home_of, next_line, stem_of

GROUPS_AHEAD = 4
"""How many groups of eight candidates ahead the entries of new ones are requested."""

SIGNATURES = {"collect": "pippippipii"}


def emit_collect(words: int) -> str:
    """collect(flags, n, states, parents, parent_base, states_out, parents_out, first, tables, table_bits, buffer) -> k.

    Copies the flagged candidates of a buffer, in order, to the store, with the index of their parent (32 bits of
    it), and clears the flags, of which there are n rounded up to a multiple of 8. `first` is the index of the first
    one; the entries of wider states are made to name the index instead of the candidate.
    """
    code = Code("collect", SIGNATURES["collect"])
    groups = code.lshr(code.add(code.args[1], 7), 3)
    return code.finish(_collect_words(code, groups) if words == 1 else _collect_rows(code, groups, words))


def _collect_words(code: Code, groups: Operand) -> Operand:
    """Copy every candidate, each over the one before if that was not flagged; return how many stay."""
    flags, _, states, parents, base, states_out, parents_out, _, _, _, _ = code.args
    count, wanted, place = code.variable(0), code.variable(0), code.variable(0)
    for group in code.count(groups):
        wanted.add(code.population(code.load(flags, group)))
    # not to write behind the last, where another thread writes
    for done in code.rounds(count, lambda done: code.compare("ult", done, wanted.get())):
        here = place.get()
        code.store(code.load(states, here), states_out, done)
        code.store(code.add(base, code.load(parents, here, bits=32)), parents_out, done, bits=32)
        count.add(code.load(flags, here, bits=8))
        place.add(1)
    for group in code.count(groups):
        code.store(0, flags, group)
    return count.get()


def _collect_rows(code: Code, groups: Operand, words: int) -> Operand:
    """Copy the flagged candidates, and update their entries to the stored states; return their number."""
    flags, _, states, parents, parent_base, states_out, parents_out, first, tables, bits, buffer = code.args
    count = code.variable(0)
    for group in code.count(groups):
        _ask_for_entries(code, group, groups, words)
        marks = code.variable(code.load(flags, group))
        with code.when(code.not_zero(marks.get())):
            code.store(0, flags, group)
            for left in code.rounds(marks, code.not_zero):
                place = code.add(code.mul(group, 8), code.lshr(code.lowest(left), 3))
                marks.set(code.without_lowest(left))
                row, done = row_at(code, states, place, words), count.get()
                copy_row(code, row, row_at(code, states_out, done, words), words)
                code.store(code.add(parent_base, code.load(parents, place, bits=32)), parents_out, done, bits=32)
                candidate = code.bit_or(code.shl(buffer, PLACE_BITS), place)
                _settle(code, row, candidate, code.add(first, done), tables, bits, words)
                count.add(1)
    return count.get()


def _ask_for_entries(code: Code, group: Operand, groups: Operand, words: int) -> None:
    """Prefetch the lines of the entries of the flagged candidates some groups ahead."""
    flags, _, states, _, _, _, _, _, tables, bits, _ = code.args
    ahead = code.add(group, GROUPS_AHEAD)
    ahead = code.select(code.compare("ult", ahead, groups), ahead, group)
    marks = code.variable(code.load(flags, ahead))
    for left in code.rounds(marks, code.not_zero):
        place = code.add(code.mul(ahead, 8), code.lshr(code.lowest(left), 3))
        marks.set(code.without_lowest(left))
        base, _, line = home_of(code, tables, hash_of(code, row_at(code, states, place, words), words), bits, words)
        code.prefetch(code.entries(base, line), near=True)


def _settle(code: Code, row: str, candidate: Operand, index: Operand, tables: str, bits: Operand, words: int) -> None:
    """Find the provisional entry of a candidate, which is unique, and let it name a stored state."""
    key = hash_of(code, row, words)
    base, lines, home = home_of(code, tables, key, bits, words)
    stem = stem_of(code, key, bits, words)
    provisional = code.splat(code.bit_or(code.bit_or(stem, PROVISIONAL), candidate))
    here, match = code.variable(home), code.variable(0)
    for _ in code.rounds(match, code.is_zero):
        match.set(code.equal_lanes(code.load_line(base, here.get()), provisional))
        with code.either(code.is_zero(match.get())) as otherwise:
            next_line(code, here, lines)
            otherwise()
            lane = code.add(code.mul(here.get(), LANES), code.lowest(match.get()))
            code.store(code.bit_or(stem, code.add(index, 1)), base, lane)
