"""Random statements with symmetric identities, as Python text: loops over them that change what is a member's own,
accumulate, and leave early."""

from __future__ import annotations

from collections.abc import Callable

from tests.language.symmetric_expressions import Expressions


class Statements(Expressions):
    """Builds statements and methods."""

    def own(self, q: str, kind: str) -> tuple[str, str]:
        """What a round may change as it likes: the variable, and a statement."""
        if kind == "vs":
            return self.random.choice(
                [
                    ("votes", f"self.votes[{q}].{self.pick('add', 'discard')}({self.n(0)})"),
                    ("t", f"self.t.{self.pick('add', 'discard', 'remove')}({q})"),
                    ("table", f"self.table[{self.n(0)}][{q}] = {self.bounded()}"),
                    ("votes", f"self.votes[{q}] = {self.members()}"),
                    ("groups", f"self.groups.add({{{q}, {self.v(0)}}})"),
                ]
            )
        return self.random.choice(
            [
                ("k", f"self.k[{q}] = {self.bounded()}"),
                ("k", f"self.k[{q}] = min(2, self.k[{q}] + {self.number()})"),
                ("k", f"self.k[{q}] += {self.number(0)}"),
                ("friends", f"self.friends[{q}].{self.pick('add', 'discard')}({self.n(0)})"),
                ("friends", f"self.friends[{self.n(0)}].{self.pick('add', 'discard')}({q})"),
                ("s", f"self.s.{self.pick('add', 'discard', 'remove')}({q})"),
                ("rel", f"self.rel[{q}][{self.n(0)}] = {self.truth()}"),
                ("wish", f"self.wish[{q}] = {self.pick('None', self.v())}"),
                ("queue", f"self.queue[{q}].append({self.v()})"),
                ("queue", f"self.queue[{q}] = self.queue[{q}][1:]"),
                ("next", f"self.next[{q}] = {self.n()}"),
                ("table", f"self.table[{q}][{self.v(0)}] = {self.bounded()}"),
                ("c", f"self.c[{q}] = {self.color()}"),
                ("held", f"self.held[{q}].{self.pick('add', 'remove', 'discard')}({self.v(0)})"),
                ("friends", f"self.friends[{q}] {self.pick('|', '&', '-', '^')}= {self.members()}"),
                ("d", f"self.d[{q}] = -self.d[{q}]"),
                ("rel", f"self.rel[{self.n(0)}][{q}] = not self.rel[{self.n(0)}][{q}]"),
            ]
        )

    def accumulated(self, q: str, locals: list[tuple[str, str]]) -> tuple[str, str]:
        """What rounds may do together: the variable, and a statement.  locals: those that exist before the loop, with
        their types."""
        made = [
            ("m", f"self.m += {self.growth()}"),
            ("m", f"self.m = max(self.m, {self.bounded()})"),
            ("b", f"self.b -= {self.growth()}"),
            ("flag", f"self.flag = self.flag {self.pick('or', 'and')} {self.truth()}"),
            ("levels", f"self.levels.{self.pick('add', 'discard')}({self.bounded()})"),
            ("by", f"self.by[{self.color()}] += {self.growth()}"),
            ("s", f"self.s {self.pick('|', '&', '-')}= {self.members()}"),
            ("bag", f"self.bag.add({self.n(0)})"),
            ("pairs", f"self.pairs.add(self.Pair({self.bounded(0)}, {self.n(0)}))"),
            ("words", f"self.words.add({self.word()})"),
            ("levels", f"self.levels ^= {{{self.bounded(0)}}}"),
            ("flag", f"self.flag = not self.flag if {self.truth(0)} else self.flag"),
            ("color", f"self.color = {self.pick('Color.red', 'Color.green')}"),
            ("b", f"self.b {self.pick('+', '-')}= {self.growth()}"),
        ]
        if self.chance(0.15):  # what shows an order more often than not
            made = [
                ("who", f"self.who = {self.pick('p', 'None', self.n())}"),
                ("color", f"self.color = {self.color()}"),
                ("k", f"self.k[p] = {self.bounded()}"),
                ("log", f"self.log.append({self.n(0)})"),
                ("by", f"self.by[{self.color()}] = {self.bounded(0)}"),
                ("last", f"self.last = self.Pair({self.bounded(0)}, {self.n(0)})"),
                ("m", f"self.m = min(4, self.m * 2 + {self.number(0)})"),
                ("friends", f"self.friends[{self.n(0)}] = {self.members()}"),
                ("flag", f"self.flag = {self.truth()}"),
                ("k", f"self.k[{self.n(0)}] += {self.number(0)}"),
                ("s", f"self.s.add({self.n(0)})"),
                ("k", f"self.k[{self.n(0)}] = {self.pick('0', '1', '2')}"),
                ("nums", f"self.nums.append({self.bounded(0)})"),
            ]
        for x, kind in locals * 4:
            made += (
                [(x, f"{x} = {x} {self.pick('or', 'and')} {self.truth()}"), (x, f"{x} = not {x}")]
                if kind == "flags"
                else []
            )
            made += (
                [
                    (x, f"{x} = max({x}, {self.number()})"),
                    (x, f"{x} += {self.number()}"),
                    (x, f"{x} = min({x}, {self.number(0)})"),
                ]
                if kind == "ints"
                else []
            )
            made += [(x, f"{x} = {self.pick('p', q)}")] if kind == "ns" and self.chance(0.3) else []
        return self.random.choice([pair for pair in made if not self.pure or pair[0].startswith("x")] or [("", "pass")])

    def told(self, q: str) -> str:
        """A message, or an event."""
        body = self.one(
            lambda: f"self.Wire.Vote({self.bounded(0)}, {self.v(0)})", lambda: f"self.Wire.Name({self.n(0)})"
        )
        return self.one(
            lambda: f"self.net.send({self.n(0)}, {q}, {body})",
            lambda: f"self.net.send({q}, {self.n(0)}, {body})",
            lambda: f"self.net.multicast({q}, {body})",
            lambda: f"self.net.multicast({self.n(0)}, {body}, to={self.members()})",
            lambda: f"self.emit.deliver({q}, {self.bounded(0)})",
            lambda: f"self.emit.joined({q}, {self.n(0)})",
        )

    def word(self) -> str:
        """An expression of type Word."""
        return self.one(
            lambda: f"self.Word.Ping({self.bounded(0)})", lambda: f"self.Word.Pong({self.n(0)}, {self.v(0)})"
        )

    def best(self, q: str, kind: str, locals: list[tuple[str, str]]) -> tuple[str, str]:
        """The greatest so far, perhaps with something of it: the variable, and statements with the indentation {0}."""
        numbers = [x for x, type in locals if type == "ints"] or ([] if self.pure else ["self.m"])
        if not numbers:
            return "", "{0}pass\n"
        x, value = self.random.choice(numbers), f"self.k[{q}]" if kind == "ns" and self.chance(0.6) else self.number(0)
        flags = [y for y, type in locals if type == "flags"]
        text = f"{{0}}if {value} {self.random.choice(['>', '>', '>', '>', '>=', '<'])} {x}:\n{{0}}    {x} = {value}\n"
        if flags and self.chance(0.5):
            text += (
                f"{{0}}    {flags[0]} = {self.pick('False', 'True')}\n{{0}}elif {value} == {x}:\n{{0}}    "
                f"{flags[0]} = {self.pick('True', f'not {flags[0]}')}\n"
            )
        elif not self.pure and self.chance(0.2):
            text += (
                f"{{0}}    "
                f"{self.pick('self.who = None', 'self.flag = False', 'self.color = Color.green', 'self.m = 1', f'self.who = {q}')}\n"  # noqa: E501
            )
        return x.replace("self.", ""), text

    def loop(self, indent: str, depth: int, locals: list[tuple[str, str]] | None = None) -> str:
        """A loop over identities."""
        q, kind = self.name() if self.chance(0.97) else "p", self.random.choice(["ns", "ns", "ns", "vs"])
        if q == "p" and "p" not in self.ns:
            q = self.name()
        over = self.over(kind if q != "p" else "ns")
        kind = kind if q != "p" else "ns"
        return f"{indent}for {q} in {over}:\n" + self.inside(
            lambda: self.rounds(indent + "    ", q, kind, depth, locals or []), **{kind: q}
        )

    def rounds(self, indent: str, q: str, kind: str, depth: int, locals: list[tuple[str, str]]) -> str:
        """The body of a loop."""
        text, avoid, ints, once = "", set(self.avoid), list(self.ints), self.once
        self.once = True
        for _ in range(self.random.choice([1, 2, 2, 3])):
            pad, way = indent, self.random.random()
            if self.chance(0.45):
                text += f"{indent}if {self.truth()}:\n"
                pad += "    "
            changed = ""
            if self.distributed and not self.pure and self.chance(0.03 if self.crashes else 0.3):
                changed, made = "", self.told(q if kind == "ns" else self.n(0))
            elif way < 0.35 and not self.pure:
                changed, made = self._fresh(lambda: self.own(q, kind))
            elif way < 0.75:
                changed, made = self._fresh(lambda: self.accumulated(q, locals))
            elif way < 0.81:
                changed, body = self.best(q, kind, locals)
                made = ""
                text += body.replace("{0}", pad)
            elif way < 0.87:
                changed, made = "", self.leaving()
            elif way < 0.92:
                x = self.name()
                changed, made = "", f"{x} = {self.number()}"
                if pad == indent:
                    self.ints += [x, x]
            elif depth > 0:
                changed, made = "", ""
                text += self.loop(pad, depth - 1, locals)
            else:
                changed, made = (
                    "",
                    (f"{self.pick('self.put', 'self.rise')}({self.n(0)}, {self.v(0)})")
                    if not self.pure
                    else "continue",
                )
            text += f"{pad}{made}\n" if made else ""
            if changed:
                self.avoid.add(changed)
        self.avoid, self.ints, self.once = avoid, ints, once
        return text

    def _fresh(self, make: Callable[[], tuple[str, str]]) -> tuple[str, str]:
        """A change of what the loop does not change yet, mostly."""
        for _ in range(6):
            changed, made = make()
            if changed not in self.avoid or self.chance(0.05):
                break
        return changed, made

    def growth(self) -> str:
        """A number that is mostly not negative."""
        return (
            self.number()
            if self.chance(0.15)
            else self.pick(
                "1",
                f"self.k[{self.n(0)}]",
                f"len(self.friends[{self.n(0)}])",
                f"len(self.queue[{self.n(0)}])",
                f"int({self.truth(0)})",
                f"self.table[{self.n(0)}][{self.v(0)}]",
            )
        )

    def leaving(self) -> str:
        """What ends a round, a loop or a step."""
        if self.pure:
            return self.pick(
                "continue",
                self.random.choice(["return True", "return False"]),
                f"return {self.truth(0)}" if self.chance(0.1) else "return True",
            )
        return self.random.choice(
            [
                f"require({self.truth()})",
                f"require({self.truth()})",
                f"assert {self.truth()}, 'claim'",
                "continue",
                "return" if self.chance(0.2) else "continue",
            ]
        )

    def simple(self) -> str:
        """A statement of one line that changes something, outside of loops."""
        _, text = self.own(self.n(), "ns") if self.chance(0.4) else self.accumulated(self.n(), [])
        return self.one(
            lambda: text,
            lambda: f"require({self.truth()})",
            lambda: f"self.put({self.n()}, {self.v()})",
            lambda: f"self.log.append({self.n()})",
            lambda: f"self.word = {self.word()}",
            lambda: text,
        )

    def statement(self, indent: str, depth: int) -> str:
        """A statement of an action, with what belongs to it."""
        way = self.random.random()
        if self.distributed and way < 0.3:
            return f"{indent}{self.told(self.n())}\n"
        if way < 0.35:
            return f"{indent}{self.simple()}\n"
        if way < 0.45:
            return f"{indent}if {self.truth(2)}:\n{indent}    {self.simple()}\n" + (
                (f"{indent}else:\n{indent}    {self.simple()}\n") if self.chance(0.5) else ""
            )
        if way < 0.5:
            return self.matched(indent)
        if way < 0.55:
            return (
                f"{indent}for {self.name()} in "
                f"range({self.number(0)}):\n{self.inside(lambda: indent + '    ' + self.simple())}\n"
            )
        return self.collected(indent, depth)

    def matched(self, indent: str) -> str:
        """A loop over messages of two kinds."""
        x, y, z = self.name(), self.name(), self.name()
        first, second = (
            self.inside(lambda: self.accumulated(y, [])[1], ints=y),
            self.inside(lambda: self.one(lambda: self.own(y, "ns")[1], lambda: self.accumulated(y, [])[1]), ns=y, vs=z),
        )
        return (
            f"{indent}for {x} in self.words:\n{indent}    match {x}:\n{indent}        case "
            f"self.Word.Ping(n={y}):\n{indent}            {first}\n{indent}        case "
            f"self.Word.Pong(who={y}, v={z}):\n{indent}            {second}\n"
        )

    def collected(self, indent: str, depth: int) -> str:
        """Locals, a loop that changes them, and a use of what it left."""
        locals = [
            (self.name(), kind)
            for kind in self.random.choice(
                [[], [], ["ints"], ["flags"], ["ints", "flags"], ["ints", "ints"]] if self.chance(0.9) else [["ns"]]
            )
        ]
        start = {
            "ints": lambda: self.pick("0", "0", "1", "2"),
            "flags": lambda: self.pick("False", "True"),
            "ns": lambda: self.pick(*self.ns),
        }
        text = "".join(f"{indent}{x} = {start[kind]()}\n" for x, kind in locals)
        text += self.loop(indent, depth, locals)
        for x, kind in locals:
            use = {
                "ints": [f"self.m = min(4, max(0, {x}))", f"self.flag = {x} > 1", f"require({x} < 2)"],
                "flags": [f"self.flag = {x}", f"require({x})"],
                "ns": [f"self.who = {x}"],
            }[kind]
            text += f"{indent}{self.random.choice(use)}\n" if not self.pure else ""
        if self.pure and locals:
            self.result = [f"{x} > 0" if kind == "ints" else x if kind == "flags" else "True" for x, kind in locals]
            self.ints += [x for x, kind in locals if kind == "ints"] * 9
        return text

    def function(self, head: str, numeric: bool) -> str:
        """A function whose value may come out of a loop."""
        self.pure, self.ns, self.vs, self.ints, self.flags, self.once = True, ["p"], ["v"], ["0", "1"], ["True"], False
        self.vs = ["self.what"]
        self.result = [self.truth()]
        text = f"\n    {head}\n"
        if self.chance(0.3 if self.distributed else 0.5):
            text += self.collected("        ", 1)
        text += f"        return {self.number() if numeric else self.pick(*self.result)}\n"
        self.pure = False
        return text

    def method(
        self, head: str, statements: int, ns: list[str], vs: list[str], ints: list[str], guard: bool = True
    ) -> str:
        """A method with random statements."""
        self.ns, self.vs, self.ints, self.flags, self.once, self.avoid = (
            list(ns),
            list(vs),
            list(ints),
            ["True"],
            True,
            set(),
        )
        text = f"\n    {head}\n" + ("        require(self.left > 0)\n        self.left -= 1\n" if guard else "")
        text += "".join(self.statement("        ", 1) for _ in range(statements))
        return text + (self.collected("        ", 1) if "for x" not in text and guard else "")

    def property(self, decorator: str, number: int) -> str:
        """A claim."""
        self.ns, self.vs, self.ints, self.once, self.avoid = [f"w{number}"], [f"u{number}"], ["0", "1"], False, set()
        if decorator == "step_invariant":
            self.ints += ["self.before.left", f"self.before.k[w{number}]"]
        body = self.truth(2)
        quantified = self.random.choice(["any", "all"])
        return (
            f"\n    @{decorator}\n    def claim{number}(self) -> bool:\n        return {quantified}({body} for "
            f"w{number} in self.N for u{number} in self.V)\n"
        )
