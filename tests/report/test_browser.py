"""The page of a trace in a real browser, without a window: it shows the step of its link, marks it in the diagram, and
follows the keys."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from checker.report.dot import render
from checker.report.html import READABLE, html_report
from checker.report.packed import is_made_from, packed, unpacked
from checker.report.space_time import space_time
from checker.report.widths import WIDEST
from tests.report.browser import Browser
from tests.report.runs import Script

KEYS = "<script>for (const key of %s) document.dispatchEvent(new KeyboardEvent('keydown', {key}));</script></body>"


@pytest.fixture
def page(checker: Any, lock: str) -> Path:
    """The page of the careless lock."""
    checker("check", f"{lock}:Careless", "--out", "out")
    return next(Path("out").rglob("trace.html")).resolve()


Rendered = Callable[..., str]


@pytest.fixture
def rendered(browser: Browser) -> Rendered:
    """The document of a page after its script has run; `keys` are pressed."""

    def document(page: Path, link: str = "", keys: str = "[]") -> str:
        page.write_text(page.read_text(encoding="utf-8").replace("</body>", KEYS % keys), encoding="utf-8")
        return browser.document(f"file://{page}{link}")

    return document


def shown(document: str) -> str:
    """What stands in the stepper."""
    found = re.search(r'<div id="step"[^>]*>(.*?)</section>', document, re.DOTALL)
    assert found is not None
    return found[1]


def test_a_link_opens_its_step_with_state_changes_and_source(rendered: Rendered, page: Path) -> None:
    """#step=2: title, source, changed values, the property's truth, the band in the diagram."""
    document = rendered(page, "#step=2")
    assert '<h2 class="violation">2 c2: take (CAUSE) (VIOLATION)</h2>' in document and ">2 / 2<" in document
    assert re.search(r"lock\.py:\d+", shown(document))
    assert '<td class="changed">{c1, c2}</td>' in shown(document) and '<td class="false">false</td>' in shown(document)
    assert 'class="band"' in document


def test_both_versions_of_what_was_edited_have_their_lines_wrapped_and_marked(rendered: Rendered, page: Path) -> None:
    """A line that only one version has is marked; signatures are not, whose annotations may differ."""
    document = rendered(page, "#step=2")
    versions = re.findall(r'<pre class="version">(.*?)</pre>', document, re.DOTALL)
    assert len(versions) == 2
    marked = [re.findall(r'<div class="differs"[^>]*>(.*?)</div>', version) for version in versions]
    assert any(marked) and not any("def " in line for lines in marked for line in lines)
    for lines, other in zip(marked, reversed(versions)):
        assert not any(f">{line}</div>" in other for line in lines)


def test_the_arrow_keys_walk_and_stop_at_the_ends(rendered: Rendered, page: Path) -> None:
    """Home, two steps back beyond the start, one forward."""
    assert ">0 / 2<" in rendered(page, "#step=1", "['Home', 'ArrowLeft']")
    assert ">2 / 2<" in rendered(page, "#step=0", "['ArrowRight', 'ArrowRight', 'ArrowRight']")


def test_each_step_says_what_else_is_possible_and_why_the_rest_is_not(rendered: Rendered, page: Path) -> None:
    """Folded; before step 2 both clients may take the lock and only c1 may leave."""
    step = shown(rendered(page, "#step=1"))
    assert '<details class="why"><summary>Why not something else?</summary>' in step
    assert "<h3>enabled</h3><ul><li>take(c2)</li><li>leave(c1)</li></ul>" in step
    assert (
        "<li>take(c1) is disabled: c1 is in inside = {c1}   (lock.py:"
    ) in step and "<li>leave(c2) is disabled: c2 is not in inside = {c1}" in step


COUNTER = '''"""A counter that ends too early."""

from checker.language import Int, Model, action, invariant, quiescent, require, step_invariant, var


class Counter(Model):
    """Counts to two."""

    n = var(Int(0, 9), 0)

    @action
    def up(self):
        require(self.n < 2)
        self.n += 1

    @quiescent
    def ends_at_three(self) -> bool:
        return self.n == 3

    @step_invariant
    def grows(self) -> bool:
        return self.n > self.before.n

    @invariant
    def small(self) -> bool:
        return self.n < 9
'''


