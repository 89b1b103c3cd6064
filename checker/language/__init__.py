"""The names that a modeller imports.  Reference: docs/language.md."""

from checker.language import draw
from checker.language.choice import choose, require
from checker.language.constants import const, derived
from checker.language.distributed import Distributed, Process
from checker.language.errors import Disabled, ModelError, UsageError
from checker.language.expectation import holds, violates
from checker.language.model import (
    Model,
    action,
    anything,
    chain,
    constraint,
    initial,
    invariant,
    on,
    quiescent,
    reachable,
    rule,
    step_invariant,
    var,
)
from checker.language.notebook import model_html as _model_html  # noqa: F401  registers what model objects call
from checker.language.properties import Invariant, LeadsTo, Quiescence, Reachable, StepInvariant
from checker.language.types import Bag, Bool, Fifo, Ids, Int, Map, Network, Optional, Record, Seq, Set, Union, of

__all__ = [
    "Bag",
    "Bool",
    "Disabled",
    "Distributed",
    "Fifo",
    "Ids",
    "Int",
    "Invariant",
    "LeadsTo",
    "Map",
    "Model",
    "ModelError",
    "Network",
    "Optional",
    "Process",
    "Quiescence",
    "Reachable",
    "Record",
    "Seq",
    "Set",
    "StepInvariant",
    "Union",
    "UsageError",
    "action",
    "anything",
    "chain",
    "choose",
    "const",
    "constraint",
    "derived",
    "draw",
    "holds",
    "initial",
    "invariant",
    "of",
    "on",
    "quiescent",
    "reachable",
    "require",
    "rule",
    "step_invariant",
    "var",
    "violates",
]
