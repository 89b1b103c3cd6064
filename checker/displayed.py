"""What a value looks like in a notebook: IPython asks an object for HTML and SVG by the names of two methods.

Results and traces are plain data and know nothing of how they are drawn; whoever can draw a class registers how.
Where nobody has, the methods return None, and IPython shows the `repr`.
"""

from __future__ import annotations

from collections.abc import Callable
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
