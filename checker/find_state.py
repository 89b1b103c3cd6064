"""`checker find`: a shortest run to a state that satisfies a predicate, or that there is none.

The predicate is an expression of the modelling language.  The names of the model stand in it as they are (`delivered[p]`, `Process`, `deliverable(p, m)`), members of
its identity types by their own names (`p1`, `m1.1`); so `len(delivered[p1]) == 2` means `len(self.delivered[self.Process[0]]) == 2`.  It becomes an invariant that is
never to hold, and the search ends at the first state that breaks it.
"""

from __future__ import annotations

import ast
import itertools
import linecache
import re
import sys
from collections.abc import Mapping
from typing import Any

from attrs import frozen

from checker.check import examine
from checker.language.constants import Deferred
from checker.language.define import declarations, define
from checker.language.domains import IdsDomain
from checker.language.errors import UsageError
from checker.language.model import Model, Var, invariant, quiescent
from checker.language.types import is_type
from checker.search.limits import NO_LIMITS, Limits
from checker.trace.trace import Trace

_numbers = itertools.count(1)
METHOD = "never"


@frozen
class Search:
    """What was looked for and found: verdict found, none (everything was explored) or unknown (stopped by `bound`)."""

    reference: str
    predicate: str
    constants: Mapping[str, Any]
    verdict: str
    trace: Trace | None
    distinct: int
    bound: str | None

    @property
    def exit_code(self) -> int:
        """0 found, 1 there is none, 4 not decided."""
        return {"found": 0, "none": 1, "unknown": 4}[self.verdict]


def find_state(
    cls: type[Model], reference: str, predicate: str, constants: Mapping[str, Any] | None = None, *, at_end: bool = False, engine: str = "native",
    threads: int = 1, limits: Limits = NO_LIMITS, progress: Any = None,
) -> Search:  # fmt: skip
    """Look for a state; `at_end`: a quiescent one.  UsageError if the predicate is no expression of the language or does not fit the model's types."""
    watched = _watching(cls, predicate, constants, at_end)
    examined = examine(
        watched, reference, constants, only=[METHOD], engine=engine, threads=threads, limits=limits, progress=progress, traces=False,
        count_outcomes=False, base=watched,
    )  # fmt: skip
    failures = [f for f in examined.explored.found if f.shown.kind in ("error", "assert")]
    found = next((f for f in examined.explored.found if f.shown.name == METHOD), None)
    report = examined.report
    if found is not None:
        trace = examined.replay.run(found.path(), predicate)
        return Search(reference, predicate, report.constants, "found", trace, report.distinct, None)
    if failures:
        raise UsageError(f"the search ended at a model error: {failures[0].shown.name}", remedy="The predicate may fail itself (none used as a value?); else see `checker check`.")
    return Search(reference, predicate, report.constants, "unknown" if report.bound else "none", None, report.distinct, report.bound)


def _watching(cls: type[Model], predicate: str, constants: Mapping[str, Any] | None, at_end: bool) -> type[Model]:
    """The model class with the predicate as the one property, to be broken."""
    body = _resolved(cls, predicate, constants)
    text = f"def {METHOD}(self) -> bool:\n    return not ({body})\n"
    name = f"<predicate {next(_numbers)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    scope: dict[str, Any] = dict(vars(sys.modules[cls.__module__]))
    exec(compile(text, name, "exec"), scope)
    method = (quiescent if at_end else invariant)(scope[METHOD])
    return type(cls.__name__, (cls,), {METHOD: method, "properties": [], "__doc__": cls.__doc__, "__module__": cls.__module__})


def _resolved(cls: type[Model], predicate: str, constants: Mapping[str, Any] | None) -> str:
    """The predicate as Python, with `self.` where a name is the model's."""
    definition = define(cls, constants, [])
    members: dict[str, str] = {}
    for name, domain in definition.types.items():
        if isinstance(domain, IdsDomain) and name.isidentifier():
            members |= {str(m): f"self.{name}[{i}]" for i, m in enumerate(domain)}
    text = predicate.strip()
    for member in sorted(members, key=len, reverse=True):
        text = re.sub(rf"(?<![\w.]){re.escape(member)}(?![\w(]|\.\d)", members[member], text)
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError:
        raise UsageError(f"{predicate!r} is not an expression of Python", remedy="For example: any(len(delivered[p]) == 2 for p in Process)") from None
    own = {n for n, v in declarations(cls) if isinstance(v, Var | Deferred) or is_type(v) or callable(v)}
    bound = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    known = own - bound
    _check_names(cls, tree, known | bound)
    return ast.unparse(_Own(known).visit(tree))


def _check_names(cls: type[Model], tree: ast.AST, known: set[str]) -> None:
    import builtins
    import difflib

    module = vars(sys.modules[cls.__module__])
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in known and node.id != "self" and node.id not in module and not hasattr(builtins, node.id):
            near = difflib.get_close_matches(node.id, [*known, *module], n=1)
            remedy = f"Did you mean {near[0]}?" if near else "Names are the model's variables, types, rules and members (p1)."
            raise UsageError(f"{cls.__name__} has nothing called {node.id}", remedy=remedy)


class _Own(ast.NodeTransformer):
    """Puts `self.` before the model's names."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id in self.names and isinstance(node.ctx, ast.Load):
            return ast.Attribute(ast.Name("self", ast.Load()), node.id, ast.Load())
        return node


def print_search(found: Search, output: Any, files: list[Any]) -> int:
    """Print the result, and write its JSON; returns the exit code."""
    from checker.json_output import trace_data
    from checker.report.text import print_report

    if output.json_file != "-":
        if found.trace is not None:
            print_report(found.trace, output.console)
            for path in files[:1]:
                output.line(f"  reports    {path.parent}/")
        words = {"found": f"in {len(found.trace.steps)} steps; no shorter run" if found.trace else "", "none": f"all {found.distinct:,} reachable states were looked at"}
        words["unknown"] = f"not within {found.distinct:,} states; the search was stopped by its bound on {found.bound}"
        style = {"found": "green", "none": "bold red", "unknown": "yellow"}[found.verdict]
        output.fields((found.verdict.upper(), style), (f"  {found.predicate}: {words[found.verdict]}", ""))
    output.write(
        {
            "reference": found.reference, "predicate": found.predicate, "constants": dict(found.constants), "verdict": found.verdict,
            "exit_code": found.exit_code, "distinct": found.distinct, "bound": found.bound,
            "trace": None if found.trace is None else trace_data(found.trace), "files": [str(f) for f in files],
        }
    )  # fmt: skip
    return found.exit_code
