"""What the rounds of lowering a body learn: information about locals that only grows, and who has used it.

A body is lowered in rounds, because a statement may use the type of a local that a later statement makes larger. The
result of a round depends on the information that it uses. If none of it has grown after its use, another round uses the
same information, does the same, and learns nothing: a value that is added again changes nothing, because information
only grows. Such a round is therefore the last one, without another that confirms it. The opposite case is called
outgrown: a round has used what was not final.

A use is each read of a key, also of a key without a value. Iteration uses all keys. `peek` is no use: it is for adding
to a value, whose result is the same in another round whatever part of it was known before.

Where it stops: only information in these tables is followed. Other information of a round must be equal at the
beginning of each round, or a name that the first request decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from attrs import define, field

K = TypeVar("K")
V = TypeVar("V")


@define(eq=False)
class Learned(Mapping[K, V]):
    """A table of information.  outgrown: whether a value has changed after its use in this round."""

    outgrown: bool = False
    _known: dict[K, V] = field(factory=dict)
    _used: set[K] = field(factory=set)
    _whole: bool = False  # all keys are used, with and without values

    def begin(self) -> None:
        """Begin a round: nothing is used."""
        self.outgrown = self._whole = False
        self._used.clear()

    def put(self, key: K, value: V) -> None:
        """Replace the value of a key by one that contains it, or give it the first."""
        if key in self._known and self._known[key] == value:
            return
        self.outgrown |= self._whole or key in self._used
        self._known[key] = value

    def peek(self, key: K, default: V) -> V:
        """The value to which something is added; this is no use."""
        return self._known.get(key, default)

    def settle(self, change: Callable[[V], V]) -> None:
        """Replace all values when the rounds have ended."""
        self._known = {key: change(value) for key, value in self._known.items()}

    def __getitem__(self, key: K) -> V:
        self._used.add(key)
        return self._known[key]

    def __contains__(self, key: object) -> bool:
        self._used.add(key)  # type: ignore[arg-type]
        return key in self._known

    def __iter__(self) -> Iterator[K]:
        self._whole = True
        return iter(self._known)

    def __len__(self) -> int:
        self._whole = True
        return len(self._known)
