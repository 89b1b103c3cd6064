"""The worked example of the slides "Totally ordered multicast" 6/9-7/9: three sites, three messages, queues as
printed; and the example of the lecture with timestamps such as 6|05."""

import pytest

from checker.backends.interpreter.interpreter import Interpreter
from checker.language.define import define
from checker.models.isis import FromOutsideBySender, Isis

# the queues after each printed step: message, timestamp.site, final or not; one list for each site
STEP_1 = (
    [("m3", "15.1", "u"), ("m1", "16.1", "u"), ("m2", "17.1", "u")],
    [("m2", "16.2", "u"), ("m1", "17.2", "u"), ("m3", "18.2", "u")],
    [("m1", "17.3", "u"), ("m3", "18.3", "u"), ("m2", "19.3", "u")],
)
STEP_2 = (
    [("m3", "15.1", "u"), ("m2", "17.1", "u"), ("m1", "17.3", "d")],
    [("m2", "16.2", "u"), ("m1", "17.3", "d"), ("m3", "18.2", "u")],
    [("m3", "18.3", "u"), ("m2", "19.3", "u")],
)
STEP_3 = (
    [("m3", "15.1", "u"), ("m1", "17.3", "d"), ("m2", "19.3", "d")],
    [("m3", "18.2", "u"), ("m2", "19.3", "d")],
    [("m3", "18.3", "u"), ("m2", "19.3", "d")],
)


class Run:
    """One run of the protocol, step by step, from clocks that have reached 14, 15 and 16."""

    def __init__(self, protocol=Isis, constants=None, proposed=(14, 15, 16), agreed=()):
        self.interpreter = Interpreter(define(protocol, constants or {"workload": (1, 1, 1), "highest": 19}))
        self.model = self.interpreter.model
        self.model.set_raw_state(self.interpreter.initial()[0])
        for site, clock in zip(self.model.Process, proposed):
            self.model.proposed[site] = clock
        for site, clock in zip(self.model.Process, agreed):
            self.model.agreed[site] = clock
        self.state = self.model.raw_state()

    def take(self, action, **wanted):
        """Take the only enabled step of that action with those arguments."""
        steps = [
            step
            for step in self.interpreter.steps(self.state)
            if step.action.name == action
            and all(str(dict(step.arguments)[name]) == value for name, value in wanted.items())
        ]
        assert len(steps) == 1
        self.state = steps[0].after
        self.model.set_raw_state(self.state)

    def queues(self):
        """The hold-back queues as the slides print them."""
        model = self.model
        result = []
        for p in model.Process:
            held = sorted((model.held[p][m].stamp, m) for m in model.Message if model.held[p][m] is not None)
            result.append(
                [(str(m)[:2], f"{s.time}.{s.by.index + 1}", "d" if model.held[p][m].final else "u") for s, m in held]
            )
        return tuple(result)

    def finish(self, message):
        """All proposals for a message reach its sender, and all sites its final timestamp."""
        for site in ("p1", "p2", "p3"):
            self.take("collect", q=site, m=message)
        for site in ("p1", "p2", "p3"):
            self.take("agree", p=site, m=message)


@pytest.fixture
def run():
    """All three messages multicast and received, at each site in the order of the slides."""
    run = Run()
    for sender in ("p1", "p2", "p3"):
        run.take("multicast", p=sender)
    for site, order in (("p1", "312"), ("p2", "213"), ("p3", "132")):
        for number in order:
            run.take("propose", p=site, m=f"m{number}.1")
    return run


def test_step_1_every_site_proposes_its_own_timestamps(run):
    """The three queues hold the messages in three orders, all undeliverable."""
    assert run.queues() == STEP_1


def test_step_2_m1_gets_17_3_and_is_delivered_at_site_3_only(run):
    """Elsewhere something with a smaller timestamp still stands before it."""
    run.finish("m1.1")
    assert run.queues() == STEP_2
    assert [list(map(str, run.model.delivered[p])) for p in run.model.Process] == [[], [], ["m1.1"]]


def test_step_3_m2_gets_19_3_which_frees_m1_at_site_2(run):
    """m2 moves behind m1 and m3; nothing else can be delivered yet."""
    run.finish("m1.1")
    run.finish("m2.1")
    assert run.queues() == STEP_3
    assert [list(map(str, run.model.delivered[p])) for p in run.model.Process] == [[], ["m1.1"], ["m1.1"]]


def test_step_4_m3_gets_18_3_and_everything_is_delivered_in_one_order(run):
    """The order of final timestamps: m1 17.3, m3 18.3, m2 19.3."""
    for message in ("m1.1", "m2.1", "m3.1"):
        run.finish(message)
    assert run.queues() == ([], [], [])
    for p in run.model.Process:
        assert list(map(str, run.model.delivered[p])) == ["m1.1", "m3.1", "m2.1"]


def test_the_lecture_s_example_after_6_05_gives_both_messages_8_and_the_order_of_their_senders():
    """The group {p3, p5} has agreed on 6 last; messages of p1 and p8, both outside, come in two orders: each gets 7
    once and 8 once, so both become 8, 8|01 before 8|08. The example is a table of numbers; how it goes on follows from
    the algorithm."""
    open_group = {"workload": (1, 1, 0, 0), "outside": 2, "highest": 9}
    run = Run(FromOutsideBySender, open_group, proposed=(0, 0, 6, 6), agreed=(0, 0, 6, 6))
    p1, p8, p3, p5 = "p1", "p2", "p3", "p4"  # the processes of the model that stand for those of the example
    for sender in (p1, p8):
        run.take("multicast", p=sender)
    for site, order in ((p3, "12"), (p5, "21")):
        for number in order:
            run.take("propose", p=site, m=f"m{number}.1")
    held = run.model.held
    first, second = run.model.Message
    assert [[held[run.model.Process[i]][m].stamp.time for m in (first, second)] for i in (2, 3)] == [[7, 8], [8, 7]]
    for message in ("m2.1", "m1.1"):
        for site in (p3, p5):
            run.take("collect", q=site, m=message)
        for site in (p3, p5):
            run.take("agree", p=site, m=message)
    assert [run.model.agreed[run.model.Process[i]] for i in (2, 3)] == [8, 8]
    assert [list(map(str, run.model.delivered[p])) for p in run.model.Process] == [[], [], *[["m1.1", "m2.1"]] * 2]
