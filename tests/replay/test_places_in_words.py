"""How a computed place is shown in a reason, by the member or the number that it is; and which line a reason is of."""

from __future__ import annotations

import ast
from pathlib import Path

from checker.backends.interpreter.interpreter import Interpreter
from checker.language import Bool, Map, Process, const, rule, var
from checker.language.define import define
from checker.language.distributed import Distributed
from checker.replay.returned import called
from checker.replay.scope import Scope


class Placed(Distributed):
    """Something for each process, and a table."""

    processes = const(2)
    table = const((3, 0, 1, 2))
    flag = var(Map[Process, Bool])

    @rule
    def ready(self, p: Process) -> bool:
        return (
            p in self.Process
            and all(
                self.flag[q] or q == p
                for q in self.Process
            )
        )  # fmt: skip


def shown(text: str) -> str:
    """An expression as a reason shows it, where p is the first process."""
    model = Interpreter(define(Placed)).model
    scope = Scope({"self": model, "p": model.Process[0]}, "self")
    return scope.text(ast.parse(text, mode="eval").body)


def test_a_member_at_a_computed_place_is_named() -> None:
    """The place is computed from the place of another member, or a number."""
    assert shown("self.flag[self.Process[1 - p.index]]") == "flag[p2]"
    assert shown("self.flag[self.Process[0]]") == "flag[p1]"
    assert shown("self.table[2 * p.index + 1]") == "table[1]"


def test_a_place_that_the_state_or_a_table_has_stays_as_written() -> None:
    """Its origin is part of the reason; so is a place that does not exist."""
    assert shown("self.Process[self.table[1]]") == "Process[table[1]]"
    assert shown("self.table[9 + p.index]") == "table[9]"
    assert shown("self.Process[8 - p.index]") == "Process[8]"
    assert shown("[self.Process[1 - q.index] for q in self.Process]") == "[Process[1 - q.index] for q in Process]"


def test_the_line_of_a_rule_is_that_of_the_comparison_that_decides() -> None:
    """Not that of the `all` around it, and not that of the first conjunct."""
    model = Interpreter(define(Placed)).model
    reason, line = called(model.ready, [model.Process[0]], False)
    assert reason == "for q = p2: flag[p2] is false and p2 is not p1"
    lines = Path(__file__).read_text(encoding="utf-8").split("\n")
    assert lines[line - 1].strip() == "self.flag[q] or q == p"


def test_a_generator_that_is_the_only_argument_has_no_parentheses_of_its_own() -> None:
    """As a person writes it; with a second argument it needs them, and a list keeps its brackets."""
    assert shown("sum(1 for q in self.Process if self.flag[q]) <= 1") == "sum(1 for q in Process if flag[q]) <= 1"
    assert shown("max((1 for q in self.Process), default=0)") == "max((1 for q in Process), default=0)"
    assert shown("all([any(self.flag[q] for q in self.Process)])") == "all([any(flag[q] for q in Process)])"
