"""The meaning of a model: its own methods, executed by Python in a state, for every parameter and every choice.

The order of successors is part of the meaning: actions as declared, then parameters (the first varies slowest), then
choices (the first varies slowest).  The interpreter is slow and simple; every compiled back end is compared with it.
"""

from __future__ import annotations

import ast
import os
import re
import traceback
from collections.abc import Callable, Iterable, Iterator
from itertools import product, takewhile
from typing import Any

from attrs import define, field

from checker.backends.interpreter.gathering import Waiting, carried
from checker.frozen import frozen
from checker.language import choice
from checker.language.definition import ActionDefinition, Definition, MethodDefinition, PropertyDefinition
from checker.language.errors import Disabled, ModelError, Stopped
from checker.language.model import Model
from checker.language.network import Event, NetworkValue
from checker.language.places import file_of, statement_line, tree, written
from checker.language.start import starts

Raw = tuple[Any, ...]


@frozen
class Failure:
    """A failure inside a step or a property: kind "error" or "assert", the name that every engine reports, a message
    with the values, and the file and line of the source.

    own: whether the file is the model's own; called: if not, the place in the model's file from which the code was
    called.
    """

    kind: str
    name: str
    message: str
    file: str
    line: int
    own: bool = True
    called: tuple[str, int] | None = None

    @property
    def place(self) -> str:
        """File and line, then the place in the model's own file that led there."""
        called = "" if self.called is None else f", called at {os.path.basename(self.called[0])}:{self.called[1]}"
        return f"{os.path.basename(self.file)}:{self.line}{called}"


@frozen
class Step:
    """One enabled instance of an action: its effects, and its next state (None after a failure).

    crashed: the acting process crashed in the middle of the step.  idle: the step does not change the state.
    """

    action: ActionDefinition
    arguments: tuple[tuple[str, Any], ...]
    choices: tuple[int, ...]
    events: tuple[Event, ...]
    after: Raw | None
    failure: Failure | None = None
    crashed: bool = False
    idle: bool = False

    @property
    def progress(self) -> bool:
        """Whether the step is progress: faults and steps with a crash in the middle are not."""
        return not (self.action.fault or self.crashed)

    @property
    def weakly_fair(self) -> bool:
        """Whether the step counts as taking its instance, in the sense of weak fairness: the action is fair and was
        executed to its end; with `fair="change"` the step must change the state.
        """
        return self.action.fair and self.progress and not (self.action.changing and (self.idle or self.after is None))

    def __str__(self) -> str:
        return f"{self.action.name}({', '.join(repr(value) for _, value in self.arguments)})"


