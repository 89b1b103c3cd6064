"""What statements and expressions of a model read and contain, through the methods that they call."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence

from checker.language.definition import Definition
from checker.language.places import function_node


def reads(node: ast.stmt, definition: Definition) -> bool:
    """Whether a rule, a guard or the test of an `if` reads the state, or calls a rule that does."""
    return reads_state([node.test if isinstance(node, ast.If | ast.While) else node], definition)


def reads_state(nodes: Sequence[ast.AST], definition: Definition) -> bool:
    """Whether statements or expressions read the state, or call a method that does."""
    variables = {v.name for v in definition.variables}
    return reaches(nodes, lambda n: isinstance(n, ast.Attribute) and n.attr in variables, nodes_of(definition))


def nodes_of(definition: Definition) -> dict[str, ast.FunctionDef]:
    """The methods of a model by name, as they are written."""
    found = {name: function_node(method.function) for name, method in definition.methods.items()}
    return {name: node for name, node in found.items() if node is not None}


def reaches(
    nodes: Sequence[ast.AST], wanted: Callable[[ast.AST], bool], methods: Mapping[str, ast.FunctionDef]
) -> bool:
    """Whether statements, or the methods of the model that they call, contain a wanted one."""
    waiting, seen = list[ast.AST](nodes), set[str]()
    while waiting:
        for node in ast.walk(waiting.pop()):
            if wanted(node):
                return True
            match node:
                case ast.Call(ast.Attribute(ast.Name() | ast.Call(), name)) if name in methods and name not in seen:
                    seen.add(name)  # self.f() or super().f(); self.net.multicast() is no method of the model
                    waiting.append(methods[name])
    return False
