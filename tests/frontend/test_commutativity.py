"""A loop over symmetric identities is accepted if its rounds certainly commute, and refused if the order could show."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from textwrap import dedent, indent

import pytest

from checker.backends.interpreter.explore import explore
from checker.backends.interpreter.interpreter import Interpreter
from checker.frontend.lower import lower
from checker.frontend.refusal import Refused
from checker.ir.canonical import Canonical
from checker.language.define import define
from checker.language.model import Model

HEAD = """
from enum import Enum
from checker.language import Bool, Ids, Int, Map, Model, Network, Optional, Record, Seq, Set, action, anything, choose, const, invariant, require, rule, var

class Color(Enum):
    red = 0
    green = 1

class Loop(Model):
    N = Ids("n", 3, symmetric=True)
    Level = Int(0, 2)
    c = var(Map[N, Color], Color.red)
    k = var(Map[N, Level], 0)
    d = var(Map[N, Int(-1, 1)], 0)
    m = var(Int(0, 8), 0)
    flag = var(Bool, False)
    s = var(Set[N])
    levels = var(Set[Level])
    friends = var(Map[N, Set[N]])
    by = var(Map[Color, Int(0, 3)], 0)
    queue = var(Map[N, Seq[N, 3]])
    log = var(Seq[Level, 3])
    who = var(Optional[N])
    gone = var(Bool, False)

    @rule
    def ready(self, p: N) -> bool:
        return self.k[p] > 0

    @rule
    def total(self) -> bool:
        return sum(self.k[r] for r in self.N) > 0

    @action
    def raise_level(self, p: N):
        require(not self.gone and self.k[p] < 2)
        self.k[p] += 1

    @action
    def paint(self, p: N):
        require(not self.gone and self.k[p] == 1)
        self.c[p] = Color.green

