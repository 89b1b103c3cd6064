"""Rules of two models compared: lines of text, the same in every report, and JSON data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from checker.report.data import as_data, trace_data
from checker.results.rules import RuleComparison, RuleExample
from checker.trace.values import FrozenMap, Multiset, Rec, show
from checker.wording import counted

MEANING = {
    "equivalent": "the same in every state",
    "weaker": "weaker: holds wherever it held before, and in other states too",
    "stronger": "stronger: holds only where it held before, and not everywhere there",
    "incomparable": "neither weaker nor stronger",
    "different": "different",
    "undecided": "not decided in the time given",
    "skipped": "not compared",
}


def rule_lines(rules: Iterable[RuleComparison]) -> Iterator[tuple[str, str]]:
    """Lines (text, style) of a report."""
    rules = list(rules)
    width = max((len(r.name) for r in rules), default=0)
    for rule in rules:
        note = f" ({rule.note})" if rule.note else ""
        yield (
            f"{rule.name:<{width}}  {MEANING[rule.relation]}{note}",
            "dim" if rule.relation == "equivalent" else "bold",
        )
        for example in (*rule.examples, *rule.failures):
            yield f"    {_values(rule.name, example)}", ""
            for text in _state_lines(example.state):
                yield f"        {text}", ""
        if rule.reached is not None:
            yield f"    reached in {counted(len(rule.reached.steps), 'step')}", ""


def _values(name: str, example: RuleExample) -> str:
    call = f"{name}({', '.join(show(v) for v in example.arguments.values())})"
    before, after = (
        "fails" if f else show(v) if not isinstance(v, int) or isinstance(v, bool) else str(v)
        for f, v in zip(example.fails, (example.before, example.after))
    )
    return f"{call}: {before} → {after} where"


def _state_lines(state: Mapping[str, Any]) -> Iterator[str]:
    """What is not empty, 0, false or none in a state, one line each: held[p2][m1.1]: Held(Stamp(0, p1), false)."""
    shown = [
        f"{path}: {show(value)}"
        for name, value in state.items()
        for path, value in _leaves(name, value)
        if not _blank(value)
    ]
    yield from shown or ["everything is empty, 0, false or none"]


def _leaves(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, FrozenMap):
        for key, item in value.items():
            yield from _leaves(f"{path}[{show(key)}]", item)
    else:
        yield path, value


def _blank(value: Any) -> bool:
    if isinstance(value, FrozenMap):
        return all(_blank(v) for v in value.values())
    if isinstance(value, Rec):
        return False
    return len(value) == 0 if isinstance(value, Multiset) else not value


def rule_data(rule: RuleComparison) -> dict[str, Any]:
    """A comparison as JSON data."""
    return {
        **as_data(rule, "name relation note confirmed examples failures"),
        "reached_in": None if rule.reached is None else len(rule.reached.steps),
        "trace": None if rule.reached is None else trace_data(rule.reached),
    }
