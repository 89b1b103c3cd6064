"""Networks: sending, multicasting with a crash in the middle, receiving, and the steps that lose or duplicate messages.

The order of choices is the interpreter's: a message is chosen among the distinct ones in canonical order; on a FIFO
network first a pair (source, target), of which only those with a message go on.
"""

from __future__ import annotations

import ast

from checker.frontend import comprehensions, conversions, expressions, faults, iterating, lowering, messages, observers
from checker.frontend import meaning as m
from checker.frontend.arguments import arguments
from checker.frontend.captures import stable
from checker.frontend.coerce import coerce, present, temporary
from checker.frontend.kinds import Kind
from checker.frontend.program import BETWEEN
from checker.frontend.scope import Frame
from checker.frontend.source import line_of
from checker.ir import build
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.facts import may_fail
from checker.language.definition import NetworkDefinition

# Expressions


def expression(f: Frame, node: ast.Call, bound: m.NetBound) -> m.Result:
    """net.between(p, q)"""
    if bound.name != "between":
        remedy = "Networks have between(p, q), len(net), and the statements send and multicast."
        f.refuse(node, f".{bound.name}(...) of a network has no value", remedy)
    network = bound.net.network
    f.program.read.setdefault(BETWEEN, f.source.function.__qualname__)
    source, target = (_end(f, a, network.process.ir) for a in arguments(f, node, 2, 2))
    if network.fifo and network.carries:
        return _without_chains(f, node, messages.queue(messages.place(f, bound.net), source, target, line_of(node)))
    if network.fifo:
        return build.copy(messages.queue(messages.place(f, bound.net), source, target, line_of(node)))
    return m.Between(bound.net, source, target)


def _end(f: Frame, node: ast.expr, process: t.Type) -> e.Expression:
    """The source or target of a message: a process, not None."""
    return present(expressions.value(f, node, process), line_of(node))


def _without_chains(f: Frame, node: ast.AST, queue: e.Index) -> e.Expression:
    """The bodies in a queue of a FIFO network whose messages carry a variable."""
    assert isinstance(queue.type, t.Seq) and isinstance(queue.type.item, t.Record)
    local = f.nameless(node, "item", queue.type.item)
    body = dict(queue.type.item.fields)["body"]
    field = e.Field(body, local, "body")
    return e.SeqOf(t.Seq(body, queue.type.capacity), (e.Generator(local, queue),), field, line_of(node))


# Statements


@lowering.called(m.NetBound)
def apply(f: Frame, node: ast.Call, bound: m.NetBound) -> None:
    """net.send(p, q, body) or net.multicast(p, body, to=...)"""
    if f.body.pure:
        f.refuse(node, "a rule, property or function sends a message", "Send it in the action.")
    if f.observer:
        f.refuse(node, "a property sends a message", "A property changes only its own variables.")
    match bound.name:
        case "send":
            _send(f, node, bound.net)
        case "multicast":
            _multicast(f, node, bound.net)
        case "between":
            f.refuse(node, "between(p, q) changes nothing", "Use its value.")
        case name:
            f.refuse(node, f"a network has no .{name}", "Networks have send, multicast, between and len.")


def _send(f: Frame, node: ast.Call, net: m.Net) -> None:
    source, target, body = _operands(f, node, net, ("source", "target", "body"))
    faults.cut(f, node, source)
    put(f, node, net, source, target, body)


def _operands(f: Frame, node: ast.Call, net: m.Net, names: tuple[str, ...]) -> list[e.Expression]:
    """The operands, evaluated in the order of the call.

    Operands are checked after all are evaluated, the body last: a later operand may contain a choice, possibly without
    an element.
    """
    given = dict(zip(names, node.args)) | {str(k.arg): k.value for k in node.keywords}
    needed = [n for n in names if n != "to"]
    if not set(needed) <= set(given) <= set(names) or len(given) < len(node.args) + len(node.keywords):
        remedy = "net.send(p, q, body), net.multicast(p, body), net.multicast(p, body, to=set)"
        f.refuse(node, f"{ast.unparse(node.func)} takes ({', '.join(needed)})", remedy)
    values = {n: _operand(f, node, net, n, argument) for n, argument in given.items()}
    if "to" in names and "to" not in values:
        values["to"] = build.everything(net.network.process.ir)
    kept = {n: _kept(f, node, values[n], n) for n in sorted(names, key="body".__eq__)}
    return [kept[n] for n in names]


def _operand(f: Frame, node: ast.Call, net: m.Net, name: str, given: ast.expr) -> e.Expression:
    match name:
        case "to":
            return _targets(f, node, net, given)
        case "body":
            return expressions.value(f, given, net.network.body.ir)
        case _:
            return _end(f, given, net.network.process.ir)


def _kept(f: Frame, node: ast.AST, value: e.Expression, base: str) -> e.Expression:
    return value if stable(f.body, value) and not may_fail(value) else temporary(f, node, value, base)


