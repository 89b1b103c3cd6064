"""What a value looks like in a notebook: IPython asks an object for HTML and SVG by the names of two methods.  It asks
a class too if what it finds there is a bound method.

Results and traces are plain data and know nothing of how they are drawn; whoever can draw a class registers how.
Where nobody has, the methods return None, and IPython shows the `repr`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MethodType
from typing import Any

html: dict[type, Callable[[Any], str | None]] = {}
svg: dict[type, Callable[[Any], str | None]] = {}


class Displayed:
    """A value that notebooks can show."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        return html[type(self)](self) if type(self) in html else None

    def _repr_svg_(self) -> str | None:
        return svg[type(self)](self) if type(self) in svg else None


class OfBoth:
    """A method of a class and of its objects: called on a class, it is given the class."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def __get__(self, instance: Any, owner: type) -> MethodType:
        return MethodType(self._function, owner if instance is None else instance)


def escaped(text: str) -> str:
    """A text as HTML; the library is loaded by the first text, since every model file loads this module."""
    from html import escape

    return escape(text)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in HTML: headings, and cells that are HTML already; "" without rows."""
    heading = "".join(f'<th style="text-align: left">{escaped(cell)}</th>' for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{heading}</tr></thead><tbody>{body}</tbody></table>" if rows else ""
