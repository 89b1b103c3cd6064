"""The packages of pyproject.toml's extras, without which the checker works: which are missing, and how to get them.

The distribution is on no package index, where anybody could take its name: it is installed from a clone.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec


def missing(*packages: str) -> list[str]:
    """Those of the packages that cannot be imported here."""
    return [package for package in packages if find_spec(package) is None]


def are_missing(packages: Sequence[str]) -> str:
    """That packages are missing: "pygls is missing", "duckdb and pyarrow are missing"."""
    return f"{' and '.join(packages)} {'is' if len(packages) == 1 else 'are'} missing"


def install(extra: str) -> str:
    """The command that installs an extra."""
    return f"pip install 'path/to/clone[{extra}]'"
