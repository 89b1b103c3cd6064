"""Places in the text of a model file: classes, methods, expectations, words.

Lines count from 1, as Python's do, columns from 0 in characters.  A text that is not Python has no classes.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from attrs import field

from checker.frozen import frozen

Place = tuple[int, int]


@frozen
class Edit:
    """A part of the text, from one place to another, and its replacement; `old` is the present text."""

    first: Place
    last: Place
    old: str
    new: str


@frozen(eq=False)
class Source:
    """The text of a file and its syntax tree."""

    text: str
    lines: tuple[str, ...] = field()
    tree: ast.Module

    @classmethod
    def read(cls, file: Path) -> Source:
        """The text on disk."""
        return cls.of(file.read_text(encoding="utf-8", errors="replace"))

    @classmethod
    def of(cls, text: str) -> Source:
        """A text; without valid syntax it has no classes."""
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            tree = ast.Module([], [])
        return cls(text, tuple(text.splitlines()), tree)

    def class_node(self, name: str) -> ast.ClassDef | None:
        """The definition of a class at the top level of the file, the last of that name."""
        found = [n for n in self.tree.body if isinstance(n, ast.ClassDef) and n.name == name]
        return found[-1] if found else None

    def method(self, cls: str, name: str) -> ast.FunctionDef | None:
        """The definition of a method in a class body, the last of that name."""
        node = self.class_node(cls)
        found = [n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == name] if node else []
        return found[-1] if found else None

    def line_of(self, cls: str, name: str = "") -> int | None:
        """The line of a method in its class, else of the class."""
        node = self.method(cls, name) or self.class_node(cls)
        return None if node is None else node.lineno

    def expectations(self, cls: str) -> list[ast.Call]:
        """The calls in the `expect` of a class, in order; none if one of them is not written as a call."""
        node = self.class_node(cls)
        stated: list[ast.expr] = []
        for statement in node.body if node else ():
            if isinstance(statement, ast.Assign) and [ast.unparse(t) for t in statement.targets] == ["expect"]:
                value = statement.value
                stated = list(value.elts) if isinstance(value, ast.List | ast.Tuple) else [value]
        calls = [call for call in stated if isinstance(call, ast.Call)]
        return calls if len(calls) == len(stated) else []

    def between(self, first: Place, last: Place) -> str:
        """The text from one place up to another."""
        (line, column), (end, stop) = first, last
        if line == end:
            return self.lines[line - 1][column:stop]
        middle = self.lines[line : end - 1]
        rest = self.lines[end - 1][:stop] if end <= len(self.lines) else ""
        return "\n".join([self.lines[line - 1][column:], *middle, rest])

    def replaced(self, first: Place, last: Place, new: str) -> Edit:
        """The replacement of the text between two places."""
        return Edit(first, last, self.between(first, last), new)

    def replaced_node(self, node: ast.expr, new: str) -> Edit:
        """The replacement of an expression on one line."""
        line, end = node.lineno, node.end_col_offset or node.col_offset
        return self.replaced((line, self._column(line, node.col_offset)), (line, self._column(line, end)), new)

    def _column(self, line: int, offset: int) -> int:
        """A column in characters; Python's own are in bytes."""
        return len(self.lines[line - 1].encode()[:offset].decode(errors="replace"))

    def words(self, line: int) -> Iterator[tuple[str, Place, Place]]:
        """The names on a line, each with its first and last column."""
        if 1 <= line <= len(self.lines):
            for found in re.finditer(r"[^\W\d]\w*", self.lines[line - 1]):
                yield found[0], (line, found.start()), (line, found.end())

    def statement(self, line: int) -> range:
        """The lines of the innermost statement that begins on a line; else that line alone."""
        ends = [
            n.end_lineno or n.lineno
            for n in ast.walk(self.tree)
            if isinstance(n, ast.stmt) and n.lineno == line and not hasattr(n, "body")
        ]
        return range(line, max(ends, default=line) + 1)

    def class_at(self, line: int) -> str:
        """The class around a line, by its indentation, so that a file with a syntax error has one too."""
        for text in reversed(self.lines[:line]):
            if found := re.match(r"class\s+(\w+)", text):
                return found[1]
            if re.match(r"[^\s#)\]}'\"]", text):
                return ""
        return ""

    def method_at(self, line: int) -> str:
        """The method around a line, by its indentation."""
        for text in reversed(self.lines[:line]):
            if found := re.match(r"\s+def\s+(\w+)", text):
                return found[1]
            if re.match(r"class\s", text):
                return ""
        return ""
