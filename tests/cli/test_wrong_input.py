"""Whatever is wrong as written gives exit code 2 and one clear message."""

from __future__ import annotations

import bdb
import os
from collections.abc import Callable
from json import loads
from pathlib import Path

import pytest

from checker.analysis.sweep.choices import choices_of
from checker.cli.arguments import constants_of_options
from checker.language.errors import UsageError
from checker.results.exit_codes import INTERRUPTED
from tests.cli import protocols
from tests.cli.commands import Ran

Checker = Callable[..., Ran]
Write = Callable[[str, str], str]

COMMANDS = {
    "unknown model": (("check", "causal_brodcast"), "Did you mean causal_broadcast"),
    "unknown file": (("check", "nowhere/protocol.py"), "there is no file nowhere/protocol.py"),
    "unknown class": (
        ("check", "lock.py:Carles"),
        "error: lock.py: there is no model class Carles\n  Did you mean Careless?",
    ),
    "several values where one is wanted": (
        ("check", "isis", "-D", "crashes=0..1"),
        "For every combination of several: checker sweep MODEL -D crashes='0..1'",
    ),
    "several lists where one is wanted": (
        ("check", "isis", "-D", "workload=1,1|2,1"),
        "checker sweep MODEL -D workload='1,1|2,1'",
    ),
    "no class after the colon": (("check", "lock.py:"), "is not a model"),
    "unknown constant": (("check", "lock.py", "-D", "client=2"), "It has: clients."),
    "unknown property": (("check", "lock.py", "--property", "alon"), "has no property alon"),
    "no property": (("check", "lock.py", "--property", ""), "names nothing"),
    "too many threads": (("check", "lock.py", "--threads", "100000"), "--threads"),
    "too many processes": (("check", "isis", "-D", "processes=99999999999999999999"), "more than 100 processes"),
    "no process": (("check", "isis", "-D", "processes=0"), "fewer than one"),
    "too many messages": (("check", "isis", "-D", "workload=999999999,1"), "more than 1000 messages"),
    "no messages": (("check", "isis", "-D", "workload=0,0"), "Give at least one process a message"),
    "folder without models": (("verify", "./nothing"), "holds no models"),
    "fewer than no faults": (("check", "isis", "-D", "crashes=-1"), "0 switches the fault off"),
    "no value": (("check", "lock.py", "-D", "clients="), "is not a value"),
    "not a value": (("check", "lock.py", "-D", "clients=2;3"), "is not a value"),
    "no name": (("check", "lock.py", "-D", "2"), "not of the form NAME=VALUE"),
    "value of another kind": (("check", "lock.py", "-D", "clients=two"), "is a whole number"),
    "constant given twice": (("check", "lock.py", "-D", "clients=2", "-D", "clients=3"), "given twice"),
    "empty type": (("check", "lock.py", "-D", "clients=0"), "is empty"),
    "unknown engine": (("check", "lock.py", "--engine", "quantum"), "quantum"),
    "no threads": (("check", "lock.py", "--threads", "0"), "--threads"),
    "size of memory": (("check", "lock.py", "--max-memory", "much"), "500M"),
    "unknown option": (("check", "lock.py", "--fast"), "--fast"),
    "unknown command": (("chek", "lock.py"), "Did you mean check?"),
    "no time": (("check", "lock.py", "--max-seconds", "soon"), "write 30 or 0.5"),
    "no model": (("check",), "MODEL"),
    "directory as JSON file": (("check", "lock.py", "--json", "."), "cannot write there"),
    "unknown trace": (("show", "trace.itf.json"), "cannot be read"),
    "no outcome": (("outcomes", "lock.py"), "names no outcome"),
    "nothing to verify": (("verify", "never.py"), "no expectation"),
    "no file of Python": (("check", "/dev/null"), "does not end in .py"),
    "another number of processes than the model names": (
        ("check", "named.py", "-D", "processes=2"),
        "Named names its processes, server, alice, bob",
    ),
}


NAMED = """from checker.language import Bool, Distributed, Ids, Map, Process, action, var


class Named(Distributed):
    Process = Ids("n", ("server", "alice", "bob"))
    done = var(Map[Process, Bool])

    @action
    def do(self, p: Process):
        self.done[p] = True
"""


@pytest.fixture(autouse=True)
def files(lock: str, write: Write) -> None:
    """The models that the commands name."""
    write("never.py", protocols.NEVER)
    write("named.py", NAMED)
    Path("nothing").mkdir()


