"""Code without effect in a search: a branch of an `if` that no step executes, a variable that is assigned and never
changes.

A handler that must consume every message has its condition under an `if`, not in a guard.  Where that condition is
never true, the handler is enabled, does nothing, and every safety property holds.  Each branch that changes the state
is replaced by a failing assertion in a copy of its action, which ends there, and the states are expanded once more: no
step executes a branch whose assertion never fails.

Not examined are branches that say nothing about the protocol: branches of faults, of properties, and of actions that
are never enabled (another finding); branches inside another unexecuted one; branches that change no variable (`return`,
`pass`, an assertion); and branches that a switch between versions of a protocol decides (`if self.early():`, where a
rule without parameters reads no variable).  A branch is one place of the source: it is executed if it is executed under
any caller.  Where it stops: after a reduced search nothing is claimed, because it may leave out the steps that execute
a branch; `match`, conditional expressions and loops are not examined; with symmetry reduction, a variable whose type
contains symmetric identities is not examined.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from attrs import evolve

from checker.engines.survey import Survey
from checker.frozen import frozen
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.build import FALSE
from checker.ir.facts import variables_read, writes_state, written
from checker.ir.model import Action, Model
from checker.ir.visit import bodies, walk
from checker.language.definition import Definition
from checker.language.places import is_own
from checker.results.vacuity import Vacuity, own_words

Body = tuple[s.Statement, ...]
ENDS = s.Leave | s.Stop | s.Break | s.Continue
NO_TEXT = ("", "", "")
SIDES = {
    "then": ("is never true", "what is under its `if` is never executed"),
    "else": ("is never false", "what is under its `else` or `elif` is never executed"),
    "rest": ("is never false", "what follows its `if` is never executed"),
}


@frozen
class Place:
    """A branch of the source: the method and the place of its `if`, the condition, and which side (of SIDES)."""

    method: str
    where: str
    condition: str
    side: str

    @property
    def name(self) -> str:
        """A name that identifies the place."""
        return f"{self.where} {self.side}"


@frozen(eq=False)
class Branch:
    """An occurrence of a place in an action.  outer: the places that contain it; probe: the action up to the branch,
    with an assertion of its name that fails in place of the branch.
    """

    place: Place
    condition: e.Expression
    outer: tuple[Place, ...]
    probe: Action


def unexecuted(survey: Survey) -> Iterator[Vacuity]:
    """Branches that no step executes.  The search must have been complete, and not reduced."""
    model = survey.kernel.model
    branches = (b for action in _taken(survey) for b in _branches(action, action.body, ()))
    found = [b for b in branches if not _switched(model, b.condition)]
    names = {b.place.name for b in found}
    if not names:
        return
    probes = tuple(evolve(b.probe, name=f"{b.probe.name} {i}") for i, b in enumerate(found))
    probed = evolve(model, actions=probes, properties=(), constraints=())
    executed = survey.first_levels(probed, "assert", names)
    dead = {b.place for b in found if b.place.name not in executed}
    shown = (b.place for b in found if b.place in dead and dead.isdisjoint(b.outer))
    for place in dict.fromkeys(shown):
        value, effect = SIDES[place.side]
        never = f"{place.where}: '{own_words(place.condition)}' {value}"
        yield Vacuity("never-executed", place.name, f"{never}: {effect}", never, (place.method,))


def unchanged(definition: Definition, survey: Survey) -> Iterator[Vacuity]:
    """Variables of the model's own classes that have one value in all states.  Only assignments in actions that are
    taken count. The search must have been complete, and not reduced.
    """
    model = survey.kernel.model
    merged = set(model.symmetry.types) if model.symmetry is not None else set()
    taken = list(_taken(survey))
    assigned = _assigned(taken) - _assigned(a for a in model.actions if a not in taken)
    own = {n for c in definition.model.__mro__ if not is_own(c.__module__) for n in vars(c)}
    candidates = {v.name for v in definition.variables if v.network is None and v.owner is None} & assigned & own
    for v in model.variables:
        identities = {part.name for part in t.walk(v.type) if isinstance(part, t.Ids)}
        if v.name in candidates and merged.isdisjoint(identities) and survey.constant([v.name]):
            yield Vacuity(
                "never-changed", v.name, f"the variable {v.name} never changes: no step gives it another value"
            )


def _assigned(actions: Iterable[Action]) -> set[str]:
    """The variables that these statements write."""
    return {place.name for a in actions for n in walk(a.body) if isinstance(place := written(n), e.Variable)}


def _switched(model: Model, condition: e.Expression) -> bool:
    """Whether the condition calls a rule without parameters that reads no variable: such a rule has one value in all
    states.
    """
    asked = (n.function for n in walk(condition) if isinstance(n, e.Call) and not n.arguments)
    return any(not variables_read(model, model.function(name)) for name in asked)


def _taken(survey: Survey) -> Iterator[Action]:
    """The actions of the protocol that were taken."""
    return (a for a, steps in zip(survey.kernel.model.actions, survey.taken) if steps and not a.fault)


def _branches(action: Action, body: Body, outer: tuple[Place, ...]) -> Iterator[Branch]:
    """The branches of a body in the action."""
    for i, node in enumerate(body):
        if not isinstance(node, s.If):
            for part in bodies(node):
                yield from _branches(action, part, outer)
            continue
        for side, inside, probe in _sides(node, body[i + 1 :]):
            place, within = Place(*node.text, side), outer
            if node.text != NO_TEXT and writes_state(inside):
                yield Branch(place, node.condition, outer, _ending(action, node, probe))
                within = (*outer, place)
            if side == "rest":
                outer = within
            else:
                yield from _branches(action, inside, within)


def _sides(node: s.If, after: Body) -> Iterator[tuple[str, Body, Body]]:
    """Each branch of an `if` with its statements, and the statements that replace the `if` and everything after it in
    its probe.
    """
    name = Place(*node.text, "")
    fails = {side: (s.Assert(node.line, FALSE, evolve(name, side=side).name),) for side in SIDES}
    yield "then", node.then, (evolve(node, then=fails["then"]),)
    if node.other:
        yield "else", node.other, (evolve(node, other=fails["else"]),)
    elif node.then and isinstance(node.then[-1], ENDS):
        yield "rest", after, (node, *fails["rest"])


def _ending(action: Action, node: s.If, probe: Body) -> Action:
    """The action with the given statements in place of one.  What follows in a loop stays, because later rounds need
    it; what follows at the outermost level has no effect any more.
    """
    place = next(i for i, statement in enumerate(action.body) if any(n is node for n in walk(statement)))
    return evolve(action, body=_instead(action.body[: place + 1], node, probe))


def _instead(body: Body, node: s.If, probe: Body) -> Body:
    found: list[s.Statement] = []
    for statement in body:
        if statement is node:
            found += probe
            if isinstance(probe[-1], s.Assert):
                break
        else:
            inside = [n for n in ("then", "other", "body") if hasattr(statement, n)]
            changed: dict[str, Any] = {n: _instead(getattr(statement, n), node, probe) for n in inside}
            found.append(evolve(statement, **changed))
    return tuple(found)
