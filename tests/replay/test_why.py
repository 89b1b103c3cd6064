"""Why a run goes wrong: which edited rule decides the CAUSE, and which rule or guard stays false where something should
have happened."""

from __future__ import annotations

import ast
import re
import sys
from html import unescape
from typing import Any

import pytest
from attrs import evolve

from checker.analysis.check import check
from checker.catalogue import find
from checker.language import (
    Bool,
    Distributed,
    Fifo,
    Ids,
    Int,
    LeadsTo,
    Map,
    Model,
    Network,
    Optional,
    Process,
    Record,
    Seq,
    Union,
    action,
    const,
    holds,
    invariant,
    on,
    quiescent,
    require,
    rule,
    var,
    violates,
)
from checker.replay.base import base_of
from checker.replay.beside import beside
from checker.replay.guards import why
from checker.replay.scope import Scope
from checker.report.gallery_pages import Exhibit, diagram_of, section
from checker.report.html import html_report
from checker.report.lines import plain
from checker.report.markdown import escape, markdown_summary
from checker.report.said import Weight
from checker.report.space_time import space_time
from checker.report.text import report_lines, text_report
from checker.report.wording import (
    caption,
    cause_in_short,
    decisive,
    guilty_line,
    guilty_parts,
    guilty_said,
    now_and_before,
)
from checker.trace.former import Contrast
from checker.trace.itf import to_itf
from checker.trace.read_itf import from_itf
from checker.trace.trace import Trace
from checker.wording import first_sentence


def trace(cls: type[Model], **given: Any) -> Trace:
    """The one violation of a model."""
    report = check(cls, cls.__name__, given, engine="interpreter", base=base_of(cls))
    return next(p.trace for p in report.properties if p.trace is not None)


def cause_of(found: Trace) -> str:
    """The note at the CAUSE."""
    return next(step.note for step in found.steps if step.cause)


class Tickets(Model):
    """Guests take tickets; the next number is called as often as somebody with that number is there."""

    guests = const(2, "how many guests")
    Guest = Ids("g", guests)
    number = var(Map[Guest, Int(0, 9)], 0)
    last = var(Int(0, 9), 0)
    served = var(Seq[Guest, 4])
    outcome = ("served",)
    expect = holds()

    @action
    def take(self, g: Guest):
        require(self.number[g] == 0)
        self.last += 1
        self.number[g] = self.last
        self.call()

    def call(self):
        for g in self.Guest:
            if self.due(g):
                self.served.append(g)

    @rule
    def due(self, g: Guest) -> bool:
        """Who has a ticket, and is next."""
        return self.number[g] > 0 and self.number[g] == self.first() + len(self.served)

    @rule
    def first(self) -> int:
        """The first number that is called."""
        return 1

    @invariant
    def in_turn(self) -> bool:
        return all(self.number[g] == n + 1 for n, g in enumerate(self.served))

    @quiescent
    def all_are_served(self) -> bool:
        return all(g in self.served for g in self.Guest)


class Twice(Tickets):
    """EDIT: who has a ticket is served."""

    @rule
    def due(self, g):
        return self.number[g] > 0

    expect = violates("in_turn")


class FromFive(Tickets):
    """EDIT: the first number that is called is 5."""

    @rule
    def first(self):
        return 5

    expect = violates("all_are_served")


class Closed(Tickets):
    """EDIT: nobody takes a ticket while another has one that is not served."""

    @action
    def take(self, g):
        require(self.number[g] == 0)
        require(len(self.served) == self.last and not self.shut(g))
        self.last += 1
        self.number[g] = self.last

    @rule
    def shut(self, g):
        return False

    expect = violates("all_are_served")


class Served(LeadsTo):
    """A ticket is served."""

    def each(self, g: Tickets.Guest):
        return g

    def when(self, g) -> bool:
        return self.number[g] > 0

    def then(self, g) -> bool:
        return g in self.served


def test_a_rule_that_is_asked_in_the_middle_of_a_step_is_judged_where_it_was_asked() -> None:
    """The second guest's ticket calls the first again: by then the state is neither that before the step nor after."""
    note = cause_of(trace(Twice))
    due = Twice.due.__code__.co_firstlineno + 2
    before = Tickets.due.__code__.co_firstlineno + 3
    assert note.startswith(
        f"due(g1) is true (test_why.py:{due}): without the condition number[g1] == first() + len(served); before the "
        f"edit it is false (test_why.py:{before}): number[g1] = 1 is not first() + len(served) = 2; after this step in "
        "Tickets "
    )


