"""Processes with names of their own: every command follows such a model, whose constant `processes` is their number."""

from __future__ import annotations

from typing import Any

import pytest

MODEL = """from checker.language import Bool, Distributed, Ids, Map, Process, action, invariant, require, var


class Named(Distributed):
    Process = Ids("n", ("server", "bob"))
    done = var(Map[Process, Bool])

    @action
    def do(self, p: Process):
        require(self.may(p))
        self.done[p] = True

    def may(self, p):
        return p == self.Process[0]

    @invariant
    def small(self):
        return not all(self.done[p] for p in self.Process)


class Everybody(Named):
    \"\"\"EDIT: whoever it is.\"\"\"

    def may(self, p):
        return True
"""


@pytest.fixture
def named(write: Any) -> str:
    """The file, with an edit that breaks it."""
    return str(write("named.py", MODEL))


def test_the_constant_is_the_number_of_names(checker: Any, named: str) -> None:
    """In text and data; CAUSE is marked, with the edited rule."""
    found = checker("check", f"{named}:Everybody", "--out", "out")
    assert found.code == 1 and "processes=2 " in found.out and "CAUSE" in found.out
    assert "may(bob) is always true" in found.out
    assert checker("check", named, "-D", "processes=2").code == 0


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("replay", "out/named-Everybody-small/trace.itf.json"), 0),
        (("explain", "out/named-Everybody-small/trace.itf.json"), 0),
        (("compare", "{0}", "{0}:Everybody"), 1),
        (("find", "{0}:Everybody", "done[bob]"), 0),
        (("resume", "work"), 0),
    ],
)
def test_each_command_follows_the_model(checker: Any, named: str, words: tuple[str, ...], code: int) -> None:
    """With the constants that a run was stored with."""
    checker("check", f"{named}:Everybody", "--out", "out")
    checker("check", named, "--workdir", "work")
    ran = checker(*(word.format(named) for word in words))
    assert "has no effect" not in ran.err and ran.code == code, ran.out + ran.err
