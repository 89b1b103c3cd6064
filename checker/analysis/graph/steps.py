"""The instances of actions in words: action, process, parameters, message.

An edge has the number of its instance, as defined for fairness (`checker.replay.fairness`).  For each instance the
interpreter executes the state of the first edge with this instance, and the table describes this step.  The words
therefore do not depend on how compiled code numbers instances; a sample confirms that both number the same steps
(`checker.validation.graph`).
"""

from __future__ import annotations

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
    """Rows of the table of instances, in the order of their numbers."""

    definition: Definition
    rows: list[Row] = field(factory=list)
    interpreter: Interpreter = field(init=False)
    _state: Raw | None = None
    _steps: list[Step] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.interpreter = Interpreter(self.definition)

    def add(self, state: Raw, place: int) -> None:
        """Add the next instance: that of the edge with this number among the edges of a state."""
        if state != self._state:
            self._state = state
            self._steps = [step for step in self.interpreter.steps(state) if step.after is not None]
        self.rows.append(_words(len(self.rows), self._steps[place], self.definition.process))


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
