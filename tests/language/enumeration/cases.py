"""All cases in their order.  A case's number is its place; it is stable as long as the tables are."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

from attrs import frozen

from tests.language.enumeration.aliasing import grid, parameters
from tests.language.enumeration.expressions import BINARY, NARROW, UNARY
from tests.language.enumeration.operands import OPERANDS, PARTNERS
from tests.language.enumeration.statements import CHANGED, MATCHES, PATTERNS, SUBJECTS, VALUED

EXPRESSION, STATEMENTS = "expression", "statements"


@frozen
class Case:
    """One thing to try: an expression whose value is put into the state, or statements.

    `family`: the table it comes from; `construct`, `kind`: its row and the kind of its operand; `position`: where it stands in a model.
    """

    family: str
    construct: str
    kind: str
    position: str
    before: tuple[str, ...] = ()
    expression: str = ""
    lines: tuple[str, ...] = ()
    body: tuple[str, ...] = ()  # of the procedure or rule that is called, CALLED

    @property
    def text(self) -> str:
        """The case in a line."""
        return f"[{self.position}] " + "; ".join((*self.before, *([self.expression] if self.expression else []), *self.lines, *(["def CALLED(self, x):", *self.body] if self.body else [])))


def filled(construct: str, x: str, y: str = "") -> str:
    """A construct with its operands; X and Y stand alone, not in names."""
    if x.lstrip("-").isdecimal() and "X." in construct:
        x = f"({x})"
    return "".join(x if c == "X" else y if c == "Y" else c for c in construct)


def unary() -> Iterator[Case]:
    """Each construct with one hole, with each operand, in an action; every fourth in an invariant too."""
    for row, construct in enumerate(UNARY):
        for column, operand in enumerate(OPERANDS):
            for position in ("action", "invariant") if (row + column) % 4 == 0 else ("action",):
                yield Case("unary", construct, operand.kind, position, operand.before, filled(construct, operand.text))


def binary() -> Iterator[Case]:
    """Each operator with each operand on each side of a partner of each kind."""
    for construct in BINARY:
        partners = PARTNERS[:1] if construct in NARROW else PARTNERS
        for operand in OPERANDS:
            for partner in partners:
                yield Case("binary", construct, f"{operand.kind} . {kind_of(partner)}", "action", operand.before, filled(construct, operand.text, partner))
                if operand.text not in PARTNERS:
                    yield Case("binary", construct, f"{kind_of(partner)} . {operand.kind}", "action", operand.before, filled(construct, partner, operand.text))


@cache
def kind_of(text: str) -> str:
    """The kind of a partner."""
    return next((o.kind for o in OPERANDS if o.text == text), "?")


def statements() -> Iterator[Case]:
    """Each statement with each operand in the place of its value, and each change of each operand."""
    for construct in VALUED:
        for operand in OPERANDS:
            yield Case("statement", construct, operand.kind, "action", operand.before, lines=tuple(filled(construct, operand.text).split("\n")))
    for construct in CHANGED:
        for operand in OPERANDS:
            named = (f"t = {operand.text}", construct.replace("T", "t"), "self.outb = bool(t)")
            yield Case("change", construct, operand.kind, "action", operand.before, lines=named)
            if operand.target:
                read = "self.outb = bool(k)" if operand.before else "pass"
                yield Case("change", construct, operand.kind, "action", operand.before, lines=(construct.replace("T", operand.text), read))
    for template in MATCHES:
        for pattern in filter(partial(_is_python, template), PATTERNS):
            for subject in SUBJECTS:
                text = template.replace("PATTERN", pattern).replace("SUBJECT", subject)
                yield Case("match", pattern, kind_of(subject), "action", lines=tuple(text.split("\n")))


def _is_python(template: str, pattern: str) -> bool:
    """Whether a pattern can stand there: one that matches everything must be the last."""
    try:
        compile(template.replace("PATTERN", pattern).replace("SUBJECT", "x"), "pattern", "exec")
    except SyntaxError:
        return False
    return True


def aliases() -> Iterator[Case]:
    """Names for collections: taken, then one changed, then both read; in one method and between a procedure and its caller."""
    for kind, way, lines in grid():
        yield Case("alias", way, kind, "action", lines=lines)
    for kind, body, caller in parameters():
        yield Case("parameter", caller[-2], kind, "procedure", lines=caller, body=body)


@cache
def cases() -> tuple[Case, ...]:
    """All of them, each text once."""
    every = {(case.position, case.text): case for case in (*unary(), *binary(), *statements(), *aliases())}
    return tuple(every.values())