def test_a_rule_that_is_a_number_shows_both_values() -> None:
    """Neither is true or false."""
    found = trace(FromFive)
    note = cause_of(found)
    assert (
        note.startswith("first() is always 5 (test_why.py:") and "before the edit it is always 1 (test_why.py:" in note
    )
    cause = next(step for step in found.steps if step.cause)
    assert cause.rule is not None and cause.rule[1] == FromFive.first.__code__.co_firstlineno + 2


def test_at_the_end_the_rule_that_stays_false_is_told_with_its_values() -> None:
    """What the run asked in vain, and not merely which action is over."""
    found = trace(FromFive)
    line = Tickets.due.__code__.co_firstlineno + 3
    assert found.blocked[0].startswith(f"due(g1) stays false (test_why.py:{line}): number[g1] = ")
    assert not any("take" in text and "stays" in text for text in found.blocked)


class Gate(Model):
    """Guests ring, which only counts while the bell is on, and pass a gate that is shut, unless they are banned."""

    Guest = Ids("g", 2)
    rung = var(Map[Guest, Bool])
    passed = var(Map[Guest, Bool])

    @action
    def ring(self, g: Guest):
        require(self.may_ring(g))
        self.rung[g] = True
        if self.is_loud(g):
            self.rung[g] = True

    @action
    def enter(self, g: Guest):
        require(self.rung[g] and not self.passed[g])
        require(not self.is_shut(g))
        require(not self.is_banned(g))
        self.passed[g] = True

    @rule
    def may_ring(self, g: Guest) -> bool:
        return not self.rung[g]

    @rule
    def is_loud(self, g: Guest) -> bool:
        return g == self.Guest[1] and not self.rung[g]

    @rule
    def is_shut(self, g: Guest) -> bool:
        return self.rung[g]

    @rule
    def is_banned(self, g: Guest) -> bool:
        return False

    @quiescent
    def all_pass(self) -> bool:
        return all(self.passed[g] for g in self.Guest)


def test_only_a_condition_that_would_let_the_missing_step_happen_is_told() -> None:
    """Not what guards a step that was taken, chooses a branch, or is asked negated and false."""
    line, rung = Gate.is_shut.__code__.co_firstlineno + 2, Gate.ring.__code__.co_firstlineno + 3
    since = f"so since step 1, ring(g1): sets rung[g1] to true (test_why.py:{rung})"
    assert trace(Gate).blocked == (f"is_shut(g1) stays true (test_why.py:{line}): rung[g1] is true; {since}",)


class Bell(Gate):
    """The same, without rules in the guard."""

    @action
    def enter(self, g):
        require(self.rung[g] and not self.passed[g])
        require(not self.rung[g])
        self.passed[g] = True


def test_a_guard_that_blocks_alone_is_told_where_no_rule_does() -> None:
    """The part of the guard that blocks, with its line."""
    line = Bell.enter.__code__.co_firstlineno + 3
    found = check(Bell, "Bell", {}, engine="interpreter", base=Bell).properties[0].trace
    assert found is not None
    assert found.blocked[0].startswith(f"enter(g1) is disabled: rung[g1] is true (test_why.py:{line}); so since step 1")


def test_an_action_that_was_edited_has_no_guilty_rule_and_its_line_is_named() -> None:
    """What differs in the body of an action is told by its statements: here the call of the next guest is gone."""
    found = trace(Closed)
    note = cause_of(found)
    mine, base = Closed.take.__code__.co_firstlineno, Tickets.take.__code__.co_firstlineno
    assert note.startswith(
        f"take(g1) does nothing more after it sets number[g1] to 1 (test_why.py:{mine + 5}); before the edit it "
    )
    assert f" call() (test_why.py:{base + 5}); " in note
    assert next(s.rule for s in found.steps if s.cause) == ("replay/test_why.py", mine + 5)


def test_what_was_found_is_stored_with_the_trace() -> None:
    """Reports are made from the file, which needs no model."""
    for cls in (Twice, FromFive):
        found = trace(cls)
        assert from_itf(to_itf(found)) == found


