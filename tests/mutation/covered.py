"""Which tests execute which lines: recorded once, so that a mutant meets the tests that can notice it, the quickest
first.

Lines are recorded in the first calls of each function in a test.  What is computed once and kept (@cache) belongs to
the first test that asks; so tests that execute anything of the same function, then of the same file, follow.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any
from zlib import crc32

import pytest
from attrs import field, frozen

from tests.mutation.mutants import ROOT

CALLS = 4
"""Calls of a function in a test whose lines are recorded."""
RECORDED = 1.0
"""Seconds of a test that are recorded: the rest of a long one is more of the same."""
Lines = dict[str, int]
"""File -> lines as bits."""


@frozen
class Covering:
    """A test, or a case of the enumeration, with what it executes."""

    name: str
    seconds: float
    lines: Lines = field(repr=False)


class Recorder:
    """Records the lines that are executed in files of the program."""

    def __init__(self, parts: tuple[str, ...] = ("checker", "tests/mutation/toy")) -> None:
        self.prefixes = tuple(str(ROOT / part) + os.sep for part in parts)
        self.lines: Lines = {}
        self.calls: Counter[CodeType] = Counter()
        self.until = 0.0

    @contextmanager
    def recording(self) -> Iterator[Lines]:
        """The lines executed inside."""
        self.lines, self.calls, self.until = {}, Counter(), time.process_time() + RECORDED
        before = sys.gettrace()
        threading.settrace(self._called)
        sys.settrace(self._called)
        try:
            yield self.lines
        finally:
            sys.settrace(before)
            threading.settrace(before)  # type: ignore[arg-type]

    def _called(self, frame: FrameType, event: str, argument: Any) -> Callable[..., Any] | None:
        code = frame.f_code
        if not code.co_filename.startswith(self.prefixes) or self.calls[code] >= CALLS:
            return None
        self.calls[code] += 1
        if time.process_time() > self.until:
            sys.settrace(None)
            return None
        file = code.co_filename[len(str(ROOT)) + 1 :]
        self.lines[file] = self.lines.get(file, 0) | 1 << code.co_firstlineno

        def line(frame: FrameType, event: str, argument: Any) -> Callable[..., Any]:
            self.lines[file] |= 1 << frame.f_lineno
            return line

        return line


class Recording:
    """A plugin of pytest: each test that passes, with what it executes and how long it takes."""

    def __init__(self) -> None:
        self.recorder = Recorder()
        self.found: list[Covering] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """Around the test itself."""
        begun = time.process_time()
        with self.recorder.recording() as lines:
            result = yield
        self.found.append(Covering(item.nodeid, time.process_time() - begun, lines))
        return result  # type: ignore[return-value]


def text_of(found: list[Covering]) -> str:
    """As JSON."""
    return json.dumps(
        [[c.name, round(c.seconds, 4), {file: hex(bits) for file, bits in c.lines.items()}] for c in found]
    )


def read(text: str) -> list[Covering]:
    """From JSON."""
    return [
        Covering(name, seconds, {file: int(bits, 16) for file, bits in lines.items()})
        for name, seconds, lines in json.loads(text)
    ]


def span(lines: tuple[int, int]) -> int:
    """Lines as bits."""
    first, last = lines
    return (1 << last + 1) - (1 << first)


def order(found: list[Covering], file: str, line: int, function: tuple[int, int] | None) -> list[Covering]:
    """Those that execute the line, then its function, then its file; the quickest first.

    A line outside of functions belongs to the whole file; of a file whose functions nothing executes (it defines
    types), to all tests, in any order.
    """

    def rank(c: Covering) -> tuple[int, float]:
        bits = c.lines[file]
        return (0 if bits >> line & 1 else 1 if function and bits & span(function) else 2, c.seconds)

    there = [c for c in found if c.lines.get(file)]
    return sorted(there, key=rank) if there else sorted(found, key=lambda c: crc32(c.name.encode()))
