"""A bound on `while` loops of models that Python executes: more than 10,000 rounds are a model error, as in compiled
code.

Python has no such bound, and an infinite loop would prevent a check from ending.  A method with a `while` therefore
gets new code when the first object of its model is made: compiled from the same text, with a counter at the head of
each loop's body, on the line of the `while`.  Tracing the lines instead (`sys.settrace`) made all methods of a model
more than twice as slow, not the loops alone.

Where it stops: methods whose file cannot be read keep their code.  A debugger stops twice at the line of a `while` in
each round.
"""

from __future__ import annotations
import __future__

import ast
import linecache
from collections.abc import Iterator
from copy import copy
from types import CodeType, FunctionType
from typing import Any
from weakref import WeakSet

from checker.ir.domain import ROUNDS
from checker.language.errors import ModelError
from checker.language.places import PARTS, statements, tree

COUNTED = b"\x00the count of rounds"
"""The node in the syntax tree that stands for `Count`, which no text can name."""
FUTURE = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)


class Count:
    """`Count()[n]` is n + 1; ModelError beyond the bound.  An index, so that the names that a method uses stay as they
    are."""

    def __getitem__(self, done: int) -> int:
        if done >= ROUNDS:
            raise ModelError(f"more than {ROUNDS} rounds")
        return done + 1


_bounded: WeakSet[type] = WeakSet()
_seen: WeakSet[FunctionType] = WeakSet()


def bound_rounds(model: type) -> None:
    """Bound the methods of a model and of its properties, also those that an edit overrides and may call."""
    if model in _bounded:
        return
    _bounded.add(model)
    files: dict[str, list[FunctionType]] = {}
    for cls in (model, *getattr(model, "properties", ())):
        for f in (f for base in cls.__mro__ for f in vars(base).values() if isinstance(f, FunctionType)):
            if f not in _seen:
                _seen.add(f)
                files.setdefault(f.__code__.co_filename, []).append(f)
    for file, functions in files.items():
        _count(file, functions)


def _count(file: str, functions: list[FunctionType]) -> None:
    """Count the rounds of the loops in these functions of a file."""
    lines = linecache.getlines(file)
    if not any(line.lstrip().startswith("while") for line in lines):
        return  # most files have none, and need not be parsed for it
    parsed = tree(file)
    looping = [] if parsed is None else list(_looping(parsed.body))
    if not looping:
        return
    flags = functions[0].__code__.co_flags & FUTURE
    codes = _codes(compile(ast.Module(looping, []), file, "exec", flags, dont_inherit=True))
    found = {(code.co_name, code.co_firstlineno): code for code in codes if _loops(code)}
    for function in functions:
        old = function.__code__
        code = found.get((old.co_name, old.co_firstlineno))
        if code is not None and _names(code) == _names(old):
            function.__code__ = _with_count(code)


def _names(code: CodeType) -> tuple[Any, ...]:
    """A key that is equal for two versions of one method."""
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount], code.co_freevars


def _looping(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that contain a `while` loop, with counters; of a class only the methods that contain one."""
    for part in body:
        if not any(isinstance(inner, ast.While) for inner in (part, *statements(part))):
            continue
        if isinstance(part, ast.ClassDef):
            rest = copy(part)
            rest.body, rest.bases, rest.keywords, rest.decorator_list = list(_looping(part.body)), [], [], []
            yield rest
        else:
            yield from _counted(part)


def _counted(node: Any) -> list[Any]:
    """A statement, or a part of one, with counters for the rounds of its loops.  The tree itself is not changed."""
    result = copy(node)
    for name in PARTS:
        if hasattr(node, name):
            setattr(result, name, [new for inner in getattr(node, name) for new in _counted(inner)])
    if not isinstance(node, ast.While):
        return [result]
    name = f"the rounds of line {node.lineno}"  # a name that no variable of a model can have
    more = ast.Subscript(ast.Constant(COUNTED), ast.Name(name, ast.Load()), ast.Load())
    begin, go_on = (ast.Assign([ast.Name(name, ast.Store())], value) for value in (ast.Constant(0), more))
    for part in (*ast.walk(begin), *ast.walk(go_on)):
        vars(part).update(lineno=node.lineno, end_lineno=node.lineno, col_offset=node.col_offset)
        vars(part).update(end_col_offset=node.col_offset)
    result.body.insert(0, go_on)
    return [begin, result]


def _inner(code: CodeType) -> Iterator[CodeType]:
    return (inner for inner in code.co_consts if isinstance(inner, CodeType))


def _codes(code: CodeType) -> Iterator[CodeType]:
    """The code objects inside this one."""
    for inner in _inner(code):
        yield inner
        yield from _codes(inner)


def _loops(code: CodeType) -> bool:
    """Whether a loop is counted in this code, or in a function inside it."""
    return COUNTED in code.co_consts or any(map(_loops, _inner(code)))


def _with_count(code: CodeType) -> CodeType:
    """The code with `Count` in place of its stand-in, also in functions inside it."""
    consts = (
        _with_count(c) if isinstance(c, CodeType) else Count() if isinstance(c, bytes) and c == COUNTED else c
        for c in code.co_consts
    )
    return code.replace(co_consts=tuple(consts))
