"""docs/findings/smallest.json: each configuration that docs/findings.md and the pages behind it call smallest is
listed, and everything smaller was searched; nothing there violates the property."""

from __future__ import annotations

import re

import pytest

from benchmarks.declared_sweeps import number, result
from benchmarks.smallest import FILE, Smallest, as_text, below, class_of, divisions, listed, sets
from checker.analysis.check import examine
from checker.language.define import define
from checker.search.limits import Limits
from tests.documentation.documents import FINDINGS
from tests.documentation.sizes import texts
from tests.documentation.test_findings_form import CLAIMS, sources

TEXT = FILE.read_text("utf-8")
LISTED = listed(TEXT)
FIRST = FINDINGS[0].name
LABEL = re.compile(r"\bsmallest configurations?\b", re.IGNORECASE)
PAGES = {page: " ".join(text.split()) for page, text in texts().items() if page != FIRST}
LABELLED = {page.name for page in FINDINGS} & set(PAGES)
MOST = 12
"""Configurations below a smallest one that each build searches; where there are more, a thorough test does."""

NOT_SEARCHED = {
    "*Smallest configuration:* three processes in two groups, a message of each group for itself, each group in "
    "sendersTo of both.",
    "*Smallest configuration:* three groups of one process, one message, four steps",
}
"""Smallest only if sendersTo names every group that multicasts: `test_smallest_routes.py` searches what is smaller."""
ROWS_ELSEWHERE = {
    "checker check vote_vectors:ToToVotes -D workload=1,1,1,1,1,1 -D phi=3 -D longer=true --property agreed",
    "checker check optimistic_multicast_3:OrderedByIdentifier -D workload=1,0,1 -D groups=1,1,2 -D destinations=1,2 "
    "-D senders_to=12,12 -D ticks=1 --property Termination",
    "checker check optimistic_multicast_3:QuasiGenuinely -D workload=1,0,0 -D groups=1,2,3 -D destinations=13 "
    "-D senders_to=1,2,123 --property NoStrangers",
    "checker check optimistic_multicast_3 -D workload=2,2,0,0 -D groups=1,2,3,3 -D destinations=3,3,3,3 "
    "--property UniformTotalOrder",
}
"""Rows whose numbers of processors `test_toto_disagreement.py` holds, or of which the pages say that not everything
smaller was searched, or why nothing smaller can fail."""


def rows() -> list[tuple[str, str, str]]:
    """Of each row of the tables whose command shows a violation: its name, the command and the last cell."""
    return [
        (row.name, line.partition("  #")[0].strip(), row.last)
        for source in sources(CLAIMS)
        for row in source.rows
        for line in dict(source.commands).get(row.name, ())
        if line.startswith("checker check ") and "# violated" in line
    ]


def of_a_workload(check: str) -> bool:
    """The model of the command distributes messages over processes."""
    one = Smallest("", "", check, "", None)
    return isinstance(define(class_of(one.model), one.given).constants.get("workload"), tuple)


def test_the_file_is_as_the_command_writes_it() -> None:
    """No entry without a result, and none twice."""
    assert as_text(LISTED) == TEXT and len(set(LISTED)) == len(LISTED) > 80
    assert [one.check for one in LISTED if one.smaller is None] == []


def test_each_row_of_a_table_is_listed() -> None:
    """With the command below the table."""
    found = {(one.sentence, one.check) for one in LISTED if one.page == FIRST}
    expected = {(name, check) for name, check, _ in rows() if of_a_workload(check) and check not in ROWS_ELSEWHERE}
    assert found == expected
    assert ROWS_ELSEWHERE <= {check for _, check, _ in rows()}


