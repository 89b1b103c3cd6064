"""Why not?  Every refusal names the part of the guard that blocks and the values it had."""

from __future__ import annotations

import json
import linecache
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from checker.analysis.explain import answer, background
from checker.analysis.stored_trace import explained_again
from checker.backends.interpreter.interpreter import Interpreter
from checker.catalogue import find
from checker.language.define import define
from checker.replay.refusals import explain, instance_text
from checker.replay.traced import place_of_action
from checker.report.directory import stored
from checker.report.explained import answer_lines
from checker.report.html import page_data
from checker.report.lines import plain
from checker.results.explained import Answer, Explanation
from checker.trace.read_itf import read_trace

GATE = '''"""A gate that opens by a message, and counts."""

from checker.language import Int, Map, Network, Process, Record, Set, Union, action, choose, const, invariant, on, quiescent, require, rule, var
from checker.language import Distributed


class Gate(Distributed):
    """Processes pass a gate."""

    Process = Distributed.Process
    Wire = Union(Key=Record(number=Int(0, 3)), Bar=Record())
    limit = const(1, "how often a process passes")
    passed = var(Map[Process, Int(0, 3)], 0)
    open = var(Set[Process])
    net = var(Network[Process, Wire])

    @rule
    def may_pass(self, p: Process) -> bool:
        room = self.limit - self.passed[p]
        return p in self.open and room > 0

    @action
    def go(self, p: Process):
        require(self.may_pass(p) and not self.full())
        self.passed[p] += 1

    @rule
    def full(self) -> bool:
        return all(self.passed[q] > 0 for q in self.Process)

    @action
    def wait_for_any(self):
        require(any(self.passed[q] > 2 for q in self.Process))

    @action
    def pick(self):
        q = choose({r for r in self.Process if r in self.open})
        self.open.remove(q)

    @action
    def send(self, p: Process):
        require(len(self.net) == 0)
        self.net.send(p, self.Process[0], self.Wire.Key(number=2))

    @on(net, Wire.Key)
    def unlock(self, p, q, number):
        require(number < 2)
        self.open.add(p)

    @invariant
    def few(self) -> bool:
        return all(self.passed[p] < 3 for p in self.Process)
'''  # noqa: E501


@pytest.fixture
def gate(write: Any) -> Interpreter:
    """The gate for two processes of which one may crash."""
    write("gate.py", GATE)
    return Interpreter(define(find("gate.py").cls, {"processes": 2, "crashes": 1}))


def after(interpreter: Interpreter, *names: str) -> Any:
    """The state after these instances."""
    state = interpreter.initial()[0]
    for name in names:
        steps = interpreter.steps(state)
        state = next(
            s.after
            for s in steps
            if instance_text(s.action.name, [v for _, v in s.arguments]) == name and s.after is not None
        )
    return state


def reasons(found: Explanation) -> dict[str, str]:
    """Reason by instance."""
    return {r.instance: r.reason for r in found.refused}


def test_the_blocking_conjunct_is_followed_into_the_rule(gate: Interpreter) -> None:
    """may_pass is a rule with a statement before its result; its first false part is told with the value."""
    assert reasons(explain(gate, after(gate), "go"))["go(p1)"] == (
        "may_pass(p1) is false (gate.py:20): p1 is not in open = {}"
    )


def test_a_negated_condition_says_what_makes_it_true(write: Any) -> None:
    """`not full()` is false: the rule holds, and every element is told."""
    write("gate.py", GATE.replace("self.may_pass(p) and not self.full()", "not self.full()"))
    gate = Interpreter(define(find("gate.py").cls, {"processes": 2}))
    assert explain(gate, after(gate, "go(p1)"), "go").enabled == ("go(p1)", "go(p2)")
    state = after(gate, "go(p1)", "go(p2)")
    assert reasons(explain(gate, state, "go")) == {
        name: ("full() is true (gate.py:29): for q = p1: passed[p1] = 1 is > 0; for q = p2: passed[p2] = 1 is > 0")
        for name in ("go(p1)", "go(p2)")
    }


