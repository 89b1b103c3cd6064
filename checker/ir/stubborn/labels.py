"""The instance of a step, and the conditions that hold, as functions of the intermediate representation.

The interpreter of the tests and compiled code therefore compute them from one definition.  All are functions of the
state before the step, of the action's parameters, and of the element of its first choice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import evolve

from checker.frozen import frozen
from checker.ir import build
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.build import BOOL
from checker.ir.footprints.instances import OPEN, Head, Instance, Kind, opening_of
from checker.ir.model import Action, Function, Model, Parameter
from checker.ir.stubborn.relations import Relations
from checker.ir.values import Raw

NONE = -1
"""The number for a step of no instance."""


@frozen
class Labels:
    """Names of functions.  instance: for each action, the number of a step's instance.  kind: for each action that
    receives messages, the number of the fact that such a message is in flight; "" for others.  facts: for each fact
    that is a condition, its truth; "" for others.
    """

    model: Model
    instance: tuple[str, ...]
    kind: tuple[str, ...]
    facts: tuple[str, ...]


def labelled(model: Model, tables: Relations) -> Labels:
    """The model with the functions that label its steps."""
    functions: list[Function] = []
    instance, kind, facts = [], [], []
    for number, action in enumerate(model.actions):
        own = [(i, x) for i, x in enumerate(tables.instances) if x.head.action == number]
        functions.append(_instance(action, f"$instance.{number}", own, len(tables.instances)))
        instance.append(functions[-1].name)
        kinds = {x.head.opening: None for _, x in own if isinstance(x.head.opening, Kind)}
        kind.append(f"$kind.{number}" if kinds else "")
        if kinds:
            functions.append(_kind(action, kind[-1], list(kinds), tables))
    for number, fact in enumerate(tables.facts):
        facts.append("" if isinstance(fact, Kind) else f"$fact.{number}")
        if not isinstance(fact, Kind):
            functions.append(Function(facts[-1], (), (), BOOL, (s.Return(0, fact),)))
    return Labels(evolve(model, functions=(*model.functions, *functions)), tuple(instance), tuple(kind), tuple(facts))


def _instance(action: Action, name: str, own: Sequence[tuple[int, Instance]], count: int) -> Function:
    """The number of the instance of an action."""
    result = t.Int(NONE, count)
    heads: dict[Head, list[tuple[int, Instance]]] = {}
    for number, instance in own:
        heads.setdefault(instance.head, []).append((number, instance))
    body: list[s.Statement] = []
    for head, cases in heads.items():
        inner = tuple(
            s.If(
                0,
                build.conjunction(x.condition if x.holds else build.negate(x.condition) for x in instance.literals),
                _give(result, n),
            )
            for n, instance in cases
        )
        body.append(s.If(0, build.conjunction(_of_head(action, head)), (*inner, *_give(result, NONE))))
    return Function(name, _parameters(action), (), result, (*body, *_give(result, NONE)))


def _kind(action: Action, name: str, kinds: Sequence[Kind], tables: Relations) -> Function:
    """The number of the fact that a message which an action may receive is in flight."""
    result = t.Int(NONE, len(tables.facts))
    opening = opening_of(action)
    assert opening is not None
    numbers = {fact: n for n, fact in enumerate(tables.facts)}
    body = [s.If(0, build.conjunction(of_kind(opening.local, kind)), _give(result, numbers[kind])) for kind in kinds]
    return Function(name, _parameters(action), (), result, (*body, *_give(result, NONE)))


def _parameters(action: Action) -> tuple[Parameter, ...]:
    opening = opening_of(action)
    chosen = () if opening is None else (Parameter(opening.local.name, opening.local.type),)
    return (*action.parameters, *chosen)


def _give(type: t.Int, number: int) -> tuple[s.Statement, ...]:
    return (s.Return(0, e.Const(type, number)),)


def _of_head(action: Action, head: Head) -> Iterator[e.Expression]:
    for parameter, raw in zip(action.parameters, head.arguments):
        if raw is not OPEN:
            yield _equal(e.Local(parameter.type, parameter.name), raw)
    opening = opening_of(action)
    if opening is not None and isinstance(head.opening, Kind):
        yield from of_kind(opening.local, head.opening)
    elif opening is not None and head.opening is not None:
        yield _equal(opening.local, head.opening)


def of_kind(message: e.Local, kind: Kind) -> Iterator[e.Expression]:
    """Whether a message is of a kind."""
    type = message.type
    assert isinstance(type, t.Record)
    fields = dict(type.fields)
    body = e.Field(fields["body"], message, "body")
    variant = None
    if kind.variant is not None:
        assert isinstance(body.type, t.Union)
        variant = body.type.variants[kind.variant]
        yield e.IsVariant(BOOL, body, variant.name)
    for place, raw in kind.identities:
        node: e.Expression = message
        for name in place:
            if variant is not None and node == body:
                node = e.VariantField(dict(variant.fields)[name], node, variant.name, name)
            else:
                assert isinstance(node.type, t.Record)
                node = e.Field(dict(node.type.fields)[name], node, name)
        yield _equal(node, raw)


def _equal(node: e.Expression, raw: Raw) -> e.Expression:
    """Whether an expression has a value."""
    match node.type:
        case t.Record(_, fields):
            return build.conjunction(_equal(e.Field(k, node, n), x) for (n, k), x in zip(fields, raw))
        case _ if node.type.__class__ in t.SCALARS:
            return build.compare("==", node, e.Const(node.type, raw))
    raise TypeError(f"{node.type} is no value of a choice that instances tell apart")