def test_each_configuration_that_a_page_calls_smallest_is_listed() -> None:
    """The sentence stands on the page, and every place that says so is in such a sentence."""
    for page, text in PAGES.items():
        sentences = {one.sentence for one in LISTED if one.page == page}
        assert [s for s in sentences if s not in text] == []
        places = {
            place
            for s in sentences | NOT_SEARCHED
            for start in (m.start() for m in re.finditer(re.escape(s), text))
            for place in range(start, start + len(s))
        }
        unlisted = [text[m.start() : m.start() + 90] for m in LABEL.finditer(text) if m.start() not in places]
        assert page not in LABELLED or unlisted == []
    everything = " ".join(PAGES.values())
    assert all(s in everything for s in NOT_SEARCHED)


def test_everything_that_is_smaller_was_searched_and_violates_nothing() -> None:
    """By the sweeps that `below` gives; every configuration is decided."""
    for one in LISTED:
        assert one.smaller is not None and [s.command for s in one.smaller] == below(one)
        for s in one.smaller:
            *verdicts, last = s.result
            searched = number(last.split()[0])
            assert verdicts == ([f"{one.violated} holds in {searched:,}"] if searched else []), s.command


def test_what_is_smaller_has_every_distribution_and_every_division() -> None:
    """And every number of faults, and every choice of destinations where the command chooses them."""
    assert divisions(3) == ["1,1,1", "1,1,2", "1,2,1", "1,2,2", "1,2,3"]
    assert sets(2, 1, 1) == ["1,", "2,", "12,"] and sets(1, 2, 0) == ["0,0", "0,1", "1,0", "1,1"]
    token = Smallest("", "", "checker check token_ring -D workload=0,2 -D duplicates=1", "FifoOrder", None)
    assert [c.partition("token_ring ")[2].partition(" --")[0] for c in below(token)] == [
        "-D workload='1..2 over 1' -D duplicates=0..1",
        "-D workload='1 over 2' -D duplicates=0..1",
        "-D workload='2 over 2' -D duplicates=0",
    ]
    moved = "checker check optimistic_multicast_1 -D workload=2,0 -D destinations=12,1 --property UniformAgreement"
    assert [c.partition("-D workload=")[2].partition(" --")[0] for c in below(Smallest("", "", moved, "A", None))] == [
        "'1 over 1' -D groups=1, -D destinations=1,",
        "'2 over 1' -D groups=1, -D destinations=1,1",
        "'1 over 2' -D groups=1,1 -D destinations=1,",
        "'1 over 2' -D groups=1,2 -D destinations='1,|2,|12,'",
    ]


def test_each_smallest_configuration_of_a_table_has_the_size_of_its_cell() -> None:
    """Processes and messages, as the last column gives them."""
    for name, check, cell in rows():
        sizes = [] if cell.startswith("none") else re.findall(r"\b(\d), (\d)\b", cell)
        if of_a_workload(check) and check not in ROWS_ELSEWHERE and sizes:
            one = Smallest("", "", check, "", None)
            workload = define(class_of(one.model), one.given).constants["workload"]
            assert (str(len(workload)), str(sum(workload))) in sizes or check in WITH_CONTROLS, (name, check)


WITH_CONTROLS = {"checker check causal_broadcast:ControlsCounted -D workload=2,"}
"""The last message of a workload is a control message, which the table does not count."""


def quick(one: Smallest) -> bool:
    """Each build searches what is below: little, and every sixth only."""
    searched = sum(number(s.result[-1].split()[0]) for s in one.smaller or ())
    return 0 < searched <= MOST and LISTED.index(one) % 6 == 0


@pytest.mark.parametrize(
    "one", [pytest.param(one, id=one.check, marks=() if quick(one) else pytest.mark.thorough) for one in LISTED]
)
def test_a_smallest_configuration_fails_and_no_smaller_one_does(one: Smallest) -> None:
    """Searched again."""
    shown = examine(
        class_of(one.model), one.model, dict(one.given), only=[one.violated], limits=Limits(), traces=False
    ).report
    assert [p.name for p in shown.properties if p.verdict == "violated"] == [one.violated]
    for s in one.smaller or ():
        assert result(s.command) == s.result