@pytest.mark.parametrize("case", COMMANDS)
def test_a_wrong_command_gives_2_and_says_why(checker: Checker, case: str) -> None:
    """No search is begun, no traceback is shown."""
    arguments, message = COMMANDS[case]
    ran = checker(*arguments)
    assert ran.code == 2
    assert message in ran.err and "Traceback" not in ran.err and ran.out == ""


@pytest.mark.parametrize("json", [["--json", "wrong.json"], ["--json=wrong.json"]])
def test_a_command_that_cannot_be_read_says_so_in_json_too(checker: Checker, here: Path, json: list[str]) -> None:
    """Whichever stands first, the mistake or --json: whoever reads the file finds the error and its exit code."""
    for arguments in (
        ["check", "lock.py", "--fast", *json],
        ["check", "lock.py", *json, "--threads", "many"],
        ["check", *json],
    ):
        ran = checker(*arguments)
        found = loads((here / "wrong.json").read_text(encoding="utf-8"))
        assert ran.code == found["exit_code"] == 2
        assert found["error"]["message"] in ran.err
        (here / "wrong.json").unlink()


def test_ctrl_c_where_there_is_nothing_to_report_is_130(checker: Checker, monkeypatch: pytest.MonkeyPatch) -> None:
    """As shells have it; a search that Ctrl-C ends has a report, and is inconclusive."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("checker.cli.searching.find", interrupted)
    assert checker("check", "lock.py").code == INTERRUPTED == 130


def test_leaving_a_debugger_ends_the_command_as_ctrl_c_does(
    checker: Checker, lock: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`q` in pdb, in a method that a command runs, is no fault of the checker."""

    def left(*_: object, **__: object) -> None:
        raise bdb.BdbQuit

    monkeypatch.setattr("checker.cli.checking.examine", left)
    ran = checker("check", lock)
    assert ran.code == INTERRUPTED and "internal error" not in ran.err


FILES = {
    "syntax error": ("class A(:\n", "broken.py:1: not valid Python"),
    "unknown name": (
        "from checker.language import Model\n\n\nclass A(Model):\n    x = varr(3)\n",
        "broken.py:5: reading the model failed: NameError",
    ),
    "misspelt type of the class": (
        "from checker.language import Int, Model, rule, var\n\n\nclass A(Model):\n    Colour = Int(0, 3)\n"
        "    c = var(Colour, 0)\n\n    @rule\n    def paler(self, x: Coluor):\n        return x + 1\n",
        "Did you mean Colour?",
    ),
    "misspelt type of the class, read late": (
        "from __future__ import annotations\nfrom checker.language import Int, Model, rule, var\n\n\n"
        "class A(Model):\n    Colour = Int(0, 3)\n    c = var(Colour, 0)\n\n    @rule\n"
        "    def paler(self, x: Coluor):\n        return x + 1\n",
        "Did you mean Colour?",
    ),
    "misspelt type of the base": (
        "from checker.models.isis import Isis\nfrom checker.language import rule\n\n\nclass A(Isis):\n    @rule\n"
        "    def pick(self, a: Stmp, b):\n        return a\n",
        "Did you mean Isis.Stamp?",
    ),
    "misspelt type of a named base": (
        "from checker.models.isis import Isis\nfrom checker.language import rule\n\n\nclass A(Isis):\n    @rule\n"
        "    def pick(self, a: Isis.Stmp, b):\n        return a\n",
        "Did you mean Isis.Stamp?",
    ),
    "misspelt mark": (
        "from checker.language import Model, action\n\n\nclass A(Model):\n    @actoin\n    def go(self):\n       "
        " pass\n",
        "Did you mean action? ",
    ),
    "unknown module": ("import no_such_module_at_all\n", "broken.py:1: reading the model failed: ModuleNotFoundError"),
    "name the language does not have": ("from checker.language import Modle\n", "Did you mean Model"),
    "Enum from the language": ("from checker.language import Enum, Model\n", "from enum import Enum"),
    "leaves Python": ("import sys\nsys.exit(0)\n", "broken.py:2: reading the model failed: SystemExit"),
    "no model": ("x = 1\n", "defines no model"),
    "unsupported Python": (protocols.CLOSURE, "broken.py:13"),
    "property of another model": (protocols.NO_CONSTANT, "Message"),
    "name clash": (
        "from checker.language import Int, Model, var\n\n\nclass A(Model):\n    storage = var(Int(0, 1), 0)\n",
        "Choose another name",
    ),
    "no variables": ("from checker.language import Model\n\n\nclass A(Model):\n    pass\n", "no state variables"),
    "no initial value": (
        "from checker.language import Int, Model, action, var\n\n\nclass A(Model):\n    x = var(Int(0, 1))\n\n   "
        " @action\n    def up(self):\n        self.x = 1\n",
        "needs an initial value",
    ),
    "missing constant": (
        "from checker.language import Int, Model, const, var\n\nsize = const(3)\n\n\nclass A(Model):\n    x = "
        "var(Int(0, size), 0)\n",
        "is used, but the model does not declare it",
    ),
}


