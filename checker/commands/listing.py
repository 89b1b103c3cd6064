"""What there is to check: each model with its constants, properties and edits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import field, frozen

from checker.catalogue import Entry, catalogue, family
from checker.language.define import constants_of, define
from checker.language.errors import UsageError
from checker.language.expectation import expectations


@frozen
class ConstantListing:
    """A constant: its value if nothing is set, what it means, the only values allowed (none: any of its kind)."""

    name: str
    default: Any
    meaning: str
    choices: tuple[Any, ...]


@frozen
class ModelListing:
    """A model or an edit: `edits` are the references of those that stand in its file; `expectations` how many verdicts
    it states."""

    reference: str
    summary: str
    file: str
    constants: tuple[ConstantListing, ...]
    properties: tuple[tuple[str, str], ...]  # name, kind
    outcome: tuple[str, ...]
    expectations: int
    edit_of: str | None = None
    edits: tuple[ModelListing, ...] = field(default=())


def listing(names: Iterable[str] = ()) -> tuple[list[ModelListing], list[UsageError]]:
    """The models named (default: all) with their edits, and the problems of files that could not be read."""
    names = list(names)
    if names:
        groups = [family(name) for name in names]
        return [_model(g[0], g[1:]) for g in groups], []
    found = catalogue()
    problems = list(found.problems)
    by_file: dict[str, list[Entry]] = {}
    for entry in found.entries:
        by_file.setdefault(str(entry.file), []).append(entry)
    models = []
    for group in by_file.values():
        try:
            models.append(_model(group[0], group[1:]))
        except UsageError as error:
            problems.append(error)
    return models, problems


def _model(entry: Entry, edits: list[Entry]) -> ModelListing:
    cls = entry.cls
    declared = constants_of(cls)
    definition = define(cls)
    constants = tuple(
        ConstantListing(n, definition.constants[n], c.meaning, tuple(c.choices)) for n, c in declared.items()
    )
    return ModelListing(
        entry.reference,
        entry.summary,
        str(entry.file),
        constants,
        tuple((p.name, p.kind) for p in definition.properties),
        tuple(cls.outcome),
        len(expectations(cls)),
        entry.edit_of,
        tuple(_model(e, []) for e in edits),
    )
