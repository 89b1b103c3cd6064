"""The state that stands for a state and its permutations, quickly, in raw values: compiled code finds it, and
`checker.ir.canonical`, which defines it, confirms the first ones found.

The definition swaps members one pair at a time in Python and takes milliseconds for a state, so that validation
could afford it for few states only.
"""

from __future__ import annotations

from attrs import define, field

from checker.backends.interpreter.interpreter import Raw
from checker.backends.native.kernel import NativeKernel
from checker.ir.canonical import Canonical
from checker.language.definition import Definition
from checker.replay.disagreement import Disagreement, state_text

CONFIRMED = 24
"""Representatives that are found a second time by their definition."""


@define
class Representatives:
    """Finds the representatives of states."""

    definition: Definition
    kernel: NativeKernel
    canonical: Canonical
    _names: list[str] = field(init=False)
    _confirmed: dict[Raw, None] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self._names = [v.name for v in self.definition.variables]

    def __call__(self, state: Raw) -> Raw:
        """The state that stands for this one.  Disagreement if its definition gives another."""
        row = self.kernel.encode(dict(zip(self._names, state)))
        values = self.kernel.decode(self.kernel.canonical(row.reshape(1, -1))[0])
        found = tuple(values[name] for name in self._names)
        if len(self._confirmed) < CONFIRMED and state not in self._confirmed:
            self._confirmed[state] = None
            if (expected := self.canonical(state)) != found:
                what = "the definition of symmetry and compiled code differ: the state that stands for a state"
                one, two = (state_text(self.definition, x) for x in (expected, found))
                raise Disagreement.of(self.definition, what, state=state, interpreter=one, other=two)
        return found
