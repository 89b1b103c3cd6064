"""Random protocols as Python text: the statements of `random_statements` between processes that send, receive, crash
and are observed.

Added are messages built from any expression, sends and multicasts to computed sets, what is in flight read in every
form, loops over it while more is sent, events with computed arguments, and properties that watch them.  A crash may end
each of these steps at each of its sends.
"""

from __future__ import annotations

from random import Random

from tests.language import random_statements
from tests.language.random_statements import Statements

HEADER = random_statements.HEADER.replace(
    'class Generated(Model):\n    Site = Ids("p", 2)', "class Generated(Distributed):\n    processes = const(2)"
)
HEADER = (
    HEADER.replace("class Generated", "{observer}\n\nclass Generated")
    + """
    net = var(Network[Process, Wire])
    post = var(Network[Process, Wire])
    queue = var(Fifo[Process, Int(0, 3)])
    group = var(Set[Process], anything)
    kept = var(Map[Process, Seq[Int(0, 3), 2]], kept=True)

    @rule
    def waiting(self, x: Process, y: Process):
        return len(self.net.between(x, y)) + len(self.queue.between(y, x))

    def tell(self, x, y, n: Int(0, 2)):
        self.net.send(x, y, self.Wire.Ping(n))
        self.bump(n, len(self.net))
        self.queue.send(y, x, n)

    def answer(self, x, others: Set[Process]):
        self.post.multicast(x, self.Wire.Ping(len(others)), to=others)
        self.emit.deliver(x, len(self.post))
"""
)

OBSERVER = '''class Observer(Invariant):
    """Watches everything."""
    seen = var(Map[of("Process"), Set[Int(0, 3)]])
    log = var(Seq[Int(0, 3), 3])
    sent = var(Map[of("Process"), Int(0, 4)], 0)
    last = var(Optional[of("Process")])

    def on_deliver(self, p, x):
{deliver}
    def on_send(self, p, q):
{send}
    def on_receive(self, p, q):
{receive}
    def on_crash(self, p):
{crash}
    def holds(self):
        return {holds}
'''


