"""`list`, `outcomes`, `show`, `replay`, `verify`, and the exit code of several results."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from checker.results.exit_codes import worst
from tests.cli import protocols
from tests.cli.commands import Ran

Checker = Callable[..., Ran]
Write = Callable[[str, str], str]
TRACE = "report/lock-Careless-alone/trace.itf.json"


def test_list_shows_models_constants_properties_and_edits(checker: Checker, lock: str) -> None:
    """A model is listed with its constants' defaults, its properties and its edits."""
    ran = checker("list", lock)
    assert ran.code == 0
    for text in (
        "clients=2",
        "who wants the lock",
        "alone",
        "lock.py:Careless",
        "do not look whether the lock is free",
    ):
        assert text in ran.out
    found = checker("list", lock, "--json", "-").json()["models"][0]
    assert [e["reference"] for e in found["edits"]] == ["lock.py:Careless", "lock.py:Hopeful"]


def test_list_knows_the_models_that_come_along(checker: Checker) -> None:
    """The installed models can be named, wherever one stands."""
    found = checker("list", "--json", "-").json()
    assert {"sequencer", "isis", "causal_broadcast"} <= {m["reference"] for m in found["models"]}
    assert found["problems"] == []


def test_list_goes_on_past_a_file_that_cannot_be_read(checker: Checker, write: Write) -> None:
    """One broken file does not hide the others."""
    write("models/broken.py", "class A(:\n")
    ran = checker("list")
    assert ran.code == 2
    assert "not valid Python" in ran.out and "sequencer" in ran.out


def test_outcomes_are_counted_and_listed(checker: Checker) -> None:
    """One message to two processes that cannot crash ends in one way."""
    found = checker("outcomes", "isis", "-D", "workload=1,0", "--json", "-").json()
    assert found["count"] == 1
    assert found["outcomes"] == [{"delivered": {"p1": ["m1.1"], "p2": ["m1.1"]}, "crashed": []}]
    assert checker("outcomes", "isis", "-D", "workload=1,0").out.splitlines()[-1] == "1 outcome of isis"


def test_outcomes_of_a_reduced_search_say_that_they_are(checker: Checker) -> None:
    """The list is the same; the states confirmed are said to be of a reduced graph."""
    given = ("outcomes", "isis", "-D", "workload=1,1")
    full, reduced = checker(*given).out.splitlines(), checker(*given, "--reduce").out.splitlines()
    assert full[:-2] == reduced[:-2] and full[-1] == reduced[-1]
    assert reduced[-2].endswith("; states of a reduced graph") and "reduced" not in full[-2]
    assert checker(*given, "--reduce", "--json", "-").json()["reduced"] is True


def test_outcomes_of_part_of_the_states_are_no_answer(checker: Checker) -> None:
    """A limit that ends the search leaves it open what else can happen: exit code 4, as for a check."""
    ran = checker("outcomes", "isis", "-D", "workload=1,1", "--max-states", "10", "--json", "-")
    assert (ran.code, ran.json()["exit_code"]) == (4, 4)
    assert "stopped by the limit on states" in ran.err


def test_a_model_that_goes_wrong_has_no_outcomes(checker: Checker, write: Write) -> None:
    """What a run that ends in a model error would have ended with is not known, so the list is not shown without it."""
    text = (
        "from checker.language import Int, Model, action, var\n\n\nclass A(Model):\n    x = var(Int(0, 1), 0)\n  "
        "  outcome = ('x',)\n\n"
    )
    ran = checker("outcomes", write("wrong.py", text + "    @action\n    def up(self):\n        self.x += 1\n"))
    assert (ran.code, ran.out) == (2, "")
    assert "a run ends in a model error, out of range (line 10)" in ran.err


@pytest.mark.parametrize(("model", "code"), [("isis", 0), ("isis:NoTieBreak", 1)])
@pytest.mark.parametrize("options", [(), ("--json", "-")], ids=["text", "JSON"])
def test_the_verdict_stands_if_nobody_reads_it(model: str, code: int, options: tuple[str, ...], here: Path) -> None:
    """A reader that leaves early, such as `head`, changes no exit code."""
    read, written = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "checker", "check", model, *options]
    with os.fdopen(written, "wb") as nobody:
        ran = subprocess.run(command, stdout=nobody, stderr=subprocess.PIPE, text=True)
    assert (ran.returncode, ran.stderr) == (code, "")


def stored(checker: Checker, lock: str) -> None:
    """Leave the trace of the careless lock in TRACE."""
    assert checker("check", f"{lock}:Careless", "--out", "report").code == 1


def test_a_stored_trace_is_shown_again(checker: Checker, lock: str) -> None:
    """`show` prints the stored counterexample without the model's file."""
    stored(checker, lock)
    Path(lock).unlink()
    ran = checker("show", TRACE)
    assert ran.code == 0 and "alone" in ran.out and "take" in ran.out


