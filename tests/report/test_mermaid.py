"""Sequence diagrams are read, and drawn, by Mermaid itself: the package mermaidx has its JavaScript as published, and
QuickJS to run it, without a browser.

Reading is Mermaid's own parser of sequence diagrams. Drawing goes through its whole renderer, with a document that
mermaidx imitates; where the letters stand is not judged.
"""

from __future__ import annotations

import html
import json
import re
import threading
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
from attrs import evolve

from checker.report.directory import stored
from checker.report.mermaid import escape, mermaid
from checker.trace.trace import Trace
from tests.report import runs

mermaidx = pytest.importorskip("mermaidx")
quickjs = pytest.importorskip("quickjs")

ROOT = Path(__file__).parents[2]
BROKEN = "sequenceDiagram\n  p1 ->"
# of the imitated document: sizes, which no parser asks for
HOOKS = ("__log", "__measureText", "__measureTextFull", "__measureGlyphs", "__measureForeignObject")
STACK = 32 << 20  # a browser gives Mermaid a deeper stack than a thread has


def with_mermaid(use: Callable[[Callable[[str], str]], None]) -> None:
    """Calls `use` with a function that has Mermaid read a text: its words if it refuses, else the kind of diagram."""
    failed: list[BaseException] = []

    def work() -> None:
        try:
            context = quickjs.Context()
            context.set_max_stack_size(STACK // 2)
            for name in HOOKS:
                context.add_callable(name, lambda *_: None)
            for name in ("dom_shim.js", "mermaid.js"):
                context.eval((files("mermaidx") / "assets" / name).read_text(encoding="utf-8"))
            context.eval(
                "globalThis.reader = __esbuild_esm_mermaid_nm.mermaid.default || __esbuild_esm_mermaid_nm.mermaid"
            )

            def read(text: str) -> str:
                context.eval(
                    f"globalThis.said = 'silent'; reader.parse({json.dumps(text)}).then(x => {{ said = "
                    f"x.diagramType }}, x => {{ said = 'refused: ' + x.message }})"
                )
                while context.execute_pending_job():
                    pass
                return str(context.eval("said.slice(0)"))

            use(read)
        except BaseException as error:
            failed.append(error)

    usual = threading.stack_size(STACK)
    try:
        thread = threading.Thread(target=work)
        thread.start()
    finally:
        threading.stack_size(usual)
    thread.join()
    if failed:
        raise failed[0]


def drawn(text: str) -> str:
    """The words in the picture that Mermaid draws, in their order."""
    words = re.findall(r"<(?:text|tspan)[^>]*>([^<]+)<", mermaidx.render(text).svg())
    return " ".join(html.unescape(w) for w in words)


@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.thorough)])
def test_mermaid_reads_every_diagram_of_the_gallery(every: int) -> None:
    """As a sequence diagram, each eighth in each build; and refuses one that is broken, so that it was asked."""
    found = {}

    def ask(read: Callable[[str], str]) -> None:
        found.update(
            {
                str(file): read(mermaid(stored(str(file))))
                for file in sorted((ROOT / "counterexamples").glob("*/*.itf.json"))[::every]
            }
        )
        assert read(BROKEN).startswith("refused: Parse error on line 2")

    with_mermaid(ask)
    assert len(found) > 200 // every and {n: said for n, said in found.items() if said != "sequence"} == {}


def test_mermaid_reads_the_diagrams_of_runs_of_every_shape() -> None:
    """No lanes, crashes, losses, partitions, eight lanes, sixty steps, a lasso, lanes named as words of Mermaid; and
    every sign that might mean something to it."""
    words = (
        "box participant actor create destroy as loop rect opt alt else par par_over and critical option break "
        "end links link properties details over note activate"
    )
    words += " deactivate title accTitle accDescr autonumber off sequenceDiagram left right wrap x p-1 1 ü"
    names = (*words.split(), *words.upper().split(), *words.title().split(), "x y")
    odd = Trace(model="m", property="P", kind="invariant", states=[{}], steps=[], lanes=names, guilty=names)
    shapes = [
        runs.total_order(),
        runs.no_lanes(),
        runs.crash_in_multicast(),
        runs.crash_before_a_send(),
        runs.lasso(),
        runs.own_messages(),
        runs.initial(),
        runs.network_breaks(),
        runs.network_faults(),
        runs.eight_lanes(),
        runs.many_steps(60, 8),
        odd,
    ]

    def ask(read: Callable[[str], str]) -> None:
        assert {text: said for text in map(mermaid, shapes) if (said := read(text)) != "sequence"} == {}
        for sign in "#;<>%{}[]()\"'`\\/|&*_~^$@!?:,.-+=→∅𝛼":
            assert (
                read(
                    f"sequenceDiagram\n  Note over p1: {escape(f'a {sign} b {sign}{sign} c')}\n  p1->>p2: "
                    f"{escape(f'{sign} d')}"
                )
                == "sequence"
            ), sign

    with_mermaid(ask)


@pytest.mark.parametrize(
    "seen", [lambda text: text, pytest.param(drawn, marks=pytest.mark.thorough)], ids=["written", "drawn"]
)
def test_a_diagram_longer_than_mermaid_draws_is_cut_in_the_middle(seen: Callable[[str], str]) -> None:
    """Of more than 50,000 signs it draws nothing at all: the start and the end are drawn, and a note between them says
    how much is left out."""
    whole = runs.many_steps(60, 4)
    trace = evolve(whole, steps=[evolve(s, label=f"{s.label} {'with many words ' * 100}") for s in whole.steps])
    words = seen(mermaid(trace))
    assert (
        "lines are left out here, since Mermaid draws no longer text" in words
        and "end: " in words
        and words.count("with many words") > 500
    )
    assert len(mermaid(trace)) < 50_000


def test_mermaid_draws_what_the_run_says() -> None:
    """Lanes, the numbered steps and the end are in the picture; signs with a meaning come out as themselves."""
    trace = runs.total_order()
    words = drawn(mermaid(trace))
    assert all(lane in words for lane in trace.lanes) and "end: " in words and "(contradiction)" in words
    signs = "a # b; c < d > e #35; f &amp; g"
    assert signs in drawn(f"sequenceDiagram\n  Note over p1: {escape(signs)}")
    with pytest.raises(RuntimeError, match="Parse error on line 2"):
        drawn(BROKEN)
