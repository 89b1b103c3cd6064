"""`checker query`: SQL over an explored graph."""

from __future__ import annotations

import logging
from pathlib import Path

from checker.analysis.graph_tables import tables
from checker.language.errors import UsageError
from checker.results.found import Rows


def query(workdir: Path | str, sql: str, master: str, limit: int) -> Rows:
    """Run SQL over `states`, `edges`, `levels` and `actions` of a stored search.  UsageError if it is no valid
    query."""
    session = tables(workdir, master)["levels"].sparkSession
    from pyspark.errors import PySparkException

    logging.getLogger("SQLQueryContextLogger").disabled = True  # it logs the stack of every wrong query
    try:
        frame = session.sql(sql)
        rows = frame.limit(limit + 1).collect()
    except PySparkException as error:
        raise UsageError(
            f"Spark SQL: {str(error).splitlines()[0]}",
            remedy="Tables: states, edges, levels, actions. DESCRIBE states shows the columns.",
        ) from None
    return Rows(tuple(frame.columns), tuple(map(tuple, rows[:limit])), len(rows) > limit)
