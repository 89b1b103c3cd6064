"""Quorum receptions: one step that takes a message from each process of a set, or from k of its processes.

`checker.backends.interpreter.gathering` defines their meaning; this module lowers a reception to statements that every
back end executes.  With p the receiver, for `at_least=k`:

    there = {q for q in members if a message from q to p is in flight that fits}
    require(0 < k <= len(there))
    spare = len(there) - k
    for q in there:
        if len(senders) == k: break
        if spare > 0 and choose([False, True]): spare -= 1; continue
        message = choose(those from q to p that fit); take it; senders.add(q)

A FIFO network has one message from q to p that fits or none: the head of the queue.  Statements have line 0: they are
the language's, not the model's.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from attrs import define

from checker.frontend import deliveries, expressions, faults, lattice, messages, observers
from checker.frontend import meaning as m
from checker.frontend.bindings import Known
from checker.frontend.coerce import coerce, length
from checker.frontend.scope import Frame
from checker.frontend.source import line_of
from checker.ir import build, values
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.language.definition import ActionDefinition, QuorumDefinition
from checker.language.signatures import parameters_of


def gather(f: Frame, node: ast.AST, action: ActionDefinition, quorum: QuorumDefinition) -> None:
    """Take the messages and bind the handler's parameters."""
    net = deliveries.network_of(f, action)
    receiver, senders, *fields = action.parameters
    target = e.Local(receiver.domain.ir, receiver.name)
    taking = _Taking(f, node, net, action, quorum, target)
    members = taking.members()
    wanted = taking.wanted(members)
    there = taking.bound("there", taking.present(members))
    enough = [build.compare("<=", wanted, length(there)), build.compare("<", build.integer(0), wanted)]
    f.emit(s.Require(0, build.conjunction(enough)))
    chosen = taking.bound(_of_handler(senders.name), build.empty(t.Set(target.type)))
    maps = {p.name: taking.map(p.name, p.domain.ir) for p in fields if p.name not in quorum.common}
    q = f.bind_item(node, "from", target.type)
    with f.body.collect() as each:
        if quorum.count is not None:
            f.emit(s.If(0, build.compare("==", length(chosen), wanted), (s.Break(0),)))
            taking.skip()
        taking.one(q, maps)
        f.emit(s.SetAdd(0, chosen, q))
    before = [taking.spare(there, wanted)] if quorum.count is not None else []
    f.body.out.extend(before)
    f.emit(s.For(0, q, there, tuple(each)))
    f.names |= {senders.name: Known(chosen)} | {name: Known(local) for name, local in maps.items()}
    f.body.actor = target
    sender = f.bind_item(node, "told", target.type)
    with f.body.collect() as notifying:
        observers.notify(f, node, "receive", [target, sender])
    if notifying:
        f.emit(s.For(0, sender, chosen, tuple(notifying)))


