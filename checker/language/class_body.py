"""Refuse what Python accepts in a class body but has no meaning in a model: a name bound twice, a list instead of a
variable, __init__, a lambda.

Otherwise such a declaration would be ignored without notice.  Classes of the language itself are not examined.
"""

from __future__ import annotations

import ast
import difflib
import inspect
from enum import Enum
from typing import Any
from weakref import WeakSet

from checker.language.constants import Constant, Deferred
from checker.language.declaring import PYTHON, NetworkDeclaration, not_a_type
from checker.language.distributed import Distributed
from checker.language.expectation import Expectation
from checker.language.model import Model, Var, mark_of
from checker.language.places import Place, at, bindings, class_node, file_of, of_attribute, of_node
from checker.language.properties import Property
from checker.language.types import is_type

PYTHONIC = (
    "__init__",
    "__new__",
    "__getattr__",
    "__getattribute__",
    "__setattr__",
    "__init_subclass__",
    "__post_init__",
)
SETTINGS = ("properties", "outcome", "expect", "picture", "kind")
STATED = ("properties", "outcome", "expect", "picture")

_checked: WeakSet[type] = WeakSet()


def check_body(cls: type) -> None:
    """Raise UsageError for the first meaningless declaration in the class, or in a base of it."""
    for base in reversed(cls.__mro__):
        if (
            base not in _checked
            and issubclass(base, Model | Property)
            and not base.__module__.startswith("checker.language")
        ):
            _check_statements(base)
            for name, value in vars(base).items():
                _check_attribute(base, name, value)
            _checked.add(base)


def _check_statements(cls: type) -> None:
    """Errors that only the text shows."""
    node, file = class_node(cls), file_of(cls)
    if node is None or file is None:
        return
    for idle in (s for s in node.body if isinstance(s, ast.Expr) and not isinstance(s.value, ast.Constant)):
        remedy = f"Give it a name: name = {ast.unparse(idle)}"
        raise at(of_node(file, idle), f"{cls.__name__}: an expression in the class body has no effect", remedy)
    first: dict[str, Place] = {}
    for name, statement in bindings(node.body):
        place = of_node(file, statement)
        if name in first and name != "_":
            remedy = "Python keeps only the last one: give one of them another name."
            raise at(place, f"{cls.__name__}.{name} is defined twice, first in line {first[name].line}", remedy)
        first[name] = place
        if isinstance(statement, ast.AnnAssign) and not _declares(vars(cls).get(name)):
            start = ", initial" if statement.value is None else f", {ast.unparse(statement.value)}"
            written = ast.unparse(statement.annotation)
            remedy = f"Write {name} = var({PYTHON.get(written, written)}{start})."
            raise at(place, f"{cls.__name__}.{name}: an annotation declares no variable", remedy)


def _declares(value: Any) -> bool:
    return isinstance(value, Var | Deferred) or is_type(value)


def _check_attribute(cls: type, name: str, value: Any) -> None:
    """Errors that the value of an attribute shows."""
    if name.startswith("__") and name.endswith("__") and name not in PYTHONIC:
        return
    found = (
        _override(cls, name, value) or _function(cls, name, value) or _misspelt(cls, name, value) or _data(name, value)
    )
    if found is not None:
        message, remedy = found
        raise at(of_attribute(cls, name), f"{cls.__name__}.{name}: {message}", remedy)


def _override(cls: type, name: str, value: Any) -> tuple[str, str] | None:
    """The error in a declaration of another kind than that of the base with the same name; None if there is no such
    error.
    """
    base = next((b for b in cls.__mro__[1:] if name in vars(b)), None)
    if base is None:
        if value is None and issubclass(cls, Model | Property):
            remedy = "Drop it, or declare it: name = var(Type, initial)."
            return "None leaves out something of a base, and none has this name", remedy
        return None
    old, other = vars(base)[name], "Choose another name."
    if inspect.isfunction(old) and issubclass(base, Model | Property):
        return _override_of_a_method(base, name, value)
    if name not in SETTINGS and inspect.isfunction(value) and _is_plain(old):
        return f"a value of {base.__name__} is overridden by a method", other
    if isinstance(old, Constant) and not isinstance(value, Constant):
        remedy = other if callable(value) else f"Give it another default: {name} = const({value!r})."
        return f"a constant of {base.__name__} is overridden by something else", remedy
    if isinstance(old, classmethod) and not isinstance(value, classmethod):
        what = "this name is the language's, for a class method that gives constants which follow from others"
        return f"{what} (def {name}(cls, given))", other
    if is_type(old) and inspect.isfunction(value):
        return f"a type of {base.__name__} is overridden by a method", other
    if isinstance(old, Var) and not isinstance(value, Var | None):
        taken = ", ".join(n for n, v in vars(base).items() if isinstance(v, Var))
        return f"a variable of {base.__name__} is overridden by something else", f"{other} Its variables: {taken}."
    if isinstance(old, Var) and base.__module__ == Distributed.__module__:
        return f"the variable belongs to {base.__name__}, which changes it itself", other
    return None


