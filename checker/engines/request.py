"""One search as a value: the definition to search, the limits, and the means.

`How` are the fields of a request that a caller chooses freely, as keyword arguments of the functions that define the
model themselves (`check`, `outcomes`, `find_state`); these functions pass them on unread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypedDict

import attrs
from attrs import field

from checker.engines.explored import Phases
from checker.engines.placement import Placement
from checker.frozen import frozen
from checker.ir.model import Model as Lowered
from checker.language.definition import Definition
from checker.language.errors import UsageError
from checker.search.limits import NO_LIMITS, Limits
from checker.search.progress import ProgressCallback


@frozen
class Sought:
    """What a search is for if another command than `check` makes it, as its work directory records it.  command: makes
    and resumes it; what: completes "a search ..."; other: the same of a search that is not this one.
    """

    command: str
    what: str
    other: str


class How(TypedDict, total=False):
    """The means and limits of a search; `Request` has the defaults and their meaning."""

    engine: str
    threads: int
    limits: Limits
    stop_at_first: bool
    progress: ProgressCallback | None
    placement: Placement
    reduce: bool
    lengths: bool
    meanwhile: Callable[[], None]
    phases: Phases
    sought: Sought | None


class Irreducible(UsageError):
    """The request needs the full graph, and also a reduced search."""


def _begun(limits: Limits) -> Limits:
    return limits.begun()


def _at_least_one(_: Request, attribute: attrs.Attribute[int], threads: int) -> None:
    if threads < 1:
        raise UsageError(f"{attribute.name}={threads} is fewer than one")


@frozen
class Request:
    """A search of a definition.

    reference, only: the model's name and the chosen properties (None: all), as a work directory records them. limits:
    seconds count from the creation of the request, unless they count already. stop_at_first: whether a violation ends
    the search, after its level. reduce: whether steps may be left out that do not change the verdicts
    (`checker.engines.reduced`). lengths: whether levels of quiescent states must be distances in the model, also with
    `reduce`. meanwhile: work that the caller has to do in any case, done while another thread compiles: LLVM needs no
    Python. phases: records the time of each phase. sought: what the search is for (None: the properties of the model).
    adapt: changes the lowered model before it is compiled, to observe something
    that has no method in the class.
    """

    definition: Definition
    reference: str = ""
    only: Sequence[str] | None = None
    engine: str = "native"
    threads: int = field(default=1, validator=_at_least_one)
    limits: Limits = field(default=NO_LIMITS, converter=_begun)
    stop_at_first: bool = True
    progress: ProgressCallback | None = None
    placement: Placement = Placement()
    reduce: bool = False
    lengths: bool = False
    meanwhile: Callable[[], None] | None = None
    phases: Phases = field(factory=Phases)
    sought: Sought | None = None
    adapt: Callable[[Lowered], Lowered] | None = None
