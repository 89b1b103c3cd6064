"""What each part of a guard blocks: counted by compiled code, and by Python running the model with that part struck out
of its text."""

from __future__ import annotations

import ast
import importlib.util
import itertools
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from checker.analysis.vacuity.blocking import guard_parts
from checker.backends.interpreter.interpreter import Interpreter, Raw
from checker.engines.explored import Explored
from checker.engines.native import state_of
from checker.engines.registry import explore
from checker.engines.request import Request
from checker.language.define import define
from checker.results.vacuity import GuardPart
from checker.search.limits import Limits
from tests.language.random_source import random_model

TURNSTILE = '''"""A turnstile that takes coins."""

from checker.language import Bool, Int, Model, Optional, action, const, require, var


class Generated(Model):
    """Coins are put in, people pass, somebody may jam it once."""

    limit = const(3, "coins")
    strict = const(True, "is a second coin refused")
    coins = var(Int(0, 3), 0)
    paid = var(Bool, False)
    last = var(Optional[Int(0, 3)], None)
    jammed = var(Bool, False)

    @action
    def pay(self):
        require(self.strict and self.coins < self.limit and not self.paid
                and not self.jammed)
        self.coins += 1
        self.paid = True

    @action
    def enter(self):
        require(self.paid or self.jammed)
        require(self.coins > 0)
        self.paid = False
        self.last = self.coins

    @action
    def recall(self):
        require(self.last is not None and self.last > 1)
        self.last = None

    @action
    def turn(self):
        self.paid = False
        if self.coins == 2:
            self.check()

    def check(self):
        require(not self.jammed)

    @action(fault=True)
    def jam(self):
        require(not self.jammed)
        self.jammed = True
'''
_numbers = itertools.count()


def load(text: str, folder: Path) -> Any:
    """The model class of a text."""
    path = folder / f"guarded_{next(_numbers)}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Generated


class _Struck(ast.NodeTransformer):
    """Puts True for one part of a guard."""

    def __init__(self, part: GuardPart, text: str) -> None:
        self.part, self.text = part, text

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and node.func.id == "require":
            guard = node.args[0]
            parts = guard.values if isinstance(guard, ast.BoolOp) and isinstance(guard.op, ast.And) else [guard]
            node.args = [
                ast.BoolOp(
                    ast.And(), [ast.Constant(True) if self._meant(p) else p for p in parts] + [ast.Constant(True)]
                )
            ]
        return node

    def _meant(self, node: ast.expr) -> bool:
        text = ast.get_source_segment(self.text, node) if node.lineno == node.end_lineno else ast.unparse(node)
        return node.lineno == self.part.line and re.sub(r"\bself\.", "", text or "") == self.part.condition


def steps(model: Any, states: list[Raw], action: str) -> int:
    """How many steps of an action the interpreter finds in these states."""
    interpreter = Interpreter(define(model))
    return sum(step.action.name == action for state in states for step in interpreter.steps(state))


def explored(model: Any, **limits: Any) -> tuple[Explored, list[Raw]]:
    """The native search, and the states it expanded."""
    definition = define(model)
    found = explore(Request(definition, limits=Limits(**limits), stop_at_first=False))
    assert found.packed is not None
    result = found.packed.result
    return found, [
        state_of(definition, found.packed.kernel, row) for row in result.states()[: result.coverage.expanded]
    ]


def agree(text: str, folder: Path, **limits: Any) -> list[GuardPart]:
    """Each part blocks as many steps as the interpreter has more without it."""
    model = load(text, folder)
    found, states = explored(model, **limits)
    assert found.survey is not None
    fired = {a.name: a.fired for a in found.actions}
    parts = guard_parts(found.survey())
    for part in parts:
        # not of the language
        if part.blocked_alone is not None and part.condition != "not crashed" and part.action in vars(model):
            without = load(ast.unparse(_Struck(part, text).visit(ast.parse(text))), folder)
            assert steps(without, states, part.action) - fired[part.action] == part.blocked_alone, f"{part}\n{text}"
    return parts


def test_a_part_blocks_the_steps_that_python_finds_without_it(tmp_path: Path) -> None:
    """In a conjunction over two lines, in two requires, in a procedure under an if, of a fault."""
    parts = {(p.action, p.condition): p.blocked_alone for p in agree(TURNSTILE, tmp_path) if p.always is None}
    assert set(parts) == {
        ("pay", "coins < limit"),
        ("pay", "not paid"),
        ("pay", "not jammed"),
        ("enter", "paid or jammed"),
        ("enter", "coins > 0"),
        ("recall", "last is not None"),
        ("recall", "last > 1"),
        ("turn", "not jammed"),
        ("jam", "not jammed"),
    }
    assert parts["turn", "not jammed"] and parts["pay", "coins < limit"]


