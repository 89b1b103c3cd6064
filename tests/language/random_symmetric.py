"""Random models with symmetric identities, as Python text: loops over them, and everything else in which an order of
theirs could show.

The grammar leans to what the front end accepts, or a test would see little: the rounds of a loop change what is their
own or accumulate, and seldom read what they change.  It errs often enough that much is refused.  What is accepted must
be symmetric.
"""

from __future__ import annotations

import re
from random import Random

from tests.language.symmetric_statements import Statements

VARIABLES = {
    "k": "Map[N, Int(0, 2)], 0",
    "d": "Map[N, Int(-1, 1)], 0",
    "c": "Map[N, Color], Color.red",
    "friends": "Map[N, Set[N]]",
    "wish": "Map[N, Optional[V]]",
    "queue": "Map[N, Seq[V, 2]]",
    "rel": "Map[N, Map[N, Bool]], False",
    "table": "Map[N, Map[V, Int(0, 2)]], 0",
    "held": "Map[N, Bag[V, 2]]",
    "next": "Map[N, Optional[N]]",
    "m": "Int(0, 4), 0",
    "b": "Int(-2, 2), 0",
    "flag": "Bool, False",
    "color": "Color, Color.red",
    "s": "Set[N]",
    "t": "Set[V]",
    "levels": "Set[Int(0, 2)]",
    "votes": "Map[V, Set[N]]",
    "who": "Optional[N]",
    "what": "Optional[V]",
    "by": "Map[Color, Int(0, 4)], 0",
    "log": "Seq[N, 2]",
    "nums": "Seq[Int(0, 2), 3]",
    "bag": "Bag[N, 3]",
    "pairs": "Set[Pair]",
    "words": "Bag[Word, 2]",
    "groups": "Set[Set[V]]",
    "last": "Optional[Pair]",
    "word": "Optional[Word]",
}
"""The variables that a model may have; it has those that it reads or changes."""
STARTS = {
    "flag": "anything",
    "who": "anything",
    "s": "anything",
    "t": "anything",
    "c": "anything",
    "wish": "anything",
    "what": "anything",
}
HEAD = '''"""A random model."""

from enum import Enum

from checker.language import *


class Color(Enum):
    red = 0
    green = 1


'''


def random_symmetric(random: Random) -> str:
    """The text of a module with one model, Generated, of two symmetric types."""
    g = Statements(random)
    methods = _helpers(g)
    actions = [
        ("@action\n    def one(self, p: N, v: V):", ["p"], ["v"], ["0"]),
        ("@action\n    def two(self, p: N, q: N, i: Int(0, 2), v: V):", ["p", "q"], ["v"], ["i"]),
    ]
    for head, ns, vs, ints in actions[: random.choice([1, 2])]:
        methods += g.method(head, random.choice([0, 1, 1]), ns, vs, ints)
    if random.random() < 0.3:
        methods += g.method(
            "@initial\n    def begin(self):\n        p = choose(self.N)\n        v = choose(self.V)",
            1,
            ["p"],
            ["v"],
            ["1"],
            guard=False,
        )
    for number, decorator in enumerate(random.sample(["invariant", "quiescent", "reachable", "step_invariant"], 2)):
        methods += g.property(decorator, number)
    methods += "\n    @invariant\n    def whole(self) -> bool:\n        return self.left >= 0\n"
    types = (
        '    N = Ids("n", 3, symmetric=True)\n    V = Ids("v", 2, symmetric=True)\n    Pair = Record(n=Int(0, '
        "2), who=N)\n    Word = Union(Ping=Record(n=Int(0, 2)), Pong=Record(who=N, v=V))\n"
    )
    return (
        f"{HEAD}class Generated(Model):\n{types}\n{_declared(random, methods)}    left = var(Int(0, 2), 2)\n{methods}"
    )


