"""Random protocols in which one process collects what others tell it once: counted, compared, put into sets, kept under
conditions, announced when enough is there; and steps that look at what was collected."""

from __future__ import annotations

from random import Random

CONDITIONS = (
    "self.count == self.wanted",
    "self.count == 2",
    "self.count == 1",
    "value > 1",
    "q in self.got",
    "q not in self.got",
    "self.Process[1] in self.got",
    "len(self.got) == 0",
    "len(self.got) == 2",
    "all(p in self.got for p in self.Process)",
    "any(p in self.got for p in self.Process if p != q)",
    "self.best >= value",
    "self.flag",
    "q == self.Process[0]",
)
EFFECTS = {
    "self.count += 1": 7,
    "self.best = max(self.best, value)": 6,
    "self.least = value if value < self.least else self.least": 3,
    "self.got.add(q)": 5,
    "self.got.discard(q)": 3,
    "self.got = self.got | {q}": 2,
    "self.got = self.got - {self.Process[1]}": 1,
    "self.flag = True": 2,
    "self.x = self.best": 2,
    "self.x = value": 1,
    "self.x = min(max(self.x, value), 2)": 1,
    "self.x = self.count": 1,
    "self.net.send(p, self.Process[1], self.Wire.Say(value=self.best))": 2,
    "self.net.send(p, q, self.Wire.Say(value=1))": 1,
    "self.count = 0": 1,
    "assert self.x < 3": 1,
    "return": 1,
}
INVARIANTS = (
    "not (self.looked and self.x == 0)",
    "not self.looked or self.flag",
    "self.x < 2 or self.best > 1",
    "len(self.got) < 3",
    "True",
)
HEAD = '''from checker.language import *


class Generated(Distributed):
    """Generated."""

    processes = const(3, "processes")
    wanted = const({wanted}, "how many are waited for")
    Wire = Union(Tell=Record(value=Int(0, 3)), Say=Record(value=Int(0, 3)))
    net = var(Network[Process, Wire])
    told = var(Map[Process, Int(0, 2)], 0)
    count = var(Int(0, 4), 0)
    best = var(Int(0, 3), 0)
    least = var(Int(0, 3), 3)
    got = var(Set[Process])
    flag = var(Bool, False)
    looked = var(Bool, False)
    x = var(Int(0, 4), 0)
    y = var(Int(0, 4), 0)
    heard = var(Int(0, 3), 0)

    @action
    def tell(self, p: Process):
        require(self.told[p] == 0{besides})
        self.told[p] += 1
        self.net.send(p, self.Process[0], self.Wire.Tell({value}))

    @on(net, Wire.Say)
    def say(self, p, q, value):
        self.heard = {heard}

    @action
    def look(self):
        require(not self.looked and {condition})
        self.looked = True
        self.y = self.x

    @invariant
    def inv(self) -> bool:
        return {invariant}

    @on(net, Wire.Tell)
    def hear(self, p, q, value):
'''


def random_collecting(random: Random) -> str:
    """The source of a model of class Generated."""
    looks = [c for c in CONDITIONS if "q" not in c and "value" not in c]
    head = HEAD.format(
        wanted=random.choice((2, 3, 3)),
        besides=random.choice(("", " and p != self.Process[2]", "")),
        value=random.choice(("1", "1 + p.index", "self.least")),
        heard=random.choice(("value", "max(self.heard, value)")),
        condition=random.choice(looks),
        invariant=random.choice(INVARIANTS),
    )
    lines = [f"        require({random.choice(CONDITIONS)})"] if random.random() < 0.1 else []
    return head + "\n".join([*lines, *_body(random, 8, 2 + random.randrange(4))]) + "\n"


def _body(random: Random, indent: int, count: int) -> list[str]:
    lines = []
    for _ in range(count):
        if indent < 16 and random.random() < 0.35:
            lines.append(f"{' ' * indent}if {random.choice(CONDITIONS)}:")
            lines += _body(random, indent + 4, 1 + random.randrange(2))
        else:
            (effect,) = random.choices(list(EFFECTS), list(EFFECTS.values()))
            lines.append(" " * indent + effect)
    return lines
