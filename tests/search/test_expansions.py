"""A block of states is expanded whole, however many successors one state has: also where they do not fit into the first
buffer."""

from __future__ import annotations

import numpy as np

from checker.backends.native.kernel import compile_model
from checker.frontend.lower import lower
from checker.language import Int, Model, action, choose, require, var
from checker.language.define import define
from checker.search.expansions import expansions, successors_of, uncounted


class Fan(Model):
    """A state with 600 successors, and one with none."""

    x = var(Int(0, 600), 0)

    @action
    def leap(self):
        require(self.x == 0)
        self.x = choose(range(1, 601))


def test_a_state_with_more_successors_than_the_buffer_has_them_all() -> None:
    """Nothing written into a buffer that is too small is not taken for no successors."""
    kernel = compile_model(lower(define(Fan)), cache=False)
    start = kernel.initial()
    assert [len(successors_of(kernel, start[0], capacity=n)) for n in (1, 7, 599, 600, 4096)] == [600] * 5


def test_a_block_in_pieces_has_the_same_successors_and_counts_as_in_one() -> None:
    """Rolled back rows are counted once."""
    kernel = compile_model(lower(define(Fan)), cache=False)
    block = np.concatenate([kernel.initial(), successors_of(kernel, kernel.initial()[0])[:3], kernel.initial()])
    found = []
    for capacity in (8, 4096):
        counters = uncounted(kernel)
        pieces = [
            (piece.start + 0, piece.successors.copy(), piece.parents.copy())
            for piece in expansions(kernel, block, counters=counters, capacity=capacity)
        ]
        found.append(
            (
                np.concatenate([s for _, s, _ in pieces]).tolist(),
                np.concatenate([p for *_, p in pieces]).tolist(),
                counters.tolist(),
            )
        )
    assert found[0] == found[1] and len(found[0][0]) == 1200
