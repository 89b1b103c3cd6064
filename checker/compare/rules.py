"""Rules of two models compared over all states of their types (see backends/smt)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from attrs import frozen


@frozen
class RuleComparison:
    """A rule under both models."""

    name: str


def compare_rules(base: Any, edit: Any) -> tuple[RuleComparison, ...]:
    """Compare all rules that differ."""
    return ()


def rule_lines(rules: Iterable[RuleComparison]) -> Iterator[tuple[str, str]]:
    """Lines (text, style)."""
    for rule in rules:
        yield rule.name, ""


def rule_data(rule: RuleComparison) -> dict[str, Any]:
    """As JSON."""
    return {"name": rule.name}
