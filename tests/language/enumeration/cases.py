"""All cases in their order.  A case's number is its place; it is stable as long as the tables are."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from functools import cache, partial

from tests.language.enumeration.aliasing import grid, parameters
from tests.language.enumeration.case import Case, Key, filled
from tests.language.enumeration.expressions import BINARY, NARROW, PLAIN, UNARY
from tests.language.enumeration.networks import gathered, networked
from tests.language.enumeration.operands import OPERANDS, PARTNERS
from tests.language.enumeration.positions import EXPRESSIONS
from tests.language.enumeration.statements import CHANGED, MATCHES, PATTERNS, SUBJECTS, VALUED
from tests.language.enumeration.table import tabled


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
                yield Case(
                    "binary",
                    construct,
                    f"{operand.kind} . {kind_of(partner)}",
                    "action",
                    operand.before,
                    filled(construct, operand.text, partner),
                )
                if operand.text not in PARTNERS:
                    yield Case(
                        "binary",
                        construct,
                        f"{kind_of(partner)} . {operand.kind}",
                        "action",
                        operand.before,
                        filled(construct, partner, operand.text),
                    )


@cache
def kind_of(text: str) -> str:
    """The kind of a partner."""
    return next((o.kind for o in OPERANDS if o.text == text), "?")


def statements() -> Iterator[Case]:
    """Each statement with each operand in the place of its value, and each change of each operand."""
    for construct in VALUED:
        for operand in OPERANDS:
            yield Case(
                "statement",
                construct,
                operand.kind,
                "action",
                operand.before,
                lines=tuple(filled(construct, operand.text).split("\n")),
            )
    for construct in CHANGED:
        for operand in OPERANDS:
            named = (f"t = {operand.text}", construct.replace("T", "t"), "self.outb = bool(t)")
            yield Case("change", construct, operand.kind, "action", operand.before, lines=named)
            if operand.target:
                read = "self.outb = bool(k)" if operand.before else "pass"
                yield Case(
                    "change",
                    construct,
                    operand.kind,
                    "action",
                    operand.before,
                    lines=(construct.replace("T", operand.text), read),
                )
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
    """Names for collections: taken, then one changed, then both read; in one method and between a procedure and its
    caller."""
    for kind, way, lines in grid():
        yield Case("alias", way, kind, "action", lines=lines)
    for kind, body, caller in parameters():
        yield Case("parameter", caller[-2], kind, "procedure", lines=caller, body=body)


def positions() -> Iterator[Case]:
    """In each position: expressions of each kind of value, and each construct with some operands, others in each
    position."""
    for place, position in enumerate(EXPRESSIONS):
        for expression in PLAIN:
            yield Case("position", expression, "", position, expression=expression)
        for row, construct in enumerate(UNARY):
            for k in range(3):
                operand = OPERANDS[(7 * row + 5 * place + 41 * k) % len(OPERANDS)]
                yield Case(
                    "position", construct, operand.kind, position, operand.before, filled(construct, operand.text)
                )
    for position in ("argument of a rule", "argument of a procedure"):
        for row, construct in enumerate(UNARY):
            for operand in OPERANDS[row % 3 :: 3]:
                yield Case(
                    "argument",
                    construct,
                    operand.kind,
                    position,
                    operand.before,
                    filled(construct, "x"),
                    argument=operand.text,
                )


def edits() -> Iterator[Case]:
    """Each expression and statement in a method that an edit overrides and calls by super(), and in the one that
    overrides it."""
    for place, position in enumerate(("original rule", "edited rule", "original procedure", "edited procedure")):
        for expression in PLAIN:
            yield Case("edit", expression, "", position, expression=expression)
        for row, construct in enumerate(UNARY):
            operand = OPERANDS[(11 * row + 37 * place) % len(OPERANDS)]
            yield Case("edit", construct, operand.kind, position, operand.before, filled(construct, operand.text))
    for place, position in enumerate(("original procedure", "edited procedure")):
        for row, construct in enumerate(VALUED):
            operand = OPERANDS[(11 * row + 37 * place) % len(OPERANDS)]
            lines = tuple(filled(construct, operand.text).split("\n"))
            yield Case("edit", construct, operand.kind, position, operand.before, lines=lines)
        changeable = [o for o in OPERANDS if o.target and not o.before]
        for row, construct in enumerate(CHANGED):
            operand = changeable[(11 * row + 5 * place) % len(changeable)]
            yield Case("edit", construct, operand.kind, position, lines=(construct.replace("T", operand.text),))


@cache
def cases() -> tuple[Case, ...]:
    """All of them, each text once."""
    return tuple(keyed().values())


@cache
def keyed() -> dict[Key, Case]:
    """All of them by what no other has.  They stay to the end: no collection of garbage looks at them again."""
    every = {
        case.key: case
        for case in (
            *unary(),
            *binary(),
            *statements(),
            *aliases(),
            *positions(),
            *networked(),
            *(case for _, _, case in tabled()),
            *edits(),
            *gathered(),
        )
    }
    gc.freeze()
    return every
