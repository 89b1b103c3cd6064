"""What the protocol before an edit does instead of a step of a run, in parts, or that it has the whole run.

Sentences are composed from the parts.  Reports choose among the parts, and read nothing back from a sentence.
"""

from __future__ import annotations

from attrs import field

from checker.frozen import frozen
from checker.trace.events import names

BEFORE = "before the edit"
VERSION = "@"
"""The base of a contrast that is an earlier version of a class which is an edit itself: "the edit" is another one."""
ENDS = ("", "violated", "true", "continues")
"""The property at the end of a run in the protocol before the edit: not known, violated too, true, or this protocol
does not end there."""
MOST_ENABLED = 3


@frozen
class Contrast:
    """The CAUSE: what the edit does, and what the protocol before it does instead.

    subject   the call that is spoken of: of a rule, or of the step; `now` goes on with what is true of it
    base      the class whose protocol is meant by `before`; "" where that is the protocol before the edit, VERSION
    before    what is true there: "it is false (isis.py:91): 1 is not 2"; "" if that is not known
    failure   the message of a step that fails, with its line
    then      what the step leads to there, or that it is not enabled
    place     line of the condition or statement that decides; `former` that before the edit; None if there is none
    instance  of a CAUSE at the end, the step that the edit disables
    """

    now: str = ""
    before: str = ""
    base: str = ""
    subject: str = ""
    failure: str = ""
    then: str = ""
    place: tuple[str, int] | None = None
    former: tuple[str, int] | None = None
    instance: str = ""

    @property
    def edited(self) -> str:
        """What the edit does."""
        return "; ".join(filter(None, (self.failure, f"{self.subject} {self.now}".strip())))

    @property
    def placed(self) -> bool:
        """Whether a line of source is named."""
        return bool(self.place or self.former or self.failure)

    @property
    def text(self) -> str:
        """Everything in one sentence."""
        return "; ".join(filter(None, (beside(self.edited, self.before, self.base), self.then)))


def beside(edited: str, before: str, base: str) -> str:
    """Both protocols in one sentence."""
    return "; ".join(filter(None, (edited, before and f"{where(base)} {before}")))


def where(base: str) -> str:
    """How the protocol before the edit is named in a sentence."""
    return {"": BEFORE, VERSION: "before the change"}.get(base, f"in {base}")


def _check_end(_instance: object, _attribute: object, end: str) -> None:
    if end not in ENDS:
        raise ValueError(f"unknown end of a run {end!r}: expected one of {', '.join(ENDS[1:])}")


@frozen
class SharedRun:
    """The protocol before the edit has the run too.

    base        its class
    in_common   whether only the variables that both have are compared
    end         the property at the end of the run there, one of ENDS; `enabled`: what continues the run there
    version     whether it is an edit's own former version (VERSION)
    """

    base: str
    in_common: bool = False
    end: str = field(validator=_check_end, default="")
    enabled: tuple[str, ...] = field(converter=names, default=())
    version: bool = False

    @property
    def compared(self) -> str:
        """The beginning of a sentence, if not every variable is compared."""
        return "in the variables that both have, " * self.in_common

    def ending(self, property: str) -> str:
        """The rest of a sentence: what is true at the end of the run in that protocol."""
        if self.end == "continues":
            shown = ", ".join(self.enabled[:MOST_ENABLED]) + ", ..." * (len(self.enabled) > MOST_ENABLED)
            return f", which does not end here: {shown} {'is' if len(self.enabled) == 1 else 'are'} enabled"
        return {"violated": ", which breaks the property too", "true": f", where {property} is true at its end"}.get(
            self.end, ""
        )

    def text(self, property: str) -> str:
        """The sentence at the last step of the run."""
        return f"{self.compared}this run is also a run of {self.base}{self.ending(property)}"


def of_version(contrast: Contrast | None, run: SharedRun | None) -> bool:
    """Whether the run of an edit is compared with what the edit was before a change of it."""
    return (contrast is not None and contrast.base == VERSION) or (run is not None and run.version)
