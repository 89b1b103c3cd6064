"""The values that a sweep, or a family of rule comparisons, tries for each constant: `0..2`, `1,1,0|2,1,0`, `1x3..8`,
`1..4 over 2..3`.

The smallest parts are values as a constant has one: `2,1,0`, `true`, `fifo`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, product
from typing import Any

from checker.analysis.sweep.distributions import is_spread, left_out, spread
from checker.language.errors import UsageError

FORMS = (
    "Values are written A|B, 0..2 (a range), 0..2,1 (lists with a range in them), 1x3..5 (so many ones) or '1..2 "
    "over 2..3' (every distribution of messages over processes)."
)
MOST_VALUES = 1000  # of one constant

Choices = tuple[str, tuple[Any, ...]]


def constant_of(text: str) -> Any:
    """Raise ValueError if the text is no value.  Parentheses hold a list inside a list: `(0,1),(1,2)`; `()` is an empty
    one.
    """
    parts = _parts(text)
    if len(parts) > 1:
        return tuple(constant_of(part.strip()) for part in (parts if parts[-1].strip() else parts[:-1]))
    if text.startswith("(") and text.endswith(")"):
        inner = text[1:-1].strip()
        value = constant_of(inner) if inner else ()
        return value if isinstance(value, tuple) and len(_parts(inner)) > 1 or not inner else (value,)
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    if re.fullmatch(r"[+-]?\d+", text):
        return int(text)
    if re.fullmatch(r"[A-Za-z_][\w.-]*", text):
        return text
    raise ValueError(repr(text))


def _parts(text: str) -> list[str]:
    """The parts of a text between the commas outside all parentheses.  Raises ValueError if the parentheses do not
    match.
    """
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


def choices_of(options: Iterable[str], option: str = "-D") -> list[Choices]:
    """The values of all options, each NAME=VALUES: `1,1,0|2,1,0`, `0..2`, `0..2,1`, `1x3..8` (tuples of so many ones),
    `1..4 over 2..3` (every distribution).

    Raises UsageError if a name is given twice.
    """
    found: dict[str, tuple[Any, ...]] = {}
    for text in options:
        name, equals, values = text.partition("=")
        name = name.strip()
        if not equals or not values.strip():
            remedy = f"For example {option} crashes=0..2 or {option} workload='1,1,0|2,1,0'"
            raise UsageError(f"{option} {text}: not of the form NAME=VALUES", remedy=remedy)
        if name in found:
            raise UsageError(f"{option} {name} is given twice", remedy=f"Several values: {option} {name}='A|B'")
        every = [v for part in values.split("|") for v in _values(name, part.strip(), option)]
        found[name] = tuple({(type(v), v): v for v in every}.values())
    return list(found.items())


def left_out_of(options: Iterable[str]) -> dict[str, int]:
    """How many distributions each text with `alike` in these options leaves out."""
    texts = [part.strip() for option in options for part in option.partition("=")[2].split("|")]
    return {text: number for text in texts if is_spread(text) and (number := left_out(text))}


def combinations(choices: Iterable[Choices]) -> list[Mapping[str, Any]]:
    """Every combination of the values of constants."""
    several = list(choices)
    return [dict(zip((n for n, _ in several), values)) for values in product(*(v for _, v in several))]


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
        what = f"{option} {name}={text}: a number of {len(digits):,} digits"
        raise UsageError(what, remedy="Give a number that the constant may have.") from None


def _one(name: str, text: str, option: str) -> Any:
    try:
        return constant_of(text)
    except ValueError as wrong:
        raise UsageError(f"{option} {name}={text}: {wrong} is not a value, nor several", remedy=FORMS) from None


def _distributions(name: str, text: str, option: str) -> Iterator[tuple[int, ...]]:
    try:
        found = list(islice(spread(text), MOST_VALUES + 1))
    except ValueError as error:
        remedy = f"For example {option} {name}='1..4 over 2..3' or {option} {name}='3 over 4 alike'"
        raise UsageError(f"{option} {name}={text}: {error}", remedy=remedy) from None
    if len(found) > MOST_VALUES:
        more = "alike alone" if " alike" in text else "alike"
        remedy = f"If no rule tells the processes apart, write {more} behind the numbers; else lower them."
        if text.endswith(" alike"):
            remedy = "Lower the numbers, or make several sweeps of it."
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
