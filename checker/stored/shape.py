"""JSON that is read back, checked in every part: a reader takes JSON data and returns the value, or the error and its
place.

`parsed` refuses what Python's parser accepts and what would fail later: unbounded nesting, names given twice, NaN and
infinities, numbers of thousands of digits, texts that are not Unicode or contain control characters.  Readers are
composed like the values; `record` takes the fields of an attrs class, so the class is the schema.

Why not jsonschema: its import takes 40 ms, a twentieth of the start of a check, and it neither makes values of the
checked data nor takes a class as a schema.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import attrs

DEEPEST = 100
"""The nesting depth of objects and arrays; values of models need about three levels for each collection in a
collection.
"""

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
T = TypeVar("T")
K = TypeVar("K")
Reader = Callable[[Any], T]


class WrongShape(ValueError):
    """A part of a document has a wrong type.  path: the way to it, `states[3].x`."""

    def __init__(self, expected: str, found: Any, path: str = "") -> None:
        self.expected, self.found, self.path = expected, found, path

    def __str__(self) -> str:
        where = self.path.removeprefix(".")
        return f"{f'{where}: ' if where else ''}expected {self.expected}, found {described(self.found)}"

    def within(self, step: str | int) -> WrongShape:
        """The same error, with the path from the object or array around it."""
        named = isinstance(step, str) and re.fullmatch(r"[\w#]+", step)
        place = f".{step}" if named else f"[{json.dumps(step)}]"
        return WrongShape(self.expected, self.found, place + self.path)


def described(data: Any) -> str:
    """JSON data in a few words."""
    if isinstance(data, Mapping):
        names = ", ".join(map(str, list(data)[:3])) or "nothing in it"
        return f"an object with {names}{', ...' if len(data) > 3 else ''}"
    if isinstance(data, list):
        return f"an array of {len(data)}"
    text = json.dumps(data, default=repr)
    return text if len(text) <= 40 else f"{text[:37]}..."


# ---- text to data


def parsed(data: bytes | str) -> Any:
    """The data of a JSON document.  Raises ValueError with the reason if it is none, or not a safe one."""
    try:
        text = data if isinstance(data, str) else data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"it is not UTF-8 at byte {error.start}") from None
    try:
        document = json.loads(text, parse_constant=_no_number, parse_float=_finite, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise ValueError(f"it is not JSON: line {error.lineno}, column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise ValueError(f"it is nested more than {DEEPEST} deep") from None
    _require_plain(document)
    return document


def _no_number(text: str) -> Any:
    raise ValueError(f"it has {text} in it, which is no number")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"the number {text[:20]} in it is too large")
    return number


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{json.dumps(next(n for n in names if names.count(n) > 1))} stands twice in an object")
    return found


def _require_plain(document: Any) -> None:
    """Raise ValueError if the document is nested too deep, or a text in it contains characters that cannot be
    displayed.
    """
    level = [document]
    for _ in range(DEEPEST + 1):
        inner: list[Any] = []
        for part in level:
            if isinstance(part, dict):
                inner += part
                inner += part.values()
            elif isinstance(part, list):
                inner += part
            elif isinstance(part, str) and (wrong := _CONTROL.search(part)):
                raise ValueError(f"a text in it has the character U+{ord(wrong[0]):04X}, which cannot be shown")
        if not inner:
            return
        level = inner
    raise ValueError(f"it is nested more than {DEEPEST} deep")


# ---- data to values


def whole(least: int | None = None, most: int | None = None) -> Reader[int]:
    """An integer, within bounds."""
    bounds = "" if least is None else f" of at least {least}" if most is None else f" from {least} to {most}"

    def read(data: Any) -> int:
        if type(data) is not int or (least is not None and data < least) or (most is not None and data > most):
            raise WrongShape(f"an integer{bounds}", data)
        return data

    return read


def text(data: Any) -> str:
    """A text."""
    return str(_require(type(data) is str, "a text", data))


def truth(data: Any) -> bool:
    """true or false."""
    return bool(_require(type(data) is bool, "true or false", data))


def number(data: Any) -> float:
    """A number."""
    return float(_require(type(data) in (int, float), "a number", data))


def matching(pattern: str, what: str) -> Reader[str]:
    """A text of a certain form."""
    form = re.compile(pattern)
    return lambda data: str(_require(type(data) is str and form.fullmatch(data) is not None, what, data))


def require_object(data: Any) -> None:
    """Raise WrongShape unless it is an object."""
    _require(isinstance(data, dict), "an object", data)


def _require(fits: bool, what: str, data: Any) -> Any:
    if not fits:
        raise WrongShape(what, data)
    return data


def optional(reader: Reader[T]) -> Reader[T | None]:
    """A value for the given reader, or null."""
    return lambda data: None if data is None else reader(data)


def part(reader: Reader[T], data: Any, place: str | int) -> T:
    """The value of a part of an object or array; an error in it gets its place."""
    try:
        return reader(data)
    except WrongShape as wrong:
        raise wrong.within(place) from None


def array(reader: Reader[T]) -> Reader[tuple[T, ...]]:
    """An array of items for the given reader."""

    def read(data: Any) -> tuple[T, ...]:
        _require(isinstance(data, list), "an array", data)
        return tuple(part(reader, item, place) for place, item in enumerate(data))

    return read


def table(reader: Reader[T], key: Reader[K] = text) -> Reader[dict[K, T]]:  # type: ignore[assignment]
    """An object with any names; `key` reads the names."""

    def read(data: Any) -> dict[K, T]:
        require_object(data)
        return {part(key, name, name): part(reader, item, name) for name, item in data.items()}

    return read


def parts(
    readers: Mapping[str, Reader[Any]], needed: frozenset[str] | None = None, others: bool = False
) -> Reader[dict[str, Any]]:
    """An object with these names, of which the `needed` ones must be present (default: all); `others`: further names
    are ignored.
    """
    needed = frozenset(readers) if needed is None else needed

    def read(data: Any) -> dict[str, Any]:
        require_object(data)
        found = {}
        for name, item in data.items():
            if name in readers:
                found[name] = part(readers[name], item, name)
            elif not others:
                raise WrongShape(f"one of {', '.join(sorted(readers))}", name)
        for name in sorted(needed - set(found)):
            raise WrongShape(f"an object with {name}", data)
        return found

    return read


def record(cls: type[T], readers: Mapping[str, Reader[Any]], others: bool = False) -> Reader[T]:
    """An object with the fields of an attrs class; those with a default may be absent."""
    needed = frozenset(f.name for f in attrs.fields(cls) if f.default is attrs.NOTHING and f.name in readers)  # type: ignore[arg-type]
    read = parts(readers, needed, others)
    return lambda data: cls(**read(data))
