"""A reviewer of a change, scripted: a fresh repository, an edit, the comment that comes out, and the page behind it in
a browser, on a wide screen, on a phone and on paper."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from tests.ci.test_build_servers import ACTION, Repository, blocks
from tests.report.browser import Browser

BEFORE = "if self.number == self.seen[w]:\n            self.number += 1"
AFTER = "if self.number >= 0:\n            self.number = self.seen[w] + 1"
SEEN = """<script>
const text = id => document.querySelector(id)?.textContent ?? "";
const press = (key, shiftKey) => document.dispatchEvent(new KeyboardEvent("keydown", {key, shiftKey}));
const give = (id, value, kind) => {
  const made = document.getElementById(id);
  made.value = value;
  made.dispatchEvent(new Event(kind));
};
const seen = {opens: text("#position"), head: text("#step h2"), beside: text("#step")};
press("ArrowLeft", true);
seen.earlier = text("#position");
press("ArrowRight", true);
seen.later = text("#position");
give("filter", "number", "input");
seen.filtered = [...document.querySelectorAll("#step td:first-child")].map(cell => cell.textContent);
give("filter", "", "input");
give("process", "w1", "change");
seen.columns = [...document.querySelector("#step table:not(.values) thead tr").cells].map(cell => cell.textContent);
give("process", "", "change");
const runs = [...document.querySelectorAll(".runs tr[data-step]")];
runs.at(-1).dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", bubbles: true}));
seen.went = text("#position");
seen.current = runs.filter(row => row.hasAttribute("aria-current")).map(row => Number(row.dataset.step));
const [here, there] = [...runs[0].cells].map(cell => cell.getBoundingClientRect());
seen.aligned = here.top === there.top ? "beside" : here.bottom <= there.top ? "below" : "elsewhere";
seen.wide = Math.max(document.documentElement.scrollWidth - innerWidth, 0);
seen.buttons = getComputedStyle(document.querySelector("nav")).display !== "none";
const stepper = document.querySelector(".stepper");
seen.whole = stepper.scrollHeight <= stepper.clientHeight + 1;
seen.runs = getComputedStyle(document.querySelector(".runs")).display !== "none";
document.documentElement.dataset.seen = JSON.stringify(seen);
</script></body>"""


def seen(browser: Browser, page: Path, **screen: Any) -> dict[str, Any]:
    """What a reviewer sees of a page on a screen, who then presses keys."""
    file = page.with_name("seen.html")
    file.write_text(page.read_text(encoding="utf-8").replace("</body>", SEEN), encoding="utf-8")
    found = re.search(r'data-seen="([^"]*)"', browser.document(f"file://{file}", **screen))
    assert found is not None
    result: dict[str, Any] = json.loads(unescape(found[1]))
    return result


@pytest.mark.thorough
def test_from_an_edit_to_the_page_that_shows_what_it_does(tmp_path: Path, browser: Browser) -> None:
    """The comment names the edited line; the page opens at the CAUSE in this change, and shows the run of the protocol
    before it, step beside step."""
    repository = Repository(tmp_path)
    repository.edit("counter.py", BEFORE, AFTER)
    _, verify, _ = blocks(ACTION)
    found = repository.run(verify, MODELS="protocols/counter.py protocols/lock.py", OPTIONS="", SINCE="main", LINK="l")
    assert found.returncode == 1, found.stderr
    comment = repository.report("comment.md")
    assert "`protocols/counter.py:39`" in comment
    ((worker, number),) = re.findall(r"Note over (w\d): (\d) write.* \(CAUSE\)", comment)

    (page,) = repository.path.glob("checker-report/*/trace.html")
    assert page.parent.name == "counter-CompareAndSet-nothing_is_lost"
    wide = seen(browser, page, width=1280)
    assert wide["opens"] == f"{number} / 4" and wide["head"].startswith(f"{number} {worker}: write (CAUSE)")
    assert "At this step in" in wide["beside"] and "What was edited" in wide["beside"]
    assert int(wide["earlier"][0]) < int(number) and wide["later"] == wide["opens"]
    assert "number" in wide["filtered"] and "seen" not in wide["filtered"] and wide["columns"] == ["", "w1"]
    assert wide["went"] == "4 / 4" and wide["current"] == [4]
    assert (wide["aligned"], wide["wide"], wide["buttons"], wide["runs"]) == ("beside", 0, True, True)
    phone = seen(browser, page, phone=True)
    assert (phone["aligned"], phone["wide"], phone["opens"]) == ("below", 0, wide["opens"])
    paper = seen(browser, page, media="print", width=1100)
    assert (paper["aligned"], paper["buttons"], paper["runs"], paper["whole"]) == ("beside", False, True, True)
