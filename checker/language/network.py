"""Networks between processes: sending, reading the messages in flight, and crashing in the middle of a multicast.

The state of an unordered network is a bag of (source, target, body); of a FIFO network a queue for each ordered pair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Protocol

from checker.frozen import frozen
from checker.language.choice import choice, require
from checker.language.collection_domains import BagDomain, SeqDomain
from checker.language.containers import BagValue, SeqValue
from checker.language.definition import NetworkDefinition
from checker.language.errors import Stopped
from checker.language.storage import Storage


@frozen
class Event:
    """An event of a step: a name and its arguments (Python values)."""

    name: str
    arguments: tuple[Any, ...]


class Stepping(Protocol):
    """The part of a model object that a network uses."""

    storage: Storage
    emitted: list[Event]
    acting: Any

    def budget_left(self) -> bool: ...
    def crash_process(self, process: Any) -> None: ...
    def crash_point(self, omitted: Event) -> None: ...
    def _notify(self, name: str, *arguments: Any) -> None: ...


class NetworkValue:
    """A network of a model object."""

    def __init__(self, model: Stepping, definition: NetworkDefinition, content: Any) -> None:
        self.model, self.definition, self.content = model, definition, content

    def send(self, source: Any, target: Any, body: Any) -> None:
        """source sends body to target; if the target has crashed the message is dropped."""
        self._check(source, target)
        body = self.definition.body.freeze(body)
        if source == self.model.acting:
            self.model.crash_point(Event("unsent", (self.definition.name, source, target, body)))
        self.put(source, target, body)

    def multicast(self, source: Any, body: Any, to: Any = None) -> None:
        """source sends body to every process of `to` (all, itself included); it may crash after only some were
        reached."""
        self._check(source, *(() if to is None else to))
        body = self.definition.body.freeze(body)
        targets = [p for p in self.definition.process if to is None or p in to]
        model = self.model
        if model.acting is not None and source == model.acting and model.budget_left() and choice(2):
            others = [p for p in targets if p != source and p not in _crashed(model)]
            missed = []
            for p in others:
                if choice(2):
                    self.put(source, p, body)
                else:
                    missed.append(p)
            require(missed)
            model.emitted.append(Event("unreached", tuple(missed)))
            model.crash_process(source)
            raise Stopped
        for p in targets:
            self.put(source, p, body)

    def put(self, source: Any, target: Any, body: Any) -> None:
        """Put a message in flight, without any crash; while the network is split, messages between the sides are
        lost."""
        if target in _crashed(self.model):
            self.model.emitted.append(Event("unarrived", (self.definition.name, source, target, body)))
            return
        self.model.emitted.append(Event("send", (self.definition.name, source, target, body)))
        self.model._notify("send", source, target)
        apart = self.model.storage.get("apart", ())
        if (source in apart) != (target in apart):
            self.model.emitted.append(Event("lose", (self.definition.name, source, target, body)))
            return
        chain = (self._chain(source, target),) if self.definition.carries else ()
        if self.definition.fifo:
            self.content[source][target].append((body, *chain) if chain else body)
        else:
            self.content.add((source, target, body, *chain))

    def _check(self, *ends: Any) -> None:
        """Raise ModelError for a value that is no process, usually None."""
        for end in ends:
            self.definition.process.freeze(end)

    def _chain(self, source: Any, target: Any) -> int:
        """The number for its chain that a message from source to target carries (`checker.language.model.chain`)."""
        chains = self.model.storage[str(self.definition.carries)]
        known = chains[source]
        return known if known == 0 or source == target else min(known + 1, chains.domain.value.hi)

    def arrive(self, target: Any, chain: int) -> None:
        """target receives a message that carries this number for its chain."""
        chains = self.model.storage[str(self.definition.carries)]
        chains[target] = max(chains[target], chain)

    def between(self, source: Any, target: Any) -> Any:
        """The messages in flight from source to target: a bag, or on a FIFO network a sequence."""
        self._check(source, target)
        if self.definition.fifo:
            content = self.content[source][target]
            items = [item.body for item in content] if self.definition.carries else content
            return SeqValue(SeqDomain(self.definition.body, None), items, True)
        bodies: Counter[Any] = Counter()
        for m, n in self.content.counts.items():
            if m[0] == source and m[1] == target:
                bodies[m[2]] += n
        return BagValue(BagDomain(self.definition.body, None), bodies, True)

    def __len__(self) -> int:
        """Messages in flight."""
        if self.definition.fifo:
            return sum(len(queue) for queues in self.content.entries.values() for queue in queues.entries.values())
        return len(self.content)

    def __repr__(self) -> str:
        if self.definition.fifo:
            queues = ((s, t, q) for s, row in self.content.entries.items() for t, q in row.entries.items())
            return ", ".join(f"{s!r}→{t!r} {q!r}" for s, t, q in queues if len(q)) or "empty"
        counts = ((m, self.content.count(m)) for m in self.content)
        return ", ".join(f"{m[0]!r}→{m[1]!r} {m[2]!r}" + f" x{n}" * (n > 1) for m, n in counts if n) or "empty"

    def drop(self, target: Any) -> None:
        """Drop everything in flight to a process."""
        for source, other, *_ in list(self.messages()):
            if other == target:
                if self.definition.fifo:
                    self.content[source][target].clear()
                else:
                    self.content = self.model.storage[self.definition.name]
                    for m in [m for m in self.content.counts if m[1] == target]:
                        del self.content.counts[m]

    def messages(self) -> Iterator[tuple[Any, ...]]:
        """Distinct messages (source, target, body, then the chain, if there is one) in canonical order; on a FIFO
        network the heads of the queues (source, target, item).
        """
        if not self.definition.fifo:
            yield from (tuple(m) for m in self.content)
            return
        for source in self.definition.process:
            for target in self.definition.process:
                if len(self.content[source][target]):
                    yield source, target, self.content[source][target][0]


def _crashed(model: Stepping) -> Any:
    return model.storage.get("crashed", ())