def test_a_part_that_constants_decide_is_named(tmp_path: Path) -> None:
    """`strict` is a constant: while it is true the part asks nothing; where it is false the action is never enabled,
    and what follows is not looked at."""
    part = next(p for p in agree(TURNSTILE, tmp_path) if p.condition == "strict")
    assert (part.blocked_alone, part.always, part.sentence) == (
        0,
        True,
        "pay: 'strict' is always true with these types and constants",
    )
    lax = agree(TURNSTILE.replace("strict = const(True", "strict = const(False"), tmp_path)
    part = next(p for p in lax if p.condition == "strict")
    assert (part.blocked_alone, part.always, part.sentence) == (
        None,
        False,
        "pay: 'strict' is always false with these types and constants",
    )
    assert [p.condition for p in lax if p.action == "pay"] == ["strict"]


def test_a_part_that_types_decide_is_named(tmp_path: Path) -> None:
    """Coins are never more than three: that they are not is no condition."""
    bounded = TURNSTILE.replace("require(self.coins > 0)", "require(self.coins > 0 and self.coins <= 3)")
    part = next(p for p in agree(bounded, tmp_path) if p.condition == "coins <= 3")
    assert (part.blocked_alone, part.always) == (0, True)


def test_a_step_that_would_go_wrong_without_the_part_counts(tmp_path: Path) -> None:
    """`last > 1` cannot be evaluated where last is None: without the first part the step would be attempted, and
    fail."""
    found, states = explored(load(TURNSTILE, tmp_path))
    assert found.survey is not None
    part = next(p for p in guard_parts(found.survey()) if p.condition == "last is not None")
    last = [v.name for v in define(load(TURNSTILE, tmp_path)).variables].index("last")
    assert part.blocked_alone == sum(state[last] is None for state in states) > 0


def test_a_search_that_was_cut_short_counts_over_the_states_it_expanded(tmp_path: Path) -> None:
    """States that are known but were not expanded do not count."""
    assert agree(TURNSTILE, tmp_path, max_states=7) != agree(TURNSTILE, tmp_path)


def test_a_redundant_part_never_blocks_alone(tmp_path: Path) -> None:
    """Said twice, neither decides; an invariant of the protocol neither."""
    twice = TURNSTILE.replace(
        "require(self.coins > 0)", "require(self.coins > 0 and self.coins != 0 and (not self.paid or self.coins > 0))"
    )
    found = {p.condition: p for p in agree(twice, tmp_path) if p.action == "enter"}
    assert [found[text].blocked_alone for text in ("coins > 0", "coins != 0", "not paid or coins > 0")] == [0, 0, 0]
    assert found["not paid or coins > 0"].sentence == "enter: 'not paid or coins > 0' never blocked alone"


CRASHING = '''"""Processes that may crash."""

from checker.language import Bool, Distributed, Map, Process, action, require, var


class Generated(Distributed):
    """Each process speaks once."""

    said = var(Map[Process, Bool], False)

    @action
    def say(self, p: Process):
        require(not self.said[p])
        self.said[p] = True
'''


def test_a_crashed_process_is_blocked_by_its_crash(tmp_path: Path) -> None:
    """In the states where p has crashed and said nothing: what the language asks for is a part of the guard too."""
    definition = define(load(CRASHING, tmp_path), {"processes": 2, "crashes": 1})
    found = explore(Request(definition, stop_at_first=False))
    assert found.packed is not None and found.survey is not None
    names = [v.name for v in definition.variables]
    states = [dict(zip(names, state_of(definition, found.packed.kernel, row))) for row in found.packed.result.states()]
    silent = sum(
        not said
        for s in states
        for p, said in zip(definition.process or (), s["said"])
        if p.index in {getattr(c, "index", c) for c in s["crashed"]}
    )
    assert [p.blocked_alone for p in guard_parts(found.survey()) if p.condition == "not crashed"] == [silent] != [0]


@pytest.mark.parametrize("seed", range(4))
def test_random_models_agree(seed: int, tmp_path: Path) -> None:
    """Guards in branches and loops, on parameters, messages and choices; errors included."""
    agree(random_model(Random(seed)), tmp_path, max_depth=2)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(4, 120))
def test_many_random_models_agree(seed: int, tmp_path: Path) -> None:
    """The same, over more models."""
    agree(random_model(Random(seed)), tmp_path, max_depth=2)
