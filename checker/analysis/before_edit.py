"""Whether the protocol before an edit breaks the same property with the same constants, except those that are part of
the edit (`checker.replay.own_constants`): then no step of the edit is
the CAUSE of it.

The protocol is searched breadth-first, so the steps are those of a shortest run, which the interpreter executes.

Where it stops: after MOST_STATES states (fewer where the interpreter searches), or where the time of the request ends.
A protocol of which no violation was found by then counts as one that keeps the property.  Nothing is searched where
the edit defines the property otherwise, or where only the edit has it.
"""

from __future__ import annotations

from attrs import evolve

from checker.backends.interpreter.interpreter import Interpreter
from checker.engines.explored import Explored
from checker.engines.registry import declared, explore
from checker.engines.request import Request
from checker.engines.runs import breaking_run
from checker.language.define import define
from checker.language.definition import Definition, PropertyDefinition
from checker.language.errors import Undecided, UsageError
from checker.language.model import Model
from checker.replay.own_constants import former_constants
from checker.replay.replay import Replay
from checker.replay.traced import Shown, property_of
from checker.results.checked import FAILURES

MOST_STATES, MOST_INTERPRETED = 500_000, 5_000


def steps_before(base: type[Model], name: str, request: Request) -> int | None:
    """The steps of a shortest run in which the base breaks the property of that name; None if it has none, or if
    nobody knows.  request: the search of the edit."""
    try:
        definition = define(base, former_constants(base, request.definition), [name])
        mine, theirs = property_of(request.definition, name), property_of(definition, name)
        if mine.function.__code__ != theirs.function.__code__:
            return None
        return _broken(definition, theirs, explore(_search(definition, request)))
    except (UsageError, Undecided):  # the base is wrong with these constants, or the time is over
        return None


def _search(definition: Definition, request: Request) -> Request:
    """The search of the base, in this process."""
    engine = request.engine if declared(request.engine).interprets else "native"
    most = MOST_INTERPRETED if declared(engine).interprets else MOST_STATES
    names = [p.name for p in definition.properties]
    limits = evolve(request.limits, max_depth=None, max_states=most)
    return Request(definition, definition.name, names, engine, request.threads, limits)


def _broken(definition: Definition, property: PropertyDefinition, explored: Explored) -> int | None:
    """The steps of the violation that was found, as the interpreter takes them."""
    replay = Replay(Interpreter(definition), definition.name, "")
    if property.kind == "leads-to":
        run = breaking_run(property, explored.behaviour()) if explored.complete and not explored.cut else None
        if run is None:
            return None
        shown = Shown(property.kind, property.name, loop=run.loop, values=run.values)
        return replay.confirmed_steps(run.path, shown, run.taken)
    found = (f for f in explored.found if f.shown.name == property.name and f.shown.kind not in FAILURES)
    first = next(found, None)
    return None if first is None else replay.confirmed_steps(first.path(), first.shown)
