"""The views of a graph, in the SQL that DuckDB and Spark have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

STATES = "SELECT * FROM {0}state_rows"
EDGES = (
    "SELECT e.source, e.target, e.level, e.place, s.step, s.action, s.process, s.parameters, s.message, s.fault, "
    "s.crashed, s.label FROM {0}edge_rows e JOIN {0}steps s ON e.step = s.step"
)
STATED = "SELECT s.*, {0} FROM state_rows s JOIN stated t ON s.id = t.id"
ONLY = "SELECT a.* FROM {0}states a WHERE NOT EXISTS (SELECT 1 FROM {1}states b WHERE {2})"
SIDES = ("base_", "edit_")
REMEDY = "Tables: states, edges, steps, outcomes, levels, actions; DESCRIBE states shows the columns of one."


def raw(part: str) -> str:
    """The view of the rows of a table as they are stored."""
    return {"states": "state_rows", "edges": "edge_rows"}.get(part, part)


def shared(columns: Sequence[Mapping[str, str]], variables: Sequence[Sequence[str]]) -> tuple[list[str], list[str]]:
    """The variables that two graphs have with the same type, and those that differ or that only one has.  columns: of
    both graphs the types of columns, and which columns are variables.
    """
    base, edit = columns
    every = list(dict.fromkeys([*variables[0], *variables[1]]))
    same = [name for name in every if name in base and base[name] == edit.get(name)]
    return same, [name for name in every if name not in same]
