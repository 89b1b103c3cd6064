"""Modules of a model file's neighbours that make room for those of another project."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from checker.importing import rename


def test_folders_without_a_package_file_have_their_path_under_another_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever goes through all modules and reads their paths meets no error, whichever was renamed first."""
    (tmp_path / "above" / "inside").mkdir(parents=True)
    (tmp_path / "above" / "inside" / "leaf.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.import_module("above.inside.leaf")
    names = ("above", "above.inside", "above.inside.leaf")
    modules = [rename(name, f"{name} set aside") for name in names]
    try:
        paths = [list(module.__path__) for module in modules[:2]]
        assert paths == [[str(tmp_path / "above")], [str(tmp_path / "above" / "inside")]]
    finally:
        for name in names:
            del sys.modules[f"{name} set aside"]
