"""`checker query`: questions about the graph that a search has kept, one on the command line or several in a shell."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click

from checker.analysis.graph.query import Graph, open_graph
from checker.cli.output import Output
from checker.language.errors import UsageError
from checker.report.data import write
from checker.report.found import table_data, table_lines
from checker.results.exit_codes import HOLDS

GREETING = "SQL, ended by ; and over several lines if need be. SHOW TABLES; DESCRIBE states; Ctrl-D ends."


def query(
    workdir: str,
    sql: str | None,
    against: str | None,
    predicates: tuple[tuple[str, str], ...],
    master: str | None,
    limit: int,
    json_file: str | None,
) -> int:
    if sql is None and json_file is not None:
        raise UsageError("--json writes the answer to one question", remedy="Give the SQL, too.")
    with open_graph(workdir, against, master=master, predicates=dict(predicates)) as graph:
        if sql is None:
            _shell(graph, limit)
        elif json_file is not None:
            write(json_file, table_data(graph.rows(sql, limit)))
        else:
            Output().print(table_lines(graph.rows(sql, limit)))
    return HOLDS


def _shell(graph: Graph, limit: int) -> None:
    """Answer questions until there are no more; report an error of one, and continue with the next."""
    output = Output()
    if sys.stdin.isatty():
        import readline  # noqa: F401 - lines can be edited

        click.echo(GREETING)
    for sql in _questions():
        try:
            output.print(table_lines(graph.rows(sql, limit)))
        except UsageError as error:
            click.echo(f"error: {error}", err=True)


def _questions() -> Iterator[str]:
    """The typed questions, each up to its ;."""
    asked, prompts = "", ("sql> ", "  -> ") if sys.stdin.isatty() else ("", "")
    while True:
        try:
            asked += input(prompts[bool(asked)]) + "\n"
        except EOFError:
            break
        if asked.strip().endswith(";"):
            yield asked
            asked = ""
        asked = asked if asked.strip() else ""
    if asked.strip():
        yield asked
