"""The configurations in which two models are compared: the defaults, and those that base and edit state in `expect`, or
the models that these edit; the smallest first.

The smallest configuration has the fewest identities (processes, messages), then the fewest faults, then the smallest
numbers.  These are known before any search; the smallest configuration need not have the fewest states.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from checker.analysis.compare.pair import Configured, configured
from checker.analysis.compare.side import Side
from checker.language.constants import written
from checker.language.definition import Definition
from checker.language.distributed import BUDGETS
from checker.language.domains import IdsDomain
from checker.language.errors import UsageError
from checker.language.expectation import Expectation, expectations
from checker.language.model import Model
from checker.replay.base import base_of
from checker.results.configurations import Passed

Given = Mapping[str, Any]


def stated(before: type[Model], after: type[Model]) -> list[Given]:
    """The constants at which base and edit state expectations, and the defaults.  Two versions of one edit, or two
    edits, have none of the model that they edit: its expectations count too.
    """
    classes = [before, after]
    if base_of(after) is not before:
        classes += [base for base in (base_of(before), base_of(after)) if base is not None]
    found = [e.at for cls in dict.fromkeys(classes) for e in expectations(cls) if isinstance(e, Expectation)]
    return [*found, {}]


def in_order(before: Side, after: Side, wanted: Iterable[Given]) -> tuple[list[Configured], list[Passed]]:
    """The configurations that both models accept, each once, the smallest first; and the others.  Raises UsageError if
    there is none.
    """
    found: dict[Any, Configured] = {}
    refused: list[tuple[Given, UsageError]] = []
    for given in wanted:
        try:
            sides = configured(before, after, given)
        except UsageError as error:
            refused.append((given, error))
            continue
        found.setdefault(tuple(_resolved(d) for d in sides.definitions), sides)
    if not found:
        raise refused[0][1]
    return sorted(found.values(), key=_size), [Passed(given, error.message) for given, error in refused]


def _resolved(definition: Definition) -> tuple[tuple[str, str], ...]:
    return tuple((name, written(value)) for name, value in definition.constants.items())


def _size(sides: Configured) -> tuple[int, int, str]:
    definition = sides.definitions[1]
    domains = {id(d): d for d in definition.types.values() if isinstance(d, IdsDomain)}
    faults = sum(n for n in map(definition.constants.get, BUDGETS) if isinstance(n, int))
    identities = sum(len(list(d)) for d in domains.values())
    return identities + faults, sum(_numbers(definition.constants.values())), str(_resolved(definition))


def _numbers(values: Iterable[Any]) -> Iterator[int]:
    for value in values:
        if isinstance(value, int):
            yield abs(value)
        elif isinstance(value, tuple):
            yield from _numbers(value)
