"""Declarations of a model class, and the model object: a state that the class's own methods read and change.

`Model(**constants)` is one state of the model, at first its first initial state.  Its methods can be called by hand, in
a REPL or a debugger; the interpreter (`checker.backends.interpreter`) drives them systematically.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from attrs import define

from checker.displayed import OfBoth
from checker.frozen import frozen
from checker.language.choice import choice
from checker.language.declaring import Variant
from checker.language.domains import unset
from checker.language.errors import Stopped, UsageError, meant
from checker.language.network import Event, NetworkValue
from checker.language.quorum import Quorum, quorum
from checker.language.rounds import bound_rounds
from checker.language.storage import Storage
from checker.language.types import Int, Map, of

F = TypeVar("F", bound=Callable[..., Any])
anything: Any = type("Anything", (), {"__repr__": lambda self: "anything"})()


@define
class Var:
    """A declared state variable; on a model object, its value."""

    type: Any
    initial: Any = unset
    kept: bool = False
    name: str = ""
    budget: str | None = None  # exists only where this constant is not 0
    carried: bool = False  # every message carries it

    def __set_name__(self, owner: type, name: str) -> None:
        # a second name is refused (checker.language.class_body), and must not rename the variable that others use
        self.name = self.name or name

    def __get__(self, instance: Any, owner: type) -> Any:
        return self if instance is None else instance.get_variable(self.name)

    def __set__(self, instance: Any, value: Any) -> None:
        instance.set_variable(self.name, value)


def var(type: Any, initial: Any = unset, kept: bool = False, budget: str | None = None) -> Any:
    """A state variable.  `kept`: a crash of the process does not reset its element; `budget`: the variable exists only
    if that constant is not 0.
    """
    return Var(type, initial, kept, budget=budget)


def chain(most: int) -> Any:
    """A variable of a property, Map[Process, Int(0, most + 1)]: 0 without a chain, else one more than the length of the
    longest chain of messages to the process.

    A chain begins where the property sets the element to 1.  Every message carries its sender's element; its receiver's
    element becomes at least this, and one more if the message came from another process.  Chains of `most` messages or
    more count alike: most + 1.
    """
    if most < 1:
        raise UsageError(
            f"chain({most}) tells no chains apart", remedy="Give the longest chain that matters: hops = chain(14)."
        )
    return Var(Map[of("Process"), Int(0, most + 1)], 0, kept=True, carried=True)


@frozen
class Mark:
    """The arguments of a method's decorator."""

    kind: str
    network: Any = None
    variant: Variant | None = None
    fault: bool = False
    fair: bool = True
    changing: bool = False
    budget: str | None = None
    quorum: Quorum | None = None


def mark_of(cls: type, name: str) -> Mark | None:
    """The decorator of a method of a class, or of a method that it overrides."""
    marks = (getattr(vars(base).get(name), "__checker__", None) for base in cls.__mro__)
    return next((mark for mark in marks if mark is not None), None)


def _mark(function: F, mark: Mark) -> F:
    if hasattr(function, "__checker__"):
        name = getattr(function, "__name__", "a method")
        raise UsageError(
            f"{name} has two decorators of the language",
            remedy="Keep one: a handler is no action, and each variant has a handler of its own, or @on(net) and a "
            "match on the message.",
        )
    function.__checker__ = mark  # type: ignore[attr-defined]
    return function


def action(function: Any = None, *, fault: bool = False, fair: bool | str = True, budget: str | None = None) -> Any:
    """A guarded action, tried with every value of its parameters.  fault: an action of the environment; fair=False: not
    weakly fair; fair="change": only a step that changes the state counts as taking it (WF_vars of TLA+).

    `budget`: the action exists only where that constant is not 0.
    """
    if fair not in (True, False, "change"):
        raise UsageError(
            f"@action(fair={fair!r})",
            remedy='fair=False: it is not fair. fair="change": only a step that changes the state counts as taking it.',
        )
    if fault and fair == "change":
        raise UsageError(
            '@action(fault=True, fair="change")', remedy="A fault is promised to nobody: drop one of the two."
        )
    if function is None:
        return lambda f: _mark(
            f, Mark("action", fault=fault, fair=bool(fair) and not fault, changing=fair == "change", budget=budget)
        )
    return _mark(function, Mark("action"))


def on(
    network: Any,
    variant: Variant | None = None,
    *more: Any,
    each: Any = None,
    at_least: Any = None,
    of: Any = None,
    same: str | tuple[str, ...] = (),
) -> Callable[[F], F]:
    """A handler of the messages of a network (of one variant).

    each=S: one step takes a message from every process of S; at_least=k, of=S: from k of them (of all, without `of`).
    same: the parameters in which these messages agree.
    """
    if more:
        remedy = "Write a handler for each, or @on(net) for all of them and a match on the message."
        raise UsageError("@on names several variants", remedy=remedy)
    if not isinstance(network, Var):
        name = getattr(network, "__name__", "")
        what = f"@on stands before {name} without a network" if name else f"@on({network!r}) names no network variable"
        remedy = "Write net = var(Network[Process, Wire]) and @on(net), or @on(net, Wire.Order) for one variant."
        raise UsageError(what, remedy=remedy)
    if variant is not None and not isinstance(variant, Variant):
        remedy = "Write @on(net) if all messages are of one type, @on(net, Wire.Order) for one variant of a Union."
        raise UsageError(f"@on(..., {variant!r}): the second argument is a variant of a union", remedy=remedy)
    return lambda f: _mark(f, Mark("receive", network, variant, quorum=quorum(each, at_least, of, same)))


def rule(function: F) -> F:
    """A pure function that edits may override."""
    return _mark(function, Mark("rule"))


