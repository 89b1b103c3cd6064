"""Of several steps that the protocol before the edit does not allow, CAUSE marks those that matter: with which alone,
or without which not, the steps of the run still violate the property."""

from __future__ import annotations

import pytest
from attrs import evolve

from checker.analysis.check import check
from checker.language import Bool, Fifo, Ids, Int, Network, Process, Seq, Set, action, invariant, on, require, rule, var
from checker.language.distributed import Distributed
from checker.language.model import Model
from checker.replay import rearranged
from checker.report.gallery_pages import Exhibit, section
from checker.report.grid import grid
from checker.report.markdown import guilty_sentences
from checker.report.text import text_report
from checker.report.wording import first_difference, guilty_line
from checker.trace.itf import to_itf
from checker.trace.read_itf import from_itf
from checker.trace.trace import Trace


class Door(Model):
    """A guest enters when called; the second one is called after a bell, which rings when the first one is inside."""

    Guest = Ids("g", 2)
    called = var(Set[Guest])
    inside = var(Set[Guest])
    bell = var(Bool, False)

    @action
    def enter(self, g: Guest):
        require(g not in self.inside and self.may_enter(g))
        self.inside.add(g)

    @rule
    def may_enter(self, g: Guest) -> bool:
        return g in self.called

    @action
    def ring(self):
        require(not self.bell and self.Guest[0] in self.inside)
        self.bell = True

    @action
    def call(self, g: Guest):
        require(g not in self.called and (self.bell or g == self.Guest[0]))
        self.called.add(g)

    def full(self) -> bool:
        return len(self.inside) == 2

    @invariant
    def second_after_the_bell(self) -> bool:
        return self.bell or not self.full()

    @invariant
    def somebody_called(self) -> bool:
        return len(self.called) > 0 or not self.full()

    @invariant
    def everybody_called(self) -> bool:
        return len(self.called) == 2 or not self.full()


class Pushing(Door):
    """EDIT: guests enter without being called."""

    @rule
    def may_enter(self, g):
        return True


class Open(Door):
    """The first guest may enter after the bell, which anybody may ring, too."""

    Guest = Door.Guest

    @rule
    def may_enter(self, g):
        return g in self.called or self.bell and g == self.Guest[0]

    @action
    def ring(self):
        require(not self.bell)
        self.bell = True

    @action
    def call(self, g: Guest):
        require(g not in self.called)
        self.called.add(g)

    @invariant
    def all_called_before_the_bell(self) -> bool:
        return len(self.called) == 2 or not (self.full() and self.bell)


class OpenToAll(Open):
    """EDIT: guests enter without being called."""

    @rule
    def may_enter(self, g):
        return True


class Hall(Model):
    """Guests enter one after the other, and are greeted."""

    Guest = Ids("g", 2)
    inside = var(Seq[Guest, 2])
    greeted = var(Set[Guest])

    @action
    def enter(self, g: Guest):
        require(g not in self.inside)
        self.inside.append(g)
        if self.greets():
            self.greeted.add(g)

    @rule
    def greets(self) -> bool:
        return True

    @invariant
    def first_is_greeted(self) -> bool:
        return len(self.inside) < 2 or self.inside[0] in self.greeted


class Silent(Hall):
    """EDIT: nobody is greeted."""

    @rule
    def greets(self):
        return False


def marked(
    name: str, edit: type[Model] = Pushing, base: type[Model] = Door
) -> tuple[Trace, tuple[int | None, tuple[int, ...]]]:
    report = check(edit, edit.__name__, engine="interpreter", only=[name], base=base, broken_before={})
    (found,) = [p.trace for p in report.properties]
    assert found is not None
    return found, (next((s.number for s in found.steps if s.cause), None), found.also)


def test_a_step_that_alone_breaks_nothing_is_not_the_cause() -> None:
    """The first guest may enter, called or not; the second one did not wait. The first is called in another order."""
    found, numbers = marked("second_after_the_bell")
    assert [str(s.args["g"]) for s in found.steps] == ["g1", "g2"] and numbers == (2, ())


def test_that_an_earlier_step_is_not_allowed_either_is_said() -> None:
    """The gallery says so behind the bold line of the picture, which names the step that matters; the picture says it
    beside the step."""
    found, _ = marked("second_after_the_bell")
    first = marked("somebody_called")[0]
    assert found.parted == 1 and from_itf(to_itf(found)) == found
    told = "The first step that the protocol before the edit does not allow is step 1."
    assert first_difference(found) == told and first.parted is None and first_difference(first) == ""
    beside = [[line.text for line in row.changes] for row in grid(found).rows[1:3]]
    either = "not allowed before the edit either"
    assert either in beside[0] and either not in beside[1] and either not in str(grid(first))
    page = section(Exhibit(found, "Guests enter."))
    assert f"\n{guilty_sentences(found)[0]}. {told}\n" in page
    assert f"\n{guilty_sentences(first)[0]}.\n" in section(Exhibit(first, "Guests enter."))


