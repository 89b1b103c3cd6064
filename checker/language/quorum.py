"""Quorum receptions: handlers that take one message from each process of a set, or from k of its processes, in one
step.

`@on(net, Wire.Ack, each=Process, same="m")`.  The step is the "quorum transition" of M. Bokor, J. Kinder, M. Serafini
and N. Suri (DSN 2011): exactly k messages are taken, one from each sender, and each choice of senders is a step of its
own. A protocol that counts messages one by one acts on the k-th message, so it has received exactly k; later messages
are left for another handler.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any

from checker.frozen import frozen
from checker.language.constants import Deferred
from checker.language.errors import UsageError
from checker.language.types import is_type

EXAMPLE = '@on(net, Wire.Ack, each=Process, same="m"), or @on(net, Wire.Ack, at_least=majority, same="m")'


@frozen
class Quorum:
    """The arguments of a handler's decorator.  members: a type (all of its values), or the name of a rule; count: None
    (all members), a number, a value computed from constants, or the name of a rule; same: the parameters that are equal
    in all messages.
    """

    members: Any
    count: Any
    same: tuple[str, ...]


def quorum(each: Any, at_least: Any, of: Any, same: Any) -> Quorum | None:
    """The quorum in the arguments of @on; None without one: each message is received alone.  Raises UsageError."""
    names = (same,) if isinstance(same, str) or not isinstance(same, tuple | list) else tuple(same)
    if each is None and at_least is None:
        if of is not None or names:
            what = "of" if of is not None else "same"
            raise UsageError(f"@on({what}=...) says nothing of a single message", remedy=f"Write {EXAMPLE}.")
        return None
    if each is not None and (at_least is not None or of is not None):
        remedy = "each=S waits for all of S; at_least=k, of=S for k of them."
        raise UsageError("@on has each= and at_least= or of=", remedy=remedy)
    if not all(isinstance(n, str) for n in names):
        raise UsageError(f"@on(same={same!r}) names no parameters", remedy='Write same="m", or same=("m", "round").')
    members = _members("each" if each is not None else "of", each if each is not None else of)
    return Quorum(members, None if at_least is None else _count(at_least), names)


def _members(option: str, given: Any) -> Any:
    """All values of a type (None: those of the network), or a rule by its name."""
    if given is None or is_type(given):
        return given
    if inspect.isfunction(given):
        return given.__name__
    remedy = (
        f"Write {option}=Process for all of them, or {option}=members with a rule members above that returns a set."
    )
    raise UsageError(f"@on({option}={given!r}) is no set of processes", remedy=remedy)


def _count(given: Any) -> Any:
    if inspect.isfunction(given):
        return given.__name__
    if isinstance(given, Deferred) or isinstance(given, int) and not isinstance(given, bool) and given > 0:
        return given
    remedy = "Write a number from 1 on, a constant, or a rule above that returns a number."
    raise UsageError(f"@on(at_least={given!r}) is no number of processes", remedy=remedy)


def unknown(names: Iterable[str], known: Iterable[str]) -> list[str]:
    """The names that are not known."""
    there = set(known)
    return [n for n in names if n not in there]
