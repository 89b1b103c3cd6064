"""Values as they are written on a command line: `2,1,0`, `true`, `fifo`, `4G`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from itertools import islice, product
from typing import Any

import click

from checker.analysis.sweep.distributions import is_spread, spread
from checker.language.errors import UsageError


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
            return name.strip(), _value(text.strip())
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


LARGEST_SIZE = 1e15
MOST_NUMBER = 10**15
"""Of states, steps, walks: what is larger is a slip, and would not fit into 64 bits everywhere."""


class Number(click.IntRange):
    """A whole number from `least` on; the other end needs no mention in a help text."""

    def __init__(self, least: int) -> None:
        super().__init__(least, MOST_NUMBER)

    def _describe_range(self) -> str:
        return f"x>={self.min}"


class _Memory(click.ParamType):
    """A size in bytes, or with K, M, G or T behind it."""

    name = "size"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGTkmgt]?)[Bb]?", str(value))
        if match is None or not 0 < float(match[1]) < LARGEST_SIZE:
            self.fail(f"{value!r} is not a size: write 500M or 4G", param, ctx)
        return int(float(match[1]) * 1024 ** " KMGT".index(match[2].upper() or " "))


class _Seconds(click.FloatRange):
    """A time in seconds: a number with an end."""

    name = "seconds"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        seconds = super().convert(value, param, ctx)
        if not math.isfinite(seconds):
            self.fail(f"{value!r} is no number of seconds; leave the option out for no limit", param, ctx)
        return seconds


CONSTANT, MEMORY = _Constant(), _Memory()
SECONDS, SECONDS_OR_NONE = _Seconds(0, min_open=True), _Seconds(0)
SEVERAL = re.compile(r"\d\.\.|\||^\d+x\d+| over ")  # what only `choices_of_options` reads
FORMS = (
    "Values are written A|B, 0..2 (a range), 0..2,1 (lists with a range in them), 1x3..5 (so many ones) or '1..2 "
    "over 2..3' (every distribution of messages over processes)."
)
MOST_VALUES = 1000  # of one constant

Choices = tuple[str, tuple[Any, ...]]


def _value(text: str) -> Any:
    """ValueError if the text is no value.  Parentheses hold a list inside a list: `(0,1),(1,2)`; `()` is an empty
    one."""
    parts = _parts(text)
    if len(parts) > 1:
        return tuple(_value(part.strip()) for part in (parts if parts[-1].strip() else parts[:-1]))
    if text.startswith("(") and text.endswith(")"):
        inner = text[1:-1].strip()
        value = _value(inner) if inner else ()
        return value if isinstance(value, tuple) and len(_parts(inner)) > 1 or not inner else (value,)
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    if re.fullmatch(r"[+-]?\d+", text):
        return int(text)
    if re.fullmatch(r"[A-Za-z_][\w.-]*", text):
        return text
    raise ValueError(repr(text))


def _parts(text: str) -> list[str]:
    """The parts of a text between the commas outside all parentheses.  ValueError if the parentheses do not match."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if depth < 0:
            break
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    if depth:
        raise ValueError(repr(text))
    return parts


def constants_of_options(options: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """The constants of all -D options.  UsageError if one is given twice."""
    result: dict[str, Any] = {}
    for name, value in options:
        if name in result:
            raise UsageError(f"-D {name} is given twice")
        result[name] = value
    return result


def names_of_options(options: Iterable[str]) -> list[str] | None:
    """The names in repeated options that may hold several, separated by commas; None if there is no option.  UsageError
    if an option names nothing."""
    texts = list(options)
    for text in texts:
        if not text.strip(" ,"):
            raise UsageError(f"{text!r} names nothing", remedy="Leave the option out to have all.")
    return [name.strip() for text in texts for name in text.split(",") if name.strip()] or None


def choices_of_options(options: Iterable[str], option: str = "-D") -> list[Choices]:
    """The values of all options, each NAME=VALUES: `1,1,0|2,1,0`, `0..2`, `0..2,1`, `1x3..8` (tuples of so many ones),
    `1..4 over 2..3` (every distribution).

    UsageError if a name is given twice.
    """
    found: dict[str, tuple[Any, ...]] = {}
    for text in options:
        name, equals, values = text.partition("=")
        name = name.strip()
        if not equals or not values.strip():
            raise UsageError(
                f"{option} {text}: not of the form NAME=VALUES",
                remedy=f"For example {option} crashes=0..2 or {option} workload='1,1,0|2,1,0'",
            )
        if name in found:
            raise UsageError(f"{option} {name} is given twice", remedy=f"Several values: {option} {name}='A|B'")
        every = [v for part in values.split("|") for v in _values(name, part.strip(), option)]
        found[name] = tuple({(type(v), v): v for v in every}.values())
    return list(found.items())


def _values(name: str, text: str, option: str) -> Iterator[Any]:
    """One alternative: a range, a value, so many times a value, distributions, or a list with ranges in it (each
    combination)."""
    if is_spread(text):
        yield from _distributions(name, text, option)
        return
    repeated = re.fullmatch(r"(\d+)x(\d+(?:\.\.\d+)?)", text)
    if repeated is not None:
        number = _number(name, text, option, repeated[1])
        yield from ((number,) * n for n in _part(name, repeated[2], option))
    elif ".." not in text:
        yield _one(name, text, option)
    else:
        each = [list(_part(name, part.strip(), option)) for part in text.removesuffix(",").split(",")]
        for values in product(*each):
            yield values if "," in text else values[0]


def _number(name: str, text: str, option: str, digits: str) -> int:
    """A whole number; Python reads none of more than some thousand digits."""
    try:
        return int(digits)
    except ValueError:
        raise UsageError(
            f"{option} {name}={text}: a number of {len(digits):,} digits",
            remedy="Give a number that the constant may have.",
        ) from None


def _one(name: str, text: str, option: str) -> Any:
    try:
        return _value(text)
    except ValueError as wrong:
        raise UsageError(f"{option} {name}={text}: {wrong} is not a value, nor several", remedy=FORMS) from None


def _distributions(name: str, text: str, option: str) -> Iterator[tuple[int, ...]]:
    try:
        found = list(islice(spread(text), MOST_VALUES + 1))
    except ValueError as error:
        raise UsageError(
            f"{option} {name}={text}: {error}",
            remedy=f"For example {option} {name}='1..4 over 2..3' or {option} {name}='3 over 4 alike'",
        ) from None
    if len(found) > MOST_VALUES:
        more = "alike alone" if " alike" in text else "alike"
        remedy = (
            "Lower the numbers, or make several sweeps of it."
            if text.endswith(" alike")
            else (f"If no rule tells the processes apart, write {more} behind the numbers; else lower them.")
        )
        raise UsageError(f"{option} {name}={text}: more than {MOST_VALUES:,} distributions", remedy=remedy)
    yield from found


def _part(name: str, text: str, option: str) -> Iterator[Any]:
    spread = re.fullmatch(r"(-?\d+)\.\.(-?\d+)", text)
    if spread is None:
        yield _one(name, text, option)
        return
    first, last = (_number(name, text, option, digits) for digits in spread.groups())
    if not first <= last < first + MOST_VALUES:
        raise UsageError(f"{option} {name}={text}: an empty or too long range")
    yield from range(first, last + 1)
