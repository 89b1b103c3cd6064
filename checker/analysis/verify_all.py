"""All expectations of many models: each is a separate search, so several processes share the work.

Results come in the order of the cases, and an error at the place of its case, as with one process; only times and
memory differ.  Cases also begin in this order, so each result can be printed soon after it is found.  Beginning with
the longest cases, if they were known, would save less than the time of one search.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from functools import partial
from traceback import format_exception
from typing import Any, Unpack

from attrs import fields

from checker.analysis.verify import not_examined, verify_one
from checker.analysis.workers import each_done, shared_out
from checker.catalogue import find
from checker.engines.request import How
from checker.language.errors import debugging
from checker.language.expectation import expectations
from checker.results.verified import Case, Verified
from checker.search.limits import NO_LIMITS

Announce = Callable[[int, int, Sequence[Case]], None]
Asked = tuple[str, int]
"""A case as another process can find it: the reference, and the place among the expectations of the class."""


def verify_all(
    cases: Sequence[Case],
    *,
    jobs: int = 1,
    strict: bool = False,
    traces: bool = True,
    announce: Announce = lambda done, all, running: None,
    **how: Unpack[How],
) -> Generator[Verified, None, None]:
    """Check the cases, in order, within the limits for each; `jobs` processes search, sharing the memory.
    announce(done, all, under way): called after each case.  strict, traces: as in `verify_one`.

    Ctrl-C, or a killed process, ends the work: the exception is raised after the finished results.
    """
    jobs = min(jobs, len(cases))
    if jobs < 2:
        for case in cases:
            yield _surely(case, strict, traces, how)
        return
    given: How = {**how, "limits": shared_out(how.get("limits", NO_LIMITS), jobs), "progress": None}
    asked = {place: (c.reference, expectations(c.cls).index(c.expectation)) for place, c in enumerate(cases)}
    done, told = dict[int, dict[str, Any] | Exception](), 0
    try:
        with closing(each_done(partial(_found, strict=strict, traces=traces, how=given), asked, jobs)) as found:
            for place, result, running in found:
                done[place] = result
                announce(told + len(done), len(cases), [cases[i] for i in running])
                while told in done:
                    one = done.pop(told)
                    if isinstance(one, Exception):
                        done.clear()  # a single process would not have begun what stands behind it
                    yield _told(cases[told], one)
                    told += 1
    except (KeyboardInterrupt, Exception):
        for place in sorted(done):
            yield _told(cases[place], done[place])
        raise


def _found(asked: Asked, strict: bool, traces: bool, how: How) -> dict[str, Any] | Exception:
    """The result of a case in another process: the fields of `Verified` except the case, or the error that ended it."""
    reference, place = asked
    entry = find(reference)
    case = Case(reference, entry.cls, entry.file, expectations(entry.cls)[place])
    try:
        result = _surely(case, strict, traces, how)
    except Exception as error:
        error.add_note("".join(format_exception(error)))
        return error
    return {a.name: getattr(result, a.name) for a in fields(Verified) if a.name != "case"}


def _surely(case: Case, strict: bool, traces: bool, how: How) -> Verified:
    """A result in any case, except after a failure of the machine, which concerns the other cases too."""
    try:
        return verify_one(case, strict=strict, traces=traces, **how)
    except (MemoryError, OSError):
        raise
    except Exception as error:
        if debugging():
            raise
        return not_examined(case, error)


def _told(case: Case, found: dict[str, Any] | Exception) -> Verified:
    if isinstance(found, Exception):
        raise found
    return Verified(case, **found)
