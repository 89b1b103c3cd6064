"""How far a sweep is, in one line on standard error; silent unless that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from checker.analysis.sweep.sweep import Announce
from checker.results.sweep import Configuration


@contextmanager
def announcements(enabled: bool) -> Iterator[Announce]:
    """A line that is kept up to date, as a callback."""
    if not enabled or not sys.stderr.isatty():
        yield lambda done, all, running: None
        return
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    with Live(console=Console(stderr=True), transient=True, auto_refresh=False) as live:

        def announce(done: int, all: int, running: Sequence[Configuration]) -> None:
            text = f"{done} of {all} configurations" + "".join(f"; {c.label}" for c in running)
            live.update(Text(text, no_wrap=True, overflow="ellipsis"), refresh=True)

        yield announce
