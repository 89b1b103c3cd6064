"""Unmet expectations with the cause of one that was shown before: the same properties are broken, by the same rule of
the change or in the protocol before the edit too.  A broken base makes each of its edits fail; one of them is shown in
full, and the others are counted by class.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from attrs import define, field

from checker.report.due import deciding
from checker.report.lines import Line, line
from checker.report.wording import former_line
from checker.results.parts import Part
from checker.results.review import unexpected, unexpected_properties
from checker.results.vacuity import DECIDING
from checker.results.verified import Verified
from checker.trace.trace import Trace
from checker.wording import counted, listed

Changed = Mapping[str, Sequence[Part]]


@define
class SameCauses:
    """The results so far, each with the one that shows its cause: itself, or one that was added before.  changed: for
    each reference of a class, the parts of the source that a change touches.
    """

    changed: Changed
    shown: list[tuple[Verified, Verified]] = field(init=False, factory=list)

    def add(self, result: Verified) -> bool:
        """Add a result, in order; whether it must be shown, since none before it has its cause."""
        first = next((first for other, first in self._near(result) if self._alike(result, other)), result)
        self.shown.append((result, first))
        return first is result

    def lines(self) -> Iterator[Line]:
        """For each result with a cause that others have: their classes, and how to see one of them in full."""
        for first in (result for result, shown in self.shown if shown is result):
            others = [result for result, shown in self.shown if shown is first and result is not first]
            if others:
                yield from self._others(first, others)

    def _near(self, result: Verified) -> list[tuple[Verified, Verified]]:
        """The results of the class, and of the nearest class above it that has some."""
        of = {cls: [pair for pair in self.shown if pair[0].case.cls is cls] for cls in result.case.cls.__mro__}
        own, *above = of.values()
        return own + next(filter(None, above), [])

    def _alike(self, result: Verified, other: Verified) -> bool:
        """Whether what is wrong in a result is wrong in another for the same reason, as far as that is known."""
        run, seen = unexpected(result), unexpected(other)
        broken, before = ({p.name for p in unexpected_properties(r)} for r in (result, other))
        if run is None or seen is None or not broken <= before or not _nothing_else(result, broken):
            return False
        if self._due(result) != self._due(other) or _rules(run) != _rules(seen):
            return False
        return result.case.cls is other.case.cls or bool(_rules(run)) or _inherited(run)

    def _due(self, result: Verified) -> frozenset[Part]:
        return frozenset(deciding(result, self.changed.get(result.case.reference, ())))

    def _others(self, first: Verified, others: Sequence[Verified]) -> Iterator[Line]:
        own = first.case.cls
        heirs = [r for r in others if r.case.cls is not own]
        classes = list(dict.fromkeys(r.case.cls.__name__ for r in heirs))
        rules = [part.name for part in self._due(first) if part.owner]
        what = f"`{rules[0]}`" if len(rules) == 1 else f"from {own.__name__}"
        number = f"{counted(len(classes), 'class')} that inherit{'s' * (len(classes) == 1)}"
        told = [f"{counted(len(others) - len(heirs), 'other expectation')} of {own.__name__}"] * (
            len(others) > len(heirs)
        )
        told += [f"{counted(len(heirs), 'expectation')} of {number} {what}: {listed(classes)}"] * bool(heirs)
        broken = ", ".join(p.name for p in unexpected_properties(first))
        yield (
            ("DIFFERS      ", "bold red"),
            (f"like {first.case.label}", "bold"),
            (f"  {broken}: {', and '.join(told)}", ""),
        )
        if heirs:
            yield line(f"    one of them in full: checker verify {heirs[0].case.reference}", "dim")


def _nothing_else(result: Verified, broken: Collection[str]) -> bool:
    """Whether the broken properties are all that is wrong, except for counts, which differ where the graph does."""
    found = result.report.findings if result.report is not None else ()
    other = result.hollow or result.case.expectation.within or any(f.kind in DECIDING for f in found)
    return not other and all(remark.of is None or remark.of[1] in broken for remark in result.mismatches)


def _inherited(run: Trace) -> bool:
    """Whether the protocol before the edit breaks the property as it is broken here: it has the run too, or one that is
    not longer.
    """
    return bool(former_line(run)) and (run.former_steps is None or run.former_steps <= len(run.steps))


def _rules(run: Trace) -> frozenset[object]:
    """The lines that decide the CAUSE; nothing if no step is new."""
    steps = frozenset[object](step.rule or step.action for step in run.steps if step.cause)
    return steps | ({run.cause} if run.cause else frozenset())
