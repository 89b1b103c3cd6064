"""The objects that tasks of a search on Spark unpickle. This module imports only what they need: the front end alone
would take 6 MB in each of their processes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from checker.backends.native.kernel import compile_model
from checker.contract import Source
from checker.ir.model import Model as Lowered
from checker.search.spark.job import Job, source_of
from checker.search.trails import Found, Request, answer

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
