"""Where a search may begin: in no directory whose files it, or questions about it, would replace."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.search.folder_errors import WorkDirectoryError
from checker.search.workdir import WorkDirectory


@pytest.mark.parametrize("name", ["graph.json", "spark.log", "graph-20261129/x", "data/x", "levels/x.txt"])
def test_a_search_begins_in_no_directory_with_files_of_these_names(tmp_path: Path, name: str) -> None:
    """They are of something else, and stay as they are; the message names them."""
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    file.write_text("mine", encoding="utf-8")
    with pytest.raises(
        WorkDirectoryError, match=f"{name.partition('/')[0]}.* of something else.*name another directory"
    ):
        WorkDirectory.create(tmp_path, {})
    assert file.read_text(encoding="utf-8") == "mine" and not (tmp_path / "search.json").exists()


@pytest.mark.parametrize("name", ["graph.py", "graph-notes/x", "my.spark.log", "graph.lock"])
def test_other_files_are_in_nobody_s_way(tmp_path: Path, name: str) -> None:
    """A model, notes, an empty lock of a search that was removed."""
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    file.write_text("", encoding="utf-8")
    WorkDirectory.create(tmp_path, {}).close()
    assert file.exists()
