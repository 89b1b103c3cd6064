"""A full search and a reduced one of the same model, and what both must have in common."""

from __future__ import annotations

import numpy as np
from attrs import evolve, frozen

from checker.backends.native.kernel import NativeKernel, compile_model
from checker.engines.reduced import chooses, reduction, require_acyclic
from checker.engines.request import Irreducible
from checker.ir.model import Model as Lowered
from checker.search.breadth_first import search
from checker.search.limits import Limits
from checker.search.projected import projected
from checker.search.result import SearchResult


def cyclic(kernel: NativeKernel, result: SearchResult) -> bool:
    """Whether the explored graph has a cycle."""
    try:
        require_acyclic(kernel, result.states(), result.level_starts())
    except Irreducible:
        return True
    return False


@frozen(eq=False)
class Pair:
    """stored: the reduced search, with the choices of its initial states; kernel: that of the reduced search."""

    full: SearchResult
    stored: SearchResult
    kernel: NativeKernel

    @property
    def reduced(self) -> SearchResult:
        """The reduced search as one of the model, without the choices of the initial states."""
        return projected(self.stored, self.full.states().shape[1]) if chooses(self.kernel.model) else self.stored

    @property
    def cyclic(self) -> bool:
        """Whether the reduced graph has a cycle, so that violations may be missed."""
        return cyclic(self.kernel, self.stored)


def judged(model: Lowered) -> Lowered:
    """The model with the properties alone that a reduced search decides."""
    return evolve(model, properties=tuple(p for p in model.properties if p.kind in ("invariant", "quiescence")))


def whole(kernel: NativeKernel, threads: int = 1, most: int = 100_000) -> SearchResult:
    """A search that is complete."""
    found = search(kernel, threads=threads, limits=Limits(max_states=most), stop_at_first=False)
    assert found.bound is None
    return found


def full_and_reduced(
    model: Lowered, other: Lowered | None = None, *, drop: bool = False, threads: int = 1, most: int = 100_000
) -> Pair:
    """The full search of a model, and the reduced one of the model or of another form of it; drop: drop messages."""
    form = model if other is None else other
    kernel = compile_model(form, quick=True, reduction=reduction(form, drop))
    return Pair(whole(compile_model(model, quick=True), most=most), whole(kernel, threads, most), kernel)


def at_rest(result: SearchResult) -> set[bytes]:
    """The quiescent states."""
    return {row.tobytes() for row in result.states()[result.quiescent_indices]}


def distances(result: SearchResult) -> set[tuple[bytes, int]]:
    """The quiescent states with their levels."""
    starts = np.array(result.level_starts())
    levels = np.searchsorted(starts, result.quiescent_indices, side="right")
    return {(row.tobytes(), int(n)) for row, n in zip(result.states()[result.quiescent_indices], levels)}


def shown(result: SearchResult) -> set[tuple[str, str, int]]:
    """The violations and errors."""
    return {(v.finding.kind, v.finding.name, v.finding.line) for v in result.violations}
