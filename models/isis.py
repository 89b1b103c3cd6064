"""ISIS total order: receivers propose timestamps, the sender makes the largest one final, and everybody delivers in the
order of final timestamps.

Rule.  A receiver puts a message into its hold-back queue, undeliverable, and proposes a timestamp larger than any it
has proposed or has seen agreed.  The sender waits for all proposals and announces the largest.  The receiver gives the
message this final timestamp, marks it deliverable and reorders the queue; while the head of the queue is deliverable it
is delivered.

Sources: slides "Totally ordered multicast" 4/9-8/9: a timestamp is made unique by the proposer's identity as suffix.
Lecture "Total Multicast", part B: timestamps are plain numbers, and equal ones are ordered by sender (`TieBySender`).
Both after K. Birman and T. Joseph, ACM TOCS 5(1), 1987. The network is reliable, without order.  Neither text says what
happens when a process fails: the sender waits for the proposals of all (`WaitForTheLiving`).

Found.  The slides' protocol keeps total order, also after a crash; but then it may never deliver, and a crash between
two announcements breaks agreement.  The lecture's tie-break leaves two messages of one sender unordered, unless
channels are FIFO: then no two of them get the same timestamp.  A network that duplicates breaks everything; it suffices
to recognize what was there before (`Recognized`).
"""

from checker.language import Bool, Int, Map, Network, Optional, Process, Record, Set, Union, const, draw
from checker.language.choice import choose, require
from checker.language.expectation import holds, violates
from checker.language.model import action, on, rule, var
from checker.language.multicast import Message, Multicast, total
from checker.models._duplicates import _Duplicated, spare
from checker.properties.agreed_timestamps import NothingEarlierArrives, OnlyBackwards
from checker.properties.multicast import Agreement, NoCreation, NoDuplication, Termination, Validity
from checker.properties.total_order import GapFreeTotalOrder, TotalOrder, UniformGapFreeTotalOrder, UniformTotalOrder


