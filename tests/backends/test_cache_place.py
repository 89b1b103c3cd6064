"""Where compiled kernels are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.backends.native.build import directory


def test_kernels_are_kept_in_the_cache_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where XDG_CACHE_HOME points, or in .cache at home."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "elsewhere"))
    assert directory() == tmp_path / "elsewhere" / "checker" / "kernels"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert directory() == tmp_path / ".cache" / "checker" / "kernels"


def test_a_user_without_a_home_has_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is written into a folder called ~."""
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    assert directory().is_relative_to("/dev/null")
