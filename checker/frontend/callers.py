"""The callers of the method that contains a refused fragment.  A parameter without annotation has the type of its
argument.  A wrong type may therefore come from the call, whose line the message names.

If a refused fragment names no such parameter, and no local of a method that has one, it is wrong in every call.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from checker.frontend.source import Source
from checker.frozen import frozen
from checker.language.definition import MethodDefinition


@frozen(eq=False)
class Call:
    """A call of a method that is being lowered; given: the types of the arguments, as text."""

    caller: Source
    node: ast.AST
    callee: Source
    given: Mapping[str, str]  # of parameters without annotation

    @classmethod
    def of(
        cls, caller: Source, node: ast.AST, method: MethodDefinition, callee: Source, given: Mapping[str, str]
    ) -> Call:
        """A call, with the types of all its arguments."""
        annotated = {n for n, domain in method.parameters if domain is not None}
        return cls(caller, node, callee, {n: type for n, type in given.items() if n not in annotated})


def where_called(calls: Sequence[Call], source: Source, node: ast.AST) -> str:
    """The calls, the innermost first, whose arguments determine the types in a refused fragment; empty if there is no
    such call.
    """
    return "".join(f", where {text}" for text in _deciding(calls, source, node))


def _deciding(calls: Sequence[Call], source: Source, node: ast.AST) -> Iterator[str]:
    for call in reversed(calls):
        if call.callee.function is not source.function:
            return
        named = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        local = named & source.assigned - set(call.given)
        given = {n: type for n, type in call.given.items() if local or n in named}
        if not given:
            return
        types = " and ".join(f"{n}: {type}" for n, type in given.items())
        place = f"{call.caller.file}:{getattr(call.node, 'lineno', 0)}"
        yield f"{call.caller.node.name} calls {source.node.name} with {types} ({place})"
        source, node = call.caller, call.node
