"""Watching a model: what is said after a save is what changed, and nothing is checked with stale code."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pytest

from checker.cli.watch import CheckSummary, differences, directories, keep_checking, saved, snapshot, verdict_of
from checker.language.errors import UsageError


def texts(before: CheckSummary | None, after: CheckSummary) -> list[str]:
    """The lines without their styles."""
    return [text.strip() for text, _ in differences(before, after)]


def verdict(checker: Any, *arguments: str) -> CheckSummary:
    """The verdict of a check."""
    return verdict_of(checker("check", *arguments, "--json", "-").json())


def test_the_first_check_tells_everything_and_the_same_again_nothing(checker: Any, lock: str) -> None:
    """Counts are told where they change only."""
    found = verdict(checker, lock)
    assert texts(None, found) == [
        "alone: holds",
        "somebody_is_inside: reachable in 1 step",
        "known: holds",
        "holds, 3 states",
    ]
    assert texts(found, found) == ["still holds, 3 states; nothing changed"]


def test_a_new_violation_is_told_with_its_witness_and_the_counts_that_changed(checker: Any, lock: str) -> None:
    """From the lock to the careless lock."""
    told = texts(verdict(checker, lock), verdict(checker, f"{lock}:Careless", "--all"))
    assert told[0] == "alone: holds → violated in 2 steps: For a = c1, b = c2: c1 is not c2."
    assert "states: 3 → 7" in told and told[-1] == "holds → violated, 7 states"
    assert not any(t.startswith("known") for t in told)


def test_what_the_end_of_a_search_left_undecided_is_one_line_and_a_violation_has_its_cause(
    checker: Any, lock: str
) -> None:
    """Not one line for each property that was not decided."""
    before, after = verdict(checker, lock), verdict(checker, f"{lock}:Careless")
    told = texts(before, after)
    assert told[0].startswith("alone: holds → violated in 2 steps")
    assert told[1].startswith("CAUSE in step 2, ")
    assert not any("unknown" in text for text in told)
    undecided = [n for n, words in after.properties.items() if words == "unknown"]
    assert undecided and f"{', '.join(undecided)}: not decided any more (--all decides them)" in told
    assert f"{', '.join(undecided)}: not decided (--all decides them)" in texts(None, after)
    assert not any("unknown" in text for text in texts(after, before))


def test_a_protocol_that_no_longer_does_anything_is_news(checker: Any, lock: str, write: Any) -> None:
    """A guard that is never true any more: what held still holds, and the warning comes before it."""
    before = verdict(checker, lock, "--property", "alone")
    text = Path(lock).read_text(encoding="utf-8").replace("require(", "require(False and ", 1)
    after = verdict(checker, write("dead.py", text), "--property", "alone")
    told = texts(before, after)
    assert told[0].startswith("new warning: action ") and "was never enabled" in told[0]
    assert told[-1].startswith("still holds") and "but" in told[-1] and after.style == "bold yellow"
    moved = verdict(checker, write("dead.py", "\n" + text), "--property", "alone")
    assert not any("warning" in line for line in texts(after, moved)[:-1])


def test_a_model_error_is_told_as_a_check_tells_it(checker: Any, write: Any) -> None:
    """What the last step says of it."""
    text = (
        "from checker.language import Int, Model, action, var\n\n\nclass Over(Model):\n    n = var(Int(0, 1), "
        "0)\n\n    @action\n    def up(self):\n        self.n += 1\n"
    )
    over = write("over.py", text)
    sentence = "2 is out of range Int(0, 1) (over.py:9)"
    assert (
        f"out of range (line 9): violated in 2 steps: {sentence}" in texts(None, verdict(checker, over))
        and sentence in checker("check", over).out
    )


COUNTER = """from checker.language import Int, Model, action, invariant, require, rule, var


class Counter(Model):
    n = var(Int(0, 5), 0)

    @rule
    def free(self) -> bool:
        return self.n < 2

    @action
    def up(self):
        require(self.free())
        self.n += 1

    @invariant
    def low(self) -> bool:
        return self.n <= 2


class FromOne(Counter):
    n = var(Int(0, 5), 1)
