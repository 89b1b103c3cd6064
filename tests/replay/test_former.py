"""Which protocol a violation of a shipped class is held against."""

from __future__ import annotations

import re

from checker.catalogue import find, shipped
from checker.replay.base import declared_kind, former_of
from checker.wording import first_sentence

OTHERWISE = re.compile(r"(\W*\w+){0,3}?\W*\b(edit|reading|repair)\b", re.IGNORECASE)
"""A sentence that calls a class one of these in its first words."""


def test_an_edit_with_its_model_in_another_file_has_a_former_protocol() -> None:
    """The class beside it that adds the same, or the model that a READING names; a protocol of its own has none."""
    beside = former_of(find("two_views:PhiVotesWinViews").cls)
    assert beside is find("two_views").cls
    reading = former_of(find("optimistic_indentation").cls)
    assert reading is not None and reading.__module__.endswith("optimistic_multicast_1")
    assert former_of(find("toto").cls) is None


def test_every_form_of_declaring_a_reading_names_the_protocol_before_it() -> None:
    """ "The reading in which ..." as well as READING: of a model of another file too."""
    each = find("stale_discard:EachForItself").cls
    assert declared_kind(each) == "reading"
    assert former_of(each) is find("optimistic_delivery").cls


def test_a_shipped_class_that_is_called_an_edit_a_reading_or_a_repair_declares_it() -> None:
    """In another form it would be a protocol of its own, whose runs are compared with nothing."""
    classes = [entry.cls for entry in shipped().entries]
    told = {cls: first_sentence((cls.__doc__ or "").strip()) for cls in classes if not declared_kind(cls)}
    assert len(classes) > 350 and len(told) > 50
    assert [cls.__name__ for cls, text in told.items() if OTHERWISE.match(text)] == []
    assert OTHERWISE.match("In this reading nobody waits.") and OTHERWISE.match("Repair: nobody waits.")
