"""A property of one revision sees the enumerations of the revision of which it is asked."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.commands import Ran

MODEL = '''
from enum import Enum

from checker.language import Invariant, Model, action, holds, invariant, require, rule, var


class Status(Enum):
    waiting = 1
    done = 2
    failed = 3


LIMIT = 1


class Known(Invariant):
    """A job has a status, counted once."""

    def holds(self) -> bool:
        return self.small(self.status) and self.number(self.status) == 1

    def small(self, status):
        return status != Status.failed or LIMIT > 5

    def number(self, status):
        return 1 if status in {Status.waiting, Status.done, Status.failed} else 0


class Job(Model):
    """A job."""

    status = var(Status, Status.waiting)

    @rule
    def may(self) -> bool:
        return self.status == Status.waiting

    @action
    def finish(self) -> None:
        require(self.may())
        self.status = Status.done

    @invariant
    def fine(self) -> bool:
        return self.status != Status.failed

    properties = [Known]
    expect = holds()
'''


@pytest.fixture
def job(here: Path) -> Path:
    """A repository with one model."""
    file = Path("job.py")
    file.write_text(MODEL, encoding="utf-8")
    for command in ("init -q -b main", "add .", "-c user.name=a -c user.email=a@b commit -qm start"):
        subprocess.run(["git", *command.split()], check=True)
    return file


CHANGES = {
    "a helper of the property": (
        "{Status.waiting, Status.done, Status.failed}",
        "{Status.failed, Status.waiting, Status.done}",
    ),
    "a value that a helper reads": ("LIMIT = 1", "LIMIT = 3"),
    "the property": ("self.number(self.status) == 1", "self.number(self.status) > 0"),
    "a property that is a method": ("return self.status != Status.failed", "return not self.status == Status.failed"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_rewritten_property_says_what_it_said(job: Path, checker: Callable[..., Ran], what: str) -> None:
    """No verdict differs, and nothing is reported as an error of the checker."""
    old, new = CHANGES[what]
    assert MODEL.count(old) == 1
    job.write_text(MODEL.replace(old, new), encoding="utf-8")
    ran = checker("verify", "job.py", "--since", "HEAD")
    assert ran.code == 0 and "1 expectation met" in ran.out, ran.out + ran.err
    compared = checker("compare", "job.py", "--against", "HEAD")
    assert compared.code == 0 and "NO DIFFERENCE" in compared.out, compared.out + compared.err


def test_a_weakened_property_is_found_where_its_rule_is_broken(job: Path, checker: Callable[..., Ran]) -> None:
    """The former property is violated, so that less is stated: exit code 3."""
    text = MODEL.replace("self.status = Status.done", "self.status = Status.failed").replace("LIMIT = 1", "LIMIT = 9")
    job.write_text(
        text.replace("self.status != Status.failed", "self.status in {Status.done, Status.failed, Status.waiting}"),
        encoding="utf-8",
    )
    ran = checker("verify", "job.py", "--since", "HEAD")
    assert ran.code == 3 and "fine" in ran.out, ran.out + ran.err


def test_an_overriding_property_without_its_decorator_says_what_it_said(job: Path, checker: Callable[..., Ran]) -> None:
    """It has the decorator of the property that it overrides."""
    strict = """

class Strict(Job):
    \"\"\"EDIT: nothing fails.\"\"\"

    def fine(self) -> bool:
        return self.status in {Status.waiting, Status.done}

    expect = holds()
"""
    job.write_text(MODEL + strict, encoding="utf-8")
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qam", "more"], check=True)
    turned = strict.replace("{Status.waiting, Status.done}", "{Status.done, Status.waiting}")
    job.write_text(MODEL + turned, encoding="utf-8")
    ran = checker("verify", "job.py", "--since", "HEAD")
    assert ran.code == 0 and "1 expectation met" in ran.out, ran.out + ran.err
    weakened = turned.replace("Status.waiting}", "Status.waiting, Status.failed}")
    job.write_text(MODEL + weakened.replace("EDIT: nothing", "EDIT: it"), encoding="utf-8")
    compared = checker("compare", "job.py:Strict", "--against", "HEAD")
    assert compared.code == 0 and "held, holds now" in compared.out, compared.out + compared.err


def test_a_member_that_is_gone_does_not_fit(job: Path, checker: Callable[..., Ran]) -> None:
    """The property names it: it is not asked of today's model, which is said."""
    text = MODEL.replace("    failed = 3\n", "").replace(", Status.failed}", "}")
    job.write_text(text.replace("self.status != Status.failed", "self.status == self.status"), encoding="utf-8")
    ran = checker("verify", "job.py", "--since", "HEAD")
    assert ran.code != 70 and "fine" in ran.out, ran.out + ran.err
