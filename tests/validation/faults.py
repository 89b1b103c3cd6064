"""Faults of a front end or back end, made on purpose: each changes the lowered model of `jobs` as a compiler with a
defect would.

They are made behind the front end, in what every compiled engine and every formula is made from, so no test here
depends on a defect that somebody might mend.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve

from checker.ir import expressions as e
from checker.ir import model as m
from checker.ir import statements as s
from checker.ir import types as t

Fault = Callable[[m.Model], m.Model]
BOOL = t.Bool()


def in_action(name: str, change: Callable[[tuple[s.Statement, ...]], tuple[s.Statement, ...]]) -> Fault:
    """A fault in the body of an action."""

    def fault(model: m.Model) -> m.Model:
        before = next(a for a in model.actions if a.name == name)
        after = evolve(before, body=change(before.body))
        assert after != before, f"the fault changes nothing in {before.body}"
        return evolve(model, actions=tuple(after if a is before else a for a in model.actions))

    return fault


def without_guard(body: tuple[s.Statement, ...]) -> tuple[s.Statement, ...]:
    """The first guard of an action is dropped."""
    first = next(x for x in body if isinstance(x, s.Require))
    return tuple(x for x in body if x is not first)


def other_constant(body: tuple[s.Statement, ...]) -> tuple[s.Statement, ...]:
    """An assignment gives a constant."""
    return tuple(
        evolve(x, value=e.Const(t.Int(0, 9), 1))
        if isinstance(x, s.Assign) and isinstance(x.target, e.Variable) and x.target.name == "done"
        else x
        for x in body
    )


def branches_swapped(body: tuple[s.Statement, ...]) -> tuple[s.Statement, ...]:
    """Then for else."""
    return tuple(evolve(x, then=x.other, other=x.then) if isinstance(x, s.If) else x for x in body)


def failing(body: tuple[s.Statement, ...]) -> tuple[s.Statement, ...]:
    """An error that Python does not raise."""
    return (*body, s.Fail(1, "made up"))


def forgotten(body: tuple[s.Statement, ...]) -> tuple[s.Statement, ...]:
    """A statement is lost."""
    return tuple(x for x in body if not isinstance(x, s.SetRemove))


def property_is(name: str, value: int) -> Fault:
    """A property is true, or false, whatever the state."""

    def fault(model: m.Model) -> m.Model:
        function = next(p.function for p in model.properties if p.name == name)
        return evolve(
            model,
            functions=tuple(
                evolve(f, body=(s.Return(0, e.Const(BOOL, value)),)) if f.name == function else f
                for f in model.functions
            ),
        )

    return fault


def function_is(name: str, value: int) -> Fault:
    """A rule or constraint is true, or false, whatever the state."""

    def fault(model: m.Model) -> m.Model:
        assert any(f.name.split("#")[0] == name for f in model.functions)
        return evolve(
            model,
            functions=tuple(
                evolve(f, body=(s.Return(0, e.Const(BOOL, value)),)) if f.name.split("#")[0] == name else f
                for f in model.functions
            ),
        )

    return fault


def predicate_is(when: bool, value: int) -> Fault:
    """A predicate of a leads-to property is true, or false, whatever the state."""

    def fault(model: m.Model) -> m.Model:
        names = {pair[0 if when else 1] for p in model.properties for pair in p.each}
        return evolve(
            model,
            functions=tuple(
                evolve(f, body=(s.Return(0, e.Const(BOOL, value)),)) if f.name in names else f for f in model.functions
            ),
        )

    return fault


def start_dropped(model: m.Model) -> m.Model:
    """One of two initial states is lost."""
    urgent = s.Require(0, e.Variable(BOOL, "urgent"))
    return evolve(model, initial=evolve(model.initial, body=(*model.initial.body, urgent)))


def start_changed(model: m.Model) -> m.Model:
    """A variable starts with another value."""
    return evolve(
        model,
        initial=evolve(
            model.initial,
            body=(*model.initial.body, s.Assign(0, e.Variable(t.Int(0, 9), "done"), e.Const(t.Int(0, 9), 1))),
        ),
    )


def reordered(model: m.Model) -> m.Model:
    """Successors in another order."""
    return evolve(model, actions=tuple(reversed(model.actions)))


def without_constraint(model: m.Model) -> m.Model:
    """A constraint is lost."""
    return evolve(model, constraints=())


def without_action(model: m.Model) -> m.Model:
    """An action is lost."""
    return evolve(model, actions=tuple(a for a in model.actions if a.name != "forget"))


def no_fault(model: m.Model) -> m.Model:
    """A fault of the environment counts as progress."""
    return evolve(model, actions=tuple(evolve(a, fault=False) for a in model.actions))


FAULTS: dict[str, Fault] = {
    "a guard is dropped": in_action("ask", without_guard),
    "a constant is changed": in_action("serve", other_constant),
    "branches are swapped": in_action("serve", branches_swapped),
    "an error is made up": in_action("forget", failing),
    "a statement is lost": in_action("serve", forgotten),
    "an invariant is false": property_is("few", 0),
    "a step invariant is false": property_is("grows", 0),
    "a quiescence property is false": property_is("all_served", 0),
    "a witness is true everywhere": property_is("busy", 1),
    "a witness is true nowhere": property_is("busy", 0),
    "a rule is true": function_is("may_ask", 1),
    "a constraint is false": function_is("in_time", 0),
    "an initial state is dropped": start_dropped,
    "an initial state is changed": start_changed,
    "successors are reordered": reordered,
    "a constraint is lost": without_constraint,
    "an action is lost": without_action,
    "a fault counts as progress": no_fault,
}
