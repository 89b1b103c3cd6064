"""Which rule has another value in a step of a violation where another class of the same file keeps the property.

Such a class states that the property holds, and nowhere that it is violated.  If its docstring declares a repair, it is
made from the class of the run or from a protocol before it, with any constants; else from the class of the run, with
the constants of the run.  Its own rules count, where the run has the rule of the protocol that both are made from.

After these comes a class of the file that is made from neither, differs from the class of the run in nothing but
rules, and states that the property holds with the constants of the run, whatever it states with others; the one with
the fewest other rules first.

An edit or a reading does not count: the property may hold for another reason there.  Rules are compared in the same
state and with the same arguments.

Where it stops: what a class states is believed.  A class that changes the body of an action has no rule to compare.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator

from checker.backends.interpreter.interpreter import Interpreter, Raw, Step
from checker.catalogue import models_of
from checker.language.define import define
from checker.language.definition import Definition
from checker.language.errors import UsageError
from checker.language.expectation import Expectation
from checker.language.model import Model
from checker.replay.base import base_of, declared_kind, said_to_hold, shared_constants, stated_to_hold
from checker.replay.deciding import cut
from checker.replay.edited_rules import differing_rule, overridden
from checker.replay.nearest import different, members

OTHERWISE = ("edit", "reading")
"""What a class is declared to be that may keep a property for another reason than a repair."""


def repaired_rule(interpreter: Interpreter, states: tuple[Raw, Raw], step: Step, property: str) -> str:
    """The rule with both values, in a sentence; "" if there is none.  states: those before and after the step."""
    model = interpreter.definition.model
    for former, other in others(interpreter.definition, property):
        versions = overridden(model, other)
        if issubclass(other, former):
            shared, own = overridden(former, other), vars(other).values()
            versions = {c: v for c, v in versions.items() if c in shared and v[1] in own}
        ruling = differing_rule(interpreter, versions, *states, step.action.name)
        if ruling is not None:
            return ruling.sentence(f"in {other.__name__}, where {property} holds,", cut)
    return ""


def others(definition: Definition, property: str) -> Iterator[tuple[type[Model], type[Model]]]:
    """The classes that keep the property, each with the protocol that it is made from: the model, then those before;
    last those that are made from none of these, each with the model."""
    above: type[Model] | None = definition.model
    found = set[type[Model]]()
    while above is not None:
        below = [c for c in _beside(above) if c is not above and issubclass(c, above)]
        for other in sorted(below, key=lambda c: (not _is_repair(c), len(c.__mro__))):
            if not issubclass(definition.model, other) and _keeps(other, definition, property):
                found.add(other)
                yield above, other
        above = base_of(above)
    own = members(definition.model)
    apart = (c for c in _beside(definition.model) if c not in found and _keeps_alike(c, definition, property))
    yield from ((definition.model, c) for c in sorted(apart, key=lambda c: len(different(members(c), own))))


def _beside(cls: type[Model]) -> list[type[Model]]:
    """The models of the file of a class."""
    module = sys.modules.get(cls.__module__)  # none where a program made the class
    return [] if module is None else models_of(module)


def _is_repair(cls: type[Model]) -> bool:
    return declared_kind(cls) == "repair"


def _keeps(cls: type[Model], definition: Definition, property: str) -> bool:
    """Whether a class that is made from the model, or before it, states that the property holds, and nowhere that it is
    violated."""
    about = stated_to_hold(cls, property)
    if _is_repair(cls):
        return bool(about)
    own = issubclass(cls, definition.model) and declared_kind(cls) not in OTHERWISE
    return own and any(_is_alike(cls, e, definition) for e in about)


def _keeps_alike(cls: type[Model], definition: Definition, property: str) -> bool:
    """Whether a class that is no version of the model, but has its property and differs in rules alone, states that the
    property holds with the constants of the run."""
    model = definition.model
    if issubclass(cls, model) or issubclass(model, cls) or declared_kind(cls) in OTHERWISE:
        return False
    listed = [[p for p in c.properties if p.__name__ == property] for c in (model, cls)]
    defined = [inspect.getattr_static(c, property, None) for c in (model, cls)]
    rules = {before.__name__ for before, _ in overridden(model, cls).values()}
    if listed[0] != listed[1] or defined[0] is not defined[1] or not different(members(cls), members(model)) <= rules:
        return False
    return any(_is_alike(cls, stated, definition) for stated in said_to_hold(cls, property))


def _is_alike(cls: type[Model], stated: Expectation, definition: Definition) -> bool:
    """Whether an expectation is about the constants of the run."""
    try:
        constants = define(cls, stated.at).constants
    except UsageError:  # it is refused where the class is checked
        return False
    return all(constants[name] == value for name, value in definition.constants.items() if name in constants)


def comparable(cls: type[Model], definition: Definition, property: str) -> Interpreter | None:
    """The interpreter of a class that has the variables of the run; None if it has others."""
    try:
        found = define(cls, shared_constants(cls, definition.constants), [property])
    except UsageError:
        return None
    mine = define(definition.model, definition.constants, [property])
    same = [(v.name, v.domain.ir) for v in found.variables] == [(v.name, v.domain.ir) for v in mine.variables]
    return Interpreter(found) if same else None
