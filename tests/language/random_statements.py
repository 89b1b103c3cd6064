"""Random models of one action each, as Python text: statements over nested collections, with everything that Python
evaluates in an order of its own.

The grammar is that of `random_source` taken further where compilers go wrong: places with computed keys, changes in
place, names for collections, procedures with collections as parameters, `pop` and `choose` inside expressions, loops
over what is made or changed, errors anywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from checker.frontend.kinds import OPERATIONS, Kind
from tests.language.enumeration.table import changes, worded

HEADER = '''"""A random model."""

from enum import Enum

from checker.language import *


class Color(Enum):
    red = 0
    green = 1
    blue = 2


class Generated(Model):
    Site = Ids("p", 2)
    Pair = Record(n=Int(1, 2), who=Site)
    Wire = Union(Ping=Record(n=Int(0, 2)), Pong=Record(who=Site, c=Color))

    a = var(Int(0, 3), 1)
    b = var(Int(-2, 3), 0)
    flag = var(Bool, False)
    q = var(Seq[Int(0, 3), 3], [2, 0])
    r = var(Seq[Int(0, 2), 2], [1])
    s = var(Set[Int(0, 3)], {1, 3})
    m = var(Map[Int(0, 2), Int(0, 3)], 1)
    mm = var(Map[Site, Map[Site, Int(0, 3)]], 1)
    ms = var(Map[Site, Set[Int(0, 3)]], {2})
    mq = var(Map[Site, Seq[Int(0, 3), 2]], [1])
    pair = var(Pair, anything)
    pairs = var(Seq[Pair, 2])
    owner = var(Optional[Site], None)
    color = var(Color, Color.red)
    site = var(Site, anything)
    bag = var(Bag[Int(0, 2), 3])
    words = var(Seq[Wire, 2])

    @rule
    def quotient(self, x, y):
        return x // y + self.q[x - y]

    @rule
    def load(self, p: Site):
        return sum(self.mq[p]) + len(self.s)

    @rule
    def line(self, p: Site):
        return self.mq[p]

    @rule
    def either(self, p: Site, x):
        if x in self.ms[p]:
            return self.s
        return self.ms[p]

    def put(self, target, other, k):
        target.add(k)
        if k in other:
            other.discard(1)
            return
        other.add(len(target))

    def push(self, target, other, k: Int(0, 3)):
        target.append(k)
        other.pop(0)
        target.append(len(other))

    def bump(self, x, y):
        self.a = x
        self.b = y - self.a
'''


class Statements:
    """Builds the text of one action.  ints, sites: expressions of these types in scope; once: whether what is built now
    is evaluated exactly once."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.ints, self.sites = ["i"], ["p", "self.site", "self.pair.who"]
        self.once = True
        self.fresh = 0

    def pick(self, *options: str) -> str:
        """One of the texts."""
        return self.random.choice(options)

    def one(self, *options: Callable[[], str]) -> str:
        """What one of the makers makes."""
        return self.random.choice(options)()

    def name(self) -> str:
        """A new local name."""
        self.fresh += 1
        return f"x{self.fresh}"

    def inside(self, make: Callable[[], str], *ints: str) -> str:
        """Text that is evaluated never or several times, with more names for numbers."""
        once, self.once, self.ints = self.once, False, [*self.ints, *ints]
        text = make()
        self.once, self.ints = once, self.ints[: len(self.ints) - len(ints)]
        return text

    # Expressions

    def where(self, depth: int = 1) -> str:
        """An expression of type Site."""
        if depth > 0 and self.once and self.random.random() < 0.3:
            return "choose(self.Site)"
        if depth > 0 and self.random.random() < 0.4:
            return self.one(
                lambda: f"self.Site[{self.number(depth - 1)}]",
                lambda: "self.owner",
                lambda: f"(p if {self.truth(0)} else self.site)",
                lambda: "min(self.Site, key=lambda z: self.mm[z][p])",
            )
        return self.pick(*self.sites)

    def number(self, depth: int) -> str:
        """An expression of type Int."""
        if depth <= 0:
            return self.pick(
                "0",
                "1",
                "2",
                "3",
                "self.a",
                "self.b",
                "len(self.q)",
                "len(self.s)",
                "self.pair.n",
                *self.ints,
                *self.ints,
            )
        if self.once and self.random.random() < 0.2:
            return self._moved(depth - 1)
        return self.one(
            lambda: self._computed(depth - 1), lambda: self._looked_up(depth - 1), lambda: self._counted(depth - 1)
        )

    def _moved(self, depth: int) -> str:
        return self.one(
            lambda: f"self.q.pop({self.one(lambda: '', lambda: '0', lambda: self.number(depth))})",
            lambda: f"self.mq[{self.where()}].pop(0)",
            lambda: "self.r.pop()",
            lambda: f"choose({self.members(depth)})",
            lambda: f"choose({self.items(depth)})",
        )

    def _computed(self, depth: int) -> str:
        def n() -> str:
            return self.number(depth)

        return self.one(
            lambda: f"({n()} {self.pick('+', '-', '*', '//', '%')} {n()})",
            lambda: f"-{n()}",
            lambda: f"abs({n()})",
            lambda: f"min({n()}, {n()})",
            lambda: f"({self.inside(n)} if {self.truth(depth)} else {self.inside(n)})",
            lambda: f"self.quotient({n()}, {n()})",
            lambda: f"self.load({self.where()})",
            lambda: f"int({self.truth(depth)})",
        )

    def _looked_up(self, depth: int) -> str:
        def n() -> str:
            return self.number(depth)

        return self.one(
            lambda: f"self.m[{n()}]",
            lambda: f"self.q[{n()}]",
            lambda: "self.q[-1]",
            lambda: f"self.mm[{self.where()}][{self.where()}]",
            lambda: f"self.mq[{self.where()}][{n()}]",
            lambda: f"{self.items(depth)}[{n()}]",
            lambda: f"self.pairs[{n()}].n",
            lambda: "self.pair.who.index",
            lambda: f"{self.items(depth)}.index({n()})",
            lambda: f"{self.items(depth)}.count({n()})",
            lambda: f"self.bag.count({n()})",
        )

    def _counted(self, depth: int) -> str:
        x = self.name()
        over = self.inside(lambda: self.anything(depth))
        body = self.inside(lambda: self.number(depth), x)
        test = self.inside(lambda: self.truth(depth), x)
        return self.one(
            lambda: f"max({self.items(depth)}, default={self.number(depth)})",
            lambda: f"min({self.members(depth)})",
            lambda: f"sum({body} for {x} in {over})",
            lambda: f"min(({body} for {x} in {over} if {test}), default=1)",
            lambda: f"len({self.anything(depth)})",
            lambda: f"sum({self.items(depth)})",
            lambda: f"max({over}, key=lambda {x}: {body})",
            lambda: f"len([{body} for {x} in {over}])",
        )

    def anything(self, depth: int) -> str:
        """Something to walk through, of numbers."""
        return self.one(
            lambda: self.members(depth),
            lambda: self.items(depth),
            lambda: "range(3)",
            lambda: f"range({self.number(depth - 1)})",
            lambda: "self.bag",
        )

    def members(self, depth: int) -> str:
        """An expression of type Set[Int]."""
        x = self.name()
        if depth <= 0 or self.random.random() < 0.3:
            return self.one(lambda: "self.s", lambda: f"self.ms[{self.where()}]")
        return self.one(
            lambda: f"{{{self.number(depth - 1)}, {self.number(depth - 1)}}}",
            lambda: f"({self.members(depth - 1)} {self.pick('|', '&', '-', '^')} {self.members(depth - 1)})",
            lambda: (
                f"{{{self.inside(lambda: self.number(depth - 1), x)} for {x} in "
                f"{self.inside(lambda: self.anything(depth - 1))}}}"
            ),
            lambda: f"set({self.items(depth - 1)})",
            lambda: f"self.either({self.where()}, {self.number(depth - 1)})",
        )

    def items(self, depth: int) -> str:
        """An expression of type Seq[Int]."""
        x = self.name()
        if depth <= 0 or self.random.random() < 0.3:
            return self.one(lambda: "self.q", lambda: "self.r", lambda: f"self.mq[{self.where()}]")
        return self.one(
            lambda: f"[{self.number(depth - 1)}, {self.number(depth - 1)}]",
            lambda: f"({self.items(depth - 1)} + {self.items(depth - 1)})",
            lambda: f"{self.items(depth - 1)}[{self.number(0)}:{self.number(0)}]",
            lambda: f"{self.items(depth - 1)}[{self.number(depth - 1)}:]",
            lambda: (
                f"[{self.inside(lambda: self.number(depth - 1), x)} for {x} in "
                f"{self.inside(lambda: self.anything(depth - 1))}]"
            ),
            lambda: (
                f"sorted({self.items(depth - 1)}, key=lambda {x}: "
                f"{self.inside(lambda: self.number(depth - 1), x)}, reverse={self.pick('True', 'False')})"
            ),
            lambda: f"{self.pick('list', 'sorted')}({self.anything(depth - 1)})",
            lambda: f"self.line({self.where()})",
            lambda: (
                f"[k + {self.inside(lambda: self.number(0))} for k in "
                f"reversed({self.inside(lambda: self.items(depth - 1))})]"
            ),
        )

    def truth(self, depth: int) -> str:
        """An expression of type Bool."""
        if depth <= 0 or self.random.random() < 0.2:
            return self.pick(
                "self.flag", f"{self.number(0)} < {self.number(0)}", "self.owner is None", "self.color == Color.red"
            )

        def n() -> str:
            return self.number(depth - 1)

        x = self.name()
        over = self.inside(lambda: self.anything(depth - 1))
        test = self.inside(lambda: self.truth(depth - 1), x)
        later = self.inside(lambda: self.truth(depth - 1))
        return self.one(
            lambda: f"({self.truth(depth - 1)} {self.pick('and', 'or')} {later})",
            lambda: f"not {self.truth(depth - 1)}",
            lambda: f"{n()} {self.pick('<', '<=', '==', '!=')} {n()}",
            lambda: f"{n()} < {n()} <= {self.inside(n)}",
            lambda: f"{n()} {self.pick('in', 'not in')} {self.anything(depth - 1)}",
            lambda: f"{n()} in ({self.inside(n)}, {self.inside(n)})",
            lambda: f"{n()} in range({self.inside(n)}, {self.inside(n)})",
            lambda: f"any({test} for {x} in {over})",
            lambda: f"all([{test} for {x} in {over}])",
            lambda: f"{self.members(depth - 1)} {self.pick('<=', '==')} {self.members(depth - 1)}",
            lambda: f"{self.items(depth - 1)} == {self.items(depth - 1)}",
            lambda: f"({n()}, {n()}) < ({n()}, {n()})",
            lambda: f"self.owner == {self.where()}",
            lambda: f"self.Pair({n()}, {self.where()}) in self.pairs",
        )

    # Statements

    def simple(self) -> str:
        """A statement of one line."""
        return self.one(self._assigned, self._changed, self._called, self._from_the_tables)

    def _from_the_tables(self) -> str:
        """A row of the tables of the language that changes a collection of the state."""
        kind, place, other = self.random.choice(
            [
                (Kind.SEQ, "self.q", self.items),
                (Kind.SEQ, f"self.mq[{self.where()}]", self.items),
                (Kind.SET, "self.s", self.members),
                (Kind.SET, f"self.ms[{self.where()}]", self.members),
                (Kind.MAP, "self.m", self.items),
            ]
        )
        operation = self.pick(*(row for row, kinds in OPERATIONS.items() if kind in kinds and changes(row)))
        return worded(operation, {"c": place, "d": other(1), "v": self.number(2), "i": self.number(1)})

    def _assigned(self) -> str:
        def n() -> str:
            return self.number(2)

        return self.one(
            lambda: f"self.a = {n()}",
            lambda: f"self.m[{n()}] = {n()}",
            lambda: f"self.m[{n()}] {self.pick('+', '-', '//')}= {n()}",
            lambda: f"self.mm[{self.where()}][{self.where()}] {self.pick('', '+', '-')}= {n()}",
            lambda: f"self.q[{n()}] = {n()}",
            lambda: f"self.mq[{self.where()}][{self.number(1)}] {self.pick('', '+')}= {n()}",
            lambda: f"self.a, self.b = {n()}, {n()}",
            lambda: f"self.q[{self.number(1)}], self.m[{self.number(1)}] = {n()}, {n()}",
            lambda: f"self.pair = self.Pair({n()}, {self.where()})",
            lambda: f"self.pair = self.Pair(who={self.where()}, n={n()})",
            lambda: f"self.mq[{self.where()}] = {self.items(2)}",
            lambda: f"self.s = {self.members(2)}",
            lambda: f"self.owner = {self.where()}",
            lambda: f"self.flag = {self.truth(2)}",
            lambda: f"self.site = {self.where()}",
            lambda: f"self.mm[{self.where()}] = {{k: {self.inside(lambda: self.number(1))} for k in self.Site}}",
        )

    def _changed(self) -> str:
        def n() -> str:
            return self.number(2)

        def group() -> str:
            return f"self.ms[{self.where()}]"

        def line() -> str:
            return f"self.mq[{self.where()}]"

        return self.one(
            lambda: f"self.q.append({n()})",
            lambda: f"{group()}.{self.pick('add', 'remove', 'discard')}({n()})",
            lambda: f"self.s |= {self.members(2)}",
            lambda: f"{group()} {self.pick('&', '-', '^', '|')}= {self.members(2)}",
            lambda: f"{self.one(group, lambda: 'self.s')}.update({self.members(2)})",
            lambda: f"{self.one(line, lambda: 'self.q')} += {self.items(2)}",
            lambda: f"{line()}.append({n()})",
            lambda: f"{line()}.insert({self.number(1)}, {self.number(1)})",
            lambda: f"self.q.{self.pick('remove', 'pop')}({n()})",
            lambda: f"self.bag.{self.pick('add', 'remove')}({self.number(1)})",
            lambda: f"self.pairs.append(self.Pair({n()}, {self.where()}))",
            lambda: f"self.words.append(self.Wire.Ping({self.number(1)}))",
            lambda: f"self.words.append(self.Wire.Pong({self.where()}, Color.blue))",
            lambda: "self.words.pop(0)",
            lambda: "self.q.clear()",
        )

    def _called(self) -> str:
        def n() -> str:
            return self.number(1)

        return self.one(
            lambda: f"require({self.truth(2)})",
            lambda: f"assert {self.truth(2)}, 'claim'",
            lambda: f"self.put(self.ms[{self.where()}], self.ms[{self.where()}], {n()})",
            lambda: f"self.put(set({self.members(1)}), self.ms[{self.where()}], {n()})",
            lambda: f"self.push(self.mq[{self.where()}], self.mq[{self.where()}], {n()})",
            lambda: f"self.bump({n()}, {n()})",
            lambda: f"self.bump(y={n()}, x={n()})",
        )

    def statement(self, indent: str, depth: int) -> str:
        """One statement, perhaps with a body."""
        if depth <= 0 or self.random.random() < 0.5:
            return f"{indent}{self.simple()}\n"
        return self.one(
            lambda: self._branch(indent, depth - 1),
            lambda: self._loop(indent, depth - 1),
            lambda: self._named(indent, depth - 1),
            lambda: self._local(indent, depth - 1),
        )

    def block(self, indent: str, depth: int, *ints: str) -> str:
        """One or two statements, one level deeper."""
        known = list(self.ints)
        self.ints += ints
        text = "".join(self.statement(indent + "    ", depth) for _ in range(self.random.randint(1, 2)))
        self.ints = known
        return text

    def _branch(self, indent: str, depth: int) -> str:
        return f"{indent}if {self.truth(2)}:\n{self.block(indent, depth)}{indent}else:\n{self.block(indent, depth)}"

    def _loop(self, indent: str, depth: int) -> str:
        x, y = self.name(), self.name()
        return self.one(
            lambda: f"{indent}for {x} in {self.anything(1)}:\n{self.block(indent, depth, x)}",
            lambda: f"{indent}for {x}, {y} in enumerate({self.items(1)}):\n{self.block(indent, depth, x, y)}",
            lambda: (
                f"{indent}for {x}, {y} in zip({self.items(1)}, {self.items(1)}):\n{self.block(indent, depth, x, y)}"
            ),
            lambda: (
                f"{indent}for {x} in range({self.number(1)}, {self.number(1)}, "
                f"{self.pick('2', '-1')}):\n{self.block(indent, depth, x)}"
            ),
            lambda: (
                f"{indent}for {x} in self.words:\n{indent}    match {x}:\n{indent}        case "
                f"self.Wire.Ping(n={y}):\n{indent}            self.a = {y} + {self.number(1)}\n"
                f"{indent}        case self.Wire.Pong(who={y}):\n{indent}            self.site = {y}\n"
            ),
        )

    def _named(self, indent: str, depth: int) -> str:
        """A name for something, which is then changed or read."""
        x = self.name()
        made, change = self.random.choice([(self.members, "add"), (self.items, "append")])
        start = f"{indent}{x}{self.pick('', ', self.a')} = "
        value = made(1) if ", " not in start else f"{made(1)}, {self.number(1)}"
        changed = self.pick(f"{indent}{x}.{change}({self.number(1)})\n", "")
        return f"{start}{value}\n{self.statement(indent, depth)}{changed}{indent}self.a = len({x}) + {self.number(1)}\n"

    def _local(self, indent: str, depth: int) -> str:
        """A collection of the method itself."""
        x = self.name()
        if self.random.random() < 0.5:
            return (
                f"{indent}{x} = {self.pick('list', 'sorted')}({self.items(1)})\n{indent}{x} += "
                f"[{self.number(1)}, len({x})]\n{indent}while len({x}) > {self.number(0)}:\n"
                f"{indent}    self.a = "
                f"{x}.pop({self.pick('', '0')})\n{self.block(indent, depth)}{indent}self.b = len({x})\n"
            )
        return (
            f"{indent}{x} = set({self.anything(1)})\n{indent}{x} |= {{{self.number(1)}, "
            f"len({x})}}\n{indent}{x}.discard({self.number(1)})\n{indent}self.s = {x}\n"
        )


def random_statements(random: Random) -> str:
    """The text of a module with one model, Generated, of one action."""
    source = Statements(random)
    depth = random.choice([0, 0, 1, 2])
    body = "".join(source.statement("        ", depth) for _ in range(random.randint(1, 2)))
    return f"{HEADER}\n    @action\n    def act(self, i: Int(0, 3), p: Site):\n{body}"
