"""Cases as methods of one class: executed by Python, lowered one by one, and evaluated in the same states.

A pack is a module that exists in memory only.  Its class is defined once; each method is lowered alone, so that a
refusal of one hides no other.
"""

from __future__ import annotations

import linecache
import re
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from types import ModuleType
from typing import Any
from warnings import catch_warnings

from attrs import evolve, field, frozen

from checker.backends.interpreter.interpreter import Failure as Failed
from checker.backends.interpreter.interpreter import Interpreter, Raw, failure_of
from checker.frontend.lower import lower
from checker.frontend.refusal import Refused
from checker.ir import model as ir
from checker.ir.evaluate.environment import Failure
from checker.ir.evaluate.model import Evaluator
from checker.language.define import define
from checker.language.definition import Definition, MethodDefinition
from checker.language.errors import UsageError

SENT_FIRST = "sent"
"""In a state: an expression that is evaluated for what it does."""
ROOM = 24
"""Messages that a network may hold when it is lowered; Python has no bound."""
_numbers = count()
_ATTRIBUTE = re.compile(r"(?:\.|@on\(|\b(?:each|at_least|of)=)([A-Za-z_]\w*)")

SAME, REFUSED, DIFFERENT, BROKEN = "same", "refused", "different", "broken"


@frozen
class Outcome:
    """What became of a case: `reason` is that of a refusal, or both answers where they differ."""

    verdict: str
    reason: str = ""
    text: str = field(default="", repr=False)

    @property
    def wrong(self) -> bool:
        """Whether the front end must be mended."""
        return self.verdict in (DIFFERENT, BROKEN)


@contextmanager
def module(text: str) -> Iterator[ModuleType]:
    """A module of this text; its lines are found as those of a file are."""
    name = f"enumeration_pack_{next(_numbers)}"
    file = f"/enumeration/{name}.py"
    made = ModuleType(name)
    made.__file__ = file
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    sys.modules[name] = made
    try:
        with catch_warnings(action="ignore", category=SyntaxWarning):
            exec(compile(text, file, "exec"), made.__dict__)
        yield made
    finally:
        del sys.modules[name], linecache.cache[file]


@frozen(eq=False)
class Pack:
    """A defined class with its interpreter and the states in which its methods are executed."""

    definition: Definition
    interpreter: Interpreter
    states: tuple[Raw, ...]
    kept: frozenset[str]

    @property
    def variables(self) -> list[str]:
        """The names of the state variables, in the order of a raw state."""
        return [v.name for v in self.definition.variables]


def pack(
    made: ModuleType, worlds: Sequence[Mapping[str, str]], constants: Mapping[str, int], kept: frozenset[str]
) -> Pack:
    """The class Cases of a module in the given states; kept: variables that every case is executed with."""
    definition = define(made.Cases, constants)
    interpreter = Interpreter(evolve(definition, constraints=()))
    first = interpreter.initial()[0]
    return Pack(definition, interpreter, tuple(_state(interpreter, first, vars(made), world) for world in worlds), kept)


def _state(interpreter: Interpreter, first: Raw, names: dict[str, Any], world: Mapping[str, str]) -> Raw:
    model: Any = interpreter.model
    model.set_raw_state(first)
    for name, text in world.items():
        value = eval(text, names, {"self": model})
        if name != SENT_FIRST:
            _put(model, name, value)
    raw: Raw = model.raw_state()
    return raw


def _put(model: Any, name: str, value: Any) -> None:
    if name == "bag":
        for item in value:
            model.bag.add(item)
    elif name in ("ms", "mq"):
        for site, part in zip(model.Site, value):
            getattr(model, name)[site] = part
    elif name == "mm":
        for site in model.Site:
            for other, part in zip(model.Site, value):
                model.mm[site][other] = part
    elif name == "m":
        for key, part in value.items():
            model.m[key] = part
    else:
        setattr(model, name, value)


# -- one case
# -------------------------------------------------------------------------------------------------------------


@frozen(eq=False)
class Single:
    """Some actions, properties or constraints, one as a rule, with the variables and methods that their text names."""

    definition: Definition
    interpreter: Interpreter
    states: tuple[Raw, ...]
    variables: tuple[str, ...]


def single(packed: Pack, names: Collection[str], text: str) -> Single:
    """The methods of these names alone; text: their own text."""
    whole = packed.definition
    methods: dict[str, MethodDefinition] = {}
    named, pending = set(_ATTRIBUTE.findall(text)), [text]
    while pending:
        source = pending.pop()
        for key in _ATTRIBUTE.findall(source):
            if key in whole.methods and key not in methods:
                methods[key] = whole.methods[key]
                pending.append(" ".join(f".{n}" for n in methods[key].function.__code__.co_names))
        named |= set(_ATTRIBUTE.findall(source))
    told = {key for name in names if (key := f"Watch.on_{name}") in whole.methods}
    watching = {variable.partition(".")[0] for variable in packed.kept if "." in variable}
    methods |= {
        key: method for key, method in whole.methods.items() if key in told or key.partition(".")[0] in watching
    }
    if told:
        named |= {f"Watch.{n}" for n in named}
    declared = (
        {a.name for a in whole.actions} | {p.name for p in whole.properties} | {c.name for c in whole.constraints}
    )
    places = [i for i, v in enumerate(whole.variables) if v.name in named | packed.kept]
    definition = evolve(
        whole,
        variables=tuple(whole.variables[i] for i in places),
        actions=tuple(a for a in whole.actions if a.name in names),
        properties=tuple(p for p in whole.properties if p.name in names),
        constraints=tuple(c for c in whole.constraints if c.name in names),
        methods={n: m for n, m in methods.items() if n not in names},
        initial=next((getattr(whole.model, name) for name in names if name not in declared), None),
        observers=tuple(o for o in whole.observers if o in names or o in watching or o == "Watch" and told),
    )
    return Single(
        definition,
        Interpreter(evolve(definition, constraints=(), initial=None)),
        tuple(tuple(s[i] for i in places) for s in packed.states),
        tuple(v.name for v in definition.variables),
    )


