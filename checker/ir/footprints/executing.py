"""Statements over what is known: one run follows one case of an instance.

A condition on which it depends whether something is sent, and a guard, are kept apart where they are conditions of the
state before the step: they become literals of the instance.  All other branches are followed both ways and joined, and
loops over what is not known are followed until nothing more is learned.  So what is noted is all that some execution
may read, write, send and take.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import define, evolve, field

from checker.frozen import frozen
from checker.ir import build
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.evaluate.environment import Script
from checker.ir.facts import root
from checker.ir.footprints.evaluating import MOST_VALUES, Effort, Evaluation, Open, Read, is_scalar, on_maps
from checker.ir.footprints.knowledge import UNKNOWN, Knowledge, Value
from checker.ir.footprints.places import ANY, Member, Part
from checker.ir.footprints.shapes import ANYTHING, FALSE, Known, Shape
from checker.ir.model import Function, Model
from checker.ir.values import Raw, values
from checker.ir.visit import walk

MOST_CASES = 6
"""Conditions that one run tells apart."""
ROUNDS = 8
MANY = 1 << 20
"""Stands for any number of times."""

Outcomes = dict[Any, Knowledge]
NEXT, BREAK, CONTINUE, STOP, CRASH, RETURN = "next", "break", "continue", "stop", "crash", "return"
RESULT = "$result"


_LEAVING = s.Stop | s.Break | s.Continue | s.Leave | s.Return


class Impossible(Exception):
    """This case does not occur: a guard is false in it."""


@frozen
class Literal:
    """A condition of the state, or its opposite."""

    condition: e.Expression
    holds: bool = True


@frozen
class Write:
    """A part that is written.  way: "grows" (a set, a sequence at its end, a number), "falls", "set".  raw: the value
    it has then, if that is known (`known`).  crash: only if the acting process crashes in the middle of the step.
    rise: by how much a number rises, 0 if it does not, None if that is not known.  sure: each run of the instance
    writes it.  times: at most so often, MANY if it is not known how often."""

    part: Part
    way: str
    line: int
    known: bool = False
    raw: Raw = None
    crash: bool = False
    rise: int | None = None
    sure: bool = False
    times: int = 1


@frozen
class Sent:
    """A message put into a network."""

    network: str
    shape: Shape


@define
class Run:
    """One run of an action: the decisions to follow (and those met), and what was noted."""

    model: Model
    functions: dict[str, Function]
    networks: frozenset[str]
    effort: Effort
    static: dict[int, Any] = field(factory=dict)
    script: Script = field(factory=Script)
    literals: dict[Literal, None] = field(factory=dict)
    valued: dict[Literal, None] = field(factory=dict)  # on the values of numbers
    writes: dict[Write, int] = field(factory=dict)  # how often
    sends: dict[Sent, int] = field(factory=dict)
    takes: set[str] = field(factory=set)
    takes_surely: bool = False
    residual: bool = False  # a guard remains that is no literal
    facts: dict[Part, Value] = field(factory=dict)
    evaluation: Evaluation = field(init=False)
    taken: str = ""  # the local that holds the message received
    _weak: int = 0
    _loops: int = 0  # of any number of rounds
    _left: bool = False  # some execution may have ended or jumped before
    _depth: int = 0
    _current: Knowledge = field(factory=Knowledge)

    def __attrs_post_init__(self) -> None:
        self.evaluation = Evaluation(
            self.model, self.functions, self.effort, self.static, ask=self._ask, call=self._call
        )

    # -- cases

    def _decide(self, cases: int) -> int | None:
        """Which case to follow; None if no more are kept apart."""
        return None if self._weak or self.script.position >= MOST_CASES else self.script.choose(cases)

    def _ask(self, node: e.Expression, known: Knowledge) -> Shape:
        """Tell the values apart of the small numbers that an expression reads."""
        for place in [x for x in walk(node) if isinstance(x, e.Index | e.Variable) and on_maps(x)]:
            if not is_scalar(place.type):
                continue
            try:
                closed = self.evaluation.closed(place, known)
            except Open:
                continue
            part = self.evaluation.part(place, known)
            options = list(values(place.type)) if part.exact else []
            if isinstance(closed, e.Const) or not 1 < len(options) <= MOST_VALUES or known.of(part) is not None:
                continue
            chosen = self._decide(len(options))
            if chosen is None:
                continue
            raw = options[chosen]
            known.parts[part] = self.facts[part] = Value(Known(raw), e.Const(place.type, raw))
            self.valued[Literal(build.compare("==", closed, e.Const(place.type, raw)))] = None
        return self.evaluation.value(node, known)

    def possible(self) -> bool:
        """Whether the literals can hold together, as far as the values kept apart decide."""
        facts = Knowledge(parts=dict(self.facts))
        return not any(
            isinstance(shape := self._judged(x.condition, facts), Known) and bool(shape.raw) != x.holds
            for x in self.literals
        )

    def needed(self) -> list[Literal]:
        """The literals: those on values, and the others that they do not imply."""
        facts = Knowledge(parts=dict(self.facts))
        return [*self.valued, *(x for x in self.literals if not isinstance(self._judged(x.condition, facts), Known))]

    def _judged(self, condition: e.Expression, known: Knowledge) -> Shape:
        run = Run(self.model, self.functions, self.networks, self.effort, self.static, weak=1)
        return run.evaluation.value(condition, known)

    # -- calls

    def _call(self, function: Function, arguments: list[Value]) -> Shape:
        known = Knowledge({p.name: a for p, a in zip(function.parameters, arguments)}, self._current.parts)
        if self._depth > 20:
            raise RecursionError(function.name)
        self._depth += 1
        self._weak += 1
        outer, left = self._current, self._left
        with self.evaluation.inside(function.name, 0):
            outcomes = self.body(function.body, known)
        self._current, self._left = outer, left
        self._weak -= 1
        self._depth -= 1
        return outcomes[RETURN].locals[RESULT].shape if RETURN in outcomes else ANYTHING

    # -- bodies

    def body(self, body: Iterable[s.Statement], known: Knowledge) -> Outcomes:
        """Follow statements; what is known at each way out."""
        found: Outcomes = {}
        for statement in body:
            self._current = known
            self.evaluation.places[-1] = (self.evaluation.places[-1][0], statement.line)
            reached = self._statement(statement, known)
            following = reached.pop(NEXT, None)
            _merge(found, reached)
            if following is None:
                return found
            known = following
        _merge(found, {NEXT: known})
        return found

    def _statement(self, node: s.Statement, known: Knowledge) -> Outcomes:
        value = self.evaluation.value
        self._left = self._left or isinstance(node, _LEAVING)
        match node:
            case s.If():
                return self._if(node, known)
            case s.For():
                return self._for(node, known)
            case s.While(_, condition, body):
                return self._repeated(known, body, lambda k: value(condition, k))
            case s.Break():
                return {BREAK: known}
            case s.Continue():
                return {CONTINUE: known}
            case s.Block(_, label, body):
                found = self.body(body, known)
                left = found.pop(("leave", label), None)
                if left is not None:
                    _merge(found, {NEXT: left})
                return found
            case s.Leave(_, label):
                return {("leave", label): known}
            case s.Return(_, result):
                known.locals[RESULT] = Value(value(result, known))
                return {RETURN: known}
            case s.Stop(_, crash):
                return {CRASH if crash else STOP: known}
            case s.Fail():
                return {}
            case s.Assert(_, condition):
                return {} if value(condition, known) == FALSE else {NEXT: known}
            case s.Require(_, condition):
                return self._require(condition, known)
            case s.Choose(_, local, iterable):
                self._choose(local, iterable, known)
                return {NEXT: known}
        self._write(node, known)
        return {NEXT: known}

    def _require(self, condition: e.Expression, known: Knowledge) -> Outcomes:
        for part in condition.operands if isinstance(condition, e.And) else (condition,):
            shape = self.evaluation.value(part, known)
            if shape == FALSE:
                if not self._weak:
                    raise Impossible
                return {}
            if not isinstance(shape, Known) and not self._literal(part, known, True):
                self.residual = True
        return {NEXT: known}

    def _literal(self, condition: e.Expression, known: Knowledge, holds: bool) -> bool:
        """Note that a condition holds, or not; False if it is none of the state before the step."""
        if self._weak:
            return False
        try:
            closed = self.evaluation.closed(condition, known)
        except Open:
            return False
        while isinstance(closed, e.Not):
            closed, holds = closed.value, not holds
        if isinstance(closed, e.Const):
            if bool(closed.value) != holds:
                raise Impossible
            return True
        self.literals[Literal(closed, holds)] = None
        return True

    def _choose(self, local: e.Local, iterable: e.Expression, known: Knowledge) -> None:
        if local.name == self.taken:
            return
        items = self.evaluation.items(iterable, known)
        if not isinstance(iterable, e.Domain | e.Range):
            self.residual = True  # there may be nothing to choose from
        known.locals[local.name] = Value(items[0] if len(items) == 1 else ANYTHING)

    # -- branches and loops

    def _if(self, node: s.If, known: Knowledge) -> Outcomes:
        shape = self.evaluation.value(node.condition, known)
        if isinstance(shape, Known):
            return self.body(node.then if shape.raw else node.other, known)
        if (
            self._sends(node)
            and not self._weak
            and self.script.position < MOST_CASES
            and self._closes(node.condition, known)
        ):
            chosen = self._decide(2)
            self._literal(node.condition, known, chosen == 0)
            return self.body(node.other if chosen else node.then, known)
        self._weak += 1
        found: Outcomes = {}
        for body in (node.then, node.other):
            before = set(self.writes), set(self.evaluation.reads)
            reached = self.body(body, known.copy())
            if set(reached) == {CRASH}:
                self._crashing(before)
            _merge(found, reached)
        self._weak -= 1
        return found

    def _crashing(self, before: tuple[set[Write], set[Read]]) -> None:
        """What was written and read since is so only if the acting process crashes."""
        writes, reads = before
        self.writes = {w if w in writes else evolve(w, crash=True): n for w, n in self.writes.items()}
        noted = self.evaluation.reads
        self.evaluation.reads = {r if r in reads else evolve(r, crash=True): None for r in noted}

    def _closes(self, condition: e.Expression, known: Knowledge) -> bool:
        try:
            self.evaluation.closed(condition, known)
        except Open:
            return False
        return True

    def _sends(self, node: s.Statement) -> bool:
        return any(
            isinstance(x, s.BagAdd | s.SeqAppend) and getattr(root(x.target), "name", "") in self.networks
            for x in walk(node)
        )

    def _for(self, node: s.For, known: Knowledge) -> Outcomes:
        items = self.evaluation.items(node.iterable, known)
        if items == [ANYTHING]:
            if not isinstance(self.evaluation.value(node.iterable, known), Known):

                def again(k: Knowledge) -> Shape:
                    k.locals[node.local.name] = Value()
                    return ANYTHING

                return self._repeated(known, node.body, again)
        found: Outcomes = {}
        after = known
        for item in items:
            after.locals[node.local.name] = Value(item)
            reached = self.body(node.body, after)
            self._leave_round(reached, found)
            following = _either(reached.pop(NEXT, None), reached.pop(CONTINUE, None))
            _merge(found, reached)
            if following is None:
                return found
            after = following
        _merge(found, {NEXT: after})
        return found

    def _leave_round(self, reached: Outcomes, found: Outcomes) -> None:
        if BREAK in reached:
            _merge(found, {NEXT: reached.pop(BREAK)})

    def _repeated(self, known: Knowledge, body: tuple[s.Statement, ...], begin: Any) -> Outcomes:
        """A loop of any number of rounds."""
        self._weak += 1
        self._loops += 1
        for x in walk(body):
            target = getattr(x, "target", None) or getattr(x, "local", None)
            if isinstance(x, s.Statement) and target is not None and isinstance(r := root(target), e.Local):
                known.locals[r.name] = Value()
        found: Outcomes = {}
        for number in range(ROUNDS):
            inner = known.copy()
            shape = begin(inner)
            if shape == FALSE:
                break
            self._current = inner
            reached = self.body(body, inner)
            self._leave_round(reached, found)
            after = _either(reached.pop(NEXT, None), reached.pop(CONTINUE, None))
            _merge(found, reached)
            if after is None:
                break
            joined = known.joined(after)
            if joined == known:
                break
            known = joined
            if number == ROUNDS - 2:
                known.parts = {p: UNKNOWN if v.written else v for p, v in known.parts.items()}
        self._weak -= 1
        self._loops -= 1
        _merge(found, {NEXT: known})
        return found

    # -- writing

    @property
    def _times(self) -> int:
        """How often a statement is executed that is met once."""
        return MANY if self._loops else 1

    @property
    def _sure(self) -> bool:
        """Whether each run of this case comes here."""
        return not self._weak and not self._left

    def _write(self, node: Any, known: Knowledge) -> None:
        target = node.target
        given = self._given(node, known)
        base = target
        while not isinstance(base, e.Variable | e.Local) and not on_maps(base):
            if isinstance(base, e.Index):
                self.evaluation.value(base.key, known)
            base = base.base if isinstance(base, e.Index | e.Field) else base.value
        if isinstance(base, e.Local):
            self._local(node, base, target, given, known)
            return
        part = self.evaluation.part(base, known)
        if part.variable in self.networks and not part.path and self._message(node, given, known):
            return
        if base is not target:
            self.evaluation.note(part)  # the rest of the part stays
        way, value = _way(node), UNKNOWN
        if base is target and isinstance(node, s.SetAdd | s.SetRemove):
            item = given.shape
            part = Part(part.variable, (*part.path, Member(item.raw if isinstance(item, Known) else ANY)))
            value = Value(Known(int(isinstance(node, s.SetAdd))), None, True)
            if isinstance(node, s.SetRemove) and node.strict:
                self.evaluation.note(part)
        elif base is target and isinstance(node, s.Assign):
            value = Value(given.shape, given.closed, True)
        elif not isinstance(node, s.Assign):
            self.evaluation.note(part)
        raw = value.shape.raw if isinstance(value.shape, Known) and part.exact else None
        decided = isinstance(value.shape, Known) and part.exact
        write = Write(part, way, node.line, decided, raw, rise=_rise(node, way, decided, raw), sure=self._sure)
        self.writes[write] = self.writes.get(write, 0) + self._times
        known.write(part, value)

    def _given(self, node: Any, known: Knowledge) -> Value:
        """What a statement puts there; all of its operands are read."""
        operands = [
            getattr(node, n) for n in ("value", "item", "index") if isinstance(getattr(node, n, None), e.Expression)
        ]
        found = [self.evaluation.whole(x, known) for x in operands]
        return found[-1] if found else Value()

    def _local(self, node: Any, base: e.Local, target: e.Expression, given: Value, known: Knowledge) -> None:
        old = known.locals.get(base.name, Value()).shape
        value = Value()
        if base is target and isinstance(node, s.Assign):
            value = given
        elif (
            base is target and isinstance(node, s.SetAdd) and isinstance(old, Known) and isinstance(given.shape, Known)
        ):
            value = Value(Known(old.raw | {given.shape.raw}))
        known.locals[base.name] = value

    def _message(self, node: Any, given: Value, known: Knowledge) -> bool:
        """Whether a statement sends a message, or takes the one received."""
        match node:
            case s.BagAdd(_, e.Variable(_, name), _):
                sent = Sent(name, given.shape)
                self.sends[sent] = self.sends.get(sent, 0) + self._times
                return True
            case s.BagRemove(_, e.Variable(_, name), e.Local(_, local), _, every) if local == self.taken and not every:
                self.takes.add(name)
                self.takes_surely = self.takes_surely or self._sure
                return True
            case s.Assign(_, e.Variable(_, name), _) if given.shape != Known(()):
                self.sends[Sent(name, ANYTHING)] = MANY
        return False


def _way(node: Any) -> str:
    """The direction in which a statement changes what it writes."""
    match node:
        case s.SetAdd() | s.SeqAppend():
            return "grows"
        case s.SetRemove():
            return "falls"
        case s.Assign(_, target, value):
            while isinstance(value, e.Narrow):
                value = value.value
            match value:
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
    """By how much a number rises by a statement, 0 if it does not; None if that is not known."""
    kind = node.target.type
    if not isinstance(node, s.Assign) or not isinstance(kind, t.Int):
        return None
    if way == "falls" or (known and raw == kind.lo):
        return 0
    value = node.value
    while isinstance(value, e.Narrow):
        value = value.value
    match value:
        case e.Arithmetic(_, "+", left, e.Const(_, added)) if left == node.target and added >= 0:
            return int(added)
        case e.Arithmetic(_, "+", e.Const(_, added), right) if right == node.target and added >= 0:
            return int(added)
    return None


def _either(a: Knowledge | None, b: Knowledge | None) -> Knowledge | None:
    return a.joined(b) if a is not None and b is not None else a or b


def _merge(found: Outcomes, more: Outcomes) -> None:
    for way, known in more.items():
        found[way] = found[way].joined(known) if way in found else known
