"""A line of source as sentences cite it: "isis.py:117", behind what stands there in parentheses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from checker.language.model import Model
from checker.language.places import PACKAGE, of_attribute, of_function

Place = tuple[str, int]
SHARED = ("language", "properties")
"""Folders of the package whose files have the names of models."""


def place_text(place: Place) -> str:
    """A line of source, with the last component of the file's path; for a file of the checker also with its folder."""
    path = Path(place[0])
    shared = path.parent.name in SHARED and PACKAGE.parent in path.parents
    return f"{f'{path.parent.name}/' * shared}{path.name}:{place[1]}"


def cited(place: Place | None) -> str:
    """A line behind what stands there: " (isis.py:117)"; "" if it has none."""
    return f" ({place_text(place)})" if place is not None else ""


def defined_at(function: Callable[..., Any]) -> Place:
    """The line of a function: its `def`."""
    place = of_function(function)
    return place.file, place.line


def declared_at(model: type[Model], name: str) -> Place | None:
    """The line at which a class of the model gives an attribute its value."""
    place = of_attribute(model, name)
    return (place.file, place.line) if place is not None else None


def shortened(place: Place) -> Place:
    """A line of source with its file from the innermost folder on, so that reports do not depend on the location of the
    project.
    """
    return "/".join(place[0].rsplit("/", 2)[-2:]), place[1]
