"""Hostile inputs, generated: every command × option × value that nobody means, constants of every shipped model, files
that are no models, predicates.

`inputs` gives them all, in an order in which neighbours differ, so that a slice of them is of every kind.  `run`
executes them in forked children with a limit on memory, `faults` judges how they ended.
"""

from __future__ import annotations

import os
import pickle
import random
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from unittest.mock import patch

import click

from checker.catalogue import catalogue
from checker.cli import explore
from checker.cli.commands import TABLE, command
from checker.cli.serving import Served
from checker.language.define import constants_of
from checker.language.distributed import BUDGETS
from tests.damage import forked
from tests.damage.forked import ROOT, Ended, Trial

MEMORY = 8 << 30
CODES = {0, 1, 2, 3, 4, 130}
SOON = ("--max-seconds", "1", "--max-states", "300")
LONGEST = 6_000  # characters of what a command says of a wrong input

TOY = '''from checker.language import Int, Map, Model, Set, action, const, derived, invariant, var


class Toy(Model):
    """Counts."""

    highest = const(3, "largest number")
    steps = const((1, 2), "how far")
    kind = const("small", "a word", ("small", "large"))
    odd = const(False, "a truth value")
    Number = Int(0, highest)
    n = var(Number, 0)
    seen = var(Set[Int(0, 3)])
    table = derived(lambda c: tuple(range(c.highest)))
    outcome = ("n",)

    @action
    def up(self, by: Number):
        self.n = (self.n + by) % (self.highest + 1)

    @invariant
    def low(self):
        return self.n <= self.highest
'''

NUMBERS = (
    "99999999999",
    "9" * 400,
    "9" * 5000,
    "-1",
    "-99999999999",
    "0",
    "1000000",
    "2147483648",
    "9223372036854775808",
    "1_000",
    "1e9",
    "0x10",
    "1.5",
    "nan",
    "\u0663",
    "+3",
    "--3",
    "",
)
WORDS = (
    "true",
    "word",
    "a" * 100_000,
    "(" * 10_000,
    "[" * 10_000 + "]" * 10_000,
    "\udcff\udcfe",
    "a\nb",
    "a\tb",
    "*",
    "%s%n",
    "$(id)",
    "None",
    "{}",
    "a=b",
    ",",
    ",,",
    "1,,2",
    " ",
)
LISTS = (
    "1," * 2000 + "1",
    ",".join(["99999999999"] * 3),
    "-5,3",
    "100,100,100",
    "0,0,0",
    "1,",
    "1,true",
    "1," * 1_000_000,
)
VALUES = (*NUMBERS, *WORDS, *LISTS)
OF_SHIPPED = (
    "99999999999",
    "9" * 400,
    "-1",
    "0",
    "1000000",
    "1.5",
    "true",
    "word",
    "-5,3",
    "100,100,100",
    "99999999999,1",
    "1," * 2000 + "1",
)
PATHS = (
    "",
    ".",
    "..",
    "/",
    "no/such/directory/file",
    "/dev/null",
    "/dev/null/x",
    "/dev/full",
    "/proc/self/mem",
    "a" * 5000,
    "../" * 2000 + "x",
    "\udcff\udcfe.py",
    "a\nb",
    "toy.py",
    "toy.py/x",
    "~",
    "file://x",
    "s3://",
    "http://[",
    "-",
    "folder",
)
REFERENCES = (
    *PATHS,
    "toy.py:",
    ":Toy",
    "toy.py:Toy:Toy",
    "toy.py:Nobody",
    "toy:" + "a" * 10_000,
    "os:system",
    "checker",
    "fifo.py",
    "/dev/zero",
    "folder/",
    "toy.py ",
    "TOY.PY",
    "isis:..",
    "latin.py",
    "zeros.py",
    "empty.py",
    "brackets.py",
    "exits.py",
    "raises.py",
    "stops.py",
    "deep.py",
    "huge.py",
    "long.py",
    "syntax.py",
    "many.py",
    "bom.py",
    "hog.py",
    "noclass.py",
)
PREDICATES = (
    "",
    " ",
    "(",
    "(" * 5000 + "1" + ")" * 5000,
    "n" + " + 1" * 3000 + " > 0",
    "n == " + "9" * 5000,
    "__import__('os')",
    "lambda: 1",
    "n; n",
    "\udcff",
    "x" * 50_000,
    "[" * 300 + "]" * 300,
    "n > 0 > n",
    "all(n == i for i in range(99999999999))",
    "n ** 99999999 > 0",
    "1 // 0 == n",
    "n if n else",
    "True",
    "None",
    "n\n== 1",
    "#",
    "n = 1",
    "await n",
    "f'{n}'",
    "n[0]",
    "n.x",
)
FILES = {
    "toy.py": TOY.encode(),
    "latin.py": "# \xe9\n".encode("latin-1") + TOY.encode(),
    "zeros.py": b"\0" * 4096,
    "empty.py": b"",
    "brackets.py": b"x = " + b"(" * 100_000,
    "exits.py": b"import sys; sys.exit(0)",
    "raises.py": b"raise BaseException('no')",
    "stops.py": b"while True: pass",
    "deep.py": b"def f(): return f()\nf()",
    "huge.py": b"x = (1,) * 10 ** 13",
    "hog.py": b"x = []\nwhile True: x.append(bytearray(1 << 24))",
    "long.py": b"x = " + b"1 + " * 100_000 + b"1",
    "syntax.py": b"class Toy(Model:",
    "many.py": b"from checker.language import *\n"
    + b"".join(b"class T%d(Model):\n    n = var(bool, False)\n" % i for i in range(300)),
    "bom.py": b"\xef\xbb\xbf" + TOY.encode(),
    "noclass.py": b"from checker.language import Model\nToy = Model",
    "folder/readme.txt": b"nothing",
}
ENDLESS = {"watch", "gallery", "query"}
"""Commands that do not end by themselves, search all models, or start Spark."""
ARGUMENTS = {
    "find": ("toy.py", "n == 2"),
    "compare": ("toy.py", "toy.py"),
    "rules": ("toy.py", "toy.py"),
    "show": ("trace.itf.json",),
    "replay": ("trace.itf.json",),
    "explain": ("trace.itf.json",),
}
LIMITED = {
    "prove": ("--timeout", "1", "--vacuity", "0"),
    "rules": ("--seconds", "1"),
    "simulate": ("--max-seconds", "1", "--runs", "50", "--steps", "50"),
}

