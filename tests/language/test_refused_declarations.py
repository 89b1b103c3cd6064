"""Declarations that mean nothing in a model are refused where they stand: the message, the line with its text, and what
to write instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.catalogue import in_file
from checker.language import UsageError
from checker.language.define import define

FILES = sorted((Path(__file__).parent / "refused").glob("*.py"))


@pytest.mark.parametrize("file", FILES, ids=[f.stem for f in FILES])
def test_a_declaration_is_refused_with_its_line_and_a_remedy(file: Path) -> None:
    """The first line of the file states the message; the offending line is marked `# here`."""
    lines = file.read_text().splitlines()
    with pytest.raises(UsageError) as caught:
        for entry in in_file(file):
            entry.cls.of(define(entry.cls))
    error = caught.value
    assert lines[0].removeprefix("# refused: ") in error.message
    assert error.line is not None and "# here" in lines[error.line - 1]
    assert error.fragment == lines[error.line - 1].strip()
    assert str(error).startswith(f"{error.file}:{error.line}: {error.message}") and error.remedy


def test_paths_are_shown_from_the_working_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file below the working directory is named as the user would name it; any other by its whole path."""
    file = FILES[0]
    monkeypatch.chdir(file.parent)
    assert UsageError("wrong", str(file), 3).file == file.name
    monkeypatch.chdir("/")
    assert UsageError("wrong", str(file), 3).file == str(file).removeprefix("/")
    monkeypatch.chdir(file.parent.parent / "models")
    assert UsageError("wrong", str(file), 3).file == str(file)
