"""What a change touches: the class itself, its bases, its properties and what they use; nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from checker.analysis.since import Change
from checker.language.errors import UsageError

BASE = '''"""A counter and what is wanted of it."""
from checker.language import Int, Invariant, Model, action, holds, require, rule, var, violates

STEP = 1


class Small(Invariant):
    """It stays small."""

    def holds(self) -> bool:
        return self.n < 3


class Even(Invariant):
    def holds(self) -> bool:
        return self.n % 2 == 0


class Counter(Model):
    """Counts to two."""

    n = var(Int(0, 9), 0)

    @rule
    def limit(self):
        return 2

    @action
    def up(self):
        require(self.n < self.limit())
        self.n += STEP

    properties = [Small]
    expect = holds()


class Higher(Counter):
    """EDIT: counts to five."""

    @rule
    def limit(self):
        return 5

    expect = violates(Small)


class Other(Model):
    """Nothing to do with it."""

    n = var(Int(0, 9), 0)

    @action
    def up(self):
        require(self.n == 0)
        self.n += 2

    properties = [Even]
    expect = holds()
'''
USER = (
    "from models.counter import Counter\nfrom checker.language import holds, rule\n\n\nclass Lower(Counter):\n   "
    " @rule\n    def limit(self):\n        return 1\n\n    expect = holds()\n"
)


def git(*arguments: str) -> None:
    """A git command that must succeed."""
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], check=True, capture_output=True)


@pytest.fixture
def repository(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with two model files, committed."""
    (here / "counting.py").write_text(BASE, encoding="utf-8")
    (here / "lower.py").write_text(USER.replace("models.counter", "counting"), encoding="utf-8")
    monkeypatch.syspath_prepend(str(here))  # counting is imported from here, not from the directory of the test before
    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-q", "-m", "start")
    return here


@pytest.fixture
def since(checker: Any, repository: Path) -> Any:
    """What `verify --since` checks after a change of the file counting.py, with the reasons."""

    def execute(old: str = "", new: str = "", revision: str = "HEAD") -> dict[str, str]:
        text = (repository / "counting.py").read_text(encoding="utf-8")
        assert old in text
        (repository / "counting.py").write_text(text.replace(old, new, 1) if old else text, encoding="utf-8")
        for name in [n for n in sys.modules if n.startswith(("model_counting", "model_lower", "counting"))]:
            del sys.modules[name]
        ran = checker("verify", "counting.py", "lower.py", "--since", revision, "--json", "result.json")
        assert ran.code in (0, 1, 3), ran.err
        reasons = [line.split(": ", 1) for line in ran.out.splitlines() if line.endswith("has changed")]
        return {name: reason for names, reason in reasons for name in names.split(", ")}

    return execute


def test_nothing_changed_checks_nothing(since: Any) -> None:
    """Not even a comment, a docstring or the order of blank lines counts."""
    assert since("Counts to two.", "Counts up to two.") == {}
    assert since("    n = var", "    # a comment\n    n = var") == {}


def test_an_edit_touches_itself_only(since: Any) -> None:
    """Higher has no descendants."""
    assert since("return 5", "return 4") == {"counting.py:Higher": "it has changed"}


def test_a_base_touches_all_that_derive_from_it_in_any_file(since: Any) -> None:
    """Counter is the base of Higher, and of Lower in another file."""
    told = since("return 2", "return 1")
    assert set(told) == {"counting.py", "counting.py:Higher", "lower.py"}
    assert told["lower.py"] == "Counter (counting.py) has changed"


def test_a_property_touches_the_models_that_list_it(since: Any) -> None:
    """Even is a property of Other only."""
    assert since("self.n % 2 == 0", "self.n % 2 != 1") == {"counting.py:Other": "Even (counting.py) has changed"}


def test_a_constant_of_the_module_touches_all_who_use_the_module(since: Any) -> None:
    """STEP may be used anywhere."""
    assert set(since("STEP = 1", "STEP = 2")) == {"counting.py", "counting.py:Higher", "counting.py:Other", "lower.py"}


