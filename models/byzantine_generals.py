"""Byzantine generals with oral messages: a round of orders, and a round of telling what one was ordered.

Source: lecture, 'Consensus: BG in Sync. Net' (N = 3 impossible, N = 4 works with one traitor), after Lamport,
Shostak, Pease, ACM TOPLAS 4(3), 1982.

    G1  the commander p1 sends its value to each lieutenant
    G2  each lieutenant sends the value it received to all its peers
    G3  a lieutenant that has N - 1 values decides for the strict majority's value, or for nothing

A traitor sends anything to anybody, different values to different peers, or nothing.  The network is
synchronous: that nothing came is noticed by time-out; here it is a message without value.  Claims: agreement
(all correct lieutenants decide the same), integrity (a correct commander's value is decided), termination.
The number of traitors is `traitors`; who they are and what the commander's value is are open initially.
"""

from checker.language import (
    Distributed,
    Ids,
    Map,
    Network,
    Optional,
    Process,
    Record,
    Set,
    Union,
    action,
    anything,
    choose,
    const,
    derived,
    draw,
    holds,
    initial,
    invariant,
    on,
    quiescent,
    require,
    rule,
    var,
    violates,
)


class ByzantineGenerals(Distributed):
    """OM(1) as in the lecture, N = 4."""

    processes = const(4, "generals: p1 is the commander")
    traitors = const(1, "how many generals may be traitors, the commander included")
    values = const(2, "number of values: 2 or 3", (2, 3))
    Value = Ids("v", derived(lambda c: ["v", "w", "u"][: c.values]))
    Told = Optional[Value]  # what a message says; None: it never came
    Wire = Union(Order=Record(told=Told), Relay=Record(told=Told))

    order = var(Value, anything)  # the value the commander starts with
    disloyal = var(Set[Process], anything)
    commanded = var(Set[Process])  # the commander, once it has sent its orders
    heard = var(
        Map[Process, Map[Process, Told]]
    )  # by lieutenant: the order, under the commander, and what the peers told
    arrived = var(Map[Process, Set[Process]])
    decided = var(Set[Process])
    decision = var(Map[Process, Told])
    net = var(Network[Process, Wire])

    @initial
    def few_traitors(self):
        require(len(self.disloyal) <= self.traitors)

    @action
    def command(self, p: Process):  # G1
        require(p == self.Process[0] and p not in self.commanded)
        self.commanded.add(p)
        for q in self.Process:
            if q != p:
                self.net.send(p, q, self.Wire.Order(choose(self.sayable(p, self.order))))

    @on(net, Wire.Order)
    def ordered(self, p, q, told):  # G2
        for r in self.Process:
            if r not in (p, q):
                self.net.send(p, r, self.Wire.Relay(choose(self.sayable(p, told))))
        self.hear(p, q, told)

    @on(net, Wire.Relay)
    def relayed(self, p, q, told):
        self.hear(p, q, told)

    @rule
    def sayable(self, p: Process, told: Told):
        """What p may say where a correct general says what it was told."""
        return set(self.Told) if p in self.disloyal else {told}

    def hear(self, p, q, told):
        if p in self.disloyal:
            return
        self.heard[p][q] = told
        self.arrived[p].add(q)
        if len(self.arrived[p]) == self.processes - 1:  # G3
            self.decided.add(p)
            self.decision[p] = self.verdict(p)
            self.emit.decide(p, self.decision[p])
            for r in self.Process:
                self.heard[p][r] = None
            self.arrived[p].clear()

    @rule
    def verdict(self, p: Process) -> Told:
        """What p decides, having heard everybody."""
        for v in self.Value:
            if 2 * sum(1 for q in self.Process if self.heard[p][q] == v) > self.processes - 1:
                return v
        return None

    @invariant
    def agreement(self):
        """All loyal generals decide for the same order."""
        return all(self.decision[p] == self.decision[q] for p in self.decided for q in self.decided)

    @invariant
    def integrity(self):
        """If the commander p1 is loyal, every loyal general decides for its order."""
        return self.Process[0] in self.disloyal or all(self.decision[p] == self.order for p in self.decided)

    @quiescent
    def termination(self):
        return all(p in self.decided or p in self.disloyal or p == self.Process[0] for p in self.Process)

    picture = [draw.badge("disloyal", "traitor"), draw.aside("arrived", "commanded")]

    expect = [
        holds(distinct=11456, transitions=36704),
        holds(at={"values": 3}, distinct=35703),
        holds(at={"processes": 5}, distinct=2138140, thorough=True),
        violates("integrity", "agreement", at={"traitors": 2}, steps=6),
    ]


