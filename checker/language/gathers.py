"""A handler with a quorum, once constants and types are fixed: its parameters, the rules that it calls, and the number
of messages that it takes.  A wrong quorum is refused here, at the line of the handler.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from attrs import evolve

from checker.ir.domain import size
from checker.language import definition as d
from checker.language.collection_domains import MapDomain
from checker.language.constants import Constants, fixed
from checker.language.domains import Domain, OptionalDomain, SetDomain
from checker.language.errors import UsageError, has, near
from checker.language.model import mark_of
from checker.language.quorum import Quorum, unknown
from checker.language.room import MEMBERS, require_few_instances
from checker.language.signatures import parameters_of

Resolve = Callable[[Any], Domain]


def gathers(
    cls: type,
    handler: d.ActionDefinition,
    quorum: Quorum,
    process: Domain,
    resolve: Resolve,
    known: Constants,
    given: Mapping[str, Any],
) -> d.ActionDefinition:
    """The handler with its quorum.  Raises UsageError."""
    receiver, senders, *fields = handler.parameters
    if missing := unknown(quorum.same, [p.name for p in fields]):
        remedy = f"same= names parameters that all these messages agree in. {has(p.name for p in fields)}"
        raise _wrong(handler, f"same={missing[0]!r} is none of its parameters for the message", remedy)
    common = tuple(p for p in fields if p.name in quorum.same)
    for p in common:
        if (size(p.domain.ir) or MEMBERS + 1) > MEMBERS:
            remedy = "Every value of it is tried: leave it out of same=, and compare the messages in the handler."
            raise _wrong(handler, f"{p.name} ranges over {p.domain!r}, which cannot be enumerated", remedy)
    assert handler.function is not None
    tried = (receiver, *common)
    require_few_instances(handler.name, handler.function, [(p.name, p.domain.ir) for p in tried], dict(given))
    by_sender = [p if p in common else evolve(p, domain=MapDomain(process, _perhaps(p.domain))) for p in fields]
    members = quorum.members
    if members is not None and not isinstance(members, str):
        if resolve(members) is not process:
            raise _wrong(
                handler, "its each= or of= is another type than the network's processes", "Write each=Process."
            )
        members = None
    count = quorum.count if isinstance(quorum.count, str) else _number(handler, fixed(quorum.count, known))
    names = [p.name for p in tried]
    for rule, what in ((members, "a set of processes"), (count, "a number")):
        if isinstance(rule, str):
            _check_rule(cls, handler, rule, names, what)
    return evolve(
        handler,
        parameters=(receiver, evolve(senders, domain=SetDomain(process)), *by_sender),
        quorum=d.QuorumDefinition(members, count, tuple(p.name for p in common), tuple(fields)),
    )


def _number(handler: d.ActionDefinition, count: Any) -> int | None:
    """The number of messages, None if all.  Raises UsageError; a constant is no rule, whatever its text."""
    if count is not None and (isinstance(count, bool) or not isinstance(count, int) or count < 1):
        raise _wrong(handler, f"at_least={count!r} is no number of processes", "It takes one message or more.")
    return count


def _perhaps(domain: Domain) -> Domain:
    """A field by process: None for processes that are not senders."""
    return domain if isinstance(domain, OptionalDomain) else OptionalDomain(domain)


def _check_rule(cls: type, handler: d.ActionDefinition, name: str, names: list[str], what: str) -> None:
    """Raise UsageError if a rule is no rule, or has parameters that the handler does not know before it takes the
    messages.
    """
    rule = getattr(cls, name, None)
    mark = mark_of(cls, name)
    if not inspect.isfunction(rule) or mark is None or mark.kind != "rule":
        raise _wrong(handler, f"{name} is no rule", f"Write @rule above it; it returns {what}.")
    if missing := unknown(parameters_of(rule), names):
        remedy = (
            f"{near(missing[0], names)} Before the messages are taken it knows {', '.join(names)}: the receiver, and "
            f"what same= names."
        ).strip()
        raise _wrong(handler, f"the rule {name} asks for {missing[0]}", remedy)


def _wrong(handler: d.ActionDefinition, what: str, remedy: str) -> UsageError:
    return UsageError(f"handler {handler.name}: {what}", remedy=remedy)
