"""`checker verify` without names: the models of the user's own repository or folder, and no others."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from checker.analysis.own_models import own_models
from checker.analysis.verify import select, select_readable
from checker.catalogue import family, find
from tests.cli import protocols

ROOT = Path(__file__).parents[2]
EDIT = "from lock import Lock\n\n\nclass Same(Lock):\n    'EDIT: none.'\n"
SCRIPT = "open('executed', 'w')\n"


def git(*arguments: str) -> None:
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], check=True, capture_output=True)


@pytest.fixture
def repository(here: Path, write: Callable[[str, str], str]) -> Path:
    """A repository with models, a helper, scripts, tests and an environment that git does not ignore."""
    git("init", "-q")
    write("protocols/lock.py", protocols.LOCK)
    write("protocols/edit.py", EDIT)
    write("protocols/helper.py", "def half(n):\n    return n // 2\n")
    write("tool.py", SCRIPT + "import checker\n\n\nclass Tool(Exception):\n    pass\n")
    write("tests/test_lock.py", SCRIPT + protocols.LOCK)
    write(".hidden/lock.py", SCRIPT + protocols.LOCK)
    write("ignored/lock.py", SCRIPT + protocols.LOCK)
    write(".gitignore", "ignored\n")
    write("env/pyvenv.cfg", "")
    write("env/lib/python3.11/site-packages/checker/models/isis.py", SCRIPT + protocols.LOCK)
    git("add", "-f", "protocols", "tool.py", ".gitignore")
    git("commit", "-qm", "one")
    return here


def test_those_of_the_repository_are_found_by_their_texts(repository: Path) -> None:
    """Files that git follows or would follow; an edit whose base is in another file; no script, no test, nothing that
    is installed."""
    assert own_models() == [Path("protocols/edit.py"), Path("protocols/lock.py")]
    assert not Path("executed").exists()


@pytest.mark.parametrize(
    "text, found",
    [
        ("from checker.language import *\nclass A(Model): pass\n", True),
        ("import checker.language as c\nclass A(c.Model): pass\n", True),
        ("from checker.language.multicast import Multicast\nclass A(Multicast): pass\n", True),
        ("from checker.models.isis import Isis\nclass A(Isis): pass\n", True),
        ("from checker import Model\nclass A(Model): pass\n", True),
        ("from checker.language import Model\nclass A(Model:\n", True),  # a syntax error is to be reported
        ("from checker.pytest_plugin import model_tests\nclass A(object): pass\n", False),
        ("from checker.language import Model\nclass A: pass\n", False),
        ("from django.db import models\nclass A(models.Model): pass\n", False),
        ("from checker.language import Model\nprint(Model)\n", False),
    ],
)
def test_a_file_of_models_derives_a_class_from_the_language_or_a_model(here: Path, text: str, found: bool) -> None:
    """By whatever way it imports the base; another file of the name that is imported is no base."""
    Path("one.py").write_text(text, encoding="utf-8")
    Path("models.py").write_text("x = 1\n", encoding="utf-8")
    assert (Path("one.py") in own_models()) is found


def test_only_the_repository_is_verified(repository: Path, checker: Any) -> None:
    """Its models are counted first; nothing that is shipped is among them."""
    ran = checker("verify")
    assert "2 files with models in or below" in ran.out and "isis" not in ran.out
    assert checker("verify", "--json", "-").json()["without_expectation"]


def test_the_hook_looks_at_what_is_not_committed(repository: Path, checker: Any) -> None:
    """In a clean repository nothing is verified, after a change the models that it touches."""
    Path("protocols/stated.py").write_text(stated(), encoding="utf-8")
    git("add", "protocols")
    git("commit", "-qm", "two")
    clean = checker("verify", "--since", "HEAD", "--max-seconds", "20")
    assert clean.code == 0 and "not touched by what has changed" in clean.out and "no expectation to check" in clean.out
    Path("protocols/stated.py").write_text(stated().replace("1 <= 2", "1 <= 3"), encoding="utf-8")
    changed = checker("verify", "--since", "HEAD", "--max-seconds", "20")
    assert changed.code == 0 and "1 expectation met" in changed.out and "isis" not in changed.out


def stated() -> str:
    return (
        "from checker.language import Bool, Model, action, holds, var\n\n\nclass Stated(Model):\n    b = var(Bool)\n\n"
        "    @action\n    def go(self):\n        self.b = 1 <= 2\n\n    expect = holds()\n"
    )


def test_where_there_are_no_models_it_says_so(here: Path, checker: Any) -> None:
    """A usage error, since a build that verifies nothing must not pass; but no change can have broken anything."""
    git("init", "-q")
    Path("a.txt").write_text("a\n", encoding="utf-8")
    git("add", "a.txt")
    git("commit", "-qm", "one")
    ran = checker("verify")
    assert ran.code == 2 and "there are no models in or below" in ran.err and "--shipped" in ran.err
    hook = checker("verify", "--since", "HEAD")
    assert hook.code == 0 and "there are no models in or below" in hook.out


def test_outside_a_repository_it_says_that_other_folders_are_not_searched(here: Path, checker: Any) -> None:
    """A model in protocols/ is one of a repository, or is named."""
    Path("protocols").mkdir()
    Path("protocols/lock.py").write_text(protocols.LOCK, encoding="utf-8")
    ran = checker("verify")
    assert ran.code == 2 and "in its folder models (outside of a git repository no other folder" in ran.err
    assert "as expected  protocols/lock.py" in checker("verify", "./protocols").out


def test_outside_a_repository_the_folder_and_its_models_count(here: Path, write: Any) -> None:
    """A home directory is not searched."""
    write("one.py", protocols.LOCK)
    write("models/two.py", protocols.LOCK)
    write("else/three.py", protocols.LOCK)
    assert own_models() == [Path("models/two.py"), Path("one.py")]


def test_a_file_without_a_model_in_a_folder_is_passed_over(here: Path, write: Any, checker: Any) -> None:
    """With a word in a folder and a pattern; named itself it is an error, as is a folder of such files only."""
    write("protocols/stated.py", stated())
    helper = write("protocols/helper.py", "def half(n):\n    return n // 2\n")
    for named in ("./protocols", "protocols/*.py"):
        ran = checker("verify", named)
        assert ran.code == 0 and "1 expectation met" in ran.out, ran.err
        assert "passed over, since no model is defined: protocols/helper.py" in ran.out
    assert checker("verify", "./protocols", "--json", "-").json()["without_model"] == ["protocols/helper.py"]
    alone = checker("verify", helper)
    assert alone.code == 2 and "the file defines no model" in alone.err and "In a folder it is passed over" in alone.err
    assert checker("verify", "./protocols", helper).code == 2
    os.remove("protocols/stated.py")
    assert checker("verify", "./protocols").code == 2
    assert checker("verify", "nowhere/*.py").code == 2


def test_a_helper_that_a_model_imports_is_not_passed_over(here: Path, write: Any, checker: Any) -> None:
    """Directly or through another helper; one that nothing imports is named."""
    write("protocols/helper.py", "from second import half\n\nTWO = half(4)\n")
    write("protocols/second.py", "def half(n):\n    return n // 2\n")
    write("protocols/apart.py", "A = 1\n")
    write("protocols/stated.py", f"from helper import TWO\n{stated()}")
    ran = checker("verify", "./protocols", "--json", "o.json")
    assert ran.code == 0 and ran.out.rstrip().endswith("passed over, since no model is defined: protocols/apart.py")
    os.remove("protocols/apart.py")
    assert "passed over" not in checker("verify", "./protocols").out


def test_shipped_models_are_verified_where_they_are_asked_for(
    here: Path, checker: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By `--shipped`, and in a checkout of the checker, whose settings name their folder: none is left out."""
    everything = {case.label for case in select([])[0]}
    assert {case.label for case in select_readable([], with_shipped=True).cases} == everything
    monkeypatch.chdir(ROOT)
    from checker.catalogue import file_named
    from checker.cli.settings import models

    chosen = select_readable(models(file_named))
    assert {case.label for case in chosen.cases} == everything and not chosen.unread


