"""The action for GitHub, the job for GitLab and the hook of docs/ci.md, as the maintainer of a build meets them: a
repository with models of its own, an edit of a rule on a branch.

The shell steps are taken from the files and run by bash, without a network: the checker is there, and the programs that
speak to the host are stand-ins that note what they are asked.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from xml.etree import ElementTree as xml

import pytest

from checker.cli.failed import NOT_FINISHED

ROOT = Path(__file__).resolve().parents[2]
ACTION = ROOT / ".ci" / "action" / "action.yml"
GITLAB = ROOT / ".ci" / "gitlab.yml"
COUNTER = (ROOT / "docs" / "examples" / "counter.py").read_text(encoding="utf-8")
LOCK = (ROOT / "docs" / "examples" / "lock.py").read_text(encoding="utf-8")
NOTES = """#!/bin/sh
for word; do
    case "$word" in body=@* | body@*) cat "${word#*@}" > "$NOTED.body" ;; esac
done
echo "$(basename "$0") $*" >> "$NOTED"
case "$*" in
    "api user"* | */user) cat "$ANSWER.user" 2> /dev/null; exit ;;
    *page=2*) cat "$ANSWER.2" 2> /dev/null || echo "[]" ;;
    *) cat "$ANSWER" 2> /dev/null || true ;;
esac
"""


def blocks(file: Path) -> list[str]:
    """The shell of a YAML file: each block scalar below `run:`, and each item of a list of scripts, in order."""
    lines, found = file.read_text(encoding="utf-8").splitlines(), []
    for number, line in enumerate(lines):
        if re.match(r"\s*(run:|-) \|$", line):
            margin = len(lines[number + 1]) - len(lines[number + 1].lstrip())
            inside = []
            for text in lines[number + 1 :]:
                if text.strip() and len(text) - len(text.lstrip()) < margin:
                    break
                inside.append(text[margin:])
            found.append("\n".join(inside))
    return found


class Repository:
    """A scratch repository with two models, the rule of one of them edited on a branch, and what steps run with."""

    def __init__(self, directory: Path) -> None:
        self.path, self.noted = directory / "repository", directory / "noted"
        tools = directory / "tools"
        (self.path / "protocols").mkdir(parents=True)
        tools.mkdir()
        self._tool(tools / "checker", f'#!/bin/sh\nexec {sys.executable} -m checker "$@"\n')
        for name in ("gh", "curl"):
            self._tool(tools / name, NOTES)
        self.environment = {
            **os.environ,
            "PATH": f"{tools}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "NOTED": str(self.noted),
            "ANSWER": str(directory / "answer"),
            "GITHUB_OUTPUT": str(directory / "output"),
            "GITHUB_STEP_SUMMARY": str(directory / "summary"),
            "COLUMNS": "80",
        }
        (self.path / "protocols" / "counter.py").write_text(COUNTER, encoding="utf-8")
        (self.path / "protocols" / "lock.py").write_text(LOCK, encoding="utf-8")
        self.git("init", "-q", "-b", "main")
        self.commit("models")
        self.git("checkout", "-q", "-b", "edit")

    @staticmethod
    def _tool(file: Path, text: str) -> None:
        file.write_text(text, encoding="utf-8")
        file.chmod(0o755)

    def git(self, *arguments: str) -> str:
        """What git says."""
        who = ["-c", "user.name=a", "-c", "user.email=a@b"]
        command = ["git", *who, *arguments]
        return subprocess.run(command, cwd=self.path, check=True, capture_output=True, text=True).stdout

    def commit(self, message: str) -> None:
        """All that is there."""
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def edit(self, file: str, before: str, after: str) -> int:
        """Change a text of a model and commit; the line of it."""
        path = self.path / "protocols" / file
        text = path.read_text(encoding="utf-8")
        assert text.count(before) == 1
        path.write_text(text.replace(before, after), encoding="utf-8")
        self.commit("edit")
        return text[: text.index(before)].count("\n") + 1

    def run(self, shell: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """A step, as the host runs it."""
        bash = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", shell]
        return subprocess.run(
            bash, cwd=self.path, env=self.environment | environment, capture_output=True, text=True, check=False
        )

    def report(self, name: str) -> str:
        """The text of a report."""
        return (self.path / "checker-report" / name).read_text(encoding="utf-8")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A scratch repository on its branch."""
    return Repository(tmp_path)


