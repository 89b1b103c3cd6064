"""Tuples and sets of constants: read from memory of the code, with the answers of the evaluator."""

from __future__ import annotations

from checker.analysis.check import check
from checker.backends.native.emit import emit
from checker.backends.native.repeated import cost
from checker.frontend.lower import lower
from checker.ir.model import Model as Lowered
from checker.language import Ids, Int, Model, Seq, Set, action, choose, const, derived, invariant, require, rule, var
from checker.language.define import define
from tests.backends.agreement import compare

MANY = 40


class Tables(Model):
    """Constants of one word and of many, which are read at a place, walked, compared, joined, and copied."""

    Node = Ids("Node", 3)
    Place = Int(0, MANY)
    Number = Int(-50, 2_000_000_000)
    wide = const(tuple((i * i - 50) * (1_000_000 if i == 39 else 1) for i in range(MANY)))
    small = const((2, 0, 1))
    nested = derived(lambda c: tuple((i, 2 * i, 3 * i) for i in range(MANY)))
    at = var(Place, 0)
    row = var(Seq[Int(0, 5), 6])
    kept = var(Seq[Number, MANY + 1])
    some = var(Set[Place])

    @rule
    def weight(self, at: Place) -> Number:
        return self.wide[at]  # an error behind the last place

    @rule
    def certain(self, n: Node) -> int:
        return self.small[n.index]

    @rule
    def second(self, at: Place) -> int:
        return self.nested[at][1] + self.nested[at][self.small[0]] if at < MANY else 0

    @action
    def go(self) -> None:
        require(self.at < MANY)
        self.at += 1
        self.some |= {x for x in (3, 30, 39) if x <= self.at}

    @action
    def extend(self, n: Node) -> None:
        require(len(self.row) == 0)
        self.row = self.small
        self.row.append(self.certain(n))
        self.row = self.row + self.small[:2]

    @action
    def keep(self) -> None:
        require(len(self.kept) == 0 and self.at in (2, 20, MANY))
        self.kept = self.wide
        self.kept.append(self.weight(self.at))

    @action
    def pick(self) -> None:
        require(self.second(self.at) > 190 and self.at < MANY)
        self.at = choose(sorted(x for x in self.small))

    @invariant
    def known(self) -> bool:
        return self.weight(self.at) in self.wide and sum(self.wide) > 0

    @invariant
    def unlike(self) -> bool:
        return self.row != self.small and self.some != {3, 30, 39} and len(self.nested) == MANY


def lowered() -> Lowered:
    return lower(define(Tables))


def test_compiled_code_reads_what_the_evaluator_reads() -> None:
    """Also where a place is behind the last item, and where a copy of a constant is changed afterwards."""
    assert compare(lowered(), 400) > 300
    assert check(Tables, "Tables", engine="native").distinct == check(Tables, "Tables", engine="interpreter").distinct


def test_a_place_of_a_tuple_is_one_read_however_long_the_tuple_is() -> None:
    """Of code, and so for the decision whether to remember a rule; a place that certainly exists is not compared."""
    model, (text, _) = lowered(), emit(lowered())
    numbers = {f.name: i for i, f in enumerate(model.functions)}
    assert cost(model, model.function("weight"), {}) == cost(model, model.function("certain"), {}) < 10

    def code(rule: str) -> str:
        begin = text.index(f"@rule_{numbers[rule]}(")
        return text[begin : text.index("\n}", begin)]

    assert code("weight").count("\n") < 40
    assert "@constant_" in code("weight")
    assert "icmp" in code("weight") and "icmp" not in code("certain")
    assert "@constant_1 = " in text and "@constant_2" not in text, "two long tuples, each once"
