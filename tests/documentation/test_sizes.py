"""Each sentence of the findings, and of the models, that says how large a configuration must be is listed: with the
searches of everything smaller, or with what it rests on instead."""

from __future__ import annotations

import re

from benchmarks.smallest import FILE as SEARCHED
from benchmarks.smallest import listed
from tests.documentation.documents import ROOT
from tests.documentation.sizes import Other, about_size, apart, others, places, texts

TEXTS = texts()
LISTED = {(one.page, one.sentence) for one in listed(SEARCHED.read_text("utf-8"))}
OTHERS = others()
COMMAND = re.compile(r"`(checker [^`]*)`")
NAMED = re.compile(r"`([\w/]+\.(?:py|md|json))`")


def of(page: str) -> set[str]:
    """What either list has of a page."""
    return {s for p, s in LISTED if p == page} | {one.sentence for one in OTHERS if one.page == page}


def test_each_sentence_about_size_is_listed() -> None:
    """In docs/findings/smallest.json, or in docs/findings/not_searched.json."""
    assert {page: found for page, text in TEXTS.items() if (found := apart(text, of(page)))} == {}


def test_each_other_sentence_stands_on_its_page() -> None:
    """Within a sentence about size; once in the list, and not in the list of searched ones."""
    assert len({(one.page, one.sentence) for one in OTHERS}) == len(OTHERS) > 60
    assert [one for one in OTHERS if (one.page, one.sentence) in LISTED] == []
    assert [one for one in OTHERS if not any(places(s, one.sentence) for s in about_size(TEXTS[one.page]))] == []


def test_what_another_sentence_rests_on_exists() -> None:
    """A command stands on the page and holds there; a file is in the repository."""
    assert [(one.sentence, bad) for one in OTHERS for bad in lacking(one, TEXTS[one.page])] == []


def lacking(one: Other, text: str) -> list[str]:
    """The commands of a reason that the page does not show with `holds`, and its files that are missing."""
    commands = [c for c in COMMAND.findall(one.reason) if f"{c}  # holds" not in text]
    return commands + [name for name in NAMED.findall(one.reason) if not (ROOT / name).exists()]


def test_a_reason_without_its_command_or_file_is_noticed() -> None:
    """A command that is violated does not count."""
    one = Other("p.md", "s", "commands: `checker check a`; `tests/no_such.py`")
    assert lacking(one, "```sh\nchecker check a  # holds: 3 states\n```") == ["tests/no_such.py"]
    assert lacking(one, "```sh\nchecker check a  # violated in 3 steps\n```") == ["checker check a", "tests/no_such.py"]


def test_a_new_sentence_about_size_is_noticed() -> None:
    """In a paragraph, an item, a row or over several lines; not in code, and not without a size."""
    new = "The violation needs three\nmessages."
    assert list(about_size(f"# A\n\nIt fails. {new} So it is.\n\n```sh\n{new}\n```\n")) == [
        "The violation needs three messages."
    ]
    assert list(about_size("* It fails first with 2,1.\n* One message suffices.\n")) == [
        "* It fails first with 2,1.",
        "* One message suffices.",
    ]
    assert list(about_size("| A | two messages, not one |\n|---|---|\n")) == ["| A | two messages, not one |"]
    assert list(about_size("It needs time. `needs three messages` and [it needs](two messages).\n")) == []
    assert apart(f"It fails. {new}\n\n{new}\n", {"The violation needs three messages."}) == []
    assert apart(f"It fails. {new}\n", {"needs three messages", "It fails."}) == []
    assert apart(f"It fails. {new}\n", {"It fails."}) == ["The violation needs three messages."]
