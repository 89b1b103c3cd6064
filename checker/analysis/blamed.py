"""Which of several changed parts an unmet expectation is due to: each part is changed back alone, and the expectation
is verified again.

Nothing is asked where the model before the change breaks the property too.

A part matters if everything that should hold holds without it, or, where nothing is violated, if the expectation is met
without it.  An expectation matters if what it said before with the same constants is met.  If no part matters alone,
several do only together, or each of several is enough.

Where it stops: after SECONDS altogether, and with more than PARTS parts, or names that were replaced, nothing is asked;
of a part that cannot be changed back alone (`checker.analysis.changed_back`) it is not known whether it matters.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from attrs import evolve

from checker.analysis.changed_back import can_be_asked, changed_back
from checker.analysis.since import Touched
from checker.analysis.verify import verify_one
from checker.catalogue import Entry, find
from checker.language.errors import UsageError
from checker.language.expectation import Expectation, expectations
from checker.replay.marked import broken_too
from checker.results.parts import EXPECTED, MOVED, RENAMED, Part
from checker.results.review import unexpected_properties
from checker.results.verified import Case, Verified
from checker.search.limits import Limits

PARTS, SECONDS, EACH = 8, 60.0, 10.0


class Blame:
    """Tells of unmet expectations which parts they are due to, as many as there is time for."""

    def __init__(self, change: Touched) -> None:
        self._change, self._left = change, SECONDS

    def told(self, result: Verified) -> Verified:
        """The result with the parts that matter, if several have changed."""
        every = self._change.parts.get(result.case.reference, ())
        parts = [part for part in every if part.kind != MOVED]
        renamed = any(part.kind == RENAMED for part in parts)
        if not result.mismatches or result.report is None or renamed or not 2 <= len(parts) <= PARTS:
            return result
        if any(p.trace is not None and (p.trace.former or broken_too(p.trace)) for p in unexpected_properties(result)):
            return result
        begun = time.monotonic()
        try:
            blamed = self._asked(result, parts)
        finally:
            self._left -= time.monotonic() - begun
        return result if blamed is None else evolve(result, blamed=blamed)

    def _asked(self, result: Verified, parts: Sequence[Part]) -> tuple[Part, ...] | None:
        """The parts that matter; None if there is none among those that could be asked, and others could not."""
        until, found, open_ = time.monotonic() + self._left, list[Part](), False
        for part in parts:
            if (left := until - time.monotonic()) <= 0:
                return None
            try:
                found += [part] * self._matters(part, result, Limits(max_seconds=min(left, EACH)))
            except UsageError:  # the model makes no sense with this part as it was
                open_ = True
        return None if open_ and not found else tuple(found)

    def _matters(self, part: Part, result: Verified, limits: Limits) -> bool:
        case = result.case
        if not can_be_asked(part):
            raise UsageError(f"{part.text} cannot be changed back")
        with changed_back(find(case.reference), self._change.root, self._change.commit, part) as entry:
            stated = case.expectation if part.kind != EXPECTED else _as_before(entry, case.expectation)
            asked = Case(case.reference, entry.cls, entry.file, stated, case.mark)
            without = verify_one(asked, traces=False, limits=limits)
            if without.report is None or without.undecided:
                raise UsageError("not known")
            broken = part.kind != EXPECTED and unexpected_properties(result)
            return not unexpected_properties(without) if broken else without.met


def _as_before(entry: Entry, stated: Expectation) -> Expectation:
    """The former expectation with the constants of one of today.  Raises UsageError if there is not exactly one."""
    found = [one for one in expectations(entry.cls) if one.at == stated.at]
    if len(found) != 1:
        raise UsageError("no former expectation has these constants")
    return found[0]
