"""The files and streams that a command writes besides its text: tested before the work begins, written after it.

A search may take hours, and its verdict must not be lost because a disk is full or a reader has left.  A failure to
write is therefore recorded in `unwritten`; the command prints its verdict all the same, and ends with exit code 2 and
these notes.

Standard output is such a file, too.  If its reader leaves (`| head`), that is no error, and nothing more is written to
it.  A full device is an error.  Standard error is the last resort; where it fails, nothing can be reported.

What a model prints while it is read goes to standard error: standard output has the results alone.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO, cast

from checker.language.errors import UsageError
from checker.language.spoken import is_reading

unwritten: list[UsageError] = []
"""The failures to write in this run of the command line."""

whole: set[str] = set()
"""The files that this run of the command line has written."""

LONGEST_LINE = 600


def legible(text: str) -> str:
    """A message that contains user input, without lines that fill a screen, and without bytes that a terminal cannot
    show.
    """
    return "\n".join(map(_shortened, text.encode("utf-8", "backslashreplace").decode().split("\n")))


def _shortened(line: str) -> str:
    if len(line) <= LONGEST_LINE:
        return line
    return f"{line[:200]} ... ({len(line) - 400:,} characters) ... {line[-200:]}"


def writable(target: str, option: str = "--json") -> None:
    """Raise UsageError if the file an option names could not be written later."""
    if target != "-" and not _may_be_written(target):
        raise UsageError(
            f"{option} {target or repr(target)}: cannot write there",
            remedy="Name a file in a directory that exists, or - for standard output.",
        )


def _may_be_written(target: str) -> bool:
    path = Path(target)
    try:
        place = bool(target) and not path.is_dir() and path.parent.is_dir()
        return place and os.access(path if path.exists() else path.parent, os.W_OK)
    except OSError:  # a name that is too long, or leads to itself
        return False


def write_file(target: str | Path, text: str, option: str) -> None:
    """Write the text of an option's file; "-" is standard output."""
    if target == "-":
        print(text, end="", flush=True)
        return
    try:
        Path(target).write_text(text, encoding="utf-8")
        whole.add(str(target))
    except OSError as error:
        not_written(f"{option} {target}", error)


def not_written(what: str, error: OSError) -> None:
    """Record a failure to write."""
    unwritten.append(
        UsageError(
            f"{what} could not be written: {error.strerror or error}",
            remedy="What is there is not whole; make room, or name another place.",
        )
    )


@contextmanager
def guarded() -> Iterator[None]:
    """Standard output and standard error that never fail: their errors are recorded."""
    before = sys.stdout, sys.stderr
    sys.stdout = cast(TextIO, _Guarded(before[0], "standard output"))
    sys.stderr = cast(TextIO, _Guarded(before[1], None))
    try:
        yield
        sys.stdout.flush()
    finally:
        sys.stdout, sys.stderr = before


class _Guarded:
    """A text stream; after a failure nothing more is written.  name: of the stream in the record of its failure, None
    if there is no record.
    """

    def __init__(self, stream: TextIO | None, name: str | None) -> None:
        # None: closed by whoever started the program
        self._stream = open(os.devnull, "w", encoding="utf-8") if stream is None else stream
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(self._stream, attribute)

    def write(self, text: str) -> int:
        if self._name is not None and is_reading():
            return sys.stderr.write(text)
        try:
            return self._stream.write(text)
        except UnicodeEncodeError:
            encoding = self._stream.encoding or "utf-8"
            return self.write(text.encode(encoding, "backslashreplace").decode(encoding))
        except OSError as error:
            return self._end(error) or len(text)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except OSError as error:
            self._end(error)

    def _end(self, error: OSError) -> int:
        if self._name is not None and not isinstance(error, BrokenPipeError):
            not_written(self._name, error)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        with suppress(OSError, ValueError):  # a stream without a file
            os.dup2(nowhere, self._stream.fileno())  # where Python writes what it still has when it ends
        self._stream = os.fdopen(nowhere, "w", encoding="utf-8")
        return 0
