"""Checks of symmetry reduction that all engines share.

Symmetry reduction requires that no rule distinguishes symmetric identities, and the front end refuses rules that could.
An initial state can still name one of them, and the front end may have an error. Initial states must therefore be
closed under exchanges, and a sample of the found states must have the same successors and findings after an exchange;
otherwise the search is refused. Where it stops: a sampled state is compared only with its exchanges of two neighbours,
and a rule that distinguishes identities elsewhere is not noticed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from checker.backends.interpreter.interpreter import Interpreter, Raw
from checker.backends.native.kernel import InitialError, NativeKernel, NotSymmetric
from checker.contract import NEVER, nowhere
from checker.frontend.lower import lower
from checker.ir.canonical import Canonical
from checker.ir.model import Model as Lowered
from checker.language.definition import Definition
from checker.language.errors import UsageError
from checker.replay.disagreement import state_text
from checker.search.breadth_first import search
from checker.search.expansions import successors_of
from checker.search.limits import Limits
from checker.search.result import SearchResult

SAMPLE = 64
"""The number of states whose steps are compared with those of their exchanged states."""
FIRST_STATES = 2_000
NOT_INITIAL = "is initial, exchanged it is not"


def canonical_of(definition: Definition, model: Lowered | None = None) -> Canonical | None:
    """The function from a state to its canonical representative; None without symmetry reduction."""
    if not definition.merges:
        return None
    model = model or lower(definition)
    return None if model.symmetry is None else Canonical.of(model.variables, model.symmetry)


def require_unmerged(definition: Definition, what: str) -> None:
    """Raise UsageError under symmetry reduction: `what` needs every state."""
    if definition.merges:
        raise UsageError(f"{what} needs every state, also those that symmetry merges", remedy="Set symmetry=false.")


def require_symmetric_start(interpreter: Interpreter, canonical: Canonical) -> None:
    """Raise UsageError unless the initial states are closed under exchanges."""
    initial = interpreter.initial()
    known = set(initial)
    for state in initial:
        for number, generator in enumerate(canonical.symmetry.generators):
            if canonical.exchanged(state, number) not in known:
                raise _refusal(interpreter.definition, generator.name, state, NOT_INITIAL)


def require_symmetric(definition: Definition, kernel: NativeKernel) -> None:
    """The function from a packed state to its canonical representative; raises UsageError if the initial states are not
    symmetric.  Every engine calls it before a search.
    """
    if kernel.model.symmetry is None:
        return
    try:
        result = search(kernel, limits=Limits(max_states=FIRST_STATES), stop_at_first=False)
    except NotSymmetric as error:
        generator = kernel.model.symmetry.generators[error.generator]
        state = tuple(kernel.decode(error.state).values())
        raise _refusal(definition, generator.name, state, NOT_INITIAL) from error
    except InitialError:
        return  # the search itself reports the error
    require_symmetric_steps(definition, kernel, result)


def require_symmetric_steps(definition: Definition, kernel: NativeKernel, result: SearchResult) -> None:
    """Raise UsageError if a state of the sample and an exchanged one differ in their successors, up to symmetry, or in
    their findings.
    """
    symmetry = kernel.model.symmetry
    if symmetry is None or not result.distinct:
        return
    rows = np.unique(np.linspace(0, result.distinct - 1, SAMPLE).astype(np.int64))
    states = np.ascontiguousarray(result.states()[rows])
    for number, generator in enumerate(symmetry.generators):
        for state, other in zip(states, kernel.exchanged(states, number)):
            if _meaning(kernel, state) != _meaning(kernel, other):
                other_steps = "has other steps or findings than the exchanged state"
                raise _refusal(definition, generator.name, tuple(kernel.decode(state).values()), other_steps)


def _meaning(kernel: NativeKernel, state: np.ndarray) -> tuple[frozenset[bytes], tuple[bool, ...]]:
    """The successors up to symmetry, and the findings."""
    first = nowhere(kernel)
    successors = successors_of(kernel, state, first)
    kernel.check(state.reshape(1, -1), first)
    return frozenset(row.tobytes() for row in successors), tuple(first != NEVER)


def along(interpreter: Interpreter, canonical: Canonical, path: Sequence[Raw]) -> tuple[Raw, ...]:
    """A run of the model itself along a chain of canonical representatives: the interpreter takes each step."""
    states = [path[0]]
    for wanted in path[1:]:
        reached = (step.after for step in interpreter.steps(states[-1]) if step.after is not None)
        states.append(next((state for state in reached if canonical(state) == wanted), wanted))
    return tuple(states)


def _refusal(definition: Definition, exchange: str, state: Raw, what: str) -> UsageError:
    return UsageError(
        f"the model is not symmetric ({exchange}): the state {state_text(definition, state)} {what}",
        remedy="Leave symmetry=false, or drop symmetric=True from the type.",
    )
