"""Rules that read no variable: their values, known when the kernel is emitted, are those of the model's own Python."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from checker.backends.interpreter.interpreter import Interpreter
from checker.backends.native import codec, tabled
from checker.backends.native.tabled import words_of
from checker.catalogue import find
from checker.frontend.lower import lower
from checker.ir.model import Model as Lowered
from checker.language import Ids, Int, Map, Model, Set, action, anything, const, invariant, require, rule, var
from checker.language.define import define
from tests.backends.agreement import compare

CIRCLE = {"workload": (2, 2, 2), "groups": (1, 2, 3), "destinations": (12, 12, 23, 23, 13, 13)}
SHIPPED: list[tuple[str, dict[str, Any], set[str]]] = [
    ("optimistic_multicast_1:AtLeast", CIRCLE, {"source", "forwards", "destination"}),
    ("optimistic_multicast_2", {}, {"number", "source"}),
    ("optimistic_multicast_3", {}, {"number", "source", "addressed", "blocks", "destination"}),
    ("two_views:GToToViews", {"workload": (1, 1, 2), "phi": 1}, {"earlier_own"}),
]


class Graph(Model):
    """Neighbours in a fixed graph, of which a walker visits each node once."""

    Node = Ids("n", 5)
    edges = const(((0, 1), (1, 2), (2, 3), (3, 4), (0, 4)))
    weights = const((3, 0, 2, 1, 0))
    at = var(Node, anything)
    seen = var(Set[Node])
    shares = var(Map[Node, Int(0, 12)], 0)

    @rule
    def near(self, p: Node, q: Node) -> bool:
        return any({p.index, q.index} == {a, b} for a, b in self.edges)

    @rule
    def neighbours(self, p: Node) -> Set[Node]:
        return {q for q in self.Node if self.near(p, q)}

    @rule
    def share(self, p: Node) -> int:
        """An error for two of the nodes."""
        return sum(1 for q in self.Node if self.near(p, q)) // self.weights[p.index]

    @rule
    def heavy(self, p: Node) -> bool:
        """Takes no longer than a table."""
        return self.weights[p.index] > 1

    @rule
    def along(self, p: Node, q: Node) -> bool:
        """An edge leads from p to q: not the same in the other direction."""
        return any(p.index == a and q.index == b for a, b in self.edges)

    @rule
    def fresh(self, p: Node) -> Set[Node]:
        """Reads a variable."""
        return {q for q in self.neighbours(p) if q not in self.seen}

    @rule
    def ways(self, p: Node) -> int:
        """Reads a variable by way of another rule."""
        return sum(1 + len(self.neighbours(q)) for q in self.fresh(p)) + sum(1 for q in self.Node if q != p)

    @rule
    def apart(self, some: Set[Node], others: Set[Node]) -> bool:
        """Has more arguments than a table has room for."""
        return not any(self.near(p, q) for p in some for q in others)

    @action
    def walk(self, q: Node) -> None:
        require(q in self.fresh(self.at) and self.ways(self.at) > 0)
        require(self.along(self.at, q) or self.heavy(self.at))
        self.at = q
        self.seen.add(q)

    @action
    def weigh(self) -> None:
        require(self.shares[self.at] == 0)
        self.shares[self.at] = self.share(self.at)

    @invariant
    def joined(self) -> bool:
        return all(self.near(p, q) == self.near(q, p) for p in self.Node for q in self.Node)

    @invariant
    def together(self) -> bool:
        return len(self.seen) < 2 or not self.apart(self.seen, self.neighbours(self.at))


def words(model: Lowered) -> dict[str, tuple[int, ...]]:
    """The tables of a model, by rule."""
    found = {f.name: words_of(model, f) for f in model.functions}
    return {name: table for name, table in found.items() if table is not None}


def raw(value: Any) -> Any:
    """A value of a model as a raw one: numbers for members of finite types."""
    if isinstance(value, set | frozenset):
        return frozenset(map(raw, value))
    return value.index if hasattr(value, "index") else int(value)


@pytest.mark.parametrize(("name", "constants", "expected"), SHIPPED)
def test_a_table_has_what_the_method_returns(name: str, constants: dict[str, Any], expected: set[str]) -> None:
    """In the model's own Python, for all arguments, in the canonical order."""
    definition = define(find(name).cls, constants)
    model, protocol = lower(definition), Interpreter(definition).model
    tables = words(model)
    assert set(tables) >= expected
    for rule_name in tables.keys() & expected:
        function = model.function(rule_name)
        domains = [domain for _, domain in definition.methods[rule_name].parameters]
        for word, arguments in zip(tables[rule_name], product(*(d.members for d in domains)), strict=True):
            returned = getattr(protocol, rule_name)(*arguments)
            assert codec.unpacker(function.result)(word) == raw(returned), (rule_name, arguments)


def test_only_rules_without_variables_and_errors_have_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """If they have few arguments and take long; compiled code answers as the evaluator, with tables and without."""
    model = lower(define(Graph))
    tables = words(model)
    assert set(tables) == {"near", "along", "neighbours"}
    assert len(tables["near"]) == 25 and len(tables["neighbours"]) == 5
    assert compare(model, 300) > 30
    monkeypatch.setattr(tabled, "WORK", 0)
    assert words(model) == {}
    assert compare(model, 300) > 30
