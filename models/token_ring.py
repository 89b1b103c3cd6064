"""Total order by a token: who holds the token numbers its messages, everybody delivers in the order of the numbers.

Source: slides, "Totally ordered multicast" 1/9: "use a centralised sequencer or token". No protocol is printed. The
most literal reading is the rule of 2/9 with a token in the place of the sequencer:

    T1  the token carries the next number, 0 at first; p1 has it
    T2  p multicasts m: m waits at p until p has the token
    T3  p gets the token: for each m that waits at p: B-multicast(g, <m, number>), and the number grows by one
    T4  p hands the token to the next process of the ring
    T5  on <m, number>: m is held back until all smaller numbers are delivered

So that runs end, the token moves only while a message waits somewhere. A number that has been delivered, or is held
already, is not taken again. A process that gets a second token keeps the one that came last.

Found.  Without faults everything holds, FIFO and causal order included. Every process is a single point of failure in
its turn: the slides say so of the sequencer alone. A lost token, too, stops everything, and no gap shows it. A token
that the network duplicates gives two messages one number: two messages of one process lose FIFO order and agreement
(`Recognized`: the token counts its moves, and an old one is thrown away).
"""

from checker.language import (
    Int,
    Map,
    Network,
    Optional,
    Process,
    Record,
    Set,
    Union,
    const,
    derived,
    quiescent,
    require,
)
from checker.language.expectation import holds, violates
from checker.language.model import action, on, rule, var
from checker.language.multicast import Message, Multicast, total
from checker.properties.multicast import (
    Agreement,
    CausalOrder,
    FifoOrder,
    NoCreation,
    NoDuplication,
    Termination,
    UniformAgreement,
    Validity,
)
from checker.properties.total_order import GapFreeTotalOrder, TotalOrder, UniformGapFreeTotalOrder, UniformTotalOrder

LOST = [Agreement, UniformAgreement, Termination, Validity, "others_may_fail"]  # a number or the token is missing
ORDER = [TotalOrder, UniformTotalOrder, GapFreeTotalOrder, UniformGapFreeTotalOrder]


