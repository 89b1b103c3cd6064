"""Each row of the table "What is written has an effect or is refused" of docs/language.md as text of a class body: for
a model, an edit and a property class.

`effect` means: with it the report of a check is another one than without it (`instead` stands there then), and no
finding of the kinds below is new.
"""

from __future__ import annotations

from textwrap import indent

from attrs import frozen

TEXT = '''from enum import Enum
from functools import cache

from checker.language import (
    Bool, Distributed, Ids, Int, Invariant, LeadsTo, Map, Model, Network, Process, Quiescence, Reachable, Seq, Set, StepInvariant, action, anything, chain, choose, const,
    constraint, derived, draw, holds, initial, invariant, on, quiescent, reachable, require, rule, step_invariant, var, violates,
)


class Low({kind}):
{property}


class Comes(LeadsTo):
    """x is 4 sooner or later."""

    def then(self) -> bool:
        return self.x == 4


class Listed(Reachable):
    """For a row to list."""

    def holds(self) -> bool:
        return self.x == 2


class M(Distributed):
{doc}
    processes = const(2, "")
    Number = Int(0, 4)
    LIMIT = 5
    x = var(Number, 0)
    net = var(Network[Process, Bool])
    {properties}

{model}

    @action
    def step(self, p: Process):
        require(self.x < 4 and p.index == 0 and ({model_use}))
        self.x += 1
        self.emit.went(p)

    @action
    def send(self, p: Process):
        require(p.index == 0 and self.x == 0 and len(self.net) == 0)
        self.net.send(p, p, True)

    @rule
    def high(self):
        return self.x > self.LIMIT

    @invariant
    def fine(self) -> bool:
        return not self.high()


class Edited(M):
{edit}

    @rule
    def high(self):
        return self.x > 3 and not ({edit_use})
'''  # noqa: E501

HOLDS = "def holds(self) -> bool:\n    return self.x < 5 and ({use})"


@frozen
class Row:
    """The text of a row, and another one for an edit or a property class if it needs one.  use: a condition that reads
    it, false where x is 4; kind: of the property class; instead: what stands there when it is not written."""

    text: str
    use: str = "True"
    property: str | None = None
    edit: str | None = None
    kind: str = "Invariant"
    instead: str = ""
    constants: tuple[tuple[str, object], ...] = ()


def source(row: Row, column: str, written: bool) -> str:
    """The text of a file in which the row is written in one class, or is not."""
    special = {"edit": row.edit, "property": row.property}.get(column)
    text = (row.text if special is None else special) if written else row.instead
    use = row.use if written or row.instead else "True"
    parts = {
        "model": "",
        "edit": "pass",
        "property": "",
        "model_use": "True",
        "edit_use": "True",
        "kind": row.kind if column == "property" else "Invariant",
        "doc": "",
    }
    parts[column] = text or "pass"
    if column != "property":
        parts[f"{column}_use"] = use
    if column != "property" or "def holds" not in text and parts["kind"] == "Invariant":
        parts["property"] += "\n\n" + HOLDS.format(use=use if column == "property" else "True")
    if column == "model" and text.startswith('"""'):
        parts |= {"doc": text, "model": ""}
    parts["properties"] = "" if column == "model" and "properties =" in text else "properties = [Low, Comes]"
    return TEXT.format(
        **{
            name: indent(value, "    ") if name in ("model", "edit", "property", "doc") else value
            for name, value in parts.items()
        }
    )


