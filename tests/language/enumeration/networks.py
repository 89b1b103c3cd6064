"""Networks of both kinds: what is sent, to whom, what is in flight, and names for it; with faults and without.

p and q are processes, r the second process; k is a number that the method has from its parameters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.language.enumeration.case import Case, filled
from tests.language.enumeration.expressions import BINARY, UNARY
from tests.language.enumeration.header import CASES

CALM, FAULTY, CHAINED = "calm", "faulty", "chained"

DISTRIBUTED = (
    CASES.replace("class Cases(Model):", "class Cases(Distributed):")
    .replace(
        "    n = var(",
        """    processes = const(3)
    net = var(Network[Process, Int(0, 3)])
    wires = var(Network[Process, Wire])
    fifo = var(Fifo[Process, Int(0, 3)])
    held = var(Map[Process, Set[Int(0, 3)]])
    n = var(""",
        1,
    )
    .replace(
        "\n    @",
        """
    @rule
    def others(self, q: Process):
        return {r for r in self.Process if r != q}

    @rule
    def living(self):
        return frozenset(r for r in self.Process if r not in self.crashed)

    @rule
    def few(self, q: Process):
        return 1 + q.index

    @""",
        1,
    )
)

CONSTANTS: dict[str, dict[str, int]] = {
    "": {},
    CALM: {},
    FAULTY: {"crashes": 2, "losses": 1, "duplicates": 1, "partitions": 1},
    CHAINED: {},
}
"""Constants of the settings in which cases run."""

CHAINS = """

class Hops(Invariant):
    \"\"\"Every message carries a chain.\"\"\"

    hops = chain(2)

    def on_send(self, p, q):
        if self.hops[p] == 0:
            self.hops[p] = 1

    def holds(self) -> bool:
        return all(self.hops[p] < 4 for p in self.Process)
"""
"""Two bodies that are equal and carry different chains are one item of what is in flight."""


_A, _B, _C = ("self.Process[0]", "self.Process[1]", "self.Process[2]")
SENT: tuple[str, ...] = (
    f"[self.net.send({_A}, {_B}, 1), self.net.send({_A}, {_B}, 1), self.net.send({_A}, {_B}, 3), "
    f"self.fifo.send({_A}, {_B}, 2), self.fifo.send({_A}, {_B}, 0), self.wires.send({_A}, {_B}, "
    f"self.Wire.Ping(2)), self.held[{_A}].add(1)]",
    "[]",
    f"[self.net.send({_B}, {_A}, 2), self.net.send({_C}, {_A}, 2), self.net.send({_C}, {_A}, 1), "
    f"self.fifo.send({_B}, {_A}, 1), self.fifo.send({_A}, {_A}, 3), self.fifo.send({_C}, {_A}, 1), "
    f"self.wires.send({_B}, {_A}, self.Wire.Stop()), self.wires.send({_B}, {_A}, self.Wire.Ping(2)), "
    f"self.wires.send({_C}, {_A}, self.Wire.Ping(2)), self.wires.send({_A}, {_A}, self.Wire.Ping(1)), "
    f"self.crashed.add({_C}), self.held[{_B}].add(3)]",
    f"[self.net.send({_A}, {_A}, 0), self.fifo.send({_A}, {_C}, 3), self.wires.send({_A}, {_C}, "
    f"self.Wire.Ping(1)), self.wires.send({_C}, {_A}, self.Wire.Pong(self.Site[0])), self.crashed.add({_B})]",
)
"""What is in flight in each of the four states; who has crashed if processes can (a crashed one receives nothing)."""

TARGETS: tuple[str, ...] = (
    "None",
    "self.Process",
    "[p]",
    "[q, q]",
    "[]",
    "(p, q)",
    "{p, q}",
    "set()",
    "{q}",
    "[r for r in self.Process]",
    "[r for r in self.Process if r != p]",
    "{r for r in self.Process if r != p}",
    "(r for r in self.Process if r != p)",
    "list(self.Process)",
    "set(self.Process)",
    "frozenset({q})",
    "tuple(self.Process)",
    "sorted(self.Process)",
    "reversed(self.Process)",
    "self.crashed",
    "set(self.Process) - self.crashed",
    "set(self.Process) - {p}",
    "self.Process[1:]",
    "p",
    "1",
    "self.s",
    "[None]",
    "enumerate(self.Process)",
    "[p, None]",
    "self.held",
    "range(2)",
    "{r: 1 for r in self.Process}",
    "[p] if self.flag else [q]",
    "(self.Process[self.n],)",
    "[self.Process[6 // self.n]]",
    "choose([[p], [q]])",
    "[choose(self.Process)]",
)

BODIES: tuple[str, ...] = (
    "1",
    "self.n",
    "self.z",
    "5",
    "None",
    "self.o",
    "True",
    "p",
    "self.pair",
    "(1, 2)",
    "self.s",
    "self.wire",
    "self.q[0]",
    "choose([0, 1])",
    "self.q.pop(0)",
    "self.Wire.Ping(1)",
    "self.Wire.Ping(self.z)",
    "len(self.net)",
    "6 // self.n",
)

IN_FLIGHT: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("between", "self.net.between(p, q)", ()),
    ("between", "self.net.between(p, p)", ()),
    ("between", "self.net.between(q, p)", ()),
    ("between", "self.wires.between(p, q)", ()),
    ("between", "self.fifo.between(p, q)", ()),
    ("between", "self.fifo.between(q, p)", ()),
    ("between", "x", ("x = self.fifo.between(p, q)",)),
    ("between", "x", ("x = self.net.between(p, q)",)),
    ("network", "self.net", ()),
    ("network", "self.fifo", ()),
    ("int", "len(self.net)", ()),
    ("int", "len(self.fifo)", ()),
    ("Set", "self.crashed", ()),
    ("identity", "p", ()),
    ("identity", "self.Process[self.n]", ()),
    ("type", "self.Process", ()),
    ("Set", "self.held[p]", ()),
    ("Map", "self.held", ()),
    ("list", "list(self.fifo.between(p, q))", ()),
    ("list", "sorted(self.net.between(p, q))", ()),
    ("set", "set(self.net.between(p, q))", ()),
    ("tuple", "tuple(self.fifo.between(p, q))", ()),
    ("between", "(self.fifo.between(p, q) if self.flag else self.fifo.between(q, p))", ()),
    ("int", "self.net.between(p, q).count(1)", ()),
    ("int", "self.fifo.between(p, q)[0]", ()),
    ("list", "self.fifo.between(p, q)[1:]", ()),
    ("int", "len(self.net.between(self.o, q))", ()),
)
"""Operands of a model with networks: kind, text, what stands in front."""

SENDING: tuple[str, ...] = (
    "self.net.send(p, q, X)",
    "self.fifo.send(p, q, X)",
    "self.wires.send(p, q, X)",
    "self.net.send(p, p, X)",
    "self.net.send(q, p, X)",
    "self.net.multicast(p, X)",
    "self.fifo.multicast(p, X)",
    "self.net.multicast(q, X, to=[p])",
    "self.net.multicast(p, body=X)",
    "self.net.send(source=p, target=q, body=X)",
    "self.n = 2\nself.net.send(p, q, X)\nself.n = 3",
    "for r in self.Process:\n    self.net.send(p, r, X)",
    "for r in self.Process:\n    if r != p:\n        self.fifo.send(p, r, X)\nself.outb = True",
    "self.net.multicast(p, X)\nself.out = len(self.net)",
    "self.net.send(p, q, X)\nself.fifo.send(p, q, X)\nself.out = len(self.fifo)",
    "x = X\nself.net.send(p, q, x)",
    "require(len(self.net) < 3)\nself.net.send(p, q, X)",
    "self.net.send(self.Process[0], self.Process[1], X)",
    "self.net.send(X, q, 1)",
    "self.net.send(p, X, 1)",
)

MULTICAST: tuple[str, ...] = (
    "self.net.multicast(p, 1, to=X)",
    "self.fifo.multicast(p, self.n, to=X)",
    "self.net.multicast(p, 1, X)",
    "self.wires.multicast(p, self.Wire.Ping(self.n), to=X)",
    "x = X\nself.net.multicast(p, 1, to=x)",
    "self.net.multicast(q, 1, to=X)",
    "x = X\nself.net.multicast(p, 1, to=x)\nself.net.multicast(p, 2, to=x)",
    "for r in X:\n    self.net.send(p, r, 1)",
    "self.net.multicast(p, 9, to=X)",
    "self.net.multicast(self.Process[0], 2, to=X)\nself.out = len(self.net)",
    "self.outb = p in X",
    "x = choose(X)\nself.net.send(p, x, 1)",
)

NAMED: tuple[str, ...] = (
    "self.fifo.between(p, q)",
    "self.net.between(p, q)",
    "list(self.fifo.between(p, q))",
    "[e for e in self.net.between(p, q)]",
    "self.fifo.between(p, q)[:]",
    "sorted(self.net.between(p, q))",
    "(self.fifo.between(p, q), 1)[0]",
    "self.fifo.between(p, q) if self.flag else self.fifo.between(q, p)",
    "set(self.net.between(p, q))",
)

NAMED_CHANGES: tuple[str, ...] = (
    "self.fifo.send(p, q, 3)",
    "self.net.send(p, q, 3)",
    "self.fifo.multicast(p, 3)",
    "self.net.multicast(p, 3)",
    "x.append(3)",
    "x.pop(0)",
    "x.add(3)",
    "x.clear()",
    "x += [3]",
    "x = []",
    "self.crashed.add(q)",
    "self.crashed.add(p)",
    "for e in x:\n    self.fifo.send(p, q, e)",
    "for e in x:\n    self.net.send(p, q, e)",
    "pass",
)

NAMED_READS: tuple[str, ...] = (
    "self.out = len(x)",
    "self.outq = list(x)",
    "self.outb = 3 in x",
    "for e in x:\n    self.out += e",
    "self.outb = x == self.fifo.between(p, q)",
    "self.outb = x == self.net.between(p, q)",
    "self.out = x[0]",
    "self.out = x.count(3)",
)

POSITIONS: tuple[str, ...] = ("process", "handler of a network", "handler of a FIFO network", "handler of a variant")


QUORUMS: dict[str, str] = {
    "each": "each=Process",
    "each of others": "each=others",
    "each of the living": "each=living",
    "one": "at_least=1",
    "two": "at_least=2",
    "two of others": "at_least=2, of=others",
    "a rule of them": "at_least=few, of=living",
}
"""Whose messages a quorum reception takes."""

GATHERED: dict[str, tuple[str, str]] = {
    f"quorum on {network}: {name}{agreed}": (
        network,
        f"@on({said}, {quorum}{same})\ndef NAME(self, q, ps, {field}):\n    B\n    S",
    )
    for network, said, field in (("net", "net", "k"), ("fifo", "fifo", "k"), ("wires", "wires, Wire.Ping", "n"))
    for name, quorum in QUORUMS.items()
    for agreed, same in (("", ""), (", agreed", f', same="{field}"'))
}

USES: dict[str, tuple[str, ...]] = {
    "by sender": (
        "pass",
        "self.out = len(ps)",
        "self.out = max(k[p] for p in ps)",
        "self.out = sum(k[p] for p in self.Process if k[p] is not None)",
        "self.outb = all(k[p] is None for p in self.Process if p not in ps)",
        "for p in ps:\n    self.net.send(q, p, k[p])",
        "self.out = k[self.Process[1]]",
        "self.held[q] = {k[p] for p in ps}",
        "require(len(ps) > 1)\nself.n = 2",
        "self.net.multicast(q, 1, to=ps)",
        "x = choose(ps)\nself.out = k[x]",
        "ps.add(q)",
        "k[q] = 1",
        "self.crashed = ps",
        "self.outb = q in ps and k == k",
        "p = min(ps)\nself.fifo.send(p, q, 1)",
    ),
    "agreed": (
        "pass",
        "self.out = k",
        "self.net.multicast(q, k, to=ps)",
        "for p in ps:\n    self.fifo.send(q, p, k)",
        "self.held[q].add(k)",
        "require(k > 1 or q in ps)\nself.out = len(ps)",
        "k += 1\nself.out = k",
        "self.out = ps",
    ),
}


def gathered() -> Iterator[Case]:
    """Quorum receptions: each form on each kind of network, with what may be done with the senders and the messages."""
    for setting in (CALM, FAULTY, CHAINED):
        for position, (network, _) in GATHERED.items():
            kind = "agreed" if position.endswith("agreed") else "by sender"
            for use in USES[kind]:
                text = re.sub(r"\bk\b", "n", use) if network == "wires" else use
                yield Case("quorum", position, kind, position, lines=tuple(text.split("\n")), setting=setting)


def networked() -> Iterator[Case]:
    """All cases with networks: without faults, with them, and with messages that carry chains."""
    for setting in (CALM, FAULTY, CHAINED):
        for row, construct in enumerate(
            (
                *UNARY,
                *(c.replace("Y", "self.net.between(q, p)") for c in BINARY),
                *(c.replace("Y", "self.fifo.between(p, q)") for c in BINARY),
            )
        ):
            for column, (kind, text, before) in enumerate(IN_FLIGHT):
                if setting == CALM or (row + column) % 5 == 0:
                    yield Case(
                        "in flight",
                        construct,
                        kind,
                        POSITIONS[(row + column) % 4],
                        before,
                        filled(construct, text),
                        setting=setting,
                    )
        for row, (construct, operands) in enumerate(
            [*((c, BODIES) for c in SENDING), *((c, TARGETS) for c in MULTICAST)]
        ):
            for column, operand in enumerate(operands):
                for position in POSITIONS if setting == CALM else (POSITIONS[0], POSITIONS[1 + (row + column) % 3]):
                    yield Case(
                        "sent",
                        construct,
                        operand,
                        position,
                        lines=tuple(filled(construct, operand).split("\n")),
                        setting=setting,
                    )
        for named in NAMED:
            for change in NAMED_CHANGES:
                for read in NAMED_READS:
                    lines = (f"x = {named}", *change.split("\n"), *read.split("\n"))
                    yield Case(
                        "in flight, named", named, " ".join(change.split()), POSITIONS[0], lines=lines, setting=setting
                    )
