"""Each construct of the language has its stated meaning, in the interpreter, lowered, and compiled."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.backends.interpreter.explore import explore
from checker.backends.interpreter.interpreter import Interpreter
from checker.backends.native.kernel import compile_model
from checker.frontend.lower import lower
from checker.ir.validate import validate
from tests.backends.agreement import compare
from tests.backends.explore import explore as explore_native
from tests.language.construct import FILES, Expected, definition, disagreement, expected

each_file = pytest.mark.parametrize("file", FILES, ids=[f.stem for f in FILES])


@each_file
def test_the_interpreter_finds_what_the_file_states(file: Path) -> None:
    """Verdict, distinct states, transitions and depth, by running the model's own methods."""
    result = explore(Interpreter(definition(file)))
    shown = frozenset(
        f"{f.kind} {f.line if f.kind in ('error', 'assert') else f.name}" for f in result.findings.values()
    )
    assert Expected(shown, len(result.parent), result.transitions, result.depth) == expected(file)


@each_file
def test_the_lowered_model_has_the_same_successors_in_the_same_order(file: Path) -> None:
    """State by state, properties included, the lowered model and the model's own methods agree."""
    assert disagreement(definition(file)) is None


@each_file
def test_the_kernel_agrees_with_the_lowered_model(file: Path) -> None:
    """Compiled, the model has the same successors and findings."""
    model = lower(definition(file))
    validate(model)
    assert compare(model, most=40) > 0


@each_file
def test_the_kernel_explores_the_same_space(file: Path) -> None:
    """Compiled, the model has the stated counts."""
    stated = expected(file)
    found = explore_native(compile_model(lower(definition(file)), cache=False))
    assert (found.distinct, found.transitions, found.depth) == (stated.distinct, stated.transitions, stated.depth)
    assert bool(found.found) == bool(stated.findings)
