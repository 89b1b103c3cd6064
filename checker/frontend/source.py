"""From a Python function to its syntax tree, with the line numbers of its file.

Where it stops: functions without source (built at run time, or typed into a plain Python prompt) cannot be lowered.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable
from functools import cached_property
from typing import Any

from checker.frontend.refusal import Refused
from checker.frozen import frozen
from checker.language.errors import shown
from checker.language.places import function_node, statement_line

PREDICATE = "<predicate "
"""The prefix of the names of files with predicates from outside a model (`checker find`)."""


@frozen(eq=False, slots=False)
class Source:
    """A method's syntax tree, its file, and the names it sees."""

    function: Callable[..., Any]
    node: ast.FunctionDef
    file: str

    def fragment(self, node: ast.AST) -> str:
        """The first line of the text of a node."""
        first = getattr(node, "lineno", 0)
        last = getattr(node, "end_lineno", first)
        if first == last:
            line = linecache.getline(self.filename, first).encode()
            return line[getattr(node, "col_offset", 0) : getattr(node, "end_col_offset", None)].decode().strip()
        return linecache.getline(self.filename, first).strip()

    def condition(self, node: ast.expr) -> str:
        """The text of a condition in one line."""
        return self.fragment(node) if node.lineno == node.end_lineno else ast.unparse(node)

    def refused(self, node: ast.AST, reason: str, remedy: str = "") -> Refused:
        """The refusal of a part of the method."""
        return Refused(reason, self.file, getattr(node, "lineno", self.node.lineno), remedy, self.fragment(node))

    @property
    def filename(self) -> str:
        """The path under which the function was compiled."""
        return self.function.__code__.co_filename

    @property
    def parameters(self) -> tuple[ast.arg, ...]:
        """The parameters after self."""
        return tuple(self.node.args.args[1:])

    @cached_property
    def assigned(self) -> frozenset[str]:
        """Names that the function assigns or loops over."""
        names = (n for n in ast.walk(self.node) if isinstance(n, ast.Name))
        return frozenset(n.id for n in names if isinstance(n.ctx, ast.Store))

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The parent of each node."""
        return {child: node for node in ast.walk(self.node) for child in ast.iter_child_nodes(node)}

    def outer(self, name: str) -> Any:
        """The meaning of a name outside the function: closure, module, builtins.  Raises KeyError if the name has no
        meaning.
        """
        free = self.function.__code__.co_freevars
        if name in free and self.function.__closure__:
            return self.function.__closure__[free.index(name)].cell_contents
        if name in self.function.__globals__:
            return self.function.__globals__[name]
        builtins = self.function.__globals__.get("__builtins__")
        return (builtins if isinstance(builtins, dict) else vars(builtins))[name]


def line_of(node: ast.AST) -> int:
    """The line at which an error in a node is reported: the first line of its statement, as in the interpreter."""
    return getattr(node, "statement_line", getattr(node, "lineno", 0))


_sources: dict[Any, Source] = {}


def source(function: Callable[..., Any]) -> Source:
    """The source of a method; raises Refused if there is none."""
    code = function.__code__
    if code in _sources and _sources[code].function is function:
        return _sources[code]
    node = function_node(function)
    if node is None:
        remedy = "Write models in a file; restart if the file was edited since it was imported."
        what = f"the source of {function.__qualname__} cannot be found"
        raise Refused(what, code.co_filename, code.co_firstlineno, remedy)
    _note_statements(node, code.co_filename)
    _sources[code] = Source(function, node, shown(code.co_filename) or code.co_filename)
    return _sources[code]


def _note_statements(method: ast.FunctionDef, filename: str) -> None:
    lines: dict[int, int] = {}
    for node in ast.walk(method):
        if isinstance(node, ast.expr | ast.pattern):
            if node.lineno not in lines:
                lines[node.lineno] = statement_line(filename, node.lineno)
            setattr(node, "statement_line", lines[node.lineno])  # noqa: B010
