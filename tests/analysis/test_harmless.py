"""What the predicate of a link may contain: wherever anything stands in it, Python executes only what computes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path as File

import pytest

from checker.analysis.explain import condition_text
from checker.analysis.explore import Explorer, Path
from checker.catalogue import find
from checker.engines.interpreted import interpreter_of
from checker.language.define import define
from checker.language.errors import UsageError

Write = Callable[[str, str], str]
MAIL = '''import os
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from checker.language import Distributed, Int, Map, Network, Process, Record, Set, Union, action, const, invariant
from checker.language import on, rule, var

LEAST = 1


class Mode(Enum):
    """Of the model."""

    IDLE = 1
    BUSY = 2


class Mail(Distributed):
    """Processes that send each other numbers."""

    most = const(2, "what is sent")
    Number = Int(0, 3)
    Letter = Union(Note=Record(number=Number), Empty=Record())
    net = var(Network[Process, Letter])
    mode = var(Map[Process, Mode], Mode.IDLE)
    seen = var(Map[Process, Set[Number]], set())

    @action
    def post(self, p: Process, q: Process):
        self.net.send(p, q, self.Letter.Note(number=self.most))

    @on(net, Letter.Note)
    def note(self, p, q, number):
        self.seen[p].add(number)

    @on(net, Letter.Empty)
    def empty(self, p, q):
        self.mode[p] = Mode.BUSY

    @rule
    def silent(self, p: Process) -> bool:
        return len(self.seen[p]) == 0

    def numbers(self, p: Process) -> int:
        return len(self.seen[p])

    @invariant
    def small(self) -> bool:
        return all(len(self.seen[p]) < 4 for p in self.Process)
'''
OPEN = "open('executed', 'w')"
ACTS = [
    OPEN,
    "__import__('os').system('touch executed')",
    "os.system('touch executed')",
    "Path('executed').write_text('')",
    "exec(\"open('executed', 'w')\")",
    "eval(\"open('executed', 'w')\")",
    "[].__class__.__base__.__subclasses__()",
    "(lambda: open('executed', 'w'))()",
    "(x := open('executed', 'w'))",
    "f\"{open('executed', 'w')}\"",
    "'{0.__class__}'.format(open('executed', 'w'))",
    "getattr(self, 'small')()",
    "setattr(self, 'crashes', 1)",
    "self.__class__",
    "self.set_raw_state(0)",
    "silent.__globals__",
    "print('executed')",
    "[print, open][1]('executed', 'w')",
    "[f('executed', 'w') for f in [open]]",
    "[open for open in [1]] == [open('executed', 'w')]",
    "sorted(['executed'], key=open)",
    "sorted([1], key=lambda x: open('executed', 'w'))",
    "min([1], key=lambda x=open('executed', 'w'): x)",
    "net.send(p1, p2, Letter.Empty())",
    "post(p1, p2)",
    "seen[p1].add(1)",
    "{**open('executed', 'w')}",
    "len(*open('executed', 'w'))",
    "9 ** 9 ** 9",
    "1 << 9",
]
PLACES = [
    "{}",
    "False and {}",
    "True or {}",
    "crashes == 1 and {}",
    "crashes == 0 or {}",
    "not (True or {})",
    "not (crashes == 1 and {})",
    "True if True else {}",
    "{} if False else True",
    "(True or {}) if crashes == 1 else (False and {})",
    "any({} for p in Process)",
    "any(True for p in [] if {})",
    "all(True or {} for p in Process)",
    "len(net) == 1 and {}",
    "len([p for p in Process if crashes == 1 and {}]) == 0",
    "len({{1 for p in [] for q in [{}]}}) == 0",
    "1 > 2 > {}",
    "(False and {}) == (True or {})",
    "(crashes == 0 or (True if True else (False and {})))",
    "silent(p1 if True else {})",
    "seen[p1 if True else {}] == set()",
]


@pytest.fixture(scope="module")
def mail(tmp_path_factory: pytest.TempPathFactory) -> Explorer:
    """The runs of a model that imports what can do harm."""
    file = tmp_path_factory.mktemp("model") / "mail.py"
    file.write_text(MAIL, encoding="utf-8")
    entry = find(str(file))
    return Explorer(interpreter_of(define(entry.cls, {"processes": 2})), entry.reference)


@pytest.mark.parametrize("act", ACTS)
def test_what_does_anything_is_refused_wherever_it_stands(
    mail: Explorer, act: str, tmp_path: File, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Behind an operand that decides, in a branch that constants exclude, over nothing; and nothing is executed."""
    monkeypatch.chdir(tmp_path)
    for place in PLACES:
        text = place.format(*[act] * 2)
        assert mail.run(Path(), [text]).pins[0].wrong, text
        with pytest.raises(UsageError):
            mail.find(Path(), text, 1.0)
        assert not list(tmp_path.iterdir()) and not capsys.readouterr().out, text


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("crashes == 0", "true"),
        ("len(net) == most - 2 and LEAST == 1", "true"),
        ("all(mode[p] == Mode.IDLE for p in Process)", "true"),
        ("p1 in Process and p1.index == 0 and p1 != p2", "true"),
        ("any(silent(p) and numbers(p) > 0 for p in Process)", "false"),
        ("all(small() for _ in Process)", "true"),
        ("len(net.between(p1, p2)) == 0 or net.between(p1, p2).count(Letter.Note(number=1)) == 1", "true"),
        ("[1, 2, 1].count(1) == 2 and [3, 4].index(4) == 1", "true"),
        ("Letter.Note(number=2).number == 1", "false"),
        ("any(isinstance(m, Letter.Empty) for m in [Letter.Note(number=1)])", "false"),
        ("(seen[p1] | {1}) - {1} == set() and not {1} <= seen[p2]", "true"),
        ("sum(len(s) for s in [seen[p] for p in Process]) == 0 if crashes == 0 else False", "true"),
        ("crashes == 1 and max(seen[p1]) == 2", "false"),
        ("crashes == 0 or max(seen[p1]) == 2", "true"),
    ],
)
def test_what_computes_is_a_predicate(mail: Explorer, text: str, truth: str) -> None:
    """With the names of the model, of its module and its own, and all that the language has for values."""
    pin = mail.run(Path(), [text]).pins[0]
    assert (pin.wrong, pin.truths) == ("", (truth,))


@pytest.mark.parametrize(
    "text",
    [
        "any(deliverable(p, m) for p in Process for m in Message)",
        "len(delivered[p1]) < 2",
        "len(delivered[p1]) == 2",
        "len(delivered[p1]) == 1 and m2.1 in delivered[p1]",
    ],
)
def test_the_predicates_of_the_documentation_are_harmless(text: str) -> None:
    """As they stand on its pages, for the model that they speak of."""
    entry = find("isis")
    found = Explorer(interpreter_of(define(entry.cls, {"processes": 2, "workload": (1, 1)})), entry.reference)
    assert found.run(Path(), [text]).pins[0].wrong == ""


@pytest.mark.parametrize(
    "text",
    ["False and {}", "True or {}", "not (True or {})", "not (False and {})", "1 > 2 > {}", "crashes == 1 and {}"],
)
def test_a_reason_evaluates_no_more_than_python_does(
    mail: Explorer, text: str, tmp_path: File, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also of a condition of the user's own, as `checker step` takes it: what follows may have no value there."""
    monkeypatch.chdir(tmp_path)
    session = mail.at(Path())
    assert condition_text(text.format(OPEN), mail.interpreter, session.state)
    assert not list(tmp_path.iterdir())
