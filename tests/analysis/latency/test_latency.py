"""Delays and messages over all runs: compared with every single run of small models, one after the other, and read by
the command."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from checker.analysis.compare.costs import delays_of, messages_of
from checker.analysis.latency.survey import survey
from checker.backends.interpreter.interpreter import Interpreter, Raw
from checker.catalogue import find
from checker.cli.program import run
from checker.language.define import define
from checker.replay.replay import Replay
from checker.results.latency import Span

SMALL = [
    ("basic_multicast", {"workload": (1, 0, 0)}),
    ("reliable_multicast", {"workload": (1, 0)}),
    ("isis", {"workload": (1, 0), "channels": "fifo"}),
    ("sequencer:CountFirst", {"workload": (0, 1)}),
    ("causal_broadcast:WaitFirst", {"workload": (2, 0)}),
]
TOKEN = '''
from checker.language import Network, const, on, var
from checker.language.multicast import Multicast


class Token(Multicast):
    """A message goes to and fro between two processes."""

    processes = const(2, "number of processes")
    workload = const((1, 0), "how many messages each process multicasts")
    net = var(Network[Multicast.Process, Multicast.Message])

    def send(self, p, m):
        self.net.send(p, self.Process[1], m)

    @on(net)
    def receive(self, p, q, m):
        if m not in self.delivered[p] and p == self.Process[1]:
            self.deliver(p, m)
        self.net.send(p, q, m)


class Late(Token):
    """It is delivered some time."""

    @on(Token.net)
    def receive(self, p, q, m):
        self.net.send(p, q, m)

    @on(Token.net)
    def take(self, p, q, m):
        if m not in self.delivered[p] and p == self.Process[1]:
            self.deliver(p, m)
        self.net.send(p, q, m)
'''


def runs(interpreter: Interpreter, path: tuple[Raw, ...]) -> Iterator[tuple[Raw, ...]]:
    """Every run that goes on from here to its end."""
    following = [s.after for s in interpreter.steps(path[-1]) if not s.action.fault and s.after is not None]
    if not following:
        yield path
    for state in following:
        yield from runs(interpreter, (*path, state))


@pytest.mark.parametrize(
    ("name", "constants"), SMALL, ids=lambda v: v if isinstance(v, str) else "-".join(map(str, v.values()))
)
def test_the_survey_finds_what_all_runs_taken_one_by_one_show(name: str, constants: dict[str, Any]) -> None:
    """Each run of the model is replayed and measured by its events; least and most of these are those of the survey."""
    entry = find(name)
    interpreter = Interpreter(define(entry.cls, constants, []))
    replay = Replay(interpreter, name, "interpreter")
    traces = [replay.run(path, "run") for start in interpreter.initial() for path in runs(interpreter, (start,))]
    assert len(traces) > 1
    found = survey(entry.cls, name, constants)
    delays, messages = [d for t in traces for d in delays_of(t)], [messages_of(t) for t in traces]
    assert found.complete
    assert min(s.least for s in found.where.values()) == min(delays)
    assert max(s.most for s in found.where.values()) == max(delays)
    assert found.sent == Span(min(messages), max(messages))


def test_one_state_of_the_model_may_have_several_delays() -> None:
    """The copy with history has more states than the model; the model's own counts are the same as ever."""
    entry = find("sequencer:CountFirst")
    found = survey(entry.cls, entry.reference, {"workload": (1, 1, 0)})
    assert found.states[0] == 9_242
    assert found.states[1] == 2_393  # what is sent follows from the state


def test_a_slowest_run_is_a_run_of_the_model_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its reports are written, and the stored trace is replayed without the history."""
    monkeypatch.chdir(tmp_path)
    assert (
        run(
            [
                "latency",
                "isis",
                "-D",
                "workload=1,0,0",
                "--out",
                "out",
                "--json",
                "found.json",
                "--markdown",
                "found.md",
            ]
        )
        == 0
    )
    found = json.loads(Path("found.json").read_text())
    assert found["delays"] == {"sender": {"least": 2, "most": 2}, "others": {"least": 3, "most": 3}}
    assert found["messages"] == {"least": 6, "most": 6}
    assert "| delay to others | 3 | 3 |" in Path("found.md").read_text()
    assert run(["replay", "out/isis-slowest/trace.itf.json"]) == 0


def test_a_message_that_some_run_leaves_undelivered_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """ISIS waits for the proposal of a crashed destination."""
    assert run(["latency", "isis", "-D", "workload=1,0", "-D", "crashes=1"]) == 0
    assert "some runs end without delivering m1.1" in capsys.readouterr().out


def test_a_stopped_search_says_that_there_may_be_other_values(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 4, and a line about it."""
    assert run(["latency", "isis", "-D", "workload=1,1", "--max-depth", "8"]) == 4
    assert "other runs may be faster or slower" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "part"),
    [("byzantine_generals", "multicasts nothing"), ("optimistic_multicast_1", "has neither a network nor time")],
)
def test_a_model_whose_delays_cannot_be_measured_is_refused(
    name: str, part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """One message that says why, and what to do."""
    assert run(["latency", name]) == 2
    assert part in capsys.readouterr().err


@pytest.mark.parametrize(
    ("event", "part"),
    [("send", "not what a multicast leads to"), ("arrived", "no run of Isis has an event arrived(process, message)")],
)
def test_an_event_that_does_not_come_is_refused(event: str, part: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A network's own event, and one that the model never emits."""
    assert run(["latency", "isis", "-D", "workload=1,0", "--until", event]) == 2
    assert part in capsys.readouterr().err


def test_the_property_of_the_documentation_is_violated_by_a_run_that_takes_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """docs/latency.md: a lone message of ISIS takes three messages in a row, and with a second one more."""
    text = (Path(__file__).resolve().parents[3] / "docs" / "latency.md").read_text()
    code = text.split("```python\n")[1].split("```")[0]
    edit = "\n\nclass Timely(Isis):\n    properties = [WithinThree]\n"
    (tmp_path / "timely.py").write_text(
        ("from checker.language import Invariant, chain\nfrom checker.models.isis import Isis\n\n\n") + code + edit
    )
    monkeypatch.chdir(tmp_path)
    assert run(["check", "timely.py", "-D", "workload=1,0"]) == 0
    assert run(["check", "timely.py", "-D", "workload=1,1"]) == 1


def test_chains_longer_than_told_apart_are_said_to_be_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A token goes round for ever, and is delivered at any time: no greatest delay, and no end of a run."""
    (tmp_path / "token.py").write_text(TOKEN)
    monkeypatch.chdir(tmp_path)
    assert run(["latency", "token.py:Late", "--json", "found.json"]) == 0
    assert "≥ 62" in capsys.readouterr().out
    found = json.loads(Path("found.json").read_text())
    assert found["delays"]["others"] == {"least": 1, "most": None}
    assert found["messages"] is None
