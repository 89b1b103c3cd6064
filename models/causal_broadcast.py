"""Causal broadcast with n protocol messages: a message carries what its sender delivered since its previous broadcast.

Rule.  copr of p holds the messages that p delivered since its last broadcast, of each sender only the latest.  To
broadcast m, p drops its own entry, sends the sequence copr + m to everybody and empties copr.  A receiver goes through
the sequence: a message not yet delivered waits for its predecessor from the same sender, then it is delivered and takes
its predecessor's place in copr.

Source: A. Mostefaoui, M. Perrin, M. Raynal, J. Cao, "Crash-Tolerant Causal Broadcast in O(n) Messages", IPL 151, 2019,
Algorithm 1; line numbers are those of the paper.  A triplet <m, j, sn> is written m: the name tells its sender j and
its number sn.  Channels are reliable, without order.

Where the printed algorithm loses causality: an entry of the sequence may depend on a message that is not in it, because
line 2 took out the sender's previous message, or because line 8 replaced a message by its successor further back.  The
receiver waits for the missing message too late, after that entry.  Leaving out the two lines does not help: an own
message then stands in the sequence without what precedes it, which line 4 has forgotten.  `WaitFirst` is the smallest
repair.

Readings of the receive loop.  The paper gives each received sequence a thread of its own, which may wait at line 7.  As
printed, line 6 is not tested again after that wait, and nothing keeps other threads, or a broadcast, from running
between lines 6 and 8, so in the main class each triplet is a step of its own.  Variants: a whole handler is one step
(`WholeHandler`: the threads of a process run until all of them wait, the smallest deliverable message first; all others
but those named here have it), line 6 tested again (`Retested`, `StepPerTriplet`), any order of serving (`EveryOrder`),
a single thread that blocks (`OneThread`), and line 10 as a step of its own (`StepPerLine`).
"""

from checker.language import Bool, Map, Network, Optional, Process, Seq, choose, const, draw, invariant, require
from checker.language.expectation import holds, violates
from checker.language.model import action, on, quiescent, rule, var
from checker.language.multicast import Message, Multicast, total
from checker.properties.multicast import CausalOrder, FifoOrder, NoCreation, NoDuplication, Termination, Validity


