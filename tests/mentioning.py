"""Files that use one of some names, parsed: the others are not, which for a name that few files use is nearly all.

A name of the program stands in its text as it is.  Where it stops: a text constant may be written in another way than
it reads (`"\\x2f"`), and Python takes letters of other scripts for the same name.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path


def mentioning(files: Iterable[Path], pattern: str) -> Iterator[tuple[Path, ast.Module]]:
    """The files in whose text a pattern occurs, each with its tree."""
    for file in files:
        text = file.read_text(encoding="utf-8")
        if re.search(pattern, text):
            yield file, ast.parse(text)
