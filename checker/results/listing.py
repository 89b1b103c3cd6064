"""The models that can be checked: each with its constants, properties and edits."""

from __future__ import annotations

from typing import Any

from attrs import frozen


@frozen
class ConstantListing:
    """A constant: its default, its meaning, the allowed values (none: any of its kind)."""

    name: str
    default: Any
    meaning: str
    choices: tuple[Any, ...]


@frozen
class PropertyListing:
    """A property and its kind."""

    name: str
    kind: str


@frozen
class ModelListing:
    """A model or an edit: `edits`: those in its file; `expectations`: how many verdicts it states; name: its class."""

    reference: str
    summary: str
    file: str
    edit_of: str | None
    constants: tuple[ConstantListing, ...]
    properties: tuple[PropertyListing, ...]
    outcome: tuple[str, ...]
    expectations: int
    edits: tuple[ModelListing, ...] = ()
    name: str = ""