def test_an_existential_condition_tells_each_candidate(gate: Interpreter) -> None:
    """any(...) is false because of every candidate."""
    told = reasons(explain(gate, after(gate), "wait_for_any"))
    assert told == {"wait_for_any": "for q = p1: passed[p1] = 0 is not > 2; for q = p2: passed[p2] = 0 is not > 2"}


def test_nothing_to_choose_is_a_reason(gate: Interpreter) -> None:
    """choose of an empty set disables."""
    assert reasons(explain(gate, after(gate), "pick"))["pick"].startswith(
        "there is nothing to choose: {r for r in Process if r in open} is empty"
    )


def test_a_handler_is_asked_message_by_message(gate: Interpreter) -> None:
    """The message in flight is the instance; its field is in the reason."""
    found = explain(gate, after(gate, "send(p1)"), "unlock")
    assert reasons(found) == {"unlock(p1, p1, 2)": "number = 2 is not < 2"} and found.enabled == () and found.idle == ()


def test_a_handler_without_messages_is_idle_not_refused(gate: Interpreter) -> None:
    """Where nothing is in flight there is no instance."""
    found = explain(gate, after(gate), "unlock")
    assert found.refused == () and found.idle == ("unlock",)


def test_crashed_processes_and_used_budgets_are_reasons(gate: Interpreter) -> None:
    """What the language refuses is told like a guard."""
    told = reasons(explain(gate, after(gate, "crash(p1)")))
    assert told["go(p1)"] == told["send(p1)"] == "p1 has crashed"
    assert told["crash(p1)"] == "p1 has crashed already" and told["crash(p2)"] == "the budget is used up: crashes = 1"


@pytest.mark.parametrize(
    "reference", ["isis", "two_views", "consensus", "reliable_multicast:NonBlocking", "optimistic_multicast_1"]
)
def test_enabled_and_refused_are_what_the_interpreter_has(reference: str) -> None:
    """Over the first states of real protocols: enabled instances are those with a step, and no refused one has a
    step."""
    interpreter = Interpreter(define(find(reference).cls))
    states = interpreter.initial()[:1]
    for state in states:
        if len(states) < 25:
            states += [s.after for s in interpreter.steps(state) if s.after is not None][:2]
        taken = {(s.action.name, tuple(str(v) for _, v in s.arguments)) for s in interpreter.steps(state)}
        found = explain(interpreter, state)
        assert len(set(found.enabled)) == len(found.enabled)
        assert {e.partition("(")[0] for e in found.enabled} == {name for name, _ in taken}
        assert not {(r.action, r.values) for r in found.refused} & taken
        assert all(r.reason and "line" not in r.reason[:5] for r in found.refused)


def test_a_quiescence_violation_says_why_nothing_more_can_happen(checker: Any) -> None:
    """At once, with the verdict."""
    out = checker("check", "reliable_multicast:NonBlocking", "-D", "workload=1,0,0", "-D", "crashes=1").out
    assert "why not: relays(p1, m1.1) stays false (reliable_multicast.py:" in out
    assert "why not: nothing in flight to p2 for: receive" in out


def test_a_run_that_stops_before_what_must_follow_says_why_nothing_more_can_happen(checker: Any) -> None:
    """As a quiescence violation does, and not that who has started cannot start again; a run that goes on for ever has
    no such end."""
    out = checker("check", "consensus_attempts:Vote", "-D", "crashes=1", "--property", "Decision").out
    assert "why not: nothing in flight for: receive (" in out and " is disabled: " not in out


