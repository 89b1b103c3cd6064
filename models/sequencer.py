"""Total order by a sequencer: one process numbers the messages, everybody delivers in the order of the numbers.

Rule of the lecture ("Total Multicast", part A, the code of both roles, numbered here).  The first number announced is
0, and nobody ever waits for 0.

    M1  member, initially r := 0                             S1  sequencer, initially s := 0
    M2  p TO-multicasts m: B-multicast(g + {sequencer}, m)   S2  on B-deliver(m): B-multicast(g, <"order", m, s>)
    M3  on B-deliver(m): m to the hold-back queue            S3      s := s + 1
    M4  on B-deliver(<"order", m, S>): wait until m in hold-back queue and S = r + 1
    M5      TO-deliver m, after deleting it from the hold-back queue
    M6      r := S

Rule of the slides ("Totally ordered multicast" 2/9): messages go to the sequencer alone, which numbers and forwards
them: `ViaSequencer`.

Here the sequencer is p1, itself a member of the group.  The network is reliable, without order.  A message whose
announcement waits is a blocked handler; it is taken up in the same step in which its wait ends.

Found.  As printed, the first message is never delivered, and that is all: the rest is delivered in one order.
`StartAtMinusOne` and `CountFirst` each repair it. Not only the sequencer is a single point of failure: a sender that
crashes while it multicasts leaves a number that some wait for in vain.  With `ViaSequencer`, where the sequencer
forwards the message, it is the only one.
"""

from checker.language import Int, Map, Network, Optional, Process, Record, Seq, Set, Union, require
from checker.language.expectation import holds, violates
from checker.language.model import action, on, quiescent, rule, var
from checker.language.multicast import Message, total
from checker.models._duplicates import _Duplicated, spare
from checker.properties.multicast import Agreement, NoCreation, NoDuplication, Termination, UniformAgreement, Validity
from checker.properties.total_order import GapFreeTotalOrder, TotalOrder, UniformGapFreeTotalOrder, UniformTotalOrder

TWICE = [NoDuplication, Termination]  # what a message that is numbered twice breaks
UNLIKE = [Agreement, UniformAgreement]
LOST = [Agreement, UniformAgreement, Termination, Validity, "others_may_fail"]  # a number that some wait for in vain


class Sequencer(_Duplicated):
    """The lecture's algorithm as printed: r = 0 and s = 0."""

    Number = Int(-1, total + spare)
    Wire = Union(Data=Record(m=Message), Order=Record(m=Message, number=Number))

    r = var(Map[Process, Number], 0)  # M1: number of the message delivered last
    s = var(Map[Process, Number], 0)  # S1: next number; only the sequencer uses it
    held = var(Map[Process, Set[Message]])  # hold-back queue
    order = var(Map[Process, Map[Message, Optional[Number]]])  # announced numbers that wait
    net = var(Network[Process, Wire])

    @rule
    def sequencer(self) -> Process:
        return self.Process[0]

    def send(self, p, m):  # M2
        self.net.multicast(p, self.Wire.Data(m))

    @on(net, Wire.Data)
    def receive(self, p, q, m):
        self.held[p].add(m)  # M3
        if p == self.sequencer():
            self.announce(p, m)
        self.serve(p)

    def announce(self, p, m):
        """The sequencer numbers m."""
        self.tell(p, m, self.s[p])  # S2
        self.s[p] += 1  # S3

    def tell(self, p, m, number):
        """The sequencer announces the number of m."""
        self.net.multicast(p, self.Wire.Order(m, number))

    @on(net, Wire.Order)
    def numbered(self, p, q, m, number):
        self.order[p][m] = number
        self.serve(p)

    def serve(self, p):
        """Delivers what p no longer has to wait for."""
        ready = [m for m in self.Message if self.deliverable(p, m)]
        while len(ready) > 0:
            m = ready[0]
            self.deliver(p, m)  # M5
            self.r[p] = self.order[p][m]  # M6
            self.order[p][m] = None
            self.held[p].discard(m)
            ready = [x for x in self.Message if self.deliverable(p, x)]

    @rule
    def deliverable(self, p: Process, m: Message) -> bool:
        """M4: p has m and its number, and the number is due."""
        number = self.order[p][m]
        return number is not None and m in self.held[p] and self.due(p, number)

    @rule
    def due(self, p: Process, number: Number) -> bool:
        return number == self.r[p] + 1

    @quiescent
    def others_may_fail(self) -> bool:
        """While the sequencer lives, what correct processes multicast is delivered by all correct processes."""
        return not self.live(self.sequencer()) or all(
            m in self.delivered[p]
            for m in self.Message
            if self.was_multicast(m) and self.live(self.sender(m))
            for p in self.Process
            if self.live(p) and self.destination(p, m)
        )

    properties = [
        NoDuplication,
        NoCreation,
        TotalOrder,
        UniformTotalOrder,
        GapFreeTotalOrder,
        UniformGapFreeTotalOrder,
        Agreement,
        UniformAgreement,
        Termination,
        Validity,
    ]

    expect = [
        violates(Termination, Validity, "others_may_fail", at={"workload": (1,)}, steps=3),
        violates(Termination, Validity, "others_may_fail", steps=14, distinct=2_393, transitions=11_706),
        violates(*LOST, at={"workload": (1, 1, 0), "crashes": 1}, steps=4),
        violates(
            Termination,
            Validity,
            "others_may_fail",
            at={"workload": (2, 2)},
            steps=20,
            distinct=134_625,
            transitions=802_932,
        ),
        violates(
            Termination,
            Validity,
            "others_may_fail",
            at={"workload": (1, 1, 1)},
            steps=21,
            distinct=229_853,
            transitions=1_698_771,
            thorough=True,
        ),
    ]


