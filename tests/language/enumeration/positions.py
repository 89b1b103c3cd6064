"""Where a case stands in a model: the method that holds it."""

from __future__ import annotations

from collections.abc import Iterable

from tests.language.enumeration.cases import Case
from tests.language.enumeration.sinks import predicate, sink

HEADS: dict[str, tuple[str, str]] = {
    "action": ("action", ""),
    "invariant": ("invariant", " -> bool"),
    "procedure": ("action", ""),
}


def method(name: str, case: Case, shape: str) -> str:
    """The text of the method that holds a case; shape: the kind of value that its expression has in Python."""
    decorator, result = HEADS[case.position]
    if case.lines:
        lines = (*case.before, *(line.replace("CALLED", f"called_{name}") for line in case.lines))
    elif decorator == "action":
        lines = (*case.before, *(line.replace("E", case.expression) for line in sink(shape)))
    else:
        lines = (*case.before, "return " + _in(predicate(shape), case.expression))
    called = f"\n    def called_{name}(self, x):\n" + _indented(case.body) if case.body else ""
    return called + f"\n    @{decorator}\n    def {name}(self){result}:\n" + _indented(lines)


def _indented(lines: Iterable[str]) -> str:
    return "".join(f"        {line}\n" for line in lines)


def _in(template: str, expression: str) -> str:
    return template.replace("E", expression if template == "E" else f"({expression})")
