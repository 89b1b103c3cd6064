"""Random small protocols as Python text: the class Base, which random edits are made of.

Two families: a multicast whose delivery rules are random, and processes that exchange pings and change a few variables.
All state is bounded, so that both sides of an edit can be explored to the end by the interpreter; what a method does is
arbitrary, errors included.
"""

from __future__ import annotations

from random import Random

START = '''"""A random protocol and an edit of it."""

from enum import Enum

from checker.language import *
from checker.language.multicast import Message, Multicast, total


class Color(Enum):
    red = 0
    green = 1
    blue = 2


'''

OBSERVER = '''class Watching(Invariant):
    """A property with a variable of its own."""

    heard = var(Map[of("Process"), Int(0, 2)], 0)

    def on_deliver(self, p, m):
        self.heard[p] = min(self.heard[p] + 1, 2)

    def holds(self) -> bool:
        return all(self.heard[p] < {least} for p in self.Process)


'''

PING = '''class Base(Distributed):
    """Processes that ping each other."""

    processes = const(2, "")
    crashes = const({crashes}, "")
    limit = const(2, "largest number")
    half = derived(lambda c: c.limit // 2)
    Small = Int(0, limit)
    Wire = Union(Ping=Record(n=Small), Pong=Record(c=Color))
    net = var(Network[Process, Wire])
    budget = var(Int(0, 2), {budget})
    level = var(Map[Process, Small], 0)
    flag = var(Map[Process, Bool])
{more}    outcome = ({outcome})

    @action
    def begin(self, p: Process, q: Process):
        require(p != q)
        self.post(p, q)

    def post(self, p: Process, q: Process):
        require(self.budget > 0)
        self.budget -= 1
        self.net.send(p, q, {message})
'''

CAST = '''class Base(Multicast):
    """A multicast with delivery rules."""

    processes = const(2, "")
    workload = const({workload}, "")
    crashes = const({crashes}, "")
    limit = const(2, "largest number")
    half = derived(lambda c: c.limit // 2)
    Small = Int(0, limit)
    Wire = Union(Plain=Record(m=Message, n=Small), Order=Record(m=Message))
    net = var(Network[Process, Wire])
    level = var(Map[Process, Small], 0)
    flag = var(Map[Process, Bool])
{more}
    def send(self, p, m):
        self.net.multicast(p, self.Wire.Plain(m, {sent}))
'''

MORE = {
    "color": "    color = var(Color, Color.red)\n",
    "owner": "    owner = var(Optional[Process])\n",
    "seen": "    seen = var(Map[Process, Set[Color]])\n",
    "queue": "    queue = var(Seq[Small, 2])\n",
}


