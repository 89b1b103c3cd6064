"""A model checker for message-passing protocols: the names that programs and notebooks use, each loaded at its first
use.

    import checker

    report = checker.check("isis", workload=(2, 1))

`checker.language` has the names for writing models; `checker.models` and `checker.properties` are the shipped models
and properties.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from checker.api import (
        check,
        compare,
        find,
        graph,
        latency,
        model,
        names,
        outcomes,
        prove,
        read_trace,
        resume,
        simulate,
        sweep,
        write_report,
    )
    from checker.language.errors import Undecided, UsageError
    from checker.language.model import Model
    from checker.results.checked import Report
    from checker.results.comparison import Comparison
    from checker.results.configurations import FamilyComparison
    from checker.results.found import Search, Simulation
    from checker.results.latency import Survey
    from checker.results.proof import Proof
    from checker.results.sweep import Sweep
    from checker.trace.trace import Trace

_RESULTS = {
    "Report": "checker.results.checked",
    "Comparison": "checker.results.comparison",
    "FamilyComparison": "checker.results.configurations",
    "Search": "checker.results.found",
    "Survey": "checker.results.latency",
    "Proof": "checker.results.proof",
    "Simulation": "checker.results.found",
    "Sweep": "checker.results.sweep",
}

__all__ = [
    "Comparison",
    "FamilyComparison",
    "Model",
    "Proof",
    "Report",
    "Search",
    "Simulation",
    "Survey",
    "Sweep",
    "Trace",
    "Undecided",
    "UsageError",
    "check",
    "compare",
    "find",
    "graph",
    "latency",
    "model",
    "names",
    "outcomes",
    "prove",
    "read_trace",
    "resume",
    "simulate",
    "sweep",
    "write_report",
]

if not TYPE_CHECKING:  # for a type checker, every name would be an attribute of this module

    def __getattr__(name: str) -> Any:
        """A public name, imported at its first use."""
        if name not in __all__:
            raise AttributeError(f"module 'checker' has no attribute {name!r}")
        return getattr(import_module(_RESULTS.get(name, "checker.api")), name)


def __dir__() -> list[str]:
    return sorted([*(name for name in globals() if name.startswith("__")), *__all__])
