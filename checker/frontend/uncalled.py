"""Rules and functions that nothing calls are lowered all the same, so that a misspelt name in one is reported before
the first call.

A called method is lowered with the types of the arguments.  A method without a call is lowered with the types of its
parameters, because `compare` and `find` may call it.  A method with a parameter without type is passed over, and so is
a procedure: it may contain statements that only a step may execute.
"""

from __future__ import annotations

from collections.abc import Iterator

from checker.frontend import functions, supported
from checker.frontend.program import Program
from checker.frontend.refusal import Refused
from checker.frontend.scope import Incomplete
from checker.frontend.source import source
from checker.ir import expressions as e
from checker.language.definition import MethodDefinition
from checker.language.places import is_own


def refusals(whole: Program) -> list[Refused]:
    """The errors in rules and functions that nothing calls; requires that all calls have been lowered."""
    found: list[Refused] = []
    for method in _uncalled(whole):
        parameters: list[tuple[str, functions.Argument]] = [
            (name, e.Local(domain.ir, name)) for name, domain in method.parameters if domain is not None
        ]
        try:
            text = supported.checked(method.function)
            functions.make(whole, method.name, text, None, parameters, functions.declared(method))
        except Incomplete:
            continue
        except Refused as refused:
            found += [refused, *refused.others]
    return found


def _uncalled(whole: Program) -> Iterator[MethodDefinition]:
    called = {key[0] for key in whole.functions}
    for name, method in whole.definition.methods.items():
        if method.owner is not None or name in called or is_own(method.function.__module__):
            continue
        if all(domain is not None for _, domain in method.parameters) and (method.rule or _returns(method)):
            yield method


def _returns(method: MethodDefinition) -> bool:
    try:
        return functions.returns_value(source(method.function).node)
    except Refused:
        return False