class StartAtMinusOne(Sequencer):
    """REPAIR: r starts at -1, so that the first number, 0, is waited for."""

    r = var(Map[Process, Sequencer.Number], -1)

    expect = [
        violates(Termination, Validity, at={"workload": (0, 1), "crashes": 1}, steps=3),
        violates(Agreement, UniformAgreement, at={"workload": (1, 0, 0), "crashes": 1}, steps=5),
        holds(distinct=2_393, transitions=11_706),
        violates(NoDuplication, at={"workload": (1,), "duplicates": 1}, steps=6),
        violates(*TWICE, Validity, at={"workload": (2,), "duplicates": 1}, only=[*TWICE, Validity], steps=6),
        violates(
            *TWICE,
            Agreement,
            UniformAgreement,
            at={"workload": (1, 0), "duplicates": 1},
            only=[*TWICE, Agreement, UniformAgreement],
            steps=6,
        ),
        violates(*LOST, at={"workload": (1, 1, 0), "crashes": 1}, steps=4),
        holds(at={"workload": (2, 2)}),
        holds(at={"workload": (2, 1, 0)}, thorough=True),
    ]


class OneThread(StartAtMinusOne):
    """READING: a member whose handler waits (M4) takes up nothing else meanwhile, not even what it waits for."""

    @on(Sequencer.net, Sequencer.Wire.Data)
    def receive(self, p, q, m):
        require(self.waits_for_nothing(p))
        super().receive(p, q, m)

    @on(Sequencer.net, Sequencer.Wire.Order)
    def numbered(self, p, q, m, number):
        require(self.waits_for_nothing(p))
        super().numbered(p, q, m, number)

    @rule
    def waits_for_nothing(self, p: Process) -> bool:
        return all(self.order[p][m] is None for m in self.Message)

    expect = [
        violates(Termination, Validity, "others_may_fail", at={"workload": (2,)}),
        violates(Agreement, UniformAgreement, Termination, "others_may_fail", at={"workload": (1, 0)}, steps=4),
        violates(*LOST, at={"workload": (0, 1), "channels": "fifo"}, steps=4),
        holds(
            at={"workload": (1, 1)},
            only=[TotalOrder, UniformTotalOrder, GapFreeTotalOrder, UniformGapFreeTotalOrder],
            distinct=169,
        ),
    ]


