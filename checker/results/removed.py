"""What a change stops stating: a class without its former expectations.

Reports of every command know it, and few need the comparisons of `checker.results.review`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from checker.frozen import frozen


@frozen
class Removed:
    """A class that stated an expectation and states none any more, or (what) of which less is expected or verified, in
    words.

    `file` is relative to the root of the repository, `path` is the file itself; `line`: of what it states now; at: the
    constants that were stated.
    """

    name: str
    file: str
    path: Path
    what: str = ""
    line: int = 1
    at: Mapping[str, Any] | None = None

    def __str__(self) -> str:
        return f"{self.name} ({self.file}:{self.line}): {self.what}" if self.what else f"{self.name} ({self.file})"
