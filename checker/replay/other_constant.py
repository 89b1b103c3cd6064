"""The constant because of which a property fails: the class states that it holds with another value of this one alone.

A model may assume something of its environment ("no message is late"), or need a threshold, as a constant, and state
that a property holds with one value of it and fails with another one.  No step and no rule of the protocol is wrong
then.  The expectations of the class are compared with the constants of the run: the nearest is one that differs in a
single number, truth or word, and besides only in having more messages in the workload; else one that has the default of
a single constant of several values (who may send to whom), and besides more of a number whose default is computed.

Where it stops: what a class states is believed.  A bound of the faults is no such constant, as the run shows its fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from checker.language.constants import Deferred, fixed, written
from checker.language.define import constants_of, define
from checker.language.definition import Definition
from checker.language.distributed import BUDGETS
from checker.language.errors import UsageError
from checker.language.expectation import Expectation, place_of_expectation
from checker.replay.base import said_to_hold
from checker.replay.cited import cited

WORKLOAD = "workload"


def other_constant(definition: Definition, property: str) -> str:
    """The constant of a run that violates a property, with the value with which the property is stated to hold, in a
    sentence; "" if there is none."""
    found = min(_nearest(definition, property), key=lambda pair: _distance(pair[1]), default=None)
    if found is None:
        return ""
    stated, others = found
    name = next(iter(others))
    values = ", ".join(f"{n} = {written(value)}" for n, value in others.items())
    place = place_of_expectation(definition.model, stated)
    where = cited((place.file, place.line)) if place is not None else ""
    meaning = constants_of(definition.model)[name].meaning
    now = f"CONSTANT {name} = {written(definition.constants[name])}" + (f" ({meaning})" if meaning else "")
    return f"{now}: with {values} and all others as here, {property} is stated to hold{where}"


def _nearest(definition: Definition, property: str) -> Iterator[tuple[Expectation, dict[str, Any]]]:
    """The expectations that differ from the run in one such constant, each with the values that differ."""
    run = definition.constants
    for stated in said_to_hold(definition.model, property):
        if stated.within:
            continue
        try:
            constants = define(definition.model, stated.at, stated.only).constants
        except UsageError:  # it is refused where the class is checked
            continue
        others = {n: v for n, v in constants.items() if v != run[n] and not _follows(definition, n, constants)}
        alone = [name for name in others if not (name == WORKLOAD and _has_all(others[name], run[name]))]
        if len(alone) > 1:
            alone = [name for name in alone if not _has_room(definition, name, others[name])]
            alone = [name for name in alone if isinstance(others[name], tuple)] if len(alone) == 1 else []
        if len(alone) == 1 and _is_assumed(definition, alone[0], constants):
            yield stated, {name: others[name] for name in (*alone, *(n for n in others if n not in alone))}


def _distance(others: Mapping[str, Any]) -> tuple[bool, int]:
    """How far the values that differ are from the run: a single value is nearer than several."""
    return isinstance(next(iter(others.values())), tuple), len(others)


def _follows(definition: Definition, name: str, constants: Mapping[str, Any]) -> bool:
    """Whether a constant has its default in both, which follows from other constants."""
    default = constants_of(definition.model)[name].default
    return all(fixed(default, values) == values[name] for values in (constants, definition.constants))


def _is_assumed(definition: Definition, name: str, stated: Mapping[str, Any]) -> bool:
    """Whether a constant with two values is one of which a protocol may assume something: of several values one that
    is stated with its default, as other values are inputs and configurations."""
    value = stated[name]
    if isinstance(value, tuple):
        usual = name != WORKLOAD and fixed(constants_of(definition.model)[name].default, stated) == value
        return usual and len(value) == len(definition.constants[name])
    return name not in BUDGETS and isinstance(value, int | str)


def _has_all(stated: Sequence[int], run: Sequence[int]) -> bool:
    """Whether a workload has all messages of another one."""
    return len(stated) == len(run) and all(one >= other for one, other in zip(stated, run))


def _has_room(definition: Definition, name: str, stated: Any) -> bool:
    """Whether a number with a computed default is stated with more than the run has."""
    default = constants_of(definition.model)[name].default
    return (
        name not in BUDGETS
        and isinstance(default, Deferred)
        and type(stated) is int
        and stated > definition.constants[name]
    )
