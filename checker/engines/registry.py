"""The engines by name: what each can do, and the module that implements it, imported when a search starts.

Callers read the capabilities of an engine and never compare names.  A new engine is a module with a function `explore`
and a line here.  This module imports nothing large: the command line reads this table for its options.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from attrs import evolve

from checker.frozen import frozen
from checker.language.errors import UsageError

if TYPE_CHECKING:
    from checker.engines.explored import Explored
    from checker.engines.request import Request


class Engine(Protocol):
    """The interface of an engine's module."""

    def explore(self, request: Request) -> Explored:
        """Search, and confirm the findings.  Raises UsageError for a model or a request that is wrong."""


@frozen
class Declared:
    """An engine as it is known before its module is loaded.

    module: searches; kept_by: searches in a work directory (None: the engine stores none); spilled_by: searches, with a
    work directory or without, and stores states beyond memory on disk (None: the engine ends there); reduced_by:
    searches reduced graphs (None: the engine explores every state). threads: several
    may search. distributed: tasks search, on Spark, beyond this process. keeps_states: the packed states of a whole
    search are in this process when it has ended, and a request may adapt the lowered model. interprets: Python runs the
    methods.
    """

    name: str
    module: str
    kept_by: str | None = None
    spilled_by: str | None = None
    reduced_by: str | None = None
    threads: bool = False
    distributed: bool = False
    keeps_states: bool = False
    interprets: bool = False

    @property
    def workdir(self) -> bool:
        """Whether it can store finished levels in a work directory."""
        return self.kept_by is not None


REDUCED = "checker.engines.reduced"
"""The reduced search in this process; it refuses the requests of engines that explore every state."""
ENGINES = {
    engine.name: engine
    for engine in (
        Declared(
            "native",
            "checker.engines.native",
            "checker.engines.checkpointed",
            "checker.engines.spilling",
            REDUCED,
            threads=True,
            keeps_states=True,
        ),
        Declared(
            "spark",
            "checker.engines.spark",
            "checker.engines.spark",
            reduced_by="checker.engines.reduced_on_spark",
            threads=True,
            distributed=True,
        ),
        Declared("interpreter", "checker.engines.interpreted", interprets=True),
    )
}


def declared(name: str) -> Declared:
    """The engine of that name.  Raises UsageError if there is none."""
    if name not in ENGINES:
        raise UsageError(f"there is no engine {name!r}", remedy=f"Engines: {', '.join(ENGINES)}.")
    return ENGINES[name]


def explore(request: Request) -> Explored:
    """Search with the engine that a request names.  Raises UsageError if the engine cannot fulfil the request."""
    found = _explore(request)
    return found if found.bound is None else evolve(found, limit=request.limits.words(found.bound))


def _explore(request: Request) -> Explored:
    engine = declared(request.engine)
    module = engine.module
    if request.reduce:
        return cast(Engine, import_module(engine.reduced_by or REDUCED)).explore(request)
    if request.placement.workdir is not None:
        if engine.kept_by is None:
            raise UsageError(
                f"the engine {engine.name} keeps no work directory",
                remedy=f"Choose one that does: {', '.join(e.name for e in ENGINES.values() if e.workdir)}.",
            )
        module = engine.kept_by
    if request.placement.spill is not None and engine.spilled_by is not None:
        module = engine.spilled_by
    if request.adapt is not None and not engine.keeps_states:
        raise UsageError(f"the engine {engine.name} searches models as they are written only")
    return cast(Engine, import_module(module)).explore(request)