def put(f: Frame, node: ast.AST, net: m.Net, source: e.Expression, target: e.Expression, body: e.Expression) -> None:
    """Put a message in flight, unless its target has crashed or is on the other side of a split network."""
    network, line = messages.place(f, net), line_of(node)
    add: s.Statement
    content = (body,) if net.network.carries is None else (body, _chain(f, net.network, source, target))
    if isinstance(network.type, t.Bag):
        add = s.BagAdd(line, network, e.MakeRecord(network.type.item, (source, target, *content)))
    else:
        place_ = messages.queue(network, source, target, line)
        assert isinstance(place_.type, t.Seq)
        add = s.SeqAppend(
            line, place_, body if net.network.carries is None else e.MakeRecord(place_.type.item, content)
        )
    with f.body.collect() as sent:
        observers.notify(f, node, "send", [source, target])
        faults.when(f, node, _connected(f, source, target), [add])
    faults.when(f, node, alive(f, target), sent)


def _chain(f: Frame, network: NetworkDefinition, source: e.Expression, target: e.Expression) -> e.Expression:
    """The chain that a message carries: one more than its sender's, if that is not 0 and the message goes to another
    process.
    """
    known = known_chain(f, network, source)
    assert isinstance(known.type, t.Int)
    most = build.arithmetic("min", build.arithmetic("+", known, build.integer(1)), build.integer(known.type.hi))
    same = build.disjunction([build.compare("==", known, build.integer(0)), build.compare("==", source, target)])
    return build.if_else(same, known, e.Narrow(known.type, most))


def known_chain(f: Frame, network: NetworkDefinition, process: e.Expression) -> e.Index:
    """The element of a process in the variable that messages carry."""
    return build.index(f.program.variable(str(network.carries)), process)


def _connected(f: Frame, source: e.Expression, target: e.Expression) -> e.Expression:
    """The condition that the network is whole, or that both processes are on one side; constant if the network never
    splits.
    """
    if not f.program.has("apart"):
        return build.TRUE
    apart = f.program.variable("apart")
    return build.compare("==", build.contains(apart, source), build.contains(apart, target))


def alive(f: Frame, process: e.Expression) -> e.Expression:
    """The condition that the process has not crashed; constant if no process ever crashes."""
    if not f.program.failing:
        return build.TRUE
    return build.negate(build.contains(f.program.variable("crashed"), process))


def _multicast(f: Frame, node: ast.Call, net: m.Net) -> None:
    source, body, targets = _operands(f, node, net, ("source", "body", "to"))
    faults.cut(f, node, source, lambda: _reach_some(f, node, net, source, body, targets))
    target = f.bind_item(node, "target", net.network.process.ir)
    with f.body.collect() as each:
        put(f, node, net, source, target, body)
    iterating.check_symmetric(f, node, target, targets, tuple(each))
    f.emit(s.For(line_of(node), target, targets, tuple(each)))


def _targets(f: Frame, node: ast.Call, net: m.Net, to: ast.expr) -> e.Expression:
    """The processes of to=...; None stands for all."""
    given, everyone = expressions.meaning(f, to), build.everything(net.network.process.ir)
    if isinstance(given, e.NoneValue):
        return everyone
    if not isinstance(given, e.Expression) or not isinstance(given.type, t.Optional):
        return _among(f, node, net, to, given)
    kept = given if stable(f.body, given) else temporary(f, to, given, "to")
    some = _among(f, node, net, to, e.Unwrap(given.type.item, kept, line_of(node)))
    return build.if_else(build.is_none(kept), coerce(f, to, everyone, some.type), some)


def _among(f: Frame, node: ast.Call, net: m.Net, to: ast.expr, given: m.Result) -> e.Expression:
    """The set of the processes that a multicast addresses."""
    items = comprehensions.as_iterable(f, to, given)
    if isinstance(items.type, t.Seq):
        items = conversions.set_of(f, node, to, items, Kind.MADE)
    return coerce(f, to, items, t.Set(net.network.process.ir))


def _reach_some(
    f: Frame, node: ast.Call, net: m.Net, source: e.Expression, body: e.Expression, targets: e.Expression
) -> None:
    """The sender crashes after only some of the other live targets were reached."""
    line, process = line_of(node), net.network.process.ir
    missed = f.bind_item(node, "missed", build.BOOL)
    f.emit(s.Assign(line, missed, build.FALSE))
    other = f.bind_item(node, "other", process)
    with f.body.collect() as each:
        reached = faults.choose_bool(f, node, "reached")
        with f.body.collect() as then:
            put(f, node, net, source, other, body)
        f.emit(s.If(line, reached, tuple(then), (s.Assign(line, missed, build.TRUE),)))
    eligible = build.conjunction([build.compare("!=", other, source), alive(f, other)])
    f.emit(s.For(line, other, targets, (s.If(line, eligible, tuple(each)),)))
    f.emit(s.Require(line, missed))
    faults.crash_here(f, node, source)
