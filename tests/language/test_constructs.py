"""Each construct of the language has its stated meaning, in the interpreter, lowered, and compiled."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

import pytest
from attrs import frozen

from checker.backends.interpreter.explore import explore
from checker.backends.interpreter.interpreter import Interpreter
from checker.backends.native.kernel import NativeKernel, compile_model
from checker.frontend.lower import lower
from checker.ir.model import Model
from checker.language.definition import Definition
from tests.backends.agreement import compare
from tests.backends.explore import explore as explore_native
from tests.language.construct import FILES, Expected, definition, disagreement, expected


@frozen(slots=False, eq=False)
class Construct:
    """A model of one purpose: read, lowered and compiled once for all that is asked of it."""

    file: Path

    @cached_property
    def definition(self) -> Definition:
        return definition(self.file)

    @cached_property
    def lowered(self) -> Model:
        return lower(self.definition)

    @cached_property
    def kernel(self) -> NativeKernel:
        return compile_model(self.lowered, cache=False, quick=True)


OPTIMISED = 4
"""Of as many constructs one is optimised in each build: what is optimised is the same assembly, by LLVM."""


@pytest.fixture(scope="module", params=FILES, ids=[f.stem for f in FILES])
def construct(request: pytest.FixtureRequest) -> Construct:
    """Each in turn: pytest asks everything of one file before it goes on to the next."""
    return Construct(request.param)


def test_the_interpreter_finds_what_the_file_states(construct: Construct) -> None:
    """Verdict, distinct states, transitions and depth, by running the model's own methods."""
    result = explore(Interpreter(construct.definition))
    shown = frozenset(
        f"{f.kind} {f.line if f.kind in ('error', 'assert') else f.name}" for f in result.findings.values()
    )
    assert Expected(shown, len(result.parent), result.transitions, result.depth) == expected(construct.file)


def test_the_lowered_model_has_the_same_successors_in_the_same_order(construct: Construct) -> None:
    """State by state, properties included, the lowered model and the model's own methods agree."""
    assert disagreement(construct.definition) is None


def test_the_kernel_agrees_with_the_lowered_model(construct: Construct) -> None:
    """Compiled, the model has the same successors and findings."""
    assert compare(construct.lowered, most=40, kernel=construct.kernel) > 0


@pytest.mark.parametrize(
    "construct",
    [pytest.param(f, marks=pytest.mark.thorough if i % OPTIMISED else (), id=f.stem) for i, f in enumerate(FILES)],
    indirect=True,
)
def test_the_optimised_kernel_agrees_with_the_lowered_model(construct: Construct) -> None:
    """The same holds when it is optimised."""
    assert compare(construct.lowered, most=40, kernel=compile_model(construct.lowered, cache=False)) > 0


def test_the_kernel_explores_the_same_space(construct: Construct) -> None:
    """Compiled, the model has the stated counts."""
    stated = expected(construct.file)
    found = explore_native(construct.kernel)
    assert (found.distinct, found.transitions, found.depth) == (stated.distinct, stated.transitions, stated.depth)
    assert bool(found.found) == bool(stated.findings)