def test_watching_leaves_the_profiling_hook_as_it_was() -> None:
    """A user may be profiling."""
    calls: list[str] = []

    def hook(frame: Any, event: str, argument: Any) -> None:
        calls.append(event)

    sys.setprofile(hook)
    try:
        trace(Twice)
        assert sys.getprofile() is hook
    finally:
        sys.setprofile(None)
    assert calls


def test_the_end_shows_what_a_property_reads_through_a_rule(checker: Any, write: Any) -> None:
    """Where it reads no variable itself: a last row without values would say nothing."""
    write(
        "via.py",
        """from checker.language import Bool, Distributed, Map, Process, action, invariant, var


class Via(Distributed):
    valid = var(Map[Process, Bool])

    @action
    def take(self, p: Process):
        self.valid[p] = True

    def holder(self, p):
        return self.valid[p]

    @invariant
    def one(self):
        return not all(self.holder(p) for p in self.Process)
""",
    )
    assert "  p2  valid true  <-" in checker("check", "via.py", "-D", "processes=2").out


class Queues(Model):
    """Guests queue up; a queue may be as long as there are guests."""

    Guest = Ids("g", 2)
    queue = var(Map[Guest, Seq[Int(0, 3), 4]])

    @action
    def join(self, g: Guest):
        require(len(self.queue[g]) < 4 and g == self.Guest[1])
        self.queue[g].append(0)

    @invariant
    def short(self) -> bool:
        return all(len(line) <= len(self.Guest) for g in self.Guest for h in self.Guest for line in [self.queue[h]])


def test_of_lanes_that_are_named_to_say_where_one_looked_those_are_guilty_whose_values_have_changed() -> None:
    """The other is as it was at the start: innocent."""
    found = trace(Queues)
    assert found.witness.startswith("For g = g1, h = g2") and found.steps[-1].lane == "g2"
    assert found.guilty == ("g2",)


class Wallets(Model):
    """Somebody pays from a wallet that holds enough."""

    Owner = Ids("w", 2)
    held = var(Map[Owner, Optional[Int(0, 2)]], 1)
    paid = var(Int(0, 2), 0)
    expect = holds()

    @action
    def pay(self, w: Owner):
        require(self.may_pay(w))
        self.paid += 1
        self.held[w] = 0

    @rule
    def may_pay(self, w: Owner):
        purse = self.held[w]
        return purse is not None and purse > 0 and self.paid == 0

    @invariant
    def once(self):
        return self.paid <= 1


class Often(Wallets):
    """EDIT: also when somebody has paid."""

    @rule
    def may_pay(self, w):
        purse = self.held[w]
        return purse is not None and purse > 0 and self.paid < 2

    expect = violates("once")


def test_of_a_rule_the_condition_that_differs_is_told() -> None:
    """What holds in both versions says nothing about the edit, and that a compared value is there goes without
    saying."""
    note = cause_of(trace(Often)).partition("; in Wallets")[0]
    edited, before = (cls.may_pay.__code__.co_firstlineno + 3 for cls in (Often, Wallets))
    assert note == (
        f"may_pay(w2) is true (test_why.py:{edited}): paid = 1 is < 2; before the edit it is false "
        f"(test_why.py:{before}): paid = 1 is not 0"
    )
    assert cause_in_short(trace(Often)) == note


def test_that_a_value_is_there_is_told_where_nothing_else_is() -> None:
    """And that one is not there always is."""
    names = {"x": 1, "y": None, "n": 3}

    def told(text: str, wanted: bool = True) -> str:
        return why(ast.parse(text, mode="eval").body, Scope(names, ""), wanted)

    assert told("x is not None and n > 2", False) == "n = 3 is > 2"
    assert told("x is not None", False) == "x = 1 is not none"
    assert told("y is None and n > 2", False) == "y is none and n = 3 is > 2"
    assert told("x is None or n < 2") == "n = 3 is not < 2"


class Overdrawn(Wallets):
    """Somebody pays again. This is a second sentence."""

    @rule
    def may_pay(self, w):
        return self.paid < 2

    expect = violates("once")


