"""Values as they are written on a command line: `2,1,0`, `true`, `fifo`, `4G`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import click

from checker.language.errors import UsageError


class _Constant(click.ParamType):
    """NAME=VALUE."""

    name = "constant"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[str, Any]:
        if isinstance(value, tuple):
            return value
        name, equals, text = value.partition("=")
        if not equals or not name.strip().isidentifier():
            raise UsageError(f"-D {value}: not of the form NAME=VALUE", remedy="For example -D processes=3 or -D workload=2,1,0")
        return name.strip(), _value(value, text.strip())


class _Memory(click.ParamType):
    """A size in bytes, or with K, M or G behind it."""

    name = "size"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGkmg]?)[Bb]?", str(value))
        if match is None or float(match[1]) <= 0:
            self.fail(f"{value!r} is not a size: write 500M or 4G", param, ctx)
        return int(float(match[1]) * 1024 ** " KMG".index(match[2].upper() or " "))


CONSTANT, MEMORY = _Constant(), _Memory()


def _value(option: str, text: str) -> Any:
    if "," in text:
        return tuple(_value(option, part.strip()) for part in text.removesuffix(",").split(","))
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    if re.fullmatch(r"[+-]?\d+", text):
        return int(text)
    if re.fullmatch(r"[A-Za-z_][\w.-]*", text):
        return text
    raise UsageError(f"-D {option}: {text!r} is not a value", remedy="A value is a whole number, true or false, a word, or several of these with commas between: 2,1,0")


def constants_of_options(options: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """The constants of all -D options.  UsageError if one is given twice."""
    result: dict[str, Any] = {}
    for name, value in options:
        if name in result:
            raise UsageError(f"-D {name} is given twice")
        result[name] = value
    return result


def names_of_options(options: Iterable[str]) -> list[str] | None:
    """The names in repeated options that may hold several, separated by commas; None if there is no option."""
    return [name.strip() for text in options for name in text.split(",") if name.strip()] or None
