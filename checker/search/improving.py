"""A search begins with quickly compiled code and continues with optimised code.

Optimising takes several times as long as compiling without it, and most searches are over before it would pay.  It
begins when the search has worked about as long as optimising will take (the ski rental rule: at most twice the time of
the better choice, whichever that is), in a separate thread, and the search changes over between two batches.  The time
is CPU time: on a busy machine a short search takes long, and optimising would take longer. Both codes are made from the
same assembly, so no result depends on the moment of the change.

A search that is over before the optimised code exists leaves none for the next search of the same model.  The seconds
that searches worked with quick code are therefore added up from run to run, and a search begins with optimised code
when the sum has reached what optimising takes.  A model that is searched once pays nothing for that.

Where it stops: only one thread at a time can be inside LLVM, so another compilation waits.  A process that forks or
ends waits too; the command line ends without waiting (`checker.cli.program.main`).
"""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Callable
from contextlib import suppress

from attrs import define, field

from checker.contract import Source
from checker.frozen import frozen
from checker.search.build import Library
from checker.search.deadline import NAME
from checker.search.seen_set_native import library
from checker.stored.notes import note, noted
from checker.stored.shape import number, record

PATIENCE = 0.2
"""Seconds that a search works at least before its code is optimised."""
NOTED = 0.05
"""Seconds of a search that are worth a note: for a shorter search, optimised code gains less than a user notices."""
LIKELY = 4
"""How many times as long as until now a search of many states will probably last: of the expectations of the shipped
models that have 50,000 states, 131 of 233 have 200,000."""


@frozen
class _Work:
    """Seconds of all searches with some quick code, and seconds that optimising it takes."""

    worked: float
    optimising: float


_WORK = record(_Work, {"worked": number, "optimising": number})
_in_turn = False
_running: set[threading.Thread] = set()


def _settle() -> None:
    for thread in list(_running):
        thread.join()


atexit.register(_settle)
os.register_at_fork(before=_settle)


@define(eq=False)
class Improvement:
    """Optimised code for a search.  compiled: returns the source with it; seconds: the approximate time for it; quick:
    whether the search begins with code that is not optimised; had: seconds that an equal search worked before, which
    count as seconds of this one.
    """

    compiled: Callable[[], Source]
    seconds: float = PATIENCE
    quick: bool = True
    had: float = 0.0
    _code: list[tuple[Source, Library]] = field(init=False, factory=list)
    _begun: bool = field(init=False, default=False)

    def ready(self, worked: float) -> bool:
        """Whether the code is ready; compiling it begins when the search has worked long enough (seconds)."""
        if not self._begun and self.had + worked >= max(PATIENCE, self.seconds):
            self._begun = True
            if _in_turn:
                self._work()
            else:
                thread = threading.Thread(target=self._work, name=NAME, daemon=True)
                _running.add(thread)
                thread.start()
        return bool(self._code)

    @property
    def code(self) -> tuple[Source, Library]:
        """The source and the functions of the search, when they are ready."""
        return self._code[0]

    def _work(self) -> None:
        with suppress(Exception):  # no memory for it, say: the search goes on as it began
            source = self.compiled()
            self._code.append((source, library(source.words)))
        _running.discard(threading.current_thread())


def is_worth(worked: float, seconds: float) -> bool:
    """Whether a search begins with optimised code, which takes so many seconds to compile, when it is about to repeat
    what took the quick code so many.  A search with a second thread begins at once, and compiles meanwhile.
    """
    return _in_turn and LIKELY * worked >= seconds


def optimise_in_turn() -> None:
    """Have the searches of this process wait for their optimised code, instead of compiling it in a second thread."""
    global _in_turn
    _in_turn = True


# ---- from run to run


def is_due(name: str) -> bool:
    """Whether searches have worked with the quick code of that name for as long as optimising it takes."""
    had = noted(name, _WORK)
    return had is not None and had.worked >= had.optimising


def add_worked(name: str, worked: float, optimising: float) -> None:
    """Record a search that began with the quick code of that name: its seconds, and those that optimising takes."""
    if worked >= NOTED:
        had = noted(name, _WORK)
        before = 0.0 if had is None else had.worked
        note(name, {"worked": round(before + worked, 3), "optimising": max(PATIENCE, optimising)})
