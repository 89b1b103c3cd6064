"""Byzantine generals with oral messages and two traitors: OM(2), the recursive algorithm with one more round.

Rule: the commander p1 sends its value to each lieutenant. Each lieutenant then acts as the commander of OM(1) among the
other lieutenants, to tell them what it was told: they tell each other what it said, and each takes the strict majority
of these as what it said. In the end a lieutenant decides for the strict majority of what it was told itself and of what
the others were told, as it has settled it. No majority, or no message, counts as False (retreat).

Source: Lamport, Shostak, Pease, "The Byzantine generals problem", ACM TOPLAS 4(3), 1982, algorithm OM(m); the lecture
has OM(1) and N > 3 f as the general result.

Below: rounds are synchronous and what a traitor says to one general is independent of what it says to another, so that
nothing depends on the order in which the speakers and, for each speaker, the listeners are treated: one order is
enough. Of what the traitors tell a listener about a speaker only the number of True counts. What a speaker said is
forgotten when all have heard it. By symmetry among lieutenants the disloyal ones are the last (`symmetric`); all sets
give the same verdicts.

Found. Seven generals agree with two traitors, for every behaviour of every two; six do not, nor seven with three. With
a single traitor five are needed, where OM(1) does with four: the round more makes three lieutenants play OM(1) among
themselves.
"""

from __future__ import annotations

from checker.language import (
    Bool,
    Ids,
    Int,
    Map,
    Model,
    Optional,
    Set,
    action,
    anything,
    choose,
    const,
    derived,
    draw,
    holds,
    initial,
    invariant,
    quiescent,
    require,
    rule,
    var,
    violates,
)


class OralMessages2(Model):
    """OM(2)."""

    processes = const(7, "generals: p1 is the commander")
    traitors = const(2, "how many generals may be traitors, the commander included")
    symmetric = const(True, "only the last lieutenants are disloyal")

    Process = Ids("p", processes)
    Place = Int(0, processes)
    Lies = Int(0, traitors)

    order = var(Bool, anything)  # the value the commander starts with
    disloyal = var(Set[Process], anything)
    speaker = var(Place, 0)  # who speaks: first the commander
    listener = var(Place, 0)  # who hears it next; 0: it has not spoken yet
    told = var(Map[Process, Bool], False)  # what the commander told each lieutenant
    said = var(Map[Process, Bool], False)  # what the speaker told each other lieutenant
    # how many others were told True, as settled by each lieutenant
    votes = var(Map[Process, Int(0, derived(lambda c: c.processes - 1))], 0)
    decision = var(Map[Process, Optional[Bool]])
    outcome = ("disloyal", "order", "decision")

    @initial
    def few_traitors(self):
        require(len(self.disloyal) <= self.traitors)
        require(
            not self.symmetric
            or all(q in self.disloyal for p in self.disloyal for q in self.Process if self.lieutenant(p) and q > p)
        )

    @rule
    def lieutenant(self, p: Process) -> bool:
        """Everybody but p1."""
        return p != self.Process[0]

    @action
    def command(self, p: Process):
        """The commander sends its value; a traitor anything to anybody."""
        require(self.speaker == 0 and self.listener == 0 and not self.lieutenant(p))
        for q in self.Process:
            if self.lieutenant(q):
                self.told[q] = choose(self.sayable(p, self.order))
        self.speaker = 1

    @rule
    def sayable(self, p: Process, truth: Bool) -> Set[Bool]:
        """What p may say where a loyal general says the truth."""
        return {False, True} if p in self.disloyal else {truth}

    @action
    def speak(self, p: Process):
        """OM(1): lieutenant p tells the others what it was told."""
        require(self.speaker == p.index and self.lieutenant(p) and self.listener == 0)
        for q in self.Process:
            if self.lieutenant(q) and q != p:
                self.said[q] = choose(self.sayable(p, self.told[p]))
        self.listener = 1

    @action
    def listen(self, q: Process):
        """OM(0): the others tell q what the speaker said to them, and q settles what it was."""
        require(self.listener == q.index and self.lieutenant(q))
        p = self.Process[self.speaker]
        if q != p and q not in self.disloyal:
            lies = choose(self.Lies)  # how many of the traitors say True
            require(
                lies <= sum(1 for r in self.Process if r in self.disloyal and self.lieutenant(r) and r not in (p, q))
            )
            loyal = sum(
                1 for r in self.Process if self.lieutenant(r) and r != p and r not in self.disloyal and self.said[r]
            )
            if self.majority(loyal + lies, self.processes - 2):
                self.votes[q] += 1
        self.listener += 1
        if self.listener == self.processes:
            self.listener = 0
            self.speaker += 1
            for r in self.Process:
                self.said[r] = False

    @rule
    def majority(self, yes: Place, all: Place) -> bool:
        """More than half of the values are True."""
        return 2 * yes > all

    @action
    def decide(self, p: Process):
        """The end: the majority of what q was told and of what the others were told."""
        require(self.speaker == self.processes and not self.lieutenant(p))
        for q in self.Process:
            if self.lieutenant(q) and q not in self.disloyal:
                self.decision[q] = self.verdict(q)
        for q in self.Process:
            self.votes[q] = 0
            self.told[q] = False
        self.speaker = 0
        self.listener = self.processes

    @rule
    def verdict(self, q: Process) -> bool:
        """What q decides."""
        return self.majority(self.votes[q] + (1 if self.told[q] else 0), self.processes - 1)

    @invariant
    def agreement(self):
        return all(
            self.decision[p] == self.decision[q]
            for p in self.Process
            for q in self.Process
            if self.decision[p] is not None and self.decision[q] is not None
        )

    @invariant
    def integrity(self):
        return self.Process[0] in self.disloyal or all(
            self.decision[p] is None or self.decision[p] == self.order for p in self.Process
        )

    @quiescent
    def termination(self):
        return all(self.decision[p] is not None for p in self.Process if self.lieutenant(p) and p not in self.disloyal)

    picture = [
        draw.badge("disloyal", "traitor"),
        draw.step("command", "give the order"),
        draw.step("speak", "tell the others"),
        draw.step("listen", "settle what {Process[before.speaker]} was told: {votes[q]} for true"),
        draw.step("decide", "all decide"),
        draw.aside("speaker", "listener", "votes"),
    ]

    expect = [
        holds(distinct=47_982),
        holds(at={"symmetric": False}, distinct=377_398),
        violates("agreement", "integrity", at={"processes": 6}),
        violates("agreement", "integrity", at={"traitors": 3}),
        holds(at={"processes": 5, "traitors": 1}),
        violates("agreement", "integrity", at={"processes": 4, "traitors": 1}),
    ]


class OneRoundLess(OralMessages2):
    """EDIT: believe what a lieutenant says it was told, without asking the others: OM(1)."""

    def listen(self, q):
        require(self.listener == q.index and self.lieutenant(q))
        p = self.Process[self.speaker]
        if q != p and q not in self.disloyal and self.said[q]:
            self.votes[q] += 1
        self.listener += 1
        if self.listener == self.processes:
            self.listener = 0
            self.speaker += 1
            for r in self.Process:
                self.said[r] = False

    expect = [violates("agreement"), holds(at={"traitors": 1})]