def test_a_run_has_the_first_sentence_of_its_class() -> None:
    """As what is edited, whether or not it is called an EDIT; of a protocol as what it is."""
    found = trace(Overdrawn)
    assert (found.edit, found.protocol) == ("Somebody pays again.", None)
    assert ("edit", "Somebody pays again.") in caption(found)
    assert trace(Often).edit == "also when somebody has paid."
    alone = evolve(found, edit=None, protocol="Somebody pays.")
    assert ("protocol", "Somebody pays.") in caption(alone) and from_itf(to_itf(alone)) == alone
    claim = evolve(found, edit="CLAIM (Section 4): nobody pays twice.")
    assert ("claim", "nobody pays twice (Section 4).") in caption(claim)
    assert ("repair", "for loss: somebody pays again.") in caption(
        evolve(found, edit="REPAIR for loss: somebody pays again.")
    )
    assert ("repair", "l. 20: somebody pays.") in caption(
        evolve(found, edit="REPAIR: The repair of l. 20: somebody pays.")
    )
    assert [what for what, _ in caption(evolve(found, edit="The edit s_toto:PhiVotesWin."))] == [
        "model",
        "search",
        "replay",
    ]


def test_of_a_long_reason_before_the_edit_a_head_has_the_condition_about_the_same_values() -> None:
    """The other conditions are true in both versions, or stand beside it for other values; a short reason is whole."""
    long = " and ".join(f"x{n} is in received[p1] = {{x1, x2}}" for n in range(1, 7))
    found = Contrast("is false (a.py:1): m1.1 is not m1.2", f"it is true (a.py:2): {long}", subject="goes(p1)")
    last = "at[m1.1] = 0 is <= at[m1.2] = 1"
    told = decisive(evolve(found, before=f"{found.before} and {last}"))
    assert told.endswith(f"; before the edit it is true (a.py:2): ... {last}")
    assert decisive(evolve(found, before=f"{found.before} and {last} and more is 1")).endswith(
        f"... {last} and more (more is 1)"
    )
    short = evolve(found, before=f"it is true (a.py:2): x1 is 1 and {last}")
    assert decisive(short) == short.text


def test_a_head_has_both_values_of_a_constant_and_not_what_the_base_does() -> None:
    """As of a rule; the whole sentence stands at the step."""
    found = Contrast("f = 0 (a.py:3)", "f = 1", then="before the edit it leads to a state in which n is 1")
    assert decisive(found) == "f = 0 (a.py:3); before the edit f = 1" and found.text.endswith(found.then)
    assert now_and_before(found) == ("f = 0 (a.py:3)", "f = 1")
    assert now_and_before(evolve(found, base="Lock"))[1] == "in Lock f = 1"


def test_constants_that_are_as_by_default_are_known() -> None:
    """Also one that is given its default."""
    assert trace(FromFive, guests=2).usual == ("guests",) == trace(FromFive).usual
    assert trace(FromFive, guests=1).usual == ()


@pytest.mark.parametrize(
    "paragraph, sentence",
    [
        ("One. Two.", "One."),
        ("No full stop", "No full stop"),
        ("Version 2.5 of it, e.g. this. Then", "Version 2.5 of it, e.g. this."),
        ("", ""),
    ],
)
def test_the_first_sentence_of_a_paragraph(paragraph: str, sentence: str) -> None:
    """A full stop ends it if a sentence follows, or nothing."""
    assert first_sentence(paragraph) == sentence


class Told(Distributed):
    """The first process tells itself; whoever hears asks whether to tell the second, and never does."""

    heard = var(Map[Process, Bool])
    begun = var(Bool)
    outcome = ("heard",)
    net = var(Network[Process, Bool])
    expect = violates("everybody_hears")

    @action
    def tell(self, p: Process):
        require(not self.begun and p == self.Process[0])
        self.begun = True
        self.net.send(p, p, True)

    @on(net)
    def hear(self, p, q, m):
        self.heard[p] = True
        if self.again(p):
            self.net.send(p, self.Process[1], True)

    @rule
    def again(self, p: Process) -> bool:
        return not self.heard[p]

    @quiescent
    def everybody_hears(self) -> bool:
        return all(not self.heard[p] or self.heard[q] for p in self.Process for q in self.Process)


class Named(Told):
    """EDIT: nothing that a run shows."""

    @rule
    def again(self, p):
        return False


def test_who_misses_something_comes_first_and_that_nothing_is_in_flight_to_it() -> None:
    """p2 misses what p1 has heard: what p1 asks in vain, and what it cannot do either, explains nothing."""
    found = trace(Told)
    assert found.witness_values["p"] == "p1" and found.witness_values["q"] == "p2"
    line = Told.again.__code__.co_firstlineno + 2
    assert found.blocked[0] == "nothing in flight to p2 for: hear"
    assert found.blocked[1].startswith(f"again(p1) stays false (test_why.py:{line}): heard[p1] is true; so since ")


