"""The source of the method that decides the CAUSE, in the edit and in the protocol before it.

It is the method that contains the line of the CAUSE.  If only the other version has it, that version is shown alone.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterator

from checker.language.model import Model
from checker.language.places import of_function
from checker.replay.cited import cited, defined_at
from checker.trace.trace import Trace


def edited_sources(trace: Trace, edit: type[Model], base: type[Model]) -> tuple[tuple[str, str], ...]:
    """A heading and the source of each version of the method; nothing if the CAUSE names no line of a method."""
    places = [step.rule for step in trace.steps if step.cause]
    if trace.cause and trace.contrast is not None:
        places += [trace.contrast.place, trace.contrast.former]
    for file, line in filter(None, places):
        name = next((n for n in dir(edit) if _is_around(edit, n, file, line)), None)
        if name is not None:
            return tuple(_versions(name, edit, base))
    return ()


def _is_around(model: type[Model], name: str, file: str, line: int) -> bool:
    """Whether a method contains a line."""
    function = inspect.getattr_static(model, name, None)
    if not inspect.isfunction(function) or not f"/{function.__code__.co_filename}".endswith(f"/{file}"):
        return False
    first = of_function(function).line
    return first <= line < first + len(_source(function).partition("def ")[2].splitlines())


def _versions(name: str, edit: type[Model], base: type[Model]) -> Iterator[tuple[str, str]]:
    seen = []
    for when, model in (("", edit), (" before the edit", base)):
        function = inspect.getattr_static(model, name, None)
        if inspect.isfunction(function) and function not in seen:
            seen.append(function)
            yield f"{name} of {model.__name__}{when}{cited(defined_at(function))}", _source(function)


def _source(function: object) -> str:
    return textwrap.dedent(inspect.getsource(function))  # type: ignore[arg-type]