class EachNumberWaits(StartAtMinusOne):
    """READING of M4 where the network duplicates: a member that hears two numbers of one message keeps both, each in a
    handler of its own, where the classes above keep the one that came last."""

    order = var(Map[Process, Map[Message, Set[Sequencer.Number]]])

    @on(Sequencer.net, Sequencer.Wire.Order)
    def numbered(self, p, q, m, number):
        self.order[p][m].add(number)
        self.serve(p)

    def serve(self, p):
        ready = [m for m in self.Message if self.deliverable(p, m)]
        while len(ready) > 0:
            m = ready[0]
            self.deliver(p, m)
            self.r[p] = min(number for number in self.order[p][m] if self.due(p, number))
            self.order[p][m].remove(self.r[p])
            self.held[p].discard(m)
            ready = [x for x in self.Message if self.deliverable(p, x)]

    @rule
    def deliverable(self, p, m):
        return m in self.held[p] and any(self.due(p, number) for number in self.order[p][m])

    expect = [
        holds(distinct=2_393, transitions=11_706),
        violates(NoDuplication, at={"workload": (1,), "duplicates": 1}, steps=6),
        violates(*TWICE, Validity, at={"workload": (2,), "duplicates": 1}, only=[*TWICE, Validity], steps=6),
        violates(NoDuplication, at={"workload": (1, 0), "duplicates": 1}, only=[NoDuplication, *UNLIKE]),
        violates(*UNLIKE, at={"workload": (1, 1), "duplicates": 1}, only=UNLIKE, steps=14),
    ]


class ViaSequencer(Sequencer):
    """READING: the slides; messages go to the sequencer alone, which delivers them as it numbers them and forwards them
    to all others."""

    r = var(Map[Process, Sequencer.Number], -1)

    def send(self, p, m):
        self.net.send(p, self.sequencer(), self.Wire.Data(m))

    def tell(self, p, m, number):
        self.order[p][m] = number
        self.net.multicast(p, self.Wire.Order(m, number), to=self.others(p, m))

    @rule
    def others(self, p: Process, m: Message) -> Set[Process]:
        """Whom the sequencer p forwards m to."""
        return {q for q in self.Process if q != p}

    @rule
    def deliverable(self, p, m):
        number = self.order[p][m]
        return number is not None and self.due(p, number)

    expect = [
        violates(Termination, Validity, at={"workload": (0, 1), "crashes": 1}, steps=2),
        violates(Agreement, UniformAgreement, at={"workload": (1, 0, 0), "crashes": 1}, steps=3),
        holds(distinct=52, transitions=104),
        violates(NoDuplication, at={"workload": (1,), "duplicates": 1}, steps=4),
        violates(NoDuplication, *LOST, at={"workload": (1, 1), "duplicates": 1}, steps=4),
        violates(Agreement, UniformAgreement, Termination, Validity, at={"workload": (1, 1, 0), "crashes": 1}, steps=2),
        violates(Agreement, UniformAgreement, Termination, Validity, at={"workload": (1, 1, 1), "crashes": 2}, steps=3),
        holds(at={"workload": (1, 1, 1)}, distinct=632, transitions=1_896),
        holds(at={"workload": (2, 2)}),
    ]


class EachNumberInTheQueue(ViaSequencer):
    """READING of the slides where the network duplicates: the hold-back queue has a message once for each number it has
    got."""

    order = var(Map[Process, Map[Message, Set[Sequencer.Number]]])

    def tell(self, p, m, number):
        self.order[p][m].add(number)
        self.net.multicast(p, self.Wire.Order(m, number), to=self.others(p, m))

    numbered, serve = EachNumberWaits.numbered, EachNumberWaits.serve

    @rule
    def deliverable(self, p, m):
        return any(self.due(p, number) for number in self.order[p][m])

    expect = [
        holds(distinct=52, transitions=104),
        violates(NoDuplication, at={"workload": (1,), "duplicates": 1}, steps=4),
        violates(NoDuplication, at={"workload": (2, 1), "duplicates": 2}, only=[*TWICE, TotalOrder, *UNLIKE], steps=4),
    ]


