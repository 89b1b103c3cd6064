"""What a kernel can find, numbered in the order of discovery: the model's properties first, then the errors its code
can make. Kinds: `checker.contract.Finding`.
"""

from __future__ import annotations

from typing import cast

from attrs import Factory, define

from checker.contract import Finding, FindingKind


@define
class Findings:
    """A growing table of findings."""

    table: list[Finding] = Factory(list)

    def number(self, kind: str, name: str, line: int) -> int:
        """The id of a finding; the same finding always has the same id."""
        finding = Finding(cast(FindingKind, kind), name, line)
        if finding not in self.table:
            self.table.append(finding)
        return self.table.index(finding)
