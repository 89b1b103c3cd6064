"""Delta debugging of a run: steps are left out as long as the rest is still a run with the same finding.

Steps are left out in pieces, halves first, single steps last (A. Zeller and R. Hildebrandt, "Simplifying and Isolating
Failure-Inducing Input", 2002).  Most steps of a random walk have nothing to do with the violation.  No single step of
the result can be left out; the result need not be a shortest run of the model.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from attrs import define, field

from checker.backends.interpreter.interpreter import Raw
from checker.replay.disagreement import Disagreement
from checker.replay.replay import Replay
from checker.replay.traced import Shown

SECONDS = 10.0
"""The time limit, because the interpreter is slow; steps that were not tried before the limit stay in the run."""


def shortened(replay: Replay, path: Sequence[Raw], shown: Shown) -> tuple[Raw, ...]:
    """The states of a shorter run with the same finding, or of this one."""
    return _Shortening(replay, shown, tuple(path), time.perf_counter() + SECONDS).run()


@define
class _Shortening:
    replay: Replay
    shown: Shown
    path: tuple[Raw, ...]
    deadline: float
    labels: list[tuple[str, Any, Any]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.labels = [(step.action.name, step.arguments, step.events) for step in self.replay.steps(self.path)]

    def run(self) -> tuple[Raw, ...]:
        size = max(1, len(self.labels) // 2)
        while self.labels and size and time.perf_counter() < self.deadline:
            if not self._pass(size):
                size //= 2
        return self.path

    def _pass(self, size: int) -> bool:
        """Try to leave out each piece of this size, the last first; return whether one was left out."""
        any_left_out = False
        for start in range(max(0, len(self.labels) - size), -1, -size):
            if time.perf_counter() > self.deadline:
                break
            rest = self.labels[start + size :]
            states = self._run(self.path[: start + 1], rest)
            if states is not None and self._shows(states):
                self.labels, self.path, any_left_out = self.labels[:start] + rest, states, True
        return any_left_out

    def _run(self, begun: Sequence[Raw], labels: Sequence[tuple[str, Any, Any]]) -> tuple[Raw, ...] | None:
        """The states of a run by these steps (action, arguments, events); None if one of them is not possible.

        An action with the same arguments is the same step; among several, the one with the same events if there is one.
        """
        states = list(begun)
        for action, arguments, events in labels:
            steps = self.replay.interpreter.steps(states[-1], action)
            alike = [(s.events, s.after) for s in steps if s.after is not None and s.arguments == arguments]
            if not alike or time.perf_counter() > self.deadline:
                return None
            states.append(next((after for shown, after in alike if shown == events), alike[0][1]))
        return tuple(states)

    def _shows(self, states: Sequence[Raw]) -> bool:
        try:
            self.replay.confirm(states, self.shown)
        except Disagreement:
            return False
        return True