GUARD = "if self.number == self.seen[w]:"
RIGHT = f"{GUARD}\n            self.number += 1"
WRONG = "if self.number >= 0:\n            self.number = self.seen[w] + 1"


def test_a_pull_request_gets_one_comment_and_the_line_of_the_change(repository: Repository, tmp_path: Path) -> None:
    """A rule of one of two models is edited: only its expectations are verified; comment, SARIF, JUnit and pictures are
    about the edited line; the comment before is replaced."""
    line = repository.edit("counter.py", RIGHT, WRONG)
    install, verify, comment = blocks(ACTION)
    found = repository.run(install, CHECKER="", SOURCE="nowhere")
    assert found.returncode == 0, found.stderr
    assert re.fullmatch(r"key=checker-[\d.]+-\w+-[0-9a-f]{12}\n", (tmp_path / "output").read_text())
    link = "https://host/run/1"
    found = repository.run(verify, MODELS="protocols/counter.py protocols/lock.py", OPTIONS="", SINCE="main", LINK=link)
    assert found.returncode == 1 and "exit-code=1" in (tmp_path / "output").read_text(), found.stderr

    text = repository.report("comment.md")
    assert text.startswith("<!-- checker: what this change does -->") and len(text) < 10_000
    place = f"`protocols/counter.py:{line}`"
    assert f"**action write of CompareAndSet** ({place}) changed: 1 expectation fails" in text
    assert "```mermaid" in text and f"[The full report]({link})" in text and "(CAUSE)" in text
    assert "lock.py" not in text and "CompareAndSet: write" not in text
    assert (tmp_path / "summary").read_text() == text

    (result,) = json.loads(repository.report("result.sarif"))["runs"][0]["results"]
    (place,) = (found["physicalLocation"] for found in result["locations"])
    assert place["artifactLocation"] == {"uri": "protocols/counter.py", "uriBaseId": "%SRCROOT%"}
    assert place["region"] == {"startLine": line}  # of the action the line that differs: hosts show no other
    suites = xml.fromstring(repository.report("junit.xml"))
    assert {case.get("classname") for case in suites.iter("testcase")} == {"protocols/counter.py:CompareAndSet"}
    assert all(not (case.get("file") or "").startswith("/") for case in suites.iter("testcase"))
    assert sum(float(str(case.get("time"))) for case in suites.iter("testcase")) > 0
    (failure,) = suites.iter("failure")
    again = "picture: checker verify protocols/counter.py:CompareAndSet --since main --out report"
    assert again in str(failure.text)
    assert [f.parent.name for f in repository.path.glob("checker-report/*/trace.html")] == [
        "counter-CompareAndSet-nothing_is_lost"
    ]

    (tmp_path / "answer").write_text("17\n")
    found = repository.run(comment, GH_TOKEN="t", REPOSITORY="o/r", NUMBER="3", LINK=link)
    assert found.returncode == 0, found.stderr
    asked = repository.noted.read_text()
    assert "PATCH repos/o/r/issues/comments/17" in asked and "POST" not in asked
    assert 'select(.user.type == "Bot" and (.body | startswith("<!-- checker' in asked
    assert Path(f"{repository.noted}.body").read_text() == text


