"""Names that a change replaces: which are renamings, and what the former text is with the new names."""

from __future__ import annotations

import pytest

from checker.analysis.renamed import renaming

MODEL = """
class Status(Enum):
    idle = 0
    done = 1


class Commit(Distributed):
    Wire = Union(Vote=Record(choice=Status), Stop=Record(choice=Status))
    net = var(Network[Process, Wire])
    votes = var(Set[Process])

    @on(net, Wire.Vote)
    def receive(self, p, q, choice):
        self.votes.add(q)
        if self.enough(1) and choice == Status.done:
            self.net.send(p, self.Wire.Stop(choice))

    @rule
    def enough(self, n):
        return len(self.votes) > n

    @invariant
    def small(self):
        return len(self.votes) < 3

    expect = violates("small")


class Edit(Commit):
    def enough(self, n):
        return True
"""


def replaced(text: str, *pairs: tuple[str, str]) -> str:
    """The text with each of these replaced."""
    for before, after in pairs:
        assert before in text
        text = text.replace(before, after)
    return text


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("enough", "may_commit", "rule enough → may_commit"),
        ("votes", "prepared", "variable votes → prepared"),
        ("Vote", "Ballot", "message Vote → Ballot"),
        ("choice", "opinion", "field choice → opinion"),
        ("small", "little", "invariant small → little"),
        ("receive", "receive_vote", "handler receive → receive_vote"),
        ("idle", "waiting", "declaration idle → waiting"),
    ],
)
def test_a_name_that_is_replaced_everywhere_is_renamed(before: str, after: str, told: str) -> None:
    """Also in strings that name it; the former text with the new name is the new text."""
    new = replaced(MODEL, (before, after))
    found = renaming([(MODEL, new)])
    assert found.texts() == (told,) and found.source(MODEL) == new


def test_the_former_text_with_the_new_names_is_the_new_text() -> None:
    """Several at once; a place in it is one in the former text."""
    new = replaced(
        MODEL, ("votes", "prepared"), ("Vote", "Ballot"), ("self.enough", "self.may"), ("def enough", "def may")
    )
    found = renaming([(MODEL, new)])
    assert found.names == {"votes": "prepared", "Vote": "Ballot", "enough": "may"}
    assert found.source(MODEL) == new and found.line(new) == 8


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("enough", "receive"),  # there is such a name already
        ("enough", "require"),  # of the language
        ("votes", "crashed"),  # of the language's models
        ("enough", "len"),  # of Python
        ("choice == Status.done", "choice != Status.done"),
        ("self.enough(1)", "self.enough(True)"),
        ("> n", ">= n"),
        (".add(q)", ".discard(q)"),  # declared nowhere
        ("p, q, choice", "p, sender, choice"),
    ],
)
def test_what_is_more_than_another_name_is_no_renaming(before: str, after: str) -> None:
    """Then the parts that differ are shown as such."""
    assert not renaming([(MODEL, replaced(MODEL, (before, after)))])


def test_a_name_that_stays_somewhere_is_not_renamed() -> None:
    """In another file of the model, or in one class of two."""
    other = "def all_voted(model):\n    return len(model.votes) == 3\n"
    new = replaced(MODEL, ("votes", "prepared"))
    assert renaming([(MODEL, new)]) and not renaming([(MODEL, new), (other, other)])
    one = MODEL.replace("    @rule\n    def enough", "    @rule\n    def may_commit").replace(
        "self.enough", "self.may_commit"
    )
    assert not renaming([(MODEL, one)])


def test_an_operation_of_a_value_is_not_renamed() -> None:
    """A variable may have the name of one, as long as nothing but the model has it."""
    text = MODEL.replace("self.votes.add(q)", "self.votes.add(q)\n        self.add = 1").replace(
        "net = ", "add = var(Bool)\n    net = "
    )
    assert not renaming([(text, text.replace("add", "discard"))])
    assert not renaming([(text, text.replace("add = ", "counted = ").replace(".add(", ".counted("))])
    count = replaced(MODEL, ("votes", "count"))
    assert renaming([(count, MODEL)]).texts() == ("variable count → votes",)


def test_what_an_import_binds_is_not_renamed() -> None:
    """It is another thing under its other name; a name of another file of the model is one of the model's."""
    text = "from properties import Low\n\n\nclass M(Model):\n    properties = [Low]\n"
    high = replaced(text, ("Low", "High"))
    assert not renaming([(text, high)])
    low = "class Low(Invariant):\n    def holds(self):\n        return True\n"
    assert renaming([(text, high), (low, replaced(low, ("Low", "High")))]).texts() == ("class Low → High",)
    helper = "LIMIT = 1\n"
    text = "from helper import LIMIT\n\n\nclass M(Model):\n    n = var(Int(0, LIMIT))\n"
    pairs = [(t, replaced(t, ("LIMIT", "MOST"))) for t in (text, helper)]
    assert renaming(pairs).texts() == ("value LIMIT → MOST",)


def test_two_names_do_not_become_one_and_one_not_two() -> None:
    """Each stands for one other."""
    two = (
        "class M(Model):\n    a = var(Bool)\n    b = var(Bool)\n\n    def f(self):\n        return self.a and self.b\n"
    )
    one = two.replace("    a = var(Bool)\n    b = ", "    c = ").replace("self.a and self.b", "self.c and self.c")
    assert renaming([(two, one)]).names == {"a": "c"}
    assert renaming([(one, two)]).names == {"c": "a"}
    assert renaming([(two, two.replace("a ", "c ").replace("self.a", "self.b"))]).names == {"a": "c"}


def test_a_name_in_an_f_string_is_not_renamed() -> None:
    """Python 3.11 has no tokens for it."""
    text = MODEL.replace("return len(self.votes) < 3", 'raise E(f"{self.votes}")')
    assert not renaming([(text, text.replace("votes", "prepared"))])


def test_a_name_is_followed_into_what_changed_otherwise_too() -> None:
    """The calls of a rule tell its new name; its own text differs."""
    new = replaced(MODEL, ("enough", "may_commit"), ("> n", ">= n"))
    assert renaming([(MODEL, new)]).texts() == ("rule enough → may_commit",)


def test_texts_that_are_no_python_are_left_out() -> None:
    """So is the former text of a new file."""
    new = replaced(MODEL, ("votes", "prepared"))
    assert renaming([("class", "class"), (MODEL, new)]).texts() == ("variable votes → prepared",)
    assert not renaming([("", MODEL)])


def test_a_class_with_more_than_half_of_its_members_is_the_same_class() -> None:
    """One member differs, too; a class that shares one member of six with the former is another class."""
    changed = replaced(MODEL, ("Commit", "Vote2"), ("> n", ">= n"))
    assert renaming([(MODEL, changed)]).texts() == ("class Commit → Vote2",)
    other = MODEL[: MODEL.index("class Commit")] + "class Other(Distributed):\n    votes = var(Set[Process])\n"
    assert not renaming([(MODEL, other)])