def lowered(definition: Definition) -> ir.Model | Outcome:
    """The lowered model; the refusal, or what is wrong with it."""
    try:
        return lower(definition, dict.fromkeys((v.name for v in definition.variables if v.network), ROOM))
    except Refused as refused:
        if not refused.file or not refused.line or not refused.remedy:
            return Outcome(
                BROKEN,
                f"refused without {'file' if not refused.file else 'line' if not refused.line else 'remedy'}: "
                f"{refused.message}",
            )
        return Outcome(REFUSED, refused.message)
    except UsageError as error:
        return Outcome(REFUSED, f"(usage) {error.message}")
    except Exception as error:
        return Outcome(BROKEN, f"the front end fails: {type(error).__name__}: {error}")


def judge(packed: Pack, name: str, text: str) -> Outcome:
    """Execute one method in each state, lowered and by Python."""
    alone = single(packed, (name,), text)
    model = lowered(alone.definition)
    if isinstance(model, Outcome):
        return model
    evaluator = Evaluator(model)
    for number, state in enumerate(alone.states):
        expected, found = executed(alone, state), evaluated(alone, evaluator, state)
        if expected != found:
            return Outcome(
                DIFFERENT,
                f"state {number}: Python {_shown(alone, state, expected)}; lowered {_shown(alone, state, found)}",
            )
    return Outcome(SAME)


def executed(alone: Single, state: Raw) -> list[Any]:
    """What Python makes of it: successors or errors, initial states, or the values of a property."""
    definition, interpreter = alone.definition, alone.interpreter
    try:
        if definition.initial is not None:
            return _starts(definition) if state == alone.states[0] else []
        if definition.actions:
            return [s.after if s.after is not None else _failed(s.failure) for s in interpreter.steps(state)]
    except Exception as error:
        return [_raised(error, definition)]
    if definition.properties:
        p = definition.properties[0]
        return [
            _value(alone, f, state, before, p.owner)
            for f in (p.function, p.when)
            if f
            for before in _befores(alone, state)
        ]
    return [_value(alone, c.function, state, None, None) for c in definition.constraints]


def _starts(definition: Definition) -> list[Any]:
    try:
        return list(Interpreter(definition).initial())
    except UsageError as error:
        return [("failure", "error", error.line)] if error.line and "goes wrong" in error.message else []


def _befores(alone: Single, state: Raw) -> tuple[Raw | None, ...]:
    return alone.states if alone.definition.properties and alone.definition.properties[0].kind == "step" else (None,)


def _value(alone: Single, function: Any, state: Raw, before: Raw | None, owner: str | None) -> Any:
    try:
        return alone.interpreter.holds(function, state, owner, before)
    except Exception as error:
        return _raised(error, alone.definition)


def _raised(error: Exception, definition: Definition) -> Any:
    try:
        return _failed(failure_of(error, definition))
    except Exception:
        return ("raised", f"{type(error).__name__}: {error}")


def evaluated(alone: Single, evaluator: Evaluator, state: Raw) -> list[Any]:
    """The same of the lowered method."""
    at, definition, model = dict(zip(alone.variables, state)), alone.definition, evaluator.model
    try:
        if definition.initial is not None:
            return (
                list(dict.fromkeys(tuple(s[n] for n in alone.variables) for s in evaluator.initial()))
                if state == alone.states[0]
                else []
            )
        if definition.actions:
            return [
                tuple(s.after[n] for n in alone.variables) if s.after is not None else _failed(s.failure)
                for s in evaluator.successors(at)
            ]
        functions = [f for p in model.properties for f in (p.function, p.when) if f] or list(model.constraints)
        return [
            _held(evaluator, f, at, dict(zip(alone.variables, before)) if before else None)
            for f in functions
            for before in _befores(alone, state)
        ]
    except Failure as failure:
        return [_failed(failure)]
    except Exception as error:
        return [("raised", f"in the evaluator: {type(error).__name__}: {error}")]


def _held(evaluator: Evaluator, function: str, at: dict[str, Any], before: dict[str, Any] | None) -> Any:
    try:
        return evaluator.holds(function, at, before)
    except Failure as failure:
        return _failed(failure)


def _failed(failure: Failure | Failed | None) -> tuple[str, str, int]:
    assert failure is not None
    return ("failure", failure.kind, failure.line)


def _shown(alone: Single, state: Raw, found: list[Any]) -> str:
    return " | ".join(_one(alone, state, f) for f in found[:4]) or "disabled"


def _one(alone: Single, state: Raw, found: Any) -> str:
    if isinstance(found, bool):
        return str(found)
    if found and found[0] in ("failure", "raised"):
        return f"{found[1]} {found[2]}" if found[0] == "failure" else str(found[1])
    changed = [f"{n}={new}" for n, old, new in zip(alone.variables, state, found) if old != new]
    return ", ".join(changed) or "changes nothing"