@define
class _Taking:
    f: Frame
    node: ast.AST
    net: m.Net
    action: ActionDefinition
    quorum: QuorumDefinition
    target: e.Local

    # -- the processes for which it waits

    def members(self) -> e.Expression:
        """The processes that the reception waits for, as a set."""
        if self.quorum.members is None:
            return build.everything(self.target.type)
        value = self._result_of(self.quorum.members)
        nobody = isinstance(value.type, t.Set) and lattice.unknown(value.type)  # a rule that returns set()
        if not nobody and (not isinstance(value.type, t.Set) or value.type.item != self.target.type):
            remedy = "A rule that each= or of= names returns a set of processes: {q for q in self.Process if ...}."
            given = f"{self.quorum.members} gives a {value.type}, and no set of processes"
            one = value.type == self.target.type
            alone = " For that process alone: return {...}, with what it returns between the braces." * one
            self.f.refuse(self.node, given, remedy + alone)
        return self.bound("members", coerce(self.f, self.node, value, t.Set(self.target.type)))

    def wanted(self, members: e.Expression) -> e.Expression:
        """The number of messages that the reception takes."""
        if self.quorum.count is None:
            return length(members)
        if isinstance(self.quorum.count, int):
            return build.integer(self.quorum.count)
        value = self._result_of(self.quorum.count)
        if not isinstance(value.type, t.Int):
            remedy = "A rule that at_least= names returns a number: return len(self.Process) // 2 + 1."
            self.f.refuse(self.node, f"{self.quorum.count} gives no number", remedy)
        return value if isinstance(value, e.Const) else self.bound("wanted", value)

    def _result_of(self, name: str) -> e.Expression:
        """The value of a rule, called with the parameters of the same names."""
        parameters = parameters_of(getattr(self.f.program.definition.model, name))
        call = ast.parse(f"self.{name}({', '.join(parameters)})", mode="eval").body
        for part in ast.walk(call):
            ast.copy_location(part, self.node)
        return expressions.value(self.f, call)

    # -- the messages in flight

    def present(self, members: e.Expression) -> e.Expression:
        """The members from which a matching message is in flight."""
        q = self.f.nameless(self.node, "member", self.target.type, "q")
        generator = e.Generator(q, members, (self._present(q),))
        return e.SetOf(t.Set(self.target.type), (generator,), q)

    def _present(self, q: e.Expression) -> e.Expression:
        network = messages.place(self.f, self.net)
        if isinstance(network.type, t.Bag):
            return e.Quantifier(build.BOOL, "any", (self._fitting(q, "seen"),), build.TRUE)
        queue = messages.queue(network, q, self.target, 0)
        return build.conjunction([build.compare(">", length(queue), build.integer(0)), *self._fits(self._head(queue))])

    def _fitting(self, q: e.Expression, name: str) -> e.Generator:
        """The matching messages from q to the receiver."""
        network = messages.place(self.f, self.net)
        message = self.f.nameless(self.node, name, messages.message_type(network), name)
        source, target, body, *_ = build.parts(message)
        ends = (build.compare("==", source, q), build.compare("==", target, self.target))
        return e.Generator(message, network, (*ends, *self._fits(body)))

    def _head(self, queue: e.Index) -> e.Expression:
        item = build.index(queue, build.integer(0))
        return build.parts(item)[0] if self.net.network.carries else item

    def _fits(self, body: e.Expression) -> Iterator[e.Expression]:
        if self.action.variant is not None:
            yield e.IsVariant(build.BOOL, body, self.action.variant)
        for parameter in self.quorum.fields:
            if parameter.name in self.quorum.common:
                given = e.Local(parameter.domain.ir, parameter.name)
                yield build.compare("==", self._part(body, parameter.name), given)

    def _part(self, body: e.Expression, name: str) -> e.Expression:
        return body if self.action.variant is None else deliveries.variant_field(body, self.action.variant, name, 0)

    # -- taking

    def spare(self, there: e.Expression, wanted: e.Expression) -> s.Statement:
        """Assign to a local the number of matching senders beyond the number needed."""
        return s.Assign(0, self._spare(), e.Narrow(self._spare().type, build.arithmetic("-", length(there), wanted)))

    def _spare(self) -> e.Local:
        return self.f.bind_item(self.node, "spare", t.Int(0, lattice.count(t.Set(self.target.type))))

    def skip(self) -> None:
        """Skip this process, if there are more messages than needed: a choice."""
        f, spare = self.f, self._spare()
        with f.body.collect() as choosing:
            left = faults.choose_bool(f, self.node, "left")
            less = e.Narrow(spare.type, build.arithmetic("-", spare, build.integer(1)))
            f.emit(s.If(0, left, (s.Assign(0, spare, less), s.Continue(0))))
        f.emit(s.If(0, build.compare(">", spare, build.integer(0)), tuple(choosing)))

    def one(self, q: e.Expression, maps: dict[str, e.Local]) -> None:
        """Take a message from q, and keep its fields by sender."""
        f, network = self.f, messages.place(self.f, self.net)
        if isinstance(network.type, t.Bag):
            kind = messages.message_type(network)
            fitting = self._fitting(q, "fitting")
            record = f.bind_item(self.node, "message", kind)
            every = e.SeqOf(t.Seq(kind, lattice.count(network.type)), (fitting,), fitting.local)
            f.emit(s.Choose(0, record, every))
            self._keep(q, build.parts(record)[2:], maps)
            f.emit(s.BagRemove(0, network, record, True))
            return
        queue = messages.queue(network, q, self.target, 0)
        head = build.index(queue, build.integer(0))
        self._keep(q, build.parts(head) if self.net.network.carries else (head,), maps)
        f.emit(s.SeqRemoveAt(0, queue, build.integer(0)))

    def _keep(self, q: e.Expression, content: tuple[e.Expression, ...], maps: dict[str, e.Local]) -> None:
        body, *chain = content
        for name, local in maps.items():
            assert isinstance(local.type, t.Map)
            part = self._part(body, name)
            value = part if part.type == local.type.value else e.Some(local.type.value, part)
            self.f.emit(s.Assign(0, build.index(local, q), value))
        for carried in chain:
            deliveries.arrive(self.f, self.net, self.target, carried, 0)

    # -- locals

    def bound(self, name: str, value: e.Expression) -> e.Local:
        """A local with this value."""
        local = self.f.bind_item(self.node, name, value.type)
        self.f.emit(s.Assign(line_of(self.node) if isinstance(value, e.Call) else 0, local, value))
        return local

    def map(self, name: str, type: t.Type) -> e.Local:
        """A map by sender, with none everywhere."""
        return self.bound(_of_handler(name), build.constant(type, values.zero(type), self.f.body.unique))


def _of_handler(name: str) -> str:
    """The name of the local for a parameter of the handler; no other local of this module has a dot in its name."""
    return f"taken.{name}"