Input = tuple[str, ...]


def inputs() -> list[Input]:
    """All inputs, mixed."""
    found = list(dict.fromkeys([*_constants(), *_options(), *_references(), *_predicates()]))
    random.Random(16).shuffle(found)
    return found


def _limited(name: str, without: str = "") -> Input:
    """Options that end the command soon, but for the one that is tried."""
    names = {p.name for p in command(name).params}
    words = LIMITED.get(name, SOON if {"max_seconds", "max_states"} <= names else ())
    return tuple(
        word for option, value in zip(words[::2], words[1::2]) if option != without for word in (option, value)
    )


def _constants() -> Iterator[Input]:
    """Every constant of the toy with every value by every command that takes constants; constants of shipped models by
    check, those that all have once."""
    for name in ("highest", "steps", "kind", "odd", "nobody"):
        for value in VALUES:
            yield "check", "toy.py", "-D", f"{name}={value}", *SOON
            for other in ("outcomes", "find", "compare", "prove", "simulate", "step"):
                yield other, *ARGUMENTS.get(other, ("toy.py",)), "-D", f"{name}={value}", *_limited(other)
    for value in VALUES:
        yield "sweep", "toy.py", "-D", f"highest={value}", "--jobs", "1", *SOON
        yield "sweep", "toy.py", "-D", f"highest=1..{value}", "--jobs", "1", *SOON
        yield "sweep", "toy.py", "-D", f"steps={value} over {value}", "--jobs", "1", *SOON
        yield "rules", "toy.py", "toy.py", "--each", f"highest={value}", "--seconds", "1"
        yield "check", "toy.py", "-D", value, *SOON
        yield "check", "toy.py", "-D", f"{value}=1", *SOON
    common = {"processes", "channels", "workload", *BUDGETS}
    for entry in catalogue().entries:
        for name in constants_of(entry.cls) if entry.main else ():
            for value in VALUES if entry.reference == "isis" else () if name in common else OF_SHIPPED:
                yield "check", entry.reference, "-D", f"{name}={value}", *SOON


