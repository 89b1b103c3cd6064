"""The constants of the protocol before an edit, where the edit declares a constant again with another default.

Such a default is part of the edit: the protocol before it has its own value.  That applies to each constant that has
the default of the edit, unless it bounds the faults, or both protocols then have different variables or no initial
state in common, as where the number of processes is another one: such a constant selects a configuration, and both
protocols are compared with the value of the edit.

Where it stops: whether a user chose the value or the default has it is not known; the value alone counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from checker.backends.interpreter.interpreter import Interpreter
from checker.language.constants import BUDGETS, fixed, written
from checker.language.define import constants_of, define
from checker.language.definition import Definition
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.language.start import is_start, starts
from checker.replay.base import shared_constants
from checker.replay.cited import cited, declared_at


def former_constants(base: type[Model], edited: Definition) -> dict[str, Any]:
    """The constants with which the base is compared with an edit that was run: its own where the edit changes them."""
    alike = shared_constants(base, edited.constants)
    mine, theirs = constants_of(edited.model), constants_of(base)
    for name in [*alike]:
        if name in BUDGETS or name not in mine or mine[name] is theirs[name]:
            continue
        if fixed(mine[name].default, edited.constants) != alike[name]:
            continue
        own = alike | {name: fixed(theirs[name].default, alike)}
        if own != alike and _is_comparable(base, own, edited):
            alike = own
    return alike


def own_values(base: type[Model], edited: Definition) -> dict[str, Any]:
    """Those of these constants of which the base has its own value."""
    return {n: v for n, v in former_constants(base, edited).items() if v != edited.constants[n]}


def _is_comparable(base: type[Model], constants: Mapping[str, Any], edited: Definition) -> bool:
    """Whether the base has the variables of the edit with these constants, and its first initial state."""
    try:
        former = define(base, constants, [])
        now = define(edited.model, edited.constants, [])
        same = [(v.name, v.domain.ir) for v in former.variables] == [(v.name, v.domain.ir) for v in now.variables]
        return same and is_start(Interpreter(former).model, next(iter(starts(Interpreter(now).model))))
    except UsageError:  # the base refuses such a value
        return False


def changed(base: Definition, edited: Definition) -> dict[str, tuple[Any, Any]]:
    """The constants with two values: as edited, and before the edit."""
    was = base.constants
    return {name: (value, was[name]) for name, value in edited.constants.items() if name in was and was[name] != value}


def names_changed(base: Definition, edited: Definition) -> set[str]:
    """The names of these constants, and of the derived values that differ because of them."""
    names = set(changed(base, edited))
    return (
        names | {n for n, v in edited.derived.items() if n in base.derived and base.derived[n] != v} if names else names
    )


def in_words(edit: type[Model], constants: Mapping[str, tuple[Any, Any]]) -> tuple[str, str]:
    """Constants that an edit changes, as edited with the line of each ("f = 0 (consensus.py:309)"), and before."""
    now = (f"{name} = {written(value)}{cited(declared_at(edit, name))}" for name, (value, _) in constants.items())
    return " and ".join(now), " and ".join(f"{name} = {written(was)}" for name, (_, was) in constants.items())
