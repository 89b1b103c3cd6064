"""Why not?  The enabled and disabled instances of a state of a run, with the part of a guard that blocks each disabled
one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import field

from checker.frozen import frozen
from checker.trace.trace import Trace


@frozen
class Refusal:
    """One disabled instance: its text, the values of its arguments, the reason, and the place.

    `condition`: the text of the blocking part of the guard, the same for all instances that it blocks; `passed`: how
    many parts held before it; `alone`: whether no later part of the same guard is false too; `waits`: whether a quorum
    still waits for messages; `crashed`: the process that should act, if it has crashed.
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
    waits: bool = False
    crashed: str = ""

    @property
    def sentence(self) -> str:
        """The disabled instance as one sentence."""
        return f"{self.instance} is disabled: {self.reason}"


class Enabled(str):
    """An enabled instance as reports write it, with its action and the values of its arguments."""

    action: str
    values: tuple[str, ...]

    def __new__(cls, text: str, action: str, values: Sequence[str]) -> Enabled:
        """Only the text is printed and compared."""
        instance = super().__new__(cls, text)
        instance.action, instance.values = action, tuple(values)
        return instance


@frozen
class Explanation:
    """The enabled and disabled instances of a state.  `idle`: handlers without a message in flight."""

    enabled: tuple[Enabled, ...]
    refused: tuple[Refusal, ...]
    idle: tuple[str, ...] = ()

    def about(self, words: Sequence[str]) -> Explanation:
        """Only the instances with all of these argument values."""
        refused = tuple(r for r in self.refused if set(words) <= set(r.values))
        enabled = tuple(e for e in self.enabled if set(words) <= {*e.values, ", ".join(e.values)})
        return Explanation(enabled, refused, () if words else self.idle)


@frozen
class Answer:
    """The instances of a state of a trace: all, or those that were `asked` for; and why the property or a condition has
    its truth there.  moved: an action of the trace that stands at another line today, the line in the trace and the one
    of today.
    """

    trace: Trace
    step: int
    explanation: Explanation
    asked: bool
    because: str = ""
    moved: tuple[str, int, int] | None = None

    @property
    def refused(self) -> list[Refusal]:
        """The disabled instances to report, in the order of interest; without faults unless they were requested."""
        named = set(self.trace.witness_values.values())
        kept = [r for r in self.explanation.refused if self.asked or not r.fault]
        return sorted(kept, key=lambda r: (-sum(v in named for v in r.values), -r.passed))


@frozen
class Beside:
    """The run of the protocol before the edit beside a run of the edit, with the same calls as far as they are enabled.

    `trace`: this run; `name`: of its protocol; `parted`: the number of the step of the edit at which the two part (one
    more than its last, if only the base continues); `places`: for each step of the edit how many steps the base has
    taken after it, and why the base did not take this one ("" if it did); `ending`: how the run ends; `judged`: the
    truth of the property in it, "" if unknown.
    """

    trace: Trace
    name: str
    parted: int
    places: tuple[tuple[int, str], ...]
    ending: str
    judged: str = ""


@frozen
class Background:
    """What only the model knows of a trace: the possible steps in each state (of some first states, or of none, if
    unknown), and the source of each action.

    `about`: the only instances that are explained, "deliver p2"; empty if all are.  `guards`: what each part of a guard
    blocked in the whole search, a sentence each, if requested.  `verdicts`: for properties that are not in the trace,
    the truth in each state, in a word: those about steps, or about quiescent states. `edited`: the method that decides
    the CAUSE, heading and source of each version. `beside`: the run of the protocol before the edit.
    """

    possible: tuple[Answer, ...] = ()
    about: str = ""
    sources: Mapping[str, str] = field(factory=dict)
    guards: tuple[str, ...] = ()
    verdicts: Mapping[str, tuple[str, ...]] = field(factory=dict)
    edited: tuple[tuple[str, str], ...] = ()
    beside: Beside | None = None