def test_a_new_import_alone_touches_nothing_but_one_that_shadows_does(since: Any) -> None:
    """What uses a new name has changed itself; `len` was a name before."""
    assert since("STEP = 1", "import math\n\nSTEP = 1") == {}
    assert set(since("import math", "from math import floor as len")) >= {"counting.py", "lower.py"}


def test_a_file_that_git_does_not_know_is_new(since: Any, repository: Path, checker: Any) -> None:
    """An untracked model is checked."""
    (repository / "fresh.py").write_text(BASE, encoding="utf-8")
    ran = checker("verify", "fresh.py", "--since", "HEAD")
    assert "fresh.py, fresh.py:Higher, fresh.py:Other: it is new" in ran.out


def test_changes_of_the_other_branch_do_not_count(since: Any, repository: Path) -> None:
    """Compared is with where the branch left main, not with main as it is now."""
    git("checkout", "-q", "-b", "feature")
    git("commit", "-q", "--allow-empty", "-m", "on the branch")
    git("checkout", "-q", "main")
    (repository / "lower.py").write_text(
        (repository / "lower.py").read_text().replace("return 1", "return 0"), encoding="utf-8"
    )
    git("commit", "-q", "-a", "-m", "meanwhile")
    git("checkout", "-q", "feature")
    assert since(revision="main") == {}


def test_a_revision_that_is_not_there_is_an_error_of_the_command(checker: Any, repository: Path) -> None:
    """A shallow clone is the usual reason, and the message says so."""
    ran = checker("verify", "counting.py", "--since", "origin/main")
    assert ran.code == 2 and "there is no revision origin/main" in ran.err and "fetch-depth" in ran.err


def test_removed_expectations_are_named(checker: Any, repository: Path) -> None:
    """Of a class, of a class that is gone, of a file that is gone; a file that moved keeps its expectation."""
    text = BASE.replace("    expect = violates(Small)\n", "", 1)
    (repository / "counting.py").write_text(text[: text.index("class Other")], encoding="utf-8")
    ran = checker("verify", "counting.py", "--since", "HEAD", "--comment", "c.md")
    assert "expectations removed: Higher (counting.py), Other (counting.py)\n" in ran.out, ran.err
    comment = Path("c.md").read_text(encoding="utf-8")
    assert "2 removed" in comment.splitlines()[1]
    assert "Expectations removed: Higher (counting.py), Other (counting.py)." in comment
    assert ran.code == 3 and "Exit code 3, unless `--allow-removed` accepts that." in comment
    files = ("--json", "o.json", "--lines", "l.txt", "--junit", "j.xml")
    ran = checker("verify", "counting.py", "--since", "HEAD", *files)
    data = json.loads(Path("o.json").read_text(encoding="utf-8"))
    assert ran.code == data["exit_code"] == 3 and not data["met"]
    assert data["removed"] == [{"name": name, "file": "counting.py", "what": ""} for name in ("Higher", "Other")]
    assert "nothing is expected any more of Higher (counting.py), Other (counting.py) (--allow-removed" in ran.out
    wrong = "counting.py:1: error: expectation: the expectation of Higher was removed; --allow-removed accepts that"
    assert Path("l.txt").read_text(encoding="utf-8").startswith(wrong)
    assert 'errors="2"' in Path("j.xml").read_text(encoding="utf-8").splitlines()[1]
    ran = checker("verify", "counting.py", "--since", "HEAD", "--allow-removed", "--comment", "c.md", *files)
    assert ran.code == 0 and json.loads(Path("o.json").read_text(encoding="utf-8"))["removed"] == []
    assert "Exit code" not in Path("c.md").read_text(encoding="utf-8") and "nothing is expected" not in ran.out
    git("checkout", "-q", "counting.py")
    git("mv", "counting.py", "moved.py")
    git("rm", "-q", "lower.py")
    ran = checker("verify", "moved.py", "--since", "HEAD")
    assert ran.code == 0 and "removed" not in ran.out, ran.err  # lower.py is not asked about
    for names in ((), ("../" + repository.name,), ("*.py",)):
        assert checker("verify", *names, "--since", "HEAD").code == 3


