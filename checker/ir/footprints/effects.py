"""The effects of statements: the parts of the state that they write, the messages that they send and take."""

from __future__ import annotations

from typing import Any

from attrs import define, field

from checker.frozen import frozen
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.facts import root
from checker.ir.footprints.evaluating import MANY, Evaluation, known_by_members, on_maps
from checker.ir.footprints.knowledge import UNKNOWN, Knowledge, Value
from checker.ir.footprints.places import Part, member
from checker.ir.footprints.shapes import ANYTHING, Known, Shape, contents
from checker.ir.values import Raw, values
from checker.ir.visit import walk


@frozen
class Write:
    """A write of a part.  way: "grows" (a set, a sequence at its end, a number), "falls", "set".  raw: the new value,
    if it is known (`known`).  crash: only if the acting process crashes in the middle of the step. rise: by how much a
    number rises, 0 if it does not, None if unknown.  sure: each execution of the instance writes it.  times: the
    largest number of writes, MANY if unknown.  put: the member that is appended to a sequence, if nothing else of it
    changes.
    """

    part: Part
    way: str
    line: int
    known: bool = False
    raw: Raw = None
    crash: bool = False
    rise: int | None = None
    sure: bool = False
    times: int = 1
    put: Part | None = None


@frozen
class Sent:
    """A message put into a network."""

    network: str
    shape: Shape
    line: int = 0


@define
class Effects:
    """The recorded writes, sendings and receptions of one execution; networks: names of variables, taken: the local
    with the received message.
    """

    evaluation: Evaluation
    networks: frozenset[str]
    taken: str
    writes: dict[Write, int] = field(factory=dict)  # how often each write is executed
    sends: dict[Sent, int] = field(factory=dict)
    takes: set[str] = field(factory=set)
    takes_surely: bool = False
    drops: set[tuple[str, Raw]] = field(factory=set)  # networks, and processes whose messages are dropped
    drops_surely: set[tuple[str, Raw]] = field(factory=set)  # those of each execution of this case

    def sent_in(self, node: s.Statement) -> bool:
        """Whether something in a statement sends a message."""
        return any(
            isinstance(x, s.BagAdd | s.SeqAppend) and getattr(root(x.target), "name", "") in self.networks
            for x in walk(node)
        )

    def follow(self, node: Any, known: Knowledge, sure: bool, times: int) -> None:
        """Record the effect of a writing statement, in `known` too.  sure: each execution of this case reaches it;
        times: the largest number of its executions.
        """
        target = node.target
        given = self._given(node, known)
        base = target
        while not isinstance(base, e.Variable | e.Local) and not on_maps(base):
            if isinstance(base, e.Index):
                self.evaluation.value(base.key, known)
            base = base.base if isinstance(base, e.Index | e.Field) else base.value
        if isinstance(base, e.Local):
            known.locals[base.name] = _local(node, base, given, known)
            return
        part = self.evaluation.part(base, known)
        if part.variable in self.networks and not part.path and self._message(node, given, sure, times):
            return
        if base is not target:
            self.evaluation.note(part)  # the rest of the part stays
        way, value = _way(node), UNKNOWN
        if base is target and isinstance(node, s.SetAdd | s.SetRemove):
            part = member(part, given.shape)
            value = Value(Known(int(isinstance(node, s.SetAdd))), None, True)
            if isinstance(node, s.SetRemove) and node.strict:
                self.evaluation.note(part)
        elif base is target and isinstance(node, s.Assign):
            value = Value(given.shape, given.closed, True)
        elif not isinstance(node, s.Assign):
            self.evaluation.note(part)
        decided = isinstance(value.shape, Known) and part.exact
        raw = value.shape.raw if isinstance(value.shape, Known) and part.exact else None
        put = member(part, given.shape) if base is target and isinstance(node, s.SeqAppend) else None
        write = Write(part, way, node.line, decided, raw, rise=_rise(node, way, decided, raw), sure=sure, put=put)
        self.writes[write] = self.writes.get(write, 0) + times
        inside = contents(value.shape, target.type) if isinstance(node, s.Assign) else None
        if not known.before or not part.exact or not known_by_members(target.type):
            known.write(part, value)
        elif put is not None:
            known.write(put, UNKNOWN)
        elif inside is not None:
            known.write_members(part, values(target.type.item), inside)
        else:
            known.write(part, value)

    def _given(self, node: Any, known: Knowledge) -> Value:
        """The value that a statement writes; all of its operands are read."""
        operands = [getattr(node, name, None) for name in ("value", "item", "index")]
        found = [self.evaluation.whole(x, known) for x in operands if isinstance(x, e.Expression)]
        return found[-1] if found else Value()

    def _message(self, node: Any, given: Value, sure: bool, times: int) -> bool:
        """Whether a statement sends a message, or takes the received one."""
        match node:
            case s.BagAdd(_, e.Variable(_, name), _):
                sent = Sent(name, given.shape, node.line)
                self.sends[sent] = self.sends.get(sent, 0) + times
                return True
            case s.BagRemove(_, e.Variable(_, name), e.Local(_, local), _, every) if local == self.taken and not every:
                self.takes.add(name)
                self.takes_surely = self.takes_surely or sure
                return True
            case s.Assign(_, e.Variable(_, name), _) if given.shape != Known(()):
                self.sends[Sent(name, ANYTHING)] = MANY
        return False


def _local(node: Any, base: e.Local, given: Value, known: Knowledge) -> Value:
    """What is known of a local that a statement changes."""
    old = known.locals.get(base.name, Value()).shape
    if base is node.target and isinstance(node, s.Assign):
        return given
    if base is node.target and isinstance(node, s.SetAdd) and isinstance(old, Known) and isinstance(given.shape, Known):
        return Value(Known(old.raw | {given.shape.raw}))
    return Value()


def _way(node: Any) -> str:
    """The direction in which a statement changes a part."""
    match node:
        case s.SetAdd() | s.SeqAppend():
            return "grows"
        case s.SetRemove():
            return "falls"
        case s.Assign(_, target, value):
            match _unnarrowed(value):
                case e.Arithmetic(_, "+", left, right) if left == target or right == target:
                    added = (right if left == target else left).type
                    return "grows" if isinstance(added, t.Int) and added.lo >= 0 else "set"
                case e.Arithmetic(_, "max", left, right) if target in (left, right):
                    return "grows"
                case e.SetOperation(_, "|", left, right) if target in (left, right):
                    return "grows"
                case e.Or(_, operands) if target in operands:
                    return "grows"
                case e.SetOperation(_, "-" | "&", left, _) if target == left:
                    return "falls"
                case e.Arithmetic(_, "min", left, right) if target in (left, right):
                    return "falls"
    return "set"


def _rise(node: Any, way: str, known: bool, raw: Raw) -> int | None:
    """By how much a statement raises a number, 0 if it does not; None if unknown."""
    kind = node.target.type
    if not isinstance(node, s.Assign) or not isinstance(kind, t.Int):
        return None
    if way == "falls" or (known and raw == kind.lo):
        return 0
    match _unnarrowed(node.value):
        case e.Arithmetic(_, "+", left, e.Const(_, added)) if left == node.target and added >= 0:
            return int(added)
        case e.Arithmetic(_, "+", e.Const(_, added), right) if right == node.target and added >= 0:
            return int(added)
    return None


def _unnarrowed(value: e.Expression) -> e.Expression:
    while isinstance(value, e.Narrow):
        value = value.value
    return value
