"""Where nothing differs, the comparison names the next larger one as one command."""

from __future__ import annotations

import shlex
from typing import Any

import pytest

from checker.analysis.compare.onward import next_larger

COUNTER = '''
from checker.language import Int, Model, action, const, holds, invariant, require, rule, var


class Counter(Model):
    """Counts."""

    often = const(True)
    most = const(3)
    n = var(Int(0, 9), 0)

    @action
    def up(self):
        require(self.n < self.most and self.often)
        self.n += 1

    @invariant
    def small(self) -> bool:
        return self.n < 4


class Edit(Counter):
    """EDIT: counts to three at most."""

    @action
    def up(self):
        require(self.n < min(self.most, 3) and self.often)
        self.n += 1
'''


def test_the_command_compares_what_was_not_compared(checker: Any, write: Any) -> None:
    """A model without processes: one more of its number; there the difference is."""
    file = write("counter.py", COUNTER)
    found = checker("compare", f"{file}:Edit")
    (command,) = (line.split("checker ", 1)[1] for line in found.out.splitlines() if "  beyond  " in line)
    assert found.code == 0 and command == "compare counter.py counter.py:Edit -D most=4"
    assert checker(*shlex.split(command)).out.splitlines()[-1].startswith("CHANGED  repaired: small")


def test_constants_that_the_models_refuse_are_not_proposed() -> None:
    """The next number is; faults come last; a number of processes first."""
    compared = [{"crashes": 0, "most": 3}, {"crashes": 1, "most": 2}]
    assert next_larger(compared, lambda option: True) == "most=4"
    assert next_larger(compared, lambda option: "most" not in option) == "crashes=2"
    assert next_larger(compared, lambda option: False) == ""
    assert next_larger([{"processes": 3, "most": 3}], lambda option: True) == "processes=4"
    assert next_larger([{"processes": 3, "most": 3}], lambda option: "most" in option) == "most=4"


@pytest.mark.parametrize("refusing", [False, True])
def test_a_number_that_a_type_refuses_is_left_out(refusing: bool, checker: Any, write: Any) -> None:
    """The upper bound of the type is the number itself."""
    text = COUNTER
    if refusing:
        text = text.replace("n = var(Int(0, 9), 0)", "n = var(Int(most, 3), 3)")
    found = checker("compare", f"{write('counter.py', text)}:Edit")
    assert ("-D most=4" in found.out) != refusing
