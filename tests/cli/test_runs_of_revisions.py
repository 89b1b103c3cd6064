"""Runs of a model as it was at a git revision: `compare --against` stores them, and every command for stored runs
executes them in that model, whatever the file is today."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.commands import Ran

LEASE = '''"""A lease: the server grants it to one client at a time."""

from checker.language import Bool, Distributed, Int, Map, Network, Process, Record, Union
from checker.language import action, holds, invariant, on, require, rule, var


class Lease(Distributed):
    """p1 grants the lease; the other processes are clients."""

    Wire = Union(Ask=Record(), Grant=Record(), Release=Record())
    net = var(Network[Process, Wire])
    asked = var(Map[Process, Bool])
    holding = var(Map[Process, Bool])
    busy = var(Bool)

    @action
    def ask(self, p: Process):
        require(p != self.Process[0] and not self.asked[p])
        self.asked[p] = True
        self.net.send(p, self.Process[0], self.Wire.Ask())

    @on(net, Wire.Ask)
    def serve(self, p, q):
        require(self.free(p))
        self.busy = True
        self.net.send(p, q, self.Wire.Grant())

    @on(net, Wire.Grant)
    def begin(self, p, q):
        self.holding[p] = True

    @rule
    def free(self, p: Process):
        return not self.busy

    @invariant
    def one_holder(self) -> bool:
        return len([p for p in self.Process if self.holding[p]]) <= 1

    expect = holds()
'''
CARELESS = LEASE.replace("return not self.busy", "return True")
STRICTER = LEASE.replace("return not self.busy", "return not self.busy and not self.asked[self.Process[2]]")
BRIEF = ["--events", "0", "--delays", "0", "--here"]
Checker = Callable[..., Ran]


def git(*arguments: str) -> str:
    """A git command in the working directory."""
    words = ["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def repository(here: Path) -> Path:
    """A committed lease in a folder of a repository; today's is stricter."""
    git("init", "-q", "-b", "main")
    file = here / "protocols" / "lease.py"
    file.parent.mkdir()
    file.write_text(LEASE)
    git("add", "-A")
    git("commit", "-q", "-m", "one")
    file.write_text(STRICTER)
    return here


def stored_run(checker: Checker, *arguments: str) -> Path:
    """A run of the revision that only it has, stored by `compare`."""
    checker("compare", "protocols/lease.py", "--against", "HEAD", "--out", "report", *BRIEF, *arguments)
    runs = [p for p in Path("report").glob("*/trace.itf.json") if "revision" in json.loads(p.read_text())["#meta"]]
    assert len(runs) >= 1
    return sorted(runs)[0]


def test_the_printed_command_executes_the_run_in_the_model_of_the_revision(repository: Path, checker: Checker) -> None:
    """Also after the file of today has changed again; no page is left incomplete."""
    run = stored_run(checker)
    meta = json.loads(run.read_text())["#meta"]
    assert meta["revision"] == git("rev-parse", "HEAD") and meta["reference"] == "protocols/lease.py:Lease"
    assert f"replay: checker replay {run}" in (run.parent / "trace.txt").read_text()
    (repository / "protocols" / "lease.py").write_text("this is no model")
    found = checker("replay", str(run))
    assert (found.code, found.err) == (0, "") and found.out.startswith("CONFIRMED")
    assert "of protocols/lease.py at HEAD: " in found.out


