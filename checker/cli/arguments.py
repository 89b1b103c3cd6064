"""Values as they are written on a command line: `2,1,0`, `true`, `fifo`, `4G`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any

import click

from checker.analysis.sweep.choices import constant_of
from checker.language.errors import UsageError
from checker.wording import bytes_of


class _Constant(click.ParamType):
    """NAME=VALUE."""

    name = "constant"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[str, Any]:
        if isinstance(value, tuple):
            return value
        name, equals, text = value.partition("=")
        if not equals or not name.strip().isidentifier():
            raise UsageError(
                f"-D {value}: not of the form NAME=VALUE", remedy="For example -D processes=3 or -D workload=2,1,0"
            )
        try:
            return name.strip(), constant_of(text.strip())
        except ValueError as wrong:
            if SEVERAL.search(text):
                raise UsageError(
                    f"-D {value}: these are several values, and here a constant has one",
                    remedy=f"For every combination of several: checker sweep MODEL -D {name}='{text.strip()}'",
                ) from None
            remedy = (
                "A value is a whole number, true or false, a word, or several of these with commas between: "
                "2,1,0; lists of lists are written (0,1),(1,2)"
            )
            raise UsageError(f"-D {value}: {wrong} is not a value", remedy=remedy) from None


MOST_NUMBER = 10**15
"""The largest number of states, steps or walks: a larger one is a mistake, and would not fit into 64 bits everywhere.
"""


class Number(click.IntRange):
    """A whole number of at least `least`; help texts do not mention the upper bound."""

    def __init__(self, least: int) -> None:
        super().__init__(least, MOST_NUMBER)

    def _describe_range(self) -> str:
        return f"x>={self.min}"


class _Memory(click.ParamType):
    """A size in bytes, or followed by K, M, G or T; `zero`: 0 is allowed."""

    name = "size"

    def __init__(self, zero: bool = False) -> None:
        self.zero = zero

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        try:
            return bytes_of(value, zero=self.zero)
        except ValueError as wrong:
            self.fail(str(wrong), param, ctx)


class _Seconds(click.FloatRange):
    """A finite time in seconds; `inf` and `nan` are refused."""

    name = "seconds"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        try:
            float(value)
        except ValueError:
            self.fail(f"{value!r} is not a number of seconds: write 30 or 0.5", param, ctx)
        seconds = super().convert(value, param, ctx)
        if not math.isfinite(seconds):
            self.fail(f"{value!r} is no number of seconds; leave the option out for no limit", param, ctx)
        return seconds


CONSTANT, MEMORY, DISK = _Constant(), _Memory(), _Memory(zero=True)
SECONDS, SECONDS_OR_NONE = _Seconds(0, min_open=True), _Seconds(0)
SEVERAL = re.compile(r"\d\.\.|\||^\d+x\d+| over ")  # what only `choices_of` reads


def constants_of_options(options: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """The constants of all -D options.  Raises UsageError if one is given twice."""
    result: dict[str, Any] = {}
    for name, value in options:
        if name in result:
            raise UsageError(f"-D {name} is given twice")
        result[name] = value
    return result


def names_of_options(options: Iterable[str]) -> list[str] | None:
    """The names in repeated options that may contain several, separated by commas; None without such an option.  Raises
    UsageError if an option contains no name.
    """
    texts = list(options)
    for text in texts:
        if not text.strip(" ,"):
            raise UsageError(f"{text!r} names nothing", remedy="Leave the option out to have all.")
    return [name.strip() for text in texts for name in text.split(",") if name.strip()] or None