class Protocols(Statements):
    """Builds the texts of actions and handlers of a protocol."""

    def wire(self, depth: int) -> str:
        """An expression of type Wire."""
        return self.one(
            lambda: f"self.Wire.Ping({self.number(depth)})",
            lambda: f"self.Wire.Ping(n={self.number(depth)})",
            lambda: "self.words[0]",
            lambda: f"self.Wire.Pong({self.where()}, {self.pick('Color.red', 'self.color')})",
            lambda: f"self.Wire.Pong(c=self.color, who={self.where()})",
            lambda: (
                f"(self.Wire.Ping(1) if {self.truth(0)} else self.Wire.Pong({self.inside(self.where)}, Color.green))"
            ),
        )

    def several(self, depth: int) -> str:
        """An expression of type Set[Process]."""
        x = self.name()
        if depth <= 0:
            return self.pick("self.group", "self.crashed", "set(self.Process)", "set()", "{p}")
        test = self.inside(lambda: self.truth(depth - 1), f"{x}.index")
        return self.one(
            lambda: f"{{{self.where()}, {self.where()}}}",
            lambda: f"{{{x} for {x} in self.Process if {test}}}",
            lambda: f"({self.several(depth - 1)} {self.pick('|', '&', '-', '^')} {self.several(depth - 1)})",
            lambda: self.several(0),
        )

    def where(self, depth: int = 1) -> str:
        """An expression of type Process."""
        if depth > 0 and self.once and self.random.random() < 0.1:
            return f"choose({self.several(1)})"
        return super().where(depth)

    def number(self, depth: int) -> str:
        """An expression of type Int."""
        if depth > 0 and self.random.random() < 0.15:
            return self._in_flight(depth - 1)
        return super().number(depth)

    def _in_flight(self, depth: int) -> str:
        x, link, line = self.name(), self.link(), self.line()
        links, lines, several = (self.inside(make) for make in (self.link, self.line, lambda: self.several(depth)))
        body = self.inside(lambda: self.number(depth), x)
        return self.one(
            lambda: f"len(self.{self.pick('net', 'post', 'queue')})",
            lambda: f"len({link})",
            lambda: f"{link}.count({self.wire(depth)})",
            lambda: f"{line}[{self.number(depth)}]",
            lambda: f"{line}[-1]",
            lambda: f"sum({body} for {x} in {lines})",
            lambda: f"len([{x} for {x} in {links} if isinstance({x}, self.Wire.Ping)])",
            lambda: f"self.waiting({self.where()}, {self.where()})",
            lambda: f"sum({x}.n for {x} in {links})",
            lambda: f"len({self.several(depth)})",
            lambda: f"{line}.index({self.number(depth)})",
            lambda: f"sum({x}.index for {x} in {several})",
            lambda: f"sum(self.kept[{self.inside(self.where)}])",
        )

    def link(self) -> str:
        """What is in flight from one process to another, messages."""
        return f"self.{self.pick('net', 'post')}.between({self.where()}, {self.where()})"

    def line(self) -> str:
        """What is in flight in order, numbers."""
        return f"self.queue.between({self.where()}, {self.where()})"

    def anything(self, depth: int) -> str:
        """Something to walk through, of numbers."""
        return self.line() if self.random.random() < 0.1 else super().anything(depth)

    def truth(self, depth: int) -> str:
        """An expression of type Bool."""
        if depth > 0 and self.random.random() < 0.15:
            x = self.name()
            test = self.inside(lambda: self.truth(0), f"{x}.index")
            several = self.inside(lambda: self.several(1))
            return self.one(
                lambda: f"{self.wire(depth - 1)} in {self.link()}",
                lambda: f"{self.where()} in {self.several(1)}",
                lambda: f"{self.several(1)} <= {self.several(0)}",
                lambda: f"{self.number(0)} in {self.line()}",
                lambda: f"any({test} for {x} in {several})",
                lambda: f"not {self.several(1)}",
                lambda: f"all({x} == {self.inside(lambda: self.wire(0))} for {x} in {self.inside(self.link)})",
            )
        return super().truth(depth)

    def simple(self) -> str:
        """A statement of one line."""
        return self._said() if self.random.random() < 0.4 else super().simple()

    def _said(self) -> str:
        net = self.pick("net", "post")
        return self.one(
            lambda: f"self.{net}.send({self.where()}, {self.where()}, {self.wire(1)})",
            lambda: f"self.{net}.send(p, {self.where()}, {self.wire(1)})",
            lambda: f"self.{net}.multicast({self.where()}, {self.wire(1)})",
            lambda: f"self.{net}.multicast(p, {self.wire(1)}, to={self.several(1)})",
            lambda: f"self.queue.send({self.where()}, {self.where()}, {self.number(1)})",
            lambda: f"self.queue.multicast(p, {self.number(1)}, to={self.several(1)})",
            lambda: f"self.emit.deliver({self.where()}, {self.number(1)})",
            lambda: f"self.emit.other({self.where()}, {self.several(1)}, {self.number(1)})",
            lambda: f"self.tell({self.where()}, {self.where()}, {self.number(1)})",
            lambda: f"self.answer({self.where()}, {self.several(1)})",
            lambda: f"self.group.{self.pick('add', 'discard', 'remove')}({self.where()})",
            lambda: f"self.group {self.pick('|', '&', '-', '^')}= {self.several(1)}",
            lambda: f"self.kept[{self.where()}].append({self.number(1)})",
        )

    def _loop(self, indent: str, depth: int) -> str:
        x, y = self.name(), self.name()
        if self.random.random() < 0.5:
            return super()._loop(indent, depth)
        if self.random.random() < 0.5:
            self.sites.append(x)
            text = (
                f"{indent}for {x} in "
                f"{self.one(lambda: 'self.Process', lambda: self.several(1))}:\n{self.block(indent, depth, f'{x}.index')}"  # noqa: E501
            )
            self.sites.remove(x)
            return text
        return (
            f"{indent}for {x} in {self.link()}:\n{indent}    match {x}:\n{indent}        case "
            f"self.Wire.Ping(n={y}):\n{self.block(indent + '        ', depth, y)}"
            f"{indent}        case _:\n{self.block(indent + '        ', 0)}"
        )

    def block(self, indent: str, depth: int, *ints: str) -> str:
        """One or two statements, one level deeper."""
        sites = list(self.sites)
        text = super().block(indent, depth, *ints)
        self.sites = sites
        return text

    def body(self, statements: int, depth: int, ints: tuple[str, ...], sites: tuple[str, ...]) -> str:
        """The statements of a method with these parameters."""
        self.ints, self.sites, self.once = list(ints), [*sites, "self.site", "self.pair.who"], True
        return "".join(self.statement("        ", depth) for _ in range(statements))


