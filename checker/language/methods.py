"""The methods of a model or property class: their decorators, the types in their annotations, and which of them are
actions and handlers.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from attrs import define

from checker.ir.domain import size
from checker.language import definition as d
from checker.language.collection_domains import MapDomain, SeqDomain
from checker.language.constants import Known
from checker.language.declared import declarations
from checker.language.declaring import Resolver, not_a_type
from checker.language.domains import BoolDomain, Domain, IntDomain, SetDomain, UnionDomain
from checker.language.errors import UsageError, has
from checker.language.gathers import gathers
from checker.language.model import Mark, Model, Var, mark_of
from checker.language.places import at, located, of_attribute, of_function
from checker.language.property_body import PARTS
from checker.language.reserved import check_fault_names
from checker.language.room import MEMBERS, named, require_few_instances
from checker.language.signatures import evaluated, parameters_of

Marked = tuple[str, Callable[..., Any], Mark]
"""A method by its name, with the arguments of its decorator."""


@define
class Methods:
    """The methods of a model class with its constants, and of its properties.  given: the constants that were set."""

    cls: type[Model]
    attributes: dict[str, Any]
    constants: Mapping[str, Any]
    given: Mapping[str, Any]
    known: Known
    resolve: Resolver
    process: Domain | None

    def afforded(self, name: str, budget: str | None) -> bool:
        """Whether the declaration `name` exists: it has no budget, or its budget is not 0.  Raises UsageError if the
        budget is not a constant.
        """
        if budget is not None and budget not in self.constants:
            what = f"the budget {budget!r} is no constant of {self.cls.__name__}"
            raise at(of_attribute(self.cls, name), what, 'Declare it: name = const(0, "...").')
        return budget is None or bool(self.constants[budget])

    def rules(self, cls: type, owner: str | None) -> dict[str, d.MethodDefinition]:
        """Rules and helpers by name; actions, which may be called, among them."""
        result = {}
        for name, function, mark in every(cls):
            if mark is None or mark.kind == "rule" or mark.kind == "action" and self.afforded(name, mark.budget):
                if owner is None or name not in PARTS:
                    result[name] = self.method(name, function, owner, mark is not None and mark.kind == "rule")
        return result

    def method(
        self, name: str, function: Callable[..., Any], owner: str | None = None, is_rule: bool = False
    ) -> d.MethodDefinition:
        """A method with the types of its parameters."""
        versions = self._versions(name, function)
        parameters = tuple((p, self._annotation(versions, p)) for p in parameters_of(function))
        return d.MethodDefinition(name, function, is_rule, parameters, self._annotation(versions, "return"), owner)

    def _versions(self, name: str, function: Callable[..., Any]) -> list[Callable[..., Any]]:
        """A method and those that it overrides."""
        overridden = [vars(b)[name] for b in self.cls.__mro__ if inspect.isfunction(vars(b).get(name))]
        return [function, *(version for version in overridden if version is not function)]

    def _annotation(self, versions: Sequence[Callable[..., Any]], parameter: str) -> Domain | None:
        for version in versions:
            annotation = getattr(version, "__annotations__", {}).get(parameter)
            if isinstance(annotation, str):
                annotation = evaluated(annotation, version, self.attributes)
            if annotation in (None, type(None), int, str, Any) or annotation is inspect.Parameter.empty:
                continue
            with located(lambda: of_function(version)):  # noqa: B023
                return self.resolve(annotation)
        return None

    def actions(self, variables: Sequence[d.VariableDefinition]) -> Iterator[d.ActionDefinition]:
        """Actions and handlers, then the faults of the language."""
        marked = marked_methods(self.cls)
        for name, function, mark in marked:
            if mark.kind == "action" and self.afforded(name, mark.budget):
                yield self._action(name, function, mark)
            elif mark.kind == "receive":
                yield self._handler(name, function, mark, variables)
        networks = [v.name for v in variables if v.network is not None]
        check_fault_names(self.cls, marked, networks, self.constants, self.process is not None)
        if self.constants.get("crashes", 0) and self.process is not None:
            yield d.ActionDefinition(
                "crash", "crash", None, (d.ParameterDefinition("p", self.process),), fault=True, fair=False, actor="p"
            )
        for budget, kind in (("losses", "lose"), ("duplicates", "duplicate")):
            for network in networks if self.constants.get(budget, 0) else ():
                yield d.ActionDefinition(f"{kind}_{network}", kind, None, (), fault=True, fair=False, network=network)

    def _action(self, name: str, function: Callable[..., Any], mark: Mark) -> d.ActionDefinition:
        def wrong(what: str, remedy: str) -> UsageError:
            return at(of_function(function), f"action {name}: {what}", remedy)

        parameters = []
        if function.__defaults__:
            raise wrong("a parameter has a default value", "Every value of its type is tried: drop the default.")
        versions = self._versions(name, function)
        for parameter in parameters_of(function):
            domain = self._annotation(versions, parameter)
            if domain is None:
                given = function.__annotations__.get(parameter)
                if given in (int, str, "int", "str"):
                    error = not_a_type(str if given in (str, "str") else int)
                    raise wrong(f"parameter {parameter}: {error.message}", str(error.remedy))
                raise wrong(
                    f"parameter {parameter} has no type",
                    f"Write {parameter}: SomeType; every value of the type is tried. What varies inside a step is "
                    f"chosen: x = choose(...).",
                )
            if (size(domain.ir) or MEMBERS + 1) > MEMBERS:
                lower = f" Or lower the constants: {named(self.given)}." if self.given else ""
                raise wrong(
                    f"parameter {parameter} ranges over {domain!r}, which cannot be enumerated, or has more than "
                    f"{MEMBERS:,} values",
                    f"Choose it in the action: x = choose(...).{lower}",
                )
            parameters.append(d.ParameterDefinition(parameter, domain))
        require_few_instances(name, function, [(p.name, p.domain.ir) for p in parameters], self.given)
        actor = next((p.name for p in parameters if p.domain is self.process), None) if self.process else None
        acting = None if mark.fault else actor
        return d.ActionDefinition(
            name, "action", function, tuple(parameters), mark.fault, mark.fair, mark.changing, acting
        )

    def _handler(
        self, name: str, function: Callable[..., Any], mark: Mark, variables: Sequence[d.VariableDefinition]
    ) -> d.ActionDefinition:
        def wrong(what: str, remedy: str) -> UsageError:
            return at(of_function(function), f"handler {name}{what}", remedy)

        carrier = mark.network.name if isinstance(mark.network, Var) else None
        network = next((v.network for v in variables if v.name == carrier), None)
        if network is None:
            raise wrong(": @on needs a network variable of the model", "net = var(Network[Process, Wire]) and @on(net)")
        names = parameters_of(function)
        domains: dict[str, Domain] = {}
        second = "sender" if mark.quorum is None else "senders"
        if mark.variant is not None:
            if not isinstance(network.body, UnionDomain) or self.resolve(mark.variant.union) is not network.body:
                remedy = "Use a variant of the network's message type."
                raise wrong(f": {network.name} does not carry messages of that union", remedy)
            fields = next((v.fields for v in network.body.variants if v.name == mark.variant.name), None)
            if fields is None:
                remedy = has(v.name for v in network.body.variants)
                raise wrong(f": {network.body.name} has no variant {mark.variant.name}", remedy)
            domains = dict(fields)
            if set(names[2:]) - set(fields) or len(names) < 2 or set(names[:2]) & set(fields):
                each = "".join(", " + f for f in fields)
                first = "p, q" if mark.quorum is None else "p, senders"
                remedy = f"def {name}(self, {first}{each}); fields that it does not need may be left out."
                raise wrong(f": its parameters must be (receiver, {second}{each})", remedy)
        elif len(names) != 3:
            remedy = f"def {name}(self, p, {'q' if mark.quorum is None else 'senders'}, m)"
            raise wrong(f" must have the parameters (receiver, {second}, message)", remedy)
        else:
            domains = {names[2]: network.body}
        domains |= {names[0]: network.process, names[1]: network.process}
        parameters = tuple(d.ParameterDefinition(n, domains[n]) for n in names)
        variant = mark.variant.name if mark.variant else None
        handler = d.ActionDefinition(
            name, "receive", function, parameters, actor=names[0], network=network.name, variant=variant
        )
        if mark.quorum is not None:
            with located(lambda: of_function(function)):
                handler = gathers(self.cls, handler, mark.quorum, network.process, self.resolve, self.known, self.given)
        self._check_as_given(handler, function)
        return handler

    def _check_as_given(self, handler: d.ActionDefinition, function: Callable[..., Any]) -> None:
        """Raise UsageError if the annotations of a handler's parameters differ from the fields of its message."""
        what = f"handler {handler.name}"
        if function.__defaults__ or function.__kwdefaults__:
            remedy = "Each message gives every parameter its value: drop the default."
            raise at(of_function(function), f"{what}: a parameter has a default value", remedy)
        for parameter in handler.parameters:
            annotation = function.__annotations__.get(parameter.name)
            if isinstance(annotation, str):
                annotation = evaluated(annotation, function, self.attributes)
            if annotation is None or annotation is Any or _in_python(annotation, parameter.domain):
                continue
            wrong = f"{what}: parameter {parameter.name} is {parameter.domain!r}"
            with located(lambda: of_function(function)):
                resolved = None if annotation in (int, bool, str, set, dict, list) else self.resolve(annotation)
            if resolved is None or resolved.ir != parameter.domain.ir:
                given = annotation.__name__ if resolved is None else repr(resolved)
                remedy = "What it is follows from the network: drop the annotation."
                raise at(of_function(function), f"{wrong}, not {given}", remedy)