class Isis(_Duplicated):
    """The protocol of the slides: the proposer breaks ties."""

    highest = const(Multicast.processes * total, "largest timestamp")
    Time = Int(0, highest + spare)
    Stamp = Record(time=Time, by=Process)
    Held = Record(stamp=Stamp, final=Bool)
    Wire = Union(Data=Record(m=Message), Proposal=Record(m=Message, stamp=Stamp), Final=Record(m=Message, stamp=Stamp))

    agreed = var(Map[Process, Time], 0)  # A: largest agreed timestamp seen
    proposed = var(Map[Process, Time], 0)  # P: largest timestamp of its own proposals
    held = var(Map[Process, Map[Message, Optional[Held]]])  # hold-back queue
    replies = var(Map[Process, Map[Message, Int(0, Multicast.processes + spare)]], 0)  # proposals the sender has got
    largest = var(Map[Process, Map[Message, Optional[Stamp]]])  # the largest of them
    net = var(Network[Process, Wire])

    def send(self, p, m):  # 4/9: from a single sender to all destinations
        self.net.multicast(p, self.Wire.Data(m))

    @on(net, Wire.Data)
    def propose(self, p, q, m):
        """4/9: p holds m back and answers its sender q with a proposed timestamp."""
        self.hold_back(p, m)
        self.net.send(p, q, self.Wire.Proposal(m, self.Stamp(self.proposed[p], p)))

    def hold_back(self, p, m):
        """m enters the queue of p with the timestamp that p proposes."""
        self.proposed[p] = self.next_time(p)
        self.held[p][m] = self.Held(self.Stamp(self.proposed[p], p), False)

    @rule
    def next_time(self, p: Process):
        """4/9: larger than any timestamp proposed or received; lecture: P := max(A, P) + 1."""
        return max(self.agreed[p], self.proposed[p]) + 1

    @on(net, Wire.Proposal)
    def collect(self, p, q, m, stamp):
        """4/9: p, the sender of m, gets the proposal of q; after the last one it informs the destinations of the
        largest."""
        self.notice(p, stamp)
        seen = self.largest[p][m]
        best = stamp if seen is None else self.pick(seen, stamp)
        self.replies[p][m] += 1
        self.largest[p][m] = best
        if self.replies[p][m] == self.wanted():
            self.net.multicast(p, self.Wire.Final(m, best))
        if self.replies[p][m] == len(self.Process):
            self.replies[p][m] = 0
            self.largest[p][m] = None

    def notice(self, p, stamp):
        """What the sender learns for its own proposals from one it gets: nothing."""

    @rule
    def wanted(self):
        """How many proposals the sender waits for."""
        return len(self.Process)

    @rule
    def pick(self, a: Stamp, b: Stamp) -> Stamp:
        return max(a, b)

    @on(net, Wire.Final)
    def agree(self, p, q, m, stamp):
        self.finish(p, m, stamp)

    def finish(self, p, m, stamp):
        """5/9: m gets its final timestamp at p and is deliverable; lecture: A := max(A, a)."""
        self.agreed[p] = max(self.agreed[p], stamp.time)
        self.held[p][m] = self.Held(stamp, True)
        self.serve(p)

    def serve(self, p):
        """5/9: while the head of the reordered queue is deliverable, it is delivered.  If several tie for the head, any
        one goes first."""
        heads = [x for x in self.Message if self.deliverable(p, x)]
        while len(heads) > 0:
            x = choose(heads)
            self.deliver(p, x)
            self.held[p][x] = None
            heads = [y for y in self.Message if self.deliverable(p, y)]

    @rule
    def deliverable(self, p: Process, m: Message) -> bool:
        """m is final and heads the hold-back queue of p."""
        mine = self.held[p][m]
        return mine is not None and mine.final and not any(self.stands_before(p, x, m) for x in self.Message)

    @rule
    def stands_before(self, p: Process, x: Message, m: Message) -> bool:
        """x stands before m in the hold-back queue of p."""
        other, mine = self.held[p][x], self.held[p][m]
        return other is not None and mine is not None and other.stamp < mine.stamp

    picture = [draw.clock("proposed"), draw.clock("agreed")]

    properties = [
        NoDuplication,
        NoCreation,
        TotalOrder,
        UniformTotalOrder,
        GapFreeTotalOrder,
        Agreement,
        Termination,
        Validity,
    ]

    expect = [
        violates(NoDuplication, at={"workload": (1,), "duplicates": 1}, steps=6),
        violates(
            NoDuplication,
            TotalOrder,
            UniformTotalOrder,
            GapFreeTotalOrder,
            Agreement,
            Termination,
            Validity,
            at={"workload": (1, 1), "duplicates": 1},
            steps=8,
        ),
        violates(Termination, Validity, at={"workload": (1, 0), "crashes": 1}, steps=4),
        violates(Agreement, Termination, Validity, at={"workload": (1, 0, 0), "crashes": 1}, steps=6),
        holds(distinct=5_762, transitions=19_426),
        holds(at={"workload": (2, 1)}, distinct=34_489, transitions=117_612, depth=22),
        holds(at={"workload": (1, 1, 0, 0)}),
        violates(Termination, Validity, at={"workload": (1, 1), "crashes": 1}, steps=4),
        violates(Agreement, Termination, Validity, at={"workload": (1, 1, 0), "crashes": 1}, steps=6),
        holds(at={"workload": (2, 2)}, distinct=5_291_649, transitions=23_440_946, thorough=True),
        holds(at={"workload": (2, 1, 0)}, distinct=3_735_221, transitions=17_739_384, thorough=True),
        holds(at={"workload": (1, 1, 1)}, distinct=3_740_948, transitions=17_764_470, thorough=True),
        holds(at={"workload": (3, 1)}, thorough=True),
    ]


class Explained(Isis):
    """CLAIM: why it works (slides 8/9, lecture): messages only move backwards in a queue, and behind what is delivered
    nothing earlier arrives."""

    properties = [OnlyBackwards, NothingEarlierArrives]
    expect = [
        holds(),
        holds(at={"workload": (2, 1)}),
        holds(at={"workload": (1, 1, 0), "crashes": 1}),
        holds(at={"workload": (1, 1, 1)}, thorough=True),
    ]


class Recognized(Isis):
    """REPAIR for a network that duplicates: a message is held back once, a proposal of each process counted once, and
    what is delivered stays so."""

    answered = var(Map[Process, Map[Message, Set[Process]]])  # whose proposals the sender has got

    @on(Isis.net, Isis.Wire.Data)
    def propose(self, p, q, m):
        if self.held[p][m] is None and m not in self.delivered[p]:
            super().propose(p, q, m)

    @on(Isis.net, Isis.Wire.Proposal)
    def collect(self, p, q, m, stamp):
        if q not in self.answered[p][m]:
            self.answered[p][m].add(q)
            super().collect(p, q, m, stamp)

    @on(Isis.net, Isis.Wire.Final)
    def agree(self, p, q, m, stamp):
        if self.held[p][m] is not None:
            super().agree(p, q, m, stamp)

    expect = [
        holds(),
        holds(at={"workload": (1, 0), "duplicates": 2}),
        holds(at={"workload": (1, 1), "duplicates": 2}),
        holds(at={"workload": (2, 0), "duplicates": 1}),
    ]


