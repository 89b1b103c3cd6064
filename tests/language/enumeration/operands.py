"""Operands: one text or several for each kind of value that an expression can have.

The kinds are those of docs/language.md.  `before`: statements that stand in front of the statement with the operand,
where it is a local.
"""

from __future__ import annotations

import ast

from attrs import frozen


@frozen
class Operand:
    """A text of a kind."""

    kind: str
    text: str
    before: tuple[str, ...] = ()

    @property
    def target(self) -> bool:
        """Whether it can be assigned to."""
        return isinstance(ast.parse(self.text, mode="eval").body, ast.Name | ast.Attribute | ast.Subscript)

    @property
    def name(self) -> str:
        """The text, with what stands in front of it."""
        return "; ".join([*self.before, self.text])


TEXTS: dict[str, tuple[str, ...]] = {
    "int": (
        "0",
        "1",
        "-1",
        "5",
        "self.n",
        "self.z",
        "self.num",
        "self.m[1]",
        "self.pair.a",
        "self.q[0]",
        "self.number()",
        "(self.n if self.flag else 2)",
        "len(self.q)",
        "self.site.index",
        "self.same(self.n)",
    ),
    "bool": ("True", "False", "self.flag", "self.yes", "(self.n > 1)"),
    "None": ("None",),
    "optional": ("self.o", "self.os", "(self.n if self.flag else None)", "self.qo[0]"),
    "identity": ("self.site", "self.Site[0]"),
    "enum": ("Color.red", "self.color"),
    "string": ("self.word", "'eager'"),
    "type": ("self.Site", "Color", "self.Small", "self.Pair", "self.Wire.Ping"),
    "record": ("self.pair", "self.Pair(1, 2)", "self.Pair(b=self.n, a=1)", "self.qp[0]", "self.hold"),
    "union": ("self.wire", "self.Wire.Ping(1)", "self.qw[0]"),
    "Set": (
        "self.s",
        "self.ps",
        "self.t",
        "self.so",
        "self.ss",
        "self.sp",
        "self.ms[self.site]",
        "self.mm[self.site][self.site]",
    ),
    "set value": (
        "self.hold.x",
        "self.qs[0]",
        "self.group()",
        "self.either()",
        "(self.s | self.t)",
        "(self.s - {1})",
        "(self.s if self.flag else self.t)",
    ),
    "set": (
        "set()",
        "{1, 2}",
        "{self.n}",
        "{9, 1, 17}",
        "{e for e in self.s}",
        "set(self.q)",
        "set(self.s)",
        "self.made()",
        "{None, 1}",
        "{(1, 2)}",
        "({1} | {self.n})",
    ),
    "frozenset": ("frozenset()", "frozenset(self.s)", "frozenset({1})"),
    "Seq": (
        "self.q",
        "self.w",
        "self.qo",
        "self.qq",
        "self.qs",
        "self.qp",
        "self.mq[self.site]",
        "self.qq[0]",
        "self.hold.y",
        "self.line()",
    ),
    "list": (
        "[]",
        "[1, 2]",
        "[self.n]",
        "[None, 1]",
        "list(self.q)",
        "sorted(self.s)",
        "self.q[:]",
        "self.q[1:]",
        "(self.q + [1])",
        "[e for e in self.q]",
        "self.listed()",
        "(self.q if self.flag else [1])",
        "[[1], []]",
        "[{1}, set()]",
    ),
    "tuple": (
        "tuple(self.q)",
        "self.tup",
        "()",
        "(1, 2)",
        "(self.n,)",
        "(1, None)",
        "self.none",
        "self.paired()",
        "((1, 2), (0, 3))",
    ),
    "range": ("range(3)", "range(self.n)", "range(1, 3)", "range(0)"),
    "generator": ("(e for e in self.q)", "(e for e in self.s)", "(e for e in (1, 2))"),
    "iterator": ("enumerate(self.q)", "zip(self.q, self.w)", "reversed(self.q)", "reversed([1, 2])"),
    "Bag": ("self.bag",),
    "Map": ("self.m", "self.ms", "self.mm"),
    "dict": ("{k: k for k in range(3)}", "{}", "{1: 2}", "{k: self.s for k in range(2)}"),
}

LOCALS = (
    Operand("int", "k", ("k = self.n",)),
    Operand("optional", "k", ("k = self.o",)),
    Operand("Set", "k", ("k = self.s",)),
    Operand("set", "k", ("k = set(self.s)",)),
    Operand("set", "k", ("k = {1}", "k.add(self.n)")),
    Operand("frozenset", "k", ("k = frozenset(self.s)",)),
    Operand("Seq", "k", ("k = self.q",)),
    Operand("list", "k", ("k = list(self.q)",)),
    Operand("list", "k", ("k = []", "k.append(self.n)")),
    Operand("tuple", "k", ("k = (1, self.n)",)),
    Operand("tuple", "k", ("k = tuple(self.q)",)),
    Operand("range", "k", ("k = range(3)",)),
    Operand("generator", "k", ("k = (e for e in self.q)",)),
    Operand("iterator", "k", ("k = enumerate(self.q)",)),
    Operand("dict", "k", ("k = {j: j for j in range(3)}",)),
    Operand("dict", "k[1]", ("k = {j: set() for j in range(3)}",)),
    Operand("list", "k[0]", ("k = [[1, 2], []]",)),
    Operand("Map", "k", ("k = self.m",)),
    Operand("Bag", "k", ("k = self.bag",)),
    Operand("union", "k", ("k = self.wire",)),
    Operand("record", "k", ("k = self.pair",)),
    Operand("type", "k", ("k = self.Site",)),
    Operand("Set", "k", ("k = self.ms[self.site]",)),
)

OPERANDS: tuple[Operand, ...] = (*(Operand(kind, text) for kind, texts in TEXTS.items() for text in texts), *LOCALS)

KINDS: tuple[str, ...] = tuple(TEXTS)

PARTNERS = (
    "1",
    "self.n",
    "self.o",
    "None",
    "self.flag",
    "self.site",
    "Color.red",
    "self.pair",
    "self.wire",
    "self.s",
    "self.t",
    "{1, 2}",
    "frozenset(self.s)",
    "self.q",
    "[1, 2]",
    "(1, 2)",
    "range(3)",
    "(e for e in self.q)",
    "self.bag",
    "self.m",
    "self.Site",
    "self.word",
)
"""The other operand of what has two: one or two of each kind."""
