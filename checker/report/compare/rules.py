"""Rules of two models compared: lines of text, the same in every report, and JSON data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from checker.report.data import as_data
from checker.report.lines import Line, line
from checker.results.rules import RuleComparison, RuleExample
from checker.trace.values import FrozenMap, is_blank, show
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


def rule_lines(rules: Sequence[RuleComparison]) -> Iterator[Line]:
    """What is known of each rule, with the states that show it."""
    width = max((len(r.name) for r in rules), default=0)
    for rule in rules:
        note = f" ({rule.note})" if rule.note else ""
        style = "dim" if rule.relation == "equivalent" else "bold"
        yield line(f"{rule.name:<{width}}  {MEANING[rule.relation]}{note}", style)
        for example in (*rule.examples, *rule.failures):
            yield line(f"    {_values(rule.name, example)}")
            yield from (line(f"        {text}") for text in _state_lines(example.state))
        if rule.reached is not None:
            yield line(f"    reached in {counted(len(rule.reached.steps), 'step')}")


def _values(name: str, example: RuleExample) -> str:
    call = f"{name}({', '.join(show(v) for v in example.arguments.values())})"
    before, after = (
        "fails" if f else show(v) if not isinstance(v, int) or isinstance(v, bool) else str(v)
        for f, v in zip(example.fails, (example.before, example.after))
    )
    return f"{call}: {before} → {after} where"


def _state_lines(state: Mapping[str, Any]) -> Iterator[str]:
    """The values in a state that are not empty, 0, false or None, one line each: held[p2][m1.1]: Held(Stamp(0, p1),
    false).
    """
    leaves = (leaf for name, value in state.items() for leaf in _leaves(name, value))
    shown = [f"{path}: {show(value)}" for path, value in leaves if not is_blank(value)]
    yield from shown or ["everything is empty, 0, false or none"]


def _leaves(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, FrozenMap):
        for key, item in value.items():
            yield from _leaves(f"{path}[{show(key)}]", item)
    else:
        yield path, value


def rule_data(rule: RuleComparison) -> dict[str, Any]:
    """A comparison as JSON data."""
    return {
        **as_data(rule, "name relation note confirmed examples failures"),
        "reached_in": None if rule.reached is None else len(rule.reached.steps),
        "trace": as_data(rule.reached),
    }