class CountProposals(Isis):
    """READING: the slides' "received" includes the proposals that a sender gets; its own next proposal exceeds them."""

    def notice(self, p, stamp):
        self.agreed[p] = max(self.agreed[p], stamp.time)

    expect = [holds(), holds(at={"workload": (2, 1)}, distinct=163_865, transitions=549_791)]


class TieBySender(Isis):
    """READING: the lecture; equal timestamps are ordered by the senders of the messages, and nothing orders two
    messages of one sender."""

    @rule
    def stands_before(self, p, x, m):
        other, mine = self.held[p][x], self.held[p][m]
        if other is None or mine is None:
            return False
        return (other.stamp.time, self.sender(x)) < (mine.stamp.time, self.sender(m))

    expect = [
        holds(),
        violates(TotalOrder, UniformTotalOrder, GapFreeTotalOrder, at={"workload": (2, 0)}, steps=13),
        violates(TotalOrder, UniformTotalOrder, GapFreeTotalOrder, at={"workload": (2, 1)}, steps=13),
        holds(at={"workload": (2, 1), "channels": "fifo"}),
        holds(at={"workload": (2, 2), "channels": "fifo"}),
        holds(at={"workload": (2, 1, 0), "channels": "fifo"}, thorough=True),
        holds(at={"workload": (1, 1, 1)}, thorough=True),
    ]


class FromOutside(Isis):
    """READING: the group is open (lecture: "groups may be open or closed"); the first `outside` processes multicast to
    it, and are no members."""

    outside = const(1, "how many of the first processes are no members of the group")

    @rule
    def destination(self, p, m):
        return p.index >= self.outside

    def send(self, p, m):
        self.net.multicast(p, self.Wire.Data(m), to={q for q in self.Process if self.destination(q, m)})

    @rule
    def wanted(self):
        return len(self.Process) - self.outside

    def finish(self, p, m, stamp):
        if self.destination(p, m):
            super().finish(p, m, stamp)

    expect = [
        holds(at={"workload": (1, 1, 0)}),
        holds(at={"workload": (2, 0, 0)}),
        holds(at={"workload": (1, 1, 0, 0), "outside": 2}),
        holds(at={"workload": (1, 0), "crashes": 1}),
        violates(Agreement, Termination, at={"workload": (1, 0, 0), "crashes": 1}, steps=4),
    ]


class FromOutsideBySender(FromOutside):
    """READING: an open group, with ties broken by the sender, as in the lecture's example."""

    stands_before = TieBySender.stands_before

    expect = [
        holds(at={"workload": (1, 1, 0)}, distinct=924),
        holds(at={"workload": (1, 1, 0, 0), "outside": 2}),
        violates(TotalOrder, UniformTotalOrder, GapFreeTotalOrder, at={"workload": (2, 0, 0)}, steps=13),
    ]


class TieByMessage(Isis):
    """REPAIR: of the lecture's reading; equal timestamps are ordered by message identity (sender, then number)."""

    @rule
    def stands_before(self, p, x, m):
        other, mine = self.held[p][x], self.held[p][m]
        return other is not None and mine is not None and (other.stamp.time, x) < (mine.stamp.time, m)

    expect = [holds(), holds(at={"workload": (2, 1)}), holds(at={"workload": (2, 2)}, thorough=True)]


class NoTieBreak(Isis):
    """EDIT: timestamps are compared by their number alone; what ties is delivered in any order."""

    @rule
    def stands_before(self, p, x, m):
        other, mine = self.held[p][x], self.held[p][m]
        return other is not None and mine is not None and other.stamp.time < mine.stamp.time

    expect = violates(TotalOrder, UniformTotalOrder, GapFreeTotalOrder, at={"workload": (1, 1)}, steps=13)


class DeliverAnyFinal(Isis):
    """EDIT: deliver any final message, not only the head of the hold-back queue."""

    @rule
    def deliverable(self, p, m):
        mine = self.held[p][m]
        return mine is not None and mine.final

    expect = violates(TotalOrder, UniformTotalOrder, GapFreeTotalOrder, at={"workload": (1, 1)}, steps=13)


