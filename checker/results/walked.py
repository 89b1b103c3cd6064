"""The view of a run while a model is explored by hand: the run so far, and the possible steps at its end."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from checker.bound import Bound
from checker.results.explained import Answer
from checker.results.verdict import LookedFor
from checker.trace.trace import Trace


@frozen
class Pin:
    """A predicate with its truth in each state of a run, "true", "false" or "cannot be evaluated", and why.  wrong: why
    it is no predicate of the model; it then has no truths.
    """

    predicate: str
    truths: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    wrong: str = ""


@frozen
class Walked:
    """A run: as a trace, with the truth of the properties that are not in the trace, and of predicates; the name of
    each step when it was chosen.

    seal: a short text that only this run of this model, with these constants, has; a link contains it.
    """

    path: str
    trace: Trace
    verdicts: Mapping[str, tuple[str, ...]]
    pins: tuple[Pin, ...]
    seal: str


@frozen
class Choice:
    """An enabled step, by its number among those that are enabled.

    after: the run with this step taken; None if it fails, or is too far down the list.  breaks: properties that are
    false after it and were not before.
    """

    number: int
    name: str
    after: Trace | None = None
    breaks: tuple[str, ...] = ()
    failure: str = ""
    cut: bool = False


@frozen
class Here:
    """The end of a run: the enabled steps, the disabled ones with the reasons, and the violated properties.

    more: there are further steps than those listed.  broken: properties that are false here, or cannot be evaluated;
    cut: a constraint excludes the state.  starts: the other initial states, if the run has no step yet, each with its
    differences from the first.
    """

    path: str
    choices: tuple[Choice, ...]
    more: bool
    answer: Answer
    broken: tuple[str, ...]
    cut: bool
    starts: tuple[str, ...] = ()


@frozen
class Onwards:
    """The result of a search from here.  path: the run to the state; bound: what ended the search."""

    predicate: str
    verdict: LookedFor
    distinct: int
    path: str = ""
    steps: int = 0
    bound: Bound | None = None
