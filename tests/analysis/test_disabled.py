"""A change that disables an action, by a dropped send or a guard, is not green because everything holds."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.commands import Ran

Checker = Callable[..., Ran]

TEXT = '''"""A request and its answer."""

from checker.language import Bool, Distributed, Network, Process, Record, Union, action, const, holds, invariant, on
from checker.language import require, var


class Asking(Distributed):
    """p1 asks p2."""

    processes = const(2)
    eager = const(1, "whether p1 asks at all")
    Wire = Union(Ask=Record(), Answer=Record())
    net = var(Network[Process, Wire])
    asked = var(Bool, False)
    answered = var(Bool, False)

    @action
    def ask(self):
        require(not self.asked and self.eager == 1)
        self.asked = True
        self.net.send(self.Process[0], self.Process[1], self.Wire.Ask())

    @on(net, Wire.Ask)
    def answer(self, p, q):
        self.net.send(p, q, self.Wire.Answer())

    @on(net, Wire.Answer)
    def hear(self, p, q):
        self.answered = True

    @invariant
    def right(self) -> bool:
        return self.asked or not self.answered

    expect = [holds(), holds(at={"crashes": 1}), holds(at={"eager": 0})]


class Again(Asking):
    """EDIT: nothing."""

    again = var(Bool, False)

    @action
    def once_more(self):
        require(self.answered and not self.again)
        self.again = True

    expect = holds()
'''
SEND = "        self.net.send(p, q, self.Wire.Answer())"
NEVER = "the change disables hear: enabled in 1 state before, in none now"


def git(*arguments: str) -> None:
    """In the working directory."""
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], check=True, capture_output=True)


@pytest.fixture
def since(here: Path, checker: Checker) -> Callable[..., Ran]:
    """`verify --since HEAD` after a replacement in the one file of a repository."""
    file = Path("asking.py")
    file.write_text(TEXT, encoding="utf-8")
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "start")

    def execute(old: str, new: str, *options: str) -> Ran:
        assert old in TEXT
        file.write_text(TEXT.replace(old, new), encoding="utf-8")
        return checker("verify", "asking.py", "asking.py:Again", "--since", "HEAD", *options)

    return execute


def test_a_dropped_send_is_named_in_every_form(since: Callable[..., Ran]) -> None:
    """At the changed line, once for the model and its edit, in which once_more is disabled with it."""
    files = ("--junit", "j.xml", "--sarif", "s.json", "--comment", "c.md", "--json", "v.json")
    ran = since(SEND, "        pass", *files)
    assert ran.code == 3, ran.out
    assert f"    Asking (asking.py:25): {NEVER}\n" in ran.out
    assert ran.out.count("the change disables hear") == 1 and "Again (asking.py" in ran.out
    found = json.loads(Path("v.json").read_text())
    assert [one["what"].partition(":")[0] for one in found["removed"]] == [
        "the change disables hear",
        "the change disables once_more",
    ]
    assert not found["met"] and found["exit_code"] == 3
    for file in ("j.xml", "s.json", "c.md"):
        assert NEVER in Path(file).read_text(), file


def test_it_can_be_accepted(since: Callable[..., Ran]) -> None:
    """The comment still says it."""
    ran = since(SEND, "        pass", "--allow-removed", "--comment", "c.md")
    assert ran.code == 0 and "disables" not in ran.out and NEVER in Path("c.md").read_text()


def test_a_guard_that_is_never_true_is_named(since: Callable[..., Ran]) -> None:
    """With all that follows, and for each the number of states before."""
    ran = since("self.eager == 1)", "self.eager == 2)")
    assert ran.code == 3
    for name in ("ask", "answer", "hear"):
        assert f"the change disables {name}: enabled in 1 state before" in ran.out


def test_one_expectation_that_enables_the_action_is_enough(since: Callable[..., Ran]) -> None:
    """With eager=0 nothing happens, before and after; with a crash or without the answer is heard."""
    ran = since("expect = [holds(), ", "expect = [holds(), holds(at={'eager': 0, 'crashes': 1}), ")
    assert ran.code == 0, ran.out
    assert since("self.asked = True", "self.asked = True  # and").code == 0


def test_a_new_action_is_no_disabled_one(since: Callable[..., Ran]) -> None:
    """It was not there before."""
    new = "    @action\n    def never(self):\n        require(self.eager == 3)\n        pass\n\n    @invariant"
    ran = since("    @invariant", new)
    assert ran.code == 0 and "disables" not in ran.out


def test_what_is_not_met_claims_nothing(since: Callable[..., Ran]) -> None:
    """The violation is the answer."""
    ran = since(SEND, "        self.answered = True\n        self.asked = False")
    assert ran.code == 1 and "disables" not in ran.out


def test_a_bound_on_the_search_before_is_told(since: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> None:
    """Two states do not show that the answer was heard before, nor that it was not."""
    monkeypatch.setattr("checker.analysis.disabled.MOST_STATES", 2)
    ran = since(SEND, "        pass")
    why = "its search was stopped by the limit on states"
    assert f"whether asking.py enabled hear before the change is not known: {why}" in ran.out
    assert "the change disables" not in ran.out
    monkeypatch.setattr("checker.analysis.disabled.ALL_SECONDS", -1.0)
    assert "is not known: there was no time for its search" in since(SEND, "        pass").out
