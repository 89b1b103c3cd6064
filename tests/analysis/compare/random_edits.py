"""Random edits of random protocols: a subclass Edit whose methods are those of Base changed at one or two places of
their syntax trees.

What an edit does to the protocol is not known beforehand: some change nothing in meaning (a renamed local, the parts of
an `and` exchanged, a helper taken out), most change something, some make the model wrong as written.  Whoever reads a
comparison judges it by brute force (tests.analysis.compare.brute_force).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random

from tests.analysis.compare.random_protocols import random_protocol

Method = ast.FunctionDef
SWAPPED: dict[type, type] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
}
EXCHANGED = {
    "min": "max",
    "max": "min",
    "any": "all",
    "all": "any",
    "add": "discard",
    "discard": "add",
    "remove": "discard",
}
MARKED = ("Process", "Message", "Small")  # types that an edit must write with the class


def random_edit(random: Random) -> str:
    """The text of a module with a model, Base, and an edit of it, Edit."""
    text = random_protocol(random)
    return text + edit_of(random, text)


def edit_of(random: Random, text: str) -> str:
    """An edit of the Base in this text, as the text of its class."""
    cls = next(n for n in ast.parse(text).body if isinstance(n, ast.ClassDef) and n.name == "Base")
    if random.random() < 0.2:
        body = _declared(random, cls)
    else:
        methods = _some(random, [n for n in cls.body if isinstance(n, Method)], random.choice([1, 1, 2]))
        body = "\n".join(_overridden(random, method) for method in methods)
        if random.random() < 0.08:
            body += _declared(random, cls)
    return f'\n\nclass Edit(Base):\n    """EDIT: at random."""\n\n{body}'


def _some(random: Random, methods: list[Method], count: int) -> list[Method]:
    """Methods to be edited, rules and handlers rather than others."""
    weights = [
        4 if any(ast.unparse(d) == "rule" or "on(" in ast.unparse(d) for d in m.decorator_list) else 1 for m in methods
    ]
    return list({m.name: m for m in random.choices(methods, weights, k=count)}.values())


# What is declared


def _declared(random: Random, cls: ast.ClassDef) -> str:
    """A declaration that the edit makes anew."""
    names = {t.id for n in cls.body if isinstance(n, ast.Assign) for t in n.targets if isinstance(t, ast.Name)}
    handlers = [
        n.name
        for n in cls.body
        if isinstance(n, Method)
        and any("action" in ast.unparse(d) or "on(" in ast.unparse(d) for d in n.decorator_list)
    ]
    options = [
        "level = var(Map[Base.Process, Base.Small], 1)",
        "level = var(Map[Base.Process, Int(0, 3)], 0)",
        "level = var(Map[Base.Process, Base.Small], 0, kept=True)",
        "Small = Int(0, 3)",
        "limit = const(1, '')",
        "half = derived(lambda c: c.limit)",
        "flag = var(Map[Base.Process, Bool], True)",
        "flag = var(Map[Base.Process, Bool], anything)",
        *(f"{name} = None" for name in handlers),
        "extra = var(Bool)",
        "properties = []",
        "outcome = ('level',)",
        "level = var(Map[Base.Process, Int(-1, 2)], 0)",
        "@constraint\n    def within(self) -> bool:\n        return self.level[self.Process[0]] < 2",
        "@invariant\n    def other(self) -> bool:\n        return not self.flag[self.Process[0]]",
        "@initial\n    def start(self):\n        self.level[choose(self.Process)] = 1",
        "@action\n    def more(self, p: Base.Process):\n        require(self.level[p] > 0)\n        self.level[p] -= 1",
    ]
    options += ["queue = var(Seq[Base.Small, 3])"] * ("queue" in names) + [
        "owner = var(Optional[Base.Process], anything)"
    ] * ("owner" in names)
    options += ["color = var(Color, Color.green)", "color = var(Optional[Color], None)"] * ("color" in names) + [
        "budget = var(Int(0, 3), 1)"
    ] * ("budget" in names)
    return f"    {random.choice(options)}\n"


# Methods


def _overridden(random: Random, method: Method) -> str:
    """The method with something changed; decorators and annotations are inherited, but for a few that are repeated or
    changed."""
    for _ in range(random.choice([1, 1, 2])):
        before, tries = ast.dump(method), 0
        while ast.dump(method) == before and tries < 10:  # many a change does not apply
            random.choice(CHANGES)(random, method)
            tries += 1
    keep = random.random() < 0.25
    for argument in method.args.args:
        if argument.annotation is not None:
            text = ast.unparse(argument.annotation)
            if text.startswith("Int") and random.random() < 0.7:
                argument.annotation = (
                    ast.parse(random.choice(["Int(0, 0)", "Int(0, 1)", "Int(1, 2)", text])).body[0].value
                )  # type: ignore[attr-defined]
            else:
                argument.annotation = (
                    ast.parse(f"Base.{text}" if text in MARKED else text).body[0].value if keep else None
                )  # type: ignore[attr-defined]
    if not (keep and all(isinstance(d, ast.Name) for d in method.decorator_list)):
        method.decorator_list = []
    helper = "".join(_indented(h) for h in getattr(method, "helpers", ()))
    return _indented(method) + helper


def _indented(method: Method) -> str:
    lines = ast.unparse(ast.fix_missing_locations(method)).splitlines()
    return "".join(f"    {line}\n" if line else "\n" for line in lines) + "\n"


def _nodes(method: Method, *kinds: type) -> list[ast.AST]:
    return [n for statement in method.body for n in ast.walk(statement) if isinstance(n, kinds)]


def _replaced(method: Method, old: ast.AST, new: ast.AST) -> None:
    class Replacing(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return new if node is old else self.generic_visit(node)

    method.body = [Replacing().visit(s) for s in method.body]


def _operator(random: Random, method: Method) -> None:
    """Another operator: <= for <, or for and, - for +."""
    found = [n for n in _nodes(method, ast.Compare, ast.BoolOp, ast.BinOp, ast.AugAssign)]
    if found:
        node = random.choice(found)
        if isinstance(node, ast.Compare):
            node.ops[0] = SWAPPED[type(node.ops[0])]()  # type: ignore[assignment]
        elif type(node.op) in SWAPPED:  # type: ignore[attr-defined]
            node.op = SWAPPED[type(node.op)]()  # type: ignore[attr-defined]


def _negated(random: Random, method: Method) -> None:
    """A condition negated, or twice."""
    found = [n for n in _nodes(method, ast.Compare, ast.BoolOp)]
    if found:
        node = random.choice(found)
        new = ast.UnaryOp(ast.Not(), node)
        _replaced(method, node, ast.UnaryOp(ast.Not(), new) if random.random() < 0.3 else new)


def _conjunct(random: Random, method: Method) -> None:
    """A part of `and` or `or` left out, repeated, or the parts turned round."""
    found = [n for n in _nodes(method, ast.BoolOp) if isinstance(n, ast.BoolOp)]
    if found:
        node = random.choice(found)
        what = random.randrange(3)
        if what == 0:
            _replaced(method, node, random.choice(node.values))
        elif what == 1:
            node.values = [*node.values, node.values[0]]
        else:
            node.values.reverse()


def _constant(random: Random, method: Method) -> None:
    """Another number, truth value or color."""
    found = [n for n in _nodes(method, ast.Constant) if isinstance(n, ast.Constant) and isinstance(n.value, bool | int)]
    colors = [
        n for n in _nodes(method, ast.Attribute) if isinstance(n, ast.Attribute) and n.attr in ("red", "green", "blue")
    ]
    if colors and random.random() < 0.5:
        random.choice(colors).attr = random.choice(["red", "green", "blue"])
    elif found:
        node = random.choice(found)
        node.value = not node.value if isinstance(node.value, bool) else max(node.value + random.choice([-1, 1]), 0)


def _name(random: Random, method: Method) -> None:
    """A process, message or number in the place of another: a message goes elsewhere."""
    alike = [{"p", "q", "x"}, {"n", "k"}]
    own = {a.arg for a in method.args.args}
    found = [n for n in _nodes(method, ast.Name) if isinstance(n, ast.Name) and any(n.id in names for names in alike)]
    if found:
        node = random.choice(found)
        others = sorted(next(names for names in alike if node.id in names) & own - {node.id})
        other = random.choice([*others, *["self.Process[0]", "self.Process[1]"] * (node.id in "pqx")] or [node.id])
        if isinstance(node.ctx, ast.Load):
            _replaced(method, node, ast.parse(other).body[0].value)  # type: ignore[attr-defined]


def _called(random: Random, method: Method) -> None:
    """max for min, all for any, discard for add; or the arguments of a call turned round."""
    found = [n for n in _nodes(method, ast.Call) if isinstance(n, ast.Call)]
    if found:
        node = random.choice(found)
        if isinstance(node.func, ast.Name) and node.func.id in EXCHANGED:
            node.func.id = EXCHANGED[node.func.id]
        elif isinstance(node.func, ast.Attribute) and node.func.attr in EXCHANGED:
            node.func.attr = EXCHANGED[node.func.attr]
        elif len(node.args) > 1 and random.random() < 0.5:
            node.args.reverse()


def _statement(random: Random, method: Method) -> None:
    """A statement left out, repeated, or exchanged with the next."""
    body = random.choice(list(_bodies(method)))
    place = random.randrange(len(body))
    what = random.randrange(3)
    if what == 0:
        body[place : place + 1] = [] if len(body) > 1 else [ast.Pass()]
    elif what == 1:
        body.insert(place, deepcopy(body[place]))  # a node of its own, which a further change may replace
    elif place + 1 < len(body):
        body[place], body[place + 1] = body[place + 1], body[place]


def _bodies(method: Method) -> Iterator[list[ast.stmt]]:
    yield method.body
    for node in _nodes(method, ast.If, ast.For):
        yield node.body  # type: ignore[attr-defined]
        if node.orelse:  # type: ignore[attr-defined]
            yield node.orelse  # type: ignore[attr-defined]


def _renamed(random: Random, method: Method) -> None:
    """A local with another name: nothing in meaning."""
    names = sorted({n.id for n in _nodes(method, ast.Name) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)})
    if names:
        name = random.choice(names)
        for node in _nodes(method, ast.Name):
            if isinstance(node, ast.Name) and node.id == name:
                node.id = f"{name}_renamed"


def _helper(random: Random, method: Method) -> None:
    """What a function returns, taken out into a helper: nothing in meaning."""
    last = method.body[-1]
    if (
        isinstance(last, ast.Return)
        and last.value is not None
        and not any("invariant" in ast.unparse(d) or "able" in ast.unparse(d) for d in method.decorator_list)
    ):
        names = [a.arg for a in method.args.args]
        helper = ast.parse(f"def {method.name}_inside({', '.join(names)}):\n    return {ast.unparse(last.value)}").body[
            0
        ]
        last.value = ast.parse(f"self.{method.name}_inside({', '.join(names[1:])})").body[0].value  # type: ignore[attr-defined]
        method.helpers = [helper]  # type: ignore[attr-defined]


def _commented(random: Random, method: Method) -> None:
    """A docstring: nothing in meaning."""
    method.body.insert(0, ast.Expr(ast.Constant("In other words.")))


CHANGES: tuple[Callable[[Random, Method], None], ...] = (
    _operator,
    _operator,
    _negated,
    _conjunct,
    _conjunct,
    _constant,
    _constant,
    _name,
    _name,
    _called,
    _statement,
    _statement,
    _renamed,
    _helper,
    _commented,
)