class CausalBroadcast(Multicast):
    """Algorithm 1 as printed: a thread for each sequence, interrupted between its triplets and while it waits; line 6
    not tested again after the wait of line 7."""

    retest = const(False, "line 6 is tested again after the wait of line 7")
    serving = const("smallest", "which deliverable message is served first", ("smallest", "any"))
    Triplets = Seq[Message, 2 * total]  # as printed, what is delivered twice stands in it twice

    delivered = var(Map[Process, Seq[Message, 2 * total]], kept=True)
    copr = var(Map[Process, Triplets])
    # what each thread has before it, by the last triplet of its sequence
    threads = var(Map[Process, Map[Message, Triplets]])
    net = var(Network[Process, Triplets])

    def send(self, p, m):
        sequence = [x for x in self.copr[p] if self.carried(p, x)]  # line 2
        self.net.multicast(p, sequence + [m])  # line 3
        self.copr[p].clear()  # line 4

    @rule
    def carried(self, p: Process, x: Message) -> bool:
        """x, in copr of p, goes out with the next broadcast of p."""
        return self.sender(x) != p

    @on(net)
    def receive(self, p, q, sequence):
        require(self.accepts(p))
        self.threads[p][sequence[-1]] = sequence
        self.test(p, sequence[-1])
        self.run(p)

    @rule
    def accepts(self, p: Process) -> bool:
        """p takes up a new sequence although threads may be waiting."""
        return True

    def test(self, p, t):
        """Line 6: thread t of p passes over what is delivered."""
        while len(self.threads[p][t]) > 0 and self.threads[p][t][0] in self.delivered[p]:
            self.threads[p][t].pop(0)

    def run(self, p):
        """What the threads of p do within the step that receives a sequence: nothing."""

    @action
    def triplet(self, p: Process, t: Message):
        """Lines 7-11: thread t of p goes on with one triplet."""
        require(self.proceeds(p, t))
        self.serve(p, t)

    @rule
    def proceeds(self, p: Process, t: Message) -> bool:
        """Thread t of p is not waiting at line 7."""
        return len(self.threads[p][t]) > 0 and self.previous_delivered(p, self.threads[p][t][0])

    @rule
    def previous_delivered(self, p: Process, x: Message) -> bool:
        """Line 7: p has delivered the message that the sender of x broadcast before x."""
        return self.number(x) == 0 or self.Message[x.index - 1] in self.delivered[p]

    def serve(self, p, t):
        x = self.threads[p][t].pop(0)
        self.forget_previous(p, x)  # line 8
        self.deliver(p, x)  # line 9
        self.copr[p].append(x)  # line 10
        self.test(p, t)
        if self.retest:
            for other in self.Message:
                self.test(p, other)

    def forget_previous(self, p, x):
        """Line 8: x replaces its predecessor in copr."""
        if self.number(x) > 0 and self.Message[x.index - 1] in self.copr[p]:
            self.copr[p].remove(self.Message[x.index - 1])

    @invariant
    def lemma_1(self) -> bool:
        """copr holds at most n triplets."""
        return all(len(self.copr[p]) <= len(self.Process) for p in self.Process)

    @invariant
    def corollary_1(self) -> bool:
        """A protocol message holds at most n triplets."""
        return all(
            len(sequence) <= len(self.Process)
            for p in self.Process
            for q in self.Process
            for sequence in self.net.between(p, q)
        )

    @quiescent
    def lemma_4(self) -> bool:
        """(ii): what a correct process delivered before its last broadcast, all correct processes delivered, unless its
        copr has a message of the same sender: that is for (i), Termination."""
        return all(
            m in self.delivered[q] or any(self.sender(x) == self.sender(m) for x in self.copr[p])
            for p in self.Process
            if self.live(p)
            for m in self.delivered[p]
            for q in self.Process
            if self.live(q)
        )

    @rule
    def control(self, m: Message) -> bool:
        """m is a control message (Section 4); Algorithm 1 has none."""
        return False

    @quiescent
    def strong_termination(self) -> bool:
        """What one correct process delivered, all correct processes delivered (Section 4; not claimed of Algorithm
        1)."""
        judged = not any(self.owes(p) for p in self.Process)
        correct = {p for p in self.Process if judged and self.live(p)}
        return all(
            m in self.delivered[q] for p in correct for m in self.delivered[p] if not self.control(m) for q in correct
        )

    @rule
    def owes(self, p: Process) -> bool:
        """p would send one more control message if the workload had planned it; such a run is not judged."""
        return False

    # FifoOrder: Lemma 2; CausalOrder: Lemma 3
    picture = [draw.step("triplet", "go on with the thread of {t}")]

    properties = [NoDuplication, NoCreation, CausalOrder, FifoOrder, Termination, Validity]

    expect = [
        violates("strong_termination", at={"workload": (1, 0, 0), "crashes": 1}, steps=3),
        violates(NoDuplication, "lemma_1", at={"workload": (1, 1)}, steps=8, distinct=209, transitions=452, depth=12),
        holds(at={"workload": (3, 0)}, distinct=388, transitions=1_211),
        violates(NoDuplication, at={"workload": (1, 1, 0)}, steps=8, distinct=2_405),
        violates("corollary_1", at={"workload": (1, 1, 1)}, only=["corollary_1"], steps=10),
        holds(at={"workload": (1, 1, 1)}, only=[CausalOrder], distinct=1_019_904, transitions=4_029_537),
        violates(NoDuplication, "lemma_1", CausalOrder, at={"workload": (2, 1, 0)}, distinct=127_216),
        violates(CausalOrder, at={"workload": (2, 1, 0)}, only=[CausalOrder], steps=10),
        violates(NoDuplication, "lemma_1", at={"workload": (2, 2)}, distinct=87_952),
    ]


