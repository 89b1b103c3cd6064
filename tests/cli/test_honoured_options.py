"""Whatever option is given has an effect with the engine that is chosen, or is refused with its name and the
engine's."""

from __future__ import annotations

from collections.abc import Callable

import click
import pytest

from checker.cli.commands import TABLE, command
from checker.cli.options import HONOURED
from tests.cli.commands import Ran

Checker = Callable[..., Ran]

INDEPENDENT = {
    "engine",
    "constants",
    "varied",
    "properties",
    "allow_removed",
    "everything",
    "group",
    "watched",
    "coverage",
    "strict",
    "profile",
    "out",
    "junit",
    "sarif",
    "code_quality",
    "markdown",
    "json_file",
    "against",
    "rule_seconds",
    "step_seconds",
    "event_seconds",
    "most_runs",
    "delay_seconds",
    "implied",
    "brief",
    "at_end",
    "until",
    "thorough",
    "since",
    "with_shipped",
    "comment",
    "link",
    "lines",
    "here",
    "within",
    "exchange",
    "encrypt",
}
"""Options that have to do with no engine: what is asked, and where the answer goes."""
VALUES = {
    "threads": "2",
    "jobs": "2",
    "workdir": "kept",
    "master": "local[1]",
    "partitions": "2",
    "handover": "5",
    "worker_memory": "64M",
    "max_depth": "3",
    "max_states": "100",
    "max_seconds": "5",
    "max_memory": "1G",
    "spill": ".",
    "max_disk": "1G",
}
SEARCHING = [c for c in map(command, TABLE) if any(p.name == "engine" for p in c.params)]


def engines(command: click.Command) -> tuple[str, ...]:
    """The engines that a command offers."""
    kind = next(p.type for p in command.params if p.name == "engine")
    assert isinstance(kind, click.Choice)
    return tuple(kind.choices)


CASES = [
    (str(command.name), parameter, engine)
    for command in SEARCHING
    for parameter in command.params
    for engine in engines(command)
    if engine not in HONOURED.get(str(parameter.name), engine)
]


def test_every_option_of_a_command_with_engines_is_classified() -> None:
    """A new option must say which engines honour it, or that none is asked: this fails until it does."""
    found = {str(p.name) for command in SEARCHING for p in command.params if isinstance(p, click.Option)}
    assert found - INDEPENDENT == set(HONOURED) & found
    assert len(SEARCHING) >= 9


@pytest.mark.parametrize("command, parameter, engine", CASES, ids=[f"{c}-{p.name}-{e}" for c, p, e in CASES])
def test_an_option_that_the_engine_does_not_honour_is_refused(
    checker: Checker, lock: str, command: str, parameter: click.Parameter, engine: str
) -> None:
    """Exit code 2, the option and the engine; the same command without the option is none of those refused."""
    option = max(parameter.opts, key=len)
    value = [] if getattr(parameter, "is_flag", False) else [VALUES[str(parameter.name)]]
    targets = {"find": [lock, "True"], "compare": [lock, lock], "resume": ["kept"]}.get(command, [lock])
    ran = checker(command, *targets, "--engine", engine, option, *value)
    assert ran.code == 2
    assert f"{option} has no effect with --engine {engine}" in ran.err


def test_the_default_of_an_option_is_not_refused(checker: Checker, lock: str) -> None:
    """--threads is 1 for the interpreter, too."""
    assert checker("check", lock, "--engine", "interpreter").code == 0


@pytest.mark.parametrize(
    "command, engine, why",
    [
        ("latency", "interpreter", "searches with compiled code, and has no --engine interpreter"),
        ("compare", "spark", "searches in one process, and has no --engine spark"),
    ],
)
def test_an_engine_that_a_command_does_not_offer_is_refused_with_the_reason(
    checker: Checker, lock: str, command: str, engine: str, why: str
) -> None:
    """Exit code 2, and the engines that it offers; a name that is no engine is a wrong value."""
    ran = checker(command, lock, *[lock] * (command == "compare"), "--engine", engine)
    assert ran.code == 2 and f"`checker {command}` {why}" in ran.err and "Choose --engine native" in ran.err
    assert "'elsewhere' is not" in checker(command, lock, "--engine", "elsewhere").err


def test_a_master_has_no_effect_on_a_native_search(checker: Checker, lock: str) -> None:
    """Its tables are made without Spark, too."""
    for more in ((), ("--keep-graph",)):
        assert "has no effect" in checker("check", lock, "--master", "local[1]", *more).err


@pytest.mark.parametrize("command", ["check", "find", "outcomes", "latency"])
def test_options_for_the_disk_that_contradict_or_do_nothing_are_refused(
    checker: Checker, lock: str, command: str
) -> None:
    """States cannot be put on a disk that gets none of them, and a disk gets none where memory has no limit."""
    target = [lock, *["True"] * (command == "find")]
    ran = checker(command, *target, "--spill", ".", "--max-disk", "0")
    assert ran.code == 2 and "--spill puts states on disk, and --max-disk 0 keeps all in memory" in ran.err
    ran = checker(command, *target, "--max-disk", "1G")
    assert ran.code == 2 and "--max-disk has no effect without --max-memory or --spill" in ran.err


def test_an_option_that_is_gone_is_refused_with_the_reason(checker: Checker, lock: str) -> None:
    """Scripts of earlier versions name it: exit code 2, and what has become of it."""
    for option in (["--exchange", "shuffle"], ["--encrypt"]):
        ran = checker("check", lock, "--engine", "spark", *option)
        assert ran.code == 2 and f"there is no {option[0]} any more" in ran.err