def test_another_program_of_the_name_is_not_the_checker(repository: Repository, tmp_path: Path) -> None:
    """One that prints a line and ends well would make each build green; what is asked for is installed although a
    checker is there."""
    tools = tmp_path / "tools"
    for pip in ("pip", "python3"):
        repository._tool(tools / pip, f'#!/bin/sh\necho "$@" >> {tmp_path}/installed\n')
    install, verify, _ = blocks(ACTION)
    before = blocks(GITLAB)[0]
    assert repository.run(install, CHECKER="this==1", SOURCE="here").returncode == 0
    assert repository.run(before, CHECKER="that==1").returncode == 0
    assert repository.run(install, CHECKER="", SOURCE="here").returncode == 0
    assert repository.run(before, CHECKER="").returncode == 0
    assert [line.split()[-1] for line in (tmp_path / "installed").read_text().splitlines()] == ["this==1", "that==1"]
    repository._tool(tools / "checker", "#!/bin/sh\necho all good\n")
    for step in (install, before):
        found = repository.run(step, CHECKER="", SOURCE="here")
        assert found.returncode == 2 and "checker" in found.stderr
    ends = "#!/bin/sh\nmkdir -p checker-report\necho '" + NOT_FINISHED + "' > checker-report/junit.xml\n"
    for program in (None, ends):  # the second is ended in the middle, by a model that calls exit(0)
        if program:
            repository._tool(tools / "checker", program)
        for step in (verify, f"mkdir -p checker-report\n{blocks(GITLAB)[1]}"):
            found = repository.run(step, MODELS="protocols", OPTIONS="", SINCE="", LINK="")
            assert found.returncode == 70 and "no results" in found.stderr


def test_the_first_comment_is_a_new_one(repository: Repository) -> None:
    """And what changes nothing of a model is said in one line."""
    repository.edit("counter.py", GUARD, f"{GUARD}  # compare")
    _, verify, comment = blocks(ACTION)
    found = repository.run(verify, MODELS="./protocols", OPTIONS="", SINCE="main", LINK="https://host/run/1")
    assert found.returncode == 0, found.stderr
    assert "no expectation is touched" in repository.report("comment.md")
    found = repository.run(comment, GH_TOKEN="t", REPOSITORY="o/r", NUMBER="3")
    asked = repository.noted.read_text()
    assert found.returncode == 0 and "POST repos/o/r/issues/3/comments" in asked and "PATCH" not in asked


def test_a_deleted_model_is_not_green_unless_that_is_allowed(repository: Repository) -> None:
    """In the action and in the job; another value than the two is refused."""
    (repository.path / "protocols" / "lock.py").unlink()
    repository.commit("no lock")
    verify, script = blocks(ACTION)[1], f"mkdir -p checker-report\n{blocks(GITLAB)[1]}"
    base = repository.git("rev-parse", "main").strip()
    of_host = {"SINCE": "main", "CI_MERGE_REQUEST_DIFF_BASE_SHA": base, "LINK": "l", "CI_JOB_URL": "l"}
    for step, removed, code in ((verify, "fail", 3), (verify, "allow", 0), (script, "allow", 0), (script, "maybe", 2)):
        found = repository.run(step, MODELS="protocols", OPTIONS="", REMOVED=removed, **of_host)
        assert found.returncode == code, found.stdout + found.stderr
        if code != 2:
            comment = repository.report("comment.md")
            assert "Lock (protocols/lock.py)" in comment and ("Exit code 3" in comment) == (removed == "fail")
    assert "neither fail nor allow" in found.stderr


