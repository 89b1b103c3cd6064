"""Which protocol a violation of a shipped class is held against."""

from __future__ import annotations

from checker.catalogue import find
from checker.replay.base import former_of


def test_an_edit_with_its_model_in_another_file_has_a_former_protocol() -> None:
    """The class beside it that adds the same, or the model that a READING names; a protocol of its own has none."""
    beside = former_of(find("two_views:PhiVotesWinViews").cls)
    assert beside is find("two_views").cls
    reading = former_of(find("optimistic_indentation").cls)
    assert reading is not None and reading.__module__.endswith("optimistic_multicast_1")
    assert former_of(find("toto").cls) is None
