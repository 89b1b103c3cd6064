"""docs/findings/spaces.json: each space was searched up to the configuration that it names; docs/findings/spaces.md is
what `python -m benchmarks.spaces` makes of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from attrs import evolve

from benchmarks.spaces import FILE, PAGE, Reached, Space, as_text, described, reached, spaces, table, value, with_table
from checker.models.fifo_multicast import FifoMulticast
from tests.cli.commands import Ran

TEXT = FILE.read_text("utf-8")
SPACES = spaces(TEXT)
SMALL = Space("FIFO multicast", "fifo_multicast", (("workload=1..2 over 2",),), None, 1_000_000, None)


def test_each_space_has_a_result_and_the_file_is_as_the_command_writes_it() -> None:
    """No space without a result, and none twice."""
    assert [s.claim for s in SPACES if s.result is None] == [] and len({(s.claim, s.model) for s in SPACES}) == len(
        SPACES
    )
    assert len(SPACES) > 40 and as_text(SPACES) == TEXT


def test_the_page_is_what_the_command_makes() -> None:
    """The text stays, the table is made from the file."""
    page = PAGE.read_text("utf-8")
    assert with_table(page, table(SPACES)) == page
    assert with_table(page, table(SPACES[1:])) != page


def test_the_first_configuration_that_is_not_decided_follows_those_that_are() -> None:
    """The command of the page names the configuration at this place of the space."""
    for s in SPACES:
        assert s.result is not None
        rest = s.configurations[s.result.decided :]
        first = None if not rest else " ".join(f"-D {name}={value(v)}" for name, v in rest[0].items())
        assert s.result.first == first, s.claim


def test_a_space_ends_where_no_search_decides(checker: Callable[..., Ran]) -> None:
    """With few states: `check`, in full or reduced, decides the configurations before the end, and not the next one."""
    found = reached(evolve(SMALL, states=9))
    configurations = [f"-D workload={value(c['workload'])}".split() for c in SMALL.configurations]
    codes = [
        min(checker("check", SMALL.model, *c, "--max-states", "9", *how).code for how in ((), ("--reduce",)))
        for c in configurations[: found.decided + 1]
    ]
    assert codes == [0] * found.decided + [4] and found.decided > 0
    assert found.property in {p.__name__ for p in FifoMulticast.properties}


def test_a_space_that_is_decided_to_its_end_names_no_configuration() -> None:
    """All five distributions of one and two messages over two processes."""
    assert reached(SMALL) == Reached(5) and described(evolve(SMALL, result=Reached(5))) == "all 5"


def test_a_claim_that_is_violated_in_its_space_is_no_space() -> None:
    """The command ends with the configuration that violates it."""
    with pytest.raises(RuntimeError, match=r"fifo_multicast:ReceiveFromZero at .* violates"):
        reached(evolve(SMALL, model="fifo_multicast:ReceiveFromZero"))


@pytest.mark.parametrize(
    ("decided", "words"),
    [
        (2, "2 of 16: 1 process"),
        (4, "4 of 16: 1 process, 2 processes up to 1 message"),
        (5, "5 of 16: 1 process, 2 processes up to 1 message, 2,0"),
        (12, "12 of 16: 1 process, 2 processes, 3 processes up to 1 message, 2,0,0 and 1,1,0"),
        (15, "15 of 16: 1 process, 2 processes, 3 processes up to 1 message, 5 of 6 with 2 messages"),
        (16, "all 16"),
    ],
)
def test_what_is_decided_is_said_in_words(decided: int, words: str) -> None:
    """Whole numbers of processes, then whole numbers of messages, then single configurations."""
    space = evolve(SMALL, space=(("workload=1..2 over 1..3",),), result=Reached(decided, "", None))
    assert described(space) == words


@pytest.mark.thorough
@pytest.mark.parametrize("space", SPACES, ids=lambda space: f"{space.model}-{space.claim[:30]}")
def test_a_space_gives_its_result(space: Space) -> None:
    """The same number of configurations, and the same first that is not decided."""
    assert reached(space) == space.result