def test_a_stored_trace_is_confirmed_by_replay(checker: Checker, lock: str) -> None:
    """`replay` gives 0 while the model still behaves like that."""
    stored(checker, lock)
    ran = checker("replay", TRACE)
    assert (ran.code, ran.out.split()[0]) == (0, "CONFIRMED")


def test_several_traces_are_shown_and_replayed_in_one_go(checker: Checker, lock: str, here: Path) -> None:
    """Each is told; the worst is the exit code, and each is an entry of the JSON."""
    stored(checker, lock)
    (here / "other.json").write_text(
        (here / TRACE).read_text(encoding="utf-8").replace('"owner": "c2"', '"owner": "c1"'), encoding="utf-8"
    )
    shown = checker("show", TRACE, "other.json")
    assert shown.code == 0 and shown.out.count("alone violated at step 2 of 2") == 2
    assert f"replay: checker replay {TRACE}" in shown.out and "replay: checker replay other.json" in shown.out
    ran = checker("replay", TRACE, "other.json", "--json", "-")
    assert ran.code == 1 and [r["confirmed"] for r in ran.json()["reports"]] == [True, False]


CRASHING = """
from checker.language import Distributed, Network, Process, Record, Set, Union, action, on, require, var


class Crashing(Distributed):
    Wire = Union(Hello=Record(), Bye=Record())
    said = var(Set[Process])
    heard = var(Set[Process])
    net = var(Network[Process, Wire])

    @action
    def say(self, p: Process):
        require(p not in self.said)
        self.said.add(p)
        self.net.send(p, self.Process[1], self.Wire.Hello())

    @on(net, Wire.Hello)
    def hear(self, p, q):
        self.heard.add(p)
        self.emit.deliver(p, q)
"""


@pytest.mark.parametrize(
    ("predicate", "told"),
    [
        ("p1 in said and p1 in crashed and len(net) == 0", "crash: before sending Hello to p2"),
        ("p2 in heard and p2 in crashed", "crash: before delivering p1"),
    ],
)
def test_a_crash_inside_a_step_says_what_was_not_done(
    checker: Checker, write: Write, predicate: str, told: str
) -> None:
    """A plain send or a delivery that the process did not come to is named."""
    ran = checker("find", write("crashing.py", CRASHING), predicate, "-D", "processes=2", "-D", "crashes=1")
    assert ran.code == 0 and told in ran.out


