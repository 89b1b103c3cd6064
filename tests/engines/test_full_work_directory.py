"""A full disk under a work directory: what to do is said, and only what can be done."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import pytest

from checker.analysis.check import check
from checker.catalogue import find
from checker.engines.placement import Placement
from checker.language.errors import UsageError
from checker.search.folders import LocalFolder


@pytest.mark.parametrize("temporary", [False, True])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT])
def test_a_search_is_resumed_where_its_levels_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, temporary: bool, code: int
) -> None:
    """The directory of a search on Spark without `--workdir` is removed with the command: nothing can be resumed."""
    created, files = LocalFolder.create, list[str]()

    def full(folder: LocalFolder, name: str) -> Any:
        files.append(name)
        if len(files) > 4:
            raise OSError(code, "no room", name)
        return created(folder, name)

    monkeypatch.setattr(LocalFolder, "create", full)
    with pytest.raises(UsageError) as said:
        placement = Placement(tmp_path / "w", temporary=temporary)
        check(find("isis").cls, "isis", {"workload": (1, 1)}, placement=placement, engine="native")
    message = str(said.value)
    assert ("the disk is full" if code == errno.ENOSPC else "the quota is used up") in message
    assert ("checker resume" in message) != temporary
    assert ("With --workdir the search could be resumed" in message) == temporary