def test_that_the_protocol_before_the_edit_has_the_run_and_breaks_the_property_stands_in_every_head() -> None:
    """And nowhere a second time."""
    found = trace(Named)
    line = Named.again.__code__.co_firstlineno + 2
    told = "Not caused by the edit: Told, the protocol before it, has this run too"
    told += f"; WHY NOT in this run: again(p1) stays false (test_why.py:{line}) of Named"
    forms = {"text": text_report(found), "page": html_report(found), "Markdown": markdown_summary(found)}
    assert guilty_line(found) == told
    drawn = space_time(found)
    assert all(part in drawn for part in ("Not caused by the edit: Told", "WHY NOT in this run: again(p1)"))
    for name, form in forms.items():
        words = " ".join(form.split()).replace("\\", "")
        assert all(part in words for part in guilty_parts(found)) and "this run is also a run of" not in form, name
    former, why = guilty_parts(found)
    assert f"<p>{former}</p><p><strong>{why}</strong></p>" in forms["page"]
    assert f"\n{former}\n\n**{why}**\n" in forms["Markdown"].replace("\\", "")
    assert "this run is also a run of" not in drawn
    assert (
        line_of(found, former)[0][1] == "" and line_of(found, why)[0][1] == "bold" and from_itf(to_itf(found)) == found
    )


def line_of(found: Trace, text: str) -> Any:
    """The line of a report with this text."""
    return next(line for line in report_lines(found) if plain(line) == text)


def test_where_only_the_property_reads_the_edited_rule_the_rule_is_the_cause() -> None:
    """Twice the same states: no step is new, and the property is true of them before the edit."""
    found = trace(Halved)
    assert [s.cause for s in found.steps] == [False]
    assert found.steps[-1].note == "this run is also a run of Once, where few is true at its end"
    now, before = (cls.most.__code__.co_firstlineno + 2 for cls in (Halved, Once))
    assert guilty_line(found) == (
        f"CAUSE in what the property reads: most() is always 0 (test_why.py:{now}); "
        f"before the edit it is always 1 (test_why.py:{before})"
    )
    assert beside(found, Once) is None
    assert from_itf(to_itf(found)) == found


def test_a_run_of_the_protocol_before_the_edit_is_no_excuse_where_the_property_itself_is_edited() -> None:
    """Then the line is that of the step after which it is violated."""
    found = trace(NotOne)
    line = Once.up.__code__.co_firstlineno + 3
    assert guilty_line(found) == (
        "No step is new: Once, the protocol before the edit, has this run too, where few is true at its end; "
        f"VIOLATION, step 1, up: sets x to 1 (test_why.py:{line})"
    )


class Once(Model):
    """Counts up to one."""

    x = var(Int(0, 1), 0)

    @action
    def up(self):
        require(self.x < 1)
        self.x += 1

    @rule
    def most(self) -> int:
        return 1

    @invariant
    def few(self) -> bool:
        return self.x <= self.most()


class Halved(Once):
    """EDIT: fewer are allowed."""

    @rule
    def most(self):
        return 0


class NotOne(Once):
    """EDIT: none is allowed."""

    @invariant
    def few(self) -> bool:
        return self.x == 0


@pytest.mark.parametrize("cls", [Twice, FromFive, Named])
def test_every_report_has_the_line_that_decides_before_what_stays_disabled(cls: type[Model]) -> None:
    """The same line in text, picture, page and Markdown; a picture has two reasons at most, the text has all."""
    found = evolve(trace(cls), blocked=("a is false", "b is false", "c is false"))
    words, strong = guilty_line(found).split(), [s for s in guilty_said(found)[-1] if s.weight is Weight.STRONG]
    heads = [" ".join(text_report(found).split()), " ".join(unescape(html_report(found)).split())]
    for text in (said.text for said in guilty_said(found)[-1]):
        assert all(head.index(text) < head.index("why not: a is false") for head in heads)
    assert all(f"**{escape(said.text)}**" in markdown_summary(found) for said in strong) and len(strong) == 1
    picture = re.sub(r"<[^>]*>", " ", space_time(found).partition("subgraph")[0])
    assert picture.index(words[1]) < picture.index("why not: a is false")
    assert "b is false" in picture and "c is false" not in picture and "c is false" in heads[0]


