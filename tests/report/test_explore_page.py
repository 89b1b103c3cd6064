"""The page of `checker explore` in a real browser: links, buttons and keys walk through the runs of a model."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from html import unescape

import pytest

from checker.cli.explore import _explorer, answers_of, page_of
from checker.cli.serving import Served
from tests.report.browser import Browser

PRESS = """
const settled = async () => {
  for (let calm = 0; calm < 3; calm += 1) {
    await new Promise(done => setTimeout(done, 50));
    if (document.body.dataset.asking !== "0") calm = -1;
  }
};
(async () => {
  await settled();
  for (const key of %s) {
    if (key.startsWith("write ")) { document.activeElement.value = key.slice(6); continue; }
    if (key === "submit") document.getElementById("ask").requestSubmit();
    else document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {
      key: key.replace("Shift+", ""), shiftKey: key.startsWith("Shift+"), bubbles: true, cancelable: true }));
    await settled();
  }
})();
"""
Walk = Callable[..., str]


@pytest.fixture
def walked(lock: str, browser: Browser) -> Iterator[Walk]:
    """The document of the careless lock's page, opened by a link, after keys were pressed."""
    explorer = _explorer(f"{lock}:Careless", (), ())
    plain, keys = page_of(explorer, 20.0), list[str]()
    counting = "const real = window.fetch; let open_ = 0; document.body.dataset.asking = '1';\n" + (
        "window.fetch = async (...given) => { open_ += 1; document.body.dataset.asking = open_;"
        " try { return await real(...given); } finally { open_ -= 1; document.body.dataset.asking = open_; } };\n"
    )

    def page(nonce: str) -> str:
        start = f'<script nonce="{nonce}">\n'
        whole = plain(nonce).replace(start, start + "{" + counting + "}\n")
        return whole.replace("</body>", f"{start}{PRESS % keys}</script></body>")

    served = Served(page, answers_of(explorer, 20.0))
    thread = threading.Thread(target=served.serve)
    thread.start()

    def shown(link: str = "", *pressed: str) -> str:
        keys[:] = pressed
        return unescape(browser.document(served.url + link))

    yield shown
    served.stop()
    thread.join(10)


def part(document: str, name: str) -> str:
    """What stands in the element of that id, without its markup."""
    found = re.search(rf'<(\w+)[^>]* id="{name}"[^>]*>(.*?)</\1>', document, re.DOTALL)
    assert found is not None, name
    return re.sub(r"<[^>]*>", " ", found[2])


def steps(document: str) -> list[str]:
    """The steps that are offered."""
    return re.findall(r'<small class="call">(.*?)</small>', document)


def test_the_start_shows_what_is_enabled_and_what_each_step_would_change(walked: Walk) -> None:
    """Two clients may take the lock; neither may leave, and why."""
    document = walked()
    assert part(document, "position") == "0 / 0" and part(document, "enabled") == "Enabled now: 2"
    assert steps(document) == ["take(c1)", "take(c2)"] and "owner: none → c1" in part(document, "choices")
    assert "leave(c1) is disabled: c1 is not in inside = {}" in document
    assert not re.search(r"<dialog[^>]* open", document)


def test_a_link_is_a_run_a_place_in_it_and_its_predicates(walked: Walk) -> None:
    """The step, the truth of the predicate at each step, and the step that was taken from there."""
    document = walked("#run=1.1.1&at=1&pin=owner+%3D%3D+c2")
    assert part(document, "position") == "1 / 2" and 'class="taken"' in document
    assert "then alone is false" in part(document, "choices")
    assert 'aria-label="step 1: false"' in document and 'aria-label="step 2: true"' in document
    assert "owner = c1 is not c2" in document and part(document, "notice").strip() == ""


def test_a_link_of_another_model_says_so(walked: Walk) -> None:
    """A seal that is not this run's; and a run that there is not."""
    assert "made for another run" in part(walked("#run=1.1&seal=0123456789"), "notice")
    assert "step 1 of the path is number 9" in part(walked("#run=1.9"), "notice")


def test_numbers_take_steps_and_arrows_walk_along_them(walked: Walk) -> None:
    """To the violation, two back and one forward; another step there replaces the rest."""
    document = walked("", "1", "1")
    assert part(document, "position") == "2 / 2" and "alone is false here" in part(document, "broken")
    assert part(walked("", "1", "1", "ArrowLeft", "k", "k", "j"), "position") == "1 / 2"
    assert part(walked("#run=1.1.1", "Home", "End", "ArrowLeft", "ArrowRight", "ArrowRight"), "position") == "2 / 2"
    document = walked("", "1", "1", "k", "2")
    assert part(document, "position") == "2 / 2" and "leave(c1)" in part(document, "step")


def test_a_predicate_is_pinned_and_found_from_the_keyboard(walked: Walk) -> None:
    """/ goes to the field; Enter pins, Shift and Enter goes to the nearest state; ? opens the help."""
    document = walked("", "/", "write inside == {c1}", "submit")
    assert "false" in part(document, "pins") and "inside = {} is not {c1}" in document
    document = walked("", "/", "write len(inside) == 2", "Shift+Enter")
    assert part(document, "position") == "2 / 2" and "2 steps from here" in part(document, "answer")
    assert "nothing called nobody" in part(walked("", "/", "write nobody", "Shift+Enter"), "answer")
    document = walked("", "7", "?")
    assert re.search(r'<dialog[^>]* open=""', document) and "There is no step 7 here." in part(document, "notice")


def test_every_field_has_a_name_for_those_who_hear_the_page(walked: Walk) -> None:
    """Labels of fields and buttons, and places that are read out when they change."""
    document = walked()
    for tag in re.findall(r"<(?:input|select)\b[^>]*>", document):
        name = re.search(r'id="([^"]*)"', tag)
        assert name is not None
        labelled = f'for="{name[1]}"' in document or re.search(rf"<label[^>]*><input id=\"{name[1]}\"", document)
        assert "aria-label=" in tag or labelled, tag
    for button in re.findall(r"<button\b[^>]*>.*?</button>", document, re.DOTALL):
        assert re.sub(r"<[^>]*>", "", button).strip()
    assert document.count('role="status"') == 3
