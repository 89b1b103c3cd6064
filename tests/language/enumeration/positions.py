"""Where a case stands in a model: the text that holds it.

In a template B are the statements in front, S those that put the value into the state, P a truth value that depends on
it, E the expression itself; NAME is the name of the method that is lowered.  What is written by the same rule in all
templates is not repeated in them: each line of B and S gets its place's depth.
"""

from __future__ import annotations

import re

from attrs import frozen

from tests.language.enumeration.case import Case
from tests.language.enumeration.networks import GATHERED
from tests.language.enumeration.sinks import predicate, sink


@frozen
class Piece:
    """Text in front of the class, in the class Watch, in the class Cases and in the one it edits; classes that stand in
    `properties`."""

    members: str = ""
    watch: str = ""
    outside: str = ""
    properties: tuple[str, ...] = ()
    original: str = ""

    @property
    def text(self) -> str:
        """All of it."""
        return self.outside + self.watch + self.original + self.members


_ACTION = "@action\ndef NAME(self):\n    B\n"

MEMBERS: dict[str, str] = {
    "action": _ACTION + "    S",
    "procedure": _ACTION + "    S",
    "invariant": "@invariant\ndef NAME(self) -> bool:\n    B\n    return P",
    "step invariant": "@step_invariant\ndef NAME(self) -> bool:\n    B\n    return P",
    "before": "@step_invariant\ndef NAME(self) -> bool:\n    B\n    return P",
    "quiescent": "@quiescent\ndef NAME(self) -> bool:\n    B\n    return P",
    "reachable": "@reachable\ndef NAME(self) -> bool:\n    B\n    return P",
    "constraint": "@constraint\ndef NAME(self) -> bool:\n    B\n    return P",
    "rule": "@rule\ndef called_NAME(self):\n    B\n    return E\n@action\ndef NAME(self):\n    S(self.called_NAME())",
    "helper": "def called_NAME(self):\n    B\n    if P:\n        return 1\n    return 2\n@action\ndef NAME(self):\n    "
    "self.out = self.called_NAME()",
    "nested rule": "@rule\ndef called_NAME(self):\n    B\n    return E\n@rule\ndef outer_NAME(self):\n    return "
    "self.called_NAME()\n@action\ndef NAME(self):\n    S(self.outer_NAME())",
    "argument of a rule": "@rule\ndef called_NAME(self, x):\n    return E\n@action\ndef NAME(self):\n    B\n    "
    "S(self.called_NAME(A))",
    "argument of a procedure": "def called_NAME(self, x):\n    S\n@action\ndef NAME(self):\n    B\n    "
    "self.called_NAME(A)",
    "guard": _ACTION + "    require(P)\n    self.out = 1",
    "assert": _ACTION + "    assert P\n    self.out = 1",
    "branch": _ACTION + ("    if P:\n        self.out = 1\n    else:\n        self.out = 2"),
    "while": _ACTION + "    while P:\n        self.out += 1\n        if self.out > 3:\n            break",
    "pattern guard": _ACTION
    + ("    match self.n:\n        case j if P:\n            self.out = j\n        case _:\n            self.out = 9"),
    "key": _ACTION + "    self.outq = sorted([0, 1, 2, 3], key=lambda j: (1 if (P) else 0) - j % 2)",
    "condition": _ACTION + "    self.outq = [j for j in range(3) if (P)]",
    "element": _ACTION + "    self.outq = [1 if (P) else 0 for j in range(2)]",
    "quantifier": _ACTION + ("    self.outb = any(P for j in range(2))"),
    "choose": _ACTION + "    x = choose(E)\n    self.outb = x == 1",
    "loop": _ACTION + "    for j in E:\n        self.out += 1\n    S",
    "in a loop": _ACTION + "    for j in range(2):\n        S\n        self.n = j",
    "behind a change": _ACTION + ("    self.q, self.s, self.n = [3], {3}, 2\n    S"),
    "event": _ACTION + "    self.emit.NAME(E)",
    "event with a type": _ACTION + "    self.emit.NAME(E)",
    "handler": _ACTION + "    self.emit.NAME(self.n)",
    "process": "@action\ndef NAME(self, p: Process, q: Process):\n    B\n    S",
    "handler of a network": "@on(net)\ndef NAME(self, q, p, k):\n    B\n    S",
    "handler of a FIFO network": "@on(fifo)\ndef NAME(self, q, p, k):\n    B\n    S",
    "handler of a variant": "@on(wires, Wire.Ping)\ndef NAME(self, q, p, n):\n    B\n    S",
    **{position: template for position, (_, template) in GATHERED.items()},
    "initial": "def NAME(self):\n    WORLD\n    B\n    S",
    "property class": "",
    "leads-to": "",
    "step property class": "",
    "original rule": "@rule\ndef called_NAME(self):\n    return super().called_NAME()\n@action\ndef NAME(self):\n"
    "    S(self.called_NAME())",
    "edited rule": "@rule\ndef called_NAME(self, x):\n    B\n    return super().called_NAME(E)\n@action\n"
    "def NAME(self):\n    S(self.called_NAME(self.n))",
    "original procedure": "def called_NAME(self):\n    super().called_NAME()\n    self.n = 2\n@action\n"
    "def NAME(self):\n    self.called_NAME()",
    "edited procedure": "def called_NAME(self):\n    super().called_NAME()\n    B\n    S\n@action\n"
    "def NAME(self):\n    self.called_NAME()",
}
"""Members of the class Cases."""