class Recognized(ViaSequencer):
    """REPAIR for a network that duplicates: the sequencer numbers a message once, and nobody takes a number that was
    used."""

    @on(ViaSequencer.net, ViaSequencer.Wire.Data)
    def receive(self, p, q, m):
        if m not in self.delivered[p]:
            super().receive(p, q, m)

    @on(ViaSequencer.net, ViaSequencer.Wire.Order)
    def numbered(self, p, q, m, number):
        if m not in self.delivered[p]:
            super().numbered(p, q, m, number)

    expect = [
        holds(),
        holds(at={"workload": (1, 1), "duplicates": 2}),
        holds(at={"workload": (2, 1), "duplicates": 2}),
        holds(at={"workload": (1, 1, 0), "duplicates": 2}),
    ]


class NotToTheSender(ViaSequencer):
    """READING: "all other destinations" leaves out the sender of the message, which never learns its number."""

    @rule
    def others(self, p, m):
        return {q for q in self.Process if q != p and q != self.sender(m)}

    expect = [violates(*LOST, at={"workload": (0, 1)}, steps=2), violates(*LOST, steps=7)]


class OutsideTheGroup(StartAtMinusOne):
    """READING: the sequencer p1 is no member of the group; it numbers, but delivers nothing."""

    @rule
    def destination(self, p, m):
        return p != self.sequencer()

    def receive(self, p, q, m):
        if p == self.sequencer():
            self.announce(p, m)
        else:
            self.held[p].add(m)
            self.serve(p)

    def tell(self, p, m, number):
        self.net.multicast(p, self.Wire.Order(m, number), to={q for q in self.Process if q != p})

    expect = [
        violates(Termination, Validity, at={"workload": (0, 1), "crashes": 1}, steps=3),
        violates(Agreement, UniformAgreement, at={"workload": (1, 0, 0), "crashes": 1}, steps=5),
        holds(),
        holds(at={"workload": (0, 1, 1)}),
        violates(*LOST, at={"workload": (0, 1, 1), "crashes": 1}, steps=7),
    ]


class AskSequencer(ViaSequencer):
    """VARIANT: the slides; who sees a gap in the numbers obtains the missing message from the sequencer (here in one
    step, without loss).

    A message lost on its way to the sequencer, or the last one lost on its way from it, leaves no gap.
    """

    numbered_so_far = var(Seq[Message, total + spare])  # what the sequencer keeps, in the order of the numbers

    def tell(self, p, m, number):
        self.order[p][m] = number
        self.numbered_so_far.append(m)
        self.net.multicast(p, self.Wire.Order(m, number), to={q for q in self.Process if q != p})

    @action
    def obtain(self, p: Process):
        """p has a number beyond the next one, but not the next one."""
        require(self.live(self.sequencer()))
        missing = self.r[p] + 1
        numbers = [self.order[p][m] for m in self.Message if self.order[p][m] is not None]
        require(missing not in numbers and any(number > missing for number in numbers))
        self.order[p][self.numbered_so_far[missing]] = missing
        self.serve(p)

    expect = [
        violates(Termination, Validity, "others_may_fail", at={"workload": (1,), "losses": 1}, steps=2),
        violates(*LOST, at={"workload": (1, 0), "losses": 1}, steps=2),
        violates(*LOST, at={"workload": (0, 1, 1), "losses": 1}, steps=6),
        violates(*LOST, at={"workload": (2, 1), "losses": 1}, steps=8),
        violates(*LOST, at={"workload": (1, 1, 1), "losses": 1}, steps=10),
    ]


