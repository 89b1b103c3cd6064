"""Random protocols whose receipts often change nothing: handlers that mark what they hear, pass it on, and do less the
second time; some forget, wait, go wrong, or look at what is in flight."""

from __future__ import annotations

from random import Random

CONDITIONS = (
    "n not in self.seen[q]",
    "n not in self.seen[p]",
    "not self.flag[q]",
    "n == self.count[q]",
    "n >= self.count[q]",
    "self.count[q] < 2",
    "self.flag[p]",
    "self.other < 2",
)
EFFECTS = {
    "self.seen[q].add(n)": 5,
    "self.flag[q] = True": 4,
    "self.count[q] = min(self.count[q] + 1, 3)": 5,
    "self.other = min(self.other + 1, 3)": 2,
    "self.net.send(q, p, n)": 1,
    "self.wire.send(q, p, n)": 2,
    "self.seen[q].discard(n)": 1,
    "self.flag[q] = False": 1,
    "pass": 3,
    "return": 2,
    "assert self.other < 3": 1,
    "self.wire.multicast(q, n)": 1,
}
INVARIANTS = (
    "self.other < 3",
    "not all(self.flag[p] for p in self.Process)",
    "all(self.count[p] < 3 for p in self.Process)",
    "True",
    "len(self.net.between(self.Process[0], self.Process[1])) < 2",
)
HEAD = '''from checker.language import *


class Generated(Distributed):
    """Generated."""

    net = var(Network[Process, Int(0, 1)])
    wire = var(Network[Process, Int(0, 1)])
    seen = var(Map[Process, Set[Int(0, 1)]])
    flag = var(Map[Process, Bool], False)
    count = var(Map[Process, Int(0, 3)], 0)
    other = var(Int(0, 3), 0)
    said = var(Int(0, 2), 0)
'''


def random_relay(random: Random) -> str:
    """The source of a model of class Generated."""
    parts = [HEAD, _say(random)]
    for network in ("net", "wire"):
        lines = ["", f"    @on({network})", f"    def on_{network}(self, q, p, n):"]
        if random.random() < 0.2:
            lines.append(f"        require({random.choice(CONDITIONS)})")
        parts.append("\n".join(lines + _body(random, 8)) + "\n")
    if random.random() < 0.3:
        parts.append(_also(random))
    if random.random() < 0.15:
        parts.append(LOOK)
    parts.append(f"\n    @invariant\n    def inv(self) -> bool:\n        return {random.choice(INVARIANTS)}\n")
    return "".join(parts)


def _say(random: Random) -> str:
    first, most = random.choice(("net", "wire")), random.choice((1, 1, 2))
    numbers = [random.choice("01") for _ in range(2)]
    return f"""
    @action
    def say(self):
        require(self.said < {most})
        for q in self.Process:
            self.{first}.send(self.Process[0], q, {numbers[0]})
            self.net.send(self.Process[0], q, {numbers[1]})
        self.said += 1
"""


def _also(random: Random) -> str:
    needed = random.choice(("self.flag[q]", "self.count[q] == 1", "0 in self.seen[q]"))
    changed = random.choice(("self.flag[q] = False", "self.count[q] += 1", "self.seen[q].discard(0)"))
    return f"""
    @action
    def also(self, q: Process):
        require({needed} and self.other < 3)
        {changed}
        self.other += 1
"""


LOOK = """
    @action
    def look(self):
        require(len(self.net.between(self.Process[0], self.Process[1])) == 1 and self.other == 0)
        self.other = 1
"""


def _body(random: Random, indent: int, depth: int = 0) -> list[str]:
    found, space = [], " " * indent
    for _ in range(random.choice((1, 1, 2))):
        if depth < 2 and random.random() < 0.75:
            found += [f"{space}if {random.choice(CONDITIONS)}:", *_body(random, indent + 4, depth + 1)]
            if random.random() < 0.5:
                found += [f"{space}else:", *_body(random, indent + 4, depth + 1)]
            continue
        (effect,) = random.choices(list(EFFECTS), list(EFFECTS.values()))
        found.append(space + effect)
        if effect == "return":
            break
    return found
