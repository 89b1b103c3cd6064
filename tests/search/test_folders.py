"""Folders by path and by URL keep the same promises; a search in one is stopped, taken up and read like in the
other."""

from __future__ import annotations

import errno
import io
import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.models import TWO_PHASE_COMMIT
from checker.engines.placement import Placement
from checker.engines.registry import explore
from checker.engines.request import Request
from checker.language.errors import UsageError
from checker.search.block_files import Block, BlockWriter, read_block, write_blocks
from checker.search.folder_errors import WorkDirectoryError, folder_errors
from checker.search.folders import Folder, LocalFolder, StoreFolder, folder_at
from checker.search.limits import Limits
from checker.search.workdir import WorkDirectory
from tests.search.spark.test_work_directory import model_case, told


@pytest.fixture(params=["path", "store"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Folder:
    """A folder of this machine, as itself and as pyarrow's file system shows it."""
    if request.param == "path":
        return LocalFolder(tmp_path / "w")
    pytest.importorskip("pyarrow")
    return StoreFolder((tmp_path / "w").as_uri())


def test_a_folder_that_no_file_system_makes_is_an_error_of_the_place() -> None:
    """/proc has no directories of ours; nothing is said of a cluster."""
    with pytest.raises(WorkDirectoryError, match="work directory /proc/w: it cannot be made here"):
        LocalFolder(Path("/proc/w")).make()


def test_a_link_to_nothing_is_named_with_its_end(tmp_path: Path) -> None:
    """It may be a disk that is not mounted: nothing is made there.  A file in the place of the directory is one."""
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "disk")
    for named in (link, link / "w"):
        with pytest.raises(WorkDirectoryError, match="link is a link to .*/disk, which does not exist"):
            WorkDirectory.create(named, {})
    assert not (tmp_path / "disk").exists()
    (tmp_path / "file").touch()
    with pytest.raises(WorkDirectoryError, match="file: a part of it is a file, not a directory"):
        with folder_errors(folder_at(tmp_path)):
            LocalFolder(tmp_path / "file").make()


def test_a_reader_without_permission_is_not_sent_to_write(tmp_path: Path) -> None:
    """`inspect` and `query` only read."""
    with pytest.raises(WorkDirectoryError, match="data: this user may not read it"):
        with folder_errors(folder_at(tmp_path)):
            raise PermissionError(errno.EACCES, "Permission denied", str(tmp_path / "data"))


def test_a_file_that_memory_is_too_small_to_map_is_no_fault_of_the_directory(tmp_path: Path) -> None:
    """ulimit -v, or too many mappings: it is an end like that of any search that has too little memory."""
    with pytest.raises(MemoryError):
        with folder_errors(folder_at(tmp_path)):
            raise OSError(errno.ENOMEM, "Cannot allocate memory")


def test_what_is_written_is_listed_and_read(folder: Folder) -> None:
    """Small files whole, large ones as words; a folder that is not there is empty."""
    assert folder.names() == []
    (folder / "data").make()
    folder.publish("b.json", b"{}")
    folder.publish("a.json", b"[1]")
    folder.publish("a.json", b"[2]")
    file = (folder / "data").create("states")
    file.write(np.arange(5, dtype="<u8").tobytes())
    folder.finish(file, durable=True)
    assert folder.names() == ["a.json", "b.json"]
    assert folder.read("a.json") == b"[2]"
    assert (folder / "data").words("states").tolist() == [0, 1, 2, 3, 4]
    for _ in range(2):
        folder.remove("a.json")
    assert folder.names() == ["b.json"]
    folder.remove_all()
    assert (folder / "data").names() == []


def test_a_folder_travels_to_other_processes(folder: Folder) -> None:
    """And is the same there."""
    folder.make()
    folder.publish("here", b"1")
    assert pickle.loads(pickle.dumps(folder)).read("here") == b"1"


@pytest.mark.parametrize("length", [0, 7, 8, 24])
def test_a_block_of_another_length_is_noticed(folder: Folder, length: int) -> None:
    """A file cut short, also in the middle of a word."""
    folder.make()
    (block,) = write_blocks(folder, "0", 0, np.arange(2, dtype=np.uint64).reshape(2, 1))
    assert read_block(folder, block, 1).tolist() == [[0], [1]]
    file = folder.create("cut")
    file.write(bytes(length))
    folder.finish(file, durable=False)
    with pytest.raises(WorkDirectoryError, match="damaged"):
        read_block(folder, Block(0, "cut", 2, block.crc), 1)


def test_what_could_not_be_finished_is_not_left_behind(folder: Folder) -> None:
    """A writer that gives up makes room."""
    folder.make()
    writer = BlockWriter(folder, "0", 0)
    writer.write(np.zeros((10, 1), dtype=np.uint64))
    writer.discard()
    assert folder.names() == []


def test_a_search_is_stopped_and_taken_up(folder: Folder) -> None:
    """With the counts and paths of one that was not."""
    definition = model_case(TWO_PHASE_COMMIT, {"managers": 3})

    def found(depth: int | None, resume: bool) -> object:
        return told(
            explore(
                Request(
                    definition,
                    TWO_PHASE_COMMIT,
                    limits=Limits(max_depth=depth),
                    placement=Placement(folder, resume=resume),
                )
            )
        )

    found(3, False)
    resumed = found(None, True)
    folder.remove_all()
    assert resumed == found(None, False)


@pytest.mark.parametrize("part", ["levels", "data", "exchange"])
def test_files_of_something_else_are_kept(folder: Folder, part: str) -> None:
    """A directory of a project may have a folder of that name: a search would remove what is in it."""
    (folder / part).make()
    (folder / part).publish("prices.csv", b"7")
    with pytest.raises(WorkDirectoryError, match=rf"{part} holds files of something else \(prices.csv\)"):
        WorkDirectory.create(folder, {})
    assert (folder / part).read("prices.csv") == b"7"
    assert folder.names() == [] and folder.folders() == [part]


def test_a_search_that_ended_between_two_looks_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process makes its search there, and ends, before this one has the lock."""
    claim = LocalFolder.claim

    def late(self: LocalFolder) -> Any:
        monkeypatch.setattr(LocalFolder, "claim", claim)
        WorkDirectory.create(tmp_path, {"first": True}).close()
        return claim(self)

    monkeypatch.setattr(LocalFolder, "claim", late)
    with pytest.raises(WorkDirectoryError, match="already holds a search"):
        WorkDirectory.create(tmp_path, {})
    with WorkDirectory.open(tmp_path) as work:
        assert work.header == {"first": True}


def test_a_copy_without_empty_folders_is_taken_up(tmp_path: Path) -> None:
    """As git, archives and stores make them: a copy has no `exchange`, into which tasks on Spark write."""
    folders = [tmp_path / "w" / part for part in ("levels", "data", "exchange")]
    WorkDirectory.create(tmp_path / "w", {}).close()
    for empty in folders:
        empty.rmdir()
    with WorkDirectory.open(tmp_path / "w") as work:
        assert work.levels == [] and all(folder.is_dir() for folder in folders)


def test_a_last_manifest_cut_short_was_never_committed(folder: Folder) -> None:
    """HDFS shows files that are being written: a driver that dies then leaves half a manifest, and the level is
    explored again."""
    definition = model_case(TWO_PHASE_COMMIT, {"managers": 3})
    whole = told(explore(Request(definition, TWO_PHASE_COMMIT, placement=Placement(folder))))
    levels = folder / "levels"
    last = levels.names()[-1]
    levels.publish(last, levels.read(last)[:-20])
    assert told(explore(Request(definition, TWO_PHASE_COMMIT, placement=Placement(folder, resume=True)))) == whole
    levels.publish("00002.json", b'{"number": 2,')
    with pytest.raises(UsageError, match="00002.json is damaged"):
        explore(Request(definition, TWO_PHASE_COMMIT, placement=Placement(folder, resume=True)))


def test_where_there_are_no_locks_the_last_driver_has_the_search(tmp_path: Path) -> None:
    """The one before notices before it commits."""
    pytest.importorskip("pyarrow")
    from checker.search.workdir import Level

    level = Level(0, 1, (), (), (), {})
    with WorkDirectory.create(StoreFolder((tmp_path / "w").as_uri()), {}) as first:
        with WorkDirectory.open(StoreFolder((tmp_path / "w").as_uri())) as second:
            with pytest.raises(WorkDirectoryError, match="taken over by another search"):
                first.commit(level)
            second.commit(level)


def test_a_work_directory_that_holds_a_search_is_not_begun_anew(folder: Folder) -> None:
    """Its levels would be lost."""
    WorkDirectory.create(folder, {"first": 1}).close()
    with pytest.raises(WorkDirectoryError, match="already holds a search; resume it"):
        WorkDirectory.create(folder, {})


def test_closing_a_work_directory_again_takes_it_from_nobody(tmp_path: Path) -> None:
    """What another search keeps there, its lock and its messages between shards, stays."""
    folder = LocalFolder(tmp_path / "w")
    first = WorkDirectory.create(folder, {})
    first.close()
    with WorkDirectory.open(folder):
        exchange = folder / "exchange"
        exchange.make()
        exchange.publish("message", b"1")
        first.close()
        assert exchange.names() == ["message"]
        with pytest.raises(WorkDirectoryError, match="in use by another search"):
            WorkDirectory.open(folder)


def test_what_a_full_disk_cuts_short_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The room is given back for what is tried next, and nothing is there to be taken for a block of states."""

    class Full(io.BytesIO):
        def write(self, data: Any) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    folder = LocalFolder(tmp_path / "data")
    folder.make()
    created = LocalFolder.create

    def create(self: LocalFolder, name: str) -> Any:
        created(self, name).close()
        return Full()

    monkeypatch.setattr(LocalFolder, "create", create)
    writer = BlockWriter(folder, "00001-states", 0)
    with pytest.raises(WorkDirectoryError, match="the disk is full"):
        writer.write(np.zeros((3, 2), dtype=np.uint64))
    assert list((tmp_path / "data").iterdir()) == []


def test_a_file_that_cannot_be_finished_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is full when the last part is flushed: the error is told, and no block is listed whose file is gone."""

    def finish(self: LocalFolder, file: Any, durable: bool) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    folder = LocalFolder(tmp_path / "data")
    folder.make()
    monkeypatch.setattr(LocalFolder, "finish", finish)
    with pytest.raises(WorkDirectoryError, match="the disk is full"):
        write_blocks(folder, "00001-states", 0, np.zeros((3, 2), dtype=np.uint64))
    assert list((tmp_path / "data").iterdir()) == []


# ---- URLs


def test_a_url_of_this_machine_is_a_path(tmp_path: Path) -> None:
    """With its escapes."""
    assert folder_at(f"file://{tmp_path}/a%20b") == LocalFolder(tmp_path / "a b")


def test_keys_and_options_of_a_url_are_never_shown() -> None:
    """Messages name the place only; Spark's name of it has them neither."""
    folder = folder_at("s3://key:secret@bucket/work?endpoint_override=host%3A9000") / "data"
    assert str(folder) == "s3://bucket/work/data"
    assert folder.url == "s3a://bucket/work/data"


@pytest.mark.parametrize(
    "url, reason",
    [
        ("ftp://host/w", "ftp:// is no store that can be opened; file, s3 or s3a, gs, abfs and hdfs are"),
        ("hdfs://host:1/w", "it needs Hadoop's libhdfs"),
        ("s3://bucket/w", "Unexpected query parameter.*nonsense"),
    ],
)
def test_a_store_that_cannot_be_opened_is_a_clear_error(url: str, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown scheme; a driver that is not installed; an option that the store does not have."""
    pytest.importorskip("pyarrow")
    for name in ("HADOOP_HOME", "ARROW_LIBHDFS_DIR"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(WorkDirectoryError, match=f"work directory {url}: .*{reason}"):
        WorkDirectory.create(url + "?nonsense=1" * url.startswith("s3:"), {})


def test_urls_without_pyarrow_are_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the command that installs it."""
    monkeypatch.setitem(sys.modules, "pyarrow.fs", None)
    with pytest.raises(WorkDirectoryError, match="pip install"):
        WorkDirectory.create("s3://bucket/other", {})


def test_the_command_line_takes_urls(tmp_path: Path) -> None:
    """check, resume; and an unknown scheme is wrong usage, not a fault of the checker."""

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "checker", *arguments, "--json", "-"], capture_output=True, text=True, timeout=100
        )

    url = (tmp_path / "w").as_uri()
    assert run("check", TWO_PHASE_COMMIT, "-D", "managers=3", "--max-depth", "4", "--workdir", url).returncode == 4
    done = run("resume", url)
    assert (done.returncode, json.loads(done.stdout)["distinct"]) == (0, 288)
    wrong = run("check", TWO_PHASE_COMMIT, "--workdir", "ftp://host/w")
    assert (wrong.returncode, "ftp:// is no store" in wrong.stderr) == (2, True)
