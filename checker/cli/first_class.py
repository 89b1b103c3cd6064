"""Which class a reference without a class means, for the commands that look at one: the first of its file."""

from __future__ import annotations

from checker.catalogue import Entry, left_out
from checker.cli.output import Output
from checker.wording import counted, listed


def first_class(reference: str, entry: Entry) -> str:
    """`lock.py: class Lock`; "" if the reference names the class, or if the file has no other."""
    return _meant(entry) if left_out(reference) else ""


def name_first_class(reference: str, entry: Entry, output: Output, done: str) -> None:
    """Say which class is meant, and name the others of its file.  done: what the command does with it, "checked"."""
    if others := left_out(reference):
        more = f"{counted(len(others), 'more model')} in this file: {listed([e.reference for e in others])}"
        output.line(f"{_meant(entry)} is {done}; {more}", "yellow")


def _meant(entry: Entry) -> str:
    return f"{entry.reference}: class {entry.cls.__name__}"