def test_a_model_with_an_error_gets_a_comment_that_says_so(repository: Repository) -> None:
    """Else the comment of the commit before, that all is as stated, would stay; both hosts post it after a failure."""
    line = repository.edit("counter.py", GUARD, f"{GUARD[:-1]} ==")
    _, verify, comment = blocks(ACTION)
    found = repository.run(verify, MODELS="protocols/counter.py", OPTIONS="", SINCE="main", LINK="https://host/run/1")
    assert found.returncode == 2, found.stderr
    text = repository.report("comment.md")
    assert "### checker: not verified" in text and f"protocols/counter.py:{line}" in text and "host/run/1" in text
    assert repository.run(comment, GH_TOKEN="t", REPOSITORY="o/r", NUMBER="3", LINK="l").returncode == 0
    assert "POST repos/o/r/issues/3/comments" in repository.noted.read_text()
    assert Path(f"{repository.noted}.body").read_text() == text
    condition = ACTION.read_text(encoding="utf-8").partition("- name: One comment")[2].partition("shell:")[0]
    assert "if: ${{ always() &&" in condition  # a job that exceeds its time is cancelled, and the comment is replaced
    assert "after_script:" in GITLAB.read_text(encoding="utf-8")


def test_a_run_without_any_result_replaces_the_comment(repository: Repository, tmp_path: Path) -> None:
    """The checker was not installed, or killed; a person's token replaces comments of this person only."""
    comment = blocks(ACTION)[2]
    (tmp_path / "answer.user").write_text("ann\n")
    (tmp_path / "answer").write_text("17\n")
    found = repository.run(comment, GH_TOKEN="t", REPOSITORY="o/r", NUMBER="3", LINK="https://host/run/1")
    assert found.returncode == 0, found.stderr
    asked = repository.noted.read_text()
    assert 'select(.user.login == "ann" and' in asked and "comments/17" in asked
    text = Path(f"{repository.noted}.body").read_text()
    assert text.startswith("<!-- checker: what this change does -->\n") and "ended without a result" in text


def test_the_default_branch_verifies_everything_and_writes_no_comment(repository: Repository, tmp_path: Path) -> None:
    """The models are those of [tool.checker], and the kernels stay in the folder that is cached."""
    (repository.path / "pyproject.toml").write_text('[tool.checker]\nmodels = ["protocols/counter.py"]\n')
    _, verify, comment = blocks(ACTION)
    found = repository.run(verify, MODELS="", OPTIONS="", SINCE="", LINK="")
    assert found.returncode == 0, found.stderr
    assert "all 2 expectations met" in found.stdout and not (repository.path / "checker-report/comment.md").exists()
    assert "all as expected" in (tmp_path / "summary").read_text()
    assert list(repository.path.glob(".cache/checker/code/*.o"))
    assert list(repository.path.glob("checker-report/*/")) == []  # an expected violation is no news
    assert repository.run(comment).returncode == 0 and not repository.noted.exists()


def test_a_merge_request_of_gitlab_gets_its_comment(repository: Repository, tmp_path: Path) -> None:
    """The same comment, replaced where there is one; the cases of JUnit are what GitLab shows."""
    line = repository.edit("counter.py", RIGHT, WRONG)
    _, script, after = blocks(GITLAB)
    given = {"MODELS": "protocols/counter.py", "OPTIONS": "", "CI_JOB_URL": "https://host/job/5"}
    found = repository.run(
        f"mkdir -p checker-report\n{script}",
        **given,
        CI_MERGE_REQUEST_DIFF_BASE_SHA=repository.git("rev-parse", "main").strip(),
    )
    assert found.returncode == 1, found.stderr
    text = repository.report("comment.md")
    assert "https://host/job/5/artifacts/browse/checker-report" in text
    assert [s.get("failures") for s in xml.fromstring(repository.report("junit.xml"))] == ["1"]
    (issue,) = json.loads(repository.report("quality.json"))
    assert issue["location"] == {"path": "protocols/counter.py", "lines": {"begin": line}}
    assert "codequality: checker-report/quality.json" in GITLAB.read_text(encoding="utf-8")
    stranger, own = {"author": {"id": 5}}, {"author": {"id": 8}}
    (tmp_path / "answer").write_text(json.dumps([{"id": 3, "body": text} | stranger, {"id": 4, "body": "other"} | own]))
    (tmp_path / "answer.2").write_text(json.dumps([{"id": 9, "body": text} | own]))
    (tmp_path / "answer.user").write_text(json.dumps({"id": 8}))
    host = {
        "CI_API_V4_URL": "https://host/api",
        "CI_PROJECT_ID": "2",
        "CI_MERGE_REQUEST_IID": "7",
        "COMMENT_TOKEN": "t",
    }
    found = repository.run(after, **host)
    assert found.returncode == 0, found.stderr
    assert "-X PUT" in repository.noted.read_text() and "merge_requests/7/notes/9" in repository.noted.read_text()
    assert Path(f"{repository.noted}.body").read_text() == text