class WholeHandler(CausalBroadcast):
    """READING: a whole handler is one step; its threads run until all of them wait."""

    triplet = None

    def run(self, p):
        """Lines 7-12 for the threads of p, until all of them wait."""
        ready = [t for t in self.Message if self.proceeds(p, t)]
        while len(ready) > 0:
            heads = {self.threads[p][t][0] for t in ready}
            x = choose(heads) if self.serving == "any" else min(heads)
            self.serve(p, min(t for t in ready if self.threads[p][t][0] == x))
            ready = [t for t in self.Message if self.proceeds(p, t)]

    expect = [
        violates("strong_termination", at={"workload": (1, 0, 0), "crashes": 1}, steps=2),
        violates(NoDuplication, "lemma_1", at={"workload": (2, 1)}, steps=8),
        holds(),
        holds(
            at={"workload": (1, 1, 1)},
            only=[NoDuplication, Termination, Validity],
            distinct=11_978,
            transitions=36_375,
            depth=13,
        ),
        violates(NoDuplication, CausalOrder, at={"workload": (2, 1, 0)}, steps=6),
        violates(NoDuplication, CausalOrder, "strong_termination", at={"workload": (2, 1, 0), "crashes": 2}, steps=5),
        violates(NoDuplication, "lemma_1", at={"workload": (2, 2)}, steps=8),
        violates("corollary_1", at={"workload": (2, 1, 1)}, only=["corollary_1"], steps=9),
        violates("strong_termination", at={"workload": (1, 1, 1), "crashes": 1}, steps=8),
    ]


class StepPerLine(CausalBroadcast):
    """READING: line 10 is a step of its own, so that p can broadcast, or go on with another thread, between the
    delivery of a message and its entry in copr."""

    noted = var(Map[Process, Map[Message, Optional[Message]]])  # what a thread has delivered, not yet in copr

    @rule
    def proceeds(self, p, t):
        return (
            self.noted[p][t] is None
            and len(self.threads[p][t]) > 0
            and self.previous_delivered(p, self.threads[p][t][0])
        )

    def serve(self, p, t):
        x = self.threads[p][t].pop(0)
        self.forget_previous(p, x)  # line 8
        self.deliver(p, x)  # line 9
        self.noted[p][t] = x
        self.test(p, t)
        if self.retest:
            for other in self.Message:
                self.test(p, other)

    @action
    def note(self, p: Process, t: Message):
        """Line 10."""
        x = self.noted[p][t]
        require(x is not None)
        if x is not None:
            self.copr[p].append(x)
        self.noted[p][t] = None

    expect = [
        violates("lemma_1", at={"workload": (2,)}, steps=8),
        violates(CausalOrder, at={"workload": (1, 1)}, only=[CausalOrder], steps=6),
    ]


class Retested(WholeHandler):
    """REPAIR: after the wait of line 7 the message is passed over if another thread has delivered it."""

    retest = const(True, "line 6 is tested again after the wait of line 7")

    expect = [
        violates("strong_termination", at={"workload": (1, 0, 0), "crashes": 1}, steps=2),
        violates(CausalOrder, at={"workload": (2, 1, 0)}, steps=6),
        holds(at={"workload": (2, 2)}),
        holds(at={"workload": (2, 1, 0), "channels": "fifo"}),
        violates(CausalOrder, at={"workload": (2, 1, 1), "channels": "fifo"}, steps=9),
        holds(
            at={"workload": (2, 1, 1)},
            only=[NoDuplication, FifoOrder, Termination, Validity, "lemma_4"],
            distinct=426_751,
            transitions=1_684_981,
        ),
        violates("strong_termination", at={"workload": (1, 1, 1), "crashes": 1}, steps=8),
    ]


class EveryOrder(Retested):
    """READING: of the messages that no longer wait, any one is delivered first."""

    serving = const("any", "which deliverable message is served first", ("smallest", "any"))

    expect = [
        violates(CausalOrder, at={"workload": (2, 1, 0)}, steps=6),
        holds(
            at={"workload": (2, 1, 1)},
            only=[NoDuplication, Termination, Validity],
            distinct=430_587,
            transitions=1_713_675,
        ),
    ]


class StepPerTriplet(Retested):
    """READING: each triplet is a step of its own, so that p can broadcast between two triplets of one sequence."""

    run, triplet = CausalBroadcast.run, CausalBroadcast.triplet

    expect = [holds(at={"workload": (1, 1, 1)}), violates(CausalOrder, at={"workload": (2, 1, 0)}, steps=10)]