KINDS = {
    "action": "an action",
    "receive": "a handler",
    "rule": "a rule",
    "initial": "the @initial method",
    "constraint": "a constraint",
    "invariant": "an @invariant",
    "step": "a @step_invariant",
    "quiescence": "a @quiescent property",
    "reachable": "a @reachable property",
    None: "a helper",
}


def _override_of_a_method(base: type, name: str, value: Any) -> tuple[str, str] | None:
    """The error in an override that makes a method another kind: an action or a property would disappear without
    notice.
    """
    mark, new = mark_of(base, name), getattr(getattr(value, "__checker__", None), "kind", None)
    was = None if mark is None else mark.kind
    if value is None:
        if was in (None, "rule"):
            return (f"{KINDS[was]} of {base.__name__} is left out, and what calls it is not", "Override it by another.")
        return None
    if not inspect.isfunction(value):
        return (
            f"{KINDS[was]} of {base.__name__} is overridden by something else"
        ), f"Choose another name. What an edit leaves out is {name} = None."
    if new not in (None, was):
        remedy = "Choose another name."
        if was is not None:
            remedy = "Leave out the decorator: an override keeps that of the base."
        return f"{KINDS[was]} of {base.__name__} is overridden by {KINDS[new]}", remedy
    return None


def _is_plain(value: Any) -> bool:
    """Whether an attribute is a value of Python's: a number, a tuple."""
    return (
        value is not None
        and not isinstance(value, Var | Deferred | type | classmethod | staticmethod | property)
        and not is_type(value)
        and not callable(value)
    )


def _misspelt(cls: type, name: str, value: Any) -> tuple[str, str] | None:
    """A name similar to one with a special meaning in a model class, with a fitting value, that no method reads."""
    if (
        not issubclass(cls, Model)
        or name in SETTINGS
        or inspect.isfunction(value)
        or isinstance(value, Var | Deferred | Expectation | type)
        or is_type(value)
    ):
        return None
    near = difflib.get_close_matches(name.lower(), STATED, 1, 0.75)
    read = any(name in f.__code__.co_names for f in vars(cls).values() if inspect.isfunction(f))
    if not near or read:
        return None
    what = f"this name means nothing to the language; did you mean {near[0]}?"
    return what, f"Write {near[0]} = ..., or choose another name."


def _function(cls: type, name: str, value: Any) -> tuple[str, str] | None:
    if name in PYTHONIC and inspect.isfunction(value):
        what = "model" if issubclass(cls, Model) else "property"
        return f"a {what} has no {name}", (
            "Declare variables with name = var(Type, initial); what they cannot say goes into a method marked @initial."
        )
    if name in STATED and inspect.isfunction(value):
        return f"{value.__name__} is a function, where its result belongs", f"Call it: {name} = {value.__name__}(...)."
    if isinstance(value, property):
        return "a @property is no method of a model", (
            f"Drop the decorator (or write @rule), and call it: self.{name}()."
        )
    if isinstance(value, staticmethod) or isinstance(value, classmethod) and name != "complete":
        return f"a {type(value).__name__} is no method of a model", (
            "Make it a helper: an unmarked method with self as its first parameter."
        )
    if inspect.iscoroutinefunction(value) or inspect.isasyncgenfunction(value):
        return "an async method is not in the language", "Write `def`: each action is one atomic step."
    if inspect.isfunction(value) and value.__name__ == "<lambda>":
        return "a lambda is no method of a model", f"Write def {name}(self): return ..., with its decorator above."
    return None


def _data(name: str, value: Any) -> tuple[str, str] | None:
    if isinstance(value, Expectation) or isinstance(value, list) and value and isinstance(value[0], Expectation):
        if name == "expect":
            return None
        return ("an expectation under this name is not looked at", "Write expect = ...; several go into a list.")
    if name in SETTINGS or name.startswith("_abc"):
        return None
    if isinstance(value, Var | Deferred) and value.name != name:
        remedy = (
            f"Declare one of its own: {name} = var(...)."
            if isinstance(value, Var)
            else (f"Compute it: {name} = derived(lambda c: c.{value.name}).")
        )
        return f"this is {value.name} under a second name", remedy
    if isinstance(value, NetworkDeclaration):
        return "a network type is no variable", (
            f"Write {name} = var({'Fifo' if value.fifo else 'Network'}[Process, Message])."
        )
    if isinstance(value, list | dict | set | frozenset | float):
        kind = type(value).__name__
        if isinstance(value, float):
            return "a float is not in the language", "Numbers are integers: scale them."
        return f"a {kind} in the class body is no variable", (
            f"State is declared: {name} = var({PYTHON.get(kind, PYTHON['set'])}). What never changes is a tuple."
        )
    generic = getattr(value, "__origin__", None)
    if generic is not None or isinstance(value, type) and not issubclass(value, Enum) and value is not bool:
        error = not_a_type(value)
        if generic is None and value.__module__ != "builtins":
            return "a class in the class body is no type of a model", (
                "Write Record(name=Type, ...), Union(Variant=Record(...)) or an Enum."
            )
        return error.message, str(error.remedy)
    if (
        callable(value)
        and not inspect.isfunction(value)
        and not isinstance(value, type | Deferred)
        and not is_type(value)
    ):
        return f"a {type(value).__name__} is no method of a model", (
            "Write it with def in the class body, and no decorator but those of the language."
        )
    return None
