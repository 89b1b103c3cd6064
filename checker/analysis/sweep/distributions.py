"""Every distribution of so many messages over so many processes, as a value on a command line: `1..4 over 2..4`.

Distributions that differ only in which process is called what give the same verdicts if no rule, property or constant
tells these processes apart.  Whether that is so is for who writes the command to say: `alike` keeps one distribution of
each kind, largest first; `alike but p1` lets the first process be special (a sequencer, a leader); `alike if silent`
keeps every order of those that send something, as where the smallest message is served first.  The model is not looked
at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

Distribution = tuple[int, ...]  # how many messages each process sends

FORM = re.compile(r"(\d+)(?:\.\.(\d+))? over (\d+)(?:\.\.(\d+))?(?: (alike(?: but p1| if silent)?))?")
USUAL = "N over N, N..N over N..N, with alike, alike but p1 or alike if silent behind it"


def is_spread(text: str) -> bool:
    """Whether a value is meant as distributions."""
    return " over " in text


def spread(text: str) -> Iterator[Distribution]:
    """The distributions that a text means: fewest processes first, then fewest messages, then the most at the first
    process.  Raises ValueError if it means none.
    """
    found = FORM.fullmatch(" ".join(text.split()))
    if found is None:
        raise ValueError(f"{text!r} is not of the form {USUAL}")
    messages, processes = _range(found[1], found[2]), _range(found[3], found[4])
    if not messages or not processes or processes.start == 0:
        raise ValueError(f"{text!r} has an empty range")
    for n in processes:
        for k in messages:
            yield from GENERATED[found[5]](n, k)


def left_out(text: str) -> int:
    """How many distributions `alike` leaves out of a text, because they differ from others in names of processes."""
    every, word, _ = " ".join(text.split()).partition(" alike")
    return sum(1 for _ in spread(every)) - sum(1 for _ in spread(text)) if word else 0


def _range(first: str, last: str | None) -> range:
    return range(int(first), int(last or first) + 1)


def _every(processes: int, messages: int) -> Iterator[Distribution]:
    if processes == 1:
        yield (messages,)
        return
    for first in range(messages, -1, -1):
        for rest in _every(processes - 1, messages - first):
            yield (first, *rest)


def _alike(processes: int, messages: int, most: int | None = None) -> Iterator[Distribution]:
    """None sends more than the one before, and the first no more than `most`."""
    if processes == 0:
        if messages == 0:
            yield ()
        return
    most = messages if most is None else min(most, messages)
    for first in range(most, -1, -1):
        if first * processes >= messages:  # else the rest has no place
            for rest in _alike(processes - 1, messages - first, first):
                yield (first, *rest)


def _alike_but_first(processes: int, messages: int) -> Iterator[Distribution]:
    for first in range(messages, -1, -1):
        for rest in _alike(processes - 1, messages - first):
            yield (first, *rest)


def _alike_if_silent(processes: int, messages: int) -> Iterator[Distribution]:
    if processes == 0 or messages == 0:
        if messages == 0:
            yield (0,) * processes
        return
    for first in range(messages, 0, -1):
        for rest in _alike_if_silent(processes - 1, messages - first):
            yield (first, *rest)


GENERATED: dict[str | None, Callable[[int, int], Iterator[Distribution]]] = {
    None: _every,
    "alike": _alike,
    "alike but p1": _alike_but_first,
    "alike if silent": _alike_if_silent,
}
