"""What to write instead where two types do not match: the usual mistake for each pair of types, with the names of the
model.

A remedy is a guess at the intention; the message before it states the error.
"""

from __future__ import annotations

import ast

from checker.frontend import lattice
from checker.ir import types as t
from checker.wording import write_instead

USES = {
    "choose": "One collection or type: choose(self.Process), choose({1, 2}).",
    "require": "One condition: require(a and b).",
    "any": "One generator: any(p in self.done for p in self.Process).",
    "all": "One generator: all(p in self.done for p in self.Process).",
    "len": "One collection: len(self.done).",
    "sum": "One generator: sum(self.votes[p] for p in self.Process).",
}


def use(call: ast.Call) -> str:
    """The remedy for a call with a wrong number of arguments."""
    match call.func:
        case ast.Name(name) | ast.Attribute(attr=name):
            return USES.get(name, "Section 9 of docs/language.md shows how it is written.")
    return ""


def to_fit(source: t.Type, target: t.Type, node: ast.AST) -> str:
    """The remedy for a value of a wrong type."""
    text = _text(node)
    match source, target:
        case t.Map(key, value), _ if lattice.join(value, target) is not None:
            return f"Take the value at one key: {text}[k], with k of type {key}."
        case _, t.Map(key, value) if lattice.join(source, value) is not None:
            return f"Assign the value at one key, x[k] = {text}, or at every key: {_everywhere(key, text)}."
        case t.Seq(), t.Set():
            return "Write set(...)."
        case t.Set(), t.Seq():
            return "Write sorted(...) or list(...)."
        case _, t.Set(item) | t.Bag(item, _, _) if lattice.join(source, item) is not None:
            return f"Write {{{text}}} for the set with this one item, or .add({text}) to put it in."
        case _, t.Seq(item, _, _) if lattice.join(source, item) is not None:
            return f"Write [{text}] for the sequence with this one item, or .append({text}) to put it in."
        case t.Bool(), t.Int():
            return "Write 1 if ... else 0."
        case t.Int(), t.Bool():
            if isinstance(node, ast.Constant):
                return write_instead(str(bool(node.value)))
            return "Write a comparison, such as x != 0."
        case t.Int(), t.Ids(name, _, symmetric) if not symmetric:
            return f"Write self.{name}[i] for the member at place i, or loop over self.{name} itself."
        case t.Set() | t.Seq() | t.Bag(), t.Int():
            return f"Write len({text})."
        case _, t.Union(_, variants):
            return f"Construct a variant: {', '.join(v.name for v in variants)}."
        case _:
            return f"A value of type {target} is needed here."


def to_compare(left: t.Type, right: t.Type) -> str:
    """The remedy for a comparison of two types."""
    for one, other in ((left, right), (right, left)):
        match one, other:
            case t.Set() | t.Seq() | t.Bag(), t.Int():
                return "Write len(...) for the number of items."
            case t.Ids(name, _, symmetric), t.Int() if not symmetric:
                return f"Write self.{name}[0] for the first member, or .index for the number of one."
            case t.Record(), _ if fields := [n for n, of in one.fields if lattice.join(of, other) and n.isidentifier()]:
                return f"Compare a field: x.{fields[0]}."
            case t.Map(_, value), _ if lattice.join(value, other) is not None:
                return "Take the value at one key: x[k]."
            case t.Set(item), _ if lattice.join(item, other) is not None:
                return "Write `in`, or {x} for the set with this one item."
            case t.Seq(), t.Set():
                return "Write set(...) around the sequence."
    return "Compare values of one type."


def to_compute(left: t.Type, right: t.Type, op: str) -> str:
    """The remedy for an operator that the types do not support."""
    match left, right:
        case t.Map(), _:
            return f"Take the value at one key: x[k] {op} y."
        case t.Set(), t.Set() if op == "+":
            return "Write | for the union."
        case t.Set(item), _ if lattice.join(item, right) is not None:
            return "Write {x} for the set with this one item; .add(x) puts it in."
        case t.Set(), t.Int():
            return "A set changes by .add(x) and .remove(x); len(s) is the number of its items."
        case t.Seq(item, _, _), _ if lattice.join(item, right) is not None:
            return "Write [x] for the sequence with this one item; .append(x) puts it in."
        case (t.Set(), _) | (_, t.Set()):
            return "Write set(...) around the other operand."
        case _:
            return "Operators are for numbers, sets and + for sequences."


