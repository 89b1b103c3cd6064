"""The bound on the rounds of `while` loops that Python runs: counted in the methods themselves, which stay the same
otherwise."""

from __future__ import annotations

from traceback import extract_tb
from typing import Any

import pytest

from checker.ir.domain import ROUNDS
from checker.language import Int, Model, action, require, var
from checker.language.errors import ModelError


def models(limit: int) -> tuple[type[Model], type[Model]]:
    """A model whose methods use a name of a function around it, and an edit that calls what it overrides."""

    class Plain(Model):
        n = var(Int(0, 3), 0)

        def steps(self) -> int:
            k = 0
            while k < limit:
                k += 1
            return k

        @action
        def up(self) -> None:
            require(self.n < 3)
            self.n += 1

    class Edited(Plain):
        def steps(self) -> int:
            k = 0
            while k < 3 and super().steps() == limit:
                j = 0
                while j < limit:
                    j += 1
                k += 1
            else:
                k += 100
            return k

    return Plain, Edited


def test_loops_within_the_bound_do_what_they_did() -> None:
    plain, edited = models(ROUNDS)
    assert (plain().steps(), edited().steps()) == (ROUNDS, 103)  # type: ignore[attr-defined]


def test_one_round_more_is_a_model_error_in_the_line_of_the_loop() -> None:
    plain, _ = models(ROUNDS + 1)
    model: Any = plain()
    with pytest.raises(ModelError, match=f"more than {ROUNDS} rounds") as raised:
        model.steps()
    assert [f.line for f in extract_tb(raised.tb) if f.name == "steps"] == ["while k < limit:"]


def test_the_bound_adds_no_name_that_a_model_can_have() -> None:
    plain, edited = models(1)
    functions = [vars(cls)["steps"] for cls in (plain, edited)]
    before = [f.__code__ for f in functions]
    edited()
    for function, old in zip(functions, before):
        new = function.__code__
        assert new is not old
        assert (new.co_names, new.co_freevars, new.co_varnames[:1]) == (old.co_names, old.co_freevars, ("self",))
        assert set(new.co_varnames) - set(old.co_varnames) == {n for n in new.co_varnames if not n.isidentifier()}


def test_methods_without_a_loop_keep_their_code() -> None:
    plain, _ = models(1)
    before = vars(plain)["up"].__code__
    plain()
    assert vars(plain)["up"].__code__ is before
