"""A model object stepped by hand, as in a REPL."""

from __future__ import annotations

import pytest

from checker.backends.interpreter.by_hand import enabled, take
from checker.language import Disabled, Int, Model, UsageError, action, choose, var
from checker.models.isis import Isis


def test_steps_are_taken_one_by_one() -> None:
    """The example of the language reference."""
    isis = Isis(workload=(1, 1))
    assert [str(s) for s in enabled(isis)] == ["multicast(p1)", "multicast(p2)"]
    take(isis, enabled(isis)[0])
    assert repr(isis.net) == "p1→p1 Data(m1.1), p1→p2 Data(m1.1)"
    assert [str(s) for s in enabled(isis)] == ["multicast(p2)", "propose(p1, p1, m1.1)", "propose(p2, p1, m1.1)"]


def test_an_action_called_as_a_method_changes_the_state() -> None:
    """What a debugger steps through is the protocol itself."""
    isis = Isis(workload=(1, 1))
    p1, _ = isis.Process
    isis.multicast(p1)
    assert isis.sent[p1] == 1 and len(isis.net) == 2


def test_a_step_of_another_state_is_refused() -> None:
    """A step belongs to the state it was listed for."""
    isis = Isis(workload=(1, 1))
    first = enabled(isis)[0]
    take(isis, first)
    with pytest.raises(UsageError, match="not enabled"):
        take(isis, first)


def test_an_action_that_is_not_enabled_says_so() -> None:
    """Called as a method, it ends with what a prompt shows."""
    isis = Isis(workload=(1, 1))
    p1, _ = isis.Process
    isis.multicast(p1)
    with pytest.raises(Disabled, match="a require does not hold"):
        isis.multicast(p1)


def test_an_attribute_that_is_no_variable_is_refused() -> None:
    """Python would make an attribute of it, which no state has: the message names the variable that is meant."""
    isis = Isis(workload=(1, 1))
    with pytest.raises(UsageError, match="Isis has no variable nett") as caught:
        isis.nett = isis.net  # type: ignore[attr-defined]
    assert caught.value.remedy == "Did you mean net?"
    with pytest.raises(UsageError, match="Isis has no variable anything_else") as caught:
        isis.anything_else = 1  # type: ignore[attr-defined]
    assert str(caught.value.remedy).startswith("It has: agreed, apart, crashed")


def test_a_property_changes_no_variable_of_the_model() -> None:
    """Assigned by hand as in a handler, what belongs to the model is refused, and so is what nobody declares."""
    isis = Isis(workload=(1, 1))
    observer = isis.watching[0]
    with pytest.raises(UsageError, match="changes net, which belongs to the model"):
        observer.net = 1
    with pytest.raises(UsageError, match="has no variable other"):
        observer.other = 1


def test_a_step_is_taken_by_its_name() -> None:
    """As it is shown; what is not enabled, or has several choices, is refused with what there is."""
    isis = Isis(workload=(1, 1))
    take(isis, "multicast( p1 )")
    assert isis.sent[isis.Process[0]] == 1
    with pytest.raises(UsageError, match=r"multicast\(p1\) is not enabled") as caught:
        take(isis, "multicast(p1)")
    assert str(caught.value.remedy).startswith("Enabled are: multicast(p2), propose(p1, p1, m1.1)")
    choosing = Choosing()
    with pytest.raises(UsageError, match="pick has 3 choices here"):
        take(choosing, "pick")
    take(choosing, enabled(choosing)[2])
    take(choosing, "rest")
    assert choosing.n == 2


class Choosing(Model):
    """Picks a number."""

    n = var(Int(0, 2), 0)

    @action
    def pick(self):
        self.n = choose(range(0, 3))

    @action
    def rest(self):
        pass
