"""Type-checks a lowered model: every node's operands have the types that its description promises.

Back ends rely on this and check nothing.  A failure is an error of the front end, never of the model.
"""

from __future__ import annotations

from checker.ir import expressions as e
from checker.ir import model as m
from checker.ir import show
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.domain import enumerable
from checker.ir.validate_expressions import BOOL, Expressions, Invalid, Names, like


def validate(model: m.Model) -> None:
    """Check a whole model; raises Invalid."""
    variables = {v.name: v.type for v in model.variables}
    functions = {f.name: f for f in model.functions}
    for f in model.functions:
        _Checker(f.name, variables, functions, f.result).body({p.name: p.type for p in f.parameters + f.locals}, f.body)
    for a in (model.initial, *model.actions, *(model.symmetry.generators if model.symmetry else ())):
        checker = _Checker(a.name, variables, functions, None)
        for p in a.parameters:
            checker.holds(enumerable(p.type), f"parameter {p.name} cannot be enumerated")
        names = {p.name: p.type for p in a.parameters + a.locals}
        checker.body(names, a.body)
        for part in a.received:
            checker.expression(names, part)
    for name in (*(name for p in model.properties for name in p.predicates), *model.constraints):
        if name not in functions or functions[name].parameters or functions[name].result != BOOL:
            raise Invalid(f"{name} is no predicate")


class _Checker(Expressions):
    """The rules of statements."""

    def body(self, names: Names, body: tuple[s.Statement, ...]) -> None:
        for statement in body:
            self.statement(names, statement)

    def statement(self, names: Names, node: s.Statement) -> None:
        match node:
            case s.Assign(_, target, value):
                self.place(names, target)
                self.has(names, value, target.type)
            case (
                s.SetAdd()
                | s.SetRemove()
                | s.SeqAppend()
                | s.SeqInsert()
                | s.SeqRemoveAt()
                | s.BagAdd()
                | s.BagRemove()
            ):
                self.change(names, node)
            case s.If(_, condition, then, other):
                self.has(names, condition, BOOL)
                self.body(names, then)
                self.body(names, other)
            case s.For(_, local, iterable, body):
                self.binds(names, local, iterable)
                self.body(names, body)
            case s.Choose(_, local, iterable):
                self.binds(names, local, iterable)
            case s.While(_, condition, body):
                self.has(names, condition, BOOL)
                self.body(names, body)
            case s.Block(_, _, body):
                self.body(names, body)
            case s.Require(_, condition) | s.Assert(_, condition, _):
                self.has(names, condition, BOOL)
            case s.Return(_, value):
                self.holds(self.result is not None, "return in an action")
                assert self.result is not None
                self.has(names, value, self.result)

    def change(self, names: Names, node: s.Statement) -> None:
        match node:
            case s.SetAdd(_, target, item) | s.SetRemove(_, target, item, _):
                self.place(names, target)
                self.holds(isinstance(target.type, t.Set), f"{show.expression(target)} is no set")
            case s.BagAdd(_, target, item) | s.BagRemove(_, target, item, _, _):
                self.place(names, target)
                self.holds(isinstance(target.type, t.Bag), f"{show.expression(target)} is no bag")
            case s.SeqAppend(_, target, item) | s.SeqInsert(_, target, _, item):
                self.place(names, target)
                self.holds(isinstance(target.type, t.Seq), f"{show.expression(target)} is no sequence")
            case s.SeqRemoveAt(_, target, index):
                self.place(names, target)
                self.number(names, index)
                return
            case _:
                self.wrong("unknown statement")
        if isinstance(node, s.SeqInsert):
            self.number(names, node.index)
        self.has(names, item, self.item(target))

    def place(self, names: Names, node: e.Expression) -> None:
        root = node
        while isinstance(root, e.Index | e.Field | e.VariantField | e.Unwrap):
            root = root.base if isinstance(root, e.Index | e.Field) else root.value
        is_place = isinstance(root, e.Local) or isinstance(root, e.Variable) and not root.before
        self.holds(is_place, f"{show.expression(node)} is no place")
        if isinstance(root, e.Variable):
            self.holds(self.result is None, f"{show.expression(node)} is changed in a function")
        self.expression(names, node)


__all__ = ["Invalid", "like", "validate"]