class TokenRing(Multicast):
    """The token in the place of the sequencer."""

    workload = const((2, 1, 0), "how many messages each process multicasts")

    Number = Int(0, total)
    Moves = Int(0, derived(lambda c: c.processes * (sum(c.workload) + 1) * (1 + c.duplicates)))
    Wire = Union(Data=Record(m=Message, number=Number), Token=Record(next=Number, moves=Moves))

    waiting = var(Map[Process, Set[Message]])  # T2
    token = var(Map[Process, Optional[Number]])
    started = var(bool)  # p1 has had the token
    delivered_below = var(Map[Process, Number], 0)  # all smaller numbers are delivered
    held = var(Map[Process, Map[Message, Optional[Number]]])
    moves = var(Map[Process, Moves], 0)  # of the token that a process had last; counted by Recognized only
    net = var(Network[Process, Wire])

    @rule
    def has_token(self, p: Process) -> bool:
        """T1: p holds the token."""
        return self.token[p] is not None or (not self.started and p == self.Process[0])

    @rule
    def next_of(self, p: Process) -> Process:
        """The next process of the ring."""
        return self.Process[(p.index + 1) % len(self.Process)]

    @rule
    def value(self, p: Process) -> Number:
        """The number that p's token carries."""
        number = self.token[p]
        return 0 if number is None else number

    @rule
    def first_waiting(self, p: Process) -> Message:
        """Which message p numbers next: in the order in which it multicast them."""
        return min(self.waiting[p])

    def send(self, p, m):  # T2
        self.waiting[p].add(m)
        if self.has_token(p):
            self.number_all(p)

    def number_all(self, p):
        """T3."""
        self.started = True
        number = self.value(p)
        while len(self.waiting[p]) > 0:
            m = self.first_waiting(p)
            self.waiting[p].remove(m)
            self.net.multicast(p, self.Wire.Data(m, number))
            number += 1
        self.token[p] = number

    @action
    def pass_on(self, p: Process) -> None:
        """T4."""
        require(self.has_token(p) and any(len(self.waiting[q]) > 0 for q in self.Process))
        self.started = True
        self.net.send(p, self.next_of(p), self.Wire.Token(self.value(p), self.moves_after(p)))
        self.token[p] = None

    @rule
    def moves_after(self, p: Process) -> Moves:
        """What the token that p hands on says of its moves."""
        return 0

    @rule
    def taken(self, p: Process, moves: Moves) -> bool:
        """p accepts a token with so many moves."""
        return True

    @on(net, Wire.Token)
    def get(self, p, q, next, moves):
        if self.taken(p, moves):
            self.moves[p] = moves
            self.token[p] = next
            self.number_all(p)

    @on(net, Wire.Data)
    def receive(self, p, q, m, number):  # T5
        known = any(self.held[p][x] == number for x in self.Message)
        if number >= self.delivered_below[p] and not known:
            self.held[p][m] = number
            self.serve(p)

    def serve(self, p):
        """Delivers what p no longer has to wait for."""
        due = [m for m in self.Message if self.held[p][m] == self.delivered_below[p]]
        while len(due) > 0:
            m = due[0]
            self.deliver(p, m)
            self.held[p][m] = None
            self.delivered_below[p] += 1
            due = [x for x in self.Message if self.held[p][x] == self.delivered_below[p]]

    @quiescent
    def others_may_fail(self) -> bool:
        """As with p1 for a sequencer: while p1 lives, what correct processes multicast is delivered by all correct
        processes."""
        return not self.live(self.Process[0]) or all(
            m in self.delivered[p]
            for m in self.Message
            if self.was_multicast(m) and self.live(self.sender(m))
            for p in self.Process
            if self.live(p)
        )

    properties = [
        NoDuplication,
        NoCreation,
        FifoOrder,
        CausalOrder,
        *ORDER,
        Agreement,
        UniformAgreement,
        Termination,
        Validity,
    ]

    expect = [
        holds(distinct=4_009),
        holds(at={"workload": (2, 2)}),
        holds(at={"workload": (1, 1, 1)}, only=[*ORDER, CausalOrder, *LOST]),
        violates(Termination, Validity, at={"workload": (0, 1), "crashes": 1}, only=[Termination, Validity], steps=2),
        violates(*LOST, at={"workload": (0, 0, 1), "crashes": 1}, only=LOST, steps=2),
        violates(*LOST[2:], at={"workload": (1,), "losses": 1}, only=LOST[2:], steps=2),
        violates(*LOST, at={"workload": (0, 1), "losses": 1}, only=LOST, steps=3),
        violates(FifoOrder, *LOST, at={"workload": (0, 2), "duplicates": 1}, only=[FifoOrder, *LOST], steps=7),
        violates(CausalOrder, *LOST, at={"workload": (1, 1), "duplicates": 1}, only=[CausalOrder, *LOST], steps=10),
    ]


class Recognized(TokenRing):
    """REPAIR for a network that duplicates: the token counts its moves, and a process throws an old one away."""

    @rule
    def moves_after(self, p):
        return self.moves[p] + 1

    @rule
    def taken(self, p, moves):
        return moves > self.moves[p]

    expect = [
        holds(at={"workload": (1, 1), "duplicates": 2}, only=[*ORDER, CausalOrder, *LOST]),
        holds(at={"workload": (2, 1), "duplicates": 1}),
        holds(at={"workload": (1, 1, 0), "duplicates": 1}, only=[*ORDER, CausalOrder, *LOST]),
    ]


class AnyOrder(TokenRing):
    """EDIT: a process numbers its messages in another order than it has multicast them."""

    @rule
    def first_waiting(self, p):
        return max(self.waiting[p])

    expect = [
        holds(at={"workload": (1, 1)}, only=[*ORDER, CausalOrder]),
        violates(FifoOrder, CausalOrder, at={"workload": (0, 2)}, only=[FifoOrder, CausalOrder]),
    ]
