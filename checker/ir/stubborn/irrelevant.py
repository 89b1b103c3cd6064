"""Messages whose receipt changes nothing, now and in every future state: which messages these are, and whether they may
be dropped.

A message in flight is *irrelevant* in a state under two conditions.  First, one of its receipts is possible, changes
only the network, and stays possible and without effect as long as the message is in flight.  Second, every other step
that takes the message is such a receipt too, or can never become possible again.  Both follow from literals that hold
and that no step can change: `m in received[q]`, where `received` only grows.  An irrelevant message stays irrelevant
while it is in flight, and its presence has no effect on any other step.  All irrelevant messages may therefore be
dropped at once (`checker.ir.stubborn.dropping`; docs: reduction.md).

Where it stops: a receipt without effect because of a condition that may change later is relevant; nothing is dropped
from a network whose messages in flight are read.
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
from checker.ir.facts import root, with_bodies
from checker.ir.footprints.crashing import dropping
from checker.ir.footprints.effort import Effort, TooMany
from checker.ir.footprints.evaluating import is_scalar
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
"""Whether a literal that holds continues to hold until the messages in flight to a process on a network have been
dropped.
"""


MESSAGE = "message"
"""The name of the message in a condition."""


@frozen
class Irrelevant:
    """when: for each kind that can be irrelevant, the condition under which a message of the kind is; off: the reader
    of the messages in flight because of which nothing is dropped; "" without one.
    """

    when: dict[Kind, e.Expression]
    off: str = ""


@frozen
class _Case:
    """A case of a receipt: its literals, and whether it changes only the network.  late: guards behind something that
    may be an error.
    """

    literals: tuple[Literal, ...]
    idle: bool
    late: tuple[Literal, ...]


def irrelevant(model: Model, phases: Phases, stays: Stays, fails: Callable[[Body], bool]) -> Irrelevant:
    """The irrelevant messages of a model.  fails: whether statements may be an error."""
    finding = _Finding(model, phases, stays, fails)
    try:
        when = {kind: when for kind in phases.origin.kinds if (when := finding.condition(kind)) != build.FALSE}
    except TooMany:
        return Irrelevant({})
    seen = {n: who for n in dict.fromkeys(kind.network for kind in when) if (who := reader(model, phases, n))}
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
            never = build.conjunction(self._never(kind, (y for y in x.literals if y not in x.late)) for x in cases)
            each.append(build.disjunction((idle, never)))
            if not self.model.actions[head.action].fault:
                received.append(idle)
        parts = (*each, build.disjunction(received))
        return build.FALSE if build.FALSE in parts else build.conjunction(parts)

    def _for_ever(self, kind: Kind, literals: Iterable[Literal]) -> e.Expression:
        """The condition that literals hold and last; false if they need not last."""
        each = [self._lasting(kind, x) for x in literals]
        return build.FALSE if build.FALSE in each else build.conjunction(each)

    def _never(self, kind: Kind, literals: Iterable[Literal]) -> e.Expression:
        """The condition that one of these literals is false, and stays false for ever."""
        return build.disjunction(self._lasting(kind, evolve(x, holds=not x.holds)) for x in literals)

    def _lasting(self, kind: Kind, literal: Literal) -> e.Expression:
        """The condition that a literal holds, and continues to hold until the messages of a kind are gone.  An
        inequality of two numbers lasts if one has passed the other for good.
        """
        parts = [literal]
        match literal:
            case Literal(e.Compare(_, "==", left, right), False) | Literal(e.Compare(_, "!=", left, right), True) if (
                isinstance(left.type, t.Int) and isinstance(right.type, t.Int)
            ):
                parts += [Literal(build.compare(way, left, right)) for way in "<>"]
        return build.disjunction(_as_expression(x) for x in parts if self._stays(kind, x))

    def _stays(self, kind: Kind, literal: Literal) -> bool:
        """Whether a literal that holds continues to hold until the messages of a kind are gone."""
        return self.stays(literal, kind.network, dict(kind.identities).get(("target",)))

    # -- the cases of a receipt

    def _cases(self, head: Head) -> list[_Case]:
        origin, action = self.phases.origin, self.model.actions[head.action]
        known, taken = origin.opened(head)
        message = e.Local(origin.networks[head.opening.network], taken)  # type: ignore[union-attr]
        known.locals[taken] = evolve(known.locals[taken], closed=message)  # for conditions of its content
        found = origin.runs(action, known, taken, self._effort, apart=True)
        return [
            _Case(
                tuple(self._of_message(x, message, known) for x in run.needed()),
                self._idle(run, action),
                tuple(self._of_message(x, message, known) for x in run.late),
            )
            for run in found
        ]

    def _of_message(self, literal: Literal, message: e.Local, known: Knowledge) -> Literal:
        """A literal in which the parts of the message that its kind determines are constants, and the message has one
        name.
        """
        given, evaluation = e.Local(message.type, MESSAGE), self.phases.evaluation()

        def named(node: Any) -> Any:
            if isinstance(node, e.Field | e.VariantField) and is_scalar(node.type) and root(node) == message:
                shape = evaluation.value(node, known)
                return e.Const(node.type, shape.raw) if isinstance(shape, Known) else node
            return node

        return evolve(literal, condition=substitute(rewrite(literal.condition, named), {message: given}))

    def _idle(self, run: Run, action: Action) -> bool:
        """Whether a case certainly takes its message, cannot fail, and changes nothing else."""
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


# -- what reads the messages in flight


def reader(model: Model, phases: Phases, network: str) -> str:
    """The action or property that reads the content of a network, other than by taking a message or dropping those to a
    crashing process; "" without one.
    """
    for action in model.actions:
        if _reads(model, _without_traffic(action, network, phases.origin.crashes_drop), network):
            return action.name
    for p in model.properties:
        if p.kind != "quiescence" and _reads(model, model.function(p.function).body, network):
            return p.name
    return next((name for name in model.constraints if _reads(model, model.function(name).body, network)), "")


def _reads(model: Model, body: Any, network: str) -> bool:
    parts = walk(with_bodies(body, model.function))
    return any(isinstance(x, e.Variable) and x.name == network for x in parts)


def _without_traffic(action: Action, network: str, crashes_drop: bool) -> Body:
    """The body of an action without sendings, without the taking of the received message, and without drops by a
    crash."""
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
