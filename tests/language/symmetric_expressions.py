"""Random expressions over symmetric identities, as Python text; what a loop changes is seldom read in it."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random


class Expressions:
    """Builds expressions.  ns, vs, ints, flags: expressions in scope of these types; avoid: variables that the loop
    around changes; own: its member."""

    def __init__(self, random: Random, distributed: bool = False) -> None:
        self.random, self.distributed = random, distributed
        self.crashes = distributed and random.random() < 0.4
        self.ns, self.vs, self.ints, self.flags = ["p"], ["v"], ["i"], ["True"]
        self.avoid: set[str] = set()
        self.once, self.pure = True, False
        self.fresh = 0

    # Choosing

    def chance(self, p: float) -> bool:
        """True with this probability."""
        return self.random.random() < p

    def pick(self, *options: str) -> str:
        """One of the texts; seldom one that reads what is to be avoided."""
        if not self.chance(0.05):
            options = tuple(x for x in options if not self.avoid & set(re.findall(r"self\.(\w+)", x))) or options
        return self.random.choice(options)

    def one(self, *options: Callable[[], str]) -> str:
        """What one of the makers makes; seldom what reads what is to be avoided."""
        for _ in range(4):
            text = self.random.choice(options)()
            if not self.avoid & set(re.findall(r"self\.(\w+)", text)) or self.chance(0.05):
                return text
        return text

    def name(self) -> str:
        """A new local name."""
        self.fresh += 1
        return f"x{self.fresh}"

    def inside(self, make: Callable[[], str], **more: str) -> str:
        """Text that is evaluated never or several times, with more names in scope."""
        once, self.once = self.once, False
        text = self.within(make, **more)
        self.once = once
        return text

    def within(self, make: Callable[[], str], **more: str) -> str:
        """Text with more names in scope."""
        before = {kind: list(getattr(self, kind)) for kind in ("ns", "vs", "ints", "flags")}
        for kind, name in more.items():
            getattr(self, kind).extend([name] * 4)
        text = make()
        for kind, names in before.items():
            setattr(self, kind, names)
        return text

    # Expressions

    def n(self, depth: int = 1) -> str:
        """An expression of type N."""
        if depth > 0 and self.once and not self.pure and self.chance(0.12):
            return self.pick("choose(self.N)", "choose(self.s)")
        if depth > 0 and self.chance(0.12):
            return self.one(
                lambda: "self.who",
                lambda: f"({self.n(0)} if {self.truth(0)} else {self.n(0)})",
                lambda: f"self.next[{self.n(0)}]",
                lambda: "self.log[0]",
            )
        return self.pick(*self.ns)

    def v(self, depth: int = 1) -> str:
        """An expression of type V."""
        if depth > 0 and self.once and not self.pure and self.chance(0.12):
            return "choose(self.V)"
        if depth > 0 and self.chance(0.15):
            return self.one(
                lambda: "self.what", lambda: f"self.wish[{self.n(0)}]", lambda: f"self.queue[{self.n(0)}][0]"
            )
        return self.pick(*self.vs)

    def color(self) -> str:
        """An expression of type Color."""
        return self.one(
            lambda: "Color.red", lambda: "Color.green", lambda: "self.color", lambda: f"self.c[{self.n(0)}]"
        )

    def number(self, depth: int = 1) -> str:
        """An expression of type Int."""
        n, v = self.n(0), self.v(0)
        if depth <= 0 or self.chance(0.4):
            leaves = [
                "0",
                "1",
                "2",
                "self.m",
                "self.b",
                "len(self.s)",
                f"self.k[{n}]",
                f"self.k[{n}]",
                f"self.d[{n}]",
                f"len(self.friends[{n}])",
                f"self.table[{n}][{v}]",
            ]
            leaves += [
                f"self.bag.count({n})",
                f"len(self.queue[{n}])",
                f"len(self.votes[{v}])",
                "self.nums[0]",
                f"self.held[{n}].count({v})",
                f"self.by[{self.color()}]",
                *self.ints * 2,
            ]
            return self.pick(*leaves)
        x, kind = self.name(), self.random.choice(["ns", "ns", "vs"])
        over = self.over(kind)
        body, test = (
            self.inside(lambda: self.number(depth - 1), **{kind: x}),
            self.inside(lambda: self.truth(depth - 1), **{kind: x}),
        )
        return self.one(
            lambda: (
                f"({self.number(depth - 1)} {self.pick('+', '-', '+', '-', '*', '//', '%')} {self.number(depth - 1)})"
            ),
            lambda: f"min({self.number(depth - 1)}, {self.number(depth - 1)})",
            lambda: f"sum({body} for {x} in {over} if {test})",
            lambda: f"max(({body} for {x} in {over}), default=0)",
            lambda: f"min({body} for {x} in {over})",
            lambda: f"len([{x} for {x} in {over} if {test}])",
            lambda: f"len({{{body} for {x} in {over}}})",
            lambda: f"int({self.truth(depth - 1)})",
            lambda: (
                f"({self.inside(lambda: self.number(0))} if {self.truth(0)} else {self.inside(lambda: self.number(0))})"
            ),
            lambda: f"self.load({n})",
            lambda: f"sum({{{body} for {x} in {over}}})",
            lambda: f"max({self.number(0)}, {self.number(0)})",
            lambda: f"max(self.levels, key=lambda {x}: ({x} + {self.number(0)}) % 2, default=1)",
            lambda: f"sorted({{{body} for {x} in {over}}}, key=lambda z: z % 2)[0]",
        )

    def bounded(self, depth: int = 1) -> str:
        """A number that mostly stays in 0..2."""
        return self.number(depth) if self.chance(0.35) else f"min(2, max(0, {self.number(depth)}))"

    def truth(self, depth: int = 1) -> str:
        """An expression of type Bool."""
        n, o, v = self.n(0), self.n(0), self.v(0)
        for _ in range(3):
            o = self.n(0) if o == n else o
        if depth <= 0 or self.chance(0.4):
            leaves = [
                "self.flag",
                f"{n} in self.s",
                f"self.who == {n}",
                "self.who is None",
                f"{n} == {o}",
                f"{n} != {o}",
                f"self.k[{n}] {self.pick('>', '==')} {self.pick('0', '1', *self.ints)}",
            ]
            leaves += [
                f"{o} in self.friends[{n}]",
                f"self.rel[{n}][{o}]",
                f"self.wish[{n}] == {v}",
                f"{v} in self.queue[{n}]",
                f"self.c[{n}] == {self.color()}",
                f"{n} in self.votes[{v}]",
            ]
            leaves += [f"{n} in self.crashed", f"len(self.net.between({n}, {o})) > 0"] if self.distributed else []
            leaves += [
                f"self.next[{n}] == {o}",
                f"self.Pair({self.pick('0', '1', *self.ints)}, {n}) in self.pairs",
                f"{v} in self.t",
                "self.last is not None",
                f"{n} in self.log",
                f"{v} in self.held[{n}]",
            ]
            return self.pick(*leaves, *self.flags)
        x, kind = self.name(), self.random.choice(["ns", "ns", "vs"])
        over = self.over(kind)
        body, test = (
            self.inside(lambda: self.truth(depth - 1), **{kind: x}),
            self.inside(lambda: self.truth(0), **{kind: x}),
        )
        if self.chance(0.12):
            return f"self.ready({n})"
        return self.one(
            lambda: f"({self.truth(depth - 1)} {self.pick('and', 'or')} {self.inside(lambda: self.truth(depth - 1))})",
            lambda: f"not {self.truth(depth - 1)}",
            lambda: f"any({body} for {x} in {over} if {test})",
            lambda: f"all({body} for {x} in {over})",
            lambda: f"all([{body} for {x} in {over}])",
            lambda: f"{self.number(depth - 1)} {self.pick('<', '<=', '==', '!=')} {self.number(depth - 1)}",
            lambda: f"self.ready({n})",
            lambda: f"{self.members(1)} {self.pick('<=', '==', '<')} {self.members(1)}",
            lambda: f"self.queue[{n}] == self.queue[{o}]",
            lambda: f"{self.number(depth - 1)} in self.levels",
            lambda: f"self.held[{n}] == self.held[{o}]",
            lambda: (
                (f"(self.k[{n}], {n}) {self.pick('==', '==', '<')} (self.k[{o}], {o})")
                if self.chance(0.3)
                else f"self.table[{n}] == self.table[{o}]"
            ),
        )

    def members(self, depth: int = 1) -> str:
        """An expression of type Set[N]."""
        x = self.name()
        if depth <= 0 or self.chance(0.5):
            return self.one(
                lambda: "self.s",
                lambda: f"self.friends[{self.n(0)}]",
                lambda: f"self.votes[{self.v(0)}]",
                lambda: f"{{{self.n(0)}}}",
            )
        return self.one(
            lambda: f"({self.members(depth - 1)} {self.pick('|', '&', '-', '^')} {self.members(depth - 1)})",
            lambda: f"{{{x} for {x} in {self.over('ns')} if {self.inside(lambda: self.truth(0), ns=x)}}}",
            lambda: f"{{{self.n(0)}, {self.n(0)}}}",
            lambda: "set(self.log)",
        )

    def over(self, kind: str) -> str:
        """Something to walk through, of identities."""
        if kind == "vs":
            return self.pick("self.V", "self.V", "self.t", f"self.queue[{self.n(0)}]", f"self.held[{self.n(0)}]")
        return self.pick(
            "self.N",
            "self.N",
            "self.N",
            "self.s",
            f"self.friends[{self.n(0)}]",
            "self.bag",
            f"self.votes[{self.v(0)}]",
            "self.log",
            "(self.s - {p})" if "p" in self.ns else "self.s",
        )