def test_the_hook_of_the_page_refuses_a_commit_that_contradicts_an_expectation(repository: Repository) -> None:
    """`pre-commit` runs the entry of a local hook; it is run here as it stands on the page."""
    page = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    (entry,) = re.findall(r"^ +entry: (.*)$", page, re.MULTILINE)
    (repository.path / "pyproject.toml").write_text('[tool.checker]\nmodels = ["protocols/counter.py"]\n')
    assert repository.run(entry).returncode == 0
    text = (repository.path / "protocols" / "counter.py").read_text().replace(RIGHT, WRONG)
    (repository.path / "protocols" / "counter.py").write_text(text)
    found = repository.run(entry)
    assert found.returncode == 1 and "DIFFERS" in found.stdout


def test_the_hook_refuses_a_commit_that_deletes_what_a_model_imports(repository: Repository) -> None:
    """Nothing but a deletion is staged."""
    page = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    (entry,) = re.findall(r"^ +entry: (.*)$", page, re.MULTILINE)
    model = repository.path / "protocols" / "counter.py"
    model.write_text(f"import beside\n{model.read_text()}")
    (repository.path / "protocols" / "beside.py").write_text("ONE = 1\n")
    assert repository.run("git add -A && git commit -qm beside && git rm -q protocols/beside.py").returncode == 0
    found = repository.run(entry)
    assert found.returncode == 2 and "beside" in found.stdout + found.stderr


def test_the_hook_that_other_repositories_name_runs_the_same() -> None:
    """What pre-commit asks of a hook is there, and the command is one that an installation has."""
    page, hooks = ((ROOT / name).read_text(encoding="utf-8") for name in ("docs/ci.md", ".pre-commit-hooks.yaml"))
    hook = dict(re.findall(r"^(?:- |  )(\w+): (.*)$", hooks, re.MULTILINE))
    assert {"id", "name", "entry", "language"} <= set(hook) and hook["language"] == "python"
    for text in (page, hooks):  # pre-commit has no file for a commit that only deletes, and would skip the hook
        assert "types:" not in text and re.findall(r"^ +always_run: (\w+)", text, re.MULTILINE) == ["true"]
    assert re.findall(r"^ +entry: (.*)$", page, re.MULTILINE) == [hook["entry"]]
    assert re.findall(r"^      - id: (\w+)$", page, re.MULTILINE) == [hook["id"]] * 2
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    assert hook["entry"].split()[0] in scripts


def test_every_step_says_how_it_is_run() -> None:
    """A composite action needs `shell` beside each `run`; what steps are given is declared as input."""
    text = ACTION.read_text(encoding="utf-8")
    assert len(blocks(ACTION)) == text.count("shell: bash") == 3 and len(blocks(GITLAB)) == 3
    declared = set(re.findall(r"^  ([\w-]+):$", text.partition("outputs:")[0], re.MULTILINE))
    assert (
        set(re.findall(r"inputs\.([\w-]+)", text)) == declared == {"models", "options", "removed", "checker", "token"}
    )
    restored, saved = (
        text.partition(f"actions/cache/{what}@v4")[2].partition("- name:")[0] for what in ("restore", "save")
    )
    for line in ("path: .cache/checker\n", "key: ${{ steps.install.outputs.key }}-${{ github.sha }}-"):
        assert line in restored and line in saved  # saved by a step of its own: the other way saves after success alone
