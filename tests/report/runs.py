"""Hand-made traces for the report tests: one for each thing a diagram must show."""

from __future__ import annotations

from typing import Any

from checker.trace.events import Crash, Deliver, Duplicated, Emit, Event, Lost, Multicast, Receive, Send
from checker.trace.trace import Step, Trace
from checker.trace.values import FrozenMap, Multiset


class Script:
    """Writes a run down step by step: each call adds a step and the state after it."""

    def __init__(self, lanes: int, **variables: Any) -> None:
        self.lanes = tuple(f"p{i}" for i in range(1, lanes + 1))
        self.state = {name: dict.fromkeys(self.lanes, value) for name, value in variables.items()}
        self.net: list[str] = []
        self.states = [self._snapshot()]
        self.steps: list[Step] = []
        self.sends = 0
        self.open: dict[tuple[str, str], int] = {}

    def _snapshot(self) -> dict[str, Any]:
        state: dict[str, Any] = {name: FrozenMap(values) for name, values in self.state.items()}
        return {**state, "net": Multiset(self.net)}

    def step(self, action: str, lane: str | None, label: str, *events: Event, **options: Any) -> None:
        """Add a step; `changes` maps (lane, variable) to its new value, other options go to the Step."""
        for (where, variable), value in options.pop("changes", {}).items():
            self.state[variable][where] = value
        args = options.pop("args", {"p": lane} if lane else {})
        self.steps.append(Step(len(self.steps) + 1, action, args, lane=lane, label=label, events=events, **options))
        self.states.append(self._snapshot())

    def send(self, source: str, target: str, text: str) -> Send:
        """A new copy under way."""
        self.sends += 1
        self.net.append(f"{text} to {target}")
        self.open[text, target] = self.sends
        return Send(self.sends, source, target, text)

    def cast(self, lane: str, message: str, targets: tuple[str, ...] | None = None, **options: Any) -> None:
        """Multicast to the targets, everybody but oneself if not said."""
        targets = tuple(t for t in self.lanes if t != lane) if targets is None else targets
        sends = [self.send(lane, target, message) for target in targets]
        self.step("multicast", lane, f"multicast {message}", Multicast(lane, message), *sends, **options)

    def take(self, lane: str, message: str, *events: Event, **options: Any) -> None:
        """Receive a copy."""
        self.net.remove(f"{message} to {lane}")
        receipt = Receive(self.open[message, lane], lane)
        self.step("receive", lane, options.pop("label", f"receive {message}"), receipt, *events, **options)

    def deliver(self, lane: str, message: str, **options: Any) -> None:
        """Deliver a message, noted in the variable `delivered`."""
        changes = {(lane, "delivered"): (*self.state["delivered"][lane], message)}
        self.step("deliver", lane, f"deliver {message}", Deliver(lane, message), changes=changes, **options)

    def trace(self, kind: str = "invariant", **options: Any) -> Trace:
        """The finished trace; values at the end are the deliveries unless given."""
        if "final_values" not in options and "delivered" in self.state:
            ends = {lane: FrozenMap(self.state["delivered"])[lane] for lane in self.lanes}
            options["final_values"] = {lane: f"delivered [{', '.join(v)}]" for lane, v in ends.items()}
        defaults = {
            "model": "multicast",
            "property": "TotalOrder",
            "lanes": self.lanes,
            "networks": ("net",),
            "constants": {"processes": len(self.lanes)},
            "claim": "breadth-first, no shorter trace exists",
        }
        return Trace(kind=kind, states=self.states, steps=self.steps, **{**defaults, **options})