def test_every_command_for_stored_runs_takes_it_from_any_folder(
    repository: Path, checker: Checker, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = os.path.relpath(stored_run(checker), "protocols")
    (repository / "protocols" / "lease.py").unlink()
    monkeypatch.chdir(repository)
    assert checker("replay", "protocols/" + run).code == 0
    monkeypatch.chdir(repository / "protocols")
    shown, explained = checker("show", run), checker("explain", run, "--condition", "busy")
    assert shown.code == explained.code == 0
    assert f"revision: {git('rev-parse', 'HEAD')[:12]} of protocols/lease.py" in " ".join(shown.out.split())
    assert "busy is false" in explained.out and "lease.py at HEAD" in explained.out


def test_a_page_of_the_run_has_what_its_model_says(repository: Path, checker: Checker) -> None:
    """`show --out` makes the page again with the steps that were enabled in the model of the revision."""
    run = stored_run(checker)
    (repository / "protocols" / "lease.py").unlink()
    found = checker("show", str(run), "--out", "again")
    assert (found.code, found.err) == (0, "")
    page = next(Path("again").glob("*/trace.html")).read_text()
    assert "ask(p3)" in page and "self.asked[p] = True" in page


def test_names_that_were_replaced_have_the_names_of_the_stored_run(repository: Path, checker: Checker) -> None:
    """The run has today's name of a variable, and is executed with it after today's name has changed again."""
    file = repository / "protocols" / "lease.py"
    file.write_text(STRICTER.replace("busy", "granted"))
    run = stored_run(checker)
    assert json.loads(run.read_text())["#meta"]["renamed"] == [["busy", "granted"]]
    file.write_text(LEASE.replace("busy", "taken"))
    assert checker("replay", str(run)).code == 0


def test_a_file_that_has_moved_is_read_where_it_was(repository: Path, checker: Checker) -> None:
    git("checkout", "-q", ".")
    git("mv", "protocols/lease.py", "protocols/leases.py")
    (repository / "protocols" / "leases.py").write_text(STRICTER)
    checker("compare", "protocols/leases.py", "--against", "HEAD", "--out", "report", *BRIEF)
    runs = [p for p in Path("report").glob("*/trace.itf.json") if "revision" in json.loads(p.read_text())["#meta"]]
    assert runs and all(checker("replay", str(run)).code == 0 for run in runs)


def test_a_revision_that_is_gone_is_named(repository: Path, checker: Checker) -> None:
    """`show` still prints the run."""
    run = stored_run(checker)
    commit = git("rev-parse", "HEAD")
    git("commit", "-q", "--amend", "-m", "another", "--date", "2001-01-01T00:00:00")
    git("reflog", "expire", "--expire=now", "--all")
    git("gc", "-q", "--prune=now")
    found = checker("replay", str(run))
    assert found.code == 2 and f"does not have the revision {commit[:12]} any more" in found.err
    assert "checker show" in found.err and checker("show", str(run)).code == 0


def test_a_commit_of_no_branch_is_not_executed_unasked(repository: Path, checker: Checker) -> None:
    """What was fetched from others is code of others."""
    run = stored_run(checker)
    git("checkout", "-q", "--orphan", "mine")
    git("commit", "-q", "-a", "-m", "mine")
    git("branch", "-q", "-D", "main")
    refused = checker("replay", str(run))
    assert refused.code == 2 and "no branch of this repository has the commit" in refused.err
    assert "git show" in refused.err and f"checker replay --trust {run}" in refused.err
    assert checker("replay", "--trust", str(run)).code == 0


def test_a_damaged_name_of_the_model_is_refused(repository: Path, checker: Checker) -> None:
    """A revision that is no commit with all digits, and files or classes that the revision does not have."""
    run = stored_run(checker)
    document = json.loads(run.read_text())

    def replayed(**meta: object) -> Ran:
        run.write_text(json.dumps(document | {"#meta": document["#meta"] | meta}))
        return checker("replay", str(run))

    for revision in ("HEAD", "--help", "0" * 39, 7):
        found = replayed(revision=revision)
        assert found.code == 2 and "#meta.revision: expected all digits of a git commit" in found.err
    for reference in ("", "lease", "../../lease.py:Lease", "/lease.py:Lease", "protocols/lease.py:Other"):
        found = replayed(reference=reference)
        assert found.code == 2 and found.err.startswith("error: ") and "CHECKER_DEBUG" not in found.err
    assert replayed().code == 0


def test_the_run_of_the_edit_is_one_of_today(repository: Path, checker: Checker) -> None:
    (repository / "protocols" / "lease.py").write_text(CARELESS)
    stored_run(checker)
    broken = Path("report/lease-one_holder/trace.itf.json")
    assert "revision" not in json.loads(broken.read_text())["#meta"]
    assert checker("replay", str(broken)).code == 0
