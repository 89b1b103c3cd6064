"""The processes of this machine, as /proc lists them (`ps` need not be installed), and the files that they leave."""

from __future__ import annotations

import os
from pathlib import Path

from attrs import frozen


@frozen
class Running:
    """A process: its number, that of the process that started it, and its command line."""

    pid: int
    parent: int
    command: str


def running() -> list[Running]:
    """All processes; one that ends meanwhile is left out."""
    found = []
    for directory in Path("/proc").iterdir():
        if directory.name.isdigit():
            try:
                command = (directory / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
                parent = int(
                    (directory / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[1]
                )
            except OSError:
                continue
            found.append(Running(int(directory.name), parent, command))
    return found


def files_below(place: Path) -> list[str]:
    """The paths of all files below a directory, in which others may be removing some at this moment."""
    return [os.path.join(folder, name) for folder, _, names in os.walk(place) for name in names]


def below(pid: int, name: str) -> list[int]:
    """Processes started by this one, directly or not, that have a name in their command."""
    rows = running()
    found, waiting = [], [pid]
    while waiting:
        parent = waiting.pop()
        for process in rows:
            if process.parent == parent:
                waiting.append(process.pid)
                found += [process.pid] if name in process.command else []
    return found
