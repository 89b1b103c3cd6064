"""Small model files for the command line's tests, written out where a test needs them."""

from __future__ import annotations

LOCK = '''"""A lock that anybody may take when it is free."""

from checker.language import Ids, Model, Optional, Set, action, const, holds, invariant, reachable, require, rule, var, violates


class Lock(Model):
    """Clients take the lock and give it back."""

    clients = const(2, "who wants the lock")
    Client = Ids("c", clients)
    owner = var(Optional[Client])
    inside = var(Set[Client])

    @rule
    def free(self):
        return self.owner is None

    @action
    def take(self, c: Client):
        require(self.free() and c not in self.inside)
        self.owner = c
        self.inside.add(c)

    @action
    def leave(self, c: Client):
        require(c in self.inside)
        self.inside.remove(c)
        self.owner = None

    @invariant
    def alone(self) -> bool:
        return all(a == b for a in self.inside for b in self.inside)

    @reachable
    def somebody_is_inside(self) -> bool:
        return len(self.inside) > 0

    @invariant
    def known(self) -> bool:
        return len(self.inside) <= len(self.Client)

    expect = [holds(distinct=3, transitions=4, depth=2), holds(at={"clients": 3}, distinct=4, transitions=6)]


class Careless(Lock):
    """EDIT: do not look whether the lock is free."""

    @rule
    def free(self):
        return True

    expect = violates("alone", steps=2)


class Hopeful(Careless):
    """EDIT: the same, and a wrong expectation."""

    expect = holds()
'''  # noqa: E501

NEVER = '''"""A counter with a goal that it never reaches."""

from checker.language import Int, Model, action, reachable, require, var


class Never(Model):
    """Counts to three."""

    n = var(Int(0, 9), 0)

    @action
    def up(self):
        require(self.n < 3)
        self.n += 1

    @reachable
    def nine(self) -> bool:
        return self.n == 9
'''

NOTHING = '''"""Nothing can begin."""

from checker.language import Int, Model, action, initial, invariant, require, var


class Nothing(Model):
    """No initial state."""

    n = var(Int(0, 1), 0)

    @initial
    def impossible(self):
        require(self.n == 1)

    @action
    def up(self):
        self.n = 1

    @invariant
    def fine(self) -> bool:
        return self.n == 0
'''

CLOSURE = '''"""Python that the language does not have."""

from checker.language import Int, Model, action, var


class Closure(Model):
    """An action that opens a file."""

    n = var(Int(0, 1), 0)

    @action
    def read(self):
        with open("x") as file:
            self.n = 1
'''

NO_CONSTANT = '''"""A property whose model lacks what it refers to."""

from checker.language import Int, Invariant, Map, Model, action, of, var


class Counted(Invariant):
    """Counts messages."""

    count = var(Map[of("Message"), Int(0, 1)], 0)

    def holds(self) -> bool:
        return True


class Lacking(Model):
    """Has no type Message."""

    n = var(Int(0, 1), 0)

    @action
    def up(self):
        self.n = 1

    properties = [Counted]
'''

OVERFLOW = '''"""A counter that leaves its range."""

from checker.language import Int, Model, action, var


class Overflow(Model):
    """Counts without looking."""

    n = var(Int(0, 2), 0)

    @action
    def up(self):
        self.n += 1
'''

SERVERS = '''"""Clients ask servers."""

from checker.language import Bool, Ids, Map, Model, Set, action, invariant, require, var


class Servers(Model):
    """A server serves whoever has asked."""

    Client = Ids("c", 2)
    Server = Ids("s", 2)
    asked = var(Map[Client, Bool], False)
    served = var(Map[Server, Set[Client]])

    @action
    def ask(self, c: Client):
        require(not self.asked[c])
        self.asked[c] = True

    @action
    def serve(self, s: Server, c: Client):
        require(self.asked[c] and c not in self.served[s])
        self.served[s].add(c)

    @invariant
    def alone(self) -> bool:
        return all(len(self.served[s]) < 2 for s in self.Server)
'''
