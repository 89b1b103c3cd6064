"""The page, the sequence diagram and the Markdown summary of a trace."""

import json
import re
import shutil
from html.parser import HTMLParser

import pytest
from attrs import evolve

from checker.report.dot import render
from checker.report.html import COLOURS, html_report, inline, page_data
from checker.report.markdown import markdown_summary
from checker.report.mermaid import escape, mermaid
from checker.report.space_time import space_time
from checker.results.explained import Background
from checker.trace.trace import Trace
from tests.report import runs

needs_dot = pytest.mark.skipif(shutil.which("dot") is None, reason="the dot program is not installed")
VOID = {"meta", "input", "br"}


class Page(HTMLParser):
    """Reads a page: are its elements closed in order, and which addresses does it refer to?"""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.addresses: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Opens an element."""
        if tag not in VOID:
            self.open.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href", "action")]

    def handle_endtag(self, tag: str) -> None:
        """Closes the innermost element, which must be of this name."""
        assert self.open.pop() == tag


def test_the_page_is_well_formed_and_refers_to_nothing_outside(trace: Trace) -> None:
    """One file, no network."""
    page = Page(html_report(trace))
    assert page.open == [] and page.addresses == []


def test_the_page_holds_every_state_with_its_changes_marked() -> None:
    """Step 3 of the total order trace changes p3.delivered and nothing else."""
    steps = page_data(runs.total_order())["steps"]
    assert len(steps) == 10
    delivered = {name: cells for name, *cells in steps[3]["lanes"]}["delivered"]
    assert delivered == [["[]", ""], ["[]", ""], ["[m2]", "changed"]]
    assert [text for text, mark in steps[3]["lanes"][0][1:] if mark] == []
    assert steps[3]["title"] == "3 p3: deliver m2 (CAUSE)"


def test_the_truth_of_each_property_is_shown_per_step() -> None:
    """Where it is known, a reader sees when a property turned false."""
    trace = Trace(
        model="m", property="P", kind="invariant", states=[{"x": 0}], steps=[], verdicts={"P": (False,), "Q": (True,)}
    )
    assert page_data(trace)["steps"][0]["verdicts"] == [["P", ["false", "false"]], ["Q", ["true", "true"]]]


def test_no_text_can_end_the_data_of_the_page() -> None:
    """A value that looks like the end of a script stays data."""
    trace = Trace(model="m", property="P", kind="invariant", states=[{"x": "</script><b>"}], steps=[], witness="<b>")
    page = html_report(trace)
    found = re.search(r'id="trace">(.*?)</script>', page)
    assert found and json.loads(found[1])["steps"][0]["globals"][0][1][0] == "</script><b>"
    assert "<b>" not in page


def test_what_guards_blocked_stands_below_the_trace_if_it_was_counted() -> None:
    """As text, never as markup."""
    told = Background(guards=("take: 'n < 3' alone blocked 2 steps",))
    page = html_report(runs.total_order(), None, told)
    assert "<li>take: &#x27;n &lt; 3&#x27; alone blocked 2 steps</li>" in page and Page(page).open == []
    assert "What guards blocked" not in html_report(runs.total_order())


@needs_dot
def test_every_colour_of_the_picture_has_a_counterpart_on_dark_pages(trace: Trace) -> None:
    """A colour left out would be unreadable in dark mode."""
    svg = render(space_time(trace)).decode()
    used = set(re.findall(r'(?:fill|stroke)="([^"]*)"', svg)) - {"none", "transparent", "white"}
    assert used <= {colour.lower() for colour in COLOURS}
    assert all(f'[fill="{colour}"]' in html_report(trace) for colour in used)


@needs_dot
def test_the_picture_in_the_page_scales_and_names_its_rows() -> None:
    """The script finds the cells of a row by their class, and the size is left to the page, down to one at which
    letters can be told apart."""
    drawn = render(space_time(runs.total_order())).decode()
    svg = inline(drawn)
    assert svg.startswith("<svg") and "viewBox" in svg and 'width="' not in svg.split(">")[0]
    whole, least = (
        float(re.search(pattern, text)[1])
        for pattern, text in ((r'<svg width="(\d+)pt"', drawn), (r'<svg style="min-width: (\d+)pt"', svg))
    )
    assert 9 * 4 / 3 * least >= 9.9 * whole and least < whole  # the smallest letters have 9 points
    assert 'class="node row9 violation"' in svg and "<title>TotalOrder" not in svg


def test_a_sequence_diagram_draws_messages_at_their_receipt() -> None:
    """The send is a note, the arrow carries the receiving step, the order of steps is kept."""
    lines = [line.strip() for line in mermaid(runs.total_order()).splitlines()]
    assert lines[:4] == ["sequenceDiagram", "participant p1", "participant p2", "participant p3"]
    assert lines[4:8] == [
        "Note over p1: 1 multicast m1",
        "Note over p3: 2 multicast m2",
        "Note over p3: 3 deliver m2 (CAUSE)",
        "p1->>p2: 4 receive m1",
    ]
    assert lines[-1] == "Note over p1,p3: still in flight: m2 p3 to p1"
    assert mermaid(runs.own_messages(), changes=True).count("still in flight") == 1  # an own one has no arrow


def test_without_lanes_a_sequence_diagram_has_the_model_for_participant() -> None:
    """And the values that the witness speaks of at the end."""
    text = mermaid(evolve(runs.no_lanes(), witness="inside has two members."))
    assert "participant lock" in text and text.rstrip().endswith("Note over lock: end: inside: {1, 2}")


def test_a_lost_message_is_a_crossed_arrow() -> None:
    """It ends in a cross at the lane it never reached."""
    assert "  p2-xp4: 4 m2 lost\n" in mermaid(runs.crash_in_multicast())


def test_signs_with_a_meaning_in_mermaid_are_replaced() -> None:
    """A semicolon would end the statement, a hash begin an entity."""
    assert escape("a;b #1\n<c>") == "a#59;b #35;1 #lt;c#gt;"


def test_lanes_named_like_keywords_get_another_name() -> None:
    """A process may be called end; the word on its head stays."""
    trace = Trace(
        model="m", property="P", kind="invariant", states=[{}], steps=[], lanes=("end", "p-1"), guilty=("end", "p-1")
    )
    assert "participant lane_end as end\n  participant lane_p_2d_1 as p-1\n" in mermaid(trace)


def test_every_statement_of_a_sequence_diagram_is_of_a_known_form(trace: Trace) -> None:
    """Participants, notes, arrows, crossed arrows; one statement a line."""
    name = r"\w+"
    forms = rf"participant {name}( as .+)?|Note over {name}(,{name})?: .+|{name}(->>|-x){name}: .+"
    first, *rest = mermaid(trace).splitlines()
    assert first == "sequenceDiagram" and rest
    assert all(re.fullmatch(rf"  ({forms})", line) for line in rest)


def test_the_summary_opens_with_the_verdict_and_holds_the_contradiction() -> None:
    """Heading, witness, where it comes from, the values side by side."""
    text = markdown_summary(runs.total_order())
    assert text.startswith("### TotalOrder violated at step 9 of 9\n\np2 delivered m1 before m2, but")
    assert "| p2 | delivered \\[m1, m2\\] | contradiction |\n| p3 | delivered \\[m2, m1\\] | contradiction |" in text
    assert "```mermaid\nsequenceDiagram\n" in text


def test_values_cannot_become_markup() -> None:
    """A witness with HTML in it is shown, not obeyed."""
    assert "\\<b\\>" in markdown_summary(runs.crash_in_multicast()).split("```")[0]


def test_the_caption_stands_once_on_the_page(trace: Trace) -> None:
    """The text of the trace, which a reader unfolds, begins with the run."""
    page = html_report(trace)
    whole = page.partition("<pre>")[2]
    body = page.partition("<body>")[2].partition("<script>")[0]
    assert body.count("model: ") == 1 and "model: " not in whole.partition("</pre>")[0]
