"""python -m tests.mutation: changes of the program, one at a time, and the tests that should notice each.
docs/semantics.md has the numbers."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import attrs
import click
import hypothesis  # noqa: F401  imported once, here: the processes of the mutants are forks of this one
import llvmlite.binding  # noqa: F401
import numpy  # noqa: F401
import rich.console  # noqa: F401
import z3  # noqa: F401

from tests.mutation import attempt, enumerated, results, suites
from tests.mutation.mutants import PACKAGES, Mutant, drawn, named


@click.command()
@click.option("--seed", default=1, show_default=True, help="Which mutants are drawn.")
@click.option("--mutants", "most", default=500, show_default=True, help="How many.")
@click.option(
    "--package",
    "packages",
    multiple=True,
    type=click.Choice(list(PACKAGES)),
    help="Only of this package; may be repeated.",
)
@click.option(
    "--only", multiple=True, help="FILE, FILE:LINE or FILE:LINE#NUMBER: these mutants, none drawn; may be repeated."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Directory for results and recordings; a run that was interrupted continues there.",
)
@click.option(
    "--seconds", default=25.0, show_default=True, help="Of the processor, as recorded: the tests that a mutant meets."
)
@click.option("--again", is_flag=True, help="Try survivors of --out again.")
def main(
    seed: int,
    most: int,
    packages: tuple[str, ...],
    only: tuple[str, ...],
    out: Path | None,
    seconds: float,
    again: bool,
) -> None:
    """Change the program in one place at a time and run the tests that should notice; exit code 1 if a change survives
    without an answer."""
    place = out or Path(tempfile.mkdtemp(prefix="mutation-"))
    place.mkdir(parents=True, exist_ok=True)
    answers = results.answers()
    if gone := results.stale(answers):
        raise click.ClickException(
            ("answers.toml: the code of these answers is gone; take them out or mend them:\n")
            + "\n".join(f"  {a.file}: {a.before}" for a in gone)
        )
    mutants = [m for name in only for m in named(name)] if only else drawn(seed, most, packages or tuple(PACKAGES))
    cases = enumerated.sampled(place)
    tests = attempt.Tests(cases, enumerated.recorded(place, cases), suites.recorded(place), seconds)
    found = _tried(mutants, tests, place, answers, again)
    if failed := attempt.control(found, tests):
        raise click.ClickException(f"a test that noticed a mutant fails without one: {failed}")
    names = {m.name: m for m in mutants}
    print("\n" + results.table(found))
    for result in found:
        if result.verdict == results.SURVIVED:
            print(results.survivor(names[result.name]) + f"\n  {result.noticed}\n")
    sys.exit(1 if any(r.verdict == results.SURVIVED for r in found) else 0)


def _tried(
    mutants: list[Mutant], tests: attempt.Tests, place: Path, answers: list[results.Answer], again: bool
) -> list[results.Result]:
    """The results of all, those of an earlier run in this place taken over."""
    file = place / "results.jsonl"
    known = {r.name: r for r in results.read(file) if not (again and r.verdict == results.SURVIVED)}
    assert not any(name.split(".")[0] == "checker" for name in sys.modules), (
        "the program is imported before it is changed"
    )
    for number, mutant in enumerate(mutants, 1):
        if mutant.name not in known:
            result = known[mutant.name] = attempt.attempt(mutant, tests, answers)
            with file.open("a") as stream:
                stream.write(result.line() + "\n")
            print(
                f"{number}/{len(mutants)} {result.verdict:8} {result.seconds:5.1f} s  {mutant.name} "
                f"{mutant.operator}: {result.noticed[:150]}",
                flush=True,
            )
    found = [known[m.name] for m in mutants]
    fitting = {m.name for m in mutants if known[m.name].verdict == results.SURVIVED and any(a.fits(m) for a in answers)}
    return [attrs.evolve(r, verdict=results.ANSWERED) if r.name in fitting else r for r in found]


if __name__ == "__main__":
    main()
