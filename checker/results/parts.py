"""The parts of the source that a change touches, in the modeller's terms."""

from __future__ import annotations

from checker.frozen import frozen

EXPECTED = "expectation"
"""The kind of a part that states a verdict: changing it changes no model."""

RENAMED = "renamed"
"""The kind of a part that replaces names alone; its name has the former and the new ones."""

MOVED = "moved"
"""The kind of a part that is a file with another name or in another folder; its name has both places."""

CHANGED, REMOVED, NEW = "changed", "removed", "new"
"""What else can happen to a part."""

LISTING, HEAD = "list of properties", "bases"
UNNAMED = (EXPECTED, LISTING, HEAD)
WORDS = {
    "receive": "handler",
    "step": "step invariant",
    "quiescence": "quiescence property",
    "reachable": "reachability property",
    "initial": "initial states",
}


@frozen
class Part:
    """A part of the source that a change touches.

    kind: rule, action, receive (a handler), invariant, property, declaration, expectation, function, model, file, ...;
    `owner`: the class whose body contains it, "" outside of classes.  `file`: relative to the root of the repository.
    `gone`: of a removed part the line that it had; its `line` is that of the class.  `changed`: the first line in it
    that differs, 0 if unknown. `values`: for a name with a new value both values, as written, if they are short.
    `diff`: of a changed method the lines that differ, as `- old` and `+ new`.  `members`: of a class that is no
    model and no property the members that differ.
    """

    kind: str
    name: str
    owner: str
    file: str
    line: int
    new: bool = False
    changed: int = 0
    values: tuple[str, str] | None = None
    diff: tuple[str, ...] = ()
    gone: int = 0
    members: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Its name in words: rule stands_before of SToTo; value TERM (2 → 3)."""
        if self.kind in (RENAMED, MOVED):
            return f"{self.kind}: {self.name}"
        of = f" of {self.owner}" if self.owner and self.owner != self.name else ""
        name = "" if self.kind in UNNAMED else f" {self.name}"
        values = f" ({' → '.join(self.values)})" if self.values else ""
        return f"{'new ' if self.new else ''}{WORDS.get(self.kind, self.kind)}{name}{of}{values}"

    @property
    def place(self) -> str:
        """FILE:LINE of the first line that differs; of a removed part, of the line that it had."""
        return f"{self.file}:{self.gone or self.changed or self.line}"

    @property
    def fate(self) -> str:
        """What happened to it."""
        if self.kind in (RENAMED, MOVED):
            return self.kind
        return REMOVED if self.gone else NEW if self.new else CHANGED

    @property
    def told(self) -> str:
        """What happened to it, with its line."""
        if self.fate == REMOVED:
            return f"{self.text} removed (was {self.place})"
        return f"{self.text}{' changed' * (self.fate == CHANGED)} ({self.place})"