def test_of_steps_that_are_needed_together_all_are_marked() -> None:
    """Where one guest is called, somebody is. Text, picture and file have both steps."""
    found, numbers = marked("somebody_called")
    assert numbers == (1, (2,)) and guilty_line(found).startswith("CAUSE, step 1 (and step 2: together), enter(g1): ")
    assert "CAUSE, TOO: not allowed before the edit" in text_report(found)
    assert from_itf(to_itf(found)) == found
    assert [list(row.marks.values()) for row in grid(found).rows[1:-1]] == [["CAUSE"], ["CAUSE AND VIOLATION"]]


def test_of_steps_that_are_enough_alone_all_are_marked() -> None:
    """Either guest may be called and the other not, in a run with one step more."""
    found, numbers = marked("everybody_called", OpenToAll, Open)
    assert numbers == (1, (2,)) and guilty_line(found).startswith("CAUSE, step 1 (and step 2: each is enough), ")


def test_a_step_that_needs_more_further_steps_to_be_enough_alone_is_not_marked() -> None:
    """Here the second guest can be called only after the bell."""
    _, numbers = marked("everybody_called")
    assert numbers == (2, ())


def test_of_steps_that_are_enough_alone_those_matter_that_need_the_fewest_further_steps() -> None:
    """The first guest could enter after the bell of this run. For the second one somebody would have to call it."""
    found, numbers = marked("all_called_before_the_bell", OpenToAll, Open)
    assert [step.action for step in found.steps] == ["enter", "enter", "ring"]
    assert numbers == (2, ()) and found.parted == 1


def test_a_step_without_which_the_run_still_violates_the_property_is_not_marked() -> None:
    """The second guest would have to be greeted if it were the first one, which it is not in this run."""
    found, numbers = marked("first_is_greeted", Silent, Hall)
    assert [str(step.args["g"]) for step in found.steps] == ["g1", "g2"] and numbers == (1, ())


def test_where_the_search_gives_up_no_step_is_said_to_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """The head names the steps that differ, and no further step is marked; the file keeps how the CAUSE was found."""
    monkeypatch.setattr(rearranged, "MOST_STATES", 0)
    found, numbers = marked("somebody_called")
    assert found.found_by == "unproved" and found.differing == (1, 2) and numbers == (1, ())
    unknown = "CAUSE, step 1 (steps 1 and 2 differ; which of them matter is not known), enter(g1): "
    assert guilty_line(found).startswith(unknown)
    assert "CAUSE, TOO" not in text_report(found) and from_itf(to_itf(found)) == found


def test_what_is_looked_at_for_all_choices_together_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each state that is looked at counts, whichever choice it is looked at for."""
    monkeypatch.setattr(rearranged, "MOST_LOOKED_AT", 3)
    assert marked("somebody_called")[0].found_by == "unproved"


def test_how_a_cause_was_found_is_a_part_of_the_trace() -> None:
    """One step alone differs; of several the search proves which matter."""
    assert marked("second_after_the_bell")[0].found_by == "effect"
    assert marked("first_is_greeted", Silent, Hall)[0].found_by == "effect"


class Noted(Door):
    """The same, and who entered is noted."""

    entered = var(Set[Door.Guest])

    @action
    def enter(self, g: Door.Guest):
        require(g not in self.inside and self.may_enter(g))
        self.inside.add(g)
        self.entered.add(g)


def test_where_later_steps_cannot_be_compared_the_first_is_not_said_to_be_the_only_one() -> None:
    """The base has a variable of its own, so no state of the run is one of its states."""
    found, numbers = marked("somebody_called", Pushing, Noted)
    assert found.found_by == "first" and numbers == (1, ())
    assert "CAUSE, step 1 (the first that differs; whether later ones do is not known), enter(g1): " in guilty_line(
        found
    )


def test_a_cause_found_in_no_known_way_is_refused() -> None:
    """A trace is read from files of others."""
    found, _ = marked("somebody_called")
    with pytest.raises(ValueError, match="unknown way to find a CAUSE 'oracle'"):
        evolve(found, found_by="oracle")
    with pytest.raises(ValueError, match="found_by"):
        from_itf(to_itf(found).replace('"found_by": "effect"', '"found_by": "oracle"'))


class Loose(Distributed):
    """A message may come in any order."""

    come = var(Int(0, 1), 0)
    net = var(Network[Process, Int(0, 1)])

    @action
    def send(self, p: Process):
        require(self.come == 0 and len(self.net) == 0)
        self.net.send(p, p, 1)

    @on(net)
    def receive(self, p, q, m):
        pass

    @invariant
    def none_comes(self) -> bool:
        return self.come == 0


class Tight(Loose):
    """EDIT: channels in order."""

    net = var(Fifo[Process, Int(0, 1)])

    @on(net)
    def receive(self, p, q, m):
        self.come = 1


def test_initial_states_that_differ_by_an_empty_network_differ_by_its_order() -> None:
    """Not by how an empty network of either kind is written."""
    found, _ = marked("none_comes", Tight, Loose)
    assert found.found_by == "initial"
    assert found.cause.startswith("in the initial state: net is a network that keeps each channel in order (")