"""


def watched(reference: str, file: Path, *texts: str) -> list[str]:
    """What is said of a model whose file gets these texts, each when the check before it has ended; a part for each
    check, the first one included.
    """
    said: list[str] = []
    watching = threading.Thread(
        target=keep_checking, args=(reference, [], lambda text, _: said.append(text), len(texts) + 1), daemon=True
    )
    watching.start()
    for number, text in enumerate(texts, 1):
        deadline = time.monotonic() + 120
        while len(parts(said)) < number and time.monotonic() < deadline:
            time.sleep(0.05)
        file.write_text(text, encoding="utf-8")
    watching.join(120)
    assert not watching.is_alive()
    return ["\n".join(part) for part in parts(said)]


def parts(said: list[str]) -> list[list[str]]:
    """The lines of each check that has ended: its last line is not indented."""
    ends = [n for n, text in enumerate(said) if not text.startswith((" ", "saved ", "checking "))]
    return [said[begin:end] for begin, end in zip([0, *(n + 1 for n in ends)], [n + 1 for n in ends])]


def test_the_cause_is_in_the_last_save_and_not_in_what_a_class_changes_of_its_base(here: Path) -> None:
    """An edit in place of the base of a class: its initial state, which differs from that of its base, is innocent."""
    file = here / "counter.py"
    file.write_text(COUNTER, encoding="utf-8")
    broken = COUNTER.replace("self.n < 2", "self.n < 3")
    first, second, third, fourth = watched("counter.py:FromOne", file, broken, f"# seen\n{broken}", COUNTER)
    assert first.endswith("holds, 2 states") and "since" not in first
    assert "  since the last save: rule free of Counter changed (counter.py:9)" in second.splitlines()
    assert "CAUSE in step 2" in second and "free() is true (counter.py:9)" in second and "initial state" not in second
    assert third.splitlines()[1:] == ["still violated, 3 states until the search ended; nothing changed"]
    assert "since the last save: rule free of Counter changed (counter.py:10)" not in fourth  # the line moved back
    assert "since the last save: rule free of Counter changed (counter.py:9)" in fourth and "CAUSE" not in fourth


def test_a_save_that_is_not_the_cause_is_not_blamed(here: Path) -> None:
    """The version before breaks the property too."""
    file = here / "counter.py"
    file.write_text(COUNTER.replace("self.n < 2", "self.n < 3"), encoding="utf-8")
    wider = COUNTER.replace("self.n < 2", "self.n < 4")
    _, second = watched("counter.py:Counter", file, wider)
    assert "since the last save: rule free of Counter changed (counter.py:9)" in second
    assert "CAUSE" not in second and second.splitlines()[-1].startswith("still violated")


def test_after_an_error_the_last_save_is_the_last_one_without_an_error(here: Path) -> None:
    """And the verdict says that there was an error."""
    file = here / "counter.py"
    file.write_text(COUNTER, encoding="utf-8")
    wrong, broken = COUNTER.replace("self.n < 2", "self.m < 2"), COUNTER.replace("self.n < 2", "self.n < 3")
    _, second, third = watched("counter.py:Counter", file, wrong, broken)
    assert second.endswith("holds → error")
    assert "since the last save without an error: rule free of Counter changed (counter.py:9)" in third
    assert "CAUSE in step 3" in third and third.splitlines()[-1].startswith("error → violated")


def test_what_is_imported_from_beside_is_a_part_of_the_last_save(here: Path) -> None:
    """A base in another file of a package; an expectation is no part of the model."""
    folder = here / "protocols"
    folder.mkdir()
    (folder / "__init__.py").write_text("", encoding="utf-8")
    base = folder / "counter.py"
    base.write_text(COUNTER, encoding="utf-8")
    text = "from protocols.counter import Counter\n\n\nclass Mine(Counter):\n    pass\n"
    (folder / "mine.py").write_text(text, encoding="utf-8")
    _, second = watched("protocols/mine.py", base, COUNTER.replace("self.n < 2", "self.n < 3"))
    assert "since the last save: rule free of Counter changed (protocols/counter.py:9)" in second
    assert "CAUSE in step 3" in second


def test_counts_of_a_search_that_ended_early_are_not_compared(here: Path) -> None:
    """All states before, those until the violation after."""
    full = CheckSummary("holds", counts={"states": 9})
    cut = CheckSummary("violated", counts={"states": 5}, complete=False)
    assert texts(full, cut) == ["holds → violated, 5 states until the search ended"]
    assert texts(cut, full) == ["violated → holds, 9 states"]
    assert "states: 9 → 5" in texts(full, CheckSummary("violated", counts={"states": 5}))


def test_an_error_is_told_once_and_after_it_everything(checker: Any, lock: str, write: Any) -> None:
    """While the model is wrong there is no verdict to compare with."""
    wrong = verdict(
        checker, write("wrong.py", "from checker.language import Model\n\n\nclass Wrong(Model):\n    x = oops\n")
    )
    assert texts(verdict(checker, lock), wrong)[0].endswith(
        "wrong.py:5: reading the model failed: NameError: name 'oops' is not defined\n    x = oops\n"
        "  Did you mean choose? Names are defined above their use."
    )
    assert texts(wrong, wrong) == ["still error; nothing changed"]
    repaired = texts(wrong, verdict(checker, lock))
    assert (repaired[0], repaired[-1]) == ("alone: holds", "error → holds, 3 states")


def test_of_an_error_everything_is_told_that_check_tells(checker: Any, write: Any) -> None:
    """Each mistake, what stands there, and what to write instead."""
    text = (
        "from checker.language import Int, Model, action, var\n\n\nclass Wrong(Model):\n"
        "    count = var(Int(0, 1), 0)\n\n    @action\n    def up(self):\n        self.cuont += 1\n\n"
        "    @action\n    def down(self):\n        count = 0\n"
    )
    path = write("wrong.py", text)
    told = verdict(checker, path).error
    assert checker("check", path).err == f"error: {told}\n"
    assert "Did you mean count?" in told and "The variable of the state is self.count." in told


def test_a_saved_a_new_and_a_removed_file_are_seen(here: Path) -> None:
    """By time and size."""
    (here / "a.py").write_text("1")
    (here / "b.py").write_text("1")
    before = snapshot([here])
    (here / "a.py").write_text("22")
    (here / "b.py").unlink()
    (here / "c.py").write_text("1")
    (here / "d.txt").write_text("1")
    assert saved(before, snapshot([here])) == ["a.py", "b.py", "c.py"]


def test_properties_of_other_directories_are_watched_the_checker_is_not(here: Path) -> None:
    """A protocol of the library is watched with its properties."""
    assert {d.name for d in directories("isis")} == {"models", "properties"}
    with pytest.raises(UsageError):
        directories("no_such_model")


def test_a_save_is_checked_again_with_the_new_code(here: Path, lock: str) -> None:
    """The lock becomes careless while it is watched."""
    said: list[str] = []

    def say(text: str, _style: str) -> None:
        said.append(text.strip())

    watching = threading.Thread(target=keep_checking, args=(lock, ["--all"], say, 2), daemon=True)
    watching.start()
    deadline = time.monotonic() + 60
    while not any("holds, 3 states" in text for text in said) and time.monotonic() < deadline:
        time.sleep(0.05)
    text = Path(lock).read_text()
    Path(lock).write_text(text.replace("return self.owner is None", "return True", 1), encoding="utf-8")
    watching.join(60)
    assert not watching.is_alive()
    assert said[0] == f"checking {lock} now, and after every save in {here.resolve()}; Ctrl-C ends it"
    assert "saved lock.py" in said and said[-1] == "holds → violated, 7 states"


ENDLESS = '''"""Whoever wants to asks, as often as it likes."""

from checker.language import Bool, Distributed, Int, Network, Process, action, invariant, on, require, var


class Asking(Distributed):
    """Requests without end."""

    net = var(Network[Process, Int(0, 1)])
    heard = var(Bool)

    @action
    def ask(self, p: Process):
        require(GUARD)
        self.net.send(p, self.Process[0], 1)

    @on(net)
    def hear(self, p, q, n):
        self.heard = True

    @invariant
    def there(self) -> bool:
        return len(self.Process) == 3
'''


def test_what_grows_without_end_is_told_once_and_that_it_no_longer_does(checker: Any, here: Path) -> None:
    """Its numbers differ from search to search, and are no change."""
    (here / "asking.py").write_text(ENDLESS.replace("GUARD", "True"))
    (here / "guarded.py").write_text(ENDLESS.replace("GUARD", "len(self.net) < 2"))
    endless = verdict(checker, "asking.py", "--max-states", "1000")
    further = verdict(checker, "asking.py", "--max-states", "3000")
    bounded = verdict(checker, "guarded.py", "--max-states", "1000")
    told = [text for text in texts(None, endless) if text.startswith("growth: net still grows after ")]
    assert len(told) == 1 and "Is a guard missing in ask" in told[0]
    assert endless.growing != further.growing and not any("growth" in text for text in texts(endless, further))
    assert "no longer: net grows" in texts(further, bounded)
