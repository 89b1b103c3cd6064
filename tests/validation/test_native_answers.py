"""The output of compiled code for single states, in the form in which the interpreter's answers are compared."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from checker.backends.interpreter.interpreter import Interpreter
from checker.backends.native.kernel import NativeKernel, address_of, compile_model
from checker.frontend.lower import lower
from checker.language import Int, Model, action, choose, invariant, step_invariant, var
from checker.language.define import define
from checker.language.definition import Definition
from checker.validation import native_answers
from checker.validation.answers import Meaning
from checker.validation.native_answers import Probe


class Wide(Model):
    """A state has hundreds of successors."""

    a = var(Int(0, 399), 0)
    b = var(Int(0, 9), 0)
    done = var(Int(0, 1), 0)

    @action
    def draw(self) -> None:
        """Any value."""
        self.a = choose(range(300))

    @action
    def end(self) -> None:
        """Nothing more."""
        self.done = 1

    @invariant
    def early(self) -> bool:
        """False in some states."""
        return self.a < 7

    @step_invariant
    def never_five(self) -> bool:
        """False over some steps out of some states."""
        return self.a != 5 or self.before.b == 0


def _made() -> tuple[Definition, NativeKernel, Probe]:
    definition = define(Wide, {})
    kernel = compile_model(lower(definition), quick=True)
    return definition, kernel, Probe(definition, kernel)


@pytest.mark.parametrize("room", [1, 64, 1024])
def test_a_state_with_more_successors_than_there_is_room_for_has_all_of_them(
    room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A state that needs more room is expanded again, and nothing counts twice or stays for the next state."""
    monkeypatch.setattr(native_answers, "ROOM", room)
    definition, kernel, probe = _made()
    meaning = Meaning(Interpreter(definition))
    for raw in ((0, 0, 0), (8, 3, 1), (0, 0, 0)):
        output = probe.output(kernel.encode(dict(zip("a b done".split(), raw))))
        assert output is not None
        assert probe.answer(output, raw) == meaning.found(definition, raw)


def test_an_output_stays_when_the_next_state_is_examined() -> None:
    """The outputs of all candidates are kept until the sample is chosen."""
    _, kernel, probe = _made()
    rows = [kernel.encode({"a": n, "b": 1, "done": 0}) for n in (0, 9)]
    outputs = [probe.output(row) for row in rows]
    again = [Probe(probe.definition, kernel).output(row) for row in rows]
    assert all(one is not None and two is not None and one.same(two) for one, two in zip(outputs, again))


def test_features_of_variables_without_bits_are_equal_in_all_states() -> None:
    """A variable of one value has no bits, and takes part like any other."""

    class Fixed(Model):
        """Nothing moves but n."""

        only = var(Int(3, 3), 3)
        n = var(Int(0, 3), 0)

        @action
        def count(self) -> None:
            """Up."""
            self.n = (self.n + 1) % 4

    definition = define(Fixed, {})
    kernel = compile_model(lower(definition), quick=True)
    probe = Probe(definition, kernel)
    outputs = [o for n in (0, 1) if (o := probe.output(kernel.encode({"only": 3, "n": n}))) is not None]
    values: Sequence[Sequence[object]] = probe.values(outputs)
    assert [[v for v in some if v[0] == 0] for some in values] == [[(0, 0)], [(0, 0)]]  # type: ignore[index]
    assert len({some[1] for some in values}) == 2
    assert [len(some) for some in probe.changes(outputs)] == [1, 1]


def test_the_address_of_an_array_is_where_it_begins() -> None:
    """Also of arrays that cannot be written, and of empty ones."""
    whole = np.arange(6, dtype=np.uint64)
    fixed = np.frombuffer(bytes(16), np.uint64)
    for array in (whole, whole[2:], fixed, np.zeros((0, 3), np.uint64)):
        assert address_of(array) == array.ctypes.data
