"""The messages that a quorum reception takes: one message from each process that it waits for, or from at least k of
them.

It takes only messages that a plain handler could receive: on an unordered network any message in flight, on a FIFO
network the head of each queue.  Choices follow the order of the processes: for each process with a message, as long as
more processes have one than are needed, whether its message is taken (first) or left; then which of its distinct
messages.
"""

from __future__ import annotations

from typing import Any

from checker.frozen import frozen
from checker.language import choice
from checker.language.collection_domains import MapDomain
from checker.language.definition import ActionDefinition, QuorumDefinition
from checker.language.network import Event, NetworkValue
from checker.language.signatures import parameters_of

Message = tuple[Any, ...]
"""Source, target, body, then the attributes that the message carries."""


@frozen
class Waiting:
    """One instance of a quorum reception in a state: the processes whose messages it waits for, how many of them it
    needs, and the messages in flight, by sender.
    """

    network: NetworkValue
    action: ActionDefinition
    quorum: QuorumDefinition
    given: dict[str, Any]
    members: tuple[Any, ...]
    wanted: int
    there: dict[Any, list[Message]]

    @classmethod
    def of(cls, model: Any, network: NetworkValue, action: ActionDefinition, given: tuple[Any, ...]) -> Waiting:
        """The instance for these values of the parameters."""
        quorum = action.quorum
        assert quorum is not None
        named = dict(zip((p.name for p in action.tried), given))

        def of_rule(name: str) -> Any:
            rule = getattr(model, name)
            return rule(*(named[p] for p in parameters_of(getattr(type(model), name))))

        everyone = network.definition.process.members
        among = everyone if quorum.members is None else of_rule(quorum.members)
        members = tuple(p for p in everyone if p in among)
        wanted = len(members) if quorum.count is None else quorum.count
        wanted = of_rule(wanted) if isinstance(wanted, str) else wanted
        waiting = cls(network, action, quorum, named, members, wanted, {})
        for message in network.messages():
            if message[1] == given[0] and message[0] in members and waiting._fits(body_of(network, message)):
                waiting.there.setdefault(message[0], []).append(message)
        return waiting

    def _fits(self, body: Any) -> bool:
        if self.action.variant is None:
            return all(body == self.given[name] for name in self.quorum.common)
        return type(body).__name__ == self.action.variant and all(
            getattr(body, name) == self.given[name] for name in self.quorum.common
        )

    @property
    def complete(self) -> bool:
        """Whether enough messages are in flight; a quorum of no process is never complete."""
        return 0 < self.wanted <= len(self.there)

    @property
    def missing(self) -> tuple[Any, ...]:
        """The processes from which no message is in flight."""
        return tuple(p for p in self.members if p not in self.there)

    def take(self) -> dict[Any, Any]:
        """The messages taken, by sender, as bodies; they leave the network.  Raises Disabled if too few are there."""
        choice.require(self.complete)
        spare, taken = len(self.there) - self.wanted, dict[Any, Any]()
        for source in (p for p in self.members if p in self.there):
            if len(taken) == self.wanted:
                break
            if spare > 0 and choice.choice(2):
                spare -= 1
                continue
            taken[source] = self._taken(self.there[source])
        return taken

    def _taken(self, messages: list[Message]) -> Any:
        network = self.network
        if network.definition.fifo:
            (message,) = messages
            network.content[message[0]][message[1]].pop(0)
        else:
            message = messages[choice.choice(len(messages))]
            network.content.remove(message)
        body, *chain = carried(network, message)
        if chain:
            network.arrive(message[1], *chain)
        network.model.emitted.append(Event("receive", (network.definition.name, message[0], message[1], body)))
        return body

    def arguments(self, taken: dict[Any, Any]) -> tuple[tuple[str, Any], ...]:
        """The values of the handler's parameters."""
        receiver, senders, *fields = self.action.parameters
        return (
            (receiver.name, self.given[receiver.name]),
            (senders.name, senders.domain.freeze(frozenset(taken))),
            *((p.name, self.given[p.name] if p.name in self.given else self._by_sender(p, taken)) for p in fields),
        )

    def _by_sender(self, parameter: Any, taken: dict[Any, Any]) -> Any:
        assert isinstance(parameter.domain, MapDomain)
        name = parameter.name if self.action.variant is not None else None
        parts = {q: body if name is None else getattr(body, name) for q, body in taken.items()}
        return parameter.domain.freeze({q: parts.get(q) for q in parameter.domain.key})


def carried(network: NetworkValue, message: Message) -> tuple[Any, ...]:
    """The body of a message, then the attributes that it carries."""
    definition = network.definition
    return tuple(message[2]) if definition.fifo and definition.carries else message[2:]


def body_of(network: NetworkValue, message: Message) -> Any:
    """The body of a message."""
    return carried(network, message)[0]
