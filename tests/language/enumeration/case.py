"""A case: one thing to try."""

from __future__ import annotations

from attrs import frozen

Key = tuple[str, str, str]


@frozen
class Case:
    """One thing to try: an expression whose value is put into the state, or statements.

    `family`: the table it comes from; `construct`, `kind`: its row and the kind of its operand; `position`: where it
    stands in a model.
    """

    family: str
    construct: str
    kind: str
    position: str
    before: tuple[str, ...] = ()
    expression: str = ""
    lines: tuple[str, ...] = ()
    argument: str = ""  # of the rule or procedure in which the expression is evaluated, where it is called x
    body: tuple[str, ...] = ()  # of the procedure or rule that is called, CALLED

    setting: str = ""  # of a model with networks: calm, faulty, chained

    @property
    def key(self) -> Key:
        """What no other case has."""
        return self.position, self.setting, self.text

    @property
    def text(self) -> str:
        """The case in a line."""
        return f"[{self.position}{', ' + self.setting if self.setting else ''}] " + "; ".join(
            (
                *self.before,
                *([f"x = {self.argument}"] if self.argument else []),
                *([self.expression] if self.expression else []),
                *self.lines,
                *(["def CALLED(self, x):", *self.body] if self.body else []),
            )
        )


def filled(construct: str, x: str, y: str = "") -> str:
    """A construct with its operands; X and Y stand alone, not in names."""
    if x.lstrip("-").isdecimal() and "X." in construct:
        x = f"({x})"
    return "".join(x if c == "X" else y if c == "Y" else c for c in construct)
