"""The commands are imported when they are called: the list of them, their help and a small check load nothing that
they do not need."""

from __future__ import annotations

import importlib
import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

from checker.cli.commands import TABLE, command
from tests.cli import protocols

HEAVY = {"numpy", "scipy", "llvmlite", "z3", "pyspark", "pyarrow", "rich"}
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
WIDTHS = (10, 40, 80, 1000)
COMMANDS = [f"checker.cli.{name}" for name in TABLE]


def modules(*arguments: str, **environment: str) -> set[str]:
    """The modules that are loaded after `checker ARGUMENTS`."""
    program = (
        "import os, sys; from checker.cli.program import run\n"
        "code = run(sys.argv[1:])\n"
        "open('loaded', 'w').write(' '.join(sys.modules)); sys.exit(code)"
    )
    command = [sys.executable, "-c", program, *arguments]
    subprocess.run(command, check=True, capture_output=True, env=os.environ | environment)
    return set(Path("loaded").read_text(encoding="utf-8").split())


def within(found: set[str], *packages: str) -> list[str]:
    """Those that are one of some packages or in it."""
    return sorted(m for m in found if any(m == p or m.startswith(p + ".") for p in packages))


@pytest.mark.parametrize("name", TABLE)
def test_the_table_says_what_the_command_says(name: str) -> None:
    """The first sentence of its help, at every width; and the name is the one that the command has."""
    found = command(name)
    listed = TABLE[name]
    assert [found.get_short_help_str(w) for w in WIDTHS] == [
        type(found)(name, help=listed).get_short_help_str(w) for w in WIDTHS
    ]
    assert found.name == name


def test_the_list_of_commands_loads_none_of_them(here: Path) -> None:
    """Nor anything heavy: importing the program and asking for its help is what every command waits for."""
    found = modules("--help")
    assert within(found, *HEAVY) == []
    assert within(found, "checker.frontend", "checker.backends", "checker.search", "checker.replay") == []
    assert within(found, *COMMANDS, "checker.cli.declared") == []


def test_the_help_of_a_command_loads_its_options_only(here: Path) -> None:
    """Not those of every command, and not the module of the command."""
    found = modules("compare", "--help")
    assert within(found, "checker.cli.declared") == ["checker.cli.declared", "checker.cli.declared.questions"]
    assert within(found, *COMMANDS) == []


def test_the_options_of_all_commands_load_nothing_that_works_for_them(here: Path) -> None:
    """No analysis, no engine, no search: what all of them load together, in one process."""
    program = (
        "import sys; from checker.cli.commands import TABLE, command; import checker.cli.program\n"
        "for name in TABLE: command(name)\n"
        "open('loaded', 'w').write(' '.join(sys.modules))"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
    found = set(Path("loaded").read_text(encoding="utf-8").split())
    assert len(within(found, "checker.cli.declared")) == 4
    assert within(found, *HEAVY, *COMMANDS) == []
    assert within(found, "checker.frontend", "checker.backends", "checker.search", "checker.replay") == []
    assert within(found, "checker.engines") == ["checker.engines", "checker.engines.registry"]
    values = ["checker.analysis.sweep.choices", "checker.analysis.sweep.distributions"]  # which -D takes
    assert within(found, "checker.analysis") == ["checker.analysis", "checker.analysis.sweep", *values]


@pytest.mark.parametrize("name", TABLE)
def test_a_command_takes_the_options_that_are_declared(name: str) -> None:
    """The function that is imported when the command is called has a parameter for each."""
    declared = command(name)
    given = {str(p.name): None for p in declared.params if p.expose_value}
    inspect.signature(getattr(importlib.import_module(f"checker.cli.{name}"), name)).bind(**given)


def test_the_names_that_a_shell_completes_load_no_command(here: Path) -> None:
    """`checker re<TAB>`: from the table, with what the list says of them."""
    asked = {"COMP_WORDS": "checker re", "COMP_CWORD": "1"}
    program = "from checker.cli.program import main; main()"
    ran = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", program],
        env=os.environ | asked | {"_CHECKER_COMPLETE": "bash_complete"},
        capture_output=True,
        text=True,
    )
    assert ran.stdout.split() == ["plain,replay", "plain,resume"]
    assert "checker.cli.replay" not in ran.stderr and "checker.cli.program" in ran.stderr


def test_a_check_loads_only_what_it_needs(here: Path, lock: str) -> None:
    """No other command, no z3, no Spark, no pictures; nothing that explains a violation where there is none."""
    found = modules("check", lock)
    assert "checker.cli.check" in found
    others = [name for name in COMMANDS if name != "checker.cli.check"]
    assert within(found, "z3", "pyspark", "pyarrow", *others) == []
    assert within(found, "checker.backends.smt", "checker.search.spark", "checker.analysis.compare") == []
    assert within(found, "checker.analysis.sweep.sweep", "checker.analysis.explain", "checker.report.compare") == []
    assert within(found, "checker.analysis.profile", "checker.analysis.coverage", "checker.engines.behaviour") == []
    assert within(found, "checker.replay.cause", "checker.replay.blocked", "checker.ir.stubborn") == []
    assert within(found, "checker.search.workdir", "checker.search.checkpoint", "checker.validation.graph") == []


def test_a_check_of_what_becomes_true_loads_no_scipy_for_a_small_graph(here: Path) -> None:
    """Its import takes longer than the check."""
    found = modules("check", f"{EXAMPLES}/lock.py:InTurn")
    assert "checker.search.liveness" in found
    assert within(found, "scipy") == []


def test_the_end_of_a_process_calls_what_is_registered_and_loses_no_text(here: Path) -> None:
    """Its modules are not taken apart, but exit handlers run, and what they print arrives."""
    program = (
        "import atexit, sys; from checker.cli.program import main\n"
        "atexit.register(print, 'handled'); sys.argv = ['checker', *sys.argv[1:]]; main()"
    )
    ran = subprocess.run([sys.executable, "-c", program, "--version"], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout.splitlines()[1:], ran.stderr) == (0, ["handled"], "")
    ran = subprocess.run([sys.executable, "-c", program, "check", "nothing"], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (2, "handled\n") and "error" in ran.stderr


def test_stored_traces_and_the_list_of_models_load_no_engine(here: Path) -> None:
    """They print what is in files."""
    (here / "models").mkdir()
    (here / "models" / "lock.py").write_text(protocols.LOCK, encoding="utf-8")
    assert within(modules("list"), "numpy", "llvmlite", "z3", "checker.engines.native", "checker.backends") == []
