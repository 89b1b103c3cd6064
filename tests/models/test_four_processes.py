"""docs/findings/four_processes.json: each workload of four messages was searched up to the first that is not decided;
docs/findings/four_processes.md is what `python -m benchmarks.four_processes` makes of it."""

from __future__ import annotations

import pytest
from attrs import evolve

from benchmarks.four_processes import FILE, PAGE, STATES, WORKLOADS, Cell, Row, decided, rows, searched, table
from benchmarks.spaces import as_text, with_table

TEXT = FILE.read_text("utf-8")
ROWS = rows(TEXT)
SMALL = Row("FIFO multicast", "fifo_multicast", (), "FifoOrder", None)
CELLS = [(row, n) for row in ROWS for n in range(len(row.result or ()))]


def test_each_row_has_a_result_and_the_file_is_as_the_command_writes_it() -> None:
    """No row without a result, and none twice."""
    assert [r.claim for r in ROWS if r.result is None] == [] and len({r.claim for r in ROWS}) == len(ROWS)
    assert len(ROWS) > 6 and as_text(ROWS) == TEXT


def test_the_page_is_what_the_command_makes() -> None:
    """The text stays, the table is made from the file."""
    page = PAGE.read_text("utf-8")
    assert with_table(page, table(ROWS)) == page
    assert with_table(page, table(ROWS[1:])) != page


def test_a_row_ends_at_its_first_workload_that_is_not_decided() -> None:
    """Nothing follows such a cell, and no decided cell has more states than the limit."""
    for row in ROWS:
        states = [cell.states for cell in row.result or ()]
        assert states and None not in states[:-1] and (states[-1] is None or len(states) == len(WORKLOADS)), row.claim
        assert max((s for s in states if s is not None), default=0) <= STATES


def test_a_search_with_few_states_decides_nothing() -> None:
    """The limit counts; the cells behind it are not searched, and are empty on the page."""
    found = searched(SMALL, states=10)
    assert found == (Cell(None, True),)
    assert table([evolve(SMALL, result=found)]).endswith(
        "| `fifo_multicast --property FifoOrder` | not decided | | | |"
    )


def test_a_claim_that_is_violated_has_no_cell() -> None:
    """The command ends with the configuration that violates it."""
    with pytest.raises(RuntimeError, match=r"fifo_multicast:ReceiveFromZero at .* violates"):
        searched(evolve(SMALL, model="fifo_multicast:ReceiveFromZero"))


def test_a_full_search_is_made_where_a_reduced_one_is_refused() -> None:
    """A step property asks for every step."""
    row = Row("Lemma 7", "optimistic_multicast_1:AtLeast", ("groups=1,1",), "StampedByTimestamp", None)
    cell = decided(row, "1,1")
    assert cell.states is not None and not cell.reduced
    assert "| 821 (full) |" in table([evolve(row, result=(cell,))])


@pytest.mark.thorough
@pytest.mark.parametrize(("row", "n"), CELLS, ids=[f"{row.claim[:60]}-{WORKLOADS[n]}" for row, n in CELLS])
def test_a_cell_is_found_again(row: Row, n: int) -> None:
    """The same number of states, or the limit again."""
    assert row.result is not None and decided(row, WORKLOADS[n]) == row.result[n]
