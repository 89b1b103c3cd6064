"""A search that begins in a state of a run instead of in the initial states: the nearest state that violates a
property, by compiled code in this process.

The state is packed, which needs as much room in networks as it has messages: where the kernel has less, the search
starts again as for networks that overflow (`growing`).  The interpreter executes a sample of the explored states; the
caller is responsible for the first one.  Symmetry reduction cannot be used, because the run must continue from exactly
this state: the caller's definition is without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from attrs import frozen

from checker.backends.interpreter.interpreter import Raw
from checker.backends.native.kernel import NativeKernel
from checker.bound import Bound
from checker.contract import States
from checker.engines.growing import TooSmall, with_room
from checker.engines.native import compiled, searched, states_of
from checker.engines.request import Request
from checker.ir.types import Map, Type
from checker.search.deadline import OutOfTime
from checker.validation.validation import validated


@frozen
class Onward:
    """path: a shortest path from the state to a violation of the first property of the request, both included; None if
    there is none, or (bound) if the search ended before that was known.  beyond: a step out of the last of these states
    violates it, into a state that a constraint prunes.  failed: the model error that ended the search.
    """

    path: tuple[Raw, ...] | None
    distinct: int = 0
    bound: Bound | None = None
    failed: str | None = None
    beyond: bool = False


def onward(request: Request, state: Raw) -> Onward:
    """Look for the nearest state that violates the one property of the request.  Raises Disagreement if the interpreter
    does not confirm the search.
    """
    assert not request.definition.merges
    try:
        return with_room(partial(_onward, request, state))
    except OutOfTime:
        return Onward(None, bound=Bound.SECONDS)


def _onward(request: Request, state: Raw, room: Mapping[str, int]) -> Onward:
    definition = request.definition
    kernel = compiled(request, room, quick=True)
    result = searched(request, kernel.beginning(packed(kernel, request, state)))
    validated(definition, [k for k in result.sources if isinstance(k, NativeKernel)], result, starts=False)
    wanted = definition.properties[0].name
    first = next(iter(result.violations), None)
    if first is None:
        return Onward(None, result.distinct, result.bound)
    if first.finding.name != wanted:
        return Onward(None, result.distinct, failed=first.finding.name)
    return Onward(states_of(definition, kernel, result.path(first.index)), result.distinct, beyond=first.beyond)


def packed(kernel: NativeKernel, request: Request, state: Raw) -> States:
    """The state as the only row of a block.  Raises TooSmall if a network has no room for its messages."""
    values = {v.name: raw for v, raw in zip(request.definition.variables, state)}
    types = {v.name: v.type for v in kernel.model.variables}
    networks = [v.name for v in request.definition.variables if v.network is not None]
    small = [name for name in networks if longest(types[name], values[name]) > kernel.capacity(name)]
    if small:
        raise TooSmall({name: kernel.capacity(name) for name in small})
    return kernel.encode(values).reshape(1, kernel.words)


def longest(type: Type, raw: Raw) -> int:
    """The number of messages in the fullest queue of a network, or in its one bag."""
    return max((longest(type.value, part) for part in raw), default=0) if isinstance(type, Map) else len(raw)
