"""A line of source as sentences cite it: "isis.py:117"."""

from __future__ import annotations

from pathlib import Path

from checker.language.places import PACKAGE

Place = tuple[str, int]
SHARED = ("language", "properties")
"""Folders of the package whose files have the names of models."""


def place_text(place: Place) -> str:
    """A line of source, with the last component of the file's path; for a file of the checker also with its folder."""
    path = Path(place[0])
    shared = path.parent.name in SHARED and PACKAGE.parent in path.parents
    return f"{f'{path.parent.name}/' * shared}{path.name}:{place[1]}"


def shortened(place: Place) -> Place:
    """A line of source with its file from the innermost folder on, so that reports do not depend on the location of the
    project.
    """
    return "/".join(place[0].rsplit("/", 2)[-2:]), place[1]