def total_order() -> Trace:
    """Three processes deliver two messages in different orders; one copy still in flight."""
    run = Script(3, clock=0, queue=(), delivered=())
    run.cast("p1", "m1", changes={("p1", "clock"): 1, ("p1", "queue"): ("m1",)})
    run.cast("p3", "m2", changes={("p3", "clock"): 1, ("p3", "queue"): ("m2",)})
    run.deliver(
        "p3", "m2", cause=True, note="p1 and p2 have not acknowledged m2: an earlier timestamp may still arrive"
    )
    run.take("p2", "m1", changes={("p2", "clock"): 2, ("p2", "queue"): ("m1",)})
    run.deliver("p2", "m1")
    run.take("p2", "m2", changes={("p2", "clock"): 3, ("p2", "queue"): ("m2",)})
    run.deliver("p2", "m2")
    run.take("p3", "m1", changes={("p3", "clock"): 2, ("p3", "queue"): ("m1",)})
    run.deliver("p3", "m1")
    return run.trace(
        witness="p2 delivered m1 before m2, but p3 delivered m2 before m1.",
        guilty=("p2", "p3"),
        model="lamport",
        reference="lamport:DeliverOwnAtOnce",
        edit="deliver the own message at once",
        witness_values={"p": "p2", "q": "p3"},
        version="0.1.0",
        engine="native",
        constants={"processes": 3, "workload": (1, 0, 1), "crashes": 0},
    )


def crash_in_multicast() -> Trace:
    """A sender crashes after one of three sends; a loss and a duplication beside it."""
    run = Script(4, alive=True, delivered=())
    run.cast("p2", "m2")
    send = run.send("p1", "p2", "m1")
    run.step(
        "multicast",
        "p1",
        "multicast m1",
        Multicast("p1", "m1"),
        send,
        Crash("p1", ("p3", "p4")),
        fault=True,
        changes={("p1", "alive"): False},
    )
    run.take("p2", "m1", Deliver("p2", "m1"), changes={("p2", "delivered"): ("m1",)})
    run.step("lose", None, "", Lost(run.open["m2", "p4"]), fault=True)
    again = Duplicated(run.open["m2", "p3"], 99)
    run.step("duplicate", None, "", again, fault=True)
    run.take("p3", "m2", Deliver("p3", "m2"), changes={("p3", "delivered"): ("m2",)})
    run.step("receive", "p3", "receive m2", Receive(99, "p3"), note="seen before: ignored")
    send = run.send("p3", "p1", "ack(m2, 3)")
    run.step("acknowledge", "p3", "acknowledge m2", send)
    return run.trace(
        kind="quiescence",
        property="Agreement",
        guilty=("p2", "p3", "p4"),
        witness='p2 delivered m1 <b>&amp;</b> "nobody" else can ever deliver it.',
        model="basic_multicast",
        constants={"processes": 4, "workload": (1, 1, 0, 0), "crashes": 1, "losses": 1, "duplicates": 1},
    )


def crash_before_a_send() -> Trace:
    """A sender crashes between two sends; the network passes on what three processes had sent before."""
    run = Script(3)
    run.step("say", "p1", "", run.send("p1", "p2", "m1"), Crash("p1", before="sending m1 to p3"))
    run.step("flush", None, "", run.send("p2", "p3", "ack"), run.send("p3", "p2", "ack"), run.send("p3", "p3", "ack"))
    return run.trace(kind="reachable", property="Silence", claim=None)


def lasso() -> Trace:
    """Two processes push a token back and forth while a third waits for ever."""
    run = Script(3, token=False, waiting=False)
    run.step("want", "p3", "want token", changes={("p3", "waiting"): True})
    run.step("start", "p1", "send token", run.send("p1", "p2", "token"), changes={("p1", "token"): False})
    run.take("p2", "token", changes={("p2", "token"): True})
    run.step("pass", "p2", "send token", run.send("p2", "p1", "token"), changes={("p2", "token"): False})
    run.take("p1", "token", changes={("p1", "token"): True})
    run.step("pass", "p1", "send token", run.send("p1", "p2", "token"), changes={("p1", "token"): False})
    run.take("p2", "token", changes={("p2", "token"): True})
    return run.trace(
        kind="leads-to",
        property="WaitingLeadsToToken",
        loop=3,
        guilty=("p3",),
        model="token",
        witness="p3 waits from step 1 on and never holds the token.",
        not_taken=("hand_over(p2, p3)",),
        claim=None,
        final_values={"p3": "waiting true"},
    )