class OneThread(Retested):
    """READING: a process has a single thread; while it waits at line 7 it takes up no other sequence."""

    @rule
    def accepts(self, p):
        return all(len(self.threads[p][t]) == 0 for t in self.Message)

    expect = [
        violates(Termination, Validity, at={"workload": (2,)}, steps=3),
        violates(Termination, Validity, "strong_termination", at={"workload": (2, 0)}, steps=4),
        violates(Termination, Validity, "strong_termination", "lemma_4", at={"workload": (2, 1)}, steps=5),
        violates(
            CausalOrder, Termination, Validity, "strong_termination", "lemma_4", at={"workload": (2, 1, 0)}, steps=6
        ),
    ]


class WithoutLine2(Retested):
    """EDIT: line 2 is left out of the printed algorithm; a broadcast carries the sender's own previous message too."""

    @rule
    def carried(self, p, x):
        return True

    expect = [
        violates("corollary_1", at={"workload": (2,)}, steps=3),
        violates(CausalOrder, "corollary_1", at={"workload": (2, 1)}, steps=5),
        violates(CausalOrder, at={"workload": (2, 1, 0)}, steps=6),
        violates(CausalOrder, "corollary_1", at={"workload": (2, 2)}, steps=5),
    ]


class WithoutLine8(Retested):
    """EDIT: line 8 is left out of the printed algorithm; copr keeps the predecessors."""

    def forget_previous(self, p, x):
        pass

    expect = [
        violates("lemma_1", at={"workload": (2,)}, steps=4),
        violates("lemma_1", "corollary_1", at={"workload": (2, 1)}, steps=5),
        violates(CausalOrder, at={"workload": (2, 1, 0)}, steps=6),
        violates("lemma_1", "corollary_1", at={"workload": (2, 2)}, steps=5),
    ]


class WithoutLines2And8(WithoutLine8):
    """EDIT: lines 2 and 8 are both left out of the printed algorithm."""

    @rule
    def carried(self, p, x):
        return True

    expect = [
        violates("lemma_1", "corollary_1", at={"workload": (2,)}, steps=3),
        violates(CausalOrder, "lemma_1", "corollary_1", at={"workload": (2, 1)}, steps=5),
        violates(CausalOrder, at={"workload": (2, 1, 0)}, steps=6),
        violates(CausalOrder, "lemma_1", "corollary_1", at={"workload": (2, 2)}, steps=5),
        violates(CausalOrder, "lemma_1", "corollary_1", at={"workload": (2, 1, 1)}, steps=6),
    ]


class WaitFirst(Retested):
    """REPAIR: line 7 moves in front of the loop; a thread delivers nothing before the predecessors of all its triplets
    are delivered."""

    @rule
    def proceeds(self, p, t):
        sequence = self.threads[p][t]
        return len(sequence) > 0 and all(self.previous_delivered(p, x) for x in sequence)

    expect = [
        violates("strong_termination", at={"workload": (1, 0, 0), "crashes": 1}, steps=2),
        holds(at={"workload": (2, 1, 0)}, distinct=3_751, transitions=13_393),
        holds(at={"workload": (2, 2)}),
        holds(at={"workload": (2, 1, 1)}),
        holds(at={"workload": (2, 1, 1), "channels": "fifo"}),
        violates("strong_termination", at={"workload": (2, 1, 0), "crashes": 1}, steps=5),
        violates("strong_termination", at={"workload": (1, 1, 0), "crashes": 2}, steps=5),
        holds(at={"workload": (2, 2, 0)}, thorough=True),
        holds(at={"workload": (3, 1, 0)}, thorough=True),
        holds(at={"workload": (1, 1, 1, 0)}, thorough=True),
    ]


class WaitFirstStepwise(WaitFirst):
    """READING: the repaired algorithm with one step for each triplet."""

    run, triplet = StepPerTriplet.run, StepPerTriplet.triplet

    expect = [
        holds(at={"workload": (2, 1, 0)}),
        holds(at={"workload": (2, 2)}),
        violates(NoDuplication, "lemma_1", at={"workload": (1, 1), "retest": False}, steps=8),
    ]


