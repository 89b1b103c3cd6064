"""A model in a notebook: tables of its constants, variables, actions and properties.

A class shows the types of its variables, a model object its constants and the values of its state.  A class that the
language refuses shows the message.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from checker.displayed import escaped, table
from checker.language.constants import written
from checker.language.define import constants_of, define
from checker.language.definition import Definition
from checker.language.errors import UsageError
from checker.language.model import Model, supplied
from checker.wording import first_paragraph

Rows = list[tuple[str, str]]


@supplied
def model_html(model: type[Model] | Model) -> str | None:
    """HTML of a model class or a model object; None for the language's own base classes."""
    cls = model if isinstance(model, type) else type(model)
    if cls.__module__.startswith("checker.language."):
        return None
    head = f"<p><b>{escaped(cls.__name__)}</b> {escaped(first_paragraph(cls.__doc__))}</p>"
    try:
        parts = _parts(cls, model.definition if isinstance(model, cls) else define(cls), _values(model))
    except UsageError as error:
        return f"{head}<pre>{escaped(str(error))}</pre>"
    return head + "".join(table((heading, ""), _escaped(rows)) for heading, rows in parts)


def _parts(cls: type[Model], definition: Definition, values: dict[str, Any]) -> Iterator[tuple[str, Rows]]:
    """The tables with their headings."""
    from checker.ir.show import type as type_text

    constants = constants_of(cls)
    yield "constants", [(n, f"{written(definition.constants[n])}  {c.meaning}") for n, c in constants.items()]
    yield (
        "variables",
        [(v.name, repr(values[v.name]) if values else type_text(v.domain.ir)) for v in definition.variables],
    )
    yield "actions", [(a.name, first_paragraph(getattr(a.function, "__doc__", None))) for a in definition.actions]
    yield "properties", [(p.name, p.kind) for p in definition.properties]


def _values(model: type[Model] | Model) -> dict[str, Any]:
    """The values of a model object's variables, which are not changed; none for a class, and none for a model without
    an initial state.
    """
    if isinstance(model, type) or not all(v.name in model.storage for v in model.definition.variables):
        return {}
    variables = zip(model.definition.variables, model.raw_state())
    return {v.name: v.domain.from_raw(raw) for v, raw in variables}


def _escaped(rows: Sequence[tuple[str, str]]) -> list[tuple[str, ...]]:
    return [tuple(map(escaped, row)) for row in rows]
