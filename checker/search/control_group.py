"""Memory limits of control groups: each group from that of this process up to the root bounds it, and the least bound
ends the process without a message.

The system tells where the groups are: /proc/self/cgroup names the group in each hierarchy (version 1: that of the
controller `memory`; version 2: the one without a name), /proc/self/mountinfo where a hierarchy is mounted, and from
which group on. Groups above that are not visible: in a container the root of the mount is the container's own group
(Linux, Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst; proc(5)).

Pages of files that were not used lately count as used, but are released before anything else; they are counted as free.
Where it stops: a limit above the groups that a container sees.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from checker.frozen import frozen

ROOT = Path("/")


@frozen
class Bound:
    """The limit of a group, and how much of it is in use, in bytes."""

    limit: int
    used: int


@frozen
class _Version:
    """Names of the files of a group."""

    limit: str
    used: str
    inactive: str


_ONE = _Version("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
_TWO = _Version("memory.max", "memory.current", "inactive_file")


def bounds(root: Path = ROOT) -> list[Bound]:
    """The limits of all groups that this process is in; root: of the file system."""
    found = []
    for version, group, top in _hierarchies(root):
        while True:
            bound = _bound(group, version)
            found += [] if bound is None else [bound]
            if group == top:
                break
            group = group.parent
    return found


def _hierarchies(root: Path) -> Iterator[tuple[_Version, Path, Path]]:
    """Hierarchies that bound memory: the directory of our group, and that of the highest visible group."""
    try:
        lines = (root / "proc/self/cgroup").read_text(encoding="utf-8", errors="replace").splitlines()
        mounts = (root / "proc/self/mountinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return  # another system than Linux
    for line in lines:
        _, controllers, group = line.split(":", 2)
        version = _TWO if not controllers else _ONE if "memory" in controllers.split(",") else None
        if version is None:
            continue
        for mount in mounts:
            before, _, after = mount.partition(" - ")
            kind, _, options = after.split(" ")[:3]
            if (kind == "cgroup2") if version is _TWO else (kind == "cgroup" and "memory" in options.split(",")):
                first, place = before.split(" ")[3:5]
                top = root / place.lstrip("/")
                within = Path(group).relative_to(first) if Path(group).is_relative_to(first) else Path()
                own = top / within
                yield version, own if ".." not in within.parts and own.is_dir() else top, top


def _bound(group: Path, version: _Version) -> Bound | None:
    """The bound of a group, if it has one."""
    try:
        limit = int((group / version.limit).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None  # no such file, as at the root; or "max"
    try:
        used = int((group / version.used).read_text(encoding="ascii"))
        stat = dict(line.split() for line in (group / "memory.stat").read_text(encoding="ascii").splitlines())
        used -= int(stat.get(version.inactive, 0))
    except (OSError, ValueError):
        used = 0
    return Bound(limit, max(0, used))
