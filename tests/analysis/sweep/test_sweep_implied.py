"""`checker sweep --implied`: what follows from larger budgets of faults is not searched, and what does not follow
is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from checker.analysis.sweep.following import family
from checker.analysis.sweep.given_up import refused
from checker.analysis.sweep.implied import difference, larger, standing
from checker.analysis.sweep.own_text import hindrance, reads_channels, text
from checker.catalogue import find
from checker.language.define import define
from checker.language.model import Model
from checker.results.verdict import Verdict
from tests.cli.commands import Ran

Checker = Callable[..., Ran]

PINGS = '''"""p1 sends to p2 once; edits that make a verdict depend on a budget of faults."""

from checker.language import Distributed, Int, Map, Network, Process, Bool, action, const, derived, invariant, on, quiescent, require, var


class Pings(Distributed):
    """Nothing here knows of budgets."""

    processes = const(2, "number of processes")
    sent = var(Map[Process, Bool])
    heard = var(Map[Process, Bool], kept=True)
    net = var(Network[Process, Bool])

    @action
    def ping(self, p: Process):
        require(not self.sent[p])
        self.sent[p] = True
        self.net.multicast(p, True)

    @on(net)
    def receive(self, p, q, body):
        self.heard[p] = True

    @quiescent
    def all_heard(self) -> bool:
        return all(self.heard[p] or not self.live(p) for p in self.Process)


class Reads(Pings):
    """A property reads the budget: with a crash allowed it asks for less."""

    @invariant
    def bold(self) -> bool:
        return self.crashes == 1 or not any(self.heard[p] for p in self.Process)


class Derives(Pings):
    """A constant follows from the budget."""

    quorum = derived(lambda c: c.processes - c.crashes)


class Typed(Pings):
    """The values of a variable follow from the budget."""

    seen = var(Int(0, derived(lambda c: c.losses)), 0)


class More(Pings):
    """An action that exists only where something may be lost."""

    @action(budget="losses")
    def again(self, p: Process):
        require(self.sent[p] and not self.heard[p])
        self.heard[p] = True


class Looks(Pings):
    """A property looks at what is in flight between two processes."""

    @invariant
    def short(self) -> bool:
        return all(len(self.net.between(p, q)) < 2 for p in self.Process for q in self.Process)


class Refuses(Pings):
    """Who has not sent yet takes nothing; p1 sends twice, and the second is a message that everybody takes."""

    net = var(Network[Process, Bool])
    twice = var(Bool, False)

    @action
    def ping(self, p: Process):
        require(p == self.Process[0] and not self.sent[p])
        self.sent[p] = True
        self.net.send(p, self.Process[1], False)
        self.net.send(p, self.Process[1], True)

    @on(net)
    def receive(self, p, q, body):
        require(body)
        self.heard[p] = True

    @quiescent
    def all_heard(self) -> bool:
        return self.heard[self.Process[1]]


class GivesUp(Pings):
    """Sends, and only then looks whether it may: it never may, but it can crash on the way."""

    @action
    def ping(self, p: Process):
        self.net.multicast(p, True)
        require(self.sent[p])

    @quiescent
    def all_heard(self) -> bool:
        return len(self.crashed) > 0
'''  # noqa: E501


@pytest.fixture
def pings(here: Path) -> str:
    """The file of the models above."""
    (here / "pings.py").write_text(PINGS, encoding="utf-8")
    return "pings.py"


def why(reference: str, small: dict[str, object], large: dict[str, object]) -> str | None:
    """Why nothing follows between two configurations."""
    cls = find(reference).cls
    less, more = (standing(define(cls, given), given) for given in (small, large))
    own = text(cls, [more])
    if own is not None and reads_channels(own) and less.constants["channels"] != more.constants["channels"]:
        return "a method looks between two processes"
    return difference(less, more) or hindrance(cls, own, [less.constants, more.constants])


def test_larger_is_a_matter_of_budgets_alone() -> None:
    """More crashes and no fewer losses; other constants are the same."""
    assert larger({"crashes": 1, "losses": 1, "workload": (1, 1)}, {"crashes": 0, "losses": 1, "workload": (1, 1)})
    assert not larger({"crashes": 1, "losses": 0}, {"crashes": 0, "losses": 1})
    assert not larger({"crashes": 1, "workload": (2, 1)}, {"crashes": 0, "workload": (1, 1)})
    assert not larger({"crashes": 1}, {"crashes": 1})


def test_channels_without_order_allow_more() -> None:
    """With the same faults, or with more; but not with fewer."""
    assert larger({"crashes": 0, "channels": "unordered"}, {"crashes": 0, "channels": "fifo"})
    assert larger({"crashes": 1, "channels": "unordered"}, {"crashes": 0, "channels": "fifo"})
    assert not larger({"crashes": 0, "channels": "unordered"}, {"crashes": 1, "channels": "fifo"})
    assert not larger({"channels": "fifo"}, {"channels": "unordered"})


def test_what_does_not_know_of_budgets_follows(pings: str) -> None:
    """Each budget alone and all together."""
    for name in ("crashes", "losses", "duplicates", "partitions"):
        assert why(f"{pings}:Pings", {name: 1}, {name: 2}) is None
        assert why(f"{pings}:Pings", {}, {name: 1}) is None
    assert why(f"{pings}:Pings", {"channels": "fifo"}, {"channels": "unordered"}) is None
    assert (
        why(
            f"{pings}:Pings",
            {"channels": "fifo"},
            {"channels": "unordered", "crashes": 1, "losses": 1, "duplicates": 1, "partitions": 1},
        )
        is None
    )


@pytest.mark.parametrize(
    ("name", "large", "reason"),
    [
        ("Reads", {"crashes": 1}, "Reads.bold reads crashes"),
        ("Derives", {"crashes": 1}, "quorum (derived) depends on a budget of faults"),
        ("Typed", {"losses": 1}, "types, variables, actions or methods depend on a budget of faults"),
        ("Looks", {"channels": "unordered"}, "a method looks between two processes"),
        ("More", {"losses": 1}, "types, variables, actions or methods depend on a budget of faults"),
    ],
)
def test_nothing_follows_where_a_budget_is_known(pings: str, name: str, large: dict[str, object], reason: str) -> None:
    """Each of the conditions, in the words of the refusal."""
    assert why(f"{pings}:{name}", {"channels": "fifo"}, {"channels": "fifo", **large}) == reason


def test_a_handler_that_refuses_messages_is_found(pings: str) -> None:
    """On a FIFO channel it would hold up what comes behind."""
    assert refused(define(find(f"{pings}:Refuses").cls)) == "receive"
    assert refused(define(find(f"{pings}:Pings").cls)) is None


def test_what_a_queue_holds_up_does_not_follow_from_a_bag(checker: Checker, pings: str) -> None:
    """Everything is heard on unordered channels and nothing on FIFO channels, so both must be searched."""
    for implied in ((), ("--implied",)):
        rows = checker(
            "sweep",
            f"{pings}:Refuses",
            "-D",
            "channels=unordered|fifo",
            "--property",
            "all_heard",
            "--jobs",
            "1",
            *implied,
            "--json",
            "-",
        ).json()["rows"]
        assert [r["verdict"] for r in rows] == ["holds", "violated"]


def test_the_conditions_are_needed(checker: Checker, pings: str) -> None:
    """This holds with a crash and is violated without one, so the smaller budget must be searched."""
    for implied in ((), ("--implied",)):
        rows = checker(
            "sweep",
            f"{pings}:Reads",
            "-D",
            "crashes=0..1",
            "--property",
            "bold",
            "--jobs",
            "1",
            *implied,
            "--json",
            "-",
        ).json()["rows"]
        assert [r["verdict"] for r in rows] == ["violated", "holds"]


def test_a_crash_in_the_middle_of_a_step_is_no_progress(checker: Checker, pings: str) -> None:
    """An action that is always given up behind a multicast is possible only as a crash: with a crash allowed nothing
    else changes, and the same states are quiescent."""
    for implied in ((), ("--implied",)):
        rows = checker(
            "sweep",
            f"{pings}:GivesUp",
            "-D",
            "crashes=0..1",
            "--property",
            "all_heard",
            "--jobs",
            "1",
            *implied,
            "--json",
            "-",
        ).json()["rows"]
        assert [r["verdict"] for r in rows] == ["violated", "violated"]


@pytest.mark.parametrize(
    ("model", "varied"),
    [
        ("reliable_multicast", ("workload=1,0|1,1|1,0,0", "crashes=0..2")),
        *(
            pytest.param(*case, marks=pytest.mark.thorough)
            for case in [
                ("nack_multicast:AsSketched", ("workload=1,0|1,1", "losses=0..1", "duplicates=0..1")),
                ("causal_vector_clock", ("workload=1,0|1,0,0", "crashes=0..1", "duplicates=0..1")),
                ("isis:TieBySender", ("workload=2,0", "losses=0..1", "channels=unordered|fifo")),
            ]
        ),
        ("fifo_multicast:ExpectAny", ("workload=2,0", "losses=0..1", "duplicates=0..1", "channels=unordered|fifo")),
        ("consensus_attempts", ("proposals=0,0", "crashes=0..2")),
    ],
)
def test_the_verdicts_are_those_of_searching_everything(checker: Checker, model: str, varied: tuple[str, ...]) -> None:
    """Every property comes out the same in every configuration, with the same number of steps, and in as many states
    where they were among those of another search."""
    arguments = [
        "sweep",
        model,
        *(part for v in varied for part in ("-D", v)),
        "--all",
        "--strict",
        "--jobs",
        "1",
        "--json",
        "-",
    ]

    def rows(*more: str) -> Any:
        return checker(*arguments, *more).json()["rows"]

    searched, found = rows(), rows("--implied")
    saved = 0
    for one, other in zip(searched, found):
        assert [p["name"] for p in one["properties"]] == [p["name"] for p in other["properties"]]
        for p, q in zip(one["properties"], other["properties"]):
            assert q["verdict"] == p["verdict"] or (p["verdict"], q["verdict"]) in {
                ("holds", "implied"),
                ("untested", "implied"),
            }
            assert q["steps"] in (p["steps"], None)
        saved += any(q["verdict"] == "implied" for q in other["properties"])
        if other["distinct"] > 0 and other["transitions"] == 0:
            saved += 1
            assert (other["distinct"], other["depth"]) == (one["distinct"], one["depth"])
    assert saved > 0 or model == "consensus_attempts"  # where each is searched for a property of whole runs


@pytest.mark.parametrize("limits", [(30, 400), pytest.param((100, 2000), marks=pytest.mark.thorough)], ids=str)
@pytest.mark.parametrize(
    ("model", "varied"),
    [
        ("reliable_multicast", ("workload=1,1|1,0,0", "crashes=0..2", "losses=0..1")),
        ("isis:DeliverAnyFinal", ("workload=1,1", "crashes=0..1", "losses=0..1", "channels=unordered|fifo")),
        pytest.param(
            "causal_vector_clock",
            ("workload=1,1|1,0,0", "crashes=0..2", "losses=0..2", "duplicates=0..1"),
            marks=pytest.mark.thorough,  # 36 configurations, each searched five times
        ),
        ("fifo_multicast:ExpectAny", ("workload=2,0", "losses=0..1", "duplicates=0..1", "channels=unordered|fifo")),
    ],
)
def test_a_search_at_its_limit_is_believed_for_what_is_violated_alone(
    checker: Checker, model: str, varied: tuple[str, ...], limits: tuple[int, ...]
) -> None:
    """What is decided within a limit is what a search without one finds, with as many steps; nothing is counted that
    was not searched to its end."""
    arguments = ["sweep", model, *(part for v in varied for part in ("-D", v)), "--all", "--jobs", "1", "--json", "-"]
    decided = checker(*arguments).json()["rows"]
    for most in limits:
        limited = checker(*arguments, "--implied", "--max-states", str(most)).json()["rows"]
        for row, other in zip(decided, limited):
            verdicts = {p["name"]: p for p in row["properties"]}
            for q in other["properties"]:
                p = verdicts[q["name"]]
                assert q["verdict"] in {p["verdict"], "unknown"} | ({"implied"} if p["verdict"] == "holds" else set())
                assert q["steps"] in (p["steps"], None)
            assert other["distinct"] <= row["distinct"]
            assert other["distinct"] == row["distinct"] or other["bound"] == "states" or other["distinct"] == 0


def test_a_search_at_its_limit_shows_violations_with_fewer_faults(checker: Checker) -> None:
    """With two crashes and two losses there are more states than may be searched; what it shows of crashes is known for
    fewer, with steps."""
    arguments = [
        "sweep",
        "basic_multicast",
        "-D",
        "workload=1,0,0,0",
        "-D",
        "crashes=0..2",
        "-D",
        "losses=0..2",
        "--property",
        "Agreement",
        "--all",
        "--implied",
        "--jobs",
        "1",
        "--json",
        "-",
    ]
    whole, limited = (checker(*arguments, *more).json()["rows"] for more in ((), ("--max-states", "150")))
    assert [r["properties"][0] for r in limited] == [r["properties"][0] for r in whole]
    assert [r["bound"] for r in limited] == [None] * 8 + ["states"]
    assert [r["transitions"] > 0 for r in limited] == [True, False, True, *[False] * 5, True]


def searches(cls: type[Model], borders: dict[str, dict[str, int]], most: int) -> tuple[int, list[dict[str, bool]]]:
    """How many of the budgets 0..most of crashes and losses are searched if each property is violated from its border
    upwards, and what comes out for all."""
    places = dict(enumerate({"crashes": c, "losses": x} for c in range(most + 1) for x in range(most + 1)))
    found = family(cls, {i: standing(define(cls, given), given) for i, given in places.items()})
    # which no search reads off for smaller budgets
    found.kinds, found.above = dict.fromkeys(borders, "leads-to"), {"leads-to": found.above["quiescence"]}

    def breaks(place: int, name: str) -> bool:
        return all(places[place][n] >= least for n, least in borders[name].items())

    count = 0
    while (step := found.next()) is not None:
        said = {name: Verdict.VIOLATED if breaks(step[0], name) else Verdict.HOLDS for name in step[1]}
        found.note(step[0], said, unfinished=False)
        count += 1
    outcome = [{name: found.sources(i, name)[0] is Verdict.VIOLATED for name in borders} for i in places]
    assert outcome == [{name: breaks(i, name) for name in borders} for i in places]
    return count, outcome


def test_a_border_is_found_by_halves(pings: str) -> None:
    """What holds everywhere, or is violated without faults, takes one or two searches of the 25; a border in the middle
    fewer than half of them."""
    cls = find(f"{pings}:Pings").cls
    assert searches(cls, {"a": {"crashes": 9}}, 4)[0] == 1
    assert searches(cls, {"a": {"crashes": 9}, "b": {}}, 4)[0] <= 6
    assert searches(cls, {"a": {"crashes": 2}, "b": {"losses": 1}}, 4)[0] < 12


def test_what_is_violated_with_fewer_faults_is_violated_with_more(checker: Checker) -> None:
    """One crash or one loss is enough, and each configuration with more of them counts."""
    rows = checker(
        "sweep",
        "basic_multicast",
        "-D",
        "workload=1,0,0",
        "-D",
        "crashes=0..2",
        "-D",
        "losses=0..2",
        "--property",
        "Agreement",
        "--implied",
        "--jobs",
        "1",
        "--json",
        "-",
    ).json()
    (summary,) = rows["properties"]
    assert (summary["violated"], summary["smallest"]["given"], summary["smallest"]["steps"]) == (
        8,
        {"workload": [1, 0, 0], "crashes": 0, "losses": 1},
        4,
    )
    assert [row["verdict"] for row in rows["rows"]] == [
        "holds" if row["given"]["crashes"] + row["given"]["losses"] == 0 else "violated" for row in rows["rows"]
    ]


def test_above_what_was_too_large_one_fault_is_searched(checker: Checker) -> None:
    """The largest and the smallest of five budgets end at the limit; those between have no fewer states than the
    smallest, so but for one crash they are left open."""
    ran = checker(
        "sweep",
        "basic_multicast",
        "-D",
        "workload=2,1,0",
        "-D",
        "crashes=0..4",
        "--max-states",
        "20",
        "--implied",
        "--jobs",
        "1",
        "--json",
        "-",
    ).json()
    assert [row["verdict"] for row in ran["rows"]] == ["inconclusive"] * 5
    assert [row["bound"] for row in ran["rows"]] == ["states", "states", None, None, "states"]


QUEUES = '''"""p1 and p2 send to p2, over queues alone: no constant gives the order that its methods read."""

from checker.language import Distributed, Fifo, Int, Process, action, const, invariant, on, require, var


class Queues(Distributed):
    """At most one message of a process is in flight, of two in all."""

    processes = const(2, "number of processes")
    net = var(Fifo[Process, Int(0, 1)])
    seen = var(Int(0, 2), 0)

    @action
    def send(self, p: Process):
        require(self.channels == "fifo" and self.seen < 2)
        require(len(self.net.between(p, self.Process[1])) == 0)
        self.net.send(p, self.Process[1], 1)

    @on(net)
    def receive(self, p, q, n):
        require(self.seen < 2)
        self.seen += n

    @invariant
    def few(self) -> bool:
        return self.seen <= 2
'''


def test_a_model_of_queues_that_reads_its_channels_has_verdicts_that_follow(checker: Checker, here: Path) -> None:
    """The messages between two processes and the name of the order are read, and no constant gives the order."""
    (here / "queues.py").write_text(QUEUES, encoding="utf-8")
    given = ("sweep", "queues.py", "-D", "crashes=0..1", "-D", "losses=0..1", "--jobs", "1")
    rows = [("11",), ("25",), ("22",), ("50", "140")]
    for more in ((), ("--implied",)):
        ran = checker(*given, *more)
        assert ran.code == 0 and "few holds in 4" in ran.out
        assert all(f"  {row[0]}  " in ran.out for row in rows), ran.out