def test_a_network_that_was_split_says_so(checker: Any) -> None:
    """Splitting and healing are steps of the environment, not messages that could be in flight."""
    out = checker(
        "check",
        "basic_multicast",
        "-D",
        "workload=1,0",
        "-D",
        "partitions=1",
        "--property",
        "Agreement",
        "--out",
        "split",
    ).out
    assert "why not: nothing in flight to p2 for: receive\n" in out
    run = next(str(p) for p in Path("split").rglob("trace.itf.json"))
    assert (
        "partition({p2}) is disabled: the network is split already"
        in checker("explain", run, "--action", "partition").out
    )
    assert (
        "heal is disabled: the network is not split" in checker("explain", run, "--step", "0", "--action", "heal").out
    )


@pytest.fixture
def trace(checker: Any, lock: str) -> str:
    """The stored trace of the careless lock."""
    checker("check", f"{lock}:Careless", "--out", "out")
    return next(str(p) for p in Path("out").rglob("trace.itf.json"))


def test_any_state_of_a_trace_and_any_instance_can_be_asked_for(checker: Any, trace: str) -> None:
    """--step, --action and values choose; the final state says why the property is false."""
    assert checker("explain", trace, "--step", "1", "--action", "leave", "--", "c2").out.splitlines()[1:] == [
        "not enabled",
        "  leave(c2) is disabled: c2 is not in inside = {c1}   (lock.py:26)",
    ]
    assert "leave(c1)" in checker("explain", trace, "--step", "1", "--action", "leave", "--", "c1").out.splitlines()[2]
    assert "alone is false: for a = c1, b = c2: c1 is not c2" in checker("explain", trace).out
    data = checker("explain", trace, "--step", "0", "--json", "-").json()
    assert data["enabled"] == ["take(c1)", "take(c2)"] and [r["instance"] for r in data["refused"]] == [
        "leave(c1)",
        "leave(c2)",
    ]


@pytest.mark.parametrize("edited", ["model", "trace"])
def test_a_property_that_the_state_does_not_violate_is_not_called_false(
    checker: Any, trace: str, lock: str, edited: str
) -> None:
    """The property may have been repaired since, or the stored run been cut off before its end."""
    if edited == "model":
        text = Path(lock).read_text(encoding="utf-8")
        claim = next(line for line in text.splitlines() if line.strip().startswith("return") and "inside" in line)
        Path(lock).write_text(
            text.replace(claim, claim.replace("return ", "return len(self.inside) > 1 or ")), encoding="utf-8"
        )
        linecache.clearcache()
        for name in [n for n in sys.modules if n == "lock" or n.startswith("model_lock_")]:
            del sys.modules[name]  # as another run of the command would find it
    else:
        data = json.loads(Path(trace).read_text(encoding="utf-8"))
        data["states"] = data["states"][:2]
        Path(trace).write_text(json.dumps(data), encoding="utf-8")
    out = checker("explain", trace).out
    assert "alone is true here: this state no longer violates it" in out and "alone is false" not in out


def test_the_first_element_that_decides_ends_a_condition(checker: Any, trace: str) -> None:
    """What comes after it is not listed, however much it is."""
    out = checker("explain", trace, "--condition", "all(i < 2 for i in range(99999999999))").out
    assert "all(i < 2 for i in range(99999999999)) is false: for i = 2: i = 2 is not < 2" in out


def test_a_condition_is_taken_apart_in_the_words_of_the_model(checker: Any, trace: str) -> None:
    """As in `checker find`, with members by their names."""
    out = checker("explain", trace, "--condition", "owner == c1 and c1 in inside").out
    assert "owner == c1 and c1 in inside is false: owner = c2 is not c1" in out
    assert (
        "len(inside) > 1 is true: len(inside) = 2 is > 1"
        in checker("explain", trace, "--condition", "len(inside) > 1").out
    )


@pytest.mark.parametrize(
    "options",
    [
        ["--step", "3"],
        ["--action", "tkae"],
        ["--condition", "nobody in inside"],
        ["--condition", "len("],
        ["--", "c9"],
        ["--step", "1", "--", "c1", "x"],
    ],
)
def test_what_is_not_there_is_said(checker: Any, trace: str, options: list[str]) -> None:
    """A step, an action, a name or a value that does not exist is an error of the command."""
    ran = checker("explain", trace, *options)
    assert ran.code == 2 and ran.err.startswith("error: ")


