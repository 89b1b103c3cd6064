"""Leader election on a ring: identities travel one way, and the largest one comes back to its owner."""

from checker.language import (
    Distributed,
    Network,
    Process,
    Set,
    action,
    holds,
    invariant,
    on,
    quiescent,
    require,
    rule,
    var,
    violates,
)


class Ring(Distributed):
    """A process passes on an identity that is larger than its own, and drops a smaller one (Chang and Roberts)."""

    net = var(Network[Process, Process])
    started = var(Set[Process])
    leaders = var(Set[Process])

    @action
    def start(self, p: Process):
        require(p not in self.started)
        self.started.add(p)
        self.net.send(p, self.next_of(p), p)

    @on(net)
    def receive(self, p, q, candidate):
        if candidate == p:
            self.leaders.add(p)
        elif self.passes(p, candidate):
            self.net.send(p, self.next_of(p), candidate)

    def next_of(self, p: Process):
        return self.Process[(p.index + 1) % len(self.Process)]

    @rule
    def passes(self, p: Process, candidate: Process):
        return candidate.index > p.index

    @invariant
    def at_most_one_leader(self) -> bool:
        return len(self.leaders) <= 1

    @quiescent
    def a_leader(self) -> bool:
        """When nothing can happen any more, there is a leader."""
        return len(self.leaders) > 0

    expect = [holds(at={"processes": n}) for n in (2, 3, 4)] + [violates("a_leader", at={"processes": 2, "losses": 1})]


class PassAll(Ring):
    """EDIT: pass on every identity."""

    @rule
    def passes(self, p, candidate):
        return True

    expect = violates("at_most_one_leader", at={"processes": 2}, steps=6)
