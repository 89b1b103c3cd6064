"""What makes a model or a property vacuous over all states of its types, reachable or not.

A property that follows from the types alone constrains no protocol.  An action that no state enables cannot occur. A
part of a guard that is true in every state in which it is evaluated has no effect; a part that is false in every such
state disables every step.  A rule that has one value in every state, whatever its arguments, is a constant.  All of
this holds for the given constants.  A question that is not decided in time is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

import z3
from attrs import frozen

from checker.backends.smt import scalars as c
from checker.backends.smt.clock import Clock, TimeUp
from checker.backends.smt.environment import Guard, Unsupported
from checker.backends.smt.statements import apply
from checker.backends.smt.system import System, Truth, term
from checker.ir import types as t
from checker.ir.model import Function, Property


@frozen
class Hollow:
    """kind: idle (property), dead (action), open or shut (a part of the guard of `subject`), constant (rule); text: the
    part, or the value; line of the part."""

    kind: str
    subject: str
    text: str = ""
    line: int = 0


def hollow(system: System, properties: Iterable[Property], rules: Iterable[str]) -> tuple[list[Hollow], bool]:
    """The vacuous parts, and whether all were examined within the time of the system's clock.  rules: the functions to
    examine.
    """
    found: list[Hollow] = []
    try:
        for item in chain(idle(system, properties), _guards(system), _constant(system, rules)):
            found.append(item)
    except TimeUp:
        return found, False
    return found, True


def _impossible(clock: Clock, *conditions: c.Bit) -> bool:
    """Whether no state satisfies the conditions together; raises TimeUp once the time is over."""
    condition = c.conjunction(conditions)
    if isinstance(condition, bool):
        return not condition
    solver = z3.SolverFor("QF_FD")
    solver.add(term(condition))
    return not clock.satisfiable(solver)


def idle(system: System, properties: Iterable[Property]) -> Iterator[Hollow]:
    """Properties that hold in every state of the types, those of steps from every state to every other.  A leads-to
    property is one where `then` is true already wherever `when` is; a reachable one where any state shows it.
    """
    for p in properties:
        if _impossible(system.clock, *_counterexample(system, p)):
            yield Hollow("idle", p.name)


def _counterexample(system: System, p: Property) -> list[c.Bit]:
    """The conditions that any state, or pair of states, meets that decides a property otherwise."""
    state = system.state("any")
    conditions = [system.valid(state)]
    before = system.state("any before") if p.kind == "step" else None
    if before is not None:
        conditions.append(system.valid(before))
    found = list[c.Bit]()
    for when, then in p.each or ((p.when, p.function),):
        asked = Truth(True, False, False) if not when else system.truth(when, state)
        claim = system.truth(then, state, before)
        wrong = c.disjunction([c.negation(claim.value), claim.failing, claim.left_out])
        found += [asked.failing, asked.left_out, c.conjunction([asked.value, wrong])]
    return [*conditions, c.disjunction(found)]


def _guards(system: System) -> Iterator[Hollow]:
    """Actions that are never enabled, the parts of guards that are false wherever they are evaluated, and those of
    other actions that are true wherever they are evaluated.
    """
    relation = system.relation()
    valid = system.valid(relation.before)
    for instance in relation.instances:
        dead = _impossible(system.clock, valid, c.disjunction([instance.taken, instance.failing, instance.left_out]))
        if dead:
            yield Hollow("dead", instance.action.name)
        for (line, text), guards in _by_place(instance.guards).items():
            reached = [g.reached for g in guards]
            if _impossible(system.clock, valid, c.disjunction(reached)):
                continue  # never reached: a branch that is not taken
            if not dead and _impossible(
                system.clock, valid, c.disjunction(c.conjunction([g.reached, c.negation(g.holds)]) for g in guards)
            ):
                yield Hollow("open", instance.action.name, text, line)
            elif _impossible(system.clock, valid, c.disjunction(c.conjunction([g.reached, g.holds]) for g in guards)):
                yield Hollow("shut", instance.action.name, text, line)


def _by_place(guards: Iterable[Guard]) -> dict[tuple[int, str], list[Guard]]:
    """The parts of guards in the model's own text, those in a loop or a shared procedure together; parts that constants
    decide are left out.
    """
    found: dict[tuple[int, str], list[Guard]] = {}
    for guard in guards:
        if guard.text and guard.text != NOT_CRASHED:
            found.setdefault((guard.line, guard.text), []).append(guard)
    return {place: parts for place, parts in found.items() if not all(isinstance(g.holds, bool) for g in parts)}


NOT_CRASHED = "not crashed"  # the condition of the language that a process has not crashed


def _constant(system: System, rules: Iterable[str]) -> Iterator[Hollow]:
    """Rules that have one value in every state."""
    for name in rules:
        function = system.model.function(name)
        if not isinstance(function.result, t.Bool):
            continue
        try:
            value, outside = _value(system, function)
        except Unsupported:
            continue
        for wanted, text in ((True, "true"), (False, "false")):
            if _impossible(
                system.clock, *outside[:-1], c.disjunction([outside[-1], c.negation(c.same_truth(value, wanted))])
            ):
                yield Hollow("constant", name, text)
                break


def _value(system: System, function: Function) -> tuple[Any, list[c.Bit]]:
    """A rule with unknown arguments in an unknown state; then the condition on these unknowns, and last the condition
    under which the rule has no known value.
    """
    state = system.state("any")
    x = system.environment(state, state, "rule|")
    arguments = [x.run.unknown(p.type, p.name) for p in function.parameters]
    given = list(x.run.assumptions)
    value = apply(x, function, arguments)
    return value, [system.valid(state), *given, c.disjunction([*(e.condition for e in x.run.errors), *x.run.exceeded])]
