"""The sentences about a run that violates a property, in the property's own words: its claim, what its `explain` says,
and of a leads-to property what never comes and what the run does instead.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import field

from checker.backends.interpreter.interpreter import Interpreter, Raw
from checker.backends.interpreter.witness import witness
from checker.frozen import frozen
from checker.language.definition import Definition, PropertyDefinition
from checker.replay.guards import reason
from checker.replay.plain import plain
from checker.trace.values import FrozenMap, show
from checker.wording import first_paragraph, first_sentence

EMPTY = re.compile(r"\b(?:frozen)?set\(\)")


def explained(property: PropertyDefinition, viewpoint: Any, values: Mapping[str, Any]) -> str | None:
    """The sentence that the property's own `explain` returns; None if there is none, or if it needs an unknown
    value."""
    if property.explain is None:
        return None
    wanted = list(inspect.signature(property.explain).parameters)[1:]
    if not all(n in values for n in wanted):
        return None
    return EMPTY.sub("{}", property.explain(viewpoint, **{n: values[n] for n in wanted}))


def claim_of(definition: Definition, property: PropertyDefinition) -> str:
    """The claim of a property: the first sentence of its docstring; "" without one."""
    owners = [p for p in definition.model.properties if p.__name__ == property.name]
    described = vars(owners[0]).get("__doc__") if owners else property.function.__doc__
    return first_sentence(first_paragraph(inspect.cleandoc(described or "")))


@frozen
class Finding:
    """How a property is violated: a sentence, the values in it, the part of it that has the values ("": all of it), and
    whether it begins with what the property asks."""

    sentence: str = ""
    values: FrozenMap = field(converter=FrozenMap, factory=FrozenMap)
    formula: str = ""
    asks: bool = False


def waiting(
    interpreter: Interpreter,
    property: PropertyDefinition,
    states: Sequence[Raw],
    loop: int | None,
    values: Mapping[str, Any],
) -> dict[str, Any]:
    """Of a leads-to property without parameters the element for which its consequent stays false, by variable: the same
    in all states that repeat.  loop: the first of them; values: those of the parameters."""
    if values:
        return {}
    repeated = states[-1:] if loop is None else states[loop:]
    found = [witness(property.function, interpreter.viewpoint(s, property.owner)) for s in repeated]
    elements = [{} if one is None else {n: plain(v) for n, v in one.values.items()} for one in found]
    return elements[0] if all(one == elements[0] for one in elements) else {}


def never_comes(
    interpreter: Interpreter,
    property: PropertyDefinition,
    states: Sequence[Raw],
    loop: int | None,
    values: Mapping[str, Any],
) -> Finding:
    """How a run breaks a leads-to property; the arguments are those of `waiting`."""
    viewpoint = interpreter.viewpoint(states[-1], property.owner)
    if (told := explained(property, viewpoint, values)) is not None:
        return Finding(f"{told.removesuffix('.')}: {_instead(interpreter, states, loop)}")
    owners = (p for p in interpreter.definition.model.properties if p.__name__ == property.name)
    paragraph = next((first_paragraph(inspect.cleandoc(vars(p).get("__doc__") or "")) for p in owners), "")
    element = " and ".join(f"{n} = {show(plain(v))}" for n, v in values.items())
    element = f" for {element}" if element else ""
    start = f"What {property.name} promises{element} never comes"
    if paragraph:
        start = f"{paragraph.removesuffix('.')}. Not here{element}"
    formula = _instead(interpreter, states, loop)
    if waiting(interpreter, property, states, loop, values):
        formula = f"{reason(viewpoint, property.function.__name__)}; {formula}"
    return Finding(f"{start}: {formula}", formula=formula * bool(paragraph and not element), asks=bool(paragraph))


def _instead(interpreter: Interpreter, states: Sequence[Raw], loop: int | None) -> str:
    """What the run does instead: it repeats steps, or ends."""
    last = len(states) - 1
    if loop is not None:
        repeated = f"step {last}" if loop + 1 == last else f"steps {loop + 1} to {last}"
        return f"the run repeats {repeated} for ever, and is weakly fair."
    steps = list(interpreter.steps(states[-1]))
    after = f"after step {last}" if last else "from the start"
    if unfair := dict.fromkeys(s.action.name for s in steps if s.progress):
        be, need = ("is", "it") if len(unfair) == 1 else ("are", "they")
        return f"{after} only {', '.join(unfair)} {be} enabled, and {need} need not happen (fair=False)."
    return f"{after} nothing {'but faults' if steps else 'more'} can happen."