@pytest.mark.parametrize("case", FILES)
def test_a_wrong_model_file_gives_2_and_its_place(checker: Checker, write: Write, case: str) -> None:
    """The message names the file, the line where there is one, and what is wrong."""
    text, message = FILES[case]
    ran = checker("check", write("broken.py", text))
    assert ran.code == 2
    assert message in ran.err and "Traceback" not in ran.err


def test_a_folder_or_a_misspelt_file_comes_with_the_file_that_is_there(
    checker: Checker, write: Write, lock: str
) -> None:
    """Whoever names the folder of models means one of them, or all."""
    ran = checker("check", ".")
    assert (
        ran.code == 2
        and ". is a folder" in ran.err
        and ("Name a file in it, lock.py; `checker verify .` holds all models in it") in ran.err
    )
    ran = checker("check", "./lokc.py")
    assert ran.code == 2 and "there is no file lokc.py" in ran.err and "Did you mean lock.py?" in ran.err


def test_a_call_that_the_language_does_not_have_comes_with_what_it_takes(checker: Checker, write: Write) -> None:
    """In the class body, where Python refuses it, and in a method."""
    ran = checker("check", write("a.py", NAMED.replace("Map[Process, Bool]", "Map[Process, Bool], keep=True")))
    assert ran.code == 2 and "var takes type, initial, kept, budget. Did you mean kept?" in ran.err
    ran = checker(
        "check", write("b.py", NAMED.replace("action, var", "action, choose, var").replace("= True", "= choose(1, 2)"))
    )
    assert (
        ran.code == 2
        and "choose takes 1 argument, not 2" in ran.err
        and ("One collection or type: choose(self.Process)") in ran.err
    )
    assert checker("check", "named.py", "-D", "processes=3").code == 0


EXPECTATIONS = {
    'violates("done", steps="x")': "steps='x' is no number of steps",
    "holds(distinct=-1)": "distinct=-1 is no number of states",
    "holds(depth=True)": "depth=True is no number of levels",
    "holds(at=[1])": "at=[1] gives no constants by name",
    'holds(only="done")': "only='done' is no list",
    "holds(thorough=3)": "thorough=3 is neither True nor False",
    'holds(at={"processes": "two"})': "Named.expect, at={'processes': 'two'}: constant processes of Named is a whole "
    "number, "
    "not "
    "two",
}


@pytest.mark.parametrize("command", ["check", "verify"])
@pytest.mark.parametrize("stated", EXPECTATIONS)
def test_an_expectation_that_cannot_come_true_is_wrong_as_written(
    checker: Checker, write: Write, stated: str, command: str
) -> None:
    """A check notices it too, and both name the line."""
    file = write(
        "expecting.py", NAMED.replace("import Bool", "import holds, violates, Bool") + f"\n    expect = {stated}\n"
    )
    ran = checker(command, file)
    assert ran.code == 2 and "Traceback" not in ran.err
    said = ran.err + ran.out
    assert (
        "expecting.py:12: " in said
        and f"expect = {stated}" in said
        and EXPECTATIONS[stated].partition("expect, at=")[2].partition("}: ")[2] in said
    )
    assert command == "verify" or EXPECTATIONS[stated] in said


def test_text_in_another_encoding_gives_2(checker: Checker, here: Path) -> None:
    """A file that is not UTF-8 is refused."""
    (here / "latin.py").write_bytes(b'x = "\xe9"\n')
    ran = checker("check", "latin.py")
    assert (ran.code, "not text in UTF-8" in ran.err) == (2, True)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read and write everything")
def test_files_without_permission_give_2(checker: Checker, here: Path) -> None:
    """An unreadable model and an unwritable directory are refused before any search."""
    (here / "lock.py").chmod(0)
    assert checker("check", "lock.py").code == 2
    (here / "closed").mkdir(mode=0o500)
    assert checker("check", "never.py", "--out", "closed").code == 2