def as_condition(node: ast.expr, parent: ast.AST | None) -> str:
    """The remedy for a condition that has no truth value."""
    if isinstance(parent, ast.BoolOp):
        compared = [v for v in parent.values if isinstance(v, ast.Compare) and isinstance(v.ops[0], ast.Eq)]
        if compared:
            both = f"{_text(compared[0].comparators[0])}, {_text(node)}"
            return f"Write {_text(compared[0].left)} in ({both}): each side of `or` is a condition of its own."
    return "Write a comparison."


def _text(node: ast.AST) -> str:
    return ast.unparse(node) if isinstance(node, ast.expr) else "x"


def _everywhere(key: t.Type, text: str) -> str:
    """The text of a map with the same value at every key."""
    match key:
        case t.Bool():
            return f"{{False: {text}, True: {text}}}"
        case t.Int(lo, hi):
            return f"{{k: {text} for k in range({f'{lo}, ' if lo else ''}{hi + 1})}}"
        case t.Enum(name):
            return f"{{k: {text} for k in {name}}}"
        case _:
            return f"{{k: {text} for k in self.{key}}}"


PYTHONS = {
    "next": "The first of several that fits: x = min(... for ...), or choose(...) any one.",
    "iter": "Loop over the collection itself: for x in xs.",
    "breakpoint": "Step through a method by hand: python -m pdb a file that calls it on a model object; `checker step` "
    "shows every state.",
    "input": "What may vary is chosen: x = choose(...).",
    "map": "Write a comprehension: [f(x) for x in xs].",
    "filter": "Write a comprehension: [x for x in xs if c].",
    "open": "A step is atomic, and reads and writes nothing.",
    "hash": "Compare the values themselves.",
    "id": "Compare the values themselves.",
    "round": "Numbers are integers: write x // y.",
    "pow": "Write products: x * x.",
    "divmod": "Write x // y and x % y.",
    "str": "Use an Enum, or emit an event with the values.",
    "repr": "Use an Enum, or emit an event with the values.",
    "float": "Numbers are integers: scale them.",
    "setattr": "Assign the variable: self.x = v.",
    "getattr": "Read the variable: self.x.",
    "hasattr": "A model has the variables that it declares, always.",
    "type": "Write isinstance(x, self.Wire.Data), or match on it.",
    "callable": "Methods are called by name: self.rule(x).",
    "vars": "Read the variables by name: self.x.",
    "dir": "Read the variables by name: self.x.",
    "globals": "Read the variables by name: self.x.",
    "locals": "Read the locals by name.",
    "eval": "Write the expression itself.",
    "exec": "Write the statements themselves.",
    "compile": "Write the statements themselves.",
    "slice": "Write x[i:j].",
    "object": "Use an Enum, a Record or Ids for what has only a name.",
    "chr": "Use an Enum.",
    "ord": "Use an Enum, or .index of an identity.",
    "bytes": "Use a Seq of numbers.",
    "bytearray": "Use a Seq of numbers.",
    "complex": "Numbers are integers.",
    "format": "Use an Enum, or emit an event with the values.",
}
"""Remedies for functions of Python that methods do not support."""


def of_python(value: object) -> str:
    """The remedy for a function of Python; empty if the name is no such function."""
    return (
        PYTHONS.get(
            getattr(value, "__name__", ""), "See section 9 of docs/language.md for the functions that methods may use."
        )
        if getattr(value, "__module__", "") == "builtins"
        else ""
    )


INSTEAD = {
    "union": "Write a | b.",
    "intersection": "Write a & b.",
    "difference": "Write a - b.",
    "symmetric_difference": "Write a ^ b.",
    "issubset": "Write a <= b.",
    "issuperset": "Write a >= b.",
    "isdisjoint": "Write not a & b.",
    "copy": "Write set(...) or list(...).",
    "keys": "Iterate over the key type.",
    "values": "Write x[k] for k in the key type.",
    "items": "Write x[k] for k in the key type.",
    "get": "A map has a value at every key: write x[k].",
    "popleft": "Write .pop(0).",
    "appendleft": "Write .insert(0, x).",
    "extend": "Write +=.",
    "size": "Write len(...).",
    "empty": "Write len(...) == 0.",
    "contains": "Write `in`.",
    "put": "Write .append(x).",
    "push": "Write .append(x).",
}
"""Remedies for methods that no collection has."""
