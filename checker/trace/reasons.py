"""Why something did not happen: a sentence, with what a report needs to choose among several."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

KINDS = ("", "disabled", "rule", "idle", "lost", "crash")
"""A step that a guard disables, a rule that keeps its value, no message in flight, one that was lost, a crash.  "":
another reason, or one of a trace of an earlier version."""


class Reason(str):
    """A sentence, with its kind.

    steps: the numbers of the steps that it names; about: the call of a rule, the step that a guard disables, the
    process that crashed, or a process ("": all) and its handlers without a message; placed: whether it names a line of
    source; since: the part of the sentence that says since when it is so.
    """

    kind: str
    steps: tuple[int, ...]
    about: tuple[str, ...]
    placed: bool
    since: str

    def __new__(
        cls,
        text: str,
        kind: str = "",
        steps: Sequence[int] = (),
        about: Sequence[str] = (),
        placed: bool = False,
        since: str = "",
    ) -> Reason:
        """Only the text is printed and compared."""
        if kind not in KINDS:
            raise ValueError(f"unknown kind of reason {kind!r}: expected one of {', '.join(KINDS[1:])}")
        reason = super().__new__(cls, text)
        reason.kind, reason.steps, reason.about, reason.placed = kind, tuple(steps), tuple(about), placed
        reason.since = since
        return reason

    def worded(self, text: str, since: str = "") -> Reason:
        """The same reason in other words."""
        return Reason(text, self.kind, self.steps, self.about, self.placed, since)

    def continued(self, more: Reason) -> Reason:
        """The reason with another one that continues its sentence, and with the steps that this names."""
        return Reason(f"{self}; {more}", self.kind, (*self.steps, *more.steps), self.about, self.placed, str(more))


def reasons(texts: Iterable[str]) -> tuple[Reason, ...]:
    """Reasons; a mere text is one of which nothing else is known."""
    return tuple(text if isinstance(text, Reason) else Reason(text) for text in texts)
