"""The step that a class which repairs the property takes where a run ends without what is missing.

A missing value may need an action that the protocol does not have, or that is disabled in it.  The state at the end is
one of the repair too (`checker.replay.repaired`), and no step but faults is enabled there for the protocol.  The first
step is named that the repair takes, and after which it satisfies the property without a fault.

Where it stops: a repair with other variables is not followed, nor further than MOST_STATES states.  What a class states
is believed; that it satisfies the property from this state is executed.
"""

from __future__ import annotations

from checker.backends.interpreter.interpreter import Interpreter, Raw
from checker.language.definition import PropertyDefinition
from checker.replay.cited import cited, defined_at
from checker.replay.plain import instance_text
from checker.replay.repaired import comparable, others
from checker.replay.without_faults import without_faults

MOST, MOST_STATES = 3, 256
"""Classes that are asked; states that are looked at after a step of one."""


def repaired_end(interpreter: Interpreter, property: str, state: Raw) -> str:
    """This step in a sentence, with the line of its action; "" if there is none.  state: the last one of the run."""
    definition = interpreter.definition
    for other in list(dict.fromkeys(cls for _, cls in others(definition, property)))[:MOST]:
        repair = comparable(other, definition, property)
        if repair is None:
            continue
        for step in list(repair.steps(state)):
            if (
                not step.action.fault
                and step.after is not None
                and step.after != state
                and _satisfies(repair, repair.definition.properties[0], step.after)
            ):
                call = instance_text(step.action.name, [value for _, value in step.arguments])
                place = cited(defined_at(step.action.function)) if step.action.function is not None else ""
                return f"REPAIRED in {other.__name__}, where {property} holds: {call}{place} is enabled at the end"
    return ""


def _satisfies(repair: Interpreter, property: PropertyDefinition, start: Raw) -> bool:
    """Whether the repair comes from a state to one in which the property is true, without a fault."""
    return any(repair.violated(property, state) is False for state in without_faults(repair, start, MOST_STATES))