class WaitFirstPerLine(WaitFirst):
    """READING: the repaired algorithm with line 10 as a step of its own."""

    noted = var(Map[Process, Map[Message, Optional[Message]]])  # what a thread has delivered, not yet in copr
    run, triplet = CausalBroadcast.run, CausalBroadcast.triplet
    serve, note = StepPerLine.serve, StepPerLine.note

    @rule
    def proceeds(self, p, t):
        sequence = self.threads[p][t]
        return self.noted[p][t] is None and len(sequence) > 0 and all(self.previous_delivered(p, x) for x in sequence)

    expect = [
        violates("lemma_1", at={"workload": (2,)}, steps=8),
        violates(CausalOrder, at={"workload": (1, 1)}, only=[CausalOrder], steps=6),
    ]


class SuppressEarly(WaitFirst):
    """READING: line 2 of the repaired algorithm is a step of its own, so that an own message can be delivered, and
    enter copr, before line 3 sends copr."""

    sending = var(Map[Process, Optional[Message]])  # line 2 is done, line 3 is not

    def send(self, p, m):
        require(self.sending[p] is None)
        if self.number(m) > 0 and self.Message[m.index - 1] in self.copr[p]:
            self.copr[p].remove(self.Message[m.index - 1])
        self.sending[p] = m

    @action
    def broadcast(self, p: Process):
        """Lines 3 and 4."""
        m = self.sending[p]
        require(m is not None)
        if m is not None:
            self.net.multicast(p, list(self.copr[p]) + [m])
        self.copr[p].clear()
        self.sending[p] = None

    expect = violates("corollary_1", at={"workload": (2,)}, steps=5)


class ClearLater(WaitFirst):
    """READING: line 4 of the repaired algorithm is a step of its own, so that a message can be delivered between the
    broadcast of line 3 and the emptying of copr."""

    clearing = var(Map[Process, Bool], False)  # line 3 is done, line 4 is not

    def send(self, p, m):
        require(not self.clearing[p])
        sequence = [x for x in self.copr[p] if self.carried(p, x)]
        self.net.multicast(p, sequence + [m])
        self.clearing[p] = True

    @action
    def clear(self, p: Process):
        """Line 4."""
        require(self.clearing[p])
        self.copr[p].clear()
        self.clearing[p] = False

    expect = violates(CausalOrder, at={"workload": (2, 1)}, only=[CausalOrder], steps=7)


class ForgetEarly(WaitFirst):
    """READING: line 8 of the repaired algorithm is a step of its own, so that p can broadcast after a message has left
    copr and before its successor is delivered."""

    run, triplet = CausalBroadcast.run, CausalBroadcast.triplet

    def serve(self, p, t):
        x = self.threads[p][t][0]
        if self.number(x) > 0 and self.Message[x.index - 1] in self.copr[p]:
            self.forget_previous(p, x)
        else:
            super().serve(p, t)

    expect = violates(CausalOrder, at={"workload": (2, 1)}, only=[CausalOrder], steps=9)


class StrongTermination(WaitFirst):
    """VARIANT: Section 4; a process with nothing more to broadcast sends a control message while copr holds an
    application message.

    The last `controls` messages that the workload plans for a process stand for its control messages.
    """

    controls = const(1, "how many of the messages of each process are control messages")
    workload = const((2, 2, 1), "messages of each process, control messages included")

    @rule
    def control(self, m):
        return self.number(m) >= self.workload[self.sender(m).index] - self.controls

    @rule
    def owes(self, p):
        return self.live(p) and any(not self.control(x) for x in self.copr[p])

    def send(self, p, m):
        require(not self.control(m) or self.owes(p))
        sequence = [x for x in self.copr[p] if self.carried(p, x)]
        self.net.multicast(p, sequence + [m])
        self.copr[p].clear()

    expect = [
        holds(at={"workload": (2, 1, 1), "crashes": 1}),
        holds(at={"workload": (3, 2), "crashes": 1}),
        holds(at={"workload": (3, 3), "crashes": 1, "controls": 2}),
        holds(
            at={"workload": (2, 2, 1), "crashes": 1},
            only=[NoDuplication, Termination, "strong_termination"],
            thorough=True,
        ),
    ]


