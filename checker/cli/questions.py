"""Commands that ask one thing of a model: a proof, a state, random runs, delays."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from checker.cli.arguments import CONSTANT, SECONDS, SECONDS_OR_NONE, Number, constants_of_options, names_of_options
from checker.cli.options import json_option, limits, read, said, search_options


@click.command()
@click.argument("name", metavar="MODEL")
@click.option(
    "-D",
    "constants",
    type=CONSTANT,
    multiple=True,
    metavar="NAME=VALUE",
    help="Set a constant: 3, true, fifo or 2,1,0.",
)
@click.option(
    "--property",
    "properties",
    multiple=True,
    metavar="NAME",
    help="Prove this one (several: together). Default: every invariant.",
)
@click.option("--assuming", multiple=True, metavar="NAME", help="Take this property for granted.")
@click.option(
    "--depth", type=Number(0), default=3, show_default=True, help="Largest k of the induction, or longest run."
)
@click.option("--bounded", is_flag=True, help="Only look for violations in runs of up to --depth steps; no induction.")
@click.option(
    "--network",
    type=click.IntRange(1, 1024),
    default=4,
    show_default=True,
    help="Messages in flight that are provided for, on each network.",
)
@click.option("--timeout", type=SECONDS, metavar="SECONDS", help="Give up after this time.")
@click.option(
    "--vacuity",
    type=SECONDS_OR_NONE,
    default=5.0,
    show_default=True,
    metavar="SECONDS",
    help="Time to look for what makes the statement hollow; 0: none.",
)
@click.option("--out", metavar="DIR", help="Write reports of the violation, or of the counterexample to induction.")
@json_option
def prove(name: str, json_file: str | None, out: str | None, **options: Any) -> int:
    """Prove invariants of a model by k-induction, for runs of every length, with z3.

    Exit code 0: proved; 1: violated, with the run; 4: not decided, with a counterexample to induction if there is one.
    """
    from checker.analysis.prove.prove import prove as run_prove
    from checker.cli.output import Output
    from checker.cli.reports import report_directory
    from checker.report.proof import data, lines
    from checker.search.limits import Limits

    (entry,), directory, output = (
        read([name], Limits(max_seconds=options["timeout"])),
        report_directory(out),
        Output(json_file),
    )
    proof = run_prove(
        entry.cls,
        entry.reference,
        constants_of_options(options["constants"]),
        properties=names_of_options(options["properties"]),
        using=names_of_options(options["assuming"]) or (),
        depth=options["depth"],
        induction=not options["bounded"],
        network=options["network"],
        timeout=options["timeout"],
        vacuity=options["vacuity"],
        progress=said(json_file),
    )
    files = directory.write_trace(proof.trace) if proof.trace else []
    output.print(lines(proof, files))
    output.write(lambda: data(proof, files))
    return proof.exit_code


@click.command()
@click.argument("name", metavar="MODEL")
@click.argument("predicate")
@search_options
@click.option("--at-end", is_flag=True, help="Only states in which nothing but faults is enabled.")
@click.option("--out", metavar="DIR", help="Write reports of the run.")
@json_option
def find(name: str, predicate: str, at_end: bool, out: str | None, **options: Any) -> int:
    """Find a shortest run to a state that satisfies PREDICATE, for example 'any(len(delivered[p]) == 2 for p in
    Process)'.

    Exit code 0: found; 1: no reachable state satisfies it; 4: the search was stopped before that was decided.
    """
    from checker.analysis.find import find_state
    from checker.cli.output import Output
    from checker.cli.reports import report_directory
    from checker.report.found import search_data, search_lines

    given = limits(options).begun()
    (entry,), directory, output = read([name], given), report_directory(out), Output(options["json_file"])
    with output.progress(entry.reference) as progress:
        found = find_state(
            entry.cls,
            entry.reference,
            predicate,
            constants_of_options(options["constants"]),
            at_end=at_end,
            engine=options["engine"],
            threads=options["threads"],
            limits=given,
            progress=progress,
        )
    files = directory.write_trace(found.trace) if found.trace else []
    output.print(search_lines(found, files))
    output.write(lambda: search_data(found, files))
    return found.exit_code


@click.command()
@click.argument("name", metavar="MODEL")
@click.option("-D", "constants", type=CONSTANT, multiple=True, metavar="NAME=VALUE", help="Set a constant.")
@click.option(
    "--property",
    "properties",
    multiple=True,
    metavar="NAME",
    help="Check this property (may be repeated). Default: all.",
)
@click.option("--runs", type=Number(1), default=10_000, show_default=True, help="Walks to make.")
@click.option("--steps", type=Number(1), default=1_000, show_default=True, help="Steps after which a walk ends.")
@click.option("--seed", type=Number(0), default=0, show_default=True, help="Another seed makes other walks.")
@click.option("--max-seconds", type=SECONDS, help="Stop after this time.")
@click.option("--out", metavar="DIR", help="Write reports of the violation: text, diagram, ITF.")
@json_option
def simulate(name: str, out: str | None, **options: Any) -> int:
    """Walk through MODEL at random and check what is met, where there are too many states to explore.

    Exit code 1: a violation was found; 4: none was, which decides nothing.
    """
    from checker.analysis.simulate import simulation
    from checker.cli.output import Output
    from checker.cli.reports import report_directory
    from checker.report.found import simulation_data, simulation_lines
    from checker.search.limits import Limits

    given = Limits(max_seconds=options["max_seconds"]).begun()
    (entry,), directory, output = read([name], given), report_directory(out), Output(options["json_file"])
    found = simulation(
        entry.cls,
        entry.reference,
        constants_of_options(options["constants"]),
        only=names_of_options(options["properties"]),
        runs=options["runs"],
        depth=options["steps"],
        seed=options["seed"],
        limits=given,
    )
    files = directory.write_trace(found.trace) if found.trace else []
    output.print(simulation_lines(found, files))
    output.write(lambda: simulation_data(found, files))
    return found.exit_code


@click.command()
@click.argument("name", metavar="MODEL")
@partial(search_options, engines=("native",))
@click.option("--markdown", metavar="FILE", help="Write the table as Markdown.")
@click.option(
    "--until",
    default="deliver",
    show_default=True,
    metavar="EVENT",
    help="Measure up to this event of a process and a message.",
)
@click.option("--out", metavar="DIR", help="Write reports of a run with the greatest delay.")
@json_option
def latency(name: str, markdown: str | None, until: str, out: str | None, **options: Any) -> int:
    """Measure delays and messages over all runs: from a multicast to its deliveries, least and most.

    A delay is the number of messages on the longest chain from the multicast to the delivery, each sent after the one
    before had arrived; in a model with time, the time. Exit code 4: the search was stopped, so there may be other
    values.
    """
    from checker.analysis.latency.survey import survey
    from checker.cli.output import Output
    from checker.cli.reports import report_directory
    from checker.report.latency import data, lines, markdown_text
    from checker.report.written import writable, write_file

    if markdown is not None:
        writable(markdown, "--markdown")
    given = limits(options).begun()
    (entry,), directory, output = read([name], given), report_directory(out), Output(options["json_file"])
    with output.progress(entry.reference) as progress:
        found = survey(
            entry.cls,
            entry.reference,
            constants_of_options(options["constants"]),
            until=until,
            threads=options["threads"],
            limits=given,
            progress=progress,
            slowest=out is not None,
        )
    output.print((line,) for line in lines(found))
    if markdown is not None:
        write_file(markdown, markdown_text(found), "--markdown")
        output.line(f"  wrote {markdown}")
    output.write(lambda: data(found))
    for file in directory.write_trace(found.slowest) if found.slowest is not None else []:
        output.line(f"  wrote {file}")
    return found.exit_code


COMMANDS = (prove, find, simulate, latency)
