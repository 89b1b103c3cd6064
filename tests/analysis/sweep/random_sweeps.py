"""Random distributed models, as Python text, for sweeps over budgets of faults.

Each model is small: who may begin is bounded, and handlers send only while `fuel` lasts.  What the methods do is
arbitrary where it matters to `checker sweep --implied`: guards before and after points at which a process may crash,
handlers that refuse messages, faults counted in guards and properties, observers of events, errors, assertions, and now
and then one thing that makes a verdict depend on a budget.  Few models have such a thing, since nothing is implied
where one has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from attrs import define, field

Choices = list[tuple[str, tuple[Any, ...]]]

HEADER = '''"""A random model."""

from checker.language import *

'''

DEPENDS = (
    "self.budget_left()",
    "self.few",
    "self.losses == 0",
    "self.crashes < 2",
    "self.duplicates < 1",
    "len(self.net.between(p, q)) < 2",
    "self.Wire.Quit() in self.net.between(q, p)",
    "self.channels == 'fifo'",
    "self.allowed() == 1",
    "len([v for v in self.Level]) < 2",
)
"""Conditions that depend on a budget, or on the kind of channel, by themselves."""


@define
class RandomSweep:
    """Builds one model.  depends: what makes it depend on a budget, if anything; tame: nothing goes wrong; late: an
    action may be given up after a point at which its process may crash; refuses: so may a message."""

    random: Random
    depends: str | None = None
    tame: bool = False
    late: bool = False
    refuses: bool = False
    processes: tuple[str, ...] = ("p",)
    fresh: int = 0
    emitted: set[str] = field(factory=set)

    def chance(self, probability: float) -> bool:
        """True so often."""
        return self.random.random() < probability

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
        return self.pick(*self.processes, *self.processes, "self.Process[0]", "self.Process[1]")

    def condition(self, depth: int = 1) -> str:
        """An expression of type Bool, in which p, and in methods q, are processes."""
        if depth > 0 and self.chance(0.4):
            a, b = self.condition(depth - 1), self.condition(depth - 1)
            return self.pick(f"({a} and {b})", f"({a} or {b})", f"not ({a})", f"(not {a} or {b})")
        if self.depends is not None and self.chance(0.12):
            return self._dependent()
        p, q, n = self.process(), self.process(), self.random.randint(0, 2)
        return self.pick(
            f"self.y[{p}] > {n}",
            f"self.y[{p}] == {n}",
            f"self.x[{p}] < {n + 1}",
            f"{p} in self.seen",
            f"len(self.seen) < {n + 1}",
            f"{p} in self.crashed",
            f"self.live({p})",
            f"len(self.crashed) < {n}",
            f"len(self.crashed) == {n}",
            "self.lost < 1",
            f"self.lost == {n}",
            "self.duplicated > 0",
            "self.duplicated < 1",
            f"len(self.net) < {n + 1}",
            f"{p} == {q}",
            f"{p}.index > 0",
            f"self.ready({p})",
            "self.fuel > 0",
            f"self.best() > {n}",
            f"self.flag[{p}]",
        )

    def _dependent(self) -> str:
        assert self.depends is not None
        return self.depends.replace("(p, q)", f"({self.process()}, {self.process()})").replace(
            "(q, p)", f"({self.process()}, {self.process()})"
        )

    def number(self) -> str:
        """An expression of type Int."""
        p = self.process()
        return self.pick(
            "0",
            "1",
            f"self.y[{p}]",
            f"self.x[{p}]",
            f"min(self.y[{p}] + 1, 2)",
            "min(len(self.seen), 2)",
            "min(len(self.crashed), 2)",
            "min(self.lost, 1)",
            "self.duplicated",
            f"{p}.index",
        )

    def message(self) -> str:
        """A message."""
        return self.pick(
            f"self.Wire.Ping({self.pick('0', '1')})", f"self.Wire.Pong({self.process()})", "self.Wire.Quit()"
        )

    # Statements

    def changed(self) -> str:
        """A change of variables."""
        p = self.process()
        changes = [
            f"self.y[{p}] = min(self.y[{p}] + 1, 2)",
            f"self.y[{p}] = min({self.number()}, 2)",
            f"self.x[{p}] = 2 - self.x[{p}]",
            f"self.x[{p}] = min({self.number()}, 2)",
            f"self.seen.add({p})",
            f"self.seen.discard({p})",
            f"self.flag[{p}] = True",
            f"self.flag[{p}] = {self.condition(0)}",
            f"self.touch({p})",
        ]
        if not self.tame:
            wrong = (
                f"self.y[{p}] += 1",
                f"self.seen.remove({p})",
                f"assert {self.condition()} or {self.condition()}, 'claim'",
            )
            changes += [self.random.choice(wrong)] if self.chance(0.4) else []
        return self.random.choice(changes)

    def sent(self, bounded: bool) -> list[str]:
        """Something is sent or told; bounded: only while there is fuel."""
        p, q = self.processes[0], self.process()
        event = self.pick("deliver", "note")
        told = f"self.emit.{event}({p}, {self.pick('0', '1')})"
        body = self.random.choice(
            [
                [f"self.net.send({p}, {q}, {self.message()})"],
                [
                    f"self.net.send({p}, {self.process()}, {self.message()})",
                    f"self.net.send({p}, {q}, {self.message()})",
                ],
                [f"self.net.multicast({p}, {self.message()})"],
                [f"self.net.multicast({p}, {self.message()}, to=self.seen)"],
                [f"self.pass_on({p}, {q})"],
                [
                    "for r in self.Process:",
                    f"    if {self._among('r')}:",
                    f"        self.net.send({p}, r, {self.message()})",
                ],
                [told],
                [told],
            ]
        )
        if body == [told]:
            self.emitted.add(event)
            return body
        return ["if self.fuel > 0:", "    self.fuel -= 1", *("    " + line for line in body)] if bounded else body

    def _among(self, name: str) -> str:
        kept, self.processes = self.processes, (*self.processes, name)
        text = self.condition(0)
        self.processes = kept
        return text

    def statements(self, bounded: bool, guard: float) -> list[str]:
        """Some statements; guard: how often one of them is a guard."""
        lines: list[str] = []
        for _ in range(self.random.randint(1, 3)):
            kind = self.random.random()
            if kind < guard:
                lines.append(f"require({self.condition()})")
            elif kind < guard + (0.08 if self.late or guard > 0 else 0.0):
                x = self.name()
                lines += [
                    f"{x} = choose({self.pick('self.Process', 'self.seen')})",
                    f"self.y[{x}] = min(self.y[{x}] + 1, 2)",
                ]
            elif kind < 0.5:
                lines.append(self.changed())
            elif kind < 0.8:
                lines += self.sent(bounded)
            else:
                then, other = self.sent(bounded) if self.chance(0.3) else [self.changed()], [self.changed()]
                lines += [f"if {self.condition()}:", *("    " + line for line in then)]
                if self.chance(0.3):
                    lines += ["else:", *("    " + line for line in other)]
                elif self.chance(0.2):
                    lines.append("    return")
        return lines

    # Methods

    def method(self, head: str, lines: list[str]) -> str:
        """A method with its decorators."""
        decorators, _, definition = head.rpartition("\n")
        text = "".join(f"    {line}\n" for line in decorators.split("\n") if line) + f"    {definition}\n"
        return "\n" + text + "".join(f"        {line}\n" for line in lines)

    def begins(self, number: int) -> str:
        """An action that begins something, so often."""
        self.processes = ("p", "q") if self.chance(0.2) else ("p",)
        parameters = ", ".join(f"{p}: Process" for p in self.processes)
        guards = [f"self.begun[p] < {self.pick('1', '1', '2')}"]
        guards += [self.pick("p == self.Process[0]", "p.index < 2", self.condition(0))] if self.chance(0.6) else []
        late = self.statements(False, 0.3) if self.late else []
        body = [
            f"require({' and '.join(guards)})",
            "self.begun[p] += 1",
            *self.sent(False),
            *self.statements(False, 0.0),
            *late,
        ]
        mark = self.pick("@action", "@action", "@action", "@action(fair=False)")
        return self.method(f"{mark}\ndef begin{number}(self, {parameters}):", body)

    def environment(self) -> str:
        """A fault of the model's own."""
        self.processes = ("p",)
        return self.method(
            "@action(fault=True)\ndef disturb(self, p: Process):",
            [
                f"require(not self.flag[p] and {self.condition(0)})",
                "self.flag[p] = True",
                self.pick("self.seen.add(p)", "self.touch(p)"),
            ],
        )

    def handler(self, head: str, *processes: str) -> str:
        """A handler, which may refuse its message."""
        self.processes = processes
        guard = 0.25 if self.refuses else 0.0
        return self.method(
            head,
            ([f"require({self.condition()})"] if self.refuses and self.chance(0.3) else [])
            + self.statements(True, guard),
        )

    def claim(self, kind: str) -> str:
        """The value of a property."""
        self.processes = ("p",)
        a, b = self.condition(), self.condition()
        before = f"self.before.y[p] <= self.y[p] or {a}"
        body = self.pick(
            a,
            f"not ({a}) or {b}",
            f"{a} or {b}",
            f"{a} or {b}",
            *([before, before] if kind == "step_invariant" else []),
        )
        if not self.tame and self.chance(0.06):
            body = f"6 // (2 - self.{self.pick('y', 'x')}[p]) > 0"
        each = self.pick("all", "all", "all", "any") if kind != "reachable" else "any"
        where = f" if {self.condition(0)}" if self.chance(0.3) else ""
        return f"{each}({body} for p in self.Process{where})"