ROWS: dict[str, Row] = {
    "`name = const(...)`, read": Row('most = const(2, "the most")', "self.x <= self.most"),
    "`name = const(...)`, read nowhere": Row('most = const(2, "the most")'),
    "`name = derived(...)`, read": Row("most = derived(lambda c: c.processes)", "self.x <= self.most"),
    "`name = derived(...)`, read nowhere": Row("most = derived(lambda c: c.processes)"),
    "`name = Int(0, 2)`, or another type, used": Row("Small = Int(0, 2)", "self.x in self.Small"),
    "`name = Int(0, 2)`, or another type, used nowhere": Row("Small = Int(0, 2)"),
    "an `Enum` class, used": Row("class Colour(Enum):\n    red = 1\n    green = 2", "self.x <= len(self.Colour)"),
    "an `Enum` class, used nowhere": Row("class Colour(Enum):\n    red = 1\n    green = 2"),
    "another class": Row("class Point:\n    pass"),
    "`name = var(Type, initial)`, read or changed": Row("bound = var(Int(0, 3), anything)", "self.x < self.bound"),
    "`name = var(Type, initial)`, named nowhere": Row("bound = var(Int(0, 3), 1)"),
    "`var(Map[Process, ...], kept=True)`": Row(
        "had = var(Map[Process, Bool], kept=True)\n\n@action\ndef have(self, p: Process):\n    require(not "
        "self.had[p])\n    self.had[p] = True",
        "True",
        "had = var(Map[Process, Bool], kept=True)\n\ndef on_went(self, p):\n    self.had[p] = True",
        instead="had = var(Map[Process, Bool])\n\n@action\ndef have(self, p: Process):\n    require(not "
        "self.had[p])\n    self.had[p] = True",
        constants=(("crashes", 1),),
    ),
    "`kept=True` where no crash resets": Row("had = var(Bool, kept=True)", "not self.had"),
    '`var(..., budget="crashes")`': Row(
        'cut = var(Bool, anything, budget="crashes")', "True", instead="cut = var(Bool, anything)"
    ),
    "`name = var(Network[Process, T])`": Row(
        "other = var(Network[Process, Bool])",
        "len(self.other) == 0 and self.x < 2",
        property="other = var(Network[Process, Bool])",
    ),
    "`name = chain(3)`": Row(
        "hops = chain(3)",
        "True",
        "hops = chain(3)\n\ndef on_went(self, p):\n    self.hops[p] = 1\n\ndef holds(self) -> bool:\n    return "
        "all(self.hops[p] == 0 for p in self.Process)",
    ),
    "`name = 3`, a tuple, a string, read": Row("TOP = 2", "self.x < self.TOP"),
    "`name = 3`, a tuple, a string, read nowhere": Row("TOP = 2"),
    "a list, dict, set or float": Row("seen = []", "True"),
    "`name: Type`": Row("seen: Bool"),
    "an expression without a name": Row("var(Bool)"),
    "`name = None`, of an action, handler, variable or property of the base": Row("spare = None", edit="send = None"),
    "a name bound twice": Row("TOP = 2\nTOP = 3", "self.x < self.TOP"),
    "a second name for a constant": Row(
        "a = b = const(2, '')", "self.x < self.a", edit="a = Distributed.losses", property="a = Distributed.losses"
    ),
    "`properties = [...]`": Row("properties = [Listed]", property="properties = []"),
    '`outcome = ("x",)`': Row('outcome = ("x",)'),
    "`expect = violates(...)`": Row("expect = violates(Low)", property="expect = holds()"),
    '`picture = [draw.lane("x")]`': Row('picture = [draw.lane("x")]', "self.x < 2"),
    "`complete(cls, given)`": Row('@classmethod\ndef complete(cls, given):\n    return {"processes": 3}'),
    "a name much like `properties`, `outcome`, `expect`": Row('outcom = ("x",)'),
    "a docstring": Row('"""Another text."""', instead='"""A text."""'),
    "`@action`": Row("@action\ndef back(self):\n    self.x = 0"),
    "`@action(fault=True)`": Row(
        "@action(fault=True)\ndef back(self):\n    require(self.x == 4)\n    self.x = 3",
        instead="@action\ndef back(self):\n    require(self.x == 4)\n    self.x = 3",
    ),
    "`@action(fair=False)`": Row(
        "@action(fair=False)\ndef more(self):\n    require(self.x == 2)\n    self.x = 4",
        "self.x < 2",
        edit="@action(fair=False)\ndef step(self, p):\n    require(self.x < 3 and p.index == 0)\n    self.x += 1",
        instead="@action\ndef more(self):\n    require(self.x == 2)\n    self.x = 4",
    ),
    '`@action(fair="change")`': Row(
        '@action(fair="change")\ndef more(self):\n    require(self.x == 2)\n    self.x = choose([2, 4])',
        "self.x < 2",
        edit='@action(fair="change")\ndef step(self, p):\n    require(self.x < 4 and p.index == 0)\n    self.x += '
        "choose([0, 1])",
        instead="@action\ndef more(self):\n    require(self.x == 2)\n    self.x = choose([2, 4])",
    ),
    "`@on(net)`": Row(
        "@on(net)\ndef got(self, p, q, m):\n    self.x = 0",
        edit="@on(M.net)\ndef got(self, p, q, m):\n    self.x = 0",
        property="@on(var(Network[Process, Bool]))\ndef got(self, p, q, m):\n    pass",
    ),
    "`@on(net, each=Process)`": Row(
        "@on(net, each=Process)\ndef got(self, p, qs, m):\n    self.x = 0",
        edit="@on(M.net, each=Process)\ndef got(self, p, qs, m):\n    self.x = 0",
        property="@on(var(Network[Process, Bool]), each=Process)\ndef got(self, p, qs, m):\n    pass",
        constants=(("processes", 1),),
    ),
    "`@rule`, called": Row("@rule\ndef low(self):\n    return self.x < 2", "self.low()"),
    "`@rule`, called nowhere": Row("@rule\ndef low(self):\n    return self.x < 2"),
    "a method that returns a value, called": Row("def low(self):\n    return self.x < 2", "self.low()"),
    "a method that returns a value, called nowhere": Row("def low(self):\n    return self.x < 2"),
    "a method that changes the state, called": Row(
        "def reset(self):\n    self.x = 0\n\n@action\ndef restart(self):\n    self.reset()",
        property="n = var(Int(0, 3), 0)\n\ndef reset(self):\n    self.n = 1\n\ndef on_went(self, p):\n    "
        "self.reset()\n\ndef holds(self) -> bool:\n    return self.n == 0",
    ),
    "a method that changes the state, called nowhere": Row(
        "def reset(self):\n    self.x = 0", property="n = var(Int(0, 3), 0)\n\ndef reset(self):\n    self.n = 1"
    ),
    "`@initial`": Row(
        "@initial\ndef start(self):\n    self.x = 1",
        property="first = var(Int(0, 3), 0)\n\n@initial\ndef start(self):\n    self.first = self.x + 1\n\ndef "
        "holds(self) "
        "-> bool:\n    return self.first == 0",
    ),
    "`@constraint`": Row("@constraint\ndef small(self):\n    return self.x < 2"),
    "`@invariant`": Row("@invariant\ndef small(self):\n    return self.x < 2"),
    "`@step_invariant`": Row("@step_invariant\ndef up(self):\n    return self.before.x < self.x"),
    "`@quiescent`": Row("@quiescent\ndef at_end(self):\n    return self.x < 2"),
    "`@reachable`": Row("@reachable\ndef top(self):\n    return self.x == 5"),
    "`holds(self)`": Row("def holds(self):\n    return self.x < 2"),
    "`when(self)`, `then(self)`": Row(
        "def when(self):\n    return self.x == 5",
        kind="LeadsTo",
        property="def when(self):\n    return self.x == 5\n\ndef then(self):\n    return False",
        instead="def then(self):\n    return False",
    ),
    "`then(self, p: Type)`: for each p": Row(
        "def then(self, p: Process) -> bool:\n    return self.x == p.index",
        kind="LeadsTo",
        instead="def then(self) -> bool:\n    return self.x == 1",
    ),
    "`when` or `then` in another kind than LeadsTo": Row("def then(self):\n    return self.x == 3"),
    "`explain(self, p)`, p a variable of the all(...) of holds": Row(
        "def explain(self, p) -> str:\n    return 'so'",
        property="def explain(self, p) -> str:\n    return 'so'\n\ndef holds(self) -> bool:\n    return all(self.x < "
        "2 for p in self.Process)",
        instead="def holds(self) -> bool:\n    return all(self.x < 2 for p in self.Process)",
    ),
    "`explain(self, q)`, q no such variable, or in a Reachable": Row("def explain(self, q) -> str:\n    return 'so'"),
    "`on_EVENT(self, ...)` of an event that is emitted": Row(
        "def on_went(self, p):\n    return p",
        property="n = var(Int(0, 3), 0)\n\ndef on_went(self, p):\n    self.n = 1\n\ndef holds(self) -> bool:\n    "
        "return self.n == 0",
    ),
    "`on_EVENT(self, ...)` of an event that nothing emits": Row(
        "def on_flew(self, p):\n    return p", property="n = var(Int(0, 3), 0)\n\ndef on_flew(self, p):\n    self.n = 1"
    ),
    "two decorators of the language": Row("@rule\n@action\ndef back(self):\n    self.x = 0"),
    "`__init__`, `@property`, `@staticmethod`, a lambda, `async def`": Row(
        "@staticmethod\ndef low():\n    return True"
    ),
    "another decorator of Python's": Row("@cache\ndef low(self):\n    return self.x < 2", "self.low()"),
    "`self.other = ...` in a method, of no variable": Row(
        "@action\ndef back(self):\n    self.xx = 0", property="def on_went(self, p):\n    self.xx = 0"
    ),
    "`require(...)`, a change of the model": Row(
        "@action\ndef back(self):\n    require(self.x == 3)\n    self.x = 0",
        property="def on_went(self, p):\n    self.x = 0",
    ),
    "a name that the language uses": Row("emit = var(Bool)"),
    "a value or type that the base, or the model, has by this name": Row(
        "", "self.x <= self.LIMIT", edit="LIMIT = 1", property="LIMIT = 1", instead="LIMIT = 5"
    ),
    "a method that the base, or the model, has by this name": Row(
        "",
        edit="def fine(self) -> bool:\n    return self.x < 2",
        property="def fine(self) -> bool:\n    return self.x < 2",
    ),
    "a method of another kind than in the base: a rule over an action, a method over a value": Row(
        "", edit="@rule\ndef step(self, p):\n    return True"
    ),
    "a parameter of an action without a type": Row("@action\ndef back(self, n):\n    self.x = n"),
}
