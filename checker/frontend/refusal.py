"""Refusing a model: what is wrong, where, and what to write instead.

A refusal is raised where it is found and collected per action or function, so that one run reports as many as it can.
"""

from __future__ import annotations

from attrs import define

from checker.language.errors import UsageError


@define(str=False, slots=False)
class Refused(UsageError):
    """One fragment of a model that is not in the language, or does not fit its types."""

    others: tuple[Refused, ...] = ()

    def __str__(self) -> str:
        return "\n".join([super().__str__(), *map(str, self.others)])


def together(refusals: list[Refused]) -> Refused:
    """Several refusals as one, each place once, in the order of the source."""
    distinct = {(r.file, r.line, r.message, r.fragment): r for r in refusals}
    first, *others = sorted(distinct.values(), key=lambda r: (r.file or "", r.line or 0))
    return Refused(first.message, first.file, first.line, first.remedy, first.fragment, tuple(others))