@define
class Interpreter:
    """Enumerates the behaviour of a definition.  executed: instances of actions tried so far, with every choice."""

    definition: Definition
    executed: int = field(init=False, default=0)
    model: Model = field(init=False)
    _before: Model = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.model = Model.of.__func__(self.definition.model, self.definition)  # type: ignore[attr-defined]
        self._before = Model.of.__func__(self.definition.model, self.definition)  # type: ignore[attr-defined]

    def initial(self, ended: Callable[[], bool] = lambda: False) -> list[Raw]:
        """Distinct initial states in order of first appearance; those found so far once `ended` becomes true."""
        return list(dict.fromkeys(takewhile(lambda _: not ended(), starts(self.model))))

    def steps(self, state: Raw, name: str | None = None) -> Iterator[Step]:
        """Every enabled instance in a state, in canonical order; `name`: of this action alone."""
        for action in self.definition.actions:
            if name not in (None, action.name):
                continue
            for arguments in product(*(p.domain.members for p in action.tried)):
                yield from self._instances(state, action, arguments)

    def _instances(self, state: Raw, action: ActionDefinition, arguments: tuple[Any, ...]) -> Iterator[Step]:
        script = choice.Script()
        while True:
            step = self._execute(state, action, arguments, script)
            if step is not None:
                yield step
            if not script.advance():
                return

    def _execute(
        self, state: Raw, action: ActionDefinition, arguments: tuple[Any, ...], script: choice.Script
    ) -> Step | None:
        model = self.model
        self.executed += 1
        model.set_raw_state(state)
        model.emitted.clear()
        received = None
        choice.executing(script)
        failure = None
        crashed = False
        try:
            received = self._perform(action, arguments)
        except Disabled:
            return None
        except Stopped as stop:
            received = stop.args[0] if stop.args else None
            crashed = True
        except Exception as error:
            failure = failure_of(error, self.definition)
        finally:
            if model.acting is not None:
                model.acting = None
            choice.executing(None)
        named = received or tuple(zip((p.name for p in action.tried), arguments))
        choices = tuple(entry[0] for entry in script.entries)
        after = None if failure else model.raw_state()
        return Step(action, named, choices, tuple(model.emitted), after, failure, crashed, after == state)

    def _perform(self, action: ActionDefinition, arguments: tuple[Any, ...]) -> tuple[tuple[str, Any], ...] | None:
        if action.kind == "action":
            if action.actor is not None:
                self._act(next(x for p, x in zip(action.parameters, arguments) if p.name == action.actor))
            assert action.function is not None
            action.function(self.model, *arguments)
            return None
        if action.kind == "crash":
            choice.require(arguments[0] not in self.model.storage["crashed"] and self.model.budget_left())
            self.model.crash_process(arguments[0])
            return None
        network = self.model.get_variable(str(action.network))
        if action.quorum is not None:
            return self._gather(action, network, arguments)
        if action.kind == "receive":
            return self._receive(action, network)
        return self._lose_or_duplicate(action, network)

    def _act(self, actor: Any) -> None:
        if actor is not None and "crashed" in self.model.storage.domains:
            choice.require(actor not in self.model.storage["crashed"])
            self.model.acting = actor

    def _receive(self, action: ActionDefinition, network: NetworkValue) -> tuple[tuple[str, Any], ...]:
        source, target, *_ = message = self._message(network)
        body, *chain = carried(network, message)
        if action.variant is not None:
            choice.require(type(body).__name__ == action.variant)
        if network.definition.fifo:
            network.content[source][target].pop(0)
        else:
            network.content.remove(message)
        if chain:
            network.arrive(target, *chain)
        names = [p.name for p in action.parameters]
        values = [getattr(body, n) for n in names[2:]] if action.variant is not None else [body]
        self.model.emitted.append(Event("receive", (network.definition.name, source, target, body)))
        return self._handle(action, target, (source,), tuple(zip(names, (target, source, *values))))

    def _gather(
        self, action: ActionDefinition, network: NetworkValue, given: tuple[Any, ...]
    ) -> tuple[tuple[str, Any], ...]:
        waiting = Waiting.of(self.model, network, action, given)
        taken = waiting.take()
        return self._handle(action, given[0], taken, waiting.arguments(taken))

    def _handle(
        self, action: ActionDefinition, receiver: Any, sources: Iterable[Any], named: tuple[tuple[str, Any], ...]
    ) -> tuple[tuple[str, Any], ...]:
        """Call the handler of a reception; return its arguments."""
        self._act(receiver)
        for source in sources:
            self.model._notify("receive", receiver, source)
        assert action.function is not None
        try:
            action.function(self.model, *(value for _, value in named))
        except Stopped:
            raise Stopped(named) from None
        return named

    def _message(self, network: NetworkValue) -> tuple[Any, ...]:
        if not network.definition.fifo:
            messages = self._messages(network)
            return messages[choice.choice(len(messages))]
        pairs = list(product(network.definition.process.members, repeat=2))
        source, target = pairs[choice.choice(len(pairs))]
        queue = network.content[source][target]
        choice.require(len(queue))
        return source, target, queue[0]

    def _messages(self, network: NetworkValue) -> list[tuple[Any, ...]]:
        """The messages of the current state, before any change of it."""
        listed, name = self.model.storage.listed, network.definition.name
        if name not in listed:
            listed[name] = list(network.messages())
        return listed[name]

    def _lose_or_duplicate(self, action: ActionDefinition, network: NetworkValue) -> tuple[tuple[str, Any], ...]:
        model = self.model
        budget, used = ("losses", "lost") if action.kind == "lose" else ("duplicates", "duplicated")
        choice.require(model.storage[used] < self.definition.constants[budget])
        source, target, body = (message := self._message(network))[:3]
        if network.definition.fifo:
            queue = network.content[source][target]
            place = choice.choice(len(queue))
            body = queue[place]
            if action.kind == "lose":
                queue.pop(place)
            else:
                queue.insert(place + 1, body)
        elif action.kind == "lose":
            network.content.remove(message)
        else:
            network.content.add(message)
        body = body.body if network.definition.fifo and network.definition.carries else body
        model.storage[used] += 1
        model.emitted.append(Event(action.kind, (network.definition.name, source, target, body)))
        return (("source", source), ("target", target), ("message", body))

    # Properties

    def holds(
        self, function: Callable[..., Any], state: Raw, owner: str | None = None, before: Raw | None = None
    ) -> bool:
        """Evaluate a property or constraint; raises ModelError where it cannot be evaluated."""
        return bool(function(self.viewpoint(state, owner, before)))

    def viewpoint(self, state: Raw, owner: str | None = None, before: Raw | None = None) -> Any:
        """The object a property's method takes as self: the model in that state, or the property object on it."""
        self.model.set_raw_state(state)
        if before is not None:
            self._before.set_raw_state(before)
            self.model.earlier = self._before
        if owner is None:
            return self.model
        return next(o for o in self.model.watching if type(o).__name__ == owner)

    def violated(self, property: PropertyDefinition, state: Raw, before: Raw | None = None) -> bool | Failure:
        """Whether a property is false (reachable: true) in a state or over a step; the failure if its evaluation
        fails."""
        try:
            value = self.holds(property.function, state, property.owner, before)
        except Exception as error:
            return failure_of(error, self.definition)
        return value if property.kind == "reachable" else not value

    def broken(self, property: PropertyDefinition, state: Raw, before: Raw | None) -> bool | Failure:
        """Whether an invariant, step invariant or quiescence property is false in a state that was reached from another
        one (None: an initial state); a property that makes no statement there is not false; the failure if it cannot be
        evaluated.
        """
        if property.kind == "step":
            return before is not None and self.violated(property, state, before)
        applies = property.kind == "invariant" or property.kind == "quiescence" and self.quiescent(state)
        return applies and self.violated(property, state)

    def failing(self, state: Raw, line: int) -> tuple[PropertyDefinition, Failure] | None:
        """The first property whose evaluation in the state fails in this line, and its failure."""
        at_rest = self.quiescent(state)
        for p in self.definition.properties:
            if p.kind != "step" and (p.kind != "quiescence" or at_rest):
                found = self.violated(p, state)
                if isinstance(found, Failure) and found.line == line:
                    return p, found
        return None

    def kept(self, state: Raw) -> bool:
        """Whether the state satisfies every constraint; a constraint that cannot be evaluated there prunes nothing."""
        return not any(self.constrains(c, state) is False for c in self.definition.constraints)

    def unconstrained(self, state: Raw) -> Failure | None:
        """The failures of constraints in this state."""
        found = (self.constrains(c, state) for c in self.definition.constraints)
        return next((failure for failure in found if isinstance(failure, Failure)), None)

    def constrains(self, constraint: MethodDefinition, state: Raw) -> bool | Failure:
        """Whether a constraint holds in a state; the failure if its evaluation fails."""
        try:
            return self.holds(constraint.function, state)
        except Exception as error:
            return failure_of(error, self.definition)

    def quiescent(self, state: Raw) -> bool:
        """Whether no action but faults is enabled."""
        return not any(s.progress for s in self.steps(state))


