"""The steps of an explored graph as rows of a table, written by tasks: one file of states, one file of edges.

A source tells how often each action was taken from a state, and gives the successors in the order of actions; so, one
state at a time, every edge has its action. Where a constraint cut some of a state's successors the two numbers differ,
and the actions of that state's edges are left out.
"""

from __future__ import annotations

import uuid
from typing import Any

import numpy as np
from attrs import frozen

from checker.contract import Source, States, uncounted
from checker.search.expansions import successors_of
from checker.search.folders import Folder
from checker.search.spark.job import Job, source_of
from checker.search.workdir import Block, read_block

_ROWS = 1 << 12


@frozen
class EdgeTables:
    """Files of states with the number of the first state in each, and where to put their edges."""

    job: Job
    directory: Folder
    blocks: tuple[tuple[Block, int], ...]


def write_edges(asked: EdgeTables, number: int) -> int:
    """Write the edges out of one file of states; returns how many.

    Columns: source (number), action, place (among the source's successors), target (packed state).
    """
    import pyarrow as pa
    from pyarrow import parquet

    source = source_of(asked.job)
    block, offset = asked.blocks[number]
    states = read_block(asked.job.data, block, source.words)
    fields = [
        ("source", pa.int64()),
        ("action", pa.string()),
        ("place", pa.int32()),
        ("target", pa.binary(8 * source.words)),
    ]
    written = 0
    file = asked.directory.create(f"part-{uuid.uuid4().hex}.parquet")
    with parquet.ParquetWriter(file, pa.schema(fields)) as writer:
        for start in range(0, len(states), _ROWS):
            rows: list[tuple[Any, ...]] = []
            for row in range(start, min(start + _ROWS, len(states))):
                successors, actions = _edges(source, np.ascontiguousarray(states[row : row + 1]))
                rows += [(offset + row, a, i, t.tobytes()) for i, (a, t) in enumerate(zip(actions, successors))]
            columns = [list(column) for column in zip(*rows)] if rows else [[], [], [], []]
            writer.write_table(
                pa.table([pa.array(c, t) for c, (_, t) in zip(columns, fields)], names=[n for n, _ in fields])
            )
            written += len(rows)
    asked.directory.finish(file, durable=False)
    return written


def _edges(source: Source, state: States) -> tuple[States, list[str | None]]:
    """Successors (n, words) of a state (1, words), and the action of each."""
    counters, actions = uncounted(source), len(source.actions)
    successors = successors_of(source, state, counters=counters, capacity=1 << 10)
    if counters[-1]:
        return successors, [None] * len(successors)
    return successors, [a for a, n in zip(source.actions, counters[actions : 2 * actions]) for _ in range(n)]
