"""Ctrl-C and --max-seconds hold from the first second: while a model is read, lowered and compiled, and while its
initial states are computed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from checker.search.deadline import AGAIN, OutOfTime, ahead, aside, within
from checker.search.limits import Limits
from tests.cli.commands import Ran

Checker = Callable[..., Ran]
Write = Callable[[str, str], str]

SLOW_TO_READ = """from checker.language import Int, Model, action, derived, var


class Slow(Model):
    n = var(Int(0, 1), 0)
    long = derived(lambda c: [x for x in iter(int, 1)])  # never ends

    @action
    def up(self):
        self.n = 1
"""

MANY_STARTS = """from checker.language import Int, Map, Model, action, anything, initial, require, var


class Many(Model):
    n = var(Map[Int(0, 26), bool], anything)

    @action
    def up(self):
        require(False)
"""

COUNTER = """from checker.language import Int, Model, action, invariant, var


class Counter(Model):
    n = var(Int(0, 9), 0)

    @action
    def up(self):
        self.n = (self.n + 1) % 10

    @invariant
    def small(self):
        return self.n < 10
"""


@pytest.fixture
def slow_compiler(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[None]:
    """No kernel is cached, and LLVM takes until the test has ended; a timer that runs has little left from then on.
    With a parameter, Ctrl-C comes then."""
    from checker.backends.native import build

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    compiled, released = build.object_code, threading.Event()

    def slowly(*arguments: object, **options: object) -> bytes:
        if hasattr(request, "param"):
            threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
        elif signal.getitimer(signal.ITIMER_REAL)[0] > 0.0:
            signal.setitimer(signal.ITIMER_REAL, 0.05, AGAIN)
        released.wait(60)
        return compiled(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(build, "object_code", slowly)
    yield
    released.set()
    for thread in threading.enumerate():
        if thread.name == "checker-aside":
            thread.join()


@pytest.fixture
def interrupted() -> Iterator[None]:
    """Ctrl-C in less than half a second."""
    timer = threading.Timer(0.4, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    yield
    timer.cancel()
    timer.join()


@pytest.mark.parametrize("engine", ["native", "interpreter"])
def test_time_ends_the_reading_of_a_model(
    checker: Checker, write: Write, monkeypatch: pytest.MonkeyPatch, engine: str
) -> None:
    """There is no verdict without a model: exit code 4, and what was interrupted."""
    monkeypatch.setattr("checker.analysis.check.READING", 0.4)
    ran = checker("check", write("slow.py", SLOW_TO_READ), "--max-seconds", "0.3", "--engine", engine)
    assert ran.code == 4
    assert "the limit on seconds was reached while reading the model" in ran.err


def test_time_ends_the_compiling_of_a_model(checker: Checker, write: Write, slow_compiler: None) -> None:
    """The verdict names the limit and what it interrupted, while LLVM still compiles."""
    ran = checker("check", write("counter.py", COUNTER), "--max-seconds", "50")
    assert any(thread.name == "checker-aside" for thread in threading.enumerate())
    assert ran.code == 4
    assert (
        "INCONCLUSIVE  stopped by the limit on seconds (--max-seconds 50); while compiling, before the search began"
        in ran.out
    )
    assert "unknown    small" in ran.out


@pytest.mark.parametrize(
    "command",
    [
        ("outcomes",),
        ("simulate",),
        ("find",),
        ("latency",),
        ("check", "--workdir", "kept"),
        ("check", "--strict", "--profile"),
    ],
    ids=lambda c: c[0],
)
def test_every_command_that_compiles_ends_in_time(
    checker: Checker, slow_compiler: None, command: tuple[str, ...]
) -> None:
    """With a multicast protocol, that all of them take."""
    predicate = ("any(len(delivered[p]) > 0 for p in Process)",) if command[0] == "find" else ()
    ran = checker(command[0], "fifo_multicast", *predicate, *command[1:], "--max-seconds", "50")
    assert ran.code == 4, ran.out + ran.err
    assert "seconds" in ran.out + ran.err


@pytest.mark.parametrize(
    "command", [("check",), ("outcomes",), ("simulate",), ("verify", "--jobs", "1")], ids=lambda c: c[0]
)
@pytest.mark.parametrize("slow_compiler", ["interrupted"], indirect=True)
def test_ctrl_c_ends_the_compiling_of_a_model(checker: Checker, slow_compiler: None, command: tuple[str, ...]) -> None:
    """LLVM still compiles. Exit code 130, as there is nothing to report yet, but for `verify`, which names what it has
    not reached.
    """
    ran = checker(*command, "fifo_multicast")
    assert ran.code == (4 if "verify" in command else 130)
    assert ran.out == ("interrupted: 31 expectations not reached\n" if "verify" in command else "")
    assert any(thread.name == "checker-aside" for thread in threading.enumerate())


def test_ctrl_c_ends_the_reading_of_a_model(checker: Checker, write: Write, interrupted: None) -> None:
    """A derived value that never ends."""
    assert checker("check", write("slow.py", SLOW_TO_READ)).code == 130


@pytest.mark.parametrize("engine", ["native", "interpreter"])
def test_time_ends_the_computing_of_initial_states(checker: Checker, write: Write, engine: str) -> None:
    """A hundred million of them."""
    ran = checker("check", write("many.py", MANY_STARTS), "--max-seconds", "0.5", "--engine", engine)
    assert ran.code == 4
    assert "stopped by the limit on seconds" in ran.out


@pytest.mark.parametrize("engine", ["native", "interpreter"])
def test_ctrl_c_ends_the_computing_of_initial_states(
    checker: Checker, write: Write, monkeypatch: pytest.MonkeyPatch, engine: str
) -> None:
    """The search has begun, so there is a report."""
    from checker.backends.interpreter.interpreter import Interpreter
    from checker.backends.native.kernel import NativeKernel

    for owner in (NativeKernel, Interpreter):

        def initial(self: object, *arguments: object, function: Callable[..., object] = owner.initial) -> object:
            threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
            return function(self, *arguments)

        monkeypatch.setattr(owner, "initial", initial)
    ran = checker("check", write("many.py", MANY_STARTS), "--engine", engine)
    assert (ran.code, "interrupted" in ran.out) == (4, True)


def test_a_process_that_gave_up_a_compilation_ends_at_once_and_with_its_code(write: Write, here: Path) -> None:
    """The interpreter does not wait for the thread, and no exit handler of LLVM runs while it compiles."""
    program = (
        "import ctypes, signal, sys; from checker.backends.native import build; from checker.cli.program import main\n"
        "hurry = lambda: signal.setitimer(signal.ITIMER_REAL, 0.05, 0.2)\n"
        "build.object_code = lambda *a, **o: (hurry(), ctypes.CDLL(None).sleep(60))\n"
        f"sys.argv = ['checker', 'check', {write('counter.py', COUNTER)!r}, '--max-seconds', '50']; main()"
    )
    environment = os.environ | {"XDG_CACHE_HOME": str(here / "cache")}
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30, env=environment)
    assert (ran.returncode, ran.stderr) == (4, "")
    assert "while compiling" in ran.stdout


def test_the_seconds_of_an_outer_limit_go_on_within_an_inner_one() -> None:
    """The alarm of the outer one is set again, with what is left of it."""
    with pytest.raises(OutOfTime, match="outer"), within(Limits(max_seconds=0.2).begun(), "outer"):
        with pytest.raises(OutOfTime, match="inner"), within(Limits(max_seconds=0.1).begun(), "inner"):
            while True:
                pass
        while True:
            pass
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_what_is_to_be_done_meanwhile_is_done_while_the_call_runs() -> None:
    """Each waits for the other, so neither could end alone."""
    begun, done = threading.Event(), threading.Event()

    def work() -> bool:
        begun.set()
        return done.wait(60)

    def meanwhile() -> None:
        assert begun.wait(60)
        done.set()

    assert aside(work, meanwhile)


def test_a_call_ahead_runs_beside_what_is_inside_and_has_ended_afterwards() -> None:
    """Its errors are left to whoever calls again."""
    begun, done = threading.Event(), threading.Event()
    ended: list[bool] = []

    def work() -> None:
        begun.set()
        ended.append(done.wait(60))
        raise ZeroDivisionError

    with ahead(work):
        assert begun.wait(60)
        done.set()
    assert ended == [True]


def test_what_a_call_aside_returns_or_raises_comes_back() -> None:
    """As if it had been called here."""
    assert aside(lambda: 3) == 3
    with pytest.raises(ZeroDivisionError):
        aside(lambda: 1 // 0)


def test_ctrl_c_before_the_program_is_loaded_is_one_line() -> None:
    """The installed command and `python -m checker`, while the first module of a command is imported."""
    stop = "class Stop:\n    def find_spec(self, name, *rest):\n        if name == 'checker.cli.commands':\n"
    stop = f"import runpy, sys\n{stop}            raise KeyboardInterrupt\nsys.meta_path.insert(0, Stop())\n"
    for run in ("from checker.cli.entry import main; main()", "runpy.run_module('checker', run_name='__main__')"):
        ran = subprocess.run([sys.executable, "-c", stop + run], capture_output=True, text=True)
        assert (ran.returncode, ran.stdout) == (130, "")
        assert ran.stderr == "error: interrupted before there was a result\n"


def test_ctrl_c_while_a_model_is_read_is_one_line(checker: Checker, write: Write) -> None:
    """Click ends the line of the terminal's ^C before it."""
    for command in ("check", "verify", "list"):
        ran = checker(command, write("stopped.py", f"raise KeyboardInterrupt\n{COUNTER}"))
        assert ran.code == 130 and ran.err.strip() == "error: interrupted before there was a result"


@pytest.mark.parametrize(("command", "waits"), [("watch", "keep_checking"), ("step", "converse")])
def test_a_command_that_ctrl_c_ends_says_nothing(
    command: str, waits: str, checker: Checker, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No result is missing there."""

    def stopped(*given: object, **more: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(f"checker.cli.{command}.{waits}", stopped)
    ran = checker(command, write("counter.py", COUNTER))
    assert (ran.code, ran.err.strip()) == (130, "")
