"""`checker lsp`, spoken to as an editor does: open, save, ask, over its standard streams."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.editor.client import Client

pytest.importorskip("pygls", reason="pip install 'path/to/clone[editor]'")

TICKETS = '''"""Tickets."""

from checker.language import Bool, Ids, Int, Map, Model, action, holds, invariant, require, rule, var, violates


class Tickets(Model):
    """Each customer takes a number and is served when it is its turn."""

    Customer = Ids("c", 2)
    number = var(Map[Customer, Int(0, 3)], 0)
    next = var(Int(1, 3), 1)
    serving = var(Int(1, 3), 1)
    inside = var(Map[Customer, Bool], False)

    expect = holds(distinct=99)

    @rule
    def due(self, c):
        return self.number[c] == self.serving

    @action
    def take(self, c: Customer):
        require(self.number[c] == 0)
        self.number[c] = self.next
        self.next += 1

    @action
    def enter(self, c: Customer):
        require(self.due(c))
        self.inside[c] = True

    @invariant
    def alone(self):
        return not all(self.inside[c] for c in self.Customer)


class Hasty(Tickets):
    """EDIT: served at once."""

    expect = violates("alone", steps=9)

    @rule
    def due(self, c):
        return self.number[c] != 0


class Misspelt(Tickets):
    """EDIT: everybody is due, with \U0001d4ee in its docstring."""

    expect = holds()

    @rule
    def dew(self, c):
        return True


class Same(Tickets):
    """EDIT: nothing."""

    expect = holds()

    def take(self, c):
        require(self.number[c] == 0)
        self.number[c] = self.next
        self.next += 1
'''


@pytest.fixture(scope="module")
def client(tmp_path_factory: Any) -> Iterator[Client]:
    """One server for all tests; it ends as the protocol says."""
    started = Client.start(tmp_path_factory.getbasetemp())
    yield started
    assert started.stop() == 0


@pytest.fixture
def tickets(tmp_path: Path) -> Path:
    """A file with a wrong count, a wrong number of steps, a misspelt rule and an edit that edits nothing."""
    file = tmp_path / "tickets.py"
    file.write_text(TICKETS, encoding="utf-8")
    return file


def line_of(text: str, words: str) -> int:
    """The line that has these words, from 0."""
    return next(n for n, line in enumerate(text.splitlines()) if words in line)


def test_what_is_wrong_stands_at_its_line_and_goes_away_when_it_is_mended(client: Client, tickets: Path) -> None:
    """The four mistakes, each with the one edit that mends it; after all four nothing is wrong."""
    found = client.open(tickets)
    expected = [
        ("holds(distinct=99)", 1, "distinct should be 99, but is 9"),
        ("steps=9", 1, "the shortest counterexample should have 9 steps, but has 4"),
        ("def dew", 2, "dew overrides nothing and nothing calls it; did you mean due?"),
        ("class Same", 2, "Same is the same as Tickets: nothing is edited"),
    ]
    for problem, (words, severity, message) in zip(found, expected, strict=True):
        assert problem["range"]["start"]["line"] == line_of(TICKETS, words)
        assert problem["severity"] == severity and message in problem["message"]
    titles = ["Expect distinct=9, as found", "Expect steps=4, as found", "Rename dew to due"]
    for title in [*titles, "Remove Same, which edits nothing"]:
        ((offered, mended),) = (fix for p in found for fix in client.fixes(tickets, p).items() if fix[0] == title)
        client.change(tickets, mended)
    assert "class Same" not in mended and mended.endswith("return True\n")
    (problem,) = client.save(tickets, mended)  # now the rule is overridden, and what it does shows
    assert "alone should hold, but is violated in 2 steps" in problem["message"]
    due = mended.rindex("holds()")
    assert client.save(tickets, f'{mended[:due]}violates("alone"){mended[due + 7 :]}') == []


def test_a_hover_says_what_a_name_is(client: Client, tickets: Path) -> None:
    """Types, counts of the last check, verdicts; of an edit its own."""
    client.open(tickets)
    assert client.hover(tickets, "number = var", "number") == "variable `number`: `Map[Customer, Int(0, 3)]`"
    assert "enabled in 5 of 9 states" in client.hover(tickets, "def take", "take")
    assert "true for some arguments in 8 of 9 states" in client.hover(tickets, "require(self.due(c))", "due")
    assert client.hover(tickets, "def take", "c: C") == "`c`: `Customer`"
    assert client.hover(tickets, "Customer = Ids", "Customer") == "type `Customer`, 2 values: c1, c2"
    assert "violated in 4 steps" in client.hover(tickets, 'violates("alone", steps=9)', "alone")
    assert "violated, 26 transitions, 13 states" in client.hover(tickets, "class Hasty", "Hasty")
    assert client.hover(tickets, "require(self.number", "require") == ""


def test_a_hover_says_when_the_text_is_another_by_now(client: Client, tickets: Path) -> None:
    """And a fix of what stands there no longer is not offered."""
    (wrong, *_) = client.open(tickets)
    client.change(tickets, TICKETS.replace("distinct=99", "distinct=98"))
    assert client.hover(tickets, "def take", "take").endswith("*Of the file as it was saved.*")
    assert client.fixes(tickets, wrong) == {}


def test_an_error_of_the_model_is_at_its_line_with_the_name_that_was_meant(client: Client, tickets: Path) -> None:
    """Of reading, of what a class declares, and of what is no Python."""
    client.open(tickets)
    for wrong, right in (
        ("from checker.language import Bol, Ids", "from checker.language import Bool, Ids"),
        ('violates("alne", steps=9)', 'violates("alone", steps=9)'),
        ("require(self.du(c))", "require(self.due(c))"),
    ):
        assert right in TICKETS
        found = client.save(tickets, TICKETS.replace(right, wrong))
        (problem,) = [p for p in found if p["range"]["start"]["line"] == line_of(TICKETS, right) and p["severity"] == 1]
        assert TICKETS in client.fixes(tickets, problem).values(), problem
    (problem,) = client.save(tickets, TICKETS.replace("def take(self, c: Customer):", "def take(self, c: Customer)"))
    assert problem["range"]["start"]["line"] == line_of(TICKETS, "def take(self, c: Customer)")


def test_what_is_no_model_is_not_executed(client: Client, tmp_path: Path) -> None:
    """A file that does not import the language is read by nobody; one that imports a model beside it is."""
    (tmp_path / "tickets.py").write_text(TICKETS, encoding="utf-8")
    other, edit = tmp_path / "other.py", tmp_path / "edit.py"
    other.write_text(f"open({str(tmp_path / 'executed')!r}, 'w')\n", encoding="utf-8")
    edit.write_text("from tickets import Hasty\n\n\nclass Worse(Hasty):\n    served = 1\n", encoding="utf-8")
    document = {"uri": other.as_uri(), "languageId": "python", "version": 1, "text": other.read_text()}
    client.tell("textDocument/didOpen", {"textDocument": document})
    found = client.open(edit)
    assert any("served" in problem["message"] for problem in found)
    assert not (tmp_path / "executed").exists() and other.as_uri() not in client.published


def test_a_model_outside_the_project_is_not_executed(client: Client, tmp_path_factory: Any) -> None:
    """All users may write there; a warning says why nothing is known."""
    folder = tmp_path_factory.mktemp("downloaded")
    folder.chmod(0o777)
    file = folder / "stranger.py"
    file.write_text(f"from checker.language import Model\nopen({str(folder / 'executed')!r}, 'w')\n", encoding="utf-8")
    document = {"uri": file.as_uri(), "languageId": "python", "version": 1, "text": file.read_text()}
    client.tell("textDocument/didOpen", {"textDocument": document})
    while file.as_uri() not in client.published:
        client.ask(
            "textDocument/hover", {"textDocument": {"uri": file.as_uri()}, "position": {"line": 0, "character": 0}}
        )
    (problem,) = client.published[file.as_uri()]
    assert "not part of the project" in problem["message"] and not (folder / "executed").exists()


def test_what_the_checker_needs_is_named(checker: Any, monkeypatch: Any) -> None:
    """Without the packages the command says which to install."""
    monkeypatch.setattr("checker.extras.find_spec", lambda name: None)
    ran = checker("lsp")
    assert ran.code == 2 and "pip install 'path/to/clone[editor]'" in ran.err
