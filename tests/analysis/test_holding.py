"""In how many states a rule is true: compiled code over all of them, against the interpreter in each."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from checker.analysis import holding as module
from checker.analysis.check import Examined, examine
from checker.analysis.holding import holding
from checker.backends.interpreter.interpreter import Interpreter
from checker.backends.native.graph import GraphKernel
from checker.catalogue import find
from checker.engines.native import states_of
from checker.replay.disagreement import Disagreement


def searched(reference: str) -> Examined:
    """The default configuration, searched natively."""
    entry = find(reference)
    return examine(entry.cls, entry.reference, traces=False)


@pytest.mark.parametrize("reference", ["sequencer", "fifo_multicast"])
def test_counts_are_those_of_the_interpreter(reference: str) -> None:
    """Every rule in every state, with all arguments of its types."""
    examined = searched(reference)
    packed, interpreter = examined.explored.packed, Interpreter(examined.definition)
    assert packed is not None
    found = {h.rule: h.states for h in holding(examined)}
    assert found
    expected = dict.fromkeys(found, 0)
    for state in states_of(examined.definition, packed.kernel, packed.result.states()):
        view = interpreter.viewpoint(state)
        for rule in found:
            method = examined.definition.methods[rule]
            given = product(*(d.members for _, d in method.parameters if d is not None))
            expected[rule] += any(method.function(view, *arguments) for arguments in given)
    assert found == expected and len(set(found.values())) > 1


def test_a_rule_that_only_steps_find_true_is_true_in_no_state() -> None:
    """The sequencer's messages are delivered in the step that makes them deliverable."""
    found = {h.rule: h.states for h in holding(searched("sequencer"))}
    assert found["deliverable"] == 0 and found["due"] == 2393


def test_a_count_that_the_interpreter_contradicts_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel that is wrong in one state of the sample is found."""
    examined, right = searched("sequencer"), GraphKernel.answers
    monkeypatch.setattr(module.GraphKernel, "answers", lambda kernel, states: np.uint8(1) - right(kernel, states))
    with pytest.raises(Disagreement, match="the rules"):
        holding(examined)