def test_a_page_of_the_gallery_writes_identifiers_as_the_model_does() -> None:
    """Who searches for due(g1) finds it."""
    text = section(Exhibit(trace(Twice), ""))
    assert "**CAUSE, step 2, take(g2): due(g1) is true" in text and "Due(" not in text


def test_the_command_of_a_picture_names_its_file() -> None:
    """In the gallery the run lies beside the picture under another name than in a report."""
    found = trace(Twice)
    assert "checker replay trace.itf.json" in space_time(found)
    exhibit = Exhibit(evolve(found, reference="tickets:Twice"), "")
    assert "checker replay Twice-in_turn.itf.json" in diagram_of(exhibit)


def test_a_guard_that_could_stand_in_for_a_message_is_no_better_reason_than_its_loss() -> None:
    """The receiver could ask for the message if it had the number; what it lacks is the number that was lost."""
    asked = check(find("sequencer:AskSequencer").cls, "", {"workload": (1, 0), "losses": 1}, only=["Agreement"])
    found = asked.properties[0].trace
    assert found is not None and any(" is disabled: " in text for text in found.blocked)
    assert found.decides.startswith("Order(m1.1, 0) to p2, sent at step 2 (sequencer.py:")


class Window(Distributed):
    """p1 sends data and then a grant on one channel; data is taken after the grant."""

    processes = const(2)
    Wire = Union(Data=Record(n=Int(0, 1)), Grant=Record(n=Int(0, 1)))
    net = var(Fifo[Process, Wire])
    sent = var(Bool, False)
    granted = var(Map[Process, Bool], False)
    got = var(Map[Process, Bool], False)

    @action
    def start(self, p: Process):
        require(p == self.Process[0] and not self.sent)
        self.sent = True
        self.net.send(p, self.Process[1], self.Wire.Data(1))
        self.net.send(p, self.Process[1], self.Wire.Grant(1))

    @on(net, Wire.Data)
    def data(self, p, q, n):
        require(self.granted[p])
        self.got[p] = n == 1

    @on(net, Wire.Grant)
    def grant(self, p, q, n):
        self.granted[p] = n == 1

    @quiescent
    def taken(self) -> bool:
        return all(self.got[p] for p in self.Process if p != self.Process[0])


def test_a_message_behind_another_one_in_its_channel_is_in_flight() -> None:
    """Which one stands before it is the reason; nothing is said not to be in flight that is."""
    found = trace(Window)
    assert "Grant(1) to p2 is behind Data(1) in the channel from p1" in found.blocked
    assert not any("nothing in flight" in text for text in found.blocked)


def test_behind_what_is_not_in_flight_stands_why_nothing_was_sent() -> None:
    """With the line of the statement that sends, or of the action in which the sender crashed."""
    found = trace(find("basic_multicast:DeliverFirst").cls, workload=(1, 0, 0), crashes=1)
    assert found.blocked[0] == "nothing in flight to p2 for: receive"
    told = r"p1 crashes at step \d+ \(basic_multicast\.py:\d+\) of DeliverFirst before it sends m1.1 to p2"
    assert re.fullmatch(told, found.blocked[1])


def test_a_quorum_reception_that_waits_is_told_before_the_end_of_the_workload() -> None:
    """Though what is missing has no line."""
    found = trace(find("isis:Gathering").cls, workload=(1, 0), crashes=1)
    assert any(" is disabled: it waits for Proposal(m1.1) from p2" in text for text in found.blocked)
    assert not any(text.startswith("multicast(") for text in found.blocked)


def test_the_library_s_own_lines_are_left_out_where_the_model_receives() -> None:
    """That the workload is over explains nothing: the loss of the message to the process that lacks it does."""
    entry = find("basic_multicast")
    report = check(entry.cls, "basic_multicast", {"workload": (1, 0), "processes": 2, "losses": 1}, only=["Validity"])
    (found,) = report.properties
    assert found.trace is not None
    nothing, gone = found.trace.blocked
    assert nothing == "nothing in flight to p1 for: receive"
    assert re.fullmatch(r"m1\.1 to p1, sent at step 1 \(basic_multicast\.py:\d+\), is lost at step 3", gone)
