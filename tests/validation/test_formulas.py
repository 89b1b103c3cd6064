"""Formulas that do not mean what the interpreter does are found: in a known state properties fold to their truth, and
the step relation has that state's successors for solutions."""

from __future__ import annotations

import pytest

from checker.frontend.lower import lower
from checker.language.define import define
from checker.replay.disagreement import Disagreement
from checker.validation.lowered import without_mail_of_the_crashed
from tests.validation.faults import FAULTS
from tests.validation.jobs import Jobs

z3 = pytest.importorskip("z3")

from checker.backends.smt.system import System  # noqa: E402  after z3 is known to be there
from checker.validation.formulas import Formulas  # noqa: E402
from checker.validation.lowered import validated_lowering  # noqa: E402

pytestmark = pytest.mark.usefixtures("whole_sample")

ENDLESS = 1e6
"""Seconds of a proof, of which its formulas have a share: no clock ends the comparison."""
SEEN = [
    "a guard is dropped",
    "a constant is changed",
    "branches are swapped",
    "an error is made up",
    "a statement is lost",
    "an invariant is false",
    "a rule is true",
    "an action is lost",
]


def test_the_formulas_of_the_model_are_confirmed() -> None:
    """Properties in all states of the sample, steps in some."""
    definition = define(Jobs, {})
    model = lower(definition, any_state=True)
    formulas = Formulas(definition, System(model), True, ENDLESS)
    found = validated_lowering(definition, model, formulas)
    assert formulas.compared == found.states and formulas.related > 3


@pytest.mark.parametrize("name", SEEN)
def test_a_fault_in_the_formulas_is_found(name: str) -> None:
    """The lowered model is right, what z3 was given is not."""
    definition = define(Jobs, {})
    model = lower(definition, any_state=True)
    with pytest.raises(Disagreement, match="formula"):
        validated_lowering(definition, model, Formulas(definition, System(FAULTS[name](model)), True, ENDLESS))


def test_a_crashed_process_has_no_mail() -> None:
    """A crash drops what is in flight to the process, so no state is drawn in which there is some."""
    from checker.models.basic_multicast import BasicMulticast

    definition = define(BasicMulticast, {"crashes": 1})
    names = [v.name for v in definition.variables]
    crashed, net = names.index("crashed"), names.index("net")
    state: list[object] = [None] * len(names)
    state[crashed], state[net] = frozenset({1}), ((0, 1, 0), (1, 0, 0))
    assert without_mail_of_the_crashed(definition, tuple(state))[net] == ((1, 0, 0),)
