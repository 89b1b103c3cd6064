"""The values with which a user chooses instances of actions, `explain TRACE -- p2 m1.1`: each is a whole value.

A value that no instance has and no type contains is refused with those that it may stand for: part of a name chooses
nothing.  Where it stops: a number, and a value with parts, as `Stamp(1, p3)`, need only have their form.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from checker.language.definition import Definition
from checker.language.domains import IdsDomain
from checker.language.errors import UsageError, near
from checker.results.explained import Explanation
from checker.wording import listed

PLAIN = re.compile(r"[A-Za-z_][\w.]*")
SHOWN = 12


def require_values(words: Sequence[str], found: Explanation, definition: Definition) -> None:
    """Raise UsageError for a value that no instance in this state has and that no type of the model contains."""
    members = [str(m) for domain in definition.types.values() if isinstance(domain, IdsDomain) for m in domain]
    members += [str(m) for domain in definition.enums.values() for m in domain]
    instances = {*(v for r in found.refused for v in r.values), *(v for e in found.enabled for v in e.values)}
    known = {*members, *instances, "none", "true", "false"}
    for word in words:
        name = PLAIN.match(word)
        if word in known or name is None or (name[0] != word and name[0] in _with_parts(definition)):
            continue
        raise UsageError(f"nothing in the model is called {word}", remedy=_instead(word, members, known, definition))


def _with_parts(definition: Definition) -> set[str]:
    """The names with which a value with parts begins."""
    return {*definition.types, *(variant for d in definition.types.values() for variant in _variants(d))}


def _variants(domain: object) -> list[str]:
    return [variant.name for variant in getattr(domain, "variants", ())]


def _instead(word: str, members: Sequence[str], known: set[str], definition: Definition) -> str:
    """What a user may mean: an action, the values of which the word is a part, a similar value, any value."""
    if word in {action.name for action in definition.actions}:
        return f"It is an action: --action {word}."
    for values in dict.fromkeys(members), sorted(known):
        if parts := [value for value in values if word.lower() in value.lower()]:
            return f"It would match {listed(parts)}: write the whole value."
    some = f"Values are: {', '.join(members[:SHOWN])}{', ...' if len(members) > SHOWN else ''}."
    return near(word, members) or some
