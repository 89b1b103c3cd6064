"""The cache of machine code: what is executed is what this user's program wrote for the same purpose, else it is
compiled."""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from llvmlite import binding as llvm

from checker.stored import machine_code, owned
from checker.stored.machine_code import name_of, recall, remember, target_machine
from checker.stored.notes import note, noted
from checker.stored.shape import array, whole

ADDS = """
define i64 @value() {
  ret i64 %d
}
"""


def objects(value: int) -> bytes:
    """Object code of a function that gives a value."""
    machine = target_machine()
    module = llvm.parse_assembly(ADDS % value)
    module.triple = llvm.get_default_triple()
    return bytes(machine.emit_object(module))


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache; warnings are given anew."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(owned, "_warned", set())
    yield tmp_path / "checker" / "code"


def value(name: str) -> int | None:
    """What the cached function gives; None if there is none."""
    from ctypes import CFUNCTYPE, c_int64

    code = recall(name, target_machine())
    return None if code is None else CFUNCTYPE(c_int64)(code.address("value"))()


def test_code_and_notes_come_back() -> None:
    """Under the name they were kept under, and no other."""
    remember(name_of("three"), objects(3), [{"kind": "error"}])
    assert value(name_of("three")) == 3 and value(name_of("four")) is None
    code = recall(name_of("three"), target_machine())
    assert code is not None and code.notes == [{"kind": "error"}]


def test_a_note_that_is_not_what_was_written_counts_for_nothing(cache: Path) -> None:
    """Cut anywhere, with any byte changed, of a newer version, of another name, of another shape, or missing."""
    note("one", [1, 2])
    note("two", [3, 4])
    numbers = array(whole())
    assert (noted("one", numbers), noted("two", numbers)) == ((1, 2), (3, 4))
    path = cache / "one.json"
    data = path.read_bytes()
    wrong = [data[:n] for n in range(len(data))]
    wrong += [data[:n] + bytes([data[n] ^ 1]) + data[n + 1 :] for n in range(len(data))]
    wrong += [data.replace(b'"format": 1', b'"format": 2'), (cache / "two.json").read_bytes()]
    for content in wrong:
        path.write_bytes(content)
        assert noted("one", numbers) is None, content
    path.write_bytes(data)
    assert noted("one", numbers) == (1, 2) and noted("one", array(array(whole()))) is None
    path.unlink()
    assert noted("one", numbers) is None


def test_one_file_in_the_place_of_another_is_not_executed(cache: Path) -> None:
    """Both are whole, and one would be the wrong kernel."""
    remember(name_of("three"), objects(3))
    remember(name_of("four"), objects(4))
    shutil.copy(cache / f"{name_of('four')}.o", cache / f"{name_of('three')}.o")
    assert value(name_of("three")) is None and value(name_of("four")) == 4


def test_no_other_user_may_write_the_cache(cache: Path) -> None:
    """Directory and files are made for the owner alone, whatever the umask."""
    before = os.umask(0)
    try:
        remember(name_of("three"), objects(3))
    finally:
        os.umask(before)
    (file,) = cache.iterdir()
    assert (cache.stat().st_mode & 0o777, file.stat().st_mode & 0o777) == (0o700, 0o600)


@pytest.mark.parametrize("mode", [0o777, 0o775, 0o770])
def test_a_directory_that_others_may_write_is_not_used(
    cache: Path, mode: int, caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing is read from it, nothing is written to it, and one warning says why."""
    remember(name_of("three"), objects(3))
    cache.chmod(mode)
    with caplog.at_level(logging.WARNING):
        assert value(name_of("three")) is None
        remember(name_of("four"), objects(4))
    assert len(list(cache.iterdir())) == 1
    assert [record.getMessage() for record in caplog.records] == [
        f"warning: the cache {cache} is not used: it may be written by other users (mode {mode:o})"
    ]


def test_a_file_that_others_may_write_is_not_executed(cache: Path) -> None:
    """The directory may have been opened to others for a while."""
    remember(name_of("three"), objects(3))
    (cache / f"{name_of('three')}.o").chmod(0o666)
    assert value(name_of("three")) is None


def test_what_belongs_to_another_user_is_not_executed(
    cache: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Another user could make the directory first, below a shared XDG_CACHE_HOME, and put a kernel there."""
    remember(name_of("three"), objects(3))
    uid = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: uid + 1)
    with caplog.at_level(logging.WARNING):
        assert value(name_of("three")) is None
    assert f"it belongs to another user (number {uid}; this program runs as {uid + 1})" in caplog.text
    monkeypatch.setattr(owned, "own_directory", lambda *_: True)
    monkeypatch.setattr(machine_code, "own_directory", lambda *_: True)
    assert value(name_of("three")) is None  # nor is a file of theirs in a directory of ours


@pytest.mark.parametrize("what", ["directory", "pipe", "link to nowhere", "link to itself"])
def test_what_is_no_file_is_not_waited_for(cache: Path, what: str) -> None:
    """A pipe would keep a reader waiting for ever."""
    cache.mkdir(parents=True, mode=0o700)
    path = cache / f"{name_of('three')}.o"
    {
        "directory": path.mkdir,
        "pipe": lambda: os.mkfifo(path),
        "link to nowhere": lambda: path.symlink_to("nowhere"),
        "link to itself": lambda: path.symlink_to(path),
    }[what]()
    assert value(name_of("three")) is None
    remember(name_of("three"), objects(3))
    assert what in ("directory", "link to itself") or not path.is_fifo()


def test_a_cache_that_cannot_be_made_is_no_error(
    cache: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A file stands in its way, which one warning says; or there is no home."""
    cache.parent.parent.mkdir(exist_ok=True)
    cache.parent.write_text("")
    with caplog.at_level(logging.WARNING):
        remember(name_of("three"), objects(3))
        remember(name_of("four"), objects(4))
    assert value(name_of("three")) is None
    why = "keeps no code, and each run compiles it again: File exists"
    assert [record.getMessage() for record in caplog.records] == [f"warning: the cache {cache} {why}"]
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    remember(name_of("three"), objects(3))
    assert value(name_of("three")) is None


def test_a_relative_place_of_the_cache_counts_for_nothing(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else machine code would come from whatever directory one is in."""
    monkeypatch.chdir(cache.parent.parent)
    monkeypatch.setenv("XDG_CACHE_HOME", ".")
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    remember(name_of("three"), objects(3))
    assert not cache.exists()