def _in_python(annotation: Any, domain: Domain) -> bool:
    """Whether an annotation is Python's word for the values of a type."""
    kinds = {int: IntDomain, bool: BoolDomain, set: SetDomain, dict: MapDomain, list: SeqDomain}
    return isinstance(annotation, type) and annotation in kinds and isinstance(domain, kinds[annotation])


def every(cls: type) -> Iterator[tuple[str, Callable[..., Any], Mark | None]]:
    """The methods of a class by name, with their decorators."""
    return ((n, value, mark_of(cls, n)) for n, value in declarations(cls) if inspect.isfunction(value))


def marked_methods(cls: type) -> list[Marked]:
    """The decorated methods of a class."""
    return [(name, function, mark) for name, function, mark in every(cls) if mark is not None]


def initials(cls: type) -> list[Callable[..., Any]]:
    """The @initial method of a class, if it has one."""
    found = [f for _, f, m in marked_methods(cls) if m.kind == "initial"]
    if len(found) > 1:
        names = " and ".join(f.__name__ for f in found)
        remedy = "Keep one; it may call helpers. An edit overrides it by its name."
        raise at(of_function(found[-1]), f"{cls.__name__} has two @initial methods, {names}", remedy)
    for function in found:
        if parameters_of(function):
            remedy = "Choose what may vary: x = choose(...)."
            raise at(of_function(function), f"the @initial method {function.__name__} takes parameters", remedy)
    return found
