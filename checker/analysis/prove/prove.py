"""`checker prove`: z3 decides a property for runs of every length by induction, or for runs of at most k steps.

Unlike the search, a proof does not enumerate states.  z3 decides whether any state of the types that satisfies the
property, reachable or not, has a step to a state that does not.  If there is such a step, the two states are shown:
either they are reachable (then the property is false), or a further invariant excludes them.  The interpreter executes
every run before it is shown.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve

from checker.analysis.prove.beside import LIMITS, seen
from checker.analysis.prove.known import with_known
from checker.analysis.prove.vacuity import warnings
from checker.backends.interpreter.interpreter import Failure, Interpreter
from checker.frontend.lower import lower
from checker.ir.model import Property
from checker.language.define import define
from checker.language.definition import Definition
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.replay.replay import Replay
from checker.replay.traced import Shown
from checker.results.exit_codes import INCONCLUSIVE
from checker.results.proof import Proof
from checker.results.verdict import Proved
from checker.trace.trace import Trace
from checker.validation.lowered import validated_lowering
from checker.wording import counted

KINDS = ("invariant", "step", "quiescence")
ALWAYS = ("invariant", "step")  # proved where no property is named
OTHERS = {"leads-to": "whole fair runs", "reachable": "some run"}
REMEDIES = {
    "leads-to": "`checker check` decides it on the graph of all reachable states, and shows a run that stops or a "
    "lasso.",
    "reachable": "`checker check` looks for a shortest run that shows it.",
}
VACUITY_SECONDS = 5.0  # for what makes a statement vacuous
NETWORK = 4  # messages in flight that are provided for
INDUCTION = "a counterexample to induction: the first state satisfies everything assumed, but need not be reachable"


def prove(
    cls: type[Model],
    reference: str,
    constants: Mapping[str, Any] | None = None,
    *,
    properties: Sequence[str] | None = None,
    using: Sequence[str] = (),
    depth: int = 3,
    induction: bool = True,
    network: int = NETWORK,
    timeout: float | None = None,
    vacuity: float = VACUITY_SECONDS,
    progress: Callable[[str], None] = lambda text: None,
) -> Proof:
    """Prove invariants, step invariants and quiescence properties, assuming the properties `using` as well.

    Raises UsageError for other kinds of properties, or without z3.
    """
    needs_z3()
    from checker.backends.smt.bounded import Goal, bounded, inductive
    from checker.backends.smt.clock import Clock
    from checker.backends.smt.environment import Unsupported
    from checker.backends.smt.system import System
    from checker.validation.formulas import Formulas

    start, clock = time.monotonic(), Clock.of(timeout)
    definition = define(cls, constants, _selected(cls, constants, properties, using))
    model = lower(definition, {v.name: network for v in definition.variables if v.network is not None}, any_state=True)
    goals = tuple(p for p in model.properties if p.name not in using)
    system = System(model, clock=clock)
    known, facts = list[str](), list[str]()
    try:
        if induction:
            progress("what the base classes make true")
            system, facts, known = with_known(definition, model, system)
        helpers = tuple(p for p in model.properties if p.name in using)
        goal = Goal(system, goals, (*helpers, *(Property(f, "invariant", f) for f in facts)))
        answer = (inductive if induction else bounded)(system, goal, depth, progress)
        progress("what makes the statement vacuous")
        vacuous = tuple(warnings(definition, system, goals, depth, vacuity)) if vacuity > 0 else ()
    except Unsupported as error:
        raise UsageError(f"{reference}: {error}", remedy="Use `checker check`.") from None
    in_time = answer.verdict is not Proved.TIMEOUT
    formulas = Formulas(definition, system.also((), Clock()), in_time, time.monotonic() - start)
    validation = None
    if in_time or answer.base >= 0:  # else nothing was decided, and nothing rests on the model
        progress("the lowered model against the interpreter")
        validation = validated_lowering(definition, model, formulas)
    trace = None if answer.run is None else _trace(definition, reference, answer, [p.name for p in goals])
    verdict = Proved.BOUNDED if answer.verdict is Proved.OPEN and not induction else answer.verdict
    names, conditions = tuple(p.name for p in goals), tuple(_conditions(answer, using, network))
    found = verdict, answer.depth, answer.base, trace, conditions, answer.left_out, vacuous
    seconds, confirmed = time.monotonic() - start, (formulas.compared, formulas.related)
    others = tuple(f"{p.name} ({p.kind})" for p in define(cls, constants).properties if p.name not in (*names, *using))
    proof = Proof(reference, definition.constants, names, tuple(using), *found, seconds, validation, confirmed)
    proof = evolve(proof, not_looked_at=others, known=tuple(known))
    if proof.exit_code != INCONCLUSIVE or clock.over(LIMITS.max_seconds or 0):
        return proof
    progress("how many states there are")
    return evolve(proof, seen=seen(cls, definition.constants, reference))


def needs_z3() -> None:
    """Raise UsageError if z3 is not installed."""
    if importlib.util.find_spec("z3") is None:
        raise UsageError("z3 is not installed", remedy="pip install z3-solver")


def _selected(
    cls: type[Model], constants: Mapping[str, Any] | None, properties: Sequence[str] | None, using: Sequence[str]
) -> list[str]:
    """The properties to lower: the named ones (default: all that can be proved), and the assumed ones."""
    known = {p.name: p.kind for p in define(cls, constants).properties}
    for name in (*(properties or ()), *using):
        if name not in known:
            raise UsageError(f"{cls.__name__} has no property {name}", remedy=f"It has: {', '.join(known) or 'none'}.")
        if known[name] not in KINDS:
            what = f"{name} is of kind {known[name]}, which speaks of {OTHERS[known[name]]}"
            raise UsageError(f"{what}: induction over states does not decide it", remedy=REMEDIES[known[name]])
    wanted = list(properties) if properties else [n for n, kind in known.items() if kind in ALWAYS and n not in using]
    if not wanted:
        remedy = "`checker check` decides the other kinds of properties."
        raise UsageError(f"{cls.__name__} has no invariant to prove", remedy=remedy)
    return [n for n in known if n in wanted or n in using]


def _conditions(answer: Any, using: Sequence[str], network: int) -> Iterator[str]:
    if answer.left_out:
        few = f"at most {counted(network, 'message')} in flight on each network"
        yield f"as far as {few} and loops end within the rounds unrolled (raise --network)"
    if using and answer.verdict is Proved.PROVED:
        yield f"given that {', '.join(using)} hold"


def _trace(definition: Definition, reference: str, answer: Any, goals: Sequence[str]) -> Trace:
    """The run found, executed in the interpreter."""
    replay = Replay(Interpreter(definition), reference, "smt")
    path = [tuple(state[v.name] for v in definition.variables) for state in answer.run.states]
    violated = answer.verdict is Proved.VIOLATED
    if violated and answer.run.failing:
        return replay.trace(path, _failure(replay.interpreter, path[-1]))
    before = path[-2] if len(path) > 1 else None
    asked = (p for n in goals for p in definition.properties if p.name == n)
    shown = next(p for p in asked if replay.interpreter.broken(p, path[-1], before) is not False)
    if violated:
        shorter = f", no run of fewer than {counted(len(path) - 1, 'step')}" if len(path) > 1 else ""
        claim = f"bounded model checking{shorter}"
        return replay.trace(path, Shown(shown.kind, shown.name), claim)
    found = replay.run(path, shown.name, shown.kind, anywhere=True, claim=INDUCTION)
    return evolve(found, property=f"{shown.name}, from a state that need not be reachable,")


def _failure(interpreter: Interpreter, state: Any) -> Shown:
    """The model error in the last state, or in a step from it."""
    for step in interpreter.steps(state):
        if step.failure is not None:
            return Shown(step.failure.kind, step.failure.message, step.failure.line, beyond=True)
    for p in interpreter.definition.properties:
        found = interpreter.violated(p, state) if p.kind not in ("step", "leads-to") else None
        if isinstance(found, Failure):
            return Shown(found.kind, found.message, found.line)
    return Shown("error", "a model error that the interpreter does not find", 0, beyond=True)
