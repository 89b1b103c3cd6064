"""Every definition of the checker is used by the checker, its models, benchmarks or pages, not by tests alone.

A function, class or constant of a module is used where its module names it outside of its own body, where another
module imports it, or where an attribute of the module has its name.  A method or field is used where any attribute,
keyword or text has its name.  Where it stops: a method is not found if another class has a used one of the same name.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
USERS = ("checker", "benchmarks", "models", "properties", "docs")
CALLED_FROM_OUTSIDE = re.compile(r"__\w+__|visit_\w+|_repr_\w+_|pytest_\w+|on_\w+|do_[A-Z]+")
"""Names that Python, `ast`, notebooks, pytest, servers and the language call."""

OVERRIDES = {
    "checker.cli.arguments.Number._describe_range",
    "checker.cli.commands.Commands.list_commands",
    "checker.cli.commands.Commands.get_command",
    "checker.cli.serving._Handler.log_message",
    "checker.cli.serving._Handler.protocol_version",
    "checker.cli.serving._Handler.send_error",
    "checker.cli.serving._Server.daemon_threads",
    "checker.importing._FromText.get_code",
}
"""Methods and fields that click, `http.server` and `importlib` use."""
Definition = ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign


@cache
def trees() -> dict[str, ast.Module]:
    """The files that use the checker, by their names without the suffix."""
    files = [file for folder in USERS for file in sorted((ROOT / folder).rglob("*.py"))]
    own = [f for f in files if f.relative_to(ROOT).parts[:2] not in (("checker", "models"), ("checker", "properties"))]
    return {".".join(f.relative_to(ROOT).with_suffix("").parts): ast.parse(f.read_text(encoding="utf-8")) for f in own}


def names(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The names that are read, the attributes and keywords, and the words of short texts."""
    for node in nodes:
        match node:
            case ast.Name(name, ast.Load()) | ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
                yield name
            case ast.Constant(str(text)) if len(text) < 200:
                yield from re.findall(r"\w+", text)
            case ast.MatchClass(kwd_attrs=found):
                yield from found


def defined(body: Iterable[ast.stmt]) -> Iterator[tuple[str, Definition]]:
    """The names that statements of a module or class define.  What a decorator registers is used."""
    for node in body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                if isinstance(node, ast.ClassDef) or not any(map(_registers, node.decorator_list)):
                    yield name, node
            case ast.Assign(targets=[ast.Name(name)]) | ast.AnnAssign(target=ast.Name(name)):
                yield name, node


def _registers(decorator: ast.expr) -> bool:
    """Whether a decorator makes its function known: one that is called, or a default or validator of attrs."""
    return isinstance(decorator, ast.Call) or getattr(decorator, "attr", "") in ("default", "validator")


def unused(modules: dict[str, ast.Module]) -> Iterator[str]:
    """The definitions that nothing uses."""
    imported = {
        f"{node.module}.{alias.name}"
        for tree in modules.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    read = {name: list(names(ast.walk(tree))) for name, tree in modules.items()}
    everywhere = {name for found in read.values() for name in found}
    texts = {n.value for t in modules.values() for n in ast.walk(t) if isinstance(n, ast.Constant)}
    attributes = {n.attr for tree in modules.values() for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
    for module, tree in modules.items():
        if not module.startswith("checker."):
            continue
        for name, node in defined(tree.body):
            own = list(names(ast.walk(node)))
            here = read[module].count(name) > own.count(name)
            elsewhere = name in attributes or f"{module}.{name}" in imported or {module, name} <= texts
            if not (here or elsewhere or CALLED_FROM_OUTSIDE.fullmatch(name)):
                yield f"{module}.{name}"
            if isinstance(node, ast.ClassDef):
                inside = ((n, d) for n, d in defined(node.body) if not CALLED_FROM_OUTSIDE.fullmatch(n))
                yield from (f"{module}.{name}.{n}" for n, _ in inside if n not in everywhere)


@pytest.mark.thorough
def test_nothing_is_defined_for_nothing() -> None:
    """A name of the list that is gone, or is used, is an error too."""
    assert set(unused(trees())) == OVERRIDES


def test_what_nothing_uses_is_found() -> None:
    """Also what calls only itself, and a method; what a text and a module name is used, as in a table of reports."""
    modules = {
        "checker.one": ast.parse("def f():\n f()\ndef g(): pass\nclass C:\n def m(self): pass\nC()"),
        "checker.two": ast.parse("from checker.one import g\nX = 1\nT = ('checker.three', 'made')\ng(T)"),
        "checker.three": ast.parse("def made(): pass\ndef visit_Name(self, node): pass"),
    }
    assert set(unused(modules)) == {"checker.one.f", "checker.one.C.m", "checker.two.X"}