class SmallestProposal(Isis):
    """EDIT: the sender makes the smallest proposal final."""

    @rule
    def pick(self, a, b):
        return min(a, b)

    expect = violates(TotalOrder, UniformTotalOrder, GapFreeTotalOrder, at={"workload": (1, 1)}, steps=13)


class IgnoreAgreed(Isis):
    """EDIT: a proposal is larger than the proposer's earlier ones, not than the timestamps it saw agreed."""

    @rule
    def next_time(self, p):
        return self.proposed[p] + 1

    expect = violates(TotalOrder, UniformTotalOrder, GapFreeTotalOrder, at={"workload": (1, 1)}, steps=13)


class IgnoreProposed(Isis):
    """EDIT: a proposal is larger than the timestamps the proposer saw agreed, not than its own earlier ones."""

    @rule
    def next_time(self, p):
        return self.agreed[p] + 1

    expect = violates(TotalOrder, UniformTotalOrder, GapFreeTotalOrder, at={"workload": (1, 1)}, steps=13)


class OneProposalLess(Isis):
    """EDIT: the sender does not wait for the last proposal."""

    @rule
    def wanted(self):
        return len(self.Process) - 1

    expect = [
        violates(Termination, Validity, at={"workload": (1,)}, steps=3),
        violates(
            TotalOrder,
            UniformTotalOrder,
            GapFreeTotalOrder,
            Agreement,
            Termination,
            Validity,
            at={"workload": (1, 1)},
            steps=9,
        ),
        holds(at={"workload": (2, 0), "channels": "fifo"}),
    ]


class ServeOnce(Isis):
    """EDIT: after a final timestamp at most one message is delivered."""

    def serve(self, p):
        heads = [x for x in self.Message if self.deliverable(p, x)]
        if len(heads) > 0:
            x = choose(heads)
            self.deliver(p, x)
            self.held[p][x] = None

    expect = [
        violates(Termination, Validity, at={"workload": (2,)}, steps=8),
        violates(Agreement, Termination, Validity, at={"workload": (1, 1)}, steps=14),
    ]


class NothingToItself(Isis):
    """EDIT: the sender proposes and finishes on the spot instead of sending to itself: three messages less for each
    multicast."""

    def send(self, p, m):
        self.net.multicast(p, self.Wire.Data(m), to={q for q in self.Process if q != p})
        self.hold_back(p, m)
        self.count(p, m, self.Stamp(self.proposed[p], p))

    def collect(self, p, q, m, stamp):
        self.count(p, m, stamp)

    def count(self, p, m, stamp):
        """p counts a proposal, its own or another's, and after the last one finishes m."""
        seen = self.largest[p][m]
        best = stamp if seen is None else self.pick(seen, stamp)
        self.replies[p][m] += 1
        self.largest[p][m] = best
        if self.replies[p][m] == self.wanted():
            self.replies[p][m] = 0
            self.largest[p][m] = None
            self.net.multicast(p, self.Wire.Final(m, best), to={r for r in self.Process if r != p})
            self.finish(p, m, best)

    expect = [
        holds(distinct=830, transitions=2_000),
        holds(at={"processes": 1}),
        holds(at={"workload": (1, 1, 1)}, distinct=179_385, transitions=632_103),
        holds(at={"workload": (2, 2)}),
    ]


class WaitForTheLiving(Isis):
    """VARIANT: the sender waits only for those that have not crashed (perfect failure detector): a dead destination no
    longer blocks it."""

    waiting = var(Map[Process, Map[Message, Set[Process]]])  # whose proposals the sender still waits for

    def send(self, p, m):
        self.waiting[p][m] = set(self.Process)
        self.net.multicast(p, self.Wire.Data(m))

    def collect(self, p, q, m, stamp):
        if q in self.waiting[p][m]:
            seen = self.largest[p][m]
            self.largest[p][m] = stamp if seen is None else self.pick(seen, stamp)
            self.waiting[p][m].remove(q)
            if len(self.waiting[p][m]) == 0:
                self.announce(p, m)

    @action
    def give_up(self, p: Process, m: Message):
        """p learns that everybody it still waits for has crashed."""
        require(len(self.waiting[p][m]) > 0 and not any(self.live(q) for q in self.waiting[p][m]))
        self.waiting[p][m].clear()
        self.announce(p, m)

    def announce(self, p, m):
        best = self.largest[p][m]
        self.largest[p][m] = None
        self.net.multicast(p, self.Wire.Final(m, best))

    expect = [
        violates(Agreement, at={"workload": (1, 0, 0), "crashes": 1}, steps=8),
        violates(Termination, Validity, at={"workload": (1, 1), "crashes": 1}, steps=8),
        violates(Agreement, Termination, Validity, at={"workload": (1, 1, 0), "crashes": 1}, steps=10),
    ]