class ControlsCounted(StrongTermination):
    """CLAIM (Section 4, complexity): for each message at most one control message of any other process. The text asks
    for one as long as copr holds any message, also an own one, which line 2 does not send on."""

    @invariant
    def one_for_each_message_of_others(self) -> bool:
        """Nobody has sent more control messages than it has delivered messages of others."""
        return all(
            len({m for m in self.Message if self.sender(m) == p and self.control(m) and self.was_multicast(m)})
            <= len({m for m in self.delivered[p] if self.sender(m) != p and not self.control(m)})
            for p in self.Process
        )

    properties = []

    expect = violates("one_for_each_message_of_others", at={"workload": (2,)}, steps=3)


class NoControlsForOwn(ControlsCounted):
    """REPAIR: a control message only while copr holds a message of somebody else."""

    @rule
    def owes(self, p):
        return self.live(p) and any(not self.control(x) and self.sender(x) != p for x in self.copr[p])

    properties = [NoDuplication, CausalOrder, Termination]

    expect = [
        holds(at={"workload": (2, 1, 1), "crashes": 1}),
        holds(at={"workload": (3, 2), "crashes": 1}),
        holds(at={"workload": (3, 3), "crashes": 1, "controls": 2}),
    ]


class KeepOwn(WaitFirst):
    """EDIT: line 2 of the repaired algorithm is left out; a broadcast carries the sender's own previous message too."""

    @rule
    def carried(self, p, x):
        return True

    expect = [
        violates("corollary_1", at={"workload": (2,)}, steps=3),
        holds(at={"workload": (2, 1, 0)}),
        violates("corollary_1", at={"workload": (2, 2)}, steps=5),
    ]


class NoBarrier(WaitFirst):
    """EDIT: in the repaired algorithm a broadcast carries nothing but the message itself."""

    @rule
    def carried(self, p, x):
        return False

    expect = [
        violates("strong_termination", at={"workload": (1, 0, 0), "crashes": 1}, steps=2),
        violates(CausalOrder, at={"workload": (1, 1)}, steps=4),
        violates(CausalOrder, "lemma_4", "strong_termination", at={"workload": (1, 1, 0), "crashes": 1}, steps=4),
        holds(at={"workload": (2, 1)}, only=["FifoOrder"]),
    ]


class NoWait(WaitFirst):
    """EDIT: line 7 of the repaired algorithm asks for no predecessor."""

    @rule
    def previous_delivered(self, p, x):
        return True

    expect = [
        violates(CausalOrder, FifoOrder, "lemma_1", at={"workload": (2,)}, steps=3),
        violates(CausalOrder, FifoOrder, "lemma_1", "corollary_1", at={"workload": (2, 1)}, steps=3),
        violates(CausalOrder, FifoOrder, at={"workload": (2, 1, 0)}, steps=3),
        violates(CausalOrder, FifoOrder, "lemma_1", "corollary_1", at={"workload": (2, 2)}, steps=3),
    ]


class KeepPrevious(WaitFirst):
    """EDIT: line 8 of the repaired algorithm is left out; copr keeps the predecessors."""

    def forget_previous(self, p, x):
        pass

    expect = [
        violates("lemma_1", at={"workload": (2,)}, steps=4),
        violates("lemma_1", "corollary_1", at={"workload": (2, 1)}, steps=5),
        holds(at={"workload": (2, 1, 0)}),
        violates("lemma_1", "corollary_1", at={"workload": (2, 2)}, steps=5),
    ]


class KeepBarrier(WaitFirst):
    """EDIT: line 4 of the repaired algorithm is left out; copr is not emptied after a broadcast."""

    def send(self, p, m):
        sequence = [x for x in self.copr[p] if self.carried(p, x)]
        self.net.multicast(p, sequence + [m])

    expect = [
        violates("strong_termination", at={"workload": (1, 0, 0), "crashes": 1}, steps=2),
        holds(at={"workload": (2, 1, 0)}),
        holds(at={"workload": (2, 2)}),
        violates("strong_termination", at={"workload": (2, 1, 0), "crashes": 1}, steps=5),
    ]


class LastOnly(WaitFirst):
    """EDIT: in the repaired algorithm copr keeps only the message delivered last."""

    def forget_previous(self, p, x):
        self.copr[p].clear()

    expect = [
        violates(CausalOrder, at={"workload": (2, 1)}, steps=7),
        violates(CausalOrder, at={"workload": (2, 1, 0)}, steps=7),
    ]