def _observers(made: RandomSweep) -> tuple[str, list[str]]:
    """Property classes, some of which watch for events, and their names."""
    text, names = "", list[str]()
    if made.chance(0.6):
        events = {"on_send": "p, q", "on_receive": "p, q", "on_crash": "p", "on_deliver": "p, n", "on_note": "p, n"}
        known = [e for e in events if e in ("on_send", "on_receive", "on_crash") or e[3:] in made.emitted]
        chosen = made.random.sample(known, min(len(known), made.random.randint(1, 2)))
        text += '\nclass Watched(Invariant):\n    """Counts events."""\n    seen_so_far = var(Int(0, 2), 0)\n'
        for event in chosen:
            text += (
                f"\n    def {event}(self, {events[event]}):\n        if "
                f"{made.pick('True', 'p.index > 0', 'self.live(p)', 'self.lost < 1', 'len(self.crashed) < 2')}:\n "
                f"           self.seen_so_far = min(self.seen_so_far + 1, 2)\n"
            )
        text += (
            f"\n    def holds(self) -> bool:\n        return self.seen_so_far < {made.pick('1', '2', '3')} or "
            f"{made.claim('invariant')}\n"
        )
        names.append("Watched")
    if made.chance(0.3):
        text += '\nclass Follows(LeadsTo):\n    """Something comes sooner or later."""\n'
        if made.chance(0.7):
            text += f"\n    def when(self) -> bool:\n        return {made.claim('when')}\n"
        text += f"\n    def then(self) -> bool:\n        return {made.claim('then')}\n"
        names.append("Follows")
    return text + "\n", names