def _watched(random: Random, ints: list[str], processes: list[str]) -> str:
    """Statements of an observer."""
    x, y, p = random.choice(ints), random.choice(ints), random.choice(processes)
    options = (
        f"self.seen[{p}].add({x})",
        f"self.log.append({x})",
        f"self.sent[{p}] += 1",
        f"self.last = {p}",
        f"if {x} in self.seen[{p}]:\n            self.log.pop(0)",
        f"self.seen[{p}] |= {{{x}, {y}}}",
        f"self.sent[{p}] = {x} + {y}",
        f"self.log = self.log[1:] + [{x}]",
        f"if {x} < {y}:\n            return",
        f"for z in self.Process:\n            self.seen[z].discard({x})",
        f"self.seen[{p}] = set(self.log)",
    )
    return "".join(f"        {statement}\n" for statement in random.sample(options, random.randint(1, 2)))


def observer(random: Random) -> str:
    """The text of a property that watches events."""
    common = ["0", "1", "len(self.log)", "self.a", "len(self.net)"]
    return OBSERVER.format(
        deliver=_watched(random, [*common, "x", "self.sent[p]"], ["p"]),
        send=_watched(random, common, ["p", "q"]),
        receive=_watched(random, [*common, "self.q[0]"], ["p", "q"]),
        crash=_watched(random, [*common, "len(self.crashed)"], ["p"]),
        holds=random.choice(
            [
                "len(self.log) < 3",
                "all(2 not in self.seen[p] for p in self.Process)",
                "self.last is None or self.sent[self.last] < 2",
            ]
        ),
    )


def random_protocol(random: Random, actions: int = 1) -> str:
    """The text of a module with one model, Generated, of some actions and three handlers."""
    text = HEADER.replace("{observer}", observer(random))
    for budget in ("crashes", "losses", "duplicates", "partitions"):
        text += f"    {budget} = const({random.choice([0, 0, 1])}, '')\n"
    text += f"    channels = const('{random.choice(['unordered', 'fifo'])}', '', ('unordered', 'fifo'))\n"
    source = Protocols(random)

    def body(ints: tuple[str, ...], sites: tuple[str, ...]) -> str:
        return source.body(random.randint(1, 2), random.choice([0, 0, 1]), ints, sites)

    for number in range(actions):
        text += f"\n    @action\n    def act{number}(self, p: Process, i: Int(0, 2)):\n{body(('i',), ('p',))}"
    text += f"\n    @on(net, Wire.Ping)\n    def ping(self, p, q, n):\n{body(('n',), ('p', 'q'))}"
    text += f"\n    @on(net, Wire.Pong)\n    def pong(self, p, q, who, c):\n{body(('who.index',), ('p', 'q', 'who'))}"
    text += f"\n    @on(post)\n    def posted(self, p, q, w):\n{body(('len(self.post)',), ('p', 'q'))}"
    text += f"\n    @on(queue)\n    def queued(self, p, q, n):\n{body(('n',), ('p', 'q'))}"
    for kind in ("invariant", "step_invariant", "quiescent"):
        source.ints, source.sites, source.once = (
            ["self.before.a"] if kind == "step_invariant" else ["0"],
            ["p", "self.site"],
            False,
        )
        text += (
            f"\n    @{kind}\n    def claim_{kind}(self):\n        return all({source.truth(2)} for p in self.Process)\n"
        )
    return text.replace("Site", "Process") + "\n    properties = [Observer]\n"
