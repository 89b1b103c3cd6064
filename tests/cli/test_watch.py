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
    assert texts(wrong, verdict(checker, lock))[0] == "alone: holds"


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
    assert "saved lock.py" in said and said[-1] == "holds → violated, 7 states"
