"""The pages of the gallery, in Markdown: one for each model with its runs, and the index of all runs.

For each run a page states the edit, the violation, the cause if one was computed, and the command that finds the run
again.  All of it comes from the trace and the docstrings of the model and the property.  A picture ends with a hash of
the diagram from which it was drawn, so that an outdated picture is detected without the program `dot`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from itertools import groupby

from attrs import frozen

from checker.report.dot import render
from checker.report.markdown import escape, guilty_sentences
from checker.report.space_time import space_time
from checker.report.tables import Right, markdown_table
from checker.report.wording import first_difference, other_blocked, title, witness
from checker.trace.trace import Trace
from checker.wording import counted, first_sentence

RUN = ".itf.json"
HEAD = ("run", "of", Right("steps"), "what goes wrong")
CHANGED = ("repair", "edit")
ABOUT = """The shortest runs that violate what the models of this repository say is violated: for each model a folder with a page, and in it for
each class and property the run (`.itf.json`), its space-time diagram (`.svg`), and a page in which one steps through the run (`.html`): one
file to save and to open in a browser.
[How to read a counterexample](../docs/reading_a_counterexample.md);
[what the runs say about the published protocols](../docs/findings.md).

A table says of each run what it is of: a *protocol* as its source has it, a *reading* of an unclear source, a *claim*,
*variant* or *attempt* of a source, or a *repair* or *edit*, which changes the protocol on purpose.

`checker gallery` makes the gallery again from the models, `checker gallery --check` compares it with them (of a picture only the diagram that it shows:
how `dot` draws it depends on its version and the fonts; of most pages only the hash of what they were made from), `checker replay counterexamples/MODEL/RUN.itf.json` executes a run again."""  # noqa: E501

PARTS = (
    ("Protocols and readings", "What is wrong with what a source has, or can be read as.", False),
    ("Edits", "Changes made on purpose, to see which property needs the rule that was changed.", True),
)


@frozen
class Exhibit:
    """A run to show.  about, meaning: the docstrings of its class and its property; kind: what the class is ("edit",
    "reading", "protocol"); also: the other properties that the run violates; constants: those of its search, as
    NAME=VALUE.
    """

    trace: Trace
    about: str
    meaning: str = ""
    kind: str = "protocol"
    also: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()

    @property
    def heading(self) -> str:
        """The heading of the run, edit and property: "TieBySender: TotalOrder"; for the model itself the property
        alone.
        """
        edit = self.trace.reference.partition(":")[2]
        return f"{edit}: {self.trace.property}" if edit else self.trace.property

    @property
    def place(self) -> str:
        """The path of the run in the gallery."""
        return place_of(self.trace.reference, self.trace.property)


def place_of(reference: str, property: str) -> str:
    """The path of a run's files in the gallery, without their endings: isis/TieBySender-TotalOrder."""
    model, _, edit = reference.partition(":")
    return f"{_file_name(model)}/{_file_name(f'{edit}-{property}' if edit else property)}"


def _file_name(text: str) -> str:
    return re.sub(r"[^\w.-]+", "-", text)


def model_of(exhibit: Exhibit) -> str:
    """The model of the run, without its edit."""
    return exhibit.trace.reference.partition(":")[0]


def diagram_of(exhibit: Exhibit) -> str:
    """The diagram of a run; the file of the run lies beside the picture."""
    return space_time(exhibit.trace, run_file(exhibit.place))


def run_file(place: str) -> str:
    """The file name of a run, from its path in the gallery."""
    return f"{place.rpartition('/')[2]}{RUN}"


def picture(diagram: str) -> bytes:
    """The picture of a diagram, with the hash of the diagram at its end.  Raises NotDrawn."""
    return render(diagram) + _mark(diagram)


def is_picture_of(picture: bytes, diagram: str) -> bool:
    """Whether a picture was drawn from this diagram."""
    return picture.endswith(_mark(diagram))


def _mark(diagram: str) -> bytes:
    return f"<!-- diagram: sha256 {sha256(diagram.encode()).hexdigest()} -->\n".encode()


def section(exhibit: Exhibit) -> str:
    """The section about a run on the page of its model."""
    trace = exhibit.trace
    name = exhibit.place.rpartition("/")[2]
    said = witness(trace).startswith(first_sentence(exhibit.meaning).removesuffix("."))
    asked = f" (What is asked: {escape(exhibit.meaning)})" if exhibit.meaning and not said else ""
    command = " ".join(["checker check", trace.reference, *(f"-D {given}" for given in exhibit.constants)])
    parts = [
        f"## {escape(exhibit.heading)}",
        escape(exhibit.about),
        f"**{escape(title(trace))}.** {escape(witness(trace))}{asked}",
        f"![space-time diagram]({name}.svg)",
        f"[The page to step through this run]({name}.html), one file: save it and open it in a browser.",
        _cause(trace),
        "\n".join(f"- Why not: {escape(text)}" for text in other_blocked(trace)),
        f"The same run violates {escape(', '.join(exhibit.also))}." if exhibit.also else "",
        f"The run is [{escape(name)}{RUN}]({name}{RUN}), found again by",
        f"```sh\n{command} --property {trace.property} --out report\n```",
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def sections(page: str) -> dict[str, str]:
    """The sections of a model's page by their headings."""
    return {
        found[1]: found[0].strip() + "\n" for found in re.finditer(r"^## (.*)\n(?:(?!## ).*\n)*", page, re.MULTILINE)
    }


def model_page(model: str, summary: str, sections: Iterable[str]) -> str:
    """The page of a model."""
    return "\n".join([f"# {escape(model)}\n", f"{escape(summary)} [All models](../README.md).\n", *sections])


def index_page(exhibits: Iterable[Exhibit], summaries: Mapping[str, str]) -> str:
    """The index: the runs of protocols and readings before those of edits, each by model in the given order; summaries:
    a line about each model.
    """
    shown = list(exhibits)
    parts = ["# Counterexamples", ABOUT]
    for heading, about, changed in PARTS:
        chosen = [e for e in shown if (e.kind in CHANGED) == changed]
        if not chosen:
            continue
        parts += [f"## {heading}", f"{about} {counted(len(chosen), 'run')}."]
        for model, of in groupby(chosen, key=model_of):
            page = f"{_file_name(model)}/README.md"
            parts += [
                f"### [{escape(model)}]({page})",
                escape(summaries[model]),
                markdown_table(HEAD, [_row(page, e) for e in of]),
            ]
    return "\n\n".join(parts) + "\n"


def _row(page: str, exhibit: Exhibit) -> tuple[str, str, str, str]:
    anchor = re.sub(r"[^\w\- ]", "", exhibit.heading.lower()).replace(" ", "-")
    link = f"[{escape(exhibit.heading)}]({page}#{anchor})"
    return link, exhibit.kind, str(len(exhibit.trace.steps)), escape(witness(exhibit.trace))


def _cause(trace: Trace) -> str:
    """The line that the picture has in bold, and where else the run leaves the protocol before the edit."""
    if told := guilty_sentences(trace):
        return " ".join(filter(None, (f"{'; '.join(told)}.", first_difference(trace))))
    note = trace.steps[-1].note if trace.steps else ""
    return f"Note: {escape(_ended(note))}" if note else ""


def _ended(note: str) -> str:
    """A note with its full stop; its first word may be a name of the model, so its case is unchanged."""
    return note + ("" if note.endswith(".") else ".")