def test_properties_of_steps_and_of_the_end_are_told_where_they_are_decided(
    rendered: Rendered, checker: Any, write: Any
) -> None:
    """Before the end a quiescence property is open, before the first step a step property is; where only one property
    was checked the page has the others all the same."""
    checker("check", write("counter.py", COUNTER), "--property", "ends_at_three", "--out", "out")
    page = next(Path("out").rglob("trace.html")).resolve()
    start, end = shown(rendered(page, "#step=0")), shown(rendered(page, "#step=2"))
    for name, word in (
        ("ends_at_three", "open: steps are enabled"),
        ("grows", "before any step"),
        ("small", '<td class="true">true</td>'),
    ):
        assert re.search(rf"<td[^>]*>{name}</td>(<td[^>]*>)?{re.escape(word)}", start), (name, start)
    for name, word in (("ends_at_three", "false"), ("grows", "true"), ("small", "true")):
        assert f'{name}</td><td class="{word}">{word}</td>' in end, (name, end)


def test_the_source_of_the_action_taken_stands_in_the_page(rendered: Rendered, page: Path) -> None:
    """As the model has it, decorator and all; nothing at the start, where no action was taken."""
    text = (
        "<summary>Source of take</summary><pre>@action\ndef take(self, c: Client):\n    require(self.free() and "
        "c not in self.inside)\n"
    )
    assert '<details class="source">' + text in shown(rendered(page, "#step=1"))
    assert "Source of" not in shown(rendered(page, "#step=0"))


def test_what_was_unfolded_stays_so_at_the_next_step(rendered: Rendered, page: Path) -> None:
    """A reader asks the same question all along the run."""
    page.write_text(
        page.read_text(encoding="utf-8").replace(
            "</body>", "<script>document.querySelector('.why summary').click();</script></body>"
        ),
        encoding="utf-8",
    )
    assert '<details class="why" open="">' in shown(rendered(page, "#step=1", "['ArrowRight']"))


def test_explain_writes_the_page_for_one_action(rendered: Rendered, checker: Any, lock: str) -> None:
    """Every instance of it, at every step, and nothing of the others; the link leads to the step asked for."""
    checker("check", f"{lock}:Careless", "--out", "out")
    ran = checker(
        "explain", "out/lock-Careless-alone", "--step", "1", "--action", "leave", "--out", "why", "--json", "found.json"
    )
    assert "this step: why/lock-Careless-alone/trace.html#step=1" in ran.out
    step = shown(rendered(Path("why/lock-Careless-alone/trace.html").resolve(), "#step=0"))
    assert (
        "<h3>enabled of leave</h3><ul><li>nothing</li></ul>" in step
        and ("leave(c2) is disabled: c2 is not in inside = {}") in step
        and "take" not in step.partition("<details")[2]
    )


def test_the_page_asks_the_network_for_nothing(page: Path) -> None:
    """No address in an attribute or a style."""
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"(?:src|href)=[\"']?(?:https?:)?//|url\(|@import", text)


def test_a_page_opens_at_the_cause(rendered: Rendered, page: Path) -> None:
    """Without a link: what a reviewer looks for first."""
    assert ">2 / 2<" in rendered(page) and "(CAUSE)" in shown(rendered(page))


def test_the_state_shows_the_variables_and_the_process_that_are_asked_for(rendered: Rendered, page: Path) -> None:
    """The filter leaves rows out, the choice of a process columns."""
    ask = (
        "const give = (name, value, kind) => { const e = document.getElementById(name); e.value = value; "
        "e.dispatchEvent(new Event(kind)); }; give('filter', 'ins|nothing', 'input'); give('process', 'c2', 'change');"
    )
    page.write_text(
        page.read_text(encoding="utf-8").replace("</body>", f"<script>{ask}</script></body>"), encoding="utf-8"
    )
    step = shown(rendered(page, "#step=1"))
    names = re.findall(r"<tr><td[^>]*>([^<]*)</td>", step.partition("property")[0])
    assert names == ["inside"]
    assert "not" in rendered(page, "#step=1")


def test_steps_of_one_process_follow_each_other(rendered: Rendered, checker: Any) -> None:
    """From a step of p1 the button leads to its next; arrows of the step light up, and the picture can be enlarged."""
    checker("check", "isis:DeliverAnyFinal", "--out", "out")
    page = next(Path("out").rglob("trace.html")).resolve()
    press = "for (const name of ['earlier', 'larger']) document.getElementById(name).click();"
    page.write_text(
        page.read_text(encoding="utf-8").replace("</body>", f"<script>{press}</script></body>"), encoding="utf-8"
    )
    document = rendered(page)
    (number,) = re.findall(r"<h2[^>]*>(\d+) p2:", shown(document))
    assert int(number) < 17 and re.search(r'class="edge message[^"]* lit"', document)
    assert re.search(r'<svg[^>]*style="[^"]*width: \d', document) and "max-width: none" in document


