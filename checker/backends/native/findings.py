"""What a kernel can find, numbered in the order of discovery: the model's properties first, then the errors its code
can make.

Kinds: those of properties ("invariant", "reachable", "step", "quiescence"), "error" (the model did something wrong),
"assert" (an assertion of an action failed), "grow" (a network is full; `name` is its variable, the caller enlarges it
and starts again).
"""

from __future__ import annotations

from attrs import Factory, define, frozen


@frozen
class Finding:
    """Something a search can find.  `line` is a line of the model's source."""

    kind: str
    name: str
    line: int


@define
class Findings:
    """A growing table of findings."""

    table: list[Finding] = Factory(list)

    def number(self, kind: str, name: str, line: int) -> int:
        """The id of a finding; the same finding always has the same id."""
        finding = Finding(kind, name, line)
        if finding not in self.table:
            self.table.append(finding)
        return self.table.index(finding)
