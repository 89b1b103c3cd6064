"""What tasks of a search on Spark unpickle. It imports only what they need: the front end alone would take 6 MB in each
of their processes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from attrs import frozen

from checker.backends.native.kernel import compile_model
from checker.contract import Source
from checker.ir.model import Model as Lowered
from checker.search.spark.job import Job, source_of
from checker.search.trails import Found, Request, answer


@frozen
class ShippedKernel:
    """A kernel on its way to another process: the lowered model, which needs nothing of the user's source."""

    model: Lowered

    def __call__(self) -> Source:
        """The kernel for the processor here, from the cache on disk if this machine has compiled it before."""
        return cast(Source, compile_model(self.model))


def answered(asked: tuple[Job, Sequence[Request]], number: int) -> Found:
    """The answer to one of the requests for a path."""
    job, requests = asked
    return answer(source_of(job), requests[number])