def many_steps(steps: int, lanes: int, seed: int = 7) -> Trace:
    """A long run: every process casts and receives in turn, with quiet clock ticks between."""
    run = Script(lanes, clock=0, delivered=())
    waiting: list[tuple[str, str]] = []
    number = 0
    while len(run.steps) < steps - 1:
        seed = (seed * 1103515245 + 12345) % 2**31
        lane = run.lanes[(seed >> 8) % lanes]
        mine = [m for m in waiting if m[1] == lane]
        if mine and seed >> 20 & 3:
            waiting.remove(mine[0])
            run.take(lane, mine[0][0], changes={(lane, "clock"): run.state["clock"][lane] + 1})
        elif number < steps // 6:
            number += 1
            others = [other for other in run.lanes if other != lane][: 1 + (seed >> 12) % 3]
            run.cast(lane, f"m{number}", tuple(others), changes={(lane, "clock"): run.state["clock"][lane] + 1})
            waiting += [(f"m{number}", other) for other in others]
        else:
            run.step("tick", lane, f"tick {lane}", changes={(lane, "clock"): run.state["clock"][lane] + 1})
    run.deliver(run.lanes[1], "m1")
    return run.trace(witness=f"{run.lanes[1]} delivered m1 out of order.", guilty=(run.lanes[1],))


def own_messages() -> Trace:
    """Whole handlers: own copies through the network, several sends and deliveries in one box, p3 idle."""
    run = Script(3, delivered=(), decided=None)
    sends = [run.send("p1", target, "propose(m1, 1)") for target in ("p1", "p2")]
    run.step("multicast", "p1", "multicast m1", Multicast("p1", "m1"), *sends)
    run.take("p1", "propose(m1, 1)", run.send("p1", "p2", "final(m1, (1, p1))"), Deliver("p1", "m1"))
    run.take("p2", "propose(m1, 1)", run.send("p2", "p1", "ack(m1)"), run.send("p2", "p2", "ack(m1)"))
    run.take(
        "p2",
        "final(m1, (1, p1))",
        Deliver("p2", "m1"),
        Deliver("p2", "m2.1"),
        Emit("decide", "p2", (1,)),
        label="receive final",
        changes={("p2", "decided"): 1},
    )
    return run.trace(kind="reachable", property="Decided", witness="p2 decides 1.", guilty=("p2",))


def initial() -> Trace:
    """A property that fails before anything happens."""
    return Script(2, clock=0).trace(property="ClockPositive", witness="p1.clock is 0.", guilty=("p1",))


def network_breaks() -> Trace:
    """The breaking step belongs to no process."""
    run = Script(2, clock=0)
    run.cast("p1", "m1")
    run.step("drop_all", None, "drop everything", fault=True)
    return run.trace(kind="step", property="NothingVanishes", witness="The network is empty.")


def no_lanes() -> Trace:
    """Shared variables only: nobody to give a lane to."""
    steps = [Step(1, "enter", {"i": 1}), Step(2, "enter", {"i": 2}, note="nobody looked at turn")]
    states = [{"turn": 1, "inside": frozenset(range(1, n))} for n in (1, 2, 3)]
    return Trace(
        model="lock",
        property="MutualExclusion",
        kind="invariant",
        steps=steps,
        states=states,
        witness="1 and 2 are inside.",
    )


