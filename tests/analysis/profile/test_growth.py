"""What grows until a limit or Ctrl-C ends a search is named, with the action that adds to it."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from checker.analysis.check import check
from checker.analysis.profile.larger import growth_of
from checker.catalogue import readable
from checker.ir import types as t
from checker.report.checked import check_lines
from checker.report.lines import plain
from checker.search.limits import Limits
from tests.cli.commands import Ran

Checker = Callable[..., Ran]
Write = Callable[[str, str], str]

ASKING = '''"""Processes ask each other."""

from checker.language import Bool, Distributed, Map, Network, Process, Record, Union, action, on, require, var


class Asking(Distributed):
    """Each asks all, and they answer."""

    Wire = Union(Ask=Record(), Answer=Record())
    net = var(Network[Process, Wire])
    asked = var(Map[Process, Bool])
    answered = var(Map[Process, Bool])

    @action
    def ask(self, p: Process):
        require(not self.asked[p])
        self.asked[p] = True
        self.net.multicast(p, self.Wire.Ask())

    @on(net, Wire.Ask)
    def asked_for(self, p, q):
        self.net.send(p, q, self.Wire.Answer())

    @on(net, Wire.Answer)
    def hear(self, p, q):
        self.answered[p] = True
'''
GUARD = "        require(not self.asked[p])\n"
LIMIT = ("-D", "processes=2", "--max-states", "2000")


REPEATED = '''"""One process repeats its message until the other has answered, and nobody takes the answers."""

from checker.language import Bool, Distributed, Map, Network, Process, Record, Union, action, on, require, var


class Repeated(Distributed):
    """At most one message is on its way; of the answers there may be any number."""

    Wire = Union(Data=Record(), Answer=Record())
    net = var(Network[Process, Wire])
    heard = var(Map[Process, Bool])

    @action
    def transmit(self, p: Process, q: Process):
        require(p < q and self.Wire.Data() not in self.net.between(p, q))
        self.net.send(p, q, self.Wire.Data())

    @on(net, Wire.Data)
    def receive(self, p, q):
        self.net.send(p, q, self.Wire.Answer())

    @on(net, Wire.Answer)
    def hear(self, p, q):
        self.heard[p] = True
'''


def endless(ran: Ran) -> Any:
    """What the profile says of growth without end."""
    assert ran.code == 4
    return ran.json()["profile"]["endless"]


@pytest.mark.parametrize("channels", ["unordered", "fifo"])
def test_the_action_that_sends_what_stays_is_asked_for_its_guard(checker: Checker, write: Write, channels: str) -> None:
    """The message that is repeated is taken each time: its sender has a guard, and adds nothing that stays."""
    found = endless(
        checker("check", write("repeated.py", REPEATED), *LIMIT, "-D", f"channels={channels}", "--json", "-")
    )
    assert found["sender"] == "receive" and sorted(found["actions"]) == ["receive", "transmit"]


@pytest.mark.parametrize("channels", ["unordered", "fifo"])
@pytest.mark.parametrize("engine", ["native", "interpreter"])
def test_a_guard_that_is_missing_is_asked_for(checker: Checker, write: Write, channels: str, engine: str) -> None:
    """Whoever has asked asks again; the advice names network and action instead of a constant."""
    file = write("asking.py", ASKING.replace(GUARD, ""))
    found = endless(checker("check", file, *LIMIT, "-D", f"channels={channels}", "--engine", engine, "--json", "-"))
    assert (found["network"], found["sender"], found["actions"]) == ("net", "ask", ["ask"]) and found["most"] >= found[
        "steps"
    ] > 3
    ran = checker("check", file, *LIMIT, "-D", f"channels={channels}", "--engine", engine)
    assert (
        f"advice     net still grows after {found['steps']} steps: up to {found['most']} messages in flight, "
        f"and ask leads back to the same state with more Ask. "
    ) in ran.out
    assert "Is a guard missing in ask, which sends Ask?" in ran.out and "could be lowered" not in ran.out


def test_a_handler_that_answers_with_more_than_it_gets_is_named(checker: Checker, write: Write) -> None:
    """Each message that is received is answered with two."""
    text = ASKING.replace("send(p, q, self.Wire.Answer())", "multicast(p, self.Wire.Ask())")
    found = endless(checker("check", write("chain.py", text), *LIMIT, "--json", "-"))
    assert found["sender"] == "asked_for" and "asked_for" in found["actions"]


def test_what_only_has_many_states_does_not_grow_without_end(checker: Checker, write: Write) -> None:
    """More messages are in flight on every level, but never in the same state: the model is finite, and its constants
    are what to lower."""
    found = checker("check", write("asking.py", ASKING), "-D", "processes=4", "--max-states", "2000", "--json", "-")
    assert endless(found) is None and found.json()["profile"]["advice"].startswith(
        "add --reduce, which leaves out steps on which no verdict depends; else lower processes first"
    )
    assert endless(checker("check", "isis", "-D", "workload=2,2", "--max-states", "2000", "--json", "-")) is None


COUNTING = '''"""A clock, and a log of what was heard."""

from checker.language import Int, Map, Model, Ids, Seq, action, holds, invariant, var


class Counting(Model):
    """The clock goes on, each node notes what it hears."""

    Node = Ids("n", 2)
    clock = var(Int(0, 1000), 0)
    log = var(Map[Node, Seq[Int(0, 1), 500]])

    @action
    def tick(self):
        self.clock += 1

    @action
    def hear(self, n: Node):
        self.log[n].append(0)

    @invariant
    def right(self) -> bool:
        return self.clock >= 0

    expect = holds()


class Stopped(Counting):
    """EDIT: the clock stops."""

    tick = None


class Hour(Counting):
    """EDIT: the type is the bound."""

    clock = var(Int(0, 60), 0)
    hear = None
'''
SOME = ("--max-states", "2000")


@pytest.fixture
def counting(write: Write) -> str:
    return write("counting.py", COUNTING)


@pytest.mark.parametrize(
    ("name", "variable", "action", "so_far", "more"),
    [
        ("Counting", "clock", "tick", "up to 21 of at most 1,000", "a larger value"),
        ("Stopped", "log", "hear", "up to 62 of at most 500 items", "more of them"),
    ],
)
def test_a_variable_that_grows_is_named(
    checker: Checker, counting: str, name: str, variable: str, action: str, so_far: str, more: str
) -> None:
    """A number and a list, with how large they are, of how much there may be."""
    found = checker("check", f"{counting}:{name}", *SOME, "--json", "-")
    growing = found.json()["growing"]
    assert found.code == 4 and (growing["network"], growing["variable"]) == (None, variable)
    assert growing["actions"] == [action] and growing["items"] == (variable == "log")
    assert (
        f"{so_far}, and {action} leads back to the same state with {more}"
        in checker("check", f"{counting}:{name}", *SOME).out
    )


def test_what_grows_to_a_near_bound_is_not_named(checker: Checker, counting: str) -> None:
    """Sixty minutes are what the author wants to search."""
    assert "growing" not in checker("check", f"{counting}:Hour", "--max-states", "30", "--json", "-").json()


def test_a_search_that_ends_names_no_growth(checker: Checker, write: Write) -> None:
    """Complete, or at a violation."""
    found = checker("check", write("asking.py", ASKING), "-D", "processes=2", "--json", "-")
    assert found.code == 0 and "growing" not in found.json()


def test_verify_says_what_grows_behind_what_is_open(checker: Checker, counting: str) -> None:
    """In the text, in the data, and in the case of the property that is open."""
    ran = checker(
        "verify", f"{counting}:Counting", *SOME, "--junit", "junit.xml", "--markdown", "m.md", "--json", "v.json"
    )
    assert ran.code == 4
    first, second = json.loads(Path("v.json").read_text())["results"][0]["undecided"]
    assert first.startswith("right should hold") and second.startswith("clock still grows after 21 steps")
    assert f"    {second}" in ran.out
    assert (
        second in Path("m.md").read_text() and f"states (--max-states 2000); {second}" in Path("junit.xml").read_text()
    )


def test_growth_alone_leaves_nothing_open(checker: Checker, write: Write) -> None:
    """Expected violations that were found before the limit are as expected, whatever grows."""
    both = "self.clock < 3\n\n    @invariant\n    def early(self) -> bool:\n        return self.clock < 4"
    text = COUNTING.replace("self.clock >= 0", both).replace("expect = holds()", "expect = violates('right', 'early')")
    ran = checker("verify", write("counting.py", text.replace(" holds,", " violates,")) + ":Counting", *SOME)
    assert ran.code == 0, ran.out


def test_compare_says_what_grows(checker: Checker, counting: str) -> None:
    """On both sides: here in each another variable."""
    ran = checker("compare", f"{counting}:Stopped", *SOME)
    assert ran.code == 4
    assert "grows      in counting.py: clock still grows after 21 steps" in ran.out
    assert "in counting.py:Stopped: log still grows after 62 steps" in ran.out


def test_ctrl_c_tells_what_grows(counting: str) -> None:
    """There is no profile then."""

    def progress(*_: Any) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    (entry,) = (e for e in readable(counting).entries if e.cls.__name__ == "Counting")
    report = check(entry.cls, entry.reference, progress=progress, limits=Limits(max_seconds=60).begun())
    assert report.bound == "interrupted" and report.profile is None and report.growing is not None
    assert f"  growth     {report.growing.sentence}" in map(plain, check_lines(report, {}))


WORD = t.Int(0, 1000)


@pytest.mark.parametrize(
    ("type", "before", "after", "grown"),
    [
        (WORD, 3, 5, 2),
        (WORD, 3, 3, 0),
        (WORD, 5, 3, None),
        (WORD, 3, 950, None),  # too near to the end of its type
        (t.Bool(), 0, 1, None),
        (t.Seq(WORD, 200), (1, 2), (1, 2, 7), 1),
        (t.Seq(WORD, 200), (1, 2), (2, 2, 7), None),
        (t.Seq(WORD, 90), (1, 2), (1, 2, 7), None),
        (t.Bag(WORD, 200), (1, 2), (1, 1, 2), 1),
        (t.Bag(WORD, 200), (1, 1), (1, 2), None),
        (t.Set(WORD), frozenset({1}), frozenset({1, 2, 3}), 2),
        (t.Set(WORD), frozenset({1}), frozenset({2, 3}), None),
        (t.Map(t.Bool(), WORD), (1, 2), (1, 4), 2),
        (t.Map(t.Bool(), WORD), (1, 2), (0, 4), None),
        (t.Record("", (("a", WORD), ("b", t.Bool()))), (1, 1), (2, 1), 1),
        (t.Record("", (("a", WORD), ("b", t.Bool()))), (1, 0), (2, 1), None),
        (t.Optional(WORD), None, 1, None),
        (t.Optional(WORD), 1, 2, 1),
        (t.Union("", (t.Record("", (("a", WORD),)),)), (0, (1,)), (0, (2,)), 1),
    ],
)
def test_growth_of_a_value(type: t.Type, before: Any, after: Any, grown: int | None) -> None:
    """With room for a hundred more."""
    assert growth_of(type, before, after, 100) == grown


def test_messages_need_no_room() -> None:
    """A network has no bound in the language, whatever its packed states have room for."""
    assert growth_of(t.Bag(WORD, 3, "net"), (1, 2), (1, 2, 2), 100, unbounded=True) == 1


EXAMPLE = Path(__file__).parents[3] / "docs" / "examples" / "retransmission.py"
NO_BOUND_IN_ANSWERS = '''

class HalfABound(OneInFlight):
    """EDIT: the answers have no bound."""

    def answer(self, p, q):
        self.net.send(p, q, self.Wire.Stored())

    expect = None

'''


@pytest.mark.parametrize("channels", ["unordered", "fifo"])
def test_with_half_a_bound_both_actions_and_the_kind_of_message_are_named(
    checker: Checker, write: Write, channels: str
) -> None:
    """What is asked again has a bound, what is sent in answer has none: a guard in either ends the growth."""
    text = EXAMPLE.read_text(encoding="utf-8") + NO_BOUND_IN_ANSWERS
    ran = checker(
        "check", f"{write('again.py', text)}:HalfABound", *LIMIT, "-D", f"channels={channels}", "--json", "o.json"
    )
    found = json.loads(Path("o.json").read_text(encoding="utf-8"))["growing"]
    assert (found["kinds"], found["sender"], sorted(found["actions"])) == (["Stored"], "store", ["ask", "store"])
    assert (
        "lead back to the same state with more Stored. "
        "Is a guard missing in store, which sends Stored, or in ask, which makes that happen again? "
        "Section 6 of docs/language.md shows how to bound what is sent again."
    ) in ran.out


def test_messages_of_one_form_have_no_kind(checker: Checker, write: Write) -> None:
    """There is no name for them."""
    text = ASKING.replace(GUARD, "").replace("Network[Process, Wire]", "Network[Process, Bool]")
    text = text[: text.index("    @on(net, Wire.Ask)")].replace("self.Wire.Ask()", "True")
    found = checker("check", write("one.py", text), *LIMIT)
    assert (
        "leads back to the same state with more of them. Is a guard missing in ask, which sends? Section" in found.out
    )


def test_the_bounds_of_the_page_end_the_search() -> None:
    """The guards that the page shows are those of the example, which `checker verify` decides."""
    page = (EXAMPLE.parents[1] / "language.md").read_text(encoding="utf-8")
    example = EXAMPLE.read_text(encoding="utf-8")
    shown = page.partition("**Bounding what is sent again.**")[2].partition("```python\n")[2].partition("```")[0]
    for guard in ("self.asked[q] < self.times", "self.Wire.Store() not in self.net.between(p, q)"):
        assert guard in shown and guard in example
    for line in filter(None, map(str.strip, shown.partition("    require(self.asked")[0].splitlines())):
        assert line in example, line