def random_sweep(random: Random) -> tuple[str, Choices]:
    """The text of a module with one model, Generated, and what to vary."""
    made = RandomSweep(
        random,
        depends=random.choice(DEPENDS) if random.random() < 0.2 else None,
        tame=random.random() < 0.6,
        late=random.random() < 0.25,
        refuses=random.random() < 0.4,
    )
    processes = random.choice((2, 2, 3))
    body = ""
    for number in range(random.randint(1, 2)):
        body += made.begins(number)
    if made.chance(0.25):
        body += made.environment()
    whole = made.chance(0.2)
    if whole:
        body += made.handler("@on(net)\ndef receive(self, p, q, body):", "p", "q")
    else:
        body += made.handler("@on(net, Wire.Ping)\ndef ping(self, p, q, n):", "p", "q")
        body += made.handler("@on(net, Wire.Pong)\ndef pong(self, p, q, who):", "p", "q", "who")
        if made.chance(0.8):
            body += made.handler("@on(net, Wire.Quit)\ndef quit(self, p, q):", "p", "q")
    made.processes = ("p",)
    body += (
        f"\n    @rule\n    def ready(self, p: Process) -> bool:\n        return self.y[p] > {made.pick('0', '1')} "
        f"or p in self.seen\n"
    )
    body += "\n    def best(self):\n        return max(self.y[p] for p in self.Process)\n"
    body += (
        f"\n    def touch(self, p: Process):\n        if "
        f"{made.pick('self.flag[p]', 'p in self.seen', 'self.x[p] > 0')}:\n            return\n        "
        f"self.flag[p] = True\n"
    )
    guard = "" if not made.late else made.pick("", "        require(self.y[p] < 2)\n")
    body += (
        f"\n    def pass_on(self, p: Process, q: Process):\n        if p != q:\n            self.net.send(p, q, "
        f"{made.message().replace('self.Process[1]', 'q')})\n{guard}        self.seen.add(q)\n"
    )
    if made.depends is not None and "allowed" in made.depends:
        body += "\n    def allowed(self):\n        return self.losses + 1\n"
    if made.chance(0.15):
        body += made.method(
            "@initial\ndef start(self):",
            [
                made.pick(
                    "self.x[self.Process[0]] = choose(range(2))",
                    "self.seen.add(self.Process[1])",
                    "self.fuel = choose(range(2))",
                )
            ],
        )
    if made.chance(0.12):
        body += (
            f"\n    @constraint\n    def bound(self) -> bool:\n        return "
            f"{made.pick('len(self.net) < 3', 'all(self.y[p] < 2 for p in self.Process)', 'self.fuel > 0', 'len(self.seen) < 2')}\n"  # noqa: E501
        )
    if made.depends is not None and made.chance(0.3):
        body += (
            "\n    @action(budget='losses')\n    def again(self, p: Process):\n        require(not "
            "self.flag[p])\n        self.flag[p] = True\n"
        )
    for kind, most, often in (
        ("invariant", 2, 0.8),
        ("quiescent", 2, 0.8),
        ("step_invariant", 1, 0.4),
        ("reachable", 1, 0.1),
    ):
        for number in range(random.randint(1, most) if made.chance(often) else 0):
            body += f"\n    @{kind}\n    def {kind}{number}(self) -> bool:\n        return {made.claim(kind)}\n"
    observers, names = _observers(made)
    kept = made.pick("", ", kept=True")
    text = HEADER + observers + "\nclass Generated(Distributed):\n"
    text += (
        (f"    processes = const({processes}, '')\n    few = derived(lambda c: c.losses == 0)\n")
        if made.depends == "self.few"
        else f"    processes = const({processes}, '')\n"
    )
    text += "    Level = Int(0, Distributed.losses)\n" if made.depends is not None and "Level" in made.depends else ""
    text += "    Wire = Union(Ping=Record(n=Int(0, 1)), Pong=Record(who=Process), Quit=Record())\n\n"
    text += (
        f"    net = var({made.pick('Network', 'Network', 'Network', 'Network', 'Fifo')}[Process, Wire])\n    x = "
        f"var(Map[Process, Int(0, 2)], {made.pick('0', '1', '0', 'anything')})\n    y = var(Map[Process, "
        f"Int(0, 2)], 0{kept})\n"
    )
    text += (
        f"    flag = var(Map[Process, Bool]{made.pick('', ', False, kept=True')})\n    begun = var(Map[Process, "
        f"Int(0, 2)], 0, kept=True)\n    seen = var(Set[Process])\n    fuel = var(Int(0, 2), "
        f"{made.pick('0', '1', '2')})\n"
    )
    text += (
        "    spare = var(Int(0, 1), 0, budget='duplicates')\n" if made.depends is not None and made.chance(0.2) else ""
    )
    text += f"    properties = [{', '.join(names)}]\n"
    return text + body, _varied(random, "Network[" in text + body)


def _varied(random: Random, unordered: bool) -> Choices:
    """Values of one to three constants.  unordered: whether a network has the order that `channels` gives."""
    values: Mapping[str, Callable[[], tuple[Any, ...]]] = {
        "crashes": lambda: random.choice(((0, 1), (0, 1), (0, 1, 2), (1, 2))),
        "losses": lambda: random.choice(((0, 1), (0, 1), (1, 2))),
        "duplicates": lambda: (0, 1),
        "partitions": lambda: (0, 1),
        "channels": lambda: ("unordered", "fifo"),
    }
    names = random.choice(
        (
            ("crashes", "losses"),
            ("crashes", "losses"),
            ("crashes", "channels"),
            ("losses", "channels"),
            ("losses", "channels"),
            ("crashes", "losses", "channels"),
            ("crashes", "duplicates"),
            ("crashes",),
            ("crashes", "partitions"),
            ("losses", "duplicates"),
        )
    )
    return [(name, values[name]()) for name in names if unordered or name != "channels"]