def test_a_renamed_class_keeps_its_expectation(checker: Any, repository: Path) -> None:
    """It is not removed under its former name."""
    text = BASE.replace("class Other", "class Another").replace("Other", "Another")
    (repository / "counting.py").write_text(text, encoding="utf-8")
    ran = checker("verify", "counting.py", "--since", "HEAD")
    assert ran.code == 0 and "removed" not in ran.out, ran.out
    ran = checker("verify", "counting.py", "--allow-removed")
    assert ran.code == 2 and "Add --since REVISION." in ran.err


def test_a_model_that_git_does_not_follow_here_is_checked(
    checker: Any, repository: Path, tmp_path_factory: Any
) -> None:
    """One outside of the repository, and one that is ignored; what git follows is not."""
    outside = tmp_path_factory.mktemp("outside") / "apart.py"
    for file in (outside, repository / "ignored.py"):
        file.write_text(BASE.replace("n < 3", "n < 2").replace("n % 2", "n % 3"), encoding="utf-8")
    (repository / ".gitignore").write_text("ignored.py\n", encoding="utf-8")
    for name in (str(outside), "ignored.py"):
        ran = checker("verify", name, "--since", "HEAD")
        assert ran.code == 1 and "which git does not follow here, may have changed" in ran.out, ran.out + ran.err
    ran = checker("verify", "counting.py", "--since", "HEAD")
    assert ran.code == 0 and "3 expectations are not touched" in ran.out


