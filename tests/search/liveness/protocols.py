"""Small models whose runs are fair or not for one reason each."""

from __future__ import annotations

from checker.language import (
    Bool,
    Distributed,
    Ids,
    Int,
    LeadsTo,
    Map,
    Model,
    Network,
    Optional,
    Process,
    Record,
    Seq,
    Set,
    Union,
    action,
    choose,
    const,
    constraint,
    initial,
    on,
    require,
    var,
)

LARGE = 549_755_813_888


class Second(LeadsTo):
    """The second colour comes again and again."""

    def then(self) -> bool:
        return self.drawn == self.Colour[1]


class Draws(Model):
    """A colour is drawn for ever; which one is chosen inside the action."""

    Colour = Ids("c", 2)
    drawn = var(Optional[Colour])
    properties = [Second]

    @action
    def draw(self):
        self.drawn = choose(self.Colour)


class DrawsByName(Draws):
    """The colour is a parameter."""

    @action
    def draw(self, c: Draws.Colour):
        self.drawn = c


class DrawsUnfairly(DrawsByName):
    """The colour is a parameter, and nothing is promised."""

    @action(fair=False)
    def draw(self, c: Draws.Colour):
        self.drawn = c


class Tries(Model):
    """Two actions change nothing and are fair; a third may wait for ever, and would bring what is promised."""

    Colour = Ids("c", 2)
    drawn = var(Optional[Colour])
    properties = [Second]

    @action
    def look(self):
        pass

    @action
    def listen(self):
        pass

    @action(fair=False)
    def draw(self):
        self.drawn = self.Colour[1]


class TriesAll(Tries):
    """The third is fair too."""

    @action
    def draw(self):
        self.drawn = self.Colour[1]


class Waits(Model):
    """Nothing but an action that may wait for ever."""

    Colour = Ids("c", 2)
    drawn = var(Optional[Colour])
    properties = [Second]

    @action(fair=False)
    def draw(self):
        self.drawn = self.Colour[1]


class Hurries(Waits):
    """The same action, and it is fair."""

    @action
    def draw(self):
        self.drawn = self.Colour[1]


class NoStart(Waits):
    """There is no initial state."""

    @initial
    def none(self):
        require(self.drawn is not None)


class Rings(LeadsTo):
    """Somebody rings."""

    def then(self) -> bool:
        return len(self.rung) > 0


class Bells(Model):
    """Nobody can be told from the others."""

    Site = Ids("s", 2, symmetric=True)
    rung = var(Set[Site])
    properties = [Rings]

    @action
    def ring(self, s: Site):
        self.rung.add(s)


class Fallen(LeadsTo):
    """Somebody crashes."""

    def then(self) -> bool:
        return len(self.crashed) > 0


class GivenUp(Distributed):
    """A step that is given up behind a send; all that is possible is to crash at that send."""

    processes = const(2, "processes")
    crashes = const(1, "crashes")
    beats = const(False, "whether something goes on besides")
    net = var(Network[Process, Bool])
    properties = [Fallen]

    @action
    def send(self, p: Process):
        self.net.send(p, p, True)
        require(False)

    @action
    def beat(self):
        require(self.beats)


class Heard(LeadsTo):
    """What is on the way to p2 arrives."""

    def when(self) -> bool:
        return self.started

    def then(self) -> bool:
        return 1 in self.heard


class Echo(Distributed):
    """Two messages are received and sent again for ever."""

    processes = const(2, "processes")
    started = var(bool)
    heard = var(Set[Int(0, 1)])
    net = var(Network[Process, Int(0, 1)])
    properties = [Heard]

    @action
    def start(self):
        require(not self.started)
        self.started = True
        self.net.send(self.Process[0], self.Process[1], 0)
        self.net.send(self.Process[0], self.Process[1], 1)

    @on(net)
    def receive(self, p, q, n):
        self.heard = {n}
        self.net.send(q, p, n)


class Opens(LeadsTo):
    """Who knocks is let in."""

    def when(self) -> bool:
        return self.knocked

    def then(self) -> bool:
        return self.opened


class Door(Distributed):
    """One knock, which may be lost, and steps of the environment that have nothing to do with it."""

    gusts = const(0, "how often the wind blows")
    net = var(Network[Process, Record(loud=Bool)])
    knocked = var(Bool, False)
    opened = var(Bool, False)
    blown = var(Int(0, gusts), 0)
    properties = [Opens]

    @action
    def knock(self):
        require(not self.knocked)
        self.knocked = True
        self.net.send(self.Process[0], self.Process[1], (True,))

    @action(fault=True)
    def blow(self):
        require(self.blown < self.gusts)
        self.blown += 1

    @on(net)
    def hear(self, p, q, m):
        self.opened = True


class Overtaken(Echo):
    """Which of the messages a step takes is chosen inside the action, not by the network."""

    pending = var(Set[Int(0, 1)])

    @action
    def start(self):
        require(not self.started)
        self.started = True
        self.pending = {0, 1}

    @action
    def take(self):
        require(self.started)
        self.heard = {choose(self.pending)}


class Wide(Distributed):
    """Messages of more than a word, some of which differ in the second only; handlers that do not name all fields."""

    processes = const(2, "processes")
    Range = Int(0, 2 * LARGE)
    Wire = Union(
        Pair=Record(a=Range, b=Range), Row=Record(items=Seq[Range, 2]), Maybe=Record(a=Optional[Range], b=Range)
    )
    heard = var(Int(0, 9), 0)
    sent = var(Map[Int(0, 5), bool])
    net = var(Network[Process, Wire])

    @action
    def send(self, n: Int(0, 5)):
        require(not self.sent[n])
        require(all(self.sent[k] for k in range(n)))
        self.sent[n] = True
        p, q = self.Process[0], self.Process[1]
        if n < 2:
            self.net.send(p, q, self.Wire.Pair(7, LARGE + n))
        elif n < 4:
            self.net.send(p, q, self.Wire.Row([LARGE + n]))
        elif n == 4:
            self.net.send(p, q, self.Wire.Maybe(None, 1))
        else:
            self.net.send(p, q, self.Wire.Maybe(0, 1))

    @on(net, Wire.Pair)
    def pair(self, p, q):
        self.heard += 1

    @on(net, Wire.Row)
    def row(self, p, q, items):
        self.heard += len(items)

    @on(net, Wire.Maybe)
    def maybe(self, p, q, b):
        self.heard += 1


class Beyond(LeadsTo):
    """Reads what is not there."""

    def then(self) -> bool:
        return self.row[2] == 0


class Unreadable(Model):
    """Its property cannot be evaluated once the row is short."""

    row = var(Seq[Int(0, 1), 3], [1, 1, 1])
    properties = [Beyond]

    @action
    def shorten(self):
        require(len(self.row) > 0)
        self.row.pop()


class UnreadableAtOnce(Unreadable):
    """The row is short from the start."""

    row = var(Seq[Int(0, 1), 3], [1, 1])


class NeverBegins(Draws):
    """A constraint excludes the initial state, so there are no runs."""

    @constraint
    def begun(self) -> bool:
        return self.drawn is not None