class AskToTheEnd(AskSequencer):
    """REPAIR: the sequencer tells how far the numbers go, and a sender repeats what was lost on its way to the
    sequencer (here without loss, or only once lost)."""

    @action
    def obtain(self, p):
        require(self.live(self.sequencer()))
        missing = self.r[p] + 1
        require(missing < len(self.numbered_so_far) and all(self.order[p][m] != missing for m in self.Message))
        self.order[p][self.numbered_so_far[missing]] = missing
        self.serve(p)

    @action
    def repeat(self, p: Process, m: Message):
        """p multicasts m once more: the sequencer has not numbered it."""
        require(self.sender(m) == p and self.was_multicast(m) and m not in self.numbered_so_far)
        require(self.live(self.sequencer()) and self.Wire.Data(m) not in self.net.between(p, self.sequencer()))
        self.send(p, m)

    expect = [
        holds(at={"workload": (1,), "losses": 1}),
        holds(at={"workload": (0, 1, 1), "losses": 1}),
        holds(at={"workload": (2, 1), "losses": 2}),
        holds(at={"workload": (1, 1, 1), "losses": 2}),
        holds(at={"workload": (2, 1, 0), "losses": 2}),
    ]


class CountFirst(Sequencer):
    """EDIT: the sequencer adds 1 to s before it announces s."""

    def announce(self, p, m):
        self.s[p] += 1
        self.tell(p, m, self.s[p])

    expect = [holds(), holds(at={"workload": (2, 2)})]


class AnyLaterNumber(StartAtMinusOne):
    """EDIT: deliver when the number is larger than r, not only when it is the next one."""

    @rule
    def due(self, p, number):
        return number > self.r[p]

    expect = [
        violates(Termination, Validity, "others_may_fail", at={"workload": (2,)}, steps=6),
        violates(GapFreeTotalOrder, UniformGapFreeTotalOrder, *LOST, at={"workload": (2, 0)}, steps=8),
        violates(GapFreeTotalOrder, UniformGapFreeTotalOrder, *LOST, steps=8),
    ]


class NoWaitForTurn(StartAtMinusOne):
    """EDIT: deliver as soon as the message and its number are there."""

    @rule
    def due(self, p, number):
        return True

    expect = [
        violates(
            TotalOrder, UniformTotalOrder, GapFreeTotalOrder, UniformGapFreeTotalOrder, at={"workload": (2, 0)}, steps=8
        ),
        violates(TotalOrder, UniformTotalOrder, GapFreeTotalOrder, UniformGapFreeTotalOrder, steps=8),
    ]


class CheckOnOrderOnly(StartAtMinusOne):
    """EDIT: the hold-back queue is looked through when a number arrives, not when a message does."""

    def receive(self, p, q, m):
        self.held[p].add(m)
        if p == self.sequencer():
            self.announce(p, m)

    expect = [
        violates(Agreement, UniformAgreement, Termination, "others_may_fail", at={"workload": (1, 0)}, steps=5),
        violates(*LOST, at={"workload": (0, 1)}, steps=5),
        violates(*LOST, steps=14),
    ]


class OwnAtOnce(StartAtMinusOne):
    """EDIT: the sender delivers its own message when it multicasts it."""

    def send(self, p, m):
        self.net.multicast(p, self.Wire.Data(m))
        self.deliver(p, m)

    def serve(self, p):
        ready = [m for m in self.Message if self.deliverable(p, m)]
        while len(ready) > 0:
            m = ready[0]
            if self.sender(m) != p:
                self.deliver(p, m)
            self.r[p] = self.order[p][m]
            self.order[p][m] = None
            self.held[p].discard(m)
            ready = [x for x in self.Message if self.deliverable(p, x)]

    expect = [
        violates(
            TotalOrder, UniformTotalOrder, GapFreeTotalOrder, UniformGapFreeTotalOrder, at={"workload": (2, 0)}, steps=5
        ),
        violates(TotalOrder, UniformTotalOrder, GapFreeTotalOrder, UniformGapFreeTotalOrder, steps=4),
    ]


class NoOrderToItself(StartAtMinusOne):
    """EDIT: the sequencer does not send its announcement to itself but notes the number at once: one message less."""

    tell, others = ViaSequencer.tell, ViaSequencer.others

    expect = [
        violates(Termination, Validity, at={"workload": (0, 1), "crashes": 1}, steps=3),
        violates(Agreement, UniformAgreement, at={"workload": (1, 0, 0), "crashes": 1}, steps=5),
        holds(),
        holds(at={"workload": (1, 1, 1)}),
        violates(*LOST, at={"workload": (1, 1, 0), "crashes": 1}, steps=4),
    ]
