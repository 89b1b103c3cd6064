"""The front end as a whole: a Definition to a lowered model.

Refusals of different actions and properties are collected; one error reports them all.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from attrs import evolve

from checker.frontend import assignments as _assignments  # noqa: F401
from checker.frontend import calls as _calls  # noqa: F401
from checker.frontend import (
    deliveries,
    faults,
    functions,
    gathering,
    initial,
    networks,
    overrides,
    statements,
    supported,
    uncalled,
    unused,
)
from checker.frontend import emitting as _emitting  # noqa: F401
from checker.frontend import patterns as _patterns  # noqa: F401
from checker.frontend.bindings import Stored
from checker.frontend.program import Program, program
from checker.frontend.refusal import Refused, together
from checker.frontend.scope import Body, Frame, Incomplete
from checker.frontend.source import Source

# these fill the tables of checker.frontend.lowering
from checker.ir import build
from checker.ir import expressions as e
from checker.ir import model as m
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.facts import callees, written
from checker.ir.footprints.crashing import MAY_CRASH
from checker.ir.symmetry import Unmergeable, symmetry_of
from checker.ir.validate import validate
from checker.ir.visit import walk
from checker.language.definition import ActionDefinition, Definition, PropertyDefinition
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.language.places import of_class

P = TypeVar("P")
T = TypeVar("T")
Requested = tuple[str, tuple[t.Type, ...]]  # a rule or helper, and the types of its arguments


def lower(
    definition: Definition,
    capacities: dict[str, int] | None = None,
    any_state: bool = False,
    requested: Iterable[Requested] = (),
    choosing: bool = False,
) -> m.Model:
    """Lower a model.

    `capacities` gives networks more room than the first guess.  `any_state`: the model will also run from unreachable
    states, in which processes have crashed that cannot crash.  `requested`: functions that the result must contain even
    if the model does not call them, as far as they can be lowered for these arguments.  `choosing`: the initial states
    choose who may crash, if crashes are possible and the model leaves them to the language.  Raises Refused if
    something is not in the language or does not fit its types.
    """
    requested = tuple(requested)
    whole = program(definition, capacities or {})
    whole.failing = whole.crashes > 0 or any_state and whole.has("crashed")
    whole.choosing = choosing and faults.can_be_chosen(whole)
    model = _model(whole, requested)
    if whole.choosing and "crashed" in whole.changed:  # some crash needs no budget, or begins with the run
        return lower(definition, capacities, any_state, requested)
    if whole.has("crashed") and not whole.failing and _writes(model, "crashed"):
        whole = program(definition, capacities or {})
        whole.failing = True
        model = _model(whole, requested)
    if definition.merges:
        model = _merging(model)
    validate(model)
    return model


def noted(definition: Definition) -> tuple[Program, m.Model]:
    """A model lowered for the information that its program records: the emitted events, the lines where compiled code
    has a smaller bound than Python, the domains of loops, quantifiers and choices (no generators: certainly empty),
    comparisons of numbers with the value that types decide, and what methods read and change.  Code that constants make
    unreachable is not recorded.  The model has all functions that are called there.
    """
    whole = program(definition, {})
    whole.failing = whole.crashes > 0
    model = _model(whole)
    return whole, evolve(model, functions=tuple(whole.functions.values()))


def _writes(model: m.Model, variable: str) -> bool:
    """Whether some action, or the method that makes the initial states, changes the variable; its declared initial
    value, which has no line, is no change.
    """
    changes = (
        x for a in (model.initial, *model.actions) for x in walk(a.body) if isinstance(x, s.Statement) and x.line
    )
    return any(isinstance(place := written(x), e.Variable) and place.name == variable for x in changes)


def _merging(model: m.Model) -> m.Model:
    try:
        return evolve(model, symmetry=symmetry_of(model.variables))
    except Unmergeable as error:
        remedy = "Leave symmetry=false, or make one of these types not symmetric."
        raise UsageError(str(error), remedy=remedy) from error


def _names_of(whole: Program, requested: Iterable[Requested]) -> set[str]:
    """The names of the requested functions, made if the model does not call them; without those that cannot be made."""
    found = set()
    for name, types in requested:
        with suppress(Refused, Incomplete):
            found.add(functions.requested(whole, name, types).name)
    return found


def _model(whole: Program, requested: Iterable[Requested] = ()) -> m.Model:
    definition = whole.definition
    starts = _collected(whole, lambda whole, _: initial.lower(whole), definition)
    actions = _collected(whole, _action, *definition.actions)
    properties = _collected(whole, _property, *definition.properties)
    constraints = _collected(
        whole, lambda w, c: _predicate(w, c.name, supported.checked(c.function), None).name, *definition.constraints
    )
    whole.refusals += unused.refusals(definition)
    if not whole.refusals:  # after a refusal many callees have not been lowered
        whole.refusals += uncalled.refusals(whole)
    if whole.refusals:
        raise together([overrides.at_the_edit(definition, _in_the_model(definition, r)) for r in whole.refusals])
    if exchanged := overrides.exchanged(definition):
        raise together(exchanged)
    names = _names_of(whole, requested)
    variables = tuple(m.StateVariable(v.name, whole.types[v.name]) for v in definition.variables)
    every = whole.named
    (start,) = starts
    kept = tuple(s.Require(0, e.Call(build.BOOL, c, ())) for c in constraints)
    if whole.choosing:
        variables += (m.StateVariable(MAY_CRASH, whole.types["crashed"]),)
        chosen = m.Parameter(MAY_CRASH, whole.types["crashed"])
        start = evolve(start, body=faults.chosen_at_the_start(whole) + start.body, locals=(*start.locals, chosen))
    start = evolve(start, body=start.body + kept)  # a state that does not satisfy a constraint is no initial state
    named = {*names, *constraints, *(name for p in properties for name in p.predicates)}
    bodies = (start.body, *(a.body for a in actions), *(every[name].body for name in sorted(named)))
    used = named | set(callees(bodies, every.__getitem__))
    kept_functions = tuple(f for f in every.values() if f.name in used)
    return m.Model(definition.name, variables, kept_functions, start, actions, properties, constraints)


def _collected(whole: Program, make: Callable[[Program, P], T], *each: P) -> tuple[T, ...]:
    """The results for all, and the refusals, which are added to the program."""
    made = []
    for one in each:
        try:
            made.append(make(whole, one))
        except Refused as refused:
            whole.refusals += [refused, *refused.others]
    return tuple(made)


def _in_the_model(definition: Definition, refused: Refused) -> Refused:
    """A missing name in a method of the language's own base classes is reported at the model, which must define it."""
    file = sys.modules[Model.__module__].__file__ or ""
    if Path(refused.file or "").resolve().parent != Path(file).parent:
        return refused
    place = of_class(definition.model)
    if place is None:
        return refused
    return evolve(refused, file=place.file, line=place.line, fragment=place.fragment)


