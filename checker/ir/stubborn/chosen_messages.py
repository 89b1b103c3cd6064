"""The message that may be lost or duplicated, chosen in the initial states instead of bounded by a budget.

A budget that all losses share makes all messages in flight dependent.  With a budget of one, a run loses or duplicates
at most one message, and this message is of one *kind* (`checker.ir.footprints.instances`).  The initial states
therefore choose a kind: one message of this kind may be lost once, or never, and no other message.  The runs are the
same, each with the kind of its lost message, or with every kind if no message is lost; a loss of another kind is never
enabled (docs: reduction.md).

Where it stops: budgets of two or more, or two kinds of budgets; queues; symmetric models, because a kind names
processes; models that change the counter of the budget themselves, and those with more kinds than `MOST_KINDS`.
"""

from __future__ import annotations

from attrs import evolve

from checker.ir import build
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.facts import root, written
from checker.ir.footprints.crashing import MAY_FAIL
from checker.ir.footprints.instances import Instances, Kind
from checker.ir.model import Action, Model, Parameter, StateVariable
from checker.ir.stubborn.labels import of_kind
from checker.ir.visit import walk

MOST_KINDS = 64


def choosing_messages(model: Model) -> Model | None:
    """The model whose initial states choose the kind of message that may be lost or duplicated; None if that is
    impossible.  Raises TooMany.
    """
    found = {a.name: counter.name for a in model.actions if (counter := _counter(a)) is not None}
    counters = set(found.values())
    if len(counters) != 1 or model.symmetry is not None or _changed_elsewhere(model, counters):
        return None
    model = evolve(model, actions=tuple(a if _counter(a) is None else _message_first(a) for a in model.actions))
    kinds = tuple(Instances.of(model).kinds)
    if not 1 < len(kinds) <= MOST_KINDS:
        return None
    number = t.Int(0, len(kinds) - 1)
    chosen, may_fail = e.Local(number, MAY_FAIL), e.Variable(t.Set(number), MAY_FAIL)
    start = model.initial
    choice = (s.Choose(0, chosen, build.everything(number)), s.SetAdd(0, may_fail, chosen))
    local = Parameter(MAY_FAIL, number)
    return evolve(
        model,
        variables=(*model.variables, StateVariable(MAY_FAIL, may_fail.type)),
        initial=evolve(start, body=(*start.body, *choice), locals=(*start.locals, local)),
        actions=tuple(_of_chosen(a, kinds, may_fail) if a.name in found else a for a in model.actions),
    )


def _counter(action: Action) -> e.Variable | None:
    """The counter of an action that loses or duplicates a message at most once, and does nothing else."""
    match action.body:
        case (
            s.Require(_, e.Compare(_, "<", e.Variable() as counter, e.Const(_, 1))),
            s.Choose(_, message, e.Variable() as network),
            s.BagRemove(_, changed, given, _, False) | s.BagAdd(_, changed, given),
            s.Assign(_, assigned, _),
        ) if action.fault and message == given and network == changed and assigned == counter:
            return counter
    return None


def _changed_elsewhere(model: Model, counters: set[str]) -> bool:
    """Whether anything but these actions, and the start, changes a counter."""
    others = [a for a in model.actions if _counter(a) is None]
    changed = (written(x) for a in others for x in walk(a.body) if isinstance(x, s.Statement))
    return any(place is not None and getattr(root(place), "name", "") in counters for place in changed)


def _message_first(action: Action) -> Action:
    """The same action with the message taken first, so that it has an instance for each kind, and with the counter
    required at its initial value, so that it is recognised to occur once.
    """
    require, choose, *rest = action.body
    counter = _counter(action)
    assert counter is not None
    once = s.Require(require.line, build.compare("==", counter, e.Const(counter.type, 0)))
    return evolve(action, body=(choose, once, *rest))


def _of_chosen(action: Action, kinds: tuple[Kind, ...], may_fail: e.Variable) -> Action:
    """The action restricted to messages of the chosen kind; it takes the message first."""
    choose, *rest = action.body
    assert isinstance(choose, s.Choose) and isinstance(choose.iterable, e.Variable) and isinstance(may_fail.type, t.Set)
    network, item = choose.iterable.name, may_fail.type.item
    line = choose.line
    cases = tuple(
        s.If(
            line,
            build.conjunction(of_kind(choose.local, kind)),
            (s.Require(line, build.contains(may_fail, e.Const(item, number))),),
            (),
        )
        for number, kind in enumerate(kinds)
        if kind.network == network
    )
    return evolve(action, body=(choose, *cases, *rest))
