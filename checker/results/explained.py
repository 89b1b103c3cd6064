"""Why not?  What a state of a run allows and what it does not, with the part of a guard that blocks each instance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import field

from checker.frozen import frozen
from checker.trace.trace import Trace


@frozen
class Refusal:
    """One instance that is not enabled: how it reads, the values of its arguments, why, and where.

    `condition` is the text of the guard's part that blocks, the same for all instances it blocks; `passed` how many
    parts held before it; `alone` whether no part of the same guard behind it is false too.
    """

    action: str
    instance: str
    values: tuple[str, ...]
    reason: str
    condition: str
    passed: int = 0
    file: str = ""
    line: int = 0
    fault: bool = False
    alone: bool = True

    @property
    def sentence(self) -> str:
        """The refusal as one sentence."""
        return f"{self.instance} is disabled: {self.reason}"


@frozen
class Explanation:
    """What a state allows and what it does not.  `idle` names handlers for whose messages there is nothing in
    flight."""

    enabled: tuple[str, ...]
    refused: tuple[Refusal, ...]
    idle: tuple[str, ...] = ()

    def about(self, words: Sequence[str]) -> Explanation:
        """Only the instances with all of these argument values."""
        refused = tuple(r for r in self.refused if set(words) <= set(r.values))
        enabled = tuple(e for e in self.enabled if set(words) <= _words(e))
        return Explanation(enabled, refused, () if words else self.idle)


def _words(instance: str) -> set[str]:
    inner = instance.partition("(")[2].removesuffix(")")
    return {inner, *inner.split(", ")}


@frozen
class Answer:
    """What a state of a trace allows and what it does not: of everything, or of what was `asked` for; and why the
    property or a condition has its truth there."""

    trace: Trace
    step: int
    explanation: Explanation
    asked: bool
    because: str = ""

    @property
    def refused(self) -> list[Refusal]:
        """The refusals to tell, in the order of interest; without faults unless they were asked for."""
        named = set(self.trace.witness_values.values())
        kept = [r for r in self.explanation.refused if self.asked or not r.fault]
        return sorted(kept, key=lambda r: (-sum(v in named for v in r.values), -r.passed))


@frozen
class Background:
    """What only the model knows of a trace: what is possible in each state (in some of the first, or in none, if it is
    not known), and the source of each action.

    `about`: what alone is explained, "deliver p2"; empty if everything is.  `guards`: what each part of a guard blocked
    in the whole search, a sentence each, if that was asked for.  `verdicts`: of properties that the trace does not
    tell, the truth in each state, in a word: those that speak of steps, or of states in which nothing can happen.
    `edited`: the method that decides the CAUSE, heading and source of each version.
    """

    possible: tuple[Answer, ...] = ()
    about: str = ""
    sources: Mapping[str, str] = field(factory=dict)
    guards: tuple[str, ...] = ()
    verdicts: Mapping[str, tuple[str, ...]] = field(factory=dict)
    edited: tuple[tuple[str, str], ...] = ()
