"""Ways to damage a file, as new contents: bytes flipped, cut, doubled; JSON with other values at every place; text that
is no JSON.

Everything is drawn by a seed, so a damage has the same label and content in every run.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

from tests.damage.forked import DIRECTORY

Damage = tuple[str, bytes | None]

WRONG: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    7,
    10**30,
    0.5,
    1e308,
    "",
    "x",
    "p1",
    "a" * 3000,
    "../../etc",
    "\u0000",
    "\u202e",
    "\ud800",
    [],
    [1],
    [[]],
    [[], []],
    ["x", "y"],
    {},
    {"a": 1},
    {"#bigint": "9" * 3000},
    {"#bigint": "x"},
    {"#set": 3},
    {"#map": [[1]]},
    {"#tup": []},
    {"tag": "Bag", "value": {"#map": [["x", "y"]]}},
    {"tag": 3, "value": {}},
)
"""What is put in the place of each value of a JSON document."""

NO_JSON: tuple[Damage, ...] = (
    ("100,000 arrays in each other", b"[" * 100_000 + b"]" * 100_000),
    ("100,000 arrays that never end", b"[" * 100_000),
    ("30,000 objects in each other", b'{"a":' * 30_000 + b"1" + b"}" * 30_000),
    ("500 arrays in each other", b"[" * 500 + b"]" * 500),
    ("NaN", b"NaN"),
    ("Infinity in an array", b'{"states": [Infinity]}'),
    ("a number beyond all", b"[1e999]"),
    ("a million digits", b"9" * 1_000_000),
    ("null", b"null"),
    ("an array", b"[]"),
    ("an object", b"{}"),
    ("a number", b"5"),
    ("a text", b'"states"'),
    ("a byte order mark", b"\xef\xbb\xbf{}"),
    ("no UTF-8", b'{"states": "\xff\xfe"}'),
    ("UTF-16", '{"states": []}'.encode("utf-16")),
    ("zeros", b"\0" * 4096),
    ("half a surrogate", b'["\\ud800"]'),
    ("a name twice", b'{"a": 1, "a": 2}'),
    ("text behind the document", b"{} x"),
    ("a comment", b"// {}\n{}"),
    ("an ELF file", b"\x7fELF\x02\x01\x01" + b"\0" * 500),
)


def flips(data: bytes, count: int, seed: int) -> Iterator[Damage]:
    """Single bits, everywhere and in the first and last bytes, where headers are."""
    draw = random.Random(seed)
    edges = [n for n in (0, 1, 8, 20, 40, 80, len(data) // 2, len(data) - 2, len(data) - 1) if 0 <= n < len(data)]
    places = sorted({*edges, *(draw.randrange(len(data)) for _ in range(count if data else 0))})
    for place in places:
        bit = draw.randrange(8)
        yield f"bit {bit} of byte {place} flipped", data[:place] + bytes([data[place] ^ 1 << bit]) + data[place + 1 :]


def cuts(data: bytes) -> Iterator[Damage]:
    """Cut at every length that means something, and longer than it was."""
    lengths = {0, 1, 7, 8, 9, 64, len(data) // 2, len(data) // 2 // 8 * 8, len(data) - 8, len(data) - 1}
    for line in (data.find(b"\n"), data.rfind(b"\n")):
        lengths |= {line, line + 1}
    for length in sorted(n for n in lengths if 0 <= n < len(data)):
        yield f"cut to {length} of {len(data)} bytes", data[:length]
    yield "doubled", data + data
    yield "a byte more", data + b"\0"
    yield "eight bytes more", data + b"\0" * 8
    if data:
        yield "all zero", b"\0" * len(data)
        yield "a byte missing in the middle", data[: len(data) // 2] + data[len(data) // 2 + 1 :]
        yield "its halves exchanged", data[len(data) // 2 :] + data[: len(data) // 2]


def gone() -> Iterator[Damage]:
    """Not there, or no file."""
    yield "deleted", None
    yield "a directory in its place", DIRECTORY


def any_file(data: bytes, count: int, seed: int) -> Iterator[Damage]:
    """What may happen to every file."""
    yield from flips(data, count, seed)
    yield from cuts(data)
    yield from gone()


def places(document: Any, before: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The way to each value of a JSON document."""
    if before:
        yield before
    if isinstance(document, dict):
        for name, value in document.items():
            yield from places(value, (*before, name))
    elif isinstance(document, list):
        for number, value in enumerate(document):
            yield from places(value, (*before, number))


def wrong_values(document: Any, per_place: int, seed: int) -> Iterator[tuple[str, Any]]:
    """The document with another value at each place (as many as `per_place`), with each part missing, and with a part
    more."""
    draw = random.Random(seed)
    for way in places(document):
        shown = "/".join(map(str, way))
        for value in draw.sample(WRONG, min(per_place, len(WRONG))):
            yield f"{shown} is {json.dumps(value)[:30]}", changed(document, way, value)
        yield f"{shown} is missing", changed(document, way, DIRECTORY)
    if isinstance(document, dict):
        yield "a part more", {**document, "unknown": 1}


def changed(document: Any, way: tuple[str | int, ...], value: Any) -> Any:
    """A copy with another value there; DIRECTORY: without it."""
    found = copy.deepcopy(document)
    part = found
    for step in way[:-1]:
        part = part[step]
    if value == DIRECTORY:
        del part[way[-1]]
    else:
        part[way[-1]] = value
    return found


def as_json(document: Any) -> bytes:
    """The text of a document, half characters and all."""
    return json.dumps(document).encode("utf-8", "surrogatepass")
