"""A file's name stands for its first class: each command says which that is, and only where the file has others."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.commands import Ran

Checker = Callable[..., Ran]
Write = Callable[[str, str], str]

LOCK = '''"""A counter."""
from checker.language import Int, Model, action, holds, invariant, var


class Lock(Model):
    """Counts."""

    n = var(Int(0, 2), 0)
    outcome = ("n",)

    @action
    def up(self):
        if self.n < 2:
            self.n += 1

    @invariant
    def small(self) -> bool:
        return self.n < 3

    expect = holds()
'''
SECOND = '''

class Careless(Lock):
    """EDIT: one more step."""

    @action
    def again(self):
        self.n = 0
'''
MORE = "1 more model in this file: lock.py:Careless"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("check lock.py", f"lock.py: class Lock is checked; {MORE}"),
        ("outcomes lock.py", f"lock.py: class Lock is asked; {MORE}"),
        ("find lock.py n==2", f"lock.py: class Lock is searched; {MORE}"),
        ("simulate lock.py --runs 5", f"lock.py: class Lock is simulated; {MORE}"),
        ("verify lock.py", "lock.py: class Lock"),
        ("list lock.py", "  class       Lock"),
    ],
)
def test_the_class_that_a_file_stands_for_is_named(command: str, said: str, checker: Checker, write: Write) -> None:
    """A command with the class behind the file does not repeat it."""
    write("lock.py", LOCK + SECOND)
    ran = checker(*command.split())
    assert ran.code in (0, 4) and said in ran.out.splitlines(), ran.err
    named = checker(*command.replace("lock.py", "lock.py:Lock").split())
    assert ("class Lock" in named.out) == command.startswith("verify")  # which calls it by its file all the same
    write("only.py", LOCK)
    assert "class Lock" not in checker(*command.replace("lock.py", "only.py").split()).out


def test_a_budget_that_no_run_can_use_up_is_a_note(checker: Checker, write: Write) -> None:
    """A process crashes at most once; as many crashes as processes are none too many."""
    write("crash.py", LOCK.replace("Model", "Distributed"))
    said = "note: crashes=9 is more than can happen: of 3 processes each crashes at most once"
    assert said in checker("check", "crash.py", "-D", "crashes=9").out.splitlines()
    assert "note:" not in checker("check", "crash.py", "-D", "crashes=3").out


def test_a_comparison_without_any_outcome_says_so(checker: Checker, write: Write) -> None:
    """Both models go on for ever: none is no number of outcomes that are the same."""
    write("lock.py", LOCK + SECOND)
    assert "  outcomes   none, as before" in checker("compare", "lock.py:Careless", "--all").out.splitlines()
