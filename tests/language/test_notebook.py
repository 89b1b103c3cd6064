"""Models in a notebook: what IPython finds on a class and on an object, and what it then shows."""

from __future__ import annotations

import re
import subprocess
import sys
from types import MethodType

import pytest

from checker.language import Distributed, Int, Invariant, Model, action, const, invariant, var


class Small(Invariant):
    """A property in a class of its own."""

    def holds(self) -> bool:
        return self.model.n < 3  # type: ignore[attr-defined, no-any-return]


class Counter(Model):
    """Counts <around>.

    A second paragraph.
    """

    step = const(1, "how far a step goes")
    n = var(Int(0, 3), 0)
    properties = [Small]

    @action
    def up(self) -> None:
        """One step up."""
        self.n = (self.n + self.step) % 4

    @invariant
    def even(self) -> bool:
        return self.n % 2 == 0  # type: ignore[no-any-return]


class Outside(Model):
    n = var(Int(0, 3), 7)


def cells(html: str | None) -> list[list[str]]:
    """The rows of the tables in HTML."""
    assert html is not None
    return [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row) for row in re.findall(r"<tr>(.*?)</tr>", html)]


def test_a_class_shows_constants_types_actions_and_properties() -> None:
    """Each with what is known of it; texts of the model are escaped."""
    html = Counter._repr_html_()
    assert cells(html) == [
        ["constants", ""],
        ["step", "1  how far a step goes"],
        ["variables", ""],
        ["n", "0..3"],
        ["actions", ""],
        ["up", "One step up."],
        ["properties", ""],
        ["Small", "invariant"],
        ["even", "invariant"],
    ]
    assert html.startswith("<p><b>Counter</b> Counts &lt;around&gt;.</p>")


def test_an_object_shows_its_constants_and_its_state() -> None:
    """Not those of the class; showing them changes nothing."""
    model = Counter(step=2)
    model.n = 2
    reads = model.storage.reads
    rows = cells(model._repr_html_())
    assert ["step", "2  how far a step goes"] in rows and ["n", "2"] in rows and ["even", "invariant"] in rows
    assert (model.storage.reads, model.n) == (reads, 2)


def test_a_class_that_the_language_refuses_shows_why() -> None:
    """The message of the command line, not a traceback."""
    assert "7 is out of range Int(0, 3)" in Outside._repr_html_()


@pytest.mark.parametrize("base", [Model, Distributed])
def test_a_base_of_the_language_shows_nothing(base: type[Model]) -> None:
    """It is no model: IPython shows its name."""
    assert base._repr_html_() is None


@pytest.mark.parametrize("shown", [Counter, Counter()])
def test_ipython_calls_the_method_of_classes_and_objects(shown: type[Model] | Model) -> None:
    """Of a class IPython (`utils.dir2.get_real_method`) takes a bound method only: others are meant for objects."""
    assert isinstance(shown._repr_html_, MethodType)


def test_the_language_alone_is_enough() -> None:
    """Nothing of `checker` has to be called first."""
    program = "from checker.models.isis import Isis; print(Isis._repr_html_())"
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert "GapFreeTotalOrder" in shown and "multicast" in shown
