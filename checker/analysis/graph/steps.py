"""The instances of actions in words: action, process, parameters, message.

An edge has the number of its instance, as defined for fairness (`checker.replay.fairness`).  For each instance the
interpreter executes the state of an edge with this instance, and the table describes this step; each edge with the
instance gives the same words.  They therefore do not depend on how compiled code numbers instances; a sample confirms
that both number the same steps (`checker.validation.graph`).
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

from attrs import define, field

from checker.backends.interpreter.interpreter import Interpreter, Raw, Step
from checker.language.definition import Definition
from checker.language.domains import Domain
from checker.replay.fairness import instance_of
from checker.replay.plain import plain
from checker.trace.values import show

Row = dict[str, Any]
MESSAGE = ("network", "source", "target", "body")
"""The columns of the message that a handler receives."""


@define
class StepWords:
    """Rows of the table of instances, by their numbers."""

    definition: Definition
    rows: dict[int, Row] = field(factory=dict)
    interpreter: Interpreter = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.interpreter = Interpreter(self.definition)

    def add(self, state: Raw, places: Mapping[int, int]) -> None:
        """Add instances; places: by the places of their edges among the edges of a state, their numbers."""
        steps = (step for step in self.interpreter.steps(state) if step.after is not None)
        for place, step in enumerate(islice(steps, max(places) + 1)):
            if place in places:
                self.rows[places[place]] = _words(places[place], step, self.definition.process)

    def table(self) -> Any:
        """The instances in the order of their numbers, as an Arrow table."""
        return table([self.rows[number] for number in range(len(self.rows))])


def _words(number: int, step: Step, processes: Domain | None) -> Row:
    action, instance = step.action, instance_of(step)
    whole = action.kind == "receive" and action.quorum is None
    tried = {p.name for p in (action.parameters if whole else action.tried)}
    arguments = {name: show(plain(value)) for name, value in step.arguments if name in tried}
    acting = action.actor or next((p.name for p in action.tried if p.domain == processes), "")
    return {
        "step": number,
        "action": action.name,
        "process": arguments.get(acting),
        "parameters": list(arguments.items()),
        "message": dict(zip(MESSAGE, (show(plain(v)) for v in instance.arguments))) if whole else None,
        "fault": action.fault,
        "crashed": step.crashed,
        "label": f"{action.name}({', '.join(arguments.values())})",
    }


def table(rows: list[Row]) -> Any:
    """The instances as an Arrow table."""
    import pyarrow as pa

    message = pa.struct([(name, pa.string()) for name in MESSAGE])
    kinds = {
        "step": pa.int32(),
        "action": pa.string(),
        "process": pa.string(),
        "parameters": pa.map_(pa.string(), pa.string()),
        "message": message,
        "fault": pa.bool_(),
        "crashed": pa.bool_(),
        "label": pa.string(),
    }
    return pa.Table.from_pylist(rows, pa.schema(list(kinds.items())))
