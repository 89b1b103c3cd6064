"""The events that a method emits, read from its compiled code: `self.emit.NAME(...)`.

Where it stops: an event with a computed name (`getattr(self.emit, name)`) is not found; the front end refuses such a
call.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any


def events_of(function: Callable[..., Any]) -> set[str]:
    """The names of the events that a method emits itself."""
    return set(_emitted(function.__code__))


def _emitted(code: CodeType) -> Iterator[str]:
    named = "emit" in (*code.co_names, *code.co_varnames, *code.co_freevars)
    instructions = list(dis.get_instructions(code)) if named else []  # to disassemble every method takes long
    for first, second in zip(instructions, instructions[1:]):
        if first.argval == "emit" and second.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            yield str(second.argval)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _emitted(constant)