CHANGES: dict[str, tuple[str, str, int | None, str]] = {
    "the action is no longer enabled": (
        "        return True",
        "        return self.owner is None",
        2,
        "take(c=c2) is not enabled",
    ),
    "the step leads elsewhere": ("        self.owner = c\n", "        pass\n", 1, "leads to another state"),
    "the property no longer fails": (
        "return all(a == b for a in self.inside for b in self.inside)",
        "return True",
        2,
        "no longer violates alone",
    ),
    "the start is another": (
        "inside = var(Set[Client])",
        "inside = var(Set[Client])\n    other = var(Set[Client])",
        0,
        "variable other",
    ),
    "the action is gone": ("def take(", "def grab(", 1, "no action take"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_replay_says_at_which_step_a_changed_model_differs(
    checker: Checker, lock: str, here: Path, change: str
) -> None:
    """`replay` gives 1, the step and the reason."""
    stored(checker, lock)
    old, new, step, reason = CHANGES[change]
    assert old in protocols.LOCK
    (here / "changed.py").write_text(protocols.LOCK.replace(old, new), encoding="utf-8")
    document = json.loads((here / TRACE).read_text(encoding="utf-8"))
    document["#meta"]["reference"] = "changed.py:Careless"
    (here / "trace.json").write_text(json.dumps(document), encoding="utf-8")
    ran = checker("replay", "trace.json", "--json", "-")
    found: dict[str, Any] = ran.json()
    assert (ran.code, found["confirmed"], found["step"]) == (1, False, step)
    assert reason in found["reason"]


def test_replay_says_that_the_model_has_lost_a_variable(checker: Checker, lock: str, here: Path) -> None:
    """The trace holds it, in each of its states."""
    stored(checker, lock)
    document = json.loads((here / TRACE).read_text(encoding="utf-8"))
    for state in document["states"]:
        state["queue"] = []
    (here / "trace.json").write_text(json.dumps(document), encoding="utf-8")
    ran = checker("replay", "trace.json", "--json", "-")
    assert (ran.code, ran.json()["reason"]) == (1, "the trace holds the variable queue, which the model no longer has")


def test_the_directory_of_reports_stands_for_its_only_trace(checker: Checker, lock: str) -> None:
    """If it has several, they are named."""
    assert checker("check", f"{lock}:Careless", "--property", "alone", "--out", "report").code == 1
    assert checker("replay", "report").code == checker("replay", str(Path(TRACE).parent)).code == 0
    stored(checker, lock)
    ran = checker("replay", "report")
    assert ran.code == 2 and "report is a directory with 2 traces" in ran.err and f"Name one: {TRACE}" in ran.err
    assert "is a directory with 0 traces" in checker("show", ".").err


def test_replay_of_something_else_gives_2(checker: Checker, write: Write) -> None:
    """JSON that is no trace is refused."""
    assert checker("replay", write("x.json", '{"a": 1}')).code == 2


def test_verify_holds_models_to_their_expectations(checker: Checker, lock: str) -> None:
    """Met expectations give 0; each is one line."""
    ran = checker("verify", f"{lock}:Lock", f"{lock}:Careless")
    assert ran.code == 0
    assert len([line for line in ran.out.splitlines() if line.startswith("as expected")]) == 3


def test_verify_reports_an_expectation_that_is_not_met(checker: Checker, lock: str) -> None:
    """A violation that was not expected gives 1 and says what was expected and found."""
    ran = checker("verify", lock, "--json", "-")
    results = ran.json()["results"]
    assert ran.code == 1
    assert [r["met"] for r in results] == [True, True, True, False]
    assert results[-1]["mismatches"] == ["alone should hold, but is violated in 2 steps"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("distinct=3", "distinct should be 4, but is 3"),
        ("transitions=4", "transitions should be 5, but is 4"),
        ("depth=2", "depth should be 3, but is 2"),
    ],
)
def test_verify_compares_counts(checker: Checker, write: Write, wrong: str, message: str) -> None:
    """A count that differs by one is a mismatch."""
    name, number = wrong.split("=")
    text = protocols.LOCK.replace("holds(distinct=3, transitions=4, depth=2)", f"holds({name}={int(number) + 1})")
    found = checker("verify", write("counted.py", text) + ":Lock", "--json", "-").json()
    assert found["results"][0]["mismatches"] == [message]


def test_verify_wants_the_violation_it_was_promised(checker: Checker, write: Write) -> None:
    """An edit that no longer breaks its property is not as expected; neither is a counterexample of another length."""
    text = protocols.LOCK.replace('violates("alone", steps=2)', '[violates("known"), violates("alone", steps=3)]')
    found = checker("verify", write("promised.py", text) + ":Careless", "--json", "-").json()
    assert found["results"][0]["mismatches"] == [
        "known should be violated, but holds",
        "alone should hold, but is violated in 2 steps",
    ]
    assert found["results"][1]["mismatches"] == ["the shortest counterexample should have 3 steps, but has 2"]


def test_thorough_expectations_are_left_out_unless_asked_for(checker: Checker, write: Write) -> None:
    """--thorough adds them."""
    text = protocols.LOCK.replace("transitions=6)", "transitions=6, thorough=True)")
    file = write("slow.py", text)
    assert len(checker("verify", f"{file}:Lock", "--json", "-").json()["results"]) == 1
    assert len(checker("verify", f"{file}:Lock", "--thorough", "--json", "-").json()["results"]) == 2


def test_the_worst_exit_code_wins() -> None:
    """A fault of the program outranks a wrong model, that a violation, that an open question, that a hollow one."""
    assert [worst(codes) for codes in ([0, 3], [3, 4], [4, 1], [1, 2], [2, 70], [])] == [3, 4, 1, 2, 70, 0]


CHAINS = '''"""Messages carry chains for one property; another one is violated."""

from checker.language import Distributed, Fifo, Int, Invariant, Process, action, chain, require, var


class Near(Invariant):
    """No chain of messages is longer than two."""

    hops = chain(2)

    def on_send(self, p, q):
        self.hops[p] = 1

    def holds(self):
        return all(self.hops[p] <= 2 for p in self.Process)


class Silent(Invariant):
    """Nothing is sent."""

    def holds(self):
        return len(self.net) == 0


class Sending(Distributed):
    """A process sends once."""

    net = var(Fifo[Process, Int(0, 1)])
    properties = [Near, Silent]

    @action
    def send(self, p: Process):
        require(len(self.net) == 0)
        self.net.send(p, self.Process[0], 1)
'''


def test_a_run_whose_messages_carry_the_chains_of_another_property_is_confirmed(checker: Checker, write: Write) -> None:
    """The stored messages have what the chain of Near needs, though the run is of Silent."""
    checker("check", write("chains.py", CHAINS), "-D", "processes=2", "--out", "kept")
    ran = checker("replay", "kept")
    assert (ran.code, ran.out.startswith("CONFIRMED  Silent")) == (0, True), ran.out + ran.err