def test_a_folder_with_the_name_of_a_shipped_model_is_ambiguous(here: Path, write: Any, checker: Any) -> None:
    """The shipped model would be verified, and a broken one in the folder would be green; a folder without Python, as
    of reports, takes no name."""
    write("sequencer/log.py", protocols.LOCK)
    for command in ("verify", "check"):
        ran = checker(command, "sequencer")
        assert ran.code == 2 and "sequencer is ambiguous: the folder sequencer and the shipped model" in ran.err
        assert "Write ./sequencer or checker.models.sequencer" in ran.err
    write("models/sequencer.py", protocols.LOCK)
    assert "the folder sequencer and models/sequencer.py and the shipped model" in checker("verify", "sequencer").err
    write("isis/notes.txt", "")
    assert find("isis").reference == "isis" and find("./sequencer/log.py").reference == "./sequencer/log.py"
    assert find("checker.models.sequencer:OneThread").reference == "checker.models.sequencer:OneThread"


def test_a_file_of_the_working_directory_with_the_name_of_a_shipped_model_makes_it_ambiguous(
    here: Path, write: Any, checker: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The shipped model would be checked, and a broken one in the file would be green; a link to the shipped file, or a
    file that is no model, takes no name."""
    write("models/sequencer.py", protocols.LOCK)
    monkeypatch.chdir("models")
    ran = checker("check", "sequencer")
    assert ran.code == 2 and "sequencer is ambiguous: sequencer.py and the shipped model" in ran.err
    assert "Write sequencer.py or checker.models.sequencer" in ran.err
    assert checker("check", "sequencer.py", "--max-depth", "1").code in (0, 4)
    Path("isis.txt").touch()
    Path("toto.py").symlink_to(ROOT / "models" / "toto.py")
    assert find("isis").reference == "isis" and find("toto").reference == "toto"
    assert find("checker.models.sequencer").reference == "checker.models.sequencer"


def test_models_of_a_folder_are_called_by_their_paths(here: Path, write: Any) -> None:
    """Also those in models/, whose names are short for them: a suite keeps its name when a model of that name is
    shipped."""
    write("models/twophase.py", protocols.LOCK)
    assert [entry.reference for entry in family("models")][0] == "models/twophase.py"
    assert find("twophase").reference == "twophase"
