"""Memory that control groups allow: the least limit of all groups that a process is in, as files of the system say."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.search import control_group, memory
from checker.search.control_group import Bound, bounds

TWO = "36 25 0:31 {first} /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate"
ONE = "35 31 0:32 {first} /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory"
OTHER = "32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu"


def system(root: Path, groups: str, mounts: str, files: dict[str, str]) -> Path:
    """A file system with these files."""
    for name, text in {"proc/self/cgroup": groups, "proc/self/mountinfo": mounts, **files}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text + "\n", encoding="ascii")
    return root


def test_a_nested_group_is_bounded_by_all_above_it(tmp_path: Path) -> None:
    """Version 2: the process is two groups deep; the root has no limit, its own none of its own."""
    files = {
        "sys/fs/cgroup/build/memory.max": "1000",
        "sys/fs/cgroup/build/memory.current": "700",
        "sys/fs/cgroup/build/memory.stat": "anon 500\ninactive_file 200",
        "sys/fs/cgroup/build/job/memory.max": "max",
        "sys/fs/cgroup/other/memory.max": "5",
    }
    assert bounds(system(tmp_path, "0::/build/job", TWO.format(first="/"), files)) == [Bound(1000, 500)]


def test_the_least_of_several_limits_is_found_in_both_versions(tmp_path: Path) -> None:
    """Version 1 has a hierarchy for each controller; usage that cannot be read counts as none."""
    files = {
        "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712",
        "sys/fs/cgroup/memory/memory.usage_in_bytes": "10",
        "sys/fs/cgroup/memory/memory.stat": "total_inactive_file 30",
        "sys/fs/cgroup/memory/a/memory.limit_in_bytes": "400",
        "sys/fs/cgroup/memory/a/b/memory.limit_in_bytes": "300",
        "sys/fs/cgroup/cpu/a/b/memory.limit_in_bytes": "1",
    }
    groups = "4:memory:/a/b\n1:cpu:/a/b\n0::/"
    found = bounds(system(tmp_path, groups, f"{OTHER}\n{ONE.format(first='/')}", files))
    assert found == [Bound(300, 0), Bound(400, 0), Bound(9223372036854771712, 0)]


@pytest.mark.parametrize("first, group", [("/machine/box", "/machine/box/task"), ("/elsewhere", "/task")])
def test_in_a_container_the_mount_is_its_highest_group(tmp_path: Path, first: str, group: str) -> None:
    """The mount shows the hierarchy from the container's group on; a name from outside means the mount itself."""
    files = {"sys/fs/cgroup/memory.max": "700", "sys/fs/cgroup/task/memory.max": "600"}
    found = bounds(system(tmp_path, f"0::{group}", TWO.format(first=first), files))
    assert [bound.limit for bound in found] == ([600, 700] if first != "/elsewhere" else [700])


def test_a_system_without_groups_bounds_nothing(tmp_path: Path) -> None:
    """Nor does a group that says "max"."""
    assert bounds(tmp_path) == []
    assert bounds(system(tmp_path, "0::/", TWO.format(first="/"), {"sys/fs/cgroup/memory.max": "max"})) == []


def test_memory_is_that_of_the_least_group(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it by its limit; what is free by what is left of it."""
    monkeypatch.setattr(memory, "bounds", lambda: [Bound(50 << 20, 20 << 20), Bound(40 << 20, 5 << 20)])
    assert memory.physical_memory() == 40 << 20
    assert memory.available_memory() == 30 << 20
    assert memory.reservation() <= 40 << 20


def test_this_system_can_be_asked() -> None:
    """Whatever it says is a bound."""
    assert all(bound.limit > 0 and bound.used >= 0 for bound in control_group.bounds())
    assert 0 < memory.available_memory() <= memory.physical_memory()
