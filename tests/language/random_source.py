"""Random models as Python text: typed expressions and statements over a small fixed set of variables.

The text stays inside the language, but what it does is arbitrary: it leaves ranges, removes what is not there, divides
by zero, chooses in branches.  All engines must agree on it, errors included.
"""

from __future__ import annotations

from random import Random

HEADER = '''"""A random model."""

from enum import Enum

from checker.language import *


class Color(Enum):
    red = 0
    green = 1
    blue = 2


class Generated(Distributed):
    processes = const(2)
    Wire = Union(Ping=Record(n=Int(0, 2)), Pong=Record(who=Process, c=Color))
    Pair = Record(n=Int(0, 3), who=Process)

    number = var(Map[Process, Int(-1, 3)], 0)
    total = var(Int(0, 5), 2)
    flag = var(Bool, anything)
    flags = var(Map[Process, Bool], anything)
    members = var(Set[Process], anything)
    chosen = var(Map[Process, Set[Color]])
    color = var(Color, Color.red)
    owner = var(Optional[Process], anything)
    queue = var(Seq[Int(0, 3), 2])
    pairs = var(Seq[Pair, 2])
    net = var(Network[Process, Wire])
'''


class Source:
    """Builds one text from a source of randomness."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.ints: list[str] = []
        self.processes: list[str] = []
        self.fresh = 0

    def pick(self, *options: str) -> str:
        """One of the texts."""
        return self.random.choice(options)

    def name(self) -> str:
        """A new local name."""
        self.fresh += 1
        return f"x{self.fresh}"

    # Expressions

    def process(self) -> str:
        """An expression of type Process."""
        return self.pick(
            *self.processes, "self.Process[0]", "self.Process[1]", f"self.Process[1 - {self.processes[0]}.index]"
        )

    def color(self) -> str:
        """An expression of type Color."""
        return self.pick(
            "Color.red", "Color.green", "Color.blue", "self.color", "(self.color if self.flag else Color.green)"
        )

    def integer(self, depth: int) -> str:
        """An expression of type Int."""
        leaves = [
            "0",
            "1",
            "2",
            "self.total",
            f"self.number[{self.process()}]",
            "len(self.queue)",
            "len(self.members)",
            *self.ints,
        ]
        if depth <= 0:
            return self.pick(*leaves)
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        x = self.name()
        inner = Source.__new__(Source)
        inner.__dict__.update(self.__dict__, processes=[*self.processes, x])
        return self.pick(
            *leaves,
            f"({a} + {b})",
            f"({a} - {b})",
            f"({a} * 2)",
            f"min({a}, {b})",
            f"max({a}, {b})",
            f"({a} % 3)",
            f"({a} // 2)",
            f"({a} if {self.boolean(depth - 1)} else {b})",
            f"sum(self.number[{x}] for {x} in self.Process if {inner.boolean(0)})",
            f"len(self.chosen[{self.process()}])",
            "len(self.net)",
            f"self.queue[{self.pick('0', '1')}]",
            f"({a} % {b})",
            f"len([{x} for {x} in self.Process if {inner.boolean(0)}])",
            "sum(v.n for v in self.pairs)",
            "max(self.queue, default=0)",
            f"{self.process()}.index",
            f"abs({a})",
            f"self.helper({self.process()})",
        )

    def boolean(self, depth: int) -> str:
        """An expression of type Bool."""
        p, c = self.process(), self.color()
        leaves = [
            "self.flag",
            f"self.flags[{p}]",
            f"{p} in self.members",
            f"{c} in self.chosen[{p}]",
            f"self.color == {c}",
            "self.owner is None",
        ]
        leaves += [f"self.owner == {p}", f"{p} == {self.process()}", f"{p} < {self.process()}"]
        if depth <= 0:
            return self.pick(*leaves)
        a, b = self.boolean(depth - 1), self.boolean(depth - 1)
        m, n = self.integer(depth - 1), self.integer(depth - 1)
        x = self.name()
        inner = Source.__new__(Source)
        inner.__dict__.update(self.__dict__, processes=[*self.processes, x])
        body = inner.boolean(depth - 1)
        return self.pick(
            *leaves,
            f"({a} and {b})",
            f"({a} or {b})",
            f"not {a}",
            f"{m} {self.pick('<', '<=', '==', '!=', '>')} {n}",
            f"0 <= {m} < {n}",
            f"any({body} for {x} in self.Process)",
            f"all({body} for {x} in self.Process if {inner.boolean(0)})",
            f"{m} in self.queue",
            f"self.chosen[{p}] <= self.chosen[{self.process()}]",
            f"({m}, {p}) < ({n}, {self.process()})",
            f"self.Pair(1, {p}) in self.pairs",
            f"len(self.net.between({p}, {self.process()})) > 0",
            f"self.test({p}, {c})",
        )

    # Statements

    def statement(self, depth: int, indent: str) -> str:
        """One statement (perhaps with a body), with its indentation."""
        p, q, c = self.process(), self.process(), self.color()
        simple = [
            f"self.number[{p}] = {self.integer(2)}",
            f"self.number[{p}] += {self.integer(1)}",
            f"self.total = {self.integer(2)}",
            f"self.flag = {self.boolean(2)}",
            f"self.flags[{p}] = {self.boolean(1)}",
            f"self.members.add({p})",
            f"self.members.discard({p})",
            f"self.members.remove({p})",
            f"self.chosen[{p}].add({c})",
            f"self.chosen[{p}] = self.chosen[{q}] {self.pick('|', '&', '-', '^')} {{{c}}}",
            f"self.color = {c}",
            f"self.owner = {p}",
            "self.owner = None",
            f"self.queue.append({self.integer(1)})",
            "self.queue.pop(0)",
            f"self.pairs.append(self.Pair({self.integer(1)}, {p}))",
            "self.pairs = sorted(self.pairs)",
            "self.queue = self.queue[1:]",
            f"require({self.boolean(2)})",
            f"self.net.send({p}, {q}, self.Wire.Ping({self.integer(0)}))",
            f"self.net.multicast({p}, self.Wire.Pong({q}, {c}))",
            f"self.emit.deliver({p}, {self.integer(0)})",
            f"self.change({p})",
            f"self.members = {{{p}, {q}}}",
            f"self.queue = [{self.integer(0)}, {self.integer(0)}]",
            f"assert {self.boolean(1)} or {self.boolean(0)}, 'claim'",
        ]
        if depth <= 0 or self.random.random() < 0.6:
            return indent + self.random.choice(simple) + "\n"
        return self._compound(depth, indent)

    def _compound(self, depth: int, indent: str) -> str:
        kind = self.random.randrange(6)
        if kind == 0:
            return (
                f"{indent}if "
                f"{self.boolean(2)}:\n{self.block(depth - 1, indent)}{indent}else:\n{self.block(depth - 1, indent)}"
            )
        if kind == 1:
            x = self.name()
            self.processes.append(x)
            body = self.block(depth - 1, indent)
            self.processes.remove(x)
            return f"{indent}for {x} in self.Process:\n{body}"
        if kind == 2:
            x = self.name()
            text = f"{indent}{x} = {self.integer(2)}\n"
            self.ints.append(x)
            text += self.statement(depth - 1, indent)
            return text + f"{indent}{x} += 1\n" + self.statement(0, indent)
        if kind == 3:
            x = self.name()
            text = f"{indent}{x} = choose({self.pick('self.Process', 'self.members')})\n"
            self.processes.append(x)
            return text + self.statement(depth - 1, indent)
        if kind == 4:
            return f"{indent}if {self.boolean(1)}:\n{self.block(depth - 1, indent)}{indent}    return\n"
        x = self.name()
        self.ints.append(x)
        body = self.block(0, indent)
        self.ints.remove(x)
        return f"{indent}for {x} in range({self.integer(0)}):\n{body}"

    def block(self, depth: int, indent: str) -> str:
        """One or two statements, one level deeper; names they bind end with them."""
        ints, processes = list(self.ints), list(self.processes)
        text = "".join(self.statement(depth, indent + "    ") for _ in range(self.random.randint(1, 2)))
        self.ints, self.processes = ints, processes
        return text

    def method(self, head: str, processes: list[str], statements: int, ints: list[str] | None = None) -> str:
        """A method with random statements."""
        self.processes, self.ints = list(processes), list(ints or [])
        body = "".join(self.statement(2, "        ") for _ in range(statements))
        return f"\n    {head}\n{body}"


def random_model(random: Random) -> str:
    """The text of a module with one model, Generated."""
    s = Source(random)
    text = HEADER + (
        f"    crashes = const({random.choice([0, 0, 1])}, '')\n    losses = const({random.choice([0, 0, 1])}, '')\n"
    )
    text += f"    partitions = const({random.choice([0, 0, 1])}, '')\n"
    text += f"    channels = const('{random.choice(['unordered', 'fifo'])}', '', ('unordered', 'fifo'))\n"
    s.processes = ["p"]
    text += (
        "\n    @rule\n    def test(self, p: Process, c: Color) -> bool:\n        return c in self.chosen[p] and "
        "p in self.members\n"
    )
    text += (
        "\n    def helper(self, p: Process):\n        if self.flags[p]:\n            return self.number[p] + 1\n "
        "       return self.total\n"
    )
    text += (
        "\n    def change(self, p: Process):\n        if self.flag:\n            return\n        self.flags[p] = "
        "not self.flags[p]\n        self.flag = True\n"
    )
    for i in range(random.randint(1, 2)):
        text += s.method(f"@action\n    def act{i}(self, p: Process):", ["p"], random.randint(1, 4))
    text += s.method(
        "@action\n    def both(self, p: Process, q: Process, n: Int(0, 1)):", ["p", "q"], random.randint(1, 3), ["n"]
    )
    text += s.method("@on(net, Wire.Ping)\n    def ping(self, p, q, n):", ["p", "q"], random.randint(1, 3), ["n"])
    text += s.method("@on(net, Wire.Pong)\n    def pong(self, p, q, who, c):", ["p", "q", "who"], random.randint(1, 2))
    for i, decorator in enumerate(("invariant", "quiescent", "reachable", "step_invariant")):
        s.processes, s.ints = ["self.Process[0]"], ["self.before.total"] if decorator == "step_invariant" else []
        text += f"\n    @{decorator}\n    def claim{i}(self) -> bool:\n        return {s.boolean(2)}\n"
    s.processes = ["self.Process[1]"]
    s.ints = []
    return text + "\n    @constraint\n    def bound(self) -> bool:\n        return len(self.net) < 3\n"
