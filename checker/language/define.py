"""From a model class and its constants to a Definition: find everything the class declares, fix types, check names.

Declarations are taken base class first, in the order of the class body; an override stands where the original stood.  A
method that overrides a marked one (rule, action, handler, property) is marked likewise, and takes over annotations it
does not repeat.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from attrs import evolve

from checker.ir.domain import size
from checker.ir.values import zero
from checker.language import definition as d
from checker.language.assigned import assigned_first
from checker.language.class_body import check_body
from checker.language.collection_domains import BagDomain, MapDomain, SeqDomain
from checker.language.constants import Constant, Deferred, Known, fixed
from checker.language.declared import check_outcome, fix_constants
from checker.language.distributed import Distributed
from checker.language.domains import Domain, RecordDomain, UnionDomain, unset
from checker.language.errors import UsageError, has, near
from checker.language.expectation import check_expectations, expectations
from checker.language.gathers import gathers
from checker.language.listed import PROPERTY_MARKS, property_classes
from checker.language.model import Mark, Model, Var, anything, mark_of, supplied
from checker.language.pictures import picture_of
from checker.language.places import at, located, of_attribute, of_class, of_function
from checker.language.properties import LeadsTo, Property
from checker.language.property_body import PARTS, check_property
from checker.language.reserved import check_fault_names, reserved
from checker.language.room import MEMBERS, bounded, named, require_few_instances, require_few_starts, require_small
from checker.language.signatures import elements, evaluated, parameters_of
from checker.language.start import check_anything, check_start
from checker.language.types import NetworkDeclaration, Resolver, is_symmetric, is_type, not_a_type, number_of_names

UNORDERED_GUESS = 16  # first guess of how many messages are in flight; grown when it is exceeded
QUEUE_GUESS = 4
SYMMETRY = Constant(False, "merge states that differ by a permutation of symmetric identities", ())


@supplied
def define(cls: type[Model], given: Mapping[str, Any] | None = None, only: Iterable[str] | None = None) -> d.Definition:
    """Read a model class.  `given` sets constants; `only` names the properties to check (default: all it lists)."""
    with bounded(given or {}):
        return _Reader(cls, dict(given or {}), None if only is None else list(only)).definition()


def constants_of(cls: type) -> dict[str, Constant]:
    """The declared constants by name; with symmetric identities also `symmetry`, which merges the states that they make
    alike."""
    declared = dict(declarations(cls))
    constants = {n: v for n, v in declared.items() if isinstance(v, Constant)}
    if any(map(is_symmetric, declared.values())) and "symmetry" not in declared:
        constants["symmetry"] = SYMMETRY
    return constants


def declarations(cls: type) -> Iterator[tuple[str, Any]]:
    """Attributes by name, base class first, each at its first place with its last value."""
    names: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        if base in (object, Model, Property):
            continue
        names |= {n: v for n, v in vars(base).items() if not n.startswith("__")}
    yield from names.items()


class _Reader:
    def __init__(self, cls: type[Model], given: dict[str, Any], only: list[str] | None) -> None:
        check_body(cls)
        self.cls, self.only, self.given = cls, only, given
        self.attributes = dict(declarations(cls))
        self.deferred = {
            n: v for n, v in self.attributes.items() if isinstance(v, Deferred) and not isinstance(v, Constant)
        }
        declared = constants_of(cls)
        named = number_of_names(self.attributes.get("Process"))
        if named is not None and "processes" in declared:
            given = {"processes": named, **given}  # what is shown, stored and asked for again is what the model has
        self.constants = fix_constants(cls, declared, self.deferred, given)
        self.known = Known(self.constants, self.deferred)
        self.resolve = Resolver(
            self.known, self._named, self.constants.get("channels") == "fifo", _overridden(cls, self.attributes)
        )
        self.process: Domain | None = None
        self.carried: str | None = None

    def _named(self, name: str) -> Any:
        value = self.attributes.get(name)
        if not is_type(value):
            remedy = f"Declare {name} in the model, or do not list the property."
            raise UsageError(
                f"a property refers to the type {name}, which {self.cls.__name__} does not declare", remedy=remedy
            )
        return value

    def definition(self) -> d.Definition:
        types = self._types()
        self.process = types.get("Process")
        self._check_processes()
        chosen, properties = self._properties()
        self.carried = self._carried(chosen)
        variables = []
        for name, value in self.attributes.items():
            if isinstance(value, Var) and self._afforded(name, value.budget):
                with located(lambda: of_attribute(self.cls, name)):  # noqa: B023
                    variables.append(self._variable(value, name, None))
        methods = self._methods(self.cls, None)
        for owner in property_classes(self.cls):
            check_property(owner, self.cls, self.attributes)
        for owner in chosen:
            for name, value in declarations(owner):
                with located(lambda: of_attribute(owner, name)):  # noqa: B023
                    if isinstance(value, Var):
                        variables.append(self._variable(value, f"{owner.__name__}.{name}", owner.__name__))
                    elif is_type(value):
                        types[f"{owner.__name__}.{name}"] = self.resolve(value, name)
            methods |= {f"{owner.__name__}.{n}": m for n, m in self._methods(owner, owner.__name__).items()}
        self._check_sizes(variables)
        self._check_names(types, variables, methods)
        marked = [(n, f, m) for n, f, m in self._marked(self.cls) if m is not None]
        initials = self._initials(self.cls)
        actions = tuple(self._actions(marked, variables))
        declared = {n for n, v in self.attributes.items() if isinstance(v, Var)}
        return d.Definition(
            name=self.cls.__name__,
            model=self.cls,
            constants=self.constants,
            types=types,
            derived=self._derived(),
            enums={domain.enum: domain for domain in self.resolve.done.values() if hasattr(domain, "enum")},
            variables=tuple(variables),
            initial=initials[-1] if initials else None,
            actions=actions,
            methods=methods,
            properties=tuple(properties),
            constraints=tuple(self._method(n, f, False, None) for n, f, m in marked if m.kind == "constraint"),
            process=self.process,
            observers=tuple(c.__name__ for c in chosen),
            starting=tuple(self._method(f.__name__, f, False, c.__name__) for c in chosen for f in self._initials(c)),
            picture=picture_of(self.cls, declared, variables, actions, types, self.process),
        )

    def _check_processes(self) -> None:
        """UsageError if a number of processes is asked for that the model, which names its own, does not have."""
        members = getattr(self.process, "members", ())
        if members and self.given.get("processes", len(members)) != len(members):
            names = ", ".join(str(m) for m in members)
            raise UsageError(
                f"processes={self.given['processes']} has no effect: {self.cls.__name__} names its processes, {names}",
                remedy="Leave it out, or edit the type Process.",
            )

    def _types(self) -> dict[str, Domain]:
        """The named types of the class body."""
        types: dict[str, Domain] = {}
        for name, value in self.attributes.items():
            if is_type(value):
                with located(lambda: of_attribute(self.cls, name)):  # noqa: B023
                    types[name] = self.resolve(value, name)
        return types | {
            v.name: self.resolve(v) for v in self.attributes.values() if is_type(v) and getattr(v, "name", "") != ""
        }

    def _derived(self) -> dict[str, Any]:
        result = {}
        for name in self.deferred:
            with located(lambda: of_attribute(self.cls, name)):  # noqa: B023
                result[name] = self.known[name]
        return result

    def _check_names(
        self, types: dict[str, Any], variables: list[d.VariableDefinition], methods: dict[str, Any]
    ) -> None:
        own = [n for n, m in methods.items() if m.function.__module__ != Distributed.__module__]
        for name in [*types, *(v.name for v in variables), *self.constants, *own]:
            if name in reserved():
                what = f"{self.cls.__name__}.{name}: this name is used by every model object"
                raise at(of_attribute(self.cls, name), what, "Choose another name.")
        if not variables:
            remedy = "Declare them with name = var(Type, initial)."
            raise at(of_class(self.cls), f"{self.cls.__name__} has no state variables", remedy)
        with located(lambda: of_attribute(self.cls, "outcome")):
            check_outcome(self.cls, [v.name for v in variables])
        with located(lambda: of_attribute(self.cls, "expect")):
            constraints = [n for n, _, m in self._marked(self.cls) if m is not None and m.kind == "constraint"]
            check_expectations(self.cls, self._property_names(), self.constants, constraints)
            for stated in expectations(self.cls):
                self._check_expected_constants(dict(stated.at))

    def _check_expected_constants(self, given: dict[str, Any]) -> None:
        """UsageError if an expectation gives constants that the model does not take: else only a verification would
        notice."""
        try:
            fix_constants(self.cls, constants_of(self.cls), self.deferred, dict(given))
        except UsageError as error:
            remedy = error.remedy if error.file else "In at={...} stand values that the model takes with -D."
            raise evolve(
                error, message=f"{self.cls.__name__}.expect, at={given}: {error.message}", remedy=remedy
            ) from None

    def _afforded(self, name: str, budget: str | None) -> bool:
        if budget is not None and budget not in self.constants:
            what = f"the budget {budget!r} is no constant of {self.cls.__name__}"
            raise at(of_attribute(self.cls, name), what, 'Declare it: name = const(0, "...").')
        return budget is None or bool(self.constants[budget])

    # Variables

    def _carried(self, chosen: list[type[Property]]) -> str | None:
        """The variable that messages carry."""
        names = [
            f"{owner.__name__}.{n}"
            for owner in chosen
            for n, v in declarations(owner)
            if isinstance(v, Var) and v.carried
        ]
        for name in (n for n, v in self.attributes.items() if isinstance(v, Var) and v.carried):
            what = f"{self.cls.__name__}.{name}: a chain is a variable of a property"
            raise at(of_attribute(self.cls, name), what, "Write it in a property class of the model's list.")
        if len(names) > 1:
            remedy = "One property at a time may have one chain(...)."
            raise UsageError(f"{self.cls.__name__}: {', '.join(names)} would be carried by messages", remedy=remedy)
        return names[0] if names else None

    def _variable(self, declared: Var, name: str, owner: str | None) -> d.VariableDefinition:
        if isinstance(declared.type, NetworkDeclaration):
            return self._network(declared.type, name)
        try:
            domain = self.resolve(declared.type)
        except UsageError as error:
            raise evolve(error, message=f"{self.cls.__name__}.{name}: {error.message}") from None
        if declared.kept and owner is None and not (isinstance(domain, MapDomain) and domain.key is self.process):
            remedy = "A crash resets only variables of a type Map[Process, ...] of a Distributed model: drop it."
            raise UsageError(f"{self.cls.__name__}.{name}: kept=True has no effect", remedy=remedy)
        local = isinstance(domain, MapDomain) and domain.key is self.process and not declared.kept and owner is None
        # before a start value of that size is built
        require_small([(f"{self.cls.__name__}.{name}", domain.ir)], self.given)
        start = (
            self._unsaid(declared, domain, owner)
            if declared.initial is unset and domain.start() is unset and not local
            else fixed(declared.initial, self.known)
        )
        if start is anything:
            check_anything(domain, f"{self.cls.__name__}.{name}")
        else:
            check_start(domain, start, f"{self.cls.__name__}.{name}")
        return d.VariableDefinition(name, domain, start, owner, local, carried=declared.carried)

    def _unsaid(self, declared: Var, domain: Domain, owner: str | None) -> Any:
        """The start of a variable that states none and whose type has none: any value, if an @initial method assigns it
        first; else it stays unset."""
        cls = self.cls if owner is None else next(c for c in self.cls.properties if c.__name__ == owner)
        types = {n for n, v in self.attributes.items() if is_type(v)}
        certain = any(assigned_first(f, declared.name, types) for f in self._initials(cls))
        return domain.from_raw(zero(domain.ir)) if certain else unset

    def _network(self, declared: NetworkDeclaration, name: str) -> d.VariableDefinition:
        process, body = self.resolve(declared.process), self.resolve(declared.body)
        fifo = declared.fifo or self.resolve.fifo
        content: dict[str, Domain] = {"body": body}
        if self.carried is not None:
            owner, attribute = self.carried.split(".")
            declaring = next(c for c in self.cls.properties if c.__name__ == owner)
            chains = self.resolve(dict(declarations(declaring))[attribute].type)
            assert isinstance(chains, MapDomain)
            content["chain"] = chains.value
        domain: Domain
        if fifo:
            queue = SeqDomain(RecordDomain("Carried", content) if self.carried else body, None, QUEUE_GUESS, name)
            domain, message = MapDomain(process, MapDomain(process, queue)), None
        else:
            message = RecordDomain("Message", {"source": process, "target": process, **content})
            domain = BagDomain(message, None, UNORDERED_GUESS, name)
        return d.VariableDefinition(
            name, domain, domain.start(), network=d.NetworkDefinition(name, fifo, process, body, message, self.carried)
        )

    def _check_sizes(self, variables: list[d.VariableDefinition]) -> None:
        """UsageError if a state, or the number of initial states, would be larger than can be explored."""
        with located(lambda: of_class(self.cls)):
            require_small([(v.name, v.domain.ir) for v in variables], self.given)
            require_few_starts([(v.name, v.domain.ir) for v in variables if v.initial is anything], self.given)

    # Methods

    def _marked(self, cls: type) -> Iterator[tuple[str, Callable[..., Any], Mark | None]]:
        for name, value in declarations(cls):
            if inspect.isfunction(value):
                yield name, value, mark_of(cls, name)

    def _methods(self, cls: type, owner: str | None) -> dict[str, d.MethodDefinition]:
        result = {}
        for name, function, mark in self._marked(cls):
            if mark is None or mark.kind == "rule" or mark.kind == "action" and self._afforded(name, mark.budget):
                if owner is None or name not in PARTS:
                    result[name] = self._method(name, function, mark is not None and mark.kind == "rule", owner)
        return result

    def _method(self, name: str, function: Callable[..., Any], is_rule: bool, owner: str | None) -> d.MethodDefinition:
        parameters = tuple((p, self._annotation(name, function, p)) for p in parameters_of(function))
        return d.MethodDefinition(
            name, function, is_rule, parameters, self._annotation(name, function, "return"), owner
        )

    def _annotation(self, name: str, function: Callable[..., Any], parameter: str) -> Domain | None:
        versions = [function] + [vars(b)[name] for b in self.cls.__mro__ if inspect.isfunction(vars(b).get(name))]
        for version in versions:
            annotation = getattr(version, "__annotations__", {}).get(parameter)
            if isinstance(annotation, str):
                annotation = evaluated(annotation, version, self.attributes)
            if annotation in (None, type(None), int, str, Any) or annotation is inspect.Parameter.empty:
                continue
            with located(lambda: of_function(version)):  # noqa: B023
                return self.resolve(annotation)
        return None

    def _initials(self, cls: type) -> list[Callable[..., Any]]:
        """The @initial method of a class, if it has one."""
        found = [f for _, f, m in self._marked(cls) if m is not None and m.kind == "initial"]
        if len(found) > 1:
            names = " and ".join(f.__name__ for f in found)
            remedy = "Keep one; it may call helpers. An edit overrides it by its name."
            raise at(of_function(found[-1]), f"{cls.__name__} has two @initial methods, {names}", remedy)
        for function in found:
            if parameters_of(function):
                remedy = "Choose what may vary: x = choose(...)."
                raise at(of_function(function), f"the @initial method {function.__name__} takes parameters", remedy)
        return found

    # Actions

    def _actions(
        self, marked: list[tuple[str, Callable[..., Any], Mark]], variables: list[d.VariableDefinition]
    ) -> Iterator[d.ActionDefinition]:
        for name, function, mark in marked:
            if mark.kind == "action" and self._afforded(name, mark.budget):
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
        for parameter in parameters_of(function):
            domain = self._annotation(name, function, parameter)
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
        self, name: str, function: Callable[..., Any], mark: Mark, variables: list[d.VariableDefinition]
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
                remedy = f"def {name}(self, p, q{each}); fields that it does not need may be left out."
                raise wrong(f": its parameters must be (receiver, {second}{each})", remedy)
        elif len(names) != 3:
            raise wrong(f" must have the parameters (receiver, {second}, message)", f"def {name}(self, p, q, m)")
        else:
            domains = {names[2]: network.body}
        domains |= {names[0]: network.process, names[1]: network.process}
        parameters = tuple(d.ParameterDefinition(n, domains[n]) for n in names)
        variant = mark.variant.name if mark.variant else None
        handler = d.ActionDefinition(
            name, "receive", function, parameters, actor=names[0], network=network.name, variant=variant
        )
        if mark.quorum is None:
            return handler
        with located(lambda: of_function(function)):
            return gathers(self.cls, handler, mark.quorum, network.process, self.resolve, self.known, self.given)

    # Properties

    def _property_names(self) -> list[str]:
        return [c.__name__ for c in property_classes(self.cls)] + [
            n for n, _, m in self._marked(self.cls) if m and m.kind in PROPERTY_MARKS
        ]

    def _check_distinct(self) -> None:
        """UsageError for two properties of one name: verdicts, and the variables of a property, go by name."""
        names = self._property_names()
        for name in (n for n in names if names.count(n) > 1):
            of_class_ = any(n == name and m and m.kind in PROPERTY_MARKS for n, _, m in self._marked(self.cls))
            other = (
                f"the class {name} in properties and the method {name}"
                if of_class_
                else f"two entries of properties called {name}"
            )
            what = f"{self.cls.__name__} has two properties of one name: {other}"
            remedy = "Give one of them another name, or drop it."
            raise at(of_attribute(self.cls, name if of_class_ else "properties"), what, remedy)

    def _properties(self) -> tuple[list[type[Property]], list[d.PropertyDefinition]]:
        classes = property_classes(self.cls)
        self._check_distinct()
        own = [(n, f, m) for n, f, m in self._marked(self.cls) if m and m.kind in PROPERTY_MARKS]
        known = self._property_names()
        for name in self.only or ():
            if name not in known:
                remedy = f"{near(name, known)} {has(known)}".strip()
                raise UsageError(f"{self.cls.__name__} has no property {name}", remedy=remedy)
        chosen = [c for c in classes if self.only is None or c.__name__ in self.only]
        if (
            self.constants.get("symmetry") is True
            and any(map(is_symmetric, self.attributes.values()))
            and (runs := [c.__name__ for c in chosen if issubclass(c, LeadsTo)])
        ):
            remedy = "Set symmetry=false, or choose other properties with --property."
            raise UsageError(
                f"{runs[0]} is about whole runs, which states merged by symmetry do not have", remedy=remedy
            )
        result = [
            d.PropertyDefinition(
                *(c.__name__, c.kind, _claim(c), c.__name__, getattr(c, "explain", None), getattr(c, "when", None)),
                parameters=tuple(elements(c, self.resolve, self.attributes)),
            )
            for c in chosen
        ]
        result += [d.PropertyDefinition(n, m.kind, f) for n, f, m in own if self.only is None or n in self.only]
        return chosen, result


def _claim(cls: type[Property]) -> Callable[..., Any]:
    """The method that states the property."""
    return cls.then if issubclass(cls, LeadsTo) else cls.holds


def _overridden(cls: type, attributes: Mapping[str, Any]) -> dict[int, Any]:
    """Types of base classes that the model declares anew, by identity, with what stands for them: variables and
    annotations of the base mean the new ones."""
    old = [
        (n, v)
        for base in cls.__mro__[1:]
        for n, v in vars(base).items()
        if is_type(v) and is_type(attributes.get(n)) and attributes[n] is not v
    ]
    current = {id(v) for v in attributes.values()}
    return {id(v): attributes[n] for n, v in old if id(v) not in current}