def test_a_report_directory_that_cannot_be_made_gives_2(checker: Checker, lock: str) -> None:
    """--out may not be a file, nor stand in one."""
    for target in (lock, f"{lock}/report"):
        ran = checker("check", lock, "--out", target)
        assert (ran.code, "cannot write there" in ran.err, ran.out) == (2, True, "")


def test_an_error_is_json_too(checker: Checker, lock: str) -> None:
    """With --json the error stands in the JSON, so that a script need not read the message."""
    found = checker("check", lock, "--json", "-", "-D", "client=2").json()
    assert found["exit_code"] == 2
    assert "no constant client" in found["error"]["message"]


def test_a_model_outside_the_language_is_refused_by_every_way_to_run_it(checker: Checker, write: Write) -> None:
    """By hand and in the interpreter too, where Python alone would go on until the mistake."""
    text = (
        "from checker.language import Bool, Distributed, Process, action, var\n\n\nclass A(Distributed):\n    x "
        "= var(Bool)\n\n"
    )
    path = write("wrong.py", text + "    @action\n    def up(self, p: Process):\n        self.x = p == p1\n")
    for command in (("check", path), ("check", path, "--engine", "interpreter"), ("step", path)):
        ran = checker(*command)
        assert (ran.code, "wrong.py:9: p1 is not defined" in ran.err) == (2, True)


def test_every_refusal_of_a_model_is_in_the_json(checker: Checker, write: Write) -> None:
    """One run reports as many as it can, each with its line and the text there."""
    text = "from checker.language import Bool, Model, action, var\n\n\nclass A(Model):\n    x = var(Bool)\n\n"
    text += (
        "    @action\n    def up(self):\n        self.y = True\n\n    @action\n    def down(self):\n        "
        "self.x = 1.5\n"
    )
    found = checker("check", write("wrong.py", text), "--json", "-").json()["error"]
    assert (found["line"], found["fragment"]) == (9, "self.y")
    assert [(other["line"], other["fragment"]) for other in found["others"]] == [(13, "1.5")]


def test_constants_are_read_as_written() -> None:
    """Whole numbers, words, truth values and tuples of them; a trailing comma makes a tuple of one."""
    from checker.cli.arguments import CONSTANT

    texts = ["a=3", "b=-1", "c=true", "d=False", "e=fifo", "f=2,1,0", "g=4,", "h=x,true,1"]
    values = constants_of_options(CONSTANT.convert(text, None, None) for text in texts)
    assert values == {
        "a": 3,
        "b": -1,
        "c": True,
        "d": False,
        "e": "fifo",
        "f": (2, 1, 0),
        "g": (4,),
        "h": ("x", True, 1),
    }
    with pytest.raises(UsageError):
        CONSTANT.convert("a=1.5", None, None)


SPINNING = """from checker.language import Int, Model, action, initial, invariant, require, var


class Spinning(Model):
    n = var(Int(0, 9), 0)

    @initial
    def begin(self):
        self.spin(START)

    def spin(self, k):
        while k < 10:
            self.n = (self.n + 1) % 5

    @action
    def up(self):
        require(self.n < 4)
        self.n += 1

    @invariant
    def low(self) -> bool:
        k = self.n
        while k < 10:
            k = (k + 1) % LIMIT
        return True
"""


@pytest.mark.parametrize("engine", ["native", "interpreter"])
def test_a_loop_that_never_ends_is_a_model_error(checker: Checker, write: Write, engine: str) -> None:
    """In a helper of the @initial method the model is wrong as written; in a property the state is shown."""
    ran = checker("check", write("a.py", SPINNING.replace("START", "0").replace("LIMIT", "20")), "--engine", engine)
    assert ran.code == 2 and "a.py:12: the @initial method goes wrong: more than 10000 rounds" in ran.err
    ran = checker("check", write("b.py", SPINNING.replace("START", "10").replace("LIMIT", "9")), "--engine", engine)
    assert ran.code == 1 and "more than 10000 rounds (line 23) in 0 steps" in ran.out
    assert (
        checker("check", write("c.py", SPINNING.replace("START", "10").replace("LIMIT", "20")), "--engine", engine).code
        == 0
    )


@pytest.mark.parametrize("values", ["1..NUMBER", "NUMBERx1"])
def test_a_number_of_more_digits_than_python_reads_is_told(values: str) -> None:
    """In a range and in front of a repetition: a wrong value, no internal error."""
    with pytest.raises(UsageError, match="a number of 5,000 digits"):
        choices_of([f"highest={values.replace('NUMBER', '9' * 5000)}"])