class DropOfTheDead(WaitForTheLiving):
    """VARIANT: and what a crashed sender left without a final timestamp is dropped: it no longer blocks the queue, but
    leaves gaps."""

    @action
    def drop(self, p: Process, m: Message):
        """p drops m, which has no final timestamp, because its sender has crashed and has nothing more in flight to
        p."""
        mine = self.held[p][m]
        require(not self.live(self.sender(m)) and mine is not None and not mine.final)
        require(len(self.net.between(self.sender(m), p)) == 0)
        self.held[p][m] = None
        self.serve(p)

    expect = [
        violates(Agreement, at={"workload": (1, 0, 0), "crashes": 1}, steps=9),
        holds(at={"workload": (1, 1), "crashes": 1}),
        holds(at={"workload": (2, 1), "crashes": 1}),
        violates(GapFreeTotalOrder, Agreement, at={"workload": (1, 1, 0), "crashes": 1}, steps=17),
    ]


class WithoutGaps(WaitForTheLiving):
    """CLAIM: total order without gaps for all processes, those that crash later included: a perfect failure detector
    does not give it."""

    properties = [UniformGapFreeTotalOrder]
    expect = violates(UniformGapFreeTotalOrder, at={"workload": (1, 1), "crashes": 1}, steps=13)


class WithoutGapsDropping(DropOfTheDead):
    """CLAIM: the same where what a dead sender left is dropped."""

    properties = [UniformGapFreeTotalOrder]
    expect = violates(UniformGapFreeTotalOrder, at={"workload": (1, 1), "crashes": 1}, steps=13)


class Gathering(Isis):
    """VARIANT: the sender takes the proposals for a message in one step, when all are there: a quorum reception, which
    needs no counter."""

    replies = None
    largest = None

    @rule
    def members(self):
        """Whose proposals the sender waits for."""
        return set(self.Process)

    @on(Isis.net, Isis.Wire.Proposal, each=members, same="m")
    def collect(self, p, senders, m, stamp):
        """4/9: p, the sender of m, gets all proposals and informs the destinations of the largest."""
        self.net.multicast(p, self.Wire.Final(m, max(stamp[q] for q in senders)))

    expect = [
        holds(distinct=1_808, transitions=4_928),
        holds(at={"workload": (2, 1)}, distinct=12_809, transitions=36_941),
        holds(at={"workload": (1, 1, 0, 0)}, distinct=16_452, transitions=58_828),
        violates(Termination, Validity, at={"workload": (1, 0), "crashes": 1}, steps=3),
        violates(Agreement, Termination, Validity, at={"workload": (1, 0, 0), "crashes": 1}, steps=4),
        violates(NoDuplication, at={"workload": (1,), "duplicates": 1}, steps=6),
        holds(at={"workload": (2, 1, 0)}, distinct=784_007, transitions=3_184_695, thorough=True),
    ]


class FirstOfTheLargest(Isis):
    """EDIT: the sender compares proposals by their number alone; of several with the largest number the first to arrive
    is final, suffix included.  It may be smaller than what another process proposed with this number: there the message
    moves forward in the queue, and what stands between may be delivered."""

    @rule
    def pick(self, a, b):
        return b if b.time > a.time else a

    expect = [
        holds(at={"workload": (1, 1)}, distinct=590),
        holds(at={"workload": (2, 1)}),
        violates(TotalOrder, UniformTotalOrder, GapFreeTotalOrder, at={"workload": (1, 1, 0)}, steps=17),
        violates(TotalOrder, UniformTotalOrder, GapFreeTotalOrder, at={"workload": (2, 0, 0)}, steps=17),
        holds(at={"workload": (2, 2)}, thorough=True),
    ]


class FirstOfTheLargestByMessage(FirstOfTheLargest):
    """REPAIR of that, if suffixes are not to be compared: equal numbers are ordered by the message everywhere."""

    stands_before = TieByMessage.stands_before

    expect = [holds(at={"workload": (1, 1, 0)}), holds(at={"workload": (2, 1)}), holds(at={"workload": (2, 0, 0)})]
