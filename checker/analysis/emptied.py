"""Properties that say nothing any more after a change, and said something before: their antecedent is never satisfied,
or they follow from the types alone.

The model of today keeps such a property as it was, so that no search finds the difference: the next change may break
it, and nothing would say so.

Where it stops: whether a property follows from the types is decided by z3 in SECONDS; without z3 only a property is
found that returns True and nothing else. A property that is weaker and still says something is none of these.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Collection, Iterator, Mapping

from checker.analysis.check import Examined
from checker.analysis.coverage import with_conditions
from checker.analysis.prove.prove import NETWORK
from checker.analysis.vacuity.states import with_states
from checker.frontend.lower import lower
from checker.ir import statements as s
from checker.ir.build import TRUE
from checker.ir.visit import walk
from checker.language.define import define
from checker.language.definition import Definition
from checker.language.errors import Undecided, UsageError

SECONDS = 5.0
STATES = 200_000  # beyond them the states are not looked at again


def never_tested(examined: Examined, former: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The properties of a model whose antecedent its states never satisfy, where they satisfy that of the former one.
    former: the name of the former property of each, by its own."""
    if not examined.explored.complete or examined.explored.distinct > STATES:
        return
    try:
        findings = with_conditions(with_states(examined), False).findings
    except (UsageError, Undecided):
        return
    untested = {f.subject: f.text for f in findings if f.kind == "never-tested"}
    for name, was in former.items():
        if name in untested and was not in untested:
            yield name, f"{name} was changed, and says nothing now: {untested[name]}"


def following_from_types(before: Definition, now: Definition, names: Collection[str]) -> Iterator[tuple[str, str]]:
    """Those of the properties that follow from the types today, and did not before, in words."""
    decided = _idle if importlib.util.find_spec("z3") is not None else _constant
    today = _constant(now, names) | decided(now, names)
    for name in sorted(today - _constant(before, today) - decided(before, today)):
        yield name, f"{name} was changed, and says nothing now: it follows from the types alone"


def _constant(side: Definition, names: Collection[str]) -> set[str]:
    """Those whose text returns True and nothing else."""
    if not names:
        return set()
    model = lower(define(side.model, side.constants, names))

    def is_true(function: str) -> bool:
        body = model.function(function).body
        return all(n.value == TRUE for n in walk(body) if isinstance(n, s.Return))

    return {p.name for p in model.properties if all(is_true(then) for _, then in p.each or (("", p.function),))}


def _idle(side: Definition, names: Collection[str]) -> set[str]:
    if not names:
        return set()
    from checker.backends.smt.clock import Clock, TimeUp
    from checker.backends.smt.environment import Unsupported
    from checker.backends.smt.system import System
    from checker.backends.smt.vacuity import idle

    definition = define(side.model, side.constants, names)
    networks = {v.name: NETWORK for v in definition.variables if v.network is not None}
    found = set[str]()
    try:
        system = System(lower(definition, networks, any_state=True), clock=Clock.of(SECONDS))
        for one in idle(system, system.model.properties):
            found.add(one.subject)
    except (UsageError, Unsupported, TimeUp):
        pass
    return found