def failure_of(error: Exception, definition: Definition) -> Failure:
    """The failure that a Python exception from a model's method means; exceptions of the checker itself are passed
    on."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not _internal(f.filename)]
    frame = frames[-1] if frames else None
    file, line = (frame.filename, statement_line(frame.filename, frame.lineno or 0)) if frame else ("", 0)
    mine = file_of(definition.model)
    calls = [(f.filename, statement_line(f.filename, f.lineno or 0)) for f in frames if f.filename == mine != file]
    place = (file, line, file in ("", mine), calls[-1] if calls else None)
    if isinstance(error, AssertionError) and frame is not None:
        return Failure("assert", str(error) or _asserted(file, line), str(error) or "assertion", *place)
    if isinstance(error, ModelError):
        return Failure("error", error.name, str(error), *place)
    if frame is not None and isinstance(
        error, TypeError | ValueError | ZeroDivisionError | AttributeError | IndexError | KeyError | RuntimeError
    ):
        return Failure("error", _named(error), _in_words(error), *place)
    raise error


def _asserted(file: str, line: int) -> str:
    """The source text of the condition of an assert."""
    module = tree(file)
    found = (
        [n for n in ast.walk(module) if isinstance(n, ast.Assert) and n.lineno <= line <= (n.end_lineno or line)]
        if module
        else []
    )
    return written(found[-1].test) if found else "assertion"


def _named(error: Exception) -> str:
    """The name of the same error in the compiled engine."""
    text = str(error)
    if "'NoneType'" in text:
        return "none has no value"
    if isinstance(error, ZeroDivisionError):
        return "division by zero"
    if isinstance(error, ValueError) and (nothing := re.match(r"(min|max)\(\) .*empty", text)):
        return f"{nothing[1]} of nothing"
    if isinstance(error, KeyError) or "remove" in text:
        return "no such item to remove"
    if isinstance(error, ValueError) and "not in" in text:
        return "no such item"
    return "index out of range" if isinstance(error, IndexError) else _in_words(error)


def _in_words(error: Exception) -> str:
    """The meaning of a Python error for the model, as text."""
    if "'NoneType'" in str(error):
        return "none has no value"
    return "division by zero" if isinstance(error, ZeroDivisionError) else f"{type(error).__name__}: {error}"


_LIBRARY = os.path.dirname(os.__file__) + os.sep


def _internal(file: str) -> bool:
    """Whether a frame belongs to the checker, or to Python's library called between it and the model."""
    if file.startswith(_LIBRARY):
        return "site-packages" not in file
    return "/checker/language/" in file and not file.endswith("/multicast.py") or "/checker/backends/" in file
