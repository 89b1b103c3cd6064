"""Progress of a running search, and a reporter that writes it as one line on standard error.

The rich library is imported only when there is something to show: a small model is checked before it would have
loaded.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Self

from attrs import define, field

from checker.frozen import frozen
from checker.wording import counted

if TYPE_CHECKING:
    from rich.live import Live
    from rich.text import Text

INTERVAL = 0.5
"""Seconds between two reports; batches are cut so that a report is never more than a second late."""
REPORTS = 4
"""So many reports of a level tell its size."""
NAME = 40  # characters of what is being done, beside the counts of a search


@frozen
class Progress:
    """The state of a search at one moment. `frontier`: states of the level not yet expanded; `rate`: transitions per
    second since the last report; `memory`: bytes of the search's structures; `skew`: the size of the largest shard
    divided by the mean, if there are several; `spilled`: bytes that were put on disk because memory was full.
    """

    level: int
    distinct: int
    transitions: int
    rate: float
    frontier: int
    memory: int
    seconds: float
    skew: float | None = None
    spilled: int = 0


ProgressCallback = Callable[[Progress], None]


@define
class TerminalProgress:
    """A progress callback that keeps one line up to date; silent unless standard error is a terminal.

    Use as a context manager: leaving it removes the line.  ticking: a thread appends the seconds so far to the line,
    and the line of a search begins with what was said last; not for a command that forks.  seldom: where there is no
    terminal, a line is written after so many seconds, and then as often; None: none.
    """

    enabled: bool = field(factory=lambda: sys.stderr.isatty())
    ticking: bool = False
    seldom: float | None = None
    _live: Live | None = field(init=False, default=None)
    _doing: str = field(init=False, default="")
    _since: float = field(init=False, factory=time.monotonic)
    _written: float = field(init=False, factory=time.monotonic)
    _seen: int = field(init=False, default=0)
    _sizes: dict[int, list[int]] = field(init=False, factory=dict)  # of each level, what was left at each report

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def clear(self) -> None:
        """Remove the line, until there is something to show again."""
        if self._live is not None:
            self._live.stop()
            self._live = None

    def __call__(self, progress: Progress) -> None:
        growth = self._growth(progress)
        if self._doing and self.ticking:
            self._show(_Said(f"{shorten(self._doing, NAME)}: {brief(progress)}{growth}", self._since))
        else:
            self._show(_Said(describe(progress) + growth))

    def _growth(self, progress: Progress) -> str:
        """How much larger the level is than the one before: a search whose levels grow is far from its end.  The first
        report of a level comes up to INTERVAL after its begin, so nothing is said of levels with few reports.
        """
        if progress.distinct < self._seen:
            self._sizes.clear()  # another search
        self._seen = progress.distinct
        self._sizes.setdefault(progress.level, []).append(progress.frontier)
        here, before = self._sizes[progress.level], self._sizes.get(progress.level - 1, [])
        if len(before) < REPORTS or max(here) <= max(before):
            return ""
        return f"  about {max(here) / max(before):.1f} times the level before"

    def say(self, text: str) -> None:
        """Show a line of another kind, until the next: the work after a search has ended."""
        self._doing, self._since = text, time.monotonic()
        self._show(_Said(text, self._since if self.ticking else None))

    def _show(self, said: _Said) -> None:
        if not self.enabled:
            self._write(said)
            return
        from rich.console import Console
        from rich.live import Live

        if self._live is None:
            console = Console(stderr=True)
            self._live = Live(console=console, transient=True, auto_refresh=self.ticking, refresh_per_second=2)
            self._live.start()
        self._live.update(said, refresh=True)

    def _write(self, said: _Said) -> None:
        if self.seldom is not None and time.monotonic() - self._written >= self.seldom:
            self._written = time.monotonic()
            print(said.timed(), file=sys.stderr, flush=True)


@frozen
class _Said:
    """One line; since: when it was first shown, if its seconds are to be shown."""

    text: str
    since: float | None = None

    def timed(self) -> str:
        """The text, with the seconds so far."""
        return self.text + ("" if self.since is None else f"  {time.monotonic() - self.since:.0f} s")

    def __rich__(self) -> Text:
        from rich.text import Text

        return Text(self.timed(), no_wrap=True, overflow="ellipsis")


def shorten(text: str, most: int) -> str:
    """The end of a text, if it is longer."""
    return text if len(text) <= most else f"…{text[-most + 1 :]}"


def brief(progress: Progress) -> str:
    """Level, states and memory, for a line with other things."""
    return f"level {progress.level}, {counted(progress.distinct, 'state')}, {progress.memory / 1e6:,.0f} MB"


def describe(progress: Progress) -> str:
    """One line: level, states, transitions, speed, what is left of the level, memory, time."""
    shards = f"skew {progress.skew:.2f}  " if progress.skew is not None else ""
    disk = f"{progress.spilled / 1e6:,.0f} MB on disk  " if progress.spilled or shards else ""
    return (
        f"level {progress.level}  {counted(progress.distinct, 'state')}  "
        f"{counted(progress.transitions, 'transition')}  "
        f"{_rate(progress.rate)}  {progress.frontier:,} of the level to go  "
        f"{progress.memory / 1e6:,.0f} MB  {shards}{disk}{progress.seconds:.0f} s"
    )


def _rate(rate: float) -> str:
    return f"{rate / 1e6:.1f} M/s" if rate >= 1e5 else f"{rate:,.0f}/s"
