"""Attribute an error in a method of the base to the edit whose override causes it.

A base that is accepted by itself calls its rules with fitting arguments.  If an edit overrides a rule with other
parameters, or returns another type, the first wrong expression is in the base, which the author of the edit may never
have read.  The error is moved to the override and names the call, and the base's method for comparison.  The same holds
for a variable or a type that an edit declares again.  Where it stops: an override is found by its name in the refused
line; if the line names several, the one whose declaration differs from the base is reported.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from attrs import evolve

from checker.frontend.refusal import Refused
from checker.frontend.source import Source, source
from checker.frozen import frozen
from checker.language.definition import Definition
from checker.language.errors import shown
from checker.language.places import Place, is_own, of_attribute, of_function
from checker.language.signatures import parameters_of


@frozen
class Override:
    """The declaration of an edit that replaces one of a base.  edit, base: their signatures, or the assigned texts."""

    name: str
    edit: str
    place: Place
    base: str
    former: Place
    owner: type
    former_owner: type

    @property
    def differs(self) -> bool:
        """Whether the parameters, or the annotated types, differ."""
        return self.edit != self.base

    @property
    def keep(self) -> str:
        """The parts of the declaration that the edit should leave unchanged."""
        method = self.base.startswith(f"{self.name}(")
        return "the parameters in their order, with their types and the type of the result" if method else "its type"

    @property
    def compared(self) -> str:
        """The base's declaration and its place."""
        return f"{self.former_owner.__name__} has {self.base} ({shown(self.former.file)}:{self.former.line})"


def at_the_edit(definition: Definition, refused: Refused) -> Refused:
    """A refusal, moved to the override that causes it if it is in a method of a base or a property; if the override has
    other parameters, the message names the parameters of the base.
    """
    within = _containing(definition, refused)
    if within is None:
        return refused
    cls, text = within
    own = _override(definition.model, text.node.name)
    if own is not None and own.owner is cls:
        moved = _names(own.owner, own.name) != _names(own.former_owner, own.name)
        by_position = f"{own.compared}: arguments are given by position." if moved else ""
        return evolve(refused, remedy="\n  ".join(filter(None, [refused.remedy, by_position])))
    overridden = [o for o in map(partial(_override, definition.model), _named(text, refused)) if o is not None]
    guilty = [o for o in overridden if o.owner is not cls and (cls is None or issubclass(o.owner, cls))]
    if not guilty:
        return refused
    one = next((o for o in guilty if o.differs), guilty[0])
    user = f"{text.node.name} of {cls.__name__}" if cls is not None else f"the property {text.node.name}"
    call = f"used at {refused.file}:{refused.line}: {refused.fragment}"
    return Refused(
        f"{one.edit} does not fit its use in {user}: {refused.message}",
        one.place.file,
        one.place.line,
        f"{one.compared}, {call}\n  Keep {one.keep}; or override {text.node.name} too.",
        one.place.fragment,
    )


def exchanged(definition: Definition) -> list[Refused]:
    """Overrides that have the names of the base's parameters in another order.  Arguments are passed by position, so a
    parameter of the edit would get the argument for another parameter of the base; only the fields of a message are
    passed by name.
    """
    fields = {a.name: 2 for a in definition.actions if a.variant is not None}
    found = []
    for name in dict.fromkeys(n for c in definition.model.__mro__ if not is_own(c.__module__) for n in vars(c)):
        own = _override(definition.model, name)
        if own is None:
            continue
        mine, former = (_names(c, name)[: fields.get(name)] for c in (own.owner, own.former_owner))
        if mine != former and sorted(mine) == sorted(former):
            what = f"{own.edit} has the parameters of the base in another order, and arguments are given by position"
            remedy = f"{own.compared}. Write them in that order, or give them names of their own."
            found.append(Refused(what, own.place.file, own.place.line, remedy, own.place.fragment))
    return found


def _override(model: type, name: str) -> Override | None:
    """The declaration of that name, if it replaces one of a base other than the language's own."""
    versions = [c for c in model.__mro__ if name in vars(c) and not is_own(c.__module__)]
    if len(versions) < 2:
        return None
    (edit, place), (base, former) = (_declared(c, name) for c in versions[:2])
    if place is None or former is None:
        return None
    return Override(name, edit, place, base, former, versions[0], versions[1])


def _declared(cls: type, name: str) -> tuple[str, Place | None]:
    """The text of a declaration; a method without self and its body."""
    value, place = vars(cls)[name], of_attribute(cls, name)
    if not inspect.isfunction(value):
        return place.fragment.partition("  #")[0] if place is not None else name, place
    try:
        node = source(value).node
    except Refused:
        return name, None
    result = f" -> {ast.unparse(node.returns)}" if node.returns is not None else ""
    return f"{name}({', '.join(ast.unparse(a) for a in node.args.args[1:])}){result}", of_function(value)


def _names(cls: type, name: str) -> list[str]:
    method = vars(cls)[name]
    return parameters_of(method) if inspect.isfunction(method) else []


def _containing(definition: Definition, refused: Refused) -> tuple[type | None, Source] | None:
    """The method that contains a refusal, with its class; None for the class of a property."""
    for cls, function in _functions(definition):
        try:
            text = source(function)
        except Refused:
            continue
        if refused.file in (text.file, shown(text.filename)) and text.node.lineno <= (refused.line or 0) <= (
            text.node.end_lineno or 0
        ):
            return cls, text
    return None


def _functions(definition: Definition) -> Iterator[tuple[type | None, Callable[..., Any]]]:
    yield from ((c, f) for c in definition.model.__mro__ for f in vars(c).values() if inspect.isfunction(f))
    yield from ((None, f) for p in definition.properties for f in (p.function, p.when) if f is not None)
    yield from ((None, m.function) for m in definition.methods.values() if m.owner is not None)


def _named(text: Source, refused: Refused) -> Iterable[str]:
    """The attributes that the expressions at the line of a refusal name, in the order of the text."""
    at_line = [n for n in ast.walk(text.node) if getattr(n, "lineno", 0) == refused.line and isinstance(n, ast.expr)]
    return dict.fromkeys(n.attr for node in at_line for n in ast.walk(node) if isinstance(n, ast.Attribute))
