"""How a value is displayed: `print` shows the text that the command prints, `repr` one line, a notebook HTML or SVG,
which IPython requests by the names of two methods.  IPython calls them on a class too if it finds bound methods there.

Results and traces are plain data without display code: `checker.api` registers the functions here.  Without them
`print` shows the `repr`, and the two methods return None, so that IPython shows the `repr` too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MethodType
from typing import Any

text: list[Callable[[Any], str]] = []
"""The function that makes the text of every class; empty until it is registered."""
html: dict[type, Callable[[Any], str | None]] = {}
svg: dict[type, Callable[[Any], str | None]] = {}


class Displayed:
    """A value that can be displayed.  A class defines `heading`; with `repr=False` its `repr` is that line."""

    __slots__ = ()

    def heading(self) -> str:
        """What the value is about, in a few words."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.heading()}>"

    def __str__(self) -> str:
        return text[-1](self) if text else repr(self)

    def _repr_html_(self) -> str | None:
        """HTML of its own, else the text."""
        if type(self) in html:
            return html[type(self)](self)
        return f"<pre>{escaped(str(self))}</pre>" if text else None

    def _repr_svg_(self) -> str | None:
        return svg[type(self)](self) if type(self) in svg else None


class OfBoth:
    """A method of a class and of its objects: called on a class, it gets the class."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def __get__(self, instance: Any, owner: type) -> MethodType:
        return MethodType(self._function, owner if instance is None else instance)


def escaped(text: str) -> str:
    """A text as HTML; its library is loaded on first use, because every model file loads this module."""
    from html import escape

    return escape(text)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in HTML: headings, and cells that are HTML already; "" without rows."""
    heading = "".join(f'<th style="text-align: left">{escaped(cell)}</th>' for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{heading}</tr></thead><tbody>{body}</tbody></table>" if rows else ""
