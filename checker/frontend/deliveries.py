"""Steps that take a message from a network: handlers, and the faults that lose or duplicate a message."""

from __future__ import annotations

import ast

from checker.frontend import meaning as m
from checker.frontend import messages, networks, observers
from checker.frontend.bindings import Known
from checker.frontend.coerce import length
from checker.frontend.scope import Frame
from checker.frontend.source import line_of
from checker.frozen import frozen
from checker.ir import build
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.language.definition import ActionDefinition


@frozen
class Message:
    """A chosen message."""

    source: e.Expression
    target: e.Expression
    body: e.Expression
    chain: e.Expression | None = None


def receive(f: Frame, node: ast.AST, action: ActionDefinition) -> tuple[e.Expression, ...]:
    """Take a message and bind the handler's parameters.  The result identifies the message."""
    net = network_of(f, action)
    network, line = messages.place(f, net), line_of(node)
    message, record = _chosen(f, node, net)
    parameters = [p.name for p in action.parameters]
    fields: list[e.Expression] = [message.body]
    if action.variant is not None:
        f.emit(s.Require(line, e.IsVariant(build.BOOL, message.body, action.variant)))
        fields = [variant_field(message.body, action.variant, n, line) for n in parameters[2:]]
    values = [_kept(f, node, p, v) for p, v in zip(parameters, (message.target, message.source, *fields))]
    chain = None if message.chain is None else _kept(f, node, "chain", message.chain)
    if record is not None:
        f.emit(s.BagRemove(line, network, record, True))
    else:
        f.emit(s.SeqRemoveAt(line, messages.queue(network, message.source, message.target, line), build.integer(0)))
    if chain is not None:
        arrive(f, net, values[0], chain, line)
    f.names |= {p: Known(v) for p, v in zip(parameters, values)}
    f.body.actor = values[0]
    observers.notify(f, node, "receive", [values[0], values[1]])
    if record is not None and chain is None:
        return (record,)
    # two copies that differ in their chains alone are the same message
    return (message.source, message.target, message.body)


def arrive(f: Frame, net: m.Net, target: e.Expression, chain: e.Expression, line: int) -> None:
    """Give the receiver the chain of a message, unless its own chain is at least as long."""
    known = networks.known_chain(f, net.network, target)
    longer = build.arithmetic("max", known, chain)
    f.emit(s.Assign(line, known, longer if longer.type == known.type else e.Narrow(known.type, longer)))


def _kept(f: Frame, node: ast.AST, name: str, value: e.Expression) -> e.Expression:
    if isinstance(value, e.Local):
        return value
    local = f.body.unique(("parameter", name), name)
    f.body.grow(local, value.type)
    f.body.declared[local] = None
    f.emit(s.Assign(line_of(node), e.Local(value.type, local), value))
    return e.Local(value.type, local)


def variant_field(body: e.Expression, variant: str, name: str, line: int) -> e.Expression:
    """A field of a message of a variant."""
    assert isinstance(body.type, t.Union)
    record = next(v for v in body.type.variants if v.name == variant)
    return e.VariantField(dict(record.fields)[name], body, variant, name, line)


def network_of(f: Frame, action: ActionDefinition) -> m.Net:
    """The network that an action takes a message from."""
    network = f.program.variables[str(action.network)].network
    assert network is not None
    return m.Net(network)


def _chosen(f: Frame, node: ast.AST, net: m.Net) -> tuple[Message, e.Expression | None]:
    """Choose a message: any on an unordered network, the head of any queue on a FIFO one."""
    network, line = messages.place(f, net), line_of(node)
    if isinstance(network.type, t.Bag):
        record = f.bind_item(node, "message", messages.message_type(network))
        f.emit(s.Choose(line, record, network))
        return Message(*build.parts(record)), record
    process = net.network.process.ir
    pair = t.Record("", (("0", process), ("1", process)))
    local = f.bind_item(node, "channel", pair)
    f.emit(s.Choose(line, local, build.everything(pair)))
    source, target = build.parts(local)
    queue = messages.queue(network, source, target, line)
    f.emit(s.Require(line, build.compare(">", length(queue), build.integer(0))))
    head = build.index(queue, build.integer(0), line)
    if not net.network.carries:
        return Message(source, target, head), None
    return Message(source, target, *build.parts(head)), None


def lose_or_duplicate(f: Frame, node: ast.AST, action: ActionDefinition) -> None:
    """A fault step of a network; it uses up the budget by one."""
    budget, used = ("losses", "lost") if action.kind == "lose" else ("duplicates", "duplicated")
    counter = f.program.variable(used)
    f.emit(s.Require(0, build.compare("<", counter, build.integer(int(f.program.definition.constants[budget])))))
    net = network_of(f, action)
    network = messages.place(f, net)
    message, record = _chosen(f, node, net)
    if record is not None:
        f.emit(s.BagRemove(0, network, record, True) if action.kind == "lose" else s.BagAdd(0, network, record))
    else:
        _in_queue(f, node, messages.queue(network, message.source, message.target, 0), action.kind)
    f.emit(s.Assign(0, counter, e.Narrow(counter.type, build.arithmetic("+", counter, build.integer(1)))))


def _in_queue(f: Frame, node: ast.AST, queue: e.Index, kind: str) -> None:
    assert isinstance(queue.type, t.Seq)
    places = t.Seq(t.Int(0, max(queue.type.capacity - 1, 0)), queue.type.capacity)
    place = f.bind_item(node, "place", places.item)
    f.emit(s.Choose(0, place, e.Range(places, build.integer(0), length(queue))))
    if kind == "lose":
        f.emit(s.SeqRemoveAt(0, queue, place))
        return
    behind = build.arithmetic("+", place, build.integer(1))
    f.emit(s.SeqInsert(0, queue, behind, build.index(queue, place)))
