"""The objects that tasks of a search on Spark unpickle. This module imports only what they need: the front end alone
would take 6 MB in each of their processes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from checker.backends.native.graph import GraphKernel, PredicateError, Steps
from checker.backends.native.kernel import compile_model
from checker.contract import Source, States
from checker.ir.model import Model as Lowered
from checker.search.spark.job import Job, source_of
from checker.search.trails import Found, Request, answer
from checker.search.trimming import Flags, Unreadable

if TYPE_CHECKING:
    from checker.ir.stubborn.reduction import Reduction


def shipped_kernel(model: Lowered, quick: bool, reduction: Reduction | None = None) -> Callable[[], Source]:
    """A kernel to be sent to another process: the lowered model, which does not need the user's source, and its
    reduction.  It is compiled for the processor there (quick: without optimisation), or found in the cache on disk.
    """
    return partial(compile_model, model, quick=quick, reduction=reduction)


def answered(asked: tuple[Job, Sequence[Request]], number: int) -> Found:
    """The answer to one of the requests for a path."""
    job, requests = asked
    return answer(source_of(job), requests[number])


@frozen(eq=False)
class Awaiting:
    """Which states can be part of a run that breaks `when leads to then`: those without `then`; it begins in one with
    `when`.  when, then: the places of the predicates among those of the kernel.
    """

    kernel: GraphKernel
    when: int
    then: int

    @property
    def words(self) -> int:
        """Of a state."""
        return self.kernel.words

    def chosen(self, states: States) -> Flags:
        """The states without `then`.  Raises Unreadable."""
        return ~self._truth(self.then, states)

    def begins(self, states: States) -> Flags:
        """The states with `when`.  Raises Unreadable."""
        return self._truth(self.when, states)

    def steps(self, states: States, ends: NDArray[np.uint8]) -> Iterator[Steps]:
        """As of the kernel."""
        return self.kernel.steps(states, ends)

    def _truth(self, column: int, states: States) -> Flags:
        try:
            return self.kernel.truth(np.ascontiguousarray(states))[:, column]
        except PredicateError as error:
            raise Unreadable(error.finding.name, error.finding.line) from None


def awaiting(kernel: Callable[[], GraphKernel], when: int, then: int) -> Awaiting:
    """The same in a task, with a kernel made there."""
    return Awaiting(kernel(), when, then)