MEASURED = """<script>addEventListener("load", () => {
  const root = document.documentElement, step = document.getElementById("step");
  const bar = document.querySelector(".stepper > nav");
  const box = bar.getBoundingClientRect(), hidden = getComputedStyle(bar).display === "none";
  root.dataset.wide = Math.max(root.scrollWidth - innerWidth, 0);
  root.dataset.bar = hidden ? "hidden" : Math.round(innerHeight - box.bottom) === 0 ? "at the bottom" : "elsewhere";
  root.dataset.step = step.getBoundingClientRect().right <= innerWidth + 1 ? "inside" : "cut off";
});</script></body>"""


def measured(browser: Browser, page: Path, **how: Any) -> dict[str, str]:
    """Whether the page is wider than the screen, where its buttons are, and whether the step is on it."""
    text = page.read_text(encoding="utf-8").replace("</body>", MEASURED)
    (page.parent / "measured.html").write_text(text, encoding="utf-8")
    document = browser.document(f"file://{page.parent / 'measured.html'}", **how)
    return dict(re.findall(r'data-(wide|bar|step)="([^"]*)"', document.partition(">")[0] + document[:2000]))


def test_a_phone_shows_the_whole_width_with_the_buttons_at_the_bottom(browser: Browser, page: Path) -> None:
    """On a wide screen they stand above the step."""
    assert measured(browser, page, phone=True) == {"wide": "0", "bar": "at the bottom", "step": "inside"}
    assert measured(browser, page)["bar"] == "elsewhere"


WIDE = """<script>addEventListener("load", () => {
  const root = document.documentElement.dataset, picture = document.querySelector(".diagram");
  const state = document.querySelector(".stepper").getBoundingClientRect();
  root.hidden = picture.scrollWidth - picture.clientWidth;
  root.across = Math.round(picture.querySelector("svg").getBoundingClientRect().width);
  root.state = state.top >= 0 && state.bottom <= innerHeight + 1 ? "in sight" : "out of sight";
});</script></body>"""


@pytest.mark.skipif(shutil.which("dot") is None, reason="needs graphviz")
def test_a_window_of_1100_pixels_has_room_for_a_wide_picture_and_the_state(browser: Browser, tmp_path: Path) -> None:
    """No state change is out of the window, the picture is hardly made smaller, and the state is below it in sight."""
    run = Script(4, held=())
    for lane in run.lanes:
        told = tuple(f"m{n}.1" for n in range(5))
        run.step("read", lane, f"read the log of {lane} and fr_deliver m1.1", changes={(lane, "held"): told})
    trace = run.trace()
    svg = render(space_time(trace)).decode()
    (points,) = re.findall(r'<svg width="(\d+)pt"', svg)
    assert 0.9 * WIDEST < int(points) <= WIDEST + 20  # the margin of a picture
    page = tmp_path / "wide.html"
    page.write_text(html_report(trace, svg).replace("</body>", WIDE), encoding="utf-8")
    document = browser.document(f"file://{page}", width=1100)
    seen = dict(re.findall(r'data-(hidden|across|state)="([^"]*)"', document[:2000]))
    assert seen["hidden"] == "0" and int(seen["across"]) >= READABLE * int(points) * 4 / 3 - 1
    assert seen["state"] == "in sight"


def test_on_paper_there_are_no_buttons(browser: Browser, page: Path) -> None:
    """Diagram and step as they are on the screen, without what paper cannot do."""
    assert measured(browser, page, media="print") == {"wide": "0", "bar": "hidden", "step": "inside"}


def test_the_row_of_the_run_before_the_edit_is_marked_with_the_step(rendered: Rendered, page: Path) -> None:
    """At step 2 the careless lock is taken twice; before the edit the second call is refused."""
    document = rendered(page, "#step=2")
    assert 'data-step="2" tabindex="0" aria-current=""' in document and "not taken: not enabled" in document
    assert "At this step in " in shown(document) and "At this step in " not in shown(rendered(page, "#step=1"))


def test_a_packed_page_is_the_page_and_keeps_the_step_of_its_link(browser: Browser, page: Path) -> None:
    """The page of the gallery: its text is decompressed in the browser."""
    text = page.read_text(encoding="utf-8")
    small = packed(text, "a run", "run.itf.json", ["this"])
    assert unpacked(small) == text and len(small) < len(text) / 2
    assert is_made_from(small, ["this"]) and not is_made_from(small, ["that"]) and unpacked(text) == ""
    page.with_name("packed.html").write_text(small, encoding="utf-8")
    document = browser.document(f"file://{page.with_name('packed.html')}#step=1")
    assert ">1 / 2<" in document and "<h2>1 c1: take</h2>" in shown(document)
