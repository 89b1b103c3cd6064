"""The results of checking one file for an editor, as data that one process writes and another reads."""

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
    """A problem at a line; code: the kind of problem.  file: absolute."""

    file: str
    line: int
    severity: str
    text: str
    code: str = ""
    fixes: tuple[Fix, ...] = ()


@frozen
class Known:
    """A model class: the texts about it, and about each name in it; about a parameter under `action.parameter`."""

    name: str
    text: str
    names: dict[str, str] = field(factory=dict)


@frozen
class Answer:
    """The texts about a file, or about some classes of it."""

    problems: tuple[Problem, ...] = ()
    classes: tuple[Known, ...] = ()

    def known(self, name: str) -> Known | None:
        """The class of that name."""
        return next((c for c in self.classes if c.name == name), None)

    def joined(self, other: Answer) -> Answer:
        """The union of this answer and of another check of the file, without repetitions."""
        problems = dict.fromkeys((*self.problems, *other.problems))
        return Answer(tuple(problems), (*self.classes, *other.classes))

    def written(self) -> str:
        """As JSON on one line."""
        return json.dumps(asdict(self))

    @classmethod
    def read(cls, text: str) -> Answer:
        """Read the output of `written`."""
        data = json.loads(text)
        problems = (Problem(**{**p, "fixes": tuple(map(_fix, p["fixes"]))}) for p in data["problems"])
        return cls(tuple(problems), tuple(Known(**known) for known in data["classes"]))


def _fix(data: dict[str, Any]) -> Fix:
    edits = (Edit(tuple(e["first"]), tuple(e["last"]), e["old"], e["new"]) for e in data["edits"])  # type: ignore[arg-type]
    return Fix(data["title"], tuple(edits))