def initial(function: F) -> F:
    """Completes the initial state; may assign, require and choose."""
    return _mark(function, Mark("initial"))


def invariant(function: F) -> F:
    """Holds in every reachable state."""
    return _mark(function, Mark("invariant"))


def step_invariant(function: F) -> F:
    """True for every step; `self.before` is the state before it."""
    return _mark(function, Mark("step"))


def quiescent(function: F) -> F:
    """Holds wherever no action but faults is enabled."""
    return _mark(function, Mark("quiescence"))


def reachable(function: F) -> F:
    """Holds in some reachable state."""
    return _mark(function, Mark("reachable"))


def constraint(function: F) -> F:
    """A successor where it is false is checked, but not stored or explored."""
    return _mark(function, Mark("constraint"))


NETWORK_EVENTS = ("send", "receive", "lose", "duplicate", "unreached", "unsent", "undelivered", "unarrived")
"""Events that networks and crashes emit, not models; observers may watch "send" and "receive"."""


class Emit:
    """`self.emit.deliver(p, m)`: calls observers, and records the event in the trace."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def __getattr__(self, name: str) -> Callable[..., None]:
        def emit(*arguments: Any) -> None:
            model = self._model
            if name in NETWORK_EVENTS:
                raise UsageError(
                    f"{name} is an event of the networks themselves", remedy="Choose another name for the event."
                )
            if name == "deliver":
                model.crash_point(Event("undelivered", arguments))
            model.emitted.append(Event(name, arguments))
            model._notify(name, *arguments)

        return emit


OWN = ("definition", "storage", "emitted", "acting", "earlier", "emit", "watching")
"""The attributes of a model object besides its variables."""


def unknown_attribute(instance: Any, name: str, of_model: bool = False) -> UsageError:
    """The error for assigning a name that is no variable: Python would make an attribute, which is part of no state."""
    cls = type(instance)
    if of_model:
        return UsageError(
            f"{cls.__name__} changes {name}, which belongs to the model",
            remedy="A property changes only its own variables.",
        )
    variables = [n for n in dir(cls) if isinstance(getattr(cls, n, None), Var)]
    return UsageError(f"{cls.__name__} has no variable {name}", remedy=meant(name, variables))


SUPPLIED: dict[str, Callable[..., Any]] = {}
"""Functions that model objects call, from modules that import `Model` themselves: `define`, `starts` and `model_html`.
"""


def supplied(function: F) -> F:
    """Register the decorated function, so that model objects can call it by its name."""
    SUPPLIED[function.__name__] = function
    return function


class Model:
    """Base of all models."""

    properties: list[Any] = []
    outcome: tuple[str, ...] = ()  # variables that make up an outcome at quiescence
    expect: Any = None
    picture: Sequence[Any] = ()  # how runs are drawn (`checker.language.draw`)

    def __init__(self, **constants: Any) -> None:
        self._begin(SUPPLIED["define"](type(self), constants))

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in OWN and not hasattr(getattr(type(self), name, None), "__set__"):
            raise unknown_attribute(self, name)
        super().__setattr__(name, value)

    @classmethod
    def of(cls, definition: Any) -> Model:
        """A model object for an existing definition."""
        self = cls.__new__(cls)
        self._begin(definition)
        return self

    def _begin(self, definition: Any) -> None:
        bound_rounds(type(self))
        self.definition = definition
        self.storage = Storage(definition)
        self.emitted: list[Event] = []
        self.acting: Any = None  # the process that acts in this step and may crash inside it
        self.earlier: Model | None = None
        self.emit = Emit(self)
        classes = {c.__name__: c for c in self.properties}
        self.watching = [classes[name](self) for name in definition.observers]
        first = next(SUPPLIED["starts"](self), None)
        if first is not None:  # a model without initial state is a finding of the check, not a fault of the object
            self.set_raw_state(first)

    @classmethod
    def complete(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Constants that follow from the given ones (to be overridden)."""
        return {}

    @property
    def before(self) -> Model:
        """The state before the step (step invariants only)."""
        assert self.earlier is not None, "self.before is for step invariants"
        return self.earlier

    def get_variable(self, name: str) -> Any:
        """The value of a variable."""
        storage = self.storage
        storage.reads += 1
        network = storage.networks.get(name)
        if network is None:
            return storage[name]
        return NetworkValue(self, network, storage[name])

    def set_variable(self, name: str, value: Any) -> None:
        """Assign a variable; a container that `self.held |= x` has changed in place stays the value."""
        if value is not self.storage.get(name):
            self.storage[name] = self.definition.variable(name).domain.place(value)

    def raw_state(self) -> tuple[Any, ...]:
        """The state as raw values, in the order of the definition's variables."""
        return self.storage.raw()

    def set_raw_state(self, raw: tuple[Any, ...]) -> None:
        """Set the state from raw values."""
        self.storage.set(raw)

    @OfBoth
    def _repr_html_(self) -> str | None:
        """The HTML of a model class or a model object in a notebook."""
        shown: str | None = SUPPLIED["model_html"](self)
        return shown

    def _notify(self, name: str, *arguments: Any) -> None:
        """Run the observers' handlers of an event."""
        for observer in self.watching:
            handler = getattr(type(observer), f"on_{name}", None)
            if handler is not None:
                handler(observer, *arguments)

    def budget_left(self) -> bool:
        """Whether one more process may crash."""
        return False

    def crash_process(self, process: Any) -> None:
        """The process crashes (Distributed only)."""
        raise NotImplementedError

    def crash_point(self, omitted: Event) -> None:
        """A point inside a step at which the acting process may crash; `omitted` describes the effect that the crash
        prevents.
        """
        if self.acting is not None and self.budget_left() and choice(2):
            self.emitted.append(omitted)
            self.crash_process(self.acting)
            raise Stopped