ORIGINALS: dict[str, str] = {
    "original rule": "@rule\ndef called_NAME(self):\n    B\n    return E",
    "edited rule": "@rule\ndef called_NAME(self, x):\n    return x",
    "original procedure": "def called_NAME(self):\n    B\n    S",
    "edited procedure": "def called_NAME(self):\n    self.q, self.s, self.n = [3], {3}, 2",
}
"""Members of the class that Cases edits: what is overridden there."""

WATCHED: dict[str, str] = {
    "event": "def on_NAME(self, v):\n    S(v)",
    "event with a type": "def on_NAME(self, v: Int(0, 3)):\n    S(v)",
    "handler": "def on_NAME(self, v):\n    B\n    S",
}
"""Members of the class Watch, a property with variables of its own."""

OUTSIDE: dict[str, str] = {
    "property class": "class NAME(Invariant):\n    def holds(self) -> bool:\n        B\n        return P",
    "step property class": "class NAME(StepInvariant):\n    def holds(self) -> bool:\n        B\n        return P",
    "leads-to": "class NAME(LeadsTo):\n    def when(self) -> bool:\n        B\n        return P\n    def then(self) -> "
    "bool:\n        B\n        return not (P)",
}
"""Classes of their own."""

EXPRESSIONS: tuple[str, ...] = tuple(
    p
    for p in MEMBERS
    if p
    not in (
        "process",
        "handler of a network",
        "handler of a FIFO network",
        "handler of a variant",
        "procedure",
        "argument of a rule",
        "argument of a procedure",
        *ORIGINALS,
        *GATHERED,
    )
)
"""Positions in which any expression can stand."""


def piece(name: str, case: Case, shape: str, world: dict[str, str]) -> Piece:
    """The text of a case; shape: the kind of value that its expression has in Python."""
    if case.lines:
        original = ORIGINALS.get(case.position)
        return Piece(
            _of_statements(name, case, MEMBERS[case.position]),
            original=_of_statements(name, case, original) if original else "",
        )
    member, watch, outside, original = (
        _filled(templates.get(case.position, ""), name, case, shape, world)
        for templates in (MEMBERS, WATCHED, OUTSIDE, ORIGINALS)
    )
    outside = outside and "\n" + outside + "\n"
    return Piece(
        _indented(member),
        _indented(watch.replace("self.out", "self.got")),
        outside,
        (name,) if outside else (),
        _indented(original),
    )


def _of_statements(name: str, case: Case, template: str) -> str:
    """The method, with the procedure that it calls."""
    called = _indented(_expanded(f"def called_{name}(self, x):\n    B", {"B": case.body})) if case.body else ""
    lines = (*case.before, *(line.replace("CALLED", f"called_{name}") for line in case.lines))
    template = re.sub(r"\n *S(?=\n|$)", "", template).replace("NAME", name)
    return called + _indented(_expanded(template, {"B": lines}))


def _filled(template: str, name: str, case: Case, shape: str, world: dict[str, str]) -> str:
    """A template with everything in its place."""
    expression = (
        re.sub(r"\bself\.(?=[a-z])", "self.before.", case.expression) if case.position == "before" else case.expression
    )
    before = (
        tuple(line.replace("self.", "self.before.") for line in case.before)
        if case.position == "before"
        else case.before
    )
    truth = predicate(shape)
    lines = _expanded(
        template,
        {
            "B": before,
            "WORLD": tuple(
                f"self.{k} = {v}"
                for k, v in world.items()
                if f"self.{k}" in expression + "".join(before) and k not in ("bag", "ms", "mq", "mm")
            ),
        },
    )
    called = re.search(r"^( *)S\((.*)\)$", lines, re.M)
    value = called[2] if called else expression
    lines = re.sub(
        r"^( *)S(\(.*\))?$",
        lambda found: "\n".join(found[1] + s.replace("E", value) for s in sink(shape)),
        lines,
        flags=re.M,
    )
    lines = re.sub(r"\bP\b", lambda _: truth.replace("E", expression if truth == "E" else f"({expression})"), lines)
    lines = re.sub(r"\bE\b", lambda _: expression, lines)
    return re.sub(r"\bA\b", lambda _: case.argument, lines).replace("NAME", name)


def _expanded(template: str, blocks: dict[str, tuple[str, ...]]) -> str:
    """Lines that hold only the name of a block become that block's lines."""
    found = []
    for line in template.split("\n"):
        block = blocks.get(line.strip())
        depth = line[: len(line) - len(line.lstrip())]
        found += [line] if block is None else [depth + part for part in block]
    return "\n".join(found)


def _indented(text: str) -> str:
    return "\n" + "".join(f"    {line}\n" for line in text.split("\n")) if text else ""
