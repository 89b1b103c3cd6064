"""The one-purpose models: a file each, whose first line states verdict and counts."""

from __future__ import annotations

import importlib.util
import inspect
import re
from pathlib import Path

from attrs import evolve, frozen

from checker.backends.interpreter.interpreter import Failure as Failed
from checker.backends.interpreter.interpreter import Interpreter, Raw
from checker.frontend.lower import lower
from checker.ir.evaluate.environment import Failure, State
from checker.ir.evaluate.model import Evaluator
from checker.language.define import define
from checker.language.definition import Definition
from checker.language.model import Model

ROOM = 24
"""Messages that a network may hold here; the interpreter has no bound."""

FILES = sorted((Path(__file__).parent / "models").glob("*.py"))


@frozen
class Expected:
    """What the first line of a file states."""

    findings: frozenset[str]
    distinct: int
    transitions: int
    depth: int


def expected(file: Path) -> Expected:
    """Read `# expect: holds distinct=6 transitions=11 depth=6`; instead of holds: kinds with names or lines, joined by
    commas."""
    text = file.read_text().splitlines()[0]
    found = re.fullmatch(r"# expect: (.+) distinct=(\d+) transitions=(\d+) depth=(\d+)", text)
    assert found, f"{file.name} does not begin with its expectation"
    names = [] if found[1] == "holds" else found[1].split(", ")
    return Expected(frozenset(names), *map(int, found.groups()[1:]))


def definition(file: Path) -> Definition:
    """The definition of the last model class of a file."""
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    classes = [
        c for c in vars(module).values() if inspect.isclass(c) and issubclass(c, Model) and c.__module__ == file.stem
    ]
    return define(classes[-1])


def disagreement(definition: Definition, most: int = 300, names: bool = True) -> str | None:
    """The first difference between the interpreter and the lowered model, state by state; None if there is none.
    names: those of errors count, not only their lines."""
    model = lower(definition, dict.fromkeys((v.name for v in definition.variables if v.network), ROOM))
    interpreter, evaluator = Interpreter(definition), Evaluator(model)
    variables = [v.name for v in definition.variables]
    states = interpreter.initial()
    if states != list(dict.fromkeys(_raw(variables, s) for s in evaluator.initial())):
        return "initial states"
    seen = set(states)
    for state in states:
        expected = [
            (s.action.name, s.after if s.after is not None else _failed(s.failure, names))
            for s in interpreter.steps(state)
        ]
        found = [
            (s.action, _raw(variables, s.after) if s.after is not None else _failed(s.failure, names))
            for s in evaluator.successors(dict(zip(variables, state)))
        ]
        if expected != found:
            first = next((pair for pair in zip(expected, found) if pair[0] != pair[1]), (len(expected), len(found)))
            return f"successors of {dict(zip(variables, state))}: {first[0]} in the interpreter, {first[1]} lowered"
        for _, after in expected:
            if after[0] != "failure" and after not in seen and len(states) < most:
                seen.add(after)
                states.append(after)
        different = _properties(
            definition, interpreter, evaluator, variables, state, [a for _, a in expected if a[0] != "failure"], names
        )
        if different:
            return different
    return None


def _raw(names: list[str], state: State) -> Raw:
    return tuple(state[n] for n in names)


def _failed(failure: Failure | Failed | None, names: bool = True) -> tuple[str, str, str, int]:
    assert failure is not None
    return ("failure", failure.kind, failure.name if names else "", failure.line)


def _properties(
    definition: Definition,
    interpreter: Interpreter,
    evaluator: Evaluator,
    variables: list[str],
    state: Raw,
    after: list[Raw],
    names: bool,
) -> str | None:
    stated = [
        (p.at(values), function if part == "then" else when, part)
        for p, lowered in zip(definition.properties, evaluator.model.properties)
        for values, (when, function) in zip(p.values(), lowered.each or (("", lowered.function),))
        for part in (("when", "then") if lowered.each else ("then",))
    ]
    for p, function, part in stated:
        p = evolve(p, function=p.when) if part == "when" and p.when is not None else p
        pairs = [(a, state) for a in after] if p.kind == "step" else [(state, None)]
        for at, before in pairs:
            violated = interpreter.violated(p, at, before)
            try:
                value: object = evaluator.holds(
                    function, dict(zip(variables, at)), dict(zip(variables, before)) if before else None
                )
                value = value if p.kind == "reachable" else not value
            except Failure as failure:
                value = _failed(failure, names)
            if value != (_failed(violated, names) if isinstance(violated, Failed) else violated):
                return f"{p.name} at {at}: {violated} in the interpreter, {value} lowered"
    return None