def _options() -> Iterator[Input]:
    """Every option of every command with values of its kind that nobody means, and given twice."""
    for name in TABLE:
        if name in ENDLESS:
            continue
        targets = ARGUMENTS.get(name, ("kept",) if name == "resume" else ("toy.py",))
        for parameter in command(name).params:
            if not isinstance(parameter, click.Option) or parameter.name in ("engine", "master"):
                continue
            option = max(parameter.opts, key=len)
            if parameter.is_flag:
                yield name, *targets, option, option, *_limited(name)
                continue
            number = (
                isinstance(parameter.type, click.types.IntParamType | click.types.FloatParamType)
                or parameter.metavar == "SIZE"
            )
            for value in NUMBERS if number else (*PATHS, *WORDS):
                if not (number and value == "1000000" and parameter.name in ("threads", "jobs")):
                    yield name, *targets, option, value, *_limited(name, option)
            yield name, *targets, option, "1", option, "2", *_limited(name, option)


def _references() -> Iterator[Input]:
    """What is no model, trace or work directory."""
    for name in TABLE:
        for reference in REFERENCES if name not in ENDLESS else ():
            if name in ("show", "replay", "explain") and reference in ("-", "fifo.py"):
                continue
            stops = reference in ("stops.py", "hog.py") and not (_limited(name) and "--max-seconds" in _limited(name))
            if not stops and (name, reference) not in (
                ("list", "."),  # which reads stops.py
                ("show", "/dev/zero"),
                ("replay", "/dev/zero"),
                ("explain", "/dev/zero"),
            ):
                yield name, reference, *ARGUMENTS.get(name, ())[1:], *_limited(name)


def _predicates() -> Iterator[Input]:
    for predicate in PREDICATES:
        yield "find", "toy.py", predicate, *SOON
        yield "explain", "trace.itf.json", "--condition", predicate
        yield "rules", "toy.py", "toy.py", "--assuming", predicate, "--seconds", "1"


def make_fifo() -> int:
    """A pipe with a name that nobody writes to."""
    os.mkfifo("fifo.py")
    return 0


def pristine(directory: Path) -> Path:
    """A directory with the files that inputs name: models and what is none, a trace."""
    place = directory / "pristine"
    for name, content in FILES.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(content)
    for words in (("find", "toy.py", "n == 2", "--out", "out"), ("check", "toy.py", "--workdir", "kept")):
        subprocess.run(
            [sys.executable, "-m", "checker", *words],
            cwd=place,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            check=True,
        )
    shutil.move(next((place / "out").glob("*/trace.itf.json")), place / "trace.itf.json")
    shutil.rmtree(place / "out")
    return place


def run(some: Sequence[Input], place: Path) -> list[Ended]:
    """How the inputs ended, each in a copy of the directory and a process of its own."""
    trials = [Trial("hostile", shown(words), place, {}, (("tests.hostile.inputs:make_fifo",), words)) for words in some]
    done = subprocess.run(
        [sys.executable, "-c", "from tests.hostile.inputs import main; main()"],
        input=pickle.dumps(trials),
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200"},
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr.decode())
    ended: list[Ended] = pickle.loads(done.stdout)
    return ended


def main() -> None:
    """As tests.damage.forked, with a limit on memory; a page is served to nobody, and `explore` ends there."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with patch.object(Served, "serve"), patch.object(explore, "opened"):
        forked.main()


def shown(words: Input) -> str:
    """A command line that fits a line."""
    return (
        " ".join(word if len(word) < 60 else f"{word[:40]}...({len(word)})" for word in words)
        .encode("utf-8", "backslashreplace")
        .decode()
    )


def faults(words: Input, ended: Ended) -> list[str]:
    """What is wrong with how an input ended."""
    code = ended.codes[-1] if len(ended.codes) > 1 else None
    found = [] if code in CODES else [f"exit code {code}"]
    found += [
        text
        for text in ("Traceback", "internal error")
        if text in ended.err or text in ended.out and text == "Traceback"
    ]
    messages = sum(line.lower().startswith("error: ") for line in ended.err.splitlines())
    most = 2 if {"/dev/full", "/proc/self/mem"} & set(words) else 1  # what went wrong, and that it could not be written
    found += (
        [f"{messages} messages"]
        if code == 2 and not 1 <= messages <= most and words[0] not in ("verify", "list", "sweep", "rules")
        else []
    )
    found += [f"{len(ended.err):,} characters of errors"] if len(ended.err) > LONGEST else []
    return found
