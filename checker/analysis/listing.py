"""The models that can be checked, each with its constants, properties and edits."""

from __future__ import annotations

from collections.abc import Iterable

from checker.catalogue import Entry, catalogue, family
from checker.language.define import constants_of, define
from checker.language.errors import UsageError
from checker.language.expectation import expectations
from checker.results.listing import ConstantListing, ModelListing, PropertyListing


def listing(names: Iterable[str] = ()) -> tuple[list[ModelListing], list[UsageError]]:
    """The named models (default: all) with their edits, and the problems of files that could not be read."""
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
    values = definition.constants
    constants = tuple(ConstantListing(n, values[n], c.meaning, tuple(c.choices)) for n, c in declared.items())
    properties = tuple(PropertyListing(p.name, p.kind) for p in definition.properties)
    place = entry.reference, entry.summary, str(entry.file), entry.edit_of
    more = tuple(cls.outcome), len(expectations(cls)), tuple(_model(e, []) for e in edits)
    return ModelListing(*place, constants, properties, *more)
