"""Sealed files and the schema of JSON: every change is noticed, and what is wrong is said with its place."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from checker.stored.errors import Damaged, StoredFileError
from checker.stored.sealed import seal, seal_json, unseal, unseal_json
from checker.stored.shape import (
    DEEPEST,
    WrongShape,
    array,
    matching,
    number,
    optional,
    parsed,
    parts,
    record,
    table,
    text,
    truth,
    whole,
)
from checker.stored.whole import write_where_named, write_whole

CONTENT = {"name": "zwölf", "rows": [1, 2], "seconds": 0.25}


@given(st.binary(max_size=50), st.integers(0, 10**6), st.integers(0, 7))
def test_no_flipped_bit_goes_unnoticed(content: bytes, place: int, bit: int) -> None:
    """In the header, in the checksum and in the content."""
    data = bytearray(seal("level", 2, "7", content))
    assert unseal("level", 2, "7", bytes(data), "f") == content
    data[place % len(data)] ^= 1 << bit
    with pytest.raises(StoredFileError, match="^f "):
        unseal("level", 2, "7", bytes(data), "f")


@given(st.integers(0, 10**6), st.integers(0, 7))
def test_no_flipped_bit_of_a_json_file_goes_unnoticed(place: int, bit: int) -> None:
    """White space counts, too."""
    data = bytearray(seal_json("level", 2, "7", CONTENT))
    assert unseal_json("level", 2, "7", bytes(data), "f") == parsed(bytes(data))["content"] == CONTENT
    data[place % len(data)] ^= 1 << bit
    with pytest.raises(StoredFileError, match="^f "):
        unseal_json("level", 2, "7", bytes(data), "f")


def test_no_length_but_the_right_one_is_accepted() -> None:
    """Cut anywhere, or longer by a byte."""
    for data, read in ((seal("level", 2, "7", b"content"), unseal), (seal_json("level", 2, "7", CONTENT), unseal_json)):
        for end in range(len(data)):
            with pytest.raises(Damaged):
                read("level", 2, "7", data[:end], "f")
        with pytest.raises(Damaged):
            read("level", 2, "7", data + b" ", "f")


@pytest.mark.parametrize(
    "kind, format, name, reason",
    [
        ("search", 2, "7", "another kind: level, not search"),
        ("level", 3, "7", "has format 2, of another version of the checker; this version reads format 3"),
        ("level", 2, "8", "another file's content"),
    ],
)
def test_a_whole_file_of_another_purpose_is_refused(kind: str, format: int, name: str, reason: str) -> None:
    """Its kind, its format and its name are sealed with it."""
    for data, read in ((seal("level", 2, "7", b"content"), unseal), (seal_json("level", 2, "7", CONTENT), unseal_json)):
        with pytest.raises(StoredFileError, match=reason):
            read(kind, format, name, data, "f")


def test_the_first_format_is_told_from_damage() -> None:
    """Whoever has an old directory reads that it is old, not that it is broken."""
    with pytest.raises(
        StoredFileError, match="f has format 1, of another version of the checker; this version reads format 2"
    ) as error:
        unseal_json("search", 2, "", b'{\n "format": 1,\n "model": "isis"\n}', "f")
    assert not isinstance(error.value, Damaged)


NO_DOCUMENT: dict[str, tuple[bytes, str]] = {
    "deep": (b"[" * 100_000, "nested more than 100 deep"),
    "deep and closed": (b"[" * 200 + b"]" * 200, "nested more than 100 deep"),
    "NaN": (b"[NaN]", "NaN in it"),
    "minus infinity": (b"[-Infinity]", "-Infinity in it"),
    "beyond floats": (b"[1e999]", "too large"),
    "many digits": (b"9" * 10_000, "digits"),
    "twice": (b'{"a": 1, "a": 1}', '"a" stands twice'),
    "no UTF-8": (b'"\xff"', "not UTF-8 at byte 1"),
    "cut": (b'{"a": ', "not JSON: line 1, column 7"),
    "empty": (b"", "not JSON"),
    "escape": (b'["\\u001b[2J"]', "U\\+001B"),
    "control character in a name": (b'{"a\\u0007": 1}', "U\\+0007"),
    "half a character": (b'["\\ud800"]', "U\\+D800"),
    "writing turned round": ('["\u202e"]'.encode(), "U\\+202E"),
}


@pytest.mark.parametrize("case", NO_DOCUMENT)
def test_a_document_that_is_not_safe_to_go_through_is_refused(case: str) -> None:
    """With the reason, in words."""
    data, reason = NO_DOCUMENT[case]
    with pytest.raises(ValueError, match=reason):
        parsed(data)


def test_a_document_as_deep_as_allowed_is_read() -> None:
    """One less than refused."""
    assert parsed(b"[" * DEEPEST + b"]" * DEEPEST)
    with pytest.raises(ValueError):
        parsed(b"[" * (DEEPEST + 2) + b"]" * (DEEPEST + 2))


@frozen
class Point:
    """A class whose fields are the schema."""

    x: int
    label: str = ""


READ = parts(
    {
        "points": array(record(Point, {"x": whole(0, 9), "label": text})),
        "by": table(optional(truth)),
        "at": number,
        "id": matching("[a-f]+", "an identity"),
    }
)
RIGHT: dict[str, Any] = {
    "points": [{"x": 1}, {"x": 2, "label": "b"}],
    "by": {"a b": None, "c": True},
    "at": 1,
    "id": "abc",
}


def test_a_document_of_the_right_shape_becomes_values() -> None:
    """Classes with their defaults, tuples, and the rest as it is."""
    assert READ(RIGHT) == {"points": (Point(1), Point(2, "b")), "by": {"a b": None, "c": True}, "at": 1.0, "id": "abc"}


@pytest.mark.parametrize(
    "change, message",
    [
        ({"points": [{"x": 1}, {"x": True}]}, "points[1].x: expected an integer from 0 to 9, found true"),
        ({"points": [{"x": 10}]}, "points[0].x: expected an integer from 0 to 9, found 10"),
        ({"points": [{"x": 1.0}]}, "points[0].x: expected an integer from 0 to 9, found 1.0"),
        ({"points": [{"label": "a"}]}, "points[0]: expected an object with x, found an object with label"),
        ({"points": [{"x": 1, "z": 0}]}, 'points[0]: expected one of label, x, found "z"'),
        ({"points": {}}, "points: expected an array, found an object with nothing in it"),
        ({"by": {"a b": 1}}, 'by["a b"]: expected true or false, found 1'),
        ({"at": True}, "at: expected a number, found true"),
        ({"at": None}, "at: expected a number, found null"),
        ({"id": "xyz"}, 'id: expected an identity, found "xyz"'),
        ({"id": ["a", "b"]}, "id: expected an identity, found an array of 2"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(change: dict[str, Any], message: str) -> None:
    """The way through the document, what belongs there, what is there."""
    with pytest.raises(WrongShape) as error:
        READ({**RIGHT, **change})
    assert str(error.value) == message


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure leaves the former file and nothing else."""
    path = tmp_path / "file"
    write_whole(path, b"former")
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError):
        write_whole(path, b"other")
    assert path.read_bytes() == b"new" and sorted(tmp_path.iterdir()) == [path]


def test_a_link_or_a_device_that_a_user_names_stays(tmp_path: Path) -> None:
    """Renaming a file over it would put an end to it."""
    (tmp_path / "link").symlink_to(tmp_path / "file")
    write_where_named(tmp_path / "link", "new")
    assert ((tmp_path / "file").read_text(), (tmp_path / "link").is_symlink()) == ("new", True)
    with pytest.raises(OSError, match="No space left"):
        write_where_named(Path("/dev/full"), "data")
    assert Path("/dev/full").is_char_device()
