"""The models that can be checked, each with its constants, properties and edits."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from checker.catalogue import Catalogue, Entry, catalogue, family, readable, shipped
from checker.language.define import constants_of, define
from checker.language.errors import UsageError
from checker.language.expectation import expectations
from checker.results.listing import ConstantListing, ModelListing, PropertyListing


def listing(
    names: Iterable[str] = (), own: Iterable[str] = (), with_shipped: bool = False
) -> tuple[list[ModelListing], list[UsageError]]:
    """The named models with their edits, and the problems of files that could not be read.  Without names those of the
    repository (own: the files and folders that its settings name), else those of the working directory and all that are
    shipped; with_shipped: these in any case.
    """
    names, own = list(names), list(own)
    if names:
        groups = [family(name) for name in names]
        more, problems = _by_file([shipped()]) if with_shipped else ([], [])
        return [*(_model(g[0], g[1:]) for g in groups), *more], problems
    found = [readable(name) for name in own] if own else [catalogue()]
    return _by_file([*found, *([shipped()] if own and with_shipped else [])])


def _by_file(found: Iterable[Catalogue]) -> tuple[list[ModelListing], list[UsageError]]:
    """The models of each file, the first with the others as its edits."""
    problems, by_file = list[UsageError](), dict[Path, dict[str, Entry]]()
    for one in found:
        problems += one.problems
        for entry in one.entries:
            by_file.setdefault(entry.file.resolve(), {}).setdefault(entry.cls.__name__, entry)
    models = []
    for group in map(list, map(dict.values, by_file.values())):
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
    more = tuple(cls.outcome), len(expectations(cls)), tuple(_model(e, []) for e in edits), cls.__name__
    return ModelListing(*place, constants, properties, *more)