def _action(whole: Program, action: ActionDefinition) -> m.Action:
    text = supported.checked(action.function) if action.function is not None else initial.nowhere(whole)
    body = Body(whole, pure=False)
    parameters = tuple(m.Parameter(p.name, p.domain.ir) for p in action.tried)
    body.used |= {p.name for p in parameters}
    for p in parameters:
        body.types.put(p.name, p.type)
    received: tuple[e.Expression, ...] = ()

    def once() -> None:
        nonlocal received
        frame = Frame(body, text, None, names={p.name: Stored(p.name) for p in parameters})
        body.frames.append(frame)
        received = _perform(frame, text, action)

    lowered = body.rounds(once)
    locals = tuple(m.Parameter(n, body.types[n]) for n in body.declared)
    return m.Action(action.name, parameters, locals, lowered, action.fault, text.node.lineno, received)


def _perform(f: Frame, text: Source, action: ActionDefinition) -> tuple[e.Expression, ...]:
    """Lower the effect of the action; the result is the message that it receives (see ir.model.Action)."""
    received: tuple[e.Expression, ...] = ()
    match action.kind:
        case "crash":
            process = e.Local(action.parameters[0].domain.ir, action.parameters[0].name)
            f.emit(s.Require(0, networks.alive(f, process)))
            f.emit(s.Require(0, faults.may_crash(f, process)))
            faults.fail(f, text.node, process)
            return ()
        case "lose" | "duplicate":
            deliveries.lose_or_duplicate(f, text.node, action)
            return ()
        case "receive" if action.quorum is not None:
            gathering.gather(f, text.node, action, action.quorum)
        case "receive":
            received = deliveries.receive(f, text.node, action)
        case _ if action.actor is not None:
            f.body.actor = e.Local(f.body.types[action.actor], action.actor)
    _alive(f, text.node)
    functions.shadow_parameters(f)
    statements.block(f, text.node.body)
    return received


def _alive(f: Frame, node: ast.AST) -> None:
    if f.body.actor is not None and f.program.has("crashed"):
        condition = networks.alive(f, f.body.actor)
        if condition != build.TRUE:
            f.emit(s.Require(getattr(node, "lineno", 0), condition, "not crashed"))


def _property(whole: Program, p: PropertyDefinition) -> m.Property:
    text = supported.checked(p.function)
    if p.kind == "leads-to":
        each = tuple(zip(_each(whole, p, f"{p.name}.when", p.when), _each(whole, p, p.name, p.function)))
        return m.Property(p.name, p.kind, each[0][1], text.node.lineno, each[0][0], each)
    function = _predicate(whole, p.name, text, p.owner, p.kind == "step")
    return m.Property(p.name, p.kind, function.name, text.node.lineno)


def _each(whole: Program, p: PropertyDefinition, name: str, function: Callable[..., object] | None) -> list[str]:
    """The predicate of a method of a leads-to property for each value of the parameters; without parameters it is the
    same for all.
    """
    assert function is not None
    text = supported.checked(function)
    domains = {q.name: q.domain for q in p.parameters}
    taken = [(a.arg, domains[a.arg]) for a in text.parameters]
    made = _predicate(whole, name, text, p.owner, given=[(n, e.Local(domain.ir, n)) for n, domain in taken])
    if not taken:
        return [made.name for _ in p.values()]
    names = []
    for values in p.values():
        body = Body(whole, pure=True)
        arguments = tuple(build.constant(domain.ir, domain.to_raw(values[n]), body.unique) for n, domain in taken)
        one = whole.name(f"{name}({', '.join(str(values[n]) for n, _ in taken)})")
        call = s.Return(text.node.lineno, e.Call(build.BOOL, made.name, arguments))
        whole.add(("property", one), m.Function(one, (), (), build.BOOL, (call,)))
        names.append(one)
    return names


def _predicate(
    whole: Program,
    name: str,
    text: Source,
    owner: str | None,
    step: bool = False,
    given: Sequence[tuple[str, e.Local]] = (),
) -> m.Function:
    if text.parameters and not given:
        raise text.refused(text.node, f"{name} takes parameters", "A property takes only self: quantify inside.")
    try:
        function = functions.make(whole, whole.name(name), text, owner, list(given), build.BOOL, step=step)
    except Incomplete:
        raise text.refused(text.node, f"{name} has no value", "Return a truth value.") from None
    return whole.add(("property", name), function)
