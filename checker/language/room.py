"""Limits on the memory of a model before its search begins: sizes are computed from types, before anything of that size
is built.

Constants come from a command line, so `highest=99999999999` must be refused and not tried. Three rules:

* A state has at most STATE_BITS bits, and all variables that start as `anything` at most 2 ** START_BITS values
  together; both follow from the types by arithmetic.
* An action has at most INSTANCES combinations of parameters; a type is listed member by member only if it has at most
  MEMBERS.
* What a model computes by itself (`derived`, a class body, a loop over constants) cannot be foreseen. While a model is
  read and lowered, the process may grow by GROWTH bytes; MemoryError then ends it with a message.

Where it stops: the growth is limited by RLIMIT_AS, on systems that have it, for the whole process, and only in the main
thread. Memory of the search itself is limited by `checker.search.limits`.
"""

from __future__ import annotations

import math
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from checker.ir import types as t
from checker.ir.domain import size
from checker.language.errors import UsageError
from checker.language.places import at, of_function
from checker.wording import counted, digits

STATE_BITS = 1 << 20
START_BITS = 28
INSTANCES = 1 << 24
MEMBERS = 1 << 20
GROWTH = 2 << 30
SHOWN = 60  # characters of a value in a message


def bits(type: t.Type) -> int:
    """The approximate number of bits of a value of the type in a state."""
    match type:
        case t.Bool():
            return 1
        case t.Int(lo, hi):
            return max(0, hi - lo).bit_length()
        case t.Enum(_, members) | t.Ids(_, members, _):
            return (len(members) - 1).bit_length()
        case t.Optional(item):
            return 1 + bits(item)
        case t.Record(_, fields):
            return sum(bits(f) for _, f in fields)
        case t.Union(_, variants):
            return (len(variants) - 1).bit_length() + max(map(bits, variants))
        case t.Map(key, value):
            return (size(key) or 1) * bits(value)
        case t.Set(item):
            return size(item) or 0
        case t.Seq(item, capacity, _) | t.Bag(item, capacity, _):
            return capacity.bit_length() + capacity * bits(item)
        case _:
            return 0


def short(value: Any) -> str:
    """A constant's value as text for a message: long tuples and numbers are shortened."""
    text = ",".join(map(_text, value[:SHOWN])) if isinstance(value, tuple) else _text(value)
    if len(text) <= SHOWN:
        return text
    number = f"{len(value):,} values" if isinstance(value, tuple) else f"{len(text):,} characters"
    return f"{text[:SHOWN]}... ({number})"


def _text(value: Any) -> str:
    return digits(value) if isinstance(value, int) and not isinstance(value, bool) else str(value)


def named(given: Mapping[str, Any]) -> str:
    """The given constants as text for a message."""
    return ", ".join(f"{name}={short(value)}" for name, value in given.items())


def remedy(given: Mapping[str, Any]) -> str:
    """The advice for a model that is too large with these constants."""
    if given:
        return f"Lower the constants: {named(given)}."
    return "Bound the types by what the model can reach, or lower the defaults of the constants."


def require_small(types: Iterable[tuple[str, t.Type]], given: Mapping[str, Any]) -> None:
    """Raise UsageError if a state with these variables would be too large."""
    needed = [(bits(type), name, type) for name, type in types]
    total = sum(n for n, _, _ in needed)
    if total > STATE_BITS:
        most, name, _ = max(needed, key=lambda some: some[0])
        raise UsageError(
            f"a state would take {_bytes(total)}, of that {name} {_bytes(most)}; the most is {_bytes(STATE_BITS)}",
            remedy=remedy(given),
        )


def require_few_starts(types: Iterable[tuple[str, t.Type]], given: Mapping[str, Any]) -> None:
    """Raise UsageError if the variables that start as `anything` have too many values together: each combination is an
    initial state.
    """
    held = [(_start_bits(type), name) for name, type in types]
    if sum(n for n, _ in held) > START_BITS:
        names = ", ".join(name for n, name in held if n)
        what = (
            f"{names} start as anything: together they have about 2 to the {sum(n for n, _ in held):.0f} values, "
            f"and each is an initial state; the most is 2 to the {START_BITS}"
        )
        instead = "Give one an initial value, or choose it in an @initial method."
        raise UsageError(what, remedy=f"{instead} {remedy(given) if given else ''}".strip())


def _start_bits(type: t.Type) -> float:
    if isinstance(type, t.Map):
        return (size(type.key) or 1) * _start_bits(type.value)
    return math.log2(size(type) or 1)


def _bytes(number: int) -> str:
    return counted(-(-number // 8), "byte")


@contextmanager
def bounded(given: Mapping[str, Any]) -> Iterator[None]:
    """In this context the process may grow by GROWTH bytes.  Raises UsageError if it needs more."""
    before = _limit() if threading.current_thread() is threading.main_thread() else None
    try:
        yield
    except MemoryError:
        what = f"reading the model takes more than {GROWTH >> 20:,} MB of memory"
        raise UsageError(
            what, remedy=f"{remedy(given)} A derived value, a type or a loop over constants may have become huge."
        ) from None
    finally:
        if before is not None:
            _restore(before)


def _limit() -> tuple[int, int] | None:
    """Limit the address space; return the former limits, None if nothing was changed."""
    if not sys.platform.startswith("linux"):
        return None
    import resource

    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            now = int(file.read().split()[0]) * resource.getpagesize()
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        wanted = now + GROWTH
        if soft != resource.RLIM_INFINITY and soft <= wanted:
            return None
        resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))
        return soft, hard
    except (OSError, ValueError):
        return None


def _restore(limits: tuple[int, int]) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_AS, limits)


def require_few_instances(
    name: str, function: Callable[..., Any], parameters: list[tuple[str, Any]], given: Mapping[str, Any]
) -> None:
    """Raise UsageError if the parameters of an action have too many combinations: each is tried in every state."""
    sizes = [(n, size(type) or 1) for n, type in parameters]
    instances = math.prod(n for _, n in sizes)
    if instances > INSTANCES:
        each = " * ".join(f"{digits(n, ',')} of {p}" for p, n in sizes)
        raise at(
            of_function(function),
            f"action {name} has {digits(instances, ',')} combinations of parameters ({each}), each tried in every "
            f"state; the most is {INSTANCES:,}",
            f"Choose some of them inside the action: x = choose(...). {remedy(given)}",
        )
