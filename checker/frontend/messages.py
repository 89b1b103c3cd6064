"""Messages in flight as values: the variable with them, their number, and their contents."""

from __future__ import annotations

import ast

import attrs

from checker.frontend import lattice
from checker.frontend import meaning as m
from checker.frontend.coerce import coerce, fits, length
from checker.frontend.scope import Frame
from checker.frontend.source import line_of
from checker.ir import build
from checker.ir import expressions as e
from checker.ir import types as t


def place(f: Frame, net: m.Net) -> e.Variable:
    """The variable that holds the messages."""
    return f.program.variable(net.network.name, net.before)


def message_type(network: e.Expression) -> t.Record:
    """The record (source, target, body) of an unordered network."""
    assert isinstance(network.type, t.Bag) and isinstance(network.type.item, t.Record)
    return network.type.item


def queue(network: e.Expression, source: e.Expression, target: e.Expression, line: int) -> e.Index:
    """The queue from source to target of a FIFO network."""
    return build.index(build.index(network, source, line), target, line)


def in_flight(f: Frame, net: m.Net) -> e.Expression:
    """len(net)"""
    network = place(f, net)
    if isinstance(network.type, t.Bag):
        return length(network)
    process = net.network.process.ir
    p, q = (e.Local(process, f.body.unique(f"in flight {name}", name)) for name in "pq")
    generators = tuple(e.Generator(x, build.everything(process)) for x in (p, q))
    body = length(queue(network, p, q, 0))
    assert isinstance(body.type, t.Int)
    return e.Aggregate(t.Int(0, body.type.hi * lattice.count(t.Set(process)) ** 2), "sum", generators, body)


def found(f: Frame, node: ast.AST, between: m.Between, item: e.Expression) -> e.Expression:
    """Whether a body is in net.between(p, q)."""
    if between.net.network.carries:
        return build.compare(">", copies(f, node, between, item), build.integer(0))
    there = build.contains(place(f, between.net), _message(f, node, between, item))
    return _where_it_fits(f, between, item, there, build.FALSE)


def _where_it_fits(
    f: Frame, between: m.Between, item: e.Expression, value: e.Expression, otherwise: e.Expression
) -> e.Expression:
    """The value, if the item has the type of bodies of the network; another item is never in flight."""
    guard = fits(item, dict(message_type(place(f, between.net)).fields)["body"])
    if guard == build.TRUE:
        return value
    return build.after([item, between.source, between.target], build.if_else(guard, value, otherwise))


def _message(f: Frame, node: ast.AST, between: m.Between, item: e.Expression) -> e.Expression:
    type = message_type(place(f, between.net))
    return e.MakeRecord(type, (between.source, between.target, coerce(f, node, item, dict(type.fields)["body"])))


def copies(f: Frame, node: ast.AST, between: m.Between, item: e.Expression) -> e.Expression:
    """net.between(p, q).count(body)"""
    network = place(f, between.net)
    most = t.Int(0, lattice.count(network.type))
    if between.net.network.carries:
        body = dict(message_type(network).fields)["body"]
        found = build.after([item], number(f, node, between, (coerce(f, node, item, body), "body")))
    else:
        found = e.Count(most, network, _message(f, node, between, item))
    return _where_it_fits(f, between, item, found, coerce(f, node, build.integer(0), found.type))


def _selected(f: Frame, node: ast.AST, between: m.Between, *more: tuple[e.Expression, str]) -> e.Generator:
    network = place(f, between.net)
    type = message_type(network)
    local = f.nameless(node, "message", type)
    ends = ((between.source, "source"), (between.target, "target"), *more)
    conditions = tuple(build.compare("==", e.Field(end.type, local, name), end) for end, name in ends)
    return e.Generator(local, network, conditions)


def number(f: Frame, node: ast.AST, between: m.Between, *more: tuple[e.Expression, str]) -> e.Expression:
    """len(net.between(p, q)): how many messages in flight have these ends (and this body)."""
    network = place(f, between.net)
    generator = _selected(f, node, between, *more)
    most = t.Int(0, lattice.count(network.type))
    counted = e.Aggregate(most, "sum", (generator,), e.Count(most, network, generator.local))
    return build.after((between.source, between.target), counted)


def bodies(f: Frame, node: ast.AST, between: m.Between) -> e.Expression:
    """The distinct bodies in flight, in canonical order, as a sequence."""
    generator = _selected(f, node, between)
    body = dict(message_type(place(f, between.net)).fields)["body"]
    if between.net.network.carries:
        first = _first_of_equals(f, node, between, generator)
        generator = attrs.evolve(generator, conditions=(*generator.conditions, first))
    found = t.Seq(body, lattice.count(generator.iterable.type))
    made = e.SeqOf(found, (generator,), e.Field(body, generator.local, "body"), line_of(node))
    return build.after((between.source, between.target), made)


def _first_of_equals(f: Frame, node: ast.AST, between: m.Between, generator: e.Generator) -> e.Expression:
    """The condition that no equal body precedes this message: messages with equal bodies may carry different chains."""
    type = message_type(place(f, between.net))
    other = f.nameless(node, "other message", type, "other")
    same = (
        build.compare("==", e.Field(kind, other, name), e.Field(kind, generator.local, name))
        for name, kind in type.fields
        if name in ("source", "target", "body")
    )
    carried = next((name, kind) for name, kind in type.fields if name not in ("source", "target", "body"))
    before = build.compare("<", *(e.Field(carried[1], local, carried[0]) for local in (other, generator.local)))
    return build.negate(e.Quantifier(build.BOOL, "any", (e.Generator(other, generator.iterable, tuple(same)),), before))
