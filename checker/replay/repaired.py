"""Which rule has another value in a step of a violation where another class of the same file keeps the property.

Such a class states that the property holds, and nowhere that it is violated.  If its docstring begins with "REPAIR" or
"The repair", it is made from the class of the run or from a protocol before it, with any constants; else from the class
of the run, with the constants of the run.  An EDIT or a READING does not count: the property may hold for another
reason there.  Only its own rules count, where the run has the rule of the protocol that both are made from.  They are
compared in the same state and with the same arguments; repairs come first, then the nearest class.

Where it stops: what a class states is believed.  A class that changes the body of an action has no rule to compare.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from checker.backends.interpreter.interpreter import Interpreter, Raw, Step
from checker.catalogue import models_of
from checker.language.define import define
from checker.language.definition import Definition
from checker.language.errors import UsageError
from checker.language.expectation import Expectation
from checker.language.model import Model
from checker.replay.base import base_of, stated_to_hold
from checker.replay.deciding import cut
from checker.replay.edited_rules import differing_rule, overridden
from checker.wording import first_paragraph

REPAIR = re.compile(r"(REPAIR|The repair)\b")
OTHER = re.compile(r"[A-Z]{2,}\b")


def repaired_rule(interpreter: Interpreter, states: tuple[Raw, Raw], step: Step, property: str) -> str:
    """The rule with both values, in a sentence; "" if there is none.  states: those before and after the step."""
    model = interpreter.definition.model
    for former, other in others(interpreter.definition, property):
        shared, own = overridden(former, other), vars(other).values()
        versions = {c: v for c, v in overridden(model, other).items() if c in shared and v[1] in own}
        ruling = differing_rule(interpreter, versions, *states, step.action.name)
        if ruling is not None:
            return ruling.sentence(f"in {other.__name__}, where {property} holds,", cut)
    return ""


def others(definition: Definition, property: str) -> Iterator[tuple[type[Model], type[Model]]]:
    """The classes that keep the property, each with the protocol that it is made from: the model, then those before."""
    above: type[Model] | None = definition.model
    while above is not None:
        module = sys.modules.get(above.__module__)  # none where a program made the class
        models = [] if module is None else models_of(module)
        below = [c for c in models if c is not above and issubclass(c, above)]
        for other in sorted(below, key=lambda c: (not _is_repair(c), len(c.__mro__))):
            if not issubclass(definition.model, other) and _keeps(other, definition, property):
                yield above, other
        above = base_of(above)


def _is_repair(cls: type[Model]) -> bool:
    return REPAIR.match(first_paragraph(vars(cls).get("__doc__"))) is not None


def _keeps(cls: type[Model], definition: Definition, property: str) -> bool:
    """Whether a class states that the property holds, and nowhere that it is violated."""
    about = stated_to_hold(cls, property)
    if _is_repair(cls):
        return bool(about)
    changes = OTHER.match(first_paragraph(vars(cls).get("__doc__"))) is not None
    own = issubclass(cls, definition.model) and not changes
    return own and any(_is_alike(cls, e, definition) for e in about)


def _is_alike(cls: type[Model], stated: Expectation, definition: Definition) -> bool:
    """Whether an expectation is about the constants of the run."""
    try:
        constants = define(cls, stated.at).constants
    except UsageError:  # it is refused where the class is checked
        return False
    return all(constants[name] == value for name, value in definition.constants.items() if name in constants)
