"""Two-phase commit: a coordinator asks, participants vote, and those who hear nothing may give up before they have
voted."""

from enum import Enum

from checker.language import (
    Bool,
    Distributed,
    Map,
    Network,
    Process,
    Quiescence,
    Record,
    Set,
    Union,
    action,
    const,
    invariant,
    on,
    require,
    var,
)


class State(Enum):
    working = 0
    prepared = 1
    committed = 2
    aborted = 3


class Decided(Quiescence):
    """In the end everybody who lives has decided."""

    def holds(self) -> bool:
        return all(self.state[p] in (State.committed, State.aborted) for p in self.Process if p not in self.crashed)


class TwoPhaseCommit(Distributed):
    """The first process coordinates."""

    processes = const(3)
    Wire = Union(Prepare=Record(), Vote=Record(yes=Bool), Decide=Record(commit=Bool))
    net = var(Network[Process, Wire])
    state = var(Map[Process, State], State.working)
    yes = var(Set[Process])
    asked = var(Bool)

    @action
    def begin(self):
        require(not self.asked)
        self.asked = True
        self.net.multicast(self.Process[0], self.Wire.Prepare())

    @on(net, Wire.Prepare)
    def vote(self, p, q):
        if self.state[p] == State.working:
            self.state[p] = State.prepared
            self.net.send(p, q, self.Wire.Vote(True))

    @action
    def timeout(self, p: Process):
        require(self.asked and self.state[p] == State.working)
        self.state[p] = State.aborted
        self.net.send(p, self.Process[0], self.Wire.Vote(False))

    @on(net, Wire.Vote)
    def count(self, p, q, yes):
        if yes:
            self.yes.add(q)
            if len(self.yes) == len(self.Process):
                self.net.multicast(p, self.Wire.Decide(True))
        else:
            self.net.multicast(p, self.Wire.Decide(False))

    @on(net, Wire.Decide)
    def decide(self, p, q, commit):
        if self.state[p] in (State.working, State.prepared):
            self.state[p] = State.committed if commit else State.aborted

    @invariant
    def consistent(self) -> bool:
        return not any(
            self.state[p] == State.committed and self.state[q] == State.aborted
            for p in self.Process
            for q in self.Process
        )

    properties = [Decided]