def test_a_submodule_at_another_commit_touches_its_models(
    checker: Any, repository: Path, tmp_path_factory: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before, and while it is at the same commit, none of them is."""
    parts = tmp_path_factory.mktemp("parts")
    with monkeypatch.context() as there:
        there.chdir(parts)
        (parts / "apart.py").write_text(BASE, encoding="utf-8")
        git("init", "-q", "-b", "main")
        git("add", ".")
        git("commit", "-q", "-m", "start")
    git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(parts), "vendor")
    git("commit", "-q", "-m", "with a submodule")
    left = repository / "vendor" / "__pycache__" / "apart.pyc"
    left.parent.mkdir(exist_ok=True)
    left.touch()
    ran = checker("verify", "vendor/apart.py", "--since", "HEAD")
    assert ran.code == 0 and "3 expectations are not touched" in ran.out, ran.out + ran.err
    (repository / "vendor" / "further.py").touch()
    assert "vendor has changed" in checker("verify", "vendor/apart.py", "--since", "HEAD").out
    (repository / "vendor" / "further.py").unlink()
    with monkeypatch.context() as there:
        there.chdir(repository / "vendor")
        (repository / "vendor" / "apart.py").write_text(BASE.replace("return 2", "return 4"), encoding="utf-8")
        git("commit", "-q", "-a", "-m", "bump")
    git("commit", "-q", "-a", "-m", "bump")
    ran = checker("verify", "vendor/apart.py", "--since", "HEAD~1")
    assert "vendor has changed" in ran.out and "0 expectations are not touched" in ran.out, ran.out + ran.err


LIMITED = '''"""Counts up to a limit of another file."""
from checker.language import Int, Model, action, holds, invariant, require, var
{imported}

MOST = {limit}


class Limited(Model):
    n = var(Int(0, 9), 0)

    @action
    def up(self):
        require(self.n < MOST)
        self.n += 1

    @invariant
    def small(self):
        return self.n <= 2

    expect = holds()
'''
IMPORTED = [
    ("from shared_limits import LIMIT", "LIMIT"),
    ("from shared_limits import LIMIT as L", "L"),
    ("from shared_limits import *", "LIMIT"),
    ("import shared_limits", "shared_limits.LIMIT"),
    ("from .shared_limits import LIMIT", "LIMIT"),
    ("from . import shared_limits", "shared_limits.LIMIT"),
    ("from protocols.shared_limits import LIMIT", "LIMIT"),
    ("import protocols.shared_limits", "protocols.shared_limits.LIMIT"),
    ("try:\n    from shared_limits import LIMIT\nexcept ImportError:\n    LIMIT = 0", "LIMIT"),
    ("from shared_further import FURTHER", "FURTHER"),
    ("from shared_further import PAIR", "PAIR[1]"),
]


def forget() -> None:
    """Let the files be read again, as in a new process."""
    for name in [n for n in sys.modules if n.startswith(("protocols", "shared_", "model_limited"))]:
        del sys.modules[name]


@pytest.mark.parametrize(("imported", "limit"), IMPORTED, ids=[imported.replace("\n", " ") for imported, _ in IMPORTED])
def test_a_value_of_a_file_without_a_model_touches_who_imports_it(
    imported: str, limit: str, here: Path, checker: Any
) -> None:
    """A number knows no module, so import statements are followed, through other such files too."""
    forget()
    folder = here / "protocols"
    folder.mkdir()
    if "protocols" in imported or "from ." in imported:
        (folder / "__init__.py").write_text("")
    (folder / "limited.py").write_text(LIMITED.format(imported=imported, limit=limit), encoding="utf-8")
    (folder / "shared_limits.py").write_text("LIMIT = 2\n", encoding="utf-8")
    further = "from shared_limits import LIMIT\n\nFURTHER = LIMIT\nPAIR = (0, LIMIT)\n"
    (folder / "shared_further.py").write_text(further, encoding="utf-8")
    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-q", "-m", "start")
    assert checker("verify", "protocols/limited.py", "--since", "HEAD").out.startswith("1 expectation is not touched")
    (folder / "shared_limits.py").write_text("LIMIT = 5\n", encoding="utf-8")
    told = checker("verify", "protocols/limited.py", "--since", "HEAD").out.splitlines()[0]
    assert told == "protocols/limited.py: protocols/shared_limits.py has changed"


def test_a_value_of_a_package_touches_who_imports_it_from_there(here: Path, checker: Any) -> None:
    """`from . import NAME` names no module: the value stands in the `__init__.py` of the package."""
    forget()
    package = here / "protocols" / "shared_package"
    package.mkdir(parents=True)
    text = LIMITED.format(imported="from shared_package.inner import LIMIT", limit="LIMIT")
    (here / "protocols" / "limited.py").write_text(text, encoding="utf-8")
    (package / "inner.py").write_text("from . import LIMIT\n", encoding="utf-8")
    (package / "__init__.py").write_text("LIMIT = 2\n", encoding="utf-8")
    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-q", "-m", "start")
    (package / "__init__.py").write_text("LIMIT = 5\n", encoding="utf-8")
    ran = checker("verify", "protocols/limited.py", "--since", "HEAD")
    assert ran.out.startswith("protocols/limited.py: protocols/shared_package/__init__.py has changed")
    assert ran.code == 1


def test_a_repository_of_another_user_is_named_as_what_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container of a build server: git refuses to read it, and says which command allows it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    subprocess.run(["git", "init", "-q"], check=True)
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(UsageError, match="detected dubious ownership") as refused:
        Change.since("HEAD")
    assert f"git config --global --add safe.directory {tmp_path}" in str(refused.value.remedy)


def test_of_what_nothing_reaches_no_part_is_computed(
    repository: Path, checker: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that has nothing to verify costs as little as it can."""
    asked: list[type] = []
    parts = Change.parts
    monkeypatch.setattr(Change, "parts", lambda change, cls: asked.append(cls) or parts(change, cls))
    assert checker("verify", ".", "--since", "HEAD").code == 0
    assert asked == []