class Protocol:
    """Builds the text of Base."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.cast = random.random() < 0.45
        self.variables = set(random.sample(sorted(MORE), random.choice([0, 1, 1, 2])))
        self.processes, self.ints, self.messages = ["p"], list[str](), list[str]()
        self.rules: dict[str, list[str]] = {}  # rules that may be asked, with the types of their parameters

    def pick(self, *options: str) -> str:
        """One of the texts."""
        return self.random.choice(options)

    def process(self) -> str:
        """An expression of type Process."""
        return self.pick(*self.processes, *self.processes, "self.Process[0]", "self.Process[1]")

    def integer(self, depth: int = 1) -> str:
        """An expression of type Int."""
        leaves = ["0", "1", "2", "self.limit", "self.half", f"self.level[{self.process()}]", *self.ints, *self.ints]
        leaves += ["len(self.queue)"] * ("queue" in self.variables) + [
            f"len(self.delivered[{self.process()}])",
            f"self.sent[{self.process()}]",
        ] * self.cast
        leaves += ["self.budget"] * (not self.cast) + [f"len(self.seen[{self.process()}])"] * ("seen" in self.variables)
        if depth <= 0 or self.random.random() < 0.4:
            return self.pick(*leaves)
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        more = [
            f"({a} + {b})",
            f"({a} - {b})",
            f"min({a}, {b})",
            f"max({a}, {b})",
            f"({a} if {self.truth(0)} else {b})",
            f"{self.process()}.index",
            f"(1 - {a})",
        ]
        more += [
            f"sum(self.level[x] for x in self.Process if {self.among('x', 0)})",
            "len(self.net)",
            f"({a} // max({b}, 1))",
        ]
        return self.pick(
            *more, *(f"self.{n}({self.arguments(kinds)})" for n, kinds in self.rules.items() if n.startswith("count"))
        )

    def truth(self, depth: int = 1) -> str:
        """An expression of type Bool."""
        p = self.process()
        leaves = [
            f"self.flag[{p}]",
            f"{p} == {self.process()}",
            f"self.level[{p}] < self.limit",
            f"self.level[{p}] == self.level[{self.process()}]",
        ]
        leaves += [f"self.color == {self.color()}"] * ("color" in self.variables) + [
            "self.owner is None",
            f"self.owner == {p}",
        ] * ("owner" in self.variables)
        leaves += [f"{self.color()} in self.seen[{p}]"] * ("seen" in self.variables)
        leaves += [f"{m} {self.pick('in', 'not in')} self.delivered[{p}]" for m in self.messages for _ in (0, 1)] + [
            f"self.sender({m}) == {p}" for m in self.messages
        ]
        leaves += [f"self.was_multicast({m})" for m in self.messages]
        if depth <= 0 or self.random.random() < 0.3:
            return self.pick(*leaves)
        a, b, m, n = self.truth(depth - 1), self.truth(depth - 1), self.integer(depth - 1), self.integer(depth - 1)
        more = [f"({a} and {b})", f"({a} or {b})", f"not ({a})", f"{m} {self.pick('<', '<=', '==', '!=', '>')} {n}"]
        more += [f"{self.pick('any', 'all')}({self.among('x', depth - 1)} for x in self.Process)"]
        return self.pick(
            *more,
            *(f"self.{n}({self.arguments(kinds)})" for n, kinds in self.rules.items() if not n.startswith("count")),
        )

    def among(self, x: str, depth: int) -> str:
        """A truth about one more process."""
        self.processes.append(x)
        text = self.truth(depth)
        self.processes.pop()
        return text

    def color(self) -> str:
        """An expression of type Color."""
        return self.pick("Color.red", "Color.green", "Color.blue", *["self.color"] * ("color" in self.variables))

    def arguments(self, kinds: list[str]) -> str:
        """Arguments of these types."""
        made = {
            "Process": self.process,
            "Small": lambda: self.integer(0),
            "any": lambda: self.integer(0),
            "Message": lambda: self.pick(*self.messages, "self.Message[0]"),
        }
        return ", ".join(made[kind]() for kind in kinds)

    def statement(self, indent: str = "        ", depth: int = 1) -> str:
        """One statement."""
        p, n = self.process(), self.integer()
        simple = [
            f"self.level[{p}] = min(max({n}, 0), self.limit)",
            f"self.level[{p}] = min(self.level[{p}] + 1, self.limit)",
            f"self.level[{p}] = {self.pick('0', '1')}",
            f"self.flag[{p}] = {self.truth()}",
            f"self.flag[{p}] = True",
            f"self.emit.{self.pick('told', 'seen_it')}({p}, {self.pick(p, 'self.flag[' + p + ']')})",
            f"self.change({p})",
        ]
        simple += [f"self.color = {self.color()}"] * ("color" in self.variables) + [
            f"self.owner = {self.pick(p, 'None')}"
        ] * ("owner" in self.variables)
        simple += [f"self.seen[{p}].{self.pick('add', 'add', 'discard')}({self.color()})"] * ("seen" in self.variables)
        simple += [f"self.queue = [{self.pick('0', '1', '2')}]", "self.queue = self.queue[1:]"] * (
            "queue" in self.variables
        )
        if self.random.random() < 0.1:  # what may go wrong
            simple = [
                f"self.level[{p}] += {self.pick('1', n)}",
                *["self.queue.append(1)", "self.queue.pop(0)"] * ("queue" in self.variables),
            ]
            simple += [f"self.seen[{p}].remove({self.color()})"] * ("seen" in self.variables)
        simple += [f"self.post({p}, {self.process()})"] * (2 * (not self.cast))
        simple += [f"self.deliver({p}, {m})" for m in self.messages] + [f"assert {self.truth()}, 'claim'"] * (
            self.random.random() < 0.05
        )
        if depth and self.random.random() < 0.25:
            body = self.statement(indent + "    ", 0)
            return f"{indent}if {self.truth()}:\n{body}" + (
                f"{indent}else:\n{self.statement(indent + '    ', 0)}" if self.random.random() < 0.5 else ""
            )
        if depth and self.random.random() < 0.15:
            value = self.integer()
            self.ints.append(x := f"x{len(self.ints)}")
            text = f"{indent}{x} = {value}\n{self.statement(indent, 0)}"
            self.ints.pop()
            return text
        return f"{indent}{self.random.choice(simple)}\n"

    def method(
        self,
        head: str,
        processes: list[str],
        first: str = "",
        ints: tuple[str, ...] = (),
        messages: tuple[str, ...] = (),
        most: int = 2,
        last: str = "",
    ) -> str:
        """A method with random statements between the first and the last."""
        self.processes, self.ints, self.messages = list(processes), list(ints), list(messages)
        body = "".join(self.statement() for _ in range(self.random.randint(0 if first or last else 1, most)))
        return f"\n    {head}\n{first and '        ' + first + chr(10)}{body}{last and '        ' + last + chr(10)}"

    def function(self, name: str, parameters: dict[str, str], marked: bool = True) -> str:
        """A rule or helper of one expression, or with a case of its own."""
        self.processes, self.messages = (
            [n for n, k in parameters.items() if k == "Process"] or ["self.Process[0]"],
            [n for n, k in parameters.items() if k == "Message"],
        )
        self.ints = [n for n, k in parameters.items() if k in ("Small", "any")]
        make = self.integer if name.startswith("count") else self.truth
        text = ", ".join(["self", *(n if k == "any" else f"{n}: {k}" for n, k in parameters.items())])
        case = f"        if {self.truth()}:\n            return {make(1)}\n" if self.random.random() < 0.3 else ""
        body = f"\n{'    @rule' + chr(10) if marked else ''}    def {name}({text}):\n{case}        return {make(2)}\n"
        self.rules[name] = list(parameters.values())
        return body

    def text(self) -> str:
        """The module with Base."""
        r = self.random
        more = "".join(MORE[name] for name in sorted(self.variables))
        outcome = "".join(f'"{n}", ' for n in ["level", *sorted(self.variables & {"owner", "color"})])
        if self.cast:
            head = CAST.format(
                workload=r.choice(["(1, 1)", "(2, 0)", "(1, 0)", "(1, 0)"]),
                crashes=r.choice([0, 0, 0, 1]),
                more=more,
                sent=self.pick("0", "0", "self.level[p]", "p.index"),
            )
        else:
            message = self.pick("self.Wire.Ping(self.level[p])", "self.Wire.Pong(Color.red)", "self.Wire.Ping(p.index)")
            head = PING.format(
                budget=r.choice([1, 1, 2]), crashes=r.choice([0, 0, 0, 1]), more=more, outcome=outcome, message=message
            )
        text = START + (OBSERVER.format(least=r.choice([1, 2])) if self.cast else "") + head
        text += self.function("may", {"p": "Process"}) + self.function(
            "count", {"p": "Process", "k": r.choice(["Small", "any"])}, r.random() < 0.5
        )
        text += self.function(
            "ready",
            {"p": "Process", "m": "Message"} if self.cast else {"p": "Process", "n": r.choice(["Small", "any"])},
        )
        if r.random() < 0.3:
            text += self.function("unasked", {"q": "Process"})
            del self.rules["unasked"]
        text += (
            "\n    def change(self, p: Process):\n        if self.flag[p]:\n            return\n        "
            "self.flag[p] = not self.flag[p]\n"
        )
        self.processes, self.ints, self.messages = ["p"], [], []
        if r.random() < 0.7:
            text += self.method(
                "@action\n    def act(self, p: Process):", ["p"], f"require({self.pick('self.may(p)', self.truth(2))})"
            )
        if r.random() < 0.4:
            text += self.method(
                f"@action{self.pick('', '', '(fault=True)')}\n    def both(self, p: Process, k: Int(0, "
                f"{self.pick('0', '1', '2')})):",
                ["p"],
                "require(self.count(p, k) < 2)",
                ("k",),
                most=1,
            )
        text += self._handlers() + self._claims()
        return text

    def _handlers(self) -> str:
        if not self.cast:
            ping = self.method(
                "@on(net, Wire.Ping)\n    def ping(self, p, q, n):",
                ["p", "q"],
                self.pick("require(self.ready(p, n))", ""),
                ("n",),
            )
            return ping + self.method("@on(net, Wire.Pong)\n    def pong(self, p, q, c):", ["p", "q"])
        deliver = self.pick("self.deliver(p, m)", "self.deliver(p, m)", "self.net.multicast(p, self.Wire.Order(m))")
        first = self.pick("require(self.ready(p, m))", "require(n == self.level[p])", "")
        plain = self.method(
            "@on(net, Wire.Plain)\n    def plain(self, p, q, m, n):", ["p", "q"], first, ("n",), ("m",), 1, deliver
        )
        return plain + self.method(
            "@on(net, Wire.Order)\n    def order(self, p, q, m):",
            ["p", "q"],
            "require(m not in self.delivered[p])",
            (),
            ("m",),
            1,
            "self.deliver(p, m)",
        )

    def _claims(self) -> str:
        text = ""
        for name, mark in (
            ("always", "invariant"),
            ("ends", "quiescent"),
            ("once", "reachable"),
            ("stepwise", "step_invariant"),
        ):
            if self.random.random() < 0.6 or name == "always":
                self.processes, self.ints, self.messages = (
                    ["self.Process[0]"],
                    ["self.before.level[self.Process[0]]"] * (name == "stepwise"),
                    [],
                )
                text += f"\n    @{mark}\n    def {name}(self) -> bool:\n        return {self.truth(2)}\n"
        if self.random.random() < 0.2:
            self.processes, self.ints = ["self.Process[1]"], []
            text += (
                f"\n    @constraint\n    def bound(self) -> bool:\n        return {self.truth(1)} or "
                f"self.level[self.Process[0]] < 2\n"
            )
        return text + ("\n    properties = [Watching]\n" if self.cast and self.random.random() < 0.5 else "")


def random_protocol(random: Random) -> str:
    """The text of a module with one model, Base."""
    return Protocol(random).text()
