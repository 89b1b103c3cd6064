"""Messages whose receipt changes nothing, now and in every future: which they are, and whether they may be dropped.

A message in flight is *irrelevant* in a state if one of its receipts is possible, changes nothing but the network, and
stays possible and without effect for as long as the message is in flight; and if every other step that takes the
message is such a receipt, too, or can never become possible again.  Both are known from literals that hold and that no
step can change: `m in received[q]`, where `received` only grows.  A message that is irrelevant stays so while it is in
flight, and whether it is there makes no difference to any other step.  So all irrelevant messages may be dropped at
once (`checker.ir.stubborn.dropping`; docs: reduction.md).

Where it stops: a receipt that changes nothing because of a condition that may change later is relevant, and nobody may
look at what is in flight.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from attrs import define, evolve, field

from checker.frozen import frozen
from checker.ir import build
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.facts import callees, root
from checker.ir.footprints.crashing import dropping
from checker.ir.footprints.evaluating import Effort, TooMany, is_scalar
from checker.ir.footprints.executing import Literal, Run
from checker.ir.footprints.instances import Head, Kind, opening_of
from checker.ir.footprints.knowledge import Knowledge
from checker.ir.footprints.phases import Phases
from checker.ir.footprints.shapes import Known
from checker.ir.model import Action, Model
from checker.ir.values import Raw
from checker.ir.visit import rewrite, substitute, walk, without_lines

Body = tuple[s.Statement, ...]
Stays = Callable[[Literal, str, Raw], bool]
"""Whether a literal that holds does so until what is in flight to a process on a network has been dropped."""


MESSAGE = "message"
"""The local that a condition calls the message."""


@frozen
class Irrelevant:
    """when: the condition under which a message of a kind is irrelevant, for each that can be; off: who looks at what
    is in flight, so that nothing may be dropped although something is irrelevant; "" if nobody does."""

    when: dict[Kind, e.Expression]
    off: str = ""


@frozen
class _Case:
    """A case of a receipt: its literals, and whether it changes nothing but the network."""

    literals: tuple[Literal, ...]
    idle: bool


def irrelevant(model: Model, phases: Phases, stays: Stays, fails: Callable[[Body], bool]) -> Irrelevant:
    """The irrelevant messages of a model.  fails: whether statements may be an error."""
    finding = _Finding(model, phases, stays, fails)
    try:
        when = {kind: when for kind in phases.origin.kinds if (when := finding.condition(kind)) != build.FALSE}
    except TooMany:
        return Irrelevant({})
    seen = {n: who for n in dict.fromkeys(kind.network for kind in when) if (who := looks(model, phases, n))}
    off = "; ".join(f"{who} looks at what is in flight on {n}" for n, who in seen.items())
    return Irrelevant({kind: x for kind, x in when.items() if kind.network not in seen}, off)


@define
class _Finding:
    model: Model
    phases: Phases
    stays: Stays
    fails: Callable[[Body], bool]
    _effort: Effort = field(factory=Effort)

    def condition(self, kind: Kind) -> e.Expression:
        """When messages of a kind are irrelevant."""
        heads = [head for head in self.phases.origin.heads if head.opening == kind]
        each, received = [], []
        for head in heads:
            cases = self._cases(head)
            idle = build.disjunction(self._for_ever(kind, x.literals) for x in cases if x.idle)
            never = build.conjunction(self._never(kind, x.literals) for x in cases)
            each.append(build.disjunction((idle, never)))
            if not self.model.actions[head.action].fault:
                received.append(idle)
        parts = (*each, build.disjunction(received))
        return build.FALSE if build.FALSE in parts else build.conjunction(parts)

    def _for_ever(self, kind: Kind, literals: Iterable[Literal]) -> e.Expression:
        """That literals hold, and go on to; false if they need not."""
        each = [self._lasting(kind, x) for x in literals]
        return build.FALSE if build.FALSE in each else build.conjunction(each)

    def _never(self, kind: Kind, literals: Iterable[Literal]) -> e.Expression:
        """That one of these literals does not hold, and never will."""
        return build.disjunction(self._lasting(kind, evolve(x, holds=not x.holds)) for x in literals)

    def _lasting(self, kind: Kind, literal: Literal) -> e.Expression:
        """That a literal holds, and goes on to until the messages of a kind are gone.  Of numbers that differ one may
        be passed by the other for good."""
        parts = [literal]
        match literal:
            case Literal(e.Compare(_, "==", left, right), False) | Literal(e.Compare(_, "!=", left, right), True) if (
                isinstance(left.type, t.Int) and isinstance(right.type, t.Int)
            ):
                parts += [Literal(build.compare(way, left, right)) for way in "<>"]
        return build.disjunction(_as_expression(x) for x in parts if self._stays(kind, x))

    def _stays(self, kind: Kind, literal: Literal) -> bool:
        """Whether a literal that holds does so until the messages of a kind are gone."""
        return self.stays(literal, kind.network, dict(kind.identities).get(("target",)))

    # -- the cases of a receipt

    def _cases(self, head: Head) -> list[_Case]:
        origin, action = self.phases.origin, self.model.actions[head.action]
        known, taken = origin.opened(head)
        message = e.Local(origin.networks[head.opening.network], taken)  # type: ignore[union-attr]
        known.locals[taken] = evolve(known.locals[taken], closed=message)  # conditions may be of what it carries
        found = origin.runs(action, known, taken, self._effort, apart=True)
        return [
            _Case(tuple(self._of_message(x, message, known) for x in run.needed()), self._idle(run, action))
            for run in found
        ]

    def _of_message(self, literal: Literal, message: e.Local, known: Knowledge) -> Literal:
        """A literal in which what the kind tells of the message is a constant, and the message has one name."""
        given, evaluation = e.Local(message.type, MESSAGE), self.phases.evaluation()

        def named(node: Any) -> Any:
            if isinstance(node, e.Field | e.VariantField) and is_scalar(node.type) and root(node) == message:
                shape = evaluation.value(node, known)
                return e.Const(node.type, shape.raw) if isinstance(shape, Known) else node
            return node

        return evolve(literal, condition=substitute(rewrite(literal.condition, named), {message: given}))

    def _idle(self, run: Run, action: Action) -> bool:
        """Whether a case certainly takes its message, fails in nothing, and changes nothing else."""
        effects, opening = run.effects, opening_of(action)
        if run.residual or effects.writes or effects.sends or effects.drops or not effects.takes_surely:
            return False
        choices = (x for x in walk(run.trail) if isinstance(x, s.Choose) and x != opening)
        if any(not isinstance(x.iterable, e.Domain) for x in choices):
            return False
        trail = tuple(x for x in run.trail if not isinstance(x, s.BagRemove))  # the message is there
        return not self.fails(without_lines(trail))


def _as_expression(literal: Literal) -> e.Expression:
    return literal.condition if literal.holds else build.negate(literal.condition)


# -- who looks at what is in flight


def looks(model: Model, phases: Phases, network: str) -> str:
    """Who looks at the content of a network, other than by taking a message or dropping those to who crashes: an action
    or a property; "" if nobody does."""
    for action in model.actions:
        if _reads(model, _without_traffic(action, network, phases.origin.crashes_drop), network):
            return action.name
    for p in model.properties:
        if p.kind != "quiescence" and _reads(model, model.function(p.function).body, network):
            return p.name
    return next((name for name in model.constraints if _reads(model, model.function(name).body, network)), "")


def _reads(model: Model, body: Any, network: str) -> bool:
    bodies = [body, *(model.function(name).body for name in callees(body, model.function))]
    return any(isinstance(x, e.Variable) and x.name == network for x in walk(bodies))


def _without_traffic(action: Action, network: str, crashes_drop: bool) -> Body:
    """The body of an action without what sends, takes the message received, and drops what is in flight to a process
    that crashes."""
    opening = opening_of(action)

    def other(node: Any) -> Any:
        match node:
            case s.Choose(_, local, e.Variable(_, name)) if name == network and node == opening:
                return s.Choose(0, local, build.everything(local.type))
            case s.BagAdd(_, e.Variable(_, name), item) if name == network:
                return s.Assign(0, e.Local(item.type, ""), item)
            case s.BagRemove(_, e.Variable(_, name), e.Local() as taken, _, False) if (
                name == network and opening is not None and taken == opening.local
            ):
                return s.Stop(0)
            case s.For() if crashes_drop and (found := dropping(node, (network,))) is not None:
                return s.Assign(0, e.Local(found.target.type, ""), found.target)
        return node

    return rewrite(action.body, other)