def test_a_value_that_exists_and_has_no_instance_here_is_no_error(checker: Any, trace: str) -> None:
    """Nobody leaves twice: both clients are known, an instance with both there is not."""
    ran = checker("explain", trace, "--", "c1", "c2")
    assert ran.code == 0 and "there is no such instance in this state" in ran.out


GALLERY = Path(__file__).resolve().parents[2] / "counterexamples"


@pytest.mark.parametrize("name", ["basic_multicast/Acknowledged-Agreement", "isis/DeliverAnyFinal-TotalOrder"])
def test_stored_counterexamples_say_why_their_property_is_false(name: str) -> None:
    """Of the gallery: the last state names the part of the property that fails, any state in the middle explains every
    refusal."""
    trace = stored(str(GALLERY / f"{name}.itf.json"))
    found = answer(trace)
    assert found.because.startswith(f"{trace.property} is false: for ")
    middle = answer(trace, len(trace.steps) // 2)
    assert middle.explanation.enabled and all(r.reason for r in middle.explanation.refused)


def test_a_rule_that_is_constant_is_called_so(write: Any) -> None:
    """There is nothing to take apart in `return False`."""
    write(
        "gate.py",
        GATE.replace("        return all(self.passed[q] > 0 for q in self.Process)", "        return True").replace(
            "self.may_pass(p) and ", ""
        ),
    )
    always = Interpreter(define(find("gate.py").cls, {"processes": 2}))
    assert reasons(explain(always, after(always), "go"))["go(p1)"] == "full() is always true (gate.py:29)"


def test_the_page_has_the_deciding_rule_of_both_versions_at_the_cause() -> None:
    """Not only the action, which asks the rule; of a protocol without another one nothing."""
    trace = read_trace(GALLERY / "isis" / "DeliverAnyFinal-TotalOrder.itf.json")
    found = background(trace)
    (edited, now), (before, was) = found.edited
    assert re.fullmatch(r"deliverable of DeliverAnyFinal \(isis\.py:\d+\)", edited)
    assert re.fullmatch(r"deliverable of Isis before the edit \(isis\.py:\d+\)", before)
    assert "not any(self.stands_before" in was and "not any" not in now
    steps = page_data(trace, found)["steps"]
    cause = next(step.number for step in trace.steps if step.cause)
    assert [n for n, step in enumerate(steps) if "edited" in step] == [cause]
    assert background(read_trace(GALLERY / "isis" / "Termination.itf.json")).edited == ()


def test_what_the_edit_undoes_at_the_end_is_shown_at_the_last_step() -> None:
    """A CAUSE that is no step names the line of the rule as well."""
    trace = next(
        t for f in sorted(GALLERY.glob("*/*.itf.json")) if (t := read_trace(f)).cause.startswith("at the end, ")
    )
    trace = explained_again(trace)
    found = background(trace)
    assert found.edited and "edited" in page_data(trace, found)["steps"][-1]


OWN = """
from checker.language import rule
from checker.models.isis import Isis


class Plain(Isis):
    \'\'\'EDIT: compares the times of two stamps alone.\'\'\'

    @rule
    def stands_before(self, p, x, m):
        other, mine = self.held[p][x], self.held[p][m]
        return other is not None and mine is not None and other.stamp.time < mine.stamp.time
"""


def test_a_stored_run_is_explained_from_any_directory(
    checker: Any, write: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the CAUSE of an edit; a condition once, with the line of the rule and the values of its locals."""
    write("own.py", OWN)
    made = ("check", "own.py", "-D", "workload=1,1", "--property", "TotalOrder", "--out", "rep")
    assert checker(*made).code == 1
    here = Path.cwd()
    (here / ".git").mkdir()
    (here / "sub").mkdir()
    monkeypatch.chdir(here / "sub")
    asked = ("explain", "../rep/own-TotalOrder", "--step", "9", "--condition", "deliverable(p1, m1.1)")
    cause, before, because = checker(*asked).out.splitlines()[1:4]
    assert cause.startswith("  CAUSE, step ") and "(own.py:12)" in cause
    assert before.startswith("  before the edit it is true (isis.py:123): ")
    assert because == (
        "  deliverable(p1, m1.1) is false (isis.py:114): mine.final is false: mine is Held(Stamp(1, p1), false)"
    )
    (here / "own.py").rename(here / "other.py")
    lost = checker(*asked)
    assert lost.code == 2 and "own.py, which is neither here nor in a directory that contains the trace" in lost.err


PARTS = '''"""Messages with parts."""

from checker.language import Int, Map, Network, Process, Record, Set, Union, action, invariant, on, require, var
from checker.language import Distributed


class Parts(Distributed):
    """A message has a stamp."""

    Process = Distributed.Process
    Stamp = Record(number=Int(0, 3), by=Process)
    Wire = Union(Put=Record(stamp=Stamp))
    last = var(Map[Process, Int(0, 3)], 0)
    net = var(Network[Process, Wire])

    @action
    def send(self, p: Process):
        require(self.last[p] == 0)
        self.last[p] = 1
        self.net.multicast(p, self.Wire.Put(self.Stamp(2, p)))

    @on(net, Wire.Put)
    def put(self, p, q, stamp):
        self.last[p] = stamp.number

    @invariant
    def small(self) -> bool:
        return self.last[self.Process[0]] < 2
'''


@pytest.mark.parametrize(
    ("value", "remedy"),
    [
        ("p", "It would match p1, p2, p3: write the whole value."),
        ("Stamp", "It would match Stamp(2, p1): write the whole value."),
        ("put", "It is an action: --action put."),
        ("p9", "Values are: p1, p2, p3."),
    ],
)
def test_a_value_that_is_none_is_refused_with_what_would_match(
    value: str, remedy: str, checker: Any, write: Any
) -> None:
    """Part of a name, an action, a process that there is not."""
    checker("check", write("parts.py", PARTS), "--out", "runs")
    (trace,) = Path("runs").rglob("*.itf.json")
    ran = checker("explain", str(trace), "--", value)
    assert ran.code == 2 and ran.err == f"error: nothing in the model is called {value}\n  {remedy}\n"


def test_a_value_with_parts_chooses_its_instances(checker: Any, write: Any) -> None:
    """Before a message is received; one part of it is no value of the instance."""
    checker("check", write("parts.py", PARTS), "--out", "runs")
    (trace,) = Path("runs").rglob("*.itf.json")
    whole = checker("explain", str(trace), "--step", "1", "--", "Stamp(2, p1)", "p2")
    assert whole.code == 0 and whole.out.count("put(") == 1 and "put(p2, p1, Stamp(2, p1))" in whole.out
    assert "there is no such instance" in checker("explain", str(trace), "--step", "1", "--", "2").out
    assert "there is no such instance" in checker("explain", str(trace), "--step", "1", "--", "Stamp(3, p1)").out


def test_a_trace_whose_model_has_other_lines_today_is_explained_with_a_remark() -> None:
    """The sentences of the trace cite lines of the file as it was. Without lines of actions there is no remark."""
    trace = stored(str(GALLERY / "isis/Agreement.itf.json"))
    actions = {a.name: a.function for a in define(find("isis").cls, dict(trace.constants)).actions}
    file, number = place_of_action(actions["propose"])

    def explained(line: int) -> Answer:
        placed = (evolve(s, source=(file, line)) if s.action == "propose" else s for s in trace.steps)
        return answer(evolve(trace, steps=list(placed)))

    assert answer(trace).moved is None and explained(number).moved is None
    found = explained(number - 3)
    assert found.moved == ("propose", number - 3, number)
    remark = f"propose is at line {number} now, and was at line {number - 3} when the trace was stored"
    assert any(remark in plain(each) for each in answer_lines(found))
