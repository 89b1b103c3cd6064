"""From a model class and its constants to a Definition: find all declarations of the class, fix types, check names.

Declarations come base class first, in the order of the class body; an override has the position of the original.  A
method that overrides a decorated one (rule, action, handler, property) has the same decorator, and inherits annotations
that it does not repeat.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import evolve

from checker.ir.values import zero
from checker.language import definition as d
from checker.language.assigned import assigned_first
from checker.language.class_body import check_body
from checker.language.collection_domains import BagDomain, MapDomain, SeqDomain
from checker.language.constants import Constant, Deferred, Known, fixed
from checker.language.declared import check_outcome, declarations, fix_constants
from checker.language.declaring import NetworkDeclaration, Resolver
from checker.language.distributed import Distributed
from checker.language.domains import Domain, RecordDomain, unset
from checker.language.errors import UsageError, has, near
from checker.language.expectation import check_expectations, expectations
from checker.language.listed import PROPERTY_MARKS, property_classes
from checker.language.methods import Methods, initials, marked_methods
from checker.language.model import Model, Var, anything, supplied
from checker.language.pictures import picture_of
from checker.language.places import at, located, of_attribute, of_class
from checker.language.properties import LeadsTo, Property
from checker.language.property_body import check_property
from checker.language.reserved import reserved
from checker.language.room import bounded, require_few_starts, require_small
from checker.language.signatures import elements
from checker.language.spoken import reading
from checker.language.start import check_anything, check_start
from checker.language.types import CHANNELS, in_order, is_symmetric, is_type, number_of_names

UNORDERED_GUESS = 16  # first guess of how many messages are in flight; grown when it is exceeded
QUEUE_GUESS = 4
SYMMETRY = Constant(False, "merge states that differ by a permutation of symmetric identities", ())


@supplied
def define(cls: type[Model], given: Mapping[str, Any] | None = None, only: Iterable[str] | None = None) -> d.Definition:
    """Read a model class.  `given`: constants; `only`: the properties to check (default: all that the class lists)."""
    with bounded(given or {}), reading():
        return _Reader(cls, dict(given or {}), None if only is None else list(only)).definition()


def constants_of(cls: type) -> dict[str, Constant]:
    """The declared constants by name; with symmetric identities also `symmetry`, which switches symmetry reduction
    on; without the order of channels if every network has its own."""
    declared = dict(declarations(cls))
    without = {CHANNELS} if in_order(declared) else ()
    constants = {n: v for n, v in declared.items() if isinstance(v, Constant) and n not in without}
    if any(map(is_symmetric, declared.values())) and "symmetry" not in declared:
        constants["symmetry"] = SYMMETRY
    return constants


class _Reader:
    def __init__(self, cls: type[Model], given: dict[str, Any], only: list[str] | None) -> None:
        check_body(cls)
        self.cls, self.only, self.given = cls, only, given
        self.attributes = dict(declarations(cls))
        self.deferred = {
            n: v for n, v in self.attributes.items() if isinstance(v, Deferred) and not isinstance(v, Constant)
        }
        declared = constants_of(cls)
        if in_order(self.attributes):
            self.deferred[CHANNELS] = Deferred(lambda _: "fifo")  # what a method reads
        named = number_of_names(self.attributes.get("Process"))
        if named is not None and "processes" in declared:
            # reports, stored files and resumed searches get the number that the model has
            given = {"processes": named, **given}
        self.constants = fix_constants(cls, declared, self.deferred, given)
        self.known = Known(self.constants, self.deferred)
        self.resolve = Resolver(
            self.known, self._named, self.constants.get("channels") == "fifo", _overridden(cls, self.attributes)
        )
        self.process: Domain | None = None
        self.own = [(n, f, m.kind) for n, f, m in marked_methods(cls) if m.kind in PROPERTY_MARKS]
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
        methods = Methods(self.cls, self.attributes, self.constants, self.given, self.known, self.resolve, self.process)
        chosen, properties = self._properties()
        self.carried = self._carried(chosen)
        variables = []
        for name, value in self.attributes.items():
            if isinstance(value, Var) and methods.afforded(name, value.budget):
                with located(lambda: of_attribute(self.cls, name)):  # noqa: B023
                    variables.append(self._variable(value, name, None))
        rules = methods.rules(self.cls, None)
        for owner in property_classes(self.cls):
            check_property(owner, self.cls, self.attributes)
        for owner in chosen:
            for name, value in declarations(owner):
                with located(lambda: of_attribute(owner, name)):  # noqa: B023
                    if isinstance(value, Var):
                        variables.append(self._variable(value, f"{owner.__name__}.{name}", owner.__name__))
                    elif is_type(value):
                        types[f"{owner.__name__}.{name}"] = self.resolve(value, name)
            rules |= {f"{owner.__name__}.{n}": m for n, m in methods.rules(owner, owner.__name__).items()}
        self._check_sizes(variables)
        constraints = [(n, f) for n, f, m in marked_methods(self.cls) if m.kind == "constraint"]
        self._check_names(types, variables, rules, [n for n, _ in constraints])
        starting = initials(self.cls)
        actions = tuple(methods.actions(variables))
        declared = {n for n, v in self.attributes.items() if isinstance(v, Var)}
        return d.Definition(
            name=self.cls.__name__,
            model=self.cls,
            constants=self.constants,
            types=types,
            derived=self._derived(),
            enums={domain.enum: domain for domain in self.resolve.done.values() if hasattr(domain, "enum")},
            variables=tuple(variables),
            initial=starting[-1] if starting else None,
            actions=actions,
            methods=rules,
            properties=tuple(properties),
            constraints=tuple(methods.method(n, f) for n, f in constraints),
            process=self.process,
            observers=tuple(c.__name__ for c in chosen),
            starting=tuple(methods.method(f.__name__, f, c.__name__) for c in chosen for f in initials(c)),
            picture=picture_of(self.cls, declared, variables, actions, types, self.process),
        )

    def _check_processes(self) -> None:
        """Raise UsageError for a number of processes other than that of the named processes."""
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
        self,
        types: dict[str, Any],
        variables: list[d.VariableDefinition],
        methods: dict[str, d.MethodDefinition],
        constraints: list[str],
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
            check_expectations(self.cls, self._property_names(), self.constants, constraints)
            for stated in expectations(self.cls):
                self._check_expected_constants(dict(stated.at))

    def _check_expected_constants(self, given: dict[str, Any]) -> None:
        """Raise UsageError if an expectation gives constants that the model does not accept; otherwise only a
        verification would detect it.
        """
        try:
            fix_constants(self.cls, constants_of(self.cls), self.deferred, dict(given))
        except UsageError as error:
            remedy = error.remedy if error.file else "In at={...} stand values that the model takes with -D."
            raise evolve(
                error, message=f"{self.cls.__name__}.expect, at={given}: {error.message}", remedy=remedy
            ) from None

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
            self._start_without_value(declared, domain, owner)
            if declared.initial is unset and domain.start() is unset and not local
            else fixed(declared.initial, self.known)
        )
        if start is anything:
            check_anything(domain, f"{self.cls.__name__}.{name}")
        else:
            check_start(domain, start, f"{self.cls.__name__}.{name}")
        return d.VariableDefinition(name, domain, start, owner, local, carried=declared.carried)

    def _start_without_value(self, declared: Var, domain: Domain, owner: str | None) -> Any:
        """The initial value of a variable that states none and whose type has none: any value, if an @initial method
        assigns it first; otherwise it stays unset.
        """
        cls = self.cls if owner is None else next(c for c in self.cls.properties if c.__name__ == owner)
        types = {n for n, v in self.attributes.items() if is_type(v)}
        certain = any(assigned_first(f, declared.name, types) for f in initials(cls))
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
        """Raise UsageError if a state, or the number of initial states, would be larger than can be explored."""
        with located(lambda: of_class(self.cls)):
            require_small([(v.name, v.domain.ir) for v in variables], self.given)
            require_few_starts([(v.name, v.domain.ir) for v in variables if v.initial is anything], self.given)

    # Properties

    def _property_names(self) -> list[str]:
        return [*(c.__name__ for c in property_classes(self.cls)), *(n for n, _, _ in self.own)]

    def _check_distinct(self) -> None:
        """Raise UsageError for two properties of one name: verdicts, and the variables of a property, are identified by
        name.
        """
        names = self._property_names()
        for name in (n for n in names if names.count(n) > 1):
            of_class_ = any(n == name for n, _, _ in self.own)
            other = f"two entries of properties called {name}"
            if of_class_:
                other = f"the class {name} in properties and the method {name}"
            what = f"{self.cls.__name__} has two properties of one name: {other}"
            remedy = "Give one of them another name, or drop it."
            raise at(of_attribute(self.cls, name if of_class_ else "properties"), what, remedy)

    def _properties(self) -> tuple[list[type[Property]], list[d.PropertyDefinition]]:
        classes = property_classes(self.cls)
        self._check_distinct()
        known = self._property_names()
        for name in self.only or ():
            if name not in known:
                remedy = near(name, known).then(has(known))
                raise UsageError(f"{self.cls.__name__} has no property {name}", remedy=remedy)
        chosen = [c for c in classes if self.only is None or c.__name__ in self.only]
        if (
            self.constants.get("symmetry") is True
            and any(map(is_symmetric, self.attributes.values()))
            and (runs := [c.__name__ for c in chosen if issubclass(c, LeadsTo)])
        ):
            otherwise = "Set symmetry=false, or choose other properties with --property."
            raise UsageError(
                f"{runs[0]} is about whole runs, which states merged by symmetry do not have", remedy=otherwise
            )
        result = [
            d.PropertyDefinition(
                c.__name__,
                c.kind,
                c.then if issubclass(c, LeadsTo) else c.holds,
                c.__name__,
                getattr(c, "explain", None),
                getattr(c, "when", None),
                tuple(elements(c, self.resolve, self.attributes)),
            )
            for c in chosen
        ]
        result += [d.PropertyDefinition(n, kind, f) for n, f, kind in self.own if self.only is None or n in self.only]
        return chosen, result


def _overridden(cls: type, attributes: Mapping[str, Any]) -> dict[int, Any]:
    """Types of base classes that the model declares again, by identity, each with its replacement: variables and
    annotations of the base use the replacement.
    """
    old = [
        (n, v)
        for base in cls.__mro__[1:]
        for n, v in vars(base).items()
        if is_type(v) and is_type(attributes.get(n)) and attributes[n] is not v
    ]
    current = {id(v) for v in attributes.values()}
    return {id(v): attributes[n] for n, v in old if id(v) not in current}
