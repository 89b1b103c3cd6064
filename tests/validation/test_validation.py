"""Where the interpreter and compiled code differ, no command gives a verdict: exit code 70, both answers, and how to
report it.

The list of commands is held against those that exist, and the list of modules that use compiled code against the
source, so that a new one cannot leave validation out unseen.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from checker.analysis.compare import rules
from checker.analysis.prove import prove
from checker.cli.commands import TABLE
from checker.engines import native
from checker.frontend.lower import lower
from checker.results.exit_codes import HOLDS, INTERNAL, VIOLATED
from tests.cli.commands import Ran
from tests.mentioning import mentioning
from tests.validation import jobs
from tests.validation.faults import Fault, function_is, in_action, property_is, reordered, without_guard

pytestmark = pytest.mark.usefixtures("whole_sample")

Checker = Callable[..., Ran]

ROOT = Path(__file__).resolve().parent.parent.parent
JOBS, HASTY = "jobs.py:Jobs", "jobs.py:Hasty"
RELAY = "basic_multicast:Ordered"

COMMANDS: dict[str, list[tuple[str, ...]]] = {
    "check": [
        (),
        ("--threads", "3"),
        ("--all",),
        ("--max-states", "20"),
        ("--max-depth", "3"),
        ("--workdir", "work"),
        ("--coverage",),
        ("--profile",),
        ("--strict",),
        ("--json", "-"),
    ],
    "verify": [(), ("--strict",)],
    "sweep": [
        ("-D", "clients=1..2"),
        ("-D", "clients=1..2", "--jobs", "2"),
        ("-D", "clients=1..2", "--implied"),
        ("-D", "clients=1..2", "--strict"),
    ],
    "outcomes": [()],
    "find": [("done == 2",), ("done == 2", "--at-end"), ("done == 9",)],
    "simulate": [("--runs", "50")],
    "compare": [(HASTY, "--rules", "0")],
}
"""Commands that search with compiled code, each with arguments behind the model."""

OTHERS = {
    "resume": "tested below: it needs a stored search",
    "inspect": "reads files",
    "latency": "tested below: it needs a model that multicasts",
    "prove": "tested below: it searches by formulas",
    "query": "tests/analysis/test_queries.py: what it makes of a stored search",
    "watch": "runs `checker check`",
    "lsp": "verifies as `verify` does, in a process of its own; tests/analysis/test_holding.py: what it counts besides",
    "rules": "tested below: it compares formulas",
    "gallery": "made from traces, each executed by the interpreter",
    "step": "the interpreter takes every step",
    "explore": "the interpreter takes every step; tested in tests/analysis/test_explore.py",
    "explain": "the interpreter takes every step",
    "replay": "the interpreter takes every step",
    "show": "draws a trace",
    "list": "reads classes",
}
"""All other commands, and why they are not in the list."""


@pytest.fixture
def here_with_jobs(here: Path) -> Path:
    """The working directory with the model."""
    (here / "jobs.py").write_text(Path(jobs.__file__).read_text(encoding="utf-8"), encoding="utf-8")
    return here


def broken(monkeypatch: pytest.MonkeyPatch, fault: Fault, module: Any = native) -> None:
    """From here on models are lowered with this fault."""
    monkeypatch.setattr(module, "lower", lambda *args, **options: fault(lower(*args, **options)))


def refused(ran: Ran) -> bool:
    """Whether a command ended as it should: an internal error that shows both answers, and no verdict."""
    text = ran.err or ran.out.partition("internal error: ")[2]  # of verify it is one result among others
    return (
        ran.code == INTERNAL
        and all(part in text for part in ("differ", "interpreter  ", "report"))
        and not any(word in ran.out for word in ("HOLDS", "PROVED", "FOUND", "VIOLATED", "as expected"))
    )


each_use = pytest.mark.parametrize(
    "command, arguments",
    [(name, some) for name, uses in COMMANDS.items() for some in uses],
    ids=lambda x: " ".join(x) if isinstance(x, tuple) else x,
)


@each_use
def test_no_command_gives_a_verdict_where_a_fault_is_made(
    monkeypatch: pytest.MonkeyPatch, checker: Checker, here_with_jobs: Path, command: str, arguments: tuple[str, ...]
) -> None:
    """A guard is lost in compiled code."""
    broken(monkeypatch, in_action("ask", without_guard))
    ran = checker(command, JOBS, *arguments)
    assert refused(ran), (ran.code, ran.out, ran.err)


def test_a_stored_search_is_compared_when_it_is_taken_up(
    monkeypatch: pytest.MonkeyPatch, checker: Checker, here_with_jobs: Path
) -> None:
    """Whoever ran the levels."""
    broken(monkeypatch, in_action("ask", without_guard))
    assert checker("check", JOBS, "--workdir", "work", "--max-depth", "2").code == INTERNAL
    ran = checker("resume", "work")
    assert refused(ran), (ran.code, ran.out, ran.err)


def test_a_stored_search_without_a_fault_is_confirmed(checker: Checker, here_with_jobs: Path) -> None:
    """Its states are read back from their files."""
    assert checker("check", JOBS, "--workdir", "work", "--max-depth", "2").code == 4
    found = checker("resume", "work", "--json", "-").json()
    assert found["exit_code"] == HOLDS
    assert found["validation"]["states"] == found["validation"]["of"] == found["distinct"]


def test_delays_are_not_measured_on_compiled_code_that_differs(
    monkeypatch: pytest.MonkeyPatch, checker: Checker
) -> None:
    """The copies with a history are compared like any model."""
    broken(monkeypatch, reordered)
    ran = checker("latency", RELAY)
    assert refused(ran), (ran.code, ran.out, ran.err)


@pytest.mark.parametrize(
    "fault", [in_action("ask", without_guard), property_is("few", 1), reordered], ids=["guard", "property", "order"]
)
def test_nothing_is_proved_of_a_lowered_model_that_differs(
    monkeypatch: pytest.MonkeyPatch, checker: Checker, here_with_jobs: Path, fault: Fault
) -> None:
    """Not even what z3 has proved of it."""
    pytest.importorskip("z3")
    broken(monkeypatch, fault, prove)
    ran = checker("prove", JOBS, "--property", "few", "--vacuity", "0")
    assert refused(ran), (ran.code, ran.out, ran.err)


def test_rules_are_not_compared_where_their_lowered_forms_differ_from_the_methods(
    monkeypatch: pytest.MonkeyPatch, checker: Checker, here_with_jobs: Path
) -> None:
    """z3 would call the two rules equivalent."""
    pytest.importorskip("z3")
    broken(monkeypatch, function_is("may_ask", 1), rules)
    for arguments in (("compare", JOBS, HASTY, "--steps", "0", "--events", "0"), ("rules", JOBS, HASTY)):
        ran = checker(*arguments)
        assert ran.code == INTERNAL and "may_ask(" in ran.err, (ran.code, ran.out, ran.err)


def test_json_names_the_difference(monkeypatch: pytest.MonkeyPatch, checker: Checker, here_with_jobs: Path) -> None:
    """As an error with exit code 70."""
    broken(monkeypatch, in_action("ask", without_guard))
    found = json.loads(checker("check", JOBS, "--json", "-").out)
    assert (
        found["exit_code"] == INTERNAL
        and "compiled code" in found["error"]["message"]
        and "report" in found["error"]["remedy"]
    )


@each_use
def test_commands_tell_how_much_was_confirmed(
    checker: Checker, here_with_jobs: Path, command: str, arguments: tuple[str, ...]
) -> None:
    """In their JSON, with states and steps."""
    if command == "verify":
        data = checker(command, JOBS, *arguments, "--json", "-").json()["results"][0]["report"]
    else:
        data = checker(command, JOBS, *arguments, "--json", "-").json()
    validation = data["validation"]
    assert (
        0 < validation["states"] <= validation["of"]
        and validation["steps"] > 0
        and not validation["actions_not_taken"] * (command == "check" and not arguments)
    )


def test_the_text_of_a_check_tells_how_much_was_confirmed(checker: Checker, here_with_jobs: Path) -> None:
    """And the interpreter, which confirms, does not confirm itself."""
    assert "the interpreter agrees on 42 states, " in checker("check", JOBS).out
    ran = checker("check", JOBS, "--engine", "interpreter")
    assert ran.code == HOLDS and "agrees" not in ran.out


def test_a_violation_is_confirmed_too(checker: Checker, here_with_jobs: Path) -> None:
    """Its trace is replayed in any case; the rest of what was explored is sampled as well."""
    ran = checker("check", JOBS, "-D", "most=9")
    assert ran.code == VIOLATED and "the interpreter agrees on" in ran.out


def test_every_command_is_listed() -> None:
    """A new command states whether it searches with compiled code."""
    assert set(TABLE) == {*COMMANDS, *OTHERS}


# -- the source

USES = {
    "search",
    "simulate",
    "compiled",
    "compile_model",
    "compile_graph",
    "Request",
    "explore",
    "Explored",
    "System",
    "distinguish",
}
"""What makes, runs or hands on compiled code or formulas."""

CALLERS = {
    "checker.analysis.check": "explores through engines; each gives an Explored with its validation",
    "checker.engines.native": "validated in `explored`",
    "checker.engines.checkpointed": "validated in `explored` and `explored_from`",
    "checker.engines.committed": "validated in `explored_from`",
    "checker.engines.reduced": "validated in `native.explored`, both codes",
    "checker.engines.spilling": "validated in `explored` and `explored_from`",
    "checker.engines.shipped": "what tasks on Spark compile, validated in `explored` and `explored_from`",
    "checker.engines.interpreted": "the interpreter itself",
    "checker.engines.explored": "what is reported where the time was over before anything was explored",
    "checker.engines.behaviour": "validated by checker.validation.graph",
    "checker.engines.onward": "validated in it, but for the beginning, which the interpreter has reached",
    "checker.analysis.former_cause": "validated by the engine; the interpreter executes the run",
    "checker.analysis.disabled": "validated by the engine; names what a change disables, no verdict of a model",
    "checker.analysis.vacuity.unasked": "validated by the engine",
    "checker.analysis.before_edit": "validated by the engine; the interpreter executes the run",
    "checker.analysis.emptied": "names a changed property that says nothing any more, no verdict of a model",
    "checker.analysis.explore": "validated by the engine",
    "checker.analysis.holding": "rules are validated in a sample of states",
    "checker.analysis.graph.opened": "validated in `_made`",
    "checker.analysis.graph.rows": "validated by who makes tables, in `Stored.confirm`, before anything is written",
    "checker.analysis.graph.stated": "validated in `_confirm`",
    "checker.analysis.simulate": "validated in `walk`",
    "checker.replay.symmetry": "a second look at symmetry, which refuses and gives no verdict",
    "checker.backends.native.kernel": "compiles",
    "checker.backends.native.graph": "compiles",
    "checker.analysis.compare.steps_native": "validated in `run`",
    "checker.analysis.compare.event_graph": "validated in `native_graph`",
    "checker.analysis.compare.delays": "validated by the engine",
    "checker.analysis.compare.reach": "validated by the engine",
    "checker.analysis.compare.rules": "validated by checker.validation.rules",
    "checker.analysis.latency.survey": "validated by the engine",
    "checker.analysis.vacuity.states": "validated by the engine",
    "checker.analysis.vacuity.tested": "conditions of properties, which have no method of their own to compare with",
    "checker.engines.survey": "conditions of properties, and steps without a part of a guard, which no method takes",
    "checker.analysis.profile.lowering": "advice which constant to lower, no verdict",
    "checker.analysis.profile.reaching": "advice which constant to lower, no verdict",
    "checker.analysis.vacuity.with_faults": "validated by the engine",
    "checker.analysis.prove.prove": "validated by checker.validation.lowered",
    "checker.analysis.prove.beside": "advice what to do next, no verdict; validated by the engine",
    "checker.analysis.sweep.sweep": "`search` is a parameter; each configuration is a check",
    "benchmarks.throughput": "measures what the native engine does, validation apart",
    "benchmarks.on_spark": "measures what the engine on Spark does",
    "benchmarks.smt": "measures formulas against searches, whose answers must agree",
}
"""Modules that use any of these, and what confirms what they find."""


def callers() -> Iterator[str]:
    """Modules that call something of USES, or hand it to a function (`partial`)."""
    files = sorted([*(ROOT / "checker").rglob("*.py"), *(ROOT / "benchmarks").glob("*.py")])
    for file, tree in mentioning(files, rf"\b({'|'.join(USES)})\b"):
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            handed = node.args[:1] if isinstance(node.func, ast.Name) and node.func.id == "partial" else []
            if any(isinstance(part, ast.Name) and part.id in USES for part in (node.func, *handed)):
                yield ".".join(file.relative_to(ROOT).with_suffix("").parts)


def test_every_use_of_compiled_code_is_validated_or_says_why_not() -> None:
    """Whoever adds one adds a line here, and a validation."""
    found = {
        name
        for name in callers()
        if not name.startswith(
            ("checker.backends.smt", "checker.backends.native.", "checker.search", "checker.frontend")
        )
    }
    assert found == {name for name in CALLERS if not name.startswith("checker.backends")}


def test_no_engine_can_report_without_saying_what_was_confirmed() -> None:
    """An Explored has no default for it."""
    from attrs import NOTHING, fields

    from checker.engines.explored import Explored

    assert fields(Explored).validation.default is NOTHING
