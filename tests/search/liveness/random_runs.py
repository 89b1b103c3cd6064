"""Random small models with leads-to properties, as Python text.

What makes runs fair or not is drawn: parameters of several types, choices inside actions, guards in front of changes
and behind them, handlers that refuse a message, messages of several types, queues and bags of them, crashes (in the
middle of steps too), losses, copies, splits, actions of the environment and actions that may wait for ever, properties
with variables of their own.  Values turn in circles and few messages are in flight, so state spaces are small and have
cycles.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

HEADER = '''"""A random model."""

from enum import Enum

from checker.language import *


class Color(Enum):
    red = 0
    green = 1
    blue = 2

'''

# The type of messages, what may be sent, and the handlers: what follows `net`, their parameters.
WIRES: list[tuple[list[str], str, list[str], list[tuple[str, str, list[str]]]]] = [
    ([], "Bool", ["True", "False"], [("", "v", ["v"])]),
    ([], "Int(0, 1)", ["0", "1", "n"], [("", "v", ["v == 0"])]),
    ([], "Color", ["Color.red", "Color.blue"], [("", "v", ["v == Color.red"])]),
    ([], "Optional[Int(0, 1)]", ["None", "0", "1"], [("", "v", ["v is None"])]),
    ([], "Set[Int(0, 1)]", ["{0}", "{0, 1}", "set()"], [("", "v", ["0 in v", "len(v) > 0"])]),
    ([], "Seq[Int(0, 1), 2]", ["[0, 1]", "[1]", "[]"], [("", "v", ["len(v) > 1", "0 in v"])]),
    (
        ["Wide = Int(0, 2**41)"],
        "Record(a=Wide, b=Wide)",
        ["(7, 1099511627776)", "(7, 1099511627777)"],
        [("", "v", ["v.b == 1099511627776"])],
    ),
    (
        ["Wire = Union(Ping=Record(n=Int(0, 1)), Pong=Record(c=Color, b=Bool), Stop=Record())"],
        "Wire",
        [
            "self.Wire.Ping(n)",
            "self.Wire.Ping(1)",
            "self.Wire.Pong(Color.red, True)",
            "self.Wire.Pong(Color.red, False)",
            "self.Wire.Stop()",
        ],
        [(", Wire.Ping", "n", ["n == 0"]), (", Wire.Pong", "c", ["c == Color.red"]), (", Wire.Stop", "", [])],
    ),
    (
        ["Wire = Union(A=Record(b=Bool, n=Int(0, 1)), B=Record(b=Bool, n=Int(0, 1)))"],
        "Wire",
        ["self.Wire.A(True, 0)", "self.Wire.B(True, 0)", "self.Wire.A(False, 0)", "self.Wire.B(True, 1)"],
        [(", Wire.A", "b", ["b"]), (", Wire.B", "n, b", ["b", "n == 0"])],
    ),
]

# Types of parameters and what may be asked of them.
PARAMETERS = {
    "Bool": ["x", "not x"],
    "Int(0, 1)": ["x == 0"],
    "Color": ["x == Color.red", "x != Color.blue"],
    "Who": ["x == self.Who[0]", "x != self.Who[0]"],
    "Optional[Who]": ["x is None", "x is not None"],
    "Set[Who]": ["self.Who[0] in x", "len(x) > 0"],
    "Pair": ["x.b", "x.who == self.Who[1]"],
    "Either": ["isinstance(x, self.Either.L)"],
    "Map[Who, Bool]": ["x[self.Who[0]]"],
}


class Runs:
    """Builds one text.  Without processes members of `Who` stand for them."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.distributed = random.random() < 0.7
        self.who = "Process" if self.distributed else "Who"
        self.claims = random.randint(1, 3)
        self.numbers: list[str] = []
        self.places: list[str] = []
        self.asked: list[str] = []
        self.variables = [v for v in ("phase", "flag", "mode", "seen", "owner", "old") if random.random() < 0.45] or [
            "phase"
        ]
        self.wire = random.choice(WIRES) if self.distributed and random.random() < 0.85 else None
        self.most = random.choice([1, 1, 2, 2, 3])
        self.risky = random.random() < 0.06
        self.noted = random.random() < 0.5

    def pick(self, *options: str) -> str:
        """One of the texts."""
        return self.random.choice(options)

    def chance(self, probability: float) -> bool:
        """True so often."""
        return self.random.random() < probability

    # Expressions

    def place(self) -> str:
        """Somebody."""
        return self.pick(*self.places, *self.places, f"self.{self.who}[0]", f"self.{self.who}[1]")

    def atom(self) -> str:
        """A condition on one variable, or on what is in scope."""
        p = self.place()
        made = {
            "phase": f"self.phase[{p}] {self.pick('==', '==', '!=', '<')} {self.pick('0', '1', '2')}",
            "flag": f"self.flag[{p}]",
            "mode": f"self.mode == Color.{self.pick('red', 'green', 'blue')}",
            "seen": f"{self.pick('0', '1', *self.numbers)} in self.seen",
            "owner": self.pick("self.owner is None", f"self.owner == {p}"),
            "old": f"self.old[{p}]",
        }
        options = [made[v] for v in self.variables] * 2 + self.asked
        if self.wire:
            options += ["len(self.net) == 0", f"len(self.net.between({p}, {self.place()})) > 0"]
        if self.distributed:
            options.append("len(self.crashed) == 0")
        return self.pick(*options)

    def condition(self, depth: int = 1) -> str:
        """A condition."""
        if depth == 0 or self.chance(0.5):
            return f"not ({self.atom()})" if self.chance(0.2) else self.atom()
        a, b = self.condition(depth - 1), self.condition(depth - 1)
        return self.pick(f"({a} and {b})", f"({a} or {b})", f"({a} or {b})")

    # Statements

    def change(self) -> str:
        """One simple statement; perhaps two lines, the later ones without indentation."""
        p = self.place()
        options = {
            "phase": [f"self.phase[{p}] = (self.phase[{p}] + 1) % 3", f"self.phase[{p}] = {self.pick('0', '1', '2')}"],
            "flag": [f"self.flag[{p}] = not self.flag[{p}]", f"self.flag[{p}] = {self.pick('True', 'False')}"],
            "mode": [f"self.mode = Color.{self.pick('red', 'green', 'blue')}", "self.mode = choose(Color)"],
            "seen": [
                f"self.seen.{self.pick('add', 'discard')}({self.pick('0', '1', *self.numbers)})",
                "self.seen = {0}",
                "self.seen.discard(choose(self.seen))",
            ],
            "owner": [f"self.owner = {p}", "self.owner = None"],
            "old": [f"self.old[{p}] = True", f"self.old[{p}] = not self.old[{p}]"],
        }
        made = [text for v in self.variables for text in options[v]]
        if self.wire:
            sends = [self._send() for _ in range(3)]
            made += sends
        if self.noted:
            made.append(f"self.emit.note({p}, {self.pick('True', 'False')})")
        if self.distributed and self.chance(0.2):
            made.append(f"self.emit.deliver({p}, {self.pick('0', '1')})")
        if self.risky and self.chance(0.4):
            made += ["self.seen.remove(1)"] if "seen" in self.variables else []
            made += [f"assert {self.condition()}, 'claim'"] + (
                [f"self.phase[{p}] += 1"] if "phase" in self.variables else []
            )
        return self.pick(*made)

    def _send(self) -> str:
        assert self.wire
        bodies = [b for b in self.wire[2] if "n)" not in b and b != "n" or self.numbers]
        body = self.pick(*bodies).replace("(n)", f"({self.pick(*self.numbers, '0')})")
        body = self.pick(*self.numbers) if body == "n" else body
        guard = f"require(len(self.net) < {self.most})"
        source = self.places[0] if self.places and self.chance(0.8) else self.place()
        if self.chance(0.15):
            to = self.pick("", f", to={{self.Process[0], {self.place()}}}")
            return f"require(len(self.net) == 0)\nself.net.multicast({source}, {body}{to})"
        send = f"self.net.send({source}, {self.place()}, {body})"
        return f"{send}\nrequire(len(self.net) <= {self.most})" if self.chance(0.2) else f"{guard}\n{send}"

    def body(self, indent: str, most: int) -> list[str]:
        """Lines of a body."""
        lines: list[str] = []
        for _ in range(self.random.randint(1, most)):
            draw = self.random.random()
            if draw < 0.1:
                lines += [f"{indent}if {self.condition()}:", *self._lines(indent + "    ")]
                lines += [f"{indent}else:", *self._lines(indent + "    ")] if self.chance(0.5) else []
            elif draw < 0.2:
                name = f"x{len(self.places)}{self.random.randrange(1000)}"
                lines.append(f"{indent}{name} = choose(self.{self.who})")
                self.places.append(name)
                lines += self._lines(indent)
            elif draw < 0.26:
                lines.append(f"{indent}require({self.condition()})")
            elif draw < 0.3:
                lines += [f"{indent}for z in self.{self.who}:", *self._looped(indent + "    ")]
            else:
                lines += self._lines(indent)
        return lines

    def _lines(self, indent: str) -> list[str]:
        return [indent + line for line in self.change().split("\n")]

    def _looped(self, indent: str) -> list[str]:
        self.places.append("z")
        lines = self._lines(indent)
        self.places.remove("z")
        return lines

    def method(
        self, decorator: str, name: str, parameters: str, places: list[str], numbers: list[str], asked: list[str]
    ) -> str:
        """An action or handler: mostly guarded, then a few changes."""
        self.places, self.numbers, self.asked = places, numbers, asked
        indent = "        "
        lines = [f"{indent}require({self.condition()})"] if self.chance(0.75) else []
        lines += self.body(indent, 2)
        return f"\n    {decorator}\n    def {name}(self{parameters}):\n" + "\n".join(lines) + "\n"

    def action(self, number: int) -> str:
        """An action with none, one or two parameters."""
        decorator = self.pick(
            "@action",
            "@action",
            "@action",
            "@action",
            "@action(fair=False)",
            "@action(fault=True)",
            '@action(fair="change")',
            '@action(fair="change")',
        )
        if self.distributed and self.chance(0.05):
            return f"\n    {decorator}\n    def act{number}(self):\n        self.crashed.clear()\n"
        names, places, numbers, asked = "", [], [], []
        if self.chance(0.7):
            names, places = f", p: {self.who}", ["p"]
        if self.chance(0.4):
            kind = self.pick(*PARAMETERS)
            names += f", x: {kind}"
            asked = [question.replace("Who", self.who) for question in PARAMETERS[kind]]
            numbers = ["x"] if kind == "Int(0, 1)" else []
            places += ["x"] if kind == "Who" else []
        return self.method(decorator, f"act{number}", names.replace("Who", self.who), places, numbers, asked)

    def handlers(self) -> str:
        """Handlers of the network; one may be missing."""
        assert self.wire
        text = ""
        for number, (variant, names, asked) in enumerate(self.wire[3]):
            if self.chance(0.9):
                numbers = ["n"] if "n" in names.split(", ") else ["v"] if self.wire[1] == "Int(0, 1)" else []
                parameters = ", p, q" + (f", {names}" if names else "")
                text += self.method(f"@on(net{variant})", f"take{number}", parameters, ["p", "q"], numbers, asked)
        return text

    # Properties

    def leads_to(self, number: int) -> str:
        """A property; `self` of it reads variables of the model and its own."""
        self.places, self.numbers, self.asked = [], [], []
        text = f"class Claim{number}(LeadsTo):\n"
        own = self.chance(0.35)
        if own:
            text += self._own()
        kinds = [self._element() for _ in range(self.random.choice([1, 1, 2]))] if self.chance(0.4) else []
        both = "".join(f", {name}: {kind}" for name, kind in dict(kinds).items())
        some = both if self.chance(0.7) else ""
        when, then = (
            self._asked(some, lambda: self.condition()),
            self._asked(both, lambda: self.condition(self.random.randint(0, 2))),
        )
        text += f'    """Claim {number}."""\n' if not own else ""
        if self.chance(0.65):
            text += f"\n    def when(self{some}) -> bool:\n        return {when}\n"
        return text + f"\n    def then(self{both}) -> bool:\n        return {then}\n\n\n"

    def _element(self) -> tuple[str, str]:
        """A parameter of a leads-to and its type."""
        return self.random.choice(
            [("e", f'of("{self.who}")'), ("e", f'of("{self.who}")'), ("b", "Bool"), ("c", "Color"), ("n", "Int(0, 1)")]
        )

    def _asked(self, parameters: str, make: Callable[[], str]) -> str:
        """A condition in which the parameters are in scope, and most likely asked of."""
        places, asked, numbers = self.places, self.asked, self.numbers
        names = re.findall(r", (\w+): ", parameters)
        about = {
            "e": [f"e == self.{self.who}[0]"],
            "b": ["b"],
            "c": ["c == Color.red", *(["self.mode == c"] if "mode" in self.variables else [])],
            "n": ["n == 0"],
        }
        self.places = [*places, *["e"] * (3 if "e" in names else 0)]
        self.numbers = [*numbers, *(["n"] if "n" in names else [])]
        self.asked = [*asked, *(text for n in names for text in about[n])]
        made = make()
        self.places, self.asked, self.numbers = places, asked, numbers
        return made

    def _own(self) -> str:
        who = f'of("{self.who}")'
        change = self.pick("self.told[p] = True", "self.told[p] = not self.told[p]", "self.told[p] = False")
        text = f'    """With a variable of its own."""\n\n    told = var(Map[{who}, Bool])\n'
        self.asked = [
            f"self.told[self.{self.who}[0]]",
            f"self.told[self.{self.who}[1]]",
            f"all(self.told[p] for p in self.{self.who})",
        ]
        watched = [
            ("note", "p, v"),
            *([("send", "p, q"), ("receive", "p, q"), ("crash", "p")] if self.distributed else []),
        ]
        for event, names in self.random.sample(watched, self.random.randint(1, len(watched))):
            condition = "if v:\n            " if event == "note" and self.chance(0.5) else ""
            text += f"\n    def on_{event}(self, {names}):\n        {condition}{change}\n"
        return text

    def chained(self, number: int) -> str:
        """A property whose variable every message carries."""
        return (
            f'class Claim{number}(LeadsTo):\n    """With chains of messages."""\n\n    hops = chain(2)\n\n'
            "    def on_send(self, p, q):\n        if p == self.Process[0]:\n            self.hops[p] = 1\n\n"
            f"    def then(self) -> bool:\n        return self.hops[self.Process[1]] "
            f"{self.pick('> 1', '== 2', '== 0', '< 3')}\n\n\n"
        )

    # The whole

    def text(self) -> str:
        """The module."""
        chained = self.wire is not None and self.chance(0.1)
        text = HEADER + "\n"
        text += "".join(self.chained(i) if chained and i == 0 else self.leads_to(i) for i in range(self.claims))
        text += f"class Generated({'Distributed' if self.distributed else 'Model'}):\n"
        text += "".join(f"    {line}\n" for line in self._declarations())
        for i in range(self.random.randint(1, 3)):
            text += self.action(i)
        if self.wire:
            text += self.handlers()
        if self.chance(0.08):
            self.places, self.numbers, self.asked = [], [], []
            text += f"\n    @constraint\n    def bound(self) -> bool:\n        return {self.condition()}\n"
        if self.chance(0.1):
            self.places, self.numbers, self.asked = [], [], []
            text += (
                (f"\n    @initial\n    def begin(self):\n        x = choose(self.{self.who})\n        ")
                + self._begin()
                + "\n"
            )
        if self.chance(0.08):
            self.places, self.numbers, self.asked = [], [], []
            text += f"\n    @invariant\n    def always(self) -> bool:\n        return {self.condition(2)}\n"
        return text

    def _begin(self) -> str:
        changes = {
            "phase": "self.phase[x] = 1",
            "flag": "self.flag[x] = True",
            "mode": "self.mode = choose(Color)",
            "seen": "self.seen = {1}",
            "owner": "self.owner = x",
            "old": "self.old[x] = True",
        }
        return changes[self.variables[0]]

    def _declarations(self) -> list[str]:
        who, random = self.who, self.random
        lines = []
        if self.distributed:
            lines.append("processes = const(2)")
            for budget in ("crashes", "losses", "duplicates", "partitions"):
                lines.append(f"{budget} = const({random.choice([0, 0, 1])})")
            lines.append(f"channels = const('{self.pick('unordered', 'fifo')}', '', ('unordered', 'fifo'))")
        else:
            lines.append('Who = Ids("s", 2)')
        lines += [f"Pair = Record(b=Bool, who={who})", f"Either = Union(L=Record(b=Bool), R=Record(who={who}))"]
        start = random.choice(["", "", ", anything"])
        kinds = {
            "phase": f"phase = var(Map[{who}, Int(0, 2)], 0)",
            "flag": f"flag = var(Map[{who}, Bool]{start})",
            "mode": f"mode = var(Color, {self.pick('Color.red', 'anything')})",
            "seen": "seen = var(Set[Int(0, 1)])",
            "owner": f"owner = var(Optional[{who}])",
            "old": f"old = var(Map[{who}, Bool]{', kept=True' if self.distributed else ''})",
        }
        lines += [kinds[v] for v in self.variables]
        if self.wire:
            lines += [*self.wire[0], f"net = var({self.pick('Network', 'Network', 'Fifo')}[Process, {self.wire[1]}])"]
        claims = ", ".join(f"Claim{i}" for i in range(self.claims))
        return [*lines, f"properties = [{claims}]"]


def random_runs(random: Random) -> str:
    """The text of a module with one model, Generated, and its leads-to properties Claim0, Claim1, ..."""
    return Runs(random).text()
