"""Whether the protocol before an edit breaks the same property with the same constants, except those that are part of
the edit (`checker.replay.own_constants`): then no step of the edit is
the CAUSE of it.

The protocol is searched breadth-first, so the steps are those of a shortest run, which the interpreter executes.

Of a property that it breaks, the nearest protocol above it that keeps the property is sought: with that one the run can
be compared.  It states that the property holds with these constants, or a complete search of at most MOST_ABOVE states
finds no violation.  A protocol does not count if this search shows that it keeps the property only because nothing
happens that the property is about, or that it never takes the action of the last step
(`checker.analysis.kept_vacuously`).  With the protocol before the edit itself a run is not compared if it shows both,
as an edit may be about what never happened before.

Where it stops: after MOST_STATES states (fewer where the interpreter searches), or where the time of the request ends.
A protocol of which no violation was found by then counts as one that keeps the property.  Nothing is searched where
the edit defines the property otherwise, or where only the edit has it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from attrs import evolve

from checker.analysis.kept_vacuously import is_never_enabled, is_never_tested
from checker.backends.interpreter.interpreter import Interpreter
from checker.engines.explored import Explored
from checker.engines.registry import declared, explore
from checker.engines.request import Request
from checker.engines.runs import breaking_run
from checker.language.define import define
from checker.language.definition import Definition, PropertyDefinition
from checker.language.errors import Undecided, UsageError
from checker.language.model import Model
from checker.replay.base import former_of, keeps
from checker.replay.own_constants import former_constants
from checker.replay.replay import Replay
from checker.replay.traced import Shown, property_of
from checker.results.checked import FAILURES

MOST_STATES, MOST_INTERPRETED, MOST_ABOVE = 500_000, 5_000, 50_000


def steps_before(base: type[Model], names: Collection[str], request: Request) -> dict[str, int]:
    """The steps of a shortest run in which the base breaks each of these properties; without those of which it has
    none, or nobody knows.  request: the search of the edit.

    One search decides all of them.  A property for which an error ends this search is decided by one of its own.
    """
    try:
        constants = former_constants(base, request.definition)
    except UsageError:  # the base is wrong with these constants
        return {}
    shared = [name for name in names if _same_property(base, constants, name, request)]
    found = _asked(base, constants, shared, request) if shared else {}
    if found is None and len(shared) > 1:
        alone = (_asked(base, constants, [name], request) or {} for name in shared)
        found = {name: steps for one in alone for name, steps in one.items()}
    return found or {}


def keeping_above(base: type[Model], name: str, action: str, request: Request) -> type[Model] | None:
    """The nearest protocol above the base that keeps a property which the base breaks; None if none is known.  action:
    that of the last step of a run in which the edit breaks it; request: the search of the edit."""
    above = former_of(base)
    while above is not None:
        if _is_kept(above, name, action, request):
            return above
        above = former_of(above)
    return None


def keeps_vacuously(base: type[Model], name: str, action: str, request: Request) -> bool:
    """Whether it is known that a protocol never takes the action with which the edit breaks a property, and that
    nothing happens in it that the property is about.  request: the search of the edit."""
    try:
        found = _searched(base, name, request)
        return found is not None and is_never_enabled(action, found[1]) and is_never_tested(name, *found)
    except (UsageError, Undecided):
        return False


def _is_kept(cls: type[Model], name: str, action: str, request: Request) -> bool:
    """Whether a protocol is known to keep a property, and not known to keep it because nothing happens."""
    try:
        found = _searched(cls, name, request)
        if found is None or is_never_tested(name, *found) or is_never_enabled(action, found[1]):
            return False
        definition, explored = found
        if keeps(definition, name):
            return True
        decided = explored.complete and not explored.cut and not explored.failures
        return decided and _broken(definition, definition.properties[0], explored) is None
    except (UsageError, Undecided):
        return False


def _searched(cls: type[Model], name: str, request: Request) -> tuple[Definition, Explored] | None:
    """A protocol with this property alone, and its search; None if the property has another text there, or is not
    there.  Raises UsageError if the protocol is wrong with these constants, Undecided if it cannot be searched."""
    constants = former_constants(cls, request.definition)
    if not _same_property(cls, constants, name, request):
        return None
    definition = define(cls, constants, [name])
    return definition, explore(_search(definition, request, MOST_ABOVE))


def _same_property(base: type[Model], constants: Mapping[str, Any], name: str, request: Request) -> bool:
    """Whether the base has the property too, with the same text."""
    try:
        theirs = property_of(define(base, constants, [name]), name)
    except UsageError:
        return False
    return property_of(request.definition, name).function.__code__ == theirs.function.__code__


def _asked(
    base: type[Model], constants: Mapping[str, Any], names: Sequence[str], request: Request
) -> dict[str, int] | None:
    """The steps in which one search finds these properties broken; None if it does not decide them: the base is wrong,
    the time is over, or an error ends the search of several."""
    try:
        definition = define(base, constants, names)
        explored = explore(_search(definition, request, MOST_STATES))
        if explored.failures and len(names) > 1:
            return None
        found = ((p.name, _broken(definition, p, explored)) for p in definition.properties)
        return {name: steps for name, steps in found if steps is not None}
    except (UsageError, Undecided):
        return None


def _search(definition: Definition, request: Request, most: int) -> Request:
    """The search of the base, in this process."""
    engine = request.engine if declared(request.engine).interprets else "native"
    most = MOST_INTERPRETED if declared(engine).interprets else most
    names = [p.name for p in definition.properties]
    limits = evolve(request.limits, max_depth=None, max_states=most)
    alone = len(names) == 1
    return Request(definition, definition.name, names, engine, request.threads, limits, stop_at_first=alone)


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