def agreed_timestamps() -> Trace:
    """A dense run without labels: own copies, proposals back to the sender, final stamps, whole handlers."""
    run = Script(3, largest=0, held=frozenset(), delivered=())

    def act(action: str, lane: str, *events: Event, **changes: Any) -> None:
        run.step(action, lane, "", *events, args={"p": lane}, changes={(lane, k): v for k, v in changes.items()})

    def take(lane: str, text: str) -> Receive:
        return Receive(run.open[text, lane], lane)

    for lane, message in (("p1", "m1.1"), ("p2", "m2.1")):
        act("multicast", lane, Multicast(lane, message), *(run.send(lane, to, message) for to in run.lanes))
    for lane, message, time in (
        ("p1", "m1.1", 1),
        ("p2", "m2.1", 1),
        ("p3", "m1.1", 1),
        ("p3", "m2.1", 2),
        ("p2", "m1.1", 2),
        ("p1", "m2.1", 2),
    ):
        reply = run.send(lane, f"p{message[1]}", f"({message}, ({time}, {lane}))")
        held = run.state["held"][lane] | {message}
        act("receive", lane, take(lane, message), reply, largest=time, held=held)
    act("propose", "p1", take("p1", "(m1.1, (1, p1))"))
    act("propose", "p1", take("p1", "(m1.1, (2, p2))"))
    finals = [run.send("p1", to, "final(m1.1, (2, p2))") for to in run.lanes]
    act("propose", "p1", take("p1", "(m1.1, (1, p3))"), *finals)
    for lane in ("p3", "p2"):
        act(
            "finish",
            lane,
            take(lane, "final(m1.1, (2, p2))"),
            Deliver(lane, "m1.1"),
            held=frozenset({"m2.1"}),
            delivered=("m1.1",),
        )
    act("propose", "p2", take("p2", "(m2.1, (1, p2))"))
    act("propose", "p2", take("p2", "(m2.1, (2, p3))"))
    finals = [run.send("p2", to, "final(m2.1, (2, p3))") for to in run.lanes]
    act("propose", "p2", take("p2", "(m2.1, (2, p1))"), *finals)
    act(
        "finish",
        "p1",
        take("p1", "final(m2.1, (2, p3))"),
        Deliver("p1", "m2.1"),
        held=frozenset({"m1.1"}),
        delivered=("m2.1",),
    )
    act(
        "finish",
        "p1",
        take("p1", "final(m1.1, (2, p2))"),
        Deliver("p1", "m1.1"),
        held=frozenset(),
        delivered=("m2.1", "m1.1"),
    )
    act(
        "finish",
        "p3",
        take("p3", "final(m2.1, (2, p3))"),
        Deliver("p3", "m2.1"),
        held=frozenset(),
        delivered=("m1.1", "m2.1"),
    )
    return run.trace(
        model="isis",
        reference="isis:DeliverAnyFinal",
        edit="deliver any final message, not only the head of the queue",
        witness="p1 delivered m2.1 before m1.1, but p3 delivered m1.1 before m2.1.",
        guilty=("p1", "p3"),
    )


def network_faults() -> Trace:
    """Faults as the environment takes them: their arguments name processes, but no process acts."""
    run = Script(3, delivered=())
    run.step("multicast", "p1", "", Multicast("p1", "m1"), run.send("p1", "p2", "m1"), run.send("p1", "p3", "m1"))
    run.step("lose", "p1", "", Lost(1), fault=True, args={"source": "p1", "target": "p2"})
    run.step("crash", "p3", "", Crash("p3"), fault=True)
    run.step("flush", "p1", "", Deliver("p1", "m1"), Emit("log", "", ("m1",)), Emit("decide", "7"))
    return run.trace(kind="error", property="", witness="", guilty=())


def eight_lanes() -> Trace:
    """Eight processes, ten steps, everybody in flight."""
    run = Script(8, delivered=())
    run.cast("p1", "m1.1")
    run.cast("p8", "m8.1")
    for lane in ("p4", "p7", "p2", "p3"):
        run.take(lane, "m1.1", Deliver(lane, "m1.1"), changes={(lane, "delivered"): ("m1.1",)})
    for lane in ("p5", "p1"):
        run.take(lane, "m8.1", Deliver(lane, "m8.1"), changes={(lane, "delivered"): ("m8.1",)})
    run.take("p4", "m8.1", Deliver("p4", "m8.1"), changes={("p4", "delivered"): ("m1.1", "m8.1")})
    run.take("p5", "m1.1", Deliver("p5", "m1.1"), changes={("p5", "delivered"): ("m8.1", "m1.1")})
    return run.trace(witness="p4 delivered m1.1 before m8.1, p5 after it.", guilty=("p4", "p5"))


ALL = {
    "total_order": total_order,
    "crash_in_multicast": crash_in_multicast,
    "lasso": lasso,
    "five_lanes": lambda: many_steps(24, 5),
    "sixty_steps": lambda: many_steps(60, 4),
    "own_messages": own_messages,
    "initial": initial,
    "network_breaks": network_breaks,
    "no_lanes": no_lanes,
    "agreed_timestamps": agreed_timestamps,
    "network_faults": network_faults,
    "eight_lanes": eight_lanes,
}
