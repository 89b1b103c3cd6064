"""What the check of one file gives an editor, as data that one process writes and another reads."""

from __future__ import annotations

import json
from typing import Any

from attrs import asdict, field

from checker.editor.remedies import Fix
from checker.editor.source import Edit
from checker.frozen import frozen

ERROR, WARNING = "error", "warning"


@frozen
class Problem:
    """Something wrong at a line; code: what it is about.  file: absolute."""

    file: str
    line: int
    severity: str
    text: str
    code: str = ""
    fixes: tuple[Fix, ...] = ()


@frozen
class Known:
    """A model class: what is said of it, and of each name in it; of a parameter under `action.parameter`."""

    name: str
    text: str
    names: dict[str, str] = field(factory=dict)


@frozen
class Answer:
    """What is said about a file, or about some classes of it."""

    problems: tuple[Problem, ...] = ()
    classes: tuple[Known, ...] = ()

    def known(self, name: str) -> Known | None:
        """The class of that name."""
        return next((c for c in self.classes if c.name == name), None)

    def joined(self, other: Answer) -> Answer:
        """This and what another check of the file gave; what both say is said once."""
        problems = dict.fromkeys((*self.problems, *other.problems))
        return Answer(tuple(problems), (*self.classes, *other.classes))

    def written(self) -> str:
        """As JSON on one line."""
        return json.dumps(asdict(self))

    @classmethod
    def read(cls, text: str) -> Answer:
        """What `written` gave."""
        data = json.loads(text)
        problems = (Problem(**{**p, "fixes": tuple(map(_fix, p["fixes"]))}) for p in data["problems"])
        return cls(tuple(problems), tuple(Known(**known) for known in data["classes"]))


def _fix(data: dict[str, Any]) -> Fix:
    edits = (Edit(tuple(e["first"]), tuple(e["last"]), e["old"], e["new"]) for e in data["edits"])  # type: ignore[arg-type]
    return Fix(data["title"], tuple(edits))