"""  # noqa: E501
ACTION, PROPERTY = (
    "    @action\n    def go(self, p: N):\n        require(not self.gone)\n        self.gone = True\n",
    "    @invariant\n    def go(self) -> bool:\n",
)

HALF = "    @rule\n    def half(self, p: N) -> bool:\n        return 2 // self.k[p] > 1\n\n"

ACCEPTED = {
    "the member's own entry": "for q in self.N: self.k[q] = 0",
    "its own entry read, also through a rule": """
        for q in self.N:
            if self.ready(q):
                self.k[q] = 0
            elif self.k[q] < 2:
                self.k[q] += 1
    """,
    "sum": "for q in self.N: self.m += self.k[q]",
    "sum both ways without bounds": """
        x = 0
        for q in self.N:
            x += self.d[q]
            x -= self.k[q]
        self.flag = x > 0
    """,
    "in the set or not": """
        for q in self.N:
            if q in self.s:
                self.s.remove(q)
            else:
                self.s.add(q)
    """,
    "greatest by comparison": """
        best = 0
        for q in self.N:
            if self.k[q] > best:
                best = self.k[q]
        self.m = best
    """,
    "greatest, and whether its colour was seen": """
        best, green = 0, False
        for q in self.N:
            level = self.k[q]
            if level > best:
                best, green = level, False
            if level == best and self.c[q] == Color.green:
                green = True
        self.flag = green
    """,
    "greatest": """
        best = 0
        for q in self.N:
            best = max(best, self.k[q])
        self.m = best
    """,
    "or": "for q in self.N: self.flag = self.flag or self.k[q] > 1",
    "the same for all": """
        for q in self.N:
            if self.k[q] > 1:
                self.who = p
    """,
    "a local of each round, in two loops": """
        for q in self.N:
            v = self.k[q]
            if v > 1:
                self.levels.add(v)
        for q in self.N:
            v = self.k[q]
            self.m += v
    """,
    "nested": """
        for q in self.N:
            for r in self.N:
                if q != r and self.k[r] > 1:
                    self.friends[q].add(r)
    """,
    "counted by something else": "for q in self.N: self.by[self.c[q]] += 1",
    "its own queue": "for q in self.N: self.queue[q].append(p)",
    "exchanged, and whether the two were equal": """
        a, b = self.who, (p if self.flag else self.who)
        for q in self.N:
            if self.k[q] > 1:
                if a == b:
                    self.flag = True
                a, b = b, a
    """,
    "parity": """
        odd = False
        for q in self.N:
            if self.k[q] < 1:
                continue
            odd = not odd
        self.flag = odd
    """,
    "union": "for q in self.N: self.friends[q] |= self.s",
    "a guard, and what was tested before": """
        for q in self.N:
            require(self.k[q] > 0 or q in self.s)
            if len(self.queue[q]) > 0 and self.queue[q][0] == p:
                self.friends[q].add(self.queue[q][-1])
            if self.who is not None:
                self.friends[q].discard(self.who)
            if self.k[q] == 0:
                continue
            self.d[q] = min(1, 2 // self.k[q])
    """,
    "what may fail, and then a guard": """
        for q in self.N:
            self.friends[q].add(self.queue[q][0])
        for q in self.N:
            require(self.k[q] < 2)
    """,
    "any and all of what was tested before": """
        self.flag = any(self.queue[q][0] == p for q in self.N if len(self.queue[q]) > 1)
        self.flag = all(self.k[q] == 0 or 2 // self.k[q] > 1 for q in self.N)
    """,
    "all members are looked at": "self.flag = True in {2 // (self.k[q] + self.d[p]) > 1 for q in self.N}",
    "halved for each that has a level": """
        x = 7
        for q in self.N:
            if self.k[q] > 0:
                x = x // 2
        self.m = x
    """,
    "or, with what may fail first": "for q in self.N: self.flag = 2 // (self.k[q] + self.d[p]) > 1 or self.flag",
}

REFUSED = {
    "a number that encodes the order": (
        """
        x = 0
        for q in self.N:
            x = (x * 2 + (1 if self.k[q] > 0 else 0)) % 8
        self.m = x
    """,
        "changes x in a way in which the order shows",
    ),
    "a number that encodes the order, in the state": (
        "for q in self.N: self.m = min(8, self.m * 2 + self.k[q])",
        "changes self.m in a way",
    ),
    "through a local": (
        """
        for q in self.N:
            y = self.m
            self.m = min(y * 2 + self.k[q], 8)
    """,
        "keeps the last one in self.m",
    ),
    "a number of the last one": (
        """
        x = 0
        for q in self.N:
            if self.k[q] > 0:
                x = self.k[q]
        self.m = x
    """,
        "keeps the last one in x",
    ),
    "whether the last one is there": ("for q in self.N: self.flag = q in self.s", "keeps the last one in self.flag"),
    "one of two values, as a local says that is assigned again": (
        """
        x = 0
        for q in self.N:
            v = self.k[q] > 0
            if v:
                x = 1
            v = self.k[q] > 1
            if v:
                x = 2
        self.m = x
    """,
        "keeps the last one in x",
    ),
    "one of an earlier loop": (
        """
        x = 0
        for i in range(2):
            self.m = x
            for q in self.N:
                x = self.k[q]
    """,
        "keeps the last one in x",
    ),
    "the first only": (
        """
        x = 0
        for q in self.N:
            if x == 0 and self.k[q] > 0:
                self.s.add(q)
                x = 1
    """,
        "reads x, which other rounds change",
    ),
    "the first of the greatest": (
        """
        best = 0
        for q in self.N:
            if self.k[q] > best:
                best = self.k[q]
                self.who = q
    """,
        "keeps the last one in self.who",
    ),
    "a bound on the way": ("for q in self.N: self.m += self.d[q]", "changes self.m in a way"),
    "other entries read": (
        "for q in self.N: self.k[q] = sum(self.k[r] for r in self.N) // 3",
        "reads self.k, which other rounds change",
    ),
    "other entries read by a rule": (
        """
        for q in self.N:
            if self.total():
                self.k[q] = 0
    """,
        "reads self.k, which other rounds change",
    ),
    "another entry": ("for q in self.N: self.k[p] = self.k[q]", "changes self.k in a way"),
    "entries of the inner loop": (
        """
        for q in self.N:
            for r in self.N:
                self.k[q] = 1
                self.k[r] = 2
    """,
        "keeps the last one in self.k",
    ),
    "a common queue": ("for q in self.N: self.log.append(self.k[q])", "builds a sequence"),
    "return": (
        """
        for q in self.N:
            if self.k[q] > 0:
                return
    """,
        "is left early",
    ),
}

HIDING = {
    "any": ("self.flag = any(2 // self.k[q] > 1 for q in self.N)", r"any\(...\) may fail"),
    "all, through a rule": ("self.flag = all(self.half(q) for q in self.N)", r"all\(...\) may fail"),
    "any under a condition": (
        "self.flag = any(self.k[q] > 1 for q in self.N if self.queue[q][0] == p)",
        r"any\(...\) may fail",
    ),
    "any of any": ("self.flag = any(self.queue[q][r] == p for r in range(2) for q in self.s)", r"any\(...\) may fail"),
    "or": ("for q in self.N: self.flag = self.flag or 2 // self.k[q] > 1", "the loop changes self.flag"),
    "only as long as nothing is found": (
        """
        best = 0
        for q in self.N:
            if best == 0:
                best = min(1, 2 // self.k[q])
        self.m = best
    """,
        "the loop keeps the last one in best",
    ),
    "a guard": (
        """
        for q in self.N:
            require(self.k[q] > 0)
            self.friends[q].add(self.queue[q][0])
    """,
        "the loop may fail for one member",
    ),
    "a guard, and a bound": (
        """
        for q in self.N:
            require(self.k[q] > 0)
            self.m += 3
    """,
        "the loop may fail for one member",
    ),
    "a guard, and an assertion": (
        """
        for q in self.N:
            require(self.k[q] > 0)
            assert q in self.s
    """,
        "the loop may fail for one member",
    ),
    "a choice among none": (
        """
        for q in self.N:
            r = choose(self.friends[q])
            self.s.remove(r)
    """,
        "the loop may fail for one member",
    ),
    "tested, and then changed": (
        """
        for q in self.N:
            require(len(self.queue[q]) > 0)
            self.queue[q].pop(0)
            self.friends[q].add(self.queue[q][0])
    """,
        "the loop may fail for one member",
    ),
}

ANSWERS = {
    "what fails for another": (
        """
        for q in self.N:
            if 2 // self.k[q] > 1:
                return False
        return True
    """,
        "the loop may fail for one member",
    ),
    "different constants": (
        """
        for q in self.N:
            if self.k[q] == 1:
                return True
            if self.k[q] == 2:
                return False
        return True
    """,
        "returns one of several values",
    ),
    "what the first says": (
        """
        for q in self.N:
            if self.k[q] > 0:
                return self.c[q] == Color.red
        return True
    """,
        "returns one of several values",
    ),
}


def loop(directory: Path, head: str, body: str) -> type[Model]:
    """The model with this body."""
    file = directory / "loop.py"
    file.write_text(HEAD + head + indent(dedent(body).strip(), "        ") + "\n")
    spec = importlib.util.spec_from_file_location("loop", file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    made: type[Model] = module.Loop
    return made


@pytest.mark.parametrize("body", ACCEPTED.values(), ids=ACCEPTED)
def test_rounds_that_commute_are_accepted_and_merged_exactly(tmp_path: Path, body: str) -> None:
    """The merged search has a state for each class of states that are found without merging."""
    plain, merging = (define(loop(tmp_path, ACTION, body), {"symmetry": merged}) for merged in (False, True))
    lowered = lower(merging)
    assert lowered.symmetry is not None
    canonical = Canonical.of(lowered.variables, lowered.symmetry)
    classes = {canonical(state) for state in explore(Interpreter(plain)).order}
    assert set(explore(Interpreter(merging), canonical=canonical).order) == classes


@pytest.mark.parametrize(("body", "message"), REFUSED.values(), ids=REFUSED)
def test_rounds_whose_order_could_show_are_refused(tmp_path: Path, body: str, message: str) -> None:
    """With the loop, and what in it shows the order."""
    with pytest.raises(Refused, match=f"N is symmetric, and the loop .*{message}") as caught:
        lower(define(loop(tmp_path, ACTION, body)))
    assert caught.value.remedy and caught.value.fragment == "self.N"


@pytest.mark.parametrize(("body", "message"), HIDING.values(), ids=HIDING)
def test_no_member_may_hide_that_another_fails(tmp_path: Path, body: str, message: str) -> None:
    """What ends the rounds, or decides them, keeps a failure of another member from being met, or not: as the order
    will have it."""
    with pytest.raises(Refused, match=f"N is symmetric, and {message}"):
        lower(define(loop(tmp_path, HALF + ACTION, body)))


@pytest.mark.parametrize(("body", "message"), ANSWERS.values(), ids=ANSWERS)
def test_a_loop_may_not_be_left_with_a_value_that_says_who_came_first(tmp_path: Path, body: str, message: str) -> None:
    """Different constants do, and so does what belongs to the member, or that another did not fail."""
    with pytest.raises(Refused, match=f"N is symmetric, and .*{message}"):
        lower(define(loop(tmp_path, PROPERTY, body)))


def test_a_loop_may_be_left_with_the_same_value_from_every_round(tmp_path: Path) -> None:
    """Then it does not matter who was met first."""
    lower(
        define(
            loop(
                tmp_path,
                PROPERTY,
                "for q in self.N:\n    if self.k[q] > 1 and self.c[q] == Color.red: return False\nreturn True",
            )
        )
    )