def random_distributed(random: Random) -> str:
    """The same with symmetric processes, a network, faults, and an observer."""
    g = Statements(random, distributed=True)
    methods = _helpers(g)
    methods += g.method("@action\n    def one(self, p: N, v: V):", random.choice([0, 1, 1]), ["p"], ["v"], ["0"])
    methods += g.method(
        "@on(net, Wire.Vote)\n    def vote(self, p, q, n, v):", 1, ["p", "q"], ["v"], ["n"], guard=False
    )
    methods += g.method(
        "@on(net, Wire.Name)\n    def name(self, p, q, who):", 1, ["p", "q", "who"], ["self.what"], ["1"], guard=False
    )
    for number, decorator in enumerate(random.sample(["invariant", "quiescent", "reachable", "step_invariant"], 2)):
        methods += g.property(decorator, number)
    methods += "\n    @constraint\n    def few(self) -> bool:\n        return len(self.net) < 3\n"
    methods, watcher = methods.replace("self.N", "self.Process").replace(": N", ": Process"), _watcher(g)
    faults = "".join(f"    {fault} = const({random.choice([0, 0, 1])}, '')\n" for fault in ("losses", "duplicates"))
    faults += f"    crashes = const({int(g.crashes)}, '')\n"
    faults += (
        f"    channels = const('{random.choice(['unordered', 'unordered', 'fifo'])}', '', ('unordered', 'fifo'))\n"
    )
    types = (
        '    processes = const(3, "")\n    Process = Ids("p", processes, symmetric=True)\n    V = Ids("v", 2, '
        "symmetric=True)\n    Pair = Record(n=Int(0, 2), who=Process)\n"
    )
    types += (
        "    Word = Union(Ping=Record(n=Int(0, 2)), Pong=Record(who=Process, v=V))\n    Wire = "
        "Union(Vote=Record(n=Int(0, 2), v=V), Name=Record(who=Process))\n    net = var(Network[Process, Wire])\n"
    )
    declared = re.sub(r"\bN\b", "Process", _declared(random, methods))
    text = (
        f"{HEAD}{watcher}class Generated(Distributed):\n{faults}{types}\n{declared}    left = var(Int(0, 2), "
        f"2)\n{methods}"
    )
    return text + ("\n    properties = [Watcher]\n" if watcher else "")


def _watcher(g: Statements) -> str:
    """A property that watches what the loops of the model tell."""
    if g.chance(0.5):
        return ""
    seen = {"joined": "p, q", "deliver": "p, n", "send": "p, q", "crash": "p", "receive": "p, q"}
    kept = (
        'seen = var(Map[of("Process"), Int(0, 2)], 0)\n    any = var(Bool, False)\n    them = '
        'var(Set[of("Process")])\n    last = var(Optional[of("Process")])\n'
    )
    text = f'class Watcher(Invariant):\n    """Remembers what happened."""\n\n    {kept}'
    for event in g.random.sample(list(seen), 2):
        who = g.random.choice([x for x in seen[event].split(", ") if x != "n"])
        done = g.random.choice(
            [
                f"self.seen[{who}] = min(2, self.seen[{who}] + 1)",
                "self.any = True",
                "self.any = not self.any",
                f"self.them.add({who})",
                f"self.them |= {{{who}}}",
                f"self.last = {who}" if g.chance(0.2) else f"self.seen[{who}] = 1",
            ]
        )
        text += f"\n    def on_{event}(self, {seen[event]}):\n        {done}\n"
    return text + (
        "\n    def holds(self) -> bool:\n        return not self.any or len(self.them) < 2 or any(self.seen[p] > "
        "0 for p in self.Process)\n\n\n"
    )


def _helpers(g: Statements) -> str:
    """Functions and procedures that anything may call."""
    text = g.function("@rule\n    def ready(self, p: N) -> bool:", False) + g.function(
        "@rule\n    def load(self, p: N):", True
    )
    text = re.sub(r"self\.(ready|load)\(", r"self.plain_\1(", text)
    text += (
        "\n    @rule\n    def plain_ready(self, p: N) -> bool:\n        return self.k[p] > 0\n\n    @rule\n    "
        "def plain_load(self, p: N):\n        return self.k[p] + len(self.friends[p])\n"
    )
    for name in ("put", "rise"):
        g.ns, g.vs, g.ints, g.flags, g.once, g.avoid = ["q", "q"], ["w"], ["1"], ["True"], True, set()
        changed = g.own("q", "ns")[1] if g.chance(0.6) else g.accumulated("q", [])[1]
        text += f"\n    def {name}(self, q, w):\n        {changed}\n"
    return text


def _declared(random: Random, methods: str) -> str:
    """The variables that the methods use; some start as anything."""
    used = set(re.findall(r"self(?:\.before)?\.(\w+)", methods))
    text = ""
    for name, type in VARIABLES.items():
        if name in used:
            start = (
                (f"{type.rpartition(', ')[0] if type.count(', ') and name in ('flag', 'c') else type}, {STARTS[name]}")
                if name in STARTS and random.random() < 0.1
                else type
            )
            text += f"    {name} = var({start})\n"
    return text
