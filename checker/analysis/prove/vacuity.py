"""What limits the meaning of a proof: vacuity, decided by z3 on the model that is proved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import evolve

from checker.analysis.vacuity.antecedents import antecedents, negated
from checker.analysis.vacuity.tested import condition_text
from checker.ir.facts import variables_read
from checker.ir.model import Function, Model, Property
from checker.language.definition import Definition
from checker.results.vacuity import own_words
from checker.results.verdict import Proved
from checker.wording import counted


def warnings(
    definition: Definition, system: Any, properties: Sequence[Property], depth: int, seconds: float
) -> Iterator[str]:
    """Sentences about properties that follow from the types alone, actions and guards without effect, constant rules,
    and conditions that are never met within `depth` steps.

    Takes at most `seconds` of wall time.
    """
    from checker.backends.smt.vacuity import hollow

    ends_before = system.clock.over(seconds)
    system = system.also((), system.clock.within(seconds))
    own = [f for f in system.model.functions if f.name in definition.methods]
    rules = [f.name for f in own if _asks_the_state(definition, system.model, f)]
    idle = set()
    items, complete = hollow(system, properties, rules)
    for found in items:
        idle |= {found.subject} if found.kind == "idle" else set()
        yield _sentence(found.kind, found.subject, found.text, found.line)
    for sentence in untested(system, [p for p in properties if p.name not in idle], depth):
        complete &= sentence is not None
        if sentence is not None:
            yield sentence
    if not complete:
        time = "the time left (--timeout)" if ends_before else f"{seconds:g} s (--vacuity)"
        yield f"not everything that could make this vacuous was looked at in {time}"


def _asks_the_state(definition: Definition, model: Model, function: Function) -> bool:
    """Whether a rule is meant to depend on the state: the rule, or a method that it calls, reads a variable, or its
    text names one (lowering may have removed the read).
    """
    names = set(definition.methods[function.name].function.__code__.co_names)
    return bool(variables_read(model, function)) or any(v.name in names for v in definition.variables)


def _sentence(kind: str, subject: str, text: str, line: int) -> str:
    match kind:
        case "idle":
            return f"{subject} follows from the types alone: it says nothing about the protocol"
        case "dead":
            return f"action {subject} is enabled in no state of the types"
        case "open" | "shut":
            truth, so = ("true", "it guards nothing") if kind == "open" else ("false", "nothing passes it")
            part = f"action {subject}: '{own_words(text)}' (line {line})"
            return f"{part} is {truth} in every state of the types in which it is asked: {so}"
    return f"rule {subject} is {text} in every state of the types, with these constants"


def untested(system: Any, properties: Sequence[Property], depth: int) -> Iterator[str | None]:
    """Properties whose antecedent is true in no run of at most `depth` steps; None where the time does not suffice to
    decide.
    """
    from checker.backends.smt.bounded import Goal, bounded

    conditions = antecedents(evolve(system.model, properties=tuple(properties)))
    if not conditions:
        return
    system = system.also((negated(a.function) for a in conditions), system.clock)
    for a in conditions:
        goal = Goal(system, (Property(a.property, a.kind, a.function.name),))
        verdict = bounded(system, goal, depth).verdict
        if verdict is Proved.TIMEOUT:
            yield None
        elif verdict is Proved.OPEN:
            where = {"quiescence": "quiescent state", "step": "step"}.get(a.kind, "state")
            within = f"within {counted(depth, 'step')}: no {where} has {condition_text(a)}"
            yield f"the antecedent of {a.property} is not satisfied {within}"
