"""The values, at the end of a run, of the rules that the violated property asks of a process.

A property may state something about what a rule says of each process, and read no variable of a process.  Then the
process has no value at the end that shows the contradiction, and the value of the rule is shown.

Where it stops: only rules with the process as their only parameter, which the property itself calls; truths are left
out, as the sentence about the violation has them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import CodeType
from typing import Any

from checker.backends.interpreter.interpreter import Interpreter, Raw
from checker.language.definition import MethodDefinition, PropertyDefinition
from checker.language.domains import Domain
from checker.replay.plain import value_text


def values_of_rules(
    interpreter: Interpreter, property: PropertyDefinition, state: Raw, acting: Sequence[Domain], lanes: Collection[str]
) -> Mapping[str, str]:
    """For each of these lanes the rules with their values, as text; nothing for a lane without one."""
    named, definition = names_in(property.function.__code__), interpreter.definition
    rules = [m for m in definition.methods.values() if m.rule and m.owner is None and m.name in named]
    asked = [m for m in rules if len(m.parameters) == 1 and m.parameters[0][1] in acting]
    model, found = interpreter.viewpoint(state), dict[str, str]()
    for domain in acting if asked else ():
        for member in domain:
            lane = value_text(member)
            own = (m for m in asked if m.parameters[0][1] == domain)
            texts = [text for m in own if (text := _in_words(m, model, member))]
            if lane in lanes and texts:
                found[lane] = ", ".join(texts)
    return found


def _in_words(rule: MethodDefinition, model: Any, member: Any) -> str:
    """The name of a rule and its value; "" of a truth, and of a rule that has no value here."""
    try:
        value = rule.function(model, member)
    except Exception:  # the property may ask it under a condition that is false here
        return ""
    return "" if isinstance(value, bool) else f"{rule.name} {value_text(value)}"


def names_in(code: CodeType) -> set[str]:
    """The names that a function has, also in the comprehensions inside it and inside those."""
    inner = (constant for constant in code.co_consts if isinstance(constant, CodeType))
    return set(code.co_names).union(*map(names_in, inner))