class ThreeGenerals(ByzantineGenerals):
    """N = 3: a lieutenant that was told two values cannot know which of the two others lies."""

    processes = const(3, "generals: p1 is the commander")

    expect = [
        holds(at={"traitors": 0}),
        violates("integrity", steps=4),
        violates("integrity", at={"values": 3}, steps=4),
    ]


class ThreeTrustCommander(ThreeGenerals):
    """EDIT: with three generals, do as the commander said."""

    @rule
    def verdict(self, p):
        return self.heard[p][self.Process[0]]

    expect = violates("agreement", steps=5)


class ThreeTrustPeer(ThreeGenerals):
    """EDIT: with three generals, do as the other lieutenant said."""

    @rule
    def verdict(self, p):
        return self.heard[p][self.Process[3 - p.index]]

    expect = violates("integrity", "agreement", steps=4)


class ThreeByTable(ThreeGenerals):
    """READING of 'no algorithm can decide locally': any rule that looks at (ordered, told by the peer)."""

    table = const((0, 0, 1, 1), "decision for ordered, told = (v, v), (v, w), (w, v), (w, w)")

    @rule
    def sayable(self, p, told):
        return {v for v in self.Told if v is not None} if p in self.disloyal else {told}

    @rule
    def verdict(self, p):
        place = 0
        for q in self.Process:
            told = self.heard[p][q]
            if told is not None and told.index == 1:
                place += 2 if q.index == 0 else 1
        return self.Value[self.table[place]]

    expect = [violates("agreement"), violates("integrity", at={"table": (0, 0, 0, 1)})]


class ThreeSigned(ThreeGenerals):
    """REPAIR for N = 3: orders are signed; a lieutenant can only hold one back (SM(1), same paper)."""

    @rule
    def sayable(self, p, told):
        return set(self.Told) if p in self.disloyal and p.index == 0 else {told, None} if p in self.disloyal else {told}

    @rule
    def verdict(self, p):
        """The only value signed by the commander; nothing if there are two or none."""
        signed = {v for v in self.Value if any(self.heard[p][q] == v for q in self.Process)}
        return min(signed) if len(signed) == 1 else None

    expect = [holds(), holds(at={"values": 3}), holds(at={"traitors": 2})]


class OneRound(ByzantineGenerals):
    """EDIT: save the second round: do as the commander said."""

    @rule
    def verdict(self, p):
        return self.heard[p][self.Process[0]]

    expect = violates("agreement", steps=8)


class PeersOnly(ByzantineGenerals):
    """EDIT: majority of what the peers told, without the own order."""

    @rule
    def verdict(self, p):
        for v in self.Value:
            if 2 * sum(1 for q in self.Process if self.heard[p][q] == v and q.index != 0) > self.processes - 2:
                return v
        return None

    expect = violates("integrity", "agreement", steps=6)


class FirstOnTie(ByzantineGenerals):
    """EDIT: without a majority decide for the first value instead of for nothing."""

    @rule
    def verdict(self, p):
        for v in self.Value:
            if 2 * sum(1 for q in self.Process if self.heard[p][q] == v) > self.processes - 1:
                return v
        return self.Value[0]

    expect = [holds(), holds(at={"values": 3})]


class OwnOnTie(ByzantineGenerals):
    """EDIT: without a majority do as the commander said."""

    @rule
    def verdict(self, p):
        for v in self.Value:
            if 2 * sum(1 for q in self.Process if self.heard[p][q] == v) > self.processes - 1:
                return v
        return self.heard[p][self.Process[0]]

    expect = violates("agreement", steps=8)


class HalfIsEnough(ByzantineGenerals):
    """EDIT: half of the values is enough for a majority (>= instead of >)."""

    @rule
    def verdict(self, p):
        for v in self.Value:
            if 2 * sum(1 for q in self.Process if self.heard[p][q] == v) >= self.processes - 1:
                return v
        return None

    expect = [holds(), violates("integrity", at={"processes": 3})]


class DecideEarly(ByzantineGenerals):
    """EDIT: decide as soon as two values agree."""

    def hear(self, p, q, told):
        if p in self.disloyal or p in self.decided:
            return
        self.heard[p][q] = told
        self.arrived[p].add(q)
        for v in self.Value:
            if sum(1 for r in self.Process if self.heard[p][r] == v) == 2 and p not in self.decided:
                self.decided.add(p)
                self.decision[p] = v
                self.emit.decide(p, v)
        if len(self.arrived[p]) == self.processes - 1:
            self.decided.add(p)

    expect = [holds(), holds(at={"values": 3}), violates("agreement", at={"processes": 5}, steps=7, thorough=True)]
