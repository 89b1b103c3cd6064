"""The reduced search on Spark: shards take the same steps as one process, because these are a function of the state.

Where it stops: if an infinite run is possible, the reduced graph must have no cycle, which the driver decides with all
states in its memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from checker.bound import Bound
from checker.engines import spark
from checker.engines.checkpointed import Prepare, Prepared
from checker.engines.committed import Elsewhere
from checker.engines.explored import Explored
from checker.engines.reduced import followed, in_memory, reduced, require_no_cycle, require_reducible
from checker.engines.reduced_report import Reduced
from checker.engines.request import Request
from checker.search.result import SearchResult
from checker.search.workdir import WorkDirectory


def explore(request: Request) -> Explored:
    """Explore a reduced graph on Spark; if it has a violation, the ordinary graph.  Raises Irreducible if the request
    needs every state.
    """
    require_reducible(request)
    return followed(request, spark.in_cluster(request, _prepared))


def _prepared(request: Request) -> Prepare:
    def prepare(room: Mapping[str, int]) -> Prepared:
        found = reduced(request, room)
        return Prepared(found.code, partial(_explore, found))

    return prepare


def _explore(found: Reduced, work: WorkDirectory) -> Explored:
    return spark.on_shards(found.request, found.code, work, partial(_ended_here, found), partial(_stored, found))


def _ended_here(found: Reduced, result: SearchResult) -> Explored:
    found.symmetric(result)
    return in_memory(found, result)


def _stored(found: Reduced, work: WorkDirectory, bound: Bound | None, elsewhere: Elsewhere) -> Explored:
    require_no_cycle(found, work, bound)
    return found.stored(work, bound, elsewhere)
