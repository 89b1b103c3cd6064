"""A model class whose constants are fixed, as data: the input of both the interpreter and the front end.

`define` (in `checker.language.define`) reads a model class and builds a Definition.  Types are resolved domains
(`checker.language.domains`); methods are still Python functions.  Nothing here is executed or lowered yet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any

from attrs import evolve, field

from checker.frozen import frozen
from checker.language.domains import Domain
from checker.language.draw import Picture


@frozen
class VariableDefinition:
    """A state variable.  Variables of a property are named Property.variable and have the property as their owner."""

    name: str
    domain: Domain
    initial: Any  # a Python value, or `anything`, or `unset` for the initial value of the type
    owner: str | None = None
    local: bool = False  # indexed by process and reset when that process crashes
    network: NetworkDefinition | None = None
    # every message carries the sender's element of this variable (`checker.language.model.chain`)
    carried: bool = False


@frozen
class NetworkDefinition:
    """A network variable.  Its domain is a Bag of (source, target, body) records, or, as FIFO, a Map source -> Map
    target -> Seq of bodies.

    Where a variable is carried, a fourth field `chain` follows the body; as FIFO the items of the queues are records
    (body, chain).
    """

    name: str
    fifo: bool
    process: Domain
    body: Domain
    message: Domain | None = None  # the record (source, target, body) of an unordered network
    carries: str | None = None  # the variable that messages carry


@frozen
class ParameterDefinition:
    """A parameter of an action: its name and domain."""

    name: str
    domain: Domain


@frozen
class QuorumDefinition:
    """The messages for which a quorum reception waits.

    members: the rule that gives the senders (None: all processes); count: how many of them, as a number or a rule
    (None: each).  Rules are called with parameters of the handler, by name.  fields: the fields of the messages that
    the handler gets, with their types in the messages; common: those in which the messages agree, whose values are
    tried one by one.
    """

    members: str | None
    count: int | str | None
    common: tuple[str, ...]
    fields: tuple[ParameterDefinition, ...]


@frozen
class ActionDefinition:
    """kind: "action" (parameters are enumerated), "receive" (a handler of `network`, only for `variant` if given),
    "lose", "duplicate" (of `network`), "crash".

    A handler's parameters are the receiver, the sender, then the fields of the variant (matched by name) or, without
    variant, the body. With a quorum they are the receiver, the set of the senders, then the fields: those in which the
    messages agree as they are, the others as a map by sender. Lose, duplicate and crash have no function: their meaning
    is fixed by the language.
    """

    name: str
    kind: str
    function: Callable[..., Any] | None
    parameters: tuple[ParameterDefinition, ...]
    fault: bool = False
    fair: bool = True  # an instance that stays enabled is taken (weak fairness); never true of faults
    changing: bool = False  # of a fair one: only its steps that change the state count, as enabled and as taken
    actor: str | None = None  # name of the parameter that is the acting process
    network: str | None = None
    variant: str | None = None
    quorum: QuorumDefinition | None = None

    @property
    def tried(self) -> tuple[ParameterDefinition, ...]:
        """The parameters whose values are tried one by one; the other arguments of a handler come from its messages."""
        if self.quorum is not None:
            return tuple(p for p in self.parameters if p.name in (self.actor, *self.quorum.common))
        return self.parameters if self.kind in ("action", "crash") else ()


@frozen
class MethodDefinition:
    """A rule or helper: a Python function with the types of its parameters and result where they are annotated (own or
    inherited)."""

    name: str
    function: Callable[..., Any]
    rule: bool
    parameters: tuple[tuple[str, Domain | None], ...]
    result: Domain | None
    owner: str | None = None  # the property class it belongs to


@frozen
class PropertyDefinition:
    """kind: invariant, step, quiescence, reachable, leads-to.  `function` takes the property object (or the model) as
    self and returns a bool.

    For leads-to it is `then`, and `when` is the antecedent; each value of its parameters makes a leads-to property of
    its own.
    """

    name: str
    kind: str
    function: Callable[..., Any]
    owner: str | None = None  # the reusable property class's name, None for a method of the model
    explain: Callable[..., str] | None = None
    when: Callable[..., Any] | None = None
    parameters: tuple[ParameterDefinition, ...] = ()

    def values(self) -> Iterator[dict[str, Any]]:
        """Every value of the parameters, by name, the first slowest."""
        for chosen in product(*(p.domain.members for p in self.parameters)):
            yield dict(zip((p.name for p in self.parameters), chosen))

    def at(self, values: Mapping[str, Any]) -> PropertyDefinition:
        """The property for one value of its parameters."""
        if self.parameters:
            return evolve(self, function=_given(self.function, values), when=_given(self.when, values), parameters=())
        return self


def _given(function: Callable[..., Any] | None, values: Mapping[str, Any]) -> Any:
    """The function with these values for its parameters, as a method of self alone."""
    if function is None:
        return None
    taken = {n: v for n, v in values.items() if n in function.__code__.co_varnames[1 : function.__code__.co_argcount]}
    return lambda self: function(self, **taken)


@frozen
class Definition:
    """A model class with its constants."""

    name: str  # class name
    model: type[Any]  # the class
    constants: Mapping[str, Any]
    derived: Mapping[str, Any]  # named values computed from the constants, by attribute name
    types: Mapping[str, Domain]  # named types of the class body, by attribute name; property classes' as Property.name
    enums: Mapping[type, Domain]  # Python Enum classes in use
    variables: tuple[VariableDefinition, ...]
    initial: Callable[..., Any] | None  # the @initial method
    actions: tuple[ActionDefinition, ...]
    # rules and helpers by name; of properties as Property.name (event handlers too)
    methods: Mapping[str, MethodDefinition]
    properties: tuple[PropertyDefinition, ...]
    constraints: tuple[MethodDefinition, ...]
    process: Domain | None = None  # the type Process of a Distributed model
    observers: tuple[str, ...] = field(factory=tuple)  # names of the property classes in use, in order
    # the @initial methods of properties, which run after the model's, in this order
    starting: tuple[MethodDefinition, ...] = field(factory=tuple)
    picture: Picture = field(factory=Picture)  # how runs are drawn; nothing else depends on it

    @property
    def merges(self) -> bool:
        """Whether symmetry reduction is on."""
        return self.constants.get("symmetry") is True and any(
            getattr(t, "symmetric", False) for t in self.types.values()
        )

    @property
    def values(self) -> Mapping[str, Any]:
        """The constants and derived values, by name."""
        return {**self.constants, **self.derived}

    def variable(self, name: str) -> VariableDefinition:
        """The variable of that name."""
        return next(v for v in self.variables if v.name == name)
